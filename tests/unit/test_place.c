/*
 * kernel/cpu/place.c on the CPUID dumps of real processors (tests/data/cpuid.csv). A dump is that
 * of one CPU; the others of the machine differ from it in their APIC ids.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/cpu/msr.h"
#include "kernel/cpu/place.h"
#include "tests/unit/support/cpuid_dump.h"

#ifndef CPUID_CSV
#define CPUID_CSV "tests/data/cpuid.csv"
#endif

/* Nobody asks for a register here. */
bool msr_read(uint32_t msr, uint64_t *value)
{
	(void)msr;
	(void)value;
	return false;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	(void)msr;
	(void)value;
	return false;
}

static uint32_t id;

/* The CPU of the dump, if it had this APIC id. */
static struct cpuid_regs with_id(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = dump_cpuid(leaf, subleaf);

	if (leaf == 1)
		r.ebx = (r.ebx & 0xffffff) | id << 24;
	else if (leaf == 0x0b || leaf == 0x1f || leaf == 0x80000026)
		r.edx = id;
	else if (leaf == 0x8000001e)
		r.eax = id;
	return r;
}

static struct cpu identified(const char *name)
{
	struct cpu c;

	if (!dump_select(name))
		fail_msg("no dump of %s", name);
	cpu_identify(&c, true, dump_cpuid);
	return c;
}

/*
 * The ids of these processors are known from their makers' documents: the leaves of the SDM and of
 * AMD's PPRs. Lunar Lake's four P-cores are a module each, its four E-cores are one module. A core
 * complex of Zen 1 and 2 has four cores and one of Zen 3 to 5 eight; the 2600X and the 3600X have
 * two with three cores each. The Opteron 6274 has two dies with eight cores.
 */
static void known_ids(void **state)
{
	static const struct {
		const char *name, *source;
		uint32_t id, thread, core, module, die, package;
	} cases[] = {
		{ "GenuineIntel0000525_P54C", "shifts", 0, 0, 0, 0, 0, 0 },
		{ "GenuineIntel0000F43_P4_Prescott", "shifts", 1, 1, 0, 0, 0, 0 },
		{ "GenuineIntel0000F62_P4_Presler", "shifts", 3, 1, 1, 1, 0, 0 },
		{ "GenuineIntel0000F62_P4_Presler", "shifts", 6, 0, 1, 1, 0, 1 },
		{ "GenuineIntel00006FB_Conroe", "shifts", 1, 0, 1, 1, 0, 0 },
		{ "GenuineIntel00106A4_Bloomfield", "leafb", 0x17, 1, 3, 3, 0, 1 },
		{ "GenuineIntel00306F2_HaswellEP", "leafb", 0x63, 1, 17, 17, 0, 1 },
		{ "GenuineIntel0050670_KnightsLanding", "leafb", 0x11e, 2, 71, 71, 0, 0 },
		{ "GenuineIntel00806F8_SapphireRapids_05", "leaf1f", 0xa7, 1, 19, 19, 0, 1 },
		{ "GenuineIntel0090672_AlderLake_03:16", "leaf1f", 0x46, 0, 35, 35, 0, 0 },
		{ "GenuineIntel00B06D1_LunarLake_04", "leaf1f", 0x18, 0, 12, 3, 0, 0 },
		{ "GenuineIntel00B06D1_LunarLake_04:4", "leaf1f", 0x40, 0, 32, 8, 0, 0 },
		{ "GenuineIntel00B06D1_LunarLake_04:4", "leaf1f", 0x46, 0, 35, 8, 0, 0 },
		{ "GenuineIntel00B06E0_AlderLakeN_02", "leaf1f", 6, 0, 3, 0, 0, 0 },
		{ "AuthenticAMD0040F33_K8_Windsor", "shifts", 1, 0, 1, 1, 0, 0 },
		{ "AuthenticAMD0600F12_Interlagos", "shifts", 0x2b, 0, 11, 1, 0, 1 },
		{ "AuthenticAMD0700F01_K16_Kabini2", "shifts", 3, 0, 3, 0, 0, 0 },
		{ "AuthenticAMD0800F82_K17_PinnacleRidge_01", "shifts", 9, 1, 4, 1, 0, 0 },
		{ "AuthenticAMD0870F10_K17_Matisse_01", "leafb", 0xb, 1, 5, 1, 0, 0 },
		{ "AuthenticAMD0A20F12_K19_Vermeer_00", "leafb", 0xf, 1, 7, 0, 0, 0 },
		{ "AuthenticAMD0A60F12_K19_Raphael_03", "80000026", 0xd, 1, 6, 0, 0, 0 },
		{ "AuthenticAMD0B40F40_K20_GraniteRidge_04", "80000026", 0x1f, 1, 7, 0, 0, 1 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cpu c = identified(cases[i].name);
		struct cpu_place p;

		id = cases[i].id;
		cpu_find_place(&p, &c, with_id);
		if (p.apic_id != id || strcmp(p.source, cases[i].source) ||
		    p.thread != cases[i].thread || p.core != cases[i].core ||
		    p.module != cases[i].module || p.die != cases[i].die ||
		    p.package != cases[i].package)
			fail_msg("%s, id %x: %s id %x thread %u core %u module %u die %u package "
			         "%u",
			         cases[i].name, id, p.source, p.apic_id, p.thread, p.core, p.module,
			         p.die, p.package);
	}
}

/* In every processor each id is a place of its own, and no module reaches over a package. */
static void each_id_is_a_place(void **state)
{
	static uint8_t taken[2][1 << 9][8];

	(void)state;
	for (unsigned i = 0; i < dump_count(); i++) {
		struct cpu c = identified(dump_name(i));
		uint32_t ids = 1u << c.package_shift;

		memset(taken, 0, sizeof(taken));
		for (id = 0; id < 2 * ids && id < 256; id++) {
			struct cpu_place p;

			cpu_find_place(&p, &c, with_id);
			assert_int_equal(p.apic_id, id);
			assert_int_equal(p.package, id / ids);
			assert_in_range(p.core, 0, 511);
			assert_in_range(p.thread, 0, (1u << c.smt_shift) - 1);
			if (taken[p.package][p.core][p.thread]++)
				fail_msg("%s: id %x has the place of another one", dump_name(i),
				         id);
			assert_in_range(p.module, 0, p.core);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_ids),
		cmocka_unit_test(each_id_is_a_place),
	};

	dump_load(CPUID_CSV);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
