/*
 * From the value of events= to groups: requests are taken apart and placed. plan_print.c has the
 * records.
 */
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "pmu/events.h"
#include "pmu/internal.h"
#include "pmu/plan_print.h"
#include "pmu/request.h"
#include "pmu/solve.h"

/*
 * The requests so far. ways[i] are those of key[i]. Of a pair the second half of the requests is
 * the other thread's.
 */
struct planning {
	const struct pmu_want *want;
	const struct pmu_hw *hw;
	unsigned n, most;
	unsigned first; /* of the requests for this thread */
	char (*key)[PMU_KEY];
	struct plan_asked *asked;
	struct pmu_ways *ways;
	struct pmu_place *place;
};

static struct pmu_config scratch[PMU_CONFIGS];

static bool known(const struct planning *p, const char *key)
{
	for (unsigned i = p->first; i < p->n; i++)
		if (!strcmp(p->key[i], key))
			return true;
	return false;
}

/* Keeps the request that lies in p->key[p->n] and scratch[0..n). NULL: no argument has it. */
static bool keep(struct planning *p, unsigned n, const char *text, size_t length)
{
	struct pmu_config *copy = p->want->alloc(n * sizeof(*copy));

	if (!copy) {
		log_error("events", p->key[p->n], "out of memory");
		return false;
	}
	memcpy(copy, scratch, n * sizeof(*copy));
	p->ways[p->n] = (struct pmu_ways){ n, copy };
	p->asked[p->n].key = p->key[p->n];
	p->asked[p->n].alias = text;
	p->asked[p->n].length = text ? pmu_request_alias(p->hw, text, length) : 0;
	p->n++;
	return true;
}

static void add(struct planning *p, const char *text, size_t length)
{
	static struct pmu_refusal no;
	char *key = p->key[p->n];
	unsigned n = pmu_request(p->hw, text, length, p->want->cpl, key, scratch, &no);

	if (!n)
		plan_error(p->want, no.culprit, no.why);
	else if (known(p, key))
		plan_warn(p->want, key, "asked for twice, counted once");
	else
		keep(p, n, text, length);
}

/* The next event of this model from row *at on that needs no filter register; 0: none is left. */
static unsigned next_of_all(const struct pmu_hw *hw, int *at, unsigned cpl, char *key)
{
	static struct pmu_refusal no;
	struct pmu_event e;
	unsigned n = 0;

	while (!n && (*at = pmu_event_next(hw, *at)) >= 0) {
		pmu_event_at(hw->driver->table, (*at)++, &e);
		if (e.kind->filter == PMU_FIELDS)
			n = pmu_request_event(hw, &e, cpl, key, scratch, &no);
	}
	return n;
}

static void add_all(struct planning *p)
{
	int at = 0;
	unsigned n;

	while ((n = next_of_all(p->hw, &at, p->want->cpl, p->key[p->n])))
		if (!known(p, p->key[p->n]) && !keep(p, n, NULL, 0))
			return;
}

const char *pmu_next_event(bool first)
{
	static char key[PMU_KEY];
	static int at;

	at = first ? 0 : at;
	return pmu_hw.ncounters && next_of_all(&pmu_hw, &at, 0, key) ? key : NULL;
}

static bool fits_one_run(const struct planning *p, unsigned first)
{
	uint16_t member[PMU_SLOTS];
	unsigned n = p->n - first;

	for (unsigned i = 0; i < n && i < PMU_SLOTS; i++)
		member[i] = (uint16_t)(first + i);
	return n <= PMU_SLOTS && pmu_fit(p->ways, member, n, p->hw->usable, p->place);
}

/* As many of the family's list, best first, as count at the same time. */
static void add_defaults(struct planning *p)
{
	const char *list = p->hw->driver->defaults;
	unsigned first = p->n;

	while (*list) {
		size_t length = pmu_request_length(list);
		unsigned n =
			pmu_request(p->hw, list, length, p->want->cpl, p->key[p->n], scratch, NULL);

		if (n && !known(p, p->key[p->n]) && keep(p, n, list, length) &&
		    !fits_one_run(p, first))
			p->n--;
		list += length + (list[length] == ',');
	}
}

static bool is_word(const char *list, size_t length, const char *word)
{
	return length == strlen(word) && !memcmp(list, word, length);
}

static void add_list(struct planning *p, const char *list)
{
	while (*list) {
		size_t length = pmu_request_length(list);

		if (is_word(list, length, "all"))
			add_all(p);
		else if (is_word(list, length, "default"))
			add_defaults(p);
		else if (length)
			add(p, list, length);
		list += length + (list[length] == ',');
	}
}

/* More requests than the list can hold: one a comma, and the table for each `all`. */
static unsigned most_requests(const struct pmu_hw *hw, const char *list)
{
	unsigned events = 1, most = 1;

	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, i + 1))
		events++;
	for (const char *s = hw->driver->defaults; *s; s++)
		events += *s == ',';
	while (*list) {
		size_t n = pmu_request_length(list);

		most += is_word(list, n, "all") || is_word(list, n, "default") ? events : 1;
		list += n + (list[n] == ',');
	}
	return most < PMU_REQUESTS ? most : PMU_REQUESTS;
}

void pmu_find_empty(struct pmu_group *g)
{
	if (!pmu_hw.cpu->simulated || !pmu_start(g))
		return;
	for (unsigned i = 0; i < g->n; i++) {
		struct pmu_slot *s = &g->slots[i];
		uint32_t which = s->access == PMU_RDPMC ? s->index : s->counter;

		s->empty = !x86_cpuid(0x4000c003, which).eax;
	}
	pmu_stop();
}

