/*
 * The placement solver against brute force: for random requests a group is possible exactly when
 * trying every configuration and counter finds one. First-fit may use more groups than the best
 * partition, but rarely, and never more than it must: no request of a group fits an earlier group.
 * The tests also check every placement that the solver returns.
 *
 * links: pmu/solve.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "pmu/solve.h"

enum { MOST = 7, MANY = 90, WAYS = 3, ROUNDS = 4000 };

static uint32_t state = 1;

static uint32_t draw(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

struct sample {
	unsigned n, counters;
	uint32_t usable;
	struct pmu_config config[MANY][WAYS];
	struct pmu_ways ways[MANY];
};

static void draw_config(struct pmu_config *c, unsigned counters, bool blocks)
{
	*c = (struct pmu_config){ .counters = 1 + draw((1u << counters) - 1) };
	c->nextra = draw(3);
	for (unsigned i = 0; i < c->nextra; i++)
		c->extra[i] = (struct pmu_write){ 0x3a0 + draw(3), draw(2) };
	if (c->nextra == 2 && c->extra[0].msr == c->extra[1].msr)
		c->nextra = 1;
	if (blocks && !draw(3)) { /* takes a second counter, as AMD's merged pairs do */
		unsigned own = draw(counters);

		c->counters = 1u << own;
		c->blocks = 1u << (own + 1 + draw(counters - 1)) % counters;
	}
}

static void draw_sample(struct sample *s, unsigned most)
{
	bool blocks = draw(2);

	s->n = 1 + draw(most);
	s->counters = 2 + draw(4);
	s->usable = (1u << s->counters) - 1;
	if (!draw(4))
		s->usable &= ~(1u << draw(s->counters));
	for (unsigned i = 0; i < s->n; i++) {
		s->ways[i] = (struct pmu_ways){ 1 + draw(WAYS), s->config[i] };
		for (unsigned k = 0; k < WAYS; k++)
			draw_config(&s->config[i][k], s->counters, blocks);
	}
}

static bool compatible(const struct pmu_config *a, unsigned ca, const struct pmu_config *b,
                       unsigned cb)
{
	uint32_t ua = 1u << ca | a->blocks, ub = 1u << cb | b->blocks;

	for (unsigned i = 0; i < a->nextra; i++)
		for (unsigned j = 0; j < b->nextra; j++)
			if (a->extra[i].msr == b->extra[j].msr &&
			    a->extra[i].value != b->extra[j].value)
				return false;
	return !(ua & ub);
}

/* Every configuration and counter for members at, at + 1, ... of `set`. */
static bool brute(const struct sample *s, unsigned set, unsigned at, unsigned *cfg, unsigned *ctr)
{
	while (at < s->n && !(set >> at & 1))
		at++;
	if (at == s->n)
		return true;
	for (unsigned k = 0; k < s->ways[at].n; k++)
		for (unsigned c = 0; c < s->counters; c++) {
			const struct pmu_config *w = &s->config[at][k];
			bool ok = (w->counters & s->usable) >> c & 1;

			for (unsigned j = 0; ok && j < at; j++)
				if (set >> j & 1)
					ok = compatible(w, c, &s->config[j][cfg[j]], ctr[j]);
			cfg[at] = k;
			ctr[at] = c;
			if (ok && brute(s, set, at + 1, cfg, ctr))
				return true;
		}
	return false;
}

static bool brute_fits(const struct sample *s, unsigned set)
{
	unsigned cfg[MOST], ctr[MOST];

	return brute(s, set, 0, cfg, ctr);
}

static bool brute_fits_one(const struct sample *s, unsigned i)
{
	for (unsigned k = 0; k < s->ways[i].n; k++)
		if (s->config[i][k].counters & s->usable & ~s->config[i][k].blocks)
			return true;
	return false;
}

/* Fewest groups for the requests of `set`, by dynamic programming over subsets. */
static unsigned brute_groups(const struct sample *s, unsigned all)
{
	static unsigned best[1 << MOST];

	best[0] = 0;
	for (unsigned set = 1; set <= all; set++) {
		best[set] = 99;
		if (set & ~all)
			continue;
		for (unsigned g = set; g; g = (g - 1) & set)
			if (best[set & ~g] + 1 < best[set] && brute_fits(s, g))
				best[set] = best[set & ~g] + 1;
	}
	return best[all];
}

