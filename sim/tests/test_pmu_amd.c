/*
 * sim/tests/test_pmu_amd.c - AMD: K7, K8, the core extension, PerfMonV2.
 *
 * Layout: AMD64 APM volume 2, "Performance Monitoring". Event 7:0 and 35:32, unit mask 15:8, USR
 * 16, OS 17, edge 18, INT 20, EN 22, INV 23, CMASK 31:24.
 */
#include "pmu_env.h"

#define K7_EVTSEL(n) (0xc0010000u + (n))
#define K7_CTR(n)    (0xc0010004u + (n))
#define EVTSEL(n)    (0xc0010200u + 2 * (n))
#define CTR(n)       (0xc0010201u + 2 * (n))
#define HWCR         0xc0010015u
#define IRPERF       0xc00000e9u
#define STATUS       0xc0000300u
#define GLOBAL_CTL   0xc0000301u
#define STATUS_CLR   0xc0000302u
#define STATUS_SET   0xc0000303u

#define USR      0x10000u
#define OS       0x20000u
#define EDGE     0x40000u
#define INT      0x100000u
#define EN       0x400000u
#define INV      0x800000u
#define CMASK(n) ((uint64_t)(n) << 24)
#define BIT(n)   (1ull << (n))

static struct env env;

static int setup(void **state)
{
	env_open(&env, *state);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	env_close(&env);
	return 0;
}

static void test_k7(void **state)
{
	uint64_t value;

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		env_writable_bits(&env, K7_EVTSEL(n), 0xffd7ffff);
		env_wrmsr(&env, K7_CTR(n), 0xffff800000000000 + n);
		assert_int_equal(env_rdpmc(&env, n), 0x800000000000 + n);
	}
	env_no_msr(&env, EVTSEL(0));
	env_no_msr(&env, STATUS);
	env_no_msr(&env, IRPERF);
	env_no_msr(&env, 0x186);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 4, &value), RDPMC_GP);
	/* Independent counters; no status, the interrupt comes from the wrap at 48 bits. */
	env_wrmsr(&env, K7_CTR(1), (uint64_t)-3);
	env_wrmsr(&env, K7_CTR(2), 0);
	env_wrmsr(&env, K7_EVTSEL(1), 0xc0 | OS | EN | INT);
	env_wrmsr(&env, K7_EVTSEL(2), 0x76 | USR | EN);
	env_insn(&env, 0, 5, SIG_COUNT);
	env_insn(&env, 3, 5, SIG_COUNT);
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 1), 0);
	assert_int_equal(env_rdpmc(&env, 2), 5);
	assert_int_equal(env.pmis, 1);
}

/*
 * Branches, taken ones and far transfers count exceptions and interrupts (BKDG of families 0FH and
 * 10H, PPR of family 17H, events C2H, C4H, C6H); instructions (C0H) do up to family 10H.
 */
static void events_in_between(unsigned instructions)
{
	static const uint8_t events[] = { 0xc0, 0xc2, 0xc4, 0xc6 };

	for (unsigned n = 0; n < 4; n++) {
		env_wrmsr(&env, K7_CTR(n), 0);
		env_wrmsr(&env, K7_EVTSEL(n), events[n] | OS | EN);
	}
	for (unsigned i = 0; i < 5; i++) {
		sim_step_clear(&env.step);
		sim_step_interrupt(&env.step, i < 2);
		sim_pmu_retire(env.pmu, &env.step);
	}
	assert_int_equal(env_rdpmc(&env, 0), instructions);
	for (unsigned n = 1; n < 4; n++)
		assert_int_equal(env_rdpmc(&env, n), 5);
}

static void test_events_in_between(void **state)
{
	(void)state;
	events_in_between(0);
}

static void test_counted_interrupts(void **state)
{
	(void)state;
	events_in_between(5);
}

/* Four old addresses and six new ones, the first four are the same registers. */
static void test_core_extension(void **state)
{
	(void)state;
	env_writable_bits(&env, EVTSEL(5), 0x30fffd7ffff);
	env_wrmsr(&env, EVTSEL(3), 0xc0 | OS | EN);
	assert_int_equal(env_rdmsr(&env, K7_EVTSEL(3)), 0xc0 | OS | EN);
	env_wrmsr(&env, K7_CTR(3), 7);
	env_wrmsr(&env, EVTSEL(5), 0xc4 | OS | EN);
	env_branch(&env, 0, BRANCH_JUMP, 0, 1, true, false);
	assert_int_equal(env_rdmsr(&env, CTR(3)), 8);
	assert_int_equal(env_rdpmc(&env, 5), 1);
	env_no_msr(&env, EVTSEL(6));
	/* Northbridge and L3 counters are there and count nothing. */
	env_wrmsr(&env, 0xc0010240, 0xc0 | EN);
	env_wrmsr(&env, 0xc0010231, 9);
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 6), 0);
	assert_int_equal(env_rdpmc(&env, 10), 9);
}

