/*
 * Events of the superscalar core: short programs whose counts are known, from the code to the
 * counter. Each program is repeated behind a warm-up; the counts are those of the repetitions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/pmu/pmu.h"
#include "sim/timing/core_signals.h"
#include "sim/timing/per_clock.h"

enum {
	REPEATS = 100,
	WARM_UP = 20,
	EVTSEL = 0x186,
	COUNTER = 0xc1,
	GLOBAL_CTRL = 0x38f,
	ENABLED = 1 << 22 | 3 << 16,
	OPERANDS = 0x100000, /* where all memory operands are, plus displacement */
};

/* Events by the names of their makers: unit mask and event select. */
enum {
	/* sierraforest */
	SRF_LD_BLOCKS_DATA_UNKNOWN = 0x0103,
	SRF_LD_BLOCKS_ADDRESS_ALIAS = 0x0403,
	SRF_LD_HEAD_L1_MISS = 0x0105,
	SRF_LD_HEAD_WCB_FULL = 0x0205,
	SRF_LD_HEAD_ST_ADDR = 0x0405,
	SRF_LD_HEAD_DTLB_MISS = 0x1005,
	SRF_LD_HEAD_PGWALK = 0x2005,
	SRF_LD_HEAD_L1_MISS_AT_RET = 0x8105,
	SRF_LD_HEAD_WCB_FULL_AT_RET = 0x8205,
	SRF_LD_HEAD_DTLB_MISS_AT_RET = 0x9005,
	SRF_LD_HEAD_PGWALK_AT_RET = 0xa005,
	SRF_MEM_BOUND_STALLS_LOAD_LLC_HIT = 0x0634,
	SRF_MEM_BOUND_STALLS_LOAD_LLC_MISS = 0x7834,
	SRF_MEM_BOUND_STALLS_LOAD_L2_MISS = 0x7e34,
	SRF_MEM_BOUND_STALLS_LOAD_ALL = 0x7f34,
	SRF_MEM_BOUND_STALLS_IFETCH_L2_HIT = 0x0135,
	SRF_MEM_BOUND_STALLS_IFETCH_LLC_HIT = 0x0635,
	SRF_MEM_BOUND_STALLS_IFETCH_LLC_MISS = 0x7835,
	SRF_MEM_BOUND_STALLS_IFETCH_ALL = 0x7f35,
	SRF_TOPDOWN_FE_BOUND_ALL_P = 0x0071,
	SRF_TOPDOWN_FE_BOUND_CISC = 0x0171,
	SRF_TOPDOWN_FE_BOUND_DECODE = 0x0871,
	SRF_TOPDOWN_FE_BOUND_ITLB_MISS = 0x1071,
	SRF_TOPDOWN_FE_BOUND_ICACHE = 0x2071,
	SRF_TOPDOWN_FE_BOUND_BRANCH_RESTEER = 0x4071,
	SRF_TOPDOWN_FE_BOUND_FRONTEND_LATENCY = 0x7271,
	SRF_TOPDOWN_FE_BOUND_FRONTEND_BANDWIDTH = 0x8d71,
	SRF_TOPDOWN_RETIRING_ALL_P = 0x0072,
	SRF_TOPDOWN_BAD_SPECULATION = 0x0073,
	SRF_TOPDOWN_BE_BOUND_ALL_P = 0x0074,
	SRF_TOPDOWN_BE_BOUND_SERIALIZATION = 0x1074,
	SRF_TOPDOWN_BE_BOUND_REORDER_BUFFER = 0x4074,
	SRF_UOPS_RETIRED_ALL = 0x00c2,
	SRF_TOPDOWN_RETIRING = 0x02c2,
	SRF_FRONTEND_RETIRED_ALL = 0x00c6,
	SRF_FRONTEND_RETIRED_CISC = 0x01c6,
	SRF_FRONTEND_RETIRED_DECODE = 0x08c6,
	SRF_FRONTEND_RETIRED_ITLB_MISS = 0x10c6,
	SRF_FRONTEND_RETIRED_ICACHE = 0x20c6,
	SRF_FRONTEND_RETIRED_BRANCH_RESTEER = 0x40c6,
	SRF_MEM_UOPS_RETIRED_LOAD_LATENCY_GT_8 = 0x05d0,
	SRF_MS_DECODED_MS_BUSY = 0x04e7,
	/* skylake */
	SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS = 0x0107,
	SKL_DTLB_LOAD_MISSES_WALK_PENDING = 0x1008,
	SKL_DTLB_STORE_MISSES_WALK_PENDING = 0x1049,
	SKL_INST_DECODED_DECODERS = 0x0155,
	SKL_OFFCORE_REQUESTS_OUTSTANDING_DEMAND_CODE_RD = 0x0260,
	SKL_ICACHE_16B_IFDATA_STALL = 0x0480,
	SKL_ICACHE_64B_IFTAG_STALL = 0x0483,
	SKL_ITLB_MISSES_WALK_PENDING = 0x1085,
	SKL_IDQ_UOPS_NOT_DELIVERED_CORE = 0x019c,
	SKL_DSB2MITE_SWITCHES_COUNT = 0x01ab,
	SKL_DSB2MITE_SWITCHES_PENALTY_CYCLES = 0x02ab,
	SKL_FRONTEND_RETIRED = 0x01c6,
	SKL_MEM_TRANS_RETIRED_LOAD_LATENCY = 0x01cd,
	SKL_MEM_LOAD_RETIRED_FB_HIT = 0x40d1,
	/* goldencove */
	GLC_LD_BLOCKS_ADDRESS_ALIAS = 0x0403,
	GLC_DTLB_LOAD_MISSES_WALK_PENDING = 0x1012,
	GLC_LOCK_CYCLES_CACHE_LOCK_DURATION = 0x0242,
	GLC_DECODE_MS_BUSY = 0x0287,
	GLC_IDQ_UOPS_NOT_DELIVERED_CORE = 0x019c,
	GLC_TOPDOWN_BACKEND_BOUND_SLOTS = 0x02a4,
	GLC_TOPDOWN_BAD_SPEC_SLOTS = 0x04a4,
	GLC_RS_EMPTY_RESOURCE = 0x01a5,
	GLC_UOPS_RETIRED_HEAVY = 0x01c2,
	GLC_UOPS_RETIRED_SLOTS = 0x02c2,
	GLC_CPU_CLK_UNHALTED_PAUSE = 0x40ec,
	GLC_CPU_CLK_UNHALTED_C0_WAIT = 0x70ec,
	/* sandybridge */
	SNB_LD_BLOCKS_DATA_UNKNOWN = 0x0103,
	SNB_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS = 0x0107,
	SNB_DTLB_LOAD_MISSES_WALK_DURATION = 0x0408,
	SNB_PARTIAL_RAT_STALLS_SLOW_LEA_WINDOW = 0x4059,
	SNB_LOCK_CYCLES_SPLIT_LOCK_UC_LOCK_DURATION = 0x0163,
	SNB_LOCK_CYCLES_CACHE_LOCK_DURATION = 0x0263,
	SNB_IDQ_EMPTY = 0x0279,
	SNB_IDQ_MS_DSB_UOPS = 0x1079,
	SNB_IDQ_MS_MITE_UOPS = 0x2079,
	SNB_IDQ_MS_UOPS = 0x3079,
	/* nehalem */
	NHM_PARTIAL_ADDRESS_ALIAS = 0x0107,
	NHM_CACHE_LOCK_CYCLES_L1D_L2 = 0x0163,
	NHM_CACHE_LOCK_CYCLES_L1D = 0x0263,
	NHM_L1I_CYCLES_STALLED = 0x0480,
	NHM_MEM_LOAD_RETIRED_HIT_LFB = 0x40cb,
	NHM_UOPS_DECODED_ESP_FOLDING = 0x04d1,
	/* p3 */
	P3_LD_BLOCKS = 0x0003,
	P3_CYCLES_DIV_BUSY = 0x0014,
	P3_UOPS_RETIRED = 0x00c2,
	/* core2 */
	C2_LOAD_BLOCK_STD = 0x0403,
	C2_LOAD_BLOCK_OVERLAP_STORE = 0x0803,
	C2_LOAD_BLOCK_L1D = 0x2003,
	C2_CYCLES_L1I_MEM_STALLED = 0x0086,
	/* icelake */
	ICL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS = 0x0107,
	ICL_UOPS_DECODED_DEC0 = 0x0156,
	ICL_DSB2MITE_SWITCHES_PENALTY_CYCLES = 0x02ab,
	ICL_MEM_TRANS_RETIRED_LOAD_LATENCY_GT_4 = 0x01cd,
};

struct program {
	struct core_machine *m;
	struct core core;
	struct sim_pmu *pmu;
	const char *code;
	uint64_t rip;
	uint32_t miss;   /* clocks that each load takes beyond those of a hit */
	uint8_t level;   /* where it finds its data: enum sim_level */
	uint8_t second;  /* and where the second load of an instruction does, if not there */
	uint8_t walk;    /* clocks of them that are a page walk, and those that a store takes */
	uint8_t stlb;    /* and those that the second TLB takes before it */
	bool first;      /* the first load of a round alone */
	uint64_t stride; /* bytes from the operands of a round to those of the next one */
	uint32_t fetch, fetch_tlb, fetch_walk, fetch_l2,
		fetch_memory; /* core_dyn of a round's first instruction */
	bool wrong;           /* the branch at the end is predicted wrong */
	uint64_t clocks;      /* so far */
	uint64_t moved;
	uint64_t stall[CORE_STALLS];
};

/* The next instruction of hex digits; they end with a zero, instructions with a blank. */
static const char *take(const char *hex, uint8_t bytes[15], size_t *n)
{
	for (*n = 0; *hex && *hex != ' '; hex += 2)
		bytes[(*n)++] = (uint8_t)strtoul((char[]){ hex[0], hex[1], 0 }, NULL, 16);
	return *hex ? hex + 1 : hex;
}

