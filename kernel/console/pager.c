/*
 * Keys at the end of a run (kernel/console/pager.h).
 */
#include "kernel/console/pager.h"
#include "kernel/console/cells.h"
#include "kernel/console/console.h"
#include "kernel/console/keys.h"
#include "kernel/console/view.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	PORT_DELAY = 0x80, /* a read takes about a microsecond */
	POLL = 1000,       /* of them between two looks: a core that waits for ports stays cool */
	QUIET = 50,   /* looks without a byte: what came before was typed for another program */
	STALE = 5000, /* looks until then at most */
	TYPED = 200,  /* characters of a filter or of arguments */
	FOOT = 2,     /* rows: what can be done, and where the log is */
};

static struct {
	struct screen *screen; /* NULL: keys of the serial line alone */
	enum view_what what;
	unsigned first, lines, rows; /* of it: row on top, all rows, rows of a page */
	char filter[TYPED + 3];      /* "": everything */
	struct {
		unsigned first;
		char filter[TYPED + 3];
	} results; /* what was seen of them before something else was */
	bool cut;
	pager_save *save;
	pager_lacks *lacks;
	bool unsaved; /* some run is on no medium */
	bool twice;   /* the next `s` saves although all is saved */
} pager;

/* With the rows before it the first fits into 80 columns. */
static const char keys_help[] = "PgUp/Dn / d e h:help r:run s:save b o:off";
static const char keys_wide[] = "PgUp/Dn  /:filter  d:details  e:events  h:help  r:run  s:save  "
				"b:boot  o:off";
static const char keys_back[] = "PgUp/Dn /:filter  the same key or Esc: back to the results";

enum { WIDE = 120 };

/* The end of a row, where it fits. */
static void put_end(struct cells *t, const char *s)
{
	struct cells end;

	cells_clear(&end);
	cells_put(&end, s);
	cells_join(t, &end, pager.screen ? pager.screen->columns : SCREEN_COLUMNS);
}

/* Whether the machine may be switched off without a loss, and why not. */
static void place_of_log(struct cells *t)
{
	const char *why = pager.lacks();

	cells_clear(t);
	if (!why) {
		cells_paint(t, SCREEN_GOOD, "Saved to CPL0.LOG. You may switch off.");
	} else if (console_has_serial()) {
		cells_paint(t, SCREEN_WARN, "Log: serial port alone: ");
		cells_put(t, why);
		put_end(t, ". Keep it, then switch off.");
	} else {
		cells_paint(t, SCREEN_BAD, "NOT SAVED: ");
		cells_put(t, why);
	}
}

/* ---- The screen ---- */

static void show_foot(const char *text)
{
	if (pager.screen)
		screen_head(pager.screen, pager.screen->rows, text, NULL);
}

static void show_place(void)
{
	struct cells row;

	if (!pager.screen)
		return;
	place_of_log(&row);
	screen_head(pager.screen, pager.screen->rows + 1, row.s, row.colors);
}

static unsigned draw_page(unsigned first)
{
	size_t n;
	const char *log = console_kept(&n, &pager.cut);

	return view_page(pager.what, log, n, *pager.filter ? pager.filter : NULL, first);
}

/* The row of the foot that says where we are, and what can be done. */
static void describe(void)
{
	char buffer[SCREEN_COLUMNS];
	struct text t = text_in(buffer, sizeof(buffer));
	unsigned last = pager.first + pager.rows;

	if (!pager.screen)
		return;
	text_dec(&t, pager.first + (pager.lines != 0));
	text_char(&t, '-');
	text_dec(&t, last < pager.lines ? last : pager.lines);
	text_str(&t, " of ");
	text_dec(&t, pager.lines);
	text_str(&t, pager.cut ? " (no memory for the rest)" : "");
	if (*pager.filter) {
		text_str(&t, " with ");
		text_str(&t, pager.filter);
	}
	text_str(&t, "  ");
	if (pager.what != VIEW_RESULTS)
		text_str(&t, keys_back);
	else
		text_str(&t, pager.screen->columns < WIDE ? keys_help : keys_wide);
	show_foot(buffer);
}

