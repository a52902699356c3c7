/*
 * sim/step/interrupt.c - delivers interrupts and exceptions through the guest's IDT (SDM volume 3A,
 * "Interrupt and Exception Handling", "Task Switching").
 */
#include "sim/step/interrupt.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/store.h"
#include "sim/cpu/unicorn.h"
#include "sim/cpu/unicorn_mmu.h"
#include "sim/step/translate.h"

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

/* What cannot be pushed is a page fault. */
static struct failure push_fails(struct cpu *cpu, uint64_t linear, size_t size, size_t word)
{
	uint32_t error;

	cpu->engine.image->cr[2] = store_push_fault(cpu, linear, size, word, &error);
	return fails(VEC_PF, error);
}

/* ---- Real mode ---- */

static struct failure deliver_real(struct cpu *cpu, const struct event *e)
{
	struct cpu_image *image = cpu->engine.image;
	uint16_t vector[2], sp = (uint16_t)(image->reg[REG_SP] - 6);
	uint16_t frame[3] = { (uint16_t)e->ip, (uint16_t)image->seg[SEG_CS].selector,
		              (uint16_t)e->flags };

	if (e->vector * 4 + 3 > image->idt.limit ||
	    !load(cpu, image->idt.base + e->vector * 4, vector, 4))
		return fails(VEC_GP, 0);
	if (!store_write(cpu, image->seg[SEG_SS].base + sp, frame, 6))
		return fails(VEC_SS, 0);
	image->reg[REG_SP] = (image->reg[REG_SP] & ~0xffffull) | sp;
	unicorn_set_segment(cpu, SEG_CS, vector[1], 0);
	unicorn_store(cpu);
	unicorn_set_flags(cpu, e->flags & ~(uint64_t)(FL_IF | FL_TF | FL_AC | FL_RF));
	unicorn_jump(cpu, vector[0]);
	return fine;
}

/* ---- Protected mode ---- */

static bool read_descriptor(struct cpu *cpu, uint32_t selector, uint64_t *descriptor)
{
	const struct seg_image *table =
		selector & 4 ? &cpu->engine.image->ldt : &cpu->engine.image->gdt;

	return (selector & 0xfffc) && (selector | 7) <= table->limit &&
	       load(cpu, table->base + (selector & 0xfff8), descriptor, 8);
}

struct gate {
	uint32_t selector;
	uint64_t offset;
	unsigned type, dpl, ist;
	bool present;
};

enum { GATE_TASK = 5 };

static bool read_gate(struct cpu *cpu, unsigned vector, struct gate *gate)
{
	unsigned size = cpu->long_mode ? 16 : 8;
	uint64_t raw[2] = { 0, 0 };

	if (vector * size + size - 1 > cpu->engine.image->idt.limit ||
	    !load(cpu, cpu->engine.image->idt.base + vector * size, raw, size))
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
	if (cpu->long_mode ? gate->type < 14
	                   : gate->type < GATE_TASK || (gate->type > 7 && gate->type < 14))
		return fails(VEC_GP, error);
	if (e->kind == INT_SOFTWARE && gate->dpl < cpu->cpl)
		return fails(VEC_GP, error);
	if (!gate->present)
		return fails(VEC_NP, error);
	if (gate->type == GATE_TASK)
		return fine;
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
	unicorn_set_segment(cpu, SEG_CS, (gate->selector & 0xfffc) | new_cpl, code);
	unicorn_store(cpu);
	unicorn_set_flags(cpu, flags_after(e, gate));
	unicorn_jump(cpu, gate->offset);
}

/* Stack of an inner level from a 16- or 32-bit TSS. */
static bool inner_stack(struct cpu *cpu, unsigned level, uint32_t *selector, uint32_t *sp)
{
	const struct seg_image *tr = &cpu->engine.image->tr;
	bool wide = tr->flags >> 8 & 8;
	unsigned at = wide ? 4 + 8 * level : 2 + 4 * level, size = wide ? 4 : 2;

	*sp = *selector = 0;
	if (at + 2 * size - 1 > tr->limit || !load(cpu, tr->base + at, sp, size) ||
	    !load(cpu, tr->base + at + size, selector, 2))
		return false;
	return true;
}

