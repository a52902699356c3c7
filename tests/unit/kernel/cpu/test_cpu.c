/*
 * CPU identification against the CPUID of 60 real processors, against made-up ones, and against
 * noise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/cpu/cpu.h"
#include "kernel/cpu/fence.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "kernel/cpu/msr.h"
#include "tests/unit/support/cpuid_dump.h"

#define DUMPS    "tests/data/cpuid.csv"
#define EXPECTED "tests/data/cpuid-expected.csv"

/* One register that answers; everything else faults. */
static struct {
	uint32_t number;
	uint64_t value;
	bool read_only;
} msr;

bool msr_read(uint32_t number, uint64_t *value)
{
	*value = number == msr.number ? msr.value : 0;
	return number == msr.number;
}

bool msr_write(uint32_t number, uint64_t value)
{
	if (number == msr.number && !msr.read_only)
		msr.value = value;
	return number == msr.number;
}

static char printed[1 << 16];
static size_t printed_size;

static void keep(const char *line, size_t n)
{
	assert_true(n <= LOG_LINE);
	assert_true(printed_size + n < sizeof(printed));
	memcpy(printed + printed_size, line, n);
	printed_size += n;
	printed[printed_size] = 0;
}

static const char *print(const struct cpu *c)
{
	printed_size = 0;
	log_sink(keep);
	cpu_log(c);
	return printed;
}

static void identify(struct cpu *c, const char *name)
{
	if (!dump_select(name))
		fail_msg("no dump of %s", name);
	cpu_identify(c, true, dump_cpuid);
}

static const struct cpu_cache *code_cache(const struct cpu *c)
{
	for (unsigned i = 0; i < c->ncaches; i++)
		if (c->caches[i].level == 1 && c->caches[i].type == CACHE_CODE)
			return &c->caches[i];
	return NULL;
}

/* "KiB/ways", or "-" for no cache. */
static void cache_text(const struct cpu_cache *k, char text[32])
{
	if (k)
		snprintf(text, 32, "%u/%u", k->size / 1024, k->ways);
	else
		strcpy(text, "-");
}

static const char *vendor_text(enum cpu_vendor v)
{
	return v == VENDOR_INTEL ? "intel" : v == VENDOR_AMD ? "amd" : "other";
}

/* The row that the decoder's output makes, in the columns of cpuid-expected.csv but the last. */
static void found_row(const char *name, char *row, size_t size)
{
	struct cpu c;
	char l1d[32], l1i[32], l2[32], l3[32];
	const struct cpu_cache *d;
	unsigned counters, line;

	identify(&c, name);
	d = cpu_data_cache(&c, 1);
	cache_text(d, l1d);
	cache_text(code_cache(&c), l1i);
	cache_text(cpu_data_cache(&c, 2), l2);
	cache_text(cpu_data_cache(&c, 3), l3);
	line = d ? d->line : 0;
	counters = c.pmu_class == PMU_CLASS_AMD ? c.amd.counters : c.arch.counters;
	snprintf(row, size, "%s,%s,%u,%u,%u,%s,%u,%u,%u,%s,%u,%s,%s,%s,%u,%u", name,
	         vendor_text(c.vendor), c.family, c.model, c.stepping,
	         cpu_pmu_class_name(c.pmu_class), c.arch.version, counters, c.arch.fixed, l1d, line,
	         l1i, l2, l3, c.logical, c.cores);
}

static void every_processor_as_published(void **state)
{
	FILE *f = fopen(EXPECTED, "r");
	char line[512], found[512], name[64];
	unsigned n = 0, wrong = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *part;

		if (line[0] == '#' || !strncmp(line, "cpu,", 4))
			continue;
		part = strrchr(line, ',');
		assert_non_null(part);
		*part = 0;
		assert_int_equal(sscanf(line, "%63[^,]", name), 1);
		found_row(name, found, sizeof(found));
		n++;
		if (strcmp(line, found)) {
			print_error("expected %s\nfound    %s\n", line, found);
			wrong++;
		}
	}
	fclose(f);
	assert_int_equal(wrong, 0);
	assert_int_equal(n, dump_count());
	assert_int_equal(n, 63);
}

static void geometry_adds_up(void **state)
{
	(void)state;
	for (unsigned i = 0; i < dump_count(); i++) {
		struct cpu c;

		identify(&c, dump_name(i));
		for (unsigned k = 0; k < c.ncaches; k++) {
			const struct cpu_cache *q = &c.caches[k];
			unsigned ways = q->ways == CPU_WAYS_FULL ? 1 : q->ways;

			assert_in_range(q->level, k ? c.caches[k - 1].level : 1, 3);
			assert_non_null(q->source);
			if (q->type == CACHE_TRACE)
				continue;
			assert_int_equal((uint64_t)q->sets * ways * q->line, q->size);
		}
		for (unsigned k = 0; k < c.ntlbs; k++) {
			assert_in_range(c.tlbs[k].level, k ? c.tlbs[k - 1].level : 0, 2);
			assert_in_range(c.tlbs[k].type, TLB_DATA, TLB_STORE);
			assert_in_range(c.tlbs[k].pages, 1, 15);
			assert_in_range(c.tlbs[k].entries, 1, 4096);
		}
		assert_true(c.logical <= 1u << c.package_shift);
		assert_true(c.smt_shift <= c.package_shift);
		assert_true(c.threads_per_core <= 1u << c.smt_shift);
	}
}

