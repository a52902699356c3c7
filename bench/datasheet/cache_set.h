/*
 * One set of a data cache: a sequence of loads of its blocks, and the time of each. Method: A. Abel
 * and J. Reineke, "Measurement-based Modeling of the Cache Replacement Policy" (RTAS 2013) and
 * "nanoBench" (ISPASS 2020).
 */
#ifndef BENCH_DATASHEET_CACHE_SET_H
#define BENCH_DATASHEET_CACHE_SET_H

#include "bench/engine/engine.h"

enum {
	CACHE_SET_STEPS = 96,  /* loads of a sequence */
	CACHE_SET_REPEATS = 8, /* of a sequence */
	CACHE_SET_MOST = 40,   /* blocks */
	CACHE_SET_LINE_MOST = 256,
	CACHE_SET_WAY_LEAST = 2048, /* bytes; the table of the loads lies in sets below */
};

/*
 * Blocks that lie so far apart that they share a set. Between two loads lines of the same set of
 * the first level are loaded, if there are any, so that it has forgotten the block.
 */
struct cache_set {
	uint8_t *first;        /* block 0 */
	uintptr_t apart;       /* bytes between two blocks */
	uintptr_t shift;       /* odd blocks lie so many bytes further on */
	unsigned blocks;       /* that may be used */
	unsigned chain;        /* lines between two loads; 0: the first level is measured */
	uintptr_t chain_apart; /* bytes of a way of the first level */
};

/* Bytes from the first block to the end of all lines. */
uintptr_t cache_set_size(const struct cache_set *s);

/* A sequence, and what it has shown. */
struct cache_sequence {
	unsigned n;                       /* loads */
	uint8_t block[CACHE_SET_STEPS];   /* of each */
	uint8_t repeats[CACHE_SET_STEPS]; /* of CACHE_SET_REPEATS: those with a hit */
	uint8_t near[CACHE_SET_STEPS];    /* ... and those in which the level before had it */
	unsigned again;                   /* in: from this load on all are expected to hit; out: */
	unsigned all;                     /* repeats in which they did */
};

/* Where block 0 can lie within CACHE_SET_WAY_LEAST bytes: far from what else is used. */
uintptr_t cache_set_place(void);

/* All its lines leave all caches, where the CPU has CLFLUSH. */
void cache_set_forget(const struct bench_run *run, const struct cache_set *s);

/* Loads blocks once, from empty caches; TSC ticks of each load and its fences. */
void cache_set_times(const struct bench_run *run, const struct cache_set *s, const uint8_t *block,
                     unsigned n, uint32_t *ticks);

/* Does WBINVD empty the caches before each sequence, or CLFLUSH alone? */
bool cache_set_wbinvd(const struct bench_run *run);

/* Loads it again and again: a hit takes less than `far` ticks, one of the level before `near`. */
void cache_set_measure(const struct bench_run *run, const struct cache_set *s, uint32_t near,
                       uint32_t far, struct cache_sequence *q);

#endif
