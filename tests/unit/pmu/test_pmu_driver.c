/*
 * How the P5, P6 and architectural drivers use registers: only those that the CPU has, never a
 * reserved bit, and in the order that the manual demands. All counters are off after a stop, and
 * every register is in the end as it was found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "pmu/internal.h"
#include "pmu/tables.h"
#include "tests/unit/pmu/pmu_mock.h"

#define EVTSEL_BITS 0xffdfffffull /* all but 21 and what lies above 31 */

static _Alignas(16) uint8_t arena[4 << 20];
static size_t used;

static void *get(size_t size)
{
	void *p = arena + used;

	used += (size + 15) & ~(size_t)15;
	assert_true(used <= sizeof(arena));
	return memset(p, 0, size);
}

/* Plans `events`, runs every group, and leaves the plan's last group in mock.log. */
static unsigned run(const char *events, unsigned cpl)
{
	const struct pmu_want want = { .events = events, .cpl = cpl, .alloc = get };
	struct pmu_plan plan;

	used = 0;
	pmu_plan(&plan, &want);
	for (unsigned g = 0; g < plan.ngroups; g++) {
		mock.nlog = 0;
		assert_true(pmu_start(&plan.groups[g]));
		pmu_stop();
	}
	return plan.ngroups;
}

static void assert_clean(void)
{
	if (mock.strangers)
		fail_msg("%u accesses to strangers, last 0x%x", mock.strangers, mock.stranger);
	if (mock.reserved)
		fail_msg("%u writes of reserved bits, last to 0x%x", mock.reserved, mock.bad);
}

/* Place of the last write of the register in the log; -1: none. */
static int place(uint32_t msr)
{
	int at = -1;

	for (unsigned i = 0; i < mock.nlog; i++)
		if (mock.log[i].kind == 'w' && mock.log[i].msr == msr)
			at = (int)i;
	return at;
}

/* Place of the first write of this value. */
static int place_of(uint32_t msr, uint64_t value)
{
	for (unsigned i = 0; i < mock.nlog; i++)
		if (mock.log[i].kind == 'w' && mock.log[i].msr == msr && mock.log[i].value == value)
			return (int)i;
	return -1;
}

static void p5_machine(void)
{
	mock_clear();
	mock_add(0x11, 1, 0x03ff03ff);
	mock_add(0x12, 2, 0xffffffffff);
}

/* The names of all events, twice the same, and each can be asked for. */
static void assert_listed(unsigned most)
{
	unsigned n = 0, again = 0;

	for (const char *name = pmu_next_event(true); name; name = pmu_next_event(false), n++)
		assert_true(run(name, 0) == 1);
	for (const char *name = pmu_next_event(true); name; name = pmu_next_event(false))
		again++;
	assert_int_equal(n, most);
	assert_int_equal(again, most);
}

static void p5(void **unused)
{
	struct cpu cpu = mock_cpu(PMU_CLASS_P5, 5, 2);

	(void)unused;
	mock_lines();
	p5_machine();
	mock_probe(&cpu);
	assert_int_equal(run("all", 0), 21);
	assert_listed(42);
	assert_int_equal(run("INSTRUCTIONS_EXECUTED:uk,INSTRUCTIONS_EXECUTED_V_PIPE:uk", 0), 1);
	assert_clean();
	/* off; both counters 0; both halves at once, and the upper half of EDX:EAX 0; again; off */
	assert_int_equal(place_of(0x11, 0), 0);
	assert_int_equal(mock_find(0x12)->value | mock_find(0x13)->value, 0);
	assert_true(place_of(0x11, 0x00d600d7) == 3 || place_of(0x11, 0x00d700d6) == 3);
	assert_int_equal(mock.nlog, 9);
	assert_int_equal(mock_find(0x11)->value, 0);
}

static void p6_machine(void)
{
	mock_clear();
	mock_add(0xc1, 2, ~0ull); /* bits above 31 are ignored */
	mock_add(0x186, 1, EVTSEL_BITS);
	mock_add(0x187, 1, EVTSEL_BITS & ~(1ull << 22));
}

