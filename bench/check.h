/*
 * The counters held against code whose events were counted by hand (bench/check.c), and what the
 * instruments themselves cost (bench/cost.c).
 */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include "bench/bench.h"

/*
 * For each deterministic event of this CPU, each body of bench/suite/check.S that states a number
 * for it, both CPLs and each filter: a `check` record with verdict `exact`, `off by n` or `not
 * counting`. Without counters there is nothing to check and no record.
 */
void check_counters(const struct bench_run *run);

/* A `cost` record for each instruction that measuring is made of: RDTSC, RDPMC, CPUID ... */
void cost_log(const struct bench_run *run);

#endif
