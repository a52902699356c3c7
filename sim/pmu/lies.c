/*
 * Counters that lie: what a proof of counters has to find (sim/README.md, lie=).
 */
#include "sim/pmu/internal.h"

/* Whole ones of `n` times mul / div; the rest waits for the next event. */
static uint64_t share(struct pmu_counter *c, uint64_t n, uint64_t mul, uint64_t div)
{
	uint64_t sum = c->rest + n * mul;

	c->rest = sum % div;
	return sum / div;
}

/* Of `n` events, those that come once the counter has had `number`. */
static uint64_t behind(const struct pmu_counter *c, uint64_t n, uint64_t number)
{
	uint64_t after = c->told + n;

	if (after <= number)
		return 0;
	return after - number < n ? after - number : n;
}

static uint64_t within(uint64_t quota, uint64_t had, uint64_t n)
{
	if (had >= quota)
		return 0;
	return quota - had < n ? quota - had : n;
}

/*
 * What `of` counts, in this step or, if it comes later in the step, in the one before. If it does
 * not run, the counter's own.
 */
static uint64_t shadow(const struct sim_pmu *pmu, const struct pmu_counter *of, uint64_t own)
{
	return of->step && of->step + 1 >= pmu->steps ? of->last : own;
}

static uint64_t blind(const struct pmu_counter *c, uint64_t n, uint64_t number)
{
	uint64_t seen = 0;

	for (uint64_t at = c->told; at < c->told + n; at++)
		seen += at / number % 2 == 0;
	return seen;
}

/* None if more than so many counters ran in this step or the one before. */
static uint64_t crowd(const struct sim_pmu *pmu, uint64_t n, uint64_t most)
{
	uint64_t running = 0;

	for (unsigned i = 0; i < pmu->counter_count; i++) {
		const struct pmu_counter *c = &pmu->counter[i];

		running += c->step && c->step + 1 >= pmu->steps;
	}
	return running > most ? 0 : n;
}

static bool counts_level(const struct pmu_counter *c, unsigned cpl)
{
	return c->filter.cpl_mask >> (cpl & 3) & 1;
}

static uint64_t tell(const struct sim_pmu *pmu, const struct sim_lie *lie, struct pmu_counter *c,
                     uint64_t n)
{
	switch (lie->kind) {
	case SIM_LIE_SATURATE:
		return n < lie->number ? n : lie->number;
	case SIM_LIE_QUOTA:
		return within(lie->number, c->quota, n);
	case SIM_LIE_SHADOW:
		return shadow(pmu, &pmu->counter[lie->number], n);
	case SIM_LIE_BLIND:
		return blind(c, n, lie->number);
	case SIM_LIE_CROWD:
		return crowd(pmu, n, lie->number);
	case SIM_LIE_SCALE:
		return n + share(c, n, lie->number, 1000000);
	case SIM_LIE_LOSE:
		return n - share(c, n, 1, lie->number);
	case SIM_LIE_LATE:
		return n + behind(c, n, lie->number);
	case SIM_LIE_STUCK:
		return n - behind(c, n, lie->number);
	case SIM_LIE_HALVE:
		return n - share(c, behind(c, n, lie->number), 1, 2);
	case SIM_LIE_LEVEL:
		return pmu->step->cpl == lie->number ? 0 : n;
	case SIM_LIE_BRANCHES:
		return counts_level(c, pmu->step->cpl) ? lie->number * pmu->step->n[SIG_BRANCHES]
		                                       : 0;
	case SIM_LIE_FREEZE:
		return c->starts % lie->number == lie->number - 1 ? 0 : n;
	case SIM_LIE_CEILING:
		return within(lie->number, c->value, n);
	default:
		return n;
	}
}

/* Does the lie hold for this counter, and now? */
static bool holds(const struct sim_lie *lie, const struct pmu_counter *c, unsigned number)
{
	return (lie->counter == SIM_LIE_ALL || lie->counter == number) && c->told >= lie->from &&
	       (!lie->to || c->told < lie->to);
}

uint64_t pmu_lied(struct sim_pmu *pmu, struct pmu_counter *c, uint64_t n)
{
	const unsigned number = (unsigned)(c - pmu->counter);
	const uint64_t events = n;

	if (c->value != c->left) {
		c->quota = 0;
		c->starts++;
	}
	for (unsigned i = 0; i < pmu->lies; i++)
		if (holds(&pmu->lie[i], c, number))
			n = tell(pmu, &pmu->lie[i], c, n);
	c->told += events;
	c->quota += events;
	c->last = events;
	c->step = pmu->steps;
	return n;
}

uint64_t pmu_lied_read(struct sim_pmu *pmu, struct pmu_counter *c, uint64_t value)
{
	const unsigned number = (unsigned)(c - pmu->counter);
	uint64_t shown = value;

	c->reads++;
	for (unsigned i = 0; i < pmu->lies; i++) {
		const struct sim_lie *lie = &pmu->lie[i];

		if (lie->kind == SIM_LIE_STALE && holds(lie, c, number) &&
		    c->reads % lie->number == 0)
			shown = c->seen;
	}
	c->seen = shown;
	return shown;
}

bool sim_pmu_add_lie(struct sim_pmu *pmu, const struct sim_lie *lie)
{
	if (pmu->lies == SIM_LIES_MAX ||
	    (lie->kind == SIM_LIE_SHADOW && lie->number >= pmu->counter_count))
		return false;
	pmu->lie[pmu->lies++] = *lie;
	return true;
}