static void p6(void **unused)
{
	struct cpu cpu = mock_cpu(PMU_CLASS_P6, 6, 9);

	(void)unused;
	mock_lines();
	p6_machine();
	mock_probe(&cpu);
	assert_true(run("all", 3) > 50);
	assert_int_equal(run("MUL:u,FLOPS:u:k:c=1:i:e:pc:int", 0), 1);
	assert_clean();
	/* counters first, PerfEvtSel1, then the common enable; off through it first */
	assert_int_equal(place_of(0x186, 0), 0);
	assert_true(place_of(0xc1, 0) > 0 && place_of(0xc2, 0) > 0);
	assert_true(place_of(0x187, 0x10012) > place_of(0xc2, 0));
	assert_true(place_of(0x186, 0x1df00c1) > place_of(0x187, 0x10012));
	assert_int_equal(mock_find(0x186)->value | mock_find(0x187)->value, 0);

	/*
	 * one event on counter 1: the enable of counter 0 starts it, and counter 0 counts nothing
	 */
	run("MUL", 0);
	assert_int_equal(place_of(0x187, 0x20012) + 1, place_of(0x186, 1 << 22));
	assert_clean();
}

static void arch_machine(unsigned version, unsigned general, uint32_t fixed, uint64_t select_bits)
{
	uint64_t control = 0;

	mock_clear();
	mock_add(0xc1, general, ~0ull);
	mock_add(0x186, general, select_bits);
	if (version < 2)
		return;
	for (unsigned n = 0; n < 7; n++)
		if (fixed >> n & 1) {
			mock_add(0x309 + n, 1, (1ull << 48) - 1);
			control |= (version == 3 || version == 4 ? 0xfull : 0xbull) << 4 * n;
		}
	mock_add(0x38d, 1, control);
	mock_add(0x38f, 1, ((1ull << general) - 1) | (uint64_t)fixed << 32);
	mock_add(0x390, 1,
	         ((1ull << general) - 1) | (uint64_t)fixed << 32 | 7ull << 61 |
	                 (version >= 4 ? 3ull << 58 : 0));
}

/* Version 1: no global register exists. */
static void version_1(void **unused)
{
	struct cpu cpu = mock_arch(14, 1, 2, 0);

	(void)unused;
	mock_lines();
	cpu.arch.fixed = 3; /* what EDX says means nothing before version 2 */
	arch_machine(1, 2, 0, EVTSEL_BITS & ~(1ull << 19));
	mock_probe(&cpu);
	assert_int_equal(pmu_hw.ncounters, 2);
	run("all", 0);
	run("instructions:u,branches:k", 0);
	assert_clean();
	assert_true(place_of(0xc1, 0) < place_of(0x186, 0x4100c0) ||
	            place_of(0xc1, 0) < place_of(0x187, 0x4100c0));
	assert_int_equal(mock_find(0x186)->value | mock_find(0x187)->value, 0);
}

/* The selects that wake a Nehalem's counters stand before its own, unless quirks= says no. */
static void woken(void **unused)
{
	struct cpu cpu = mock_arch(0x1a, 3, 4, 3);

	(void)unused;
	for (unsigned off = 0; off < 2; off++) {
		mock_lines();
		arch_machine(3, 4, 7, ~0ull);
		quirks_set(off ? "-aak100" : NULL);
		mock_probe(&cpu);
		run("instructions:u", 0);
		assert_int_equal(place_of(0x186, 0x4300b5) >= 0, !off);
		assert_non_null(strstr(mock_lines(), off ? "quirk name=aak100 applied=0 forced=1"
		                                         : "quirk name=aak100 applied=1 forced=0"));
	}
	quirks_set(NULL);
}

