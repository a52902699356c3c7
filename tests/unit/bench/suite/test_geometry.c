/*
 * bench/suite/geometry.c on caches made of a few lines: policies of replacement, hashed sets,
 * scattered pages and TLBs that the simulator does not have. What is found must be true or unknown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "bench/suite/geometry.c"

enum { ARENA = 16 << 20, PAGE_SHIFT = 12, TIMED = 2048 };
enum policy { LRU, TREE, RANDOM };

/* Ways of a set in the order of use, or at places that a tree of bits chooses. */
struct cache {
	uintptr_t size, ways, line;
	enum policy policy;
	unsigned slices; /* bits of the set that a hash of the address makes; 0: none */
	uint32_t clocks;
	uintptr_t *tags;
	uint32_t *tree;
};

static struct cache caches[LEVELS];
static uint32_t memory_clocks, walk_clocks;
static uintptr_t tlb[64];
static bool scattered;
static uintptr_t own; /* a line that the code uses beside each load; 0: none */
static const struct cpu cpu;
static struct bench_run run = { .cpu = &cpu };

static uint32_t any(void)
{
	static uint32_t x;

	x = x * 1664525 + 1013904223;
	return x >> 8;
}

static uintptr_t *set_of(const struct cache *c, uintptr_t line, uintptr_t *index)
{
	uintptr_t sets = c->size / c->line / c->ways;

	*index = line % sets;
	for (unsigned i = 0; i < c->slices; i++)
		*index ^= (uintptr_t)__builtin_parityl((line >> 4) & (0x12b5dul << i)) << (i + 6);
	return c->tags + *index * c->ways;
}

static void use_tree(uint32_t *bits, uintptr_t ways, uintptr_t way)
{
	for (uintptr_t node = way + ways; node > 1; node /= 2)
		*bits = node & 1 ? *bits & ~(1u << node / 2) : *bits | 1u << node / 2;
}

static uintptr_t victim(const struct cache *c, uint32_t bits)
{
	uintptr_t node = 1;

	if (c->policy != TREE)
		return c->policy == RANDOM ? any() % c->ways : c->ways - 1;
	while (node < c->ways)
		node = 2 * node + (bits >> node & 1);
	return node - c->ways;
}

/* Looks a line up and brings it in. */
static bool lookup(struct cache *c, uintptr_t at)
{
	uintptr_t index, way, tag = at / c->line + 1;
	uintptr_t *set = set_of(c, at / c->line, &index);
	bool hit;

	for (way = 0; way < c->ways && set[way] != tag; way++)
		;
	hit = way < c->ways;
	if (!hit)
		way = victim(c, c->tree[index]);
	for (; c->policy == LRU && way; way--)
		set[way] = set[way - 1];
	set[way] = tag;
	if (c->policy == TREE)
		use_tree(&c->tree[index], c->ways, way);
	return hit;
}

static uint32_t load(uintptr_t at)
{
	uintptr_t page = at >> PAGE_SHIFT, *entry = &tlb[page % 64];
	uint32_t clocks = walk_clocks && *entry != page ? walk_clocks : 0;

	*entry = page;
	for (unsigned i = 0; own && i < LEVELS && !lookup(&caches[i], own); i++)
		;
	if (scattered)
		at = ((page ^ page >> 5) * 2654435761u >> 9 & 0xfffff) << PAGE_SHIFT | (at & 4095);
	for (unsigned i = 0; i < LEVELS; i++)
		if (lookup(&caches[i], at))
			return clocks + caches[i].clocks;
	return clocks + memory_clocks;
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	uintptr_t p = b->set[REG_SI], start = p, loads = 0;
	uint64_t clocks = 0;

	(void)group;
	b->setup(b, &r->area);
	do {
		load(p);
		p = *(uintptr_t *)p;
	} while (p != start || loads++ < 3);
	for (unsigned i = 0; i < TIMED; i++, p = *(uintptr_t *)p)
		clocks += load(p);
	out->q[0].med = (int64_t)(clocks * COPIES * ROUNDS / TIMED);
	return NULL;
}

const struct cpu_cache *cpu_data_cache(const struct cpu *c, unsigned level)
{
	(void)c;
	(void)level;
	return NULL;
}

/* Finds all levels of a machine with these L1, L2, L3 in KiB and ways, lines of 64 bytes. */
static void measure(enum policy policy, const unsigned kib[LEVELS], const unsigned ways[LEVELS],
                    unsigned slices)
{
	static const uint32_t clocks[LEVELS] = { 4, 14, 45 };

	memory_clocks = 200;
	memset(levels, 0, sizeof(levels));
	for (unsigned i = 0; i < LEVELS; i++) {
		free(caches[i].tags);
		free(caches[i].tree);
		caches[i] = (struct cache){ kib[i] * 1024u,      ways[i],   64,   policy,
			                    i == 2 ? slices : 0, clocks[i], NULL, NULL };
		caches[i].tags = calloc(caches[i].size / 64, sizeof(uintptr_t));
		caches[i].tree = calloc(caches[i].size / 64, sizeof(uint32_t));
	}
	for (unsigned i = 0; i < LEVELS; i++)
		find(&run, &levels[i]);
}

