/*
 * sim/cpu/apic.c - local APIC (SDM volume 3A, "Advanced Programmable Interrupt Controller").
 *
 * Physical and flat logical destinations, fixed, NMI, SMI, INIT, start-up and ExtINT delivery, the
 * timer in its three modes, the performance-counter entry. Cluster mode, lowest priority
 * arbitration of IPIs and remote reads are not modelled.
 */
#include "sim/cpu/apic.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/cpuid.h"
#include "sim/cpu/machine.h"
#include "sim/model/models.h"

enum { BASE_BSP = 1 << 8, BASE_X2 = 1 << 10, BASE_ENABLE = 1 << 11 };
#define BASE_PAGE 0xffffff000ull
enum { SVR_ENABLE = 1 << 8 };
enum { SPURIOUS = 15 };
enum { LVT_MASK = 1 << 16, TIMER_PERIODIC = 1 << 17, TIMER_DEADLINE = 1 << 18 };
enum {
	MODE_FIXED = 0,
	MODE_LOWEST = 1,
	MODE_SMI = 2,
	MODE_NMI = 4,
	MODE_INIT = 5,
	MODE_STARTUP = 6,
	MODE_EXTINT = 7
};

/* Offsets of the LVT entries in the order of enum, and the bits that can be written. */
static const struct {
	uint16_t offset;
	uint32_t writable;
} lvt_rows[LVT_COUNT] = {
	[LVT_TIMER] = { 0x320, 0x700ff }, [LVT_THERMAL] = { 0x330, 0x107ff },
	[LVT_PERF] = { 0x340, 0x107ff },  [LVT_LINT0] = { 0x350, 0x1a7ff },
	[LVT_LINT1] = { 0x360, 0x1a7ff }, [LVT_ERROR] = { 0x370, 0x100ff },
	[LVT_IBS] = { 0x500, 0x107ff }, /* AMD: the first of the extended entries */
};

bool apic_present(const struct cpu *cpu)
{
	return cpu->model->flags & MODEL_APIC && cpu->apic.base & BASE_ENABLE &&
	       cpu->pc->opt.faults.apic != APIC_FAULT_PHANTOM;
}

bool apic_has_page(const struct cpu *cpu, uint64_t at)
{
	return !((at ^ cpu->apic.base) & BASE_PAGE) && !(cpu->apic.base & BASE_X2) &&
	       apic_present(cpu);
}

static bool enabled(const struct cpu *cpu)
{
	return apic_present(cpu) && cpu->apic.svr & SVR_ENABLE;
}

void apic_reset(struct cpu *cpu, bool keep_base)
{
	uint64_t base = cpu->apic.base;

	memset(&cpu->apic, 0, sizeof(cpu->apic));
	cpu->apic.base =
		keep_base ? base : APIC_DEFAULT_BASE | BASE_ENABLE | (cpu->id ? 0 : BASE_BSP);
	if (cpu->pc->opt.faults.apic == APIC_FAULT_X2 && cpuid_bit(cpu->model, 1, 0, 2, 21))
		cpu->apic.base |= BASE_X2;
	for (unsigned i = 0; i < LVT_COUNT; i++)
		cpu->apic.lvt[i] = LVT_MASK;
	cpu->apic.dfr = 0xffffffff;
	cpu->apic.svr = 0xff;
	cpu->apic.timer_next = cpu->apic.pmi_next = NEVER;
	/* What a BIOS leaves behind: virtual wire mode. */
	if (!keep_base && !cpu->id && cpu->model->flags & MODEL_APIC) {
		cpu->apic.svr |= SVR_ENABLE;
		cpu->apic.lvt[LVT_LINT0] = MODE_EXTINT << 8;
		cpu->apic.lvt[LVT_LINT1] = MODE_NMI << 8;
		if (cpu->pc->opt.faults.apic == APIC_FAULT_SMI)
			cpu->apic.lvt[LVT_PERF] = MODE_SMI << 8;
	}
}

