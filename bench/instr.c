/*
 * From the rows of bench/instr_table.c to benchmarks (bench/instr.h).
 *
 * latency	one instruction that reads what it wrote in the copy before: the same register, the
 *		same memory, or a register that is also its own address
 * throughput	instructions that do not read each other's results: as many destinations as there are
 *		registers left, sources that nothing writes, memory at three addresses in turn
 */
#include "bench/instr.h"
#include "kernel/string.h"

enum {
	AX,
	CX,
	DX,
	BX,
	SI = 6,
	DI,
	SIZES = 4,        /* of general registers: 8 << n bits */
	VARIANTS = 8,     /* of vectors: as in instr_set, then EVEX with a mask: 128, 256, 512 */
	V_EVEX = 4,       /* first EVEX variant */
	V_MASKED = 5,     /* first variant with a mask */
	VECTOR_CONST = 7, /* registers that throughput code does not write */
	VECTOR_CONST2 = 6,
	BODY = 256,
	INIT = 160,
	GPR_STEP =
		0x148, /* between the three operands in memory: other lines, banks, sets of a cache */
	VECTOR_STEP = 0x140,
	WALK_UNROLL = 16,
	WALK_LOOP = 16,
	STACK_ZEROS = 32 * 1024,
	FEW = 12, /* copies in a throughput body at most */
};

enum stage { ST_ROWS, ST_LITERALS, ST_DIVS, ST_LEAS, ST_END };

/* Which form comes next; every counter below runs through its values for each value of those above. */
static struct cursor {
	enum stage stage;
	unsigned item;    /* row, literal, division, form of LEA */
	const char *name; /* of it */
	struct instr_row row;
	struct instr_literal literal;
	const uint8_t *code; /* of the literal */
	unsigned spec;       /* of the row's pattern */
	unsigned variant;    /* size or vector variant */
	bool memory, two;    /* operand n is memory; two different registers */
	bool throughput;
	unsigned index; /* of the benchmark it stands for */
	bool valid;
} at;

/* The form being made. */
static struct {
	char text[64], needs[64];
	size_t length;
	uint8_t body[BODY], init[INIT];
} made;

static bool wide_code;
static const struct cpu *features;

/* --- text --- */

static void put(const char *s)
{
	size_t n = strlen(s);

	if (made.length + n < sizeof(made.text))
		memcpy(made.text + made.length, s, n + 1);
	made.length += n;
}

static void put_number(unsigned v, unsigned width)
{
	char digits[12];
	char *p = digits + sizeof(digits) - 1;

	*p = 0;
	do {
		*--p = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while ((unsigned)(digits + sizeof(digits) - 1 - p) < width)
		*--p = ' ';
	put(p);
}

static void begin_text(const char *s)
{
	made.length = 0;
	put(s);
}

/* The name: the form in lower case, every run of other characters one underscore. */
static void name_of(char to[BENCH_NAME], const char *form, bool throughput)
{
	const char *prefix = throughput ? "instr.tp." : "instr.lat.";
	char *end = to + BENCH_NAME - 1;

	memcpy(to, prefix, strlen(prefix) + 1);
	to += strlen(prefix);
	for (; *form && to < end; form++) {
		char c = *form;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 'a' - 'A');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			*to++ = c;
		else if (to[-1] != '_')
			*to++ = '_';
	}
	while (to[-1] == '_')
		to--;
	*to = 0;
}

/* --- features --- */

static bool has(unsigned need)
{
	for (unsigned i = 0; i < 3; i++) {
		uint8_t f = instr_needs[need].feature[i];

		if (f && !cpu_has(features, f - 1))
			return false;
	}
	return true;
}

static void add_feature(enum cpu_feature f)
{
	const char *name = cpu_feature_name(f);
	size_t n = strlen(made.needs), m = strlen(name);

	if (n + m + 2 > sizeof(made.needs))
		return;
	if (n)
		made.needs[n++] = ' ';
	memcpy(made.needs + n, name, m + 1);
}

static void add_needs(unsigned need)
{
	for (unsigned i = 0; i < 3; i++)
		if (instr_needs[need].feature[i])
			add_feature(instr_needs[need].feature[i] - 1);
}

/* --- memory and registers at the start --- */

static uint8_t *operand(const struct bench_area *area, unsigned i, uintptr_t step)
{
	return area->data + i * (0x10000 + step);
}

