/*
 * Conditions of a run (kernel/conditions.h).
 */
#include "kernel/conditions.h"
#include "kernel/log.h"
#include "kernel/msr.h"
#include "kernel/x86.h"

enum {
	MSR_PLATFORM_INFO = 0xce,
	MSR_IA32_PERF_STATUS = 0x198,
	MSR_IA32_PERF_CTL = 0x199,
	MSR_IA32_CLOCK_MODULATION = 0x19a,
	MSR_IA32_THERM_STATUS = 0x19c,
	MSR_MISC_FEATURE_CONTROL = 0x1a4,
	MSR_IA32_ENERGY_PERF_BIAS = 0x1b0,
	MSR_IA32_PACKAGE_THERM_STATUS = 0x1b1,
	MSR_POWER_CTL = 0x1fc,
	MSR_IA32_PM_ENABLE = 0x770,
	MSR_IA32_HWP_REQUEST = 0x774,
	MSR_AMD_PSTATE_STATUS = 0xc0010063,
	MSR_AMD_HWCR = 0xc0010015,
	MSR_MTRRCAP = 0xfe,
	MSR_MTRR_PHYSBASE0 = 0x200,
	MSR_MTRR_DEF_TYPE = 0x2ff,
	MTRR_ENABLE = 1 << 11,
	MTRR_VALID = 1 << 11,
	MTRR_MAX = 16,
};

/* Which CPUs have a register. */
static bool intel_nehalem(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && c->pmu_class == PMU_CLASS_ARCH && c->arch.version >= 3;
}

/* Nehalem and later but the Atoms, whose bits mean other things. */
static bool intel_big_core(const struct cpu *c)
{
	static const uint8_t atoms[] = {
		0x1c, 0x26, 0x27, 0x35, 0x36, 0x37, 0x4a, 0x4c, 0x4d, 0x5a,
		0x5c, 0x5d, 0x5f, 0x75, 0x7a, 0x86, 0x96, 0x9c, 0xaf, 0xb6
	};

	if (!intel_nehalem(c) || c->core_type == 0x20)
		return false;
	for (unsigned i = 0; i < sizeof(atoms); i++)
		if (c->model == atoms[i])
			return false;
	return true;
}

static bool intel_misc_enable(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && (c->family == 15 || (c->family == 6 && c->model >= 13));
}

/* The prefetchers of Core 2 and NetBurst are bits of MISC_ENABLE. */
static bool intel_old_prefetch(const struct cpu *c)
{
	return intel_misc_enable(c) &&
	       (c->family == 15 || c->model == 15 || c->model == 23 || c->model == 29);
}

static uint32_t leaf6(const struct cpu *c)
{
	return c->max_leaf >= 6 ? x86_cpuid(6, 0).eax : 0;
}

static bool thermal(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && leaf6(c) & 1;
}

static bool package_thermal(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && leaf6(c) & 1 << 6;
}

static bool hwp(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && leaf6(c) & 1 << 7;
}

static bool energy_bias(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && c->max_leaf >= 6 && x86_cpuid(6, 0).ecx & 1 << 3;
}

static bool clock_modulation(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && cpu_has(c, CPU_ACPI);
}

static bool speedstep(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && c->max_leaf >= 1 && x86_cpuid(1, 0).ecx & 1 << 7;
}

static bool amd_pstates(const struct cpu *c)
{
	return (c->vendor == VENDOR_AMD || c->vendor == VENDOR_HYGON) && c->family >= 0x10;
}

/* One field of a register. */
struct row {
	const char *key;
	bool (*has)(const struct cpu *c);
	uint32_t msr;
	uint8_t shift, width;
};

/* clang-format off */
static const struct row rows[] = {
	{ "smi",             intel_nehalem,      MSR_SMI_COUNT,                  0, 32 },
	{ "ratio",           speedstep,          MSR_IA32_PERF_STATUS,           8,  8 },
	{ "ratio_target",    speedstep,          MSR_IA32_PERF_CTL,              8,  8 },
	{ "ratio_base",      intel_nehalem,      MSR_PLATFORM_INFO,              8,  8 },
	{ "speedstep",       speedstep,          MSR_IA32_MISC_ENABLE,          16,  1 },
	{ "turbo_off",       intel_nehalem,      MSR_IA32_MISC_ENABLE,          38,  1 },
	{ "hwp",             hwp,                MSR_IA32_PM_ENABLE,             0,  1 },
	{ "c1e",             intel_nehalem,      MSR_POWER_CTL,                  1,  1 },
	{ "energy_bias",     energy_bias,        MSR_IA32_ENERGY_PERF_BIAS,      0,  4 },
	{ "duty_cycle",      clock_modulation,   MSR_IA32_CLOCK_MODULATION,      0,  5 },
	{ "l2_prefetch_off", intel_big_core,     MSR_MISC_FEATURE_CONTROL,       0,  1 },
	{ "l2_adjacent_off", intel_big_core,     MSR_MISC_FEATURE_CONTROL,       1,  1 },
	{ "l1_prefetch_off", intel_big_core,     MSR_MISC_FEATURE_CONTROL,       2,  1 },
	{ "l1_ip_off",       intel_big_core,     MSR_MISC_FEATURE_CONTROL,       3,  1 },
	{ "prefetch_off",    intel_old_prefetch, MSR_IA32_MISC_ENABLE,           9,  1 },
	{ "adjacent_off",    intel_old_prefetch, MSR_IA32_MISC_ENABLE,          19,  1 },
	{ "hot",             thermal,            MSR_IA32_THERM_STATUS,          0,  1 },
	{ "was_hot",         thermal,            MSR_IA32_THERM_STATUS,          1,  1 },
	{ "power_limited",   thermal,            MSR_IA32_THERM_STATUS,         10,  1 },
	{ "package_hot",     package_thermal,    MSR_IA32_PACKAGE_THERM_STATUS,  0,  1 },
	{ "pstate",          amd_pstates,        MSR_AMD_PSTATE_STATUS,          0,  3 },
	{ "boost_off",       amd_pstates,        MSR_AMD_HWCR,                  25,  1 },
};