static void records_fit_their_line(void **state)
{
	(void)state;
	for (unsigned i = 0; i < dump_count(); i++) {
		struct cpu c;

		identify(&c, dump_name(i));
		print(&c);
		assert_null(strstr(printed, "truncated=1"));
		assert_non_null(strstr(printed, "cpu cpuid=1 vendor="));
		assert_non_null(strstr(printed, "\ncache level=1 type="));
		assert_non_null(strstr(printed, "\ntopology apic_id="));
	}
	assert_int_equal(log_status_now(), LOG_OK);
}

static void records_as_specified(void **state)
{
	static const char *const lines[] = {
		"cpu cpuid=1 vendor=GenuineIntel family=6 model=60 stepping=3 signature=0x306c3 "
		"brand=\"Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz\" max_leaf=0xd "
		"max_ext=0x80000008 microcode=0x0 phys_bits=39 virt_bits=48 clflush=64 "
		"pmu_class=arch #",
		"\nfeatures has=\"fpu tsc msr pse pae ",
		"\ncache level=1 type=data size=32768 ways=8 line=64 sets=64 shared_by=2 "
		"source=leaf4 #",
		"\ncache level=3 type=unified size=8388608 ways=16 line=64 sets=8192 shared_by=16 "
		"source=leaf4 #",
		"\ntlb level=1 type=code pages=2m+4m entries=8 ways=full source=leaf2 #",
		"\ntlb level=2 type=unified pages=4k+2m entries=1024 ways=8 source=leaf2 #",
		"\ntopology apic_id=0 logical=8 cores=4 threads_per_core=2 smt_shift=1 "
		"package_shift=4 source=leafb #",
		"\narch_pmu version=3 counters=4 width=48 fixed=3 fixed_width=48 "
		"fixed_bitmap=0x0 events_length=7 missing_events=0x0 anythread_deprecated=0 #",
	};
	struct cpu c;

	(void)state;
	identify(&c, "GenuineIntel00306C3_Haswell");
	print(&c);
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (!strstr(printed, lines[i]))
			fail_msg("missing: %s\nin:\n%s", lines[i], printed);

	identify(&c, "AuthenticAMD0A60F12_K19_Raphael_03");
	assert_non_null(strstr(print(&c), "\namd_pmu counters=6 core_ext=1 perfmon_v2=1 #"));
	identify(&c, "GenuineIntel0000F0A_P4_Willamette");
	assert_non_null(strstr(print(&c), "type=trace uops=12288 ways=8 source=leaf2 #"));
	assert_null(strstr(printed, "arch_pmu"));
}

static void every_feature_is_printed(void **state)
{
	struct cpu c;

	(void)state;
	identify(&c, "GenuineIntel00806F8_SapphireRapids_05");
	print(&c);
	for (unsigned f = 0; f < CPU_FEATURES; f++) {
		char blank[32], first[32], last[32];

		snprintf(blank, sizeof(blank), " %s ", cpu_feature_name(f));
		snprintf(first, sizeof(first), "\"%s ", cpu_feature_name(f));
		snprintf(last, sizeof(last), " %s\"", cpu_feature_name(f));
		assert_int_equal(cpu_has(&c, f), strstr(printed, blank) || strstr(printed, first) ||
		                                         strstr(printed, last));
	}
}

static void no_cpuid(void **state)
{
	struct cpu c;

	(void)state;
	cpu_identify(&c, false, dump_cpuid);
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	assert_false(cpu_has(&c, CPU_TSC));
	assert_non_null(strstr(print(&c), "cpu cpuid=0 pmu_class=none reason=\"no CPUID\" #"));
	assert_ptr_equal(cpu_data_cache(&c, 1), NULL);
}

/* The first K6 may execute wrongly what was just written. */
static void early_k6(void **state)
{
	struct cpu c = { .has_cpuid = true, .vendor = VENDOR_AMD, .family = 5, .model = 6 };

	(void)state;
	c.pmu_reason = c.topology_source = "";
	for (c.stepping = 0; c.stepping < 4; c.stepping++)
		assert_int_equal(strstr(print(&c), "warn what=cpu culprit=k6") != NULL,
		                 c.stepping <= 1);
	c.model = 7;
	c.stepping = 1;
	assert_null(strstr(print(&c), "warn"));
}