/* Counter 3 is the microcode's while transactions may succeed, and CPUID says that it may be. */
static void counter_3_of_tsx(void **unused)
{
	static const struct {
		bool rtm, bit, aborts, off, usable;
	} cases[] = {
		{ true, true, false, false, false }, { true, true, true, false, true },
		{ true, false, false, false, true }, { false, true, false, false, true },
		{ true, true, false, true, true },
	};
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);

	(void)unused;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		mock_lines();
		arch_machine(4, 4, 7, EVTSEL_BITS | 1ull << 21);
		mock_add(0x1a6, 2, ~0ull);
		mock_add(0x3f6, 2, 0xffffff);
		mock_add(0x10f, 1, 0);
		mock_find(0x10f)->value = cases[i].aborts;
		memset(cpu.features, 0, sizeof(cpu.features));
		cpu.features[CPU_RTM / 32] |= (uint32_t)cases[i].rtm << CPU_RTM % 32;
		cpu.features[CPU_TSX_FORCE_ABORT / 32] |= (uint32_t)cases[i].bit
		                                          << CPU_TSX_FORCE_ABORT % 32;
		quirks_set(cases[i].off ? "-tfa" : NULL);
		mock_probe(&cpu);
		assert_int_equal(pmu_hw.ncounters, cases[i].usable ? 7 : 6);
		run("all", 0);
		assert_int_equal(place_of(0x189, 0) >= 0, cases[i].usable);
		assert_int_equal(strstr(mock_lines(), "quirk name=tfa applied=1") != NULL,
		                 !cases[i].usable);
	}
	quirks_set(NULL);
}

/* Skylake, all events; then the order of version 2 and later in one group. */
static void version_4(void **unused)
{
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	int global;

	(void)unused;
	mock_lines();
	arch_machine(4, 4, 7, EVTSEL_BITS | 1ull << 21);
	mock_add(0x1a6, 2, ~0ull);
	mock_add(0x3f6, 2, 0xffffff);
	mock_probe(&cpu);
	assert_true(run("all", 0) >= 20);
	run("UOPS_ISSUED.ANY:any,INST_RETIRED.ANY:any", 0);
	assert_clean();
	assert_int_equal(run("INST_RETIRED.ANY:uk,CPU_CLK_UNHALTED.THREAD,"
	                     "OFFCORE_RESPONSE:offcore_rsp=0x8001:ctr=3,UOPS_ISSUED.ANY:ctr=2",
	                     0),
	                 1);
	assert_clean();
	global = place_of(0x38f, 0x30000000cull); /* GP 2 and 3, fixed 0 and 1 */
	assert_int_equal(place_of(0x38f, 0), 0);
	assert_true(global > 0);
	assert_true(place_of(0x1a6, 0x8001) > 0 && place_of(0x1a6, 0x8001) < global);
	assert_true(place_of(0x188, 0x42010e) > 0 && place_of(0x188, 0x42010e) < global);
	assert_true(place_of(0x189, 0x4201b7) > 0 && place_of(0x189, 0x4201b7) < global);
	assert_true(place_of(0x38d, 0x13) > 0 && place_of(0x38d, 0x13) < global);
	assert_true(place_of(0xc3, 0) > 0 && place_of(0xc3, 0) < place_of(0x188, 0x42010e));
	assert_true(place_of(0x309, 0) > 0 && place_of(0x309, 0) < global);
	assert_true(place_of(0x390, 0xc0000070000000full) > 0 &&
	            place_of(0x390, 0xc0000070000000full) < global);
	/* stopped by the one switch first, then every select and the fixed control */
	assert_int_equal(mock.log[global + 1].msr, 0x38f);
	assert_int_equal(mock.log[global + 1].value, 0);
	for (unsigned n = 0; n < 4; n++)
		assert_int_equal(mock_find(0x186 + n)->value, 0);
	assert_int_equal(mock_find(0x38d)->value, 0);
}

/*
 * Full-width writes and freeze-on-SMM where PERF_CAPABILITIES has them; fixed counters with a hole.
 */
static void version_6(void **unused)
{
	struct cpu cpu = mock_arch(0xaf, 6, 8, 3);

	(void)unused;
	mock_lines();
	cpu.arch.leaf23 = cpu.arch.umask2 = cpu.arch.eq = true;
	cpu.arch.gp_bitmap23 = 0xff;
	cpu.arch.fixed_bitmap23 = 0x77;
	cpu.arch.events23 = 0xfff;
	cpu.features[CPU_PDCM / 32] |= 1u << CPU_PDCM % 32;
	arch_machine(6, 8, 0x77, EVTSEL_BITS | 1ull << 36 | 0xffull << 40);
	mock_add(0x4c1, 8, (1ull << 48) - 1);
	mock_add(0x1a6, 2, ~0ull);
	mock_add(0x345, 1, 0);
	mock_add(0x1d9, 1, 1 << 14);
	mock_find(0x345)->value = 1 << 12 | 1 << 13;
	mock_probe(&cpu);
	assert_int_equal(pmu_hw.counter[0].msr, 0x4c1);
	assert_int_equal(pmu_hw.counter[0].load, 48);
	run("all,cpu/event=0x2e,umask=0x1234,eq,cmask=2/", 0);
	assert_clean();
	assert_int_equal(place(0xc1), -1);
	assert_int_equal(mock_find(0x1d9)->value, 1 << 14);
}

