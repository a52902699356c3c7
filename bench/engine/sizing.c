/*
 * How long runs must be (bench/engine/sizing.h).
 */
#include "bench/engine/sizing.h"
#include "bench/engine/stats.h"

enum {
	TICKS_EXACT = 1300, /* of a run whose reading is exact: long against what else it does */
	DIGITS = 1000,      /* a result shall be right to one part in so many */
	BRACKETS = 2,       /* a result is the difference of two */
};

static uint32_t limited(uint64_t v, uint32_t low, uint32_t high)
{
	return v < low ? low : v > high ? high : (uint32_t)v;
}

/* Of the sorted v[0..n): the value that all but a tenth are not above. */
static uint64_t high_of(const uint64_t *v, unsigned n)
{
	return v[n - 1 - n / 10];
}

/*
 * The widest but one of the gaps in the sorted v[0..n), for the widest may be a disturbance. Steps
 * of 24 or 25 in turn count as 25.
 */
static uint64_t gap_of(const uint64_t *v, unsigned n)
{
	uint64_t widest = 0, second = 0;

	for (unsigned i = 1; i < n; i++) {
		uint64_t gap = v[i] - v[i - 1];

		if (gap > widest) {
			second = widest;
			widest = gap;
		} else if (gap > second) {
			second = gap;
		}
	}
	return second > 2 && widest == second + 1 ? widest : second;
}

/* Does a reading lie just above the smallest? A disturbance seldom is that small. */
static bool wavers(const uint64_t *v, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		if (v[i] > v[0])
			return v[i] <= v[0] + 2;
	return false;
}

struct sizing sizing_of(uint64_t readings[SIZING_LENGTHS][SIZING_RUNS])
{
	uint64_t medians[SIZING_LENGTHS], spreads[SIZING_LENGTHS];
	bool waver = false;
	uint64_t gap, step;

	for (unsigned i = 0; i < SIZING_LENGTHS; i++) {
		uint64_t *v = readings[i];

		medians[i] = stats_of(v, SIZING_RUNS).med;
		spreads[i] = high_of(v, SIZING_RUNS) - v[SIZING_RUNS / 10];
		waver |= wavers(v, SIZING_RUNS);
	}
	stats_of(medians, SIZING_LENGTHS);
	stats_of(spreads, SIZING_LENGTHS);
	gap = gap_of(medians, SIZING_LENGTHS);
	step = high_of(spreads, SIZING_LENGTHS);
	if (gap > step)
		step = gap;
	if (!gap) /* the longest code took no step more than the empty one, or one step */
		step = SIZING_STEP_MAX;
	return (struct sizing){
		.step = limited(step, 1, SIZING_STEP_MAX),
		.exact = step == 1 && !waver && high_of(spreads, SIZING_LENGTHS) == 0,
	};
}

uint32_t sizing_error(const struct sizing *s)
{
	return s->exact ? 0 : BRACKETS * s->step;
}

uint32_t sizing_ticks(const struct sizing *s)
{
	return s->exact ? TICKS_EXACT : DIGITS * sizing_error(s);
}

uint32_t sizing_rounds(const struct sizing *s, uint64_t one, uint64_t many, uint32_t rounds)
{
	uint64_t more = many > one ? many - one : 1;

	return limited((uint64_t)sizing_ticks(s) * (rounds - 1) / more + 1, 1, SIZING_ROUNDS_MAX);
}

uint64_t sizing_unit(int64_t value, uint64_t bound)
{
	uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	uint64_t unit = 1;

	while (unit < bound && unit * 10 <= v)
		unit *= 10;
	return unit;
}

int64_t sizing_digits(int64_t value, uint64_t bound)
{
	uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	uint64_t unit = sizing_unit(value, bound);

	v = (v + unit / 2) / unit * unit;
	return value < 0 ? -(int64_t)v : (int64_t)v;
}
