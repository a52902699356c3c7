/*
 * sim/model/models.c - the models, one row each.
 *
 * Geometry: leaf 2, 4, 18H, 80000005H and 80000006H of the part whose CPUID data the model has
 * (sim/model/cpuid.csv); for the Pentium, which reports none, the Developer's Manual. Trace caches
 * are modelled as code caches of 16 KB. Predictors and costs are nominal: see
 * sim/README.md.
 */
#include <stdio.h>
#include <string.h>

#include "sim/model/models.h"
#include "sim/timing/core.h"

enum { EAX, EBX, ECX, EDX };

/* Cores of the same kind in Lunar Lake, without what only a hybrid part has. */
static const struct cpuid_patch patches_sierraforest[] = {
	{ 1, 0, EAX, 0xffffffff, 0xa06f3 },
	{ 7, 0, EDX, 1u << 15, 0 },
	{ 0x1a, 0, EAX, 0xffffffff, 0 },
	{ 0, 0, 0, 0, 0 },
};

/* What a CPU without PMU does not announce. */
static const struct cpuid_patch patches_none[] = {
	{ 1, 0, ECX, 1u << 15, 0 }, /* PERF_CAPABILITIES */
	{ 0, 0, 0, 0, 0 },
};

enum {
	P6_GROUPS = G_P6,
	CORE_GROUPS = G_P6 | G_SYSENTER | G_MISC_ENABLE | G_PERF_CTL | G_MPERF,
	NEHALEM_GROUPS = CORE_GROUPS | G_NEHALEM,
	SANDY_GROUPS = NEHALEM_GROUPS | G_TSC_DEADLINE,
	SKYLAKE_GROUPS = SANDY_GROUPS | G_SKYLAKE | G_TSC_ADJUST,
	AMD_GROUPS = G_P6 | G_SYSENTER | G_AMD,
	ZEN_GROUPS = AMD_GROUPS | G_ZEN | G_MPERF,
};

/* clang-format off */
#define PART(p, n)	.part = p, .logical = n
#define CLOCKS(khz, bus, r) .tsc_khz = khz, .bus_mhz = bus, .ratio = r
#define P6_TLB		.itlb = { 32, 4 }, .itlb_large = { 2, 0 }, .dtlb = { 64, 4 }, \
			.dtlb_large = { 8, 4 }
#define PM_TLB		.itlb = { 128, 4 }, .itlb_large = { 2, 0 }, .dtlb = { 128, 4 }, \
			.dtlb_large = { 8, 4 }
/* 4K and 4M pages share the entries */
#define P4_TLB		.itlb = { 64, 0 }, .dtlb = { 64, 0 }
#define PREDICTOR(entries, stack) .predictor = { entries, 4, 12, stack }
/*                      L2   L3  memory STLB walk mispredict split pmi */
#define P5_COSTS	.costs = { 0,  0,  0,   0,  0,  0,  0, 0 }
#define P6_COSTS	.costs = { 6,  0,  60,  0,  20, 12, 6, 25 }
#define P4_COSTS	.costs = { 16, 0,  180, 0,  50, 20, 10, 52 }
#define P4P_COSTS	.costs = { 26, 0,  220, 0,  60, 31, 14, 52 }
#define CORE_COSTS	.costs = { 14, 0,  140, 7,  25, 15, 8, 30 }
#define L3_COSTS	.costs = { 8,  30, 180, 7,  25, 16, 4, 32 }
#define K7_COSTS	.costs = { 12, 0,  110, 5,  25, 11, 3, 22 }

