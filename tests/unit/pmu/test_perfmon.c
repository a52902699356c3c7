/*
 * The maker's lists, row by row: every core event of intel/perfmon
 * (tests/data/perfmon-events.csv.gz, a copy of the facts that is not made from pmu/events/) can be
 * asked for by its name on the CPU of its list, gives exactly the register values of the row, and
 * goes on the row's counters only. The errata of the row are told with the event, and with a name
 * for it that is checked as exact.
 *
 * Where the table says otherwise than the list, a rule below says so and why.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/internal.h"
#include "pmu/request.h"
#include "tests/unit/pmu/pmu_mock.h"

enum { COLUMNS = 18, MODELS = 128, LISTS = 64, ROWS = 18475 };

enum column {
	LIST,
	EVENT,
	CODE,
	UMASK,
	UMASK_EXT,
	CMASK,
	INV,
	EDGE,
	ANY,
	MSR_INDEX,
	MSR_VALUE,
	ON,
	OFF,
	ERRATA = 16,
};

#define OS      (1ull << 17)
#define EDGE_18 (1ull << 18)
#define ANY_21  (1ull << 21)
#define EN      (1ull << 22)
#define INV_23  (1ull << 23)

static struct model {
	char list[40];
	unsigned family, model, core_type, first_stepping, last_stepping;
} models[MODELS];

static unsigned nmodels, wrong, aliases_with_errata;
static struct pmu_config config[PMU_CONFIGS];
static struct pmu_refusal no;
static char key[PMU_KEY];

/* "55-[01234]", "genuineintel-18-1", "2e" */
static void read_model(struct model *m, const char *text, const char *core)
{
	const char *steppings = strstr(text, "-[");

	*m = (struct model){ .family = 6, .last_stepping = 15 };
	m->core_type = (unsigned)strtoul(core, 0, 16);
	if (sscanf(text, "genuineintel-%u-%x", &m->family, &m->model) == 2)
		return;
	m->model = (unsigned)strtoul(text, 0, 16);
	if (steppings) {
		char last[2] = { text[strlen(text) - 2], 0 }, first[2] = { steppings[2], 0 };

		m->first_stepping = (unsigned)strtoul(first, 0, 16);
		m->last_stepping = (unsigned)strtoul(last, 0, 16);
	}
}

static int read_models(void **unused)
{
	FILE *f = fopen("tests/data/perfmon-models.csv", "r");
	char line[200], list[40], text[60], core[20];

	(void)unused;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		*core = 0;
		if (sscanf(line, "%39[^,],%*[^,],%*[^,],%59[^,\n],%19s", list, text, core) < 2 ||
		    !strcmp(list, "list"))
			continue;
		assert_true(nmodels < MODELS);
		read_model(&models[nmodels], text, core);
		strcpy(models[nmodels++].list, list);
	}
	fclose(f);
	return 0;
}

/* Arrow Lake's two kinds of E-cores differ in leaf 1AH EAX 23:0 (Linux intel-family.h). */
static unsigned native_of(const char *list)
{
	return !strcmp(list, "arrowlake_crestmont") ? 2
	       : !strcmp(list, "arrowlake_skymont") ? 3
	                                            : 0;
}

static void become(const struct model *m, unsigned general)
{
	static struct cpu cpu;

	cpu = mock_arch(m->model, 4, general, 7);
	cpu.family = m->family;
	cpu.stepping = m->first_stepping;
	cpu.core_type = (uint8_t)m->core_type;
	cpu.native_model = native_of(m->list);
	cpu.arch.umask2 = true;
	mock_clear();
	mock_probe(&cpu);
}

static void every_cpu_has_its_list(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < nmodels; i++) {
		become(&models[i], 4);
		if (!pmu_hw.model || strcmp(pmu_hw.model, models[i].list))
			fail_msg("%s %xh: %s", models[i].list, models[i].model, pmu_hw.model);
	}
	assert_int_equal(nmodels, 93);
}

static unsigned split(char *line, char **cell)
{
	unsigned n = 0;

	line[strcspn(line, "\r\n")] = 0;
	for (char *p = line; p && n < COLUMNS; n++) {
		cell[n] = p;
		p = strchr(p, ',');
		if (p)
			*p++ = 0;
	}
	return n;
}

static uint64_t number(const char *s)
{
	return strtoull(s, 0, 0);
}

/* Is v one of the numbers of the list? */
static bool listed(const char *list, uint64_t v)
{
	char *end;

	for (; *list; list = end) {
		if (strtoull(list, &end, 0) == v)
			return true;
		if (end == list)
			break;
	}
	return false;
}

