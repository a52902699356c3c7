/*
 * From a row and a choice to one form: which operands it has, what it needs, what it is called.
 */
#include "bench/instr/shape.h"

#include "kernel/lib/string.h"

enum { FIRST_MASKED = VECTORS /* first variant with a mask */ };

static unsigned vector_bits(unsigned variant)
{
	static const uint16_t bits[INSTR_VARIANTS] = { 64, 128, 128, 256, 512, 128, 256, 512 };

	return bits[variant];
}

bool instr_is_variable(enum instr_type type)
{
	return type == TYPE_8_64 || type == TYPE_16_64 || type == TYPE_32_64;
}

/* Does a type that stands for several sizes include this one? */
static bool includes(enum instr_type type, unsigned bits)
{
	return type == TYPE_8_64 || (type == TYPE_16_64 && bits > 8) ||
	       (type == TYPE_32_64 && bits > 16);
}

static enum instr_file file_of(const struct instr_shape *s, enum instr_type type)
{
	switch (type) {
	case TYPE_VECTOR:
	case TYPE_XMM:
		return s->bits == 64 && s->spec->vector ? FILE_MM : FILE_XMM;
	case TYPE_HALF:
	case TYPE_QUARTER:
	case TYPE_EIGHTH:
	case TYPE_SCALAR_16:
	case TYPE_SCALAR_32:
	case TYPE_SCALAR_64:
		return FILE_XMM;
	case TYPE_MM:
		return FILE_MM;
	case TYPE_MASK:
		return FILE_MASK;
	default:
		return FILE_GPR;
	}
}

static unsigned bits_of(const struct instr_shape *s, enum instr_type type, unsigned gpr)
{
	switch (type) {
	case TYPE_VECTOR:
		return s->bits;
	case TYPE_HALF:
		return s->bits / 2;
	case TYPE_QUARTER:
		return s->bits / 4;
	case TYPE_EIGHTH:
		return s->bits / 8;
	case TYPE_XMM:
		return s->bits == 64 && s->spec->vector ? 64 : 128;
	case TYPE_SCALAR_32:
	case TYPE_32:
		return 32;
	case TYPE_SCALAR_64:
	case TYPE_MM:
	case TYPE_64:
		return 64;
	case TYPE_8:
		return 8;
	case TYPE_16:
	case TYPE_SCALAR_16:
		return 16;
	default:
		return gpr;
	}
}

bool instr_is_register(const struct instr_shaped *o)
{
	return o->place == AT_REG || o->place == AT_VVVV || o->place == AT_RM ||
	       o->place == AT_OPCODE || o->place == AT_ACCUMULATOR;
}

bool instr_uses(const struct instr_shape *s, enum instr_place place)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->op[i].place == place)
			return true;
	return false;
}

/* Which size of general register the variant means, or 0 if it does not exist here. */
static unsigned gpr_bits(const struct instr_spec *spec, unsigned variant, bool wide)
{
	unsigned bits = 8u << variant;
	bool variable = false;

	for (unsigned i = 0; i < INSTR_OPERANDS; i++) {
		const struct instr_operand *o = &spec->op[i];

		if (instr_is_variable(o->type) && o->place != AT_ONE) {
			variable = true;
			if (!includes(o->type, bits))
				return 0;
		}
		if (o->type == TYPE_64)
			bits = 64;
	}
	if (!variable && variant)
		return 0;
	if (variable || bits == 64)
		return bits == 64 && !wide ? 0 : bits;
	return 32;
}

