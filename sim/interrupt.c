/*
 * sim/interrupt.c - delivers interrupts and exceptions through the guest's IDT (SDM volume 3A,
 * "Interrupt and Exception Handling"). Task gates and virtual-8086 mode end the run with a message.
 */
#include <string.h>

#include "sim/machine.h"

enum {
	FL_TF = 1 << 8,
	FL_IF = 1 << 9,
	FL_NT = 1 << 14,
	FL_RF = 1 << 16,
	FL_VM = 1 << 17,
	FL_AC = 1 << 18
};

struct event {
	unsigned vector;
	enum interrupt_kind kind;
	uint32_t error;
	bool has_error;
	uint64_t ip;    /* offset that the frame gets */
	uint64_t flags; /* before */
};

/* How delivery went wrong: another exception. */
struct failure {
	bool failed;
	unsigned vector;
	uint32_t error;
};

static struct failure fails(unsigned vector, uint32_t error)
{
	return (struct failure){ true, vector, error };
}

static const struct failure fine;

static bool has_error_code(unsigned vector)
{
	return vector == VEC_DF || (vector >= VEC_TS && vector <= VEC_PF) || vector == VEC_AC;
}

static uint64_t linear_mask(const struct cpu *cpu)
{
	return cpu->long_mode ? UINT64_MAX : UINT32_MAX;
}

static bool load(struct cpu *cpu, uint64_t linear, void *to, size_t size)
{
	return memory_read(cpu, linear & linear_mask(cpu), to, size);
}

/* ---- Real mode ---- */

static struct failure deliver_real(struct cpu *cpu, const struct event *e)
{
	struct cpu_image *image = cpu->image;
	uint16_t vector[2], sp = (uint16_t)(image->reg[REG_SP] - 6);
	uint16_t frame[3] = { (uint16_t)e->ip, (uint16_t)image->seg[SEG_CS].selector,
		              (uint16_t)e->flags };

	if (e->vector * 4 + 3 > image->idt.limit ||
	    !load(cpu, image->idt.base + e->vector * 4, vector, 4))
		return fails(VEC_GP, 0);
	if (!memory_write(cpu, image->seg[SEG_SS].base + sp, frame, 6))
		return fails(VEC_SS, 0);
	image->reg[REG_SP] = (image->reg[REG_SP] & ~0xffffull) | sp;
	engine_set_segment(cpu, SEG_CS, vector[1], 0);
	engine_store(cpu);
	engine_set_flags(cpu, e->flags & ~(uint64_t)(FL_IF | FL_TF | FL_AC | FL_RF));
	engine_jump(cpu, vector[0]);
	return fine;
}

/* ---- Protected mode ---- */

static bool read_descriptor(struct cpu *cpu, uint32_t selector, uint64_t *descriptor)
{
	const struct seg_image *table = selector & 4 ? &cpu->image->ldt : &cpu->image->gdt;

	return (selector & 0xfffc) && (selector | 7) <= table->limit &&
	       load(cpu, table->base + (selector & 0xfff8), descriptor, 8);
}

struct gate {
	uint32_t selector;
	uint64_t offset;
	unsigned type, dpl, ist;
	bool present;
};

static bool read_gate(struct cpu *cpu, unsigned vector, struct gate *gate)
{
	unsigned size = cpu->long_mode ? 16 : 8;
	uint64_t raw[2] = { 0, 0 };

	if (vector * size + size - 1 > cpu->image->idt.limit ||
	    !load(cpu, cpu->image->idt.base + vector * size, raw, size))
		return false;
	gate->selector = raw[0] >> 16 & 0xffff;
	gate->offset = (raw[0] & 0xffff) | (raw[0] >> 32 & 0xffff0000);
	if (cpu->long_mode)
		gate->offset |= raw[1] << 32;
	gate->type = raw[0] >> 40 & 15;
	gate->dpl = raw[0] >> 45 & 3;
	gate->present = raw[0] >> 47 & 1;
	gate->ist = raw[0] >> 32 & 7;
	return true;
}

