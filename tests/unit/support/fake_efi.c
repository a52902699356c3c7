/*
 * The fake UEFI (tests/unit/support/fake_efi.h), after UEFI 2.10: sections 4.3, 4.4, 7, 9.1, 12.3,
 * 13.4 and 13.5.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/firmware/efi.c" /* its state is cleared by fake_efi_boot() */
#include "kernel/firmware/efi_64.c"

#include "kernel/chipset/apic.h"
#include "tests/unit/support/fake_efi.h"
#include "tests/unit/support/fake_machine.h"

/* Where the kernel lies: pages of this program, which the memory map names. */
enum { KERNEL_BYTES = 64 << 10 };
asm(".pushsection .data\n"
    "	.balign 4096\n"
    "	.globl kernel_start, kernel_end\n"
    "kernel_start:\n"
    "	.skip 64 << 10\n"
    "kernel_end:\n"
    "	.popsection");

enum {
	IMAGE = 0x1000, /* handles */
	DEVICE = 0x2000,
	APIC_BASE = 0xfee00000,
	TICK = 10000, /* us */
	CALL = 50,
	TPL_APPLICATION = 4,
	TPL_CALLBACK = 8,
	TPL_NOTIFY = 16,
	POOLS = 64,
	HANDLES = 64,
	RESERVED_TYPE = 0,
	RUNTIME_DATA = 6,
};

#define FIRMWARE_PAT ((uint64_t)0x0007040600070406)

struct fake_efi fake_efi;

typedef uint64_t words[64];

static words table, boot, keys_table, loaded, volumes[FAKE_MEDIA], roots[FAKE_MEDIA];
static struct handle {
	words file; /* the protocol; it comes first */
	unsigned medium, generation;
	uint64_t position;
} handles[HANDLES];
static struct {
	unsigned tpl, nhandles;
	bool inside; /* the CPU has the firmware's tables */
	uint64_t key, pat;
	void *pool[POOLS];
	uint16_t typed[FAKE_KEYS][2],
		heard[FAKE_KEYS][2]; /* at the keyboard, and by the firmware */
	unsigned ntyped, nheard;
} uefi;

#define SERVICE __attribute__((ms_abi)) uint64_t

/* ---- Rules ---- */

static void rule(bool kept, const char *why)
{
	if (kept)
		return;
	fake_efi.misuse++;
	fake_efi.why = why;
}

static void enter(unsigned tpl)
{
	rule(uefi.inside, "a service was called with the kernel's tables");
	rule(!fake_efi.exited, "a service was called after ExitBootServices");
	rule(uefi.tpl <= tpl, "the task priority level is too high");
	rule(uefi.pat == FIRMWARE_PAT, "the PAT is not the firmware's");
	rule(!efi.alive || !apic_read(APIC_TASK_PRIORITY), "the APIC keeps interrupts out");
	fake_efi.now += CALL;
}

static void enter_file(void)
{
	enter(TPL_CALLBACK);
	rule(!fake_efi.trying, "a file was used after ExitBootServices");
}

/* Does this call fail, and how? */
static const struct fake_fail *fails(enum fake_service s)
{
	struct fake_fail *f = &fake_efi.fail[s];

	fake_efi.calls[s]++;
	if (!f->times)
		return NULL;
	if (f->after) {
		f->after--;
		return NULL;
	}
	if (f->times != FAKE_FOREVER)
		f->times--;
	return f;
}

/* ---- Memory ---- */

static void insert(unsigned i, struct fake_memory row)
{
	if (fake_efi.nmap == FAKE_ROWS)
		abort();
	memmove(&fake_efi.map[i + 1], &fake_efi.map[i],
	        (fake_efi.nmap++ - i) * sizeof(fake_efi.map[0]));
	fake_efi.map[i] = row;
}

