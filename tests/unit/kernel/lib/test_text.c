/*
 * kernel/lib/text.c: every number as the log has it, and nothing behind the end of the buffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/lib/text.h"

static char buffer[64];

static struct text fresh(void)
{
	return text_in(buffer, sizeof(buffer));
}

static void test_decimal(void **state)
{
	struct text t = fresh();

	(void)state;
	text_dec(&t, 0);
	text_char(&t, ' ');
	text_dec(&t, 10);
	text_char(&t, ' ');
	text_dec(&t, UINT64_MAX);
	assert_string_equal(buffer, "0 10 18446744073709551615");
	t = fresh();
	text_int(&t, 7);
	text_int(&t, -7);
	text_int(&t, INT64_MIN);
	assert_string_equal(buffer, "7-7-9223372036854775808");
	assert_false(t.cut);
}

static void test_hex(void **state)
{
	struct text t = fresh();

	(void)state;
	text_hex(&t, 0, 1);
	text_char(&t, ' ');
	text_hex(&t, 0xabc, 1);
	text_char(&t, ' ');
	text_hex(&t, 0xabc, 4);
	text_char(&t, ' ');
	text_hex(&t, UINT64_MAX, 2);
	assert_string_equal(buffer, "0 abc 0abc ffffffffffffffff");
}

static void test_milli(void **state)
{
	static const struct {
		int64_t v;
		const char *shortest, *three;
	} rows[] = {
		{ 0, "0", "0.000" },
		{ 1000, "1", "1.000" },
		{ 1, "0.001", "0.001" },
		{ 1500, "1.5", "1.500" },
		{ 1050, "1.05", "1.050" },
		{ -250, "-0.25", "-0.250" },
		{ INT64_MIN, "-9223372036854775.808", "-9223372036854775.808" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text t = fresh();

		text_milli(&t, rows[i].v, 0);
		assert_string_equal(buffer, rows[i].shortest);
		t = fresh();
		text_milli(&t, rows[i].v, 3);
		assert_string_equal(buffer, rows[i].three);
	}
}

static void test_pad(void **state)
{
	struct text t = fresh();

	(void)state;
	text_str(&t, "ab");
	text_pad(&t, 5);
	text_put(&t, "cdefg", 2);
	text_pad(&t, 3);
	assert_string_equal(buffer, "ab   cd");
}

/*
 * A buffer of n bytes holds n - 1, whatever comes; the address sanitizer watches the byte behind.
 */
static void test_full(void **state)
{
	(void)state;
	for (size_t size = 1; size < 12; size++) {
		char *small = malloc(size);
		struct text t = text_in(small, size);

		text_str(&t, "abc");
		assert_int_equal(t.cut, size < 4);
		text_dec(&t, 1234567);
		text_pad(&t, 100);
		assert_true(t.cut);
		assert_int_equal(t.n, size - 1);
		assert_int_equal(strlen(small), size - 1);
		assert_memory_equal(small, "abc1234567 ", size - 1);
		free(small);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimal), cmocka_unit_test(test_hex),
		cmocka_unit_test(test_milli),   cmocka_unit_test(test_pad),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
