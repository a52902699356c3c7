/*
 * The NetBurst driver on a machine of registers. What requests come down to is compared with values
 * that were put together by hand from the manual's tables, and so is which requests exclude each
 * other. The tests also check how registers are used: only those that the model has, no reserved
 * bit, no ESCR read, the enabling bits last. Counters are written twice, and only while they stand.
 * Every register is in the end as it was found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/events.h"
#include "pmu/internal.h"
#include "pmu/request.h"
#include "pmu/tables.h"
#include "tests/unit/pmu/pmu_mock.h"

#define MISC_ENABLE  0x1a0
#define PEBS_ENABLE  0x3f1
#define MATRIX_VERT  0x3f2
#define COUNTER(n)   (0x300u + (n))
#define CCCR(n)      (0x360u + (n))
#define CCCR_ENABLE  (1u << 12)
#define CCCR_CASCADE (1u << 30)
#define CCCR_OVF     (1u << 31)

/* SDM volume 3B, "Performance Counter MSRs and Associated CCCR and ESCR MSRs". */
/* clang-format off */
static const struct escr {
	uint32_t msr;
	unsigned select;
	uint32_t counters;
} escrs[] = {
	{ 0x3a0, 7, 0x00003 }, /* MSR_BSU_ESCR0 */
	{ 0x3a1, 7, 0x0000c }, /* MSR_BSU_ESCR1 */
	{ 0x3a2, 6, 0x00003 }, /* MSR_FSB_ESCR0 */
	{ 0x3a3, 6, 0x0000c }, /* MSR_FSB_ESCR1 */
	{ 0x3a4, 1, 0x00300 }, /* MSR_FIRM_ESCR0 */
	{ 0x3a5, 1, 0x00c00 }, /* MSR_FIRM_ESCR1 */
	{ 0x3a6, 0, 0x00300 }, /* MSR_FLAME_ESCR0 */
	{ 0x3a7, 0, 0x00c00 }, /* MSR_FLAME_ESCR1 */
	{ 0x3a8, 5, 0x00300 }, /* MSR_DAC_ESCR0 */
	{ 0x3a9, 5, 0x00c00 }, /* MSR_DAC_ESCR1 */
	{ 0x3aa, 2, 0x00003 }, /* MSR_MOB_ESCR0 */
	{ 0x3ab, 2, 0x0000c }, /* MSR_MOB_ESCR1 */
	{ 0x3ac, 4, 0x00003 }, /* MSR_PMH_ESCR0 */
	{ 0x3ad, 4, 0x0000c }, /* MSR_PMH_ESCR1 */
	{ 0x3ae, 2, 0x00300 }, /* MSR_SAAT_ESCR0 */
	{ 0x3af, 2, 0x00c00 }, /* MSR_SAAT_ESCR1 */
	{ 0x3b0, 3, 0x00300 }, /* MSR_U2L_ESCR0 */
	{ 0x3b1, 3, 0x00c00 }, /* MSR_U2L_ESCR1 */
	{ 0x3b2, 0, 0x00003 }, /* MSR_BPU_ESCR0 */
	{ 0x3b3, 0, 0x0000c }, /* MSR_BPU_ESCR1 */
	{ 0x3b4, 1, 0x00003 }, /* MSR_IS_ESCR0 */
	{ 0x3b5, 1, 0x0000c }, /* MSR_IS_ESCR1 */
	{ 0x3b6, 3, 0x00003 }, /* MSR_ITLB_ESCR0 */
	{ 0x3b7, 3, 0x0000c }, /* MSR_ITLB_ESCR1 */
	{ 0x3b8, 4, 0x13000 }, /* MSR_CRU_ESCR0 */
	{ 0x3b9, 4, 0x2c000 }, /* MSR_CRU_ESCR1 */
	{ 0x3ba, 0, 0x13000 }, /* MSR_IQ_ESCR0 */
	{ 0x3bb, 0, 0x2c000 }, /* MSR_IQ_ESCR1 */
	{ 0x3bc, 2, 0x13000 }, /* MSR_RAT_ESCR0 */
	{ 0x3bd, 2, 0x2c000 }, /* MSR_RAT_ESCR1 */
	{ 0x3be, 3, 0x13000 }, /* MSR_SSU_ESCR0 */
	{ 0x3c0, 0, 0x00030 }, /* MSR_MS_ESCR0 */
	{ 0x3c1, 0, 0x000c0 }, /* MSR_MS_ESCR1 */
	{ 0x3c2, 2, 0x00030 }, /* MSR_TBPU_ESCR0 */
	{ 0x3c3, 2, 0x000c0 }, /* MSR_TBPU_ESCR1 */
	{ 0x3c4, 1, 0x00030 }, /* MSR_TC_ESCR0 */
	{ 0x3c5, 1, 0x000c0 }, /* MSR_TC_ESCR1 */
	{ 0x3c8, 5, 0x00003 }, /* MSR_IX_ESCR0 */
	{ 0x3c9, 5, 0x0000c }, /* MSR_IX_ESCR1 */
	{ 0x3ca, 1, 0x13000 }, /* MSR_ALF_ESCR0 */
	{ 0x3cb, 1, 0x2c000 }, /* MSR_ALF_ESCR1 */
	{ 0x3cc, 5, 0x13000 }, /* MSR_CRU_ESCR2 */
	{ 0x3cd, 5, 0x2c000 }, /* MSR_CRU_ESCR3 */
	{ 0x3e0, 6, 0x13000 }, /* MSR_CRU_ESCR4 */
	{ 0x3e1, 6, 0x2c000 }, /* MSR_CRU_ESCR5 */
};
/* clang-format on */

