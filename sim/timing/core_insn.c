/*
 * sim/timing/core_insn.c - what an instruction reads and writes, and how many uops rename sees.
 */
#include <math.h>
#include <string.h>

#include "sim/timing/core_rows.h"

enum { NO_REGISTER = 0xff };

static bool is_high_byte(ZydisRegister reg)
{
	return reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH;
}

static uint8_t scoreboard_register(ZydisRegister reg)
{
	ZyanI8 id = ZydisRegisterGetId(reg);

	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR8:
		/* AH to BH have the numbers behind DIL's */
		if (is_high_byte(reg))
			return (uint8_t)(reg - ZYDIS_REGISTER_AH);
		return (uint8_t)(ZydisRegisterGetId(
			ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg)));
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		return (uint8_t)(CORE_GPR + id);
	case ZYDIS_REGCLASS_X87:
		return (uint8_t)(CORE_ST + id);
	case ZYDIS_REGCLASS_MMX:
		return (uint8_t)(CORE_MM + id);
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return (uint8_t)(CORE_XMM + id);
	case ZYDIS_REGCLASS_SEGMENT:
	case ZYDIS_REGCLASS_CONTROL:
	case ZYDIS_REGCLASS_DEBUG:
	case ZYDIS_REGCLASS_TABLE:
		return CORE_SYSTEM;
	default:
		break;
	}
	if (reg == ZYDIS_REGISTER_X87STATUS)
		return CORE_FPSW;
	if (reg == ZYDIS_REGISTER_X87CONTROL)
		return CORE_FPCW;
	if (reg == ZYDIS_REGISTER_MXCSR)
		return CORE_MXCSR;
	return NO_REGISTER; /* RIP, flags (see add_flags()), x87 tags */
}

static void add(uint8_t *list, uint8_t *count, unsigned size, uint8_t reg)
{
	if (reg == NO_REGISTER)
		return;
	for (unsigned i = 0; i < *count; i++)
		if (list[i] == reg)
			return;
	if (*count < size)
		list[(*count)++] = reg;
}

static void add_source(struct core_insn *insn, uint8_t reg)
{
	add(insn->src, &insn->srcs, sizeof(insn->src), reg);
}

static void add_result(struct core_insn *insn, uint8_t reg)
{
	add(insn->dst, &insn->dsts, sizeof(insn->dst), reg);
}

static bool is_stack_pointer(ZydisRegister reg)
{
	return reg == ZYDIS_REGISTER_RSP || reg == ZYDIS_REGISTER_ESP || reg == ZYDIS_REGISTER_SP;
}

/* The control word of x87 and MXCSR: only those that load them write what others wait for. */
static bool loads_control(ZydisMnemonic mnemonic)
{
	return mnemonic == ZYDIS_MNEMONIC_FLDCW || mnemonic == ZYDIS_MNEMONIC_FNINIT ||
	       mnemonic == ZYDIS_MNEMONIC_LDMXCSR || mnemonic == ZYDIS_MNEMONIC_FXRSTOR ||
	       mnemonic == ZYDIS_MNEMONIC_FRSTOR || mnemonic == ZYDIS_MNEMONIC_FLDENV;
}

