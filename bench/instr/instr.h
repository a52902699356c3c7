/*
 * The table of the instruction set: benchmarks instr.lat.* and instr.tp.*, generated from the rows
 * of bench/instr/table.inc. docs/instruction-table.md explains how to read and extend it.
 *
 * Encodings: SDM volume 2, AMD APM volume 3 (3DNow!).
 */
#ifndef BENCH_INSTR_H
#define BENCH_INSTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench.h"

/* bench/instr/encode.c: one instruction */

enum instr_scheme { INSTR_LEGACY, INSTR_VEX, INSTR_EVEX };

struct instr_code {
	uint8_t scheme; /* enum instr_scheme */
	uint8_t prefix; /* 0, or 66H, F3H, F2H as part of the opcode */
	uint8_t map;    /* 0: one-byte opcodes, 1: 0FH, 2: 0F38H, 3: 0F3AH, 5, 6; 8-10: XOP */
	uint8_t opcode;
	uint8_t length; /* vectors of 128 << length bits */
	uint8_t mask;   /* EVEX: number of the mask register, 0: none */
	bool lock, size16, wide;
	bool modrm;    /* has a ModRM byte; else rm is added to the opcode */
	bool memory;   /* rm is the base register of a memory operand */
	bool byte_reg; /* registers 4-7 are SPL BPL SI DIL: needs REX */
	uint8_t reg, vvvv, rm;
	int8_t disp; /* 0: no displacement */
	uint8_t imm[4], nimm;
};

/* Writes at most 15 bytes; returns how many. */
size_t instr_encode(uint8_t *to, const struct instr_code *c);

/* bench/instr/table.inc: the description */

/*
 * What a row needs, as an index of instr_needs: up to three features. Stored as feature + 1, so that
 * 0 is none.
 */
struct instr_need {
	uint8_t feature[3];
};

/* Which variants of a vector instruction exist, as indices of instr_needs; 0: it does not exist. */
struct instr_set {
	uint8_t need[5]; /* mm, legacy xmm, VEX.128, VEX.256, EVEX.512 */
};

/* One row: the mnemonic at the same position of instr_names, and these. */
struct instr_row {
	uint8_t opcode;
	uint8_t encoding; /* bits 0-1 prefix, 2-3 map, 4 W, 5 map + 4, 6 map + 8 */
	uint8_t digit;    /* ModRM.reg where no operand takes it; D_... */
	uint8_t pattern;  /* its operands: all instr_specs with this pattern */
	uint8_t set;      /* GPR pattern: index of instr_needs; vector: of instr_sets */
	uint8_t flags;    /* ROW_... | DATA_... */
};

/* Of an EVEX row, besides the digit */
enum {
	D_DIGIT = 0x07,
	D_256 = 0x08, /* not with 128 bits */
	D_512 = 0x10, /* 512 bits only */
	D_LIG = 0x20, /* scalar: the length is ignored */
};

enum {
	ROW_PAIR = 0x01, /* one register twice and two registers are different questions: both */
	ROW_CONST =
		0x02, /* sources besides the destination stay constant: one value twice overflows */
	ROW_ADDR = 0x04,   /* latency of a load is that of a chain of addresses */
	ROW_NOLAT = 0x08,  /* the destination is only merged into: no chain worth the name */
	ROW_NOMASK = 0x80, /* EVEX form takes no mask */
	ROW_DATA = 0x70,
	/* What memory operands and vector registers hold at the start */
	DATA_ZERO = 0x00,
	DATA_ONES = 0x10,
	DATA_ONE = 0x20,  /* 1 in 64 bits */
	DATA_ADDR = 0x30, /* its own address */
	DATA_F32 = 0x40,  /* single precision numbers just below 1: products fall slowly */
	DATA_F64 = 0x50,
	DATA_X87 = 0x60,   /* control word, and two constants: struct instr_literal.extra */
	DATA_STACK = 0x70, /* zeros from the stack pointer up */
	/* beyond the flags of a row: operands in memory are not in the first-level cache at the start */
	DATA_COLD = 1 << 24,
};

