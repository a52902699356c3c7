/*
 * The conditions of a run on machines of registers. The tests look at what is set, what is put
 * back, and what is left alone. CPUID is that of real processors (tests/data/cpuid.csv).
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernel/cpu/conditions.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "kernel/cpu/msr.h"
#include "tests/unit/support/cpuid_dump.h"

#define DUMPS "tests/data/cpuid.csv"

enum { REGS = 512 };

enum how { PLAIN, READ_ONLY, DEAF };

static struct {
	struct {
		uint32_t msr;
		uint64_t value, found;
		enum how how;
		bool touched;
	} reg[REGS];
	unsigned nregs;
	bool open; /* a register that is not in the list comes into being, and reads `filling` */
	uint64_t filling;
	unsigned writes, strangers;
} machine;

/* Bits that CPUID announces beside those of the dump. */
static struct {
	uint32_t leaf, subleaf;
	struct cpuid_regs more;
} patch[4];
static unsigned npatches;

static void announce(uint32_t leaf, uint32_t subleaf, struct cpuid_regs more)
{
	patch[npatches].leaf = leaf;
	patch[npatches].subleaf = subleaf;
	patch[npatches++].more = more;
}

static void clear(void)
{
	memset(&machine, 0, sizeof(machine));
	npatches = 0;
	dump_load(DUMPS);
}

static void has(uint32_t msr, uint64_t value, enum how how)
{
	assert_true(machine.nregs < REGS);
	machine.reg[machine.nregs].msr = msr;
	machine.reg[machine.nregs].value = machine.reg[machine.nregs].found = value;
	machine.reg[machine.nregs++].how = how;
}

static unsigned find(uint32_t msr)
{
	unsigned i = 0;

	while (i < machine.nregs && machine.reg[i].msr != msr)
		i++;
	if (i == machine.nregs && machine.open)
		has(msr, machine.filling, PLAIN);
	machine.strangers += i == machine.nregs;
	return i;
}

bool msr_read(uint32_t msr, uint64_t *value)
{
	unsigned i = find(msr);

	*value = i < machine.nregs ? machine.reg[i].value : 0;
	return i < machine.nregs;
}

static struct conditions_own *sibling; /* of a thread that comes before write `sibling_at` */
static unsigned sibling_at;
static pthread_t sibling_thread;
static atomic_bool sibling_done;

static void *follow_as_sibling(void *own)
{
	conditions_follow(own);
	sibling_done = true;
	return NULL;
}

/* Gives it time to end; it cannot if it waits for this thread. */
static void run_sibling(void)
{
	struct conditions_own *own = sibling;

	sibling = NULL;
	assert_int_equal(pthread_create(&sibling_thread, NULL, follow_as_sibling, own), 0);
	for (unsigned ms = 0; ms < 100 && !sibling_done; ms++)
		usleep(1000);
}

bool msr_write(uint32_t msr, uint64_t value)
{
	unsigned i = find(msr);

	if (sibling && machine.writes == sibling_at)
		run_sibling();
	machine.writes++;
	if (i == machine.nregs || machine.reg[i].how == READ_ONLY)
		return false;
	machine.reg[i].touched = true;
	if (machine.reg[i].how == PLAIN)
		machine.reg[i].value = value;
	return true;
}

static uint64_t value_of(uint32_t msr)
{
	return machine.reg[find(msr)].value;
}

/* As a processor does: turbo that is switched off is not announced. */
struct cpuid_regs fake_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = dump_cpuid(leaf, subleaf);

	for (unsigned i = 0; i < npatches; i++)
		if (patch[i].leaf == leaf && patch[i].subleaf == subleaf) {
			r.eax |= patch[i].more.eax;
			r.ebx |= patch[i].more.ebx;
			r.ecx |= patch[i].more.ecx;
			r.edx |= patch[i].more.edx;
		}

	for (unsigned i = 0; leaf == 6 && i < machine.nregs; i++)
		if (machine.reg[i].msr == MSR_IA32_MISC_ENABLE && machine.reg[i].value >> 38 & 1)
			r.eax &= ~2u;
	return r;
}

static char printed[1 << 14];
static size_t nprinted;

static void keep(const char *line, size_t n)
{
	assert_true(nprinted + n < sizeof(printed));
	memcpy(printed + nprinted, line, n);
	nprinted += n;
	printed[nprinted] = 0;
}

static struct cpu begin(const char *name, enum args_clocks clocks, enum args_prefetch prefetch)
{
	struct cpu cpu;

	assert_true(dump_select(name));
	cpu_identify(&cpu, true, fake_cpuid);
	nprinted = 0;
	printed[0] = 0;
	log_sink(keep);
	conditions_begin(&cpu, clocks, prefetch, NULL);
	return cpu;
}

static void assert_put_back(void)
{
	for (unsigned i = 0; i < machine.nregs; i++)
		assert_int_equal(machine.reg[i].value, machine.reg[i].found);
}

static void nehalem(enum how turbo, enum how c1e)
{
	clear();
	has(0x34, 7, READ_ONLY);
	has(0xce, 0x80000001400, READ_ONLY);
	has(0x198, 24, READ_ONLY);
	has(0x199, 24, PLAIN);
	has(0x19a, 0x1a, PLAIN);
	has(0x19c, 0x88000000, READ_ONLY);
	has(0x1a0, 0x850089, turbo);
	has(0x1a4, 2, PLAIN);
	has(0x1fc, 0x5f, c1e);
}