enum { ESCRS = sizeof(escrs) / sizeof(escrs[0]) };

static struct cpu cpu;

static const struct escr *find_escr(uint32_t msr)
{
	for (unsigned i = 0; i < ESCRS; i++)
		if (escrs[i].msr == msr)
			return &escrs[i];
	return 0;
}

/* A CPU of this signature: 0xf12 is Willamette. Reserved bits as SDM volume 3B has them. */
static void machine(uint32_t signature, bool ht, unsigned thread)
{
	uint32_t model = signature >> 4 & 15;
	uint64_t cccr = 0xc7fff000 | (ht ? 1u << 27 : 0);

	cpu = mock_cpu(PMU_CLASS_NETBURST, 15, model);
	cpu.signature = signature;
	cpu.smt_shift = ht;
	cpu.apic_id = 6 + thread;
	mock_lines();
	mock_clear();
	mock_add(COUNTER(0), 18, (1ull << 40) - 1);
	mock_add(CCCR(0), 12, cccr);
	mock_add(CCCR(12), 6, cccr | (model >= 2 ? 1u << 11 : 0));
	for (unsigned i = 0; i < ESCRS; i++)
		if (escrs[i].msr / 2 != 0x3ba / 2 || model == 1 || model == 2)
			mock_add(escrs[i].msr, 1, ht ? 0x7fffffff : 0x7ffffffc);
	mock_add(PEBS_ENABLE, 1, 0x3019fff | (ht ? 1u << 26 : 0));
	mock_add(MATRIX_VERT, 1, 0x13);
	mock_add(MISC_ENABLE, 1, 0);
	mock_find(MISC_ENABLE)->value = 1 << 7;
}

static void assert_clean(void)
{
	if (mock.strangers)
		fail_msg("%u accesses to strangers, last 0x%x", mock.strangers, mock.stranger);
	if (mock.reserved)
		fail_msg("%u writes of reserved bits, last to 0x%x", mock.reserved, mock.bad);
}

/* --- the rules of the registers --------------------------------------------------------------- */

/* What the log so far makes of the machine. */
struct rules {
	uint64_t cccr[18], escr[ESCRS];
	unsigned zeroed; /* bit n: counter n was written as 0, twice in a row, since it last ran */
	bool running;
};

static void counter_written(struct rules *r, unsigned at, unsigned n)
{
	const struct mock_access *a = &mock.log[at];

	if (r->cccr[n])
		fail_msg("counter %u written while CCCR is 0x%llx", n,
		         (unsigned long long)r->cccr[n]);
	if (at && a[-1].kind == 'w' && a[-1].msr == a->msr && a[-1].value == a->value)
		r->zeroed |= !a->value << n;
	else
		r->zeroed &= ~(1u << n);
}

/*
 * The ESCR that the CCCR selects must be the one that was set up; 3 is what some FSB events take.
 */
