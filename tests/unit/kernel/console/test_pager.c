/*
 * kernel/console/pager.c: the foot of the screen at the end of a run, which says where the log is,
 * and the whole screen at four sizes. The console and its keys are this test's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/console/console.h"
#include "kernel/console/keys.h"
#include "kernel/console/pager.h"
#include "kernel/console/view.h"
#include "tests/unit/support/fake_machine.h"

/* A run, record by record without their tails, and the screens of it. */
#define DATA "tests/data/screen/"

enum { COLUMNS = 80, ROWS = 25, PLACE = ROWS - 1, MOST = 1 << 16 };

static struct screen screen;
static char row_text[SCREEN_COLUMNS + 1], answers[1000];
static const char *why;   /* the medium lacks the log; NULL: it has all of it */
static const char *after; /* what `s` answers, and what the medium lacks then */
static const char *keys;  /* that are pressed behind the quiet; NULL: there is no keyboard */
static bool serial;
static unsigned looks, total_rows;
static char kept[MOST]; /* the log */
static size_t nkept;
static char picture[MOST]; /* the screen behind the last key but one: the last one leaves it */

/* The last row behind each key that was obeyed. */
static char places[16][SCREEN_COLUMNS + 1];
static unsigned nplaces;

static void draw(unsigned column, unsigned row, char c, enum screen_color color)
{
	(void)c;
	(void)color;
	assert_true(column < screen.columns && row < total_rows);
}

static const char *row(unsigned r)
{
	unsigned n = screen.columns;

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
	*n = nkept;
	*cut = false;
	return kept;
}

/*
 * Each row as `|text`, and below it, if anything in it has a colour, `:` and a letter for the
 * colour of each character.
 */
static void take_picture(void)
{
	char *p = picture;

	for (unsigned r = 0; r < total_rows; r++) {
		char colors[SCREEN_COLUMNS + 1] = "";
		unsigned n = 0;

		for (unsigned c = 0; c < screen.columns; c++) {
			colors[c] = " TGWB"[screen.colors[r][c]];
			if (colors[c] != ' ')
				n = c + 1;
		}
		p += sprintf(p, "|%s\n", row(r));
		if (n)
			p += sprintf(p, ":%.*s\n", (int)n, colors);
		assert_true(p < picture + sizeof(picture) - 2 * SCREEN_COLUMNS);
	}
}

char console_key(void)
{
	if (looks++ < 50) /* keys from before the end are forgotten */
		return KEY_NONE;
	assert_true(nplaces < 16 && *keys);
	strcpy(places[nplaces++], row(total_rows - 1));
	if (*keys == 'o')
		take_picture();
	return *keys++;
}

static unsigned saves; /* how often `s` has saved */

static const char *lacks(void)
{
	return why;
}

static const char *save_now(const char *text, size_t n)
{
	assert_true(text && n);
	saves++;
	why = after;
	return after;
}

static void fresh(unsigned columns, unsigned rows)
{
	fake_reset();
	memset(&screen, 0, sizeof(screen));
	screen.columns = columns;
	screen.rows = total_rows = rows;
	screen.jump = 1;
	screen.draw = draw;
	screen_init(&screen);
	view_open(&screen);
	nkept = 0;
}

/* A record without its tail. */
static void log_line(const char *text)
{
	const size_t at = nkept;

	nkept += (size_t)snprintf(kept + at, sizeof(kept) - at, "%s #7:0000beef\n", text);
	assert_true(nkept < sizeof(kept));
	view_write(kept + at, nkept - at);
}

