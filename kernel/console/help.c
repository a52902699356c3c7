/*
 * The screen explains itself (kernel/console/help.h). A row has at most 80 columns.
 */
#include "kernel/console/help.h"
#include "kernel/lib/string.h"

/* clang-format off */
static const struct {
	enum screen_color color;
	const char *text;
} rows[] = {
	{ SCREEN_TITLE, "The results" },
	{ SCREEN_TEXT,  "clocks   of the core, for one operation: the median of all samples" },
	{ SCREEN_TEXT,  "ns       nanoseconds for it" },
	{ SCREEN_TEXT,  "GB/s     10^9 bytes a second, where it moves bytes" },
	{ SCREEN_TEXT,  "latency  clocks for one of a chain; tp: throughput, for one of many" },
	{ SCREEN_TEXT,  "L1 ...   the smallest cache that has room for what is loaded or moved" },
	{ SCREEN_TEXT,  "spread   half of the samples lie so near each other, in % of the median" },
	{ SCREEN_GOOD,  "exact    all samples were equal" },
	{ SCREEN_TEXT,  "<1.50    not told apart from nothing, and less than this" },
	{ SCREEN_TEXT,  "-        the log does not tell" },
	{ SCREEN_TITLE, "[1] [2]  events=: counts for one operation; a row above has the names" },
	{ SCREEN_TITLE, "#####    log scale: a mark for one clock, more a doubling; > is longer" },
	{ SCREEN_TEXT,  "cpl3     the code ran at this privilege level, as programs do" },
	{ SCREEN_WARN,  "differs  a source says something else of this CPU" },
	{ SCREEN_WARN,  "warn     something to know; the results stay good" },
	{ SCREEN_BAD,   "error, trap, timeout   something was not measured" },
	{ SCREEN_TITLE, "The first rows" },
	{ SCREEN_TEXT,  "log      where the log goes; on the medium it is the file CPL0.LOG" },
	{ SCREEN_TEXT,  "core     the core's clock, measured now; TSC: what RDTSC counts" },
	{ SCREEN_TEXT,  "proven   a counter keeps what is written, and counts a known loop right" },
	{ SCREEN_TEXT,  "checks   of events, on code whose counts are known" },
	{ SCREEN_TEXT,  "load latency  of the largest array that fills half of the level at most" },
	{ SCREEN_TEXT,  "memory   the fastest of each kind; ADD, IMUL: latency/throughput" },
	{ SCREEN_TITLE, "Keys" },
	{ SCREEN_TEXT,  "PgUp PgDn p space, arrows, Home End   move through the rows" },
	{ SCREEN_TEXT,  "/        show some only: a part of the name, or a glob with * and ?" },
	{ SCREEN_TEXT,  "d        details: all that was measured of a benchmark, or of some" },
	{ SCREEN_TEXT,  "e        events: what was counted, and what events=all would count" },
	{ SCREEN_TEXT,  "h        this page; the same key or Esc: back to the results" },
	{ SCREEN_TEXT,  "r        run: names, globs or arguments; list=arguments prints them" },
	{ SCREEN_TEXT,  "s        save the log to CPL0.LOG again" },
	{ SCREEN_TEXT,  "b o      restart, switch off; y says yes" },
};
/* clang-format on */

void help_write(struct screen *s)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s->pen = rows[i].color;
		screen_write(s, rows[i].text, strlen(rows[i].text));
		screen_write(s, "\n", 1);
	}
	s->pen = SCREEN_TEXT;
}