/* Gives pages of row i another type. */
static void cut(unsigned i, uint64_t start, uint64_t pages, uint32_t type)
{
	struct fake_memory r = fake_efi.map[i];
	uint64_t before = (start - r.start) >> 12, behind = r.pages - before - pages;

	uefi.key++;
	if (behind) {
		insert(i + 1, r);
		fake_efi.map[i + 1].start = start + (pages << 12);
		fake_efi.map[i + 1].pages = behind;
	}
	fake_efi.map[i].pages = before;
	if (before)
		insert(++i, r);
	fake_efi.map[i].type = type;
	fake_efi.map[i].start = start;
	fake_efi.map[i].pages = pages;
}

/* Where in a row of conventional memory the pages may lie; 0: nowhere. */
static uint64_t place(const struct fake_memory *r, uint64_t how, uint64_t pages, uint64_t at)
{
	uint64_t end = r->start + (r->pages << 12), size = pages << 12;

	if (r->type != CONVENTIONAL || pages > r->pages)
		return 0;
	if (how == ALLOCATE_THERE)
		return at >= r->start && at <= end - size ? at : 0;
	if (!fake_efi.ignores_limit && at + 1 < end)
		end = (at + 1) & ~(uint64_t)4095;
	if (end < r->start + size || end <= fake_efi.nothing_below)
		return 0;
	return end - size;
}

static SERVICE allocate_pages(uint64_t how, uint64_t type, uint64_t pages, uint64_t address,
                              uint64_t e, uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_ALLOCATE_PAGES);
	uint64_t *at = (uint64_t *)address, found = 0, row = 0;

	(void)e;
	(void)f;
	enter(TPL_NOTIFY);
	rule(pages && how <= ALLOCATE_THERE, "AllocatePages has a parameter that is none");
	if (fail && fail->status)
		return fail->status;
	if (fake_efi.largest && pages << 12 > fake_efi.largest)
		return FAKE_OUT_OF_MEMORY;
	for (unsigned i = 0; i < fake_efi.nmap; i++)
		if (place(&fake_efi.map[i], how, pages, *at) > found) {
			found = place(&fake_efi.map[i], how, pages, *at);
			row = i;
		}
	if (!found)
		return how == ALLOCATE_THERE ? FAKE_NOT_FOUND : FAKE_OUT_OF_MEMORY;
	cut((unsigned)row, found, pages, (uint32_t)type);
	if (fake_efi.ngiven < FAKE_GIVEN)
		fake_efi.given[fake_efi.ngiven++] =
			(struct fake_memory){ (uint32_t)type, found, pages, 0 };
	*at = found;
	return 0;
}

static SERVICE get_memory_map(uint64_t size, uint64_t map, uint64_t key, uint64_t step,
                              uint64_t version, uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_GET_MEMORY_MAP);
	uint64_t *room = (uint64_t *)size, want;

	(void)f;
	enter(TPL_NOTIFY);
	if (fail && fail->status)
		return fail->status;
	for (unsigned i = 0; fake_efi.grows && i < fake_efi.nmap; i++)
		if (fake_efi.map[i].type == CONVENTIONAL && fake_efi.map[i].pages > 2) {
			fake_efi.grows--;
			cut(i, fake_efi.map[i].start + 4096, 1, BOOT_DATA);
			break;
		}
	want = (uint64_t)fake_efi.nmap * fake_efi.step;
	*(uint64_t *)step = fake_efi.step;
	*(uint32_t *)version = 1;
	if (want > *room) {
		*room = want;
		return FAKE_TOO_SMALL;
	}
	*room = want;
	*(uint64_t *)key = uefi.key;
	for (unsigned i = 0; i < fake_efi.nmap; i++) {
		const struct fake_memory *m = &fake_efi.map[i];
		struct descriptor d = { .type = m->type,
			                .start = m->start,
			                .pages = m->pages,
			                .attributes = m->attributes };

		memcpy((uint8_t *)map + (size_t)i * fake_efi.step, &d, sizeof(d));
	}
	return 0;
}

