/*
 * The identity of the CPU. The kernel fills struct cpu once at boot and never changes it.
 *
 * The knowledge is in rows (leaf, subleaf, register, bits) in kernel/cpu/. The code reaches CPUID
 * through a function, so the same code also decodes the dumps of real processors in tests/.
 * Sources: SDM volume 2A "CPUID", AMD APM volume 3 appendix E; see docs/references.md.
 */
#ifndef KERNEL_CPU_CPU_H
#define KERNEL_CPU_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/x86.h"

enum cpu_vendor {
	VENDOR_OTHER,
	VENDOR_INTEL,
	VENDOR_AMD,
	VENDOR_HYGON,
	VENDOR_CENTAUR,
	VENDOR_ZHAOXIN,
	VENDOR_CYRIX,
	VENDOR_TRANSMETA,
};

/* The class of performance-monitoring hardware that vendor, family and leaves announce. */
enum cpu_pmu_class {
	PMU_CLASS_NONE,
	PMU_CLASS_P5,
	PMU_CLASS_P5MMX,
	PMU_CLASS_P6,
	PMU_CLASS_NETBURST,
	PMU_CLASS_ARCH,
	PMU_CLASS_AMD,
};

/* Features by the manual's names, with a row each in features.c. CPU_FEATURES is their number. */
enum cpu_feature {
	CPU_FPU,
	CPU_TSC,
	CPU_MSR,
	CPU_PSE,
	CPU_PAE,
	CPU_MCE,
	CPU_CX8,
	CPU_APIC,
	CPU_SEP,
	CPU_MTRR,
	CPU_PGE,
	CPU_MCA,
	CPU_CMOV,
	CPU_PAT,
	CPU_PSE36,
	CPU_CLFSH,
	CPU_DS,
	CPU_ACPI,
	CPU_MMX,
	CPU_FXSR,
	CPU_SSE,
	CPU_SSE2,
	CPU_HTT,
	CPU_TM,
	CPU_SSE3,
	CPU_PCLMULQDQ,
	CPU_DTES64,
	CPU_MONITOR,
	CPU_SSSE3,
	CPU_FMA,
	CPU_CX16,
	CPU_PDCM,
	CPU_PCID,
	CPU_SSE4_1,
	CPU_SSE4_2,
	CPU_X2APIC,
	CPU_MOVBE,
	CPU_POPCNT,
	CPU_TSC_DEADLINE,
	CPU_AES,
	CPU_XSAVE,
	CPU_AVX,
	CPU_F16C,
	CPU_RDRAND,
	CPU_HYPERVISOR,
	CPU_FSGSBASE,
	CPU_TSC_ADJUST,
	CPU_BMI1,
	CPU_HLE,
	CPU_AVX2,
	CPU_SMEP,
	CPU_BMI2,
	CPU_ERMS,
	CPU_INVPCID,
	CPU_RTM,
	CPU_AVX512F,
	CPU_AVX512DQ,
	CPU_RDSEED,
	CPU_ADX,
	CPU_SMAP,
	CPU_AVX512IFMA,
	CPU_CLFLUSHOPT,
	CPU_CLWB,
	CPU_AVX512CD,
	CPU_SHA,
	CPU_AVX512ER,
	CPU_AVX512BW,
	CPU_AVX512VL,
	CPU_AVX512VBMI,
	CPU_AVX512_VBMI2,
	CPU_GFNI,
	CPU_VAES,
	CPU_VPCLMULQDQ,
	CPU_AVX512VNNI,
	CPU_AVX512BITALG,
	CPU_AVX512VPOPCNTDQ,
	CPU_HYBRID,
	CPU_RDPID,
	CPU_CLDEMOTE,
	CPU_MOVDIRI,
	CPU_MOVDIR64B,
	CPU_AVX512_VP2INTERSECT,
	CPU_TSX_FORCE_ABORT,
	CPU_SERIALIZE,
	CPU_AVX512_FP16,
	CPU_ARCH_LBR,
	CPU_MPERF, /* CPUID.6:ECX[0]: IA32_MPERF and IA32_APERF */
	CPU_ARCH_PERFMON_EXT,
	CPU_AVX_VNNI,
	CPU_AVX512_BF16,
	CPU_SYSCALL,
	CPU_NX,
	CPU_MMXEXT,
	CPU_PAGE1GB,
	CPU_RDTSCP,
	CPU_LM,
	CPU_3DNOWEXT,
	CPU_3DNOW,
	CPU_LAHF64,
	CPU_ABM,
	CPU_SSE4A,
	CPU_MISALIGNSSE,
	CPU_3DNOWPREFETCH,
	CPU_XOP,
	CPU_FMA4,
	CPU_TBM,
	CPU_TOPOEXT,
	CPU_IBS,
	CPU_PERFCTR_CORE,
	CPU_PERFCTR_NB,
	CPU_PERFCTR_LLC,
	CPU_INVARIANT_TSC,
	CPU_LFENCE_SERIALIZING, /* 80000021H:EAX[2] */
	CPU_PERFMON_V2,         /* 80000022H:EAX[0] */
	CPU_CLZERO,
	CPU_IRPERF,
	CPU_RDPRU,
	CPU_FEATURES
};

