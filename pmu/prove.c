/*
 * Proof before use. Emulators accept the registers and read zeros, hypervisors offer counters that
 * never move or that starve, models disagree about widths. A counter is used only after it
 *
 * - has held two patterns, and a value of its own while all others held theirs;
 * - has read the same again and again while stopped, and while others counted;
 * - has shown each of many values that were written into it, one after the other;
 * - has counted a loop of known code, from zero and across a carry;
 * - has counted the same loop once more while all other counters counted too;
 * - has counted another event, while the others kept theirs;
 * - has counted a million events from one start.
 *
 * The last proofs of counting are made again between results and at the end (pmu_prove_again()).
 *
 * The `counter` record names what a counter does instead. docs/design/pmu.md lists the kinds of
 * lies, and those that no proof here can find.
 */
#include "kernel/lib/log.h"
#include "kernel/cpu/msr.h"
#include "kernel/lib/string.h"
#include "pmu/internal.h"
#include "pmu/request.h"

enum {
	ITERATIONS = 200,
	ROUNDS = 5, /* the smallest count is taken: an SMI or a cold cache spoils one round */
	INSNS = 5,  /* of the loop: no multiple of its branches */
	BRANCHES = 2,
	READS = 2048,    /* of a stopped counter: one wrong read in a thousand must show */
	WRITES = 1024,   /* each with a read: a read that shows an old value must show */
	ATTEMPTS = 4,    /* at a proof during which firmware changed a control register */
	CARRY = 16,      /* a counter starts so far below the bit that it must carry into */
	SLACK = 1 << 20, /* clocks by which two runs of the loop may differ */
	MANY = 200000,   /* iterations: a million instructions, 400,000 branches */
	PIECES = 1000,   /* into which a guest's million is divided */
	TOO_LONG = 16,   /* pieces in a row that no host disturbs */
	WAIT = 1 << 20,  /* ticks for counters that a host has taken; twice as many each time */
	WAITS = 6,
	NAP = 1 << 18, /* ticks for the same between two rounds of a proof */
	NAPS = 512,    /* of pmu_prove() or pmu_prove_end() at most */
	OFTEN = 4,     /* absences; fewer say nothing about how often they come */
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
	SHADOWS,
	TIRES,
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
	[SHADOWS] = { "shadows", "the counters count each other's events" },
	[TIRES] = { "tires", "the counters lose events of a long run" },
};

/* An event that a counter is proven with. */
struct trial {
	const struct pmu_proof *proof; /* NULL: there is none */
	struct pmu_config config;      /* the event, as this counter counts it */
	char key[PMU_KEY];
	uint64_t want, got; /* `want`: of an exact event */
};

/* What is known of a counter so far. */
static struct result {
	enum verdict v;
	struct trial first, second; /* of two kinds; NULL of `first`: none was tried */
} results[PMU_SLOTS];

/*
 * What a guest's counters did at boot while others counted, in an earlier proof than the last: no
 * host explains that, so no later proof acquits them. PROVEN: nothing.
 */
static struct result kept[PMU_SLOTS];

/* How often a counter failed beside others that counted: a host can come between once. */
static unsigned blamed[PMU_SLOTS];

/* Pieces of a guest's million that something came between, in the latest long proof. */
static unsigned disturbed_pieces;

static uint64_t prove_ticks; /* of pmu_prove() */

static bool moved; /* some counter did, in some proof */
static bool taken; /* all counters were away during the latest proof */

static unsigned disturbances; /* how often firmware changed a register during the proofs */

static unsigned naps_left; /* of the present proof */

/*
 * How often all counters were away in the present proof, and whether the present absence is counted
 * already.
 */
static struct {
	unsigned times;
	bool lasts;
} absence;

/*
 * Rounds in which a counter alone may lack counts while others count: the host may have given all
 * back meanwhile.
 */
static unsigned strikes;

/*
 * Has an SMI handler changed a control register since pmu_start() or pmu_watch()?
 * What a counter did meanwhile says nothing about the counter. Only the first change is told.
 */
static bool disturbed(void)
{
	uint32_t msr = pmu_changed();

	if (msr && !disturbances++)
		pmu_warn_changed(msr);
	return msr;
}

/*
 * INSNS instructions n times, BRANCHES of them conditional branches. A counter that counts each
 * branch any number of times instead of instructions is off, because 5 is no multiple of 2.
 */
static void loop(uint32_t n)
{
	asm volatile("1:	nop\n"
	             "	dec	%0\n"
	             "	jz	2f\n"
	             "2:	nop\n"
	             "	jnz	1b"
	             : "+r"(n)
	             :
	             : "cc");
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
	value &= pmu_mask(c->load);
	if (c->load < c->width && value >> (c->load - 1) & 1)
		value |= ~pmu_mask(c->load);
	return value & pmu_mask(c->width);
}

