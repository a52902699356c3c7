/*
 * UEFI from the 64-bit kernel (kernel/firmware/efi.h). Offsets are those of UEFI 2.10 for 64-bit
 * platforms: sections 4.3 (system table), 4.4 (boot services), 7.2 (memory), 9.1 (loaded image),
 * 12.3 (keys), 13.4 and 13.5 (files).
 *
 * The firmware's structures may lie above 4 GiB, where the kernel's own page tables do not reach.
 * So whatever has to be read of them is read in efi_enter(), in the firmware's own address space.
 */
#include "kernel/firmware/efi.h"
#include "kernel/args.h"
#include "kernel/board/phys.h"
#include "kernel/board/pic.h"
#include "kernel/board/quiet.h"
#include "kernel/cpu/fpu.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/string.h"

enum {
	TABLE_CONSOLE_IN = 48,
	TABLE_BOOT_SERVICES = 96,
	BOOT_ALLOCATE_PAGES = 40,
	BOOT_GET_MEMORY_MAP = 56,
	BOOT_FREE_POOL = 72,
	BOOT_HANDLE_PROTOCOL = 152,
	BOOT_EXIT = 232,
	BOOT_STALL = 248,
	BOOT_SET_WATCHDOG = 256,
	BOOT_LOCATE_HANDLES = 312,
	BY_PROTOCOL = 2,
	IMAGE_DEVICE = 24,
	VOLUME_OPEN = 8,
	FILE_OPEN = 8,
	FILE_READ = 32,
	FILE_WRITE = 40,
	FILE_GET_POSITION = 48,
	FILE_SET_POSITION = 56,
	FILE_FLUSH = 80,
	KEYS_READ = 8,
	SCAN_ESCAPE = 0x17,
	ESCAPE = 27,
	OPEN_READ_WRITE = 3,
	ALLOCATE_BELOW = 1,
	ALLOCATE_THERE = 2,
	LOADER_CODE = 1,
	LOADER_DATA = 2,
	BOOT_CODE = 3,
	BOOT_DATA = 4,
	CONVENTIONAL = 7,
	UNUSABLE = 8,
	ACPI_TABLES = 9,
	ACPI_NVS = 10,
	VOLUME_FULL = 11,
	WRITE_PROTECTED = 8,
	NO_MEDIA = 12,
	MEDIA_CHANGED = 13,
	NOT_FOUND = 14,
	ACCESS_DENIED = 15,
	MAP_SIZE = 32768,
	MEMORY_MOST = 96, /* MiB that we ask for: the arena, and what else is allocated */
	MEMORY_LEAST = 8,
	MIB_SHIFT = 20,
	PAGE_SHIFT = 12,
	SECTOR_SHIFT = 9,
	CR4_LA57 = 1 << 12,
	MSR_PAT = 0x277,
};

/* A row of the memory map; its size is what GetMemoryMap() says. */
struct descriptor {
	uint32_t type, pad;
	uint64_t start, virtual, pages, attributes;
};

struct guid {
	uint32_t a;
	uint16_t b, c;
	uint8_t d[8];
};

static struct guid image_guid = {
	0x5b1b31a1, 0x9562, 0x11d2, { 0x8e, 0x3f, 0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b }
};
static struct guid volume_guid = {
	0x964e5b22, 0x6459, 0x11d2, { 0x8e, 0x39, 0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b }
};
static uint16_t file_name[] = u"\\CPL0.LOG";

typedef uint64_t arguments[6];
typedef uint64_t(__attribute__((ms_abi)) * service)(uint64_t, uint64_t, uint64_t, uint64_t,
                                                    uint64_t, uint64_t);

/* boot/efi_64.S */
uint64_t efi_call(const void *function, const arguments a);
void efi_enter(uint32_t magic, uint32_t info);

extern const uint8_t kernel_start[], kernel_end[];