static SERVICE allocate_pool(uint64_t type, uint64_t size, uint64_t buffer, uint64_t d, uint64_t e,
                             uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_ALLOCATE_POOL);

	(void)d;
	(void)e;
	(void)f;
	enter(TPL_NOTIFY);
	rule(type == LOADER_DATA || type == BOOT_DATA, "AllocatePool has a type that is none");
	if (fail && fail->status)
		return fail->status;
	uefi.key++;
	for (unsigned i = 0; i < POOLS; i++)
		if (!uefi.pool[i]) {
			*(void **)buffer = uefi.pool[i] = malloc(size);
			return 0;
		}
	return FAKE_OUT_OF_MEMORY;
}

static SERVICE free_pool(uint64_t buffer, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                         uint64_t f)
{
	(void)b;
	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter(TPL_NOTIFY);
	uefi.key++;
	for (unsigned i = 0; i < POOLS; i++)
		if (buffer && uefi.pool[i] == (void *)buffer) {
			free(uefi.pool[i]);
			uefi.pool[i] = NULL;
			return 0;
		}
	rule(false, "FreePool has memory that is not of the pool");
	return FAKE_INVALID;
}

static SERVICE exit_boot_services(uint64_t image, uint64_t key, uint64_t c, uint64_t d, uint64_t e,
                                  uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_EXIT);

	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter(TPL_APPLICATION);
	rule(image == IMAGE, "ExitBootServices has another image");
	fake_efi.trying = true;
	if (fail && fail->status)
		return fail->status;
	if (key != uefi.key)
		return FAKE_INVALID;
	fake_efi.exited = true;
	return 0;
}

/* ---- Other services ---- */

static SERVICE handle_protocol(uint64_t handle, uint64_t guid, uint64_t interface, uint64_t d,
                               uint64_t e, uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_HANDLE_PROTOCOL);
	uint64_t *to = (uint64_t *)interface;

	(void)d;
	(void)e;
	(void)f;
	enter_file();
	if (fail && fail->status)
		return fail->status;
	if (handle == IMAGE && !memcmp((void *)guid, &image_guid, sizeof(image_guid))) {
		*to = P(loaded);
		return 0;
	}
	for (unsigned i = 0; i < FAKE_MEDIA; i++)
		if (handle == DEVICE + i && fake_efi.media[i].present &&
		    !memcmp((void *)guid, &volume_guid, sizeof(volume_guid))) {
			*to = P(volumes[i]);
			return 0;
		}
	return FAKE_ERROR(3);
}

static SERVICE locate_handles(uint64_t by, uint64_t guid, uint64_t key, uint64_t count,
                              uint64_t buffer, uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_LOCATE_HANDLES);
	uint64_t *list, n = 0;

	(void)key;
	(void)f;
	enter_file();
	rule(by == BY_PROTOCOL && !memcmp((void *)guid, &volume_guid, sizeof(volume_guid)),
	     "LocateHandleBuffer is asked for another protocol");
	if (fail && fail->status)
		return fail->status;
	if (failed(allocate_pool(BOOT_DATA, FAKE_MEDIA * sizeof(*list), P(&list), 0, 0, 0)))
		return FAKE_OUT_OF_MEMORY;
	for (unsigned i = FAKE_MEDIA; i--;) /* in any order: the boot medium is not the first */
		if (fake_efi.media[i].present)
			list[n++] = DEVICE + i;
	*(uint64_t *)count = n;
	*(uint64_t **)buffer = list;
	if (n)
		return 0;
	free_pool(P(list), 0, 0, 0, 0, 0);
	*(uint64_t *)buffer = 0;
	return FAKE_NOT_FOUND;
}

static SERVICE set_watchdog(uint64_t seconds, uint64_t code, uint64_t c, uint64_t d, uint64_t e,
                            uint64_t f)
{
	(void)code;
	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter(TPL_CALLBACK);
	rule(seconds == 0, "the firmware's watchdog is set");
	return 0;
}

