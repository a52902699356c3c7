/*
 * Core model: the rows of sim/timing/rows/ can be read, and instructions find the rows meant for
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/timing/core.h"
#include "sim/timing/core_rows.h"
#include "sim/timing/core_wrong_path.h"
#include "sim/timing/per_clock.h"

static struct core_machine *machine(const char *name)
{
	const char *why;
	struct core_machine *m = core_machine(name, &why);

	if (!m)
		print_error("%s\n", why ? why : "not in machines.csv");
	assert_non_null(m);
	return m;
}

static struct core_insn insn(const struct core_machine *m, const char *hex)
{
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction zi;
	ZydisDecoder decoder;
	uint8_t bytes[15];
	size_t n = 0;

	for (; *hex; hex += 2 + (hex[2] == ' '))
		bytes[n++] = (uint8_t)strtoul((char[]){ hex[0], hex[1], 0 }, NULL, 16);
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, n, &zi, ops)));
	return core_decode(m, &zi, ops);
}

/* Every machine can be read; a wrong row names itself. */
static void every_machine(void **state)
{
	(void)state;
	for (size_t i = 0; i < core_parameter_text_count; i++)
		if (!strcmp(core_parameter_texts[i].name, "parent"))
			core_machine_free(machine(core_parameter_texts[i].machine));
}

/* Every machine that the simulator takes its clocks from has been laid beside a real one. */
static void shares(void **state)
{
	(void)state;
	for (size_t i = 0; i < core_parameter_text_count; i++) {
		const struct core_parameter_text *t = &core_parameter_texts[i];
		size_t n = 0;

		if (strcmp(t->name, "in_use") || strcmp(t->value, "1"))
			continue;
		while (n < core_share_count && strcmp(core_shares[n].machine, t->machine))
			n++;
		if (n == core_share_count)
			fail_msg("%s is not in measured.csv", t->machine);
		assert_in_range(core_shares[n].good, 1, core_shares[n].figures);
	}
}

static void no_machine(void **state)
{
	const char *why;

	(void)state;
	assert_null(core_machine("p5", &why));
	assert_null(why);
}

struct expected {
	const char *hex, *text;
	uint16_t ports, latency; /* of the first uops; clocks */
	uint8_t fused, srcs, dsts;
};

/* Intel's manual for the ports, the measurements of InstLatX64 for the latencies. */
static const struct expected skylake[] = {
	{ "01 d8", "add eax, ebx", 0x63, 1, 1, 2, 3 },
	{ "0f af c3", "imul eax, ebx", 0x02, 3, 1, 2, 3 },
	{ "66 6b c3 03", "imul ax, bx, 3", 0x02, 4, 1, 2, 3 }, /* the bits above AX stay */
	{ "31 c0", "xor eax, eax", 0, 0, 1, 0, 3 },
	{ "89 d8", "mov eax, ebx", 0, 0, 1, 1, 1 },
	{ "89 c0", "mov eax, eax", 0x63, 1, 1, 1, 1 },
	{ "88 d8", "mov al, bl", 0x63, 1, 1, 2, 1 },
	{ "11 d8", "adc eax, ebx", 0x41, 1, 1, 3, 3 },
	{ "d1 e0", "shl eax, 1", 0x41, 1, 1, 1, 3 },
	{ "d3 e0", "shl eax, cl", 0x41, 2, 3, 2, 3 },
	{ "8d 04 1b", "lea eax, [rbx + rbx]", 0x22, 1, 1, 1, 1 },
	{ "8d 44 1b 08", "lea eax, [rbx + rbx + 8]", 0x02, 3, 1, 1, 1 },
	{ "8b 03", "mov eax, [rbx]", 0, 0, 1, 0, 1 },
	{ "03 03", "add eax, [rbx]", 0x63, 1, 1, 1, 3 },
	{ "01 03", "add [rbx], eax", 0x63, 1, 2, 1, 2 },
	{ "66 0f fe c1", "paddd xmm0, xmm1", 0x23, 1, 1, 2, 1 },
	{ "66 0f ef c0", "pxor xmm0, xmm0", 0, 0, 1, 0, 1 },
	{ "0f 58 c1", "addps xmm0, xmm1", 0x03, 4, 1, 2, 1 },
	{ "50", "push rax", 0, 0, 1, 1, 0 },
	{ "90", "nop", 0, 0, 1, 0, 0 },
};

static void rows_of_skylake(void **state)
{
	struct core_machine *m = machine("skylake");

	(void)state;
	for (size_t i = 0; i < sizeof(skylake) / sizeof(skylake[0]); i++) {
		const struct expected *e = &skylake[i];
		struct core_insn in = insn(m, e->hex);

		print_message("%s\n", e->text);
		assert_int_equal(in.uop[0].ports, e->ports);
		assert_int_equal(in.latency[0], e->latency * CORE_TICKS);
		assert_int_equal(in.fused, e->fused);
		assert_int_equal(in.srcs, e->srcs);
		assert_int_equal(in.dsts, e->dsts);
	}
	core_machine_free(m);
}

/* Quarters of pi: where a sine becomes a cosine, and what is small. */
static void angles(void **state)
{
	(void)state;
	assert_int_equal(core_angle(0, false), 0);
	assert_int_equal(core_angle(-0.1, false), 1);
	assert_int_equal(core_angle(0.5, false), 2);
	assert_int_equal(core_angle(1.5, false), 3);
	assert_int_equal(core_angle(1, false), 4);
	assert_int_equal(core_angle(0.1, true), 3);
	assert_int_equal(core_angle(1, true), 2);
	assert_int_equal(core_angle(6.28, false), 8 + 1);
	assert_int_equal(core_angle(3.1, true), 8 + 3);
}

/* Clocks of the last of eight divisions that depend on each other. */
static uint32_t division(const struct core_machine *m, const char *bytes, uint32_t which)
{
	struct core_insn in = insn(m, bytes);
	struct core_dyn dyn = { .quantity = which };
	struct core_result result;
	struct core c;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 8; i++)
		core_step(&c, &in, &dyn, &result);
	core_free(&c);
	return result.clocks;
}

/* IDIV CX of core2: as in its list of InstLatX64. DIV CL has one time for all quotients. */
static void cases_of_a_quotient(void **state)
{
	struct core_machine *m = machine("core2");

	(void)state;
	assert_int_equal(core_quotient(0), 0);
	assert_int_equal(core_quotient(8), 1);
	assert_int_equal(core_quotient(9), 2);
	assert_int_equal(core_quotient(17), 3);
	assert_int_equal(core_quotient(64), 4);
	assert_int_equal(division(m, "66 f7 f9", core_quotient(1)), 17);
	assert_int_equal(division(m, "66 f7 f9", core_quotient(15)), 25);
	assert_int_equal(division(m, "f7 f9", core_quotient(16)), 25);
	assert_int_equal(division(m, "f7 f9", core_quotient(32)), 41);
	assert_int_equal(division(m, "f6 f1", core_quotient(1)), 18);
	core_machine_free(m);
}