/* An event more in a group: on a counter that is free, and once. */
static void one_more(void **unused)
{
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	struct pmu_group group;

	(void)unused;
	mock_lines();
	arch_machine(4, 4, 7, EVTSEL_BITS);
	mock_probe(&cpu);
	assert_true(pmu_single(&group, "cycles", 0));
	assert_true(pmu_add(&group, "instructions", 0));
	assert_false(pmu_add(&group, "instructions", 0));
	assert_true(pmu_add(&group, "branches:ctr=1", 0));
	assert_false(pmu_add(&group, "branch-misses:ctr=1", 0));
	assert_false(pmu_add(&group, "no-such-event", 0));
	assert_int_equal(group.n, 3);
	assert_int_not_equal(group.slots[0].counter, group.slots[1].counter);
	assert_int_equal(group.slots[2].counter, 1);
	group.n = 2;
	group.slots[1].blocks = ~0u; /* as a merged pair does with its second counter */
	assert_false(pmu_add(&group, "branch-misses", 0));
	group.slots[1].blocks = 0;
	assert_true(pmu_add(&group, "branch-misses", 0));
	group.n = 2;
	cpu.pmu_class = PMU_CLASS_NETBURST; /* there, events share registers */
	assert_false(pmu_add(&group, "branch-misses", 0));
}

/* A register that faults in the middle: start says so and nothing is left running. */
static void fault(void **unused)
{
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	struct pmu_group group;

	(void)unused;
	mock_lines();
	arch_machine(4, 4, 7, EVTSEL_BITS);
	mock_probe(&cpu);
	assert_true(pmu_single(&group, "instructions:ctr=0", 0));
	mock_find(0x390)->allowed = 0;
	assert_false(pmu_start(&group));
	for (unsigned n = 0; n < 4; n++)
		assert_int_equal(mock_find(0x186 + n)->value, 0);
	assert_int_equal(mock_find(0x38f)->value, 0);
	mock_find(0x390)->allowed = 0x70000000full;
	assert_true(pmu_start(&group));
}

/* The whole way: pmu_init() finds no counting, uses nothing, and puts everything back. */
static void restored(const struct cpu *cpu, const char *why)
{
	static struct mock_reg before[MOCK_REGS];
	const char *lines;

	mock_lines();
	mock_fill();
	memcpy(before, mock.reg, sizeof(before));
	assert_false(pmu_init(cpu));
	assert_clean();
	lines = mock_lines();
	assert_non_null(strstr(lines, "pmu pmu=none reason="));
	if (!strstr(lines, why))
		fail_msg("%s", lines);
	for (unsigned i = 0; i < mock.nregs; i++)
		if (mock.reg[i].msr != 0x390 && mock.reg[i].value != before[i].value)
			fail_msg("0x%x: 0x%llx", mock.reg[i].msr,
			         (unsigned long long)mock.reg[i].value);
	assert_string_equal(pmu_name(), "none");
	pmu_fini();
}

static void put_back(void **unused)
{
	struct cpu p5 = mock_cpu(PMU_CLASS_P5, 5, 2), p6 = mock_cpu(PMU_CLASS_P6, 6, 1);
	struct cpu arch = mock_arch(0x1a, 3, 4, 3), none = mock_cpu(PMU_CLASS_NONE, 15, 2);

	(void)unused;
	p5_machine(); /* holds, but nothing ever counts */
	restored(&p5, "hold what is written but do not count");
	p6_machine();
	restored(&p6, "read 0"); /* the mock's RDPMC reads 0 */
	arch_machine(3, 4, 7, EVTSEL_BITS | 1ull << 21);
	mock_add(0x1a6, 1, ~0ull);
	mock_add(0x3f6, 1, 0xffff);
	restored(&arch, "read 0");
	mock_clear();
	none.pmu_reason = "under a hypervisor, and KVM has its clock in the P5 registers";
	restored(&none, "under a hypervisor, and KVM has its clock");
	assert_int_equal(mock.nlog, 0); /* no register is touched, 11h-13h least of all */
}

