/*
 * Reading ELF section headers from untrusted bytes (bench/elf.h).
 */
#include "bench/elf.h"

/* Offsets of the header fields for both classes. */
struct layout {
	uint8_t ehsize, machine, shoff, shentsize, shnum, shstrndx;
	uint8_t shsize, name, type, flags, addr, offset, size;
};

static const struct layout layouts[] = {
	{ 52, 18, 32, 46, 48, 50, 40, 0, 4, 8, 12, 16, 20 },
	{ 64, 18, 40, 58, 60, 62, 64, 0, 4, 8, 16, 24, 32 },
};

static uint64_t number(const uint8_t *at, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | at[bytes];
	return v;
}

static const struct layout *layout(const struct elf *e)
{
	return &layouts[e->wide];
}

/* An address-sized field of the class. */
static uint64_t word(const struct elf *e, const uint8_t *at)
{
	return number(at, e->wide ? 8 : 4);
}

static bool inside(const struct elf *e, uint64_t offset, uint64_t n)
{
	return offset <= e->size && n <= e->size - offset;
}

bool elf_is(const void *file, size_t size)
{
	const uint8_t *p = file;

	return size >= 4 && p[0] == 0x7f && p[1] == 'E' && p[2] == 'L' && p[3] == 'F';
}

const char *elf_open(struct elf *e, const void *file, size_t size)
{
	const uint8_t *p = file;
	const struct layout *l;

	*e = (struct elf){ .file = p, .size = size };
	if (!elf_is(file, size) || size < layouts[0].ehsize)
		return "its ELF header is cut off";
	if (p[ELF_DATA] != ELF_LSB || (p[ELF_CLASS] != ELF_CLASS32 && p[ELF_CLASS] != ELF_CLASS64))
		return "it is ELF of a class or byte order that no x86 has";
	e->wide = p[ELF_CLASS] == ELF_CLASS64;
	l = layout(e);
	if (size < l->ehsize)
		return "its ELF header is cut off";
	e->machine = (uint16_t)number(p + l->machine, 2);
	e->shoff = word(e, p + l->shoff);
	e->shentsize = (uint16_t)number(p + l->shentsize, 2);
	e->shnum = (uint16_t)number(p + l->shnum, 2);
	e->shstrndx = (uint16_t)number(p + l->shstrndx, 2);
	if (!e->shnum || e->shentsize < l->shsize ||
	    !inside(e, e->shoff, (uint64_t)e->shnum * e->shentsize) || e->shstrndx >= e->shnum)
		return "its section headers lie outside the file";
	return NULL;
}

static const uint8_t *header(const struct elf *e, unsigned i)
{
	return e->file + e->shoff + (uint64_t)i * e->shentsize;
}

static bool name_ends(const struct elf *e, uint64_t at, uint64_t end)
{
	for (; at < end; at++)
		if (!e->file[at])
			return true;
	return false;
}

const char *elf_section(const struct elf *e, unsigned i, struct elf_section *s)
{
	const struct layout *l = layout(e);
	const uint8_t *h = header(e, i), *strings = header(e, e->shstrndx);
	uint64_t names = word(e, strings + l->offset), length = word(e, strings + l->size);
	uint64_t name = number(h + l->name, 4);

	if (!inside(e, names, length) || name >= length ||
	    !name_ends(e, names + name, names + length))
		return "a section name lies outside the file";
	s->name = (const char *)e->file + names + name;
	s->type = (uint32_t)number(h + l->type, 4);
	s->flags = word(e, h + l->flags);
	s->addr = word(e, h + l->addr);
	s->offset = word(e, h + l->offset);
	s->size = word(e, h + l->size);
	if (s->type != SHT_NOBITS && !inside(e, s->offset, s->size))
		return "a section lies outside the file";
	return NULL;
}