static void accesses(const ZydisDecodedInstruction *zi, const ZydisDecodedOperand *ops,
                     struct core_dyn *dyn)
{
	for (unsigned write = 0; write < 2; write++)
		for (unsigned i = 0; i < zi->operand_count; i++)
			if (ops[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			    ops[i].mem.type == ZYDIS_MEMOP_TYPE_MEM &&
			    ops[i].actions & (write ? ZYDIS_OPERAND_ACTION_MASK_WRITE
			                            : ZYDIS_OPERAND_ACTION_MASK_READ))
				dyn->access[dyn->accesses++] = (struct core_access){
					.address = OPERANDS + (uint64_t)ops[i].mem.disp.value,
					.size = (uint8_t)(ops[i].size / 8),
					.write = write,
				};
}

static void retire(struct program *p, struct sim_step *step, const struct core_insn *insn,
                   const struct core_result *result)
{
	step->clocks = result->clocks;
	p->clocks += result->clocks;
	for (unsigned i = 0; i < CORE_STALLS; i++)
		p->stall[i] += result->stall[i];
	sim_step_add(step, SIG_CLOCKS, result->clocks);
	sim_step_add(step, SIG_INSTRUCTIONS, 1);
	sim_step_add(step, SIG_UOPS, 1);
	core_signals(result, step);
	core_fusion_signals(p->m, insn, step);
	if (p->core.per_clock) {
		core_per_clock_retired(&p->core, step);
		core_per_clock_take(&p->core, step);
	}
	if (!sim_pmu_idle(p->pmu))
		sim_pmu_retire(p->pmu, step);
}

static void run_code(struct program *p, const char *hex, bool jumps)
{
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	p->rip = 0x400000;
	for (bool first = jumps; *hex; first = false) {
		ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
		struct sim_step step = { .rip = p->rip };
		struct core_dyn dyn = { .rip = p->rip };
		ZydisDecodedInstruction zi;
		struct core_result result;
		struct core_insn insn;
		uint8_t bytes[15];
		size_t n;

		hex = take(hex, bytes, &n);
		assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, n, &zi, ops)));
		insn = core_decode(p->m, &zi, ops);
		accesses(&zi, ops, &dyn);
		for (unsigned i = 0; i < dyn.accesses; i++) {
			bool late = !dyn.access[i].write && (first || !p->first);

			dyn.access[i].address += p->moved;
			dyn.access[i].extra = dyn.access[i].write ? p->walk : late ? p->miss : 0;
			dyn.access[i].level = !late ? 0 : i && p->second ? p->second : p->level;
			dyn.access[i].walk = dyn.access[i].write || late ? p->walk : 0;
			dyn.access[i].stlb = late ? p->stlb : 0;
		}
		if (first) {
			dyn.fetch = p->fetch;
			dyn.fetch_tlb = p->fetch_tlb;
			dyn.fetch_walk = p->fetch_walk;
			dyn.fetch_l2 = p->fetch_l2;
			dyn.fetch_memory = p->fetch_memory;
		}
		dyn.taken = jumps && !*hex;
		dyn.mispredicted = dyn.taken && p->wrong;
		core_step(&p->core, &insn, &dyn, &result);
		retire(p, &step, &insn, &result);
		p->rip += n;
	}
}

static void run_once(struct program *p)
{
	run_code(p, p->code, true);
	p->moved += p->stride;
}

/* What the counter says of REPEATS rounds of the code. */
static uint64_t count(const char *model, const char *code, uint64_t event)
{
	static const struct sim_pmu_host host;
	struct program p = { .code = code };
	const char *why;
	uint64_t value;

	p.m = core_machine(model, &why);
	assert_non_null(p.m);
	assert_true(core_reset(&p.core, p.m, NULL));
	p.pmu = sim_pmu_new(sim_pmu_model(model), &host, NULL);
	assert_non_null(p.pmu);
	p.pmu->core = true;
	for (unsigned i = 0; i < WARM_UP; i++)
		run_once(&p);
	assert_int_equal(sim_pmu_wrmsr(p.pmu, EVTSEL, event | ENABLED), MSR_OK);
	assert_int_equal(sim_pmu_wrmsr(p.pmu, GLOBAL_CTRL, 1), MSR_OK);
	for (unsigned i = 0; i < REPEATS; i++)
		run_once(&p);
	assert_int_equal(sim_pmu_rdmsr(p.pmu, COUNTER, &value), MSR_OK);
	assert_true(sim_pmu_counter_derived(p.pmu, 0));
	sim_pmu_free(p.pmu);
	core_free(&p.core);
	core_machine_free(p.m);
	return value;
}

static void open_core(struct program *p, const char *model)
{
	static const struct sim_pmu_host host;
	const char *why;

	p->m = core_machine(model, &why);
	assert_non_null(p->m);
	assert_true(core_reset(&p->core, p->m, NULL));
	p->pmu = sim_pmu_new(sim_pmu_model(model), &host, NULL);
	assert_non_null(p->pmu);
	p->pmu->core = true;
	for (unsigned i = 0; i < WARM_UP; i++)
		run_once(p);
	run_code(p, "0faee8", false);
}

static void rounds(struct program *p)
{
	assert_true(core_per_clock(&p->core, sim_pmu_wants_clocks(p->pmu)));
	p->clocks = 0;
	memset(p->stall, 0, sizeof(p->stall));
	for (unsigned i = 0; i < REPEATS; i++)
		run_once(p);
	run_code(p, "0faee8", false);
}

static void close_core(struct program *p)
{
	sim_pmu_free(p->pmu);
	core_free(&p->core);
	core_machine_free(p->m);
}

/*
 * What the counter says between the ends of two LFENCE: REPEATS rounds of the code, and the second
 * LFENCE itself. *clocks: so long it was.
 */
static uint64_t fenced(struct program *p, const char *model, uint64_t event, uint64_t *clocks)
{
	uint64_t value;

	open_core(p, model);
	assert_int_equal(sim_pmu_wrmsr(p->pmu, EVTSEL, event | ENABLED), MSR_OK);
	sim_pmu_wrmsr(p->pmu, GLOBAL_CTRL, 1);
	rounds(p);
	assert_int_equal(sim_pmu_rdmsr(p->pmu, COUNTER, &value), MSR_OK);
	assert_true(sim_pmu_counter_derived(p->pmu, 0));
	*clocks = p->clocks;
	close_core(p);
	return value;
}

static uint64_t event(unsigned code, unsigned umask)
{
	return code | umask << 8;
}

static unsigned port(unsigned n)
{
	return 0xa1 | 0x100 << n;
}

#define IMUL        "480fafc0"
#define IMUL12      IMUL " " IMUL " " IMUL " " IMUL
#define IMUL36      IMUL12 " " IMUL12 " " IMUL12
#define ADD4        "4801c0 4801d2 4801c9 4801ed"
#define ADD12       ADD4 " " ADD4 " " ADD4
#define LOAD        "488b06"
#define STORE       "488906"
#define FOUR_LOADS  LOAD " " LOAD " " LOAD " " LOAD
#define FOUR_STORES STORE " " STORE " " STORE " " STORE
#define FOUR_ZERO   "31c0 31d2 31c9 31ed"

static void ports(void **state)
{
	uint64_t sum = 0;

	(void)state;
	for (unsigned n = 0; n < 8; n++)
		assert_int_equal(count("skylake", IMUL, port(n)), n == 1 ? REPEATS : 0);
	for (unsigned n = 0; n < 8; n++) {
		uint64_t at = count("skylake", ADD4, port(n));

		sum += at;
		assert_int_equal(at != 0, n == 0 || n == 1 || n == 5 || n == 6);
	}
	assert_int_equal(sum, 4 * REPEATS);
	assert_int_equal(count("skylake", LOAD, port(2)) + count("skylake", LOAD, port(3)),
	                 REPEATS);
	assert_int_equal(count("skylake", STORE, port(4)), REPEATS);
	assert_int_equal(count("skylake", STORE, port(2)) + count("skylake", STORE, port(3)) +
	                         count("skylake", STORE, port(7)),
	                 REPEATS);
}

/* The same port under the names of each model. */
static void port_names(void **state)
{
	(void)state;
	assert_int_equal(count("core2", LOAD, port(2)), REPEATS);
	assert_int_equal(count("nehalem", LOAD, event(0xb1, 0x04)), REPEATS);
	assert_int_equal(count("nehalem", ADD4, event(0xb1, 0x40)), 4 * REPEATS);
	assert_int_equal(count("sandybridge", STORE, event(0xa1, 0x40)), REPEATS);
	assert_int_equal(count("icelake", LOAD, event(0xa1, 0x04)), REPEATS);
	assert_int_equal(count("icelake", STORE, event(0xa1, 0x10)), REPEATS);
	assert_int_equal(count("goldencove", LOAD, event(0xb2, 0x04)), REPEATS);
	assert_int_equal(count("goldencove", STORE, event(0xb2, 0x80)), REPEATS);
}

static void uops(void **state)
{
	(void)state;
	/* issued, executed, retired */
	assert_int_equal(count("skylake", STORE, event(0x0e, 1)), REPEATS);
	assert_int_equal(count("skylake", STORE, event(0xb1, 1)), 2 * REPEATS);
	assert_int_equal(count("skylake", STORE, event(0xc2, 2)), REPEATS);
	/* done by renaming */
	assert_int_equal(count("skylake", FOUR_ZERO, event(0x0e, 1)), 4 * REPEATS);
	assert_int_equal(count("skylake", FOUR_ZERO, event(0xb1, 1)), 0);
	/* TEST and JNZ are one */
	assert_int_equal(count("skylake", "85c0 75fc", event(0x0e, 1)), REPEATS);
	assert_int_equal(count("skylake", "85c0 75fc", event(0xc2, 4)), REPEATS);
	assert_int_equal(count("goldencove", "85c0 75fc", event(0xc0, 0x10)), REPEATS);
	assert_int_equal(count("goldencove", "85c0 90 75fb", event(0xc0, 0x10)), 0);
	/* from the uop cache */
	assert_int_equal(count("skylake", ADD12, event(0x79, 8)), 12 * REPEATS);
	assert_int_equal(count("skylake", ADD12, event(0x79, 4)), 0);
	assert_int_equal(count("nehalem", ADD12, event(0x0e, 1)), 12 * REPEATS);
}