static void fill_groups(const struct planning *p, struct pmu_plan *plan)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct pmu_place *at = &p->place[i];
		struct pmu_group *g;

		if (at->group == PMU_NOWHERE) {
			plan_error(p->want, p->key[i], "no working counter can count it");
			continue;
		}
		g = &plan->groups[at->group];
		g->slots[g->n].thread = p->want->pair && i >= p->n / 2;
		pmu_slot_fill(p->hw, &g->slots[g->n++], p->key[i], &p->ways[i].config[at->config],
		              at->counter);
	}
	for (unsigned g = 0; g < plan->ngroups; g++) {
		plan->groups[g].other = p->want->other;
		if (!plan->groups[g].other)
			pmu_find_empty(&plan->groups[g]);
	}
}

/* Groups in the making. */
struct packing {
	uint16_t (*member)[PMU_SLOTS];
	unsigned *size;
	unsigned n;
};

/* Puts `many` requests, i and i + step, into the first group that holds them all. */
static bool put(const struct planning *p, struct packing *k, unsigned i, unsigned step,
                unsigned many)
{
	for (unsigned g = 0; g <= k->n; g++) {
		if (k->size[g] + many > PMU_SLOTS)
			continue;
		for (unsigned m = 0; m < many; m++)
			k->member[g][k->size[g] + m] = (uint16_t)(i + m * step);
		if (!pmu_fit(p->ways, k->member[g], k->size[g] + many, p->hw->usable, p->place))
			continue;
		for (unsigned m = 0; m < many; m++)
			p->place[i + m * step].group = (uint16_t)g;
		k->size[g] += many;
		k->n += g == k->n;
		return true;
	}
	return false;
}

/* Places requests i and n/2 + i in one group wherever both fit. Returns the number of groups. */
static unsigned solve_pairs(const struct planning *p)
{
	unsigned half = p->n / 2;
	struct packing k = { .member = p->want->alloc((p->n + 1) * sizeof(*k.member)),
		             .size = p->want->alloc((p->n + 1) * sizeof(*k.size)) };

	if (!k.member || !k.size)
		return 0;
	for (unsigned i = 0; i < p->n; i++)
		p->place[i].group = PMU_NOWHERE;
	for (unsigned i = 0; i < half; i++)
		if (!put(p, &k, i, half, 2)) {
			put(p, &k, i, 0, 1);
			put(p, &k, half + i, 0, 1);
		}
	for (unsigned g = 0; g < k.n; g++) /* trying in vain has changed places */
		pmu_fit(p->ways, k.member[g], k.size[g], p->hw->usable, p->place);
	return k.n;
}

/* The same requests once more, as the other thread spells them. */
static bool add_other_thread(struct planning *p, const char *events)
{
	static struct pmu_hw other;
	unsigned n = p->n;

	other = *p->hw;
	other.driver->other_thread(&other);
	p->hw = &other;
	p->first = n;
	add_list(p, events);
	p->hw = &pmu_hw;
	return p->n == 2 * n;
}

/* Memory for the requests of the list. False: there is none left. */
static bool make_room(struct planning *p, const char *events)
{
	void *(*alloc)(size_t size) = p->want->alloc;

	p->most = most_requests(p->hw, events) * (1 + p->want->pair);
	p->key = alloc((p->most + 1) * sizeof(*p->key));
	p->asked = alloc(p->most * sizeof(*p->asked));
	p->ways = alloc(p->most * sizeof(*p->ways));
	p->place = alloc(p->most * sizeof(*p->place));
	return p->key && p->asked && p->ways && p->place;
}

bool pmu_threads_share(void)
{
	struct pmu_hw other = pmu_hw;

	return other.driver->other_thread && other.driver->other_thread(&other);
}

void pmu_plan(struct pmu_plan *plan, const struct pmu_want *want)
{
	struct planning p = { .want = want, .hw = want->other ? &pmu_other : &pmu_hw };
	const char *events = want->events ? want->events : "default";

	*plan = (struct pmu_plan){ 0 };
	if (!p.hw->ncounters) {
		if (want->events)
			plan_warn(want, events, "nothing counts on this machine");
		return;
	}
	if (!make_room(&p, events)) {
		log_error("events", events, "out of memory");
		return;
	}
	add_list(&p, events);
	if (want->pair && !add_other_thread(&p, events))
		return;
	plan->ngroups =
		want->pair ? solve_pairs(&p) : pmu_solve(p.ways, p.n, p.hw->usable, p.place);
	plan->groups = want->alloc(plan->ngroups * sizeof(*plan->groups));
	if (!plan->groups && plan->ngroups) {
		log_error("events", events, "out of memory");
		plan->ngroups = 0;
		return;
	}
	fill_groups(&p, plan);
	plan_print(plan, want, p.asked, p.n);
}

bool pmu_single(struct pmu_group *group, const char *request, unsigned cpl)
{
	char key[PMU_KEY];
	unsigned n = pmu_request(&pmu_hw, request, strlen(request), cpl, key, scratch, NULL);
	struct pmu_ways ways = { n, scratch };
	struct pmu_place place;
	uint16_t member = 0;

	*group = (struct pmu_group){ 0 };
	if (!n || !pmu_fit(&ways, &member, 1, pmu_hw.usable, &place))
		return false;
	group->n = 1;
	pmu_slot_fill(&pmu_hw, &group->slots[0], key, &scratch[place.config], place.counter);
	return true;
}
