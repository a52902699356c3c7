/*
 * sim/step/execute.c - follows the engine instruction by instruction.
 *
 * The engine calls code_hook() before every instruction. The instruction before it has then
 * completed: it is retired, its memory accesses go through the models of caches and TLBs, the
 * counters see it, and only then an interrupt that became pending is delivered. So every boundary
 * is exact.
 */
#include "sim/step/execute.h"

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/unicorn.h"
#include "sim/cpu/unicorn_mmu.h"
#include "sim/cpu/guest.h"
#include "sim/step/access.h"
#include "sim/step/boundary.h"
#include "sim/cpu/breakpoint.h"
#include "sim/step/canonical.h"
#include "sim/step/fetch.h"
#include "sim/step/interrupt.h"
#include "sim/step/pmu_host.h"
#include "sim/step/retire.h"
#include "sim/step/system.h"

static void memory_hook(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                        void *user)
{
	(void)uc;
	(void)value;
	access_note(user, address, (uint64_t)size, type == UC_MEM_WRITE);
}

static uint64_t count_mask(const struct cpu *cpu, const struct insn *insn)
{
	if (insn->flags & I_ADDRESS16)
		return 0xffff;
	return insn->flags & I_ADDRESS32 ? 0xffffffff : cpu->mode == 64 ? UINT64_MAX : 0xffffffff;
}

/* An instruction that the simulator does. */
static void intercept(struct cpu *cpu, struct insn *insn, uint64_t at)
{
	uint64_t next = at + insn->length;
	bool trap = cpu->trap_flag;
	enum outcome outcome;

	/* Starting a counter is not counted, stopping it is: WRMSR retires before it acts. */
	if (insn->kind == K_WRMSR && !cpu->cpl) {
		retire_instruction(cpu, next);
		outcome = system_execute(cpu, insn, at);
		retire_watch(cpu);
		if (outcome != FAULTED)
			unicorn_load(cpu);
	} else {
		outcome = system_execute(cpu, insn, at);
	}
	guest_executed(cpu, insn);
	switch (outcome) {
	case DONE:
		if (trap) {
			cpu->debug.traps |= DR6_STEP;
			cpu->pending.attention = true;
		}
		if (cpu->pc->end != END_NONE) {
			if (cpu->flight.insn)
				retire_instruction(cpu, next);
			boundary_stop(cpu, next);
			return;
		}
		unicorn_jump(cpu, next - cpu->cs_base);
		break;
	case STOP:
		retire_instruction(cpu, next);
		if (cpu->run == CPU_HALTED)
			sim_pmu_halt(cpu->pmu); /* HLT itself has retired */
		boundary_stop(cpu, next);
		break;
	default:
		break;
	}
}

/*
 * The engine would execute where no RAM is. The open bus gives FF FF, which is undefined. A page
 * that the tables no longer have can only come from the engine's TLB: here it was evicted.
 */
static void fetch_elsewhere(struct cpu *cpu, uint64_t at, enum fetch fetch)
{
	retire_event(cpu, false, fetch == FETCH_OPEN_BUS ? VEC_UD : VEC_PF, at);
	if (fetch == FETCH_OPEN_BUS) {
		interrupt_deliver(cpu, VEC_UD, INT_FAULT, 0, at);
	} else {
		uc_reg_write(cpu->engine.uc, UC_X86_REG_CR2, &at);
		interrupt_deliver(cpu, VEC_PF, INT_FAULT, cpu->cpl == 3 ? 4 : 0, at);
	}
	if (cpu->pc->end != END_NONE)
		uc_emu_stop(cpu->engine.uc);
}

/* A REP instruction begins another round. */
static void between_rounds(struct cpu *cpu, struct insn *insn, uint64_t at)
{
	access_flush(cpu, insn);
	if (++cpu->pc->steps >= cpu->pc->opt.max_instructions)
		cpu->deadline = 0;
	if (cpu->debug.traps && !(unicorn_reg(cpu, REG_CX) & cpu->flight.rep_mask))
		return; /* that was the last one: the trap is behind it */
	if (cpu->pending.attention || cpu->clock >= cpu->deadline) {
		cpu->flight.insn = NULL;
		if (boundary_attend(cpu, at))
			return;
		cpu->flight.insn = insn;
		if (cpu->engine.restart)
			boundary_stop(cpu, at);
	}
}

