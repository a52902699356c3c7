#include "tools/policy/models.h"

#include <stdint.h>
#include <stdio.h>

enum { EMPTY = -1, OLDEST = 3, TREE = 4, LOADS = 4096, RESTARTS = 16 };

struct variant {
	unsigned h, m, r, u;
	bool umo;
};

/* ---- Ways ---- */

static int way_of(const struct model_set *s, int block)
{
	for (unsigned i = 0; i < s->ways; i++)
		if (s->block[i] == block)
			return (int)i;
	return -1;
}

static int first_empty(const struct model_set *s)
{
	return way_of(s, EMPTY);
}

static int last_empty(const struct model_set *s)
{
	for (unsigned i = s->ways; i; i--)
		if (s->block[i - 1] == EMPTY)
			return (int)i - 1;
	return -1;
}

static int first_of_age(const struct model_set *s, int age)
{
	for (unsigned i = 0; i < s->ways; i++)
		if (s->age[i] == age)
			return (int)i;
	return -1;
}

/* ---- LRU, FIFO: the time of the last use, of the load ---- */

static int earliest(const struct model_set *s)
{
	int way = 0;

	for (unsigned i = 1; i < s->ways; i++)
		if (s->time[i] < s->time[way])
			way = (int)i;
	return way;
}

static bool load_by_time(struct model_set *s, int block, bool hits_count)
{
	int way = way_of(s, block), empty = first_empty(s);
	bool hit = way >= 0;

	if (!hit) {
		way = empty >= 0 ? empty : earliest(s);
		s->block[way] = block;
	}
	if (!hit || hits_count)
		s->time[way] = ++s->clock;
	return hit;
}

static bool load_lru(struct model_set *s, int block)
{
	return load_by_time(s, block, true);
}

static bool load_fifo(struct model_set *s, int block)
{
	return load_by_time(s, block, false);
}

/* ---- Trees: halves of the ways from `first` on, the node of the first half first ---- */

static int tree_older(const struct model_set *s, unsigned first, unsigned ways, unsigned node)
{
	if (ways == 1)
		return (int)first;
	ways /= 2;
	if (s->node[node])
		return tree_older(s, first + ways, ways, node + ways);
	return tree_older(s, first, ways, node + 1);
}

static void tree_used(struct model_set *s, unsigned first, unsigned ways, unsigned node,
                      unsigned way)
{
	if (ways == 1)
		return;
	ways /= 2;
	s->node[node] = way < first + ways;
	if (way < first + ways)
		tree_used(s, first, ways, node + 1, way);
	else
		tree_used(s, first + ways, ways, node + ways, way);
}

static bool load_tree(struct model_set *s, int block, bool empty_first)
{
	int way = way_of(s, block), empty = first_empty(s);
	bool hit = way >= 0;

	if (!hit) {
		way = empty_first && empty >= 0 ? empty : tree_older(s, 0, s->ways, 0);
		s->block[way] = block;
	}
	tree_used(s, 0, s->ways, 0, (unsigned)way);
	return hit;
}

static bool load_plru(struct model_set *s, int block)
{
	return load_tree(s, block, false);
}

static bool load_plrul(struct model_set *s, int block)
{
	return load_tree(s, block, true);
}

/* Trees of four ways. A tree's time of use is that of its first way. */
static bool load_lru_plru4(struct model_set *s, int block)
{
	int way = way_of(s, block), empty = first_empty(s);
	bool hit = way >= 0;
	unsigned tree = s->ways - TREE;

	for (unsigned i = s->ways; i; i -= TREE)
		if (s->time[i - TREE] < s->time[tree])
			tree = i - TREE;
	if (!hit) {
		way = empty >= 0 ? empty : tree_older(s, tree, TREE, tree);
		s->block[way] = block;
	}
	tree = (unsigned)way / TREE * TREE;
	tree_used(s, tree, TREE, tree, (unsigned)way);
	s->time[tree] = ++s->clock;
	return hit;
}

/* ---- Bits: age 1 is a way that may go ---- */

static void all_may_go(struct model_set *s)
{
	for (unsigned i = 0; i < s->ways; i++)
		s->age[i] = 1;
}

static bool load_by_bits(struct model_set *s, int block, bool in_part)
{
	int way = way_of(s, block), empty = first_empty(s);
	bool hit = way >= 0;

	if (!hit) {
		way = empty >= 0 ? empty : first_of_age(s, 1);
		if (way < 0)
			way = 0; /* there is one way alone */
		s->block[way] = block;
	}
	if (empty >= 0 && !in_part)
		return hit;
	s->age[way] = 0;
	if (first_of_age(s, 1) < 0) {
		all_may_go(s);
		s->age[way] = 0;
	}
	return hit;
}

static bool load_mru(struct model_set *s, int block)
{
	return load_by_bits(s, block, true);
}

static bool load_mru_n(struct model_set *s, int block)
{
	return load_by_bits(s, block, false);
}

static bool load_nru(struct model_set *s, int block)
{
	int way = way_of(s, block);
	bool hit = way >= 0;

	if (!hit) {
		way = first_empty(s);
		if (way < 0 && first_of_age(s, 1) < 0)
			all_may_go(s);
		if (way < 0)
			way = first_of_age(s, 1);
		s->block[way] = block;
	}
	s->age[way] = 0;
	return hit;
}

/* ---- Two bits of age ---- */

static const char *const hits[] = { "21", "20", "11", "10", "00" };

