/*
 * sim/pmu.h - the counting performance-monitoring units of the simulated CPUs.
 *
 * A model is a row (sim/pmu_models.c); the register models are one file per family:
 * pmu_p5.c, pmu_p6.c, pmu_netburst.c, pmu_arch.c, pmu_amd.c, each written from the Intel SDM volume
 * 3B respectively the AMD manuals. They know nothing about the rest of the simulator but
 * struct sim_pmu_host.
 */
#ifndef SIM_PMU_H
#define SIM_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/signal.h"

struct sim_pmu;

/* What the PMU needs from the logical CPU it belongs to. All members but ctx may be NULL. */
struct sim_pmu_host {
	void *ctx;
	/* An overflow interrupt for this logical CPU: deliver LVTPC at the next boundary. */
	void (*pmi)(void *ctx);
	/* Guest memory by linear address, for the DS area; false = not mapped. */
	bool (*store)(void *ctx, uint64_t linear, const void *p, size_t n);
	bool (*load)(void *ctx, uint64_t linear, void *p, size_t n);
	/* FLAGS IP AX BX CX DX SI DI BP SP R8..R15, after the instruction; IP linear. */
	void (*regs)(void *ctx, uint64_t regs[18]);
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
};

/*
 * One event of a model as the tables have it.
 */
struct sim_event {
	const char *name;    /* manual's name, with :UMASK where there are several */
	uint32_t code;       /* event select (12 bits on AMD; NetBurst: event select) */
	uint32_t umask;      /* unit mask; NetBurst: one bit of the 16-bit event mask */
	uint32_t counters;   /* bitmap of general counters that can count it; 0 = all */
	const char *signals; /* "A+B" from enum sim_signal; NULL = not derived */
	const char *source;  /* reference table and where its row came from */
	uint8_t escr_select; /* NetBurst: CCCR ESCR select */
};

struct sim_event_table {
	const struct sim_event *events;
	unsigned count;
};

/*
 * A model of a PMU. CPUID facts that depend on it are here too, so that the CPUID table of the
 * simulator and the registers cannot disagree.
 */
struct sim_pmu_model {
	const char *name; /* as --cpu takes it */
	enum sim_pmu_kind kind;
	uint8_t counters;     /* general counters */
	uint8_t width;        /* bits */
	uint8_t version;      /* architectural version, or PerfMonV2: 2, else 0 */
	uint8_t fixed;        /* contiguous fixed counters (leaf 0AH EDX[4:0]) */
	uint8_t family_model; /* NetBurst: model 0..6; P5: 0 P54C, 1 P55C; AMD: family */
	uint8_t threads;      /* logical CPUs that share it (NetBurst with HT: 2), else 1 */
	uint8_t bus_ratio; /* core clocks per bus clock, nominal; 0 = event does not use bus clocks */
	uint8_t lbr_depth;          /* 0 = no last-branch records */
	bool ds;                    /* CPUID.1:EDX[21]: DS area, BTS and PEBS */
	bool any_thread;            /* bit 21 of PERFEVTSEL exists */
	bool full_width;            /* 0x4c1 (PERF_CAPABILITIES[13]) */
	uint32_t fixed_map;         /* fixed counters that exist (may have a hole) */
	uint64_t perf_capabilities; /* MSR 0x345; 0 = no such MSR (CPUID.1:ECX[15] = 0) */
	uint32_t leaf_0a[4];        /* EAX EBX ECX EDX; 0 = version 0 */
	uint32_t leaf_23[4][4];     /* subleaves 0-3, EAX EBX ECX EDX; 0 = no such leaf */
	uint32_t leaf_80000022[4];  /* AMD PerfMonV2; 0 = no such leaf */
	const struct sim_event_table *events[3]; /* general, architectural, extra; NULL ends */
};

/* NULL when there is no such model. "none" is a model. */
const struct sim_pmu_model *sim_pmu_model(const char *name);

/* The models in order, NULL at the end. */
const struct sim_pmu_model *sim_pmu_model_at(unsigned i);

/* Event i of the model, NULL past the last. */
const struct sim_event *sim_pmu_event(const struct sim_pmu_model *m, unsigned i);

struct sim_pmu_ops;

/* Base of every PMU; only `running` is for users, through sim_pmu_idle(). */
struct sim_pmu {
	const struct sim_pmu_model *model;
	const struct sim_pmu_ops *ops;
	struct sim_pmu_host host;
	enum sim_pmu_fault fault;
	bool running; /* some counter, LBR or BTS may change at the next step */
};

/*
 * A PMU of one logical CPU, in reset state; NULL when out of memory. With `sibling` (a PMU made
 * before for the other logical CPU of the same core) and model->threads = 2 both share the
 * counters; otherwise `sibling` is ignored. The first one made is thread 0.
 */
struct sim_pmu *sim_pmu_new(const struct sim_pmu_model *model, const struct sim_pmu_host *host,
                            struct sim_pmu *sibling);
void sim_pmu_free(struct sim_pmu *pmu);

/* State after RESET (not INIT: that leaves the PMU alone). */
void sim_pmu_reset(struct sim_pmu *pmu);
void sim_pmu_set_fault(struct sim_pmu *pmu, enum sim_pmu_fault fault);

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

/*
 * P5 and P6 pins PM0/BP0 and PM1/BP1 (index 0, 1): how many times the pin has signalled since
 * reset, an increment or an overflow as the control register selects. 0 for other kinds.
 */
uint64_t sim_pmu_pin(const struct sim_pmu *pmu, unsigned pin);

#endif
