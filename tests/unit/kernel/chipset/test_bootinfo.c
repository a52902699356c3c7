/*
 * kernel/chipset/bootinfo.c: blocks as GRUB and QEMU make them, each kind of defect, and garbage.
 * Memory is an array of exactly the readable size, so that the sanitizers see every byte too far.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/bootinfo.h"

enum { MB1 = 0x2badb002, MB2 = 0x36d76289, SIZE = 0x10000, INFO = 0x1000 };

static uint8_t *mem;
static struct bootinfo bi;
static unsigned complaints;
static char told[32][128]; /* "what: why" */

static void complain(const char *what, const char *why)
{
	if (complaints < 32)
		snprintf(told[complaints], sizeof(told[0]), "%s: %s", what, why);
	complaints++;
}

static bool was_told(const char *text)
{
	for (unsigned i = 0; i < complaints && i < 32; i++)
		if (strstr(told[i], text))
			return true;
	return false;
}

static bool parse(uint32_t magic, uint32_t info)
{
	complaints = 0;
	return bootinfo_parse(&bi, magic, info, mem, SIZE, complain);
}

static int setup(void **state)
{
	(void)state;
	mem = calloc(1, SIZE);
	return !mem;
}

static int teardown(void **state)
{
	(void)state;
	free(mem);
	return 0;
}

static void put32(uint32_t at, uint32_t v)
{
	memcpy(mem + at, &v, 4);
}

static void put64(uint32_t at, uint64_t v)
{
	memcpy(mem + at, &v, 8);
}

static void put_mb1_region(uint32_t at, uint64_t base, uint64_t size, uint32_t type)
{
	put32(at, 20);
	put64(at + 4, base);
	put64(at + 12, size);
	put32(at + 20, type);
}

static void build_mb1(void)
{
	memset(mem, 0, SIZE);
	put32(INFO, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12);
	put32(INFO + 4, 639);
	put32(INFO + 8, 7168);
	put32(INFO + 12, 0x8100ffff); /* the second hard disk, its second partition */
	put32(INFO + 16, 0x2000);
	strcpy((char *)mem + 0x2000, "cpl0.elf bench=*");
	put32(INFO + 20, 2);
	put32(INFO + 24, 0x3000);
	put32(0x3000, 0x8000);
	put32(0x3004, 0x8123);
	put32(0x3008, 0x4000);
	strcpy((char *)mem + 0x4000, "snippets.bin one");
	put32(0x3010, 0x9000);
	put32(0x3014, 0x9000);
	put32(0x3018, 0x4010);
	put32(INFO + 44, 3 * 24);
	put32(INFO + 48, 0x5000);
	put_mb1_region(0x5000, 0, 0x9fc00, 1);
	put_mb1_region(0x5018, 0x100000, 0x700000, 1);
	put_mb1_region(0x5030, 0xfffc0000, 0x40000, 2);
	put32(INFO + 64, 0x6000);
	strcpy((char *)mem + 0x6000, "GRUB 2.06");
	put64(INFO + 88, 0x80000000);
	put32(INFO + 96, 3200);
	put32(INFO + 100, 800);
	put32(INFO + 104, 600);
	mem[INFO + 108] = 32;
	mem[INFO + 109] = 1;
	memcpy(mem + INFO + 110, "\x10\x08\x08\x08\x00\x08", 6);
}

static uint32_t mb2_end;

static uint32_t tag(uint32_t type, uint32_t size)
{
	uint32_t at = mb2_end;

	put32(at, type);
	put32(at + 4, size);
	mb2_end += (size + 7) & ~7u;
	return at;
}

static void finish_mb2(void)
{
	tag(0, 8);
	put32(INFO, mb2_end - INFO);
}

