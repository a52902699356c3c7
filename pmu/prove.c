/*
 * Proof before use: a counter counts only for us once it has held two patterns, stood still while
 * stopped, and counted a loop whose instructions we know. Emulators accept the registers and read
 * zeros, hypervisors offer counters that never move, models disagree about widths; all of that
 * shows here, before anything is measured, and is named in the `counter` record.
 */
#include "kernel/log.h"
#include "kernel/cpu/msr.h"
#include "kernel/string.h"
#include "pmu/plan.h"
#include "pmu/request.h"

enum {
	ITERATIONS = 500,
	ROUNDS = 5, /* the smallest of so many: an SMI or a cold cache costs one of them */
	INSNS = 2,  /* dec, jnz */
};

/* Two instructions, one of them a branch, n times. */
static void loop(uint32_t n)
{
	asm volatile("1:	dec	%0\n"
	             "	jnz	1b"
	             : "+r"(n)
	             :
	             : "cc");
}

static uint64_t mask(unsigned width)
{
	return width < 64 ? ((uint64_t)1 << width) - 1 : ~(uint64_t)0;
}

bool pmu_counter_read(const struct pmu_hw *hw, unsigned counter, uint64_t *value)
{
	const struct pmu_counter *c = &hw->counter[counter];
	bool ok = c->access == PMU_RDMSR ? msr_read(c->index, value) : pmc_read(c->index, value);

	*value &= mask(c->width);
	return ok;
}

static bool load(const struct pmu_hw *hw, unsigned counter, uint64_t value)
{
	if (hw->driver->load)
		return hw->driver->load(hw, counter, value);
	return msr_write(hw->counter[counter].msr, value);
}

/* What a counter must read after `value` was loaded: see pmu_counter.load. */
static uint64_t loaded(const struct pmu_counter *c, uint64_t value)
{
	value &= mask(c->load);
	if (c->load < c->width && value >> (c->load - 1) & 1)
		value |= ~mask(c->load);
	return value & mask(c->width);
}

/* NULL: it holds; else what it does instead. */
static const char *holds(const struct pmu_hw *hw, unsigned counter)
{
	static const uint64_t patterns[] = { 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0 };
	const struct pmu_counter *c = &hw->counter[counter];
	bool zero = true, low = true, all = true;

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		uint64_t want = patterns[i] & mask(c->load), v;

		if (!load(hw, counter, want))
			return "faults";
		want = loaded(c, want);
		if (!pmu_counter_read(hw, counter, &v))
			return "faults";
		zero &= !v;
		low &= (uint32_t)v == (uint32_t)want;
		all &= v == want;
	}
	return all ? 0 : zero ? "zero" : low ? "narrow" : "forgets";
}

static const char *stands_still(const struct pmu_hw *hw, unsigned counter)
{
	uint64_t before, after;

	hw->driver->stop(hw);
	if (!pmu_counter_read(hw, counter, &before))
		return "faults";
	loop(ITERATIONS);
	if (!pmu_counter_read(hw, counter, &after))
		return "faults";
	return before == after ? 0 : "drifts";
}

/* The first proof that this counter can count, as a group of one. */
static const struct pmu_proof *find_proof(const struct pmu_hw *hw, unsigned counter,
                                          struct pmu_group *group)
{
	static struct pmu_config config[PMU_CONFIGS];
	static struct pmu_refusal no;
	char key[PMU_KEY];

	for (const struct pmu_proof *p = hw->driver->proofs; p->kind != PMU_PROOF_END; p++) {
		unsigned n = pmu_request(hw, p->event, pmu_request_length(p->event), 0, key, config,
		                         &no);

		for (unsigned i = 0; i < n; i++)
			if (config[i].counters >> counter & 1) {
				group->n = 1;
				pmu_slot_fill(hw, &group->slots[0], key, &config[i], counter);
				return p;
			}
	}
	return 0;
}

/* Smallest count of `n` iterations; false: a register faulted. */
static bool count(const struct pmu_hw *hw, const struct pmu_group *group, uint32_t n,
                  uint64_t *least)
{
	uint64_t v;

	*least = ~(uint64_t)0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		if (!hw->driver->start(hw, group))
			return false;
		loop(n);
		hw->driver->stop(hw);
		if (!pmu_counter_read(hw, group->slots[0].counter, &v))
			return false;
		*least = v < *least ? v : *least;
	}
	return true;
}

