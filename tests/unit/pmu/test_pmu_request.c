/*
 * Requests: every form of docs/events.md gives the register values that the manual's bit layout
 * says, and what cannot be had is refused with the culprit and what would be allowed. The register
 * values here were put together by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/internal.h"
#include "pmu/request.h"
#include "pmu/tables.h"
#include "tests/unit/pmu/pmu_mock.h"

static struct pmu_config config[PMU_CONFIGS];
static struct pmu_refusal no;
static char key[PMU_KEY];

static unsigned ask(const char *text)
{
	return pmu_request(&pmu_hw, text, strlen(text), 0, key, config, &no);
}

/* A request that must be had. */
struct want {
	const char *text, *key;
	uint64_t select;
	uint32_t counters; /* of the last configuration */
	unsigned ways;
	uint32_t msr; /* of the first extra register, 0: none */
	uint64_t value;
};

static void expect_all(const struct want *w)
{
	for (; w->text; w++) {
		unsigned n = ask(w->text);

		if (n != w->ways || strcmp(key, w->key))
			fail_msg("%s: %u ways, key %s: %s: %s", w->text, n, key, no.culprit,
			         no.why);
		if (config[n - 1].select != w->select || config[n - 1].counters != w->counters)
			fail_msg("%s: select 0x%llx counters 0x%x", w->text,
			         (unsigned long long)config[n - 1].select, config[n - 1].counters);
		assert_int_equal(config[n - 1].nextra, w->msr != 0);
		if (w->msr) {
			assert_int_equal(config[n - 1].extra[0].msr, w->msr);
			assert_int_equal(config[n - 1].extra[0].value, w->value);
		}
	}
}

struct refused {
	const char *text, *culprit, *why; /* why: a part of it */
};

static void refuse_all(const struct refused *r)
{
	for (; r->text; r++) {
		unsigned n = ask(r->text);

		if (n || strcmp(no.culprit, r->culprit) || !strstr(no.why, r->why))
			fail_msg("%s: %u ways; %s: %s", r->text, n, no.culprit, no.why);
	}
}

/* clang-format off */
static void p5(void **unused)
{
	static const struct want wants[] = {
		/* SDM example: 16h and 17h, CPL 0-2, events: 0x00570056 */
		{ "INSTRUCTIONS_EXECUTED", "INSTRUCTIONS_EXECUTED", 0x56, 3, 1, 0, 0 },
		{ "INSTRUCTIONS_EXECUTED_V_PIPE", "INSTRUCTIONS_EXECUTED_V_PIPE",
		  0x57, 3, 1, 0, 0 },
		{ "instructions:uk", "INSTRUCTIONS_EXECUTED:u:k", 0xd6, 3, 1, 0, 0 },
		{ "v-pipe:u", "INSTRUCTIONS_EXECUTED_V_PIPE:u", 0x97, 3, 1, 0, 0 },
		{ "data_read:clocks", "DATA_READ:clocks", 0x140, 3, 1, 0, 0 },
		{ "data_read:pc", "DATA_READ:pc", 0x240, 3, 1, 0, 0 },
		{ "DATA_READ:ctr=1", "DATA_READ:ctr1", 0x40, 2, 1, 0, 0 },
		{ "p5/es=0x16,cc=7,pc=1/", "p5/es0x16,cc7,pc/", 0x3d6, 3, 1, 0, 0 },
		{ "p5/es=0x3f,cc=clocks/", "p5/es0x3f,cc7/", 0x1ff, 3, 1, 0, 0 },
		{ "p5/es=22/u", "p5/es0x16,usr/", 0x96, 3, 1, 0, 0 },
		{ 0, 0, 0, 0, 0, 0, 0 },
	};
	static const struct refused refusals[] = {
		{ "BRANCHS", "BRANCHS", "it has BRANCHES" },
		{ "cycles", "cycles", "no event with this meaning" }, /* P55C only */
		{ "branches:c=2", "c=2", "it has u k clocks pc ctr=N" },
		{ "p5/es=0x40/", "es=0x40", "from 0 to 0x3f" },
		{ "p5/cc=8/", "cc=8", "from 0 to 0x7 off events0-2" },
		{ "p5/event=1/", "event=1", "es=N cc=N" },
		{ "p5/es/", "es", "needs a value" },
		{ "p5/es=/", "es=", "needs a value" },
		{ "p5/es=0x16,cc=4/", "p5/es0x16,cc4/", "counts at no level" },
		{ "cpu/event=1/", "cpu", "spelled p5/.../" },
		{ "DATA_READ:ctr=2", "DATA_READ:ctr2", "only on 0 1" },
		{ "DATA_READ:ctr=99", "ctr=99", "from 0 to 0x11" },
		{ "MMX_INSTRUCTION_DATA_READS", "MMX_INSTRUCTION_DATA_READS", "no event" },
		{ "", "", "no event" },
		{ 0, 0, 0 },
	};
	struct cpu cpu = mock_cpu(PMU_CLASS_P5, 5, 2);

	(void)unused;
	assert_string_equal(mock_probe(&cpu)->name, "p5");
	expect_all(wants);
	refuse_all(refusals);
}

