/*
 * sim/tests/test_pmu_p6.c - the two counters of the P6 family.
 *
 * Layout: SDM volume 3B, "Performance Monitoring (P6 Family Processor)": event 7:0, unit mask 15:8,
 * USR 16, OS 17, E 18, PC 19, INT 20, EN 22 (PERFEVTSEL0 only), INV 23, CMASK 31:24.
 */
#include "pmu_env.h"

#define EVTSEL0 0x186
#define EVTSEL1 0x187
#define PMC0    0xc1
#define PMC1    0xc2

#define USR      0x10000u
#define OS       0x20000u
#define EDGE     0x40000u
#define PIN      0x80000u
#define INT      0x100000u
#define EN       0x400000u
#define INV      0x800000u
#define CMASK(n) ((uint64_t)(n) << 24)

static struct env env;

static int setup(void **state)
{
	env_open(&env, *state ? *state : "p3");
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
	env_writable_bits(&env, EVTSEL0, 0xffdfffff);
	env_writable_bits(&env, EVTSEL1, 0xff9fffff); /* no enable bit */
	/* 32 bits, sign-extended to 40, EDX ignored. */
	env_wrmsr(&env, PMC0, 0x80000000);
	assert_int_equal(env_rdmsr(&env, PMC0), 0xff80000000);
	env_wrmsr(&env, PMC1, 0x127fffffff);
	assert_int_equal(env_rdmsr(&env, PMC1), 0x7fffffff);
	env_no_msr(&env, 0x188);
	env_no_msr(&env, 0xc3);
	env_no_msr(&env, 0x38f);
	env_no_msr(&env, 0x11);
}

static void test_single_enable(void **state)
{
	uint64_t value;

	(void)state;
	env_wrmsr(&env, EVTSEL1, 0xc2 | OS | USR);
	env_wrmsr(&env, EVTSEL0, 0xc0 | OS | USR);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, PMC0), 0); /* EN is 0 */
	assert_int_equal(env_rdmsr(&env, PMC1), 0);
	env_wrmsr(&env, EVTSEL0, 0xc0 | OS | USR | EN);
	env_insn(&env, 0, 1, SIG_UOPS, 2, SIG_COUNT);
	env_insn(&env, 3, 1, SIG_UOPS, 3, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 2);
	assert_int_equal(env_rdpmc(&env, 1), 5);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 2, &value), RDPMC_GP);
	/* The unused counter can be empty: 2eh with unit mask 0 counts nothing. */
	env_wrmsr(&env, EVTSEL0, 0x2e | OS | EN);
	env_insn(&env, 0, 1, SIG_L2_LOAD_MISS, 1, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 2);
}

static void test_privilege(void **state)
{
	static const struct {
		unsigned bits, expected;
	} row[] = { { 0, 0 }, { OS, 1 }, { USR, 3 }, { OS | USR, 4 } };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		env_wrmsr(&env, EVTSEL0, 0xc0 | EN | row[i].bits);
		env_wrmsr(&env, PMC0, 0);
		for (unsigned cpl = 0; cpl < 4; cpl++)
			env_insn(&env, cpl, 1, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), row[i].expected);
	}
}

/* L2_LD: M = 8, E = 4, S = 2, I = 1; any combination is the sum. 28h, 2ah, 2eh likewise. */
static void test_mesi(void **state)
{
	(void)state;
	for (unsigned mask = 0; mask < 16; mask++) {
		unsigned expected = (mask & 1 ? 5 : 0) + (mask & 4 ? 3 : 0) + (mask & 8 ? 2 : 0);

		env_wrmsr(&env, EVTSEL0, 0x29 | mask << 8 | OS | EN);
		env_wrmsr(&env, PMC0, 0);
		env_insn(&env, 0, 1, SIG_L2_LOAD_MISS, 5, SIG_L2_LOAD_HIT_E, 3, SIG_L2_LOAD_HIT_M,
		         2, SIG_L2_STORE_MISS, 9, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), expected);
	}
	env_wrmsr(&env, EVTSEL0, 0x2e | 0xf00 | OS | EN);
	env_wrmsr(&env, PMC0, 0);
	env_insn(&env, 0, 1, SIG_L2_LOAD_MISS, 5, SIG_L2_STORE_MISS, 9, SIG_L2_CODE_HIT_E, 1,
	         SIG_L2_CODE_HIT, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC0), 15);
}

