/*
 * The levels of the data caches: their sizes, and the times of their hits and misses, found by
 * loads of one set (bench/datasheet/cache_set.h).
 */
#ifndef BENCH_DATASHEET_LEVEL_H
#define BENCH_DATASHEET_LEVEL_H

#include "bench/datasheet/cache_set.h"

enum {
	CACHE_LEVELS = 2,               /* that are found */
	CACHE_LEVEL_APART_LEAST = 4096, /* bytes between blocks: less is no use */
	CACHE_LEVEL_SECOND_SET = 2048,  /* bytes from the looked at set to another one */
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

/* Level `number`, below CACHE_LEVELS; it and those before it are measured once in a run. */
struct cache_level *cache_level_of(const struct bench_run *run, unsigned number);

#endif