/* ---- Time, interrupts, keys ---- */

static uint32_t *apic_word(uint32_t offset)
{
	return &fake.apic.regs[offset / 16];
}

static void expire(void)
{
	if (!fake_efi.expires || fake_efi.now < fake_efi.expires)
		return;
	fake_efi.expires = fake_efi.one_shot ? 0 : fake_efi.expires + TICK;
	*apic_word(APIC_IRR + FAKE_VECTOR / 32 * 16) |= 1u << FAKE_VECTOR % 32;
}

/* The handler of the timer asks the keyboards, and sets the timer again. */
static void on_tick(void)
{
	fake_efi.ticks++;
	for (unsigned i = 0; i < uefi.ntyped; i++)
		if (uefi.nheard < FAKE_KEYS)
			memcpy(uefi.heard[uefi.nheard++], uefi.typed[i], sizeof(uefi.typed[i]));
	uefi.ntyped = 0;
	if (fake_efi.one_shot)
		fake_efi.expires = fake_efi.now + TICK;
}

/* Interrupts are on: what waits in the local APIC, and is not kept out, gets to its handler. */
static void let_in(void)
{
	uint32_t *irr = apic_word(APIC_IRR + FAKE_VECTOR / 32 * 16), bit = 1u << FAKE_VECTOR % 32;

	expire();
	if (!(*irr & bit) || *apic_word(APIC_TASK_PRIORITY) >> 4 >= FAKE_VECTOR >> 4)
		return;
	*irr &= ~bit;
	on_tick();
}

static SERVICE stall(uint64_t us, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	(void)b;
	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter(TPL_NOTIFY);
	for (uint64_t end = fake_efi.now + us; fake_efi.now < end; fake_efi.now += CALL)
		let_in();
	return 0;
}

static SERVICE read_key(uint64_t keys, uint64_t key, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter(TPL_APPLICATION);
	rule(keys == P(keys_table), "ReadKeyStroke has another console");
	if (!uefi.nheard)
		return FAKE_ERROR(6);
	memcpy((void *)key, uefi.heard[0], sizeof(uefi.heard[0]));
	memmove(uefi.heard, uefi.heard[1], --uefi.nheard * sizeof(uefi.heard[0]));
	return 0;
}

void fake_efi_pass(uint64_t us)
{
	fake_efi.now += us;
	expire();
}

void fake_efi_press(uint16_t scan, uint16_t unicode)
{
	if (uefi.ntyped == FAKE_KEYS)
		abort();
	uefi.typed[uefi.ntyped][0] = scan;
	uefi.typed[uefi.ntyped++][1] = unicode;
}

/* ---- Files ---- */

/* NULL with *status set, if the handle is stale or the medium is gone. */
static struct fake_medium *medium_of(const struct handle *h, uint64_t *status)
{
	struct fake_medium *m = &fake_efi.media[h->medium];

	*status = FAKE_NO_MEDIA;
	return m->present && m->generation == h->generation ? m : NULL;
}

static struct handle *handle_of(uint64_t file)
{
	for (unsigned i = 0; i < uefi.nhandles; i++)
		if (file == P(&handles[i]))
			return &handles[i];
	rule(false, "a file that is not open was used");
	return &handles[0];
}

static SERVICE open_volume(uint64_t volume, uint64_t root, uint64_t c, uint64_t d, uint64_t e,
                           uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_OPEN_VOLUME);
	unsigned i = 0;

	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter_file();
	while (i < FAKE_MEDIA && volume != P(volumes[i]))
		i++;
	rule(i < FAKE_MEDIA, "a volume that is none was opened");
	if (fail && fail->status)
		return fail->status;
	if (i == FAKE_MEDIA || !fake_efi.media[i].present)
		return FAKE_NO_MEDIA;
	*(uint64_t *)root = P(roots[i]);
	return 0;
}

