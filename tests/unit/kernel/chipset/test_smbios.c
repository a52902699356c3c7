/*
 * kernel/chipset/smbios.c: tables that are good, cut short, looping or garbage, in a memory of a
 * MiB. The sanitizer sees what is read beyond it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/smbios.h"

enum { MEMORY = 0x100000, ENTRY = 0xf1230, TABLE = 0xe0000, SYSTEM = 0x8000, ROWS = 0x9000 };

static const uint8_t structures[] =
	"\x00\x12\x00\x00\x01\x02\x00\xf0\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	"A Firm\0  1.\x07"
	"0 \0"
	"01/02/2025\0\0"
	"\x01\x1b\x01\x00\x01\x02\x00\x04UUID.UUID.UUID..\x00\x00\x00"
	"Maker\0Product\0unused\0SERIAL\0\0"
	"\x02\x08\x02\x00\x01\x02\x03\x04"
	"Boards\0B1\0rev 2\0SERIAL\0\0"
	"\x02\x08\x03\x00\x01\x00\x00\x00"
	"Riser\0\0"
	"\x7f\x04\x04\x00\0";

static uint8_t *memory;
static const char *complaint;

static void complain(const char *what, const char *why)
{
	assert_string_equal(what, "SMBIOS");
	complaint = why;
}

static void put(uint32_t address, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		memory[address + i] = (uint8_t)(v >> 8 * i);
}

static void sum(uint32_t address, unsigned size, unsigned at)
{
	uint8_t all = 0;

	memory[address + at] = 0;
	for (unsigned i = 0; i < size; i++)
		all = (uint8_t)(all + memory[address + i]);
	memory[address + at] = (uint8_t)-all;
}

static void entry2(uint64_t table, unsigned size)
{
	memcpy(memory + ENTRY, "_SM_", 4);
	memcpy(memory + ENTRY + 16, "_DMI_", 5);
	put(ENTRY + 22, size, 2);
	put(ENTRY + 24, table, 4);
	sum(ENTRY + 16, 15, 5);
}

static void entry3(uint32_t address, uint64_t table, uint32_t size)
{
	memcpy(memory + address, "_SM3_", 5);
	memory[address + 6] = 24;
	put(address + 12, size, 4);
	put(address + 16, table, 8);
	sum(address, 24, 5);
}

static struct smbios parse(uint64_t efi, unsigned bits)
{
	struct smbios s;

	complaint = NULL;
	smbios_parse(&s, efi, bits, memory, MEMORY, complain);
	return s;
}

static int begin(void **state)
{
	(void)state;
	memory = calloc(1, MEMORY);
	memcpy(memory + TABLE, structures, sizeof(structures));
	return 0;
}

static int end(void **state)
{
	(void)state;
	free(memory);
	return 0;
}

static void names(const struct smbios *s)
{
	static const char *const is[SMBIOS_NAMES] = { "A Firm", "1.?0",    "01/02/2025",
		                                      "Maker",  "Product", "",
		                                      "Boards", "B1",      "rev 2" };

	assert_true(s->present);
	for (unsigned i = 0; i < SMBIOS_NAMES; i++)
		assert_string_equal(s->name[i], is[i]);
}

static void test_good(void **state)
{
	struct smbios s;

	(void)state;
	s = parse(0, 0);
	assert_false(s.present || complaint);
	entry2(TABLE, sizeof(structures));
	s = parse(0, 0);
	names(&s);
	assert_null(complaint);
	memory[ENTRY + 17] ^= 1; /* no anchor any more */
	s = parse(0, 0);
	assert_false(s.present);
	entry3(ENTRY, TABLE, sizeof(structures));
	s = parse(0, 0);
	names(&s);
	memory[ENTRY + 5] ^= 1; /* the sum */
	s = parse(0, 0);
	assert_false(s.present);
}

static void test_efi(void **state)
{
	static const uint8_t guid3[] = { 0x44, 0x15, 0xfd, 0xf2, 0x94, 0x97, 0x2c, 0x4a,
		                         0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3, 0x94 };
	struct smbios s;

	(void)state;
	for (unsigned bits = 32; bits <= 64; bits += 32) {
		const unsigned word = bits / 8, row = 16 + word;

		entry3(0x4000, TABLE, sizeof(structures));
		put(SYSTEM + (bits == 64 ? 104 : 64), 2, word);
		put(SYSTEM + (bits == 64 ? 112 : 68), ROWS, word);
		memcpy(memory + ROWS + row, guid3, 16);
		put(ROWS + row + 16, 0x4000, word);
		s = parse(SYSTEM, bits);
		names(&s);
		put(SYSTEM + (bits == 64 ? 104 : 64), ~0ull, word);
		s = parse(SYSTEM, bits);
		names(&s);
		put(SYSTEM + (bits == 64 ? 112 : 68), MEMORY - 8, word);
		s = parse(SYSTEM, bits);
		assert_false(s.present);
		s = parse(MEMORY - 20, bits);
		assert_false(s.present);
		memset(memory + ROWS, 0, 64);
	}
}

static void test_broken(void **state)
{
	struct smbios s;

	(void)state;
	for (unsigned size = 0; size < sizeof(structures); size++) {
		memset(memory + TABLE, 'x', sizeof(structures));
		memcpy(memory + TABLE, structures, size);
		entry2(TABLE, size);
		parse(0, 0);
	}
	memory[TABLE + 1] = 0; /* a structure that would be itself the next one */
	entry2(TABLE, 0xffff);
	s = parse(0, 0);
	assert_string_equal(complaint, "a structure has a length that cannot be");
	memset(memory + TABLE, 'x', 0x10000);
	memory[TABLE + 1] = 4;
	s = parse(0, 0);
	assert_string_equal(complaint, "the strings of a structure do not end");
	entry2(MEMORY - 16, 17);
	s = parse(0, 0);
	assert_false(s.present);
	assert_string_equal(complaint, "its table lies where we cannot read");
	entry3(ENTRY, ~0ull, 0xffffffff);
	s = parse(0, 0);
	assert_false(s.present);
	assert_string_equal(complaint, "its table lies where we cannot read");
}

/* Garbage in the table: it ends, and a name is printable. */
static void test_fuzz(void **state)
{
	uint32_t seed = 24;

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		unsigned size = sizeof(structures);
		struct smbios s;

		memcpy(memory + MEMORY - size, structures, size);
		for (unsigned i = 0; i < 8; i++) {
			seed = seed * 1664525 + 1013904223;
			memory[MEMORY - size + (seed >> 8) % size] = (uint8_t)(seed >> 24);
		}
		entry2(MEMORY - size, size + (round % 2));
		s = parse(0, 0);
		for (unsigned i = 0; i < SMBIOS_NAMES; i++)
			for (const char *c = s.name[i]; *c; c++)
				assert_in_range(*c, ' ', '~');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_good, begin, end),
		cmocka_unit_test_setup_teardown(test_efi, begin, end),
		cmocka_unit_test_setup_teardown(test_broken, begin, end),
		cmocka_unit_test_setup_teardown(test_fuzz, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
