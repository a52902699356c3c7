/*
 * Repeated proofs: the counters are proven again between results, and a record names the results
 * that a failed proof takes back.
 */
#ifndef BENCH_RESULT_PROOF_H
#define BENCH_RESULT_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/bench.h"
#include "bench/engine/engine.h"

/* Per operation of a chain, in millionths: TSC ticks, counted clocks, expected clocks. */
struct proof_chain {
	uint64_t ticks, clocks, expected;
};

/*
 * Is a chain of ADDs slow because another thread used the core, while the counter is right? Then
 * the chain is at most an eighth too slow, and its clocks and ticks rise together. A multiplication
 * still takes `imul_first` (0: not known), because a pipelined unit has room for another thread.
 */
bool proof_shared(const struct proof_chain *add, const struct proof_chain *imul,
                  uint64_t imul_first);

/* Runs check_counters() and takes its time for the `proofs` record of proof_end(). */
void proof_checks(const struct bench_run *run);

/*
 * Call it before the first result. `busy`: another thread of this core is busy. Proves the counters
 * of clocks, and prints `chain` records. A dependent ADD must take one core clock, and a tick of
 * the time stamp counter (TSC) as many core clocks in a chain of multiplications as in the chain of
 * ADDs. Reference clocks must equal ticks. Without such counters there is no record.
 */
void proof_begin(const struct bench_run *run, bool busy);

/*
 * A result in mode=rate proves its clocks. Core clocks for each tick must be those of the latest
 * chain, within 2 %, and reference clocks must equal ticks, within 0.5 %. The spread of both
 * without their outer quarters, and some clocks, are allowed in addition. proof_after(), called
 * after the same benchmark, reports a result that is off. Results in a guest, results with
 * interrupts, and clocks that chains have not proven, are not compared.
 */
void proof_result(const struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                  const struct engine_result *r);

/* Call it after measuring with counters without the engine: nothing proves such samples. */
void proof_unwatched(void);

/*
 * Call it after a benchmark, but not between its groups: the chains write to the data of its code.
 * Makes each kind of proof (counters, core clocks, reference clocks) that costs less than a 200th
 * of the time since it was last made, or was last made more than a second ago.
 *
 * Where proof_result() found clocks that do not fit, their chains are run again first. If the clock
 * has kept its rate, a `check` record with filter=result reports a counter that is off. On a real
 * CPU a `warn` names the first such benchmark instead.
 */
void proof_after(const struct bench_run *run);

/*
 * Call it after the last result. Counters that differ from their first proof get `counter` and
 * `chain` records again, and a `withdrawn` record takes back the records since the last good proof.
 *
 * All counters of a guest may be away during a proof and come back. Then results since the last
 * proof are taken back only if some of their samples were not compared with their instructions.
 */
void proof_end(const struct bench_run *run);

#endif
