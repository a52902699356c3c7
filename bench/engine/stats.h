/*
 * Statistics of samples: minimum, quartiles, median and maximum. It computes no averages: a mean
 * mixes the measured times with disturbances.
 */
#ifndef BENCH_ENGINE_STATS_H
#define BENCH_ENGINE_STATS_H

#include <stddef.h>
#include <stdint.h>

struct stats {
	uint64_t min, low, med, high, max; /* a quarter of the samples is below low, above high */
};

/*
 * Sorts v[0..n) and describes it; n = 0 gives all zeros. Median and quartiles are samples: the
 * median of an even n is the lower of the two middle samples.
 */
struct stats stats_of(uint64_t *v, size_t n);

/*
 * Difference of two series that share a fixed cost: `med` is the difference of the medians. min and
 * max are the limits of the difference of any two samples; low and high leave out the outer
 * quarters of both series. min <= low <= med <= high <= max.
 */
struct stats_diff {
	int64_t min, low, med, high, max;
	int exact; /* neither series has any spread */
};

struct stats_diff stats_sub(const struct stats *a, const struct stats *b);

/* The same of two such differences. */
struct stats_diff stats_diff_sub(const struct stats_diff *a, const struct stats_diff *b);

/* v / n in thousandths, rounded to the nearest, halves away from zero. n must not be 0. */
int64_t stats_milli(int64_t v, uint64_t n);

#endif