/* Goes to row `first`, but not so far that the last page is not full. */
static void go(unsigned first)
{
	unsigned most;

	if (!pager.screen)
		return;
	pager.lines = draw_page(UINT32_MAX);
	pager.rows = view_rows();
	most = pager.lines > pager.rows ? pager.lines - pager.rows : 0;
	pager.first = first < most ? first : most;
	draw_page(pager.first);
	describe();
}

static void open_page(void)
{
	pager.screen = console_screen();
	pager.what = VIEW_RESULTS;
	if (pager.screen && pager.screen->rows <= pager.screen->head + FOOT + 1)
		pager.screen = NULL;
	*pager.filter = '\0';
	if (!pager.screen)
		return;
	pager.screen->rows -= FOOT;
	go(UINT32_MAX);
	show_place();
}

/* What is written next stands below the last page. */
static void close_page(void)
{
	pager.what = VIEW_LIVE;
	*pager.filter = '\0';
	go(UINT32_MAX);
	show_foot("");
	if (!pager.screen)
		return;
	screen_head(pager.screen, pager.screen->rows + 1, "", NULL);
	pager.screen->rows += FOOT;
}

/* ---- Keys ---- */

static char look(void)
{
	for (unsigned n = 0; n < POLL; n++)
		x86_inb(PORT_DELAY);
	return console_key();
}

static char wait_key(void)
{
	char key;

	while (!(key = look()))
		;
	return key;
}

/* A terminal that echoes our log, or a key that was pressed during the run, must decide nothing. */
static void forget_keys(void)
{
	for (unsigned quiet = 0, n = 0; quiet < QUIET && n < STALE; n++)
		quiet = look() ? 0 : quiet + 1;
}

/*
 * Asks for a line of at most TYPED characters. False if Escape was pressed, or nothing was typed:
 * *answer tells them apart.
 */
static bool ask(const char *question, char *answer)
{
	char buffer[TYPED + 100];
	size_t n = 0;

	console_answer("\n");
	console_answer(question);
	for (;;) {
		struct text t = text_in(buffer, sizeof(buffer));
		char key;

		answer[n] = '\0';
		text_str(&t, question);
		text_str(&t, answer);
		text_char(&t, '_');
		show_foot(buffer);
		key = wait_key();
		if (key == KEY_ENTER || key == KEY_ESCAPE) {
			console_answer("\n");
			if (key == KEY_ESCAPE)
				*answer = KEY_ESCAPE;
			return key == KEY_ENTER && n;
		}
		if (key == KEY_BACKSPACE && n) {
			n--;
			console_answer("\b \b");
		} else if (key >= ' ' && n < TYPED) {
			answer[n++] = key;
			console_answer((char[]){ key, '\0' });
		}
	}
}

/* False: Escape was pressed, and all is as it was. */
static bool ask_filter(const char *question)
{
	char answer[TYPED + 1];
	bool glob = false, given = ask(question, answer);
	struct text t;

	if (*answer == KEY_ESCAPE)
		return false;
	t = text_in(pager.filter, sizeof(pager.filter));
	if (given) {
		glob = strchr(answer, '*') || strchr(answer, '?') || strchr(answer, ',');
		text_str(&t, glob ? "" : "*");
		text_str(&t, answer);
		text_str(&t, glob ? "" : "*");
	}
	go(0);
	return true;
}

/* Back to what was seen of the results. */
static void show_results(void)
{
	pager.what = VIEW_RESULTS;
	memcpy(pager.filter, pager.results.filter, sizeof(pager.filter));
	go(pager.results.first);
}

/* The same key once more leads back. Details are of what the filter of the results names. */
static void show_other(enum view_what what)
{
	const bool from_results = pager.what == VIEW_RESULTS;

	if (!pager.screen)
		return;
	if (what == pager.what) {
		show_results();
		return;
	}
	if (from_results) {
		memcpy(pager.results.filter, pager.filter, sizeof(pager.filter));
		pager.results.first = pager.first;
	}
	pager.what = what;
	if (!from_results || what != VIEW_DETAILS)
		*pager.filter = '\0';
	if (what != VIEW_DETAILS || *pager.filter)
		go(0);
	else if (!ask_filter("Details of (part of the name, or a glob; nothing: all): "))
		show_results();
}

