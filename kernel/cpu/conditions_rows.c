/*
 * The registers that tell the conditions of a run, and which CPUs have them.
 *
 * Clocks. C1E: the models whose MSR_POWER_CTL Linux's intel_idle and edk2's CpuCommonFeaturesLib
 * write; AMD: Interrupt Pending Message, as Xen's disable_c1e() writes it. Nehalem's ratio in the
 * low byte of PERF_CTL: coreboot's _PSS of model_2065x; the voltage beside it: atom_get_val() of
 * Linux's intel_pstate. CPPC: Linux's msr-index.h.
 *
 * What microcode and firmware do about speculation changes timings as well: SDM volume 4 and
 * Intel's guidance on CPUID enumeration and architectural MSRs; AMD APM volume 2, "Speculation
 * Control MSRs"; LS_CFG: bsp_init_amd() of Linux. Each is read where CPUID, ARCH_CAPABILITIES or
 * the family announces it, and nothing of it is written.
 *
 * What a BIOS of its time may forget: init_amd_k6() and init_amd_k7() of Linux. The TLB flush
 * filter: BKDG of family 0Fh, HWCR; init_amd_k8() of Linux.
 */
#include <stddef.h>

#include "kernel/cpu/conditions_rows.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"

enum {
	MSR_SPEC_CTRL = 0x48,
	MSR_PLATFORM_INFO = 0xce,
	MSR_ARCH_CAPABILITIES = 0x10a,
	MSR_TSX_FORCE_ABORT = 0x10f,
	MSR_TSX_CTRL = 0x122,
	MSR_MCU_OPT_CTRL = 0x123,
	MSR_IA32_PERF_STATUS = 0x198,
	MSR_IA32_PERF_CTL = 0x199,
	MSR_IA32_CLOCK_MODULATION = 0x19a,
	MSR_IA32_THERM_STATUS = 0x19c,
	MSR_IA32_ENERGY_PERF_BIAS = 0x1b0,
	MSR_IA32_PACKAGE_THERM = 0x1b1,
	MSR_POWER_CTL = 0x1fc,
	MSR_IA32_PM_ENABLE = 0x770,
	MSR_IA32_HWP_CAPABILITIES = 0x771,
	MSR_IA32_HWP_REQUEST = 0x774,
	MSR_UARCH_MISC_CTL = 0x1b01,
	MSR_K6_WHCR = 0xc0000082,
	MSR_K7_CLK_CTL = 0xc001001b,
	MSR_AMD_HWCR = 0xc0010015,
	MSR_AMD_INT_PENDING = 0xc0010055,
	MSR_AMD_PSTATE_CTL = 0xc0010062,
	MSR_AMD_PSTATE_STATUS = 0xc0010063,
	MSR_AMD_VIRT_SPEC_CTRL = 0xc001011f,
	MSR_AMD_CPPC_CAP1 = 0xc00102b0,
	MSR_AMD_CPPC_ENABLE = 0xc00102b1,
	MSR_AMD_CPPC_REQ = 0xc00102b3,
	MSR_AMD_LS_CFG = 0xc0011020,
	MSR_AMD_DE_CFG = 0xc0011029,
	MSR_AMD_DE_CFG2 = 0xc00110e3,
};

/* Is this a model of family 6 that is in the list? */
static bool listed(const struct cpu *c, const uint8_t *list, unsigned n)
{
	while (c->family == 6 && n--)
		if (list[n] == c->model)
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
	       c->arch.version >= 3 && !listed(c, bonnell, sizeof(bonnell));
}

