/*
 * The screen of a run (kernel/console/view.h).
 */
#include "kernel/console/view.h"
#include "kernel/args.h"
#include "kernel/console/record.h"
#include "kernel/cpu/x86.h"
#include "kernel/log.h"
#include "kernel/string.h"
#include "kernel/text.h"

enum head_row { ROW_PROGRAM, ROW_CPU, ROW_CLOCKS, ROW_PROGRESS, ROW_TITLES, HEAD_ROWS };

enum {
	ROWS_MIN = 12,
	COLUMNS_MIN = 40,
	NARROW = 40,       /* width of a result with ticks alone */
	WIDE = 50,         /* with core clocks as well, */
	WIDE_SCREEN = 100, /* on screens of so many columns */
	NUMBER = 10,       /* columns of a number */
	MARK = 3,          /* columns of the mark and of the gap behind it */
	BAR = 20,
	VALUE = 96,
};

/* Text that grows and is cut where its room ends. */
struct cells {
	unsigned n;
	char s[SCREEN_COLUMNS + 1];
};

static struct view {
	struct screen *screen;
	bool head;
	bool seen, again;   /* a run was announced; another one after it */
	const char *filter; /* of a page: globs; NULL: everything */
	struct cells rows[HEAD_ROWS];
	char line[LOG_LINE];
	unsigned used;
	bool cut; /* the line was longer than the buffer */

	/* the table */
	unsigned slot, slots,
		width;    /* next of so many in a row, each so wide; width 0: no table yet */
	bool core;        /* results have core clocks */
	char last[VALUE]; /* benchmark of the last record about one */

	/* progress */
	uint64_t done, total, tsc_hz, start; /* start: TSC when the plan was made */
	unsigned errors;
	struct cells first_error;
} view;

/* ---- Text ---- */

static void put(struct cells *t, const char *s)
{
	while (*s && t->n < SCREEN_COLUMNS)
		t->s[t->n++] = *s++;
	t->s[t->n] = '\0';
}

/* With at least `digits` digits. */
static void put_dec(struct cells *t, uint64_t v, unsigned digits)
{
	char s[21];
	struct text number = text_in(s, sizeof(s));

	for (uint64_t least = 10; digits > 1; least *= 10, digits--)
		if (v < least)
			put(t, "0");
	text_dec(&number, v);
	put(t, s);
}

static void pad(struct cells *t, unsigned to)
{
	while (t->n < to && t->n < SCREEN_COLUMNS)
		put(t, " ");
}

/* Minutes and seconds. */
static void put_time(struct cells *t, uint64_t seconds)
{
	put_dec(t, seconds / 60, 1);
	put(t, ":");
	put_dec(t, seconds % 60, 2);
}

/* A word before a value of the record, if the record has that. */
static void put_value(struct cells *t, const char *before, const struct record *r, const char *key)
{
	char value[VALUE];

	if (!record_get(r, key, value, sizeof(value)))
		return;
	put(t, before);
	put(t, value);
}

static void show(enum head_row row)
{
	if (view.head)
		screen_head(view.screen, row, view.rows[row].s);
}

/* The next result begins a row. */
static void end_row(void)
{
	if (view.slot)
		screen_write(view.screen, "\n", 1);
	view.slot = 0;
}

/* ---- The head ---- */

/* A run after the first one has a head of its own, and a table below what is there. */
static void on_program(const struct record *r)
{
	struct cells *t = &view.rows[ROW_PROGRAM];

	end_row();
	view.again = view.seen;
	view.seen = true;
	if (view.again) {
		for (enum head_row row = 0; row < HEAD_ROWS; row++) {
			view.rows[row].n = 0;
			view.rows[row].s[0] = '\0';
			show(row);
		}
		view.width = view.errors = 0;
		view.total = view.done = 0;
	}
	put_value(t, "cpl0 ", r, "version");
	put_value(t, ", ", r, "bits");
	put(t, " bits");
	show(ROW_PROGRAM);
}

static void on_boot(const struct record *r)
{
	struct cells *t = &view.rows[ROW_PROGRAM];

	put_value(t, ", ", r, "firmware");
	put_value(t, ", ", r, "loader");
	show(ROW_PROGRAM);
}

