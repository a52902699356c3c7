/*
 * Code for the arena: a ring of jumps. The first jump counts the rounds in ECX, and returns behind
 * the last round.
 */
#ifndef BENCH_DATASHEET_JUMPS_H
#define BENCH_DATASHEET_JUMPS_H

#include "bench/bench.h"

enum { JUMPS_BYTES = 10 }; /* most bytes of a jump */

/* Writes a direct jump at `at`; the next jump is `distance` bytes away. `first`: it counts. */
void jumps_write(uint8_t *at, bool first, uint32_t distance);

/*
 * Makes the body of b: MOV ECX, rounds + 1; XAX and XDX = XSI; CALL XSI. Sets XSI to the address of
 * the first jump, which counts down and returns at 0.
 */
void jumps_call(struct bench *b, const void *first, uint32_t rounds);

#endif
