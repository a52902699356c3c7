/*
 * What the engine found, as records (docs/log-format.md: `result`, `expect`, `series`).
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/engine/engine.h"

void report_result(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, unsigned group_index,
                   const struct engine_result *r);

/* After the last group of b: the events that counted nothing, where events=all asked for them. */
void report_zeros(const struct bench *b);

/* Compares what the snippet's author expects of this family with what was measured. */
void report_expect(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, const struct engine_result *r);

void report_series(const struct bench *b, const int64_t *ticks, uint32_t n);

/* The table for people that stands before `done`. */
struct report_line {
	char name[BENCH_NAME];
	int64_t tsc;    /* thousandths per copy */
	uint64_t bound; /* thousandths that it may be off */
	bool exact;
};

struct report_line report_line(const struct bench *b, const struct engine_result *r);

/*
 * Prints the table: `n` lines, and how many of the `total` results have none. On QEMU without
 * hardware virtualization it prints why there is no table instead, because no time of it is a
 * CPU's.
 */
void report_summary(const struct bench_run *run, const struct report_line *lines, unsigned n,
                    unsigned total);

#endif
