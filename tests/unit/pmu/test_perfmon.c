/*
 * The lists of intel/perfmon on the CPUs that they are for. Each CPU has its list; each rule of
 * pmu/gen/perfmon.awk shows in the register values of an event that needs it; and the errata of an
 * event are told with every name for it that is checked as exact. test_pmu_tables.c compares all
 * rows of the lists with the table.
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

enum { COLUMNS = 18, MODELS = 128 };

/* Columns of the lists. Those from FIRST to LAST are empty if code and unit mask say all. */
enum column { LIST, EVENT, CODE, UMASK, FIRST, LAST = 10, ERRATA = 16 };

#define OS      (1ull << 17)
#define EDGE_18 (1ull << 18)
#define ANY_21  (1ull << 21)
#define EN      (1ull << 22)
#define INV_23  (1ull << 23)

static struct model {
	char list[40];
	unsigned family, model, core_type, first_stepping, last_stepping;
} models[MODELS];

static unsigned nmodels;
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

static const struct model *model_of(const char *list)
{
	for (unsigned i = 0; i < nmodels; i++)
		if (!strcmp(models[i].list, list))
			return &models[i];
	fail_msg("%s: no CPU", list);
	return 0;
}

/* Does what is told with the event `key` have each word of these errata? */
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

/* What a row of a list becomes, typed from the list and from the manual that a comment names. */
static const struct {
	const char *list, *event;
	uint64_t select[2]; /* of each way to count it, without the bits OS and EN */
	uint32_t counters;  /* on a core with 4 counters, or 10 from Lion Cove on */
	uint32_t alone;     /* on one with 8, if not the same */
	uint32_t msr[2];    /* the filter register of each way */
	uint64_t value;     /* its value */
	const char *errata; /* each of these words */
	const char *key;    /* its name in the log, if not the list's */
} rules[] = {
	{ "skylake", "BACLEARS.ANY", .select = { 0x1e6 }, .counters = 0xf, .alone = 0xff },
	{ "skylake", "BR_INST_RETIRED.NEAR_TAKEN", .select = { 0x20c4 }, .counters = 0xf,
	  .alone = 0xff, .errata = "SKL091" },
	{ "haswell", "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK", .select = { 0x108 }, .counters = 0xf,
	  .alone = 0xff },
	{ "nehalemep", "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD_1024", .select = { 0x100b },
	  .counters = 8, .msr = { 0x3f6 }, .value = 0x400 },
	/* the flags */
	{ "skylake", "UOPS_ISSUED.STALL_CYCLES", .select = { 0x10e | 1 << 24 | INV_23 },
	  .counters = 0xf, .alone = 0xff },
	{ "skylake", "INT_MISC.CLEARS_COUNT", .select = { 0x10d | 1 << 24 | EDGE_18 },
	  .counters = 0xf, .alone = 0xff },
	{ "skylake", "RS_EVENTS.EMPTY_END", .select = { 0x15e | 1 << 24 | INV_23 | EDGE_18 },
	  .counters = 0xf, .alone = 0xff },
	{ "skylake", "INT_MISC.RECOVERY_CYCLES_ANY", .select = { 0x10d | ANY_21 }, .counters = 0xf,
	  .alone = 0xff },
	/* a unit mask of 16 bits */
	{ "lunarlake_lioncove", "BR_INST_RETIRED.COND", .select = { 0x11c4 | 1ull << 40 },
	  .counters = 0x3ff, .alone = 0x3ff },
	{ "lunarlake_lioncove", "UOPS_DISPATCHED.SHIFT", .select = { 0x20b2 }, .counters = 0x3ff,
	  .alone = 0x3ff },
	/* Cascade Lake's names */
	{ "cascadelakex",
	  "OFFCORE_RESPONSE:request=DEMAND_DATA_RD:response=SUPPLIER_NONE.SNOOP_NONE",
	  .select = { 0x1b7, 0x1bb }, .counters = 0xf, .msr = { 0x1a6, 0x1a7 }, .value = 0x80020001,
	  .key = "OFFCORE_RESPONSE.DEMAND_DATA_RD.SUPPLIER_NONE.SNOOP_NONE" },
	/* two selects; two unit masks; one of two, by its register; two of four */
	{ "skylake", "OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE", .select = { 0x1b7, 0x1bb },
	  .counters = 0xf, .msr = { 0x1a6, 0x1a7 }, .value = 0x10001 },
	{ "goldmont", "OFFCORE_RESPONSE.DEMAND_DATA_RD.L2_MISS.ANY", .select = { 0x1b7, 0x2b7 },
	  .counters = 0xf, .msr = { 0x1a6, 0x1a7 }, .value = 0x3600000001 },
	{ "goldmont", "OFFCORE_RESPONSE.DEMAND_DATA_RD.OUTSTANDING", .select = { 0x1b7 },
	  .counters = 0xf, .msr = { 0x1a6 }, .value = 0x4000000001 },
	{ "knightslanding", "OFFCORE_RESPONSE.PARTIAL_WRITES.L2_HIT_FAR_TILE_M",
	  .select = { 0x2b7 }, .counters = 3, .msr = { 0x1a7 }, .value = 0x1000400100 },
	{ "novalake_coyotecove", "MEM_LOAD_L2_MISS_RETIRED.L3_MISS", .select = { 0x1d6, 0x2d6 },
	  .counters = 0xf, .msr = { 0x3e0, 0x3e1 }, .value = 0xff03f000000001 },
	/* an offcore response of which the list names no register */
	{ "haswell", "OFFCORE_RESPONSE:offcore_rsp=0x10001", .select = { 0x1b7, 0x1bb },
	  .counters = 0xf, .msr = { 0x1a6, 0x1a7 }, .value = 0x10001 },
	/* the other registers; Nehalem's list leaves out a threshold of 0 */
	{ "skylake", "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_128", .select = { 0x1cd }, .counters = 0xf,
	  .msr = { 0x3f6 }, .value = 0x80 },
	{ "skylake", "FRONTEND_RETIRED.L1I_MISS", .select = { 0x1c6 }, .counters = 0xf,
	  .msr = { 0x3f7 }, .value = 0x12 },
	{ "nehalemep", "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD_0", .select = { 0x100b },
	  .counters = 8, .msr = { 0x3f6 } },
	/* fixed counters by SDM volume 3B; the lists of all but haswell and later have others */
	{ "nehalemep", "INST_RETIRED.ANY", .msr = { 0x309 } },
	{ "nehalemep", "CPU_CLK_UNHALTED.THREAD", .msr = { 0x30a } },
	{ "nehalemep", "CPU_CLK_UNHALTED.REF", .msr = { 0x30b } },
	{ "silvermont", "INST_RETIRED.ANY", .msr = { 0x309 } },
	{ "bonnell", "CPU_CLK_UNHALTED.CORE", .msr = { 0x30a } },
	{ "bonnell", "CPU_CLK_UNHALTED.REF", .msr = { 0x30b } },
	{ "jaketown", "CPU_CLK_UNHALTED.THREAD_ANY", .msr = { 0x30a }, .value = 4 /* AnyThread */ },
	{ "haswell", "INST_RETIRED.ANY", .msr = { 0x309 }, .errata = "HSD140 HSD143" },
	{ "icelake", "TOPDOWN.SLOTS", .msr = { 0x30c } },
	{ "lunarlake_skymont", "TOPDOWN_RETIRING.ALL", .msr = { 0x30f } },
};