/* Firmware counts: every enabled select is named, and so is the register that says who counts. */
static void firmware_counts(void **unused)
{
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	const char *lines;

	(void)unused;
	mock_lines();
	arch_machine(4, 4, 7, EVTSEL_BITS);
	mock_add(0x1a6, 2, ~0ull);
	mock_add(0x3f6, 2, 0xffffff);
	mock_add(0x392, 1, 0);
	mock_find(0x38f)->value = 0xf; /* as after reset */
	pmu_init(&cpu);
	lines = mock_lines();
	assert_null(strstr(lines, "warn"));
	pmu_fini();

	mock_find(0x188)->value = 0x4300c0;
	mock_find(0x187)->value = 0x0300c0; /* not enabled */
	mock_find(0x38d)->value = 0x0b0;
	mock_find(0x392)->value = 1 << 2;
	pmu_init(&cpu);
	assert_clean();
	lines = mock_lines();
	assert_non_null(strstr(lines, "warn what=pmu culprit=0x188 "));
	assert_non_null(strstr(lines, "warn what=pmu culprit=0x38d "));
	assert_non_null(strstr(lines, "warn what=pmu culprit=0x392 "));
	assert_null(strstr(lines, "culprit=0x187"));
	assert_null(strstr(lines, "culprit=0x38f"));
	pmu_fini();
}

/* Controls that somebody else changes while a group runs. */
static void changed_controls(void **unused)
{
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	struct pmu_group group;

	(void)unused;
	mock_lines();
	arch_machine(4, 4, 7, EVTSEL_BITS);
	mock_add(0x1a6, 2, ~0ull);
	mock_add(0x3f6, 2, 0xffffff);
	mock_probe(&cpu);
	pmu_save(&pmu_hw);
	assert_true(pmu_single(&group, "instructions:ctr=0", 0));
	assert_true(pmu_start(&group));
	mock_find(0xc1)->value = 12345; /* a counter may move */
	assert_true(pmu_intact());
	mock_find(0x38d)->value |= 3;
	assert_false(pmu_intact());
	assert_non_null(strstr(mock_lines(), "warn what=pmu culprit=0x38d "));
	pmu_stop();
	assert_true(pmu_start(&group));
	assert_true(pmu_intact());
	pmu_fini();
}

/* A hypervisor that announces version 4 and refuses its bits of the status. */
static void refused_frozen_bits(void **unused)
{
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	struct pmu_group group;

	(void)unused;
	mock_lines();
	arch_machine(4, 4, 7, EVTSEL_BITS);
	mock_probe(&cpu);
	mock_find(0x390)->allowed = 0x70000000full;
	assert_true(pmu_single(&group, "instructions:ctr=0", 0));
	assert_true(pmu_start(&group));
	assert_int_equal(mock_find(0x390)->value, 0x70000000full);
	pmu_stop();
}

/* Counters of fewer bits than the family has, and counters that keep something else. */
static void short_counters(void **unused)
{
	static const struct {
		uint64_t drops;
		const char *verdict, *why;
	} rows[] = {
		{ 0xff00000000, "verdict=narrow", "narrower than announced" },
		{ 0xffffffffff, "verdict=zero", "read 0 whatever" },
		{ 0x0000000001, "verdict=forgets", "do not hold" },
	};
	struct cpu cpu = mock_cpu(PMU_CLASS_P5, 5, 2);

	(void)unused;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *lines;

		mock_lines();
		p5_machine();
		mock_find(0x12)->drops = mock_find(0x13)->drops = rows[i].drops;
		assert_false(pmu_init(&cpu));
		lines = mock_lines();
		if (!strstr(lines, rows[i].verdict) || !strstr(lines, rows[i].why))
			fail_msg("%s", lines);
	}
}

/* Announced, but every register faults: Bochs. */
static void all_fault(void **unused)
{
	struct cpu cpu = mock_arch(0x1a, 3, 4, 3);
	const char *lines;

	(void)unused;
	mock_lines();
	mock_clear();
	mock.pmc_faults = true;
	assert_false(pmu_init(&cpu));
	lines = mock_lines();
	assert_non_null(strstr(lines, "verdict=faults"));
	assert_non_null(strstr(lines, "reason=\"the counters fault\""));
}

