/*
 * Fetch and decode: instructions of one kind that wait for nothing, over a growing footprint of
 * code. Clocks per instruction show the width of the decoders, then where the micro-operation cache
 * ends, then where the code cache ends; a length-changing prefix shows in every footprint that is
 * decoded.
 */
#include "bench/suite/generated.h"

enum { EXECUTED = 16384, FIRST = 1024, LAST = 65536 };

static const struct kind {
	const char *name, *what, *needs;
	uint8_t bytes[10], n;
	uint8_t widths;
} kinds[] = {
	{ "frontend.nop1", "one-byte NOPs in so many bytes of code", "", { 0x90 }, 1, 3 },
	{ "frontend.nop4",
	  "four-byte NOPs in so many bytes of code",
	  "cmov",
	  { 0x0f, 0x1f, 0x40, 0 },
	  4,
	  3 },
	{ "frontend.nop8",
	  "eight-byte NOPs in so many bytes of code",
	  "cmov",
	  { 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 },
	  8,
	  3 },
	{ "frontend.test_imm32",
	  "TEST EAX, imm32: the control of test_imm16",
	  "",
	  { 0xa9, 0x78, 0x56, 0x34, 0x12 },
	  5,
	  3 },
	{ "frontend.test_imm16",
	  "TEST AX, imm16: the prefix changes the length",
	  "",
	  { 0x66, 0xa9, 0x34, 0x12 },
	  4,
	  3 },
	{ "frontend.mov_imm64",
	  "MOV RAX, imm64: a long constant each",
	  "",
	  { 0x48, 0xb8, 8, 7, 6, 5, 4, 3, 2, 1 },
	  10,
	  SNIPPET_64 },
};

static uint32_t units(const struct kind *k, uintptr_t size)
{
	return (uint32_t)(size / k->n);
}

static uint32_t rounds(const struct kind *k, uintptr_t size)
{
	uint32_t n = EXECUTED / units(k, size);

	return n < 4 ? 4 : n;
}

static void make(struct bench *b)
{
	const struct kind *k = &kinds[b->arg[0]];
	struct emit e = generated_start();
	const uint8_t *top = generated_loop(&e, rounds(k, b->arg[1]));

	for (uint32_t i = 0; i < units(k, b->arg[1]); i++)
		emit_bytes(&e, k->bytes, k->n);
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

static bool frontend_get(unsigned i, struct bench *b, const struct cpu *cpu,
                         const struct bench_area *area, const char **skip)
{
	unsigned nkinds = sizeof(kinds) / sizeof(kinds[0]);
	const struct kind *k = &kinds[i % nkinds];
	uintptr_t size = (uintptr_t)FIRST << i / nkinds;

	(void)cpu;
	(void)area;
	(void)skip;
	if (size > LAST)
		return false;
	generated_base(b, k->what, k->needs);
	generated_name(b, k->name, size, true);
	b->widths = k->widths;
	b->make = make;
	b->arg[0] = i % nkinds;
	b->arg[1] = size;
	b->ops = units(k, size) * rounds(k, size);
	b->insns = 1 + b->ops + 2 * rounds(k, size);
	b->branches = rounds(k, size);
	b->branches_known = true;
	return true;
}

static const struct bench_source frontend = { .name = "frontend", .get = frontend_get };
BENCH_SOURCE(frontend);
