/*
 * sim/cpu/unsupported.c - instructions that a real processor has and this one lacks.
 */
#include "sim/cpu/unsupported.h"

#include <stdio.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/cpuid.h"
#include "sim/cpu/decode.h"
#include "sim/cpu/machine.h"

enum { EAX, EBX, ECX, EDX };

/* The CPUID bit of the real part by which it has a set of instructions. */
static const struct unsupported_row {
	ZydisISASet first, last;
	uint32_t leaf;
	uint8_t reg, bit;
} rows[] = {
	{ ZYDIS_ISA_SET_XSAVE, ZYDIS_ISA_SET_XSAVES, 1, ECX, 26 },
	{ ZYDIS_ISA_SET_RDRAND, ZYDIS_ISA_SET_RDRAND, 1, ECX, 30 },
	{ ZYDIS_ISA_SET_RDSEED, ZYDIS_ISA_SET_RDSEED, 7, EBX, 18 },
	{ ZYDIS_ISA_SET_MOVBE, ZYDIS_ISA_SET_MOVBE, 1, ECX, 22 },
	{ ZYDIS_ISA_SET_PCLMULQDQ, ZYDIS_ISA_SET_PCLMULQDQ, 1, ECX, 1 },
	{ ZYDIS_ISA_SET_CLFLUSHOPT, ZYDIS_ISA_SET_CLFLUSHOPT, 7, EBX, 23 },
	{ ZYDIS_ISA_SET_CLWB, ZYDIS_ISA_SET_CLWB, 7, EBX, 24 },
	{ ZYDIS_ISA_SET_RDWRFSGS, ZYDIS_ISA_SET_RDWRFSGS, 7, EBX, 0 },
	{ ZYDIS_ISA_SET_SHA, ZYDIS_ISA_SET_SHA, 7, EBX, 29 },
	{ ZYDIS_ISA_SET_SMAP, ZYDIS_ISA_SET_SMAP, 7, EBX, 20 },
	{ ZYDIS_ISA_SET_AMD3DNOW, ZYDIS_ISA_SET_AMD3DNOW, 0x80000001, EDX, 31 },
};

static bool real_part_has(const struct model *m, const ZydisDecodedInstruction *zi)
{
	/* whatever it does, without AVX there is no such encoding */
	if (zi->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX)
		return cpuid_part_bit(m, 1, ECX, 28);
	if (zi->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		return cpuid_part_bit(m, 7, EBX, 16);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (zi->meta.isa_set >= rows[i].first && zi->meta.isa_set <= rows[i].last)
			return cpuid_part_bit(m, rows[i].leaf, rows[i].reg, rows[i].bit);
	return false;
}

void unsupported_note(struct cpu *cpu, uint64_t linear)
{
	struct machine *pc = cpu->pc;
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint8_t bytes[15];
	size_t size = decode_fetch(cpu, linear, bytes);

	if (*pc->unsupported || !decode_bytes(cpu->mode, bytes, size, &zi, ops) ||
	    !real_part_has(cpu->model, &zi))
		return;
	snprintf(pc->unsupported, sizeof(pc->unsupported), "%s at %#llx",
	         ZydisMnemonicGetString(zi.mnemonic), (unsigned long long)linear);
}
