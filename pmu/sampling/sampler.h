/*
 * The ways of sampling (pmu/sampling/sampling.h), and what sampling.c has for them.
 */
#ifndef PMU_SAMPLING_SAMPLER_H
#define PMU_SAMPLING_SAMPLER_H

#include "pmu/sampling/sampling.h"

/*
 * One way to sample. open() finds counters for s->event and returns NULL, or the reason why the
 * event cannot be sampled. start() returns false if a register could not be written. stop() may be
 * called at any time after open().
 */
struct pmu_sampler {
	const char *name;
	const char *(*open)(struct pmu_sampling *s);
	bool (*start)(struct pmu_sampling *s);
	void (*stop)(struct pmu_sampling *s);
};

extern const struct pmu_sampler pmu_iebs, pmu_pebs, pmu_prec_dist, pmu_ibs_op, pmu_ibs_fetch;

/* The ways that the kernel has, best known first, and NULL. */
extern const struct pmu_sampler *const pmu_samplers[];

/* The reason why the event can have no overflow interrupt; NULL: it can. */
const char *sampling_obstacle(const char *event, unsigned cpl);

#endif
