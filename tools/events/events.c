/* The events of a CPU, looked up in the kernel's tables (tools/events/events.h). */
#include "tools/events/events.h"

#include <string.h>

#include "pmu/events.h"
#include "pmu/tables.h"
#include "tools/lib/near.h"
#include "tools/lib/output.h"

enum { NAME = 100, NAME_COLUMN = 30 };

static const struct pmu_table *table_of(const char *family)
{
	static const struct {
		const char *name;
		const struct pmu_table *table;
	} tables[] = {
		{ "p5", &pmu_table_p5 },
		{ "p6", &pmu_table_p6 },
		{ "netburst", &pmu_table_netburst },
		{ "amd", &pmu_table_amd },
		{ "arch", &pmu_table_arch },
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (!strcmp(tables[i].name, family))
			return tables[i].table;
	return NULL;
}

static const char *name_of(const struct pmu_model *m)
{
	return pmu_names + m->name;
}

/* Several rows of a model have the same name: the first of them counts. */
static bool is_first(const struct pmu_model *m)
{
	for (const struct pmu_model *k = pmu_models; k < m; k++)
		if (k->family == m->family && k->bit == m->bit)
			return false;
	return true;
}

void events_models(FILE *out)
{
	for (unsigned f = 0; pmu_families[f]; f++) {
		fprintf(out, "%s:", pmu_families[f]);
		for (const struct pmu_model *m = pmu_models; m->name; m++)
			if (m->family == f && is_first(m))
				fprintf(out, " %s", name_of(m));
		putc('\n', out);
	}
}

/* The model of this name, or the only one that has it as a part; NULL after a message. */
static const struct pmu_model *find_model(const char *cpu)
{
	const struct pmu_model *found = NULL;
	struct near near = { .word = cpu };
	unsigned n = 0;

	for (const struct pmu_model *m = pmu_models; m->name; m++) {
		if (!is_first(m))
			continue;
		if (!strcasecmp(name_of(m), cpu))
			return m;
		near_try(&near, name_of(m));
		if (strcasestr(name_of(m), cpu)) {
			found = m;
			n++;
		}
	}
	if (n == 1)
		return found;
	if (!n) {
		fprintf(stderr, "cpl0-log: no CPU has this name: %s%s\n", output_name(cpu),
		        near_text(&near));
		return NULL;
	}
	fprintf(stderr, "cpl0-log: several CPUs have this in their name: %s:", output_name(cpu));
	for (const struct pmu_model *m = pmu_models; m->name; m++)
		if (is_first(m) && strcasestr(name_of(m), cpu))
			fprintf(stderr, " %s", name_of(m));
	putc('\n', stderr);
	return NULL;
}

/* A search, and what it found so far. */
struct search {
	const struct pmu_model *model;
	const struct pmu_table *table;
	uint64_t bit;     /* of the model, in sets of models */
	const char *word; /* NULL: everything is wanted */
	struct near near;
	unsigned found;
	FILE *out;
};

static bool has(const struct search *s, const char *text)
{
	return !s->word || strcasestr(text, s->word);
}

/* Begins a line; the first one has a heading. */
static void begin_line(struct search *s, const char *name)
{
	if (!s->found++)
		fprintf(s->out, "events of %s, family %s\n", name_of(s->model),
		        pmu_families[s->model->family]);
	fprintf(s->out, "  %-*s  ", NAME_COLUMN, name);
}

/* Does the model have an event whose name is this, or begins with this and a dot? */
static bool has_event(const struct search *s, const char *name, size_t length)
{
	char text[NAME];
	struct pmu_event e;

	for (unsigned i = 0; i < s->table->n; i++) {
		if (!(pmu_event_models(s->table, i) & s->bit))
			continue;
		pmu_event_at(s->table, i, &e);
		pmu_event_text(&e, text, sizeof(text));
		if (!strncmp(text, name, length) && (!text[length] || text[length] == '.'))
			return true;
	}
	return false;
}

/* Of the events that an alias may be, the first that the model has; its length, 0: none. */
static size_t choose(const struct search *s, const char **events)
{
	for (; **events; *events += strspn(*events, " ")) {
		size_t n = strcspn(*events, " "), plain = strcspn(*events, " :");

		/* A raw event is in no table. */
		if (memchr(*events, '/', n) || has_event(s, *events, plain))
			return n;
		*events += n;
	}
	return 0;
}

static void print_aliases(struct search *s)
{
	uint16_t last = 0; /* of several rows of a name the first counts */

	for (const struct pmu_alias *a = pmu_aliases; a->name; a++) {
		const char *name = pmu_names + a->name, *what = pmu_names + a->what;
		const char *events = pmu_names + a->events;
		size_t n;

		if (a->family != s->model->family || !(a->models & s->bit) || a->name == last)
			continue;
		n = choose(s, &events);
		if (!n)
			continue;
		last = a->name;
		near_try(&s->near, name);
		if (!has(s, name) && !has(s, what) && !has(s, events))
			continue;
		begin_line(s, name);
		fprintf(s->out, "%.*s: %s\n", (int)n, events, what);
	}
}

static void print_events(struct search *s)
{
	static char names[PMU_ROWS][NAME]; /* s->near keeps some of them */
	struct pmu_event e;

	for (unsigned i = 0; i < s->table->n; i++) {
		if (!(pmu_event_models(s->table, i) & s->bit))
			continue;
		pmu_event_at(s->table, i, &e);
		pmu_event_text(&e, names[i], sizeof(names[i]));
		near_try(&s->near, names[i]);
		if (!has(s, names[i]))
			continue;
		begin_line(s, names[i]);
		fprintf(s->out, "code %#x, unit mask %#x", e.code, e.umask);
		if (e.kind->filter != PMU_FIELDS && e.has_value)
			fprintf(s->out, ", filter %#llx", (unsigned long long)e.value);
		else if (e.kind->filter != PMU_FIELDS)
			fputs(", filter by you", s->out);
		putc('\n', s->out);
	}
}

bool events_print(const char *cpu, const char *word, FILE *out)
{
	struct search s = {
		.model = find_model(cpu), .word = word, .near.word = word ? word : "", .out = out
	};

	if (!s.model)
		return false;
	s.table = table_of(pmu_families[s.model->family]);
	s.bit = 1ull << s.model->bit;
	print_aliases(&s);
	print_events(&s);
	if (!s.found)
		fprintf(stderr, "cpl0-log: %s has no event with this in its name: %s%s\n",
		        name_of(s.model), word ? output_name(word) : "", near_text(&s.near));
	return s.found;
}
