/*
 * sim/pmu/netburst.c - Pentium 4 and Xeon of family 0Fh: 18 counters, 18 CCCRs, 45 ESCRs.
 *
 * After the Intel SDM volume 3B, "Performance Monitoring (Processors Based on Intel NetBurst
 * Microarchitecture)", and B. Sprunt, "Pentium 4 Performance-Monitoring Features" (IEEE Micro,
 * July 2002). An ESCR selects and qualifies an event by thread and privilege, the CCCR of a counter
 * picks an ESCR of its group and parity, compares and counts.
 *
 * The registers are shared by the two logical CPUs of a core, except IA32_DS_AREA, DEBUGCTL and
 * the branch records.
 *
 * Not in the manuals, so decided here: a cascaded counter shows its enable bit set once started;
 * without HT a CCCR whose thread field is not 3 counts nothing; PEBS writes a record for the next
 * tagged uop after the overflow, with the state before that instruction, as Sprunt describes the
 * assist, and that uop is not counted in the new period; the wiring of the extended cascade is from
 * memory (unverified).
 */
#include "sim/pmu/internal.h"

#include <stdlib.h>

#define MSR_COUNTER0         0x300
#define MSR_CCCR0            0x360
#define MSR_ESCR_FIRST       0x3a0
#define MSR_ESCR_LAST        0x3e1
#define MSR_TC_PRECISE_EVENT 0x3f0
#define MSR_PEBS_ENABLE      0x3f1
#define MSR_PEBS_MATRIX_VERT 0x3f2
#define MSR_DS_AREA          0x600

#define COUNTERS    18
#define IQ_COUNTER4 16
#define IQ_COUNTER5 17

/* ESCR, by MSR */
#define ESCR_T1_USR     BIT(0)
#define ESCR_T1_OS      BIT(1)
#define ESCR_T0_USR     BIT(2)
#define ESCR_T0_OS      BIT(3)
#define ESCR_TAG_ENABLE BIT(4)

#define CCCR_EXT_CASCADE BIT(11)
#define CCCR_ENABLE      BIT(12)
#define CCCR_COMPARE     BIT(18)
#define CCCR_COMPLEMENT  BIT(19)
#define CCCR_EDGE        BIT(24)
#define CCCR_FORCE_OVF   BIT(25)
#define CCCR_OVF_PMI_T0  BIT(26)
#define CCCR_OVF_PMI_T1  BIT(27)
#define CCCR_CASCADE     BIT(30)
#define CCCR_OVF         BIT(31)
#define CCCR_ALWAYS      (BITS(26, 12) | BIT(30) | BIT(31))

#define PEBS_METRIC       BITS(12, 0)
#define PEBS_BRANCH       (BIT(15) | BIT(16))
#define PEBS_UOP_TAG      BIT(24)
#define PEBS_MY_THREAD    BIT(25)
#define PEBS_OTHER_THREAD BIT(26)

/* Units, by the MSR of their even ESCR. */
#define UNIT_FIRM 0x3a4
#define UNIT_MOB  0x3aa
#define UNIT_SAAT 0x3ae
#define UNIT_CRU0 0x3b8
#define UNIT_RAT  0x3bc
#define UNIT_CRU2 0x3cc
#define UNIT_FSB  0x3a2

/* Event selects with a meaning of their own. */
#define EVENT_UOP_TYPE          0x02 /* RAT */
#define EVENT_INSTR_RETIRED     0x02 /* CRU 0, 1 */
#define EVENT_FRONT_END         0x08 /* CRU 2, 3 */
#define EVENT_REPLAY            0x09
#define EVENT_EXECUTION         0x0c
#define EVENT_MOB_LOAD_REPLAY   0x03 /* MOB */
#define EVENT_LOAD_PORT_REPLAY  0x04 /* SAAT */
#define EVENT_STORE_PORT_REPLAY 0x05
#define EVENT_IOQ_ALLOCATION    0x03   /* FSB */
#define MASK_RIGHT              BIT(0) /* front-end and replay: NBOGUS */
#define MASK_BOGUS              BIT(1)
#define MASK_TAGLOADS           BIT(1)
#define MASK_TAGSTORES          BIT(2)

/* Wiring: the even ESCR behind each CCCR select value, per group; 0 = none. */
enum group { BPU, MS, FLAME, IQ };

