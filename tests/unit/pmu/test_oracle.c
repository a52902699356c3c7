/*
 * Event encodings against libpfm4, an independent implementation of the vendors' tables: for every
 * event and unit mask that it knows of the families we drive, the register values that a request
 * gives here are those that it gives. What differs is a row of tests/data/oracle-differences.csv
 * with the manual's word on who is right; a row that no longer happens is a failure too.
 *
 * A libpfm4 event is asked for by its name where our tables have it, and by numbers (raw) always.
 * Models that libpfm4 knows on i386 only were recorded in tests/data/libpfm4-i386.csv. The P5 is
 * unknown to libpfm4: it is compared with a copy of the article's table.
 *
 * ORACLE_PRINT=1 prints every difference as a row for the list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>
#include <perfmon/pfmlib.h>

#include "pmu/events.h"
#include "pmu/internal.h"
#include "pmu/request.h"
#include "pmu/tables.h"
#include "tests/unit/pmu/pmu_mock.h"

enum layout { P6, ARCH, AMD, NETBURST, NONE };

enum { FULL = 1 }; /* every event of libpfm4 must be in our table, by name */

#define SELECT_EN (1ull << 22)

/* libpfm4's models and the CPUs they stand for; NONE: no core counters of a family we drive. */
static const struct model {
	const char *pmu;
	enum layout layout;
	uint32_t family, model;
	uint8_t version, counters; /* ARCH: leaf 0AH; AMD: 2 with PerfMonV2 */
	uint8_t flags;
} models[] = {
	{ "ppro", P6, 6, 1, 0, 2, FULL },
	{ "pii", P6, 6, 5, 0, 2, FULL },
	{ "p6", P6, 6, 7, 0, 2, FULL },
	{ "pm", P6, 6, 13, 0, 2, FULL },
	{ "netburst", NETBURST, 15, 2, 0, 18, FULL },
	{ "netburst_p", NETBURST, 15, 4, 0, 18, FULL },
	{ "coreduo", ARCH, 6, 0x0e, 1, 2, 0 },
	{ "core", ARCH, 6, 0x0f, 2, 2, 0 },
	{ "atom", ARCH, 6, 0x1c, 3, 2, 0 },
	{ "nhm", ARCH, 6, 0x1a, 3, 4, 0 },
	{ "nhm_ex", ARCH, 6, 0x2e, 3, 4, 0 },
	{ "wsm", ARCH, 6, 0x25, 3, 4, 0 },
	{ "wsm_dp", ARCH, 6, 0x2c, 3, 4, 0 },
	{ "snb", ARCH, 6, 0x2a, 3, 4, 0 },
	{ "snb_ep", ARCH, 6, 0x2d, 3, 4, 0 },
	{ "ivb", ARCH, 6, 0x3a, 3, 4, 0 },
	{ "ivb_ep", ARCH, 6, 0x3e, 3, 4, 0 },
	{ "hsw", ARCH, 6, 0x3c, 3, 4, 0 },
	{ "hsw_ep", ARCH, 6, 0x3f, 3, 4, 0 },
	{ "bdw", ARCH, 6, 0x3d, 3, 4, 0 },
	{ "bdw_ep", ARCH, 6, 0x4f, 3, 4, 0 },
	{ "slm", ARCH, 6, 0x37, 3, 2, 0 },
	{ "knl", ARCH, 6, 0x57, 3, 2, 0 },
	{ "knm", ARCH, 6, 0x85, 3, 2, 0 },
	{ "skl", ARCH, 6, 0x4e, 4, 4, 0 },
	{ "skx", ARCH, 6, 0x55, 4, 4, 0 },
	{ "clx", ARCH, 6, 0x55, 4, 4, 0 },
	{ "glm", ARCH, 6, 0x5c, 4, 4, 0 },
	{ "tmt", ARCH, 6, 0x86, 5, 4, 0 },
	{ "icl", ARCH, 6, 0x7e, 5, 8, 0 },
	{ "icx", ARCH, 6, 0x6a, 5, 8, 0 },
	{ "spr", ARCH, 6, 0x8f, 5, 8, 0 },
	{ "amd64_k7", AMD, 6, 8, 0, 4, FULL },
	{ "amd64_k8_revb", AMD, 15, 0x04, 0, 4, 0 },
	{ "amd64_k8_revc", AMD, 15, 0x08, 0, 4, 0 },
	{ "amd64_k8_revd", AMD, 15, 0x10, 0, 4, 0 },
	{ "amd64_k8_reve", AMD, 15, 0x20, 0, 4, 0 },
	{ "amd64_k8_revf", AMD, 15, 0x40, 0, 4, FULL },
	{ "amd64_k8_revg", AMD, 15, 0x60, 0, 4, 0 },
	{ "amd64_fam10h_barcelona", AMD, 0x10, 2, 0, 4, FULL },
	{ "amd64_fam10h_shanghai", AMD, 0x10, 4, 0, 4, 0 },
	{ "amd64_fam10h_istanbul", AMD, 0x10, 8, 0, 4, 0 },
	{ "amd64_fam11h_turion", AMD, 0x11, 3, 0, 4, FULL },
	{ "amd64_fam12h_llano", AMD, 0x12, 1, 0, 4, FULL },
	{ "amd64_fam14h_bobcat", AMD, 0x14, 1, 0, 4, FULL },
	{ "amd64_fam15h_interlagos", AMD, 0x15, 1, 0, 6, FULL },
	{ "amd64_fam16h", AMD, 0x16, 0, 0, 4, FULL },
	{ "amd64_fam17h", AMD, 0x17, 1, 0, 6, 0 },
	{ "amd64_fam17h_zen1", AMD, 0x17, 1, 0, 6, FULL },
	{ "amd64_fam17h_zen2", AMD, 0x17, 0x31, 0, 6, FULL },
	{ "amd64_fam19h_zen3", AMD, 0x19, 1, 0, 6, FULL },
	{ "amd64_fam19h_zen4", AMD, 0x19, 0x61, 2, 6, FULL },
	{ "amd64_fam15h_nb", NONE, 0, 0, 0, 0, 0 },
	{ "amd64_fam19h_zen3_l3", NONE, 0, 0, 0, 0, 0 },
	{ "amd64_rapl", NONE, 0, 0, 0, 0, 0 },
	{ "rapl", NONE, 0, 0, 0, 0, 0 },
	{ "perf", NONE, 0, 0, 0, 0, 0 },
	{ "perf_raw", NONE, 0, 0, 0, 0, 0 },
	{ "ix86arch", NONE, 0, 0, 0, 0, 0 }, /* the CPUID of the host decides what it has */
	{ "knc", NONE, 0, 0, 0, 0, 0 },      /* Knights Corner is no PC */
};

