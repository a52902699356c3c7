/*
 * sim/run.c - runs the processors of a machine in turn.
 *
 * The processor with the lowest clock runs next, for a slice; ties go to the lower number. Nothing
 * else decides the order, so a run with several processors is as repeatable as with one.
 */
#include "sim/run.h"

#include "sim/cpu/apic.h"
#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/store.h"
#include "sim/cpu/unicorn.h"
#include "sim/ap_firmware.h"
#include "sim/pmu/pmu.h"
#include "sim/step/boundary.h"
#include "sim/cpu/breakpoint.h"
#include "sim/step/execute.h"

enum { TURN = 1 }; /* clocks */

static void sleep_until(struct cpu *cpu, uint64_t clock)
{
	if (clock <= cpu->clock)
		return;
	if (cpu->pc->opt.faults.cpus == CPUS_DROWSY && cpu->id && cpu->id == cpu->pc->cpus - 1)
		cpu->tsc_offset -= clock - cpu->clock;
	cpu->halt.clocks += clock - cpu->clock;
	cpu->clock = clock;
}

static void end_mwait(struct cpu *cpu)
{
	store_monitor(cpu, NEVER);
	cpu->halt.in_mwait = cpu->halt.mwait_masked = false;
}

static void reset_cpu(struct cpu *cpu)
{
	cpu->pending.sipi_due = 0;
	cpu->pending.init = false; /* a start-up IPI may have come after it: that one counts */
	cpu->flight.insn = NULL;
	cpu->pending.nmi = cpu->pending.nmi_blocked = cpu->pending.smi = cpu->pending.shadow =
		false;
	breakpoint_reset(cpu);
	end_mwait(cpu);
	apic_reset(cpu, true);
	sim_pmu_halt(cpu->pmu);
	cpu->run = CPU_WAIT_SIPI;
	if (!cpu->id)
		machine_end(cpu->pc, END_RESET, "INIT at the boot processor");
}

static void start_cpu(struct cpu *cpu)
{
	cpu->pending.sipi = false;
	cpu->run = CPU_RUNNING;
	cpu->stale = cpu->pc->opt.faults.cpus == CPUS_STALE;
	sleep_until(cpu, cpu->halt.wake_at);
	cpu->fetch.page = cpu->fetch.line = cpu->store.page = NEVER;
	cpu->mem.last_page = 0;
	unicorn_real(cpu, cpu->pending.sipi_vector);
}

/* --fault cpus=busy: without any start-up IPI. */
static bool starts_busy(struct cpu *cpu, uint64_t now)
{
	if (cpu->pending.sipi || !cpu->pending.sipi_due || now < cpu->pending.sipi_due)
		return cpu->pending.sipi;
	cpu->pending.sipi_due = 0;
	cpu->pending.sipi_vector = AP_FIRMWARE_PAGE;
	cpu->halt.wake_at = now;
	return true;
}

/* --fault cpus=silent and late: may the start-up IPI that has come take effect? */
static bool starts(struct cpu *cpu, uint64_t now)
{
	enum { LATE_US = 502000 };
	enum cpus_fault fault = cpu->pc->opt.faults.cpus;

	if (fault == CPUS_BUSY)
		return starts_busy(cpu, now);
	if (cpu->run != CPU_WAIT_SIPI || cpu->id != cpu->pc->cpus - 1 ||
	    (fault != CPUS_SILENT && fault != CPUS_LATE))
		return cpu->pending.sipi;
	if (cpu->pending.sipi && !cpu->pending.sipi_due)
		cpu->pending.sipi_due =
			fault == CPUS_SILENT
				? NEVER
				: cpu->halt.wake_at + cpu->pc->model->tsc_khz / 1000 * LATE_US;
	if (!cpu->pending.sipi_due || now < cpu->pending.sipi_due)
		return false;
	cpu->halt.wake_at = now;
	return true;
}

