/*
 * The tables in the kernel against the CSV that they are made of. Other code reads the CSV here,
 * and every row must be there for each of its models, with the 18,475 rows that pmu/gen/perfmon.awk
 * makes of the maker's lists. The tables must also agree among themselves: a log key can hold every
 * name, and some model of the family has what an alias names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

#include "pmu/events.h"
#include "pmu/internal.h"
#include "pmu/netburst_units.h"
#include "pmu/request.h"
#include "pmu/tables.h"
#include "tests/unit/pmu/pmu_mock.h"

enum { COLUMNS = 12, NAME = 200, FAMILIES = 5, ROWS = 10240, LISTED = 18475 };

static const char *const family_names[] = { "p5", "p6", "netburst", "amd", "arch" };
static const struct pmu_table *const family_tables[] = {
	&pmu_table_p5, &pmu_table_p6, &pmu_table_netburst, &pmu_table_amd, &pmu_table_arch,
};

#define UNIT_TEXT(name, ...) #name,
static const char *const unit_names[] = { NETBURST_UNITS(UNIT_TEXT) 0 };

static unsigned family_of(const char *name)
{
	for (unsigned i = 0; i < FAMILIES; i++)
		if (!strcmp(name, family_names[i]))
			return i;
	fail_msg("%s: no such family", name);
	return 0;
}

/* The bit of a model, as the list of CPUs in the kernel has it. */
static uint64_t model_bit(unsigned family, const char *model)
{
	if (!strcmp(model, "unknown"))
		return PMU_MODEL_UNKNOWN;
	for (const struct pmu_model *m = pmu_models; m->name; m++)
		if (!strcmp(pmu_names + m->name, model) &&
		    !strcmp(pmu_families[m->family], family_names[family]))
			return 1ull << m->bit;
	fail_msg("%s %s: not in the kernel", family_names[family], model);
	return 0;
}

static uint64_t all_models(unsigned family)
{
	uint64_t bits = PMU_MODEL_UNKNOWN;

	for (const struct pmu_model *m = pmu_models; m->name; m++)
		if (!strcmp(pmu_families[m->family], family_names[family]))
			bits |= 1ull << m->bit;
	return bits;
}

/* The names of the events of a family with their numbers, sorted. */
static struct name {
	char text[PMU_KEY];
	unsigned number;
} names[ROWS];
static const struct pmu_table *names_of;

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static void sort_names(const struct pmu_table *t)
{
	if (names_of == t)
		return;
	names_of = t;
	assert_true(t->n <= ROWS);
	for (unsigned i = 0; i < t->n; i++) {
		struct pmu_event e;

		pmu_event_at(t, i, &e);
		pmu_event_text(&e, names[i].text, sizeof(names[i].text));
		names[i].number = i;
	}
	qsort(names, t->n, sizeof(names[0]), compare_names);
}

/* The event of this whole name that exists on all of these models. */
static bool find(const struct pmu_table *t, const char *name, uint64_t models, struct pmu_event *e)
{
	struct name key = { .number = 0 }, *at;

	sort_names(t);
	snprintf(key.text, sizeof(key.text), "%s", name);
	at = bsearch(&key, names, t->n, sizeof(key), compare_names);
	while (at && at > names && !strcmp(at[-1].text, name))
		at--;
	for (; at && at < names + t->n && !strcmp(at->text, name); at++)
		if ((pmu_event_models(t, at->number) & models) == models) {
			pmu_event_at(t, at->number, e);
			return true;
		}
	return false;
}

static unsigned counters_of(const char *list)
{
	unsigned bits = 0;

	for (char *end; *list; list = end) {
		bits |= 1u << strtoul(list, &end, 10);
		if (end == list)
			fail_msg("counters: %s", list);
	}
	return bits;
}

static unsigned flags_of(const char *list)
{
	return (strstr(list, "inv") ? PMU_EV_INV : 0) | (strstr(list, "edge") ? PMU_EV_EDGE : 0) |
	       (strstr(list, "any") ? PMU_EV_ANY : 0) | (strstr(list, "aux") ? PMU_EV_AUX : 0) |
	       (strstr(list, "select3") ? PMU_EV_SELECT3 : 0);
}

/* The columns of the file being read, and the cells of its row. */
static char head[1000], line[1000], *column[COLUMNS], *cells[COLUMNS];
static unsigned ncolumns;

