/*
 * sim/tests/test_pmu_arch.c - architectural performance monitoring, versions 1 to 6.
 *
 * Layout: SDM volume 3B, "Architectural Performance Monitoring". The tests say which model stands
 * for which version: core 1, core2 2, nehalem and sandybridge 3, skylake 4, icelake and goldencove
 * 5, sierraforest 6.
 */
#include "pmu_env.h"

#define PMC(n)      (0xc1u + (n))
#define EVTSEL(n)   (0x186u + (n))
#define A_PMC(n)    (0x4c1u + (n))
#define FIXED(n)    (0x309u + (n))
#define FIXED_CTRL  0x38d
#define STATUS      0x38e
#define GLOBAL_CTRL 0x38f
#define OVF_CTRL    0x390
#define STATUS_SET  0x391
#define INUSE       0x392
#define PEBS_ENABLE 0x3f1
#define DATA_CFG    0x3f2
#define DS_AREA     0x600
#define DEBUGCTL    0x1d9

#define USR      0x10000u
#define OS       0x20000u
#define EDGE     0x40000u
#define INT      0x100000u
#define ANY      0x200000u
#define EN       0x400000u
#define INV      0x800000u
#define CMASK(n) ((uint64_t)(n) << 24)

#define BIT(n) (1ull << (n))

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

/* Yonah: two selects and two 40-bit counters, nothing else. */
static void test_version1(void **state)
{
	uint64_t value;

	(void)state;
	env_writable_bits(&env, EVTSEL(0), 0xffdfffff);
	env_writable_bits(&env, EVTSEL(1), 0xffdfffff);
	env_no_msr(&env, EVTSEL(2));
	env_no_msr(&env, PMC(2));
	env_no_msr(&env, FIXED(0));
	env_no_msr(&env, FIXED_CTRL);
	env_no_msr(&env, GLOBAL_CTRL);
	env_no_msr(&env, STATUS);
	env_no_msr(&env, A_PMC(0));
	env_wrmsr(&env, PMC(0), 0x80000000);
	assert_int_equal(env_rdmsr(&env, PMC(0)), 0xff80000000);
	/* Each has its own enable bit. */
	env_wrmsr(&env, PMC(0), 0);
	env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | USR);
	env_wrmsr(&env, EVTSEL(1), 0xc0 | OS | EN | INT);
	env_wrmsr(&env, PMC(1), (uint64_t)-2);
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 0), 0);
	assert_int_equal(env_rdpmc(&env, 1), 0);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 0x40000000, &value), RDPMC_GP);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 2, &value), RDPMC_GP);
}

static void test_version2(void **state)
{
	(void)state;
	/* Out of reset the general counters are enabled, the fixed ones not. */
	assert_int_equal(env_rdmsr(&env, GLOBAL_CTRL), 0x3);
	env_writable_bits(&env, GLOBAL_CTRL, 0x700000003);
	env_writable_bits(&env, FIXED_CTRL, 0xbbb); /* no AnyThread */
	env_writable_bits(&env, EVTSEL(0), 0xffdfffff);
	env_wrmsr_gp(&env, STATUS, 0);
	env_no_msr(&env, STATUS_SET);
	env_no_msr(&env, INUSE);
	env_no_msr(&env, A_PMC(0));
	env_no_msr(&env, FIXED(3));
	env_writable_bits(&env, PEBS_ENABLE, 1);
	env_wrmsr_gp(&env, 0x345, 0);
	env_wrmsr(&env, FIXED(1), 0xffffffffff);
	env_wrmsr_gp(&env, FIXED(1), BIT(40));
}

/* Fixed counters: 3 instructions of 2 clocks at CPL 0, 1 of 5 clocks at CPL 3. */
static void test_fixed(void **state)
{
	static const unsigned instructions[4] = { 0, 3, 1, 4 }, clocks[4] = { 0, 6, 5, 11 };

	(void)state;
	env_wrmsr(&env, GLOBAL_CTRL, 0x700000000);
	for (unsigned e = 0; e < 4; e++) {
		env_wrmsr(&env, FIXED_CTRL, e | e << 4 | e << 8);
		for (unsigned n = 0; n < 3; n++)
			env_wrmsr(&env, FIXED(n), 0);
		for (unsigned i = 0; i < 3; i++)
			env_insn(&env, 0, 2, SIG_COUNT);
		env_insn(&env, 3, 5, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 0x40000000), instructions[e]);
		assert_int_equal(env_rdpmc(&env, 0x40000001), clocks[e]);
		assert_int_equal(env_rdpmc(&env, 0x40000002), clocks[e]);
	}
	/* A fixed counter needs its GLOBAL_CTRL bit too. */
	env_wrmsr(&env, GLOBAL_CTRL, 0x600000000);
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 0x40000000), 4);
	assert_int_equal(env_rdpmc(&env, 0x40000001), 13);
}

static void test_overflow(void **state)
{
	(void)state;
	env_wrmsr(&env, FIXED(0), 0xfffffffffd); /* 40 bits on Core 2 */
	env_wrmsr(&env, FIXED_CTRL, 0x9);        /* OS, PMI */
	env_wrmsr(&env, PMC(1), (uint64_t)-2);
	env_wrmsr(&env, EVTSEL(1), 0xc0 | OS | EN);
	env_wrmsr(&env, GLOBAL_CTRL, 0x100000002);
	env_nops(&env, 2);
	assert_int_equal(env_rdmsr(&env, STATUS), 2);
	assert_int_equal(env.pmis, 0);
	env_nops(&env, 1);
	assert_int_equal(env_rdmsr(&env, STATUS), 0x100000002);
	assert_int_equal(env.pmis, 1);
	env_wrmsr(&env, OVF_CTRL, 2);
	assert_int_equal(env_rdmsr(&env, STATUS), 0x100000000);
	env_wrmsr(&env, OVF_CTRL, 0xc000000100000003);
	assert_int_equal(env_rdmsr(&env, STATUS), 0);
	env_wrmsr_gp(&env, OVF_CTRL, 4);
}

/* Version 2 and 3: DEBUGCTL bit 12 clears GLOBAL_CTRL at the interrupt, bit 11 the LBR bit. */
static void test_freeze(void **state)
{
	(void)state;
	env_wrmsr(&env, DEBUGCTL, BIT(0) | BIT(11) | BIT(12));
	env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | EN | INT);
	env_wrmsr(&env, PMC(0), (uint64_t)-1);
	env_wrmsr(&env, GLOBAL_CTRL, 1);
	env_nops(&env, 5);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_rdpmc(&env, 0), 0);
	assert_int_equal(env_rdmsr(&env, GLOBAL_CTRL), 0);
	assert_int_equal(env_rdmsr(&env, DEBUGCTL), BIT(11) | BIT(12));
}

