/*
 * Which bits switch which prefetchers off, by kind of core.
 *
 * Sources, by short name: INTELPF, Intel, "Disclosure of Hardware Prefetcher Control on Some Intel
 * Processors", 2014. HWPF, Intel 357930, "Hardware Prefetch Controls for Intel E-Cores", 2.1 and
 * 4.1 to 4.3. PERFSPECT, intel/PerfSpect, prefetcher.go. PEPC, intel/pepc, MiscFeatureControl.py.
 * LIKWID, cpuFeatures.c and sysFeatures_amd.c. SDM4, SDM volume 4. COREFREQ, amd_reg.h.
 *
 * A bit that only one of them has, or that a maker's page does not confirm, is tried all the same:
 * a register that lacks it refuses the write, and that is told.
 */
#include <stddef.h>

#include "kernel/cpu/conditions_rows.h"
#include "kernel/cpu/x86.h"

/* Kinds of cores. */
enum {
	NETBURST = 1 << 0,
	YONAH = 1 << 1,
	CORE2 = 1 << 2,
	NEHALEM = 1 << 3,   /* to Broadwell */
	SKYLAKE = 1 << 4,   /* to Rocket Lake and Ice Lake server */
	GOLDEN = 1 << 5,    /* client: Alder Lake to Meteor Lake, Bartlett Lake */
	GOLDEN_X = 1 << 6,  /* Sapphire and Emerald Rapids */
	REDWOOD_X = 1 << 7, /* Granite Rapids */
	LION = 1 << 8,      /* Lion Cove, Cougar Cove */
	PHI = 1 << 9,       /* Knights Landing and Mill */
	GOLDMONT = 1 << 10, /* and Avoton before, Tremont behind */
	GRACEMONT = 1 << 11,
	CRESTMONT = 1 << 12, /* and Skymont */
	DARKMONT = 1 << 13,
	K8 = 1 << 14,
	ZEN = 1 << 15,  /* Zen 1 and 2 */
	ZEN3 = 1 << 16, /* what CPUID 80000021H EAX[13] announces */

	BIG = NEHALEM | SKYLAKE | GOLDEN | GOLDEN_X | REDWOOD_X | LION,
	SERVERS = GOLDEN_X | REDWOOD_X,
	NEW_ATOMS = GRACEMONT | CRESTMONT | DARKMONT,
	CRESTMONT_ON = CRESTMONT | DARKMONT,
};

enum {
	MSR_SPEC_CTRL = 0x48,
	MSR_PREFETCH_LLC = 0x6d, /* our name: PERFSPECT has the number */
	MSR_MISC_ENABLE = 0x1a0,
	MSR_MISC_FEATURE_CONTROL = 0x1a4,
	MSR_PREFETCH_1320 = 0x1320, /* HWPF 4.2 and 4.3 name them by number */
	MSR_PREFETCH_1321 = 0x1321,
	MSR_AMD_PREFETCH_CONTROL = 0xc0000108,
	MSR_AMD_IC_CFG = 0xc0011021,
	MSR_AMD_DC_CFG = 0xc0011022,
	MSR_AMD_CU_CFG3 = 0xc001102b,
};

/* SPEC_CTRL has the bit of the data-dependent prefetcher (CPL 3) where CPUID says so: SDM4. */
static bool data_dependent(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && c->max_leaf >= 7 && x86_cpuid(7, 0).eax >= 2 &&
	       x86_cpuid(7, 2).edx & 1 << 3;
}

