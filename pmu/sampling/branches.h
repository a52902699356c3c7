/*
 * The last branches before a sample, which the CPU records.
 */
#ifndef PMU_SAMPLING_BRANCHES_H
#define PMU_SAMPLING_BRANCHES_H

#include "pmu/sampling/sampling.h"

/*
 * open() is called after that of the sampler, and returns NULL, or the reason why this CPU records
 * no branches. start() returns false if a register could not be written; stop() puts back the
 * registers that start() changed. read() fills `branches` and `nbranches`. The pointer is NULL in
 * the 32-bit kernel.
 */
struct sampling_branches {
	const char *(*open)(struct pmu_sampling *s);
	bool (*start)(void);
	void (*stop)(void);
	void (*read)(struct pmu_sample *out);
};

extern const struct sampling_branches *const sampling_branches;

#endif