static SERVICE set_position(uint64_t file, uint64_t position, uint64_t c, uint64_t d, uint64_t e,
                            uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_SET_POSITION);
	struct handle *h = handle_of(file);
	struct fake_medium *m;
	uint64_t status;

	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter_file();
	m = medium_of(h, &status);
	if (fail)
		return fail->status;
	if (!m)
		return status;
	h->position = position == UINT64_MAX ? m->size : position;
	return 0;
}

static SERVICE get_position(uint64_t file, uint64_t position, uint64_t c, uint64_t d, uint64_t e,
                            uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_GET_POSITION);

	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter_file();
	if (fail)
		return fail->status;
	*(uint64_t *)position = handle_of(file)->position;
	return 0;
}

/* How many of *size bytes are moved, and the status to return. */
static uint64_t share(const struct fake_fail *fail, const struct fake_medium *m,
                      const struct handle *h, uint64_t *size, size_t *bytes)
{
	uint64_t left = h->position < m->size ? m->size - h->position : 0;

	*bytes = *size < left ? *size : left;
	if (fail) {
		if (*bytes > fail->bytes)
			*bytes = fail->bytes;
		return fail->status;
	}
	if (fake_efi.short_transfers)
		*bytes /= 2;
	*size = *bytes;
	return 0;
}

static SERVICE read_file(uint64_t file, uint64_t size, uint64_t buffer, uint64_t d, uint64_t e,
                         uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_READ);
	struct handle *h = handle_of(file);
	struct fake_medium *m;
	uint64_t status;
	size_t bytes;

	(void)d;
	(void)e;
	(void)f;
	enter_file();
	m = medium_of(h, &status);
	if (!m)
		return status;
	if (h->position > m->size)
		return FAKE_DEVICE_ERROR;
	status = share(fail, m, h, (uint64_t *)size, &bytes);
	memcpy((void *)buffer, m->cache + h->position, bytes);
	if (!status)
		h->position += bytes;
	return status;
}

static SERVICE write_file(uint64_t file, uint64_t size, uint64_t buffer, uint64_t d, uint64_t e,
                          uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_WRITE);
	struct handle *h = handle_of(file);
	struct fake_medium *m;
	uint64_t status;
	size_t bytes;

	(void)d;
	(void)e;
	(void)f;
	enter_file();
	m = medium_of(h, &status);
	if (!m)
		return status;
	if (m->readonly)
		return FAKE_WRITE_PROTECTED;
	rule(h->position + *(uint64_t *)size <= m->size, "CPL0.LOG would grow");
	status = share(fail, m, h, (uint64_t *)size, &bytes);
	memcpy(m->cache + h->position, (void *)buffer, bytes);
	if (!status)
		h->position += bytes;
	return status;
}

/* Where Flush fails, a part of what waits has reached the medium. */
static SERVICE flush_file(uint64_t file, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_FLUSH);
	struct handle *h = handle_of(file);
	struct fake_medium *m;
	uint64_t status;

	(void)b;
	(void)c;
	(void)d;
	(void)e;
	(void)f;
	enter_file();
	m = medium_of(h, &status);
	if (!m)
		return status;
	if (!fail) {
		memcpy(m->bytes, m->cache, m->size);
		return 0;
	}
	for (size_t i = 0, n = 0; i < m->size && n < fail->bytes; i++) {
		n += m->bytes[i] != m->cache[i];
		m->bytes[i] = m->cache[i];
	}
	return fail->status;
}

