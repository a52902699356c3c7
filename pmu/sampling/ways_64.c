/*
 * The ways of sampling that the 64-bit kernel has (pmu/sampling/internal.h).
 */
#include "pmu/sampling/internal.h"

const struct pmu_sampler *const pmu_samplers[] = { &pmu_iebs,   &pmu_pebs,      &pmu_prec_dist,
	                                           &pmu_ibs_op, &pmu_ibs_fetch, NULL };
