/*
 * One instruction as bytes (SDM volume 2, chapter 2; XOP: AMD APM volume 6).
 */
#ifndef BENCH_INSTR_ENCODE_H
#define BENCH_INSTR_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum instr_scheme { INSTR_LEGACY, INSTR_VEX, INSTR_EVEX };

struct instr_code {
	uint8_t scheme; /* enum instr_scheme */
	uint8_t prefix; /* 0, or 66H, F3H, F2H as part of the opcode */
	uint8_t map;    /* 0: one-byte opcodes, 1: 0FH, 2: 0F38H, 3: 0F3AH, 5, 6; 8-10: XOP */
	uint8_t opcode;
	uint8_t length;          /* vectors of 128 << length bits */
	uint8_t mask;            /* EVEX: number of the mask register, 0: none */
	bool lock, size16, wide; /* prefixes LOCK and 66H; REX.W, VEX.W or EVEX.W */
	bool modrm;              /* there is a ModRM byte; without it, rm is added to the opcode */
	bool memory;             /* rm is the base register of a memory operand */
	uint8_t reg, vvvv, rm;
	int8_t disp; /* 0: no displacement */
	uint8_t imm[4], nimm;
};

/* Writes at most 15 bytes; returns how many. */
size_t instr_encode(uint8_t *to, const struct instr_code *c);

#endif