static SERVICE open_path(uint64_t root, uint64_t file, uint64_t name, uint64_t mode,
                         uint64_t attributes, uint64_t f)
{
	const struct fake_fail *fail = fails(FAKE_OPEN);
	struct handle *h = &handles[uefi.nhandles];
	unsigned i = 0;

	(void)attributes;
	(void)f;
	enter_file();
	while (i < FAKE_MEDIA && root != P(roots[i]))
		i++;
	rule(i < FAKE_MEDIA, "a file was opened in a folder that is not open");
	rule(mode == OPEN_READ_WRITE, "a file was opened in a mode that may create it");
	rule(!memcmp((void *)name, file_name, sizeof(file_name)), "another file was opened");
	if (fail && fail->status)
		return fail->status;
	if (i == FAKE_MEDIA || !fake_efi.media[i].present)
		return FAKE_NO_MEDIA;
	if (!fake_efi.media[i].has_file)
		return FAKE_NOT_FOUND;
	if (fake_efi.media[i].readonly)
		return FAKE_WRITE_PROTECTED;
	if (uefi.nhandles == HANDLES)
		return FAKE_OUT_OF_MEMORY;
	memset(h, 0, sizeof(*h));
	h->medium = i;
	h->generation = fake_efi.media[i].generation;
	h->file[FILE_READ / 8] = P(read_file);
	h->file[FILE_WRITE / 8] = P(write_file);
	h->file[FILE_GET_POSITION / 8] = P(get_position);
	h->file[FILE_SET_POSITION / 8] = P(set_position);
	h->file[FILE_FLUSH / 8] = P(flush_file);
	uefi.nhandles++;
	*(uint64_t *)file = P(h);
	return 0;
}

void fake_efi_pull(unsigned medium)
{
	fake_efi.media[medium].present = false;
}

void fake_efi_plug(unsigned medium)
{
	struct fake_medium *m = &fake_efi.media[medium];

	m->present = true;
	m->generation++;
	memcpy(m->cache, m->bytes, sizeof(m->cache));
}

/* ---- What the kernel has around it ---- */

struct cpuid_regs fake_cpuid(uint32_t leaf, uint32_t subleaf)
{
	(void)subleaf;
	return (struct cpuid_regs){ .edx = leaf == 1 && !fake_efi.no_pat ? CPUID_PAT : 0 };
}

bool msr_read(uint32_t msr, uint64_t *value)
{
	rule(msr != MSR_PAT || !fake_efi.no_pat, "the PAT is read, and there is none");
	*value = msr == MSR_PAT ? uefi.pat : msr == MSR_IA32_APIC_BASE ? APIC_BASE | 0x900 : 0;
	return *value != 0;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	if (msr == MSR_PAT)
		uefi.pat = value;
	return msr == MSR_PAT;
}

void fpu_reset(void)
{
}

/* boot/efi_64.S: the firmware has interrupts on before and behind the service. */
uintptr_t efi_call(const void *function, const efi_arguments a)
{
	uint64_t status;

	rule(!uefi.inside, "the firmware was called out of itself");
	uefi.inside = true;
	let_in();
	status = ((service)P(function))(a[0], a[1], a[2], a[3], a[4], a[5], 0, 0);
	fake_efi.refused += failed(status);
	fake_efi.now += CALL;
	let_in();
	uefi.inside = false;
	return status;
}

bool bootinfo_parse(struct bootinfo *bi, uint32_t magic, uint32_t info, const void *base,
                    uint64_t limit, void (*complain)(const char *what, const char *why))
{
	(void)magic;
	(void)info;
	(void)base;
	(void)limit;
	(void)complain;
	memset(bi, 0, sizeof(*bi));
	strncpy(bi->cmdline, fake_efi.cmdline, sizeof(bi->cmdline) - 1);
	bi->efi = true;
	bi->efi_bits = fake_efi.bits;
	bi->efi_kept = !fake_efi.ended;
	bi->efi_table = P(table);
	bi->efi_image = IMAGE;
	return true;
}

/* ---- The machine ---- */

