/*
 * sim/step/wrong_path.h - the instructions behind a wrongly predicted branch, which never retire.
 *
 * They are fetched from guest memory where the prediction says, decoded, and go through the core
 * model (sim/timing/core_wrong_path.h) until the branch has executed. They change nothing: no
 * register, no memory, no cache, no TLB, no predictor, no clock. What they were becomes the BOGUS
 * signals of the branch's step (sim/pmu/signal.h).
 */
#ifndef SIM_STEP_WRONG_PATH_H
#define SIM_STEP_WRONG_PATH_H

#include "sim/timing/cache.h"

struct cpu;
struct insn;

/*
 * For a branch that core_step() has just taken as mispredicted. Called only while a counter looks
 * at the step.
 */
void wrong_path(struct cpu *cpu, const struct insn *branch, const struct prediction *prediction);

#endif
