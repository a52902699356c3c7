/*
 * The address of a memory operand (pmu/sampling/operand.h).
 */
#include "kernel/lib/string.h"
#include "pmu/sampling/operand.h"

enum { AX, CX, DX, BX, SP, BP, SI, DI, NO_REG = 16, MAP_3DNOW = 7 };

/* Escape bytes and prefixes taken apart. */
struct decoded {
	const uint8_t *at; /* what comes next */
	unsigned map;      /* 0: one byte, 1: 0FH, 2: 0F38H, 3: 0F3AH, 5, 6, 8 to 10: XOP */
	unsigned size;     /* bytes of an address: 2, 4, 8 */
	uint8_t opcode, rex;
	bool wide, narrow, vector, evex, segment;
	uint8_t modrm, base, index, scale;
	int64_t disp;
	bool relative; /* to the next instruction */
};

/* Bit n of byte n / 8: opcode n has a ModRM byte. Of the map 0FH: it has none. */
static const uint8_t with_modrm[32] = {
	0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0,    0, 0,    0,    0x0c, 0x0a, 0,    0,
	0xff, 0xff, 0,    0,    0,    0,    0,    0,    0xf3, 0, 0x0f, 0xff, 0,    0,    0xc0, 0xc0,
};
static const uint8_t without_modrm[32] = {
	0xf0, 0x5f, 0, 0, 0,    0,    0xff, 0, 0, 0,    0, 0, 0, 0, 0x80, 0,
	0xff, 0xff, 0, 0, 0x07, 0x07, 0,    0, 0, 0xff, 0, 0, 0, 0, 0,    0,
};

static bool bit(const uint8_t set[32], unsigned n)
{
	return set[n / 8] >> n % 8 & 1;
}

/* VEX, EVEX and XOP, whose first byte has been taken. Their inverted bits become those of REX. */
static void take_vector(struct decoded *d, unsigned first)
{
	unsigned a = d->at[0];

	d->vector = true;
	d->evex = first == 0x62;
	d->rex = first == 0xc5 ? 0 : (uint8_t)(~a >> 5 & 7);
	d->map = first == 0xc5 ? 1 : a & (d->evex ? 7 : 0x1f);
	d->at += first == 0xc5 ? 1 : d->evex ? 3 : 2;
	if (!d->wide)
		d->rex = 0;
	d->opcode = *d->at++;
}

/* Prefixes and opcode; leaves `at` behind the opcode. */
static void take_opcode(struct decoded *d, const uint8_t *code)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
		                            0x66, 0x67, 0xf0, 0xf2, 0xf3 };
	unsigned c, next;

	/* A REX in front of another prefix is ignored. */
	for (d->at = code;; d->at++) {
		c = *d->at;
		if (d->wide && (c & 0xf0) == 0x40)
			d->rex = (uint8_t)c;
		else if (memchr(prefixes, (int)c, sizeof(prefixes)))
			d->rex = 0;
		else
			break;
		if (!d->wide && (c & 0xe7) == 0x26)
			d->segment = false;
		d->segment |= c == 0x64 || c == 0x65;
		d->narrow |= c == 0x66;
		if (c == 0x67)
			d->size = d->wide ? 4 : 2;
	}
	d->narrow &= !(d->rex & 8);
	c = *d->at++;
	next = *d->at;
	if ((c == 0x62 || c == 0xc4 || c == 0xc5) && (d->wide || next >= 0xc0)) {
		take_vector(d, c);
		return;
	}
	if (c == 0x8f && (next & 0x1f) >= 8) {
		take_vector(d, c);
		return;
	}
	if (c == 0x0f) {
		d->map = next == 0x38 ? 2 : next == 0x3a ? 3 : next == 0x0f ? MAP_3DNOW : 1;
		if (d->map == 2 || d->map == 3)
			d->at++;
		c = *d->at++;
	}
	d->opcode = (uint8_t)c;
}

static bool has_modrm(const struct decoded *d)
{
	if (!d->map)
		return bit(with_modrm, d->opcode);
	return d->map != 1 || !bit(without_modrm, d->opcode);
}

/* Bytes of the immediate behind a ModRM operand: only RIP-relative addresses need it. */
static unsigned immediate(const struct decoded *d)
{
	unsigned z = d->narrow ? 2 : 4, c = d->opcode;

	if (d->map == 3 || d->map == 8 || d->map == MAP_3DNOW)
		return 1;
	if (d->map == 10)
		return 4;
	if (d->map == 1)
		return (c >= 0x70 && c <= 0x73) || c == 0xa4 || c == 0xac || c == 0xba ||
		       c == 0xc2 || (c >= 0xc4 && c <= 0xc6);
	if (d->map)
		return 0;
	if (c == 0x69 || c == 0x81 || c == 0xc7)
		return z;
	if (c == 0xf6 || c == 0xf7)
		return d->modrm & 0x30 ? 0 : c == 0xf6 ? 1 : z;
	return c == 0x6b || c == 0x80 || c == 0x82 || c == 0x83 || c == 0xc0 || c == 0xc1 ||
	       c == 0xc6;
}

