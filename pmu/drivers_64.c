/* Families that have 64-bit mode. */
#include "pmu/internal.h"

const struct pmu_driver *const pmu_drivers[] = {
	&pmu_netburst, &pmu_arch, &pmu_amd, &pmu_none, 0,
};