/* A row with cases takes that of the operands: those of Intel's 248966, appendix C. */
static void cases_of_a_row(void **state)
{
	struct core_machine *m = machine("p4");

	(void)state;
	assert_int_equal(division(m, "dc f9", CORE_DIVIDE_SINGLE), 23);
	assert_int_equal(division(m, "dc f9", CORE_DIVIDE_DOUBLE), 38);
	assert_int_equal(division(m, "dc f9", CORE_DIVIDE_EXTENDED), 43);
	core_machine_free(m);
	m = machine("k7");
	assert_int_equal(division(m, "dc f9", CORE_DIVIDE_ZERO), 11);
	assert_int_equal(division(m, "dc f9", CORE_DIVIDE_EXTENDED), 24);
	core_machine_free(m);
}

/* ---- what is behind a wrongly predicted branch ---- */

static struct core core;
static struct core_result result;

static void step(const char *hex, bool mispredicted)
{
	struct core_insn in = insn(core.machine, hex);
	struct core_dyn dyn = { .rip = 0x1000, .mispredicted = mispredicted };

	core_step(&core, &in, &dyn, &result);
}

/* A branch on the result of so many multiplications in a row, three clocks each. */
static void open_shadow(struct core_wrong_path *s, unsigned multiplications)
{
	assert_true(core_reset(&core, machine("skylake"), NULL));
	while (multiplications--)
		step("0f af c0", false);
	step("85 c0", false); /* test eax, eax */
	step("75 00", true);  /* jne */
	core_wrong_path_open(s, &core, &result, false);
}

static enum core_fate shadow(struct core_wrong_path *s, const char *hex, bool missed)
{
	struct core_insn in = insn(core.machine, hex);

	return core_wrong_path_step(s, &in, missed, false);
}

/* How many of these are renamed until the branch has executed. */
static unsigned fill(struct core_wrong_path *s, const char *hex)
{
	unsigned n = 0;

	while (shadow(s, hex, false) != CORE_WRONG_PATH_ENDS)
		n++;
	return n;
}

static void close_shadow(void)
{
	core_free(&core);
	core_machine_free((struct core_machine *)core.machine);
}

static void room_in_the_shadow(void **state)
{
	struct core_wrong_path s;

	(void)state;
	open_shadow(&s, 10);
	assert_in_range(result.done - result.renamed, 28, 34);
	assert_int_equal(fill(&s, "90"), 4 * (result.done - result.renamed - 1));
	close_shadow();
	/* 600 clocks fill the reorder buffer, but for what has not retired when they are over */
	open_shadow(&s, 200);
	assert_in_range(fill(&s, "90"), 215, 224);
	close_shadow();
	/* loads that wait for nothing fill the load queue */
	open_shadow(&s, 200);
	assert_int_equal(fill(&s, "8b 0f"), 72);
	close_shadow();
	/* what waits for the data of a miss fills the scheduler */
	open_shadow(&s, 200);
	assert_int_equal(shadow(&s, "8b 0f", true), CORE_WRONG_PATH_EXECUTED);
	assert_int_equal(fill(&s, "01 cb"), 97);
	close_shadow();
}

static void fates(void **state)
{
	struct core_wrong_path s;

	(void)state;
	open_shadow(&s, 10);
	assert_int_equal(shadow(&s, "8b 0f", false), CORE_WRONG_PATH_EXECUTED); /* mov ecx, [rdi] */
	assert_int_equal(shadow(&s, "01 c9", false), CORE_WRONG_PATH_EXECUTED); /* add ecx, ecx */
	assert_int_equal(shadow(&s, "8b 0f", true), CORE_WRONG_PATH_EXECUTED);
	assert_int_equal(shadow(&s, "01 c9", false), CORE_WRONG_PATH_RENAMED);
	assert_int_equal(shadow(&s, "01 cb", false), CORE_WRONG_PATH_RENAMED);  /* add ebx, ecx */
	assert_int_equal(shadow(&s, "8b 31", false), CORE_WRONG_PATH_RENAMED);  /* mov esi, [rcx] */
	assert_int_equal(shadow(&s, "01 d7", false), CORE_WRONG_PATH_EXECUTED); /* add edi, edx */
	assert_int_equal(shadow(&s, "0f ae e8", false), CORE_WRONG_PATH_RENAMED); /* lfence */
	assert_int_equal(shadow(&s, "90", false), CORE_WRONG_PATH_ENDS);
	close_shadow();
	open_shadow(&s, 10);
	assert_int_equal(shadow(&s, "0f a2", false), CORE_WRONG_PATH_ENDS); /* cpuid */
	close_shadow();
}

/* Clocks of 240 instructions, in turn, one behind the other in memory. */
static unsigned clocks(const char *name, const char *const hex[3])
{
	struct core_machine *m = machine(name);
	struct core_insn in[3] = { insn(m, hex[0]), insn(m, hex[1]), insn(m, hex[2]) };
	struct core_dyn dyn = { .rip = 0x1000 };
	struct core_result result;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 480; i++) {
		core_step(&c, &in[i % 3], &dyn, &result);
		dyn.rip += in[i % 3].length;
		sum += i < 240 ? 0 : result.clocks;
	}
	core_free(&c);
	core_machine_free(m);
	return sum;
}

/* P6 reads two registers a clock from the retired file; what was written lately does not count. */
static void register_reads(void **state)
{
	static const char *const six[] = { "39 d8", "39 ca", "39 fe" };
	static const char *const three[] = { "39 c0", "39 c9", "39 d2" };
	static const char *const written[] = { "83 c0 01", "83 c1 01", "83 c2 01" };

	(void)state;
	assert_int_equal(clocks("p3", six), 240);
	assert_int_equal(clocks("p3", three), 160);
	assert_int_equal(clocks("p3", written), 120);
	assert_int_equal(clocks("skylake", six), 60);
}

/* 248966, 3.4.2.3: six clocks more for a line with a length-changing prefix; opcode F7H. */
static void length_changing(void **state)
{
	static const char *const add[] = { "66 81 c0 34 12", "66 81 c1 34 12", "66 81 c2 34 12" };
	static const char *const neg[] = { "66 f7 d8", "66 f7 d9", "66 f7 da" };

	(void)state;
	assert_in_range(clocks("core2", add), 240 * 5 / 16 * 7 - 4, 240 * 5 / 16 * 7 + 4);
	assert_in_range(clocks("core2", neg), 240 * 3 / 48 * 9 - 4, 240 * 3 / 48 * 9 + 4);
	assert_in_range(clocks("p3", neg), 240 * 3 / 16 * 7 - 4, 240 * 3 / 16 * 7 + 4);
	assert_in_range(clocks("skylake", neg), 60, 80);
}

/*
 * P6 decodes two instructions with a prefix a clock, and 16 bytes of whole instructions. K7 and K8
 * read more than three prefixes in blocks of eight bytes, a block a clock, and most of them slower.
 */
