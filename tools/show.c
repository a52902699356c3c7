/* cpl0-log show: a log as people read it. */
#include "tools/result/commands.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/result/figures.h"
#include "tools/isa/isa.h"
#include "tools/lib/output.h"
#include "tools/result/ports.h"
#include "tools/samples/samples.h"
#include "tools/result/summary.h"

enum {
	NAMED_EVENTS = 24, /* more columns than this are not read, but counted */
	FIGURE_COLUMN = 11,
	QUALITY_COLUMN = 14, /* spread and marks */
	SERIES_AT = 13,      /* column of the ticks of a series */
};

/* What all parts of the output of one run need. */
struct view {
	const struct log *log;
	const struct run *run;
	const struct show_options *how;
	const struct results *rs;
	const struct ports_list *ports;
	unsigned number; /* of the run, from 1 */
	struct machine machine;
	FILE *out;
};

struct column {
	char name[QUANTITY_NAME];
	bool counts; /* some row of the choice has another value than 0 */
};

struct columns {
	struct column *event;
	size_t n, shown;
	bool bytes;    /* some row of the choice moves bytes */
	size_t joined; /* rows of instructions of which more than one figure is chosen */
	size_t alone;  /* records of ports of forms that have no row */
	bool table;    /* all of an instruction stands in one row */
	bool ports;    /* a row of that table has ports */
	int isa;       /* width of the column of ISA sets, 0: there is none */
	int width;     /* of the longest name of a benchmark */
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

/* What is known of the ports of a row, if it is one of an instruction; or NULL. */
static const struct ports *ports_of(const struct view *v, const struct result *r)
{
	return ports_find(v->ports, v->number, r->form);
}

/* The throughput of a latency, or the other way round, if that is chosen as well. */
static const struct result *partner(const struct view *v, const struct result *r)
{
	const struct result *other = results_partner(v->rs, r);

	return other && chosen(v, other) ? other : NULL;
}

/* Columns */

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

/* By its own name, or by the one that it was asked for. */
static bool is_chosen_event(const struct view *v, const char *name)
{
	char alias[QUANTITY_NAME];

	if (!v->how->events || !fnmatch(v->how->events, name, 0))
		return true;
	event_alias(alias, sizeof(alias), v->log, v->run, name);
	return *alias && !fnmatch(v->how->events, alias, 0);
}

/* What --events does not choose goes. */
static void choose_events(const struct view *v, struct columns *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (is_chosen_event(v, c->event[i].name))
			c->event[n++] = c->event[i];
	c->n = n;
	for (size_t i = 0; i < c->n; i++)
		c->shown += c->event[i].counts;
}

/* Does more than this figure of its instruction stand in its row? */
static bool is_joined(const struct view *v, const struct result *r)
{
	return partner(v, r) || ports_of(v, r);
}

/* Is it a record of the run about a form of the choice that has no result? */
static bool is_alone(const struct view *v, const struct ports *p)
{
	if (p->run != v->number || !*p->form || !globs_match(&v->how->benches, p->bench) ||
	    ports_find(v->ports, v->number, p->form) != p)
		return false;
	for (size_t i = 0; i < v->rs->n; i++)
		if (chosen(v, &v->rs->row[i]) && !strcmp(v->rs->row[i].form, p->form))
			return false;
	return true;
}

/* Room for a name, the set and the ports of a form. */
static void widen(struct columns *c, const char *name, const char *form, int *ports,
                  const struct ports *p)
{
	char text[PORTS_TEXT];
	int isa = (int)strlen(isa_of(form)), width = (int)strlen(name);

	if (c->width < width)
		c->width = width;
	if (c->isa < isa)
		c->isa = isa;
	if (p && *ports < (int)strlen(ports_text(p, text)))
		*ports = (int)strlen(text);
}

/* Characters of a row of print_row() and of one of print_form(). */
static unsigned row_width(const struct columns *c)
{
	unsigned events = c->shown <= NAMED_EVENTS ? (unsigned)c->shown : 0;

	return 2 + (unsigned)c->width + FIGURE_COLUMN * (4 + 2 * c->bytes + events) +
	       QUALITY_COLUMN + (c->isa ? 2 + (unsigned)c->isa : 0);
}

static unsigned form_width(const struct columns *c, int ports)
{
	unsigned width = row_width(c) + FIGURE_COLUMN + QUALITY_COLUMN;

	if (!c->joined)
		width = 2 + (unsigned)(c->width + (c->isa ? 2 + c->isa : 0));
	return width + (ports ? FIGURE_COLUMN + 2 + (unsigned)ports : 0);
}

static size_t choose_columns(const struct view *v, struct columns *c)
{
	const unsigned most = v->how->width ? v->how->width : UINT_MAX;
	size_t rows = 0;
	int ports = 0;
	bool in_clocks = true;

	*c = (struct columns){ .width = 9 };
	for (size_t i = 0; i < v->rs->n; i++) {
		const struct result *r = &v->rs->row[i];
		int width = (int)strlen(r->bench) + (*r->cpl ? 5 : 0);

		if (!chosen(v, r))
			continue;
		rows++;
		c->joined += is_joined(v, r);
		widen(c, "", r->form, &ports, ports_of(v, r));
		in_clocks &= figure_of(&v->machine, r, FIGURE_CLOCKS).known;
		c->bytes |= r->bytes > 0;
		if (c->width < width)
			c->width = width;
		for (size_t k = 0; k < r->n; k++)
			if (quantity_is_event(r->quantity[k].name))
				add_event(c, &r->quantity[k]);
	}
	choose_events(v, c);
	for (size_t i = 0; i < v->ports->n; i++)
		if (is_alone(v, &v->ports->row[i])) {
			widen(c, v->ports->row[i].bench, v->ports->row[i].form, &ports,
			      &v->ports->row[i]);
			c->alone++;
		}
	c->ports = ports > 0;
	if ((rows && row_width(c) > most) || form_width(c, ports) > most)
		c->isa = 0;
	c->table = (c->joined || c->alone) && in_clocks && form_width(c, ports) <= most;
	return rows;
}

/* Rows */

static void print_figure(FILE *out, const struct figure *f)
{
	char text[FIGURE_TEXT];

	fprintf(out, " %10s", figure_text(f, text)); /* ten characters keep their column */
}

static void print_kind_of(const struct view *v, const struct result *r, enum figure_kind kind)
{
	static const struct figure unknown;
	struct figure f = r ? figure_of(&v->machine, r, kind) : unknown;

	print_figure(v->out, &f);
}

static void print_spread(FILE *out, const struct figure *time)
{
	double spread = figure_spread(time);

	if (figure_exact(time))
		fprintf(out, "  %7s", "exact");
	else if (spread < 0)
		fprintf(out, "  %7s", "-");
	else
		fprintf(out, "  %6.*f%%", spread < 1000 ? 1 : 0, spread);
}

static void print_name(const struct view *v, const struct columns *c, const char *what,
                       const struct result *r)
{
	char name[QUANTITY_NAME];

	snprintf(name, sizeof(name), "%s%s%s", what, r && *r->cpl ? " cpl" : "", r ? r->cpl : "");
	fprintf(v->out, "  %-*s", c->width, name);
}

/* How good the time is: spread and marks. */
static void print_quality(const struct view *v, struct columns *c, const struct result *r)
{
	struct figure time = { .known = false };
	char marks[8] = "";

	if (r) {
		time = figure_time(&v->machine, r);
		figure_marks(&v->machine, r, marks);
	}
	c->marked |= *marks != 0;
	print_spread(v->out, &time);
	fprintf(v->out, " %s%-4s%s", tint(v, DOUBTFUL), marks, tint(v, PLAIN));
}

/* All columns but the name and what belongs to a form; `r` may be NULL. */
static void print_figures(const struct view *v, struct columns *c, const struct result *r)
{
	print_kind_of(v, r, FIGURE_CLOCKS);
	print_kind_of(v, r, FIGURE_NS);
	print_quality(v, c, r);
	print_kind_of(v, r, FIGURE_INSNS);
	print_kind_of(v, r, FIGURE_CLOCKS_PER_INSN);
	if (c->bytes)
		print_kind_of(v, r, FIGURE_BYTES_PER_CLOCK);
	if (c->bytes)
		print_kind_of(v, r, FIGURE_GB_PER_S);
	for (size_t i = 0; i < c->n && c->shown <= NAMED_EVENTS; i++) {
		struct figure event = { .known = false };

		if (r)
			event = figure_quantity(r, c->event[i].name);
		if (c->event[i].counts)
			print_figure(v->out, &event);
	}
}

static void print_isa(const struct view *v, const struct columns *c, const char *form, int width)
{
	const char *set = isa_of(form);

	if (c->isa)
		fprintf(v->out, "  %-*s", width, *set ? set : "-");
}

static void print_row(const struct view *v, struct columns *c, const struct result *r)
{
	print_name(v, c, r->bench, r);
	print_figures(v, c, r);
	if (*r->form)
		print_isa(v, c, r->form, 0);
	putc('\n', v->out);
}

/* What the record `ports` has of a form, and from which run if that is another one. */
static void print_ports(const struct view *v, const struct columns *c, const struct ports *p)
{
	char text[PORTS_TEXT];

	if (!c->ports)
		return;
	if (p && p->counted)
		fprintf(v->out, "  %9" PRIu64 "  ", p->uops);
	else
		fprintf(v->out, "  %9s  ", "-");
	if (!p) {
		putc('-', v->out);
		return;
	}
	ports_text(p, text);
	print_text(v->out, text, strlen(text));
	if (p->run != v->number)
		fprintf(v->out, " (run %u)", p->run);
}

/* Of an instruction: its latency, all columns of its throughput, ports; or NULL for each. */
static void print_form(const struct view *v, struct columns *c, const struct result *latency,
                       const struct result *throughput, const struct ports *ports)
{
	const struct result *any = throughput ? throughput : latency;
	const char *form = any ? any->form : ports->form;

	print_name(v, c, bench_form_name(any ? any->bench : ports->bench), any);
	if (c->joined) {
		print_kind_of(v, latency, FIGURE_CLOCKS);
		print_quality(v, c, latency);
		print_figures(v, c, throughput);
	}
	print_isa(v, c, form, c->ports ? c->isa : 0);
	print_ports(v, c, ports);
	putc('\n', v->out);
}

static void print_title(const struct view *v, enum figure_kind kind)
{
	fprintf(v->out, "  %9s", FIGURE_NAMES[kind].title);
}

/* Titles of the columns of print_figures(), `first` for the clocks. */
static void print_titles(const struct view *v, const struct columns *c, const char *first)
{
	unsigned number = 0;
	char label[24];

	fprintf(v->out, "  %9s", first);
	print_title(v, FIGURE_NS);
	fprintf(v->out, "  %7s     ", "spread");
	print_title(v, FIGURE_INSNS);
	print_title(v, FIGURE_CLOCKS_PER_INSN);
	if (c->bytes)
		print_title(v, FIGURE_BYTES_PER_CLOCK);
	if (c->bytes)
		print_title(v, FIGURE_GB_PER_S);
	for (size_t i = 0; i < c->shown && c->shown <= NAMED_EVENTS; i++) {
		snprintf(label, sizeof(label), "[%u]", ++number);
		fprintf(v->out, "  %9s", label);
	}
}

/* `forms`: of the rows of print_form(). */
static void print_heading(const struct view *v, const struct columns *c, bool forms)
{
	fprintf(v->out, "\n%s  %-*s", tint(v, STRONG), c->width, forms ? "instr.*" : "benchmark");
	if (forms && c->joined)
		fprintf(v->out, "  %9s  %7s     ", "latency", "spread");
	if (!forms || c->joined)
		print_titles(v, c, forms ? "throughp." : FIGURE_NAMES[FIGURE_CLOCKS].title);
	if (c->isa)
		fprintf(v->out, "  %-*s", forms && c->ports ? c->isa : 0, "isa");
	if (forms && c->ports)
		fprintf(v->out, "  %9s  ports", "uops");
	fprintf(v->out, "%s\n", tint(v, PLAIN));
}

static void print_event(const struct view *v, const char *name)
{
	char title[2 * QUANTITY_NAME];

	event_title(title, sizeof(title), v->log, v->run, name);
	print_text(v->out, title, strlen(title));
}

static void print_legend(const struct view *v, const struct columns *c)
{
	unsigned number = 0;
	size_t zero = 0;

	fputs("  All figures are medians per operation; half of the samples lie in the spread.\n",
	      v->out);
	if (c->bytes)
		fputs("  bandwidth.*, sharing.*: an operation with B/clock is 64 bytes.\n", v->out);
	if (c->table && c->joined)
		fputs("  instr.*: latency and throughput in clocks; ns and counts are the "
		      "throughput's,\n  those of the latency: show LOG 'instr.lat.*'\n",
		      v->out);
	if (c->marked)
		fprintf(v->out, "  Marks behind the spread:\n%s", FIGURE_MARKS);
	if (v->how->events && !c->n)
		fputs("  no event has such a name\n", v->out);
	if (c->shown > NAMED_EVENTS)
		fprintf(v->out, "  %zu events counted: choose some with --events GLOB\n", c->shown);
	for (size_t i = 0; i < c->n && c->shown <= NAMED_EVENTS; i++) {
		if (!c->event[i].counts) {
			zero++;
			continue;
		}
		fprintf(v->out, "  [%u] ", ++number);
		print_event(v, c->event[i].name);
		putc('\n', v->out);
	}
	if (zero && c->shown <= NAMED_EVENTS) {
		fputs("  always 0:", v->out);
		for (size_t i = 0; i < c->n; i++)
			if (!c->event[i].counts) {
				putc(' ', v->out);
				print_event(v, c->event[i].name);
			}
		putc('\n', v->out);
	}
	putc('\n', v->out);
}

/* A row where the first of both figures stands, and then the forms with ports alone. */
static void print_forms(const struct view *v, struct columns *c)
{
	print_heading(v, c, true);
	for (size_t i = 0; i < v->rs->n; i++) {
		const struct result *r = &v->rs->row[i], *other = partner(v, r);
		bool latency = !strcmp(r->kind, "latency");

		if (!chosen(v, r) || !is_joined(v, r) || (other && other < r))
			continue;
		print_form(v, c, latency ? r : other, latency ? other : r, ports_of(v, r));
	}
	for (size_t i = 0; i < v->ports->n; i++)
		if (is_alone(v, &v->ports->row[i]))
			print_form(v, c, NULL, NULL, &v->ports->row[i]);
	if (!c->joined)
		putc('\n', v->out);
}

/* Are all fields of the record in a row of print_forms()? */
static bool is_in_table(const struct view *v, const struct columns *c, const struct ports *p)
{
	return c->table && *p->form && ports_find(v->ports, v->number, p->form) == p;
}

/* Records of ports that stand in no row. */
static void print_other_ports(const struct view *v, const struct columns *c)
{
	for (size_t i = 0; i < v->ports->n; i++) {
		const struct ports *p = &v->ports->row[i];

		if (p->run == v->number && globs_match(&v->how->benches, p->bench) &&
		    !is_in_table(v, c, p))
			print_record(v->out, &p->line->rec);
	}
}

/* False if the run has no result, or none of the choice. */
static bool print_results(const struct view *v, struct columns *c)
{
	size_t rows = choose_columns(v, c);

	if (rows > (c->table ? c->joined : 0))
		print_heading(v, c, false);
	for (size_t i = 0; i < v->rs->n; i++)
		if (chosen(v, &v->rs->row[i]) && !(c->table && is_joined(v, &v->rs->row[i])))
			print_row(v, c, &v->rs->row[i]);
	if (c->table)
		print_forms(v, c);
	if (rows)
		print_legend(v, c);
	return rows > 0 || c->table;
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

/* A word behind a blank; one that does not fit begins a line. */
static void print_word(const struct view *v, const char *word, unsigned *column)
{
	const unsigned n = (unsigned)strlen(word);

	if (v->how->width && *column + 1 + n > v->how->width)
		*column = (unsigned)fprintf(v->out, "\n%*s", SERIES_AT - 1, "") - 1;
	putc(' ', v->out);
	print_text(v->out, word, n);
	*column += 1 + n;
}

/* The ticks of a series, run by run. One that is not told apart from 0 is a bound. */
static void print_series_of(const struct view *v, const struct record *r)
{
	char title[256], text[128] = "", least[32] = "", key[32], below[34] = "<";
	const bool bound = record_text(r, "tsc.below", below + 1, sizeof(below) - 1);
	const bool warm = record_text(r, "cold", text, sizeof(text)) && !strcmp(text, "0");
	const bool repeated = record_text(r, "least_of", least, sizeof(least));
	const bool exits = record_text(r, "exits", text, sizeof(text)) && !strcmp(text, "1");
	unsigned column;

	record_text(r, "bench", text, sizeof(text));
	snprintf(title, sizeof(title), "%s, ticks of each run%s%s%s%s:", text,
	         warm ? "" : " from cold", repeated ? ", least of " : "", least,
	         exits ? ", with the exits of its code" : "");
	fprintf(v->out, "  %-10s ", "series");
	print_text(v->out, title, strlen(title));
	column = SERIES_AT + (unsigned)strlen(title);
	for (unsigned i = 1;
	     snprintf(key, sizeof(key), "tsc.%u", i) > 0 && record_text(r, key, text, sizeof(text));
	     i++)
		print_word(v, bound && !strcmp(text, "0") ? below : text, &column);
	putc('\n', v->out);
}

static void print_series(const struct view *v)
{
	for (size_t i = v->run->first; i < v->run->end; i++) {
		const struct line *line = &v->log->lines[i];

		if (is_of_kind(line, "series") && is_about_chosen(v, &line->rec))
			print_series_of(v, &line->rec);
	}
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
		"cpl0",     "boot",     "cmdline",    "note",   "date",     "board",   "console",
		"cpu",      "features", "cache",      "tlb",    "topology", "cpus",    "cpu_entry",
		"arch_pmu", "amd_pmu",  "quiet",      "memory", "clock",    "process", "watchdog",
		"guard",    "usb",      "conditions", "arena",  "module",   "pmu",     "counter",
		"event",    "groups",   "cost",       "plan",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		print_kind(v, kinds[i], PLAIN);
}

/* When the log was made and on which board, as far as the clock and the firmware told. */
static void print_origin(const struct view *v)
{
	static const struct {
		const char *kind, *key, *before;
	} parts[] = {
		{ "date", "rtc", ", " },          { "board", "system_maker", ", " },
		{ "board", "system", ", " },      { "board", "bios", ", firmware " },
		{ "board", "bios_date", " of " },
	};
	unsigned n = 0;
	char text[128];

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct record *r = run_first(v->log, v->run, parts[i].kind);

		if (!r || record_text(r, "implausible", text, sizeof(text)) ||
		    !record_text(r, parts[i].key, text, sizeof(text)))
			continue;
		if (!n)
			fputs("  ", v->out);
		fputs(parts[i].before + (n++ ? 0 : strspn(parts[i].before, ", ")), v->out);
		print_text(v->out, text, strlen(text));
	}
	if (n)
		putc('\n', v->out);
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
	print_origin(v);
	if (m->emulated)
		fprintf(v->out, "  %sEMULATED: %s%s\n", tint(v, DOUBTFUL), m->emulated,
		        tint(v, PLAIN));
	if (*m->guest) {
		fprintf(v->out, "  %sGUEST: a hypervisor, ", tint(v, DOUBTFUL));
		print_text(v->out, m->guest, strlen(m->guest));
		fprintf(v->out, ", is between the log and its CPU (docs/kvm.md)%s\n",
		        tint(v, PLAIN));
	}
}

static void print_run(const struct view *v)
{
	static const char *const remarks[] = { "withdrawn", "warn", "error", "trap", "timeout" };
	struct columns c;
	bool found;

	print_head(v);
	if (!v->how->benches.n)
		summary_print(v->log, v->run, v->number, &v->machine, v->rs, v->out);
	found = print_results(v, &c) || list_print(v->log, v->run, &v->how->benches, v->out);
	if (!cores_print(v->log, v->run, &v->machine, v->how, v->out) && !found &&
	    v->how->benches.n)
		fputs("  no result has such a name\n", v->out);
	print_verdicts(v, "check", "exact");
	print_verdicts(v, "chain", "agrees");
	print_verdicts(v, "expect", "match");
	samples_print(v->log, v->run, &v->how->benches, v->machine.bits, v->out);
	print_other_ports(v, &c);
	release(c.event);
	print_kind(v, "geometry", PLAIN);
	print_kind(v, "datasheet", PLAIN);
	print_kind(v, "sequence", PLAIN);
	print_series(v);
	print_skips(v);
	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
		print_kind(v, remarks[i], BAD);
	if (v->how->machine)
		print_machine_records(v);
	if (!print_kind(v, "done", PLAIN))
		fputs("  NOT FINISHED: no `done` record\n", v->out);
}

/* A collection at a glance: which run is which. */
static void print_listed(const struct view *v)
{
	print_head(v);
	print_kind(v, "cmdline", PLAIN);
	if (!print_kind(v, "done", PLAIN))
		fputs("  NOT FINISHED: no `done` record\n", v->out);
}

void show_print(const struct log *log, const struct show_options *how, FILE *out)
{
	struct ports_list ports;
	struct results rs;

	results_read(&rs, log);
	ports_read(&ports, log);
	for (size_t i = 0; i < log->nruns; i++) {
		struct view v = { .log = log,
			          .run = &log->runs[i],
			          .how = how,
			          .rs = &rs,
			          .ports = &ports,
			          .number = (unsigned)i + 1,
			          .out = out };

		if (log->chosen && log->chosen != v.number)
			continue;
		if (i && !log->chosen)
			putc('\n', out);
		machine_read(&v.machine, log, v.run);
		if (how->list)
			print_listed(&v);
		else
			print_run(&v);
	}
	if (!log->nruns)
		fprintf(out, "%s: %s\n", output_name(log->name),
		        log->unused || log->empty ? "no run has been saved in it yet"
		                                  : "no record of cpl0 in it");
	ports_free(&ports);
	results_free(&rs);
}
