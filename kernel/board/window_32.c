/*
 * Physical memory as the 32-bit kernel sees it: no paging, so an address is a pointer.
 */
#include "kernel/board/phys.h"
#include "kernel/board/window.h"

uintptr_t window_map(uint64_t address, uint64_t size, enum window_kind kind)
{
	(void)kind;
	if (address >= PHYS_LIMIT || size > PHYS_LIMIT - address)
		return 0;
	return (uintptr_t)address;
}

uintptr_t window_entry(void)
{
	return 0;
}