static void add_register(const struct core_machine *m, struct core_insn *insn,
                         const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *op)
{
	uint8_t reg = scoreboard_register(op->reg.value);
	bool reads = op->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	bool writes = op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && m->p.stack_engine &&
	    insn->flags & CORE_STACK && is_stack_pointer(op->reg.value))
		return;
	/* the x87 status word and MXCSR gather exceptions in order: no chain */
	if (reg == CORE_FPSW && !(zi->mnemonic == ZYDIS_MNEMONIC_FNSTSW || writes))
		return;
	if (reg == CORE_FPSW && reads && writes)
		reads = false;
	/* what may stay must be there */
	if (op->actions & ZYDIS_OPERAND_ACTION_CONDWRITE)
		reads = true;
	if ((reg == CORE_FPCW || reg == CORE_MXCSR) && writes && !loads_control(zi->mnemonic))
		writes = false;
	if (reads && op->size >= 32 && reg < CORE_CF)
		insn->wide |= (uint16_t)(1u << reg);
	if (writes && op->size < 32 && reg < CORE_CF)
		insn->part |= (uint16_t)(1u << reg);
	/* bits that are kept must be there; those of a product's upper half when it is */
	if (writes && !reads && op->size < 32 && reg < CORE_CF && m->p.partial_merge &&
	    !(op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	      (zi->mnemonic == ZYDIS_MNEMONIC_MUL || zi->mnemonic == ZYDIS_MNEMONIC_IMUL)))
		reads = true;
	if (writes && op->size < 128 && reg >= CORE_XMM && reg < CORE_FPSW)
		reads = true; /* MOVSS and the like */
	if (reads)
		add_source(insn, reg);
	if (!writes)
		return;
	add_result(insn, reg);
	/* string instructions and the stack: the pointer does not wait for the data */
	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && reg < CORE_CF && reads &&
	    (insn->flags & CORE_STACK || zi->meta.category == ZYDIS_CATEGORY_STRINGOP) &&
	    (reg == 4 || reg == 6 || reg == 7))
		insn->moves |= (uint8_t)(1u << (insn->dsts - 1));
}

static const ZydisAccessedFlagsMask other_flags = ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF |
                                                  ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF |
                                                  ZYDIS_CPUFLAG_OF;

static void add_flags(const struct core_machine *m, struct core_insn *insn,
                      const ZydisDecodedInstruction *zi)
{
	const ZydisAccessedFlagsMask all = other_flags | ZYDIS_CPUFLAG_CF;
	const ZydisAccessedFlags *f = zi->cpu_flags;
	ZydisAccessedFlagsMask read, written;

	if (!f)
		return;
	read = f->tested;
	written = f->modified | f->set_0 | f->set_1 | f->undefined;
	/* one register of flags: those that are kept must be there */
	if (m->p.flags_merge && written & all && ~written & all) {
		read |= all;
		written |= all;
	}
	if (read & ZYDIS_CPUFLAG_CF)
		add_source(insn, CORE_CF);
	if (read & other_flags)
		add_source(insn, CORE_FLAGS);
	if (read & ZYDIS_CPUFLAG_DF)
		add_source(insn, CORE_DF);
	if (written & ZYDIS_CPUFLAG_CF)
		add_result(insn, CORE_CF);
	if (written & other_flags)
		add_result(insn, CORE_FLAGS);
	if (written & ZYDIS_CPUFLAG_DF)
		add_result(insn, CORE_DF);
}

static void add_memory(const struct core_machine *m, struct core_insn *insn,
                       const ZydisDecodedOperand *op)
{
	const ZydisDecodedOperandMem *mem = &op->mem;
	bool stack = is_stack_pointer(mem->base) && insn->flags & CORE_STACK && m->p.stack_engine &&
	             op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;

	if (!stack)
		add(insn->address, &insn->addresses, sizeof(insn->address),
		    scoreboard_register(mem->base));
	add(insn->address, &insn->addresses, sizeof(insn->address),
	    scoreboard_register(mem->index));
	if (mem->type == ZYDIS_MEMOP_TYPE_AGEN)
		return;
	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		insn->loads++;
	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		insn->stores++;
	if (mem->index)
		insn->indexed = true;
	if (op->size < 32)
		insn->narrow = true;
}

