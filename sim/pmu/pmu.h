/*
 * sim/pmu/pmu.h - the counting performance-monitoring units of the simulated CPUs.
 *
 * A model is a row (sim/pmu/models.c); the register models are one file per family:
 * p5.c, p6.c, netburst.c, arch.c, amd.c, each written from the Intel SDM volume
 * 3B respectively the AMD manuals. They know nothing about the rest of the simulator but
 * struct sim_pmu_host.
 */
#ifndef SIM_PMU_PMU_H
#define SIM_PMU_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/signal.h"

struct sim_pmu;

/* What the PMU needs from the logical CPU it belongs to. All members but ctx may be NULL. */
struct sim_pmu_host {
	void *ctx;
	/* An overflow interrupt for this logical CPU: deliver LVTPC at the next boundary. */
	void (*pmi)(void *ctx);
	/* A sample of AMD's IBS: the same through extended LVT entry 0. */
	void (*ibs)(void *ctx);
	/* Guest memory by linear address, for the DS area; false = not mapped. */
	bool (*store)(void *ctx, uint64_t linear, const void *p, size_t n);
	bool (*load)(void *ctx, uint64_t linear, void *p, size_t n);
	/* FLAGS IP AX BX CX DX SI DI BP SP R8..R15, after the instruction; IP linear. */
	void (*regs)(void *ctx, uint64_t regs[18]);
	/*
	 * The same before the instruction, from a copy kept since sim_pmu_wants_regs() was
	 * true; false = no copy. Only NetBurst asks (its assist comes before the retirement).
	 */
	bool (*regs_before)(void *ctx, uint64_t regs[18]);
	/* XMM0..XMM15 for adaptive PEBS records, 16 bytes each; NULL or false = zeros. */
	bool (*xmm)(void *ctx, uint8_t xmm[256]);
	uint64_t (*tsc)(void *ctx);
	bool (*ia32e)(void *ctx); /* EFER.LMA = 1 */
};

enum sim_pmu_kind {
	SIM_PMU_NONE,
	SIM_PMU_P5,
	SIM_PMU_P6,
	SIM_PMU_NETBURST,
	SIM_PMU_ARCH,
	SIM_PMU_AMD,
};

/* Outcomes of an access. MSR_NOT_MINE: it is no register of the PMU. GP, UD: the exception. */
enum sim_msr { MSR_NOT_MINE, MSR_OK, MSR_GP };
enum sim_rdpmc { RDPMC_OK, RDPMC_GP, RDPMC_UD };

/* For --fault: a PMU that misbehaves. */
enum sim_pmu_fault {
	PMU_FAULT_NONE,
	PMU_FAULT_ZERO,  /* counters read 0 */
	PMU_FAULT_STUCK, /* counters hold what is written, nothing counts */
	PMU_FAULT_FAST,  /* every increment counts double */
	PMU_FAULT_LOOSE, /* counters advance by one per instruction even when stopped */
	PMU_FAULT_GP,    /* every register of the PMU and RDPMC fault */
	/* From here on most counts are right. The value of sim_pmu_set_fault() is n. */
	PMU_FAULT_BUDGET,     /* n counters count at a time, those of the lowest numbers */
	PMU_FAULT_OFF_BY_ONE, /* every n-th read shows one too many */
	PMU_FAULT_ALIAS,      /* an odd counter has the registers of the one below */
	PMU_FAULT_WRAP32,     /* no carry leaves bit 31 of a counter */
	PMU_FAULT_ONE_LEVEL,  /* nothing counts outside of CPL 0 */
	PMU_FAULT_AE49,       /* Core Duo: the enable bit of counter 0 is that of counter 1 too */
	PMU_FAULT_AAK100,     /* Nehalem: counters stand still until they are woken */
	PMU_FAULT_RETRIES,    /* P6: event 43H counts every 500th reference twice */
	PMU_FAULT_N15,        /* NetBurst: the first write of a counter is off by 2^32 */
	PMU_FAULT_EARLY,      /* RDPMC reads before up to three older instructions are counted */
	PMU_FAULT_FROZEN,     /* the status says at the start that the counters are frozen */
};

/* A signal and how much each of its occurrences adds; weight 0 ends a list of them. */
struct sim_term {
	uint16_t signal; /* enum sim_signal */
	uint8_t weight;
};

#define SIM_EVENT_TERMS 12

/*
 * One event of a model as the tables (sim/pmu) have it. Rows that differ only in cmask,
 * inv and edge are names for settings of the counter, not other events.
 */