/* Numbered as leaf 4 does; CACHE_TRACE is ours. */
enum cache_type { CACHE_DATA = 1, CACHE_CODE = 2, CACHE_UNIFIED = 3, CACHE_TRACE = 4 };

/* Numbered as leaf 18H does. */
enum tlb_type { TLB_DATA = 1, TLB_CODE = 2, TLB_UNIFIED = 3, TLB_LOAD = 4, TLB_STORE = 5 };

/* Values of `ways` that are no number of ways. */
enum { CPU_WAYS_FULL = 0, CPU_WAYS_UNKNOWN = 0xffff };

struct cpu_cache {
	uint8_t level;
	uint8_t type;  /* enum cache_type */
	uint32_t size; /* bytes; µops for CACHE_TRACE */
	uint16_t ways; /* CPU_WAYS_FULL: fully associative; CPU_WAYS_UNKNOWN or a number */
	uint16_t line; /* bytes; 0 for CACHE_TRACE */
	/* size / (ways * line); 1 if fully associative, 0 if not known; size / ways: set stride */
	uint32_t sets;
	uint16_t shared_by; /* logical CPUs that may share it; 0: unknown */
	const char *source; /* "leaf2", "leaf4", "80000005", "80000006", "8000001d", "family" */
};

struct cpu_tlb {
	uint8_t level; /* 0: the manual's "DTLB0" */
	uint8_t type;  /* enum tlb_type */
	uint8_t pages; /* bit 0 4 KiB, 1 2 MiB, 2 4 MiB, 3 1 GiB */
	uint16_t ways; /* CPU_WAYS_FULL, CPU_WAYS_UNKNOWN or a number */
	uint32_t entries;
	const char *source; /* "leaf2", "leaf18", "80000005", "80000006", "80000019" */
};

/* Most caches and TLBs that are kept; further ones are left out. */
enum { CPU_CACHES = 8, CPU_TLBS = 16 };

struct cpu {
	bool has_cpuid;
	enum cpu_vendor vendor;
	char vendor_id[13];
	char brand[49];       /* "" if the CPU does not tell */
	char hypervisor[13];  /* "" if CPU_HYPERVISOR is clear */
	bool simulated;       /* cpl0-sim runs this (sim/README.md) */
	bool plays_guest;     /* ... as the guest of a hypervisor (its fault `guest=`) */
	bool nominal_clocks;  /* the simulator's clocks are no model of the CPU */
	uint16_t good_clocks; /* simulator: correct figures of 1000 measured ones; 0: unknown */
	uint32_t signature;   /* leaf 1 EAX */
	uint32_t family, model, stepping; /* display values */
	uint32_t max_leaf, max_ext;       /* max_ext 0: no extended leaves */
	uint32_t features[(CPU_FEATURES + 31) / 32];
	uint8_t phys_bits, virt_bits;
	uint8_t clflush_line; /* bytes, 0 without CLFLUSH */
	uint32_t apic_id;     /* x2APIC id where there is one */
	const char
		*topology_source; /* "80000026", "leaf1f", "leafb", "80000008", "leaf4", "none" */
	/*
	 * Numbers in the package as CPUID enumerates them; 0 means unknown. Leaves 1 and 4 give the
	 * number of APIC ids set aside, not the number of CPUs that exist. On a hybrid part
	 * `cores` is 0 unless this CPU is a P-core without SMT.
	 */
	uint16_t threads_per_core, cores, logical;
	uint8_t smt_shift, package_shift; /* bits of the APIC id below core, below package */
	uint8_t core_type;                /* leaf 1AH: 20h Atom, 40h Core, 0 unknown */
	uint32_t native_model;            /* leaf 1AH EAX 23:0: the core model of that type */
	uint32_t microcode;      /* revision, 0 if not readable; see cpu_read_microcode() */
	unsigned ncaches, ntlbs; /* both lists in order of level */
	struct cpu_cache caches[CPU_CACHES];
	struct cpu_tlb tlbs[CPU_TLBS];
	enum cpu_pmu_class pmu_class;
	const char *pmu_reason; /* why pmu_class is none, "" otherwise */
	/*
	 * The values are raw, as enumerated: the first Core 2 steppings and the Atom announce fewer
	 * fixed counters than they have. Version 0 means no architectural monitoring. Fixed
	 * counter i exists if i < `fixed` or if bit i of `fixed_bitmap` is set.
	 */
	struct {
		uint8_t version, counters, width, events_length; /* leaf 0AH EAX */
		uint32_t missing_events;    /* leaf 0AH EBX: 1 = not available */
		uint8_t fixed, fixed_width; /* EDX */
		uint32_t fixed_bitmap;      /* ECX, version 5+ */
		bool any_deprecated;        /* EDX[15] */
		bool leaf23;                /* the fields below are valid */
		bool umask2, eq;
		uint32_t gp_bitmap23, fixed_bitmap23, events23; /* leaf 23H subleaves 1, 3 */
		bool pebs; /* leaf 23H has subleaves 4 and 5: architectural PEBS */
	} arch;
	struct {
		uint8_t counters; /* 4, 6 or as leaf 80000022H tells */
		bool core_ext, v2;
	} amd;
};

