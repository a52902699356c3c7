/*
 * sim/pmu/arch.c - architectural performance monitoring, versions 1 to 6.
 *
 * After the Intel SDM volume 3B, "Architectural Performance Monitoring" and "Processor Event Based
 * Sampling". Which registers and bits exist follows from the version and the model row, reserved
 * bits fault.
 *
 * Not in the manual, so decided here: with AnyThread, cmask compares the clocks of each thread by
 * themselves, and PEBS records are of the thread's own instructions; IN_TX counts nothing (no
 * transactions); a PEBS record is written for the next event after the overflow, and that event is
 * not counted in the new period; any event can be sampled. Freezing on an interrupt is exact to the
 * clock: all that retires in the clock of the overflow is counted, also behind the instruction that
 * overflowed, and nothing later; the interrupt is raised then. MSR 3F6H: each load is selected,
 * where the manual says that the hardware selects some at random. MSRs 1A6H and 1A7H: no request of
 * this machine needs a snoop.
 */
#include "sim/pmu/internal.h"

#include <string.h>

#define MSR_PMC0              0xc1
#define MSR_EVTSEL0           0x186
#define MSR_OFFCORE_RSP       0x1a6
#define MSR_FIXED0            0x309
#define MSR_PERF_METRICS      0x329
#define MSR_PERF_CAPABILITIES 0x345
#define MSR_FIXED_CTRL        0x38d
#define MSR_GLOBAL_STATUS     0x38e
#define MSR_GLOBAL_CTRL       0x38f
#define MSR_GLOBAL_OVF_CTRL   0x390 /* version 4: GLOBAL_STATUS_RESET */
#define MSR_GLOBAL_STATUS_SET 0x391
#define MSR_GLOBAL_INUSE      0x392
#define MSR_PEBS_ENABLE       0x3f1
#define MSR_PEBS_DATA_CFG     0x3f2
#define MSR_PEBS_LD_LAT       0x3f6
#define MSR_PEBS_FRONTEND     0x3f7
#define MSR_A_PMC0            0x4c1
#define MSR_DS_AREA           0x600
#define MSR_V6_GP0            0x1900
#define MSR_V6_FIXED0         0x1980

#define EVTSEL_USR      BIT(16)
#define EVTSEL_OS       BIT(17)
#define EVTSEL_EDGE     BIT(18)
#define EVTSEL_PIN      BIT(19)
#define EVTSEL_INT      BIT(20)
#define EVTSEL_ANY      BIT(21)
#define EVTSEL_EN       BIT(22)
#define EVTSEL_INV      BIT(23)
#define EVTSEL_IN_TX    BIT(32)
#define EVTSEL_IN_TXCP  BIT(33)
#define EVTSEL_ADAPTIVE BIT(34)
#define EVTSEL_EQ       BIT(36)
#define EVTSEL_UMASK2   BITS(47, 40)

#define FIXED_OS  1u
#define FIXED_USR 2u
#define FIXED_ANY 4u
#define FIXED_PMI 8u

#define CAP_FULL_WIDTH BIT(13)
#define CAP_METRICS    BIT(15)

#define GLOBAL_METRICS    BIT(48)
#define STATUS_LBR_FROZEN BIT(58)
#define STATUS_FROZEN     BIT(59)
#define STATUS_DS_BUFFER  BIT(62)
#define STATUS_CHANGED    BIT(63)

#define LEAF23_UMASK2 BIT(0)
#define LEAF23_EQ     BIT(1)

#define OFFCORE_NEHALEM  0xffff /* its registers have these bits, and bits 15:8 are responses */
#define OFFCORE_NO_SNOOP BIT(32)

#define GP_MAX    PMU_FIRST_FIXED
#define FIXED_MAX 8 /* FIXED_CTRL has four bits for each, adaptive bits from 32 on */
#define COUNTERS  (GP_MAX + FIXED_MAX) /* fixed counter i is number 32 + i, as in GLOBAL_CTRL */

struct arch {
	struct sim_pmu pmu;
	struct arch *other; /* of the other thread of the core; NULL: there is none */
	bool any;           /* some counter that may move has AnyThread */
	bool tags;          /* some counter that may move has MSR_PEBS_LD_LAT or _FRONTEND */
	bool halted;        /* nothing has retired since this thread halted */
	struct pmu_counter counter[COUNTERS];
	uint64_t evtsel[GP_MAX];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t status;
	uint64_t pebs_enable;
	uint64_t data_cfg;
	uint64_t ld_lat;
	uint64_t frontend;
	uint64_t offcore[2];
	uint64_t metrics; /* as written, until slots are counted */
	uint64_t metrics_slots;
	uint64_t metrics_part[8]; /* of these, as the bytes of PERF_METRICS */
	uint64_t pebs_armed;      /* overflowed: the next event makes a record */
	struct pmu_lbr lbr;
	struct pmu_ds ds;
	uint16_t started[4]; /* with PMU_FAULT_AAK100: the events that were started last */
	bool woken, stuck;   /* ... the counters are awake for a start; they stand still */
	bool freezes;        /* an interrupt that freezes is due at the end of this clock */
	uint8_t active[COUNTERS];
	uint8_t active_count;
};

/* ---- what exists ---- */

static bool gp_exists(const struct arch *a, uint32_t n)
{
	return n < a->pmu.model->counters;
}

static bool fixed_exists(const struct arch *a, uint32_t n)
{
	return n < FIXED_MAX && a->pmu.model->fixed_map & BIT(n);
}

static unsigned pebs_format(const struct arch *a)
{
	return a->pmu.model->perf_capabilities >> 8 & 0xf;
}

