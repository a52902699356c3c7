/*
 * kernel/firmware/save.c on a disk in memory: what the file holds after a run, which sectors are
 * written, and what becomes of a disk that fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/save.c" /* its state begins anew in every test */

enum { SECTORS = 400, FIRST = 40, LOG = 300, TEXT = 1 << 18 };

static char disk[SECTORS][DISK_SECTOR], before[SECTORS][DISK_SECTOR];
static const char *broken;   /* what the disk says to every write */
static unsigned good_writes; /* that it takes before */
static char said[TEXT];      /* the log of this run */
static size_t nsaid;

const char *bios_obstacle(const struct bootinfo *bi)
{
	(void)bi;
	return NULL;
}

static uint16_t pressed;

uint16_t bios_key(void)
{
	return pressed;
}

bool efi_alive(void)
{
	return false;
}

const char *efi_open(uint32_t *sectors)
{
	(void)sectors;
	return "no UEFI here";
}

const char *efi_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	(void)write;
	(void)first;
	(void)count;
	(void)data;
	return "no UEFI here";
}

uint16_t efi_key(void)
{
	return 0;
}

const char *disk_open(uint8_t drive)
{
	assert_int_equal(drive, 0x81);
	return NULL;
}

const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	assert_true(count >= 1 && count <= DISK_CHUNK && first + count <= SECTORS);
	if (!write) {
		memcpy(data, disk[first], count * DISK_SECTOR);
	} else {
		if (broken && !good_writes--)
			return broken;
		memcpy(disk[first], data, count * DISK_SECTOR);
	}
	return NULL;
}

static void hear(const char *line, size_t n)
{
	assert_true(nsaid + n < TEXT);
	memcpy(said + nsaid, line, n);
	nsaid += n;
	said[nsaid] = '\0';
	save_text(line, n);
}

/* What the programs of boot/ put there; around the file lies something else. */
static int blank(void **state)
{
	(void)state;
	memset(disk, 0xe5, sizeof(disk));
	for (unsigned i = 0; i < LOG; i++) {
		char *s = disk[FIRST + i];

		memset(s, ' ', DISK_SECTOR);
		sprintf(s, "~cpl0-000 %05u\n", i);
		s[TAG] = ' ';
		s[DISK_SECTOR - 1] = '\n';
	}
	memcpy(before, disk, sizeof(disk));
	broken = NULL;
	return 0;
}

/* A run: the first record comes before anybody knows where the log goes. */
static void begin(enum args_save how)
{
	struct args args = { .save = how, .log_first = FIRST, .log_sectors = LOG };
	struct bootinfo bi = { .has_drive = true, .drive = 0x81 };

	memset(&save, 0, sizeof(save));
	nsaid = 0;
	log_sink(hear);
	log_warn("test", NULL, "a run");
	save_begin(&args, &bi);
}

/* The text of the sectors of run `run`, with what a reader takes out taken out. */
static size_t read_run(unsigned run, char *text)
{
	size_t n = 0;

	for (unsigned i = 0; i < LOG; i++) {
		const char *s = disk[FIRST + i];
		char want[TAG + 1];
		size_t end = DISK_SECTOR;

		if (s[5] == '-' || (unsigned)atoi(s + 6) != run)
			continue;
		snprintf(want, sizeof(want), "~cpl0%c%03u %05u\n", s[5], run, i);
		assert_memory_equal(s, want, TAG);
		if (s[end - 1] == '\n' && s[end - 2] == ' ') {
			for (end--; end > TAG && s[end - 1] == ' ';)
				end--;
		}
		memcpy(text + n, s + TAG, end - TAG);
		n += end - TAG;
	}
	text[n] = '\0';
	return n;
}

static void only_the_file_changed(void)
{
	assert_memory_equal(disk, before, FIRST * DISK_SECTOR);
	assert_memory_equal(disk[FIRST + LOG], before[FIRST + LOG],
	                    (SECTORS - FIRST - LOG) * DISK_SECTOR);
}

/* A record of about n bytes. */
static void record(size_t n)
{
	char value[1024];

	memset(value, 'x', sizeof(value));
	log_begin("result");
	log_strn("name", value, n);
	log_end();
}

/* Lines of every length from the shortest to the longest, written now and then. */
static void test_every_length(void **state)
{
	static char text[TEXT];

	(void)state;
	begin(SAVE_DEFAULT);
	assert_non_null(strstr(said, "save to=bios run=1 sector=0"));
	for (size_t n = 1; n < 1000; n += 13) {
		record(n);
		if (n % 3 == 0)
			assert_null(save_flush(true));
	}
	log_chat("done");
	assert_null(save_flush(true));
	assert_int_equal(read_run(1, text), nsaid);
	assert_string_equal(text, said);
	only_the_file_changed();
}

