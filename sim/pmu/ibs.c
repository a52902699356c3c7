/*
 * sim/pmu/ibs.c - instruction-based sampling of AMD's family 10h and later.
 *
 * After the AMD64 APM volume 2, "Instruction-Based Sampling", and the PPR of family 17h model 71h,
 * MSRs C001_1030H to C001_103CH. A unit counts fetches, the other one ops or clocks, at every CPL.
 * When its count reaches the maximum, the fetch or op is tagged. What happened to it is in the
 * registers when it is over, and the interrupt comes through the local APIC's extended entry that
 * IBS_CTL names. Nothing is counted until software clears the valid bit.
 *
 * Not in the manuals, so decided here: the op that brings the count to its maximum is the tagged
 * one, and all ops of an instruction have the instruction's facts. The times are those of the
 * instruction: the clocks between the retirement before it and its own, which is also what a miss
 * took. A fetch is that of an instruction's first byte. Physical addresses are those of identity
 * mapping. IBS_CTL says entry 0, as firmware leaves it.
 */
#include "sim/pmu/internal.h"

#define MSR_FETCH_CTL    0xc0011030
#define MSR_FETCH_LINEAR 0xc0011031
#define MSR_OP_CTL       0xc0011033
#define MSR_OP_RIP       0xc0011034
#define MSR_IBS_CTL      0xc001103a
#define MSR_BRANCH       0xc001103b
#define MSR_FETCH_EXTD   0xc001103c

#define IBS_EXT_COUNT BIT(6)  /* leaf 8000001BH: seven more bits of the op maximum */
#define IBS_FETCH_EXT BIT(9)  /* MSR C001_103CH exists */
#define IBS_L3_ONLY   BIT(11) /* bits that keep only misses of L3 */

#define FETCH_ENABLE  BIT(48)
#define FETCH_VALID   BIT(49)
#define FETCH_DONE    BIT(50)
#define FETCH_MISS    BIT(51)
#define FETCH_PHYS    BIT(52)
#define FETCH_L1TLB   BIT(55)
#define FETCH_L2TLB   BIT(56)
#define FETCH_L2_MISS BIT(58)

#define OP_ENABLE BIT(17)
#define OP_VALID  BIT(18)
#define OP_OPS    BIT(19)

#define DATA_RETURN     BIT(34)
#define DATA_TAKEN      BIT(35)
#define DATA_MISPREDICT BIT(36)
#define DATA_BRANCH     BIT(37)

#define DATA3_LOAD    BIT(0)
#define DATA3_STORE   BIT(1)
#define DATA3_L1TLB   BIT(2)
#define DATA3_L2TLB   BIT(3)
#define DATA3_MISS    BIT(7)
#define DATA3_SPLIT   BIT(8)
#define DATA3_LOCKED  BIT(15)
#define DATA3_LINEAR  BIT(17)
#define DATA3_PHYS    BIT(18)
#define DATA3_L2_MISS BIT(20)

#define DEFAULT_CTL BIT(8) /* the offset of the LVT entry, 0, is valid */

enum { OP_RIP, OP_DATA, OP_DATA2, OP_DATA3, OP_LINEAR, OP_PHYS }; /* from MSR_OP_RIP on */

void pmu_ibs_reset(struct pmu_ibs *ibs, uint32_t leaf)
{
	*ibs = (struct pmu_ibs){ .leaf = leaf, .ctl = DEFAULT_CTL };
}

bool pmu_ibs_active(const struct pmu_ibs *ibs)
{
	return (ibs->op_ctl & (OP_ENABLE | OP_VALID)) == OP_ENABLE ||
	       (ibs->fetch_ctl & (FETCH_ENABLE | FETCH_VALID)) == FETCH_ENABLE;
}

/* Where a register lies and what can be written to it; NULL: there is none. */
static uint64_t *find(struct pmu_ibs *ibs, uint32_t msr, uint64_t *writable)
{
	*writable = UINT64_MAX;
	if (!ibs->leaf)
		return NULL;
	switch (msr) {
	case MSR_FETCH_CTL:
		*writable = BITS(58, 0) | (ibs->leaf & IBS_L3_ONLY ? BIT(59) : 0);
		return &ibs->fetch_ctl;
	case MSR_OP_CTL:
		*writable = BITS(58, 32) | BITS(19, 17) | BITS(15, 0);
		*writable |= ibs->leaf & IBS_EXT_COUNT ? BITS(26, 20) : 0;
		*writable |= ibs->leaf & IBS_L3_ONLY ? BIT(16) : 0;
		return &ibs->op_ctl;
	case MSR_IBS_CTL:
		*writable = 0;
		return &ibs->ctl;
	case MSR_BRANCH:
		return &ibs->branch;
	case MSR_FETCH_EXTD:
		return ibs->leaf & IBS_FETCH_EXT ? &ibs->fetch_extd : NULL;
	default:
		break;
	}
	if (msr - MSR_FETCH_LINEAR < 2)
		return &ibs->fetch[msr - MSR_FETCH_LINEAR];
	return msr - MSR_OP_RIP <= OP_PHYS ? &ibs->op[msr - MSR_OP_RIP] : NULL;
}

enum sim_msr pmu_ibs_rdmsr(struct pmu_ibs *ibs, uint32_t msr, uint64_t *value)
{
	uint64_t writable, *reg = find(ibs, msr, &writable);

	if (!reg)
		return MSR_NOT_MINE;
	*value = *reg;
	return MSR_OK;
}

enum sim_msr pmu_ibs_wrmsr(struct pmu_ibs *ibs, uint32_t msr, uint64_t value)
{
	uint64_t writable, *reg = find(ibs, msr, &writable);

