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

#endif
