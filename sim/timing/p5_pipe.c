/*
 * p5_pipe.c - the dynamic half of the Pentium timing model: pairs, stalls and their clocks.
 *
 * Stages as in the Pentium Processor Family Developer's Manual, volume 1, "Pipeline and instruction
 * flow": PF D1 D2 EX WB, on the P55C PF F D1 D2 E WB with a FIFO of four instructions between F and
 * D1. A pair enters every stage together and leaves EX together.
 *
 * Instructions come one at a time, so the first of a pair is charged when it comes and the second
 * with what the pair takes longer.
 */
#include <math.h>
#include <string.h>
#include "sim/timing/p5_table.h"

enum { ESP = 4 };

enum {
	MISALIGNED_CLOCKS = 3,
	AFTER_EMMS_CLOCKS = 58, /* first x87 instruction behind MMX (Agner Fog: about 58) */
	P55C_PAIR_BYTES = 7,    /* longest first of a pair, unverified */
};

/* Pair time by the shapes of first and second (Agner Fog, "Imperfect pairing"). */
static const uint8_t pair_clocks[P5_SHAPES][P5_SHAPES] = {
	[P5_PLAIN] = { 1, 2, 3 },
	[P5_READ_OP] = { 2, 2, 3 },
	[P5_READ_OP_WRITE] = { 3, 4, 5 },
};

/*
 * What a wrong prediction costs: the branch in U, in V, and a conditional branch in V, which the V
 * pipe resolves a stage later. The P55C has a stage more (Agner Fog; unverified on a machine).
 */
static const struct {
	uint8_t other;
	uint8_t conditional_in_v;
} mispredict_clocks[] = {
	[P5_P54C] = { 3, 4 },
	[P5_P55C] = { 4, 5 },
};

/*
 * Repeated string instructions: first + each * n, and none when n is 0 (Intel, appendix of
 * timings).
 */
static const struct {
	uint8_t none;
	uint8_t first;
	uint8_t each;
} repeat_clocks[] = {
	[P5_SP_REP_LODS] = { 7, 7, 3 },  [P5_SP_REP_STOS] = { 6, 9, 1 },
	[P5_SP_REP_MOVS] = { 6, 13, 1 }, [P5_SP_REP_SCAS] = { 7, 9, 4 },
	[P5_SP_REP_CMPS] = { 7, 9, 4 },  [P5_SP_REP_IO] = { 11, 11, 5 },
};

/* By precision control, bits 8 and 9 of FPCW; 1 is reserved. 41 is measured, Intel has 39. */
static const uint8_t divide_latency[4] = { 19, 33, 33, 41 };

/*
 * The two machines of InstLatX64, 66 MHz bus, 1.5 and 3 clocks a bus clock: write and locked as
 * measured (of the P54C 10 stores take 77 clocks and 12 take 92: 7.5 each and 2 more), read_miss
 * from LODSD (1.4 and 2.25 clocks a dword above LODSB's 2). code_miss, tlb_miss and io are
 * unverified.
 */
/* clang-format off */
static const struct p5_bus default_bus[] = {
	[P5_P54C] = { .read_miss = 11, .write_halves = 15, .code_miss = 8, .tlb_miss = 20,
		      .locked = 12, .io = 8, .write_buffers = 2 },
	[P5_P55C] = { .read_miss = 18, .write_halves = 18, .code_miss = 16, .tlb_miss = 30,
		      .locked = 48, .io = 16, .write_buffers = 4 },
};
/* clang-format on */

static uint64_t max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Decoder and fetch as they are when EX may take the next instruction at p->now. */
static void restart_front_end(struct p5_pipe *p)
{
	p->open = false;
	p->fxch_in_v = false;
	p->start = p->now - 1;
	p->enter_d2 = p->now - 2;
	p->enter_d1 = p->now - 3;
	p->fetched = p->now - 3;
	p->fetch_room = false;
	for (int i = 0; i < 4; i++)
		p->left_fifo[i] = p->now - 3;
}

void p5_reset(struct p5_pipe *p, enum p5_kind kind)
{
	memset(p, 0, sizeof(*p));
	p->kind = kind;
	p->bus = default_bus[kind];
	p->now = 8; /* room for the stages before EX */
	restart_front_end(p);
}

