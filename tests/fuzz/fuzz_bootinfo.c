/*
 * Boot information as a loader might leave it: the input is all of memory, and its first byte says
 * which version it claims to be.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/chipset/bootinfo.h"

enum { MB1 = 0x2badb002, MB2 = 0x36d76289, INFO = 8, COMPLAINTS = 64 };

static unsigned complaints;

static void complain(const char *what, const char *why)
{
	if (!what || !why || ++complaints > COMPLAINTS)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bootinfo bi;
	uint8_t *memory = malloc(size + 1);

	memcpy(memory, data, size);
	complaints = 0;
	bootinfo_parse(&bi, size && data[0] & 1 ? MB1 : MB2, INFO, memory, size, complain);
	bootinfo_check(&bi, 0x100000, 0x200000, complain);
	if (bi.nregions > BOOT_REGIONS || bi.nmodules > BOOT_MODULES)
		abort();
	if (strnlen(bi.cmdline, BOOT_CMDLINE) == BOOT_CMDLINE)
		abort();
	free(memory);
	return 0;
}
