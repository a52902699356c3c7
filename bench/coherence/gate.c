/*
 * Where the members of a crew wait for each other (bench/coherence/crew.h).
 */
#include "bench/coherence/crew.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"

enum { LOOKS = 4096 }; /* at the count, before the time is looked at */

/* Where the rate of the TSC is not known it is taken to be this, Hz: too long is no harm. */
static const uint64_t fast_tsc = 4000000000;

bool crew_enough(const char *bench, unsigned n)
{
	if (crew_size() >= n)
		return true;
	log_begin("skip");
	log_str("bench", bench);
	log_str("why", n > 2 ? "needs four CPUs" : "needs two CPUs");
	log_end();
	return false;
}

void gate_init(struct gate *g, unsigned members, uint64_t tsc_hz)
{
	g->arrived = 0;
	g->given_up = false;
	g->members = members;
	g->patience = (tsc_hz ? tsc_hz : fast_tsc) / 1000 * crew_patience_ms;
}

static bool all_here(const struct gate *g, uint32_t times)
{
	return (int32_t)(g->arrived - times * g->members) >= 0;
}

bool gate_pass(struct gate *g, uint32_t *times)
{
	uint64_t start = x86_rdtsc();

	asm volatile("lock incl %0" : "+m"(g->arrived) : : "memory", "cc");
	++*times;
	while (!g->given_up) {
		for (unsigned i = 0; i < LOOKS; i++) {
			if (all_here(g, *times))
				return true;
			x86_pause();
		}
		if (x86_rdtsc() - start > g->patience)
			g->given_up = true;
	}
	return false;
}

bool gate_wait(struct gate *g, const volatile uint32_t *word, uint32_t value)
{
	uint64_t start = x86_rdtsc();

	while (!g->given_up) {
		for (unsigned i = 0; i < LOOKS; i++)
			if (*word == value)
				return true;
		if (x86_rdtsc() - start > g->patience)
			g->given_up = true;
	}
	return false;
}