static void found(unsigned level, bool sets)
{
	const struct level *c = &levels[level];
	const struct cache *k = &caches[level];

	assert_in_range(k->size, c->fits, c->over - 1);
	if (sets) {
		assert_int_equal(c->ways, k->ways);
		assert_int_equal(c->line, k->line);
		assert_int_equal(c->ways * c->way, k->size);
	} else {
		assert_int_equal(c->ways, 0);
	}
}

static const unsigned client_kib[] = { 32, 256, 4096 }, client_ways[] = { 8, 4, 16 };
static const unsigned server_kib[] = { 48, 1024, 8192 }, server_ways[] = { 12, 16, 16 };
static const unsigned tree_kib[] = { 32, 512, 4096 }, tree_ways[] = { 8, 8, 16 };

static void lru(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		measure(LRU, i ? server_kib : client_kib, i ? server_ways : client_ways, 0);
		for (unsigned level = 0; level < LEVELS; level++)
			found(level, true);
	}
}

static void tree(void **state)
{
	(void)state;
	measure(TREE, tree_kib, tree_ways, 0);
	for (unsigned level = 0; level < LEVELS; level++)
		found(level, true);
}

/* One line too many is not always missed then: nothing is better than a wrong number. */
static void random_replacement(void **state)
{
	(void)state;
	measure(RANDOM, server_kib, server_ways, 0);
	for (unsigned level = 0; level < LEVELS; level++) {
		assert_true(!levels[level].ways || levels[level].ways == caches[level].ways);
		assert_in_range(levels[level].fits, caches[level].size * 3 / 4,
		                caches[level].size * 3 / 2);
	}
}

static void hashed(void **state)
{
	(void)state;
	for (unsigned slices = 2; slices <= 4; slices++) {
		measure(LRU, server_kib, server_ways, slices);
		found(0, true);
		found(1, true);
		assert_int_equal(levels[2].ways, 0);
		assert_in_range(levels[2].fits, caches[2].size * 3 / 4, caches[2].size);
	}
}

/* A walk of the page tables costs more than the next cache. */
static void small_pages(void **state)
{
	(void)state;
	walk_clocks = 30;
	measure(LRU, server_kib, server_ways, 0);
	walk_clocks = 0;
	found(0, true);
	found(1, false); /* lines of one set lie in pages of one set of the TLB */
	found(2, false);
}

static void scattered_pages(void **state)
{
	(void)state;
	scattered = true;
	measure(LRU, server_kib, server_ways, 0);
	scattered = false;
	found(0, true);
	assert_int_equal(levels[1].ways, 0);
	assert_int_equal(levels[2].ways, 0);
}

/* A line of the code's own lies in the set of the first ring. */
static void own_line(void **state)
{
	(void)state;
	own = (uintptr_t)run.area.expanse + (1u << 28);
	measure(LRU, server_kib, server_ways, 0);
	own = 0;
	for (unsigned level = 0; level < LEVELS; level++)
		found(level, true);
}

static void none(void **state)
{
	static const unsigned kib[] = { 32, 32, 32 }, ways[] = { 8, 8, 8 };

	(void)state;
	measure(LRU, kib, ways, 0);
	found(0, true);
	assert_true(levels[1].hit && !levels[1].fits);
	assert_true(!levels[2].hit && !levels[2].fits);
}

/* Another run finds the levels anew; a benchmark of the same run takes what is found. */
static void another_run(void **state)
{
	static const unsigned kib[LEVELS] = { 32, 256, 2048 }, ways[LEVELS] = { 8, 8, 16 };
	static const struct bench b = { .name = "geometry.l1d" };

	(void)state;
	measure(LRU, kib, ways, 0);
	run.number = 1;
	perform(&run, &b);
	assert_int_equal(levels[0].ways, 8);
	levels[0].ways = 3;
	perform(&run, &b);
	assert_int_equal(levels[0].ways, 3);
	run.number = 2;
	perform(&run, &b);
	assert_int_equal(levels[0].ways, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lru),         cmocka_unit_test(tree),
		cmocka_unit_test(hashed),      cmocka_unit_test(random_replacement),
		cmocka_unit_test(small_pages), cmocka_unit_test(scattered_pages),
		cmocka_unit_test(own_line),    cmocka_unit_test(none),
		cmocka_unit_test(another_run),
	};
	uint8_t *p = mmap(NULL, 2 * ARENA, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	if (p == MAP_FAILED)
		return 1;
	run.area.expanse = p + (ARENA - (uintptr_t)p % ARENA) % ARENA;
	run.area.expanse_size = ARENA;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