static void p55c(void **unused)
{
	static const struct want wants[] = {
		{ "cycles", "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE", 0x70, 1, 1, 0, 0 },
		{ "TAKEN_BRANCHES", "TAKEN_BRANCHES", 0x72, 2, 1, 0, 0 },
		{ 0, 0, 0, 0, 0, 0, 0 },
	};
	static const struct refused refusals[] = {
		{ "TAKEN_BRANCHES:ctr=0", "TAKEN_BRANCHES:ctr0", "only on 1" },
		{ 0, 0, 0 },
	};
	struct cpu cpu = mock_cpu(PMU_CLASS_P5MMX, 5, 4);

	(void)unused;
	assert_string_equal(mock_probe(&cpu)->name, "p5");
	assert_string_equal(pmu_hw.model, "p55c");
	expect_all(wants);
	refuse_all(refusals);
}

static void p6(void **unused)
{
	static const struct want wants[] = {
		{ "inst_retired", "INST_RETIRED", 0x200c0, 3, 1, 0, 0 },
		{ "INST_RETIRED:u", "INST_RETIRED:u", 0x100c0, 3, 1, 0, 0 },
		{ "instructions:u:k", "INST_RETIRED:u:k", 0x300c0, 3, 1, 0, 0 },
		{ "UOPS_RETIRED:c=3", "UOPS_RETIRED:c3", 0x30200c2, 3, 1, 0, 0 },
		{ "UOPS_RETIRED:c3:i:e", "UOPS_RETIRED:c3:i:e", 0x38600c2 | 1 << 17, 3, 1, 0, 0 },
		{ "UOPS_RETIRED:i:e:c=3", "UOPS_RETIRED:c3:i:e", 0x38600c2 | 1 << 17, 3, 1, 0, 0 },
		{ "L2_LD.M.E", "L2_LD.M.E", 0x20c29, 3, 1, 0, 0 },
		{ "l2_ld:M:u", "L2_LD.M:u", 0x10829, 3, 1, 0, 0 },
		{ "FLOPS", "FLOPS", 0x200c1, 1, 1, 0, 0 },
		{ "MUL", "MUL", 0x20012, 2, 1, 0, 0 },
		{ "INST_RETIRED:pc:int", "INST_RETIRED:pc:int", 0x1a00c0, 3, 1, 0, 0 },
		{ "cpu/event=0x79,cmask=2,inv,edge/uk", "cpu/event0x79,cmask2,inv,edge,usr,os/",
		  0x2870079, 3, 1, 0, 0 },
		{ "p6/event=0x2e,umask=0xf/", "cpu/event0x2e,umask0xf/", 0x20f2e, 3, 1, 0, 0 },
		{ 0, 0, 0, 0, 0, 0, 0 },
	};
	static const struct refused refusals[] = {
		{ "L2_LD", "L2_LD", "needs a unit mask: L2_LD.I L2_LD.S L2_LD.E L2_LD.M" },
		{ "L2_LD.Q", "Q", "it has L2_LD.I L2_LD.S L2_LD.E L2_LD.M" },
		{ "FLOPS:ctr=1", "FLOPS:ctr1", "only on 0" },
		{ "UOPS_RETIRED:i", "UOPS_RETIRED:i", "c=1 to 255" },
		{ "UOPS_RETIRED:any", "any", "it has c=N i e u k pc int ctr=N" },
		{ "UOPS_RETIRED:c=256", "c=256", "from 0 to 0xff" },
		{ "UOPS_RETIRED:c=0x", "c=0x", "from 0" },
		{ "UOPS_RETIRED:c=99999999999999999999", "c=99999999999999999999", "from 0" },
		{ "cpu/event=0x100/", "event=0x100", "from 0 to 0xff" },
		{ "MMX_INSTR_EXEC", "MMX_INSTR_EXEC", "no event" }, /* not on a Pentium Pro */
		{ "loads", "loads", "no event with this meaning" },
		{ 0, 0, 0 },
	};
	struct cpu cpu = mock_cpu(PMU_CLASS_P6, 6, 1);

	(void)unused;
	assert_string_equal(mock_probe(&cpu)->name, "p6");
	expect_all(wants);
	refuse_all(refusals);
}

