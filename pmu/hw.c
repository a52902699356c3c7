/*
 * What the other files of pmu/ stand on: the PMU of this CPU, what the lists of tables.h say about
 * it, the accesses to its registers that are the same for all families, and who else changes them.
 */
#include "kernel/cpu/msr.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"
#include "pmu/events.h"
#include "pmu/internal.h"
#include "pmu/tables.h"

struct pmu_hw pmu_hw = { .driver = &pmu_none };

void pmu_find_model(struct pmu_hw *hw, const char *family, const struct cpu *cpu)
{
	hw->model = 0;
	hw->models = PMU_MODEL_UNKNOWN;
	for (const struct pmu_model *m = pmu_models; m->name; m++) {
		if (strcmp(pmu_families[m->family], family) || m->vendor != cpu->vendor ||
		    m->cpu_family != cpu->family || cpu->model < m->first || cpu->model > m->last ||
		    cpu->stepping < m->first_stepping || cpu->stepping > m->last_stepping ||
		    (m->core_type && m->core_type != cpu->core_type) ||
		    (m->native && m->native != cpu->native_model))
			continue;
		hw->model = pmu_names + m->name;
		hw->models = 1ull << m->bit;
		return;
	}
}

static bool alias_of_family(const struct pmu_alias *a)
{
	return !strcmp(pmu_families[a->family], pmu_hw.driver->name);
}

const char *pmu_exact_alias(unsigned i)
{
	for (const struct pmu_alias *a = pmu_aliases; a->name; a++)
		if (a->exact && alias_of_family(a) && !i--)
			return pmu_names + a->name;
	return 0;
}

/* A row of the errata names an event with all its masks and filters, or an event with one mask. */
static bool concerns(const char *row, const char *key)
{
	while (*row && *row == *key) {
		row++;
		key++;
	}
	return !*row && (!*key || *key == '.' || *key == ':');
}

/* Is there a row about this event on this CPU? NULL, or what it says. */
static const char *row_of(const char *key, enum pmu_where where)
{
	const struct pmu_hw *hw = &pmu_hw;

	for (const struct pmu_erratum *e = pmu_errata; e->event; e++)
		if (e->where == where && (e->models & hw->models) &&
		    concerns(pmu_names + e->event, key) &&
		    !strcmp(pmu_families[e->family], hw->driver->name))
			return pmu_names + e->what;
	return NULL;
}

bool pmu_counts_interrupts(const char *key)
{
	return row_of(key, PMU_ROW_INTERRUPT);
}

bool pmu_host_adds(const char *key)
{
	return cpu_is_guest(pmu_hw.cpu) && !row_of(key, PMU_ROW_ALWAYS) &&
	       row_of(key, PMU_ROW_GUEST);
}

const char *pmu_erratum(const char *key)
{
	const struct pmu_hw *hw = &pmu_hw;
	const struct pmu_table *t = hw->driver->table;
	char name[PMU_KEY];
	struct pmu_event event;
	const char *what;

	what = row_of(key, PMU_ROW_ALWAYS);
	if (!what && cpu_is_guest(hw->cpu))
		what = row_of(key, PMU_ROW_GUEST);
	if (what)
		return what;
	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, i + 1)) {
		if (!concerns(pmu_event_name(t, i), key))
			continue;
		pmu_event_at(t, i, &event);
		pmu_event_text(&event, name, sizeof(name));
		if (event.kind->errata && concerns(name, key))
			return pmu_names + event.kind->errata;
	}
	return 0;
}

bool pmu_takes(uint32_t msr, uint64_t value, uint64_t before)
{
	uint64_t v;
	bool ok = msr_write(msr, value) && msr_read(msr, &v) && v == value;

	msr_write(msr, before);
	return ok;
}

bool pmu_write_extra(const struct pmu_group *group)
{
	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_slot *s = &group->slots[i];

		for (unsigned k = 0; k < s->nextra; k++)
			if (s->extra[k].msr < PMU_CLAIM &&
			    !msr_write(s->extra[k].msr, s->extra[k].value))
				return false;
	}
	return true;
}

void pmu_slot_fill(const struct pmu_hw *hw, struct pmu_slot *slot, const char *key,
                   const struct pmu_config *config, unsigned counter)
{
	const struct pmu_counter *c = &hw->counter[counter];

	memcpy(slot->key, key, strlen(key) + 1);
	slot->counter = (uint8_t)counter;
	slot->width = c->width;
	slot->access = c->access;
	slot->index = c->index;
	slot->blocks = config->blocks;
	slot->select = config->select;
	slot->from = 0;
	slot->conditional = config->conditional;
	slot->nextra = config->nextra;
	for (unsigned i = 0; i < config->nextra; i++)
		slot->extra[i] = config->extra[i];
}