/* ---- Interrupts ---- */

static int highest(const uint32_t bits[8])
{
	for (int i = 7; i >= 0; i--)
		if (bits[i])
			return 32 * i + 31 - __builtin_clz(bits[i]);
	return -1;
}

static unsigned ppr(const struct apic *a)
{
	int isr = highest(a->isr);
	unsigned in_service = isr < 0 ? 0 : (unsigned)isr & 0xf0;

	return (a->tpr & 0xf0) >= in_service ? a->tpr : in_service;
}

int apic_pending(const struct cpu *cpu)
{
	int vector;

	if (!enabled(cpu))
		return -1;
	if (cpu->apic.spurious)
		return SPURIOUS;
	vector = highest(cpu->apic.irr);
	return vector >= 0 && ((unsigned)vector & 0xf0) > (ppr(&cpu->apic) & 0xf0) ? vector : -1;
}

void apic_accept(struct cpu *cpu, unsigned vector)
{
	if (vector == SPURIOUS) { /* nothing is in service then */
		cpu->apic.spurious = false;
		return;
	}
	cpu->apic.irr[vector / 32] &= ~(1u << vector % 32);
	cpu->apic.isr[vector / 32] |= 1u << vector % 32;
}

bool apic_takes_extint(const struct cpu *cpu)
{
	if (!apic_present(cpu))
		return !cpu->id;
	return !(cpu->apic.lvt[LVT_LINT0] & LVT_MASK) &&
	       (cpu->apic.lvt[LVT_LINT0] >> 8 & 7) == MODE_EXTINT;
}

static void receive_error(struct cpu *cpu, uint32_t bit)
{
	cpu->apic.esr_pending |= bit;
	if (!(cpu->apic.lvt[LVT_ERROR] & LVT_MASK)) {
		unsigned vector = cpu->apic.lvt[LVT_ERROR] & 0xff;

		cpu->apic.irr[vector / 32] |= 1u << vector % 32;
	}
}

static void receive(struct cpu *cpu, unsigned mode, unsigned vector)
{
	switch (mode) {
	case MODE_FIXED:
	case MODE_LOWEST:
		if (!enabled(cpu))
			return;
		if (vector < 16) {
			receive_error(cpu, 1 << 6);
			return;
		}
		cpu->apic.irr[vector / 32] |= 1u << vector % 32;
		break;
	case MODE_NMI:
		cpu->pending.nmi = true;
		break;
	case MODE_SMI:
		cpu->pending.smi = true;
		break;
	case MODE_INIT:
		cpu->pending.init = true;
		cpu->pending.sipi = false;
		break;
	case MODE_STARTUP:
		cpu->pending.sipi = true;
		cpu->pending.sipi_vector = (uint8_t)vector;
		break;
	default:
		return;
	}
	machine_wake(cpu->pc, cpu);
}

static void deliver_lvt(struct cpu *cpu, unsigned i)
{
	uint32_t entry = cpu->apic.lvt[i];

	if (entry & LVT_MASK || !apic_present(cpu))
		return;
	receive(cpu, entry >> 8 & 7, entry & 0xff);
}

bool apic_lint0_is_nmi(const struct cpu *cpu)
{
	return apic_present(cpu) && !(cpu->apic.lvt[LVT_LINT0] & LVT_MASK) &&
	       (cpu->apic.lvt[LVT_LINT0] >> 8 & 7) == MODE_NMI;
}

void apic_lint0(struct cpu *cpu)
{
	if (!apic_takes_extint(cpu))
		deliver_lvt(cpu, LVT_LINT0);
}

static void deliver_pmi(struct cpu *cpu)
{
	cpu->apic.pmi_next = NEVER;
	if (cpu->model->flags & MODEL_NO_LVTPC || cpu->apic.lvt[LVT_PERF] & LVT_MASK)
		return;
	deliver_lvt(cpu, LVT_PERF);
	/* From the Pentium 4 and Pentium M on the entry masks itself. */
	if (!(cpu->model->flags & MODEL_LVTPC_STAYS))
		cpu->apic.lvt[LVT_PERF] |= LVT_MASK;
}

