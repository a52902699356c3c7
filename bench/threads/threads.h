/*
 * Benchmarks on several CPUs at once (argument threads=; docs/threads.md).
 */
#ifndef BENCH_THREADS_THREADS_H
#define BENCH_THREADS_THREADS_H

#include "bench/bench.h"

/* Starts the other CPUs. */
void threads_run(struct bench_run *run);

#endif
