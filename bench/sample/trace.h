/*
 * How far an event has come in each clock of a benchmark (argument `trace=`, pmu/sampling/stop.h).
 * Prints for each event a `tracing` record and `trace` records (docs/trace.md).
 */
#ifndef BENCH_SAMPLE_TRACE_H
#define BENCH_SAMPLE_TRACE_H

#include "bench/bench.h"

/*
 * Follows each event of the argument through b. An event that cannot be followed is an `error`
 * record. Returns NULL, or why b did not come to its end; a snippet that faulted has had its
 * `trap` record by then.
 */
const char *trace_bench(const struct bench_run *run, const struct bench *b);

#endif
