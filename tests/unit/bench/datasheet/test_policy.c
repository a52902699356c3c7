/*
 * bench/datasheet/level.c, policy.c and cache_hits.c on caches made of a few numbers: what is found
 * must be their sizes, or none with a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/datasheet/level.c"

#include "bench/datasheet/policy.c"

#include "bench/datasheet/cache_hits.c"

#include "bench/datasheet/figure.c"

enum { MEMORY = 128 << 20, WAYS_MOST = 32, BLOCKS = 64 };

struct cache {
	uintptr_t ways, way, line; /* bytes */
	uint32_t hit;              /* thousandths of a tick */
};

static struct {
	struct cache cache[CACHE_LEVELS];
	uint32_t miss;    /* thousandths of a tick */
	unsigned taken;   /* ways that others take of the set */
	unsigned scatter; /* loads in a hundred that take as long as a miss */
	uintptr_t page;   /* the system's pages lie anywhere; 0: they are as they seem */
	uint64_t tsc_error;
} core;

static struct bench_run run;
static char log_text[4096];

uint64_t engine_tsc_error(void)
{
	return core.tsc_error;
}

enum sibling sibling_look(const struct bench_run *r)
{
	(void)r;
	return SIBLING_QUIET;
}

bool platform_privileged(void)
{
	return true;
}

const struct cpu_cache *cpu_data_cache(const struct cpu *c, unsigned level)
{
	(void)c;
	(void)level;
	return NULL;
}

uintptr_t cache_set_place(unsigned attempt)
{
	return 512 + 64 * attempt;
}

uintptr_t cache_set_size(const struct cache_set *s)
{
	return s->blocks * s->apart + (2 * s->chain + 1) * s->chain_apart + CACHE_SET_LINE_MOST;
}

void cache_set_forget(const struct bench_run *r, const struct cache_set *s)
{
	(void)r;
	(void)s;
}

bool cache_set_wbinvd(const struct bench_run *r)
{
	(void)r;
	return true;
}

static uint32_t any(void)
{
	static uint32_t x;

	x = x * 1664525 + 1013904223;
	return x >> 16;
}

/* Where the system has put the byte. */
static uintptr_t physical(uintptr_t at)
{
	uint32_t page = core.page ? (uint32_t)(at / core.page) : 0;

	if (!core.page)
		return at;
	page = (page ^ page >> 5) * 2654435761u;
	page = (page ^ page >> 15) * 2246822519u;
	return (page >> 12) * core.page + at % core.page;
}

/* Blocks of a sequence in the order of their last use, in a level. */
struct used {
	unsigned n;
	uint8_t block[BLOCKS];
};

/* Was the block there? It is the last that was used. */
static bool use(struct used *u, const struct cache *c, const uintptr_t *at, unsigned block,
                unsigned taken)
{
	const uintptr_t set = at[block] % c->way / c->line;
	unsigned since = taken, i;

	for (i = u->n; i && u->block[i - 1] != block; i--)
		since += at[u->block[i - 1]] % c->way / c->line == set;
	if (i) {
		memmove(u->block + i - 1, u->block + i, u->n - i);
		u->n--;
	}
	u->block[u->n++] = (uint8_t)block;
	return i && since < c->ways;
}

uint32_t cache_set_times(const struct bench_run *r, const struct cache_set *s, const uint8_t *block,
                         unsigned n, unsigned runs, uint32_t most, uint32_t *milli)
{
	struct used used[CACHE_LEVELS] = { { 0 } };
	uintptr_t at[BLOCKS];

	(void)r;
	(void)runs;
	for (unsigned i = 0; i < s->blocks; i++)
		at[i] = physical((uintptr_t)s->first + i * s->apart + (i & 1 ? s->shift : 0));
	for (unsigned i = 0; i < n; i++) {
		const bool first = use(&used[0], &core.cache[0], at, block[i], core.taken);
		const bool second = core.cache[1].ways &&
		                    use(&used[1], &core.cache[1], at, block[i], core.taken);

		milli[i] = second ? core.cache[1].hit : core.miss;
		if (first && !s->chain)
			milli[i] = core.cache[0].hit;
		if (core.scatter && any() % 100 < core.scatter)
			milli[i] = core.miss;
		milli[i] = milli[i] < most * 1000 ? milli[i] : most * 1000;
	}
	return s->chain && core.cache[1].ways ? core.cache[1].hit
	       : s->chain                     ? core.miss
	                                      : core.cache[0].hit;
}

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

/* The caches of a Skylake with 512 KiB in the second level. */
static int fresh(void **state)
{
	static struct cpu cpu;

	(void)state;
	memset(&core, 0, sizeof(core));
	core.cache[0] = (struct cache){ 8, 4096, 64, 34000 };
	core.cache[1] = (struct cache){ 8, 65536, 64, 44000 };
	core.miss = 200000;
	run.cpu = &cpu;
	run.number++;
	run.area = (struct bench_area){ .expanse = (uint8_t *)0x40000000, .expanse_size = MEMORY };
	log_sink(keep);
	return 0;
}

static void measure(unsigned level)
{
	const struct bench b = { .name = "datasheet.cache", .arg = { level } };

	log_text[0] = '\0';
	perform_size(&run, &b);
}

static void assert_found(const char *text)
{
	if (!strstr(log_text, text))
		fail_msg("no \"%s\" in %s", text, log_text);
}

