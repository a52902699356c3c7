/*
 * The ways of sampling that the 64-bit kernel has (pmu/sampling/sampler.h), and the way that no
 * other kernel has.
 */
#include "pmu/internal.h"
#include "pmu/sampling/sampler.h"

/*
 * Precise distribution of instructions (SDM volume 3B, "Precise Distribution of Instructions
 * Retired (PDIR)"): PEBS of an event of its own, whose records do not gather behind slow
 * instructions. It is on counter 1 from Sandy Bridge on, on fixed counter 0 from Ice Lake on.
 */
#define MSR_FIXED_CTR0 0x309

static bool counts_instructions(const struct pmu_slot *slot)
{
	return pmu_hw.driver == &pmu_arch && (pmu_hw.counter[slot->counter].msr == MSR_FIXED_CTR0 ||
	                                      (slot->select & 0xffff) == 0xc0);
}

static const char *open(struct pmu_sampling *s)
{
	const char *event = s->event, *why;

	if (!pmu_single(&s->group, event, s->cpl) || !counts_instructions(&s->group.slots[0]))
		return "it samples instructions alone, on Intel's CPUs";
	s->event = "INST_RETIRED.PREC_DIST";
	why = pmu_single(&s->group, s->event, s->cpl) ? pmu_pebs.open(s)
	                                              : "INST_RETIRED.PREC_DIST is not there";
	s->event = event;
	return why;
}

static bool start(struct pmu_sampling *s)
{
	return pmu_pebs.start(s);
}

static void stop(struct pmu_sampling *s)
{
	pmu_pebs.stop(s);
}

const struct pmu_sampler pmu_prec_dist = {
	.name = "prec-dist",
	.open = open,
	.start = start,
	.stop = stop,
};

const struct pmu_sampler *const pmu_samplers[] = { &pmu_iebs,   &pmu_pebs,      &pmu_prec_dist,
	                                           &pmu_ibs_op, &pmu_ibs_fetch, NULL };
