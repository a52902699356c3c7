/*
 * Events of the superscalar core: short programs whose counts are known, from the code to the
 * counter. Each program is repeated behind a warm-up; the counts are those of the repetitions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/pmu/pmu.h"
#include "sim/timing/core_signals.h"

enum {
	REPEATS = 100,
	WARM_UP = 20,
	EVTSEL = 0x186,
	COUNTER = 0xc1,
	GLOBAL_CTRL = 0x38f,
	ENABLED = 1 << 22 | 3 << 16,
	OPERANDS = 0x100000, /* where all memory operands are, plus displacement */
};

struct program {
	struct core_machine *m;
	struct core core;
	struct sim_pmu *pmu;
	const char *code;
	uint64_t rip;
};

/* The next instruction of hex digits; they end with a zero, instructions with a blank. */
static const char *take(const char *hex, uint8_t bytes[15], size_t *n)
{
	for (*n = 0; *hex && *hex != ' '; hex += 2)
		bytes[(*n)++] = (uint8_t)strtoul((char[]){ hex[0], hex[1], 0 }, NULL, 16);
	return *hex ? hex + 1 : hex;
}

static void accesses(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops,
                     struct core_dyn *dyn)
{
	for (unsigned write = 0; write < 2; write++)
		for (unsigned i = 0; i < zi->operand_count; i++)
			if (ops[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			    ops[i].mem.type == ZYDIS_MEMOP_TYPE_MEM &&
			    ops[i].actions & (write ? ZYDIS_OPERAND_ACTION_MASK_WRITE
			                            : ZYDIS_OPERAND_ACTION_MASK_READ))
				dyn->access[dyn->accesses++] = (struct core_access){
					.address = OPERANDS + (uint64_t)ops[i].mem.disp.value,
					.size = (uint8_t)(ops[i].size / 8),
					.write = write,
				};
}

static void run_once(struct program *p)
{
	const char *hex = p->code;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	p->rip = 0x400000;
	while (*hex) {
		ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
		struct sim_step step = { .rip = p->rip };
		struct core_dyn dyn = { .rip = p->rip };
		ZydisDecodedInstruction zi;
		struct core_result result;
		struct core_insn insn;
		uint8_t bytes[15];
		size_t n;

		hex = take(hex, bytes, &n);
		assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, n, &zi, ops)));
		insn = core_decode(p->m, &zi, ops);
		accesses(&zi, ops, &dyn);
		dyn.taken = !*hex;
		core_step(&p->core, &insn, &dyn, &result);
		step.clocks = result.clocks;
		sim_step_add(&step, SIG_CLOCKS, result.clocks);
		sim_step_add(&step, SIG_INSTRUCTIONS, 1);
		core_signals(&result, &step);
		if (!sim_pmu_idle(p->pmu))
			sim_pmu_retire(p->pmu, &step);
		p->rip += n;
	}
}

/* What the counter says of REPEATS rounds of the code. */
static uint64_t count(const char *model, const char *code, uint64_t event)
{
	static const struct sim_pmu_host host;
	struct program p = { .code = code };
	const char *why;
	uint64_t value;

	p.m = core_machine(model, &why);
	assert_non_null(p.m);
	assert_true(core_reset(&p.core, p.m, NULL));
	p.pmu = sim_pmu_new(sim_pmu_model(model), &host, NULL);
	assert_non_null(p.pmu);
	p.pmu->core = true;
	for (unsigned i = 0; i < WARM_UP; i++)
		run_once(&p);
	assert_int_equal(sim_pmu_wrmsr(p.pmu, EVTSEL, event | ENABLED), MSR_OK);
	assert_int_equal(sim_pmu_wrmsr(p.pmu, GLOBAL_CTRL, 1), MSR_OK);
	for (unsigned i = 0; i < REPEATS; i++)
		run_once(&p);
	assert_int_equal(sim_pmu_rdmsr(p.pmu, COUNTER, &value), MSR_OK);
	assert_true(sim_pmu_counter_derived(p.pmu, 0));
	sim_pmu_free(p.pmu);
	core_free(&p.core);
	core_machine_free(p.m);
	return value;
}

