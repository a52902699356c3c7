/*
 * sim/tests/test_pmu_netburst.c - counters, CCCRs and ESCRs of the Pentium 4.
 *
 * Layout: SDM volume 3B, "Performance Monitoring (Processors Based on Intel NetBurst
 * Microarchitecture)". ESCR: event << 25 | mask << 9 | tag << 5 | tag enable << 4 | T0_OS 8 |
 * T0_USR 4 | T1_OS 2 | T1_USR 1. CCCR: enable 12, select 15:13, thread 17:16, compare 18,
 * complement 19, threshold 23:20, edge 24, FORCE_OVF 25, OVF_PMI_T0 26, T1 27, cascade 30, OVF 31.
 */
#include "pmu_env.h"

#define COUNTER(n)  (0x300u + (n))
#define CCCR(n)     (0x360u + (n))
#define CRU_ESCR0   0x3b8
#define CRU_ESCR1   0x3b9
#define CRU_ESCR2   0x3cc
#define CRU_ESCR3   0x3cd
#define FSB_ESCR0   0x3a2
#define FSB_ESCR1   0x3a3
#define RAT_ESCR0   0x3bc
#define FIRM_ESCR0  0x3a4
#define FIRM_ESCR1  0x3a5
#define MOB_ESCR0   0x3aa
#define MOB_ESCR1   0x3ab
#define SAAT_ESCR0  0x3ae
#define SAAT_ESCR1  0x3af
#define PEBS_ENABLE 0x3f1
#define MATRIX_VERT 0x3f2
#define DS_AREA     0x600

#define ESCR(event, mask, bits) ((uint64_t)(event) << 25 | (uint64_t)(mask) << 9 | (bits))
#define T0_OS                   8u
#define T0_USR                  4u
#define T1_OS                   2u
#define T1_USR                  1u

#define ENABLE       0x1000u
#define SELECT(n)    ((n) << 13)
#define ANY_THREAD   0x30000u
#define COMPARE      0x40000u
#define COMPLEMENT   0x80000u
#define THRESHOLD(n) ((uint64_t)(n) << 20)
#define EDGE         0x1000000u
#define FORCE_OVF    0x2000000u
#define PMI_T0       0x4000000u
#define PMI_T1       0x8000000u
#define CASCADE      0x40000000u
#define OVF          0x80000000u

#define ON(select) (ENABLE | ANY_THREAD | SELECT(select))

static struct env env, other;

static int setup(void **state)
{
	env_open(&env, *state ? *state : "p4");
	return 0;
}

/* Two logical CPUs. */
static int setup_ht(void **state)
{
	env_open(&env, *state ? *state : "p4n");
	env_open_shared(&other, *state ? *state : "p4n", env.pmu);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	if (other.pmu)
		env_close(&other);
	env_close(&env);
	return 0;
}

static void test_registers(void **state)
{
	uint64_t value;

	(void)state;
	for (unsigned n = 0; n < 18; n++) {
		env_writable_bits(&env, CCCR(n), 0xc7fff000);
		env_wrmsr(&env, COUNTER(n), 0xffffff8000000000 + n);
		assert_int_equal(env_rdmsr(&env, COUNTER(n)), 0x8000000000 + n); /* 40 bits */
		assert_int_equal(env_rdpmc(&env, n), 0x8000000000 + n);
		assert_int_equal(env_rdpmc(&env, 0x80000000u | n), n); /* fast: 32 bits */
	}
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 18, &value), RDPMC_GP);
	env_writable_bits(&env, CRU_ESCR0, 0x7ffffffc); /* no second thread */
	env_no_msr(&env, 0x312);
	env_no_msr(&env, 0x372);
	env_no_msr(&env, 0x3bf);
	env_no_msr(&env, 0x38f);
	env_no_msr(&env, 0x186);
	env_writable_bits(&env, PEBS_ENABLE, 0x3019fff);
}

static void test_registers_ht(void **state)
{
	(void)state;
	env_writable_bits(&env, CCCR(11), 0xcffff000);
	env_writable_bits(&env, CCCR(12), 0xcffff800); /* extended cascade: IQ only */
	env_writable_bits(&env, CRU_ESCR0, 0x7fffffff);
	/* Shared, but for the DS area; "my thread" and "other thread" change places. */
	env_wrmsr(&env, CRU_ESCR0, 0x1234);
	assert_int_equal(env_rdmsr(&other, CRU_ESCR0), 0x1234);
	env_wrmsr(&env, DS_AREA, 0x5000);
	assert_int_equal(env_rdmsr(&other, DS_AREA), 0);
	env_wrmsr(&env, PEBS_ENABLE, 0x3000001);
	assert_int_equal(env_rdmsr(&other, PEBS_ENABLE), 0x5000001);
}

