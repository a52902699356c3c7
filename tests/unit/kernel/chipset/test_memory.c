/*
 * kernel/chipset/memory.c: real maps, broken maps, and random ones against a map of pages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/memory.h"

enum { KIB = 1024, MIB = 1024 * 1024 };

static const uint64_t GIB = 1024 * MIB;

static struct memory m;
static struct bootinfo bi;
static unsigned complaints;
static char told[512];

static void complain(const char *what, const char *why)
{
	complaints++;
	snprintf(told, sizeof(told), "%s: %s", what, why);
}

static void clear(void)
{
	memset(&bi, 0, sizeof(bi));
}

static void region(uint64_t base, uint64_t size, uint32_t type)
{
	bi.regions[bi.nregions++] = (struct boot_region){ base, size, type };
}

static bool init(uint64_t kernel_start, uint64_t kernel_end)
{
	complaints = 0;
	told[0] = '\0';
	return memory_init(&m, &bi, kernel_start, kernel_end, complain);
}

static void check_range(unsigned i, uint64_t base, uint64_t end, uint32_t type)
{
	assert_true(i < m.nranges);
	assert_int_equal(m.ranges[i].base, base);
	assert_int_equal(m.ranges[i].end, end);
	assert_int_equal(m.ranges[i].type, type);
}

static void check_order(void)
{
	uint64_t free = 0;

	for (unsigned i = 0; i < m.nranges; i++) {
		assert_true(m.ranges[i].base < m.ranges[i].end);
		assert_true(i == 0 || m.ranges[i - 1].end <= m.ranges[i].base);
		if (m.ranges[i].type != REGION_FREE)
			continue;
		assert_int_equal(m.ranges[i].base % 4096, 0);
		assert_int_equal(m.ranges[i].end % 4096, 0);
		free += m.ranges[i].end - m.ranges[i].base;
	}
	assert_int_equal(m.total_free, free);
}

/* QEMU with 8 MB, kernel at 1 MiB: what the smallest machine looks like. */
static void small_machine(void)
{
	clear();
	region(0, 0x9fc00, REGION_FREE);
	region(0x9fc00, 0x400, REGION_RESERVED);
	region(0xf0000, 0x10000, REGION_RESERVED);
	region(0x100000, 0x6e0000, REGION_FREE);
	region(0x7e0000, 0x20000, REGION_RESERVED);
	region(0xfffc0000, 0x40000, REGION_RESERVED);
}

static void test_small_machine(void **state)
{
	(void)state;
	small_machine();
	assert_true(init(0x100000, 0x123456));
	assert_int_equal(complaints, 0);
	assert_string_equal(m.source, "mmap");
	assert_int_equal(m.ram, 0x9f000 + 0x6e0000); /* whole pages */
	check_order();
	assert_int_equal(m.nranges, 4);
	check_range(0, 0, 0x124000, REGION_USED); /* low memory and kernel together */
	check_range(1, 0x124000, 0x7e0000, REGION_FREE);
	check_range(2, 0x7e0000, 0x800000, REGION_RESERVED);
	check_range(3, 0xfffc0000, 0x100000000, REGION_RESERVED);
	assert_true(memory_arena(&m, 64 * MIB));
	assert_int_equal(m.arena_size, 2 * MIB);
	assert_ptr_equal(m.arena, (uint8_t *)0x200000);
	assert_int_equal(memory_type(&m, 0x200000, 2 * MIB), REGION_USED);
	check_order();
}

