/*
 * What the 64-bit kernel has of sampling (pmu/sampling/width.h).
 */
#include "pmu/sampling/width.h"
#include "pmu/sampling/branches.h"
#include "pmu/sampling/operand.h"

void sampling_regs(uintptr_t regs[PMU_SAMPLE_REGS], const struct trap_frame *f)
{
	const uintptr_t r[] = { f->ax, f->cx, f->dx,  f->bx,  f->sp,  f->bp,  f->si,  f->di,
		                f->r8, f->r9, f->r10, f->r11, f->r12, f->r13, f->r14, f->r15 };

	for (unsigned i = 0; i < sizeof(r) / sizeof(r[0]); i++)
		regs[i] = r[i];
}

/* All of the code is looked at: a branch may come from anywhere. */
static uintptr_t before(const struct pmu_sampling *s, uintptr_t ip)
{
	uintptr_t cause = 0;
	struct operand_flow f;

	for (uintptr_t at = s->code; at - s->code < s->code_size; at += f.length) {
		f = operand_flow((const uint8_t *)at, true);
		if (f.anywhere || (at < ip && ip < at + f.length))
			return 0;
		if (f.target != ip && !(f.falls && at + f.length == ip))
			continue;
		if (cause)
			return 0;
		cause = at;
	}
	return cause;
}

uintptr_t (*const sampling_before)(const struct pmu_sampling *s, uintptr_t ip) = before;
