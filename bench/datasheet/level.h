/*
 * The levels of the data caches: their sizes, and the times of their hits and misses, found by
 * loads of one set (bench/datasheet/cache_set.h).
 */
#ifndef BENCH_DATASHEET_LEVEL_H
#define BENCH_DATASHEET_LEVEL_H

#include "bench/datasheet/cache_set.h"

enum {
	CACHE_LEVELS = 2,              /* that are found */
	CACHE_LEVEL_SECOND_SET = 2048, /* bytes from the looked at set to another one */
};

struct cache_level {
	unsigned number; /* 0 is the first level */
	struct cache_set set;
	struct cache_set_scale scale;
	unsigned ways;       /* 0: no sizes were found */
	uintptr_t way, line; /* bytes */
	bool done;
	bool unclear;    /* two or more repeats of some measurement were unlike the others */
	const char *why; /* there are no sizes */
};

/* The reason why no level can be measured here; NULL: they can be. */
const char *cache_level_obstacle(const struct cpu *cpu, const struct bench_area *area);

/* Level `number`, below CACHE_LEVELS; it and those before it are measured once in a run. */
struct cache_level *cache_level_of(const struct bench_run *run, unsigned number);

/*
 * Does a set have all the ways of its level for blocks, the first of which is at `first`? False:
 * code, the stack or a device uses the set too. The level must have ways.
 */
bool cache_level_is_free(const struct bench_run *run, struct cache_level *c, uint8_t *first);

#endif
