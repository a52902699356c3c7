/* The summary of a run (tools/result/summary.h). */
#include "tools/result/summary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/result/figures.h"

enum { LEVELS = 4 };

struct summary {
	const struct machine *m;
	const struct results *rs;
	unsigned number;
	FILE *out;
	uint64_t level[LEVELS]; /* bytes of L1, L2 ...; 0: not known */
	bool begun;             /* the line has a figure */
	char marks[8];          /* of the results of the line, each once */
};

/* A `geometry` that measured another size than the CPU tells, or tells none. */
static void read_measured(struct summary *s, const struct record *r)
{
	static const char name[] = "geometry.l";
	char bench[32] = "", verdict[16] = "";
	uint64_t bytes;
	int level;

	record_text(r, "bench", bench, sizeof(bench));
	record_text(r, "verdict", verdict, sizeof(verdict));
	if (strncmp(bench, name, sizeof(name) - 1) ||
	    (strcmp(verdict, "differs") && strcmp(verdict, "untold")))
		return;
	level = bench[sizeof(name) - 1] - '0';
	if (level > 0 && level <= LEVELS &&
	    (record_dec(r, "size", &bytes) || record_dec(r, "fits", &bytes)))
		s->level[level - 1] = bytes;
}

static void read_levels(struct summary *s, const struct log *log, const struct run *run)
{
	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;
		char type[16] = "";
		uint64_t level;

		if (line_is_whole(&log->lines[i]) && span_is(r->kind, "geometry"))
			read_measured(s, r);
		if (!line_is_whole(&log->lines[i]) || !span_is(r->kind, "cache") ||
		    !record_dec(r, "level", &level) || !level || level > LEVELS)
			continue;
		record_text(r, "type", type, sizeof(type));
		if (!strcmp(type, "data") || !strcmp(type, "unified"))
			record_dec(r, "size", &s->level[level - 1]);
	}
}

/* `title` before the first figure of a line, a comma before the others. */
static void begin(struct summary *s, const char *title)
{
	fprintf(s->out, s->begun ? "," : "  %s", title);
	s->begun = true;
}

/* In the order in which figure_marks() has them. */
static void print_marks(const struct summary *s)
{
	if (*s->marks)
		putc(' ', s->out);
	for (const char *p = "ihmsw"; *p; p++)
		if (strchr(s->marks, *p))
			putc(*p, s->out);
	putc('\n', s->out);
}

/* A line ends with the marks of its results. */
static void end(struct summary *s)
{
	if (s->begun)
		print_marks(s);
	s->begun = false;
	memset(s->marks, 0, sizeof(s->marks));
}

/* The line has a figure of the result. `<` stands before the figure itself. */
static void add_marks(struct summary *s, const struct result *r)
{
	char marks[8];

	figure_marks(s->m, r, marks);
	for (const char *p = marks; *p; p++)
		if (*p != '<' && !strchr(s->marks, *p))
			s->marks[strlen(s->marks)] = *p;
}

/* Of this run, and no result of code at CPL 3. */
static bool is_counted(const struct summary *s, const struct result *r)
{
	return r->run == s->number && strcmp(r->cpl, "3") != 0;
}

/* Of the first result with that name; unknown: there is none. */
static struct figure figure_by_name(struct summary *s, const char *bench, enum figure_kind kind)
{
	for (size_t i = 0; i < s->rs->n; i++) {
		const struct result *r = &s->rs->row[i];

		if (is_counted(s, r) && !strcmp(r->bench, bench)) {
			struct figure f = figure_of(s->m, r, kind);

			if (f.known)
				add_marks(s, r);
			return f;
		}
	}
	return (struct figure){ 0 };
}

static void print_named(struct summary *s, const char *title, const char *name,
                        const struct figure *f)
{
	char text[FIGURE_TEXT];

	begin(s, title);
	fprintf(s->out, " %s %s", name, figure_text(f, text));
}

/* ---- Latencies ---- */

/* The bytes of an array that a benchmark is named after, latency.128k; 0: it names none. */
static uint64_t array_of(const char *bench)
{
	static const char prefix[] = "latency.", units[] = "kmg";
	const char *unit;
	uint64_t n;
	char *end;

	if (strncmp(bench, prefix, sizeof(prefix) - 1) != 0 || !isdigit(bench[sizeof(prefix) - 1]))
		return 0;
	n = strtoull(bench + sizeof(prefix) - 1, &end, 10);
	unit = *end && !end[1] ? strchr(units, *end) : NULL;
	return unit ? n << 10 * (unit - units + 1) : 0;
}

