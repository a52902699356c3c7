/*
 * Physical memory as the 32-bit kernel sees it: no paging, so an address is a pointer.
 */
#include "kernel/chipset/phys.h"
#include "kernel/chipset/ioremap.h"

uintptr_t ioremap(uint64_t address, uint64_t size, enum ioremap_kind kind)
{
	(void)kind;
	if (address >= PHYS_LIMIT || size > PHYS_LIMIT - address)
		return 0;
	return (uintptr_t)address;
}

uintptr_t ioremap_entry(void)
{
	return 0;
}

void ioremap_memory(uint64_t base, uint64_t size, void *tables)
{
	(void)base;
	(void)size;
	(void)tables;
}

size_t ioremap_memory_tables(uint64_t base, uint64_t size)
{
	(void)base;
	(void)size;
	return 0;
}

uint64_t ioremap_memory_limit(void)
{
	return PHYS_LIMIT;
}