/* clang-format off */
static const struct condition rows[] = {
	/* INTELPF and PEPC; NEW_ATOMS: HWPF 4.1; GOLDMONT: PEPC; LION: SDM4, as its predecessors */
	{ "l2_prefetch_off",  0, BIG | GOLDMONT | NEW_ATOMS,
	  MSR_MISC_FEATURE_CONTROL, 0, 1, PREFETCH_OFF_1 },
	{ "l2_adjacent_off",  0, BIG | CRESTMONT_ON,
	  MSR_MISC_FEATURE_CONTROL, 1, 1, PREFETCH_OFF_1 },
	{ "l1_prefetch_off",  0, BIG | GOLDMONT | NEW_ATOMS,
	  MSR_MISC_FEATURE_CONTROL, 2, 1, PREFETCH_OFF_1 },
	{ "l1_ip_off",        0, BIG | NEW_ATOMS,
	  MSR_MISC_FEATURE_CONTROL, 3, 1, PREFETCH_OFF_1 },
	/* PERFSPECT; HWPF 2.1 has it from Gracemont on, 4.1 from Crestmont on */
	{ "l1_next_page_off", 0, SKYLAKE | SERVERS | NEW_ATOMS,
	  MSR_MISC_FEATURE_CONTROL, 4, 1, PREFETCH_OFF_1 },
	/* SDM4, PERFSPECT; HWPF 4.1 */
	{ "l2_amp_off",       0, GOLDEN | SERVERS | NEW_ATOMS,
	  MSR_MISC_FEATURE_CONTROL, 5, 1, PREFETCH_OFF_1 },
	/* PERFSPECT; HWPF 4.1 */
	{ "llc_page_off",     0, REDWOOD_X | CRESTMONT_ON,
	  MSR_MISC_FEATURE_CONTROL, 6, 1, PREFETCH_OFF_1 },
	{ "pointers_off",     0, REDWOOD_X | CRESTMONT_ON,
	  MSR_MISC_FEATURE_CONTROL, 7, 1, PREFETCH_OFF_1 },
	/* SDM4; HWPF 4.1 */
	{ "code_stream_off",  0, REDWOOD_X | CRESTMONT_ON,
	  MSR_MISC_FEATURE_CONTROL, 8, 1, PREFETCH_OFF_1 },
	/* HWPF 4.1 */
	{ "dynamic_off",      0, DARKMONT,
	  MSR_MISC_FEATURE_CONTROL, 12, 1, PREFETCH_OFF_1 },
	/* PERFSPECT alone */
	{ "homeless_off",     0, SERVERS, MSR_PREFETCH_LLC, 14, 1, PREFETCH_OFF_1 },
	{ "llc_prefetch_off", 0, SERVERS, MSR_PREFETCH_LLC, 42, 1, PREFETCH_OFF_1 },
	/* HWPF 4.2, 4.3 */
	{ "llc_stream_off",   0, NEW_ATOMS, MSR_PREFETCH_1320, 43, 1, PREFETCH_OFF_1 },
	{ "l2_next_off",      0, NEW_ATOMS, MSR_PREFETCH_1321, 40, 1, PREFETCH_OFF_1 },
	{ "data_dependent_off", data_dependent, 0, MSR_SPEC_CTRL, 8, 1, PREFETCH_OFF_1 },
	/* PEPC: bits 0 and 1 are the other way round */
	{ "l2_prefetch_off",  0, PHI, MSR_MISC_FEATURE_CONTROL, 1, 1, PREFETCH_OFF_1 },
	{ "l1_prefetch_off",  0, PHI, MSR_MISC_FEATURE_CONTROL, 0, 1, PREFETCH_OFF_1 },
	/* LIKWID; NETBURST: SDM4, the bits of a BIOS option */
	{ "prefetch_off",     0, NETBURST | YONAH | CORE2, MSR_MISC_ENABLE,  9, 1, PREFETCH_OFF_1 },
	{ "adjacent_off",     0, NETBURST | CORE2,         MSR_MISC_ENABLE, 19, 1, PREFETCH_OFF_1 },
	{ "l1_prefetch_off",  0, CORE2,                    MSR_MISC_ENABLE, 37, 1, PREFETCH_OFF_1 },
	{ "l1_ip_off",        0, CORE2,                    MSR_MISC_ENABLE, 39, 1, PREFETCH_OFF_1 },
	/* COREFREQ, LIKWID */
	{ "l1_stream_off",    0, ZEN3, MSR_AMD_PREFETCH_CONTROL, 0, 1, PREFETCH_OFF_1 },
	{ "l1_stride_off",    0, ZEN3, MSR_AMD_PREFETCH_CONTROL, 1, 1, PREFETCH_OFF_1 },
	{ "l1_region_off",    0, ZEN3, MSR_AMD_PREFETCH_CONTROL, 2, 1, PREFETCH_OFF_1 },
	{ "l2_stream_off",    0, ZEN3, MSR_AMD_PREFETCH_CONTROL, 3, 1, PREFETCH_OFF_1 },
	{ "l2_updown_off",    0, ZEN3, MSR_AMD_PREFETCH_CONTROL, 5, 1, PREFETCH_OFF_1 },
	/* COREFREQ alone */
	{ "l1_prefetch_off",  0, ZEN, MSR_AMD_DC_CFG, 16, 1, PREFETCH_OFF_1 },
	{ "l2_prefetch_off",  0, ZEN, MSR_AMD_CU_CFG3, 0, 1, PREFETCH_OFF_0 },
	{ "code_off",         0, K8,  MSR_AMD_IC_CFG, 11, 1, PREFETCH_OFF_1 },
};