static uint64_t counter_bits(const struct arch *a)
{
	return BITS(a->pmu.model->counters - 1, 0) | (uint64_t)a->pmu.model->fixed_map << 32;
}

static uint64_t global_ctrl_mask(const struct arch *a)
{
	return counter_bits(a) |
	       ((a->pmu.model->perf_capabilities & CAP_METRICS) ? GLOBAL_METRICS : 0);
}

static uint64_t status_mask(const struct arch *a)
{
	uint64_t mask = global_ctrl_mask(a) | STATUS_CHANGED;

	if (a->pmu.model->ds)
		mask |= STATUS_DS_BUFFER;
	if (a->pmu.model->version >= 4)
		mask |= STATUS_FROZEN | STATUS_LBR_FROZEN;
	return mask;
}

static uint64_t evtsel_mask(const struct arch *a, unsigned n)
{
	const struct sim_pmu_model *m = a->pmu.model;
	uint64_t mask = BITS(31, 22) | EVTSEL_INT | BITS(18, 0);

	mask |= m->pin_control ? EVTSEL_PIN : 0;
	mask |= m->any_thread ? EVTSEL_ANY : 0;
	mask |= m->tsx ? EVTSEL_IN_TX : 0;
	mask |= m->tsx && n == 2 ? EVTSEL_IN_TXCP : 0;
	mask |= pebs_format(a) >= 4 ? EVTSEL_ADAPTIVE : 0;
	mask |= (m->leaf_23[0][1] & LEAF23_EQ) ? EVTSEL_EQ : 0;
	mask |= (m->leaf_23[0][1] & LEAF23_UMASK2) ? EVTSEL_UMASK2 : 0;
	return mask;
}

static uint64_t fixed_ctrl_mask(const struct arch *a)
{
	uint64_t mask = 0;

	for (unsigned n = 0; n < FIXED_MAX; n++) {
		if (!fixed_exists(a, n))
			continue;
		mask |= (uint64_t)(FIXED_OS | FIXED_USR | FIXED_PMI) << (4 * n);
		mask |= a->pmu.model->any_thread ? (uint64_t)FIXED_ANY << (4 * n) : 0;
		mask |= pebs_format(a) >= 4 ? BIT(32 + 4 * n) : 0;
	}
	return mask;
}

/* ---- filters of events by another register ---- */

/* Requests of the code that miss L2, by what the last level says. */
struct offcore_request {
	enum sim_signal beyond, hit, hit_e, hit_m, memory;
};

static const struct offcore_request offcore_requests[] = {
	{ SIG_L2_LOAD_MISS, SIG_LLC_LOAD_HIT, SIG_LLC_LOAD_HIT_E, SIG_LLC_LOAD_HIT_M,
	  SIG_LLC_LOAD_MISS },
	{ SIG_L2_STORE_MISS, SIG_LLC_STORE_HIT, SIG_LLC_STORE_HIT_E, SIG_LLC_STORE_HIT_M,
	  SIG_LLC_STORE_MISS },
	{ SIG_L2_CODE_MISS, SIG_LLC_CODE_HIT, SIG_LLC_CODE_HIT_E, SIG_LLC_CODE_HIT_M,
	  SIG_LLC_CODE_MISS },
};

/* Which responses count: any, the last level's by the state of its line, that of memory. */
struct offcore_response {
	bool any, hit_e, hit_m, memory;
};

static struct offcore_response offcore_response(const struct sim_pmu_model *m, uint64_t value)
{
	bool snoop = value & OFFCORE_NO_SNOOP;
	unsigned memory = m->version < 4 ? 22 : 26;

	if (m->offcore_mask[0] == OFFCORE_NEHALEM)
		return (struct offcore_response){ .any = (value >> 8 & 0xff) == 0xff,
			                          .hit_e = value & BIT(8),
			                          .hit_m = value & BIT(8),
			                          .memory = value & BIT(14) };
	return (struct offcore_response){ .any = value & BIT(16),
		                          .hit_e = snoop && value & BIT(19),
		                          .hit_m = snoop && value & BIT(18),
		                          .memory = snoop && value & BIT(memory) };
}

static void add_signal(struct pmu_filter *f, enum sim_signal sig)
{
	pmu_filter_add(f, (struct sim_term){ sig, 1 });
}

/* Lines that prefetch instructions bring. False: not known. */
static bool offcore_prefetches(struct pmu_filter *f, struct offcore_response r)
{
	if (r.any || r.memory)
		add_signal(f, SIG_READ_PREFETCH_MEMORY);
	if (r.any || (r.hit_e && r.hit_m))
		add_signal(f, SIG_READ_PREFETCH_LLC);
	return r.any || r.hit_e == r.hit_m;
}

/* Write-backs, port accesses and uncacheable memory have no supplier. False: not known. */
static bool offcore_others(struct pmu_filter *f, struct offcore_response r, bool writes, bool other)
{
	if (!r.any)
		return !writes && !other;
	if (writes)
		add_signal(f, SIG_L2_WRITEBACK);
	if (other) {
		add_signal(f, SIG_UNCACHED_READ);
		add_signal(f, SIG_UNCACHED_WRITE);
		add_signal(f, SIG_IO_READ);
		add_signal(f, SIG_IO_WRITE);
	}
	return true;
}

/*
 * The signals of offcore responses. Bits 0 to 2 of the register are demand reads of data, requests
 * for ownership and reads of code, 3 write-backs, 15 others; those of hardware prefetchers never
 * occur. False: the register selects more than is known.
 */
