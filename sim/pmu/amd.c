/*
 * sim/pmu/amd.c - AMD: four counters from K7 on, the core extension with six, PerfMonV2.
 *
 * After the AMD64 APM volume 2, "Performance Monitoring", and the BIOS and kernel developer guides.
 * Bits 19 and 21 of an event select, and above 31 what the family does not have, fault.
 *
 * Not in the references, so decided here: bits 63:48 of a value written to a counter are dropped;
 * GlobalCtl comes out of reset with all counters enabled, as software that knows only the older
 * registers needs it; guest-only and host-only counters count nothing, since SVM is not there (both
 * bits together count). Northbridge and L3 counters are storage: nothing here makes their events.
 */
#include "sim/pmu/internal.h"

#define MSR_K7_EVTSEL0        0xc0010000
#define MSR_K7_CTR0           0xc0010004
#define MSR_HWCR              0xc0010015
#define MSR_CORE0             0xc0010200 /* pairs: select, counter */
#define MSR_L3_0              0xc0010230
#define MSR_NB0               0xc0010240
#define MSR_IRPERF            0xc00000e9
#define MSR_GLOBAL_STATUS     0xc0000300
#define MSR_GLOBAL_CTL        0xc0000301
#define MSR_GLOBAL_STATUS_CLR 0xc0000302
#define MSR_GLOBAL_STATUS_SET 0xc0000303

#define EVTSEL_USR   BIT(16)
#define EVTSEL_OS    BIT(17)
#define EVTSEL_EDGE  BIT(18)
#define EVTSEL_INT   BIT(20)
#define EVTSEL_EN    BIT(22)
#define EVTSEL_INV   BIT(23)
#define EVTSEL_GUEST BIT(40)
#define EVTSEL_HOST  BIT(41)
#define EVTSEL_LOW   (BITS(31, 22) | EVTSEL_INT | BITS(18, 0))

#define EVENT_MERGE 0xfff

#define HWCR_IRPERF_EN BIT(30)

#define STATUS_LBR_FROZEN BIT(58)
#define STATUS_FROZEN     BIT(59)

#define CORE_MAX 6
#define NB_MAX   4
#define L3_MAX   6

struct amd {
	struct sim_pmu pmu;
	struct pmu_counter counter[CORE_MAX];
	uint64_t evtsel[CORE_MAX];
	uint64_t nb[2 * NB_MAX]; /* select, counter, select, ... */
	uint64_t l3[2 * L3_MAX];
	uint64_t hwcr;
	uint64_t irperf;
	uint64_t global_ctl;
	uint64_t status;
	bool armed[CORE_MAX];
	struct pmu_lbr lbr;
	struct pmu_ibs ibs;
};

/* Families with the core extension (CPUID 80000001H:ECX[23]) have more than four counters. */
static bool extended(const struct amd *a)
{
	return a->pmu.model->counters > 4;
}

static bool irperf_exists(const struct amd *a)
{
	return a->pmu.model->part >= 0x17;
}

static uint64_t evtsel_mask(const struct amd *a)
{
	if (a->pmu.model->part < 0x10)
		return EVTSEL_LOW;
	return EVTSEL_LOW | BITS(35, 32) | EVTSEL_GUEST | EVTSEL_HOST;
}

static uint64_t status_mask(const struct amd *a)
{
	return BITS(a->pmu.model->counters - 1, 0) | STATUS_LBR_FROZEN | STATUS_FROZEN;
}

static uint32_t event_of(uint64_t evtsel)
{
	return (uint32_t)((evtsel & 0xff) | (evtsel >> 24 & 0xf00));
}

static void set_filter(struct amd *a, unsigned n)
{
	struct pmu_filter *f = &a->counter[n].filter;
	uint64_t e = a->evtsel[n];
	uint64_t guest = e & (EVTSEL_GUEST | EVTSEL_HOST);

	f->cpl_mask = pmu_cpl_mask(e & EVTSEL_USR, e & EVTSEL_OS);
	pmu_filter_cmask(f, e >> 24 & 0xff, e & EVTSEL_INV, e & EVTSEL_EDGE, false);
	f->level = false;
	pmu_filter_event(f, a->pmu.model, event_of(e), e >> 8 & 0xff, 0, n);
	pmu_filter_clocks(&a->pmu, f);
	if (!(e & EVTSEL_EN) || guest == EVTSEL_GUEST || guest == EVTSEL_HOST)
		f->cpl_mask = 0;
}