static uint32_t mask_of(const char *list)
{
	uint32_t bits = 0;
	char *end;

	for (;; list = end) {
		unsigned long n = strtoul(list, &end, 10);

		if (end == list)
			return bits;
		bits |= 1u << n;
	}
}

static void complain(char **cell, const char *what, uint64_t got)
{
	if (wrong++ < 20)
		print_error("%s %s: %s 0x%llx (%s)\n", cell[LIST], cell[EVENT], what,
		            (unsigned long long)got, no.why);
}

/* Which offcore response register a select reads: SDM volume 3B. */
static uint32_t offcore_msr(uint64_t select)
{
	switch (select & 0xffff) {
	case 0x01b7:
	case 0x012a:
		return 0x1a6;
	case 0x01bb:
	case 0x02b7:
	case 0x012b:
		return 0x1a7;
	case 0x01d6:
		return 0x3e0;
	case 0x02d6:
		return 0x3e1;
	case 0x04d6:
		return 0x3e2;
	case 0x08d6:
		return 0x3e3;
	}
	return 0;
}

static void check_filter(char **cell, const struct pmu_config *c)
{
	bool offcore = !listed(cell[MSR_INDEX], 0x3f6) && !listed(cell[MSR_INDEX], 0x3f7);

	if (!c->nextra || !listed(cell[MSR_INDEX], c->extra[0].msr))
		complain(cell, "filter register", c->nextra ? c->extra[0].msr : 0);
	else if (c->extra[0].value != number(cell[MSR_VALUE]))
		complain(cell, "filter value", c->extra[0].value);
	else if (offcore && c->extra[0].msr != offcore_msr(c->select))
		complain(cell, "register of another select", c->extra[0].msr);
}

static void check_select(char **cell, const struct pmu_config *c)
{
	uint64_t rest = c->select & ~0xffffull, umask = c->select >> 8 & 0xff;
	uint64_t want = OS | EN | number(cell[CMASK]) << 24 | number(cell[UMASK_EXT]) << 40;

	want |= *cell[INV] ? INV_23 : 0;
	want |= *cell[EDGE] ? EDGE_18 : 0;
	want |= *cell[ANY] ? ANY_21 : 0;
	if (rest != want || !listed(cell[CODE], c->select & 0xff) || !listed(cell[UMASK], umask))
		complain(cell, "select", c->select);
}

/*
 * Nehalem and Bonnell number the fixed counters from 1 in some rows, and code them 0 or 0AH: SDM
 * volume 3B, "Fixed-function Performance Counters", numbers the same three from 0.
 */
static unsigned fixed_of(char **cell)
{
	const char *e = cell[EVENT];

	return !strncmp(e, "INST_RETIRED.", 13)          ? 0
	       : !strncmp(e, "CPU_CLK_UNHALTED.REF", 20) ? 2
	       : !strncmp(e, "CPU_CLK_UNHALTED.", 17)    ? 1
	                                                 : (unsigned)atoi(cell[ON] + 5);
}

static void check_fixed(char **cell, unsigned n)
{
	unsigned want = fixed_of(cell);

	for (unsigned i = 0; i < n; i++) {
		uint32_t bits = config[i].counters;
		unsigned counter = (unsigned)__builtin_ctz(bits);

		if (bits & (bits - 1) || pmu_hw.counter[counter].msr != 0x309 + want)
			complain(cell, "fixed counter", bits);
		if (config[i].select != (*cell[ANY] ? 5u : 1u))
			complain(cell, "fixed control", config[i].select);
	}
}

static void check_counters(char **cell, const struct pmu_config *c, const char *list)
{
	if (c->counters != mask_of(list))
		complain(cell, "counters", c->counters);
}

/* Does what is told with the event `key` have each word of the row's errata? */
static bool tells(const char *errata)
{
	const char *known = pmu_erratum(key);
	char words[200], *rest, *w;

	snprintf(words, sizeof(words), "%s", errata);
	for (w = strtok_r(words, " ", &rest); w; w = strtok_r(0, " ", &rest))
		if (!known || !strstr(known, w))
			return false;
	return true;
}

/*
 * The row's event may stand behind a name that is checked as exact: `instructions` counts what
 * INST_RETIRED.ANY_P counts. A deviation must then be a known one.
 */