/* On which counter of this MSR address is the event, and with which control bits? */
static void check_fixed(unsigned i, unsigned n)
{
	assert_int_equal(n, 1);
	assert_int_equal(config[0].counters & (config[0].counters - 1), 0);
	assert_int_equal(pmu_hw.counter[__builtin_ctz(config[0].counters)].msr, rules[i].msr[0]);
	assert_int_equal(config[0].select, 1 | rules[i].value);
}

static void check_rule(unsigned i, uint32_t counters)
{
	const char *event = rules[i].event;
	unsigned n = pmu_request(&pmu_hw, event, strlen(event), 0, key, config, &no);

	if (!n)
		fail_msg("%s %s: %s", rules[i].list, event, no.why);
	if (rules[i].key)
		assert_string_equal(key, rules[i].key);
	if (rules[i].errata)
		assert_true(tells(rules[i].errata));
	if (!rules[i].select[0]) {
		check_fixed(i, n);
		return;
	}
	assert_int_equal(n, rules[i].select[1] ? 2 : 1);
	for (unsigned k = 0; k < n; k++) {
		assert_int_equal(config[k].select, rules[i].select[k] | OS | EN);
		assert_int_equal(config[k].counters, counters);
		assert_int_equal(config[k].nextra, rules[i].msr[0] != 0);
		assert_int_equal(config[k].extra[0].msr, rules[i].msr[k]);
		assert_int_equal(config[k].extra[0].value, rules[i].value);
	}
}