/* The number of ESCRs by model: 45 on models 1 and 2, 43 later. */
static void test_escr_count(void **state)
{
	static const char *const model[] = { "p4", "p4n", "p4p" };
	static const unsigned expected[] = { 45, 45, 43 };
	struct env e;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		unsigned found = 0;
		uint64_t value;

		env_open(&e, model[i]);
		for (uint32_t msr = 0x3a0; msr <= 0x3e1; msr++)
			found += sim_pmu_rdmsr(e.pmu, msr, &value) == MSR_OK;
		assert_int_equal(found, expected[i]);
		env_close(&e);
	}
}

/* SDM example 04000603h: instr_retired, NBOGUSNTAG and NBOGUSTAG, here with T0 bits: 0400060ch. */
static void test_instructions(void **state)
{
	(void)state;
	env_wrmsr(&env, CRU_ESCR0, 0x0400060c);
	env_wrmsr(&env, CCCR(12), ON(4));
	env_nops(&env, 3);
	env_insn(&env, 3, 1, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 12), 4);
	env_wrmsr(&env, CCCR(12), 0);
	env_nops(&env, 3);
	assert_int_equal(env_rdpmc(&env, 12), 4);
	assert_true(sim_pmu_idle(env.pmu));
}

/* Counter 14 sees the odd ESCRs; select 5 sees CRU_ESCR2; without HT thread mode must be 3. */
static void test_wiring(void **state)
{
	(void)state;
	env_wrmsr(&env, CRU_ESCR0, ESCR(1, 1, T0_OS)); /* uops_retired NBOGUS */
	env_wrmsr(&env, CCCR(14), ON(4));
	env_wrmsr(&env, CCCR(13), ON(5));
	env_wrmsr(&env, CCCR(16), ON(4));
	env_wrmsr(&env, CCCR(12), ENABLE | SELECT(4) | 0x10000);
	env_insn(&env, 0, 1, SIG_UOPS, 3, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 14), 0);
	assert_int_equal(env_rdpmc(&env, 13), 0);
	assert_int_equal(env_rdpmc(&env, 12), 0);
	assert_int_equal(env_rdpmc(&env, 16), 3);
	env_wrmsr(&env, CRU_ESCR1, ESCR(1, 1, T0_OS));
	env_insn(&env, 0, 1, SIG_UOPS, 2, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 14), 2);
	assert_int_equal(env_rdpmc(&env, 16), 5);
}

/* What there is no third level to hit, what only tags, and lines that L2 does not take back. */
static void test_rows(void **state)
{
	static const struct {
		unsigned escr, event, mask, counter, select, expected;
	} row[] = {
		{ 0x3a0, 0x0c, 0x0400, 0, 7, 3 },
		{ 0x3a0, 0x0c, 0x0038, 0, 7, 0 },
		{ 0x3a4, 0x2e, 0x0010, 8, 1, 5 },
		{ 0x3bc, 0x02, 0x0006, 12, 2, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, row[i].escr, ESCR(row[i].event, row[i].mask, T0_OS));
		env_wrmsr(&env, CCCR(row[i].counter), ON(row[i].select));
		env_insn(&env, 0, 1, SIG_L2_WRITE_MISS, 3, SIG_MEDIA_LOADS, 5, SIG_LOADS, 9,
		         SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, row[i].counter), row[i].expected);
		assert_true(sim_pmu_counter_derived(env.pmu, row[i].counter));
		env_wrmsr(&env, CCCR(row[i].counter), 0);
		env_wrmsr(&env, COUNTER(row[i].counter), 0);
	}
}

/* global_power_events RUNNING: 10 clocks, of which 4 at CPL 3. */
static void test_privilege(void **state)
{
	static const unsigned bits[4] = { 0, T0_OS, T0_USR, T0_OS | T0_USR };
	static const unsigned expected[4] = { 0, 6, 4, 10 };

	(void)state;
	env_wrmsr(&env, CCCR(0), ON(6));
	for (unsigned i = 0; i < 4; i++) {
		env_wrmsr(&env, FSB_ESCR0, ESCR(0x13, 1, bits[i]));
		env_wrmsr(&env, COUNTER(0), 0);
		env_insn(&env, 0, 6, SIG_COUNT);
		env_insn(&env, 3, 4, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 0), expected[i]);
	}
}

/*
 * Uops per clock, instructions of 3, 1, 1 clocks with 2, 1, 4 uops: 0 0 2 1 4.
 * threshold t: clocks with more than t; complement: with t or fewer; edge: changes to true.
 * 15 with complement is always true: also in the 2 clocks at CPL 3, where the ESCR lets nothing
 * through.
 */