void p5_event(struct p5_pipe *p, uint32_t clocks, bool flush, struct p5_result *out)
{
	memset(out, 0, sizeof(*out));
	out->clocks = clocks;
	out->flush = flush;
	p->now += clocks;
	restart_front_end(p);
}

/* P55C: clock at which the length decoder is done with an instruction and the FIFO has it. */
static uint64_t fetch(struct p5_pipe *p, const struct p5_insn *insn, uint32_t code_clocks)
{
	uint64_t room = p->left_fifo[p->fifo_next];

	if (!insn->decode && !code_clocks && p->fetch_room && room < p->fetched) {
		p->fetch_room = false;
		return p->fetched;
	}
	p->fetched = max64(p->fetched, room) + 1 + insn->decode + code_clocks;
	p->fetch_room = true;
	return p->fetched;
}

static void leave_fifo(struct p5_pipe *p, uint64_t when)
{
	p->left_fifo[p->fifo_next] = when;
	p->fifo_next = (p->fifo_next + 1) % 4;
}

/* Moves the front end on to a new pair; returns the first clock at which it may be in EX. */
static uint64_t decode_stages(struct p5_pipe *p, const struct p5_insn *insn, uint64_t fetched,
                              uint32_t code_clocks)
{
	uint64_t decoded;

	/* D1 is free when the pair before enters D2, D2 when it enters EX. */
	p->enter_d1 = p->enter_d2;
	if (p->kind == P5_P55C) {
		p->enter_d1 = max64(p->enter_d1, fetched);
		leave_fifo(p, p->enter_d1);
		decoded = p->enter_d1 + 1;
	} else {
		decoded = p->enter_d1 + 1 + insn->decode + code_clocks;
	}
	p->enter_d2 = max64(decoded, p->start);
	return p->enter_d2 + 1;
}

/* Latest of the times of the registers in a bit mask. */
static uint64_t latest(const uint64_t *ready, unsigned int registers)
{
	uint64_t t = 0;

	for (; registers; registers &= registers - 1)
		t = max64(t, ready[__builtin_ctz(registers)]);
	return t;
}

static uint64_t x87_idle(const struct p5_pipe *p)
{
	uint64_t units =
		max64(p->unit_free[P5_UNIT_X87_MULTIPLY], p->unit_free[P5_UNIT_X87_DIVIDE]);

	return max64(units, p->x87_free);
}

static uint64_t x87_time(const struct p5_pipe *p, const struct p5_insn *insn)
{
	const uint64_t *ready = insn->flags & P5F_STORES ? p->st_store : p->st_ready;
	uint64_t t = 0;

	if (insn->flags & P5F_INTEGER_MULTIPLY)
		return max64(p->unit_free[P5_UNIT_X87_MULTIPLY], p->unit_free[P5_UNIT_X87_DIVIDE]);
	if (!(insn->flags & P5F_X87))
		return 0;
	/* FXCH only renames: it waits for the unit, not for the values. */
	t = max64(p->x87_free, p->unit_free[insn->unit]);
	for (int i = 0; i < 8; i++)
		if (insn->st_read & 1u << i)
			t = max64(t, ready[(p->top + i) & 7]);
	return t;
}

static void take(uint64_t *t, uint64_t until, uint32_t *lost)
{
	if (until > *t) {
		*lost += until - *t;
		*t = until;
	}
}

/* Delays an instruction that could enter EX at t until its operands are there. */
static uint64_t wait_operands(struct p5_pipe *p, const struct p5_insn *insn, uint64_t t,
                              struct p5_result *out)
{
	take(&t, latest(p->agi_ready, insn->address), &out->agi);
	take(&t, x87_time(p, insn), &out->fp_stall);
	take(&t, latest(p->mm_ready, insn->mm_read), &out->mmx_wait);
	if (insn->flags & P5F_STORES)
		take(&t, latest(p->mm_store, insn->mm_read), &out->mmx_store_wait);
	return t;
}

static uint8_t accesses_of(const struct p5_dyn *dyn)
{
	return dyn->accesses < P5_ACCESSES ? dyn->accesses : P5_ACCESSES;
}

