/*
 * sim/pc/ticks.h - the clocks of devices, worked out from the processor that looks at them.
 */
#ifndef SIM_PC_TICKS_H
#define SIM_PC_TICKS_H

#include <stdint.h>

struct machine;

/* Core clocks of the running processor since power-on. */
uint64_t ticks_now(const struct machine *pc);
/* Ticks of a clock of `hz` that have passed at this core clock. */
uint64_t ticks_at(const struct machine *pc, uint64_t clock, uint64_t hz);
/* The first core clock at which that many ticks have passed. */
uint64_t ticks_clock(const struct machine *pc, uint64_t ticks, uint64_t hz);

#endif