static void take_disp(struct decoded *d, unsigned bytes)
{
	uint32_t v = 0;

	memcpy(&v, d->at, bytes);
	d->at += bytes;
	d->disp = bytes == 1 ? (int8_t)v : bytes == 2 ? (int16_t)v : (int32_t)v;
}

/* SDM volume 2, Table 2-1. */
static void take_16(struct decoded *d)
{
	static const uint8_t bases[] = { BX, BX, BP, BP, SI, DI, BP, BX };
	static const uint8_t indexes[] = { SI, DI, SI, DI, NO_REG, NO_REG, NO_REG, NO_REG };
	unsigned mod = d->modrm >> 6, rm = d->modrm & 7;
	bool bare = !mod && rm == 6;

	d->base = bare ? NO_REG : bases[rm];
	d->index = indexes[rm];
	take_disp(d, bare || mod == 2 ? 2 : mod);
}

/* Tables 2-2 and 2-3, and REX. */
static void take_32(struct decoded *d)
{
	unsigned mod = d->modrm >> 6, rm = d->modrm & 7, sib;
	bool bare = !mod && rm == 5;

	d->base = (uint8_t)(rm | (d->rex & 1) << 3);
	if (rm == 4) {
		sib = *d->at++;
		d->scale = (uint8_t)(sib >> 6);
		d->base = (uint8_t)((sib & 7) | (d->rex & 1) << 3);
		d->index = (uint8_t)((sib >> 3 & 7) | (d->rex & 2) << 2);
		if (d->index == SP)
			d->index = NO_REG;
		bare = !mod && (sib & 7) == 5;
	}
	d->relative = bare && rm == 5 && d->wide;
	if (bare)
		d->base = NO_REG;
	take_disp(d, bare || mod == 2 ? 4 : mod);
}

static uint64_t cut(const struct decoded *d, uint64_t address)
{
	return d->size == 8 ? address : d->size == 4 ? (uint32_t)address : (uint16_t)address;
}

static uint64_t reg(const uintptr_t regs[16], unsigned r)
{
	return r == NO_REG ? 0 : regs[r];
}

/* Gathers and scatters: an index in a vector register. */
static bool vector_index(const struct decoded *d)
{
	unsigned c = d->opcode;

	return d->vector && d->map == 2 &&
	       ((c >= 0x90 && c <= 0x93) || (c >= 0xa0 && c <= 0xa3) || c == 0xc6 || c == 0xc7);
}

/* May the instruction have written a register of its address? REX.R may be the same bit of EVEX. */
static bool overwrites(const struct decoded *d)
{
	unsigned r = (d->modrm >> 3 & 7) | (d->rex & 4) << 1, c = d->opcode;
	bool writes_ax = (!d->map && (c == 0xf6 || c == 0xf7)) ||
	                 (d->map == 1 && (c == 0xb0 || c == 0xb1 || c == 0xc7));

	return r == d->base || r == d->index ||
	       (writes_ax && (d->base == AX || d->base == DX || d->index == AX || d->index == DX));
}

static bool from_modrm(uint64_t *address, struct decoded *d, const uintptr_t regs[16], bool after)
{
	unsigned c = d->opcode;
	uint64_t a;

	d->modrm = *d->at++;
	if (d->modrm >> 6 == 3) {
		/* MASKMOVQ and MASKMOVDQU */
		*address = cut(d, regs[DI]);
		return d->map == 1 && c == 0xf7;
	}
	if ((!d->map && (c == 0x8d)) || vector_index(d) ||
	    (d->map == 1 && !d->vector && ((c >= 0x19 && c <= 0x1f) || (c & 0xf8) == 0x20)) ||
	    (d->evex && d->modrm >> 6 == 1 && *(d->at + ((d->modrm & 7) == 4))))
		return false;
	d->base = d->index = NO_REG;
	if (d->size == 2)
		take_16(d);
	else
		take_32(d);
	if (after && overwrites(d))
		return false;
	a = reg(regs, d->base) + (reg(regs, d->index) << d->scale) + (uint64_t)d->disp;
	if (d->relative)
		a += (uintptr_t)d->at + immediate(d);
	/* POP: the stack pointer has moved on when it is used */
	if (!d->map && c == 0x8f && d->base == SP)
		a += d->narrow ? 2 : d->wide ? 8 : 4;
	*address = cut(d, a);
	return true;
}

