/*
 * The arithmetic of clocks, without the hardware: measures a rate against a counter that may read
 * wrongly or stand still, and chooses among several figures.
 */
#ifndef KERNEL_CHIPSET_CLOCK_RATE_H
#define KERNEL_CHIPSET_CLOCK_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/cpu.h"

/* A clock and the TSC at one moment. */
struct clock_reading {
	uint64_t tsc;
	uint32_t ticks;
};

struct clock_source {
	const char *name;
	uint64_t hz;     /* nominal */
	uint32_t mask;   /* bits that count */
	bool down;       /* counts down */
	uintptr_t where; /* for `read`: port or linear address */
	struct clock_reading (*read)(const struct clock_source *s);
	void (*wait)(void); /* a moment between two readings, far shorter than `mask` ticks */
};

/* tsc_hz 0: unknown, for `reason`. min, max and rounds are 0 for a figure from CPUID. */
struct clock_figure {
	const char *name;
	uint64_t clock_hz; /* of the reference clock; 0: the figure is from CPUID */
	uint64_t tsc_hz, min, max;
	unsigned rounds;
	const char *reason;
	bool weak; /* sometimes reads wrongly: a single other clock that disagrees is right */
};

/*
 * Ticks of the TSC per second against `s`: the median of up to three rounds of 2 ms, two if they
 * agree within 0.2 %. Gives up after a bounded number of readings.
 */
struct clock_figure clock_measure(const struct clock_source *s);

/*
 * Leaf 15H: crystal * EBX / EAX, in Hz. If the leaf lacks the crystal's rate, a table has it for a
 * few models; else 0.
 */
uint64_t clock_cpuid15_hz(const struct cpu *c, struct cpuid_regs leaf15);

/* Do the rates differ by more than 1 %? */
bool clock_disagree(uint64_t a_hz, uint64_t b_hz);

/* The reason why the time stamp counter of this CPU is unreliable; NULL: none. */
const char *clock_tsc_defect(const struct cpu *c);

/*
 * Index of the figure with which most others agree, the first of several such figures; -1 if none
 * is known. A weak figure that no other confirms loses against any figure that is not weak.
 */
int clock_choose(const struct clock_figure *f, unsigned n);

#endif
