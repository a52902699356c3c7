/*
 * Benchmarks of machine code that is written down as bytes.
 */
#ifndef BENCH_INSTR_SEQUENCE_H
#define BENCH_INSTR_SEQUENCE_H

#include "bench/instr/form.h"

/* Fills *b; false if the CPU and width of f have no such benchmark. */
bool instr_make_sequence(struct instr_form *f, struct bench *b, const struct bench_area *area,
                         const struct instr_sequence *s, const char *form, const uint8_t *code);

#endif
