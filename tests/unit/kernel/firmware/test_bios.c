/*
 * Keys and power-off by the BIOS (kernel/firmware/bios.c, ask.c, apm.c): the 8259s forget requests
 * between two calls, and each key is heard all the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/pic.h"
#include "kernel/chipset/pit.h"
#include "kernel/firmware/apm.h"
#include "kernel/firmware/ask.h"
#include "kernel/firmware/bios.h"
#include "kernel/firmware/efi.h"
#include "tests/unit/support/fake_bios.h"

enum { MS = 1000, SECOND = 1000000 };

bool efi_alive(void)
{
	return false;
}

uint16_t efi_key(void)
{
	return 0;
}

/* A machine at which the kernel has the interrupt controllers, as at the start of a run. */
static int start(void **state)
{
	(void)state;
	fake_bios_reset(FAKE_DISK);
	pic_init();
	pit_stop();
	return 0;
}

/* Held for long or for a tenth of a second, pressed at any moment between the polls. */
static void test_every_key_is_heard(void **state)
{
	static const uint64_t lengths[] = { 100 * MS, 10 * SECOND };

	for (unsigned l = 0; l < 2; l++)
		for (unsigned i = 0; i < 200; i++) {
			uint8_t scan = i % 2 ? FAKE_KEY_Y : FAKE_KEY_N;
			uint64_t at = 300 * MS + i * 731;

			start(state);
			fake_bios_press(scan, at, lengths[l]);
			assert_int_equal(ask("y or n?"), scan == FAKE_KEY_Y);
			assert_true(fake_bios.us > at && fake_bios.us < at + 100 * MS);
			assert_int_equal(fake_bios.heard, 1);
		}
}

/* Before the first question: the byte has waited since GRUB's menu. */
static void test_key_before(void **state)
{
	(void)state;
	fake_bios_press(FAKE_KEY_Y, 1, 50 * MS);
	assert_true(ask("y or n?"));
}

static void test_key_by_tick(void **state)
{
	(void)state;
	fake_bios_key_by_tick(0x1559);
	assert_true(ask("y or n?"));
}

static void test_no_int9(void **state)
{
	(void)state;
	fake_bios.faults.no_int9 = true;
	fake_bios_press(FAKE_KEY_Y, 200 * MS, 100 * MS);
	assert_true(ask("y or n?"));
}

/* A byte of the mouse holds the keyboard's back. */
static void test_mouse(void **state)
{
	(void)state;
	fake_bios.faults.mouse_at_us = 100 * MS;
	fake_bios_press(FAKE_KEY_Y, 200 * MS, 100 * MS);
	assert_true(ask("y or n?"));
}

/* Twenty seconds, whatever a read of a port costs; and an end, if the timer does not count. */
static void test_no_key(void **state)
{
	(void)state;
	assert_false(ask("y or n?"));
	assert_in_range(fake_bios.us, 20 * SECOND, 22 * SECOND);
	start(NULL);
	fake_bios.faults.no_timer = true;
	assert_false(ask("y or n?"));
	assert_in_range(fake_bios.us, 20 * SECOND, 100 * SECOND);
}

/* A call uses 7000h to AFFFh: free by the map, and without a module in it. */
static void test_low_memory(void **state)
{
	static struct bootinfo bi;
	const struct {
		uint64_t start, end;
		bool taken;
	} rows[] = {
		{ 0x6000, 0x7000, false }, { 0x6000, 0x7001, true },  { 0x8000, 0x8100, true },
		{ 0xafff, 0xf000, true },  { 0xb000, 0xf000, false },
	};

	(void)state;
	bi.mem_lower_kb = 640;
	assert_null(bios_obstacle(&bi));
	bi.mem_lower_kb = 43;
	assert_non_null(bios_obstacle(&bi));
	bi.nregions = 1;
	bi.regions[0] = (struct boot_region){ 0, 0xa0000, REGION_FREE };
	assert_null(bios_obstacle(&bi));
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bi.nmodules = 1;
		bi.modules[0].start = rows[i].start;
		bi.modules[0].end = rows[i].end;
		assert_int_equal(bios_obstacle(&bi) != NULL, rows[i].taken);
	}
	bi.nmodules = 0;
	bi.info_start = 0x9500; /* QEMU puts it there; it has been copied */
	bi.info_end = 0x9600;
	assert_null(bios_obstacle(&bi));
	bi.regions[0].size = 0xafff;
	assert_non_null(bios_obstacle(&bi));
	bi.regions[0].size = 0xb000;
	memset(fake_bios.low + 0x15 * 4, 0, 4); /* UEFI that Multiboot 1 does not tell of */
	assert_string_equal(bios_obstacle(&bi),
	                    "there is no BIOS: its table of interrupts is empty");
	bi.efi = true;
	assert_non_null(bios_obstacle(&bi));
}

static const char *why;

static void switch_off(void *bi)
{
	why = apm_power_off(bi);
}

static void test_apm(void **state)
{
	static struct bootinfo bi = { .mem_lower_kb = 640 };

	start(state);
	fake_bios.apm = true;
	assert_false(fake_bios_run(switch_off, &bi));
	assert_true(fake_bios.off);
	start(state);
	assert_true(fake_bios_run(switch_off, &bi));
	assert_string_equal(why, "the machine has neither ACPI nor APM");
	bi.efi = true;
	fake_bios.apm = true;
	assert_true(fake_bios_run(switch_off, &bi));
	assert_string_equal(why, "the machine has no ACPI, and its BIOS cannot be called");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_every_key_is_heard, start),
		cmocka_unit_test_setup(test_key_before, start),
		cmocka_unit_test_setup(test_key_by_tick, start),
		cmocka_unit_test_setup(test_no_int9, start),
		cmocka_unit_test_setup(test_mouse, start),
		cmocka_unit_test_setup(test_no_key, start),
		cmocka_unit_test(test_low_memory),
		cmocka_unit_test(test_apm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
