/*
 * What all ways of sampling have in common (pmu/sampling/sampling.h).
 */
#include "pmu/internal.h"
#include "pmu/sampling/branches.h"
#include "pmu/sampling/group.h"
#include "pmu/sampling/interrupt.h"
#include "pmu/sampling/sampler.h"
#include "pmu/sampling/width.h"

const char *pmu_sampling_method(unsigned i)
{
	return pmu_samplers[i] ? pmu_samplers[i]->name : NULL;
}

const char *sampling_obstacle(const char *event, unsigned cpl)
{
	static struct pmu_group group;

	if (!pmu_hw.ncounters)
		return "no counter of this machine counts";
	if (!sampling_field(PMU_INT))
		return "the counters of this CPU have no overflow interrupt";
	if (!pmu_single(&group, event, cpl))
		return "the event cannot be counted here; events= with it says why";
	pmu_find_empty(&group);
	if (group.slots[0].empty)
		return "the simulator does not derive the event: it would have no samples";
	return perf_interrupt_obstacle();
}

const char *pmu_sampling_open(struct pmu_sampling *s, unsigned method)
{
	const char *why = sampling_obstacle(s->event, s->cpl);

	s->sampler = pmu_samplers[method];
	s->nmi = s->cpl == 0;
	if (!why && s->after && s->sampler != &pmu_iebs)
		why = "after= is for samples by interrupt";
	if (!why)
		why = s->sampler->open(s);
	if (!why && s->branches)
		why = sampling_branches ? sampling_branches->open(s)
		                        : "branches= is for the 64-bit kernel";
	return why;
}

bool pmu_sampling_start(struct pmu_sampling *s)
{
	s->samples = s->late = s->elsewhere = s->lost = s->spurious = s->lag = s->events =
		s->control = 0;
	s->storm = false;
	if (s->branches && !sampling_branches->start()) {
		sampling_branches->stop();
		return false;
	}
	s->running = true;
	if (s->sampler->start(s))
		return true;
	pmu_sampling_stop(s);
	return false;
}

void pmu_sampling_stop(struct pmu_sampling *s)
{
	if (s->running)
		s->sampler->stop(s);
	if (s->running && s->branches)
		sampling_branches->stop();
	s->running = false;
}
