/*
 * sim/pmu/pmu.c - the public functions that every family shares.
 */
#include "sim/pmu/internal.h"

#include <stdlib.h>
#include <string.h>

static const struct sim_pmu_ops *const ops_of[] = {
	[SIM_PMU_P5] = &sim_pmu_p5_ops,
	[SIM_PMU_P6] = &sim_pmu_p6_ops,
	[SIM_PMU_NETBURST] = &sim_pmu_netburst_ops,
	[SIM_PMU_ARCH] = &sim_pmu_arch_ops,
	[SIM_PMU_AMD] = &sim_pmu_amd_ops,
};

struct sim_pmu *sim_pmu_new(const struct sim_pmu_model *model, const struct sim_pmu_host *host,
                            struct sim_pmu *sibling)
{
	const struct sim_pmu_ops *ops = model->kind == SIM_PMU_NONE ? NULL : ops_of[model->kind];
	struct sim_pmu *pmu = calloc(1, ops ? ops->size : sizeof(*pmu));

	if (!pmu)
		return NULL;
	pmu->model = model;
	pmu->ops = ops;
	if (host)
		pmu->host = *host;
	if (model->threads < 2 && !model->any_thread)
		sibling = NULL;
	if (ops && ops->share && !ops->share(pmu, sibling)) {
		free(pmu);
		return NULL;
	}
	if (sibling && ops && ops->share && !sibling->sibling) {
		pmu->sibling = sibling;
		sibling->sibling = pmu;
	}
	sim_pmu_reset(pmu);
	return pmu;
}

void sim_pmu_free(struct sim_pmu *pmu)
{
	if (!pmu)
		return;
	if (pmu->ops && pmu->ops->release)
		pmu->ops->release(pmu);
	if (pmu->sibling)
		pmu->sibling->sibling = NULL;
	free(pmu);
}

void sim_pmu_reset(struct sim_pmu *pmu)
{
	pmu->bus_phase = 0;
	pmu->bus = 0;
	pmu->wants_regs = false;
	pmu->by_clock = false;
	if (pmu->ops)
		pmu->ops->reset(pmu);
}

/* The register that sets bits of the status; 0: the status knows no freezing. */
static uint32_t frozen_register(const struct sim_pmu_model *model)
{
	if (model->kind == SIM_PMU_ARCH)
		return model->version >= 4 ? 0x391 : 0;
	return model->kind == SIM_PMU_AMD && model->version >= 2 ? 0xc0000303 : 0;
}

bool sim_pmu_can_fault(const struct sim_pmu_model *model, enum sim_pmu_fault fault)
{
	if (model->kind == SIM_PMU_NONE)
		return false;
	switch (fault) {
	case PMU_FAULT_AE49:
		return model->kind == SIM_PMU_ARCH && model->version == 1;
	case PMU_FAULT_AAK100:
		return !strcmp(model->name, "nehalem");
	case PMU_FAULT_RETRIES:
		return model->kind == SIM_PMU_P6;
	case PMU_FAULT_N15:
		return model->kind == SIM_PMU_NETBURST;
	case PMU_FAULT_FROZEN:
		return frozen_register(model);
	default:
		return true;
	}
}

void sim_pmu_set_fault(struct sim_pmu *pmu, enum sim_pmu_fault fault, uint64_t value)
{
	pmu->fault = fault;
	pmu->fault_value = value;
	pmu->fault_count = 0;
	if (fault == PMU_FAULT_FROZEN)
		pmu->ops->wrmsr(pmu, frozen_register(pmu->model), BITS(59, 58));
	pmu_set_running(pmu, pmu->running);
}

/* First registers of one kind, a register a counter, or every second register. */
struct bank {
	uint32_t kinds; /* bit n: enum sim_pmu_kind n */
	uint32_t first;
	uint8_t count, step;
};

/* clang-format off */
static const struct bank banks[] = {
	{ 1 << SIM_PMU_P5, 0x12, 2, 1 },
	{ 1 << SIM_PMU_P6 | 1 << SIM_PMU_ARCH, 0xc1, 8, 1 },
	{ 1 << SIM_PMU_P6 | 1 << SIM_PMU_ARCH, 0x186, 8, 1 },
	{ 1 << SIM_PMU_ARCH, 0x4c1, 8, 1 },
	{ 1 << SIM_PMU_NETBURST, 0x300, 18, 1 },
	{ 1 << SIM_PMU_NETBURST, 0x360, 18, 1 },
	{ 1 << SIM_PMU_AMD, 0xc0010000, 4, 1 },
	{ 1 << SIM_PMU_AMD, 0xc0010004, 4, 1 },
	{ 1 << SIM_PMU_AMD, 0xc0010200, 6, 2 },
	{ 1 << SIM_PMU_AMD, 0xc0010201, 6, 2 },
};
/* clang-format on */

