/*
 * The ACPI parser on a good set of tables, on each defect it has to name, and on thousands of
 * damaged sets. Memory is a heap block of exactly the size told, so the address sanitizer sees
 * every read beyond it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/acpi.h"

/* Where the image keeps its tables. */
enum {
	RSDP = 0x100,
	RSDT = 0x200,
	XSDT = 0x300,
	FADT = 0x500, /* clear of 40EH, where the BIOS keeps the EBDA */
	DSDT = 0x600,
	SPCR = 0x700,
	HPET = 0x780,
	MADT = 0x800,
	SSDT = 0x900,
	SIZE = 0x1000,
};

static uint8_t image[SIZE];
static struct acpi acpi;
static char complaints[4096];

static void complain(const char *what, const char *why)
{
	size_t n = strlen(complaints);

	snprintf(complaints + n, sizeof(complaints) - n, "%s %s\n", what, why);
}

static void put(uint32_t at, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		image[at + i] = (uint8_t)(v >> 8 * i);
}

static void put_address(uint32_t at, uint8_t space, uint8_t width, uint8_t access, uint64_t address)
{
	put(at, space, 1);
	put(at + 1, width, 1);
	put(at + 3, access, 1);
	put(at + 4, address, 8);
}

/* Makes the bytes of [at, at + size) sum up to 0 by the one at `where`. */
static void fix_sum(uint32_t at, uint32_t size, uint32_t where)
{
	uint8_t sum = 0;

	image[where] = 0;
	for (uint32_t i = 0; i < size; i++)
		sum += image[at + i];
	image[where] = -sum;
}

static void seal(uint32_t table)
{
	uint32_t size;

	memcpy(&size, image + table + 4, 4);
	if (size <= SIZE - table)
		fix_sum(table, size, table + 9);
}

static void header(uint32_t at, const char *signature, uint32_t size)
{
	memset(image + at, 0, size);
	memcpy(image + at, signature, 4);
	put(at + 4, size, 4);
	put(at + 8, 1, 1);
}

static void seal_rsdp(void)
{
	fix_sum(RSDP, 20, RSDP + 8);
	fix_sum(RSDP, 36, RSDP + 32);
}

static void build_rsdp(void)
{
	memcpy(image + RSDP, "RSD PTR ", 8);
	put(RSDP + 15, 2, 1);
	put(RSDP + 16, RSDT, 4);
	put(RSDP + 20, 36, 4);
	put(RSDP + 24, XSDT, 8);
	seal_rsdp();
}

static void build_roots(void)
{
	static const uint32_t tables[] = { FADT, SPCR, HPET, MADT, SSDT };

	header(RSDT, "RSDT", 36 + 4 * 5);
	header(XSDT, "XSDT", 36 + 8 * 5);
	for (unsigned i = 0; i < 5; i++) {
		put(RSDT + 36 + 4 * i, tables[i], 4);
		put(XSDT + 36 + 8 * i, tables[i], 8);
	}
	seal(RSDT);
	seal(XSDT);
}

/* As QEMU's q35: PM1a control 604h, PM timer 608h, 24 bits, reset by port CF9h. */
static void build_fadt(void)
{
	header(FADT, "FACP", 244);
	put(FADT + 40, DSDT, 4);
	put(FADT + 48, 0xb2, 4);
	put(FADT + 52, 2, 1);
	put(FADT + 64, 0x604, 4);
	put(FADT + 76, 0x608, 4);
	put(FADT + 91, 4, 1);
	put(FADT + 112, 1 << 10, 4);
	put_address(FADT + 116, 1, 8, 1, 0xcf9);
	put(FADT + 128, 0x0f, 1);
	seal(FADT);
}

/* Name (_S5, Package () { 0x05, Zero, Zero, Zero }) behind a decoy that is no name. */
static void build_dsdt(void)
{
	static const uint8_t code[] = { '_',  'S',  '5',  '_', 0x12, 0x06, 0x04, 0x0a,
		                        0x03, 0x08, '_',  'S', '5',  '_',  0x12, 0x06,
		                        0x04, 0x0a, 0x05, 0,   0,    0 };

	header(DSDT, "DSDT", 40 + sizeof(code));
	memcpy(image + DSDT + 40, code, sizeof(code));
	seal(DSDT);
}

