/*
 * The instruction CPUID: whether the CPU has it, and its leaves.
 * Source: SDM volume 2A "CPUID".
 */
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/internal.h"

#define FLAGS_ID (1ul << 21) /* can be changed if there is CPUID */

bool cpu_has_cpuid(void)
{
	unsigned long before, after;

	asm volatile("pushf\n\t"
	             "pop	%0\n\t"
	             "mov	%0, %1\n\t"
	             "xor	%2, %1\n\t"
	             "push	%1\n\t"
	             "popf\n\t"
	             "pushf\n\t"
	             "pop	%1\n\t"
	             "push	%0\n\t"
	             "popf"
	             : "=&r"(before), "=&r"(after)
	             : "ri"(FLAGS_ID)
	             : "cc", "memory");
	return (before ^ after) & FLAGS_ID;
}

struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	uint32_t max = leaf & 0x80000000 ? c->max_ext : c->max_leaf;

	if (leaf > max)
		return (struct cpuid_regs){ 0, 0, 0, 0 };
	return cpuid(leaf, subleaf);
}
