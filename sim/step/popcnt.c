/*
 * sim/step/popcnt.c - POPCNT.
 */
#include "sim/step/popcnt.h"

#include "sim/cpu/cpu.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/memory.h"
#include "sim/cpu/operand.h"
#include "sim/cpu/unicorn.h"
#include "sim/step/access.h"

enum { FL_ARITHMETIC = 0x8d5, FL_ZF = 0x40 };

/* `size` bytes for the running program. */
static bool load(struct cpu *cpu, uint64_t linear, unsigned size, uint64_t *value, uint64_t *fault,
                 uint32_t *error)
{
	*value = 0;
	for (uint64_t at = linear; at < linear + size; at = (at | 4095) + 1) {
		struct page page;
		bool present = memory_translate(cpu, at, &page);

		*fault = at;
		*error = (cpu->cpl == 3 ? 4 : 0) | present;
		if (!present || (cpu->cpl == 3 && !page.user))
			return false;
	}
	access_note(cpu, linear, size, false);
	return memory_read(cpu, linear, value, size);
}

bool popcnt_execute(struct cpu *cpu, uint64_t at, uint64_t *fault, uint32_t *error)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint8_t bytes[15];
	size_t size = decode_fetch(cpu, at, bytes);
	uint64_t value, mask, count;
	unsigned to;

	if (!decode_bytes(cpu->mode, bytes, size, &zi, ops))
		return true; /* it was decoded from these bytes before */
	unicorn_load(cpu);
	if (ops[1].type != ZYDIS_OPERAND_TYPE_MEMORY)
		value = operand_register(cpu, ops[1].reg.value);
	else if (!load(cpu, operand_address(cpu, &zi, &ops[1], at + zi.length), ops[1].size / 8,
	               &value, fault, error))
		return false;
	mask = zi.operand_width == 64 ? UINT64_MAX : (1ull << zi.operand_width) - 1;
	count = (uint64_t)__builtin_popcountll(value & mask);
	to = (unsigned)ZydisRegisterGetId(ops[0].reg.value);
	/* 16 bits leave the rest of the register, 32 bits clear the upper half */
	unicorn_set_reg(cpu, to,
	                zi.operand_width == 16 ? (unicorn_reg(cpu, to) & ~mask) | count : count);
	unicorn_set_flags(cpu, (unicorn_flags(cpu) & ~(uint64_t)FL_ARITHMETIC) |
	                               (value & mask ? 0 : FL_ZF));
	return true;
}