static const uint16_t unit_of[4][8] = {
	[BPU] = { 0x3b2, 0x3b4, 0x3aa, 0x3b6, 0x3ac, 0x3c8, 0x3a2, 0x3a0 },
	[MS] = { 0x3c0, 0x3c4, 0x3c2 },
	[FLAME] = { 0x3a6, 0x3a4, 0x3ae, 0x3b0, 0, 0x3a8 },
	[IQ] = { 0x3ba, 0x3ca, 0x3bc, 0x3be, 0x3b8, 0x3cc, 0x3e0 },
};

#define NOBODY 0xff

/*
 * Per counter: group, parity of the ESCRs it sees, who starts it by cascade, who by extended
 * cascade.
 */
/* clang-format off */
static const struct {
	uint8_t group, odd, cascade_from, extended_from;
} wiring[COUNTERS] = {
	[0]  = { BPU,   0,  2, NOBODY },
	[1]  = { BPU,   0,  3, NOBODY },
	[2]  = { BPU,   1,  0, NOBODY },
	[3]  = { BPU,   1,  1, NOBODY },
	[4]  = { MS,    0,  6, NOBODY },
	[5]  = { MS,    0,  7, NOBODY },
	[6]  = { MS,    1,  4, NOBODY },
	[7]  = { MS,    1,  5, NOBODY },
	[8]  = { FLAME, 0, 10, NOBODY },
	[9]  = { FLAME, 0, 11, NOBODY },
	[10] = { FLAME, 1,  8, NOBODY },
	[11] = { FLAME, 1,  9, NOBODY },
	[12] = { IQ,    0, 14, 17 },
	[13] = { IQ,    0, 15, 16 },
	[14] = { IQ,    1, 12, 16 },
	[15] = { IQ,    1, 13, 17 },
	[16] = { IQ,    0, 14, 17 }, /* not from 12, and bit 30 starts no counter */
	[17] = { IQ,    1, 15, 16 },
};
/* clang-format on */

/* What the two logical CPUs share. */
struct shared {
	struct pmu_counter counter[COUNTERS];
	uint64_t cccr[COUNTERS];
	uint32_t escr[MSR_ESCR_LAST - MSR_ESCR_FIRST + 1];
	uint32_t tc_precise_event;
	uint32_t pebs_enable; /* without the thread bits */
	uint32_t matrix_vert;
	uint8_t pebs_threads;          /* bit n: records for thread n */
	uint8_t active_threads;        /* bit n: not halted */
	bool cascaded[COUNTERS];       /* started by another counter */
	bool tagging;                  /* a RAT ESCR tags loads or stores */
	bool pebs_armed[2];            /* counters 16 and 17 */
	uint8_t cpl_mask[COUNTERS][2]; /* that the ESCR behind lets through, per thread */
	bool special[COUNTERS];        /* special_count() may know it */
	uint8_t list[COUNTERS];        /* enabled counters */
	uint8_t listed;
	struct netburst *thread[2];
};

struct netburst {
	struct sim_pmu pmu;
	struct shared *shared;
	unsigned number; /* of the thread */
	struct pmu_lbr lbr;
	struct pmu_ds ds;
};

static bool has_ht(const struct netburst *p)
{
	return p->pmu.model->threads > 1;
}

/* ---- ESCRs ---- */

static bool escr_exists(const struct netburst *p, uint32_t msr)
{
	if (msr < MSR_ESCR_FIRST || msr > MSR_ESCR_LAST)
		return false;
	if ((msr & ~1u) == 0x3ba) /* IQ_ESCR0, 1 */
		return p->pmu.model->part == 1 || p->pmu.model->part == 2;
	if (msr == 0x3bf) /* there is no SSU_ESCR1 */
		return false;
	for (unsigned g = 0; g < 4; g++)
		for (unsigned select = 0; select < 8; select++)
			if (unit_of[g][select] && unit_of[g][select] == (msr & ~1u))
				return true;
	return false;
}

/* The even ESCR of the unit that the CCCR selects, 0 when there is none. */
static unsigned unit_behind(const struct shared *s, unsigned n)
{
	return unit_of[wiring[n].group][s->cccr[n] >> 13 & 7];
}

static uint32_t *escr(struct shared *s, uint32_t msr)
{
	return &s->escr[msr - MSR_ESCR_FIRST];
}

static unsigned escr_event(uint32_t e)
{
	return e >> 25 & 0x3f;
}

static unsigned escr_mask(uint32_t e)
{
	return e >> 9 & 0xffff;
}

