/*
 * The performance-monitoring unit of this machine: found, proven, run, put back.
 */
#include "pmu/pmu.h"

#include "kernel/log.h"
#include "kernel/text.h"
#include "kernel/cpu/msr.h"
#include "pmu/internal.h"

/* What pmu_init() found in the registers that the driver writes. */
static struct {
	unsigned n;
	struct pmu_write reg[PMU_REGS];
} found;

static bool is_counter(const struct pmu_hw *hw, uint32_t msr)
{
	for (unsigned i = 0; i < hw->ncounters; i++)
		if (hw->counter[i].msr == msr)
			return true;
	return false;
}

/* What a control register holds, without what the hardware changes. False: it faulted. */
static bool read_control(const struct pmu_hw *hw, uint32_t msr, uint64_t *value)
{
	struct pmu_control c = hw->driver->control(hw, msr);

	*value = 0;
	if (!msr_read(msr, value))
		return false;
	*value &= ~c.moves;
	return true;
}

static bool save_control(const struct pmu_hw *hw, uint32_t msr, uint64_t *value)
{
	*value = 0;
	return hw->driver->control(hw, msr).garbled || read_control(hw, msr, value);
}

void pmu_save(const struct pmu_hw *hw)
{
	uint32_t msr;
	uint64_t v;

	found.n = 0;
	for (unsigned i = 0; (msr = hw->driver->reg(hw, i)) && found.n < PMU_REGS; i++)
		if (is_counter(hw, msr) ? msr_read(msr, &v) : save_control(hw, msr, &v))
			found.reg[found.n++] = (struct pmu_write){ msr, v };
}

static void warn_register(uint32_t msr, const char *why)
{
	char buf[16];
	struct text t = text_in(buf, sizeof(buf));

	text_str(&t, "0x");
	text_hex(&t, msr, 1);
	log_warn("pmu", buf, why);
}

/* Firmware that counts for itself takes its counter back when it likes: in an SMI, for example. */
static void find_owner(const struct pmu_hw *hw)
{
	uint32_t msr = hw->driver->in_use ? hw->driver->in_use(hw) : 0;

	for (unsigned i = 0; i < found.n; i++) {
		const struct pmu_write *w = &found.reg[i];

		if (!is_counter(hw, w->msr) && (w->value & hw->driver->control(hw, w->msr).enables))
			warn_register(w->msr, "counters were enabled here before this kernel ran: "
			                      "firmware may use them");
	}
	if (msr)
		warn_register(msr, "counters were in use before this kernel ran: firmware may "
		                   "use them");
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
		pmu_save(hw);
		find_owner(hw);
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

/*
 * What the registers in `found` held when the last group was started; counters as 0. The bits in
 * `moving` say nothing.
 */
static uint64_t programmed[PMU_REGS], moving[PMU_REGS], now[PMU_REGS];

static void read_controls(const struct pmu_hw *hw, uint64_t *value)
{
	for (unsigned i = 0; i < found.n; i++) {
		value[i] = 0;
		if (!is_counter(hw, found.reg[i].msr))
			read_control(hw, found.reg[i].msr, &value[i]);
	}
}

/* Do `programmed` and `now` agree? Fills `moving`. `lenient`: garbled registers may differ. */
static bool agree(const struct pmu_hw *hw, bool lenient)
{
	bool same = true;

	for (unsigned i = 0; i < found.n; i++) {
		moving[i] = programmed[i] ^ now[i];
		if (moving[i] && !(lenient && hw->driver->control(hw, found.reg[i].msr).garbled))
			same = false;
	}
	return same;
}

/*
 * Somebody else may change a register before it is read, and what is read would be taken for what
 * was written. So everything is written twice, and both must read the same.
 */
bool pmu_start(const struct pmu_group *group)
{
	const struct pmu_hw *hw = &pmu_hw;

	for (unsigned left = 4; left--;) {
		if (!hw->driver->start(hw, group))
			return false;
		read_controls(hw, programmed);
		if (!hw->driver->start(hw, group))
			return false;
		read_controls(hw, now);
		if (agree(hw, !left))
			return true;
	}
	pmu_stop();
	return false;
}

bool pmu_intact(void)
{
	read_controls(&pmu_hw, now);
	for (unsigned i = 0; i < found.n; i++)
		if ((now[i] ^ programmed[i]) & ~moving[i]) {
			warn_register(found.reg[i].msr,
			              "somebody else changed it while counters ran");
			return false;
		}
	return true;
}

void pmu_stop(void)
{
	pmu_hw.driver->stop(&pmu_hw);
}

bool pmu_start_here(const struct pmu_group *group)
{
	return pmu_hw.driver->start(&pmu_hw, group);
}

void pmu_fini(void)
{
	restore(&pmu_hw);
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
		if (!is_counter(hw, msr))
			r->select = msr;
	return true;
}