static void forwarding(void **state)
{
	(void)state;
	/* a byte is stored and eight are loaded; eight are stored and a byte is loaded */
	assert_int_equal(count("skylake", "8806 488b16", event(0x03, 2)), REPEATS);
	assert_int_equal(count("skylake", "488906 8a16", event(0x03, 2)), 0);
	assert_int_equal(count("goldencove", "8806 488b16", event(0x03, 0x82)), REPEATS);
}

#define CMASK(n) ((uint64_t)(n) << 24)
#define INV      (1u << 23)
#define EDGE     (1u << 18)

enum {
	ISSUED = 0x10e,
	EXECUTED = 0x1b1,
	RETIRED = 0x2c2,
	EMPTY = 0x15e,
	LOST = 0x19c,
	RECOVERING = 0x10d,
	DIVIDER = 0x114,
	BARRIER = 0x2a2,
	PENDING = 0x148,
	DIVISION = 3, /* of programs[] */
};

static const struct program programs[] = {
	{ .code = "4801c0" },
	{ .code = ADD12 },
	{ .code = IMUL },
	{ .code = "f7f1" },
	{ .code = LOAD },
	{ .code = STORE " " LOAD },
	{ .code = "488b36", .miss = 200, .level = LEVEL_MEMORY },
	{ .code = LOAD, .miss = 200, .level = LEVEL_MEMORY },
	{ .code = "85c0 75fc", .wrong = true },
};

/* A fresh program of the same code; it holds until the next call. */
static struct program *copy_of(const struct program *from)
{
	static struct program copy;

	copy = *from;
	return &copy;
}

/* Clocks with at least one and clocks with none are all clocks; all thresholds make the sum. */
static void thresholds(void **state)
{
	static const unsigned events[] = { ISSUED, EXECUTED, RETIRED, LOST };

	(void)state;
	for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		for (unsigned e = 0; e < sizeof(events) / sizeof(events[0]); e++) {
			uint64_t sum = 0, any = 0, clocks;

			for (unsigned n = 1; n < 16; n++) {
				struct program p = programs[i];
				uint64_t at = fenced(&p, "skylake", events[e] | CMASK(n), &clocks);

				any = n == 1 ? at : any;
				sum += at;
			}
			assert_int_equal(fenced(copy_of(&programs[i]), "skylake",
			                        events[e] | CMASK(1) | INV, &clocks),
			                 clocks - any);
			/* the LFENCE retires behind its own end, as most of a DIV does */
			if (events[e] == RETIRED)
				sum += i == DIVISION ? 7 : 1;
			assert_int_equal(
				fenced(copy_of(&programs[i]), "skylake", events[e], &clocks), sum);
		}
}

static uint64_t of(unsigned program, uint64_t event)
{
	struct program p = programs[program];
	uint64_t clocks;

	return fenced(&p, "skylake", event, &clocks);
}

/* The second LFENCE is a uop, too. */
static void clocks_with(void **state)
{
	(void)state;
	/* one addition a clock: a chain; then four a clock */
	assert_int_equal(of(0, EXECUTED | CMASK(1)), REPEATS + 1);
	assert_int_equal(of(0, EXECUTED | CMASK(2)), 0);
	assert_int_equal(of(0, EXECUTED | CMASK(1) | EDGE), 1);
	assert_int_equal(of(1, ISSUED | CMASK(4)), 3 * REPEATS);
	assert_int_equal(of(1, ISSUED | CMASK(1)), 3 * REPEATS + 1);
	assert_int_equal(of(1, RETIRED | CMASK(5)), 0);
	/* a multiplication every third clock, so each begins for itself */
	assert_int_equal(of(2, EXECUTED | CMASK(1) | EDGE), REPEATS + 1);
	assert_int_equal(of(2, event(0xa3, 4) | CMASK(4)), 2 * REPEATS + 1);
	assert_int_equal(of(2, event(0xa6, 2)), REPEATS);
	/* the divider of Skylake is occupied for six clocks */
	assert_int_equal(of(3, DIVIDER | CMASK(1)), 6 * REPEATS);
	assert_int_equal(of(2, DIVIDER | CMASK(1)), 0);
}

/* A chain of loads that take 200 clocks more than a hit of 4. */
static void misses(void **state)
{
	struct program chain = programs[6];
	uint64_t clocks;

	(void)state;
	/* a queue of 192 loads is far ahead of the clocks that are final */
	assert_int_equal(fenced(&chain, "goldencove", PENDING, &clocks), 204 * REPEATS);
	assert_int_equal(of(6, PENDING), 204 * REPEATS);
	assert_int_equal(of(6, PENDING | CMASK(1)), 204 * REPEATS);
	assert_int_equal(of(6, PENDING | CMASK(2)), 0);
	assert_int_equal(of(6, event(0xa3, 8) | CMASK(8)), 204 * REPEATS);
	assert_int_equal(of(6, event(0xa3, 2) | CMASK(2)), 204 * REPEATS);
	/* in one clock of each the load begins */
	assert_int_equal(of(6, event(0xa3, 12) | CMASK(12)), 203 * REPEATS);
	assert_int_equal(of(6, event(0xa3, 20) | CMASK(20)), 203 * REPEATS);
	/* loads that do not wait for each other: ten line-fill buffers, 205 clocks with the hit */
	assert_int_equal(of(7, PENDING), 205 * REPEATS);
	assert_true(of(7, PENDING | CMASK(10)));
	assert_int_equal(of(7, event(0x48, 2) | CMASK(1)), of(7, event(0x48, 2)));
	assert_int_equal(of(4, PENDING), 0);
}

/* A page walk of 30 clocks for each access, before a line that is there or not. */
static void page_walks(void **state)
{
	struct program chain = { .code = "488b36", .miss = 30, .walk = 30 };
	struct program loads = { .code = LOAD, .miss = 230, .walk = 30, .level = LEVEL_MEMORY };
	struct program stores = { .code = STORE " " IMUL36, .walk = 30 };
	uint64_t clocks, active;

	(void)state;
	assert_int_equal(
		fenced(copy_of(&chain), "skylake", SKL_DTLB_LOAD_MISSES_WALK_PENDING, &clocks),
		30 * REPEATS);
	active = fenced(copy_of(&chain), "skylake", SKL_DTLB_LOAD_MISSES_WALK_PENDING | CMASK(1),
	                &clocks);
	assert_int_equal(active, 30 * REPEATS);
	assert_int_equal(
		fenced(copy_of(&chain), "skylake", SKL_DTLB_STORE_MISSES_WALK_PENDING, &clocks), 0);
	assert_int_equal(
		fenced(copy_of(&loads), "goldencove", GLC_DTLB_LOAD_MISSES_WALK_PENDING, &clocks),
		30 * REPEATS);
	active = fenced(copy_of(&loads), "goldencove", GLC_DTLB_LOAD_MISSES_WALK_PENDING | CMASK(1),
	                &clocks);
	assert_in_range(active, 30, 30 * REPEATS - 1);
	/* a duration is of clocks, however many walks there are in one */
	active =
		fenced(copy_of(&loads), "sandybridge", SNB_DTLB_LOAD_MISSES_WALK_DURATION, &clocks);
	assert_in_range(active, 30, 30 * REPEATS - 1);
	assert_int_equal(
		fenced(copy_of(&stores), "skylake", SKL_DTLB_STORE_MISSES_WALK_PENDING, &clocks),
		30 * REPEATS);
	assert_int_equal(
		fenced(copy_of(&stores), "skylake", SKL_DTLB_LOAD_MISSES_WALK_PENDING, &clocks), 0);
}

/* Fetch waits 20 clocks for a translation, the last 12 a walk, and 30 for a line, 25 beyond L2. */
static void code_waits(void **state)
{
	struct program p = {
		.code = IMUL, .fetch = 50, .fetch_tlb = 20, .fetch_walk = 12, .fetch_l2 = 25
	};
	uint64_t clocks;

	(void)state;
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_ITLB_MISSES_WALK_PENDING, &clocks),
	                 12 * REPEATS);
	assert_int_equal(fenced(copy_of(&p), "skylake",
	                        SKL_ITLB_MISSES_WALK_PENDING | CMASK(1) | EDGE, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_ICACHE_64B_IFTAG_STALL, &clocks),
	                 20 * REPEATS);
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_ICACHE_16B_IFDATA_STALL, &clocks),
	                 30 * REPEATS);
	assert_int_equal(fenced(copy_of(&p), "skylake",
	                        SKL_OFFCORE_REQUESTS_OUTSTANDING_DEMAND_CODE_RD, &clocks),
	                 25 * REPEATS);
	assert_int_equal(fenced(copy_of(&p), "nehalem", NHM_L1I_CYCLES_STALLED, &clocks),
	                 50 * REPEATS);
	assert_int_equal(fenced(copy_of(&p), "core2", C2_CYCLES_L1I_MEM_STALLED, &clocks),
	                 50 * REPEATS);
	p.fetch = p.fetch_tlb = p.fetch_walk = p.fetch_l2 = 0;
	assert_int_equal(fenced(copy_of(&p), "nehalem", NHM_L1I_CYCLES_STALLED, &clocks), 0);
}

/* The second load of a line that the first one asked for; the third is of another line. */
static void lines_on_their_way(void **state)
{
	struct program p = { .code = "488b06 488b4e08 488b5640",
		             .miss = 200,
		             .first = true,
		             .stride = 128,
		             .level = LEVEL_MEMORY };
	uint64_t clocks;

	(void)state;
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_MEM_LOAD_RETIRED_FB_HIT, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(copy_of(&p), "nehalem", NHM_MEM_LOAD_RETIRED_HIT_LFB, &clocks),
	                 REPEATS);
	/* a page walk is no miss: the line is there */
	p.level = 0;
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_MEM_LOAD_RETIRED_FB_HIT, &clocks), 0);
	p.miss = 0;
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_MEM_LOAD_RETIRED_FB_HIT, &clocks), 0);
}