/* Skylake: four general counters (bits 0-3), fixed 0-2 (bits 4-6). */
static const struct want skylake_wants[] = {
	/* the article's example, OS instead of USR */
	{ "UOPS_ISSUED.ANY", "UOPS_ISSUED.ANY", 0x42010e, 0xf, 1, 0, 0 },
	{ "UOPS_ISSUED.ANY:u", "UOPS_ISSUED.ANY:u", 0x41010e, 0xf, 1, 0, 0 },
	{ "uops_issued.stall_cycles", "UOPS_ISSUED.STALL_CYCLES", 0x1c2010e, 0xf, 1, 0, 0 },
	{ "UOPS_ISSUED.ANY:c=2:any", "UOPS_ISSUED.ANY:c2:any", 0x262010e, 0xf, 1, 0, 0 },
	{ "cpu/event=0x0e,umask=0x01,cmask=1,inv,edge/",
	  "cpu/event0xe,umask0x1,cmask1,inv,edge/", 0x1c6010e, 0xf, 1, 0, 0 },
	{ "instructions", "Instruction_Retired", 0x4200c0, 0xf, 2, 0, 0 },
	{ "INST_RETIRED.ANY_P", "INST_RETIRED.ANY_P", 0x4200c0, 0xf, 1, 0, 0 },
	{ "INST_RETIRED.ANY:u", "INST_RETIRED.ANY:u", 0x2, 0x10, 1, 0, 0 },
	{ "INST_RETIRED.ANY:uk", "INST_RETIRED.ANY:u:k", 0x3, 0x10, 1, 0, 0 },
	{ "INST_RETIRED.ANY:any", "INST_RETIRED.ANY:any", 0x5, 0x10, 1, 0, 0 },
	{ "instructions:c=1", "Instruction_Retired:c1", 0x14200c0, 0xf, 1, 0, 0 },
	{ "ref-cycles", "CPU_CLK_UNHALTED.REF_TSC", 0x1, 0x40, 1, 0, 0 },
	{ "UnHalted_Reference_Cycles", "UnHalted_Reference_Cycles",
	  0x42013c, 0xf, 1, 0, 0 },
	{ "OFFCORE_RESPONSE:offcore_rsp=0x10001", "OFFCORE_RESPONSE:offcore_rsp0x10001",
	  0x4201bb, 0xf, 2, 0x1a7, 0x10001 },
	{ "cpu/event=0xbb,umask=1,offcore_rsp=0x3f80408fff/",
	  "cpu/event0xbb,umask0x1,offcore_rsp0x3f80408fff/",
	  0x4201bb, 0xf, 1, 0x1a7, 0x3f80408fff },
	{ "cpu/event=0xb7,umask=1,offcore_rsp=1/",
	  "cpu/event0xb7,umask0x1,offcore_rsp0x1/", 0x4201b7, 0xf, 1, 0x1a6, 1 },
	{ "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4:ldlat=3",
	  "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4:ldlat0x3", 0x4201cd, 0xf, 1, 0x3f6, 3 },
	{ "FRONTEND_RETIRED.L1I_MISS:frontend=0x11",
	  "FRONTEND_RETIRED.L1I_MISS:frontend0x11", 0x4201c6, 0xf, 1, 0x3f7, 0x11 },
	{ "loads", "MEM_INST_RETIRED.ALL_LOADS", 0x4281d0, 0xf, 1, 0, 0 },
	{ "cpu/event=0xc0,int/", "cpu/event0xc0,int/", 0x5200c0, 0xf, 1, 0, 0 },
	{ 0, 0, 0, 0, 0, 0, 0 },
};

