/*
 * UEFI of the kernel's own width (kernel/firmware/efi.h). Offsets are those of UEFI 2.10: sections
 * 4.3 (system table), 4.4 (boot services), 7.2 (memory), 9.1 (loaded image), 12.3 (keys), 13.4 and
 * 13.5 (files). UINTN and pointers have the kernel's width: uintptr_t.
 *
 * The firmware's structures may lie above 4 GiB, where the kernel's own page tables do not reach.
 * So whatever has to be read of them is read in efi_enter(), in the firmware's own address space.
 */
#include "kernel/firmware/efi.h"
#include "kernel/firmware/efi_internal.h"
#include "kernel/firmware/medium.h"
#include "kernel/lib/args.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/pic.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/cpu/fpu.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"

enum {
	WORD = sizeof(uintptr_t),
	TABLE_VENDOR = 24, /* a pointer; a number of 32 bits and its padding follow */
	TABLE_CONSOLE_IN = TABLE_VENDOR + 3 * WORD,
	TABLE_BOOT_SERVICES = TABLE_VENDOR + 9 * WORD,
	BOOT_FIRST = 24,
	BOOT_ALLOCATE_PAGES = BOOT_FIRST + 2 * WORD,
	BOOT_GET_MEMORY_MAP = BOOT_FIRST + 4 * WORD,
	BOOT_ALLOCATE_POOL = BOOT_FIRST + 5 * WORD,
	BOOT_FREE_POOL = BOOT_FIRST + 6 * WORD,
	BOOT_HANDLE_PROTOCOL = BOOT_FIRST + 16 * WORD,
	BOOT_EXIT = BOOT_FIRST + 26 * WORD,
	BOOT_STALL = BOOT_FIRST + 28 * WORD,
	BOOT_SET_WATCHDOG = BOOT_FIRST + 29 * WORD,
	BOOT_LOCATE_HANDLES = BOOT_FIRST + 36 * WORD,
	BY_PROTOCOL = 2,
	IMAGE_DEVICE = 3 * WORD,
	VOLUME_OPEN = 8,
	FILE_OPEN = 8,
	FILE_READ = FILE_OPEN + 3 * WORD,
	FILE_WRITE = FILE_OPEN + 4 * WORD,
	FILE_GET_POSITION = FILE_OPEN + 5 * WORD,
	FILE_SET_POSITION = FILE_OPEN + 6 * WORD,
	FILE_FLUSH = FILE_OPEN + 9 * WORD,
	KEYS_READ = WORD,
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
	BUFFER_TOO_SMALL = 5,
	WRITE_PROTECTED = 8,
	VOLUME_FULL = 11,
	NO_MEDIA = 12,
	MEDIA_CHANGED = 13,
	NOT_FOUND = 14,
	ACCESS_DENIED = 15,
	MAP_SIZE = 32768,
	MAP_SLACK = 4096,      /* bytes that a map may have grown before it is read again */
	MAP_LONGEST = 1 << 24, /* bytes: no map is as long */
	TRIES = 8,             /* to read a map that grows, and to end the boot services */
	BLOCKS = 3,            /* of memory that we ask for */
	LOW_PAGES = 6,         /* one of them lies outside of 7000h to AFFFh */
	LOW_LAST = 0x9efff,    /* a start-up IPI leads to pages below; the EBDA is above */
	DOUBTS = 8,
	PAGE_SHIFT = 12,
	SECTOR_SHIFT = 9,
	MSR_PAT = 0x277,
	CPUID_PAT = 1u << 16, /* leaf 1, EDX */
};

/* Bytes of memory that we ask for. */
#define MIB         ((uint64_t)1 << 20)
#define WORK_MOST   (384 * MIB) /* arena with workers for 512 CPUs, log, what else is allocated */
#define WORK_LEAST  (8 * MIB)
#define WORK_LIMIT  ((uint64_t)1 << 31) /* generated code reaches its state by 31 bits */
#define LARGE_MOST  (8192 * MIB)        /* an arena of 4 GiB at any alignment */
#define LARGE_LEAST (64 * MIB)          /* smaller than that the first block is as good */
#define LARGE_ALIGN (2 * MIB)
#define FIRMWARE    (64 * MIB) /* that the firmware keeps, if there is so much */

