/*
 * sim/step/retire.c - retirement: clocks of the instruction, signals of its step, counters, trace.
 */
#include "sim/step/retire.h"

#include <math.h>
#include <string.h>

#include "sim/cpu/apic.h"
#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/unicorn.h"
#include "sim/cpu/guest.h"
#include "sim/model/models.h"
#include "sim/step/access.h"
#include "sim/cpu/breakpoint.h"
#include "sim/step/trace.h"
#include "sim/step/translate.h"
#include "sim/step/wrong_path.h"
#include "sim/timing/core_signals.h"
#include "sim/timing/per_clock.h"

enum { DELIVERY_CLOCKS = 0 };
enum { FL_RF = 1 << 16 };

static bool taken_branch(const struct insn *insn, uint64_t at, uint64_t next)
{
	return insn->flags & I_ALWAYS || next != at + insn->length;
}

static void branch_step(struct cpu *cpu, const struct insn *insn, uint64_t next,
                        struct prediction *prediction)
{
	struct sim_step *step = &cpu->flight.step;
	bool taken = taken_branch(insn, cpu->flight.at, next);
	bool missed;

	*prediction = predictor_step(&cpu->predict, insn->branch, cpu->flight.at,
	                             cpu->flight.at + insn->length, next, taken);
	missed = !prediction->right;
	if (!cpu->flight.collect)
		return;
	sim_step_branch(step, (enum sim_branch)insn->branch, taken, missed);
	sim_step_add(step, prediction->btb_hit ? SIG_BTB_HIT : SIG_BTB_MISS, 1);
	sim_step_add(step, SIG_FOUND_TAKEN, !prediction->btb_hit && prediction->taken);
	sim_step_add(step, SIG_BTB_MISS_CALLS,
	             !prediction->btb_hit &&
	                     (insn->branch == BRANCH_CALL || insn->branch == BRANCH_CALL_INDIRECT ||
	                      insn->branch == BRANCH_RETURN));
	sim_step_add(step, SIG_TAKEN_OR_BTB_HIT, taken || prediction->btb_hit);
	if (insn->branch == BRANCH_RETURN && prediction->btb_hit)
		sim_step_add(step, SIG_RETURN_PREDICTED, 1);
	sim_step_add(step, SIG_BTB_NOT_TAKEN, prediction->taken && !taken);
	if (insn->branch == BRANCH_RETURN)
		sim_step_add(step, SIG_RETURN_MISSED, missed);
}

static void p5_signals(struct cpu *cpu, const struct insn *insn)
{
	const struct p5_result *r = &cpu->flight.p5_result;
	struct sim_step *step = &cpu->flight.step;
	bool v = r->pipe == P5_PIPE_V;

	sim_step_add(step, SIG_V_PIPE, v);
	if (cpu->debug.matches)
		breakpoint_signals(cpu, v);
	if (r->mmx)
		sim_step_add(step, v ? SIG_MMX_V : SIG_MMX_U, 1);
	sim_step_add(step, SIG_BOTH_PIPES_MEM, r->both_pipes_memory);
	sim_step_add(step, SIG_BANK_CONFLICT, r->bank_conflict);
	sim_step_add(step, SIG_PIPELINE_FLUSH, r->flush);
	sim_step_add(step, SIG_FLUSH_BRANCH, r->flush && step->mispredicted);
	sim_step_add(step, SIG_FLUSH_BRANCH_WB, r->flush_wb);
	sim_step_add(step, SIG_AGI_STALL, r->agi);
	sim_step_add(step, SIG_EM_STALL, r->em_stall);
	sim_step_add(step, SIG_WRITE_STALL, r->write_stall);
	sim_step_add(step, SIG_READ_STALL, r->read_stall);
	sim_step_add(step, SIG_BUS_BUSY, r->bus_busy);
	sim_step_add(step, SIG_FP_STALL, r->fp_stall);
	sim_step_add(step, SIG_MMX_MUL_STALL, r->mmx_wait);
	sim_step_add(step, SIG_MMX_STORE_STALL, r->mmx_store_wait);
	if (insn->flags & I_MMX)
		sim_step_add(step, SIG_MMX_READ_STALL, r->read_stall);
	if (step->n[SIG_L1D_STORE_HIT])
		sim_step_add(step, SIG_STORE_HIT_EM, step->n[SIG_L1D_STORE_HIT]);
}

