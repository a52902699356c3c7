/*
 * A Linux process has no counters: programming them needs CPL 0, which the ISO provides.
 */
#include "pmu/pmu.h"

bool pmu_start(const struct pmu_group *group)
{
	(void)group;
	return false;
}

bool pmu_intact(void)
{
	return true;
}

void pmu_stop(void)
{
}

const char *pmu_name(void)
{
	return "none";
}

bool pmu_single(struct pmu_group *group, const char *request, unsigned cpl)
{
	(void)group;
	(void)request;
	(void)cpl;
	return false;
}

const char *pmu_exact_alias(unsigned i)
{
	(void)i;
	return 0;
}

const char *pmu_erratum(const char *event)
{
	(void)event;
	return 0;
}

bool pmu_registers(struct pmu_registers *r)
{
	(void)r;
	return false;
}
