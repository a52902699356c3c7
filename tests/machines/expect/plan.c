/*
 * The events that a log plans, beside the tables that pmu/events/ and the build have for its model
 * (tests/machines/expect/plan.h). docs/design/event-tables.md describes the columns.
 */
#include "tests/machines/expect/plan.h"

#include <glob.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/machines/expect/words.h"
#include "tools/lib/alloc.h"
#include "tools/lib/csv.h"

void complain(struct complaints *c, const char *format, ...)
{
	va_list args;

	fputs("  ", c->out);
	va_start(args, format);
	vfprintf(c->out, format, args);
	va_end(args);
	putc('\n', c->out);
	c->n++;
}

struct event *plan_find(const struct plan *plan, struct span name)
{
	for (size_t i = 0; i < plan->n; i++)
		if (span_same(plan->event[i].name, name))
			return &plan->event[i];
	return NULL;
}

struct event *plan_event(struct plan *plan, struct span name)
{
	struct event *e = plan_find(plan, name);

	if (e)
		return e;
	plan->event = grow(plan->event, plan->n, sizeof(*e));
	plan->event[plan->n] = (struct event){ .name = name };
	return &plan->event[plan->n++];
}

static void note_arch(struct plan *plan, const struct record *r)
{
	static const char *const keys[ARCH_VALUES] = {
		[EVENTS] = "events23",
		[EVENTS_LENGTH] = "events_length",
		[MISSING_EVENTS] = "missing_events",
		[FIXED] = "fixed",
		[FIXED_BITMAP] = "fixed_bitmap",
	};

	for (size_t i = 0; i < ARCH_VALUES; i++)
		if (record_field(r, keys[i]))
			plan->arch[i] = record_value(r, keys[i]);
}

static void note_still(struct plan *plan, struct span names)
{
	struct span name;

	while ((name = take_word(&names)).n)
		plan_event(plan, name)->still = true;
}

void plan_note(struct plan *plan, const struct record *r)
{
	if (span_is(r->kind, "event")) {
		struct event *e = plan_event(plan, record_value(r, "name"));

		e->planned = true;
		e->derived = record_field(r, "derived");
		plan->records++;
	} else if (span_is(r->kind, "groups")) {
		plan->told = record_value(r, "events");
	} else if (span_is(r->kind, "pmu")) {
		plan->family = record_value(r, "pmu");
		plan->model = record_value(r, "model");
	} else if (span_is(r->kind, "arch_pmu")) {
		note_arch(plan, r);
	} else if (span_is(r->kind, "still")) {
		note_still(plan, record_value(r, "events"));
	}
}

void plan_free(struct plan *plan)
{
	release(plan->event);
}

/* The tables */

enum column { EVENT, MASK, COUNTERS, FILTER, BIT, MODELS, COLUMNS };

static const char *const titles[COLUMNS] = {
	[EVENT] = "event",   [MASK] = "mask", [COUNTERS] = "counters",
	[FILTER] = "filter", [BIT] = "bit",   [MODELS] = "models",
};

enum { CELLS = 32 };

/* A file that is being read, and the names of all files so far. */
struct table {
	const struct plan *plan;
	const char *model; /* of rows that name none; NULL: all have them */
	int at[COLUMNS];   /* place in a line; -1: the file has no such column */
	char **name;
	size_t n;
};

static struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

static bool has_name(const struct table *t, struct span name)
{
	for (size_t i = 0; i < t->n; i++)
		if (span_is(name, t->name[i]))
			return true;
	return false;
}

static void add_name(struct table *t, const char *event, const char *mask)
{
	size_t size = strlen(event) + strlen(mask) + 2;
	char *name = allocate(size);

	snprintf(name, size, "%s%s%s", event, *mask ? "." : "", mask);
	if (has_name(t, span_of(name))) {
		release(name);
		return;
	}
	t->name = grow(t->name, t->n, sizeof(name));
	t->name[t->n++] = name;
}

static bool has_model(const struct table *t, const char *models)
{
	struct span rest = span_of(models), model;

	if (!*models)
		return !t->model || span_is(t->plan->model, t->model);
	while ((model = take_word(&rest)).n)
		if (span_same(model, t->plan->model))
			return true;
	return false;
}

/* 0 of a key that no record has. */
static uint64_t arch_value(const struct plan *plan, enum arch_value which)
{
	struct span s = plan->arch[which];
	char text[24];

	snprintf(text, sizeof(text), "%.*s", (int)s.n, s.n ? s.p : "");
	return strtoull(text, NULL, strncmp(text, "0x", 2) ? 10 : 16);
}

