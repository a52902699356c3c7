/*
 * The information of the boot loader, Multiboot 1 (0.6.96) or Multiboot 2 (2.0), in one form.
 *
 * The information block may lie anywhere, may be garbage, and must not be overwritten:
 * bootinfo_parse() only reads it, checks every length, and copies the parts that it keeps. It calls
 * `complain` for each of the first 16 wrong parts, and still uses the others.
 */
#ifndef KERNEL_CHIPSET_BOOTINFO_H
#define KERNEL_CHIPSET_BOOTINFO_H

#include <stdbool.h>
#include <stdint.h>

enum {
	BOOT_REGIONS = 128, /* memory map entries kept */
	BOOT_MODULES = 16,
	BOOT_CMDLINE = 4096, /* bytes with the final 0; a longer line is an error and is cut */
};

/* Region types as Multiboot numbers them (E820 types). */
enum { REGION_FREE = 1, REGION_RESERVED = 2, REGION_ACPI = 3, REGION_NVS = 4, REGION_BAD = 5 };

struct boot_region {
	uint64_t base, size; /* bytes */
	uint32_t type;       /* REGION_*; a type that is none of these becomes REGION_RESERVED */
};

struct boot_module {
	uint64_t start, end; /* physical, end exclusive */
	char name[64];       /* its command line, cut to fit */
};

/* FB_REFUSED: bootinfo_check() found memory in use at its address. */
enum boot_fb { FB_NONE, FB_TEXT, FB_RGB, FB_OTHER, FB_REFUSED };

struct bootinfo {
	const char *protocol; /* "multiboot1", "multiboot2", "unknown" */
	uint32_t magic;       /* EAX at entry */
	char loader[64];      /* name the loader gives itself, "" if none */
	char cmdline[BOOT_CMDLINE];
	unsigned nregions;
	struct boot_region regions[BOOT_REGIONS]; /* as given: unsorted, may overlap */
	uint32_t mem_lower_kb, mem_upper_kb;      /* the old two numbers, 0 if not given */
	unsigned nmodules;
	struct boot_module modules[BOOT_MODULES];
	struct {
		enum boot_fb kind;
		uint64_t addr;
		uint32_t pitch, width, height; /* bytes, pixels (characters for FB_TEXT) */
		uint8_t bpp;
		uint8_t red_pos, red_size, green_pos, green_size, blue_pos, blue_size;
	} fb;
	uint64_t rsdp; /* physical address of a copy of the ACPI RSDP, 0 if none */
	uint32_t info_start,
		info_end; /* the block itself, physical, so that nothing is put on it */
	bool has_drive;   /* the loader names the boot disk: */
	uint8_t drive;    /* its BIOS number (INT 13h); 80h is the first hard disk */
	uint64_t efi_table, efi_image; /* UEFI: system table, GRUB's image; 0: not told */
	uint8_t efi_bits;              /* width of that UEFI: 32, 64; 0: not told */
	bool efi_kept;                 /* the loader says that boot services have not ended */
	bool efi; /* booted through UEFI (an EFI system table was handed over) */
	uint64_t kernel_start, kernel_end; /* of bootinfo_check(); end exclusive, 0: not yet told */
};

/*
 * Fills *bi from the registers at entry: magic (EAX) and info (EBX, physical, read through
 * `base`: the address at which physical address 0 is visible, 0 in the kernel). `limit` is the
 * number of bytes readable from there. complain(what, why) is called for the first 16 defects.
 * Returns false if nothing could be used (unknown magic or unreadable block).
 */
bool bootinfo_parse(struct bootinfo *bi, uint32_t magic, uint32_t info, const void *base,
                    uint64_t limit, void (*complain)(const char *what, const char *why));

/*
 * Refuses wrong addresses. A linear framebuffer inside the kernel, the boot information, a module
 * or the machine's RAM gets the kind FB_REFUSED. A module that overlaps the kernel is removed from
 * the list. complain(what, why) names each. kernel_end is exclusive.
 */
void bootinfo_check(struct bootinfo *bi, uint64_t kernel_start, uint64_t kernel_end,
                    void (*complain)(const char *what, const char *why));

/*
 * The reason why [address, address + size) is no device: it lies in the kernel, the boot
 * information, a module, RAM by the memory map, or below A0000h. NULL: none of these.
 */
const char *bootinfo_in_use(const struct bootinfo *bi, uint64_t address, uint64_t size);

/*
 * The reason why the kernel may not write to physical memory from `start` to `end` (exclusive): no
 * free entry of the memory map holds all of it, or a module of the loader lies there. NULL: it may.
 * The information block may be overwritten, because the kernel has copied it.
 */
const char *bootinfo_taken(const struct bootinfo *bi, uint64_t start, uint64_t end);

#endif
