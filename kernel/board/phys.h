/*
 * Physical memory and memory-mapped registers, by address. Everything the kernel touches is
 * identity-mapped below 4 GiB, so an address is a pointer; the compiler must only not know it,
 * because it takes small constants such as the BIOS data area at 400h for null-pointer mistakes.
 */
#ifndef KERNEL_PHYS_H
#define KERNEL_PHYS_H

#include <stdint.h>

#define PHYS_LIMIT 0x100000000ull /* first physical address that is not mapped */

static inline volatile void *phys_ptr(uint32_t address)
{
	uintptr_t p = address;

	asm("" : "+r"(p));
	return (volatile void *)p;
}

static inline uint8_t phys_read8(uint32_t address)
{
	return *(volatile uint8_t *)phys_ptr(address);
}

static inline uint16_t phys_read16(uint32_t address)
{
	return *(volatile uint16_t *)phys_ptr(address);
}

static inline uint32_t phys_read32(uint32_t address)
{
	return *(volatile uint32_t *)phys_ptr(address);
}

static inline void phys_write8(uint32_t address, uint8_t v)
{
	*(volatile uint8_t *)phys_ptr(address) = v;
}

static inline void phys_write16(uint32_t address, uint16_t v)
{
	*(volatile uint16_t *)phys_ptr(address) = v;
}

static inline void phys_write32(uint32_t address, uint32_t v)
{
	*(volatile uint32_t *)phys_ptr(address) = v;
}

#endif