static uint32_t pattern_word(unsigned data, unsigned i)
{
	switch (data) {
	case DATA_ONES:
		return 0xffffffff;
	case DATA_ONE:
		return !(i & 1);
	case DATA_F32:
		return 0x3f7ffff0; /* 1 - 2^-20 */
	case DATA_F64:
		return i & 1 ? (uint32_t)(instr_constants[4] >> 32) : 0;
	default:
		return 0;
	}
}

/* arg[0]: DATA_..., with DATA_X87 also the control word and constants; arg[1]: step. */
static void setup(const struct bench *b, const struct bench_area *area)
{
	unsigned data = b->arg[0] & ROW_DATA;

	for (unsigned i = 0; i < 3; i++) {
		uint8_t *p = operand(area, i, b->arg[1]);
		uintptr_t self = (uintptr_t)p;

		for (unsigned w = 0; w < 18; w++) {
			uint32_t v = pattern_word(data, w);

			memcpy(p + 4 * w, &v, 4);
		}
		if (data == DATA_ADDR)
			memcpy(p, &self, sizeof(self));
	}
	if (data == DATA_STACK)
		memset(area->stack, 0, STACK_ZEROS);
	if (data == DATA_X87) {
		uint16_t control = (uint16_t)(0x7f | (b->arg[0] >> 12 & 3) << 8);

		memcpy(operand(area, 0, b->arg[1]), &control, sizeof(control));
		memcpy(operand(area, 1, b->arg[1]), &instr_constants[b->arg[0] >> 8 & 15], 8);
		memcpy(operand(area, 2, b->arg[1]), &instr_constants[b->arg[0] >> 16 & 15], 8);
	}
}

static void set_memory(struct bench *b, const struct bench_area *area, unsigned data,
                       uintptr_t step)
{
	b->setup = setup;
	b->arg[0] = data;
	b->arg[1] = step;
	b->set_mask = 1u << REG_SI | 1u << REG_DI | 1u << REG_BX;
	b->set[REG_SI] = (uintptr_t)operand(area, 0, step);
	b->set[REG_DI] = (uintptr_t)operand(area, 1, step);
	b->set[REG_BX] = (uintptr_t)operand(area, 2, step);
}

static void finish(struct bench *b, size_t body, size_t init, bool throughput)
{
	name_of(b->name, made.text, throughput);
	b->what = "an instruction form of the table";
	b->form = made.text;
	b->kind = throughput ? "throughput" : "latency";
	b->needs = made.needs;
	b->widths = wide_code ? SNIPPET_64 : SNIPPET_32;
	b->init = made.init;
	b->body = made.body;
	b->body_size = body;
	b->init_size = init;
}

static void begin(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->flags = SNIPPET_RING3;
	made.needs[0] = 0;
}

static void walk(struct bench *b)
{
	b->unroll = WALK_UNROLL;
	b->loop = WALK_LOOP;
}

/* --- rows --- */

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
		return bits == 64 && !wide_code ? 0 : bits;
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
			o->place = at.memory ? 'o' : 'm';
		}
		o->bits = (uint16_t)bits_of(o->type, gpr);
		o->file = is_register(o) || o->place == 'o' ? file_of(o->type) : F_NONE;
		form.n++;
	}
	return had_n || !at.memory;
}

