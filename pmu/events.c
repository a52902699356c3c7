/*
 * Rows of the event tables (tables.h), read one at a time.
 */
#include "pmu/events.h"

#include "kernel/string.h"
#include "pmu/tables.h"

bool pmu_event_exists(const struct pmu_hw *hw, unsigned i)
{
	return pmu_sets[pmu_set_of[hw->driver->table->first + i]] & hw->models;
}

void pmu_event_at(const struct pmu_table *t, unsigned i, struct pmu_event *e)
{
	unsigned row = t->first + i;

	e->part[0] = pmu_names + pmu_part0[row];
	e->part[1] = pmu_names + pmu_part1[row];
	e->part[2] = pmu_names + pmu_part2[row];
	e->code = pmu_code[row];
	e->umask = pmu_umask[row];
	e->kind = &pmu_kinds[pmu_kind_of[row]];
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
	return pmu_names + pmu_part0[t->first + i];
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