static struct {
	bool known, alive; /* we were entered with boot services; they are still there */
	uint64_t boot;     /* the boot services' table */
	uint64_t keys, read_key, stall;
	uint64_t file, read, write, set_position, flush;
	uint32_t sectors;
	const char *why; /* the file cannot be used; NULL: it can */
	uint64_t pat;
	unsigned nregions;
	struct boot_region regions[BOOT_REGIONS];
	uint64_t ours, ours_end; /* memory that was allocated for the kernel */
	size_t map_size, map_step;
	uint64_t map_key;
	uint8_t map[MAP_SIZE] __attribute__((aligned(8)));
} efi;

/* ---- In the firmware's address space ---- */

static uint64_t at(uint64_t structure, unsigned offset)
{
	return *(uint64_t *)(structure + offset);
}

static bool failed(uint64_t status)
{
	return status >> 63;
}

#define P(pointer) ((uintptr_t)(pointer))

/* Calls the service at `offset` of a structure. */
static uint64_t ask(uint64_t structure, unsigned offset, const arguments a)
{
	service f = (service)at(structure, offset);

	return f(a[0], a[1], a[2], a[3], a[4], a[5]);
}

static bool get_map(void)
{
	uint64_t size = MAP_SIZE, step = 0;
	uint32_t version;

	if (failed(ask(
		    efi.boot, BOOT_GET_MEMORY_MAP,
		    (arguments){ P(&size), P(efi.map), P(&efi.map_key), P(&step), P(&version) })) ||
	    step < sizeof(struct descriptor))
		return false;
	efi.map_size = size;
	efi.map_step = step;
	return true;
}

static const struct descriptor *row(size_t i)
{
	return (i + 1) * efi.map_step <= efi.map_size
	               ? (const struct descriptor *)(efi.map + i * efi.map_step)
	               : NULL;
}

static bool allocate(uint64_t how, uint64_t pages, uint64_t *address)
{
	return !failed(ask(efi.boot, BOOT_ALLOCATE_PAGES,
	                   (arguments){ how, LOADER_DATA, pages, P(address) }));
}

/* GRUB allocates the kernel's memory, unless the firmware itself has what lies there. */
static bool kernel_is_ours(void)
{
	uint64_t end = P(kernel_end);

	for (size_t i = 0; row(i); i++) {
		const struct descriptor *d = row(i);
		uint64_t first = d->start, last = first + (d->pages << PAGE_SHIFT);

		if (last <= P(kernel_start) || first >= end || d->type == LOADER_CODE ||
		    d->type == LOADER_DATA)
			continue;
		if (first < P(kernel_start))
			first = P(kernel_start);
		if (last > end)
			last = end;
		if (d->type != CONVENTIONAL ||
		    !allocate(ALLOCATE_THERE, (last - first + 4095) >> PAGE_SHIFT, &first))
			return false;
	}
	return true;
}

static bool take_memory(void)
{
	for (uint64_t mib = MEMORY_MOST; mib >= MEMORY_LEAST; mib /= 2) {
		uint64_t address = PHYS_LIMIT - 1;

		if (!allocate(ALLOCATE_BELOW, mib << (MIB_SHIFT - PAGE_SHIFT), &address))
			continue;
		efi.ours = address;
		efi.ours_end = address + (mib << MIB_SHIFT);
		return true;
	}
	return false;
}

static const char *reason(uint64_t status)
{
	switch (status & 0xff) {
	case WRITE_PROTECTED:
	case ACCESS_DENIED:
		return "the medium is write-protected";
	case NO_MEDIA:
	case MEDIA_CHANGED:
		return "the medium is missing or not ready";
	case NOT_FOUND:
		return "this medium has no CPL0.LOG";
	case VOLUME_FULL:
		return "the medium is full";
	}
	return "the firmware reports an error of the medium";
}

static uint64_t protocol(uint64_t handle, struct guid *guid, uint64_t *interface)
{
	return ask(efi.boot, BOOT_HANDLE_PROTOCOL, (arguments){ handle, P(guid), P(interface) });
}

