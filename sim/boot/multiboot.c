/*
 * sim/boot/multiboot.c - Multiboot 1 (0.6.96) and 2 (2.0).
 */
#include "sim/boot/multiboot.h"

#include <string.h>

#include "sim/boot/load.h"
#include "sim/boot/loader.h"
#include "sim/cpu/machine.h"

enum { MB1_MAGIC = 0x1badb002, MB1_BOOTED = 0x2badb002 };
#define MB2_MAGIC  0xe85250d6u
#define MB2_BOOTED 0x36d76289u
enum { HEADER_1 = 8192, HEADER_2 = 32768 };

/* ---- Screen ---- */

/*
 * The fields of the framebuffer, which both versions have in the same order. Where the fields of
 * the colours lie depends on the version.
 */
static void put_screen(const struct load *l, uint8_t *to, uint8_t *colors)
{
	unsigned width = l->pc->opt.screen.width, height = l->pc->opt.screen.height;
	/* EGA text, as GRUB reports a screen that no request has changed */
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
	uint8_t *list = load_take(l, 16 * opt->modules_count, 16, address);

	if (!list)
		return false;
	for (unsigned i = 0; i < opt->modules_count; i++) {
		uint32_t entry[4] = { l->modules[i].start, l->modules[i].end,
			              load_string(l, opt->modules[i].path, opt->modules[i].args),
			              0 };

		memcpy(list + 16 * i, entry, 16);
	}
	return true;
}

/* The memory map, `count` entries of 24 bytes. False: no room. */
static bool map_1(struct load *l, const struct region *r, unsigned count, uint32_t *address)
{
	uint8_t *list = load_take(l, 24 * count, 16, address);
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
	uint8_t *mbi = load_take(l, MBI_SIZE, 16, &at);
	uint32_t *word = (uint32_t *)(void *)mbi;
	struct region r[MAX_REGIONS];

	if (!mbi)
		return load_fail(l, "no room for the boot information");
	word[1] = 639;
	word[2] = load_upper_kb(l->pc);
	word[4] = load_string(l, opt->kernel, opt->command_line);
	word[16] = load_string(l, "cpl0-sim", "");
	if (opt->modules_count) {
		if (!modules_1(l, &word[6]))
			return load_fail(l, "no room for the list of modules");
		flags |= 8;
		word[5] = opt->modules_count;
	}
	count = load_map(l->pc, r);
	if (count) {
		if (!map_1(l, r, count, &word[12]))
			return load_fail(l, "no room for the memory map");
		flags |= 0x40;
		word[11] = 24 * count;
	}
	put_screen(l, mbi + 88, mbi + 112);
	word[0] = flags;
	if (!word[4] || !word[16])
		return load_fail(l, "command line too long");
	out->magic = MB1_BOOTED;
	out->info = at;
	return true;
}

bool multiboot_1(struct load *l, uint64_t header, struct loaded *out)
{
	uint32_t flags = (uint32_t)load_get(&l->file, header + 4, 4), a[5];

	if (flags & 0xfff8)
		return load_fail(l, "Multiboot header asks for unknown features (%#x)",
		                 flags & 0xfff8);
	if (flags & 0x10000) {
		for (unsigned i = 0; i < 5; i++)
			a[i] = (uint32_t)load_get(&l->file, header + 12 + 4 * i, 4);
		if (!load_raw(l, header, a))
			return false;
		l->entry = a[4];
	} else if (!load_is_elf(l) || !load_elf(l)) {
		return *l->error ? false : load_fail(l, "neither ELF nor addresses in the header");
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
	tag->type = (uint16_t)load_get(&l->file, *at, 2);
	tag->flags = (uint16_t)load_get(&l->file, *at + 2, 2);
	tag->size = (uint32_t)load_get(&l->file, *at + 4, 4);
	if (tag->size < 8 || *at + tag->size > end)
		return false;
	*at = (*at + tag->size + 7) & ~7ull;
	return tag->type != 0;
}

/* Starts a tag of the information; its data follow the 8 bytes. */
static uint8_t *info_tag(struct load *l, uint32_t type, uint32_t size)
{
	uint8_t *to = load_take(l, size + 8, 8, NULL);

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
	unsigned count = load_map(l->pc, r);
	uint8_t *to = info_tag(l, 4, 8);

	if (to)
		memcpy(to, (uint32_t[]){ 639, load_upper_kb(l->pc) }, 8);
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
	uint8_t *start = load_take(l, 8, 8, &at), *end;

	if (!start)
		return load_fail(l, "no room for the boot information");
	tag_string(l, 1, "", l->pc->opt.command_line);
	tag_string(l, 2, "cpl0-sim", "");
	tag_modules(l);
	tag_memory(l);
	tag_screen(l);
	tag_acpi(l, rsdp);
	end = info_tag(l, 0, 0);
	if (!end)
		return load_fail(l, "no room for the boot information");
	size = (uint32_t)(end - start);
	memcpy(start, &size, 4);
	out->magic = MB2_BOOTED;
	out->info = at;
	return true;
}

bool multiboot_2(struct load *l, uint64_t header, uint32_t rsdp, struct loaded *out)
{
	uint64_t end = header + load_get(&l->file, header + 8, 4), at = header + 16;
	uint32_t addresses[4];
	bool raw = false, entry = false;
	uint32_t start = 0;
	struct tag tag;

	while (next_tag(l, &at, end, &tag)) {
		switch (tag.type) {
		case 2:
			for (unsigned i = 0; i < 4; i++)
				addresses[i] = (uint32_t)load_get(&l->file, tag.at + 8 + 4 * i, 4);
			raw = tag.size >= 24;
			break;
		case 3:
			start = (uint32_t)load_get(&l->file, tag.at + 8, 4);
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
				return load_fail(l, "Multiboot 2 header tag %u is not known",
				                 tag.type);
			break;
		}
	}
	if (raw && !entry)
		return load_fail(l, "Multiboot 2 header has addresses but no entry");
	if (raw ? !load_raw(l, header, addresses) : !load_is_elf(l) || !load_elf(l))
		return *l->error ? false : load_fail(l, "neither ELF nor addresses in the header");
	if (entry)
		l->entry = start;
	return load_modules(l) && info_2(l, rsdp, out);
}

/* ---- Finding the header ---- */

bool multiboot_find_1(const struct load *l, uint64_t *header)
{
	for (uint64_t at = 0; at + 12 <= l->file.size && at + 12 <= HEADER_1; at += 4) {
		uint32_t sum =
			(uint32_t)(load_get(&l->file, at, 4) + load_get(&l->file, at + 4, 4) +
		                   load_get(&l->file, at + 8, 4));

		if (load_get(&l->file, at, 4) == MB1_MAGIC && !sum) {
			*header = at;
			return true;
		}
	}
	return false;
}

bool multiboot_find_2(const struct load *l, uint64_t *header)
{
	for (uint64_t at = 0; at + 16 <= l->file.size && at + 16 <= HEADER_2; at += 8) {
		uint32_t sum = 0;

		for (unsigned i = 0; i < 4; i++)
			sum += (uint32_t)load_get(&l->file, at + 4 * i, 4);
		if (load_get(&l->file, at, 4) == MB2_MAGIC && !sum &&
		    !load_get(&l->file, at + 4, 4) && load_get(&l->file, at + 8, 4) >= 16 &&
		    at + load_get(&l->file, at + 8, 4) <= l->file.size) {
			*header = at;
			return true;
		}
	}
	return false;
}
