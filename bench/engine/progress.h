/*
 * A sign of life while a benchmark takes long.
 */
#ifndef BENCH_ENGINE_PROGRESS_H
#define BENCH_ENGINE_PROGRESS_H

#include "bench/bench.h"

/*
 * Prints a `progress` record that names the benchmark `name` if no record was printed for 2
 * seconds. Ends the watch of platform_watch() then. Never prints where run->tsc_hz is unknown.
 */
void progress(const struct bench_run *run, const char *name);

#endif