/* Events that no thread qualifies: the union of both threads' bits decides. */
static bool thread_independent(unsigned unit, unsigned event)
{
	static const struct {
		uint16_t unit;
		uint8_t event;
	} ti[] = {
		{ 0x3c4, 0x01 }, /* TC_deliver_mode */
		{ 0x3ac, 0x01 }, /* page_walk_type */
		{ 0x3a2, 0x17 }, /* FSB_data_activity */
		{ 0x3a4, 0x34 }, /* SSE_input_assist */
		{ 0x3a4, 0x08 }, { 0x3a4, 0x0c }, { 0x3a4, 0x0a }, { 0x3a4, 0x0e }, /* SP, DP */
		{ 0x3a4, 0x02 }, { 0x3a4, 0x1a }, { 0x3a4, 0x04 },                  /* MMX, x87 */
		{ 0x3a8, 0x05 },                                                    /* WC_Buffer */
	};

	for (unsigned i = 0; i < sizeof(ti) / sizeof(ti[0]); i++)
		if (ti[i].unit == unit && ti[i].event == event)
			return true;
	return false;
}

/* CPL bitmap that the ESCR lets through for events of the thread. */
static uint8_t escr_cpl_mask(uint32_t e, unsigned unit, unsigned thread)
{
	bool usr = e & (thread ? ESCR_T1_USR : ESCR_T0_USR);
	bool os = e & (thread ? ESCR_T1_OS : ESCR_T0_OS);

	if (thread_independent(unit, escr_event(e))) {
		usr = e & (ESCR_T0_USR | ESCR_T1_USR);
		os = e & (ESCR_T0_OS | ESCR_T1_OS);
	}
	/* The privilege bits are ignored by this one (Sprunt), but one must be set. */
	if (unit == UNIT_FSB && escr_event(e) == EVENT_IOQ_ALLOCATION && (usr || os))
		usr = os = true;
	return pmu_cpl_mask(usr, os);
}

/* ---- tagging ---- */

static bool passes(uint32_t e, unsigned unit, unsigned thread, const struct sim_step *step)
{
	return escr_cpl_mask(e, unit, thread) & (1u << step->cpl);
}

/* Loads and stores that the RAT ESCRs tag: bit 0 loads, bit 1 stores. */
static unsigned front_end_tags(struct shared *s, unsigned thread, const struct sim_step *step)
{
	unsigned tags = 0;

	if (!s->tagging)
		return 0;
	for (unsigned odd = 0; odd < 2; odd++) {
		uint32_t e = *escr(s, UNIT_RAT + odd);

		if (escr_event(e) != EVENT_UOP_TYPE || !passes(e, UNIT_RAT, thread, step))
			continue;
		tags |= (escr_mask(e) & MASK_TAGLOADS) ? 1 : 0;
		tags |= (escr_mask(e) & MASK_TAGSTORES) ? 2 : 0;
	}
	return tags;
}

/* mask: MASK_RIGHT, MASK_BOGUS. */
static uint64_t front_end_count(struct shared *s, unsigned mask, unsigned thread,
                                const struct sim_step *step)
{
	unsigned tags = front_end_tags(s, thread, step);
	uint64_t sum = 0;

	if (mask & MASK_RIGHT)
		sum += (tags & 1 ? step->n[SIG_LOADS] : 0) + (tags & 2 ? step->n[SIG_STORES] : 0);
	if (mask & MASK_BOGUS)
		sum += (tags & 1 ? step->n[SIG_BOGUS_LOADS] : 0) +
		       (tags & 2 ? step->n[SIG_BOGUS_STORES] : 0);
	return sum;
}

/*
 * Uops with one of the tag bits that a FIRM ESCR gave them; equal ESCRs tag the same uops. bogus:
 * those that were cancelled, else those that retired.
 */
static uint64_t execution_count(struct netburst *p, unsigned tag_bits, bool bogus, unsigned thread,
                                const struct sim_step *step)
{
	struct pmu_filter f = { .terms = 0 };
	uint64_t sum = 0;

	for (unsigned odd = 0; odd < 2; odd++) {
		uint32_t e = *escr(p->shared, UNIT_FIRM + odd);
		struct pmu_filter one = { .terms = 0 };

		if (!(e & ESCR_TAG_ENABLE) || !((e >> 5 & 0xf) & tag_bits))
			continue;
		if (!passes(e, UNIT_FIRM, thread, step))
			continue;
		pmu_filter_event(&one, p->pmu.model, escr_event(e), escr_mask(e), UNIT_FIRM,
		                 odd ? 10 : 8);
		for (unsigned i = 0; i < one.terms; i++)
			pmu_filter_add(&f, one.term[i]);
	}
	for (unsigned i = 0; i < f.terms; i++)
		if (sim_signal_bogus((enum sim_signal)f.term[i].signal) == bogus)
			sum += (uint64_t)step->n[f.term[i].signal] * f.term[i].weight;
	return sum;
}

