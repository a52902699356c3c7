/*
 * sim/model/models.h - the processors that the simulator can be, as rows.
 */
#ifndef SIM_MODEL_MODELS_H
#define SIM_MODEL_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/timing/cache.h"
#include "sim/pmu/pmu.h"

/* A correction of one CPUID register of the part whose leaves the model has. */
struct cpuid_patch {
	uint32_t leaf, subleaf;
	uint8_t reg; /* 0 EAX .. 3 EDX */
	uint32_t clear, set;
};

/* One row of the CPUID data (made from sim/model/cpuid.csv at build time). */
struct cpuid_row {
	const char *part;
	uint32_t logical, leaf, subleaf;
	uint32_t reg[4];
};

extern const struct cpuid_row cpuid_rows[];
extern const unsigned cpuid_rows_count;

/* Clocks that events cost on top of the one clock of an instruction. Nominal, see sim/README.md. */
struct costs {
	uint16_t l2_hit;   /* L1 miss that L2 has */
	uint16_t llc_hit;  /* L2 miss that L3 has */
	uint16_t memory;   /* miss of every level */
	uint16_t stlb_hit; /* first-level TLB miss that the second level has */
	uint16_t walk;     /* page walk */
	uint16_t mispredict;
	uint16_t split; /* access across a line */
	/*
	 * From the end of the instruction that overflows a counter to the interrupt. Unverified.
	 * NetBurst: so that 68 loads that hit retire in between on `p4`, 16 of which had waited for
	 * the one that missed. B. Sprunt's Figure 5 has most samples at +69; the text says that a
	 * Pentium Pro is much better. Other rows: twice the misprediction, about what the P6 row
	 * has, because no source says how many.
	 */
	uint16_t pmi;
};

enum model_flags {
	MODEL_APIC = 1,         /* has a local APIC */
	MODEL_NO_LVTPC = 2,     /* P5: no performance counter entry */
	MODEL_RDPMC = 4,        /* the instruction exists */
	MODEL_PIPELINE = 8,     /* clocks come from sim/timing/p5.h */
	MODEL_LVTPC_STAYS = 16, /* LVTPC is not masked by its interrupt */
	MODEL_HWP = 32,         /* firmware has enabled hardware P-states */
	MODEL_F00F = 64,        /* P5: F0 0F C7 C8 locks it up */
};

enum vendor { VENDOR_INTEL, VENDOR_AMD };

/* MSRs beside those of the PMU that only some models have: one bit a group (sim/cpu/msr.c). */
enum msr_group {
	G_P5 = 1, /* 0, 1, 0Eh */
	G_P6 = 2, /* APIC_BASE, EBL_CR_POWERON, MTRR, MCE */
	G_MISC_ENABLE = 4,
	G_PERF_CTL = 8,  /* PERF_STATUS, PERF_CTL, clock modulation, thermal */
	G_NETBURST = 16, /* EBC_* */
	G_FSB = 32,      /* MSR_FSB_FREQ */
	G_NEHALEM = 64,  /* SMI_COUNT, PLATFORM_INFO, TURBO, MISC_FEATURE_CONTROL, POWER_CTL */
	G_MPERF = 128,
	G_AMD = 256,
	G_ZEN = 512,
	G_SKYLAKE = 1024, /* PPERF */
	G_SYSENTER = 2048,
	G_PAT = 4096,
	G_TSC_ADJUST = 8192,
	G_TSC_DEADLINE = 16384,
	G_GOLDEN_X = 32768,  /* 6Dh: prefetchers of Sapphire Rapids */
	G_CORE2 = 131072,    /* MISC_ENABLE bits 37 and 39 */
	G_CRESTMONT = 65536, /* 1320h, 1321h: those of E-cores */
};

struct model {
	const char *name;
	const char *what; /* for --list */
	const char *part; /* CPUID: part and logical CPU in cpuid.csv */
	uint32_t logical;
	const struct cpuid_patch *patches; /* ends with a row whose clear and set are 0 */
	const char *pmu;                   /* row of sim/pmu/pmu.h */
	uint32_t tsc_khz;
	uint32_t bus_mhz; /* local APIC timer, front-side bus */
	uint32_t groups;  /* enum msr_group */
	uint32_t flags;   /* enum model_flags */
	enum vendor vendor;
	struct geometry l1d, l1i, l2, llc;                    /* size 0: none */
	struct replacement l1d_policy, l2_policy, llc_policy; /* LRU, but for --cache */
	bool other_llc; /* the last is not that of the part whose CPUID this is */
	struct tlb_geometry dtlb, dtlb_large, itlb, itlb_large, stlb;
	struct predictor_geometry predictor;
	struct costs costs;
	/* L1D loses a line when it gets one whose address agrees below this bit; 0: it does not */
	uint8_t conflict_bits;
	uint32_t ratio;       /* core clock to bus clock */
	uint32_t prefetchers; /* bits of MSR 1A4h that exist; 0: the first four */
};

extern const struct model models[];
extern const unsigned models_count;

/* NULL: there is no such model. */
const struct model *model_by_name(const char *name);
/* Prints all models. */
void models_list(void);
/* Prints one model and every event of its PMU. */
void model_list(const struct model *model);

#endif