static void prefixes(void **state)
{
	static const char *const nop[] = { "66 90", "66 90", "66 90" };
	static const char *const add[] = { "66 01 c0", "66 01 c9", "66 01 d2" };
	static const char *const three[] = { "66 66 66 90", "66 66 66 90", "66 66 66 90" };
	static const char *const four[] = { "66 66 66 66 90", "66 66 66 66 90", "66 66 66 66 90" };
	static const char *const five[] = { "66 66 66 66 66 90", "66 66 66 66 66 90",
		                            "66 66 66 66 66 90" };
	static const char *const nine[] = { "66 66 66 66 66 66 66 66 66 90",
		                            "66 66 66 66 66 66 66 66 66 90",
		                            "66 66 66 66 66 66 66 66 66 90" };
	static const char *const escape[] = { "66 66 66 66 0f 1f 00", "66 66 66 66 0f 1f 00",
		                              "66 66 66 66 0f 1f 00" };

	(void)state;
	assert_int_equal(clocks("p3", nop), 120);
	assert_int_equal(clocks("p3", add), 240 / 5 * 3);
	assert_int_equal(clocks("p3", three), 960);
	assert_int_equal(clocks("pm", three), 1200);
	assert_in_range(clocks("sierraforest", four), 40, 50);
	assert_int_equal(clocks("sierraforest", escape), 240 * 7 / 2);
	assert_int_equal(clocks("sierraforest", nine), 240 * 5);
	assert_int_equal(clocks("k8", three), 240 / 3);
	assert_in_range(clocks("k7", five), 240 * 6 / 8 - 1, 240 * 6 / 8 + 1);
	assert_in_range(clocks("k7", nine), 240 * 5 / 2 - 1, 240 * 5 / 2 + 1);
	assert_in_range(clocks("k8", nine), 240 * 3 / 2 - 1, 240 * 3 / 2 + 1);
}

/* Microcode of K7 and K8 holds the decoders while it divides: a move before it takes a clock. */
static void microcode_waits(void **state)
{
	static const char *const divide[] = { "f7 f1", "f7 f1", "f7 f1" };
	static const char *const move[] = { "89 d8", "f7 f1", "90" };

	(void)state;
	assert_int_equal(clocks("k8", divide), 240 * 39);
	assert_int_equal(clocks("k8", move), 80 * 40);
}

/* Clocks of 240 copies of an instruction in a loop, which is in one window of the uop cache. */
static unsigned rounds(const char *name, const char *hex, unsigned copies)
{
	struct core_machine *m = machine(name);
	struct core_insn in = insn(m, hex);
	struct core_result result;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 480; i++) {
		struct core_dyn dyn = { .rip = 0x1000 + i % copies * in.length,
			                .taken = i % copies == copies - 1 };

		core_step(&c, &in, &dyn, &result);
		sum += i < 240 ? 0 : result.clocks;
	}
	core_free(&c);
	core_machine_free(m);
	return sum;
}

/* Clocks of 240 rounds of a loop with a NOP of four prefixes: so many copies of it in turn. */
static unsigned prefix_loop(const char *name, unsigned copies)
{
	static const char *const hex[] = { "01 c0", "66 66 66 66 90", "75 f7" };
	struct core_machine *m = machine(name);
	struct core_result result;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 480; i++) {
		uint64_t rip = 0x1000 + i % copies * 64;

		for (unsigned k = 0; k < 3; k++) {
			struct core_insn in = insn(m, hex[k]);
			struct core_dyn dyn = { .rip = rip, .taken = k == 2 };

			core_step(&c, &in, &dyn, &result);
			sum += i < 240 ? 0 : result.clocks;
			rip += in.length;
		}
	}
	core_free(&c);
	core_machine_free(m);
	return sum;
}

/* A loop is read anew in each round, so copies of it in turn take as long. */
static void prefixes_in_loops(void **state)
{
	(void)state;
	assert_int_equal(prefix_loop("k8", 1), prefix_loop("k8", 2));
	assert_int_equal(prefix_loop("k7", 1), prefix_loop("k7", 2));
}

/* A loop that is shorter than a window comes from the uop cache: no length-changing prefixes. */
static void short_loop(void **state)
{
	(void)state;
	assert_int_equal(rounds("skylake", "66 81 c0 34 12", 6), 240);
}

/* Two NOPs are one uop on zen4. Zen2 renames five a clock. */
static void nops(void **state)
{
	(void)state;
	assert_int_equal(rounds("zen4", "90", 12), 240 / 12);
	assert_in_range(rounds("zen2", "90", 12), 240 / 5, 240 / 4);
}

/* Immediates beyond 16 bits take two places each in the trace cache, which gives three a clock. */
static void wide_immediates(void **state)
{
	(void)state;
	assert_int_equal(rounds("p4", "81 c1 ff 7f 00 00", 12), 240 / 2);
	assert_int_equal(rounds("p4", "81 c1 00 80 00 00", 12), 240 * 2 / 3);
	assert_int_equal(rounds("p4", "b9 ff ff ff ff", 12), 240 / 3);
	/* no machine with 64-bit code has them */
	assert_int_equal(rounds("p4", "48 b9 00 00 00 00 01 00 00 00", 3), 240 * 2 / 3);
	assert_int_equal(rounds("p4", "48 b9 00 80 ff ff ff ff ff ff", 3), 240 / 3);
}

/* 248966, appendix C: FXCH has no latency, but takes the unit of moves for a clock. */
static void floating_point_moves(void **state)
{
	struct core_machine *m = machine("p4");

	(void)state;
	assert_int_equal(rounds("skylake", "d9 c9", 12), 240 / 4);
	assert_int_equal(rounds("p4", "d9 c9", 12), 240);
	/* movaps xmm1, xmm0 and andps xmm1, xmm0 run at once */
	assert_int_not_equal(insn(m, "0f 28 c8").uop[0].ports, insn(m, "0f 54 c8").uop[0].ports);
	core_machine_free(m);
}

/* K7 decodes three a clock out of 32 bytes; an instruction across two such windows goes alone. */
static void windows(void **state)
{
	static const char *const two[] = { "66 90", "66 90", "66 90" };
	static const char *const three[] = { "66 66 90", "66 66 90", "66 66 90" };

	(void)state;
	assert_int_equal(clocks("k7", two), 240 * 6 / 16);
	assert_in_range(clocks("k7", three), 240 * 14 / 32 - 1, 240 * 14 / 32 + 1);
	assert_int_equal(clocks("k8", three), 240 / 3);
}

/* Clocks of 30 rounds of seven additions, each to a register of its own. */
static unsigned seven_chains(const char *name)
{
	static const char *const add[] = { "83 c0 01", "83 c1 01", "83 c2 01", "83 c3 01",
		                           "83 c5 01", "83 c6 01", "83 c7 01" };
	struct core_machine *m = machine(name);
	struct core_dyn dyn = { .rip = 0x1000 };
	struct core_result result;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 420; i++) {
		struct core_insn in = insn(m, add[i % 7]);

		dyn.rip = 0x1000 + i % 14 * in.length;
		dyn.taken = i % 14 == 13;
		core_step(&c, &in, &dyn, &result);
		sum += i < 210 ? 0 : result.clocks;
	}
	core_free(&c);
	core_machine_free(m);
	return sum;
}

/* Clocks of 240 rounds of a loop. What is in memory is one place of eight bytes. */
static unsigned loop_of(const struct core_machine *m, const char *const *hex, unsigned count)
{
	struct core_access load = { .address = 0x10000, .size = 8 };
	struct core_result result;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 480; i++) {
		struct core_dyn dyn = { .rip = 0x1000, .access = { load } };

		for (unsigned k = 0; k < count; k++) {
			struct core_insn in = insn(m, hex[k]);

			dyn.accesses = in.loads;
			dyn.taken = k == count - 1;
			core_step(&c, &in, &dyn, &result);
			dyn.rip += in.length;
			sum += i < 240 ? 0 : result.clocks;
		}
	}
	core_free(&c);
	return sum;
}

