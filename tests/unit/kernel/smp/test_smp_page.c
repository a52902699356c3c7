/*
 * The page where other CPUs start: never memory that the BIOS may own, whatever the map says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/smp/page.h"

static struct bootinfo bi;
static uint8_t bda[256];

static void region(uint64_t start, uint64_t end, uint32_t type)
{
	bi.regions[bi.nregions++] = (struct boot_region){ start, end - start, type };
}

static void bios(uint32_t kb, uint32_t ebda)
{
	memset(bda, 0, sizeof(bda));
	bda[0x13] = (uint8_t)kb;
	bda[0x14] = (uint8_t)(kb >> 8);
	bda[0x0e] = (uint8_t)(ebda >> 4);
	bda[0x0f] = (uint8_t)(ebda >> 12);
}

static int fresh(void **state)
{
	(void)state;
	memset(&bi, 0, sizeof(bi));
	bios(639, 0x9fc00);
	return 0;
}

static void lowest_page_is_taken(void **state)
{
	(void)state;
	region(0, 0x9f000, REGION_FREE);
	assert_int_equal(smp_find_page(&bi, bda), 1);
	bi.regions[0].base = 0x800;
	assert_int_equal(smp_find_page(&bi, bda), 1);
	bi.regions[0].base = 0x1001;
	assert_int_equal(smp_find_page(&bi, bda), 2);
}

/* Calls of the BIOS use 7000h to AFFFh. */
static void bios_calls_keep_their_pages(void **state)
{
	(void)state;
	region(0x7000, 0x9f000, REGION_FREE);
	assert_int_equal(smp_find_page(&bi, bda), 0xb);
	region(0xb000, 0xc000, REGION_RESERVED);
	assert_int_equal(smp_find_page(&bi, bda), 0xc);
}

/* The map calls all of it free, as of Dell and AMD-768MPX boards. */
static void bios_owns_the_top(void **state)
{
	(void)state;
	region(0x96000, 0xa0000, REGION_FREE);
	bios(600, 0); /* up to 96000h */
	assert_int_equal(smp_find_page(&bi, bda), 0);
	bios(604, 0);
	assert_int_equal(smp_find_page(&bi, bda), 0x96);
	bios(603, 0);
	assert_int_equal(smp_find_page(&bi, bda), 0);
	bios(640, 0x96400);
	assert_int_equal(smp_find_page(&bi, bda), 0);
	bios(640, 0x97000);
	assert_int_equal(smp_find_page(&bi, bda), 0x96);
}

static void last_page_is_never_taken(void **state)
{
	(void)state;
	region(0x9f000, 0xa0000, REGION_FREE);
	bios(640, 0);
	assert_int_equal(smp_find_page(&bi, bda), 0);
	/* UEFI has no such areas, and 400h holds anything. */
	bi.efi = true;
	assert_int_equal(smp_find_page(&bi, bda), 0x9f);
	bios(600, 0x80000);
	assert_int_equal(smp_find_page(&bi, bda), 0x9f);
}

/* Numbers that cannot be are not believed. */
static void garbage_in_the_data_area(void **state)
{
	(void)state;
	region(0x90000, 0x9f000, REGION_FREE);
	bios(0, 0);
	assert_int_equal(smp_find_page(&bi, bda), 0x90);
	bios(64, 0x1000);
	assert_int_equal(smp_find_page(&bi, bda), 0x90);
	memset(bda, 0xff, sizeof(bda));
	assert_int_equal(smp_find_page(&bi, bda), 0x90);
}

static void loader_keeps_its_memory(void **state)
{
	(void)state;
	region(0, 0x9f000, REGION_FREE);
	bi.nmodules = 1;
	bi.modules[0].start = 0x1ffe;
	bi.modules[0].end = 0x3001;
	bi.info_start = 0x4000;
	bi.info_end = 0x4010;
	assert_int_equal(smp_find_page(&bi, bda), 5);
}

static void old_loaders_tell_a_size(void **state)
{
	(void)state;
	bi.mem_lower_kb = 7;
	assert_int_equal(smp_find_page(&bi, bda), 0);
	bi.mem_lower_kb = 8;
	assert_int_equal(smp_find_page(&bi, bda), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(lowest_page_is_taken, fresh),
		cmocka_unit_test_setup(bios_calls_keep_their_pages, fresh),
		cmocka_unit_test_setup(bios_owns_the_top, fresh),
		cmocka_unit_test_setup(last_page_is_never_taken, fresh),
		cmocka_unit_test_setup(garbage_in_the_data_area, fresh),
		cmocka_unit_test_setup(loader_keeps_its_memory, fresh),
		cmocka_unit_test_setup(old_loaders_tell_a_size, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