static bool arch_bit(const struct plan *plan, enum arch_value which, unsigned long i)
{
	return i < 64 && arch_value(plan, which) >> i & 1;
}

/* An architectural event by its bit, one on a fixed counter by that counter. */
static bool is_announced(const struct plan *plan, const char *bit, const char *counters)
{
	unsigned long n;

	if (*bit) {
		n = strtoul(bit, NULL, 10);
		if (arch_value(plan, EVENTS))
			return arch_bit(plan, EVENTS, n);
		return n < arch_value(plan, EVENTS_LENGTH) && !arch_bit(plan, MISSING_EVENTS, n);
	}
	if (!strncmp(counters, "fixed", strlen("fixed"))) {
		n = strtoul(counters + strlen("fixed"), NULL, 10);
		return n < arch_value(plan, FIXED) || arch_bit(plan, FIXED_BITMAP, n);
	}
	return true;
}

static void read_titles(struct table *t, char *const cell[CELLS])
{
	for (int c = 0; c < COLUMNS; c++) {
		t->at[c] = -1;
		for (int i = 0; i < CELLS; i++)
			if (!strcmp(cell[i], titles[c]))
				t->at[c] = i;
	}
}

static void read_row(struct table *t, char *const cell[CELLS])
{
	const char *row[COLUMNS];

	for (int c = 0; c < COLUMNS; c++)
		row[c] = t->at[c] < 0 ? "" : cell[t->at[c]];
	if (!*row[FILTER] && has_model(t, row[MODELS]) &&
	    is_announced(t->plan, row[BIT], row[COUNTERS]))
		add_name(t, row[EVENT], row[MASK]);
}

static void read_lines(struct table *t, FILE *in)
{
	char *line = NULL, *cell[CELLS];
	size_t size = 0;
	bool titled = false;

	while (getline(&line, &size, in) > 0) {
		char *rest = line;

		line[strcspn(line, "\r\n")] = '\0';
		if (*line == '#')
			continue;
		for (int i = 0; i < CELLS; i++)
			cell[i] = csv_take(&rest);
		if (titled)
			read_row(t, cell);
		else
			read_titles(t, cell);
		titled = true;
	}
	free(line);
}

/* FAMILY-MODEL.csv has the model of its rows in its name. */
static void read_table(struct table *t, const char *path)
{
	const char *file = strrchr(path, '/') + 1, *dash = strrchr(file, '-');
	FILE *in = fopen(path, "r");
	char model[64];

	if (!in)
		return;
	if (dash)
		snprintf(model, sizeof(model), "%.*s", (int)strcspn(dash + 1, "."), dash + 1);
	t->model = dash ? model : NULL;
	read_lines(t, in);
	fclose(in);
}

static void read_matching(struct table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void read_matching(struct table *t, const char *format, ...)
{
	char pattern[4096];
	va_list args;
	glob_t found;

	va_start(args, format);
	vsnprintf(pattern, sizeof(pattern), format, args);
	va_end(args);
	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_table(t, found.gl_pathv[i]);
	globfree(&found);
}

/* The build makes a table of the lists of intel/perfmon. */
static void read_tables(struct table *t, const char *build)
{
	int n = (int)t->plan->family.n;
	const char *family = n ? t->plan->family.p : "";

	read_matching(t, "pmu/events/%.*s.csv", n, family);
	read_matching(t, "pmu/events/%.*s/*.csv", n, family);
	read_matching(t, "%s/gen/pmu/%.*s-*.csv", build, n, family);
}

static void check_told(const struct plan *plan, struct complaints *c)
{
	char records[24];

	snprintf(records, sizeof(records), "%zu", plan->records);
	if (!span_is(plan->told, records) && (plan->told.n || plan->records))
		complain(c, "groups says %.*s events, there are %s", (int)plan->told.n,
		         plan->told.p ? plan->told.p : "", records);
}

void plan_check(const struct plan *plan, const char *build, struct complaints *c)
{
	struct table t = { .plan = plan };

	read_tables(&t, build);
	for (size_t i = 0; i < t.n; i++) {
		const struct event *e = plan_find(plan, span_of(t.name[i]));

		if (!e || !e->planned)
			complain(c, "not planned: %s", t.name[i]);
	}
	for (size_t i = 0; i < plan->n; i++) {
		const struct event *e = &plan->event[i];

		if (e->planned && !has_name(&t, e->name))
			complain(c, "planned, but in no table: %.*s", (int)e->name.n, e->name.p);
	}
	check_told(plan, c);
	for (size_t i = 0; i < t.n; i++)
		release(t.name[i]);
	release(t.name);
}
