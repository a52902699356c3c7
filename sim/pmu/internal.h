/*
 * sim/pmu/internal.h - what the register models share: counters with their filters, last-branch
 * records, the DS area. Only for sim/pmu and its tests.
 */
#ifndef SIM_PMU_INTERNAL_H
#define SIM_PMU_INTERNAL_H

#include "sim/pmu/pmu.h"

#define BIT(n) (1ull << (n))

/* Bits hi..lo set. */
#define BITS(hi, lo) ((~0ull >> (63 - (hi))) & (~0ull << (lo)))

/* How a counter turns the sum of its signals in a clock into an increment. */
enum pmu_compare {
	PMU_ADD, /* add the sum */
	PMU_GE,  /* one if sum >= reference */
	PMU_LT,
	PMU_EQ,
	PMU_NE,
	PMU_GT,
	PMU_LE,
};

/*
 * What one counter counts. An instruction of C clocks is C clocks long for the comparison: LEVEL
 * signals are 1 in the first of them, EVENT signals come in the last. That is the definition of
 * cmask, inv and edge in this simulator for every family.
 */
struct pmu_filter {
	struct sim_term term[SIM_EVENT_TERMS];
	uint8_t lane[SIM_EVENT_TERMS]; /* of each, if by_clock */
	uint8_t terms;
	uint8_t cpl_mask; /* bit n: counts at CPL n */
	uint8_t compare;  /* enum pmu_compare */
	uint8_t reference;
	bool edge;        /* count only the change to true */
	bool input_gated; /* NetBurst: another CPL makes the sum 0, but the clocks still compare */
	bool clip;        /* NetBurst: the bus from detector to counter carries at most 15 */
	bool level;       /* was the comparison true in the clock before? */
	bool by_clock;    /* the core's own clocks count: pmu_filter_clocks() */
	bool unknown;     /* another register selects what nothing here derives */
	bool chosen;      /* by pmu_filter_event(), with the next three */
	uint16_t code, umask, unit;
};

enum { PMU_FIRST_FIXED = 32 }; /* arch: the first fixed counter in sim_pmu.counter */

struct pmu_counter {
	uint64_t value;
	uint64_t mask; /* ones in the width of the counter */
	struct pmu_filter filter;
	uint64_t told;       /* events of a counter that lies, as many as there were */
	uint64_t rest;       /* what a lie has left over for the next event */
	uint64_t left;       /* the value that it left behind */
	uint64_t quota;      /* events since software wrote another value */
	uint64_t starts;     /* how often it did */
	uint64_t last, step; /* events of the last step, and its number */
	uint64_t reads;      /* by software, if the counter's reads are stale */
	uint64_t seen;       /* by the last of them */
};

struct sim_pmu_ops {
	size_t size; /* of the struct that begins with struct sim_pmu */
	void (*reset)(struct sim_pmu *pmu);
	enum sim_msr (*rdmsr)(struct sim_pmu *pmu, uint32_t msr, uint64_t *value);
	enum sim_msr (*wrmsr)(struct sim_pmu *pmu, uint32_t msr, uint64_t value);
	enum sim_rdpmc (*rdpmc)(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value);
	void (*retire)(struct sim_pmu *pmu, const struct sim_step *step);
	/* Optional. */
	bool (*share)(struct sim_pmu *pmu, struct sim_pmu *sibling); /* before reset */
	void (*release)(struct sim_pmu *pmu);
	void (*halt)(struct sim_pmu *pmu);
	bool (*pmi_line)(const struct sim_pmu *pmu);
	uint64_t (*pin)(const struct sim_pmu *pmu, unsigned pin);
};

extern const struct sim_pmu_ops sim_pmu_p5_ops;
extern const struct sim_pmu_ops sim_pmu_p6_ops;
extern const struct sim_pmu_ops sim_pmu_netburst_ops;
extern const struct sim_pmu_ops sim_pmu_arch_ops;
extern const struct sim_pmu_ops sim_pmu_amd_ops;

