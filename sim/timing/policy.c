/*
 * sim/timing/policy.c - replacement policies of caches other than true LRU.
 */
#include "sim/timing/policy.h"

#include <string.h>

enum { AGE_MOST = 3, TREE = 4, NOWHERE = -1, MISS_RARITY = 16, BRRIP_RARITY = 32 };

/* xorshift64 (G. Marsaglia, "Xorshift RNGs", 2003). */
static unsigned draw(uint64_t *random, unsigned n)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (unsigned)((*random >> 32) % n);
}

/* ---- Names ---- */

static const struct {
	const char *name;
	struct policy policy;
} fixed[] = {
	{ "LRU", { .kind = POLICY_LRU } },
	{ "FIFO", { .kind = POLICY_FIFO } },
	{ "PLRU", { .kind = POLICY_PLRU } },
	{ "PLRUl", { .kind = POLICY_PLRUL } },
	{ "LRU_PLRU4", { .kind = POLICY_LRU_PLRU } },
	{ "MRU", { .kind = POLICY_MRU } },
	{ "MRU_N", { .kind = POLICY_MRU_N } },
	{ "NRU", { .kind = POLICY_NRU } },
	{ "RANDOM", { .kind = POLICY_RANDOM } },
	/* A. Jaleel et al., "High Performance Cache Replacement Using RRIP", ISCA 2010 */
	{ "SRRIP", { .kind = POLICY_QLRU, .miss = 2, .on_miss_only = true } },
	{ "BRRIP",
	  { .kind = POLICY_QLRU,
	    .miss = 3,
	    .rare_miss = 2,
	    .rarity = BRRIP_RARITY,
	    .on_miss_only = true } },
};

/* The digit behind this prefix, and *text moves on; above `most` or none: false. */
static bool digit(const char **text, const char *prefix, unsigned most, uint8_t *value)
{
	size_t n = strlen(prefix);

	if (strncmp(*text, prefix, n) != 0 || (*text)[n] < '0' || (*text)[n] > '0' + (int)most)
		return false;
	*value = (uint8_t)((*text)[n] - '0');
	*text += n + 1;
	return true;
}

/* Hxy: a hit of age 3 gives x, of age 2 y, and of less 0. */
static bool parse_hits(const char **text, uint8_t hit[4])
{
	hit[0] = hit[1] = 0;
	return digit(text, "H", 2, &hit[3]) && digit(text, "", 1, &hit[2]) && hit[3] >= hit[2];
}

/* Mx: the age of new lines; MRxy: x, and y for a line of 16. */
static bool parse_miss(const char **text, struct policy *p)
{
	if (digit(text, "_M", AGE_MOST, &p->miss))
		return true;
	p->rarity = MISS_RARITY;
	return digit(text, "_MR", AGE_MOST, &p->miss) && digit(text, "", 2, &p->rare_miss) &&
	       p->rare_miss < p->miss;
}

static bool parse_qlru(const char *text, struct policy *p)
{
	*p = (struct policy){ .kind = POLICY_QLRU };
	if (strncmp(text, "QLRU_", 5) != 0)
		return false;
	text += 5;
	if (!parse_hits(&text, p->hit) || !parse_miss(&text, p) ||
	    !digit(&text, "_R", 2, &p->place) || !digit(&text, "_U", 3, &p->update))
		return false;
	p->on_miss_only = !strcmp(text, "_UMO");
	return (!*text || p->on_miss_only) && (p->place == 1 || p->update < 2);
}

