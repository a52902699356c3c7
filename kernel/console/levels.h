/*
 * The levels of the data caches, as the records `cache` tell them, and which of them has room for
 * an array.
 */
#ifndef KERNEL_CONSOLE_LEVELS_H
#define KERNEL_CONSOLE_LEVELS_H

#include <stdint.h>

#include "kernel/console/record.h"

enum { LEVELS = 4 };

struct levels {
	uint64_t bytes[LEVELS]; /* of L1, L2 ...; 0: not told */
};

/* Takes a record; only a `cache` of data says something. */
void levels_take(struct levels *t, const struct record *r);

/* The smallest level that an array fits into, 1 for L1; 0: none of those below the first untold. */
unsigned levels_of(const struct levels *t, uint64_t bytes);

/* The bytes of an array that a benchmark is named after, latency.128k; 0: it names none. */
uint64_t levels_bytes(const char *bench);

#endif
