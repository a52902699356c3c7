/*
 * Operands by name.
 */
#include <string.h>

#include "bench/instr/gen/csv.h"
#include "bench/instr/gen/gen.h"

enum kind { REGISTER, MEMORY, EITHER, IMPLIED, IMMEDIATE };

/* A name can be that of several types: which one it is depends on the kind of row. */
struct name {
	const char *name;
	enum kind kind;
	enum instr_type type, vector_type; /* in a row of general registers, in a row of vectors */
	enum instr_place place;            /* IMPLIED, IMMEDIATE */
};

static const struct name names[] = {
	{ "r8..64", REGISTER, TYPE_8_64, TYPE_8_64, 0 },
	{ "r16..64", REGISTER, TYPE_16_64, TYPE_16_64, 0 },
	{ "r32..64", REGISTER, TYPE_32_64, TYPE_32_64, 0 },
	{ "r8", REGISTER, TYPE_8, TYPE_8, 0 },
	{ "r16", REGISTER, TYPE_16, TYPE_16, 0 },
	{ "r32", REGISTER, TYPE_32, TYPE_32, 0 },
	{ "r64", REGISTER, TYPE_64, TYPE_64, 0 },
	{ "m8..64", MEMORY, TYPE_8_64, TYPE_NONE, 0 },
	{ "m16..64", MEMORY, TYPE_16_64, TYPE_NONE, 0 },
	{ "m32..64", MEMORY, TYPE_32_64, TYPE_NONE, 0 },
	{ "m8", MEMORY, TYPE_8, TYPE_NONE, 0 },
	{ "m16", MEMORY, TYPE_16, TYPE_SCALAR_16, 0 },
	{ "m32", MEMORY, TYPE_32, TYPE_SCALAR_32, 0 },
	{ "m64", MEMORY, TYPE_64, TYPE_SCALAR_64, 0 },
	{ "m128", MEMORY, TYPE_NONE, TYPE_XMM, 0 },
	{ "m", MEMORY, TYPE_NONE, TYPE_VECTOR, 0 },
	{ "m_half", MEMORY, TYPE_NONE, TYPE_HALF, 0 },
	{ "r/m8..64", EITHER, TYPE_8_64, TYPE_NONE, 0 },
	{ "r/m16..64", EITHER, TYPE_16_64, TYPE_NONE, 0 },
	{ "r/m32..64", EITHER, TYPE_32_64, TYPE_NONE, 0 },
	{ "r/m8", EITHER, TYPE_8, TYPE_8, 0 },
	{ "r/m16", EITHER, TYPE_16, TYPE_16, 0 },
	{ "r/m32", EITHER, TYPE_32, TYPE_32, 0 },
	{ "r/m64", EITHER, TYPE_64, TYPE_64, 0 },
	{ "v", REGISTER, TYPE_NONE, TYPE_VECTOR, 0 },
	{ "half", REGISTER, TYPE_NONE, TYPE_HALF, 0 },
	{ "quarter", REGISTER, TYPE_NONE, TYPE_QUARTER, 0 },
	{ "eighth", REGISTER, TYPE_NONE, TYPE_EIGHTH, 0 },
	{ "v/m", EITHER, TYPE_NONE, TYPE_VECTOR, 0 },
	{ "half/m", EITHER, TYPE_NONE, TYPE_HALF, 0 },
	{ "quarter/m", EITHER, TYPE_NONE, TYPE_QUARTER, 0 },
	{ "eighth/m", EITHER, TYPE_NONE, TYPE_EIGHTH, 0 },
	{ "xmm", REGISTER, TYPE_NONE, TYPE_XMM, 0 },
	{ "xmm/m16", EITHER, TYPE_NONE, TYPE_SCALAR_16, 0 },
	{ "xmm/m32", EITHER, TYPE_NONE, TYPE_SCALAR_32, 0 },
	{ "xmm/m64", EITHER, TYPE_NONE, TYPE_SCALAR_64, 0 },
	{ "xmm/m128", EITHER, TYPE_NONE, TYPE_XMM, 0 },
	{ "mm", REGISTER, TYPE_NONE, TYPE_MM, 0 },
	{ "mm/m64", EITHER, TYPE_NONE, TYPE_MM, 0 },
	{ "k", REGISTER, TYPE_MASK, TYPE_MASK, 0 },
	{ "al..rax", IMPLIED, TYPE_8_64, TYPE_NONE, AT_ACCUMULATOR },
	{ "cl", IMPLIED, TYPE_8, TYPE_NONE, AT_CL },
	{ "1", IMPLIED, TYPE_8, TYPE_NONE, AT_ONE },
	{ "xmm0", IMPLIED, TYPE_NONE, TYPE_XMM, AT_XMM0 },
	{ "imm8", IMMEDIATE, TYPE_8, TYPE_8, AT_IMM8 },
	{ "im8", IMMEDIATE, TYPE_NONE, TYPE_8, AT_IM8 },
	{ "imm8=0", IMMEDIATE, TYPE_8, TYPE_NONE, AT_IMM8_ZERO },
	{ "imm32", IMMEDIATE, TYPE_32, TYPE_NONE, AT_IMM },
	/* of the size of the first operand */
	{ "imm", IMMEDIATE, TYPE_NONE, TYPE_NONE, AT_IMM },
	{ "imm=0", IMMEDIATE, TYPE_NONE, TYPE_NONE, AT_IMM_ZERO },
};