/*
 * Instructions of 3, 1 and 1 clocks with 2, 1 and 4 uops. Per clock that is 0 0 2 1 4.
 * cmask 1: 3 clocks; cmask 2: 2; cmask 5: 0; inverted: the other of the 5 clocks. Edges of "any":
 * one, at clock 3; of "at least 2": two; of "none" (cmask 1, inv): one, at clock 1.
 */
static void test_cmask(void **state)
{
	static const struct {
		unsigned cmask, flags, expected;
	} row[] = {
		{ 0, 0, 7 },          { 1, 0, 3 },    { 2, 0, 2 },    { 4, 0, 1 },
		{ 5, 0, 0 },          { 1, INV, 2 },  { 2, INV, 3 },  { 5, INV, 5 },
		{ 0, INV, 7 },        { 0, EDGE, 1 }, { 1, EDGE, 1 }, { 2, EDGE, 2 },
		{ 1, INV | EDGE, 1 }, { 5, EDGE, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, EVTSEL0, 0xc2 | OS | EN | row[i].flags | CMASK(row[i].cmask));
		env_wrmsr(&env, PMC0, 0);
		env_insn(&env, 0, 3, SIG_UOPS, 2, SIG_COUNT);
		env_insn(&env, 0, 1, SIG_UOPS, 1, SIG_COUNT);
		env_insn(&env, 0, 1, SIG_UOPS, 4, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), row[i].expected);
	}
}

/* Clocks are 1 in every clock: cmask 1 counts all, cmask 2 none, inverted the reverse. */
static void test_cmask_of_clocks(void **state)
{
	(void)state;
	for (unsigned cmask = 1; cmask < 3; cmask++) {
		env_wrmsr(&env, EVTSEL0, 0x79 | OS | EN | CMASK(cmask));
		env_wrmsr(&env, EVTSEL1, 0x79 | OS | INV | CMASK(cmask));
		env_wrmsr(&env, PMC0, 0);
		env_wrmsr(&env, PMC1, 0);
		env_insn(&env, 0, 10, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), cmask == 1 ? 10 : 0);
		assert_int_equal(env_rdmsr(&env, PMC1), cmask == 1 ? 0 : 10);
	}
}

/* c6h counts clocks with IF = 0; with E it counts how often that began: 4 + 2 clocks, two times. */
static void test_edge_of_level(void **state)
{
	(void)state;
	env_wrmsr(&env, EVTSEL0, 0xc6 | OS | EN);
	env_wrmsr(&env, EVTSEL1, 0xc6 | OS | EDGE);
	env_insn(&env, 0, 2, SIG_INT_MASKED, 2, SIG_COUNT);
	env_insn(&env, 0, 2, SIG_INT_MASKED, 2, SIG_COUNT);
	env_insn(&env, 0, 1, SIG_COUNT);
	env_insn(&env, 0, 2, SIG_INT_MASKED, 2, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC0), 6);
	assert_int_equal(env_rdmsr(&env, PMC1), 2);
}

/* FLOPS (c1h) only on counter 0, MUL (12h) only on counter 1. */
static void test_restrictions(void **state)
{
	(void)state;
	env_wrmsr(&env, EVTSEL0, 0x12 | OS | EN);
	env_wrmsr(&env, EVTSEL1, 0xc1 | OS);
	env_insn(&env, 0, 1, SIG_MUL, 1, SIG_X87_OPS, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC0), 0);
	assert_int_equal(env_rdmsr(&env, PMC1), 0);
	env_wrmsr(&env, EVTSEL0, 0xc1 | OS | EN);
	env_wrmsr(&env, EVTSEL1, 0x12 | OS);
	env_insn(&env, 0, 1, SIG_MUL, 1, SIG_X87_OPS, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC0), 1);
	assert_int_equal(env_rdmsr(&env, PMC1), 1);
}

/*
 * Codes of the SDM's table, with the signal that an event counts, or the two signals that it adds.
 * `bogus` is what a wrong path adds. SIG_COUNT: no signal. Counter 1 for the events that count on
 * no other.
 */