static void test_arena(void **state)
{
	static const struct {
		uint64_t base, size;
		size_t want, arena_size;
		uint64_t arena;
	} rows[] = {
		{ 0x200000, 64 * MIB, 64 * MIB, 32 * MIB, 0x400000 },
		{ 0x400000, 64 * MIB, 64 * MIB, 64 * MIB, 0x400000 },
		{ 0x400000, 64 * MIB, 8 * MIB, 8 * MIB, 0x400000 },
		{ 0x400000, 64 * MIB, 9 * MIB, 8 * MIB, 0x400000 },
		{ 0x201000, 64 * KIB, 64 * MIB, 0, 0 }, /* does not fit aligned */
		{ 0x200000, 64 * KIB, 64 * MIB, 64 * KIB, 0x200000 },
		{ 0x200000, 63 * KIB, 64 * MIB, 0, 0 },
		{ 0xffc00000, 64 * MIB, 64 * MIB, 4 * MIB, 0xffc00000 }, /* below 4 GiB only */
		{ 0x100000000, 64 * MIB, 64 * MIB, 0, 0 },
		{ 0x7c000000, 128 * MIB, 64 * MIB, 64 * MIB, 0x7c000000 }, /* below 2 GiB */
		{ 0x7e000000, 128 * MIB, 64 * MIB, 32 * MIB, 0x7e000000 },
		{ 0x7f900000, 128 * MIB, 64 * MIB, 64 * MIB, 0x7fc00000 }, /* too little below */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		clear();
		region(rows[i].base, rows[i].size, REGION_FREE);
		assert_true(init(0x100000, 0x110000));
		assert_int_equal(memory_arena(&m, rows[i].want), rows[i].arena_size != 0);
		assert_int_equal(m.arena_size, rows[i].arena_size);
		assert_int_equal((uintptr_t)m.arena, rows[i].arena);
		check_order();
	}
}

static uint64_t uncached; /* memory from here on is */

static bool usable(uint64_t base, uint64_t size)
{
	return base + size <= uncached;
}