/* The pipeline model of the Pentium takes the place of nominal clocks. */
static uint32_t p5_clocks(struct cpu *cpu, struct insn *insn, uint64_t next, bool missed)
{
	struct p5_dyn *dyn = &cpu->flight.p5_dyn;
	uint32_t fill = cpu->fetch.code ? cpu->fetch.code->fills[(insn->physical & 4095) / 32] : 0;

	dyn->rip = cpu->flight.at;
	dyn->taken = insn->branch && taken_branch(insn, cpu->flight.at, next);
	dyn->mispredicted = missed;
	dyn->first_run = insn->fill != fill;
	insn->fill = fill;
	dyn->cpl = cpu->flight.step.cpl;
	dyn->rep = (uint32_t)cpu->flight.rep_done;
	p5_step(&cpu->p5, &insn->p5, dyn, &cpu->flight.p5_result);
	memset(dyn, 0, sizeof(*dyn));
	return cpu->flight.p5_result.clocks;
}

/* Significand and sign-less exponent of ST(i). */
static uint64_t x87_register(const struct cpu *cpu, unsigned i, int *exponent)
{
	uint8_t st[16] = { 0 };
	uint64_t significand;

	uc_reg_read(cpu->engine.uc, UC_X86_REG_ST0 + (int)i, st);
	memcpy(&significand, st, 8);
	*exponent = ((st[9] & 0x7f) << 8 | st[8]) - 16383 - 63;
	return significand;
}

/* Which case of its row an x87 instruction is, before it executes. */
static uint32_t operand_case(const struct cpu *cpu, const struct core_insn *core)
{
	static const uint8_t precision[] = { CORE_DIVIDE_SINGLE, CORE_DIVIDE_SINGLE,
		                             CORE_DIVIDE_DOUBLE, CORE_DIVIDE_EXTENDED };
	uint64_t dividend = 1, divisor = 1;
	uint16_t control;
	int exponent;

	if (core->kind == CORE_SINE || core->kind == CORE_COSINE) {
		double angle = (double)x87_register(cpu, 0, &exponent);

		return core_angle(ldexp(angle, exponent), core->kind == CORE_COSINE);
	}
	if (core->kind == CORE_ROOT)
		dividend = divisor = x87_register(cpu, 0, &exponent);
	if (core->kind == CORE_DIVISION && core->operand[0] < 8)
		dividend = x87_register(cpu, core->operand[0], &exponent);
	if (core->kind == CORE_DIVISION && core->operand[1] < 8)
		divisor = x87_register(cpu, core->operand[1], &exponent);
	if (!dividend)
		return CORE_DIVIDE_ZERO;
	if (divisor == 1ull << 63)
		return CORE_DIVIDE_POWER;
	uc_reg_read(cpu->engine.uc, UC_X86_REG_FPCW, &control);
	return precision[control >> 8 & 3];
}

/* What the time of an instruction with a slope, or of a division, depends on (clocks.md). */
static uint32_t quantity(const struct cpu *cpu, const struct insn *insn)
{
	const struct core_insn *core = &insn->core;
	uint64_t quotient;
	uint16_t control;

	if (core->precision) {
		static const uint8_t digits[] = { 24, 24, 53, 64 };

		uc_reg_read(cpu->engine.uc, UC_X86_REG_FPCW, &control);
		return digits[control >> 8 & 3];
	}
	if (!core->quotient)
		return insn->flags & I_REP ? (uint32_t)cpu->flight.rep_done : 0;
	quotient = unicorn_reg(cpu, REG_AX) << (64 - core->quotient);
	if (core->negative && quotient >> 63)
		quotient = -quotient;
	quotient >>= 64 - core->quotient;
	return quotient ? 64 - (uint32_t)__builtin_clzll(quotient) : 0;
}