/* A second overflow on the way finds the line raised already. */
void apic_pmi(struct cpu *cpu, uint32_t clocks)
{
	const struct options *o = &cpu->pc->opt;
	uint64_t latency = o->pmi_latency_set ? o->pmi_latency : o->model->costs.pmi;

	latency += o->faults.guest.pmi;
	if (!latency) {
		deliver_pmi(cpu);
	} else if (cpu->apic.pmi_next == NEVER) {
		cpu->apic.pmi_next = cpu->clock + clocks + latency;
		cpu->deadline = 0; /* worked out anew at the next boundary */
	}
}

void apic_ibs(struct cpu *cpu)
{
	deliver_lvt(cpu, LVT_IBS);
}

uint64_t apic_next(const struct cpu *cpu)
{
	const struct apic *a = &cpu->apic;

	return a->pmi_next < a->timer_next ? a->pmi_next : a->timer_next;
}

/* TMR remembers which vectors came by a level. */
static void receive_message(struct cpu *to, const struct apic_message *m)
{
	uint32_t bit = 1u << m->vector % 32, *tmr = &to->apic.tmr[m->vector / 32];

	if (m->mode == MODE_EXTINT) {
		to->pending.extint = true;
		machine_wake(to->pc, to);
		return;
	}
	if (m->mode <= MODE_LOWEST)
		*tmr = m->level ? *tmr | bit : *tmr & ~bit;
	receive(to, m->mode, m->vector);
}

static bool is_destination(const struct cpu *to, bool x2apic, bool logical, uint32_t id)
{
	if (!logical)
		return to->apic_id == id || (!x2apic && id == 0xff) || id == 0xffffffff;
	if (x2apic)
		return (to->apic_id >> 4) == id >> 16 && id & 0xffff & 1u << (to->apic_id & 15);
	return (to->apic.ldr >> 24 & id) != 0;
}

void apic_message(struct machine *pc, const struct apic_message *m)
{
	struct cpu *best = NULL;

	for (unsigned i = 0; i < pc->cpus; i++) {
		struct cpu *to = &pc->cpu[i];

		if (!apic_present(to) ||
		    !is_destination(to, to->apic.base & BASE_X2, m->logical, m->destination))
			continue;
		if (m->mode != MODE_LOWEST)
			receive_message(to, m);
		else if (!best || ppr(&to->apic) < ppr(&best->apic))
			best = to;
	}
	if (best)
		receive_message(best, m);
}

static void send_ipi(struct cpu *cpu)
{
	uint32_t low = cpu->apic.icr[0];
	bool x2apic = cpu->apic.base & BASE_X2;
	uint32_t id = x2apic ? cpu->apic.icr[1] : cpu->apic.icr[1] >> 24;
	unsigned mode = low >> 8 & 7, shorthand = low >> 18 & 3;

	if (mode == MODE_INIT && (low & (1 << 15 | 1 << 14)) == 1 << 15)
		return; /* INIT level de-assert: only arbitration ids */
	for (unsigned i = 0; i < cpu->pc->cpus; i++) {
		struct cpu *to = &cpu->pc->cpu[i];
		bool self = to == cpu, hit;

		if (shorthand)
			hit = shorthand == 1 ? self : shorthand == 2 ? true : !self;
		else
			hit = is_destination(to, x2apic, low >> 11 & 1, id);
		if (hit && !(self && (mode == MODE_INIT || mode == MODE_STARTUP)))
			receive(to, mode, low & 0xff);
	}
}

/* ---- Timer ---- */