#define NOP4   "90 90 90 90"
#define NOP28  NOP4 " " NOP4 " " NOP4 " " NOP4 " " NOP4 " " NOP4 " " NOP4
#define NOP32  NOP28 " " NOP4
/* Nine uops in 32 bytes, which the uop cache takes, before 32 uops in 32, which it does not. */
#define CACHED ADD4 " " ADD4 " 0f1f840000000000 "
#define SWITCH CACHED NOP32

/* Each round jumps to the uop cache, and runs out of it into the decoders. */
static void switches(void **state)
{
	struct program p = { .code = SWITCH }, cpuid = { .code = ADD4 " 0fa2" };
	struct program decoded = { .code = CACHED NOP28 " 0fa2 90 90" };
	uint64_t clocks;

	(void)state;
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_DSB2MITE_SWITCHES_COUNT, &clocks),
	                 REPEATS);
	/* a clock for the switch, another until the decoders have the bytes */
	assert_int_equal(
		fenced(copy_of(&p), "skylake", SKL_DSB2MITE_SWITCHES_PENALTY_CYCLES, &clocks),
		2 * REPEATS);
	assert_int_equal(fenced(copy_of(&p), "icelake",
	                        ICL_DSB2MITE_SWITCHES_PENALTY_CYCLES | CMASK(1) | EDGE, &clocks),
	                 REPEATS);
	assert_int_equal(of(1, 0x1ab), 0);
	/* instructions that the decoders decode; the first of five in each clock */
	assert_int_equal(fenced(copy_of(&p), "skylake", SKL_INST_DECODED_DECODERS, &clocks),
	                 32 * REPEATS);
	assert_int_equal(fenced(copy_of(&p), "icelake", ICL_UOPS_DECODED_DEC0, &clocks),
	                 7 * REPEATS);
	/* CPUID is microcode, in the uop cache and not */
	assert_int_equal(fenced(copy_of(&cpuid), "sandybridge", SNB_IDQ_MS_DSB_UOPS, &clocks),
	                 fenced(copy_of(&cpuid), "sandybridge", SNB_IDQ_MS_UOPS, &clocks));
	assert_int_equal(fenced(copy_of(&cpuid), "sandybridge", SNB_IDQ_MS_MITE_UOPS, &clocks), 0);
	assert_true(fenced(copy_of(&decoded), "sandybridge", SNB_IDQ_MS_MITE_UOPS, &clocks) >=
	            REPEATS);
	assert_true(fenced(copy_of(&cpuid), "sandybridge", SNB_IDQ_MS_DSB_UOPS, &clocks) >=
	            REPEATS);
}

/* What is one uop of the fused domain, and what only the first decoder takes. */
static void fusion(void **state)
{
	struct program cold = { .code = "4839d1 4839fe 4839d1 4839fe" },
		       few = { .code = "4839d1 4839d1 4839d1 4839d1" };
	uint64_t clocks;

	(void)state;
	assert_int_equal(count("nehalem", STORE, event(0x0e, 2)), REPEATS);
	assert_int_equal(count("nehalem", "480306", event(0x0e, 2)), REPEATS);
	assert_int_equal(count("nehalem", "480106", event(0x0e, 2)), 2 * REPEATS);
	assert_int_equal(count("nehalem", ADD4, event(0x0e, 2)), 0);
	assert_int_equal(count("core2", STORE " 85c0 75fc", event(0xc2, 7)), 2 * REPEATS);
	assert_int_equal(count("nehalem", "480106", event(0x18, 1)), REPEATS);
	assert_int_equal(count("nehalem", "480106", event(0x19, 1)), REPEATS);
	assert_int_equal(count("nehalem", ADD4, event(0x18, 1)), 0);
	assert_int_equal(count("nehalem", STORE, event(0x19, 1)), 0);
	/* two ports to read registers: four CMP of four registers need two clocks */
	assert_int_equal(fenced(copy_of(&cold), "core2", event(0xd2, 1), &clocks), REPEATS);
	assert_int_equal(fenced(copy_of(&few), "core2", event(0xd2, 1), &clocks), 0);
}

/* Which slots the back end loses to a fence, and which to a full reorder buffer. */
static void slots_by_cause(void **state)
{
	struct program fence = { .code = IMUL " 0faee8" };
	struct program full = { .code = "488b36 " ADD12, .miss = 200, .level = LEVEL_MEMORY };
	uint64_t clocks, value, retiring;

	(void)state;
	value = fenced(copy_of(&fence), "sierraforest", SRF_TOPDOWN_BE_BOUND_SERIALIZATION,
	               &clocks);
	retiring = fenced(copy_of(&fence), "sierraforest", SRF_TOPDOWN_RETIRING, &clocks);
	assert_int_equal(value + retiring, 5 * clocks);
	assert_int_equal(fenced(copy_of(&fence), "sierraforest",
	                        SRF_TOPDOWN_BE_BOUND_REORDER_BUFFER, &clocks),
	                 0);
	value = fenced(&full, "sierraforest", SRF_TOPDOWN_BE_BOUND_REORDER_BUFFER, &clocks);
	assert_true(full.stall[CORE_STALL_ROB] > 50 * REPEATS);
	assert_in_range(value, 4 * full.stall[CORE_STALL_ROB], 5 * full.stall[CORE_STALL_ROB]);
}

/* A chain of loads: each is the oldest as soon as it begins, and nothing retires before it. */
static void oldest_load(void **state)
{
	struct program chain = { .code = "488b36", .miss = 200, .walk = 30, .level = LEVEL_MEMORY };
	struct program hit = { .code = "488b36" };
	uint64_t clocks;

	(void)state;
	assert_int_equal(
		fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_PGWALK_AT_RET, &clocks),
		30 * REPEATS);
	assert_int_equal(fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_PGWALK, &clocks),
	                 30 * REPEATS);
	/* the 170 clocks behind the walk, and the three of a hit */
	assert_int_equal(
		fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_L1_MISS_AT_RET, &clocks),
		173 * REPEATS);
	assert_int_equal(fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_L1_MISS, &clocks),
	                 173 * REPEATS);
	assert_int_equal(fenced(copy_of(&hit), "sierraforest", SRF_LD_HEAD_L1_MISS, &clocks), 0);
	assert_int_equal(fenced(copy_of(&hit), "sierraforest", SRF_LD_HEAD_PGWALK, &clocks), 0);
	/* retirement waits for a line that this level has, and no other one */
	for (unsigned level = LEVEL_L2; level <= LEVEL_MEMORY; level++) {
		static const unsigned umasks[] = { 0x01, 0x06, 0x78, 0x7e, 0x7f };

		chain.level = (uint8_t)level;
		for (unsigned i = 0; i < 5; i++) {
			bool counts = i == level - 1 || i == 4 || (i == 3 && level > LEVEL_L2);

			assert_int_equal(fenced(copy_of(&chain), "sierraforest",
			                        event(0x34, umasks[i]), &clocks),
			                 counts ? 173 * REPEATS : 0);
		}
	}
	/* the second TLB is asked first */
	chain.stlb = 8;
	assert_int_equal(fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_DTLB_MISS, &clocks),
	                 8 * REPEATS);
	assert_int_equal(
		fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_DTLB_MISS_AT_RET, &clocks),
		8 * REPEATS);
	assert_int_equal(fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_PGWALK, &clocks),
	                 30 * REPEATS);
	assert_int_equal(
		fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_L1_MISS_AT_RET, &clocks),
		165 * REPEATS);
	assert_int_equal(fenced(copy_of(&chain), "sierraforest", SRF_LD_HEAD_WCB_FULL, &clocks), 0);
}

/* CMPSQ waits for two lines, and a clock is that of the farther one. */
static void two_loads(void **state)
{
	struct program both = {
		.code = "48a7", .miss = 200, .level = LEVEL_L2, .second = LEVEL_LLC
	};
	uint64_t clocks, all, far;

	(void)state;
	all = fenced(copy_of(&both), "sierraforest", SRF_MEM_BOUND_STALLS_LOAD_ALL, &clocks);
	assert_in_range(all, 1, clocks);
	assert_int_equal(
		fenced(copy_of(&both), "sierraforest", SRF_LD_HEAD_L1_MISS_AT_RET, &clocks), all);
	both.second = LEVEL_MEMORY;
	both.level = LEVEL_LLC;
	far = fenced(copy_of(&both), "sierraforest", SRF_MEM_BOUND_STALLS_LOAD_LLC_MISS, &clocks);
	assert_in_range(far, 1, all);
	assert_int_equal(
		fenced(copy_of(&both), "sierraforest", SRF_MEM_BOUND_STALLS_LOAD_L2_MISS, &clocks),
		all);
	assert_int_equal(
		fenced(copy_of(&both), "sierraforest", SRF_MEM_BOUND_STALLS_LOAD_LLC_HIT, &clocks),
		all - far);
}

/* Stores have all line-fill buffers for 200 clocks when the only load of a round begins. */
static void no_buffer(void **state)
{
	struct program p = { .code = FOUR_STORES " " FOUR_STORES " " FOUR_STORES " " FOUR_STORES
		                                 " " LOAD " 0fa2",
		             .walk = 200 };
	uint64_t clocks, value;

	(void)state;
	p.miss = 1;
	value = fenced(copy_of(&p), "sierraforest", SRF_LD_HEAD_WCB_FULL, &clocks);
	assert_in_range(value, 190 * REPEATS, 200 * REPEATS);
	/* the last stores before it retire in the first of these clocks */
	assert_in_range(fenced(copy_of(&p), "sierraforest", SRF_LD_HEAD_WCB_FULL_AT_RET, &clocks),
	                value - 10 * REPEATS, value);
	p.code = FOUR_STORES " " LOAD " 0fa2";
	assert_int_equal(fenced(copy_of(&p), "sierraforest", SRF_LD_HEAD_WCB_FULL, &clocks), 0);
}

/* 32 bytes that are five instructions, and 40 times these. */
#define WIDE   "48b81122334455667788 48b91122334455667788 f30f1efa f30f1efa f30f1efa"
#define WIDE4  WIDE " " WIDE " " WIDE " " WIDE
#define WIDE20 WIDE4 " " WIDE4 " " WIDE4 " " WIDE4 " " WIDE4
#define WIDE40 WIDE20 " " WIDE20