enum { MODELS = sizeof(models) / sizeof(models[0]), DIFFERENCES = 1024 };

/* One encoding of libpfm4. codes: NetBurst ESCR, CCCR; else select, companion register. */
struct encoding {
	char event[128], mask[128];
	unsigned n;
	uint64_t code[2];
};

static struct tally {
	unsigned all, by_name, by_number, fixed, different;
} tally[MODELS];

static struct difference {
	char pmu[40], event[128], mask[128], theirs[40], ours[40], right[20];
	bool met;
} differences[DIFFERENCES];
static unsigned ndifferences, unlisted;

static struct pmu_config config[PMU_CONFIGS];
static struct pmu_refusal no;
static char key[PMU_KEY];

/* --- the list of differences --------------------------------------------------------------- */

static bool cut(char **line, char *to, size_t size)
{
	size_t n = strcspn(*line, ",\n");

	snprintf(to, size, "%.*s", (int)n, *line);
	*line += n + (**line == ',' || (*line)[n] == ',');
	return true;
}

static void read_differences(void)
{
	FILE *f = fopen("tests/data/oracle-differences.csv", "r");
	char line[1024];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct difference *d = &differences[ndifferences];
		char *p = line;

		if (*line == '#' || !strncmp(line, "pmu,", 4))
			continue;
		assert_true(ndifferences < DIFFERENCES);
		cut(&p, d->pmu, sizeof(d->pmu));
		cut(&p, d->event, sizeof(d->event));
		cut(&p, d->mask, sizeof(d->mask));
		cut(&p, d->theirs, sizeof(d->theirs));
		cut(&p, d->ours, sizeof(d->ours));
		cut(&p, d->right, sizeof(d->right));
		if (!*d->right || strlen(p) < 5)
			fail_msg("no reason: %s", line);
		ndifferences++;
	}
	fclose(f);
}

