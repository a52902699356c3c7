/*
 * Samples of a guest (bench/engine/guest.h).
 */
#include "bench/engine/guest.h"
#include "kernel/string.h"

enum { ALL = 8 }; /* samples that stand for all */

static char instructions[PMU_KEY]; /* "": this CPU does not count them */

void guest_init(void)
{
	static struct pmu_group g;

	instructions[0] = 0;
	if (pmu_single(&g, "instructions", 0))
		memcpy(instructions, g.slots[0].key, sizeof(instructions));
}

int guest_slot(const struct pmu_group *group)
{
	for (unsigned i = 0; group && *instructions && i < group->n; i++)
		if (!strcmp(group->slots[i].key, instructions) && !group->slots[i].still)
			return (int)i;
	return GUEST_NONE;
}

uint64_t guest_most(const uint64_t *v, uint32_t n)
{
	uint32_t best = 0, times = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t alike = 0;

		for (uint32_t k = 0; k < n; k++)
			alike += v[k] == v[i];
		if (alike > times) {
			times = alike;
			best = i;
		}
	}
	return v[best];
}

bool guest_keeps(struct guest_watch *w, uint64_t insns)
{
	if (w->insns == GUEST_NONE || insns >= w->expected) {
		w->kept++;
		return true;
	}
	w->same = (!w->stood || (w->same && insns == w->last)) && insns >= w->bracket;
	w->last = insns;
	w->stood++;
	if (w->kept || w->stood < ALL || !w->same)
		return false;
	w->stood = 0;
	w->insns = GUEST_NONE;
	return false;
}
