/*
 * The counters held against code whose events were counted by hand (bench/result/check.c), and what
 * the instruments themselves cost (bench/run/cost.c).
 */
#ifndef BENCH_RESULT_CHECK_H
#define BENCH_RESULT_CHECK_H

#include "bench/bench.h"
#include "bench/engine/engine.h"

/*
 * For each deterministic event of this CPU, each body of bench/suite/check.S that states a number
 * for it, both CPLs and each filter: a `check` record with verdict `exact`, `off by n` or `not
 * counting`. Without counters there is nothing to check and no record.
 */
void check_counters(const struct bench_run *run);

/*
 * A result proves itself: where a group counts retired instructions or branches, and the body's
 * number of them is known, the median of all copies must be that number. If it is not, a `check`
 * record with filter=result says so. Samples that were kept although an interrupt, or the
 * hypervisor, came into each of them prove nothing.
 */
void check_result(const struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                  const struct engine_result *r);

/* A `check` record with filter=result: the copies of a result have not `expected` of `event`. */
void check_off(const struct bench_run *run, const struct bench *b, const char *event,
               const char *key, int64_t expected, const struct stats_diff *got);

/*
 * The run fails, or `why` becomes a `warn` where another reason is likely: under a hypervisor,
 * whose exits may add to counts, and on a CPU model that no log of real hardware confirms.
 */
void check_failed(const struct bench_run *run, const char *culprit, const char *why);

/*
 * A `checked` record for each of the two: how many results check_result() has proven, and how many
 * were off. The run fails if one was off. With a known erratum of the event, under a hypervisor,
 * and on a CPU model that no log confirms, that is a `warn`.
 */
void check_end(const struct bench_run *run);

/* A `cost` record for each instruction that measuring is made of: RDTSC, RDPMC, CPUID ... */
void cost_log(const struct bench_run *run);

#endif
