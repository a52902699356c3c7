/*
 * sim/cpu/msr.c - model-specific registers beside those of the PMU (SDM volume 4; AMD manual
 * volume 2).
 *
 * Strict: a register that the model lacks, and a bit that its manual reserves, is #GP.
 */
#include "sim/cpu/msr.h"

#include <string.h>

#include "sim/cpu/apic.h"
#include "sim/cpu/cpu.h"
#include "sim/cpu/cpuid.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/unicorn.h"
#include "sim/cpu/unicorn_mmu.h"
#include "sim/cpu/guest.h"
#include "sim/model/models.h"

enum row_kind {
	R_STORE,  /* holds what is written to the writable bits */
	R_FIXED,  /* read-only: `reset` */
	R_ENGINE, /* acts inside the execution engine */
	R_TSC,
	R_TSC_ADJUST,
	R_SMI_COUNT,
	R_MPERF,
	R_MPERF_RO,
	R_PLATFORM_INFO,
	R_TURBO,
	R_PERF_STATUS,
	R_APIC_BASE,
	R_DEADLINE,
	R_EFER,
	R_STATUS, /* bits are cleared by writing 0 to them */
	R_EBC,
	R_FSB,
	R_MISC_ENABLE, /* bit 38 only where there is turbo to switch off */
	R_PM_ENABLE,   /* bit 0 stays once it is set */
	R_HWP_CAPABILITIES,
	R_HWP_REQUEST,
	R_PSTATE_STATUS,
	R_PREFETCHERS, /* a bit for each that the model has */
};

/* CPUID bit that must be there as well. */
enum need {
	N_NONE,
	N_TSC,
	N_SYSCALL,
	N_LM,
	N_RDTSCP,
	N_APIC,
	N_X2APIC,
	N_MCA,
	N_MTRR,
	N_PAT,
	N_HWP,
};

struct msr_row {
	uint32_t first, last;
	uint8_t kind; /* enum row_kind */
	uint8_t slot; /* enum msr_slot of `first` */
	uint8_t need;
	uint32_t groups; /* 0: every model */
	uint64_t writable, reset;
};

#define ALL UINT64_MAX