static unsigned split(char *s, char **cell)
{
	unsigned n = 0;

	s[strcspn(s, "\n")] = 0;
	for (char *p = s; p; n++) {
		assert_true(n < COLUMNS);
		cell[n] = p;
		p = strchr(p, ',');
		if (p)
			*p++ = 0;
	}
	return n;
}

static const char *cell(const char *name)
{
	for (unsigned i = 0; i < ncolumns; i++)
		if (!strcmp(column[i], name))
			return cells[i];
	return "";
}

static void check_unit(const struct pmu_kind *k, const char *text)
{
	const char *colon = strchr(text, ':');

	assert_int_equal(k->escrs, colon ? 1 << (colon[1] - '0') : 3);
	assert_int_equal(strncmp(unit_names[k->unit], text, strcspn(text, ":")), 0);
}

static void check_kind(const struct pmu_kind *k)
{
	const char *counters = cell("counters");

	assert_int_equal(k->cmask, strtoul(cell("cmask"), 0, 0));
	assert_int_equal(k->flags, flags_of(cell("flags")));
	assert_int_equal(k->bit, *cell("bit") ? atoi(cell("bit")) : -1);
	assert_int_equal(k->metric, *cell("metric") ? atoi(cell("metric")) : -1);
	if (*cell("unit"))
		check_unit(k, cell("unit"));
	assert_int_equal(k->fixed, strncmp(counters, "fixed", 5) ? -1 : atoi(counters + 5));
	if (k->fixed < 0)
		assert_int_equal(k->counters, counters_of(counters));
	assert_int_equal(k->alone, counters_of(cell("alone")));
	assert_string_equal(pmu_names + k->errata, cell("errata"));
}

/* The registers of the column `filter`, and the second way to count an event that has two. */
static void check_filter(const struct pmu_event *e)
{
	const char *filter = cell("filter"), *value = cell("value");
	char *code, *umask, *end;
	unsigned first[2] = { (unsigned)strtoul(cell("code"), &code, 0),
		              (unsigned)strtoul(cell("umask"), &umask, 0) };
	unsigned second[2] = { *code ? (unsigned)strtoul(code, &end, 0) : first[0],
		               *umask ? (unsigned)strtoul(umask, &end, 0) : first[1] };

	assert_int_equal(e->code, first[0]);
	assert_int_equal(e->umask, first[1]);
	assert_int_equal(e->kind->second, *code || *umask ? second[1] << 8 | second[0] : 0);
	assert_int_equal(e->kind->filter, !strcmp(filter, "offcore")    ? PMU_OFFCORE
	                                  : !strcmp(filter, "ldlat")    ? PMU_LDLAT
	                                  : !strcmp(filter, "frontend") ? PMU_FRONTEND
	                                                                : PMU_FIELDS);
	assert_int_equal(e->has_value, *value != 0);
	assert_int_equal(e->value, strtoull(value, 0, 0));
}

static void check_row(unsigned family, const char *model)
{
	const char *mask = cell("mask");
	uint64_t models = 0;
	char name[2 * NAME], list[NAME], *rest = 0;
	struct pmu_event e;

	snprintf(list, sizeof(list), "%s", cell("models"));
	for (char *w = strtok_r(list, " ", &rest); w; w = strtok_r(0, " ", &rest))
		models |= model_bit(family, w);
	if (!models)
		models = model ? model_bit(family, model) : all_models(family);
	snprintf(name, sizeof(name), "%s%s%s", cell("event"), *mask ? "." : "", mask);
	if (!find(family_tables[family], name, models, &e))
		fail_msg("%s: not in the table of %s", name, family_names[family]);
	check_kind(e.kind);
	check_filter(&e);
}

static unsigned check_rows(FILE *f, unsigned family, const char *model)
{
	bool has_source = false;
	unsigned rows = 0;

	assert_non_null(f);
	ncolumns = 0;
	while (fgets(line, sizeof(line), f)) {
		if (*line == '#') {
			has_source |= strstr(line, "Source: ") != 0;
			continue;
		}
		if (!ncolumns) {
			strcpy(head, line);
			ncolumns = split(head, column);
			continue;
		}
		assert_int_equal(split(line, cells), ncolumns);
		check_row(family, model);
		assert_true(has_source || *cell("source"));
		rows++;
	}
	return rows;
}

