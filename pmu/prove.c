/*
 * Proof before use. Emulators accept the registers and read zeros, hypervisors offer counters that
 * never move or that starve, models disagree about widths. A counter is used only after it
 *
 * - has held two patterns, and a value of its own while all others held theirs;
 * - has read the same again and again while stopped, and while others counted;
 * - has counted a loop of known code, from zero and across a carry;
 * - has counted the same loop once more while all other counters counted too.
 *
 * The `counter` record names what a counter does instead. docs/pmu.md lists the kinds of lies, and
 * those that no proof here can find.
 */
#include "kernel/log.h"
#include "kernel/cpu/msr.h"
#include "pmu/internal.h"
#include "pmu/request.h"

enum {
	ITERATIONS = 500,
	ROUNDS = 5,      /* the smallest count is taken: an SMI or a cold cache spoils one round */
	INSNS = 2,       /* dec, jnz */
	READS = 2048,    /* of a stopped counter: one wrong read in a thousand must show */
	ATTEMPTS = 4,    /* at a proof during which somebody else changed a control register */
	CARRY = 16,      /* a counter starts so far below the bit that it must carry into */
	SLACK = 1 << 20, /* clocks by which two runs of the loop may differ */
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
	ALIASED,
	UNSTEADY,
	LEAKS,
	WRAPS,
	STARVED,
	SHARED,
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
	[ALIASED] = { "aliased", "the counters are each other's registers" },
	[UNSTEADY] = { "unsteady", "the counters read differently while stopped" },
	[LEAKS] = { "leaks", "the counters count while another one is enabled" },
	[WRAPS] = { "wraps", "the counters lose the carry into their upper bits" },
	[STARVED] = { "starved", "the counters do not count together" },
	[SHARED] = { "shared", "the counters count more together than alone" },
};

/* What is known of a counter so far. */
static struct result {
	enum verdict v;
	const struct pmu_proof *proof; /* NULL: none was tried */
	struct pmu_config config;      /* the proof's event, as this counter counts it */
	char key[PMU_KEY];
	uint64_t got;
} results[PMU_SLOTS];

static unsigned disturbances; /* how often somebody else changed a register during the proofs */

/*
 * Has somebody else, an SMI handler, changed a control register since pmu_start() or pmu_watch()?
 * What a counter did meanwhile says nothing about the counter. Only the first change is told.
 */
static bool disturbed(void)
{
	uint32_t msr = pmu_changed();

	if (msr && !disturbances++)
		pmu_warn_changed(msr);
	return msr;
}

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

/* The value of its own that a counter gets while aliases are sought. */
static uint64_t own_value(unsigned counter)
{
	return 0x1000 * (counter + 1);
}

/*
 * Every counter gets a value of its own. A counter that reads the value of another counter shares a
 * register with it, and neither of the two can be trusted.
 */
static uint32_t find_aliases(const struct pmu_hw *hw)
{
	uint32_t held = 0, aliased = 0;
	uint64_t v;

	for (unsigned c = 0; c < hw->ncounters; c++)
		if (results[c].v == PROVEN && load(hw, c, own_value(c)))
			held |= 1u << c;
	for (unsigned c = 0; c < hw->ncounters; c++) {
		if (!(held >> c & 1) || (pmu_counter_read(hw, c, &v) && v == own_value(c)))
			continue;
		aliased |= 1u << c;
		for (unsigned k = 0; k < hw->ncounters; k++)
			if ((held >> k & 1) && v == own_value(k))
				aliased |= 1u << k;
	}
	return aliased;
}

static void prove_apart(const struct pmu_hw *hw)
{
	uint32_t aliased;
	unsigned left = ATTEMPTS;

	do {
		hw->driver->stop(hw);
		pmu_watch();
		aliased = find_aliases(hw);
	} while (aliased && disturbed() && --left);
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (aliased >> c & 1)
			results[c].v = ALIASED;
}

/* Stopped after a run: the same value, however often it is read and whatever runs meanwhile. */
static enum verdict stands_still(const struct pmu_hw *hw, unsigned counter)
{
	uint64_t before, after;

	if (!pmu_counter_read(hw, counter, &before))
		return FAULTS;
	loop(ITERATIONS);
	if (!pmu_counter_read(hw, counter, &after))
		return FAULTS;
	if (before != after)
		return DRIFTS;
	for (unsigned i = 0; i < READS; i++)
		if (!pmu_counter_read(hw, counter, &after) || after != before)
			return UNSTEADY;
	return PROVEN;
}

