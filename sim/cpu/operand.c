/*
 * sim/cpu/operand.c - where a memory operand lies.
 */
#include "sim/cpu/operand.h"

#include "sim/cpu/cpu.h"
#include "sim/cpu/unicorn.h"

uint64_t operand_register(const struct cpu *cpu, ZydisRegister reg)
{
	ZydisRegister full = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
	ZyanI8 id = ZydisRegisterGetId(full);

	if (reg == ZYDIS_REGISTER_NONE || id < 0 || id > 15)
		return 0;
	return unicorn_reg(cpu, (unsigned)id);
}

static uint64_t segment_base(const struct cpu *cpu, ZydisRegister reg)
{
	ZyanI8 id = ZydisRegisterGetId(reg);

	if (id < 0 || id > 5 || (cpu->mode == 64 && id < SEG_FS))
		return 0;
	return cpu->engine.image->seg[id].base;
}

uint64_t operand_address(const struct cpu *cpu, const ZydisDecodedInstruction *zi,
                         const ZydisDecodedOperand *op, uint64_t next)
{
	uint64_t ea, linear;

	if (op->mem.base == ZYDIS_REGISTER_RIP)
		ea = next;
	else
		ea = operand_register(cpu, op->mem.base);
	ea += operand_register(cpu, op->mem.index) * op->mem.scale;
	if (op->mem.disp.has_displacement)
		ea += (uint64_t)op->mem.disp.value;
	if (zi->address_width < 64)
		ea &= (1ull << zi->address_width) - 1;
	linear = ea + segment_base(cpu, op->mem.segment);
	return cpu->long_mode ? linear : linear & UINT32_MAX;
}