static void update(struct amd *a)
{
	bool running =
		a->hwcr & HWCR_IRPERF_EN || pmu_lbr_active(&a->lbr) || pmu_ibs_active(&a->ibs);
	unsigned counting = 0;

	for (unsigned n = 0; n < a->pmu.model->counters; n++) {
		const struct pmu_filter *f = &a->counter[n].filter;

		a->armed[n] = f->cpl_mask && (f->terms || f->compare != PMU_ADD);
		if (a->pmu.model->version >= 2)
			a->armed[n] &= a->global_ctl >> n & 1 && !(a->status & STATUS_FROZEN);
		a->armed[n] &= !pmu_starved(&a->pmu, counting);
		counting += a->armed[n];
		running |= a->armed[n];
	}
	a->lbr.frozen = a->status & STATUS_LBR_FROZEN;
	pmu_set_running(&a->pmu, running);
}

static void reset(struct sim_pmu *pmu)
{
	struct amd *a = (struct amd *)pmu;
	struct sim_pmu base = *pmu;

	*a = (struct amd){ .pmu = base };
	pmu->counter = a->counter;
	pmu->counter_count = pmu->model->counters;
	for (unsigned n = 0; n < pmu->model->counters; n++)
		a->counter[n].mask = BITS(pmu->model->width - 1, 0);
	if (pmu->model->version >= 2)
		a->global_ctl = BITS(pmu->model->counters - 1, 0);
	pmu_lbr_reset(&a->lbr, pmu->model->lbr);
	pmu_ibs_reset(&a->ibs, pmu->model->ibs);
	update(a);
}

/* ---- registers ---- */

enum place { PLACE_NONE, PLACE_EVTSEL, PLACE_COUNTER, PLACE_STORAGE_EVTSEL, PLACE_STORAGE_COUNTER };

/* Core counter number, or the storage word of a northbridge or L3 register. */
static enum place decode(struct amd *a, uint32_t msr, unsigned *n, uint64_t **word)
{
	*n = msr - MSR_K7_EVTSEL0;
	if (*n < 4)
		return PLACE_EVTSEL;
	*n = msr - MSR_K7_CTR0;
	if (*n < 4)
		return PLACE_COUNTER;
	if (!extended(a))
		return PLACE_NONE;
	*n = (msr - MSR_CORE0) / 2;
	if (msr >= MSR_CORE0 && *n < a->pmu.model->counters)
		return msr & 1 ? PLACE_COUNTER : PLACE_EVTSEL;
	*word = NULL;
	if (msr - MSR_NB0 < 2 * NB_MAX)
		*word = &a->nb[msr - MSR_NB0];
	else if (msr - MSR_L3_0 < 2 * L3_MAX)
		*word = &a->l3[msr - MSR_L3_0];
	if (!*word)
		return PLACE_NONE;
	return msr & 1 ? PLACE_STORAGE_COUNTER : PLACE_STORAGE_EVTSEL;
}

static enum sim_msr read_plain(struct amd *a, uint32_t msr, uint64_t *value)
{
	bool v2 = a->pmu.model->version >= 2;

	switch (msr) {
	case MSR_HWCR:
		*value = a->hwcr;
		return MSR_OK;
	case MSR_IRPERF:
		*value = a->irperf;
		return irperf_exists(a) ? MSR_OK : MSR_NOT_MINE;
	case MSR_GLOBAL_STATUS:
		*value = a->status;
		return v2 ? MSR_OK : MSR_NOT_MINE;
	case MSR_GLOBAL_CTL:
		*value = a->global_ctl;
		return v2 ? MSR_OK : MSR_NOT_MINE;
	case MSR_GLOBAL_STATUS_CLR:
	case MSR_GLOBAL_STATUS_SET:
		return v2 ? MSR_OK : MSR_NOT_MINE;
	default:
		if (pmu_ibs_rdmsr(&a->ibs, msr, value) == MSR_OK)
			return MSR_OK;
		return pmu_lbr_rdmsr(&a->lbr, msr, value);
	}
}

static enum sim_msr rdmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t *value)
{
	struct amd *a = (struct amd *)pmu;
	uint64_t *word;
	unsigned n;

	switch (decode(a, msr, &n, &word)) {
	case PLACE_EVTSEL:
		*value = a->evtsel[n];
		return MSR_OK;
	case PLACE_COUNTER:
		*value = pmu_counter_read(pmu, &a->counter[n]);
		return MSR_OK;
	case PLACE_STORAGE_EVTSEL:
	case PLACE_STORAGE_COUNTER:
		*value = *word;
		return MSR_OK;
	case PLACE_NONE:
		break;
	}
	return read_plain(a, msr, value);
}

static enum sim_msr store(uint64_t *field, uint64_t value, uint64_t mask)
{
	if (value & ~mask)
		return MSR_GP;
	*field = value;
	return MSR_OK;
}

static enum sim_msr write_status(struct amd *a, uint64_t value, bool set)
{
	if (value & ~status_mask(a))
		return MSR_GP;
	a->status = set ? a->status | value : a->status & ~value;
	return MSR_OK;
}