static unsigned count(const char *lines, const char *word)
{
	unsigned n = 0;

	for (; (lines = strstr(lines, word)); lines++)
		n++;
	return n;
}

/* The first plan says what is wrong with its requests; a quiet one has its events alone. */
static void quiet(void **unused)
{
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	struct pmu_want want = { .events = "nonsense,instructions,instructions", .alloc = get };
	struct pmu_plan plan;
	const char *lines;

	(void)unused;
	mock_lines();
	arch_machine(4, 4, 7, EVTSEL_BITS | 1ull << 21);
	mock_probe(&cpu);
	for (unsigned q = 0; q < 2; q++) {
		used = 0;
		want.cpl = q ? 3 : 0;
		want.quiet = q;
		pmu_plan(&plan, &want);
		lines = mock_lines();
		assert_int_equal(plan.ngroups, 1);
		assert_int_equal(plan.groups[0].n, 1);
		assert_int_equal(count(lines, "event name="), 1);
		assert_int_equal(count(lines, "what=events culprit=nonsense"), !q);
		assert_int_equal(count(lines, "asked for twice"), !q);
		assert_int_equal(count(lines, "groups events=1 groups=1"), !q);
		assert_int_equal(count(lines, " cpl=3"), q);
	}
	pmu_hw.ncounters = 0;
	for (unsigned q = 0; q < 2; q++) {
		want.quiet = q;
		pmu_plan(&plan, &want);
		assert_int_equal(plan.ngroups, 0);
		assert_int_equal(count(mock_lines(), "nothing counts"), !q);
	}
}

static const struct pmu_driver *honest;

/* A driver that forgets which counters failed their proof. */
static unsigned forgetful(const struct pmu_hw *hw, const struct pmu_request *rq,
                          struct pmu_config *out, const char **why)
{
	struct pmu_hw whole = *hw;

	whole.driver = honest;
	whole.usable = (1u << hw->ncounters) - 1;
	return honest->encode(&whole, rq, out, why);
}

/* MUL counts on counter 1 alone. The first plan has an error; all plans have the other request. */
static void no_working_counter(void **unused)
{
	struct cpu cpu = mock_cpu(PMU_CLASS_P6, 6, 9);
	struct pmu_want want = { .events = "MUL,INST_RETIRED", .alloc = get };
	struct pmu_driver driver;
	struct pmu_plan plan;
	const char *lines;

	(void)unused;
	mock_lines();
	p6_machine();
	honest = mock_probe(&cpu);
	driver = *honest;
	driver.encode = forgetful;
	pmu_hw.driver = &driver;
	pmu_hw.usable = 1;
	for (unsigned q = 0; q < 2; q++) {
		used = 0;
		want.quiet = q;
		pmu_plan(&plan, &want);
		lines = mock_lines();
		assert_int_equal(plan.ngroups, 1);
		assert_int_equal(plan.groups[0].n, 1);
		assert_string_equal(plan.groups[0].slots[0].key, "INST_RETIRED");
		assert_int_equal(count(lines, "event name=INST_RETIRED "), 1);
		assert_int_equal(count(lines, "error "), !q);
		assert_int_equal(count(lines, "error what=events culprit=MUL "
		                              "why=\"no working counter can count it\""),
		                 !q);
	}
	pmu_hw.driver = honest;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p5),
		cmocka_unit_test(one_more),
		cmocka_unit_test(p6),
		cmocka_unit_test(version_1),
		cmocka_unit_test(woken),
		cmocka_unit_test(counter_3_of_tsx),
		cmocka_unit_test(version_4),
		cmocka_unit_test(version_6),
		cmocka_unit_test(fault),
		cmocka_unit_test(put_back),
		cmocka_unit_test(firmware_counts),
		cmocka_unit_test(changed_controls),
		cmocka_unit_test(refused_frozen_bits),
		cmocka_unit_test(short_counters),
		cmocka_unit_test(all_fault),
		cmocka_unit_test(quiet),
		cmocka_unit_test(no_working_counter),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