/* clang-format off */
static const struct msr_row rows[] = {
	/* P5_MC_ADDR, P5_MC_TYPE */
	{ 0x00, 0x01, R_FIXED, M_NONE, N_NONE, G_P5 | G_P6, 0, 0 },
	{ 0x0e, 0x0e, R_STORE, M_TR12, N_NONE, G_P5, 0x3ff, 0 },
	{ 0x10, 0x10, R_TSC, M_NONE, N_TSC, 0, ALL, 0 },
	/* PLATFORM_ID */
	{ 0x17, 0x17, R_FIXED, M_NONE, N_NONE, G_P6, 0, 0 },
	{ 0x1b, 0x1b, R_APIC_BASE, M_NONE, N_APIC, G_P6, ALL, 0 },
	{ 0x2a, 0x2a, R_STORE, M_EBL_CR_POWERON, N_NONE, G_P6, 0xffffffff, 0 },
	{ 0x2c, 0x2c, R_EBC, M_NONE, N_NONE, G_NETBURST, 0, 0 },
	/* homeless prefetch 14, LLC prefetch 42 (PerfSpect) */
	{ 0x6d, 0x6d, R_STORE, M_PREFETCH_LLC, N_NONE, G_GOLDEN_X, 1ull << 42 | 1 << 14, 0 },
	{ 0x34, 0x34, R_SMI_COUNT, M_NONE, N_NONE, G_NEHALEM, 0, 0 },
	/* FEATURE_CONTROL, locked */
	{ 0x3a, 0x3a, R_FIXED, M_NONE, N_NONE, G_NEHALEM, 0, 1 },
	{ 0x3b, 0x3b, R_TSC_ADJUST, M_NONE, N_NONE, G_TSC_ADJUST, ALL, 0 },
	{ 0x8b, 0x8b, R_STORE, M_BIOS_SIGN, N_NONE, G_P6, ALL, 0x100000000 },
	{ 0xcd, 0xcd, R_FSB, M_NONE, N_NONE, G_FSB, 0, 0 },
	{ 0xce, 0xce, R_PLATFORM_INFO, M_NONE, N_NONE, G_NEHALEM, 0, 0 },
	{ 0xe7, 0xe8, R_MPERF, M_NONE, N_NONE, G_MPERF, ALL, 0 },
	/* MTRRCAP: 8 variable, fixed, WC */
	{ 0xfe, 0xfe, R_FIXED, M_NONE, N_MTRR, 0, 0, 0x508 },
	{ 0x174, 0x176, R_ENGINE, M_NONE, N_NONE, G_SYSENTER, ALL, 0 },
	/* MCG_CAP: no banks */
	{ 0x179, 0x179, R_FIXED, M_NONE, N_MCA, 0, 0, 0 },
	{ 0x17a, 0x17a, R_STORE, M_MCG_STATUS, N_MCA, 0, 7, 0 },
	{ 0x198, 0x198, R_PERF_STATUS, M_NONE, N_NONE, G_PERF_CTL, 0, 0 },
	{ 0x199, 0x199, R_STORE, M_PERF_CTL, N_NONE, G_PERF_CTL, 0x10000ffff, 0 },
	{ 0x19a, 0x19a, R_STORE, M_CLOCK_MODULATION, N_NONE, G_PERF_CTL, 0x1f, 0 },
	{ 0x19b, 0x19b, R_STORE, M_THERM_INTERRUPT, N_NONE, G_PERF_CTL, 0x1ffff1f, 0 },
	{ 0x19c, 0x19c, R_STATUS, M_THERM_STATUS, N_NONE, G_PERF_CTL, 0xaaa, 0x88000000 },
	{ 0x1a0, 0x1a0, R_MISC_ENABLE, M_MISC_ENABLE, N_NONE, G_MISC_ENABLE, 0x4407dfd6b9,
		0x850089 },
	/* TEMPERATURE_TARGET */
	{ 0x1a2, 0x1a2, R_FIXED, M_NONE, N_NONE, G_NEHALEM, 0, 0x640000 },
	{ 0x1a4, 0x1a4, R_PREFETCHERS, M_MISC_FEATURES, N_NONE, G_NEHALEM, 0, 0 },
	{ 0x1ad, 0x1ad, R_TURBO, M_NONE, N_NONE, G_NEHALEM, 0, 0 },
	{ 0x1b0, 0x1b0, R_STORE, M_ENERGY_BIAS, N_NONE, G_NEHALEM, 0xf, 6 },
	{ 0x1b1, 0x1b1, R_STATUS, M_PACKAGE_THERM, N_NONE, G_TSC_DEADLINE, 0xaaa, 0x880000 },
	/* C1E on, as a Kaby Lake's firmware left it */
	{ 0x1fc, 0x1fc, R_STORE, M_POWER_CTL, N_NONE, G_NEHALEM, 0xffffffff, 0x24005f },
	{ 0x1d9, 0x1d9, R_STORE, M_DEBUGCTL, N_NONE, G_P6 | G_AMD, 0x7f, 0 },
	/* last branch and interrupt */
	{ 0x1db, 0x1de, R_FIXED, M_NONE, N_NONE, G_AMD, 0, 0 },
	{ 0x200, 0x20f, R_STORE, M_MTRR, N_MTRR, 0, 0xffffffffff, 0 },
	{ 0x250, 0x250, R_STORE, M_MTRR_FIX, N_MTRR, 0, ALL, 0x0606060606060606 },
	{ 0x258, 0x259, R_STORE, M_MTRR_FIX + 1, N_MTRR, 0, ALL, 0 },
	{ 0x268, 0x26f, R_STORE, M_MTRR_FIX + 3, N_MTRR, 0, ALL, 0 },
	{ 0x277, 0x277, R_STORE, M_PAT, N_PAT, 0, 0x0707070707070707, 0x0007040600070406 },
	{ 0x2ff, 0x2ff, R_STORE, M_MTRR_DEF, N_MTRR, 0, 0xcff, 0xc06 },
	{ 0x64e, 0x64e, R_MPERF, M_NONE, N_NONE, G_SKYLAKE, 0, 0 },                      /* PPERF */
	{ 0x6e0, 0x6e0, R_DEADLINE, M_NONE, N_APIC, G_TSC_DEADLINE, ALL, 0 },
	{ 0x770, 0x770, R_PM_ENABLE, M_PM_ENABLE, N_HWP, 0, 1, 0 },
	{ 0x771, 0x771, R_HWP_CAPABILITIES, M_NONE, N_HWP, 0, 0, 0 },
	{ 0x774, 0x774, R_HWP_REQUEST, M_HWP_REQUEST, N_HWP, 0, 0x3ffffffffff, 0x8000ff01 },
	/* "Hardware Prefetch Controls for Intel E-Cores", 4.2 and 4.3 */
	{ 0x1320, 0x1320, R_STORE, M_PREFETCH_1320, N_NONE, G_CRESTMONT, ALL, 0 },
	{ 0x1321, 0x1321, R_STORE, M_PREFETCH_1320 + 1, N_NONE, G_CRESTMONT, ALL, 0 },
	{ 0xc0000080, 0xc0000080, R_EFER, M_NONE, N_SYSCALL, 0, ALL, 0 },
	{ 0xc0000081, 0xc0000081, R_ENGINE, M_NONE, N_SYSCALL, 0, ALL, 0 },              /* STAR */
	/* LSTAR, CSTAR, FMASK */
	{ 0xc0000082, 0xc0000084, R_ENGINE, M_NONE, N_LM, 0, ALL, 0 },
	/* FS, GS, kernel GS base */
	{ 0xc0000100, 0xc0000102, R_ENGINE, M_NONE, N_LM, 0, ALL, 0 },
	{ 0xc0000103, 0xc0000103, R_STORE, M_TSC_AUX, N_RDTSCP, 0, 0xffffffff, 0 },
	{ 0xc00000e7, 0xc00000e8, R_MPERF_RO, M_NONE, N_NONE, G_ZEN, 0, 0 },
	{ 0xc0010010, 0xc0010010, R_STORE, M_SYSCFG, N_NONE, G_AMD, 0xfff0000, 0 },
	{ 0xc0010015, 0xc0010015, R_STORE, M_HWCR, N_NONE, G_AMD, 0xffffffff, 0 },
	{ 0xc001001f, 0xc001001f, R_STORE, M_NB_CFG, N_NONE, G_AMD, ALL, 0 },
	/* P-state limit */
	{ 0xc0010061, 0xc0010061, R_FIXED, M_NONE, N_NONE, G_ZEN, 0, 0 },
	/* firmware left it in P1 */
	{ 0xc0010062, 0xc0010062, R_STORE, M_PSTATE, N_NONE, G_ZEN, 7, 1 },
	{ 0xc0010063, 0xc0010063, R_PSTATE_STATUS, M_NONE, N_NONE, G_ZEN, 0, 0 },
	{ 0xc0010064, 0xc001006b, R_STORE, M_PSTATE_DEF, N_NONE, G_ZEN, ALL, 0 },
	{ 0xc0011020, 0xc0011022, R_STORE, M_LS_CFG, N_NONE, G_AMD, ALL, 0 },
	/* LFENCE serializes */
	{ 0xc0011029, 0xc0011029, R_STORE, M_DE_CFG, N_NONE, G_ZEN, ALL, 2 },
};
/* clang-format on */