static enum sim_msr write_plain(struct amd *a, uint32_t msr, uint64_t value)
{
	enum sim_msr r;
	uint64_t old;

	if (read_plain(a, msr, &old) != MSR_OK)
		return pmu_lbr_wrmsr(&a->lbr, msr, value);
	switch (msr) {
	case MSR_HWCR:
		return store(&a->hwcr, value, irperf_exists(a) ? BITS(35, 0) : BITS(31, 0));
	case MSR_GLOBAL_CTL:
		return store(&a->global_ctl, value, BITS(a->pmu.model->counters - 1, 0));
	case MSR_GLOBAL_STATUS_CLR:
		return write_status(a, value, false);
	case MSR_GLOBAL_STATUS_SET:
		return write_status(a, value, true);
	case MSR_GLOBAL_STATUS: /* read-only */
	case MSR_IRPERF:
		return MSR_GP;
	default:
		r = pmu_ibs_wrmsr(&a->ibs, msr, value);
		return r != MSR_NOT_MINE ? r : pmu_lbr_wrmsr(&a->lbr, msr, value);
	}
}

static enum sim_msr write_any(struct amd *a, uint32_t msr, uint64_t value)
{
	enum sim_msr r;
	uint64_t *word;
	unsigned n;

	switch (decode(a, msr, &n, &word)) {
	case PLACE_EVTSEL:
		r = store(&a->evtsel[n], value, evtsel_mask(a));
		set_filter(a, n);
		return r;
	case PLACE_COUNTER:
		a->counter[n].value = value & a->counter[n].mask;
		return MSR_OK;
	case PLACE_STORAGE_EVTSEL:
		/* Slice, thread and core fields of the L3 and DF selects differ by family. */
		return store(word, value, BITS(63, 22) | EVTSEL_INT | BITS(18, 0));
	case PLACE_STORAGE_COUNTER:
		*word = value & BITS(47, 0);
		return MSR_OK;
	case PLACE_NONE:
		break;
	}
	return write_plain(a, msr, value);
}

static enum sim_msr wrmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t value)
{
	struct amd *a = (struct amd *)pmu;
	enum sim_msr r = write_any(a, msr, value);

	if (r == MSR_OK)
		update(a);
	return r;
}

/* ECX: core counters, then from 6 four northbridge and from 10 six L3 counters. */
static enum sim_rdpmc rdpmc(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value)
{
	struct amd *a = (struct amd *)pmu;

	if (ecx < pmu->model->counters)
		*value = pmu_counter_read(pmu, &a->counter[ecx]);
	else if (extended(a) && ecx >= 6 && ecx < 10)
		*value = a->nb[2 * (ecx - 6) + 1];
	else if (extended(a) && ecx >= 10 && ecx < 16)
		*value = a->l3[2 * (ecx - 10) + 1];
	else
		return RDPMC_GP;
	return RDPMC_OK;
}

/* ---- counting ---- */

/* An even counter whose odd neighbour has the merge event is 64 bits wide: 16 in the neighbour. */
static bool merged(const struct amd *a, unsigned n)
{
	return extended(a) && !(n & 1) && n + 1 < a->pmu.model->counters &&
	       event_of(a->evtsel[n + 1]) == EVENT_MERGE && a->evtsel[n + 1] & EVTSEL_EN;
}

static void overflow(struct amd *a, unsigned n)
{
	if (merged(a, n)) {
		a->counter[n + 1].value = (a->counter[n + 1].value + 1) & BITS(15, 0);
		if (a->counter[n + 1].value)
			return;
	}
	if (a->pmu.model->version >= 2)
		a->status |= BIT(n);
	if (a->evtsel[n] & EVTSEL_INT)
		pmu_raise(&a->pmu);
}

static void retire(struct sim_pmu *pmu, const struct sim_step *step)
{
	struct amd *a = (struct amd *)pmu;

	for (unsigned n = 0; n < pmu->model->counters; n++) {
		uint64_t count;

		if (!a->armed[n])
			continue;
		count = pmu_filter_count(pmu, &a->counter[n].filter, step);
		if (pmu_counter_add(pmu, &a->counter[n], count))
			overflow(a, n);
	}
	if (a->hwcr & HWCR_IRPERF_EN)
		a->irperf += step->n[SIG_INSTRUCTIONS];
	if (pmu_lbr_active(&a->lbr))
		pmu_lbr_retire(&a->lbr, step);
	if (pmu_ibs_active(&a->ibs) && pmu_ibs_retire(&a->ibs, step) && pmu->host.ibs)
		pmu->host.ibs(pmu->host.ctx);
}

const struct sim_pmu_ops sim_pmu_amd_ops = {
	.size = sizeof(struct amd),
	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.retire = retire,
};
