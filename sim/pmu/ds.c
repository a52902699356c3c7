/*
 * sim/pmu/ds.c - the debug store area: BTS and PEBS buffers and records.
 *
 * After the Intel SDM volume 3B, "BTS and DS Save Area" and "Processor Event Based Sampling". The
 * area has 4-byte fields (32-bit format) or 8-byte fields: base, index, absolute maximum and
 * interrupt threshold of the BTS buffer, the same of the PEBS buffer, counter reset values.
 */
#include "sim/pmu/internal.h"

#include <string.h>

enum { FIELD_BASE, FIELD_INDEX, FIELD_MAXIMUM, FIELD_THRESHOLD };

bool pmu_ds_wide(const struct sim_pmu *pmu, const struct pmu_ds *ds)
{
	return ds->dtes64 || (pmu->host.ia32e && pmu->host.ia32e(pmu->host.ctx));
}

static bool load(struct sim_pmu *pmu, uint64_t linear, void *p, size_t n)
{
	return pmu->host.load && pmu->host.load(pmu->host.ctx, linear, p, n);
}

static bool store(struct sim_pmu *pmu, uint64_t linear, const void *p, size_t n)
{
	return pmu->host.store && pmu->host.store(pmu->host.ctx, linear, p, n);
}

static uint64_t field_address(const struct pmu_ds *ds, bool wide, enum pmu_ds_buffer b, unsigned n)
{
	return ds->area + (b * 4 + n) * (wide ? 8 : 4);
}

static bool load_field(struct sim_pmu *pmu, const struct pmu_ds *ds, bool wide,
                       enum pmu_ds_buffer b, unsigned n, uint64_t *value)
{
	*value = 0;
	return load(pmu, field_address(ds, wide, b, n), value, wide ? 8 : 4);
}

enum pmu_ds_result pmu_ds_append(struct sim_pmu *pmu, const struct pmu_ds *ds,
                                 enum pmu_ds_buffer buffer, const void *record, size_t size,
                                 bool circular)
{
	bool wide = pmu_ds_wide(pmu, ds);
	uint64_t field[4];

	if (!ds->area)
		return DS_LOST;
	for (unsigned n = 0; n < 4; n++)
		if (!load_field(pmu, ds, wide, buffer, n, &field[n]))
			return DS_LOST;
	if (field[FIELD_INDEX] + size > field[FIELD_MAXIMUM]) {
		if (!circular)
			return DS_LOST;
		field[FIELD_INDEX] = field[FIELD_BASE];
	}
	if (!store(pmu, field[FIELD_INDEX], record, size))
		return DS_LOST;
	field[FIELD_INDEX] += size;
	if (!store(pmu, field_address(ds, wide, buffer, FIELD_INDEX), &field[FIELD_INDEX],
	           wide ? 8 : 4))
		return DS_LOST;
	return field[FIELD_INDEX] >= field[FIELD_THRESHOLD] ? DS_THRESHOLD : DS_STORED;
}

uint64_t pmu_ds_reset_value(struct sim_pmu *pmu, const struct pmu_ds *ds, unsigned slot)
{
	uint64_t value;

	if (!ds->area ||
	    !load(pmu, ds->area + (pmu_ds_wide(pmu, ds) ? 0x40 : 0x20) + 8 * slot, &value, 8))
		return 0;
	return value;
}

/* ---- BTS ---- */

#define BTS_PREDICTED BIT(4)

void pmu_bts_retire(struct sim_pmu *pmu, const struct pmu_ds *ds, const struct pmu_lbr *lbr,
                    const struct sim_step *step)
{
	uint64_t d = pmu_debugctl(lbr);
	uint64_t wide[3];
	uint32_t narrow[3];
	bool is_wide;
	enum pmu_ds_result r;

	if (step->branch == BRANCH_NONE || !step->taken || !(d & DEBUGCTL_TR) ||
	    !(d & DEBUGCTL_BTS))
		return;
	if (d & (step->cpl ? DEBUGCTL_BTS_OFF_USR : DEBUGCTL_BTS_OFF_OS))
		return;
	is_wide = pmu_ds_wide(pmu, ds);
	wide[0] = step->rip;
	wide[1] = step->next_rip;
	wide[2] = step->mispredicted ? 0 : BTS_PREDICTED;
	for (unsigned n = 0; n < 3; n++)
		narrow[n] = (uint32_t)wide[n];
	r = pmu_ds_append(pmu, ds, DS_BTS, is_wide ? (void *)wide : narrow,
	                  is_wide ? sizeof(wide) : sizeof(narrow), !(d & DEBUGCTL_BTINT));
	if (r == DS_THRESHOLD && d & DEBUGCTL_BTINT)
		pmu_raise(pmu);
}

/* ---- PEBS ---- */

#define REGS 18

enum { REG_FLAGS, REG_IP, REG_AX, REG_BX, REG_CX, REG_DX, REG_SI, REG_DI, REG_BP, REG_SP, REG_R8 };

/* Longest record: 32 basic + 32 memory + 144 + 256 + 32 LBR entries of 24. */
#define RECORD_MAX (32 + 32 + 144 + 256 + PMU_LBR_MAX * 24)

struct record {
	uint8_t byte[RECORD_MAX];
	size_t size;
};

static void put(struct record *r, uint64_t value, size_t n)
{
	memcpy(r->byte + r->size, &value, n);
	r->size += n;
}

static void put64(struct record *r, uint64_t value)
{
	put(r, value, 8);
}

static void fetch_regs(struct sim_pmu *pmu, const struct pmu_pebs_facts *facts, uint64_t regs[REGS])
{
	memset(regs, 0, REGS * sizeof(regs[0]));
	regs[REG_IP] = facts->step->next_rip;
	if (facts->before && pmu->host.regs_before && pmu->host.regs_before(pmu->host.ctx, regs))
		return;
	if (pmu->host.regs)
		pmu->host.regs(pmu->host.ctx, regs);
}

