/*
 * sim/pmu/signal.c - names of the signals, and the branch signals of a step.
 */
#include "sim/pmu/signal.h"

#include <string.h>

const struct sim_signal_info sim_signal_info[SIG_COUNT] = {
#define SIM_SIGNAL_INFO(name, kind, text) { #name, text, SIGNAL_##kind },
	SIM_SIGNALS(SIM_SIGNAL_INFO)
#undef SIM_SIGNAL_INFO
};

/* One more than the lane while the table is made: 0 is none. */
#define SIM_LANE(name) [SIG_##name] = LANE_##name + 1,
static const uint8_t lanes[SIG_COUNT] = { SIM_LANES(SIM_LANE) };
#undef SIM_LANE

unsigned sim_signal_lane(enum sim_signal sig)
{
	return lanes[sig] ? lanes[sig] - 1u : LANE_COUNT;
}

enum sim_signal sim_signal_by_name(const char *name)
{
	for (unsigned i = 0; i < SIG_COUNT; i++)
		if (!strcmp(sim_signal_info[i].name, name))
			return (enum sim_signal)i;
	return SIG_COUNT;
}

/* Per kind: the signal of its execution and of its misprediction. */
static const struct {
	enum sim_signal executed, mispredicted;
} branch_signals[] = {
	[BRANCH_COND] = { SIG_COND, SIG_MISP_COND },
	[BRANCH_JUMP] = { SIG_JUMPS, SIG_MISP_DIRECT },
	[BRANCH_JUMP_INDIRECT] = { SIG_INDIRECT_JUMPS, SIG_MISP_INDIRECT_JUMP },
	[BRANCH_CALL] = { SIG_DIRECT_CALLS, SIG_MISP_DIRECT },
	[BRANCH_CALL_INDIRECT] = { SIG_INDIRECT_CALLS, SIG_MISP_INDIRECT_CALL },
	[BRANCH_RETURN] = { SIG_RETURNS, SIG_MISP_RETURN },
	[BRANCH_FAR] = { SIG_FAR_TRANSFERS, SIG_COUNT },
};

void sim_step_branch(struct sim_step *step, enum sim_branch kind, bool taken, bool mispredicted)
{
	step->branch = (uint8_t)kind;
	step->taken = taken;
	step->mispredicted = mispredicted;
	if (kind == BRANCH_NONE)
		return;
	sim_step_add(step, SIG_BRANCHES, 1);
	sim_step_add(step, branch_signals[kind].executed, 1);
	sim_step_add(step, SIG_TAKEN, taken);
	sim_step_add(step, SIG_NEAR_TAKEN, taken && kind != BRANCH_FAR);
	sim_step_add(step, SIG_TAKEN_GOOD, taken && !mispredicted);
	sim_step_add(step, SIG_NOT_TAKEN_GOOD, !taken && !mispredicted);
	sim_step_add(step, SIG_NOT_TAKEN_BAD, !taken && mispredicted);
	if (kind == BRANCH_COND)
		sim_step_add(step, taken ? SIG_COND_TAKEN : SIG_COND_NOT_TAKEN, 1);
	if (!mispredicted)
		return;
	sim_step_add(step, SIG_MISPREDICTED, 1);
	sim_step_add(step, SIG_MISP_TAKEN, taken);
	sim_step_add(step, SIG_MISP_COND_TAKEN, taken && kind == BRANCH_COND);
	sim_step_add(step, SIG_MISP_DIRECT_CALL, kind == BRANCH_CALL);
	sim_step_add(step, SIG_MISP_JUMP, kind == BRANCH_JUMP);
	if (branch_signals[kind].mispredicted != SIG_COUNT)
		sim_step_add(step, branch_signals[kind].mispredicted, 1);
}

void sim_step_interrupt(struct sim_step *step, bool hardware)
{
	step->branch = BRANCH_FAR;
	step->taken = true;
	sim_step_add(step, hardware ? SIG_INTERRUPTS_HW : SIG_EXCEPTIONS, 1);
}
