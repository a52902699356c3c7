/*
 * The tables in the kernel against the CSV they are made from, read here by other code: every row
 * of every file is there, packed and unpacked again, for each of its models; and the tables among
 * themselves: names that a log key can hold, aliases that some model of the family has.
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

#include "pmu/internal.h"
#include "pmu/request.h"
#include "pmu/tables.h"
#include "tests/unit/support/pmu_mock.h"

enum { COLUMNS = 9, NAME = 200 };

static const char *const family_names[] = { "p5", "p6", "netburst", "arch", "amd" };
static const struct pmu_table *const family_tables[] = {
	&pmu_table_p5, &pmu_table_p6, &pmu_table_netburst, &pmu_table_arch, &pmu_table_amd,
};

static const struct pmu_table *table_of(const char *family)
{
	for (unsigned i = 0; i < 5; i++)
		if (!strcmp(family, family_names[i]))
			return family_tables[i];
	fail_msg("%s: no such family", family);
	return 0;
}

/* The bit of a model, by the order of first appearance in models.csv. */
static unsigned model_bit(const char *family, const char *model)
{
	char line[1000], seen[16][NAME];
	unsigned n = 0;
	FILE *f = fopen("pmu/events/models.csv", "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char fam[NAME], name[NAME];
		unsigned i = 0;

		if (*line == '#' || sscanf(line, "%199[^,],%199[^,]", fam, name) != 2 ||
		    strcmp(fam, family))
			continue;
		while (i < n && strcmp(seen[i], name))
			i++;
		if (i == n)
			strcpy(seen[n++], name);
	}
	fclose(f);
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(seen[i], model))
			return 1u << i;
	fail_msg("%s %s: not in models.csv", family, model);
	return 0;
}

/* mask NULL: any. */
static const struct pmu_event *find(const struct pmu_table *t, const char *name, const char *mask,
                                    unsigned models)
{
	for (unsigned i = 0; i < t->n; i++)
		if (!strcmp(pmu_event_name(&t->events[i]), name) &&
		    (!mask || !strcmp(pmu_mask_name(&t->events[i]), mask)) &&
		    (t->events[i].models & models) == models)
			return &t->events[i];
	return 0;
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
	static const struct {
		const char *word;
		unsigned bit;
	} words[] = {
		{ "inv", PMU_EV_INV },        { "edge", PMU_EV_EDGE },
		{ "any", PMU_EV_ANY },        { "arch", PMU_EV_ARCH },
		{ "fixed", PMU_EV_FIXED },    { "param", PMU_EV_PARAM },
		{ "duration", PMU_EV_FREE1 }, { "select3", PMU_EV_FREE1 },
		{ "tag", PMU_EV_FREE2 },
	};
	unsigned bits = 0;

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(list, words[i].word))
			bits |= words[i].bit;
	return bits;
}

/* One line of an event table; the columns are at fixed places in all of them. */
static void check_row(const char *family, const char *file_model, char *line)
{
	char *cell[COLUMNS];
	const struct pmu_event *e;
	unsigned models = 0;

	for (unsigned i = 0; i < COLUMNS; i++) {
		cell[i] = line;
		if (i < COLUMNS - 1) {
			line = strchr(line, ',');
			assert_non_null(line);
			*line++ = 0;
		}
	}
	for (char *w = strtok(cell[7], " "); w; w = strtok(0, " "))
		models |= model_bit(family, w);
	if (!models && file_model)
		models = model_bit(family, file_model);
	if (!models)
		models = PMU_MODEL_UNKNOWN | 3;
	e = find(table_of(family), cell[0], cell[1], models);
	if (!e)
		fail_msg("%s.%s: not in the table of %s", cell[0], cell[1], family);
	assert_int_equal(e->code, strtoul(cell[2], 0, 0));
	assert_int_equal(e->umask, strtoul(cell[3], 0, 0));
	assert_int_equal(e->cmask, strtoul(cell[5], 0, 0));
	assert_int_equal(e->flags, flags_of(cell[6]));
	if (strcmp(family, "netburst"))
		assert_int_equal(e->counters, counters_of(cell[4]));
	assert_true(*cell[8]);
}

static unsigned check_file(const char *path)
{
	char family[NAME], line[1000], *model;
	FILE *f = fopen(path, "r");
	unsigned rows = 0;

	assert_non_null(f);
	assert_int_equal(sscanf(path, "pmu/events/%199[^.]", family), 1);
	model = strchr(family, '-');
	if (model)
		*model++ = 0;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (*line == '#' || !strncmp(line, "event,", 6))
			continue;
		check_row(family, model, line);
		rows++;
	}
	fclose(f);
	return rows;
}

static bool is_list(const char *path)
{
	return strstr(path, "models.csv") || strstr(path, "aliases.csv") ||
	       strstr(path, "errata.csv");
}

static void rows_are_there(void **unused)
{
	unsigned rows = 0;
	glob_t g;

	(void)unused;
	pmu_unpack();
	assert_int_equal(glob("pmu/events/*.csv", 0, 0, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++)
		if (!is_list(g.gl_pathv[i]))
			rows += check_file(g.gl_pathv[i]);
	globfree(&g);
	assert_true(rows > 1300); /* reference tables hold 1420 rows */
}

static void names_are_keys(void **unused)
{
	(void)unused;
	pmu_unpack();
	for (unsigned k = 0; k < 5; k++)
		for (unsigned i = 0; i < family_tables[k]->n; i++) {
			const struct pmu_event *e = &family_tables[k]->events[i];

			assert_true(*pmu_event_name(e));
			assert_null(strpbrk(pmu_event_name(e), " .:/,=#\"-"));
			assert_null(strpbrk(pmu_mask_name(e), " .:/,=#\""));
			assert_true(strlen(pmu_event_name(e)) + strlen(pmu_mask_name(e)) < 100);
			assert_true(e->models);
		}
}

/* Every candidate of an alias is an event of its family, with these masks. */
static void aliases_mean_events(void **unused)
{
	unsigned n = 0;

	(void)unused;
	pmu_unpack();
	for (const struct pmu_alias *a = pmu_aliases; a->name; a++, n++) {
		char events[500], *rest = 0;

		snprintf(events, sizeof(events), "%s", pmu_names + a->events);
		for (char *w = strtok_r(events, " ", &rest); w; w = strtok_r(0, " ", &rest)) {
			char *more = 0, *name = strtok_r(w, ".", &more), *mask;

			mask = strtok_r(0, ".", &more);
			do
				if (!find(family_tables[a->family], name, mask, 0))
					fail_msg("alias %s: %s has no %s.%s", pmu_names + a->name,
					         family_names[a->family], name, mask ? mask : "");
			while ((mask = strtok_r(0, ".", &more)));
		}
	}
	assert_true(n > 60);
}

/* Each model of the list has more than the architectural events, and none has another's. */
static void models_have_events(void **unused)
{
	(void)unused;
	pmu_unpack();
	for (const struct pmu_model *m = pmu_models; m->name; m++) {
		const struct pmu_table *t = family_tables[m->family];
		unsigned own = 0;

		for (unsigned i = 0; i < t->n; i++)
			own += (t->events[i].models & m->bit) &&
			       !(t->events[i].flags & PMU_EV_ARCH);
		if (own < 19)
			fail_msg("%s: %u events", pmu_names + m->name, own);
		assert_true(m->first <= m->last);
		assert_int_equal(m->bit & (m->bit - 1), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_there),
		cmocka_unit_test(names_are_keys),
		cmocka_unit_test(aliases_mean_events),
		cmocka_unit_test(models_have_events),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
