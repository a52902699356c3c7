/*
 * sim/run.h - runs the processors of a machine in turn.
 */
#ifndef SIM_RUN_H
#define SIM_RUN_H

struct machine;

/* Returns when the run has ended; pc->end and pc->why say how. */
void run_machine(struct machine *pc);

#endif
