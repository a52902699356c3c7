/*
 * kernel/firmware/disk.c and bios.c on a PC with a BIOS in memory: sectors go where they belong,
 * and what BIOSes and drives do wrong is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/bios.h"
#include "kernel/firmware/disk.h"
#include "kernel/firmware/medium.h"
#include "kernel/lib/log.h"
#include "tests/unit/support/fake_bios.h"

static struct fake_medium medium, other;
static char said[1024];

static void hear(const char *line, size_t n)
{
	assert_true(strlen(said) + n < sizeof(said));
	strncat(said, line, n);
}

static int media(void **state)
{
	(void)state;
	said[0] = '\0';
	log_sink(hear);
	fake_medium_init(&medium, FAKE_FLOPPY_SECTORS);
	fake_medium_init(&other, FAKE_FLOPPY_SECTORS);
	for (uint32_t i = 0; i < FAKE_FLOPPY_SECTORS; i++) {
		memset(medium.data[i], (int)i, FAKE_SECTOR);
		memcpy(medium.data[i], &i, sizeof(i));
	}
	return 0;
}

static int no_media(void **state)
{
	(void)state;
	fake_medium_free(&medium);
	fake_medium_free(&other);
	return 0;
}

/* A machine with `medium` in its drive. */
static void start(enum fake_drive drive)
{
	fake_bios_reset(drive);
	fake_bios_insert(&medium);
	if (drive == FAKE_FLOPPY)
		fake_bios_after_grub();
}

static uint8_t drive_of(enum fake_drive drive)
{
	return drive == FAKE_FLOPPY ? 0x00 : 0x80;
}

static const enum fake_drive drives[] = { FAKE_FLOPPY, FAKE_DISK, FAKE_DISK_CHS };

enum { DRIVES = sizeof(drives) / sizeof(drives[0]) };

/* Each length at places in and between tracks. */
static void test_sectors(void **state)
{
	static uint8_t got[DISK_CHUNK][DISK_SECTOR], want[DISK_CHUNK][DISK_SECTOR];

	(void)state;
	for (unsigned d = 0; d < DRIVES; d++) {
		start(drives[d]);
		assert_null(disk_open(drive_of(drives[d])));
		for (unsigned n = 1; n <= DISK_CHUNK; n++) {
			uint32_t first = 97 * n + n * n;

			assert_null(disk_transfer(false, first, n, got));
			assert_memory_equal(got, medium.data[first], n * DISK_SECTOR);
			memset(want, (int)(n + d), sizeof(want));
			assert_null(disk_transfer(true, first, n, want));
			assert_memory_equal(medium.data[first], want, n * DISK_SECTOR);
			assert_memory_not_equal(medium.data[first - 1], want, DISK_SECTOR);
			assert_memory_not_equal(medium.data[first + n], want, DISK_SECTOR);
		}
		assert_int_equal(fake_bios.edd_transfers != 0, drives[d] == FAKE_DISK);
	}
}

static void test_protected(void **state)
{
	uint8_t sector[DISK_SECTOR] = { 0 };

	(void)state;
	for (unsigned d = 0; d < DRIVES; d++) {
		medium.is_protected = true;
		start(drives[d]);
		assert_null(disk_open(drive_of(drives[d])));
		assert_null(disk_transfer(false, 100, 1, sector));
		assert_string_equal(disk_transfer(true, 100, 1, sector), MEDIUM_PROTECTED);
	}
}

static void test_no_medium(void **state)
{
	uint8_t sector[DISK_SECTOR];

	(void)state;
	for (unsigned d = 0; d < DRIVES; d++) {
		start(drives[d]);
		assert_null(disk_open(drive_of(drives[d])));
		assert_null(disk_transfer(false, 100, 1, sector));
		fake_bios_insert(NULL);
		assert_string_equal(disk_transfer(false, 101, 1, sector), MEDIUM_MISSING);
	}
}

struct writing {
	uint32_t first;
	unsigned count;
};

static void write_zeros(void *arg)
{
	static uint8_t zeros[DISK_CHUNK][DISK_SECTOR];
	const struct writing *w = arg;

	disk_transfer(true, w->first, w->count, zeros);
}

/* Sectors before the one in which the power dies are written, those behind it are not. */
static void test_power_dies(void **state)
{
	struct writing w = { 200, 10 };
	uint8_t sector[DISK_SECTOR];

	(void)state;
	for (unsigned torn = FAKE_TORN_MIX; torn <= FAKE_TORN_UNREADABLE; torn++) {
		w.first = 200 + 20 * torn;
		start(FAKE_FLOPPY);
		fake_bios.faults.power_dies_at = 4;
		fake_bios.faults.torn = torn;
		fake_bios.faults.torn_bytes = 100;
		assert_null(disk_open(0));
		assert_false(fake_bios_run(write_zeros, &w));
		start(FAKE_FLOPPY);
		assert_null(disk_open(0));
		assert_null(disk_transfer(false, w.first + 2, 1, sector));
		assert_int_equal(sector[0] | sector[511], 0);
		assert_null(disk_transfer(false, w.first + 4, 1, sector));
		assert_int_equal(sector[511], (uint8_t)(w.first + 4));
		if (torn == FAKE_TORN_UNREADABLE) {
			assert_string_equal(
				disk_transfer(false, w.first + 3, 1, sector),
				"the medium has a sector that cannot be read or written");
			continue;
		}
		assert_null(disk_transfer(false, w.first + 3, 1, sector));
		assert_int_equal(!sector[99], torn == FAKE_TORN_MIX);
		assert_int_equal(sector[511] == (uint8_t)(w.first + 3), torn == FAKE_TORN_MIX);
	}
}

