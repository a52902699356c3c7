/*
 * The AMD driver on a machine of registers. The tests check the values that requests come down to
 * and the counters that may take them. They also check how registers are used: only those that the
 * family has, no reserved bit, the enabling bits last. All counters are off after a stop, and every
 * register is in the end as it was found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/internal.h"
#include "pmu/request.h"
#include "pmu/tables.h"
#include "tests/unit/pmu/pmu_mock.h"

#define GLOBAL_CTL        0xc0000301u
#define GLOBAL_STATUS_CLR 0xc0000302u
#define SELECT_EN         (1ull << 22)
#define MERGE             0xf004000ffull

static const struct part {
	const char *model;
	uint32_t family, cpu_model;
	unsigned counters;
	bool v2;
	uint64_t bits; /* of a select */
} parts[] = {
	{ "k7", 6, 8, 4, false, 0xffd7ffff },
	{ "k8", 15, 5, 4, false, 0xffd7ffff },
	{ "fam10h", 0x10, 2, 4, false, 0x30fffd7ffff },
	{ "fam11h", 0x11, 3, 4, false, 0x30fffd7ffff },
	{ "fam12h", 0x12, 1, 4, false, 0x30fffd7ffff },
	{ "fam14h", 0x14, 1, 4, false, 0x30fffd7ffff },
	{ "fam15h", 0x15, 1, 6, false, 0x30fffd7ffff },
	{ "fam16h", 0x16, 0, 4, false, 0x30fffd7ffff },
	{ "zen1", 0x17, 1, 6, false, 0x30fffd7ffff },
	{ "zen2", 0x17, 0x71, 6, false, 0x30fffd7ffff },
	{ "zen3", 0x19, 0x21, 6, false, 0x30fffd7ffff },
	{ "zen4", 0x19, 0x61, 6, true, 0x30fffd7ffff },
	{ "zen5", 0x1a, 0x44, 6, true, 0x30fffd7ffff },
	{ "zen6", 0x1a, 0x50, 6, true, 0x30fffd7ffff },
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static const struct part *part;
static struct cpu cpu;

static uint32_t select_msr(unsigned n)
{
	return part->counters == 6 ? 0xc0010200 + 2 * n : 0xc0010000 + n;
}

static uint32_t counter_msr(unsigned n)
{
	return part->counters == 6 ? 0xc0010201 + 2 * n : 0xc0010004 + n;
}

/* With six counters the old numbers are aliases: nobody should need them. */
static void machine(const char *model)
{
	for (part = parts; strcmp(part->model, model);)
		part++;
	cpu = mock_cpu(PMU_CLASS_AMD, part->family, part->cpu_model);
	cpu.amd.counters = (uint8_t)part->counters;
	cpu.amd.core_ext = part->counters == 6;
	cpu.amd.v2 = part->v2;
	mock_lines();
	mock_clear();
	for (unsigned n = 0; n < part->counters; n++) {
		mock_add(select_msr(n), 1, part->bits);
		mock_add(counter_msr(n), 1, (1ull << 48) - 1);
	}
	if (part->v2) {
		mock_add(0xc0000300, 1, 0); /* status: read-only */
		mock_add(GLOBAL_CTL, 1, 0x3f);
		mock_add(GLOBAL_STATUS_CLR, 1, 0x3f | 3ull << 58);
	}
}

static void assert_clean(void)
{
	if (mock.strangers)
		fail_msg("%s: %u accesses to strangers, last 0x%x", part->model, mock.strangers,
		         mock.stranger);
	if (mock.reserved)
		fail_msg("%s: %u writes of reserved bits, last to 0x%x", part->model, mock.reserved,
		         mock.bad);
}

/* One start and stop: whose counters ran. */
static uint32_t obey(void)
{
	uint64_t select[6], global = 0x3f, cleared = 0;
	uint32_t zeroed = 0, ran = 0;

	for (unsigned n = 0; n < part->counters; n++)
		select[n] = SELECT_EN; /* as something before us may have left it */
	for (unsigned at = 0; at < mock.nlog; at++) {
		const struct mock_access *a = &mock.log[at];

		if (a->kind != 'w')
			fail_msg("0x%x read while programming", a->msr);
		if (a->msr == GLOBAL_CTL && a->value & ~cleared)
			fail_msg("started with old overflows");
		if (a->msr == GLOBAL_CTL)
			global = a->value;
		if (a->msr == GLOBAL_STATUS_CLR && global)
			fail_msg("status cleared while counters run");
		if (a->msr == GLOBAL_STATUS_CLR)
			cleared = a->value;
		for (unsigned n = 0; n < part->counters; n++) {
			if (a->msr == counter_msr(n)) {
				if (select[n] || a->value)
					fail_msg("counter %u written while selected", n);
				zeroed |= 1u << n;
			}
			if (a->msr != select_msr(n))
				continue;
			if (a->value && !(zeroed >> n & 1))
				fail_msg("select %u written before its counter", n);
			if (part->v2 && global)
				fail_msg("select %u written while counters run", n);
			select[n] = a->value;
		}
		for (unsigned n = 0; n < part->counters; n++)
			if (select[n] & SELECT_EN && (!part->v2 || global >> n & 1) &&
			    zeroed >> n & 1)
				ran |= 1u << n;
	}
	for (unsigned n = 0; n < part->counters; n++)
		assert_int_equal(mock_find(select_msr(n))->value, 0);
	if (part->v2)
		assert_int_equal(mock_find(GLOBAL_CTL)->value, 0);
	return ran;
}

static uint32_t slots_of(const struct pmu_group *g)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < g->n; i++) {
		bits |= 1u << g->slots[i].counter;
		if (g->slots[i].nextra)
			bits |= 2u << g->slots[i].counter;
	}
	return bits;
}

