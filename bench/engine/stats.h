/*
 * Statistics of samples: minimum, median, maximum and how many samples equal the minimum.
 * No averages: a mean of times mixes the thing measured with whatever disturbed it.
 */
#ifndef BENCH_ENGINE_STATS_H
#define BENCH_ENGINE_STATS_H

#include <stddef.h>
#include <stdint.h>

struct stats {
	uint64_t min, med, max;
	uint32_t n;      /* samples */
	uint32_t at_min; /* samples equal to min */
};

/* Sorts v[0..n) and describes it; n = 0 gives all zeros. The median of an even n is the lower. */
struct stats stats_of(uint64_t *v, size_t n);

/* Difference of two series that share a fixed cost: what a reader may say about a - b. */
struct stats_diff {
	int64_t min, med, max; /* each sample of a against the best one of b */
	uint32_t share;        /* thousandths of the samples at the minimum, the worse of the two */
	int exact;             /* neither series has any spread */
};

struct stats_diff stats_sub(const struct stats *a, const struct stats *b);

/* v / n in thousandths, rounded to the nearest, halves away from zero. n must not be 0. */
int64_t stats_milli(int64_t v, uint64_t n);

#endif
