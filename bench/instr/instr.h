/*
 * The table of the instruction set: benchmarks instr.lat.* and instr.tp.*, generated from the rows
 * of bench/instr/forms/. docs/instruction-table.md explains how to read it.
 */
#ifndef BENCH_INSTR_INSTR_H
#define BENCH_INSTR_INSTR_H

#include "bench/bench.h"

/*
 * Makes the i-th benchmark for 32-bit or 64-bit code of a CPU with the features of `cpu`; returns
 * false past the end. Forms that this CPU lacks are not counted. Everything that b points to is
 * static and stays until the next call.
 */
bool instr_get(unsigned i, struct bench *b, const struct cpu *cpu, const struct bench_area *area,
               bool wide);

/*
 * From the next benchmark 0 on instr_get() leaves out a row or sequence if wanted() returns false
 * for the beginning that the names of its benchmarks have, such as "instr.lat.add". NULL:
 * instr_get() makes all.
 */
void instr_only(bool (*wanted)(const char *beginning));

#endif
