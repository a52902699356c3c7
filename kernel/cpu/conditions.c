/*
 * Conditions of a run (kernel/cpu/conditions.h).
 *
 * C1E: the models whose MSR_POWER_CTL Linux's intel_idle and edk2's CpuCommonFeaturesLib write;
 * AMD: Interrupt Pending Message, as Xen's disable_c1e() writes it. Nehalem's ratio in the low byte
 * of PERF_CTL: coreboot's _PSS of model_2065x; the voltage beside it: atom_get_val() of Linux's
 * intel_pstate. CPPC: Linux's msr-index.h.
 */
#include <stddef.h>

#include "kernel/cpu/conditions.h"
#include "kernel/log.h"
#include "kernel/quirks.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"

enum {
	MSR_PLATFORM_INFO = 0xce,
	MSR_IA32_PERF_STATUS = 0x198,
	MSR_IA32_PERF_CTL = 0x199,
	MSR_IA32_CLOCK_MODULATION = 0x19a,
	MSR_IA32_THERM_STATUS = 0x19c,
	MSR_MISC_FEATURE_CONTROL = 0x1a4,
	MSR_IA32_ENERGY_PERF_BIAS = 0x1b0,
	MSR_IA32_PACKAGE_THERM = 0x1b1,
	MSR_POWER_CTL = 0x1fc,
	MSR_IA32_PM_ENABLE = 0x770,
	MSR_IA32_HWP_CAPABILITIES = 0x771,
	MSR_IA32_HWP_REQUEST = 0x774,
	MSR_AMD_HWCR = 0xc0010015,
	MSR_AMD_INT_PENDING = 0xc0010055,
	MSR_AMD_PSTATE_CTL = 0xc0010062,
	MSR_AMD_PSTATE_STATUS = 0xc0010063,
	MSR_AMD_CPPC_CAP1 = 0xc00102b0,
	MSR_AMD_CPPC_ENABLE = 0xc00102b1,
	MSR_AMD_CPPC_REQ = 0xc00102b3,
	MSR_AMD_DE_CFG = 0xc0011029,
	MSR_MTRRCAP = 0xfe,
	MSR_MTRR_PHYSBASE0 = 0x200,
	MSR_MTRR_DEF_TYPE = 0x2ff,
	MTRR_ENABLE = 1 << 11,
	MTRR_VALID = 1 << 11,
	MTRR_MAX = 16,
};

static bool listed(uint32_t model, const uint8_t *list, unsigned n)
{
	while (n--)
		if (list[n] == model)
			return true;
	return false;
}

/* One bit of a register that the caller knows to exist. */
static bool msr_bit(uint32_t msr, unsigned bit)
{
	uint64_t v;

	return msr_read(msr, &v) && v >> bit & 1;
}

/*
 * The functions that follow say which CPUs have a register. This one: Nehalem and later, and from
 * Silvermont on the Atoms.
 */
static bool intel_nehalem(const struct cpu *c)
{
	static const uint8_t bonnell[] = { 0x1c, 0x26, 0x27, 0x35, 0x36 };

	return c->vendor == VENDOR_INTEL && c->pmu_class == PMU_CLASS_ARCH &&
	       c->arch.version >= 3 && !listed(c->model, bonnell, sizeof(bonnell));
}

/* Nehalem and later without the Atoms, whose bits mean other things. */
static bool intel_big_core(const struct cpu *c)
{
	static const uint8_t atoms[] = { 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5c, 0x5d, 0x5f, 0x75,
		                         0x7a, 0x86, 0x96, 0x9c, 0xaf, 0xb6, 0xbe, 0xdd };

	return intel_nehalem(c) && c->core_type != 0x20 && !listed(c->model, atoms, sizeof(atoms));
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
	return c->vendor == VENDOR_INTEL && c->max_leaf >= 6 ? x86_cpuid(6, 0).eax : 0;
}

static bool thermal(const struct cpu *c)
{
	return leaf6(c) & 1;
}

static bool package_thermal(const struct cpu *c)
{
	return leaf6(c) & 1 << 6;
}

static bool hwp(const struct cpu *c)
{
	return leaf6(c) & 1 << 7;
}

/* The other HWP registers fault unless HWP is enabled, and only a reset disables HWP. */
static bool hwp_on(const struct cpu *c)
{
	return hwp(c) && msr_bit(MSR_IA32_PM_ENABLE, 0);
}

static bool hwp_package(const struct cpu *c)
{
	return hwp_on(c) && leaf6(c) & 1 << 11;
}

