/*
 * Sequences of loads in one set of a data cache, with the time of each load. Method: A. Abel and J.
 * Reineke, "Measurement-based Modeling of the Cache Replacement Policy" (RTAS 2013) and "nanoBench"
 * (ISPASS 2020).
 *
 * A hit and a miss may differ by less than the step of the TSC. Where the TSC advances in steps a
 * time is therefore the mean of many runs of the sequence, which begin at all moments of a step.
 */
#ifndef BENCH_DATASHEET_CACHE_SET_H
#define BENCH_DATASHEET_CACHE_SET_H

#include "bench/engine/engine.h"

enum {
	CACHE_SET_STEPS = 96,  /* loads of a sequence */
	CACHE_SET_REPEATS = 8, /* times of a sequence */
	CACHE_SET_MOST = 40,   /* blocks of a set */
	CACHE_SET_FLUSH = 128, /* added to the number of a block: a flush in place of the load */
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
	unsigned n;                       /* loads and flushes */
	uint8_t block[CACHE_SET_STEPS];   /* block of each load */
	uint8_t repeats[CACHE_SET_STEPS]; /* of CACHE_SET_REPEATS times: those of a hit */
	uint8_t near[CACHE_SET_STEPS];    /* ... and those of a hit in the level before */
	unsigned again;                   /* input: all loads from this one on should hit */
	unsigned all;                     /* output: repeats in which they did */
};

/*
 * How a level's loads are timed. Times are in thousandths of a TSC tick, and relative to loads of
 * the same run that are hits for sure, because the core's clock may change between two runs.
 */
struct cache_set_scale {
	unsigned runs; /* whose mean a time is */
	uint32_t most; /* ticks beyond which a load is late for another reason than a miss */
	uint32_t gap;  /* a miss takes so much longer than a hit */
	uint32_t near; /* a hit takes so much longer than in the level before; 0: no such level */
};

/*
 * Offset of block 0 in CACHE_SET_WAY_LEAST bytes, far from other used lines: the best place of all,
 * or with `attempt` 1 to CACHE_SET_ATTEMPTS - 1 of some.
 */
enum { CACHE_SET_ATTEMPTS = 4 };
uintptr_t cache_set_place(unsigned attempt);

/* Flushes all lines of the set from all caches, if the CPU has CLFLUSH. */
void cache_set_forget(const struct bench_run *run, const struct cache_set *s);

/* The runs whose mean tells apart two times that differ by `gap` thousandths of a tick. */
unsigned cache_set_runs(uint32_t gap);

/*
 * Loads block[0..n) in each of `runs` runs. WBINVD empties the caches before the first run, and
 * cache_set_forget() flushes the lines of the set before each. milli[] are thousandths of TSC ticks
 * of each load with its fences: the means of all runs. A run with an interrupt is made again. A
 * tick beyond `most` does not count. Returns the time of a hit, from loads of the last block that
 * follow. A block with CACHE_SET_FLUSH is flushed instead, and its time means nothing. The CPU must
 * then have CLFLUSH and CMOV.
 */
uint32_t cache_set_times(const struct bench_run *run, const struct cache_set *s,
                         const uint8_t *block, unsigned n, unsigned runs, uint32_t most,
                         uint32_t *milli);

/* Does WBINVD empty the caches before the runs of a sequence? False: only CLFLUSH does. */
bool cache_set_wbinvd(const struct bench_run *run);

/*
 * Times the sequence CACHE_SET_REPEATS times. A load whose mean of all runs is near the middle of a
 * hit and a miss was a hit in some runs and a miss in others: half of its repeats count as hits.
 */
void cache_set_measure(const struct bench_run *run, const struct cache_set *s,
                       const struct cache_set_scale *scale, struct cache_sequence *q);

#endif