static void on_console(const struct record *r)
{
	struct cells *t = &view.rows[ROW_PROGRAM];
	char serial[VALUE];

	record_get(r, "serial", serial, sizeof(serial));
	if (strcmp(serial, "none") == 0) {
		put(t, "   log: nowhere but here");
	} else {
		put_value(t, "   log: ", r, "serial");
		put_value(t, " at ", r, "address");
		put_value(t, ", ", r, "baud");
	}
	show(ROW_PROGRAM);
}

static void on_cpu(const struct record *r)
{
	struct cells *t = &view.rows[ROW_CPU];
	char brand[VALUE];

	if (!record_get(r, "brand", brand, sizeof(brand)))
		record_get(r, "vendor", brand, sizeof(brand));
	put(t, brand);
	put_value(t, ", family ", r, "family");
	put_value(t, " model ", r, "model");
	put_value(t, " stepping ", r, "stepping");
	put_value(t, ", ", r, "hypervisor");
	show(ROW_CPU);
}

static void on_cache(const struct record *r)
{
	struct cells *t = &view.rows[ROW_CPU];
	char type[VALUE];

	if (!record_get(r, "size", type, sizeof(type)))
		return;
	record_get(r, "type", type, sizeof(type));
	put_value(t, ", L", r, "level");
	put(t, strcmp(type, "data") == 0 ? "d " : strcmp(type, "code") == 0 ? "i " : " ");
	put_dec(t, record_number(r, "size") >> 10, 1);
	put(t, "K");
	show(ROW_CPU);
}

static void on_clock(const struct record *r)
{
	struct cells *t = &view.rows[ROW_CLOCKS];
	char source[VALUE];
	uint64_t khz = record_number(r, "tsc_hz") / 1000;

	record_get(r, "source", source, sizeof(source));
	if (strcmp(source, "core") == 0) {
		put_value(t, t->n ? ", core clocks a tick " : "core clocks a tick ", r,
		          "core_per_tsc");
	} else if (strcmp(source, "chosen") == 0 && khz) {
		view.tsc_hz = khz * 1000;
		put(t, t->n ? ", TSC " : "TSC ");
		put_dec(t, khz / 1000, 1);
		put(t, ".");
		put_dec(t, khz % 1000, 3);
		put_value(t, " MHz by ", r, "from");
	}
	show(ROW_CLOCKS);
}

static void on_pmu(const struct record *r)
{
	struct cells *t = &view.rows[ROW_CLOCKS];

	put_value(t, ", counters ", r, "pmu");
	put_value(t, " ", r, "model");
	put_value(t, ", ", r, "usable");
	put_value(t, " of ", r, "counters");
	put_value(t, ": ", r, "reason");
	show(ROW_CLOCKS);
}

/* ---- Progress ---- */

static uint64_t seconds_since_plan(void)
{
	return view.tsc_hz ? (x86_rdtsc() - view.start) / view.tsc_hz : 0;
}

static void show_progress(void)
{
	struct cells *t = &view.rows[ROW_PROGRESS];
	uint64_t seconds = seconds_since_plan(), done = view.done, total = view.total;

	if (!total)
		return;
	if (done > total)
		done = total;
	t->n = 0;
	put(t, "[");
	for (unsigned i = 0; i < BAR; i++)
		put(t, i * total < done * BAR ? "#" : ".");
	put(t, "] ");
	put_dec(t, done, 1);
	put(t, " of ");
	put_dec(t, total, 1);
	put(t, ", ");
	put_dec(t, 100 * done / total, 1);
	put(t, " %");
	if (done && view.tsc_hz) {
		put(t, ", ");
		put_time(t, seconds * (total - done) / done);
		put(t, " to go");
	}
	put(t, ", ");
	put(t, view.last);
	show(ROW_PROGRESS);
}

static void on_plan(const struct record *r)
{
	view.total = record_number(r, "benches");
	view.start = x86_rdtsc();
	show_progress();
}

/* The record tells how many are finished, and which one is running. */
static void on_progress(const struct record *r)
{
	view.done = record_number(r, "done");
	record_get(r, "bench", view.last, sizeof(view.last));
	show_progress();
}

/* Counts the benchmark of the record, once; false if the record before was about the same. */
static bool next_bench(const struct record *r)
{
	char bench[VALUE];

	if (!record_get(r, "bench", bench, sizeof(bench)) || strcmp(bench, view.last) == 0)
		return false;
	memcpy(view.last, bench, sizeof(bench));
	view.done++;
	show_progress();
	return true;
}

