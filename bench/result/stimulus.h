/*
 * Tests that each planned event moves. A proven counter may still count nothing, because a
 * hypervisor suppresses the event, or because the CPU does not have it.
 */
#ifndef BENCH_RESULT_STIMULUS_H
#define BENCH_RESULT_STIMULUS_H

#include "bench/bench.h"
#include "bench/engine/engine.h"

/*
 * Runs the bodies of bench/suite/stimulus.S, at CPL 0 and 3, under each group of the plans. A slot
 * that never moves becomes `still`, and its 0 is no count. `still` records name these events, and
 * each gets a `warn` unless events=all.
 */
void stimulus_run(const struct bench_run *run);

/* Takes a result of group `index` of *plan: slots that count above 0 are no longer still. */
void stimulus_saw(const struct pmu_plan *plan, unsigned index, const struct engine_result *r);

/*
 * The same of a group of one event that sample= asks for. False: it never moves, and a `warn` says
 * so.
 */
bool stimulus_moves(const struct bench_run *run, struct pmu_group *group);

/* What is told of an event that never moved. */
extern const char stimulus_why[];

/*
 * Sets `still` in a plan that is made later and not tested. On CPUs of the same kind as this one an
 * event is still unless it has moved in the run's own plan. On other CPUs it is still only in a
 * guest.
 */
void stimulus_inherit(const struct bench_run *run, const struct pmu_plan *plan, bool same_kind);

#endif