#define BLOOMFIELD "GenuineIntel00106A4_Bloomfield"

static void turbo_ratio_c1e(void **state)
{
	struct cpu cpu;

	(void)state;
	nehalem(PLAIN, PLAIN);
	cpu = begin(BLOOMFIELD, CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0x199), 20); /* bits 7:0 on this family */
	assert_int_equal(value_of(0x19a), 0);
	assert_int_equal(value_of(0x1a0), 0x4000850089);
	assert_int_equal(value_of(0x1a4), 2);
	assert_int_equal(value_of(0x1fc), 0x5d);
	assert_non_null(strstr(printed, "when=start clocks=steady smi=7 speedstep=1 turbo_off=0 "
	                                "ratio=24 ratio_base=20 ratio_target=24 c1e=1"));
	assert_non_null(strstr(printed, "when=set smi=7 speedstep=1 turbo_off=1 ratio=24 "
	                                "ratio_base=20 ratio_target=20 c1e=0 duty_cycle=0"));
	assert_null(strstr(printed, "warn"));
	conditions_end(&cpu);
	assert_non_null(strstr(printed, "when=end smi=7 speedstep=1 turbo_off=0"));
	assert_put_back();
	assert_int_equal(machine.strangers, 0);
}

/* What must not be set is not written at all. */
static void kept(void **state)
{
	(void)state;
	nehalem(PLAIN, PLAIN);
	begin(BLOOMFIELD, CLOCKS_KEEP, PREFETCH_AS_FOUND);
	assert_non_null(strstr(printed, "when=start clocks=keep"));
	assert_null(strstr(printed, "when=set"));
	assert_int_equal(machine.writes, 0);
}

static void hypervisor(void **state)
{
	struct cpu cpu;

	(void)state;
	nehalem(PLAIN, PLAIN);
	assert_true(dump_select(BLOOMFIELD));
	cpu_identify(&cpu, true, fake_cpuid);
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	nprinted = 0;
	log_sink(keep);
	conditions_begin(&cpu, CLOCKS_STEADY, PREFETCH_AS_FOUND, NULL);
	assert_non_null(strstr(printed, "when=start clocks=hypervisor"));
	assert_int_equal(machine.writes, 0);
}

/*
 * A write that faults, one that is ignored, a register that is not there; the rest is set all the
 * same.
 */
static void faults(void **state)
{
	struct cpu cpu;

	(void)state;
	nehalem(DEAF, READ_ONLY);
	cpu = begin(BLOOMFIELD, CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_non_null(strstr(printed, "warn what=conditions culprit=turbo_off "
	                                "why=\"the register does not keep the value\""));
	assert_non_null(strstr(printed, "warn what=conditions culprit=c1e "
	                                "why=\"the register refuses the value\""));
	assert_int_equal(value_of(0x199), 20);
	conditions_end(&cpu);
	assert_put_back();

	nehalem(PLAIN, PLAIN);
	machine.reg[1].msr = machine.reg[8].msr = 0xffff; /* no PLATFORM_INFO, no POWER_CTL */
	begin(BLOOMFIELD, CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0x199), 24);
	assert_int_equal(value_of(0x1a0), 0x4000850089);
	assert_null(strstr(printed, "c1e="));
	assert_null(strstr(printed, "warn"));
	conditions_restore();
	assert_put_back();
}

static void prefetchers(void **state)
{
	(void)state;
	nehalem(PLAIN, PLAIN);
	begin(BLOOMFIELD, CLOCKS_KEEP, PREFETCH_OFF);
	assert_int_equal(value_of(0x1a4), 0xf);
	assert_int_equal(value_of(0x1a0), 0x850089);
	conditions_restore();
	assert_put_back();
	begin(BLOOMFIELD, CLOCKS_KEEP, PREFETCH_ON);
	assert_int_equal(value_of(0x1a4), 0);
	conditions_restore();
	assert_put_back();
	begin("GenuineIntel0000525_P54C", CLOCKS_STEADY, PREFETCH_OFF);
	assert_non_null(strstr(printed, "warn what=prefetch culprit=off"));
}

/* Hardware P-states: the request is pinned, PERF_CTL, which no longer counts, is left alone. */
static void hwp(void **state)
{
	struct cpu cpu;

	(void)state;
	clear();
	machine.open = true;
	has(0x770, 1, PLAIN);
	has(0x771, 0x01081a23, READ_ONLY);
	has(0x774, 0x40080000000 | 0xff01, PLAIN);
	has(0x199, 0x800, PLAIN);
	has(0x1a0, 0x850089, PLAIN);
	has(0xce, 0x1a00, READ_ONLY);
	cpu = begin("GenuineIntel00806F8_SapphireRapids_05", CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0x774), 0x80001a1a);
	assert_int_equal(value_of(0x199), 0x800);
	assert_non_null(
		strstr(printed, "perf_package=1 perf_guaranteed=26 perf_max=255 perf_min=1"));
	assert_non_null(
		strstr(printed, "perf_package=0 perf_guaranteed=26 perf_max=26 perf_min=26"));
	conditions_end(&cpu);
	assert_put_back();
	machine.reg[0].value = 0; /* supported, not enabled */
	begin("GenuineIntel00806F8_SapphireRapids_05", CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0x774), 0x40080000000 | 0xff01);
	assert_int_equal(value_of(0x199), 0x1a00);
	conditions_restore();
}

