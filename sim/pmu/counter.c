/*
 * sim/pmu/counter.c - events, counters and their filters, for every family.
 *
 * Rules of counting: Intel SDM volume 3B, "Performance Monitoring" (CMASK, INV, EDGE), and for the
 * comparison of NetBurst the section on CCCRs. Where the manual speaks of clocks and this simulator
 * of instructions, struct pmu_filter says how one becomes the other.
 */
#include "sim/pmu/internal.h"

/* ---- event lookup ---- */

static bool has_event(const struct sim_pmu_model *m, const struct sim_event *e)
{
	return !e->models || (e->models & m->event_models);
}

/*
 * Says the maker's list that this counter cannot count the encoding? A list has rows that differ in
 * cmask, inv or edge alone; a counter that one of them allows can count.
 */
static bool excluded(const struct sim_pmu_model *m, uint32_t code, uint32_t umask, unsigned counter)
{
	uint32_t counters = 0;

	for (unsigned i = 0; m->list && i < m->list->count; i++)
		if (m->list->rows[i].code == code && m->list->rows[i].umask == umask)
			counters |= m->list->rows[i].counters;
	return counters && !(counters & BIT(counter));
}

/* Runs at every write of a control register: no sim_pmu_event() here, that searches each time. */
static const struct sim_event *find_event(const struct sim_pmu_model *m, uint32_t code,
                                          uint32_t umask, unsigned unit, unsigned counter)
{
	if (excluded(m, code, umask, counter))
		return NULL;
	for (unsigned t = 0; t < SIM_EVENT_TABLES && m->events[t]; t++) {
		const struct sim_event *end = m->events[t]->events + m->events[t]->count;

		for (const struct sim_event *e = m->events[t]->events; e < end; e++)
			if (e->code == code && e->umask == umask && e->unit == unit &&
			    (!e->counters || (e->counters & BIT(counter))) && has_event(m, e))
				return e;
	}
	return NULL;
}

const struct sim_event *sim_pmu_event(const struct sim_pmu_model *m, unsigned i)
{
	for (unsigned t = 0; t < SIM_EVENT_TABLES && m->events[t]; t++) {
		const struct sim_event *end = m->events[t]->events + m->events[t]->count;

		for (const struct sim_event *e = m->events[t]->events; e < end; e++)
			if (has_event(m, e) && !i--)
				return e;
	}
	return NULL;
}

void pmu_filter_add(struct pmu_filter *f, struct sim_term term)
{
	for (unsigned i = 0; i < f->terms; i++)
		if (f->term[i].signal == term.signal)
			return;
	if (f->terms < SIM_EVENT_TERMS)
		f->term[f->terms++] = term;
}

static void add_terms(struct pmu_filter *f, const struct sim_event *e)
{
	for (unsigned i = 0; i < SIM_EVENT_TERMS && e->term[i].weight; i++)
		pmu_filter_add(f, e->term[i]);
}

bool pmu_filter_event(struct pmu_filter *f, const struct sim_pmu_model *m, uint32_t code,
                      uint32_t umask, unsigned unit, unsigned counter)
{
	const struct sim_event *e = find_event(m, code, umask, unit, counter);

	f->chosen = true;
	f->code = (uint16_t)code;
	f->umask = (uint16_t)umask;
	f->unit = (uint16_t)unit;
	f->unknown = false;
	f->terms = 0;
	if (e) {
		add_terms(f, e);
		return f->terms;
	}
	for (unsigned bit = 0; bit < 16; bit++) {
		if (!(umask & BIT(bit)))
			continue;
		e = find_event(m, code, BIT(bit), unit, counter);
		if (e)
			add_terms(f, e);
	}
	return f->terms;
}

enum row { ROW_ABSENT, ROW_EMPTY, ROW_DERIVED };

/* The best row for the encoding, whatever counters it is for. */
static enum row row_of(const struct sim_pmu_model *m, uint32_t code, uint32_t umask, unsigned unit,
                       bool core)
{
	enum row best = ROW_ABSENT;

	for (unsigned t = 0; t < SIM_EVENT_TABLES && m->events[t]; t++)
		for (unsigned i = 0; i < m->events[t]->count && best != ROW_DERIVED; i++) {
			const struct sim_event *e = &m->events[t]->events[i];

			if (e->code == code && e->umask == umask && e->unit == unit &&
			    has_event(m, e))
				best = sim_event_derived(e, core) ? ROW_DERIVED : ROW_EMPTY;
		}
	return best;
}