/* Operands that the opcode implies. */
static bool implied(uint64_t *address, const struct decoded *d, const uintptr_t regs[16])
{
	unsigned c = d->opcode, word = d->narrow ? 2 : d->wide ? 8 : 4;
	uint64_t a;

	if (d->wide && c == 0xe8) /* Intel's 64-bit CALL has one size */
		word = 8;
	if (d->map && !(d->map == 1 && (c & 0xf6) == 0xa0))
		return false;
	if (d->map || (c >= 0x06 && c <= 0x1f) || (c >= 0x50 && c <= 0x5f)) /* PUSH, POP */
		a = (d->map || c < 0x50 ? c & 1 : c >= 0x58) ? regs[SP] : regs[SP] - word;
	else if (c == 0x68 || c == 0x6a || c == 0x9c || c == 0xe8)
		a = regs[SP] - word;
	else if (c == 0x9d || (c & 0xf6) == 0xc2)
		a = regs[SP];
	else if (c == 0xc9)
		a = regs[BP];
	else if (c == 0xd7)
		a = cut(d, regs[BX] + (regs[AX] & 0xff));
	else if (c >= 0xa4 && c <= 0xaf && c != 0xa8 && c != 0xa9)
		a = cut(d, c == 0xaa || c == 0xab || c >= 0xae ? regs[DI] : regs[SI]);
	else
		return false;
	*address = a;
	return true;
}

bool operand_address(uint64_t *address, const uint8_t *code, bool wide, const uintptr_t regs[16],
                     bool after)
{
	struct decoded d = { .wide = wide, .size = wide ? 8 : 4 };

	take_opcode(&d, code);
	if (d.segment)
		return false;
	if (has_modrm(&d))
		return from_modrm(address, &d, regs, after);
	if (!d.map && d.opcode >= 0xa0 && d.opcode <= 0xa3) {
		*address = 0;
		memcpy(address, d.at, d.size);
		return true;
	}
	return !after && implied(address, &d, regs);
}

enum { Z = 4, MOFFS, FULL, FAR, NEAR }; /* immediates whose size is not always the same */

/* Opcodes without ModRM that have an immediate: bits that count, their values, bytes. */
static const uint8_t immediates[][3] = {
	{ 0xc7, 0x04, 1 },    { 0xc7, 0x05, Z },   { 0xff, 0x68, Z },     { 0xff, 0x6a, 1 },
	{ 0xf0, 0x70, 1 },    { 0xff, 0x9a, FAR }, { 0xfc, 0xa0, MOFFS }, { 0xff, 0xa8, 1 },
	{ 0xff, 0xa9, Z },    { 0xf8, 0xb0, 1 },   { 0xf8, 0xb8, FULL },  { 0xf7, 0xc2, 2 },
	{ 0xff, 0xc8, 3 },    { 0xff, 0xcd, 1 },   { 0xfe, 0xd4, 1 },     { 0xf8, 0xe0, 1 },
	{ 0xfe, 0xe8, NEAR }, { 0xff, 0xea, FAR }, { 0xff, 0xeb, 1 },
};

static unsigned trailing(const struct decoded *d)
{
	unsigned z = d->narrow ? 2 : 4, near = d->wide ? 4 : z;
	const uint8_t(*row)[3] = immediates;

	if (d->map)
		return d->map == 1 && (d->opcode & 0xf0) == 0x80 ? near : 0;
	while ((d->opcode & (*row)[0]) != (*row)[1])
		if (++row == immediates + sizeof(immediates) / sizeof(immediates[0]))
			return 0;
	switch ((*row)[2]) {
	case Z:
		return z;
	case MOFFS:
		return d->size;
	case FULL:
		return d->rex & 8 ? 8 : z;
	case FAR:
		return z + 2;
	case NEAR:
		return near;
	default:
		return (*row)[2];
	}
}

static void skip_modrm(struct decoded *d)
{
	d->modrm = *d->at++;
	/* moves of control and debug registers have no operand in memory, whatever ModRM says */
	if (d->modrm >> 6 != 3 && (d->map != 1 || d->vector || (d->opcode & 0xfc) != 0x20)) {
		if (d->size == 2)
			take_16(d);
		else
			take_32(d);
	}
}

struct operand_flow operand_flow(const uint8_t *code, bool wide)
{
	struct decoded d = { .wide = wide, .size = wide ? 8 : 4 };
	struct operand_flow f = { .falls = true };
	unsigned c, n;

	take_opcode(&d, code);
	c = d.opcode | d.map << 8 | (unsigned)d.vector << 12;
	if (has_modrm(&d)) {
		skip_modrm(&d);
		n = immediate(&d);
		f.anywhere = c == 0xff && (d.modrm >> 3 & 7) - 2u < 4;
	} else {
		n = trailing(&d);
		f.anywhere = (c & ~9u) == 0xc2 || c == 0x9a || c == 0xea || c == 0xcf;
	}
	f.length = (unsigned)(d.at - code) + n;
	if ((c & ~0xfu) == 0x70 || (c & ~0xfu) == 0x180 || (c & ~3u) == 0xe0 || c == 0xeb ||
	    (c & ~1u) == 0xe8) {
		take_disp(&d, n);
		f.target = (uintptr_t)d.at + (uintptr_t)d.disp;
		f.falls = c < 0xe8 || c > 0xeb;
	}
	return f;
}
