/*
 * sim/timing/core_wrong_path.h - what a core does behind a wrongly predicted branch before it knows
 * better.
 *
 * The instructions of the wrong path are renamed at the core's width from the clock behind the
 * branch until the branch has executed, as long as reorder buffer, scheduler and queues have room.
 * Each executes when its operands are there. None takes a port, a fill buffer or a place from the
 * right path: the core's own state stays as it is.
 */
#ifndef SIM_TIMING_CORE_WRONG_PATH_H
#define SIM_TIMING_CORE_WRONG_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/timing/core.h"

struct core_wrong_path {
	const struct core *core;
	uint64_t clock, until; /* of rename; the branch has executed */
	unsigned renamed;      /* uops in this clock */
	unsigned decoded;      /* instructions in this clock */
	unsigned uops, loads, stores, waiting;
	uint64_t reg[CORE_REGISTERS]; /* ticks */
	uint8_t top;
	uint64_t begun; /* the last one that was executed, clock */
};

/* No more of the wrong path; renamed, but not executed; both. */
enum core_fate { CORE_WRONG_PATH_ENDS, CORE_WRONG_PATH_RENAMED, CORE_WRONG_PATH_EXECUTED };

/* branch: what core_step() said of it last; taken: the wrong path begins at a target. */
void core_wrong_path_open(struct core_wrong_path *s, const struct core *c,
                          const struct core_result *branch, bool taken);
/*
 * The next instruction of the wrong path. missed: a read of it misses the first level, so its data
 * come too late for everything; taken: it is a branch that is predicted taken.
 */
enum core_fate core_wrong_path_step(struct core_wrong_path *s, const struct core_insn *insn,
                                    bool missed, bool taken);

#endif