static bool offcore_terms(struct pmu_filter *f, const struct sim_pmu_model *m, uint64_t value)
{
	struct offcore_response r = offcore_response(m, value);
	bool nehalem = m->offcore_mask[0] == OFFCORE_NEHALEM;
	/* requests of prefetchers alone, and those of prefetch instructions */
	uint64_t never = nehalem ? BITS(6, 4) : BITS(9, 4), soft = 0, other = nehalem ? 0 : BIT(15);
	bool known = true;

	if (m->version >= 4)
		soft = m->offcore_mask[0] & BIT(14) ? BIT(14) : BIT(10);
	if (soft == BIT(14))
		never |= BIT(10);
	for (unsigned i = 0; i < 3; i++) {
		const struct offcore_request *q = &offcore_requests[i];

		if (!(value & BIT(i)))
			continue;
		if (r.any)
			add_signal(f, q->beyond);
		else if (r.hit_e && r.hit_m)
			add_signal(f, q->hit);
		else if (r.hit_e || r.hit_m)
			add_signal(f, r.hit_e ? q->hit_e : q->hit_m);
		if (!r.any && r.memory)
			add_signal(f, q->memory);
	}
	if (value & soft)
		known = offcore_prefetches(f, r);
	known &= offcore_others(f, r, value & BIT(3), value & other);
	return known && !(value & BITS(nehalem ? 7 : 15, 0) & ~(BITS(3, 0) | never | soft | other));
}

/* Events B7H and BBH, 2AH and 2BH, or unit masks 1 and 2: the first has MSR 1A6H. */
static void set_offcore(const struct arch *a, struct pmu_filter *f)
{
	bool second = f->code == 0xbb || f->code == 0x2b || f->umask == 2;

	f->terms = 0;
	f->unknown = !offcore_terms(f, a->pmu.model, a->offcore[second]);
}

/* MSR 3F7H: what the front end did to an instruction, or how long it gave none before it. */
enum {
	FRONTEND_ANY_DSB_MISS = 0x01,
	FRONTEND_LATENCY = 0x06, /* bits 19:8 clocks, 22:20 empty slots in each of them */
	FRONTEND_MS_FLOWS = 0x08,
	FRONTEND_DSB_MISS = 0x11,
	FRONTEND_L1I_MISS = 0x12,
	FRONTEND_L2_MISS = 0x13,
	FRONTEND_ITLB_MISS = 0x14,
	FRONTEND_STLB_MISS = 0x15,
	FRONTEND_UNKNOWN_BRANCH = 0x17,
};

/* Only clocks in which all slots are empty are known. */
static bool frontend_known(const struct arch *a)
{
	switch (a->frontend & 0x1f) {
	case FRONTEND_LATENCY:
		return (a->frontend >> 20 & 7) == a->pmu.model->slots;
	case FRONTEND_ANY_DSB_MISS:
	case FRONTEND_MS_FLOWS:
	case FRONTEND_DSB_MISS:
	case FRONTEND_L1I_MISS:
	case FRONTEND_L2_MISS:
	case FRONTEND_ITLB_MISS:
	case FRONTEND_STLB_MISS:
	case FRONTEND_UNKNOWN_BRANCH:
		return true;
	default:
		return false;
	}
}

static bool frontend_tags(const struct arch *a, const struct sim_step *step)
{
	const uint32_t *n = step->n;

	if (!n[SIG_INSTRUCTIONS])
		return false;
	switch (a->frontend & 0x1f) {
	case FRONTEND_ANY_DSB_MISS:
		return n[SIG_DECODED_UOPS];
	case FRONTEND_LATENCY:
		return n[SIG_WAITED_CLOCKS] >= (a->frontend >> 8 & 0xfff);
	case FRONTEND_MS_FLOWS:
		return n[SIG_MICROCODE_UOPS];
	case FRONTEND_DSB_MISS:
		return n[SIG_DECODED_UOPS] && n[SIG_WAITED_DECODE];
	case FRONTEND_L1I_MISS:
		return n[SIG_L1I_MISS];
	case FRONTEND_L2_MISS:
		return n[SIG_L2_CODE_MISS];
	case FRONTEND_ITLB_MISS:
		return n[SIG_ITLB_MISS];
	case FRONTEND_STLB_MISS:
		return n[SIG_ITLB_WALK];
	case FRONTEND_UNKNOWN_BRANCH:
		return n[SIG_FOUND_TAKEN];
	default:
		return false;
	}
}

/* What filters of the step's loads and of its front end pass. */
static void tag(struct arch *a, const struct sim_step *step)
{
	a->pmu.tagged = frontend_known(a) && frontend_tags(a, step);
	a->pmu.slow_loads = 0;
	for (unsigned i = 0; i < step->loads; i++)
		a->pmu.slow_loads += step->load_clocks[i] > a->ld_lat;
}

static bool has_term(const struct pmu_filter *f, enum sim_signal sig)
{
	return f->terms && f->term[0].signal == sig;
}

/* ---- from registers to filters ---- */

static void set_gp_filter(struct arch *a, unsigned n)
{
	struct pmu_filter *f = &a->counter[n].filter;
	uint64_t e = a->evtsel[n];
	uint32_t umask = (uint32_t)((e >> 8 & 0xff) | (e >> 40 & 0xff) << 8);

	f->cpl_mask = pmu_cpl_mask(e & EVTSEL_USR, e & EVTSEL_OS);
	pmu_filter_cmask(f, e >> 24 & 0xff, e & EVTSEL_INV, e & EVTSEL_EDGE, e & EVTSEL_EQ);
	f->level = false;
	pmu_filter_event(f, a->pmu.model, e & 0xff, umask, 0, n);
	if (has_term(f, SIG_OFFCORE_RESPONSE))
		set_offcore(a, f);
	if (has_term(f, SIG_FRONTEND_TAGGED))
		f->unknown = !frontend_known(a);
	pmu_filter_clocks(&a->pmu, f);
	if (n == 1 && a->pmu.fault == PMU_FAULT_AE49)
		e = (e & ~EVTSEL_EN) | (a->evtsel[0] & EVTSEL_EN);
	if (!(e & EVTSEL_EN) || e & EVTSEL_IN_TX)
		f->cpl_mask = 0;
}