static bool misaligned(const struct p5_access *a)
{
	uint64_t unit = a->size > 4 && a->size <= 10 ? 8 : 4;

	/* 10 bytes are 8 and 2; more is a row of dwords (POPA, FRSTOR). */
	if (a->size > 8)
		return a->address % unit;
	return a->address / unit != (a->address + a->size - 1) / unit;
}

/* A write that misses goes to a buffer; the bus takes them in order. Returns the stall. */
static uint32_t write_miss(struct p5_pipe *p, uint64_t t, uint8_t pipe, struct p5_result *out)
{
	uint8_t b = pipe;
	uint64_t now = t;
	uint32_t halves, clocks;

	if (p->bus.write_buffers == P5_WRITE_BUFFERS) {
		b = 0;
		for (uint8_t i = 1; i < P5_WRITE_BUFFERS; i++)
			if (p->buffer_free[i] < p->buffer_free[b])
				b = i;
	}
	take(&now, p->buffer_free[b], &out->write_stall);
	halves = p->bus.write_halves - p->bus_half;
	clocks = (halves + 1) / 2;
	p->bus_half = halves & 1;
	p->bus_free = max64(p->bus_free, now) + clocks;
	out->bus_busy += clocks;
	p->buffer_free[b] = p->bus_free;
	return now - t;
}

static uint32_t read_miss(struct p5_pipe *p, uint64_t t, struct p5_result *out)
{
	uint64_t now = max64(t, p->bus_free) + p->bus.read_miss;

	p->bus_free = now;
	out->read_stall += now - t;
	out->bus_busy += p->bus.read_miss;
	return now - t;
}

static uint32_t access_clocks(struct p5_pipe *p, const struct p5_access *a, uint64_t t,
                              uint8_t pipe, struct p5_result *out)
{
	uint64_t now = t;

	if (misaligned(a)) {
		out->misaligned++;
		now += MISALIGNED_CLOCKS;
	}
	if (a->tlb_miss) {
		now += p->bus.tlb_miss;
		out->tlb_stall += p->bus.tlb_miss;
	}
	if (a->miss)
		now += a->write ? write_miss(p, now, pipe, out) : read_miss(p, now, out);
	else if (a->write)
		take(&now, p->bus_free, &out->em_stall);
	return now - t;
}

/* What the data accesses add to an instruction that is in EX at t. */
static uint32_t memory_clocks(struct p5_pipe *p, const struct p5_dyn *dyn, uint64_t t, uint8_t pipe,
                              struct p5_result *out)
{
	uint64_t now = t;

	for (uint8_t i = 0; i < accesses_of(dyn); i++)
		now += access_clocks(p, &dyn->access[i], now, pipe, out);
	for (uint32_t i = 0; i < dyn->more_read_miss; i++)
		now += read_miss(p, now, out);
	for (uint32_t i = 0; i < dyn->more_write_miss; i++)
		now += write_miss(p, now, pipe, out);
	return now - t;
}

static uint32_t code_clocks(const struct p5_pipe *p, const struct p5_dyn *dyn)
{
	return dyn->code_miss * p->bus.code_miss + dyn->code_tlb_miss * p->bus.tlb_miss;
}

/* Measured, less a clock for the instruction that sets EAX; 14 is Intel's figure. */
static uint32_t cpuid_clocks(enum p5_kind kind, uint32_t leaf)
{
	if (leaf != 1)
		return 14;
	return kind == P5_P54C ? 16 : 21;
}

/*
 * FSIN and FCOS, as measured on both: 63 clocks where the angle from the next multiple of Pi/2 is
 * small (Pi/16 is, Pi/8 is not: the bound is a guess), else 81 to 88, here their mean; an angle
 * above Pi/4 is brought down in 8 to 10 more.
 */
static uint16_t angle_clocks(double angle)
{
	uint16_t clocks = fabs(remainder(angle, M_PI_2)) < 0.25 ? 63 : 85;

	return fabs(angle) > M_PI_4 ? clocks + 9 : clocks;
}

/* In real mode and at CPL 0 6 and 8; elsewhere measured (Agner Fog: 11 and 13). */
static uint32_t rdtsc_clocks(enum p5_kind kind, uint8_t cpl)
{
	if (kind == P5_P54C)
		return cpl ? 12 : 6;
	return cpl ? 13 : 8;
}