enum { EAX, EBX, ECX, EDX };

/* Indexed by enum need. */
static const struct {
	uint32_t leaf;
	uint8_t reg, bit;
} needs[] = {
	[N_TSC] = { 1, EDX, 4 },          [N_SYSCALL] = { 0x80000001, EDX, 11 },
	[N_LM] = { 0x80000001, EDX, 29 }, [N_RDTSCP] = { 0x80000001, EDX, 27 },
	[N_APIC] = { 1, EDX, 9 },         [N_X2APIC] = { 1, ECX, 21 },
	[N_MCA] = { 1, EDX, 14 },         [N_MTRR] = { 1, EDX, 12 },
	[N_PAT] = { 1, EDX, 16 },         [N_HWP] = { 6, EAX, 7 },
};

static bool present(const struct model *m, const struct msr_row *row)
{
	if (row->groups && !(row->groups & m->groups))
		return false;
	if (row->need == N_SYSCALL && row->kind == R_EFER &&
	    cpuid_bit(m, 0x80000001, 0, EDX, 29)) /* Intel: SYSCALL only in 64-bit mode */
		return true;
	if (row->need == N_SYSCALL && cpuid_bit(m, 0x80000001, 0, EDX, 29))
		return true;
	return row->need == N_NONE ||
	       cpuid_bit(m, needs[row->need].leaf, 0, needs[row->need].reg, needs[row->need].bit);
}