static void cccr_written(struct rules *r, unsigned n, uint64_t v)
{
	bool set_up = false;

	if (v & CCCR_OVF)
		fail_msg("CCCR%u: OVF set", n);
	if (!(v & CCCR_ENABLE) && (v & CCCR_CASCADE) && r->running)
		fail_msg("CCCR%u armed after another was enabled", n);
	if (v && !(r->zeroed >> n & 1))
		fail_msg("CCCR%u set up before its counter was written as 0 twice", n);
	for (unsigned i = 0; i < ESCRS; i++)
		if (escrs[i].counters >> n & 1 && r->escr[i] & 0xf &&
		    (escrs[i].select == (v >> 13 & 7) ||
		     ((v >> 13 & 7) == 3 && escrs[i].select == 6)))
			set_up = true;
	if (v && !set_up)
		fail_msg("CCCR%u = 0x%llx selects an ESCR that is not set up", n,
		         (unsigned long long)v);
	if (n == 1 && v)
		fail_msg("counter 1 used");
	if (v && (v >> 16 & 3) != 3 && !cpu.smt_shift)
		fail_msg("CCCR%u: thread is not 3 without HT", n);
	r->cccr[n] = v;
	r->running = false;
	for (unsigned i = 0; i < 18; i++)
		r->running |= r->cccr[i] & CCCR_ENABLE;
	if (v & CCCR_ENABLE)
		r->zeroed &= ~(1u << n);
}

/* Goes through everything that was written since the log was emptied. */
static void obey(void)
{
	struct rules r = { .running = false };

	for (unsigned n = 0; n < 18; n++)
		r.cccr[n] = CCCR_ENABLE; /* as something before us may have left it */
	for (unsigned at = 0; at < mock.nlog; at++) {
		const struct mock_access *a = &mock.log[at];
		const struct escr *e = find_escr(a->msr);
		bool any = false;

		if (a->kind != 'w')
			fail_msg("0x%x read while programming", a->msr);
		for (unsigned n = 0; n < 18; n++)
			any |= r.cccr[n] != 0;
		if ((e || a->msr == PEBS_ENABLE || a->msr == MATRIX_VERT) && any)
			fail_msg("0x%x written while a CCCR is set", a->msr);
		if (e)
			r.escr[e - escrs] = a->value;
		else if (a->msr - COUNTER(0) < 18)
			counter_written(&r, at, a->msr - COUNTER(0));
		else if (a->msr - CCCR(0) < 18)
			cccr_written(&r, a->msr - CCCR(0), a->value);
	}
	for (unsigned n = 0; n < 18; n++)
		assert_int_equal(r.cccr[n], 0);
	for (unsigned i = 0; i < ESCRS; i++)
		assert_int_equal(r.escr[i], 0);
	assert_int_equal(mock_find(PEBS_ENABLE)->value, 0);
	assert_int_equal(mock_find(MATRIX_VERT)->value, 0);
}

/* What a plan is made of; given back by run(). */
static void *blocks[2048];
static unsigned nblocks;

static void *get(size_t size)
{
	assert_true(nblocks < sizeof(blocks) / sizeof(blocks[0]));
	return blocks[nblocks++] = calloc(1, size);
}

/* Plans and runs every group under the rules; the number of groups, 0 if something was refused. */
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
		obey();
	}
	n = plan.ngroups;
	while (nblocks)
		free(blocks[--nblocks]);
	lines = mock_lines();
	return strstr(lines, "error") ? 0 : n;
}

/* --- discipline ------------------------------------------------------------------------------- */

static const struct {
	uint32_t signature;
	bool ht;
	unsigned thread;
} parts[] = {
	{ 0xf0a, false, 0 }, { 0xf12, false, 0 }, { 0xf24, false, 0 }, { 0xf29, true, 0 },
	{ 0xf34, true, 1 },  { 0xf41, true, 0 },  { 0xf62, true, 1 },
};

/* Every event on every part, at both levels; then all registers can be put back. */
static void all_events(void **unused)
{
	static struct mock_reg before[MOCK_REGS];

	(void)unused;
	for (unsigned p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
		uint32_t msr;

		machine(parts[p].signature, parts[p].ht, parts[p].thread);
		mock_probe(&cpu);
		assert_string_equal(pmu_name(), "netburst");
		mock_fill();
		memcpy(before, mock.reg, sizeof(before));
		for (unsigned cpl = 0; cpl <= 3; cpl += 3)
			assert_true(run("all", cpl) >= 20);
		assert_clean();
		for (unsigned i = 0; (msr = pmu_hw.driver->reg(&pmu_hw, i)); i++)
			for (unsigned k = 0; k < mock.nregs; k++)
				if (before[k].msr == msr)
					mock_find(msr)->value = before[k].value;
		for (unsigned k = 0; k < mock.nregs; k++)
			if (mock.reg[k].value != before[k].value)
				fail_msg("0x%x would not be put back", mock.reg[k].msr);
	}
}

