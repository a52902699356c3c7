/*
 * Forms by their bytes, divisions, and LEA (bench/instr/internal.h).
 */
#include "bench/instr/internal.h"

/* --- literals --- */

static size_t x87_init(const struct instr_literal *lit)
{
	size_t n = ADD(0, "\xdb\xe3\xd9\x2e"); /* FNINIT; FLDCW [SI] */

	if (lit->flags & LIT_SINE) {
		/* x, f(x): ST(1) = x - f(x), so that f(x) + ST(1) is x again */
		n = ADD(n, "\xdd\x07\xd9\xc0");                        /* FLD m64 [DI]; FLD ST */
		n = instr_add_init(n, (const char *)instr_at.code, 2); /* the function */
		return ADD(n, "\xde\xe9\xdd\x07");                     /* FSUBP; FLD m64 [DI] */
	}
	for (unsigned i = 0; i < 7; i++)
		n = ADD(n, "\xdd\x07");
	return ADD(n, "\xdd\x03"); /* FLD m64 [BX] */
}

/* Reads the operand at XSI, and 2 KB at XDI that a walk may write. */
static size_t warm_init(size_t n)
{
	static const char code[] = "\x48\x89\xf2"             /* MOV XDX, XSI */
				   "\x48\x8b\x06"             /* MOV XAX, [XSI] */
				   "\x48\x89\xfe"             /* MOV XSI, XDI */
				   "\xb9\x00\x02\0\0\xf3\xad" /* MOV ECX, 512; REP LODSD */
				   "\x48\x89\xd6";            /* MOV XSI, XDX */

	for (size_t i = 0; i < sizeof(code) - 1; i++)
		if (instr_wide || code[i] != 0x48)
			instr_made.init[n++] = (uint8_t)code[i];
	return n;
}

bool instr_make_literal(struct bench *b, const struct bench_area *area)
{
	const struct instr_literal *lit = &instr_at.literal;
	unsigned copies = instr_at.throughput && lit->flags & LIT_VARY ? 7 : 1;
	uintptr_t data = lit->data;
	size_t init = 0;

	instr_begin(b);
	if (!(lit->flags & (instr_at.throughput ? LIT_TP : LIT_LAT)) || !instr_has(lit->need) ||
	    lit->flags & (instr_wide ? LIT_32 : LIT_64))
		return false;
	instr_add_needs(lit->need);
	for (unsigned i = 0; i < copies; i++)
		for (unsigned j = 0; j < lit->size; j++)
			instr_made.body[i * lit->size + j] =
				(uint8_t)(instr_at.code[j] + (j & 1) * i);
	b->insns = (lit->insns & LIT_INSNS) * copies;
	/* copies of one instruction are as many operations; a combination is one */
	b->ops = lit->insns & LIT_SAME ? b->insns : copies;
	instr_begin_text(instr_at.name);
	if (lit->data == DATA_X87) {
		data |= (uintptr_t)lit->extra[0] << 8 | (uintptr_t)lit->extra[1] << 16;
		init = x87_init(lit);
	} else if (cpu_has(instr_cpu, CPU_AVX)) {
		init = ADD(init, "\xc5\xfc\x77"); /* VZEROALL */
	}
	if (lit->insns & LIT_COLD)
		data |= DATA_COLD;
	if (lit->insns & LIT_WARM)
		init = warm_init(init);
	instr_set_memory(b, area, (unsigned)data, VECTOR_STEP);
	if (lit->flags & LIT_WALK)
		instr_walk(b);
	if (lit->flags & LIT_PRIVILEGED)
		b->flags |= SNIPPET_PRIVILEGED;
	instr_finish(b, copies * lit->size, init, instr_at.throughput);
	return true;
}

/* --- divisions --- */

static uintptr_t ones(unsigned bits)
{
	return bits >= 8 * sizeof(uintptr_t) ? ~(uintptr_t)0 : ((uintptr_t)1 << bits) - 1;
}

/*
 * Operands of which the remainder is the upper half of the dividend again, so that the upper half
 * need not be loaded anew. The divisor is 2^n - 1.
 *
 * full		the quotient is the lower half again, too: r * (2^size - 1) = q * (divisor - 1)
 * otherwise	upper * 2^size + lower = upper (mod divisor); 2^size mod divisor is 1 or 2
 */
static void division(const struct instr_div *d, uintptr_t *upper, uintptr_t *lower,
                     uintptr_t *divisor)
{
	unsigned above = d->dividend > d->size ? d->dividend - d->size : 0;

	*divisor = ones(d->divisor);
	*upper = ones(above);
	if (d->reload & DIV_POWERS) {
		*divisor = (uintptr_t)1 << d->divisor;
		*upper = (uintptr_t)1 << above;
		*lower = 0;
		return;
	}
	if (d->dividend == d->divisor && d->divisor == 1) { /* 1 / 1 */
		*lower = 1;
	} else if (above && !d->reload) {
		/* unsigned: divisor 2^size - 1; signed: 2^(size - 1) - 1, both sides divided by 3 */
		*upper = d->is_signed ? ones(d->size) / 3 / 2 : ones(d->size) - 1;
		*lower = d->is_signed ? ones(d->size) / 3 : ones(d->size);
	} else if (above) {
		if (*upper >= *divisor)
			(*upper)--;
		*lower = *divisor - ((d->size % d->divisor) ? *upper : 0);
	} else {
		*lower = ones(d->dividend);
	}
}