/* ---- The table ---- */

static void write_text(const struct cells *t)
{
	screen_write(view.screen, t->s, t->n);
}

/* A line of its own, however long. */
static void message(const char *text, size_t n)
{
	end_row();
	screen_write(view.screen, text, n);
	screen_write(view.screen, "\n", 1);
}

static unsigned name_width(void)
{
	return view.width - (view.core ? 2 : 1) * NUMBER - MARK;
}

/* How wide a result is follows from the first; then the headings can be told. */
static void begin_table(bool core)
{
	struct cells *t = &view.rows[ROW_TITLES];

	view.core = core;
	view.width = core && view.screen->columns >= WIDE_SCREEN ? WIDE : NARROW;
	view.slots = view.screen->columns / view.width;
	if (!view.slots) {
		view.slots = 1;
		view.width = view.screen->columns;
	}
	t->n = 0;
	for (unsigned i = 0; i < view.slots; i++) {
		pad(t, i * view.width);
		put(t, i ? "benchmark" : "benchmark, = no spread");
		pad(t, i * view.width + name_width() + NUMBER - (unsigned)strlen("ticks"));
		put(t, "ticks");
		if (core) {
			pad(t,
			    i * view.width + name_width() + 2 * NUMBER - (unsigned)strlen("core"));
			put(t, "core");
		}
	}
	show(ROW_TITLES);
}

/* The value of a key, or `<` and the bound where the record says that it is below one. */
static bool get_number(const struct record *r, const char *key, const char *below, char *value)
{
	value[0] = '<';
	return record_get(r, below, value + 1, VALUE - 1) || record_get(r, key, value, VALUE);
}

/* A number with three places, right-aligned so that it ends at column `end`. */
static void put_number(struct cells *t, const char *value, unsigned end)
{
	const char *point = strchr(value, '.');
	unsigned places = point ? (unsigned)strlen(point + 1) : 0;
	unsigned n = (unsigned)strlen(value) + (point ? 3 - places : 4);

	if (places > 3)
		n = (unsigned)strlen(value);
	put(t, " ");
	pad(t, end > n ? end - n : 0);
	put(t, value);
	if (!point)
		put(t, ".000");
	for (; point && places < 3; places++)
		put(t, "0");
}

/* Puts a text into the table. One that is too long for its column takes the next one as well. */
static void put_slot(struct cells *t)
{
	unsigned takes = (t->n + view.width - 1) / view.width;

	if (view.slot + takes > view.slots)
		end_row();
	view.slot += takes;
	if (view.slot >= view.slots) {
		put(t, "\n");
		view.slot = 0;
	} else {
		pad(t, takes * view.width);
	}
	write_text(t);
}

static void on_result(const struct record *r)
{
	char tsc[VALUE], core[VALUE], exact[VALUE];
	bool has_core = get_number(r, "core", "core.below", core);
	struct cells t = { .n = 0 };
	unsigned end;

	if (!next_bench(r) || !get_number(r, "tsc", "tsc.below", tsc))
		return;
	if (!view.width)
		begin_table(has_core);
	put(&t, view.last);
	end = t.n < name_width() ? name_width() + NUMBER : t.n + 1 + NUMBER;
	put_number(&t, tsc, end);
	if (view.core && has_core)
		put_number(&t, core, end + NUMBER);
	else if (view.core)
		pad(&t, end + NUMBER);
	record_get(r, "exact", exact, sizeof(exact));
	put(&t, exact[0] == '1' ? "=" : " ");
	put_slot(&t);
}

/* A benchmark of the argument `list`. */
static void on_bench(const struct record *r)
{
	struct cells t = { .n = 0 };

	if (!view.width) {
		view.width = NARROW;
		view.slots = view.screen->columns / NARROW ? view.screen->columns / NARROW : 1;
	}
	put_value(&t, "", r, "name");
	put(&t, " ");
	put_slot(&t);
}

static void on_message(const struct record *r)
{
	next_bench(r);
	message(r->text, r->n);
}

/* Of a run after the first one: what it was told separates its results from those before. */
static void on_cmdline(const struct record *r)
{
	if (view.again)
		message(r->text, r->n);
}