/* Reads the operands of the row; false if this combination of choices does not exist. */
static bool read_operands(struct instr_shape *s, unsigned gpr, bool wide)
{
	bool either = false;

	for (unsigned i = 0; i < INSTR_OPERANDS && s->spec->op[i].type; i++) {
		struct instr_shaped *o = &s->op[s->n];

		o->type = s->spec->op[i].type;
		o->place = s->spec->op[i].place;
		if (o->type == TYPE_64 && !wide)
			return false;
		/* Two-operand forms of MMX and SSE: the first source is the destination. */
		if (o->place == AT_VVVV && s->spec->vector && s->scheme == INSTR_LEGACY) {
			s->merged = true;
			continue;
		}
		if (o->place == AT_RM_OR_MEMORY) {
			either = true;
			o->place = s->choice.memory ? AT_MEMORY : AT_RM;
		}
		o->bits = bits_of(s, o->type, gpr);
		o->file = instr_is_register(o) || o->place == AT_MEMORY ? file_of(s, o->type)
		                                                        : FILE_NONE;
		s->n++;
	}
	return either || !s->choice.memory;
}

static bool choose_vector(struct instr_shape *s, struct instr_form *f, unsigned variant)
{
	const struct instr_set *set = &instr_sets[s->row->set];
	unsigned need = set->need[variant < VECTOR_EVEX ? variant : VECTOR_EVEX];

	s->bits = vector_bits(variant);
	s->scheme = variant < VECTOR_VEX128 ? INSTR_LEGACY
	            : variant < VECTOR_EVEX ? INSTR_VEX
	                                    : INSTR_EVEX;
	s->masked = variant >= FIRST_MASKED;
	if (!need || !instr_has(f, need))
		return false;
	if (s->scheme == INSTR_EVEX && ((set->lengths == LENGTHS_SCALAR && s->masked) ||
	                                (set->lengths == LENGTHS_512 && s->bits != 512) ||
	                                (set->lengths == LENGTHS_FROM_256 && s->bits < 256)))
		return false;
	if (s->masked && s->bits < 512) {
		if (!cpu_has(f->cpu, CPU_AVX512VL))
			return false;
		instr_add_feature(f, CPU_AVX512VL);
	}
	instr_add_needs(f, need);
	return true;
}

/* Chooses encoding and size; returns the size of general registers, or 0 for no such form. */
static unsigned choose_size(struct instr_shape *s, struct instr_form *f)
{
	unsigned variant = s->choice.variant, gpr = 32;
	bool sizes = false;

	for (unsigned i = 0; i < INSTR_OPERANDS; i++)
		sizes = sizes || instr_is_variable(s->spec->op[i].type);
	if (s->spec->vector && sizes) {
		/* only legacy and VEX of 128 bits: variants 0-3 are both with 32 and 64 bits */
		if (variant >= 4 || (variant & 2 && !f->wide))
			return 0;
		gpr = variant & 2 ? 64 : 32;
		return choose_vector(s, f, VECTOR_XMM + (variant & 1)) ? gpr : 0;
	}
	if (s->spec->vector)
		return choose_vector(s, f, variant) ? gpr : 0;
	gpr = variant < INSTR_SIZES ? gpr_bits(s->spec, variant, f->wide) : 0;
	s->scheme = s->spec->vex ? INSTR_VEX : INSTR_LEGACY;
	s->bits = gpr;
	if (!gpr || !instr_has(f, s->row->set))
		return 0;
	instr_add_needs(f, s->row->set);
	return gpr;
}

/* How many operands name registers of the first one's file? */
static unsigned same_file_registers(const struct instr_shape *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		n += instr_is_register(&s->op[i]) && s->op[i].place != AT_ACCUMULATOR &&
		     s->op[i].file == s->op[0].file;
	return n;
}

/* --- text --- */

static void put_vector(struct instr_form *f, const struct instr_shaped *o)
{
	instr_put(f, o->file == FILE_MASK ? "k"
	             : o->file == FILE_MM ? "mm"
	             : o->bits <= 128     ? "xmm"
	             : o->bits == 256     ? "ymm"
	                                  : "zmm");
}

