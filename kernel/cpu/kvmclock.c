/*
 * The rate of KVM's clock (kernel/cpu/kvmclock.h).
 * Sources: Linux, Documentation/virt/kvm/x86/msr.rst (MSR_KVM_SYSTEM_TIME_NEW), cpuid.rst
 * (KVM_FEATURE_CLOCKSOURCE2), arch/x86/include/asm/pvclock-abi.h.
 */
#include "kernel/cpu/kvmclock.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"

enum { MSR_SYSTEM_TIME = 0x4b564d01, ENABLED = 1, FEATURE_CLOCKSOURCE2 = 1 << 3 };
enum { LEAST_SHIFT = -10, MOST_SHIFT = 10 }; /* rates of 1 MHz to 1 THz */

struct time_page {
	uint32_t version; /* odd while the host writes */
	uint32_t unused;
	uint64_t tsc, ns;
	uint32_t mul;
	int8_t shift;
	uint8_t flags, rest[2];
} __attribute__((aligned(32)));

_Static_assert(sizeof(struct time_page) == 32, "pvclock-abi.h");

uint32_t kvmclock_khz_of(uint32_t mul, int shift)
{
	uint64_t khz;

	if (!mul || shift < LEAST_SHIFT || shift > MOST_SHIFT)
		return 0;
	khz = (1000000ull << 32) / mul;
	khz = shift < 0 ? khz << -shift : khz >> shift;
	return khz > UINT32_MAX ? 0 : (uint32_t)khz;
}

uint32_t kvmclock_khz(uint32_t leaf)
{
	static volatile struct time_page page;
	uint64_t before;
	uint32_t khz = 0;

	if (!leaf || !(x86_cpuid(leaf + 1, 0).eax & FEATURE_CLOCKSOURCE2) ||
	    !msr_read(MSR_SYSTEM_TIME, &before))
		return 0;
	page.mul = 0;
	if (msr_write(MSR_SYSTEM_TIME, (uintptr_t)&page | ENABLED)) {
		khz = page.version & 1 ? 0 : kvmclock_khz_of(page.mul, page.shift);
		msr_write(MSR_SYSTEM_TIME, before);
	}
	return khz;
}