static void check_place(const struct sample *s, const struct pmu_place *p, unsigned groups)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct pmu_config *a;

		if (p[i].group == PMU_NOWHERE)
			continue;
		a = &s->config[i][p[i].config];
		assert_true(p[i].group < groups);
		assert_true(p[i].config < s->ways[i].n);
		assert_true((a->counters & s->usable) >> p[i].counter & 1);
		for (unsigned j = 0; j < i; j++)
			if (p[j].group == p[i].group)
				assert_true(compatible(a, p[i].counter, &s->config[j][p[j].config],
				                       p[j].counter));
	}
}

static void fit_is_exact(void **unused)
{
	static struct sample s;
	unsigned yes = 0, no = 0;

	(void)unused;
	for (unsigned round = 0; round < 5 * ROUNDS; round++) {
		struct pmu_place place[MOST] = { 0 };
		uint16_t member[MOST];
		bool fits;

		draw_sample(&s, MOST);
		for (unsigned i = 0; i < s.n; i++)
			member[i] = (uint16_t)(s.n - 1 - i);
		fits = pmu_fit(s.ways, member, s.n, s.usable, place);
		assert_int_equal(fits, brute_fits(&s, (1u << s.n) - 1));
		if (fits)
			check_place(&s, place, 1);
		*(fits ? &yes : &no) += 1;
	}
	assert_true(yes > ROUNDS / 4 && no > ROUNDS / 4); /* the draw tests both answers */
}

/* Would request i also fit into group g as it was filled before i came? */
static bool fits_earlier(const struct sample *s, const struct pmu_place *p, unsigned i, unsigned g)
{
	unsigned set = 1u << i;

	for (unsigned j = 0; j < s->n; j++)
		if (p[j].group == g)
			set |= 1u << j;
	return brute_fits(s, set);
}

static void few_groups(void **unused)
{
	static struct sample s;
	unsigned best = 0, more = 0;

	(void)unused;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct pmu_place place[MOST];
		unsigned groups, placeable = 0, least;

		draw_sample(&s, MOST);
		for (unsigned i = 0; i < s.n; i++)
			if (brute_fits(&s, 1u << i))
				placeable |= 1u << i;
		groups = pmu_solve(s.ways, s.n, s.usable, place);
		for (unsigned i = 0; i < s.n; i++) {
			assert_int_equal(place[i].group != PMU_NOWHERE, placeable >> i & 1);
			for (unsigned g = 0; place[i].group != PMU_NOWHERE && g < place[i].group;
			     g++)
				assert_false(fits_earlier(&s, place, i, g));
		}
		check_place(&s, place, groups);
		least = brute_groups(&s, placeable);
		assert_true(groups >= least && groups <= least + 1);
		*(groups == least ? &best : &more) += 1;
	}
	assert_true(more * 50 < best); /* fewer than 2 % of these crowded samples need a run more */
}

/* Many requests: valid, and as few groups as the counters allow where nothing else restricts. */
static void many_requests(void **unused)
{
	static struct pmu_config config = { .counters = 0xff };
	static struct pmu_ways ways[300];
	static struct pmu_place place[300];

	(void)unused;
	for (unsigned i = 0; i < 300; i++)
		ways[i] = (struct pmu_ways){ 1, &config };
	assert_int_equal(pmu_solve(ways, 300, 0xff, place), 38);
	assert_int_equal(pmu_solve(ways, 300, 0, place), 0);
	assert_int_equal(place[0].group, PMU_NOWHERE);
	assert_int_equal(pmu_solve(ways, 0, 0xff, place), 0);
}

/* Longer lists: every placement is valid, no request is left out, no group is empty. */
static void many_random(void **unused)
{
	static struct sample s;

	(void)unused;
	for (unsigned round = 0; round < 300; round++) {
		struct pmu_place place[MANY];
		unsigned groups, full = 0;

		draw_sample(&s, MANY);
		groups = pmu_solve(s.ways, s.n, s.usable, place);
		check_place(&s, place, groups);
		for (unsigned i = 0; i < s.n; i++)
			assert_int_equal(place[i].group != PMU_NOWHERE, brute_fits_one(&s, i));
		for (unsigned g = 0; g < groups; g++)
			for (unsigned i = 0; i < s.n; i++)
				if (place[i].group == g) {
					full++;
					break;
				}
		assert_int_equal(full, groups);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fit_is_exact),
		cmocka_unit_test(few_groups),
		cmocka_unit_test(many_requests),
		cmocka_unit_test(many_random),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
