/*
 * LEA: latency through the address, throughput with one address and many destinations.
 */
#include "bench/instr/lea.h"

enum {
	MODRM_DISP8 = 0x40,
	MODRM_DISP32 = 0x80,
	RM_SIB = 4, /* ModRM.rm: a SIB byte follows */
	SIB_TIMES_8 = 0xc0,
};

/* "LEA r32, [r32 + r32 * 8]" */
static void put_text(struct instr_form *f, const struct instr_lea *lea, unsigned bits)
{
	instr_put(f, "LEA r");
	instr_put_number(f, bits, 0);
	instr_put(f, ", ");
	for (const char *p = lea->address; *p; p++) {
		const char c[2] = { *p, 0 };

		instr_put(f, c);
		if (*p == 'r')
			instr_put(f, f->wide ? "64" : "32");
	}
}

static void add(struct instr_form *f, const struct instr_lea *lea, unsigned bits, uint8_t reg,
                uint8_t from)
{
	uint8_t mod = lea->disp == 8 ? MODRM_DISP8 : lea->disp == 32 ? MODRM_DISP32 : 0;
	uint8_t code[10];
	size_t n = 0;

	if (bits == 16)
		code[n++] = 0x66;
	if (bits == 64 || reg >= 8)
		code[n++] = (uint8_t)(0x40 | (bits == 64) << 3 | (reg >= 8) << 2);
	code[n++] = 0x8d;
	code[n++] = (uint8_t)(mod | (reg & 7) << 3 | (lea->scale ? RM_SIB : from));
	if (lea->scale)
		code[n++] = (uint8_t)((lea->scale == 8 ? SIB_TIMES_8 : 0) | from << 3 | from);
	for (unsigned i = 0; i < lea->disp / 8u; i++) /* a displacement of 1 */
		code[n++] = i == 0;
	instr_add_body(f, code, n);
}

bool instr_make_lea(struct instr_form *f, struct bench *b, const struct instr_lea *lea,
                    unsigned bits)
{
	static const uint8_t gpr[] = { REG_AX, REG_DX, REG_CX, REG_BP, REG_DI, 8, 9, 10, 11 };
	unsigned n = !f->throughput ? 1 : f->wide ? sizeof(gpr) : 5;

	if (bits == 8 || (bits == 64 && !f->wide))
		return false;
	put_text(f, lea, bits);
	for (unsigned i = 0; i < n; i++) {
		add(f, lea, bits, gpr[i], f->throughput ? REG_BX : REG_AX);
		if (!i)
			f->op_size = f->body_size;
	}
	b->ops = b->insns = n;
	b->set_mask = 1u << REG_BX;
	instr_finish(f, b);
	return true;
}