static unsigned loop(const char *name, const char *const *hex, unsigned count)
{
	struct core_machine *m = machine(name);
	unsigned sum = loop_of(m, hex, count);

	core_machine_free(m);
	return sum;
}

/* MUL of AH has the product later than MUL of CL; AAD reads AH anyway. */
static void high_bytes(void **state)
{
	static const char *const ah[] = { "f6 e4" }, *const cl[] = { "f6 e1" };

	(void)state;
	assert_int_equal(loop("nehalem", ah, 1), loop("nehalem", cl, 1) + 240);
	assert_int_equal(loop("p4", ah, 1), loop("p4", cl, 1) + 240 * 2);
	assert_int_equal(loop("zen2", ah, 1), loop("zen2", cl, 1));
}

/* 248966, 3.5.1.1: INC waits for the flags that it leaves, whatever register it writes. */
static void flags_that_stay(void **state)
{
	static const char *const inc[] = { "ff c0", "ff c1", "ff c2", "ff c3", "ff c6", "ff c7" };
	static const char *const neg[] = { "f7 d8", "f7 d9", "f7 da", "f7 db", "f7 de", "f7 df" };

	(void)state;
	assert_int_equal(loop("p4", inc, 6), 240 * 6);
	assert_int_equal(loop("p4p", inc, 6), 240 * 6);
	assert_int_equal(loop("p4", neg, 6), 240 * 3);
	assert_int_equal(loop("core2", inc, 6), 240 * 3);
}

/*
 * A load from what a load gave takes 4 clocks on skylake, and 5 from what anything else gave
 * (248966, 2.4.4.1). That a move which renaming does is anything else is unverified.
 */
static void chases(void **state)
{
	static const char *const load[] = { "48 8b 1b" };
	static const char *const move[] = { "48 89 d8", "48 8b 18" };
	struct core_machine *m = machine("skylake");

	(void)state;
	assert_int_equal(loop_of(m, load, 1), 240 * 4);
	assert_int_equal(loop_of(m, move, 2), 240 * 5);
	assert_int_equal(insn(m, "48 8b 1b").loaded, 1 << 3);
	assert_int_equal(insn(m, "31 c0").loaded, 0);
	core_machine_free(m);
}

/*
 * Zen2: a uop goes into the queue of the uop for which it waits. InstLatX64 has 0.43 and 0.25. What
 * waits for a load goes into any, whoever wrote the register before. What waits for a move that
 * renaming does goes into the queue of its source: here CWDE's, which has the first ALU alone.
 */
static void queues(void **state)
{
	static const char *const one[] = { "83 c0 01", "83 c0 01", "83 c0 01" };
	static const char *const none[] = { "39 d8", "39 d8", "39 d8" };
	static const char *const loads[] = { "48 8b 03", "48 8b 0b", "48 01 c0", "48 01 c9" };
	static const char *const moved[] = { "98", "89 c3", "83 c3 01" };

	(void)state;
	assert_int_equal(seven_chains("zen2"), 90);
	assert_in_range(seven_chains("zen4"), 52, 53);
	assert_int_equal(clocks("zen2", one), 240);
	assert_in_range(clocks("zen2", none), 60, 65);
	assert_in_range(loop("zen2", loads, 4), 239, 242);
	assert_int_equal(loop("zen2", moved, 3), 240 * 2);
}

/*
 * XCHG of two registers takes two places in the clock of rename on zen2, and no ALU. What is known
 * of the registers changes places with them: CWDE goes into the queue of the first ALU, and so does
 * an addition that waits for it.
 */
static void exchanges(void **state)
{
	static const char *const same[] = { "93", "93", "93" };
	static const char *const chains[] = { "0f af c0", "93", "90" };
	static const char *const additions[] = { "8d 0c 12", "83 c3 01", "98", "93" };

	(void)state;
	assert_int_equal(clocks("zen2", same), 240 * 2 / 5);
	assert_int_equal(clocks("zen2", chains), 80 * 3 / 2);
	assert_int_equal(loop("zen2", additions, 4), 240 * 2);
}

/* The same of what a load gave, and of what was written in part: zen2 with others' parameters. */
static void exchanged_bits(void **state)
{
	static const char *const chase[] = { "48 8b 18", "48 93" };
	static const char *const part[] = { "66 8d 1c 00", "93" };
	struct core_machine *m = machine("zen2");

	(void)state;
	assert_int_equal(loop_of(m, chase, 2), 240 * 4);
	m->p.load_chase = CORE_TICKS;
	assert_int_equal(loop_of(m, chase, 2), 240 * 3);
	assert_int_equal(loop_of(m, part, 2), 240 * 2);
	m->p.partial_stall = 5 * CORE_TICKS;
	assert_int_equal(loop_of(m, part, 2), 240 * (2 + 5));
	core_machine_free(m);
}

/* Clocks of an instruction that runs over and over, with an access to memory of some bytes. */
static double clocks_of(const struct core_machine *m, const char *hex, struct core_access access,
                        unsigned step)
{
	struct core_insn in = insn(m, hex);
	uint64_t total = 0;

	assert_true(core_reset(&core, m, NULL));
	for (unsigned i = 0; i < 2000; i++) {
		struct core_dyn dyn = { .rip = 0x1000 };

		access.address += step;
		if (access.size)
			dyn.access[dyn.accesses++] = access;
		if (access.size && in.loads && in.stores) {
			dyn.access[dyn.accesses] = access;
			dyn.access[dyn.accesses++].write = true;
		}
		core_step(&core, &in, &dyn, &result);
		total += i < 1000 ? 0 : result.clocks;
	}
	core_free(&core);
	return (double)total / 1000;
}

static void near(double clocks, double expected)
{
	if (clocks < expected - 0.05 || clocks > expected + 0.05)
		fail_msg("%.3f clocks, not %.3f", clocks, expected);
}

/* What InstLatX64 measured: accesses across a line, and locked ones. */
static void accesses(void **state)
{
	struct core_machine *m = machine("skylake");
	struct core_access load = { .address = 0x10004, .size = 16 };
	struct core_access store = { .address = 0x10004, .size = 16, .write = true };
	struct core_access inside = { .address = 0x10008, .size = 8 };

	(void)state;
	near(clocks_of(m, "0f 10 03", load, 64), 0.5);  /* movups xmm0, [rbx] */
	near(clocks_of(m, "0f 10 03", load, 16), 0.75); /* every fourth across a line */
	near(clocks_of(m, "0f 11 03", store, 64), 1);
	near(clocks_of(m, "0f 11 03", store, 16), 1.25);
	near(clocks_of(m, "f0 48 01 03", inside, 0), 18); /* lock add [rbx], rax */
	near(clocks_of(m, "f0 48 01 03", inside, 64), 23);
	core_machine_free(m);
	m = machine("zen2");
	inside.size = 2;
	near(clocks_of(m, "66 f0 01 03", inside, 0), 18); /* forwards nothing */
	core_machine_free(m);
}