static void check_aliases(char **cell)
{
	const char *alias;

	if (*cell[MSR_INDEX] || *cell[CMASK] || *cell[INV] || *cell[EDGE] || *cell[ANY])
		return;
	for (unsigned a = 0; (alias = pmu_exact_alias(a)); a++) {
		unsigned n = pmu_request(&pmu_hw, alias, strlen(alias), 0, key, config, &no);

		for (unsigned i = 0; i < n; i++) {
			uint64_t select = config[i].select;

			if (!(select & EN) || !listed(cell[CODE], select & 0xff) ||
			    !listed(cell[UMASK], select >> 8 & 0xff))
				continue;
			aliases_with_errata++;
			if (!tells(cell[ERRATA]))
				complain(cell, alias, select);
		}
	}
}

static void check_row(char **cell, const char *counters)
{
	unsigned n = pmu_request(&pmu_hw, cell[EVENT], strlen(cell[EVENT]), 0, key, config, &no);
	bool parameter = strchr(cell[CODE], ' ') || strchr(cell[UMASK], ' ');

	if (parameter && !*cell[MSR_INDEX]) { /* the user gives the value of the register */
		char text[200];

		assert_int_equal(n, 0);
		snprintf(text, sizeof(text), "%s:offcore_rsp=0x10001", cell[EVENT]);
		n = pmu_request(&pmu_hw, text, strlen(text), 0, key, config, &no);
	}
	if (!n)
		complain(cell, "refused", 0);
	if (*cell[ERRATA] && !tells(cell[ERRATA]))
		complain(cell, "errata", 0);
	if (!strncmp(counters, "fixed", 5)) {
		check_fixed(cell, n);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		check_select(cell, &config[i]);
		check_counters(cell, &config[i], counters);
		if (*cell[MSR_INDEX])
			check_filter(cell, &config[i]);
	}
}

static const struct model *model_of(const char *list)
{
	for (unsigned i = 0; i < nmodels; i++)
		if (!strcmp(models[i].list, list))
			return &models[i];
	fail_msg("%s: no CPU", list);
	return 0;
}

/* With Hyper-Threading a core has 4 counters where the list tells the two cases apart. */
static unsigned most_counters(const char *list)
{
	return strstr(list, "lioncove") || strstr(list, "cougarcove") || strstr(list, "coyotecove")
	               ? 10
	               : 8;
}

static void every_row_resolves(void **unused)
{
	FILE *f = popen("gzip -dc tests/data/perfmon-events.csv.gz", "r");
	char line[1000], *cell[COLUMNS], last[40] = "";
	unsigned rows = 0, off = 0;

	(void)unused;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		const struct model *m;

		if (split(line, cell) != COLUMNS || !strcmp(cell[LIST], "list"))
			continue;
		rows++;
		m = model_of(cell[LIST]);
		if (strcmp(last, cell[LIST]) || *cell[OFF]) {
			become(m, *cell[OFF] ? 4 : most_counters(cell[LIST]));
			strcpy(last, *cell[OFF] ? "" : cell[LIST]);
		}
		check_row(cell, cell[ON]);
		if (*cell[ERRATA])
			check_aliases(cell);
		if (*cell[OFF]) {
			off++;
			become(m, 8);
			check_row(cell, cell[OFF]);
		}
	}
	pclose(f);
	assert_int_equal(rows, ROWS);
	assert_true(off > 6000);
	assert_true(aliases_with_errata > 20);
	assert_int_equal(wrong, 0);
}

/* Golden Cove's load latency needs event 03H, unit mask 82H on counter 0: Linux, mem-loads-aux. */
static void load_latency_has_its_auxiliary(void **unused)
{
	static const char request[] = "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_32";
	unsigned with = 0;

	(void)unused;
	for (unsigned i = 0; i < nmodels; i++) {
		unsigned n;
		bool aux = models[i].family == 6 &&
		           (models[i].model == 0x8f || models[i].model == 0xcf ||
		            (models[i].core_type == 0x40 && models[i].model < 0xc0 &&
		             strstr(models[i].list, "golden")));

		become(&models[i], 8);
		n = pmu_request(&pmu_hw, request, strlen(request), 0, key, config, &no);
		if (!n)
			continue;
		assert_int_equal(config[0].nextra, aux ? 2 : 1);
		if (!aux)
			continue;
		with++;
		assert_int_equal(config[0].blocks, 1);
		assert_int_equal(config[0].extra[1].msr, 0x186);
		assert_int_equal(config[0].extra[1].value, 0x8203 | OS | EN);
	}
	assert_int_equal(with, 7);
}

/*
 * CPUs that the maker's lists do not name: families and models as Linux knows them (amd.c, hygon.c,
 * intel-family.h), and numbers between them and behind, which must have nobody's list. NULL: none.
 */
