/*
 * p5_decode.c - the static half of the Pentium timing model: one decoded instruction to attributes.
 *
 * Pairing classes, prefix and displacement rules: Pentium Processor Family Developer's Manual,
 * volume 3, "Pairing rules"; Agner Fog's manual for the details of partial registers and ESP.
 */
#include <string.h>
#include "sim/timing/p5_table.h"

enum { EAX = 0 };

/* LOCK ADD takes 3 clocks more than XCHG with memory, measured on both kinds. */
enum { LOCK_PREFIX_CLOCKS = 3 };

static const uint8_t shape_clocks[P5_SHAPES] = { 1, 2, 3 };

static bool is_memory(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

static bool reads(const ZydisDecodedOperand *o)
{
	return o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
}

static bool writes(const ZydisDecodedOperand *o)
{
	return o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

/* Bit of the whole register of which reg is a part; AH is EAX to the pairing rules. */
static uint8_t gpr_bit(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LEGACY_32, reg);

	if (whole < ZYDIS_REGISTER_EAX || whole > ZYDIS_REGISTER_EDI)
		return 0;
	return 1u << (whole - ZYDIS_REGISTER_EAX);
}

static uint8_t file_bit(ZydisRegister reg, ZydisRegister first)
{
	return reg >= first && reg < first + 8 ? 1u << (reg - first) : 0;
}

static uint32_t first_operand_form(const ZydisDecodedOperand *o)
{
	uint32_t form = is_memory(o) ? P5_DEST_MEM : 0;

	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER && gpr_bit(o->reg.value) == 1u << EAX &&
	    o->reg.value != ZYDIS_REGISTER_AH)
		form |= P5_ACC;
	switch (o->size) {
	case 8:
		return form | P5_S8;
	case 16:
		return form | P5_S16;
	case 64:
		return form | P5_S64;
	case 80:
		return form | P5_S80;
	default:
		return form;
	}
}

static uint32_t register_form(ZydisRegister reg)
{
	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_SEGMENT:
		return P5_SEGMENT;
	case ZYDIS_REGCLASS_CONTROL:
		return P5_CONTROL;
	case ZYDIS_REGCLASS_DEBUG:
		return P5_DEBUG;
	default:
		return 0;
	}
}

/* The P5_ bits that rows ask for. */
static uint32_t form_of(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	uint32_t form = 0;
	int explicit_operands = 0;

	for (int i = 0; i < insn->operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
			continue;
		if (i == 0)
			form |= first_operand_form(o);
		explicit_operands += o->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
		if (is_memory(o))
			form |= P5_MEM;
		else if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			form |= P5_IMM;
		else if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
			form |= register_form(o->reg.value);
	}
	if (!(form & P5_MEM))
		form |= P5_REG;
	if (explicit_operands == 1)
		form |= P5_ONE_OPERAND;
	if (insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (insn->opcode & 0xfe) == 0xd0)
		form |= P5_BY_ONE;
	if (insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (insn->opcode & 0xfe) == 0xd2)
		form |= P5_BY_CL;
	if (insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		form |= P5_FAR;
	return form;
}

static void register_operand(struct p5_insn *out, const ZydisDecodedOperand *o)
{
	ZydisRegister reg = o->reg.value;

	if (reads(o)) {
		out->read |= gpr_bit(reg);
		out->mm_read |= file_bit(reg, ZYDIS_REGISTER_MM0);
		out->st_read |= file_bit(reg, ZYDIS_REGISTER_ST0);
	}
	if (writes(o)) {
		out->write |= gpr_bit(reg);
		out->mm_write |= file_bit(reg, ZYDIS_REGISTER_MM0);
		out->st_write |= file_bit(reg, ZYDIS_REGISTER_ST0);
	}
}

static void register_sets(struct p5_insn *out, const ZydisDecodedInstruction *insn,
                          const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < insn->operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
			register_operand(out, o);
		else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
			out->address |= gpr_bit(o->mem.base) | gpr_bit(o->mem.index);
	}
	/* MOV moffs, EAX pairs as if it wrote the accumulator (Agner Fog). */
	if (insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && (insn->opcode & 0xfe) == 0xa2)
		out->write |= 1u << EAX;
}

static uint8_t shape_of(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < insn->operand_count; i++) {
		const ZydisDecodedOperand *o = &operands[i];

		if (o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN || !is_memory(o))
			continue;
		return writes(o) ? P5_READ_OP_WRITE : P5_READ_OP;
	}
	return P5_PLAIN;
}

