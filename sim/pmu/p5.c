/*
 * sim/pmu/p5.c - Pentium and Pentium MMX: CESR, CTR0, CTR1, pins PM0/PM1.
 *
 * After the Intel SDM volume 3B, "Performance Monitoring (Pentium Processor)". CESR has two equal
 * halves: event 5:0, count control 8:6 (bit 6 CPL 0-2, bit 7 CPL 3, bit 8 clocks instead of
 * occurrences), pin control 9. The other bits are reserved.
 *
 * Not in the manual, so decided here: an event that is a duration counts clocks with bit 8 either
 * way; an occurrence event with bit 8 set counts the clocks in which it occurs at least once; the
 * upper 24 bits of a value written to a 40-bit counter are dropped.
 */
#include "sim/pmu/internal.h"

#define MSR_CESR 0x11
#define MSR_CTR0 0x12
#define MSR_CTR1 0x13

#define CESR_HALF 0x3ffull

struct p5 {
	struct sim_pmu pmu;
	struct pmu_counter counter[2];
	uint64_t cesr;
	uint64_t pin[2];
	bool armed[2];
};

static unsigned half(const struct p5 *p, unsigned n)
{
	return (p->cesr >> (16 * n)) & CESR_HALF;
}

static void update(struct p5 *p)
{
	for (unsigned n = 0; n < 2; n++) {
		struct pmu_filter *f = &p->counter[n].filter;
		unsigned h = half(p, n);

		f->cpl_mask = (uint8_t)((h & 0x40 ? 0x7 : 0) | (h & 0x80 ? 0x8 : 0));
		f->compare = h & 0x100 ? PMU_GE : PMU_ADD;
		f->reference = 1;
		f->level = false;
		p->armed[n] = pmu_filter_event(f, p->pmu.model, h & 0x3f, 0, 0, n) && f->cpl_mask;
	}
	p->armed[1] &= !pmu_starved(&p->pmu, p->armed[0]);
	pmu_set_running(&p->pmu, p->armed[0] || p->armed[1]);
}

static void reset(struct sim_pmu *pmu)
{
	struct p5 *p = (struct p5 *)pmu;

	pmu->counter = p->counter;
	pmu->counter_count = 2;
	p->cesr = 0;
	for (unsigned n = 0; n < 2; n++) {
		p->counter[n] = (struct pmu_counter){ .mask = BITS(39, 0) };
		p->pin[n] = 0;
	}
	update(p);
}

static enum sim_msr rdmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t *value)
{
	struct p5 *p = (struct p5 *)pmu;

	switch (msr) {
	case MSR_CESR:
		*value = p->cesr;
		return MSR_OK;
	case MSR_CTR0:
	case MSR_CTR1:
		*value = pmu_counter_read(pmu, &p->counter[msr - MSR_CTR0]);
		return MSR_OK;
	default:
		return MSR_NOT_MINE;
	}
}

static enum sim_msr wrmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t value)
{
	struct p5 *p = (struct p5 *)pmu;

	switch (msr) {
	case MSR_CESR:
		if (value & ~(CESR_HALF | CESR_HALF << 16))
			return MSR_GP;
		p->cesr = value;
		update(p);
		return MSR_OK;
	case MSR_CTR0:
	case MSR_CTR1:
		p->counter[msr - MSR_CTR0].value = value & p->counter[msr - MSR_CTR0].mask;
		return MSR_OK;
	default:
		return MSR_NOT_MINE;
	}
}

/* The Pentium has no RDPMC; the Pentium MMX has it for counters 0 and 1. */
static enum sim_rdpmc rdpmc(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value)
{
	struct p5 *p = (struct p5 *)pmu;

	if (!pmu->model->part)
		return RDPMC_UD;
	if (ecx > 1)
		return RDPMC_GP;
	*value = pmu_counter_read(pmu, &p->counter[ecx]);
	return RDPMC_OK;
}

static void retire(struct sim_pmu *pmu, const struct sim_step *step)
{
	struct p5 *p = (struct p5 *)pmu;

	for (unsigned n = 0; n < 2; n++) {
		uint64_t count;
		bool wrapped;

		if (!p->armed[n])
			continue;
		count = pmu_filter_count(pmu, &p->counter[n].filter, step);
		wrapped = pmu_counter_add(pmu, &p->counter[n], count);
		p->pin[n] += half(p, n) & 0x200 ? wrapped : count;
	}
}

static uint64_t pin(const struct sim_pmu *pmu, unsigned n)
{
	return ((const struct p5 *)pmu)->pin[n];
}

const struct sim_pmu_ops sim_pmu_p5_ops = {
	.size = sizeof(struct p5),
	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.retire = retire,
	.pin = pin,
};
