/*
 * sim/timing/core_signals.h - what the superscalar core says of an instruction, as signals that
 * counters count.
 */
#ifndef SIM_TIMING_CORE_SIGNALS_H
#define SIM_TIMING_CORE_SIGNALS_H

#include "sim/pmu/signal.h"
#include "sim/timing/core.h"

/* Adds the signals of one core_step() to the step of that instruction. */
void core_signals(const struct core_result *r, struct sim_step *step);
/* Adds those of its fused uops; they follow from what it is. */
void core_fusion_signals(const struct core_machine *m, const struct core_insn *insn,
                         struct sim_step *step);

#endif
