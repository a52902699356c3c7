/*
 * sim/tests/test_pmu_p5.c - CESR, CTR0, CTR1 of the Pentium and Pentium MMX.
 *
 * Layout: SDM volume 3B, "Performance Monitoring (Pentium Processor)". A half of CESR is event |
 * CC << 6 | PC << 9, CC = 1 events at CPL 0-2, 2 at CPL 3, 5 and 6 the clocks of them.
 */
#include "pmu_env.h"

#define CESR 0x11
#define CTR0 0x12
#define CTR1 0x13

static struct env env;

static uint64_t cesr(unsigned half0, unsigned half1)
{
	return half0 | (uint64_t)half1 << 16;
}

static int setup(void **state)
{
	(void)state;
	env_open(&env, "p5");
	return 0;
}

static int setup_mmx(void **state)
{
	(void)state;
	env_open(&env, "p5mmx");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	env_close(&env);
	return 0;
}

static void test_registers(void **state)
{
	(void)state;
	env_writable_bits(&env, CESR, 0x03ff03ff);
	env_wrmsr(&env, CTR0, 0xffffff123456789a);
	assert_int_equal(env_rdmsr(&env, CTR0), 0x123456789a);
	env_wrmsr(&env, CTR1, 0xffffffffff);
	assert_int_equal(env_rdmsr(&env, CTR1), 0xffffffffff);
	env_no_msr(&env, 0x186);
	env_no_msr(&env, 0xc1);
}

/* The example of the article: 16h on counter 0 and 17h on counter 1 at CPL 0-2 is 00570056h. */
static void test_example(void **state)
{
	(void)state;
	assert_true(sim_pmu_idle(env.pmu));
	env_wrmsr(&env, CESR, 0x00570056);
	assert_false(sim_pmu_idle(env.pmu));
	env_insn(&env, 0, 1, SIG_COUNT);
	env_insn(&env, 0, 0, SIG_V_PIPE, 1, SIG_COUNT); /* pairs: no clock of its own */
	env_insn(&env, 0, 1, SIG_COUNT);
	env_insn(&env, 3, 1, SIG_COUNT); /* CPL 3: not counted */
	env_wrmsr(&env, CESR, 0);
	env_insn(&env, 0, 1, SIG_COUNT); /* stopped */
	assert_int_equal(env_rdmsr(&env, CTR0), 3);
	assert_int_equal(env_rdmsr(&env, CTR1), 1);
}

/* 8 settings of CC, on one read at each CPL. */
static void test_count_control(void **state)
{
	static const unsigned expected[8] = { 0, 3, 1, 4, 0, 3, 1, 4 };

	(void)state;
	for (unsigned cc = 0; cc < 8; cc++) {
		env_wrmsr(&env, CESR, cesr(0x00 | cc << 6, 0));
		env_wrmsr(&env, CTR0, 0);
		for (unsigned cpl = 0; cpl < 4; cpl++)
			env_insn(&env, cpl, 1, SIG_LOADS, 1, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, CTR0), expected[cc]);
	}
}

/*
 * Clocks instead of occurrences: POPAD-like, 7 reads delivered in the last of 5 clocks, is 7 reads
 * but 1 clock. A pair of two reads is 2 reads in 1 clock. AGI: 1 lost clock either way.
 */
static void test_clocks_mode(void **state)
{
	(void)state;
	env_wrmsr(&env, CESR, cesr(0x00 | 1 << 6, 0x00 | 5 << 6));
	env_insn(&env, 0, 5, SIG_LOADS, 7, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, CTR0), 7);
	assert_int_equal(env_rdmsr(&env, CTR1), 1);
	env_insn(&env, 0, 1, SIG_LOADS, 1, SIG_COUNT);
	env_insn(&env, 0, 0, SIG_LOADS, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, CTR0), 9);
	assert_int_equal(env_rdmsr(&env, CTR1), 2);
	/* U without, V with a read: the clock of the pair has one. */
	env_insn(&env, 0, 1, SIG_COUNT);
	env_insn(&env, 0, 0, SIG_LOADS, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, CTR1), 3);

	env_wrmsr(&env, CESR, cesr(0x1f | 1 << 6, 0x1f | 5 << 6));
	env_wrmsr(&env, CTR0, 0);
	env_wrmsr(&env, CTR1, 0);
	env_insn(&env, 0, 3, SIG_AGI_STALL, 2, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, CTR0), 2);
	assert_int_equal(env_rdmsr(&env, CTR1), 2);
}