/* Unit masks of Zen: RD_BLK_L 80h loads, RD_BLK_X 40h stores, CACHEABLE_IC_READ 10h code. */
static void test_unit_masks(void **state)
{
	static const unsigned mask[] = { 0x80, 0x40, 0x10, 0xd0, 0x02, 0x00 };
	static const unsigned expected[] = { 3, 4, 5, 12, 0, 0 };

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		env_wrmsr(&env, EVTSEL(0), 0x60 | mask[i] << 8 | OS | EN);
		env_wrmsr(&env, CTR(0), 0);
		env_insn(&env, 0, 1, SIG_L2_LOAD_MISS, 1, SIG_L2_LOAD_HIT_E, 2, SIG_L2_STORE_MISS,
		         4, SIG_L2_CODE_MISS, 5, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 0), expected[i]);
	}
}

static void test_cmask(void **state)
{
	(void)state;
	/* Ops per clock 0 0 2 1: at least 2 once, fewer than 2 three times, one edge of any. */
	env_wrmsr(&env, EVTSEL(0), 0xc1 | OS | EN | CMASK(2));
	env_wrmsr(&env, EVTSEL(1), 0xc1 | OS | EN | CMASK(2) | INV);
	env_wrmsr(&env, EVTSEL(2), 0xc1 | OS | EN | CMASK(1) | EDGE);
	env_insn(&env, 0, 3, SIG_UOPS, 2, SIG_COUNT);
	env_insn(&env, 0, 1, SIG_UOPS, 1, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 1);
	assert_int_equal(env_rdpmc(&env, 1), 3);
	assert_int_equal(env_rdpmc(&env, 2), 1);
}

/* Without SVM a guest-only or host-only counter stands still, with both bits it counts. */
static void test_guest_host(void **state)
{
	static const unsigned expected[4] = { 1, 0, 0, 1 };

	(void)state;
	for (uint64_t bits = 0; bits < 4; bits++) {
		env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | EN | bits << 40);
		env_wrmsr(&env, CTR(0), 0);
		env_nops(&env, 1);
		assert_int_equal(env_rdpmc(&env, 0), expected[bits]);
	}
}

static void test_irperf(void **state)
{
	(void)state;
	env_nops(&env, 2);
	assert_int_equal(env_rdmsr(&env, IRPERF), 0);
	env_wrmsr(&env, HWCR, BIT(30));
	assert_false(sim_pmu_idle(env.pmu));
	env_nops(&env, 2);
	env_insn(&env, 3, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, IRPERF), 3);
	env_wrmsr_gp(&env, IRPERF, 0);
}

/* Zen 4: event 120h/01h is clocks at the rate of the TSC. */
static void test_wide_event(void **state)
{
	(void)state;
	env_wrmsr(&env, EVTSEL(0), 0x100000120 | OS | EN);
	env_insn(&env, 0, 6, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 6);
}

static void test_perfmon_v2(void **state)
{
	(void)state;
	assert_int_equal(env_rdmsr(&env, GLOBAL_CTL), 0x3f);
	env_writable_bits(&env, GLOBAL_CTL, 0x3f);
	env_wrmsr(&env, EVTSEL(4), 0xc0 | OS | EN | INT);
	env_nops(&env, 3);
	assert_int_equal(env_rdpmc(&env, 4), 0);
	env_wrmsr(&env, CTR(4), (uint64_t)-2);
	env_wrmsr(&env, GLOBAL_CTL, 0x10);
	env_nops(&env, 3);
	assert_int_equal(env_rdpmc(&env, 4), 1);
	assert_int_equal(env_rdmsr(&env, STATUS), 0x10);
	assert_int_equal(env.pmis, 1);
	env_wrmsr_gp(&env, STATUS, 0);
	env_wrmsr(&env, STATUS_SET, 1);
	assert_int_equal(env_rdmsr(&env, STATUS), 0x11);
	env_wrmsr(&env, STATUS_CLR, 0x10);
	assert_int_equal(env_rdmsr(&env, STATUS), 1);
	assert_int_equal(sim_pmu_wrmsr(env.pmu, STATUS_CLR, 0x40), MSR_GP);
}

