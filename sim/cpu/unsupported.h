/*
 * sim/cpu/unsupported.h - instructions that a real processor has and this one lacks, because the
 * execution engine does not have them.
 */
#ifndef SIM_CPU_UNSUPPORTED_H
#define SIM_CPU_UNSUPPORTED_H

#include <stdint.h>

struct cpu;

/*
 * The instruction at `linear` is undefined. If the real part has it, pc->unsupported gets its name
 * and address, those of the first such instruction alone.
 */
void unsupported_note(struct cpu *cpu, uint64_t linear);

#endif