/* L. Torvalds, linux-kernel list, 26 September 2001: 18 clocks on a Pentium III. */
static void locked(void **state)
{
	static const char *const names[] = { "ppro", "p2", "p3", "pm" };
	struct core_access access = { .address = 0x10008, .size = 4 };

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct core_machine *m = machine(names[i]);

		near(clocks_of(m, "f0 83 03 01", access, 0), 18); /* lock add [rbx], 1 */
		near(clocks_of(m, "f0 01 03", access, 0), 18);    /* lock add [rbx], eax */
		core_machine_free(m);
	}
}

/* ADC takes two clocks on Sandy Bridge, but its carry is there after one. */
static void carry(void **state)
{
	static const char *const hex[] = { "11 d8", "11 d1" }; /* adc eax, ebx; adc ecx, edx */
	struct core_machine *m = machine("sandybridge");
	struct core_dyn dyn = { .rip = 0x1000 };
	uint64_t total = 0;

	(void)state;
	assert_true(core_reset(&core, m, NULL));
	for (unsigned i = 0; i < 2000; i++) {
		struct core_insn in = insn(m, hex[i % 2]);

		core_step(&core, &in, &dyn, &result);
		total += i < 1000 ? 0 : result.clocks;
	}
	assert_in_range(total, 990, 1010);
	core_free(&core);
	near(clocks_of(m, hex[0], (struct core_access){ 0 }, 0), 2);
	core_machine_free(m);
}

/* P6 waits for the writer of a part to retire; others merge at once. */
static void parts_of_a_register(void **state)
{
	static const char *const lea[] = { "66 8d 04 00", "66 8d 04 00", "66 8d 04 00" };
	static const char *const whole[] = { "8d 04 00", "8d 04 00", "8d 04 00" };

	(void)state;
	assert_int_equal(clocks("p3", lea), 240 * (1 + 5));
	assert_int_equal(clocks("p3", whole), 240);
}

/* Clocks of 64 stores that lie so many bytes apart. */
static unsigned store_clocks(const char *name, unsigned apart)
{
	struct core_machine *m = machine(name);
	struct core_insn in = insn(m, "89 03");
	struct core_dyn dyn = { .rip = 0x1000, .accesses = 1 };
	struct core_result r;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 128; i++) {
		dyn.access[0] = (struct core_access){ .address = 0x10000 + i % 8 * apart,
			                              .size = 4,
			                              .write = true };
		core_step(&c, &in, &dyn, &r);
		sum += i < 64 ? 0 : r.clocks;
	}
	core_free(&c);
	core_machine_free(m);
	return sum;
}

static void stores_to_a_line(void **state)
{
	(void)state;
	assert_in_range(store_clocks("p3", 4), 63, 65);
	assert_in_range(store_clocks("p3", 64), 79, 81);
	assert_in_range(store_clocks("p4p", 4), 111, 113); /* `store_near` */
}

/* Clocks of 64 stores of EAX, each behind a load of a byte that the store before it has. */
static unsigned byte_clocks(const char *name, unsigned at)
{
	struct core_machine *m = machine(name);
	struct core_insn in[] = { insn(m, "89 03"), insn(m, "0f b6 43 01") };
	struct core_dyn dyn = { .rip = 0x1000, .accesses = 1 };
	struct core_result r;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 256; i++) {
		dyn.access[0] = (struct core_access){ .address = 0x10000 + (i % 2 ? at : 0),
			                              .size = i % 2 ? 1 : 4,
			                              .write = !(i % 2) };
		core_step(&c, &in[i % 2], &dyn, &r);
		sum += i < 128 ? 0 : r.clocks;
	}
	core_free(&c);
	core_machine_free(m);
	return sum;
}

/* `forward_start`: NetBurst forwards to loads that begin where the store does. */
static void forwarded_bytes(void **state)
{
	(void)state;
	assert_int_equal(byte_clocks("p3", 1), byte_clocks("p3", 0));
	assert_int_equal(byte_clocks("skylake", 3), byte_clocks("skylake", 0));
	/* each waits 40 clocks from the store's write on */
	assert_true(byte_clocks("p4", 1) > byte_clocks("p4", 0) + 64 * 30);
	assert_int_equal(byte_clocks("p4p", 3), byte_clocks("p4p", 1));
}

/* Clocks of 64 exchanges of a register with memory, in lines so many bytes apart. */
static unsigned exchange_clocks(const char *name, unsigned apart)
{
	struct core_machine *m = machine(name);
	struct core_insn in = insn(m, "87 03");
	struct core_dyn dyn = { .rip = 0x1000, .accesses = 2 };
	struct core_result r;
	struct core c;
	unsigned sum = 0;

	assert_true(core_reset(&c, m, NULL));
	for (unsigned i = 0; i < 128; i++) {
		for (unsigned write = 0; write < 2; write++)
			dyn.access[write] = (struct core_access){
				.address = 0x10000 + i % 8 * apart, .size = 4, .write = write
			};
		core_step(&c, &in, &dyn, &r);
		sum += i < 64 ? 0 : r.clocks;
	}
	core_free(&c);
	core_machine_free(m);
	return sum;
}

/* `locked_near`: the one before it was in the same line. goldencove makes no difference. */
static void locked_in_a_line(void **state)
{
	(void)state;
	assert_int_equal(exchange_clocks("icelake", 0), 64 * 20);
	assert_int_equal(exchange_clocks("icelake", 64), 64 * 18);
	assert_int_equal(exchange_clocks("skylake", 0), 64 * 18);
	assert_int_equal(exchange_clocks("skylake", 64), 64 * 23);
	assert_int_equal(exchange_clocks("goldencove", 0), 64 * 17);
	assert_int_equal(exchange_clocks("goldencove", 64), 64 * 17);
}

/* So many additions of a chain in each of two threads of a core, which take turns. */
static void run_threads(struct core thread[2], const struct core_insn *add, unsigned count)
{
	unsigned steps[2] = { 0 };

	while (steps[0] < count || steps[1] < count) {
		unsigned t = thread[1].retire_clock < thread[0].retire_clock;
		struct core_dyn dyn = { .rip = 0x1000 + steps[t] % 8 * 3 };

		dyn.taken = steps[t] % 8 == 7;
		core_step(&thread[t], add, &dyn, NULL);
		steps[t]++;
	}
}

/* Two threads of zen2 have the queues together: the chain of each goes into one of its own. */
static void queues_of_two_threads(void **state)
{
	static struct core thread[2];
	struct core_machine *m = machine("zen2");
	const struct core_insn add = insn(m, "83 c0 01");
	uint64_t begin;

	(void)state;
	assert_true(core_reset(&thread[0], m, NULL));
	assert_true(core_reset(&thread[1], m, &thread[0]));
	thread[0].running = thread[1].running = 2;
	run_threads(thread, &add, 64);
	begin = thread[0].retire_clock + thread[1].retire_clock + 200;
	for (unsigned t = 0; t < 2; t++) /* nothing waits any more, and the code is known */
		core_sleep(&thread[t], begin);
	run_threads(thread, &add, 2000);
	assert_in_range(thread[0].retire_clock - begin, 1990, 2010);
	assert_in_range(thread[1].retire_clock - begin, 1990, 2010);
	core_free(&thread[1]);
	core_free(&thread[0]);
	core_machine_free(m);
}

