/*
 * The placement solver: see solve.h.
 *
 * One group is decided exactly: requests that could meet on a counter or a register form a
 * component; in a component configurations are tried depth first, and counters are then matched
 * by augmenting paths. Groups are filled first-fit, the least flexible request first; if that
 * leaves room for doubt, a bounded search tries to do with fewer.
 */
#include "pmu/solve.h"

enum {
	SEARCH_REQUESTS = 40, /* more are placed first-fit only: bounds stack and time */
	SEARCH_SMALL = 10,    /* so few are always searched to the end ... */
	SEARCH_SMALL_FITS = 1000000,
	SEARCH_FITS = 30000, /* ... more only until so many groups have been tried */
	REPAIR_FITS = 20000, /* the same for moving requests out of the last group */
};

static unsigned bits(uint32_t v)
{
	unsigned n = 0;

	for (; v; v &= v - 1)
		n++;
	return n;
}

/* Same register or claim, other value? */
static bool clash(const struct pmu_config *a, const struct pmu_config *b)
{
	for (unsigned i = 0; i < a->nextra; i++)
		for (unsigned j = 0; j < b->nextra; j++)
			if (a->extra[i].msr == b->extra[j].msr &&
			    a->extra[i].value != b->extra[j].value)
				return true;
	return a->blocks & b->blocks;
}

static uint32_t counters_of(const struct pmu_ways *w, uint32_t usable)
{
	uint32_t any = 0;

	for (unsigned i = 0; i < w->n; i++)
		any |= w->config[i].counters | w->config[i].blocks;
	return any & usable;
}

/* Could the choice for one restrict the choice for the other? */
static bool related(const struct pmu_ways *a, const struct pmu_ways *b, uint32_t usable)
{
	if (counters_of(a, usable) & counters_of(b, usable))
		return true;
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned j = 0; j < b->n; j++)
			if (clash(&a->config[i], &b->config[j]))
				return true;
	return false;
}

/* The group being decided. */
struct fit {
	unsigned n;
	uint32_t usable;
	const struct pmu_ways *ways[PMU_SLOTS];
	const struct pmu_config *chosen[PMU_SLOTS];
	uint8_t config[PMU_SLOTS];
	uint8_t order[PMU_SLOTS]; /* members of the component in hand, fewest ways first */
	unsigned norder;
	int8_t owner[32]; /* position in `order` that has this counter, or -1 */
};

/* Gives member `at` of the order a counter, moving others if need be. */
static bool augment(struct fit *f, unsigned at, uint32_t blocked, uint32_t *tried)
{
	uint32_t can = f->chosen[f->order[at]]->counters & f->usable & ~blocked;

	for (unsigned c = 0; c < 32; c++) {
		if (!(can >> c & 1) || (*tried >> c & 1))
			continue;
		*tried |= 1u << c;
		if (f->owner[c] < 0 || augment(f, (unsigned)f->owner[c], blocked, tried)) {
			f->owner[c] = (int8_t)at;
			return true;
		}
	}
	return false;
}

/* With the configurations chosen for order[0..n): is there a counter for each? */
static bool match(struct fit *f, unsigned n)
{
	uint32_t blocked = 0;

	for (unsigned i = 0; i < n; i++)
		blocked |= f->chosen[f->order[i]]->blocks;
	for (unsigned c = 0; c < 32; c++)
		f->owner[c] = -1;
	for (unsigned i = 0; i < n; i++) {
		uint32_t tried = 0;

		if (!augment(f, i, blocked, &tried))
			return false;
	}
	return true;
}

static bool agrees(const struct fit *f, unsigned n, const struct pmu_config *c)
{
	for (unsigned i = 0; i < n; i++)
		if (clash(f->chosen[f->order[i]], c))
			return false;
	return true;
}

static bool choose(struct fit *f, unsigned at)
{
	const struct pmu_ways *w;
	unsigned m;

	if (at == f->norder)
		return true; /* the match() before has left the counters in owner[] */
	m = f->order[at];
	w = f->ways[m];
	for (unsigned i = 0; i < w->n; i++) {
		if (!agrees(f, at, &w->config[i]))
			continue;
		f->chosen[m] = &w->config[i];
		f->config[m] = (uint8_t)i;
		if (match(f, at + 1) && choose(f, at + 1))
			return true;
	}
	return false;
}