static void brands(void **state)
{
	struct cpu c;

	(void)state;
	identify(&c, "AuthenticAMD0B40F40_K20_GraniteRidge_04");
	assert_string_equal(c.brand, "AMD Ryzen 7 9800X3D 8-Core Processor");
	identify(&c, "GenuineIntel0000F0A_P4_Willamette"); /* padded with blanks in front */
	assert_string_equal(c.brand, "Intel(R) Pentium(R) 4 CPU 1700MHz");
	identify(&c, "GenuineIntel0000525_P54C");
	assert_string_equal(c.brand, "");
	assert_string_equal(c.vendor_id, "GenuineIntel");
	assert_int_equal(c.max_ext, 0);
}

struct feature_case {
	const char *cpu;
	enum cpu_feature feature;
	bool has;
};

/* What these parts are known for having or lacking. */
static void features(void **state)
{
	static const struct feature_case cases[] = {
		{ "GenuineIntel0000480_486", CPU_TSC, false },
		{ "GenuineIntel0000517_P5", CPU_TSC, true },
		{ "GenuineIntel0000517_P5", CPU_CMOV, false },
		{ "GenuineIntel0000517_P5", CPU_MMX, false },
		{ "GenuineIntel0000543_P55C", CPU_MMX, true },
		{ "GenuineIntel0000617_P6", CPU_CMOV, true },
		{ "GenuineIntel0000617_P6", CPU_SEP, false },
		{ "GenuineIntel0000633_P2_Klamath", CPU_SEP, true },
		{ "GenuineIntel0000633_P2_Klamath", CPU_FXSR, false },
		{ "GenuineIntel0000673_P3_Katmai", CPU_SSE, true },
		{ "GenuineIntel0000695_PM_Banias", CPU_PAE, false },
		{ "GenuineIntel0000F0A_P4_Willamette", CPU_SSE2, true },
		{ "GenuineIntel0000F0A_P4_Willamette", CPU_DS, true },
		{ "GenuineIntel0000F43_P4_Prescott", CPU_LM, true },
		{ "GenuineIntel0000F24_P4_Northwood", CPU_LM, false },
		{ "GenuineIntel00006E8_PM_Yonah", CPU_LM, false },
		{ "GenuineIntel00006F6_Conroe", CPU_SSSE3, true },
		{ "GenuineIntel00106A4_Bloomfield", CPU_INVARIANT_TSC, true },
		{ "GenuineIntel00106A4_Bloomfield", CPU_RDTSCP, true },
		{ "GenuineIntel00206A7_SandyBridge", CPU_AVX, true },
		{ "GenuineIntel00206A7_SandyBridge", CPU_AVX2, false },
		{ "GenuineIntel00306C3_Haswell", CPU_AVX2, true },
		{ "GenuineIntel0050654_SkylakeX", CPU_AVX512F, true },
		{ "GenuineIntel0090672_AlderLake_03", CPU_HYBRID, true },
		{ "GenuineIntel0090672_AlderLake_03", CPU_SERIALIZE, true },
		{ "GenuineIntel00B06E0_AlderLakeN_02", CPU_HYBRID, false },
		{ "GenuineIntel00B06D1_LunarLake_04", CPU_ARCH_PERFMON_EXT, true },
		{ "GenuineIntel0090672_AlderLake_03", CPU_ARCH_PERFMON_EXT, false },
		{ "AuthenticAMD0000622_K7_Pluto", CPU_3DNOWEXT, true },
		{ "AuthenticAMD0000570_K6", CPU_3DNOW, false },
		{ "AuthenticAMD0600F12_Interlagos", CPU_PERFCTR_CORE, true },
		{ "AuthenticAMD0700F01_K16_Kabini2", CPU_PERFCTR_CORE, false },
		{ "AuthenticAMD0800F82_K17_PinnacleRidge_01", CPU_XOP, false },
		{ "AuthenticAMD0870F10_K17_Matisse_01", CPU_IRPERF, true },
		{ "AuthenticAMD0A60F12_K19_Raphael_03", CPU_PERFMON_V2, true },
		{ "AuthenticAMD0A60F12_K19_Raphael_03", CPU_LFENCE_SERIALIZING, true },
		{ "AuthenticAMD0A20F12_K19_Vermeer_00", CPU_PERFMON_V2, false },
		{ "AuthenticAMD0A60F12_K19_Raphael_03", CPU_AVX512_BF16, true },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cpu c;

		identify(&c, cases[i].cpu);
		if (cpu_has(&c, cases[i].feature) != cases[i].has)
			fail_msg("%s: %s", cases[i].cpu, cpu_feature_name(cases[i].feature));
	}
}