/* A row is a machine: free memory beside 64 MiB for the arena, and what is found. */
static void test_expanse(void **state)
{
	static const uint64_t limit = 256ull << 30;
	static const struct {
		uint64_t base, size; /* free */
		uint64_t want, limit, uncached;
		uint64_t expanse, expanse_size;
	} rows[] = {
		{ 4ull << 30, 2ull << 30, 1 << 30, limit, ~0ull, 4ull << 30, 1 << 30 },
		{ 4ull << 30, 2ull << 30, 96ull << 30, limit, ~0ull, 4ull << 30, 2ull << 30 },
		{ 4ull << 30, 2ull << 30, 1 << 30, 4ull << 30, ~0ull, 0, 0 },
		/* at boundaries of 2 MiB */
		{ (4ull << 30) + 4096, 96 * MIB, 1 << 30, limit, ~0ull, (4ull << 30) + 2 * MIB,
		  94 * MIB },
		/* not what is no larger than the arena */
		{ 4ull << 30, 64 * MIB, 1 << 30, limit, ~0ull, 0, 0 },
		{ 4ull << 30, 66 * MIB, 1 << 30, limit, ~0ull, 4ull << 30, 66 * MIB },
		/* halves until all of it is cached */
		{ 4ull << 30, 2ull << 30, 2ull << 30, limit, (4ull << 30) + 600ull * MIB,
		  4ull << 30, 512 * MIB },
		{ 4ull << 30, 2ull << 30, 2ull << 30, limit, 4ull << 30, 0, 0 },
		/* below 4 GiB a quarter stays for others */
		{ 0x10000000, 1 << 30, 1 << 30, 4ull << 30, ~0ull, 0x20000000, 768 * MIB },
		/* nothing behind the last address */
		{ 255ull << 30, 4ull << 30, 8ull << 30, limit, ~0ull, 255ull << 30, 1 << 30 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		clear();
		region(0x400000, 64 * MIB, REGION_FREE);
		region(rows[i].base, rows[i].size, REGION_FREE);
		assert_true(init(0x100000, 0x110000));
		assert_true(memory_arena(&m, 64 * MIB));
		assert_int_equal((uintptr_t)m.arena, 0x400000);
		uncached = rows[i].uncached;
		assert_int_equal(memory_expanse(&m, rows[i].want, rows[i].limit, usable),
		                 rows[i].expanse_size != 0);
		assert_int_equal(m.expanse, rows[i].expanse);
		assert_int_equal(m.expanse_size, rows[i].expanse_size);
		if (m.expanse)
			assert_int_equal(memory_type(&m, m.expanse, m.expanse_size), REGION_USED);
		check_order();
	}
}

/* Of two pieces of one size the higher one, and what is left can be had. */
static void test_expanse_is_high(void **state)
{
	(void)state;
	clear();
	uncached = ~0ull;
	region(0x1000000, 2 * GIB, REGION_FREE);
	region(4 * GIB, 8 * GIB, REGION_FREE);
	assert_true(init(0x100000, 0x110000));
	assert_true(memory_arena(&m, 64 * MIB));
	assert_true(memory_expanse(&m, GIB, 256 * GIB, usable));
	assert_int_equal(m.expanse, 4 * GIB);
	assert_int_equal(memory_type(&m, 5 * GIB, 7 * GIB), REGION_FREE);
	assert_non_null(memory_alloc(&m, 8 * MIB, 4096));
}

static void test_alloc(void **state)
{
	uint8_t *a, *b, *c;

	(void)state;
	small_machine();
	assert_true(init(0x100000, 0x123456));
	a = memory_alloc(&m, 10, 1);
	b = memory_alloc(&m, 8192, 0x10000);
	assert_true(memory_arena(&m, MIB));
	c = memory_alloc(&m, 4096, 4096);
	assert_ptr_equal(a, (uint8_t *)0x124000);
	assert_ptr_equal(b, (uint8_t *)0x130000);
	assert_ptr_equal(c, (uint8_t *)0x125000);
	assert_ptr_equal(m.arena, (uint8_t *)0x200000);
	check_order();
	/* Many small ones cost no rows of the table, and the last page can be had. */
	small_machine();
	assert_true(init(0x100000, 0x123456));
	for (unsigned i = 0x124; i < 0x7e0; i++)
		assert_ptr_equal(memory_alloc(&m, 16, 16), (uint8_t *)(i * (uintptr_t)4096));
	assert_null(memory_alloc(&m, 16, 16));
	assert_int_equal(m.nranges, 3);
	assert_int_equal(m.total_free, 0);
	assert_int_equal(memory_type(&m, 0x124000, 0x6bc000), REGION_USED);
	assert_null(memory_alloc(&m, 0, 1));
	assert_null(memory_alloc(&m, 1, 3));
	assert_null(memory_alloc(&m, 1, 0));
	assert_null(memory_alloc(&m, 64 * MIB, 1));
	assert_null(memory_alloc(&m, SIZE_MAX, 1));
}

static void test_broken_maps(void **state)
{
	(void)state;
	/* Unsorted, with the reserved piece inside the free one, and a broken page at each end. */
	clear();
	region(0x300800, 0x800, REGION_RESERVED);
	region(0x200010, 0x1ffff0 + 0x10, REGION_FREE);
	assert_true(init(0x100000, 0x110000));
	assert_int_equal(complaints, 1);
	assert_non_null(strstr(told, "overlap"));
	check_order();
	assert_int_equal(memory_type(&m, 0x201000, 0xff000), REGION_FREE);
	assert_int_equal(memory_type(&m, 0x200000, 1), 0);
	assert_int_equal(memory_type(&m, 0x300000, 1), 0); /* page shared with a reserved one */
	assert_int_equal(memory_type(&m, 0x300800, 0x800), REGION_RESERVED);
	assert_int_equal(memory_type(&m, 0x301000, 0xff000), REGION_FREE);
	assert_int_equal(memory_type(&m, 0x400000, 1), 0);

	/* Order of severity. */
	clear();
	region(0x200000, 0x5000, REGION_FREE);
	region(0x201000, 0x4000, REGION_ACPI);
	region(0x202000, 0x3000, REGION_NVS);
	region(0x203000, 0x2000, REGION_RESERVED);
	region(0x204000, 0x1000, REGION_BAD);
	assert_true(init(0x100000, 0x110000));
	for (uint64_t i = 0; i < 5; i++) {
		static const uint32_t types[] = { REGION_FREE, REGION_ACPI, REGION_NVS,
			                          REGION_RESERVED, REGION_BAD };

		assert_int_equal(memory_type(&m, 0x200000 + i * 4096, 4096), types[i]);
	}

	/* Up to the last byte of the address space. */
	clear();
	region(0xfffffffffffff000, 0xfff, REGION_FREE);
	region(0x200000, UINT64_MAX - 0x200000, REGION_FREE);
	init(0x100000, 0x110000);
	check_order();
	assert_true(memory_arena(&m, 16 * MIB));
}

static void test_no_map(void **state)
{
	(void)state;
	clear();
	bi.mem_upper_kb = 7168;
	assert_true(init(0x100000, 0x110000));
	assert_string_equal(m.source, "mem_upper");
	assert_int_equal(complaints, 1);
	assert_non_null(strstr(told, "no memory map"));
	check_order();
	assert_int_equal(memory_type(&m, 0x110000, 0x6f0000), REGION_FREE);
	assert_int_equal(memory_type(&m, 0x800000, 1), 0);

	clear();
	assert_false(init(0x100000, 0x110000));
	assert_string_equal(m.source, "none");
	assert_int_equal(complaints, 1);
	assert_false(memory_arena(&m, MIB));
	assert_null(m.arena);
	assert_null(memory_alloc(&m, 1, 1));

	/* A map without free memory: the old number, minus what the map reserves. */
	clear();
	bi.mem_upper_kb = 0x700000 >> 10;
	region(0x200000, 0x1000, REGION_RESERVED);
	assert_true(init(0x100000, 0x110000));
	assert_string_equal(m.source, "mem_upper");
	assert_non_null(strstr(told, "no free memory"));
	assert_int_equal(memory_type(&m, 0x200000, 1), REGION_RESERVED);

	/* All there is holds the kernel. */
	clear();
	region(0x100000, 0x10000, REGION_FREE);
	assert_false(init(0x100000, 0x110000));
	assert_int_equal(complaints, 1);
}

/* Kernel, information, modules and framebuffer lie in what the map calls free. */
static void test_own(void **state)
{
	(void)state;
	clear();
	region(0, 256 * MIB, REGION_FREE);
	bi.info_start = 0x500123;
	bi.info_end = 0x500456;
	bi.nmodules = 2;
	bi.modules[0].start = 0x600001;
	bi.modules[0].end = 0x601001;
	bi.modules[1].start = 5 * GIB; /* beyond what is mapped: harmless */
	bi.modules[1].end = 6 * GIB;
	bi.fb.kind = FB_RGB;
	bi.fb.addr = 0x8000000;
	bi.fb.pitch = 3200;
	bi.fb.height = 600;
	assert_true(init(0x100000, 0x123456));
	assert_int_equal(complaints, 0);
	check_order();
	assert_int_equal(memory_type(&m, 0, 0x124000), REGION_USED);
	assert_int_equal(memory_type(&m, 0x500000, 0x1000), REGION_USED);
	assert_int_equal(memory_type(&m, 0x600000, 0x2000), REGION_USED);
	assert_int_equal(memory_type(&m, 0x8000000, 3200 * 600), REGION_USED);
	assert_int_equal(memory_type(&m, 0x4ff000, 0x1000), REGION_FREE);
	assert_int_equal(memory_type(&m, 0x602000, 0x1000), REGION_FREE);
	/* A framebuffer at the very end must not wrap around to 0. */
	bi.fb.addr = UINT64_MAX - 5000;
	assert_true(init(0x100000, 0x123456));
	check_order();
	assert_int_equal(memory_type(&m, 0x200000, 0x1000), REGION_FREE);
	assert_int_equal(memory_type(&m, UINT64_MAX - 5000, 1), REGION_USED);
}

/* The most fragmented map possible: ranges are lost, none is invented, nothing is overrun. */
static void test_fragmented(void **state)
{
	(void)state;
	clear();
	region(0x100000, 0x4000000, REGION_FREE);
	for (unsigned i = 1; i < BOOT_REGIONS; i++)
		region(0x200000 + i * 0x10000, 0x1000, REGION_RESERVED);
	assert_true(init(0x100000, 0x110000));
	assert_non_null(strstr(told, "128 ranges"));
	check_order();
	for (unsigned i = 0; i < 400; i++) {
		if (!memory_alloc(&m, 4096, 8192))
			break;
		check_order();
		assert_true(m.nranges <= MEMORY_RANGES);
	}
}

static uint32_t lcg(uint32_t *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 8;
}

enum { PAGES = 2048 }; /* a machine of 8 MiB, as an oracle of 512-byte pieces */
#define PIECE  512
#define PIECES (PAGES * 8)

static const uint8_t badness[] = { 0, 1, 4, 2, 3, 5 }; /* by type: hole, free, reserved, ... */
static uint8_t oracle[PIECES];                         /* badness; 6 is in use */

static void mark(uint64_t base, uint64_t end, uint8_t bad)
{
	for (uint64_t i = base / PIECE; i < (end + PIECE - 1) / PIECE && i < PIECES; i++)
		if (oracle[i] < bad)
			oracle[i] = bad;
}

/* Every page given out must be free in the oracle, once. */
static void claim(uint64_t base, uint64_t size)
{
	for (uint64_t i = base / PIECE; i < (base + size) / PIECE; i++) {
		assert_true(i < PIECES);
		assert_int_equal(oracle[i], 1);
		oracle[i] = 6;
	}
}

static void test_fuzz(void **state)
{
	uint32_t seed = 3;

	(void)state;
	for (unsigned round = 0; round < 1500; round++) {
		unsigned n = lcg(&seed) % (round & 1 ? 12 : BOOT_REGIONS) + 1;
		uint64_t free_pages = 0;
		bool lost;

		clear();
		memset(oracle, 0, sizeof(oracle));
		for (unsigned i = 0; i < n; i++) {
			uint64_t base = (uint64_t)(lcg(&seed) % PIECES) * PIECE;
			uint64_t size = (uint64_t)(lcg(&seed) % (PIECES / 4) + 1) * PIECE;
			uint32_t type = lcg(&seed) % 3 ? 1 : lcg(&seed) % 5 + 1;

			if (type != 1)
				size = size % 0x20000 + PIECE;
			if (base + size > PIECES * PIECE)
				size = PIECES * PIECE - base;
			region(base, size, type);
			/* Of free memory only whole pages count. */
			if (type == 1)
				mark((base + 4095) & ~4095ull, (base + size) & ~4095ull, 1);
			else
				mark(base, base + size, badness[type]);
		}
		mark(0, MIB, 6);
		mark(0x200000, 0x234000, 6);
		init(0x200000, 0x233f00);
		lost = strstr(told, "128 ranges") != NULL;
		check_order();
		for (unsigned p = 0; p < PAGES; p++) {
			bool all_free = true;

			for (unsigned i = 0; i < 8; i++)
				all_free = all_free && oracle[p * 8 + i] == 1;
			free_pages += all_free;
			if (memory_type(&m, p * 4096ull, 4096) == REGION_FREE)
				assert_true(all_free);
			else if (!lost)
				assert_false(all_free);
		}
		assert_true(lost || m.total_free == free_pages * 4096);
		if (memory_arena(&m, 4 * MIB))
			claim((uintptr_t)m.arena, m.arena_size);
		for (unsigned i = 0; i < 20; i++) {
			size_t size = lcg(&seed) % 20000 + 1;
			size_t align = (size_t)1 << lcg(&seed) % 16;
			uintptr_t a = (uintptr_t)memory_alloc(&m, size, align);

			assert_int_equal(a % align, 0);
			if (a)
				claim(a, (size + 4095) & ~4095ull);
			check_order();
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_machine), cmocka_unit_test(test_arena),
		cmocka_unit_test(test_expanse),       cmocka_unit_test(test_expanse_is_high),
		cmocka_unit_test(test_alloc),         cmocka_unit_test(test_broken_maps),
		cmocka_unit_test(test_no_map),        cmocka_unit_test(test_own),
		cmocka_unit_test(test_fragmented),    cmocka_unit_test(test_fuzz),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
