/*
 * One instruction as bytes.
 */
#include "bench/instr/encode.h"

static bool high(uint8_t reg)
{
	return reg & 8;
}

static size_t encode_legacy(uint8_t *to, const struct instr_code *c)
{
	static const uint8_t escape[] = { 0, 0, 0x38, 0x3a };
	uint8_t rex = (uint8_t)(c->wide << 3 | high(c->reg) << 2 | high(c->rm));
	size_t n = 0;

	if (c->lock)
		to[n++] = 0xf0;
	if (c->size16)
		to[n++] = 0x66;
	if (c->prefix)
		to[n++] = c->prefix;
	if (rex)
		to[n++] = 0x40 | rex;
	if (c->map)
		to[n++] = 0x0f;
	if (escape[c->map])
		to[n++] = escape[c->map];
	return n;
}

static uint8_t prefix_code(uint8_t prefix)
{
	return prefix == 0x66 ? 1 : prefix == 0xf3 ? 2 : prefix == 0xf2 ? 3 : 0;
}

/* The register fields of VEX and EVEX are inverted. */
static size_t encode_vex(uint8_t *to, const struct instr_code *c)
{
	uint8_t low = (uint8_t)((~c->vvvv & 15) << 3 | c->length << 2 | prefix_code(c->prefix));

	/* XOP has a first byte of its own and is the same otherwise */
	if (c->map == 1 && !c->wide && !high(c->rm)) {
		to[0] = 0xc5;
		to[1] = (uint8_t)(!high(c->reg) << 7 | low);
		return 2;
	}
	to[0] = c->map >= 8 ? 0x8f : 0xc4;
	to[1] = (uint8_t)(!high(c->reg) << 7 | 0x40 | !high(c->rm) << 5 | c->map);
	to[2] = (uint8_t)(c->wide << 7 | low);
	return 3;
}

static size_t encode_evex(uint8_t *to, const struct instr_code *c)
{
	to[0] = 0x62;
	to[1] = (uint8_t)(!high(c->reg) << 7 | 0x40 | !high(c->rm) << 5 | 0x10 | c->map);
	to[2] = (uint8_t)(c->wide << 7 | (~c->vvvv & 15) << 3 | 4 | prefix_code(c->prefix));
	to[3] = (uint8_t)(c->length << 5 | 8 | c->mask);
	return 4;
}

size_t instr_encode(uint8_t *to, const struct instr_code *c)
{
	size_t n = c->scheme == INSTR_LEGACY ? encode_legacy(to, c)
	           : c->scheme == INSTR_VEX  ? encode_vex(to, c)
	                                     : encode_evex(to, c);

	to[n++] = c->modrm ? c->opcode : (uint8_t)(c->opcode + (c->rm & 7));
	if (c->modrm)
		to[n++] = (uint8_t)((c->memory ? c->disp ? 0x40 : 0 : 0xc0) | (c->reg & 7) << 3 |
		                    (c->rm & 7));
	if (c->memory && c->disp)
		to[n++] = (uint8_t)c->disp;
	for (uint8_t i = 0; i < c->nimm; i++)
		to[n++] = c->imm[i];
	return n;
}
