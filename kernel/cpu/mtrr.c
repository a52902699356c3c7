/*
 * Memory types on several CPUs (kernel/cpu/mtrr.h).
 */
#include "kernel/cpu/mtrr.h"
#include "kernel/cpu/msr.h"

enum {
	MSR_MTRRCAP = 0xfe,
	MSR_PHYSBASE0 = 0x200, /* a base and a mask for each variable range */
	MSR_DEF_TYPE = 0x2ff,
	CAP_RANGES = 0xff, /* number of variable ranges */
	CAP_FIXED = 1 << 8,
	RANGES_MOST = 32, /* what fits below the first of the next registers */
	FIXED = 11,
};

static const uint16_t fixed[FIXED] = { 0x250, 0x258, 0x259, 0x268, 0x269, 0x26a,
	                               0x26b, 0x26c, 0x26d, 0x26e, 0x26f };

static struct {
	unsigned n;
	uint32_t msr[2 + FIXED + 2 * RANGES_MOST];
	uint64_t value[2 + FIXED + 2 * RANGES_MOST];
} boot;

static void learn(uint32_t msr)
{
	if (!msr_read(msr, &boot.value[boot.n]))
		return;
	boot.msr[boot.n++] = msr;
}

void mtrr_learn(const struct cpu *cpu)
{
	uint64_t cap;

	boot.n = 0;
	if (!cpu_has(cpu, CPU_MTRR) || !msr_read(MSR_MTRRCAP, &cap))
		return;
	learn(MSR_MTRRCAP);
	learn(MSR_DEF_TYPE);
	for (unsigned i = 0; cap & CAP_FIXED && i < FIXED; i++)
		learn(fixed[i]);
	for (uint32_t i = 0; i < 2 * (cap & CAP_RANGES) && i < 2 * RANGES_MOST; i++)
		learn(MSR_PHYSBASE0 + i);
}

struct mtrr_difference mtrr_compare(void)
{
	for (unsigned i = 0; i < boot.n; i++) {
		uint64_t v = 0;

		if (!msr_read(boot.msr[i], &v) || v != boot.value[i])
			return (struct mtrr_difference){ boot.msr[i], v, boot.value[i] };
	}
	return (struct mtrr_difference){ 0 };
}