/* SpeedStep that firmware has switched off leaves the ratio alone. */
static void speedstep_off(void **state)
{
	(void)state;
	nehalem(PLAIN, PLAIN);
	machine.reg[find(0x1a0)].value &= ~(1ull << 16);
	begin(BLOOMFIELD, CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0x199), 24);
	conditions_restore();
}

/* A register with the voltage beside the ratio keeps both. */
static void voltage(void **state)
{
	(void)state;
	clear();
	machine.open = true;
	has(0xce, 0x1200, READ_ONLY);
	has(0x199, 0x0833, PLAIN);
	has(0x1a0, 0x850089, PLAIN);
	begin("GenuineIntel0030673_Silvermont", CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_non_null(strstr(printed, "ratio_target=8"));
	assert_int_equal(value_of(0x199), 0x0833);
	conditions_restore();
}

static void amd(void **state)
{
	struct cpu cpu;

	(void)state;
	clear();
	has(0x48, 0, PLAIN);
	has(0xc0000108, 0, PLAIN);
	has(0xc0010015, 0x9000011, PLAIN);
	has(0xc0010062, 2, PLAIN);
	has(0xc0010063, 2, READ_ONLY);
	has(0xc00102b0, 0xc6932a13, READ_ONLY);
	has(0xc00102b1, 1, READ_ONLY);
	has(0xc00102b3, 0x8000ff, PLAIN);
	cpu = begin("AuthenticAMD0A60F12_K19_Raphael_03", CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0xc0010015), 0xb000011);
	assert_int_equal(value_of(0xc0010062), 0);
	assert_int_equal(value_of(0xc00102b3), 0x809393);
	conditions_end(&cpu);
	assert_put_back();
	assert_int_equal(machine.strangers, 0);

	machine.reg[find(0xc00102b1)].value = 0; /* CPPC is there, not enabled */
	begin("AuthenticAMD0A60F12_K19_Raphael_03", CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0xc00102b3), 0x8000ff);
	conditions_restore();
}

/* LFENCE is made to wait, with clocks=keep too, and put back. */
static void lfence(void **state)
{
	struct cpu cpu;

	(void)state;
	clear();
	machine.open = true;
	machine.filling = 0;
	cpu = begin("AuthenticAMD0100F42_K10_Callisto", CLOCKS_KEEP, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0xc0011029), 2);
	assert_non_null(strstr(printed, "lfence_waits=1"));
	conditions_end(&cpu);
	assert_put_back();

	clear();
	machine.open = true;
	quirks_set("-lfence_waits");
	begin("AuthenticAMD0100F42_K10_Callisto", CLOCKS_KEEP, PREFETCH_AS_FOUND);
	quirks_set(NULL);
	assert_int_equal(value_of(0xc0011029), 0);
	assert_non_null(strstr(printed, "quirk name=lfence_waits applied=0 forced=1"));
	conditions_restore();
}

/* P-states without boost in CPUID; hardware P-states without the package's request. */
static void not_announced(void **state)
{
	(void)state;
	clear();
	has(0x48, 0, PLAIN);
	has(0xc0010062, 1, PLAIN);
	has(0xc0010063, 1, READ_ONLY);
	has(0xc0011022, 0, PLAIN);
	has(0xc0011029, 2, PLAIN);
	has(0xc001102b, 1, PLAIN);
	has(0xc00110e3, 2, PLAIN);
	begin("AuthenticAMD0870F10_K17_Matisse_01", CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0xc0010062), 0);
	assert_int_equal(machine.strangers, 0);
	conditions_restore();

	clear();
	machine.open = true;
	has(0x770, 1, PLAIN);
	has(0x771, 0x01081620, READ_ONLY);
	has(0x774, 0x4008000ff01, PLAIN);
	begin("GenuineIntel00506E3_Skylake", CLOCKS_STEADY, PREFETCH_AS_FOUND);
	assert_int_equal(value_of(0x774), 0x40080001616);
	assert_null(strstr(printed, "perf_package"));
	conditions_restore();
}

static bool intel_may_write(uint32_t msr)
{
	return msr == 0x199 || msr == 0x19a || msr == 0x1a0 || msr == 0x1fc || msr == 0x774;
}

static bool amd_may_write(uint32_t msr)
{
	return msr == 0xc0010015 || msr == 0xc0010055 || msr == 0xc0010062 || msr == 0xc00102b3 ||
	       msr == 0xc0011029;
}

static bool may_write(const struct cpu *c, uint32_t msr)
{
	if (c->vendor == VENDOR_INTEL && c->family == 6 && c->model == 0x1c) /* Bonnell */
		return msr == 0x19a;
	if (c->vendor == VENDOR_INTEL && c->family == 6 && c->model >= 9) /* Pentium M and later */
		return intel_may_write(msr) &&
		       (c->arch.version >= 3 || (msr & 0xff0) == 0x1a0 || msr == 0x19a);
	if (c->vendor == VENDOR_INTEL && c->family == 15)
		return msr == 0x19a;
	if (c->vendor == VENDOR_AMD || c->vendor == VENDOR_HYGON)
		return amd_may_write(msr) &&
		       (msr != 0xc0011029 ||
		        (c->family != 0x11 && !cpu_has(c, CPU_LFENCE_SERIALIZING))) &&
		       (c->family > 15 || (c->family == 15 && c->model >= 0x40));
	return false;
}