bool policy_parse(const char *name, struct policy *p)
{
	for (unsigned i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (!strcmp(name, fixed[i].name)) {
			*p = fixed[i].policy;
			return true;
		}
	return parse_qlru(name, p);
}

bool policy_fits(const struct policy *p, unsigned ways)
{
	switch (p->kind) {
	case POLICY_PLRU:
	case POLICY_PLRUL:
		return ways && !(ways & (ways - 1));
	case POLICY_LRU_PLRU:
		return ways && !(ways % TREE);
	default:
		return ways;
	}
}

/* ---- Trees: node 1 is the root, 2i and 2i + 1 are below node i; 1: the victim is right ---- */

static unsigned tree_victim(const uint8_t *node, unsigned leaves)
{
	unsigned i = 1;

	while (i < leaves)
		i = 2 * i + node[i];
	return i - leaves;
}

static void tree_use(uint8_t *node, unsigned leaves, unsigned leaf)
{
	for (unsigned i = leaf + leaves; i > 1; i /= 2)
		node[i / 2] = !(i & 1);
}

/* Byte 0 of each tree is its place in the order of use, 0 the latest. */
static void trees_use(const struct policy_set *s, unsigned way)
{
	uint8_t *tree = s->state + way / TREE * TREE, place = *tree;

	tree_use(tree, TREE, way % TREE);
	for (unsigned i = 0; i < s->ways; i += TREE)
		if (s->state[i] < place)
			s->state[i]++;
	*tree = 0;
}

static unsigned trees_victim(const struct policy_set *s)
{
	unsigned latest = 0;

	for (unsigned i = 0; i < s->ways; i += TREE)
		if (s->state[i] > s->state[latest])
			latest = i;
	return latest + tree_victim(s->state + latest, TREE);
}

/* ---- Bits and ages ---- */

static int first_of(const struct policy_set *s, uint8_t state)
{
	const uint8_t *at = memchr(s->state, state, s->ways);

	return at ? (int)(at - s->state) : NOWHERE;
}

static int empty_way(const struct policy_set *s, bool rightmost)
{
	int found = NOWHERE;

	for (unsigned i = 0; i < s->ways && (found == NOWHERE || rightmost); i++)
		if (!s->line[i])
			found = (int)i;
	return found;
}

/* A bit of 0 is a way in use. When all are, all others no longer are. */
static void bits_use(const struct policy_set *s, unsigned way)
{
	s->state[way] = 0;
	if (first_of(s, 1) != NOWHERE)
		return;
	memset(s->state, 1, s->ways);
	s->state[way] = 0;
}

/* U0, U1: so far that one is 3; U2, U3: by 1. U1 and U3 leave out the way of this access. */
static void ages_rise(const struct policy *p, const struct policy_set *s, int way)
{
	bool apart = p->update & 1;
	uint8_t oldest = 0, more;

	for (unsigned i = 0; i < s->ways; i++)
		if ((!apart || p->update == 3 || (int)i != way) && s->state[i] > oldest)
			oldest = s->state[i];
	if (oldest == AGE_MOST)
		return;
	more = p->update < 2 ? AGE_MOST - oldest : 1;
	for (unsigned i = 0; i < s->ways; i++)
		if (!apart || (int)i != way)
			s->state[i] += more;
}

static unsigned qlru_miss(const struct policy *p, const struct policy_set *s, uint64_t *random)
{
	int way;

	if (p->on_miss_only)
		ages_rise(p, s, NOWHERE);
	way = empty_way(s, p->place == 2);
	if (way == NOWHERE)
		way = first_of(s, AGE_MOST);
	if (way == NOWHERE)
		way = 0;
	s->state[way] = p->rarity && !draw(random, p->rarity) ? p->rare_miss : p->miss;
	if (!p->on_miss_only)
		ages_rise(p, s, way);
	return (unsigned)way;
}

static unsigned bits_miss(const struct policy *p, const struct policy_set *s)
{
	int way = empty_way(s, false);
	bool full = way == NOWHERE;

	if (p->kind == POLICY_NRU && full && first_of(s, 1) == NOWHERE)
		memset(s->state, 1, s->ways);
	if (full)
		way = first_of(s, 1);
	if (way == NOWHERE)
		way = 0; /* a set of one way */
	if (p->kind == POLICY_NRU)
		s->state[way] = 0;
	else if (p->kind == POLICY_MRU || full)
		bits_use(s, (unsigned)way);
	return (unsigned)way;
}

/* ---- All of them ---- */

void policy_reset(const struct policy *p, const struct policy_set *s)
{
	bool bits = p->kind == POLICY_MRU || p->kind == POLICY_MRU_N || p->kind == POLICY_NRU;

	memset(s->state, p->kind == POLICY_QLRU ? AGE_MOST : bits, s->ways);
	for (unsigned i = 0; p->kind == POLICY_LRU_PLRU && i < s->ways; i += TREE)
		s->state[i] = (uint8_t)(i / TREE);
}

void policy_hit(const struct policy *p, const struct policy_set *s, unsigned way)
{
	switch (p->kind) {
	case POLICY_PLRU:
	case POLICY_PLRUL:
		tree_use(s->state, s->ways, way);
		break;
	case POLICY_LRU_PLRU:
		trees_use(s, way);
		break;
	case POLICY_MRU_N:
		if (empty_way(s, false) != NOWHERE)
			break;
		/* fallthrough */
	case POLICY_MRU:
		bits_use(s, way);
		break;
	case POLICY_NRU:
		s->state[way] = 0;
		break;
	case POLICY_QLRU:
		s->state[way] = p->hit[s->state[way]];
		if (!p->on_miss_only)
			ages_rise(p, s, (int)way);
		break;
	default:
		break;
	}
}

unsigned policy_miss(const struct policy *p, const struct policy_set *s, uint64_t *random)
{
	int empty = empty_way(s, false);
	unsigned way = (unsigned)empty;

	switch (p->kind) {
	case POLICY_PLRU:
	case POLICY_PLRUL:
		if (empty == NOWHERE || p->kind == POLICY_PLRU)
			way = tree_victim(s->state, s->ways);
		tree_use(s->state, s->ways, way);
		return way;
	case POLICY_LRU_PLRU:
		if (empty == NOWHERE)
			way = trees_victim(s);
		trees_use(s, way);
		return way;
	case POLICY_QLRU:
		return qlru_miss(p, s, random);
	case POLICY_RANDOM:
		return empty == NOWHERE ? draw(random, s->ways) : way;
	default:
		return bits_miss(p, s);
	}
}