/* Without a row of its own an encoding is derived if each of its bits is. */
static bool encoding_derived(const struct sim_pmu_model *m, uint32_t code, uint32_t umask,
                             unsigned unit, bool core)
{
	enum row row = row_of(m, code, umask, unit, core);

	if (row != ROW_ABSENT || !umask)
		return row == ROW_DERIVED;
	for (unsigned bit = 0; bit < 16; bit++)
		if (umask & BIT(bit) && row_of(m, code, BIT(bit), unit, core) != ROW_DERIVED)
			return false;
	return true;
}

bool sim_pmu_derives(const struct sim_pmu_model *m, uint32_t code, uint32_t umask, bool core)
{
	return encoding_derived(m, code, umask, 0, core);
}

static bool derived(const struct sim_pmu *pmu, const struct pmu_filter *f)
{
	if (!f->chosen)
		return f->terms;
	return !f->unknown && encoding_derived(pmu->model, f->code, f->umask, f->unit, pmu->core);
}

bool sim_pmu_counter_derived(const struct sim_pmu *pmu, uint32_t ecx)
{
	bool fixed = pmu->model->kind == SIM_PMU_ARCH && ecx >> 30 & 1;
	unsigned n = (ecx & 0xff) + (fixed ? PMU_FIRST_FIXED : 0);

	return n < pmu->counter_count && derived(pmu, &pmu->counter[n].filter);
}

void pmu_filter_cmask(struct pmu_filter *f, unsigned cmask, bool inv, bool edge, bool eq)
{
	f->edge = edge;
	f->reference = (uint8_t)cmask;
	if (cmask && eq)
		f->compare = inv ? PMU_NE : PMU_EQ;
	else if (cmask)
		f->compare = inv ? PMU_LT : PMU_GE;
	else
		f->compare = PMU_ADD; /* INV means nothing without CMASK */
	if (edge && !cmask) {
		f->compare = PMU_GE;
		f->reference = 1;
	}
}

void pmu_filter_clocks(const struct sim_pmu *pmu, struct pmu_filter *f)
{
	bool compares = f->compare != PMU_ADD || f->edge, lanes = false;

	f->by_clock = false;
	for (unsigned i = 0; i < f->terms; i++) {
		enum sim_signal sig = (enum sim_signal)f->term[i].signal;

		if (sim_signal_lane(sig) == LANE_COUNT)
			return;
		f->lane[i] = (uint8_t)sim_signal_lane(sig);
		lanes |= sim_signal_clocked(sig) || (compares && sig != SIG_CLOCKS);
	}
	f->by_clock = lanes && pmu->core;
}

uint8_t pmu_cpl_mask(bool usr, bool os)
{
	return (uint8_t)((usr ? 0xe : 0) | (os ? 0x1 : 0));
}

/* ---- counting ---- */

static bool compare(const struct pmu_filter *f, uint64_t sum)
{
	if (f->clip && sum > 15)
		sum = 15;
	switch ((enum pmu_compare)f->compare) {
	case PMU_ADD:
		return sum != 0;
	case PMU_GE:
		return sum >= f->reference;
	case PMU_LT:
		return sum < f->reference;
	case PMU_EQ:
		return sum == f->reference;
	case PMU_NE:
		return sum != f->reference;
	case PMU_GT:
		return sum > f->reference;
	case PMU_LE:
		return sum <= f->reference;
	}
	return false;
}

/* The sum in clock number `clock` of `clocks`. */
static uint64_t sum_at(const struct sim_pmu *pmu, const struct pmu_filter *f,
                       const struct sim_step *step, uint32_t clock, uint32_t clocks)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < f->terms; i++) {
		unsigned sig = f->term[i].signal;
		uint64_t n = pmu_occurrences(pmu, step, sig);

		if (sim_signal_info[sig].kind == SIGNAL_LEVEL)
			n = clock < n;
		else if (clock != clocks - 1)
			n = 0;
		sum += n * f->term[i].weight;
	}
	return sum;
}

/* The first clock after `clock` at which the sum may be another one. */
static uint32_t next_change(const struct sim_pmu *pmu, const struct pmu_filter *f,
                            const struct sim_step *step, uint32_t clock, uint32_t clocks)
{
	uint32_t next = clock < clocks - 1 ? clocks - 1 : clocks;

	for (unsigned i = 0; i < f->terms; i++) {
		uint64_t n = pmu_occurrences(pmu, step, f->term[i].signal);

		if (sim_signal_info[f->term[i].signal].kind == SIGNAL_LEVEL && n > clock &&
		    n < next)
			next = (uint32_t)n;
	}
	return next;
}

