/*
 * Nothing on a medium is lost: save.c, fat.c, disk.c and bios.c on a BIOS with faults that are
 * drawn from a seed. Behind each run every sector outside of CPL0.LOG is as before, every sector of
 * an older run is, what was called saved is there, and the next boot saves or says why not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/efi.h"
#include "tests/unit/support/fake_bios.h"
#include "tests/unit/support/image.h"
#include "tests/unit/support/saving.h"

enum { DRAWS = 600, ROOM = 1 << 20 };

/* What happened, to see that the draws reach what they should. */
static struct tally {
	unsigned claims, warned, died, saved_next, said_why_next;
} tally;

static struct image image; /* as it was made */
static struct fake_medium a, b, before_a, before_b;
static enum fake_drive drive;
static unsigned seed;                /* of the draw */
static unsigned pauses, pauses_back; /* until the medium is swapped; 0: it is not */

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

static void copy(struct fake_medium *to, const struct fake_medium *from)
{
	memcpy(to->data, from->data, (size_t)image.sectors * FAKE_SECTOR);
	memcpy(to->bad, from->bad, image.sectors);
	to->is_protected = from->is_protected;
}

static void make(struct fake_medium *m)
{
	memcpy(m->data, image.bytes, (size_t)image.sectors * FAKE_SECTOR);
	memset(m->bad, 0, image.sectors);
	m->is_protected = false;
}

static bool has_run(const struct fake_medium *m, uint32_t run, const char *text, size_t n)
{
	static char got[ROOM * 3];

	return saving_read(m->data + image.first, image.log, run, got) == n &&
	       memcmp(got, text, n) == 0;
}

void saving_claim(uint32_t run, const char *text, size_t n)
{
	tally.claims++;
	if (!has_run(&a, run, text, n) && !has_run(&b, run, text, n))
		fail_msg("run %u was called saved, and is not there", run);
}

static unsigned draw(unsigned n)
{
	return (unsigned)rand() % n;
}

static void switch_on(struct fake_medium *m)
{
	fake_bios_reset(drive);
	fake_bios_insert(m);
	if (drive == FAKE_FLOPPY)
		fake_bios_after_grub();
}

static void draw_bad_sectors(void)
{
	uint32_t used = saving_used(a.data + image.first, image.log);

	for (unsigned n = 1 + draw(3); n; n--) {
		uint32_t at = draw(2) ? used + draw(40) : draw(image.log);

		if (at < image.log && at >= used)
			a.bad[image.first + at] = 0x10 | (draw(2) ? FAKE_BAD_STAYS : 0);
	}
}

/* Between any two calls, where the drive says so; elsewhere while a benchmark runs. */
static void draw_swap(struct fake_faults *f)
{
	if (f->swap_at || pauses)
		return;
	f->no_line = !draw(4);
	if (drive != FAKE_FLOPPY || f->no_line) {
		pauses = 1 + draw(40);
		pauses_back = draw(2) ? pauses + 1 + draw(20) : 0;
		return;
	}
	f->swap_at = 1 + draw(150);
	f->other = &b;
	f->back_at = draw(2) ? f->swap_at + 1 + draw(40) : 0;
}

void saving_pause(void)
{
	if (pauses && !--pauses)
		fake_bios_insert(&b);
	if (pauses_back && !--pauses_back)
		fake_bios_insert(&a);
}

static void draw_fault(struct fake_faults *f)
{
	static const uint8_t statuses[] = { 0x04, 0x10, 0x20, 0x80, 0xaa, 0x0c, 0x03, 0x06 };

	switch (draw(11)) {
	case 0:
	case 1:
		f->power_dies_at = 1 + draw(40);
		f->torn = (enum fake_torn)draw(3);
		f->torn_bytes = draw(2) ? draw(FAKE_SECTOR) : draw(20);
		break;
	case 2:
	case 3:
		draw_swap(f);
		break;
	case 4:
		f->write_nothing_from = 1 + draw(12);
		break;
	case 5:
		f->read_nothing_at = 1 + draw(60);
		break;
	case 6:
		f->fail_from = 1 + draw(80);
		f->fail_status = statuses[draw(sizeof(statuses))];
		break;
	case 7:
		f->each_fails = draw(8);
		break;
	case 8:
		draw_bad_sectors();
		break;
	case 9:
		a.is_protected = true;
		break;
	case 10:
		f->first_fail = draw(9);
		break;
	}
}