	if (!reg)
		return MSR_NOT_MINE;
	if (value & ~writable)
		return MSR_GP;
	*reg = value;
	return MSR_OK;
}

/* Loads of L2 hits have no source: it is the northbridge's. */
static uint64_t source_of(const struct sim_access *access)
{
	return access->level == LEVEL_LLC ? 1 : access->level == LEVEL_MEMORY ? 3 : 0;
}

static void tell_access(struct pmu_ibs *ibs, const struct sim_step *step)
{
	const struct sim_access *access = &step->access[0];
	uint64_t clocks = step->clocks > 0xffff ? 0xffff : step->clocks;
	uint64_t v = DATA3_LINEAR | DATA3_PHYS;
	unsigned width = 0;

	ibs->op[OP_DATA2] = 0;
	ibs->op[OP_DATA3] = 0;
	if (!step->accesses)
		return;
	for (unsigned i = 0; i < step->accesses; i++)
		v |= step->access[i].write ? DATA3_STORE : DATA3_LOAD;
	while (1u << width < access->size)
		width++;
	v |= (uint64_t)(width + 1) << 22;
	v |= step->n[SIG_LOCKED] ? DATA3_LOCKED : 0;
	v |= step->n[SIG_MISALIGNED] ? DATA3_SPLIT : 0;
	v |= access->dtlb_miss ? DATA3_L1TLB | clocks << 48 : 0;
	v |= step->n[SIG_DTLB_LOAD_WALK] || step->n[SIG_DTLB_STORE_WALK] ? DATA3_L2TLB : 0;
	if (access->level != LEVEL_L1) {
		v |= DATA3_MISS;
		v |= access->level != LEVEL_L2 ? DATA3_L2_MISS : 0;
		v |= !access->write ? clocks << 32 : 0;
		ibs->op[OP_DATA2] = access->write ? 0 : source_of(access);
	}
	ibs->op[OP_DATA3] = v;
	ibs->op[OP_LINEAR] = ibs->op[OP_PHYS] = access->linear;
}

static void tag_op(struct pmu_ibs *ibs, const struct sim_step *step)
{
	uint64_t clocks = step->clocks > 0xffff ? 0xffff : step->clocks;
	uint64_t v = clocks << 16;

	if (step->branch != BRANCH_NONE) {
		v |= DATA_BRANCH;
		v |= step->taken ? DATA_TAKEN : 0;
		v |= step->mispredicted ? DATA_MISPREDICT : 0;
		v |= step->branch == BRANCH_RETURN ? DATA_RETURN : 0;
		ibs->branch = step->next_rip;
	}
	ibs->op[OP_RIP] = step->rip;
	ibs->op[OP_DATA] = v;
	tell_access(ibs, step);
	ibs->op_ctl |= OP_VALID;
}

static bool count_ops(struct pmu_ibs *ibs, const struct sim_step *step)
{
	uint64_t max = (ibs->op_ctl & 0xffff) << 4 | (ibs->op_ctl >> 20 & 0x7f) << 20;
	uint64_t count = ibs->op_ctl >> 32 & 0x7ffffff;

	if ((ibs->op_ctl & (OP_ENABLE | OP_VALID)) != OP_ENABLE || !max)
		return false;
	count += ibs->op_ctl & OP_OPS ? step->n[SIG_UOPS] : step->clocks;
	/* in a count of clocks an interrupt that is taken has some, but it is no op */
	if (count >= max && step->n[SIG_INSTRUCTIONS]) {
		tag_op(ibs, step);
		count = 0;
	}
	ibs->op_ctl = (ibs->op_ctl & ~BITS(58, 32)) | count << 32;
	return ibs->op_ctl & OP_VALID;
}

static void tag_fetch(struct pmu_ibs *ibs, const struct sim_step *step)
{
	uint64_t clocks = step->clocks > 0xffff ? 0xffff : step->clocks;
	uint64_t v = FETCH_VALID | FETCH_DONE | FETCH_PHYS | clocks << 32;

	v |= step->n[SIG_L1I_MISS] ? FETCH_MISS : 0;
	v |= step->n[SIG_ITLB_MISS] ? FETCH_L1TLB : 0;
	v |= step->n[SIG_ITLB_WALK] ? FETCH_L2TLB : 0;
	v |= step->n[SIG_L2_CODE_MISS] ? FETCH_L2_MISS : 0;
	ibs->fetch[0] = ibs->fetch[1] = step->rip;
	ibs->fetch_ctl = (ibs->fetch_ctl & ~BITS(47, 32)) | v;
}

static bool count_fetches(struct pmu_ibs *ibs, const struct sim_step *step)
{
	uint64_t max = ibs->fetch_ctl & 0xffff, count;

	if ((ibs->fetch_ctl & (FETCH_ENABLE | FETCH_VALID)) != FETCH_ENABLE || !max)
		return false;
	ibs->fetches += step->n[SIG_L1I_FETCH];
	count = (ibs->fetch_ctl >> 16 & 0xffff) + ibs->fetches / 16;
	ibs->fetches %= 16;
	if (count >= max) {
		tag_fetch(ibs, step);
		count = 0;
	}
	ibs->fetch_ctl = (ibs->fetch_ctl & ~BITS(31, 16)) | count << 16;
	return ibs->fetch_ctl & FETCH_VALID;
}

bool pmu_ibs_retire(struct pmu_ibs *ibs, const struct sim_step *step)
{
	bool op = count_ops(ibs, step), fetch = count_fetches(ibs, step);

	return op || fetch;
}
