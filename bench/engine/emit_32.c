/*
 * Emitting machine code for 32-bit mode.
 */
#include "bench/engine/emit.h"

const unsigned emit_regs = 8;

void emit_op_abs(struct emit *e, uint8_t opcode, unsigned reg, const void *at)
{
	emit_u8(e, opcode);
	emit_u8(e, (uint8_t)(0x05 | reg << 3)); /* mod 00, rm 101: disp32 */
	emit_u32(e, (uint32_t)(uintptr_t)at);
}

void emit_op2_abs(struct emit *e, uint8_t second, unsigned reg, uint32_t at)
{
	emit_u8(e, 0x0f);
	emit_op_abs(e, second, reg, (const void *)(uintptr_t)at);
}

void emit_load(struct emit *e, unsigned reg, const void *from)
{
	emit_op_abs(e, 0x8b, reg, from);
}

void emit_store(struct emit *e, unsigned reg, void *to)
{
	emit_op_abs(e, 0x89, reg, to);
}

void emit_push_mem(struct emit *e, const void *from)
{
	emit_op_abs(e, 0xff, 6, from);
}

void emit_prologue(struct emit *e)
{
	static const uint8_t push[] = { 0x53, 0x56, 0x57, 0x55 }; /* EBX ESI EDI EBP */

	emit_bytes(e, push, sizeof(push));
}

void emit_epilogue(struct emit *e)
{
	static const uint8_t pop[] = { 0x5d, 0x5f, 0x5e, 0x5b, 0xc3 };

	emit_bytes(e, pop, sizeof(pop));
}

void emit_iret(struct emit *e)
{
	emit_u8(e, 0xcf);
}

/* PUSH SS; POP DS: the code at CPL 3 may have emptied DS, and SS is the TSS's. */
void emit_from_ring3(struct emit *e)
{
	static const uint8_t code[] = { 0x16, 0x1f };

	emit_bytes(e, code, sizeof(code));
}

/* MOV EAX, [ESP + 12]: EIP, CS and EFLAGS lie below it. */
void emit_load_sp_of_ring3(struct emit *e)
{
	static const uint8_t code[] = { 0x8b, 0x44, 0x24, 0x0c };

	emit_bytes(e, code, sizeof(code));
}