/* "DIV r32 48/32b eax upd" */
static void division_text(const struct instr_div *d, bool full)
{
	static const char *const once[] = { " ax upd", " ax upd", " eax upd", " rax upd" };
	static const char *const both[] = { "", " ax/dx upd", " eax/edx", " rax/rdx upd" };
	unsigned i = d->size == 8 ? 0 : d->size == 16 ? 1 : d->size == 32 ? 2 : 3;
	static const char *const powers[] = { " ax upd", " ax/dx", " eax/edx" };
	bool one = d->divisor == 1;

	instr_begin_text(d->is_signed ? "IDIV r" : "DIV r");
	instr_put_number(d->size, 0);
	instr_put(" ");
	if (d->reload & DIV_POWERS) {
		instr_put("2^");
		instr_put_number(d->dividend, 0);
		instr_put("/2^");
		instr_put_number(d->divisor, 0);
		instr_put(powers[i]);
		return;
	}
	if (one) {
		instr_put("1/1");
	} else {
		instr_put_number(d->dividend, 2);
		instr_put("/");
		instr_put_number(d->divisor, 2);
		instr_put("b");
	}
	if (full)
		instr_put(" (full)");
	if (d->reload == 1)
		instr_put(once[i]);
	if (d->reload == 2)
		instr_put(one && i == 2 ? " eax/edx upd" : both[i]);
}

bool instr_make_div(struct bench *b, const struct bench_area *area)
{
	const struct instr_div *d = &instr_divs[instr_at.item];
	uint8_t op = d->size == 8 ? 0xf6 : 0xf7;
	uintptr_t upper, lower, divisor;
	size_t n = 0;
	/* with both halves loaded, or AX of a division of bytes, nothing is left of a chain */
	unsigned reload = d->reload & ~(unsigned)DIV_POWERS;
	bool chain = reload < (d->size == 8 ? 1 : 2);

	(void)area;
	instr_begin(b);
	if (instr_at.throughput == chain || (d->size == 64 && !instr_wide))
		return false;
	division(d, &upper, &lower, &divisor);
	b->set_mask = 1u << REG_AX | 1u << REG_DX | 1u << REG_CX | 1u << REG_SI | 1u << REG_DI;
	b->set[REG_AX] = d->size == 8 ? upper << 8 | lower : lower;
	b->set[REG_DX] = upper;
	b->set[REG_CX] = divisor;
	b->set[REG_SI] = b->set[REG_AX];
	b->set[REG_DI] = b->set[REG_DX];
	for (unsigned i = 0; i < reload; i++) { /* MOV EAX, ESI; MOV EDX, EDI */
		if (d->size == 16)
			instr_made.body[n++] = 0x66;
		if (d->size == 64)
			instr_made.body[n++] = 0x48;
		instr_made.body[n++] = 0x89;
		instr_made.body[n++] = i ? 0xfa : 0xf0;
	}
	if (d->size == 16)
		instr_made.body[n++] = 0x66;
	if (d->size == 64)
		instr_made.body[n++] = 0x48;
	instr_made.body[n++] = op;
	instr_made.body[n++] = d->is_signed ? 0xf9 : 0xf1;
	b->ops = 1;
	b->insns = 1u + reload;
	division_text(d, d->dividend == 2 * d->divisor && !reload);
	instr_finish(b, n, 0, instr_at.throughput);
	return true;
}

/* --- LEA --- */

bool instr_make_lea(struct bench *b, const struct bench_area *area)
{
	static const uint8_t gpr[] = { REG_AX, REG_DX, REG_CX, 5, REG_DI, 8, 9, 10, 11 };
	const struct instr_lea *lea = &instr_leas[instr_at.item];
	unsigned bits = 8u << instr_at.variant;
	bool sib = (lea->modrm & 7) == 4;
	unsigned n = !instr_at.throughput ? 1 : instr_wide ? 9 : 5;
	size_t size = 0;

	(void)area;
	instr_begin(b);
	if (instr_at.variant == 0 || instr_at.variant > 3 || (bits == 64 && !instr_wide))
		return false;
	instr_begin_text("LEA r");
	instr_put(instr_size_text(bits));
	instr_put(", ");
	for (const char *p = lea->address; *p; p++) {
		char c[2] = { *p, 0 };

		instr_put(c);
		if (*p == 'r')
			instr_put(instr_wide ? "64" : "32");
	}
	for (unsigned i = 0; i < n; i++) {
		uint8_t reg = gpr[i], from = instr_at.throughput ? REG_BX : REG_AX;

		if (bits == 16)
			instr_made.body[size++] = 0x66;
		if (bits == 64 || reg >= 8)
			instr_made.body[size++] =
				(uint8_t)(0x40 | (bits == 64) << 3 | (reg >= 8) << 2);
		instr_made.body[size++] = 0x8d;
		instr_made.body[size++] = (uint8_t)(lea->modrm | (reg & 7) << 3 | (sib ? 0 : from));
		if (sib)
			instr_made.body[size++] = (uint8_t)(lea->sib | from << 3 | from);
		for (unsigned j = sib ? 2 : 1; j < lea->bytes; j++)
			instr_made.body[size++] = (uint8_t)(j == (sib ? 2 : 1));
	}
	b->ops = b->insns = n;
	b->set_mask = 1u << REG_BX;
	instr_finish(b, size, 0, instr_at.throughput);
	return true;
}
