/*
 * What the engine found, as records (docs/log-format.md: `result`, `expect`, `series`).
 */
#ifndef BENCH_RESULT_REPORT_H
#define BENCH_RESULT_REPORT_H

#include "bench/engine/engine.h"

void report_result(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, unsigned group_index,
                   const struct engine_result *r);

/* After the last group of b: the events that counted nothing, where events=all asked for them. */
void report_zeros(const struct bench *b);

/* Compares what the snippet's author expects of this family with what was measured. */
void report_expect(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, const struct engine_result *r);

/*
 * What engine_series() gave. Runs that are not told apart from 0 are 0, with one bound for all.
 * `cold`: the caches were empty before the first.
 */
void report_series(const struct bench *b, const struct stats_diff *ticks, uint32_t n, uint32_t of,
                   uint64_t error, bool cold);

/* Is this QEMU without hardware virtualization? No time of it is a CPU's. */
bool report_without_hardware(const struct cpu *cpu);

/* Are times no CPU's? Records with a time then say `nominal=1`. */
bool report_nominal(const struct cpu *cpu);

/* Are all events that there are counted (events=all)? */
bool report_all_events(const struct bench_run *run);

#endif
