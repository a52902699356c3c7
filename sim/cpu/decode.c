/*
 * sim/cpu/decode.c - decodes each instruction once and keeps what execution and counters need of
 * it.
 *
 * Decoded instructions are found by physical address, so two mappings of one page share them and a
 * store to the page drops them for all.
 */
#include "sim/cpu/decode.h"

#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/cpuid.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/model/models.h"

enum { POOL_BLOCK = 512 };

/* Instructions are never freed one by one, but used again. */
struct insn_pool {
	struct block {
		struct block *next;
		struct insn insn[POOL_BLOCK];
	} * blocks;
	unsigned used;
	struct insn *spare[POOL_BLOCK];
	unsigned spares;
};

static struct insn *pool_take(struct machine *pc)
{
	struct insn_pool *pool = pc->insns;
	struct block *block;

	if (!pool)
		pool = pc->insns = calloc(1, sizeof(*pool));
	if (!pool)
		return NULL;
	if (pool->spares)
		return pool->spare[--pool->spares];
	if (!pool->blocks || pool->used == POOL_BLOCK) {
		block = malloc(sizeof(*block));
		if (!block)
			return NULL;
		block->next = pool->blocks;
		pool->blocks = block;
		pool->used = 0;
	}
	return &pool->blocks->insn[pool->used++];
}

static void pool_give(struct machine *pc, struct insn *insn)
{
	struct insn_pool *pool = pc->insns;

	for (unsigned i = 0; i < pc->cpus; i++)
		if (pc->cpu[i].flight.insn == insn)
			return; /* in flight: let it be lost rather than used twice */
	if (pool->spares < POOL_BLOCK)
		pool->spare[pool->spares++] = insn;
}

void decode_free(struct machine *pc)
{
	for (unsigned k = 0; k < KINDS; k++) {
		for (uint64_t i = 0; pc->code_pages[k] && i < pc->ram_end >> 12; i++)
			free(pc->code_pages[k][i]);
		free(pc->code_pages[k]);
		pc->code_pages[k] = NULL;
	}
	while (pc->insns && pc->insns->blocks) {
		struct block *next = pc->insns->blocks->next;

		free(pc->insns->blocks);
		pc->insns->blocks = next;
	}
	free(pc->insns);
	pc->insns = NULL;
}

static void forget(struct machine *pc, struct code_page **pages, uint64_t physical, uint64_t size)
{
	uint64_t from = physical > 14 ? physical - 14 : 0;

	for (uint64_t p = from; p < physical + size && p < pc->ram_end; p++) {
		struct code_page *code = pages[p >> 12];
		struct insn *insn;

		if (!code) {
			p |= 4095;
			continue;
		}
		insn = code->insn[p & 4095];
		if (!insn || p + insn->length <= physical)
			continue;
		code->insn[p & 4095] = NULL;
		pool_give(pc, insn);
	}
}

void decode_forget(struct machine *pc, uint64_t physical, uint64_t size)
{
	for (unsigned k = 0; k < KINDS && pc->code_pages[k]; k++)
		forget(pc, pc->code_pages[k], physical, size);
}

static void add(struct insn *insn, enum sim_signal sig, unsigned n)
{
	_Static_assert(SIG_DTLB_LOAD_MISS < 256, "struct insn holds what decoding adds in bytes");
	if (!n || insn->signals == INSN_SIGNALS)
		return;
	insn->signal[insn->signals] = (uint8_t)sig;
	insn->count[insn->signals++] = (uint8_t)n;
}

/* ---- Which CPUID bit an instruction needs ---- */

struct isa_row {
	uint16_t first, last; /* ZydisISASet */
	uint32_t leaf;        /* CPUID */
	uint8_t reg, bit;
};

enum { EAX, EBX, ECX, EDX };

/* Never there: the execution engine cannot do it, and the CPUID data is masked alike (cpuid.c). */
enum { LEAF_NEVER = 0xffffffff };

/* clang-format off */
#define ISA(set, leaf, reg, bit) { ZYDIS_ISA_SET_##set, ZYDIS_ISA_SET_##set, leaf, reg, bit }
#define ISA_RANGE(a, b, leaf, reg, bit) { ZYDIS_ISA_SET_##a, ZYDIS_ISA_SET_##b, leaf, reg, bit }
static const struct isa_row isa_rows[] = {
	ISA(ADOX_ADCX,       7, EBX, 19),
	ISA(AES,             1, ECX, 25),
	ISA_RANGE(AMD3DNOW, AVX_VNNI, LEAF_NEVER, 0, 0),
	ISA_RANGE(BMI1, CET, LEAF_NEVER, 0, 0),
	ISA(CLFLUSHOPT,      7, EBX, 23),
	ISA(CLFSH,           1, EDX, 19),
	ISA(CLWB,            7, EBX, 24),
	ISA(CLZERO,          LEAF_NEVER, 0, 0),
	ISA(CMOV,            1, EDX, 15),
	ISA(CMPXCHG16B,      1, ECX, 13),
	ISA_RANGE(ENQCMD, F16C, LEAF_NEVER, 0, 0),
	ISA(FCMOV,           1, EDX, 15),
	ISA_RANGE(FMA, FMA4, LEAF_NEVER, 0, 0),
	ISA(FXSAVE,          1, EDX, 24),
	ISA(FXSAVE64,        1, EDX, 24),
	ISA_RANGE(GFNI, HRESET, LEAF_NEVER, 0, 0),
	ISA(INVPCID,         7, EBX, 10),
	ISA_RANGE(KEYLOCKER, KNC_PF_HINT, LEAF_NEVER, 0, 0),
	ISA(LONGMODE,        0x80000001, EDX, 29),
	ISA(LWP,             LEAF_NEVER, 0, 0),
	ISA(LZCNT,           0x80000001, ECX, 5),
	ISA(MCOMMIT,         LEAF_NEVER, 0, 0),
	ISA(MONITOR,         1, ECX, 3),
	ISA(MONITORX,        LEAF_NEVER, 0, 0),
	ISA(MOVBE,           1, ECX, 22),
	ISA_RANGE(MOVDIR, PADLOCK_RNG, LEAF_NEVER, 0, 0),
	ISA(PCLMULQDQ,       1, ECX, 1),
	ISA(PCONFIG,         LEAF_NEVER, 0, 0),
	ISA(PENTIUMMMX,      1, EDX, 23),
	ISA(PKU,             LEAF_NEVER, 0, 0),
	ISA(POPCNT,          1, ECX, 23),
	ISA(PT,              LEAF_NEVER, 0, 0),
	ISA(RDPID,           LEAF_NEVER, 0, 0),
	ISA_RANGE(RDPRU, RDSEED, LEAF_NEVER, 0, 0),
	ISA(RDTSCP,          0x80000001, EDX, 27),
	ISA_RANGE(RDWRFSGS, SNP, LEAF_NEVER, 0, 0),
	ISA(SSE,             1, EDX, 25),
	ISA(SSE2,            1, EDX, 26),
	ISA(SSE2MMX,         1, EDX, 26),
	ISA(SSE3,            1, ECX, 0),
	ISA(SSE3X87,         1, ECX, 0),
	ISA(SSE4,            1, ECX, 19),
	ISA(SSE42,           1, ECX, 20),
	ISA(SSE4A,           LEAF_NEVER, 0, 0),
	ISA(SSEMXCSR,        1, EDX, 25),
	ISA(SSE_PREFETCH,    1, EDX, 25),
	ISA(SSSE3,           1, ECX, 9),
	ISA(SSSE3MMX,        1, ECX, 9),
	ISA_RANGE(SVM, WAITPKG, LEAF_NEVER, 0, 0),
	ISA_RANGE(XOP, XSAVES, LEAF_NEVER, 0, 0),
	ISA(PPRO,            1, EDX, 15),
	ISA(FAT_NOP,         1, EDX, 15),
	ISA(PREFETCH_NOP,    1, EDX, 15),
};
/* clang-format on */

