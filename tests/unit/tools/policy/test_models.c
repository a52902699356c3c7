/* The policies of cpl0-log on sequences worked out by hand; 1 is a hit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tools/policy/models.h"

static size_t number_of(const char *name)
{
	char text[MODEL_NAME];

	for (size_t i = 0; i < models_count(); i++) {
		model_name(i, text);
		if (!strcmp(text, name))
			return i;
	}
	fail_msg("no policy %s", name);
	return 0;
}

static void sequence(const char *name, unsigned ways, const char *letters, const char *hits)
{
	struct model_set s;

	model_empty(&s, number_of(name), ways);
	for (unsigned i = 0; letters[i]; i++)
		if (model_load(&s, letters[i] - 'A') != (hits[i] == '1'))
			fail_msg("%s: letter %u of %s", name, i + 1, letters);
}

static void test_sequences(void **state)
{
	(void)state;
	sequence("LRU", 4, "ABCDAEA", "0000101");
	sequence("FIFO", 4, "ABCDAEA", "0000100");
	sequence("PLRU", 4, "ABCDEABC", "00000000");
	sequence("PLRUl", 4, "ABCDEABC", "00000010");
	sequence("MRU", 4, "ABCDAEABCA", "0000101000");
	sequence("MRU_N", 4, "ABCDAEABCA", "0000101001");
	sequence("NRU", 4, "ABCDAEABCA", "0000100001");
	sequence("QLRU_H00_M2_R0_U0_UMO", 4, "ABCDAEABCA", "0000101001");
	sequence("QLRU_H11_M1_R1_U2", 4, "ABCDAEABCA", "0000101001");
	sequence("QLRU_H00_M1_R2_U1", 4, "ABCDEABC", "00000110");
	sequence("LRU_PLRU4", 8, "ABCDEFGHIJABCF", "00000000000101");
	sequence("NRU", 1, "AABBA", "01010");
	sequence("MRU", 1, "AABBA", "01010");
}

/* As many as nanoBench has without chance, and no name twice. */
static void test_names(void **state)
{
	char name[MODEL_NAME];

	(void)state;
	assert_int_equal(models_count(), 8 + 5 * 4 * 8 * 2);
	for (size_t i = 0; i < models_count(); i++) {
		model_name(i, name);
		assert_int_equal(number_of(name), i);
		assert_true(!model_alias(i) == !!strcmp(name, "QLRU_H00_M2_R0_U0_UMO"));
	}
}

static void test_ways(void **state)
{
	(void)state;
	assert_true(model_fits(number_of("PLRU"), 8));
	assert_false(model_fits(number_of("PLRU"), 12));
	assert_true(model_fits(number_of("LRU_PLRU4"), 12));
	assert_false(model_fits(number_of("LRU_PLRU4"), 10));
	assert_false(model_fits(number_of("LRU"), 0));
	assert_false(model_fits(number_of("LRU"), MODEL_WAYS + 1));
}

static void test_equal(void **state)
{
	(void)state;
	assert_true(models_equal(number_of("QLRU_H00_M2_R0_U0_UMO"),
	                         number_of("QLRU_H00_M2_R1_U1_UMO"), 8));
	assert_false(models_equal(number_of("LRU"), number_of("PLRU"), 8));
	assert_false(models_equal(number_of("PLRU"), number_of("PLRUl"), 8));
	assert_true(models_equal(number_of("LRU"), number_of("PLRU"), 2));
	assert_true(models_equal(number_of("LRU"), number_of("FIFO"), 1));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequences),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