/* What prefetch= writes: all bits together, 1 = off. */
static const struct {
	bool (*has)(const struct cpu *c);
	uint32_t msr, bits;
} prefetchers[] = {
	{ intel_big_core,     MSR_MISC_FEATURE_CONTROL, 0xf },
	{ intel_old_prefetch, MSR_IA32_MISC_ENABLE,     1 << 9 | 1 << 19 },
};
/* clang-format on */

enum {
	ROWS = sizeof(rows) / sizeof(rows[0]),
	PREFETCHERS = sizeof(prefetchers) / sizeof(prefetchers[0]),
};

static struct {
	uint32_t msr; /* 0: nothing to put back */
	uint64_t value;
} changed;

static bool read_row(const struct cpu *cpu, const struct row *r, uint64_t *v)
{
	if (!cpu_has(cpu, CPU_MSR) || !r->has(cpu) || !msr_read(r->msr, v))
		return false;
	*v = *v >> r->shift & (((uint64_t)1 << r->width) - 1);
	return true;
}

static void log_conditions(const struct cpu *cpu, const char *when)
{
	uint64_t v;

	log_begin("conditions");
	log_str("when", when);
	for (unsigned i = 0; i < ROWS; i++)
		if (read_row(cpu, &rows[i], &v))
			log_dec(rows[i].key, v);
	log_end();
}

static void set_prefetchers(const struct cpu *cpu, bool on)
{
	for (unsigned i = 0; i < PREFETCHERS; i++) {
		uint64_t v;

		if (!prefetchers[i].has(cpu) || !msr_read(prefetchers[i].msr, &v))
			continue;
		changed.msr = prefetchers[i].msr;
		changed.value = v;
		if (!msr_write(changed.msr,
		               on ? v & ~(uint64_t)prefetchers[i].bits : v | prefetchers[i].bits))
			log_warn("prefetch", on ? "on" : "off", "the register refuses the value");
		return;
	}
	log_warn("prefetch", on ? "on" : "off", "this CPU has no register for it that we know");
}

void conditions_begin(const struct cpu *cpu, enum args_prefetch prefetch)
{
	log_conditions(cpu, "start");
	if (prefetch == PREFETCH_AS_FOUND)
		return;
	set_prefetchers(cpu, prefetch == PREFETCH_ON);
	log_conditions(cpu, "set");
}

void conditions_end(const struct cpu *cpu)
{
	if (changed.msr)
		msr_write(changed.msr, changed.value);
	changed.msr = 0;
	log_conditions(cpu, "end");
}

/* One variable-range MTRR. */
struct range {
	uint64_t base, mask;
	uint8_t type;
};

static unsigned read_mtrrs(struct range *r, const struct cpu *cpu, uint8_t *fallback)
{
	uint64_t address = ((uint64_t)1 << (cpu->phys_bits ? cpu->phys_bits : 36)) - 1;
	uint64_t cap, v, mask;
	unsigned n = 0;

	if (!msr_read(MSR_MTRRCAP, &cap) || !msr_read(MSR_MTRR_DEF_TYPE, &v) || !(v & MTRR_ENABLE))
		return 0;
	*fallback = (uint8_t)v;
	for (uint32_t i = 0; i < (cap & 0xff) && n < MTRR_MAX; i++) {
		if (!msr_read(MSR_MTRR_PHYSBASE0 + 2 * i, &v) ||
		    !msr_read(MSR_MTRR_PHYSBASE0 + 2 * i + 1, &mask) || !(mask & MTRR_VALID))
			continue;
		r[n++] = (struct range){ .base = v & address & ~0xfffull,
			                 .mask = mask & address & ~0xfffull,
			                 .type = (uint8_t)v };
	}
	return n;
}

/* SDM volume 3, "MTRR Precedences": UC wins; WT and WB together are WT; the rest is undefined. */
static uint8_t type_at(const struct range *r, unsigned n, uint8_t fallback, uint64_t address)
{
	enum { UC = 0, WT = 4, WB = 6 };
	uint8_t type = 0xff;

	for (unsigned i = 0; i < n; i++) {
		if ((address & r[i].mask) != (r[i].base & r[i].mask))
			continue;
		if (r[i].type == UC)
			return UC;
		if (type == 0xff || (type == WB && r[i].type == WT))
			type = r[i].type;
	}
	return type == 0xff ? fallback : type;
}

static const char *type_name(uint8_t type)
{
	static const char *const names[] = { "uc", "wc", 0, 0, "wt", "wp", "wb" };

	return type < sizeof(names) / sizeof(names[0]) && names[type] ? names[type] : "unknown";
}

const char *conditions_memory_type(const struct cpu *cpu, uint64_t base, uint64_t size)
{
	enum {
		STEP = 1 << 16
	}; /* the arena's parts are larger than any range's granularity in use */
	struct range r[MTRR_MAX];
	uint8_t fallback = 0xff, first;
	unsigned n;

	if (!cpu_has(cpu, CPU_MTRR) || !cpu_has(cpu, CPU_MSR))
		return "unknown";
	n = read_mtrrs(r, cpu, &fallback);
	if (!n && fallback == 0xff)
		return "unknown";
	first = type_at(r, n, fallback, base);
	for (uint64_t at = base; at < base + size; at += STEP)
		if (type_at(r, n, fallback, at) != first)
			return "mixed";
	return type_name(first);
}