static void link_tables(void)
{
	table[TABLE_CONSOLE_IN / 8] = P(keys_table);
	table[TABLE_BOOT_SERVICES / 8] = P(boot);
	keys_table[KEYS_READ / 8] = P(read_key);
	loaded[IMAGE_DEVICE / 8] = DEVICE;
	for (unsigned i = 0; i < FAKE_MEDIA; i++) {
		volumes[i][VOLUME_OPEN / 8] = P(open_volume);
		roots[i][FILE_OPEN / 8] = P(open_path);
	}
	boot[BOOT_ALLOCATE_PAGES / 8] = P(allocate_pages);
	boot[BOOT_GET_MEMORY_MAP / 8] = P(get_memory_map);
	boot[BOOT_ALLOCATE_POOL / 8] = P(allocate_pool);
	boot[BOOT_FREE_POOL / 8] = P(free_pool);
	boot[BOOT_HANDLE_PROTOCOL / 8] = P(handle_protocol);
	boot[BOOT_EXIT / 8] = P(exit_boot_services);
	boot[BOOT_STALL / 8] = P(stall);
	boot[BOOT_SET_WATCHDOG / 8] = P(set_watchdog);
	boot[BOOT_LOCATE_HANDLES / 8] = P(locate_handles);
}

static void add_memory(uint32_t type, uint64_t start, uint64_t end)
{
	insert(fake_efi.nmap, (struct fake_memory){ type, start, (end - start) >> 12, MEMORY_WB });
}

/* As EDK2 has it: memory in order, behind it what is mapped. The kernel lies where it lies. */
void fake_efi_memory(uint64_t low_end, uint64_t high_end)
{
	fake_efi.nmap = 0;
	add_memory(BOOT_CODE, 0, 0x1000);
	add_memory(CONVENTIONAL, 0x1000, 0x9f000);
	add_memory(RESERVED_TYPE, 0x9f000, 0xa0000);
	add_memory(CONVENTIONAL, 0x100000, 0x800000);
	add_memory(ACPI_NVS, 0x800000, 0x808000);
	add_memory(CONVENTIONAL, 0x808000, low_end - 0x2000000);
	add_memory(BOOT_DATA, low_end - 0x2000000, low_end - 0x800000);
	add_memory(RUNTIME_DATA, low_end - 0x800000, low_end - 0x400000);
	add_memory(ACPI_TABLES, low_end - 0x400000, low_end);
	if (high_end)
		add_memory(CONVENTIONAL, PHYS_LIMIT, high_end);
	add_memory(LOADER_DATA, P(kernel_start), P(kernel_end));
	add_memory(RESERVED_TYPE, 0xffc00000, PHYS_LIMIT);
}

void fake_efi_long_map(unsigned rows)
{
	uint64_t at = 0x1000000;

	fake_efi_memory(0x80000000, 0x180000000);
	for (unsigned i = 0; fake_efi.nmap < rows; i++, at += 0x3000)
		for (unsigned k = 0; k < fake_efi.nmap; k++) {
			const struct fake_memory *m = &fake_efi.map[k];

			if (m->start > at || m->start + (m->pages << 12) < at + 0x3000)
				continue;
			cut(k, at + 0x1000, 1, RUNTIME_DATA);
			break;
		}
}

static void reset_machine(void)
{
	fake_reset();
	fake.apic.present = true;
	fake.apic.address = APIC_BASE;
	*apic_word(APIC_VERSION) = 0x50014;
	*apic_word(APIC_SPURIOUS) = APIC_SPURIOUS_ENABLE | 0xff;
}

void fake_efi_reset(void)
{
	for (unsigned i = 0; i < POOLS; i++)
		free(uefi.pool[i]);
	memset(&uefi, 0, sizeof(uefi));
	memset(&fake_efi, 0, sizeof(fake_efi));
	reset_machine();
	fake_efi.cmdline = "logfile=100+512";
	fake_efi.step = 48;
	fake_efi.bits = 64;
	fake_efi.one_shot = true;
	fake_efi.now = fake_efi.expires = 1;
	fake_efi.media[0].has_file = true;
	fake_efi.media[0].size = FAKE_FILE;
	fake_efi_plug(0);
	fake_efi_memory(0x80000000, 0x180000000);
}

