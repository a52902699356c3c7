/*
 * Emitting machine code for 64-bit mode.
 */
#include "bench/engine/emit.h"

const unsigned emit_regs = 16;

enum { REX_W = 0x48, REX_R = 0x04 };

/* mod 00, rm 100, SIB 25h: disp32, sign-extended; mod 00 rm 101 would be relative to RIP. */
static void operand(struct emit *e, unsigned reg, const void *at)
{
	emit_u8(e, (uint8_t)(0x04 | (reg & 7) << 3));
	emit_u8(e, 0x25);
	emit_u32(e, (uint32_t)(uintptr_t)at);
}

void emit_op_abs(struct emit *e, uint8_t opcode, unsigned reg, const void *at)
{
	emit_u8(e, opcode);
	operand(e, reg, at);
}

void emit_op2_abs(struct emit *e, uint8_t second, unsigned reg, uint32_t at)
{
	emit_u8(e, 0x0f);
	emit_u8(e, second);
	operand(e, reg, (const void *)(uintptr_t)at);
}

static void wide(struct emit *e, uint8_t opcode, unsigned reg, const void *at)
{
	emit_u8(e, (uint8_t)(REX_W | (reg & 8 ? REX_R : 0)));
	emit_u8(e, opcode);
	operand(e, reg, at);
}

void emit_load(struct emit *e, unsigned reg, const void *from)
{
	wide(e, 0x8b, reg, from);
}

void emit_store(struct emit *e, unsigned reg, void *to)
{
	wide(e, 0x89, reg, to);
}

void emit_push_mem(struct emit *e, const void *from)
{
	emit_op_abs(e, 0xff, 6, from);
}

void emit_prologue(struct emit *e)
{
	static const uint8_t push[] = { 0x53, 0x55, /* RBX RBP */
		                        0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57 };

	emit_bytes(e, push, sizeof(push));
}

void emit_epilogue(struct emit *e)
{
	static const uint8_t pop[] = { 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d,
		                       0x41, 0x5c, 0x5d, 0x5b, 0xc3 };

	emit_bytes(e, pop, sizeof(pop));
}

void emit_iret(struct emit *e)
{
	emit_u8(e, 0x48);
	emit_u8(e, 0xcf);
}

/* 64-bit mode does not look at DS. */
void emit_from_ring3(struct emit *e)
{
	(void)e;
}

/* MOV RAX, [RSP + 24]: RIP, CS and RFLAGS lie below it. */
void emit_load_sp_of_ring3(struct emit *e)
{
	static const uint8_t code[] = { 0x48, 0x8b, 0x44, 0x24, 0x18 };

	emit_bytes(e, code, sizeof(code));
}