static void build_spcr(void)
{
	header(SPCR, "SPCR", 80);
	put_address(SPCR + 40, 1, 8, 1, 0x2f8);
	put(SPCR + 58, 7, 1);
	seal(SPCR);
}

static void build_hpet(void)
{
	header(HPET, "HPET", 56);
	put_address(HPET + 40, 0, 64, 0, 0xfed00000);
	seal(HPET);
}

/* Two local APICs, of which one is disabled, an I/O APIC, an x2APIC. */
static void build_madt(void)
{
	uint32_t p = MADT + 44;

	header(MADT, "APIC", 44 + 8 + 8 + 12 + 16);
	put(MADT + 36, 0xfee00000, 4);
	put(p, 0x0800, 2);
	put(p + 4, 1, 4);
	p += 8;
	put(p, 0x0800, 2);
	put(p + 4, 2, 4); /* "online capable" is not enabled */
	p += 8;
	put(p, 0x0c01, 2);
	p += 12;
	put(p, 0x1009, 2);
	put(p + 8, 1, 4);
	seal(MADT);
}

static void build(void)
{
	memset(image, 0, sizeof(image));
	build_rsdp();
	build_roots();
	build_fadt();
	build_dsdt();
	build_spcr();
	build_hpet();
	build_madt();
	header(SSDT, "SSDT", 36);
	seal(SSDT);
}

/* Parses a copy of the first `limit` bytes. */
static void parse_at(uint64_t rsdp, size_t limit)
{
	uint8_t *memory = malloc(limit ? limit : 1);

	assert_non_null(memory);
	memcpy(memory, image, limit < SIZE ? limit : SIZE);
	complaints[0] = 0;
	acpi_parse(&acpi, rsdp, memory, limit, complain);
	free(memory);
}

static void parse(void)
{
	parse_at(RSDP, SIZE);
}

static void assert_complaint(const char *text)
{
	if (!strstr(complaints, text))
		fail_msg("no \"%s\" in: %s", text, complaints);
}

static void everything_found(void **state)
{
	(void)state;
	build();
	parse();
	assert_string_equal(complaints, "");
	assert_true(acpi.present);
	assert_true(acpi.spcr.present);
	assert_false(acpi.spcr.mmio);
	assert_int_equal(acpi.spcr.address, 0x2f8);
	assert_int_equal(acpi.spcr.baud, 115200);
	assert_int_equal(acpi.spcr.width, 1);
	assert_int_equal(acpi.pmtimer.port, 0x608);
	assert_false(acpi.pmtimer.bits32);
	assert_int_equal(acpi.hpet, 0xfed00000);
	assert_int_equal(acpi.lapic, 0xfee00000);
	assert_int_equal(acpi.cpus, 2);
	assert_int_equal(acpi.smi_cmd, 0xb2);
	assert_int_equal(acpi.acpi_enable, 2);
	assert_int_equal(acpi.pm1a_cnt, 0x604);
	assert_int_equal(acpi.pm1b_cnt, 0);
	assert_int_equal(acpi.slp_typ_s5, 5);
	assert_true(acpi.reset.present);
	assert_false(acpi.reset.mmio);
	assert_int_equal(acpi.reset.address, 0xcf9);
	assert_int_equal(acpi.reset.value, 0x0f);
}

/* ACPI 1.0 machines have no XSDT; later ones may have a broken one. */
static void old_root_table(void **state)
{
	(void)state;
	build();
	put(RSDP + 15, 0, 1);
	put(RSDP + 24, 0x7fffffff, 8); /* not part of revision 0 */
	fix_sum(RSDP, 20, RSDP + 8);
	parse();
	assert_string_equal(complaints, "");
	assert_int_equal(acpi.pmtimer.port, 0x608);

	build();
	image[RSDP + 33] ^= 1;
	parse();
	assert_complaint("RSDP has a wrong extended checksum or length");
	assert_int_equal(acpi.cpus, 2);

	build();
	image[XSDT + 20] ^= 1;
	parse();
	assert_complaint("XSDT has a wrong checksum");
	assert_true(acpi.present);
	assert_int_equal(acpi.cpus, 2);

	build();
	put(RSDP + 24, 0x123456789000, 8);
	seal_rsdp();
	parse();
	assert_complaint("XSDT lies outside");
	assert_int_equal(acpi.cpus, 2);
}

