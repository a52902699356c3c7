/*
 * The user's own sequence of accesses, from the kernel arguments seq=, seq_level= and seq_sets=
 * (docs/access-sequences.md).
 */
#ifndef BENCH_ACCESSES_H
#define BENCH_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/args.h"

enum {
	ACCESSES_MOST = 96,    /* accesses of a sequence */
	ACCESSES_BLOCKS = 40,  /* different blocks of it */
	ACCESSES_RANGES = 16,  /* ranges of sets */
	ACCESSES_SETS = 65536, /* of a level: a number of a set is below */
	ACCESSES_LEVELS = 2,
};

struct accesses {
	unsigned n; /* accesses */
	struct access {
		char letter;   /* that names the block */
		char sign;     /* '?' a load that is measured, '!' a flush, 0 a load */
		uint8_t block; /* its number, in the order in which the blocks come first */
	} access[ACCESSES_MOST];
	unsigned blocks;
	unsigned level; /* 1 is the first */
	unsigned ranges;
	struct accesses_range {
		uint32_t first, last; /* sets */
	} range[ACCESSES_RANGES];     /* none: a set that nothing else uses */
};

/*
 * Reads the three arguments. A mistake in them becomes an `error` record, sets args->lost and takes
 * seq= away. True: there is a sequence.
 */
bool accesses_init(struct args *args);

/* The sequence; NULL: there is none. */
const struct accesses *accesses_given(void);

#endif