/* Version 4: bits 59 and 58 of STATUS freeze, and clearing them goes on. */
static void test_freeze_streamlined(void **state)
{
	(void)state;
	env_wrmsr(&env, DEBUGCTL, BIT(0) | BIT(11) | BIT(12));
	env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | EN | INT);
	env_wrmsr(&env, PMC(0), (uint64_t)-1);
	env_wrmsr(&env, GLOBAL_CTRL, 1);
	env_nops(&env, 5);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_rdpmc(&env, 0), 0);
	assert_int_equal(env_rdmsr(&env, GLOBAL_CTRL), 1);
	assert_int_equal(env_rdmsr(&env, STATUS), BIT(58) | BIT(59) | 1);
	env_branch(&env, 0, BRANCH_JUMP, 0x100, 0x200, true, false);
	assert_int_equal(env_rdmsr(&env, 0x1c9), 0); /* nothing recorded */
	env_wrmsr(&env, OVF_CTRL, BIT(59) | 1);
	env_nops(&env, 2);
	assert_int_equal(env_rdpmc(&env, 0), 2);
	env_wrmsr(&env, OVF_CTRL, BIT(58));
	env_branch(&env, 0, BRANCH_JUMP, 0x100, 0x200, true, true);
	assert_int_equal(env_rdmsr(&env, 0x1c9), 1);
	assert_int_equal(env_rdmsr(&env, 0x680 + 1), 0x100);
	assert_int_equal(env_rdmsr(&env, 0x6c0 + 1), 0x200);
	assert_int_equal(env_rdmsr(&env, 0xdc0 + 1) >> 63, 1);
}

/*
 * Freezing ends a clock: what retires in it behind the overflow counts, nothing later does. Of an
 * instruction of ten clocks in whose fourth the overflow is, four clocks count and no event.
 */
static void test_freeze_clock(void **state)
{
	(void)state;
	env_wrmsr(&env, DEBUGCTL, BIT(12));
	env_wrmsr(&env, EVTSEL(0), 0x3c | OS | EN | INT);
	env_wrmsr(&env, EVTSEL(1), 0xc0 | OS | EN);
	env_wrmsr(&env, PMC(0), (uint64_t)-2);
	env_wrmsr(&env, GLOBAL_CTRL, 3);
	env_insn(&env, 0, 1, SIG_COUNT);
	env_insn(&env, 0, 1, SIG_COUNT);
	assert_int_equal(env.pmis, 0);
	env_insn(&env, 0, 0, SIG_COUNT);
	env_insn(&env, 0, 1, SIG_COUNT);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_rdpmc(&env, 0), 0);
	assert_int_equal(env_rdpmc(&env, 1), 3);
	env_wrmsr(&env, GLOBAL_CTRL, 0);
	env_wrmsr(&env, OVF_CTRL, BIT(59) | 1);
	env_wrmsr(&env, PMC(0), (uint64_t)-4);
	env_wrmsr(&env, GLOBAL_CTRL, 3);
	env_insn(&env, 0, 10, SIG_COUNT);
	assert_int_equal(env.pmis, 2);
	assert_int_equal(env_rdpmc(&env, 0), 0);
	assert_int_equal(env_rdpmc(&env, 1), 3);
}

static void test_version4(void **state)
{
	(void)state;
	env_writable_bits(&env, EVTSEL(0), 0xfff7ffff); /* AnyThread, no pin control */
	env_writable_bits(&env, FIXED_CTRL, 0xfff);
	/* STATUS_SET sets what may be set, without interrupt. */
	env_wrmsr(&env, STATUS_SET, 0xcc0000070000000f);
	assert_int_equal(env_rdmsr(&env, STATUS), 0xcc0000070000000f);
	assert_int_equal(env.pmis, 0);
	env_wrmsr_gp(&env, STATUS_SET, 0x10);
	env_wrmsr(&env, OVF_CTRL, 0xcc0000070000000f);
	assert_int_equal(env_rdmsr(&env, STATUS), 0);
	/* INUSE: event select not 0, a ring of a fixed counter, an interrupt. */
	assert_int_equal(env_rdmsr(&env, INUSE), 0);
	env_wrmsr(&env, EVTSEL(2), 0xc0);
	assert_int_equal(env_rdmsr(&env, INUSE), 4);
	env_wrmsr(&env, FIXED_CTRL, 0x20);
	assert_int_equal(env_rdmsr(&env, INUSE), 0x200000004);
	env_wrmsr(&env, FIXED_CTRL, 0xa0);
	assert_int_equal(env_rdmsr(&env, INUSE), 0x8000000200000004);
	env_wrmsr_gp(&env, INUSE, 0);
	/* Full-width writes; the old address takes 32 bits. */
	env_wrmsr(&env, A_PMC(0), 0x123456789abc);
	assert_int_equal(env_rdmsr(&env, PMC(0)), 0x123456789abc);
	env_wrmsr_gp(&env, A_PMC(0), BIT(48));
	env_wrmsr(&env, PMC(0), 0x1234567880000000);
	assert_int_equal(env_rdmsr(&env, A_PMC(0)), 0xffff80000000);
	env_writable_bits(&env, 0x3f6, 0xffff);
	env_writable_bits(&env, 0x3f7, 0x7fff17);
	env_writable_bits(&env, 0x1a6, 0x3fffff8fff);
	env_writable_bits(&env, PEBS_ENABLE, 0xf0000000f);
	env_no_msr(&env, DATA_CFG);
}

/* Bits by version: AnyThread and pin control go, adaptive records, UMASK2 and EQ come. */
static void test_select_bits(void **state)
{
	static const struct {
		const char *model;
		uint64_t mask;
	} row[] = {
		{ "nehalem", 0xffffffff },     { "sandybridge", 0xfff7ffff },
		{ "skylake", 0xfff7ffff },     { "icelake", 0x4ffd7ffff },
		{ "goldencove", 0x5ffd7ffff }, { "sierraforest", 0xff14ffd7ffff },
	};
	struct env e;

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_open(&e, row[i].model);
		env_writable_bits(&e, EVTSEL(0), row[i].mask);
		env_close(&e);
	}
	env_open(&e, "goldencove");
	env_writable_bits(&e, EVTSEL(2), 0x7ffd7ffff); /* IN_TXCP on counter 2 only */
	env_close(&e);
}

