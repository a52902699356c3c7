/*
 * sim/step/wrong_path.c - fetch, decode and count what a wrong prediction executes in vain.
 */
#include "sim/step/wrong_path.h"

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/operand.h"
#include "sim/step/access.h"
#include "sim/step/translate.h"
#include "sim/timing/core_wrong_path.h"
#include "sim/timing/per_clock.h"

enum { CALLS = 4 };

struct walk {
	struct cpu *cpu;
	struct core_wrong_path shadow;
	uint64_t at;
	uint32_t written;       /* general registers that have no value yet */
	uint64_t called[CALLS]; /* return addresses of calls on the wrong path */
	unsigned calls, returns;
};

/* What an instruction on the wrong path is counted as, by what it would be if it retired. */
struct counted {
	uint8_t retired;
	uint16_t bogus;
};

static const struct counted renamed[] = {
	{ SIG_INSTRUCTIONS, SIG_BOGUS_INSNS },
	{ SIG_UOPS, SIG_BOGUS_UOPS },
	{ SIG_LOADS, SIG_BOGUS_LOADS },
	{ SIG_STORES, SIG_BOGUS_STORES },
};

static const struct counted executed[] = {
	{ SIG_LOADS, SIG_BOGUS_EXEC_LOADS }, { SIG_MUL, SIG_BOGUS_MUL },
	{ SIG_FP_MUL, SIG_BOGUS_MUL },       { SIG_DIV, SIG_BOGUS_DIV },
	{ SIG_FP_DIV, SIG_BOGUS_DIV },       { SIG_X87_OPS, SIG_BOGUS_X87_OPS },
	{ SIG_MMX_INSNS, SIG_BOGUS_MMX },    { SIG_SSE_PS, SIG_BOGUS_SSE_PS },
	{ SIG_SSE_SS, SIG_BOGUS_SSE_SS },    { SIG_SSE_PD, SIG_BOGUS_SSE_PD },
	{ SIG_SSE_SD, SIG_BOGUS_SSE_SD },    { SIG_SSE_INT, SIG_BOGUS_SSE_INT },
};

static const uint16_t branches[] = {
	[BRANCH_COND] = SIG_BOGUS_COND_NOT_TAKEN,          [BRANCH_JUMP] = SIG_BOGUS_JUMPS,
	[BRANCH_JUMP_INDIRECT] = SIG_BOGUS_INDIRECT_JUMPS, [BRANCH_CALL] = SIG_BOGUS_DIRECT_CALLS,
	[BRANCH_CALL_INDIRECT] = SIG_BOGUS_INDIRECT_CALLS, [BRANCH_RETURN] = SIG_BOGUS_RETURNS,
};

static void count_branch(struct cpu *cpu, const struct insn *insn, bool taken)
{
	step_signal(cpu, SIG_BOGUS_EXEC_BRANCHES, 1);
	step_signal(cpu, SIG_BOGUS_TAKEN, taken);
	step_signal(cpu, SIG_BOGUS_NON_CALLS, insn->branch <= BRANCH_JUMP_INDIRECT);
	if (insn->branch == BRANCH_COND && taken)
		step_signal(cpu, SIG_BOGUS_COND_TAKEN, 1);
	else
		step_signal(cpu, (enum sim_signal)branches[insn->branch], 1);
}

/* Uops that ports take. */
static unsigned port_uops(const struct core_insn *insn)
{
	unsigned n = insn->loads + 2u * insn->stores;

	for (unsigned i = 0; i < insn->uops; i++)
		n += insn->uop[i].ports ? insn->uop[i].count : 0;
	return n;
}

static void count(struct cpu *cpu, const struct insn *insn, const struct counted *rows, unsigned n)
{
	for (unsigned i = 0; i < insn->signals; i++)
		for (unsigned row = 0; row < n; row++)
			if (rows[row].retired == insn->signal[i])
				step_signal(cpu, (enum sim_signal)rows[row].bogus, insn->count[i]);
}

/* Goes on in a page of code that has run before; a fetch of anything else would take too long. */
static bool enter_page(struct cpu *cpu, uint64_t at)
{
	struct page page = { .physical = at, .size = 4096 };
	uint64_t physical;

	if (cpu->paging && !memory_translate(cpu, at, &page))
		return false;
	physical = (page.physical & ~4095ull) + (cpu->paging ? at & (page.size - 1) & ~4095ull : 0);
	if (!machine_ram(cpu->pc, physical, 4096) || !cpu->code_pages[physical >> 12])
		return false;
	cpu->fetch.code = cpu->code_pages[physical >> 12];
	cpu->fetch.phys = physical;
	return true;
}

static bool known(const struct walk *w, ZydisRegister reg)
{
	ZydisRegister full = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	ZyanI8 id = ZydisRegisterGetId(full);

	return id < 0 || id > 15 || !(w->written >> id & 1);
}

/* Where the first read of the instruction finds its data; if its address is not known, at once. */
static enum sim_level source(const struct walk *w, const struct insn *insn)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint8_t bytes[15];
	size_t size;

	if (!insn->loads)
		return LEVEL_L1;
	size = decode_fetch(w->cpu, w->at, bytes);
	if (!decode_bytes(w->cpu->mode, bytes, size, &zi, ops))
		return LEVEL_L1;
	for (unsigned i = 0; i < zi.operand_count; i++) {
		if (ops[i].type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    !(ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ))
			continue;
		if (!known(w, ops[i].mem.base) || !known(w, ops[i].mem.index))
			return LEVEL_L1;
		return access_peek(w->cpu,
		                   operand_address(w->cpu, &zi, &ops[i], w->at + zi.length));
	}
	return LEVEL_L1;
}

