/*
 * How far a core looks ahead: two loads that miss every cache, and instructions between them. As
 * long as the second load is under way before the first has ended, both take the time of one miss.
 * The most instructions for which that is so are the entries that some structure of the core has
 * for them. Method: H. Wong, "Measuring Reorder Buffer Capacity", blog.stuffedcow.net, 2013.
 */
#ifndef BENCH_DATASHEET_WINDOW_H
#define BENCH_DATASHEET_WINDOW_H

#include "bench/engine/engine.h"

/* What stands between the loads. Which structure has an entry for it: */
enum window_filler {
	WINDOW_NOP,         /* the reorder buffer, unless the core packs NOPs together */
	WINDOW_MIX,         /* the reorder buffer, and each other structure less often */
	WINDOW_MIX_INTEGER, /* the same without vectors, which some cores halve */
	WINDOW_LOAD,        /* the load queue */
	WINDOW_STORE,       /* the store queue */
	WINDOW_WAIT,        /* the scheduler: arithmetic that waits for the first load */
	WINDOW_WAIT_LOAD,   /* the scheduler of loads: their addresses come from the first load */
	WINDOW_WAIT_MIXED,  /* both in turn */
	WINDOW_FILLERS
};

enum { WINDOW_MISSES = 64, WINDOW_NO_STEP = UINT32_MAX };

struct window {
	uint32_t fits;      /* most fillers with which the loads overlap */
	uint32_t low, high; /* what was found in all searches; `fits` if it is sharp */
	bool sharp;         /* times have no spread, or two searches found the same */
	const char *why;    /* NULL, or the reason why there is no figure; the others are 0 then */
};

/*
 * Measures one filler. The CPU has CLFLUSH, MFENCE and LFENCE. `fits` is WINDOW_NO_STEP, and the
 * others are 0, where the time rises without a step: nothing was full.
 */
struct window window_measure(const struct bench_run *run, enum window_filler filler);

/* Its name in the log. */
const char *window_name(enum window_filler filler);

/* The most loads that miss every cache at a time, 1 to WINDOW_MISSES, by the same means. */
struct window window_misses(const struct bench_run *run);

#endif
