/*
 * The ways of sampling that the 32-bit kernel has (pmu/sampling/sampler.h).
 */
#include "pmu/sampling/sampler.h"

const struct pmu_sampler *const pmu_samplers[] = { &pmu_iebs, &pmu_pebs, &pmu_ibs_op,
	                                           &pmu_ibs_fetch, NULL };
