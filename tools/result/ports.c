/* Which ports instructions use. */
#include "tools/result/ports.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/alloc.h"

static void add(struct ports_list *p, unsigned run, const struct line *line)
{
	const struct record *r = &line->rec;
	struct ports row = { .run = run, .line = line, .clocks = -1 };
	const struct field *clocks = record_field(r, "clocks");
	char by[8] = "";

	record_text(r, "bench", row.bench, sizeof(row.bench));
	record_text(r, "form", row.form, sizeof(row.form));
	record_text(r, "ports", row.ports, sizeof(row.ports));
	record_text(r, "left", row.left, sizeof(row.left));
	record_text(r, "by", by, sizeof(by));
	row.by_time = !strcmp(by, "time");
	row.counted = record_dec(r, "uops", &row.uops);
	if (clocks && !field_milli(clocks, &row.clocks))
		row.clocks = -1;
	p->row = grow(p->row, p->n, sizeof(row));
	p->row[p->n++] = row;
}

static void read_run(struct ports_list *p, const struct log *log, unsigned run)
{
	const struct run *of = &log->runs[run - 1];
	size_t first = p->n;
	struct withdrawn w;

	for (size_t i = of->first; i < of->end; i++)
		if (line_is_whole(&log->lines[i]) && span_is(log->lines[i].rec.kind, "ports"))
			add(p, run, &log->lines[i]);
	withdrawn_read(&w, log, of);
	for (size_t i = first; w.n && i < p->n; i++)
		p->row[i].withdrawn =
			!p->row[i].by_time && withdrawn_has(&w, p->row[i].line->rec.seq);
	withdrawn_free(&w);
}

void ports_read(struct ports_list *p, const struct log *log)
{
	*p = (struct ports_list){ .runs = (unsigned)log->nruns };
	p->machine = allocate(log->nruns * sizeof(*p->machine));
	for (unsigned run = 1; run <= p->runs; run++) {
		machine_read(&p->machine[run - 1], log, &log->runs[run - 1]);
		read_run(p, log, run);
	}
}

void ports_free(struct ports_list *p)
{
	release(p->row);
	release(p->machine);
	*p = (struct ports_list){ 0 };
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_machine(const struct machine *a, const struct machine *b)
{
	return a->signature == b->signature && !strcmp(a->name, b->name) &&
	       same_text(a->emulated, b->emulated) && !strcmp(a->guest, b->guest);
}

const struct ports *ports_find(const struct ports_list *p, unsigned run, const char *form)
{
	const struct ports *other = NULL;

	for (size_t i = p->n; *form && i-- > 0;) {
		const struct ports *row = &p->row[i];

		if (strcmp(row->form, form))
			continue;
		if (row->run == run)
			return row;
		if (!other && same_machine(&p->machine[row->run - 1], &p->machine[run - 1]))
			other = row;
	}
	return other;
}

const char *ports_text(const struct ports *p, char out[PORTS_TEXT])
{
	char clocks[32];
	int n = snprintf(out, PORTS_TEXT, "%s", *p->ports ? p->ports : "-");

	if (*p->left)
		n += snprintf(out + n, PORTS_TEXT - (size_t)n, " left %s", p->left);
	if (p->by_time)
		n += snprintf(out + n, PORTS_TEXT - (size_t)n, " by time");
	if (p->clocks >= 0)
		n += snprintf(out + n, PORTS_TEXT - (size_t)n, ", clocks %s",
		              milli_text(clocks, p->clocks));
	if (p->withdrawn)
		snprintf(out + n, PORTS_TEXT - (size_t)n, " withdrawn");
	return out;
}
