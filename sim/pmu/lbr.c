/*
 * sim/pmu/lbr.c - DEBUGCTL, last-branch records of every kind, and the branch trace store.
 *
 * After the Intel SDM volume 3B, "Debug, Branch Profile, TSC, and Intel RDT features" and "Last
 * Branch Records", and for AMD the APM volume 2, "Software Debug Resources". Layouts not in the
 * project's reference (NetBurst DEBUGCTLA, 64-bit pair format, AMD LBRv2) are from memory:
 * unverified.
 */
#include "sim/pmu/internal.h"

#include <string.h>

#define MSR_DEBUGCTL         0x1d9
#define MSR_LAST_BRANCH_FROM 0x1db
#define MSR_LER_FROM         0x1d7
#define MSR_ARCH_LBR_CTL     0x14ce
#define MSR_ARCH_LBR_DEPTH   0x14cf
#define MSR_AMD_EXTN_CFG     0xc000010f
#define AMD_LBRV2_EN         BIT(6)

#define ARCH_LBR_CTL_MASK (BITS(22, 16) | BITS(3, 0))
#define INFO_MISPREDICTED BIT(63)
#define INFO_CYCLES_VALID BIT(60)
#define FROM_MISPREDICTED BIT(63)
#define AMD_TO_VALID      BIT(63)

void pmu_lbr_reset(struct pmu_lbr *lbr, const struct sim_lbr_model *model)
{
	memset(lbr, 0, sizeof(*lbr));
	lbr->model = model;
	lbr->depth = model ? model->depth : 0;
}

uint64_t pmu_debugctl(const struct pmu_lbr *lbr)
{
	uint64_t d = lbr->debugctl;

	if (!lbr->model || !lbr->model->netburst)
		return d;
	return (d & BITS(1, 0)) | (d >> 2 & 0x1f) << 6; /* TR, BTS, BTINT, OFF_OS, OFF_USR */
}

static bool stack_enabled(const struct pmu_lbr *lbr)
{
	if (lbr->frozen)
		return false;
	if (lbr->model->format == LBR_ARCH)
		return lbr->arch_ctl & 1;
	if (lbr->model->amd_v2 && lbr->arch_ctl & AMD_LBRV2_EN)
		return true;
	return lbr->debugctl & DEBUGCTL_LBR;
}

bool pmu_lbr_active(const struct pmu_lbr *lbr)
{
	return lbr->model && (stack_enabled(lbr) || pmu_debugctl(lbr) & DEBUGCTL_TR);
}

/* ---- registers ---- */

/* The field of a stack entry that an MSR stands for; NULL = none. */
static uint64_t *stack_msr(struct pmu_lbr *lbr, uint32_t msr)
{
	const struct sim_lbr_model *m = lbr->model;

	if (m->from && msr - m->from < m->depth)
		return &lbr->entry[msr - m->from].from;
	if (m->to && msr - m->to < m->depth)
		return &lbr->entry[msr - m->to].to;
	if (m->info && msr - m->info < m->depth)
		return &lbr->entry[msr - m->info].info;
	return NULL;
}

/* Read-only registers of the oldest kind, one branch deep. */
static uint64_t *single_msr(struct pmu_lbr *lbr, uint32_t msr)
{
	if (lbr->model->format != LBR_SINGLE)
		return NULL;
	switch (msr - MSR_LAST_BRANCH_FROM) {
	case 0:
		return &lbr->entry[0].from;
	case 1:
		return &lbr->entry[0].to;
	case 2:
		return &lbr->last_int_from;
	case 3:
		return &lbr->last_int_to;
	default:
		return NULL;
	}
}

/* Last branch before the last exception: NetBurst at 0x1d7, P6 and later at 0x1dd. */
static uint64_t *exception_msr(struct pmu_lbr *lbr, uint32_t msr)
{
	uint32_t base = lbr->model->netburst ? MSR_LER_FROM : MSR_LAST_BRANCH_FROM + 2;

	if (lbr->model->format == LBR_SINGLE)
		return NULL;
	if (msr == base)
		return &lbr->last_int_from;
	return msr == base + 1 ? &lbr->last_int_to : NULL;
}

/* 0xc0010300 + 2n from, + 2n + 1 to. */
static uint64_t *amd_v2_msr(struct pmu_lbr *lbr, uint32_t msr)
{
	uint32_t n = msr - 0xc0010300;

	if (!lbr->model->amd_v2 || n >= 2u * lbr->model->depth)
		return NULL;
	return n & 1 ? &lbr->entry[n / 2].to : &lbr->entry[n / 2].from;
}

enum sim_msr pmu_lbr_rdmsr(struct pmu_lbr *lbr, uint32_t msr, uint64_t *value)
{
	const struct sim_lbr_model *m = lbr->model;
	uint64_t *field;

