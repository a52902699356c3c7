/*
 * Does each planned event move at all? A counter that holds and reads may still count nothing:
 * because a hypervisor holds the event back, or because the CPU does not have it.
 */
#ifndef BENCH_RESULT_STIMULUS_H
#define BENCH_RESULT_STIMULUS_H

#include "bench/bench.h"
#include "bench/engine/engine.h"

/*
 * Runs the bodies of bench/suite/stimulus.S, at CPL 0 and 3, under each group of the plans. A slot
 * that never moved becomes `still`, and its 0 is no count. `still` records name all of them, and
 * there is a `warn` for each unless events=all.
 */
void stimulus_run(const struct bench_run *run);

/* A result of group `index` of *plan: what moved now is no longer still. */
void stimulus_saw(const struct pmu_plan *plan, unsigned index, const struct engine_result *r);

/*
 * The same for a plan that is made later and not tried. On CPUs of the `same_kind` as this one an
 * event is still unless it has moved in the run's own plan. On others it is still in a guest alone.
 */
void stimulus_inherit(const struct bench_run *run, const struct pmu_plan *plan, bool same_kind);

#endif
