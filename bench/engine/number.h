/*
 * What a number is, the same for the time stamp counter, for events, for core clocks and for costs.
 *
 * The value is the difference of two medians (bench/engine/stats.h), divided by what it is of. No
 * quantity can be negative. So where the inner limits of the samples, moved apart by what a
 * reading may be off, reach down to 0, the number is not told apart from 0: it has no value but a
 * bound that it is below. Only a number without any spread may be negative: then it is no noise,
 * and is stated as it is.
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
	uint64_t bound;              /* what each of them may be off by the readings, 0: nothing */
	uint64_t below;              /* not told apart from 0, and smaller than this; or 0 */
	bool exact;                  /* no spread: the five are equal */
};

/* One of the `n` (above 0) that *d is of; the readings of all of them may be off by `error`. */
struct number number_of(const struct stats_diff *d, uint64_t n, uint64_t error);

/*
 * Appends the fields to the open record: KEY; KEY.min, .low, .high and .max if there is a spread;
 * KEY.bound if it is above 0.001. Or KEY=0 and KEY.below. Digits that the bound makes doubtful are
 * rounded away.
 */
void number_log(const char *key, const struct number *x);

/* Appends one field, KEY and a suffix of at most 8 bytes, in the digits that `bound` allows. */
void number_field(const char *key, const char *suffix, int64_t value, uint64_t bound);

/* Bytes that number_log() writes, at most. `key` has at most PMU_KEY bytes. */
size_t number_room(const char *key, const struct number *x);

#endif