static const struct name *find(const char *word)
{
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, word))
			return &names[i];
	csv_die("unknown operand \"%s\"", word);
}

/* The letter of an operand's place and what it says; `is4`: there was an R before. */
static enum instr_place place_of(const struct name *n, char letter, bool had_r)
{
	static const char implied[] = "AC10";

	if (n->kind == IMPLIED && letter == implied[n->place - AT_ACCUMULATOR])
		return n->place;
	if (n->kind == IMMEDIATE && letter == 'I')
		return n->place;
	if (n->kind == REGISTER && letter == 'R')
		return had_r ? AT_IS4 : AT_REG;
	if (n->kind == REGISTER && letter == 'V')
		return AT_VVVV;
	if (n->kind == REGISTER && letter == 'O')
		return AT_OPCODE;
	if (letter == 'M' && n->kind <= EITHER)
		return n->kind == REGISTER ? AT_RM
		       : n->kind == MEMORY ? AT_MEMORY
		                           : AT_RM_OR_MEMORY;
	csv_die("operand \"%s\" cannot be at '%c'", n->name, letter ? letter : ' ');
}

static void add(struct instr_spec *spec, unsigned i, char *word, char letter, bool had_r)
{
	size_t n = strlen(word);
	const struct name *name;
	struct instr_operand *o = &spec->op[i];

	if (n > 2 && !strcmp(word + n - 2, "+8")) {
		word[n - 2] = 0;
		spec->disp8 = 1;
	}
	name = find(word);
	o->type = spec->vector ? name->vector_type : name->type;
	if (name->place == AT_ONE) /* a number of the size of what is shifted */
		o->type = spec->op[0].type;
	if (name->kind == IMMEDIATE && i && name->type == TYPE_NONE && !spec->vector)
		o->type = name->place == AT_IM8 ? TYPE_NONE : spec->op[0].type;
	if (o->type == TYPE_NONE)
		csv_die("operand \"%s\" cannot be in this row", word);
	o->place = place_of(name, letter, had_r);
	if (n > 2 && spec->disp8 && o->place != AT_MEMORY && word[n - 2] == 0)
		csv_die("operand \"%s+8\" is not in memory", word);
}

void gen_operands(struct instr_spec *spec, char *operands, const char *places)
{
	unsigned i = 0;
	bool had_r = false;

	for (char *p = strtok(operands, ", "); p; p = strtok(NULL, ", ")) {
		if (i == INSTR_OPERANDS)
			csv_die("more than %u operands", (unsigned)INSTR_OPERANDS);
		add(spec, i, p, places[i], had_r);
		had_r = had_r || places[i] == 'R';
		i++;
	}
	if (!i)
		csv_die("no operands: such a form belongs into sequences.csv");
	if (places[i])
		csv_die("more places than operands");
}
