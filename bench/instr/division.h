/*
 * Benchmarks of DIV and IDIV by the number of bits of their operands.
 */
#ifndef BENCH_INSTR_DIVISION_H
#define BENCH_INSTR_DIVISION_H

#include "bench/instr/form.h"

/* Fills *b; false if the width of f has no such benchmark. */
bool instr_make_division(struct instr_form *f, struct bench *b, const struct instr_division *d);

#endif