/*
 * AMD has SYSCALL in every mode. Intel has it in 64-bit mode only, on every CPU that has such a
 * mode; CPUID shows the bit in that mode only (SDM 2B, SYSCALL).
 */
static bool has_syscall(const struct model *model, ZydisMachineMode mode)
{
	if (model->vendor == VENDOR_AMD)
		return cpuid_bit(model, 0x80000001, 0, EDX, 11);
	return mode == ZYDIS_MACHINE_MODE_LONG_64 && cpuid_bit(model, 0x80000001, 0, EDX, 29);
}

static bool model_has(const struct model *model, const ZydisDecodedInstruction *zi)
{
	unsigned set = zi->meta.isa_set;

	if (zi->mnemonic == ZYDIS_MNEMONIC_RDPMC)
		return model->flags & MODEL_RDPMC;
	/* REP BSF to a CPU without BMI; hints that older CPUs take for long NOPs */
	if (zi->mnemonic == ZYDIS_MNEMONIC_TZCNT)
		return true;
	if (zi->mnemonic == ZYDIS_MNEMONIC_ENDBR32 || zi->mnemonic == ZYDIS_MNEMONIC_ENDBR64 ||
	    zi->mnemonic == ZYDIS_MNEMONIC_RDSSPD || zi->mnemonic == ZYDIS_MNEMONIC_RDSSPQ)
		return cpuid_bit(model, 1, 0, EDX, 15);
	/* MMX extensions of SSE also came with the first Athlon */
	if ((set == ZYDIS_ISA_SET_SSE || set == ZYDIS_ISA_SET_SSE_PREFETCH) &&
	    model->vendor == VENDOR_AMD && cpuid_bit(model, 0x80000001, 0, EDX, 22) &&
	    (zi->meta.category == ZYDIS_CATEGORY_MMX ||
	     zi->meta.category == ZYDIS_CATEGORY_PREFETCH || zi->mnemonic == ZYDIS_MNEMONIC_SFENCE))
		return true;
	if (zi->mnemonic == ZYDIS_MNEMONIC_SYSENTER || zi->mnemonic == ZYDIS_MNEMONIC_SYSEXIT)
		return cpuid_bit(model, 1, 0, EDX, 11);
	if (zi->mnemonic == ZYDIS_MNEMONIC_SYSCALL || zi->mnemonic == ZYDIS_MNEMONIC_SYSRET)
		return has_syscall(model, zi->machine_mode);
	for (unsigned i = 0; i < sizeof(isa_rows) / sizeof(isa_rows[0]); i++) {
		const struct isa_row *row = &isa_rows[i];

		if (set >= row->first && set <= row->last)
			return row->leaf != LEAF_NEVER &&
			       cpuid_bit(model, row->leaf, 0, row->reg, row->bit);
	}
	return true;
}

/* ---- What the simulator does with an instruction ---- */

struct kind_row {
	ZydisMnemonic mnemonic;
	uint8_t kind;
	uint16_t flags;
};

/* clang-format off */
static const struct kind_row kind_rows[] = {
	{ ZYDIS_MNEMONIC_CPUID,    K_CPUID,    0 },
	{ ZYDIS_MNEMONIC_RDTSC,    K_RDTSC,    0 },
	{ ZYDIS_MNEMONIC_RDTSCP,   K_RDTSCP,   0 },
	{ ZYDIS_MNEMONIC_RDMSR,    K_RDMSR,    0 },
	{ ZYDIS_MNEMONIC_WRMSR,    K_WRMSR,    I_MODE | I_FLUSH },
	{ ZYDIS_MNEMONIC_RDPMC,    K_RDPMC,    0 },
	{ ZYDIS_MNEMONIC_IN,       K_IN,       0 },
	{ ZYDIS_MNEMONIC_OUT,      K_OUT,      0 },
	{ ZYDIS_MNEMONIC_INSB,     K_INS,      I_LOOSE },
	{ ZYDIS_MNEMONIC_INSW,     K_INS,      I_LOOSE },
	{ ZYDIS_MNEMONIC_INSD,     K_INS,      I_LOOSE },
	{ ZYDIS_MNEMONIC_OUTSB,    K_OUTS,     I_LOOSE },
	{ ZYDIS_MNEMONIC_OUTSW,    K_OUTS,     I_LOOSE },
	{ ZYDIS_MNEMONIC_OUTSD,    K_OUTS,     I_LOOSE },
	{ ZYDIS_MNEMONIC_HLT,      K_HLT,      0 },
	{ ZYDIS_MNEMONIC_INT,      K_INT,      I_MODE },
	{ ZYDIS_MNEMONIC_INT1,     K_INT1,     I_MODE },
	{ ZYDIS_MNEMONIC_INT3,     K_INT3,     I_MODE },
	{ ZYDIS_MNEMONIC_INTO,     K_INTO,     I_MODE },
	{ ZYDIS_MNEMONIC_IRET,     K_IRET,     I_MODE },
	{ ZYDIS_MNEMONIC_IRETD,    K_IRET,     I_MODE },
	{ ZYDIS_MNEMONIC_IRETQ,    K_IRET,     I_MODE },
	{ ZYDIS_MNEMONIC_MONITOR,  K_MONITOR,  0 },
	{ ZYDIS_MNEMONIC_MWAIT,    K_MWAIT,    0 },
	{ ZYDIS_MNEMONIC_WBINVD,   K_WBINVD,   0 },
	{ ZYDIS_MNEMONIC_INVD,     K_WBINVD,   0 },
	{ ZYDIS_MNEMONIC_INVLPG,   K_INVLPG,   I_FLUSH },
	{ ZYDIS_MNEMONIC_INVPCID,  K_INVLPG,   I_FLUSH },
	{ ZYDIS_MNEMONIC_CLFLUSH,  K_CLFLUSH,  0 },
	{ ZYDIS_MNEMONIC_CLFLUSHOPT, K_CLFLUSH, 0 },
	{ ZYDIS_MNEMONIC_CLWB,     K_CLFLUSH,  0 },
	{ ZYDIS_MNEMONIC_PREFETCHNTA, K_PREFETCH, 0 },
	{ ZYDIS_MNEMONIC_PREFETCHT0, K_PREFETCH, 0 },
	{ ZYDIS_MNEMONIC_PREFETCHT1, K_PREFETCH, 0 },
	{ ZYDIS_MNEMONIC_PREFETCHT2, K_PREFETCH, 0 },
	{ ZYDIS_MNEMONIC_PREFETCHW, K_PREFETCH, 0 },
	{ ZYDIS_MNEMONIC_PREFETCH, K_PREFETCH, 0 },
	{ ZYDIS_MNEMONIC_RSM,      K_UNDEFINED, 0 },
	{ ZYDIS_MNEMONIC_SYSCALL,  K_SYSCALL,   I_MODE },
	{ ZYDIS_MNEMONIC_POPCNT,   K_POPCNT,   0 },
	{ ZYDIS_MNEMONIC_LGDT,     K_TABLE,    0 },
	{ ZYDIS_MNEMONIC_LIDT,     K_TABLE,    0 },
	{ ZYDIS_MNEMONIC_LLDT,     K_SELECTOR, 0 },
	{ ZYDIS_MNEMONIC_LTR,      K_SELECTOR, 0 },
	{ ZYDIS_MNEMONIC_SMSW,     K_SMSW,     0 },
	{ ZYDIS_MNEMONIC_LDMXCSR,  K_MXCSR,    0 },
	{ ZYDIS_MNEMONIC_FXRSTOR,  K_MXCSR,    0 },
	{ ZYDIS_MNEMONIC_FXRSTOR64, K_MXCSR,   0 },
	{ ZYDIS_MNEMONIC_SYSRET,   K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_SYSENTER, K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_SYSEXIT,  K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_LMSW,     K_PLAIN,    I_MODE | I_FLUSH },
	{ ZYDIS_MNEMONIC_CLTS,     K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_CLI,      K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_STI,      K_PLAIN,    I_MODE | I_SHADOW },
	{ ZYDIS_MNEMONIC_POPF,     K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_POPFD,    K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_POPFQ,    K_PLAIN,    I_MODE },
	{ ZYDIS_MNEMONIC_PUSHA,    K_PLAIN,    I_LOOSE },
	{ ZYDIS_MNEMONIC_PUSHAD,   K_PLAIN,    I_LOOSE },
	{ ZYDIS_MNEMONIC_POPA,     K_PLAIN,    I_LOOSE },
	{ ZYDIS_MNEMONIC_POPAD,    K_PLAIN,    I_LOOSE },
	{ ZYDIS_MNEMONIC_EMMS,     K_PLAIN,    I_EMMS },
};
/* clang-format on */

