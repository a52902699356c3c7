/*
 * LFENCE as a fence for all instructions (kernel/cpu/fence.h).
 * Sources: SDM volume 3A, "Serializing Instructions"; APM volume 3, LFENCE.
 */
#include "kernel/cpu/fence.h"
#include "kernel/cpu/msr.h"

/*
 * AMD: LFENCE waits for everything older once this bit is set, as kernel/cpu/conditions.c does.
 * Families 0FH and 11H do not have the bit: LFENCE waits there. In a KVM guest the register reads
 * 0, though the host has set the bit in the core (Linux, init_amd() and svm_get_msr()).
 */
enum { MSR_DE_CFG = 0xc0011029, DE_CFG_LFENCE_SERIALIZE = 1 << 1 };

enum { FEW = 8, MANY = 1024, TRIES = 32 };

static bool found;

static bool amd_lfence(const struct cpu *cpu)
{
	uint64_t v;

	return cpu_has(cpu, CPU_LFENCE_SERIALIZING) || cpu->family == 0xf || cpu->family == 0x11 ||
	       (cpu->family >= 0x10 && msr_read(MSR_DE_CFG, &v) && v & DE_CFG_LFENCE_SERIALIZE);
}

static bool promised(const struct cpu *cpu)
{
	if (cpu->vendor == VENDOR_AMD || cpu->vendor == VENDOR_HYGON)
		return amd_lfence(cpu);
	/* SDM 3A 9.3 promises it for LFENCE; NetBurst keeps the older, unconditional way. */
	return cpu_is_p6_line(cpu);
}

/* A quotient of 7/6 and a dividend that stays far from denormal numbers for 1024 divisions. */
static void load_numbers(void)
{
	asm volatile("cvtsi2sd	%0, %%xmm0\n\t"
	             "cvtsi2sd	%1, %%xmm1\n\t"
	             "divsd	%%xmm0, %%xmm1"
	             :
	             : "r"(6), "r"(7));
}

/* Ticks from before `work` to behind the LFENCE after it. */
#define TICKS_OF(name, work)                                    \
	static uint64_t name(void)                              \
	{                                                       \
		uint64_t start;                                 \
                                                                \
		load_numbers();                                 \
		asm volatile("lfence");                         \
		start = x86_rdtsc();                            \
		asm volatile(work "\n\tlfence" : : : "memory"); \
		return x86_rdtsc() - start;                     \
	}

TICKS_OF(behind_8, ".rept 8\n\tdivsd	%%xmm1, %%xmm0\n\t.endr")
TICKS_OF(behind_16, ".rept 16\n\tdivsd	%%xmm1, %%xmm0\n\t.endr")

static uint64_t all_1024(void)
{
	uint64_t start;

	load_numbers();
	start = x86_rdtsc();
	for (unsigned i = 0; i < MANY / FEW; i++)
		asm volatile(".rept 8\n\tdivsd	%%xmm1, %%xmm0\n\t.endr" : : : "memory");
	return x86_rdtsc() - start;
}

static uint64_t fastest(uint64_t (*of)(void))
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t ticks = of();

		least = ticks < least ? ticks : least;
	}
	return least;
}

bool fence_has_waited(uint64_t ticks_8, uint64_t ticks_16, uint64_t ticks_1024)
{
	return ticks_16 > ticks_8 && (ticks_16 - ticks_8) * (MANY / FEW) * 4 >= ticks_1024 * 3;
}

void fence_find(const struct cpu *c)
{
	found = cpu_has(c, CPU_SSE2) && cpu_is_guest(c) && !promised(c) &&
	        fence_has_waited(fastest(behind_8), fastest(behind_16), fastest(all_1024));
}

bool fence_lfence_waits(const struct cpu *c)
{
	return cpu_has(c, CPU_SSE2) && (found || promised(c));
}