/* How often ports take a load that misses by so many clocks, and an addition that needs it. */
static void replays_of(const char *name, unsigned extra, unsigned load, unsigned add)
{
	struct core_machine *m = machine(name);
	struct core_insn of[] = { insn(m, "8b 03"), insn(m, "83 c0 01"), insn(m, "83 c1 01") };
	struct core_dyn dyn = { .rip = 0x1000, .accesses = 1 };

	assert_true(core_reset(&core, m, NULL));
	dyn.access[0] = (struct core_access){ .address = 0x10000, .size = 4, .extra = extra };
	core_step(&core, &of[0], &dyn, &result);
	assert_int_equal(result.port[__builtin_ctz(m->p.port_load)], load);
	assert_int_equal(result.executed, load);
	dyn.accesses = 0;
	core_step(&core, &of[1], &dyn, &result);
	assert_int_equal(result.executed, add);
	core_step(&core, &of[2], &dyn, &result); /* needs nothing of it */
	assert_int_equal(result.executed, 1);
	core_free(&core);
	core_machine_free(m);
}

/*
 * The load of p4n is executed in clocks 0, 7, 14 and, with its data, 16. The addition was sent for
 * the data of a hit, in clock 2, and is executed in 2, 9, 16 and 18. On p4p a uop goes round twice
 * at most.
 */
static void replays(void **state)
{
	(void)state;
	replays_of("p4n", 0, 1, 1);
	replays_of("p4n", 16, 4, 4);
	replays_of("p4n", 180, 27, 27);
	replays_of("p4p", 26, 3, 3);
	replays_of("p4p", 220, 3, 3);
	replays_of("skylake", 180, 1, 1);
}

/*
 * POP to memory keeps its port for ten clocks. So it does if the port was taken when the uop was
 * sent, and free only when its operand was there.
 */
static void replays_late(void **state)
{
	struct core_access load = { .address = 0x10000, .size = 8 };
	struct core_machine *m = machine("p4n");

	(void)state;
	for (load.extra = 0; load.extra < 8; load.extra++)
		near(clocks_of(m, "8f 03", load, 8), 10);
	core_machine_free(m);
}

/* Clocks of a thread whose loads hit, while those of the other thread wait for memory. */
static uint64_t beside_misses(unsigned loop)
{
	static struct core thread[2];
	struct core_machine *m = machine("p4n");
	const struct core_insn load = insn(m, "8b 03");
	uint64_t clocks;

	m->p.replay_loop = (uint16_t)loop;
	assert_true(core_reset(&thread[0], m, NULL));
	assert_true(core_reset(&thread[1], m, &thread[0]));
	thread[0].running = thread[1].running = 2;
	for (unsigned i = 0; i < 4000; i++) {
		unsigned t = thread[1].retire_clock < thread[0].retire_clock;
		struct core_dyn dyn = { .rip = 0x1000, .accesses = 1, .taken = true };

		dyn.access[0] = (struct core_access){ .address = 0x10000 + t * 64,
			                              .size = 4,
			                              .extra = t ? 180 : 0 };
		core_step(&thread[t], &load, &dyn, NULL);
	}
	clocks = thread[0].retire_clock;
	core_free(&thread[1]);
	core_free(&thread[0]);
	core_machine_free(m);
	return clocks;
}

/* What is replayed takes the ports from the other thread. */
static void replays_beside(void **state)
{
	uint64_t with = beside_misses(7), without = beside_misses(0);

	(void)state;
	print_message("%llu clocks, without replay %llu\n", (unsigned long long)with,
	              (unsigned long long)without);
	assert_true(with > without * 11 / 10);
}

/* ---- the kinds of a step ---- */

enum { KINDS = 4, POOL = 1500, STEPS = 4000 };

/* One of them is a silent or a light step, one quick, one any, one is watched besides. */
static struct core kind[KINDS];

static uint32_t seed = 1;

static unsigned draw(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 16) % n;
}

/* An operand for a random encoding: a register of some kind, memory, or a number. */
static ZydisEncoderOperand operand(void)
{
	static const ZydisRegister first[] = {
		ZYDIS_REGISTER_AL,  ZYDIS_REGISTER_AX,   ZYDIS_REGISTER_EAX, ZYDIS_REGISTER_RAX,
		ZYDIS_REGISTER_MM0, ZYDIS_REGISTER_XMM0, ZYDIS_REGISTER_ST0,
	};
	static const uint8_t sizes[] = { 1, 2, 4, 8, 10, 16 };
	ZydisEncoderOperand op = { .type = ZYDIS_OPERAND_TYPE_REGISTER };
	unsigned which = draw(11);

	if (which < 7) {
		op.reg.value = (ZydisRegister)(first[which] + draw(4));
	} else if (which < 10) {
		op.type = ZYDIS_OPERAND_TYPE_MEMORY;
		op.mem.base = (ZydisRegister)(ZYDIS_REGISTER_RAX + draw(4));
		op.mem.index = draw(4) ? ZYDIS_REGISTER_NONE : ZYDIS_REGISTER_RBX;
		op.mem.scale = op.mem.index ? 1 : 0;
		op.mem.size = sizes[draw(6)];
	} else {
		op.type = ZYDIS_OPERAND_TYPE_IMMEDIATE;
		op.imm.u = draw(100);
	}
	return op;
}

struct sample {
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
};

/* A random instruction of 64-bit code with this mnemonic. False: none was found. */
static bool encode(ZydisMnemonic mnemonic, struct sample *s)
{
	static const ZydisInstructionAttributes prefixes[] = { 0, 0, ZYDIS_ATTRIB_HAS_LOCK,
		                                               ZYDIS_ATTRIB_HAS_REP };
	ZydisDecoder decoder;
	uint8_t bytes[15];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (unsigned i = 0; i < 1000; i++) {
		ZydisEncoderRequest request = { .mnemonic = mnemonic,
			                        .machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
			                        .operand_count = (ZyanU8)draw(4) };
		ZyanUSize size = sizeof(bytes);

		request.prefixes = prefixes[draw(4)];
		for (unsigned n = 0; n < request.operand_count; n++)
			request.operands[n] = operand();
		if (ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&request, bytes, &size)) &&
		    ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &s->zi, s->ops)))
			return true;
	}
	return false;
}

/* One of this mnemonic (INVALID: of any) has these attributes. */
static bool has(const struct sample *s, unsigned n, ZydisMnemonic mnemonic, uint64_t attributes)
{
	for (unsigned i = 0; i < n; i++)
		if ((!mnemonic || s[i].zi.mnemonic == mnemonic) &&
		    (s[i].zi.attributes & attributes) == attributes)
			return true;
	return false;
}

