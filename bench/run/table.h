/*
 * The table for people that stands before `done`: what an operation takes, in people's units.
 */
#ifndef BENCH_RUN_TABLE_H
#define BENCH_RUN_TABLE_H

#include "bench/engine/engine.h"

/*
 * Gives `size` bytes for the lines, each of which has 80 or so. A room that is smaller than what
 * the table has is not taken: 16 KiB to begin with. What is in the table is lost.
 */
void table_room(void *room, size_t size);

/* Begins an empty table. */
void table_begin(void);

/* Keeps a line for the result. If the room is full, prints the lines so far and goes on. */
void table_add(const struct bench_run *run, const struct bench *b, const struct engine_result *r);

/*
 * Prints the table. On QEMU without hardware virtualization it prints why there is no table
 * instead, because no time of it is a CPU's.
 */
void table_print(const struct bench_run *run);

#endif