/* x87 instructions that move the top of the stack. */
static int8_t x87_push(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_FLD:
	case ZYDIS_MNEMONIC_FILD:
	case ZYDIS_MNEMONIC_FBLD:
	case ZYDIS_MNEMONIC_FLD1:
	case ZYDIS_MNEMONIC_FLDL2E:
	case ZYDIS_MNEMONIC_FLDL2T:
	case ZYDIS_MNEMONIC_FLDLG2:
	case ZYDIS_MNEMONIC_FLDLN2:
	case ZYDIS_MNEMONIC_FLDPI:
	case ZYDIS_MNEMONIC_FLDZ:
	case ZYDIS_MNEMONIC_FPTAN:
	case ZYDIS_MNEMONIC_FSINCOS:
	case ZYDIS_MNEMONIC_FXTRACT:
	case ZYDIS_MNEMONIC_FDECSTP:
		return 1;
	case ZYDIS_MNEMONIC_FSTP:
	case ZYDIS_MNEMONIC_FISTP:
	case ZYDIS_MNEMONIC_FISTTP:
	case ZYDIS_MNEMONIC_FBSTP:
	case ZYDIS_MNEMONIC_FADDP:
	case ZYDIS_MNEMONIC_FMULP:
	case ZYDIS_MNEMONIC_FSUBP:
	case ZYDIS_MNEMONIC_FSUBRP:
	case ZYDIS_MNEMONIC_FDIVP:
	case ZYDIS_MNEMONIC_FDIVRP:
	case ZYDIS_MNEMONIC_FCOMP:
	case ZYDIS_MNEMONIC_FICOMP:
	case ZYDIS_MNEMONIC_FUCOMP:
	case ZYDIS_MNEMONIC_FCOMIP:
	case ZYDIS_MNEMONIC_FUCOMIP:
	case ZYDIS_MNEMONIC_FPATAN:
	case ZYDIS_MNEMONIC_FYL2X:
	case ZYDIS_MNEMONIC_FYL2XP1:
	case ZYDIS_MNEMONIC_FFREEP:
	case ZYDIS_MNEMONIC_FINCSTP:
		return -1;
	case ZYDIS_MNEMONIC_FCOMPP:
	case ZYDIS_MNEMONIC_FUCOMPP:
		return -2;
	default:
		return 0;
	}
}

/* As the list of sandybridge describes slow LEAs. */
static bool is_slow_lea(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	const ZydisDecodedOperandMem *mem = &ops[1].mem;

	return zi->mnemonic == ZYDIS_MNEMONIC_LEA &&
	       (zi->address_width == 16 || mem->base == ZYDIS_REGISTER_RIP ||
	        (mem->base != ZYDIS_REGISTER_NONE && mem->index != ZYDIS_REGISTER_NONE &&
	         zi->raw.disp.size));
}

static bool moves_stack(const ZydisDecodedInstruction *zi)
{
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
		return true;
	default:
		return false;
	}
}

/* What macro-fusion and the front end must know. */
static uint16_t kind_flags(const struct core_machine *m, const ZydisDecodedInstruction *zi)
{
	uint16_t flags = 0;

	if (moves_stack(zi))
		flags |= CORE_STACK;
	if (zi->meta.category == ZYDIS_CATEGORY_COND_BR)
		flags |= CORE_BRANCH | CORE_COND;
	if (zi->meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	    zi->meta.category == ZYDIS_CATEGORY_CALL || zi->meta.category == ZYDIS_CATEGORY_RET)
		flags |= CORE_BRANCH;
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_JCXZ:
	case ZYDIS_MNEMONIC_JECXZ:
	case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_LOOP:
	case ZYDIS_MNEMONIC_LOOPE:
	case ZYDIS_MNEMONIC_LOOPNE:
		flags &= (uint16_t)~CORE_COND;
		break;
	case ZYDIS_MNEMONIC_CMP:
	case ZYDIS_MNEMONIC_TEST:
		flags |= m->p.macro_fusion ? CORE_TEST : 0;
		break;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		flags |= m->p.macro_fusion > 1 ? CORE_TEST : 0;
		break;
	default:
		break;
	}
	if (zi->attributes & ZYDIS_ATTRIB_HAS_LOCK || zi->mnemonic == ZYDIS_MNEMONIC_XCHG)
		flags |= CORE_LOCK;
	/* an operand size prefix that makes an immediate shorter */
	for (unsigned i = 0; i < 2; i++)
		if (zi->attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE && zi->raw.imm[i].size == 16 &&
		    !zi->raw.imm[i].is_relative)
			flags |= CORE_LCP;
	if (zi->attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE && zi->opcode == 0xf7 &&
	    zi->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && !(flags & CORE_LCP))
		flags |= CORE_F7;
	return flags;
}

/* An immediate that is not the sign extension of 16 bits. */
static bool wide_immediate(const ZydisDecodedInstruction *zi)
{
	int64_t value = zi->raw.imm[0].value.s;

	return zi->raw.imm[0].size >= 32 && !zi->raw.imm[0].is_relative && value != (int16_t)value;
}