static enum verdict holds(const struct pmu_hw *hw, unsigned counter)
{
	static const uint64_t patterns[] = { 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0 };
	const struct pmu_counter *c = &hw->counter[counter];
	bool zero = true, low = true, all = true;

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		uint64_t want = patterns[i] & pmu_mask(c->load), v;

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

/* Stopped: the same value, whatever runs meanwhile. */
static enum verdict stands_still(const struct pmu_hw *hw, unsigned counter)
{
	uint64_t before, after;

	if (!pmu_counter_read(hw, counter, &before))
		return FAULTS;
	loop(ITERATIONS);
	if (!pmu_counter_read(hw, counter, &after))
		return FAULTS;
	return before == after ? PROVEN : DRIFTS;
}

/* Stopped after a run: the same value, however often it is read. */
static enum verdict reads_alike(const struct pmu_hw *hw, unsigned counter)
{
	uint64_t first, again;
	enum verdict v = stands_still(hw, counter);

	if (v != PROVEN || !pmu_counter_read(hw, counter, &first))
		return v == PROVEN ? FAULTS : v;
	for (unsigned i = 0; i < READS; i++)
		if (!pmu_counter_read(hw, counter, &again) || again != first)
			return UNSTEADY;
	return PROVEN;
}

/* Stopped: what was written last, and never what an earlier read showed. */
static enum verdict shows_writes(const struct pmu_hw *hw, unsigned counter)
{
	const struct pmu_counter *c = &hw->counter[counter];
	uint64_t v;

	for (unsigned i = 0; i < WRITES; i++)
		if (!load(hw, counter, i) || !pmu_counter_read(hw, counter, &v))
			return FAULTS;
		else if (v != loaded(c, i))
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

/* The event of a proof as a request. */
static struct {
	unsigned n;
	char key[PMU_KEY];
	struct pmu_config config[PMU_CONFIGS];
} asked;

static void ask(const struct pmu_hw *hw, const struct pmu_proof *p)
{
	asked.n = pmu_request(hw, p->event, pmu_request_length(p->event), 0, asked.key,
	                      asked.config, NULL);
}

/* What was asked last, if this counter can count it. */
static bool take(unsigned counter, const struct pmu_proof *p, struct trial *t)
{
	for (unsigned i = 0; i < asked.n; i++)
		if (asked.config[i].counters >> counter & 1) {
			t->proof = p;
			t->config = asked.config[i];
			memcpy(t->key, asked.key, sizeof(t->key));
			return true;
		}
	return false;
}

/* The first proof that this counter can count, of a kind other than `not`. */
static bool find_proof(const struct pmu_hw *hw, unsigned counter, enum pmu_proof_kind not,
                       struct trial *t)
{
	for (const struct pmu_proof *p = hw->driver->proofs; p->kind != PMU_PROOF_END; p++) {
		if (p->kind == not )
			continue;
		ask(hw, p);
		if (take(counter, p, t))
			return true;
	}
	return false;
}

/* Does the counter look for its first proof, or for a second one of another kind? */
static bool looks_for(unsigned counter, const struct pmu_proof *p, bool second)
{
	const struct result *r = &results[counter];
	const struct pmu_proof *first = r->first.proof;

	if (r->v != PROVEN)
		return false;
	if (!second)
		return !first;
	return !r->second.proof && first && first->kind != PMU_PROOF_HOLDS &&
	       first->kind != p->kind && p->kind != PMU_PROOF_HOLDS;
}

/* Of all counters. A request is a search in a long table, so each is made once. */
static void find_proofs(const struct pmu_hw *hw, bool second)
{
	for (const struct pmu_proof *p = hw->driver->proofs; p->kind != PMU_PROOF_END; p++) {
		bool is_asked = false;

		for (unsigned c = 0; c < hw->ncounters; c++) {
			struct result *r = &results[c];

			if (!looks_for(c, p, second))
				continue;
			if (!is_asked)
				ask(hw, p);
			is_asked = true;
			take(c, p, second ? &r->second : &r->first);
		}
	}
}

/*
 * One round of the loop while the group counts, undisturbed; false: a register faulted.
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

/* One round, and the count of each slot. False: a fault. */
static bool count_round(const struct pmu_hw *hw, const struct pmu_group *group, uint32_t n,
                        uint64_t *got)
{
	uint64_t v;

	if (!run(hw, group, n))
		return false;
	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_slot *s = &group->slots[i];

		if (!pmu_counter_read(hw, s->counter, &v))
			return false;
		got[i] = (v - loaded(&hw->counter[s->counter], s->from)) & pmu_mask(s->width);
		moved |= got[i] != 0;
	}
	return true;
}

static bool is_exact(const struct pmu_proof *p)
{
	return p->kind == PMU_PROOF_INSTRUCTIONS || p->kind == PMU_PROOF_BRANCHES;
}

/* Of n iterations of the loop. */
static uint64_t wanted(const struct pmu_proof *p, uint64_t n)
{
	return p->kind == PMU_PROOF_INSTRUCTIONS ? INSNS * n : BRANCHES * n;
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

/* All proven counters that can count at once; those whose bit is in `roles` their second event. */
static void all_at_once(const struct pmu_hw *hw, uint32_t roles, struct pmu_group *group,
                        struct trial *of[PMU_SLOTS])
{
	group->n = 0;
	for (unsigned c = 0; c < hw->ncounters; c++) {
		struct result *r = &results[c];
		struct trial *t = roles >> c & 1 && r->second.proof ? &r->second : &r->first;

		if (r->v != PROVEN || !t->proof || !agrees(group, &t->config))
			continue;
		of[group->n] = t;
		pmu_slot_fill(hw, &group->slots[group->n++], t->key, &t->config, c);
	}
}

/*
 * Does no slot count what n iterations count at least? The start and the stop only add to that.
 * Clocks are less sharp, so they matter where fewer than two slots are exact.
 */
static bool all_lack(const struct pmu_group *group, struct trial *const *of, const uint64_t *got,
                     uint32_t n)
{
	unsigned exact = 0;
	bool clocks = false, counted = false;

	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_proof *p = of[i]->proof;

		if (is_exact(p) && got[i] >= wanted(p, n))
			return false;
		exact += is_exact(p);
		clocks |= p->kind == PMU_PROOF_CLOCKS;
		counted |= p->kind == PMU_PROOF_CLOCKS && got[i] >= n / 8;
	}
	return exact > 1 || ((exact || clocks) && !counted);
}

/* The counters but one count a round together. True: some do. */
static bool others_count(const struct pmu_hw *hw, unsigned counter)
{
	static struct pmu_group group;
	static struct trial *of[PMU_SLOTS];
	const enum verdict v = results[counter].v;
	uint64_t got[PMU_SLOTS];

	results[counter].v = NO_EVENT;
	all_at_once(hw, 0, &group, of);
	results[counter].v = v;
	return group.n && pmu_start(&group) && count_round(hw, &group, ITERATIONS, got) &&
	       !all_lack(&group, of, got, ITERATIONS);
}

/* True: after a wait. */
static bool nap(void)
{
	const uint64_t now = x86_rdtsc();

	if (!naps_left)
		return false;
	naps_left--;
	absence.times += !absence.lasts;
	absence.lasts = true;
	while (x86_rdtsc() - now < NAP)
		x86_pause();
	return true;
}

/*
 * A round in which all counters of a guest lack counts, while its host has them, says nothing about
 * them: it must be made again. So must some rounds in which a counter alone lacks them.
 */
static bool host_took(const struct pmu_hw *hw, const struct pmu_group *group,
                      struct trial *const *of, const uint64_t *got, uint32_t n)
{
	bool others;

