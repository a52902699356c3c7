/*
 * sim/pmu/models.c - the rows: what PMU each --cpu model has.
 *
 * Leaves 0AH, 1CH, 23H and 80000022H are those of real parts (InstLatX64 CPUID collection): Yonah
 * 6E8, Conroe 6FB, Bloomfield 106A4, Sandy Bridge 206D7, Skylake 406E3, Ice Lake 706E5, Sapphire
 * Rapids 806F8, Raphael A60F12. That of sierraforest is put together from the efficiency core of
 * Lunar Lake B06D1 (fixed counters 0x77, UMASK2, EQ) without auto counter reload: unverified.
 *
 * PERF_CAPABILITIES: format of LBR and PEBS, full-width writes and PERF_METRICS as the SDM has
 * them for the part; bits 6, 7, 12 from memory (unverified). Masks of the offcore and front-end
 * registers: unverified, except those that Linux checks (Sandy Bridge, Skylake).
 */
#include "sim/pmu/events.h"
#include "sim/pmu/internal.h"

#include <string.h>

/* ---- last-branch records ---- */

#define DEBUGCTL_P6 BITS(6, 0)
#define DEBUGCTL_PM BITS(8, 0)
#define DEBUGCTL_V1 (BITS(8, 6) | BITS(1, 0))
#define DEBUGCTL_V2 (BITS(12, 6) | BITS(1, 0))
#define DEBUGCTL_V3 (BITS(14, 6) | BITS(1, 0))
#define DEBUGCTL_V5 (BITS(14, 6) | BITS(2, 0)) /* 2: bus lock detection */

static const struct sim_lbr_model lbr_p6 = { .format = LBR_SINGLE,
	                                     .depth = 1,
	                                     .debugctl_mask = DEBUGCTL_P6 };

static const struct sim_lbr_model lbr_pm = {
	.format = LBR_PAIR32,
	.depth = 8,
	.tos = 0x1c9,
	.from = 0x40,
	.debugctl_mask = DEBUGCTL_PM,
};

static const struct sim_lbr_model lbr_p4 = {
	.format = LBR_PAIR32,
	.depth = 4,
	.tos = 0x1da,
	.from = 0x1db,
	.debugctl_mask = BITS(6, 0),
	.netburst = true,
};

static const struct sim_lbr_model lbr_p4p = {
	.format = LBR_PLAIN,
	.depth = 16,
	.tos = 0x1da,
	.from = 0x680,
	.to = 0x6c0,
	.debugctl_mask = BITS(6, 0),
	.netburst = true,
};

static const struct sim_lbr_model lbr_core = {
	.format = LBR_PAIR32,
	.depth = 8,
	.tos = 0x1c9,
	.from = 0x40,
	.debugctl_mask = DEBUGCTL_V1,
};

static const struct sim_lbr_model lbr_core2 = {
	.format = LBR_PLAIN,
	.depth = 4,
	.tos = 0x1c9,
	.from = 0x40,
	.to = 0x60,
	.debugctl_mask = DEBUGCTL_V2,
};

static const struct sim_lbr_model lbr_nehalem = {
	.format = LBR_FLAGS,
	.depth = 16,
	.tos = 0x1c9,
	.from = 0x680,
	.to = 0x6c0,
	.select = 0x1c8,
	.select_mask = BITS(8, 0),
	.debugctl_mask = DEBUGCTL_V3,
};

static const struct sim_lbr_model lbr_skylake = {
	.format = LBR_INFO,
	.depth = 32,
	.tos = 0x1c9,
	.from = 0x680,
	.to = 0x6c0,
	.info = 0xdc0,
	.select = 0x1c8,
	.select_mask = BITS(9, 0),
	.debugctl_mask = DEBUGCTL_V3,
};

static const struct sim_lbr_model lbr_arch = {
	.format = LBR_ARCH,
	.depth = 32,
	.from = 0x1500,
	.to = 0x1600,
	.info = 0x1200,
	.debugctl_mask = DEBUGCTL_V5,
};

static const struct sim_lbr_model lbr_amd = { .format = LBR_SINGLE,
	                                      .depth = 1,
	                                      .debugctl_mask = BITS(5, 0) };

static const struct sim_lbr_model lbr_zen4 = {
	.format = LBR_PLAIN,
	.depth = 16,
	.select = 0xc000010e,
	.select_mask = BITS(8, 0),
	.debugctl_mask = BITS(5, 0),
	.amd_v2 = true,
};

/* ---- rows ---- */

#define NETBURST_ROW                                                                     \
	.kind = SIM_PMU_NETBURST, .counters = 18, .width = 40, .ds = true, .pebs = true, \
	.events = { &sim_events_netburst }

#define P6_ROW \
	.kind = SIM_PMU_P6, .counters = 2, .width = 40, .threads = 1, .events = { &sim_events_p6 }

#define ARCH_EVENTS \
	.events = { &sim_events_arch, &sim_events_arch_models, &sim_events_arch_retired }

