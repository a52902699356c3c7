/*
 * The shape of a form: everything about one form of a row but the registers.
 */
#ifndef BENCH_INSTR_SHAPE_H
#define BENCH_INSTR_SHAPE_H

#include "bench/instr/encode.h"
#include "bench/instr/form.h"

enum {
	INSTR_SIZES = 4,    /* of general registers: 8 << n bits */
	INSTR_VARIANTS = 8, /* enum instr_vector, and with a mask: 128, 256, 512 bits */
};

/* Which of the forms of a row. */
struct instr_choice {
	unsigned variant; /* size of general registers, or variant of vectors */
	bool memory;      /* AT_RM_OR_MEMORY is memory */
	bool two;         /* two different registers */
};

/* The files that registers are in. */
enum instr_file { FILE_NONE, FILE_GPR, FILE_MM, FILE_XMM, FILE_MASK };

struct instr_shaped {
	enum instr_type type;
	enum instr_place place;
	enum instr_file file; /* of the register; memory: of registers of this type */
	unsigned bits;
};

struct instr_shape {
	const struct instr_row *row;
	const struct instr_spec *spec;
	struct instr_choice choice;
	struct instr_shaped op[INSTR_OPERANDS];
	unsigned n; /* operands */
	enum instr_access access;
	bool masked;
	bool merged; /* the first source is the destination: an MMX or SSE form */
	enum instr_scheme scheme;
	unsigned bits; /* of vectors, or of general registers */
};

/* Has the CPU any form of the row? */
bool instr_row_possible(const struct instr_form *f, const struct instr_row *row);

/* Shapes a form of a row, with its needs and text; false if the CPU has no such form. */
bool instr_shape(struct instr_shape *s, struct instr_form *f, const struct instr_row *row,
                 const char *mnemonic, const struct instr_choice *choice);

/* Is there an operand at this place? */
bool instr_uses(const struct instr_shape *s, enum instr_place place);

/* Is the operand a register that the encoding names? The accumulator counts, too. */
bool instr_is_register(const struct instr_shaped *o);

/* Does the type stand for several sizes? */
bool instr_is_variable(enum instr_type type);

#endif
