/*
 * Benchmarks given on the command line (bench/usercode.c).
 */
#ifndef BENCH_USERCODE_H
#define BENCH_USERCODE_H

#include <stdbool.h>

#include "kernel/lib/args.h"

/*
 * Makes the benchmark `code` from code= and init=. A mistake in them becomes an `error` record and
 * sets args->lost. True: the benchmark exists.
 */
bool usercode_init(struct args *args);

#endif
