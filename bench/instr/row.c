/*
 * From the shape of a form to its code: which registers it uses.
 *
 * latency	one instruction that reads what the copy before wrote: the same register, the same
 *		memory, or a register that is also its own address
 * throughput	instructions that do not read each other's results: their destinations are all the
 *		registers that are left, nothing writes their sources, and their memory is at
 *		three addresses in turn
 */
#include "bench/instr/row.h"

#include "kernel/lib/string.h"

enum {
	/* vector registers that throughput code does not write */
	VECTOR_CONST = 7,
	VECTOR_CONST2 = 6,
	FEW = 12,          /* copies in a throughput body at most */
	VECTORS_INIT = 12, /* vector registers that a body may read, in 64-bit code */
};

static bool has_memory(const struct instr_shape *s)
{
	return instr_uses(s, AT_MEMORY);
}

/* --- destinations --- */

/* May throughput code write this general register? */
static bool gpr_is_free(const struct instr_shape *s, uint8_t r)
{
	bool byte = s->op[0].bits == 8 || (s->access != ACCESS_WRITE && s->n > 1 &&
	                                   s->op[1].bits == 8 && s->op[1].file == FILE_GPR);

	switch (r) {
	case REG_CX:
		return !instr_uses(s, AT_CL);
	case REG_BP:
		return !byte; /* no byte of BP has a name without REX */
	case REG_DI:
		return !byte && !has_memory(s);
	case REG_BX:
		return !has_memory(s) && s->access == ACCESS_MODIFY && !s->choice.two;
	default:
		return true;
	}
}

/* Destinations of throughput code, in the order of use. Returns how many. */
static unsigned destinations(const struct instr_shape *s, bool wide, uint8_t regs[FEW])
{
	static const uint8_t gpr[] = {
		REG_AX, REG_DX, REG_CX, REG_BP, REG_DI, REG_BX, 8, 9, 10, 11
	};
	unsigned n = 0;

	if (s->op[0].file == FILE_GPR) {
		for (unsigned i = 0; i < sizeof(gpr) && (wide || gpr[i] < 8); i++)
			if (gpr_is_free(s, gpr[i]))
				regs[n++] = gpr[i];
		return n;
	}
	for (uint8_t r = instr_uses(s, AT_XMM0) || s->op[0].file == FILE_MASK ? 2 : 0; r < FEW;
	     r++) {
		bool write = s->access == ACCESS_WRITE;

		if (r == VECTOR_CONST || (r == VECTOR_CONST2 && write) ||
		    (r >= 8 && (!wide || s->op[0].file != FILE_XMM || write)))
			continue;
		regs[n++] = r;
	}
	return n;
}

static uint8_t constant_of(enum instr_file file)
{
	return file == FILE_GPR ? REG_BX : VECTOR_CONST;
}

/* --- chains --- */

static bool chain_of_addresses(const struct instr_shape *s)
{
	return s->spec->chain == CHAIN_ADDRESS && has_memory(s);
}

/* Can what the form writes be read by the same form? */
static bool can_chain(const struct instr_shape *s)
{
	if (s->spec->chain == CHAIN_NONE)
		return s->masked && s->access == ACCESS_MODIFY;
	/* a scalar from memory, of which the destination is no input */
	if (s->choice.memory && s->merged && !s->row->constant && s->op[1].bits < 128)
		return false;
	if (s->access == ACCESS_MODIFY || s->access == ACCESS_EXCHANGE)
		return true;
	if (s->op[0].place == AT_MEMORY || s->choice.two)
		return false;
	for (unsigned i = 1; i < s->n; i++)
		if (instr_is_register(&s->op[i]) && s->op[i].file == s->op[0].file)
			return true;
	return chain_of_addresses(s);
}

/* --- one instruction --- */

static void add_imm(struct instr_code *c, const struct instr_shaped *o, uint8_t src)
{
	static const uint8_t word[] = { 0x78, 0x56, 0x34, 0x12 };
	unsigned bytes = o->bits >= 32 ? 4 : o->bits / 8;

	switch (o->place) {
	case AT_IMM8:
	case AT_IM8:
		c->imm[c->nimm++] = 3;
		break;
	case AT_IMM8_ZERO:
		c->imm[c->nimm++] = 0;
		break;
	case AT_IS4:
		c->imm[c->nimm++] = (uint8_t)(src << 4);
		break;
	case AT_IMM:
	case AT_IMM_ZERO:
		for (unsigned i = 0; i < bytes; i++)
			c->imm[c->nimm++] = o->place == AT_IMM ? word[i] : 0;
		break;
	default:
		break;
	}
}

