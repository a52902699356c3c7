/*
 * Which instruction comes before another (pmu/sampling/internal.h). The CPUs that need this have
 * 64-bit mode.
 */
#include "pmu/sampling/internal.h"
#include "pmu/sampling/operand.h"

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