/* The ESCR asks for split accesses, as the two split metrics need it. */
static bool split_replay(struct shared *s, unsigned odd, unsigned event, unsigned thread,
                         const struct sim_step *step)
{
	uint32_t e = *escr(s, UNIT_SAAT + odd);

	return escr_event(e) == event && escr_mask(e) & BIT(1) &&
	       passes(e, UNIT_SAAT, thread, step);
}

/* What the ESCRs of the memory order buffer ask for: loads that a store keeps waiting. */
static uint64_t order_replay(struct shared *s, unsigned thread, const struct sim_step *step)
{
	uint32_t mask = 0;

	for (unsigned odd = 0; odd < 2; odd++) {
		uint32_t e = *escr(s, UNIT_MOB + odd);

		if (escr_event(e) == EVENT_MOB_LOAD_REPLAY && passes(e, UNIT_MOB, thread, step))
			mask |= escr_mask(e);
	}
	return (mask & BIT(4) ? step->n[SIG_FORWARD_FAILED] : 0) +
	       (mask & BIT(5) ? step->n[SIG_FORWARD_UNALIGNED] : 0);
}

#define VERT_LOADS    1u
#define VERT_STORES   2u
#define VERT_BRANCHES 0x10u

/* The replay metrics. */
static uint64_t replay_count(struct shared *s, unsigned thread, const struct sim_step *step)
{
	uint32_t metric = s->pebs_enable & (PEBS_METRIC | PEBS_BRANCH);
	bool loads = s->matrix_vert & VERT_LOADS, stores = s->matrix_vert & VERT_STORES;

	if (!(s->pebs_enable & PEBS_UOP_TAG))
		return 0;
	switch (metric) {
	case 0x1:
		return loads ? step->n[SIG_L1D_LOAD_MISS] : 0;
	case 0x2:
		return loads ? step->n[SIG_L2_LOAD_MISS] : 0;
	case 0x4:
		return (loads ? step->n[SIG_DTLB_LOAD_WALK] : 0) +
		       (stores ? step->n[SIG_DTLB_STORE_WALK] : 0);
	case PEBS_BRANCH:
		return s->matrix_vert & VERT_BRANCHES ? step->n[SIG_MISPREDICTED] : 0;
	case 0x200:
		return loads ? order_replay(s, thread, step) : 0;
	case 0x400:
		loads = loads && split_replay(s, 1, EVENT_LOAD_PORT_REPLAY, thread, step);
		stores = stores && split_replay(s, 0, EVENT_STORE_PORT_REPLAY, thread, step);
		return (loads ? step->n[SIG_SPLIT_LOAD] : 0) +
		       (stores ? step->n[SIG_SPLIT_STORE] : 0);
	default:
		return 0;
	}
}

/* The same of loads that were cancelled: nothing else is known of their replays. */
static uint64_t bogus_replay_count(const struct shared *s, const struct sim_step *step)
{
	if (!(s->pebs_enable & PEBS_UOP_TAG) || !(s->matrix_vert & VERT_LOADS))
		return 0;
	switch (s->pebs_enable & (PEBS_METRIC | PEBS_BRANCH)) {
	case 0x1:
		return step->n[SIG_BOGUS_LOAD_MISS];
	case 0x2:
		return step->n[SIG_BOGUS_L2_MISS];
	default:
		return 0;
	}
}

/* instr_retired: bit 0 instructions without tagged uops, bit 1 with; bits 2, 3 cancelled ones. */
static uint64_t instr_retired_count(struct shared *s, unsigned mask, unsigned thread,
                                    const struct sim_step *step)
{
	static const enum sim_signal with_tags[] = { SIG_NEVER, SIG_BOGUS_LOAD_INSNS,
		                                     SIG_BOGUS_STORE_INSNS,
		                                     SIG_BOGUS_MEMORY_INSNS };
	unsigned tags = front_end_tags(s, thread, step);
	bool tagged = (tags & 1 && step->n[SIG_LOADS]) || (tags & 2 && step->n[SIG_STORES]);
	uint64_t bogus = step->n[with_tags[tags]];

	return (mask & (tagged ? 2 : 1) ? step->n[SIG_INSTRUCTIONS] : 0) +
	       (mask & 4 ? step->n[SIG_BOGUS_INSNS] - bogus : 0) + (mask & 8 ? bogus : 0);
}