/* The instruction in flight passes the core; *dyn is empty then. */
static inline uint32_t core_pass(struct cpu *cpu, const struct insn *insn, struct core_result *out)
{
	struct core_dyn *dyn = &cpu->flight.core_dyn;
	uint32_t clocks;

	dyn->rip = cpu->flight.at;
	dyn->wait = cpu->flight.stall;
	clocks = core_step(&cpu->core, &insn->core, dyn, out);
	dyn->accesses = 0;
	dyn->more = dyn->quantity = 0;
	if (dyn->fetch)
		dyn->fetch = dyn->fetch_tlb = dyn->fetch_walk = dyn->fetch_l2 = dyn->fetch_memory =
			0;
	return clocks;
}

/* The same as p5_clocks() for every processor that has rows in sim/timing/rows. */
static uint32_t core_clocks(struct cpu *cpu, const struct insn *insn, uint64_t next, bool missed)
{
	struct core_dyn *dyn = &cpu->flight.core_dyn;
	uint32_t clocks;

	dyn->taken = insn->branch && taken_branch(insn, cpu->flight.at, next);
	dyn->mispredicted = missed;
	if (cpu->flight.collect)
		sim_step_add(&cpu->flight.step, SIG_FETCH_STALL, dyn->fetch);
	if (insn->core.slope)
		dyn->quantity = quantity(cpu, insn);
	if (insn->core.kind == CORE_QUOTIENT)
		dyn->quantity = core_quotient(quantity(cpu, insn));
	clocks = core_pass(cpu, insn, cpu->flight.collect ? &cpu->flight.core_result : NULL);
	dyn->taken = dyn->mispredicted = false;
	return clocks;
}

void retire_prepare(struct cpu *cpu, const struct insn *insn)
{
	struct p5_dyn *dyn = &cpu->flight.p5_dyn;

	/* what its code was waited for is the front end's, not its own */
	if (cpu->core_machine) {
		cpu->flight.core_dyn.fetch += cpu->flight.stall;
		cpu->flight.stall = 0;
		if (insn->core.cases && insn->core.kind != CORE_QUOTIENT)
			cpu->flight.core_dyn.quantity = operand_case(cpu, &insn->core);
		return;
	}
	if (insn->p5.needs & P5_NEEDS_FPCW)
		uc_reg_read(cpu->engine.uc, UC_X86_REG_FPCW, &dyn->fpcw);
	if (insn->p5.needs & P5_NEEDS_EAX)
		dyn->eax = (uint32_t)unicorn_reg(cpu, REG_AX);
	if (insn->p5.needs & P5_NEEDS_FPZERO) {
		int exponent;
		uint64_t significand = x87_register(cpu, insn->p5.st_zero, &exponent);

		dyn->fp_zero = !significand;
		if (insn->p5.needs & P5_NEEDS_ANGLE)
			dyn->angle = ldexp((double)significand, exponent);
	}
}

/* x87 and MMX share registers: the first instruction of one kind after the other is an event. */
static void media_signals(struct cpu *cpu, const struct insn *insn)
{
	if (insn->flags & I_MMX) {
		sim_step_add(&cpu->flight.step, SIG_FP_TO_MMX, cpu->x87_state);
		cpu->x87_state = false;
		cpu->mmx_state = !(insn->flags & I_EMMS);
	} else if (insn->flags & I_X87) {
		sim_step_add(&cpu->flight.step, SIG_MMX_TO_FP, cpu->mmx_state);
		cpu->mmx_state = false;
		cpu->x87_state = true;
	}
}

static void clock_signals(struct cpu *cpu, uint32_t clocks)
{
	struct sim_step *step = &cpu->flight.step;

	step->clocks = clocks;
	if (!clocks)
		return;
	sim_step_add(step, SIG_CLOCKS, clocks);
	sim_step_add(step, SIG_REF_CLOCKS, clocks);
	sim_step_add(step, step->cpl ? SIG_RING123_CLOCKS : SIG_RING0_CLOCKS, clocks);
	if (!cpu->int_flag) {
		sim_step_add(step, SIG_INT_MASKED, clocks);
		if (apic_pending(cpu) >= 0 ||
		    (apic_takes_extint(cpu) && cpu->pc->bus->interrupt(cpu->pc)))
			sim_step_add(step, SIG_INT_PENDING, clocks);
	}
}