static const struct {
	unsigned code, counter;
	enum sim_signal a, b, bogus;
} codes[] = {
	{ 0x005, 0, SIG_MISALIGNED8, SIG_COUNT, SIG_COUNT },
	{ 0x006, 0, SIG_SEGMENT_LOADS, SIG_COUNT, SIG_COUNT },
	{ 0x010, 0, SIG_X87_OPS, SIG_COUNT, SIG_BOGUS_X87_OPS },
	{ 0x012, 1, SIG_MUL, SIG_FP_MUL, SIG_BOGUS_MUL },
	{ 0x013, 1, SIG_DIV, SIG_FP_DIV, SIG_BOGUS_DIV },
	{ 0x024, 0, SIG_L2_FILL, SIG_COUNT, SIG_COUNT },
	{ 0x026, 0, SIG_L2_EVICT, SIG_COUNT, SIG_COUNT },
	{ 0x027, 0, SIG_L2_WRITEBACK, SIG_COUNT, SIG_COUNT },
	{ 0x428, 0, SIG_L2_CODE_HIT_E, SIG_COUNT, SIG_COUNT },
	{ 0x828, 0, SIG_L2_CODE_HIT_M, SIG_COUNT, SIG_COUNT },
	{ 0x128, 0, SIG_L2_CODE_MISS, SIG_COUNT, SIG_COUNT },
	{ 0x12a, 0, SIG_L2_STORE_MISS, SIG_COUNT, SIG_COUNT },
	{ 0x043, 0, SIG_LOADS, SIG_STORES, SIG_BOGUS_EXEC_LOADS },
	{ 0x045, 0, SIG_L1D_FILL, SIG_COUNT, SIG_COUNT },
	{ 0x046, 0, SIG_L1D_FILL_M, SIG_COUNT, SIG_COUNT },
	{ 0x047, 0, SIG_L1D_WRITEBACK, SIG_COUNT, SIG_COUNT },
	{ 0x066, 0, SIG_L2_STORE_MISS, SIG_COUNT, SIG_COUNT },
	{ 0x06c, 0, SIG_IO_READ, SIG_IO_WRITE, SIG_COUNT },
	{ 0x080, 0, SIG_L1I_FETCH, SIG_COUNT, SIG_COUNT },
	{ 0x081, 0, SIG_L1I_MISS, SIG_COUNT, SIG_COUNT },
	{ 0x085, 0, SIG_ITLB_MISS, SIG_COUNT, SIG_COUNT },
	{ 0x0c0, 0, SIG_INSTRUCTIONS, SIG_COUNT, SIG_COUNT },
	{ 0x0c1, 0, SIG_X87_OPS, SIG_COUNT, SIG_COUNT },
	{ 0x0c2, 0, SIG_UOPS, SIG_COUNT, SIG_COUNT },
	{ 0x0c4, 0, SIG_BRANCHES, SIG_COUNT, SIG_COUNT },
	{ 0x0c5, 0, SIG_MISPREDICTED, SIG_COUNT, SIG_COUNT },
	{ 0x0c6, 0, SIG_INT_MASKED, SIG_COUNT, SIG_COUNT },
	{ 0x0c7, 0, SIG_INT_PENDING, SIG_COUNT, SIG_COUNT },
	{ 0x0c8, 0, SIG_INTERRUPTS_HW, SIG_COUNT, SIG_COUNT },
	{ 0x0c9, 0, SIG_TAKEN, SIG_COUNT, SIG_COUNT },
	{ 0x0ca, 0, SIG_MISP_TAKEN, SIG_COUNT, SIG_COUNT },
	{ 0x0cc, 0, SIG_MMX_TO_FP, SIG_COUNT, SIG_COUNT },
	{ 0x1cc, 0, SIG_FP_TO_MMX, SIG_COUNT, SIG_COUNT },
	{ 0x0cd, 0, SIG_EMMS, SIG_COUNT, SIG_COUNT },
	{ 0x0d0, 0, SIG_INSTRUCTIONS, SIG_COUNT, SIG_BOGUS_INSNS },
	{ 0x0b2, 0, SIG_MMX_UOPS, SIG_COUNT, SIG_COUNT },
	{ 0x1d5, 0, SIG_SEGMENT_LOADS_ES, SIG_COUNT, SIG_COUNT },
	{ 0x8d5, 0, SIG_SEGMENT_LOADS_GS, SIG_COUNT, SIG_COUNT },
	{ 0x04b, 0, SIG_NTA_MEMORY, SIG_COUNT, SIG_COUNT },
	{ 0x24b, 0, SIG_T2_MEMORY, SIG_COUNT, SIG_COUNT },
	{ 0x307, 0, SIG_WEAK_STORES, SIG_COUNT, SIG_COUNT },
	{ 0x1d8, 0, SIG_SSE_SS, SIG_COUNT, SIG_COUNT },
	{ 0x1d9, 0, SIG_SSE_SS_OPS, SIG_COUNT, SIG_COUNT },
	{ 0x0e0, 0, SIG_BRANCHES, SIG_COUNT, SIG_BOGUS_BRANCHES },
	{ 0x0e2, 0, SIG_BTB_MISS, SIG_COUNT, SIG_COUNT },
	{ 0x0b0, 0, SIG_COUNT, SIG_COUNT, SIG_COUNT }, /* Pentium II only */
	{ 0x0ff, 0, SIG_COUNT, SIG_COUNT, SIG_COUNT },
};

