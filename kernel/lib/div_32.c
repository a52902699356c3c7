/*
 * 64-bit division for the 32-bit kernel: the functions that gcc and clang call for `/` and `%` on
 * i386, as their runtime libraries define them. Division by zero is a #DE, like DIV itself.
 */
#include <stdint.h>

uint64_t __udivmoddi4(uint64_t n, uint64_t d, uint64_t *rest);
int64_t __divmoddi4(int64_t n, int64_t d, int64_t *rest);
uint64_t __udivdi3(uint64_t n, uint64_t d);
uint64_t __umoddi3(uint64_t n, uint64_t d);
int64_t __divdi3(int64_t n, int64_t d);
int64_t __moddi3(int64_t n, int64_t d);

/* (high << 32 | low) / d for high < d: the quotient fits. */
static uint32_t div_64_by_32(uint32_t high, uint32_t low, uint32_t d, uint32_t *rest)
{
	uint32_t q;

	asm("divl %4" : "=a"(q), "=d"(*rest) : "0"(low), "1"(high), "rm"(d) : "cc");
	return q;
}

/* Long division in base 2^32 with a one-digit divisor. */
static uint64_t div_by_digit(uint64_t n, uint32_t d, uint64_t *rest)
{
	uint32_t high, low, r;

	high = div_64_by_32(0, (uint32_t)(n >> 32), d, &r);
	low = div_64_by_32(r, (uint32_t)n, d, &r);
	*rest = r;
	return (uint64_t)high << 32 | low;
}

/* d >= 2^32, so the quotient is below 2^32: at most 32 steps of shift and subtract. */
static uint64_t div_by_shifting(uint64_t n, uint64_t d, uint64_t *rest)
{
	unsigned shift = 0;
	uint64_t q = 0;

	while (d <= n && !(d >> 63)) {
		d <<= 1;
		shift++;
	}
	for (;; shift--, d >>= 1) {
		q <<= 1;
		if (n >= d) {
			n -= d;
			q |= 1;
		}
		if (!shift)
			break;
	}
	*rest = n;
	return q;
}

uint64_t __udivmoddi4(uint64_t n, uint64_t d, uint64_t *rest)
{
	uint64_t q, r;

	q = d >> 32 ? div_by_shifting(n, d, &r) : div_by_digit(n, (uint32_t)d, &r);
	if (rest)
		*rest = r;
	return q;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* The remainder has the sign of the dividend. */
int64_t __divmoddi4(int64_t n, int64_t d, int64_t *rest)
{
	uint64_t r, q = __udivmoddi4(magnitude(n), magnitude(d), &r);

	if (rest)
		*rest = (int64_t)(n < 0 ? -r : r);
	return (int64_t)((n < 0) != (d < 0) ? -q : q);
}

uint64_t __udivdi3(uint64_t n, uint64_t d)
{
	return __udivmoddi4(n, d, 0);
}

uint64_t __umoddi3(uint64_t n, uint64_t d)
{
	uint64_t r;

	__udivmoddi4(n, d, &r);
	return r;
}

int64_t __divdi3(int64_t n, int64_t d)
{
	return __divmoddi4(n, d, 0);
}

int64_t __moddi3(int64_t n, int64_t d)
{
	int64_t r;

	__divmoddi4(n, d, &r);
	return r;
}
