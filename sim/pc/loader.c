/*
 * sim/pc/loader.c - loads a kernel as a boot loader would: Multiboot 1 (0.6.96) and 2 (2.0), ELF of
 * 32 and 64 bits or raw with addresses in the header.
 *
 * The file is not trusted: every offset, size and address is checked before use.
 */
#include "sim/pc/loader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cpu/machine.h"
#include "sim/pc/acpi.h"

enum { MB1_MAGIC = 0x1badb002, MB1_BOOTED = 0x2badb002 };
#define MB2_MAGIC  0xe85250d6u
#define MB2_BOOTED 0x36d76289u
enum { HEADER_1 = 8192, HEADER_2 = 32768 };
enum { PAGE = 4096 };
enum { LOW_INFO = 0x10000, LOW_INFO_END = 0x90000 };

/* A file in memory. */
struct blob {
	uint8_t *data;
	size_t size;
};

struct load {
	struct machine *pc;
	struct blob file;
	char *error;
	size_t error_size;
	uint64_t low, high; /* what the kernel occupies */
	uint32_t entry;
	uint64_t free; /* next byte for modules */
	uint64_t info, info_end;
	struct {
		uint32_t start, end;
	} modules[MAX_MODULES];
};

static bool fail(struct load *l, const char *why, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct load *l, const char *why, ...)
{
	va_list args;

	va_start(args, why);
	vsnprintf(l->error, l->error_size, why, args);
	va_end(args);
	return false;
}

static bool read_file(const char *path, struct blob *b)
{
	FILE *f = fopen(path, "rb");
	long size = -1;

	b->data = NULL;
	if (!f)
		return false;
	if (!fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size >= 0 && !fseek(f, 0, SEEK_SET)) {
		b->size = (size_t)size;
		b->data = malloc(b->size + 1);
		if (b->data && fread(b->data, 1, b->size, f) != b->size) {
			free(b->data);
			b->data = NULL;
		}
	}
	fclose(f);
	return b->data;
}

static uint64_t get(const struct blob *b, uint64_t at, unsigned size)
{
	uint64_t value = 0;

	if (at <= b->size && size <= b->size - at)
		memcpy(&value, b->data + at, size);
	return value;
}

/* ---- Segments ---- */

static bool place(struct load *l, uint64_t at, uint64_t from, uint64_t size, uint64_t memory)
{
	uint8_t *to = machine_ram(l->pc, at, memory);

	if (from > l->file.size || size > l->file.size - from || size > memory)
		return fail(l, "segment outside of the file");
	if (!to)
		return fail(l, "segment at %#llx, %llu bytes: no memory there",
		            (unsigned long long)at, (unsigned long long)memory);
	if (at < 0x100000 && at + memory > 0xa0000)
		return fail(l, "segment at %#llx lies in the video memory or BIOS",
		            (unsigned long long)at);
	memcpy(to, l->file.data + from, size);
	if (at < l->low)
		l->low = at;
	if (at + memory > l->high)
		l->high = at + memory;
	return true;
}

/* Offsets of the program header fields for both ELF classes. */
struct elf_class {
	uint8_t entry, phoff, phentsize, phnum, word;
	uint8_t size, offset, vaddr, paddr, filesz, memsz;
};

static const struct elf_class elf32 = { 24, 28, 42, 44, 4, 32, 4, 8, 12, 16, 20 };
static const struct elf_class elf64 = { 24, 32, 54, 56, 8, 56, 8, 16, 24, 32, 40 };

static bool load_elf(struct load *l)
{
	const struct blob *f = &l->file;
	const struct elf_class *c = get(f, 4, 1) == 2 ? &elf64 : &elf32;
	uint64_t table = get(f, c->phoff, c->word), entry = get(f, c->entry, c->word);
	unsigned count = (unsigned)get(f, c->phnum, 2), step = (unsigned)get(f, c->phentsize, 2);
	uint64_t start = entry;

	if (get(f, 5, 1) != 1 || step < c->size)
		return fail(l, "not a little-endian ELF file, or its program headers are damaged");
	for (unsigned i = 0; i < count; i++) {
		uint64_t at = table + (uint64_t)i * step;
		uint64_t vaddr = get(f, at + c->vaddr, c->word);
		uint64_t paddr = get(f, at + c->paddr, c->word);
		uint64_t memory = get(f, at + c->memsz, c->word);

		if (at < table || at > f->size || f->size - at < c->size)
			return fail(l, "program headers outside of the file");
		if (get(f, at, 4) != 1 || !memory)
			continue;
		if (!place(l, paddr, get(f, at + c->offset, c->word),
		           get(f, at + c->filesz, c->word), memory))
			return false;
		if (entry >= vaddr && entry - vaddr < memory)
			start = entry - vaddr + paddr;
	}
	if (!l->high)
		return fail(l, "no segment to load");
	l->entry = (uint32_t)start;
	return true;
}