/* Load source of SDM "data source" field 3:0: 1 L1, 3 L2, 4 last level, 0ah memory; 4 STLB miss. */
static uint64_t data_source(const struct sim_access *a)
{
	static const uint8_t source[] = {
		[LEVEL_L1] = 0x1, [LEVEL_L2] = 0x3, [LEVEL_LLC] = 0x4, [LEVEL_MEMORY] = 0xa
	};

	return source[a->level] | (a->dtlb_miss ? 0x10 : 0);
}

static uint64_t tsc(const struct sim_pmu *pmu)
{
	return pmu->host.tsc ? pmu->host.tsc(pmu->host.ctx) : 0;
}

/* Formats 0 to 3, and NetBurst. */
static void fixed_record(struct sim_pmu *pmu, const struct pmu_ds *ds,
                         const struct pmu_pebs_facts *facts, struct record *r)
{
	const struct sim_step *step = facts->step;
	bool wide = pmu_ds_wide(pmu, ds);
	uint64_t regs[REGS];

	fetch_regs(pmu, facts, regs);
	for (unsigned n = 0; n < (wide ? REGS : REG_R8); n++)
		put(r, regs[n], wide ? 8 : 4);
	if (!wide || facts->format < 1)
		return;
	put64(r, facts->counters);
	put64(r, step->accesses ? step->access[0].linear : 0);
	put64(r, step->accesses ? data_source(&step->access[0]) : 0);
	put64(r, step->accesses ? step->clocks : 0);
	if (facts->format < 2)
		return;
	put64(r, step->rip); /* eventing IP */
	put64(r, 0);         /* TSX: no transactions here */
	if (facts->format >= 3)
		put64(r, tsc(pmu));
}

#define CFG_MEMORY BIT(0)
#define CFG_GPR    BIT(1)
#define CFG_XMM    BIT(2)
#define CFG_LBR    BIT(3)

static void put_adaptive_gpr(struct sim_pmu *pmu, const struct pmu_pebs_facts *facts,
                             struct record *r)
{
	static const uint8_t order[REG_R8] = { REG_FLAGS, REG_IP, REG_AX, REG_CX, REG_DX,
		                               REG_BX,    REG_SP, REG_BP, REG_SI, REG_DI };
	uint64_t regs[REGS];

	fetch_regs(pmu, facts, regs);
	for (unsigned n = 0; n < REG_R8; n++)
		put64(r, regs[order[n]]);
	for (unsigned n = REG_R8; n < REGS; n++)
		put64(r, regs[n]);
}

/* Zeros if the host cannot tell. */
static void put_xmm(struct sim_pmu *pmu, struct record *r)
{
	uint8_t xmm[256] = { 0 };

	if (pmu->host.xmm && !pmu->host.xmm(pmu->host.ctx, xmm))
		memset(xmm, 0, sizeof(xmm));
	memcpy(r->byte + r->size, xmm, sizeof(xmm));
	r->size += sizeof(xmm);
}

/* Entry `n`, 0 = latest. */
static const struct pmu_lbr_entry *latest(const struct pmu_lbr *lbr, unsigned n)
{
	if (lbr->model->format == LBR_ARCH)
		return &lbr->entry[n];
	return &lbr->entry[(lbr->tos + lbr->depth - n) % lbr->depth];
}

static void put_adaptive_lbr(struct record *r, const struct pmu_lbr *lbr, unsigned count)
{
	for (unsigned n = 0; n < count && lbr && lbr->depth; n++) {
		static const struct pmu_lbr_entry none;
		const struct pmu_lbr_entry *e = n < lbr->depth ? latest(lbr, n) : &none;

		put64(r, e->from);
		put64(r, e->to);
		put64(r, e->info);
	}
}

/* Format 4 and later: groups as MSR_PEBS_DATA_CFG wants. */
static void adaptive_record(struct sim_pmu *pmu, const struct pmu_pebs_facts *facts,
                            struct record *r)
{
	const struct sim_step *step = facts->step;
	uint64_t cfg = facts->adaptive ? facts->data_cfg : 0;
	unsigned lbrs = (cfg >> 24 & 0xff) + 1;
	uint64_t first;

	put64(r, 0); /* filled in at the end */
	put64(r, step->rip);
	put64(r, facts->counters);
	put64(r, tsc(pmu));
	if (cfg & CFG_MEMORY) {
		put64(r, step->accesses ? step->access[0].linear : 0);
		put64(r, step->accesses ? data_source(&step->access[0]) : 0);
		put64(r, step->accesses ? step->clocks : 0);
		put64(r, 0);
	}
	if (cfg & CFG_GPR)
		put_adaptive_gpr(pmu, facts, r);
	if (cfg & CFG_XMM)
		put_xmm(pmu, r);
	if (cfg & CFG_LBR)
		put_adaptive_lbr(r, facts->lbr, lbrs > PMU_LBR_MAX ? PMU_LBR_MAX : lbrs);
	first = (cfg & BITS(31, 0)) | (uint64_t)r->size << 48;
	memcpy(r->byte, &first, sizeof(first));
}

enum pmu_ds_result pmu_pebs_store(struct sim_pmu *pmu, const struct pmu_ds *ds,
                                  const struct pmu_pebs_facts *facts)
{
	struct record r = { .size = 0 };

	if (facts->format >= 4)
		adaptive_record(pmu, facts, &r);
	else
		fixed_record(pmu, ds, facts, &r);
	return pmu_ds_append(pmu, ds, DS_PEBS, r.byte, r.size, false);
}