/* Uops that are in the row, without those that only occupy a unit. */
static unsigned computing(const struct core_insn *insn)
{
	unsigned n = 0;

	for (unsigned i = 0; i < insn->uops; i++)
		n += insn->uop[i].ports ? insn->uop[i].count : 0;
	return n;
}

void core_fused(const struct core_machine *m, const struct core_insn *insn, unsigned *loads,
                unsigned *stores)
{
	*loads = m->p.fuse_load && insn->loads <= computing(insn) ? insn->loads : 0;
	*stores = m->p.fuse_store ? insn->stores : 0;
}

/* Uops of the fused domain. */
static uint8_t fused_uops(const struct core_machine *m, const struct core_insn *insn)
{
	unsigned compute = computing(insn), memory;

	memory = insn->stores * (m->p.fuse_store ? 1u : 2u);
	if (!m->p.fuse_load || !compute || insn->loads > compute)
		memory += insn->loads;
	if (m->p.fuse_store > 1 && insn->loads && insn->stores && compute)
		memory--; /* read, compute and write are one */
	compute += memory;
	if (insn->flags & CORE_SWAP && insn->dst[0] < CORE_CF) /* XCHG */
		compute = 2;
	return (uint8_t)(compute > 255 ? 255 : compute ? compute : 1);
}

unsigned core_angle(double angle, bool cosine)
{
	double turns = floor(fabs(angle) / M_PI_2 + 0.5);
	double rest = fabs(fabs(angle) - turns * M_PI_2);
	bool odd = fmod(turns, 2) > 0;

	if (rest == 0 && !odd && turns == 0)
		return 0;
	return (odd == cosine ? 1 : 3) + (rest >= 0.25) + (turns > 1 ? 8 : 0);
}

unsigned core_quotient(unsigned bits)
{
	return !bits ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 3 : 4;
}

/* The i of ST(i); 8: memory. */
static uint8_t x87_operand(const ZydisDecodedOperand *op)
{
	if (op->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    ZydisRegisterGetClass(op->reg.value) == ZYDIS_REGCLASS_X87)
		return (uint8_t)ZydisRegisterGetId(op->reg.value);
	return 8;
}

/* Which operands decide on the time of an instruction. */
static void find_case(struct core_insn *insn, const ZydisDecodedInstruction *zi,
                      const ZydisDecodedOperand *ops)
{
	bool reverse = false;

	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_FSIN:
		insn->kind = CORE_SINE;
		return;
	case ZYDIS_MNEMONIC_FCOS:
	case ZYDIS_MNEMONIC_FSINCOS:
		insn->kind = CORE_COSINE;
		return;
	case ZYDIS_MNEMONIC_FSQRT:
		insn->kind = CORE_ROOT;
		return;
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
		insn->kind = CORE_QUOTIENT;
		return;
	case ZYDIS_MNEMONIC_FDIVR:
	case ZYDIS_MNEMONIC_FDIVRP:
	case ZYDIS_MNEMONIC_FIDIVR:
		reverse = true;
		break;
	case ZYDIS_MNEMONIC_FDIV:
	case ZYDIS_MNEMONIC_FDIVP:
	case ZYDIS_MNEMONIC_FIDIV:
		break;
	default:
		return;
	}
	insn->kind = CORE_DIVISION;
	insn->operand[reverse] = x87_operand(&ops[0]);
	insn->operand[!reverse] = x87_operand(&ops[1]);
	/* with an operand in memory the other one is ST(0) */
	if (zi->operand_count_visible == 1) {
		insn->operand[reverse] = 0;
		insn->operand[!reverse] = 8;
	}
}

/* What the time of a division depends on. */
static void find_quantity(struct core_insn *insn, const ZydisDecodedInstruction *zi,
                          const ZydisDecodedOperand *ops)
{
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
		insn->quotient = (uint8_t)ops[0].size;
		insn->negative = zi->mnemonic == ZYDIS_MNEMONIC_IDIV;
		break;
	case ZYDIS_MNEMONIC_FDIV:
	case ZYDIS_MNEMONIC_FDIVP:
	case ZYDIS_MNEMONIC_FDIVR:
	case ZYDIS_MNEMONIC_FDIVRP:
	case ZYDIS_MNEMONIC_FIDIV:
	case ZYDIS_MNEMONIC_FIDIVR:
	case ZYDIS_MNEMONIC_FSQRT:
		insn->precision = true;
		break;
	default:
		break;
	}
}