/* An instruction that makes 1000, 1001, 1002, ... of all signals must show the right one. */
static unsigned made(enum sim_signal sig)
{
	return sig == SIG_COUNT ? 0 : 1000 + sig;
}

static void test_event_codes(void **state)
{
	(void)state;
	sim_step_clear(&env.step);
	env.step.clocks = 1;
	for (unsigned sig = 0; sig < SIG_COUNT; sig++)
		sim_step_add(&env.step, (enum sim_signal)sig, 1000 + sig);
	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		unsigned expected = made(codes[i].a) + made(codes[i].b) + made(codes[i].bogus);

		env_wrmsr(&env, EVTSEL1, codes[i].counter ? codes[i].code | OS : 0);
		env_wrmsr(&env, EVTSEL0, EN | (codes[i].counter ? 0 : codes[i].code | OS));
		env_wrmsr(&env, PMC0 + codes[i].counter, 0);
		sim_pmu_retire(env.pmu, &env.step);
		assert_int_equal(env_rdmsr(&env, PMC0 + codes[i].counter), expected);
	}
}

static void test_overflow(void **state)
{
	(void)state;
	env_wrmsr(&env, EVTSEL0, 0xc0 | OS | EN | INT | PIN);
	env_wrmsr(&env, PMC0, (uint64_t)-3);
	env_nops(&env, 2);
	assert_int_equal(env.pmis, 0);
	env_nops(&env, 1);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_rdmsr(&env, PMC0), 0);
	assert_int_equal(sim_pmu_pin(env.pmu, 0), 1);
	env_nops(&env, 1);
	assert_int_equal(env.pmis, 1);
	env_wrmsr(&env, EVTSEL0, 0xc0 | OS | EN);
	env_wrmsr(&env, PMC0, (uint64_t)-1);
	env_nops(&env, 1);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(sim_pmu_pin(env.pmu, 0), 2); /* the increment, the overflow before */
}

/* MMX events are on the Pentium II and III, not on the Pentium Pro. */
static void test_models(void **state)
{
	(void)state;
	env_wrmsr(&env, EVTSEL0, 0xb1 | OS | EN);
	env_insn(&env, 0, 1, SIG_MMX_SATURATING, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC0), 0);
	env_close(&env);
	env_open(&env, "p2");
	env_wrmsr(&env, EVTSEL0, 0xb1 | OS | EN);
	env_insn(&env, 0, 1, SIG_MMX_SATURATING, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC0), 1);
}