static void test_threshold(void **state)
{
	static const struct {
		unsigned flags, threshold, expected;
	} row[] = {
		{ 0, 0, 7 },
		{ COMPARE, 0, 3 },
		{ COMPARE, 1, 2 },
		{ COMPARE, 3, 1 },
		{ COMPARE, 4, 0 },
		{ COMPARE | COMPLEMENT, 0, 4 },
		{ COMPARE | COMPLEMENT, 1, 5 },
		{ COMPARE | COMPLEMENT, 15, 7 },
		{ COMPARE | EDGE, 0, 1 },
		{ COMPARE | EDGE, 1, 2 },
		{ COMPARE | COMPLEMENT | EDGE, 0, 2 },
		{ COMPARE | COMPLEMENT | EDGE, 1, 3 },
		{ EDGE, 0, 7 }, /* edge means nothing without compare */
	};

	(void)state;
	env_wrmsr(&env, CRU_ESCR0, ESCR(1, 1, T0_OS));
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, CCCR(12), 0);
		env_wrmsr(&env, COUNTER(12), 0);
		env_wrmsr(&env, CCCR(12), ON(4) | row[i].flags | THRESHOLD(row[i].threshold));
		env_insn(&env, 0, 3, SIG_UOPS, 2, SIG_COUNT);
		env_insn(&env, 0, 1, SIG_UOPS, 1, SIG_COUNT);
		env_insn(&env, 0, 1, SIG_UOPS, 4, SIG_COUNT);
		env_insn(&env, 3, 2, SIG_UOPS, 9, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 12), row[i].expected);
	}
}

/* The bus from detector to counter carries 15 at most: 20 uops in a clock compare as 15. */
static void test_threshold_limit(void **state)
{
	(void)state;
	env_wrmsr(&env, CRU_ESCR0, ESCR(1, 1, T0_OS));
	env_wrmsr(&env, CCCR(12), ON(4) | COMPARE | COMPLEMENT | THRESHOLD(15));
	env_wrmsr(&env, CCCR(13), ON(4) | COMPARE | THRESHOLD(15));
	env_insn(&env, 0, 1, SIG_UOPS, 20, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 12), 1);
	assert_int_equal(env_rdpmc(&env, 13), 0);
}

/* branch_retired: MMNP 1, MMNM 2, MMTP 4, MMTM 8. */
static void test_branches(void **state)
{
	static const unsigned expected[16] = { 0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10 };

	(void)state;
	env_wrmsr(&env, CCCR(12), ON(5));
	for (unsigned mask = 0; mask < 16; mask++) {
		env_wrmsr(&env, CRU_ESCR2, ESCR(6, mask, T0_OS));
		env_wrmsr(&env, COUNTER(12), 0);
		for (unsigned i = 0; i < 10; i++) /* 1, 2, 3, 4 of the four kinds */
			env_branch(&env, 0, BRANCH_COND, 0x100, 0x200, i >= 3,
			           (i >= 1 && i < 3) || i >= 6);
		assert_int_equal(env_rdpmc(&env, 12), expected[mask]);
	}
}

static void test_overflow(void **state)
{
	(void)state;
	env_wrmsr(&env, CRU_ESCR0, 0x0400060c);
	env_wrmsr(&env, COUNTER(12), (uint64_t)-2);
	env_wrmsr(&env, CCCR(12), ON(4) | PMI_T0);
	env_nops(&env, 1);
	assert_int_equal(env.pmis, 0);
	assert_false(sim_pmu_pmi_line(env.pmu));
	env_nops(&env, 1);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_rdmsr(&env, CCCR(12)), ON(4) | PMI_T0 | OVF);
	assert_true(sim_pmu_pmi_line(env.pmu)); /* until OVF is cleared */
	env_nops(&env, 5);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_rdpmc(&env, 12), 5);
	env_wrmsr(&env, CCCR(12), ON(4) | PMI_T0);
	assert_false(sim_pmu_pmi_line(env.pmu));
	/* FORCE_OVF: on every increment, and only then. */
	env_wrmsr(&env, CCCR(12), ON(4) | PMI_T0 | FORCE_OVF);
	env_nops(&env, 3);
	assert_int_equal(env.pmis, 4);
	env_insn(&env, 3, 1, SIG_COUNT);
	assert_int_equal(env.pmis, 5); /* the ESCR counts CPL 3 too */
	env_wrmsr(&env, CRU_ESCR0, ESCR(2, 3, T0_OS));
	env_insn(&env, 3, 1, SIG_COUNT);
	assert_int_equal(env.pmis, 5);
}

/*
 * Cascade 12 -> 14: 14 is armed with cascade and without enable, counts from the instruction after
 * the third. And 14 -> 16, but not 12 -> 16.
 */