/* ---- counters (counter.c) ---- */

/*
 * Puts the signals of an event into the filter. The pair (code, umask) is looked up as it is; if
 * there is no such row the bits of the unit mask are looked up one by one and a signal that several
 * of them have counts once. `counter` selects rows by their counter bitmap. Returns false, and
 * an empty list, when nothing of it can be counted.
 */
bool pmu_filter_event(struct pmu_filter *f, const struct sim_pmu_model *m, uint32_t code,
                      uint32_t umask, unsigned unit, unsigned counter);

/* Adds one signal, unless it is there. */
void pmu_filter_add(struct pmu_filter *f, struct sim_term term);

/* cmask/inv/edge of P6, architectural and AMD event selects. */
void pmu_filter_cmask(struct pmu_filter *f, unsigned cmask, bool inv, bool edge, bool eq);

/*
 * To be called last: where a superscalar core tells the signals clock by clock, comparisons are
 * those of its clocks. What no instruction tells is always counted so.
 */
void pmu_filter_clocks(const struct sim_pmu *pmu, struct pmu_filter *f);

/* USR and OS bits of an event select: CPL 1-3 and CPL 0. */
uint8_t pmu_cpl_mask(bool usr, bool os);

/* The part of pmu_filter_count() that compares clock by clock. */
uint64_t pmu_filter_compare(struct sim_pmu *pmu, struct pmu_filter *f, const struct sim_step *step);

/*
 * Of a counter that counts clocks of the core: in which of the step's clocks it has counted more
 * than `left`, the first is 1; 0: in none.
 */
uint64_t pmu_runs_until(const struct pmu_filter *f, const struct sim_step *step, uint64_t left);

/* How often the signal occurs in the step. Some signals are made by the PMU itself. */
static inline uint64_t pmu_occurrences(const struct sim_pmu *pmu, const struct sim_step *step,
                                       unsigned sig)
{
	if (sig == SIG_CLOCKS)
		return step->clocks;
	if (sig == SIG_LBR_INSERTS)
		return pmu->inserts;
	if (sig == SIG_SLOW_LOADS)
		return pmu->slow_loads;
	if (sig == SIG_FRONTEND_TAGGED)
		return pmu->tagged;
	if (sig == SIG_BUS_CLOCKS_ALONE)
		return pmu->alone ? pmu->bus : 0;
	return sig == SIG_BUS_CLOCKS ? pmu->bus : step->n[sig];
}

/* The signals of the filter in the step, each times its weight. */
static inline uint64_t pmu_filter_sum(const struct sim_pmu *pmu, const struct pmu_filter *f,
                                      const struct sim_step *step)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < f->terms; i++)
		sum += pmu_occurrences(pmu, step, f->term[i].signal) * f->term[i].weight;
	return sum;
}

/* The increments that the step makes. Inline, like the next: they run for every instruction. */
static inline uint64_t pmu_filter_count(struct sim_pmu *pmu, struct pmu_filter *f,
                                        const struct sim_step *step)
{
	if (pmu->fault == PMU_FAULT_ONE_LEVEL && step->cpl)
		return 0;
	if (f->compare != PMU_ADD || f->edge || f->by_clock)
		return pmu_filter_compare(pmu, f, step);
	return (f->cpl_mask & (1u << (step->cpl & 3))) ? pmu_filter_sum(pmu, f, step) : 0;
}

/* What the counter makes of `n` events by the lies that were ordered. */
uint64_t pmu_lied(struct sim_pmu *pmu, struct pmu_counter *c, uint64_t n);

/* What a read of the counter, which has this value, shows by the lies that were ordered. */
uint64_t pmu_lied_read(struct sim_pmu *pmu, struct pmu_counter *c, uint64_t value);

/* Does a hypervisor filter what the counter counts? */
bool pmu_denied(const struct sim_pmu *pmu, const struct pmu_counter *c);

