/*
 * The measured routine (bench/engine/code.h).
 */
#include "bench/engine/code.h"
#include "bench/engine/emit.h"
#include "kernel/lib/quirks.h"
#include "kernel/lib/string.h"

enum { LONGEST_INSTRUCTION = 15, INT3 = 0xcc, FENCE_BYTES = 4096 };

/* EFLAGS at CPL 3: interrupts on, for the watchdog; no other flag, whatever the run before left. */
enum { USER_FLAGS = 0x202 };

/*
 * Taken branches: more than a predictor looks back over. 194 is the longest read of (unverified).
 */
enum { HISTORY = 256 };

static void emit_text(struct emit *e, const char *bytes, size_t n)
{
	emit_bytes(e, bytes, n);
}
#define EMIT(e, literal) emit_text(e, literal, sizeof(literal) - 1)

static void serialize(struct emit *e, enum platform_fence fence)
{
	switch (fence) {
	case FENCE_CPUID:
		/*
		 * CLD; XOR EAX,EAX; XOR ECX,ECX; CPUID. CLD pairs with nothing on a P5, so the last
		 * instruction of a body never shares its clock with the bracket.
		 */
		EMIT(e, "\xfc\x31\xc0\x31\xc9\x0f\xa2");
		break;
	case FENCE_LFENCE:
		EMIT(e, "\x0f\xae\xe8");
		break;
	case FENCE_SERIALIZE:
		EMIT(e, "\x0f\x01\xe8");
		break;
	}
}

/*
 * The same for a place where every register already has the snippet's value. LLDT serializes at CPL
 * 0 and changes no register (SDM 3A, "Serializing Instructions"; APM volume 2 has the same list),
 * and there is no LDT to lose. INVLPG does that as well, but a CPU may empty its whole TLB then
 * (SDM 3A, "Operations that Invalidate TLBs"), and a body that loads would miss in each sample.
 */
static void serialize_keeping(struct emit *e, const struct code_request *rq)
{
	if (rq->fence == FENCE_CPUID)
		emit_op2_abs(e, 0x00, 2, (uint32_t)(uintptr_t)&rq->state->no_ldt); /* LLDT */
	else
		serialize(e, rq->fence);
}

static void store_edx_eax(struct emit *e, uint32_t to[2])
{
	emit_op_abs(e, 0x89, REG_AX, &to[0]);
	emit_op_abs(e, 0x89, REG_DX, &to[1]);
}

static void read_tsc(struct emit *e, uint32_t to[2])
{
	EMIT(e, "\x0f\x31");
	store_edx_eax(e, to);
}

/*
 * RDPMC waits for nothing (SDM volume 2, RDPMC): how much has retired when it reads the counter
 * would depend on what stands before it. So a fence stands before each. It is in the empty body as
 * well, so that its cost cancels.
 */
static void read_slot(struct emit *e, const struct code_request *rq, const struct pmu_slot *slot,
                      uint32_t to[2])
{
	const bool overtakes = slot->access == PMU_RDPMC;

	emit_u8(e, 0xb8 + REG_CX); /* MOV ECX, index */
	emit_u32(e, slot->index);
	if (overtakes && quirk(QUIRK_LFENCE_RDPMC, true)) {
		if (rq->fence == FENCE_CPUID)
			EMIT(e, "\x31\xc0\x0f\x00\xd0"); /* XOR EAX, EAX; LLDT AX */
		else
			serialize(e, rq->fence);
	}
	emit_u8(e, 0x0f);
	emit_u8(e, overtakes ? 0x33 : 0x32); /* RDPMC, RDMSR */
	store_edx_eax(e, to);
}

static void read_inner(struct emit *e, const struct code_request *rq, uint32_t to[][2])
{
	const struct pmu_group *g = rq->group;

	for (unsigned i = 0; g && i < g->n; i++)
		if (&g->slots[i] != rq->outer)
			read_slot(e, rq, &g->slots[i], to[i]);
}

static void read_outer(struct emit *e, const struct code_request *rq, uint32_t to[][2])
{
	if (rq->outer)
		read_slot(e, rq, rq->outer, to[rq->outer - rq->group->slots]);
}

/* JNZ to a place before. */
static void jnz_back(struct emit *e, const uint8_t *to)
{
	EMIT(e, "\x0f\x85");
	emit_u32(e, (uint32_t)(to - (e->at + 4)));
}