static enum pager_wish ask(const char *pressed)
{
	static char line[100];

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
	{ "saved", NULL, false, "Saved to CPL0.LOG. You may switch off.", SCREEN_GOOD },
	{ "saved, and serial", NULL, true, "Saved to CPL0.LOG. You may switch off.", SCREEN_GOOD },
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
	{ "serial only", "save=off", true,
	  "Log: serial port alone: save=off. Keep it, then switch off.", SCREEN_WARN },
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
		fresh(COLUMNS, ROWS);
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
	fresh(COLUMNS, ROWS);
	log_line("result bench=a.b mode=total copies=1 tsc=3");
	assert_int_equal(ask("hhe"
	                     "\33"
	                     "/a\rb"
	                     "xo"
	                     "y"),
	                 PAGER_OFF);
	assert_int_equal(nplaces, 11);
	for (unsigned i = 0; i < nplaces; i++)
		assert_string_equal(places[i],
		                    "Log: serial port alone: the medium is write-protected. "
		                    "Keep it, then switch off.");
	assert_non_null(strstr(answers, "  Log: serial port alone: the medium is "
	                                "write-protected. Keep it, then switch off.\n"));
	assert_string_equal(row(PLACE), "");
	assert_int_equal(screen.rows, ROWS);
}

/* The key `s`, when the stick's switch was moved: first it is still protected, then it is not. */
static void test_saved_at_last(void **state)
{
	(void)state;
	why = after = "the medium is write-protected";
	serial = false;
	fresh(COLUMNS, ROWS);
	log_line("result bench=a.b mode=total copies=1 tsc=3");
	ask("sby");
	assert_string_equal(places[1], "NOT SAVED: the medium is write-protected");
	after = NULL;
	ask("sby");
	assert_string_equal(places[0], "NOT SAVED: the medium is write-protected");
	assert_string_equal(places[1], "Saved to CPL0.LOG. You may switch off.");
}

/* Where all is saved, `s` says so, and the second one makes a copy. */
static void test_saved_twice(void **state)
{
	(void)state;
	why = "lines wait to be written";
	after = NULL;
	serial = false;
	fresh(COLUMNS, ROWS);
	log_line("result bench=a.b mode=total copies=1 tsc=3");
	ask("sby");
	saves = 0;
	ask("sby");
	assert_int_equal(saves, 0);
	assert_non_null(strstr(answers, "All is saved."));
	ask("sby");
	assert_int_equal(saves, 1);
}

static void read_file(const char *name, char *text)
{
	FILE *f = fopen(name, "r");
	size_t n = 0;

	if (f) {
		n = fread(text, 1, MOST - 1, f);
		fclose(f);
	}
	text[n] = '\0';
}

/* What the screen is; GOLDEN=FOLDER writes it there, to be compared and put in place. */
static void assert_golden(const char *name)
{
	static char path[256], expected[MOST];
	const char *folder = getenv("GOLDEN");

	print_message("%s\n", name);
	if (folder) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s.txt", folder, name);
		f = fopen(path, "w");
		assert_non_null(f);
		fputs(picture, f);
		fclose(f);
		return;
	}
	snprintf(path, sizeof(path), DATA "%s.txt", name);
	read_file(path, expected);
	assert_string_equal(picture, expected);
}

/* The same records at 80x25, 1024x768, 1080p and 4K. */
static void test_golden(void **state)
{
	static const char at_first[] = { KEY_HOME, 'o', 'y', '\0' };
	static const struct {
		const char *name, *keys;
		unsigned columns, rows;
	} sizes[] = {
		{ "80x25-first", at_first, 80, 25 }, { "80x25", "oy", 80, 25 },
		{ "1024x768", "oy", 170, 64 },       { "1920x1080", "oy", 160, 45 },
		{ "3840x2160", "oy", 213, 60 },
	};
	static char run[MOST];

	(void)state;
	why = "this medium has no CPL0.LOG";
	serial = true;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		read_file(DATA "run.txt", run);
		fresh(sizes[i].columns, sizes[i].rows);
		for (char *line = strtok(run, "\n"); line; line = strtok(NULL, "\n"))
			log_line(line);
		assert_int_equal(ask(sizes[i].keys), PAGER_OFF);
		assert_golden(sizes[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),         cmocka_unit_test(test_place_stays),
		cmocka_unit_test(test_saved_at_last), cmocka_unit_test(test_saved_twice),
		cmocka_unit_test(test_golden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
