/*
 * UEFI and the 64-bit kernel. start_efi in boot/efi_64.S finds everything in the registers.
 */
#include <stddef.h>

#include "kernel/cpu/x86.h"
#include "kernel/firmware/efi_internal.h"

#define CR4_LA57 (1ul << 12)

const char *efi_obstacle(void)
{
	return x86_cr4() & CR4_LA57
	               ? "UEFI is ended and nothing is saved: it uses five levels of paging"
	               : NULL;
}