/* 2 + 2 uops in 5 clocks (0 0 2, 0 2): cmask, inv, edge as on P6. */
static void test_cmask(void **state)
{
	static const struct {
		unsigned cmask, flags, expected;
	} row[] = {
		{ 0, 0, 4 },   { 1, 0, 2 },   { 2, 0, 2 },    { 3, 0, 0 },
		{ 1, INV, 3 }, { 3, INV, 5 }, { 1, EDGE, 2 }, { 1, INV | EDGE, 2 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, EVTSEL(0), 0x010e | OS | EN | row[i].flags | CMASK(row[i].cmask));
		env_wrmsr(&env, PMC(0), 0);
		env_insn(&env, 0, 3, SIG_ISSUED, 2, SIG_COUNT);
		env_insn(&env, 0, 2, SIG_ISSUED, 2, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 0), row[i].expected);
	}
}

/* The seven architectural events on one instruction, with 27 core clocks = 1 bus clock. */
static void test_events(void **state)
{
	static const struct {
		unsigned event, expected;
	} row[] = {
		{ 0x003c, 27 }, { 0x00c0, 1 }, { 0x013c, 1 }, { 0x4f2e, 9 },
		{ 0x412e, 4 },  { 0x00c4, 1 }, { 0x00c5, 1 }, { 0x0001, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_wrmsr(&env, EVTSEL(0), row[i].event | OS | EN);
		env_wrmsr(&env, PMC(0), 0);
		env_insn(&env, 0, 27, SIG_LLC_REFERENCE, 9, SIG_LLC_MISS, 4, SIG_BRANCHES, 1,
		         SIG_MISPREDICTED, 1, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 0), row[i].expected);
	}
}

/* Bus clocks, 27 core clocks each: after 20, 40, 60, 80 core clocks 0, 1, 2, 2. */
static void test_bus_clocks(void **state)
{
	static const unsigned expected[4] = { 0, 1, 2, 2 };

	(void)state;
	env_wrmsr(&env, EVTSEL(0), 0x013c | OS | EN);
	for (unsigned i = 0; i < 4; i++) {
		env_insn(&env, 0, 20, SIG_COUNT);
		assert_int_equal(env_rdpmc(&env, 0), expected[i]);
	}
}

/* L1D_PEND_MISS and others exist on one counter only: here 0xcb on counter 0 of Core 2. */
static void test_restrictions(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 2; n++)
		env_wrmsr(&env, EVTSEL(n), 0x01cb | OS | EN);
	env_insn(&env, 0, 1, SIG_L1D_LOAD_MISS, 3, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 3);
	assert_int_equal(env_rdpmc(&env, 1), 0);
}

/* Slots: 5 a clock, fixed counter 3 and event a4h/01h; retiring = uops / slots * 255. */
static void test_slots_and_metrics(void **state)
{
	(void)state;
	env_wrmsr(&env, FIXED_CTRL, 0x1000);
	env_wrmsr(&env, EVTSEL(7), 0x01a4 | OS | EN);
	env_wrmsr(&env, GLOBAL_CTRL, BIT(48) | BIT(35) | BIT(7));
	env_insn(&env, 0, 4, SIG_UOPS, 10, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0x40000003), 20);
	assert_int_equal(env_rdpmc(&env, 7), 20);
	assert_int_equal(env_rdmsr(&env, 0x329), 127); /* 10 * 255 / 20 */
	assert_int_equal(env_rdpmc(&env, 0x20000000), 127);
	env_wrmsr(&env, FIXED(3), 0);
	assert_int_equal(env_rdmsr(&env, 0x329), 0);
}

/* Version 6: fixed counters 0-2 and 4-6, the block at 1900h, UMASK2 and EQ. */
static void test_version6(void **state)
{
	uint64_t value;

	(void)state;
	env_no_msr(&env, FIXED(3));
	env_wrmsr(&env, FIXED(4), 5);
	env_writable_bits(&env, GLOBAL_CTRL, 0x77000000ff);
	env_writable_bits(&env, FIXED_CTRL, 0x11101110bbb0bbb);
	/* from version 5 on only bits of counters that are there: fixed counter 3 is not */
	env_writable_bits(&env, PEBS_ENABLE, 0x77000000ff);
	assert_int_equal(sim_pmu_rdpmc(env.pmu, 0x40000003, &value), RDPMC_GP);
	assert_int_equal(env_rdpmc(&env, 0x40000004), 5);

	env_wrmsr(&env, 0x1900 + 4 * 2, 0x123456789abc);
	assert_int_equal(env_rdmsr(&env, PMC(2)), 0x123456789abc);
	env_wrmsr(&env, 0x1901 + 4 * 2, 0xc0 | OS | EN);
	assert_int_equal(env_rdmsr(&env, EVTSEL(2)), 0xc0 | OS | EN);
	env_no_msr(&env, 0x1902);
	env_no_msr(&env, 0x1900 + 4 * 8);
	env_wrmsr(&env, 0x1980, 7);
	assert_int_equal(env_rdmsr(&env, FIXED(0)), 7);
	env_no_msr(&env, 0x1980 + 4 * 3);
	env_wrmsr(&env, 0x1980 + 4 * 6, 8);
	assert_int_equal(env_rdmsr(&env, FIXED(6)), 8);

	/* Slots per clock 0, 2, 3: equal to 2 once, not equal (inv) in the other two clocks. */
	env_wrmsr(&env, GLOBAL_CTRL, 3);
	env_wrmsr(&env, EVTSEL(0), 0xc2 | OS | EN | CMASK(2) | BIT(36));
	env_wrmsr(&env, EVTSEL(1), 0xc2 | OS | EN | INV | CMASK(2) | BIT(36));
	env_insn(&env, 0, 2, SIG_RETIRED_SLOTS, 2, SIG_COUNT);
	env_insn(&env, 0, 1, SIG_RETIRED_SLOTS, 3, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 1);
	assert_int_equal(env_rdpmc(&env, 1), 2);
	/* With UMASK2 it is another event. */
	env_wrmsr(&env, EVTSEL(0), 0xc2 | OS | EN | BIT(40));
	env_insn(&env, 0, 1, SIG_RETIRED_SLOTS, 3, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 1);
}

/* Leaf 0AH of each model says what the registers have. */
static void test_leaves(void **state)
{
	(void)state;
	for (unsigned i = 0; sim_pmu_model_at(i); i++) {
		const struct sim_pmu_model *m = sim_pmu_model_at(i);
		uint32_t eax = m->leaf_0a[0], ecx = m->leaf_0a[2], edx = m->leaf_0a[3];
		uint32_t map = 0;

		if (m->kind != SIM_PMU_ARCH) {
			assert_int_equal(eax, 0);
			continue;
		}
		for (unsigned n = 0; n < 32; n++)
			map |= (ecx >> n & 1 || (edx & 0x1f) > n) ? 1u << n : 0;
		assert_int_equal(eax & 0xff, m->version);
		assert_int_equal(eax >> 8 & 0xff, m->counters);
		assert_int_equal(eax >> 16 & 0xff, m->width);
		assert_int_equal(map, m->fixed_map);
		assert_true(m->fixed_map == 0 || (edx >> 5 & 0xff) == m->width);
		assert_int_equal(m->any_thread, m->version == 3 || m->version == 4);
	}
}

