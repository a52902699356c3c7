/*
 * The numbers of records: of the time stamp counter, events, core clocks and costs.
 *
 * The value is the difference of two medians (bench/engine/stats.h), divided by the number of
 * copies or operations. No quantity can be negative. The inner limits of the samples, moved apart
 * by the error of a reading, may reach down to 0. The number then has no value, but an upper bound.
 * Only a number without any spread may be negative: it is no noise, and is printed unchanged.
 */
#ifndef BENCH_ENGINE_NUMBER_H
#define BENCH_ENGINE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/engine/stats.h"

/* All in thousandths. */
struct number {
	int64_t value;               /* 0 where `below` is not 0 */
	int64_t min, low, high, max; /* of the samples (struct stats_diff), at least 0 */
	uint64_t bound;              /* largest error of each by the readings; 0: exact readings */
	uint64_t below;              /* upper bound of a number without value; else 0 */
	bool exact;                  /* no spread; a negative value then has 0 as the other four */
};

/* *d divided by `n` (above 0); `error`: the largest error of *d by the readings. */
struct number number_of(const struct stats_diff *d, uint64_t n, uint64_t error);

/*
 * Appends the fields to the open record: KEY; KEY.min, .low, .high and .max if there is a spread;
 * KEY.bound if it is above 0.001. A number without value gives KEY=0 and KEY.below. Digits below
 * the bound are rounded away.
 */
void number_log(const char *key, const struct number *x);

/* Appends one field, KEY and a suffix of at most 8 bytes, in the digits that `bound` allows. */
void number_field(const char *key, const char *suffix, int64_t value, uint64_t bound);

/* The most bytes that number_log() writes. `key` has at most PMU_KEY bytes. */
size_t number_room(const char *key, const struct number *x);

#endif