/* The size that the operand size prefix and REX.W, VEX.W or EVEX.W select. */
static unsigned operand_bits(const struct instr_shape *s)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < s->n; i++)
		if (instr_is_variable(s->op[i].type) && s->op[i].place != AT_ONE)
			bits = s->op[i].bits;
		else if (s->op[i].type == TYPE_64)
			bits = 64;
	return bits;
}

static uint8_t vector_length(const struct instr_shape *s)
{
	if (!s->spec->vector)
		return s->spec->vex_l;
	if (instr_sets[s->row->set].lengths == LENGTHS_SCALAR)
		return 0;
	return s->bits == 512 ? 2 : s->bits == 256 ? 1 : 0;
}

static void set_opcode(struct instr_code *c, const struct instr_shape *s)
{
	static const uint8_t prefixes[] = { 0, 0x66, 0xf3, 0xf2 };
	unsigned bits = operand_bits(s);

	c->scheme = (uint8_t)s->scheme;
	c->prefix = prefixes[s->row->prefix];
	c->map = s->row->map;
	c->opcode = s->row->opcode;
	c->lock = s->spec->lock;
	c->mask = s->masked;
	c->modrm = s->spec->modrm;
	/* the low bit of the opcode tells bytes from larger operands */
	if (s->op[0].type == TYPE_8_64 && bits > 8)
		c->opcode |= 1;
	c->size16 = bits == 16 || s->spec->size16;
	c->wide = bits == 64;
	if (s->scheme != INSTR_LEGACY) {
		c->wide = c->wide || (s->scheme == INSTR_VEX ? s->row->vex_w : s->row->evex_w);
		c->length = vector_length(s);
	} else if (s->bits == 64 && s->spec->vector && c->prefix == 0x66) {
		c->prefix = 0; /* MMX */
	}
}

/* The register of operand i; set_registers() says which. */
static uint8_t register_of(const struct instr_shape *s, unsigned i, uint8_t dst, uint8_t src)
{
	const struct instr_shaped *o = &s->op[i];
	bool same = o->file == s->op[0].file, vvvv = o->place == AT_VVVV;
	/* with a register of its own for each operand, no form is an idiom for zero */
	bool constant = s->row->constant ||
	                (s->row->pair && s->scheme != INSTR_LEGACY && instr_uses(s, AT_VVVV));

	if (!i)
		return dst;
	if (vvvv && constant && s->access == ACCESS_WRITE)
		return src == VECTOR_CONST2 ? VECTOR_CONST2 : dst;
	if (!vvvv && constant && same)
		return VECTOR_CONST;
	if (same)
		return src;
	return o->file == FILE_MASK ? 1 : constant_of(o->file);
}

/*
 * Operand 0 is dst. Other registers of its file are src. In code with two constants the second and
 * third operand are those. Every other file contributes one register.
 */
static void set_registers(struct instr_code *c, const struct instr_shape *s, uint8_t dst,
                          uint8_t src, uint8_t base)
{
	c->reg = s->row->digit;
	for (unsigned i = 0; i < s->n; i++) {
		uint8_t r = register_of(s, i, dst, src);

		if (s->op[i].place == AT_REG)
			c->reg = r;
		else if (s->op[i].place == AT_VVVV)
			c->vvvv = r;
		else if (s->op[i].place == AT_RM || s->op[i].place == AT_OPCODE)
			c->rm = r;
		add_imm(c, &s->op[i], src);
	}
	if (instr_uses(s, AT_ACCUMULATOR))
		c->rm = REG_AX;
	if (has_memory(s)) {
		c->memory = true;
		c->rm = base;
		c->disp = s->spec->disp8 ? 8 : 0;
	}
	if (s->spec->suffix) {
		c->imm[c->nimm++] = c->opcode;
		c->opcode = 0x0f;
	}
}

static void add_copy(struct instr_form *f, const struct instr_shape *s, uint8_t dst, uint8_t src,
                     uint8_t base)
{
	struct instr_code c;

	memset(&c, 0, sizeof(c));
	set_opcode(&c, s);
	set_registers(&c, s, dst, src, base);
	f->body_size += instr_encode(f->body + f->body_size, &c);
}

/* --- bodies --- */

static void chain_body(struct instr_form *f, const struct instr_shape *s)
{
	uint8_t reg = s->op[0].file == FILE_MASK ? 2 : 0;
	uint8_t src = s->choice.two ? constant_of(s->op[0].file) : reg;

	if (s->op[0].place == AT_MEMORY) /* through memory */
		add_copy(f, s, 0, REG_AX, REG_SI);
	else if (chain_of_addresses(s))
		add_copy(f, s, REG_BX, REG_BX, REG_BX);
	else
		add_copy(f, s, reg, src, REG_SI);
}

