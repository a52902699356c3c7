/*
 * Which CPUs measure (bench/threads/cpuset.h).
 */
#include "bench/threads/cpuset.h"
#include "kernel/smp/smp.h"

static bool fits(enum args_threads mode, unsigned a, unsigned b)
{
	switch (mode) {
	case THREADS_CORE:
		return smp_same_core(a, b);
	case THREADS_CORES:
		return !smp_same_core(a, b) && smp_same_kind(a, b);
	case THREADS_HYBRID:
		return !smp_same_kind(a, b);
	default:
		return false;
	}
}

static bool ready(unsigned i)
{
	return smp_cpu(i)->state == SMP_READY;
}

static unsigned pick_pair(enum args_threads mode, uint16_t *cpu)
{
	for (unsigned a = 0; a < smp_count(); a++)
		for (unsigned b = a + 1; ready(a) && b < smp_count(); b++)
			if (ready(b) && fits(mode, a, b)) {
				cpu[0] = (uint16_t)a;
				cpu[1] = (uint16_t)b;
				return 2;
			}
	return 0;
}

unsigned cpuset_pick(enum args_threads mode, uint16_t *cpu, unsigned most, const char **why)
{
	static const char *const lacks[] = {
		[THREADS_CORE] = "no two CPUs that are ready are threads of one core",
		[THREADS_CORES] = "no two CPUs that are ready are cores of one kind",
		[THREADS_HYBRID] = "no two CPUs that are ready are cores of different kinds",
		[THREADS_ALL] = "no other CPU is ready",
	};
	unsigned n = 0;

	if (mode != THREADS_ALL)
		n = pick_pair(mode, cpu);
	else
		for (unsigned i = 0; i < smp_count() && n < most; i++)
			if (ready(i))
				cpu[n++] = (uint16_t)i;
	*why = lacks[mode];
	return n > 1 ? n : 0;
}
