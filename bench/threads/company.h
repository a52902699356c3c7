/*
 * Which samples of several CPUs count in a guest, where the hypervisor may take a CPU away from one
 * worker while the others measure.
 */
#ifndef BENCH_THREADS_COMPANY_H
#define BENCH_THREADS_COMPANY_H

#include <stdbool.h>
#include <stdint.h>

enum { COMPANY_RUNS = 32 }; /* latest runs that are kept */

/* The latest runs of a worker, samples or not, one by one; by its own time stamp counter. */
struct company_runs {
	uint32_t n; /* so far: number i is at i % COMPANY_RUNS */
	uint64_t start[COMPANY_RUNS], end[COMPANY_RUNS];
};

/* Adds a run to *r, in place of the oldest if there are COMPANY_RUNS. */
void company_note(struct company_runs *r, uint64_t start, uint64_t end);

/*
 * Ticks between `start` and `end` in which the worker of *r may have stood still, all by the time
 * stamp counter of that worker. From the start of a run to the start of the next takes as long as
 * most times (the median); what one takes longer may lie anywhere in it. What no run covers is
 * taken for lost.
 */
uint64_t company_lost(const struct company_runs *r, uint64_t start, uint64_t end);

/* Is that so little that a sample from `start` to `end` had company: a tenth of it at most? */
bool company_kept(const struct company_runs *r, uint64_t start, uint64_t end);

#endif