/* A proof of a counter while all are stopped. */
static enum verdict prove_stopped(const struct pmu_hw *hw, unsigned counter,
                                  enum verdict (*proof)(const struct pmu_hw *, unsigned))
{
	unsigned left = ATTEMPTS;
	enum verdict v;

	do {
		hw->driver->stop(hw);
		pmu_watch();
		v = proof(hw, counter);
	} while (v != PROVEN && disturbed() && --left);
	return v;
}

/* The first proof that this counter can count. */
static bool find_proof(const struct pmu_hw *hw, unsigned counter, struct result *r)
{
	static struct pmu_config config[PMU_CONFIGS];
	static struct pmu_refusal no;

	for (const struct pmu_proof *p = hw->driver->proofs; p->kind != PMU_PROOF_END; p++) {
		unsigned n = pmu_request(hw, p->event, pmu_request_length(p->event), 0, r->key,
		                         config, &no);

		for (unsigned i = 0; i < n; i++)
			if (config[i].counters >> counter & 1) {
				r->proof = p;
				r->config = config[i];
				return true;
			}
	}
	return false;
}

/*
 * One round of the loop while the group counts, that nobody disturbed; false: a register faulted.
 * pmu_start() has started the group before, so that pmu_changed() knows what it writes.
 */
static bool run(const struct pmu_hw *hw, const struct pmu_group *group, uint32_t n)
{
	unsigned left = ATTEMPTS;
	bool again;

	do {
		if (!hw->driver->start(hw, group))
			return false;
		loop(n);
		again = disturbed();
		hw->driver->stop(hw);
	} while (again && --left);
	return true;
}

/* Smallest count of each slot over `n` iterations; false: a register faulted. */
static bool count(const struct pmu_hw *hw, const struct pmu_group *group, uint32_t n,
                  uint64_t *least)
{
	uint64_t v;

	for (unsigned i = 0; i < group->n; i++)
		least[i] = ~(uint64_t)0;
	if (!pmu_start(group))
		return false;
	for (unsigned round = 0; round < ROUNDS; round++) {
		if (!run(hw, group, n))
			return false;
		for (unsigned i = 0; i < group->n; i++) {
			const struct pmu_slot *s = &group->slots[i];

			if (!pmu_counter_read(hw, s->counter, &v))
				return false;
			v = (v - loaded(&hw->counter[s->counter], s->from)) & mask(s->width);
			least[i] = v < least[i] ? v : least[i];
		}
	}
	return true;
}

static bool is_exact(const struct pmu_proof *p)
{
	return p->kind == PMU_PROOF_INSTRUCTIONS || p->kind == PMU_PROOF_BRANCHES;
}

static uint64_t wanted(const struct pmu_proof *p)
{
	return p->kind == PMU_PROOF_INSTRUCTIONS ? INSNS * ITERATIONS : ITERATIONS;
}

static enum verdict judge(const struct pmu_proof *p, uint64_t got)
{
	uint64_t want = wanted(p);

	if (p->kind == PMU_PROOF_HOLDS)
		return PROVEN;
	if (!got)
		return STUCK;
	if (p->kind == PMU_PROOF_CLOCKS)
		return got >= ITERATIONS / 2 && got <= 1000ull * ITERATIONS ? PROVEN : IMPLAUSIBLE;
	return got == want ? PROVEN : got == 2 * want ? DOUBLE : WRONG;
}

/*
 * Twice the iterations minus once, so that what starting and stopping cost falls out. Then the loop
 * counts from just below bit 32: a counter that loses the carry is far off.
 */
static enum verdict counts(const struct pmu_hw *hw, unsigned counter, struct result *r)
{
	static struct pmu_group group;
	uint64_t once, twice, carried;
	enum verdict v;

	group.n = 1;
	pmu_slot_fill(hw, &group.slots[0], r->key, &r->config, counter);
	if (!count(hw, &group, ITERATIONS, &once) || !count(hw, &group, 2 * ITERATIONS, &twice))
		return FAULTS;
	r->got = (twice - once) & mask(group.slots[0].width);
	v = judge(r->proof, r->got);
	if (v != PROVEN || r->proof->kind == PMU_PROOF_HOLDS)
		return v;
	group.slots[0].from = (1ull << 32) - CARRY;
	if (!count(hw, &group, ITERATIONS, &carried))
		return FAULTS;
	return carried < SLACK && once < SLACK ? PROVEN : WRAPS;
}

