/*
 * kernel/firmware/fat.c: every state of the file system in which logfile= must not be believed, and
 * random damage.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/fat.h"
#include "tests/unit/support/image.h"

enum { DRAWS = 4000 };

static struct image m, made[2];
static unsigned reads;
static uint32_t bad = UINT32_MAX; /* a sector that cannot be read */
static bool idle;                 /* reads say yes and do nothing */

static const char *read_image(uint32_t first, unsigned count, void *data)
{
	assert_true(count >= 1 && count <= FAT_CHUNK);
	reads++;
	if (first >= m.sectors || count > m.sectors - first)
		return "beyond the disk";
	if (bad >= first && bad - first < count)
		return "bad sector";
	if (!idle)
		memcpy(data, m.bytes[first], count * IMAGE_SECTOR);
	return NULL;
}

static const char *check(void)
{
	return fat_check(read_image, m.first, m.log);
}

static void says(const char *words)
{
	const char *why = check();

	assert_non_null(why);
	if (!strstr(why, words))
		fail_msg("\"%s\" and not \"%s\"", why, words);
}

static int make_both(void **state)
{
	(void)state;
	image_floppy(&made[0]);
	image_stick(&made[1]);
	return 0;
}

static void test_good(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		m = made[i];
		reads = 0;
		assert_null(check());
		assert_in_range(reads, 1, 12); /* a floppy takes a fifth of a second for each */
		for (uint32_t by = 1; by < 5; by++) {
			assert_non_null(fat_check(read_image, m.first + by, m.log));
			assert_non_null(fat_check(read_image, m.first - by, m.log));
			assert_non_null(fat_check(read_image, m.first, m.log - by));
			assert_non_null(fat_check(read_image, m.first, m.log + by));
		}
		assert_non_null(fat_check(read_image, UINT32_MAX, m.log));
		assert_non_null(fat_check(read_image, 0, m.log));
		assert_non_null(fat_check(read_image, m.first, 0));
		assert_non_null(fat_check(read_image, m.first, UINT32_MAX));
	}
}

/* An entry of the folder that is not that of our file; each is put back. */
static void test_entry(void **state)
{
	static const struct {
		unsigned at;
		uint8_t value;
		const char *words;
	} rows[] = {
		{ 0, 0xe5, "renamed, moved or deleted" },
		{ 0, 0, "renamed, moved or deleted" },
		{ 0, 'L', "renamed, moved or deleted" },
		{ 10, 'K', "renamed, moved or deleted" },
		{ 11, 0x0f, "renamed, moved or deleted" },
		{ 11, 0x08, "renamed, moved or deleted" },
		{ 11, 0x21, "read-only" },
		{ 11, 0x10, "a folder" },
		{ 26, 0, "moved or replaced" },
		{ 27, 0x7f, "moved or replaced" },
		{ 28, 1, "cut, extended or replaced" },
		{ 29, 0, "cut, extended or replaced" },
		{ 31, 1, "cut, extended or replaced" },
	};

	(void)state;
	for (unsigned k = 0; k < 2; k++)
		for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			m = made[k];
			if (image_entry(&m)[rows[i].at] == rows[i].value)
				image_entry(&m)[rows[i].at] ^= 0x55;
			else
				image_entry(&m)[rows[i].at] = rows[i].value;
			says(rows[i].words);
		}
}

/* Deleted, and a backup lies in the old clusters; a new file of the name lies elsewhere. */
static void test_backup_in_its_clusters(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		uint8_t *entry;

		m = made[k];
		entry = image_entry(&m);
		memcpy(entry, "BACKUP  LOG", 11);
		says("renamed, moved or deleted");
		memcpy(entry + 64, entry, 32);
		memcpy(entry + 64, "CPL0    LOG", 11);
		entry[64 + 26] ^= 1;
		says("moved or replaced");
	}
}

static void test_pieces(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		uint32_t cluster, n;

		m = made[k];
		cluster = image_cluster(&m, m.first);
		n = m.log / m.per_cluster;
		for (unsigned i = 0; i < 40; i++) {
			uint32_t at = i < 4   ? i
			              : i < 8 ? n - 2 - (i - 4)
			                      : (uint32_t)rand() % (n - 1);
			static const uint32_t other[] = { 0, 1, 2, 0xff7, 0xfff };

			m = made[k];
			image_next(&m, cluster + at,
			           other[i % 5] | (m.fat16 && other[i % 5] > 2) * 0xf000);
			says("in pieces");
			m = made[k];
			image_next(&m, cluster + n - 1, cluster + n);
			says("in pieces");
		}
	}
}