/* An SSE addition, subtraction or multiplication, or a dot product: FP_ARITH counts that twice. */
static bool adds_or_multiplies(const struct sim_step *step)
{
	return step->n[SIG_FLOPS_ADD_SUB] || step->n[SIG_FLOPS_MUL] ||
	       step->n[SIG_FP_ARITH_PS] == 2 || step->n[SIG_FP_ARITH_PD] == 2;
}

/* What the model of the pipeline says; nominal clocks know nothing of fusion and renaming. */
static void timing_signals(struct cpu *cpu, const struct insn *insn)
{
	struct sim_step *step = &cpu->flight.step;

	if (cpu->core_machine) {
		core_signals(&cpu->flight.core_result, step);
		if (insn->flags & I_X87)
			sim_step_add(step, SIG_X87_UOPS, cpu->flight.core_result.executed);
		if (insn->flags & I_MMX)
			sim_step_add(step, SIG_MMX_UOPS, cpu->flight.core_result.executed);
		if (!(insn->flags & I_REP))
			core_fusion_signals(cpu->core_machine, &insn->core, step);
		if (adds_or_multiplies(step)) {
			sim_step_add(step, SIG_FP_PORT0, cpu->flight.core_result.port[0]);
			sim_step_add(step, SIG_FP_PORT1, cpu->flight.core_result.port[1]);
			sim_step_add(step, SIG_FP_PORT5, cpu->flight.core_result.port[5]);
		}
		if (cpu->core.per_clock)
			core_per_clock_retired(&cpu->core, step);
		return;
	}
	if (cpu->model->flags & MODEL_PIPELINE && !cpu->pc->opt.flat)
		p5_signals(cpu, insn);
	sim_step_add(step, SIG_ISSUED, step->n[SIG_UOPS]);
	sim_step_add(step, SIG_EXECUTED, step->n[SIG_UOPS]);
	sim_step_add(step, SIG_RETIRED_SLOTS, step->n[SIG_UOPS]);
	sim_step_add(step, SIG_HEAVY_SLOTS, step->n[SIG_UOPS] > 1 ? step->n[SIG_UOPS] - 1 : 0);
}

/* A prefetch that no cache has: of which kind? */
static void prefetch_signals(struct sim_step *step)
{
	sim_step_add(step, SIG_NTA_MEMORY, step->n[SIG_PREFETCH_NTA]);
	sim_step_add(step, SIG_T1_MEMORY, step->n[SIG_PREFETCH_T1]);
	sim_step_add(step, SIG_T2_MEMORY, step->n[SIG_PREFETCH_T2]);
}

/* What the instruction itself says. */
static void decoded_signals(struct cpu *cpu, const struct insn *insn)
{
	struct sim_step *step = &cpu->flight.step;

	for (unsigned i = 0; i < insn->signals; i++)
		sim_step_add(step, (enum sim_signal)insn->signal[i], insn->count[i]);
	if (step->n[SIG_SW_PREFETCH_MEMORY])
		prefetch_signals(step);
	if (!step->n[SIG_PREFETCH_W]) {
		sim_step_add(step, SIG_READ_PREFETCH_HIT, step->n[SIG_SW_PREFETCH_L2]);
		sim_step_add(step, SIG_READ_PREFETCH_LLC, step->n[SIG_SW_PREFETCH_LLC]);
		sim_step_add(step, SIG_READ_PREFETCH_MEMORY, step->n[SIG_SW_PREFETCH_MEMORY]);
	}
	if (!(insn->flags & I_REP))
		return;
	sim_step_add(step, SIG_LOAD_INSNS, insn->loads != 0);
	sim_step_add(step, SIG_STORE_INSNS, insn->stores != 0);
	sim_step_add(step, SIG_REP_ITERATIONS, (uint32_t)cpu->flight.rep_done);
}