/* A line with `=` is arguments, another one names benchmarks. */
static bool ask_run(char *line, size_t size)
{
	char answer[TYPED + 1];
	struct text t = text_in(line, size);

	if (!ask("Run (benchmarks by name or glob, or arguments): ", answer)) {
		describe();
		return false;
	}
	text_str(&t, strchr(answer, '=') || strcmp(answer, "list") == 0 ? "" : "bench=");
	text_str(&t, answer);
	return true;
}

/* Stands there until the next key. */
static void answer_foot(const char *text)
{
	console_answer(text);
	console_answer("\n");
	show_foot(text);
}

/* A second copy of all runs is for another medium, so it needs a second key. */
static void save(void)
{
	size_t n;
	const char *log = console_kept(&n, &pager.cut), *why;

	if (!pager.unsaved && !pager.twice) {
		pager.twice = true;
		answer_foot("All is saved. Press s again to save it a second time.");
		return;
	}
	show_foot("Saving ...");
	why = pager.save(log, n);
	if (!why) {
		pager.unsaved = pager.twice = false;
		why = pager.cut ? "Saved, as far as there was memory." : "Saved to CPL0.LOG.";
	}
	answer_foot(why);
	show_place();
}

static bool sure(const char *question)
{
	char key;

	console_answer("\n");
	console_answer(question);
	show_foot(question);
	key = wait_key();
	describe();
	return key == 'y' || key == 'Y';
}

/* False: the key is no move. */
static bool move(char key)
{
	switch (key) {
	case KEY_UP:
		go(pager.first ? pager.first - 1 : 0);
		return true;
	case KEY_DOWN:
		go(pager.first + 1);
		return true;
	case KEY_PAGE_UP:
	case 'p':
		go(pager.first > pager.rows ? pager.first - pager.rows : 0);
		return true;
	case KEY_PAGE_DOWN:
	case ' ':
		go(pager.first + pager.rows);
		return true;
	case KEY_HOME:
		go(0);
		return true;
	case KEY_END:
		go(UINT32_MAX);
		return true;
	}
	return false;
}

static enum pager_wish obey(char key, char *line, size_t size)
{
	if (move(key))
		return PAGER_NOBODY;
	switch (key) {
	case '/':
		if (!ask_filter("Show only (part of the name, or a glob with * and ?): "))
			go(pager.first);
		break;
	case 'd':
		show_other(VIEW_DETAILS);
		break;
	case 'e':
		show_other(VIEW_EVENTS);
		break;
	case 'h':
		show_other(VIEW_HELP);
		break;
	case KEY_ESCAPE:
		if (pager.what != VIEW_RESULTS)
			show_results();
		break;
	case 'r':
		return ask_run(line, size) ? PAGER_RUN : PAGER_NOBODY;
	case 's':
		save();
		break;
	case 'b':
		return sure("Reboot? y: yes, any other key: no") ? PAGER_REBOOT : PAGER_NOBODY;
	case 'o':
		return sure("Switch off? y: yes, any other key: no") ? PAGER_OFF : PAGER_NOBODY;
	}
	return PAGER_NOBODY;
}

enum pager_wish pager_ask(char *line, size_t size, pager_save *save_log, pager_lacks *lacks,
                          events_next *next_event)
{
	enum pager_wish wish = PAGER_NOBODY;
	struct cells place;

	pager.save = save_log;
	pager.lacks = lacks;
	pager.unsaved |= lacks() != NULL;
	view_events_from(next_event);
	if (!console_has_keys()) {
		open_page();
		show_foot("");
		return PAGER_NOBODY;
	}
	console_answer(keys_wide);
	console_answer("  ");
	place_of_log(&place);
	console_answer(place.s);
	console_answer("\n");
	open_page();
	forget_keys();
	while (!wish)
		wish = obey(wait_key(), line, size);
	close_page();
	return wish;
}
