/*
 * The performance-monitoring unit of this machine: found, proven, run, put back.
 */
#include "pmu/pmu.h"

#include "kernel/lib/log.h"
#include "pmu/internal.h"

struct pmu_hw pmu_other;

static unsigned count_bits(uint32_t v)
{
	unsigned n = 0;

	for (; v; v &= v - 1)
		n++;
	return n;
}

static void log_pmu(const struct pmu_hw *hw, unsigned announced)
{
	log_begin("pmu");
	log_str("pmu", hw->driver->name);
	if (hw->driver == &pmu_none) {
		log_str("reason", hw->why);
		log_dec("announced", announced);
	} else {
		log_str("model", hw->model ? hw->model : "unknown");
		log_dec("counters", hw->ncounters);
		log_dec("usable", count_bits(hw->usable));
	}
	log_end();
}

bool pmu_init(const struct cpu *cpu)
{
	struct pmu_hw *hw = &pmu_hw;
	unsigned announced;

	for (unsigned i = 0;; i++) {
		*hw = (struct pmu_hw){ .driver = pmu_drivers[i], .cpu = cpu };
		if (hw->driver->probe(hw, cpu))
			break;
	}
	announced = hw->ncounters;
	hw->usable = (uint32_t)((1ull << hw->ncounters) - 1);
	if (hw->ncounters) {
		pmu_save(hw);
		pmu_find_owner(hw);
		if (hw->driver->wake)
			hw->driver->wake(hw);
		pmu_prove(hw);
	}
	if (!hw->usable) {
		pmu_restore(hw, true);
		hw->driver = &pmu_none;
		hw->ncounters = 0;
	}
	log_pmu(hw, announced);
	return hw->ncounters;
}

void pmu_stop(void)
{
	pmu_hw.driver->stop(&pmu_hw);
}

bool pmu_start_here(const struct pmu_group *group)
{
	const struct pmu_hw *hw = group->other ? &pmu_other : &pmu_hw;

	return hw->driver->start(hw, group);
}

void pmu_stop_here(const struct pmu_group *group)
{
	const struct pmu_hw *hw = group->other ? &pmu_other : &pmu_hw;

	hw->driver->stop(hw);
}

void pmu_probe_other(const struct cpu *cpu)
{
	struct pmu_hw *hw = &pmu_other;

	*hw = (struct pmu_hw){ .driver = pmu_hw.driver, .cpu = cpu };
	if (hw->driver->probe(hw, cpu))
		hw->usable = (uint32_t)((1ull << hw->ncounters) - 1);
}

void pmu_put_back(void)
{
	pmu_restore(&pmu_hw, false);
}

void pmu_fini(void)
{
	pmu_restore(&pmu_hw, true);
}

const char *pmu_name(void)
{
	return pmu_hw.driver->name;
}

bool pmu_registers(struct pmu_registers *r)
{
	const struct pmu_hw *hw = &pmu_hw;
	unsigned first = 0;
	uint32_t msr;

	if (!hw->usable)
		return false;
	while (!(hw->usable >> first & 1))
		first++;
	*r = (struct pmu_registers){
		.counter = hw->counter[first].msr,
		.rdpmc = hw->counter[first].index,
		.has_rdpmc = hw->counter[first].access == PMU_RDPMC,
	};
	for (unsigned i = 0; (msr = hw->driver->reg(hw, i)) && !r->select; i++)
		if (!pmu_is_counter(hw, msr))
			r->select = msr;
	return true;
}