static bool choose_vector(unsigned variant)
{
	const struct instr_set *set = &instr_sets[form.row->set];
	unsigned need = set->need[variant < V_EVEX ? variant : V_EVEX];
	bool masked = variant >= V_MASKED;

	form.bits = vector_bits(variant);
	form.scheme = variant < 2 ? INSTR_LEGACY : variant < V_EVEX ? INSTR_VEX : INSTR_EVEX;
	form.masked = masked;
	if (!need || !has(need))
		return false;
	/* what begins with 256 bits does so with a mask, too */
	if (variant == V_MASKED && !set->need[2] && set->need[3])
		return false;
	if (variant == V_MASKED || variant == V_MASKED + 1) {
		if (!cpu_has(features, CPU_AVX512VL))
			return false;
		add_feature(CPU_AVX512VL);
	}
	add_needs(need);
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

	form.row = &at.row;
	form.spec = &instr_specs[at.spec];
	form.vector = form.row->pattern >= instr_vector_pattern;
	form.access = form.spec->access;
	form.masked = false;
	made.needs[0] = 0;
	if (form.vector && form.spec->more & SPEC_SIZES) {
		/* only legacy and VEX of 128 bits: variants 0-3 are both with 32 and 64 bits */
		if (at.variant >= 4 || (at.variant & 2 && !wide_code))
			return false;
		gpr = at.variant & 2 ? 64 : 32;
		if (!choose_vector(1 + (at.variant & 1)))
			return false;
	} else if (form.vector) {
		if (!choose_vector(at.variant))
			return false;
	} else {
		gpr = at.variant < SIZES ? gpr_bits(form.spec->ops, at.variant) : 0;
		form.scheme = form.spec->more & SPEC_VEX ? INSTR_VEX : INSTR_LEGACY;
		form.bits = gpr;
		if (!gpr || !has(form.row->set))
			return false;
		add_needs(form.row->set);
	}
	if (!read_operands(gpr))
		return false;
	for (unsigned i = 0; i < form.n; i++)
		if (form.op[i].type == 'q' && !wide_code)
			return false;
	if (form.masked && (form.row->flags & ROW_NOMASK || at.memory || form.op[0].place == 'o' ||
	                    form.op[0].file != F_XMM))
		return false;
	if (form.access == 'W' && (form.merged || form.masked))
		form.access = 'M';
	if (at.two && (!(form.row->flags & ROW_PAIR) || form.scheme != INSTR_LEGACY || form.n < 2 ||
	               same_file_registers() != 2 || form.op[0].place == 'o'))
		return false;
	return true;
}

static const char *size_text(unsigned bits)
{
	return bits == 8 ? "8" : bits == 16 ? "16" : bits == 32 ? "32" : "64";
}

static void put_vector(const struct operand *o)
{
	put(o->file == F_MASK ? "k"
	    : o->file == F_MM ? "mm"
	    : o->bits <= 128  ? "xmm"
	    : o->bits == 256  ? "ymm"
	                      : "zmm");
}

static void put_register(const struct operand *o, unsigned i)
{
	if (o->file != F_GPR) {
		put_vector(o);
		if (at.two)
			put_number(i + 1, 0);
		return;
	}
	put("r");
	if (at.two) {
		put_number(i + 1, 0);
		put("_");
	}
	put(size_text(o->bits));
}

static void put_memory(const struct operand *o)
{
	put("[m");
	put_number(o->bits, 0);
	put(form.spec->more & SPEC_DISP ? " + 8]" : "]");
}

static void put_operand(const struct operand *o, unsigned i)
{
	static const char *const accumulator[] = { "al", "ax", "eax", "rax" };

	switch (o->place) {
	case 'o':
		put_memory(o);
		break;
	case 'i':
		put("imm8");
		break;
	case 'j':
		put(form.scheme == INSTR_LEGACY ? "im8" : "imm8");
		break;
	case '0':
		put("imm8_0");
		break;
	case 'I':
	case 'O':
		put("imm");
		put(size_text(o->bits > 32 ? 32 : o->bits));
		if (o->place == 'O')
			put("_0");
		break;
	case '1':
		put("1");
		break;
	case 'c':
		put("cl");
		break;
	case 'a':
		put(accumulator[at.variant]);
		break;
	case 's':
		put_vector(&form.op[0]);
		break;
	case 'x':
		put("xmm0");
		break;
	default:
		put_register(o, i);
	}
}

