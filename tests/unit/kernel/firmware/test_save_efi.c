/*
 * Nothing in CPL0.LOG is lost: save.c and efi.c on a UEFI with faults that are drawn from a seed
 * (see test_save_bios.c). UEFI keeps what is outside of the file, so only the file is compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/ask.h"
#include "kernel/firmware/bios.h"
#include "kernel/firmware/disk.h"
#include "tests/unit/support/fake_efi.h"
#include "tests/unit/support/saving.h"

enum { DRAWS = 600, SECTORS = FAKE_FILE / 512, ROOM = 3 << 20 };

static struct tally {
	unsigned claims, warned, died, saved_next, full_next;
} tally;

static uint8_t file[FAKE_MEDIA][FAKE_FILE], before[FAKE_MEDIA][FAKE_FILE]; /* while it is off */
static unsigned in;                                  /* this medium is plugged in */
static unsigned until_cut, until_pulled, until_back; /* pauses; 0: it does not happen */
static jmp_buf death;
static unsigned seed;

bool ask(const char *question)
{
	(void)question;
	return false;
}

const char *bios_obstacle(const struct bootinfo *bi)
{
	(void)bi;
	return "no BIOS";
}

const char *disk_open(uint8_t drive)
{
	(void)drive;
	return "no BIOS";
}

const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	(void)write;
	(void)first;
	(void)count;
	(void)data;
	return "no BIOS";
}

void disk_rest(void)
{
}

static unsigned draw(unsigned n)
{
	return (unsigned)rand() % n;
}

static bool has_run(const uint8_t *bytes, uint32_t run, const char *text, size_t n)
{
	static char got[ROOM];

	return saving_read((const saving_sector *)bytes, SECTORS, run, got) == n &&
	       memcmp(got, text, n) == 0;
}

void saving_claim(uint32_t run, const char *text, size_t n)
{
	tally.claims++;
	for (unsigned i = 0; i < FAKE_MEDIA; i++)
		if (has_run(fake_efi.media[i].bytes, run, text, n))
			return;
	fail_msg("run %u was called saved, and is not there", run);
}

/* The stick is pulled; it or the other one is plugged in. Or the power is cut. */
void saving_pause(void)
{
	if (until_cut && !--until_cut)
		longjmp(death, 1);
	if (until_pulled && !--until_pulled)
		fake_efi_pull(in);
	if (until_back && !--until_back) {
		in = draw(2);
		fake_efi_plug(in);
	}
}

static void make(unsigned medium)
{
	char text[600];

	for (unsigned i = 0; i < SECTORS; i++) {
		snprintf(text, sizeof(text), "~cpl0-000 %05u\n%495s\n", i, "");
		memcpy(file[medium] + i * 512, text, 512);
	}
}

static void switch_on(void)
{
	fake_efi_reset();
	for (unsigned i = 0; i < FAKE_MEDIA; i++) {
		fake_efi.media[i].has_file = true;
		fake_efi.media[i].size = FAKE_FILE;
		memcpy(fake_efi.media[i].bytes, file[i], FAKE_FILE);
		memcpy(fake_efi.media[i].cache, file[i], FAKE_FILE);
	}
	memcpy(before, file, sizeof(file));
	in = 0;
}

/* What is on the media. Of what the firmware had in memory, part may have got there. */
static void switch_off(bool torn)
{
	for (unsigned i = 0; i < FAKE_MEDIA; i++) {
		struct fake_medium *m = &fake_efi.media[i];

		for (unsigned s = 0; torn && s < FAKE_FILE; s += 512)
			if (m->present && draw(2))
				memcpy(m->bytes + s, m->cache + s, draw(3) ? 512 : draw(512));
		memcpy(file[i], m->bytes, FAKE_FILE);
	}
}

static void draw_fault(void)
{
	static const enum fake_service services[] = { FAKE_READ, FAKE_WRITE, FAKE_FLUSH,
		                                      FAKE_SET_POSITION };
	static const uint64_t statuses[] = { 0, FAKE_DEVICE_ERROR, FAKE_NO_MEDIA,
		                             FAKE_MEDIA_CHANGED, FAKE_WRITE_PROTECTED };
	enum fake_service service = services[draw(4)];

	switch (draw(4)) {
	case 0:
		until_cut = 1 + draw(40);
		break;
	case 1:
		until_pulled = 1 + draw(40);
		until_back = draw(2) ? until_pulled + 1 + draw(10) : 0;
		break;
	default:
		fake_efi.fail[service].after = draw(60);
		fake_efi.fail[service].times = draw(2) ? 1 + draw(3) : FAKE_FOREVER;
		fake_efi.fail[service].status = statuses[draw(5)];
		fake_efi.fail[service].bytes = draw(2) ? draw(8000) : 0;
		/* What a lying Flush keeps from the medium no reading back can find. */
		if (service == FAKE_FLUSH && !fake_efi.fail[service].status)
			fake_efi.fail[service].status = FAKE_DEVICE_ERROR;
	}
}

static void nothing_lost(unsigned medium)
{
	assert_true(saving_kept((const saving_sector *)before[medium],
	                        (const saving_sector *)file[medium], SECTORS));
}

static const struct saving_plan plain = { .first = 100, .sectors = SECTORS };

static void next_boot(void)
{
	unsigned claims = tally.claims;

	until_cut = until_pulled = until_back = 0;
	switch_on();
	fake_efi_boot();
	saving_run(&plain);
	assert_int_equal(fake_efi.misuse, 0);
	switch_off(false);
	nothing_lost(0);
	if (tally.claims > claims)
		tally.saved_next++;
	else if (saving_warnings() && strstr(saving_log(), "CPL0.LOG is full"))
		tally.full_next++;
	else
		fail_msg("the next boot does not save:\n%s", saving_log());
}

static void draw_run(void)
{
	struct saving_plan plan = plain;
	unsigned claims = tally.claims;
	bool died;

	srand(seed);
	for (unsigned i = 0; i < FAKE_MEDIA; i++)
		if (!draw(8) || saving_used((const saving_sector *)file[i], SECTORS) > SECTORS / 2)
			make(i);
	until_cut = until_pulled = until_back = 0;
	switch_on();
	fake_efi_boot();
	draw_fault();
	plan.again = !draw(3);
	plan.another = !draw(3);
	plan.how = draw(8) ? SAVE_DEFAULT : SAVE_NEW;
	died = setjmp(death);
	if (!died)
		saving_run(&plan);
	assert_int_equal(fake_efi.misuse, 0);
	if (died)
		tally.died++;
	else if (saving_warnings())
		tally.warned++;
	else if (tally.claims == claims)
		fail_msg("neither saved nor warned:\n%s", saving_log());
	switch_off(died || draw(2));
	if (plan.how != SAVE_NEW)
		nothing_lost(0);
	nothing_lost(1);
	next_boot();
}

static void test_draws(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FAKE_MEDIA; i++)
		make(i);
	for (seed = 1; seed <= DRAWS; seed++)
		draw_run();
	print_message("%u draws: %u times saved, %u runs with a warning, %u without power; "
	              "next boots: %u saved, %u found it full\n",
	              DRAWS, tally.claims, tally.warned, tally.died, tally.saved_next,
	              tally.full_next);
	assert_true(tally.died > DRAWS / 20 && tally.warned > DRAWS / 20);
	assert_in_range(tally.full_next, 0, DRAWS / 20);
}

static int say_seed(void **state)
{
	(void)state;
	print_message("the last draw had seed %u\n", seed);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_draws, say_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
