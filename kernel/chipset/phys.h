/*
 * Physical memory and memory-mapped registers, by address. The low 4 GiB are mapped onto
 * themselves, so such an address is a pointer; kernel/chipset/ioremap.h maps all other addresses.
 * phys_ptr() hides the constant from the compiler, which takes a small address such as the BIOS
 * data area at 400h for a null pointer.
 */
#ifndef KERNEL_CHIPSET_PHYS_H
#define KERNEL_CHIPSET_PHYS_H

#include <stdint.h>

#define PHYS_LIMIT 0x100000000ull /* first physical address that is not mapped onto itself */

static inline volatile void *phys_ptr(uintptr_t address)
{
	asm("" : "+r"(address));
	return (volatile void *)address;
}

static inline uint8_t phys_read8(uintptr_t address)
{
	return *(volatile uint8_t *)phys_ptr(address);
}

static inline uint16_t phys_read16(uintptr_t address)
{
	return *(volatile uint16_t *)phys_ptr(address);
}

static inline uint32_t phys_read32(uintptr_t address)
{
	return *(volatile uint32_t *)phys_ptr(address);
}

static inline void phys_write8(uintptr_t address, uint8_t v)
{
	*(volatile uint8_t *)phys_ptr(address) = v;
}

static inline void phys_write16(uintptr_t address, uint16_t v)
{
	*(volatile uint16_t *)phys_ptr(address) = v;
}

static inline void phys_write32(uintptr_t address, uint32_t v)
{
	*(volatile uint32_t *)phys_ptr(address) = v;
}

#endif
