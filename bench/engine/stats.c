/*
 * Statistics of samples (bench/engine/stats.h).
 */
#include "bench/engine/stats.h"

/* Shell sort: in place, no recursion, short, and fast enough for a few hundred samples. */
static void sort(uint64_t *v, size_t n)
{
	for (size_t gap = n / 2; gap; gap /= 2) {
		for (size_t i = gap; i < n; i++) {
			uint64_t x = v[i];
			size_t j = i;

			for (; j >= gap && v[j - gap] > x; j -= gap)
				v[j] = v[j - gap];
			v[j] = x;
		}
	}
}

struct stats stats_of(uint64_t *v, size_t n)
{
	struct stats s = { 0 };

	if (!n)
		return s;
	sort(v, n);
	s.min = v[0];
	s.low = v[(n - 1) / 4];
	s.med = v[(n - 1) / 2];
	s.high = v[n - 1 - (n - 1) / 4];
	s.max = v[n - 1];
	return s;
}

struct stats_diff stats_sub(const struct stats *a, const struct stats *b)
{
	struct stats_diff d = {
		.min = (int64_t)(a->min - b->max),
		.low = (int64_t)(a->low - b->high),
		.med = (int64_t)(a->med - b->med),
		.high = (int64_t)(a->high - b->low),
		.max = (int64_t)(a->max - b->min),
		.exact = a->min == a->max && b->min == b->max,
	};

	return d;
}

struct stats_diff stats_diff_sub(const struct stats_diff *a, const struct stats_diff *b)
{
	struct stats_diff d = {
		.min = a->min - b->max,
		.low = a->low - b->high,
		.med = a->med - b->med,
		.high = a->high - b->low,
		.max = a->max - b->min,
		.exact = a->exact && b->exact,
	};

	return d;
}

int64_t stats_milli(int64_t v, uint64_t n)
{
	uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	uint64_t whole = magnitude / n;
	uint64_t rest = magnitude % n;
	uint64_t milli;

	/* 1000 * rest would overflow only for an n beyond any number of copies. */
	milli = whole * 1000 + (rest * 1000 + n / 2) / n;
	return v < 0 ? -(int64_t)milli : (int64_t)milli;
}
