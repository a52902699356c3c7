/*
 * sim/timing/cache.c - caches, TLBs and the branch predictor.
 *
 * Replacement is true LRU: the ways of a set are kept in order of use, the latest first. A cache
 * with another policy keeps its lines where they are, but for FIFO (sim/timing/policy.h).
 */
#include <stdlib.h>
#include <string.h>

#include "sim/timing/cache.h"
#include "sim/pmu/signal.h"

static unsigned log2_of(unsigned n)
{
	unsigned bits = 0;

	while (n >>= 1)
		bits++;
	return bits;
}

static bool in_order(const struct replacement *r)
{
	return r->policy.kind == POLICY_LRU || r->policy.kind == POLICY_FIFO;
}

/* All lines and what the policy knows of them, as after power-on. */
static void reset(struct cache *c)
{
	memset(c->line, 0, (size_t)c->sets * c->ways * sizeof(*c->line));
	for (unsigned i = 0; c->state && i < c->sets; i++)
		policy_reset(&c->replacement.policy,
		             &(struct policy_set){ NULL, c->state + (size_t)i * c->ways, c->ways });
}

bool cache_init(struct cache *c, const struct geometry *g, const struct replacement *r)
{
	static const uint64_t none;

	memset(c, 0, sizeof(*c));
	c->line_shift = 6;
	if (!g->kb)
		return true;
	c->ways = g->ways;
	c->line_shift = log2_of(g->line);
	c->sets = g->kb * 1024 / g->line / g->ways;
	c->latest_mask = c->sets & (c->sets - 1) || !in_order(r) ? 0 : c->sets - 1;
	c->write_allocate = !g->no_write_allocate;
	c->replacement = *r;
	c->random = 0x9e3779b97f4a7c15; /* any number but 0 */
	c->misses = DUEL_MOST / 2;
	c->line = calloc((size_t)c->sets * c->ways, sizeof(*c->line));
	if (!in_order(r))
		c->state = malloc((size_t)c->sets * c->ways);
	if (!c->line || (!in_order(r) && !c->state))
		return false;
	c->latest = in_order(r) ? c->line : &none;
	reset(c);
	return true;
}

void cache_free(struct cache *c)
{
	free(c->line);
	free(c->state);
	memset(c, 0, sizeof(*c));
}

/* Sets need not be a power of two in number (last-level caches of some parts). */
static uint64_t *set_of(const struct cache *c, uint64_t number)
{
	bool power_of_2 = !(c->sets & (c->sets - 1));
	uint64_t set = power_of_2 ? number & (c->sets - 1) : number % c->sets;

	return c->line + set * c->ways;
}

static struct policy_set state_of(const struct cache *c, const uint64_t *set)
{
	return (struct policy_set){ set, c->state + (set - c->line), c->ways };
}

/* That of this set. A miss of a set that always has one policy speaks for the other. */
static const struct policy *policy_of(struct cache *c, const uint64_t *set, bool miss)
{
	const struct replacement *r = &c->replacement;
	unsigned place = (unsigned)((set - c->line) / c->ways) % DUEL_SETS;
	bool first = place == DUEL_FIRST, second = place == DUEL_SECOND;

	if (!r->duels)
		return &r->policy;
	if (miss && first && c->misses < DUEL_MOST)
		c->misses++;
	if (miss && second && c->misses)
		c->misses--;
	return second || (!first && c->misses > DUEL_MOST / 2) ? &r->second : &r->policy;
}

/* Moves way i to the front with this value. */
static void touch(uint64_t *set, unsigned i, uint64_t value)
{
	for (; i; i--)
		set[i] = set[i - 1];
	set[0] = value;
}

static void used(struct cache *c, uint64_t *set, unsigned i, uint64_t value)
{
	struct policy_set state;

	if (c->replacement.policy.kind == POLICY_LRU) {
		touch(set, i, value);
		return;
	}
	set[i] = value;
	if (!c->state)
		return;
	state = state_of(c, set);
	policy_hit(policy_of(c, set, false), &state, i);
}

