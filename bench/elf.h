/*
 * The fields of an ELF file that the module loader looks at, in one form for both classes.
 * Source: System V ABI, chapter 4, "Object Files".
 */
#ifndef BENCH_ELF_H
#define BENCH_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ELF_CLASS = 4, /* offset of EI_CLASS */
	ELF_DATA = 5,
	ELF_CLASS32 = 1,
	ELF_CLASS64 = 2,
	ELF_LSB = 1,
	EM_386 = 3,
	EM_X86_64 = 62,
	SHT_RELA = 4,
	SHT_NOBITS = 8,
	SHT_REL = 9,
	SHF_ALLOC = 2,
};

struct elf {
	const uint8_t *file;
	size_t size;
	bool wide; /* ELFCLASS64 */
	uint16_t machine;
	uint64_t shoff;
	uint16_t shentsize, shnum, shstrndx;
};

struct elf_section {
	const char *name; /* ends inside the file */
	uint32_t type;
	uint64_t flags, addr, offset, size; /* offset + size is inside the file unless NOBITS */
};

/* Do the bytes begin as an ELF file does? */
bool elf_is(const void *file, size_t size);

/* Open a file; read section i. Both return NULL, or a text that says what is wrong. */
const char *elf_open(struct elf *e, const void *file, size_t size);
const char *elf_section(const struct elf *e, unsigned i, struct elf_section *s);

#endif