/* ---- Task switches ---- */

/* Words of a 32-bit TSS (SDM volume 3, "Task-State Segment"). */
enum {
	TSS_LINK = 0,
	TSS_CR3 = 7,
	TSS_EIP = 8,
	TSS_EFLAGS = 9,
	TSS_EAX = 10,
	TSS_ES = 18,
	TSS_LDT = 24,
	TSS_WORDS = 26,
	TYPE_TSS = 9,
	TYPE_TSS_BUSY = 11,
	CR0_TS = 8,
	HF_CPL = 3,
	HF_TS = 1 << 11,
};

static const uint8_t tss_segs[6] = { SEG_ES, SEG_CS, SEG_SS, SEG_DS, SEG_FS, SEG_GS };

static uint32_t descriptor_base(uint64_t descriptor)
{
	return (descriptor >> 16 & 0xffffff) | (descriptor >> 32 & 0xff000000);
}

static bool set_tss_type(struct cpu *cpu, uint32_t selector, unsigned type)
{
	uint64_t at = cpu->engine.image->gdt.base + (selector & 0xfff8) + 5;
	uint8_t byte;

	if (!load(cpu, at, &byte, 1))
		return false;
	byte = (uint8_t)((byte & 0xf0) | type);
	return store_write(cpu, at & linear_mask(cpu), &byte, 1);
}

/* The state of the task that is left, from EIP to GS, goes to its TSS. */
static bool leave_task(struct cpu *cpu, uint32_t ip, uint32_t flags)
{
	const struct cpu_image *image = cpu->engine.image;
	uint32_t out[TSS_LDT - TSS_EIP];

	out[0] = ip;
	out[TSS_EFLAGS - TSS_EIP] = flags;
	for (unsigned i = 0; i < 8; i++)
		out[TSS_EAX - TSS_EIP + i] = (uint32_t)image->reg[i];
	for (unsigned i = 0; i < 6; i++)
		out[TSS_ES - TSS_EIP + i] = image->seg[tss_segs[i]].selector;
	return store_write(cpu, (image->tr.base + 4 * TSS_EIP) & linear_mask(cpu), out,
	                   sizeof(out));
}

/* In virtual-8086 mode a segment is its selector's paragraph, 64 KiB of data for level 3. */
static uint64_t v86_descriptor(uint32_t selector)
{
	uint64_t base = (uint64_t)(selector & 0xffff) << 4;

	return 0x0000f3000000ffffull | base << 16;
}

/* Segments that a task may begin with, into descriptors. */
static struct failure check_task(struct cpu *cpu, const uint32_t *tss, uint64_t descriptors[6])
{
	unsigned cpl = tss[TSS_ES + SEG_CS] & 3;

	if (tss[TSS_LDT] & 0xfffc)
		return fails(VEC_TS, tss[TSS_LDT] & 0xfffc);
	for (unsigned i = 0; tss[TSS_EFLAGS] & FL_VM && i < 6; i++)
		descriptors[i] = v86_descriptor(tss[TSS_ES + i]);
	for (unsigned i = 0; !(tss[TSS_EFLAGS] & FL_VM) && i < 6; i++) {
		uint32_t selector = tss[TSS_ES + i] & 0xffff, error = selector & 0xfffc;
		unsigned type, dpl;
		bool null = !error;

		descriptors[i] = 0;
		if (null && i != SEG_CS && i != SEG_SS)
			continue;
		if (selector & 4 || !read_descriptor(cpu, selector, &descriptors[i]))
			return fails(VEC_TS, error);
		type = descriptors[i] >> 40 & 0x1f;
		dpl = descriptors[i] >> 45 & 3;
		if (i == SEG_CS   ? (type & 0x18) != 0x18 || (!(type & 4) && dpl != cpl)
		    : i == SEG_SS ? (type & 0x1a) != 0x12 || dpl != cpl || (selector & 3) != cpl
		                  : !(type & 0x10) || (type & 0xa) == 8)
			return fails(VEC_TS, error);
		if (!(descriptors[i] >> 47 & 1))
			return fails(i == SEG_SS ? VEC_SS : VEC_NP, error);
	}
	return fine;
}

