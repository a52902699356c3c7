/*
 * Pentium 4 and Xeon of family 0Fh: 18 counters in four groups, 18 CCCRs, 43 to 45 ESCRs.
 *
 * Follows SDM volume 3B, "Performance Monitoring (Processors Based on Intel NetBurst
 * Microarchitecture)", and B. Sprunt, "Pentium 4 Performance-Monitoring Features". An event is
 * detected by the ESCRs of one unit; each of these reaches the counters of its group that have its
 * parity. Both ESCRs and all their counters are offered to the solver, and since two requests can
 * share an ESCR only if they want the same in it, it finds out what excludes what.
 *
 * Tagging is a second layer: an upstream ESCR or PEBS_ENABLE marks uops, a downstream event counts
 * the marked ones as they retire. A metric is both together, under the manual's name. What is read
 * from an ESCR is never written (an erratum returns other bits): every write is of a whole value.
 */
#include "kernel/cpu/msr.h"
#include "kernel/lib/quirks.h"
#include "pmu/internal.h"
#include "pmu/netburst_units.h"
#include "pmu/tables.h"

#define MSR_COUNTER(n)       (0x300u + (n))
#define MSR_CCCR(n)          (0x360u + (n))
#define MSR_PEBS_ENABLE      0x3f1
#define MSR_PEBS_MATRIX_VERT 0x3f2

#define MISC_ENABLE_PERFMON (1u << 7)
#define MISC_ENABLE_NO_PEBS (1u << 12)

/* ESCR; bit 31 is reserved. */
#define ESCR_T1_USR   (1u << 0) /* without HT bits 1 and 0 are reserved */
#define ESCR_T1_OS    (1u << 1)
#define ESCR_T0_USR   (1u << 2)
#define ESCR_T0_OS    (1u << 3)
#define ESCR_TAG(n)   (1u << 4 | (n) << 5)
#define ESCR_MASK(m)  ((uint32_t)(m) << 9)
#define ESCR_EVENT(e) ((uint32_t)(e) << 25)

/* CCCR; bits 10-0, 28 and 29 are reserved. OVF, bit 31, is only ever written as 0: cleared. */
#define CCCR_EXT_CASCADE  (1u << 11)
#define CCCR_ENABLE       (1u << 12)
#define CCCR_SELECT(s)    ((uint32_t)(s) << 13)
#define CCCR_THREAD(t)    ((uint32_t)(t) << 16)
#define CCCR_COMPARE      (1u << 18)
#define CCCR_COMPLEMENT   (1u << 19)
#define CCCR_THRESHOLD(t) ((uint32_t)(t) << 20)
#define CCCR_EDGE         (1u << 24)
#define CCCR_FORCE_OVF    (1u << 25)
#define CCCR_OVF_PMI_T0   (1u << 26)
#define CCCR_OVF_PMI_T1   (1u << 27)
#define CCCR_CASCADE      (1u << 30)
#define CCCR_OVF          (1u << 31)

#define PEBS_UOP_TAG (1u << 24)

enum {
	COUNTERS = 18,
	IQ_COUNTERS = 0x3f000,
	BOTH_THREADS = 2,
	ANY_THREAD = 3, /* the only value that parts without HT know */
	COUNTER_1 = 1u << 1,
	HIGHEST_UNIT = 0x3a0 - 1, /* escr= below is a unit, above the ESCR's number */
};

/* Claims of tags. */
#define CLAIM_TAG(n) (PMU_CLAIM + (n)) /* of the four execution tags: the ESCR's value */
#define CLAIM_FRONT  (PMU_CLAIM + 4)   /* the front-end tag: the mask of uop_type */
#define CLAIM_TAGS   (PMU_CLAIM + 5)   /* 1: an event tags; 0: no event may tag */

/* pmu_hw.has */
#define HAS_HT          0x01
#define IS_THREAD1      0x02
#define HAS_PEBS        0x04 /* PEBS_ENABLE and PEBS_MATRIX_VERT */
#define HAS_IQ_ESCR     0x08
#define HAS_EXT_CASCADE 0x10
#define HAS_IOQ_ESCR1   0x20

#define UNIT_ID(name, ...)   UNIT_##name,
#define UNIT_TEXT(name, ...) #name,
#define UNIT_ROW(name, escr0, escr1, select, counters0, counters1) \
	{ { escr0, escr1 }, { counters0, counters1 }, select },