static void build_mb2(void)
{
	uint32_t t;

	memset(mem, 0, SIZE);
	mb2_end = INFO + 8;
	t = tag(1, 8 + 13);
	strcpy((char *)mem + t + 8, "bench=* list");
	t = tag(2, 8 + 10);
	strcpy((char *)mem + t + 8, "GRUB 2.06");
	t = tag(3, 16 + 5);
	put32(t + 8, 0x8000);
	put32(t + 12, 0x8100);
	strcpy((char *)mem + t + 16, "mod1");
	t = tag(4, 16);
	put32(t + 8, 639);
	put32(t + 12, 7168);
	t = tag(6, 16 + 2 * 24);
	put32(t + 8, 24);
	put64(t + 16, 0x100000);
	put64(t + 24, 0x700000);
	put32(t + 32, 1);
	put64(t + 40, 0x800000);
	put64(t + 48, 0x1000);
	put32(t + 56, 7); /* persistent memory: not ours */
	t = tag(8, 38);
	put64(t + 8, 0x80000000);
	put32(t + 16, 3200);
	put32(t + 20, 800);
	put32(t + 24, 600);
	mem[t + 28] = 32;
	mem[t + 29] = 1;
	memcpy(mem + t + 32, "\x10\x08\x08\x08\x00\x08", 6);
	t = tag(5, 20);
	put32(t + 8, 0x80);
	t = tag(12, 16);
	put32(t + 8, 0x7fe0018);
	t = tag(20, 16);
	put32(t + 8, 0x7fe1018);
	put32(t + 12, 1);
	tag(99, 24); /* unknown tags are skipped */
	tag(15, 44);
	tag(14, 28);
	finish_mb2();
}

static void check_framebuffer(void)
{
	assert_int_equal(bi.fb.kind, FB_RGB);
	assert_true(bi.fb.addr == 0x80000000 && bi.fb.pitch == 3200);
	assert_true(bi.fb.width == 800 && bi.fb.height == 600 && bi.fb.bpp == 32);
	assert_true(bi.fb.red_pos == 16 && bi.fb.green_pos == 8 && bi.fb.blue_pos == 0);
	assert_true(bi.fb.red_size == 8 && bi.fb.green_size == 8 && bi.fb.blue_size == 8);
}

static void test_mb1(void **state)
{
	(void)state;
	build_mb1();
	assert_true(parse(MB1, INFO));
	assert_int_equal(complaints, 0);
	assert_string_equal(bi.protocol, "multiboot1");
	assert_string_equal(bi.loader, "GRUB 2.06");
	assert_string_equal(bi.cmdline, "cpl0.elf bench=*");
	assert_int_equal(bi.nregions, 3);
	assert_true(bi.regions[2].base == 0xfffc0000 && bi.regions[2].size == 0x40000);
	assert_int_equal(bi.regions[2].type, REGION_RESERVED);
	assert_int_equal(bi.mem_lower_kb, 639);
	assert_int_equal(bi.mem_upper_kb, 7168);
	assert_int_equal(bi.nmodules, 2);
	assert_true(bi.modules[0].start == 0x8000 && bi.modules[0].end == 0x8123);
	assert_string_equal(bi.modules[0].name, "snippets.bin one");
	assert_true(bi.info_start == INFO && bi.info_end == INFO + 118);
	assert_false(bi.efi);
	assert_true(bi.has_drive && bi.drive == 0x81);
	check_framebuffer();
}

static void test_mb2(void **state)
{
	(void)state;
	build_mb2();
	assert_true(parse(MB2, INFO));
	assert_int_equal(complaints, 0);
	assert_string_equal(bi.protocol, "multiboot2");
	assert_string_equal(bi.loader, "GRUB 2.06");
	assert_string_equal(bi.cmdline, "bench=* list");
	assert_int_equal(bi.nregions, 2);
	assert_true(bi.regions[0].base == 0x100000 && bi.regions[0].size == 0x700000);
	assert_int_equal(bi.regions[0].type, REGION_FREE);
	assert_int_equal(bi.regions[1].type, REGION_RESERVED);
	assert_int_equal(bi.mem_upper_kb, 7168);
	assert_int_equal(bi.nmodules, 1);
	assert_string_equal(bi.modules[0].name, "mod1");
	assert_true(bi.info_start == INFO && bi.info_end == mb2_end);
	assert_true(bi.efi);
	assert_true(bi.has_drive && bi.drive == 0x80);
	assert_true(bi.efi_table == 0x7fe0018 && bi.efi_image == 0x107fe1018);
	assert_int_equal(bi.efi_bits, 64);
	assert_false(bi.efi_kept);
	/* the ACPI 2.0 pointer wins although the old one comes later */
	assert_int_equal(bi.rsdp, mb2_end - 8 - 32 - 48 + 8);
	check_framebuffer();
}

