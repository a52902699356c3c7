/*
 * sim/pmu/denied.c - events that a hypervisor filters.
 *
 * Source: Linux, Documentation/virt/kvm/api.rst, KVM_SET_PMU_EVENT_FILTER. A list of events is
 * allowed or denied; bit n of fixed_counter_bitmap is the same for fixed counter n, whatever its
 * event is in the list.
 */
#include "sim/pmu/internal.h"

static void list(struct sim_pmu_listed *l, bool fixed, uint32_t code, uint32_t umask)
{
	if (l->count == SIM_LISTED_MAX)
		return;
	if (fixed)
		l->fixed |= 1u << (code & 31);
	/* a fixed counter takes a place that no encoding is equal to */
	l->event[l->count].code = fixed ? UINT32_MAX : code;
	l->event[l->count++].umask = umask;
}

void sim_pmu_deny(struct sim_pmu *pmu, bool fixed, uint32_t code, uint32_t umask)
{
	list(&pmu->denied, fixed, code, umask);
}

void sim_pmu_allow(struct sim_pmu *pmu, bool fixed, uint32_t code, uint32_t umask)
{
	list(&pmu->allowed, fixed, code, umask);
}

static bool listed(const struct sim_pmu_listed *l, const struct sim_pmu *pmu,
                   const struct pmu_counter *c)
{
	size_t number = (size_t)(c - pmu->counter);

	if (pmu->model->kind == SIM_PMU_ARCH && number >= PMU_FIRST_FIXED)
		return l->fixed >> (number - PMU_FIRST_FIXED) & 1;
	for (unsigned i = 0; c->filter.chosen && i < l->count; i++)
		if (l->event[i].code == c->filter.code && l->event[i].umask == c->filter.umask)
			return true;
	return false;
}

bool pmu_denied(const struct sim_pmu *pmu, const struct pmu_counter *c)
{
	return listed(&pmu->denied, pmu, c) ||
	       (pmu->allowed.count && !listed(&pmu->allowed, pmu, c));
}