/* Replaces what depends on data: x87 latencies and clocks of a few others. */
static void data_dependent(const struct p5_pipe *p, struct p5_insn *insn, const struct p5_dyn *dyn)
{
	uint8_t divide = divide_latency[dyn->fpcw >> 8 & 3];

	switch (insn->special) {
	case P5_SP_RDTSC:
		insn->clocks = rdtsc_clocks(p->kind, dyn->cpl);
		return;
	case P5_SP_CPUID:
		insn->clocks = cpuid_clocks(p->kind, dyn->eax);
		return;
	case P5_SP_REP_LODS:
	case P5_SP_REP_STOS:
	case P5_SP_REP_MOVS:
	case P5_SP_REP_SCAS:
	case P5_SP_REP_CMPS:
	case P5_SP_REP_IO:
		insn->clocks = repeat_clocks[insn->special].none;
		return;
	case P5_SP_FIDIV:
		divide += 3;
		/* fall through */
	case P5_SP_FDIV:
		insn->latency = dyn->fp_zero ? 6 : divide;
		insn->next = insn->latency - 2;
		/* With 64 bits the divider measures as long as the latency, with fewer one less. */
		insn->busy = insn->latency - (divide < 39 && !dyn->fp_zero);
		return;
	case P5_SP_FSQRT:
		if (dyn->fp_zero) {
			insn->latency = 4;
			insn->next = 2;
			insn->busy = 3;
		}
		return;
	case P5_SP_ANGLE:
		insn->clocks = dyn->fp_zero ? 16 : angle_clocks(dyn->angle);
		insn->latency = insn->next = insn->clocks;
		return;
	default:
		return;
	}
}

static uint32_t repeated_clocks(const struct p5_insn *insn, const struct p5_dyn *dyn)
{
	if (insn->special < P5_SP_REP_LODS || insn->special > P5_SP_REP_IO || !dyn->rep)
		return insn->clocks;
	return repeat_clocks[insn->special].first + repeat_clocks[insn->special].each * dyn->rep;
}

/* Results of an instruction that was in EX from t and wrote general registers before end. */
static void retire_registers(struct p5_pipe *p, const struct p5_insn *insn, uint64_t end)
{
	uint8_t written = insn->flags & P5F_STRING ? 0 : insn->write;

	/* ESP of PUSH, POP, CALL and RET has its own adder. */
	if (insn->flags & (P5F_PUSH | P5F_POP))
		written &= ~(1u << ESP);
	for (unsigned int r = written; r; r &= r - 1)
		p->agi_ready[__builtin_ctz(r)] = end + 1;
}

static void retire_mmx(struct p5_pipe *p, const struct p5_insn *insn, uint64_t t)
{
	if (!(insn->flags & P5F_MMX))
		return;
	p->mmx_state = true;
	for (int i = 0; i < 8; i++) {
		if (insn->mm_write & 1u << i) {
			p->mm_ready[i] = t + insn->latency;
			p->mm_store[i] = t + insn->latency + 1;
		}
	}
}

static void swap64(uint64_t *a, uint64_t *b)
{
	uint64_t t = *a;

	*a = *b;
	*b = t;
}

static void retire_fxch(struct p5_pipe *p, const struct p5_insn *insn)
{
	uint8_t a = p->top;
	uint8_t b = (p->top + insn->st_swap) & 7;

	swap64(&p->st_ready[a], &p->st_ready[b]);
	swap64(&p->st_store[a], &p->st_store[b]);
}

static void retire_x87(struct p5_pipe *p, const struct p5_insn *insn, uint64_t t)
{
	if (!(insn->flags & P5F_X87))
		return;
	p->mmx_state = false;
	p->x87_free = max64(p->x87_free, t + insn->next);
	p->unit_free[insn->unit] = insn->unit ? t + insn->busy : 0;
	if (insn->flags & P5F_FXCH)
		retire_fxch(p, insn);
	if (insn->st_push > 0)
		p->top = (p->top - insn->st_push) & 7;
	for (int i = 0; i < 8; i++) {
		if (insn->st_write & 1u << i) {
			p->st_ready[(p->top + i) & 7] = t + insn->latency;
			p->st_store[(p->top + i) & 7] = t + insn->latency + 1;
		}
	}
	if (insn->st_push < 0)
		p->top = (p->top - insn->st_push) & 7;
}

