/*
 * kernel/firmware/save.c on a floppy in memory: what the file holds after a run, which sectors are
 * written, and what becomes of a disk that fails or is swapped.
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
#include "tests/unit/support/image.h"

enum { MOST = 1 << 22 };

static struct image a, b, *in = &a, before; /* `in` is in the drive */
static const char *broken;                  /* what the disk says to every write */
static unsigned good_writes;                /* that it takes before */
static uint32_t unreadable = UINT32_MAX;    /* this sector of the disk, until it is written */
static bool swap_at_write;                  /* b is in the drive before it */
static bool idle_writes, idle_reads;        /* say yes and do nothing */
static uint32_t uefi_sectors;               /* of the file by UEFI; 0: there is no UEFI */

#define LOG  (in->log)
#define OURS (in->bytes + in->first)
static char said[MOST]; /* the log of this run */
static size_t nsaid;

const char *bios_obstacle(const struct bootinfo *bi)
{
	(void)bi;
	return NULL;
}

static bool said_yes;

bool ask(const char *text)
{
	assert_ptr_equal(text, question);
	return said_yes;
}

bool efi_alive(void)
{
	return uefi_sectors != 0;
}

const char *efi_open(uint32_t *sectors)
{
	*sectors = uefi_sectors;
	return NULL;
}

const char *efi_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	return disk_transfer(write, in->first + first, count, data);
}

const char *disk_open(uint8_t drive)
{
	assert_int_equal(drive, 0x81);
	return NULL;
}

const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	bool bad = unreadable >= first && unreadable - first < count;

	assert_true(count >= 1 && count <= DISK_CHUNK && first + count <= in->sectors);
	if (!write) {
		if (bad)
			return "the BIOS reports an error of the medium";
		if (!idle_reads)
			memcpy(data, in->bytes[first], count * DISK_SECTOR);
	} else {
		if (broken && !good_writes--)
			return broken;
		if (swap_at_write)
			in = &b;
		if (bad)
			unreadable = UINT32_MAX;
		if (!idle_writes)
			memcpy(in->bytes[first], data, count * DISK_SECTOR);
	}
	return NULL;
}

void disk_rest(void)
{
}

static void hear(const char *line, size_t n)
{
	assert_true(nsaid + n < MOST);
	memcpy(said + nsaid, line, n);
	nsaid += n;
	said[nsaid] = '\0';
	save_text(line, n);
}

static int blank(void **state)
{
	(void)state;
	in = &a;
	image_floppy(in);
	before = *in;
	broken = NULL;
	unreadable = UINT32_MAX;
	idle_writes = idle_reads = false;
	uefi_sectors = 0;
	return 0;
}

/* A run: the first record comes before anybody knows where the log goes. */
static void begin(enum args_save how)
{
	struct args args = { .save = how, .log_first = in->first, .log_sectors = LOG };
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
		const char *s = (const char *)OURS[i];
		char want[TAG + 16];
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
	uint32_t end = in->first + in->log;

	assert_memory_equal(in->bytes, before.bytes, in->first * DISK_SECTOR);
	assert_memory_equal(in->bytes[end], before.bytes[end], (in->sectors - end) * DISK_SECTOR);
}

static void nothing_changed(void)
{
	assert_memory_equal(in->bytes, before.bytes, in->sectors * DISK_SECTOR);
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
	static char text[MOST];

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
	static char text[MOST], first[MOST];

	(void)state;
	begin(SAVE_ON);
	record(600);
	save_flush(true);
	strcpy(first, said);
	begin(SAVE_DEFAULT);
	assert_non_null(strstr(said, "save to=bios run=2 sector=3"));
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
	for (unsigned i = 1; i < LOG; i++)
		assert_memory_equal(OURS[i], before.bytes[in->first + i], DISK_SECTOR);
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
	for (unsigned i = 0; i < 3 * LOG; i++) {
		record(400);
		save_poll(UINT64_MAX);
	}
	assert_int_equal(warnings(), 1);
	assert_non_null(strstr(said, "CPL0.LOG is full"));
	only_the_file_changed();
	before = *in;

	begin(SAVE_DEFAULT);
	record(400);
	assert_null(save_flush(true));
	assert_int_equal(warnings(), 1);
	assert_non_null(strstr(said, "CPL0.LOG is full"));
	assert_string_equal(save_lacks(), full);
	nothing_changed();
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
		assert_string_equal(save_lacks(), broken);
		only_the_file_changed();
		good_writes = good;
	}
}

