/*
 * Guarded accesses (kernel/cpu/msr.h): one instruction, and a row in the exception table.
 *
 * A fault resumes behind the instruction that would have cleared `bad`; it leaves EDX:EAX as they
 * were, so a register that cannot be read gives 0.
 */
#include "kernel/cpu/msr.h"
#include "kernel/cpu/extable.h"

#define GUARDED_READ(insn)                                    \
	asm volatile("1:	" insn "\n"                   \
	             "	xorl	%[bad], %[bad]\n"                 \
	             "2:\n" EXTABLE("1b", "2b")               \
	             : "+a"(low), "+d"(high), [bad] "+r"(bad) \
	             : "c"(index)                             \
	             : "memory", "cc")

bool msr_read(uint32_t index, uint64_t *value)
{
	uint32_t low = 0, high = 0, bad = 1;

	GUARDED_READ("rdmsr");
	*value = (uint64_t)high << 32 | low;
	return !bad;
}

bool pmc_read(uint32_t index, uint64_t *value)
{
	uint32_t low = 0, high = 0, bad = 1;

	GUARDED_READ("rdpmc");
	*value = (uint64_t)high << 32 | low;
	return !bad;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	uint32_t bad = 1;

	asm volatile("1:	wrmsr\n"
	             "	xorl	%[bad], %[bad]\n"
	             "2:\n" EXTABLE("1b", "2b")
	             : [bad] "+r"(bad)
	             : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
	             : "memory", "cc");
	return !bad;
}
