/*
 * The head of the screen (kernel/console/head.h).
 */
#include "kernel/console/head.h"
#include "kernel/console/cells.h"
#include "kernel/console/summary.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"

enum {
	VALUE = 96,
	BAR_SHARE = 5, /* of the columns is the bar */
	PER_MILLE = 1000,
	GAP = 2, /* before what stops the run */
};

static struct head {
	struct screen *screen; /* NULL: nothing is shown */
	struct cells rows[HEAD_ROWS];

	/* the first row */
	unsigned runs; /* so far, with this one */
	struct cells program, serial, boot;
	struct cells port; /* `serial` in short */
	bool has_serial, saves, save_failed, asked;

	/* the clocks and caches; the counters */
	uint64_t core_per_tsc, tsc_hz;
	uint64_t ram_kb;
	struct cells caches, counters;
	uint64_t exact, differ, excused; /* checks */
	bool clocks_off, withdrawn;

	struct summary summary;

	/* progress */
	uint64_t done, total, start; /* start: TSC when the plan was made */
	uint64_t wide;               /* results that spread far */
	uint64_t warnings, errors;
	char last[VALUE];    /* benchmark of the last record about one */
	char running[VALUE]; /* the benchmark that is measured or was the last one */
	const char *stops;   /* words; NULL: nothing does */
} head;

#define QEMU_TCG "TCGTCGTCGTCG" /* an emulator that calls itself a hypervisor */

static bool is_value(const struct record *r, const char *key, const char *value)
{
	char text[VALUE];

	return record_get(r, key, text, sizeof(text)) && !strcmp(text, value);
}

static void show(enum head_row row)
{
	if (head.screen && row < head.screen->head)
		screen_head(head.screen, row, head.rows[row].s, head.rows[row].colors);
}

/* The short form stands there where the long one would be cut. */
static void put_port(struct cells *t)
{
	const bool fits = !head.screen || t->n + head.serial.n <= head.screen->columns;

	cells_join(t, fits ? &head.serial : &head.port, SCREEN_COLUMNS);
}

/* Where the log goes, in words; what is not known yet is not told. */
static void put_log(struct cells *t)
{
	if (head.save_failed)
		cells_paint(t, SCREEN_BAD, "CPL0.LOG FAILED");
	else if (head.saves)
		cells_paint(t, SCREEN_GOOD, "CPL0.LOG");
	if (head.has_serial && (head.saves || head.save_failed))
		cells_put(t, " and ");
	if (head.has_serial)
		put_port(t);
	else if (head.asked && !head.saves && !head.save_failed)
		cells_paint(t, SCREEN_BAD, "nowhere but here");
}

/* The loader's name may be long: it stands there where it fits. */
static void show_program(void)
{
	struct cells *t = &head.rows[HEAD_PROGRAM];

	*t = head.program;
	if (head.has_serial || head.asked) {
		cells_put(t, "   log: ");
		put_log(t);
	}
	if (head.screen)
		cells_join(t, &head.boot, head.screen->columns);
	show(HEAD_PROGRAM);
}

static void on_program(const struct record *r)
{
	struct screen *s = head.screen;
	const unsigned runs = head.runs + 1;

	head_open(s);
	head.runs = runs;
	cells_value(&head.program, "cpl0 ", r, "version");
	cells_value(&head.program, ", ", r, "bits");
	cells_put(&head.program, " bits");
	show_program();
}

static void on_boot(const struct record *r)
{
	cells_value(&head.boot, "   ", r, "firmware");
	cells_value(&head.boot, ", ", r, "loader");
	show_program();
}

static void on_console(const struct record *r)
{
	head.has_serial = !is_value(r, "serial", "none");
	cells_clear(&head.serial);
	cells_clear(&head.port);
	head.serial.pen = SCREEN_GOOD;
	cells_paint(&head.port, SCREEN_GOOD, "serial port");
	if (is_value(r, "serial", "debugcon")) {
		cells_put(&head.serial, "debug port");
	} else {
		cells_value(&head.serial, "serial port ", r, "address");
		cells_value(&head.serial, " at ", r, "baud");
	}
	show_program();
}

static void on_save(const struct record *r)
{
	head.asked = true;
	head.saves = !is_value(r, "to", "none");
	head.save_failed = false;
	show_program();
}

