/* What cpl0-log policy answers to `sequence` records: those of seq= apart from the drawn ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/lib/alloc.h"
#include "tools/policy/answer.h"

enum { TEXT = 8192 };

static struct log log_;
static struct answer answers[ANSWERS];
static char text[TEXT];
static unsigned records;
static uint32_t check;

static void record(const char *body)
{
	char line[512];
	size_t n = (size_t)sprintf(line, "%s #%u", body, records++);

	check = crc32_more(check, line, n);
	sprintf(text + strlen(text), "%s:%08x\n", line, check);
}

static void sequence(const char *bench, unsigned level, unsigned set, unsigned agree,
                     const char *seq, const char *hits)
{
	char body[400];

	sprintf(body,
	        "sequence bench=%s level=%u set=%u ways=4 flush=wbinvd seq=\"%s\" hits=%s "
	        "repeats=8 agree=%u",
	        bench, level, set, seq, hits, agree);
	record(body);
}

static int begin(void **state)
{
	(void)state;
	text[0] = '\0';
	records = check = 0;
	record("cpl0 schema=2 version=0.3.0 bits=64 run_id=0x1");
	return 0;
}

static int end(void **state)
{
	(void)state;
	log_close(&log_);
	return 0;
}

static size_t answer_all(void)
{
	char *copy = allocate(strlen(text));

	memcpy(copy, text, strlen(text));
	log_read(&log_, "test", copy, strlen(text));
	assert_true(log_.nruns == 1);
	return answers_read(&log_, &log_.runs[0], answers);
}

static const char told_apart[] = "A B C D A? E A? B? C? D?";

static void test_policies(void **state)
{
	static const char *const hits[][2] = { { "11000", "LRU" },
		                               { "10000", "FIFO" },
		                               { "11010", "PLRU" } };

	for (unsigned i = 0; i < 3; i++) {
		begin(state);
		sequence("seq", 1, 9, 8, told_apart, hits[i][0]);
		assert_int_equal(answer_all(), 1);
		assert_true(answers[0].own && answers[0].fits >= 1);
		assert_string_equal(answers[0].what, "seq.l1d");
		if (strncmp(answers[0].text, hits[i][1], strlen(hits[i][1])) != 0)
			fail_msg("%s: %s", hits[i][1], answers[0].text);
		if (i < 2)
			end(state);
	}
}

/* An own sequence that no policy has spoils no answer but its own. */
static void test_apart(void **state)
{
	(void)state;
	sequence("datasheet.policy.l1d", 1, 9, 8, told_apart, "11010");
	sequence("seq", 1, 9, 8, "A A? B?", "01");
	assert_int_equal(answer_all(), 2);
	assert_string_equal(answers[0].what, "l1d.policy");
	assert_false(answers[0].own);
	assert_non_null(strstr(answers[0].text, "PLRU"));
	assert_int_equal(answers[0].sequences, 1);
	assert_true(answers[1].own && !answers[1].fits);
	assert_non_null(strstr(answers[1].text, "unknown"));
}

static void test_unclear(void **state)
{
	(void)state;
	sequence("seq", 1, 9, 7, told_apart, "110-0"); /* LRU misses it, and PLRU hits */
	sequence("seq", 2, 9, 4, told_apart, "110-0");
	assert_int_equal(answer_all(), 2);
	assert_int_equal(strncmp(answers[0].text, "LRU ", 4), 0);
	assert_non_null(strstr(answers[0].text, "PLRU"));
	assert_true(answers[1].random && !answers[1].fits);
	assert_non_null(strstr(answers[1].text, "not deterministic"));
}

static void test_flush(void **state)
{
	(void)state;
	sequence("seq", 1, 9, 8, "A B A! A? B? A?", "011");
	assert_int_equal(answer_all(), 1);
	assert_true(answers[0].fits > 1);
}

/* Sets with policies of their own. */
static void test_sets(void **state)
{
	(void)state;
	sequence("seq", 2, 9, 8, told_apart, "11000");
	sequence("seq", 2, 10, 8, told_apart, "10000");
	sequence("datasheet.policy.l2", 2, 11, 8, told_apart, "11010");
	assert_int_equal(answer_all(), 3);
	assert_false(answers[0].own || answers[0].of_set);
	assert_true(answers[1].of_set && answers[1].set == 9 && answers[1].own);
	assert_true(answers[2].of_set && answers[2].set == 10 && answers[2].own);
	assert_null(strstr(answers[2].text, "PLRU"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_policies, begin, end),
		cmocka_unit_test_setup_teardown(test_apart, begin, end),
		cmocka_unit_test_setup_teardown(test_unclear, begin, end),
		cmocka_unit_test_setup_teardown(test_flush, begin, end),
		cmocka_unit_test_setup_teardown(test_sets, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
