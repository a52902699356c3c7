/*
 * The names of the machine in the firmware's SMBIOS tables (DMTF DSP0134). Serial numbers and UUIDs
 * are not read.
 */
#ifndef KERNEL_CHIPSET_SMBIOS_H
#define KERNEL_CHIPSET_SMBIOS_H

#include <stdbool.h>
#include <stdint.h>

enum { SMBIOS_NAME = 65 };

enum smbios_name {
	SMBIOS_BIOS_VENDOR,
	SMBIOS_BIOS_VERSION,
	SMBIOS_BIOS_DATE,
	SMBIOS_SYSTEM_MAKER,
	SMBIOS_SYSTEM_PRODUCT,
	SMBIOS_SYSTEM_VERSION,
	SMBIOS_BOARD_MAKER,
	SMBIOS_BOARD_PRODUCT,
	SMBIOS_BOARD_VERSION,
	SMBIOS_NAMES
};

struct smbios {
	bool present;
	char name[SMBIOS_NAMES][SMBIOS_NAME]; /* printable ASCII; "": not told */
};

/*
 * Fills *s. `efi_table`: the system table of a UEFI with pointers of `efi_bits`, 0: none. The entry
 * point is searched for in the configuration table of the UEFI, or without a UEFI from F0000h to
 * FFFFFh. `base` and `limit`: the place of visible physical memory, as in bootinfo_parse().
 * complain(what, why) is called for bad tables, but not if there are none. At most 64 KiB and 1024
 * structures are read.
 */
void smbios_parse(struct smbios *s, uint64_t efi_table, unsigned efi_bits, const void *base,
                  uint64_t limit, void (*complain)(const char *what, const char *why));

#endif
