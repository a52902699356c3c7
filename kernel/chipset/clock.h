/*
 * The rate of the time stamp counter. CPUID leaves 15H and 16H tell it, and in a guest the
 * hypervisor's leaves or KVM's clock. It is also measured against every independent clock that
 * exists (8254 PIT channel 2, ACPI PM timer, HPET). Each figure is a `clock` record. A figure that
 * differs by more than 1 % from the figure in use gives a `warn`.
 */
#ifndef KERNEL_CHIPSET_CLOCK_H
#define KERNEL_CHIPSET_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/chipset/acpi.h"
#include "kernel/cpu/cpu.h"

struct clocks {
	uint64_t tsc_hz; /* the figure to use; 0: no TSC or no clock answered */
	/* "cpuid15", "hypervisor", "kvmclock", "hpet", "pmtimer", "pit", "cpuid16" or "none" */
	const char *tsc_source;
	uint64_t core_per_tsc; /* core clocks per 1000 TSC ticks, by an add chain; 0: unknown */
	uint64_t start;        /* TSC at clock_init() */
};

/* Measures and prints the `clock` records. Never hangs: a stopped clock is given up. */
void clock_init(struct clocks *ck, const struct cpu *cpu, const struct acpi *acpi);

/* TSC ticks since clock_init() as milliseconds; 0 while the rate is unknown. */
uint64_t clock_ms(const struct clocks *ck);

#endif
