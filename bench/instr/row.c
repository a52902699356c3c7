/*
 * Forms of the rows: a mnemonic, a pattern of operands, a size or vector variant (bench/instr/internal.h).
 *
 * latency	one instruction that reads what it wrote in the copy before: the same register, the
 *		same memory, or a register that is also its own address
 * throughput	instructions that do not read each other's results: as many destinations as there are
 *		registers left, sources that nothing writes, memory at three addresses in turn
 */
#include "bench/instr/internal.h"

enum {
	V_EVEX = 4,       /* first EVEX variant */
	V_MASKED = 5,     /* first variant with a mask */
	VECTOR_CONST = 7, /* registers that throughput code does not write */
	VECTOR_CONST2 = 6,
	FEW = 12, /* copies in a throughput body at most */
};

enum file { F_NONE, F_GPR, F_MM, F_XMM, F_MASK };

struct operand {
	char type, place;
	enum file file;
	uint16_t bits;
};

/* A row, one of its specs, one variant: everything about the form but registers. */
static struct {
	const struct instr_row *row;
	const struct instr_spec *spec;
	struct operand op[5];
	unsigned n;
	char access;
	bool vector, masked, merged;
	enum instr_scheme scheme;
	unsigned bits; /* of vectors, or of general registers */
} form;

static unsigned vector_bits(unsigned variant)
{
	static const uint16_t bits[VARIANTS] = { 64, 128, 128, 256, 512, 128, 256, 512 };

	return bits[variant];
}

/* Does a type that stands for several sizes include this one? */
static bool size_of_type(char type, unsigned bits)
{
	return type == 'z' || (type == 'y' && bits > 8) || (type == 'd' && bits > 16);
}

static bool is_variable(char type)
{
	return type == 'z' || type == 'y' || type == 'd';
}

static enum file file_of(char type)
{
	switch (type) {
	case 'V':
	case 'X':
		return form.bits == 64 && form.vector ? F_MM : F_XMM;
	case 'H':
	case 'Q':
	case 'E':
	case 'S':
	case 'D':
	case 'U':
		return F_XMM;
	case 'N':
		return F_MM;
	case 'K':
		return F_MASK;
	default:
		return F_GPR;
	}
}

static unsigned bits_of(char type, unsigned gpr)
{
	switch (type) {
	case 'V':
		return form.bits;
	case 'H':
		return form.bits / 2;
	case 'Q':
		return form.bits / 4;
	case 'E':
		return form.bits / 8;
	case 'X':
		return form.bits == 64 && form.vector ? 64 : 128;
	case 'S':
	case 'l':
		return 32;
	case 'D':
	case 'N':
	case 'q':
		return 64;
	case 'b':
		return 8;
	case 'w':
	case 'U':
		return 16;
	default:
		return gpr;
	}
}

static bool is_register(const struct operand *o)
{
	return o->place == 'r' || o->place == 'v' || o->place == 'm' || o->place == '+' ||
	       o->place == 'a';
}

/* Which size of general register the variant means, or 0 if it does not exist here. */
static unsigned gpr_bits(const char *ops, unsigned variant)
{
	unsigned bits = 8u << variant;
	bool variable = false;

	for (const char *p = ops; *p; p += 2) {
		if (is_variable(*p) && p[1] != '1') {
			variable = true;
			if (!size_of_type(*p, bits))
				return 0;
		}
		if (*p == 'q')
			bits = 64;
	}
	if (!variable && variant)
		return 0;
	if (variable || bits == 64)
		return bits == 64 && !instr_wide ? 0 : bits;
	return 32;
}

/* Reads the spec into form.op; false if this combination of choices does not exist. */
static bool read_operands(unsigned gpr)
{
	const char *p = form.spec->ops;
	bool had_n = false;

	form.n = 0;
	form.merged = false;
	for (unsigned i = 0; p[i]; i += 2) {
		struct operand *o = &form.op[form.n];

		/* Two-operand forms of MMX and SSE: the first source is the destination. */
		if (p[i + 1] == 'v' && form.vector && form.scheme == INSTR_LEGACY) {
			form.merged = true;
			continue;
		}
		o->type = p[i];
		o->place = p[i + 1];
		if (o->place == 'n') {
			had_n = true;
			o->place = instr_at.memory ? 'o' : 'm';
		}
		o->bits = (uint16_t)bits_of(o->type, gpr);
		o->file = is_register(o) || o->place == 'o' ? file_of(o->type) : F_NONE;
		form.n++;
	}
	return had_n || !instr_at.memory;
}

