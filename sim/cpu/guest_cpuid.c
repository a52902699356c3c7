/*
 * sim/cpu/guest_cpuid.c - what CPUID says in a guest.
 *
 * Sources: Linux, Documentation/virt/kvm/x86/cpuid.rst; Hypervisor Top-Level Functional
 * Specification; QEMU, target/i386/cpu.c (the caches that it invents); AMD APM volume 3, leaf
 * 8000001FH; Intel TDX module specification, leaf 21H.
 */
#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/guest.h"
#include "sim/model/models.h"

enum { EAX, EBX, ECX, EDX };
enum { FIRST = 0x40000000, SECOND = 0x40000100, TSC_LEAF = 0x10 };
enum { FEATURE_CLOCKSOURCE2 = 1 << 3, FEATURE_STEAL = 1 << 5 };
enum { C_BIT = 51 }; /* of page tables, in a guest with encrypted memory */

static const struct {
	uint8_t type, level; /* type: 1 data, 2 code, 3 both */
	uint16_t kb, ways;
} caches[2][4] = {
	{ { 1, 1, 32, 8 }, { 2, 1, 32, 8 }, { 3, 2, 4096, 16 }, { 3, 3, 16384, 16 } },
	{ { 1, 1, 64, 2 }, { 2, 1, 64, 2 }, { 3, 2, 512, 16 }, { 3, 3, 16384, 16 } },
};

static void signature(uint32_t last, const char name[12], uint32_t out[4])
{
	out[EAX] = last;
	memcpy(&out[EBX], name, 12);
}

static void hyperv_leaf(uint32_t leaf, uint32_t out[4])
{
	if (leaf == FIRST)
		signature(FIRST + 5, "Microsoft Hv", out);
	if (leaf == FIRST + 1)
		memcpy(&out[EAX], "Hv#1", 4);
}

static void hypervisor_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t out[4])
{
	const struct guest_words *w = &cpu->pc->opt.faults.guest;
	const uint32_t n = leaf & 0xff, last = w->kvmclock ? 1 : TSC_LEAF;

	memset(out, 0, 16);
	if (w->hv && leaf < SECOND) {
		hyperv_leaf(leaf, out);
		return;
	}
	if (!w->hv && leaf >= SECOND)
		return;
	if (!n)
		signature((w->hv ? SECOND : FIRST) + last,
		          w->hybrid ? "VMwareVMware" : "KVMKVMKVM\0\0", out);
	if (n == 1 && !w->hybrid)
		out[EAX] =
			(w->steal ? FEATURE_STEAL : 0) | (w->kvmclock ? FEATURE_CLOCKSOURCE2 : 0);
	if (n == last && last == TSC_LEAF)
		out[EAX] = cpu->pc->model->tsc_khz;
}

/* Leaf 4, and 8000001DH of AMD, which is like it. Who shares a cache stays as it is. */
static void cache_leaf(bool amd, uint32_t subleaf, uint32_t out[4])
{
	enum { LINE = 64 };
	uint32_t shared = out[EAX] & ~0x3ffu;

	memset(out, 0, 16);
	if (subleaf >= sizeof(caches[0]) / sizeof(caches[0][0]))
		return;
	out[EAX] = shared | caches[amd][subleaf].type | caches[amd][subleaf].level << 5 | 1 << 8;
	out[EBX] = (uint32_t)(caches[amd][subleaf].ways - 1) << 22 | (LINE - 1);
	out[ECX] = caches[amd][subleaf].kb * 1024u / caches[amd][subleaf].ways / LINE - 1;
}

static void invented_caches(bool amd, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	enum { LINE = 1 << 8 | 64, WAYS_16 = 8 };

	if (leaf == (amd ? 0x8000001du : 4u))
		cache_leaf(amd, subleaf, out);
	if (!amd)
		return;
	if (leaf == 0x80000005)
		out[ECX] = out[EDX] =
			(uint32_t)caches[1][0].kb << 24 | (uint32_t)caches[1][0].ways << 16 | LINE;
	if (leaf == 0x80000006) {
		out[ECX] = (uint32_t)caches[1][2].kb << 16 | WAYS_16 << 12 | LINE;
		out[EDX] = (uint32_t)caches[1][3].kb / 512 << 18 | WAYS_16 << 12 | LINE;
	}
}

static void secret_leaf(enum guest_secret secret, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	enum { SEV = 1 << 1, ES = 1 << 3, SNP = 1 << 4 };
	enum { TDX_LEAF = 0x21 };
	const uint32_t sev_leaf = 0x8000001f;
	bool tdx = secret == SECRET_TDX;

	if (leaf == (tdx ? 0 : 0x80000000) && out[EAX] < (tdx ? TDX_LEAF : sev_leaf))
		out[EAX] = tdx ? TDX_LEAF : sev_leaf;
	if (leaf != (tdx ? TDX_LEAF : sev_leaf))
		return;
	memset(out, 0, 16);
	if (!tdx) {
		out[EAX] =
			SEV | (secret >= SECRET_SEV_ES ? ES : 0) | (secret == SECRET_SNP ? SNP : 0);
		out[EBX] = C_BIT;
	} else if (!subleaf) {
		memcpy(&out[EBX], "Inte", 4);
		memcpy(&out[EDX], "lTDX", 4);
		memcpy(&out[ECX], "    ", 4);
	}
}

/* Linux, arch/x86/kvm/cpuid.c: what it shows of counters, and the features that go with them. */
static void vpmu_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	enum { DTES64 = 1 << 2, DS_CPL = 1 << 4, PDCM = 1 << 15, DS = 1 << 21 };
	enum { IBS = 1 << 10, CORE = 1 << 23, NORTHBRIDGE = 1 << 24, LLC = 1 << 28 };
	enum { PERFMON_EXT = 1 << 8 }; /* leaf 23H */
	const struct sim_pmu_model *pmu = cpu->pmu->model;
	bool none = pmu->kind == SIM_PMU_NONE;

	if (leaf == 0xa)
		memcpy(out, pmu->leaf_0a, sizeof(pmu->leaf_0a));
	if (leaf == 0x80000022)
		memcpy(out, pmu->leaf_80000022, sizeof(pmu->leaf_80000022));
	if (leaf == 0x23 || leaf == 0x8000001b)
		memset(out, 0, 16);
	if (leaf == 7 && subleaf == 1)
		out[EAX] &= ~(uint32_t)PERFMON_EXT;
	if (leaf == 1) {
		out[ECX] &= ~(uint32_t)(DTES64 | DS_CPL | (none ? PDCM : 0));
		out[EDX] &= ~(uint32_t)DS;
	}
	if (leaf == 0x80000001 && cpu->model->vendor == VENDOR_AMD)
		out[ECX] &= ~(uint32_t)(IBS | NORTHBRIDGE | LLC | (none ? CORE : 0));
}

void guest_cpuid(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	const struct guest_words *w = &cpu->pc->opt.faults.guest;

	if (!w->on)
		return;
	if (leaf >> 9 == FIRST >> 9)
		hypervisor_leaf(cpu, leaf, out);
	if (w->vpmu_set)
		vpmu_leaf(cpu, leaf, subleaf, out);
	if (w->invented)
		invented_caches(cpu->model->vendor == VENDOR_AMD, leaf, subleaf, out);
	if (w->secret)
		secret_leaf(w->secret, leaf, subleaf, out);
}
