/*
 * Numbers (bench/engine/number.h).
 */
#include "bench/engine/number.h"
#include "bench/engine/sizing.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "pmu/pmu.h"

static int64_t not_negative(int64_t v)
{
	return v < 0 ? 0 : v;
}

/* `v` of n as thousandths of one, rounded up. */
static uint64_t rounded_up(uint64_t v, uint64_t n)
{
	return (v * 1000 + n - 1) / n;
}

/* What *d is below if it is not told apart from 0: as far as the noise reaches on either side. */
static uint64_t limit(const struct stats_diff *d, uint64_t error)
{
	int64_t far = d->high > -d->low ? d->high : -d->low;

	if ((d->exact && !error) || d->low > (int64_t)error)
		return 0;
	return (uint64_t)far + error;
}

struct number number_of(const struct stats_diff *d, uint64_t n, uint64_t error)
{
	struct number x = {
		.value = stats_milli(d->med, n),
		.min = not_negative(stats_milli(d->min, n)),
		.low = not_negative(stats_milli(d->low, n)),
		.high = not_negative(stats_milli(d->high, n)),
		.max = not_negative(stats_milli(d->max, n)),
		.bound = rounded_up(error, n),
		.below = rounded_up(limit(d, error), n),
		.exact = d->exact,
	};

	if (x.below)
		x.value = 0;
	return x;
}

void number_field(const char *key, const char *suffix, int64_t value, uint64_t bound)
{
	char buf[PMU_KEY + 9];
	size_t n = strlen(key);

	memcpy(buf, key, n);
	memcpy(buf + n, suffix, strlen(suffix) + 1);
	log_milli(buf, sizing_digits(value, bound));
}

void number_log(const char *key, const struct number *x)
{
	number_field(key, "", x->value, x->bound);
	if (x->below) {
		number_field(key, ".below", (int64_t)x->below, 0);
		return;
	}
	if (!x->exact) {
		number_field(key, ".min", x->min, x->bound);
		number_field(key, ".low", x->low, x->bound);
		number_field(key, ".high", x->high, x->bound);
		number_field(key, ".max", x->max, x->bound);
	}
	if (x->bound > 1)
		number_field(key, ".bound", (int64_t)x->bound, 0);
}

/* Bytes of thousandths as a decimal, at most. */
static size_t milli_size(uint64_t v)
{
	size_t n = sizeof("-0.000") - 1;

	for (v /= 1000; v >= 10; v /= 10)
		n++;
	return n;
}

size_t number_room(const char *key, const struct number *x)
{
	uint64_t value = (uint64_t)(x->value < 0 ? -x->value : x->value);
	uint64_t most = x->below + x->bound + value + (uint64_t)x->max;
	size_t one = strlen(key) + sizeof(" .bound=") - 1 + milli_size(most);

	return (x->exact ? 2 : 6) * one;
}
