/*
 * Measures how far a core looks ahead: instructions stand between two loads that miss all caches.
 * If the second load starts before the first ends, both together take the time of one miss. The
 * largest number of instructions with this time is the number of entries that a structure of the
 * core has for these instructions. Method: H. Wong, "Measuring Reorder Buffer Capacity",
 * blog.stuffedcow.net, 2013.
 */
#ifndef BENCH_DATASHEET_WINDOW_H
#define BENCH_DATASHEET_WINDOW_H

#include "bench/engine/engine.h"

/* The instructions between the loads, and the structure whose entries they use. */
enum window_filler {
	WINDOW_NOP,         /* the reorder buffer, unless the core packs NOPs together */
	WINDOW_MIX,         /* the reorder buffer, and each other structure less often */
	WINDOW_MIX_INTEGER, /* the same without vectors, which some cores split in halves */
	WINDOW_LOAD,        /* the load queue */
	WINDOW_LOAD_BOTH,   /* the same into general and vector registers in turn */
	WINDOW_LOAD_MISS,   /* loads that wait for the line of the first load */
	WINDOW_STORE,       /* the store queue */
	WINDOW_WAIT,        /* the scheduler: arithmetic that waits for the first load */
	WINDOW_WAIT_LOAD,   /* the scheduler of loads: their addresses come from the first load */
	WINDOW_WAIT_MIXED,  /* both in turn */
	WINDOW_FILLERS
};

/* Most loads of window_misses(), and the value of `fits` without a step. */
enum { WINDOW_MISSES = 240, WINDOW_NO_STEP = UINT32_MAX };

struct window {
	uint32_t fits;      /* most fillers with which the loads overlap */
	uint32_t low, high; /* limits of all searches; equal to `fits` if sharp */
	bool sharp; /* there is a step: times have no spread, or two searches differ by 1 at most */
	const char *why; /* the reason why all others are 0; NULL: there is a figure */
};

/*
 * Measures one filler. The CPU must have CLFLUSH, MFENCE and LFENCE. If the time rises without a
 * step no structure was full: `fits` is WINDOW_NO_STEP, and the other fields are 0.
 */
struct window window_measure(const struct bench_run *run, enum window_filler filler);

/* The name of the filler in the log. */
const char *window_name(enum window_filler filler);

/*
 * Measures the most loads that miss all caches at a time, 2 to WINDOW_MISSES - 1. The CPU must have
 * the same instructions. Without a sharp step `why` has a text; without any step `fits` is
 * WINDOW_NO_STEP.
 */
struct window window_misses(const struct bench_run *run);

#endif
