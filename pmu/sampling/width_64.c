/*
 * What sampling has in the 64-bit kernel (pmu/sampling/internal.h).
 */
#include "pmu/sampling/internal.h"

void sampling_regs(uintptr_t regs[PMU_SAMPLE_REGS], const struct trap_frame *f)
{
	const uintptr_t r[] = { f->ax, f->cx, f->dx,  f->bx,  f->sp,  f->bp,  f->si,  f->di,
		                f->r8, f->r9, f->r10, f->r11, f->r12, f->r13, f->r14, f->r15 };

	for (unsigned i = 0; i < sizeof(r) / sizeof(r[0]); i++)
		regs[i] = r[i];
}