static void skylake(void **unused)
{
	static const struct refused refusals[] = {
		{ "OFFCORE_RESPONSE", "OFFCORE_RESPONSE", "needs offcore_rsp=" },
		{ "UOPS_ISSUED.ANY:offcore_rsp=1", "UOPS_ISSUED.ANY:offcore_rsp0x1",
		  "belongs to the offcore" },
		{ "UOPS_ISSUED.ANY:ldlat=3", "UOPS_ISSUED.ANY:ldlat0x3",
		  "belongs to the load latency" },
		{ "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4:ldlat=0x10000", "ldlat=0x10000",
		  "to 0xffff" },
		{ "INST_RETIRED.ANY:c=1", "INST_RETIRED.ANY:c1", "u, k, any and int only" },
		{ "cpu/event=0xc0,in_tx/", "cpu/event0xc0,in_tx/", "TSX" },
		{ "cpu/event=0xc0,eq/", "cpu/event0xc0,eq/", "version 6" },
		{ "cpu/event=0xc0,umask=0x100/", "cpu/event0xc0,umask0x100/", "version 6" },
		{ "TOPDOWN.SLOTS", "TOPDOWN", "no event or alias" },
		{ "Topdown_Slots", "Topdown_Slots", "absent" },
		{ "CYCLE_ACTIVITY.STALLS_TOTAL.STALLS_L1D_MISS", "STALLS_L1D_MISS",
		  "cannot be combined" },
		{ "x87-ops", "x87-ops", "no event with this meaning" },
		{ "OFFCORE_RESPONSE:offcore_rsp=0x10000000000000001",
		  "offcore_rsp=0x10000000000000001", "needs a value" },
		{ "OFFCORE_RESPONSE:offcore_rsp=18446744073709551617",
		  "offcore_rsp=18446744073709551617", "needs a value" },
		{ 0, 0, 0 },
	};
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);

	(void)unused;
	mock_clear();
	assert_string_equal(mock_probe(&cpu)->name, "arch");
	assert_string_equal(pmu_hw.model, "skylake");
	expect_all(skylake_wants);
	refuse_all(refusals);
}
/* clang-format on */

/* Without u or k the level of the benchmark decides. */
static void levels(void **unused)
{
	struct cpu cpu = mock_cpu(PMU_CLASS_P6, 6, 1);

	(void)unused;
	mock_probe(&cpu);
	assert_int_equal(pmu_request(&pmu_hw, "INST_RETIRED", 12, 3, key, config, &no), 1);
	assert_int_equal(config[0].select, 0x100c0);
	assert_string_equal(key, "INST_RETIRED");
	assert_int_equal(pmu_request(&pmu_hw, "INST_RETIRED:k", 14, 3, key, config, &no), 1);
	assert_int_equal(config[0].select, 0x200c0);
}