/* Pin: increments with PC = 0, overflows with PC = 1; 40 bits wrap to 0. */
static void test_overflow_and_pins(void **state)
{
	(void)state;
	env_wrmsr(&env, CESR, cesr(0x16 | 1 << 6, 0x16 | 1 << 6 | 1 << 9));
	env_wrmsr(&env, CTR1, 0xfffffffffe);
	env_nops(&env, 5);
	assert_int_equal(env_rdmsr(&env, CTR1), 3);
	assert_int_equal(sim_pmu_pin(env.pmu, 0), 5);
	assert_int_equal(sim_pmu_pin(env.pmu, 1), 1);
	assert_int_equal(env.pmis, 0);
}

static void test_no_mmx_events(void **state)
{
	uint64_t value;

	(void)state;
	env_wrmsr(&env, CESR, cesr(0x30 | 1 << 6, 0x39 | 1 << 6));
	env_nops(&env, 4);
	assert_int_equal(env_rdmsr(&env, CTR0), 0);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 0, &value), RDPMC_UD);
}

/* 30h: clocks not halted on counter 0, DTLB stall clocks on counter 1; 39h: returns on 0 only. */
static void test_mmx(void **state)
{
	uint64_t value;

	(void)state;
	env_wrmsr(&env, CESR, cesr(0x30 | 3 << 6, 0x30 | 3 << 6));
	env_insn(&env, 3, 7, SIG_DTLB_STALL, 4, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 7);
	assert_int_equal(env_rdpmc(&env, 1), 4);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 2, &value), RDPMC_GP);
	env_wrmsr(&env, CESR, cesr(0x39 | 3 << 6, 0x39 | 3 << 6));
	env_wrmsr(&env, CTR0, 0);
	env_wrmsr(&env, CTR1, 0);
	env_branch(&env, 0, BRANCH_RETURN, 0x1000, 0x2000, true, false);
	assert_int_equal(env_rdpmc(&env, 0), 1);
	assert_int_equal(env_rdpmc(&env, 1), 0);
}

/*
 * The derived events by their codes in the article and the SDM, and for 2ah and up by counter: the
 * signal that an event counts, or the two signals that it adds. SIG_COUNT: no signal.
 */
