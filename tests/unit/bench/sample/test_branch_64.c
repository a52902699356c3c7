/*
 * The branches before samples (bench/sample/branch_64.c): a record for each of the most frequent,
 * and one for the rest, which together have every branch of the code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bench/sample/internal.h"
#include "kernel/lib/log.h"

enum { START = 0x1000, BODY = 100, COPIES = 10, LOOP = 8 };

static const struct sample_code code = { START, BODY *COPIES, BODY, LOOP };
static const struct sample_who who = { "b", "e", "m", 1 };
static char text[16384];

static void keep(const char *line, size_t n)
{
	strncat(text, line, n);
}

static void took(size_t from, size_t to, bool missed, uint32_t clocks)
{
	struct pmu_branch b = { START + from, START + to, missed, clocks != 0, clocks };
	struct pmu_sample s = { .branches = &b, .nbranches = 1 };

	branch_profile->take(&s, &code);
}

static void begin(void)
{
	text[0] = 0;
	log_sink(keep);
	log_restart();
	branch_profile->begin();
}

static unsigned records(const char *of)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, of)); p++)
		n++;
	return n;
}

static bool says(const char *record)
{
	return strstr(text, record);
}

static void test_one_place(void **state)
{
	(void)state;
	begin();
	took(10, 20, false, 4);
	took(110, 520, true, 7); /* of other copies of the body */
	took(10, 20, true, 0);   /* without clocks */
	took(30, 1000, false, 0);
	took(1000 + LOOP - 1, 0, false, 0);
	took(1000 + LOOP, 0, false, 0); /* elsewhere */
	took(10, 1000 + LOOP, false, 0);
	took((size_t)-1, 20, false, 0);
	assert_int_equal(branch_profile->all(), 5);
	branch_profile->log(&who);
	assert_int_equal(records("branch "), 3);
	assert_true(says("branch bench=b event=e method=m from=10 to=20 count=3 share=60 missed=2 "
	                 "min=4 mean=5.5 max=7 "));
	assert_true(says("from=30 to=around count=1 share=20 missed=0 #"));
	assert_true(says("from=around to=0 count=1 share=20 missed=0 #"));
	assert_false(says("rest="));
	begin();
	assert_int_equal(branch_profile->all(), 0);
	branch_profile->log(&who);
	assert_int_equal(records("branch "), 0);
}

/* The most frequent first; those that have no record of their own are counted in the last. */
static void test_rest(void **state)
{
	unsigned all = 0;
	char rest[64];

	(void)state;
	begin();
	for (unsigned place = 0; place < SAMPLE_LINES; place++)
		for (unsigned i = 0; i <= place; i++, all++)
			took(place, 50, false, 0);
	branch_profile->log(&who);
	assert_int_equal(records("branch "), SAMPLE_LINES);
	assert_false(says("rest="));
	begin();
	all = 0;
	for (unsigned place = 0; place < 80; place++) /* more than have a count each */
		for (unsigned i = 0; i <= place; i++, all++)
			took(place, 50, false, 0);
	assert_int_equal(branch_profile->all(), all);
	branch_profile->log(&who);
	assert_int_equal(records("branch "), SAMPLE_LINES + 1);
	assert_ptr_equal(strstr(text, "from="), strstr(text, "from=63 to=50 count=64 "));
	assert_true(says("from=48 to=50 count=49 "));
	assert_false(says("from=47 to=50 "));
	snprintf(rest, sizeof(rest), "rest=1 count=%u ", all - (64 + 49) * 16 / 2);
	assert_true(says(rest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_place),
		cmocka_unit_test(test_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