static bool intel_misc_enable(const struct cpu *c)
{
	return cpu_is_p6_from(c, 13) || (c->vendor == VENDOR_INTEL && c->family == 15);
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

	return speedstep(c) && listed(c, models, sizeof(models));
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

	return intel_nehalem(c) && !low_ratio(c) && !listed(c, with_voltage, sizeof(with_voltage));
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

/* --- what microcode and firmware do about speculation --- */

static uint32_t leaf7(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && c->max_leaf >= 7 ? x86_cpuid(7, 0).edx : 0;
}

/* Subleaf 2, EDX; subleaf 0 says how many there are. */
static uint32_t leaf7_2(const struct cpu *c)
{
	return leaf7(c) && x86_cpuid(7, 0).eax >= 2 ? x86_cpuid(7, 2).edx : 0;
}

static bool capability(const struct cpu *c, unsigned bit)
{
	return leaf7(c) & 1 << 29 && msr_bit(MSR_ARCH_CAPABILITIES, bit);
}

/*
 * Bits of CPUID and of ARCH_CAPABILITIES by the names of the MSRs' fields. A function each, because
 * rows have functions.
 */
#define LEAF7(name, bit)                                \
	static bool name(const struct cpu *c)           \
	{                                               \
		return leaf7(c) & (uint32_t)1 << (bit); \
	}
#define LEAF7_2(name, bit)                                \
	static bool name(const struct cpu *c)             \
	{                                                 \
		return leaf7_2(c) & (uint32_t)1 << (bit); \
	}
#define CAPABILITY(name, bit)                 \
	static bool name(const struct cpu *c) \
	{                                     \
		return capability(c, bit);    \
	}

LEAF7(srbds_ctrl, 9)
LEAF7(tsx_force_abort, 13)
LEAF7(intel_ibrs, 26)
LEAF7(intel_stibp, 27)
LEAF7(intel_ssbd, 31)
LEAF7_2(intel_psfd, 0)
LEAF7_2(ipred_ctrl, 1)
LEAF7_2(rrsba_ctrl, 2)
LEAF7_2(bhi_ctrl, 4)
CAPABILITY(tsx_ctrl, 7)
CAPABILITY(misc_ctl, 12)
CAPABILITY(fb_clear_ctrl, 18)
CAPABILITY(gds_ctrl, 25)

static uint32_t amd_speculation(const struct cpu *c)
{
	return amd(c) && c->max_ext >= 0x80000008 ? x86_cpuid(0x80000008, 0).ebx : 0;
}

static bool amd_ibrs(const struct cpu *c)
{
	return amd_speculation(c) & 1 << 14;
}

static bool amd_stibp(const struct cpu *c)
{
	return amd_speculation(c) & 1 << 15;
}

static bool amd_ssbd(const struct cpu *c)
{
	return amd_speculation(c) & 1 << 24;
}

static bool amd_virt_ssbd(const struct cpu *c)
{
	return !amd_ssbd(c) && amd_speculation(c) & 1 << 25;
}

static bool amd_psfd(const struct cpu *c)
{
	return amd_speculation(c) & 1 << 28;
}

/* Where no SPEC_CTRL does it, a bit of LS_CFG does, at a place that the family knows. */
static bool ls_cfg(const struct cpu *c, uint32_t family)
{
	return c->vendor == VENDOR_AMD && c->family == family && !amd_ssbd(c) &&
	       !amd_virt_ssbd(c) && !cpu_has(c, CPU_HYPERVISOR);
}

static bool ls_cfg_15h(const struct cpu *c)
{
	return ls_cfg(c, 0x15);
}

static bool ls_cfg_16h(const struct cpu *c)
{
	return ls_cfg(c, 0x16);
}

static bool ls_cfg_17h(const struct cpu *c)
{
	return ls_cfg(c, 0x17);
}

/*
 * Zen 2, not under a hypervisor: the remedies that Linux sets there (zenbleed, spectral_chicken).
 */
static bool zen2(const struct cpu *c)
{
	return c->vendor == VENDOR_AMD && c->family == 0x17 && !cpu_has(c, CPU_HYPERVISOR) &&
	       ((c->model >= 0x30 && c->model <= 0x4f) || (c->model >= 0x60 && c->model <= 0x7f) ||
	        c->model == 0x90 || c->model == 0x91 || (c->model >= 0xa0 && c->model <= 0xaf));
}

/* --- what BIOSes of their time forget --- */

/* The flush filter lets translations survive a write of CR3. From revision F on it is off. */
static bool k8(const struct cpu *c)
{
	return c->vendor == VENDOR_AMD && c->family == 15;
}

static bool k6(const struct cpu *c)
{
	return c->vendor == VENDOR_AMD && c->family == 5 && c->model >= 6 && c->model <= 13;
}

/* The limit of write allocation has moved with the K6-2 of stepping 8. */
static bool k6_early(const struct cpu *c)
{
	return k6(c) && (c->model < 8 || (c->model == 8 && c->stepping < 8));
}

static bool k6_late(const struct cpu *c)
{
	return k6(c) && !k6_early(c);
}

static bool k7(const struct cpu *c)
{
	return c->vendor == VENDOR_AMD && c->family == 6;
}

static bool k7_clk_ctl(const struct cpu *c)
{
	return k7(c) && (c->model > 8 || (c->model == 8 && c->stepping >= 1));
}

static bool k7_sse(const struct cpu *c)
{
	return k7(c) && c->model >= 6 && c->model <= 10;
}

/* clang-format off */
static const struct condition rows[] = {
	{ "smi",             intel_nehalem,      0, MSR_SMI_COUNT,              0, 32, AS_FOUND },
	{ "speedstep",       speedstep,          0, MSR_IA32_MISC_ENABLE,      16,  1, AS_FOUND },
	{ "turbo_off",       turbo,              0, MSR_IA32_MISC_ENABLE,      38,  1, STEADY_1 },
	{ "ratio",           low_ratio,          0, MSR_IA32_PERF_STATUS,       0,  8, AS_FOUND },
	{ "ratio",           high_ratio,         0, MSR_IA32_PERF_STATUS,       8,  8, AS_FOUND },
	{ "ratio_base",      low_ratio,          0, MSR_PLATFORM_INFO,          8,  8, AS_FOUND },
	{ "ratio_target",    low_target,         0, MSR_IA32_PERF_CTL,          0,  8, LIKE_ABOVE },
	{ "ratio_base",      high_base,          0, MSR_PLATFORM_INFO,          8,  8, AS_FOUND },
	{ "ratio_target",    high_target,        0, MSR_IA32_PERF_CTL,          8,  8, LIKE_ABOVE },
	{ "hwp",             hwp,                0, MSR_IA32_PM_ENABLE,         0,  1, AS_FOUND },
	{ "perf_package",    hwp_package,        0, MSR_IA32_HWP_REQUEST,      42,  1, STEADY_0 },
	{ "perf_guaranteed", hwp_on,             0, MSR_IA32_HWP_CAPABILITIES,  8,  8, AS_FOUND },
	{ "perf_max",        hwp_on,             0, MSR_IA32_HWP_REQUEST,       8,  8, LIKE_ABOVE },
	{ "perf_min",        hwp_on,             0, MSR_IA32_HWP_REQUEST,       0,  8, LIKE_ABOVE },
	{ "c1e",             intel_nehalem,      0, MSR_POWER_CTL,              1,  1, STEADY_0 },
	{ "energy_bias",     energy_bias,        0, MSR_IA32_ENERGY_PERF_BIAS,  0,  4, AS_FOUND },
	{ "duty_cycle",      clock_modulation,   0, MSR_IA32_CLOCK_MODULATION,  0,  5, STEADY_0 },
	{ "hot",             thermal,            0, MSR_IA32_THERM_STATUS,      0,  1, AS_FOUND },
	{ "was_hot",         thermal,            0, MSR_IA32_THERM_STATUS,      1,  1, AS_FOUND },
	{ "power_limited",   thermal,            0, MSR_IA32_THERM_STATUS,     10,  1, AS_FOUND },
	{ "package_hot",     package_thermal,    0, MSR_IA32_PACKAGE_THERM,     0,  1, AS_FOUND },
	{ "pstate",          amd_pstates,        0, MSR_AMD_PSTATE_STATUS,      0,  3, AS_FOUND },
	{ "pstate_target",   amd_pstates,        0, MSR_AMD_PSTATE_CTL,         0,  3, STEADY_0 },
	{ "boost_off",       amd_boost,          0, MSR_AMD_HWCR,              25,  1, STEADY_1 },
	{ "perf_guaranteed", cppc_on,            0, MSR_AMD_CPPC_CAP1,         16,  8, AS_FOUND },
	{ "perf_max",        cppc_on,            0, MSR_AMD_CPPC_REQ,           0,  8, LIKE_ABOVE },
	{ "perf_min",        cppc_on,            0, MSR_AMD_CPPC_REQ,           8,  8, LIKE_ABOVE },
	{ "c1e",             amd_c1e,            0, MSR_AMD_INT_PENDING,       27,  2, STEADY_0 },
	{ "lfence_waits",    amd_lfence,         0, MSR_AMD_DE_CFG,             1,  1, ALWAYS_1 },
	{ "fast_strings",    intel_misc_enable,  0, MSR_IA32_MISC_ENABLE,       0,  1, AS_FOUND },
	{ "rngds_off",       srbds_ctrl,         0, MSR_MCU_OPT_CTRL,           0,  1, AS_FOUND },
	{ "fb_clear_off",    fb_clear_ctrl,      0, MSR_MCU_OPT_CTRL,           3,  1, AS_FOUND },
	{ "gds_off",         gds_ctrl,           0, MSR_MCU_OPT_CTRL,           4,  1, AS_FOUND },
	{ "rtm_off",         tsx_ctrl,           0, MSR_TSX_CTRL,               0,  1, AS_FOUND },
	{ "rtm_hidden",      tsx_ctrl,           0, MSR_TSX_CTRL,               1,  1, AS_FOUND },
	{ "rtm_aborts",      tsx_force_abort,    0, MSR_TSX_FORCE_ABORT,        0,  1, AS_FOUND },
	{ "doitm",           misc_ctl,           0, MSR_UARCH_MISC_CTL,         0,  1, AS_FOUND },
	{ "ibrs",            intel_ibrs,         0, MSR_SPEC_CTRL,              0,  1, AS_FOUND },
	{ "stibp",           intel_stibp,        0, MSR_SPEC_CTRL,              1,  1, AS_FOUND },
	{ "ssbd",            intel_ssbd,         0, MSR_SPEC_CTRL,              2,  1, AS_FOUND },
	{ "ipred_off",       ipred_ctrl,         0, MSR_SPEC_CTRL,              3,  2, AS_FOUND },
	{ "rrsba_off",       rrsba_ctrl,         0, MSR_SPEC_CTRL,              5,  2, AS_FOUND },
	{ "psfd",            intel_psfd,         0, MSR_SPEC_CTRL,              7,  1, AS_FOUND },
	{ "bhi_off",         bhi_ctrl,           0, MSR_SPEC_CTRL,             10,  1, AS_FOUND },
	{ "ibrs",            amd_ibrs,           0, MSR_SPEC_CTRL,              0,  1, AS_FOUND },
	{ "stibp",           amd_stibp,          0, MSR_SPEC_CTRL,              1,  1, AS_FOUND },
	{ "ssbd",            amd_ssbd,           0, MSR_SPEC_CTRL,              2,  1, AS_FOUND },
	{ "psfd",            amd_psfd,           0, MSR_SPEC_CTRL,              7,  1, AS_FOUND },
	{ "ssbd",            amd_virt_ssbd,      0, MSR_AMD_VIRT_SPEC_CTRL,     2,  1, AS_FOUND },
	{ "ssbd",            ls_cfg_15h,         0, MSR_AMD_LS_CFG,            54,  1, AS_FOUND },
	{ "ssbd",            ls_cfg_16h,         0, MSR_AMD_LS_CFG,            33,  1, AS_FOUND },
	{ "ssbd",            ls_cfg_17h,         0, MSR_AMD_LS_CFG,            10,  1, AS_FOUND },
	{ "fp_backup_fix",   zen2,               0, MSR_AMD_DE_CFG,             9,  1, AS_FOUND },
	{ "branch_decode",   zen2,               0, MSR_AMD_DE_CFG2,            1,  1, AS_FOUND },
	{ "flush_filter_off", k8,                0, MSR_AMD_HWCR,               6,  1, AS_FOUND },
	{ "write_allocate",  k6_early,           0, MSR_K6_WHCR,                1,  7, AS_FOUND },
	{ "write_allocate",  k6_late,            0, MSR_K6_WHCR,               22, 10, AS_FOUND },
	{ "clk_ctl",         k7_clk_ctl,         0, MSR_K7_CLK_CTL,            20, 12, AS_FOUND },
	{ "sse_off",         k7_sse,             0, MSR_AMD_HWCR,              15,  1, AS_FOUND },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

const struct condition *condition_row(unsigned i)
{
	return i < ROWS ? &rows[i] : prefetcher_row(i - ROWS);
}