const struct model models[] = {
	{
		.name = "none", .what = "no PMU, no caches: one clock an instruction",
		PART("GenuineIntel00006F6_Conroe", 0), .patches = patches_none, .pmu = "none",
		CLOCKS(1000000, 100, 10), .groups = G_P6 | G_SYSENTER,
		.flags = MODEL_APIC,
	},
	{
		.name = "p5", .what = "Pentium (P54C), pipeline model",
		PART("GenuineIntel0000525_P54C", 0), .pmu = "p5",
		CLOCKS(100000, 66, 1), .groups = G_P5, .flags = MODEL_PIPELINE | MODEL_F00F,
		.l1d = { 8, 2, 32, true }, .l1i = { 8, 2, 32, false },
		.dtlb = { 64, 4 }, .dtlb_large = { 8, 4 }, .itlb = { 32, 4 },
		.predictor = { 256, 4, 0, 0 }, P5_COSTS,
	},
	{
		.name = "p5mmx", .what = "Pentium MMX (P55C), pipeline model",
		PART("GenuineIntel0000543_P55C", 0), .pmu = "p5mmx",
		CLOCKS(200000, 66, 3), .groups = G_P5,
		.flags = MODEL_PIPELINE | MODEL_RDPMC | MODEL_APIC | MODEL_NO_LVTPC | MODEL_F00F,
		.l1d = { 16, 4, 32, true }, .l1i = { 16, 4, 32, false },
		.dtlb = { 64, 0 }, .itlb = { 32, 0 },
		.predictor = { 256, 4, 0, 4 }, P5_COSTS,
	},
	{
		.name = "ppro", .what = "Pentium Pro",
		PART("GenuineIntel0000617_P6", 0), .pmu = "ppro",
		CLOCKS(200000, 66, 3), .groups = P6_GROUPS,
		.flags = MODEL_APIC | MODEL_RDPMC | MODEL_LVTPC_STAYS,
		.l1d = { 8, 2, 32, false }, .l1i = { 8, 4, 32, false }, .l2 = { 256, 4, 32, false },
		P6_TLB, PREDICTOR(512, 4), P6_COSTS,
	},
	{
		.name = "p2", .what = "Pentium II (Deschutes)",
		PART("GenuineIntel0000651_P2_Descuthes", 0), .pmu = "p2",
		CLOCKS(400000, 100, 4), .groups = P6_GROUPS | G_SYSENTER,
		.flags = MODEL_APIC | MODEL_RDPMC | MODEL_LVTPC_STAYS,
		.l1d = { 16, 4, 32, false }, .l1i = { 16, 4, 32, false }, .l2 = { 512, 4, 32,
			false },
		P6_TLB, PREDICTOR(512, 4), P6_COSTS,
	},
	{
		.name = "p3", .what = "Pentium III (Katmai)",
		PART("GenuineIntel0000673_P3_Katmai", 0), .pmu = "p3",
		CLOCKS(500000, 100, 5), .groups = P6_GROUPS | G_SYSENTER,
		.flags = MODEL_APIC | MODEL_RDPMC | MODEL_LVTPC_STAYS,
		.l1d = { 16, 4, 32, false }, .l1i = { 16, 4, 32, false }, .l2 = { 512, 4, 32,
			false },
		P6_TLB, PREDICTOR(512, 4), P6_COSTS,
	},
	{
		.name = "pm", .what = "Celeron M (Banias)",
		PART("GenuineIntel0000695_PM_Banias", 0), .pmu = "pm",
		CLOCKS(1300000, 100, 13),
		.groups = P6_GROUPS | G_SYSENTER | G_MISC_ENABLE | G_PERF_CTL,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 512, 4, 64,
			false },
		PM_TLB, PREDICTOR(2048, 16), CORE_COSTS,
	},
	{
		.name = "p4", .what = "Celeron (Willamette F13H)",
		PART("GenuineIntel0000F13_P4_Willamette", 0), .pmu = "p4",
		CLOCKS(1700000, 100, 17),
		.groups = G_P6 | G_SYSENTER | G_MISC_ENABLE | G_PERF_CTL | G_NETBURST,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 8, 4, 64, false }, .l1i = { 16, 8, 64, false }, .l2 = { 128, 4, 64,
			false },
		.conflict_bits = 16, P4_TLB, PREDICTOR(4096, 16), P4_COSTS,
	},
	{
		.name = "p4n", .what = "Pentium 4 (Northwood F24H), Hyper-Threading with --smp 2",
		PART("GenuineIntel0000F24_P4_Northwood", 0), .pmu = "p4n",
		CLOCKS(1600000, 100, 16),
		.groups = G_P6 | G_SYSENTER | G_MISC_ENABLE | G_PERF_CTL | G_NETBURST,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 8, 4, 64, false }, .l1i = { 16, 8, 64, false }, .l2 = { 512, 8, 64,
			false },
		.conflict_bits = 16, P4_TLB, PREDICTOR(4096, 16), P4_COSTS,
	},
	{
		.name = "p4p", .what = "Pentium 4 (Prescott), 64-bit",
		PART("GenuineIntel0000F43_P4_Prescott", 0), .pmu = "p4p",
		CLOCKS(3200000, 200, 16),
		.groups = G_P6 | G_SYSENTER | G_MISC_ENABLE | G_PERF_CTL | G_NETBURST,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 16, 8, 64, false }, .l1i = { 16, 8, 64, false }, .l2 = { 2048, 8, 64,
			false },
		.conflict_bits = 22, P4_TLB, PREDICTOR(4096, 16), P4P_COSTS,
	},
	{
		.name = "core", .what = "Core Duo (Yonah), architectural PMU version 1",
		PART("GenuineIntel00006E8_PM_Yonah", 0), .pmu = "core",
		CLOCKS(1666667, 166, 10), .groups = CORE_GROUPS | G_FSB,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 512, 2, 64,
			false },
		PM_TLB, PREDICTOR(2048, 16), CORE_COSTS,
	},
	{
		.name = "core2", .what = "Core 2 (Conroe), architectural PMU version 2",
		PART("GenuineIntel00006F6_Conroe", 0), .pmu = "core2",
		CLOCKS(2400000, 266, 9), .groups = CORE_GROUPS | G_FSB | G_CORE2,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 4096, 16, 64,
			false },
		.itlb = { 128, 4 }, .itlb_large = { 8, 4 }, .dtlb = { 16, 4 }, .dtlb_large = { 16,
			4 },
		.stlb = { 256, 4 }, PREDICTOR(2048, 16), CORE_COSTS,
	},
	{
		.name = "nehalem", .what = "Core i7 (Bloomfield), architectural PMU version 3",
		PART("GenuineIntel00106A4_Bloomfield", 0), .pmu = "nehalem",
		CLOCKS(2666667, 133, 20), .groups = NEHALEM_GROUPS,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 4, 64, false }, .l2 = { 256, 8, 64,
			false },
		.llc = { 8192, 16, 64, false },
		.itlb = { 64, 4 }, .itlb_large = { 7, 0 }, .dtlb = { 64, 4 }, .dtlb_large = { 32,
			4 },
		.stlb = { 512, 4 }, PREDICTOR(2048, 16), L3_COSTS,
	},
	{
		.name = "sandybridge", .what = "Sandy Bridge, architectural PMU version 3",
		PART("GenuineIntel00206A7_SandyBridge", 0), .pmu = "sandybridge",
		CLOCKS(3300000, 100, 33), .groups = SANDY_GROUPS,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 256, 8, 64,
			false },
		.llc = { 6144, 12, 64, false },
		.itlb = { 128, 4 }, .itlb_large = { 8, 0 }, .dtlb = { 64, 4 }, .dtlb_large = { 32,
			4 },
		.stlb = { 512, 4 }, PREDICTOR(4096, 16), L3_COSTS,
	},
	{
		.name = "skylake", .what = "Skylake, architectural PMU version 4",
		PART("GenuineIntel00506E3_Skylake", 0), .pmu = "skylake",
		CLOCKS(2208000, 100, 22), .groups = SKYLAKE_GROUPS, .prefetchers = 0x1f,
		.flags = MODEL_APIC | MODEL_RDPMC,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 256, 4, 64,
			false },
		.llc = { 6144, 12, 64, false },
		.itlb = { 128, 8 }, .itlb_large = { 8, 0 }, .dtlb = { 64, 4 }, .dtlb_large = { 32,
			4 },
		.stlb = { 1536, 6 }, PREDICTOR(4096, 16), L3_COSTS,
	},
	{
		.name = "icelake", .what = "Ice Lake, architectural PMU version 5",
		PART("GenuineIntel00706E5_IceLakeY", 0), .pmu = "icelake",
		CLOCKS(1497600, 100, 15), .groups = SKYLAKE_GROUPS, .prefetchers = 0x1f,
		.flags = MODEL_APIC | MODEL_RDPMC | MODEL_HWP,
		.l1d = { 48, 12, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 512, 8, 64,
			false },
		.llc = { 8192, 16, 64, false },
		.itlb = { 128, 8 }, .itlb_large = { 8, 0 }, .dtlb = { 64, 4 }, .dtlb_large = { 32,
			4 },
		.stlb = { 2048, 16 }, PREDICTOR(4096, 16), L3_COSTS,
	},
	{
		.name = "goldencove",
			.what = "Golden Cove (Sapphire Rapids), architectural PMU version 5",
		PART("GenuineIntel00806F8_SapphireRapids_05", 0), .pmu = "goldencove",
		CLOCKS(2592000, 100, 26), .groups = SKYLAKE_GROUPS | G_GOLDEN_X,
		.prefetchers = 0x3f,
		.flags = MODEL_APIC | MODEL_RDPMC | MODEL_HWP,
		.l1d = { 48, 12, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 2048, 16, 64,
			false },
		.llc = { 38400, 15, 64, false },
		.itlb = { 256, 8 }, .itlb_large = { 32, 8 }, .dtlb = { 64, 4 }, .dtlb_large = { 32,
			4 },
		.stlb = { 2048, 16 }, PREDICTOR(4096, 16), L3_COSTS,
	},
	{
		.name = "sierraforest",
			.what = "Sierra Forest (E-cores), architectural PMU version 6",
		PART("GenuineIntel00B06D1_LunarLake_04", 4), .patches = patches_sierraforest,
		.pmu = "sierraforest",
		CLOCKS(3302400, 100, 33), .groups = SKYLAKE_GROUPS | G_CRESTMONT,
		.prefetchers = 0x1ff,
		.flags = MODEL_APIC | MODEL_RDPMC | MODEL_HWP,
		.l1d = { 32, 8, 64, false }, .l1i = { 64, 8, 64, false }, .l2 = { 4096, 16, 64,
			false },
		.itlb = { 128, 0 }, .dtlb = { 48, 0 }, .stlb = { 4096, 4 },
		PREDICTOR(4096, 16), CORE_COSTS,
	},
	{
		.name = "k7", .what = "AMD Athlon (K7)",
		PART("AuthenticAMD0000622_K7_Pluto", 0), .pmu = "k7",
		CLOCKS(700000, 100, 7), .groups = AMD_GROUPS, .flags = MODEL_APIC | MODEL_RDPMC,
		.vendor = VENDOR_AMD,
		.l1d = { 64, 2, 64, false }, .l1i = { 64, 2, 64, false }, .l2 = { 512, 2, 64,
			false },
		.itlb = { 16, 0 }, .itlb_large = { 8, 0 }, .dtlb = { 24, 0 }, .dtlb_large = { 8,
			0 },
		.stlb = { 256, 4 }, PREDICTOR(2048, 12), K7_COSTS,
	},
	{
		.name = "k8", .what = "AMD Athlon 64 (K8)",
		PART("AuthenticAMD0000F4A_K8_Clawhammer", 0), .pmu = "k8",
		CLOCKS(2000000, 200, 10), .groups = AMD_GROUPS, .flags = MODEL_APIC | MODEL_RDPMC,
		.vendor = VENDOR_AMD,
		.l1d = { 64, 2, 64, false }, .l1i = { 64, 2, 64, false }, .l2 = { 512, 16, 64,
			false },
		.itlb = { 32, 0 }, .itlb_large = { 8, 0 }, .dtlb = { 32, 0 }, .dtlb_large = { 8,
			0 },
		.stlb = { 512, 4 }, PREDICTOR(2048, 12), K7_COSTS,
	},
	{
		.name = "zen2", .what = "AMD Zen 2 (Matisse), core counter extension",
		PART("AuthenticAMD0870F10_K17_Matisse_01", 0), .pmu = "zen2",
		CLOCKS(3600000, 100, 36), .groups = ZEN_GROUPS, .flags = MODEL_APIC | MODEL_RDPMC,
		.vendor = VENDOR_AMD,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 512, 8, 64,
			false },
		.llc = { 16384, 16, 64, false },
		.itlb = { 64, 0 }, .dtlb = { 64, 0 }, .stlb = { 2048, 8 },
		PREDICTOR(4096, 32), L3_COSTS,
	},
	{
		.name = "zen4", .what = "AMD Zen 4 (Raphael), PerfMonV2",
		PART("AuthenticAMD0A60F12_K19_Raphael_03", 0), .pmu = "zen4",
		CLOCKS(4500000, 100, 45), .groups = ZEN_GROUPS, .flags = MODEL_APIC | MODEL_RDPMC,
		.vendor = VENDOR_AMD,
		.l1d = { 32, 8, 64, false }, .l1i = { 32, 8, 64, false }, .l2 = { 1024, 8, 64,
			false },
		.llc = { 32768, 16, 64, false },
		.itlb = { 64, 0 }, .dtlb = { 72, 0 }, .stlb = { 3072, 8 },
		PREDICTOR(4096, 32), L3_COSTS,
	},
};
/* clang-format on */