/* Becomes the task of this TSS; what it needs has been checked. */
static void enter_task(struct cpu *cpu, const uint32_t *tss, uint32_t selector, uint64_t descriptor,
                       const uint64_t *descriptors, uint32_t flags)
{
	static const uint8_t order[6] = { SEG_CS, SEG_SS, SEG_ES, SEG_DS, SEG_FS, SEG_GS };
	struct cpu_image *image = cpu->engine.image;

	for (unsigned i = 0; i < 8; i++)
		image->reg[i] = tss[TSS_EAX + i];
	for (unsigned i = 0; i < 6; i++)
		unicorn_set_segment(cpu, order[i], tss[TSS_ES + order[i]] & 0xffff,
		                    descriptors[order[i]]);
	if (flags & FL_VM)
		image->hflags |= HF_CPL;
	image->tr.selector = selector & 0xffff;
	image->tr.base = descriptor_base(descriptor);
	image->tr.limit = (uint32_t)((descriptor & 0xffff) | (descriptor >> 32 & 0xf0000));
	if (descriptor >> 55 & 1)
		image->tr.limit = image->tr.limit << 12 | 0xfff;
	image->tr.flags = (uint32_t)(descriptor >> 32) | TYPE_TSS_BUSY << 8;
	image->ldt = (struct seg_image){ .selector = tss[TSS_LDT] & 0xffff };
	cpu->debug.dr[7] &= ~0x155ull; /* local breakpoints end */
	image->cr[0] |= CR0_TS;
	image->hflags |= HF_TS;
	unicorn_store(cpu);
	if (cpu->paging && tss[TSS_CR3] != (uint32_t)cpu->cr3) {
		unicorn_mmu_set_tables(cpu, tss[TSS_CR3]);
		translate_flush(cpu);
	}
	unicorn_set_flags(cpu, flags | 2);
	unicorn_jump(cpu, tss[TSS_EIP]);
	unicorn_load(cpu);
}

/*
 * To the task of a TSS, by a gate or, with `back`, by IRET (SDM volume 3, "Task Switching"). Only
 * 32-bit ones without an LDT; a segment that cannot be loaded is an exception of the task that is
 * left.
 */
static struct failure switch_task(struct cpu *cpu, uint32_t selector, bool back, uint32_t ip,
                                  uint32_t flags)
{
	struct cpu_image *image = cpu->engine.image;
	uint32_t tss[TSS_WORDS], old = image->tr.selector, error = selector & 0xfffc;
	unsigned bad = back ? VEC_TS : VEC_GP;
	uint64_t descriptor, descriptors[6];
	struct failure failure;

	if (selector & 4 || !read_descriptor(cpu, selector, &descriptor) ||
	    (descriptor >> 40 & 0x1f) != (back ? TYPE_TSS_BUSY : TYPE_TSS))
		return fails(bad, error);
	if (!(descriptor >> 47 & 1))
		return fails(VEC_NP, error);
	if (((descriptor & 0xffff) | (descriptor >> 32 & 0xf0000)) < 4 * TSS_WORDS - 1 ||
	    image->tr.limit < 4 * TSS_WORDS - 1 ||
	    !load(cpu, descriptor_base(descriptor), tss, sizeof(tss)))
		return fails(VEC_TS, error);
	failure = check_task(cpu, tss, descriptors);
	if (failure.failed)
		return failure;
	if (!leave_task(cpu, ip, back ? flags & ~(uint32_t)FL_NT : flags) ||
	    !set_tss_type(cpu, back ? old : selector, back ? TYPE_TSS : TYPE_TSS_BUSY))
		return fails(VEC_TS, error);
	if (!back) {
		uint16_t link = (uint16_t)old;

		if (!store_write(cpu, descriptor_base(descriptor), &link, 2))
			return fails(VEC_TS, error);
	}
	flags = back ? tss[TSS_EFLAGS] : tss[TSS_EFLAGS] | FL_NT;
	enter_task(cpu, tss, selector, descriptor, descriptors, flags);
	return fine;
}