static bool choose_vector(unsigned variant)
{
	const struct instr_set *set = &instr_sets[form.row->set];
	unsigned need = set->need[variant < V_EVEX ? variant : V_EVEX];
	bool masked = variant >= V_MASKED;

	form.bits = vector_bits(variant);
	form.scheme = variant < 2 ? INSTR_LEGACY : variant < V_EVEX ? INSTR_VEX : INSTR_EVEX;
	form.masked = masked;
	if (!need || !instr_has(need))
		return false;
	if ((form.row->digit & D_LIG && variant != V_EVEX) ||
	    (form.row->digit & D_512 && form.bits != 512) ||
	    (form.row->digit & D_256 && variant == V_MASKED))
		return false;
	/* what begins with 256 bits does so with a mask, too */
	if (variant == V_MASKED && !set->need[2] && set->need[3])
		return false;
	if (variant == V_MASKED || variant == V_MASKED + 1) {
		if (!cpu_has(instr_cpu, CPU_AVX512VL))
			return false;
		instr_add_feature(CPU_AVX512VL);
	}
	instr_add_needs(need);
	return true;
}

/* Two operands that name registers of one file? */
static unsigned same_file_registers(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < form.n; i++)
		n += is_register(&form.op[i]) && form.op[i].place != 'a' &&
		     form.op[i].file == form.op[0].file;
	return n;
}

/* Is there a form for what `at` says? Fills `form`. */
static bool choose(void)
{
	unsigned gpr = 32;

	form.row = &instr_at.row;
	form.spec = &instr_specs[instr_at.spec];
	form.vector = form.row->pattern >= instr_vector_pattern;
	form.access = form.spec->access;
	form.masked = false;
	instr_made.needs[0] = 0;
	if (form.vector && form.spec->more & SPEC_SIZES) {
		/* only legacy and VEX of 128 bits: variants 0-3 are both with 32 and 64 bits */
		if (instr_at.variant >= 4 || (instr_at.variant & 2 && !instr_wide))
			return false;
		gpr = instr_at.variant & 2 ? 64 : 32;
		if (!choose_vector(1 + (instr_at.variant & 1)))
			return false;
	} else if (form.vector) {
		if (!choose_vector(instr_at.variant))
			return false;
	} else {
		gpr = instr_at.variant < SIZES ? gpr_bits(form.spec->ops, instr_at.variant) : 0;
		form.scheme = form.spec->more & SPEC_VEX ? INSTR_VEX : INSTR_LEGACY;
		form.bits = gpr;
		if (!gpr || !instr_has(form.row->set))
			return false;
		instr_add_needs(form.row->set);
	}
	if (!read_operands(gpr))
		return false;
	for (unsigned i = 0; i < form.n; i++)
		if (form.op[i].type == 'q' && !instr_wide)
			return false;
	if (form.masked && (form.row->flags & ROW_NOMASK || instr_at.memory ||
	                    form.op[0].place == 'o' || form.op[0].file != F_XMM))
		return false;
	if (form.access == 'W' && (form.merged || form.masked))
		form.access = 'M';
	if (instr_at.two && (!(form.row->flags & ROW_PAIR) || form.scheme != INSTR_LEGACY ||
	                     form.n < 2 || same_file_registers() != 2 || form.op[0].place == 'o'))
		return false;
	return true;
}

static void put_vector(const struct operand *o)
{
	instr_put(o->file == F_MASK ? "k"
	          : o->file == F_MM ? "mm"
	          : o->bits <= 128  ? "xmm"
	          : o->bits == 256  ? "ymm"
	                            : "zmm");
}

static void put_register(const struct operand *o, unsigned i)
{
	if (o->file != F_GPR) {
		put_vector(o);
		if (instr_at.two)
			instr_put_number(i + 1, 0);
		return;
	}
	instr_put("r");
	if (instr_at.two) {
		instr_put_number(i + 1, 0);
		instr_put("_");
	}
	instr_put(instr_size_text(o->bits));
}

static void put_memory(const struct operand *o)
{
	instr_put("[m");
	instr_put_number(o->bits, 0);
	instr_put(form.spec->more & SPEC_DISP ? " + 8]" : "]");
}

static void put_operand(const struct operand *o, unsigned i)
{
	static const char *const accumulator[] = { "al", "ax", "eax", "rax" };

	switch (o->place) {
	case 'o':
		put_memory(o);
		break;
	case 'i':
		instr_put("imm8");
		break;
	case 'j':
		instr_put(form.scheme == INSTR_LEGACY ? "im8" : "imm8");
		break;
	case '0':
		instr_put("imm8_0");
		break;
	case 'I':
	case 'O':
		instr_put("imm");
		instr_put(instr_size_text(o->bits > 32 ? 32 : o->bits));
		if (o->place == 'O')
			instr_put("_0");
		break;
	case '1':
		instr_put("1");
		break;
	case 'c':
		instr_put("cl");
		break;
	case 'a':
		instr_put(accumulator[instr_at.variant]);
		break;
	case 's':
		put_vector(&form.op[0]);
		break;
	case 'x':
		instr_put("xmm0");
		break;
	default:
		put_register(o, i);
	}
}