/* A medium that fails for a while: the whole log follows later, as a run behind what is there. */
static void test_again(void **state)
{
	static char text[MOST];

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
	assert_string_equal(save_lacks(), broken);
	broken = NULL;
	assert_null(save_again(said, nsaid));
	assert_null(save_lacks());
	read_run(3, text);
	assert_string_equal(text, said);
	only_the_file_changed();
	record(10);
	assert_string_equal(save_lacks(), "lines wait to be written");
	assert_null(save_flush(true));
	assert_null(save_lacks());
	for (unsigned i = 0; i < LOG / 100; i++)
		save_again(said, nsaid);
	assert_string_equal(save_again(said, nsaid), full);
	assert_string_equal(save_lacks(), full);
	only_the_file_changed();
	memset(OURS[0], 0, DISK_SECTOR);
	memset(OURS[LOG - 1], 0, DISK_SECTOR);
	assert_string_equal(save_again(said, nsaid), foreign);
	assert_string_equal(save_lacks(), foreign);

	begin(SAVE_OFF);
	before = *in;
	assert_string_equal(save_again(said, nsaid), "save=off");
	assert_string_equal(save_lacks(), "save=off");
	nothing_changed();
}

/* A sector without the tag, or with a wrong one, is in use: the run begins behind it. */
static void test_not_ours(void **state)
{
	static const unsigned damaged[] = { 0, 4, 5, 9, 10, 14, 15, 16, 511 };

	(void)state;
	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++)
		for (unsigned sector = 0; sector < 40; sector += 13) {
			blank(NULL);
			OURS[sector][damaged[i]] ^= 0x40;
			before = *in;
			begin(SAVE_DEFAULT);
			assert_null(save_flush(true));
			assert_int_equal(warnings(), 0);
			assert_int_equal(save.at, sector + 2);
			assert_memory_equal(OURS, before.bytes + in->first,
			                    (sector + 1) * DISK_SECTOR);
			only_the_file_changed();
		}
}

/* Another file under our name, as long as ours: not even save=new touches it. */
static void test_foreign_content(void **state)
{
	static const enum args_save ways[] = { SAVE_DEFAULT, SAVE_ON, SAVE_NEW };

	(void)state;
	for (unsigned way = 0; way < 3; way++) {
		blank(NULL);
		for (uint32_t i = 0; i < LOG; i++)
			OURS[i][0] = 'x';
		before = *in;
		begin(ways[way]);
		record(400);
		save_flush(true);
		assert_int_equal(warnings(), 1);
		assert_non_null(strstr(said, "not as it should be"));
		nothing_changed();
	}
}

/* What a BIOS must know of the file system before it writes. */
static void test_renamed(void **state)
{
	(void)state;
	begin(SAVE_DEFAULT);
	record(400);
	save_flush(true);
	memcpy(image_entry(in), "LAPTOP ", 7);
	before = *in;
	for (unsigned new = 0; new < 2; new ++) {
		begin(new ? SAVE_NEW : SAVE_DEFAULT);
		record(400);
		save_flush(true);
		assert_int_equal(warnings(), 1);
		assert_non_null(strstr(said, "renamed, moved or deleted"));
		nothing_changed();
		assert_non_null(save_again(said, nsaid));
		nothing_changed();
	}
	memcpy(image_entry(in), "CPL0   ", 7);
	assert_null(save_again(said, nsaid));
}