/*
 * Events whose count depends on more than the step. True: *count is it.
 */
static bool special_count(struct netburst *p, unsigned n, const struct sim_step *step,
                          uint64_t *count)
{
	struct shared *s = p->shared;
	unsigned unit = unit_behind(s, n);
	uint32_t e = *escr(s, unit + wiring[n].odd);
	unsigned mask = escr_mask(e);

	*count = 0;
	if (unit == UNIT_CRU0 && escr_event(e) == EVENT_INSTR_RETIRED) {
		*count = instr_retired_count(s, mask, p->number, step);
		return true;
	}
	if (unit != UNIT_CRU2)
		return false;
	switch (escr_event(e)) {
	case EVENT_FRONT_END:
		*count = front_end_count(s, mask, p->number, step);
		return true;
	case EVENT_EXECUTION:
		*count = execution_count(p, mask & 0xf, false, p->number, step) +
		         execution_count(p, mask >> 4 & 0xf, true, p->number, step);
		return true;
	case EVENT_REPLAY:
		*count = (mask & MASK_RIGHT ? replay_count(s, p->number, step) : 0) +
		         (mask & MASK_BOGUS ? bogus_replay_count(s, step) : 0);
		return true;
	default:
		return false;
	}
}

/* ---- from registers to filters ---- */

/* Number of the ESCR, 0 when there is none. */
static uint32_t escr_behind(const struct netburst *p, unsigned n)
{
	unsigned unit = unit_behind(p->shared, n);
	uint32_t msr = unit + wiring[n].odd;

	return unit && escr_exists(p, msr) ? msr : 0;
}

static void set_filter(struct netburst *p, unsigned n)
{
	struct shared *s = p->shared;
	struct pmu_filter *f = &s->counter[n].filter;
	uint32_t msr = escr_behind(p, n);
	uint32_t e = msr ? *escr(s, msr) : 0;
	bool level = f->level;

	*f = (struct pmu_filter){ .input_gated = true, .clip = true, .level = level };
	if (s->cccr[n] & CCCR_COMPARE) {
		f->compare = (s->cccr[n] & CCCR_COMPLEMENT) ? PMU_LE : PMU_GT;
		f->reference = s->cccr[n] >> 20 & 0xf;
		f->edge = s->cccr[n] & CCCR_EDGE;
	}
	if (!msr)
		return;
	for (unsigned t = 0; t < 2; t++)
		s->cpl_mask[n][t] = escr_cpl_mask(e, unit_behind(s, n), t);
	s->special[n] = (msr & ~1u) == UNIT_CRU0 || (msr & ~1u) == UNIT_CRU2;
	pmu_filter_event(f, p->pmu.model, escr_event(e), escr_mask(e), unit_behind(s, n), n);
	if (!s->special[n])
		pmu_filter_clocks(&p->pmu, f);
}

static void update(struct netburst *p)
{
	struct shared *s = p->shared;

	s->tagging = false;
	for (unsigned odd = 0; odd < 2; odd++)
		s->tagging |= escr_event(*escr(s, UNIT_RAT + odd)) == EVENT_UOP_TYPE;
	s->listed = 0;
	for (unsigned n = 0; n < COUNTERS; n++) {
		if (!(s->cccr[n] & CCCR_ENABLE) || !escr_behind(p, n))
			continue;
		if (pmu_starved(&p->pmu, s->listed))
			continue;
		set_filter(p, n);
		s->list[s->listed++] = (uint8_t)n;
	}
	for (unsigned t = 0; t < 2; t++) {
		struct netburst *q = s->thread[t];

		if (!q)
			continue;
		pmu_set_running(&q->pmu, s->listed || pmu_lbr_active(&q->lbr));
		q->pmu.wants_regs = s->pebs_armed[t] && s->pebs_threads & (1u << t);
	}
}

static bool share(struct sim_pmu *pmu, struct sim_pmu *sibling)
{
	struct netburst *p = (struct netburst *)pmu;

	if (sibling && !((struct netburst *)sibling)->shared->thread[1]) {
		p->shared = ((struct netburst *)sibling)->shared;
		p->number = 1;
	} else {
		p->shared = calloc(1, sizeof(*p->shared));
		if (!p->shared)
			return false;
		p->shared->active_threads = 1;
	}
	p->shared->thread[p->number] = p;
	return true;
}

