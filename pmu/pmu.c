/*
 * The performance-monitoring unit of this machine: found, proven, run, put back.
 */
#include "pmu/pmu.h"

#include "kernel/log.h"
#include "kernel/cpu/msr.h"
#include "pmu/internal.h"

/* What pmu_init() found in the registers that the driver writes. */
static struct {
	unsigned n;
	struct pmu_write reg[PMU_REGS];
} found;

static void save(const struct pmu_hw *hw)
{
	uint32_t msr;
	uint64_t v;

	found.n = 0;
	for (unsigned i = 0; (msr = hw->driver->reg(hw, i)) && found.n < PMU_REGS; i++)
		if (msr_read(msr, &v))
			found.reg[found.n++] = (struct pmu_write){ msr, v };
}

static void restore(const struct pmu_hw *hw)
{
	hw->driver->stop(hw);
	for (unsigned i = 0; i < found.n; i++)
		msr_write(found.reg[i].msr, found.reg[i].value);
	found.n = 0;
}

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
		save(hw);
		if (hw->driver->wake)
			hw->driver->wake(hw);
		pmu_prove(hw);
	}
	if (!hw->usable) {
		restore(hw);
		hw->driver = &pmu_none;
		hw->ncounters = 0;
	}
	log_pmu(hw, announced);
	return hw->ncounters;
}

bool pmu_start(const struct pmu_group *group)
{
	return pmu_hw.driver->start(&pmu_hw, group);
}

void pmu_stop(void)
{
	pmu_hw.driver->stop(&pmu_hw);
}

void pmu_fini(void)
{
	restore(&pmu_hw);
}

const char *pmu_name(void)
{
	return pmu_hw.driver->name;
}

static bool is_counter(const struct pmu_hw *hw, uint32_t msr)
{
	for (unsigned i = 0; i < hw->ncounters; i++)
		if (hw->counter[i].msr == msr)
			return true;
	return false;
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
		if (!is_counter(hw, msr))
			r->select = msr;
	return true;
}
