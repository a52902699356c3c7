/*
 * Boot modules of bench/. Real ELF files from the assembler would test the toolchain alone, so the
 * section headers are built by hand here, and then broken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <elf.h>

#include "bench/module.h"
#include "bench/modulefile.h"
#include "bench/snippet.h"
#include "kernel/lib/log.h"

enum { DATA = 256, SNIPPETS = 64, NAMES = 64 };

/* An ELF64 file with .text, snippets and the section names; field by field as <elf.h> has it. */
struct file {
	Elf64_Ehdr head;
	Elf64_Shdr section[4];
	uint8_t text[DATA];
	uint8_t snippets[SNIPPETS];
	char names[NAMES];
};

static void fill(struct file *f)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->head.e_ident, ELFMAG, SELFMAG);
	f->head.e_ident[EI_CLASS] = ELFCLASS64;
	f->head.e_ident[EI_DATA] = ELFDATA2LSB;
	f->head.e_machine = EM_X86_64;
	f->head.e_shoff = offsetof(struct file, section);
	f->head.e_shentsize = sizeof(Elf64_Shdr);
	f->head.e_shnum = 4;
	f->head.e_shstrndx = 3;
	memcpy(f->names, "\0.text\0snippets\0", 16);
	f->section[1] = (Elf64_Shdr){ .sh_name = 1,
		                      .sh_type = SHT_PROGBITS,
		                      .sh_flags = SHF_ALLOC,
		                      .sh_addr = 0,
		                      .sh_offset = offsetof(struct file, text),
		                      .sh_size = DATA };
	f->section[2] = (Elf64_Shdr){ .sh_name = 7,
		                      .sh_type = SHT_PROGBITS,
		                      .sh_flags = SHF_ALLOC,
		                      .sh_addr = DATA,
		                      .sh_offset = offsetof(struct file, snippets),
		                      .sh_size = SNIPPETS };
	f->section[3] = (Elf64_Shdr){ .sh_name = 0,
		                      .sh_type = SHT_STRTAB,
		                      .sh_offset = offsetof(struct file, names),
		                      .sh_size = NAMES };
}

static void test_good(void **state)
{
	struct module_part part;
	struct file f;

	(void)state;
	fill(&f);
	assert_null(module_part(&f, sizeof(f), 64, &part));
	assert_ptr_equal(part.start, f.snippets);
	assert_ptr_equal(part.end, f.snippets + SNIPPETS);
	assert_ptr_equal(module_part(&f, sizeof(f), 32, &part), module_other_width);
}

static void test_flat(void **state)
{
	static const uint8_t flat[100] = { 1, 2, 3 };
	struct module_part part;

	(void)state;
	assert_null(module_part(flat, sizeof(flat), 32, &part));
	assert_true(part.start == flat && part.end == flat + sizeof(flat));
	assert_null(module_part("\177EL", 3, 32, &part)); /* too short to be ELF */
}

static void test_refuses(void **state)
{
	struct module_part part;
	struct file f;

	(void)state;
#define REFUSES(change)                                        \
	do {                                                   \
		const char *why;                               \
		fill(&f);                                      \
		change;                                        \
		why = module_part(&f, sizeof(f), 64, &part);   \
		assert_non_null(why);                          \
		assert_ptr_not_equal(why, module_other_width); \
	} while (0)
	REFUSES(f.head.e_ident[EI_DATA] = ELFDATA2MSB);
	REFUSES(f.head.e_ident[EI_CLASS] = 3);
	REFUSES(f.head.e_machine = EM_ARM);
	REFUSES(f.head.e_shnum = 0);
	REFUSES(f.head.e_shnum = 0xffff);
	REFUSES(f.head.e_shentsize = 8);
	REFUSES(f.head.e_shoff = ~0ull - 8);
	REFUSES(f.head.e_shstrndx = 4);
	REFUSES(f.names[7] = 'X'); /* no section called snippets */
	REFUSES(f.section[1].sh_name = NAMES);
	REFUSES(memset(f.names + 7, 'x', NAMES - 7)); /* a name that does not end */
	REFUSES(f.section[2].sh_size = 1 << 20);
	REFUSES(f.section[2].sh_offset = ~0ull - 4);
	REFUSES(f.section[1].sh_addr = 4096); /* not in one piece */
	REFUSES(f.section[1].sh_type = SHT_NOBITS);
	REFUSES(f.section[1].sh_type = SHT_RELA);
	fill(&f);
	assert_non_null(module_part(&f, 40, 64, &part));
}