static void wide_registers(void **state)
{
	(void)state;
	build();
	put(FADT + 112, 1 << 8 | 1 << 10, 4);
	put_address(FADT + 116, 0, 8, 1, 0xfed80000);
	put(FADT + 140, DSDT, 8);
	put_address(FADT + 172, 1, 16, 2, 0x804);
	put_address(FADT + 184, 1, 16, 2, 0x844);
	put_address(FADT + 208, 1, 32, 3, 0x808);
	seal(FADT);
	put_address(SPCR + 40, 0, 32, 3, 0xfe032000);
	put(SPCR + 36, 0x12, 1);
	put(SPCR + 58, 3, 1);
	seal(SPCR);
	put(MADT + 44, 0x0c05, 2); /* address override takes the place of two local APICs */
	put(MADT + 48, 0x1fee00000, 8);
	put(MADT + 56, 0x0400, 2); /* too short to be a local APIC: skipped */
	seal(MADT);
	parse();
	assert_string_equal(complaints, "");
	assert_true(acpi.pmtimer.bits32);
	assert_int_equal(acpi.pmtimer.port, 0x808);
	assert_int_equal(acpi.pm1a_cnt, 0x804);
	assert_int_equal(acpi.pm1b_cnt, 0x844);
	assert_int_equal(acpi.slp_typ_s5, 5);
	assert_true(acpi.reset.mmio);
	assert_int_equal(acpi.reset.address, 0xfed80000);
	assert_true(acpi.spcr.mmio);
	assert_int_equal(acpi.spcr.width, 4);
	assert_int_equal(acpi.spcr.baud, 9600);
	assert_int_equal(acpi.lapic, 0x1fee00000);
	assert_int_equal(acpi.cpus, 1);
}

static void short_fadt(void **state)
{
	(void)state;
	build();
	put(FADT + 4, 116, 4); /* ACPI 1.0: no reset register, whatever lies behind */
	seal(FADT);
	parse();
	assert_int_equal(acpi.pmtimer.port, 0x608);
	assert_false(acpi.reset.present);
	build();
	put(FADT + 91, 0, 1); /* no PM timer */
	seal(FADT);
	parse();
	assert_int_equal(acpi.pmtimer.port, 0);
	build();
	put(FADT + 76, 0x10608, 4); /* no port */
	put(FADT + 112, 0, 4);
	seal(FADT);
	parse();
	assert_int_equal(acpi.pmtimer.port, 0);
	assert_false(acpi.reset.present);
}

/* A block that is said to be a port but cannot be one: the old field counts. */
static void impossible_port(void **state)
{
	(void)state;
	build();
	put_address(FADT + 208, 1, 32, 3, 0x10808);
	put_address(FADT + 172, 0, 16, 2, 0x804);
	seal(FADT);
	parse();
	assert_int_equal(acpi.pmtimer.port, 0x608);
	assert_int_equal(acpi.pm1a_cnt, 0x604);
}

static void first_of_a_name_counts(void **state)
{
	(void)state;
	build();
	memcpy(image + SSDT, image + SPCR, 80);
	put_address(SSDT + 40, 1, 8, 1, 0x3f8);
	seal(SSDT);
	parse();
	assert_int_equal(acpi.spcr.address, 0x2f8);
	image[SPCR + 20] ^= 1; /* the first is no good: the second does */
	parse();
	assert_complaint("SPCR has a wrong checksum");
	assert_int_equal(acpi.spcr.address, 0x3f8);
}