/* Do all bytes of an instruction lie in the line that was fetched last? */
static inline bool in_last_line(const struct cpu *cpu, uint64_t at, const struct insn *insn)
{
	unsigned shift = cpu->mem.l1i->line_shift;

	return at >> shift == cpu->fetch.line &&
	       (at + insn->length - 1) >> shift == cpu->fetch.line;
}

/*
 * A store into code that is translated together with its own instruction: the engine translates
 * anew, the instruction alone, and begins it again. So the first attempt counts as nothing. Only a
 * store that is not aligned was noted for good: the engine will not tell of it again, nor of any
 * other until it is started anew, which must wait for the end of this instruction.
 */
static bool begins_again(struct cpu *cpu)
{
	cpu->store.begins_again = false;
	if (cpu->store.unaligned) {
		cpu->engine.restart = cpu->pending.attention = true;
		return false;
	}
	cpu->flight.accesses = 0; /* what its fetch has cost stays */
	cpu->store.began_again = cpu->retired + 1;
	return true;
}

/* Has retire_prepare() anything to do? */
static inline bool needs_preparation(const struct cpu *cpu, const struct insn *insn)
{
	return cpu->core_machine ? cpu->flight.stall || insn->core.cases : insn->p5.needs;
}

/* What became of the instruction in flight. False: another round of it begins. */
static inline bool complete(struct cpu *cpu, struct insn *insn, uint64_t at)
{
	if (insn->easy && !cpu->flight.collect && at != cpu->flight.at) {
		retire_easy(cpu);
		return true;
	}
	if (cpu->store.begins_again)
		return begins_again(cpu) && !(insn->flags & I_REP);
	if (insn->flags & I_REP && at == cpu->flight.at) {
		between_rounds(cpu, insn, at);
		return false;
	}
	retire_instruction(cpu, at);
	return true;
}

static void code_hook(uc_engine *uc, uint64_t at, uint32_t size, void *user)
{
	struct cpu *cpu = user;
	struct insn *insn = cpu->flight.insn;

	(void)uc;
	(void)size;
	if (insn && !complete(cpu, insn, at))
		return;
	if (cpu->pending.attention || cpu->clock >= cpu->deadline) {
		if (boundary_attend(cpu, at))
			return;
		if (cpu->pc->end != END_NONE || cpu->engine.restart) {
			boundary_stop(cpu, at);
			return;
		}
	}
	if (cpu->debug.watched && breakpoint_code(cpu, at)) {
		retire_event(cpu, false, VEC_DB, at);
		interrupt_deliver(cpu, VEC_DB, INT_FAULT, 0, at);
		return;
	}
	if ((at & ~4095ull) != cpu->fetch.page) {
		enum fetch fetch = fetch_page(cpu, at);

		if (fetch != FETCH_RAM) {
			fetch_elsewhere(cpu, at, fetch);
			return;
		}
	}
	insn = cpu->fetch.code->insn[at & 4095];
	if (!insn || insn->mode != cpu->mode) {
		insn = decode_at(cpu, at);
		if (!insn) {
			machine_end(cpu->pc, END_UNSUPPORTED, "out of memory");
			boundary_stop(cpu, at);
			return;
		}
	}
	if (!in_last_line(cpu, at, insn))
		fetch_lines(cpu, at, insn);
	cpu->flight.insn = insn;
	cpu->flight.at = at;
	if (insn->easy && !cpu->flight.collect && !cpu->flight.stall)
		return;
	cpu->flight.step.cpl = cpu->cpl;
	if (insn->flags & I_REP) {
		cpu->flight.rep_mask = count_mask(cpu, insn);
		cpu->flight.rep_start = unicorn_reg(cpu, REG_CX) & cpu->flight.rep_mask;
	}
	if (needs_preparation(cpu, insn))
		retire_prepare(cpu, insn);
	if (cpu->pmu->wants_regs)
		pmu_host_regs(cpu, cpu->flight.regs_before);
	if (insn->kind)
		intercept(cpu, insn, at);
}