enum { NETBURST_UNITS(UNIT_ID) UNITS };

static const char *const unit_names[] = { NETBURST_UNITS(UNIT_TEXT) 0 };

static const struct {
	uint16_t escr[2];
	uint32_t counters[2];
	uint8_t select;
} units[] = { NETBURST_UNITS(UNIT_ROW) };

/* Downstream events, in CRU2. */
#define FRONT_END_EVENT 0x08
#define REPLAY_EVENT    0x09
#define EXECUTION_EVENT 0x0c

#define UOP_TYPE       0x02 /* RAT */
#define INSTR_RETIRED  0x02 /* CRU0 */
#define IOQ_ALLOCATION 0x03 /* FSB */
#define BOTH           3
#define SAAT_ESCR0     1
#define SAAT_ESCR1     2

/*
 * Metrics, in the order of netburst.csv's codes: SDM volume 3B tables "List of Metrics Available
 * for Front_end Tagging", "... Execution Tagging", "... Replay Tagging". Which of the four tags an
 * execution metric takes is free.
 */
/* clang-format off */
static const struct metric {
	uint8_t downstream;
	/* The upstream ESCR: 0 in escrs means none, bit n means that ESCRn of the unit will do. */
	uint8_t unit, escrs, code;
	uint16_t mask;
	uint8_t matrix;
	uint32_t pebs; /* PEBS_ENABLE without PEBS_UOP_TAG */
} metrics[] = {
	/* 0  1stL_cache_load_miss_retired */
	{ REPLAY_EVENT,    0,         0,          0,        0,      0x01, 0x00001 },
	/* 1  2ndL_cache_load_miss_retired */
	{ REPLAY_EVENT,    0,         0,          0,        0,      0x01, 0x00002 },
	/* 2  DTLB_load_miss_retired */
	{ REPLAY_EVENT,    0,         0,          0,        0,      0x01, 0x00004 },
	/* 3  DTLB_store_miss_retired */
	{ REPLAY_EVENT,    0,         0,          0,        0,      0x02, 0x00004 },
	/* 4  DTLB_all_miss_retired */
	{ REPLAY_EVENT,    0,         0,          0,        0,      0x03, 0x00004 },
	/* 5  Tagged_mispred_branch */
	{ REPLAY_EVENT,    0,         0,          0,        0,      0x10, 0x18000 },
	/* 6  MOB_load_replay_retired: MOB_load_replay PARTIAL_DATA, UNALGN_ADDR */
	{ REPLAY_EVENT,    UNIT_MOB,  BOTH,       0x03,     0x0030, 0x01, 0x00200 },
	/* 7  split_load_retired: load_port_replay SPLIT_LD */
	{ REPLAY_EVENT,    UNIT_SAAT, SAAT_ESCR1, 0x04,     0x0002, 0x01, 0x00400 },
	/* 8  split_store_retired: store_port_replay SPLIT_ST */
	{ REPLAY_EVENT,    UNIT_SAAT, SAAT_ESCR0, 0x05,     0x0002, 0x02, 0x00400 },
	/* 9  memory_loads: uop_type TAGLOADS */
	{ FRONT_END_EVENT, UNIT_RAT,  BOTH,       UOP_TYPE, 0x0002, 0, 0 },
	/* 10 memory_stores: uop_type TAGSTORES */
	{ FRONT_END_EVENT, UNIT_RAT,  BOTH,       UOP_TYPE, 0x0004, 0, 0 },
	/* 11 packed_SP_retired: packed_SP_uop ALL, and so on to 17 */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x08,     0x8000, 0, 0 },
	/* 12 packed_DP_retired */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x0c,     0x8000, 0, 0 },
	/* 13 scalar_SP_retired */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x0a,     0x8000, 0, 0 },
	/* 14 scalar_DP_retired */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x0e,     0x8000, 0, 0 },
	/* 15 128_bit_MMX_retired */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x1a,     0x8000, 0, 0 },
	/* 16 64_bit_MMX_retired */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x02,     0x8000, 0, 0 },
	/* 17 X87_FP_retired */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x04,     0x8000, 0, 0 },
	/* 18 X87_SIMD_memory_moves_retired: x87_SIMD_moves_uop ALLP0, ALLP2 */
	{ EXECUTION_EVENT, UNIT_FIRM, BOTH,       0x2e,     0x0018, 0, 0 },
};

static const char *const thread_names[] = { "none", "single", "both", "any", 0 };