static void take_row(struct core_insn *insn, const struct core_row *row)
{
	insn->flags |= row->flags;
	insn->uops = row->uops;
	for (unsigned i = 0; i < row->uops; i++)
		insn->occupies |= !row->uop[i].ports;
	memcpy(insn->uop, row->uop, sizeof(insn->uop));
	memcpy(insn->latency, row->latency, sizeof(insn->latency));
	insn->slope = row->slope;
	insn->cases = row->cases;
	memcpy(insn->more, row->more, sizeof(insn->more));
	if (insn->flags & (CORE_ZERO | CORE_BREAKS))
		insn->srcs = 0;
}

/* Bits 8 to 15 of an operand are moved down first. Rows of AAD and the like have that in them. */
static void read_high_bytes(const struct core_machine *m, struct core_insn *insn,
                            const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	for (unsigned i = 0; i < zi->operand_count && insn->srcs; i++) {
		if (ops[i].type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    ops[i].visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT ||
		    !is_high_byte(ops[i].reg.value) ||
		    !(ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ))
			continue;
		insn->latency[0] += m->p.high_byte;
		insn->latency[1] += m->p.high_byte;
		return;
	}
}

/* The second register that is written, which may come later than the first. */
static void find_second(struct core_insn *insn)
{
	unsigned seen = 0;

	insn->second = NO_REGISTER;
	for (unsigned i = 0; i < insn->dsts; i++) {
		bool flags = insn->dst[i] == CORE_CF || insn->dst[i] == CORE_FLAGS;

		if (!flags && seen++) {
			insn->second = (uint8_t)i;
			return;
		}
	}
}

/* What a load of this kind takes in the first level. */
static uint16_t load_time(const struct core_machine *m, const struct core_insn *insn)
{
	unsigned time = m->p.load;

	if (insn->load_kind == CORE_LOAD_VECTOR)
		time = m->p.load_vector;
	else if (insn->load_kind == CORE_LOAD_X87)
		time = m->p.load_x87;
	return (uint16_t)(time + (insn->indexed ? m->p.load_indexed : 0) +
	                  (insn->narrow ? m->p.load_narrow : 0));
}

/* General registers of a list, a bit each. */
static uint16_t general_bits(const uint8_t *list, unsigned count)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < count; i++)
		bits |= list[i] < CORE_CF ? 1u << list[i] : 0;
	return (uint16_t)bits;
}

static bool has_x87(const uint8_t *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (list[i] >= CORE_ST && list[i] < CORE_MM)
			return true;
	return false;
}

/* The group of core_insn that follows from what is already there. */
static void prepare(const struct core_machine *m, struct core_insn *insn)
{
	const struct core_uop *u = &insn->uop[0];

	insn->plain = !(insn->flags & (CORE_FENCE | CORE_SERIAL | CORE_LOCK | CORE_SWAP)) &&
	              !insn->slope && !insn->cases && !insn->occupies && !insn->push &&
	              !has_x87(insn->src, insn->srcs) && !has_x87(insn->dst, insn->dsts) &&
	              insn->srcs <= PLAIN_SOURCES && insn->addresses <= PLAIN_ADDRESSES &&
	              insn->dsts <= PLAIN_RESULTS;
	insn->one_latency =
		!insn->moves && insn->second == NO_REGISTER && !(insn->flags & CORE_CARRY);
	insn->chases = !insn->indexed && insn->load_kind == CORE_LOAD_GPR && insn->addresses == 1;
	insn->nop = !insn->uops && !insn->dsts && !insn->loads && !insn->stores &&
	            !(insn->flags & CORE_BRANCH);
	insn->first = insn->flags & CORE_COMPLEX || insn->fused >= m->p.decode_uops;
	insn->slow_decode = insn->prefixes || insn->flags & (CORE_LCP | CORE_F7 | CORE_MICROCODE);
	insn->single = insn->uops == 1 && u->count == 1 && u->busy == 1 ? u->ports : 0;
	if (insn->single & m->p.port_queues)
		insn->single = 0;
	insn->general = general_bits(insn->dst, insn->dsts);
	if (insn->load_kind == CORE_LOAD_GPR && insn->loads && !insn->uops)
		insn->loaded = insn->general;
	insn->bases = general_bits(insn->address, insn->addresses);
	insn->reads = insn->bases | general_bits(insn->src, insn->srcs);
	insn->load_time = load_time(m, insn);
	insn->longest = insn->latency[insn->latency[1] > insn->latency[0]];
	for (unsigned i = 0; i < insn->uops; i++)
		if (insn->uop[i].ports && insn->longest < CORE_TICKS)
			insn->longest = CORE_TICKS;
	memset(insn->src + insn->srcs, CORE_NOTHING, sizeof(insn->src) - insn->srcs);
	memset(insn->address + insn->addresses, CORE_NOTHING,
	       sizeof(insn->address) - insn->addresses);
	memset(insn->dst + insn->dsts, CORE_NOWHERE, sizeof(insn->dst) - insn->dsts);
}