static void release(struct sim_pmu *pmu)
{
	struct netburst *p = (struct netburst *)pmu;
	struct shared *s = p->shared;

	s->thread[p->number] = NULL;
	if (!s->thread[0] && !s->thread[1])
		free(s);
}

static void reset(struct sim_pmu *pmu)
{
	struct netburst *p = (struct netburst *)pmu;
	struct shared *s = p->shared;

	/* The shared registers are reset with thread 0 only: thread 1 may be made later. */
	if (!p->number)
		*s = (struct shared){ .thread = { p, s->thread[1] }, .active_threads = 1 };
	for (unsigned n = 0; n < COUNTERS; n++)
		s->counter[n].mask = BITS(39, 0);
	pmu->counter = s->counter;
	pmu->counter_count = COUNTERS;
	pmu_lbr_reset(&p->lbr, pmu->model->lbr);
	p->ds = (struct pmu_ds){ .dtes64 = pmu->model->dtes64 };
	update(p);
}

/* ---- registers ---- */

static uint32_t pebs_enable_value(const struct netburst *p)
{
	const struct shared *s = p->shared;
	unsigned me = 1u << p->number, other = me ^ 3;

	return s->pebs_enable | (uint32_t)((s->pebs_threads & me) ? PEBS_MY_THREAD : 0) |
	       (uint32_t)((s->pebs_threads & other) ? PEBS_OTHER_THREAD : 0);
}

static enum sim_msr write_pebs_enable(struct netburst *p, uint64_t value)
{
	struct shared *s = p->shared;
	unsigned me = 1u << p->number;
	uint64_t allowed = PEBS_METRIC | PEBS_BRANCH | PEBS_UOP_TAG | PEBS_MY_THREAD |
	                   (has_ht(p) ? PEBS_OTHER_THREAD : 0);

	if (value & ~allowed)
		return MSR_GP;
	s->pebs_enable = (uint32_t)(value & (PEBS_METRIC | PEBS_BRANCH | PEBS_UOP_TAG));
	s->pebs_threads = (uint8_t)(((value & PEBS_MY_THREAD) ? me : 0) |
	                            ((value & PEBS_OTHER_THREAD) ? me ^ 3 : 0));
	for (unsigned t = 0; t < 2; t++)
		s->pebs_armed[t] = s->pebs_armed[t] && s->pebs_threads & (1u << t);
	return MSR_OK;
}

static uint64_t cccr_mask(const struct netburst *p, unsigned n)
{
	uint64_t mask = CCCR_ALWAYS;

	if (has_ht(p))
		mask |= CCCR_OVF_PMI_T1;
	if (wiring[n].extended_from != NOBODY && p->pmu.model->part >= 2)
		mask |= CCCR_EXT_CASCADE;
	return mask;
}

static uint64_t escr_bits(const struct netburst *p)
{
	return BITS(30, 2) | (has_ht(p) ? ESCR_T1_USR | ESCR_T1_OS : 0);
}

static enum sim_msr rdmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t *value)
{
	struct netburst *p = (struct netburst *)pmu;
	struct shared *s = p->shared;

	if (msr - MSR_COUNTER0 < COUNTERS)
		*value = pmu_counter_read(pmu, &s->counter[msr - MSR_COUNTER0]);
	else if (msr - MSR_CCCR0 < COUNTERS)
		*value = s->cccr[msr - MSR_CCCR0];
	else if (escr_exists(p, msr))
		*value = *escr(s, msr);
	else if (msr == MSR_TC_PRECISE_EVENT)
		*value = s->tc_precise_event;
	else if (msr == MSR_PEBS_ENABLE)
		*value = pebs_enable_value(p);
	else if (msr == MSR_PEBS_MATRIX_VERT)
		*value = s->matrix_vert;
	else if (msr == MSR_DS_AREA)
		*value = p->ds.area;
	else
		return pmu_lbr_rdmsr(&p->lbr, msr, value);
	return MSR_OK;
}

static enum sim_msr store32(uint32_t *field, uint64_t value, uint64_t mask)
{
	if (value & ~mask)
		return MSR_GP;
	*field = (uint32_t)value;
	return MSR_OK;
}