bool pmu_counter_read(const struct pmu_hw *hw, unsigned counter, uint64_t *value)
{
	const struct pmu_counter *c = &hw->counter[counter];
	bool ok = c->access == PMU_RDMSR ? msr_read(c->index, value) : pmc_read(c->index, value);

	if (c->width < 64)
		*value &= (1ull << c->width) - 1;
	return ok;
}

/* ---- Who changes the control registers ---- */

/*
 * What pmu_init() found in the registers that the driver writes, and what each of them is: that is
 * asked once, because the registers are read several times for each group. All bits of a counter
 * move.
 */
static struct {
	unsigned n;
	struct pmu_write reg[PMU_REGS];
	struct pmu_control control[PMU_REGS];
} found;

bool pmu_is_counter(const struct pmu_hw *hw, uint32_t msr)
{
	for (unsigned i = 0; i < hw->ncounters; i++)
		if (hw->counter[i].msr == msr)
			return true;
	return false;
}

static struct pmu_control control_of(const struct pmu_hw *hw, uint32_t msr)
{
	if (pmu_is_counter(hw, msr))
		return (struct pmu_control){ .moves = UINT64_MAX };
	return hw->driver->control(hw, msr);
}

void pmu_save(const struct pmu_hw *hw)
{
	uint32_t msr;

	found.n = 0;
	for (unsigned i = 0; (msr = hw->driver->reg(hw, i)) && found.n < PMU_REGS; i++) {
		struct pmu_control c = control_of(hw, msr);
		uint64_t v = 0;

		if (!c.garbled && !msr_read(msr, &v))
			continue;
		if (c.moves != UINT64_MAX)
			v &= ~c.moves;
		found.control[found.n] = c;
		found.reg[found.n++] = (struct pmu_write){ msr, v };
	}
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
void pmu_find_owner(const struct pmu_hw *hw)
{
	uint32_t msr = hw->driver->in_use ? hw->driver->in_use(hw) : 0;

	for (unsigned i = 0; i < found.n; i++) {
		const struct pmu_write *w = &found.reg[i];

		if (w->value & found.control[i].enables)
			warn_register(w->msr, "counters were enabled here before this kernel ran: "
			                      "firmware may use them");
	}
	if (msr)
		warn_register(msr, "counters were in use before this kernel ran: firmware may "
		                   "use them");
}

void pmu_restore(const struct pmu_hw *hw, bool last)
{
	hw->driver->stop(hw);
	for (unsigned i = 0; i < found.n; i++)
		msr_write(found.reg[i].msr, found.reg[i].value);
	if (last)
		found.n = 0;
}

/*
 * What the registers in `found` held when the last group was started; counters as 0. The bits in
 * `moving` say nothing.
 */
static uint64_t programmed[PMU_REGS], moving[PMU_REGS], now[PMU_REGS];

static void read_controls(uint64_t *value)
{
	for (unsigned i = 0; i < found.n; i++) {
		const struct pmu_control *c = &found.control[i];

		value[i] = 0;
		if (c->moves != UINT64_MAX && msr_read(found.reg[i].msr, &value[i]))
			value[i] &= ~c->moves;
		if (value[i] & c->arms)
			value[i] &= ~c->enables;
	}
}

/* Do `programmed` and `now` agree? Fills `moving`. `lenient`: garbled registers may differ. */
static bool agree(bool lenient)
{
	bool same = true;

	for (unsigned i = 0; i < found.n; i++) {
		moving[i] = programmed[i] ^ now[i];
		if (moving[i] && !(lenient && found.control[i].garbled))
			same = false;
	}
	return same;
}

/*
 * Firmware may change a register before it is read, and what is read would be taken for what
 * was written. So everything is written twice, and both must read the same.
 */
bool pmu_start(const struct pmu_group *group)
{
	const struct pmu_hw *hw = &pmu_hw;

	for (unsigned left = 4; left--;) {
		if (!hw->driver->start(hw, group))
			return false;
		read_controls(programmed);
		if (!hw->driver->start(hw, group))
			return false;
		read_controls(now);
		if (agree(!left))
			return true;
	}
	hw->driver->stop(hw);
	return false;
}

void pmu_watch(void)
{
	read_controls(programmed);
	read_controls(now);
	agree(true);
}

uint32_t pmu_changed(void)
{
	read_controls(now);
	for (unsigned i = 0; i < found.n; i++)
		if ((now[i] ^ programmed[i]) & ~moving[i])
			return found.reg[i].msr;
	return 0;
}

void pmu_warn_changed(uint32_t msr)
{
	warn_register(msr, "somebody else changed it while counters ran");
}

bool pmu_intact(void)
{
	uint32_t msr = pmu_changed();

	if (msr)
		pmu_warn_changed(msr);
	return !msr;
}