static const struct {
	enum cpu_vendor vendor;
	unsigned family, model, core_type;
	const char *list;
} others[] = {
	{ VENDOR_INTEL, 6, 0xd7, 0, "alderlake_goldencove" }, /* Bartlett Lake */
	{ VENDOR_INTEL, 6, 0x8a, 0x40, "icelake" },           /* Lakefield */
	{ VENDOR_INTEL, 6, 0x8a, 0x20, "elkhartlake" },
	{ VENDOR_INTEL, 6, 0x8a, 0, NULL },
	{ VENDOR_INTEL, 6, 0xd8, 0, NULL },
	{ VENDOR_INTEL, 18, 1, 0x20, "novalake_arcticwolf" },
	{ VENDOR_INTEL, 18, 3, 0x40, "novalake_coyotecove" },
	{ VENDOR_INTEL, 18, 2, 0x40, NULL },
	{ VENDOR_INTEL, 18, 0x97, 0x40, NULL }, /* a number of family 6 */
	{ VENDOR_INTEL, 19, 1, 0, NULL },       /* Diamond Rapids: no list yet */
	{ VENDOR_ZHAOXIN, 6, 0x1a, 0, NULL },
	{ VENDOR_AMD, 0x17, 0x11, 0, "zen1" },
	{ VENDOR_AMD, 0x17, 0x50, 0, "zen1" },
	{ VENDOR_AMD, 0x17, 0x5f, 0, "zen1" },
	{ VENDOR_AMD, 0x17, 0x4f, 0, "zen2" },
	{ VENDOR_AMD, 0x17, 0x60, 0, "zen2" },
	{ VENDOR_AMD, 0x17, 0x90, 0, "zen2" },
	{ VENDOR_AMD, 0x17, 0xa0, 0, "zen2" },
	{ VENDOR_AMD, 0x17, 0x80, 0, NULL },
	{ VENDOR_AMD, 0x17, 0xb0, 0, NULL },
	{ VENDOR_AMD, 0x18, 0, 0, NULL },
	{ VENDOR_HYGON, 0x18, 1, 0, "zen1" },
	{ VENDOR_HYGON, 0x18, 4, 0, NULL },
	{ VENDOR_AMD, 0x19, 0x21, 0, "zen3" },
	{ VENDOR_AMD, 0x19, 0xaf, 0, "zen4" },
	{ VENDOR_AMD, 0x19, 0xb0, 0, NULL },
	{ VENDOR_AMD, 0x1a, 0x2f, 0, "zen5" },
	{ VENDOR_AMD, 0x1a, 0x44, 0, "zen5" },
	{ VENDOR_AMD, 0x1a, 0x7f, 0, "zen5" },
	{ VENDOR_AMD, 0x1a, 0x30, 0, NULL },
	{ VENDOR_AMD, 0x1a, 0x50, 0, "zen6" },
	{ VENDOR_AMD, 0x1a, 0x80, 0, "zen6" },
	{ VENDOR_AMD, 0x1a, 0xaf, 0, "zen6" },
	{ VENDOR_AMD, 0x1a, 0xb0, 0, NULL },
	{ VENDOR_AMD, 0x1a, 0xc0, 0, "zen6" },
	{ VENDOR_AMD, 0x1a, 0xef, 0, "zen6" },
	{ VENDOR_AMD, 0x1a, 0xf0, 0, NULL },
	{ VENDOR_AMD, 0x1b, 0, 0, NULL },
};

static void no_neighbours_list(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		static struct cpu cpu;
		const char *want = others[i].list;

		cpu = mock_arch(others[i].model, 4, 4, 3);
		if (others[i].vendor == VENDOR_AMD || others[i].vendor == VENDOR_HYGON)
			cpu = mock_cpu(PMU_CLASS_AMD, others[i].family, others[i].model);
		cpu.vendor = others[i].vendor;
		cpu.family = others[i].family;
		cpu.core_type = (uint8_t)others[i].core_type;
		cpu.amd.counters = 6;
		mock_clear();
		mock_probe(&cpu);
		if (want ? !pmu_hw.model || strcmp(pmu_hw.model, want) : !!pmu_hw.model)
			fail_msg("family %xh model %xh: %s", others[i].family, others[i].model,
			         pmu_hw.model ? pmu_hw.model : "none");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_latency_has_its_auxiliary),
		cmocka_unit_test(every_cpu_has_its_list),
		cmocka_unit_test(no_neighbours_list),
		cmocka_unit_test(every_row_resolves),
	};

	return cmocka_run_group_tests(tests, read_models, 0);
}