static const struct pmu_field netburst_fields[] = {
	{ "escr",         0,             0x3e1,  PMU_ESCR,        unit_names },
	{ "event_select", 0,             0x3f,   PMU_EVENT,       0 },
	{ "event_mask",   0,             0xffff, PMU_UMASK,       0 },
	{ "usr",          "u",           1,      PMU_USR,         0 },
	{ "os",           "k",           1,      PMU_OS,          0 },
	{ "t1_usr",       "t1_usr",      1,      PMU_T1_USR,      0 },
	{ "t1_os",        "t1_os",       1,      PMU_T1_OS,       0 },
	{ "tag",          "tag",         15,     PMU_TAG,         0 },
	{ "metric",       "metric",      18,     PMU_METRIC,      0 },
	{ "compare",      "cmp",         1,      PMU_COMPARE,     0 },
	{ "complement",   "cmpl",        1,      PMU_COMPLEMENT,  0 },
	{ "threshold",    "thr",         15,     PMU_THRESHOLD,   0 },
	{ "edge",         "e",           1,      PMU_EDGE,        0 },
	{ "thread",       "thread",      3,      PMU_THREAD,      thread_names },
	{ "force_ovf",    "force_ovf",   1,      PMU_FORCE_OVF,   0 },
	{ "ovf_pmi",      "int",         1,      PMU_INT,         0 },
	{ "cascade",      "cascade",     1,      PMU_CASCADE,     0 },
	{ "ext_cascade",  "ext_cascade", 1,      PMU_EXT_CASCADE, 0 },
	{ 0, 0, 0, 0, 0 },
};
/* clang-format on */

/*
 * The IQ group has an event that is exact. The others have none that the loop would make: there a
 * comparison that is always true turns any event into clocks.
 */
static const struct pmu_proof netburst_proofs[] = {
	{ PMU_PROOF_INSTRUCTIONS, "instr_retired.NBOGUSNTAG.NBOGUSTAG" },
	{ PMU_PROOF_BRANCHES, "branch_retired.MMNP.MMNM.MMTP.MMTM" },
	{ PMU_PROOF_CLOCKS, "global_power_events.RUNNING" },
	{ PMU_PROOF_CLOCKS, "uop_queue_writes.FROM_ROM:cmpl:thr=15" },
	{ PMU_PROOF_CLOCKS, "memory_complete.LSC:cmpl:thr=15" },
	{ PMU_PROOF_END, 0 },
};

static bool escr_exists(const struct pmu_hw *hw, uint32_t msr)
{
	return msr && (msr / 2 != 0x3ba / 2 || (hw->has & HAS_IQ_ESCR));
}

/* Number i of the ESCRs that exist; 0 past the last. Each of them is asked for often. */
static uint32_t escr_at(const struct pmu_hw *hw, unsigned i)
{
	static uint32_t escr[2 * UNITS + 1], has;
	static unsigned n;

	if (!n || has != hw->has) {
		n = 0;
		has = hw->has;
		for (unsigned u = 0; u < 2 * UNITS; u++)
			if (escr_exists(hw, units[u / 2].escr[u % 2]))
				escr[n++] = units[u / 2].escr[u % 2];
		escr[n] = 0;
	}
	return escr[i < n ? i : n];
}

static uint32_t find_has(const struct cpu *cpu)
{
	uint64_t misc = 0, v;
	uint32_t has = 0;

	if (cpu->smt_shift) {
		has |= HAS_HT;
		has |= (cpu->apic_id & ((1u << cpu->smt_shift) - 1)) ? IS_THREAD1 : 0;
	}
	msr_read(MSR_IA32_MISC_ENABLE, &misc);
	if (!(misc & MISC_ENABLE_NO_PEBS) && msr_read(MSR_PEBS_ENABLE, &v))
		has |= HAS_PEBS;
	has |= cpu->model == 1 || cpu->model == 2 ? HAS_IQ_ESCR : 0;
	has |= cpu->model >= 2 ? HAS_EXT_CASCADE : 0;
	has |= (cpu->signature & 0xfff) >= 0xf27 ? HAS_IOQ_ESCR1 : 0;
	return has;
}

static bool netburst_other_thread(struct pmu_hw *hw)
{
	hw->has ^= IS_THREAD1;
	return hw->has & HAS_HT;
}