static void feature_names(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CPU_FEATURES; i++) {
		const char *name = cpu_feature_name(i);
		enum cpu_feature f;

		assert_non_null(name);
		assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
		                 strlen(name));
		assert_true(cpu_feature_find(name, &f)); /* fails for a name used twice */
		assert_int_equal(f, i);
	}
	assert_false(cpu_feature_find("avx5", &(enum cpu_feature){ 0 }));
	assert_false(cpu_feature_find("", &(enum cpu_feature){ 0 }));
	assert_string_equal(cpu_feature_name(CPU_FEATURES), "unknown");
}

struct topology_case {
	const char *cpu, *source;
	unsigned threads, smt_shift, package_shift, core_type, apic_id;
};

static void topology(void **state)
{
	static const struct topology_case cases[] = {
		{ "GenuineIntel0000617_P6", "leaf4", 1, 0, 0, 0, 0 },
		{ "GenuineIntel0000F43_P4_Prescott", "leaf4", 2, 1, 1, 0, 0 },
		{ "GenuineIntel0000F62_P4_Presler", "leaf4", 2, 1, 2, 0, 0 },
		{ "GenuineIntel00306F2_HaswellEP", "leafb", 2, 1, 6, 0, 0 },
		{ "GenuineIntel0050670_KnightsLanding", "leafb", 4, 2, 9, 0, 2 },
		{ "GenuineIntel00806F8_SapphireRapids_05", "leaf1f", 2, 1, 7, 0, 0 },
		{ "GenuineIntel0090672_AlderLake_03", "leaf1f", 2, 1, 7, 0x40, 0 },
		{ "GenuineIntel0090672_AlderLake_03:16", "leaf1f", 1, 1, 7, 0x20, 0x40 },
		{ "GenuineIntel00B06E0_AlderLakeN_02", "leaf1f", 1, 1, 7, 0x20, 0 },
		{ "AuthenticAMD0600F12_Interlagos", "80000008", 1, 0, 5, 0, 0x20 },
		{ "AuthenticAMD0800F82_K17_PinnacleRidge_01", "80000008", 2, 1, 4, 0, 0 },
		{ "AuthenticAMD0870F10_K17_Matisse_01", "leafb", 2, 1, 7, 0, 0 },
		{ "AuthenticAMD0A60F12_K19_Raphael_03", "80000026", 2, 1, 4, 0, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct topology_case *k = &cases[i];
		struct cpu c;

		identify(&c, k->cpu);
		if (strcmp(c.topology_source, k->source) || c.threads_per_core != k->threads ||
		    c.smt_shift != k->smt_shift || c.package_shift != k->package_shift ||
		    c.core_type != k->core_type || c.apic_id != k->apic_id)
			fail_msg("%s: %s threads=%u smt=%u package=%u type=%x apic=%x", k->cpu,
			         c.topology_source, c.threads_per_core, c.smt_shift,
			         c.package_shift, c.core_type, c.apic_id);
	}
}

static unsigned entries(const struct cpu *c, unsigned level, enum tlb_type type, unsigned page)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->ntlbs; i++)
		if (c->tlbs[i].level == level && c->tlbs[i].type == type && c->tlbs[i].pages & page)
			n += c->tlbs[i].entries;
	return n;
}

static void tlbs(void **state)
{
	enum { K4 = 1, M2 = 2, M4 = 4, G1 = 8 };
	struct cpu c;

	(void)state;
	identify(&c, "GenuineIntel0000673_P3_Katmai");
	assert_int_equal(entries(&c, 1, TLB_CODE, K4), 32);
	assert_int_equal(entries(&c, 1, TLB_DATA, K4), 64);
	assert_int_equal(entries(&c, 1, TLB_DATA, M4), 8);
	identify(&c, "GenuineIntel00306C3_Haswell"); /* optimization manual, table 2-16 */
	assert_int_equal(entries(&c, 1, TLB_CODE, K4), 64);
	assert_int_equal(entries(&c, 1, TLB_DATA, K4), 64);
	assert_int_equal(entries(&c, 1, TLB_DATA, M2), 32);
	assert_int_equal(entries(&c, 1, TLB_DATA, G1), 4);
	assert_int_equal(entries(&c, 2, TLB_UNIFIED, K4), 1024);
	identify(&c, "GenuineIntel00406E3_Skylake");
	assert_int_equal(entries(&c, 2, TLB_UNIFIED, K4), 1536);
	assert_int_equal(entries(&c, 2, TLB_UNIFIED, G1), 16);
	identify(&c, "GenuineIntel00706E5_IceLakeY"); /* leaf 18H, separate load and store TLBs */
	assert_int_equal(entries(&c, 1, TLB_CODE, K4), 128 / 16); /* HT halves it: 8 ways, 1 set */
	assert_int_equal(entries(&c, 1, TLB_LOAD, K4), 64);
	assert_int_equal(entries(&c, 1, TLB_STORE, K4), 16);
	assert_int_equal(entries(&c, 2, TLB_UNIFIED, K4), 2048);
	identify(&c, "AuthenticAMD0800F82_K17_PinnacleRidge_01");
	assert_int_equal(entries(&c, 1, TLB_DATA, K4), 64);
	assert_int_equal(entries(&c, 2, TLB_DATA, K4), 1536);
	identify(&c, "AuthenticAMD0B40F40_K20_GraniteRidge_04"); /* sizes in units of 32 */
	assert_int_equal(entries(&c, 1, TLB_DATA, K4), 96);
	assert_int_equal(entries(&c, 2, TLB_DATA, K4), 4096);
	assert_int_equal(entries(&c, 2, TLB_CODE, K4), 2048);
}

