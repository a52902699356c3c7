/*
 * Rows of the event tables (tables.h), read one at a time.
 */
#include "pmu/events.h"

#include "kernel/lib/string.h"
#include "pmu/tables.h"

/* The columns of ranks as values. */
static uint16_t part0[PMU_ROWS], part1[PMU_ROWS], kind_of[PMU_ROWS], set_of[PMU_ROWS];

/* Turns ranks into values. *text is the first text of the column; NULL: it has numbers. */
static void unrank(uint16_t *column, const uint8_t *packed, const char **text)
{
	/*
	 * A list, last used first, that begins in next[BEFORE]. What the column before left there
	 * lies behind the new values, where no rank reaches.
	 */
	enum { BEFORE = PMU_DISTINCT };
	static uint16_t value[PMU_DISTINCT], next[PMU_DISTINCT + 1];
	uint16_t n = 0;

	for (unsigned i = 0; i < pmu_rows; i++) {
		unsigned rank = *packed++;
		uint16_t at = n, before = BEFORE;

		if (rank == 255) {
			rank = packed[0] | packed[1] << 8;
			packed += 2;
		}
		if (rank) {
			for (; rank > 4; rank -= 4)
				before = next[next[next[next[before]]]];
			while (--rank)
				before = next[before];
			at = next[before];
			next[before] = next[at];
		} else {
			value[n++] = text ? (uint16_t)(*text - pmu_names) : at;
			if (text)
				*text += strlen(*text) + 1;
		}
		next[at] = next[BEFORE];
		next[BEFORE] = at;
		column[i] = value[at];
	}
}

static bool unpacked; /* the columns of ranks are values */

static void unpack(void)
{
	const char *text = pmu_names + 1;

	unpacked = true;
	unrank(part0, pmu_part0, &text);
	unrank(part1, pmu_part1, &text);
	unrank(kind_of, pmu_kind_of, NULL);
	unrank(set_of, pmu_set_of, NULL);
}

uint64_t pmu_event_models(const struct pmu_table *t, unsigned i)
{
	if (!unpacked)
		unpack();
	return pmu_sets[set_of[t->first + i]];
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

	if (!unpacked)
		unpack();
	e->part[0] = pmu_names + part0[row];
	e->part[1] = pmu_names + part1[row];
	e->part[2] = pmu_names + pmu_part2[row];
	e->code = pmu_code[row];
	e->umask = pmu_umask[row];
	e->kind = &pmu_kinds[kind_of[row]];
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
	if (!unpacked)
		unpack();
	return pmu_names + part0[t->first + i];
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
