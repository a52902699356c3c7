/* Rings of jumps (bench/datasheet/jumps.h). */
#include "bench/datasheet/jumps.h"
#include "bench/suite/generated.h"

void jumps_write(uint8_t *at, bool first, uint32_t distance)
{
	static const uint8_t head[] = {
		0xff, 0xc9, /* DEC ECX */
		0x74, 0x05, /* JZ behind the jump */
	};
	struct emit e = { .at = at, .end = at + JUMPS_BYTES };

	if (first)
		emit_bytes(&e, head, sizeof(head));
	emit_u8(&e, 0xe9); /* JMP rel32 */
	emit_u32(&e, distance - (uint32_t)(e.at + 4 - at));
	if (first)
		emit_u8(&e, 0xc3); /* RET */
}

void jumps_call(struct bench *b, const void *first, uint32_t rounds)
{
	struct emit e = generated_start();

	emit_u8(&e, 0xb9); /* MOV ECX, rounds and the one that ends them */
	emit_u32(&e, rounds + 1);
	generated_wide(&e);
	emit_bytes(&e, "\x89\xf0", 2); /* MOV XAX, XSI */
	generated_wide(&e);
	emit_bytes(&e, "\x89\xf2", 2); /* MOV XDX, XSI */
	emit_bytes(&e, "\xff\xd6", 2); /* CALL XSI */
	generated_end(b, &e);
	b->set_mask |= 1u << REG_SI;
	b->set[REG_SI] = (uintptr_t)first;
}