/* The short form stands there where the long one would be cut. */
static void put_signature(struct cells *t, const struct record *r)
{
	struct cells words;

	cells_clear(&words);
	cells_value(&words, ", family ", r, "family");
	cells_value(&words, " model ", r, "model");
	cells_value(&words, " stepping ", r, "stepping");
	if (head.screen && t->n + words.n > head.screen->columns) {
		cells_clear(&words);
		cells_value(&words, ", ", r, "family");
		cells_value(&words, "-", r, "model");
		cells_value(&words, "-", r, "stepping");
	}
	cells_join(t, &words, SCREEN_COLUMNS);
}

static void on_cpu(const struct record *r)
{
	struct cells *t = &head.rows[HEAD_CPU];
	char brand[VALUE];

	cells_clear(t);
	if (!record_get(r, "brand", brand, sizeof(brand)))
		record_get(r, "vendor", brand, sizeof(brand));
	cells_paint(t, SCREEN_TITLE, *brand ? brand : "a CPU without CPUID");
	t->pen = SCREEN_WARN;
	cells_value(t, ", simulated by ", r, "emulator");
	if (is_value(r, "hypervisor", QEMU_TCG))
		cells_put(t, ", EMULATED by QEMU TCG");
	else
		cells_value(t, ", GUEST of ", r, "hypervisor");
	t->pen = SCREEN_TEXT;
	put_signature(t, r);
	show(HEAD_CPU);
}

/* 4.37 GHz, 132.9 MHz. */
static void put_hz(struct cells *t, uint64_t hz)
{
	const bool giga = hz >= 1000000000;
	const uint64_t unit = giga ? 10000000 : 100000, n = (hz + unit / 2) / unit;
	const unsigned places = giga ? 100 : 10;

	cells_dec(t, n / places, 1);
	cells_put(t, ".");
	cells_dec(t, n % places, giga ? 2 : 1);
	cells_put(t, giga ? " GHz" : " MHz");
}

/* 640K, 246M, 15.7G: rounded. Not there where it would be cut. */
static void put_ram(struct cells *t)
{
	const uint64_t kb = head.ram_kb, mb = (kb + 512) / 1024, tenths = (mb * 10 + 512) / 1024;
	struct cells words;

	if (!kb || !head.screen)
		return;
	cells_clear(&words);
	cells_put(&words, "   RAM ");
	cells_dec(&words, kb < 1024 ? kb : mb < 1024 ? mb : tenths / 10, 1);
	if (mb >= 1024 && tenths % 10) {
		cells_put(&words, ".");
		cells_dec(&words, tenths % 10, 1);
	}
	cells_put(&words, kb < 1024 ? "K" : mb < 1024 ? "M" : "G");
	cells_join(t, &words, head.screen->columns);
}

static void show_clocks(void)
{
	struct cells *t = &head.rows[HEAD_CLOCKS];

	cells_clear(t);
	if (head.core_per_tsc && head.tsc_hz) {
		put_hz(t, head.tsc_hz / PER_MILLE * head.core_per_tsc);
		cells_put(t, " core, ");
	}
	if (head.tsc_hz) {
		put_hz(t, head.tsc_hz);
		cells_put(t, " TSC");
	}
	cells_join(t, &head.caches, SCREEN_COLUMNS);
	put_ram(t);
	show(HEAD_CLOCKS);
}

static void on_memory(const struct record *r)
{
	const uint64_t kb = record_number(r, "ram_kb");

	if (kb) /* the records of ranges lack it */
		head.ram_kb = kb;
	show_clocks();
}

static void on_cache(const struct record *r)
{
	struct cells *t = &head.caches;
	uint64_t kb = record_number(r, "size") >> 10;

	if (!kb)
		return;
	cells_value(t, t->n ? ", L" : "   L", r, "level");
	cells_put(t, is_value(r, "type", "data") ? "d " : is_value(r, "type", "code") ? "i " : " ");
	cells_dec(t, kb % 1024 ? kb : kb / 1024, 1);
	cells_put(t, kb % 1024 ? "K" : "M");
	show_clocks();
}

static void on_clock(const struct record *r)
{
	int64_t core = 0;

	if (is_value(r, "source", "core") && record_milli(r, "core_per_tsc", &core))
		head.core_per_tsc = (uint64_t)core;
	if (is_value(r, "source", "chosen"))
		head.tsc_hz = record_number(r, "tsc_hz");
	show_clocks();
}

