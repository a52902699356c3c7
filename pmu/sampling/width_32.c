/*
 * What the 32-bit kernel has of sampling (pmu/sampling/width.h).
 */
#include "pmu/sampling/width.h"
#include "pmu/sampling/branches.h"

uintptr_t (*const sampling_before)(const struct pmu_sampling *s, uintptr_t ip) = NULL;

const struct sampling_branches *const sampling_branches = NULL;

void sampling_regs(uintptr_t regs[PMU_SAMPLE_REGS], const struct trap_frame *f)
{
	const uintptr_t r[] = { f->ax, f->cx, f->dx, f->bx, f->sp, f->bp, f->si, f->di };

	for (unsigned i = 0; i < sizeof(r) / sizeof(r[0]); i++)
		regs[i] = r[i];
}