/*
 * On every processor of the file, with every register there is, full of ones or all but empty: only
 * what the family has is written, and everything is put back.
 */
static void every_cpu(void **state)
{
	(void)state;
	clear();
	for (unsigned i = 0; i < dump_count(); i++)
		for (unsigned ones = 0; ones < 2; ones++) {
			struct cpu cpu;

			clear();
			machine.open = true;
			machine.filling = ones ? UINT64_MAX : 0x00010000;
			cpu = begin(dump_name(i), CLOCKS_STEADY, PREFETCH_AS_FOUND);
			for (unsigned n = 0; n < machine.nregs; n++)
				if (machine.reg[n].touched && !may_write(&cpu, machine.reg[n].msr))
					fail_msg("%s: %#x is written", dump_name(i),
					         machine.reg[n].msr);
			assert_null(strstr(printed, "warn"));
			conditions_end(&cpu);
			assert_put_back();
		}
}

/* Nothing but what tells: processors without any of the registers are not asked for one. */
static void old_cpus(void **state)
{
	static const char *const names[] = { "GenuineIntel0000525_P54C", "GenuineIntel0000543_P55C",
		                             "GenuineIntel0000617_P6",
		                             "GenuineIntel0000673_P3_Katmai",
		                             "AuthenticAMD0000622_K7_Pluto" };

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		clear();
		begin(names[i], CLOCKS_STEADY, PREFETCH_AS_FOUND);
		assert_int_equal(machine.strangers, 0);
		assert_int_equal(machine.writes, 0);
	}
}

static struct cpu begin_as(const char *dump, uint32_t family, uint32_t model, uint32_t core_type,
                           enum args_prefetch prefetch)
{
	static struct cpu cpu;

	assert_true(dump_select(dump));
	cpu_identify(&cpu, true, fake_cpuid);
	cpu.family = family;
	cpu.model = model;
	cpu.core_type = (uint8_t)core_type;
	nprinted = 0;
	printed[0] = 0;
	log_sink(keep);
	conditions_begin(&cpu, CLOCKS_KEEP, prefetch, NULL);
	return cpu;
}

#define SKYLAKE "GenuineIntel00506E3_Skylake"
#define RAPHAEL "AuthenticAMD0A60F12_K19_Raphael_03"
#define MATISSE "AuthenticAMD0870F10_K17_Matisse_01"

/*
 * Which bits switch prefetchers off, by core: those of data/prefetch-control.csv and pepc, typed
 * again. Registers that are not here are not written.
 */
static const struct {
	const char *dump;
	uint32_t family, model, core_type;
	struct {
		uint32_t msr;
		uint64_t bits;
	} off[4];
} cores[] = {
	{ SKYLAKE, 6, 0x0e, 0, { { 0x1a0, 0x200 } } },
	{ SKYLAKE, 6, 0x17, 0, { { 0x1a0, 0xa000080200 } } },
	{ SKYLAKE, 15, 4, 0, { { 0x1a0, 0x80200 } } },
	{ SKYLAKE, 6, 0x1a, 0, { { 0x1a4, 0xf } } },
	{ SKYLAKE, 6, 0x4f, 0, { { 0x1a4, 0xf } } },
	{ SKYLAKE, 6, 0x5e, 0, { { 0x1a4, 0x1f } } },
	{ SKYLAKE, 6, 0x6a, 0, { { 0x1a4, 0x1f } } },
	{ SKYLAKE, 6, 0x8f, 0, { { 0x1a4, 0x3f }, { 0x6d, 1ull << 42 | 1 << 14 } } },
	{ SKYLAKE, 6, 0xad, 0, { { 0x1a4, 0x1ff }, { 0x6d, 1ull << 42 | 1 << 14 } } },
	{ SKYLAKE, 6, 0x97, 0x40, { { 0x1a4, 0x2f } } },
	{ SKYLAKE, 6, 0xd7, 0, { { 0x1a4, 0x2f } } },
	{ SKYLAKE, 6, 0xaa, 0x40, { { 0x1a4, 0x2f } } },
	{ SKYLAKE, 6, 0xbd, 0x40, { { 0x1a4, 0xf } } },
	{ SKYLAKE,
	  6,
	  0x97,
	  0x20,
	  { { 0x1a4, 0x3d }, { 0x1320, 1ull << 43 }, { 0x1321, 1ull << 40 } } },
	{ SKYLAKE,
	  6,
	  0xbe,
	  0,
	  { { 0x1a4, 0x3d }, { 0x1320, 1ull << 43 }, { 0x1321, 1ull << 40 } } },
	{ SKYLAKE,
	  6,
	  0xaf,
	  0,
	  { { 0x1a4, 0x1ff }, { 0x1320, 1ull << 43 }, { 0x1321, 1ull << 40 } } },
	{ SKYLAKE,
	  6,
	  0xbd,
	  0x20,
	  { { 0x1a4, 0x1ff }, { 0x1320, 1ull << 43 }, { 0x1321, 1ull << 40 } } },
	{ SKYLAKE,
	  6,
	  0xdd,
	  0,
	  { { 0x1a4, 0x11ff }, { 0x1320, 1ull << 43 }, { 0x1321, 1ull << 40 } } },
	{ SKYLAKE, 6, 0x5c, 0, { { 0x1a4, 5 } } },
	{ SKYLAKE, 6, 0x57, 0, { { 0x1a4, 3 } } },
	{ SKYLAKE, 6, 0x37, 0, { { 0, 0 } } }, /* not in any source */
	{ SKYLAKE, 6, 0xd8, 0, { { 0, 0 } } },
	{ SKYLAKE, 18, 1, 0x40, { { 0, 0 } } },
	{ SKYLAKE, 18, 0x97, 0x40, { { 0, 0 } } },
	{ RAPHAEL, 0x19, 0x61, 0, { { 0xc0000108, 0x2f } } },
	{ RAPHAEL, 0x1a, 0x50, 0, { { 0xc0000108, 0x2f } } }, /* by CPUID, whatever the model */
	{ MATISSE, 0x17, 0x71, 0, { { 0xc0011022, 1 << 16 } } },
	{ MATISSE, 15, 5, 0, { { 0xc0011021, 1 << 11 } } },
	{ MATISSE, 0x10, 2, 0, { { 0, 0 } } },
};