/* What the counters were found to be, and what the checks of their events say. */
static void show_counters(void)
{
	struct cells *t = &head.rows[HEAD_COUNTERS];

	*t = head.counters;
	if (head.clocks_off || head.withdrawn)
		cells_paint(t, SCREEN_BAD,
		            head.withdrawn ? ", proof withdrawn" : ", not so its clocks");
	if (head.exact + head.differ + head.excused) {
		cells_put(t, ", checks of events: ");
		cells_dec(t, head.exact, 1);
		cells_put(t, " exact");
	}
	if (head.excused) {
		cells_put(t, ", ");
		cells_dec(t, head.excused, 1);
		cells_put(t, " by known errata");
	}
	if (head.differ) {
		t->pen = SCREEN_BAD;
		cells_put(t, ", ");
		cells_dec(t, head.differ, 1);
		cells_put(t, " differ");
	}
	show(HEAD_COUNTERS);
}

static void on_pmu(const struct record *r)
{
	struct cells *t = &head.counters;
	const uint64_t usable = record_number(r, "usable");

	cells_clear(t);
	if (is_value(r, "pmu", "none")) {
		t->pen = SCREEN_WARN;
		cells_value(t, "no counters: ", r, "reason");
	} else {
		cells_value(t, "counters ", r, "pmu");
		cells_value(t, " ", r, "model");
		t->pen = usable && usable == record_number(r, "counters") ? SCREEN_GOOD
		                                                          : SCREEN_WARN;
		cells_value(t, ": ", r, "usable");
		cells_value(t, " of ", r, "counters");
		cells_put(t, " proven");
	}
	t->pen = SCREEN_TEXT;
	show_counters();
}

static void on_chain(const struct record *r)
{
	head.clocks_off |= is_value(r, "verdict", "off");
	show_counters();
}

static void on_check(const struct record *r)
{
	char known[VALUE];

	if (is_value(r, "verdict", "exact"))
		head.exact++;
	else if (record_get(r, "known", known, sizeof(known)))
		head.excused++;
	else
		head.differ++;
	show_counters();
}

/* ---- Progress ---- */

static uint64_t seconds_since_plan(void)
{
	return head.tsc_hz ? (x86_rdtsc() - head.start) / head.tsc_hz : 0;
}

static void put_bar(struct cells *t, uint64_t done, uint64_t total)
{
	const unsigned bar = head.screen ? head.screen->columns / BAR_SHARE : BAR_SHARE;

	cells_put(t, "[");
	t->pen = SCREEN_GOOD;
	for (unsigned i = 0; i < bar; i++) {
		if (i * total >= done * bar)
			t->pen = SCREEN_TEXT;
		cells_put(t, i * total < done * bar ? "#" : ".");
	}
	t->pen = SCREEN_TEXT;
	cells_put(t, "] ");
}

/* The name comes last: it may be cut, and what ends the run stands in its place. */
static void put_running(struct cells *t)
{
	const unsigned columns = head.screen ? head.screen->columns : SCREEN_COLUMNS;
	const unsigned least = head.stops ? GAP + (unsigned)strlen(head.stops) : 0;
	const unsigned room = columns > least ? columns - least : 0;

	cells_put(t, *head.running ? ", " : "");
	cells_put(t, head.running);
	if (t->n > room && room > 2) {
		t->n = room - 2;
		cells_put(t, "..");
	}
	if (!head.stops)
		return;
	cells_pad(t, room + GAP);
	cells_paint(t, SCREEN_TITLE, head.stops);
}

static void show_progress(void)
{
	struct cells *t = &head.rows[HEAD_PROGRESS];
	uint64_t seconds = seconds_since_plan(), done = head.done, total = head.total;

	if (!total)
		return;
	if (done > total)
		done = total;
	cells_clear(t);
	put_bar(t, done, total);
	cells_dec(t, done, 1);
	cells_put(t, " of ");
	cells_dec(t, total, 1);
	if (done && head.tsc_hz) {
		cells_put(t, ", ");
		cells_time(t, seconds * (total - done) / done);
		cells_put(t, " to go");
	}
	put_running(t);
	show(HEAD_PROGRESS);
}

void head_stoppable(const char *hint)
{
	if (head.stops == hint)
		return;
	head.stops = hint;
	show_progress();
}

static void on_plan(const struct record *r)
{
	head.total = record_number(r, "benches");
	head.start = x86_rdtsc();
	show_progress();
}

/* The record tells how many are finished, and which one is running. */
static void on_progress(const struct record *r)
{
	head.done = record_number(r, "done");
	record_get(r, "bench", head.running, sizeof(head.running));
	show_progress();
}

/* Counts the benchmark of the record, once: it may have several records. */
static void on_bench(const struct record *r)
{
	char bench[VALUE];

	if (!record_get(r, "bench", bench, sizeof(bench)) || !strcmp(bench, head.last))
		return;
	memcpy(head.last, bench, sizeof(bench));
	memcpy(head.running, bench, sizeof(bench));
	head.done++;
	show_progress();
}

