/*
 * Benchmarks on several CPUs at once (argument threads=; docs/threads.md).
 */
#ifndef BENCH_THREADS_THREADS_H
#define BENCH_THREADS_THREADS_H

#include "bench/bench.h"

/*
 * Starts the other CPUs, and measures what bench= asks for on those that threads= asks for: each
 * benchmark on all of them, and A+B on the first and the second. First each alone, then together.
 * Benchmarks that measure in a way of their own (bench.perform) are left to bench_run_all().
 */
void threads_run(struct bench_run *run);

#endif