/* Without a place for the reason a request is read, or refused, as with it. */
static void reason_not_wanted(void **state)
{
	static const struct {
		const char *text;
		unsigned n;
	} requests[] = { { "instructions", 1 },
		         { "NO_SUCH_EVENT", 0 },
		         { "BR_INST_RETIRED.NO_MASK", 0 },
		         { "INST_RETIRED:z", 0 } };

	struct cpu cpu = mock_cpu(PMU_CLASS_P6, 6, 1);

	(void)state;
	mock_probe(&cpu);
	for (unsigned i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		assert_int_equal(!!pmu_request(&pmu_hw, requests[i].text, strlen(requests[i].text),
		                               0, key, config, NULL),
		                 requests[i].n);
}

/* A guest that is offered two counters, no fixed ones, and no branch events. */
static void virtual_machine(void **unused)
{
	static const struct refused refusals[] = {
		{ "Branch_Instruction_Retired", "Branch_Instruction_Retired", "absent" },
		{ "BR_INST_RETIRED.ALL_BRANCHES", "BR_INST_RETIRED.ALL_BRANCHES", "absent" },
		{ "branches", "Branch_Instruction_Retired", "absent" },
		{ "INST_RETIRED.ANY", "INST_RETIRED.ANY", "lacks the fixed counter" },
		{ "L1D_PEND_MISS.PENDING", "L1D_PEND_MISS.PENDING", "no counter" },
		{ "UOPS_ISSUED.ANY:any", "UOPS_ISSUED.ANY:any", "versions 3 and 4" },
		{ 0, 0, 0 },
	};
	struct cpu cpu = mock_arch(0x2a, 2, 2, 0);

	(void)unused;
	cpu.arch.missing_events = 1 << 5;
	mock_probe(&cpu);
	assert_string_equal(pmu_hw.model, "sandybridge");
	assert_int_equal(pmu_hw.ncounters, 2);
	refuse_all(refusals); /* L1D_PEND_MISS wants counter 2 */
	assert_int_equal(ask("instructions"), 1);
	assert_int_equal(config[0].counters, 3);
}

/* Version 6: counters with holes, events by leaf 23H, a second umask byte, eq. */
static void version_6(void **unused)
{
	struct cpu cpu = mock_arch(0xaf, 6, 8, 3);

	(void)unused;
	cpu.arch.leaf23 = cpu.arch.umask2 = cpu.arch.eq = true;
	cpu.arch.gp_bitmap23 = 0xff;
	cpu.arch.fixed_bitmap23 = 0x77;
	cpu.arch.events23 = 0xe7f;
	mock_probe(&cpu);
	assert_int_equal(pmu_hw.ncounters, 14);
	assert_string_equal(pmu_hw.counter[11].name, "IA32_FIXED_CTR4");
	assert_int_equal(ask("Topdown_Bad_Speculation"), 2);
	assert_int_equal(config[0].counters, 1 << 11);
	assert_int_equal(config[1].select, 0x420073);
	assert_int_equal(ask("Topdown_Backend_Bound"), 0);
	assert_int_equal(ask("cpu/event=0x2e,umask=0x1234,eq,cmask=2/"), 1);
	assert_int_equal(config[0].select, 0x242342e | 1ull << 36 | 0x12ull << 40);
}

/* Cores of a hybrid part have different events; a model that nobody knows has the architectural. */
static void models(void **unused)
{
	struct cpu cpu = mock_arch(0x97, 5, 8, 4);

	(void)unused;
	cpu.core_type = 0x40;
	mock_probe(&cpu);
	assert_string_equal(pmu_hw.model, "alderlake_goldencove");
	cpu.core_type = 0x20;
	mock_probe(&cpu);
	assert_string_equal(pmu_hw.model, "alderlake_gracemont");
	cpu.model = 0xfe;
	mock_probe(&cpu);
	assert_null(pmu_hw.model);
	assert_int_equal(ask("UOPS_ISSUED.ANY"), 0);
	assert_int_equal(ask("branches"), 1);
	assert_int_equal(ask("cpu/event=0x0e,umask=1/"), 1);
}

/*
 * Each alias either has an event on a family or is refused with the reason, and which are refused
 * is no accident: these families document no event with that meaning.
 */
static void aliases_without_event(void **unused)
{
	static const struct {
		enum cpu_pmu_class pmu_class;
		uint32_t family, model;
		const char *refused;
	} cpus[] = {
		{ PMU_CLASS_P5MMX, 5, 4,
		  " l2-misses llc-references slots far-transfers llc-misses uops ref-cycles"
		  " ref-cpu-cycles bus-cycles LLC-loads LLC-load-misses LLC-stores LLC-store-misses"
		  " dTLB-store-misses stalled-cycles-frontend stalled-cycles-backend " },
		{ PMU_CLASS_P6, 6, 8,
		  " l1d-load-misses dtlb-load-misses v-pipe locked-cycles dtlb-misses"
		  " llc-references slots stores far-transfers llc-misses loads agi-stalls"
		  " cached-stores io-cycles ref-cycles ref-cpu-cycles L1-dcache-stores"
		  " L1-dcache-store-misses LLC-loads LLC-load-misses LLC-stores dTLB-stores"
		  " dTLB-store-misses stalled-cycles-frontend stalled-cycles-backend " },
		{ PMU_CLASS_AMD, 0x19, 0x61,
		  " l1d-load-misses v-pipe locked-cycles llc-references slots"
		  " memory-refs misaligned segment-loads llc-misses agi-stalls cached-stores"
		  " io-cycles x87-ops bus-cycles LLC-loads LLC-load-misses LLC-stores"
		  " LLC-store-misses L1-dcache-store-misses L1-icache-loads dTLB-stores"
		  " dTLB-store-misses stalled-cycles-frontend stalled-cycles-backend " },
	};

	(void)unused;
	for (unsigned i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		struct cpu cpu = mock_cpu(cpus[i].pmu_class, cpus[i].family, cpus[i].model);

		cpu.amd.counters = 4;
		mock_probe(&cpu);
		for (const struct pmu_alias *a = pmu_aliases; a->name; a++) {
			const char *name = pmu_names + a->name;
			char word[64];
			unsigned n = ask(name);

			snprintf(word, sizeof(word), " %s ", name);
			if (!n == !strstr(cpus[i].refused, word))
				fail_msg("%s: %s: %u ways: %s", mock_probe(&cpu)->name, name, n,
				         no.why);
			if (!n && !strstr(no.why, "no event with this meaning"))
				fail_msg("%s: %s", name, no.why);
		}
	}
}

/* A misspelt name is answered with what this CPU has: events and aliases, the nearest first. */
static void misspelt(void **unused)
{
	static const struct refused p5_names[] = {
		{ "instrutions", "instrutions", "; nearest: instructions" },
		{ "cyclse", "cyclse", "; nearest: cycles" },
		{ "DATA_RAED", "DATA_RAED",
		  "; nearest: DATA_READ, DATA_READ_MISS, DATA_READ_MISS_OR_WRITE_MISS" },
		{ "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTION",
		  "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTION",
		  "; nearest: PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS" },
		{ "xyzzyxyzzy", "xyzzyxyzzy", "; events=all names what it has" },
		{ 0, 0, 0 },
	};
	static const struct refused skylake_names[] = {
		{ "INST_RETIRD.ANY", "INST_RETIRD", "; nearest: INST_RETIRED" },
		{ "INST_RETIRED.ANNY", "ANNY", "; nearest: ANY" },
		{ "INST_RETIRED.ANY:YN", "YN", "no modifier of this CPU's events" },
		{ "instrutions", "instrutions", "; nearest: instructions" },
		{ 0, 0, 0 },
	};
	struct cpu cpu = mock_cpu(PMU_CLASS_P5MMX, 5, 4);

	(void)unused;
	mock_probe(&cpu);
	refuse_all(p5_names);
	ask("xyzzyxyzzy");
	assert_null(strstr(no.why, "nearest"));
	cpu = mock_arch(0x5e, 4, 4, 3);
	mock_probe(&cpu);
	refuse_all(skylake_names);
	ask("instrutions");
	assert_string_equal(strchr(no.why, 0) - strlen("nearest: instructions"),
	                    "nearest: instructions");
}

static void nothing(void **unused)
{
	struct cpu cpu = mock_cpu(PMU_CLASS_NONE, 4, 1);
	static const struct refused refusals[] = {
		{ "instructions", "instructions", "no event with this meaning" },
		{ "FOO", "FOO", "no event" },
		{ "cpu/event=1/", "cpu", "raw events" },
		{ 0, 0, 0 },
	};

	(void)unused;
	assert_string_equal(mock_probe(&cpu)->name, "none");
	refuse_all(refusals);
}

/* Whatever the text, it ends in ways or in a refusal, inside its buffers. */
static void any_text(void **unused)
{
	static const char *const pieces[] = {
		"UOPS_ISSUED", ".",    "ANY",    ":",     "u",
		"k",           "c=",   "c",      "1",     "0x",
		"/",           "cpu",  "event=", ",",     "instructions",
		"=",           "-1",   "",       "ctr",   "L2_RQSTS",
		"MISS",        "\x80", " ",      "loads",
	};
	struct cpu cpu = mock_arch(0x5e, 4, 4, 3);
	char endless[1000] = "";
	uint32_t state = 7;

	(void)unused;
	mock_probe(&cpu);
	memset(endless, 'x', sizeof(endless) - 1);
	assert_int_equal(ask(endless), 0);
	assert_int_equal(strlen(no.culprit), PMU_KEY - 1);
	for (unsigned i = 0; i < 25000; i++) {
		char text[400] = "";

		for (unsigned n = state >> 8 & 15; n--;) {
			state = state * 1664525 + 1013904223;
			strcat(text, pieces[(state >> 16) % (sizeof(pieces) / sizeof(pieces[0]))]);
		}
		state = state * 1664525 + 1013904223;
		no.why[0] = 0;
		if (!ask(text))
			assert_true(no.why[0]);
		assert_true(strlen(no.culprit) < PMU_KEY && strlen(no.why) < PMU_WHY);
		assert_true(strlen(key) < PMU_KEY && !strpbrk(key, " \"#="));
		assert_true(pmu_request_length(text) <= strlen(text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p5),
		cmocka_unit_test(p55c),
		cmocka_unit_test(p6),
		cmocka_unit_test(skylake),
		cmocka_unit_test(virtual_machine),
		cmocka_unit_test(version_6),
		cmocka_unit_test(models),
		cmocka_unit_test(levels),
		cmocka_unit_test(reason_not_wanted),
		cmocka_unit_test(aliases_without_event),
		cmocka_unit_test(misspelt),
		cmocka_unit_test(nothing),
		cmocka_unit_test(any_text),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