static const char *open_file(uint64_t device)
{
	uint64_t volume, root, size = 0, status = protocol(device, &volume_guid, &volume);

	if (!failed(status))
		status = ask(volume, VOLUME_OPEN, (arguments){ volume, P(&root) });
	if (!failed(status))
		status = ask(root, FILE_OPEN,
		             (arguments){ root, P(&efi.file), P(file_name), OPEN_READ_WRITE });
	if (!failed(status))
		status = ask(efi.file, FILE_SET_POSITION, (arguments){ efi.file, UINT64_MAX });
	if (!failed(status))
		status = ask(efi.file, FILE_GET_POSITION, (arguments){ efi.file, P(&size) });
	if (failed(status))
		return reason(status);
	size >>= SECTOR_SHIFT;
	efi.sectors = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	efi.read = at(efi.file, FILE_READ);
	efi.write = at(efi.file, FILE_WRITE);
	efi.set_position = at(efi.file, FILE_SET_POSITION);
	efi.flush = at(efi.file, FILE_FLUSH);
	return NULL;
}

/* That of the medium from which GRUB was started. */
static const char *open_first(uint64_t image)
{
	uint64_t loaded, status = protocol(image, &image_guid, &loaded);

	return failed(status) ? reason(status) : open_file(at(loaded, IMAGE_DEVICE));
}

/*
 * A medium that was plugged in again is another device: the first one that has the file. efi_call()
 * calls this as it calls the firmware.
 */
static __attribute__((ms_abi)) uint64_t open_again(void)
{
	uint64_t n = 0, devices = 0;

	efi.why = reason(NO_MEDIA);
	if (failed(ask(efi.boot, BOOT_LOCATE_HANDLES,
	               (arguments){ BY_PROTOCOL, P(&volume_guid), 0, P(&n), P(&devices) })))
		return 0;
	for (uint64_t i = 0; i < n && efi.why; i++)
		efi.why = open_file(at(devices, 8 * (unsigned)i));
	ask(efi.boot, BOOT_FREE_POOL, (arguments){ devices });
	return 0;
}

/* The map changes while it is read, if the firmware has to allocate: a second try follows. */
static void leave(uint64_t image)
{
	for (unsigned i = 0; i < 2 && get_map(); i++)
		if (!failed(ask(efi.boot, BOOT_EXIT, (arguments){ image, efi.map_key })))
			return;
}

static uint32_t region_type(uint32_t type)
{
	switch (type) {
	case LOADER_CODE:
	case LOADER_DATA:
	case BOOT_CODE:
	case BOOT_DATA:
	case CONVENTIONAL:
		return efi.alive ? REGION_RESERVED : REGION_FREE;
	case UNUSABLE:
		return REGION_BAD;
	case ACPI_TABLES:
		return REGION_ACPI;
	case ACPI_NVS:
		return REGION_NVS;
	}
	return REGION_RESERVED;
}

static void add_region(uint64_t start, uint64_t end, uint32_t type)
{
	struct boot_region *last = efi.nregions ? &efi.regions[efi.nregions - 1] : NULL;

	if (start >= end)
		return;
	if (last && last->type == type && last->base + last->size == start)
		last->size += end - start;
	else if (efi.nregions < BOOT_REGIONS)
		efi.regions[efi.nregions++] =
			(struct boot_region){ .base = start, .size = end - start, .type = type };
}

/* Our memory is free, though the firmware's map has it as the loader's. */
static void build_regions(void)
{
	for (size_t i = 0; row(i); i++) {
		uint64_t start = row(i)->start, end = start + (row(i)->pages << PAGE_SHIFT);
		uint32_t type = region_type(row(i)->type);

		if (start <= efi.ours && end >= efi.ours_end && efi.ours) {
			add_region(start, efi.ours, type);
			add_region(efi.ours, efi.ours_end, REGION_FREE);
			start = efi.ours_end;
		}
		add_region(start, end, type);
	}
}

