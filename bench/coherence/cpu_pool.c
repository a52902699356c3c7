/*
 * The CPUs of the bare machine (bench/coherence/cpu_pool.h).
 */
#include <stddef.h>

#include "bench/coherence/cpu_pool.h"
#include "kernel/smp/smp.h"

/* An emulator may lose its CPU for a while. */
const uint32_t cpu_pool_patience_ms = 20000;

/* All that a benchmark may take: each wait of its members ends much earlier. */
enum { LIMIT_MS = 60000 };

static struct {
	void (*work)(void *data, unsigned member);
	void *data;
} pool;

static uint16_t numbers[CPU_POOL_MAX]; /* of the CPUs that are ready */

unsigned cpu_pool_size(void)
{
	unsigned n = 0, all = smp_start();

	smp_complain();
	for (unsigned i = 0; i < all; i++)
		if (smp_cpu(i)->state == SMP_READY)
			numbers[n++] = (uint16_t)i;
	return n;
}

uint32_t cpu_pool_name(unsigned i)
{
	return numbers[i];
}

uint32_t cpu_pool_apic(unsigned i)
{
	return smp_cpu(numbers[i])->id;
}

uint32_t cpu_pool_stolen(unsigned i)
{
	return smp_stolen(numbers[i]);
}

static void begin(void *member)
{
	pool.work(pool.data, (unsigned)(uintptr_t)member);
}

const char *cpu_pool_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                         void *data)
{
	static struct smp_job jobs[CPU_POOL_MAX];

	pool.work = work;
	pool.data = data;
	for (unsigned i = 0; i < n; i++)
		jobs[i] = (struct smp_job){ .cpu = numbers[who[i]],
			                    .fn = begin,
			                    .arg = (void *)(uintptr_t)i };
	return smp_run(jobs, n, LIMIT_MS, "coherence") ? NULL : "a CPU did not come back";
}
