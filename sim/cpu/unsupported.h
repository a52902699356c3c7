/*
 * sim/cpu/unsupported.h - instructions that a real processor has and this one lacks, because the
 * execution engine does not have them.
 */
#ifndef SIM_CPU_UNSUPPORTED_H
#define SIM_CPU_UNSUPPORTED_H

#include <stdint.h>

struct cpu;

/* The instruction here is undefined: if the real part has it, pc->unsupported keeps its name. */
void unsupported_note(struct cpu *cpu, uint64_t linear);

#endif