/* An exception that the engine found. */
static void exception_hook(uc_engine *uc, uint32_t vector, void *user)
{
	struct cpu *cpu = user;
	uint64_t at, mask;
	uint32_t error;

	(void)uc;
	unicorn_load(cpu);
	mask = cpu->long_mode ? UINT64_MAX : UINT32_MAX;
	at = (cpu->cs_base + cpu->engine.image->rip) & mask;
	error = unicorn_error_code(cpu);
	canonical_fault(cpu, &vector, &at);
	if (cpu->flight.insn && (vector == VEC_DB || at != cpu->flight.at))
		retire_instruction(cpu, at);
	cpu->flight.insn = NULL;
	cpu->flight.accesses = 0;
	cpu->flight.stall = 0;
	cpu->flight.core_dyn = (struct core_dyn){ 0 };
	/* INT n that the engine did itself: it stands behind the instruction */
	if (vector > 31) {
		interrupt_deliver(cpu, vector, INT_SOFTWARE, 0, at);
		return;
	}
	if (vector == VEC_DB)
		breakpoint_raise(cpu, DR6_STEP | cpu->debug.traps);
	cpu->debug.traps = 0; /* a fault restarts what would have trapped */
	cpu->engine.restart = vector == VEC_PF;
	cpu->pending.attention = cpu->pending.attention || cpu->engine.restart;
	retire_event(cpu, false, vector, at);
	interrupt_deliver(cpu, vector, INT_FAULT, error, at);
	if (cpu->pc->end != END_NONE)
		uc_emu_stop(cpu->engine.uc);
}

static bool undefined_hook(uc_engine *uc, void *user)
{
	exception_hook(uc, VEC_UD, user);
	return true;
}

/* The engine may fetch from everywhere; code_hook() knows what is there. */
static bool fetch_hook(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                       void *user)
{
	(void)uc;
	(void)type;
	(void)address;
	(void)size;
	(void)value;
	(void)user;
	return true;
}

bool execute_hook(struct cpu *cpu)
{
	static const struct {
		int type;
		void *callback;
	} hooks[] = {
		{ UC_HOOK_CODE, (void *)code_hook },
		{ UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)memory_hook },
		{ UC_HOOK_INTR, (void *)exception_hook },
		{ UC_HOOK_INSN_INVALID, (void *)undefined_hook },
		{ UC_HOOK_MEM_FETCH_PROT, (void *)fetch_hook },
	};
	uc_hook handle;

	for (unsigned i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		if (uc_hook_add(cpu->engine.uc, &handle, hooks[i].type, hooks[i].callback, cpu, 1,
		                0))
			return false;
	return true;
}

/* The engine could not go on: an address that no page table can have. */
static void unicorn_failed(struct cpu *cpu, uc_err error)
{
	uint64_t at = cpu->flight.insn ? cpu->flight.at : cpu->cs_base + cpu->engine.resume;

	switch (error) {
	case UC_ERR_READ_UNMAPPED:
	case UC_ERR_WRITE_UNMAPPED:
	case UC_ERR_FETCH_UNMAPPED:
		cpu->flight.insn = NULL;
		cpu->flight.accesses = 0;
		retire_event(cpu, false, VEC_GP, at);
		interrupt_deliver(cpu, VEC_GP, INT_FAULT, 0, at);
		cpu->engine.resume = cpu->engine.image->rip;
		break;
	default:
		machine_end(cpu->pc, END_UNSUPPORTED, "execution engine: %s at %#llx",
		            uc_strerror(error), (unsigned long long)at);
		break;
	}
}

void execute_slice(struct cpu *cpu)
{
	uint64_t steps = cpu->pc->steps;
	uc_err error;

	cpu->engine.stopped = cpu->engine.restart = false;
	retire_watch(cpu);
	boundary_deadline(cpu);
	unicorn_mmu_run(cpu);
	error = uc_emu_start(cpu->engine.uc, cpu->engine.resume, 0, 0, 0);
	unicorn_mmu_run(NULL);
	if (error) {
		unicorn_failed(cpu, error);
	} else if (!cpu->engine.stopped && cpu->pc->end == END_NONE) {
		/* it ends by itself after an undefined instruction: go on where that led */
		unicorn_load(cpu);
		cpu->engine.resume = cpu->engine.image->rip;
		if (steps == cpu->pc->steps)
			machine_end(cpu->pc, END_UNSUPPORTED, "the engine cannot execute at %#llx",
			            (unsigned long long)(cpu->cs_base + cpu->engine.resume));
	}
}