static uint64_t timer_period(const struct cpu *cpu)
{
	static const uint8_t shift[8] = { 1, 2, 3, 4, 5, 6, 7, 0 };
	unsigned divide = (cpu->apic.divide & 3) | (cpu->apic.divide >> 1 & 4);
	const struct model *m = cpu->pc->model;
	uint64_t clocks = m->tsc_khz / 1000 / m->bus_mhz;

	return (clocks ? clocks : 1) << shift[divide];
}

static bool deadline_mode(const struct cpu *cpu)
{
	return cpu->apic.lvt[LVT_TIMER] & TIMER_DEADLINE;
}

static void timer_start(struct cpu *cpu)
{
	struct apic *a = &cpu->apic;

	a->timer_start = cpu->clock;
	a->timer_next = a->initial && !deadline_mode(cpu)
	                        ? cpu->clock + a->initial * timer_period(cpu)
	                        : NEVER;
	machine_wake(cpu->pc, cpu);
}

static uint32_t timer_current(const struct cpu *cpu)
{
	const struct apic *a = &cpu->apic;

	if (a->timer_next == NEVER || deadline_mode(cpu) || a->timer_next <= cpu->clock)
		return 0;
	return (uint32_t)((a->timer_next - cpu->clock + timer_period(cpu) - 1) / timer_period(cpu));
}

void apic_update(struct cpu *cpu)
{
	struct apic *a = &cpu->apic;

	if (a->pmi_next <= cpu->clock)
		deliver_pmi(cpu);
	while (a->timer_next <= cpu->clock) {
		deliver_lvt(cpu, LVT_TIMER);
		if (a->lvt[LVT_TIMER] & TIMER_PERIODIC && !deadline_mode(cpu))
			a->timer_next += a->initial * timer_period(cpu);
		else
			a->timer_next = NEVER;
		if (deadline_mode(cpu))
			a->deadline = 0;
	}
}

void apic_deadline_write(struct cpu *cpu, uint64_t value)
{
	uint64_t now = tsc_now(cpu);

	if (!deadline_mode(cpu))
		return;
	cpu->apic.deadline = value;
	cpu->apic.timer_next = !value         ? NEVER
	                       : value <= now ? cpu->clock
	                                      : cpu->clock + (value - now);
	machine_wake(cpu->pc, cpu);
}

/* ---- Registers ---- */

/* AMD's extended registers, of which only the entry that IBS uses is here (APM volume 2). */
static bool has_extended(const struct cpu *cpu)
{
	return cpu->pmu && cpu->pmu->model->ibs;
}

static uint32_t version(const struct cpu *cpu)
{
	const struct model *m = cpu->model;
	unsigned entries = m->flags & MODEL_NO_LVTPC ? 3 : m->groups & G_MISC_ENABLE ? 5 : 4;

	return (has_extended(cpu) ? 1u << 31 : 0) | entries << 16 |
	       (m->vendor == VENDOR_AMD ? 0x10 : 0x14);
}

static bool lvt_exists(const struct cpu *cpu, unsigned i)
{
	if (i == LVT_PERF)
		return !(cpu->model->flags & MODEL_NO_LVTPC);
	if (i == LVT_IBS)
		return has_extended(cpu);
	return i != LVT_THERMAL || cpu->model->groups & G_MISC_ENABLE;
}

static int lvt_index(const struct cpu *cpu, uint32_t offset)
{
	for (unsigned i = 0; i < LVT_COUNT; i++)
		if (lvt_rows[i].offset == offset && lvt_exists(cpu, i))
			return (int)i;
	return -1;
}