/* Of what the instruction met in the caches, that for which its time or its kind must be known. */
static void access_signals(struct cpu *cpu)
{
	struct sim_step *step = &cpu->flight.step;
	static const uint8_t l2[] = {
		SIG_L2_LOAD_HIT_E,  SIG_L2_LOAD_HIT_M, SIG_L2_LOAD_MISS, SIG_L2_STORE_HIT_E,
		SIG_L2_STORE_HIT_M, SIG_L2_STORE_MISS, SIG_L2_CODE_HIT,  SIG_L2_CODE_MISS,
		SIG_L1D_WRITEBACK,  SIG_L2_FILL,       SIG_L2_WRITEBACK,
	};
	uint32_t hits = step->n[SIG_L1D_LOAD_HIT], late = step->n[SIG_FILL_HIT];

	sim_step_add(step, SIG_L1D_LOAD_READY, late < hits ? hits - late : 0);
	for (unsigned i = 0; i < sizeof(l2) / sizeof(l2[0]); i++)
		sim_step_add(step, SIG_L2_ALL, step->n[l2[i]]);
	if (!step->n[SIG_LOCKED]) {
		sim_step_add(step, SIG_LATE_LOADS,
		             step->n[SIG_UNCACHED_READ] ? step->n[SIG_UNCACHED_READ]
		                                        : step->n[SIG_PAGE_SPLIT_LOAD]);
		return;
	}
	sim_step_add(step, SIG_LATE_LOADS, step->n[SIG_LOCKED]);
	sim_step_add(step, SIG_LOCK_HIT_E, step->n[SIG_L1D_LOAD_HIT_E]);
	sim_step_add(step, SIG_LOCK_HIT_M, step->n[SIG_L1D_LOAD_HIT_M]);
	sim_step_add(step, SIG_LOCK_FILL_HIT, late);
	sim_step_add(step, SIG_L2_LOCK_HIT_E, step->n[SIG_L2_LOAD_HIT_E]);
	sim_step_add(step, SIG_L2_LOCK_HIT_M, step->n[SIG_L2_LOAD_HIT_M]);
	sim_step_add(step, SIG_L2_LOCK_MISS, step->n[SIG_L2_LOAD_MISS]);
	sim_step_add(step, SIG_SPLIT_LOCKS, step->n[SIG_SPLIT_LOAD]);
	if (!step->n[SIG_SPLIT_LOAD]) /* each line of a split one is a read */
		sim_step_add(step, SIG_UNCACHED_LOCKS, step->n[SIG_UNCACHED_READ]);
}

static void give_step(struct cpu *cpu, struct insn *insn)
{
	if (cpu->pc->trace)
		trace_step(cpu->pc->trace, cpu, insn);
	/* A hypervisor has set the core's bit, whatever its guest reads. */
	cpu->pmu->fences_pass = cpu->model->groups & G_ZEN && !(cpu->msr[M_DE_CFG] & 2) &&
	                        !cpu->pc->opt.faults.guest.on;
	if (!sim_pmu_idle(cpu->pmu) && guest_counts(cpu, insn))
		sim_pmu_retire(cpu->pmu, &cpu->flight.step);
	sim_step_clear(&cpu->flight.step);
}

void retire_watch(struct cpu *cpu)
{
	cpu->flight.collect = !sim_pmu_idle(cpu->pmu) || cpu->pc->trace;
	if (cpu->core_machine &&
	    !core_per_clock(&cpu->core, !sim_pmu_idle(cpu->pmu) && sim_pmu_wants_clocks(cpu->pmu)))
		machine_end(cpu->pc, END_UNSUPPORTED, "out of memory");
}

static inline void count_retired(struct cpu *cpu, uint32_t clocks)
{
	cpu->clock += clocks;
	cpu->retired++;
	cpu->pc->steps++;
	if (cpu->retired >= cpu->faults.next)
		cpu->pending.attention = true;
}

void retire_easy(struct cpu *cpu)
{
	struct insn *insn = cpu->flight.insn;

	cpu->flight.insn = NULL;
	if (cpu->flight.accesses)
		access_flush(cpu, insn);
	count_retired(cpu, core_pass(cpu, insn, NULL));
	cpu->flight.stall = 0;
}