static void test_fuzz(void **state)
{
	uint32_t x = 99;

	(void)state;
	for (unsigned round = 0; round < 100000; round++) {
		struct file *f = malloc(sizeof(*f));
		size_t size = sizeof(*f);
		struct module_part part;

		fill(f);
		for (unsigned n = 1 + (x >> 8) % 4; n; n--) {
			x = x * 1664525 + 1013904223;
			((uint8_t *)f)[(x >> 8) % (sizeof(f->head) + sizeof(f->section))] =
				(uint8_t)(x >> 24);
		}
		if (!module_part(f, size, 64, &part)) {
			assert_true(part.start >= (uint8_t *)f && part.start <= part.end);
			assert_true(part.end <= (uint8_t *)f + size);
		}
		free(f);
	}
}

static char logged[65536];
static size_t logged_size;

static void take_line(const char *line, size_t n)
{
	assert_true(logged_size + n < sizeof(logged));
	memcpy(logged + logged_size, line, n);
	logged_size += n;
}

static unsigned occurrences(const char *what)
{
	unsigned n = 0;

	for (const char *p = logged; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* A module for the other kernel is skipped; if there is no other one, that is an error. */
static void test_other_width(void **state)
{
	static struct bootinfo bi = { .nmodules = 1 };
	struct file *low = mmap(NULL, sizeof(*low), PROT_READ | PROT_WRITE,
	                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	(void)state;
	assert_ptr_not_equal(low, MAP_FAILED);
	fill(low);
	low->head.e_machine = EM_386;
	bi.modules[0] = (struct boot_module){ .start = (uintptr_t)low,
		                              .end = (uintptr_t)low + sizeof(*low),
		                              .name = "other" };
	logged_size = 0;
	log_sink(take_line);
	assert_false(module_init(&bi));
	log_sink(NULL);
	assert_int_equal(occurrences("skip bench=other"), 1);
	assert_int_equal(occurrences("error what=module culprit=other"), 1);
	munmap(low, sizeof(*low));
}

/*
 * Garbage with a magic number at each place gives 15 complaints and a last one, and not one for
 * each of its 3000 places: on a serial line that took half a minute.
 */
static void test_complaints(void **state)
{
	static struct bootinfo bi;
	const size_t size = 4000;
	uint32_t *low = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	(void)state;
	assert_ptr_not_equal(low, MAP_FAILED);
	for (size_t i = 0; i < size / 4; i++)
		low[i] = SNIPPET_MAGIC;
	for (bi.nmodules = 0; bi.nmodules < 3; bi.nmodules++)
		bi.modules[bi.nmodules] = (struct boot_module){ .start = (uintptr_t)low,
			                                        .end = (uintptr_t)low + size,
			                                        .name = "garbage" };
	log_sink(take_line);
	assert_false(module_init(&bi));
	log_sink(NULL);
	assert_int_equal(occurrences("error what=module culprit=garbage"), 17);
	assert_int_equal(occurrences("too many defects; the rest of the modules is ignored"), 1);
	munmap(low, size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),        cmocka_unit_test(test_flat),
		cmocka_unit_test(test_refuses),     cmocka_unit_test(test_fuzz),
		cmocka_unit_test(test_other_width), cmocka_unit_test(test_complaints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
