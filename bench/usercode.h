/*
 * Benchmarks given on the command line (bench/usercode.c).
 */
#ifndef BENCH_USERCODE_H
#define BENCH_USERCODE_H

#include "kernel/args.h"

/* Takes code= and init=; what is wrong with them is an `error` record. */
void usercode_init(const struct args *args);

#endif