static void set_kind(const struct model *model, struct insn *insn,
                     const ZydisDecodedInstruction *zi)
{
	for (unsigned i = 0; i < sizeof(kind_rows) / sizeof(kind_rows[0]); i++) {
		if (kind_rows[i].mnemonic == zi->mnemonic) {
			insn->kind = kind_rows[i].kind;
			insn->flags |= kind_rows[i].flags;
		}
	}
	if (zi->mnemonic == ZYDIS_MNEMONIC_RET && zi->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		insn->kind = K_RETF;
	if (!model_has(model, zi))
		insn->kind = K_UNDEFINED;
}

static bool is_reg_class(const ZydisDecodedOperand *op, ZydisRegisterClass class)
{
	return op->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       ZydisRegisterGetClass(op->reg.value) == class;
}

/* MOV, POP or LDS and its kin load this segment register. */
static void add_segment(struct insn *insn, ZydisRegister reg)
{
	add(insn, SIG_SEGMENT_LOADS, 1);
	add(insn, SIG_SEGMENT_LOADS_ES, reg == ZYDIS_REGISTER_ES);
	add(insn, SIG_SEGMENT_LOADS_DS, reg == ZYDIS_REGISTER_DS);
	add(insn, SIG_SEGMENT_LOADS_FS, reg == ZYDIS_REGISTER_FS);
	add(insn, SIG_SEGMENT_LOADS_GS, reg == ZYDIS_REGISTER_GS);
}

/* Control registers and segment registers that are written. */
static void set_register_flags(struct insn *insn, const ZydisDecodedInstruction *zi,
                               const ZydisDecodedOperand *ops)
{
	const ZydisDecodedOperand *to = &ops[0];
	bool writes;

	if (!zi->operand_count)
		return;
	if (insn->kind == K_PLAIN && zi->operand_count > 1 &&
	    (is_reg_class(&ops[0], ZYDIS_REGCLASS_DEBUG) ||
	     is_reg_class(&ops[1], ZYDIS_REGCLASS_DEBUG)))
		insn->kind = K_DR;
	if (insn->kind == K_PLAIN && zi->operand_count > 1 &&
	    ops[1].type == ZYDIS_OPERAND_TYPE_REGISTER && ops[1].reg.value == ZYDIS_REGISTER_CR8)
		insn->kind = K_CR8_READ;
	writes = to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	if (writes && is_reg_class(to, ZYDIS_REGCLASS_CONTROL)) {
		insn->flags |= I_MODE;
		/* a write of CR3 leaves some translations (sim/step/system.c) */
		if (to->reg.value != ZYDIS_REGISTER_CR3)
			insn->flags |= I_FLUSH;
		if (insn->kind == K_PLAIN)
			insn->kind = K_CR_WRITE;
	}
	if (writes && is_reg_class(to, ZYDIS_REGCLASS_SEGMENT) &&
	    (zi->mnemonic == ZYDIS_MNEMONIC_MOV || zi->mnemonic == ZYDIS_MNEMONIC_POP)) {
		add_segment(insn, to->reg.value);
		insn->flags |= I_LOOSE | I_SEGMENT;
		if (to->reg.value == ZYDIS_REGISTER_SS)
			insn->flags |= I_SHADOW;
	}
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_LDS:
	case ZYDIS_MNEMONIC_LES:
	case ZYDIS_MNEMONIC_LFS:
	case ZYDIS_MNEMONIC_LGS:
	case ZYDIS_MNEMONIC_LSS:
		insn->flags |= I_SEGMENT;
		for (unsigned i = 0; i < zi->operand_count; i++)
			if (is_reg_class(&ops[i], ZYDIS_REGCLASS_SEGMENT) &&
			    ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
				add_segment(insn, ops[i].reg.value);
		break;
	default:
		break;
	}
}

static bool is_far(const ZydisDecodedInstruction *zi)
{
	return zi->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ||
	       zi->meta.category == ZYDIS_CATEGORY_INTERRUPT ||
	       zi->meta.category == ZYDIS_CATEGORY_SYSCALL ||
	       zi->meta.category == ZYDIS_CATEGORY_SYSRET || zi->mnemonic == ZYDIS_MNEMONIC_IRET ||
	       zi->mnemonic == ZYDIS_MNEMONIC_IRETD || zi->mnemonic == ZYDIS_MNEMONIC_IRETQ;
}

static enum sim_branch branch_kind(const ZydisDecodedInstruction *zi,
                                   const ZydisDecodedOperand *ops)
{
	bool direct = zi->operand_count && ops[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	              ops[0].imm.is_relative;

	if (is_far(zi))
		return BRANCH_FAR;
	switch (zi->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return BRANCH_COND;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return direct ? BRANCH_JUMP : BRANCH_JUMP_INDIRECT;
	case ZYDIS_CATEGORY_CALL:
		return direct ? BRANCH_CALL : BRANCH_CALL_INDIRECT;
	case ZYDIS_CATEGORY_RET:
		return BRANCH_RETURN;
	default:
		return BRANCH_NONE;
	}
}

static void set_branch(struct insn *insn, const ZydisDecodedInstruction *zi,
                       const ZydisDecodedOperand *ops)
{
	insn->branch = (uint8_t)branch_kind(zi, ops);
	if (insn->branch == BRANCH_NONE)
		return;
	if (insn->branch == BRANCH_FAR) {
		insn->flags |= I_MODE | I_LOOSE;
		add(insn, SIG_SEGMENT_LOADS, 1);
	}
	if (insn->branch != BRANCH_COND)
		insn->flags |= I_ALWAYS;
	if (zi->operand_count && ops[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		insn->target = ops[0].imm.value.s;
}

/* ---- Classes of instructions, for the counters ---- */

struct prefix_row {
	const char *prefix;
	uint8_t sig;
};

/* MMX instructions by the start of their mnemonic; the first row that fits. */
static const struct prefix_row mmx_rows[] = {
	{ "padds", SIG_MMX_SATURATING },
	{ "paddus", SIG_MMX_SATURATING },
	{ "psubs", SIG_MMX_SATURATING },
	{ "psubus", SIG_MMX_SATURATING },
	{ "pack", SIG_MMX_PACK },
	{ "punpck", SIG_MMX_UNPACK },
	{ "pmul", SIG_MMX_MUL },
	{ "pmadd", SIG_MMX_MUL },
	{ "psll", SIG_MMX_SHIFT },
	{ "psrl", SIG_MMX_SHIFT },
	{ "psra", SIG_MMX_SHIFT },
	{ "pand", SIG_MMX_LOGICAL },
	{ "por", SIG_MMX_LOGICAL },
	{ "pxor", SIG_MMX_LOGICAL },
	{ "padd", SIG_MMX_ARITH },
	{ "psub", SIG_MMX_ARITH },
	{ "pcmp", SIG_MMX_ARITH },
	{ "pshuf", SIG_MMX_SHUFFLE },
	{ NULL, 0 },
};

/* What they compute, saturating or not, as Zen counts it. */
static const struct prefix_row mmx_operation_rows[] = {
	{ "padd", SIG_MMX_ADD },    { "psub", SIG_MMX_SUB },
	{ "pcmp", SIG_MMX_CMP },    { "pmul", SIG_MMX_MUL_ONLY },
	{ "pmadd", SIG_MMX_MAC },   { "mov", SIG_MMX_MOV },
	{ "maskmov", SIG_MMX_MOV }, { NULL, 0 },
};

/* The same on XMM registers. */
static const struct prefix_row xmm_rows[] = {
	{ "padd", SIG_SSE_INT_ADD },     { "psub", SIG_SSE_INT_SUB },
	{ "pcmp", SIG_SSE_INT_CMP },     { "pmul", SIG_SSE_INT_MUL },
	{ "pmadd", SIG_SSE_INT_MAC },    { "psll", SIG_SSE_INT_SHIFT },
	{ "psrl", SIG_SSE_INT_SHIFT },   { "psra", SIG_SSE_INT_SHIFT },
	{ "pack", SIG_SSE_INT_PACK },    { "punpck", SIG_SSE_INT_UNPACK },
	{ "pand", SIG_SSE_INT_LOGICAL }, { "por", SIG_SSE_INT_LOGICAL },
	{ "pxor", SIG_SSE_INT_LOGICAL }, { "pshuf", SIG_SSE_INT_SHUFFLE },
	{ "", SIG_SSE_INT_OTHER },       { NULL, 0 },
};

/* Moves of integers on XMM registers. */
static bool moves_integers(ZydisMnemonic mnemonic)
{
	static const ZydisMnemonic moves[] = {
		ZYDIS_MNEMONIC_MOVD,    ZYDIS_MNEMONIC_MOVQ,     ZYDIS_MNEMONIC_MOVDQA,
		ZYDIS_MNEMONIC_MOVDQU,  ZYDIS_MNEMONIC_LDDQU,    ZYDIS_MNEMONIC_MASKMOVDQU,
		ZYDIS_MNEMONIC_MOVNTDQ, ZYDIS_MNEMONIC_MOVNTDQA,
	};

	for (unsigned i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		if (moves[i] == mnemonic)
			return true;
	return false;
}

/* SIG_COUNT: of no kind that is counted. */
static enum sim_signal kind_of(const struct prefix_row *rows, const char *name)
{
	for (; rows->prefix; rows++)
		if (!strncmp(name, rows->prefix, strlen(rows->prefix)))
			return (enum sim_signal)rows->sig;
	return SIG_COUNT;
}

static void classify_xmm_integer(struct insn *insn, const char *name)
{
	add(insn, SIG_SSE_INT, 1);
	add(insn, kind_of(xmm_rows, name), 1);
}

/*
 * SSE arithmetic by the start of the mnemonic. `arith`: FP_ARITH_INST_RETIRED of intel/perfmon
 * counts it so many times. SIG_COUNT: no signal of that kind.
 */
struct fp_row {
	const char *prefix;
	uint16_t scalar, vector, flops;
	uint8_t arith;
};

/* clang-format off */
#define NO_SIG SIG_COUNT
static const struct fp_row fp_rows[] = {
	{ "addsub", NO_SIG,             SIG_FP_VECTOR_ADD,     SIG_FLOPS_ADD_SUB, 1 },
	{ "add",    SIG_FP_SCALAR_ADD,  SIG_FP_VECTOR_ADD,     SIG_FLOPS_ADD_SUB, 1 },
	{ "hadd",   NO_SIG,             SIG_FP_VECTOR_ADD,     SIG_FLOPS_ADD_SUB, 1 },
	{ "sub",    SIG_FP_SCALAR_SUB,  SIG_FP_VECTOR_SUB,     SIG_FLOPS_ADD_SUB, 1 },
	{ "hsub",   NO_SIG,             SIG_FP_VECTOR_SUB,     SIG_FLOPS_ADD_SUB, 1 },
	{ "mul",    SIG_FP_SCALAR_MUL,  SIG_FP_VECTOR_MUL,     SIG_FLOPS_MUL,     1 },
	{ "div",    SIG_FP_SCALAR_DIV,  SIG_FP_VECTOR_DIV,     SIG_FLOPS_DIV,     1 },
	{ "sqrt",   SIG_FP_SCALAR_SQRT, SIG_FP_VECTOR_SQRT,    SIG_FLOPS_DIV,     1 },
	{ "min",    NO_SIG,             NO_SIG,                NO_SIG,            1 },
	{ "max",    NO_SIG,             NO_SIG,                NO_SIG,            1 },
	{ "rcp",    NO_SIG,             NO_SIG,                NO_SIG,            1 },
	{ "rsqrt",  NO_SIG,             NO_SIG,                NO_SIG,            1 },
	{ "dp",     NO_SIG,             NO_SIG,                NO_SIG,            2 },
	{ "cmp",    SIG_FP_SCALAR_CMP,  SIG_FP_VECTOR_CMP,     NO_SIG,            0 },
	{ "comi",   SIG_FP_SCALAR_CMP,  NO_SIG,                NO_SIG,            0 },
	{ "ucomi",  SIG_FP_SCALAR_CMP,  NO_SIG,                NO_SIG,            0 },
	{ "cvt",    SIG_FP_SCALAR_CVT,  SIG_FP_VECTOR_CVT,     NO_SIG,            0 },
	{ "shuf",   NO_SIG,             SIG_FP_VECTOR_SHUFFLE, NO_SIG,            0 },
	{ "unpck",  NO_SIG,             SIG_FP_VECTOR_SHUFFLE, NO_SIG,            0 },
	{ "blend",  NO_SIG,             SIG_FP_VECTOR_BLEND,   NO_SIG,            0 },
	{ "and",    NO_SIG,             SIG_FP_VECTOR_LOGICAL, NO_SIG,            0 },
	{ "or",     NO_SIG,             SIG_FP_VECTOR_LOGICAL, NO_SIG,            0 },
	{ "xor",    NO_SIG,             SIG_FP_VECTOR_LOGICAL, NO_SIG,            0 },
};
#undef NO_SIG

/* By precision: single, double; and by width: scalar, packed. */
static const struct {
	uint8_t all, ops, arith, lanes;
} fp_types[2][2] = {
	{ { SIG_SSE_SS, SIG_SSE_SS_OPS, SIG_FP_ARITH_SS, 1 },
	  { SIG_SSE_PS, SIG_SSE_PS_OPS, SIG_FP_ARITH_PS, 4 } },
	{ { SIG_SSE_SD, SIG_SSE_SD_OPS, SIG_FP_ARITH_SD, 1 },
	  { SIG_SSE_PD, SIG_SSE_PD_OPS, SIG_FP_ARITH_PD, 2 } },
};
/* clang-format on */

static void classify_fp(struct insn *insn, const char *name, bool dbl, bool packed, bool moves)
{
	enum sim_signal other = packed ? SIG_FP_VECTOR_OTHER : SIG_FP_SCALAR_OTHER;

	add(insn, (enum sim_signal)fp_types[dbl][packed].all, 1);
	add(insn, (enum sim_signal)fp_types[dbl][packed].ops, !moves);
	for (unsigned i = 0; i < sizeof(fp_rows) / sizeof(fp_rows[0]); i++) {
		const struct fp_row *row = &fp_rows[i];
		unsigned kind = packed ? row->vector : row->scalar;

		if (strncmp(name, row->prefix, strlen(row->prefix)))
			continue;
		add(insn, (enum sim_signal)kind, kind != SIG_COUNT);
		add(insn, other, kind == SIG_COUNT && !moves);
		add(insn, (enum sim_signal)row->flops,
		    row->flops == SIG_COUNT ? 0 : fp_types[dbl][packed].lanes);
		add(insn, (enum sim_signal)fp_types[dbl][packed].arith, row->arith);
		add(insn, SIG_SINGLE_MUL, !dbl && row->flops == SIG_FLOPS_MUL);
		return;
	}
	add(insn, other, !moves);
}

static bool uses_xmm(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	for (unsigned i = 0; i < zi->operand_count; i++)
		if (is_reg_class(&ops[i], ZYDIS_REGCLASS_XMM))
			return true;
	return false;
}

static void classify_sse(struct insn *insn, const ZydisDecodedInstruction *zi,
                         const ZydisDecodedOperand *ops)
{
	const char *name = ZydisMnemonicGetString(zi->mnemonic);
	size_t length = name ? strlen(name) : 0;
	bool moves = zi->meta.category == ZYDIS_CATEGORY_DATAXFER;
	char last, kind;

	if (length < 3)
		return;
	last = name[length - 1];
	kind = name[length - 2];
	if ((kind == 'p' || kind == 's') && (last == 's' || last == 'd') &&
	    (zi->mnemonic != ZYDIS_MNEMONIC_MOVSD || zi->meta.isa_ext == ZYDIS_ISA_EXT_SSE2)) {
		classify_fp(insn, name, last == 'd', kind == 'p', moves);
	} else if (name[0] == 'p' && uses_xmm(zi, ops)) {
		classify_xmm_integer(insn, name);
	} else if (uses_xmm(zi, ops)) {
		add(insn, SIG_SSE_INT_MOV, moves_integers(zi->mnemonic));
	}
	add(insn, SIG_SSE_INSNS, uses_xmm(zi, ops));
}

static void classify_mmx(struct insn *insn, const ZydisDecodedInstruction *zi)
{
	const char *name = ZydisMnemonicGetString(zi->mnemonic);
	enum sim_signal kind = kind_of(mmx_rows, name);
	enum sim_signal operation = kind_of(mmx_operation_rows, name);

	insn->flags |= I_MMX;
	add(insn, SIG_MMX_INSNS, 1);
	if (zi->mnemonic == ZYDIS_MNEMONIC_EMMS)
		add(insn, SIG_EMMS, 1);
	add(insn, operation, operation != SIG_COUNT);
	add(insn, SIG_MMX_OTHER, operation == SIG_COUNT && kind == SIG_COUNT);
	if (kind == SIG_COUNT)
		return;
	add(insn, kind, 1);
	/* saturating adds are arithmetic too, packing saturates too */
	add(insn, SIG_MMX_ARITH, kind == SIG_MMX_SATURATING);
	add(insn, SIG_MMX_SATURATING, kind == SIG_MMX_PACK);
}

/* x87 arithmetic beside multiplication and division. */
static const ZydisMnemonic x87_operations[] = {
	ZYDIS_MNEMONIC_FADD,    ZYDIS_MNEMONIC_FADDP,  ZYDIS_MNEMONIC_FIADD,
	ZYDIS_MNEMONIC_FSUB,    ZYDIS_MNEMONIC_FSUBP,  ZYDIS_MNEMONIC_FSUBR,
	ZYDIS_MNEMONIC_FSUBRP,  ZYDIS_MNEMONIC_FISUB,  ZYDIS_MNEMONIC_FISUBR,
	ZYDIS_MNEMONIC_FCOM,    ZYDIS_MNEMONIC_FCOMP,  ZYDIS_MNEMONIC_FCOMPP,
	ZYDIS_MNEMONIC_FUCOM,   ZYDIS_MNEMONIC_FUCOMP, ZYDIS_MNEMONIC_FUCOMPP,
	ZYDIS_MNEMONIC_FICOM,   ZYDIS_MNEMONIC_FICOMP, ZYDIS_MNEMONIC_FCOMI,
	ZYDIS_MNEMONIC_FCOMIP,  ZYDIS_MNEMONIC_FUCOMI, ZYDIS_MNEMONIC_FUCOMIP,
	ZYDIS_MNEMONIC_FTST,    ZYDIS_MNEMONIC_FSIN,   ZYDIS_MNEMONIC_FCOS,
	ZYDIS_MNEMONIC_FSINCOS, ZYDIS_MNEMONIC_FPTAN,  ZYDIS_MNEMONIC_FPATAN,
	ZYDIS_MNEMONIC_F2XM1,   ZYDIS_MNEMONIC_FYL2X,  ZYDIS_MNEMONIC_FYL2XP1,
	ZYDIS_MNEMONIC_FPREM,   ZYDIS_MNEMONIC_FPREM1, ZYDIS_MNEMONIC_FSCALE,
	ZYDIS_MNEMONIC_FRNDINT,
};

static bool is_x87_operation(ZydisMnemonic mnemonic)
{
	for (unsigned i = 0; i < sizeof(x87_operations) / sizeof(x87_operations[0]); i++)
		if (x87_operations[i] == mnemonic)
			return true;
	return false;
}

static bool is_x87_sum(ZydisMnemonic mnemonic)
{
	const char *name = ZydisMnemonicGetString(mnemonic);

	name += name[1] == 'i';
	return !strncmp(name + 1, "add", 3) || !strncmp(name + 1, "sub", 3);
}

static void classify_x87(struct insn *insn, const ZydisDecodedInstruction *zi)
{
	insn->flags |= I_X87;
	add(insn, SIG_X87_INSNS, 1);
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_FMUL:
	case ZYDIS_MNEMONIC_FMULP:
	case ZYDIS_MNEMONIC_FIMUL:
		add(insn, SIG_FP_MUL, 1);
		add(insn, SIG_X87_OPS, 1);
		break;
	case ZYDIS_MNEMONIC_FDIV:
	case ZYDIS_MNEMONIC_FDIVP:
	case ZYDIS_MNEMONIC_FDIVR:
	case ZYDIS_MNEMONIC_FDIVRP:
	case ZYDIS_MNEMONIC_FIDIV:
	case ZYDIS_MNEMONIC_FIDIVR:
	case ZYDIS_MNEMONIC_FSQRT:
		add(insn, SIG_FP_DIV, 1);
		add(insn, SIG_X87_OPS, 1);
		break;
	default:
		add(insn, SIG_X87_OPS, is_x87_operation(zi->mnemonic));
		add(insn, SIG_X87_ADD_SUB, is_x87_sum(zi->mnemonic));
		break;
	}
}

/* A move of an x87, MMX or XMM register to another register. */
static bool moves_media(const struct insn *insn, const ZydisDecodedInstruction *zi)
{
	if (insn->loads || insn->stores)
		return false;
	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_FLD:
	case ZYDIS_MNEMONIC_FST:
	case ZYDIS_MNEMONIC_FSTP:
	case ZYDIS_MNEMONIC_FXCH:
		return true;
	default:
		return !(insn->flags & I_X87) && zi->meta.category == ZYDIS_CATEGORY_DATAXFER;
	}
}

static bool is_mmx(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	if (zi->mnemonic == ZYDIS_MNEMONIC_EMMS)
		return true;
	for (unsigned i = 0; i < zi->operand_count; i++)
		if (is_reg_class(&ops[i], ZYDIS_REGCLASS_MMX))
			return true;
	return false;
}

struct signal_row {
	ZydisMnemonic mnemonic;
	uint8_t sig;
};

/* clang-format off */
static const struct signal_row signal_rows[] = {
	{ ZYDIS_MNEMONIC_MUL,         SIG_MUL },
	{ ZYDIS_MNEMONIC_IMUL,        SIG_MUL },
	{ ZYDIS_MNEMONIC_DIV,         SIG_DIV },
	{ ZYDIS_MNEMONIC_IDIV,        SIG_DIV },
	{ ZYDIS_MNEMONIC_IN,          SIG_IO_READ },
	{ ZYDIS_MNEMONIC_INSB,        SIG_IO_READ },
	{ ZYDIS_MNEMONIC_INSW,        SIG_IO_READ },
	{ ZYDIS_MNEMONIC_INSD,        SIG_IO_READ },
	{ ZYDIS_MNEMONIC_OUT,         SIG_IO_WRITE },
	{ ZYDIS_MNEMONIC_OUTSB,       SIG_IO_WRITE },
	{ ZYDIS_MNEMONIC_OUTSW,       SIG_IO_WRITE },
	{ ZYDIS_MNEMONIC_OUTSD,       SIG_IO_WRITE },
	{ ZYDIS_MNEMONIC_PREFETCHNTA, SIG_PREFETCH_NTA },
	{ ZYDIS_MNEMONIC_PREFETCHT0,  SIG_PREFETCH_T0 },
	{ ZYDIS_MNEMONIC_PREFETCHT1,  SIG_PREFETCH_T1 },
	{ ZYDIS_MNEMONIC_PREFETCHT2,  SIG_PREFETCH_T2 },
	{ ZYDIS_MNEMONIC_PREFETCHW,   SIG_PREFETCH_W },
	{ ZYDIS_MNEMONIC_PREFETCH,    SIG_PREFETCH_W },
	{ ZYDIS_MNEMONIC_MOVNTI,      SIG_WEAK_STORES },
	{ ZYDIS_MNEMONIC_MOVNTQ,      SIG_WEAK_STORES },
	{ ZYDIS_MNEMONIC_MOVNTPS,     SIG_WEAK_STORES },
	{ ZYDIS_MNEMONIC_MOVNTPD,     SIG_WEAK_STORES },
	{ ZYDIS_MNEMONIC_MOVNTDQ,     SIG_WEAK_STORES },
	{ ZYDIS_MNEMONIC_MASKMOVQ,    SIG_WEAK_STORES },
	{ ZYDIS_MNEMONIC_MASKMOVDQU,  SIG_WEAK_STORES },
	{ ZYDIS_MNEMONIC_CLFLUSH,     SIG_CLFLUSH },
	{ ZYDIS_MNEMONIC_CLFLUSHOPT,  SIG_CLFLUSH },
	{ ZYDIS_MNEMONIC_CLWB,        SIG_CLFLUSH },
	{ ZYDIS_MNEMONIC_SFENCE,      SIG_FENCES },
	{ ZYDIS_MNEMONIC_LFENCE,      SIG_FENCES },
	{ ZYDIS_MNEMONIC_MFENCE,      SIG_FENCES },
	{ ZYDIS_MNEMONIC_LFENCE,      SIG_LFENCES },
	{ ZYDIS_MNEMONIC_CPUID,       SIG_CPUIDS },
	{ ZYDIS_MNEMONIC_NOP,         SIG_NOPS },
	{ ZYDIS_MNEMONIC_PAUSE,       SIG_PAUSES },
	{ ZYDIS_MNEMONIC_DIVPS,       SIG_SSE_DIV },
	{ ZYDIS_MNEMONIC_DIVSS,       SIG_SSE_DIV },
	{ ZYDIS_MNEMONIC_DIVPD,       SIG_SSE_DIV },
	{ ZYDIS_MNEMONIC_DIVSD,       SIG_SSE_DIV },
	{ ZYDIS_MNEMONIC_SQRTPS,      SIG_SSE_DIV },
	{ ZYDIS_MNEMONIC_SQRTSS,      SIG_SSE_DIV },
	{ ZYDIS_MNEMONIC_SQRTPD,      SIG_SSE_DIV },
	{ ZYDIS_MNEMONIC_SQRTSD,      SIG_SSE_DIV },
	/* SDM 3A, "Serializing Instructions" */
	{ ZYDIS_MNEMONIC_CPUID,       SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_IRET,        SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_IRETD,       SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_IRETQ,       SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_WRMSR,       SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_INVD,        SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_WBINVD,      SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_INVLPG,      SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_INVPCID,     SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_LGDT,        SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_LIDT,        SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_LLDT,        SIG_SERIALIZING },
	{ ZYDIS_MNEMONIC_LTR,         SIG_SERIALIZING },
};
/* clang-format on */

/* One, one more for a load, two more for a store, as the P6 splits them; more when complex. */
static unsigned uops(const struct insn *insn, const ZydisDecodedInstruction *zi)
{
	unsigned n = insn->loads + 2u * insn->stores;
	bool pure_move = zi->meta.category == ZYDIS_CATEGORY_DATAXFER ||
	                 zi->meta.category == ZYDIS_CATEGORY_PUSH ||
	                 zi->meta.category == ZYDIS_CATEGORY_POP;

	switch (zi->mnemonic) {
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
		return n + 4;
	case ZYDIS_MNEMONIC_CPUID:
	case ZYDIS_MNEMONIC_WRMSR:
	case ZYDIS_MNEMONIC_RDMSR:
		return n + 20;
	default:
		break;
	}
	if (n && pure_move)
		return n;
	return n + 1;
}

/* Memory operands; a stack access is a hidden one. */
static void count_operands(struct insn *insn, const ZydisDecodedInstruction *zi,
                           const ZydisDecodedOperand *ops)
{
	for (unsigned i = 0; i < zi->operand_count; i++) {
		unsigned n = 1;

		if (ops[i].type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    ops[i].mem.type == ZYDIS_MEMOP_TYPE_AGEN ||
		    ops[i].mem.type == ZYDIS_MEMOP_TYPE_MIB)
			continue;
		if (insn->kind == K_PREFETCH || insn->kind == K_CLFLUSH || insn->kind == K_INVLPG ||
		    zi->meta.category == ZYDIS_CATEGORY_WIDENOP ||
		    zi->meta.category == ZYDIS_CATEGORY_NOP)
			continue;
		if ((zi->mnemonic == ZYDIS_MNEMONIC_PUSHA ||
		     zi->mnemonic == ZYDIS_MNEMONIC_PUSHAD || zi->mnemonic == ZYDIS_MNEMONIC_POPA ||
		     zi->mnemonic == ZYDIS_MNEMONIC_POPAD))
			n = 8;
		if (ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ)
			insn->loads += n;
		if (ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			insn->stores += n;
	}
}

/* Does one memory operand get read and written? */
static bool is_load_store(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	for (unsigned i = 0; i < zi->operand_count; i++)
		if (ops[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ &&
		    ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			return true;
	return false;
}

static void add_accesses(struct insn *insn, const ZydisDecodedInstruction *zi,
                         const ZydisDecodedOperand *ops)
{
	bool both = is_load_store(zi, ops) && insn->loads && insn->stores;

	add(insn, SIG_LOADS, insn->loads);
	add(insn, SIG_STORES, insn->stores);
	add(insn, SIG_LOAD_INSNS, insn->loads != 0);
	add(insn, SIG_STORE_INSNS, insn->stores != 0);
	add(insn, SIG_LOAD_STORES, both);
	add(insn, SIG_PLAIN_LOADS, insn->loads - both);
	add(insn, SIG_PLAIN_STORES, insn->stores - both);
}

static bool is_locked(const ZydisDecodedInstruction *zi, const struct insn *insn)
{
	return zi->attributes & ZYDIS_ATTRIB_HAS_LOCK ||
	       (zi->mnemonic == ZYDIS_MNEMONIC_XCHG && insn->loads);
}

/* Base, index and displacement as the encoding has them, whether the last is 0 or not. */
static bool is_slow_lea(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	return zi->mnemonic == ZYDIS_MNEMONIC_LEA && ops[1].mem.base != ZYDIS_REGISTER_NONE &&
	       ops[1].mem.index != ZYDIS_REGISTER_NONE && zi->raw.disp.size;
}

static int8_t general(ZydisRegister reg)
{
	return reg == ZYDIS_REGISTER_NONE || reg == ZYDIS_REGISTER_RIP
	               ? -1
	               : (int8_t)ZydisRegisterGetId(reg);
}

/* What a read adds to its base register, if it adds 1 to 2047 and has no index; else 0. */
static uint16_t small_offset(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	for (unsigned i = 0; i < zi->operand_count_visible; i++) {
		const ZydisDecodedOperandMem *mem = &ops[i].mem;

		if (ops[i].type != ZYDIS_OPERAND_TYPE_MEMORY || mem->type != ZYDIS_MEMOP_TYPE_MEM ||
		    !(ops[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ))
			continue;
		if (general(mem->base) >= 0 && mem->index == ZYDIS_REGISTER_NONE &&
		    mem->disp.value >= 1 && mem->disp.value <= 2047)
			return (uint16_t)mem->disp.value;
	}
	return 0;
}

static void classify(const struct model *model, struct insn *insn,
                     const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops)
{
	add(insn, SIG_INSTRUCTIONS, 1);
	count_operands(insn, zi, ops);
	add(insn, SIG_UOPS, uops(insn, zi));
	if (!(insn->flags & I_REP))
		add_accesses(insn, zi, ops);
	set_register_flags(insn, zi, ops);
	add(insn, SIG_TLB_FLUSHES, insn->kind == K_CR_WRITE);
	set_branch(insn, zi, ops);
	add(insn, SIG_LOCKED, is_locked(zi, insn));
	add(insn, SIG_SLOW_LEA, is_slow_lea(zi, ops));
	insn->offset = small_offset(zi, ops);
	for (unsigned i = 0; i < sizeof(signal_rows) / sizeof(signal_rows[0]); i++)
		if (signal_rows[i].mnemonic == zi->mnemonic)
			add(insn, (enum sim_signal)signal_rows[i].sig, 1);
	if (zi->meta.isa_ext == ZYDIS_ISA_EXT_X87 || zi->meta.isa_set == ZYDIS_ISA_SET_FCMOV)
		classify_x87(insn, zi);
	else if (is_mmx(zi, ops))
		classify_mmx(insn, zi);
	else if (zi->meta.isa_ext >= ZYDIS_ISA_EXT_SSE && zi->meta.isa_ext <= ZYDIS_ISA_EXT_SSSE3)
		classify_sse(insn, zi, ops);
	else if (zi->meta.isa_ext == ZYDIS_ISA_EXT_AES)
		add(insn, SIG_AES, 1);
	if (insn->flags & I_MMX) {
		add(insn, SIG_MMX_LOADS, insn->loads);
		add(insn, SIG_MMX_STORES, insn->stores);
	}
	if (insn->flags & (I_MMX | I_X87) || uses_xmm(zi, ops)) {
		add(insn, SIG_MEDIA_LOADS, insn->loads);
		add(insn, SIG_MEDIA_STORES, insn->stores);
		add(insn, SIG_MEDIA_MOVES, moves_media(insn, zi));
	}
	if (model->flags & MODEL_PIPELINE)
		insn->p5 = p5_decode(zi, ops, model->l1d.kb > 8 ? P5_P55C : P5_P54C);
}

/* What K_INT, K_IN, ... need to know of their operands. */
static void set_io(struct insn *insn, const ZydisDecodedInstruction *zi,
                   const ZydisDecodedOperand *ops)
{
	const ZydisDecodedOperand *port = NULL;

	if (insn->kind == K_INT)
		insn->imm = (uint8_t)ops[0].imm.value.u;
	if (insn->kind == K_IN)
		port = &ops[1];
	if (insn->kind == K_OUT)
		port = &ops[0];
	if (port && port->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
		insn->imm_port = true;
		insn->imm = (uint8_t)port->imm.value.u;
	}
	if (insn->kind == K_IN)
		insn->width = (uint8_t)(ops[0].size / 8);
	if (insn->kind == K_OUT)
		insn->width = (uint8_t)(ops[1].size / 8);
	if (insn->kind == K_INS || insn->kind == K_OUTS)
		insn->width = (uint8_t)((insn->kind == K_INS ? ops[0].size : ops[1].size) / 8);
	if (zi->address_width == 16)
		insn->flags |= I_ADDRESS16;
	if (zi->address_width == 32)
		insn->flags |= I_ADDRESS32;
}

static ZyanStatus decode(unsigned mode, const uint8_t *bytes, size_t size,
                         ZydisDecodedInstruction *zi, ZydisDecodedOperand *ops)
{
	static ZydisDecoder decoders[3];
	static bool ready;
	ZydisDecoder *decoder = &decoders[mode == 64 ? 2 : mode == 32];

	if (!ready) {
		ZydisDecoderInit(&decoders[0], ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
		ZydisDecoderInit(&decoders[1], ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
		ZydisDecoderInit(&decoders[2], ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		ready = true;
	}
	return ZydisDecoderDecodeFull(decoder, bytes, size, zi, ops);
}

bool decode_bytes(unsigned mode, const uint8_t *bytes, size_t size, ZydisDecodedInstruction *zi,
                  ZydisDecodedOperand *ops)
{
	return ZYAN_SUCCESS(decode(mode, bytes, size, zi, ops));
}

static bool is_prefix(unsigned mode, uint8_t b)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
		                            0x66, 0x67, 0xf0, 0xf2, 0xf3 };

	return memchr(prefixes, b, sizeof(prefixes)) || (mode == 64 && (b & 0xf0) == 0x40);
}

/* CALL and JMP far through a pointer, which a register is not. */
static bool far_register(unsigned mode, const uint8_t *bytes, size_t size)
{
	size_t i = 0;

	while (i < size && is_prefix(mode, bytes[i]))
		i++;
	return i + 1 < size && bytes[i] == 0xff && bytes[i + 1] >= 0xc0 &&
	       ((bytes[i + 1] >> 3 & 7) == 3 || (bytes[i + 1] >> 3 & 7) == 5);
}

bool decode_upsets_engine(struct cpu *cpu, uint64_t linear)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint8_t bytes[15];
	size_t size = decode_fetch(cpu, linear, bytes);

	ZyanStatus status;

	if (!size)
		return false;
	status = decode(cpu->mode, bytes, size, &zi, ops);
	return status == ZYDIS_STATUS_ILLEGAL_LOCK ||
	       (!ZYAN_SUCCESS(status) && far_register(cpu->mode, bytes, size));
}

size_t decode_fetch(struct cpu *cpu, uint64_t linear, uint8_t bytes[15])
{
	size_t first = 4096 - (linear & 4095);

	if (first >= 15)
		return memory_read(cpu, linear, bytes, 15) ? 15 : 0;
	if (!memory_read(cpu, linear, bytes, first))
		return 0;
	return memory_read(cpu, linear + first, bytes + first, 15 - first) ? 15 : first;
}

/* LOCK CMPXCHG8B with a register, which the instruction cannot have. */
static bool is_f00f(unsigned mode, const uint8_t *bytes, size_t size)
{
	bool lock = false;
	size_t i = 0;

	for (; i < size && is_prefix(mode, bytes[i]); i++)
		lock = lock || bytes[i] == 0xf0;
	return lock && i + 2 < size && bytes[i] == 0x0f && bytes[i + 1] == 0xc7 &&
	       (bytes[i + 2] & 0xf8) == 0xc8;
}

/* SDM 2A, "Exceptions" by type: 1, 2 and 4 want 16 bytes aligned, but for these. */
static bool wants_alignment(const ZydisDecodedInstruction *zi)
{
	static const ZydisMnemonic free[] = {
		ZYDIS_MNEMONIC_MOVUPS,    ZYDIS_MNEMONIC_MOVUPD,    ZYDIS_MNEMONIC_MOVDQU,
		ZYDIS_MNEMONIC_LDDQU,     ZYDIS_MNEMONIC_PCMPESTRI, ZYDIS_MNEMONIC_PCMPESTRM,
		ZYDIS_MNEMONIC_PCMPISTRI, ZYDIS_MNEMONIC_PCMPISTRM,
	};
	ZydisExceptionClass class = zi->meta.exception_class;

	for (unsigned i = 0; i < sizeof(free) / sizeof(free[0]); i++)
		if (zi->mnemonic == free[i])
			return false;
	return class == ZYDIS_EXCEPTION_CLASS_SSE1 || class == ZYDIS_EXCEPTION_CLASS_SSE2 ||
	       class == ZYDIS_EXCEPTION_CLASS_SSE4;
}

static void set_aligned(struct insn *insn, const ZydisDecodedInstruction *zi,
                        const ZydisDecodedOperand *ops)
{
	if (insn->kind != K_PLAIN || !wants_alignment(zi))
		return;
	for (unsigned i = 0; i < zi->operand_count_visible; i++) {
		if (ops[i].type != ZYDIS_OPERAND_TYPE_MEMORY || ops[i].size != 128)
			continue;
		insn->kind = K_ALIGNED;
		insn->memory.base = general(ops[i].mem.base);
		insn->memory.index = general(ops[i].mem.index);
		insn->memory.scale = ops[i].mem.scale;
		insn->memory.segment = (uint8_t)ZydisRegisterGetId(ops[i].mem.segment);
		insn->memory.rip = ops[i].mem.base == ZYDIS_REGISTER_RIP;
		insn->memory.displacement = (int32_t)ops[i].mem.disp.value;
	}
}

static void decode_into(struct cpu *cpu, struct insn *insn, uint64_t linear)
{
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	uint8_t bytes[15];
	size_t size = decode_fetch(cpu, linear, bytes);

	memset(insn, 0, sizeof(*insn));
	insn->mode = cpu->mode;
	if (!decode_bytes(cpu->mode, bytes, size, &zi, ops)) {
		insn->length = 1;
		/* cut off by the end of memory: the engine finds the page fault itself */
		insn->kind = size == 15 ? K_UNDEFINED : K_PLAIN;
		if (size == 15 && cpu->model->flags & MODEL_F00F && is_f00f(cpu->mode, bytes, size))
			insn->kind = K_F00F;
		add(insn, SIG_INSTRUCTIONS, 1);
		return;
	}
	insn->length = zi.length;
	set_kind(cpu->model, insn, &zi);
	if (zi.attributes &
	            (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE) &&
	    (zi.meta.category == ZYDIS_CATEGORY_STRINGOP ||
	     zi.meta.category == ZYDIS_CATEGORY_IOSTRINGOP))
		insn->flags |= I_REP;
	set_io(insn, &zi, ops);
	set_aligned(insn, &zi, ops);
	classify(cpu->model, insn, &zi, ops);
	if (!cpu->core_machine)
		return;
	insn->core = core_decode(cpu->core_machine, &zi, ops);
	insn->easy = insn->kind == K_PLAIN && !insn->branch && !insn->core.slope &&
	             !insn->core.cases &&
	             !(insn->flags & (I_REP | I_MODE | I_FLUSH | I_SHADOW | I_SEGMENT));
}

static void mark_used(struct cpu *cpu, uint64_t physical, unsigned length)
{
	for (uint64_t p = physical & ~63ull; p < physical + length; p += 64)
		if (p < cpu->pc->ram_end && cpu->code_pages[p >> 12])
			cpu->code_pages[p >> 12]->used |= 1ull << (p >> 6 & 63);
}

struct insn *decode_at(struct cpu *cpu, uint64_t linear)
{
	struct insn **slot = &cpu->fetch.code->insn[linear & 4095];
	struct insn *insn = *slot;

	if (insn && insn->mode == cpu->mode)
		return insn;
	if (!insn)
		insn = *slot = pool_take(cpu->pc);
	if (!insn)
		return NULL;
	decode_into(cpu, insn, linear);
	insn->physical = cpu->fetch.phys + (linear & 4095);
	mark_used(cpu, insn->physical, insn->length);
	/* The next page must exist as code too, so that a store to it is noticed. */
	if ((linear & 4095) + insn->length > 4096) {
		struct page page;
		uint64_t next = (linear | 4095) + 1;

		if (memory_translate(cpu, next, &page)) {
			uint64_t p = page.physical + (next & (page.size - 1));

			if (machine_ram(cpu->pc, p, 4096)) {
				struct code_page **code = &cpu->code_pages[p >> 12];

				if (!*code)
					*code = calloc(1, sizeof(**code));
				if (*code)
					(*code)->used |= 1;
			}
		}
	}
	return insn;
}