static uint64_t expected_bits(unsigned i, uint32_t msr)
{
	for (unsigned k = 0; k < 4; k++)
		if (cores[i].off[k].msr == msr)
			return cores[i].off[k].bits;
	return 0;
}

static void prefetcher_bits(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		unsigned found = 0, want = 0;

		clear();
		machine.open = true;
		begin_as(cores[i].dump, cores[i].family, cores[i].model, cores[i].core_type,
		         PREFETCH_OFF);
		for (unsigned n = 0; n < machine.nregs; n++) {
			uint32_t msr = machine.reg[n].msr;

			if (!machine.reg[n].touched || msr == 0xc0011029)
				continue;
			found++;
			if (machine.reg[n].value != expected_bits(i, msr))
				fail_msg("family %xh model %xh: %xh is %llxh", cores[i].family,
				         cores[i].model, msr,
				         (unsigned long long)machine.reg[n].value);
		}
		while (want < 4 && cores[i].off[want].msr)
			want++;
		if (found != want)
			fail_msg("family %xh model %xh: %u registers", cores[i].family,
			         cores[i].model, found);
		assert_int_equal(!want, strstr(printed, "no register for it that we know") != NULL);
		conditions_restore();
		assert_put_back();
	}
}

/* A bit that is there with the other sense; what no bit reaches is told. */
static void prefetchers_left(void **state)
{
	(void)state;
	clear();
	machine.open = true;
	machine.filling = 1;
	begin_as(MATISSE, 0x17, 0x71, 0, PREFETCH_OFF);
	assert_int_equal(value_of(0xc001102b), 0);
	assert_non_null(strstr(printed, "when=set"));
	assert_non_null(strstr(strstr(printed, "when=start"), "l2_prefetch_off=0"));
	assert_non_null(strstr(strstr(printed, "when=set"), "l2_prefetch_off=1"));
	assert_int_equal(value_of(0xc0011022), 0x10001);
	assert_non_null(strstr(printed, "warn what=prefetch culprit=others why="));
	conditions_restore();
	clear();
	machine.open = true;
	begin_as(SKYLAKE, 6, 0x97, 0x40, PREFETCH_OFF);
	assert_non_null(strstr(printed, "warn what=prefetch culprit=l1_next_page why="));
	conditions_restore();
	clear();
	has(0x1a4, 0, READ_ONLY);
	begin_as(SKYLAKE, 6, 0x5e, 0, PREFETCH_OFF);
	assert_non_null(strstr(printed, "warn what=prefetch culprit=l1_ip why=\"the register "
	                                "refuses the value\""));
	assert_null(strstr(printed, "culprit=l2_amp"));
	conditions_restore();
}

/* One more CPU: registers of its own, and its own kind of core. */
static void other_cpu(struct conditions_own *own, uint32_t core_type)
{
	memset(&machine, 0, sizeof(machine));
	machine.open = true;
	memset(own, 0, sizeof(*own));
	own->core_type = (uint8_t)core_type;
}

#define RAPIDS "GenuineIntel00806F8_SapphireRapids_05"

