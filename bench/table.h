/*
 * The table for people that stands before `done`: what an operation takes, in people's units.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench/engine/engine.h"

/* Begins an empty table. */
void table_begin(void);

/* Keeps a line for the result. The first 128 have one; of the others the table says how many. */
void table_add(const struct bench_run *run, const struct bench *b, const struct engine_result *r);

/*
 * Prints the table. On QEMU without hardware virtualization it prints why there is no table
 * instead, because no time of it is a CPU's.
 */
void table_print(const struct bench_run *run);

#endif