struct core_insn core_decode(const struct core_machine *m, const ZydisDecodedInstruction *zi,
                             const ZydisDecodedOperand *ops)
{
	const struct core_row *row = core_row_find(m, zi, ops);
	struct core_insn insn = { .length = zi->length, .prefixes = zi->raw.prefix_count };

	if (m->p.prefix_group && zi->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
		insn.prefixes += zi->opcode_map == ZYDIS_OPCODE_MAP_0F ? 1 : 2;
	insn.flags = kind_flags(m, zi);
	insn.wide_immediate = m->p.wide_immediates && wide_immediate(zi);
	for (unsigned i = 0; i < zi->operand_count; i++) {
		const ZydisDecodedOperand *op = &ops[i];

		if (op->type == ZYDIS_OPERAND_TYPE_MEMORY)
			add_memory(m, &insn, op);
		else if (op->type == ZYDIS_OPERAND_TYPE_REGISTER)
			add_register(m, &insn, zi, op);
		if (op->type != ZYDIS_OPERAND_TYPE_REGISTER)
			continue;
		if (ZydisRegisterGetClass(op->reg.value) == ZYDIS_REGCLASS_X87)
			insn.load_kind = CORE_LOAD_X87;
		if (ZydisRegisterGetClass(op->reg.value) == ZYDIS_REGCLASS_XMM ||
		    ZydisRegisterGetClass(op->reg.value) == ZYDIS_REGCLASS_MMX)
			insn.load_kind = CORE_LOAD_VECTOR;
	}
	if (zi->meta.category == ZYDIS_CATEGORY_NOP || zi->meta.category == ZYDIS_CATEGORY_WIDENOP)
		insn.srcs = insn.addresses = insn.loads = insn.stores = 0;
	else
		add_flags(m, &insn, zi);
	insn.push = x87_push(zi->mnemonic);
	insn.pauses = zi->mnemonic == ZYDIS_MNEMONIC_PAUSE;
	insn.slow_lea = is_slow_lea(zi, ops);
	if (zi->mnemonic == ZYDIS_MNEMONIC_FXCH)
		insn.swap =
			(uint8_t)ZydisRegisterGetId(ops[zi->operand_count_visible > 1].reg.value);
	if (row)
		take_row(&insn, row);
	/* an address that is computed, not accessed */
	if (!insn.loads && !insn.stores) {
		for (unsigned i = 0; i < insn.addresses; i++) {
			add_source(&insn, insn.address[i]);
			if (insn.address[i] < CORE_CF)
				insn.wide |= (uint16_t)(1u << insn.address[i]);
		}
		insn.addresses = 0;
	}
	read_high_bytes(m, &insn, zi, ops);
	if (!insn.loads) /* XCHG of registers */
		insn.flags &= (uint16_t)~CORE_LOCK;
	find_second(&insn);
	find_quantity(&insn, zi, ops);
	if (insn.cases)
		find_case(&insn, zi, ops);
	insn.fused = fused_uops(m, &insn);
	prepare(m, &insn);
	return insn;
}