static void set_fixed_filter(struct arch *a, unsigned n)
{
	static const uint16_t signal[] = { SIG_INSTRUCTIONS, SIG_CLOCKS,    SIG_REF_CLOCKS,
		                           SIG_CLOCKS,       SIG_BAD_SLOTS, SIG_LOST_SLOTS,
		                           SIG_RETIRED_SLOTS };
	struct pmu_filter *f = &a->counter[GP_MAX + n].filter;
	unsigned ctrl = a->fixed_ctrl >> (4 * n) & 0xf;

	*f = (struct pmu_filter){ .cpl_mask = pmu_cpl_mask(ctrl & FIXED_USR, ctrl & FIXED_OS) };
	if (n < sizeof(signal) / sizeof(signal[0]) &&
	    (a->pmu.core || !sim_signal_clocked((enum sim_signal)signal[n])))
		pmu_filter_add(f, (struct sim_term){ signal[n], n == 3 ? a->pmu.model->slots : 1 });
	pmu_filter_clocks(&a->pmu, f);
}

static bool counts(const struct arch *a, unsigned n)
{
	const struct pmu_filter *f = &a->counter[n].filter;

	if (!f->cpl_mask || (!f->terms && f->compare == PMU_ADD) || (a->stuck && n < GP_MAX))
		return false;
	if (a->pmu.model->version < 2)
		return true;
	return a->global_ctrl & BIT(n) && !(a->status & STATUS_FROZEN);
}

static bool has_any(const struct arch *a, unsigned n)
{
	if (n < GP_MAX)
		return a->evtsel[n] & EVTSEL_ANY;
	return a->fixed_ctrl >> (4 * (n - GP_MAX)) & FIXED_ANY;
}

static void update_running(struct arch *a)
{
	pmu_set_running(&a->pmu,
	                a->active_count || pmu_lbr_active(&a->lbr) || (a->other && a->other->any));
}

/* The list of counters that may move, after any change of enable bits. */
static void update_active(struct arch *a)
{
	a->active_count = 0;
	a->any = a->tags = false;
	for (unsigned n = 0; n < COUNTERS; n++)
		if (counts(a, n) && !pmu_starved(&a->pmu, a->active_count)) {
			a->active[a->active_count++] = (uint8_t)n;
			a->any |= has_any(a, n);
			a->tags |= has_term(&a->counter[n].filter, SIG_FRONTEND_TAGGED) ||
			           has_term(&a->counter[n].filter, SIG_SLOW_LOADS);
		}
	a->pmu.asks_clocks = a->pmu.core && a->global_ctrl & GLOBAL_METRICS;
	a->lbr.frozen = a->status & STATUS_LBR_FROZEN;
	update_running(a);
	if (a->other)
		update_running(a->other);
}

static bool share(struct sim_pmu *pmu, struct sim_pmu *sibling)
{
	struct arch *a = (struct arch *)pmu, *other = (struct arch *)sibling;

	if (other && !other->other) {
		a->other = other;
		other->other = a;
	}
	return true;
}

static void release(struct sim_pmu *pmu)
{
	struct arch *a = (struct arch *)pmu;

	if (a->other)
		a->other->other = NULL;
}

static void halt(struct sim_pmu *pmu)
{
	((struct arch *)pmu)->halted = true;
}

static void reset(struct sim_pmu *pmu)
{
	struct arch *a = (struct arch *)pmu;
	const struct sim_pmu_model *m = pmu->model;
	struct sim_pmu base = *pmu;

	*a = (struct arch){ .pmu = base, .other = a->other };
	pmu->counter = a->counter;
	pmu->counter_count = COUNTERS;
	for (unsigned n = 0; n < COUNTERS; n++)
		if (n < GP_MAX ? gp_exists(a, n) : fixed_exists(a, n - GP_MAX))
			a->counter[n].mask = BITS(m->width - 1, 0);
	if (m->version >= 2)
		a->global_ctrl = BITS(m->counters - 1, 0);
	if (m->ds)
		a->ds.dtes64 = m->dtes64;
	pmu_lbr_reset(&a->lbr, m->lbr);
	update_active(a);
}

/* ---- registers ---- */

static uint64_t inuse(const struct arch *a)
{
	uint64_t bits = 0;
	bool pmi = a->pebs_enable;

	for (unsigned n = 0; n < a->pmu.model->counters; n++) {
		bits |= a->evtsel[n] & 0xff ? BIT(n) : 0;
		pmi |= !!(a->evtsel[n] & EVTSEL_INT);
	}
	for (unsigned n = 0; n < FIXED_MAX; n++) {
		unsigned ctrl = a->fixed_ctrl >> (4 * n) & 0xf;

		bits |= (ctrl & (FIXED_OS | FIXED_USR)) ? BIT(32 + n) : 0;
		pmi |= !!(ctrl & FIXED_PMI);
	}
	return bits | (pmi ? BIT(63) : 0);
}

/*
 * Byte by byte the share of slots that retire, that bad speculation takes, that lack code, and the
 * others; where there are eight, parts of each of these. Without a superscalar core only the first
 * is derived.
 */