/* On Sierra Forest, where five slots a clock and a uop a round make the sums below. */
static uint64_t late(const struct program *p, uint64_t event)
{
	uint64_t clocks;

	return fenced(copy_of(p), "sierraforest", event, &clocks);
}

/*
 * The first instruction of a round waits one clock for the jump before it, 20 for a translation and
 * 30 for lines: 5 of them L2 has, 15 the last level, 10 none.
 */
static const struct program late_code = {
	.code = IMUL, .fetch = 50, .fetch_tlb = 20, .fetch_l2 = 25, .fetch_memory = 10
};

/* Clocks of a fetch belong to the level that has the line. */
static void clocks_of_fetch(void **state)
{
	(void)state;
	assert_int_equal(late(&late_code, SRF_MEM_BOUND_STALLS_IFETCH_L2_HIT), 5 * REPEATS);
	assert_int_equal(late(&late_code, SRF_MEM_BOUND_STALLS_IFETCH_LLC_HIT), 15 * REPEATS);
	assert_int_equal(late(&late_code, SRF_MEM_BOUND_STALLS_IFETCH_LLC_MISS), 10 * REPEATS);
	/* the first translation is looked up while the fence before it executes */
	assert_in_range(late(&late_code, SRF_MEM_BOUND_STALLS_IFETCH_ALL), 50 * REPEATS - 10,
	                50 * REPEATS);
}

/* Slots that wait for code have one cause each, and latency and bandwidth are all of them. */
static void slots_of_fetch(void **state)
{
	uint64_t lost = late(&late_code, SRF_TOPDOWN_FE_BOUND_ALL_P), sum;

	(void)state;
	assert_in_range(late(&late_code, SRF_TOPDOWN_FE_BOUND_ITLB_MISS), 100 * REPEATS - 50,
	                100 * REPEATS);
	assert_int_equal(late(&late_code, SRF_TOPDOWN_FE_BOUND_ICACHE), 150 * REPEATS);
	assert_int_equal(late(&late_code, SRF_TOPDOWN_FE_BOUND_BRANCH_RESTEER), 9 * REPEATS);
	sum = late(&late_code, SRF_TOPDOWN_FE_BOUND_FRONTEND_LATENCY) +
	      late(&late_code, SRF_TOPDOWN_FE_BOUND_FRONTEND_BANDWIDTH);
	assert_int_equal(sum, lost);
}

/* An instruction that was late is counted by its cause. */
static void late_instructions(void **state)
{
	const struct program free = { .code = ADD12 };

	(void)state;
	assert_int_equal(count("sierraforest", IMUL, SRF_FRONTEND_RETIRED_ITLB_MISS), 0);
	assert_int_equal(late(&late_code, SRF_FRONTEND_RETIRED_ITLB_MISS), REPEATS);
	assert_int_equal(late(&late_code, SRF_FRONTEND_RETIRED_ICACHE), REPEATS);
	assert_int_equal(late(&free, SRF_FRONTEND_RETIRED_ICACHE), 0);
}

/* RDPMC is microcode. While the fence before them executes, some are decoded. */
static void late_by_microcode(void **state)
{
	const struct program p = { .code = "0f33" };

	(void)state;
	assert_true(late(&p, SRF_TOPDOWN_FE_BOUND_CISC) >= REPEATS);
	assert_int_equal(late(&p, SRF_TOPDOWN_FE_BOUND_DECODE), 0);
	assert_in_range(late(&p, SRF_FRONTEND_RETIRED_CISC), REPEATS - 20, REPEATS);
}

/* A NOP with ten prefixes is decoded slowly, and is no microcode. */
static void late_by_decoding(void **state)
{
	const struct program p = { .code = "6666666666666666666690" };

	(void)state;
	assert_int_equal(late(&p, SRF_TOPDOWN_FE_BOUND_CISC), 0);
	assert_true(late(&p, SRF_TOPDOWN_FE_BOUND_DECODE) >= REPEATS);
	assert_in_range(late(&p, SRF_FRONTEND_RETIRED_DECODE), REPEATS - 20, REPEATS);
	assert_int_equal(late(&p, SRF_FRONTEND_RETIRED_CISC), 0);
}

/* The decoders give 32 bytes a clock, which fill its five slots. */
static void full_decoders_are_not_late(void **state)
{
	const struct program p = { .code = WIDE40 };

	(void)state;
	assert_int_equal(late(&p, SRF_TOPDOWN_FE_BOUND_DECODE), 0);
	assert_int_equal(late(&p, SRF_FRONTEND_RETIRED_DECODE), 0);
	assert_true(late(&p, SRF_FRONTEND_RETIRED_ALL) <= REPEATS);
}

/* What a wrong branch costs is not lost for code, but a clock behind the fences may be. */
static void wrong_branch_is_not_late(void **state)
{
	const struct program p = { .code = "85c0 75fc", .wrong = true };

	(void)state;
	assert_in_range(late(&p, SRF_TOPDOWN_FE_BOUND_ALL_P), 0, 10);
	assert_in_range(late(&p, SRF_FRONTEND_RETIRED_ALL), 0, 2);
	assert_int_equal(late(&p, SRF_TOPDOWN_FE_BOUND_BRANCH_RESTEER), 0);
	assert_int_equal(late(&p, SRF_FRONTEND_RETIRED_BRANCH_RESTEER), 0);
}

/* A locked instruction has its line until the next one, so all clocks are of one of them. */
static void locks(void **state)
{
	struct program lock = { .code = "f0480106" }, split = { .code = "f04801463c" };
	static const struct {
		const char *model;
		unsigned line, bus;
	} names[] = { { "nehalem", NHM_CACHE_LOCK_CYCLES_L1D, NHM_CACHE_LOCK_CYCLES_L1D_L2 },
		      { "sandybridge", SNB_LOCK_CYCLES_CACHE_LOCK_DURATION,
		        SNB_LOCK_CYCLES_SPLIT_LOCK_UC_LOCK_DURATION },
		      { "goldencove", GLC_LOCK_CYCLES_CACHE_LOCK_DURATION, 0 } };
	uint64_t clocks, value;

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		value = fenced(copy_of(&lock), names[i].model, names[i].line, &clocks);
		assert_in_range(value, clocks - 30, clocks);
		assert_int_equal(fenced(copy_of(&split), names[i].model, names[i].line, &clocks),
		                 0);
		if (!names[i].bus)
			continue;
		value = fenced(copy_of(&split), names[i].model, names[i].bus, &clocks);
		assert_in_range(value, clocks - 40, clocks);
		assert_int_equal(fenced(copy_of(&lock), names[i].model, names[i].bus, &clocks), 0);
	}
}

