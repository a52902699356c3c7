/*
 * The tables of the instruction set, as bench/instr/gen/ makes them from bench/instr/forms/.
 * docs/adding-a-form.md explains the columns of those files. The order of the rows is the order
 * of the benchmarks.
 */
#ifndef BENCH_INSTR_TABLES_H
#define BENCH_INSTR_TABLES_H

#include <stdbool.h>
#include <stdint.h>

/* Up to two features that a form needs, each stored as enum cpu_feature + 1; 0 is none. */
struct instr_need {
	uint8_t feature[2];
};

/* The encodings that a vector instruction can have. */
enum instr_vector { VECTOR_MM, VECTOR_XMM, VECTOR_VEX128, VECTOR_VEX256, VECTOR_EVEX, VECTORS };

/* The vector lengths that an EVEX encoding has. */
enum instr_lengths { LENGTHS_ALL, LENGTHS_FROM_256, LENGTHS_512, LENGTHS_SCALAR };

struct instr_set {
	uint8_t need[VECTORS]; /* index of instr_needs; 0: the instruction lacks this encoding */
	uint8_t lengths;       /* enum instr_lengths */
};

/* What an operand is. A type of several sizes stands for one form of each size. */
enum instr_type {
	TYPE_NONE,
	/* a general register, memory, or an immediate */
	TYPE_8_64, /* 8, 16, 32, 64 bits */
	TYPE_16_64,
	TYPE_32_64,
	TYPE_8,
	TYPE_16,
	TYPE_32,
	TYPE_64,
	/* a vector register, or memory of its length, half, quarter, eighth of it */
	TYPE_VECTOR,
	TYPE_HALF,
	TYPE_QUARTER,
	TYPE_EIGHTH,
	/* an XMM register (in the MMX form of an instruction: an MMX register), or 128 bits */
	TYPE_XMM,
	/* an XMM register, or as many bits of memory */
	TYPE_SCALAR_16,
	TYPE_SCALAR_32,
	TYPE_SCALAR_64,
	TYPE_MM,   /* an MMX register, or 64 bits */
	TYPE_MASK, /* a mask register */
};

/* Where an operand is in the machine code. */
enum instr_place {
	AT_REG,          /* ModRM.reg */
	AT_RM,           /* ModRM.rm, a register */
	AT_MEMORY,       /* ModRM.rm, memory */
	AT_RM_OR_MEMORY, /* a form of each, the register first */
	AT_VVVV,         /* VEX.vvvv */
	AT_OPCODE,       /* a register in the low bits of the opcode */
	AT_IS4,          /* a register in the upper bits of the immediate byte */
	AT_ACCUMULATOR,  /* AL, AX, EAX, RAX: implied */
	AT_CL,           /* implied */
	AT_ONE,          /* the number 1: implied */
	AT_XMM0,         /* implied */
	AT_IMM8,         /* an immediate byte */
	AT_IM8,          /* the same, which the form of MMX and SSE spells "im8" */
	AT_IMM8_ZERO,    /* an immediate byte that is 0 */
	AT_IMM,          /* an immediate of the operand's size, at most 32 bits */
	AT_IMM_ZERO,     /* the same, and it is 0 */
};

struct instr_operand {
	uint8_t type;  /* enum instr_type; TYPE_NONE: there are no more operands */
	uint8_t place; /* enum instr_place */
};

/* What an instruction does to its first operand. */
enum instr_access { ACCESS_WRITE, ACCESS_MODIFY, ACCESS_READ, ACCESS_EXCHANGE };

/* How the result of one copy reaches the next one in a latency benchmark. */
enum instr_chain {
	CHAIN_NONE,    /* not at all, unless a mask makes the destination a source */
	CHAIN_FIRST,   /* through the first operand, which is read and written */
	CHAIN_SOURCE,  /* the register that is written is a source, too */
	CHAIN_ADDRESS, /* the register that is written is the address of the memory operand */
};

enum { INSTR_OPERANDS = 4 };

/* The operands of a row, and how they are encoded. Rows share them. */
struct instr_spec {
	struct instr_operand op[INSTR_OPERANDS];
	uint8_t access : 2; /* enum instr_access */
	uint8_t chain : 2;  /* enum instr_chain */
	uint8_t vector : 1; /* instr_row.set is an index of instr_sets */
	uint8_t modrm : 1;  /* there is a ModRM byte */
	uint8_t lock : 1;   /* LOCK prefix */
	uint8_t disp8 : 1;  /* memory at base + 8 */
	uint8_t vex : 1;    /* general or mask registers by a VEX prefix */
	uint8_t vex_l : 1;  /* VEX.L of such a prefix */
	uint8_t size16 : 1; /* operand size prefix besides a mandatory one */
	uint8_t suffix : 1; /* 3DNow!: the opcode is an immediate byte */
};

