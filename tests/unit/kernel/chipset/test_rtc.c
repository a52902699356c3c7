/*
 * kernel/chipset/rtc.c: the clock of the PC, also where it is being updated, broken or not there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/rtc.h"

static uint8_t registers[256];
static unsigned reads, updates; /* the next so many looks see an update */
static unsigned changes;        /* the next so many reads of the second differ */

static uint8_t cmos(uint8_t index)
{
	reads++;
	if (index == 10 && updates) {
		updates--;
		return 0xa6;
	}
	if (index == 0 && changes) {
		changes--;
		registers[0] ^= 1;
	}
	return registers[index];
}

/* 2026-11-26 17:09:58 in BCD, 24 hours, with a century at 32h. */
static void clock_is_set(void)
{
	memset(registers, 0, sizeof(registers));
	registers[0] = 0x58;
	registers[2] = 0x09;
	registers[4] = 0x17;
	registers[7] = 0x26;
	registers[8] = 0x11;
	registers[9] = 0x26;
	registers[10] = 0x26;
	registers[11] = 2;
	registers[13] = 0x80;
	registers[0x32] = 0x20;
	reads = updates = changes = 0;
}

static void expect(uint8_t century, const char *text)
{
	char got[RTC_TEXT] = "";
	struct rtc_time t;

	if (rtc_read(&t, century, cmos))
		rtc_text(&t, got);
	assert_string_equal(got, text);
}

static void test_forms(void **state)
{
	(void)state;
	clock_is_set();
	expect(0x32, "2026-11-26T17:09:58");
	expect(0, "2026-11-26T17:09:58");
	registers[9] = 0x99;
	expect(0, "1999-11-26T17:09:58");
	expect(0x32, "2099-11-26T17:09:58");
	clock_is_set();
	registers[11] = 0; /* twelve hours */
	registers[4] = 0x85;
	expect(0x32, "2026-11-26T17:09:58");
	registers[4] = 0x12;
	expect(0x32, "2026-11-26T00:09:58");
	registers[4] = 0x92;
	expect(0x32, "2026-11-26T12:09:58");
	memcpy(registers, (uint8_t[]){ 58, 0, 9, 0, 17, 0, 0, 26, 11, 26, 0, 6 }, 12);
	expect(0, "2026-11-26T17:09:58"); /* binary */
}

static void test_update(void **state)
{
	(void)state;
	clock_is_set();
	updates = 2000;
	expect(0x32, "2026-11-26T17:09:58");
	assert_true(reads > 2000);
	clock_is_set();
	changes = 2; /* another second in between: read again */
	expect(0x32, "2026-11-26T17:09:58");
	clock_is_set();
	changes = 1000;
	expect(0x32, "");
}

static void test_broken(void **state)
{
	static const uint8_t bad[][2] = { { 0, 0x60 }, { 0, 0x5a }, { 2, 0x61 },   { 4, 0x24 },
		                          { 7, 0 },    { 7, 0x32 }, { 8, 0 },      { 8, 0x13 },
		                          { 9, 0xa0 }, { 13, 0 },   { 0x32, 0xff } };

	(void)state;
	memset(registers, 0xff, sizeof(registers)); /* no clock */
	reads = updates = changes = 0;
	expect(0x32, "");
	assert_true(reads < 10000);
	memset(registers, 0, sizeof(registers));
	expect(0x32, "");
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		clock_is_set();
		registers[bad[i][0]] = bad[i][1];
		expect(0x32, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_update),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
