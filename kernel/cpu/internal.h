/*
 * How the parts of CPU identification share the work: cpu.c calls each once, in this order, on a
 * struct cpu whose earlier parts are filled. Private to kernel/cpu/.
 */
#ifndef KERNEL_CPU_INTERNAL_H
#define KERNEL_CPU_INTERNAL_H

#include "kernel/cpu/cpu.h"

/*
 * CPUID, or zeros for a leaf above the CPU's highest: for such a leaf Intel CPUs return the highest
 * basic leaf instead.
 */
struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf);

/* Bits hi..lo of v. */
static inline uint32_t cpu_bits(uint32_t v, unsigned hi, unsigned lo)
{
	return v >> lo & (0xffffffffu >> (31 - (hi - lo)));
}

/* Four characters of a text of CPUID. */
static inline void cpu_put32(char *to, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (char)(v >> 8 * i);
}

void cpu_find_features(struct cpu *c, cpuid_fn cpuid);
void cpu_find_caches(struct cpu *c, cpuid_fn cpuid);
void cpu_find_tlbs(struct cpu *c, cpuid_fn cpuid);
void cpu_find_topology(struct cpu *c, cpuid_fn cpuid);
void cpu_find_pmu(struct cpu *c, cpuid_fn cpuid);

#endif