static const struct {
	unsigned code, counter;
	enum sim_signal a, b;
} codes[] = {
	{ 0x00, 0, SIG_LOADS, SIG_COUNT },
	{ 0x01, 0, SIG_STORES, SIG_COUNT },
	{ 0x02, 0, SIG_DTLB_LOAD_MISS, SIG_DTLB_STORE_MISS },
	{ 0x03, 0, SIG_L1D_LOAD_MISS, SIG_COUNT },
	{ 0x04, 0, SIG_L1D_STORE_MISS, SIG_COUNT },
	{ 0x05, 0, SIG_STORE_HIT_EM, SIG_COUNT },
	{ 0x06, 0, SIG_L1D_WRITEBACK, SIG_COUNT },
	{ 0x07, 0, SIG_COUNT, SIG_COUNT },
	{ 0x08, 0, SIG_COUNT, SIG_COUNT },
	{ 0x09, 0, SIG_BOTH_PIPES_MEM, SIG_COUNT },
	{ 0x0a, 0, SIG_BANK_CONFLICT, SIG_COUNT },
	{ 0x0b, 0, SIG_MISALIGNED, SIG_COUNT },
	{ 0x0c, 0, SIG_L1I_FETCH, SIG_COUNT },
	{ 0x0d, 0, SIG_ITLB_MISS, SIG_COUNT },
	{ 0x0e, 0, SIG_L1I_MISS, SIG_COUNT },
	{ 0x0f, 0, SIG_SEGMENT_LOADS, SIG_COUNT },
	{ 0x12, 0, SIG_BRANCHES, SIG_COUNT },
	{ 0x13, 0, SIG_BTB_HIT, SIG_COUNT },
	{ 0x14, 0, SIG_TAKEN_OR_BTB_HIT, SIG_COUNT },
	{ 0x15, 0, SIG_PIPELINE_FLUSH, SIG_COUNT },
	{ 0x16, 0, SIG_INSTRUCTIONS, SIG_COUNT },
	{ 0x17, 0, SIG_V_PIPE, SIG_COUNT },
	{ 0x18, 0, SIG_BUS_BUSY, SIG_COUNT },
	{ 0x19, 0, SIG_WRITE_STALL, SIG_COUNT },
	{ 0x1a, 0, SIG_READ_STALL, SIG_COUNT },
	{ 0x1b, 0, SIG_EM_STALL, SIG_COUNT },
	{ 0x1c, 0, SIG_LOCKED, SIG_COUNT },
	{ 0x1d, 0, SIG_IO_READ, SIG_IO_WRITE },
	{ 0x1e, 0, SIG_UNCACHED_READ, SIG_COUNT },
	{ 0x1f, 0, SIG_AGI_STALL, SIG_COUNT },
	{ 0x22, 0, SIG_X87_OPS, SIG_COUNT },
	{ 0x23, 0, SIG_BREAKPOINT_0, SIG_COUNT },
	{ 0x24, 1, SIG_BREAKPOINT_1, SIG_COUNT },
	{ 0x25, 0, SIG_BREAKPOINT_2, SIG_COUNT },
	{ 0x26, 1, SIG_BREAKPOINT_3, SIG_COUNT },
	{ 0x27, 0, SIG_INTERRUPTS_HW, SIG_COUNT },
	{ 0x28, 0, SIG_LOADS, SIG_STORES },
	{ 0x29, 0, SIG_L1D_LOAD_MISS, SIG_L1D_STORE_MISS },
	{ 0x2a, 0, SIG_COUNT, SIG_COUNT },
	{ 0x2b, 0, SIG_MMX_U, SIG_COUNT },
	{ 0x2b, 1, SIG_MMX_V, SIG_COUNT },
	{ 0x2d, 0, SIG_EMMS, SIG_COUNT },
	{ 0x2d, 1, SIG_MMX_TO_FP, SIG_FP_TO_MMX },
	{ 0x2e, 1, SIG_UNCACHED_WRITE, SIG_IO_WRITE },
	{ 0x2f, 0, SIG_MMX_SATURATING, SIG_COUNT },
	{ 0x31, 0, SIG_MMX_LOADS, SIG_COUNT },
	{ 0x31, 1, SIG_MMX_LOAD_MISS, SIG_COUNT },
	{ 0x32, 0, SIG_FP_STALL, SIG_COUNT },
	{ 0x32, 1, SIG_TAKEN, SIG_COUNT },
	{ 0x34, 0, SIG_MMX_STORES, SIG_COUNT },
	{ 0x34, 1, SIG_MMX_STORE_MISS, SIG_COUNT },
	{ 0x35, 0, SIG_FLUSH_BRANCH, SIG_COUNT },
	{ 0x35, 1, SIG_FLUSH_BRANCH_WB, SIG_COUNT },
	{ 0x36, 0, SIG_MMX_MISALIGNED, SIG_COUNT },
	{ 0x36, 1, SIG_MMX_READ_STALL, SIG_COUNT },
	{ 0x37, 0, SIG_RETURN_MISSED, SIG_COUNT },
	{ 0x37, 1, SIG_RETURN_PREDICTED, SIG_COUNT },
	{ 0x38, 0, SIG_MMX_MUL_STALL, SIG_COUNT },
	{ 0x38, 1, SIG_MMX_STORE_STALL, SIG_COUNT },
	{ 0x3a, 1, SIG_BTB_NOT_TAKEN, SIG_COUNT },
};

