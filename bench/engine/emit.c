/*
 * Emitting machine code: what is the same in both widths.
 */
#include "bench/engine/emit.h"
#include "kernel/lib/string.h"

void emit_bytes(struct emit *e, const void *bytes, size_t n)
{
	if (e->full || n > (size_t)(e->end - e->at)) {
		e->full = 1;
		return;
	}
	if (n) /* a body without code may have no address */
		memcpy(e->at, bytes, n);
	e->at += n;
}

void emit_u32(struct emit *e, uint32_t v)
{
	if (e->end - e->at < (ptrdiff_t)sizeof(v)) {
		e->full = 1;
		return;
	}
	__builtin_memcpy(e->at, &v, sizeof(v)); /* one store */
	e->at += sizeof(v);
}

void emit_push_imm(struct emit *e, uint32_t v)
{
	emit_u8(e, 0x68);
	emit_u32(e, v);
}
