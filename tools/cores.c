/*
 * What cpl0-log show says of several CPUs: where they sit, and what passes between them.
 */
#include "tools/result/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/result/figures.h"

enum { MATRIX = 24 }; /* more CPUs than that do not fit beside each other */

struct cpu {
	uint64_t number, place[5]; /* package, die, module, core, thread */
	char type[8];
};

struct pair {
	uint64_t a, b;
	uint64_t lines;        /* that were handed over; the way is that of the one in the middle */
	double way, low, high; /* ns or ticks */
	double near, far;      /* the way of the fastest and of the slowest line */
};

/* The numbers of the CPUs in pairs, each once and in order. */
struct numbers {
	uint64_t *v;
	size_t n;
};

static const char *const PLACE[] = { "package", "die", "module", "core", "thread" };
enum { PLACES = 5, CORE = 3 };

static const struct record *of_kind(const struct log *log, size_t line, const char *kind)
{
	const struct line *l = &log->lines[line];

	return line_is_whole(l) && span_is(l->rec.kind, kind) ? &l->rec : NULL;
}

/* Topology */

static int by_place(const void *a, const void *b)
{
	const struct cpu *x = a, *y = b;

	for (int i = 0; i < PLACES; i++)
		if (x->place[i] != y->place[i])
			return x->place[i] < y->place[i] ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The first level at which two CPUs part. */
static int parted(const struct cpu *a, const struct cpu *b)
{
	int level = 0;

	while (level < PLACES && a->place[level] == b->place[level])
		level++;
	return level;
}

static struct cpu *ready_cpus(const struct log *log, const struct run *run, size_t *n)
{
	struct cpu *list = NULL;

	*n = 0;
	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = of_kind(log, i, "cpu_entry");
		struct cpu cpu = { 0 };

		if (!r || !record_dec(r, "cpu", &cpu.number) || !record_field(r, "core"))
			continue;
		for (int k = 0; k < PLACES; k++)
			record_dec(r, PLACE[k], &cpu.place[k]);
		record_text(r, "type", cpu.type, sizeof(cpu.type));
		list = grow(list, *n, sizeof(*list));
		list[(*n)++] = cpu;
	}
	if (*n)
		qsort(list, *n, sizeof(*list), by_place);
	return list;
}

static const char *type_name(const char *type)
{
	return !strcmp(type, "0x20") ? " E" : !strcmp(type, "0x40") ? " P" : "";
}

/* Is there a module with two cores? In order of their places, its cores are neighbours. */
static bool modules_matter(const struct cpu *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (parted(&list[i - 1], &list[i]) == CORE)
			return true;
	return false;
}

/* A line for each module, or package and die; a core with its CPUs in parentheses. */
static void print_topology(const struct log *log, const struct run *run, FILE *out)
{
	size_t n;
	struct cpu *list = ready_cpus(log, run, &n);
	bool modules = modules_matter(list, n);

	if (n)
		fputs("  Where the CPUs sit: core (CPUs)", out);
	for (size_t i = 0; i < n; i++) {
		int level = i ? parted(&list[i - 1], &list[i]) : 0;
		bool line = level < CORE - !modules;

		if (i && level <= CORE)
			putc(')', out);
		if (line)
			fprintf(out, "\n  package %" PRIu64 ", die %" PRIu64, list[i].place[0],
			        list[i].place[1]);
		if (line && modules)
			fprintf(out, ", module %" PRIu64, list[i].place[2]);
		if (line)
			putc(':', out);
		if (level <= CORE)
			fprintf(out, " %" PRIu64 "%s (", list[i].place[CORE],
			        type_name(list[i].type));
		else
			putc(' ', out);
		fprintf(out, "%" PRIu64, list[i].number);
	}
	if (n)
		fputs(")\n\n", out);
	release(list);
}

/* Pairs */

static double milli(const struct record *r, const char *key, double otherwise)
{
	const struct field *f = record_field(r, key);
	int64_t v;

	return f && field_milli(f, &v) ? (double)v / 1000 : otherwise;
}

static struct pair *read_pairs(const struct log *log, const struct run *run,
                               const struct machine *m, size_t *n)
{
	struct pair *list = NULL;

	*n = 0;
	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = of_kind(log, i, "pair");
		struct pair p;

		if (!r || !record_dec(r, "a", &p.a) || !record_dec(r, "b", &p.b))
			continue;
		p.way = figure_record_time(m, r, "tsc", 0);
		p.low = figure_record_time(m, r, "tsc.low", p.way);
		p.high = figure_record_time(m, r, "tsc.high", p.way);
		p.near = figure_record_time(m, r, "line.low", p.way);
		p.far = figure_record_time(m, r, "line.high", p.way);
		if (!record_dec(r, "lines", &p.lines))
			p.lines = 1;
		list = grow(list, *n, sizeof(*list));
		list[(*n)++] = p;
	}
	return list;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static struct numbers numbers_of(const struct pair *pair, size_t n)
{
	struct numbers all = { .v = allocate(2 * n * sizeof(*all.v)) };
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		all.v[2 * i] = pair[i].a;
		all.v[2 * i + 1] = pair[i].b;
	}
	qsort(all.v, 2 * n, sizeof(*all.v), by_number);
	for (size_t i = 0; i < 2 * n; i++)
		if (!kept || all.v[kept - 1] != all.v[i])
			all.v[kept++] = all.v[i];
	all.n = kept;
	return all;
}