/* Accesses of a random instruction: near each other, some across a line, some that miss. */
static void random_accesses(const struct sample *s, struct core_dyn *dyn)
{
	for (unsigned i = 0; i < 2u * s->zi.operand_count; i++) {
		const ZydisDecodedOperand *op = &s->ops[i / 2];

		if (op->type != ZYDIS_OPERAND_TYPE_MEMORY || dyn->accesses == CORE_ACCESSES ||
		    op->mem.type == ZYDIS_MEMOP_TYPE_AGEN ||
		    !(op->actions &
		      (i % 2 ? ZYDIS_OPERAND_ACTION_MASK_WRITE : ZYDIS_OPERAND_ACTION_MASK_READ)))
			continue;
		dyn->access[dyn->accesses++] = (struct core_access){
			.address = 0x10000 + draw(256),
			.size = (uint8_t)(op->size ? op->size / 8 : 1),
			.extra = draw(8) ? 0 : 12,
			.level = 1,
			.write = i % 2,
		};
	}
}

/* What no kind of step may do otherwise; not where they write what nobody reads. */
static void same_state(const struct core *a, const struct core *b)
{
	static const struct {
		size_t from, until;
	} parts[] = {
		{ offsetof(struct core, fetch_clock), offsetof(struct core, cached) },
		{ offsetof(struct core, window_uops), offsetof(struct core, reg) },
		{ offsetof(struct core, part), offsetof(struct core, queue_of) },
		{ offsetof(struct core, store), offsetof(struct core, per_clock) },
		{ offsetof(struct core, store_at), offsetof(struct core, own.full) },
		{ offsetof(struct core, own.unit), sizeof(struct core) },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		assert_memory_equal((const char *)a + parts[i].from,
		                    (const char *)b + parts[i].from,
		                    parts[i].until - parts[i].from);
	assert_memory_equal(a->reg, b->reg, CORE_NOTHING * sizeof(*a->reg));
	assert_memory_equal(a->late, b->late, CORE_NOTHING * sizeof(*a->late));
	assert_int_equal(a->late_until, b->late_until);
	assert_memory_equal(a->queue_of, b->queue_of, CORE_NOTHING);
	for (unsigned i = 0; i < CORE_FULL; i++) {
		assert_int_equal(a->own.full[i].from, b->own.full[i].from);
		assert_int_equal(a->own.full[i].until, b->own.full[i].until);
		assert_int_equal(a->own.full[i].ports, b->own.full[i].ports);
	}
}

static void same_result(const struct core_result *a, const struct core_result *b)
{
	assert_int_equal(a->clocks, b->clocks);
	assert_memory_equal(a->stall, b->stall, sizeof(a->stall));
	assert_memory_equal(a->port, b->port, sizeof(a->port));
	assert_int_equal(a->issued, b->issued);
	assert_int_equal(a->executed, b->executed);
	assert_int_equal(a->uop_cache, b->uop_cache);
	assert_int_equal(a->microcode, b->microcode);
	assert_int_equal(a->macro_fused, b->macro_fused);
	assert_int_equal(a->eliminated, b->eliminated);
	assert_int_equal(a->forwarded, b->forwarded);
	assert_int_equal(a->forward_failed, b->forward_failed);
	assert_int_equal(a->prefix_stall, b->prefix_stall);
	assert_int_equal(a->renamed, b->renamed);
	assert_int_equal(a->done, b->done);
}

/* One instruction in each kind of step. That it is plain only says what may be left out. */
static void step_kinds(const struct core_insn *in, const struct core_dyn *dyn)
{
	struct core_insn slow = *in;
	struct core_result asked, watched;
	uint32_t clocks = core_step(&kind[0], in, dyn, NULL);

	slow.plain = false;
	assert_int_equal(core_step(&kind[1], &slow, dyn, NULL), clocks);
	assert_int_equal(core_step(&kind[2], in, dyn, &asked), clocks);
	assert_int_equal(core_step(&kind[3], in, dyn, &watched), clocks);
	same_result(&asked, &watched);
}

static void kinds_of(const struct core_machine *m, const struct sample *pool, unsigned samples)
{
	uint64_t rip = 0x1000;

	for (unsigned i = 0; i < KINDS; i++)
		assert_true(core_reset(&kind[i], m, NULL));
	assert_true(core_per_clock(&kind[3], true));
	for (unsigned i = 0; i < STEPS; i++) {
		const struct sample *s = &pool[draw(samples)];
		struct core_insn in = core_decode(m, &s->zi, s->ops);
		struct core_dyn dyn = { .rip = rip, .taken = !draw(12) };
		struct sim_step step;

		random_accesses(s, &dyn);
		dyn.mispredicted = dyn.taken && !draw(4);
		dyn.fetch = draw(50) ? 0 : 7;
		step_kinds(&in, &dyn);
		core_per_clock_take(&kind[3], &step);
		rip = dyn.taken ? 0x1000 + draw(64) * 16 : rip + in.length;
		if (i % 64)
			continue;
		for (unsigned k = 1; k < KINDS; k++)
			same_state(&kind[0], &kind[k]);
	}
	for (unsigned i = 0; i < KINDS; i++)
		core_free(&kind[i]);
}

/*
 * A step that leaves something out takes the clocks and leaves the state of one that does not:
 * random sequences of 64-bit code, of the mnemonics that have rows on each machine.
 */
static void kinds(void **state)
{
	struct sample *all = calloc(POOL, sizeof(*all)), *pool = calloc(POOL, sizeof(*pool));
	unsigned found = 0;

	(void)state;
	assert_true(all && pool);
	for (unsigned n = 1; n <= ZYDIS_MNEMONIC_MAX_VALUE; n++)
		for (unsigned i = 0; i < 2 && found < POOL; i++)
			if (strchr("v", *ZydisMnemonicGetString(n)) == NULL)
				found += encode(n, &all[found]);
	print_message("%u instructions\n", found);
	assert_true(found > 1100);
	assert_true(has(all, found, ZYDIS_MNEMONIC_LEA, 0));
	assert_true(has(all, found, ZYDIS_MNEMONIC_PADDB, 0));
	assert_true(has(all, found, ZYDIS_MNEMONIC_INVALID, ZYDIS_ATTRIB_HAS_LOCK));
	assert_true(has(all, found, ZYDIS_MNEMONIC_INVALID, ZYDIS_ATTRIB_HAS_REP));
	for (size_t i = 0; i < core_parameter_text_count; i++) {
		struct core_machine *m;
		unsigned samples = 0;

		if (strcmp(core_parameter_texts[i].name, "parent"))
			continue;
		m = machine(core_parameter_texts[i].machine);
		for (unsigned n = 0; n < found; n++)
			if (m->first[all[n].zi.mnemonic] >= 0)
				pool[samples++] = all[n];
		assert_true(samples > 300);
		kinds_of(m, pool, samples);
		core_machine_free(m);
	}
	free(all);
	free(pool);
}

/* ---- Rows that no instruction reaches ---- */

/* Does every operand that the narrow row takes fit the wide one? */
static bool operand_covers(const struct core_operand *wide, const struct core_operand *narrow)
{
	return !(narrow->tokens & ~wide->tokens) &&
	       (!wide->sizes || (narrow->sizes && !(narrow->sizes & ~wide->sizes)));
}

/* Instructions that never name an operand: all operands are none. */
static bool names_none(unsigned mnemonic)
{
	return mnemonic == ZYDIS_MNEMONIC_CBW || mnemonic == ZYDIS_MNEMONIC_CWDE ||
	       mnemonic == ZYDIS_MNEMONIC_CDQE || mnemonic == ZYDIS_MNEMONIC_CWD ||
	       mnemonic == ZYDIS_MNEMONIC_CDQ || mnemonic == ZYDIS_MNEMONIC_CQO;
}

static bool row_covers(unsigned mnemonic, const struct core_row *wide,
                       const struct core_row *narrow)
{
	if (wide->same != narrow->same || (wide->locked && !narrow->locked) ||
	    (wide->repeated && !narrow->repeated) || wide->address & ~narrow->address)
		return false;
	if (wide->any)
		return true;
	if (narrow->any)
		return names_none(mnemonic);
	if (wide->operands != narrow->operands)
		return false;
	for (unsigned i = 0; i < wide->operands; i++)
		if (!operand_covers(&wide->operand[i], &narrow->operand[i]))
			return false;
	return true;
}

/* live[row of the tables][mnemonic]: no row before it in this machine takes all that it takes. */
static void note_live(const struct core_machine *m, bool (*live)[ZYDIS_MNEMONIC_MAX_VALUE + 1])
{
	for (unsigned mnemonic = 0; mnemonic <= ZYDIS_MNEMONIC_MAX_VALUE; mnemonic++) {
		for (int32_t i = m->first[mnemonic]; i >= 0; i = m->row[i].next) {
			const struct core_row *row = &m->row[i];
			bool covered = false;

			for (int32_t j = m->first[mnemonic]; j != i; j = m->row[j].next)
				covered = covered || row_covers(mnemonic, &m->row[j], row);
			if (!covered)
				live[row->text - core_row_texts][mnemonic] = true;
		}
	}
}

static bool word_lives(const bool *live, const char *word, size_t n)
{
	size_t same = word[n - 1] == '*' ? n - 1 : n;

	for (unsigned i = 0; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++) {
		const char *name = i ? ZydisMnemonicGetString((ZydisMnemonic)i) : "";

		if (live[i] && !strncmp(name, word, same) && (same < n || strlen(name) == n))
			return true;
	}
	return false;
}

/*
 * The first row that fits counts, so a row behind a wider one is never used, in no machine: what it
 * says of an instruction is not what the model does.
 */
static void no_dead_rows(void **state)
{
	bool(*live)[ZYDIS_MNEMONIC_MAX_VALUE + 1] = calloc(core_row_text_count, sizeof(*live));
	unsigned dead = 0;

	(void)state;
	assert_non_null(live);
	for (size_t i = 0; i < core_parameter_text_count; i++) {
		struct core_machine *m;

		if (strcmp(core_parameter_texts[i].name, "parent"))
			continue;
		m = machine(core_parameter_texts[i].machine);
		note_live(m, live);
		core_machine_free(m);
	}
	for (size_t i = 0; i < core_row_text_count; i++) {
		const struct core_row_text *t = &core_row_texts[i];
		size_t n;

		for (const char *word = t->mnemonics; *word; word += n + (word[n] == ' ')) {
			n = strcspn(word, " ");
			if (word_lives(live[i], word, n))
				continue;
			print_error("%s.csv:%u: no instruction reaches %.*s,%s\n", t->table,
			            t->line, (int)n, word, t->operands);
			dead++;
		}
	}
	free(live);
	assert_int_equal(dead, 0);
}

/* ---- Instructions without a row ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Is it of the general instruction set, which every table should know? */
static bool is_general(const ZydisDecodedInstruction *zi)
{
	return zi->meta.isa_ext == ZYDIS_ISA_EXT_BASE || zi->meta.isa_ext == ZYDIS_ISA_EXT_LONGMODE;
}

/* Of the opcodes with 66H, 0FH, both or none before them: mnemonics that m has no row for. */
static void note_rowless(const struct core_machine *m, bool wide, bool *rowless)
{
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction zi;
	ZydisDecoder decoder;

	if (wide)
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	else
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
	for (unsigned i = 0; i < 4 * 65536; i++) {
		uint8_t bytes[15] = { 0x66, 0x0f };
		unsigned from = i >> 16 & 1 ? 0 : 1, map = i >> 17;
		uint8_t *op = bytes + 1 + map;

		op[0] = (uint8_t)(i >> 8);
		op[1] = (uint8_t)i;
		if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes + from, 14, &zi, ops)) &&
		    is_general(&zi) && m->first[zi.mnemonic] < 0)
			rowless[zi.mnemonic] = true;
	}
}