enum cache_result cache_lookup(struct cache *c, uint64_t address, bool write)
{
	uint64_t number = address >> c->line_shift;
	uint64_t *set = set_of(c, number);

	for (unsigned i = 0; i < c->ways; i++) {
		if (set[i] >> 1 == number + 1) {
			bool modified = set[i] & 1;

			used(c, set, i, set[i] | write);
			return modified ? CACHE_HIT_M : CACHE_HIT_E;
		}
	}
	return CACHE_MISS;
}

bool cache_has(const struct cache *c, uint64_t address)
{
	uint64_t number = address >> c->line_shift;
	const uint64_t *set = c->line ? set_of(c, number) : NULL;

	for (unsigned i = 0; set && i < c->ways; i++)
		if (set[i] >> 1 == number + 1)
			return true;
	return false;
}

static unsigned victim_of(struct cache *c, const uint64_t *set)
{
	const struct policy_set state = state_of(c, set);

	return policy_miss(policy_of(c, set, true), &state, &c->random);
}

struct victim cache_fill(struct cache *c, uint64_t address, bool modified)
{
	uint64_t number = address >> c->line_shift;
	uint64_t *set = set_of(c, number);
	unsigned way = c->state ? victim_of(c, set) : c->ways - 1;
	uint64_t last = set[way];
	struct victim out = { 0 };

	if (last) {
		out.valid = true;
		out.modified = last & 1;
		out.address = ((last >> 1) - 1) << c->line_shift;
	}
	if (c->state)
		set[way] = (number + 1) << 1 | modified;
	else
		touch(set, way, (number + 1) << 1 | modified);
	return out;
}

struct victim cache_conflict(struct cache *c, uint64_t address, unsigned bits)
{
	uint64_t number = address >> c->line_shift, mask = (1ull << (bits - c->line_shift)) - 1;
	const uint64_t *set = set_of(c, number);
	struct victim out = { 0 };

	for (unsigned i = 0; i < c->ways; i++) {
		uint64_t other = (set[i] >> 1) - 1;

		if (!set[i] || other == number || (other ^ number) & mask)
			continue;
		out.valid = true;
		out.address = other << c->line_shift;
		out.modified = cache_drop(c, out.address);
		break;
	}
	return out;
}

bool cache_drop(struct cache *c, uint64_t address)
{
	uint64_t number = address >> c->line_shift;
	uint64_t *set = c->line ? set_of(c, number) : NULL;

	for (unsigned i = 0; set && i < c->ways; i++) {
		if (set[i] >> 1 == number + 1) {
			bool modified = set[i] & 1;

			for (; !c->state && i + 1 < c->ways; i++)
				set[i] = set[i + 1];
			set[i] = 0;
			return modified;
		}
	}
	return false;
}

void cache_empty(struct cache *c)
{
	if (c->line)
		reset(c);
}

bool tlb_init(struct tlb *t, const struct tlb_geometry *g)
{
	memset(t, 0, sizeof(*t));
	if (!g->entries)
		return true;
	t->ways = g->ways ? g->ways : g->entries;
	t->sets = g->entries / t->ways;
	t->entry = calloc((size_t)t->sets * t->ways, sizeof(*t->entry));
	return t->entry;
}

void tlb_free(struct tlb *t)
{
	free(t->entry);
	memset(t, 0, sizeof(*t));
}

static struct tlb_entry *tlb_set(struct tlb *t, uint64_t linear, unsigned shift)
{
	return t->entry + (linear >> shift) % t->sets * t->ways;
}

static bool tlb_sees(const struct tlb *t, const struct tlb_entry *entry)
{
	return entry->global || entry->pcid == t->pcid;
}

struct tlb_entry *tlb_lookup(struct tlb *t, uint64_t linear, unsigned shift)
{
	uint64_t page = linear >> shift << shift;
	struct tlb_entry *set, hit;

