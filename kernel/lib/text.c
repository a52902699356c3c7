/*
 * Text in a buffer of fixed size (kernel/lib/text.h).
 */
#include "kernel/lib/text.h"

struct text text_in(char *buffer, size_t size)
{
	buffer[0] = 0;
	return (struct text){ .p = buffer, .size = size };
}

void text_char(struct text *t, char c)
{
	if (t->n + 1 >= t->size) {
		t->cut = true;
		return;
	}
	t->p[t->n++] = c;
	t->p[t->n] = 0;
}

void text_put(struct text *t, const char *s, size_t n)
{
	while (n--)
		text_char(t, *s++);
}

void text_str(struct text *t, const char *s)
{
	while (*s)
		text_char(t, *s++);
}

void text_dec(struct text *t, uint64_t v)
{
	char digits[20];
	unsigned n = 0;

	do {
		digits[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while (n)
		text_char(t, digits[--n]);
}

/* Writes the sign of v and returns its magnitude, which the most negative number has too. */
static uint64_t sign(struct text *t, int64_t v)
{
	if (v >= 0)
		return (uint64_t)v;
	text_char(t, '-');
	return 0 - (uint64_t)v;
}

void text_int(struct text *t, int64_t v)
{
	text_dec(t, sign(t, v));
}

void text_hex(struct text *t, uint64_t v, unsigned digits)
{
	unsigned n = 16;

	while (n > digits && !(v >> 4 * (n - 1)))
		n--;
	while (n--)
		text_char(t, "0123456789abcdef"[v >> 4 * n & 15]);
}

void text_milli(struct text *t, int64_t thousandths, unsigned decimals)
{
	uint64_t v = sign(t, thousandths);
	unsigned rest = (unsigned)(v % 1000);

	text_dec(t, v / 1000);
	if (rest || decimals)
		text_char(t, '.');
	for (unsigned n = 0; rest || n < decimals; n++) {
		text_char(t, (char)('0' + rest / 100));
		rest = rest % 100 * 10;
	}
}

void text_pad(struct text *t, size_t width)
{
	while (t->n < width && !t->cut)
		text_char(t, ' ');
}