/* Others that move while `counter` alone counts once more. */
static uint32_t find_leaks(const struct pmu_hw *hw, unsigned counter)
{
	static struct pmu_group group;
	uint64_t before[PMU_SLOTS] = { 0 }, v;
	uint32_t leaks = 0;

	group.n = 1;
	pmu_slot_fill(hw, &group.slots[0], results[counter].key, &results[counter].config, counter);
	for (unsigned c = 0; c < hw->ncounters; c++)
		pmu_counter_read(hw, c, &before[c]);
	count(hw, &group, ITERATIONS, &v);
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (c != counter && results[c].v == PROVEN && pmu_counter_read(hw, c, &v) &&
		    v != before[c])
			leaks |= 1u << c;
	return leaks;
}

static void prove_others_still(const struct pmu_hw *hw, unsigned counter)
{
	unsigned left = ATTEMPTS, so_far;
	uint32_t leaks;

	do {
		so_far = disturbances;
		leaks = find_leaks(hw, counter);
	} while (leaks && disturbances != so_far && --left);
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (leaks >> c & 1)
			results[c].v = LEAKS;
}

static void prove_alone(const struct pmu_hw *hw, unsigned counter)
{
	struct result *r = &results[counter];

	if (!find_proof(hw, counter, r)) {
		r->v = NO_EVENT;
		return;
	}
	r->v = counts(hw, counter, r);
	prove_others_still(hw, counter);
	if (r->v == PROVEN)
		r->v = prove_stopped(hw, counter, stands_still);
}

static bool agrees(const struct pmu_group *group, const struct pmu_config *c)
{
	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_slot *s = &group->slots[i];

		for (unsigned k = 0; k < s->nextra; k++)
			for (unsigned j = 0; j < c->nextra; j++)
				if (s->extra[k].msr == c->extra[j].msr &&
				    s->extra[k].value != c->extra[j].value)
					return false;
	}
	return true;
}

/* All counters at once. True: some counted alone and do not now; they have their verdict. */
static bool prove_together(const struct pmu_hw *hw)
{
	static struct pmu_group group;
	static uint64_t once[PMU_SLOTS], twice[PMU_SLOTS];
	bool failed = false;

	group.n = 0;
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (results[c].v == PROVEN && agrees(&group, &results[c].config))
			pmu_slot_fill(hw, &group.slots[group.n++], results[c].key,
			              &results[c].config, c);
	if (group.n < 2 || !count(hw, &group, ITERATIONS, once) ||
	    !count(hw, &group, 2 * ITERATIONS, twice))
		return false;
	for (unsigned i = 0; i < group.n; i++) {
		struct result *r = &results[group.slots[i].counter];
		uint64_t got = (twice[i] - once[i]) & mask(group.slots[i].width);

		if (judge(r->proof, got) == PROVEN)
			continue;
		r->v = got < r->got ? STARVED : SHARED;
		r->got = got;
		failed = true;
	}
	return failed;
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

static void log_counter(const struct pmu_hw *hw, unsigned counter)
{
	const struct pmu_counter *c = &hw->counter[counter];
	const struct result *r = &results[counter];

	log_begin("counter");
	log_str("name", c->name);
	log_dec("number", counter);
	log_dec("width", c->width);
	log_str("read", c->access == PMU_RDMSR ? "rdmsr" : "rdpmc");
	if (r->proof) {
		log_str("event", r->key);
		if (is_exact(r->proof))
			log_dec("want", wanted(r->proof));
		log_dec("got", r->got);
	}
	log_str("verdict", verdicts[r->v].name);
	log_end();
}

/* A count of clocks can only be plausible. It is not trusted where no counter counts exactly. */
static void conclude(struct pmu_hw *hw)
{
	enum verdict first = PROVEN;
	bool any_exact = false;

	for (unsigned c = 0; c < hw->ncounters; c++) {
		const struct result *r = &results[c];

		log_counter(hw, c);
		if (r->v == PROVEN) {
			any_exact |= is_exact(r->proof);
			continue;
		}
		hw->usable &= ~(1u << c);
		first = first == PROVEN || first == NO_EVENT ? r->v : first;
	}
	if (!any_exact)
		hw->usable = 0;
	if (first != PROVEN)
		hw->why = verdicts[first].why;
}

void pmu_prove(struct pmu_hw *hw)
{
	disturbances = 0;
	hw->driver->stop(hw);
	for (unsigned c = 0; c < hw->ncounters; c++) {
		results[c] = (struct result){ .v = PROVEN };
		settle_access(hw, c);
		results[c].v = prove_stopped(hw, c, holds);
		if (results[c].v == PROVEN)
			results[c].v = prove_stopped(hw, c, stands_still);
	}
	prove_apart(hw);
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (results[c].v == PROVEN)
			prove_alone(hw, c);
	while (prove_together(hw))
		;
	conclude(hw);
}
