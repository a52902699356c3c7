/*
 * sim/step/canonical.h - 64-bit mode: faults of addresses that are not canonical, where the engine
 * has others than the manual.
 */
#ifndef SIM_STEP_CANONICAL_H
#define SIM_STEP_CANONICAL_H

#include <stdint.h>

struct cpu;

/*
 * The engine has raised *vector at *at, in the instruction in flight or behind it. A near branch to
 * an address that is not canonical is itself #GP: *at becomes its address, and RSP is as it was
 * before it. (What a CALL has pushed stays in memory.) An access through SS is #SS. Registers are
 * those of the last unicorn_load().
 */
void canonical_fault(struct cpu *cpu, uint32_t *vector, uint64_t *at);

#endif