static void make_text(void)
{
	bool upgraded = instr_sets[form.row->set].need[0] || instr_sets[form.row->set].need[1];

	begin_text(form.spec->more & SPEC_LOCK ? "LOCK " : "");
	if (form.vector && form.scheme != INSTR_LEGACY && upgraded)
		put("V");
	put(at.name);
	for (unsigned i = 0; i < form.n; i++) {
		put(i ? ", " : " ");
		put_operand(&form.op[i], i);
		if (!i && form.masked)
			put("{k}");
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
	static const uint8_t gpr[] = { AX, DX, CX, 5, DI, BX, 8, 9, 10, 11 };
	unsigned n = 0;

	if (form.op[0].file == F_GPR) {
		for (unsigned i = 0; i < sizeof(gpr); i++) {
			uint8_t r = gpr[i];
			bool byte = form.op[0].bits == 8 ||
			            (form.access != 'W' && form.n > 1 && form.op[1].bits == 8 &&
			             form.op[1].file == F_GPR);

			if (r >= 8 && !wide_code)
				break;
			if ((r == CX && uses('c')) || ((r == 5 || r == DI) && byte) ||
			    ((r == DI || r == BX) && has_memory()) ||
			    (r == BX && (form.access != 'M' || at.two)))
				continue;
			regs[n++] = r;
		}
		return n;
	}
	for (uint8_t r = uses('x') || form.op[0].file == F_MASK ? 2 : 0; r < 12; r++) {
		if (r == VECTOR_CONST || (r == VECTOR_CONST2 && form.access == 'W') ||
		    (r >= 8 && (!wide_code || form.op[0].file != F_XMM || form.access == 'W')))
			continue;
		regs[n++] = r;
	}
	return n;
}

static uint8_t constant_of(enum file file)
{
	return file == F_GPR ? BX : VECTOR_CONST;
}

/* Can what the form writes be read by the same form? */
static bool can_chain(void)
{
	if (form.row->flags & ROW_NOLAT || form.access == 'R')
		return false;
	/* a scalar from memory, of which the destination is no input */
	if (at.memory && form.merged && !(form.row->flags & ROW_CONST) && form.op[1].bits < 128)
		return false;
	if (form.access == 'M' || form.access == 'X')
		return form.op[0].file != F_NONE;
	if (form.op[0].place == 'o' || at.two)
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
	c->map = enc >> 2 & 3;
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
		c->length = form.vector                   ? form.bits == 512   ? 2
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

	c->reg = form.row->digit;
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
		c->rm = AX;
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
	return n + instr_encode(made.body + n, &c);
}

static size_t chain_body(struct bench *b)
{
	bool mask = form.op[0].file == F_MASK;
	uint8_t reg = mask ? 2 : 0;
	uint8_t src = at.two ? constant_of(form.op[0].file) : reg;

	b->ops = b->insns = 1;
	if (form.op[0].place == 'o') /* through memory */
		return emit(0, 0, AX, SI);
	if (chain_of_addresses())
		return emit(0, BX, BX, BX);
	return emit(0, reg, src, SI);
}

static size_t independent_body(struct bench *b)
{
	static const uint8_t bases[] = { SI, DI, BX };
	uint8_t regs[FEW];
	bool to_memory = form.op[0].place == 'o';
	unsigned n = destinations(regs);
	size_t size = 0;

	if (n > 3 && (to_memory || (form.access == 'X' && has_memory())))
		n = 3; /* one for each place in memory */
	for (unsigned i = 0; i < n; i++) {
		uint8_t dst = regs[i], src = dst;

		if (to_memory)
			src = (uint8_t)(AX + i); /* AX, CX, DX: exchanged by XADD */
		else if (form.access == 'W')
			src = form.op[0].file == F_GPR ? BX : VECTOR_CONST2;
		else if (at.two)
			src = constant_of(form.op[0].file);
		size = emit(size, dst, src, bases[i % 3]);
		b->ops++;
	}
	b->insns = b->ops;
	return size;
}

static size_t add(size_t n, const char *bytes, size_t size)
{
	memcpy(made.init + n, bytes, size);
	return n + size;
}
#define ADD(n, bytes) add(n, bytes, sizeof(bytes) - 1)

/* Loads every vector register that the form may read from [SI]. */
static size_t vector_init(void)
{
	unsigned regs = wide_code && form.scheme != INSTR_EVEX ? 12 : wide_code ? 12 : 8;
	bool mm = false, xmm = false;
	size_t n = 0;

	for (unsigned i = 0; i < form.n; i++) {
		mm = mm || form.op[i].file == F_MM;
		xmm = xmm || form.op[i].file == F_XMM;
	}
	if (form.scheme == INSTR_LEGACY && cpu_has(features, CPU_AVX))
		n = ADD(n, "\xc5\xf8\x77"); /* VZEROUPPER */
	if (form.scheme == INSTR_EVEX || form.op[0].file == F_MASK)
		for (uint8_t k = 1; k < 8; k++) { /* KXNORW: all ones */
			n = ADD(n, "\xc5\xfc\x46");
			made.init[n++] = (uint8_t)(0xc0 | k << 3);
		}
	for (uint8_t r = 0; r < regs; r++) {
		struct instr_code c = {
			.map = 1, .modrm = true, .memory = true, .reg = r, .rm = SI
		};

		c.opcode = 0x10; /* MOVUPS */
		c.scheme = (uint8_t)form.scheme;
		c.length = form.scheme == INSTR_EVEX && form.bits == 512 ? 2
		           : form.bits == 256                            ? 1
		                                                         : 0;
		if (form.scheme == INSTR_EVEX)
			c.length = 2;
		if (xmm)
			n += instr_encode(made.init + n, &c);
		c.opcode = 0x6f; /* MOVQ mm */
		c.scheme = INSTR_LEGACY;
		if (mm && r < 8)
			n += instr_encode(made.init + n, &c);
	}
	return n;
}

static bool make_row(struct bench *b, const struct bench_area *area)
{
	size_t size, init = 0;

	begin(b);
	if (!choose())
		return false;
	if (at.throughput ? uses('a') && form.access != 'R' : !can_chain())
		return false;
	/* exchanging two registers is always a chain */
	if (at.throughput && form.access == 'X' && at.two)
		return false;
	make_text();
	size = at.throughput ? independent_body(b) : chain_body(b);
	set_memory(b, area, form.row->flags & ROW_DATA, form.vector ? VECTOR_STEP : GPR_STEP);
	if (!has_memory() && !form.vector) {
		b->set_mask = 1u << REG_BX;
		b->set[REG_BX] = 4;
	}
	if (form.vector || form.op[0].file == F_MASK)
		init = vector_init();
	if (form.row->opcode == 0xc7 && form.n == 1) { /* RDRAND, RDSEED: thousands of clocks */
		b->unroll = 1;
		b->loop = WALK_LOOP;
	}
	finish(b, size, init, at.throughput);
	return true;
}

/* --- literals --- */

static size_t x87_init(const struct instr_literal *lit)
{
	size_t n = ADD(0, "\xdb\xe3\xd9\x2e"); /* FNINIT; FLDCW [SI] */

	if (lit->flags & LIT_SINE) {
		/* x, f(x): ST(1) = x - f(x), so that f(x) + ST(1) is x again */
		n = ADD(n, "\xdd\x07\xd9\xc0");       /* FLD m64 [DI]; FLD ST */
		n = add(n, (const char *)at.code, 2); /* the function */
		return ADD(n, "\xde\xe9\xdd\x07");    /* FSUBP; FLD m64 [DI] */
	}
	for (unsigned i = 0; i < 7; i++)
		n = ADD(n, "\xdd\x07");
	return ADD(n, "\xdd\x03"); /* FLD m64 [BX] */
}

static bool make_literal(struct bench *b, const struct bench_area *area)
{
	const struct instr_literal *lit = &at.literal;
	unsigned copies = at.throughput && lit->flags & LIT_VARY ? 7 : 1;
	uintptr_t data = lit->data;
	size_t init = 0;

	begin(b);
	if (!(lit->flags & (at.throughput ? LIT_TP : LIT_LAT)) || !has(lit->need) ||
	    lit->flags & (wide_code ? LIT_32 : LIT_64))
		return false;
	add_needs(lit->need);
	for (unsigned i = 0; i < copies; i++)
		for (unsigned j = 0; j < lit->size; j++)
			made.body[i * lit->size + j] = (uint8_t)(at.code[j] + (j & 1) * i);
	b->insns = (lit->insns & ~(unsigned)LIT_SAME) * copies;
	/* copies of one instruction are as many operations; a combination is one */
	b->ops = lit->insns & LIT_SAME ? b->insns : copies;
	begin_text(at.name);
	if (lit->data == DATA_X87) {
		data |= (uintptr_t)lit->extra[0] << 8 | (uintptr_t)lit->extra[1] << 16;
		init = x87_init(lit);
	} else if (cpu_has(features, CPU_AVX)) {
		init = ADD(init, "\xc5\xf8\x77");
	}
	set_memory(b, area, (unsigned)data, VECTOR_STEP);
	if (lit->flags & LIT_WALK)
		walk(b);
	if (lit->flags & LIT_PRIVILEGED)
		b->flags = 0;
	finish(b, copies * lit->size, init, at.throughput);
	return true;
}

/* --- divisions --- */

static uintptr_t ones(unsigned bits)
{
	return bits >= 8 * sizeof(uintptr_t) ? ~(uintptr_t)0 : ((uintptr_t)1 << bits) - 1;
}

/*
 * Operands of which the remainder is the upper half of the dividend again, so that the upper half
 * need not be loaded anew. The divisor is 2^n - 1.
 *
 * full		the quotient is the lower half again, too: r * (2^size - 1) = q * (divisor - 1)
 * otherwise	upper * 2^size + lower = upper (mod divisor); 2^size mod divisor is 1 or 2
 */
static void division(const struct instr_div *d, uintptr_t *upper, uintptr_t *lower,
                     uintptr_t *divisor)
{
	unsigned above = d->dividend > d->size ? d->dividend - d->size : 0;

	*divisor = ones(d->divisor);
	*upper = ones(above);
	if (d->dividend == d->divisor && d->divisor == 1) { /* 1 / 1 */
		*lower = 1;
	} else if (above && !d->reload) {
		/* unsigned: divisor 2^size - 1; signed: 2^(size - 1) - 1, both sides divided by 3 */
		*upper = d->is_signed ? ones(d->size) / 3 / 2 : ones(d->size) - 1;
		*lower = d->is_signed ? ones(d->size) / 3 : ones(d->size);
	} else if (above) {
		if (*upper >= *divisor)
			(*upper)--;
		*lower = *divisor - ((d->size % d->divisor) ? *upper : 0);
	} else {
		*lower = ones(d->dividend);
	}
}

/* "DIV r32 48/32b eax upd" */
static void division_text(const struct instr_div *d, bool full)
{
	static const char *const once[] = { " ax upd", " ax upd", " eax upd", " rax upd" };
	static const char *const both[] = { "", " ax/dx upd", " eax/edx", " rax/rdx upd" };
	unsigned i = d->size == 8 ? 0 : d->size == 16 ? 1 : d->size == 32 ? 2 : 3;
	bool one = d->divisor == 1;

	begin_text(d->is_signed ? "IDIV r" : "DIV r");
	put_number(d->size, 0);
	put(" ");
	if (one) {
		put("1/1");
	} else {
		put_number(d->dividend, 2);
		put("/");
		put_number(d->divisor, 2);
		put("b");
	}
	if (full)
		put(" (full)");
	if (d->reload == 1)
		put(once[i]);
	if (d->reload == 2)
		put(one && i == 2 ? " eax/edx upd" : both[i]);
}

static bool make_div(struct bench *b, const struct bench_area *area)
{
	const struct instr_div *d = &instr_divs[at.item];
	uint8_t op = d->size == 8 ? 0xf6 : 0xf7;
	uintptr_t upper, lower, divisor;
	size_t n = 0;
	/* with both halves loaded, or AX of a division of bytes, nothing is left of a chain */
	bool chain = d->reload < (d->size == 8 ? 1 : 2);

	(void)area;
	begin(b);
	if (at.throughput == chain || (d->size == 64 && !wide_code))
		return false;
	division(d, &upper, &lower, &divisor);
	b->set_mask = 1u << REG_AX | 1u << REG_DX | 1u << REG_CX | 1u << REG_SI | 1u << REG_DI;
	b->set[REG_AX] = d->size == 8 ? upper << 8 | lower : lower;
	b->set[REG_DX] = upper;
	b->set[REG_CX] = divisor;
	b->set[REG_SI] = b->set[REG_AX];
	b->set[REG_DI] = b->set[REG_DX];
	for (unsigned i = 0; i < d->reload; i++) { /* MOV EAX, ESI; MOV EDX, EDI */
		if (d->size == 64)
			made.body[n++] = 0x48;
		made.body[n++] = 0x89;
		made.body[n++] = i ? 0xfa : 0xf0;
	}
	if (d->size == 16)
		made.body[n++] = 0x66;
	if (d->size == 64)
		made.body[n++] = 0x48;
	made.body[n++] = op;
	made.body[n++] = d->is_signed ? 0xf9 : 0xf1;
	b->ops = 1;
	b->insns = 1u + d->reload;
	division_text(d, d->dividend == 2 * d->divisor && !d->reload);
	finish(b, n, 0, at.throughput);
	return true;
}

/* --- LEA --- */

static bool make_lea(struct bench *b, const struct bench_area *area)
{
	static const uint8_t gpr[] = { AX, DX, CX, 5, DI, 8, 9, 10, 11 };
	const struct instr_lea *lea = &instr_leas[at.item];
	unsigned bits = 8u << at.variant;
	bool sib = (lea->modrm & 7) == 4;
	unsigned n = !at.throughput ? 1 : wide_code ? 9 : 5;
	size_t size = 0;

	(void)area;
	begin(b);
	if (at.variant == 0 || at.variant > 3 || (bits == 64 && !wide_code))
		return false;
	begin_text("LEA r");
	put(size_text(bits));
	put(", ");
	for (const char *p = lea->address; *p; p++) {
		char c[2] = { *p, 0 };

		put(c);
		if (*p == 'r')
			put(wide_code ? "64" : "32");
	}
	for (unsigned i = 0; i < n; i++) {
		uint8_t reg = gpr[i], from = at.throughput ? BX : AX;

		if (bits == 16)
			made.body[size++] = 0x66;
		if (bits == 64 || reg >= 8)
			made.body[size++] = (uint8_t)(0x40 | (bits == 64) << 3 | (reg >= 8) << 2);
		made.body[size++] = 0x8d;
		made.body[size++] = (uint8_t)(lea->modrm | (reg & 7) << 3 | (sib ? 0 : from));
		if (sib)
			made.body[size++] = (uint8_t)(lea->sib | from << 3 | from);
		for (unsigned j = sib ? 2 : 1; j < lea->bytes; j++)
			made.body[size++] = (uint8_t)(j == (sib ? 2 : 1));
	}
	b->ops = b->insns = n;
	b->set_mask = 1u << REG_BX;
	finish(b, size, 0, at.throughput);
	return true;
}

/* --- the walk through all of them --- */

static void load_item(void)
{
	if (at.stage == ST_ROWS)
		at.row = instr_row(at.item);
	if (at.stage == ST_LITERALS)
		at.literal = instr_literal(at.item);
}

static void first_item(enum stage stage)
{
	at.stage = stage;
	at.item = 0;
	at.name = stage == ST_ROWS ? instr_names : instr_literal_names;
	at.code = instr_literal_code;
	at.spec = 0;
	load_item();
}

/* The next row, literal, division or LEA. */
static void next_item(void)
{
	static const unsigned *const counts[] = { &instr_nrows, &instr_nliterals, &instr_ndivs,
		                                  &instr_nleas };

	at.name += strlen(at.name) + 1;
	if (at.stage == ST_LITERALS)
		at.code += at.literal.size;
	at.spec = 0;
	if (++at.item == *counts[at.stage])
		first_item(at.stage + 1);
	load_item();
}

static bool of_pattern(void)
{
	return instr_specs[at.spec].pattern == at.row.pattern;
}

/* Goes on to the next combination. */
static void advance(void)
{
	at.throughput = !at.throughput;
	if (at.throughput)
		return;
	if (at.stage == ST_ROWS) {
		at.two = !at.two && at.row.flags & ROW_PAIR;
		if (at.two)
			return;
		at.memory = !at.memory;
		if (at.memory)
			return;
	}
	if (at.stage == ST_ROWS || at.stage == ST_LEAS) {
		at.variant++;
		if (at.variant < VARIANTS)
			return;
		at.variant = 0;
	}
	if (at.stage == ST_ROWS) {
		at.spec++;
		if (at.spec < instr_nspecs && of_pattern())
			return;
	}
	next_item();
}

/* Finds the specs of a row whose first one is not there yet. */
static void settle(void)
{
	if (at.stage == ST_ROWS)
		while (!of_pattern())
			at.spec++;
}

static bool make(struct bench *b, const struct bench_area *area)
{
	settle();
	switch (at.stage) {
	case ST_ROWS:
		return make_row(b, area);
	case ST_LITERALS:
		return make_literal(b, area);
	case ST_DIVS:
		return make_div(b, area);
	default:
		return make_lea(b, area);
	}
}

static void rewind_all(void)
{
	memset(&at, 0, sizeof(at));
	first_item(ST_ROWS);
}

/* The sequence is kept: asked for the next one, as every walk does, it goes on from the last. */
bool instr_get(unsigned i, struct bench *b, const struct cpu *cpu, const struct bench_area *area,
               bool wide)
{
	if (!at.valid || i != at.index + 1 || wide != wide_code || cpu != features) {
		wide_code = wide;
		features = cpu;
		rewind_all();
		at.index = ~0u;
		at.valid = true;
	} else {
		advance();
	}
	for (; at.stage != ST_END; advance())
		if (make(b, area) && ++at.index == i)
			return true;
	at.valid = false;
	return false;
}

static bool source_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	(void)skip;
	return instr_get(i, b, cpu, area, sizeof(void *) == 8);
}

static const struct bench_source instr = { .name = "instr", .get = source_get };
BENCH_SOURCE(instr);