/* With the fault, registers of an odd general counter are those of the counter below it. */
static uint32_t behind(const struct sim_pmu *pmu, uint32_t msr)
{
	if (pmu->fault != PMU_FAULT_ALIAS)
		return msr;
	for (unsigned i = 0; i < sizeof(banks) / sizeof(banks[0]); i++) {
		uint32_t at = msr - banks[i].first, n = at / banks[i].step;

		if (banks[i].kinds >> pmu->model->kind & 1 && n < banks[i].count &&
		    !(at % banks[i].step) && n & 1)
			return msr - banks[i].step;
	}
	return msr;
}

static void advance_loose(struct sim_pmu *pmu, const struct sim_step *step)
{
	for (unsigned i = 0; i < pmu->counter_count; i++)
		pmu->counter[i].value =
			(pmu->counter[i].value + step->n[SIG_INSTRUCTIONS]) & pmu->counter[i].mask;
}

static void count_step(struct sim_pmu *pmu, const struct sim_step *step)
{
	if (pmu->model->bus_ratio) {
		pmu->bus_phase += step->clocks;
		pmu->bus = pmu->bus_phase / pmu->model->bus_ratio;
		pmu->bus_phase %= pmu->model->bus_ratio;
	}
	if (pmu->fault == PMU_FAULT_LOOSE)
		advance_loose(pmu, step);
	pmu->steps++;
	pmu->step = step;
	pmu->ops->retire(pmu, step);
}

/* Counts all but the latest `left` of the instructions that are late. */
static void catch_up(struct sim_pmu *pmu, unsigned left)
{
	unsigned n = pmu->late_count > left ? pmu->late_count - left : 0;

	for (unsigned i = 0; i < n; i++)
		count_step(pmu, &pmu->late[i]);
	memmove(pmu->late, pmu->late + n, (pmu->late_count - n) * sizeof(pmu->late[0]));
	pmu->late_count -= n;
}

static bool serializes(const struct sim_pmu *pmu, const struct sim_step *step)
{
	return step->n[SIG_SERIALIZING] || (step->n[SIG_FENCES] && !pmu->fences_pass);
}

void sim_pmu_retire(struct sim_pmu *pmu, const struct sim_step *step)
{
	enum { LATE = sizeof(pmu->late) / sizeof(pmu->late[0]) };

	if (!pmu->running)
		return;
	if (pmu->fault != PMU_FAULT_EARLY) {
		count_step(pmu, step);
		return;
	}
	catch_up(pmu, serializes(pmu, step) ? 0 : LATE - 1);
	if (serializes(pmu, step)) {
		count_step(pmu, step);
		return;
	}
	pmu->late[pmu->late_count] = *step;
	pmu->late[pmu->late_count++].runs = 0; /* they last for this call alone */
}

enum sim_msr sim_pmu_rdmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t *value)
{
	enum sim_msr r;

	*value = 0;
	if (!pmu->ops)
		return MSR_NOT_MINE;
	catch_up(pmu, 0);
	msr = behind(pmu, msr);
	r = pmu->ops->rdmsr(pmu, msr, value);
	return r == MSR_OK && pmu->fault == PMU_FAULT_GP ? MSR_GP : r;
}

static void update_by_clock(struct sim_pmu *pmu)
{
	pmu->by_clock = pmu->asks_clocks;
	for (unsigned i = 0; i < pmu->counter_count; i++)
		pmu->by_clock |= pmu->counter[i].filter.by_clock;
}

enum sim_msr sim_pmu_wrmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t value)
{
	uint64_t old;
	enum sim_msr r;

	if (!pmu->ops)
		return MSR_NOT_MINE;
	catch_up(pmu, 0);
	msr = behind(pmu, msr);
	if (pmu->fault == PMU_FAULT_GP)
		return pmu->ops->rdmsr(pmu, msr, &old) == MSR_NOT_MINE ? MSR_NOT_MINE : MSR_GP;
	r = pmu->ops->wrmsr(pmu, msr, value);
	update_by_clock(pmu);
	return r;
}

enum sim_rdpmc sim_pmu_rdpmc(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value)
{
	*value = 0;
	if (!pmu->ops)
		return RDPMC_GP;
	if (pmu->fault == PMU_FAULT_GP)
		return RDPMC_GP;
	if (pmu->fault == PMU_FAULT_EARLY)
		catch_up(pmu, (unsigned)(++pmu->fault_count % 4));
	if (pmu->fault == PMU_FAULT_ALIAS && !(ecx >> 8))
		ecx &= ~1u;
	return pmu->ops->rdpmc(pmu, ecx, value);
}

void sim_pmu_halt(struct sim_pmu *pmu)
{
	if (pmu->ops && pmu->ops->halt)
		pmu->ops->halt(pmu);
}

bool sim_pmu_pmi_line(const struct sim_pmu *pmu)
{
	return pmu->ops && pmu->ops->pmi_line && pmu->ops->pmi_line(pmu);
}

uint64_t sim_pmu_pin(const struct sim_pmu *pmu, unsigned pin)
{
	return pmu->ops && pmu->ops->pin && pin < 2 ? pmu->ops->pin(pmu, pin) : 0;
}