static uint64_t metrics(const struct arch *a)
{
	uint64_t value = 0;

	if (!a->metrics_slots)
		return a->metrics;
	for (unsigned i = 0; i < a->pmu.model->metrics; i++) {
		uint64_t share = a->metrics_part[i] * 255 / a->metrics_slots;

		value |= (share > 255 ? 255 : share) << (8 * i);
	}
	return value;
}

static bool read_pebs(const struct arch *a, uint32_t msr, uint64_t *value)
{
	const struct sim_pmu_model *m = a->pmu.model;

	switch (msr) {
	case MSR_PEBS_ENABLE:
		*value = a->pebs_enable;
		return m->pebs;
	case MSR_PEBS_DATA_CFG:
		*value = a->data_cfg;
		return m->pebs && pebs_format(a) >= 4;
	case MSR_PEBS_LD_LAT:
		*value = a->ld_lat;
		return m->pebs && pebs_format(a) >= 1;
	case MSR_PEBS_FRONTEND:
		*value = a->frontend;
		return m->frontend_mask;
	default:
		return false;
	}
}

/* Registers without address arithmetic. */
static enum sim_msr read_plain(struct arch *a, uint32_t msr, uint64_t *value)
{
	const struct sim_pmu_model *m = a->pmu.model;
	bool exists = false;

	switch (msr) {
	case MSR_PERF_CAPABILITIES:
		*value = m->perf_capabilities;
		exists = m->pdcm;
		break;
	case MSR_PERF_METRICS:
		*value = metrics(a);
		exists = m->perf_capabilities & CAP_METRICS;
		break;
	case MSR_FIXED_CTRL:
		*value = a->fixed_ctrl;
		exists = m->version >= 2;
		break;
	case MSR_GLOBAL_STATUS:
		*value = a->status;
		exists = m->version >= 2;
		break;
	case MSR_GLOBAL_CTRL:
		*value = a->global_ctrl;
		exists = m->version >= 2;
		break;
	case MSR_GLOBAL_OVF_CTRL: /* write-only in effect: reads 0 */
		exists = m->version >= 2;
		break;
	case MSR_GLOBAL_STATUS_SET:
		exists = m->version >= 4;
		break;
	case MSR_GLOBAL_INUSE:
		*value = inuse(a);
		exists = m->version >= 4;
		break;
	case MSR_OFFCORE_RSP:
	case MSR_OFFCORE_RSP + 1:
		*value = a->offcore[msr - MSR_OFFCORE_RSP];
		exists = m->offcore_mask[msr - MSR_OFFCORE_RSP];
		break;
	case MSR_DS_AREA:
		*value = a->ds.area;
		exists = m->ds;
		break;
	default:
		exists = read_pebs(a, msr, value);
		break;
	}
	return exists ? MSR_OK : MSR_NOT_MINE;
}

/* Where a register with a counter number stands. */
enum place { PLACE_NONE, PLACE_EVTSEL, PLACE_PMC, PLACE_FULL, PLACE_FIXED };

static enum place decode_v6(const struct arch *a, uint32_t msr, unsigned *n)
{
	if (a->pmu.model->version < 6)
		return PLACE_NONE;
	*n = (msr - MSR_V6_GP0) / 4;
	if (msr >= MSR_V6_GP0 && gp_exists(a, *n) && msr % 4 < 2)
		return msr % 4 ? PLACE_EVTSEL : PLACE_FULL;
	*n = (msr - MSR_V6_FIXED0) / 4;
	if (msr >= MSR_V6_FIXED0 && fixed_exists(a, *n) && msr % 4 == 0)
		return PLACE_FIXED;
	return PLACE_NONE;
}

static enum place decode(const struct arch *a, uint32_t msr, unsigned *n)
{
	*n = msr - MSR_EVTSEL0;
	if (gp_exists(a, *n))
		return PLACE_EVTSEL;
	*n = msr - MSR_PMC0;
	if (gp_exists(a, *n))
		return PLACE_PMC;
	*n = msr - MSR_A_PMC0;
	if (gp_exists(a, *n) && a->pmu.model->perf_capabilities & CAP_FULL_WIDTH)
		return PLACE_FULL;
	*n = msr - MSR_FIXED0;
	if (fixed_exists(a, *n))
		return PLACE_FIXED;
	return decode_v6(a, msr, n);
}

static enum sim_msr rdmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t *value)
{
	struct arch *a = (struct arch *)pmu;
	unsigned n;

	switch (decode(a, msr, &n)) {
	case PLACE_EVTSEL:
		*value = a->evtsel[n];
		return MSR_OK;
	case PLACE_PMC:
	case PLACE_FULL:
		*value = pmu_counter_read(pmu, &a->counter[n]);
		return MSR_OK;
	case PLACE_FIXED:
		*value = pmu_counter_read(pmu, &a->counter[GP_MAX + n]);
		return MSR_OK;
	case PLACE_NONE:
		break;
	}
	if (read_plain(a, msr, value) == MSR_OK)
		return MSR_OK;
	return pmu_lbr_rdmsr(&a->lbr, msr, value);
}

static enum sim_msr store(uint64_t *field, uint64_t value, uint64_t mask)
{
	if (value & ~mask)
		return MSR_GP;
	*field = value;
	return MSR_OK;
}

static bool canonical(uint64_t linear)
{
	return (uint64_t)((int64_t)(linear << 16) >> 16) == linear;
}

static enum sim_msr write_fixed_ctrl(struct arch *a, uint64_t value)
{
	enum sim_msr r = store(&a->fixed_ctrl, value, fixed_ctrl_mask(a));