/* Attributes of a row of the memory map. */
#define MEMORY_WB               ((uint64_t)1 << 3)
#define MEMORY_SPECIFIC_PURPOSE ((uint64_t)1 << 18)

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

typedef EFI_ABI uintptr_t (*service)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                     uintptr_t, uintptr_t, uintptr_t);

extern const uint8_t kernel_start[], kernel_end[];

static struct {
	bool known, alive; /* we were entered with boot services; they serve us */
	bool stuck;        /* they could not be ended: what they have is not ours */
	bool opened;       /* efi_open() has been called */
	uintptr_t boot;    /* the boot services' table */
	uintptr_t keys, read_key, stall;
	uintptr_t device; /* that GRUB was started from */
	uintptr_t file, read, write, set_position, flush;
	uint32_t sectors;
	const char *why; /* the file cannot be used; NULL: it can */
	uint64_t pat;
	unsigned nregions;
	struct boot_region regions[BOOT_REGIONS + 1];
	bool cut; /* there were more */
	unsigned nblocks;
	struct block {
		uint64_t start, end;
	} blocks[BLOCKS]; /* memory that was allocated for the kernel */
	unsigned ndoubts;
	const char *doubts[DOUBTS]; /* what is wrong with this firmware */
	uint8_t *map;               /* one's own, or a longer one of the firmware's pool */
	uintptr_t map_room, map_size, map_step, map_key;
	uint8_t own_map[MAP_SIZE] __attribute__((aligned(8)));
} efi;

static void doubt(const char *why)
{
	for (unsigned i = 0; i < efi.ndoubts; i++)
		if (efi.doubts[i] == why)
			return;
	if (efi.ndoubts < DOUBTS)
		efi.doubts[efi.ndoubts++] = why;
}

/* ---- In the firmware's address space ---- */

static uintptr_t at(uintptr_t structure, unsigned offset)
{
	return *(uintptr_t *)(structure + offset);
}

static bool failed(uintptr_t status)
{
	return status >> (8 * WORD - 1);
}

#define P(pointer) ((uintptr_t)(pointer))

/* Calls the service at `offset` of a structure. */
static uintptr_t ask(uintptr_t structure, unsigned offset, const efi_arguments a)
{
	service f = (service)at(structure, offset);

	return f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}

/* One try; *size is how long the map is. No row is left if it cannot be had. */
static uintptr_t read_map(uintptr_t *size)
{
	uintptr_t step = 0, status;
	uint32_t version;

	*size = efi.map_room;
	efi.map_size = 0;
	status =
		ask(efi.boot, BOOT_GET_MEMORY_MAP,
	            (efi_arguments){ P(size), P(efi.map), P(&efi.map_key), P(&step), P(&version) });
	if (failed(status))
		return status;
	if (*size > efi.map_room || step < sizeof(struct descriptor) || step % 8)
		return UINTPTR_MAX;
	efi.map_step = step;
	efi.map_size = *size;
	return status;
}

/* The pool's growth may lengthen the map again. */
static bool longer_map(uintptr_t size)
{
	uintptr_t room = (size > efi.map_room ? size : efi.map_room) + MAP_SLACK, pool = 0;

	if (size > MAP_LONGEST || failed(ask(efi.boot, BOOT_ALLOCATE_POOL,
	                                     (efi_arguments){ LOADER_DATA, room, P(&pool) })))
		return false;
	efi.map = (uint8_t *)pool;
	efi.map_room = room;
	return true;
}

static bool get_map(void)
{
	uintptr_t status, size;

	if (!efi.map) {
		efi.map = efi.own_map;
		efi.map_room = MAP_SIZE;
	}
	for (unsigned i = 0; i < TRIES; i++) {
		status = read_map(&size);
		if (!failed(status))
			return true;
		if ((status & 0xff) != BUFFER_TOO_SMALL || !longer_map(size))
			return false;
	}
	return false;
}

static const struct descriptor *row(size_t i)
{
	return efi.map_size && (i + 1) * efi.map_step <= efi.map_size
	               ? (const struct descriptor *)(efi.map + i * efi.map_step)
	               : NULL;
}

static uint64_t end_of(const struct descriptor *d)
{
	return d->start + (d->pages << PAGE_SHIFT);
}

