/*
 * sim/step/execute.h - runs a processor on the engine.
 */
#ifndef SIM_STEP_EXECUTE_H
#define SIM_STEP_EXECUTE_H

#include <stdbool.h>

struct cpu;

/* Sets the hooks of the processor's engine. False: it refused one. */
bool execute_hook(struct cpu *cpu);
/* Runs until cpu->slice_end, or until the processor halts or the run ends. */
void execute_slice(struct cpu *cpu);

#endif