/* OVF of a CCCR: software clears it, and does not put it back. */
static uint64_t moves(unsigned k)
{
	return mock.reg[k].msr >= CCCR(0) && mock.reg[k].msr <= CCCR(17) ? 1u << 31 : 0;
}

static uint64_t value_of(const struct mock_reg *regs, uint32_t msr)
{
	while (regs->msr != msr)
		regs++;
	return regs->value;
}

/*
 * pmu_init() on a machine whose RDPMC reads 0: nothing is used, and everything is put back. ESCRs
 * alone are left as 0: an erratum returns other bits, so what is read from them is never written.
 */
static void put_back(void **unused)
{
	static struct mock_reg before[MOCK_REGS];

	(void)unused;
	machine(0xf29, true, 0);
	mock_fill();
	mock_find(MISC_ENABLE)->value = 1 << 7;
	memcpy(before, mock.reg, sizeof(before));
	assert_false(pmu_init(&cpu));
	assert_clean();
	for (unsigned k = 0; k < mock.nregs; k++)
		if (mock.reg[k].value !=
		    (find_escr(mock.reg[k].msr) ? 0 : before[k].value & ~moves(k)))
			fail_msg("0x%x is not as it was", mock.reg[k].msr);
	for (unsigned k = 0; k < mock.nlog; k++)
		if (mock.log[k].kind == 'w' && find_escr(mock.log[k].msr) &&
		    mock.log[k].value == value_of(before, mock.log[k].msr))
			fail_msg("ESCR 0x%x was written as it was read", mock.log[k].msr);
	pmu_fini();
}

/* Bit 7 clear: the PMU is not there, and no register of it is touched. */
static void unavailable(void **unused)
{
	const char *lines;

	(void)unused;
	machine(0xf12, false, 0);
	mock_find(MISC_ENABLE)->value = 0;
	assert_false(pmu_init(&cpu));
	lines = mock_lines();
	assert_non_null(strstr(lines, "pmu=none"));
	assert_non_null(strstr(lines, "IA32_MISC_ENABLE bit 7"));
	for (unsigned i = 0; i < mock.nlog; i++)
		assert_int_equal(mock.log[i].msr, MISC_ENABLE);
}

/* Bit 12 set: no PEBS, so its registers are not touched and replay metrics are refused. */
static void no_pebs(void **unused)
{
	(void)unused;
	machine(0xf12, false, 0);
	mock_find(MISC_ENABLE)->value = 1 << 12 | 1 << 7;
	mock_probe(&cpu);
	mock_find(PEBS_ENABLE)->allowed = 0;
	assert_int_equal(run("split_load_retired", 0), 0);
	assert_int_equal(run("memory_loads", 0), 1);
	for (unsigned i = 0; i < mock.nlog; i++)
		assert_true(mock.log[i].msr != PEBS_ENABLE && mock.log[i].msr != MATRIX_VERT);
}

/* A write that faults half way: start says so, and nothing is left enabled. */
static void fault(void **unused)
{
	struct pmu_group group;

	(void)unused;
	machine(0xf24, false, 0);
	mock_probe(&cpu);
	assert_true(pmu_single(&group, "instructions:ctr=12", 0));
	mock_find(CCCR(12))->allowed = 0;
	assert_false(pmu_start(&group));
	for (unsigned n = 0; n < 18; n++)
		assert_int_equal(mock_find(CCCR(n))->value, 0);
	for (unsigned i = 0; i < ESCRS; i++)
		assert_true(!mock_find(escrs[i].msr) || !mock_find(escrs[i].msr)->value);
}

/* --- values --- */

static struct pmu_config config[PMU_CONFIGS];
static struct pmu_refusal no;

static unsigned ask(const char *text)
{
	char key[PMU_KEY];

	return pmu_request(&pmu_hw, text, strlen(text), 0, key, config, &no);
}