/* A DS area at 10000h in 64-bit layout, PEBS buffer at 11000h for `n` records of `size` bytes. */
static void make_area(unsigned size, unsigned n, unsigned threshold)
{
	uint64_t area[4] = { 0x11000, 0x11000, 0x11000 + size * n, 0x11000 + size * threshold };

	memcpy(env.mem + 0x20, area, sizeof(area));
	env_wrmsr(&env, DS_AREA, 0x10000);
}

static void put64(uint64_t linear, uint64_t value)
{
	memcpy(env.mem + (linear - ENV_MEM_BASE), &value, 8);
}

static void fill_regs(void)
{
	for (unsigned r = 0; r < 18; r++)
		env.regs[r] = 0xabcd000000000000 + r;
}

/* Size of the records of formats 0 to 3, registers, status and addresses. */
static void test_pebs_formats(void **state)
{
	static const struct {
		const char *model;
		unsigned size, format, event;
	} row[] = {
		{ "core2", 144, 0, 0x01cb },
		{ "nehalem", 176, 1, 0x02cb },
		{ "sandybridge", 176, 1, 0x02d1 },
		{ "skylake", 200, 3, 0x02d1 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		env_close(&env);
		env_open(&env, row[i].model);
		fill_regs();
		env.tsc = 0x1122334455667788;
		make_area(row[i].size, 2, 2);
		put64(0x10040, (uint64_t)-2);
		env_wrmsr(&env, PEBS_ENABLE, 1);
		env_wrmsr(&env, EVTSEL(0), row[i].event | OS | EN);
		env_wrmsr(&env, PMC(0), (uint64_t)-1);
		env_wrmsr(&env, GLOBAL_CTRL, 1);
		/* 1 overflows, 2 is recorded, 3 and 4 overflow, 5 is recorded: threshold. */
		for (unsigned k = 1; k <= 5; k++) {
			sim_step_clear(&env.step);
			env.step.clocks = 30;
			env.step.rip = 0x7000 + k;
			env.step.next_rip = 0x7100 + k;
			env.step.accesses = 1;
			env.step.access[0].linear = 0x9000 + k;
			env.step.access[0].level = LEVEL_L2;
			sim_step_add(&env.step, SIG_L1D_LOAD_MISS, 1);
			sim_step_add(&env.step, SIG_L2_LOAD_HIT_E, 1);
			sim_pmu_retire(env.pmu, &env.step);
			assert_int_equal(env.pmis, k == 5);
		}
		assert_int_equal(env_mem64(&env, 0x10028), 0x11000 + 2 * row[i].size);
		assert_int_equal(env_rdmsr(&env, STATUS), BIT(62)); /* not bit 0 */
		for (unsigned r = 0; r < 18; r++)
			assert_int_equal(env_mem64(&env, 0x11000 + 8 * r), 0xabcd000000000000 + r);
		if (row[i].format >= 1) {
			assert_int_equal(env_mem64(&env, 0x11090), 1);
			assert_int_equal(env_mem64(&env, 0x11098), 0x9002);
			assert_int_equal(env_mem64(&env, 0x110a0), 3); /* L2 */
			assert_int_equal(env_mem64(&env, 0x110a8), 30);
		}
		if (row[i].format >= 3) {
			assert_int_equal(env_mem64(&env, 0x110b0), 0x7002);
			assert_int_equal(env_mem64(&env, 0x110c0), 0x1122334455667788);
		}
		assert_int_equal(env_rdpmc(&env, 0) & 0xff, 0xfe); /* reset value again */
	}
}

/*
 * Adaptive record of Ice Lake: basic 32 + memory 32 + GPR 144 + 2 LBR entries of 24 = 256 bytes.
 * Register order FLAGS IP AX CX DX BX SP BP SI DI.
 */
static void test_pebs_adaptive(void **state)
{
	static const unsigned order[10] = { 0, 1, 2, 4, 5, 3, 9, 8, 6, 7 };

	(void)state;
	fill_regs();
	make_area(256, 1, 1);
	put64(0x10040 + 8 * 5, (uint64_t)-9);
	env_wrmsr(&env, DEBUGCTL, 1);
	env_wrmsr(&env, DATA_CFG, 1u << 24 | 0xb);
	env_wrmsr(&env, PEBS_ENABLE, BIT(5));
	env_wrmsr(&env, EVTSEL(5), 0x00c4 | OS | EN | BIT(34));
	env_wrmsr(&env, GLOBAL_CTRL, BIT(5));
	env_wrmsr(&env, A_PMC(5), 0xffffffffffff);
	env_branch(&env, 0, BRANCH_JUMP, 0x100, 0x200, true, false);
	env_branch(&env, 0, BRANCH_JUMP, 0x300, 0x400, true, false);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(env_mem64(&env, 0x10028), 0x11000 + 256);
	assert_int_equal(env_mem64(&env, 0x11000), 256ull << 48 | 1u << 24 | 0xb);
	assert_int_equal(env_mem64(&env, 0x11008), 0x300); /* eventing IP */
	assert_int_equal(env_mem64(&env, 0x11010), BIT(5));
	for (unsigned r = 0; r < 10; r++)
		assert_int_equal(env_mem64(&env, 0x11040 + 8 * r), 0xabcd000000000000 + order[r]);
	assert_int_equal(env_mem64(&env, 0x110d0), 0x300); /* latest branch first */
	assert_int_equal(env_mem64(&env, 0x110d8), 0x400);
	assert_int_equal(env_mem64(&env, 0x110e8), 0x100);
	assert_int_equal(env_rdpmc(&env, 5), 0xfffffffffff7);
}

/* Reset slots of fixed counters: 80h + 8i before format 5, 140h + 8i from then on. */
static void test_pebs_fixed(void **state)
{
	(void)state;
	make_area(32, 4, 4);
	put64(0x10080, 11);
	put64(0x10140, 22);
	env_wrmsr(&env, PEBS_ENABLE, BIT(32));
	env_wrmsr(&env, FIXED_CTRL, 1);
	env_wrmsr(&env, GLOBAL_CTRL, BIT(32));
	env_wrmsr(&env, FIXED(0), 0xffffffffffff);
	env_nops(&env, 2);
	assert_int_equal(env_mem64(&env, 0x10028), 0x11020); /* basic record: not adaptive */
	assert_int_equal(env_rdmsr(&env, FIXED(0)),
	                 !strcmp(env.pmu->model->name, "icelake") ? 11 : 22);
}

/* LBR_SELECT leaves kinds out; the top moves only with a record. From[63] = mispredicted. */
static void test_lbr_select(void **state)
{
	(void)state;
	env_writable_bits(&env, 0x1c8, 0x1ff);
	env_wrmsr(&env, DEBUGCTL, 1);
	env_wrmsr(&env, 0x1c8, BIT(2) | BIT(1)); /* no JCC, nothing of CPL 3 */
	env_branch(&env, 0, BRANCH_COND, 0x100, 0x200, true, false);
	env_branch(&env, 3, BRANCH_CALL, 0x110, 0x210, true, false);
	env_branch(&env, 0, BRANCH_CALL, 0x120, 0x220, true, true);
	assert_int_equal(env_rdmsr(&env, 0x1c9), 1);
	assert_int_equal(env_rdmsr(&env, 0x681), 0x8000000000000120);
	assert_int_equal(env_rdmsr(&env, 0x6c1), 0x220);
	env_no_msr(&env, 0xdc0);
}

/* MISC_RETIRED.LBR_INSERTS: what LBR_CTL lets in; a return of call-stack mode takes one out. */
static void test_lbr_inserts(void **state)
{
	(void)state;
	env_wrmsr(&env, 0x186, 0x4320cc);
	env_wrmsr(&env, 0x38f, 1);
	env_branch(&env, 0, BRANCH_CALL, 0x100, 0x200, true, false); /* not enabled */
	env_wrmsr(&env, 0x14ce, 0x7f0003);                           /* CPL 0, every kind */
	env_branch(&env, 0, BRANCH_CALL, 0x100, 0x200, true, false);
	env_branch(&env, 0, BRANCH_COND, 0x100, 0x200, false, false);
	env_branch(&env, 0, BRANCH_RETURN, 0x100, 0x200, true, false);
	env_branch(&env, 3, BRANCH_CALL, 0x100, 0x200, true, false);
	env_nops(&env, 3);
	assert_int_equal(env_rdmsr(&env, 0xc1), 2);
	env_wrmsr(&env, 0x14ce, 0x7f000b); /* call stack */
	env_branch(&env, 0, BRANCH_CALL, 0x100, 0x200, true, false);
	env_branch(&env, 0, BRANCH_RETURN, 0x100, 0x200, true, false);
	assert_int_equal(env_rdmsr(&env, 0xc1), 3);
}

/* Architectural LBR: entry 0 is the latest, depth 8, 16 or 32, call-stack mode pops at returns. */
static void test_arch_lbr(void **state)
{
	(void)state;
	assert_int_equal(env_rdmsr(&env, 0x14cf), 32);
	env_wrmsr_gp(&env, 0x14cf, 24);
	env_wrmsr(&env, 0x14cf, 8);
	env_writable_bits(&env, 0x14ce, 0x7f000f);
	env_wrmsr(&env, DEBUGCTL, 1); /* ignored, reads 0 */
	assert_int_equal(env_rdmsr(&env, DEBUGCTL), 0);
	env_wrmsr(&env, 0x14ce, 0x7f0003); /* enable, OS, every kind */
	for (unsigned i = 0; i < 9; i++)
		env_branch(&env, 0, BRANCH_CALL, 0x100 + i, 0x200 + i, true, i == 8);
	env_branch(&env, 3, BRANCH_CALL, 0x900, 0x901, true, false);
	assert_int_equal(env_rdmsr(&env, 0x1500), 0x108);
	assert_int_equal(env_rdmsr(&env, 0x1600), 0x208);
	assert_int_equal(env_rdmsr(&env, 0x1507), 0x101);
	assert_int_equal(env_rdmsr(&env, 0x1508), 0);
	assert_int_equal(env_rdmsr(&env, 0x1200), BIT(63) | BIT(60) | 4ull << 56 | 1);
	env_wrmsr(&env, 0x14ce, 0x7f000b); /* call stack */
	env_branch(&env, 0, BRANCH_RETURN, 0x300, 0x109, true, false);
	assert_int_equal(env_rdmsr(&env, 0x1500), 0x107);
}

static void test_idle(void **state)
{
	(void)state;
	assert_true(sim_pmu_idle(env.pmu));
	env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | EN);
	assert_false(sim_pmu_idle(env.pmu)); /* GLOBAL_CTRL bit 0 is set out of reset */
	env_wrmsr(&env, GLOBAL_CTRL, 0);
	assert_true(sim_pmu_idle(env.pmu));
	env_wrmsr(&env, GLOBAL_CTRL, 1);
	env_wrmsr(&env, EVTSEL(0), 0xc0 | EN); /* no ring */
	assert_true(sim_pmu_idle(env.pmu));
	env_wrmsr(&env, EVTSEL(0), 0x01 | OS | EN); /* no such event */
	assert_true(sim_pmu_idle(env.pmu));
	env_wrmsr(&env, EVTSEL(0), 0x01 | OS | EN | INV | CMASK(1)); /* but its absence counts */
	assert_false(sim_pmu_idle(env.pmu));
	env_insn(&env, 0, 9, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 9);
	sim_pmu_reset(env.pmu);
	assert_true(sim_pmu_idle(env.pmu));
	assert_int_equal(env_rdpmc(&env, 0), 0);
}