struct sim_event {
	const char *name; /* manual's name, with :UMASK where there are several */
	uint16_t code;    /* event select */
	uint16_t umask;   /* unit mask; NetBurst: one bit of the 16-bit event mask */
	uint16_t unit;    /* NetBurst: MSR of the even ESCR of the unit, else 0 */
	uint8_t cmask;    /* settings that belong to the name, else 0 */
	bool inv, edge;
	uint32_t counters;  /* bitmap of general counters that can count it; 0 = all */
	uint32_t models;    /* bitmap of the models of the table that have it; 0 = all */
	const char *source; /* where the encoding comes from */
	struct sim_term term[SIM_EVENT_TERMS]; /* none = not derived: exists, counts 0 */
	const char *why;                       /* why it is not (sim/docs/counters.md); else NULL */
};

#define SIM_EVENT_TABLES 4

/*
 * The maker's event list of a model (sim/pmu/perfmon-list.awk). It says more than the tables above:
 * which counters can count an encoding, and which encodings exist although nothing here derives
 * them.
 */
struct sim_listed {
	const char *name; /* the first of the maker's names for the encoding */
	uint16_t code, umask;
	uint8_t cmask;
	bool inv, edge;
	uint32_t counters; /* bitmap of general counters, with Hyper-Threading on; never 0 */
	const char *why;   /* why nothing derives it, as sim_event.why; else NULL */
};

struct sim_list {
	const struct sim_listed *rows;
	unsigned count;
};

struct sim_event_table {
	const struct sim_event *events;
	unsigned count;
};

/*
 * Is a list of signals made from anything? `core`: the clocks are those of a superscalar core,
 * which makes the signals from SIG_CORE on. Without one there is no wrong path, so what it would
 * add to another signal is nothing.
 */
static inline bool sim_terms_derived(const struct sim_term *term, unsigned n, bool core)
{
	for (unsigned i = 0; i < n && term[i].weight; i++)
		if (!core && term[i].signal >= SIG_CORE &&
		    !(i && sim_signal_bogus((enum sim_signal)term[i].signal)))
			return false;
	return n && term[0].weight;
}

static inline bool sim_event_derived(const struct sim_event *e, bool core)
{
	return sim_terms_derived(e->term, SIM_EVENT_TERMS, core);
}

/*
 * A model of a PMU. CPUID facts that depend on it are here too, so that the CPUID table of the
 * simulator and the registers cannot disagree.
 */
struct sim_pmu_model {
	const char *name; /* as --cpu takes it */
	enum sim_pmu_kind kind;
	uint8_t counters;   /* general counters */
	uint8_t width;      /* bits */
	uint8_t version;    /* architectural version, or PerfMonV2: 2, else 0 */
	uint8_t part;       /* P5: 1 = P55C; P6, NetBurst: model in the family; AMD: family */
	uint8_t threads;    /* logical CPUs that share it (NetBurst with HT: 2), else 1 */
	uint8_t bus_ratio;  /* core clocks per bus clock, nominal; 0 = no event uses bus clocks */
	uint8_t slots;      /* issue slots per clock (topdown events), 0 = none */
	uint8_t metrics;    /* bytes of PERF_METRICS, 0 = no such register */
	bool ds;            /* CPUID.1:EDX[21]: DS area and BTS */
	bool dtes64;        /* CPUID.1:ECX[2]: 64-bit layout of the DS area in every mode */
	bool pebs;          /* MISC_ENABLE[12] = 0 */
	bool any_thread;    /* bit 21 of PERFEVTSEL: counts both threads of the core */
	bool pin_control;   /* bit 19 of PERFEVTSEL exists */
	bool tsx;           /* bits 32 and 33 of PERFEVTSEL exist */
	uint32_t fixed_map; /* fixed counters that exist (may have a hole) */
	bool pdcm;          /* CPUID.1:ECX[15]: MSR 0x345 exists */
	uint64_t perf_capabilities;      /* MSR 0x345 */
	uint64_t pebs_mask;              /* bits of MSR 0x3f1 */
	uint64_t offcore_mask[2];        /* bits of MSR 0x1a6, 0x1a7; 0 = no such MSR */
	uint64_t frontend_mask;          /* bits of MSR 0x3f7; 0 = no such MSR */
	const struct sim_lbr_model *lbr; /* NULL = no last-branch records */
	uint32_t leaf_0a[4];             /* EAX EBX ECX EDX; 0 = version 0 */
	uint32_t leaf_1c[4];             /* architectural LBR; 0 = no such leaf */
	uint32_t leaf_23[4][4];          /* subleaves 0-3, EAX EBX ECX EDX; 0 = no such leaf */
	uint32_t ibs;                    /* EAX of leaf 8000001BH; 0 = no IBS */
	uint32_t leaf_80000022[4];       /* AMD PerfMonV2; 0 = no such leaf */
	uint32_t event_models;           /* bit of sim_event.models; 0 = any */
	const struct sim_event_table
		*events[SIM_EVENT_TABLES]; /* searched in this order; NULL ends */
	const struct sim_list *list;       /* NULL: the maker published none */
};

