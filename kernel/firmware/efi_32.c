/*
 * The 32-bit kernel does not call UEFI (kernel/firmware/efi.h).
 */
#include "kernel/firmware/efi.h"

bool efi_alive(void)
{
	return false;
}

void efi_memory(struct bootinfo *bi)
{
	(void)bi;
}

const char *efi_open(uint32_t *sectors)
{
	*sectors = 0;
	return "the 32-bit kernel does not call UEFI";
}

const char *efi_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	(void)write;
	(void)first;
	(void)count;
	(void)data;
	return "the 32-bit kernel does not call UEFI";
}

uint16_t efi_key(void)
{
	return 0;
}