/* The last counters of those that are enabled starve; a counter alone does not. */
static void test_budget(void **state)
{
	(void)state;
	sim_pmu_set_fault(env.pmu, PMU_FAULT_BUDGET, 2);
	for (unsigned n = 0; n < 3; n++)
		env_wrmsr(&env, EVTSEL(n), 0xc0 | OS | USR | EN);
	env_wrmsr(&env, GLOBAL_CTRL, 7);
	env_nops(&env, 5);
	assert_int_equal(env_rdpmc(&env, 0), 5);
	assert_int_equal(env_rdpmc(&env, 1), 5);
	assert_int_equal(env_rdpmc(&env, 2), 0);
	env_wrmsr(&env, GLOBAL_CTRL, 4);
	env_nops(&env, 5);
	assert_int_equal(env_rdpmc(&env, 2), 5);
}

/* Specification update of the Core Duo, AE49. */
static void test_ae49(void **state)
{
	(void)state;
	assert_true(sim_pmu_can_fault(env.pmu->model, PMU_FAULT_AE49));
	assert_false(sim_pmu_can_fault(sim_pmu_model("core2"), PMU_FAULT_AE49));
	sim_pmu_set_fault(env.pmu, PMU_FAULT_AE49, 0);
	env_wrmsr(&env, EVTSEL(1), 0xc0 | OS | USR | EN);
	env_nops(&env, 5);
	assert_int_equal(env_rdpmc(&env, 1), 0);
	env_wrmsr(&env, EVTSEL(0), EN);
	env_nops(&env, 5);
	assert_int_equal(env_rdpmc(&env, 1), 5);
}