static bool netburst_probe(struct pmu_hw *hw, const struct cpu *cpu)
{
	static const char *const names[COUNTERS] = {
		"MSR_BPU_COUNTER0",   "MSR_BPU_COUNTER1",   "MSR_BPU_COUNTER2",
		"MSR_BPU_COUNTER3",   "MSR_MS_COUNTER0",    "MSR_MS_COUNTER1",
		"MSR_MS_COUNTER2",    "MSR_MS_COUNTER3",    "MSR_FLAME_COUNTER0",
		"MSR_FLAME_COUNTER1", "MSR_FLAME_COUNTER2", "MSR_FLAME_COUNTER3",
		"MSR_IQ_COUNTER0",    "MSR_IQ_COUNTER1",    "MSR_IQ_COUNTER2",
		"MSR_IQ_COUNTER3",    "MSR_IQ_COUNTER4",    "MSR_IQ_COUNTER5",
	};
	uint64_t misc;

	if (cpu->pmu_class != PMU_CLASS_NETBURST)
		return false;
	if (msr_read(MSR_IA32_MISC_ENABLE, &misc) && !(misc & MISC_ENABLE_PERFMON)) {
		hw->why = "IA32_MISC_ENABLE bit 7 says that performance monitoring is unavailable";
		return true;
	}
	pmu_find_model(hw, "netburst", cpu);
	hw->has = find_has(cpu);
	hw->ncounters = COUNTERS;
	for (unsigned n = 0; n < COUNTERS; n++)
		hw->counter[n] = (struct pmu_counter){
			.name = names[n],
			.msr = MSR_COUNTER(n),
			.index = n,
			.number = (uint8_t)n,
			.access = PMU_RDPMC,
			.width = 40,
			.load = 40,
		};
	return true;
}

/* Counters, twice for erratum N15; then what selects and tags; then what enables. */
static uint32_t netburst_reg(const struct pmu_hw *hw, unsigned i)
{
	uint32_t escr;

	if (i < 2 * COUNTERS)
		return MSR_COUNTER(i / 2);
	i -= 2 * COUNTERS;
	if (hw->has & HAS_PEBS) {
		if (i < 2)
			return i ? MSR_PEBS_ENABLE : MSR_PEBS_MATRIX_VERT;
		i -= 2;
	}
	for (unsigned k = 0; (escr = escr_at(hw, k)); k++)
		if (!i--)
			return escr;
	return i < COUNTERS ? MSR_CCCR(i) : 0;
}

/*
 * The overflow bits of CCCRs belong to the hardware. All ESCRs lie between MSR_BSU_ESCR0 and
 * MSR_CRU_ESCR5, and no other register of this driver does.
 */
static struct pmu_control netburst_control(const struct pmu_hw *hw, uint32_t msr)
{
	(void)hw;
	if (msr >= MSR_CCCR(0) && msr < MSR_CCCR(COUNTERS))
		return (struct pmu_control){ .enables = CCCR_ENABLE,
			                     .moves = CCCR_OVF,
			                     .arms = CCCR_CASCADE | CCCR_EXT_CASCADE };
	return (struct pmu_control){ .garbled = msr >= 0x3a0 && msr <= 0x3e1 };
}

/* --- requests ----------------------------------------------------------------------------- */

/* What a request comes down to, before a place is chosen. */
struct wanted {
	unsigned unit, escrs; /* bit n: ESCRn of the unit can detect it */
	uint32_t event, mask, levels, cccr, counters;
	bool mirror; /* the first ESCR must hold the same as the second */
	const struct metric *metric;
	unsigned count; /* of configurations so far */
	const struct pmu_hw *hw;
	struct pmu_config *out;
};

static uint32_t levels_of(const struct pmu_hw *hw, const struct pmu_request *rq)
{
	bool t1 = hw->has & IS_THREAD1;
	uint32_t v = 0;

	v |= rq->value[PMU_USR] ? t1 ? ESCR_T1_USR : ESCR_T0_USR : 0;
	v |= rq->value[PMU_OS] ? t1 ? ESCR_T1_OS : ESCR_T0_OS : 0;
	v |= rq->value[PMU_T1_USR] ? ESCR_T1_USR : 0;
	v |= rq->value[PMU_T1_OS] ? ESCR_T1_OS : 0;
	return v;
}