static uint64_t extra(const struct pmu_config *c, uint32_t msr)
{
	for (unsigned i = 0; i < c->nextra; i++)
		if (c->extra[i].msr == msr)
			return c->extra[i].value;
	return 0;
}

/* Each way of each event: the ESCR is one of its unit, and the counters are those that see it. */
static void wiring(void **unused)
{
	const struct pmu_table *t = &pmu_table_netburst;
	char key[PMU_KEY];

	(void)unused;
	machine(0xf41, true, 0);
	mock_probe(&cpu);
	for (unsigned i = 0; i < t->n; i++) {
		struct pmu_event event;
		unsigned n;

		pmu_event_at(t, i, &event);
		n = pmu_request_event(&pmu_hw, &event, 0, key, config, &no);
		assert_true(n > 0);
		for (unsigned k = 0; k < n; k++) {
			const struct escr *e = find_escr(config[k].extra[0].msr);
			unsigned select = config[k].select >> 13 & 7;

			assert_non_null(e);
			assert_true(select == e->select || (select == 3 && e->select == 6));
			assert_int_equal(config[k].counters, e->counters & ~2u);
			for (unsigned x = 1; x < config[k].nextra; x++)
				assert_true(config[k].extra[x].msr >= PMU_CLAIM ||
				            config[k].extra[x].msr == PEBS_ENABLE ||
				            config[k].extra[x].msr == MATRIX_VERT ||
				            find_escr(config[k].extra[x].msr));
		}
	}
}

/* Bits of the CCCR and of the ESCR, one by one. */
static void fields(void **unused)
{
	static const struct {
		const char *text;
		uint32_t escr, cccr;
	} rows[] = {
		{ "uops_retired.NBOGUS:k", 0x02000208, 0x00039000 },
		{ "uops_retired.NBOGUS:u", 0x02000204, 0x00039000 },
		{ "uops_retired.NBOGUS.BOGUS:uk", 0x0200060c, 0x00039000 },
		{ "uops_retired.NBOGUS:t1_usr:t1_os", 0x0200020b, 0x00039000 },
		{ "uops_retired.NBOGUS:cmp", 0x02000208, 0x00079000 },
		{ "uops_retired.NBOGUS:thr=2", 0x02000208, 0x00279000 },
		{ "uops_retired.NBOGUS:cmpl:thr=15", 0x02000208, 0x00ff9000 },
		{ "uops_retired.NBOGUS:e", 0x02000208, 0x01079000 },
		{ "uops_retired.NBOGUS:force_ovf", 0x02000208, 0x02039000 },
		{ "uops_retired.NBOGUS:int", 0x02000208, 0x04039000 },
		{ "uops_retired.NBOGUS:cascade", 0x02000208, 0x40038000 },
		{ "uops_retired.NBOGUS:ext_cascade", 0x02000208, 0x00038800 },
		{ "uops_retired.NBOGUS:thread=single", 0x02000208, 0x00019000 },
		{ "b2b_cycles.BIT1", 0x2c000408, 0x00037000 },
		{ "packed_SP_uop.ALL:tag=5", 0x110000b8, 0x00033000 },
		{ "p4/escr=CRU0,event_select=1,event_mask=1,os/", 0x02000208, 0x00039000 },
		{ "p4/escr=0x3b9,event_select=1,event_mask=1,os/", 0x02000208, 0x00039000 },
	};

	(void)unused;
	machine(0xf29, true, 0);
	mock_probe(&cpu);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!ask(rows[i].text))
			fail_msg("%s: %s: %s", rows[i].text, no.culprit, no.why);
		if (config[0].extra[0].value != rows[i].escr || config[0].select != rows[i].cccr)
			fail_msg("%s: ESCR 0x%llx CCCR 0x%llx", rows[i].text,
			         (unsigned long long)config[0].extra[0].value,
			         (unsigned long long)config[0].select);
	}
	assert_int_equal(ask("p4/escr=0x3b9,event_select=1,event_mask=1,os/"), 1);
	assert_int_equal(config[0].extra[0].msr, 0x3b9);
	assert_int_equal(config[0].counters, 0x2c000);
}