/* Everything before is done and the prefetch queue is empty: no AGI, nothing decoded ahead. */
static void serialize(struct p5_pipe *p)
{
	memset(p->agi_ready, 0, sizeof(p->agi_ready));
	restart_front_end(p);
}

static void branch_end(struct p5_pipe *p, const struct p5_insn *insn, const struct p5_dyn *dyn,
                       uint8_t pipe, struct p5_result *out)
{
	bool late = pipe == P5_PIPE_V && insn->flags & P5F_CONDITIONAL;

	if (!(insn->flags & P5F_BRANCH) || !dyn->mispredicted)
		return;
	out->flush = true;
	out->flush_wb = late;
	p->now += late ? mispredict_clocks[p->kind].conditional_in_v
	               : mispredict_clocks[p->kind].other;
	restart_front_end(p);
}

static void keep_first(struct p5_pipe *p, const struct p5_insn *insn, const struct p5_dyn *dyn)
{
	p->open = insn->pair == P5_UV || insn->pair == P5_PU || insn->pair == P5_FX;
	if (!p->open)
		return;
	p->u = *insn;
	p->u_end = dyn->rip + insn->length;
	p->u_accesses = accesses_of(dyn);
	p->u_first_run = dyn->first_run;
	memcpy(p->u_access, dyn->access, p->u_accesses * sizeof(p->u_access[0]));
}

/* Bus cycles that the pipeline waits for to the end; code fetches go on beside it. */
static uint32_t bus_clocks(const struct p5_pipe *p, const struct p5_insn *insn,
                           const struct p5_dyn *dyn, struct p5_result *out)
{
	uint32_t clocks = 0;

	if (insn->flags & P5F_LOCKED)
		clocks += p->bus.locked;
	if (insn->flags & P5F_IO)
		clocks += p->bus.io * (dyn->rep ? dyn->rep : 1);
	out->bus_busy += clocks + dyn->code_miss * p->bus.code_miss;
	return clocks;
}

static void issue_first(struct p5_pipe *p, const struct p5_insn *insn, const struct p5_dyn *dyn,
                        uint64_t fetched, struct p5_result *out)
{
	uint64_t ready = decode_stages(p, insn, fetched, code_clocks(p, dyn));
	uint64_t t = p->now;
	uint32_t clocks = repeated_clocks(insn, dyn);

	take(&t, ready, insn->decode ? &out->prefix : &out->code_stall);
	/* Something else than x87 right behind a paired FXCH loses a clock (unverified). */
	if (p->fxch_in_v && !(insn->flags & P5F_X87))
		take(&t, p->start + 2, &out->fp_stall);
	if (p->mmx_state && insn->flags & P5F_X87)
		t += AFTER_EMMS_CLOCKS;
	t = wait_operands(p, insn, t, out);
	if (insn->flags & P5F_SERIALIZE) {
		take(&t, x87_idle(p), &out->fp_stall);
		/* Buffered writes are on the bus before it (SDM 3A, Serializing Instructions). */
		t = max64(t, p->bus_free);
	}
	clocks += bus_clocks(p, insn, dyn, out);
	p->fxch_in_v = false;
	p->start = t;
	p->u_clocks = memory_clocks(p, dyn, t, P5_PIPE_U, out);
	keep_first(p, insn, dyn);
	retire_registers(p, insn, t + clocks + p->u_clocks);
	retire_mmx(p, insn, t + p->u_clocks);
	retire_x87(p, insn, t + p->u_clocks);
	p->now = t + clocks + p->u_clocks;
}

/* ESP of two PUSHes, PUSH and CALL, or two POPs is no dependency. */
static uint8_t stack_exempt(const struct p5_insn *u, const struct p5_insn *v)
{
	bool both = (u->flags & v->flags) & (P5F_PUSH | P5F_POP);

	return both ? 1u << ESP : 0;
}

static bool registers_allow(const struct p5_insn *u, const struct p5_insn *v)
{
	uint8_t used = v->read | v->write | v->address;

	if (u->write & used & ~stack_exempt(u, v))
		return false;
	return !(u->mm_write & (v->mm_read | v->mm_write));
}