/* SDM volume 4: MSR_LASTBRANCH_TOS is R/W from the Core 2 on; an operating system restores it. */
static void test_lbr_tos(void **state)
{
	(void)state;
	env_wrmsr(&env, 0x1c9, 3);
	assert_int_equal(env_rdmsr(&env, 0x1c9), 3);
}

/* A hypervisor's lists: fixed counters are named by themselves, other bits of a select are not. */
static void test_listed(void **state)
{
	(void)state;
	env_wrmsr(&env, FIXED_CTRL, 0x11);
	env_wrmsr(&env, EVTSEL(0), OS | EN | 0xc0);
	env_wrmsr(&env, EVTSEL(1), OS | EN | CMASK(1) | 0xc0);
	env_wrmsr(&env, EVTSEL(2), OS | EN | 0x3c);
	env_wrmsr(&env, GLOBAL_CTRL, 0x300000007);
	sim_pmu_deny(env.pmu, false, 0x3c, 0);
	env_nops(&env, 5);
	assert_int_equal(env_rdmsr(&env, PMC(0)), 5);
	assert_int_equal(env_rdmsr(&env, PMC(2)), 0);
	assert_int_equal(env_rdmsr(&env, FIXED(1)), 5);
	sim_pmu_allow(env.pmu, true, 1, 0);
	env_nops(&env, 5);
	assert_int_equal(env_rdmsr(&env, PMC(0)), 5);
	assert_int_equal(env_rdmsr(&env, FIXED(0)), 5);
	assert_int_equal(env_rdmsr(&env, FIXED(1)), 10);
	sim_pmu_allow(env.pmu, false, 0xc0, 0);
	sim_pmu_allow(env.pmu, false, 0x3c, 0);
	env_nops(&env, 5);
	assert_int_equal(env_rdmsr(&env, PMC(0)), 10);
	assert_int_equal(env_rdmsr(&env, PMC(1)), 10);
	assert_int_equal(env_rdmsr(&env, PMC(2)), 0);
	assert_int_equal(env_rdmsr(&env, FIXED(0)), 5);
}

/* A PMU of what KVM shows of the model. */
static struct sim_pmu *shown(const char *model, unsigned version, struct sim_pmu_model *m)
{
	struct sim_pmu *pmu;

	*m = *sim_pmu_model(model);
	sim_pmu_cap(m, version);
	pmu = sim_pmu_new(m, NULL, NULL);
	assert_non_null(pmu);
	return pmu;
}

static void test_vpmu(void **state)
{
	static const struct {
		uint32_t msr;
		bool there;
	} rows[] = {
		{ PMC(7), true },       { A_PMC(7), true },    { FIXED(2), true },
		{ FIXED(3), false },    { 0x329, false },      { GLOBAL_CTRL, true },
		{ OVF_CTRL, true },     { STATUS_SET, false }, { INUSE, false },
		{ PEBS_ENABLE, false }, { DATA_CFG, false },   { 0x3f6, false },
		{ 0x3f7, false },       { 0x1a6, false },      { DS_AREA, false },
		{ 0x345, true },        { 0x1900, false },
	};
	static const char *const models[] = { "goldencove", "sierraforest" };
	struct sim_pmu_model m;
	uint64_t value;

	(void)state;
	for (size_t k = 0; k < sizeof(models) / sizeof(models[0]); k++) {
		struct sim_pmu *pmu = shown(models[k], 2, &m);

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			assert_int_equal(sim_pmu_rdmsr(pmu, rows[i].msr, &value),
			                 rows[i].there ? MSR_OK : MSR_NOT_MINE);
		assert_int_equal(sim_pmu_rdmsr(pmu, 0x345, &value), MSR_OK);
		assert_int_equal(value & 0xfc0, 0); /* no PEBS */
		assert_int_equal(m.leaf_0a[0] & 0xffffff, 0x300802);
		assert_int_equal(m.leaf_0a[3], 0x8603);
		assert_int_equal(m.leaf_23[0][0] | m.leaf_23[0][1], 0);
		sim_pmu_free(pmu);
	}
}

/* AnyThread, which KVM has not; no more counters than there are; versions 1 and 0. */
static void test_vpmu_less(void **state)
{
	struct sim_pmu_model m;
	struct sim_pmu *pmu = shown("nehalem", 2, &m);
	uint64_t value;

	(void)state;
	assert_int_equal(m.leaf_0a[0] & 0xffffff, 0x300402);
	assert_int_equal(sim_pmu_wrmsr(pmu, EVTSEL(0), ANY), MSR_GP);
	sim_pmu_free(pmu);
	pmu = shown("skylake", 1, &m);
	assert_int_equal(m.leaf_0a[0] & 0xffff, 0x401);
	assert_int_equal(m.leaf_0a[3] & 0x1fff, 0);
	assert_int_equal(sim_pmu_rdmsr(pmu, PMC(0), &value), MSR_OK);
	assert_int_equal(sim_pmu_rdmsr(pmu, FIXED(0), &value), MSR_NOT_MINE);
	assert_int_equal(sim_pmu_rdmsr(pmu, GLOBAL_CTRL, &value), MSR_NOT_MINE);
	sim_pmu_free(pmu);
	pmu = shown("skylake", 0, &m);
	assert_int_equal(m.leaf_0a[0], 0);
	assert_int_equal(sim_pmu_rdmsr(pmu, PMC(0), &value), MSR_NOT_MINE);
	sim_pmu_free(pmu);
}

#define TEST(name, model) \
	cmocka_unit_test_prestate_setup_teardown(name, setup, teardown, (char *)(uintptr_t)(model))