	if (!t->entry)
		return NULL;
	set = tlb_set(t, linear, shift);
	for (unsigned i = 0; i < t->ways; i++) {
		if (set[i].linear == page + 1 && set[i].size == 1ull << shift &&
		    tlb_sees(t, &set[i])) {
			hit = set[i];
			if (i) {
				memmove(set + 1, set, i * sizeof(*set));
				set[0] = hit;
			}
			return set;
		}
	}
	return NULL;
}

void tlb_fill(struct tlb *t, uint64_t linear, uint64_t physical, unsigned shift, bool global)
{
	struct tlb_entry *set;

	if (!t->entry)
		return;
	set = tlb_set(t, linear, shift);
	memmove(set + 1, set, (t->ways - 1) * sizeof(*set));
	set[0] = (struct tlb_entry){
		.linear = (linear >> shift << shift) + 1,
		.physical = physical,
		.size = 1ull << shift,
		.pcid = t->pcid,
		.global = global,
	};
}

void tlb_empty(struct tlb *t)
{
	if (t->entry)
		memset(t->entry, 0, (size_t)t->sets * t->ways * sizeof(*t->entry));
}

void tlb_empty_context(struct tlb *t)
{
	for (size_t i = 0; t->entry && i < (size_t)t->sets * t->ways; i++)
		if (!t->entry[i].global && t->entry[i].pcid == t->pcid)
			t->entry[i] = (struct tlb_entry){ 0 };
}

void tlb_empty_contexts(struct tlb *t)
{
	for (size_t i = 0; t->entry && i < (size_t)t->sets * t->ways; i++)
		if (!t->entry[i].global)
			t->entry[i] = (struct tlb_entry){ 0 };
}

void tlb_drop(struct tlb *t, uint64_t linear, bool globals)
{
	static const unsigned shifts[] = { 12, 21, 22, 30 };

	for (unsigned i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
		struct tlb_entry *entry;

		while ((entry = tlb_lookup(t, linear, shifts[i])) && (globals || !entry->global))
			*entry = (struct tlb_entry){ 0 };
	}
}

bool predictor_init(struct predictor *p, const struct predictor_geometry *g)
{
	memset(p, 0, sizeof(*p));
	if (!g->btb_entries)
		return true;
	p->ways = g->btb_ways;
	p->sets = g->btb_entries / g->btb_ways;
	p->history_bits = g->history;
	p->returns = g->returns;
	p->btb = calloc(g->btb_entries, sizeof(*p->btb));
	p->counters = calloc(1u << g->history, 1);
	if (!p->btb || !p->counters)
		return false;
	predictor_empty(p);
	return true;
}

void predictor_empty(struct predictor *p)
{
	if (!p->btb)
		return;
	memset(p->btb, 0, (size_t)p->sets * p->ways * sizeof(*p->btb));
	memset(p->counters, 1, 1u << p->history_bits); /* weakly not taken */
	memset(p->stack, 0, sizeof(p->stack));
	p->history = p->top = 0;
}

void predictor_free(struct predictor *p)
{
	free(p->btb);
	free(p->counters);
	memset(p, 0, sizeof(*p));
}

/* The entries that may have a branch, the latest first. */
static struct btb_entry *btb_set(const struct predictor *p, uint64_t from)
{
	bool power_of_2 = !(p->sets & (p->sets - 1));

	return p->btb + (power_of_2 ? from & (p->sets - 1) : from % p->sets) * p->ways;
}

static const struct btb_entry *btb_peek(const struct predictor *p, uint64_t from)
{
	const struct btb_entry *set = btb_set(p, from);

	for (unsigned i = 0; i < p->ways; i++)
		if (set[i].from == from + 1)
			return &set[i];
	return NULL;
}

static struct btb_entry *btb_find(struct predictor *p, uint64_t from)
{
	struct btb_entry *set = btb_set(p, from);

	for (unsigned i = 0; i < p->ways; i++) {
		if (set[i].from == from + 1) {
			struct btb_entry hit = set[i];

			if (i) {
				memmove(set + 1, set, i * sizeof(*set));
				set[0] = hit;
			}
			return set;
		}
	}
	return NULL;
}