static void test_efi32(void **state)
{
	(void)state;
	memset(mem, 0, SIZE);
	mb2_end = INFO + 8;
	put32(tag(11, 12) + 8, 0xfee0018);
	tag(18, 8);
	put32(tag(19, 12) + 8, 0xfee1018);
	finish_mb2();
	assert_true(parse(MB2, INFO));
	assert_int_equal(complaints, 0);
	assert_true(bi.efi);
	assert_int_equal(bi.efi_bits, 32);
	assert_true(bi.efi_table == 0xfee0018 && bi.efi_image == 0xfee1018);
	assert_true(bi.efi_kept);
}

static void test_old_rsdp(void **state)
{
	uint32_t t;

	(void)state;
	mb2_end = INFO + 8;
	t = tag(14, 28);
	finish_mb2();
	assert_true(parse(MB2, INFO));
	assert_int_equal(bi.rsdp, t + 8);
}

/* Nothing but the flags word: all parts are optional. */
static void test_mb1_empty(void **state)
{
	(void)state;
	memset(mem, 0xff, SIZE);
	put32(INFO, 0);
	assert_true(parse(MB1, INFO));
	assert_int_equal(complaints, 0);
	assert_int_equal(bi.nregions | bi.nmodules | bi.mem_upper_kb, 0);
	assert_string_equal(bi.cmdline, "");
	assert_int_equal(bi.fb.kind, FB_NONE);
}

/* GRUB puts the colour fields two bytes further on than the specification's table. */
static void test_mb1_colors_of_grub(void **state)
{
	(void)state;
	build_mb1();
	memcpy(mem + INFO + 110, "\0\0\x10\x08\x08\x08\x00\x08", 8);
	assert_true(parse(MB1, INFO));
	check_framebuffer();
}

static void test_mb1_without_framebuffer_fields(void **state)
{
	uint32_t at = SIZE - 88;

	(void)state;
	memset(mem, 0, SIZE);
	put32(at, 1 << 12);
	assert_true(parse(MB1, at));
	assert_true(was_told("framebuffer"));
	assert_int_equal(bi.fb.kind, FB_NONE);
}

static void test_framebuffer_types(void **state)
{
	static const enum boot_fb kinds[] = { FB_OTHER, FB_RGB, FB_TEXT, FB_OTHER, FB_OTHER };

	(void)state;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		build_mb1();
		mem[INFO + 109] = i == 4 ? 255 : (uint8_t)i;
		assert_true(parse(MB1, INFO));
		assert_int_equal(bi.fb.kind, kinds[i]);
	}
}

/* A screen may lie anywhere but in memory that somebody uses. */
static void test_check_framebuffer(void **state)
{
	static const struct {
		uint64_t addr;
		const char *why; /* NULL: it may be used */
	} rows[] = {
		{ 0xe0000000, NULL },
		{ 0x4000000000, NULL },
		{ 0x7f000000, NULL }, /* reserved as a whole */
		{ 0x7e000000,
		  "RAM by the memory map" }, /* begins in RAM, ends where it is reserved */
		{ 0x100000, "is the kernel's" },
		{ 0x80000, "is the kernel's" },
		{ 0x500000, "RAM by the memory map" },
		{ 0x9f000, "is the kernel's" },
		{ 0xffffffffffff0000, NULL }, /* the screen's driver refuses it */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&bi, 0, sizeof(bi));
		complaints = 0;
		bi.regions[0] = (struct boot_region){ 0, 0x9fc00, REGION_FREE };
		bi.regions[1] = (struct boot_region){ 0x100000, 0x7ff00000, REGION_FREE };
		bi.regions[2] = (struct boot_region){ 0x7f000000, 0x1000000, REGION_RESERVED };
		bi.nregions = 3;
		bi.fb.kind = FB_RGB;
		bi.fb.addr = rows[i].addr;
		bi.fb.pitch = 3200;
		bi.fb.height = 6000;
		if (rows[i].addr == 0x7f000000)
			bi.fb.height = 600;
		bootinfo_check(&bi, 0x100000, 0x200000, complain);
		assert_int_equal(complaints, rows[i].why != NULL);
		assert_int_equal(bi.fb.kind, rows[i].why ? FB_REFUSED : FB_RGB);
		assert_true(!rows[i].why || was_told(rows[i].why));
	}
}