/* Collects into f->order what is related to member `first`, directly or through others. */
static uint32_t component(struct fit *f, unsigned first, uint32_t left)
{
	uint32_t in = 1u << first;

	f->norder = 0;
	f->order[f->norder++] = (uint8_t)first;
	for (unsigned i = 0; i < f->norder; i++)
		for (unsigned m = 0; m < f->n; m++)
			if ((left & ~in) >> m & 1 &&
			    related(f->ways[f->order[i]], f->ways[m], f->usable)) {
				in |= 1u << m;
				f->order[f->norder++] = (uint8_t)m;
			}
	return in;
}

static void fewest_first(struct fit *f)
{
	for (unsigned i = 1; i < f->norder; i++)
		for (unsigned j = i; j && f->ways[f->order[j]]->n < f->ways[f->order[j - 1]]->n;
		     j--) {
			uint8_t t = f->order[j];

			f->order[j] = f->order[j - 1];
			f->order[j - 1] = t;
		}
}

bool pmu_fit(const struct pmu_ways *ways, const uint16_t *member, unsigned n, uint32_t usable,
             struct pmu_place *place)
{
	struct fit f = { .n = n, .usable = usable };
	uint8_t counter[PMU_SLOTS];
	uint32_t left;

	if (n > PMU_SLOTS || n > bits(usable))
		return false;
	for (unsigned i = 0; i < n; i++)
		f.ways[i] = &ways[member[i]];
	left = (1u << n) - 1;
	for (unsigned first = 0; first < n; first++) {
		if (!(left >> first & 1))
			continue;
		left &= ~component(&f, first, left);
		fewest_first(&f);
		if (!choose(&f, 0))
			return false;
		for (unsigned c = 0; c < 32; c++)
			if (f.owner[c] >= 0)
				counter[f.order[f.owner[c]]] = (uint8_t)c;
	}
	for (unsigned i = 0; i < n; i++) {
		place[member[i]].counter = counter[i];
		place[member[i]].config = f.config[i];
	}
	return true;
}

/* Members of a group among the first `upto` of `order`, with `extra` added. */
static unsigned members(const struct pmu_place *place, const uint16_t *order, unsigned upto,
                        unsigned group, uint16_t *member)
{
	unsigned n = 0;

	for (unsigned i = 0; i < upto && n <= PMU_SLOTS; i++)
		if (place[order[i]].group == group)
			member[n++] = order[i];
	return n;
}

static bool joins(const struct pmu_ways *ways, const uint16_t *order, unsigned at, unsigned group,
                  uint32_t usable, struct pmu_place *place)
{
	uint16_t member[PMU_SLOTS + 2];
	unsigned n = members(place, order, at, group, member);

	member[n++] = order[at];
	return pmu_fit(ways, member, n, usable, place);
}

/* How many (configuration, counter) pairs there are: what the order of placing goes by. */
static unsigned freedom(const struct pmu_ways *w, uint32_t usable)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->n; i++)
		n += bits(w->config[i].counters & usable);
	return n;
}

/* The placeable requests, least freedom first; the others get PMU_NOWHERE. */
static unsigned arrange(const struct pmu_ways *ways, unsigned n, uint32_t usable,
                        struct pmu_place *place, uint16_t *order)
{
	unsigned m = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned own = freedom(&ways[i], usable), j;
		uint16_t alone = (uint16_t)i;

		if (!pmu_fit(ways, &alone, 1, usable, place))
			continue;
		for (j = m++; j && freedom(&ways[order[j - 1]], usable) > own; j--)
			order[j] = order[j - 1];
		order[j] = alone;
	}
	return m;
}

static unsigned first_fit(const struct pmu_ways *ways, const uint16_t *order, unsigned n,
                          uint32_t usable, struct pmu_place *place)
{
	unsigned groups = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned g = 0;

		while (g < groups && !joins(ways, order, i, g, usable, place))
			g++;
		if (g == groups) {
			groups++;
			joins(ways, order, i, g, usable, place);
		}
		place[order[i]].group = (uint16_t)g;
	}
	return groups;
}

/* Usable counters that a request takes at least: its own, and those that it blocks. */
static unsigned weight(const struct pmu_ways *w, uint32_t usable)
{
	unsigned least = PMU_SLOTS;

	for (unsigned i = 0; i < w->n; i++)
		if (bits(w->config[i].blocks & usable) < least)
			least = bits(w->config[i].blocks & usable);
	return 1 + least;
}

