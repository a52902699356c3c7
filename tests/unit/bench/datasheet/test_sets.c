/*
 * bench/datasheet/sets.c with the times of structures made of a few numbers. What is found must be
 * their sizes, or bounds that hold them; nothing may be sharp and wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/datasheet/sets.c"

#include "bench/datasheet/figure.c"

enum { LEVELS = 3, MOST = 8192, BASE = 5000 };

/* Thousandths of a tick. */
static struct {
	struct {
		uint32_t ways, sets; /* 0 ways: no such level */
		int64_t miss;        /* more time of an element that is not there */
	} level[LEVELS];
	bool random;   /* any entry is replaced, so that rings become slow little by little */
	int64_t slope; /* more time for each element of the ring, without an end */
	int64_t noise; /* more time at most, in half of the rings */
	uint32_t room; /* longer rings cannot be made; 0: all can */
} core;

static struct sets sets;
static char log_text[1024];

uint64_t engine_tsc_error(void)
{
	return core.noise ? 20 : 0;
}

enum sibling sibling_look(const struct bench_run *r)
{
	(void)r;
	return SIBLING_QUIET;
}

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

/* Elements that find no place, in thousandths: of a set's oldest first all, at random a part. */
static int64_t missing(const struct sets_ring *r, uint32_t ways, uint32_t n_sets)
{
	static uint32_t of_set[MOST];
	const uint32_t n = r->groups * r->lines;
	uint32_t misses = 0;

	memset(of_set, 0, sizeof(of_set));
	for (uint32_t i = 0; i < n; i++)
		of_set[(i / r->lines * r->stride + i % r->lines) % n_sets]++;
	for (uint32_t i = 0; i < n_sets; i++)
		if (of_set[i] > ways)
			misses += core.random ? 2 * (of_set[i] - ways) < of_set[i]
			                                ? 2 * (of_set[i] - ways)
			                                : of_set[i]
			                      : of_set[i];
	return (int64_t)misses * 1000 / n;
}

static uint32_t any(void)
{
	static uint32_t x;

	x = x * 1664525 + 1013904223;
	return x >> 16;
}

static int64_t ring_time(struct sets *s, const struct sets_ring *r)
{
	const uint32_t n = r->groups * r->lines;
	int64_t t = BASE;

	if (n > s->most || (core.room && n > core.room))
		return 0;
	for (unsigned i = 0; i < LEVELS && core.level[i].ways; i++)
		t += core.level[i].miss * missing(r, core.level[i].ways, core.level[i].sets) / 1000;
	t += core.slope * n;
	if (core.noise && any() % 2)
		t += any() % core.noise;
	return t;
}

static void set_level(unsigned i, uint32_t ways, uint32_t n_sets, int64_t miss)
{
	core.level[i].ways = ways;
	core.level[i].sets = n_sets;
	core.level[i].miss = miss;
}

/* A TLB of 64 entries in 4 ways, and a second level of 1536 in 6 ways. */
static int fresh(void **state)
{
	(void)state;
	memset(&core, 0, sizeof(core));
	set_level(0, 4, 16, 7000);
	set_level(1, 6, 256, 20000);
	sets = (struct sets){ .time = ring_time, .most = MOST };
	log_sink(keep);
	return 0;
}

static void log_level(const struct sets_level *c)
{
	const struct bench b = { .name = "datasheet.x" };

	log_text[0] = '\0';
	sets_log(&b, &sets, c, "x.entries", "x.ways", NULL);
}

static void assert_found(const char *text)
{
	if (!strstr(log_text, text))
		fail_msg("no \"%s\" in %s", text, log_text);
}

static void assert_sharp(const struct sets_level *c, uint32_t ways, uint32_t n_sets)
{
	assert_true(c->sharp);
	assert_int_equal(c->ways, ways);
	assert_int_equal(c->sets, n_sets);
}

/* The entries lie between the bounds that are logged. */
static void assert_holds(const struct sets_level *c, uint32_t entries)
{
	assert_int_not_equal(c->fits, 0);
	assert_false(c->sharp);
	assert_in_range(entries, c->fits, c->most ? c->most : UINT32_MAX);
}

static void clean(void **state)
{
	struct sets_level first, second;

	(void)state;
	first = sets_find(&sets, NULL);
	assert_sharp(&first, 4, 16);
	second = sets_find(&sets, &first);
	assert_sharp(&second, 6, 256);
	log_level(&second);
	assert_found("what=x.entries value=1536 low=1536 high=1536 unit=entries by=time "
	             "verdict=sharp");
	assert_found("what=x.ways value=6 low=6 high=6 unit=ways by=time verdict=sharp");
}

/* One set; a number of sets with an odd factor; a level twice as large as the one before. */
static void shapes(void **state)
{
	static const struct {
		uint32_t ways, sets;
	} shapes[] = { { 64, 1 }, { 7, 1 }, { 4, 12 }, { 3, 10 }, { 2, 64 }, { 16, 8 } };
	struct sets_level c;

	(void)state;
	for (unsigned i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		set_level(0, shapes[i].ways, shapes[i].sets, 7000);
		core.level[1].ways = 0;
		c = sets_find(&sets, NULL);
		assert_sharp(&c, shapes[i].ways, shapes[i].sets);
	}
	fresh(NULL);
	set_level(1, 4, 32, 7000);
	c = sets_find(&sets, NULL);
	assert_sharp(&c, 4, 16);
}