static void test_cascade(void **state)
{
	(void)state;
	env_wrmsr(&env, CRU_ESCR0, 0x0400060c);
	env_wrmsr(&env, CRU_ESCR1, 0x0400060c);
	env_wrmsr(&env, COUNTER(12), (uint64_t)-3);
	env_wrmsr(&env, CCCR(12), ON(4));
	env_wrmsr(&env, CCCR(14), SELECT(4) | ANY_THREAD | CASCADE);
	env_wrmsr(&env, CCCR(16), SELECT(4) | ANY_THREAD | CASCADE);
	env_nops(&env, 3);
	assert_int_equal(env_rdpmc(&env, 14), 0);
	assert_int_equal(env_rdmsr(&env, CCCR(14)), ON(4) | CASCADE);
	env_nops(&env, 4);
	assert_int_equal(env_rdpmc(&env, 14), 4);
	assert_int_equal(env_rdpmc(&env, 16), 0);
	env_wrmsr(&env, COUNTER(14), (uint64_t)-1);
	env_nops(&env, 3);
	assert_int_equal(env_rdpmc(&env, 14), 2);
	assert_int_equal(env_rdpmc(&env, 16), 2);
	/* Without the cascade bit nothing starts. */
	env_wrmsr(&env, CCCR(14), SELECT(4) | ANY_THREAD);
	env_wrmsr(&env, COUNTER(12), (uint64_t)-1);
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 14), 2);
}

/* Every cascade pair: counter n overflows, its partner starts. Interrupts come from both. */
static void test_cascade_partners(void **state)
{
	static const uint8_t partner[18] = { 2,  3, 0, 1,  6,  7,  4,  5,    10,
		                             11, 8, 9, 14, 15, 12, 13, 0xff, 0xff };

	(void)state;
	/* FIRM, TC, MOB etc. have nothing to count here: compare makes clocks of any of them. */
	for (unsigned n = 0; n < 18; n++) {
		env_wrmsr(&env, COUNTER(n), (uint64_t)-1);
		for (unsigned k = 0; k < 18; k++)
			if (k != n)
				env_wrmsr(&env, CCCR(k), ANY_THREAD | CASCADE);
		env_wrmsr(&env, CCCR(n),
		          ON(n >= 12 ? 4 : 0) | COMPARE | COMPLEMENT | THRESHOLD(15));
		env_nops(&env, 1);
		for (unsigned k = 0; k < 18; k++) {
			bool starts =
				partner[n] == k || (n == 14 && k == 16) || (n == 15 && k == 17);

			assert_int_equal(env_rdmsr(&env, CCCR(k)) >> 12 & 1, starts || k == n);
		}
		for (unsigned k = 0; k < 18; k++)
			env_wrmsr(&env, CCCR(k), 0);
	}
}

/* Thread qualification of ESCR and CCCR; interrupts go to the thread of the OVF_PMI bit. */
static void test_threads(void **state)
{
	static const unsigned bits[] = { T0_OS, T1_OS, T0_OS | T1_OS, T1_USR };
	static const unsigned expected[] = { 3, 2, 5, 1 };

	(void)state;
	env_wrmsr(&env, CCCR(12), ON(4));
	for (unsigned i = 0; i < 4; i++) {
		env_wrmsr(&other, CRU_ESCR0, ESCR(2, 3, bits[i]));
		env_wrmsr(&env, COUNTER(12), 0);
		env_nops(&env, 3);
		env_nops(&other, 2);
		env_insn(&other, 3, 1, SIG_COUNT);
		assert_int_equal(env_rdpmc(&other, 12), expected[i]);
	}
	env_wrmsr(&env, CRU_ESCR0, ESCR(2, 3, T0_OS | T1_OS));
	env_wrmsr(&env, COUNTER(12), (uint64_t)-2);
	env_wrmsr(&env, CCCR(12), ON(4) | PMI_T1);
	env_nops(&env, 2);
	assert_int_equal(env.pmis, 0);
	assert_int_equal(other.pmis, 1);
	assert_true(sim_pmu_pmi_line(other.pmu));
	assert_false(sim_pmu_pmi_line(env.pmu));
}

/* Active thread field: 1 counts while one thread runs, 2 while both run, 0 never here. */
static void test_thread_modes(void **state)
{
	static const unsigned alone[4] = { 0, 2, 0, 2 }, both[4] = { 0, 0, 4, 4 };

	(void)state;
	env_wrmsr(&env, CRU_ESCR0, ESCR(2, 3, T0_OS | T1_OS));
	for (unsigned mode = 0; mode < 4; mode++) {
		env_wrmsr(&env, CCCR(12), ENABLE | SELECT(4) | mode << 16);
		env_wrmsr(&env, COUNTER(12), 0);
		sim_pmu_halt(other.pmu);
		env_nops(&env, 2);
		assert_int_equal(env_rdpmc(&env, 12), alone[mode]);
		env_wrmsr(&env, CCCR(12), 0);
		env_nops(&other, 1);
		env_wrmsr(&env, CCCR(12), ENABLE | SELECT(4) | mode << 16);
		env_nops(&other, 1); /* now it is seen to run */
		env_wrmsr(&env, COUNTER(12), 0);
		env_nops(&env, 2);
		env_nops(&other, 2);
		assert_int_equal(env_rdpmc(&env, 12), both[mode]);
	}
}

