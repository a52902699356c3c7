/*
 * kernel/lib/div_32.c against the host's own 64-bit division, at all the edges and at random.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

uint64_t __udivmoddi4(uint64_t n, uint64_t d, uint64_t *rest);
int64_t __divmoddi4(int64_t n, int64_t d, int64_t *rest);
uint64_t __udivdi3(uint64_t n, uint64_t d);
uint64_t __umoddi3(uint64_t n, uint64_t d);
int64_t __divdi3(int64_t n, int64_t d);
int64_t __moddi3(int64_t n, int64_t d);

static void check(uint64_t n, uint64_t d)
{
	uint64_t rest;
	int64_t signed_rest;

	assert_int_equal(__udivmoddi4(n, d, &rest), n / d);
	assert_int_equal(rest, n % d);
	assert_int_equal(__udivdi3(n, d), n / d);
	assert_int_equal(__umoddi3(n, d), n % d);
	if ((int64_t)n == INT64_MIN && (int64_t)d == -1)
		return; /* the quotient does not fit: undefined in C */
	assert_int_equal(__divmoddi4((int64_t)n, (int64_t)d, &signed_rest),
	                 (int64_t)n / (int64_t)d);
	assert_int_equal(signed_rest, (int64_t)n % (int64_t)d);
	assert_int_equal(__divdi3((int64_t)n, (int64_t)d), (int64_t)n / (int64_t)d);
	assert_int_equal(__moddi3((int64_t)n, (int64_t)d), (int64_t)n % (int64_t)d);
}

static void edges(void **state)
{
	/* clang-format off */
	static const uint64_t v[] = {
		0, 1, 2, 3, 7, 10, 1000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
		0x100000001,
		0x1ffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
		0xfffffffeffffffff, 0xffffffff00000000, 0xfffffffffffffffe, 0xffffffffffffffff,
	};
	/* clang-format on */
	enum { N = sizeof(v) / sizeof(v[0]) };

	(void)state;
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 1; k < N; k++)
			check(v[i], v[k]);
}

/* Every combination of bit lengths; the numbers are those of a fixed xorshift sequence. */
static void lengths(void **state)
{
	uint64_t x = 88172645463325252ull;

	(void)state;
	for (unsigned a = 0; a < 64; a++) {
		for (unsigned b = 0; b < 64; b++) {
			uint64_t n, d;

			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			n = x >> a;
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			d = x >> b;
			check(n, d ? d : 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges),
		cmocka_unit_test(lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
