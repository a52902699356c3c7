/*
 * No performance monitoring. It is a family like the others, so that no caller has to ask whether
 * counters exist.
 */
#include "pmu/internal.h"

static bool none_probe(struct pmu_hw *hw, const struct cpu *cpu)
{
	hw->why = cpu->pmu_reason[0] ? cpu->pmu_reason : "no driver for this CPU";
	return true;
}

static uint32_t none_reg(const struct pmu_hw *hw, unsigned i)
{
	(void)hw;
	(void)i;
	return 0;
}

static unsigned none_encode(const struct pmu_hw *hw, const struct pmu_request *rq,
                            struct pmu_config *out, const char **why)
{
	(void)rq;
	(void)out;
	*why = hw->why;
	return 0;
}

static bool none_start(const struct pmu_hw *hw, const struct pmu_group *group)
{
	(void)hw;
	return !group->n;
}

static void none_stop(const struct pmu_hw *hw)
{
	(void)hw;
}

static const struct pmu_field none_fields[] = { { 0, 0, 0, 0, 0 } };
static const struct pmu_proof none_proofs[] = { { PMU_PROOF_END, 0 } };

const struct pmu_driver pmu_none = {
	.name = "none",
	.fields = none_fields,
	.proofs = none_proofs,
	.defaults = "",
	.probe = none_probe,
	.reg = none_reg,
	.encode = none_encode,
	.start = none_start,
	.stop = none_stop,
};