/* Everything but the ESCR select. A counter that waits for another's overflow is not enabled. */
static uint32_t cccr_of(const struct pmu_hw *hw, const struct pmu_request *rq)
{
	bool waits = rq->value[PMU_CASCADE] || rq->value[PMU_EXT_CASCADE];
	bool compare = rq->value[PMU_COMPARE] || rq->value[PMU_COMPLEMENT] || rq->value[PMU_EDGE] ||
	               rq->value[PMU_THRESHOLD];
	uint32_t pmi = hw->has & IS_THREAD1 ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0;

	return (waits ? 0 : CCCR_ENABLE) | (compare ? CCCR_COMPARE : 0) |
	       CCCR_THREAD(pmu_field(rq, PMU_THREAD, ANY_THREAD)) |
	       CCCR_THRESHOLD(rq->value[PMU_THRESHOLD]) |
	       (rq->value[PMU_COMPLEMENT] ? CCCR_COMPLEMENT : 0) |
	       (rq->value[PMU_EDGE] ? CCCR_EDGE : 0) |
	       (rq->value[PMU_FORCE_OVF] ? CCCR_FORCE_OVF : 0) | (rq->value[PMU_INT] ? pmi : 0) |
	       (rq->value[PMU_CASCADE] ? CCCR_CASCADE : 0) |
	       (rq->value[PMU_EXT_CASCADE] ? CCCR_EXT_CASCADE : 0);
}

/* What this CPU or the event cannot do. NULL: nothing is wrong. */
static const char *refuse(const struct pmu_hw *hw, const struct pmu_request *rq,
                          const struct wanted *w)
{
	if (!w->levels)
		return "counts at no level: give u (CPL 1-3), k (CPL 0) or both";
	if (!(hw->has & HAS_HT) && (rq->value[PMU_T1_USR] || rq->value[PMU_T1_OS]))
		return "t1_usr and t1_os are reserved without Hyper-Threading";
	if (!(hw->has & HAS_HT) && pmu_field(rq, PMU_THREAD, ANY_THREAD) != ANY_THREAD)
		return "thread must be 3 (any) without Hyper-Threading";
	if (!(hw->has & HAS_EXT_CASCADE) && rq->value[PMU_EXT_CASCADE])
		return "ext_cascade came with model 2";
	if (rq->value[PMU_TAG] && w->unit != UNIT_FIRM)
		return "tag belongs to the uop events of the FIRM ESCRs";
	if (!w->metric)
		return 0;
	if (rq->value[PMU_TAG])
		return "a metric takes its tag itself";
	if (w->unit != UNIT_CRU2 || w->event != w->metric->downstream)
		return "this metric belongs to another event: replay_event 0 to 8, front_end_event "
		       "9 and 10, execution_event 11 to 18";
	if (w->metric->pebs && !(hw->has & HAS_PEBS))
		return "replay tagging needs PEBS_ENABLE, and this CPU says it has no PEBS";
	return 0;
}

static void add_extra(struct pmu_config *c, uint32_t msr, uint64_t value)
{
	c->extra[c->nextra++] = (struct pmu_write){ msr, value };
}

/* With thread=none and thread=both the core's other thread decides whether the counter counts. */
static bool is_conditional(uint32_t cccr)
{
	return !(cccr & CCCR_ENABLE) ||
	       (cccr & CCCR_THREAD(ANY_THREAD)) == CCCR_THREAD(BOTH_THREADS) ||
	       !(cccr & CCCR_THREAD(ANY_THREAD));
}

/* One more way: this ESCR of the unit. NULL: it does not exist, or none of its counters is left. */
static struct pmu_config *add_way(struct wanted *w, unsigned odd, uint32_t escr)
{
	uint32_t counters = units[w->unit].counters[odd] & w->counters;
	uint32_t msr = units[w->unit].escr[odd];
	struct pmu_config *c;

	if (!(w->escrs >> odd & 1) || !escr_exists(w->hw, msr) || !counters)
		return 0;
	c = &w->out[w->count++];
	*c = (struct pmu_config){ .counters = counters,
		                  .select = w->cccr,
		                  .conditional = is_conditional(w->cccr) };
	add_extra(c, msr, escr);
	return c;
}

/* instr_retired tells tagged from untagged unless it is asked for both of a kind. */
static bool depends_on_tags(const struct wanted *w)
{
	if (w->unit == UNIT_CRU0 && w->event == INSTR_RETIRED)
		return (w->mask ^ w->mask >> 1) & 5;
	return w->unit == UNIT_CRU2 && (w->event == FRONT_END_EVENT || w->event == REPLAY_EVENT ||
	                                w->event == EXECUTION_EVENT);
}