/* Fields and names that begin inside the table and end behind it, where memory ends too. */
static void end_of_memory(void **state)
{
	static const uint32_t fadt_sizes[] = { 116, 118, 126, 142, 175, 210, 219 };
	static const uint8_t name[] = { 0, 0, 0, 0x08, '_', 'S', '5', '_' };

	(void)state;
	for (unsigned i = 0; i < sizeof(fadt_sizes) / sizeof(fadt_sizes[0]); i++) {
		uint32_t at = SIZE - fadt_sizes[i];

		build();
		memcpy(image + at, image + FADT, fadt_sizes[i]);
		put(at + 4, fadt_sizes[i], 4);
		seal(at);
		put(XSDT + 36, at, 4);
		seal(XSDT);
		parse();
		assert_int_equal(acpi.pmtimer.port, 0x608);
	}
	for (unsigned n = 1; n <= sizeof(name); n++) {
		uint32_t at = SIZE - 36 - n;

		build();
		header(at, "DSDT", 36 + n);
		memcpy(image + at + 36, name, n);
		seal(at);
		put(FADT + 40, at, 4);
		seal(FADT);
		parse();
		assert_string_equal(complaints, "");
		assert_int_equal(acpi.slp_typ_s5, 0xff);
	}
}

static void too_many_tables(void **state)
{
	enum { LONG_ROOT = 0xa00, ENTRIES = 300 };

	(void)state;
	build();
	header(LONG_ROOT, "RSDT", 36 + 4 * ENTRIES);
	put(LONG_ROOT + 36 + 4 * 255, MADT, 4);
	put(LONG_ROOT + 36 + 4 * 256, SPCR, 4);
	seal(LONG_ROOT);
	put(RSDP + 15, 0, 1);
	put(RSDP + 16, LONG_ROOT, 4);
	seal_rsdp();
	parse();
	assert_complaint("RSDT lists more tables than are looked at");
	assert_int_equal(acpi.cpus, 2);
	assert_false(acpi.spcr.present);
}

static void aml(const uint8_t *bytes, uint32_t size)
{
	build();
	header(DSDT, "DSDT", 36 + size);
	memcpy(image + DSDT + 36, bytes, size);
	seal(DSDT);
	parse();
}

static void s5_encodings(void **state)
{
	static const uint8_t rooted[] = { 0,    0x08, '\\', '_',  'S', '5', '_',
		                          0x12, 0x06, 4,    0x0a, 7,   0 };
	static const uint8_t one[] = { 0, 0, 0x08, '_', 'S', '5', '_', 0x12, 0x06, 4, 1, 0, 0 };
	static const uint8_t zero[] = { 0, 0, 0x08, '_', 'S', '5', '_', 0x12, 0x06, 4, 0, 0, 0 };
	static const uint8_t longer[] = { 0,    0,    0x08, '_', 'S',  '5', '_',
		                          0x12, 0x47, 0,    4,   0x0b, 6,   0 };
	static const uint8_t empty[] = { 0, 0, 0x08, '_', 'S', '5', '_', 0x12, 0x02, 0, 0x0a, 5 };
	static const uint8_t cut[] = { 0, 0, 0x08, '_', 'S', '5', '_', 0x12, 0x06, 4, 0x0a };
	static const uint8_t cut_name[] = { 0, 0, 0x08, '_', 'S', '5', '_' };
	static const uint8_t method[] = {
		0, 0, 0x14, '_', 'S', '5', '_', 0x12, 0x06, 4, 0x0a, 7, 0
	};
	static const uint8_t words[] = { 0, 0,    0x08, '_', 'S',  '5', '_', 0x12, 0x0a,
		                         2, 0x0b, 6,    0,   0x0c, 3,   0,   0,    0 };
	static const uint8_t single[] = { 0, 0, 0x08, '_', 'S', '5', '_', 0x12, 0x04, 1, 0x0a, 5 };
	static const struct {
		const uint8_t *bytes;
		uint32_t size, want, want_b;
	} cases[] = {
		{ rooted, sizeof(rooted), 7, 0xff },
		{ one, sizeof(one), 1, 0 },
		{ zero, sizeof(zero), 0, 0 },
		{ longer, sizeof(longer), 6, 0xff },
		{ words, sizeof(words), 6, 3 },
		{ single, sizeof(single), 5, 0xff },
		{ empty, sizeof(empty), 0xff, 0xff },
		{ cut, sizeof(cut), 0xff, 0xff },
		{ cut_name, sizeof(cut_name), 0xff, 0xff },
		{ method, sizeof(method), 0xff, 0xff },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		aml(cases[i].bytes, cases[i].size);
		if (acpi.slp_typ_s5 != cases[i].want || acpi.slp_typ_s5b != cases[i].want_b)
			fail_msg("case %u: %x %x", i, acpi.slp_typ_s5, acpi.slp_typ_s5b);
	}
	/* In an SSDT, and not in the DSDT. */
	aml(empty, sizeof(empty));
	header(SSDT, "SSDT", 36 + sizeof(rooted));
	memcpy(image + SSDT + 36, rooted, sizeof(rooted));
	seal(SSDT);
	parse();
	assert_int_equal(acpi.slp_typ_s5, 7);
}