/* IRET loads RF for one instruction; the engine would keep it for a while, and PUSHF store it. */
static void set_resume_flag(struct cpu *cpu, const struct insn *insn)
{
	uint64_t flags = insn->kind == K_IRET ? unicorn_flags(cpu) : 0;

	cpu->debug.resume_flag = flags & FL_RF;
	if (cpu->debug.resume_flag)
		unicorn_set_flags(cpu, flags & ~(uint64_t)FL_RF);
}

void retire_instruction(struct cpu *cpu, uint64_t next)
{
	struct insn *insn = cpu->flight.insn;
	struct prediction prediction = { .right = true };
	uint32_t clocks;

	cpu->flight.insn = NULL;
	cpu->flight.rep_done = 0;
	if (insn->flags & I_REP)
		cpu->flight.rep_done =
			cpu->flight.rep_start - (unicorn_reg(cpu, REG_CX) & cpu->flight.rep_mask);
	if (cpu->flight.accesses)
		access_flush(cpu, insn);
	if (insn->branch) {
		branch_step(cpu, insn, next, &prediction);
		if (!prediction.right && !cpu->core_machine)
			cpu->flight.stall += cpu->model->costs.mispredict;
	}
	if (cpu->pc->opt.flat)
		clocks = 1;
	else if (cpu->model->flags & MODEL_PIPELINE)
		clocks = p5_clocks(cpu, insn, next, !prediction.right);
	else if (cpu->core_machine)
		clocks = core_clocks(cpu, insn, next, !prediction.right);
	else
		clocks = 1 + cpu->flight.stall;
	cpu->flight.stall = 0;
	if (cpu->flight.collect) {
		decoded_signals(cpu, insn);
		timing_signals(cpu, insn);
		access_signals(cpu);
		if (!prediction.right && cpu->core_machine && !cpu->pc->opt.flat)
			wrong_path(cpu, insn, &prediction);
		media_signals(cpu, insn);
		clock_signals(cpu, clocks);
		if (cpu->core.per_clock)
			core_per_clock_take(&cpu->core, &cpu->flight.step);
		cpu->flight.step.rip = cpu->flight.at;
		cpu->flight.step.next_rip = next;
		give_step(cpu, insn);
	}
	count_retired(cpu, clocks);
	if (insn->flags & (I_MODE | I_FLUSH | I_SHADOW | I_SEGMENT)) {
		bool masked = !cpu->int_flag;

		unicorn_load(cpu);
		set_resume_flag(cpu, insn);
		if (insn->flags & I_FLUSH && insn->kind != K_WRMSR && insn->kind != K_INVLPG)
			translate_flush(cpu);
		cpu->pending.attention = true;
		/* STI shields the next instruction only when it opens the door */
		cpu->pending.shadow = insn->flags & I_SHADOW && (!(insn->flags & I_MODE) || masked);
	}
}

void retire_event(struct cpu *cpu, bool hardware, unsigned vector, uint64_t from)
{
	struct sim_step *step = &cpu->flight.step;
	struct p5_result result = { 0 };

	if (cpu->core_machine)
		core_event(&cpu->core, DELIVERY_CLOCKS);
	if (cpu->model->flags & MODEL_PIPELINE && !cpu->pc->opt.flat) {
		p5_event(&cpu->p5, DELIVERY_CLOCKS, true, &result);
		cpu->clock += result.clocks;
	}
	cpu->pc->steps++;
	if (!cpu->flight.collect)
		return;
	sim_step_clear(step);
	step->cpl = cpu->cpl;
	step->rip = from;
	sim_step_interrupt(step, hardware);
	sim_step_add(step, SIG_PAGE_FAULTS, !hardware && vector == VEC_PF);
	sim_step_add(step, SIG_PIPELINE_FLUSH, result.flush);
	clock_signals(cpu, result.clocks);
	if (cpu->core.per_clock) /* the clocks until now are those of the level that is left */
		core_per_clock_take(&cpu->core, step);
	give_step(cpu, NULL);
}