/* What vector registers and operands in memory hold at the start. */
enum instr_data {
	DATA_ZERO,
	DATA_ONES,    /* all bits set */
	DATA_ONE,     /* 1 in every 64 bits */
	DATA_ADDRESS, /* the address of the operand itself */
	DATA_F32,     /* single precision numbers just below 1, whose products fall slowly */
	DATA_F64,     /* double precision numbers just below 1 */
	DATA_X87,     /* control word, and two constants */
	DATA_STACK,   /* zeros from the stack pointer up */
};

/* One row; its mnemonic is the next one in instr_names. */
struct instr_row {
	uint8_t opcode;       /* for types of 8 to 64 bits: that of bytes */
	uint8_t prefix : 2;   /* none, 66H, F3H, F2H as part of the opcode */
	uint8_t map : 4;      /* as in struct instr_code */
	uint8_t vex_w : 1;    /* VEX.W */
	uint8_t evex_w : 1;   /* EVEX.W */
	uint8_t digit : 3;    /* ModRM.reg where no operand takes it */
	uint8_t data : 3;     /* enum instr_data */
	uint8_t pair : 1;     /* one register twice and two registers are two forms */
	uint8_t constant : 1; /* sources besides the destination are never written */
	uint8_t nomask : 1;   /* the EVEX form takes no mask */
	uint8_t slow : 1;     /* thousands of clocks: few copies */
	uint8_t spec;         /* index of instr_specs */
	uint8_t set;          /* of instr_sets for vectors, else of instr_needs */
};

/* Machine code that is written down as bytes; its form is the next one in instr_sequence_names. */
struct instr_sequence {
	uint8_t need;           /* index of instr_needs */
	uint8_t latency : 1;    /* there is a latency benchmark */
	uint8_t throughput : 1; /* there is a throughput benchmark */
	uint8_t vary : 1;       /* throughput: seven copies, every second byte one more each time */
	uint8_t walk : 1;       /* moves through memory, or is slow: few copies */
	uint8_t privileged : 1; /* needs CPL 0 */
	uint8_t only_32 : 1;
	uint8_t only_64 : 1;
	uint8_t sine : 1;  /* FSIN or FCOS, and an FADD that restores the argument */
	uint8_t insns : 3; /* number of instructions */
	uint8_t same : 1;  /* every instruction is an operation of its own */
	uint8_t cold : 1;  /* operands in memory are not in the first-level cache at the start */
	uint8_t warm : 1;  /* operands at XSI and XDI are in it */
	uint8_t exits : 1; /* it leaves the guest of a hypervisor */
	uint8_t data : 3;  /* enum instr_data */
	uint8_t precision : 2; /* DATA_X87: precision control of the control word */
	uint8_t rest : 4;      /* DATA_X87: every register but ST(0), an index of instr_constants */
	uint8_t top : 4;       /* DATA_X87: ST(0), likewise */
	uint8_t size;          /* bytes */
};

/*
 * A division: DIV or IDIV of a number of `dividend` bits by one of `divisor` bits, registers of
 * `size` bits. Both numbers have all bits set, or are powers of two: 2^dividend by 2^divisor.
 */
struct instr_division {
	uint8_t is_signed : 1;
	uint8_t powers : 1;
	uint8_t reload : 2; /* registers of the dividend that each copy loads again */
	uint8_t size, dividend, divisor;
};

/* LEA with one form of address. */
struct instr_lea {
	const char *address; /* "[r + r * 8]": r stands for the size of addresses */
	uint8_t scale;       /* of the index register: 1 or 8; 0: there is no index */
	uint8_t disp;        /* bits of the displacement: 0, 8, 32 */
};

extern const struct instr_need instr_needs[];
extern const struct instr_set instr_sets[];
extern const struct instr_spec instr_specs[];

/*
 * Names end with 0 and follow each other. An empty name stands for the name before it. One byte
 * more is behind the last.
 */
extern const struct instr_row instr_rows[];
extern const unsigned instr_nrows;
extern const char instr_names[];

extern const struct instr_sequence instr_sequences[];
extern const unsigned instr_nsequences;
extern const char instr_sequence_names[];
extern const uint8_t instr_sequence_code[]; /* their bytes, one after the other */

extern const struct instr_division instr_divisions[];
extern const unsigned instr_ndivisions;
extern const struct instr_lea instr_leas[];
extern const unsigned instr_nleas;

/* Double precision numbers that the x87 forms begin with. */
enum instr_constant {
	CONSTANT_0,
	CONSTANT_1,
	CONSTANT_2,
	CONSTANT_HALF,
	CONSTANT_BELOW_1, /* 1 - 2^-20: a thousand products or quotients stay in range */
	CONSTANT_4PI,
	CONSTANT_2PI,
	CONSTANT_PI,
	CONSTANT_PI_2,
	CONSTANT_PI_4,
	CONSTANT_PI_8,
	CONSTANT_PI_16,
	CONSTANT_PI_32,
	CONSTANT_DOTTIE, /* 0.73908513...: cos x = x */
	CONSTANTS,
};

#endif