static void ignore(const char *what, const char *why)
{
	(void)what;
	(void)why;
}

/* Keeps the boot services if the log is to be saved, and ends them otherwise. */
void efi_enter(uint32_t magic, uint32_t info)
{
	static struct bootinfo bi;
	static struct args args;

	bootinfo_parse(&bi, magic, info, (const void *)phys_ptr(0), PHYS_LIMIT, ignore);
	if (!bi.efi_table || !bi.efi_image)
		return;
	efi.known = true;
	efi.boot = at(bi.efi_table, TABLE_BOOT_SERVICES);
	args_parse(&args, bi.cmdline, ignore);
	efi.alive = args.log_sectors && args.save != SAVE_OFF && !(x86_cr4() & CR4_LA57) &&
	            get_map() && kernel_is_ours() && take_memory();
	if (efi.alive) {
		ask(efi.boot, BOOT_SET_WATCHDOG, (arguments){ 0 });
		efi.why = open_first(bi.efi_image);
		efi.keys = at(bi.efi_table, TABLE_CONSOLE_IN);
		efi.read_key = at(efi.keys, KEYS_READ);
		efi.stall = at(efi.boot, BOOT_STALL);
		msr_read(MSR_PAT, &efi.pat);
		pic_keep();
		quiet_keep();
		get_map();
	} else {
		leave(bi.efi_image);
	}
	build_regions();
}

/* ---- In the kernel's ---- */

bool efi_alive(void)
{
	return efi.alive;
}

void efi_memory(struct bootinfo *bi)
{
	if (!efi.known)
		return;
	memcpy(bi->regions, efi.regions, sizeof(bi->regions));
	bi->nregions = efi.nregions;
}

/* The kernel may have made one entry of the PAT write-combining (kernel/board/window_64.c). */
static uint64_t call(uint64_t function, const arguments a)
{
	uint64_t pat = 0, status;

	fpu_reset();
	msr_read(MSR_PAT, &pat);
	if (pat != efi.pat)
		msr_write(MSR_PAT, efi.pat);
	pic_give();
	quiet_give();
	status = efi_call((const void *)function, a);
	quiet_take();
	pic_init();
	if (pat != efi.pat)
		msr_write(MSR_PAT, pat);
	return status;
}

/* efi_enter() has opened the file for the first time. */
const char *efi_open(uint32_t *sectors)
{
	static bool again;

	if (again)
		call(P(open_again), (arguments){ 0 });
	again = true;
	*sectors = efi.sectors;
	return efi.why;
}

const char *efi_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	uint64_t bytes = (uint64_t)count << SECTOR_SHIFT, size = bytes, status;

	status = call(efi.set_position, (arguments){ efi.file, (uint64_t)first << SECTOR_SHIFT });
	if (!failed(status))
		status = call(write ? efi.write : efi.read,
		              (arguments){ efi.file, P(&size), P(data) });
	if (!failed(status) && write)
		status = call(efi.flush, (arguments){ efi.file });
	if (failed(status))
		return reason(status);
	return size == bytes ? NULL : "CPL0.LOG is shorter than it was";
}

uint16_t efi_key(void)
{
	/* By UEFI's scan code: up, down, right, left, Home, End, Insert, Delete, Page Up, Down. */
	static const uint8_t set_1[] = { 0,    0x48, 0x50, 0x4d, 0x4b, 0x47,
		                         0x4f, 0x52, 0x53, 0x49, 0x51 };
	uint16_t key[2] = { 0, 0 }; /* scan code, Unicode */

	if (!efi.alive)
		return 0;
	call(efi.stall, (arguments){ EFI_KEY_WAIT });
	if (failed(call(efi.read_key, (arguments){ efi.keys, P(key) })))
		return 0;
	if (key[0] == SCAN_ESCAPE)
		return ESCAPE;
	return key[0] < sizeof(set_1) ? (uint16_t)(set_1[key[0]] << 8 | (key[1] & 0x7f)) : 0;
}