static void run_with(unsigned records)
{
	begin(SAVE_DEFAULT);
	for (unsigned i = 0; i < records; i++) {
		record(300 + i % 7);
		if (i % 5 == 0)
			save_flush(true);
	}
	save_flush(true);
}

/* Another medium with runs of its own comes into the drive between two flushes. */
static void test_swapped(void **state)
{
	(void)state;
	for (unsigned here = 0; here < 60; here += 7)
		for (unsigned there = 1; there < 60; there += 5) {
			blank(NULL);
			in = &b;
			image_floppy(in);
			run_with(there);
			before = *in;
			in = &a;
			begin(SAVE_DEFAULT);
			for (unsigned i = 0; i < here; i++)
				record(280);
			assert_null(save_flush(true));
			in = &b;
			record(100);
			assert_non_null(save_flush(true));
			assert_int_equal(warnings(), 1);
			assert_non_null(strstr(said, "was it swapped?"));
			nothing_changed();
			assert_null(save_again(said, nsaid));
			assert_memory_equal(in->bytes, before.bytes,
			                    (in->first + there / 5) * DISK_SECTOR);
			assert_int_equal(save.run, 2);
		}
}

/* Between the reading and the writing of a flush: seen behind it, and told. */
static void test_swapped_at_write(void **state)
{
	(void)state;
	image_floppy(&b);
	run_with(10);
	record(100);
	swap_at_write = true;
	assert_string_equal(save_flush(true), swapped);
	swap_at_write = false;
	assert_int_equal(warnings(), 1);
}

/* The power died while sector `n` of run 1 was written. */
static void test_torn(void **state)
{
	static char text[MOST];

	(void)state;
	for (unsigned kind = 0; kind < 3; kind++)
		for (unsigned new = 0; new < 2; new ++)
			for (unsigned n = 0; n < 12; n += 3) {
				blank(NULL);
				if (n)
					run_with(n);
				n = n ? save.at : 0;
				if (kind == 0)
					memset(OURS[n], 0xff, 100);
				else if (kind == 1)
					memcpy(OURS[n], "~cpl0 001", 9);
				else
					unreadable = in->first + n;
				before = *in;
				begin(new ? SAVE_NEW : SAVE_DEFAULT);
				record(100);
				assert_null(save_flush(true));
				assert_int_equal(warnings(), 0);
				assert_int_equal(save.run, new || (!n && kind != 1) ? 1 : 2);
				if (!new)
					assert_memory_equal(OURS, before.bytes + in->first,
					                    (n + 1) * DISK_SECTOR);
				read_run(save.run, text);
				assert_string_equal(text, said);
				only_the_file_changed();
			}
}

/* A tag of which the first bytes are new: no number of an older run is given out again. */
static void test_torn_tag(void **state)
{
	(void)state;
	for (unsigned bytes = 0; bytes <= TAG; bytes++) {
		char tag[TAG + 1];

		blank(NULL);
		for (unsigned i = 0; i < 12; i++)
			run_with(0);
		snprintf(tag, sizeof(tag), "~cpl0 012 %05u\n", 12u);
		memcpy(OURS[12], tag, bytes);
		begin(SAVE_DEFAULT);
		assert_int_equal(save.run, 13);
	}
}

/* A hole in the middle: what stands behind it is not written to, wherever the search begins. */
static void test_hole(void **state)
{
	(void)state;
	for (unsigned size = 1; size <= 40; size += 3)
		for (unsigned at = 0; at + size < 60; at += 7) {
			blank(NULL);
			run_with(300);
			assert_true(save.at > 60);
			for (unsigned i = 0; i < size; i++)
				image_free(in, at + i);
			before = *in;
			begin(SAVE_DEFAULT);
			record(400);
			assert_null(save_flush(true));
			for (uint32_t i = 0; i < LOG; i++)
				if (memcmp(before.bytes[in->first + i], "~cpl0-", 6) != 0)
					assert_memory_equal(OURS[i], before.bytes[in->first + i],
					                    DISK_SECTOR);
			assert_int_equal(save.run, 2);
		}
}

