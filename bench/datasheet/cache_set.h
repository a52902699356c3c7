/*
 * Sequences of loads in one set of a data cache, with the time of each load. Method: A. Abel and J.
 * Reineke, "Measurement-based Modeling of the Cache Replacement Policy" (RTAS 2013) and "nanoBench"
 * (ISPASS 2020).
 */
#ifndef BENCH_DATASHEET_CACHE_SET_H
#define BENCH_DATASHEET_CACHE_SET_H

#include "bench/engine/engine.h"

enum {
	CACHE_SET_STEPS = 96,  /* loads of a sequence */
	CACHE_SET_REPEATS = 8, /* runs of a sequence */
	CACHE_SET_MOST = 40,   /* blocks of a set */
	CACHE_SET_LINE_MOST = 256,
	CACHE_SET_WAY_LEAST = 2048, /* bytes; the table of the loads lies in sets below */
};

/*
 * Blocks that share a set, because of their distance. Between two loads the chain, lines of the
 * same set of the first level, is loaded, so that the block leaves the first level.
 */
struct cache_set {
	uint8_t *first;        /* block 0 */
	uintptr_t apart;       /* bytes between two blocks */
	uintptr_t shift;       /* bytes added to the address of odd blocks */
	unsigned blocks;       /* number of blocks */
	unsigned chain;        /* lines between two loads; 0: the first level is measured */
	uintptr_t chain_apart; /* bytes of a way of the first level */
};

/* Bytes from the first block to the end of all lines. */
uintptr_t cache_set_size(const struct cache_set *s);

/* A sequence and its results. */
struct cache_sequence {
	unsigned n;                       /* loads */
	uint8_t block[CACHE_SET_STEPS];   /* block of each load */
	uint8_t repeats[CACHE_SET_STEPS]; /* of CACHE_SET_REPEATS runs: those with a hit */
	uint8_t near[CACHE_SET_STEPS];    /* ... and those with a hit in the level before */
	unsigned again;                   /* input: all loads from this one on should hit */
	unsigned all;                     /* output: runs in which they did */
};

/* Offset of block 0 in CACHE_SET_WAY_LEAST bytes, far from other used lines. */
uintptr_t cache_set_place(void);

/* Flushes all lines of the set from all caches, if the CPU has CLFLUSH. */
void cache_set_forget(const struct bench_run *run, const struct cache_set *s);

/* Loads block[0..n) once, from empty caches; ticks[] are TSC ticks of each load with its fences. */
void cache_set_times(const struct bench_run *run, const struct cache_set *s, const uint8_t *block,
                     unsigned n, uint32_t *ticks);

/* Does WBINVD empty the caches before each sequence? False: only CLFLUSH does. */
bool cache_set_wbinvd(const struct bench_run *run);

/*
 * Runs the sequence CACHE_SET_REPEATS times. A hit takes less than `far` TSC ticks, a hit in the
 * level before less than `near`.
 */
void cache_set_measure(const struct bench_run *run, const struct cache_set *s, uint32_t near,
                       uint32_t far, struct cache_sequence *q);

#endif