/* The checks that gate and code segment must pass; new_cpl is the level of the handler. */
static struct failure check_gate(struct cpu *cpu, const struct event *e, struct gate *gate,
                                 uint64_t *code, unsigned *new_cpl)
{
	uint32_t ext = e->kind == INT_SOFTWARE ? 0 : 1;
	uint32_t error = e->vector * 8 + 2 + ext;
	unsigned dpl, type;

	if (!read_gate(cpu, e->vector, gate))
		return fails(VEC_GP, error);
	if (gate->type == 5)
		machine_end(cpu->pc, END_UNSUPPORTED, "vector %u is a task gate: not modelled",
		            e->vector);
	if (cpu->long_mode ? gate->type < 14
	                   : gate->type != 6 && gate->type != 7 && gate->type < 14)
		return fails(VEC_GP, error);
	if (e->kind == INT_SOFTWARE && gate->dpl < cpu->cpl)
		return fails(VEC_GP, error);
	if (!gate->present)
		return fails(VEC_NP, error);
	if (!read_descriptor(cpu, gate->selector, code))
		return fails(VEC_GP, (gate->selector & 0xfffc) | ext);
	type = *code >> 40 & 0x1f;
	dpl = *code >> 45 & 3;
	if ((type & 0x18) != 0x18 || dpl > cpu->cpl || (cpu->long_mode && !(*code >> 53 & 1)))
		return fails(VEC_GP, (gate->selector & 0xfffc) | ext);
	if (!(*code >> 47 & 1))
		return fails(VEC_NP, (gate->selector & 0xfffc) | ext);
	*new_cpl = type & 4 ? cpu->cpl : dpl;
	return fine;
}

static uint64_t flags_after(const struct event *e, const struct gate *gate)
{
	uint64_t flags = e->flags & ~(uint64_t)(FL_TF | FL_NT | FL_RF | FL_VM);

	return gate->type & 1 ? flags : flags & ~(uint64_t)FL_IF;
}

static void enter(struct cpu *cpu, const struct event *e, const struct gate *gate, uint64_t code,
                  unsigned new_cpl)
{
	engine_set_segment(cpu, SEG_CS, (gate->selector & 0xfffc) | new_cpl, code);
	engine_store(cpu);
	engine_set_flags(cpu, flags_after(e, gate));
	engine_jump(cpu, gate->offset);
}

/* Stack of an inner level from a 16- or 32-bit TSS. */
static bool inner_stack(struct cpu *cpu, unsigned level, uint32_t *selector, uint32_t *sp)
{
	const struct seg_image *tr = &cpu->image->tr;
	bool wide = tr->flags >> 8 & 8;
	unsigned at = wide ? 4 + 8 * level : 2 + 4 * level, size = wide ? 4 : 2;

	*sp = *selector = 0;
	if (at + 2 * size - 1 > tr->limit || !load(cpu, tr->base + at, sp, size) ||
	    !load(cpu, tr->base + at + size, selector, 2))
		return false;
	return true;
}

static struct failure deliver_32(struct cpu *cpu, const struct event *e)
{
	struct cpu_image *image = cpu->image;
	struct seg_image old_ss = image->seg[SEG_SS];
	uint32_t old_sp = (uint32_t)image->reg[REG_SP], sp = old_sp, selector = 0;
	uint32_t frame[6];
	uint64_t code, data = 0, base = old_ss.base;
	unsigned new_cpl, n = 0, size;
	bool big = old_ss.flags >> 22 & 1, inner;
	struct gate gate;
	struct failure failure = check_gate(cpu, e, &gate, &code, &new_cpl);
	uint8_t bytes[24];

	if (failure.failed)
		return failure;
	if (gate.type < 14)
		gate.offset &= 0xffff;
	inner = new_cpl < cpu->cpl;
	if (inner) {
		if (!inner_stack(cpu, new_cpl, &selector, &sp))
			return fails(VEC_TS, image->tr.selector & 0xfffc);
		if (!read_descriptor(cpu, selector, &data))
			return fails(VEC_TS, selector & 0xfffc);
		base = (data >> 16 & 0xffffff) | (data >> 32 & 0xff000000);
		big = data >> 54 & 1;
	}
	/* lowest address first */
	if (e->has_error)
		frame[n++] = e->error;
	frame[n++] = (uint32_t)e->ip;
	frame[n++] = image->seg[SEG_CS].selector;
	frame[n++] = (uint32_t)e->flags;
	if (inner) {
		frame[n++] = old_sp;
		frame[n++] = old_ss.selector;
	}
	size = gate.type < 14 ? 2 : 4;
	for (unsigned i = 0; i < n; i++)
		memcpy(bytes + i * size, &frame[i], size);
	sp -= n * size;
	if (!big)
		sp &= 0xffff;
	if (!memory_write(cpu, (base + sp) & UINT32_MAX, bytes, n * size))
		return fails(VEC_SS, 0);
	image->reg[REG_SP] = big ? sp : (old_sp & 0xffff0000) | sp;
	enter(cpu, e, &gate, code, new_cpl);
	if (inner) {
		/* after CS, so that hflags are made with both */
		uc_context_save(cpu->uc, cpu->context);
		engine_set_segment(cpu, SEG_SS, (selector & 0xfffc) | new_cpl, data);
		engine_store(cpu);
	}
	return fine;
}

