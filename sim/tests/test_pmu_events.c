/*
 * sim/tests/test_pmu_events.c - the event tables: well-formed, and against libpfm4.
 *
 * libpfm4 (perfmon2) has its own reading of the vendors' tables. Every row of a model that it knows
 * must have an encoding there with the same event select, unit mask, cmask, inv and edge, under an
 * event of the same name; the rows that have not are listed below with the reason. libpfm4 built
 * for x86-64 knows no P5 and no P6.
 */
#include "pmu_env.h"

#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "sim/pmu/events.h"

/* ---- well-formed ---- */

static bool same_row(const struct sim_event *a, const struct sim_event *b)
{
	return a->code == b->code && a->umask == b->umask && a->unit == b->unit &&
	       a->counters == b->counters && a->cmask == b->cmask && a->inv == b->inv &&
	       a->edge == b->edge;
}

static void test_rows(void **state)
{
	(void)state;
	for (unsigned i = 0; sim_pmu_model_at(i); i++) {
		const struct sim_pmu_model *m = sim_pmu_model_at(i);
		const struct sim_event *e;

		for (unsigned k = 0; (e = sim_pmu_event(m, k)); k++) {
			assert_true(e->name && *e->name && e->source && *e->source);
			if (e->counters >> m->counters)
				fail_msg("%s: %s: no such counter", m->name, e->name);
			for (unsigned t = 0; t < SIM_EVENT_TERMS && e->term[t].weight; t++)
				assert_true(e->term[t].signal < SIG_COUNT);
		}
		/* Same encoding, other signals: only the first would count. */
		for (unsigned k = 0; (e = sim_pmu_event(m, k)); k++) {
			const struct sim_event *f;

			for (unsigned j = k + 1; (f = sim_pmu_event(m, j)); j++)
				if (same_row(e, f) && memcmp(e->term, f->term, sizeof(e->term)))
					fail_msg("%s: %s and %s", m->name, e->name, f->name);
		}
	}
}

/*
 * The number of rows (those of the reference: 42 P5 events, 36 more of the Pentium MMX, 173 mask
 * bits of NetBurst, ...) and of derived rows, so that a change of a table is seen.
 */
static void test_row_counts(void **state)
{
	static const struct {
		const char *model;
		unsigned rows, derived;
	} expected[] = {
		{ "p5", 42, 36 },
		{ "p5mmx", 78, 60 },
		{ "ppro", 98, 61 },
		{ "p2", 120, 79 },
		{ "p3", 130, 88 },
		{ "pm", 188, 124 },
		{ "p4", 171, 75 },
		{ "p4n", 171, 69 },
		{ "p4p", 173, 71 },
		{ "core", 7, 7 },
		{ "core2", 79, 73 },
		{ "nehalem", 226, 222 },
		{ "sandybridge", 258, 254 },
		{ "skylake", 273, 270 },
		{ "icelake", 257, 253 },
		{ "goldencove", 290, 286 },
		{ "sierraforest", 203, 200 },
		{ "k7", 30, 30 },
		{ "k8", 59, 57 },
		{ "zen2", 102, 80 },
		{ "zen4", 235, 211 },
		{ "none", 0, 0 },
	};
	unsigned differ = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct sim_pmu_model *m = sim_pmu_model(expected[i].model);
		unsigned rows = 0, derived = 0;
		const struct sim_event *e;

		for (; (e = sim_pmu_event(m, rows)); rows++)
			derived += sim_event_derived(e, true);
		if (rows != expected[i].rows || derived != expected[i].derived) {
			print_error("%s: %u rows, %u derived\n", m->name, rows, derived);
			differ++;
		}
	}
	assert_int_equal(differ, 0);
}

/* ---- libpfm4 ---- */

enum layout { LAYOUT_INTEL, LAYOUT_NETBURST, LAYOUT_AMD };

