/*
 * Memory type range registers that must be the same on all CPUs (SDM volume 3, "MTRR Considerations
 * in MP Systems"). Some BIOSes set only the MTRRs of the first CPU (Linux, help of the option
 * MTRR). The other CPUs then work without caches.
 */
#ifndef KERNEL_CPU_MTRR_H
#define KERNEL_CPU_MTRR_H

#include <stdint.h>

#include "kernel/cpu/cpu.h"

struct mtrr_difference {
	uint32_t msr;        /* the first register that differs; 0: there is none */
	uint64_t value;      /* on the CPU of mtrr_compare(); 0 if it lacks the register */
	uint64_t boot_value; /* on the boot CPU */
};

/* On the boot CPU: reads all MTRRs. */
void mtrr_learn(const struct cpu *cpu);

/* On any other CPU: compares its MTRRs with those of the boot CPU. */
struct mtrr_difference mtrr_compare(void);

#endif