const unsigned models_count = sizeof(models) / sizeof(models[0]);

const struct model *model_by_name(const char *name)
{
	for (unsigned i = 0; i < models_count; i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}

void models_list(void)
{
	for (unsigned i = 0; i < models_count; i++)
		printf("%-14s %s\n", models[i].name, models[i].what);
}

static void print_cache(const char *name, const struct geometry *g)
{
	if (g->kb)
		printf("  %-12s %u KB, %u ways, lines of %u bytes, LRU%s\n", name, g->kb, g->ways,
		       g->line, g->no_write_allocate ? ", no write allocation" : "");
}

static void print_tlb(const char *name, const struct tlb_geometry *t)
{
	if (t->entries && t->ways)
		printf("  %-12s %u entries, %u ways, LRU\n", name, t->entries, t->ways);
	else if (t->entries)
		printf("  %-12s %u entries, fully associative, LRU\n", name, t->entries);
}

/* Do its clocks come from sim/timing/core.c, unless --flat says otherwise? */
static bool core_in_use(const struct model *m)
{
	const char *why;
	struct core_machine *core = m->flags & MODEL_PIPELINE ? NULL : core_machine(m->name, &why);
	bool in_use = core && core->p.in_use;

	core_machine_free(core);
	return in_use;
}

static void print_costs(const struct model *m, bool core)
{
	const struct costs *c = &m->costs;

	if (m->flags & MODEL_PIPELINE) {
		printf("  clocks       from a model of the U and V pipes\n");
		return;
	}
	if (core) {
		printf("  clocks       from a model of a superscalar core; L2 hit +%u, ",
		       c->l2_hit);
		if (m->llc.kb)
			printf("L3 hit +%u, ", c->llc_hit);
		printf("memory +%u, page walk +%u\n", c->memory, c->walk);
		return;
	}
	printf("  clocks       NOMINAL: 1 an instruction; L2 hit +%u, ", c->l2_hit);
	if (m->llc.kb)
		printf("L3 hit +%u, ", c->llc_hit);
	printf("memory +%u, page walk +%u, misprediction +%u, split access +%u\n", c->memory,
	       c->walk, c->mispredict, c->split);
}

/* why: of sim_event or sim_listed; NULL: the table does not say. */
static void print_reason(const char *why)
{
	if (why)
		printf("NOT DERIVED (%s), counts 0\n", why);
	else
		printf("NOT DERIVED, counts 0\n");
}

/* From which facts of execution an event is made. */
static void print_terms(const struct sim_event *e, bool core)
{
	if (!sim_event_derived(e, core)) {
		print_reason(e->term[0].weight ? "no model of the core" : e->why);
		return;
	}
	for (unsigned i = 0; i < SIM_EVENT_TERMS && e->term[i].weight; i++) {
		if (i)
			printf(" + ");
		if (e->term[i].weight != 1)
			printf("%u * ", e->term[i].weight);
		printf("%s", sim_signal_info[e->term[i].signal].name);
	}
	printf("\n");
}

static void print_events(const struct sim_pmu_model *pmu, bool core)
{
	const struct sim_event *e;
	unsigned derived = 0, count = 0;

	for (unsigned i = 0; (e = sim_pmu_event(pmu, i)); i++) {
		printf("  event %#05x umask %#04x  %-44s ", e->code, e->umask, e->name);
		print_terms(e, core);
		count++;
		derived += sim_event_derived(e, core);
	}
	printf("  %u of %u events derived\n", derived, count);
}

/* What the maker lists and nothing here derives: it exists, and it counts 0. */
static void print_list(const struct sim_pmu_model *pmu, bool core)
{
	unsigned derived = 0;

	if (!pmu->list)
		return;
	for (unsigned i = 0; i < pmu->list->count; i++) {
		const struct sim_listed *e = &pmu->list->rows[i];

		if (sim_pmu_derives(pmu, e->code, e->umask, core)) {
			derived++;
			continue;
		}
		printf("  event %#05x umask %#04x  %-44s ", e->code, e->umask, e->name);
		print_reason(e->why);
	}
	printf("  %u of %u encodings of the maker's list derived\n", derived, pmu->list->count);
}

void model_list(const struct model *m)
{
	const struct sim_pmu_model *pmu = sim_pmu_model(m->pmu);
	bool core = core_in_use(m);

	printf("%s: %s\n", m->name, m->what);
	printf("  CPUID        of %s%s\n", m->part, m->patches ? ", with corrections" : "");
	printf("  TSC          %u kHz\n", m->tsc_khz);
	print_cache("L1 data", &m->l1d);
	print_cache("L1 code", &m->l1i);
	print_cache("L2", &m->l2);
	print_cache("L3", &m->llc);
	print_tlb("data TLB", &m->dtlb);
	print_tlb("large pages", &m->dtlb_large);
	print_tlb("code TLB", &m->itlb);
	print_tlb("second TLB", &m->stlb);
	print_costs(m, core);
	printf("  PMU          %u counters of %u bits, fixed counters %#x, version %u\n",
	       pmu->counters, pmu->width, pmu->fixed_map, pmu->version);
	print_events(pmu, core);
	print_list(pmu, core);
}