/* AnyThread: what the other thread of the core does counts, its clocks while this one is halted. */
static void test_any_thread(void **state)
{
	struct env other;

	env_open_shared(&other, *state, env.pmu);
	env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | USR | ANY | EN);
	env_wrmsr(&env, EVTSEL(1), 0xc0 | OS | USR | EN);
	env_wrmsr(&env, EVTSEL(2), 0x3c | OS | USR | ANY | EN);
	env_wrmsr(&env, EVTSEL(3), 0xc0 | USR | ANY | EN);
	env_wrmsr(&env, FIXED_CTRL, 0x037);
	env_wrmsr(&env, GLOBAL_CTRL, 0x30000000f);
	env_nops(&env, 2);
	env_nops(&other, 3);
	env_insn(&other, 3, 5, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 6);
	assert_int_equal(env_rdpmc(&env, 1), 2);
	assert_int_equal(env_rdpmc(&env, 2), 2);
	assert_int_equal(env_rdpmc(&env, 3), 1);
	assert_int_equal(env_rdpmc(&env, 0x40000000), 6);
	assert_int_equal(env_rdpmc(&env, 0x40000001), 2);
	sim_pmu_halt(env.pmu);
	env_insn(&other, 0, 7, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 2), 9);
	env_nops(&env, 1); /* it is awake again */
	env_insn(&other, 0, 7, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 2), 10);
	assert_int_equal(env_rdpmc(&env, 0), 9);
	/* Nobody asks any more: the other has nothing to tell. */
	env_wrmsr(&env, GLOBAL_CTRL, 0);
	assert_true(sim_pmu_idle(other.pmu));
	/* An overflow by what the other does interrupts this thread. */
	env_wrmsr(&env, EVTSEL(0), 0xc0 | OS | USR | ANY | INT | EN);
	env_wrmsr(&env, PMC(0), (uint64_t)-2);
	env_wrmsr(&env, GLOBAL_CTRL, 1);
	env_nops(&other, 2);
	assert_int_equal(env.pmis, 1);
	assert_int_equal(other.pmis, 0);
	env_close(&other);
	env_nops(&env, 1);
}

/*
 * What an offcore event counts of a step in which each request is another number. Of counter 2,
 * because the first Nehalem has the event on that one alone.
 */
static uint64_t offcore(const char *model, unsigned code, unsigned umask, uint32_t msr,
                        uint64_t value)
{
	struct env o;
	uint64_t count;

	env_open(&o, model);
	env_wrmsr(&o, GLOBAL_CTRL, 4);
	env_wrmsr(&o, EVTSEL(2), code | umask << 8 | USR | OS | EN);
	env_wrmsr(&o, msr, value);
	sim_pmu_wrmsr(o.pmu, msr ^ 1, 0); /* 1A6H of 1A7H, which has no say */
	env_insn(&o, 0, 1, SIG_L2_LOAD_MISS, 0x111, SIG_LLC_LOAD_HIT, 0x110, SIG_LLC_LOAD_HIT_E,
	         0x100, SIG_LLC_LOAD_HIT_M, 0x10, SIG_LLC_LOAD_MISS, 0x1, SIG_L2_STORE_MISS,
	         0x11100, SIG_LLC_STORE_HIT, 0x11000, SIG_LLC_STORE_HIT_E, 0x10000,
	         SIG_LLC_STORE_HIT_M, 0x1000, SIG_LLC_STORE_MISS, 0x100, SIG_L2_CODE_MISS, 0x30000,
	         SIG_LLC_CODE_HIT, 0x20000, SIG_LLC_CODE_HIT_E, 0x20000, SIG_LLC_CODE_MISS, 0x10000,
	         SIG_READ_PREFETCH_LLC, 0x100000, SIG_READ_PREFETCH_MEMORY, 0x200000,
	         SIG_L2_WRITEBACK, 0x1000000, SIG_IO_READ, 0x2000000, SIG_COUNT);
	count = sim_pmu_counter_derived(o.pmu, 2) ? env_rdmsr(&o, PMC(2)) : UINT64_MAX;
	env_close(&o);
	return count;
}

#define UNKNOWN UINT64_MAX