/* Requests that take c counters, all from a set of k: at least c / k runs. */
static unsigned counter_bound(const struct pmu_ways *ways, const uint16_t *order, unsigned n,
                              uint32_t usable)
{
	unsigned best = 0;

	for (unsigned i = 0; i <= n; i++) {
		uint32_t set = i < n ? counters_of(&ways[order[i]], usable) : usable;
		unsigned in = 0, k = bits(set);

		for (unsigned j = 0; j < n; j++)
			if (!(counters_of(&ways[order[j]], usable) & ~set))
				in += weight(&ways[order[j]], usable);
		if (k && (in + k - 1) / k > best)
			best = (in + k - 1) / k;
	}
	return best;
}

/* The value that the request wants in its first register beside the select, wherever it goes. */
static bool first_value(const struct pmu_ways *w, uint64_t *value)
{
	for (unsigned i = 0; i < w->n; i++)
		if (!w->config[i].nextra ||
		    w->config[i].extra[0].value != w->config[0].extra[0].value)
			return false;
	*value = w->config[0].extra[0].value;
	return true;
}

static bool uses(const struct pmu_ways *w, uint32_t msr)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->config[i].extra[0].msr == msr)
			return true;
	return false;
}

/* Different registers that the configurations put first. */
static unsigned registers_of(const struct pmu_ways *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->n; i++) {
		unsigned k = 0;

		while (k < i && w->config[k].extra[0].msr != w->config[i].extra[0].msr)
			k++;
		n += k == i;
	}
	return n;
}

static bool within(const struct pmu_ways *w, const struct pmu_ways *set)
{
	for (unsigned i = 0; i < w->n; i++)
		if (!uses(set, w->config[i].extra[0].msr))
			return false;
	return true;
}

/* Requests that put v different values into k registers: at least v / k runs (NetBurst's ESCRs). */
static unsigned register_bound(const struct pmu_ways *ways, const uint16_t *order, unsigned n)
{
	unsigned best = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct pmu_ways *set = &ways[order[i]];
		unsigned k, values = 0;
		uint64_t v, other;

		if (!first_value(set, &v))
			continue;
		for (unsigned j = 0; j < n; j++) {
			unsigned earlier = 0;

			if (!first_value(&ways[order[j]], &v) || !within(&ways[order[j]], set))
				continue;
			while (earlier < j && !(first_value(&ways[order[earlier]], &other) &&
			                        other == v && within(&ways[order[earlier]], set)))
				earlier++;
			values += earlier == j;
		}
		k = registers_of(set);
		if ((values + k - 1) / k > best)
			best = (values + k - 1) / k;
	}
	return best;
}

/* --- emptying the last group: its members change places with others ----------------------- */

struct repair {
	const struct pmu_ways *ways;
	unsigned n, budget;
	uint32_t usable;
	struct pmu_place *place;
};

/* Would `what` fit into the group without `out`? */
static bool would_fit(struct repair *r, unsigned group, unsigned what, unsigned out)
{
	uint16_t member[PMU_SLOTS + 2];
	unsigned n = 0;

	for (unsigned i = 0; i < r->n && n <= PMU_SLOTS; i++)
		if (r->place[i].group == group && i != what && i != out)
			member[n++] = (uint16_t)i;
	member[n++] = (uint16_t)what;
	if (r->budget)
		r->budget--;
	return r->budget && pmu_fit(r->ways, member, n, r->usable, r->place);
}

/* Moves `what` into one of the groups before `last`, as it is or in place of one that moves on. */
static bool move_out(struct repair *r, unsigned what, unsigned last)
{
	for (unsigned g = 0; g < last; g++)
		if (would_fit(r, g, what, what)) {
			r->place[what].group = (uint16_t)g;
			return true;
		}
	for (unsigned out = 0; out < r->n; out++) {
		unsigned g = r->place[out].group;

		if (g >= last || !would_fit(r, g, what, out))
			continue;
		for (unsigned h = 0; h < last; h++)
			if (h != g && would_fit(r, h, out, out)) {
				r->place[out].group = (uint16_t)h;
				r->place[what].group = (uint16_t)g;
				return would_fit(r, g, what, what);
			}
	}
	return false;
}

