/*
 * kernel/lib/nearest.c must find the names that a misspelt word may have meant, nearest first, and
 * no others. The distances were counted by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/lib/nearest.h"

static const char *const names[] = { "alu.add_latency",
	                             "alu.adc_latency",
	                             "alu.add_throughput",
	                             "alu.mul_latency",
	                             "fp.add_latency",
	                             "list",
	                             "runs",
	                             "random",
	                             "cycles",
	                             "ref-cycles",
	                             "instructions",
	                             NULL };

/* What is appended for this word. */
static const char *found(const char *word)
{
	static char buffer[256];
	struct text t = text_in(buffer, sizeof(buffer));
	struct nearest s = nearest_to(word, strlen(word));

	for (unsigned i = 0; names[i]; i++)
		nearest_try(&s, names[i]);
	nearest_put(&s, &t);
	return buffer;
}

static void nearest_first(void **state)
{
	(void)state;
	/* Distances 1, 2 and 4; with fp. it is 4, too, but comes later. */
	assert_string_equal(found("alu.add_latancy"),
	                    "; nearest: alu.add_latency, alu.adc_latency, alu.mul_latency");
	assert_string_equal(found("instrutions"), "; nearest: instructions");
	assert_string_equal(found("INSTRUCTOINS"), "; nearest: instructions");
}

/* One insertion, omission, replacement, or swap is enough for a short word; two are too many. */
static void short_words(void **state)
{
	(void)state;
	assert_string_equal(found("rnus"), "; nearest: runs");
	assert_string_equal(found("run"), "; nearest: runs");
	assert_string_equal(found("lists"), "; nearest: list");
	assert_string_equal(found("rums"), "; nearest: runs");
	assert_string_equal(found("ruls"), "; nearest: runs");
	assert_string_equal(found("rmus"), "");
	assert_string_equal(found("x"), "");
	assert_string_equal(found(""), "");
}

static void nothing_near(void **state)
{
	(void)state;
	assert_string_equal(found("zzzzzzzzzzzz"), "");
	assert_string_equal(found("xlv.ad"), "");
	assert_string_equal(found("inztructionzzzz"), "");
	assert_string_equal(found("alu.add_latency.but.much.longer"), "");
}

/* The end of a name may be missing, where the word is long enough for two more letters. */
static void beginnings(void **state)
{
	(void)state;
	assert_string_equal(found("alu.mul"), "; nearest: alu.mul_latency");
	assert_string_equal(found("alu.mum_lat"), "; nearest: alu.mul_latency");
	assert_string_equal(found("alu."), "");
}

/* Letters of a glob may be wrong; what a star stands for may be as long as it likes. */
static void globs(void **state)
{
	(void)state;
	assert_string_equal(found("alo.*"),
	                    "; nearest: alu.add_latency, alu.adc_latency, alu.add_throughput");
	assert_string_equal(found("alo.*throughput"), "; nearest: alu.add_throughput");
	assert_string_equal(found("???_cycles"), "; nearest: ref-cycles");
}

/* Names that are too long for the buffers are no names, and no byte is written behind them. */
static void long_names(void **state)
{
	struct {
		struct nearest s;
		char guard[8];
	} room = { .guard = "guard" };
	char name[NEAREST_NAME + 2], word[NEAREST_NAME + 1];

	(void)state;
	memset(name, 'a', sizeof(name));
	memset(word, 'a', sizeof(word));
	name[NEAREST_NAME - 1] = 0;
	room.s = nearest_to(word, NEAREST_NAME - 1);
	nearest_try(&room.s, name);
	assert_int_equal(room.s.n, 1);
	assert_int_equal(room.s.distance[0], 0);
	nearest_try(&room.s, name); /* the same name again */
	assert_int_equal(room.s.n, 1);
	name[NEAREST_NAME - 1] = 'a';
	name[NEAREST_NAME] = 0;
	nearest_try(&room.s, name);
	assert_int_equal(room.s.n, 1);
	room.s = nearest_to(word, NEAREST_NAME);
	name[NEAREST_NAME - 1] = 0;
	nearest_try(&room.s, name);
	nearest_try(&room.s, "");
	assert_int_equal(room.s.n, 0);
	assert_string_equal(room.guard, "guard");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_first), cmocka_unit_test(short_words),
		cmocka_unit_test(nothing_near),  cmocka_unit_test(globs),
		cmocka_unit_test(long_names),    cmocka_unit_test(beginnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
