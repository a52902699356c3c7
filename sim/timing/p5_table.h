/*
 * sim/timing/p5_table.h - what the Pentium timing model knows of each instruction, before it looks
 * at operands.
 *
 * Clocks follow the instruction timing appendix of Intel's Pentium Processor Family Developer's
 * Manual, volume 3, and Agner Fog's instruction tables for P1 and P1 with MMX; where InstLatX64
 * measured something else on both a P54C and a P55C, the measured figure stands and the row says
 * so.
 */
#ifndef SIM_TIMING_P5_TABLE_H
#define SIM_TIMING_P5_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include "sim/timing/p5.h"

enum p5_pairing {
	P5_NP, /* never */
	P5_UV, /* in either pipe */
	P5_PU, /* first of a pair only */
	P5_PV, /* second of a pair only */
	P5_FX, /* x87: in U, with FXCH as the second only */
};

/* Access to memory, as the pair time table sees it. */
enum p5_shape {
	P5_PLAIN,         /* registers, load or store: 1 clock */
	P5_READ_OP,       /* read, then compute: 2 clocks */
	P5_READ_OP_WRITE, /* 3 clocks */
	P5_SHAPES,
};

enum p5_special {
	P5_SP_NONE,
	P5_SP_RDTSC,
	P5_SP_CPUID,
	P5_SP_REP_LODS,
	P5_SP_REP_STOS,
	P5_SP_REP_MOVS,
	P5_SP_REP_SCAS,
	P5_SP_REP_CMPS,
	P5_SP_REP_IO,
	P5_SP_FDIV,
	P5_SP_FIDIV,
	P5_SP_FSQRT,
	P5_SP_ANGLE, /* FSIN, FCOS */
};

/* p5_insn.flags and p5_row.flags */
enum {
	P5F_BRANCH = 1,
	P5F_CONDITIONAL = 2, /* resolved one stage later in V */
	P5F_PUSH = 4,        /* moves ESP without an AGI; pairs with a PUSH or CALL */
	P5F_POP = 8,
	P5F_LOCKED = 16, /* LOCK prefix or XCHG with memory */
	P5F_IO = 32,
	P5F_X87 = 64,
	P5F_FXCH = 128,
	P5F_MMX = 256,
	P5F_STORES = 512,            /* x87 and MMX registers must be ready one clock earlier */
	P5F_INTEGER_MULTIPLY = 1024, /* done in the x87 multiplier */
	P5F_EMMS = 2048,
	P5F_U_ONLY = 8192, /* MMX with memory or a general register */
	P5F_SERIALIZE = 16384,
	P5F_STRING = 32768, /* ESI and EDI move without an AGI: LODSB measures 2 clocks */
};

/* What a row asks of the instruction: all bits must be there. */
enum {
	P5_REG = 1,     /* no explicit operand in memory */
	P5_MEM = 2,     /* an explicit operand in memory */
	P5_ACC = 4,     /* first operand is AL, AX or EAX */
	P5_IMM = 8,     /* an immediate operand, branch targets too */
	P5_BY_ONE = 16, /* shift by one, opcode D0 or D1 */
	P5_BY_CL = 32,
	P5_SEGMENT = 64, /* a segment register is an operand */
	P5_S8 = 128,     /* size of the first operand */
	P5_S16 = 256,
	P5_S64 = 512,
	P5_S80 = 1024,
	P5_ONE_OPERAND = 2048, /* explicit operands */
	P5_DEST_MEM = 4096,    /* first operand is in memory */
	P5_FAR = 8192,         /* far branch */
	P5_CONTROL = 16384,    /* a control register is an operand */
	P5_DEBUG = 32768,      /* a debug register is an operand */
};

/* First row that matches wins. */
struct p5_row {
	uint16_t mnemonic; /* ZYDIS_MNEMONIC_ */
	uint16_t form;     /* P5_ bits above, 0: any */
	uint16_t clocks;   /* 0: by access to memory, 1, 2 or 3 */
	uint8_t pair;
	uint16_t flags;
	uint8_t special;
	uint8_t flops;
};

/* x87: clocks are those for which the integer pipes wait; the rest overlaps. */
struct p5_x87_row {
	uint16_t mnemonic;
	uint16_t form;
	uint8_t pair;
	uint8_t clocks;
	uint8_t latency;
	uint8_t next; /* until the unit takes another x87 instruction */
	uint8_t unit;
	uint8_t busy; /* until it takes one of the same unit */
	int8_t push;
	uint8_t special;
	uint8_t flops;
	uint16_t flags;
};

struct p5_mmx_row {
	uint16_t mnemonic;
	uint8_t unit;
	uint8_t latency;
	uint16_t flags;
};

extern const struct p5_row p5_rows[];
extern const size_t p5_row_count;
extern const struct p5_x87_row p5_x87_rows[];
extern const size_t p5_x87_row_count;
extern const struct p5_mmx_row p5_mmx_rows[];
extern const size_t p5_mmx_row_count;

#endif