static const struct msr_row *find(const struct model *m, uint32_t msr)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (msr >= rows[i].first && msr <= rows[i].last)
			return present(m, &rows[i]) ? &rows[i] : NULL;
	return NULL;
}

static bool has_turbo(const struct model *m)
{
	return cpuid_bit(m, 6, 0, EAX, 1);
}

/* PERF_CTL and PERF_STATUS: Nehalem and Westmere have the ratio in bits 7:0. */
static unsigned ratio_shift(const struct model *m)
{
	return m->groups & G_NEHALEM && !(m->groups & G_TSC_DEADLINE) ? 0 : 8;
}

enum { LOWEST_RATIO = 8, TURBO_RATIOS = 4 };

static unsigned highest_ratio(const struct model *m)
{
	return m->ratio + (has_turbo(m) ? TURBO_RATIOS : 0);
}

void msr_reset(struct cpu *cpu)
{
	const struct model *m = cpu->model;
	const struct faults *f = &cpu->pc->opt.faults;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (uint32_t n = 0; rows[i].slot && n <= rows[i].last - rows[i].first; n++)
			cpu->msr[rows[i].slot + n] = rows[i].reset;
	/* P6 and NetBurst: ratio and bus clock code, as firmware finds them. */
	cpu->msr[M_EBL_CR_POWERON] = (uint64_t)(m->ratio & 15) << 22;
	/*
	 * Nehalem and later come out of reset at their lowest ratio, and nobody has asked for
	 * more.
	 */
	cpu->msr[M_PERF_CTL] = (m->groups & G_NEHALEM ? LOWEST_RATIO : m->ratio) << ratio_shift(m);
	cpu->msr[M_PM_ENABLE] = (m->flags & MODEL_HWP) != 0;
	/* Zen: the P0 state is 25 MHz * FID * 8 / DID; the part's, whatever --clock says. */
	cpu->msr[M_PSTATE_DEF] = 1ull << 63 | 8 << 8 | m->ratio * m->bus_mhz / 25;
	if (f->cpus == CPUS_MTRR && cpu->id && cpu->id == cpu->pc->opt.cpus - 1)
		cpu->msr[M_MTRR_DEF] = 0;
	for (unsigned i = 0; i < cpu->pc->opt.msr_count; i++)
		cpu->more_msr[i] = cpu->pc->opt.msr[i].value;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].slot && rows[i].first == f->msr && f->msr_fault >= MSR_FAULT_ZERO)
			cpu->msr[rows[i].slot] = 0;
}

static uint64_t bus_code(const struct model *m)
{
	switch (m->bus_mhz) {
	case 266:
		return 0;
	case 133:
		return 1;
	case 200:
		return 2;
	case 166:
		return 3;
	case 333:
		return 4;
	default:
		return m->groups & G_NETBURST ? 0 : 5;
	}
}

static uint64_t read_row(struct cpu *cpu, const struct msr_row *row, uint32_t msr)
{
	const struct model *m = cpu->model;
	uint64_t value = 0;

	switch (row->kind) {
	case R_STORE:
	case R_STATUS:
	case R_MISC_ENABLE:
	case R_PM_ENABLE:
	case R_HWP_REQUEST:
	case R_PREFETCHERS:
		return cpu->msr[row->slot + (msr - row->first)];
	case R_FIXED:
		return row->reset;
	case R_ENGINE:
	case R_EFER:
		unicorn_msr_read(cpu, msr, &value);
		return value;
	case R_TSC:
		return tsc_now(cpu);
	case R_TSC_ADJUST:
		return cpu->tsc_offset;
	case R_SMI_COUNT:
		return cpu->faults.smi_count;
	case R_MPERF:
	case R_MPERF_RO:
		return cpu->clock - cpu->halt.clocks;
	case R_PLATFORM_INFO:
		return (uint64_t)m->ratio << 8 | (uint64_t)LOWEST_RATIO << 40;
	case R_TURBO:
		return highest_ratio(m) * 0x01010101ull;
	case R_PERF_STATUS: /* what the clocks of the model are, whatever was asked for */
		return (uint64_t)m->ratio << ratio_shift(m);
	case R_HWP_CAPABILITIES:
		return (uint64_t)LOWEST_RATIO << 24 | LOWEST_RATIO << 16 | m->ratio << 8 |
		       highest_ratio(m);
	case R_PSTATE_STATUS:
		return cpu->msr[M_PSTATE];
	case R_APIC_BASE:
		return cpu->apic.base;
	case R_DEADLINE:
		return cpu->apic.deadline;
	case R_EBC:
		return (uint64_t)m->ratio << 24 | bus_code(m) << 16;
	case R_FSB:
		return bus_code(m);
	default:
		return 0;
	}
}