/* Without a map, and on what the loader itself has put somewhere. */
static void test_check_in_use(void **state)
{
	(void)state;
	memset(&bi, 0, sizeof(bi));
	bi.fb.kind = FB_RGB;
	bi.fb.pitch = 3200;
	bi.fb.height = 600;
	bi.mem_upper_kb = 7168;
	bi.fb.addr = 0x700000;
	complaints = 0;
	bootinfo_check(&bi, 0x100000, 0x200000, complain);
	assert_true(was_told("RAM by the memory map"));

	bi.fb.kind = FB_RGB;
	bi.fb.addr = 0x900000;
	bi.nmodules = 3;
	bi.modules[0] = (struct boot_module){ 0x900000, 0x901000, "screen" };
	bi.modules[1] = (struct boot_module){ 0x1f0000, 0x300000, "kernel" };
	bi.modules[2] = (struct boot_module){ 0x300000, 0x301000, "good" };
	complaints = 0;
	bootinfo_check(&bi, 0x100000, 0x200000, complain);
	assert_true(was_told("framebuffer: its address is that of a module"));
	assert_true(was_told("module: its address is the kernel's"));
	assert_int_equal(complaints, 2);
	assert_int_equal(bi.nmodules, 2);
	assert_string_equal(bi.modules[1].name, "good");

	/* A text screen has its own place, whatever the loader says. */
	bi.fb.kind = FB_TEXT;
	bi.fb.addr = 0x100000;
	bi.info_start = 0x9000;
	bi.info_end = 0xa000;
	bootinfo_check(&bi, 0x100000, 0x200000, complain);
	assert_int_equal(bi.fb.kind, FB_TEXT);
	bi.fb.kind = FB_RGB;
	bi.fb.addr = 0x9800;
	bi.fb.height = 1;
	bootinfo_check(&bi, 0x100000, 0x200000, complain);
	assert_true(was_told("boot information"));
}

static void test_bad_magic(void **state)
{
	(void)state;
	build_mb1();
	assert_false(parse(0x12345678, INFO));
	assert_int_equal(complaints, 1);
	assert_true(was_told("magic"));
	assert_string_equal(bi.protocol, "unknown");
}

static void test_unreadable_block(void **state)
{
	static const uint32_t places[] = { 0, SIZE - 87, SIZE, SIZE + 1, 0xffffffff, 0xfffffff0 };

	(void)state;
	build_mb1();
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_false(parse(MB1, places[i]));
		assert_true(was_told("info"));
		if (places[i] == SIZE - 87)
			continue;
		assert_false(parse(MB2, places[i]));
		assert_true(was_told("info"));
	}
}

static void test_mb2_lengths(void **state)
{
	static const uint32_t totals[] = { 0, 15, SIZE - INFO + 1, 0xffffffff };

	(void)state;
	for (unsigned i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		build_mb2();
		put32(INFO, totals[i]);
		assert_false(parse(MB2, INFO));
		assert_true(was_told("length"));
	}
	/* The first tag's own length: what came before it is kept, what follows is not. */
	build_mb2();
	put32(INFO + 8 + 4, 0xffffffff);
	assert_true(parse(MB2, INFO));
	assert_true(was_told("impossible length"));
	assert_string_equal(bi.cmdline, "");
	build_mb2();
	put32(INFO + 8 + 4, 0);
	assert_true(parse(MB2, INFO));
	assert_true(was_told("impossible length"));
	/* No end tag. */
	build_mb2();
	put32(INFO, mb2_end - 8 - INFO);
	assert_true(parse(MB2, INFO));
	assert_true(was_told("end tag"));
	assert_int_equal(bi.nregions, 2);
}

static void test_mb2_short_tags(void **state)
{
	static const uint32_t types[] = { 1, 2, 3, 4, 6, 8, 11, 12, 14, 15, 19, 20 };

	(void)state;
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		memset(mem, 0, SIZE);
		mb2_end = INFO + 8;
		tag(types[i], 8);
		finish_mb2();
		assert_true(parse(MB2, INFO));
		assert_int_equal(complaints, 1);
		assert_true(was_told("too short"));
	}
}

