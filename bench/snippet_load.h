/* Makes benchmarks from the bytes of a snippet (bench/snippet.h), or from hex digits. */
#ifndef BENCH_SNIPPET_LOAD_H
#define BENCH_SNIPPET_LOAD_H

#include "bench/bench.h"

/*
 * Checks the snippet `blob` and makes *b of it. All bytes that the snippet refers to must lie
 * between `start` and `end`, and must stay there, because *b refers to them. Returns NULL, or a
 * text that says what is wrong with the snippet.
 */
const char *snippet_load(struct bench *b, const struct snippet_blob *blob, const void *start,
                         const void *end);

/*
 * Makes *b of hex digits: `code` is the body, `init` the code before it, or NULL. Writes the
 * machine code to buffer[0..size). Returns NULL, or a text that says what is wrong with the digits.
 */
const char *snippet_load_hex(struct bench *b, const char *code, const char *init, uint8_t *buffer,
                             size_t size);

#endif
