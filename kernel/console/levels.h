/*
 * The levels of the data caches, and the level that holds an array. The sizes are those of the
 * records `cache`, until a record `geometry` has another measured size.
 */
#ifndef KERNEL_CONSOLE_LEVELS_H
#define KERNEL_CONSOLE_LEVELS_H

#include <stdint.h>

#include "kernel/console/record.h"

enum { LEVELS = 4 }; /* L1 to L4 */

struct levels {
	uint64_t bytes[LEVELS]; /* of L1, L2 ...; 0: not known */
};

/* Takes a record; only a `cache` of data and a `geometry` have an effect. */
void levels_take(struct levels *t, const struct record *r);

/* The bytes that a `geometry` measured; 0: none. */
uint64_t levels_measured(const struct record *r);

/* The smallest level that an array fits into, 1 for L1; 0: none below the first unknown one. */
unsigned levels_of(const struct levels *t, uint64_t bytes);

/* The bytes of the array in a benchmark's name, as in latency.128k; 0: the name has none. */
uint64_t levels_bytes(const char *bench);

#endif
