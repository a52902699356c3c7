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
	uint32_t copies, loop; /* of the body in one run (rate mode: in the shorter one) */
	uint32_t runs, warmup; /* samples used of each of the two codes; runs thrown away before */
	struct engine_dropped dropped;
	uint32_t repeated; /* batches that were spoilt as a whole and run again */
	bool exits;        /* a guest's host came into every run, so that such samples were kept */
	bool stood;        /* no result: a guest's counters stood still in every sample */
	bool watched;      /* each sample of a guest that was kept has its instructions alone */
	bool interrupted;  /* an interrupt came in every run, so that such samples were kept */
	unsigned n;        /* quantities: [0] TSC, [1 + i] slot i */
	struct stats_diff q[ENGINE_QUANTITIES]; /* of all copies together */
	uint64_t tsc_error; /* ticks that q[0] may be off because the TSC advances in steps */
	/*
	 * Where neither a counter nor the TSC counts core clocks: thousandths of core clocks of all
	 * copies, by a chain of dependent adds before and after every sample. Samples of both codes
	 * that are not used for it: `unsteady`, the two chains disagree by more than a hundredth;
	 * `shared`, a chain of multiplications disagrees with them, as when another thread runs on
	 * the core. has_core is false if too few are left.
	 */
	bool has_core;
	uint32_t unsteady, shared;
	struct stats_diff core;
	uint64_t core_error; /* thousandths of core clocks that core.med may be off */
};

/* Readies the engine; false if there is no memory for code or data. */
bool engine_init(const struct bench_run *run);

/*
 * Sets each argument that asks for more samples than the engine has room for to 0, which is the
 * engine's choice, with an `error` record that names the argument and its range.
 */
void engine_bound_args(struct args *args);

/*
 * Measures b while `group` (NULL: only the TSC) counts. Returns NULL, or why there is no result; a
 * snippet that faulted has had its `trap` record by then.
 */
const char *engine_measure(const struct bench_run *run, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out);

/* The CPL at which b runs: that of cpl=, or for the user's code that of platform_user_cpl(). */
unsigned engine_cpl(const struct bench_run *run, const struct bench *b);

/* TSC ticks that the difference of two readings may be off; 0 if they are exact. */
uint64_t engine_tsc_error(void);

/*
 * TSC ticks between the two readings of an empty bracket, and by how many ticks they may be off.
 * Returns NULL or why there are none.
 */
const char *engine_bracket(const struct bench_run *run, const struct pmu_group *group,
                           struct stats_diff *out, uint64_t *error);

/* So many series is a figure of engine_series() the least of: 1, or of a guest more. */
uint32_t engine_series_of(const struct bench_run *run);

/*
 * Runs b `n` times from flushed caches, one copy each, and gives the TSC ticks of each run over
 * those of an empty bracket, whose spread is theirs, and by how many ticks each may be off. `of`:
 * each is the least of so many series. Returns NULL or why not.
 */
const char *engine_series(const struct bench_run *run, const struct bench *b, uint32_t n,
                          struct stats_diff ticks[ENGINE_SERIES], uint64_t *error, uint32_t *of);

#endif