static bool kind_allows(const struct p5_pipe *p, uint64_t v_fetched)
{
	if (p->kind == P5_P54C)
		return !p->u_first_run || p->u.length == 1;
	return p->u.length <= P55C_PAIR_BYTES && v_fetched < p->enter_d2;
}

static bool may_pair(const struct p5_pipe *p, const struct p5_insn *v, const struct p5_dyn *dyn,
                     uint64_t v_fetched)
{
	if (!p->open || dyn->rip != p->u_end || code_clocks(p, dyn))
		return false;
	if (p->u.pair == P5_FX || v->flags & P5F_FXCH)
		return p->u.pair == P5_FX && v->flags & P5F_FXCH && kind_allows(p, v_fetched);
	if (v->pair != P5_UV && v->pair != P5_PV)
		return false;
	if (p->u.unit && p->u.unit == v->unit)
		return false;
	return registers_allow(&p->u, v) && kind_allows(p, v_fetched);
}

/* Which of the eight banks of 4 bytes an access uses. */
static uint8_t banks(const struct p5_access *a)
{
	uint8_t mask = 0;

	for (uint64_t d = a->address / 4; d <= (a->address + a->size - 1) / 4; d++)
		mask |= 1u << (d & 7);
	return mask;
}

static bool bank_conflict(const struct p5_pipe *p, const struct p5_dyn *v)
{
	uint8_t of_u = 0;
	uint8_t of_v = 0;

	for (uint8_t i = 0; i < p->u_accesses; i++)
		of_u |= banks(&p->u_access[i]);
	for (uint8_t i = 0; i < accesses_of(v); i++)
		of_v |= banks(&v->access[i]);
	return of_u & of_v;
}

/* The second of a pair waited: the first waits with it, and what it writes comes later. */
static void delay_first(struct p5_pipe *p, uint64_t t)
{
	uint64_t late = t - p->start;

	for (int i = 0; i < 8; i++)
		if (p->u.write & 1u << i && p->agi_ready[i] > p->start)
			p->agi_ready[i] += late;
	for (int i = 0; i < 8; i++) {
		if (p->u.mm_write & 1u << i) {
			p->mm_ready[i] += late;
			p->mm_store[i] += late;
		}
	}
	p->start = t;
}

static void issue_second(struct p5_pipe *p, const struct p5_insn *insn, const struct p5_dyn *dyn,
                         struct p5_result *out)
{
	uint64_t t = p->start;
	uint64_t end;

	out->pipe = P5_PIPE_V;
	if (p->kind == P5_P55C)
		leave_fifo(p, p->enter_d1);
	if (insn->flags & P5F_FXCH) {
		/* A rename: it does not even wait for the unit that U has just given work. */
		retire_fxch(p, insn);
		p->fxch_in_v = true;
		p->open = false;
		return;
	}
	t = wait_operands(p, insn, t, out);
	if (t > p->start)
		delay_first(p, t);
	end = t + pair_clocks[p->u.shape][insn->shape] + p->u_clocks;
	if (p->u_accesses && dyn->accesses) {
		out->both_pipes_memory = true;
		out->bank_conflict = bank_conflict(p, dyn);
		end += out->bank_conflict;
	}
	end += memory_clocks(p, dyn, t, P5_PIPE_V, out);
	retire_registers(p, insn, end);
	retire_mmx(p, insn, t);
	p->now = max64(p->now, end);
	p->open = false;
}

void p5_step(struct p5_pipe *p, const struct p5_insn *insn, const struct p5_dyn *dyn,
             struct p5_result *out)
{
	uint64_t before = p->now;
	uint64_t fetched = 0;
	struct p5_insn actual;

	memset(out, 0, sizeof(*out));
	if (insn->special) {
		actual = *insn;
		data_dependent(p, &actual, dyn);
		insn = &actual;
	}
	if (p->kind == P5_P55C)
		fetched = fetch(p, insn, code_clocks(p, dyn));
	if (may_pair(p, insn, dyn, fetched))
		issue_second(p, insn, dyn, out);
	else
		issue_first(p, insn, dyn, fetched, out);
	out->mmx = insn->flags & P5F_MMX;
	out->flops = insn->flops;
	branch_end(p, insn, dyn, out->pipe, out);
	if (insn->flags & P5F_SERIALIZE)
		serialize(p);
	out->clocks = p->now - before;
}