/* An error code goes on the stack of the new task. */
static struct failure deliver_task(struct cpu *cpu, const struct event *e, uint32_t selector)
{
	struct failure failure =
		switch_task(cpu, selector, false, (uint32_t)e->ip, (uint32_t)e->flags);
	uint64_t sp;

	if (failure.failed || !e->has_error)
		return failure;
	sp = (uint32_t)(cpu->engine.image->reg[REG_SP] - 4);
	if (!store_write(cpu, (cpu->engine.image->seg[SEG_SS].base + sp) & UINT32_MAX, &e->error,
	                 4))
		return fails(VEC_SS, 0);
	unicorn_set_reg(cpu, REG_SP, sp);
	return fine;
}

bool interrupt_task_return(struct cpu *cpu, uint64_t next, unsigned *vector, uint32_t *error)
{
	struct failure failure;
	uint16_t link = 0;

	unicorn_load(cpu);
	if (!load(cpu, cpu->engine.image->tr.base, &link, 2))
		failure = fails(VEC_TS, cpu->engine.image->tr.selector & 0xfffc);
	else
		failure = switch_task(cpu, link, true, (uint32_t)(next - cpu->cs_base),
		                      (uint32_t)unicorn_flags(cpu));
	*vector = failure.vector;
	*error = failure.error;
	return !failure.failed;
}

/* What leaving virtual-8086 mode pushes beyond the stack pointer, and empties. */
static const uint8_t v86_segs[4] = { SEG_ES, SEG_DS, SEG_FS, SEG_GS };

/* The words that delivery pushes, lowest address first. Returns how many. */
static unsigned build_frame(const struct cpu *cpu, const struct event *e, bool inner,
                            uint32_t frame[10])
{
	const struct seg_image *seg = cpu->engine.image->seg;
	unsigned n = 0;

	if (e->has_error)
		frame[n++] = e->error;
	frame[n++] = (uint32_t)e->ip;
	frame[n++] = seg[SEG_CS].selector;
	frame[n++] = (uint32_t)e->flags;
	if (inner) {
		frame[n++] = (uint32_t)cpu->engine.image->reg[REG_SP];
		frame[n++] = seg[SEG_SS].selector;
	}
	for (unsigned i = 0; e->flags & FL_VM && i < 4; i++)
		frame[n++] = seg[v86_segs[i]].selector;
	return n;
}

static struct failure deliver_32(struct cpu *cpu, const struct event *e)
{
	struct cpu_image *image = cpu->engine.image;
	struct seg_image old_ss = image->seg[SEG_SS];
	uint32_t old_sp = (uint32_t)image->reg[REG_SP], sp = old_sp, selector = 0;
	uint32_t frame[10];
	uint64_t code, data = 0, base = old_ss.base;
	unsigned new_cpl, n, size;
	bool big = old_ss.flags >> 22 & 1, inner;
	struct gate gate;
	struct failure failure = check_gate(cpu, e, &gate, &code, &new_cpl);
	uint8_t bytes[40];

	if (failure.failed)
		return failure;
	if (gate.type == GATE_TASK)
		return deliver_task(cpu, e, gate.selector);
	if (gate.type < 14)
		gate.offset &= 0xffff;
	inner = new_cpl < cpu->cpl;
	if (e->flags & FL_VM && new_cpl)
		return fails(VEC_GP, gate.selector & 0xfffc);
	if (inner) {
		if (!inner_stack(cpu, new_cpl, &selector, &sp))
			return fails(VEC_TS, image->tr.selector & 0xfffc);
		if (!read_descriptor(cpu, selector, &data))
			return fails(VEC_TS, selector & 0xfffc);
		base = descriptor_base(data);
		big = data >> 54 & 1;
	}
	n = build_frame(cpu, e, inner, frame);
	size = gate.type < 14 ? 2 : 4;
	for (unsigned i = 0; i < n; i++)
		memcpy(bytes + i * size, &frame[i], size);
	sp -= n * size;
	if (!big)
		sp &= 0xffff;
	if (!store_write(cpu, (base + sp) & UINT32_MAX, bytes, n * size))
		return push_fails(cpu, (base + sp) & UINT32_MAX, n * size, size);
	image->reg[REG_SP] = big ? sp : (old_sp & 0xffff0000) | sp;
	for (unsigned i = 0; e->flags & FL_VM && i < 4; i++)
		image->seg[v86_segs[i]] = (struct seg_image){ 0 };
	enter(cpu, e, &gate, code, new_cpl);
	if (inner) {
		/* after CS, so that hflags are made with both */
		uc_context_save(cpu->engine.uc, cpu->engine.context);
		unicorn_set_segment(cpu, SEG_SS, (selector & 0xfffc) | new_cpl, data);
		unicorn_store(cpu);
	}
	return fine;
}

