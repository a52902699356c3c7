/*
 * Bodies made by a program (bench/suite/generated.h).
 */
#include "bench/suite/generated.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

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
	struct text t = text_in(b->name, sizeof(b->name));
	unsigned unit = 0;

	for (; bytes && n && n % 1024 == 0; n /= 1024)
		unit++;
	text_str(&t, prefix);
	text_char(&t, '.');
	text_dec(&t, n);
	if (bytes)
		text_char(&t, "bkmg"[unit]);
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