/* Each kind of core gets its own level, has a record, and gets back what it had. */
static void other_kind(void **state)
{
	static struct conditions_own own[3];
	static struct cpu cpu;

	(void)state;
	clear();
	machine.open = true;
	has(0x770, 1, PLAIN);
	has(0x771, 0x01082941, READ_ONLY);
	has(0x774, 0x8000ff01, PLAIN);
	assert_true(dump_select(RAPIDS));
	cpu_identify(&cpu, true, fake_cpuid);
	cpu.model = 0x97;
	cpu.core_type = 0x40;
	nprinted = 0;
	log_sink(keep);
	conditions_begin(&cpu, CLOCKS_STEADY, PREFETCH_OFF, NULL);
	assert_int_equal(value_of(0x774), 0x80002929);

	other_cpu(&own[0], 0x40);
	has(0x770, 1, PLAIN);
	has(0x771, 0x01082941, READ_ONLY);
	has(0x774, 0x8000ff01, PLAIN);
	conditions_follow(&own[0]);
	assert_int_equal(value_of(0x774), 0x80002929);
	for (unsigned i = 1; i < 3; i++) {
		other_cpu(&own[i], 0x20);
		has(0x770, 1, PLAIN);
		has(0x771, 0x0108182b, READ_ONLY);
		has(0x774, 0x80002b04, PLAIN);
		has(0x1a4, 0, i == 2 ? READ_ONLY : PLAIN);
		conditions_follow(&own[i]);
		assert_int_equal(value_of(0x774), 0x80001818);
		conditions_follow(&own[i]); /* after an INIT */
		assert_int_equal(value_of(0x774), 0x80001818);
		assert_int_equal(value_of(0x1a4), i == 2 ? 0 : 0x3d);
	}
	nprinted = 0;
	printed[0] = 0;
	for (unsigned i = 0; i < 3; i++)
		conditions_tell(&own[i], i + 1);
	assert_non_null(strstr(printed, "conditions when=set cpu=2 type=0x20 "));
	assert_non_null(strstr(printed, "perf_guaranteed=24 perf_max=24 perf_min=24"));
	assert_null(strstr(printed, "set cpu=1 "));
	assert_null(strstr(printed, "set cpu=3 "));
	assert_non_null(strstr(printed, "warn what=prefetch culprit=l2_amp cpu=3 why=\"the "
	                                "register refuses the value\""));
	assert_null(strstr(printed, "culprit=l2_adjacent"));
	conditions_give(&own[2]);
	assert_put_back();
	assert_int_equal(value_of(0x774), 0x80002b04);
}

/*
 * Two threads of a core set its registers at once, the second before each write of the first: both
 * put back what the firmware had set.
 */
static void siblings(void **state)
{
	(void)state;
	for (sibling_at = 0; sibling_at < 8; sibling_at++) {
		struct conditions_own own[2];

		other_cpu(&own[0], 0x40);
		other_cpu(&own[1], 0x40);
		has(0x770, 1, PLAIN);
		has(0x771, 0x01082941, READ_ONLY);
		has(0x774, 0x8000ff01, PLAIN);
		has(0x1a4, 0, PLAIN);
		sibling_done = false;
		sibling = &own[1];
		conditions_follow(&own[0]);
		if (sibling)
			break;
		assert_int_equal(pthread_join(sibling_thread, NULL), 0);
		assert_int_equal(value_of(0x774), 0x80002929);
		assert_int_equal(value_of(0x1a4), 0x2f);
		conditions_give(&own[0]);
		conditions_give(&own[1]);
		assert_put_back();
	}
	sibling = NULL;
}

/* What changes timings and is not set: read where it is announced, and never written. */
static void speculation(void **state)
{
	(void)state;
	clear();
	has(0x10a, 1ull << 7 | 1ull << 12 | 1ull << 18 | 1ull << 25, READ_ONLY);
	has(0x123, 1 << 3 | 1 << 0, PLAIN);
	has(0x122, 1 << 1, PLAIN);
	has(0x10f, 1, PLAIN);
	has(0x1b01, 1, PLAIN);
	has(0x48, 1 << 10 | 1 << 7 | 3 << 5 | 1 << 2 | 1, PLAIN);
	announce(7, 0,
	         (struct cpuid_regs){ .eax = 2,
	                              .edx = 1u << 29 | 1u << 26 | 1u << 27 | 1u << 31 | 1u << 13 |
	                                     1u << 9 });
	announce(7, 2, (struct cpuid_regs){ .edx = 0x1f });
	begin_as(SKYLAKE, 6, 0x5e, 0, PREFETCH_AS_FOUND);
	assert_non_null(strstr(printed, "rngds_off=1 fb_clear_off=1 gds_off=0 rtm_off=0 "
	                                "rtm_hidden=1 rtm_aborts=1 doitm=1 ibrs=1 stibp=0 ssbd=1 "
	                                "ipred_off=0 rrsba_off=3 psfd=1 bhi_off=1 "
	                                "data_dependent_off=0"));
	assert_int_equal(machine.writes, 0);
	/* without the bits of ARCH_CAPABILITIES the registers are not touched */
	machine.reg[0].value = 0;
	machine.reg[find(0x122)].msr = machine.reg[find(0x1b01)].msr = 0xffff;
	machine.strangers = 0;
	begin_as(SKYLAKE, 6, 0x5e, 0, PREFETCH_AS_FOUND);
	assert_null(strstr(printed, " gds_off"));
	assert_null(strstr(printed, "rtm_off"));
	assert_null(strstr(printed, "doitm"));
}

