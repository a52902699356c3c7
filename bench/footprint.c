/*
 * Footprints (bench/footprint.h).
 */
#include <stddef.h>

#include "bench/footprint.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

enum {
	TIMES = 4,        /* the last cache: of a walk around, true LRU keeps no line then */
	LEAST_MIB = 8,    /* the largest cache of a board had 2 MiB */
	LATENCY_GIB = 1,  /* latency.* goes so far */
	SHARING_GIB = 64, /* sharing.* has use for so much at most */
};

static const struct cpu_cache *last_cache(const struct cpu *cpu)
{
	const struct cpu_cache *c = NULL;

	for (unsigned level = 3; level && !c; level--)
		c = cpu_data_cache(cpu, level);
	return c;
}

uint64_t footprint_last(const struct cpu *cpu)
{
	const struct cpu_cache *c = last_cache(cpu);

	return c ? c->size : 0;
}

unsigned footprint_shared_bits(const struct cpu *cpu)
{
	const struct cpu_cache *c = last_cache(cpu);
	unsigned bits = 0;

	if (!c || !c->shared_by)
		return 32;
	while (1u << bits < c->shared_by)
		bits++;
	return bits;
}

uint64_t footprint_memory(const struct cpu *cpu)
{
	uint64_t all = TIMES * footprint_last(cpu);

	return all > LEAST_MIB * MIB ? all : LEAST_MIB * MIB;
}

uint64_t footprint_most(const struct cpu *cpu, unsigned cpus)
{
	const struct cpu_cache *last = last_cache(cpu);
	unsigned caches = last && last->shared_by ? (cpus - 1) / last->shared_by + 1 : 1;
	uint64_t most = footprint_memory(cpu), all = caches * most;

	if (all > SHARING_GIB * GIB)
		all = SHARING_GIB * GIB;
	if (all > most)
		most = all;
	return most > LATENCY_GIB * GIB ? most : LATENCY_GIB * GIB;
}