static void spcr_defects(void **state)
{
	(void)state;
	build();
	put(SPCR + 36, 3, 1); /* ARM PL011 */
	seal(SPCR);
	parse();
	assert_complaint("SPCR the console is no 16550");
	assert_false(acpi.spcr.present);
	build();
	put_address(SPCR + 40, 2, 8, 1, 0x2f8); /* PCI configuration space */
	seal(SPCR);
	parse();
	assert_complaint("SPCR the console is neither a port nor in memory");
	build();
	put_address(SPCR + 40, 1, 8, 1, 0xfffc); /* its eight ports would wrap */
	seal(SPCR);
	parse();
	assert_false(acpi.spcr.present);
	build();
	put_address(SPCR + 40, 0, 0, 0, 0); /* redirection switched off: nothing is wrong */
	seal(SPCR);
	parse();
	assert_string_equal(complaints, "");
	assert_false(acpi.spcr.present);
	build();
	put(SPCR + 58, 200, 1);
	seal(SPCR);
	parse();
	assert_int_equal(acpi.spcr.baud, 0);
}

/* The clock of revision 3 and the rate of revision 4; before, these bytes are reserved. */
static void spcr_revisions(void **state)
{
	static const struct {
		uint8_t revision;
		uint32_t clock, precise, baud;
	} rows[] = {
		{ 1, 0, 921600, 115200 },        { 2, 0, 921600, 115200 },
		{ 3, 48000000, 921600, 115200 }, { 4, 48000000, 921600, 921600 },
		{ 4, 48000000, 0, 115200 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		build();
		put(SPCR + 4, 88, 4);
		put(SPCR + 8, rows[i].revision, 1);
		put(SPCR + 76, 48000000, 4);
		put(SPCR + 80, rows[i].precise, 4);
		seal(SPCR);
		parse();
		assert_string_equal(complaints, "");
		assert_int_equal(acpi.spcr.clock, rows[i].clock);
		assert_int_equal(acpi.spcr.baud, rows[i].baud);
	}
	build(); /* a table that ends before them */
	put(SPCR + 4, 76, 4);
	put(SPCR + 8, 4, 1);
	seal(SPCR);
	parse();
	assert_int_equal(acpi.spcr.clock, 0);
	assert_int_equal(acpi.spcr.baud, 115200);
}

static void defects_are_named(void **state)
{
	static const struct {
		uint32_t at, value;
		unsigned bytes;
		uint32_t reseal;
		const char *complaint;
	} cases[] = {
		{ SPCR + 30, 1, 1, 0, "SPCR has a wrong checksum" },
		{ SPCR + 4, 12, 4, 0, "SPCR has an impossible length" },
		{ SPCR + 4, 0xfffffff0, 4, 0, "SPCR has an impossible length" },
		{ FADT + 4, SIZE, 4, 0, "FACP ends outside" },
		{ FADT + 40, 0x100000, 4, FADT, "DSDT lies outside" },
		{ FADT + 40, SIZE - 35, 4, FADT, "DSDT lies outside" },
		{ DSDT + 40, 1, 1, 0, "DSDT has a wrong checksum" },
		{ HPET + 40, 1, 1, HPET, "HPET its registers are not in memory" },
		{ HPET + 44, 0xfed00003, 4, HPET, "HPET its registers are not in memory" },
		{ MADT + 45, 0, 1, MADT, "APIC an entry has an impossible length" },
		{ MADT + 45, 200, 1, MADT, "APIC an entry has an impossible length" },
		{ XSDT + 36, SIZE, 4, XSDT, "ACPI a table lies outside" },
		{ RSDP, 'X', 1, 0, "RSDP the boot loader's copy has a wrong signature" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		build();
		put(cases[i].at, cases[i].value, cases[i].bytes);
		if (cases[i].reseal)
			seal(cases[i].reseal);
		parse();
		assert_complaint(cases[i].complaint);
	}
}

static void nothing_there(void **state)
{
	(void)state;
	memset(image, 0, sizeof(image));
	parse_at(0, SIZE);
	assert_false(acpi.present);
	assert_string_equal(complaints, "");
	assert_int_equal(acpi.slp_typ_s5, 0xff);
	parse_at(0, 0);
	assert_false(acpi.present);
	parse_at(0xfffffffffffffff0, SIZE);
	assert_false(acpi.present);
	assert_complaint("RSDP");
}

/* The RSDP in the BIOS area, then in the EBDA, which is looked at first. */
static void search_of_low_memory(void **state)
{
	enum { MIB = 1 << 20, EBDA = 0x9fc00 };
	uint8_t *memory = calloc(1, MIB);

	(void)state;
	assert_non_null(memory);
	build();
	memcpy(memory, image, SIZE);
	complaints[0] = 0;
	acpi_parse(&acpi, 0, memory, MIB, complain);
	assert_false(acpi.present); /* there is one at 100H, where none may be */
	memcpy(memory + 0xf5b20, image + RSDP, 36);
	acpi_parse(&acpi, 0, memory, MIB, complain);
	assert_true(acpi.present);
	assert_int_equal(acpi.cpus, 2);
	memset(memory + 0xf5b20, 0, 36);
	memcpy(memory + 0xf5b28, image + RSDP, 36); /* not on a paragraph */
	acpi_parse(&acpi, 0, memory, MIB, complain);
	assert_false(acpi.present);
	memory[0x40e] = EBDA >> 4 & 0xff;
	memory[0x40f] = EBDA >> 12;
	memcpy(memory + EBDA + 0x3f0 - 0x10, image + RSDP, 36);
	acpi_parse(&acpi, 0, memory, MIB, complain);
	assert_true(acpi.present);
	assert_string_equal(complaints, "");
	free(memory);
}

static uint32_t seed = 1;

static uint32_t noise(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

/*
 * Damages a few places, often a length or a pointer, and often puts the checksums right again, or
 * the parser would stop at the first.
 */
static void damaged_sets(void **state)
{
	static const uint32_t tables[] = { RSDT, XSDT, FADT, DSDT, SPCR, HPET, MADT, SSDT };
	unsigned used = 0;

	(void)state;
	for (unsigned round = 0; round < 30000; round++) {
		unsigned n = noise() % 6;

		build();
		while (n--) {
			uint32_t table = tables[noise() % 8];

			switch (noise() % 4) {
			case 0:
				put(table + 4, noise() % 512, 4);
				break;
			case 1:
				put(table + 36 + noise() % 64, noise() % (2 * SIZE), 4);
				break;
			case 2:
				image[table + noise() % 256] = noise();
				break;
			default:
				image[noise() % SIZE] ^= 1 << noise() % 8;
			}
		}
		if (noise() % 8) {
			for (unsigned i = 0; i < 8; i++)
				seal(tables[i]);
			seal_rsdp();
		}
		parse_at(noise() % 16 ? RSDP : noise() % SIZE, noise() % 4 ? SIZE : noise() % SIZE);
		used += acpi.present;
	}
	assert_in_range(used, 5000, 29000); /* neither all refused nor all believed */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_found), cmocka_unit_test(old_root_table),
		cmocka_unit_test(wide_registers),   cmocka_unit_test(short_fadt),
		cmocka_unit_test(impossible_port),  cmocka_unit_test(first_of_a_name_counts),
		cmocka_unit_test(end_of_memory),    cmocka_unit_test(too_many_tables),
		cmocka_unit_test(s5_encodings),     cmocka_unit_test(spcr_defects),
		cmocka_unit_test(spcr_revisions),   cmocka_unit_test(defects_are_named),
		cmocka_unit_test(nothing_there),    cmocka_unit_test(search_of_low_memory),
		cmocka_unit_test(damaged_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
