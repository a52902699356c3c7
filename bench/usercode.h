/*
 * Benchmarks given on the command line (bench/usercode.c).
 */
#ifndef BENCH_USERCODE_H
#define BENCH_USERCODE_H

#include <stdbool.h>

#include "kernel/lib/args.h"

/*
 * Takes code= and init=; what is wrong with them is an `error` record and sets args->lost. True:
 * there is a benchmark `code`.
 */
bool usercode_init(struct args *args);

#endif
