/* cpl0-log csv and json with --figures, csv with --forms: figures instead of records. */
#include "tools/result/commands.h"

#include <inttypes.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/result/figures.h"
#include "tools/isa/isa.h"
#include "tools/result/ports.h"
#include "tools/result/runs.h"

struct export
{
	const struct log *log;
	const struct globs *benches;
	struct results rs;
	struct ports_list ports;
	struct machine *machine; /* of each run */
	const char **event;      /* names of all events of the choice */
	size_t n;
	int kinds; /* of figure_of() that become columns */
	FILE *out;
};

static bool chosen(const struct export *e, const struct result *r)
{
	return (!e->log->chosen || r->run == e->log->chosen) && globs_match(e->benches, r->bench);
}

static void add_event(struct export *e, const char *name)
{
	for (size_t i = 0; i < e->n; i++)
		if (!strcmp(e->event[i], name))
			return;
	e->event = grow(e->event, e->n, sizeof(*e->event));
	e->event[e->n++] = name;
}

static void open_export(struct export *e)
{
	results_read(&e->rs, e->log);
	ports_read(&e->ports, e->log);
	e->machine = allocate(e->log->nruns * sizeof(*e->machine));
	for (size_t i = 0; i < e->log->nruns; i++)
		machine_read(&e->machine[i], e->log, &e->log->runs[i]);
	for (size_t i = 0; i < e->rs.n; i++)
		for (size_t k = 0; chosen(e, &e->rs.row[i]) && k < e->rs.row[i].n; k++)
			if (quantity_is_event(e->rs.row[i].quantity[k].name))
				add_event(e, e->rs.row[i].quantity[k].name);
}

static void close_export(struct export *e)
{
	results_free(&e->rs);
	ports_free(&e->ports);
	release(e->machine);
	release(e->event);
}

/* CSV */

static void csv_text(const struct export *e, const char *text)
{
	putc(',', e->out);
	csv_value(e->out, text, strlen(text));
}

static void csv_titles(const struct export *e, const char *prefix, const char *name)
{
	static const char *const limits[] = { "", ".low", ".high" };
	char title[160];

	for (int i = 0; i < 3; i++) {
		snprintf(title, sizeof(title), "%s%s%s", prefix, name, limits[i]);
		csv_text(e, title);
	}
}

/* Value, low, high; a figure that is not told apart from 0 has its bound alone. */
static void csv_figure(const struct export *e, const struct figure *f)
{
	if (!f->known)
		fputs(",,,", e->out);
	else if (f->below)
		fprintf(e->out, ",,,%.9g", f->high);
	else
		fprintf(e->out, ",%.9g,%.9g,%.9g", f->value, f->low, f->high);
}

/* The names of events whose counts were taken back. */
static void csv_withdrawn(const struct export *e, const struct result *r)
{
	size_t n = r ? r->n : 0, used = 0;
	char *text = allocate(n * (sizeof(r->quantity->name) + 1) + 1);

	*text = '\0';
	for (size_t i = 0; i < n; i++)
		if (r->quantity[i].withdrawn)
			used += (size_t)sprintf(text + used, "%s%s", used ? " " : "",
			                        r->quantity[i].name);
	csv_text(e, text);
	release(text);
}

/* The columns of a benchmark, all empty if `r` is NULL. */
static void csv_cells(const struct export *e, const struct result *r)
{
	static const struct figure unknown;
	char marks[8] = "";

	csv_text(e, r ? figure_marks(&e->machine[r->run - 1], r, marks) : "");
	csv_withdrawn(e, r);
	for (int i = 0; i < e->kinds; i++) {
		struct figure f =
			r ? figure_of(&e->machine[r->run - 1], r, (enum figure_kind)i) : unknown;

		csv_figure(e, &f);
	}
	for (size_t i = 0; i < e->n; i++) {
		struct figure f = r ? figure_quantity(r, e->event[i]) : unknown;

		csv_figure(e, &f);
	}
}