	for (unsigned n = 0; n < FIXED_MAX; n++)
		if (fixed_exists(a, n))
			set_fixed_filter(a, n);
	return r;
}

static enum sim_msr write_status(struct arch *a, uint64_t value, bool set)
{
	if (value & ~status_mask(a))
		return MSR_GP;
	a->status = set ? a->status | value : a->status & ~value;
	return MSR_OK;
}

static enum sim_msr write_metrics(struct arch *a, uint64_t value)
{
	a->metrics = value;
	a->metrics_slots = 0;
	memset(a->metrics_part, 0, sizeof(a->metrics_part));
	return MSR_OK;
}

static enum sim_msr write_pebs_enable(struct arch *a, uint64_t value)
{
	enum sim_msr r = store(&a->pebs_enable, value, a->pmu.model->pebs_mask);

	a->pebs_armed &= a->pebs_enable;
	return r;
}

/*
 * Nehalem, erratum AAK100 as Linux works around it: after a start with other events than before the
 * general counters stand still, unless all four have run with events B5H, D2H, B1H, B1H in between.
 */
static void start_asleep(struct arch *a)
{
	static const uint16_t waking[4] = { 0xb5, 0xd2, 0xb1, 0xb1 };
	bool same = true, wakes = (a->global_ctrl & 0xf) == 0xf;

	for (unsigned n = 0; n < 4; n++) {
		uint16_t event = a->global_ctrl & BIT(n) ? (uint16_t)a->evtsel[n] : 0;

		wakes &= a->evtsel[n] & EVTSEL_EN && event == waking[n];
		same &= event == a->started[n];
		a->started[n] = event;
	}
	a->stuck = !wakes && !a->woken && (a->stuck || !same);
	a->woken = wakes;
}

static enum sim_msr write_global_ctrl(struct arch *a, uint64_t value)
{
	enum sim_msr r = store(&a->global_ctrl, value, global_ctrl_mask(a));

	if (a->pmu.fault == PMU_FAULT_AAK100 && a->global_ctrl & 0xf)
		start_asleep(a);
	return r;
}

/* A register that filters what general counters count. */
static enum sim_msr write_filter(struct arch *a, uint64_t *field, uint64_t value, uint64_t mask)
{
	enum sim_msr r = store(field, value, mask);

	for (unsigned n = 0; n < a->pmu.model->counters; n++)
		set_gp_filter(a, n);
	return r;
}

/* Registers without address arithmetic that exist (read_plain() knows them). */
static enum sim_msr write_plain(struct arch *a, uint32_t msr, uint64_t value)
{
	const struct sim_pmu_model *m = a->pmu.model;

	switch (msr) {
	case MSR_PERF_METRICS:
		return write_metrics(a, value);
	case MSR_FIXED_CTRL:
		return write_fixed_ctrl(a, value);
	case MSR_GLOBAL_CTRL:
		return write_global_ctrl(a, value);
	case MSR_GLOBAL_OVF_CTRL:
		return write_status(a, value, false);
	case MSR_GLOBAL_STATUS_SET:
		return write_status(a, value, true);
	case MSR_PEBS_ENABLE:
		return write_pebs_enable(a, value);
	case MSR_PEBS_DATA_CFG:
		return store(&a->data_cfg, value, BITS(31, 24) | BITS(3, 0));
	case MSR_PEBS_LD_LAT:
		return store(&a->ld_lat, value, BITS(15, 0));
	case MSR_PEBS_FRONTEND:
		return write_filter(a, &a->frontend, value, m->frontend_mask);
	case MSR_OFFCORE_RSP:
	case MSR_OFFCORE_RSP + 1:
		return write_filter(a, &a->offcore[msr - MSR_OFFCORE_RSP], value,
		                    m->offcore_mask[msr - MSR_OFFCORE_RSP]);
	case MSR_DS_AREA:
		return canonical(value) ? store(&a->ds.area, value, ~0ull) : MSR_GP;
	default:
		return MSR_GP; /* read-only: PERF_CAPABILITIES, GLOBAL_STATUS, GLOBAL_INUSE */
	}
}

static enum sim_msr write_evtsel(struct arch *a, unsigned n, uint64_t value)
{
	enum sim_msr r = store(&a->evtsel[n], value, evtsel_mask(a, n));

	set_gp_filter(a, n);
	if (!n && a->pmu.fault == PMU_FAULT_AE49)
		set_gp_filter(a, 1);
	return r;
}

static enum sim_msr write_any(struct arch *a, uint32_t msr, uint64_t value)
{
	uint64_t old;
	unsigned n;

	switch (decode(a, msr, &n)) {
	case PLACE_EVTSEL:
		return write_evtsel(a, n, value);
	case PLACE_PMC:
		pmu_counter_write32(&a->counter[n], value);
		return MSR_OK;
	case PLACE_FULL:
		return store(&a->counter[n].value, value, a->counter[n].mask);
	case PLACE_FIXED:
		if (n == 3 && !value)
			write_metrics(a, 0);
		n += GP_MAX;
		return store(&a->counter[n].value, value, a->counter[n].mask);
	case PLACE_NONE:
		break;
	}
	if (read_plain(a, msr, &old) == MSR_OK)
		return write_plain(a, msr, value);
	return pmu_lbr_wrmsr(&a->lbr, msr, value);
}

