/*
 * The length of a run whose time has three digits, and the number of digits of a time.
 *
 * A reading of the time stamp counter (TSC) tells two moments apart only if the TSC advanced
 * between them. The TSC advances by 1 tick on some CPUs. Where it multiplies a slow clock it
 * advances by tens of ticks; with a factor that is no whole number by 24 and 25 in turn, for
 * example. The reading of a bracket is then off by up to that step. bench/engine/engine.c takes the
 * readings.
 */
#ifndef BENCH_ENGINE_SIZING_H
#define BENCH_ENGINE_SIZING_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SIZING_LENGTHS = 64,  /* brackets around 0, 1, 2 ... dependent ADDs */
	SIZING_RUNS = 12,     /* readings of each */
	SIZING_STEP_MAX = 64, /* ticks; stands for a step that could not be found */
};

/* The error of a reading of a bracket. */
struct sizing {
	uint32_t step; /* ticks by which a reading may be off, 1 to SIZING_STEP_MAX */
	bool exact;    /* readings have no error: the TSC keeps step with the core's clock */
};

/*
 * Finds both numbers from readings of brackets around n dependent ADDs, readings[n][] in any order,
 * and sorts each row. The step is the larger of two numbers: the distance between readings of the
 * same code, and the distance between readings of different codes where the next longer code never
 * reads a number between them. Only the second number shows the step where every run starts at the
 * same moment of the step. Neither is a single worst case, which may have an outside cause.
 */
struct sizing sizing_of(uint64_t readings[SIZING_LENGTHS][SIZING_RUNS]);

/* The largest error of the difference of two brackets, in ticks; 0 if readings are exact. */
uint32_t sizing_error(const struct sizing *s);

/* Ticks that a run should take, so that sizing_error() is at most a thousandth of it. */
uint32_t sizing_ticks(const struct sizing *s);

/*
 * Rounds of a loop that take sizing_ticks(), 1 to SIZING_ROUNDS_MAX. One round takes `one` ticks,
 * `rounds` rounds (above 1) take `many`.
 */
enum { SIZING_ROUNDS_MAX = 65536 };
uint32_t sizing_rounds(const struct sizing *s, uint64_t one, uint64_t many, uint32_t rounds);

/*
 * The place of the last valid digit of a value with an error of at most `bound`: the smallest power
 * of ten that is not below `bound`, but no higher than the place of the value's first digit.
 */
uint64_t sizing_unit(int64_t value, uint64_t bound);

/* The value rounded to that place, halves away from zero. */
int64_t sizing_digits(int64_t value, uint64_t bound);

#endif