static void test_swap(void **state)
{
	uint8_t sector[DISK_SECTOR];

	(void)state;
	start(FAKE_FLOPPY);
	fake_bios.faults.no_line = true;
	assert_null(disk_open(0));
	assert_null(disk_transfer(false, 7, 1, sector));
	fake_bios.faults.swap_at = fake_bios.calls + 1;
	fake_bios.faults.back_at = fake_bios.calls + 2;
	fake_bios.faults.other = &other;
	assert_null(disk_transfer(false, 7, 1, sector));
	assert_int_equal(sector[100], 0xe5);
	assert_null(disk_transfer(false, 7, 1, sector));
	assert_int_equal(sector[100], 7);
}

/* GRUB leaves the controller in reset; then no access of the first one fails, or waits in vain. */
static void test_after_grub(void **state)
{
	uint8_t sector[DISK_SECTOR];

	(void)state;
	start(FAKE_FLOPPY);
	assert_null(disk_open(0));
	assert_int_equal(fake_bios.resets, 1);
	assert_null(disk_transfer(false, 100, 1, sector));
	assert_int_equal(fake_bios.reads, 1);
	assert_true(fake_bios_motor());
}

/* Floppies get six tries, hard disks three. The reason is that of the last one. */
static void test_tries(void **state)
{
	static const unsigned tries[DRIVES] = { 6, 3, 3 };
	uint8_t sector[DISK_SECTOR];

	(void)state;
	for (unsigned d = 0; d < DRIVES; d++) {
		start(drives[d]);
		assert_null(disk_open(drive_of(drives[d])));
		fake_bios.faults.each_fails = tries[d] - 1;
		fake_bios.resets = 0;
		assert_null(disk_transfer(false, 100, 1, sector));
		assert_int_equal(fake_bios.resets, tries[d] - 1);
		assert_int_equal(sector[511], 100);
		fake_bios.faults.each_fails = tries[d];
		assert_string_equal(disk_transfer(false, 101, 1, sector),
		                    "the medium has a sector that cannot be read or written");
	}
	start(FAKE_FLOPPY);
	assert_null(disk_open(0));
	fake_bios.faults.first_fail = 5;
	fake_bios.faults.fail_from = 6;
	fake_bios.faults.fail_status = 0x20;
	assert_string_equal(disk_transfer(false, 100, 1, sector),
	                    "the BIOS reports error 20h of the medium");
}

/* One bad sector is another thing than a drive without a medium; its neighbours can be read. */
static void test_bad_sector(void **state)
{
	static uint8_t got[3][DISK_SECTOR];

	(void)state;
	for (unsigned d = 0; d < DRIVES; d++) {
		medium.bad[41] = 0x10 | FAKE_BAD_STAYS;
		start(drives[d]);
		assert_null(disk_open(drive_of(drives[d])));
		assert_string_equal(disk_transfer(false, 40, 3, got),
		                    "the medium has a sector that cannot be read or written");
		assert_null(disk_transfer(false, 40, 1, got));
		assert_null(disk_transfer(false, 42, 1, got));
		assert_int_equal(got[0][511], 42);
	}
}

/* The change line is told once, by an access that is not tried again. */
static void test_changed(void **state)
{
	uint8_t sector[DISK_SECTOR];

	(void)state;
	start(FAKE_FLOPPY);
	fake_bios_insert(&medium); /* at the first access it is no news */
	assert_null(disk_open(0));
	assert_null(disk_transfer(false, 7, 1, sector));
	fake_bios_insert(&other);
	assert_string_equal(disk_transfer(true, 7, 1, sector), MEDIUM_CHANGED);
	assert_int_equal(other.data[7][100], 0xe5);
	assert_null(disk_transfer(false, 7, 1, sector));
	fake_bios_insert(&medium);
	assert_null(disk_open(0));
	assert_null(disk_transfer(false, 7, 1, sector));
}