static const struct {
	const char *model, *pmu;
	enum layout layout;
} libraries[] = {
	{ "p4", "netburst", LAYOUT_NETBURST },
	{ "p4n", "netburst", LAYOUT_NETBURST },
	{ "p4p", "netburst_p", LAYOUT_NETBURST },
	{ "core2", "core", LAYOUT_INTEL },
	{ "nehalem", "nhm", LAYOUT_INTEL },
	{ "sandybridge", "snb_ep", LAYOUT_INTEL },
	{ "skylake", "skl", LAYOUT_INTEL },
	{ "icelake", "icl", LAYOUT_INTEL },
	{ "goldencove", "spr", LAYOUT_INTEL },
	{ "sierraforest", "adl_grt", LAYOUT_INTEL },
	{ "k7", "amd64_k7", LAYOUT_AMD },
	{ "k8", "amd64_k8_revf", LAYOUT_AMD },
	{ "zen2", "amd64_fam17h_zen2", LAYOUT_AMD },
	{ "zen4", "amd64_fam19h_zen4", LAYOUT_AMD },
};

struct encoding {
	char event[64];
	unsigned code, umask, cmask, inv, edge;
};

static struct encoding *encodings;
static unsigned encoding_count;

static void decode(enum layout layout, uint64_t c0, uint64_t c1, struct encoding *e)
{
	e->code = c0 & 0xff;
	e->umask = c0 >> 8 & 0xff;
	e->cmask = c0 >> 24 & 0xff;
	e->inv = c0 >> 23 & 1;
	e->edge = c0 >> 18 & 1;
	if (layout == LAYOUT_AMD)
		e->code |= c0 >> 24 & 0xf00;
	if (layout == LAYOUT_NETBURST) {
		e->code = c0 >> 25 & 0x3f;
		e->umask = c0 >> 9 & 0xffff;
		e->cmask = c1 >> 20 & 0xf;
		e->inv = c1 >> 19 & 1;
		e->edge = c1 >> 24 & 1;
	}
}

static void add_encoding(enum layout layout, const char *event, const char *text)
{
	pfm_pmu_encode_arg_t arg;
	char *fstr = NULL;

	memset(&arg, 0, sizeof(arg));
	arg.size = sizeof(arg);
	arg.fstr = &fstr;
	if (pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg) ==
	    PFM_SUCCESS) {
		struct encoding *e;

		e = realloc(encodings, (encoding_count + 1) * sizeof(*encodings));
		assert_non_null(e);
		encodings = e;
		e = &encodings[encoding_count++];
		memset(e, 0, sizeof(*e));
		snprintf(e->event, sizeof(e->event), "%s", event);
		decode(layout, arg.codes[0], arg.count > 1 ? arg.codes[1] : 0, e);
	}
	free(fstr);
	free(arg.codes);
}