/* packed_SP_uop is thread independent: any OS bit counts both threads. */
static void test_thread_independent(void **state)
{
	(void)state;
	env_wrmsr(&env, FIRM_ESCR0, ESCR(8, 0x8000, T0_OS));
	env_wrmsr(&env, CCCR(8), ON(1));
	env_insn(&env, 0, 1, SIG_SSE_PS, 2, SIG_COUNT);
	env_insn(&other, 0, 1, SIG_SSE_PS, 3, SIG_COUNT);
	env_insn(&other, 3, 1, SIG_SSE_PS, 3, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 8), 5);
}

/* Front end: uop_type with TAGLOADS 2, TAGSTORES 4 tags, front_end_event NBOGUS counts. */
static void test_front_end_tags(void **state)
{
	static const unsigned mask[4] = { 0, 2, 4, 6 };
	static const unsigned expected[4] = { 0, 3, 2, 5 };

	(void)state;
	env_wrmsr(&env, CRU_ESCR2, ESCR(8, 1, T0_OS));
	env_wrmsr(&env, CCCR(12), ON(5));
	for (unsigned i = 0; i < 4; i++) {
		env_wrmsr(&env, RAT_ESCR0, ESCR(2, mask[i], T0_OS | T0_USR));
		env_wrmsr(&env, COUNTER(12), 0);
		env_insn(&env, 0, 1, SIG_LOADS, 3, SIG_STORES, 2, SIG_COUNT);
		env_insn(&env, 3, 1, SIG_LOADS, 3, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 12), expected[i]);
	}
	/* instr_retired tells instructions with tagged uops (mask 2) from those without (1). */
	env_wrmsr(&env, CRU_ESCR0, ESCR(2, 2, T0_OS));
	env_wrmsr(&env, CCCR(13), ON(4));
	env_wrmsr(&env, RAT_ESCR0, ESCR(2, 2, T0_OS));
	env_insn(&env, 0, 1, SIG_LOADS, 3, SIG_COUNT);
	env_insn(&env, 0, 1, SIG_STORES, 3, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 13), 1);
}

/* Execution: two FIRM ESCRs with tag values 1 and 4; NBOGUS0 and NBOGUS2 pick them. */
static void test_execution_tags(void **state)
{
	static const unsigned mask[] = { 1, 4, 5, 2, 0x10 };
	static const unsigned expected[] = { 2, 7, 9, 0, 0 };

	(void)state;
	env_wrmsr(&env, FIRM_ESCR0, ESCR(8, 0x8000, T0_OS | 0x10 | 1 << 5)); /* packed SP */
	env_wrmsr(&env, FIRM_ESCR1, ESCR(4, 0x8000, T0_OS | 0x10 | 4 << 5)); /* x87 */
	env_wrmsr(&env, CCCR(12), ON(5));
	for (unsigned i = 0; i < 5; i++) {
		env_wrmsr(&env, CRU_ESCR2, ESCR(0xc, mask[i], T0_OS));
		env_wrmsr(&env, COUNTER(12), 0);
		env_insn(&env, 0, 1, SIG_SSE_PS, 2, SIG_COUNT);
		env_insn(&env, 0, 1, SIG_X87_OPS, 7, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 12), expected[i]);
	}
	/* Without the tag enable bit nothing is tagged. */
	env_wrmsr(&env, FIRM_ESCR0, ESCR(8, 0x8000, T0_OS | 1 << 5));
	env_wrmsr(&env, CRU_ESCR2, ESCR(0xc, 1, T0_OS));
	env_wrmsr(&env, COUNTER(12), 0);
	env_insn(&env, 0, 1, SIG_SSE_PS, 2, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 12), 0);
}