	if (!m)
		return MSR_NOT_MINE;
	if (msr == MSR_DEBUGCTL)
		*value = lbr->debugctl;
	else if (m->select && msr == m->select)
		*value = lbr->select;
	else if (m->tos && msr == m->tos)
		*value = lbr->tos;
	else if (m->format == LBR_ARCH && msr == MSR_ARCH_LBR_CTL)
		*value = lbr->arch_ctl;
	else if (m->format == LBR_ARCH && msr == MSR_ARCH_LBR_DEPTH)
		*value = lbr->depth;
	else if (m->amd_v2 && msr == MSR_AMD_EXTN_CFG)
		*value = lbr->arch_ctl;
	else if ((field = stack_msr(lbr, msr)) || (field = single_msr(lbr, msr)) ||
	         (field = exception_msr(lbr, msr)) || (field = amd_v2_msr(lbr, msr)))
		*value = *field;
	else
		return MSR_NOT_MINE;
	return MSR_OK;
}

static enum sim_msr store_masked(uint64_t *field, uint64_t value, uint64_t mask)
{
	if (value & ~mask)
		return MSR_GP;
	*field = value;
	return MSR_OK;
}

/* Leaf 1CH EAX[7:0] is 0bh where there is one: 8, 16, 32. A new depth empties the stack. */
static enum sim_msr write_depth(struct pmu_lbr *lbr, uint64_t value)
{
	if ((value != 8 && value != 16 && value != 32) || value > lbr->model->depth)
		return MSR_GP;
	lbr->depth = (uint8_t)value;
	memset(lbr->entry, 0, sizeof(lbr->entry));
	return MSR_OK;
}

static enum sim_msr write_debugctl(struct pmu_lbr *lbr, uint64_t value)
{
	enum sim_msr r = store_masked(&lbr->debugctl, value, lbr->model->debugctl_mask);

	if (r == MSR_OK && lbr->model->format == LBR_ARCH)
		lbr->debugctl &= ~DEBUGCTL_LBR; /* the enable bit is in ARCH_LBR_CTL */
	return r;
}

/* SDM volume 4: R/W from the Core 2 on, R/O on NetBurst. The index is taken modulo the depth. */
static enum sim_msr write_tos(struct pmu_lbr *lbr, uint64_t value)
{
	if (lbr->model->netburst || value >> 32)
		return MSR_GP;
	lbr->tos = (uint8_t)(value % lbr->depth);
	return MSR_OK;
}

enum sim_msr pmu_lbr_wrmsr(struct pmu_lbr *lbr, uint32_t msr, uint64_t value)
{
	const struct sim_lbr_model *m = lbr->model;
	uint64_t *field;

	if (!m)
		return MSR_NOT_MINE;
	if (msr == MSR_DEBUGCTL)
		return write_debugctl(lbr, value);
	if (m->select && msr == m->select)
		return store_masked(&lbr->select, value, m->select_mask);
	if (m->tos && msr == m->tos)
		return write_tos(lbr, value);
	if (m->format == LBR_ARCH && msr == MSR_ARCH_LBR_CTL)
		return store_masked(&lbr->arch_ctl, value, ARCH_LBR_CTL_MASK);
	if (m->format == LBR_ARCH && msr == MSR_ARCH_LBR_DEPTH)
		return write_depth(lbr, value);
	if (m->amd_v2 && msr == MSR_AMD_EXTN_CFG)
		return store_masked(&lbr->arch_ctl, value, AMD_LBRV2_EN);
	field = stack_msr(lbr, msr);
	if (!field)
		field = amd_v2_msr(lbr, msr);
	if (field) {
		*field = value;
		return MSR_OK;
	}
	if (single_msr(lbr, msr) || exception_msr(lbr, msr))
		return MSR_GP; /* read-only */
	return MSR_NOT_MINE;
}

/* ---- recording ---- */

/* Bit of the branch kind in LBR_SELECT (1 = leave out). */
static const uint8_t select_bit[] = {
	[BRANCH_COND] = 2,   [BRANCH_CALL] = 3,          [BRANCH_CALL_INDIRECT] = 4,
	[BRANCH_RETURN] = 5, [BRANCH_JUMP_INDIRECT] = 6, [BRANCH_JUMP] = 7,
	[BRANCH_FAR] = 8,
};

/* Bit of the branch kind in ARCH_LBR_CTL (1 = record). */
static const uint8_t arch_bit[] = {
	[BRANCH_COND] = 16, [BRANCH_JUMP] = 17,          [BRANCH_JUMP_INDIRECT] = 18,
	[BRANCH_CALL] = 19, [BRANCH_CALL_INDIRECT] = 20, [BRANCH_RETURN] = 21,
	[BRANCH_FAR] = 22,
};