static bool allocate(uintptr_t how, uintptr_t type, uint64_t size, uint64_t *address)
{
	uintptr_t pages = (uintptr_t)((size + 4095) >> PAGE_SHIFT);

	return !failed(ask(efi.boot, BOOT_ALLOCATE_PAGES,
	                   (efi_arguments){ how, type, pages, P(address) }));
}

/*
 * GRUB allocates the kernel's memory, unless the firmware itself has what lies there. The firmware
 * may let data not be executed, and calls of it begin and end in the kernel's code.
 */
static bool kernel_is_ours(void)
{
	uint64_t end = P(kernel_end);

	for (size_t i = 0; row(i); i++) {
		const struct descriptor *d = row(i);
		uint64_t first = d->start, last = end_of(d);

		if (last <= P(kernel_start) || first >= end || d->type == LOADER_CODE ||
		    d->type == LOADER_DATA)
			continue;
		if (first < P(kernel_start))
			first = P(kernel_start);
		if (last > end)
			last = end;
		if (d->type != CONVENTIONAL ||
		    !allocate(ALLOCATE_THERE, LOADER_CODE, last - first, &first))
			return false;
	}
	return true;
}

/* Memory for the kernel: below `limit` or, with ALLOCATE_THERE, from it on. */
static bool take(uintptr_t how, uint64_t size, uint64_t limit)
{
	uint64_t address = how == ALLOCATE_BELOW ? limit - 1 : limit;

	if (!allocate(how, LOADER_DATA, size, &address))
		return false;
	if (how == ALLOCATE_BELOW ? address > limit - size : address != limit) {
		doubt("AllocatePages gave other memory than it was asked for, which is not used");
		return false;
	}
	efi.blocks[efi.nblocks++] = (struct block){ address, address + size };
	return true;
}

/* Unused memory, in bytes, below or above 4 GiB. */
static uint64_t conventional(bool high)
{
	uint64_t sum = 0;

	for (size_t i = 0; row(i); i++)
		if (row(i)->type == CONVENTIONAL && (row(i)->start >= PHYS_LIMIT) == high)
			sum += row(i)->pages << PAGE_SHIFT;
	return sum;
}

static bool take_work_below(uint64_t limit)
{
	uint64_t all = conventional(false), rest = all / 4 < FIRMWARE ? all / 4 : FIRMWARE;

	for (uint64_t size = WORK_MOST; size >= WORK_LEAST; size /= 2)
		if ((size + rest <= all || size / 2 < WORK_LEAST) &&
		    take(ALLOCATE_BELOW, size, limit))
			return true;
	return false;
}

/* Other CPUs are started in a page of the first MiB; kernel/smp/smp.c says if it finds none. */
static bool take_work(void)
{
	if (!take_work_below(WORK_LIMIT)) {
		if (!take_work_below(PHYS_LIMIT))
			return false;
		doubt("there is no memory to be had below 2 GiB: threads= has no room");
	}
	if (!take(ALLOCATE_BELOW, LOW_PAGES << PAGE_SHIFT, LOW_LAST + 1))
		take(ALLOCATE_BELOW, 1 << PAGE_SHIFT, LOW_LAST + 1);
	return true;
}

/* What the firmware can spare of the memory below or above 4 GiB. */
static uint64_t spare(bool high)
{
	uint64_t all = conventional(high), rest = all / 4;

	if (!high && rest < FIRMWARE)
		rest = FIRMWARE;
	return all > rest ? all - rest : 0;
}

/* Bytes that may be taken of a row, from *start on. */
static uint64_t large_part(const struct descriptor *d, uint64_t *start)
{
	uint64_t size, room = spare(d->start >= PHYS_LIMIT);

	*start = (d->start + LARGE_ALIGN - 1) & ~(LARGE_ALIGN - 1);
	if (d->type != CONVENTIONAL || !(d->attributes & MEMORY_WB) ||
	    d->attributes & MEMORY_SPECIFIC_PURPOSE || *start >= end_of(d) ||
	    end_of(d) - 1 > UINTPTR_MAX)
		return 0;
	size = end_of(d) - *start;
	size = size < room ? size : room;
	return (size < LARGE_MOST ? size : LARGE_MOST) & ~(LARGE_ALIGN - 1);
}

