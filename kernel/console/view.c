/*
 * The screen of a run (kernel/console/view.h).
 */
#include "kernel/console/view.h"
#include "kernel/lib/args.h"
#include "kernel/console/details.h"
#include "kernel/console/head.h"
#include "kernel/console/help.h"
#include "kernel/console/record.h"
#include "kernel/console/table.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	ROWS_MIN = 12,
	ROWS_SUMMARY = 20, /* with fewer the head has no summary */
	COLUMNS_MIN = 40,
	REDRAWS = 3,
	STRIP = 80, /* columns of a strip of a page, at least, with the gap behind it */
};

/* The line that is being taken. */
struct line {
	char text[LOG_LINE];
	unsigned n;
	bool cut; /* it was longer than the buffer */
};

static struct {
	struct screen *screen;
	struct table table;
	struct line line;
	events_next *next_event;
} view;

/* What is drawn instead, for as long as it takes. */
static struct {
	struct table table;
	struct line line;
	const char *filter;   /* globs; NULL: everything */
	struct table_has had; /* of the last page with results */
} page;

/* Of a page with a filter only what is about a benchmark that the filter names, in its units. */
static bool wanted(const struct record *r, const char *filter)
{
	char name[TABLE_NAME];

	return !filter || record_is(r, "clock") || record_is(r, "cpl0") ||
	       record_is(r, "cmdline") || record_is(r, "cache") ||
	       ((record_get(r, "bench", name, sizeof(name)) ||
	         record_get(r, "name", name, sizeof(name))) &&
	        args_match(filter, name));
}

static void take_live(const struct record *r)
{
	head_take(r);
	table_take(&view.table, r);
}

static void take_result(const struct record *r)
{
	if (wanted(r, page.filter) || record_is(r, "event")) /* for the columns */
		table_take(&page.table, r);
	else if (record_is(r, "geometry")) /* no row, but levels are what was measured */
		levels_take(&page.table.levels, r);
}

static void take_detail(const struct record *r)
{
	if (wanted(r, page.filter))
		details_write(view.screen, r);
}

static void take_event(const struct record *r)
{
	if (record_is(r, "event") && wanted(r, page.filter))
		events_write(view.screen, r);
}

/* Lines may come in pieces. */
static void take_bytes(struct line *line, const char *text, size_t n,
                       void (*take)(const struct record *r))
{
	struct record r;

	for (; n; n--, text++) {
		if (*text == '\n') {
			if (!line->cut && record_open(&r, line->text, line->n))
				take(&r);
			line->n = 0;
			line->cut = false;
		} else if (line->n < sizeof(line->text)) {
			line->text[line->n++] = *text;
		} else {
			line->cut = true;
		}
	}
}

void view_open(struct screen *s)
{
	const bool head = s->rows >= ROWS_MIN && s->columns >= COLUMNS_MIN;

	view.line.n = 0;
	view.line.cut = false;
	view.screen = s;
	if (head)
		screen_keep(s, s->rows < ROWS_SUMMARY ? HEAD_LATENCY : HEAD_ROWS);
	head_open(head ? s : NULL);
	table_open(&view.table, s);
}

void view_events_from(events_next *next)
{
	view.next_event = next;
}

void view_write(const char *text, size_t n)
{
	take_bytes(&view.line, text, n, take_live);
}

static void take_lines(const char *log, size_t n, void (*take)(const struct record *r))
{
	page.line.n = 0;
	page.line.cut = false;
	take_bytes(&page.line, log, n, take);
}

/* Where the last run of the log begins. */
static size_t last_run(const char *log, size_t n)
{
	static const char begin[] = "\ncpl0 schema=";

	for (size_t at = n > sizeof(begin) ? n - sizeof(begin) : 0; at; at--)
		if (!strncmp(log + at, begin, sizeof(begin) - 1))
			return at + 1;
	return 0;
}

static void draw_events(const char *log, size_t n)
{
	const size_t at = last_run(log, n);

	take_lines(log + at, n - at, take_event);
	if (view.next_event)
		events_write_all(view.screen, view.next_event, page.filter);
}

/* A page with so many strips; returns how many rows all pages have. */
static unsigned draw(enum view_what what, const char *log, size_t n, unsigned first,
                     unsigned strips)
{
	table_open(&page.table, view.screen);
	if (what == VIEW_RESULTS)
		table_expect(&page.table, &page.had);
	view.table.slot = 0;
	screen_page(view.screen, first, strips, what == VIEW_RESULTS);
	switch (what) {
	case VIEW_RESULTS:
	case VIEW_LIVE:
		take_lines(log, n, take_result);
		table_end(&page.table);
		break;
	case VIEW_DETAILS:
		take_lines(log, n, take_detail);
		break;
	case VIEW_EVENTS:
		draw_events(log, n);
		break;
	case VIEW_HELP:
		help_write(view.screen);
		break;
	}
	return screen_page_end(view.screen);
}

/*
 * As few as show all rows at once, or else as many as the screen is wide enough for; less where
 * columns of events need the room.
 */
static unsigned strips_for(enum view_what what, const char *log, size_t n)
{
	const unsigned most = what == VIEW_LIVE ? 1 : view.screen->columns / STRIP;

	for (unsigned strips = 1; strips < most; strips++) {
		const unsigned rows = draw(what, log, n, UINT32_MAX, strips);

		if (rows <= screen_page_rows(view.screen))
			return strips;
		draw(what, log, n, UINT32_MAX, strips + 1);
		if (page.table.narrow)
			return strips;
	}
	return most ? most : 1;
}

unsigned view_page(enum view_what what, const char *log, size_t n, const char *filter,
                   unsigned first)
{
	unsigned rows;

	page.filter = filter;
	rows = draw(what, log, n, first, strips_for(what, log, n));
	/* A column more or less moves the headings behind it: the third page has all in place. */
	for (unsigned i = 0; i < REDRAWS && what == VIEW_RESULTS; i++) {
		if (!memcmp(&page.had, &page.table.has, sizeof(page.had)))
			break;
		page.had = page.table.has;
		rows = draw(what, log, n, first, strips_for(what, log, n));
	}
	return rows;
}

unsigned view_rows(void)
{
	return screen_page_rows(view.screen);
}