static void csv_heading(const struct export *e, const char *prefix)
{
	fprintf(e->out, ",%smarks,%swithdrawn", prefix, prefix);
	for (int i = 0; i < e->kinds; i++)
		csv_titles(e, prefix, FIGURE_NAMES[i].key);
	for (size_t i = 0; i < e->n; i++)
		csv_titles(e, prefix, e->event[i]);
}

static void csv_benchmark(const struct export *e, const struct result *r)
{
	fprintf(e->out, "%u,%u", r->run, r->line->number);
	csv_text(e, r->bench);
	csv_text(e, r->mode);
	csv_text(e, r->cpl);
	csv_text(e, r->form);
	csv_text(e, r->kind);
	csv_text(e, isa_of(r->form));
	csv_cells(e, r);
	putc('\n', e->out);
}

/* The columns of PORTS_TITLES, all empty if `p` is NULL. */
static void csv_ports(const struct export *e, const struct ports *p)
{
	char clocks[32] = "";

	if (!p) {
		fputs(",,,,,,,", e->out);
		return;
	}
	putc(',', e->out);
	if (p->counted)
		fprintf(e->out, "%" PRIu64, p->uops);
	csv_text(e, p->ports);
	csv_text(e, p->left);
	csv_text(e, p->by_time ? "time" : "");
	csv_text(e, p->clocks >= 0 ? milli_text(clocks, p->clocks) : "");
	csv_text(e, p->withdrawn ? "1" : "");
	fprintf(e->out, ",%u", p->run);
}

static const char PORTS_TITLES[] =
	",uops,ports,ports.left,ports.by,ports.clocks,ports.withdrawn,ports.run";

static bool is_latency(const struct result *r)
{
	return !strcmp(r->kind, "latency");
}

/* A row where the first of both stands. */
static void csv_form(const struct export *e, const struct result *r)
{
	const struct result *other = results_partner(&e->rs, r);

	if (!*r->form || (other && other < r && chosen(e, other)))
		return;
	if (other && !chosen(e, other))
		other = NULL;
	fprintf(e->out, "%u", r->run);
	csv_text(e, r->form);
	csv_text(e, result_form_name(r));
	csv_text(e, r->mode);
	csv_text(e, r->cpl);
	csv_text(e, isa_of(r->form));
	csv_ports(e, ports_find(&e->ports, r->run, r->form));
	csv_cells(e, is_latency(r) ? r : other);
	csv_cells(e, is_latency(r) ? other : r);
	putc('\n', e->out);
}

/* A record of ports whose form has no row in its run. */
static void csv_ports_alone(const struct export *e, const struct ports *p)
{
	if (!*p->form || ports_find(&e->ports, p->run, p->form) != p ||
	    (e->log->chosen && p->run != e->log->chosen) || !globs_match(e->benches, p->bench))
		return;
	for (size_t i = 0; i < e->rs.n; i++)
		if (e->rs.row[i].run == p->run && chosen(e, &e->rs.row[i]) &&
		    !strcmp(e->rs.row[i].form, p->form))
			return;
	fprintf(e->out, "%u", p->run);
	csv_text(e, p->form);
	csv_text(e, bench_form_name(p->bench));
	fputs(",,", e->out);
	csv_text(e, isa_of(p->form));
	csv_ports(e, p);
	csv_cells(e, NULL);
	csv_cells(e, NULL);
	putc('\n', e->out);
}

