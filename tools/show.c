/* cpl0-log show: a log as people read it. */
#include "tools/commands.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "tools/alloc.h"
#include "tools/machine.h"
#include "tools/samples/samples.h"

enum { NAMED_EVENTS = 24 }; /* more columns than this are not read, but counted */

/* What all parts of the output of one run need. */
struct view {
	const struct log *log;
	const struct run *run;
	const struct show_options *how;
	const struct results *rs;
	unsigned number; /* of the run, from 1 */
	struct machine machine;
	FILE *out;
};

struct column {
	char name[80];
	bool counts; /* some row of the choice has another value than 0 */
};

struct columns {
	struct column *event;
	size_t n, shown;
	bool bytes; /* some row of the choice moves bytes */
	int width;  /* of the longest name of a benchmark */
	bool marked;
};

static const char *tint(const struct view *v, enum colour which)
{
	return colour(v->how->colour, which);
}

static bool chosen(const struct view *v, const struct result *r)
{
	return r->run == v->number && globs_match(&v->how->benches, r->bench);
}

/* Columns */

static bool is_event(const char *quantity)
{
	return strcmp(quantity, "tsc") && strcmp(quantity, "core");
}

static void add_event(struct columns *c, const struct quantity *q)
{
	size_t i = 0;

	while (i < c->n && strcmp(c->event[i].name, q->name))
		i++;
	if (i == c->n) {
		c->event = grow(c->event, c->n, sizeof(*c->event));
		c->event[c->n] = (struct column){ .counts = false };
		memcpy(c->event[c->n++].name, q->name, sizeof(q->name));
	}
	c->event[i].counts |= q->min || q->value || q->max;
}

static size_t choose_columns(const struct view *v, struct columns *c)
{
	size_t rows = 0;

	*c = (struct columns){ .width = 9 };
	for (size_t i = 0; i < v->rs->n; i++) {
		const struct result *r = &v->rs->row[i];
		int width = (int)strlen(r->bench) + (*r->cpl ? 5 : 0);

		if (!chosen(v, r))
			continue;
		rows++;
		c->bytes |= r->bytes > 0;
		if (c->width < width)
			c->width = width;
		for (size_t k = 0; k < r->n; k++)
			if (is_event(r->quantity[k].name) &&
			    (!v->how->events || !fnmatch(v->how->events, r->quantity[k].name, 0)))
				add_event(c, &r->quantity[k]);
	}
	for (size_t i = 0; i < c->n; i++)
		c->shown += c->event[i].counts;
	return rows;
}

/* Rows */

/* Eight columns wide, as many places as fit the magnitude; `<` stands before a bound. */
static void print_figure(FILE *out, const struct figure *f)
{
	char text[32];
	double v = f->below ? f->high : f->value;
	int places = v < 1000 && v > -1000 ? 2 : 0;

	if (!f->known) {
		fprintf(out, "  %9s", "-");
		return;
	}
	snprintf(text, sizeof(text), "%s%.*f", f->below ? "<" : "", places, v);
	fprintf(out, "  %9s", text);
}

static void print_bytes(FILE *out, const struct result *r, const struct figure *clocks,
                        const struct figure *ns)
{
	const struct figure *per[] = { clocks, ns };

	for (int i = 0; i < 2; i++) {
		struct figure rate = { .known = per[i]->known && !per[i]->below &&
			                        per[i]->value > 0 && r->bytes > 0 };

		if (rate.known)
			rate.value = (double)r->bytes / per[i]->value;
		print_figure(out, &rate);
	}
}

/* Instructions of an operation, and clocks of an instruction. */
static void print_insns(FILE *out, const struct result *r, const struct figure *clocks)
{
	struct figure insns = { .known = r->insns > 0 };
	struct figure each = { .known = insns.known && clocks->known, .below = clocks->below };

	insns.value = (double)r->insns / (double)r->copies / (double)r->ops;
	if (each.known) {
		each.value = clocks->value / insns.value;
		each.high = clocks->high / insns.value;
	}
	print_figure(out, &insns);
	print_figure(out, &each);
}

static void print_row(const struct view *v, struct columns *c, const struct result *r)
{
	struct figure clocks = figure_clocks(&v->machine, r), ns = figure_ns(&v->machine, r);
	struct figure time = clocks.known ? clocks : figure_of(r, "tsc");
	char name[80], marks[8];
	double spread = figure_spread(&time);

	snprintf(name, sizeof(name), "%s%s%s", r->bench, *r->cpl ? " cpl" : "", r->cpl);
	result_marks(r, &time, marks);
	c->marked |= *marks != 0;
	fputs("  ", v->out);
	fprintf(v->out, "%-*s", c->width, name);
	print_figure(v->out, &clocks);
	print_figure(v->out, &ns);
	if (spread < 0)
		fprintf(v->out, "  %7s", "-");
	else if (spread == 0)
		fprintf(v->out, "  %7s", "exact");
	else
		fprintf(v->out, "  %6.*f%%", spread < 1000 ? 1 : 0, spread);
	fprintf(v->out, " %s%-3s%s", tint(v, DOUBTFUL), marks, tint(v, PLAIN));
	print_insns(v->out, r, &clocks);
	if (c->bytes)
		print_bytes(v->out, r, &clocks, &ns);
	for (size_t i = 0; i < c->n && c->shown <= NAMED_EVENTS; i++) {
		struct figure event = figure_of(r, c->event[i].name);

		if (c->event[i].counts)
			print_figure(v->out, &event);
	}
	putc('\n', v->out);
}

