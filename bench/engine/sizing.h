/*
 * How long a run must be for its time to have three digits, and how many digits a time has.
 *
 * A reading of the time stamp counter (TSC) tells two moments apart only if the TSC advanced
 * between them. It advances by 1 tick on some CPUs, and by tens of ticks where a slow clock is
 * multiplied up: by 24 or 25 in turn, for example, where the factor is not a whole number. What
 * a bracket reads is then off by up to that step. Everything here is arithmetic on readings;
 * bench/engine/engine.c takes them.
 */
#ifndef BENCH_ENGINE_SIZING_H
#define BENCH_ENGINE_SIZING_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SIZING_LENGTHS = 64,  /* brackets around 0, 1, 2 ... dependent ADDs */
	SIZING_RUNS = 12,     /* readings of each */
	SIZING_STEP_MAX = 64, /* ticks; a step that could not be found is taken for this */
};

/* What a reading of a bracket is worth. */
struct sizing {
	uint32_t step; /* ticks by which a reading may be off, 1 to SIZING_STEP_MAX */
	bool exact;    /* it is not off at all: the TSC keeps step with the core's clock */
};

/*
 * Finds both from readings[n][]: what a bracket around n dependent ADDs read, in any order. The
 * rows are sorted. The step is the larger of two numbers: how far apart readings of the same code
 * lie, and how far apart the readings of different codes lie where the next longer code never reads
 * a number between them. The second is all there is to see where every run starts at the same
 * moment of the step. Neither is a single worst case: those may come from outside.
 */
struct sizing sizing_of(uint64_t readings[SIZING_LENGTHS][SIZING_RUNS]);

/* Ticks by which the difference of two brackets may be off; 0 if readings are exact. */
uint32_t sizing_error(const struct sizing *s);

/* Ticks that a run should take, so that sizing_error() is at most a thousandth of it. */
uint32_t sizing_ticks(const struct sizing *s);

/*
 * Rounds of a loop that take sizing_ticks(), 1 to SIZING_ROUNDS_MAX, when `one` round read `one`
 * ticks and `rounds` (above 1) of them read `many`.
 */
enum { SIZING_ROUNDS_MAX = 65536 };
uint32_t sizing_rounds(const struct sizing *s, uint64_t one, uint64_t many, uint32_t rounds);

/*
 * The place of the last digit that a value has which is at most `bound` off: the smallest power of
 * ten that is not below `bound`, but no higher than the place of the value's first digit.
 */
uint64_t sizing_unit(int64_t value, uint64_t bound);

/* The value rounded to that place, halves away from zero. */
int64_t sizing_digits(int64_t value, uint64_t bound);

#endif