/*
 * What has no row takes the clocks of `*`, which nobody measured: sim/docs/clocks.md has the
 * same list, of skylake.
 */
static void without_a_row(void **state)
{
	static const char *const expected =
		"aaa aad aam aas arpl bound clts cmpxchg8b daa das enter int int1 int3 into lar "
		"lds les lfs lgs lmsw loop loope loopne lsl lss popa popad pusha pushad pushfd rsm "
		"salc sgdt sidt sldt smsw str swapgs syscall sysenter sysexit sysret ud0 ud1 ud2 "
		"verr verw xlat";
	static bool rowless[ZYDIS_MNEMONIC_MAX_VALUE + 1];
	const char *names[ZYDIS_MNEMONIC_MAX_VALUE + 1] = { NULL };
	struct core_machine *m = machine("skylake");
	char text[4096] = "";
	size_t n = 0;

	(void)state;
	note_rowless(m, false, rowless);
	note_rowless(m, true, rowless);
	core_machine_free(m);
	for (unsigned i = 1; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++)
		if (rowless[i])
			names[n++] = ZydisMnemonicGetString((ZydisMnemonic)i);
	qsort(names, n, sizeof(names[0]), by_name);
	for (size_t i = 0; i < n; i++) {
		strcat(text, i ? " " : "");
		strcat(text, names[i]);
	}
	assert_string_equal(text, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_machine),
		cmocka_unit_test(shares),
		cmocka_unit_test(no_machine),
		cmocka_unit_test(rows_of_skylake),
		cmocka_unit_test(angles),
		cmocka_unit_test(cases_of_a_row),
		cmocka_unit_test(cases_of_a_quotient),
		cmocka_unit_test(room_in_the_shadow),
		cmocka_unit_test(fates),
		cmocka_unit_test(register_reads),
		cmocka_unit_test(length_changing),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(prefixes_in_loops),
		cmocka_unit_test(microcode_waits),
		cmocka_unit_test(windows),
		cmocka_unit_test(short_loop),
		cmocka_unit_test(nops),
		cmocka_unit_test(chases),
		cmocka_unit_test(queues),
		cmocka_unit_test(exchanges),
		cmocka_unit_test(exchanged_bits),
		cmocka_unit_test(wide_immediates),
		cmocka_unit_test(flags_that_stay),
		cmocka_unit_test(high_bytes),
		cmocka_unit_test(floating_point_moves),
		cmocka_unit_test(accesses),
		cmocka_unit_test(locked),
		cmocka_unit_test(carry),
		cmocka_unit_test(parts_of_a_register),
		cmocka_unit_test(stores_to_a_line),
		cmocka_unit_test(forwarded_bytes),
		cmocka_unit_test(locked_in_a_line),
		cmocka_unit_test(queues_of_two_threads),
		cmocka_unit_test(replays),
		cmocka_unit_test(replays_late),
		cmocka_unit_test(replays_beside),
		cmocka_unit_test(kinds),
		cmocka_unit_test(no_dead_rows),
		cmocka_unit_test(without_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
