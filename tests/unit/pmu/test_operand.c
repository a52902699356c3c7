/*
 * pmu/sampling/operand.c against the decoder Zydis: every form of the instruction table, then all
 * opcodes with all ModRM bytes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include <Zydis/Zydis.h>

#include "bench/instr/instr.h"
#include "pmu/sampling/operand.h"

enum { AREA = 192 * 1024, COMPLAINTS = 10, SIZE = 32 };

static uint8_t data[AREA] __attribute__((aligned(65536)));
static uint8_t stack[65536];
static const struct bench_area area = { .data = data, .stack = stack + 32768 };
static struct cpu all; /* has every feature */
static const uintptr_t regs[16] = { 0x1001,  0x2200,  0x3030,  0x4444, 0x10050, 0x60606,
	                            0x70700, 0x80808, 0x90000, 0xa0a0, 0xb0b0,  0xc00c,
	                            0xd000d, 0xe0e0e, 0xf0f0,  0x12345 };
static unsigned complaints, compared, without;

struct decoded {
	ZydisDecodedInstruction i;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
};

struct cpuid_regs cpu_leaf(const struct cpu *c, cpuid_fn cpuid, uint32_t leaf, uint32_t subleaf)
{
	(void)c;
	return cpuid(leaf, subleaf);
}

static bool decode(struct decoded *d, const uint8_t *code, size_t size, bool wide)
{
	ZydisDecoder z;

	ZydisDecoderInit(&z, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
	                 wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&z, code, size, &d->i, d->op));
}

/* The operand in memory that is meant: the explicit one, or the first that is read, or written. */
static const ZydisDecodedOperand *operand(const struct decoded *d)
{
	const ZydisDecodedOperand *best = NULL;

	for (unsigned n = 0; n < d->i.operand_count; n++) {
		const ZydisDecodedOperand *o = &d->op[n];

		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->mem.type != ZYDIS_MEMOP_TYPE_MEM)
			continue;
		if (o->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT)
			return o;
		if (!best || (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ &&
		              !(best->actions & ZYDIS_OPERAND_ACTION_MASK_READ)))
			best = o;
	}
	return best;
}

static bool is_stack(const ZydisDecodedOperand *o)
{
	return o->visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
	       (o->mem.base == ZYDIS_REGISTER_RSP || o->mem.base == ZYDIS_REGISTER_ESP);
}

/* Where the stack is touched. Zydis says where the pointer is before. */
static uint64_t stack_address(const ZydisDecodedOperand *o)
{
	bool written = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	return regs[4] - (written ? o->size / 8 : 0);
}

static uint64_t address_of(const struct decoded *d, const ZydisDecodedOperand *o,
                           const uint8_t *code)
{
	ZydisRegisterContext context = { .values = { 0 } };
	ZyanU64 address = 0;

	if (is_stack(o))
		return stack_address(o);
	for (unsigned r = 0; r < 16; r++) {
		context.values[ZYDIS_REGISTER_AX + r] = regs[r];
		context.values[ZYDIS_REGISTER_EAX + r] = regs[r];
		context.values[ZYDIS_REGISTER_RAX + r] = regs[r];
	}
	context.values[ZYDIS_REGISTER_AL] = regs[0] & 0xff;
	if (!ZYAN_SUCCESS(
		    ZydisCalcAbsoluteAddressEx(&d->i, o, (uintptr_t)code, &context, &address)))
		return 1;
	if (d->i.mnemonic == ZYDIS_MNEMONIC_XLAT)
		address += regs[0] & 0xff;
	if (d->i.mnemonic == ZYDIS_MNEMONIC_POP &&
	    (o->mem.base == ZYDIS_REGISTER_RSP || o->mem.base == ZYDIS_REGISTER_ESP))
		address += o->size / 8;
	if (d->i.mnemonic == ZYDIS_MNEMONIC_LEAVE) /* as wide as the stack, whatever 67H says */
		return regs[5];
	return d->i.address_width == 16   ? (uint16_t)address
	       : d->i.address_width == 32 ? (uint32_t)address
	                                  : address;
}