static void leaf_23(void **state)
{
	struct cpu c;

	(void)state;
	identify(&c, "GenuineIntel00B06D1_LunarLake_04:4");
	assert_true(c.arch.leaf23);
	assert_true(c.arch.umask2);
	assert_true(c.arch.eq);
	assert_int_equal(c.arch.gp_bitmap23, 0xff);
	assert_int_equal(c.arch.fixed_bitmap23, 0x77); /* no slots counter on this core */
	assert_int_equal(c.arch.events23, 0x1f7f);
	assert_false(c.arch.pebs);
	identify(&c, "GenuineIntel00B06D1_LunarLake_04");
	assert_int_equal(c.arch.gp_bitmap23, 0x3ff);
	assert_int_equal(c.arch.fixed_bitmap23, 0xf);
	identify(&c, "GenuineIntel0090672_AlderLake_03");
	assert_false(c.arch.leaf23);
}

/* Subleaves 4 and 5 both: architectural PEBS. */
static struct cpuid_regs panther_lake(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = dump_cpuid(leaf, subleaf);

	if (leaf == 0x23 && !subleaf)
		r.eax |= 3 << 4;
	return r;
}

static void architectural_pebs(void **state)
{
	struct cpu c;

	(void)state;
	assert_true(dump_select("GenuineIntel00B06D1_LunarLake_04:4"));
	cpu_identify(&c, true, panther_lake);
	assert_true(c.arch.pebs);
	assert_int_equal(c.arch.events23, 0x1f7f);
}

static void each_cache_from_the_leaf_that_tells(void **state)
{
	struct cpu c;

	(void)state;
	identify(&c, "GenuineIntel00006FB_Conroe"); /* a dump whose leaf 4 stops after the L1D */
	assert_string_equal(cpu_data_cache(&c, 1)->source, "leaf4");
	assert_string_equal(cpu_data_cache(&c, 2)->source, "leaf2");
	identify(&c, "AuthenticAMD0630F01_K15_BaldEagle"); /* leaf 8000001DH is empty */
	assert_string_equal(cpu_data_cache(&c, 2)->source, "80000006");
	identify(&c, "GenuineIntel0000525_P54C");
	assert_string_equal(cpu_data_cache(&c, 1)->source, "family");
}

#define INTEL(max)           ((struct cpuid_regs){ max, 0x756e6547, 0x6c65746e, 0x49656e69 })
#define VENDOR(max, b, d, c) ((struct cpuid_regs){ max, b, c, d })

enum { TSC_MSR = 1 << 4 | 1 << 5, MMX = 1 << 23 };

static void made_up(struct cpu *c, struct cpuid_regs leaf0, uint32_t signature, uint32_t ecx,
                    uint32_t edx)
{
	dump_clear();
	dump_set(0, 0, leaf0);
	dump_set(1, 0, (struct cpuid_regs){ signature, 0, ecx, edx });
	cpu_identify(c, true, dump_cpuid);
}

/* Makers of whose counters there is no list: the reason names them, and says no more than that. */
static void pmu_unknown(void **state)
{
	static const struct {
		struct cpuid_regs leaf0;
		uint32_t signature;
		const char *who;
	} cpus[] = {
		{ VENDOR(1, 0x69727943, 0x736e4978, 0x64616574), 0x600, "CyrixInstead family 6" },
		{ VENDOR(1, 0x746e6543, 0x48727561, 0x736c7561), 0x540, "CentaurHauls family 5" },
		{ VENDOR(1, 0x68532020, 0x68676e61, 0x20206961), 0x307b0, "Shanghai family 7" },
		{ VENDOR(1, 0x68747541, 0x69746e65, 0x444d4163), 0x700, "AuthenticAMD family 7" },
		{ VENDOR(1, 0x756e6547, 0x54656e69, 0x3638784d), 0x543, "GenuineTMx86 family 5" },
		{ VENDOR(1, 0x4778654e, 0x72446e65, 0x6e657669), 0x500, "NexGenDriven family 5" },
	};
	char reason[80];
	struct cpu c;

	(void)state;
	for (unsigned i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		made_up(&c, cpus[i].leaf0, cpus[i].signature, 0, TSC_MSR);
		snprintf(reason, sizeof(reason), "no list of counters is known for %s",
		         cpus[i].who);
		assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
		assert_string_equal(c.pmu_reason, reason);
	}
}