/* What a plan is made of; given back by run(). */
static void *blocks[2048];
static unsigned nblocks;

static void *get(size_t size)
{
	assert_true(nblocks < sizeof(blocks) / sizeof(blocks[0]));
	return blocks[nblocks++] = calloc(1, size);
}

static unsigned run(const char *events, unsigned cpl)
{
	const struct pmu_want want = { .events = events, .cpl = cpl, .alloc = get };
	struct pmu_plan plan;
	const char *lines;
	unsigned n;

	mock_lines();
	pmu_plan(&plan, &want);
	for (unsigned g = 0; g < plan.ngroups; g++) {
		mock.nlog = 0;
		assert_true(pmu_start(&plan.groups[g]));
		pmu_stop();
		assert_int_equal(obey(), slots_of(&plan.groups[g]));
	}
	n = plan.ngroups;
	while (nblocks)
		free(blocks[--nblocks]);
	lines = mock_lines();
	return strstr(lines, "error") ? 0 : n;
}

static void all_events(void **unused)
{
	(void)unused;
	for (unsigned p = 0; p < PARTS; p++) {
		machine(parts[p].model);
		mock_probe(&cpu);
		assert_string_equal(pmu_name(), "amd");
		assert_string_equal(pmu_hw.model, parts[p].model);
		mock_fill();
		for (unsigned cpl = 0; cpl <= 3; cpl += 3)
			assert_true(run("all", cpl) > 5);
		assert_int_equal(run("default", 0), 1);
		assert_clean();
	}
}

/* pmu_init() finds that nothing counts (RDPMC reads 0), uses nothing and puts everything back. */
static void put_back(void **unused)
{
	static struct mock_reg before[MOCK_REGS];

	(void)unused;
	for (unsigned p = 0; p < PARTS; p++) {
		machine(parts[p].model);
		mock_fill();
		memcpy(before, mock.reg, sizeof(before));
		assert_false(pmu_init(&cpu));
		assert_clean();
		for (unsigned k = 0; k < mock.nregs; k++)
			if (mock.reg[k].msr != GLOBAL_STATUS_CLR &&
			    mock.reg[k].value != before[k].value)
				fail_msg("%s: 0x%x is not as it was", part->model, mock.reg[k].msr);
		pmu_fini();
	}
}

/* A write that faults half way: start says so, and nothing is left enabled. */
static void fault(void **unused)
{
	struct pmu_group group;

	(void)unused;
	machine("zen4");
	mock_probe(&cpu);
	assert_true(pmu_single(&group, "instructions:ctr=3", 0));
	mock_find(GLOBAL_CTL)->allowed = 0;
	assert_false(pmu_start(&group));
	for (unsigned n = 0; n < 6; n++)
		assert_int_equal(mock_find(select_msr(n))->value, 0);
}

/* More counters than RDPMC numbers, or none. */
static void strange_numbers(void **unused)
{
	const char *lines;

	(void)unused;
	machine("zen5");
	cpu.amd.counters = 12;
	mock_probe(&cpu);
	assert_int_equal(pmu_hw.ncounters, 6);
	cpu.amd.counters = 0;
	assert_false(pmu_init(&cpu));
	lines = mock_lines();
	assert_non_null(strstr(lines, "announces no core counter"));
	assert_int_equal(mock_find(select_msr(0))->value, 0);
}

static struct pmu_config config[PMU_CONFIGS];
static struct pmu_refusal no;