static void test_runs_follow_each_other(void **state)
{
	static char text[TEXT], first[TEXT];

	(void)state;
	begin(SAVE_ON);
	record(600);
	save_flush(true);
	strcpy(first, said);
	begin(SAVE_DEFAULT);
	assert_non_null(strstr(said, "save to=bios run=2 sector=2"));
	record(100);
	save_flush(true);
	read_run(1, text);
	assert_string_equal(text, first);
	read_run(2, text);
	assert_string_equal(text, said);

	begin(SAVE_NEW);
	assert_non_null(strstr(said, "save to=bios run=1 sector=0"));
	read_run(1, text);
	assert_string_equal(text, said);
	assert_int_equal(read_run(2, text), 0);
	only_the_file_changed();
	for (unsigned i = 2; i < LOG; i++)
		assert_memory_equal(disk[FIRST + i], before[FIRST + i], DISK_SECTOR);
}

static unsigned warnings(void)
{
	unsigned n = 0;

	for (const char *p = said; (p = strstr(p, "warn what=save")) != NULL; p++)
		n++;
	return n;
}

static void test_full(void **state)
{
	(void)state;
	begin(SAVE_DEFAULT);
	for (unsigned i = 0; i < 2 * LOG; i++) {
		record(400);
		save_poll(UINT64_MAX);
	}
	assert_int_equal(warnings(), 1);
	assert_non_null(strstr(said, "CPL0.LOG is full"));
	only_the_file_changed();
	memcpy(before, disk, sizeof(disk));

	begin(SAVE_DEFAULT);
	record(400);
	assert_null(save_flush(true));
	assert_int_equal(warnings(), 1);
	assert_non_null(strstr(said, "CPL0.LOG is full"));
	assert_memory_equal(disk, before, sizeof(disk));
}

/* Write-protected from the start, or pulled in the middle. */
static void test_broken(void **state)
{
	(void)state;
	for (good_writes = 0; good_writes < 3; good_writes++) {
		unsigned good = good_writes;

		blank(NULL);
		broken = "the medium is write-protected";
		begin(SAVE_DEFAULT);
		for (unsigned i = 0; i < 200; i++) {
			record(400);
			save_poll(UINT64_MAX);
		}
		assert_null(save_flush(true));
		assert_int_equal(warnings(), 1);
		assert_non_null(strstr(said, broken));
		only_the_file_changed();
		good_writes = good;
	}
}

/* A medium that fails for a while: the whole log follows later, as a run behind what is there. */
static void test_again(void **state)
{
	static char text[TEXT];

	(void)state;
	begin(SAVE_DEFAULT);
	broken = "the medium is missing or not ready";
	good_writes = 0;
	for (unsigned i = 0; i < 200; i++) {
		record(400);
		save_poll(UINT64_MAX);
	}
	assert_int_equal(warnings(), 1);
	good_writes = 1;
	assert_string_equal(save_again(said, nsaid), broken);
	broken = NULL;
	assert_null(save_again(said, nsaid));
	read_run(3, text);
	assert_string_equal(text, said);
	only_the_file_changed();
	save_again(said, nsaid);
	assert_string_equal(save_again(said, nsaid), full);
	only_the_file_changed();

	begin(SAVE_OFF);
	memcpy(before, disk, sizeof(disk));
	assert_non_null(save_again(said, nsaid));
	assert_memory_equal(disk, before, sizeof(disk));
}

/* A file that was moved: its sectors are others now, and any one of them stops the writing. */
static void test_not_ours(void **state)
{
	static const unsigned damaged[] = { 0, 4, 5, 9, 10, 14, 15 };

	(void)state;
	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++)
		for (unsigned sector = 0; sector < 2; sector++) {
			blank(NULL);
			disk[FIRST + sector][damaged[i]] ^= 0x40;
			memcpy(before, disk, sizeof(disk));
			begin(SAVE_DEFAULT);
			record(400);
			record(400);
			record(400);
			save_flush(true);
			assert_int_equal(warnings(), 1);
			assert_non_null(strstr(said, "not as it should be"));
			assert_memory_equal(disk[FIRST + sector], before[FIRST + sector],
			                    DISK_SECTOR);
			only_the_file_changed();
		}
}

static void test_declined(void **state)
{
	struct args args = { .save = SAVE_ON };
	struct bootinfo bi = { .has_drive = false };

	(void)state;
	begin(SAVE_OFF);
	record(10);
	assert_non_null(strstr(said, "save to=none why=\"save=off\""));
	assert_int_equal(warnings(), 0);
	pressed = 0x1500 | 'Y';
	begin(SAVE_ASK);
	assert_non_null(strstr(said, "save to=bios run=1"));
	blank(NULL);
	pressed = 0x3100 | 'n';
	begin(SAVE_ASK);
	assert_non_null(strstr(said, "save to=none why=\"save=ask: no\""));
	assert_int_equal(warnings(), 0);
	save_begin(&args, &bi); /* asked for, but there is no file */
	assert_int_equal(warnings(), 1);
	assert_null(save_flush(true));
	assert_memory_equal(disk, before, sizeof(disk));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_every_length, blank),
		cmocka_unit_test_setup(test_runs_follow_each_other, blank),
		cmocka_unit_test_setup(test_full, blank),
		cmocka_unit_test_setup(test_broken, blank),
		cmocka_unit_test_setup(test_again, blank),
		cmocka_unit_test_setup(test_not_ours, blank),
		cmocka_unit_test_setup(test_declined, blank),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