static void add_plain(struct wanted *w, uint32_t tag)
{
	uint32_t escr = ESCR_EVENT(w->event) | ESCR_MASK(w->mask) | w->levels;

	escr |= tag ? ESCR_TAG(tag) : 0;
	for (unsigned odd = 0; odd < 2; odd++) {
		struct pmu_config *c = add_way(w, odd, escr);
		bool front = w->unit == UNIT_RAT && w->event == UOP_TYPE;

		if (!c)
			continue;
		if (w->mirror)
			add_extra(c, units[w->unit].escr[0], escr);
		if (front)
			add_extra(c, CLAIM_FRONT, w->mask);
		for (unsigned t = 0; t < 4; t++)
			if (tag >> t & 1)
				add_extra(c, CLAIM_TAG(t), escr);
		if (tag || front || depends_on_tags(w))
			add_extra(c, CLAIM_TAGS, tag || front);
	}
}

/* The metric's downstream event with its upstream part, in all combinations of ESCRs. */
static void add_tagged(struct wanted *w, uint32_t mask, unsigned tag, uint32_t claim)
{
	const struct metric *m = w->metric;
	uint32_t down = ESCR_EVENT(m->downstream) | ESCR_MASK(mask) | w->levels;
	uint32_t up = ESCR_EVENT(m->code) | ESCR_MASK(m->mask) | w->levels;

	up |= tag ? ESCR_TAG(tag) : 0;
	for (unsigned way = 0; way < 4; way++) {
		unsigned upper = way / 2;
		struct pmu_config *c;

		if (m->escrs ? !(m->escrs >> upper & 1) : upper)
			continue;
		c = add_way(w, way % 2, down);
		if (!c)
			continue;
		if (m->escrs)
			add_extra(c, units[m->unit].escr[upper], up);
		if (m->pebs) {
			add_extra(c, MSR_PEBS_MATRIX_VERT, m->matrix);
			add_extra(c, MSR_PEBS_ENABLE, m->pebs | PEBS_UOP_TAG);
		} else {
			add_extra(c, claim, tag ? up : m->mask);
		}
		add_extra(c, CLAIM_TAGS, 1);
	}
}

/* `mask` of execution_event names the tag if the user chose it; a metric by name takes any. */
static void add_metric(struct wanted *w, bool by_name)
{
	if (w->metric->downstream != EXECUTION_EVENT) {
		add_tagged(w, w->mask, 0, CLAIM_FRONT);
		return;
	}
	for (unsigned t = 0; t < 4; t++) {
		if (by_name)
			add_tagged(w, w->mask << t, 1u << t, CLAIM_TAG(t));
		else if (!(w->mask & ~(0x11u << t)))
			add_tagged(w, w->mask, 1u << t, CLAIM_TAG(t));
	}
}

/* Where it is detected: by the event's row, or by escr= with a unit or the number of an ESCR. */
static bool find_unit(const struct pmu_request *rq, struct wanted *w)
{
	uint64_t escr = rq->value[PMU_ESCR];

	if (rq->named) {
		w->unit = rq->event.kind->unit;
		w->escrs = rq->event.kind->escrs;
		w->mirror = !(w->escrs & 1);
		return true;
	}
	if (!pmu_given(rq, PMU_ESCR))
		return false;
	w->escrs = BOTH;
	w->unit = (unsigned)escr;
	if (escr <= HIGHEST_UNIT)
		return escr < UNITS;
	for (unsigned u = 0; u < 2 * UNITS; u++)
		if (units[u / 2].escr[u % 2] == escr) {
			w->unit = u / 2;
			w->escrs = 1u << u % 2;
			return true;
		}
	return false;
}

/* CCCR bit 30 exists everywhere, who starts whom is wired; bit 11 exists in the IQ group alone. */
static uint32_t allowed_counters(const struct pmu_hw *hw, const struct pmu_request *rq)
{
	uint32_t counters = hw->usable & ~(quirk(QUIRK_CCCR1, true) ? COUNTER_1 : 0);

	return rq->value[PMU_EXT_CASCADE] ? counters & IQ_COUNTERS : counters;
}

static unsigned netburst_encode(const struct pmu_hw *hw, const struct pmu_request *rq,
                                struct pmu_config *out, const char **why)
{
	const struct pmu_kind *kind = rq->named ? rq->event.kind : 0;
	bool by_name = kind && kind->metric >= 0;
	struct wanted w = { .hw = hw, .out = out };
	const char *cannot;