/* Raises the interrupt and freezes what DEBUGCTL says. */
static void interrupt(struct arch *a)
{
	bool streamlined = a->pmu.model->version >= 4;
	uint64_t d = pmu_debugctl(&a->lbr);

	if (d & DEBUGCTL_FREEZE_PERFMON) {
		if (streamlined)
			a->status |= STATUS_FROZEN;
		else
			a->global_ctrl = 0;
	}
	if (d & DEBUGCTL_FREEZE_LBRS) {
		if (streamlined)
			a->status |= STATUS_LBR_FROZEN;
		else
			a->lbr.debugctl &= ~DEBUGCTL_LBR;
	}
	update_active(a);
	pmu_raise(&a->pmu);
}

/* The clock is over in which an interrupt that freezes came up. */
static void end_clock(struct arch *a)
{
	if (!a->freezes)
		return;
	a->freezes = false;
	interrupt(a);
}

static enum sim_msr wrmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t value)
{
	struct arch *a = (struct arch *)pmu;
	enum sim_msr r;

	end_clock(a);
	r = write_any(a, msr, value);
	if (r == MSR_OK)
		update_active(a);
	return r;
}

static enum sim_rdpmc rdpmc(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value)
{
	struct arch *a = (struct arch *)pmu;
	uint32_t n = ecx & 0xffff;

	switch (ecx >> 16) {
	case 0:
		if (!gp_exists(a, n))
			return RDPMC_GP;
		*value = pmu_counter_read(pmu, &a->counter[n]);
		return RDPMC_OK;
	case 0x4000:
		if (!fixed_exists(a, n))
			return RDPMC_GP;
		*value = pmu_counter_read(pmu, &a->counter[GP_MAX + n]);
		return RDPMC_OK;
	case 0x2000:
		if (n || !(pmu->model->perf_capabilities & CAP_METRICS))
			return RDPMC_GP;
		*value = metrics(a);
		return RDPMC_OK;
	default:
		return RDPMC_GP;
	}
}

/* ---- counting ---- */

static bool wants_interrupt(const struct arch *a, unsigned n)
{
	if (n < GP_MAX)
		return a->evtsel[n] & EVTSEL_INT;
	return a->fixed_ctrl >> (4 * (n - GP_MAX)) & FIXED_PMI;
}

static bool wants_adaptive(const struct arch *a, unsigned n)
{
	if (n < GP_MAX)
		return a->evtsel[n] & EVTSEL_ADAPTIVE;
	return a->fixed_ctrl & BIT(32 + 4 * (n - GP_MAX));
}

/* Slot of the reset value in the DS area. */
static unsigned reset_slot(const struct arch *a, unsigned n)
{
	if (n < GP_MAX)
		return n;
	return n - GP_MAX + (pebs_format(a) >= 5 ? 32 : 8);
}

/* One record for all counters in the bitmap; true = interrupt. */
static bool sample(struct arch *a, uint64_t counters, const struct sim_step *step)
{
	struct pmu_pebs_facts facts = {
		.format = pebs_format(a),
		.counters = counters,
		.data_cfg = a->data_cfg,
		.lbr = &a->lbr,
		.step = step,
	};

	for (unsigned n = 0; n < COUNTERS; n++) {
		if (!(counters & BIT(n)))
			continue;
		facts.adaptive |= wants_adaptive(a, n);
		a->counter[n].value =
			pmu_ds_reset_value(&a->pmu, &a->ds, reset_slot(a, n)) & a->counter[n].mask;
	}
	a->pebs_armed &= ~counters;
	if (pmu_pebs_store(&a->pmu, &a->ds, &facts) != DS_THRESHOLD)
		return false;
	a->status |= STATUS_DS_BUFFER;
	return true;
}

/*
 * The clock of a longer step in which a counter of clocks overflows and freezes all others; 0: none
 * does. Events come in the last clock of a step, so no other counter can.
 */
static uint32_t freezing_clock(const struct arch *a, const struct sim_step *step)
{
	uint64_t best = 0;

	for (unsigned i = 0; i < a->active_count; i++) {
		unsigned n = a->active[i];
		const struct pmu_counter *c = &a->counter[n];
		const struct pmu_filter *f = &c->filter;
		uint64_t left = c->mask - c->value;

		if (!wants_interrupt(a, n) || a->pebs_enable & BIT(n) || f->compare != PMU_ADD ||
		    f->terms != 1 || !(f->cpl_mask >> (step->cpl & 3) & 1) ||
		    sim_signal_info[f->term[0].signal].kind != SIGNAL_LEVEL ||
		    pmu_filter_sum(&a->pmu, f, step) <= left)
			continue;
		left = left / f->term[0].weight + 1;
		best = best && best < left ? best : left;
	}
	return best < step->clocks ? (uint32_t)best : 0;
}

/* What of the step its first clocks have: nothing retires in them. */
static struct sim_step first_clocks(const struct sim_step *step, uint32_t clocks)
{
	struct sim_step cut = *step;

	cut.clocks = clocks;
	cut.loads = 0;
	for (unsigned i = 0; i < cut.touched_count; i++) {
		unsigned sig = cut.touched[i];

		if (sim_signal_info[sig].kind != SIGNAL_LEVEL)
			cut.n[sig] = 0;
		else if (cut.n[sig] > clocks)
			cut.n[sig] = clocks;
	}
	return cut;
}