/* Merge event fffh in counter 1: counters 0 and 1 are one of 64 bits, 16 of them in counter 1. */
static void test_merge(void **state)
{
	(void)state;
	env_wrmsr(&env, EVTSEL(1), 0xf000000ff | EN);
	env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | EN | INT);
	env_wrmsr(&env, CTR(0), 0xffffffffffff);
	env_wrmsr(&env, CTR(1), 0xfffe);
	env_nops(&env, 1);
	assert_int_equal(env_rdpmc(&env, 0), 0);
	assert_int_equal(env_rdpmc(&env, 1), 0xffff);
	assert_int_equal(env.pmis, 0);
	env_wrmsr(&env, CTR(0), 0xffffffffffff);
	env_nops(&env, 1);
	assert_int_equal(env_rdpmc(&env, 1), 0);
	assert_int_equal(env.pmis, 1);
	/* With any other event they are two. */
	env_wrmsr(&env, EVTSEL(1), 0x1c0 | EN);
	env_wrmsr(&env, CTR(0), 0xffffffffffff);
	env_nops(&env, 1);
	assert_int_equal(env_rdpmc(&env, 1), 0);
	assert_int_equal(env.pmis, 2);
}

/* LBRv2: from and to of the latest at c0010300h, mispredicted in from[63], valid in to[63]. */
static void test_lbr(void **state)
{
	(void)state;
	env_wrmsr(&env, 0xc000010f, BIT(6));
	env_branch(&env, 0, BRANCH_JUMP, 0x100, 0x200, true, false);
	env_branch(&env, 0, BRANCH_JUMP, 0x300, 0x400, true, true);
	assert_int_equal(env_rdmsr(&env, 0xc0010300), BIT(63) | 0x300);
	assert_int_equal(env_rdmsr(&env, 0xc0010301), BIT(63) | 0x400);
	assert_int_equal(env_rdmsr(&env, 0xc0010302), 0x100);
	env_no_msr(&env, 0xc0010320); /* 16 deep */
}

/* What KVM shows: PerfMonV2 from version 2 on, never IBS. */
static void test_vpmu(void **state)
{
	uint64_t value;

	(void)state;
	for (unsigned version = 0; version <= 2; version++) {
		struct sim_pmu_model m = *sim_pmu_model("zen4");
		struct sim_pmu *pmu;

		sim_pmu_cap(&m, version);
		pmu = sim_pmu_new(&m, NULL, NULL);
		assert_non_null(pmu);
		assert_int_equal(m.leaf_80000022[0], version == 2);
		assert_int_equal(m.leaf_80000022[1], version == 2 ? 6 : 0);
		assert_int_equal(m.ibs, 0);
		assert_int_equal(sim_pmu_rdmsr(pmu, 0xc001020b, &value),
		                 version ? MSR_OK : MSR_NOT_MINE);
		assert_int_equal(sim_pmu_rdmsr(pmu, 0xc0000301, &value),
		                 version == 2 ? MSR_OK : MSR_NOT_MINE);
		sim_pmu_free(pmu);
	}
}

#define TEST(name, model) \
	cmocka_unit_test_prestate_setup_teardown(name, setup, teardown, (char *)(uintptr_t)(model))

#define FETCH_CTL    0xc0011030
#define FETCH_LINEAR 0xc0011031
#define OP_CTL       0xc0011033
#define OP_RIP       0xc0011034
#define OP_DATA      0xc0011035
#define OP_DATA2     0xc0011036
#define OP_DATA3     0xc0011037
#define DC_LINEAR    0xc0011038

/* An instruction of one op at `rip` with an access that went to `level`. */
static void ibs_load(uint64_t rip, uint64_t linear, enum sim_level level, unsigned clocks)
{
	sim_step_clear(&env.step);
	env.step.clocks = clocks;
	env.step.rip = rip;
	env.step.access[0] = (struct sim_access){ .linear = linear, .size = 4, .level = level };
	env.step.accesses = 1;
	sim_step_add(&env.step, SIG_INSTRUCTIONS, 1);
	sim_step_add(&env.step, SIG_UOPS, 1);
	sim_pmu_retire(env.pmu, &env.step);
}

