/*
 * Emits machine code: the instructions of a bracket, for each width in emit_32.c and emit_64.c.
 * Encodings: SDM volume 2, chapter 2.
 */
#ifndef BENCH_ENGINE_EMIT_H
#define BENCH_ENGINE_EMIT_H

#include <stddef.h>
#include <stdint.h>

struct emit {
	uint8_t *at, *end; /* next byte; one past the last usable byte */
	int full;          /* an instruction did not fit: the code must not be run */
};

/* General registers of the width: 8 or 16. */
extern const unsigned emit_regs;

/* emit_bytes(), emit_u8(), emit_u32() append bytes. If these do not fit, e->full is set. */
void emit_bytes(struct emit *e, const void *bytes, size_t n);
static inline void emit_u8(struct emit *e, uint8_t v)
{
	if (e->at < e->end)
		*e->at++ = v;
	else
		e->full = 1;
}

void emit_u32(struct emit *e, uint32_t v);

/* opcode with a ModRM byte: register field `reg`, operand the absolute address `at` (< 2 GiB). */
void emit_op_abs(struct emit *e, uint8_t opcode, unsigned reg, const void *at);
void emit_op2_abs(struct emit *e, uint8_t second, unsigned reg, uint32_t at); /* 0F-prefixed */

/* Full-width register to and from memory, push of memory. */
void emit_load(struct emit *e, unsigned reg, const void *from);
void emit_store(struct emit *e, unsigned reg, void *to);
void emit_push_mem(struct emit *e, const void *from);

/* The callee-saved registers of the calling convention; RET. */
void emit_prologue(struct emit *e);
void emit_epilogue(struct emit *e);

/* IRET with the operand size of the width. */
void emit_iret(struct emit *e);

/* At CPL 0 behind an INT from CPL 3, before any use of memory: loads DS for data of CPL 0. */
void emit_from_ring3(struct emit *e);

/* At the same place, before any push: AX = the stack pointer of CPL 3. */
void emit_load_sp_of_ring3(struct emit *e);

/* Pushes `v`; in 64-bit mode sign-extended. */
void emit_push_imm(struct emit *e, uint32_t v);

#endif