/* Returns the number of copies. */
static unsigned independent_body(struct instr_form *f, const struct instr_shape *s)
{
	static const uint8_t bases[] = { REG_SI, REG_DI, REG_BX };
	uint8_t regs[FEW];
	bool to_memory = s->op[0].place == AT_MEMORY;
	unsigned n = destinations(s, f->wide, regs);

	if (n > 2 && to_memory && s->spec->vector)
		n = 2; /* the third place holds what the registers are loaded from */
	if (n > 3 && (to_memory || (s->access == ACCESS_EXCHANGE && has_memory(s))))
		n = 3; /* one for each place in memory */
	for (unsigned i = 0; i < n; i++) {
		uint8_t dst = regs[i], src = dst;

		if (to_memory)
			src = (uint8_t)(REG_AX + i); /* AX, CX, DX: exchanged by XADD */
		else if (s->access == ACCESS_WRITE)
			src = s->op[0].file == FILE_GPR ? REG_BX : VECTOR_CONST2;
		else if (s->choice.two)
			src = constant_of(s->op[0].file);
		add_copy(f, s, dst, src, bases[(i + (to_memory && s->spec->vector)) % 3]);
		if (!i)
			f->op_size = f->body_size;
	}
	return n;
}

/* --- registers at the start --- */

static void load_vector(struct instr_form *f, struct instr_code *c)
{
	f->init_size += instr_encode(f->init + f->init_size, c);
}

/* Loads every vector register that the form may read from [SI]. */
static void vector_init(struct instr_form *f, const struct instr_shape *s)
{
	uint8_t regs = f->wide ? VECTORS_INIT : 8;
	bool mm = false, xmm = false;

	for (unsigned i = 0; i < s->n; i++) {
		mm = mm || s->op[i].file == FILE_MM;
		xmm = xmm || s->op[i].file == FILE_XMM;
	}
	if (s->scheme == INSTR_LEGACY && cpu_has(f->cpu, CPU_AVX))
		INSTR_INIT_BYTES(f, "\xc5\xf8\x77"); /* VZEROUPPER */
	if (s->scheme == INSTR_EVEX || s->op[0].file == FILE_MASK)
		for (uint8_t k = 1; k < 8; k++) { /* KXNORW: all ones */
			const uint8_t kxnorw[] = { 0xc5, 0xfc, 0x46, (uint8_t)(0xc0 | k << 3) };

			instr_add_init(f, kxnorw, sizeof(kxnorw));
		}
	for (uint8_t r = 0; r < regs; r++) {
		struct instr_code movups = {
			.scheme = (uint8_t)s->scheme,
			.map = 1,
			.opcode = 0x10,
			.modrm = true,
			.memory = true,
			.reg = r,
			.rm = REG_SI,
			.length = s->scheme == INSTR_EVEX ? 2
			          : s->bits == 256        ? 1
			                                  : 0,
		};
		struct instr_code movq_mm = { .map = 1,
			                      .opcode = 0x6f,
			                      .modrm = true,
			                      .memory = true,
			                      .reg = r,
			                      .rm = REG_SI };

		if (xmm)
			load_vector(f, &movups);
		if (mm && r < 8)
			load_vector(f, &movq_mm);
	}
}

/* --- the benchmark --- */

/* Is there a benchmark of this kind? */
static bool measurable(const struct instr_shape *s, bool throughput)
{
	if (!throughput)
		return can_chain(s);
	if (instr_uses(s, AT_ACCUMULATOR) && s->access != ACCESS_READ)
		return false;
	/* exchanging two registers is always a chain */
	return s->access != ACCESS_EXCHANGE || !s->choice.two;
}

bool instr_make_row(struct instr_form *f, struct bench *b, const struct bench_area *area,
                    const struct instr_row *row, const char *mnemonic,
                    const struct instr_choice *choice)
{
	struct instr_shape s;

	if (!instr_shape(&s, f, row, mnemonic, choice) || !measurable(&s, f->throughput))
		return false;
	b->ops = 1;
	if (f->throughput)
		b->ops = independent_body(f, &s);
	else
		chain_body(f, &s);
	b->insns = b->ops;
	f->memory.data = row->data;
	f->memory.cold = s.access == ACCESS_WRITE && s.op[0].place == AT_MEMORY;
	f->memory.step = s.spec->vector ? INSTR_VECTOR_STEP : INSTR_GPR_STEP;
	instr_use_memory(f, b, area);
	if (!has_memory(&s) && !s.spec->vector) {
		b->set_mask = 1u << REG_BX;
		b->set[REG_BX] = 4;
	}
	if (s.spec->vector || s.op[0].file == FILE_MASK)
		vector_init(f, &s);
	if (row->slow) {
		b->unroll = 1;
		b->loop = 16;
	}
	instr_finish(f, b);
	return true;
}
