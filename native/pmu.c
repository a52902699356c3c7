/*
 * A Linux process has no counters: programming them needs CPL 0, which the ISO provides.
 */
#include "kernel/lib/string.h"
#include "pmu/pmu.h"
#include "pmu/request.h"
#include "pmu/sampling/sampling.h"
#include "pmu/sampling/stop.h"

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

bool pmu_add(struct pmu_group *group, const char *request, unsigned cpl)
{
	return pmu_single(group, request, cpl);
}

bool pmu_prove_again(void)
{
	return true;
}

bool pmu_prove_end(void)
{
	return true;
}

bool pmu_taken(void)
{
	return false;
}

bool pmu_counts(void)
{
	return true;
}

bool pmu_wait(void)
{
	return true;
}

uint64_t pmu_prove_ticks(void)
{
	return 0;
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

bool pmu_host_adds(const char *key)
{
	(void)key;
	return false;
}

bool pmu_counts_interrupts(const char *key)
{
	(void)key;
	return false;
}

bool pmu_registers(struct pmu_registers *r)
{
	(void)r;
	return false;
}

/* No interrupt of a counter reaches a process. */
const char *pmu_sampling_method(unsigned i)
{
	return i ? NULL : "iebs";
}

const char *pmu_sampling_open(struct pmu_sampling *s, unsigned method)
{
	(void)s;
	(void)method;
	return "a Linux process has no counters of its own";
}

bool pmu_sampling_start(struct pmu_sampling *s)
{
	(void)s;
	return false;
}

void pmu_sampling_stop(struct pmu_sampling *s)
{
	(void)s;
}

/* The list is never counted: it is one request as good as many. */
size_t pmu_request_length(const char *list)
{
	return strlen(list);
}

const char *pmu_stop_open(struct pmu_stopper *s)
{
	(void)s;
	return "a Linux process has no counters of its own";
}

bool pmu_stop_begin(struct pmu_stopper *s, uint64_t clocks)
{
	(void)s;
	(void)clocks;
	return false;
}

void pmu_stop_end(void)
{
}

void pmu_stop_close(struct pmu_stopper *s)
{
	(void)s;
}