/* The motor runs while a flush lasts, and not behind it. */
static void test_motor(void **state)
{
	uint8_t sector[DISK_SECTOR];

	(void)state;
	start(FAKE_FLOPPY);
	assert_null(disk_open(0));
	for (unsigned i = 0; i < 3; i++) {
		assert_null(disk_transfer(false, 100 * i, 1, sector));
		assert_null(disk_transfer(false, 100 * i + 50, 1, sector));
		assert_true(fake_bios_motor());
		disk_rest();
		assert_false(fake_bios_motor());
	}
	assert_int_equal(fake_bios.reads, 6); /* none met a disk that did not turn */
}

static unsigned warnings(void)
{
	unsigned n = 0;

	for (const char *p = said; (p = strstr(p, "warn what=save")) != NULL; p++)
		n++;
	return n;
}

/* Extensions that are announced and fail, in two ways; the warn comes once in a run. */
static void test_extensions_lie(void **state)
{
	uint8_t sector[DISK_SECTOR];

	(void)state;
	for (unsigned lie = 0; lie < 2; lie++) {
		start(FAKE_DISK);
		fake_bios.faults.edd_status = lie ? 0 : 0x01;
		fake_bios.faults.edd_reads_nothing = lie;
		assert_null(disk_open(0x80));
		assert_null(disk_transfer(false, 100, 1, sector));
		assert_int_equal(sector[511], 100);
		memset(sector, 0x11, sizeof(sector));
		assert_null(disk_transfer(true, 100, 1, sector));
		assert_memory_equal(medium.data[100], sector, DISK_SECTOR);
		assert_int_equal(warnings(), 1);
		assert_non_null(strstr(said, "announces extended reads, and they fail"));
		medium.data[100][511] = 100;
	}
	start(FAKE_DISK); /* neither way works: the extensions stay */
	fake_bios.faults.fail_from = 1;
	assert_null(disk_open(0x80));
	assert_non_null(disk_transfer(false, 100, 1, sector));
	fake_bios.faults.fail_from = 0;
	assert_null(disk_transfer(false, 100, 1, sector));
	assert_true(fake_bios.edd_transfers >= 5);
}

/* A read that moves nothing does not show what was written before. */
static void test_reads_nothing(void **state)
{
	static uint8_t zeros[DISK_CHUNK][DISK_SECTOR];
	uint8_t sector[DISK_SECTOR];

	(void)state;
	for (unsigned d = 0; d < DRIVES; d++) {
		start(drives[d]);
		assert_null(disk_open(drive_of(drives[d])));
		assert_null(disk_transfer(true, 900, 4, zeros));
		fake_bios.faults.read_nothing_at = fake_bios.reads + 1;
		assert_null(disk_transfer(false, 100, 1, sector)); /* it is tried again */
		assert_int_equal(sector[511], 100);
	}
	start(FAKE_DISK);
	assert_null(disk_open(0x80));
	fake_bios.faults.edd_reads_nothing = true;
	assert_string_equal(disk_transfer(false, 100, 1, sector),
	                    "the BIOS says that it has read the medium, and it has not");
}

/* What CH and CL cannot name, and what the disk does not have, is never asked for. */
static void test_cylinders(void **state)
{
	static const uint32_t cylinders[] = { 80, 1023, 1024 };
	uint8_t sector[DISK_SECTOR];

	(void)state;
	for (unsigned i = 0; i < sizeof(cylinders) / sizeof(cylinders[0]); i++) {
		uint32_t end = cylinders[i] * 2;

		start(FAKE_DISK_CHS);
		fake_bios.cylinders = cylinders[i];
		fake_bios.heads = 2;
		fake_bios.track = 1;
		assert_null(disk_open(0x80));
		assert_null(disk_transfer(false, end - 1, 1, sector));
		assert_int_equal(sector[511], (uint8_t)(end - 1));
		fake_bios.reads = 0;
		assert_non_null(strstr(disk_transfer(false, end, 1, sector), "beyond"));
		assert_non_null(strstr(disk_transfer(true, end + 2048, 1, sector), "beyond"));
		assert_int_equal(fake_bios.reads + fake_bios.writes, 0);
		assert_non_null(strstr(disk_transfer(false, end - 1, 2, sector), "beyond"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sectors, media, no_media),
		cmocka_unit_test_setup_teardown(test_protected, media, no_media),
		cmocka_unit_test_setup_teardown(test_no_medium, media, no_media),
		cmocka_unit_test_setup_teardown(test_power_dies, media, no_media),
		cmocka_unit_test_setup_teardown(test_swap, media, no_media),
		cmocka_unit_test_setup_teardown(test_after_grub, media, no_media),
		cmocka_unit_test_setup_teardown(test_tries, media, no_media),
		cmocka_unit_test_setup_teardown(test_bad_sector, media, no_media),
		cmocka_unit_test_setup_teardown(test_changed, media, no_media),
		cmocka_unit_test_setup_teardown(test_motor, media, no_media),
		cmocka_unit_test_setup_teardown(test_extensions_lie, media, no_media),
		cmocka_unit_test_setup_teardown(test_reads_nothing, media, no_media),
		cmocka_unit_test_setup_teardown(test_cylinders, media, no_media),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