static void make_text(void)
{
	const uint8_t *need = instr_sets[form.vector ? form.row->set : 0].need;
	bool upgraded = form.vector && (need[0] || need[1]);

	instr_begin_text(form.spec->more & SPEC_LOCK ? "LOCK " : "");
	if (form.vector && form.scheme != INSTR_LEGACY && upgraded)
		instr_put("V");
	instr_put(instr_at.name);
	for (unsigned i = 0; i < form.n; i++) {
		instr_put(i ? ", " : " ");
		put_operand(&form.op[i], i);
		if (!i && form.masked)
			instr_put("{k}");
	}
}

/* --- registers --- */

static bool uses(char place)
{
	for (unsigned i = 0; i < form.n; i++)
		if (form.op[i].place == place)
			return true;
	return false;
}

static bool has_memory(void)
{
	return uses('o');
}

/* Destinations of throughput code, in the order of use. Returns how many. */
static unsigned destinations(uint8_t regs[FEW])
{
	static const uint8_t gpr[] = { REG_AX, REG_DX, REG_CX, 5, REG_DI, REG_BX, 8, 9, 10, 11 };
	unsigned n = 0;

	if (form.op[0].file == F_GPR) {
		for (unsigned i = 0; i < sizeof(gpr); i++) {
			uint8_t r = gpr[i];
			bool byte = form.op[0].bits == 8 ||
			            (form.access != 'W' && form.n > 1 && form.op[1].bits == 8 &&
			             form.op[1].file == F_GPR);

			if (r >= 8 && !instr_wide)
				break;
			if ((r == REG_CX && uses('c')) || ((r == 5 || r == REG_DI) && byte) ||
			    ((r == REG_DI || r == REG_BX) && has_memory()) ||
			    (r == REG_BX && (form.access != 'M' || instr_at.two)))
				continue;
			regs[n++] = r;
		}
		return n;
	}
	for (uint8_t r = uses('x') || form.op[0].file == F_MASK ? 2 : 0; r < 12; r++) {
		if (r == VECTOR_CONST || (r == VECTOR_CONST2 && form.access == 'W') ||
		    (r >= 8 && (!instr_wide || form.op[0].file != F_XMM || form.access == 'W')))
			continue;
		regs[n++] = r;
	}
	return n;
}

static uint8_t constant_of(enum file file)
{
	return file == F_GPR ? REG_BX : VECTOR_CONST;
}

/* Can what the form writes be read by the same form? */
static bool can_chain(void)
{
	if (form.row->flags & ROW_NOLAT || form.access == 'R')
		return false;
	/* a scalar from memory, of which the destination is no input */
	if (instr_at.memory && form.merged && !(form.row->flags & ROW_CONST) &&
	    form.op[1].bits < 128)
		return false;
	if (form.access == 'M' || form.access == 'X')
		return form.op[0].file != F_NONE;
	if (form.op[0].place == 'o' || instr_at.two)
		return false;
	for (unsigned i = 1; i < form.n; i++)
		if (is_register(&form.op[i]) && form.op[i].file == form.op[0].file)
			return true;
	return form.row->flags & ROW_ADDR && has_memory() && form.op[0].place == 'r';
}

static bool chain_of_addresses(void)
{
	return form.row->flags & ROW_ADDR && form.op[0].place == 'r' && has_memory();
}

static void put_imm(struct instr_code *c, const struct operand *o, uint8_t dst)
{
	static const uint8_t word[] = { 0x78, 0x56, 0x34, 0x12 };
	unsigned bytes = o->bits >= 32 ? 4 : o->bits / 8;

	switch (o->place) {
	case 'i':
	case 'j':
		c->imm[c->nimm++] = 3;
		break;
	case '0':
		c->imm[c->nimm++] = 0;
		break;
	case 's':
		c->imm[c->nimm++] = (uint8_t)(dst << 4);
		break;
	case 'I':
	case 'O':
		for (unsigned i = 0; i < bytes; i++)
			c->imm[c->nimm++] = o->place == 'O' ? 0 : word[i];
		break;
	default:
		break;
	}
}