/* Advances the counter; true when it wrapped. */
static inline bool pmu_counter_add(struct sim_pmu *pmu, struct pmu_counter *c, uint64_t n)
{
	uint64_t before = c->value;

	if (pmu->fault == PMU_FAULT_FAST)
		n *= 2;
	if (pmu->lies)
		n = pmu_lied(pmu, c, n);
	if ((pmu->denied.count || pmu->allowed.count) && pmu_denied(pmu, c))
		n = 0;
	c->left = (before + n) & c->mask;
	if (pmu->fault == PMU_FAULT_WRAP32) {
		c->value = (before & ~(uint64_t)UINT32_MAX) | (uint32_t)(before + n);
		return false;
	}
	c->value = (before + n) & c->mask;
	return n > c->mask - before;
}

/* As software sees it. */
uint64_t pmu_counter_read(struct sim_pmu *pmu, const struct pmu_counter *c);

/* With so many counters counting already, the next one starves. */
static inline bool pmu_starved(const struct sim_pmu *pmu, unsigned counting)
{
	return pmu->fault == PMU_FAULT_BUDGET && counting >= pmu->fault_value;
}

/* Low 32 bits of `value`, bit 31 copied up to the width of the counter. */
void pmu_counter_write32(struct pmu_counter *c, uint64_t value);

/* What the model wants; the fault to order has the last word. */
void pmu_set_running(struct sim_pmu *pmu, bool running);

/* Asks the processor for an overflow interrupt. */
void pmu_raise(struct sim_pmu *pmu);

/* ---- last-branch records and branch trace (lbr.c) ---- */

enum pmu_lbr_format {
	LBR_PAIR32, /* one MSR a branch: 31:0 from, 63:32 to */
	LBR_PLAIN,  /* from and to MSRs */
	LBR_FLAGS,  /* from[63] = mispredicted */
	LBR_INFO,   /* info MSRs: 15:0 clocks, 63 mispredicted */
	LBR_ARCH,   /* architectural, entry 0 is the latest */
	LBR_SINGLE, /* P6 and AMD K7+: 0x1db..0x1de, last branch and last interrupt */
};

struct sim_lbr_model {
	enum pmu_lbr_format format;
	uint8_t depth;
	uint32_t tos;  /* MSR of the top-of-stack index, 0 = none */
	uint32_t from; /* first MSR of each bank */
	uint32_t to;
	uint32_t info;
	uint32_t select; /* LBR_SELECT, 0 = none */
	uint64_t select_mask;
	uint64_t debugctl_mask; /* bits of MSR 0x1d9 that exist */
	bool netburst;          /* DEBUGCTLA layout: TR 2, BTS 3, BTINT 4, OFF_OS 5, OFF_USR 6 */
	bool amd_v2;            /* 0xc000010e, 0xc000010f, 0xc0010300.. */
};

#define PMU_LBR_MAX 32

struct pmu_lbr_entry {
	uint64_t from, to, info;
};

struct pmu_lbr {
	const struct sim_lbr_model *model;
	uint64_t debugctl;
	uint64_t select;
	uint64_t arch_ctl;
	uint8_t depth; /* in use; architectural LBR can change it */
	uint8_t tos;
	bool frozen;
	uint32_t clocks; /* since the last record */
	struct pmu_lbr_entry entry[PMU_LBR_MAX];
	uint64_t last_int_from, last_int_to;
};

/* DEBUGCTL bits in the layout of everything but NetBurst. */
#define DEBUGCTL_LBR            BIT(0)
#define DEBUGCTL_TR             BIT(6)
#define DEBUGCTL_BTS            BIT(7)
#define DEBUGCTL_BTINT          BIT(8)
#define DEBUGCTL_BTS_OFF_OS     BIT(9)
#define DEBUGCTL_BTS_OFF_USR    BIT(10)
#define DEBUGCTL_FREEZE_LBRS    BIT(11)
#define DEBUGCTL_FREEZE_PERFMON BIT(12)

