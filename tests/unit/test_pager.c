/*
 * kernel/console/pager.c: the foot of the screen at the end of a run, which says where the log is.
 * The console and its keys are this test's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/console/console.h"
#include "kernel/console/keys.h"
#include "kernel/console/pager.h"
#include "kernel/console/view.h"
#include "tests/unit/support/fake_machine.h"

enum { COLUMNS = 80, ROWS = 25, PLACE = ROWS - 1 };

static struct screen screen;
static char row_text[SCREEN_COLUMNS + 1], answers[1000];
static const char *why;   /* the medium lacks the log; NULL: it has all of it */
static const char *after; /* what `s` answers, and what the medium lacks then */
static const char *keys;  /* that are pressed behind the quiet; NULL: there is no keyboard */
static bool serial;
static unsigned looks;

/* The last row behind each key that was obeyed. */
static char places[16][SCREEN_COLUMNS + 1];
static unsigned nplaces;

static void draw(unsigned column, unsigned row, char c, enum screen_color color)
{
	(void)c;
	(void)color;
	assert_true(column < COLUMNS && row < ROWS);
}

static const char *row(unsigned r)
{
	unsigned n = COLUMNS;

	memcpy(row_text, screen.cells[r], n);
	while (n && row_text[n - 1] == ' ')
		n--;
	row_text[n] = '\0';
	return row_text;
}

struct screen *console_screen(void)
{
	return &screen;
}

bool console_has_keys(void)
{
	return keys;
}

bool console_has_serial(void)
{
	return serial;
}

void console_answer(const char *text)
{
	assert_true(strlen(answers) + strlen(text) < sizeof(answers));
	strcat(answers, text);
}

const char *console_kept(size_t *n, bool *cut)
{
	static const char log[] = "result bench=a.b mode=total copies=1 tsc.med=3 #1:00000000\n";

	*n = sizeof(log) - 1;
	*cut = false;
	return log;
}

char console_key(void)
{
	if (looks++ < 50) /* keys from before the end are forgotten */
		return KEY_NONE;
	assert_true(nplaces < 16 && *keys);
	strcpy(places[nplaces++], row(PLACE));
	return *keys++;
}

static const char *lacks(void)
{
	return why;
}

static const char *save_now(const char *text, size_t n)
{
	assert_true(text && n);
	why = after;
	return after;
}

static enum pager_wish ask(const char *pressed)
{
	static char line[100];

	fake_reset();
	memset(&screen, 0, sizeof(screen));
	screen.columns = COLUMNS;
	screen.rows = ROWS;
	screen.jump = 1;
	screen.draw = draw;
	screen_init(&screen);
	view_open(&screen);
	keys = pressed;
	looks = nplaces = 0;
	*answers = '\0';
	return pager_ask(line, sizeof(line), save_now, lacks, NULL);
}

/* The text of the last row, and the colour of its first words. */
static const struct place {
	const char *what, *why;
	bool serial;
	const char *row;
	enum screen_color color;
} table[] = {
	{ "saved", NULL, false, "Saved to CPL0.LOG.", SCREEN_GOOD },
	{ "saved, and serial", NULL, true, "Saved to CPL0.LOG.", SCREEN_GOOD },
	{ "write-protected stick", "the medium is write-protected", false,
	  "NOT SAVED: the medium is write-protected", SCREEN_BAD },
	{ "full file", "CPL0.LOG is full; take it home, and boot with save=new", false,
	  "NOT SAVED: CPL0.LOG is full; take it home, and boot with save=new", SCREEN_BAD },
	{ "full file, and serial", "CPL0.LOG is full; take it home, and boot with save=new", true,
	  "Log: serial port alone: CPL0.LOG is full; take it home, and boot with save=new",
	  SCREEN_WARN },
	{ "CD", "this medium has no CPL0.LOG", false, "NOT SAVED: this medium has no CPL0.LOG",
	  SCREEN_BAD },
	{ "PXE", "booted over the network, which has no CPL0.LOG", false,
	  "NOT SAVED: booted over the network, which has no CPL0.LOG", SCREEN_BAD },
	{ "serial only", "save=off", true, "Log: serial port alone: save=off", SCREEN_WARN },
};

static void assert_place(const struct place *p)
{
	print_message("%s\n", p->what);
	assert_string_equal(row(PLACE), p->row);
	assert_int_equal(screen.colors[PLACE][0], p->color);
}

/* Without keys the row above it is empty, since no key would do what it says. */
static void test_place(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		why = table[i].why;
		serial = table[i].serial;
		assert_int_equal(ask(NULL), PAGER_NOBODY);
		assert_place(&table[i]);
		assert_string_equal(row(PLACE - 1), "");
	}
}

/* It stays whatever is shown above it, and is told on the serial line as well. */
static void test_place_stays(void **state)
{
	(void)state;
	why = "the medium is write-protected";
	serial = true;
	assert_int_equal(ask("hhe"
	                     "\33"
	                     "/a\rb"
	                     "xo"
	                     "y"),
	                 PAGER_OFF);
	assert_int_equal(nplaces, 11);
	for (unsigned i = 0; i < nplaces; i++)
		assert_string_equal(places[i],
		                    "Log: serial port alone: the medium is write-protected");
	assert_non_null(
		strstr(answers, "  Log: serial port alone: the medium is write-protected\n"));
	assert_string_equal(row(PLACE), "");
	assert_int_equal(screen.rows, ROWS);
}

/* The key `s`, when the stick's switch was moved: first it is still protected, then it is not. */
static void test_saved_at_last(void **state)
{
	(void)state;
	why = after = "the medium is write-protected";
	serial = false;
	ask("sby");
	assert_string_equal(places[1], "NOT SAVED: the medium is write-protected");
	after = NULL;
	ask("sby");
	assert_string_equal(places[0], "NOT SAVED: the medium is write-protected");
	assert_string_equal(places[1], "Saved to CPL0.LOG.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_place_stays),
		cmocka_unit_test(test_saved_at_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