	if (!find_unit(rq, &w)) {
		*why = "needs escr= with one of BSU FSB FIRM FLAME DAC MOB PMH SAAT U2L BPU IS "
		       "ITLB CRU0 IQ RAT SSU MS TBPU TC IX ALF CRU2 CRU4, or an ESCR's number";
		return 0;
	}
	if (by_name)
		w.metric = &metrics[kind->metric];
	else if (pmu_given(rq, PMU_METRIC))
		w.metric = &metrics[rq->value[PMU_METRIC]];
	w.event = (uint32_t)pmu_field(rq, PMU_EVENT,
	                              by_name ? w.metric->downstream
	                              : kind  ? rq->event.code
	                                      : 0);
	w.mask = (uint32_t)pmu_field(rq, PMU_UMASK, rq->umask);
	w.levels = levels_of(hw, rq);
	w.counters = allowed_counters(hw, rq);
	w.cccr = cccr_of(hw, rq) |
	         CCCR_SELECT(kind && (kind->flags & PMU_EV_SELECT3) ? 3 : units[w.unit].select);
	if (w.unit == UNIT_FSB && w.event == IOQ_ALLOCATION && !(hw->has & HAS_IOQ_ESCR1))
		w.escrs &= 1;
	cannot = refuse(hw, rq, &w);
	if (cannot) {
		*why = cannot;
		return 0;
	}
	if (w.metric)
		add_metric(&w, by_name);
	else
		add_plain(&w, (uint32_t)rq->value[PMU_TAG]);
	*why = "no counter that can count it proved itself";
	return w.count;
}

/* --- running -------------------------------------------------------------------------------- */

/*
 * ESCRs too: one that is left over may tag uops without any counter being enabled. CCCRs first, of
 * both threads, and with OVF cleared in the same write, else the interrupt line stays up.
 */
static void netburst_stop(const struct pmu_hw *hw)
{
	uint32_t escr;

	if (!hw->ncounters)
		return;
	for (unsigned n = 0; n < COUNTERS; n++)
		msr_write(MSR_CCCR(n), 0);
	if (hw->has & HAS_PEBS) {
		msr_write(MSR_PEBS_ENABLE, 0);
		msr_write(MSR_PEBS_MATRIX_VERT, 0);
	}
	for (unsigned i = 0; (escr = escr_at(hw, i)); i++)
		msr_write(escr, 0);
}

/* Erratum N15: a write of a counter may not take; a second one does. */
static bool netburst_load(const struct pmu_hw *hw, unsigned counter, uint64_t value)
{
	uint32_t msr = hw->counter[counter].msr;

	return msr_write(msr, value) && (!quirk(QUIRK_N15, true) || msr_write(msr, value));
}

/* Counters that wait for an overflow are armed before any can overflow. */
static bool write_cccrs(const struct pmu_group *group, bool enabled)
{
	bool ok = true;

	for (unsigned i = 0; i < group->n; i++) {
		const struct pmu_slot *s = &group->slots[i];

		if (!(s->select & CCCR_ENABLE) == !enabled)
			ok = ok && msr_write(MSR_CCCR(s->counter), s->select);
	}
	return ok;
}

static bool netburst_start(const struct pmu_hw *hw, const struct pmu_group *group)
{
	bool ok;

	netburst_stop(hw);
	ok = pmu_write_extra(group);
	for (unsigned i = 0; i < group->n; i++)
		ok = ok && netburst_load(hw, group->slots[i].counter, group->slots[i].from);
	ok = ok && write_cccrs(group, false) && write_cccrs(group, true);
	if (!ok)
		netburst_stop(hw);
	return ok;
}

const struct pmu_driver pmu_netburst = {
	.name = "netburst",
	.raw = "p4",
	.table = &pmu_table_netburst,
	.fields = netburst_fields,
	.proofs = netburst_proofs,
	.defaults =
		"instructions,cycles,branches,branch-misses,1stL_cache_load_miss_retired,l2-misses,"
		"dtlb-misses,uops",
	.probe = netburst_probe,
	.reg = netburst_reg,
	.control = netburst_control,
	.wake = netburst_stop, /* CCCRs that something before us left enabled */
	.other_thread = netburst_other_thread,
	.encode = netburst_encode,
	.load = netburst_load,
	.start = netburst_start,
	.stop = netburst_stop,
};
