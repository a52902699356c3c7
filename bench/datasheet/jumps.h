/*
 * Code for the arena: jumps that make a ring. The first of them counts the rounds in ECX, and
 * returns behind the last round.
 */
#ifndef BENCH_DATASHEET_JUMPS_H
#define BENCH_DATASHEET_JUMPS_H

#include "bench/bench.h"

enum { JUMPS_BYTES = 10 }; /* that a jump takes at most */

/* A direct jump at `at`; `first`: it counts. `distance`: of the next jump from this one. */
void jumps_write(uint8_t *at, bool first, uint32_t distance);

/*
 * The body of b: MOV ECX, rounds; XAX and XDX as XSI; CALL XSI. XSI is the address of the first
 * jump, and is set.
 */
void jumps_call(struct bench *b, const void *first, uint32_t rounds);

#endif