static void set_opcode(struct instr_code *c)
{
	static const uint8_t prefixes[] = { 0, 0x66, 0xf3, 0xf2 };
	uint8_t enc = form.row->encoding;
	uint8_t other = form.spec->add;
	unsigned bits = 0;

	c->scheme = (uint8_t)form.scheme;
	c->prefix = prefixes[enc & 3];
	c->map = (uint8_t)((enc >> 2 & 3) | (enc >> 3 & 12));
	c->opcode = other >= 0x80 ? other : (uint8_t)(form.row->opcode + other);
	c->lock = form.spec->more & SPEC_LOCK;
	c->mask = form.masked ? 1 : 0;
	c->modrm = !uses('+') && !(uses('a') && form.spec->more == 0);
	for (unsigned i = 0; i < form.n; i++)
		if (is_variable(form.op[i].type) && form.op[i].place != '1')
			bits = form.op[i].bits;
		else if (form.op[i].type == 'q')
			bits = 64;
	/* the low bit of the opcode tells bytes from larger operands */
	if (form.spec->ops[0] == 'z' && bits > 8 && !(form.row->pattern >= instr_vector_pattern))
		c->opcode |= 1;
	c->size16 = bits == 16 || form.spec->more & SPEC_16;
	c->wide = bits == 64;
	if (form.scheme != INSTR_LEGACY) {
		const struct instr_set *set = &instr_sets[form.row->set];
		/* VEX.W is ignored where SSE has the same instruction, except in map 0F3AH */
		bool ignored =
			form.vector && form.scheme == INSTR_VEX && set->need[1] && c->map != 3;

		c->wide = c->wide || (enc & 16 && !ignored);
		c->length = form.row->digit & D_LIG       ? 0
		            : form.vector                 ? form.bits == 512   ? 2
		                                            : form.bits == 256 ? 1
		                                                               : 0
		            : form.spec->more & SPEC_LONG ? 1
		                                          : 0;
	} else if (form.bits == 64 && form.vector && c->prefix == 0x66) {
		c->prefix = 0; /* MMX */
	}
}

/*
 * Registers: operand 0 is dst; other registers of its file are `src`, or in code with two
 * constants the second and third operand are those; other files have one register each.
 */
static void set_registers(struct instr_code *c, uint8_t dst, uint8_t src, uint8_t base)
{
	/* with a register of its own for each operand, no form is an idiom for zero */
	bool constant = form.row->flags & ROW_CONST ||
	                (form.row->flags & ROW_PAIR && form.scheme != INSTR_LEGACY && uses('v'));

	c->reg = form.row->digit & D_DIGIT;
	for (unsigned i = 0; i < form.n; i++) {
		const struct operand *o = &form.op[i];
		uint8_t r = i == 0 ? dst : o->file == form.op[0].file ? src : constant_of(o->file);

		if (o->file == F_MASK && i)
			r = o->file == form.op[0].file ? src : 1;
		if (o->place == 'v' && i && constant && form.access == 'W')
			r = src == VECTOR_CONST2 ? VECTOR_CONST2 : dst;
		else if (o->place != 'v' && i && constant && o->file == form.op[0].file)
			r = VECTOR_CONST;
		if (o->place == 'r' || o->place == 'a')
			c->reg = o->place == 'a' ? c->reg : r;
		else if (o->place == 'v')
			c->vvvv = r;
		else if (o->place == 'm' || o->place == '+')
			c->rm = r;
		put_imm(c, o, src);
	}
	if (uses('a'))
		c->rm = REG_AX;
	if (has_memory()) {
		c->memory = true;
		c->rm = base;
		c->disp = form.spec->more & SPEC_DISP ? 8 : 0;
	}
	if (form.spec->more & SPEC_3DNOW) {
		c->imm[c->nimm++] = c->opcode;
		c->opcode = 0x0f;
	}
}

static size_t emit(size_t n, uint8_t dst, uint8_t src, uint8_t base)
{
	struct instr_code c;

	memset(&c, 0, sizeof(c));
	set_opcode(&c);
	set_registers(&c, dst, src, base);
	if (uses('a') && c.opcode >= 0x80 && c.opcode != 0xa8 && c.opcode != 0xa9)
		c.modrm = true; /* group 1 with an accumulator: not a short form */
	return n + instr_encode(instr_made.body + n, &c);
}

static size_t chain_body(struct bench *b)
{
	bool mask = form.op[0].file == F_MASK;
	uint8_t reg = mask ? 2 : 0;
	uint8_t src = instr_at.two ? constant_of(form.op[0].file) : reg;

	b->ops = b->insns = 1;
	if (form.op[0].place == 'o') /* through memory */
		return emit(0, 0, REG_AX, REG_SI);
	if (chain_of_addresses())
		return emit(0, REG_BX, REG_BX, REG_BX);
	return emit(0, reg, src, REG_SI);
}