/* NULL when there is no such model. "none" is a model. */
const struct sim_pmu_model *sim_pmu_model(const char *name);

/* The models in order, NULL at the end. */
const struct sim_pmu_model *sim_pmu_model_at(unsigned i);

/*
 * Makes of the model what KVM shows of it, of at most this version: 1 or 2, AMD's PerfMonV2 is 2; 0
 * for no counters at all. Only of architectural counters and AMD's.
 */
void sim_pmu_cap(struct sim_pmu_model *m, unsigned version);

/* Event i of the model, NULL past the last. */
const struct sim_event *sim_pmu_event(const struct sim_pmu_model *m, unsigned i);

/*
 * True if execution here can make events of this select and unit mask on some counter: a row of the
 * tables with signals, or a unit mask whose bits are such rows. core: as above.
 */
bool sim_pmu_derives(const struct sim_pmu_model *m, uint32_t code, uint32_t umask, bool core);

/*
 * True if all that the counter is told to count is derived: nothing of its event or of the bits of
 * its unit mask is without signals. ecx: as for RDPMC, on a P5 too.
 */
bool sim_pmu_counter_derived(const struct sim_pmu *pmu, uint32_t ecx);

/* Counters that lie (sim/README.md, lie=): what becomes of the events that one counts. */
enum sim_lie_kind {
	SIM_LIE_SCALE,    /* `number` too many in a million */
	SIM_LIE_LOSE,     /* one in `number` is lost */
	SIM_LIE_LATE,     /* twice as many once the counter has counted `number` */
	SIM_LIE_STUCK,    /* none once the counter has counted `number` */
	SIM_LIE_HALVE,    /* half of them once the counter has counted `number` */
	SIM_LIE_SATURATE, /* at most `number` in an instruction */
	SIM_LIE_QUOTA,    /* none once `number` are counted since software wrote the counter */
	SIM_LIE_SHADOW,   /* those of counter `number` whenever both run */
	SIM_LIE_BLIND,    /* `number` are counted, as many are not, in turn */
	SIM_LIE_CROWD,    /* none while more than `number` counters run */
	SIM_LIE_STALE,    /* all; every `number`th read shows what the read before it did */
	SIM_LIE_LEVEL,    /* none at CPL `number` */
	SIM_LIE_BRANCHES, /* `number` for each branch that retires, whatever was asked for */
	SIM_LIE_FREEZE,   /* none in every `number`th start, which is a write by software */
	SIM_LIE_CEILING,  /* none from the value `number` on, to which it counts */
	SIM_LIES,
};

/* sim_lie.counter of all counters; most lies; most events of a hypervisor's list. */
enum { SIM_LIE_ALL = 99, SIM_LIES_MAX = 8, SIM_LISTED_MAX = 16 };

struct sim_lie {
	enum sim_lie_kind kind;
	uint32_t counter; /* 0.. general, 32.. fixed, SIM_LIE_ALL: each one */
	uint64_t number;  /* at least 1, but for SIM_LIE_SHADOW and SIM_LIE_LEVEL */
	uint64_t from;    /* honest before the counter has had so many events */
	uint64_t to;      /* honest again from so many events on; 0: never */
};

/* From now on the counters lie so, as well as by the lies before. False: there are 8 already. */
bool sim_pmu_add_lie(struct sim_pmu *pmu, const struct sim_lie *lie);

/*
 * An event that a hypervisor filters: its counters hold what is written and never move. fixed: code
 * is the number of a fixed counter. At most SIM_LISTED_MAX; more are left out.
 */
void sim_pmu_deny(struct sim_pmu *pmu, bool fixed, uint32_t code, uint32_t umask);

/* The same of an event that the hypervisor allows: no other event moves. */
void sim_pmu_allow(struct sim_pmu *pmu, bool fixed, uint32_t code, uint32_t umask);

/* A hypervisor's list of events, fixed counters among them. */
struct sim_pmu_listed {
	uint32_t fixed; /* bit n: fixed counter n */
	unsigned count; /* of all */
	struct {
		uint32_t code, umask;
	} event[SIM_LISTED_MAX];
};

struct sim_pmu_ops;
struct pmu_counter;

/*
 * Base of every PMU. The members are for sim/pmu and the inline functions below, but for those that
 * the owner sets: `alone`, `core` and `fences_pass`.
 */
