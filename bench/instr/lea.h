/*
 * Benchmarks of LEA by the form of the address.
 */
#ifndef BENCH_INSTR_LEA_H
#define BENCH_INSTR_LEA_H

#include "bench/instr/form.h"

/* Fills *b with LEA of a register of `bits` bits; false if the width of f has no such benchmark. */
bool instr_make_lea(struct instr_form *f, struct bench *b, const struct instr_lea *lea,
                    unsigned bits);

#endif