static unsigned check_file(const char *path)
{
	char family[NAME], *model;
	FILE *f = fopen(path, "r");
	unsigned rows;

	assert_int_equal(sscanf(strrchr(path, '/'), "/%199[^.]", family), 1);
	model = strchr(family, '-');
	if (model)
		*model++ = 0;
	rows = check_rows(f, family_of(family), model);
	fclose(f);
	return rows;
}

static void rows_are_there(void **unused)
{
	static const char *const folders[] = { "pmu/events/p*.csv", "pmu/events/netburst.csv",
		                               "pmu/events/arch/*.csv", "pmu/events/amd/*.csv" };
	unsigned rows = 0;

	(void)unused;
	for (unsigned k = 0; k < sizeof(folders) / sizeof(folders[0]); k++) {
		glob_t g;

		assert_int_equal(glob(folders[k], 0, 0, &g), 0);
		for (size_t i = 0; i < g.gl_pathc; i++)
			rows += check_file(g.gl_pathv[i]);
		globfree(&g);
	}
	assert_true(rows > 2800);
}

/* Every row of the lists, and no event of these models that is in no list. */
static void lists_are_there(void **unused)
{
	unsigned family = family_of("arch"), events = 0;
	FILE *f = popen("gzip -dc pmu/events/perfmon/events.csv.gz | awk -f pmu/gen/perfmon.awk",
	                "r");

	(void)unused;
	assert_int_equal(check_rows(f, family, 0), LISTED);
	assert_int_equal(pclose(f), 0);
	for (unsigned i = 0; i < pmu_table_arch.n; i++) {
		struct pmu_event e;
		uint64_t models = pmu_event_models(&pmu_table_arch, i);

		pmu_event_at(&pmu_table_arch, i, &e);
		models &= ~(model_bit(family, "core2") | PMU_MODEL_UNKNOWN);
		if (e.kind->fixed >= 0)
			assert_int_equal(e.code, 0);
		if (e.kind->bit < 0)
			events += (unsigned)__builtin_popcountll(models);
	}
	assert_int_equal(events, LISTED);
}

static void names_are_keys(void **unused)
{
	char text[PMU_KEY];
	struct pmu_event e;

	(void)unused;
	for (unsigned k = 0; k < FAMILIES; k++)
		for (unsigned i = 0; i < family_tables[k]->n; i++) {
			pmu_event_at(family_tables[k], i, &e);
			pmu_event_text(&e, text, sizeof(text));
			assert_true(*e.part[0]);
			assert_null(strpbrk(text, " :/,=#\""));
			assert_true(strlen(text) < 100);
			assert_true(pmu_event_models(family_tables[k], i));
		}
}

/* Every candidate of an alias is an event of its family, with these masks. */
static void aliases_mean_events(void **unused)
{
	unsigned n = 0;

	(void)unused;
	for (const struct pmu_alias *a = pmu_aliases; a->name; a++, n++) {
		char events[500], *rest = 0;

		snprintf(events, sizeof(events), "%s", pmu_names + a->events);
		for (char *w = strtok_r(events, " ", &rest); w; w = strtok_r(0, " ", &rest)) {
			char *more = 0, *name, first[NAME], *mask;
			struct pmu_event e;

			if (strchr(w, '/') || find(family_tables[a->family], w, 0, &e))
				continue;
			name = strtok_r(w, ".", &more);
			while ((mask = strtok_r(0, ".", &more))) {
				snprintf(first, sizeof(first), "%s.%s", name, mask);
				if (!find(family_tables[a->family], first, 0, &e))
					fail_msg("alias %s: %s has no %s", pmu_names + a->name,
					         family_names[a->family], first);
			}
		}
	}
	assert_true(n > 60);
}

/* Each model of the list has more than the architectural events, and none has another's. */
static void models_have_events(void **unused)
{
	(void)unused;
	for (const struct pmu_model *m = pmu_models; m->name; m++) {
		const struct pmu_table *t = family_tables[m->family];
		unsigned own = 0;

		for (unsigned i = 0; i < t->n; i++) {
			struct pmu_event e;

			pmu_event_at(t, i, &e);
			own += pmu_event_models(t, i) >> m->bit & 1 && e.kind->bit < 0;
		}
		if (own < 19)
			fail_msg("%s: %u events", pmu_names + m->name, own);
		assert_true(m->first <= m->last);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_there),     cmocka_unit_test(lists_are_there),
		cmocka_unit_test(names_are_keys),     cmocka_unit_test(aliases_mean_events),
		cmocka_unit_test(models_have_events),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