/* L2_LD of the Pentium M: unit mask 5:4 = 1 asks for hardware prefetches only. */
static void test_pentium_m_prefetch(void **state)
{
	static const unsigned expected[4] = { 5, 0, 5, 5 };

	(void)state;
	for (unsigned mode = 0; mode < 4; mode++) {
		env_wrmsr(&env, EVTSEL0, 0x29 | (0xfu | mode << 4) << 8 | OS | EN);
		env_wrmsr(&env, PMC0, 0);
		env_insn(&env, 0, 1, SIG_L2_LOAD_MISS, 5, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), expected[mode]);
	}
}

/* Lines of L2 that go, by state: E is clean, and all of them are all. Calls predicted wrong. */
static void test_pentium_m_rows(void **state)
{
	static const struct {
		unsigned code, expected;
	} row[] = {
		{ 0x0426, 3 }, { 0x0826, 5 }, { 0x0126, 0 }, { 0x2f26, 8 },
		{ 0x0827, 5 }, { 0x0427, 0 }, { 0x0f27, 5 }, { 0x0424, 9 },
		{ 0x2f24, 9 }, { 0x0093, 7 }, { 0x0258, 0 }, { 0x0028, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, EVTSEL0, row[i].code | OS | EN);
		env_wrmsr(&env, PMC0, 0);
		env_insn(&env, 0, 1, SIG_L2_EVICT, 8, SIG_L2_EVICT_CLEAN, 3, SIG_L2_WRITEBACK, 5,
		         SIG_L2_FILL, 9, SIG_MISP_DIRECT_CALL, 3, SIG_MISP_INDIRECT_CALL, 4,
		         SIG_MISP_RETURN, 1, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), row[i].expected);
		assert_int_equal(sim_pmu_counter_derived(env.pmu, 0), row[i].code != 0x28);
	}
}

/* DEBUGCTL.LBR: the last branch in 1dbh and 1dch, the last interrupt in 1ddh and 1deh. */
static void test_last_branch(void **state)
{
	(void)state;
	env_writable_bits(&env, 0x1d9, 0x7f);
	env_branch(&env, 0, BRANCH_COND, 0x100, 0x200, true, false);
	assert_int_equal(env_rdmsr(&env, 0x1db), 0);
	env_wrmsr(&env, 0x1d9, 1);
	env_branch(&env, 0, BRANCH_COND, 0x100, 0x200, true, false);
	env_branch(&env, 0, BRANCH_COND, 0x300, 0x302, false, false); /* not taken */
	assert_int_equal(env_rdmsr(&env, 0x1db), 0x100);
	assert_int_equal(env_rdmsr(&env, 0x1dc), 0x200);
	sim_step_clear(&env.step);
	sim_step_interrupt(&env.step, true);
	env.step.rip = 0x500;
	env.step.next_rip = 0x8000;
	sim_pmu_retire(env.pmu, &env.step);
	assert_int_equal(env_rdmsr(&env, 0x1dd), 0x500);
	assert_int_equal(env_rdmsr(&env, 0x1de), 0x8000);
	env_wrmsr_gp(&env, 0x1db, 0);
}

/*
 * Branch trace store of the Pentium M, 32-bit format: area at 0x10000, buffer at 0x11000 for
 * two records of 12 bytes, threshold after the first.
 */
static void test_bts(void **state)
{
	uint32_t area[4] = { 0x11000, 0x11000, 0x11000 + 24, 0x11000 + 12 };

	(void)state;
	memcpy(env.mem, area, sizeof(area));
	env_wrmsr(&env, 0x600, 0x10000);
	env_wrmsr(&env, 0x1d9, 1 << 6 | 1 << 7); /* TR, BTS: circular */
	for (unsigned i = 0; i < 3; i++)
		env_branch(&env, 0, BRANCH_JUMP, 0x100 + i, 0x200 + i, true, i == 1);
	assert_int_equal(env.pmis, 0);
	assert_int_equal(env_mem32(&env, 0x10004), 0x1100c); /* wrapped after two */
	assert_int_equal(env_mem32(&env, 0x11000), 0x102);
	assert_int_equal(env_mem32(&env, 0x11004), 0x202);
	assert_int_equal(env_mem32(&env, 0x11008), 0x10); /* predicted */
	assert_int_equal(env_mem32(&env, 0x1100c), 0x101);
	assert_int_equal(env_mem32(&env, 0x11014), 0);
	env_wrmsr(&env, 0x1d9, 1 << 6 | 1 << 7 | 1 << 8); /* with BTINT */
	env_branch(&env, 0, BRANCH_JUMP, 0x103, 0x203, true, false);
	assert_int_equal(env.pmis, 1);
	env_branch(&env, 0, BRANCH_JUMP, 0x104, 0x204, true, false); /* full: lost */
	assert_int_equal(env_mem32(&env, 0x10004), 0x11018);
	assert_int_equal(env_mem32(&env, 0x1100c), 0x103);
}

