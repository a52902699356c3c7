/*
 * Makes benchmarks: of a snippet's bytes (bench/snippet.h), or of hex digits.
 */
#ifndef BENCH_SNIPPET_LOAD_H
#define BENCH_SNIPPET_LOAD_H

#include "bench/bench.h"

/*
 * Makes *b of the snippet `blob` after checking it: everything that it refers to must lie between
 * `start` and `end`. *b goes on referring to those bytes. Returns NULL, or what is wrong with it.
 */
const char *snippet_load(struct bench *b, const struct snippet_blob *blob, const void *start,
                         const void *end);

/*
 * Makes *b of hex digits: `code` is the body, `init` what runs before it, or NULL. The machine code
 * goes into buffer[0..size). Returns NULL, or what is wrong with the digits.
 */
const char *snippet_load_hex(struct bench *b, const char *code, const char *init, uint8_t *buffer,
                             size_t size);

#endif
