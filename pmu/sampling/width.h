/*
 * What the 32-bit and the 64-bit kernel have of sampling, each in its own way (width_32.c,
 * width_64.c).
 */
#ifndef PMU_SAMPLING_WIDTH_H
#define PMU_SAMPLING_WIDTH_H

#include "kernel/trap/trap.h"
#include "pmu/sampling/sampling.h"

/*
 * Returns the address of the instruction that the sampled code executes directly before the
 * instruction at `ip`. 0: none can precede it, or several can. NULL in the 32-bit kernel.
 */
extern uintptr_t (*const sampling_before)(const struct pmu_sampling *s, uintptr_t ip);

/* The registers of `f` in the order of struct pmu_sample. */
void sampling_regs(uintptr_t regs[PMU_SAMPLE_REGS], const struct trap_frame *f);

#endif