/* Event 43H counts internal retries too. */
static void test_retries(void **state)
{
	(void)state;
	sim_pmu_set_fault(env.pmu, PMU_FAULT_RETRIES, 0);
	env_wrmsr(&env, EVTSEL0, 0x43 | OS | USR | EN);
	for (unsigned i = 0; i < 1000; i++)
		env_insn(&env, 0, 1, SIG_LOADS, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC0), 1200);
}

/* What a counter makes of 1000 instructions, and the other one. */
static void test_lies(void **state)
{
	static const struct {
		struct sim_lie lie[2];
		uint64_t got[2];
	} rows[] = {
		{ { { SIM_LIE_SCALE, 0, 2500, 0, 0 } }, { 1002, 1000 } },
		{ { { SIM_LIE_SCALE, 1, 500000, 0, 0 } }, { 1000, 1500 } },
		{ { { SIM_LIE_LOSE, 0, 300, 0, 0 } }, { 997, 1000 } },
		{ { { SIM_LIE_LATE, 0, 601, 0, 0 } }, { 1399, 1000 } },
		{ { { SIM_LIE_STUCK, 0, 601, 0, 0 } }, { 601, 1000 } },
		{ { { SIM_LIE_HALVE, SIM_LIE_ALL, 600, 0, 0 } }, { 800, 800 } },
		{ { { SIM_LIE_LATE, 0, 500, 0, 0 }, { SIM_LIE_STUCK, 1, 1, 0, 0 } }, { 1500, 1 } },
		{ { { SIM_LIE_QUOTA, SIM_LIE_ALL, 700, 0, 0 } }, { 700, 700 } },
		{ { { SIM_LIE_SATURATE, 0, 1, 0, 0 } }, { 1000, 1000 } },
		{ { { SIM_LIE_BLIND, 1, 300, 0, 0 } }, { 1000, 600 } },
		{ { { SIM_LIE_CROWD, 0, 1, 0, 0 } }, { 1, 1000 } }, /* before the other one runs */
		{ { { SIM_LIE_CROWD, 0, 2, 0, 0 } }, { 1000, 1000 } },
		{ { { SIM_LIE_SCALE, 0, 500000, 600, 0 } }, { 1200, 1000 } },
		{ { { SIM_LIE_SCALE, 0, 1000000, 600, 700 } }, { 1100, 1000 } },
		{ { { SIM_LIE_STUCK, SIM_LIE_ALL, 1, 600, 700 } }, { 900, 900 } },
		{ { { SIM_LIE_BRANCHES, 1, 2, 0, 0 } }, { 1000, 0 } },
		{ { { SIM_LIE_FREEZE, 0, 2, 0, 0 } }, { 1000, 1000 } }, /* in the first start */
		{ { { SIM_LIE_FREEZE, 0, 1, 0, 0 } }, { 0, 1000 } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sim_pmu_reset(env.pmu);
		env.pmu->lies = 0;
		for (unsigned k = 0; k < 2 && rows[i].lie[k].number; k++)
			assert_true(sim_pmu_add_lie(env.pmu, &rows[i].lie[k]));
		env_wrmsr(&env, EVTSEL0, 0xc0 | OS | USR | EN);
		env_wrmsr(&env, EVTSEL0 + 1, 0xc0 | OS | USR);
		for (unsigned n = 0; n < 1000; n++)
			env_insn(&env, 0, 1, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), rows[i].got[0]);
		assert_int_equal(env_rdmsr(&env, PMC0 + 1), rows[i].got[1]);
	}
}