/* The replay metrics of the table in the SDM, PEBS_ENABLE and MATRIX_VERT. */
static void test_replay(void **state)
{
	static const struct {
		uint32_t enable, vert, expected;
	} row[] = {
		{ 0x1000001, 0x1, 2 },  { 0x1000002, 0x1, 3 }, { 0x1000004, 0x1, 4 },
		{ 0x1000004, 0x2, 5 },  { 0x1000004, 0x3, 9 }, { 0x1018000, 0x10, 1 },
		{ 0x1000200, 0x1, 17 }, { 0x1000200, 0x2, 0 }, { 0x1000400, 0x1, 6 },
		{ 0x1000400, 0x2, 7 },  { 0x0000001, 0x1, 0 }, { 0x1000001, 0x0, 0 },
	};

	(void)state;
	env_wrmsr(&env, CRU_ESCR2, ESCR(9, 1, T0_OS));
	env_wrmsr(&env, SAAT_ESCR1, ESCR(4, 2, T0_OS));
	env_wrmsr(&env, SAAT_ESCR0, ESCR(5, 2, T0_OS));
	env_wrmsr(&env, MOB_ESCR0, ESCR(3, 0x30, T0_OS));
	env_wrmsr(&env, CCCR(12), ON(5));
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, PEBS_ENABLE, row[i].enable);
		env_wrmsr(&env, MATRIX_VERT, row[i].vert);
		env_wrmsr(&env, COUNTER(12), 0);
		env_insn(&env, 0, 1, SIG_L1D_LOAD_MISS, 2, SIG_L2_LOAD_MISS, 3, SIG_DTLB_LOAD_WALK,
		         4, SIG_DTLB_STORE_WALK, 5, SIG_MISPREDICTED, 1, SIG_SPLIT_LOAD, 6,
		         SIG_SPLIT_STORE, 7, SIG_FORWARD_FAILED, 8, SIG_FORWARD_UNALIGNED, 9,
		         SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 12), row[i].expected);
	}
	/* The metric of the memory order buffer counts once what its ESCRs ask for. */
	env_wrmsr(&env, MOB_ESCR0, ESCR(3, 0x20, T0_OS));
	env_wrmsr(&env, MOB_ESCR1, ESCR(3, 0x20, T0_OS));
	env_wrmsr(&env, PEBS_ENABLE, 0x1000200);
	env_wrmsr(&env, MATRIX_VERT, 1);
	env_wrmsr(&env, COUNTER(12), 0);
	env_insn(&env, 0, 1, SIG_FORWARD_FAILED, 8, SIG_FORWARD_UNALIGNED, 9, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 12), 9);
	/* The split metrics need the upstream ESCR. */
	env_wrmsr(&env, SAAT_ESCR1, 0);
	env_wrmsr(&env, PEBS_ENABLE, 0x1000400);
	env_wrmsr(&env, MATRIX_VERT, 1);
	env_wrmsr(&env, COUNTER(12), 0);
	env_insn(&env, 0, 1, SIG_SPLIT_LOAD, 6, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 12), 0);
}

/* A branch at CPL 0 with a wrong path of 5 instructions, 6 uops, 3 loads, a store. */
static void wrong_path(void)
{
	env_insn(&env, 0, 1, SIG_UOPS, 1, SIG_LOADS, 1, SIG_BOGUS_INSNS, 5, SIG_BOGUS_UOPS, 6,
	         SIG_BOGUS_LOADS, 3, SIG_BOGUS_STORES, 1, SIG_BOGUS_LOAD_INSNS, 2,
	         SIG_BOGUS_STORE_INSNS, 1, SIG_BOGUS_MEMORY_INSNS, 3, SIG_BOGUS_LOAD_MISS, 2,
	         SIG_BOGUS_L2_MISS, 1, SIG_BOGUS_X87_OPS, 4, SIG_X87_OPS, 10, SIG_COUNT);
}

/* NBOGUS, BOGUS and both, of each event that tells them apart; uop_type's mask in `tags`. */
static void test_bogus(void **state)
{
	static const struct {
		uint32_t escr; /* CRU_ESCR0, CRU_ESCR2 */
		uint8_t event;
		uint16_t mask;
		uint8_t tags, expected;
	} row[] = {
		{ CRU_ESCR0, 1, 1, 0, 1 },      { CRU_ESCR0, 1, 2, 0, 6 }, /* uops_retired */
		{ CRU_ESCR0, 1, 3, 0, 7 },      { CRU_ESCR0, 2, 4, 2, 3 }, /* instr_retired */
		{ CRU_ESCR0, 2, 8, 2, 2 },      { CRU_ESCR0, 2, 8, 4, 1 },
		{ CRU_ESCR0, 2, 8, 6, 3 },      { CRU_ESCR0, 2, 4, 0, 5 },
		{ CRU_ESCR0, 2, 0xf, 6, 6 },    { CRU_ESCR2, 8, 2, 2, 3 }, /* front_end_event */
		{ CRU_ESCR2, 8, 2, 4, 1 },      { CRU_ESCR2, 8, 3, 6, 5 },
		{ CRU_ESCR2, 9, 1, 0, 0 },      { CRU_ESCR2, 9, 2, 0, 2 },     /* replay_event */
		{ CRU_ESCR2, 12, 1, 0, 10 },    { CRU_ESCR2, 12, 0x10, 0, 4 }, /* execution_event */
		{ CRU_ESCR2, 12, 0x11, 0, 14 }, { CRU_ESCR2, 12, 0x20, 0, 0 },
	};

	(void)state;
	env_wrmsr(&env, PEBS_ENABLE, 0x1000001);
	env_wrmsr(&env, MATRIX_VERT, 1);
	env_wrmsr(&env, FIRM_ESCR1, ESCR(4, 0x8000, T0_OS | 0x10 | 1 << 5));
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, RAT_ESCR0, ESCR(2, row[i].tags, T0_OS));
		env_wrmsr(&env, row[i].escr, ESCR(row[i].event, row[i].mask, T0_OS));
		env_wrmsr(&env, CCCR(12), ON(row[i].escr == CRU_ESCR0 ? 4 : 5));
		env_wrmsr(&env, COUNTER(12), 0);
		wrong_path();
		assert_int_equal(env_rdpmc(&env, 12), row[i].expected);
	}
}

