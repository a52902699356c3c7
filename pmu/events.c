/*
 * Rows of the event tables (tables.h), read one at a time.
 */
#include "pmu/events.h"

#include "kernel/lib/string.h"
#include "pmu/tables.h"

uint64_t pmu_event_models(const struct pmu_table *t, unsigned i)
{
	return pmu_sets[pmu_row[t->first + i].set];
}

/*
 * A model has some hundred of several thousand events, so the way from each to the next is kept:
 * next_of[i] is the first from number i on, -1: none.
 */
static int16_t next_of[PMU_ROWS + 1];
static const struct pmu_table *next_table;
static uint64_t next_models;

static __attribute__((noinline)) void link_events(const struct pmu_table *t, uint64_t models)
{
	next_table = t;
	next_models = models;
	next_of[t->n] = -1;
	for (unsigned i = t->n; i--;)
		next_of[i] = pmu_event_models(t, i) & models ? (int16_t)i : next_of[i + 1];
}

int pmu_event_next(const struct pmu_hw *hw, unsigned i)
{
	const struct pmu_table *t = hw->driver->table;

	if (!t || i >= t->n)
		return -1;
	if (next_table != t || next_models != hw->models)
		link_events(t, hw->models);
	return next_of[i];
}

void pmu_event_at(const struct pmu_table *t, unsigned i, struct pmu_event *e)
{
	unsigned row = t->first + i;
	const struct pmu_row *r = &pmu_row[row];

	for (unsigned p = 0; p < PMU_PARTS; p++)
		e->part[p] = pmu_names + r->part[p];
	e->code = r->code;
	e->umask = r->umask;
	e->kind = &pmu_kinds[r->kind];
	e->has_value = row >= pmu_first_value;
	e->value = 0;
	if (!e->has_value)
		return;
	row -= pmu_first_value;
	e->value = pmu_value_low[row] | (uint64_t)pmu_value_middle[row] << 16 |
	           (uint64_t)pmu_value_high[row] << 48;
}

const char *pmu_event_name(const struct pmu_table *t, unsigned i)
{
	return pmu_names + pmu_row[t->first + i].part[0];
}

void pmu_event_text(const struct pmu_event *e, char *text, size_t size)
{
	size_t n = 0;

	for (unsigned p = 0; p < PMU_PARTS && *e->part[p]; p++) {
		if (p && n + 1 < size)
			text[n++] = '.';
		for (const char *s = e->part[p]; *s && n + 1 < size; s++)
			text[n++] = *s;
	}
	text[n] = 0;
}
