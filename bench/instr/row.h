/*
 * Benchmarks of the rows of forms.
 */
#ifndef BENCH_INSTR_ROW_H
#define BENCH_INSTR_ROW_H

#include "bench/instr/shape.h"

/* Makes the benchmark of one form of a row; false if there is none. */
bool instr_make_row(struct instr_form *f, struct bench *b, const struct bench_area *area,
                    const struct instr_row *row, const char *mnemonic,
                    const struct instr_choice *choice);

#endif