/*
 * PEBS, 32-bit area at 10000h: buffer at 11000h for 3 records of 40 bytes, interrupt after the
 * second, reset value -4. First period 2: misses 1, 2 overflow, 3 makes the record; then -4:
 * misses 4-7 overflow, 8 makes the second; 13 the third, 18 would be the fourth: no room. Each
 * record at or beyond the threshold interrupts.
 */
static void run_pebs(struct env *e, unsigned counter)
{
	uint32_t area[12] = { 0 };

	area[4] = area[5] = 0x11000;
	area[6] = 0x11000 + 3 * 40;
	area[7] = 0x11000 + 2 * 40;
	memcpy(e->mem, area, sizeof(area));
	memset(e->mem + 0x20, 0xff, 8);
	e->mem[0x20] = 0xfc;
	env_wrmsr(e, DS_AREA, 0x10000);
	env_wrmsr(e, PEBS_ENABLE, 0x3000001);
	env_wrmsr(e, MATRIX_VERT, 1);
	env_wrmsr(e, COUNTER(counter), (uint64_t)-2);
	env_wrmsr(e, CCCR(counter), ON(5));
	for (unsigned i = 1; i <= 20; i++) {
		assert_int_equal(sim_pmu_wants_regs(e->pmu),
		                 i == 3 || i == 8 || i == 13 || i == 18);
		for (unsigned r = 0; r < 18; r++) {
			e->before[r] = 0x100 * r + i;
			e->regs[r] = 0xffff;
		}
		e->has_before = sim_pmu_wants_regs(e->pmu);
		env_insn(e, 0, 1, SIG_L1D_LOAD_MISS, 1, SIG_COUNT);
		assert_int_equal(e->pmis, i < 8 ? 0 : i < 13 ? 1 : 2);
	}
	assert_int_equal(env_mem32(e, 0x10014), 0x11000 + 120);
	for (unsigned k = 0; k < 3; k++)
		for (unsigned r = 0; r < 10; r++)
			assert_int_equal(env_mem32(e, 0x11000 + 40 * k + 4 * r),
			                 0x100 * r + 3 + 5 * k);
	assert_int_equal(env_rdpmc(e, counter), 0xfffffffffe); /* -4 at 18, then 19 and 20 */
}

static void test_pebs(void **state)
{
	(void)state;
	env_wrmsr(&env, CRU_ESCR2, ESCR(9, 1, T0_OS));
	run_pebs(&env, 16);
}

/* Thread 1 samples with counter 17 and its own DS area. */
static void test_pebs_thread1(void **state)
{
	(void)state;
	env_wrmsr(&other, CRU_ESCR3, ESCR(9, 1, T1_OS));
	run_pebs(&other, 17);
	assert_int_equal(env.pmis, 0);
}

/* Any other counter only counts, and so does counter 16 with another event. */
static void test_pebs_not(void **state)
{
	(void)state;
	env_wrmsr(&env, DS_AREA, 0x10000);
	env_wrmsr(&env, PEBS_ENABLE, 0x3000001);
	env_wrmsr(&env, CRU_ESCR0, ESCR(1, 1, T0_OS));
	env_wrmsr(&env, COUNTER(16), (uint64_t)-1);
	env_wrmsr(&env, CCCR(16), ON(4));
	env_insn(&env, 0, 1, SIG_UOPS, 1, SIG_COUNT);
	env_insn(&env, 0, 1, SIG_UOPS, 1, SIG_COUNT);
	assert_false(sim_pmu_wants_regs(env.pmu));
	assert_int_equal(env_rdpmc(&env, 16), 1);
}