static void test_stale_reads(void **state)
{
	static const uint64_t got[] = { 1, 2, 2, 4, 5, 5 };

	(void)state;
	assert_true(sim_pmu_add_lie(env.pmu, &(struct sim_lie){ SIM_LIE_STALE, 0, 3, 0, 0 }));
	env_wrmsr(&env, EVTSEL0, 0xc0 | OS | USR | EN);
	for (unsigned i = 0; i < sizeof(got) / sizeof(got[0]); i++) {
		env_insn(&env, 0, 1, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), got[i]);
	}
}

/* 1000 branches at each of two levels. */
static void test_lies_of_levels(void **state)
{
	static const struct {
		struct sim_lie lie;
		uint64_t got;
	} rows[] = {
		{ { SIM_LIE_LEVEL, 0, 0, 0, 0 }, 1000 },
		{ { SIM_LIE_LEVEL, 0, 1, 0, 0 }, 2000 },
		{ { SIM_LIE_LEVEL, 0, 3, 1500, 0 }, 1500 },
		{ { SIM_LIE_BRANCHES, 0, 2, 0, 0 }, 4000 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sim_pmu_reset(env.pmu);
		env.pmu->lies = 0;
		assert_true(sim_pmu_add_lie(env.pmu, &rows[i].lie));
		env_wrmsr(&env, EVTSEL0, 0xc0 | OS | USR | EN);
		for (unsigned n = 0; n < 2000; n++)
			env_insn(&env, n < 1000 ? 0 : 3, 1, SIG_BRANCHES, 1, SIG_COUNT);
		assert_int_equal(env_rdmsr(&env, PMC0), rows[i].got);
	}
}

/* Counter 0 counts instructions and 1 clocks, of which each instruction takes three. */
static void test_lies_of_clocks(void **state)
{
	static const struct {
		struct sim_lie lie;
		uint64_t got[2];
	} rows[] = {
		{ { SIM_LIE_QUOTA, 1, 5000, 0, 0 }, { 1000, 3000 } },
		{ { SIM_LIE_SATURATE, 1, 2, 0, 0 }, { 1000, 2000 } },
		{ { SIM_LIE_SHADOW, 1, 0, 0, 0 }, { 1000, 1000 } },
		{ { SIM_LIE_SHADOW, 0, 1, 0, 0 }, { 3000, 3000 } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sim_pmu_reset(env.pmu);
		env.pmu->lies = 0;
		assert_true(sim_pmu_add_lie(env.pmu, &rows[i].lie));
		env_wrmsr(&env, EVTSEL0, 0xc0 | OS | USR | EN);
		env_wrmsr(&env, EVTSEL0 + 1, 0x79 | OS | USR);
		for (unsigned start = 0; start < 2; start++) {
			env_wrmsr(&env, PMC0, 0);
			env_wrmsr(&env, PMC0 + 1, 0);
			for (unsigned n = 0; n < 1000; n++)
				env_insn(&env, 0, 3, SIG_COUNT);
		}
		assert_int_equal(env_rdmsr(&env, PMC0), rows[i].got[0]);
		assert_int_equal(env_rdmsr(&env, PMC0 + 1), rows[i].got[1]);
	}
	assert_false(sim_pmu_add_lie(env.pmu, &(struct sim_lie){ SIM_LIE_SHADOW, 0, 2, 0, 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lies_of_levels, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lies_of_clocks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stale_reads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_registers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_single_enable, setup, teardown),
		cmocka_unit_test_setup_teardown(test_privilege, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mesi, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cmask, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cmask_of_clocks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_edge_of_level, setup, teardown),
		cmocka_unit_test_setup_teardown(test_restrictions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_event_codes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overflow, setup, teardown),
		cmocka_unit_test_prestate_setup_teardown(test_models, setup, teardown, "ppro"),
		cmocka_unit_test_prestate_setup_teardown(test_pentium_m_rows, setup, teardown,
		                                         "pm"),
		cmocka_unit_test_prestate_setup_teardown(test_pentium_m_prefetch, setup, teardown,
		                                         "pm"),
		cmocka_unit_test_setup_teardown(test_last_branch, setup, teardown),
		cmocka_unit_test_prestate_setup_teardown(test_bts, setup, teardown, "pm"),
		cmocka_unit_test_setup_teardown(test_retries, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
