/*
 * The engine measures one benchmark with one group of counters.
 */
#ifndef BENCH_ENGINE_ENGINE_H
#define BENCH_ENGINE_ENGINE_H

#include "bench/bench.h"
#include "bench/engine/samples.h"
#include "bench/engine/stats.h"

struct engine_result {
	enum args_mode mode;
	uint32_t copies, loop; /* of the body in one run (rate mode: in the shorter run) */
	/*
	 * How often the code runs between two readings of the counters: 1, or more where a reading
	 * leaves a guest. Counts are then those of the last pass: the counts of other samples, with
	 * one pass less, are subtracted.
	 */
	uint32_t passes;
	uint32_t runs, warmup; /* samples used of each of the two codes; runs discarded before */
	struct engine_dropped dropped;
	uint32_t repeated; /* batches without usable samples, which were run again */
	bool exits;        /* nearly every run had an exit to the host: such samples were kept */
	bool timed_out;    /* no result: the time limit ended the code */
	bool late;         /* times say that the host came into half of the samples */
	bool stood;        /* no result: a guest's counters stood still in every sample */
	bool watched;      /* in a guest: each kept sample counts only its own instructions */
	bool interrupted;  /* every run had an interrupt, so such samples were kept */
	unsigned n;        /* quantities: [0] TSC, [1 + i] slot i */
	struct stats_diff q[ENGINE_QUANTITIES]; /* of all copies together */
	uint64_t tsc_error; /* ticks that q[0] may be off because the TSC advances in steps */
	/*
	 * Where neither a counter nor the TSC counts core clocks: thousandths of core clocks of all
	 * copies, by chains before and after every sample (core_clock.h). Two kinds of samples are
	 * not used for `core`: `unsteady`, the chains before and after differ by more than a
	 * hundredth; `shared`, a chain of multiplications disagrees with them, because another
	 * thread runs on the core, for example. has_core is false if too few samples are left.
	 */
	bool has_core;
	uint32_t unsteady, shared;
	struct stats_diff core;
	uint64_t core_error; /* thousandths of core clocks that core.med may be off */
};

/* Prepares the engine. False: there is no memory for code or data. */
bool engine_init(const struct bench_run *run);

/*
 * Measures b while `group` (NULL: only the TSC) counts. Returns NULL, or the reason why there is no
 * result. The `trap` record of a snippet that faulted is already printed.
 */
const char *engine_measure(const struct bench_run *run, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out);

/* The CPL at which b runs: cpl=, or for the user's code platform_user_cpl(). */
unsigned engine_cpl(const struct bench_run *run, const struct bench *b);

/* TSC ticks that the difference of two readings may be off; 0 if they are exact. */
uint64_t engine_tsc_error(void);

/*
 * Sets *out to the TSC ticks between the two readings of an empty bracket, and *error to their
 * largest error in ticks. Returns NULL, or the reason why there are none.
 */
const char *engine_bracket(const struct bench_run *run, const struct pmu_group *group,
                           struct stats_diff *out, uint64_t *error);

/* The number of series of which engine_series() takes the smallest figure: 1, in a guest more. */
uint32_t engine_series_of(const struct bench_run *run);

/*
 * Runs b `n` times (at most ENGINE_SERIES), one copy each; the caches are empty before the first
 * run. Sets ticks[] to the TSC ticks of each run less those of an empty bracket, with the bracket's
 * spread, *error to their largest error in ticks, and *of to the number of series of which each
 * figure is the smallest. Returns NULL, or the reason of a failure.
 */
const char *engine_series(const struct bench_run *run, const struct bench *b, uint32_t n,
                          struct stats_diff ticks[ENGINE_SERIES], uint64_t *error, uint32_t *of);

#endif