uint32_t apic_read(struct cpu *cpu, uint32_t offset)
{
	const struct apic *a = &cpu->apic;
	int lvt = lvt_index(cpu, offset);

	cpu->apic.written = false;
	apic_update(cpu);
	if (lvt >= 0)
		return a->lvt[lvt];
	if (offset >= 0x100 && offset < 0x180)
		return a->isr[(offset - 0x100) / 16];
	if (offset >= 0x180 && offset < 0x200)
		return a->tmr[(offset - 0x180) / 16];
	if (offset >= 0x200 && offset < 0x280)
		return a->irr[(offset - 0x200) / 16];
	switch (offset) {
	case 0x20:
		return a->base & BASE_X2 ? cpu->apic_id : cpu->apic_id << 24;
	case 0x30:
		return version(cpu);
	case 0x80:
		return a->tpr;
	case 0xa0:
		return ppr(a);
	case 0xd0:
		return a->base & BASE_X2 ? (cpu->apic_id >> 4) << 16 | 1u << (cpu->apic_id & 15)
		                         : a->ldr;
	case 0xe0:
		return a->dfr;
	case 0xf0:
		return a->svr;
	case 0x280:
		return a->esr;
	case 0x300:
		return a->icr[0];
	case 0x310:
		return a->icr[1];
	case 0x380:
		return a->initial;
	case 0x390:
		return timer_current(cpu);
	case 0x3e0:
		return a->divide;
	case 0x400:
		return has_extended(cpu) ? 1 << 16 : 0; /* one entry */
	default:
		return 0;
	}
}

static void end_of_interrupt(struct cpu *cpu)
{
	int vector = highest(cpu->apic.isr);

	if (vector >= 0) {
		cpu->apic.isr[vector / 32] &= ~(1u << vector % 32);
		if (cpu->apic.tmr[vector / 32] >> vector % 32 & 1)
			cpu->pc->bus->end_of_interrupt(cpu->pc, (uint8_t)vector);
	}
	machine_wake(cpu->pc, cpu);
}

static void write_lvt(struct cpu *cpu, unsigned i, uint32_t value)
{
	uint32_t writable = lvt_rows[i].writable;
	uint32_t old = cpu->apic.lvt[i];

	if (i == LVT_TIMER && !(cpu->model->groups & G_TSC_DEADLINE))
		writable &= ~(uint32_t)TIMER_DEADLINE;
	value &= writable;
	if (!(cpu->apic.svr & SVR_ENABLE))
		value |= LVT_MASK;
	if (cpu->pc->opt.faults.spurious && value & ~old & LVT_MASK) {
		cpu->apic.spurious = true;
		machine_wake(cpu->pc, cpu);
	}
	if (cpu->pc->opt.faults.apic == APIC_FAULT_AF46 && value & ~old & LVT_MASK) {
		receive(cpu, MODE_FIXED, value & 0xff);
		machine_wake(cpu->pc, cpu);
	}
	cpu->apic.lvt[i] = value;
	if (i == LVT_PERF && !(value & LVT_MASK) && sim_pmu_pmi_line(cpu->pmu))
		deliver_pmi(cpu);
	if (i == LVT_TIMER && (old ^ value) & TIMER_DEADLINE)
		cpu->apic.timer_next = NEVER;
}

/* Erratum 11AP: every second of several writes in a row is lost. */
static bool lost(struct cpu *cpu)
{
	if (cpu->pc->opt.faults.apic != APIC_FAULT_11AP)
		return false;
	cpu->apic.written = !cpu->apic.written;
	return !cpu->apic.written;
}

void apic_write(struct cpu *cpu, uint32_t offset, uint32_t value)
{
	struct apic *a = &cpu->apic;
	int lvt = lvt_index(cpu, offset);

	if (lost(cpu))
		return;
	apic_update(cpu);
	if (lvt >= 0) {
		write_lvt(cpu, (unsigned)lvt, value);
		return;
	}
	switch (offset) {
	case 0x80:
		a->tpr = value & 0xff;
		machine_wake(cpu->pc, cpu);
		break;
	case 0xb0:
		end_of_interrupt(cpu);
		break;
	case 0xd0:
		a->ldr = value & 0xff000000;
		break;
	case 0xe0:
		a->dfr = value | 0x0fffffff;
		break;
	case 0xf0:
		a->svr = value & 0x1ff;
		for (unsigned i = 0; !(value & SVR_ENABLE) && i < LVT_COUNT; i++)
			a->lvt[i] |= LVT_MASK;
		machine_wake(cpu->pc, cpu);
		break;
	case 0x280:
		a->esr = a->esr_pending;
		a->esr_pending = 0;
		break;
	case 0x300:
		a->icr[0] = value & 0xccfff;
		send_ipi(cpu);
		break;
	case 0x310:
		a->icr[1] = value & 0xff000000;
		break;
	case 0x380:
		a->initial = value;
		timer_start(cpu);
		break;
	case 0x3e0:
		a->divide = value & 0xb;
		break;
	default:
		break;
	}
}

