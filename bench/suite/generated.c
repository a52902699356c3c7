/*
 * Bodies made by a program (bench/suite/generated.h).
 */
#include "bench/suite/generated.h"
#include "kernel/string.h"

static uint8_t buffer[GENERATED_MAX];

void generated_base(struct bench *b, const char *what, const char *needs)
{
	memset(b, 0, sizeof(*b));
	b->what = what;
	b->needs = needs;
	b->widths = SNIPPET_32 | SNIPPET_64;
	b->init = b->body = buffer;
	b->ops = b->unroll = 1;
	b->loop = 1;
}

void generated_name(struct bench *b, const char *prefix, uintptr_t n, bool bytes)
{
	static const char units[] = "bkmg";
	size_t len = strlen(prefix);
	unsigned unit = 0, ndigits = 0;
	char digits[24];
	char *to;

	memcpy(b->name, prefix, len);
	to = b->name + len;
	*to++ = '.';
	for (; bytes && n && n % 1024 == 0; n /= 1024)
		unit++;
	do {
		digits[ndigits++] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	while (ndigits)
		*to++ = digits[--ndigits];
	if (bytes)
		*to++ = units[unit];
	*to = 0;
}

struct emit generated_start(void)
{
	return (struct emit){ .at = buffer, .end = buffer + sizeof(buffer) };
}

/* A body that does not fit stays empty: its instructions then read 0. */
void generated_end(struct bench *b, const struct emit *e)
{
	b->body_size = e->full ? 0 : (size_t)(e->at - buffer);
}

const uint8_t *generated_loop(struct emit *e, uint32_t rounds)
{
	emit_u8(e, 0xb9);
	emit_u32(e, rounds);
	return e->at;
}

void generated_loop_end(struct emit *e, const uint8_t *top)
{
	static const uint8_t dec_jnz[] = { 0xff, 0xc9, 0x0f, 0x85 };

	emit_bytes(e, dec_jnz, sizeof(dec_jnz));
	emit_u32(e, (uint32_t)(top - (e->at + 4)));
}

void generated_wide(struct emit *e)
{
	if (sizeof(void *) == 8)
		emit_u8(e, 0x48);
}
