/* Prints the engine's results as records (docs/log-format.md: `result`, `expect`, `series`). */
#ifndef BENCH_RESULT_REPORT_H
#define BENCH_RESULT_REPORT_H

#include "bench/engine/engine.h"

/* Prints the `result` records of b for group number `group_index` of its plan. */
void report_result(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, unsigned group_index,
                   const struct engine_result *r);

/* With events=all, after the last group of b: records the events that counted nothing. */
void report_zeros(const struct bench *b);

/* Compares the result with the snippet's expectations for this family. */
void report_expect(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, const struct engine_result *r);

/*
 * Records the ticks[0..n) of engine_series(). Runs that noise does not tell apart from 0 are 0,
 * with one bound for all. `cold`: the caches were empty before the first run.
 */
void report_series(const struct bench_run *run, const struct bench *b,
                   const struct stats_diff *ticks, uint32_t n, uint32_t of, uint64_t error,
                   bool cold);

/* Under a hypervisor, has the body instructions that a hypervisor carries out? */
bool report_leaves_guest(const struct bench_run *run, const struct bench *b);

/* Is this QEMU without hardware virtualization? Its times are not those of a CPU. */
bool report_without_hardware(const struct cpu *cpu);

/* Are the times not those of a CPU? Records with a time then have `nominal=1`. */
bool report_nominal(const struct cpu *cpu);

/* Does the run count all events (events=all)? */
bool report_all_events(const struct bench_run *run);

#endif
