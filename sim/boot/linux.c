/*
 * sim/boot/linux.c - bzImages: Linux, and others that look like it to a boot loader (memtest86+).
 */
#include "sim/boot/linux.h"

#include <string.h>

#include "sim/boot/load.h"
#include "sim/boot/loader.h"
#include "sim/cpu/machine.h"

/* Offsets in the file and in the parameters alike (boot.rst, "The Real-Mode Kernel Header"). */
enum {
	SETUP_SECTS = 0x1f1,
	BOOT_FLAG = 0x1fe,
	JUMP = 0x200,
	MAGIC = 0x202,
	PROTOCOL = 0x206,
	LOADER = 0x210,
	LOAD_FLAGS = 0x211,
	CODE_START = 0x214,
	DISK_AT = 0x218,
	DISK_SIZE = 0x21c,
	COMMAND_LINE = 0x228,
	RELOCATABLE = 0x234,
	PREFERRED = 0x258,
	INIT_SIZE = 0x260,
};

/* Of the parameters alone (zero-page.rst). */
enum { TEXT = 0x06, RSDP = 0x70, E820_COUNT = 0x1e8, E820 = 0x2d0, PARAMETERS = 4096 };
enum { LOADED_HIGH = 1, UNKNOWN_LOADER = 0xff };
enum { HIGH = 0x100000 };

bool linux_is_image(const struct load *l)
{
	return load_get(&l->file, BOOT_FLAG, 2) == 0xaa55 &&
	       load_get(&l->file, MAGIC, 4) == 0x53726448 && /* HdrS */
	       load_get(&l->file, PROTOCOL, 2) >= 0x202 &&
	       load_get(&l->file, LOAD_FLAGS, 1) & LOADED_HIGH;
}

/* The code for protected mode, where it wants to be. It may unpack itself there. */
static bool place_code(struct load *l)
{
	const struct blob *f = &l->file;
	uint64_t sectors = load_get(f, SETUP_SECTS, 1), from, size, memory, at = HIGH;

	from = ((sectors ? sectors : 4) + 1) * 512;
	if (from >= f->size)
		return load_fail(l, "the part for protected mode lies outside of the file");
	size = memory = f->size - from;
	if (load_get(f, PROTOCOL, 2) >= 0x20a) {
		if (load_get(f, RELOCATABLE, 1))
			at = load_get(f, PREFERRED, 8);
		if (load_get(f, INIT_SIZE, 4) > memory)
			memory = load_get(f, INIT_SIZE, 4);
	}
	if (at < HIGH || at >> 32)
		return load_fail(l, "the image wants to be at %#llx", (unsigned long long)at);
	l->entry = (uint32_t)at;
	return load_place(l, at, from, size, memory);
}

static void put(uint8_t *to, unsigned at, unsigned size, uint64_t value)
{
	memcpy(to + at, &value, size);
}

/* VGA text of 80 columns and 25 lines, mode 3. */
static void put_screen(uint8_t *to)
{
	static const uint8_t text[] = { 3, 80, 0, 0, 0, 0, 0, 0, 25, 1, 16 };

	memcpy(to + TEXT, text, sizeof(text));
}

static void put_map(const struct load *l, uint8_t *to)
{
	struct region r[MAX_REGIONS];
	unsigned count = load_map(l->pc, r);

	to[E820_COUNT] = (uint8_t)count;
	for (unsigned i = 0; i < count; i++) {
		put(to, E820 + 20 * i, 8, r[i].base);
		put(to, E820 + 20 * i + 8, 8, r[i].size);
		put(to, E820 + 20 * i + 16, 4, r[i].type);
	}
}

/* CS is 10h and the others are 18h, both flat. */
static bool put_gdt(struct load *l, uint32_t *at)
{
	static const uint64_t gdt[] = { 0, 0, 0x00cf9b000000ffff, 0x00cf93000000ffff };
	uint8_t *to = load_take(l, sizeof(gdt), 8, at);

	if (!to)
		return load_fail(l, "no room for the GDT");
	memcpy(to, gdt, sizeof(gdt));
	return true;
}

bool linux_load(struct load *l, uint32_t rsdp, struct loaded *out)
{
	uint64_t header_end = JUMP + 2 + load_get(&l->file, JUMP + 1, 1);
	uint32_t at, line;
	uint8_t *to;

	if (!place_code(l) || !load_modules(l))
		return false;
	to = load_take(l, PARAMETERS, PARAMETERS, &at);
	if (!to)
		return load_fail(l, "no room for the boot parameters");
	if (header_end > l->file.size)
		return load_fail(l, "the header lies outside of the file");
	memcpy(to + SETUP_SECTS, l->file.data + SETUP_SECTS, header_end - SETUP_SECTS);
	put_screen(to);
	put_map(l, to);
	put(to, RSDP, 8, rsdp);
	to[LOADER] = UNKNOWN_LOADER;
	put(to, CODE_START, 4, l->entry);
	if (l->pc->opt.modules_count) {
		put(to, DISK_AT, 4, l->modules[0].start);
		put(to, DISK_SIZE, 4, l->modules[0].end - l->modules[0].start);
	}
	line = load_string(l, "", l->pc->opt.command_line);
	if (!line)
		return load_fail(l, "the command line is too long");
	put(to, COMMAND_LINE, 4, line);
	out->parameters = at;
	return put_gdt(l, &out->gdt);
}