/*
 * Copies of the body, and the loop around them; the counter is in memory, so no register is taken.
 */
static void emit_body(struct emit *e, const struct code_request *rq)
{
	const uint8_t *top = e->at;

	for (uint32_t i = 0; i < rq->copies && !e->full; i++)
		emit_bytes(e, rq->b->body, rq->b->body_size);
	if (rq->loop > 1) {
		emit_op_abs(e, 0xff, 1, rq->rounds); /* DEC dword */
		jnz_back(e, top);
	}
}

/*
 * Reads a word of every line of the state, which INIT or the engine's own work may have thrown out:
 * on a CPU that does not allocate lines for writes the bracket's stores would else go to the bus or
 * not by chance.
 */
static void touch_state(struct emit *e, const struct code_state *st)
{
	for (size_t at = 0; at < sizeof(*st); at += 32)
		emit_op_abs(e, 0x8b, REG_AX, (const uint8_t *)st + at);
}

/*
 * The same branches before every sample. Predictors with a global history would else see which way
 * the engine itself came, and miss the end of the loop around the body in some samples and not in
 * others.
 */
static void settle_history(struct emit *e)
{
	emit_u8(e, 0xb8 + REG_CX); /* MOV ECX, HISTORY */
	emit_u32(e, HISTORY);
	EMIT(e, "\xff\xc9\x75\xfc"); /* DEC ECX; JNZ to the DEC */
}

/* A CPU that allocates no line for a write has the line of the counter by the read. */
static void set_loop(struct emit *e, const struct code_request *rq)
{
	emit_op_abs(e, 0x8b, REG_AX, rq->rounds);
	emit_op_abs(e, 0xc7, 0, rq->rounds);
	emit_u32(e, rq->loop);
}

static void load_regs(struct emit *e, const uintptr_t *from, int with_sp)
{
	for (unsigned r = 0; r < emit_regs; r++)
		if (r != REG_SP || with_sp)
			emit_load(e, r, &from[r]);
}

static void emit_init(struct emit *e, const struct code_request *rq)
{
	emit_bytes(e, rq->b->init, rq->b->init_size);
}