static void read_event(enum layout layout, const char *pmu, int index)
{
	pfm_event_info_t info;
	char text[512];

	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	if (pfm_get_event_info(index, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return;
	snprintf(text, sizeof(text), "%s::%s", pmu, info.name);
	add_encoding(layout, info.name, text);
	for (int a = 0; a < info.nattrs; a++) {
		pfm_event_attr_info_t attr;

		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		if (pfm_get_event_attr_info(index, a, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(text, sizeof(text), "%s::%s:%s", pmu, info.name, attr.name);
		add_encoding(layout, info.name, text);
	}
}

static bool read_pmu(enum layout layout, const char *name)
{
	encoding_count = 0;
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info;

		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		if (pfm_get_pmu_info((pfm_pmu_t)i, &info) != PFM_SUCCESS ||
		    strcasecmp(info.name, name))
			continue;
		for (int e = info.first_event; e != -1; e = pfm_get_event_next(e))
			read_event(layout, name, e);
		return true;
	}
	return false;
}

/* Names that libpfm4 spells otherwise: only the part before the unit mask. */
static const struct {
	const char *ours, *theirs;
} aliases[] = {
	{ "uop_type", "uops_type" },
	{ "UOPS_DISPATCHED", "UOPS_EXECUTED" },
	{ "LONGEST_LAT_CACHE", "LLC_REFERENCES" },
	{ "LONGEST_LAT_CACHE", "LLC_MISSES" },
	{ "LONGEST_LAT_CACHE", "LAST_LEVEL_CACHE_REFERENCES" },
	{ "LONGEST_LAT_CACHE", "LAST_LEVEL_CACHE_MISSES" },
	{ "IDQ_BUBBLES", "IDQ_UOPS_NOT_DELIVERED" },
	{ "OCR", "OFFCORE_RESPONSE_1" },
};

/* Rows that libpfm4 codes otherwise or not at all. NULL as model: any. */
static const struct {
	const char *model, *name, *why;
} known[] = {
	{ NULL, "x87_SIMD_moves_uop:ALLP0", "not in libpfm4: older manuals only" },
	{ NULL, "x87_SIMD_moves_uop:ALLP2", "not in libpfm4: older manuals only" },
	{ NULL, "b2b_cycles:BIT5", "libpfm4 codes it as bit 4" },
	{ NULL, "b2b_cycles:BIT6", "libpfm4 codes it as bit 4" },
	{ "nehalem", "Branch Mispredicts Retired", "left out there because of erratum AAJ80" },
	{ "nehalem", "INST_RETIRED.ANY_P", "unit mask 0 there, 1 in the vendor's list" },
	{ "nehalem", "BR_INST_RETIRED.ALL_BRANCHES", "unit mask 0 there, 4 in the vendor's" },
	{ "sandybridge", "Branch Instructions Retired", "the PEBS form there, unit mask 4" },
	{ "sandybridge", "Branch Mispredicts Retired", "the PEBS form there, unit mask 4" },
	{ "sandybridge", "BR_INST_RETIRED.ALL_BRANCHES", "the PEBS form there, unit mask 4" },
	{ "sandybridge", "BR_MISP_RETIRED.ALL_BRANCHES", "the PEBS form there, unit mask 4" },
	{ "icelake", "ARITH.FP_DIVIDER_ACTIVE", "vendor's list only" },
	{ "icelake", "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_RFO", "vendor's list only" },
	{ "icelake", "TOPDOWN.BACKEND_BOUND_SLOTS", "event select 0 there" },
	{ "goldencove", "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD", "vendor's list only" },
	{ "goldencove", "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_DATA_RD",
	  "vendor's list only" },
	{ "goldencove", "OFFCORE_REQUESTS_OUTSTANDING.L3_MISS_DEMAND_DATA_RD",
	  "vendor's list only" },
	{ "goldencove", "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_CODE_RD", "vendor's list only" },
	{ "goldencove", "OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_CODE_RD",
	  "vendor's list only" },
	{ "goldencove", "ICACHE_DATA.STALL_PERIODS", "vendor's list only" },
	{ "goldencove", "LOCK_CYCLES.CACHE_LOCK_DURATION", "vendor's list only" },
	{ "goldencove", "BACLEARS.ANY", "no such encoding there" },
	{ "goldencove", "RS.EMPTY_RESOURCE", "no such encoding there" },
	{ "skylake", "MEMORY_DISAMBIGUATION.HISTORY_RESET", "no such encoding there" },
	{ "skylake", "INST_DECODED.DECODERS", "no such encoding there" },
	{ "skylake", "DSB2MITE_SWITCHES.COUNT", "no such encoding there" },
	{ "nehalem", "MACRO_INSTS.FUSIONS_DECODED", "no such encoding there" },
	{ "nehalem", "UOPS_DECODED.STALL_CYCLES", "no such encoding there" },
	{ "goldencove", "TOPDOWN.BAD_SPEC_SLOTS", "event select 0 there" },
	{ "goldencove", "TOPDOWN.BR_MISPREDICT_SLOTS", "event select 0 there" },
	{ "goldencove", "TOPDOWN.MEMORY_BOUND_SLOTS", "event select 0 there" },
	{ "goldencove", "RS_EMPTY.CYCLES", "vendor's list only" },
	{ "goldencove", "RS_EMPTY.COUNT", "vendor's list only" },
	{ "goldencove", "EXE_ACTIVITY.2_3_PORTS_UTIL", "vendor's list only" },
	{ "goldencove", "EXE_ACTIVITY.EXE_BOUND_0_PORTS", "vendor's list only" },
	{ "goldencove", "ARITH.IDIV_ACTIVE", "cmask 0 there, 1 in the vendor's list" },
	{ "skylake", "UOPS_RETIRED.STALL_CYCLES", "unit mask 1 there, 2 in the vendor's list" },
	{ "goldencove", "TOPDOWN.BACKEND_BOUND_SLOTS", "event select 0 there" },
	{ "icelake", "L2_RQSTS.REFERENCES", "vendor's list only" },
	{ "icelake", "L2_RQSTS.MISS", "vendor's list only" },
	{ "goldencove", "L2_RQSTS.REFERENCES", "vendor's list only" },
	{ "goldencove", "L2_RQSTS.MISS", "vendor's list only" },
	{ "goldencove", "L2_TRANS.L2_WB", "vendor's list only" },
	{ "goldencove", "HW_INTERRUPTS.RECEIVED", "vendor's list only" },
	{ "skylake", "BR_INST_RETIRED.ALL_BRANCHES_PEBS", "vendor's list only" },
	{ "skylake", "BR_MISP_RETIRED.ALL_BRANCHES_PEBS", "vendor's list only" },
	{ "nehalem", "MEM_UNCORE_RETIRED.UNCACHEABLE", "vendor's list only" },
	{ "nehalem", "INST_RETIRED.MMX", "vendor's list only" },
	{ "sandybridge", "CPU_CLK_THREAD_UNHALTED.ONE_THREAD_ACTIVE", "vendor's list only" },
	{ "sandybridge", "BR_MISP_EXEC.INDIRECT", "vendor's list only" },
	{ "skylake", "INST_RETIRED.NOP", "vendor's list only" },
	{ "skylake", "UOPS_RETIRED.MACRO_FUSED", "cmask 1 there, 0 in the vendor's list" },
	{ "goldencove", "UOPS_RETIRED.MS", "a filter register there" },
	{ "skylake", "FP_ARITH_INST_RETIRED.SCALAR", "vendor's list only" },
	{ "skylake", "FP_ARITH_INST_RETIRED.4_FLOPS", "vendor's list only" },
	{ "skylake", "FP_ARITH_INST_RETIRED.VECTOR", "vendor's list only" },
	{ "icelake", "DTLB_LOAD_MISSES.WALK_COMPLETED_1G", "vendor's list only" },
	{ "icelake", "DTLB_STORE_MISSES.WALK_COMPLETED_1G", "vendor's list only" },
	{ "icelake", "BR_MISP_RETIRED.RET", "vendor's list only" },
	{ "icelake", "MEM_LOAD_MISC_RETIRED.UC", "vendor's list only" },
	{ "goldencove", "OFFCORE_REQUESTS.DEMAND_CODE_RD", "vendor's list only" },
	{ "goldencove", "OFFCORE_REQUESTS.DEMAND_RFO", "vendor's list only" },
	{ "goldencove", "OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD", "vendor's list only" },
	{ "goldencove", "L2_RQSTS.HIT", "vendor's list only" },
	{ "goldencove", "HW_INTERRUPTS.MASKED", "vendor's list only" },
	{ "goldencove", "HW_INTERRUPTS.PENDING_AND_MASKED", "vendor's list only" },
	{ "goldencove", "MEM_TRANS_RETIRED.STORE_SAMPLE", "vendor's list only" },
	{ NULL, "SW_PREFETCH_ACCESS.ANY", "vendor's list only" },
};

/* Encodings that libpfm4 lacks, although it has another one of that name. */
static const struct {
	const char *model;
	unsigned code;
} missing[] = { { "goldencove", 0x2b } };

static bool is_known(const char *model, const struct sim_event *e)
{
	for (unsigned i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (!strcmp(missing[i].model, model) && missing[i].code == e->code)
			return true;
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if ((!known[i].model || !strcmp(known[i].model, model)) &&
		    !strcmp(known[i].name, e->name))
			return true;
	return false;
}

/* Rows with blanks in the name are architectural: any event of that code will do. */
static bool same_name(const char *ours, const char *theirs)
{
	size_t base = strcspn(ours, ":.");

	if (strchr(ours, ' ') || !strncasecmp(ours, theirs, base))
		return true;
	for (unsigned i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strncmp(aliases[i].ours, ours, base) && !strcmp(aliases[i].theirs, theirs))
			return true;
	return false;
}

static bool in_library(const struct sim_event *e)
{
	for (unsigned i = 0; i < encoding_count; i++) {
		const struct encoding *x = &encodings[i];

		if (x->code == e->code && x->umask == e->umask && x->cmask == e->cmask &&
		    x->inv == e->inv && x->edge == e->edge && same_name(e->name, x->event))
			return true;
	}
	return false;
}

static void test_against_libpfm4(void **state)
{
	unsigned checked = 0, differ = 0;

	(void)state;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	for (unsigned i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		const struct sim_pmu_model *m = sim_pmu_model(libraries[i].model);
		const struct sim_event *e;

		if (!read_pmu(libraries[i].layout, libraries[i].pmu)) {
			print_message("%s: not in this libpfm4\n", libraries[i].pmu);
			continue;
		}
		for (unsigned k = 0; (e = sim_pmu_event(m, k)); k++) {
			bool found = in_library(e);

			/* AMD's own sums (libpfm4 has their parts). */
			if (strcmp(e->source, "libpfm4") && m->kind == SIM_PMU_AMD)
				continue;
			checked++;
			if (found == is_known(m->name, e)) {
				print_error("%s: %s %03x/%02x: %s\n", m->name, e->name, e->code,
				            e->umask, found ? "listed, but agrees" : "differs");
				differ++;
			}
		}
	}
	free(encodings);
	encodings = NULL;
	pfm_terminate();
	print_message("%u rows checked against libpfm4\n", checked);
	assert_int_equal(differ, 0);
	assert_true(checked > 800);
}

/* ---- the maker's lists, and against them (sim/pmu/perfmon-list.awk) ---- */

/* Rows as the rules make them, typed from the lists. No name: the encoding is not in the list. */
static const struct {
	const char *model;
	struct sim_listed row;
} listed[] = {
	/* 0xB and 0x2 in the list */
	{ "nehalem", { "MEM_INST_RETIRED.STORES", 0x0b, 0x02, .counters = 0xf } },
	/* a counter that is not the first; names that have the encoding of the first */
	{ "nehalem",
	  { "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD_0", 0x0b, 0x10, .counters = 0x8 } },
	/* the flags are part of an encoding */
	{ "skylake", { "UOPS_ISSUED.ANY", 0x0e, 0x01, .counters = 0xf } },
	{ "skylake",
	  { "UOPS_ISSUED.STALL_CYCLES", 0x0e, 0x01, .cmask = 1, .inv = true, .counters = 0xf } },
	{ "skylake",
	  { "INT_MISC.CLEARS_COUNT", 0x0d, 0x01, .cmask = 1, .edge = true, .counters = 0xf } },
	/* two selects */
	{ "sandybridge",
	  { "OFFCORE_RESPONSE.ALL_DATA_RD.LLC_HIT.HIT_OTHER_CORE_NO_FWD", 0xb7, 0x01,
	    .counters = 0xf } },
	{ "sandybridge",
	  { "OFFCORE_RESPONSE.ALL_DATA_RD.LLC_HIT.HIT_OTHER_CORE_NO_FWD", 0xbb, 0x01,
	    .counters = 0xf } },
	/* eight counters */
	{ "icelake", { "UOPS_ISSUED.ANY", 0x0e, 0x01, .counters = 0xff } },
	/* fixed counters: INST_RETIRED.ANY, TOPDOWN.SLOTS */
	{ "skylake", { .umask = 0x01 } },
	{ "icelake", { .umask = 0x04 } },
};

static const struct sim_listed *find_listed(const struct sim_list *list,
                                            const struct sim_listed *as)
{
	for (unsigned i = 0; i < list->count; i++) {
		const struct sim_listed *l = &list->rows[i];

		if (l->code == as->code && l->umask == as->umask && l->cmask == as->cmask &&
		    l->inv == as->inv && l->edge == as->edge)
			return l;
	}
	return NULL;
}

/* What a list is sorted by: --list prints it in this order. */
static uint64_t place(const struct sim_listed *l)
{
	return (uint64_t)l->code << 32 | l->umask << 16 | l->cmask << 8 | l->inv << 1 | l->edge;
}

static void test_lists(void **state)
{
	(void)state;
	for (unsigned i = 0; sim_pmu_model_at(i); i++) {
		const struct sim_list *list = sim_pmu_model_at(i)->list;

		for (unsigned k = 1; list && k < list->count; k++)
			assert_true(place(&list->rows[k - 1]) < place(&list->rows[k]));
	}
	for (unsigned i = 0; i < sizeof(listed) / sizeof(listed[0]); i++) {
		const struct sim_pmu_model *m = sim_pmu_model(listed[i].model);
		const struct sim_listed *want = &listed[i].row, *l = find_listed(m->list, want);

		if (!l != !want->name)
			fail_msg("%s: row %u", listed[i].model, i);
		if (!l)
			continue;
		assert_string_equal(l->name, want->name);
		assert_int_equal(l->counters, want->counters);
	}
}

/* Rows that the list of the model does not have. */
static const struct {
	const char *model, *name, *why;
} unlisted[] = {
	{ "nehalem", "Instructions Retired", "architectural, unit mask 0" },
	{ "nehalem", "Branch Instructions Retired", "architectural, unit mask 0" },
	{ "nehalem", "Branch Mispredicts Retired", "architectural, unit mask 0" },
	{ "skylake", "BR_MISP_RETIRED.RET", "in libpfm4" },
	{ "icelake", "LLC References", "architectural" },
	{ "sierraforest", "Topdown Backend Bound", "architectural" },
	{ "sierraforest", "Topdown Frontend Bound", "architectural" },
};

static bool is_unlisted(const char *model, const char *name)
{
	for (unsigned i = 0; i < sizeof(unlisted) / sizeof(unlisted[0]); i++)
		if (!strcmp(unlisted[i].model, model) && !strcmp(unlisted[i].name, name))
			return true;
	return false;
}

static bool in_list(const struct sim_list *list, const struct sim_event *e)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->rows[i].code == e->code && list->rows[i].umask == e->umask)
			return true;
	return false;
}

static void test_against_lists(void **state)
{
	unsigned lists = 0, differ = 0;

	(void)state;
	for (unsigned i = 0; sim_pmu_model_at(i); i++) {
		const struct sim_pmu_model *m = sim_pmu_model_at(i);
		const struct sim_event *e;

		if (!m->list)
			continue;
		lists++;
		for (unsigned k = 0; (e = sim_pmu_event(m, k)); k++) {
			if (in_list(m->list, e) == is_unlisted(m->name, e->name)) {
				print_error("%s: %s %03x/%02x\n", m->name, e->name, e->code,
				            e->umask);
				differ++;
			}
		}
	}
	assert_int_equal(lists, 6);
	assert_int_equal(differ, 0);
}

/* ---- why an event is not derived ---- */

/* Is it a reason, and is there one where the event is not derived, and none where it is? */
static unsigned wrong_reason(const struct sim_pmu_model *m, const char *name, bool derived,
                             const char *why)
{
	static const char *const reasons[] = { "bus", "prefetchers", "other agents" };
	bool known = why && !strncmp(why, "not modelled: ", 14) && why[14];

	for (unsigned i = 0; why && i < sizeof(reasons) / sizeof(reasons[0]); i++)
		known |= !strcmp(why, reasons[i]);
	if (derived ? !why : known)
		return 0;
	print_error("%s: %s is %sderived, and its reason is %s\n", m->name, name,
	            derived ? "" : "not ", why ? why : "missing");
	return 1;
}

static void test_reasons(void **state)
{
	unsigned wrong = 0, models = 0;

	(void)state;
	for (unsigned i = 0; sim_pmu_model_at(i); i++) {
		const struct sim_pmu_model *m = sim_pmu_model_at(i);
		const struct sim_event *e;

		models++;
		for (unsigned k = 0; (e = sim_pmu_event(m, k)); k++)
			wrong += wrong_reason(m, e->name, sim_event_derived(e, true), e->why);
		for (unsigned k = 0; m->list && k < m->list->count; k++) {
			const struct sim_listed *l = &m->list->rows[k];
			bool derived = sim_pmu_derives(m, l->code, l->umask, true);

			wrong += wrong_reason(m, l->name, derived, l->why);
		}
	}
	assert_true(models >= 21);
	assert_int_equal(wrong, 0);
}

/* What `counter` counts in a load, with the event select register holding `select`. */
static uint64_t loads_counted(const char *model, unsigned counter, uint32_t select)
{
	struct env env;
	uint64_t n;

	env_open(&env, model);
	env_wrmsr(&env, 0x186 + counter, select);
	env_wrmsr(&env, 0x38f, 1u << counter); /* IA32_PERF_GLOBAL_CTRL */
	env_insn(&env, 0, 1, SIG_LOADS, 1, SIG_COUNT);
	n = env_rdmsr(&env, 0xc1 + counter);
	env_close(&env);
	return n;
}

/* MEM_INST_RETIRED.ALL_LOADS: perfmon's icelake list has counters 0 to 3 of 8. */
static void test_restricted_counters(void **state)
{
	(void)state;
	for (unsigned counter = 0; counter < 8; counter++)
		assert_int_equal(loads_counted("icelake", counter, 0x4381d0), counter < 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_row_counts),
		cmocka_unit_test(test_against_libpfm4),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_against_lists),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_restricted_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
