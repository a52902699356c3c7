/*
 * sim/step/popcnt.h - POPCNT, which the execution engine does not have (SDM 2B, POPCNT).
 */
#ifndef SIM_STEP_POPCNT_H
#define SIM_STEP_POPCNT_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;

/*
 * Executes the POPCNT at this linear address, flags included. False: its operand cannot be read;
 * *fault is the linear address of a #PF and *error the error code, and nothing has changed.
 */
bool popcnt_execute(struct cpu *cpu, uint64_t at, uint64_t *fault, uint32_t *error);

#endif