static void patch_u32(uint8_t *at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

/*
 * Down to CPL 3 with the registers at `regs`, where `inner` is; INT takes it back to CPL 0, to
 * what is emitted next. The frame for IRET goes on the engine's stack. Returns where `inner`
 * begins.
 */
static const uint8_t *call_ring3(struct emit *e, const struct code_request *rq,
                                 const uintptr_t *regs,
                                 void (*inner)(struct emit *, const struct code_request *),
                                 uint8_t vector)
{
	struct platform_ring3 r3 = platform_ring3();
	uint8_t *target, *start;

	emit_load(e, REG_SP, &rq->state->engine_sp);
	emit_push_imm(e, r3.ss);
	emit_push_mem(e, &regs[REG_SP]);
	emit_push_imm(e, USER_FLAGS);
	emit_push_imm(e, r3.cs);
	emit_push_imm(e, 0);
	target = e->at - 4;
	/* IRET to CPL 3 empties data segment registers that are of CPL 0. */
	emit_u8(e, 0xb8 + REG_AX);
	emit_u32(e, r3.ss);
	EMIT(e, "\x8e\xd8\x8e\xc0"); /* MOV DS, AX; MOV ES, AX */
	load_regs(e, regs, 0);
	emit_iret(e);
	start = e->at;
	if (!e->full)
		patch_u32(target, (uint32_t)(uintptr_t)start);
	inner(e, rq);
	emit_u8(e, 0xcd); /* INT vector */
	emit_u8(e, vector);
	/* Code that ends in half an instruction swallows the INT: it must not run on. */
	for (unsigned i = 0; i < LONGEST_INSTRUCTION; i++)
		emit_u8(e, INT3);
	return start;
}

/* Back at CPL 0 all segment registers still are those of CPL 3; IRET had emptied FS and GS. */
static void leave_ring3(struct emit *e)
{
	emit_u8(e, 0xb8 + REG_AX);
	emit_u32(e, platform_ring3().data);
	EMIT(e, "\x8e\xd8\x8e\xc0\x8e\xe0\x8e\xe8\x8e\xd0"); /* MOV DS, ES, FS, GS, SS */
}

/* INIT from the registers at `in`, and what it leaves in them to `regs`. */
static void emit_preparation(struct emit *e, const struct code_request *rq,
                             struct code_returns *returns)
{
	struct code_state *st = rq->state;
	bool ring3 = rq->cpl == 3 && rq->b->init_size;

	if (ring3) {
		call_ring3(e, rq, st->in, emit_init, platform_ring3().from_init);
		returns->init = e->at;
		emit_from_ring3(e);
	} else {
		load_regs(e, st->in, 1);
		EMIT(e, "\xfc"); /* CLD */
		emit_init(e, rq);
	}
	for (unsigned r = 0; r < emit_regs; r++)
		if (r != REG_SP || !ring3)
			emit_store(e, r, &st->regs[r]);
	if (ring3) {
		emit_load_sp_of_ring3(e);
		emit_store(e, REG_AX, &st->regs[REG_SP]);
	}
}

/* Behind the readings of the counters; returns where each further pass begins. */
static const uint8_t *begin_passes(struct emit *e, const struct code_request *rq)
{
	const uint8_t *top;

	if (rq->passes < 2)
		return NULL;
	emit_op_abs(e, 0xc7, 0, &rq->state->passes); /* MOV dword */
	emit_u32(e, rq->passes);
	read_tsc(e, rq->state->first_tsc);
	top = e->at;
	settle_history(e);
	set_loop(e, rq);
	serialize(e, rq->fence);
	return top;
}

static void end_pass(struct emit *e, const struct code_request *rq, const uint8_t *top)
{
	if (!top)
		return;
	emit_op_abs(e, 0xff, 1, &rq->state->passes); /* DEC dword */
	jnz_back(e, top);
}

/* Emits everything; returns the offset of the body from `start`. */
static size_t emit_routine(struct emit *e, const struct code_request *rq,
                           struct code_returns *returns)
{
	struct code_state *st = rq->state;
	const uint8_t *start = e->at, *body, *pass;

	*returns = (struct code_returns){ NULL, NULL, NULL };
	emit_prologue(e);
	emit_store(e, REG_SP, &st->engine_sp);
	settle_history(e);
	emit_preparation(e, rq, returns);
	touch_state(e, st);
	if (rq->loop > 1)
		set_loop(e, rq);
	serialize(e, rq->fence);
	read_outer(e, rq, st->start);
	read_inner(e, rq, st->start);
	pass = begin_passes(e, rq);
	read_tsc(e, st->start_tsc);
	serialize(e, rq->fence);
	if (rq->cpl == 3) {
		body = call_ring3(e, rq, st->regs, emit_body, platform_ring3().from_body);
		returns->body = e->at;
	} else {
		load_regs(e, st->regs, 1);
		serialize_keeping(e, rq);
		body = e->at;
		emit_body(e, rq);
	}
	returns->copies = body;
	serialize(e, rq->fence);
	read_tsc(e, st->end_tsc);
	end_pass(e, rq, pass);
	read_inner(e, rq, st->end);
	read_outer(e, rq, st->end);
	serialize(e, rq->fence);
	emit_store(e, REG_SI, &st->out_si);
	EMIT(e, "\xfc");
	if (rq->cpl == 3)
		leave_ring3(e);
	emit_load(e, REG_SP, &st->engine_sp);
	emit_epilogue(e);
	return (size_t)(body - start);
}

void (*code_generate(uint8_t *buf, size_t size, const struct code_request *rq,
                     struct code_returns *returns))(void)
{
	struct emit probe = { .at = buf, .end = buf + size };
	struct code_request none = *rq; /* where the body begins does not depend on its copies */
	size_t unit = rq->offset < 0 ? 64 : 4096, want = rq->offset < 0 ? 0 : (size_t)rq->offset;
	size_t body, shift;
	struct emit e;

	none.copies = 0;
	body = emit_routine(&probe, &none, returns);
	shift = (unit + want - ((uintptr_t)buf + body) % unit) % unit;
	if (shift >= size)
		return NULL;
	e = (struct emit){ .at = buf + shift, .end = buf + size };
	emit_routine(&e, rq, returns);
	/* A body that jumps out of the routine must not find an older one. */
	memset(buf, INT3, shift);
	memset(e.at, INT3,
	       (size_t)(e.end - e.at) < FENCE_BYTES ? (size_t)(e.end - e.at) : FENCE_BYTES);
	return e.full ? NULL : (void (*)(void))(uintptr_t)(buf + shift);
}