/* PAUSE takes 140 clocks, in the first of which its uop begins. */
static void pauses(void **state)
{
	struct program p = { .code = "f390 4801c0" }, none = { .code = "90 4801c0" };
	uint64_t clocks, value;

	(void)state;
	/* the fence at the end waits for no PAUSE: of the last one it sees a clock */
	value = fenced(copy_of(&p), "goldencove", GLC_CPU_CLK_UNHALTED_PAUSE, &clocks);
	assert_int_equal(value, 139 * (REPEATS - 1) + 1);
	assert_int_equal(fenced(copy_of(&p), "goldencove", GLC_CPU_CLK_UNHALTED_C0_WAIT, &clocks),
	                 value);
	assert_int_equal(fenced(copy_of(&p), "goldencove",
	                        GLC_CPU_CLK_UNHALTED_PAUSE | CMASK(1) | EDGE, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(&none, "goldencove", GLC_CPU_CLK_UNHALTED_PAUSE, &clocks), 0);
}

/*
 * IN is 20 uops of microcode, and nothing else is renamed before it retires: 6 in a clock on one
 * model, 5 on the other.
 */
static void microcode(void **state)
{
	struct program in = { .code = ADD4 " ec" };
	uint64_t clocks;

	(void)state;
	assert_int_equal(fenced(copy_of(&in), "goldencove", GLC_DECODE_MS_BUSY, &clocks),
	                 4 * REPEATS);
	assert_int_equal(
		fenced(copy_of(&in), "goldencove", GLC_DECODE_MS_BUSY | CMASK(1) | EDGE, &clocks),
		REPEATS);
	assert_int_equal(fenced(copy_of(&in), "sierraforest", SRF_MS_DECODED_MS_BUSY, &clocks),
	                 4 * REPEATS);
	in.code = ADD12;
	assert_int_equal(fenced(copy_of(&in), "goldencove", GLC_DECODE_MS_BUSY, &clocks), 0);
}

/*
 * Rename has no code for the 50 clocks that fetch waits; behind the fence they begin earlier. The
 * clock of the uop before them is none, and a full reorder buffer is no lack of code.
 */
static void empty_queue(void **state)
{
	struct program late = { .code = IMUL, .fetch = 50, .fetch_tlb = 20 };
	struct program full = { .code = "488b36 " ADD12, .miss = 200, .level = LEVEL_MEMORY };
	uint64_t clocks, empty;

	(void)state;
	empty = fenced(copy_of(&late), "sandybridge", SNB_IDQ_EMPTY, &clocks);
	assert_in_range(empty, 50 * (REPEATS - 1) + 1, 50 * REPEATS);
	assert_int_equal(fenced(&late, "sandybridge", SNB_IDQ_EMPTY | CMASK(1) | EDGE, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(&full, "sandybridge", SNB_IDQ_EMPTY, &clocks), 0);
	assert_true(full.stall[CORE_STALL_ROB] > 50 * REPEATS);
}

#define NOP128 NOP32 " " NOP32 " " NOP32 " " NOP32
#define NOP512 NOP128 " " NOP128 " " NOP128 " " NOP128

/*
 * A load that memory has, and as many NOPs behind it as the reorder buffer holds. Of the 406 clocks
 * of a round six uops are renamed in 85, and nothing waits in the scheduler in the others. What
 * waits for a load itself is there.
 */
static void empty_for_resource(void **state)
{
	struct program p = {
		.code = LOAD " " NOP512, .miss = 400, .level = LEVEL_MEMORY, .stride = 64
	};
	struct program chain = { .code = "488b36 " ADD12, .miss = 400, .level = LEVEL_MEMORY };
	struct program late = { .code = IMUL, .fetch = 50 };
	uint64_t clocks, value;

	(void)state;
	value = fenced(&p, "goldencove", GLC_RS_EMPTY_RESOURCE, &clocks);
	assert_in_range(clocks, 406 * REPEATS, 406 * REPEATS + 10);
	assert_int_equal(value, (406 - 85) * REPEATS);
	assert_int_equal(fenced(&chain, "goldencove", GLC_RS_EMPTY_RESOURCE, &clocks), 0);
	assert_true(chain.stall[CORE_STALL_ROB] > 50 * REPEATS);
	assert_int_equal(fenced(&late, "goldencove", GLC_RS_EMPTY_RESOURCE, &clocks), 0);
}

static void wrong_branches(void **state)
{
	(void)state;
	assert_int_equal(of(8, RECOVERING), 16 * REPEATS);
	assert_int_equal(of(8, RECOVERING | CMASK(1) | EDGE), REPEATS);
	assert_int_equal(of(0, RECOVERING), 0);
	/* nothing waits while the code is not there */
	assert_int_equal(of(8, EMPTY | CMASK(1) | INV | EDGE), REPEATS + 1);
	assert_int_equal(of(1, EMPTY), 1);
}

/*
 * Behind a fence and behind CPUID rename waits: in every clock here, because nothing else is
 * renamed. Clock by clock that is what the instructions have together.
 */
static void barriers(void **state)
{
	struct program fence = { .code = IMUL " 0faee8" }, serial = { .code = "0fa2" };
	uint64_t clocks, sum, any;

	(void)state;
	any = fenced(copy_of(&fence), "icelake", BARRIER | CMASK(1), &clocks);
	assert_int_equal(any, clocks);
	assert_int_equal(fenced(copy_of(&fence), "icelake", BARRIER | CMASK(1) | EDGE, &clocks), 1);
	/*
	 * An instruction brings the stall that was before it: the sum has that behind the fence
	 * before the rounds, not that behind the last one. None is longer than 11 clocks.
	 */
	sum = fenced(copy_of(&fence), "icelake", BARRIER, &clocks);
	assert_in_range(sum, any - 11, any + 11);
	any = fenced(copy_of(&serial), "icelake", BARRIER | CMASK(1), &clocks);
	assert_int_equal(any, clocks);
	sum = fenced(copy_of(&serial), "icelake", BARRIER, &clocks);
	assert_int_equal(sum, any);
}

/* Every slot is one of four things. */
static void slots(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		uint64_t sum = 0, clocks;

		sum += fenced(copy_of(&programs[i]), "goldencove", GLC_UOPS_RETIRED_SLOTS, &clocks);
		sum += fenced(copy_of(&programs[i]), "goldencove", GLC_TOPDOWN_BACKEND_BOUND_SLOTS,
		              &clocks);
		sum += fenced(copy_of(&programs[i]), "goldencove", GLC_TOPDOWN_BAD_SPEC_SLOTS,
		              &clocks);
		sum += fenced(copy_of(&programs[i]), "goldencove", GLC_IDQ_UOPS_NOT_DELIVERED_CORE,
		              &clocks);
		assert_int_equal(sum, 6 * clocks);
	}
}

/* PERF_METRICS after the slots have been started. */
static uint64_t metrics_of(struct program *p, const char *model, uint64_t *slots)
{
	uint64_t value;

	open_core(p, model);
	sim_pmu_wrmsr(p->pmu, 0x38d, 0x3000);
	sim_pmu_wrmsr(p->pmu, 0x30c, 0);
	assert_int_equal(sim_pmu_wrmsr(p->pmu, GLOBAL_CTRL, 1ull << 48 | 1ull << 35), MSR_OK);
	rounds(p);
	assert_int_equal(sim_pmu_rdmsr(p->pmu, 0x329, &value), MSR_OK);
	assert_int_equal(sim_pmu_rdmsr(p->pmu, 0x30c, slots), MSR_OK);
	close_core(p);
	return value;
}

static unsigned byte(uint64_t value, unsigned n)
{
	return value >> (8 * n) & 255;
}

/* The shares of the four make 255. */
static void metrics(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct program p = programs[i];
		uint64_t slots, value = metrics_of(&p, "goldencove", &slots), sum = 0;

		assert_int_equal(slots, 6 * p.clocks);
		for (unsigned n = 0; n < 4; n++)
			sum += byte(value, n);
		assert_in_range(sum, 251, 255); /* each is rounded down */
		if (programs[i].wrong)
			assert_true(byte(value, 1) > 200);
	}
}

/*
 * Bytes 4 to 7 are parts of bytes 0 to 3: heavy operations, mispredicted branches, latency of code,
 * memory. Of the two uops that add to memory one is the last of its instruction.
 */
static void second_level(void **state)
{
	struct program add = { .code = "480106" }, none = { .code = ADD12 };
	uint64_t slots, value;

	(void)state;
	for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		value = metrics_of(copy_of(&programs[i]), "goldencove", &slots);
		for (unsigned n = 0; n < 4; n++)
			assert_true(byte(value, n + 4) <= byte(value, n));
		assert_int_equal(byte(value, 5), byte(value, 1));
		if (programs[i].miss)
			assert_in_range(byte(value, 7), 150, 255);
	}
	value = metrics_of(copy_of(&add), "goldencove", &slots);
	assert_true(byte(value, 4));
	assert_in_range(byte(value, 4), byte(value, 0) / 2 - 1, byte(value, 0) / 2);
	assert_int_equal(fenced(copy_of(&add), "goldencove", GLC_UOPS_RETIRED_HEAVY, &slots),
	                 REPEATS);
	assert_int_equal(metrics_of(&none, "goldencove", &slots) >> 32 & 255, 0);
	/* icelake has the first level alone */
	value = metrics_of(copy_of(&add), "icelake", &slots);
	assert_true(byte(value, 0));
	assert_int_equal(value >> 32, 0);
}

/*
 * An overflow that freezes ends all counters of clocks in its clock, whatever became final with it:
 * a counter of the same condition has counted as many, and the one that overflowed reads 0.
 */
static void freezing(void **state)
{
	static const unsigned events[] = { PENDING | CMASK(1), EXECUTED | CMASK(1), PENDING };

	(void)state;
	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct program p = programs[i == 1 ? 1 : 6];
		uint64_t first, second;

		open_core(&p, "skylake");
		sim_pmu_wrmsr(p.pmu, 0x1d9, 1 << 12);
		sim_pmu_wrmsr(p.pmu, EVTSEL, events[i] | ENABLED | 1 << 20);
		sim_pmu_wrmsr(p.pmu, EVTSEL + 1, (events[i] & 0xffff) | CMASK(1) | ENABLED);
		sim_pmu_wrmsr(p.pmu, COUNTER, (uint64_t)-50);
		sim_pmu_wrmsr(p.pmu, GLOBAL_CTRL, 3);
		rounds(&p);
		sim_pmu_rdmsr(p.pmu, COUNTER, &first);
		sim_pmu_rdmsr(p.pmu, COUNTER + 1, &second);
		sim_pmu_rdmsr(p.pmu, 0x38e, &p.clocks);
		assert_int_equal(first, 0);
		assert_int_equal(second, 50);
		assert_int_equal(p.clocks & 1, 1);
		close_core(&p);
	}
}

/* Retirement of sierraforest counts slots, under each of its names and in the fixed counter. */
static void retirement(void **state)
{
	struct program p = { .code = "f7f1 4887c8 " ADD12 };
	uint64_t clocks, value, fixed, sum;

	(void)state;
	value = fenced(copy_of(&p), "sierraforest", SRF_TOPDOWN_RETIRING, &clocks);
	assert_int_equal(fenced(copy_of(&p), "sierraforest", SRF_UOPS_RETIRED_ALL, &clocks), value);
	assert_int_equal(fenced(copy_of(&p), "sierraforest", SRF_TOPDOWN_RETIRING_ALL_P, &clocks),
	                 value);
	sum = value + fenced(copy_of(&p), "sierraforest", SRF_TOPDOWN_FE_BOUND_ALL_P, &clocks);
	sum += fenced(copy_of(&p), "sierraforest", SRF_TOPDOWN_BAD_SPECULATION, &clocks);
	sum += fenced(copy_of(&p), "sierraforest", SRF_TOPDOWN_BE_BOUND_ALL_P, &clocks);
	assert_int_equal(sum, 5 * clocks); /* rename_width of its rows */
	open_core(&p, "sierraforest");
	assert_int_equal(sim_pmu_wrmsr(p.pmu, 0x38d, 0x3000000), MSR_OK);
	assert_int_equal(sim_pmu_wrmsr(p.pmu, GLOBAL_CTRL, 1ull << 38), MSR_OK);
	rounds(&p);
	assert_int_equal(sim_pmu_rdmsr(p.pmu, 0x309 + 6, &fixed), MSR_OK);
	assert_int_equal(fixed, value);
	close_core(&p);
}

/* Why Zen dispatches nothing: the clocks of that cause, and of no other. */
static void zen_stalls(void **state)
{
	static const struct {
		const char *model, *code;
		uint64_t event;
		enum core_stall cause;
	} rows[] = {
		{ "zen2", FOUR_LOADS, 0x2ae, CORE_STALL_LOADS },
		{ "zen4", FOUR_LOADS, 0x2ae, CORE_STALL_LOADS },
		{ "zen2", FOUR_STORES, 0x4ae, CORE_STALL_STORES },
		{ "zen4", FOUR_STORES, 0x4ae, CORE_STALL_STORES },
		{ "zen4", "488b36 " ADD12, 0x20af, CORE_STALL_ROB },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct program p = { .code = rows[i].code, .miss = 200, .level = LEVEL_MEMORY };
		uint64_t value;

		open_core(&p, rows[i].model);
		sim_pmu_wrmsr(p.pmu, 0xc0010000, rows[i].event | ENABLED);
		rounds(&p);
		assert_int_equal(sim_pmu_rdmsr(p.pmu, 0xc0010004, &value), MSR_OK);
		assert_true(p.stall[rows[i].cause]);
		assert_int_equal(value, p.stall[rows[i].cause]);
		close_core(&p);
	}
}