static bool fits(const char *row, const char *is)
{
	return !strcmp(row, "*") || !strcmp(row, is);
}

/* A difference was found: is it listed? */
static void differs(unsigned m, const struct encoding *e, const char *theirs, const char *ours)
{
	tally[m].different++;
	for (unsigned i = 0; i < ndifferences; i++) {
		struct difference *d = &differences[i];

		if (fits(d->pmu, models[m].pmu) && fits(d->event, e->event) &&
		    fits(d->mask, e->mask) && fits(d->theirs, theirs) && fits(d->ours, ours)) {
			d->met = true;
			return;
		}
	}
	unlisted++;
	if (getenv("ORACLE_PRINT"))
		printf("%s,%s,%s,%s,%s,\n", models[m].pmu, e->event, e->mask, theirs, ours);
	else if (unlisted < 20)
		print_error("%s %s:%s: libpfm4 %s, here %s\n", models[m].pmu, e->event, e->mask,
		            theirs, ours);
}

/* --- comparing ------------------------------------------------------------------------------ */

static void become(const struct model *m)
{
	static struct cpu cpu;

	switch (m->layout) {
	case ARCH:
		cpu = mock_arch(m->model, m->version, m->counters,
		                m->version < 2    ? 0
		                : m->counters < 8 ? 3
		                                  : 4);
		if (m->model == 0x3c || m->model == 0x3f || m->model == 0x3d || m->model == 0x4f ||
		    m->version >= 4)
			cpu.features[CPU_RTM / 32] |= 1u << CPU_RTM % 32;
		break;
	case P6:
		cpu = mock_cpu(PMU_CLASS_P6, m->family, m->model);
		break;
	case AMD:
		cpu = mock_cpu(PMU_CLASS_AMD, m->family, m->model);
		cpu.amd.counters = m->counters;
		cpu.amd.core_ext = m->counters == 6;
		cpu.amd.v2 = m->version == 2;
		break;
	default:
		cpu = mock_cpu(PMU_CLASS_NETBURST, m->family, m->model);
		cpu.signature = 0xf29;
		cpu.smt_shift = 1; /* libpfm4 sets the bits of both threads */
	}
	mock_clear();
	mock_probe(&cpu);
}

static unsigned ask(const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	return pmu_request(&pmu_hw, text, strlen(text), 0, key, config, &no);
}

/* What one of our configurations would write, as libpfm4 lays it out. */
static void ours(const struct model *m, const struct pmu_config *c, uint64_t code[2])
{
	code[0] = c->select;
	code[1] = c->nextra ? c->extra[0].value : 0;
	if (m->layout == NETBURST) {
		code[0] = c->extra[0].value;
		code[1] = c->select;
	}
	if (m->layout == AMD)
		code[1] = 0; /* the merge event of a pair */
}

/* P6: EN belongs to PerfEvtSel0 alone and is set when the counters are started. */
static void theirs(const struct model *m, const struct encoding *e, uint64_t code[2])
{
	code[0] = m->layout == P6 ? e->code[0] & ~SELECT_EN : e->code[0];
	code[1] = e->n > 1 ? e->code[1] : 0;
}

static bool is_fixed(const struct pmu_config *c)
{
	return !(c->select & SELECT_EN) && c->select < 16;
}