/* R0 and R2 need an age of 3, which U2 and U3 do not promise. */
static const char *const rules[] = { "R0_U0", "R0_U1", "R1_U0", "R1_U1",
	                             "R1_U2", "R1_U3", "R2_U0", "R2_U1" };

enum {
	HITS = sizeof(hits) / sizeof(*hits),
	RULES = sizeof(rules) / sizeof(*rules),
	VARIANTS = HITS * 4 * RULES * 2,
};

static struct variant variant_of(size_t i)
{
	const char *rule = rules[i / 2 % RULES];

	return (struct variant){ .umo = i & 1,
		                 .r = (unsigned)(rule[1] - '0'),
		                 .u = (unsigned)(rule[4] - '0'),
		                 .m = (unsigned)(i / 2 / RULES % 4),
		                 .h = (unsigned)(i / 2 / RULES / 4) };
}

static int age_of_hit(const struct variant *v, int age)
{
	return age < 2 ? 0 : hits[v->h][3 - age] - '0';
}

/* `way`: that of the load, or -1. */
static void grow_older(struct model_set *s, const struct variant *v, int way)
{
	const bool others = v->u == 1 || v->u == 3;
	int most = 0, step;

	for (unsigned i = 0; i < s->ways; i++)
		if (s->age[i] > most && !(v->u == 1 && (int)i == way))
			most = s->age[i];
	if (most >= OLDEST)
		return;
	step = v->u < 2 ? OLDEST - most : 1;
	for (unsigned i = 0; i < s->ways; i++)
		if (!others || (int)i != way)
			s->age[i] += step;
}

static int way_to_go(const struct model_set *s, const struct variant *v)
{
	int way = v->r == 2 ? last_empty(s) : first_empty(s);

	if (way < 0)
		way = first_of_age(s, OLDEST);
	return way < 0 ? 0 : way;
}

static bool load_qlru(struct model_set *s, const struct variant *v, int block)
{
	int way = way_of(s, block);
	bool hit = way >= 0;

	if (hit) {
		s->age[way] = age_of_hit(v, s->age[way]);
	} else {
		if (v->umo)
			grow_older(s, v, -1);
		way = way_to_go(s, v);
		s->block[way] = block;
		s->age[way] = (int)v->m;
	}
	if (!v->umo)
		grow_older(s, v, way);
	return hit;
}

/* ---- All of them ---- */

static const struct {
	const char *name;
	bool (*load)(struct model_set *s, int block);
} plain[] = {
	{ "LRU", load_lru },
	{ "FIFO", load_fifo },
	{ "PLRU", load_plru },
	{ "PLRUl", load_plrul },
	{ "LRU_PLRU4", load_lru_plru4 },
	{ "MRU", load_mru },
	{ "MRU_N", load_mru_n },
	{ "NRU", load_nru },
};

enum { PLAIN = sizeof(plain) / sizeof(*plain) };

size_t models_count(void)
{
	return PLAIN + VARIANTS;
}

void model_name(size_t policy, char name[MODEL_NAME])
{
	struct variant v;

	if (policy < PLAIN) {
		snprintf(name, MODEL_NAME, "%s", plain[policy].name);
		return;
	}
	v = variant_of(policy - PLAIN);
	snprintf(name, MODEL_NAME, "QLRU_H%s_M%u_R%u_U%u%s", hits[v.h], v.m % 4, v.r % 4, v.u % 4,
	         v.umo ? "_UMO" : "");
}

const char *model_alias(size_t policy)
{
	struct variant v;

	if (policy < PLAIN)
		return NULL;
	v = variant_of(policy - PLAIN);
	return v.h == HITS - 1 && v.m == 2 && !v.r && !v.u && v.umo ? "SRRIP" : NULL;
}

bool model_fits(size_t policy, unsigned ways)
{
	bool (*load)(struct model_set *, int) = policy < PLAIN ? plain[policy].load : NULL;

	if (!ways || ways > MODEL_WAYS)
		return false;
	if (load == load_plru || load == load_plrul)
		return !(ways & (ways - 1));
	return load != load_lru_plru4 || !(ways % TREE);
}

void model_empty(struct model_set *s, size_t policy, unsigned ways)
{
	*s = (struct model_set){ .policy = policy, .ways = ways };
	for (unsigned i = 0; i < ways; i++) {
		s->block[i] = EMPTY;
		s->age[i] = policy < PLAIN ? 1 : OLDEST;
	}
	if (policy < PLAIN && plain[policy].load == load_lru_plru4)
		for (unsigned i = 0; i < ways; i += TREE)
			s->time[i] = -(long)i; /* the last tree is the least recently used one */
}

bool model_load(struct model_set *s, int block)
{
	struct variant v;

	if (s->policy < PLAIN)
		return plain[s->policy].load(s, block);
	v = variant_of(s->policy - PLAIN);
	return load_qlru(s, &v, block);
}

bool models_equal(size_t a, size_t b, unsigned ways)
{
	struct model_set x, y;
	uint32_t seed = 1;

	for (unsigned n = 0; n < RESTARTS; n++) {
		model_empty(&x, a, ways);
		model_empty(&y, b, ways);
		for (unsigned i = 0; i < LOADS; i++) {
			seed = seed * 1664525 + 1013904223;
			if (model_load(&x, (int)((seed >> 8) % (ways + 1 + n % 4))) !=
			    model_load(&y, (int)((seed >> 8) % (ways + 1 + n % 4))))
				return false;
		}
	}
	return true;
}
