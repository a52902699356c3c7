/*
 * Which loads of a sequence hit, from their times (bench/datasheet/cache_set.h).
 */
#include "bench/datasheet/cache_set.h"
#include "kernel/lib/string.h"

enum {
	RUNS_MOST = 1024,
	SURE = 5, /* a mean is off by the step of the TSC / (2 * sqrt(runs)): so many times */
};

unsigned cache_set_runs(uint32_t gap)
{
	const uint64_t step = engine_tsc_error() * 1000;
	uint64_t runs;

	if (!step)
		return 1;
	/* A single time is off by half a step at most, and the middle is half a gap away. */
	runs = gap ? SURE * SURE * step * step / gap / gap + 1 : RUNS_MOST;
	return runs < RUNS_MOST ? (unsigned)runs : RUNS_MOST;
}

void cache_set_measure(const struct bench_run *run, const struct cache_set *s,
                       const struct cache_set_scale *scale, struct cache_sequence *q)
{
	const uint32_t gap = scale->gap;
	static uint32_t milli[CACHE_SET_STEPS];
	static int64_t more[CACHE_SET_STEPS]; /* than a hit, all repeats together */

	memset(q->repeats, 0, sizeof(q->repeats));
	memset(q->near, 0, sizeof(q->near));
	memset(more, 0, sizeof(more));
	q->all = 0;
	for (unsigned r = 0; r < CACHE_SET_REPEATS; r++) {
		const uint32_t hit =
			cache_set_times(run, s, q->block, q->n, scale->runs, scale->most, milli);
		bool all = true;

		for (unsigned i = 0; i < q->n; i++) {
			const bool is_hit = milli[i] < hit + (gap + 1) / 2;

			q->repeats[i] += is_hit;
			q->near[i] += scale->near && milli[i] + scale->near / 2 < hit;
			more[i] += (int64_t)milli[i] - hit;
			all &= i < q->again || is_hit;
		}
		q->all += all;
	}
	for (unsigned i = 0; i < q->n && scale->runs > 1; i++) {
		const int64_t mean = 4 * more[i] / CACHE_SET_REPEATS;

		if (mean > gap && mean < 3 * (int64_t)gap)
			q->repeats[i] = CACHE_SET_REPEATS / 2;
	}
}