static bool near_jcc(const ZydisDecodedInstruction *insn)
{
	return insn->opcode_map == ZYDIS_OPCODE_MAP_0F && (insn->opcode & 0xf0) == 0x80;
}

/*
 * Clocks that prefixes add in the decoder. P54C: one each, and 0F is one except in a near Jcc.
 * P55C: one each; 66 and 67 change lengths and cost one more, once (measured: 66h NOP 3 clocks,
 * with fourteen of them 16; 67 alone is unverified); 0F is free.
 */
static uint8_t prefix_clocks(const ZydisDecodedInstruction *insn, enum p5_kind kind)
{
	uint8_t clocks = insn->raw.prefix_count;
	bool escape = insn->opcode_map == ZYDIS_OPCODE_MAP_0F && !near_jcc(insn);

	if (kind == P5_P54C)
		return clocks + escape;
	for (int i = 0; i < insn->raw.prefix_count; i++) {
		uint8_t value = insn->raw.prefixes[i].value;

		if (value == 0x66 || value == 0x67)
			return clocks + 1;
	}
	return clocks;
}

/* Prefixes that keep an instruction out of V: on the P55C not 66, 67 and 0F. */
static bool u_only_prefix(const ZydisDecodedInstruction *insn, enum p5_kind kind)
{
	if (kind == P5_P54C)
		return prefix_clocks(insn, kind) != 0;
	for (int i = 0; i < insn->raw.prefix_count; i++) {
		uint8_t value = insn->raw.prefixes[i].value;

		if (value != 0x66 && value != 0x67)
			return true;
	}
	return false;
}

static bool displacement_and_immediate(const ZydisDecodedInstruction *insn)
{
	return insn->raw.disp.size && insn->raw.imm[0].size && !insn->raw.imm[0].is_relative;
}

static uint8_t without_v(uint8_t pair)
{
	if (pair == P5_UV)
		return P5_PU;
	return pair == P5_PV ? P5_NP : pair;
}

static uint8_t restrict_pairing(uint8_t pair, const struct p5_insn *out,
                                const ZydisDecodedInstruction *insn, enum p5_kind kind)
{
	if (insn->attributes & ZYDIS_ATTRIB_HAS_LOCK)
		return P5_NP;
	if (displacement_and_immediate(insn))
		pair = kind == P5_P54C ? P5_NP : without_v(pair);
	if (u_only_prefix(insn, kind) || out->flags & P5F_U_ONLY)
		pair = without_v(pair);
	return pair;
}