/* True: equal. Else the difference is looked up. */
static bool compare(unsigned m, const struct encoding *e, const struct pmu_config *c)
{
	uint64_t a[2], b[2];
	char x[40], y[40];

	ours(&models[m], c, a);
	theirs(&models[m], e, b);
	if (a[0] == b[0] && a[1] == b[1])
		return true;
	snprintf(x, sizeof(x), e->n > 1 ? "0x%llx 0x%llx" : "0x%llx", (unsigned long long)b[0],
	         (unsigned long long)b[1]);
	snprintf(y, sizeof(y), e->n > 1 ? "0x%llx 0x%llx" : "0x%llx", (unsigned long long)a[0],
	         (unsigned long long)a[1]);
	differs(m, e, x, y);
	return false;
}

static bool in_table(const struct encoding *e)
{
	const struct pmu_table *t = pmu_hw.driver->table;
	char theirs[300], ours[PMU_KEY];

	snprintf(theirs, sizeof(theirs), "%s%s%s", e->event, *e->mask ? "." : "", e->mask);
	for (int i = pmu_event_next(&pmu_hw, 0); i >= 0; i = pmu_event_next(&pmu_hw, i + 1)) {
		struct pmu_event event;

		pmu_event_at(t, i, &event);
		pmu_event_text(&event, ours, sizeof(ours));
		if (!strcasecmp(theirs, ours))
			return true;
	}
	return false;
}

/* Names that libpfm4 has misspelled; what they encode is compared all the same. */
static const char *const spellings[][4] = {
	{ "uops_type", "TAGLOADS", "uop_type", "TAGLOADS" },
	{ "uops_type", "TAGSTORES", "uop_type", "TAGSTORES" },
	{ "mispred_branch_retired", "BOGUS", "mispred_branch_retired", "NBOGUS" },
};