static uint64_t event(unsigned code, unsigned umask)
{
	return code | umask << 8;
}

static unsigned port(unsigned n)
{
	return 0xa1 | 0x100 << n;
}

#define IMUL      "480fafc0"
#define ADD4      "4801c0 4801d2 4801c9 4801ed"
#define ADD12     ADD4 " " ADD4 " " ADD4
#define LOAD      "488b06"
#define STORE     "488906"
#define FOUR_ZERO "31c0 31d2 31c9 31ed"

static void ports(void **state)
{
	uint64_t sum = 0;

	(void)state;
	for (unsigned n = 0; n < 8; n++)
		assert_int_equal(count("skylake", IMUL, port(n)), n == 1 ? REPEATS : 0);
	for (unsigned n = 0; n < 8; n++) {
		uint64_t at = count("skylake", ADD4, port(n));

		sum += at;
		assert_int_equal(at != 0, n == 0 || n == 1 || n == 5 || n == 6);
	}
	assert_int_equal(sum, 4 * REPEATS);
	assert_int_equal(count("skylake", LOAD, port(2)) + count("skylake", LOAD, port(3)),
	                 REPEATS);
	assert_int_equal(count("skylake", STORE, port(4)), REPEATS);
	assert_int_equal(count("skylake", STORE, port(2)) + count("skylake", STORE, port(3)) +
	                         count("skylake", STORE, port(7)),
	                 REPEATS);
}

/* The same port under the names of each model. */
static void port_names(void **state)
{
	(void)state;
	assert_int_equal(count("core2", LOAD, port(2)), REPEATS);
	assert_int_equal(count("nehalem", LOAD, event(0xb1, 0x04)), REPEATS);
	assert_int_equal(count("nehalem", ADD4, event(0xb1, 0x40)), 4 * REPEATS);
	assert_int_equal(count("sandybridge", STORE, event(0xa1, 0x40)), REPEATS);
	assert_int_equal(count("icelake", LOAD, event(0xa1, 0x04)), REPEATS);
	assert_int_equal(count("icelake", STORE, event(0xa1, 0x10)), REPEATS);
	assert_int_equal(count("goldencove", LOAD, event(0xb2, 0x04)), REPEATS);
	assert_int_equal(count("goldencove", STORE, event(0xb2, 0x80)), REPEATS);
}

static void uops(void **state)
{
	(void)state;
	/* issued, executed, retired */
	assert_int_equal(count("skylake", STORE, event(0x0e, 1)), REPEATS);
	assert_int_equal(count("skylake", STORE, event(0xb1, 1)), 2 * REPEATS);
	assert_int_equal(count("skylake", STORE, event(0xc2, 2)), REPEATS);
	/* done by renaming */
	assert_int_equal(count("skylake", FOUR_ZERO, event(0x0e, 1)), 4 * REPEATS);
	assert_int_equal(count("skylake", FOUR_ZERO, event(0xb1, 1)), 0);
	/* TEST and JNZ are one */
	assert_int_equal(count("skylake", "85c0 75fc", event(0x0e, 1)), REPEATS);
	assert_int_equal(count("skylake", "85c0 75fc", event(0xc2, 4)), REPEATS);
	/* from the uop cache */
	assert_int_equal(count("skylake", ADD12, event(0x79, 8)), 12 * REPEATS);
	assert_int_equal(count("skylake", ADD12, event(0x79, 4)), 0);
	assert_int_equal(count("nehalem", ADD12, event(0x0e, 1)), 12 * REPEATS);
}

static void forwarding(void **state)
{
	(void)state;
	/* a byte is stored and eight are loaded; eight are stored and a byte is loaded */
	assert_int_equal(count("skylake", "8806 488b16", event(0x03, 2)), REPEATS);
	assert_int_equal(count("skylake", "488906 8a16", event(0x03, 2)), 0);
	assert_int_equal(count("goldencove", "8806 488b16", event(0x03, 0x82)), REPEATS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports),
		cmocka_unit_test(port_names),
		cmocka_unit_test(uops),
		cmocka_unit_test(forwarding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
