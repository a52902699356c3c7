/*
 * Stands in for kernel/cpu/x86.h in host tests of drivers: the instructions reach the fake machine
 * of tests/unit/support/fake_machine.c. Chosen by `-iquote tests/shim` before the root of the tree.
 */
#ifndef TESTS_UNIT_SUPPORT_SHIM_KERNEL_CPU_X86_H
#define TESTS_UNIT_SUPPORT_SHIM_KERNEL_CPU_X86_H

#include <stdint.h>

#include "tests/unit/support/fake_machine.h"

struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

/* Of the tests that need it. */
struct cpuid_regs fake_cpuid(uint32_t leaf, uint32_t subleaf);

static inline struct cpuid_regs x86_cpuid(uint32_t leaf, uint32_t subleaf)
{
	return fake_cpuid(leaf, subleaf);
}

static inline uint8_t x86_inb(uint16_t port)
{
	return fake_in(port);
}

static inline uint32_t x86_inl(uint16_t port)
{
	return fake_in32(port);
}

static inline void x86_outl(uint16_t port, uint32_t v)
{
	fake_out32(port, v);
}

static inline uint16_t x86_inw(uint16_t port)
{
	return fake_in16(port);
}

static inline void x86_outw(uint16_t port, uint16_t v)
{
	fake_out16(port, v);
}

static inline uintptr_t x86_flags(void)
{
	return 2;
}

static inline unsigned long x86_cr4(void)
{
	return fake.cr4;
}

static inline void x86_cli(void)
{
}

static inline void x86_sti(void)
{
	if (fake.sti)
		fake.sti();
}

static inline void x86_outb(uint16_t port, uint8_t v)
{
	fake_out(port, v);
}

static inline uint64_t x86_rdtsc(void)
{
	return fake.tsc;
}

static inline void x86_pause(void)
{
}

static inline void x86_fence(void)
{
	fake.apic.fenced = true;
}

#endif
