/*
 * Benchmarks whose body is made by a program: a loop around a payload that is too long or too
 * regular to be written down. One buffer serves all of them: a body is there from make() until the
 * next make().
 */
#ifndef BENCH_SUITE_GENERATED_H
#define BENCH_SUITE_GENERATED_H

#include "bench/bench.h"
#include "bench/engine/emit.h"

enum { GENERATED_MAX = 72 * 1024 }; /* bytes of a body */

/* Fills *b with what generated benchmarks have in common: no flags, one copy. */
void generated_base(struct bench *b, const char *what, const char *needs);

/*
 * Makes the name: "prefix.n" of a number, or with `bytes` "prefix.nb", "prefix.nk", "prefix.nm" or
 * "prefix.ng", in binary units.
 */
void generated_name(struct bench *b, const char *prefix, uintptr_t n, bool bytes);

/* Starts a body in the buffer; generated_end() makes it that of b, empty if it did not fit. */
struct emit generated_start(void);
void generated_end(struct bench *b, const struct emit *e);

/*
 * MOV ECX, rounds; the payload is emitted between the two; DEC ECX; JNZ. `top` is what
 * generated_loop() returned. Executes 1 + 2 * rounds instructions beside the payload.
 */
const uint8_t *generated_loop(struct emit *e, uint32_t rounds);
void generated_loop_end(struct emit *e, const uint8_t *top);

/* The REX.W prefix in 64-bit mode, nothing in 32-bit mode. */
void generated_wide(struct emit *e);

#endif
