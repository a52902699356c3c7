/*
 * Comparison of the counters with code whose events are counted by hand (bench/result/check.c), and
 * the cost of the measuring instructions (bench/run/cost.c).
 */
#ifndef BENCH_RESULT_CHECK_H
#define BENCH_RESULT_CHECK_H

#include "bench/bench.h"
#include "bench/engine/engine.h"

/*
 * Runs each body of bench/suite/check.S for each deterministic event of this CPU that the body
 * states a number for, at CPL 0 and 3, with each filter. Each run gets a `check` record with
 * verdict `exact`, `off by n` or `not counting`. Without counters there is no record.
 */
void check_counters(const struct bench_run *run);

/*
 * A result proves itself. Where a group counts retired instructions or branches, and the body's
 * number of them is known, the median of all copies must equal that number. If it differs, a
 * `check` record with filter=result is printed. Results whose samples all have an interrupt or an
 * exit are not compared.
 */
void check_result(const struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                  const struct engine_result *r);

/* Prints a `check` record with filter=result: a result has not the `expected` number of `event`. */
void check_off(const struct bench_run *run, const struct bench *b, const char *event,
               const char *key, int64_t expected, const struct stats_diff *got);

/*
 * Lets the run fail for the reason `why`. Prints a `warn` instead under a hypervisor, whose exits
 * may add to counts, and on a CPU model that no log of real hardware confirms.
 */
void check_failed(const struct bench_run *run, const char *culprit, const char *why);

/*
 * Prints a `checked` record for instructions and one for branches: how many results check_result()
 * has proven, and how many were off. The run fails if one was off. With a known erratum of the
 * event, under a hypervisor, and on a CPU model that no log confirms, a `warn` is printed instead.
 */
void check_end(const struct bench_run *run);

/* Prints a `cost` record for each measuring instruction: RDTSC, RDPMC, CPUID ... */
void cost_log(const struct bench_run *run);

#endif
