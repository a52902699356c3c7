/*
 * sim/step/canonical.c - 64-bit mode: faults of addresses that are not canonical (SDM volume 1,
 * "Canonical Addressing"; volume 2, JMP, CALL, RET).
 */
#include "sim/step/canonical.h"

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/operand.h"
#include "sim/cpu/unicorn.h"

enum { WORD = 8 };

/* By how much a near branch has moved RSP; 0 for a jump. */
static int64_t moved(const ZydisDecodedInstruction *zi)
{
	if (zi->meta.category == ZYDIS_CATEGORY_CALL)
		return -WORD;
	if (zi->meta.category != ZYDIS_CATEGORY_RET)
		return 0;
	return WORD + (zi->raw.imm[0].size ? (int64_t)zi->raw.imm[0].value.u : 0);
}

static bool is_near_branch(const ZydisDecodedInstruction *zi)
{
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_COND_BR:
		return zi->meta.branch_type != ZYDIS_BRANCH_TYPE_FAR;
	default:
		return false;
	}
}

/* A push writes below RSP. */
static uint64_t lowest(const struct cpu *cpu, const ZydisDecodedInstruction *zi,
                       const ZydisDecodedOperand *op, uint64_t next)
{
	uint64_t address = operand_address(cpu, zi, op, next);
	bool pushes = op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	              op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	return pushes ? address - op->size / 8 : address;
}

static bool is_stack_fault(const struct cpu *cpu, const ZydisDecodedInstruction *zi,
                           const ZydisDecodedOperand *ops)
{
	for (unsigned i = 0; i < zi->operand_count; i++)
		if (ops[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    ops[i].mem.segment == ZYDIS_REGISTER_SS &&
		    !memory_canonical(cpu, lowest(cpu, zi, &ops[i], cpu->flight.at + zi->length)))
			return true;
	return false;
}

void canonical_fault(struct cpu *cpu, uint32_t *vector, uint64_t *at)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint8_t bytes[15];

	if (*vector != VEC_GP || cpu->mode != 64 || !cpu->flight.insn ||
	    !decode_bytes(64, bytes, decode_fetch(cpu, cpu->flight.at, bytes), &zi, ops))
		return;
	if (*at == cpu->flight.at) {
		*vector = is_stack_fault(cpu, &zi, ops) ? VEC_SS : VEC_GP;
	} else if (is_near_branch(&zi) && !memory_canonical(cpu, *at)) {
		unicorn_set_reg(cpu, REG_SP, cpu->engine.image->reg[REG_SP] - (uint64_t)moved(&zi));
		*at = cpu->flight.at;
	}
}
