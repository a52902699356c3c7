/*
 * sim/timing/core_rows.h - the rows of sim/timing/rows/ after reading.
 */
#ifndef SIM_TIMING_CORE_ROWS_H
#define SIM_TIMING_CORE_ROWS_H

#include "sim/timing/core.h"

enum { CORE_ROW_OPERANDS = 4 };

/* What one operand of a row accepts. */
enum core_token {
	TOKEN_GPR = 1,
	TOKEN_MEMORY = 2,
	TOKEN_IMMEDIATE = 4,
	TOKEN_MM = 8,
	TOKEN_XMM = 16,
	TOKEN_ST = 32,
	TOKEN_SEGMENT = 64,
	TOKEN_CONTROL = 128, /* control and debug registers */
	TOKEN_CL = 256,
	TOKEN_ACCUMULATOR = 512, /* implied by the opcode */
	TOKEN_ONE = 1024,
	TOKEN_NULL = 2048, /* an immediate of zero */
	TOKEN_ANY = 4095,
};

/* Shape of an address. */
enum core_address {
	ADDRESS_INDEX = 1,  /* base and index */
	ADDRESS_DISP = 2,   /* a displacement that is not 0 */
	ADDRESS_SCALED = 4, /* an index with a factor above 1 */
	ADDRESS_RIP = 8,    /* relative to the instruction */
};

struct core_operand {
	uint16_t tokens;
	uint16_t sizes; /* bit n below 9: 8 << n bits; bit 9: 80 bits; 0: any */
};

struct core_row {
	const struct core_row_text *text; /* where it comes from */
	int32_t next; /* row of the same mnemonic to try if this one does not fit; -1: none */
	bool any;     /* whatever the operands are */
	bool same;    /* the first two operands are one register */
	bool locked;  /* with a LOCK prefix */
	bool repeated;
	uint8_t address; /* enum core_address that the memory operand must have */
	uint8_t operands;
	struct core_operand operand[CORE_ROW_OPERANDS];
	uint8_t uops;
	struct core_uop uop[CORE_UOPS];
	uint16_t latency[2], slope, flags;
	uint8_t cases;
	uint16_t more[CORE_CASES];
};

/* The row of an instruction; NULL: none fits, not even that of `*`. */
const struct core_row *core_row_find(const struct core_machine *m,
                                     const ZydisDecodedInstruction *zi,
                                     const ZydisDecodedOperand *ops);

#endif
