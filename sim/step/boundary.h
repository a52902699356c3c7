/*
 * sim/step/boundary.h - what comes between two instructions: interrupts, deadlines, the end.
 */
#ifndef SIM_STEP_BOUNDARY_H
#define SIM_STEP_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;

/* Leaves the engine; execution will go on at this linear address. */
void boundary_stop(struct cpu *cpu, uint64_t at);
/*
 * Something outside of the instruction stream is due in front of the instruction at `at`. True:
 * execution continues elsewhere or stops, and the hook must leave.
 */
bool boundary_attend(struct cpu *cpu, uint64_t at);
/* Something would interrupt, or wake, this processor now. */
bool boundary_wants(const struct cpu *cpu);
/* Works out cpu->deadline anew. */
void boundary_deadline(struct cpu *cpu);

#endif