/* HWP's registers are #GP until PM_ENABLE is set (SDM 3B, "Enabling HWP"). */
static const struct msr_row *find_enabled(const struct cpu *cpu, uint32_t msr)
{
	const struct msr_row *row = find(cpu->model, msr);
	bool hwp = row && (row->kind == R_HWP_CAPABILITIES || row->kind == R_HWP_REQUEST);

	return hwp && !(cpu->msr[M_PM_ENABLE] & 1) ? NULL : row;
}

static enum msr_fault ordered_fault(const struct cpu *cpu, uint32_t msr)
{
	const struct faults *f = &cpu->pc->opt.faults;

	return f->msr == msr ? f->msr_fault : MSR_FAULT_NONE;
}

/* Its place among the registers of --msr; -1: it is none of them. */
static int find_more(const struct cpu *cpu, uint32_t msr)
{
	for (unsigned i = 0; i < cpu->pc->opt.msr_count; i++)
		if (cpu->pc->opt.msr[i].msr == msr)
			return (int)i;
	return -1;
}

bool msr_read(struct cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct msr_row *row;
	int more = find_more(cpu, msr);

	if (ordered_fault(cpu, msr) == MSR_FAULT_GP)
		return false;
	if (more >= 0) {
		*value = cpu->more_msr[more];
		return true;
	}
	if (guest_msr_read(cpu, msr, value))
		return true;
	switch (sim_pmu_rdmsr(cpu->pmu, msr, value)) {
	case MSR_OK:
		return true;
	case MSR_GP:
		return false;
	default:
		break;
	}
	if (msr >= 0x800 && msr < 0x900)
		return apic_msr_read(cpu, msr, value);
	row = find_enabled(cpu, msr);
	if (!row)
		return false;
	*value = read_row(cpu, row, msr);
	return true;
}

/* LMA is not for writing and ignored. */
static bool write_efer(struct cpu *cpu, uint64_t value)
{
	uint64_t allowed = 1 | 1 << 10;

	if (cpuid_bit(cpu->model, 0x80000001, 0, EDX, 29))
		allowed |= 1 << 8;
	if (cpuid_bit(cpu->model, 0x80000001, 0, EDX, 20))
		allowed |= 1 << 11;
	if (value & ~allowed || (cpu->paging && (value ^ cpu->efer) & 1 << 8))
		return false;
	unicorn_set_efer(cpu, value & ~(1ull << 10));
	if (cpu->paging && (value ^ cpu->efer) & 1 << 11)
		unicorn_mmu_set_tables(cpu, cpu->cr3); /* entries of the engine's TLB know NX */
	return true;
}

/* The time-stamp counter of P5 takes 64 bits, that of P6 loses the upper half (SDM, "TSC"). */
static void write_tsc(struct cpu *cpu, uint64_t value)
{
	const struct model *m = cpu->model;

	if (m->groups & G_P6 && !(m->groups & G_MISC_ENABLE) && m->vendor == VENDOR_INTEL)
		value &= 0xffffffff;
	cpu->tsc_offset = value - cpu->clock;
}

/* Fields whose feature CPUID does not announce are reserved (SDM 3B, "IA32_HWP_REQUEST MSR"). */
static uint64_t hwp_request_reserved(const struct model *m)
{
	return (cpuid_bit(m, 6, 0, EAX, 9) ? 0 : 0x3ffull << 32) |
	       (cpuid_bit(m, 6, 0, EAX, 10) ? 0 : 0xffull << 24);
}

static uint64_t reserved_bits(const struct model *m, const struct msr_row *row)
{
	if (row->kind == R_MISC_ENABLE)
		return (~row->writable & ~(m->groups & G_CORE2 ? 5ull << 37 : 0)) |
		       (has_turbo(m) ? 0 : 1ull << 38);
	if (row->kind == R_PREFETCHERS)
		return ~(uint64_t)(m->prefetchers ? m->prefetchers : 0xf);
	if (row->kind == R_HWP_REQUEST)
		return (~row->writable & ~(cpuid_bit(m, 6, 0, EAX, 11) ? 1ull << 42 : 0)) |
		       hwp_request_reserved(m);
	return row->kind == R_STATUS ? 0 : ~row->writable;
}