/* A hole that is longer than any flush: saving stops there, and the next run is behind it. */
static void test_long_hole(void **state)
{
	(void)state;
	run_with(620);
	for (unsigned i = 340; i < 540; i++)
		image_free(in, i);
	before = *in;
	begin(SAVE_DEFAULT);
	assert_int_equal(save.at, 341);
	for (unsigned i = 0; i < 1500; i++) {
		record(400);
		save_poll(0);
	}
	assert_int_equal(warnings(), 1);
	assert_non_null(strstr(said, in_use));
	begin(SAVE_DEFAULT);
	record(400);
	assert_null(save_flush(true));
	for (uint32_t i = 0; i < LOG; i++)
		if (memcmp(before.bytes[in->first + i], "~cpl0-", 6) != 0)
			assert_memory_equal(OURS[i], before.bytes[in->first + i], DISK_SECTOR);
	only_the_file_changed();
}

/* Text in the very last sector: all before it counts as in use. A bad sector there says nothing. */
static void test_last_sector(void **state)
{
	(void)state;
	run_with(10);
	sprintf((char *)OURS[LOG - 1], "~cpl0 007 %05u\nx", LOG - 1);
	before = *in;
	begin(SAVE_DEFAULT);
	assert_non_null(strstr(said, "save to=none why=\"CPL0.LOG is full"));
	nothing_changed();
	memset(OURS[LOG - 1], 0, DISK_SECTOR);
	begin(SAVE_DEFAULT);
	assert_non_null(strstr(said, "save to=bios run=2"));
	assert_int_equal(warnings(), 0);
}

static void test_nothing_written(void **state)
{
	(void)state;
	idle_writes = true;
	begin(SAVE_DEFAULT);
	assert_int_equal(warnings(), 1);
	assert_non_null(strstr(said, "does not hold what was just written"));
	assert_string_equal(save_again(said, nsaid), not_kept);
	idle_writes = false;
	assert_null(save_again(said, nsaid));
	idle_writes = true;
	begin(SAVE_NEW);
	assert_non_null(strstr(said, "could not be emptied"));
	assert_non_null(strstr(said, "does not hold what was just written"));
}

static void test_nothing_read(void **state)
{
	(void)state;
	run_with(10);
	record(10);
	idle_reads = true;
	before = *in;
	assert_non_null(save_flush(true));
	assert_int_equal(warnings(), 1);
	begin(SAVE_NEW);
	record(10);
	save_flush(true);
	assert_int_equal(warnings(), 1);
	nothing_changed();
}

/* A sector that was written stays as it is, whatever follows. */
static void test_never_again(void **state)
{
	(void)state;
	begin(SAVE_DEFAULT);
	for (unsigned i = 0; i < 100; i++) {
		uint32_t used = save.at;

		before = *in;
		record(i % 20);
		assert_null(save_flush(true));
		assert_memory_equal(in->bytes, before.bytes, (in->first + used) * DISK_SECTOR);
		assert_int_equal(save.at, used + 1);
	}
}

