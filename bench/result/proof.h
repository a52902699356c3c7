/*
 * Proof that holds to the end: the counters are proven again while results are made, and what a
 * proof takes back is said.
 */
#ifndef BENCH_RESULT_PROOF_H
#define BENCH_RESULT_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/bench.h"
#include "bench/engine/engine.h"

/* Of a chain, per operation, in millionths. `expected`: clocks. */
struct proof_chain {
	uint64_t ticks, clocks, expected;
};

/*
 * Is a chain of ADDs slow because something else had a share of the core, and the counter right?
 * Then it is at most an eighth too slow, its clocks and its ticks rise together, and a
 * multiplication takes what it took at first (0: not known), because a pipelined unit has room for
 * others.
 */
bool proof_shared(const struct proof_chain *add, const struct proof_chain *imul,
                  uint64_t imul_first);

/* check_counters(), the first of the proofs whose cost the `proofs` record of proof_end() tells. */
void proof_checks(const struct bench_run *run);

/*
 * Before the first result. `busy`: another thread of this core is. `chain` records tell whether
 * counters of clocks count clocks. Core clocks: one a dependent ADD, and as many for each tick of
 * the time stamp counter (TSC) in a chain of multiplications. Reference clocks: one a tick. Without
 * such counters there is no record.
 */
void proof_begin(const struct bench_run *run, bool busy);

/*
 * A result in mode=rate proves its clocks: core clocks must be as many for each tick as in the
 * latest chain, but for 2 %, and reference clocks as many as ticks, but for 0.5 %; beyond that for
 * the spread of both without their outer quarters, and for some clocks. proof_after(), behind the
 * same benchmark, says whether a result is off. Not held: what a hypervisor or an interrupt came
 * into, and clocks that chains have not proven.
 */
void proof_result(const struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                  const struct engine_result *r);

/* What has just been measured with counters, by other means, has samples that nothing proves. */
void proof_unwatched(void);

/*
 * After a benchmark: each kind of proof (counters, core clocks, reference clocks) that takes less
 * than a 200th of the time since it was last made, or was last made more than a second ago. Not
 * between groups of a benchmark: the chains write where its code has data.
 *
 * Where proof_result() found clocks that do not fit, their chains are run again first. If the clock
 * has kept its rate, a `check` record with filter=result tells, as of a counter that is off. On a
 * real CPU a `warn` names the first such benchmark instead.
 */
void proof_after(const struct bench_run *run);

/*
 * Where all counters of a guest were away during a proof and came back, results since the last one
 * are taken back only if the samples of some were not held against their instructions.
 *
 * After the last result. Counters that differ from their first proof are `counter` and `chain`
 * records again, and a `withdrawn` record takes back the records since the last good proof.
 */
void proof_end(const struct bench_run *run);

#endif
