/* Progress records during a long benchmark. */
#ifndef BENCH_ENGINE_PROGRESS_H
#define BENCH_ENGINE_PROGRESS_H

#include "bench/bench.h"

/*
 * Prints a `progress` record that names the benchmark `name` if no record was printed for 2
 * seconds, and ends the watch of platform_watch() if so. Without run->tsc_hz it never prints.
 */
void progress(const struct bench_run *run, const char *name);

#endif