static void spell(struct encoding *e)
{
	for (unsigned i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (!strcmp(e->event, spellings[i][0]) && !strcmp(e->mask, spellings[i][1])) {
			snprintf(e->event, sizeof(e->event), "%s", spellings[i][2]);
			snprintf(e->mask, sizeof(e->mask), "%s", spellings[i][3]);
			return;
		}
}

/* By name, if our table has it. An event of a fixed counter has no select to compare. */
static void by_name(unsigned m, const struct encoding *e)
{
	bool netburst = models[m].layout == NETBURST;
	unsigned n;

	if (netburst && !strncmp(e->mask, "TAG", 3) && e->code[0] & 0x10)
		return; /* a field of the ESCR and no mask: by number */
	if (!in_table(e)) {
		if (models[m].flags & FULL)
			differs(m, e, "known", "absent");
		return;
	}
	n = ask("%s%s%s:u:k%s", e->event, *e->mask ? "." : "", e->mask,
	        netburst ? ":t1_usr:t1_os" : ":int");
	if (!n) {
		if (e->n < 2 || models[m].layout != ARCH) /* else it needs a companion's value */
			differs(m, e, "known", no.why);
		return;
	}
	if (models[m].layout == ARCH && is_fixed(&config[n - 1]))
		tally[m].fixed++;
	else
		tally[m].by_name += compare(m, e, &config[n - 1]);
}

/* libpfm4 does not say in which unit's ESCR: the row of the event in our table does. */
static unsigned ask_netburst(const struct encoding *e)
{
	const struct pmu_table *t = pmu_hw.driver->table;
	uint32_t escr = (uint32_t)e->code[0];
	struct pmu_event event;
	unsigned i = 0;

	while (i < t->n && strcasecmp(pmu_event_name(t, i), e->event))
		i++;
	if (i == t->n)
		return 0;
	pmu_event_at(t, i, &event);
	if (event.kind->flags & PMU_EV_SELECT3) /* see netburst.csv */
		return 0;
	return ask("p4/escr=%u,event_select=0x%x,event_mask=0x%x,tag=%u,usr,os,t1_usr,t1_os/",
	           event.kind->unit, escr >> 25 & 0x3f, escr >> 9 & 0xffff,
	           escr >> 4 & 1 ? escr >> 5 & 0xf : 0);
}

/* The field that the second register of an x86 event is. */
static const char *companion(const struct encoding *e)
{
	unsigned event = e->code[0] & 0xff;

	return event == 0xc6                    ? "frontend"
	       : event == 0xcd || event == 0x0b ? "ldlat"
	                                        : "offcore_rsp";
}

static void by_number(unsigned m, const struct encoding *e)
{
	uint64_t v = e->code[0];
	unsigned code = v & 0xff, n;
	char more[128] = "";

	switch (models[m].layout) {
	case NETBURST:
		n = ask_netburst(e);
		tally[m].by_number += n && compare(m, e, &config[n - 1]);
		return;
	case AMD:
		code |= v >> 24 & 0xf00;
		break;
	default:
		snprintf(more, sizeof(more), "%s%s%s", v >> 21 & 1 ? ",any" : "",
		         v >> 32 & 1 ? ",in_tx" : "", v >> 33 & 1 ? ",in_tx_cp" : "");
		if (e->n > 1)
			snprintf(more + strlen(more), sizeof(more) - strlen(more), ",%s=0x%llx",
			         companion(e), (unsigned long long)e->code[1]);
	}
	n = ask("cpu/event=0x%x,umask=0x%x,cmask=%u%s%s,usr,os,int%s/", code,
	        (unsigned)(v >> 8 & 0xff), (unsigned)(v >> 24 & 0xff), v >> 23 & 1 ? ",inv" : "",
	        v >> 18 & 1 ? ",edge" : "", more);
	if (!n)
		differs(m, e, "known", no.why);
	else
		tally[m].by_number += compare(m, e, &config[n - 1]);
}

static void check(unsigned m, struct encoding *e)
{
	tally[m].all++;
	spell(e);
	by_name(m, e);
	by_number(m, e);
}

/* --- libpfm4 -------------------------------------------------------------------------------- */

static void encode(unsigned m, const char *event, const char *mask)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	struct encoding e = { .n = 0 };
	char text[300];

	snprintf(e.event, sizeof(e.event), "%s", event);
	snprintf(e.mask, sizeof(e.mask), "%s", mask ? mask : "");
	snprintf(text, sizeof(text), "%s::%s%s%s", models[m].pmu, event, mask ? ":" : "", e.mask);
	if (pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg) !=
	    PFM_SUCCESS) {
		tally[m].all++;
		differs(m, &e, "error", "-");
		return;
	}
	for (e.n = 0; e.n < 2 && e.n < (unsigned)arg.count; e.n++)
		e.code[e.n] = arg.codes[e.n];
	free(arg.codes);
	check(m, &e);
}

static void check_event(unsigned m, int event)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	unsigned masks = 0;

	assert_int_equal(pfm_get_event_info(event, PFM_OS_NONE, &info), PFM_SUCCESS);
	for (int a = 0; a < info.nattrs; a++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(event, a, PFM_OS_NONE, &attr) != PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		masks++;
		encode(m, info.name, attr.name);
	}
	if (!masks)
		encode(m, info.name, 0);
}

static bool find_pmu(const char *name, pfm_pmu_info_t *info)
{
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		*info = (pfm_pmu_info_t){ .size = sizeof(*info) };
		if (pfm_get_pmu_info(i, info) == PFM_SUCCESS && !strcmp(info->name, name))
			return true;
	}
	return false;
}

static void check_recorded(unsigned m)
{
	FILE *f = fopen("tests/data/libpfm4-i386.csv", "r");
	char line[512];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct encoding e = { .n = 1 };
		char pmu[40], code[40], *p = line;

		cut(&p, pmu, sizeof(pmu));
		cut(&p, e.event, sizeof(e.event));
		cut(&p, e.mask, sizeof(e.mask));
		cut(&p, code, sizeof(code));
		e.code[0] = strtoull(code, 0, 16);
		if (!strcmp(pmu, models[m].pmu))
			check(m, &e);
	}
	fclose(f);
}