static void test_mb2_mmap_entries(void **state)
{
	uint32_t t;

	(void)state;
	memset(mem, 0, SIZE);
	mb2_end = INFO + 8;
	t = tag(6, 16 + 24);
	put32(t + 8, 0); /* entry size 0 must not loop */
	finish_mb2();
	assert_true(parse(MB2, INFO));
	assert_true(was_told("24 bytes"));

	mb2_end = INFO + 8;
	t = tag(6, 16 + 24 + 8);
	put32(t + 8, 24);
	put64(t + 16, 0x100000);
	put64(t + 24, 0x1000);
	put32(t + 32, 1);
	finish_mb2();
	assert_true(parse(MB2, INFO));
	assert_int_equal(bi.nregions, 1);
	assert_true(was_told("cut off"));

	/* larger entries of a later version */
	memset(mem, 0, SIZE);
	mb2_end = INFO + 8;
	t = tag(6, 16 + 2 * 32);
	put32(t + 8, 32);
	put64(t + 16 + 32, 0x200000);
	put64(t + 16 + 40, 0x1000);
	put32(t + 16 + 48, 1);
	finish_mb2();
	assert_true(parse(MB2, INFO));
	assert_int_equal(bi.nregions, 1);
	assert_int_equal(bi.regions[0].base, 0x200000);
}

static void test_long_cmdline(void **state)
{
	(void)state;
	build_mb1();
	memset(mem + 0x2000, 'a', 0x1000);
	mem[0x2000 + 4] = ' ';
	assert_true(parse(MB1, INFO));
	assert_true(was_told("cmdline"));
	assert_string_equal(bi.cmdline, "aaaa "); /* not half a word */

	/* The longest that fits. */
	mem[0x2000 + BOOT_CMDLINE - 1] = '\0';
	assert_true(parse(MB1, INFO));
	assert_int_equal(complaints, 0);
	assert_int_equal(strlen(bi.cmdline), BOOT_CMDLINE - 1);

	/* Runs into the end of memory. */
	put32(INFO + 16, SIZE - 4);
	memset(mem + SIZE - 4, 'x', 4);
	assert_true(parse(MB1, INFO));
	assert_true(was_told("cmdline"));
	put32(INFO + 16, SIZE);
	assert_true(parse(MB1, INFO));
	assert_true(was_told("cmdline"));

	/* Ends with the last byte of memory. */
	put32(INFO + 16, SIZE - 4);
	mem[SIZE - 1] = '\0';
	assert_true(parse(MB1, INFO));
	assert_int_equal(complaints, 0);
	assert_string_equal(bi.cmdline, "xxx");
}

/* Names are cut to fit and touch nothing behind them. */
static void test_long_names(void **state)
{
	(void)state;
	build_mb1();
	memset(mem + 0x6000, 'L', 200);
	memset(mem + 0x4000, 'M', 200);
	assert_true(parse(MB1, INFO));
	assert_int_equal(complaints, 0);
	assert_int_equal(strlen(bi.loader), sizeof(bi.loader) - 1);
	assert_int_equal(strlen(bi.modules[0].name), sizeof(bi.modules[0].name) - 1);
	assert_string_equal(bi.cmdline, "cpl0.elf bench=*");
	assert_int_equal(bi.modules[1].start, 0x9000);
}

static void test_modules(void **state)
{
	(void)state;
	build_mb1();
	put32(0x3000, 0x8200); /* start behind end */
	assert_true(parse(MB1, INFO));
	assert_true(was_told("ends before"));
	assert_int_equal(bi.nmodules, 1);

	build_mb1();
	put32(0x3004, SIZE + 1); /* end outside memory */
	assert_true(parse(MB1, INFO));
	assert_true(was_told("cannot be read"));
	assert_int_equal(bi.nmodules, 1);

	build_mb1();
	put32(INFO + 20, 0xffffffff); /* a count that never ends */
	for (unsigned i = 0; i < 40; i++)
		memcpy(mem + 0x3000 + i * 16, mem + 0x3000, 16);
	assert_true(parse(MB1, INFO));
	assert_int_equal(bi.nmodules, BOOT_MODULES);
	assert_int_equal(complaints, 1);
	assert_true(was_told("16 modules"));

	build_mb1();
	put32(INFO + 24, SIZE - 8);
	assert_true(parse(MB1, INFO));
	assert_true(was_told("list of modules"));
}