static size_t independent_body(struct bench *b)
{
	static const uint8_t bases[] = { REG_SI, REG_DI, REG_BX };
	uint8_t regs[FEW];
	bool to_memory = form.op[0].place == 'o';
	unsigned n = destinations(regs);
	size_t size = 0;

	if (n > 2 && to_memory && form.vector)
		n = 2; /* the third place holds what the registers are loaded from */
	if (n > 3 && (to_memory || (form.access == 'X' && has_memory())))
		n = 3; /* one for each place in memory */
	for (unsigned i = 0; i < n; i++) {
		uint8_t dst = regs[i], src = dst;

		if (to_memory)
			src = (uint8_t)(REG_AX + i); /* AX, CX, DX: exchanged by XADD */
		else if (form.access == 'W')
			src = form.op[0].file == F_GPR ? REG_BX : VECTOR_CONST2;
		else if (instr_at.two)
			src = constant_of(form.op[0].file);
		size = emit(size, dst, src, bases[(i + (to_memory && form.vector)) % 3]);
		b->ops++;
	}
	b->insns = b->ops;
	return size;
}

/* Loads every vector register that the form may read from [SI]. */
static size_t vector_init(void)
{
	unsigned regs = instr_wide && form.scheme != INSTR_EVEX ? 12 : instr_wide ? 12 : 8;
	bool mm = false, xmm = false;
	size_t n = 0;

	for (unsigned i = 0; i < form.n; i++) {
		mm = mm || form.op[i].file == F_MM;
		xmm = xmm || form.op[i].file == F_XMM;
	}
	if (form.scheme == INSTR_LEGACY && cpu_has(instr_cpu, CPU_AVX))
		n = ADD(n, "\xc5\xf8\x77"); /* VZEROUPPER */
	if (form.scheme == INSTR_EVEX || form.op[0].file == F_MASK)
		for (uint8_t k = 1; k < 8; k++) { /* KXNORW: all ones */
			n = ADD(n, "\xc5\xfc\x46");
			instr_made.init[n++] = (uint8_t)(0xc0 | k << 3);
		}
	for (uint8_t r = 0; r < regs; r++) {
		struct instr_code c = {
			.map = 1, .modrm = true, .memory = true, .reg = r, .rm = REG_SI
		};

		c.opcode = 0x10; /* MOVUPS */
		c.scheme = (uint8_t)form.scheme;
		c.length = form.scheme == INSTR_EVEX && form.bits == 512 ? 2
		           : form.bits == 256                            ? 1
		                                                         : 0;
		if (form.scheme == INSTR_EVEX)
			c.length = 2;
		if (xmm)
			n += instr_encode(instr_made.init + n, &c);
		c.opcode = 0x6f; /* MOVQ mm */
		c.scheme = INSTR_LEGACY;
		if (mm && r < 8)
			n += instr_encode(instr_made.init + n, &c);
	}
	return n;
}

bool instr_row_possible(const struct instr_row *row)
{
	if (row->pattern < instr_vector_pattern)
		return instr_has(row->set);
	for (unsigned i = 0; i <= V_EVEX; i++) {
		unsigned need = instr_sets[row->set].need[i];

		if (need && instr_has(need))
			return true;
	}
	return false;
}

bool instr_make_row(struct bench *b, const struct bench_area *area)
{
	size_t size, init = 0;

	instr_begin(b);
	if (!choose())
		return false;
	if (instr_at.throughput ? uses('a') && form.access != 'R' : !can_chain())
		return false;
	/* exchanging two registers is always a chain */
	if (instr_at.throughput && form.access == 'X' && instr_at.two)
		return false;
	make_text();
	size = instr_at.throughput ? independent_body(b) : chain_body(b);
	instr_set_memory(b, area,
	                 (form.row->flags & ROW_DATA) |
	                         (form.access == 'W' && form.op[0].place == 'o' ? DATA_COLD : 0),
	                 form.vector ? VECTOR_STEP : GPR_STEP);
	if (!has_memory() && !form.vector) {
		b->set_mask = 1u << REG_BX;
		b->set[REG_BX] = 4;
	}
	if (form.vector || form.op[0].file == F_MASK)
		init = vector_init();
	if (form.row->opcode == 0xc7 && form.n == 1) { /* RDRAND, RDSEED: thousands of clocks */
		b->unroll = 1;
		b->loop = 16;
	}
	instr_finish(b, size, init, instr_at.throughput);
	return true;
}