/* As after RESET. `model` NULL: there are no records, and each register is MSR_NOT_MINE. */
void pmu_lbr_reset(struct pmu_lbr *lbr, const struct sim_lbr_model *model);
enum sim_msr pmu_lbr_rdmsr(struct pmu_lbr *lbr, uint32_t msr, uint64_t *value);
enum sim_msr pmu_lbr_wrmsr(struct pmu_lbr *lbr, uint32_t msr, uint64_t value);

/* Does it want to see branches? */
bool pmu_lbr_active(const struct pmu_lbr *lbr);
/* Will pmu_lbr_retire() put a record of the step on the stack? */
bool pmu_lbr_inserts(const struct pmu_lbr *lbr, const struct sim_step *step);
void pmu_lbr_retire(struct pmu_lbr *lbr, const struct sim_step *step);

/* DEBUGCTL bits in the common layout, whatever the family. */
uint64_t pmu_debugctl(const struct pmu_lbr *lbr);

/* ---- instruction-based sampling (ibs.c) ---- */

struct pmu_ibs {
	uint32_t leaf; /* EAX of CPUID leaf 8000001BH; 0: this model has none */
	uint64_t fetch_ctl, fetch[2], fetch_extd;
	uint64_t op_ctl, op[6], branch;
	uint64_t ctl;
	uint64_t fetches; /* below the 16 that the register counts in */
};

void pmu_ibs_reset(struct pmu_ibs *ibs, uint32_t leaf);
enum sim_msr pmu_ibs_rdmsr(struct pmu_ibs *ibs, uint32_t msr, uint64_t *value);
enum sim_msr pmu_ibs_wrmsr(struct pmu_ibs *ibs, uint32_t msr, uint64_t value);

/* Does it count anything? */
bool pmu_ibs_active(const struct pmu_ibs *ibs);
/* True: an interrupt through the extended entry of the local APIC. */
bool pmu_ibs_retire(struct pmu_ibs *ibs, const struct sim_step *step);

/* ---- DS area: BTS and PEBS buffers (ds.c) ---- */

struct pmu_ds {
	uint64_t area; /* IA32_DS_AREA */
	bool dtes64;
};

/* The two buffers of a DS area. */
enum pmu_ds_buffer { DS_BTS, DS_PEBS };

/* Result of an append. */
enum pmu_ds_result {
	DS_STORED,
	DS_THRESHOLD, /* stored, and the interrupt threshold is reached */
	DS_LOST,      /* buffer full or not mapped */
};

/* Has the area the layout of 64 bits? */
bool pmu_ds_wide(const struct sim_pmu *pmu, const struct pmu_ds *ds);
/* Appends a record. `circular`: a full buffer begins anew at its base. */
enum pmu_ds_result pmu_ds_append(struct sim_pmu *pmu, const struct pmu_ds *ds,
                                 enum pmu_ds_buffer buffer, const void *record, size_t size,
                                 bool circular);

/* Counter reset value of slot `slot` (0.., in the wide format GP then fixed); 0 if not mapped. */
uint64_t pmu_ds_reset_value(struct sim_pmu *pmu, const struct pmu_ds *ds, unsigned slot);

/* BTS record of a taken branch when DEBUGCTL wants it. */
void pmu_bts_retire(struct sim_pmu *pmu, const struct pmu_ds *ds, const struct pmu_lbr *lbr,
                    const struct sim_step *step);

/* What a PEBS record says beside the registers. */
struct pmu_pebs_facts {
	unsigned format;   /* PERF_CAPABILITIES[11:8]; NetBurst: 0 */
	uint64_t counters; /* bitmap of the counters that caused it */
	uint64_t data_cfg; /* MSR_PEBS_DATA_CFG, format 4 and later */
	bool adaptive;     /* this counter has its adaptive bit set */
	bool before;       /* registers before the instruction, if the host kept them */
	const struct pmu_lbr *lbr;
	const struct sim_step *step;
};

/* Makes a PEBS record of these facts and appends it. */
enum pmu_ds_result pmu_pebs_store(struct sim_pmu *pmu, const struct pmu_ds *ds,
                                  const struct pmu_pebs_facts *facts);

#endif