static bool repeated(const ZydisDecodedInstruction *insn)
{
	return insn->attributes &
	       (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
}

static uint8_t without_repeat(uint8_t special)
{
	return special >= P5_SP_REP_LODS && special <= P5_SP_REP_IO ? P5_SP_NONE : special;
}

/* Of a division the dividend; a dividend in memory (FDIVR, FIDIVR) is taken for not zero. */
static void zero_operand(struct p5_insn *out, const ZydisDecodedInstruction *insn,
                         const ZydisDecodedOperand *operands)
{
	bool reverse = insn->mnemonic == ZYDIS_MNEMONIC_FDIVR ||
	               insn->mnemonic == ZYDIS_MNEMONIC_FDIVRP ||
	               insn->mnemonic == ZYDIS_MNEMONIC_FIDIVR;

	if (is_memory(&operands[0])) {
		if (reverse)
			out->needs &= ~P5_NEEDS_FPZERO;
		return;
	}
	if (operands[reverse].type == ZYDIS_OPERAND_TYPE_REGISTER)
		out->st_zero = operands[reverse].reg.value - ZYDIS_REGISTER_ST0;
}

static uint8_t needs_of(uint8_t special)
{
	switch (special) {
	case P5_SP_CPUID:
		return P5_NEEDS_EAX;
	case P5_SP_FDIV:
	case P5_SP_FIDIV:
		return P5_NEEDS_FPCW | P5_NEEDS_FPZERO;
	case P5_SP_FSQRT:
		return P5_NEEDS_FPZERO;
	case P5_SP_ANGLE:
		return P5_NEEDS_FPZERO | P5_NEEDS_ANGLE;
	case P5_SP_REP_LODS:
	case P5_SP_REP_STOS:
	case P5_SP_REP_MOVS:
	case P5_SP_REP_SCAS:
	case P5_SP_REP_CMPS:
	case P5_SP_REP_IO:
		return P5_NEEDS_REP;
	default:
		return 0;
	}
}

static bool decode_integer(struct p5_insn *out, const ZydisDecodedInstruction *insn,
                           const ZydisDecodedOperand *operands, uint32_t form)
{
	for (const struct p5_row *r = p5_rows; r < p5_rows + p5_row_count; r++) {
		if (r->mnemonic != insn->mnemonic || (form & r->form) != r->form)
			continue;
		out->pair = r->pair;
		out->shape = r->clocks ? P5_PLAIN : shape_of(insn, operands);
		out->clocks = r->clocks ? r->clocks : shape_clocks[out->shape];
		out->flags = r->flags;
		out->special = r->special;
		out->flops = r->flops;
		return true;
	}
	return false;
}

static bool decode_x87(struct p5_insn *out, const ZydisDecodedInstruction *insn, uint32_t form)
{
	for (const struct p5_x87_row *r = p5_x87_rows; r < p5_x87_rows + p5_x87_row_count; r++) {
		if (r->mnemonic != insn->mnemonic || (form & r->form) != r->form)
			continue;
		out->pair = r->pair;
		out->clocks = r->clocks;
		out->latency = r->latency;
		out->next = r->next;
		out->unit = r->unit;
		out->busy = r->busy;
		out->st_push = r->push;
		out->special = r->special;
		out->flops = r->flops;
		out->flags = r->flags | P5F_X87;
		return true;
	}
	return false;
}

static void fxch_operand(struct p5_insn *out)
{
	for (uint8_t i = 1; i < 8; i++)
		if (out->st_read & 1u << i)
			out->st_swap = i;
	out->st_read = 0;
	out->st_write = 0;
}

static bool decode_mmx(struct p5_insn *out, const ZydisDecodedInstruction *insn, uint32_t form)
{
	for (const struct p5_mmx_row *r = p5_mmx_rows; r < p5_mmx_rows + p5_mmx_row_count; r++) {
		if (r->mnemonic != insn->mnemonic)
			continue;
		out->pair = r->flags & P5F_EMMS ? P5_NP : P5_UV;
		out->clocks = 1;
		out->latency = r->latency;
		out->unit = r->unit;
		out->flags = r->flags | P5F_MMX;
		if (form & P5_MEM || out->read || out->write)
			out->flags |= P5F_U_ONLY;
		if (form & P5_DEST_MEM || out->write)
			out->flags |= P5F_STORES;
		return true;
	}
	return false;
}

struct p5_insn p5_decode(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands,
                         enum p5_kind kind)
{
	struct p5_insn out;
	uint32_t form = form_of(insn, operands);

	memset(&out, 0, sizeof(out));
	out.length = insn->length;
	out.decode = prefix_clocks(insn, kind);
	register_sets(&out, insn, operands);
	if (!decode_integer(&out, insn, operands, form) && !decode_x87(&out, insn, form) &&
	    !(kind == P5_P55C && decode_mmx(&out, insn, form)))
		out.clocks = 1;
	if (out.flags & P5F_FXCH)
		fxch_operand(&out);
	if (insn->attributes & ZYDIS_ATTRIB_HAS_LOCK) {
		out.flags |= P5F_LOCKED;
		out.clocks += LOCK_PREFIX_CLOCKS;
	}
	if (!repeated(insn))
		out.special = without_repeat(out.special);
	/* POP ESP writes it like any other register. */
	if (out.flags & P5F_POP && operands[0].visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
	    operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    operands[0].reg.value == ZYDIS_REGISTER_ESP)
		out.flags &= ~P5F_POP;
	if (insn->mnemonic == ZYDIS_MNEMONIC_MOV &&
	    operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    register_form(operands[0].reg.value) & (P5_CONTROL | P5_DEBUG))
		out.flags |= P5F_SERIALIZE;
	/* A serializing instruction is not decoded in the shadow of another. */
	if (out.flags & P5F_SERIALIZE)
		out.decode = 0;
	out.pair = restrict_pairing(out.pair, &out, insn, kind);
	out.needs = needs_of(out.special);
	if (out.needs & P5_NEEDS_FPZERO)
		zero_operand(&out, insn, operands);
	return out;
}

const char *p5_pairing_text(const struct p5_insn *insn)
{
	static const char *const text[] = { "NP", "UV", "PU", "PV", "FX" };

	return text[insn->pair];
}
