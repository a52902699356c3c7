/*
 * One more event for a group that is planned already (pmu/pmu.h).
 */
#include "kernel/lib/string.h"
#include "pmu/internal.h"
#include "pmu/request.h"
#include "pmu/solve.h"

static struct pmu_config ways[PMU_CONFIGS];

/* Counters that no slot of the group has or blocks. */
static uint32_t free_counters(const struct pmu_group *g)
{
	uint32_t left = pmu_hw.usable;

	for (unsigned i = 0; i < g->n; i++)
		left &= ~((uint32_t)1 << g->slots[i].counter | g->slots[i].blocks);
	return left;
}

bool pmu_add(struct pmu_group *g, const char *request, unsigned cpl)
{
	char key[PMU_KEY];
	struct pmu_ways one = { 0, ways };
	struct pmu_place place;
	const uint16_t member = 0;

	if (g->n == PMU_SLOTS || g->other || !pmu_hw.ncounters ||
	    (pmu_hw.cpu->pmu_class != PMU_CLASS_ARCH && pmu_hw.cpu->pmu_class != PMU_CLASS_AMD))
		return false;
	one.n = pmu_request(&pmu_hw, request, strlen(request), cpl, key, ways, NULL);
	if (!one.n || !pmu_fit(&one, &member, 1, free_counters(g), &place))
		return false;
	for (unsigned i = 0; i < g->n; i++)
		if (!strcmp(g->slots[i].key, key) ||
		    ways[place.config].blocks >> g->slots[i].counter & 1)
			return false;
	g->slots[g->n] = (struct pmu_slot){ 0 };
	pmu_slot_fill(&pmu_hw, &g->slots[g->n++], key, &ways[place.config], place.counter);
	return true;
}
