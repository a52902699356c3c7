/*
 * bench/accesses.c must read each form of a sequence, and name what is wrong with any other text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/accesses.h"
#include "kernel/lib/log.h"

static char log_text[4096];

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

static void complain(const char *word, const char *why)
{
	log_error("argument", word, why);
}

static bool take(const char *words, struct args *args)
{
	static char line[1024];

	log_text[0] = '\0';
	log_sink(keep);
	strcpy(line, words);
	args_parse(args, line, complain);
	return accesses_init(args);
}

/* Letters and signs of the sequence, and the blocks' numbers. */
static void must_be(const char *words, const char *letters, const char *signs, const char *blocks)
{
	const struct accesses *a = accesses_given();
	struct args args;

	if (!take(words, &args))
		fail_msg("%s: %s", words, log_text);
	a = accesses_given();
	assert_false(args.lost);
	assert_string_equal(args.bench, "seq");
	assert_int_equal(a->n, strlen(letters));
	for (unsigned i = 0; i < a->n; i++) {
		assert_int_equal(a->access[i].letter, letters[i]);
		assert_int_equal(a->access[i].sign ? a->access[i].sign : '.', signs[i]);
		assert_int_equal(a->access[i].block, blocks[i] - '0');
	}
}

static void test_forms(void **state)
{
	(void)state;
	must_be("seq=\"A B C? D!\"", "ABCD", "..?!", "0123");
	must_be("\"seq=A B C? D!\"", "ABCD", "..?!", "0123");
	must_be("seq=A,B,C?,D!", "ABCD", "..?!", "0123");
	must_be("seq=ABC?D!", "ABCD", "..?!", "0123");
	must_be("seq=zAz?a!A?", "zAzaA", "..?!?", "01021");
	assert_int_equal(accesses_given()->blocks, 3);
}

static void test_where(void **state)
{
	const struct accesses *a;
	struct args args;

	(void)state;
	assert_true(take("seq=A?", &args));
	assert_int_equal(accesses_given()->level, 1);
	assert_int_equal(accesses_given()->ranges, 0);
	assert_true(take("seq=A? seq_level=2 seq_sets=0,0x5,64-80", &args));
	a = accesses_given();
	assert_int_equal(a->level, 2);
	assert_int_equal(a->ranges, 3);
	assert_true(a->range[0].first == 0 && a->range[0].last == 0);
	assert_true(a->range[1].first == 5 && a->range[1].last == 5);
	assert_true(a->range[2].first == 64 && a->range[2].last == 80);
	assert_true(take("seq=A? bench=alu.*", &args));
	assert_string_equal(args.bench, "alu.*");
	assert_false(take("bench=alu.*", &args));
	assert_null(accesses_given());
	assert_string_equal(log_text, "");
}

/* One error, which names the culprit; there is no sequence, and nothing else is measured. */
static void must_fail(const char *words, const char *what, const char *culprit, const char *why)
{
	char text[64] = "error what=";
	struct args args;
	const char *second;

	assert_false(take(words, &args));
	assert_null(accesses_given());
	assert_true(args.lost && !args.seq);
	strcat(text, what);
	strcat(text, *culprit ? " culprit=" : "");
	strcat(text, culprit);
	strcat(text, " ");
	second = strchr(log_text, '\n');
	if (!strstr(log_text, text) || !strstr(log_text, why) || !second || second[1])
		fail_msg("%s: no \"%s\" with \"%s\" in %s", words, text, why, log_text);
}

static void test_mistakes(void **state)
{
	(void)state;
	must_fail("seq=", "argument", "\"seq=\"", "allowed: blocks A to Z");
	must_fail("seq", "argument", "seq", "allowed: blocks A to Z");
	must_fail("seq=,,", "seq", ",,", "names no block");
	must_fail("seq=AB3?", "seq", "3?", "allowed: blocks");
	must_fail("seq=A-ABCDEFGHIJKLMNOP?", "seq", "-ABCDEFGHIJK...", "allowed: blocks");
	must_fail("seq=AB!", "seq", "AB!", "nothing is measured");
	must_fail("seq=A??", "seq", "?", "directly behind");
	must_fail("seq=A?!", "seq", "!", "directly behind");
	must_fail("seq=\"A ?\"", "seq", "?", "directly behind");
	must_fail("seq=A? seq_level=3", "seq_level", "3", "hash");
	must_fail("seq=A? seq_level=0", "seq_level", "0", "allowed: 1, 2");
	must_fail("seq=A? seq_level=12", "seq_level", "12", "allowed: 1, 2");
	must_fail("seq=A? seq_sets=5,x", "seq_sets", "x", "a set is a number");
	must_fail("seq=A? seq_sets=65536", "seq_sets", "65536", "a set is a number");
	must_fail("seq=A? seq_sets=5-", "seq_sets", "5-", "the last set is no number");
	must_fail("seq=A? seq_sets=5-4", "seq_sets", "5-4", "ends before");
	must_fail("seq=A? seq_sets=5;6", "seq_sets", ";6", "allowed: sets");
	must_fail("seq_sets=4", "seq_sets", "", "without seq=");
	must_fail("seq_level=1", "seq_level", "", "without seq=");
}

static void test_limits(void **state)
{
	char words[1024] = "seq=";
	struct args args;

	(void)state;
	for (unsigned i = 0; i < ACCESSES_MOST; i++)
		strcat(words, "A?");
	assert_true(take(words, &args));
	must_fail(strcat(words, "B"), "seq", "B", "at most 96");
	strcpy(words, "seq=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn?");
	assert_true(take(words, &args));
	assert_int_equal(accesses_given()->blocks, ACCESSES_BLOCKS);
	must_fail(strcat(words, "Ao"), "seq", "o", "at most 40");
	strcpy(words, "seq=A? seq_sets=0");
	for (unsigned i = 1; i < ACCESSES_RANGES; i++)
		strcat(words, ",1");
	assert_true(take(words, &args));
	must_fail(strcat(words, ",2"), "seq_sets", "2", "at most 16");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_where),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