/* 64-bit area of Prescott (DTES64): base 20h, index 28h, maximum 30h, threshold 38h, reset 40h. */
static void test_pebs_wide(void **state)
{
	uint64_t area[9] = { 0, 0, 0, 0, 0x11000, 0x11000, 0x11000 + 144, 0x11000 + 144, 7 };

	(void)state;
	memcpy(env.mem, area, sizeof(area));
	env_wrmsr(&env, CRU_ESCR2, ESCR(8, 1, T0_OS));
	env_wrmsr(&env, RAT_ESCR0, ESCR(2, 2, T0_OS));
	env_wrmsr(&env, DS_AREA, 0x10000);
	env_wrmsr(&env, PEBS_ENABLE, 0x2000000);
	env_wrmsr(&env, COUNTER(16), (uint64_t)-1);
	env_wrmsr(&env, CCCR(16), ON(5));
	env_insn(&env, 0, 1, SIG_LOADS, 1, SIG_COUNT);
	for (unsigned r = 0; r < 18; r++)
		env.regs[r] = 0x1234567800000000 + r;
	env_insn(&env, 0, 1, SIG_LOADS, 1, SIG_COUNT); /* no copy of before: state after */
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_mem64(&env, 0x10028), 0x11000 + 144);
	for (unsigned r = 0; r < 18; r++)
		assert_int_equal(env_mem64(&env, 0x11000 + 8 * r), 0x1234567800000000 + r);
	assert_int_equal(env_rdpmc(&env, 16), 7);
}

/* instr_completed is on models 3, 4, 6 only. */
static void test_models(void **state)
{
	(void)state;
	env_wrmsr(&env, CRU_ESCR0, ESCR(7, 1, T0_OS));
	env_wrmsr(&env, CCCR(12), ON(4));
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 12), 0);
	env_close(&env);
	env_open(&env, "p4p");
	env_wrmsr(&env, CRU_ESCR0, ESCR(7, 1, T0_OS));
	env_wrmsr(&env, CCCR(12), ON(4));
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 12), 2);
}

/* Bit 11 of an IQ CCCR: counter 16 starts 13, 14 and 17, counter 17 starts 12, 15 and 16. */
static void test_extended_cascade(void **state)
{
	static const uint32_t started[2] = { 1 << 13 | 1 << 14 | 1 << 17,
		                             1 << 12 | 1 << 15 | 1 << 16 };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned n = 12; n < 18; n++)
			env_wrmsr(&env, CCCR(n), SELECT(4) | ANY_THREAD | 0x800);
		env_wrmsr(&env, COUNTER(16 + i), (uint64_t)-1);
		env_wrmsr(&env, CCCR(16 + i), ON(4) | COMPARE | COMPLEMENT | THRESHOLD(15));
		env_nops(&env, 1);
		for (unsigned n = 12; n < 18; n++)
			if (n != 16 + i)
				assert_int_equal(env_rdmsr(&env, CCCR(n)) >> 12 & 1,
				                 started[i] >> n & 1);
	}
}

/* Branch records of Willamette: 1dbh-1deh hold from in 31:0 and to in 63:32, 1dah the top. */
static void test_lbr(void **state)
{
	(void)state;
	env_wrmsr(&env, 0x1d9, 1);
	for (unsigned i = 0; i < 5; i++)
		env_branch(&env, 0, BRANCH_JUMP, 0x100 + i, 0x200 + i, true, false);
	assert_int_equal(env_rdmsr(&env, 0x1da), 1); /* 5 mod 4 */
	assert_int_equal(env_rdmsr(&env, 0x1dc), 0x20400000104);
	assert_int_equal(env_rdmsr(&env, 0x1db), 0x20300000103);
	env_wrmsr_gp(&env, 0x1d9, 0x80);
}

/* Specification update of the Pentium 4, N15: only the first write of a counter is wrong. */
static void test_n15(void **state)
{
	(void)state;
	sim_pmu_set_fault(env.pmu, PMU_FAULT_N15, 0);
	env_wrmsr(&env, COUNTER(4), 7);
	assert_int_equal(env_rdmsr(&env, COUNTER(4)), 0x100000007);
	env_wrmsr(&env, COUNTER(4), 7);
	assert_int_equal(env_rdmsr(&env, COUNTER(4)), 7);
}

#define TEST(name)    cmocka_unit_test_setup_teardown(name, setup, teardown)
#define TEST_HT(name) cmocka_unit_test_setup_teardown(name, setup_ht, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_registers),
		TEST_HT(test_registers_ht),
		TEST(test_escr_count),
		TEST(test_instructions),
		TEST(test_wiring),
		TEST(test_rows),
		TEST(test_privilege),
		TEST(test_threshold),
		TEST(test_threshold_limit),
		TEST(test_branches),
		TEST(test_overflow),
		TEST(test_cascade),
		TEST(test_cascade_partners),
		TEST_HT(test_threads),
		TEST_HT(test_thread_modes),
		TEST_HT(test_thread_independent),
		TEST(test_front_end_tags),
		TEST(test_bogus),
		TEST(test_execution_tags),
		TEST(test_replay),
		TEST(test_pebs),
		TEST_HT(test_pebs_thread1),
		TEST(test_pebs_not),
		cmocka_unit_test_prestate_setup_teardown(test_pebs_wide, setup, teardown, "p4p"),
		TEST(test_models),
		TEST(test_n15),
		TEST_HT(test_extended_cascade),
		TEST(test_lbr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