/* Addresses in the header instead of ELF. header: file offset of the Multiboot header. */
static bool load_raw(struct load *l, uint64_t header, const uint32_t a[4])
{
	uint64_t header_addr = a[0], load_addr = a[1], load_end = a[2], bss_end = a[3];
	uint64_t offset = header - (header_addr - load_addr), size, memory;

	if (load_addr > header_addr || header_addr - load_addr > header)
		return fail(l, "header addresses contradict each other");
	if (offset > l->file.size)
		return fail(l, "header addresses point outside of the file");
	size = load_end ? load_end - load_addr : l->file.size - offset;
	if (load_end && load_end < load_addr)
		return fail(l, "load_end_addr below load_addr");
	memory = bss_end ? bss_end - load_addr : size;
	if ((bss_end && bss_end < load_addr) || memory < size)
		return fail(l, "bss_end_addr below load_end_addr");
	return place(l, load_addr, offset, size, memory);
}

static bool is_elf(const struct load *l)
{
	return l->file.size > 52 && !memcmp(l->file.data, "\177ELF", 4);
}

/* ---- Modules and the area for information ---- */

static uint64_t page_up(uint64_t n)
{
	return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static bool load_module(struct load *l, unsigned i)
{
	const struct module *m = &l->pc->opt.modules[i];
	struct blob b;
	uint64_t at = page_up(l->free);
	void *to;

	if (!read_file(m->path, &b))
		return fail(l, "cannot read module %s", m->path);
	to = machine_ram(l->pc, at, b.size);
	if (to)
		memcpy(to, b.data, b.size);
	free(b.data);
	if (!to)
		return fail(l, "module %s does not fit into memory", m->path);
	l->modules[i].start = (uint32_t)at;
	l->modules[i].end = (uint32_t)(at + b.size);
	l->free = at + b.size;
	return true;
}

static bool load_modules(struct load *l)
{
	l->free = l->high < 0x100000 ? 0x100000 : l->high;
	for (unsigned i = 0; i < l->pc->opt.modules_count; i++)
		if (!load_module(l, i))
			return false;
	/* The information lies low, as GRUB's does, unless the kernel is there. */
	l->info = LOW_INFO;
	l->info_end = LOW_INFO_END;
	if (l->low < LOW_INFO_END && l->high > LOW_INFO) {
		l->info = page_up(l->free);
		l->info_end = l->info + 0x80000;
	}
	if (!machine_ram(l->pc, l->info, l->info_end - l->info))
		return fail(l, "no memory for the boot information");
	return true;
}

/* Takes room there; NULL when it is used up. */
static uint8_t *take(struct load *l, uint64_t size, uint64_t align, uint32_t *address)
{
	uint64_t at = (l->info + align - 1) & ~(align - 1);

	if (at + size > l->info_end)
		return NULL;
	l->info = at + size;
	if (address)
		*address = (uint32_t)at;
	return memset(l->pc->ram + at, 0, size);
}

static uint32_t put_string(struct load *l, const char *first, const char *second)
{
	size_t a = strlen(first), b = strlen(second);
	uint32_t address = 0;
	uint8_t *to = take(l, a + b + 2, 1, &address);

	if (!to)
		return 0;
	memcpy(to, first, a);
	if (a && b)
		to[a++] = ' ';
	memcpy(to + a, second, b);
	return address;
}

/* ---- Memory map ---- */

struct region {
	uint64_t base, size;
	uint32_t type; /* 1 RAM, 2 reserved, 3 ACPI */
};

enum { MAX_REGIONS = 16 };

/* What --fault memory=... does to it is meant to be hard on the reader. */
static unsigned memory_map(const struct machine *pc, struct region r[MAX_REGIONS])
{
	uint64_t top = pc->ram_size;
	struct region tmp;

	r[0] = (struct region){ 0, 0x9fc00, 1 };
	r[1] = (struct region){ 0x9fc00, 0x400, 2 };
	r[2] = (struct region){ 0xf0000, 0x10000, 2 };
	r[3] = (struct region){ 0x100000, top - 0x100000, 1 };
	r[4] = (struct region){ 0xfffc0000, 0x40000, 2 };
	switch (pc->opt.faults.memory) {
	case MAP_HOLES: /* a hole of 1 MB in the middle of RAM, another in the low part */
		r[0].size = 0x80000;
		r[3].size = (top - 0x100000) / 2;
		r[5] = (struct region){ 0x200000 + r[3].size, top - 0x200000 - r[3].size, 1 };
		return 6;
	case MAP_UNSORTED:
		tmp = r[0];
		r[0] = r[3];
		r[3] = tmp;
		r[5] = (struct region){ 0, 0, 1 };
		return 6;
	case MAP_TINY:
		r[3].size = 0x700000 < r[3].size ? 0x700000 : r[3].size;
		return 5;
	case MAP_OVERLAP: /* reserved inside RAM, and one beyond 64 bits */
		r[5] = (struct region){ 0x300000, 0x100000, 2 };
		r[6] = (struct region){ 0xffffffffffff0000, 0x20000, 1 };
		return 7;
	case MAP_NONE:
		return 0;
	default:
		return 5;
	}
}

static uint32_t upper_kb(const struct machine *pc)
{
	return (uint32_t)(pc->ram_size / 1024 - 1024);
}

/* ---- Screen ---- */

/*
 * The fields of the framebuffer, which both versions have in the same order. Where the fields of
 * the colours lie depends on the version.
 */
static void put_screen(const struct load *l, uint8_t *to, uint8_t *colors)
{
	unsigned width = l->pc->opt.screen.width, height = l->pc->opt.screen.height;
	/* EGA text, as GRUB reports a screen that nobody asked to change */
	uint64_t address = width ? l->pc->opt.screen.address : 0xb8000;
	uint32_t shape[3] = { width ? 4 * width : 160, width ? width : 80, width ? height : 25 };

	memcpy(to, &address, 8);
	memcpy(to + 8, shape, 12);
	to[20] = width ? 32 : 16;
	to[21] = width ? 1 : 2;
	if (width) /* position and size of red, green, blue */
		memcpy(colors, (uint8_t[]){ 16, 8, 8, 8, 0, 8 }, 6);
}

/* ---- Multiboot 1 ---- */

enum { MBI_SIZE = 118 };

/* The list of modules. False: no room. */
static bool modules_1(struct load *l, uint32_t *address)
{
	const struct options *opt = &l->pc->opt;
	uint8_t *list = take(l, 16 * opt->modules_count, 16, address);

	if (!list)
		return false;
	for (unsigned i = 0; i < opt->modules_count; i++) {
		uint32_t entry[4] = { l->modules[i].start, l->modules[i].end,
			              put_string(l, opt->modules[i].path, opt->modules[i].args),
			              0 };

		memcpy(list + 16 * i, entry, 16);
	}
	return true;
}

/* The memory map, `count` entries of 24 bytes. False: no room. */
static bool map_1(struct load *l, const struct region *r, unsigned count, uint32_t *address)
{
	uint8_t *list = take(l, 24 * count, 16, address);
	uint32_t size = 20;

	if (!list)
		return false;
	for (unsigned i = 0; i < count; i++) {
		memcpy(list + 24 * i, &size, 4);
		memcpy(list + 24 * i + 4, &r[i].base, 8);
		memcpy(list + 24 * i + 12, &r[i].size, 8);
		memcpy(list + 24 * i + 20, &r[i].type, 4);
	}
	return true;
}

static bool info_1(struct load *l, struct loaded *out)
{
	const struct options *opt = &l->pc->opt;
	uint32_t at, count, flags = 1 | 4 | 0x200 | 0x1000;
	uint8_t *mbi = take(l, MBI_SIZE, 16, &at);
	uint32_t *word = (uint32_t *)(void *)mbi;
	struct region r[MAX_REGIONS];

	if (!mbi)
		return fail(l, "no room for the boot information");
	word[1] = 639;
	word[2] = upper_kb(l->pc);
	word[4] = put_string(l, opt->kernel, opt->command_line);
	word[16] = put_string(l, "cpl0-sim", "");
	if (opt->modules_count) {
		if (!modules_1(l, &word[6]))
			return fail(l, "no room for the list of modules");
		flags |= 8;
		word[5] = opt->modules_count;
	}
	count = memory_map(l->pc, r);
	if (count) {
		if (!map_1(l, r, count, &word[12]))
			return fail(l, "no room for the memory map");
		flags |= 0x40;
		word[11] = 24 * count;
	}
	put_screen(l, mbi + 88, mbi + 112);
	word[0] = flags;
	if (!word[4] || !word[16])
		return fail(l, "command line too long");
	out->magic = MB1_BOOTED;
	out->info = at;
	return true;
}

static bool load_1(struct load *l, uint64_t header, struct loaded *out)
{
	uint32_t flags = (uint32_t)get(&l->file, header + 4, 4), a[5];

	if (flags & 0xfff8)
		return fail(l, "Multiboot header asks for unknown features (%#x)", flags & 0xfff8);
	if (flags & 0x10000) {
		for (unsigned i = 0; i < 5; i++)
			a[i] = (uint32_t)get(&l->file, header + 12 + 4 * i, 4);
		if (!load_raw(l, header, a))
			return false;
		l->entry = a[4];
	} else if (!is_elf(l) || !load_elf(l)) {
		return *l->error ? false : fail(l, "neither ELF nor addresses in the header");
	}
	return load_modules(l) && info_1(l, out);
}

/* ---- Multiboot 2 ---- */

struct tag {
	uint16_t type, flags;
	uint32_t size;
	uint64_t at; /* file offset */
};

/* The next tag of the header; false at its end or when it is damaged. */
static bool next_tag(struct load *l, uint64_t *at, uint64_t end, struct tag *tag)
{
	if (*at + 8 > end)
		return false;
	tag->at = *at;
	tag->type = (uint16_t)get(&l->file, *at, 2);
	tag->flags = (uint16_t)get(&l->file, *at + 2, 2);
	tag->size = (uint32_t)get(&l->file, *at + 4, 4);
	if (tag->size < 8 || *at + tag->size > end)
		return false;
	*at = (*at + tag->size + 7) & ~7ull;
	return tag->type != 0;
}

/* Starts a tag of the information; its data follow the 8 bytes. */
static uint8_t *info_tag(struct load *l, uint32_t type, uint32_t size)
{
	uint8_t *to = take(l, size + 8, 8, NULL);

	if (!to)
		return NULL;
	memcpy(to, (uint32_t[]){ type, size + 8 }, 8);
	return to + 8;
}

static void tag_string(struct load *l, uint32_t type, const char *first, const char *second)
{
	size_t a = strlen(first), b = strlen(second);
	uint8_t *to = info_tag(l, type, (uint32_t)(a + b + 2));

	if (!to)
		return;
	memcpy(to, first, a);
	if (a && b)
		to[a++] = ' ';
	memcpy(to + a, second, b);
}

static void tag_modules(struct load *l)
{
	const struct options *opt = &l->pc->opt;

	for (unsigned i = 0; i < opt->modules_count; i++) {
		const struct module *m = &opt->modules[i];
		size_t a = strlen(m->path), b = strlen(m->args);
		uint32_t range[2] = { l->modules[i].start, l->modules[i].end };
		uint8_t *to = info_tag(l, 3, (uint32_t)(8 + a + b + 2));

		if (!to)
			return;
		memcpy(to, range, 8);
		memcpy(to + 8, m->path, a);
		if (b)
			to[8 + a++] = ' ';
		memcpy(to + 8 + a, m->args, b);
	}
}

static void tag_memory(struct load *l)
{
	struct region r[MAX_REGIONS];
	unsigned count = memory_map(l->pc, r);
	uint8_t *to = info_tag(l, 4, 8);

	if (to)
		memcpy(to, (uint32_t[]){ 639, upper_kb(l->pc) }, 8);
	if (!count)
		return;
	to = info_tag(l, 6, 8 + 24 * count);
	if (!to)
		return;
	memcpy(to, (uint32_t[]){ 24, 0 }, 8);
	for (unsigned i = 0; i < count; i++) {
		memcpy(to + 8 + 24 * i, &r[i].base, 8);
		memcpy(to + 16 + 24 * i, &r[i].size, 8);
		memcpy(to + 24 + 24 * i, &r[i].type, 4);
	}
}

static void tag_screen(struct load *l)
{
	uint8_t *to = info_tag(l, 8, l->pc->opt.screen.width ? 30 : 24);

	if (to)
		put_screen(l, to, to + 24);
}

static void tag_acpi(struct load *l, uint32_t rsdp)
{
	uint8_t *to;

	if (!rsdp)
		return;
	to = info_tag(l, 14, 20);
	if (to)
		memcpy(to, l->pc->ram + rsdp, 20);
	to = info_tag(l, 15, 36);
	if (to)
		memcpy(to, l->pc->ram + rsdp, 36);
}

static bool info_2(struct load *l, uint32_t rsdp, struct loaded *out)
{
	uint32_t at, size;
	uint8_t *start = take(l, 8, 8, &at), *end;

	if (!start)
		return fail(l, "no room for the boot information");
	tag_string(l, 1, "", l->pc->opt.command_line);
	tag_string(l, 2, "cpl0-sim", "");
	tag_modules(l);
	tag_memory(l);
	tag_screen(l);
	tag_acpi(l, rsdp);
	end = info_tag(l, 0, 0);
	if (!end)
		return fail(l, "no room for the boot information");
	size = (uint32_t)(end - start);
	memcpy(start, &size, 4);
	out->magic = MB2_BOOTED;
	out->info = at;
	return true;
}

static bool load_2(struct load *l, uint64_t header, uint32_t rsdp, struct loaded *out)
{
	uint64_t end = header + get(&l->file, header + 8, 4), at = header + 16;
	uint32_t addresses[4];
	bool raw = false, entry = false;
	uint32_t start = 0;
	struct tag tag;

	while (next_tag(l, &at, end, &tag)) {
		switch (tag.type) {
		case 2:
			for (unsigned i = 0; i < 4; i++)
				addresses[i] = (uint32_t)get(&l->file, tag.at + 8 + 4 * i, 4);
			raw = tag.size >= 24;
			break;
		case 3:
			start = (uint32_t)get(&l->file, tag.at + 8, 4);
			entry = tag.size >= 12;
			break;
		case 1: /* information request, console, framebuffer, module alignment, EFI */
		case 4:
		case 5:
		case 6:
		case 7:
		case 8:
		case 9:
		case 10:
			break;
		default:
			if (!(tag.flags & 1))
				return fail(l, "Multiboot 2 header tag %u is not known", tag.type);
			break;
		}
	}
	if (raw && !entry)
		return fail(l, "Multiboot 2 header has addresses but no entry");
	if (raw ? !load_raw(l, header, addresses) : !is_elf(l) || !load_elf(l))
		return *l->error ? false : fail(l, "neither ELF nor addresses in the header");
	if (entry)
		l->entry = start;
	return load_modules(l) && info_2(l, rsdp, out);
}

/* ---- Finding the header ---- */

static bool find_1(const struct load *l, uint64_t *header)
{
	for (uint64_t at = 0; at + 12 <= l->file.size && at + 12 <= HEADER_1; at += 4) {
		uint32_t sum = (uint32_t)(get(&l->file, at, 4) + get(&l->file, at + 4, 4) +
		                          get(&l->file, at + 8, 4));

		if (get(&l->file, at, 4) == MB1_MAGIC && !sum) {
			*header = at;
			return true;
		}
	}
	return false;
}

static bool find_2(const struct load *l, uint64_t *header)
{
	for (uint64_t at = 0; at + 16 <= l->file.size && at + 16 <= HEADER_2; at += 8) {
		uint32_t sum = 0;

		for (unsigned i = 0; i < 4; i++)
			sum += (uint32_t)get(&l->file, at + 4 * i, 4);
		if (get(&l->file, at, 4) == MB2_MAGIC && !sum && !get(&l->file, at + 4, 4) &&
		    get(&l->file, at + 8, 4) >= 16 &&
		    at + get(&l->file, at + 8, 4) <= l->file.size) {
			*header = at;
			return true;
		}
	}
	return false;
}

bool loader_load(struct machine *pc, struct loaded *out, char *error, size_t size)
{
	struct load l = { .pc = pc, .error = error, .error_size = size, .low = UINT64_MAX };
	uint64_t header;
	uint32_t rsdp = pc->opt.no_acpi ? 0 : acpi_build(pc);
	bool ok;

	*error = 0;
	if (!read_file(pc->opt.kernel, &l.file))
		return fail(&l, "cannot read %s", pc->opt.kernel);
	if (pc->opt.multiboot != 2 && find_1(&l, &header))
		ok = load_1(&l, header, out);
	else if (pc->opt.multiboot != 1 && find_2(&l, &header))
		ok = load_2(&l, header, rsdp, out);
	else
		ok = fail(&l, "%s has no Multiboot header", pc->opt.kernel);
	free(l.file.data);
	if (ok && !machine_ram(pc, l.entry, 1))
		ok = fail(&l, "entry point %#x is outside of memory", l.entry);
	out->entry = l.entry;
	return ok;
}
