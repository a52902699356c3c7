/*
 * sim/pmu/p6.c - Pentium Pro, II, III, M: two counters, one enable bit.
 *
 * After the Intel SDM volume 3B, "Performance Monitoring (P6 Family Processor)". PERFEVTSEL1 has no
 * enable bit: bit 22 of PERFEVTSEL0 starts and stops both. A counter is loaded with 32 bits,
 * sign-extended to 40; EDX of the WRMSR is ignored.
 */
#include "sim/pmu/internal.h"

#define MSR_PMC0    0xc1
#define MSR_EVTSEL0 0x186
#define MSR_DS_AREA 0x600

#define EVTSEL_USR  BIT(16)
#define EVTSEL_OS   BIT(17)
#define EVTSEL_EDGE BIT(18)
#define EVTSEL_PIN  BIT(19)
#define EVTSEL_INT  BIT(20)
#define EVTSEL_EN   BIT(22)
#define EVTSEL_INV  BIT(23)

struct p6 {
	struct sim_pmu pmu;
	struct pmu_counter counter[2];
	uint64_t evtsel[2];
	uint64_t pin[2];
	bool armed[2];
	struct pmu_lbr lbr;
	struct pmu_ds ds;
};

static const uint64_t evtsel_mask[2] = {
	BITS(31, 22) | BITS(20, 0),
	BITS(31, 23) | BITS(20, 0),
};

#define PENTIUM_M 9

/*
 * Bits 5:4 of the unit mask of the Pentium M's L2 line and load events: 0 without, 1 only, 2 with
 * hardware prefetch. There is none here, so "only" is nothing.
 */
static bool only_prefetch(const struct p6 *p, unsigned event, unsigned umask)
{
	if (p->pmu.model->part != PENTIUM_M || (umask >> 4 & 3) != 1)
		return false;
	return (event >= 0x24 && event <= 0x27) || event == 0x29 || event == 0x2e;
}

static void update(struct p6 *p)
{
	bool enabled = p->evtsel[0] & EVTSEL_EN;

	for (unsigned n = 0; n < 2; n++) {
		struct pmu_filter *f = &p->counter[n].filter;
		uint64_t e = p->evtsel[n];

		f->cpl_mask = pmu_cpl_mask(e & EVTSEL_USR, e & EVTSEL_OS);
		pmu_filter_cmask(f, e >> 24 & 0xff, e & EVTSEL_INV, e & EVTSEL_EDGE, false);
		f->level = false;
		pmu_filter_event(f, p->pmu.model, e & 0xff, e >> 8 & 0xff, 0, n);
		pmu_filter_clocks(&p->pmu, f);
		if (only_prefetch(p, e & 0xff, e >> 8 & 0xff))
			f->terms = 0;
		p->armed[n] = enabled && f->cpl_mask && (f->terms || f->compare != PMU_ADD);
	}
	p->armed[1] &= !pmu_starved(&p->pmu, p->armed[0]);
	pmu_set_running(&p->pmu, p->armed[0] || p->armed[1] || pmu_lbr_active(&p->lbr));
}

static void reset(struct sim_pmu *pmu)
{
	struct p6 *p = (struct p6 *)pmu;

	pmu->counter = p->counter;
	pmu->counter_count = 2;
	for (unsigned n = 0; n < 2; n++) {
		p->counter[n] = (struct pmu_counter){ .mask = BITS(39, 0) };
		p->evtsel[n] = 0;
		p->pin[n] = 0;
	}
	pmu_lbr_reset(&p->lbr, pmu->model->lbr);
	p->ds = (struct pmu_ds){ .dtes64 = pmu->model->dtes64 };
	update(p);
}

static enum sim_msr rdmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t *value)
{
	struct p6 *p = (struct p6 *)pmu;

	switch (msr) {
	case MSR_EVTSEL0:
	case MSR_EVTSEL0 + 1:
		*value = p->evtsel[msr - MSR_EVTSEL0];
		return MSR_OK;
	case MSR_PMC0:
	case MSR_PMC0 + 1:
		*value = pmu_counter_read(pmu, &p->counter[msr - MSR_PMC0]);
		return MSR_OK;
	case MSR_DS_AREA:
		*value = p->ds.area;
		return pmu->model->ds ? MSR_OK : MSR_NOT_MINE;
	default:
		return pmu_lbr_rdmsr(&p->lbr, msr, value);
	}
}

static enum sim_msr wrmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t value)
{
	struct p6 *p = (struct p6 *)pmu;
	enum sim_msr r = MSR_OK;

	switch (msr) {
	case MSR_EVTSEL0:
	case MSR_EVTSEL0 + 1:
		if (value & ~evtsel_mask[msr - MSR_EVTSEL0])
			return MSR_GP;
		p->evtsel[msr - MSR_EVTSEL0] = value;
		break;
	case MSR_PMC0:
	case MSR_PMC0 + 1:
		pmu_counter_write32(&p->counter[msr - MSR_PMC0], value);
		break;
	case MSR_DS_AREA:
		if (!pmu->model->ds)
			return MSR_NOT_MINE;
		if (value >> 32)
			return MSR_GP;
		p->ds.area = value;
		break;
	default:
		r = pmu_lbr_wrmsr(&p->lbr, msr, value);
	}
	update(p);
	return r;
}

static enum sim_rdpmc rdpmc(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value)
{
	struct p6 *p = (struct p6 *)pmu;

	if (ecx > 1)
		return RDPMC_GP;
	*value = pmu_counter_read(pmu, &p->counter[ecx]);
	return RDPMC_OK;
}

enum { RETRY_EVERY = 5 };

/*
 * DATA_MEM_REFS counts internal retries too (SDM volume 3B, event 43H). One in RETRY_EVERY makes a
 * check of seven references always meet one.
 */
static uint64_t retries(struct sim_pmu *pmu, uint64_t references)
{
	uint64_t before = pmu->fault_count / RETRY_EVERY;

	pmu->fault_count += references;
	return pmu->fault_count / RETRY_EVERY - before;
}

static void retire(struct sim_pmu *pmu, const struct sim_step *step)
{
	struct p6 *p = (struct p6 *)pmu;

	for (unsigned n = 0; n < 2; n++) {
		uint64_t count;
		bool wrapped;

		if (!p->armed[n])
			continue;
		count = pmu_filter_count(pmu, &p->counter[n].filter, step);
		if (pmu->fault == PMU_FAULT_RETRIES && (p->evtsel[n] & 0xff) == 0x43)
			count += retries(pmu, count);
		wrapped = pmu_counter_add(pmu, &p->counter[n], count);
		p->pin[n] += (p->evtsel[n] & EVTSEL_PIN) ? wrapped : count;
		if (wrapped && p->evtsel[n] & EVTSEL_INT)
			pmu_raise(pmu);
	}
	if (pmu_lbr_active(&p->lbr)) {
		pmu_bts_retire(pmu, &p->ds, &p->lbr, step);
		pmu_lbr_retire(&p->lbr, step);
	}
}

static uint64_t pin(const struct sim_pmu *pmu, unsigned n)
{
	return ((const struct p6 *)pmu)->pin[n];
}

const struct sim_pmu_ops sim_pmu_p6_ops = {
	.size = sizeof(struct p6),
	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.retire = retire,
	.pin = pin,
};