/* The first record of a benchmark has the spread that the table shows. */
static void on_result(const struct record *r)
{
	if (!is_value(r, "bench", head.last) ||
	    (!record_number(r, "group") && !record_number(r, "part"))) {
		const struct figures f = figures_of(r, &head.summary.clock);

		head.wide += !f.exact && f.percent.known && f.percent.hundredths > FIGURE_WIDE;
	}
	on_bench(r);
}

static void on_skip(const struct record *r)
{
	if (head.total)
		on_bench(r);
}

static void on_warn(const struct record *r)
{
	head.warnings++;
	if (is_value(r, "what", "save")) {
		head.save_failed |= head.asked;
		head.saves &= !head.save_failed;
		show_program();
	}
	on_bench(r);
}

static void on_error(const struct record *r)
{
	head.errors++;
	on_bench(r);
}

static void on_withdrawn(const struct record *r)
{
	head.withdrawn = true;
	show_counters();
	on_bench(r);
}

static void put_number(struct cells *t, enum screen_color color, uint64_t n, const char *one)
{
	if (!n)
		return;
	t->pen = color;
	cells_put(t, ", ");
	cells_dec(t, n, 1);
	cells_put(t, one);
	cells_put(t, n > 1 ? "s" : "");
	t->pen = SCREEN_TEXT;
}

static void on_done(const struct record *r)
{
	struct cells *t = &head.rows[HEAD_PROGRESS];

	cells_clear(t);
	cells_put(t, "done, ");
	t->pen = is_value(r, "status", "ok")        ? SCREEN_GOOD
	         : is_value(r, "status", "stopped") ? SCREEN_WARN
	                                            : SCREEN_BAD;
	cells_value(t, "status ", r, "status");
	t->pen = SCREEN_TEXT;
	cells_put(t, ", ");
	if (head.runs > 1) { /* the table has the runs before it as well */
		cells_put(t, "run ");
		cells_dec(t, head.runs, 1);
		cells_put(t, ": ");
	}
	cells_dec(t, head.done, 1);
	cells_put(t, " of ");
	cells_dec(t, head.total, 1);
	cells_put(t, " benchmarks in ");
	cells_time(t, head.total ? seconds_since_plan() : 0);
	put_number(t, SCREEN_WARN, head.wide, " wide spread");
	put_number(t, SCREEN_WARN, head.warnings, " warning");
	put_number(t, SCREEN_BAD, head.errors, " error");
	show(HEAD_PROGRESS);
}

/* clang-format off */
static const struct {
	const char *kind;
	void (*take)(const struct record *r);
} kinds[] = {
	{ "result",    on_result },
	{ "ports",     on_bench },
	{ "datasheet", on_bench },
	{ "geometry",  on_bench },
	{ "series",    on_bench },
	{ "trap",      on_bench },
	{ "timeout",   on_bench },
	{ "skip",      on_skip },
	{ "progress",  on_progress },
	{ "warn",      on_warn },
	{ "error",     on_error },
	{ "cpl0",      on_program },
	{ "boot",      on_boot },
	{ "console",   on_console },
	{ "save",      on_save },
	{ "cpu",       on_cpu },
	{ "cache",     on_cache },
	{ "memory",    on_memory },
	{ "clock",     on_clock },
	{ "pmu",       on_pmu },
	{ "chain",     on_chain },
	{ "check",     on_check },
	{ "withdrawn", on_withdrawn },
	{ "plan",      on_plan },
	{ "done",      on_done },
};
/* clang-format on */

void head_open(struct screen *s)
{
	memset(&head, 0, sizeof(head));
	head.screen = s;
	for (enum head_row row = 0; row < HEAD_ROWS; row++)
		show(row);
}

static void show_summary(void)
{
	if (!head.screen)
		return;
	summary_latency(&head.summary, &head.rows[HEAD_LATENCY], head.screen->columns);
	summary_rates(&head.summary, &head.rows[HEAD_RATES]);
	summary_arithmetic(&head.summary, &head.rows[HEAD_ARITHMETIC]);
	show(HEAD_LATENCY);
	show(HEAD_RATES);
	show(HEAD_ARITHMETIC);
}

void head_take(const struct record *r)
{
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (record_is(r, kinds[i].kind))
			kinds[i].take(r);
	summary_take(&head.summary, r);
	if (record_is(r, "result"))
		show_summary();
}