/*
 * The second instruction of a pair shares the last clock of the first: that clock counts once
 * more only if the comparison was false and is true with what this instruction adds. (Only
 * PMU_ADD and PMU_GE 1 occur here, P5 has no other comparison.)
 */
static uint64_t count_same_clock(struct pmu_filter *f, uint64_t sum)
{
	if (f->level || !compare(f, sum))
		return 0;
	f->level = true;
	return 1;
}

static uint64_t count_clocks(struct sim_pmu *pmu, struct pmu_filter *f, const struct sim_step *step,
                             bool gated)
{
	uint32_t clocks = step->clocks;
	uint64_t count = 0;

	if (!clocks)
		return count_same_clock(f, gated ? 0 : pmu_filter_sum(pmu, f, step));
	for (uint32_t clock = 0, next; clock < clocks; clock = next) {
		uint64_t sum = gated ? 0 : sum_at(pmu, f, step, clock, clocks);
		bool hit = compare(f, sum);

		next = gated ? clocks : next_change(pmu, f, step, clock, clocks);
		if (hit)
			count += f->edge ? !f->level : next - clock;
		f->level = hit;
	}
	return count;
}

static uint64_t run_sum(const struct pmu_filter *f, const struct sim_run *run)
{
	uint64_t sum = 0;

	for (unsigned t = 0; t < f->terms; t++)
		sum += (uint64_t)run->n[f->lane[t]] * f->term[t].weight;
	return sum;
}

/* The same of clocks of the core. */
static uint64_t count_runs(struct pmu_filter *f, const struct sim_step *step, bool gated)
{
	bool adds = f->compare == PMU_ADD && !f->edge;
	uint64_t count = 0;

	for (unsigned i = 0; i < step->runs; i++) {
		const struct sim_run *run = &step->run[i];
		uint64_t sum = gated ? 0 : run_sum(f, run);
		bool hit = compare(f, sum);

		if (adds)
			count += sum * run->clocks;
		else if (hit)
			count += f->edge ? !f->level : run->clocks;
		f->level = hit;
	}
	return count;
}

uint64_t pmu_runs_until(const struct pmu_filter *f, const struct sim_step *step, uint64_t left)
{
	bool adds = f->compare == PMU_ADD && !f->edge, level = f->level;
	uint64_t clocks = 0;

	for (unsigned i = 0; i < step->runs; i++) {
		const struct sim_run *run = &step->run[i];
		uint64_t each = run_sum(f, run), most = run->clocks;

		if (!adds) {
			bool hit = compare(f, each);

			each = hit && !(f->edge && level);
			most = f->edge ? 1 : most;
			level = hit;
		}
		if (each * most > left)
			return clocks + left / each + 1;
		left -= each * most;
		clocks += run->clocks;
	}
	return 0;
}

uint64_t pmu_filter_compare(struct sim_pmu *pmu, struct pmu_filter *f, const struct sim_step *step)
{
	bool other_cpl = !(f->cpl_mask & (1u << (step->cpl & 3)));

	if (other_cpl && !f->input_gated) {
		f->level = false;
		return 0;
	}
	if (f->by_clock)
		return count_runs(f, step, other_cpl);
	return count_clocks(pmu, f, step, other_cpl);
}

static uint64_t read_with_fault(struct sim_pmu *pmu, const struct pmu_counter *c)
{
	switch (pmu->fault) {
	case PMU_FAULT_ZERO:
		return 0;
	case PMU_FAULT_OFF_BY_ONE:
		return ++pmu->fault_count % pmu->fault_value ? c->value : (c->value + 1) & c->mask;
	default:
		return c->value;
	}
}

uint64_t pmu_counter_read(struct sim_pmu *pmu, const struct pmu_counter *c)
{
	uint64_t value = read_with_fault(pmu, c);

	return pmu->lies ? pmu_lied_read(pmu, &pmu->counter[c - pmu->counter], value) : value;
}

void pmu_counter_write32(struct pmu_counter *c, uint64_t value)
{
	c->value = (uint64_t)(int64_t)(int32_t)(uint32_t)value & c->mask;
}

void pmu_set_running(struct sim_pmu *pmu, bool running)
{
	switch (pmu->fault) {
	case PMU_FAULT_STUCK:
	case PMU_FAULT_GP:
		pmu->running = false;
		break;
	case PMU_FAULT_LOOSE:
		pmu->running = true;
		break;
	default:
		pmu->running = running;
	}
}

void pmu_raise(struct sim_pmu *pmu)
{
	if (pmu->host.pmi)
		pmu->host.pmi(pmu->host.ctx);
}