static void test_no_volume(void **state)
{
	static const struct {
		unsigned at;
		uint8_t value;
	} rows[] = { { 11, 1 },  { 12, 4 },  { 13, 0 }, { 13, 3 },  { 14, 0 },
		     { 16, 0 },  { 16, 3 },  { 17, 8 }, { 22, 1 },  { 23, 255 },
		     { 510, 0 }, { 511, 0 }, { 20, 0 }, { 20, 255 } };

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		m = made[1];
		m.bytes[m.volume][rows[i].at] = rows[i].value;
		says("in no FAT12 or FAT16 volume");
	}
	m = made[1];
	m.bytes[0][446 + 4] = 0; /* no partition */
	says("in no FAT12 or FAT16 volume");
	m = made[1];
	m.bytes[0][446 + 12 + 1] = 1; /* the volume is larger than it */
	says("in no FAT12 or FAT16 volume");
	m = made[1];
	memset(m.bytes[m.volume] + 11, 0, 50);
	says("in no FAT12 or FAT16 volume");
}

static void test_reads_that_fail(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		m = made[k];
		bad = m.root;
		assert_string_equal(check(), "bad sector");
		bad = m.volume;
		assert_string_equal(check(), "bad sector");
		bad = m.table + 1;
		assert_string_equal(check(), "bad sector");
		bad = UINT32_MAX;
		idle = true;
		says("in no FAT12 or FAT16 volume");
		idle = false;
	}
}

/* ---- Random damage, and a second reading of the file system that knows no tricks ---- */

static uint32_t get(const uint8_t *p, unsigned n)
{
	return n ? p[0] | get(p + 1, n - 1) << 8 : 0;
}

/* The sector of the disk in which sector `index` of CPL0.LOG lies; 0 if there is none. */
static uint64_t place_of(uint32_t index)
{
	const uint8_t *b = m.bytes[m.volume], *entry = NULL, *table;
	uint64_t root = get(b + 14, 2) + (uint64_t)b[16] * get(b + 22, 2);
	uint64_t data = root + get(b + 17, 2) / 16;
	uint32_t cluster;

	for (uint64_t i = 0; i < get(b + 17, 2); i++) {
		const uint8_t *e = m.bytes[m.volume + root] + i * 32;

		if (!e[0])
			return 0;
		if (!(e[11] & 8) && memcmp(e, "CPL0    LOG", 11) == 0) {
			entry = e;
			break;
		}
	}
	if (!entry || entry[11] & 0x11 || get(entry + 28, 4) != m.log * IMAGE_SECTOR)
		return 0;
	table = m.bytes[m.volume + get(b + 14, 2)];
	cluster = get(entry + 26, 2);
	for (uint32_t left = index / b[13]; left; left--) {
		if (cluster < 2 || cluster > 65000)
			return 0;
		cluster = m.fat16 ? get(table + cluster * 2, 2)
		                  : get(table + cluster * 3 / 2, 2) >> (cluster & 1) * 4 & 0xfff;
	}
	return m.volume + data + (uint64_t)(cluster - 2) * b[13] + index % b[13];
}

static void damage(void)
{
	static uint32_t places[8];
	uint8_t *p;

	places[0] = 0;
	places[1] = m.volume;
	places[2] = places[3] = m.root;
	for (unsigned i = 4; i < 8; i++)
		places[i] = m.table + (uint32_t)rand() % 8;
	for (unsigned n = 1 + (unsigned)rand() % 3; n; n--) {
		p = m.bytes[places[rand() % 8]] + rand() % (rand() % 2 ? IMAGE_SECTOR : 64);
		if (rand() % 3)
			*p ^= (uint8_t)(1 << rand() % 8);
		else
			*p = (uint8_t)rand();
	}
	if (rand() % 50 == 0)
		for (unsigned i = 0; i < IMAGE_SECTOR; i++)
			m.bytes[places[rand() % 8]][i] = (uint8_t)rand();
}

static void test_random_damage(void **state)
{
	unsigned accepted = 0, seed = 1;

	(void)state;
	for (unsigned i = 0; i < DRAWS; i++) {
		srand(seed + i);
		m = made[i % 2];
		damage();
		if (check())
			continue;
		accepted++;
		for (uint32_t k = 0; k < m.log; k += 1 + (uint32_t)rand() % 300)
			assert_int_equal(place_of(k), m.first + k);
		assert_int_equal(place_of(m.log - 1), m.first + m.log - 1);
	}
	print_message("%u draws, %u of them accepted\n", DRAWS, accepted);
	assert_in_range(accepted, DRAWS / 20, DRAWS - DRAWS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_backup_in_its_clusters),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_no_volume),
		cmocka_unit_test(test_reads_that_fail),
		cmocka_unit_test(test_random_damage),
	};

	return cmocka_run_group_tests(tests, make_both, NULL);
}