	if (!naps_left || !all_lack(group, of, got, n))
		return false;
	if (group->n > 1)
		return nap();
	others = others_count(hw, group->slots[0].counter);
	if (!pmu_start(group)) /* again: the others have their controls in pmu_changed() */
		return false;
	return others ? strikes && strikes-- : nap();
}

/* One round; *least of each slot becomes its count if that is smaller. False: a fault. */
static bool count_once(const struct pmu_hw *hw, const struct pmu_group *group,
                       struct trial *const *of, uint32_t n, uint64_t *least)
{
	uint64_t got[PMU_SLOTS];

	absence.lasts = false;
	do
		if (!count_round(hw, group, n, got))
			return false;
	while (host_took(hw, group, of, got, n));
	for (unsigned i = 0; i < group->n; i++)
		least[i] = got[i] < least[i] ? got[i] : least[i];
	return true;
}

static bool begin(const struct pmu_group *group, uint64_t *least)
{
	for (unsigned i = 0; i < group->n; i++)
		least[i] = ~(uint64_t)0;
	return pmu_start(group);
}

/* Smallest count of each slot over `n` iterations; false: a register faulted. */
static bool count(const struct pmu_hw *hw, const struct pmu_group *group, struct trial *const *of,
                  uint32_t n, uint64_t *least)
{
	if (!begin(group, least))
		return false;
	for (unsigned round = 0; round < ROUNDS; round++)
		if (!count_once(hw, group, of, n, least))
			return false;
	return true;
}

static enum verdict judge(const struct pmu_proof *p, uint64_t got, uint64_t n)
{
	uint64_t want = wanted(p, n);

	if (p->kind == PMU_PROOF_HOLDS)
		return PROVEN;
	if (!got)
		return STUCK;
	if (p->kind == PMU_PROOF_CLOCKS)
		return got >= n / 8 && got <= 1000 * n ? PROVEN : IMPLAUSIBLE;
	return got == want ? PROVEN : got == 2 * want ? DOUBLE : WRONG;
}

/*
 * Twice the iterations minus once, so that what starting and stopping cost falls out. Then the loop
 * counts from just below bit 32: a counter that loses the carry is far off, and one that stays at
 * its highest value counts next to nothing.
 */
static enum verdict counts(const struct pmu_hw *hw, unsigned counter, struct trial *r)
{
	static struct pmu_group group;
	uint64_t once, twice, carried;
	enum verdict v;

