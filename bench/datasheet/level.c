/*
 * The sizes of the data caches by loads of one set (bench/datasheet/level.h).
 *
 *	ways	the most blocks that are all there when they are loaded once more. Into an empty set
 *		so many go, whatever is replaced later
 *	way	the smallest distance of blocks at which one more does not fit
 *	line	how far every other block must be moved until one more fits: then it lies in the
 *		next set
 */
#include "bench/datasheet/level.h"
#include "bench/datasheet/sets.h"
#include "bench/engine/platform.h"
#include "kernel/lib/string.h"

enum {
	APART_L1D = 64 << 10, /* bytes between blocks at first: no way is larger */
	APART_L2 = 1 << 20,
	APART_NEAR = 8 << 10, /* NetBurst loses a line for another 64 KiB further on */
	APART_LEAST = 4096,   /* a smaller distance at first is no use */
	LINE_LEAST = 16,
	CHAIN = 4,         /* lines between loads for each way of the first level */
	MORE = 4,          /* blocks beside as many as there are ways */
	TICKS = 2000,      /* thousandths that a hit and a miss differ by, at least */
	LATE = 4000,       /* ticks: no load takes longer */
	SMALL_PAGE = 4096, /* bytes: addresses in it are those of the cache */
	ELSEWHERE = 8,     /* other places that are tried in small pages */
};

static struct cache_level levels[CACHE_LEVELS];

static unsigned found_in; /* number of the run that has found them */

static struct cache_sequence sequence;

/* ---- Times ---- */

static uint32_t middle(uint32_t v[], unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j && v[j - 1] > v[j]; j--) {
			uint32_t t = v[j];

			v[j] = v[j - 1];
			v[j - 1] = t;
		}
	return v[n / 2];
}

/* Blocks 0 to k - 1 over and over, in an order without a constant distance. */
static void order(uint8_t *block, unsigned n, unsigned k)
{
	uint32_t at = 0;

	for (unsigned i = 0; i < n; i++) {
		block[i] = (uint8_t)at;
		at = sets_next(at, k);
	}
}

/*
 * The middle of the times of so many blocks, in turn, when they have been loaded before: as much
 * longer than `hit`, the time of a hit in the same runs.
 */
static int64_t time_again(const struct bench_run *run, const struct cache_set *s, unsigned blocks,
                          uint32_t *hit)
{
	static uint32_t milli[CACHE_SET_STEPS], all[CACHE_SET_REPEATS];
	uint8_t block[CACHE_SET_STEPS];
	const unsigned n = 2 * CACHE_SET_MOST;
	const unsigned runs = cache_set_runs(TICKS) / CACHE_SET_REPEATS + 1;

	order(block, n, blocks);
	for (unsigned r = 0; r < CACHE_SET_REPEATS; r++) {
		*hit = cache_set_times(run, s, block, n, runs, LATE, milli);
		all[r] = LATE * 1000 + middle(milli + n / 2, n / 2) - *hit;
	}
	return (int64_t)middle(all, CACHE_SET_REPEATS) - LATE * 1000;
}

/*
 * Many more blocks than a set holds miss, whatever the policy. The distance of blocks at which they
 * miss soonest leaves them in the next level, since there they lie in several sets.
 */
static void find_times(const struct bench_run *run, struct cache_level *c)
{
	struct cache_set_scale *scale = &c->scale;
	struct cache_set s = c->set;
	uint32_t near, hit = 0;

	s.chain = 0;
	time_again(run, &s, 1, &near);
	s.chain = c->set.chain;
	for (; s.apart >= CACHE_SET_WAY_LEAST && s.apart > s.chain_apart; s.apart /= 2) {
		const int64_t gap = time_again(run, &s, s.blocks, &hit);

		if (gap >= TICKS && (!scale->gap || gap < scale->gap))
			scale->gap = (uint32_t)gap;
	}
	if (!scale->gap) {
		c->why = c->number ? "no distance of blocks makes them miss"
		                   : "a hit and a miss take the same time";
		return;
	}
	scale->runs = cache_set_runs(scale->gap);
	scale->most = (hit + scale->gap) / 1000 + (uint32_t)engine_tsc_error() + 1;
	if (!c->number)
		return;
	scale->near = levels[0].scale.gap;
	if (hit < near + TICKS)
		c->why = "hits of the two levels take the same time";
}

/* ---- Sizes ---- */

/* Are k blocks, so far apart, all there at the second time? */
static bool fits(const struct bench_run *run, struct cache_level *c, unsigned k, uintptr_t apart,
                 uintptr_t shift)
{
	struct cache_set s = c->set;

	cache_set_forget(run, &s); /* those of another distance */
	s.apart = apart;
	s.shift = shift;
	sequence.n = 2 * k;
	sequence.again = k;
	order(sequence.block, sequence.n, k);
	cache_set_measure(run, &s, &c->scale, &sequence);
	c->unclear |= sequence.all > 1 && sequence.all + 1 < CACHE_SET_REPEATS;
	return 2 * sequence.all >= CACHE_SET_REPEATS;
}

static unsigned find_ways(const struct bench_run *run, struct cache_level *c)
{
	unsigned low = 0, high = c->set.blocks; /* fit; do not, or nothing is said */

	while (high - low > 1) {
		const unsigned k = (low + high) / 2;

		if (fits(run, c, k, c->set.apart, 0))
			low = k;
		else
			high = k;
	}
	return low;
}

/* Do so many blocks fit, and no more, if block 0 is there? */
static bool is_same_at(const struct bench_run *run, struct cache_level *c, unsigned ways,
                       uint8_t *first)
{
	uint8_t *const usual = c->set.first;
	bool same;

	c->set.first = first;
	same = fits(run, c, ways, c->way, 0) && !fits(run, c, ways + 1, c->way, 0);
	c->set.first = usual;
	return same;
}