/*
 * Branch type in ARCH_LBR info 59:56: 0 conditional, 1 jump indirect, 2 direct, 3.. calls,
 * returns.
 */
static const uint8_t arch_type[] = {
	[BRANCH_COND] = 0,          [BRANCH_JUMP_INDIRECT] = 1, [BRANCH_JUMP] = 2,
	[BRANCH_CALL_INDIRECT] = 3, [BRANCH_CALL] = 4,          [BRANCH_RETURN] = 5,
	[BRANCH_FAR] = 8,
};

static bool wanted(const struct pmu_lbr *lbr, const struct sim_step *step)
{
	uint64_t s = lbr->select;

	if (lbr->model->format == LBR_ARCH) {
		uint64_t c = lbr->arch_ctl;

		return c & (step->cpl ? BIT(2) : BIT(1)) && c & BIT(arch_bit[step->branch]);
	}
	if (!lbr->model->select)
		return true;
	return !(s & (step->cpl ? BIT(1) : BIT(0))) && !(s & BIT(select_bit[step->branch]));
}

/* Call-stack mode: calls push, returns pop. */
static bool call_stack(const struct pmu_lbr *lbr)
{
	if (lbr->model->format == LBR_ARCH)
		return lbr->arch_ctl & BIT(3);
	return lbr->model->select && lbr->select & BIT(9);
}

static struct pmu_lbr_entry *push(struct pmu_lbr *lbr)
{
	if (lbr->model->format == LBR_ARCH || lbr->model->amd_v2) {
		memmove(&lbr->entry[1], &lbr->entry[0], (lbr->depth - 1u) * sizeof(lbr->entry[0]));
		return &lbr->entry[0];
	}
	lbr->tos = (uint8_t)((lbr->tos + 1) % lbr->depth);
	return &lbr->entry[lbr->tos];
}

static void pop(struct pmu_lbr *lbr)
{
	if (lbr->model->format == LBR_ARCH) {
		memmove(&lbr->entry[0], &lbr->entry[1], (lbr->depth - 1u) * sizeof(lbr->entry[0]));
		memset(&lbr->entry[lbr->depth - 1], 0, sizeof(lbr->entry[0]));
		return;
	}
	memset(&lbr->entry[lbr->tos], 0, sizeof(lbr->entry[0]));
	lbr->tos = (uint8_t)((lbr->tos + lbr->depth - 1) % lbr->depth);
}

static void record(struct pmu_lbr *lbr, const struct sim_step *step)
{
	uint64_t clocks = lbr->clocks > 0xffff ? 0xffff : lbr->clocks;
	struct pmu_lbr_entry *e = push(lbr);

	e->from = step->rip;
	e->to = step->next_rip;
	switch (lbr->model->format) {
	case LBR_PAIR32:
		e->from = (step->rip & 0xffffffff) | step->next_rip << 32;
		break;
	case LBR_FLAGS:
		e->from &= ~FROM_MISPREDICTED;
		e->from |= step->mispredicted ? FROM_MISPREDICTED : 0;
		break;
	case LBR_INFO:
		e->info = clocks | (step->mispredicted ? INFO_MISPREDICTED : 0);
		break;
	case LBR_ARCH:
		e->info = clocks | (uint64_t)arch_type[step->branch] << 56 | INFO_CYCLES_VALID |
		          (step->mispredicted ? INFO_MISPREDICTED : 0);
		break;
	case LBR_PLAIN:
	case LBR_SINGLE:
		break;
	}
	if (lbr->model->amd_v2) {
		e->from = (step->rip & BITS(57, 0)) | (step->mispredicted ? BIT(63) : 0);
		e->to = (step->next_rip & BITS(57, 0)) | AMD_TO_VALID;
	}
	lbr->clocks = 0;
}

bool pmu_lbr_inserts(const struct pmu_lbr *lbr, const struct sim_step *step)
{
	return step->taken && stack_enabled(lbr) && wanted(lbr, step) &&
	       !(call_stack(lbr) && step->branch == BRANCH_RETURN);
}

void pmu_lbr_retire(struct pmu_lbr *lbr, const struct sim_step *step)
{
	lbr->clocks += step->clocks;
	if (step->branch == BRANCH_NONE || !step->taken || !stack_enabled(lbr))
		return;
	/* An interrupt or exception freezes the last branch before it in the second pair. */
	if (step->branch == BRANCH_FAR && !step->n[SIG_INSTRUCTIONS]) {
		lbr->last_int_from = step->rip;
		lbr->last_int_to = step->next_rip;
	}
	if (!wanted(lbr, step))
		return;
	if (call_stack(lbr) && step->branch == BRANCH_RETURN) {
		pop(lbr);
		return;
	}
	record(lbr, step);
}