/* For data that shall not fit into caches: the largest piece there is, wherever it lies. */
static void take_large(void)
{
	uint64_t best = 0, at = 0, start;

	if (!get_map())
		return;
	for (size_t i = 0; row(i); i++) {
		uint64_t size = large_part(row(i), &start);

		if (size > best) {
			best = size;
			at = start;
		}
	}
	while (best >= LARGE_LEAST && !take(ALLOCATE_THERE, best, at))
		best = best / 2 & ~(LARGE_ALIGN - 1);
}

static const char *reason(uintptr_t status)
{
	switch (status & 0xff) {
	case WRITE_PROTECTED:
	case ACCESS_DENIED:
		return MEDIUM_PROTECTED;
	case NO_MEDIA:
		return MEDIUM_MISSING;
	case MEDIA_CHANGED:
		return MEDIUM_CHANGED;
	case NOT_FOUND:
		return "this medium has no CPL0.LOG";
	case VOLUME_FULL:
		return "the medium is full";
	}
	return "the firmware reports an error of the medium";
}

static uintptr_t protocol(uintptr_t handle, struct guid *guid, uintptr_t *interface)
{
	return ask(efi.boot, BOOT_HANDLE_PROTOCOL,
	           (efi_arguments){ handle, P(guid), P(interface) });
}

static const char *open_file(uintptr_t device)
{
	uintptr_t volume, root, status = protocol(device, &volume_guid, &volume);
	uint64_t size = 0;

	if (!failed(status))
		status = ask(volume, VOLUME_OPEN, (efi_arguments){ volume, P(&root) });
	if (!failed(status))
		status = ask(root, FILE_OPEN,
		             (efi_arguments){ root, P(&efi.file), P(file_name),
		                              EFI_ULONG(OPEN_READ_WRITE) });
	if (!failed(status))
		status = ask(efi.file, FILE_SET_POSITION,
		             (efi_arguments){ efi.file, EFI_ULONG(UINT64_MAX) });
	if (!failed(status))
		status = ask(efi.file, FILE_GET_POSITION, (efi_arguments){ efi.file, P(&size) });
	if (failed(status))
		return reason(status);
	size >>= SECTOR_SHIFT;
	if (!size)
		return "CPL0.LOG is empty: it must be as the image of the stick has it";
	efi.sectors = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	efi.read = at(efi.file, FILE_READ);
	efi.write = at(efi.file, FILE_WRITE);
	efi.set_position = at(efi.file, FILE_SET_POSITION);
	efi.flush = at(efi.file, FILE_FLUSH);
	return NULL;
}

/* That of the medium from which GRUB was started. */
static const char *open_first(uintptr_t image)
{
	uintptr_t loaded, status = protocol(image, &image_guid, &loaded);

	if (failed(status))
		return reason(status);
	efi.device = at(loaded, IMAGE_DEVICE);
	return open_file(efi.device);
}

/*
 * The boot medium, if it is still there; else the first volume that has the file, because a medium
 * that was plugged in again is another device. efi_call() calls this as it calls the firmware.
 */
static EFI_ABI uintptr_t open_again(void)
{
	uintptr_t n = 0, devices = 0;
	bool there = false;

	efi.why = reason(NO_MEDIA);
	if (failed(ask(efi.boot, BOOT_LOCATE_HANDLES,
	               (efi_arguments){ BY_PROTOCOL, P(&volume_guid), 0, P(&n), P(&devices) })))
		return 0;
	for (uintptr_t i = 0; i < n; i++)
		there |= at(devices, WORD * (unsigned)i) == efi.device;
	if (there)
		efi.why = open_file(efi.device);
	for (uintptr_t i = 0; i < n && efi.why && !there; i++)
		efi.why = open_file(at(devices, WORD * (unsigned)i));
	ask(efi.boot, BOOT_FREE_POOL, (efi_arguments){ devices });
	return 0;
}

/*
 * The key of a map that has changed meanwhile is refused. After the first try the firmware may be
 * called for memory alone (UEFI 2.10 section 7.4.6).
 */
static void leave(uintptr_t image)
{
	for (unsigned i = 0; i < TRIES && get_map(); i++)
		if (!failed(ask(efi.boot, BOOT_EXIT, (efi_arguments){ image, efi.map_key })))
			return;
	efi.stuck = true;
	doubt("the boot services cannot be ended: memory that they do not give is left alone");
	irqmask_keep();
	take_work();
	get_map();
}