static uint64_t direct_target(const struct cpu *cpu, const struct insn *insn, uint64_t at)
{
	uint64_t to = at + insn->length + (uint64_t)insn->target;

	return cpu->mode == 64 ? to : to & UINT32_MAX;
}

static bool is_direct(const struct insn *insn)
{
	return insn->branch == BRANCH_COND || insn->branch == BRANCH_JUMP ||
	       insn->branch == BRANCH_CALL;
}

/* Where the wrong path goes behind a branch of its own; 0: unknown. */
static uint64_t follow(struct walk *w, const struct insn *insn, const struct prediction *p)
{
	uint64_t next = w->at + insn->length;

	if (insn->branch == BRANCH_CALL || insn->branch == BRANCH_CALL_INDIRECT)
		w->called[w->calls++ % CALLS] = next;
	if (insn->branch == BRANCH_RETURN && w->calls)
		return w->calls > CALLS ? 0 : w->called[--w->calls];
	w->returns += insn->branch == BRANCH_RETURN;
	if (!p->taken)
		return next;
	return is_direct(insn) ? direct_target(w->cpu, insn, w->at) : p->target;
}

/* done: it was executed, not only renamed. */
static void count_insn(struct walk *w, const struct insn *insn, enum sim_level level, bool taken,
                       bool done)
{
	struct cpu *cpu = w->cpu;

	count(cpu, insn, renamed, sizeof(renamed) / sizeof(renamed[0]));
	step_signal(cpu, SIG_BOGUS_LOAD_INSNS, insn->loads != 0);
	step_signal(cpu, SIG_BOGUS_STORE_INSNS, insn->stores != 0);
	step_signal(cpu, SIG_BOGUS_MEMORY_INSNS, insn->loads || insn->stores);
	step_signal(cpu, SIG_BOGUS_ISSUED, insn->core.fused);
	step_signal(cpu, SIG_BOGUS_BRANCHES, insn->branch != BRANCH_NONE);
	if (!done)
		return;
	count(cpu, insn, executed, sizeof(executed) / sizeof(executed[0]));
	step_signal(cpu, SIG_BOGUS_EXECUTED, port_uops(&insn->core));
	if (cpu->core.per_clock) {
		struct core_clock *at = core_per_clock_at(cpu->core.per_clock, w->shadow.begun);

		at->bogus_executed = (uint8_t)(at->bogus_executed + port_uops(&insn->core));
	}
	step_signal(cpu, SIG_BOGUS_LOAD_MISS, level != LEVEL_L1);
	step_signal(cpu, SIG_BOGUS_L2_MISS, level > LEVEL_L2);
	if (insn->branch)
		count_branch(cpu, insn, taken);
}

/* One instruction of the wrong path. False: it ends. */
static bool walk_insn(struct walk *w, const struct insn *insn)
{
	struct cpu *cpu = w->cpu;
	struct prediction p = { 0 };
	enum sim_level level = source(w, insn);
	enum core_fate fate;

	if (insn->branch)
		p = predictor_peek(&cpu->predict, insn->branch, w->at, w->returns);
	fate = core_wrong_path_step(&w->shadow, &insn->core, level != LEVEL_L1, p.taken);
	if (fate == CORE_WRONG_PATH_ENDS)
		return false;
	count_insn(w, insn, level, p.taken, fate == CORE_WRONG_PATH_EXECUTED);
	for (unsigned i = 0; i < insn->core.dsts; i++)
		if (insn->core.dst[i] < 16)
			w->written |= 1u << insn->core.dst[i];
	if (insn->core.flags & CORE_STACK)
		w->written |= 1u << REG_SP;
	w->at = insn->branch ? follow(w, insn, &p) : w->at + insn->length;
	return w->at;
}

/* What the simulator does itself waits for the branch, and so does a repeat. */
static bool waits(const struct insn *insn)
{
	switch (insn->kind) {
	case K_PLAIN:
	case K_PREFETCH:
	case K_ALIGNED:
	case K_POPCNT:
		return insn->flags & I_REP || insn->branch == BRANCH_FAR;
	default:
		return true;
	}
}

void wrong_path(struct cpu *cpu, const struct insn *branch, const struct prediction *prediction)
{
	struct walk w = { .cpu = cpu, .at = cpu->flight.at + branch->length };
	struct code_page *code = cpu->fetch.code;
	uint64_t phys = cpu->fetch.phys, page = NEVER;

	if (prediction->taken)
		w.at = is_direct(branch) ? direct_target(cpu, branch, cpu->flight.at)
		                         : prediction->target;
	core_wrong_path_open(&w.shadow, &cpu->core, &cpu->flight.core_result, prediction->taken);
	while (w.at) {
		const struct insn *insn;

		if ((w.at & ~4095ull) != page && !enter_page(cpu, w.at))
			break;
		page = w.at & ~4095ull;
		insn = decode_at(cpu, w.at);
		if (!insn || waits(insn) || !walk_insn(&w, insn))
			break;
	}
	cpu->fetch.code = code;
	cpu->fetch.phys = phys;
}
