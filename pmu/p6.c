/*
 * Pentium Pro, II, III, M: two counters, two event selects, one enable bit for both.
 *
 * Follows SDM volume 3B, "Performance Monitoring (P6 Family Processors)". Bit 22 of PerfEvtSel0
 * starts and stops both counters and is reserved in PerfEvtSel1. A write of a counter loads 32 bits
 * and repeats bit 31 above them.
 */
#include "kernel/cpu/msr.h"
#include "pmu/evtsel.h"
#include "pmu/internal.h"
#include "pmu/tables.h"

#define MSR_P6_EVNTSEL(n) (0x186 + (n))
#define MSR_P6_PERFCTR(n) (0xc1 + (n))

static const struct pmu_field p6_fields[] = {
	{ "event", 0, 0xff, PMU_EVENT, 0 },   { "umask", 0, 0xff, PMU_UMASK, 0 },
	{ "cmask", "c", 0xff, PMU_CMASK, 0 }, { "inv", "i", 1, PMU_INV, 0 },
	{ "edge", "e", 1, PMU_EDGE, 0 },      { "usr", "u", 1, PMU_USR, 0 },
	{ "os", "k", 1, PMU_OS, 0 },          { "pc", "pc", 1, PMU_PIN, 0 },
	{ "int", "int", 1, PMU_INT, 0 },      { 0, 0, 0, 0, 0 },
};

static const struct pmu_proof p6_proofs[] = {
	{ PMU_PROOF_INSTRUCTIONS, "INST_RETIRED" },
	{ PMU_PROOF_BRANCHES, "BR_INST_RETIRED" },
	{ PMU_PROOF_END, 0 },
};

static bool p6_probe(struct pmu_hw *hw, const struct cpu *cpu)
{
	static const char *const names[] = { "PerfCtr0", "PerfCtr1" };

	if (cpu->pmu_class != PMU_CLASS_P6)
		return false;
	pmu_find_model(hw, "p6", cpu);
	hw->ncounters = 2;
	for (unsigned n = 0; n < 2; n++)
		hw->counter[n] = (struct pmu_counter){
			.name = names[n],
			.msr = MSR_P6_PERFCTR(n),
			.index = n,
			.number = (uint8_t)n,
			.access = PMU_RDPMC,
			.width = 40,
			.load = 32,
		};
	return true;
}

static uint32_t p6_reg(const struct pmu_hw *hw, unsigned i)
{
	static const uint32_t regs[] = { MSR_P6_PERFCTR(0), MSR_P6_PERFCTR(1), MSR_P6_EVNTSEL(1),
		                         MSR_P6_EVNTSEL(0) };

	(void)hw;
	return i < sizeof(regs) / sizeof(regs[0]) ? regs[i] : 0;
}

/* Bit 22 of the first select starts both counters; in the second it is reserved. */
static struct pmu_control p6_control(const struct pmu_hw *hw, uint32_t msr)
{
	(void)hw;
	return (struct pmu_control){ .enables = msr == MSR_P6_EVNTSEL(0) ? EVTSEL_EN : 0 };
}

static unsigned p6_encode(const struct pmu_hw *hw, const struct pmu_request *rq,
                          struct pmu_config *out, const char **why)
{
	if (!evtsel_levels(rq, why) || !evtsel_compare(rq, why))
		return 0;
	*out = (struct pmu_config){
		.counters = pmu_request_counters(hw, rq),
		.select = evtsel_common(rq) | (rq->value[PMU_PIN] ? EVTSEL_PC : 0),
	};
	*why = "the counter that can count it did not prove itself";
	return out->counters != 0;
}

static void p6_stop(const struct pmu_hw *hw)
{
	(void)hw;
	msr_write(MSR_P6_EVNTSEL(0), 0);
	msr_write(MSR_P6_EVNTSEL(1), 0);
}

/* A counter that the group does not use has event 0 at no level: it counts nothing. */
static bool p6_start(const struct pmu_hw *hw, const struct pmu_group *group)
{
	uint64_t select[2] = { 0, 0 };
	bool ok = true;

	p6_stop(hw);
	for (unsigned i = 0; i < group->n; i++) {
		unsigned n = group->slots[i].counter;

		select[n] = group->slots[i].select;
		ok = ok && msr_write(MSR_P6_PERFCTR(n), group->slots[i].from);
	}
	ok = ok && msr_write(MSR_P6_EVNTSEL(1), select[1]) &&
	     msr_write(MSR_P6_EVNTSEL(0), select[0] | EVTSEL_EN);
	if (!ok)
		p6_stop(hw);
	return ok;
}

const struct pmu_driver pmu_p6 = {
	.name = "p6",
	.raw = "cpu",
	.table = &pmu_table_p6,
	.fields = p6_fields,
	.proofs = p6_proofs,
	.defaults = "INST_RETIRED,CPU_CLK_UNHALTED",
	.probe = p6_probe,
	.reg = p6_reg,
	.control = p6_control,
	.encode = p6_encode,
	.start = p6_start,
	.stop = p6_stop,
};