static void test_encodings(void **state)
{
	(void)state;
	read_differences();
	for (unsigned m = 0; m < MODELS; m++) {
		pfm_pmu_info_t info;

		if (models[m].layout == NONE)
			continue;
		become(&models[m]);
		if (!find_pmu(models[m].pmu, &info)) {
			check_recorded(m);
			continue;
		}
		for (int e = info.first_event; e != -1; e = pfm_get_event_next(e))
			check_event(m, e);
	}
	assert_int_equal(unlisted, 0);
	for (unsigned i = 0; i < ndifferences; i++)
		if (!differences[i].met)
			fail_msg("listed, but not so: %s %s %s", differences[i].pmu,
			         differences[i].event, differences[i].mask);
}

/* Modifiers, alone and together: ours behind libpfm4's. */
static const struct {
	const char *pmu, *theirs, *ours;
} modifiers[] = {
	{ "skl", "UOPS_ISSUED:ANY:c=1:i", "UOPS_ISSUED.ANY:uk:c=1:i:int" },
	{ "skl", "UOPS_ISSUED:ANY:e:c=3:k", "UOPS_ISSUED.ANY:k:e:c=3:int" },
	{ "skl", "UOPS_ISSUED:ANY:t:u", "UOPS_ISSUED.ANY:u:any:int" },
	{ "skl", "UOPS_ISSUED:ANY:c=255:i:e:t", "UOPS_ISSUED.ANY:uk:c=255:i:e:any:int" },
	{ "skl", "UOPS_ISSUED:ANY:intx", "UOPS_ISSUED.ANY:uk:intx:int" },
	{ "skl", "UOPS_ISSUED:ANY:intx:intxcp", "UOPS_ISSUED.ANY:uk:intx:intxcp:int" },
	{ "hsw", "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=50",
	  "cpu/event=0xcd,umask=1,ldlat=50,usr,os,int/" },
	{ "amd64_k7", "RETIRED_INSTRUCTIONS:u:c=255", "RETIRED_INSTRUCTIONS:u:c=255:int" },
	{ "amd64_fam10h_barcelona", "RETIRED_INSTRUCTIONS:k:u:h", "RETIRED_INSTRUCTIONS:uk:h:int" },
	{ "amd64_fam10h_barcelona", "RETIRED_INSTRUCTIONS:k:u:g:e:c=2:i",
	  "RETIRED_INSTRUCTIONS:uk:g:e:c=2:i:int" },
	{ "amd64_fam19h_zen4", "RETIRED_OPS:k:h:g", "RETIRED_OPS:k:h:g:int" },
	{ "netburst", "uops_retired:NBOGUS:k", "uops_retired.NBOGUS:k:t1_os" },
	{ "netburst", "uops_retired:NBOGUS:u", "uops_retired.NBOGUS:u:t1_usr" },
	{ "netburst", "uops_retired:NBOGUS:BOGUS", "uops_retired.NBOGUS.BOGUS:uk:t1_usr:t1_os" },
	{ "netburst", "uops_retired:NBOGUS:thr=2", "uops_retired.NBOGUS:uk:t1_usr:t1_os:thr=2" },
	{ "netburst", "uops_retired:NBOGUS:e", "uops_retired.NBOGUS:uk:t1_usr:t1_os:e" },
	{ "netburst", "uops_retired:NBOGUS:e:thr=3",
	  "uops_retired.NBOGUS:uk:t1_usr:t1_os:e:thr=3" },
	{ "netburst", "uops_retired:NBOGUS:cmpl", "uops_retired.NBOGUS:uk:t1_usr:t1_os:cmpl" },
	{ "netburst", "uops_retired:NBOGUS:cmpl:thr=15",
	  "uops_retired.NBOGUS:uk:t1_usr:t1_os:cmpl:thr=15" },
	{ "netburst", "packed_SP_uop:ALL:TAG0", "packed_SP_uop.ALL:uk:t1_usr:t1_os:tag=1" },
	{ "netburst", "packed_SP_uop:ALL:TAG3:TAG0", "packed_SP_uop.ALL:uk:t1_usr:t1_os:tag=9" },
};