static bool empty_last(struct repair *r, unsigned last)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->place[i].group == last && !move_out(r, i, last))
			return false;
	return true;
}

/* Groups that are left when the last one has been emptied as often as it can be. */
static unsigned repair(struct repair *r, unsigned groups, unsigned bound)
{
	while (groups > bound && empty_last(r, groups - 1))
		groups--;
	r->budget = groups + 1; /* counters as the groups ended up: trials have left others */
	for (unsigned i = 0; i < r->n; i++) {
		unsigned g = r->place[i].group, first = 0;

		while (r->place[first].group != g)
			first++;
		if (g < groups && first == i)
			would_fit(r, g, i, i);
	}
	return groups;
}

/* Can order[at..n) join `groups` groups, the first `used` of which have members? */
struct search {
	const struct pmu_ways *ways;
	const uint16_t *order;
	unsigned n, groups, budget;
	uint32_t usable;
	uint16_t group[SEARCH_REQUESTS];
	struct pmu_place *place;
};

static bool try_group(struct search *s, unsigned at, unsigned g)
{
	uint16_t member[PMU_SLOTS + 2];
	unsigned n = 0;

	for (unsigned i = 0; i < at && n <= PMU_SLOTS; i++)
		if (s->group[i] == g)
			member[n++] = s->order[i];
	member[n++] = s->order[at];
	if (s->budget)
		s->budget--;
	return s->budget && pmu_fit(s->ways, member, n, s->usable, s->place);
}

static bool search(struct search *s, unsigned at, unsigned used)
{
	if (at == s->n)
		return true;
	for (unsigned g = 0; g < s->groups && g <= used && s->budget; g++) {
		if (!try_group(s, at, g))
			continue;
		s->group[at] = (uint16_t)g;
		if (search(s, at + 1, used + (g == used)))
			return true;
	}
	return false;
}

/* Counters and configurations of the groups as they ended up. */
static void settle(const struct search *s, unsigned groups)
{
	for (unsigned i = 0; i < s->n; i++)
		s->place[s->order[i]].group = s->group[i];
	for (unsigned g = 0; g < groups; g++) {
		uint16_t member[PMU_SLOTS + 2];
		unsigned n = members(s->place, s->order, s->n, g, member);

		pmu_fit(s->ways, member, n, s->usable, s->place);
	}
}

static unsigned fewer(const struct pmu_ways *ways, const uint16_t *order, unsigned n,
                      uint32_t usable, unsigned bound, unsigned groups, struct pmu_place *place,
                      bool *minimal)
{
	struct search s = { .ways = ways, .order = order, .n = n, .usable = usable };

	s.place = place;
	s.budget = n <= SEARCH_SMALL ? SEARCH_SMALL_FITS : SEARCH_FITS;
	for (unsigned i = 0; i < n; i++)
		s.group[i] = place[order[i]].group;
	while (groups > bound) {
		uint16_t known[SEARCH_REQUESTS];

		for (unsigned i = 0; i < n; i++)
			known[i] = s.group[i];
		s.groups = groups - 1;
		if (!search(&s, 0, 0)) {
			for (unsigned i = 0; i < n; i++)
				s.group[i] = known[i];
			*minimal = s.budget > 0;
			settle(&s, groups);
			return groups;
		}
		groups--;
	}
	*minimal = true;
	settle(&s, groups);
	return groups;
}

unsigned pmu_solve(const struct pmu_ways *ways, unsigned n, uint32_t usable,
                   struct pmu_place *place, bool *minimal)
{
	static uint16_t order[PMU_REQUESTS];
	unsigned groups, bound, other, all;

	for (unsigned i = 0; i < n; i++)
		place[i].group = PMU_NOWHERE;
	all = n < PMU_REQUESTS ? n : PMU_REQUESTS;
	n = arrange(ways, all, usable, place, order);
	groups = first_fit(ways, order, n, usable, place);
	bound = counter_bound(ways, order, n, usable);
	other = groups > bound ? register_bound(ways, order, n) : 0;
	bound = other > bound ? other : bound;
	if (n > SEARCH_REQUESTS) {
		struct repair r = { ways, all, REPAIR_FITS, usable, place };

		groups = repair(&r, groups, bound);
	}
	*minimal = groups <= bound;
	if (*minimal || n > SEARCH_REQUESTS)
		return groups;
	return fewer(ways, order, n, usable, bound, groups, place, minimal);
}