/* CPUID announces turbo only while turbo is not switched off. Core 2 calls turbo IDA. */
static bool turbo(const struct cpu *c)
{
	return intel_misc_enable(c) && (leaf6(c) & 1 << 1 || msr_bit(MSR_IA32_MISC_ENABLE, 38));
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

/*
 * Nehalem and Westmere have the ratio in bits 7:0 of PERF_CTL and PERF_STATUS, all others in 15:8.
 */
static bool low_ratio(const struct cpu *c)
{
	static const uint8_t models[] = { 0x1a, 0x1e, 0x1f, 0x25, 0x2c, 0x2e, 0x2f };

	return speedstep(c) && c->family == 6 && listed(c->model, models, sizeof(models));
}

static bool high_ratio(const struct cpu *c)
{
	return speedstep(c) && !low_ratio(c);
}

/*
 * CPUs before Nehalem have no register that names the base ratio, so their ratio stays as it is.
 * Silvermont and Airmont keep theirs as well: they take the voltage from bits 6:0 of PERF_CTL, and
 * the voltage of a lower ratio may be too low for the base ratio.
 */
static bool high_base(const struct cpu *c)
{
	static const uint8_t with_voltage[] = { 0x37, 0x4a, 0x4c, 0x4d, 0x5a };

	return intel_nehalem(c) && !low_ratio(c) &&
	       !listed(c->model, with_voltage, sizeof(with_voltage));
}

/* PERF_CTL decides the ratio: SpeedStep is on, and HWP, which overrules PERF_CTL, is off. */
static bool low_target(const struct cpu *c)
{
	return low_ratio(c) && msr_bit(MSR_IA32_MISC_ENABLE, 16);
}

static bool high_target(const struct cpu *c)
{
	return high_ratio(c) && msr_bit(MSR_IA32_MISC_ENABLE, 16) && !hwp_on(c);
}

static bool amd(const struct cpu *c)
{
	return c->vendor == VENDOR_AMD || c->vendor == VENDOR_HYGON;
}

static uint32_t amd_power(const struct cpu *c)
{
	return amd(c) && c->max_ext >= 0x80000007 ? x86_cpuid(0x80000007, 0).edx : 0;
}

static bool amd_pstates(const struct cpu *c)
{
	return amd_power(c) & 1 << 7;
}

static bool amd_boost(const struct cpu *c)
{
	return amd_power(c) & 1 << 9;
}

static bool amd_c1e(const struct cpu *c)
{
	return amd(c) &&
	       ((c->family == 15 && c->model >= 0x40) || c->family == 16 || c->family == 17);
}

/*
 * DE_CFG[1] makes LFENCE wait for everything older (AMD, "Software techniques for managing
 * speculation"; Linux sets it, too). Families 0FH and 11H do not have the bit: LFENCE waits there.
 * Nor is it needed where CPUID says so.
 */
static bool amd_lfence(const struct cpu *c)
{
	return amd(c) && c->family >= 0x10 && c->family <= 0x18 && c->family != 0x11 &&
	       !cpu_has(c, CPU_LFENCE_SERIALIZING);
}

static bool cppc_on(const struct cpu *c)
{
	return amd(c) && c->max_ext >= 0x80000008 && x86_cpuid(0x80000008, 0).ebx & 1 << 27 &&
	       msr_bit(MSR_AMD_CPPC_ENABLE, 0);
}

/* What a run wants of a field. */
enum wish {
	AS_FOUND,
	STEADY_0,
	STEADY_1,
	LIKE_ABOVE, /* what the row above holds */
	PREFETCH_BIT,
	ALWAYS_1, /* whatever clocks= says, but not under a hypervisor; QUIRK_LFENCE_WAITS */
};

/* One field of a register. */
struct row {
	const char *key;
	bool (*has)(const struct cpu *c);
	uint32_t msr;
	uint8_t shift, width;
	uint8_t wish;
};

/* clang-format off */
static const struct row rows[] = {
	{ "smi",             intel_nehalem,      MSR_SMI_COUNT,              0, 32, AS_FOUND },
	{ "speedstep",       speedstep,          MSR_IA32_MISC_ENABLE,      16,  1, AS_FOUND },
	{ "turbo_off",       turbo,              MSR_IA32_MISC_ENABLE,      38,  1, STEADY_1 },
	{ "ratio",           low_ratio,          MSR_IA32_PERF_STATUS,       0,  8, AS_FOUND },
	{ "ratio",           high_ratio,         MSR_IA32_PERF_STATUS,       8,  8, AS_FOUND },
	{ "ratio_base",      low_ratio,          MSR_PLATFORM_INFO,          8,  8, AS_FOUND },
	{ "ratio_target",    low_target,         MSR_IA32_PERF_CTL,          0,  8, LIKE_ABOVE },
	{ "ratio_base",      high_base,          MSR_PLATFORM_INFO,          8,  8, AS_FOUND },
	{ "ratio_target",    high_target,        MSR_IA32_PERF_CTL,          8,  8, LIKE_ABOVE },
	{ "hwp",             hwp,                MSR_IA32_PM_ENABLE,         0,  1, AS_FOUND },
	{ "perf_package",    hwp_package,        MSR_IA32_HWP_REQUEST,      42,  1, STEADY_0 },
	{ "perf_guaranteed", hwp_on,             MSR_IA32_HWP_CAPABILITIES,  8,  8, AS_FOUND },
	{ "perf_max",        hwp_on,             MSR_IA32_HWP_REQUEST,       8,  8, LIKE_ABOVE },
	{ "perf_min",        hwp_on,             MSR_IA32_HWP_REQUEST,       0,  8, LIKE_ABOVE },
	{ "c1e",             intel_nehalem,      MSR_POWER_CTL,              1,  1, STEADY_0 },
	{ "energy_bias",     energy_bias,        MSR_IA32_ENERGY_PERF_BIAS,  0,  4, AS_FOUND },
	{ "duty_cycle",      clock_modulation,   MSR_IA32_CLOCK_MODULATION,  0,  5, STEADY_0 },
	{ "l2_prefetch_off", intel_big_core,     MSR_MISC_FEATURE_CONTROL,   0,  1, PREFETCH_BIT },
	{ "l2_adjacent_off", intel_big_core,     MSR_MISC_FEATURE_CONTROL,   1,  1, PREFETCH_BIT },
	{ "l1_prefetch_off", intel_big_core,     MSR_MISC_FEATURE_CONTROL,   2,  1, PREFETCH_BIT },
	{ "l1_ip_off",       intel_big_core,     MSR_MISC_FEATURE_CONTROL,   3,  1, PREFETCH_BIT },
	{ "prefetch_off",    intel_old_prefetch, MSR_IA32_MISC_ENABLE,       9,  1, PREFETCH_BIT },
	{ "adjacent_off",    intel_old_prefetch, MSR_IA32_MISC_ENABLE,      19,  1, PREFETCH_BIT },
	{ "hot",             thermal,            MSR_IA32_THERM_STATUS,      0,  1, AS_FOUND },
	{ "was_hot",         thermal,            MSR_IA32_THERM_STATUS,      1,  1, AS_FOUND },
	{ "power_limited",   thermal,            MSR_IA32_THERM_STATUS,     10,  1, AS_FOUND },
	{ "package_hot",     package_thermal,    MSR_IA32_PACKAGE_THERM,     0,  1, AS_FOUND },
	{ "pstate",          amd_pstates,        MSR_AMD_PSTATE_STATUS,      0,  3, AS_FOUND },
	{ "pstate_target",   amd_pstates,        MSR_AMD_PSTATE_CTL,         0,  3, STEADY_0 },
	{ "boost_off",       amd_boost,          MSR_AMD_HWCR,              25,  1, STEADY_1 },
	{ "perf_guaranteed", cppc_on,            MSR_AMD_CPPC_CAP1,         16,  8, AS_FOUND },
	{ "perf_max",        cppc_on,            MSR_AMD_CPPC_REQ,           0,  8, LIKE_ABOVE },
	{ "perf_min",        cppc_on,            MSR_AMD_CPPC_REQ,           8,  8, LIKE_ABOVE },
	{ "c1e",             amd_c1e,            MSR_AMD_INT_PENDING,       27,  2, STEADY_0 },
	{ "lfence_waits",    amd_lfence,         MSR_AMD_DE_CFG,             1,  1, ALWAYS_1 },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* What registers held before each change. The last change is put back first. */
static struct {
	uint32_t msr;
	uint64_t value, set; /* before, and after all changes */
} changed[ROWS];
static unsigned nchanged;

/* No field crosses the middle of its register. */
union value {
	uint64_t all;
	uint32_t half[2];
};

static uint32_t mask_of(const struct row *r)
{
	return UINT32_MAX >> (32 - r->width);
}

static bool read_field(const struct row *r, uint32_t *field)
{
	union value v;

	if (!msr_read(r->msr, &v.all))
		return false;
	*field = v.half[r->shift / 32] >> r->shift % 32 & mask_of(r);
	return true;
}

static bool read_row(const struct cpu *cpu, const struct row *r, uint32_t *field)
{
	return cpu_has(cpu, CPU_MSR) && r->has(cpu) && read_field(r, field);
}

static void log_conditions(const struct cpu *cpu, const char *when, const char *clocks,
                           const char *kept)
{
	uint32_t v;

	log_begin("conditions");
	log_str("when", when);
	if (clocks)
		log_str("clocks", clocks);
	if (kept)
		log_str("firmware", kept);
	for (unsigned i = 0; i < ROWS; i++)
		if (read_row(cpu, &rows[i], &v))
			log_dec(rows[i].key, v);
	log_end();
}

/*
 * The register has just been read. It is read back without asking CPUID, which may no longer
 * announce it.
 */
static void set_row(const struct row *r, uint32_t want)
{
	union value v;
	uint32_t *half = &v.half[r->shift / 32], now;

	msr_read(r->msr, &v.all);
	changed[nchanged].msr = r->msr;
	changed[nchanged++].value = v.all;
	*half = (*half & ~(mask_of(r) << r->shift % 32)) | want << r->shift % 32;
	if (!msr_write(r->msr, v.all))
		log_warn("conditions", r->key, "the register refuses the value");
	else if (!read_field(r, &now) || now != want)
		log_warn("conditions", r->key, "the register does not keep the value");
}

/* Gives the value to set; false if the field stays. `above` is the row above's value, 0 if none. */
static bool wanted(const struct row *r, bool steady, enum args_prefetch prefetch, uint32_t above,
                   uint32_t *want)
{
	if (r->wish == PREFETCH_BIT) {
		*want = prefetch == PREFETCH_OFF;
		return prefetch != PREFETCH_AS_FOUND;
	}
	*want = r->wish == LIKE_ABOVE ? above : r->wish == STEADY_1;
	return steady && r->wish != AS_FOUND && r->wish != ALWAYS_1 &&
	       (r->wish != LIKE_ABOVE || above);
}

static void set_rows(const struct cpu *cpu, bool steady, enum args_prefetch prefetch)
{
	bool prefetchers = false;
	uint32_t above = 0;

	for (unsigned i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		uint32_t v, want;

		if (!read_row(cpu, r, &v)) {
			above = 0;
			continue;
		}
		prefetchers |= r->wish == PREFETCH_BIT;
		if (!wanted(r, steady, prefetch, above, &want))
			want = v;
		if (r->wish == ALWAYS_1 && !v && !cpu_has(cpu, CPU_HYPERVISOR) &&
		    quirk(QUIRK_LFENCE_WAITS, true))
			want = 1;
		if (want != v)
			set_row(r, want);
		above = want;
	}
	if (prefetch != PREFETCH_AS_FOUND && !prefetchers)
		log_warn("prefetch", prefetch == PREFETCH_ON ? "on" : "off",
		         "this CPU has no register for it that we know");
}

void conditions_begin(const struct cpu *cpu, enum args_clocks clocks, enum args_prefetch prefetch,
                      const char *kept)
{
	bool guest = cpu_has(cpu, CPU_HYPERVISOR), steady = clocks == CLOCKS_STEADY && !guest;

	log_conditions(cpu, "start", steady ? "steady" : guest ? "hypervisor" : "keep", kept);
	set_rows(cpu, steady, prefetch);
	for (unsigned i = 0; i < nchanged; i++)
		msr_read(changed[i].msr, &changed[i].set);
	if (nchanged)
		log_conditions(cpu, "set", NULL, NULL);
}

void conditions_follow(bool back)
{
	for (unsigned i = 0; i < nchanged; i++) {
		uint64_t bits = changed[i].value ^ changed[i].set, v;
		uint64_t want = back ? changed[i].value : changed[i].set;

		if (msr_read(changed[i].msr, &v))
			msr_write(changed[i].msr, (v & ~bits) | (want & bits));
	}
}

void conditions_restore(void)
{
	while (nchanged) {
		nchanged--;
		msr_write(changed[nchanged].msr, changed[nchanged].value);
	}
}

void conditions_end(const struct cpu *cpu)
{
	conditions_restore();
	log_conditions(cpu, "end", NULL, NULL);
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