static void test_modifiers(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(modifiers) / sizeof(modifiers[0]); i++) {
		pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
		uint64_t here[2];
		char text[300];
		unsigned m = 0;

		while (strcmp(models[m].pmu, modifiers[i].pmu))
			m++;
		become(&models[m]);
		snprintf(text, sizeof(text), "%s::%s", modifiers[i].pmu, modifiers[i].theirs);
		assert_int_equal(
			pfm_get_os_event_encoding(text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg),
			PFM_SUCCESS);
		if (!ask("%s", modifiers[i].ours))
			fail_msg("%s: %s: %s", modifiers[i].ours, no.culprit, no.why);
		ours(&models[m], &config[0], here);
		for (int k = 0; k < arg.count && k < 2; k++)
			if (here[k] != arg.codes[k])
				fail_msg("%s: 0x%llx, libpfm4 0x%llx", modifiers[i].ours,
				         (unsigned long long)here[k],
				         (unsigned long long)arg.codes[k]);
		free(arg.codes);
	}
}

/* A libpfm4 with a model that is not in models[] must not go by unnoticed. */
static void test_no_model_forgotten(void **state)
{
	(void)state;
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };
		unsigned m = 0;

		if (pfm_get_pmu_info(i, &info) != PFM_SUCCESS || strstr(info.name, "_unc"))
			continue;
		while (m < MODELS && strcmp(models[m].pmu, info.name))
			m++;
		if (m == MODELS)
			fail_msg("%s", info.name);
	}
}

/* The table of docs/design/event-tables.md, as it should be; every line must be there. */
static void test_documented(void **state)
{
	static char text[1 << 20];
	FILE *f = fopen("docs/design/event-tables.md", "r");
	struct tally sum = { 0 };
	unsigned missing = 0;

	(void)state;
	if (f) {
		text[fread(text, 1, sizeof(text) - 1, f)] = 0;
		fclose(f);
	}
	for (unsigned m = 0; m <= MODELS; m++) {
		const struct tally *t = m < MODELS ? &tally[m] : &sum;
		char line[200];

		if (!t->all)
			continue;
		snprintf(line, sizeof(line), "| %s | %u | %u | %u | %u | %u |\n",
		         m < MODELS ? models[m].pmu : "all", t->all, t->by_name, t->fixed,
		         t->by_number, t->different);
		if (!strstr(text, line)) {
			missing++;
			print_error("%s", line);
		}
		sum.all += t->all;
		sum.by_name += t->by_name;
		sum.fixed += t->fixed;
		sum.by_number += t->by_number;
		sum.different += t->different;
	}
	assert_int_equal(missing, 0);
}

/* --- the article ---------------------------------------------------------------------------- */