static const struct pair *find_pair(const struct pair *pair, size_t n, uint64_t a, uint64_t b)
{
	for (size_t i = 0; i < n; i++)
		if ((pair[i].a == a && pair[i].b == b) || (pair[i].a == b && pair[i].b == a))
			return &pair[i];
	return NULL;
}

static void print_matrix(const struct pair *pair, size_t n, const struct numbers *cpus, FILE *out)
{
	fputs("\n    CPU", out);
	for (size_t i = 0; i + 1 < cpus->n; i++)
		fprintf(out, "  %6" PRIu64, cpus->v[i]);
	for (size_t i = 1; i < cpus->n; i++) {
		fprintf(out, "\n  %5" PRIu64, cpus->v[i]);
		for (size_t k = 0; k < i; k++) {
			const struct pair *p = find_pair(pair, n, cpus->v[i], cpus->v[k]);

			if (p)
				fprintf(out, "  %6.1f", p->way);
			else
				fprintf(out, "  %6s", "-");
		}
	}
	putc('\n', out);
}

static int by_way(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return (x->way > y->way) - (x->way < y->way);
}

static void print_extremes(struct pair *pair, size_t n, const char *unit, FILE *out)
{
	const struct pair *first, *last;
	double widest = 0;

	for (size_t i = 0; i < n; i++)
		if (pair[i].way > 0 && (pair[i].high - pair[i].low) / pair[i].way > widest)
			widest = (pair[i].high - pair[i].low) / pair[i].way;
	qsort(pair, n, sizeof(*pair), by_way);
	first = &pair[0];
	last = &pair[n - 1];
	fprintf(out, "  pairs %zu: fastest %.1f (%" PRIu64 ", %" PRIu64 ")", n, first->way,
	        first->a, first->b);
	fprintf(out, ", median %.1f, slowest %.1f %s (%" PRIu64 ", %" PRIu64 ")",
	        pair[(n - 1) / 2].way, last->way, unit, last->a, last->b);
	fprintf(out, "; spread at most %.1f %%\n", 100 * widest);
}

/* How much it matters which line goes to and fro: it has a home in some slice, at some node. */
static void print_lines(const struct pair *pair, size_t n, const char *unit, FILE *out)
{
	const struct pair *widest = &pair[0];

	for (size_t i = 1; i < n; i++)
		if (pair[i].far - pair[i].near > widest->far - widest->near)
			widest = &pair[i];
	if (widest->lines > 1)
		fprintf(out,
		        "  lines %" PRIu64 ": the widest range is %.1f to %.1f %s (%" PRIu64
		        ", %" PRIu64 ")\n",
		        widest->lines, widest->near, widest->far, unit, widest->a, widest->b);
}

static bool print_pairs(const struct log *log, const struct run *run, const struct machine *m,
                        FILE *out)
{
	const char *unit = figure_record_unit(m);
	size_t n;
	struct pair *pair = read_pairs(log, run, m, &n);
	struct numbers cpus;

	if (!n)
		return false;
	cpus = numbers_of(pair, n);
	fprintf(out, "  From CPU to CPU, %s a way", unit);
	if (cpus.n <= MATRIX)
		print_matrix(pair, n, &cpus, out);
	else
		fprintf(out, ": %zu CPUs, which cpl0-log report draws\n", cpus.n);
	print_extremes(pair, n, unit, out);
	print_lines(pair, n, unit, out);
	putc('\n', out);
	release(cpus.v);
	release(pair);
	return true;
}

/* In as many columns at least. */
static void print_name(const char *name, size_t columns, FILE *out)
{
	size_t n = strlen(name);

	fputs("  ", out);
	print_text(out, name, n);
	for (; n < columns; n++)
		putc(' ', out);
}

/* Litmus tests */

/* Of the same test, or its control, as the line before? */
static bool goes_on(const struct record *r, const struct record *before)
{
	char one[64], other[64];

	record_text(r, "bench", one, sizeof(one));
	record_text(before, "bench", other, sizeof(other));
	return !strcmp(one, other) &&
	       !record_field(r, "control") == !record_field(before, "control");
}

