/*
 * Proof before use. A counter is used only after it has held two patterns, stood still while
 * stopped, and counted a loop of known code. Emulators accept the registers and read zeros,
 * hypervisors offer counters that never move, models disagree about widths. Each of these defects
 * shows here, before anything is measured, and the `counter` record names it.
 */
#include "kernel/log.h"
#include "kernel/cpu/msr.h"
#include "pmu/internal.h"
#include "pmu/request.h"

enum {
	ITERATIONS = 500,
	ROUNDS = 5, /* the smallest count is taken: an SMI or a cold cache spoils one round */
	INSNS = 2,  /* dec, jnz */
};

/* What became of a counter: its name in the log, and the reason if no counter is left. */
enum verdict {
	PROVEN,
	FAULTS,
	ZERO,
	FORGETS,
	NARROW,
	DRIFTS,
	STUCK,
	DOUBLE,
	WRONG,
	IMPLAUSIBLE,
	NO_EVENT,
};

static const struct {
	const char *name, *why;
} verdicts[] = {
	[PROVEN] = { "proven", 0 },
	[FAULTS] = { "faults", "the counters fault" },
	[ZERO] = { "zero", "the counters read 0 whatever is written" },
	[FORGETS] = { "forgets", "the counters do not hold what is written" },
	[NARROW] = { "narrow", "the counters are narrower than announced" },
	[DRIFTS] = { "drifts", "the counters run while stopped" },
	[STUCK] = { "stuck", "the counters hold what is written but do not count" },
	[DOUBLE] = { "double", "the counters count double" },
	[WRONG] = { "wrong", "the counters count wrongly" },
	[IMPLAUSIBLE] = { "implausible", "the counters count wrongly" },
	[NO_EVENT] = { "no-event", "no event to prove the counters with" },
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

static enum verdict holds(const struct pmu_hw *hw, unsigned counter)
{
	static const uint64_t patterns[] = { 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0 };
	const struct pmu_counter *c = &hw->counter[counter];
	bool zero = true, low = true, all = true;

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		uint64_t want = patterns[i] & mask(c->load), v;

		if (!load(hw, counter, want))
			return FAULTS;
		want = loaded(c, want);
		if (!pmu_counter_read(hw, counter, &v))
			return FAULTS;
		zero &= !v;
		low &= (uint32_t)v == (uint32_t)want;
		all &= v == want;
	}
	return all ? PROVEN : zero ? ZERO : low ? NARROW : FORGETS;
}

static enum verdict stands_still(const struct pmu_hw *hw, unsigned counter)
{
	uint64_t before, after;

	hw->driver->stop(hw);
	if (!pmu_counter_read(hw, counter, &before))
		return FAULTS;
	loop(ITERATIONS);
	if (!pmu_counter_read(hw, counter, &after))
		return FAULTS;
	return before == after ? PROVEN : DRIFTS;
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

static enum verdict judge(const struct pmu_proof *p, uint64_t got)
{
	uint64_t want = p->kind == PMU_PROOF_INSTRUCTIONS ? INSNS * ITERATIONS : ITERATIONS;

	if (p->kind == PMU_PROOF_HOLDS)
		return PROVEN;
	if (!got)
		return STUCK;
	if (p->kind == PMU_PROOF_CLOCKS)
		return got >= ITERATIONS / 2 && got <= 1000ull * ITERATIONS ? PROVEN : IMPLAUSIBLE;
	return got == want ? PROVEN : got == 2 * want ? DOUBLE : WRONG;
}

/* Twice the iterations minus once: what starting and stopping cost falls out. */
static enum verdict counts(const struct pmu_hw *hw, const struct pmu_proof *p,
                           const struct pmu_group *group, uint64_t *got)
{
	uint64_t once, twice;

	if (!count(hw, group, ITERATIONS, &once) || !count(hw, group, 2 * ITERATIONS, &twice))
		return FAULTS;
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

static void log_counter(const struct pmu_hw *hw, unsigned counter, const struct pmu_proof *p,
                        const char *key, uint64_t got, enum verdict v)
{
	const struct pmu_counter *c = &hw->counter[counter];

	log_begin("counter");
	log_str("name", c->name);
	log_dec("number", counter);
	log_dec("width", c->width);
	log_str("read", c->access == PMU_RDMSR ? "rdmsr" : "rdpmc");
	if (p) {
		log_str("event", key);
		if (is_exact(p))
			log_dec("want",
			        p->kind == PMU_PROOF_BRANCHES ? ITERATIONS : INSNS * ITERATIONS);
		log_dec("got", got);
	}
	log_str("verdict", verdicts[v].name);
	log_end();
}

/* *exact: the counter is proven, and by an exact count. */
static enum verdict prove(struct pmu_hw *hw, unsigned counter, bool *exact)
{
	static struct pmu_group group;
	const struct pmu_proof *p = 0;
	uint64_t got = 0;
	enum verdict v;

	settle_access(hw, counter);
	hw->driver->stop(hw);
	v = holds(hw, counter);
	if (v == PROVEN)
		v = stands_still(hw, counter);
	if (v == PROVEN) {
		p = find_proof(hw, counter, &group);
		v = p ? counts(hw, p, &group, &got) : NO_EVENT;
	}
	log_counter(hw, counter, p, group.slots[0].key, got, v);
	*exact = v == PROVEN && is_exact(p);
	return v;
}

/* A count of clocks can only be plausible. It is not trusted where no counter counts exactly. */
void pmu_prove(struct pmu_hw *hw)
{
	enum verdict first = PROVEN;
	bool any_exact = false;

	for (unsigned c = 0; c < hw->ncounters; c++) {
		bool exact;
		enum verdict v = prove(hw, c, &exact);

		any_exact |= exact;
		if (v == PROVEN)
			continue;
		hw->usable &= ~(1u << c);
		first = first == PROVEN ? v : first;
	}
	if (!any_exact)
		hw->usable = 0;
	if (first != PROVEN)
		hw->why = verdicts[first].why;
}