static void print_heading(const struct view *v, const struct columns *c)
{
	unsigned number = 0;
	char label[24];

	fprintf(v->out, "\n%s  %-*s  %9s  %9s  %7s     %9s  %9s", tint(v, STRONG), c->width,
	        "benchmark", "clocks", "ns", "spread", "insns", "clk/insn");
	if (c->bytes)
		fprintf(v->out, "  %9s  %9s", "B/clock", "GB/s");
	for (size_t i = 0; i < c->shown && c->shown <= NAMED_EVENTS; i++) {
		snprintf(label, sizeof(label), "[%u]", ++number);
		fprintf(v->out, "  %9s", label);
	}
	fprintf(v->out, "%s\n", tint(v, PLAIN));
}

static void print_legend(const struct view *v, const struct columns *c)
{
	unsigned number = 0;
	size_t zero = 0;

	fputs("  All figures are medians per operation; half of the samples lie in the spread.\n",
	      v->out);
	if (c->bytes)
		fputs("  bandwidth.*, sharing.*: an operation with B/clock is 64 bytes.\n", v->out);
	if (c->marked)
		fprintf(v->out, "  Marks behind the spread:\n%s", RESULT_MARKS);
	if (c->shown > NAMED_EVENTS)
		fprintf(v->out, "  %zu events counted: choose some with --events GLOB\n", c->shown);
	for (size_t i = 0; i < c->n && c->shown <= NAMED_EVENTS; i++) {
		if (!c->event[i].counts) {
			zero++;
			continue;
		}
		fprintf(v->out, "  [%u] ", ++number);
		print_text(v->out, c->event[i].name, strlen(c->event[i].name));
		putc('\n', v->out);
	}
	if (zero && c->shown <= NAMED_EVENTS) {
		fputs("  always 0:", v->out);
		for (size_t i = 0; i < c->n; i++)
			if (!c->event[i].counts) {
				putc(' ', v->out);
				print_text(v->out, c->event[i].name, strlen(c->event[i].name));
			}
		putc('\n', v->out);
	}
	putc('\n', v->out);
}

/* False if the run has no result, or none of the choice. */
static bool print_results(const struct view *v)
{
	struct columns c;
	size_t rows = choose_columns(v, &c);

	if (rows) {
		print_heading(v, &c);
		for (size_t i = 0; i < v->rs->n; i++)
			if (chosen(v, &v->rs->row[i]))
				print_row(v, &c, &v->rs->row[i]);
		print_legend(v, &c);
	}
	release(c.event);
	return rows > 0;
}

/* The other records */

static bool is_of_kind(const struct line *line, const char *kind)
{
	return line_is_whole(line) && span_is(line->rec.kind, kind);
}

/* Of records with the key `bench`, those of the choice. */
static bool is_about_chosen(const struct view *v, const struct record *r)
{
	char bench[64];

	return !record_text(r, "bench", bench, sizeof(bench)) ||
	       globs_match(&v->how->benches, bench);
}

static size_t print_kind(const struct view *v, const char *kind, enum colour which)
{
	size_t n = 0;

	for (size_t i = v->run->first; i < v->run->end; i++) {
		const struct line *line = &v->log->lines[i];

		if (!is_of_kind(line, kind) || !is_about_chosen(v, &line->rec))
			continue;
		fputs(tint(v, which), v->out);
		print_record(v->out, &line->rec);
		fputs(tint(v, PLAIN), v->out);
		n++;
	}
	return n;
}

/* Records with the good verdict are counted, the others printed. */
static void print_verdicts(const struct view *v, const char *kind, const char *good)
{
	size_t n = 0;

	for (size_t i = v->run->first; i < v->run->end; i++) {
		const struct line *line = &v->log->lines[i];
		const struct field *f;

		if (!is_of_kind(line, kind) || !is_about_chosen(v, &line->rec))
			continue;
		f = record_field(&line->rec, "verdict");
		if (f && span_is(f->raw, good)) {
			n++;
			continue;
		}
		fputs(tint(v, BAD), v->out);
		print_record(v->out, &line->rec);
		fputs(tint(v, PLAIN), v->out);
	}
	if (n)
		fprintf(v->out, "  %-10s %s%zu %s%s\n", kind, tint(v, GOOD), n, good,
		        tint(v, PLAIN));
}