struct sim_pmu {
	const struct sim_pmu_model *model;
	const struct sim_pmu_ops *ops;
	struct sim_pmu_host host;
	enum sim_pmu_fault fault;
	uint64_t fault_value;
	uint64_t fault_count; /* what has happened so far, for faults that strike now and then */
	struct sim_lie lie[SIM_LIES_MAX];
	unsigned lies;
	struct sim_pmu_listed denied;  /* these never count */
	struct sim_pmu_listed allowed; /* if there are any, no others count */
	uint64_t steps;                /* so far, if some counter lies */
	const struct sim_step *step;   /* that is being counted */
	bool running;                  /* some counter, LBR or BTS may change at the next step */
	bool wants_regs;               /* a PEBS record may be written at the next step */
	struct pmu_counter *counter;
	unsigned counter_count;
	uint64_t bus_phase;      /* core clocks since the last bus clock */
	uint64_t bus;            /* bus clocks of the current step */
	bool alone;              /* the owner's: the other thread of the core does not run */
	bool inserts;            /* the current step is a branch that is recorded */
	uint32_t slow_loads;     /* loads of the current step that a filter of latency passes */
	bool tagged;             /* a filter of the front end passes the instruction */
	bool core;               /* the owner's: a superscalar core makes its clocks and signals */
	bool by_clock;           /* some counter counts clock by clock */
	bool asks_clocks;        /* something else than a counter wants the clocks of the core */
	struct sim_pmu *sibling; /* whose counters count this thread too; NULL: there is none */
	/* With PMU_FAULT_EARLY: retired, but not counted; no serializing instruction came since. */
	struct sim_step late[3];
	unsigned late_count;
	bool fences_pass; /* LFENCE, MFENCE and SFENCE wait for nothing (AMD with DE_CFG[1] = 0) */
};

/*
 * A PMU of one logical CPU, in reset state; NULL when out of memory. `sibling`: a PMU of the same
 * model made before for the other logical CPU of the same core, or NULL. With model->threads = 2
 * both share the counters; with any_thread each can count what the other does. The first one made
 * is thread 0.
 */
struct sim_pmu *sim_pmu_new(const struct sim_pmu_model *model, const struct sim_pmu_host *host,
                            struct sim_pmu *sibling);
void sim_pmu_free(struct sim_pmu *pmu);

/* State after RESET (not INIT: that leaves the PMU alone). */
void sim_pmu_reset(struct sim_pmu *pmu);
/* Whether a PMU of this model can misbehave so. */
bool sim_pmu_can_fault(const struct sim_pmu_model *model, enum sim_pmu_fault fault);
/* value: what the fault needs, 0 where it needs nothing. */
void sim_pmu_set_fault(struct sim_pmu *pmu, enum sim_pmu_fault fault, uint64_t value);

/* MSR_GP: no such bit, or read-only. The value read is complete, upper bits included. */
enum sim_msr sim_pmu_rdmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t *value);
enum sim_msr sim_pmu_wrmsr(struct sim_pmu *pmu, uint32_t msr, uint64_t value);

/* The caller has checked CPL and CR4.PCE. RDPMC_UD: this CPU has no such instruction. */
enum sim_rdpmc sim_pmu_rdpmc(struct sim_pmu *pmu, uint32_t ecx, uint64_t *value);

/*
 * Called once per retired instruction in program order, before an interrupt it raises is
 * delivered. Calls host.pmi, host.store etc. from inside.
 */
void sim_pmu_retire(struct sim_pmu *pmu, const struct sim_step *step);

/* True: sim_pmu_retire() would do nothing, the step need not even be filled for it. */
static inline bool sim_pmu_idle(const struct sim_pmu *pmu)
{
	return !pmu->running;
}

/* True: the steps must have the clocks of the core (struct sim_run). */
static inline bool sim_pmu_wants_clocks(const struct sim_pmu *pmu)
{
	return pmu->by_clock || (pmu->sibling && pmu->sibling->by_clock);
}

/* True: keep a copy of the registers before the next instruction, for host.regs_before(). */
static inline bool sim_pmu_wants_regs(const struct sim_pmu *pmu)
{
	return pmu->wants_regs;
}

/* This logical CPU halts or waits for SIPI; it is active again with its next retired step. */
void sim_pmu_halt(struct sim_pmu *pmu);

/*
 * NetBurst: the interrupt request to this logical CPU stays asserted while a CCCR has OVF and
 * OVF_PMI set, so unmasking LVTPC raises it again. Always false for other kinds.
 */
bool sim_pmu_pmi_line(const struct sim_pmu *pmu);

/*
 * P5 and P6 pins PM0/BP0 and PM1/BP1 (index 0, 1): how many times the pin has signalled since
 * reset, an increment or an overflow as the control register selects. 0 for other kinds.
 */
uint64_t sim_pmu_pin(const struct sim_pmu *pmu, unsigned pin);

#endif