static void rules_hold(void **unused)
{
	(void)unused;
	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct model *m = model_of(rules[i].list);
		bool ten = rules[i].counters > 0xff;

		become(m, ten ? 10 : 4);
		check_rule(i, rules[i].counters);
		become(m, ten ? 10 : 8);
		check_rule(i, rules[i].alone ? rules[i].alone : rules[i].counters);
	}
}

/* The list has no value for the register: the user must give it. */
static void values_are_asked_for(void **unused)
{
	static const char event[] = "OFFCORE_RESPONSE";

	(void)unused;
	become(model_of("haswell"), 4);
	assert_int_equal(pmu_request(&pmu_hw, event, strlen(event), 0, key, config, &no), 0);
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

/* Aliases that are checked as exact and count this code and unit mask. Each tells the errata. */
static unsigned check_aliases(char **cell)
{
	unsigned code = (unsigned)strtoul(cell[CODE], 0, 0), told = 0;
	unsigned umask = (unsigned)strtoul(cell[UMASK], 0, 0);
	const char *alias;

	for (unsigned a = 0; (alias = pmu_exact_alias(a)); a++) {
		unsigned n = pmu_request(&pmu_hw, alias, strlen(alias), 0, key, config, &no);

		for (unsigned i = 0; i < n; i++) {
			if (!(config[i].select & EN) ||
			    (config[i].select & 0xffff) != (umask << 8 | code))
				continue;
			told++;
			if (!tells(cell[ERRATA]))
				fail_msg("%s: %s does not tell %s", cell[LIST], alias,
				         cell[ERRATA]);
		}
	}
	return told;
}

/*
 * An event may stand behind an alias: `instructions` counts what INST_RETIRED.ANY_P counts. If a
 * check of it fails, the erratum must be told. errata.csv has those of the architectural events.
 */
static void aliases_tell_errata(void **unused)
{
	FILE *f = popen("gzip -dc pmu/events/perfmon/events.csv.gz", "r");
	char line[1000], *cell[COLUMNS];
	unsigned told = 0;

	(void)unused;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		bool plain = true;

		if (split(line, cell) != COLUMNS || !*cell[ERRATA] || !strcmp(cell[LIST], "list"))
			continue;
		for (unsigned i = FIRST; i <= LAST; i++)
			plain = plain && !*cell[i];
		if (!plain)
			continue;
		become(model_of(cell[LIST]), 4);
		told += check_aliases(cell);
	}
	assert_int_equal(pclose(f), 0);
	assert_true(told > 20);
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
		cmocka_unit_test(rules_hold),
		cmocka_unit_test(values_are_asked_for),
		cmocka_unit_test(aliases_tell_errata),
	};

	return cmocka_run_group_tests(tests, read_models, 0);
}