static void no_step_at_all(void **state)
{
	struct sets_level c, next;

	(void)state;
	core.level[0].ways = 0;
	c = sets_find(&sets, NULL);
	assert_int_equal(c.fits, 0);
	log_level(&c);
	assert_found("what=x.entries unit=entries by=time verdict=none why=\"no ring was slower");
	assert_found("what=x.ways unit=ways by=time verdict=none why=\"no ring was slower");
	next = sets_find(&sets, &c);
	assert_int_equal(next.fits, 0);
}

/* Noise of half a step, whose searches differ: right, rough with bounds that hold, or none. */
static void noisy(void **state)
{
	(void)state;
	core.noise = 3500;
	for (unsigned i = 0; i < 100; i++) {
		const struct sets_level c = sets_find(&sets, NULL);

		if (c.sharp)
			assert_sharp(&c, 4, 16);
	}
	core.noise = 300;
	for (unsigned i = 0; i < 20; i++) {
		const struct sets_level c = sets_find(&sets, NULL);

		assert_sharp(&c, 4, 16);
	}
}

static void noisy_without_steps(void **state)
{
	unsigned found = 0;

	(void)state;
	core.level[0].ways = 0;
	core.noise = 3000;
	for (unsigned i = 0; i < 100; i++) {
		const struct sets_level c = sets_find(&sets, NULL);

		assert_false(c.sharp);
		found += c.fits != 0 && !c.unclear;
	}
	assert_in_range(found, 0, 10);
}

/* Any entry is replaced: a plateau, then rings that become slow little by little. */
static void little_by_little(void **state)
{
	struct sets_level c;

	(void)state;
	core.random = true;
	core.level[1].ways = 0;
	c = sets_find(&sets, NULL);
	assert_holds(&c, 64);
	log_level(&c);
	assert_found("verdict=rough");
	assert_found("what=x.ways unit=ways by=time verdict=none why=\"no stride shows");
}

/*
 * Behind the second level there is a third step, larger: the tables leave a cache. Without ways of
 * the second level the bounds hold it.
 */
static void late_step(void **state)
{
	struct sets_level first, second;

	(void)state;
	core.random = true;
	set_level(0, 64, 1, 7000);
	set_level(1, 512, 1, 8000);
	set_level(2, 4096, 1, 30000);
	first = sets_find(&sets, NULL);
	assert_holds(&first, 64);
	second = sets_find(&sets, &first);
	assert_holds(&second, 512);
	assert_in_range(second.eighth, 512, 600);
	log_level(&second);
	assert_found("verdict=rough");
}

/* A later step that is larger does not hide the ways of the second level either. */
static void late_step_sharp(void **state)
{
	struct sets_level first, second;

	(void)state;
	set_level(1, 8, 64, 8000);
	set_level(2, 8, 512, 60000);
	first = sets_find(&sets, NULL);
	second = sets_find(&sets, &first);
	assert_sharp(&second, 8, 64);
}

/* A faint step in front of the second level is one of caches, perhaps: the bounds hold both. */
static void faint_step(void **state)
{
	struct sets_level first, second;

	(void)state;
	core.random = true;
	set_level(0, 64, 1, 2000);
	set_level(1, 256, 1, 3500);
	set_level(2, 2048, 1, 60000);
	first = sets_find(&sets, NULL);
	second = sets_find(&sets, &first);
	assert_holds(&second, 256);
	assert_holds(&second, 2048);
	assert_in_range(second.eighth, 2048, 2300);
}

/* Time that grows and grows shows no size: there is no upper bound. */
static void endless_slope(void **state)
{
	struct sets_level c;

	(void)state;
	core.level[0].ways = 0;
	core.slope = 50;
	c = sets_find(&sets, NULL);
	assert_false(c.sharp);
	log_level(&c);
	assert_null(strstr(log_text, "high="));
	core.room = 1000; /* longer rings cannot be made */
	c = sets_find(&sets, NULL);
	assert_false(c.sharp);
	log_level(&c);
	assert_null(strstr(log_text, "high="));
}

/* All that rings can be long is too little for a step. */
static void flat_slope(void **state)
{
	struct sets_level c;

	(void)state;
	core.level[0].ways = 0;
	core.slope = 50;
	sets.most = 32;
	c = sets_find(&sets, NULL);
	assert_int_equal(c.fits, 0);
}

static void reason(void **state)
{
	struct sets_level c;

	(void)state;
	sets.why = "no memory";
	c = sets_find(&sets, NULL);
	log_level(&c);
	assert_found("what=x.entries unit=entries by=time verdict=none why=\"no memory\"");
	assert_null(strstr(log_text, "value="));
}

/* A ring visits each of its elements once. */
static void order(void **state)
{
	(void)state;
	for (uint32_t n = 1; n < 300; n++) {
		bool seen[300] = { false };
		uint32_t at = 0;

		for (uint32_t i = 0; i < n; i++) {
			assert_false(seen[at]);
			seen[at] = true;
			at = sets_next(at, n);
		}
		assert_int_equal(at, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(clean, fresh),
		cmocka_unit_test_setup(shapes, fresh),
		cmocka_unit_test_setup(no_step_at_all, fresh),
		cmocka_unit_test_setup(noisy, fresh),
		cmocka_unit_test_setup(noisy_without_steps, fresh),
		cmocka_unit_test_setup(little_by_little, fresh),
		cmocka_unit_test_setup(late_step, fresh),
		cmocka_unit_test_setup(late_step_sharp, fresh),
		cmocka_unit_test_setup(faint_step, fresh),
		cmocka_unit_test_setup(endless_slope, fresh),
		cmocka_unit_test_setup(flat_slope, fresh),
		cmocka_unit_test_setup(reason, fresh),
		cmocka_unit_test_setup(order, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