static unsigned ask(const char *text)
{
	char key[PMU_KEY];

	return pmu_request(&pmu_hw, text, strlen(text), 0, key, config, &no);
}

static void values(void **unused)
{
	static const struct {
		const char *model, *text;
		uint64_t select; /* 0: refused */
	} rows[] = {
		{ "k7", "RETIRED_INSTRUCTIONS", 0x4200c0 },
		{ "k7", "RETIRED_INSTRUCTIONS:u:c=2:i:e:int", 0x2d500c0 },
		{ "k7", "cpu/event=0x42,umask=0x1f,usr,os/", 0x431f42 },
		{ "k7", "cpu/event=0x120/", 0 },
		{ "k8", "RETIRED_INSTRUCTIONS:g", 0 },
		{ "k8", "RETIRED_INSTRUCTIONS:h", 0 },
		{ "k8", "RETIRED_INSTRUCTIONS:i", 0 },
		{ "fam10h", "RETIRED_INSTRUCTIONS:g", 0x100004200c0 },
		{ "fam10h", "RETIRED_INSTRUCTIONS:h", 0x200004200c0 },
		{ "fam10h", "cpu/event=0x1cf/", 0x1004200cf },
		{ "zen4", "P0_FREQ_CYCLES_NOT_IN_HALT.P0_FREQ_CYCLES", 0x100420120 },
		{ "zen5", "l1i-misses", 0x10042188e },
		{ "zen5", "interrupts", 0x42002c },
		{ "zen6", "DISPATCH_RESOURCE_STALL_CYCLES_2.RET_Q", 0x4280af },
		{ "zen6", "l2-misses", 0x420964 },
		{ "zen6", "instructions", 0x4200c0 },
		{ "zen5", "RETIRED_FP_OPS_BY_TYPE.VECTOR_MAC", 0x42400a },
	};

	(void)unused;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned n;

		machine(rows[i].model);
		mock_probe(&cpu);
		n = ask(rows[i].text);
		if (rows[i].select ? n != 1 || config[0].select != rows[i].select : n)
			fail_msg("%s %s: %u ways, 0x%llx", rows[i].model, rows[i].text, n,
			         (unsigned long long)config[0].select);
	}
}

/* BKDG family 15h: which of the six counters have an event. */
static void restrictions_15h(void **unused)
{
	static const struct {
		uint16_t code;
		uint8_t umask, counters; /* 0: none */
	} rows[] = {
		{ 0x000, 0xff, 0x38 }, { 0x000, 0x0f, 0x08 }, { 0x001, 0, 0x38 },
		{ 0x003, 0xff, 0x08 }, { 0x004, 0x0f, 0x38 }, { 0x004, 0x01, 0x08 },
		{ 0x005, 0, 0x38 },    { 0x00b, 0, 0x08 },    { 0x00d, 0, 0x08 },
		{ 0x01f, 0, 0x38 },    { 0x023, 0, 0x07 },    { 0x024, 0, 0x3f },
		{ 0x02d, 0, 0x08 },    { 0x02e, 0, 0x09 },    { 0x031, 0, 0x07 },
		{ 0x035, 0, 0x3f },    { 0x040, 0, 0x3f },    { 0x041, 3, 0x3f },
		{ 0x043, 0, 0x07 },    { 0x045, 0, 0x07 },    { 0x046, 0, 0x07 },
		{ 0x047, 0, 0x3f },    { 0x054, 0, 0x07 },    { 0x055, 0, 0x07 },
		{ 0x056, 0, 0x3f },    { 0x065, 0, 0x07 },    { 0x076, 0, 0x07 },
		{ 0x07d, 0, 0x07 },    { 0x080, 0, 0x07 },    { 0x08f, 0, 0x01 },
		{ 0x09a, 0, 0x07 },    { 0x0c0, 0, 0x3f },    { 0x0cf, 0, 0x3f },
		{ 0x0d1, 0, 0x07 },    { 0x0db, 0, 0x3f },    { 0x0dc, 0, 0x3f },
		{ 0x0df, 0, 0x3f },    { 0x0e1, 0, 0 },       { 0x0f0, 0, 0 },
		{ 0x187, 0, 0x01 },    { 0x188, 0, 0x01 },    { 0x1c0, 0, 0x38 },
		{ 0x1cf, 0, 0x3f },    { 0x1d6, 0, 0x3f },    { 0x1d8, 0, 0x3f },
		{ 0x2d0, 0, 0x07 },
	};
	char text[60];

	(void)unused;
	machine("fam15h");
	mock_probe(&cpu);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), "cpu/event=0x%x,umask=0x%x/", rows[i].code,
		         rows[i].umask);
		if (ask(text) != (rows[i].counters != 0) ||
		    (rows[i].counters && config[0].counters != rows[i].counters))
			fail_msg("%s: 0x%x %s", text, config[0].counters, no.why);
	}
	/* three on 3-5, three on 0-2: one run; a fourth FPU event needs another */
	assert_int_equal(run("cpu/event=1/,cpu/event=2/,cpu/event=5/,cpu/event=0x76/,"
	                     "cpu/event=0x80/,cpu/event=0x81/",
	                     0),
	                 1);
	assert_int_equal(run("cpu/event=1/,cpu/event=2/,cpu/event=5/,cpu/event=6/", 0), 2);
	assert_clean();
}