/* Intel, family 6. core: type of leaf 1AH, 0: any. */
static const struct {
	uint8_t model, core;
	uint32_t kind;
} models[] = {
	{ 0x0e, 0, YONAH }, { 0x0f, 0, CORE2 }, { 0x16, 0, CORE2 }, { 0x17, 0, CORE2 },
	{ 0x1d, 0, CORE2 },
	{ 0x1a, 0, NEHALEM }, { 0x1e, 0, NEHALEM }, { 0x1f, 0, NEHALEM },
	{ 0x2e, 0, NEHALEM }, { 0x25, 0, NEHALEM }, { 0x2c, 0, NEHALEM },
	{ 0x2f, 0, NEHALEM }, { 0x2a, 0, NEHALEM }, { 0x2d, 0, NEHALEM },
	{ 0x3a, 0, NEHALEM }, { 0x3e, 0, NEHALEM }, { 0x3c, 0, NEHALEM },
	{ 0x3f, 0, NEHALEM }, { 0x45, 0, NEHALEM }, { 0x46, 0, NEHALEM },
	{ 0x3d, 0, NEHALEM }, { 0x47, 0, NEHALEM }, { 0x4f, 0, NEHALEM },
	{ 0x56, 0, NEHALEM },
	{ 0x4e, 0, SKYLAKE }, { 0x5e, 0, SKYLAKE }, { 0x55, 0, SKYLAKE },
	{ 0x8e, 0, SKYLAKE }, { 0x9e, 0, SKYLAKE }, { 0xa5, 0, SKYLAKE },
	{ 0xa6, 0, SKYLAKE }, { 0x66, 0, SKYLAKE }, { 0x6a, 0, SKYLAKE },
	{ 0x6c, 0, SKYLAKE }, { 0x7d, 0, SKYLAKE }, { 0x7e, 0, SKYLAKE },
	{ 0x8c, 0, SKYLAKE }, { 0x8d, 0, SKYLAKE }, { 0xa7, 0, SKYLAKE },
	{ 0x97, 0x20, GRACEMONT }, { 0x9a, 0x20, GRACEMONT }, { 0xb7, 0x20, GRACEMONT },
	{ 0xba, 0x20, GRACEMONT }, { 0xbf, 0x20, GRACEMONT }, { 0xbe, 0, GRACEMONT },
	{ 0x97, 0, GOLDEN }, { 0x9a, 0, GOLDEN }, { 0xb7, 0, GOLDEN },
	{ 0xba, 0, GOLDEN }, { 0xbf, 0, GOLDEN }, { 0xd7, 0, GOLDEN },
	{ 0xaa, 0x20, CRESTMONT }, { 0xac, 0x20, CRESTMONT }, { 0xb5, 0x20, CRESTMONT },
	{ 0xaa, 0, GOLDEN }, { 0xac, 0, GOLDEN }, { 0xb5, 0, GOLDEN },
	{ 0x8f, 0, GOLDEN_X }, { 0xcf, 0, GOLDEN_X },
	{ 0xad, 0, REDWOOD_X }, { 0xae, 0, REDWOOD_X },
	{ 0xaf, 0, CRESTMONT }, { 0xb6, 0, CRESTMONT }, { 0xdd, 0, DARKMONT },
	{ 0xbd, 0x20, CRESTMONT }, { 0xc5, 0x20, CRESTMONT }, { 0xc6, 0x20, CRESTMONT },
	{ 0xbd, 0, LION }, { 0xc5, 0, LION }, { 0xc6, 0, LION },
	{ 0xcc, 0x20, DARKMONT }, { 0xd5, 0x20, DARKMONT }, { 0xe5, 0x20, DARKMONT },
	{ 0xcc, 0, LION }, { 0xd5, 0, LION }, { 0xe5, 0, LION },
	{ 0x57, 0, PHI }, { 0x85, 0, PHI },
	{ 0x4d, 0, GOLDMONT }, { 0x5c, 0, GOLDMONT }, { 0x5f, 0, GOLDMONT },
	{ 0x7a, 0, GOLDMONT }, { 0x86, 0, GOLDMONT }, { 0x96, 0, GOLDMONT },
	{ 0x9c, 0, GOLDMONT },
};

/* What no bit of the table switches off, and why. */
static const struct {
	uint32_t cores;
	const char *name, *why;
} left[] = {
	{ GOLDEN, "l1_next_page", "no source has its bit on client parts" },
	{ LION, "others", "no source names what this core has beside these four" },
	{ ZEN, "others", "no maker's page names the bits of this core" },
	{ K8, "data", "no source has its bit" },
};
/* clang-format on */

const struct condition *prefetcher_row(unsigned i)
{
	return i < sizeof(rows) / sizeof(rows[0]) ? &rows[i] : NULL;
}

static uint32_t amd_core(const struct cpu *c)
{
	if (c->max_ext >= 0x80000021 && x86_cpuid(0x80000021, 0).eax & 1 << 13)
		return ZEN3;
	if (c->family == 0x17 || c->vendor == VENDOR_HYGON)
		return ZEN;
	return c->family == 15 ? K8 : 0;
}

uint32_t prefetcher_core(const struct cpu *c)
{
	if (c->vendor == VENDOR_AMD || c->vendor == VENDOR_HYGON)
		return amd_core(c);
	if (c->vendor != VENDOR_INTEL)
		return 0;
	if (c->family == 15)
		return NETBURST;
	for (unsigned i = 0; c->family == 6 && i < sizeof(models) / sizeof(models[0]); i++)
		if (models[i].model == c->model &&
		    (!models[i].core || models[i].core == c->core_type))
			return models[i].kind;
	return 0;
}

const char *prefetcher_left(const struct cpu *c, unsigned i, const char **why)
{
	uint32_t core = prefetcher_core(c);

	for (unsigned k = 0; k < sizeof(left) / sizeof(left[0]); k++)
		if (left[k].cores & core && !i--) {
			*why = left[k].why;
			return left[k].name;
		}
	return NULL;
}
