/*
 * What the other files of pmu/ stand on: the PMU of this CPU, what the lists of tables.h say about
 * it, and the accesses to its registers that are the same for all families.
 */
#include "kernel/cpu/msr.h"
#include "kernel/string.h"
#include "pmu/events.h"
#include "pmu/internal.h"
#include "pmu/tables.h"

struct pmu_hw pmu_hw = { .driver = &pmu_none };

void pmu_find_model(struct pmu_hw *hw, const char *family, const struct cpu *cpu)
{
	hw->model = 0;
	hw->models = PMU_MODEL_UNKNOWN;
	for (const struct pmu_model *m = pmu_models; m->name; m++) {
		if (strcmp(pmu_families[m->family], family) || m->vendor != cpu->vendor ||
		    m->cpu_family != cpu->family || cpu->model < m->first || cpu->model > m->last ||
		    cpu->stepping < m->first_stepping || cpu->stepping > m->last_stepping ||
		    (m->core_type && m->core_type != cpu->core_type) ||
		    (m->native && m->native != cpu->native_model))
			continue;
		hw->model = pmu_names + m->name;
		hw->models = 1ull << m->bit;
		return;
	}
}

static bool alias_of_family(const struct pmu_alias *a)
{
	return !strcmp(pmu_families[a->family], pmu_hw.driver->name);
}

const char *pmu_exact_alias(unsigned i)
{
	for (const struct pmu_alias *a = pmu_aliases; a->name; a++)
		if (a->exact && alias_of_family(a) && !i--)
			return pmu_names + a->name;
	return 0;
}

/* A row of the errata names an event with all its masks and filters, or an event with one mask. */
static bool concerns(const char *row, const char *key)
{
	while (*row && *row == *key) {
		row++;
		key++;
	}
	return !*row && (!*key || *key == '.' || *key == ':');
}

const char *pmu_erratum(const char *key)
{
	const struct pmu_hw *hw = &pmu_hw;
	const struct pmu_table *t = hw->driver->table;
	char name[PMU_KEY];
	struct pmu_event event;

	for (const struct pmu_erratum *e = pmu_errata; e->event; e++)
		if ((e->models & hw->models) && concerns(pmu_names + e->event, key) &&
		    !strcmp(pmu_families[e->family], hw->driver->name))
			return pmu_names + e->what;
	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, i + 1)) {
		if (!concerns(pmu_event_name(t, i), key))
			continue;
		pmu_event_at(t, i, &event);
		pmu_event_text(&event, name, sizeof(name));
		if (event.kind->errata && concerns(name, key))
			return pmu_names + event.kind->errata;
	}
	return 0;
}

bool pmu_write_extra(const struct pmu_group *group)
{
	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_slot *s = &group->slots[i];

		for (unsigned k = 0; k < s->nextra; k++)
			if (s->extra[k].msr < PMU_CLAIM &&
			    !msr_write(s->extra[k].msr, s->extra[k].value))
				return false;
	}
	return true;
}

void pmu_slot_fill(const struct pmu_hw *hw, struct pmu_slot *slot, const char *key,
                   const struct pmu_config *config, unsigned counter)
{
	const struct pmu_counter *c = &hw->counter[counter];

	memcpy(slot->key, key, strlen(key) + 1);
	slot->counter = (uint8_t)counter;
	slot->width = c->width;
	slot->access = c->access;
	slot->index = c->index;
	slot->select = config->select;
	slot->from = 0;
	slot->nextra = config->nextra;
	for (unsigned i = 0; i < config->nextra; i++)
		slot->extra[i] = config->extra[i];
}

bool pmu_counter_read(const struct pmu_hw *hw, unsigned counter, uint64_t *value)
{
	const struct pmu_counter *c = &hw->counter[counter];
	bool ok = c->access == PMU_RDMSR ? msr_read(c->index, value) : pmc_read(c->index, value);

	if (c->width < 64)
		*value &= (1ull << c->width) - 1;
	return ok;
}