/* The manual's example is thread 1's: MSR_CRU_ESCR0 = 0x04000603. */
static void second_thread(void **unused)
{
	(void)unused;
	machine(0xf29, true, 1);
	mock_probe(&cpu);
	assert_int_equal(ask("instr_retired.NBOGUSNTAG.NBOGUSTAG:uk:int"), 2);
	assert_int_equal(config[0].extra[0].msr, 0x3b8);
	assert_int_equal(config[0].extra[0].value, 0x04000603);
	assert_int_equal(config[0].select, 0x08039000);
}

/* A pair has each event for both threads, in one run; without Hyper-Threading there is no pair. */
static void pair(void **unused)
{
	const struct pmu_want want = {
		.events = "instructions", .pair = true, .quiet = true, .alloc = get
	};
	struct pmu_plan plan;

	(void)unused;
	machine(0xf12, false, 0);
	mock_probe(&cpu);
	assert_false(pmu_threads_share());
	machine(0xf29, true, 1);
	mock_probe(&cpu);
	assert_true(pmu_threads_share());
	pmu_plan(&plan, &want);
	assert_int_equal(plan.ngroups, 1);
	assert_int_equal(plan.groups[0].n, 2);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(plan.groups[0].slots[i].thread, i);
	assert_int_not_equal(plan.groups[0].slots[0].counter, plan.groups[0].slots[1].counter);
	assert_non_null(strstr(mock_lines(), "thread=1"));
	while (nblocks)
		free(blocks[--nblocks]);
}

/* What a part lacks is refused by name. */
static void refusals(void **unused)
{
	static const struct {
		uint32_t signature;
		bool ht;
		const char *text, *why;
	} rows[] = {
		{ 0xf12, false, "uops_retired.NBOGUS:t1_os", "reserved without Hyper-Threading" },
		{ 0xf12, false, "uops_retired.NBOGUS:thread=both", "without Hyper-Threading" },
		{ 0xf12, false, "uops_retired.NBOGUS:ext_cascade", "came with model 2" },
		{ 0xf41, true, "global_power_events.RUNNING:ext_cascade", "no counter" },
		{ 0xf12, false, "instr_completed.NBOGUS", "no event" },
		{ 0xf29, true, "instr_completed.NBOGUS", "no event" },
		{ 0xf41, true, "uops_retired.NBOGUS:tag=1", "FIRM" },
		{ 0xf41, true, "uops_retired.NBOGUS:metric=1", "belongs to another event" },
		{ 0xf41, true, "replay_event.NBOGUS:metric=9", "belongs to another event" },
		{ 0xf41, true, "uops_retired.NBOGUS:metric=19", "0 to 0x12" },
		{ 0xf41, true, "uops_retired.NBOGUS:thr=16", "0 to 0xf" },
		{ 0xf41, true, "global_power_events.RUNNING:ctr=1", "only on 0 2 3" },
		{ 0xf41, true, "BSQ_allocation.REQ_TYPE0:ctr=2", "only on 0" },
		{ 0xf41, true, "p4/event_select=1/", "needs escr=" },
		{ 0xf41, true, "p4/escr=0x3bf/", "needs escr=" },
		{ 0xf41, true, "p4/escr=IQ,event_select=1,event_mask=1/", "no counter" },
		{ 0xf41, true, "instr_retired.NBOGUS", "NBOGUSNTAG" },
	};

	(void)unused;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		machine(rows[i].signature, rows[i].ht, 0);
		mock_probe(&cpu);
		if (ask(rows[i].text) || !strstr(no.why, rows[i].why))
			fail_msg("%s: %s: %s", rows[i].text, no.culprit, no.why);
	}
	machine(0xf41, true, 0);
	mock_probe(&cpu);
	assert_int_equal(ask("instr_completed.NBOGUS"), 2);
	machine(0xf26, false, 0); /* IOQ_allocation on ESCR1: from F27h on */
	mock_probe(&cpu);
	assert_int_equal(ask("IOQ_allocation.MEM_WB"), 1);
	assert_int_equal(config[0].extra[0].msr, 0x3a2);
	machine(0xf27, false, 0);
	mock_probe(&cpu);
	assert_int_equal(ask("IOQ_allocation.MEM_WB"), 2);
}