	group.n = 1;
	strikes = ROUNDS;
	pmu_slot_fill(hw, &group.slots[0], r->key, &r->config, counter);
	if (!count(hw, &group, &r, ITERATIONS, &once) ||
	    !count(hw, &group, &r, 2 * ITERATIONS, &twice))
		return FAULTS;
	r->want = wanted(r->proof, ITERATIONS);
	r->got = (twice - once) & pmu_mask(group.slots[0].width);
	v = judge(r->proof, r->got, ITERATIONS);
	if (v != PROVEN || r->proof->kind == PMU_PROOF_HOLDS)
		return v;
	group.slots[0].from = (1ull << 32) - CARRY;
	if (!count(hw, &group, &r, ITERATIONS, &carried))
		return FAULTS;
	return carried < SLACK && carried >= once / 2 && once < SLACK ? PROVEN : WRAPS;
}

/* Others that move while `counter` alone counts once more. */
static uint32_t find_leaks(const struct pmu_hw *hw, unsigned counter)
{
	static struct pmu_group group;
	const struct trial *t = &results[counter].first;
	uint64_t before[PMU_SLOTS] = { 0 }, v;
	uint32_t leaks = 0;

	group.n = 1;
	pmu_slot_fill(hw, &group.slots[0], t->key, &t->config, counter);
	for (unsigned c = 0; c < hw->ncounters; c++)
		pmu_counter_read(hw, c, &before[c]);
	if (pmu_start(&group))
		for (unsigned round = 0; round < ROUNDS; round++)
			count_round(hw, &group, ITERATIONS, &v);
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

/*
 * A hypervisor may hold an event back: its counter holds and reads, and never moves. The counter is
 * as good as its other exact event. A count of clocks would prove less.
 */
static void prove_other_event(const struct pmu_hw *hw, unsigned counter)
{
	struct result *r = &results[counter];
	struct trial other;

	if (!find_proof(hw, counter, r->first.proof->kind, &other) || !is_exact(other.proof) ||
	    counts(hw, counter, &other) != PROVEN)
		return;
	r->first = other;
	r->v = PROVEN;
}

static void prove_alone(const struct pmu_hw *hw, unsigned counter)
{
	struct result *r = &results[counter];

	if (!r->first.proof) {
		r->v = NO_EVENT;
		return;
	}
	r->v = counts(hw, counter, &r->first);
	if (r->v == STUCK && cpu_is_guest(hw->cpu))
		prove_other_event(hw, counter);
	prove_others_still(hw, counter);
	if (r->v == PROVEN)
		r->v = prove_stopped(hw, counter, reads_alike);
}

/* All counters at once: what they count, over ITERATIONS and over `n` more. */
static struct crowd {
	struct pmu_group group;
	struct trial *of[PMU_SLOTS];
	uint64_t once[PMU_SLOTS], more[PMU_SLOTS];
} crowd;

static uint64_t more_than_once(unsigned slot)
{
	return (crowd.more[slot] - crowd.once[slot]) & pmu_mask(crowd.group.slots[slot].width);
}

/* Does the slot count less than `n` iterations, or backwards? */
static bool lacks(unsigned slot, uint32_t n)
{
	const struct pmu_proof *proof = crowd.of[slot]->proof;
	const uint64_t got = more_than_once(slot);

	return judge(proof, got, n) != PROVEN &&
	       (got >> (crowd.group.slots[slot].width - 1) & 1 || got < wanted(proof, n));
}

/* Does a slot of the crowd count what it must, exactly? */
static bool any_exact_counts(uint32_t n)
{
	for (unsigned i = 0; i < crowd.group.n; i++)
		if (is_exact(crowd.of[i]->proof) &&
		    judge(crowd.of[i]->proof, more_than_once(i), n) == PROVEN)
			return true;
	return false;
}

/*
 * Each slot that does not count `n` iterations as it should gets the verdict `less` or `more`;
 * `less` PROVEN: that of a counter alone; `more` PROVEN: those that count more are not judged.
 */
static bool blame(uint32_t n, enum verdict less, enum verdict more)
{
	const bool witness = any_exact_counts(n);
	bool failed = false;

	for (unsigned i = 0; i < crowd.group.n; i++) {
		struct result *r = &results[crowd.group.slots[i].counter];
		struct trial *t = crowd.of[i];
		uint64_t got = more_than_once(i);
		enum verdict v = judge(t->proof, got, n);

		if (v != PROVEN && less != PROVEN)
			v = lacks(i, n) ? less : more;
		if (v == PROVEN)
			continue;
		r->v = v;
		r->first = *t;
		r->first.want = wanted(t->proof, n);
		r->first.got = got;
		if (witness && is_exact(t->proof) && blamed[crowd.group.slots[i].counter]++)
			kept[crowd.group.slots[i].counter] = *r;
		failed = true;
	}
	return failed;
}

static bool count_together(const struct pmu_hw *hw, uint32_t roles)
{
	all_at_once(hw, roles, &crowd.group, crowd.of);
	return crowd.group.n && count(hw, &crowd.group, crowd.of, ITERATIONS, crowd.once) &&
	       count(hw, &crowd.group, crowd.of, 2 * ITERATIONS, crowd.more);
}

static bool all_count(uint32_t n)
{
	for (unsigned i = 0; i < crowd.group.n; i++)
		if (judge(crowd.of[i]->proof, more_than_once(i), n) != PROVEN)
			return false;
	return true;
}

/* Again while some are off: what spoilt a turn may spare the next. False: a register faulted. */
static bool try_together(const struct pmu_hw *hw, uint32_t roles)
{
	unsigned left = ATTEMPTS;

	do
		if (!count_together(hw, roles))
			return false;
	while (!all_count(ITERATIONS) && --left);
	return true;
}

/* True: some counted alone and do not now; they have their verdict. */
static bool prove_together(const struct pmu_hw *hw, uint32_t roles)
{
	return try_together(hw, roles) &&
	       blame(ITERATIONS, roles ? SHADOWS : STARVED, roles ? SHADOWS : SHARED);
}

/* Does this counter, alone, count its second event as it should? No round more than that takes. */
static bool counts_second(const struct pmu_hw *hw, unsigned counter)
{
	struct trial *t = &results[counter].second;
	uint64_t once = ~(uint64_t)0, more = ~(uint64_t)0;
	bool counts = false;

	crowd.group.n = 1;
	strikes = ROUNDS;
	pmu_slot_fill(hw, &crowd.group.slots[0], t->key, &t->config, counter);
	if (!pmu_start(&crowd.group))
		return false;
	for (unsigned left = ROUNDS; left && !counts; left--) {
		if (!count_once(hw, &crowd.group, &t, ITERATIONS, &once) ||
		    !count_once(hw, &crowd.group, &t, 2 * ITERATIONS, &more))
			return false;
		counts = judge(t->proof, (more - once) & pmu_mask(crowd.group.slots[0].width),
		               ITERATIONS) == PROVEN;
	}
	return counts;
}

/*
 * A second event that its counter counts wrongly, as by an erratum, proves nothing. Each is tried
 * alone: a counter that shows the count of another one is right as long as that one stands.
 */
static void find_seconds(const struct pmu_hw *hw)
{
	find_proofs(hw, true);
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (results[c].second.proof && !counts_second(hw, c))
			results[c].second.proof = NULL;
}

/* The counters of the crowd while they run. False: a register faulted. */
static bool read_crowd(const struct pmu_hw *hw, uint64_t v[PMU_SLOTS])
{
	for (unsigned i = 0; i < crowd.group.n; i++)
		if (!pmu_counter_read(hw, crowd.group.slots[i].counter, &v[i]))
			return false;
	return true;
}

/* RDPMC waits for nothing: without this it may miss the last instructions before it. */
static void wait_for_all(const struct pmu_hw *hw)
{
	if (cpu_has(hw->cpu, CPU_SSE2))
		x86_fence();
	else
		x86_cpuid(0, 0);
}

/*
 * One iteration and `n` more between two readings; crowd.more becomes what each slot counted.
 * False: a register faulted.
 */
static bool count_piece(const struct pmu_hw *hw, uint32_t n)
{
	uint64_t before[PMU_SLOTS];

	wait_for_all(hw);
	if (!read_crowd(hw, before))
		return false;
	wait_for_all(hw);
	loop(n + 1);
	wait_for_all(hw);
	if (!read_crowd(hw, crowd.more))
		return false;
	for (unsigned i = 0; i < crowd.group.n; i++)
		crowd.more[i] = (crowd.more[i] - before[i]) & pmu_mask(crowd.group.slots[i].width);
	return true;
}

/* Did no slot of the crowd move in the latest piece? */
static bool none_moved(void)
{
	for (unsigned i = 0; i < crowd.group.n; i++)
		if (crowd.more[i])
			return false;
	return true;
}

/*
 * Does some slot count less than it must? No host that comes between takes a count away. Clocks are
 * another matter: what reading costs of them differs.
 */
static bool some_lack(uint32_t n)
{
	for (unsigned i = 0; i < crowd.group.n; i++)
		if (is_exact(crowd.of[i]->proof) && lacks(i, n))
			return true;
	return false;
}

/* What reading costs: the smallest of some pieces of one iteration. False: a register faulted. */
static bool count_reading(const struct pmu_hw *hw)
{
	for (unsigned i = 0; i < crowd.group.n; i++)
		crowd.once[i] = ~(uint64_t)0;
	for (unsigned round = 0; round < ATTEMPTS * ROUNDS; round++) {
		absence.lasts = false;
		do
			if (!count_piece(hw, 0))
				return false;
		while (none_moved() && nap());
		for (unsigned i = 0; i < crowd.group.n; i++)
			if (crowd.more[i] < crowd.once[i])
				crowd.once[i] = crowd.more[i];
	}
	return true;
}

/*
 * Behind a piece that lacks counts: does nothing count in the next piece either, because the host
 * of a guest has all counters? True: they count again, and a piece that lacks nothing is in
 * crowd.more. False: the piece that lacks counts is there again.
 */
static bool host_had_them(const struct pmu_hw *hw, uint32_t n)
{
	uint64_t lacking[PMU_SLOTS];

	memcpy(lacking, crowd.more, sizeof(lacking));
	absence.lasts = false;
	if (naps_left && count_piece(hw, n) && none_moved()) {
		while (some_lack(n) && nap())
			if (!count_piece(hw, n))
				return false;
		if (!some_lack(n))
			return true;
	}
	memcpy(crowd.more, lacking, sizeof(lacking));
	return false;
}

/*
 * The pieces of one run, without a stop between. The last piece stays in crowd.more.
 * True: one piece lacks counts, or more are off, in a row or in all, than a host can disturb.
 */
static bool pieces_off(const struct pmu_hw *hw)
{
	unsigned row = 0;

	disturbed_pieces = 0;
	if (!count_reading(hw))
		return false;
	for (unsigned i = 0; i < PIECES; i++) {
		if (!count_piece(hw, MANY / PIECES))
			return false;
		if (some_lack(MANY / PIECES) && !host_had_them(hw, MANY / PIECES))
			return true;
		row = all_count(MANY / PIECES) ? 0 : row + 1;
		disturbed_pieces += row != 0;
		if (row == TOO_LONG || disturbed_pieces > PIECES / 4)
			return true;
	}
	return false;
}

/*
 * The million under a hypervisor, whose exits may add a count each: some come in any million. So
 * the counters are read at each thousandth while they run, and a piece that is off by an exit is
 * counted as disturbed.
 */
static bool prove_pieces(const struct pmu_hw *hw)
{
	const uint32_t n = MANY / PIECES;
	unsigned left = ATTEMPTS;
	bool off, again;

	disturbed_pieces = 0;
	all_at_once(hw, 0, &crowd.group, crowd.of);
	if (!crowd.group.n || !pmu_start(&crowd.group))
		return false;
	do {
		if (!hw->driver->start(hw, &crowd.group))
			return false;
		off = pieces_off(hw);
		again = disturbed();
		hw->driver->stop(hw);
	} while ((again || off) && --left);
	return off && !again && blame(n, TIRES, some_lack(n) ? PROVEN : WRONG);
}

/*
 * A million instructions: one round will do, and the smallest count of some if it was spoilt. Where
 * other software changes a register so often that no round is without it, nothing is known.
 */
static bool prove_long(const struct pmu_hw *hw)
{
	const unsigned so_far = disturbances;

	if (cpu_is_guest(hw->cpu))
		return prove_pieces(hw);
	all_at_once(hw, 0, &crowd.group, crowd.of);
	if (!count(hw, &crowd.group, crowd.of, ITERATIONS, crowd.once) ||
	    !begin(&crowd.group, crowd.more))
		return false;
	for (unsigned round = 0; round < ROUNDS; round++) {
		if (!count_once(hw, &crowd.group, crowd.of, ITERATIONS + MANY, crowd.more))
			return false;
		if (all_count(MANY))
			return false;
	}
	return disturbances == so_far && blame(MANY, TIRES, WRONG);
}

/*
 * A counter that counts what another one is set to is right as long as both count the same. So each
 * two counters count different events in some turn, in both ways. Counters that fail are told by
 * name, and the others begin again.
 */
static bool exchange_roles(const struct pmu_hw *hw)
{
	bool failed = false;

	for (unsigned bit = 1; bit < hw->ncounters; bit *= 2) {
		uint32_t roles = 0;

		for (unsigned c = 0; c < hw->ncounters; c++)
			roles |= (c & bit ? 1u : 0u) << c;
		failed |= prove_together(hw, roles) || prove_together(hw, ~roles);
	}
	return failed;
}

static void prove_all(const struct pmu_hw *hw)
{
	while (prove_together(hw, 0))
		;
	find_seconds(hw);
	while (exchange_roles(hw))
		;
	while (prove_long(hw))
		;
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
	const struct trial *t = &r->first;

	log_begin("counter");
	log_str("name", c->name);
	log_dec("number", counter);
	log_dec("width", c->width);
	log_str("read", c->access == PMU_RDMSR ? "rdmsr" : "rdpmc");
	if (t->proof) {
		log_str("event", t->key);
		if (is_exact(t->proof))
			log_dec("want", t->want);
		log_dec("got", t->got);
	}
	if (disturbed_pieces && r->v == PROVEN)
		log_dec("disturbed", disturbed_pieces);
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
			any_exact |= is_exact(r->first.proof);
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

static void wait_for_host(unsigned turn)
{
	const uint64_t now = x86_rdtsc();

	while (x86_rdtsc() - now < (uint64_t)WAIT << turn)
		x86_pause();
}

/* No host explains what a stopped counter does. */
static void keep_stopped(const struct pmu_hw *hw)
{
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (results[c].v != PROVEN)
			kept[c] = results[c];
}

/* The counter of an exact event that was proven alone last before counter c, or next behind it. */
static const struct result *neighbour(const struct pmu_hw *hw, unsigned c, int step)
{
	while ((c += (unsigned)step) < hw->ncounters)
		if (results[c].first.proof && is_exact(results[c].first.proof))
			return &results[c];
	return NULL;
}

/* Nor what one does alone, if those before and behind it count. */
static void keep_alone(const struct pmu_hw *hw)
{
	for (unsigned c = 0; c < hw->ncounters; c++) {
		const struct result *before = neighbour(hw, c, -1), *behind = neighbour(hw, c, 1);

		if (results[c].v != PROVEN && results[c].v != NO_EVENT && before && behind &&
		    before->v == PROVEN && behind->v == PROVEN)
			kept[c] = results[c];
	}
}

static void prove_from_start(struct pmu_hw *hw)
{
	disturbances = 0;
	disturbed_pieces = 0;
	hw->driver->stop(hw);
	for (unsigned c = 0; c < hw->ncounters; c++) {
		results[c] = kept[c];
		settle_access(hw, c);
		if (results[c].v != PROVEN)
			continue;
		results[c].v = prove_stopped(hw, c, holds);
		if (results[c].v == PROVEN)
			results[c].v = prove_stopped(hw, c, stands_still);
		if (results[c].v == PROVEN)
			results[c].v = prove_stopped(hw, c, shows_writes);
	}
	prove_apart(hw);
	keep_stopped(hw);
	find_proofs(hw, false);
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (results[c].v == PROVEN)
			prove_alone(hw, c);
	keep_alone(hw);
	prove_all(hw);
}

/* Did so many counters of a guest stand still, as while its host needs them? */
static bool some_stood(const struct pmu_hw *hw, unsigned many)
{
	unsigned stood = 0;

	for (unsigned c = 0; c < hw->ncounters; c++)
		stood += kept[c].v == PROVEN && (results[c].v == STUCK || results[c].v == STARVED);
	return cpu_is_guest(hw->cpu) && stood >= many;
}

/* Does the counter count another number than it should, alone, beside others or in exchange? */
static bool is_off(enum verdict v)
{
	return v == WRONG || v == SHARED || v == STARVED || v == SHADOWS;
}

/*
 * Are all counters with an exact event off, and some count too much, as exits to a host make them?
 * An exit into the shorter one of two counts makes their difference too small.
 */
static bool exits_explain(const struct pmu_hw *hw)
{
	bool any = false;

	for (unsigned c = 0; c < hw->ncounters; c++) {
		const struct trial *t = &results[c].first;

		if (!t->proof || !is_exact(t->proof))
			continue;
		if (!is_off(results[c].v))
			return false;
		any |= t->got > t->want;
	}
	return any && cpu_has_host(hw->cpu);
}

static void begin_naps(const struct pmu_hw *hw)
{
	naps_left = cpu_is_guest(hw->cpu) ? NAPS : 0;
	absence.times = 0;
	strikes = ROUNDS;
}

/*
 * Counters that were proven between absences are of little use if the absences are longer than what
 * is between them, or if they come so often that no measurement fits between them.
 */
static bool too_often_away(const struct pmu_hw *hw, uint64_t waited)
{
	const uint64_t naps = cpu_is_guest(hw->cpu) ? NAPS - naps_left : 0;
	const uint64_t away = naps * NAP + waited, there = prove_ticks - away;

	return absence.times >= OFTEN && (away > there || there / absence.times < WAIT);
}

void pmu_prove(struct pmu_hw *hw)
{
	uint64_t began = x86_rdtsc(), waited = 0;
	bool often;

	begin_naps(hw);
	memset(kept, 0, sizeof(kept)); /* PROVEN */
	prove_from_start(hw);
	/* The host may take the last of them while the proofs are made again. */
	for (unsigned i = 0; i < WAITS && some_stood(hw, i ? 1 : 2); i++) {
		wait_for_host(i);
		waited += (uint64_t)WAIT << i;
		prove_from_start(hw);
	}
	prove_ticks = x86_rdtsc() - began;
	often = too_often_away(hw, waited);
	conclude(hw);
	if (often)
		hw->usable = 0;
	naps_left = 0;
	if (!hw->usable && moved && (often || some_stood(hw, 1)))
		hw->why = "the hypervisor takes the counters away too often to prove them";
	else if (!hw->usable && exits_explain(hw))
		hw->why = "the counters count wrongly, or the hypervisor comes into each proof";
}

uint64_t pmu_prove_ticks(void)
{
	return prove_ticks;
}

/* As try_together(), but no round more than it takes. */
static void try_shortly(const struct pmu_hw *hw, uint32_t roles)
{
	all_at_once(hw, roles, &crowd.group, crowd.of);
	if (!crowd.group.n || !begin(&crowd.group, crowd.once))
		return;
	begin(&crowd.group, crowd.more);
	for (unsigned left = ATTEMPTS * ROUNDS; left; left--)
		if (!count_once(hw, &crowd.group, crowd.of, ITERATIONS, crowd.once) ||
		    !count_once(hw, &crowd.group, crowd.of, 2 * ITERATIONS, crowd.more))
			return;
		else if (all_count(ITERATIONS))
			break;
	blame(ITERATIONS, PROVEN, PROVEN);
}

/* In each turn other counters have their second event. */
static uint32_t roles_of(const struct pmu_hw *hw, unsigned turn)
{
	unsigned bits = 0;
	uint32_t roles = 0;

	while (1u << bits < hw->ncounters)
		bits++;
	turn %= 2 * (bits + 1);
	for (unsigned c = 0; c < hw->ncounters && turn / 2; c++)
		roles |= (c >> (turn / 2 - 1) & 1) << c;
	return turn % 2 ? ~roles : roles;
}

static void all_usable(const struct pmu_hw *hw)
{
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (hw->usable >> c & 1)
			results[c].v = PROVEN;
}

/* As before a proof, which puts what failed into `first`. */
static struct result before[PMU_SLOTS];

/*
 * A host takes counters away all at once, and a counter that lies lies alone. Does each fail that
 * counts exactly, of two or more?
 */
static bool all_fail(const struct pmu_hw *hw)
{
	unsigned exact = 0;

	for (unsigned c = 0; c < hw->ncounters; c++) {
		if (!(hw->usable >> c & 1) || !is_exact(before[c].first.proof))
			continue;
		if (results[c].v == PROVEN)
			return false;
		exact++;
	}
	return exact > 1;
}

/* Waits in a guest until counters that all fail count again. False: they do not, or it is iron. */
static bool wait_for_counters(const struct pmu_hw *hw)
{
	if (!cpu_is_guest(hw->cpu) || !all_fail(hw))
		return false;
	for (unsigned i = 0; i < WAITS; i++) {
		wait_for_host(i);
		memcpy(results, before, sizeof(results));
		try_shortly(hw, 0);
		if (!all_fail(hw))
			return true;
	}
	return false;
}

static bool log_changed(const struct pmu_hw *hw)
{
	bool changed = false;

	for (unsigned c = 0; c < hw->ncounters; c++)
		if ((hw->usable >> c & 1) && results[c].v != PROVEN) {
			log_counter(hw, c);
			changed = true;
		}
	return changed;
}

/* Makes the proof, and in a guest again behind each time that all counters were away. */
static bool prove_still(void (*proof)(const struct pmu_hw *hw))
{
	const struct pmu_hw *hw = &pmu_hw;
	unsigned left = ATTEMPTS;

	all_usable(hw);
	if (cpu_is_guest(hw->cpu))
		memcpy(before, results, sizeof(before));
	proof(hw);
	for (taken = false; left && wait_for_counters(hw); left--) {
		taken = true;
		memcpy(results, before, sizeof(results));
		proof(hw);
	}
	return !log_changed(hw);
}

static unsigned turn; /* of the short proofs: which counter has which event */

static void prove_shortly(const struct pmu_hw *hw)
{
	try_shortly(hw, roles_of(hw, turn));
}

bool pmu_prove_again(void)
{
	bool same = prove_still(prove_shortly);

	turn++;
	return same;
}

static void prove_at_end(const struct pmu_hw *hw)
{
	uint32_t counted = 0; /* together, and without a fault */

	prove_together(hw, 0);
	for (unsigned i = 0; i < crowd.group.n; i++)
		counted |= 1u << crowd.group.slots[i].counter;
	for (unsigned c = 0; c < hw->ncounters; c++)
		if (hw->usable >> c & ~counted >> c & 1)
			results[c].v = counts(hw, c, &results[c].first);
	exchange_roles(hw);
	prove_long(hw);
}

bool pmu_prove_end(void)
{
	bool same;

	begin_naps(&pmu_hw);
	same = prove_still(prove_at_end);
	taken |= cpu_is_guest(pmu_hw.cpu) && naps_left < NAPS;
	naps_left = 0;
	return same;
}

bool pmu_taken(void)
{
	return taken;
}

bool pmu_counts(void)
{
	const struct pmu_hw *hw = &pmu_hw;

	if (!hw->usable || !cpu_is_guest(hw->cpu))
		return true;
	all_usable(hw);
	all_at_once(hw, 0, &crowd.group, crowd.of);
	return begin(&crowd.group, crowd.once) && begin(&crowd.group, crowd.more) &&
	       count_once(hw, &crowd.group, crowd.of, ITERATIONS, crowd.once) &&
	       count_once(hw, &crowd.group, crowd.of, 2 * ITERATIONS, crowd.more) &&
	       !some_lack(ITERATIONS);
}

bool pmu_wait(void)
{
	static bool gone;

	for (unsigned i = 0; !pmu_counts(); i++) {
		gone |= i == WAITS;
		if (gone)
			return false;
		wait_for_host(i);
	}
	gone = false;
	return true;
}
