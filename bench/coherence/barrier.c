/*
 * Where the members of a pool wait for each other (bench/coherence/cpu_pool.h).
 */
#include "bench/coherence/cpu_pool.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"

enum { LOOKS = 4096 }; /* at the count, before the time is looked at */

/* Where the rate of the TSC is not known it is taken to be this, Hz: too long is no harm. */
static const uint64_t fast_tsc = 4000000000;

bool cpu_pool_enough(const char *bench, unsigned n)
{
	if (cpu_pool_size() >= n)
		return true;
	log_begin("skip");
	log_str("bench", bench);
	log_str("why", n > 2 ? "needs four CPUs" : "needs two CPUs");
	log_end();
	return false;
}

void barrier_init(struct barrier *b, unsigned members, uint64_t tsc_hz)
{
	b->arrived = 0;
	b->given_up = false;
	b->members = members;
	b->patience = (tsc_hz ? tsc_hz : fast_tsc) / 1000 * cpu_pool_patience_ms;
}

static bool all_here(const struct barrier *b, uint32_t times)
{
	return (int32_t)(b->arrived - times * b->members) >= 0;
}

bool barrier_pass(struct barrier *b, uint32_t *times)
{
	uint64_t start = x86_rdtsc();

	asm volatile("lock incl %0" : "+m"(b->arrived) : : "memory", "cc");
	++*times;
	while (!b->given_up) {
		for (unsigned i = 0; i < LOOKS; i++) {
			if (all_here(b, *times))
				return true;
			x86_pause();
		}
		if (x86_rdtsc() - start > b->patience)
			b->given_up = true;
	}
	return false;
}

bool barrier_wait(struct barrier *b, const volatile uint32_t *word, uint32_t value)
{
	uint64_t start = x86_rdtsc();

	while (!b->given_up) {
		for (unsigned i = 0; i < LOOKS; i++)
			if (*word == value)
				return true;
		if (x86_rdtsc() - start > b->patience)
			b->given_up = true;
	}
	return false;
}