static uint32_t region_type(uint32_t type)
{
	switch (type) {
	case LOADER_CODE:
	case LOADER_DATA:
	case BOOT_CODE:
	case BOOT_DATA:
	case CONVENTIONAL:
		return efi.alive || efi.stuck ? REGION_RESERVED : REGION_FREE;
	case UNUSABLE:
		return REGION_BAD;
	case ACPI_TABLES:
		return REGION_ACPI;
	case ACPI_NVS:
		return REGION_NVS;
	}
	return REGION_RESERVED;
}

static void remove_region(unsigned i)
{
	memmove(&efi.regions[i], &efi.regions[i + 1],
	        (--efi.nregions - i) * sizeof(efi.regions[0]));
}

/* Is what follows region i its continuation? Then both become one. */
static void merge(unsigned i)
{
	struct boot_region *r = &efi.regions[i];

	if (i + 1 >= efi.nregions || r->type != r[1].type || r->base + r->size != r[1].base)
		return;
	r->size += r[1].size;
	remove_region(i + 1);
}

/* What is left out is a hole, which is never used: free memory goes last. */
static void remove_smallest(void)
{
	unsigned least = 0;

	for (unsigned i = 1; i < efi.nregions; i++) {
		const struct boot_region *r = &efi.regions[i], *l = &efi.regions[least];
		bool free = r->type == REGION_FREE, least_free = l->type == REGION_FREE;

		if (free == least_free ? r->size < l->size : least_free)
			least = i;
	}
	remove_region(least);
}

/* Keeps the list in order, and neighbours of a type together. */
static void add_region(uint64_t start, uint64_t end, uint32_t type)
{
	unsigned i = efi.nregions;

	if (start >= end)
		return;
	while (i && efi.regions[i - 1].base > start)
		i--;
	memmove(&efi.regions[i + 1], &efi.regions[i],
	        (efi.nregions++ - i) * sizeof(efi.regions[0]));
	efi.regions[i] = (struct boot_region){ .base = start, .size = end - start, .type = type };
	merge(i);
	if (i)
		merge(i - 1);
	if (efi.nregions <= BOOT_REGIONS)
		return;
	remove_smallest();
	efi.cut = true;
}

/* The firmware's map has our memory as the loader's. */
static void add_without_ours(uint64_t start, uint64_t end, uint32_t type)
{
	for (unsigned i = 0; i < efi.nblocks; i++) {
		const struct block *b = &efi.blocks[i];

		if (b->start >= end || b->end <= start)
			continue;
		add_without_ours(start, b->start, type);
		start = b->end;
	}
	add_region(start, end, type);
}

static void add_rows(bool free)
{
	for (size_t i = 0; row(i); i++) {
		uint32_t type = region_type(row(i)->type);

		if ((type == REGION_FREE) == free)
			add_without_ours(row(i)->start, end_of(row(i)), type);
	}
}

static void build_regions(void)
{
	for (unsigned i = 0; i < efi.nblocks; i++)
		add_region(efi.blocks[i].start, efi.blocks[i].end, REGION_FREE);
	add_rows(true);
	add_rows(false);
	if (!efi.map_size)
		doubt("its memory map cannot be read");
	if (efi.cut)
		doubt("its memory map has more than 128 pieces: the smallest are left out");
}

static void ignore(const char *what, const char *why)
{
	(void)what;
	(void)why;
}

/* NULL, or why the boot services cannot stay. */
static const char *obstacle(void)
{
	if (efi_obstacle())
		return efi_obstacle();
	if (!get_map())
		return "UEFI is ended and nothing is saved: its memory map cannot be read";
	if (!kernel_is_ours())
		return "UEFI is ended and nothing is saved: the kernel lies in its memory";
	if (!take_work())
		return "UEFI is ended and nothing is saved: it has no memory to spare";
	return NULL;
}

/* 0: there is none, and the kernel cannot catch a fault while it is called by the firmware. */
static uint64_t read_pat(void)
{
	uint64_t pat = 0;

	if (x86_cpuid(1, 0).edx & CPUID_PAT)
		msr_read(MSR_PAT, &pat);
	return pat;
}

static void stay(uintptr_t table, uintptr_t image)
{
	take_large();
	ask(efi.boot, BOOT_SET_WATCHDOG, (efi_arguments){ 0 });
	efi.why = open_first(image);
	efi.keys = at(table, TABLE_CONSOLE_IN);
	efi.read_key = efi.keys ? at(efi.keys, KEYS_READ) : 0;
	efi.stall = at(efi.boot, BOOT_STALL);
	efi.pat = read_pat();
	pic_keep();
	irqmask_keep();
	get_map();
}

