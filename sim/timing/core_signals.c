/*
 * sim/timing/core_signals.c - from results of the core to signals.
 */
#include "sim/timing/core_signals.h"

#include <string.h>

/*
 * Most instructions have a uop on one port or two: four ports are looked at together. The first is
 * in the lowest bits: the simulator runs on little-endian hosts alone.
 */
static void port_signals(const struct core_result *r, struct sim_step *step)
{
	uint64_t four;

	_Static_assert(sizeof(four) == 4 * sizeof(r->port[0]), "four ports");
	for (unsigned first = 0; first < CORE_PORTS; first += 4) {
		memcpy(&four, r->port + first, sizeof(four));
		for (unsigned i = first; four; i++, four >>= 16)
			sim_step_add(step, (enum sim_signal)(SIG_PORT0 + i), four & 0xffff);
	}
}

/* Why rename waited for the code of the instruction. */
static void code_signals(unsigned waits, struct sim_step *step)
{
	const unsigned line = 1u << CORE_CODE_L2 | 1u << CORE_CODE_LLC | 1u << CORE_CODE_MEMORY;

	if (!waits)
		return;
	sim_step_add(step, SIG_WAITED_CODE, 1);
	sim_step_add(step, SIG_WAITED_JUMP, waits >> CORE_CODE_JUMP & 1);
	sim_step_add(step, SIG_WAITED_TLB, waits >> CORE_CODE_TLB & 1);
	sim_step_add(step, SIG_WAITED_LINE, !!(waits & line));
	sim_step_add(step, SIG_WAITED_MICROCODE, waits >> CORE_CODE_MICROCODE & 1);
	sim_step_add(step, SIG_WAITED_DECODE, waits >> CORE_CODE_DECODE & 1);
	sim_step_add(step, SIG_WAITED_OTHER, waits >> CORE_CODE_OTHER & 1);
}

/* What nearly every instruction has none of. */
static void seldom_signals(const struct core_result *r, struct sim_step *step)
{
	sim_step_add(step, SIG_LCP_STALL, r->prefix_stall);
	sim_step_add(step, SIG_ELIMINATED, r->eliminated);
	sim_step_add(step, SIG_MACRO_FUSED, r->macro_fused);
	sim_step_add(step, SIG_COMPLEX_DECODED, r->complex);
	sim_step_add(step, SIG_FILL_HIT, r->fill_hits);
	sim_step_add(step, SIG_BUFFER_WAITED, r->buffer_waits);
	sim_step_add(step, SIG_ALIASED, r->aliases);
	sim_step_add(step, SIG_FORWARDED, r->forwarded);
	sim_step_add(step, SIG_FORWARD_WAITED, r->forward_waited);
	sim_step_add(step, SIG_FORWARD_FAILED, r->forward_failed);
	sim_step_add(step, SIG_FORWARD_UNALIGNED, r->forward_unaligned);
}

static void load_clocks(const struct core_result *r, struct sim_step *step)
{
	_Static_assert(CORE_ACCESSES <= SIM_STEP_LOADS, "each load has a place");
	step->loads = r->loads;
	for (unsigned i = 0; i < r->loads; i++) {
		uint32_t clocks = (r->load_ticks[i] + CORE_TICKS - 1) / CORE_TICKS;

		step->load_clocks[i] = (uint16_t)(clocks < UINT16_MAX ? clocks : UINT16_MAX);
	}
}

void core_signals(const struct core_result *r, struct sim_step *step)
{
	static const enum sim_signal stalls[CORE_STALLS] = {
		[CORE_STALL_ROB] = SIG_ROB_STALL,
		[CORE_STALL_SCHEDULER] = SIG_SCHEDULER_STALL,
		[CORE_STALL_LOADS] = SIG_LOAD_STALL,
		[CORE_STALL_STORES] = SIG_STORE_STALL,
		[CORE_STALL_BARRIER] = SIG_BARRIER_STALL,
	};
	bool seldom = r->prefix_stall | r->eliminated | r->macro_fused | r->complex | r->fill_hits |
	              r->buffer_waits | r->aliases | r->forwarded | r->forward_waited |
	              r->forward_failed | r->forward_unaligned;

	port_signals(r, step);
	for (unsigned i = CORE_STALL_CODE + 1; i < CORE_STALLS; i++)
		sim_step_add(step, stalls[i], r->stall[i]);
	sim_step_add(step, SIG_ISSUED, r->issued);
	sim_step_add(step, SIG_EXECUTED, r->executed);
	sim_step_add(step, SIG_RETIRED_SLOTS, r->issued);
	sim_step_add(step, SIG_HEAVY_SLOTS, r->issued > 1 ? r->issued - 1u : 0);
	sim_step_add(step, r->uop_cache ? SIG_CACHED_UOPS : SIG_DECODED_UOPS, r->issued);
	sim_step_add(step, SIG_MICROCODE_UOPS, r->microcode ? r->issued : 0);
	if (!r->microcode)
		sim_step_add(step, r->uop_cache ? SIG_DELIVERED_UOPS : SIG_BUILT_UOPS, r->issued);
	sim_step_add(step, SIG_TWO_UOPS_DECODED, r->issued == 2 && !r->uop_cache && !r->microcode);
	code_signals(r->code_waits, step);
	sim_step_add(step, SIG_WAITED_CLOCKS, r->code_clocks);
	if (r->loads)
		load_clocks(r, step);
	if (seldom)
		seldom_signals(r, step);
}

void core_fusion_signals(const struct core_machine *m, const struct core_insn *insn,
                         struct sim_step *step)
{
	unsigned loads, stores;

	core_fused(m, insn, &loads, &stores);
	sim_step_add(step, SIG_FUSED_LOADS, loads);
	sim_step_add(step, SIG_FUSED_STORES, stores);
	sim_step_add(step, SIG_STACK_INSNS, !!(insn->flags & CORE_STACK));
}