/* TalkieToaster's table of events, in its order, and what the manual calls them. */
static const struct {
	const char *article, *manual;
} article[] = {
	{ "Data reads", "DATA_READ" },
	{ "Data writes", "DATA_WRITE" },
	{ "Data TLB misses", "DATA_TLB_MISS" },
	{ "Data read misses", "DATA_READ_MISS" },
	{ "Data write misses", "DATA_WRITE_MISS" },
	{ "Writes (hits) to M or E state lines", "WRITE_HIT_TO_M_OR_E_STATE_LINES" },
	{ "Data cache lines written back", "DATA_CACHE_LINES_WRITTEN_BACK" },
	{ "External snoops", "EXTERNAL_SNOOPS" },
	{ "Data cache snoop hits", "EXTERNAL_DATA_CACHE_SNOOP_HITS" },
	{ "Memory accesses in both pipes", "MEMORY_ACCESSES_IN_BOTH_PIPES" },
	{ "Bank conflicts", "BANK_CONFLICTS" },
	{ "Misaligned data memory references", "MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES" },
	{ "Code reads", "CODE_READ" },
	{ "Code TLB misses", "CODE_TLB_MISS" },
	{ "Code cache misses", "CODE_CACHE_MISS" },
	{ "Any segment register loaded", "ANY_SEGMENT_REGISTER_LOADED" },
	{ "Segment descriptor cache accesses", "SEGMENT_DESCRIPTOR_CACHE_ACCESSES" },
	{ "Segment descriptor cache hits", "SEGMENT_DESCRIPTOR_CACHE_HITS" },
	{ "Branches", "BRANCHES" },
	{ "Branch Target Buffer hits", "BTB_HITS" },
	{ "Taken branches or BTB hits", "TAKEN_BRANCH_OR_BTB_HIT" },
	{ "Pipeline flushes", "PIPELINE_FLUSHES" },
	{ "Instructions executed in both pipes", "INSTRUCTIONS_EXECUTED" },
	{ "Instructions executed in the v-pipe", "INSTRUCTIONS_EXECUTED_V_PIPE" },
	{ "Clocks while bus cycle in progress", "BUS_CYCLE_DURATION" },
	{ "Pipe stalled by full write buffers", "WRITE_BUFFER_FULL_STALL_DURATION" },
	{ "Pipe stalled by waiting for data memory reads",
	  "WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION" },
	{ "Pipe stalled by writes to M or E lines", "STALL_ON_WRITE_TO_AN_E_OR_M_STATE_LINE" },
	{ "Locked bus cycles", "LOCKED_BUS_CYCLE" },
	{ "I/O read or write cycles", "IO_READ_OR_WRITE_CYCLE" },
	{ "Non-cacheable memory references", "NONCACHEABLE_MEMORY_READS" },
	{ "Pipeline stalled by address generation interlock", "PIPELINE_AGI_STALLS" },
	{ "unknown, but counts", "UNKNOWN_20H" },
	{ "unknown, but counts", "UNKNOWN_21H" },
	{ "Floating-point operations", "FLOPS" },
	{ "Breakpoint matches on DR0 register", "BREAKPOINT_MATCH_ON_DR0_REGISTER" },
	{ "Breakpoint matches on DR1 register", "BREAKPOINT_MATCH_ON_DR1_REGISTER" },
	{ "Breakpoint matches on DR2 register", "BREAKPOINT_MATCH_ON_DR2_REGISTER" },
	{ "Breakpoint matches on DR3 register", "BREAKPOINT_MATCH_ON_DR3_REGISTER" },
	{ "Hardware interrupts", "HARDWARE_INTERRUPTS" },
	{ "Data reads or data writes", "DATA_READ_OR_WRITE" },
	{ "Data read misses or data write misses", "DATA_READ_MISS_OR_WRITE_MISS" },
};

/* 42 rows, 00h to 29h, and nothing else; CESR's half has bit 6 for CPL 0-2 and bit 7 for CPL 3. */
static void test_article(void **state)
{
	struct cpu cpu = mock_cpu(PMU_CLASS_P5, 5, 2);
	unsigned known = 0;

	(void)state;
	mock_clear();
	mock_probe(&cpu);
	for (unsigned code = 0; code < 0x2a; code++) {
		const char *name = article[code].manual;

		if (!ask("%s:k", name))
			fail_msg("%02xh %s: %s", code, article[code].article, no.why);
		assert_int_equal(config[0].select, code | 0x40);
		assert_int_equal(config[0].counters, 3);
		assert_int_equal(ask("%s:u", name), 1);
		assert_int_equal(config[0].select, code | 0x80);
		assert_int_equal(ask("p5/es=0x%x,os,usr/", code), 1);
		assert_int_equal(config[0].select, code | 0xc0);
	}
	for (int i = pmu_event_next(&pmu_hw, 0); i >= 0; i = pmu_event_next(&pmu_hw, i + 1))
		known++;
	assert_int_equal(known, sizeof(article) / sizeof(article[0]));
}

static int start(void **state)
{
	(void)state;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return pfm_initialize() != PFM_SUCCESS;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_model_forgotten),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_modifiers),
		cmocka_unit_test(test_documented),
		cmocka_unit_test(test_article),
	};

	return cmocka_run_group_tests(tests, start, 0);
}
