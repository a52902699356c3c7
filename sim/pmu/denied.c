/*
 * sim/pmu/denied.c - events that a hypervisor filters (KVM_SET_PMU_EVENT_FILTER of Linux).
 */
#include "sim/pmu/internal.h"

void sim_pmu_deny(struct sim_pmu *pmu, bool fixed, uint32_t code, uint32_t umask)
{
	if (pmu->denied_count == SIM_DENIED_MAX)
		return;
	if (fixed)
		pmu->denied_fixed |= 1u << (code & 31);
	/* a fixed counter takes a place that no encoding is equal to */
	pmu->denied[pmu->denied_count].code = fixed ? UINT32_MAX : code;
	pmu->denied[pmu->denied_count++].umask = umask;
}

bool pmu_denied(const struct sim_pmu *pmu, const struct pmu_counter *c)
{
	size_t number = (size_t)(c - pmu->counter);

	if (pmu->model->kind == SIM_PMU_ARCH && number >= PMU_FIRST_FIXED)
		return pmu->denied_fixed >> (number - PMU_FIRST_FIXED) & 1;
	for (unsigned i = 0; c->filter.chosen && i < pmu->denied_count; i++)
		if (pmu->denied[i].code == c->filter.code &&
		    pmu->denied[i].umask == c->filter.umask)
			return true;
	return false;
}