static void pmu_class_rules(void **state)
{
	const uint32_t hypervisor = 1u << 31;
	const struct cpuid_regs amd = VENDOR(1, 0x68747541, 0x69746e65, 0x444d4163);
	const struct cpuid_regs hygon = VENDOR(1, 0x6f677948, 0x6e65476e, 0x656e6975);
	struct cpu c;

	(void)state;
	made_up(&c, INTEL(1), 0x543, 0, TSC_MSR); /* Bochs' pentium: model 4 without MMX */
	assert_int_equal(c.pmu_class, PMU_CLASS_P5);
	made_up(&c, INTEL(1), 0x543, 0, TSC_MSR | MMX);
	assert_int_equal(c.pmu_class, PMU_CLASS_P5MMX);
	made_up(&c, INTEL(1), 0x525, 0, 0);
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	assert_string_equal(c.pmu_reason, "no MSRs");
	for (unsigned model = 0; model < 16; model++) {
		bool p6 = model == 1 || model == 3 || (model >= 5 && model <= 11) || model == 13;

		made_up(&c, INTEL(2), 0x600 | model << 4, 0, TSC_MSR);
		assert_int_equal(c.pmu_class, p6 ? PMU_CLASS_P6 : PMU_CLASS_NONE);
	}
	made_up(&c, INTEL(2), 0x6ec, 0, TSC_MSR); /* Yonah with leaf 0AH hidden */
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	made_up(&c, INTEL(2), 0x10661, 0, TSC_MSR); /* model 22, not 6 */
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	made_up(&c, amd, 0x570, 0, TSC_MSR);
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	assert_string_equal(c.pmu_reason, "AMD has counters from family 6 on");
	made_up(&c, amd, 0x662, 0, TSC_MSR);
	assert_int_equal(c.pmu_class, PMU_CLASS_AMD);
	assert_int_equal(c.amd.counters, 4);
	made_up(&c, hygon, 0x900f02, 0, TSC_MSR);
	assert_int_equal(c.vendor, VENDOR_HYGON);
	assert_int_equal(c.family, 24);
	assert_int_equal(c.pmu_class, PMU_CLASS_AMD);

	/* MSR 12H of a KVM guest is a paravirtual clock. */
	made_up(&c, INTEL(1), 0x525, hypervisor, TSC_MSR);
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	dump_set(0x40000000, 0, /* KVM may be behind this name */
	         (struct cpuid_regs){ 0x40000005, 0x7263694d, 0x666f736f, 0x76482074 });
	cpu_identify(&c, true, dump_cpuid);
	assert_string_equal(c.hypervisor, "Microsoft Hv");
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	dump_set(0x40000000, 0,
	         (struct cpuid_regs){ 0x40000001, 0x4b4d564b, 0x564b4d56, 0x0000004d });
	cpu_identify(&c, true, dump_cpuid);
	assert_string_equal(c.hypervisor, "KVMKVMKVM");
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	dump_set(0x40000000, 0,
	         (struct cpuid_regs){ 0x40000001, 0x54474354, 0x43544743, 0x47435447 });
	cpu_identify(&c, true, dump_cpuid);
	assert_string_equal(c.hypervisor, "TCGTCGTCGTCG");
	assert_int_equal(c.pmu_class, PMU_CLASS_P5);
}

/* Fields that a version does not define are not read. */
static void leaf_0a_by_version(void **state)
{
	struct cpu c;

	(void)state;
	for (unsigned version = 0; version <= 6; version++) {
		made_up(&c, INTEL(0xa), 0x206a7, 0, TSC_MSR);
		dump_set(0xa, 0, (struct cpuid_regs){ 0x07300400 | version, 0x81, 0xf, 0x8603 });
		cpu_identify(&c, true, dump_cpuid);
		assert_int_equal(c.pmu_class, version ? PMU_CLASS_ARCH : PMU_CLASS_NONE);
		assert_int_equal(c.arch.counters, version ? 4 : 0);
		assert_int_equal(c.arch.missing_events, version ? 0x81 : 0);
		assert_int_equal(c.arch.fixed, version >= 2 ? 3 : 0);
		assert_int_equal(c.arch.fixed_width, version >= 2 ? 48 : 0);
		assert_int_equal(c.arch.fixed_bitmap, version >= 5 ? 0xf : 0);
		assert_int_equal(c.arch.any_deprecated, version >= 5);
	}
}

static unsigned asked;

