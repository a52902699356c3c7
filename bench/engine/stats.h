/*
 * Statistics of samples: minimum, quartiles, median and maximum.
 * No averages: a mean of times mixes the thing measured with whatever disturbed it.
 */
#ifndef BENCH_ENGINE_STATS_H
#define BENCH_ENGINE_STATS_H

#include <stddef.h>
#include <stdint.h>

struct stats {
	uint64_t min, low, med, high, max; /* low, high: a quarter of the samples lies beyond */
};

/*
 * Sorts v[0..n) and describes it; n = 0 gives all zeros. The median of an even n is the lower, and
 * the quartiles are samples, too.
 */
struct stats stats_of(uint64_t *v, size_t n);

/*
 * Difference of two series that share a fixed cost: the medians', and how far it may be off. The
 * outer limits are those of any two samples (min, max); the inner ones leave out the outer quarters
 * of both series (low, high). min <= low <= med <= high <= max.
 */
struct stats_diff {
	int64_t min, low, med, high, max;
	int exact; /* neither series has any spread */
};

struct stats_diff stats_sub(const struct stats *a, const struct stats *b);

/* v / n in thousandths, rounded to the nearest, halves away from zero. n must not be 0. */
int64_t stats_milli(int64_t v, uint64_t n);

#endif