static struct btb_entry *btb_new(struct predictor *p, uint64_t from, uint64_t to)
{
	struct btb_entry *set = btb_set(p, from);

	memmove(set + 1, set, (p->ways - 1) * sizeof(*set));
	set[0] = (struct btb_entry){ from + 1, to, 3 };
	return set;
}

static void count(uint8_t *counter, bool up)
{
	if (up && *counter < 3)
		(*counter)++;
	if (!up && *counter)
		(*counter)--;
}

/* Returns use their own stack when there is one. */
static uint64_t pop_return(struct predictor *p)
{
	p->top = (p->top + p->returns - 1) % p->returns;
	return p->stack[p->top];
}

static void push_return(struct predictor *p, uint64_t next)
{
	if (!p->returns)
		return;
	p->stack[p->top] = next;
	p->top = (p->top + 1) % p->returns;
}

/*
 * A branch that is not in the BTB is predicted not taken. One that is there is taken to the target
 * it had last, except that a conditional branch asks its counter first: the one in the BTB, or
 * with global history the one that history and address select. An entry is made when a branch is
 * taken for the first time. A direct unconditional branch that is not in the BTB costs nothing on
 * CPUs with history, where the decoder finds its target.
 */
struct prediction predictor_step(struct predictor *p, unsigned kind, uint64_t from, uint64_t next,
                                 uint64_t target, bool taken)
{
	struct prediction out = { .right = true };
	struct btb_entry *entry;
	uint8_t *counter = NULL;

	if (!p->btb)
		return out;
	if (kind == BRANCH_CALL || kind == BRANCH_CALL_INDIRECT)
		push_return(p, next);
	if (kind == BRANCH_FAR) {
		out.right = true;
		return out;
	}
	entry = btb_find(p, from);
	out.btb_hit = entry;
	out.target = entry ? entry->to : 0;
	if (kind == BRANCH_RETURN && p->returns) {
		out.taken = true;
		out.target = pop_return(p);
		out.right = out.target == target;
		if (!entry)
			btb_new(p, from, target);
		return out;
	}
	if (kind == BRANCH_COND) {
		if (p->history_bits) {
			uint64_t mask = (1u << p->history_bits) - 1;

			counter = &p->counters[(from ^ p->history) & mask];
			out.taken = *counter >= 2;
			p->history = (p->history << 1 | taken) & mask;
		} else {
			counter = entry ? &entry->counter : NULL;
			out.taken = entry && entry->counter >= 2;
		}
	} else {
		bool decoder = p->history_bits && (kind == BRANCH_JUMP || kind == BRANCH_CALL);

		out.taken = entry || decoder;
		if (decoder && !entry) {
			btb_new(p, from, target);
			return out;
		}
	}
	out.right =
		out.taken == taken && (!taken || p->history_bits || (entry && entry->to == target));
	if (kind == BRANCH_JUMP_INDIRECT || kind == BRANCH_CALL_INDIRECT || kind == BRANCH_RETURN)
		out.right = entry && entry->to == target;
	if (counter)
		count(counter, taken);
	if (entry && taken)
		entry->to = target;
	if (!entry && taken)
		btb_new(p, from, target);
	return out;
}

struct prediction predictor_peek(const struct predictor *p, unsigned kind, uint64_t from,
                                 unsigned returns)
{
	struct prediction out = { .taken = true };
	const struct btb_entry *entry;

	if (!p->btb)
		return out;
	entry = btb_peek(p, from);
	out.btb_hit = entry;
	out.target = entry ? entry->to : 0;
	if (kind == BRANCH_RETURN && p->returns)
		out.target = returns < p->returns
		                     ? p->stack[(p->top + p->returns - 1 - returns) % p->returns]
		                     : 0;
	if (kind == BRANCH_COND && p->history_bits)
		out.taken = p->counters[(from ^ p->history) & ((1u << p->history_bits) - 1)] >= 2;
	else if (kind == BRANCH_COND)
		out.taken = entry && entry->counter >= 2;
	return out;
}