/*
 * What a counter of AMD or NetBurst says of REPEATS rounds behind a warm-up. control: the registers
 * that select and start it, and what goes there.
 */
static uint64_t counted(const char *model, const char *warm, const char *code,
                        const uint64_t control[4], unsigned counter)
{
	struct program p = { .code = warm };
	uint64_t value;

	open_core(&p, model);
	p.code = code;
	for (unsigned i = 0; i < 4; i += 2)
		assert_int_equal(sim_pmu_wrmsr(p.pmu, (uint32_t)control[i], control[i + 1]),
		                 MSR_OK);
	rounds(&p);
	assert_int_equal(sim_pmu_rdmsr(p.pmu, counter, &value), MSR_OK);
	close_core(&p);
	return value;
}

static uint64_t zen(const char *model, const char *code, uint64_t event)
{
	return counted(
		model, code, code,
		(const uint64_t[]){ 0xc0010000, event | ENABLED, 0xc0010000, event | ENABLED },
		0xc0010004);
}

/* Counters 0 and 4 of NetBurst: event and mask of an ESCR, which the CCCR selects. */
static uint64_t netburst(const char *warm, const char *code, unsigned escr, unsigned event,
                         unsigned mask)
{
	bool ms = escr == 0x3c0;
	uint64_t cccr = (ms ? 0 : 2) << 13 | 3 << 16 | 1 << 12;

	return counted(
		"p4", warm, code,
		(const uint64_t[]){ escr, event << 25 | mask << 9 | 0xc, ms ? 0x364 : 0x360, cccr },
		ms ? 0x304 : 0x300);
}

#define MULTIPLY_STORE_LOAD "0fafc0 8906 8b16"
#define BYTE_STORE_LOAD     "8806 8b16"
#define STORE_LATER_LOAD    "8906 " ADD12 " 8b16"
#define STORE_LOAD_INSIDE   "8906 0fb65601"
#define STORE_LOAD_START    "8906 0fb616"