/* An instruction that makes 1000, 1001, 1002, ... of all signals must show the right one. */
static void test_event_codes(void **state)
{
	(void)state;
	sim_step_clear(&env.step);
	env.step.clocks = 1;
	for (unsigned sig = 0; sig < SIG_COUNT; sig++)
		sim_step_add(&env.step, (enum sim_signal)sig, 1000 + sig);
	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		unsigned expected = (codes[i].a == SIG_COUNT ? 0 : 1000 + codes[i].a) +
		                    (codes[i].b == SIG_COUNT ? 0 : 1000 + codes[i].b);
		unsigned h = codes[i].code | 1 << 6;

		env_wrmsr(&env, CESR, codes[i].counter ? cesr(0, h) : cesr(h, 0));
		env_wrmsr(&env, CTR0 + codes[i].counter, 0);
		sim_pmu_retire(env.pmu, &env.step);
		assert_int_equal(env_rdmsr(&env, CTR0 + codes[i].counter), expected);
	}
}

static void test_faults(void **state)
{
	uint64_t value;

	(void)state;
	env_wrmsr(&env, CESR, cesr(0x16 | 1 << 6, 0));
	sim_pmu_set_fault(env.pmu, PMU_FAULT_FAST, 0);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 6);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_ZERO, 0);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 0);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_STUCK, 0);
	env_wrmsr(&env, CTR0, 77);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 77);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_LOOSE, 0);
	env_wrmsr(&env, CESR, 0);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 80);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_GP, 0);
	assert_int_equal(sim_pmu_rdmsr(env.pmu, CTR0, &value), MSR_GP);
	assert_int_equal(sim_pmu_wrmsr(env.pmu, CESR, 0), MSR_GP);
	assert_int_equal(sim_pmu_wrmsr(env.pmu, 0x1234, 0), MSR_NOT_MINE);
}

/* Faults that leave most counts right. */
static void test_quiet_faults(void **state)
{
	(void)state;
	sim_pmu_set_fault(env.pmu, PMU_FAULT_BUDGET, 1);
	env_wrmsr(&env, CESR, cesr(0x16 | 1 << 6, 0x16 | 1 << 6));
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 3);
	assert_int_equal(env_rdmsr(&env, CTR0 + 1), 0);
	env_wrmsr(&env, CESR, cesr(0, 0x16 | 1 << 6)); /* alone it counts */
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0 + 1), 3);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_OFF_BY_ONE, 3);
	assert_int_equal(env_rdmsr(&env, CTR0 + 1), 3);
	assert_int_equal(env_rdmsr(&env, CTR0 + 1), 3);
	assert_int_equal(env_rdmsr(&env, CTR0 + 1), 4);
	assert_int_equal(env_rdmsr(&env, CTR0 + 1), 3);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_ALIAS, 0);
	env_wrmsr(&env, CTR0, 1234);
	assert_int_equal(env_rdmsr(&env, CTR0 + 1), 1234);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_ONE_LEVEL, 0);
	env_wrmsr(&env, CESR, cesr(0x16 | 3 << 6, 0));
	env_wrmsr(&env, CTR0, 0);
	env_nops(&env, 3);
	env_insn(&env, 3, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, CTR0), 3);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_WRAP32, 0);
	env_wrmsr(&env, CTR0, 0xffffffff);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 2); /* and no carry */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_registers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_example, setup, teardown),
		cmocka_unit_test_setup_teardown(test_count_control, setup, teardown),
		cmocka_unit_test_setup_teardown(test_clocks_mode, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overflow_and_pins, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_mmx_events, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mmx, setup_mmx, teardown),
		cmocka_unit_test_setup_teardown(test_event_codes, setup_mmx, teardown),
		cmocka_unit_test_setup_teardown(test_faults, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quiet_faults, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