static struct bootinfo offered;

uintptr_t efi_offered(uint32_t magic, uint32_t info)
{
	bootinfo_parse(&offered, magic, info, (const void *)phys_ptr(0), PHYS_LIMIT, ignore);
	if (!offered.efi_kept || !offered.efi_image || offered.efi_bits != 8 * WORD)
		return 0;
	return (uintptr_t)offered.efi_table;
}

EFI_ABI void efi_enter(uint32_t magic, uint32_t info)
{
	static struct args args;
	uintptr_t table = efi_offered(magic, info), image = (uintptr_t)offered.efi_image;
	const char *why = NULL;
	bool wanted;

	if (!table)
		return;
	efi.known = true;
	efi.boot = at(table, TABLE_BOOT_SERVICES);
	args_parse(&args, offered.cmdline, ignore);
	wanted = args.log_sectors && args.save != SAVE_OFF;
	if (wanted)
		why = obstacle();
	if (why)
		doubt(why);
	efi.alive = wanted && !why;
	if (efi.alive)
		stay(table, image);
	else
		leave(image);
	build_regions();
}

/* ---- In the kernel's ---- */

bool efi_alive(void)
{
	return efi.alive;
}

void efi_memory(struct bootinfo *bi, void (*complain)(const char *what, const char *why))
{
	if (!efi.known)
		return;
	for (unsigned i = 0; i < efi.ndoubts; i++)
		complain("uefi", efi.doubts[i]);
	memcpy(bi->regions, efi.regions, sizeof(bi->regions));
	bi->nregions = efi.nregions;
}

/* The kernel may have made one entry of the PAT write-combining (kernel/chipset/ioremap_64.c). */
static uintptr_t call(uintptr_t function, const efi_arguments a)
{
	uint64_t pat = read_pat();
	uintptr_t status;

	fpu_reset();
	if (pat != efi.pat)
		msr_write(MSR_PAT, efi.pat);
	pic_give();
	irqmask_give();
	status = efi_call((const void *)function, a);
	irqmask_take();
	pic_init();
	if (pat != efi.pat)
		msr_write(MSR_PAT, pat);
	return status;
}

/* efi_enter() has opened the file for the first time. */
const char *efi_open(uint32_t *sectors)
{
	if (efi.opened)
		call(P(open_again), (efi_arguments){ 0 });
	efi.opened = true;
	*sectors = efi.sectors;
	return efi.why;
}

const char *efi_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	uintptr_t bytes = (uintptr_t)count << SECTOR_SHIFT, size = bytes, status;

	status = call(efi.set_position,
	              (efi_arguments){ efi.file, EFI_ULONG((uint64_t)first << SECTOR_SHIFT) });
	if (!failed(status))
		status = call(write ? efi.write : efi.read,
		              (efi_arguments){ efi.file, P(&size), P(data) });
	if (!failed(status) && write)
		status = call(efi.flush, (efi_arguments){ efi.file });
	if (failed(status))
		return reason(status);
	if (size == bytes)
		return NULL;
	return write ? "the firmware wrote less than it was told to"
	             : "CPL0.LOG is shorter than it was";
}

uint16_t efi_key(void)
{
	/* By UEFI's scan code: up, down, right, left, Home, End, Insert, Delete, Page Up, Down. */
	static const uint8_t set_1[] = { 0,    0x48, 0x50, 0x4d, 0x4b, 0x47,
		                         0x4f, 0x52, 0x53, 0x49, 0x51 };
	uint16_t key[2] = { 0, 0 }; /* scan code, Unicode */

	if (!efi.alive)
		return 0;
	call(efi.stall, (efi_arguments){ EFI_KEY_WAIT });
	if (!efi.read_key || failed(call(efi.read_key, (efi_arguments){ efi.keys, P(key) })))
		return 0;
	if (key[0] == SCAN_ESCAPE)
		return ESCAPE;
	if (key[0] >= sizeof(set_1) || key[1] > 0x7f) /* no letter of ASCII */
		return 0;
	return (uint16_t)(set_1[key[0]] << 8 | key[1]);
}
