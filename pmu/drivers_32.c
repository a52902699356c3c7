/* Families that the 32-bit kernel can meet: all. */
#include "pmu/internal.h"

const struct pmu_driver *const pmu_drivers[] = {
	&pmu_p5, &pmu_p6, &pmu_netburst, &pmu_arch, &pmu_amd, &pmu_none, 0,
};
