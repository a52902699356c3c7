/*
 * bench/datasheet/writes.c with the times of some caches: write-back, write-through, and cores that
 * do not wait for their stores. What is found must be true, or none with a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bench/datasheet/writes.c"

#include "bench/datasheet/figure.c"

enum sibling sibling_look(const struct bench_run *r)
{
	(void)r;
	return SIBLING_QUIET;
}

enum { MIB = 1 << 20 };

/* Thousandths of a tick of an access; `spread` on either side. */
static int64_t takes[WHERES], spread;
static uint32_t rounds_of[WHERES];
static bool flushes;
static char log_text[1024];

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

void platform_flush_caches(void)
{
}

bool platform_flush_bytes(const void *start, size_t size)
{
	(void)start;
	(void)size;
	return flushes;
}

static enum where where_of(const char *name)
{
	static const char *const names[WHERES] = { "cached", "cold", "far", "loaded" };

	for (enum where w = CACHED; w < WHERES; w++)
		if (strstr(name, names[w]))
			return w;
	fail_msg("no such accesses: %s", name);
	return WHERES;
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	const enum where w = where_of(b->name);
	const uint32_t rounds = w >= DISTANT ? rounds_far(&r->area) : NEAR;
	const int64_t n = (int64_t)rounds * LINES;

	(void)group;
	assert_true(b->body_size);
	flushed = flushes;
	rounds_of[w] = rounds;
	out->tsc_error = 0;
	out->q[0].low = (takes[w] - spread) * n / 1000;
	out->q[0].med = takes[w] * n / 1000;
	out->q[0].high = (takes[w] + spread) * n / 1000;
	return NULL;
}

/* Thousandths of a tick of a store to a cached, cold, far line, and of a load of a far line. */
static void measure(int64_t cached, int64_t cold, int64_t distant, int64_t loaded)
{
	static struct args args;
	static struct bench_run run = { .args = &args, .area.arena_size = 64 * MIB };
	const struct bench b = { .name = "datasheet.writes" };

	takes[CACHED] = cached;
	takes[COLD] = cold;
	takes[DISTANT] = distant;
	takes[LOADED] = loaded;
	log_text[0] = '\0';
	datasheet_writes(&run, &b);
}

static int fresh(void **state)
{
	(void)state;
	spread = 0;
	flushes = true;
	log_sink(keep);
	return 0;
}

static void assert_found(const char *text)
{
	if (!strstr(log_text, text))
		fail_msg("no \"%s\" in %s", text, log_text);
}

/* P54C: 1.5, 7.5 and 7.5 clocks on the simulator. */
static void goes_around(void **state)
{
	(void)state;
	measure(1537, 7500, 7500, 13000);
	assert_found("what=l1d.write_hit is=back unit=policy by=time verdict=sharp");
	assert_found("what=l1d.write_miss is=around unit=policy by=time verdict=sharp");
}

static void allocates(void **state)
{
	(void)state;
	measure(1000, 1000, 15000, 184000);
	assert_found("what=l1d.write_hit unit=policy by=time verdict=none why=\"stores bring");
	assert_found("what=l1d.write_miss is=allocate unit=policy by=time verdict=rough");
}

/* Each store waits until the next level has it, as long as a load of that level takes. */
static void goes_through(void **state)
{
	(void)state;
	measure(7500, 7500, 7500, 13000);
	assert_found("what=l1d.write_hit is=through unit=policy by=time verdict=rough");
	assert_found("what=l1d.write_miss unit=policy by=time verdict=none why=\"each store");
}

/* Zen 4: misses of stores that the second level answers overlap, so they take no longer. */
static void does_not_wait(void **state)
{
	(void)state;
	measure(500, 500, 500, 14000);
	assert_found("what=l1d.write_hit unit=policy by=time verdict=none why=\"stores do not");
	assert_found("what=l1d.write_miss unit=policy by=time verdict=none why=\"stores do not");
}

/* A cold line is slower in the middle, but not beyond the spread. */
static void scatters(void **state)
{
	(void)state;
	spread = 600;
	measure(2000, 3200, 8000, 20000);
	assert_found("what=l1d.write_hit unit=policy by=time verdict=none why=\"the times of");
	assert_found("what=l1d.write_miss unit=policy by=time verdict=none why=\"the times of");
}

static void no_time(void **state)
{
	(void)state;
	measure(0, 0, 0, 0);
	assert_found("what=l1d.write_hit unit=policy by=time verdict=none why=\"stores that hit");
}

static void never_empty(void **state)
{
	(void)state;
	flushes = false;
	measure(1000, 1000, 15000, 184000);
	assert_found("what=l1d.write_hit unit=policy by=time verdict=none why=\"nothing empties");
	assert_found("what=l1d.write_miss unit=policy by=time verdict=none why=\"nothing empties");
}

/* Far lines are more than a second level holds, as far as the arena reaches. */
static void stretches(void **state)
{
	const struct bench_area small = { .arena_size = MIB };

	(void)state;
	measure(1000, 1000, 15000, 184000);
	assert_int_equal(rounds_of[CACHED], NEAR);
	assert_int_equal(rounds_of[DISTANT] * ROUND, 8 * MIB);
	assert_int_equal(rounds_far(&small) * ROUND, MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(goes_around, fresh),
		cmocka_unit_test_setup(allocates, fresh),
		cmocka_unit_test_setup(goes_through, fresh),
		cmocka_unit_test_setup(does_not_wait, fresh),
		cmocka_unit_test_setup(scatters, fresh),
		cmocka_unit_test_setup(no_time, fresh),
		cmocka_unit_test_setup(never_empty, fresh),
		cmocka_unit_test_setup(stretches, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