/* Executes CPUID with EAX = leaf and ECX = subleaf, or reads a dump of a real processor. */
typedef struct cpuid_regs (*cpuid_fn)(uint32_t leaf, uint32_t subleaf);

/* True if software can toggle EFLAGS.ID. False on a 386, and on a 486 without CPUID. */
bool cpu_has_cpuid(void);

/* Fills *c by calling `cpuid`. With `has_cpuid` false *c stays empty: VENDOR_OTHER, no feature. */
void cpu_identify(struct cpu *c, bool has_cpuid, cpuid_fn cpuid);

/*
 * Firmware can hide the leaves above 3 (MISC_ENABLE bit 22, Pentium 4 to Nehalem), and with them
 * the caches, the topology and leaf 0AH. Where the bit is set, this function clears it and prints a
 * `warn`. It returns true if CPUID has more leaves now, and the caller must identify the CPU again.
 * (SDM volume 4, IA32_MISC_ENABLE.)
 */
bool cpu_lift_leaf_limit(const struct cpu *c);

/*
 * The number of dependent ADDs of two registers in one core clock: 2 on the first NetBurst models,
 * whose ALUs run at twice the core clock, else 1. Source: InstLatX64, lists 0000F13_P4_Willamette
 * (half a clock for an ADD) and 0000F41_P4_Prescott (a clock).
 */
unsigned cpu_adds_per_clock(const struct cpu *c);

/* Reads the microcode revision (MSR 8BH) into *c; 0 where the CPU has none or the access faults. */
void cpu_read_microcode(struct cpu *c);

static inline bool cpu_has(const struct cpu *c, enum cpu_feature f)
{
	return c->features[f / 32] >> (f % 32) & 1;
}

/*
 * Is the CPU under a hypervisor, or an emulator that announces itself as one? On the simulator only
 * with its fault `guest=`.
 */
static inline bool cpu_is_guest(const struct cpu *c)
{
	return cpu_has(c, CPU_HYPERVISOR) && (!c->simulated || c->plays_guest);
}

/* QEMU's emulator, which announces itself as a hypervisor. Its times are not those of a CPU. */
static inline bool cpu_is_tcg(const struct cpu *c)
{
	return c->hypervisor[0] == 'T' && c->hypervisor[1] == 'C' && c->hypervisor[2] == 'G';
}

/* Is the CPU under a hypervisor that runs the guest on a real CPU (not QEMU's emulator)? */
static inline bool cpu_has_host(const struct cpu *c)
{
	return cpu_is_guest(c) && !cpu_is_tcg(c);
}

/*
 * Intel's line from the Pentium Pro on: family 6, and families 18 and 19, which follow it (Nova
 * Lake, Diamond Rapids: Linux intel-family.h). Not NetBurst, Itanium and Knights Corner.
 */
static inline bool cpu_is_p6_line(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && (c->family == 6 || c->family == 18 || c->family == 19);
}

/* Model `model` of family 6 or later: families 18 and 19 are later than all models of family 6. */
static inline bool cpu_is_p6_from(const struct cpu *c, uint32_t model)
{
	return cpu_is_p6_line(c) && (c->family != 6 || c->model >= model);
}

/* The cache of this level that holds data; NULL: CPUID has none. */
const struct cpu_cache *cpu_data_cache(const struct cpu *c, unsigned level);

const char *cpu_pmu_class_name(enum cpu_pmu_class k); /* "p5", "p5mmx", ... "none" */
const char *cpu_feature_name(enum cpu_feature f);     /* lower case, as in logs and snippet needs */
/* Looks up a feature by cpu_feature_name(); false if no feature has that name. */
bool cpu_feature_find(const char *name, enum cpu_feature *f);

/* Prints `cpu`, `features`, `cache`, `tlb`, `topology`, `arch_pmu`, `amd_pmu` records. */
void cpu_log(const struct cpu *c);

#endif