/* Lists that do not end, of caches and TLBs that all differ. */
static struct cpuid_regs endless_cpuid(uint32_t leaf, uint32_t subleaf)
{
	if (++asked > 10000)
		fail_msg("still asking after %u CPUIDs", asked);
	if (leaf == 0)
		return INTEL(0x1f);
	if (leaf == 4)
		return (struct cpuid_regs){ (subleaf / 2 % 8) << 5 | (1 + subleaf % 2), 63, 63, 0 };
	if (leaf == 0x18)
		return (struct cpuid_regs){ 0xffffffff, 4 << 16 | 1, 16, 1 << 5 | 1 };
	return (struct cpuid_regs){ 1, 2, 2 << 8, subleaf };
}

static void endless_lists(void **state)
{
	struct cpu c;

	(void)state;
	cpu_identify(&c, true, endless_cpuid);
	assert_int_equal(c.ncaches, CPU_CACHES);
	assert_int_equal(c.ntlbs, CPU_TLBS);
	assert_non_null(strstr(print(&c), "topology apic_id=0 logical=2"));
}

static void odd_answers(void **state)
{
	struct cpu c;

	(void)state;
	made_up(&c, INTEL(0x513), 0x513, 0, TSC_MSR); /* leaf 0 answers with the signature */
	assert_int_equal(c.max_leaf, 1);
	assert_int_equal(c.pmu_class, PMU_CLASS_P5);
	made_up(&c, INTEL(0), 0x525, 0, TSC_MSR); /* no leaf 1 */
	assert_int_equal(c.family, 0);
	assert_int_equal(c.pmu_class, PMU_CLASS_NONE);
	made_up(&c, VENDOR(1, 0x22220a0d, 0x7f800000, 0x3d233d23), 0x525, 0, 0);
	assert_string_equal(c.vendor_id, "\"\"");
	/* Levels that never end, and a level of no CPUs. */
	made_up(&c, INTEL(0xb), 0x106a4, 0, TSC_MSR);
	for (unsigned i = 0; i < 300; i++)
		dump_set(0xb, i, (struct cpuid_regs){ 31, 2, 2 << 8, 7 });
	cpu_identify(&c, true, dump_cpuid);
	assert_int_equal(c.package_shift, 31);
	made_up(&c, INTEL(0xb), 0x106a4, 0, TSC_MSR);
	dump_set(0xb, 0, (struct cpuid_regs){ 1, 2, 2 << 8, 0 });
	dump_set(0xb, 1, (struct cpuid_regs){ 4, 0, 1 << 8 | 1, 0 });
	cpu_identify(&c, true, dump_cpuid);
	assert_int_equal(c.threads_per_core, 1);
	assert_int_equal(c.logical, 2);
	/* Leaf 2: a register with bit 31 set holds nothing; 49H is the L3 of the Xeon MP. */
	made_up(&c, INTEL(2), 0xf64, 0, TSC_MSR);
	dump_set(2, 0, (struct cpuid_regs){ 0x605b5001, 0x8000007d, 0, 0x00497d70 });
	cpu_identify(&c, true, dump_cpuid);
	assert_int_equal(cpu_data_cache(&c, 3)->size, 4096 << 10);
	assert_int_equal(cpu_data_cache(&c, 2)->size, 2048 << 10);
	made_up(&c, INTEL(2), 0x6f6, 0, TSC_MSR);
	dump_set(2, 0, (struct cpuid_regs){ 1, 0x8000007d, 0, 0x00000049 });
	cpu_identify(&c, true, dump_cpuid);
	assert_int_equal(cpu_data_cache(&c, 2)->size, 4096 << 10);
}

static void microcode(void **state)
{
	struct cpu c;

	(void)state;
	identify(&c, "AuthenticAMD0A60F12_K19_Raphael_03");
	msr.number = MSR_IA32_BIOS_SIGN_ID;
	msr.value = 0x0a601206;
	cpu_read_microcode(&c);
	assert_int_equal(c.microcode, 0x0a601206);
	identify(&c, "GenuineIntel00306C3_Haswell");
	msr.value = 0x2800000000;
	msr.read_only = true; /* writing 0 does not clear what CPUID loads */
	cpu_read_microcode(&c);
	assert_int_equal(c.microcode, 0x28);
	identify(&c, "GenuineIntel0000525_P54C"); /* has no such register */
	cpu_read_microcode(&c);
	assert_int_equal(c.microcode, 0);
	identify(&c, "GenuineIntel00306C3_Haswell");
	msr.number = 0; /* faults */
	cpu_read_microcode(&c);
	assert_int_equal(c.microcode, 0);
	msr.read_only = false;
}