/* A load finds the data of a store that is not there yet, or parts of its own data. */
static void blocked_loads(void **state)
{
	struct program multiply = { .code = MULTIPLY_STORE_LOAD };
	struct program byte_store = { .code = BYTE_STORE_LOAD };
	struct program later = { .code = STORE_LATER_LOAD };
	uint64_t clocks;

	(void)state;
	assert_int_equal(fenced(&multiply, "p3", P3_LD_BLOCKS, &clocks), REPEATS);
	assert_int_equal(fenced(&byte_store, "p3", P3_LD_BLOCKS, &clocks), REPEATS);
	assert_int_equal(fenced(&later, "p3", P3_LD_BLOCKS, &clocks), 0);
	/* of these the first alone waits for data */
	assert_int_equal(fenced(&multiply, "sandybridge", SNB_LD_BLOCKS_DATA_UNKNOWN, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(&byte_store, "sandybridge", SNB_LD_BLOCKS_DATA_UNKNOWN, &clocks),
	                 0);
	assert_int_equal(fenced(&multiply, "sierraforest", SRF_LD_BLOCKS_DATA_UNKNOWN, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(&multiply, "core2", C2_LOAD_BLOCK_STD, &clocks), REPEATS);
	assert_int_equal(zen("zen2", BYTE_STORE_LOAD, 0x224), REPEATS);
	assert_int_equal(zen("zen4", BYTE_STORE_LOAD, 0x224), REPEATS);
	assert_int_equal(zen("zen4", MULTIPLY_STORE_LOAD, 0x224), 0);
	assert_int_equal(netburst(MULTIPLY_STORE_LOAD, MULTIPLY_STORE_LOAD, 0x3aa, 3, 0x08),
	                 REPEATS);
	assert_int_equal(netburst(MULTIPLY_STORE_LOAD, MULTIPLY_STORE_LOAD, 0x3aa, 3, 0x10), 0);
	assert_int_equal(netburst(BYTE_STORE_LOAD, BYTE_STORE_LOAD, 0x3aa, 3, 0x10), REPEATS);
	assert_int_equal(netburst(BYTE_STORE_LOAD, BYTE_STORE_LOAD, 0x3aa, 3, 0x08), 0);
	/* NetBurst: a load inside the store, but not at its start, waits as well */
	assert_int_equal(netburst(BYTE_STORE_LOAD, BYTE_STORE_LOAD, 0x3aa, 3, 0x20), 0);
	assert_int_equal(netburst(STORE_LOAD_INSIDE, STORE_LOAD_INSIDE, 0x3aa, 3, 0x20), REPEATS);
	assert_int_equal(netburst(STORE_LOAD_INSIDE, STORE_LOAD_INSIDE, 0x3aa, 3, 0x10), 0);
	assert_int_equal(netburst(STORE_LOAD_START, STORE_LOAD_START, 0x3aa, 3, 0x30), 0);
}

/* A load of another page than a store in flight, at the same place in it; and what is not so. */
static void aliases(void **state)
{
	struct program same = { .code = "488906 488b9600100000" };
	struct program part = { .code = "488906 8b9604100000" };
	struct program next = { .code = "488906 488b9608100000" };
	struct program half = { .code = "488906 488b9600080000" };
	struct program hit = { .code = "488906 488b16" };
	struct program between = { .code = "488906 48898600100000 488b9600100000" };
	struct program late = { .code = "488906 0fa2 488b9600100000" };
	struct program two = { .code = "488906 48898600180000 488b9600100000" };
	struct program split = { .code = "8806 488b96f90f0000" };
	static const struct {
		const char *model;
		uint64_t event;
	} names[] = { { "nehalem", NHM_PARTIAL_ADDRESS_ALIAS },
		      { "sandybridge", SNB_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS },
		      { "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS },
		      { "icelake", ICL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS },
		      { "goldencove", GLC_LD_BLOCKS_ADDRESS_ALIAS },
		      { "sierraforest", SRF_LD_BLOCKS_ADDRESS_ALIAS },
		      { "core2", C2_LOAD_BLOCK_OVERLAP_STORE } };
	uint64_t clocks;

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(fenced(copy_of(&same), names[i].model, names[i].event, &clocks),
		                 REPEATS);
	assert_int_equal(fenced(&part, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(&split, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(&two, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(&next, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks), 0);
	assert_int_equal(fenced(&half, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks), 0);
	assert_int_equal(fenced(&hit, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks), 0);
	/* the last such store has the data */
	assert_int_equal(fenced(&between, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks),
	                 0);
	/* CPUID waits until it has been written */
	assert_int_equal(fenced(&late, "skylake", SKL_LD_BLOCKS_PARTIAL_ADDRESS_ALIAS, &clocks), 0);
}

/*
 * Uops from the trace cache, or from the decoder if it lacks them; CPUID has its own. The LFENCE at
 * the end is one uop. Of 72 bytes 32 were seen before: two windows with 13 instructions were not.
 */
static void trace_cache(void **state)
{
	(void)state;
	assert_int_equal(netburst(ADD12, ADD12, 0x3c0, 9, 2), 12 * REPEATS + 1);
	assert_int_equal(netburst(ADD12, ADD12, 0x3c0, 9, 1), 0);
	assert_int_equal(netburst(IMUL, ADD12 " " ADD12, 0x3c0, 9, 1), 13);
	assert_int_equal(netburst(IMUL, ADD12 " " ADD12, 0x3c0, 9, 2), 24 * REPEATS + 1 - 13);
	assert_int_equal(netburst("0fa2", "0fa2", 0x3c0, 9, 3), 1);
}

/* The same signals under the names of other families. */
static void other_families(void **state)
{
	struct program add = { .code = ADD12 }, divide = { .code = "f7f1" };
	uint64_t clocks, none;

	(void)state;
	none = fenced(copy_of(&add), "p3", P3_UOPS_RETIRED | CMASK(1) | INV, &clocks);
	assert_int_equal(fenced(copy_of(&add), "p3", P3_UOPS_RETIRED | CMASK(1), &clocks),
	                 clocks - none);
	/* the divider is a port there, occupied for 40 clocks */
	assert_int_equal(fenced(copy_of(&divide), "p3", P3_CYCLES_DIV_BUSY, &clocks), 40 * REPEATS);
}

/* What a counter with the filter of another register counts. */
static uint64_t filtered(struct program *p, const char *model, uint64_t event, uint32_t msr,
                         uint64_t filter)
{
	uint64_t value;

	open_core(p, model);
	assert_int_equal(sim_pmu_wrmsr(p->pmu, EVTSEL, event | ENABLED), MSR_OK);
	assert_int_equal(sim_pmu_wrmsr(p->pmu, msr, filter), MSR_OK);
	sim_pmu_wrmsr(p->pmu, GLOBAL_CTRL, 1);
	rounds(p);
	assert_int_equal(sim_pmu_rdmsr(p->pmu, COUNTER, &value), MSR_OK);
	assert_true(sim_pmu_counter_derived(p->pmu, 0));
	close_core(p);
	return value;
}

/*
 * Loads that take more clocks than MSR 3F6H says: of a load that hits those of the row in
 * machines.csv, which are 5 on skylake (with an address that no load gave), and 20 more of one that
 * misses. Of two loads in a row the second has its own clocks.
 */
static void load_latency(void **state)
{
	struct program hit = { .code = LOAD }, two = { .code = "488b06 488b1e" };
	struct program miss = { .code = "488b06", .miss = 20, .level = LEVEL_L2 };
	struct program mixed = {
		.code = "488b06 488b5e40", .miss = 20, .level = LEVEL_L2, .first = true
	};
	static const struct {
		const char *model;
		uint64_t event;
	} names[] = { { "skylake", SKL_MEM_TRANS_RETIRED_LOAD_LATENCY },
		      { "icelake", ICL_MEM_TRANS_RETIRED_LOAD_LATENCY_GT_4 },
		      { "sierraforest", SRF_MEM_UOPS_RETIRED_LOAD_LATENCY_GT_8 } };

	(void)state;
	assert_int_equal(
		filtered(copy_of(&hit), "skylake", SKL_MEM_TRANS_RETIRED_LOAD_LATENCY, 0x3f6, 4),
		REPEATS);
	assert_int_equal(
		filtered(copy_of(&hit), "skylake", SKL_MEM_TRANS_RETIRED_LOAD_LATENCY, 0x3f6, 5),
		0);
	assert_int_equal(
		filtered(copy_of(&two), "skylake", SKL_MEM_TRANS_RETIRED_LOAD_LATENCY, 0x3f6, 4),
		2 * REPEATS);
	assert_int_equal(
		filtered(copy_of(&two), "skylake", SKL_MEM_TRANS_RETIRED_LOAD_LATENCY, 0x3f6, 5),
		0);
	assert_int_equal(
		filtered(copy_of(&miss), "skylake", SKL_MEM_TRANS_RETIRED_LOAD_LATENCY, 0x3f6, 24),
		REPEATS);
	assert_int_equal(
		filtered(copy_of(&mixed), "skylake", SKL_MEM_TRANS_RETIRED_LOAD_LATENCY, 0x3f6, 24),
		REPEATS);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(
			filtered(copy_of(&miss), names[i].model, names[i].event, 0x3f6, 20),
			REPEATS);
}

/*
 * The front end's filter: clocks without code before an instruction, and code that is decoded. The
 * clock in which the last uop before them was renamed is none of them. Each of the rounds has 39,
 * but the first one, which begins behind the fence.
 */
static void tagged_code(void **state)
{
	struct program late = { .code = ADD12, .fetch = 40, .fetch_tlb = 40 };
	struct program cached = { .code = ADD12 }, two = { .code = "4801c0 4801d2" };
	struct program bad = { .code = ADD12, .wrong = true };
	uint64_t clocks, empty;

	(void)state;
	empty = fenced(copy_of(&late), "skylake", SKL_IDQ_UOPS_NOT_DELIVERED_CORE | CMASK(4),
	               &clocks);
	assert_in_range(empty, 39 * (REPEATS - 1), 39 * REPEATS);
	assert_int_equal(filtered(copy_of(&late), "skylake", SKL_FRONTEND_RETIRED, 0x3f7, 0x401006),
	                 REPEATS);
	assert_int_equal(filtered(copy_of(&late), "skylake", SKL_FRONTEND_RETIRED, 0x3f7, 0x402706),
	                 REPEATS - 1);
	assert_int_equal(filtered(copy_of(&late), "skylake", SKL_FRONTEND_RETIRED, 0x3f7, 0x402806),
	                 0);
	/* a jump in each clock, so none is empty, but some of the first that the fence kept */
	assert_int_equal(fenced(copy_of(&two), "skylake",
	                        SKL_IDQ_UOPS_NOT_DELIVERED_CORE | CMASK(4), &clocks),
	                 0);
	assert_int_equal(filtered(copy_of(&two), "skylake", SKL_FRONTEND_RETIRED, 0x3f7, 0x400106),
	                 0);
	assert_int_equal(
		filtered(copy_of(&cached), "skylake", SKL_FRONTEND_RETIRED, 0x3f7, 0x401006), 0);
	/* what a wrong branch costs is bad speculation */
	assert_int_equal(filtered(copy_of(&bad), "skylake", SKL_FRONTEND_RETIRED, 0x3f7, 0x400806),
	                 0);
	/* all comes from the uop cache but the LFENCE behind it */
	assert_true(filtered(copy_of(&cached), "skylake", SKL_FRONTEND_RETIRED, 0x3f7, 0x1) <= 1);
}

/* A clock for each slow LEA, by the description of the event in the list of sandybridge. */
static void slow_leas(void **state)
{
	struct program three = { .code = "488d441008 " ADD12 },
		       rip = { .code = "488d0500000000 " ADD12 };
	struct program two = { .code = "488d0410 488d4008 " ADD12 };
	uint64_t clocks;

	(void)state;
	assert_int_equal(fenced(copy_of(&three), "sandybridge",
	                        SNB_PARTIAL_RAT_STALLS_SLOW_LEA_WINDOW, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(copy_of(&rip), "sandybridge",
	                        SNB_PARTIAL_RAT_STALLS_SLOW_LEA_WINDOW, &clocks),
	                 REPEATS);
	assert_int_equal(fenced(copy_of(&two), "sandybridge",
	                        SNB_PARTIAL_RAT_STALLS_SLOW_LEA_WINDOW, &clocks),
	                 0);
}

/* PUSH, POP and CALL move the stack pointer; an addition to it and a load from it do not. */
static void stack_pointer(void **state)
{
	struct program p = { .code = "50 59 e800000000 4883c408 488b0424" };
	uint64_t clocks;

	(void)state;
	assert_int_equal(fenced(&p, "nehalem", NHM_UOPS_DECODED_ESP_FOLDING, &clocks), 3 * REPEATS);
}

#define CHAIN4  "4801c0 4801c0 4801c0 4801c0"
#define CHAIN12 CHAIN4 " " CHAIN4 " " CHAIN4
#define CHAIN36 CHAIN12 " " CHAIN12 " " CHAIN12
#define CHAIN48 CHAIN36 " " CHAIN12

/*
 * The oldest load waits for the data of a store, which is that of a chain: as much longer as the
 * chain of additions is. A load that a store has in part waits until the cache has the store.
 */
static void oldest_load_blocked(void **state)
{
	struct program program[2][2] = { { { .code = CHAIN36 " 488906 488b1e 0faee8" },
		                           { .code = CHAIN48 " 488906 488b1e 0faee8" } },
		                         { { .code = CHAIN36 " 8806 488b1e 0faee8" },
		                           { .code = CHAIN48 " 8806 488b1e 0faee8" } } };
	struct program none = { .code = CHAIN36 " 488b1e 0faee8" };
	uint64_t head[2], clocks[2];

	(void)state;
	for (unsigned part = 0; part < 2; part++) {
		for (unsigned i = 0; i < 2; i++) {
			struct program *p = &program[part][i];

			head[i] =
				fenced(copy_of(p), "sierraforest", SRF_LD_HEAD_ST_ADDR, &clocks[i]);
		}
		/* less two clocks of rename for twelve more, in which the load has not begun */
		assert_int_equal(head[1] - head[0], clocks[1] - clocks[0] - 2 * REPEATS);
		assert_true(head[0] > 20 * REPEATS);
	}
	assert_int_equal(fenced(copy_of(&none), "sierraforest", SRF_LD_HEAD_ST_ADDR, clocks), 0);
}

/* Of twelve loads that miss all but as many as machines.csv gives core2 wait for a buffer. */
static void buffer_waits(void **state)
{
	static const char six[] = "488b8600000000 488b8640000000 488b8680000000 "
				  "488b86c0000000 488b8600010000 488b8640010000";
	static const char twelve[] = "488b8600000000 488b8640000000 488b8680000000 "
				     "488b86c0000000 488b8600010000 488b8640010000 "
				     "488b8680010000 488b86c0010000 488b8600020000 "
				     "488b8640020000 488b8680020000 488b86c0020000";
	struct program few = { .code = six, .miss = 200, .level = LEVEL_L2 };
	struct program many = { .code = twelve, .miss = 200, .level = LEVEL_L2 };
	char code[sizeof(twelve) + 7];
	unsigned buffers;
	const char *why;
	struct core_machine *m = core_machine("core2", &why);
	uint64_t clocks;

	(void)state;
	assert_non_null(m);
	buffers = m->p.fill_buffers;
	core_machine_free(m);
	assert_in_range(buffers, 6, 11);
	snprintf(code, sizeof(code), "%s 0faee8", six);
	few.code = code;
	assert_int_equal(fenced(copy_of(&few), "core2", C2_LOAD_BLOCK_L1D, &clocks), 0);
	snprintf(code, sizeof(code), "%s 0faee8", twelve);
	many.code = code;
	assert_int_equal(fenced(copy_of(&many), "core2", C2_LOAD_BLOCK_L1D, &clocks),
	                 (12 - buffers) * REPEATS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports),
		cmocka_unit_test(port_names),
		cmocka_unit_test(uops),
		cmocka_unit_test(forwarding),
		cmocka_unit_test(thresholds),
		cmocka_unit_test(clocks_with),
		cmocka_unit_test(misses),
		cmocka_unit_test(wrong_branches),
		cmocka_unit_test(barriers),
		cmocka_unit_test(slots),
		cmocka_unit_test(metrics),
		cmocka_unit_test(second_level),
		cmocka_unit_test(other_families),
		cmocka_unit_test(retirement),
		cmocka_unit_test(freezing),
		cmocka_unit_test(zen_stalls),
		cmocka_unit_test(blocked_loads),
		cmocka_unit_test(trace_cache),
		cmocka_unit_test(page_walks),
		cmocka_unit_test(code_waits),
		cmocka_unit_test(lines_on_their_way),
		cmocka_unit_test(switches),
		cmocka_unit_test(fusion),
		cmocka_unit_test(slots_by_cause),
		cmocka_unit_test(oldest_load),
		cmocka_unit_test(microcode),
		cmocka_unit_test(empty_queue),
		cmocka_unit_test(empty_for_resource),
		cmocka_unit_test(aliases),
		cmocka_unit_test(two_loads),
		cmocka_unit_test(no_buffer),
		cmocka_unit_test(clocks_of_fetch),
		cmocka_unit_test(slots_of_fetch),
		cmocka_unit_test(late_instructions),
		cmocka_unit_test(late_by_microcode),
		cmocka_unit_test(late_by_decoding),
		cmocka_unit_test(full_decoders_are_not_late),
		cmocka_unit_test(wrong_branch_is_not_late),
		cmocka_unit_test(locks),
		cmocka_unit_test(pauses),
		cmocka_unit_test(load_latency),
		cmocka_unit_test(slow_leas),
		cmocka_unit_test(stack_pointer),
		cmocka_unit_test(oldest_load_blocked),
		cmocka_unit_test(buffer_waits),
		cmocka_unit_test(tagged_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