/* Two events need their mask in both ESCRs of the unit, and count on the second's counters. */
static void mirrored(void **unused)
{
	(void)unused;
	machine(0xf12, false, 0);
	mock_probe(&cpu);
	assert_int_equal(ask("IOQ_active_entries.ALL_READ:k"), 1);
	assert_int_equal(config[0].counters, 0xc);
	assert_int_equal(extra(&config[0], 0x3a2), 0x34004008);
	assert_int_equal(extra(&config[0], 0x3a3), 0x34004008);
	assert_int_equal(ask("BSQ_active_entries.REQ_LEN1:k"), 1);
	assert_int_equal(extra(&config[0], 0x3a0), 0x0c001008);
	assert_int_equal(extra(&config[0], 0x3a1), 0x0c001008);
	assert_int_equal(ask("BSQ_allocation.REQ_LEN1:k"), 1);
	assert_int_equal(config[0].nextra, 1);
}

/* --- tagging --- */

/* SDM volume 3B, "List of Metrics Available for Replay Tagging"; Linux p4_pebs_bind_map. */
static const struct {
	const char *metric;
	uint32_t pebs, matrix, upstream, value;
} replay[] = {
	{ "1stL_cache_load_miss_retired", 0x1000001, 0x1, 0, 0 },
	{ "2ndL_cache_load_miss_retired", 0x1000002, 0x1, 0, 0 },
	{ "DTLB_load_miss_retired", 0x1000004, 0x1, 0, 0 },
	{ "DTLB_store_miss_retired", 0x1000004, 0x2, 0, 0 },
	{ "DTLB_all_miss_retired", 0x1000004, 0x3, 0, 0 },
	{ "Tagged_mispred_branch", 0x1018000, 0x10, 0, 0 },
	{ "MOB_load_replay_retired", 0x1000200, 0x1, 0x3aa, 0x06006008 },
	{ "split_load_retired", 0x1000400, 0x1, 0x3af, 0x08000408 },
	{ "split_store_retired", 0x1000400, 0x2, 0x3ae, 0x0a000408 },
};

static void replay_metrics(void **unused)
{
	(void)unused;
	machine(0xf12, false, 0);
	mock_probe(&cpu);
	for (unsigned i = 0; i < sizeof(replay) / sizeof(replay[0]); i++) {
		char text[80];

		for (unsigned form = 0; form < 2; form++) {
			if (form)
				snprintf(text, sizeof(text), "replay_event.NBOGUS:metric=%u", i);
			else
				snprintf(text, sizeof(text), "%s", replay[i].metric);
			assert_int_equal(ask(text), replay[i].upstream == 0x3aa ? 4 : 2);
			assert_int_equal(config[0].extra[0].msr, 0x3cc);
			assert_int_equal(config[0].extra[0].value, 0x12000208);
			assert_int_equal(config[0].select, 0x3b000);
			assert_int_equal(config[0].counters, 0x13000);
			assert_int_equal(extra(&config[0], PEBS_ENABLE), replay[i].pebs);
			assert_int_equal(extra(&config[0], MATRIX_VERT), replay[i].matrix);
			if (replay[i].upstream)
				assert_int_equal(extra(&config[0], replay[i].upstream),
				                 replay[i].value);
		}
		assert_int_equal(run(replay[i].metric, 3), 1);
	}
	assert_true(ask("replay_event.BOGUS:metric=3") > 0);
	assert_int_equal(config[0].extra[0].value, 0x12000408);
}

static void other_metrics(void **unused)
{
	static const struct {
		const char *metric;
		uint32_t event; /* FIRM ESCR without tag and level */
	} execution[] = {
		{ "packed_SP_retired", 0x11000000 },
		{ "packed_DP_retired", 0x19000000 },
		{ "scalar_SP_retired", 0x15000000 },
		{ "scalar_DP_retired", 0x1d000000 },
		{ "128_bit_MMX_retired", 0x35000000 },
		{ "64_bit_MMX_retired", 0x05000000 },
		{ "X87_FP_retired", 0x09000000 },
		{ "X87_SIMD_memory_moves_retired", 0x5c003000 },
	};

	(void)unused;
	machine(0xf12, false, 0);
	mock_probe(&cpu);
	for (unsigned i = 0; i < sizeof(execution) / sizeof(execution[0]); i++) {
		assert_int_equal(ask(execution[i].metric), 16);
		for (unsigned k = 0; k < 16; k++) { /* tag bit n goes with mask bit n */
			unsigned up = config[k].extra[1].msr, tag;

			assert_true(up == 0x3a4 || up == 0x3a5);
			tag = config[k].extra[1].value >> 5 & 0xf;
			assert_int_equal(config[k].extra[1].value,
			                 execution[i].event | 0x18 | tag << 5);
			assert_int_equal(config[k].extra[0].value, 0x18000008 | tag << 9);
		}
	}
	assert_int_equal(ask("memory_loads"), 4);
	assert_int_equal(extra(&config[0], 0x3bc), 0x04000408);
	assert_int_equal(config[0].extra[0].value, 0x10000208);
	assert_int_equal(ask("memory_stores:u"), 4);
	assert_int_equal(extra(&config[0], 0x3bc), 0x04000804);
	assert_int_equal(ask("execution_event.NBOGUS2.BOGUS2:metric=11"), 4);
	assert_int_equal(config[0].extra[0].value, 0x18008808);
	assert_int_equal(config[0].extra[1].value, 0x11000098);
	assert_int_equal(ask("execution_event.NBOGUS2.BOGUS1:metric=11"), 0);
}