static struct failure deliver_64(struct cpu *cpu, const struct event *e)
{
	struct cpu_image *image = cpu->image;
	uint64_t frame[6], code, sp = image->reg[REG_SP];
	unsigned new_cpl, n = 0;
	bool inner;
	struct gate gate;
	struct failure failure = check_gate(cpu, e, &gate, &code, &new_cpl);

	if (failure.failed)
		return failure;
	inner = new_cpl < cpu->cpl;
	if (gate.ist || inner) {
		uint64_t at = gate.ist ? 0x1c + 8 * gate.ist : 4 + 8 * new_cpl;

		if (at + 7 > image->tr.limit || !load(cpu, image->tr.base + at, &sp, 8))
			return fails(VEC_TS, image->tr.selector & 0xfffc);
	}
	if (e->has_error)
		frame[n++] = e->error;
	frame[n++] = e->ip;
	frame[n++] = image->seg[SEG_CS].selector;
	frame[n++] = e->flags;
	frame[n++] = image->reg[REG_SP];
	frame[n++] = image->seg[SEG_SS].selector;
	sp = (sp & ~15ull) - 8 * n;
	if (!memory_write(cpu, sp, frame, 8 * n))
		return fails(VEC_SS, 0);
	image->reg[REG_SP] = sp;
	if (inner)
		engine_set_segment(cpu, SEG_SS, new_cpl, 0);
	enter(cpu, e, &gate, code, new_cpl);
	return fine;
}

static struct failure deliver(struct cpu *cpu, const struct event *e)
{
	if (!(cpu->cr0 & 1))
		return deliver_real(cpu, e);
	if (e->flags & FL_VM)
		machine_end(cpu->pc, END_UNSUPPORTED,
		            "interrupt in virtual-8086 mode: not modelled");
	return cpu->long_mode ? deliver_64(cpu, e) : deliver_32(cpu, e);
}

static bool contributory(const struct event *e)
{
	return e->kind == INT_FAULT &&
	       (e->vector == VEC_DE || (e->vector >= VEC_TS && e->vector <= VEC_PF));
}

bool interrupt_deliver(struct cpu *cpu, unsigned vector, enum interrupt_kind kind, uint32_t error,
                       uint64_t at)
{
	struct event e = { .vector = vector, .kind = kind, .error = error };
	unsigned tries = 0;

	engine_load(cpu);
	e.ip = at - cpu->cs_base;
	if (!cpu->long_mode)
		e.ip &= UINT32_MAX;
	e.flags = engine_flags(cpu);
	e.has_error = kind == INT_FAULT && cpu->cr0 & 1 && has_error_code(vector);
	/* Faults restart their instruction: a breakpoint on it must not strike twice. */
	if (kind == INT_FAULT && vector != VEC_DB && vector != VEC_BP && vector != VEC_OF)
		e.flags |= FL_RF;
	cpu->pc->steps++;
	if (vector == VEC_DB && kind == INT_FAULT)
		cpu->dr[6] |= 0x4000;
	for (;;) {
		struct failure failure = deliver(cpu, &e);

		if (!failure.failed)
			break;
		if (e.vector == VEC_DF && e.kind == INT_FAULT) {
			machine_end(cpu->pc, END_SHUTDOWN,
			            "CPU %u: triple fault, from vector %u at %#llx", cpu->id,
			            vector, (unsigned long long)at);
			cpu->run = CPU_SHUTDOWN;
			return false;
		}
		e = (struct event){ .vector = contributory(&e) ? VEC_DF : failure.vector,
			            .kind = INT_FAULT,
			            .error = contributory(&e) ? 0 : failure.error,
			            .has_error = cpu->cr0 & 1,
			            .ip = e.ip,
			            .flags = e.flags };
		tries++;
	}
	engine_load(cpu);
	return !tries;
}
