/*
 * bench/threads/company.c must find the samples of a guest during which another CPU may have stood
 * still. The times are made up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/threads/company.h"

/* A run of 900 ticks begins each 1000 ticks; before run `late` another CPU had this one's. */
static struct company_runs runs(uint32_t n, uint32_t late, uint64_t by)
{
	struct company_runs r = { 0 };
	uint64_t at = 0;

	for (uint32_t i = 0; i < n; i++, at += 1000) {
		at += i == late ? by : 0;
		company_note(&r, at, at + 900);
	}
	return r;
}

static void steady_company(void **state)
{
	const struct company_runs r = runs(10, 99, 0), many = runs(40, 99, 0);

	(void)state;
	assert_int_equal(company_lost(&r, 500, 3500), 0);
	assert_true(company_kept(&r, 0, 9900));
	assert_true(company_kept(&many, 8000, 39900));
	/* The first runs of many are forgotten: nothing is known of that time. */
	assert_int_equal(company_lost(&many, 7000, 9000), 1000);
	assert_false(company_kept(&many, 7000, 9000));
}

static void company_that_stood_still(void **state)
{
	const struct company_runs r = runs(10, 5, 5000);

	(void)state;
	assert_true(company_kept(&r, 0, 4000)); /* before that */
	assert_false(company_kept(&r, 3500, 4500));
	assert_int_equal(company_lost(&r, 6000, 7000), 1000);
	assert_int_equal(company_lost(&r, 0, 12000), 5000);
	assert_true(company_kept(&r, 10000, 13000)); /* after that */
}

/* A tenth of the sample is little. */
static void company_that_was_late(void **state)
{
	const struct company_runs r = runs(10, 5, 100), longer = runs(10, 5, 101);

	(void)state;
	assert_true(company_kept(&r, 4500, 5500));
	assert_false(company_kept(&longer, 4500, 5500));
}

static void company_that_is_not_there(void **state)
{
	const struct company_runs none = { 0 }, r = runs(10, 99, 0);

	(void)state;
	assert_int_equal(company_lost(&none, 100, 200), 100);
	assert_int_equal(company_lost(&r, 9900, 10900), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_company),
		cmocka_unit_test(company_that_stood_still),
		cmocka_unit_test(company_that_was_late),
		cmocka_unit_test(company_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