static enum sim_msr write_cccr(struct netburst *p, unsigned n, uint64_t value)
{
	if (value & ~cccr_mask(p, n))
		return MSR_GP;
	p->shared->cccr[n] = value;
	p->shared->cascaded[n] = false;
	if (!(value & CCCR_ENABLE))
		p->shared->counter[n].filter.level = false;
	if (n >= IQ_COUNTER4)
		p->shared->pebs_armed[n - IQ_COUNTER4] = false;
	return MSR_OK;
}

static enum sim_msr write_ds_area(struct netburst *p, uint64_t value)
{
	if (!p->ds.dtes64 && value >> 32)
		return MSR_GP;
	p->ds.area = value;
	return MSR_OK;
}

static enum sim_msr write_any(struct netburst *p, uint32_t msr, uint64_t value)
{
	struct shared *s = p->shared;

	if (msr - MSR_COUNTER0 < COUNTERS) {
		if (p->pmu.fault == PMU_FAULT_N15 && !p->pmu.fault_count++)
			value ^= BIT(32);
		s->counter[msr - MSR_COUNTER0].value = value & s->counter[msr - MSR_COUNTER0].mask;
		return MSR_OK;
	}
	if (msr - MSR_CCCR0 < COUNTERS)
		return write_cccr(p, msr - MSR_CCCR0, value);
	if (escr_exists(p, msr))
		return store32(escr(s, msr), value, escr_bits(p));
	if (msr == MSR_TC_PRECISE_EVENT)
		return store32(&s->tc_precise_event, value, PEBS_METRIC);
	if (msr == MSR_PEBS_ENABLE)
		return write_pebs_enable(p, value);
	if (msr == MSR_PEBS_MATRIX_VERT)
		return store32(&s->matrix_vert, value, BITS(12, 0));
	if (msr == MSR_DS_AREA)
		return write_ds_area(p, value);
	return pmu_lbr_wrmsr(&p->lbr, msr, value);
}

static enum sim_msr wrmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t value)
{
	struct netburst *p = (struct netburst *)pmu;
	enum sim_msr r = write_any(p, msr, value);

	if (r == MSR_OK && msr - MSR_COUNTER0 >= COUNTERS)
		update(p);
	return r;
}

/* ECX: counter number; bit 31 reads only the low 32 bits. */
static enum sim_rdpmc rdpmc(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value)
{
	struct netburst *p = (struct netburst *)pmu;
	uint32_t n = ecx & ~BIT(31);

	if (n >= COUNTERS)
		return RDPMC_GP;
	*value = pmu_counter_read(pmu, &p->shared->counter[n]);
	if (ecx & BIT(31))
		*value &= BITS(31, 0);
	return RDPMC_OK;
}

/* ---- counting ---- */

static void start_cascaded(struct netburst *p, unsigned from)
{
	struct shared *s = p->shared;
	bool started = false;

	for (unsigned n = 0; n < COUNTERS; n++) {
		uint64_t c = s->cccr[n];
		bool chosen = (c & CCCR_CASCADE && wiring[n].cascade_from == from) ||
		              (c & CCCR_EXT_CASCADE && wiring[n].extended_from == from);

		if (!chosen || c & CCCR_ENABLE)
			continue;
		s->cccr[n] |= CCCR_ENABLE;
		s->cascaded[n] = true;
		started = true;
	}
	if (started)
		update(p);
}

/* No interrupt from a cascaded counter on model 2 (erratum listed in the SDM). */
static bool loses_interrupt(const struct netburst *p, unsigned n)
{
	return p->shared->cascaded[n] && p->pmu.model->part == 2;
}

static void overflow(struct netburst *p, unsigned n)
{
	struct shared *s = p->shared;
	static const uint64_t pmi_bit[2] = { CCCR_OVF_PMI_T0, CCCR_OVF_PMI_T1 };

	s->cccr[n] |= CCCR_OVF;
	for (unsigned t = 0; t < 2; t++)
		if (s->cccr[n] & pmi_bit[t] && s->thread[t] && !loses_interrupt(p, n))
			pmu_raise(&s->thread[t]->pmu);
	start_cascaded(p, n);
}

/* Does this counter sample for the thread, with the event that it has? */
static bool pebs_counter(const struct netburst *p, unsigned n)
{
	const struct shared *s = p->shared;
	uint32_t msr;
	unsigned event;

	if (n < IQ_COUNTER4 || !p->pmu.model->pebs ||
	    !(s->pebs_threads & (1u << (n - IQ_COUNTER4))))
		return false;
	msr = escr_behind(p, n);
	if ((msr & ~1u) != UNIT_CRU2)
		return false;
	event = escr_event(s->escr[msr - MSR_ESCR_FIRST]);
	return event == EVENT_FRONT_END || event == EVENT_REPLAY || event == EVENT_EXECUTION;
}