void fake_efi_boot(void)
{
	link_tables();
	if (fake_efi.no_console)
		table[TABLE_CONSOLE_IN / 8] = 0;
	memset(&efi, 0, sizeof(efi));
	fake.cr4 = fake_efi.la57 ? CR4_LA57 : 0;
	uefi.tpl = TPL_APPLICATION;
	uefi.pat = FIRMWARE_PAT;
	uefi.key++;
	uefi.inside = true;
	efi_enter(0, 0);
	uefi.inside = false;
	for (unsigned i = 0; i < fake_efi.ngiven; i++)
		if (fake_efi.nx_data && fake_efi.given[i].type != LOADER_CODE &&
		    fake_efi.given[i].start == P(kernel_start))
			fake_efi.kernel_is_nx = true;
}

/* ---- Draws ---- */

static uint32_t chance;

static uint32_t draw(uint32_t n)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return chance % n;
}

static void draw_machine(void)
{
	static const uint32_t low[] = { 64, 128, 256, 512, 2048, 3072 };
	static const uint8_t steps[] = { 40, 48, 56, 64 };

	fake_efi.step = steps[draw(4)];
	if (draw(4) == 0)
		fake_efi_long_map(20 + draw(900));
	else
		fake_efi_memory(low[draw(6)] * MIB,
		                draw(2) ? PHYS_LIMIT + (64 + draw(9000)) * MIB : 0);
	fake_efi.grows = draw(3) ? 0 : draw(12);
	fake_efi.la57 = draw(20) == 0;
	fake_efi.no_console = draw(10) == 0;
	fake_efi.one_shot = draw(2);
	fake_efi.nx_data = draw(2);
	fake_efi.cmdline = draw(6) ? "logfile=100+512" : draw(2) ? "" : "logfile=100+512 save=off";
	fake_efi.nothing_below = draw(5) ? 0 : draw(5) * 1024 * MIB;
	fake_efi.largest = draw(5) ? 0 : draw(200) * MIB;
	fake_efi.ignores_limit = draw(12) == 0;
	for (unsigned i = 0; i < fake_efi.nmap; i++)
		if (fake_efi.map[i].start == P(kernel_start) && draw(5) == 0)
			fake_efi.map[i].type = draw(2) ? CONVENTIONAL : RUNTIME_DATA;
}

static void draw_media(void)
{
	fake_efi.media[0].readonly = draw(12) == 0;
	fake_efi.media[0].has_file = draw(12) != 0;
	if (draw(6) == 0)
		fake_efi.media[0].size = draw(FAKE_FILE + 1);
	if (draw(3) == 0) {
		fake_efi.media[1].has_file = draw(2);
		fake_efi.media[1].size = draw(FAKE_FILE + 1);
		fake_efi_plug(1);
	}
	fake_efi.short_transfers = draw(12) == 0;
}

void fake_efi_draw(uint32_t seed)
{
	static const uint64_t errors[] = { FAKE_INVALID,  FAKE_DEVICE_ERROR,  FAKE_OUT_OF_MEMORY,
		                           FAKE_NO_MEDIA, FAKE_MEDIA_CHANGED, FAKE_NOT_FOUND };

	chance = seed * 2654435761u | 1;
	for (unsigned i = 0; i < 8; i++)
		draw(2);
	draw_machine();
	draw_media();
	for (unsigned i = 0; i < FAKE_SERVICES; i++) {
		struct fake_fail *f = &fake_efi.fail[i];

		if (draw(8))
			continue;
		f->after = draw(4);
		f->times = draw(3) ? 1 + draw(10) : FAKE_FOREVER;
		f->status = errors[draw(6)];
		f->bytes = draw(1024);
	}
}
