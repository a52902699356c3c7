/*
 * perf's generic names count what Linux counts under them: tests/data/perf-generic.csv has the
 * event selects and filter values of its tables, model by model, and each is asked for on a CPU of
 * the model. Every model has the names that Linux has on all CPUs of the family.
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
#include "pmu/tables.h"
#include "tests/unit/pmu/pmu_mock.h"

static struct pmu_config config[PMU_CONFIGS];
static struct pmu_refusal no;
static char key[PMU_KEY];

static unsigned ask(const char *text)
{
	return pmu_request(&pmu_hw, text, strlen(text), 0, key, config, &no);
}

/* A CPU of this model, with all counters. */
static void probe(const struct pmu_model *m)
{
	static struct cpu cpu;

	if (m->vendor == VENDOR_INTEL) {
		cpu = mock_arch(m->first, 4, 8, 3);
	} else {
		cpu = mock_cpu(PMU_CLASS_AMD, m->cpu_family, m->first);
		cpu.amd.counters = m->cpu_family < 0x15 ? 4 : 6;
	}
	cpu.family = m->cpu_family;
	cpu.vendor = m->vendor;
	cpu.stepping = m->first_stepping;
	cpu.core_type = m->core_type;
	cpu.native_model = m->native;
	mock_probe(&cpu);
}

static const struct pmu_model *find(const char *name)
{
	for (const struct pmu_model *m = pmu_models; m->name; m++)
		if (!strcmp(pmu_names + m->name, name))
			return m;
	return NULL;
}

/* Does some way to count it have the event, the unit mask and the value? */
static bool counts(unsigned ways, uint64_t select, uint64_t offcore)
{
	for (unsigned i = 0; i < ways; i++)
		if ((config[i].select & 0xfff0000ffffull & ~0xff0000000000ull) == select &&
		    (offcore ? config[i].nextra == 1 && config[i].extra[0].value == offcore
		             : !config[i].nextra))
			return true;
	return false;
}

static void as_linux_counts(void **unused)
{
	FILE *f = fopen("tests/data/perf-generic.csv", "r");
	char line[200];
	unsigned rows = 0;

	(void)unused;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *alias = strtok(line, ","), *model = strtok(NULL, ",");
		char *select = strtok(NULL, ",\n"), *offcore = strtok(NULL, "\n");
		const struct pmu_model *m = model ? find(model) : NULL;
		unsigned n;

		if (*alias == '#' || !strcmp(alias, "alias"))
			continue;
		if (!m)
			fail_msg("%s: no such model", model);
		probe(m);
		assert_string_equal(pmu_hw.model, model);
		n = ask(alias);
		if (!n)
			fail_msg("%s on %s: %s: %s", alias, model, no.culprit, no.why);
		if (!counts(n, strtoull(select, NULL, 0), offcore ? strtoull(offcore, NULL, 0) : 0))
			fail_msg("%s on %s: %s, select 0x%llx", alias, model, key,
			         (unsigned long long)config[0].select);
		rows++;
	}
	fclose(f);
	assert_true(rows > 700);
}

/* Linux counts these on every CPU of the family. */
static void everywhere(void **unused)
{
	static const char *const names[] = { "cpu-cycles",          "instructions",
		                             "branch-instructions", "branch-misses",
		                             "cache-references",    "cache-misses" };

	(void)unused;
	for (const struct pmu_model *m = pmu_models; m->name; m++) {
		const char *family = pmu_families[m->family];

		/* Nobody documents the requests to L2 of these. */
		if (!strcmp(family, "p5") || !strcmp(family, "p6") || !strcmp(family, "netburst") ||
		    !strcmp(pmu_names + m->name, "k7") || m->cpu_family == 0x16)
			continue;
		probe(m);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (!ask(names[i]))
				fail_msg("%s on %s: %s", names[i], pmu_names + m->name, no.why);
	}
}

/* The older families by name: their events have one spelling. */
static void older_families(void **unused)
{
	static const struct {
		enum cpu_pmu_class pmu_class;
		uint32_t family, model;
		const char *alias, *key;
	} rows[] = {
		{ PMU_CLASS_P5, 5, 1, "cache-references", "DATA_READ_OR_WRITE" },
		{ PMU_CLASS_P5, 5, 1, "cache-misses", "DATA_READ_MISS_OR_WRITE_MISS" },
		{ PMU_CLASS_P5, 5, 1, "L1-dcache-load-misses", "DATA_READ_MISS" },
		{ PMU_CLASS_P5, 5, 1, "dTLB-load-misses", "DATA_TLB_MISS" },
		{ PMU_CLASS_P5MMX, 5, 4, "cpu-cycles", "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE" },
		{ PMU_CLASS_P6, 6, 8, "cache-references", "L2_RQSTS.I.S.E.M" },
		{ PMU_CLASS_P6, 6, 8, "cache-misses", "L2_RQSTS.I" },
		{ PMU_CLASS_P6, 6, 13, "L1-dcache-load-misses", "DCU_LINES_IN" },
		{ PMU_CLASS_NETBURST, 15, 2, "iTLB-load-misses", "ITLB_reference.MISS" },
		{ PMU_CLASS_NETBURST, 15, 2, "cache-misses",
		  "BSQ_cache_reference.RD_2ndL_MISS.RD_3rdL_MISS.WR_2ndL_MISS" },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cpu cpu = mock_cpu(rows[i].pmu_class, rows[i].family, rows[i].model);

		mock_probe(&cpu);
		if (!ask(rows[i].alias))
			fail_msg("%s: %s", rows[i].alias, no.why);
		assert_string_equal(key, rows[i].key);
	}
}

/* libpfm4's presets have the same meaning, and take modifiers. */
static void presets(void **unused)
{
	struct pmu_config first;

	(void)unused;
	probe(find("skylake"));
	assert_int_equal(ask("PERF_COUNT_HW_CACHE_MISSES:u"), 1);
	assert_string_equal(key, "LLC_Misses:u");
	first = config[0];
	assert_int_equal(ask("cache-misses:u"), 1);
	assert_memory_equal(&first, &config[0], sizeof(first));
	assert_int_equal(ask("perf_count_hw_ref_cpu_cycles"), 1);
	assert_int_equal(ask("LLC-load-misses:u"), 1);
	assert_int_equal(config[0].select & 0x30000, 0x10000);
	assert_int_equal(ask("PERF_COUNT_HW_CACHE_MISSE"), 0);
	assert_int_equal(ask("PERF_COUNT_HW_"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_linux_counts),
		cmocka_unit_test(everywhere),
		cmocka_unit_test(older_families),
		cmocka_unit_test(presets),
	};

	return cmocka_run_group_tests(tests, 0, 0);
}
