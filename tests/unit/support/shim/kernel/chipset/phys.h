/*
 * Stands in for kernel/chipset/phys.h in host tests of drivers: physical addresses reach the fake
 * machine.
 */
#ifndef TESTS_UNIT_SUPPORT_SHIM_KERNEL_CHIPSET_PHYS_H
#define TESTS_UNIT_SUPPORT_SHIM_KERNEL_CHIPSET_PHYS_H

#include <stdint.h>

#include "tests/unit/support/fake_machine.h"

#define PHYS_LIMIT 0x100000000ull

static inline volatile void *phys_ptr(uintptr_t address)
{
	return fake_ptr(address);
}

static inline uint8_t phys_read8(uintptr_t address)
{
	return (uint8_t)fake_read(address, 1);
}

static inline uint16_t phys_read16(uintptr_t address)
{
	return (uint16_t)fake_read(address, 2);
}

static inline uint32_t phys_read32(uintptr_t address)
{
	return fake_read(address, 4);
}

static inline void phys_write8(uintptr_t address, uint8_t v)
{
	fake_write(address, 1, v);
}

static inline void phys_write16(uintptr_t address, uint16_t v)
{
	fake_write(address, 2, v);
}

static inline void phys_write32(uintptr_t address, uint32_t v)
{
	fake_write(address, 4, v);
}

#endif