/* Something else that is used now and then takes a way of one set, and not of two. */
static bool is_same_beside(const struct bench_run *run, struct cache_level *c, unsigned ways)
{
	return c->way <= CACHE_LEVEL_SECOND_SET ||
	       is_same_at(run, c, ways, c->set.first + CACHE_LEVEL_SECOND_SET);
}

/*
 * Small pages lie anywhere, so that their blocks share a set only if the pages have no part in it.
 * Then the blocks of other pages fit, or do not, as these.
 */
static bool is_same_elsewhere(const struct bench_run *run, struct cache_level *c, unsigned ways)
{
	bool same = c->way <= SMALL_PAGE;

	for (unsigned i = 1; same && i <= ELSEWHERE; i++)
		same = is_same_at(run, c, ways, c->set.first + i * CACHE_SET_MOST * SMALL_PAGE);
	return same;
}

static void find_sizes(const struct bench_run *run, struct cache_level *c)
{
	const uintptr_t first = c->set.apart;
	const uintptr_t least = c->number ? 2 * c->set.chain_apart : CACHE_SET_WAY_LEAST;
	unsigned ways = find_ways(run, c);

	if (!ways || ways + MORE >= c->set.blocks) {
		c->why = "no number of blocks fits into a set";
		return;
	}
	while (c->set.apart >= least && !fits(run, c, ways + 1, c->set.apart / 2, 0))
		c->set.apart /= 2;
	if (c->set.apart < least || c->set.apart == first) {
		c->why = "no distance of blocks is that of a way";
		return;
	}
	c->way = c->set.apart;
	if (run->area.expanse_small && !is_same_elsewhere(run, c, ways)) {
		c->why = sets_small_pages;
		return;
	}
	if (!is_same_beside(run, c, ways)) {
		c->why = "two sets of the level differ";
		return;
	}
	for (c->line = LINE_LEAST; c->line <= CACHE_SET_LINE_MOST; c->line *= 2)
		if (fits(run, c, ways + 1, c->way, c->line))
			break;
	if (c->line > CACHE_SET_LINE_MOST)
		c->why = "no distance of blocks is that of a line";
	else
		c->ways = ways;
}

/* Blocks so far apart, or less where the memory is small. */
static bool find_memory(const struct bench_area *area, struct cache_level *c, uintptr_t apart,
                        unsigned attempt)
{
	for (; apart >= APART_LEAST; apart /= 2) {
		const uintptr_t start = (uintptr_t)area->expanse + apart - 1;
		uintptr_t size;

		c->set.first = (uint8_t *)(start - start % apart + cache_set_place(attempt));
		c->set.apart = apart;
		size = (uintptr_t)(c->set.first - area->expanse) + cache_set_size(&c->set);
		if (size + CACHE_LEVEL_SECOND_SET <= area->expanse_size)
			return true;
	}
	return false;
}

/* Blocks at most `apart` bytes apart. */
static void find_with(const struct bench_run *run, struct cache_level *c, uintptr_t apart,
                      unsigned attempt)
{
	c->why = NULL;
	c->unclear = false;
	c->scale.gap = 0;
	c->ways = 0;
	c->way = c->line = 0;
	if (!find_memory(&run->area, c, apart, attempt)) {
		c->why = "there is no piece of memory that is large enough";
		return;
	}
	find_times(run, c);
	if (!c->why)
		find_sizes(run, c);
}

/*
 * What the process or the machine uses now and then takes a way of one set, so another set is
 * looked at if the first one gives no clear answer.
 */
static void find(const struct bench_run *run, struct cache_level *c)
{
	const uintptr_t apart = c->number ? APART_L2 : APART_L1D;

	c->done = true;
	c->set.blocks = CACHE_SET_MOST;
	if (c->number && (!levels[0].ways || levels[0].unclear)) {
		c->why = "the first level is not known";
		return;
	}
	if (c->number && run->area.expanse_small) {
		c->why = sets_small_pages;
		return;
	}
	if (c->number) {
		c->set.chain = CHAIN * levels[0].ways;
		c->set.chain_apart = levels[0].way;
	}
	for (unsigned i = 0; i < CACHE_SET_ATTEMPTS; i++) {
		find_with(run, c, apart, i);
		if (!c->why && !c->unclear)
			return;
		if (!engine_tsc_error() && !c->unclear) /* it would fail again */
			break;
	}
	if (!c->number && c->why)
		find_with(run, c, APART_NEAR, 0);
}

struct cache_level *cache_level_of(const struct bench_run *run, unsigned number)
{
	if (found_in != run->number)
		memset(levels, 0, sizeof(levels));
	found_in = run->number;
	for (unsigned i = 0; i <= number; i++) {
		levels[i].number = i;
		if (!levels[i].done)
			find(run, &levels[i]);
	}
	return &levels[number];
}

bool cache_level_is_free(const struct bench_run *run, struct cache_level *c, uint8_t *first)
{
	const bool unclear = c->unclear;
	const bool free = is_same_at(run, c, c->ways, first);

	c->unclear = unclear; /* it is about the sizes */
	return free;
}

const char *cache_level_obstacle(const struct cpu *cpu, const struct bench_area *area)
{
	if (area->expanse_size < APART_LEAST * (CACHE_SET_MOST + 1))
		return "the arena is too small";
	if (!cpu_has(cpu, CPU_CLFSH) && (cpu_is_guest(cpu) || !platform_privileged()))
		return "nothing here empties the caches";
	return NULL;
}
