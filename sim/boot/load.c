/*
 * sim/boot/load.c - files, ELF of 32 and 64 bits or raw segments, modules, the memory map.
 */
#include "sim/boot/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cpu/machine.h"
#include "tools/lib/output.h"

enum { PAGE = 4096 };
enum { LOW_INFO = 0x10000, LOW_INFO_END = 0x90000 };

bool load_fail(struct load *l, const char *why, ...)
{
	va_list args;

	va_start(args, why);
	vsnprintf(l->error, l->error_size, why, args);
	va_end(args);
	return false;
}

bool load_read(const char *path, struct blob *b)
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

uint64_t load_get(const struct blob *b, uint64_t at, unsigned size)
{
	uint64_t value = 0;

	if (at <= b->size && size <= b->size - at)
		memcpy(&value, b->data + at, size);
	return value;
}

/* ---- Segments ---- */

bool load_place(struct load *l, uint64_t at, uint64_t from, uint64_t size, uint64_t memory)
{
	uint8_t *to = machine_ram(l->pc, at, memory);

	if (from > l->file.size || size > l->file.size - from || size > memory)
		return load_fail(l, "segment outside of the file");
	if (!to)
		return load_fail(l, "segment at %#llx, %llu bytes: no memory there",
		                 (unsigned long long)at, (unsigned long long)memory);
	if (at < 0x100000 && at + memory > 0xa0000)
		return load_fail(l, "segment at %#llx lies in the video memory or BIOS",
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

bool load_elf(struct load *l)
{
	const struct blob *f = &l->file;
	const struct elf_class *c = load_get(f, 4, 1) == 2 ? &elf64 : &elf32;
	uint64_t table = load_get(f, c->phoff, c->word), entry = load_get(f, c->entry, c->word);
	unsigned count = (unsigned)load_get(f, c->phnum, 2),
		 step = (unsigned)load_get(f, c->phentsize, 2);
	uint64_t start = entry;

	if (load_get(f, 5, 1) != 1 || step < c->size)
		return load_fail(
			l, "not a little-endian ELF file, or its program headers are damaged");
	for (unsigned i = 0; i < count; i++) {
		uint64_t at = table + (uint64_t)i * step;
		uint64_t vaddr = load_get(f, at + c->vaddr, c->word);
		uint64_t paddr = load_get(f, at + c->paddr, c->word);
		uint64_t memory = load_get(f, at + c->memsz, c->word);

		if (at < table || at > f->size || f->size - at < c->size)
			return load_fail(l, "program headers outside of the file");
		if (load_get(f, at, 4) != 1 || !memory)
			continue;
		if (!load_place(l, paddr, load_get(f, at + c->offset, c->word),
		                load_get(f, at + c->filesz, c->word), memory))
			return false;
		if (entry >= vaddr && entry - vaddr < memory)
			start = entry - vaddr + paddr;
	}
	if (!l->high)
		return load_fail(l, "no segment to load");
	l->entry = (uint32_t)start;
	return true;
}

bool load_raw(struct load *l, uint64_t header, const uint32_t a[4])
{
	uint64_t header_addr = a[0], load_addr = a[1], load_end = a[2], bss_end = a[3];
	uint64_t offset = header - (header_addr - load_addr), size, memory;

	if (load_addr > header_addr || header_addr - load_addr > header)
		return load_fail(l, "header addresses contradict each other");
	if (offset > l->file.size)
		return load_fail(l, "header addresses point outside of the file");
	size = load_end ? load_end - load_addr : l->file.size - offset;
	if (load_end && load_end < load_addr)
		return load_fail(l, "load_end_addr below load_addr");
	memory = bss_end ? bss_end - load_addr : size;
	if ((bss_end && bss_end < load_addr) || memory < size)
		return load_fail(l, "bss_end_addr below load_end_addr");
	return load_place(l, load_addr, offset, size, memory);
}

bool load_is_elf(const struct load *l)
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

	if (!load_read(m->path, &b))
		return load_fail(l, "cannot read module %s", output_name(m->path));
	to = machine_ram(l->pc, at, b.size);
	if (to)
		memcpy(to, b.data, b.size);
	free(b.data);
	if (!to)
		return load_fail(l, "module %s does not fit into memory", output_name(m->path));
	l->modules[i].start = (uint32_t)at;
	l->modules[i].end = (uint32_t)(at + b.size);
	l->free = at + b.size;
	return true;
}

bool load_modules(struct load *l)
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
		return load_fail(l, "no memory for the boot information");
	return true;
}

uint8_t *load_take(struct load *l, uint64_t size, uint64_t align, uint32_t *address)
{
	uint64_t at = (l->info + align - 1) & ~(align - 1);

	if (at + size > l->info_end)
		return NULL;
	l->info = at + size;
	if (address)
		*address = (uint32_t)at;
	return memset(l->pc->ram + at, 0, size);
}

uint32_t load_string(struct load *l, const char *first, const char *second)
{
	size_t a = strlen(first), b = strlen(second);
	uint32_t address = 0;
	uint8_t *to = load_take(l, a + b + 2, 1, &address);

	if (!to)
		return 0;
	memcpy(to, first, a);
	if (a && b)
		to[a++] = ' ';
	memcpy(to + a, second, b);
	return address;
}

/* ---- Memory map ---- */

/* What --fault memory=... does to it is meant to be hard on the reader. */
unsigned load_map(const struct machine *pc, struct region r[MAX_REGIONS])
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
		r[5] = (struct region){ MACHINE_HIGH, pc->ram_high, 1 };
		return pc->ram_high ? 6 : 5;
	}
}

uint32_t load_upper_kb(const struct machine *pc)
{
	return (uint32_t)(pc->ram_size / 1024 - 1024);
}
