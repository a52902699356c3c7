/*
 * Where an event happens: samples of a benchmark while a counter interrupts it (argument `sample=`,
 * pmu/sampling/sampling.h). Prints one `sampling` record for the benchmark and `sample` records for
 * the places in its body (docs/sampling.md).
 */
#ifndef BENCH_SAMPLE_SAMPLE_H
#define BENCH_SAMPLE_SAMPLE_H

#include "bench/bench.h"

/*
 * Gives the arguments skid, addresses and branches= an event and its period, if there is no
 * sample=: the misses of loads in the L1 data cache, one sample for each 100.
 */
void sample_default(struct args *a);

/*
 * Prints a `sampler` record for each event of the arguments and each way of sampling: whether this
 * machine can sample the event so, or why not. An event that no way has is an `error` record.
 * False: there is no way for any of them.
 */
bool sample_init(const struct bench_run *run);

/* Makes a group of event `i` of the arguments alone. False: nothing samples it. */
bool sample_group(const struct bench_run *run, unsigned i, struct pmu_group *group);

/*
 * NULL: event `i` moves where much happens. Else the reason why it may be held back: a benchmark in
 * which it does not move either is skipped for that reason.
 */
void sample_doubt(unsigned i, const char *why);

/*
 * Samples b with event `i` of the arguments, by each way that has the event. In a guest the period
 * of sample_default() becomes longer if the event is too frequent for the host. Returns NULL, or
 * the reason why there are no samples; a snippet that faulted has had its `trap` record by then.
 * NULL also stands for two cases without samples: no way has the event, or an event of
 * sample_doubt() does not move, which a `skip` record tells.
 */
const char *sample_bench(const struct bench_run *run, const struct bench *b, unsigned i);

#endif