static struct failure deliver_64(struct cpu *cpu, const struct event *e)
{
	struct cpu_image *image = cpu->engine.image;
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
	if (!store_write(cpu, sp, frame, 8 * n))
		return push_fails(cpu, sp, 8 * n, 8);
	image->reg[REG_SP] = sp;
	if (inner)
		unicorn_set_segment(cpu, SEG_SS, new_cpl, 0);
	enter(cpu, e, &gate, code, new_cpl);
	return fine;
}

static struct failure deliver(struct cpu *cpu, const struct event *e)
{
	if (!(cpu->cr0 & 1))
		return deliver_real(cpu, e);
	return cpu->long_mode ? deliver_64(cpu, e) : deliver_32(cpu, e);
}

static bool contributory(unsigned vector)
{
	return vector == VEC_DE || (vector >= VEC_TS && vector < VEC_PF);
}

/* SDM volume 3A, table "Conditions for Generating a Double Fault". */
static bool doubles(const struct event *first, unsigned second)
{
	if (first->kind != INT_FAULT)
		return false;
	if (first->vector == VEC_PF)
		return second == VEC_PF || contributory(second);
	return contributory(first->vector) && contributory(second);
}

bool interrupt_deliver(struct cpu *cpu, unsigned vector, enum interrupt_kind kind, uint32_t error,
                       uint64_t at)
{
	struct event e = { .vector = vector, .kind = kind, .error = error };
	unsigned tries = 0;

	unicorn_load(cpu);
	e.ip = at - cpu->cs_base;
	if (!cpu->long_mode)
		e.ip &= UINT32_MAX;
	e.flags = unicorn_flags(cpu) & ~(uint64_t)FL_RF;
	if (cpu->debug.watched && cpu->debug.resume_flag)
		e.flags |= FL_RF;
	cpu->debug.resume_flag = false;
	e.has_error = kind == INT_FAULT && cpu->cr0 & 1 && has_error_code(vector);
	/* Faults restart their instruction: a breakpoint on it must not strike twice. */
	if (kind == INT_FAULT && vector != VEC_DB && vector != VEC_BP && vector != VEC_OF)
		e.flags |= FL_RF;
	cpu->pc->steps++;
	for (;;) {
		struct failure failure = deliver(cpu, &e);
		bool twice = doubles(&e, failure.vector);

		if (!failure.failed)
			break;
		if (e.vector == VEC_DF && e.kind == INT_FAULT) {
			machine_end(cpu->pc, END_SHUTDOWN,
			            "CPU %u: triple fault, from vector %u at %#llx", cpu->id,
			            vector, (unsigned long long)at);
			cpu->run = CPU_SHUTDOWN;
			return false;
		}
		/* an INT that faults is restarted */
		if (e.kind == INT_SOFTWARE)
			e.ip = (cpu->flight.at - cpu->cs_base) & linear_mask(cpu);
		e = (struct event){ .vector = twice ? VEC_DF : failure.vector,
			            .kind = INT_FAULT,
			            .error = twice ? 0 : failure.error,
			            .has_error = cpu->cr0 & 1,
			            .ip = e.ip,
			            .flags = e.flags };
		tries++;
	}
	unicorn_load(cpu);
	return !tries;
}
