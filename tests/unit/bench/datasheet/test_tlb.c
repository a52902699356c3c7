/*
 * bench/datasheet/tlb.c with the times of TLBs made of a few numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bench/datasheet/tlb.c"

#include "bench/datasheet/sets.c"

#include "bench/datasheet/figure.c"

enum { ARENA = 2 << 20, HIT = 4000, CACHED = 512, MOST_PAGES = 16384 };

struct level {
	uint32_t ways, sets; /* 0 ways: there is none */
	int64_t miss;        /* thousandths of a tick */
};

static struct {
	struct level small[2], large, code, code_large;
	int64_t line;    /* more time of each of more than CACHED lines, whatever its page */
	uint32_t tables; /* pages that can be mapped; 0: all */
	int64_t noise;
} core;

static uint8_t arena[ARENA] __attribute__((aligned(4096)));
static struct bench_run run;
static const char *obstacle;
static uint32_t mapped;
static char log_text[4096];

uint64_t engine_tsc_error(void)
{
	return core.noise ? 20 : 0;
}

enum sibling sibling_look(const struct bench_run *r)
{
	(void)r;
	return SIBLING_QUIET;
}

struct pages pages_begin(const struct bench_area *area)
{
	(void)area;
	mapped = 0;
	return (struct pages){ 0 };
}

bool pages_map(struct pages *p, uintptr_t linear, uintptr_t physical, unsigned shift)
{
	(void)p;
	assert_int_equal(linear & (((uintptr_t)1 << shift) - 1),
	                 physical & (((uintptr_t)1 << shift) - 1));
	return !core.tables || ++mapped <= core.tables;
}

void pages_end(void)
{
}

void pages_enter(struct bench *b, const struct bench_area *area)
{
	(void)b;
	(void)area;
}

const char *pages_obstacle(unsigned shift)
{
	return shift > PAGING_SMALL ? obstacle : NULL;
}

/* More time of all elements of the ring. */
static int64_t misses_time(const struct level *l)
{
	static uint32_t of_set[MOST_PAGES];
	const struct sets_ring *r = &made.ring;
	const uint32_t n = r->groups * r->lines;
	int64_t t = 0;

	if (!l->ways)
		return 0;
	memset(of_set, 0, sizeof(of_set));
	for (uint32_t i = 0; i < n; i++)
		of_set[(i / r->lines * r->stride + i % r->lines) % l->sets]++;
	for (uint32_t i = 0; i < l->sets; i++)
		if (of_set[i] > l->ways)
			t += of_set[i] * l->miss;
	return t;
}

static int64_t pages_time(void)
{
	if (made.code)
		return misses_time(made.shift > PAGING_SMALL ? &core.code_large : &core.code);
	if (made.shift > PAGING_SMALL)
		return misses_time(&core.large);
	return misses_time(&core.small[0]) + misses_time(&core.small[1]);
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	static uint32_t x;
	const uint32_t n = made.ring.groups * made.ring.lines;
	const uint32_t least = made.code ? JUMPS_LEAST : VISITS_LEAST;
	const uint32_t visits = ROUNDS * n < least ? least : ROUNDS * n;
	const uint32_t each = made.code ? n : COPIES, rounds = visits / each + 1;
	int64_t ring = (int64_t)n * (HIT + (n > CACHED ? core.line : 0));

	(void)group;
	b->setup(b, &r->area);
	if (made.paged)
		ring += pages_time();
	x = x * 1664525 + 1013904223;
	ring += core.noise ? (int64_t)(x >> 16) % core.noise * n : 0;
	out->q[0].med = ring * rounds * each / n / 1000;
	return NULL;
}

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

/* The sizes of a Skylake on the simulator. */
static int fresh(void **state)
{
	(void)state;
	memset(&core, 0, sizeof(core));
	core.small[0] = (struct level){ 4, 16, 7000 };
	core.small[1] = (struct level){ 6, 256, 20000 };
	core.large = (struct level){ 4, 8, 7000 };
	core.code = (struct level){ 8, 16, 8000 };
	core.code_large = (struct level){ 8, 1, 8000 };
	run.area = (struct bench_area){ .arena = arena, .arena_size = ARENA };
	obstacle = NULL;
	log_text[0] = '\0';
	log_sink(keep);
	return 0;
}

static void measure(void (*perform)(struct bench_run *r, const struct bench *b))
{
	const struct bench b = { .name = "datasheet.tlb" };

	log_text[0] = '\0';
	perform(&run, &b);
}