/* The values of the registers are those of the maker's lists, unless a comment says more. */
static void test_offcore(void **state)
{
	static const struct {
		const char *model;
		unsigned code, umask;
		uint32_t msr;
		uint64_t value, count;
	} row[] = {
		{ "nehalem", 0xb7, 1, 0x1a6, 0xff01, 0x111 },      /* DEMAND_DATA_RD.ANY_LOCATION */
		{ "nehalem", 0xb7, 1, 0x1a6, 0x701, 0x110 },       /* .LOCAL_CACHE */
		{ "nehalem", 0xb7, 1, 0x1a6, 0x4001, 0x1 },        /* .LOCAL_DRAM */
		{ "nehalem", 0xb7, 1, 0x1a6, 0x2001, 0 },          /* .REMOTE_DRAM */
		{ "nehalem", 0xb7, 1, 0x1a6, 0x7f33, 0x11211 },    /* DATA_IN.ANY_CACHE_DRAM */
		{ "nehalem", 0xb7, 1, 0x1a6, 0xff08, 0x1000000 },  /* COREWB.ANY_LOCATION */
		{ "nehalem", 0xb7, 1, 0x1a6, 0x108, UNKNOWN },     /* by supplier */
		{ "nehalem", 0xb7, 1, 0x1a6, 0xff80, UNKNOWN },    /* OTHER */
		{ "sandybridge", 0xb7, 1, 0x1a6, 0x10001, 0x111 }, /* ANY_RESPONSE */
		{ "sandybridge", 0xbb, 1, 0x1a7, 0x10004, 0x30000 },   /* the same of code */
		{ "sandybridge", 0xb7, 1, 0x1a6, 0x300400001, 0x1 },   /* LLC_MISS.DRAM */
		{ "sandybridge", 0xb7, 1, 0x1a6, 0x1003c0001, 0x110 }, /* NO_SNOOP_NEEDED */
		{ "sandybridge", 0xb7, 1, 0x1a6, 0x10003c0001, 0 },    /* HITM_OTHER_CORE */
		{ "sandybridge", 0xb7, 1, 0x1a6, 0x10400, UNKNOWN },   /* bus locks */
		{ "skylake", 0xb7, 1, 0x1a6, 0x3fc01c0002, 0x11000 },  /* RFO.L3_HIT */
		{ "skylake", 0xbb, 1, 0x1a7, 0x3fc0080002, 0x10000 },  /* .L3_HIT_E */
		{ "skylake", 0xbb, 1, 0x1a7, 0x3fc0040002, 0x1000 },   /* .L3_HIT_M */
		{ "skylake", 0xb7, 1, 0x1a6, 0x3ffc400002, 0x100 },    /* .L3_MISS */
		{ "skylake", 0xb7, 1, 0x1a6, 0x801c0002, 0 },          /* SNOOP_NONE */
		{ "skylake", 0xb7, 1, 0x1a6, 0x18000, 0x2000000 },     /* OTHER.ANY_RESPONSE */
		{ "skylake", 0xb7, 1, 0x1a6, 0x10400, 0x300000 },      /* prefetch instructions */
		{ "icelake", 0xb7, 1, 0x1a6, 0x184000001, 0x1 },       /* LOCAL_DRAM */
		{ "icelake", 0xbb, 1, 0x1a7, 0x184000400, 0x200000 },  /* of prefetches */
		{ "icelake", 0xb7, 1, 0x1a6, 0x100080400, UNKNOWN },   /* by their state */
		{ "goldencove", 0x2a, 1, 0x1a6, 0x1f803c4477, 0x131110 }, /* READS_TO_CORE.L3_HIT */
		{ "goldencove", 0x2b, 1, 0x1a7, 0x3fbfc00002, 0x100 },    /* DEMAND_RFO.L3_MISS */
		{ "goldencove", 0x2a, 1, 0x1a6, 0x10800, UNKNOWN },       /* STREAMING_WR */
		{ "sierraforest", 0xb7, 1, 0x1a6, 0x10001, 0x111 },
		{ "sierraforest", 0xb7, 2, 0x1a7, 0x3fbfc00001, 0x1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		assert_int_equal(
			offcore(row[i].model, row[i].code, row[i].umask, row[i].msr, row[i].value),
			row[i].count);
}

/* Loads that are blocked, by the description of the events. */
static void test_blocked(void **state)
{
	(void)state;
	env.pmu->core = true;
	env_wrmsr(&env, GLOBAL_CTRL, 3);
	env_wrmsr(&env, EVTSEL(0), 0x1003 | OS | USR | EN); /* LOAD_BLOCK.UNTIL_RETIRE */
	env_wrmsr(&env, EVTSEL(1), 0x2003 | OS | USR | EN); /* LOAD_BLOCK.L1D */
	env_insn(&env, 0, 1, SIG_UNCACHED_READ, 1, SIG_SPLIT_LOAD, 2, SIG_LOCKED, 4, SIG_IO_READ, 8,
	         SIG_BUFFER_WAITED, 16, SIG_LOADS, 32, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 3);
	assert_int_equal(env_rdpmc(&env, 1), 31);
}

/* Clocks of the crystal, by the ratio of CPUID leaf 15H, while the other thread is halted. */
static void test_one_thread(void **state)
{
	unsigned ratio = !strcmp(*state, "icelake")      ? 39
	                 : !strcmp(*state, "goldencove") ? 108
	                                                 : 100;

	env_wrmsr(&env, EVTSEL(0), 0x23c | OS | USR | EN);
	env_wrmsr(&env, GLOBAL_CTRL, 1);
	env.pmu->alone = true;
	env_insn(&env, 0, 5 * ratio, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 5);
	env.pmu->alone = false;
	env_insn(&env, 0, 3 * ratio, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 5);
	env.pmu->alone = true;
	env_insn(&env, 0, ratio - 1, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 5);
	env_insn(&env, 0, 1, SIG_COUNT);
	assert_int_equal(env_rdpmc(&env, 0), 6);
}

/* Does the front end's filter pass an instruction with one signal? */
static bool tagged(uint64_t filter, enum sim_signal sig, unsigned n)
{
	uint64_t before;

	env_wrmsr(&env, 0x3f7, filter);
	assert_true(sim_pmu_counter_derived(env.pmu, 0));
	before = env_rdmsr(&env, PMC(0));
	env_insn(&env, 0, 1, sig, n, SIG_COUNT);
	return env_rdmsr(&env, PMC(0)) != before;
}

static void test_frontend(void **state)
{
	static const struct {
		unsigned filter;
		enum sim_signal sig;
	} row[] = {
		{ 0x01, SIG_DECODED_UOPS }, { 0x08, SIG_MICROCODE_UOPS }, { 0x12, SIG_L1I_MISS },
		{ 0x13, SIG_L2_CODE_MISS }, { 0x14, SIG_ITLB_MISS },      { 0x15, SIG_ITLB_WALK },
		{ 0x17, SIG_FOUND_TAKEN },
	};
	uint64_t before;

	(void)state;
	env.pmu->core = true;
	env_wrmsr(&env, GLOBAL_CTRL, 1);
	env_wrmsr(&env, EVTSEL(0), 0x1c6 | USR | OS | EN);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		for (size_t n = 0; n < sizeof(row) / sizeof(row[0]); n++)
			assert_int_equal(tagged(row[i].filter, row[n].sig, 2), i == n);
	/* LATENCY_GE_16: so many clocks without any uop */
	assert_true(tagged(0x601006, SIG_WAITED_CLOCKS, 16));
	assert_false(tagged(0x601006, SIG_WAITED_CLOCKS, 15));
	/* DSB_MISS: only if something waited */
	assert_false(tagged(0x11, SIG_DECODED_UOPS, 1));
	before = env_rdmsr(&env, PMC(0));
	env_insn(&env, 0, 1, SIG_DECODED_UOPS, 1, SIG_WAITED_DECODE, 1, SIG_COUNT);
	assert_int_equal(env_rdmsr(&env, PMC(0)), before + 1);
	/* LATENCY_GE_2_BUBBLES_GE_1: clocks with some uops are not known */
	env_wrmsr(&env, 0x3f7, 0x100206);
	assert_false(sim_pmu_counter_derived(env.pmu, 0));
	env_wrmsr(&env, 0x3f7, 0x600206);
	assert_true(sim_pmu_counter_derived(env.pmu, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_version1, "core"),
		TEST(test_version2, "core2"),
		TEST(test_fixed, "core2"),
		TEST(test_overflow, "core2"),
		TEST(test_freeze, "core2"),
		TEST(test_freeze, "sandybridge"),
		TEST(test_freeze_streamlined, "skylake"),
		TEST(test_freeze_clock, "skylake"),
		TEST(test_version4, "skylake"),
		TEST(test_select_bits, "skylake"),
		TEST(test_cmask, "sandybridge"),
		TEST(test_events, "sandybridge"),
		TEST(test_bus_clocks, "sandybridge"),
		TEST(test_restrictions, "core2"),
		TEST(test_slots_and_metrics, "icelake"),
		TEST(test_version6, "sierraforest"),
		TEST(test_leaves, "skylake"),
		TEST(test_pebs_formats, "core2"),
		TEST(test_pebs_adaptive, "icelake"),
		TEST(test_pebs_fixed, "icelake"),
		TEST(test_pebs_fixed, "goldencove"),
		TEST(test_lbr_select, "nehalem"),
		TEST(test_arch_lbr, "goldencove"),
		TEST(test_lbr_inserts, "goldencove"),
		TEST(test_any_thread, "nehalem"),
		TEST(test_any_thread, "skylake"),
		TEST(test_idle, "skylake"),
		TEST(test_budget, "skylake"),
		TEST(test_listed, "sandybridge"),
		TEST(test_vpmu, "goldencove"),
		TEST(test_vpmu_less, "skylake"),
		TEST(test_lbr_tos, "core2"),
		TEST(test_lbr_tos, "skylake"),
		TEST(test_ae49, "core"),
		TEST(test_offcore, "skylake"),
		TEST(test_blocked, "core2"),
		TEST(test_one_thread, "skylake"),
		TEST(test_one_thread, "icelake"),
		TEST(test_one_thread, "goldencove"),
		TEST(test_frontend, "goldencove"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