/* Which register numbers exist in x2APIC mode, and how: bit 0 readable, bit 1 writable. */
static unsigned x2apic_access(const struct cpu *cpu, uint32_t offset)
{
	if (lvt_index(cpu, offset) >= 0)
		return 3;
	if (offset >= 0x100 && offset < 0x280)
		return 1;
	switch (offset) {
	case 0x20:
	case 0x30:
	case 0xa0:
	case 0xd0:
	case 0x390:
		return 1;
	case 0xb0:
	case 0x3f0:
		return 2;
	case 0x80:
	case 0xf0:
	case 0x280:
	case 0x300:
	case 0x380:
	case 0x3e0:
		return 3;
	default:
		return 0;
	}
}

bool apic_msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value)
{
	uint32_t offset = (msr - 0x800) << 4;

	if (!(cpu->apic.base & BASE_X2) || !(x2apic_access(cpu, offset) & 1))
		return false;
	*value = apic_read(cpu, offset);
	if (offset == 0x300)
		*value |= (uint64_t)cpu->apic.icr[1] << 32;
	return true;
}

bool apic_msr_write(struct cpu *cpu, uint32_t msr, uint64_t value)
{
	uint32_t offset = (msr - 0x800) << 4;
	int lvt = lvt_index(cpu, offset);

	if (!(cpu->apic.base & BASE_X2) || !(x2apic_access(cpu, offset) & 2))
		return false;
	if (offset == 0x300) {
		cpu->apic.icr[1] = (uint32_t)(value >> 32);
		apic_write(cpu, offset, (uint32_t)value);
		return true;
	}
	if (value >> 32 || (lvt >= 0 && (uint32_t)value & ~(lvt_rows[lvt].writable | 1u << 12)))
		return false;
	if (((offset == 0xb0 || offset == 0x280) && value) || (offset == 0x3f0 && value >> 8))
		return false;
	if (offset == 0x3f0)
		receive(cpu, MODE_FIXED, (uint32_t)value & 0xff);
	else
		apic_write(cpu, offset, (uint32_t)value);
	return true;
}

bool apic_base_write(struct cpu *cpu, uint64_t value)
{
	uint64_t allowed = BASE_PAGE | BASE_BSP | BASE_ENABLE, page = value & BASE_PAGE;
	bool was_x2 = cpu->apic.base & BASE_X2;

	if (cpuid_bit(cpu->model, 1, 0, 2, 21))
		allowed |= BASE_X2;
	/* not from disabled to x2APIC in one step (SDM 3A, "x2APIC State Transitions") */
	if (value & ~allowed || (value & BASE_X2 && !(value & BASE_ENABLE)) ||
	    (value & BASE_X2 && !(cpu->apic.base & BASE_ENABLE)) ||
	    (was_x2 && value & BASE_ENABLE && !(value & BASE_X2)))
		return false;
	if (page < cpu->pc->devices_from || page >= MACHINE_HIGH) {
		if (value & BASE_ENABLE)
			machine_cannot(cpu->pc, "put the local APIC over RAM or above 4 GiB");
		value = (value & ~BASE_PAGE) | (cpu->apic.base & BASE_PAGE);
	}
	cpu->apic.base = value;
	if (!(value & BASE_ENABLE))
		apic_reset(cpu, true);
	machine_wake(cpu->pc, cpu);
	return true;
}