static void sample(struct netburst *p, unsigned n, const struct sim_step *step)
{
	struct shared *s = p->shared;
	struct pmu_pebs_facts facts = { .before = true, .lbr = &p->lbr, .step = step };

	s->pebs_armed[n - IQ_COUNTER4] = false;
	s->counter[n].value = pmu_ds_reset_value(&p->pmu, &p->ds, 0) & BITS(39, 0);
	p->pmu.wants_regs = false;
	if (pmu_pebs_store(&p->pmu, &p->ds, &facts) == DS_THRESHOLD)
		pmu_raise(&p->pmu);
}

/* Thread mode of the CCCR: 0 none, 1 single, 2 both, 3 any. */
static bool thread_mode_matches(const struct netburst *p, unsigned n)
{
	unsigned want = p->shared->cccr[n] >> 16 & 3;
	unsigned active = p->shared->active_threads;

	if (want == 3)
		return true;
	return has_ht(p) && want == (active == 3 ? 2u : active ? 1u : 0u);
}

static uint64_t count(struct netburst *p, unsigned n, const struct sim_step *step)
{
	struct shared *s = p->shared;
	struct pmu_filter *f = &s->counter[n].filter;
	struct sim_step special;
	uint64_t sum;

	f->cpl_mask = s->cpl_mask[n][p->number];
	if (!s->special[n] || !special_count(p, n, step, &sum))
		return pmu_filter_count(&p->pmu, f, step);
	if (f->compare == PMU_ADD)
		return (f->cpl_mask & (1u << step->cpl)) ? sum : 0;
	/* Compare it as any event of this instruction. */
	special = *step;
	special.n[SIG_INSTRUCTIONS] = (uint32_t)sum;
	f->terms = 0;
	pmu_filter_add(f, (struct sim_term){ SIG_INSTRUCTIONS, 1 });
	return pmu_filter_count(&p->pmu, f, &special);
}

static void count_one(struct netburst *p, unsigned n, const struct sim_step *step)
{
	struct shared *s = p->shared;
	bool thread_samples = pebs_counter(p, n) && n - IQ_COUNTER4 == p->number;
	uint64_t n_events;
	bool wrapped;

	if (!thread_mode_matches(p, n))
		return;
	n_events = count(p, n, step);
	if (!n_events && !p->pmu.lies)
		return;
	if (thread_samples && s->pebs_armed[p->number]) {
		sample(p, n, step);
		return;
	}
	wrapped = pmu_counter_add(&p->pmu, &s->counter[n], n_events);
	if (wrapped && thread_samples) {
		s->pebs_armed[p->number] = true;
		p->pmu.wants_regs = true;
	}
	if (wrapped || s->cccr[n] & CCCR_FORCE_OVF)
		overflow(p, n);
}

static void retire(struct sim_pmu *pmu, const struct sim_step *step)
{
	struct netburst *p = (struct netburst *)pmu;
	struct shared *s = p->shared;
	uint8_t list[COUNTERS];
	unsigned listed = s->listed;

	s->active_threads |= (uint8_t)(1u << p->number);
	/* A cascade changes the list: who starts now counts from the next step on. */
	for (unsigned i = 0; i < listed; i++)
		list[i] = s->list[i];
	for (unsigned i = 0; i < listed; i++)
		count_one(p, list[i], step);
	if (pmu_lbr_active(&p->lbr)) {
		pmu_bts_retire(pmu, &p->ds, &p->lbr, step);
		pmu_lbr_retire(&p->lbr, step);
	}
}

static void halt(struct sim_pmu *pmu)
{
	struct netburst *p = (struct netburst *)pmu;

	p->shared->active_threads &= (uint8_t) ~(1u << p->number);
}

static bool pmi_line(const struct sim_pmu *pmu)
{
	const struct netburst *p = (const struct netburst *)pmu;
	uint64_t bits = CCCR_OVF | (p->number ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0);

	for (unsigned n = 0; n < COUNTERS; n++)
		if ((p->shared->cccr[n] & bits) == bits && !loses_interrupt(p, n))
			return true;
	return false;
}

const struct sim_pmu_ops sim_pmu_netburst_ops = {
	.size = sizeof(struct netburst),
	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.retire = retire,
	.share = share,
	.release = release,
	.halt = halt,
	.pmi_line = pmi_line,
};