/* INIT, start-up, timers and what ends a HLT, for processors that do not run. */
static void look_after(struct cpu *cpu, uint64_t now)
{
	if (cpu->pending.init)
		reset_cpu(cpu);
	if (cpu->run == CPU_WAIT_SIPI && starts(cpu, now))
		start_cpu(cpu);
	cpu->pending.sipi = false;
	if (cpu->run != CPU_HALTED)
		return;
	if (apic_next(cpu) <= now) {
		sleep_until(cpu, apic_next(cpu));
		apic_update(cpu);
	}
	if (boundary_wants(cpu)) {
		sleep_until(cpu, cpu->halt.wake_at);
		end_mwait(cpu);
		cpu->run = CPU_RUNNING;
		cpu->pending.attention = true;
	}
}

/*
 * Two threads of one core: turns are so short that none takes what the other would have had before
 * it. A thread that slept has done nothing until now. The end of the turn.
 */
static uint64_t turn(struct machine *pc, struct cpu *cpu)
{
	unsigned other = cpu->id ^ 1;
	uint64_t clocks = pc->opt.slice;
	bool both = pc->threads > 1 && other < pc->cpus && pc->cpu[other].run == CPU_RUNNING;

	cpu->pmu->alone = !both;
	if (pc->cpus == 1)
		return NEVER;
	cpu->core.running = both ? 2 : 1;
	if (pc->threads > 1 && cpu->core_machine)
		core_sleep(&cpu->core, cpu->clock);
	return cpu->clock + (both && clocks > TURN ? TURN : clocks);
}

/* The running processor with the lowest clock. */
static struct cpu *pick(struct machine *pc)
{
	struct cpu *best = NULL;

	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *cpu = &pc->cpu[i];

		if (cpu->run == CPU_RUNNING && (!best || cpu->clock < best->clock))
			best = cpu;
	}
	return best;
}

/* All sleep: on to the next thing that may wake one. False: there is none. */
static bool skip_ahead(struct machine *pc)
{
	uint64_t next = NEVER;
	struct cpu *who = NULL;

	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *cpu = &pc->cpu[i];
		uint64_t device;

		if (cpu->run != CPU_HALTED)
			continue;
		if (cpu->apic.timer_next < next && (cpu->int_flag || cpu->halt.mwait_masked)) {
			next = cpu->apic.timer_next;
			who = cpu;
		}
		if (cpu->apic.pmi_next < next) {
			next = cpu->apic.pmi_next;
			who = cpu;
		}
		pc->current = cpu;
		device = pc->bus->next(pc);
		if (device < next &&
		    ((cpu->int_flag && apic_takes_extint(cpu)) || apic_lint0_is_nmi(cpu) ||
		     pc->bus->sends(pc, cpu->int_flag))) {
			next = device;
			who = cpu;
		}
	}
	if (!who)
		return false;
	pc->current = who;
	pc->steps++;
	sleep_until(who, next);
	apic_update(who);
	pc->bus->update(pc);
	return pc->steps < pc->opt.max_instructions;
}

static void nobody_runs(struct machine *pc)
{
	const struct cpu *cpu = &pc->cpu[0];

	machine_check_limits(pc);
	machine_end(pc, END_HALT, "halted at %#llx with interrupts %s and nothing to come",
	            (unsigned long long)(cpu->cs_base + cpu->engine.resume),
	            cpu->int_flag ? "enabled" : "disabled");
}

void run_machine(struct machine *pc)
{
	while (pc->end == END_NONE) {
		struct cpu *cpu = pick(pc);
		uint64_t now = cpu ? cpu->clock : 0;

		machine_check_limits(pc);
		for (unsigned i = 0; i < pc->cpus; i++)
			look_after(&pc->cpu[i], now);
		cpu = pick(pc);
		if (!cpu) {
			if (!skip_ahead(pc))
				nobody_runs(pc);
			continue;
		}
		if (pc->end != END_NONE)
			break;
		pc->current = cpu;
		cpu->slice_end = turn(pc, cpu);
		execute_slice(cpu);
	}
}