/* The registers of a form with two of them are numbered. */
static void put_register(struct instr_form *f, const struct instr_shaped *o, unsigned number)
{
	if (o->file != FILE_GPR) {
		put_vector(f, o);
		if (number)
			instr_put_number(f, number, 0);
		return;
	}
	instr_put(f, "r");
	if (number) {
		instr_put_number(f, number, 0);
		instr_put(f, "_");
	}
	instr_put_number(f, o->bits, 0);
}

static void put_imm(struct instr_form *f, unsigned bits)
{
	instr_put(f, "imm");
	instr_put_number(f, bits > 32 ? 32 : bits, 0);
}

static void put_operand(struct instr_form *f, const struct instr_shape *s, unsigned i)
{
	static const char *const accumulator[] = { "al", "ax", "eax", "rax" };
	const struct instr_shaped *o = &s->op[i];

	switch (o->place) {
	case AT_MEMORY:
		instr_put(f, "[m");
		instr_put_number(f, o->bits, 0);
		instr_put(f, s->spec->disp8 ? " + 8]" : "]");
		break;
	case AT_IMM8:
	case AT_IMM:
		put_imm(f, o->bits);
		break;
	case AT_IM8:
		instr_put(f, s->scheme == INSTR_LEGACY ? "im8" : "imm8");
		break;
	case AT_IMM8_ZERO:
	case AT_IMM_ZERO:
		put_imm(f, o->bits);
		instr_put(f, "_0");
		break;
	case AT_ONE:
		instr_put(f, "1");
		break;
	case AT_CL:
		instr_put(f, "cl");
		break;
	case AT_ACCUMULATOR:
		instr_put(f, accumulator[s->choice.variant]);
		break;
	case AT_IS4:
		put_vector(f, &s->op[0]);
		break;
	case AT_XMM0:
		instr_put(f, "xmm0");
		break;
	default:
		put_register(f, o, s->choice.two ? i + 1 : 0);
	}
}

static void put_text(struct instr_form *f, const struct instr_shape *s, const char *mnemonic)
{
	const uint8_t *need = instr_sets[s->spec->vector ? s->row->set : 0].need;
	bool upgraded = s->spec->vector && (need[VECTOR_MM] || need[VECTOR_XMM]);

	instr_put(f, s->spec->lock ? "LOCK " : "");
	if (s->spec->vector && s->scheme != INSTR_LEGACY && upgraded)
		instr_put(f, "V");
	instr_put(f, mnemonic);
	for (unsigned i = 0; i < s->n; i++) {
		instr_put(f, i ? ", " : " ");
		put_operand(f, s, i);
		if (!i && s->masked)
			instr_put(f, "{k}");
	}
}

/* --- all of it --- */

bool instr_shape(struct instr_shape *s, struct instr_form *f, const struct instr_row *row,
                 const char *mnemonic, const struct instr_choice *choice)
{
	unsigned gpr;

	memset(s, 0, sizeof(*s));
	s->row = row;
	s->spec = &instr_specs[row->spec];
	s->choice = *choice;
	s->access = s->spec->access;
	gpr = choose_size(s, f);
	if (!gpr || !read_operands(s, gpr, f->wide))
		return false;
	if (s->masked && (row->nomask || choice->memory || s->op[0].place == AT_MEMORY ||
	                  s->op[0].file != FILE_XMM))
		return false;
	if (s->access == ACCESS_WRITE && (s->merged || s->masked))
		s->access = ACCESS_MODIFY;
	if (choice->two && (!row->pair || s->scheme != INSTR_LEGACY || s->n < 2 ||
	                    same_file_registers(s) != 2 || s->op[0].place == AT_MEMORY))
		return false;
	put_text(f, s, mnemonic);
	return true;
}

bool instr_row_possible(const struct instr_form *f, const struct instr_row *row)
{
	if (!instr_specs[row->spec].vector)
		return instr_has(f, row->set);
	for (unsigned i = 0; i < VECTORS; i++) {
		unsigned need = instr_sets[row->set].need[i];

		if (need && instr_has(f, need))
			return true;
	}
	return false;
}