void csv_figures(const struct log *log, const struct globs *benches, bool forms, FILE *out)
{
	struct export e = { .log = log, .benches = benches, .out = out };

	e.kinds = forms ? FIGURE_TICKS + 1 : FIGURES;
	open_export(&e);
	fputs(forms ? "run,form,name,mode,cpl,isa" : "run,line,bench,mode,cpl,form,kind,isa", out);
	if (forms)
		fputs(PORTS_TITLES, out);
	csv_heading(&e, forms ? "latency." : "");
	if (forms)
		csv_heading(&e, "throughput.");
	putc('\n', out);
	for (size_t i = 0; i < e.rs.n; i++) {
		if (!chosen(&e, &e.rs.row[i]))
			continue;
		if (forms)
			csv_form(&e, &e.rs.row[i]);
		else
			csv_benchmark(&e, &e.rs.row[i]);
	}
	for (size_t i = 0; forms && i < e.ports.n; i++)
		csv_ports_alone(&e, &e.ports.row[i]);
	close_export(&e);
}

/* JSON */

static void json_word(FILE *out, const char *key, const char *text)
{
	fprintf(out, ", \"%s\": ", key);
	json_string(out, text, strlen(text));
}

/* , "name": {...}, or nothing if it is unknown. */
static const char *json_figure(FILE *out, const char *between, const char *name,
                               const struct figure *f)
{
	if (!f->known)
		return between;
	fputs(between, out);
	json_string(out, name, strlen(name));
	if (f->below)
		fprintf(out, ": {\"below\": %.9g", f->high);
	else
		fprintf(out,
		        ": {\"value\": %.9g, \"min\": %.9g, \"low\": %.9g, \"high\": %.9g, "
		        "\"max\": %.9g",
		        f->value, f->min, f->low, f->high, f->max);
	fputs(f->withdrawn ? ", \"withdrawn\": true}" : "}", out);
	return ", ";
}

static void json_benchmark(const struct export *e, const struct result *r)
{
	const struct machine *m = &e->machine[r->run - 1];
	const char *between = "";
	char marks[8];

	fprintf(e->out, "{\"line\": %u", r->line->number);
	json_word(e->out, "bench", r->bench);
	json_word(e->out, "mode", r->mode);
	json_word(e->out, "cpl", r->cpl);
	json_word(e->out, "form", r->form);
	json_word(e->out, "kind", r->kind);
	json_word(e->out, "marks", figure_marks(m, r, marks));
	fputs(", \"figures\": {", e->out);
	for (int i = 0; i < FIGURES; i++) {
		struct figure f = figure_of(m, r, (enum figure_kind)i);

		between = json_figure(e->out, between, FIGURE_NAMES[i].key, &f);
	}
	fputs("}, \"events\": {", e->out);
	between = "";
	for (size_t i = 0; i < r->n; i++) {
		struct figure f = figure_quantity(r, r->quantity[i].name);

		if (quantity_is_event(r->quantity[i].name))
			between = json_figure(e->out, between, r->quantity[i].name, &f);
	}
	fputs("}}", e->out);
}

void json_figures(const struct log *log, const struct globs *benches, FILE *out)
{
	struct export e = { .log = log, .benches = benches, .out = out };
	const char *between;

	open_export(&e);
	fputs("{\"file\": ", out);
	json_string(out, log->name, strlen(log->name));
	fprintf(out, ", \"intact\": %s,\n \"units\": {", log_intact(log) ? "true" : "false");
	for (int i = 0; i < FIGURES; i++)
		fprintf(out, "%s\"%s\": \"%s\"", i ? ", " : "", FIGURE_NAMES[i].key,
		        FIGURE_NAMES[i].unit);
	fputs("},\n \"runs\": [", out);
	for (unsigned run = 1; run <= log->nruns; run++) {
		if (!runs_has(log, run - 1))
			continue;
		fprintf(out, "%s\n  {\"run\": %u, \"results\": [",
		        run > 1 && !log->chosen ? "," : "", run);
		between = "\n    ";
		for (size_t i = 0; i < e.rs.n; i++) {
			if (e.rs.row[i].run != run || !chosen(&e, &e.rs.row[i]))
				continue;
			fputs(between, out);
			json_benchmark(&e, &e.rs.row[i]);
			between = ",\n    ";
		}
		fputs("]}", out);
	}
	fputs("]}\n", out);
	close_export(&e);
}
