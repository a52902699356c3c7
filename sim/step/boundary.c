/*
 * sim/step/boundary.c - between two instructions: interrupts, NMI, SMI, INIT, single steps,
 * devices.
 */
#include "sim/step/boundary.h"

#include "sim/cpu/apic.h"
#include "sim/cpu/breakpoint.h"
#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/guest.h"
#include "sim/step/interrupt.h"
#include "sim/step/retire.h"

void boundary_stop(struct cpu *cpu, uint64_t at)
{
	cpu->engine.resume = at - cpu->cs_base;
	cpu->engine.stopped = true;
	uc_emu_stop(cpu->engine.uc);
}

static void take(struct cpu *cpu, unsigned vector, uint64_t at)
{
	retire_event(cpu, true, 0, at);
	interrupt_deliver(cpu, vector, INT_HARDWARE, 0, at);
}

/*
 * A system management interrupt takes time and is counted. Its handler may write a register of the
 * PMU, as firmware does that counts for itself.
 */
static void take_smi(struct cpu *cpu, uint64_t at)
{
	const struct faults *f = &cpu->pc->opt.faults;

	cpu->pending.smi = false;
	cpu->faults.smi_count++;
	retire_event(cpu, true, 0, at);
	cpu->clock += f->smi_clocks;
	cpu->fetch.line = NEVER;
	if (f->smi_msr) {
		sim_pmu_wrmsr(cpu->pmu, f->smi_msr, f->smi_value);
		retire_watch(cpu);
	}
}

/* What --fault ordered for this instruction number. */
static void order_faults(struct cpu *cpu)
{
	const struct faults *f = &cpu->pc->opt.faults;

	if (cpu->retired < cpu->faults.next)
		return;
	cpu->faults.next = NEVER;
	if (f->smi_every) {
		if (cpu->retired && cpu->retired % f->smi_every == 0)
			cpu->pending.smi = true;
		cpu->faults.next = (cpu->retired / f->smi_every + 1) * f->smi_every;
	}
	if (cpu->retired >= cpu->faults.smi_due) {
		cpu->pending.smi = true;
		cpu->faults.smi_due = NEVER;
	} else if (cpu->faults.smi_due < cpu->faults.next) {
		cpu->faults.next = cpu->faults.smi_due;
	}
	if (f->nmi_at && !cpu->id) {
		if (cpu->retired == f->nmi_at)
			cpu->pending.nmi = true;
		else if (cpu->retired < f->nmi_at && f->nmi_at < cpu->faults.next)
			cpu->faults.next = f->nmi_at;
	}
	guest_order(cpu);
}

/* Vector of a maskable interrupt that is to be taken now, -1: none. */
static int maskable(struct cpu *cpu)
{
	int vector = apic_pending(cpu);

	if (vector >= 0) {
		apic_accept(cpu, (unsigned)vector);
		return vector;
	}
	if (cpu->pending.extint || (apic_takes_extint(cpu) && cpu->pc->bus->interrupt(cpu->pc))) {
		cpu->pending.extint = false;
		return cpu->pc->bus->acknowledge(cpu->pc);
	}
	return -1;
}

bool boundary_wants(const struct cpu *cpu)
{
	if ((cpu->pending.nmi && !cpu->pending.nmi_blocked) || cpu->pending.smi ||
	    cpu->pending.init)
		return true;
	if (cpu->halt.in_mwait && cpu->halt.monitored == NEVER)
		return true;
	return (cpu->int_flag || cpu->halt.mwait_masked) &&
	       (cpu->pending.extint || apic_pending(cpu) >= 0 ||
	        (apic_takes_extint(cpu) && cpu->pc->bus->interrupt(cpu->pc)));
}

/* True: execution continues elsewhere, or stops; the hook must leave. */
static bool interrupts(struct cpu *cpu, uint64_t at)
{
	int vector;

	cpu->pending.attention = cpu->engine.restart; /* code_hook() has not seen that yet */
	order_faults(cpu);
	if (cpu->debug.traps) {
		breakpoint_raise(cpu, cpu->debug.traps);
		cpu->debug.traps = 0;
		retire_event(cpu, false, VEC_DB, at);
		interrupt_deliver(cpu, VEC_DB, INT_FAULT, 0, at);
		return true;
	}
	if (cpu->pending.shadow) {
		cpu->pending.shadow = false;
		cpu->pending.attention = true;
		return false;
	}
	if (cpu->pending.init) {
		boundary_stop(cpu, at);
		return true;
	}
	if (cpu->pending.smi)
		take_smi(cpu, at);
	if (cpu->pending.nmi && !cpu->pending.nmi_blocked) {
		cpu->pending.nmi = false;
		cpu->pending.nmi_blocked = true;
		take(cpu, VEC_NMI, at);
		return true;
	}
	if (!cpu->int_flag)
		return false;
	vector = maskable(cpu);
	if (vector < 0)
		return false;
	take(cpu, (unsigned)vector, at);
	return true;
}

void boundary_deadline(struct cpu *cpu)
{
	uint64_t next = cpu->slice_end, device = cpu->pc->bus->next(cpu->pc);

	if (device < next)
		next = device;
	if (apic_next(cpu) < next)
		next = apic_next(cpu);
	if (cpu->guest.preempt_next < next)
		next = cpu->guest.preempt_next;
	/* the limit on instructions is looked at now and then */
	if (cpu->clock + 100000 < next)
		next = cpu->clock + 100000;
	cpu->deadline = next;
}

bool boundary_attend(struct cpu *cpu, uint64_t at)
{
	struct machine *pc = cpu->pc;

	if (cpu->clock >= cpu->deadline) {
		guest_attend(cpu);
		pc->bus->update(pc);
		apic_update(cpu);
		machine_check_limits(pc);
		boundary_deadline(cpu);
		cpu->pending.attention = true;
	}
	if (pc->end != END_NONE || cpu->clock >= cpu->slice_end ||
	    cpu->engine.translated > pc->opt.translations) {
		cpu->pending.attention = true;
		boundary_stop(cpu, at);
		return true;
	}
	return interrupts(cpu, at);
}