static void sizes(void **state)
{
	(void)state;
	measure(0);
	assert_found("what=l1d.size value=32768 low=32768 high=32768 unit=bytes by=time "
	             "verdict=sharp");
	assert_found("what=l1d.ways value=8");
	assert_found("what=l1d.line value=64");
	measure(1);
	assert_found("what=l2.size value=524288 low=524288 high=524288 unit=bytes by=time "
	             "verdict=sharp");
	assert_found("what=l2.ways value=8");
	assert_found("what=l2.line value=64");
}

static void shapes(void **state)
{
	static const struct cache caches[] = { { 2, 4096, 32, 34000 },
		                               { 12, 4096, 64, 34000 },
		                               { 2, 32768, 64, 34000 },
		                               { 4, 2048, 128, 34000 },
		                               { 3, 8192, 16, 34000 } };

	(void)state;
	for (unsigned i = 0; i < sizeof(caches) / sizeof(*caches); i++) {
		char text[64];

		core.cache[0] = caches[i];
		run.number++;
		measure(0);
		assert_found("verdict=sharp");
		snprintf(text, sizeof(text), "what=l1d.size value=%lu ",
		         (unsigned long)(caches[i].ways * caches[i].way));
		assert_found(text);
		snprintf(text, sizeof(text), "what=l1d.ways value=%lu ",
		         (unsigned long)caches[i].ways);
		assert_found(text);
		snprintf(text, sizeof(text), "what=l1d.line value=%lu ",
		         (unsigned long)caches[i].line);
		assert_found(text);
	}
}

static void no_cache(void **state)
{
	(void)state;
	core.miss = core.cache[0].hit + TICKS - 1;
	core.cache[1].ways = 0;
	measure(0);
	assert_found("what=l1d.size unit=bytes by=time verdict=none why=\"a hit and a miss");
	measure(1);
	assert_found("what=l2.size unit=bytes by=time verdict=none why=\"the first level is");
}

static void no_second_level(void **state)
{
	(void)state;
	core.cache[1].ways = 0;
	measure(1);
	assert_found("what=l2.size unit=bytes by=time verdict=none why=\"no distance of blocks");
}

/* More blocks than are tried fit into a set. */
static void many_ways(void **state)
{
	(void)state;
	core.cache[0].ways = CACHE_SET_MOST - 1;
	core.cache[1].ways = 0;
	measure(0);
	assert_found("what=l1d.size unit=bytes by=time verdict=none");
	assert_null(strstr(log_text, "value="));
}

/* Some loads take as long as a miss: right, without an upper bound, or none. */
static void noisy(void **state)
{
	(void)state;
	core.tsc_error = 20;
	for (core.scatter = 1; core.scatter < 30; core.scatter++)
		for (unsigned i = 0; i < 10; i++) {
			run.number++;
			measure(0);
			if (strstr(log_text, "what=l1d.ways value=") &&
			    !strstr(log_text, "verdict=rough"))
				assert_found("what=l1d.ways value=8");
		}
}

/* Pages of 4 KiB lie anywhere: no distance of addresses is one of the second level. */
static void small_pages(void **state)
{
	(void)state;
	core.page = 4096;
	run.area.expanse_small = true;
	measure(0); /* a way is a page */
	assert_found("what=l1d.size value=32768 low=32768 high=32768");
	measure(1);
	assert_found("what=l2.size unit=bytes by=time verdict=none why=\"the system gives no");
	run.number++;
	core.cache[0].way = 8192;
	measure(0);
	if (strstr(log_text, "verdict=sharp"))
		fail_msg("%s", log_text);
	run.number++;
	core.page = 0; /* by chance they lie in order: they may not at another time */
	measure(0);
	assert_found("what=l1d.size unit=bytes by=time verdict=none");
}

static void little_memory(void **state)
{
	(void)state;
	run.area.expanse_size = 64 << 10;
	measure(0);
	assert_found("what=l1d.size unit=bytes by=time verdict=none why=\"there is no piece");
}

static void runs(void **state)
{
	(void)state;
	assert_int_equal(cache_set_runs(1000), 1);
	core.tsc_error = 21;
	assert_int_equal(cache_set_runs(0), RUNS_MOST);
	assert_int_equal(cache_set_runs(10), RUNS_MOST);
	assert_int_equal(cache_set_runs(21000), SURE * SURE + 1);
	assert_in_range(cache_set_runs(100000), 1, 3);
}

/* A mean in the middle of a hit and a miss: a hit in some runs, and a miss in others. */
static void halves(void **state)
{
	const struct cache_set s = { .first = run.area.expanse, .apart = 65536, .blocks = 2 };
	const struct cache_set_scale scale = { .runs = 2, .most = LATE, .gap = 10000 };
	struct cache_sequence q = { .n = 2, .block = { 0, 0 } };

	(void)state;
	core.miss = core.cache[0].hit + 5500;
	cache_set_measure(&run, &s, &scale, &q);
	assert_int_equal(q.repeats[0], CACHE_SET_REPEATS / 2);
	assert_int_equal(q.repeats[1], CACHE_SET_REPEATS);
	core.miss = core.cache[0].hit + 10000;
	cache_set_measure(&run, &s, &scale, &q);
	assert_int_equal(q.repeats[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(sizes, fresh),
		cmocka_unit_test_setup(shapes, fresh),
		cmocka_unit_test_setup(no_cache, fresh),
		cmocka_unit_test_setup(no_second_level, fresh),
		cmocka_unit_test_setup(many_ways, fresh),
		cmocka_unit_test_setup(noisy, fresh),
		cmocka_unit_test_setup(small_pages, fresh),
		cmocka_unit_test_setup(little_memory, fresh),
		cmocka_unit_test_setup(runs, fresh),
		cmocka_unit_test_setup(halves, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
