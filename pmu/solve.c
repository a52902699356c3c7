/*
 * The placement solver: see solve.h.
 *
 * pmu_fit() decides exactly whether one group is possible. Requests that could compete for a
 * counter or a register form a component. Within a component the solver tries configurations depth
 * first, and matches counters to requests by augmenting paths.
 *
 * pmu_solve() fills groups first-fit. It places the request with the fewest choices first.
 */
#include "pmu/solve.h"

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

static uint32_t can_use(const struct pmu_ways *w, uint32_t usable)
{
	uint32_t any = 0;

	for (unsigned i = 0; i < w->n; i++)
		any |= w->config[i].counters;
	return any & usable;
}

/*
 * Is there a set of counters that more members depend on than it has? Looks at the sets that grow
 * from the counters of the last member, which is new to the group: a quick no for most groups that
 * are full (Hall's theorem).
 */
static bool crowded(const struct fit *f)
{
	uint32_t can[PMU_SLOTS], next, set;

	for (unsigned i = 0; i < f->n; i++)
		can[i] = can_use(f->ways[i], f->usable);
	next = can_use(f->ways[f->n - 1], f->usable);
	do {
		unsigned inside = 0;

		set = next;
		for (unsigned i = 0; i < f->n; i++) {
			inside += !(can[i] & ~set);
			if (can[i] & set)
				next |= can[i];
		}
		if (inside > bits(set))
			return true;
	} while (next != set);
	return false;
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
	if (n && crowded(&f))
		return false;
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

struct group {
	uint16_t member[PMU_SLOTS + 1];
	uint8_t n;
};

static bool joins(const struct pmu_ways *ways, struct group *g, uint16_t request, uint32_t usable,
                  struct pmu_place *place)
{
	g->member[g->n] = request;
	if (!pmu_fit(ways, g->member, g->n + 1u, usable, place))
		return false;
	g->n++;
	return true;
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
	static struct group group[PMU_REQUESTS];
	unsigned groups = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned g = 0;

		while (g < groups && !joins(ways, &group[g], order[i], usable, place))
			g++;
		if (g == groups) {
			group[groups++].n = 0;
			joins(ways, &group[g], order[i], usable, place);
		}
		place[order[i]].group = (uint16_t)g;
	}
	return groups;
}

unsigned pmu_solve(const struct pmu_ways *ways, unsigned n, uint32_t usable,
                   struct pmu_place *place)
{
	static uint16_t order[PMU_REQUESTS];

	for (unsigned i = 0; i < n; i++)
		place[i].group = PMU_NOWHERE;
	n = arrange(ways, n < PMU_REQUESTS ? n : PMU_REQUESTS, usable, place, order);
	return first_fit(ways, order, n, usable, place);
}