static void print_outcome(const struct record *r, const struct show_options *how, FILE *out)
{
	uint64_t count = 0, forbidden = 0;
	char outcome[16];

	record_text(r, "outcome", outcome, sizeof(outcome));
	record_dec(r, "count", &count);
	record_dec(r, "forbidden", &forbidden);
	fputs("  ", out);
	print_text(out, outcome, strlen(outcome));
	if (!forbidden)
		fprintf(out, ": %" PRIu64, count);
	else if (!count)
		fputs(": never", out);
	else
		fprintf(out, ": %s%" PRIu64 " FORBIDDEN%s", colour(how->colour, BAD), count,
		        colour(how->colour, PLAIN));
}

static bool print_litmus(const struct log *log, const struct run *run,
                         const struct show_options *how, FILE *out)
{
	const struct record *before = NULL;

	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = of_kind(log, i, "litmus");
		char bench[64];
		uint64_t rounds = 0;

		if (!r)
			continue;
		record_text(r, "bench", bench, sizeof(bench));
		if (!globs_match(&how->benches, bench))
			continue;
		if (!before)
			fprintf(out, "  %-26s %9s  outcome: rounds, or never: forbidden",
			        "litmus test", "rounds");
		if (!before || !goes_on(r, before)) {
			if (record_field(r, "control"))
				strncat(bench, ", control", sizeof(bench) - strlen(bench) - 1);
			record_dec(r, "rounds", &rounds);
			putc('\n', out);
			print_name(bench, 26, out);
			fprintf(out, " %9" PRIu64, rounds);
		}
		print_outcome(r, how, out);
		before = r;
	}
	if (before)
		fputs("\n\n", out);
	return before;
}

/* threads= */

static bool has(const struct record *r, const char *key, const char *value)
{
	const struct field *f = record_field(r, key);

	return f && span_is(f->raw, value);
}

static bool agree(const struct record *a, const struct record *b, const char *key)
{
	const struct field *x = record_field(a, key), *y = record_field(b, key);

	return x && y ? x->raw.n == y->raw.n && !memcmp(x->raw.p, y->raw.p, x->raw.n) : !x && !y;
}

/* What the same CPU or CPUs did alone: `key` of the last such record before `line`, or 0. */
static double alone(const struct log *log, const struct run *run, size_t line, const char *key)
{
	const struct record *r = &log->lines[line].rec;

	for (size_t i = line; i-- > run->first;) {
		const struct record *b = &log->lines[i].rec;

		if (line_is_whole(&log->lines[i]) && agree(b, r, "bench") && agree(b, r, "with") &&
		    agree(b, r, "cpu") && agree(b, r, "group") && has(b, "run", "alone"))
			return milli(b, key, 0);
	}
	return 0;
}

/* A row for each CPU, then a row for all of them. */
static void print_thread(const struct log *log, const struct run *run, size_t line, FILE *out)
{
	const struct record *r = &log->lines[line].rec;
	bool sum = span_is(r->kind, "threads");
	const char *key = sum ? "ops" : "tsc";
	char bench[128], with[64], cpu[32];

	record_text(r, "bench", bench, 64);
	if (record_text(r, "with", with, sizeof(with)))
		strcat(strcat(bench, "+"), with);
	record_text(r, sum ? "mode" : "cpu", cpu, sizeof(cpu));
	for (char *p = cpu; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	print_name(bench, 28, out);
	fprintf(out, "  %6s  %8.3f  %8.3f", cpu, alone(log, run, line, key), milli(r, key, 0));
	if (sum)
		fprintf(out, "  operations a tick; speedup %.3f, busy %.3f", milli(r, "speedup", 0),
		        milli(r, "busy", 0));
	putc('\n', out);
}

static bool print_threads(const struct log *log, const struct run *run,
                          const struct show_options *how, FILE *out)
{
	bool any = false;

	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;
		char bench[64];

		if (!line_is_whole(&log->lines[i]) || !has(r, "run", "together") ||
		    !has(r, "group", "0"))
			continue;
		record_text(r, "bench", bench, sizeof(bench));
		if (!globs_match(&how->benches, bench))
			continue;
		if (!any)
			fprintf(out, "  %-28s  %6s  %8s  %8s  ticks a copy\n",
			        "several CPUs at once", "CPU", "alone", "together");
		any = true;
		print_thread(log, run, i, out);
	}
	if (any)
		putc('\n', out);
	return any;
}

bool cores_print(const struct log *log, const struct run *run, const struct machine *m,
                 const struct show_options *how, FILE *out)
{
	bool pairs = globs_match(&how->benches, "sharing.pairs");

	if (!how->benches.n)
		print_topology(log, run, out);
	pairs = pairs && print_pairs(log, run, m, out);
	pairs |= print_threads(log, run, how, out);
	return print_litmus(log, run, how, out) || pairs;
}