/* Which benchmarks were skipped, counted by the reason. */
static void print_skips(const struct view *v)
{
	char why[128], other[128];

	for (size_t i = v->run->first; i < v->run->end; i++) {
		const struct line *line = &v->log->lines[i];
		size_t n = 0;
		bool told = false;

		if (!is_of_kind(line, "skip") || !is_about_chosen(v, &line->rec))
			continue;
		record_text(&line->rec, "why", why, sizeof(why));
		for (size_t k = v->run->first; k < v->run->end; k++) {
			if (!is_of_kind(&v->log->lines[k], "skip"))
				continue;
			record_text(&v->log->lines[k].rec, "why", other, sizeof(other));
			if (strcmp(why, other) || !is_about_chosen(v, &v->log->lines[k].rec))
				continue;
			told |= k < i;
			n++;
		}
		if (told)
			continue;
		fprintf(v->out, "  %-10s %zu: ", "skip", n);
		print_text(v->out, why, strlen(why));
		putc('\n', v->out);
	}
}

/* Everything that the log says of the machine, record by record. */
static void print_machine_records(const struct view *v)
{
	static const char *const kinds[] = {
		"cpl0",    "boot",  "cmdline",    "console", "cpu",       "features",
		"cache",   "tlb",   "topology",   "cpus",    "cpu_entry", "arch_pmu",
		"amd_pmu", "quiet", "memory",     "clock",   "process",   "watchdog",
		"guard",   "usb",   "conditions", "arena",   "module",    "pmu",
		"counter", "event", "groups",     "cost",    "plan",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		print_kind(v, kinds[i], PLAIN);
}

static void print_head(const struct view *v)
{
	const struct machine *m = &v->machine;

	fprintf(v->out, "run %zu of %zu: %s", (size_t)v->number, v->log->nruns, tint(v, STRONG));
	print_text(v->out, m->name, strlen(m->name));
	fputs(tint(v, PLAIN), v->out);
	if (m->tsc_hz)
		fprintf(v->out, ", TSC %.2f MHz", (double)m->tsc_hz / 1e6);
	if (m->core_per_tsc)
		fprintf(v->out, ", %.3f core clocks a tick", (double)m->core_per_tsc / 1000);
	fputs("\n  cpl0 ", v->out);
	print_text(v->out, m->version, strlen(m->version));
	fputs(", counters ", v->out);
	print_text(v->out, m->pmu, strlen(m->pmu));
	fprintf(v->out, ", %u bit; lines %u to %u, %zu records", m->bits,
	        v->log->lines[v->run->first].number, v->log->lines[v->run->end - 1].number,
	        v->run->records);
	if (!v->run->intact)
		fprintf(v->out, "; %sDAMAGED (cpl0-log check says where)%s", tint(v, BAD),
		        tint(v, PLAIN));
	putc('\n', v->out);
	if (m->emulated)
		fprintf(v->out, "  %sEMULATED: %s%s\n", tint(v, DOUBTFUL), m->emulated,
		        tint(v, PLAIN));
}

static void print_run(const struct view *v)
{
	static const char *const remarks[] = { "warn", "error", "trap", "timeout" };
	bool found;

	print_head(v);
	found = print_results(v) || list_print(v->log, v->run, &v->how->benches, v->out);
	if (!cores_print(v->log, v->run, &v->machine, v->how, v->out) && !found &&
	    v->how->benches.n)
		fputs("  no result has such a name\n", v->out);
	print_verdicts(v, "check", "exact");
	print_verdicts(v, "expect", "match");
	samples_print(v->log, v->run, &v->how->benches, v->machine.bits, v->out);
	print_kind(v, "ports", PLAIN);
	print_kind(v, "geometry", PLAIN);
	print_kind(v, "series", PLAIN);
	print_skips(v);
	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
		print_kind(v, remarks[i], BAD);
	if (v->how->machine)
		print_machine_records(v);
	if (!print_kind(v, "done", PLAIN))
		fputs("  NOT FINISHED: no `done` record\n", v->out);
}

void show_print(const struct log *log, const struct show_options *how, FILE *out)
{
	struct results rs;

	results_read(&rs, log);
	for (size_t i = 0; i < log->nruns; i++) {
		struct view v = { .log = log,
			          .run = &log->runs[i],
			          .how = how,
			          .rs = &rs,
			          .number = (unsigned)i + 1,
			          .out = out };

		machine_read(&v.machine, log, v.run);
		print_run(&v);
	}
	if (!log->nruns)
		fprintf(out, "%s: no record of cpl0 in it\n", log->name);
	results_free(&rs);
}