/* With the maker's list: its names go before. */
#define LISTED_EVENTS(name)                                                         \
	.list = &sim_list_##name, .events = { &sim_events_arch, &sim_events_##name, \
		                              &sim_events_arch_models, &sim_events_arch_retired }

static const struct sim_pmu_model models[] = {
	{
		.name = "p5",
		.kind = SIM_PMU_P5,
		.counters = 2,
		.width = 40,
		.threads = 1,
		.event_models = MODEL(0),
		.events = { &sim_events_p5 },
	},
	{
		.name = "p5mmx",
		.kind = SIM_PMU_P5,
		.part = 1,
		.counters = 2,
		.width = 40,
		.threads = 1,
		.event_models = MODEL(1),
		.events = { &sim_events_p5 },
	},
	{ .name = "ppro", P6_ROW, .part = 1, .lbr = &lbr_p6, .event_models = MODEL(0) },
	{ .name = "p2", P6_ROW, .part = 5, .lbr = &lbr_p6, .event_models = MODEL(1) },
	{ .name = "p3", P6_ROW, .part = 7, .lbr = &lbr_p6, .event_models = MODEL(2) },
	{ .name = "pm", P6_ROW, .part = 9, .lbr = &lbr_pm, .event_models = MODEL(3), .ds = true },
	{
		.name = "p4",
		NETBURST_ROW,
		.part = 1,
		.threads = 1,
		.lbr = &lbr_p4,
		.event_models = MODEL(1),
	},
	{
		.name = "p4n",
		NETBURST_ROW,
		.part = 2,
		.threads = 2,
		.lbr = &lbr_p4,
		.event_models = MODEL(2),
	},
	{
		.name = "p4p",
		NETBURST_ROW,
		.part = 4,
		.threads = 2,
		.dtes64 = true,
		.lbr = &lbr_p4p,
		.event_models = MODEL(4),
	},
	{
		.name = "core",
		.kind = SIM_PMU_ARCH,
		.counters = 2,
		.width = 40,
		.version = 1,
		.threads = 1,
		.bus_ratio = 10,
		.ds = true,
		.pin_control = true,
		.pdcm = true,
		.lbr = &lbr_core,
		.leaf_0a = { 0x07280201, 0, 0, 0 },
		.event_models = MODEL(0),
		ARCH_EVENTS,
	},
	{
		.name = "core2",
		.kind = SIM_PMU_ARCH,
		.counters = 2,
		.width = 40,
		.version = 2,
		.threads = 1,
		.bus_ratio = 9,
		.ds = true,
		.dtes64 = true,
		.pebs = true,
		.pebs_mask = BIT(0),
		.pin_control = true,
		.fixed_map = 0x7,
		.pdcm = true,
		.perf_capabilities = 0x00c2,
		.lbr = &lbr_core2,
		.leaf_0a = { 0x07280202, 0, 0, 0x00000503 },
		.event_models = MODEL(1),
		ARCH_EVENTS,
	},
	{
		.name = "nehalem",
		.kind = SIM_PMU_ARCH,
		.counters = 4,
		.width = 48,
		.version = 3,
		.threads = 1,
		.bus_ratio = 20,
		.ds = true,
		.dtes64 = true,
		.pebs = true,
		.pebs_mask = BITS(35, 32) | BITS(3, 0),
		.any_thread = true,
		.pin_control = true,
		.fixed_map = 0x7,
		.pdcm = true,
		.perf_capabilities = 0x11c3,
		.offcore_mask = { 0xffff },
		.lbr = &lbr_nehalem,
		.leaf_0a = { 0x07300403, 0x00000040, 0, 0x00000603 },
		.event_models = MODEL(2),
		LISTED_EVENTS(nehalem),
	},
	{
		.name = "sandybridge",
		.kind = SIM_PMU_ARCH,
		.counters = 4,
		.width = 48,
		.version = 3,
		.threads = 1,
		.bus_ratio = 27,
		.ds = true,
		.dtes64 = true,
		.pebs = true,
		.pebs_mask = BIT(63) | BITS(35, 32) | BITS(3, 0),
		.any_thread = true,
		.fixed_map = 0x7,
		.pdcm = true,
		.perf_capabilities = 0x11c3,
		.offcore_mask = { 0x3fffff8fff, 0x3fffff8fff },
		.lbr = &lbr_nehalem,
		.leaf_0a = { 0x07300403, 0, 0, 0x00000603 },
		.event_models = MODEL(3),
		LISTED_EVENTS(sandybridge),
	},
	{
		.name = "skylake",
		.kind = SIM_PMU_ARCH,
		.counters = 4,
		.width = 48,
		.version = 4,
		.threads = 1,
		.bus_ratio = 100,
		.slots = 4,
		.ds = true,
		.dtes64 = true,
		.pebs = true,
		.pebs_mask = BITS(35, 32) | BITS(3, 0),
		.any_thread = true,
		.fixed_map = 0x7,
		.pdcm = true,
		.perf_capabilities = 0x33c5,
		.offcore_mask = { 0x3fffff8fff, 0x3fffff8fff },
		.frontend_mask = 0x7fff17,
		.lbr = &lbr_skylake,
		.leaf_0a = { 0x07300404, 0, 0, 0x00000603 },
		.event_models = MODEL(4),
		LISTED_EVENTS(skylake),
	},
	{
		.name = "icelake",
		.kind = SIM_PMU_ARCH,
		.counters = 8,
		.width = 48,
		.version = 5,
		.threads = 1,
		.bus_ratio = 39, /* of the TSC to the crystal, CPUID leaf 15H */
		.slots = 5,
		.metrics = 4,
		.ds = true,
		.dtes64 = true,
		.pebs = true,
		.pebs_mask = BITS(35, 32) | BITS(7, 0),
		.fixed_map = 0xf,
		.pdcm = true,
		.perf_capabilities = 0xf4c5,
		.offcore_mask = { 0x3fffffbfff, 0x3fffffbfff },
		.frontend_mask = 0x7fff17,
		.lbr = &lbr_skylake,
		.leaf_0a = { 0x08300805, 0, 0x0000000f, 0x00008604 },
		.event_models = MODEL(5),
		LISTED_EVENTS(icelake),
	},
	{
		.name = "goldencove",
		.kind = SIM_PMU_ARCH,
		.counters = 8,
		.width = 48,
		.version = 5,
		.threads = 1,
		.bus_ratio = 108, /* as above */
		.slots = 6,
		.metrics = 8,
		.ds = true,
		.dtes64 = true,
		.pebs = true,
		.pebs_mask = BITS(35, 32) | BITS(7, 0),
		.tsx = true,
		.fixed_map = 0xf,
		.pdcm = true,
		.perf_capabilities = 0xf5ff,
		.offcore_mask = { 0x3fffffffff, 0x3fffffffff },
		.frontend_mask = 0x7fff1f,
		.lbr = &lbr_arch,
		.leaf_0a = { 0x08300805, 0, 0x0000000f, 0x00008604 },
		.leaf_1c = { 0x4000000b, 0x00000007, 0x00000007, 0 },
		.event_models = MODEL(6),
		LISTED_EVENTS(goldencove),
	},
	{
		.name = "sierraforest",
		.kind = SIM_PMU_ARCH,
		.counters = 8,
		.width = 48,
		.version = 6,
		.threads = 1,
		.slots = 6,
		.ds = true,
		.dtes64 = true,
		.pebs = true,
		.pebs_mask = 0x77ull << 32 | BITS(7, 0),
		.fixed_map = 0x77,
		.pdcm = true,
		.perf_capabilities = 0x75ff,
		.offcore_mask = { 0x3fffffffff, 0x3fffffffff },
		.lbr = &lbr_arch,
		.leaf_0a = { 0x0d300806, 0x00000080, 0x00000077, 0x00008603 },
		.leaf_1c = { 0xc000000b, 0x00000007, 0x00000007, 0 },
		.leaf_23 = { { 0xb, 0x3, 0x6, 0 },
	                     { 0xff, 0x77, 0, 0 },
	                     { 0, 0, 0, 0 },
	                     { 0x1f7f, 0, 0, 0 } },
		.event_models = MODEL(7),
		LISTED_EVENTS(sierraforest),
	},
	{
		.name = "k7",
		.kind = SIM_PMU_AMD,
		.part = 6,
		.counters = 4,
		.width = 48,
		.threads = 1,
		.lbr = &lbr_amd,
		.event_models = MODEL(0),
		.events = { &sim_events_amd },
	},
	{
		.name = "k8",
		.kind = SIM_PMU_AMD,
		.part = 0xf,
		.counters = 4,
		.width = 48,
		.threads = 1,
		.lbr = &lbr_amd,
		.event_models = MODEL(1),
		.events = { &sim_events_amd },
	},
	{
		.name = "zen2",
		.kind = SIM_PMU_AMD,
		.part = 0x17,
		.ibs = 0x3ff,
		.counters = 6,
		.width = 48,
		.threads = 1,
		.lbr = &lbr_amd,
		.event_models = MODEL(2),
		.events = { &sim_events_amd },
	},
	{
		.name = "zen4",
		.kind = SIM_PMU_AMD,
		.part = 0x19,
		.ibs = 0xbff,
		.counters = 6,
		.width = 48,
		.version = 2,
		.threads = 1,
		.lbr = &lbr_zen4,
		.leaf_80000022 = { 0x00000003, 0x00084106, 0x00000003, 0 },
		.event_models = MODEL(3),
		.events = { &sim_events_amd },
	},
	{ .name = "none", .kind = SIM_PMU_NONE, .threads = 1 },
};

const struct sim_pmu_model *sim_pmu_model_at(unsigned i)
{
	return i < sizeof(models) / sizeof(models[0]) ? &models[i] : NULL;
}

const struct sim_pmu_model *sim_pmu_model(const char *name)
{
	for (unsigned i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}