static void on_error(const struct record *r)
{
	if (!view.errors++) {
		struct cells *t = &view.first_error;

		t->n = 0;
		put(t, "the first error was: ");
		for (size_t i = 0; i < r->n && t->n < SCREEN_COLUMNS; i++)
			t->s[t->n++] = r->text[i];
		t->s[t->n] = '\0';
	}
	on_message(r);
}

/* Only a surprise is worth a line. */
static void on_check(const struct record *r)
{
	char verdict[VALUE];

	record_get(r, "verdict", verdict, sizeof(verdict));
	if (strcmp(verdict, "exact") != 0)
		message(r->text, r->n);
}

/* The same, in fewer words: an emulator differs in most. */
static void on_expect(const struct record *r)
{
	struct cells t = { .n = 0 };
	char verdict[VALUE];

	record_get(r, "verdict", verdict, sizeof(verdict));
	if (strcmp(verdict, "match") == 0)
		return;
	put_value(&t, "differs: ", r, "bench");
	put_value(&t, " ", r, "quantity");
	put_value(&t, " is ", r, "got");
	put_value(&t, ", known is ", r, "low");
	put_value(&t, " to ", r, "high");
	put_value(&t, ", ", r, "source");
	message(t.s, t.n < view.screen->columns ? t.n : view.screen->columns);
}

static void on_skip(const struct record *r)
{
	if (view.total)
		next_bench(r);
}

static void on_done(const struct record *r)
{
	struct cells *t = &view.rows[ROW_PROGRESS];

	t->n = 0;
	put_value(t, "done, status ", r, "status");
	put(t, ", ");
	put_dec(t, view.done, 1);
	put(t, " of ");
	put_dec(t, view.total, 1);
	put(t, " benchmarks in ");
	put_time(t, view.total ? seconds_since_plan() : 0);
	put_value(t, ", ", r, "records");
	put(t, " records");
	show(ROW_PROGRESS);
	if (view.errors)
		message(view.first_error.s, view.first_error.n);
	message(r->text, r->n);
}

/* clang-format off */
static const struct {
	const char *kind;
	void (*take)(const struct record *r);
} kinds[] = {
	{ "result",   on_result },
	{ "cpl0",     on_program },
	{ "boot",     on_boot },
	{ "cmdline",  on_cmdline },
	{ "console",  on_console },
	{ "cpu",      on_cpu },
	{ "cache",    on_cache },
	{ "clock",    on_clock },
	{ "pmu",      on_pmu },
	{ "plan",     on_plan },
	{ "progress", on_progress },
	{ "skip",     on_skip },
	{ "check",    on_check },
	{ "expect",   on_expect },
	{ "bench",    on_bench },
	{ "series",   on_message },
	{ "trap",     on_message },
	{ "timeout",  on_message },
	{ "warn",     on_message },
	{ "error",    on_error },
	{ "done",     on_done },
};
/* clang-format on */

/* Of a page with a filter only what is about a benchmark that the filter names. */
static bool wanted(const struct record *r)
{
	char name[VALUE];

	return !view.filter || ((record_get(r, "bench", name, sizeof(name)) ||
	                         record_get(r, "name", name, sizeof(name))) &&
	                        args_match(view.filter, name));
}

static void take_line(void)
{
	struct record r;

	if (view.cut || !record_open(&r, view.line, view.used) || !wanted(&r))
		return;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (record_is(&r, kinds[i].kind))
			kinds[i].take(&r);
}

void view_open(struct screen *s)
{
	memset(&view, 0, sizeof(view));
	view.screen = s;
	view.head = s->rows >= ROWS_MIN && s->columns >= COLUMNS_MIN;
	if (view.head)
		screen_keep(s, HEAD_ROWS);
}

void view_write(const char *text, size_t n)
{
	for (; n; n--, text++) {
		if (*text == '\n') {
			take_line();
			view.used = 0;
			view.cut = false;
		} else if (view.used < sizeof(view.line)) {
			view.line[view.used++] = *text;
		} else {
			view.cut = true;
		}
	}
}

unsigned view_page(const char *log, size_t n, const char *filter, unsigned first)
{
	static struct view live;
	unsigned rows;

	live = view;
	memset(&view, 0, sizeof(view));
	view.screen = live.screen;
	view.filter = filter;
	screen_page(view.screen, first);
	view_write(log, n);
	rows = screen_page_end(view.screen);
	view = live;
	view.slot = 0;
	return rows;
}