/* How many runs these need. */
static void exclusions(void **unused)
{
	static const struct {
		const char *events;
		unsigned groups;
	} rows[] = {
		{ "1stL_cache_load_miss_retired,2ndL_cache_load_miss_retired",
		  2 },                                                 /* PEBS_ENABLE */
		{ "DTLB_load_miss_retired,DTLB_all_miss_retired", 2 }, /* MATRIX_VERT */
		{ "1stL_cache_load_miss_retired,memory_loads,instructions", 1 },
		{ "1stL_cache_load_miss_retired,replay_event.NBOGUS", 2 },
		{ "memory_loads,memory_stores", 2 }, /* one front-end tag */
		{ "memory_loads,uop_type.TAGLOADS", 1 },
		{ "memory_loads,uop_type.TAGSTORES", 2 },
		{ "memory_loads,front_end_event.NBOGUS", 2 },
		{ "memory_loads,instr_retired.NBOGUSTAG", 2 },
		{ "memory_loads,instr_retired.NBOGUSNTAG.NBOGUSTAG", 1 },
		{ "packed_SP_retired,packed_DP_retired", 1 }, /* two tags, both FIRM ESCRs */
		{ "packed_SP_retired,packed_DP_retired,X87_FP_retired", 2 },
		{ "packed_SP_retired,execution_event.NBOGUS0", 2 },
		{ "packed_SP_retired,packed_SP_uop.ALL", 1 }, /* the second FIRM ESCR has no tag */
		{ "execution_event.NBOGUS0,execution_event.NBOGUS1", 1 },
		/* one ESCR serves several counters if the event is the same, whatever the filter */
		{ "uops_retired.NBOGUS,uops_retired.NBOGUS:thr=1,uops_retired.NBOGUS:thr=2,"
		  "uops_retired.NBOGUS:e,uops_retired.NBOGUS:cmp,uops_retired.NBOGUS:cmpl",
		  1 },
		/* of CRU0's two ESCRs */
		{ "uops_retired.NBOGUS,uops_retired.BOGUS,uops_retired.NBOGUS.BOGUS", 2 },
		{ "BSQ_allocation.REQ_TYPE0,BSQ_allocation.REQ_TYPE1", 2 },
		{ "IOQ_active_entries.ALL_READ,global_power_events.RUNNING", 2 }, /* both ESCRs */
		{ "instr_retired.NBOGUSNTAG.NBOGUSTAG:force_ovf:ctr=12,"
		  "uops_retired.NBOGUS:cascade:ctr=14",
		  1 },
	};

	(void)unused;
	machine(0xf29, true, 0);
	mock_probe(&cpu);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned n = run(rows[i].events, 0);

		if (n != rows[i].groups)
			fail_msg("%s: %u groups", rows[i].events, n);
	}
	assert_clean();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_events),     cmocka_unit_test(put_back),
		cmocka_unit_test(unavailable),    cmocka_unit_test(no_pebs),
		cmocka_unit_test(fault),          cmocka_unit_test(wiring),
		cmocka_unit_test(fields),         cmocka_unit_test(second_thread),
		cmocka_unit_test(refusals),       cmocka_unit_test(mirrored),
		cmocka_unit_test(replay_metrics), cmocka_unit_test(other_metrics),
		cmocka_unit_test(exclusions),     cmocka_unit_test(pair),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