static bool canonical(uint64_t linear)
{
	return (uint64_t)((int64_t)(linear << 16) >> 16) == linear;
}

/* SYSENTER_ESP, SYSENTER_EIP, LSTAR, CSTAR, bases of FS and GS: #GP unless canonical. */
static bool holds_address(uint32_t msr)
{
	return msr == 0x175 || msr == 0x176 || msr == 0xc0000082 || msr == 0xc0000083 ||
	       (msr >= 0xc0000100 && msr <= 0xc0000102);
}

static bool write_row(struct cpu *cpu, const struct msr_row *row, uint32_t msr, uint64_t value)
{
	uint64_t *slot = &cpu->msr[row->slot + (msr - row->first)];

	if (value & reserved_bits(cpu->model, row))
		return false;
	switch (row->kind) {
	case R_STORE:
	case R_MISC_ENABLE:
	case R_HWP_REQUEST:
	case R_PREFETCHERS:
		*slot = value;
		return true;
	case R_PM_ENABLE:
		*slot |= value;
		return true;
	case R_STATUS:
		*slot = (*slot & ~row->writable) | (*slot & value & row->writable);
		return true;
	case R_ENGINE:
		return (!holds_address(msr) || canonical(value)) &&
		       unicorn_msr_write(cpu, msr, value);
	case R_EFER:
		return write_efer(cpu, value);
	case R_TSC:
		write_tsc(cpu, value);
		return true;
	case R_TSC_ADJUST:
		cpu->tsc_offset = value;
		return true;
	case R_MPERF:
		return row->writable; /* a write would have to be kept apart: accepted, ignored */
	case R_APIC_BASE:
		return apic_base_write(cpu, value);
	case R_DEADLINE:
		apic_deadline_write(cpu, value);
		return true;
	default:
		return false;
	}
}

/*
 * Firmware that takes its register back soon after the guest has written the register: the SMI
 * then strikes at the same place whatever the code before it was. Every seventh write only, so that
 * the guest can have an attempt without an SMI.
 */
static void order_smi(struct cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct faults *f = &cpu->pc->opt.faults;

	if (!f->smi_after || msr != f->smi_msr || !value || ++cpu->faults.smi_writes % 7)
		return;
	cpu->faults.smi_due = cpu->retired + f->smi_after;
	if (cpu->faults.smi_due < cpu->faults.next)
		cpu->faults.next = cpu->faults.smi_due;
}

bool msr_write(struct cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct msr_row *row;
	int more = find_more(cpu, msr);
	bool ok;

	order_smi(cpu, msr, value);
	switch (ordered_fault(cpu, msr)) {
	case MSR_FAULT_GP:
	case MSR_FAULT_LOCKED:
		return false;
	case MSR_FAULT_DEAF:
	case MSR_FAULT_DEAD:
		return true;
	case MSR_FAULT_NONE:
	case MSR_FAULT_ZERO:
		break;
	}
	if (more >= 0) {
		if ((value ^ cpu->more_msr[more]) & ~cpu->pc->opt.msr[more].writable)
			return false;
		cpu->more_msr[more] = value;
		return true;
	}
	if (guest_msr_write(cpu, msr, value, &ok))
		return ok;
	switch (sim_pmu_wrmsr(cpu->pmu, msr, value)) {
	case MSR_OK:
		return true;
	case MSR_GP:
		return false;
	default:
		break;
	}
	if (msr >= 0x800 && msr < 0x900)
		return apic_msr_write(cpu, msr, value);
	row = find_enabled(cpu, msr);
	return row && write_row(cpu, row, msr, value);
}

void msr_print_changed(struct cpu *cpu, FILE *out)
{
	static struct cpu fresh;

	fresh.pc = cpu->pc;
	fresh.model = cpu->model;
	msr_reset(&fresh);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (uint32_t n = 0; rows[i].slot && n <= rows[i].last - rows[i].first; n++) {
			uint64_t then = fresh.msr[rows[i].slot + n], now;

			if (msr_read(cpu, rows[i].first + n, &now) && now != then)
				fprintf(out, "msr %#x is %#llx, was %#llx\n", rows[i].first + n,
				        (unsigned long long)now, (unsigned long long)then);
		}
}