/* What operand.h says that it does not know. */
static bool excused(const struct decoded *d, const ZydisDecodedOperand *o)
{
	if (o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS)
		return true;
	if (d->i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && d->i.raw.modrm.mod == 1)
		return true;
	if (ZydisRegisterGetClass(o->mem.index) > ZYDIS_REGCLASS_GPR64)
		return true;
	return d->i.mnemonic == ZYDIS_MNEMONIC_NOP || d->i.meta.isa_ext == ZYDIS_ISA_EXT_MPX ||
	       d->i.mnemonic == ZYDIS_MNEMONIC_CLDEMOTE ||
	       o->visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
}

/*
 * SIB with a displacement and no base, REX.B and 32-bit addresses: Zydis 4.0 takes R13D for the
 * base. With 64-bit addresses it has none, as the SDM's Table 2-5 says for both.
 */
static bool wrong_in_zydis(const struct decoded *d)
{
	return d->i.address_width == 32 && d->i.raw.rex.B && !d->i.raw.modrm.mod &&
	       d->i.raw.modrm.rm == 4 && d->i.raw.sib.base == 5;
}

static void complain(const char *what, const uint8_t *code, size_t n, bool wide, uint64_t got,
                     uint64_t want)
{
	if (complaints++ >= COMPLAINTS)
		return;
	fprintf(stderr, "%s %d:", what, wide ? 64 : 32);
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, " %02x", code[i]);
	fprintf(stderr, ": %llx, not %llx\n", (unsigned long long)got, (unsigned long long)want);
}

/* Relative branches have a target, and all but jumps and calls may fall through. */
static void compare_flow(const struct decoded *d, const uint8_t *code, bool wide)
{
	struct operand_flow f = operand_flow(code, wide);
	const ZydisDecodedOperand *o = &d->op[0];
	bool relative = o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative;
	bool branch = d->i.mnemonic == ZYDIS_MNEMONIC_JMP || d->i.mnemonic == ZYDIS_MNEMONIC_CALL;
	ZyanU64 target = 0;

	if (f.length != d->i.length && d->i.mnemonic != ZYDIS_MNEMONIC_EXTRQ &&
	    d->i.mnemonic != ZYDIS_MNEMONIC_INSERTQ)
		complain("length", code, d->i.length, wide, f.length, d->i.length);
	if ((d->i.meta.category == ZYDIS_CATEGORY_COND_BR &&
	     d->i.mnemonic != ZYDIS_MNEMONIC_XBEGIN &&
	     d->i.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY) ||
	    (relative && branch))
		ZydisCalcAbsoluteAddress(&d->i, o, (uintptr_t)code, &target);
	/* 16 bits of an instruction pointer that has 64 or 32 here */
	if (d->i.operand_width != 16 && (uint32_t)f.target != (uint32_t)target)
		complain("target", code, d->i.length, wide, f.target, target);
	if (f.anywhere != (branch && !relative) && d->i.meta.category != ZYDIS_CATEGORY_RET)
		complain("anywhere", code, d->i.length, wide, f.anywhere, branch);
	if (!f.falls != (relative && branch))
		complain("falls", code, d->i.length, wide, f.falls, branch);
}

/* One instruction. `must`: implied operands have to be found as well. Returns its length. */
static size_t compare(const uint8_t *code, size_t size, bool wide, bool must)
{
	struct decoded d;
	const ZydisDecodedOperand *o;
	uint64_t got = 0, want;
	bool found;

	if (!decode(&d, code, size, wide))
		return 0;
	compare_flow(&d, code, wide);
	o = operand(&d);
	found = operand_address(&got, code, wide, regs, false);
	if (!o) {
		without++;
		/* An address that is computed and not used, as INVLPG has it, does no harm. */
		if (found && must)
			complain("no operand", code, d.i.length, wide, got, 0);
		return d.i.length;
	}
	if (wrong_in_zydis(&d))
		return d.i.length;
	want = address_of(&d, o, code);
	if (found ? got != want : must || !excused(&d, o))
		complain(found ? "address" : "not found", code, d.i.length, wide, got, want);
	compared += found;
	return d.i.length;
}