static void assert_found(const char *text)
{
	if (!strstr(log_text, text))
		fail_msg("no \"%s\" in %s", text, log_text);
}

static void assert_skylake(void)
{
	assert_found("what=dtlb.4K.entries value=64 low=64 high=64 unit=entries by=time "
	             "verdict=sharp");
	assert_found("what=dtlb.4K.ways value=4");
	assert_found("what=stlb.4K.entries value=1536 low=1536 high=1536 unit=entries by=time "
	             "verdict=sharp");
	assert_found("what=stlb.4K.ways value=6");
	assert_found("what=dtlb.2M.entries value=32 low=32 high=32");
	assert_found("what=dtlb.2M.ways value=4");
}

static void sizes(void **state)
{
	(void)state;
	measure(datasheet_dtlb);
	assert_skylake();
	measure(datasheet_itlb);
	assert_found("what=itlb.4K.entries value=128 low=128 high=128 unit=entries by=time "
	             "verdict=sharp");
	assert_found("what=itlb.4K.ways value=8");
	assert_found("what=itlb.2M.entries value=8 low=8 high=8 unit=entries by=time "
	             "verdict=sharp");
}

/* What a line costs by any page is no part of the time of the pages. */
static void slow_lines(void **state)
{
	(void)state;
	core.line = 30000;
	measure(datasheet_dtlb);
	assert_skylake();
}

static void no_second_level(void **state)
{
	(void)state;
	core.small[1].ways = 0;
	measure(datasheet_dtlb);
	assert_found("what=dtlb.4K.entries value=64");
	assert_found("what=stlb.4K.entries unit=entries by=time verdict=none why=\"no ring");
}

static void no_large_pages(void **state)
{
	(void)state;
	obstacle = "none here";
	measure(datasheet_dtlb);
	assert_found("what=stlb.4K.entries value=1536");
	assert_found("what=dtlb.2M.entries unit=entries by=time verdict=none why=\"none here\"");
	assert_found("what=dtlb.2M.ways unit=ways by=time verdict=none why=\"none here\"");
}

/* The ring without pages has small ones in truth: the second level is not sure. */
static void small_arena(void **state)
{
	(void)state;
	run.area.arena_small = true;
	measure(datasheet_dtlb);
	assert_found("what=dtlb.4K.entries value=64 low=64 high=64 unit=entries by=time "
	             "verdict=sharp");
	assert_found("what=stlb.4K.entries value=1536 low=1024 high=2048 unit=entries by=time "
	             "verdict=rough why=\"the system gives no memory in pages");
	assert_found("what=stlb.4K.ways unit=ways by=time verdict=none why=\"the system gives");
}

/* The system maps no more than so many pages: the second level is beyond. */
static void tables_end(void **state)
{
	(void)state;
	core.tables = 500;
	measure(datasheet_dtlb);
	assert_found("what=dtlb.4K.entries value=64 low=64 high=64 unit=entries by=time "
	             "verdict=sharp");
	assert_found("what=stlb.4K.entries unit=entries by=time verdict=none");
}

static void noisy(void **state)
{
	(void)state;
	core.noise = 3500; /* half of the first step */
	for (unsigned i = 0; i < 20; i++) {
		measure(datasheet_dtlb);
		if (strstr(log_text, "what=dtlb.4K.ways value="))
			assert_found("what=dtlb.4K.entries value=64 low=64 high=64");
		if (strstr(log_text, "what=stlb.4K.ways value="))
			assert_found("what=stlb.4K.entries value=1536 low=1536 high=1536");
	}
}

/* A ring has room where its tables have, and a jump reaches it. */
static void room(void **state)
{
	struct sets_ring r = { 8192, 1, 1, 0 };

	(void)state;
	assert_true(has_room(&r, PAGING_SMALL, false));
	assert_true(has_room(&r, PAGING_SMALL, true));
	assert_false(has_room(&r, PAGING_LARGE, true));
	r.stride = PAGING_ENTRIES;
	assert_false(has_room(&r, PAGING_SMALL, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(sizes, fresh),
		cmocka_unit_test_setup(slow_lines, fresh),
		cmocka_unit_test_setup(no_second_level, fresh),
		cmocka_unit_test_setup(no_large_pages, fresh),
		cmocka_unit_test_setup(small_arena, fresh),
		cmocka_unit_test_setup(tables_end, fresh),
		cmocka_unit_test_setup(noisy, fresh),
		cmocka_unit_test_setup(room, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