/*
 * Operands as pairs of type and place.
 *	type	z 8-64 bits, y 16-64, d 32 and 64, b 8, w 16, l 32, q 64 bits; V vector, H Q E its half,
 *		quarter, eighth; N mm, X xmm, Y ymm, Z zmm, S D U xmm or m32, m64,
 *		m16; K mask
 *	place	r ModRM.reg, m ModRM.rm register, o ModRM.rm memory, n both in turn, v VEX.vvvv,
 *		+ opcode, a accumulator, c CL, 1 the number one, i immediate byte, j the same where the
 *		reference table writes "im8", I immediate of the operand size, 0 zero in such a byte, O in
 *		such a word, s register in the immediate, x implicit XMM0
 */
struct instr_spec {
	uint8_t pattern;
	char access; /* of the first operand: W written, M modified, R read, X both exchanged */
	char ops[10];
	uint8_t add;  /* to the opcode; from 80H on instead of it */
	uint8_t more; /* SPEC_... */
};

enum {
	SPEC_LOCK = 0x01,
	SPEC_DISP = 0x02,  /* memory at [base + 8] */
	SPEC_VEX = 0x04,   /* general registers or masks by a VEX prefix */
	SPEC_LONG = 0x08,  /* VEX.L = 1 */
	SPEC_3DNOW = 0x10, /* the opcode follows as an immediate byte */
	SPEC_SIZES =
		0x20,   /* vector instruction with an operand of 32 or 64 bits in turn (type d) */
	SPEC_16 = 0x40, /* operand size prefix */
};

/* A form whose bytes are written down. */
struct instr_literal {
	uint8_t need;
	uint8_t flags;    /* LIT_... */
	uint8_t data;     /* DATA_... */
	uint8_t extra[2]; /* DATA_X87: control word and first constant, second constant */
	uint8_t insns,
		size; /* insns may have LIT_SAME: each one is an operation; LIT_COLD, LIT_WARM */
};

enum {
	LIT_LAT = 0x01,
	LIT_TP = 0x02,
	LIT_VARY = 0x04, /* throughput: seven copies, every second byte one more each time */
	LIT_WALK = 0x08, /* moves through memory: few copies */
	LIT_PRIVILEGED = 0x10,
	LIT_32 = 0x20, /* only in 32-bit mode */
	LIT_64 = 0x40,
	LIT_SINE = 0x80, /* DATA_X87: FSIN, FADD keeps its argument */
	LIT_SAME = 0x80, /* in insns */
	LIT_COLD = 0x40, /* in insns: DATA_COLD */
	LIT_WARM = 0x20, /* operands at XSI and XDI are in the cache */
	LIT_INSNS = 0x1f,
};

/* A division with the sizes of its operands: 2^dividend - 1 like bits by 2^divisor - 1. */
enum { DIV_POWERS = 4 /* in reload: 2^dividend by 2^divisor */ };

struct instr_div {
	uint8_t is_signed, size, dividend, divisor,
		reload; /* bits; registers loaded in each copy */
};

/* Forms of LEA, by size of the result. */
struct instr_lea {
	const char *address;       /* text; r is the register size */
	uint8_t modrm, sib, bytes; /* of the address after the opcode: ModRM, SIB, displacement */
};

extern const struct instr_need instr_needs[];
extern const struct instr_set instr_sets[];
extern const struct instr_spec instr_specs[];
extern const unsigned instr_nspecs;
extern const uint8_t instr_vector_pattern; /* patterns from here on are of vectors */
struct instr_row instr_row(unsigned i);
extern const unsigned instr_nrows;
extern const char instr_names[]; /* zero-terminated, one after the other */
struct instr_literal instr_literal(unsigned i);
extern const unsigned instr_nliterals;
extern const char instr_literal_names[];
extern const uint8_t instr_literal_code[];
extern const struct instr_div instr_divs[];
extern const unsigned instr_ndivs;
extern const struct instr_lea instr_leas[];
extern const unsigned instr_nleas;
extern const uint64_t instr_constants[]; /* doubles */

/* bench/instr/instr.c: the source */

/*
 * Makes the i-th benchmark for 32-bit or 64-bit code of a CPU with the features of `cpu`; false past
 * the end. Forms that this CPU lacks are not counted. Everything b points to is static and stays
 * until the next call.
 */
bool instr_get(unsigned i, struct bench *b, const struct cpu *cpu, const struct bench_area *area,
               bool wide);

#endif
