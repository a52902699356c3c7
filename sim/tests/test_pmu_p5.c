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

/* 30h is clocks not halted on counter 0 and DTLB stall clocks on counter 1; 39h returns on 0 only. */
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

static void test_faults(void **state)
{
	uint64_t value;

	(void)state;
	env_wrmsr(&env, CESR, cesr(0x16 | 1 << 6, 0));
	sim_pmu_set_fault(env.pmu, PMU_FAULT_FAST);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 6);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_ZERO);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 0);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_STUCK);
	env_wrmsr(&env, CTR0, 77);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 77);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_LOOSE);
	env_wrmsr(&env, CESR, 0);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, CTR0), 80);
	sim_pmu_set_fault(env.pmu, PMU_FAULT_GP);
	assert_int_equal(sim_pmu_rdmsr(env.pmu, CTR0, &value), MSR_GP);
	assert_int_equal(sim_pmu_wrmsr(env.pmu, CESR, 0), MSR_GP);
	assert_int_equal(sim_pmu_wrmsr(env.pmu, 0x1234, 0), MSR_NOT_MINE);
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
		cmocka_unit_test_setup_teardown(test_faults, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