static void hidden_leaves(void **state)
{
	const uint64_t limit = 1 << 22;
	struct cpu c;

	(void)state;
	printed_size = 0;
	log_sink(keep);
	made_up(&c, INTEL(3), 0x106a4, 0, TSC_MSR);
	msr.number = MSR_IA32_MISC_ENABLE;
	msr.value = limit | 1;
	assert_true(cpu_lift_leaf_limit(&c));
	assert_int_equal(msr.value, 1);
	assert_non_null(strstr(printed, "they are shown again"));
	assert_false(cpu_lift_leaf_limit(&c)); /* nothing left to lift */
	msr.value = limit;
	quirks_set("-cpuid_limit");
	assert_false(cpu_lift_leaf_limit(&c));
	quirks_set(NULL);
	assert_int_equal(msr.value, limit);
	msr.read_only = true;
	assert_false(cpu_lift_leaf_limit(&c));
	msr.read_only = false;
	identify(&c, "GenuineIntel0000673_P3_Katmai"); /* max leaf 3 is all it has */
	assert_false(cpu_lift_leaf_limit(&c));
	assert_int_equal(msr.value, limit);
}

static uint32_t seed = 1;

static uint32_t noise(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

/* Mostly plausible: a known vendor, few leaves missing, small or wild values. */
static struct cpuid_regs noisy_cpuid(uint32_t leaf, uint32_t subleaf)
{
	static const struct cpuid_regs vendors[] = {
		{ 0x23, 0x756e6547, 0x6c65746e, 0x49656e69 },
		{ 0x10, 0x68747541, 0x444d4163, 0x69746e65 },
		{ 0x1f, 0x746e6543, 0x736c7561, 0x48727561 },
		{ 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
	};
	uint32_t mask = noise() & 1 ? 0xffffffff : noise();

	(void)subleaf;
	if (leaf == 0)
		return vendors[noise() % 4];
	if (leaf == 0x80000000)
		return (struct cpuid_regs){ 0x80000000 | (noise() & 0x3f), 0, 0, 0 };
	return (struct cpuid_regs){ noise() & mask, noise() & mask, noise() & mask,
		                    noise() & mask };
}

static void noise_does_no_harm(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		struct cpu c;

		cpu_identify(&c, true, noisy_cpuid);
		assert_true(c.ncaches <= CPU_CACHES);
		assert_true(c.ntlbs <= CPU_TLBS);
		assert_true(strlen(c.brand) <= 48);
		assert_true(strlen(c.hypervisor) <= 12);
		if (i % 16 == 0)
			print(&c);
	}
}

/* Divisions of 13 clocks; readings of the TSC that come in steps of 36 ticks; ones that pass. */
static void a_fence_that_waits(void **state)
{
	(void)state;
	assert_true(fence_has_waited(106, 210, 13312));
	assert_true(fence_has_waited(108, 216, 13312));
	assert_true(fence_has_waited(108, 187, 13312));
	assert_false(fence_has_waited(108, 180, 13312));
	assert_false(fence_has_waited(36, 40, 13312));
	assert_false(fence_has_waited(36, 36, 0));
	assert_false(fence_has_waited(40, 36, 13312));
}

/* What the CPU promises: AMD by CPUID, by a bit that the register holds, or by family. */
static void a_fence_that_is_promised(void **state)
{
	struct cpu c = { .vendor = VENDOR_AMD, .family = 0x17 };

	(void)state;
	assert_false(fence_lfence_waits(&c));
	c.features[CPU_SSE2 / 32] |= 1u << CPU_SSE2 % 32;
	msr.number = 0xc0011029;
	msr.value = 0;
	assert_false(fence_lfence_waits(&c));
	msr.value = 2;
	assert_true(fence_lfence_waits(&c));
	msr.number = 0;
	assert_false(fence_lfence_waits(&c));
	c.family = 0xf;
	assert_true(fence_lfence_waits(&c));
	c.vendor = VENDOR_INTEL;
	assert_false(fence_lfence_waits(&c));
	c.family = 6;
	assert_true(fence_lfence_waits(&c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fence_that_waits),
		cmocka_unit_test(a_fence_that_is_promised),
		cmocka_unit_test(every_processor_as_published),
		cmocka_unit_test(geometry_adds_up),
		cmocka_unit_test(records_fit_their_line),
		cmocka_unit_test(records_as_specified),
		cmocka_unit_test(every_feature_is_printed),
		cmocka_unit_test(no_cpuid),
		cmocka_unit_test(early_k6),
		cmocka_unit_test(brands),
		cmocka_unit_test(features),
		cmocka_unit_test(feature_names),
		cmocka_unit_test(topology),
		cmocka_unit_test(tlbs),
		cmocka_unit_test(leaf_23),
		cmocka_unit_test(architectural_pebs),
		cmocka_unit_test(each_cache_from_the_leaf_that_tells),
		cmocka_unit_test(pmu_unknown),
		cmocka_unit_test(pmu_class_rules),
		cmocka_unit_test(leaf_0a_by_version),
		cmocka_unit_test(endless_lists),
		cmocka_unit_test(odd_answers),
		cmocka_unit_test(microcode),
		cmocka_unit_test(hidden_leaves),
		cmocka_unit_test(noise_does_no_harm),
	};

	dump_load(DUMPS);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
