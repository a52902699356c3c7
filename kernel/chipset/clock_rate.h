/*
 * The arithmetic of clocks, apart from the hardware: how a rate is measured against a counter
 * that may lie or stand still, and which of several figures to believe.
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

/* tsc_hz 0: unknown, and `reason` says why. min, max and rounds are 0 for a figure from CPUID. */
struct clock_figure {
	const char *name;
	uint64_t clock_hz; /* of the clock it was measured against, 0: told by CPUID */
	uint64_t tsc_hz, min, max;
	unsigned rounds;
	const char *reason;
	bool weak; /* known to read wrong now and then: one other clock that disagrees is right */
};

/*
 * Ticks of the TSC per second against `s`: the median of up to three rounds of 2 ms, two if they
 * agree within 0.2 %. Gives up after a bounded number of readings.
 */
struct clock_figure clock_measure(const struct clock_source *s);

/*
 * Leaf 15H: crystal * EBX / EAX. Where the crystal is not told it is known by model for a few
 * CPUs; else 0.
 */
uint64_t clock_cpuid15_hz(const struct cpu *c, struct cpuid_regs leaf15);

/* More than 1 % apart. */
bool clock_disagree(uint64_t a_hz, uint64_t b_hz);

/* NULL, or why the time stamp counter of this CPU is not to be trusted. */
const char *clock_tsc_defect(const struct cpu *c);

/*
 * Index of the figure that most others agree with, the first of them if several do; -1 if none
 * is known. A weak figure without a confirmation loses against any that is not weak.
 */
int clock_choose(const struct clock_figure *f, unsigned n);

#endif