/* The array that fits well into the level, and into none below; NULL: none was measured. */
static const struct result *array_in(const struct summary *s, unsigned level)
{
	const uint64_t below = level ? s->level[level - 1] : 0;
	const struct result *best = NULL;

	for (unsigned i = 0; i < level; i++)
		if (!s->level[i])
			return NULL;
	for (size_t i = 0; i < s->rs->n; i++) {
		const struct result *r = &s->rs->row[i];
		const uint64_t bytes = array_of(r->bench);

		if (is_counted(s, r) && bytes > below && 2 * bytes <= s->level[level] &&
		    (!best || bytes > array_of(best->bench)))
			best = r;
	}
	return best;
}

static void print_latencies(struct summary *s)
{
	static const char *const names[LEVELS] = { "L1", "L2", "L3", "L4" };
	static const char title[] = "load latency, clocks:";
	struct figure memory = figure_by_name(s, "latency.memory", FIGURE_CLOCKS);
	struct figure ns = figure_by_name(s, "latency.memory", FIGURE_NS);
	char text[FIGURE_TEXT];

	for (unsigned i = 0; i < LEVELS; i++) {
		const struct result *r = array_in(s, i);
		struct figure f = { 0 };

		if (r)
			f = figure_of(s->m, r, FIGURE_CLOCKS);
		if (!f.known)
			continue;
		add_marks(s, r);
		print_named(s, title, names[i], &f);
	}
	if (memory.known)
		print_named(s, title, "memory", &memory);
	if (memory.known && ns.known)
		fprintf(s->out, " (%s ns)", figure_text(&ns, text));
	end(s);
}

/* ---- Rates and arithmetic ---- */

static bool is_memory(const char *bench)
{
	static const char suffix[] = ".memory";
	const size_t n = strlen(bench);

	return n > sizeof(suffix) && !strcmp(bench + n - (sizeof(suffix) - 1), suffix);
}

/*
 * The fastest move of memory whose name begins so, but none that passes by the caches. False: there
 * is none; *best may be unknown.
 */
static bool fastest(struct summary *s, const char *kind, struct figure *best)
{
	const struct result *from = NULL;
	bool moved = false;

	for (size_t i = 0; i < s->rs->n; i++) {
		const struct result *r = &s->rs->row[i];
		struct figure f;

		if (!is_counted(s, r) || strncmp(r->bench, kind, strlen(kind)) != 0 ||
		    !strncmp(r->bench + strlen(kind), "nt_", 3) || !is_memory(r->bench))
			continue;
		moved = true;
		f = figure_of(s->m, r, FIGURE_GB_PER_S);
		if (!f.known || (best->known && f.value <= best->value))
			continue;
		*best = f;
		from = r;
	}
	if (from)
		add_marks(s, from);
	return moved;
}

static void print_rates(struct summary *s)
{
	static const char *const names[] = { "read", "write", "copy" };
	static const char *const kinds[] = { "bandwidth.read_", "bandwidth.write_",
		                             "bandwidth.copy_" };

	for (unsigned i = 0; i < 3; i++) {
		struct figure f = { 0 };

		if (fastest(s, kinds[i], &f))
			print_named(s, "memory, GB/s:", names[i], &f);
	}
	end(s);
}

static void print_pair(struct summary *s, const char *name, const struct figure *latency,
                       const struct figure *throughput)
{
	char text[2][FIGURE_TEXT];

	if (!latency->known && !throughput->known)
		return;
	begin(s, "latency/throughput, clocks:");
	fprintf(s->out, " %s %s/%s", name, figure_text(latency, text[0]),
	        figure_text(throughput, text[1]));
}

static void print_arithmetic(struct summary *s)
{
	struct figure add = figure_by_name(s, "alu.add_latency", FIGURE_CLOCKS);
	struct figure adds = figure_by_name(s, "alu.add_throughput", FIGURE_CLOCKS);
	struct figure imul = figure_by_name(s, "alu.imul_latency", FIGURE_CLOCKS);
	struct figure imuls = figure_by_name(s, "instr.tp.imul_r32_r32", FIGURE_CLOCKS);

	if (!imul.known)
		imul = figure_by_name(s, "instr.lat.imul_r32_r32", FIGURE_CLOCKS);
	print_pair(s, "ADD", &add, &adds);
	print_pair(s, "IMUL", &imul, &imuls);
	end(s);
}

void summary_print(const struct log *log, const struct run *run, unsigned number,
                   const struct machine *m, const struct results *rs, FILE *out)
{
	struct summary s = { .m = m, .rs = rs, .number = number, .out = out };

	read_levels(&s, log, run);
	print_latencies(&s);
	print_rates(&s);
	print_arithmetic(&s);
}