static void compare_body(const struct bench *b, bool wide)
{
	uint8_t code[512];
	size_t n;

	assert_true(b->body_size + 16 <= sizeof(code));
	memset(code, 0x90, sizeof(code));
	memcpy(code, b->body, b->body_size);
	for (size_t at = 0; at < b->body_size; at += n) {
		n = compare(code + at, sizeof(code) - at, wide, false);
		assert_true(n);
	}
}

static void test_forms(void **state)
{
	struct bench b;

	(void)state;
	memset(all.features, 0xff, sizeof(all.features));
	complaints = compared = 0;
	for (int wide = 0; wide < 2; wide++)
		for (unsigned i = 0; instr_get(i, &b, &all, &area, wide); i++)
			compare_body(&b, wide);
	assert_int_equal(complaints, 0);
	assert_true(compared > 1000);
}

/* All opcodes of the maps that SSE and before have, with all ModRM bytes and some SIB bytes. */
static void test_encodings(void **state)
{
	static const char *const starts[] = { "",         "\x66",         "\x67", "\x0f",
		                              "\x66\x0f", "\xf3\x0f\x38", "\x48", "\x4d\x0f",
		                              "\x42",     "\x67\x4f",     "\x64", "\x0f\x3a" };
	static const uint8_t sibs[] = { 0x05, 0x24, 0x5c, 0x8d, 0xf1 };
	uint8_t code[SIZE];

	(void)state;
	complaints = compared = 0;
	for (unsigned v = 0; v < sizeof(starts) / sizeof(starts[0]) * 2 * 256 * 256; v++) {
		const char *start = starts[v >> 17];
		size_t n = strlen(start);

		memset(code, 0x81 + v % 7, sizeof(code));
		memcpy(code, start, n);
		code[n] = (uint8_t)(v >> 8);
		code[n + 1] = (uint8_t)v;
		code[n + 2] = sibs[v % sizeof(sibs)];
		compare(code, sizeof(code), v >> 16 & 1, false);
	}
	assert_int_equal(complaints, 0);
	assert_true(compared > 100000);
}

/* Operands that an opcode implies: stack, strings, XLAT, MASKMOVQ. */
static void test_implied(void **state)
{
	static const char *const codes[] = {
		"\x50", "\x58", "\x66\x50", "\x68",     "\x6a",     "\x9c",
		"\x9d", "\xe8", "\xc3",     "\xc2",     "\xc9",     "\xd7",
		"\xa4", "\xa5", "\xa6",     "\xaa",     "\xac",     "\xae",
		"\xab", "\xaf", "\x0f\xa0", "\x0f\xa9", "\x0f\xf7", "\x66\x0f\xf7",
	};
	uint8_t code[SIZE];

	(void)state;
	complaints = 0;
	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		memset(code, 0xc1, sizeof(code));
		memcpy(code, codes[i], strlen(codes[i]));
		assert_true(compare(code, sizeof(code), false, true));
		assert_true(compare(code, sizeof(code), true, true));
	}
	assert_int_equal(complaints, 0);
}

/* Behind the instruction: an address whose registers it may have written is not known. */
static void test_after(void **state)
{
	static const uint8_t chase[] = { 0x8b, 0x00, [15] = 0 };      /* MOV EAX, [EAX] */
	static const uint8_t load[] = { 0x8b, 0x46, 0x08, [15] = 0 }; /* MOV EAX, [ESI + 8] */
	static const uint8_t multiply[] = { 0xf7, 0x20, [15] = 0 };   /* MUL [EAX] */
	static const uint8_t push[] = { 0x50, [15] = 0 };
	uint64_t address = 0;

	(void)state;
	assert_true(operand_address(&address, chase, false, regs, false));
	assert_false(operand_address(&address, chase, false, regs, true));
	assert_false(operand_address(&address, multiply, false, regs, true));
	assert_false(operand_address(&address, push, false, regs, true));
	assert_true(operand_address(&address, load, false, regs, true));
	assert_int_equal(address, regs[6] + 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_implied),
		cmocka_unit_test(test_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