static const char *judge(const struct pmu_proof *p, uint64_t got)
{
	uint64_t want = p->kind == PMU_PROOF_INSTRUCTIONS ? INSNS * ITERATIONS : ITERATIONS;

	if (p->kind == PMU_PROOF_HOLDS)
		return 0;
	if (!got)
		return "stuck";
	if (p->kind == PMU_PROOF_CLOCKS)
		return got >= ITERATIONS / 2 && got <= 1000ull * ITERATIONS ? 0 : "implausible";
	return got == want ? 0 : got == 2 * want ? "double" : "wrong";
}

/* Twice the iterations minus once: what starting and stopping cost falls out. */
static const char *counts(const struct pmu_hw *hw, const struct pmu_proof *p,
                          const struct pmu_group *group, uint64_t *got)
{
	uint64_t once, twice;

	if (!count(hw, group, ITERATIONS, &once) || !count(hw, group, 2 * ITERATIONS, &twice))
		return "faults";
	*got = (twice - once) & mask(group->slots[0].width);
	return judge(p, *got);
}

/* RDPMC may be missing where the registers are there: then RDMSR will do. */
static void settle_access(struct pmu_hw *hw, unsigned counter)
{
	struct pmu_counter *c = &hw->counter[counter];
	uint64_t v;

	if (c->access == PMU_RDMSR || pmc_read(c->index, &v) || !msr_read(c->msr, &v))
		return;
	c->access = PMU_RDMSR;
	c->index = c->msr;
}

static bool is_exact(const struct pmu_proof *p)
{
	return p->kind == PMU_PROOF_INSTRUCTIONS || p->kind == PMU_PROOF_BRANCHES;
}

/* NULL: proven, *exact tells whether by an exact count; else what the counter does instead. */
static const char *prove(struct pmu_hw *hw, unsigned counter, bool *exact)
{
	static struct pmu_group group;
	const struct pmu_counter *c = &hw->counter[counter];
	const struct pmu_proof *p = 0;
	const char *fault;
	uint64_t got = 0;

	settle_access(hw, counter);
	hw->driver->stop(hw);
	fault = holds(hw, counter);
	if (!fault)
		fault = stands_still(hw, counter);
	if (!fault) {
		p = find_proof(hw, counter, &group);
		fault = p ? counts(hw, p, &group, &got) : "no-event";
	}
	log_begin("counter");
	log_str("name", c->name);
	log_dec("number", counter);
	log_dec("width", c->width);
	log_str("read", c->access == PMU_RDMSR ? "rdmsr" : "rdpmc");
	if (p) {
		log_str("event", group.slots[0].key);
		if (is_exact(p))
			log_dec("want",
			        p->kind == PMU_PROOF_BRANCHES ? ITERATIONS : INSNS * ITERATIONS);
		log_dec("got", got);
	}
	log_str("verdict", fault ? fault : "proven");
	log_end();
	*exact = !fault && is_exact(p);
	return fault;
}

/* One line for the `pmu` record when no counter is left. */
static const struct {
	const char *verdict, *why;
} reasons[] = {
	{ "faults", "the counters fault" },
	{ "zero", "the counters read 0 whatever is written" },
	{ "forgets", "the counters do not hold what is written" },
	{ "narrow", "the counters are narrower than announced" },
	{ "drifts", "the counters run while stopped" },
	{ "stuck", "the counters hold what is written but do not count" },
	{ "double", "the counters count double" },
	{ "wrong", "the counters count wrongly" },
	{ "implausible", "the counters count wrongly" },
	{ "no-event", "no event to prove the counters with" },
};

/* Clocks can only be plausible: they are not trusted where nothing counts exactly. */
void pmu_prove(struct pmu_hw *hw)
{
	const char *last = 0;
	bool any_exact = false;

	for (unsigned c = 0; c < hw->ncounters; c++) {
		bool exact;
		const char *fault = prove(hw, c, &exact);

		any_exact |= exact;
		if (!fault)
			continue;
		hw->usable &= ~(1u << c);
		last = last ? last : fault;
	}
	if (!any_exact)
		hw->usable = 0;
	for (unsigned i = 0; last && i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strcmp(last, reasons[i].verdict))
			hw->why = reasons[i].why;
}
