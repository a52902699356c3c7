/*
 * sim/cpu/lacking.h - instructions that a real processor has and this one lacks, because the
 * execution engine does not have them.
 */
#ifndef SIM_CPU_LACKING_H
#define SIM_CPU_LACKING_H

#include <stdint.h>

struct cpu;

/* The instruction here is undefined: if the real part has it, its name is kept in pc->lacking. */
void lacking_note(struct cpu *cpu, uint64_t linear);

#endif