/* Every 16th op is tagged, at its own address; nothing more before software takes the sample. */
static void test_ibs_op(void **state)
{
	(void)state;
	assert_int_equal(env_rdmsr(&env, 0xc001103a), 0x100);
	env_wrmsr_gp(&env, 0xc001103a, 0x101);
	env_wrmsr_gp(&env, OP_CTL, BIT(59));
	env_wrmsr(&env, OP_CTL, 1 | BIT(17) | BIT(19));
	for (unsigned i = 0; i < 15; i++)
		env_insn(&env, i & 3, 3, SIG_UOPS, 1, SIG_COUNT); /* at every CPL */
	assert_int_equal(env.ibs, 0);
	assert_int_equal(env_rdmsr(&env, OP_CTL) >> 32, 15);
	ibs_load(0x1234, 0x5678, LEVEL_MEMORY, 200);
	assert_int_equal(env.ibs, 1);
	assert_int_equal(env.pmis, 0);
	assert_int_equal(env_rdmsr(&env, OP_CTL), 1 | BIT(17) | BIT(18) | BIT(19));
	for (unsigned i = 0; i < 40; i++)
		ibs_load(0x2000, 0x3000, LEVEL_L1, 1);
	assert_int_equal(env.ibs, 1);
	assert_int_equal(env_rdmsr(&env, OP_RIP), 0x1234);
	assert_int_equal(env_rdmsr(&env, OP_DATA2), 3);
	/* a load that missed L1 and L2, valid addresses, 4 bytes, 200 clocks */
	assert_int_equal(env_rdmsr(&env, OP_DATA3),
	                 1 | BIT(7) | BIT(17) | BIT(18) | BIT(20) | 3 << 22 | 200ull << 32);
	assert_int_equal(env_rdmsr(&env, DC_LINEAR), 0x5678);
	env_wrmsr(&env, OP_CTL, 1 | BIT(17) | BIT(19) | 10ull << 32);
	for (unsigned i = 0; i < 5; i++)
		ibs_load(0x2000, 0x3000, LEVEL_L1, 1);
	assert_int_equal(env.ibs, 1);
	env_branch(&env, 3, BRANCH_COND, 0x400, 0x500, true, true);
	assert_int_equal(env.ibs, 1); /* env_branch() makes no op */
	ibs_load(0x2004, 0x3000, LEVEL_L1, 1);
	assert_int_equal(env.ibs, 2);
	assert_int_equal(env_rdmsr(&env, OP_RIP), 0x2004);
	assert_int_equal(env_rdmsr(&env, OP_DATA3) & BIT(7), 0);
}

/* The count of clocks, and what is told of a branch. */
static void test_ibs_clocks(void **state)
{
	(void)state;
	env_wrmsr(&env, OP_CTL, 1 | BIT(17));
	env_insn(&env, 0, 15, SIG_UOPS, 1, SIG_COUNT);
	assert_int_equal(env.ibs, 0);
	env_branch(&env, 3, BRANCH_COND, 0x400, 0x500, true, true);
	assert_int_equal(env.ibs, 1);
	assert_int_equal(env_rdmsr(&env, OP_RIP), 0x400);
	assert_int_equal(env_rdmsr(&env, OP_DATA) >> 35, 7); /* taken, mispredicted, branch */
	assert_int_equal(env_rdmsr(&env, 0xc001103b), 0x500);
}

static void test_ibs_fetch(void **state)
{
	(void)state;
	env_wrmsr(&env, FETCH_CTL, 2 | BIT(48));
	for (unsigned i = 0; i < 31; i++)
		env_insn(&env, 0, 1, SIG_L1I_FETCH, 1, SIG_COUNT);
	assert_int_equal(env.ibs, 0);
	env_insn(&env, 0, 1, SIG_L1I_FETCH, 1, SIG_L1I_MISS, 1, SIG_COUNT);
	assert_int_equal(env.ibs, 1);
	assert_int_equal(env_rdmsr(&env, FETCH_CTL) >> 48, 0x1f); /* enabled, valid, done, missed */
	assert_int_equal(env_rdmsr(&env, FETCH_LINEAR), 0x1000);
}

static void test_no_ibs(void **state)
{
	(void)state;
	env_no_msr(&env, FETCH_CTL);
	env_no_msr(&env, OP_CTL);
	env_no_msr(&env, 0xc001103a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_k7, "k7"),
		TEST(test_k7, "k8"),
		TEST(test_counted_interrupts, "k7"),
		TEST(test_counted_interrupts, "k8"),
		TEST(test_events_in_between, "zen2"),
		TEST(test_events_in_between, "zen4"),
		TEST(test_core_extension, "zen2"),
		TEST(test_unit_masks, "zen2"),
		TEST(test_cmask, "zen2"),
		TEST(test_guest_host, "zen2"),
		TEST(test_irperf, "zen2"),
		TEST(test_ibs_op, "zen2"),
		TEST(test_ibs_op, "zen4"),
		TEST(test_ibs_clocks, "zen2"),
		TEST(test_ibs_fetch, "zen2"),
		TEST(test_no_ibs, "k8"),
		TEST(test_wide_event, "zen4"),
		TEST(test_perfmon_v2, "zen4"),
		TEST(test_vpmu, "zen4"),
		TEST(test_merge, "zen2"),
		TEST(test_lbr, "zen4"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