/* Events that count more than a counter can take in a clock have the odd neighbour with them. */
static void merged(void **unused)
{
	(void)unused;
	machine("zen2");
	mock_probe(&cpu);
	assert_int_equal(ask("RETIRED_SSE_AVX_FLOPS.ANY"), 3);
	for (unsigned k = 0; k < 3; k++) {
		assert_int_equal(config[k].counters, 1u << 2 * k);
		assert_int_equal(config[k].blocks, 2u << 2 * k);
		assert_int_equal(config[k].extra[0].msr, select_msr(2 * k + 1));
		assert_true(config[k].extra[0].value == MERGE);
	}
	assert_int_equal(run("RETIRED_SSE_AVX_FLOPS.ANY", 0), 1);
	assert_int_equal(
		run("RETIRED_SSE_AVX_FLOPS.ANY,cpu/event=3,umask=1/,cpu/event=3,umask=2/", 0), 1);
	assert_int_equal(run("RETIRED_SSE_AVX_FLOPS.ANY,instructions,cycles,branches,uops", 0), 1);
	assert_int_equal(run("RETIRED_SSE_AVX_FLOPS.ANY,instructions,cycles,branches,uops,"
	                     "branch-misses",
	                     0),
	                 2);
	assert_int_equal(ask("RETIRED_SSE_AVX_FLOPS.ANY:ctr=1"), 0);
	assert_clean();
	machine("zen4");
	mock_probe(&cpu);
	assert_int_equal(run("RETIRED_SSE_AVX_FLOPS.ANY:ctr=4", 0), 1);
	assert_clean();
	machine("fam10h"); /* 003h is no such event before */
	mock_probe(&cpu);
	assert_int_equal(ask("cpu/event=3/"), 1);
	assert_int_equal(config[0].nextra, 0);
	assert_int_equal(config[0].counters, 0xf);
}

/* What a return to the guest adds is no erratum of a machine of its own. */
static void guest_errata(void **state)
{
	(void)state;
	machine("zen4");
	mock_probe(&cpu);
	assert_null(pmu_erratum("RETIRED_INSTRUCTIONS:u"));
	assert_false(pmu_host_adds("RETIRED_INSTRUCTIONS:u"));
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	assert_string_equal(pmu_erratum("RETIRED_INSTRUCTIONS:u"), "VMRUN");
	assert_string_equal(pmu_erratum("RETIRED_BRANCH_INSTRUCTIONS"), "VMRUN");
	assert_true(pmu_host_adds("RETIRED_BRANCH_INSTRUCTIONS"));
	assert_false(pmu_host_adds("RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED"));
	assert_null(pmu_erratum("RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED"));
	cpu.simulated = true;
	assert_null(pmu_erratum("RETIRED_INSTRUCTIONS:u"));
}

/* Branches of each AMD count interrupts, instructions of the old ones; and no check is excused. */
static void counted_interrupts(void **state)
{
	(void)state;
	machine("zen4");
	mock_probe(&cpu);
	assert_false(pmu_counts_interrupts("RETIRED_INSTRUCTIONS:u"));
	assert_true(pmu_counts_interrupts("RETIRED_BRANCH_INSTRUCTIONS:u"));
	assert_true(pmu_counts_interrupts("RETIRED_TAKEN_BRANCH_INSTRUCTIONS"));
	assert_false(pmu_counts_interrupts("RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED"));
	machine("k8");
	mock_probe(&cpu);
	assert_true(pmu_counts_interrupts("RETIRED_INSTRUCTIONS:u"));
	assert_null(pmu_erratum("RETIRED_INSTRUCTIONS:u"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_events),
		cmocka_unit_test(put_back),
		cmocka_unit_test(fault),
		cmocka_unit_test(strange_numbers),
		cmocka_unit_test(values),
		cmocka_unit_test(restrictions_15h),
		cmocka_unit_test(merged),
		cmocka_unit_test(guest_errata),
		cmocka_unit_test(counted_interrupts),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
