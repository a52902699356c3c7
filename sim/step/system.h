/*
 * sim/step/system.h - the instructions that the simulator does itself.
 */
#ifndef SIM_STEP_SYSTEM_H
#define SIM_STEP_SYSTEM_H

#include <stdint.h>

struct cpu;
struct insn;

/*
 * DONE: the instruction was executed and goes on behind itself. FAULTED: execution is elsewhere.
 * STOP: the processor halts. NATIVE: the engine shall execute it.
 */
enum outcome { DONE, FAULTED, STOP, NATIVE };

/* at: linear address of the instruction */
enum outcome system_execute(struct cpu *cpu, struct insn *insn, uint64_t at);

#endif
