/*
 * Divisions whose operands stay the same from copy to copy.
 */
#include "bench/instr/division.h"

/* The registers of a division: upper and lower half of the dividend, and the divisor. */
struct numbers {
	uintptr_t upper, lower, divisor;
};

static uintptr_t ones(unsigned bits)
{
	return bits >= 8 * sizeof(uintptr_t) ? ~(uintptr_t)0 : ((uintptr_t)1 << bits) - 1;
}

/*
 * The remainder is the upper half of the dividend again, so that no copy needs to load the upper
 * half. The divisor is 2^n - 1.
 *
 * full		the quotient is the lower half again, too: r * (2^size - 1) = q * (divisor - 1)
 * otherwise	upper * 2^size + lower = upper (mod divisor); 2^size mod divisor is 1 or 2
 */
static struct numbers numbers_of(const struct instr_division *d)
{
	unsigned above = d->dividend > d->size ? d->dividend - d->size : 0;
	struct numbers n = { .upper = ones(above), .divisor = ones(d->divisor) };

	if (d->powers) {
		n.divisor = (uintptr_t)1 << d->divisor;
		n.upper = (uintptr_t)1 << above;
		n.lower = 0;
	} else if (d->dividend == d->divisor && d->divisor == 1) { /* 1 / 1 */
		n.lower = 1;
	} else if (above && !d->reload) {
		/* The divisor is 2^size - 1 if unsigned, else 2^(size - 1) - 1; both / 3. */
		n.upper = d->is_signed ? ones(d->size) / 3 / 2 : ones(d->size) - 1;
		n.lower = d->is_signed ? ones(d->size) / 3 : ones(d->size);
	} else if (above) {
		if (n.upper >= n.divisor)
			n.upper--;
		n.lower = n.divisor - ((d->size % d->divisor) ? n.upper : 0);
	} else {
		n.lower = ones(d->dividend);
	}
	return n;
}

/* "2^30/2^15 ax/dx" */
static void put_powers(struct instr_form *f, const struct instr_division *d, unsigned size)
{
	static const char *const loaded[] = { " ax upd", " ax/dx", " eax/edx" };

	instr_put(f, "2^");
	instr_put_number(f, d->dividend, 0);
	instr_put(f, "/2^");
	instr_put_number(f, d->divisor, 0);
	instr_put(f, loaded[size]);
}

/* "DIV r32 48/32b eax upd" */
static void put_text(struct instr_form *f, const struct instr_division *d)
{
	static const char *const once[] = { " ax upd", " ax upd", " eax upd", " rax upd" };
	static const char *const both[] = { "", " ax/dx upd", " eax/edx", " rax/rdx upd" };
	unsigned size = d->size == 8 ? 0 : d->size == 16 ? 1 : d->size == 32 ? 2 : 3;
	bool one = d->divisor == 1;

	instr_put(f, d->is_signed ? "IDIV r" : "DIV r");
	instr_put_number(f, d->size, 0);
	instr_put(f, " ");
	if (d->powers) {
		put_powers(f, d, size);
		return;
	}
	if (one) {
		instr_put(f, "1/1");
	} else {
		instr_put_number(f, d->dividend, 2);
		instr_put(f, "/");
		instr_put_number(f, d->divisor, 2);
		instr_put(f, "b");
	}
	if (d->dividend == 2 * d->divisor && !d->reload)
		instr_put(f, " (full)");
	if (d->reload == 1)
		instr_put(f, once[size]);
	if (d->reload == 2)
		instr_put(f, one && size == 2 ? " eax/edx upd" : both[size]);
}

/* Adds an instruction of the division's operand size: opcode and ModRM. */
static void add(struct instr_form *f, unsigned size, uint8_t opcode, uint8_t modrm)
{
	const uint8_t code[] = { size == 16 ? 0x66 : 0x48, opcode, modrm };

	if (size == 16 || size == 64)
		instr_add_body(f, code, sizeof(code));
	else
		instr_add_body(f, code + 1, sizeof(code) - 1);
}

bool instr_make_division(struct instr_form *f, struct bench *b, const struct instr_division *d)
{
	struct numbers n = numbers_of(d);
	/* with both halves loaded, or AX of a division of bytes, nothing is left of a chain */
	bool chain = d->reload < (d->size == 8 ? 1 : 2);

	if (f->throughput == chain || (d->size == 64 && !f->wide))
		return false;
	b->set_mask = 1u << REG_AX | 1u << REG_DX | 1u << REG_CX | 1u << REG_SI | 1u << REG_DI;
	b->set[REG_AX] = d->size == 8 ? n.upper << 8 | n.lower : n.lower;
	b->set[REG_DX] = n.upper;
	b->set[REG_CX] = n.divisor;
	b->set[REG_SI] = b->set[REG_AX];
	b->set[REG_DI] = b->set[REG_DX];
	if (d->reload >= 1)
		add(f, d->size, 0x89, 0xf0); /* MOV EAX, ESI */
	if (d->reload >= 2)
		add(f, d->size, 0x89, 0xfa); /* MOV EDX, EDI */
	add(f, d->size, d->size == 8 ? 0xf6 : 0xf7, d->is_signed ? 0xf9 : 0xf1);
	b->ops = 1;
	b->insns = 1u + d->reload;
	put_text(f, d);
	instr_finish(f, b);
	return true;
}