static void test_mmap(void **state)
{
	(void)state;
	build_mb1();
	put32(0x5018, 0); /* size of an entry */
	assert_true(parse(MB1, INFO));
	assert_int_equal(bi.nregions, 1);
	assert_true(was_told("too short"));

	build_mb1();
	put_mb1_region(0x5018, 0xfffffffffffff000, 0x2000, 1);
	assert_true(parse(MB1, INFO));
	assert_true(was_told("address space"));
	assert_int_equal(bi.regions[1].base + bi.regions[1].size, UINT64_MAX);

	build_mb1();
	put_mb1_region(0x5018, 0x100000, 0, 1);
	assert_true(parse(MB1, INFO));
	assert_int_equal(bi.nregions, 2);

	build_mb1();
	put32(INFO + 44, 200 * 24);
	for (unsigned i = 0; i < 200; i++)
		put_mb1_region(0x5000 + i * 24, i * 0x100000, 0x1000, 1);
	assert_true(parse(MB1, INFO));
	assert_int_equal(bi.nregions, BOOT_REGIONS);
	assert_true(was_told("128"));

	build_mb1();
	put32(INFO + 44, 0xffffffff);
	memset(mem + 0x5048, 0, 0x1000);
	assert_true(parse(MB1, INFO));
	assert_int_equal(bi.nregions, 3);
	assert_true(was_told("64 KiB"));
}

static uint32_t lcg(uint32_t *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 8;
}

static void check_sane(void)
{
	assert_true(complaints <= 16);
	assert_true(bi.nregions <= BOOT_REGIONS && bi.nmodules <= BOOT_MODULES);
	assert_true(memchr(bi.cmdline, 0, sizeof(bi.cmdline)));
	assert_true(memchr(bi.loader, 0, sizeof(bi.loader)));
	for (unsigned i = 0; i < bi.nmodules; i++) {
		assert_true(bi.modules[i].start <= bi.modules[i].end);
		assert_true(bi.modules[i].end <= SIZE);
		assert_true(memchr(bi.modules[i].name, 0, sizeof(bi.modules[i].name)));
	}
	for (unsigned i = 0; i < bi.nregions; i++) {
		assert_true(bi.regions[i].size > 0);
		assert_true(bi.regions[i].base + bi.regions[i].size > bi.regions[i].base);
		assert_in_range(bi.regions[i].type, REGION_FREE, REGION_BAD);
	}
}

/* Valid blocks with some bytes or words replaced. */
static void test_fuzz_mutated(void **state)
{
	static const uint32_t nasty[] = { 0,          1,          7,          8,
		                          0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff,
		                          SIZE - 1,   SIZE,       INFO };
	uint32_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 8000; round++) {
		bool second = lcg(&seed) & 1;
		uint32_t span = second ? 0x180 : 0x78;

		if (second)
			build_mb2();
		else
			build_mb1();
		for (unsigned n = lcg(&seed) % 6 + 1; n; n--) {
			uint32_t at = INFO + lcg(&seed) % span;

			if (!second && lcg(&seed) % 3 == 0)
				at = 0x2000 + 0x1000 * (lcg(&seed) % 5) + lcg(&seed) % 0x50;
			if (lcg(&seed) & 1)
				mem[at] = (uint8_t)lcg(&seed);
			else
				put32(at & ~3u,
				      nasty[lcg(&seed) % (sizeof(nasty) / sizeof(nasty[0]))]);
		}
		parse(second ? MB2 : MB1, INFO);
		check_sane();
	}
}

static void test_fuzz_random(void **state)
{
	uint32_t seed = 2;

	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		for (uint32_t i = 0; i < SIZE; i += 4) {
			uint32_t v = lcg(&seed);

			/* Small numbers now and then, or no length would ever be possible. */
			put32(i, v & 0x30000 ? v & 0xffff : v << 8 | v >> 16);
		}
		parse(round & 1 ? MB1 : MB2, lcg(&seed) % (SIZE + 64));
		check_sane();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mb1),
		cmocka_unit_test(test_mb2),
		cmocka_unit_test(test_efi32),
		cmocka_unit_test(test_old_rsdp),
		cmocka_unit_test(test_mb1_empty),
		cmocka_unit_test(test_mb1_colors_of_grub),
		cmocka_unit_test(test_mb1_without_framebuffer_fields),
		cmocka_unit_test(test_framebuffer_types),
		cmocka_unit_test(test_check_framebuffer),
		cmocka_unit_test(test_check_in_use),
		cmocka_unit_test(test_bad_magic),
		cmocka_unit_test(test_unreadable_block),
		cmocka_unit_test(test_mb2_lengths),
		cmocka_unit_test(test_mb2_short_tags),
		cmocka_unit_test(test_mb2_mmap_entries),
		cmocka_unit_test(test_long_cmdline),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_mmap),
		cmocka_unit_test(test_fuzz_mutated),
		cmocka_unit_test(test_fuzz_random),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