/* The key r: a second run, on the medium that is in the drive then. */
static void test_another_run(void **state)
{
	static char text[MOST];
	struct args args = { .log_first = a.first, .log_sectors = a.log };
	struct args typed = { .bench = "alu.*" }; /* at the end of a run: without logfile= */
	struct bootinfo bi = { .has_drive = true, .drive = 0x81 };

	(void)state;
	run_with(20);
	for (unsigned i = 0; i < 2; i++) {
		if (i) {
			in = &b;
			image_floppy(in);
			run_with(7);
			in = &a;
			run_with(3);
			in = &b;
		}
		nsaid = 0;
		save_restart();
		log_warn("test", NULL, "a second run");
		save_begin(&typed, &bi);
		record(100);
		assert_null(save_flush(true));
		assert_int_equal(save.run, 2);
		read_run(2, text);
		assert_string_equal(text, said);
	}
	begin(SAVE_OFF);
	before = *in;
	nsaid = 0;
	save_restart();
	save_begin(&args, &bi);
	assert_non_null(strstr(said, "given up when the first run began"));
	assert_int_equal(warnings(), 1);
	nothing_changed();
}

/* UEFI asks for a file by its name, and gets one that was emptied or cut. */
static void test_length_by_uefi(void **state)
{
	(void)state;
	uefi_sectors = LOG;
	begin(SAVE_DEFAULT);
	assert_non_null(strstr(said, "save to=uefi run=1"));
	for (uefi_sectors = 1; uefi_sectors < 10; uefi_sectors += 4) {
		before = *in;
		begin(SAVE_DEFAULT);
		assert_int_equal(warnings(), 1);
		assert_non_null(
			strstr(said, " sectors and not 2000: copy the file from the image"));
		nothing_changed();
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
	assert_string_equal(save_lacks(), "save=off");
	assert_int_equal(warnings(), 0);
	said_yes = true;
	begin(SAVE_ASK);
	assert_non_null(strstr(said, "save to=bios run=1"));
	blank(NULL);
	said_yes = false;
	begin(SAVE_ASK);
	assert_non_null(strstr(said, "save to=none why=\"save=ask: no\""));
	assert_int_equal(warnings(), 0);
	args.save = SAVE_DEFAULT; /* a run that was typed without a word about saving */
	nsaid = 0;
	save_begin(&args, &bi);
	assert_non_null(strstr(said, "save to=none why=\"save=ask: no\""));
	args.save = SAVE_ON;
	save_begin(&args, &bi); /* asked for, but there is no file */
	assert_int_equal(warnings(), 1);
	assert_null(save_flush(true));
	nothing_changed();
}

/* From a CD, and from a network whose loader says its name. */
static void test_no_file(void **state)
{
	static const char *const rows[][2] = {
		{ "GRUB 2.06", "this medium has no CPL0.LOG" },
		{ "iPXE 1.21", "booted over the network, which has no CPL0.LOG" },
		{ "PXELINUX 6.04", "booted over the network, which has no CPL0.LOG" },
		{ "", "this medium has no CPL0.LOG" },
	};
	const struct args args = { .save = SAVE_DEFAULT };
	struct bootinfo bi = { .has_drive = true };

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&save, 0, sizeof(save));
		strcpy(bi.loader, rows[i][0]);
		save_begin(&args, &bi);
		assert_string_equal(save_lacks(), rows[i][1]);
	}
	nothing_changed();
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
		cmocka_unit_test_setup(test_foreign_content, blank),
		cmocka_unit_test_setup(test_renamed, blank),
		cmocka_unit_test_setup(test_swapped, blank),
		cmocka_unit_test_setup(test_swapped_at_write, blank),
		cmocka_unit_test_setup(test_torn, blank),
		cmocka_unit_test_setup(test_torn_tag, blank),
		cmocka_unit_test_setup(test_hole, blank),
		cmocka_unit_test_setup(test_long_hole, blank),
		cmocka_unit_test_setup(test_last_sector, blank),
		cmocka_unit_test_setup(test_nothing_written, blank),
		cmocka_unit_test_setup(test_nothing_read, blank),
		cmocka_unit_test_setup(test_never_again, blank),
		cmocka_unit_test_setup(test_another_run, blank),
		cmocka_unit_test_setup(test_length_by_uefi, blank),
		cmocka_unit_test_setup(test_declined, blank),
		cmocka_unit_test_setup(test_no_file, blank),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