static void count_metrics(struct arch *a, const struct sim_step *step)
{
	/* heavy operations, mispredicted branches (nothing else is bad here), latency, memory */
	static const uint8_t lane[8] = { LANE_RETIRED_SLOTS, LANE_BAD_SLOTS,   LANE_LOST_SLOTS,
		                         LANE_BACKEND_SLOTS, LANE_HEAVY_SLOTS, LANE_BAD_SLOTS,
		                         LANE_LATENCY_SLOTS, LANE_MEMORY_SLOTS };

	if (!(a->global_ctrl & GLOBAL_METRICS) || !counts(a, GP_MAX + 3))
		return;
	if (!a->pmu.core) {
		a->metrics_slots += (uint64_t)step->clocks * a->pmu.model->slots;
		a->metrics_part[0] += step->n[SIG_UOPS];
		return;
	}
	for (unsigned i = 0; i < step->runs; i++) {
		const struct sim_run *run = &step->run[i];

		a->metrics_slots += (uint64_t)run->clocks * a->pmu.model->slots;
		for (unsigned n = 0; n < 8; n++)
			a->metrics_part[n] += (uint64_t)run->clocks * run->n[lane[n]];
	}
}

/*
 * Does the counter count what the other thread of its core does? Both have the same clocks: those
 * of the other count while this thread is halted.
 */
static bool counts_other(const struct arch *a, unsigned n)
{
	const struct pmu_filter *f = &a->counter[n].filter;
	bool level = f->terms && sim_signal_info[f->term[0].signal].kind == SIGNAL_LEVEL;

	return has_any(a, n) && (a->halted || !level);
}

/* Counts a step of this thread, or of the other one. True: an interrupt. */
static bool count(struct arch *a, const struct sim_step *step, bool own, uint64_t *captured)
{
	struct sim_pmu *pmu = &a->pmu;
	bool versioned = pmu->model->version >= 2;
	bool pmi = false;

	if (a->tags)
		tag(a, step);
	for (unsigned i = 0; i < a->active_count; i++) {
		unsigned n = a->active[i];
		uint64_t count = own || counts_other(a, n)
		                         ? pmu_filter_count(pmu, &a->counter[n].filter, step)
		                         : 0;

		if (!count && !pmu->lies)
			continue;
		if (a->pebs_armed & BIT(n)) {
			*captured |= BIT(n);
			continue;
		}
		if (!pmu_counter_add(pmu, &a->counter[n], count))
			continue;
		if (a->pebs_enable & BIT(n)) {
			a->pebs_armed |= BIT(n);
			continue;
		}
		a->status |= versioned ? BIT(n) : 0;
		pmi |= wants_interrupt(a, n);
	}
	if (own)
		count_metrics(a, step);
	return pmi;
}

/*
 * Of counters that count the core's own clocks: in which of the clocks that the step gives
 * the first one overflows; 0: none does.
 */
static uint64_t freezing_run(const struct arch *a, const struct sim_step *step)
{
	uint64_t best = 0;

	for (unsigned i = 0; i < a->active_count; i++) {
		unsigned n = a->active[i];
		const struct pmu_counter *c = &a->counter[n];
		uint64_t at;

		if (!c->filter.by_clock || !wants_interrupt(a, n) || a->pebs_enable & BIT(n) ||
		    !(c->filter.cpl_mask >> (step->cpl & 3) & 1))
			continue;
		at = pmu_runs_until(&c->filter, step, c->mask - c->value);
		best = at && (!best || at < best) ? at : best;
	}
	return best;
}

/* Counts the step, but of the core's clocks only the first ones. True: an interrupt. */
static bool count_until(struct arch *a, const struct sim_step *step, uint64_t clocks,
                        uint64_t *captured)
{
	struct sim_step cut = *step;
	struct sim_run *last = step->run;
	uint32_t whole;
	bool pmi;

	while (last->clocks < clocks)
		clocks -= last++->clocks;
	whole = last->clocks;
	last->clocks = (uint32_t)clocks;
	cut.runs = (uint32_t)(last - step->run) + 1;
	pmi = count(a, &cut, true, captured);
	last->clocks = whole;
	return pmi;
}

/* What the counters of the other thread see of a step. */
static void tell_other(struct arch *other, const struct sim_step *step)
{
	uint64_t captured = 0;

	if (other && other->any && count(other, step, false, &captured))
		interrupt(other);
}

static void retire(struct sim_pmu *pmu, const struct sim_step *step)
{
	struct arch *a = (struct arch *)pmu;
	uint64_t captured = 0;
	uint64_t early_run = 0;
	uint32_t early = 0;
	bool pmi;

	a->halted = false;
	tell_other(a->other, step);
	if (step->clocks)
		end_clock(a);
	pmu->inserts = step->branch && pmu_lbr_active(&a->lbr) && pmu_lbr_inserts(&a->lbr, step);
	if (pmu_debugctl(&a->lbr) & DEBUGCTL_FREEZE_PERFMON && step->clocks > 1)
		early = freezing_clock(a, step);
	if (pmu->by_clock && pmu_debugctl(&a->lbr) & DEBUGCTL_FREEZE_PERFMON)
		early_run = freezing_run(a, step);
	if (early_run) {
		pmi = count_until(a, step, early_run, &captured);
	} else if (early) {
		struct sim_step cut = first_clocks(step, early);

		pmi = count(a, &cut, true, &captured);
	} else {
		pmi = count(a, step, true, &captured);
	}
	if (pmu_lbr_active(&a->lbr)) {
		pmu_bts_retire(pmu, &a->ds, &a->lbr, step);
		pmu_lbr_retire(&a->lbr, step);
	}
	if (captured)
		pmi |= sample(a, captured, step);
	if (!pmi)
		return;
	if (pmu_debugctl(&a->lbr) & DEBUGCTL_FREEZE_PERFMON && !early && !early_run)
		a->freezes = true;
	else
		interrupt(a);
}

const struct sim_pmu_ops sim_pmu_arch_ops = {
	.size = sizeof(struct arch),
	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.retire = retire,
	.share = share,
	.release = release,
	.halt = halt,
};