static void run(void *plan)
{
	saving_run(plan);
}

static void nothing_lost(const struct fake_medium *before, const struct fake_medium *m)
{
	uint32_t end = image.first + image.log;

	assert_memory_equal(before->data, m->data, image.first * FAKE_SECTOR);
	assert_memory_equal(before->data[end], m->data[end], (image.sectors - end) * FAKE_SECTOR);
	assert_true(saving_kept(before->data + image.first, m->data + image.first, image.log));
}

/* A boot without new faults saves. If it does not, it warns, and something is wrong for good. */
static void next_boot(struct fake_medium *m)
{
	struct saving_plan plan = { .first = image.first,
		                    .sectors = image.log,
		                    .drive = drive == FAKE_FLOPPY ? 0 : 0x80 };
	unsigned claims = tally.claims;
	bool stays = false;

	for (uint32_t i = 0; i < image.sectors; i++)
		stays |= (m->bad[i] & FAKE_BAD_STAYS) != 0;
	copy(&before_a, m);
	switch_on(m);
	saving_run(&plan);
	nothing_lost(&before_a, m);
	if (tally.claims > claims) {
		tally.saved_next++;
		return;
	}
	tally.said_why_next++;
	assert_true(saving_warnings() >= 1);
	if (!stays && !strstr(saving_log(), "CPL0.LOG is full"))
		fail_msg("the next boot does not save:\n%s", saving_log());
}

static void draw_run(void)
{
	struct saving_plan plan = { .first = image.first,
		                    .sectors = image.log,
		                    .drive = drive == FAKE_FLOPPY ? 0 : 0x80 };
	struct fake_faults *f = &fake_bios.faults;
	unsigned claims = tally.claims;

	srand(seed);
	pauses = pauses_back = 0;
	if (!draw(8))
		make(draw(2) ? &a : &b);
	switch_on(&a);
	draw_fault(f);
	if (!draw(4))
		draw_fault(f);
	plan.again = !draw(3);
	plan.another = !draw(3);
	if (!draw(8))
		plan.how = SAVE_NEW;
	copy(&before_a, &a);
	copy(&before_b, &b);
	if (!fake_bios_run(run, &plan))
		tally.died++;
	else if (saving_warnings())
		tally.warned++;
	else if (tally.claims == claims)
		fail_msg("neither saved nor warned:\n%s", saving_log());
	if (plan.how != SAVE_NEW)
		nothing_lost(&before_a, &a);
	nothing_lost(&before_b, &b);
	a.is_protected = false;
	pauses = pauses_back = 0;
	next_boot(&a);
	if (!draw(4))
		next_boot(&b);
}

static void draws(enum fake_drive kind, unsigned n)
{
	struct fake_medium *all[] = { &a, &b, &before_a, &before_b };

	drive = kind;
	(kind == FAKE_FLOPPY ? image_floppy : image_stick)(&image);
	for (unsigned i = 0; i < 4; i++) {
		fake_medium_init(all[i], image.sectors);
		make(all[i]);
	}
	memset(&tally, 0, sizeof(tally));
	for (unsigned i = 0; i < n; i++) {
		seed = 1000 * (unsigned)kind + i;
		draw_run();
	}
	print_message("%u draws: %u times saved, %u runs with a warning, %u without power; "
	              "next boots: %u saved, %u said why not\n",
	              n, tally.claims, tally.warned, tally.died, tally.saved_next,
	              tally.said_why_next);
	assert_true(tally.died > n / 20 && tally.warned > n / 20);
	assert_true(tally.claims > n / 2 && tally.saved_next > n / 2);
	for (unsigned i = 0; i < 4; i++)
		fake_medium_free(all[i]);
}

static void test_floppy(void **state)
{
	(void)state;
	draws(FAKE_FLOPPY, DRAWS);
}

static void test_stick(void **state)
{
	(void)state;
	draws(FAKE_DISK, DRAWS);
}

static void test_stick_by_geometry(void **state)
{
	(void)state;
	draws(FAKE_DISK_CHS, DRAWS / 6);
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
		cmocka_unit_test_teardown(test_floppy, say_seed),
		cmocka_unit_test_teardown(test_stick, say_seed),
		cmocka_unit_test_teardown(test_stick_by_geometry, say_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
