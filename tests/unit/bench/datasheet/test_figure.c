/*
 * bench/datasheet/figure.c: with another thread in the core a size is a lower bound, and says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bench/datasheet/figure.c"

static enum sibling now;
static unsigned looks;
static struct bench_run run;
static char log_text[1024];

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

enum sibling sibling_look(const struct bench_run *r)
{
	assert_ptr_equal(r, &run);
	looks++;
	return now;
}

static int fresh(void **state)
{
	(void)state;
	now = SIBLING_QUIET;
	looks = 0;
	run.number++;
	log_sink(keep);
	return 0;
}

/* The record of a sharp figure of 28 entries, which is half of 56. */
static void log_half(bool shared)
{
	const struct figure f = { .what = "store_queue",
		                  .value = 28,
		                  .low = 28,
		                  .high = 28,
		                  .verdict = "sharp",
		                  .shared = shared };

	log_text[0] = '\0';
	figure_log("datasheet.store_queue", &f);
}

static void assert_found(const char *text)
{
	if (!strstr(log_text, text))
		fail_msg("no \"%s\" in %s", text, log_text);
}

static void quiet(void **state)
{
	(void)state;
	figure_begin(&run);
	log_half(true);
	assert_found("value=28 low=28 high=28 unit=entries by=time verdict=sharp");
	assert_null(strstr(log_text, "why="));
	assert_int_equal(looks, 2);
}

static void unknown(void **state)
{
	(void)state;
	now = SIBLING_UNKNOWN;
	figure_begin(&run);
	log_half(true);
	assert_found("value=28 low=28 unit=entries by=time verdict=rough why=\"another thread");
}

static void busy(void **state)
{
	(void)state;
	now = SIBLING_BUSY;
	figure_begin(&run);
	log_half(true);
	assert_found("value=28 low=28 unit=entries by=time verdict=rough why=\"a busy thread");
}

/* The thread begins while the benchmark measures, or ends: what was measured may be a half. */
static void busy_for_a_while(void **state)
{
	(void)state;
	figure_begin(&run);
	now = SIBLING_BUSY;
	log_half(true);
	assert_found("verdict=rough why=\"a busy thread");
	now = SIBLING_UNKNOWN;
	figure_begin(&run);
	log_half(true);
	assert_found("verdict=rough why=\"a busy thread");
	now = SIBLING_QUIET;
	log_half(true);
	assert_found("verdict=rough");
	run.number++;
	figure_begin(&run);
	log_half(true);
	assert_found("verdict=sharp");
}

/* A line of a cache has its length whoever uses the cache. */
static void not_shared(void **state)
{
	(void)state;
	now = SIBLING_BUSY;
	figure_begin(&run);
	log_half(false);
	assert_found("value=28 low=28 high=28 unit=entries by=time verdict=sharp");
}

static void rough_has_no_bound(void **state)
{
	const struct figure f = { .what = "stlb.4K.entries",
		                  .value = 700,
		                  .low = 640,
		                  .high = 760,
		                  .verdict = "rough",
		                  .shared = true };

	(void)state;
	now = SIBLING_UNKNOWN;
	figure_begin(&run);
	log_text[0] = '\0';
	figure_log("datasheet.dtlb", &f);
	assert_found("value=700 low=640 unit=entries by=time verdict=rough why=");
}

/* What was not found keeps its own reason. */
static void none_stays(void **state)
{
	const struct figure f = { .what = "rob", .verdict = "none", .why = "x", .shared = true };

	(void)state;
	now = SIBLING_BUSY;
	figure_begin(&run);
	log_text[0] = '\0';
	figure_log("datasheet.rob", &f);
	assert_found("what=rob unit=entries by=time verdict=none why=x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(quiet, fresh),
		cmocka_unit_test_setup(unknown, fresh),
		cmocka_unit_test_setup(busy, fresh),
		cmocka_unit_test_setup(busy_for_a_while, fresh),
		cmocka_unit_test_setup(not_shared, fresh),
		cmocka_unit_test_setup(rough_has_no_bound, fresh),
		cmocka_unit_test_setup(none_stays, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