/* The processors of one vendor have it at many places. */
static void speculation_amd(void **state)
{
	static const struct {
		uint32_t family, msr, bit, ebx;
	} rows[] = {
		{ 0x15, 0xc0011020, 54, 0 }, { 0x16, 0xc0011020, 33, 0 },
		{ 0x17, 0xc0011020, 10, 0 }, { 0x17, 0xc001011f, 2, 1 << 25 },
		{ 0x19, 0x48, 2, 1 << 24 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		clear();
		machine.open = true;
		has(rows[i].msr, 1ull << rows[i].bit, PLAIN);
		announce(0x80000008, 0, (struct cpuid_regs){ .ebx = rows[i].ebx });
		begin_as("AuthenticAMD0100F42_K10_Callisto", rows[i].family, 0x20, 0,
		         PREFETCH_AS_FOUND);
		if (!strstr(printed, "ssbd=1"))
			fail_msg("family %xh: %s", rows[i].family, printed);
		conditions_restore();
	}
}

/* K6: the limit of write allocation; K7: CLK_CTL, and the bit that hides SSE; K8: flush filter. */
static void forgotten(void **state)
{
	static const char k7[] = "AuthenticAMD0000622_K7_Pluto";

	(void)state;
	clear();
	has(0xc0000082, 0x41, PLAIN);
	begin_as(k7, 5, 8, 0, PREFETCH_AS_FOUND); /* of stepping 2 */
	assert_non_null(strstr(printed, "write_allocate=32"));
	machine.reg[0].value = 0x08010000;
	begin_as(k7, 5, 9, 0, PREFETCH_AS_FOUND);
	assert_non_null(strstr(printed, "write_allocate=32"));
	assert_int_equal(machine.strangers, 0);
	begin_as(k7, 5, 3, 0, PREFETCH_AS_FOUND); /* a K5 */
	assert_null(strstr(printed, "write_allocate"));

	clear();
	has(0xc0010015, 0x8000, PLAIN);
	has(0xc001001b, 0x20012345, PLAIN);
	begin_as(k7, 6, 8, 0, PREFETCH_AS_FOUND);
	assert_non_null(strstr(printed, "clk_ctl=512 sse_off=1"));
	begin_as(k7, 6, 6, 0, PREFETCH_AS_FOUND);
	assert_null(strstr(printed, "clk_ctl"));
	assert_non_null(strstr(printed, "sse_off=1"));
	begin_as(k7, 6, 2, 0, PREFETCH_AS_FOUND);
	assert_null(strstr(printed, "sse_off"));
	begin_as(k7, 15, 5, 0, PREFETCH_AS_FOUND);
	assert_non_null(strstr(printed, "flush_filter_off=0"));
	assert_int_equal(machine.writes, 0);
}

/* The Atoms before Silvermont have the counters of a Nehalem, and none of its registers. */
static void bonnell(void **state)
{
	static const uint8_t models[] = { 0x1c, 0x26, 0x27, 0x35, 0x36 };

	(void)state;
	for (unsigned i = 0; i < sizeof(models); i++) {
		struct cpu cpu;

		clear();
		machine.open = true;
		machine.filling = 0x00010002; /* SpeedStep; C1E, were it there */
		assert_true(dump_select("GenuineIntel00106C2_DiamondvilleDC"));
		cpu_identify(&cpu, true, fake_cpuid);
		assert_int_equal(cpu.model, 0x1c);
		assert_true(cpu.arch.version >= 3);
		cpu.model = models[i];
		log_sink(keep);
		nprinted = 0;
		conditions_begin(&cpu, CLOCKS_STEADY, PREFETCH_AS_FOUND, NULL);
		for (unsigned n = 0; n < machine.nregs; n++) {
			assert_int_not_equal(machine.reg[n].msr, 0xce);
			assert_int_not_equal(machine.reg[n].msr, 0x1fc);
			assert_true(!machine.reg[n].touched || machine.reg[n].msr == 0x19a);
		}
		conditions_restore();
	}
}

/*
 * Firmware of AMD leaves memory above 4 GiB to a bit of SYS_CFG; its MTRRs say nothing of it. The
 * default type is UC here, and the MTRRs make 2 GiB write-back.
 */
static void memory_types(void **state)
{
	static const uint64_t gib = (uint64_t)1 << 30;
	struct cpu cpu;

	(void)state;
	clear();
	cpu = begin("AuthenticAMD0870F10_K17_Matisse_01", CLOCKS_KEEP, PREFETCH_AS_FOUND);
	has(0xfe, 0x508, READ_ONLY);
	has(0x2ff, 0xc00, PLAIN);
	for (uint32_t i = 0; i < 8; i++) {
		has(0x200 + 2 * i, 0, PLAIN);
		has(0x201 + 2 * i, 0, PLAIN);
	}
	machine.reg[find(0x200)].value = 6;
	machine.reg[find(0x201)].value = 0xffff80000800;
	has(0xc0010010, 0x740000, READ_ONLY);
	has(0xc001001d, 6 * gib, READ_ONLY);
	assert_string_equal(conditions_memory_type(&cpu, 0, 2 * gib), "wb");
	assert_string_equal(conditions_memory_type(&cpu, 2 * gib, gib), "uc");
	assert_string_equal(conditions_memory_type(&cpu, gib, 2 * gib), "mixed");
	assert_string_equal(conditions_memory_type(&cpu, 4 * gib, 2 * gib), "wb");
	assert_string_equal(conditions_memory_type(&cpu, 5 * gib, 2 * gib), "mixed");
	assert_string_equal(conditions_memory_type(&cpu, 6 * gib, gib), "uc");
	machine.reg[find(0xc0010010)].value = 0x340000; /* TOM2 alone */
	assert_string_equal(conditions_memory_type(&cpu, 4 * gib, 2 * gib), "uc");
	machine.reg[find(0x201)].value = 0xfffe00000800; /* an MTRR for all of it */
	assert_string_equal(conditions_memory_type(&cpu, 4 * gib, 2 * gib), "wb");
}

static void range(unsigned i, uint64_t base, uint64_t size, unsigned type, bool valid)
{
	machine.reg[find(0x200 + 2 * i)].value = base | type;
	machine.reg[find(0x201 + 2 * i)].value =
		(0xfffffffffull & ~(size - 1)) | (valid ? 0x800 : 0);
}

/* Ranges of an Intel CPU: all of them count, the invalid do not, and where two meet SDM volume 3,
 * "MTRR Precedences", says what holds. */
static void memory_ranges(void **state)
{
	enum { MIB = 1 << 20, UC = 0, WC = 1, WT = 4, WP = 5, WB = 6 };
	struct cpu cpu;

	(void)state;
	clear();
	cpu = begin(SKYLAKE, CLOCKS_KEEP, PREFETCH_AS_FOUND);
	cpu.phys_bits = 36;
	assert_string_equal(conditions_memory_type(&cpu, 0, MIB), "unknown"); /* no MTRRs to read */
	has(0xfe, 0x508, READ_ONLY);
	has(0x2ff, 0xc00 | WB, PLAIN);
	for (uint32_t i = 0; i < 8; i++) {
		has(0x200 + 2 * i, 0, PLAIN);
		has(0x201 + 2 * i, 0, PLAIN);
	}
	assert_string_equal(conditions_memory_type(&cpu, 0, 64 * MIB), "wb"); /* the default type */
	range(0, 0, 4 * MIB, WB, true);
	range(1, 0, 1 * MIB, UC, true);
	range(2, 1 * MIB, 1 * MIB, WT, true);
	range(3, 16 * MIB, 4 * MIB, UC, true);
	range(4, 16 * MIB, 1 * MIB, WB, true);
	range(5, 32 * MIB, 1 * MIB, WC, true);
	range(6, 64 * MIB, 1 * MIB, UC, false);
	range(7, 128 * MIB, 1 * MIB, WP, true);
	assert_string_equal(conditions_memory_type(&cpu, 0, MIB), "uc");
	assert_string_equal(conditions_memory_type(&cpu, 1 * MIB, MIB), "wt");
	assert_string_equal(conditions_memory_type(&cpu, 2 * MIB, 2 * MIB), "wb");
	assert_string_equal(conditions_memory_type(&cpu, 16 * MIB, 4 * MIB), "uc");
	assert_string_equal(conditions_memory_type(&cpu, 32 * MIB, MIB), "wc");
	assert_string_equal(conditions_memory_type(&cpu, 64 * MIB, MIB), "wb");
	assert_string_equal(conditions_memory_type(&cpu, 128 * MIB, MIB), "wp");
	range(1, 1 * MIB, 1 * MIB, WB, true);
	range(0, 0, 4 * MIB, WT, true); /* the two in the other order */
	assert_string_equal(conditions_memory_type(&cpu, 1 * MIB, MIB), "wt");
	range(5, 32 * MIB, 1 * MIB, 2, true); /* a type that is none */
	assert_string_equal(conditions_memory_type(&cpu, 32 * MIB, MIB), "unknown");
	/* a part of the length of the step, 64 KiB, is seen at the end of what is asked for */
	range(5, 32 * MIB, 64 << 10, WC, true);
	assert_string_equal(conditions_memory_type(&cpu, 32 * MIB, 64 << 10), "wc");
	assert_string_equal(conditions_memory_type(&cpu, 32 * MIB, 128 << 10), "mixed");
	assert_string_equal(conditions_memory_type(&cpu, 31 * MIB, MIB + (64 << 10)), "mixed");
	assert_string_equal(conditions_memory_type(&cpu, 31 * MIB, MIB), "wb");
	machine.reg[find(0xfe)].value = 0x501; /* this CPU has one range */
	assert_string_equal(conditions_memory_type(&cpu, 128 * MIB, MIB), "wb");
	machine.reg[find(0x2ff)].value = WB; /* MTRRs are off */
	assert_string_equal(conditions_memory_type(&cpu, 0, MIB), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turbo_ratio_c1e),  cmocka_unit_test(kept),
		cmocka_unit_test(hypervisor),       cmocka_unit_test(faults),
		cmocka_unit_test(prefetchers),      cmocka_unit_test(hwp),
		cmocka_unit_test(speedstep_off),    cmocka_unit_test(voltage),
		cmocka_unit_test(prefetcher_bits),  cmocka_unit_test(amd),
		cmocka_unit_test(prefetchers_left), cmocka_unit_test(other_kind),
		cmocka_unit_test(siblings), /* takes the plan of other_kind */
		cmocka_unit_test(speculation),      cmocka_unit_test(speculation_amd),
		cmocka_unit_test(forgotten),        cmocka_unit_test(lfence),
		cmocka_unit_test(every_cpu),        cmocka_unit_test(old_cpus),
		cmocka_unit_test(bonnell),          cmocka_unit_test(not_announced),
		cmocka_unit_test(memory_types),     cmocka_unit_test(memory_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
