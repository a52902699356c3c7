/*
 * sim/cpu/cpuid.c - what CPUID returns: the leaves of a real part, with the model's corrections,
 * the PMU leaves of the PMU model, and without the features that the execution engine cannot do.
 */
#include "sim/cpu/cpuid.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/guest.h"
#include "sim/model/models.h"

enum { EAX, EBX, ECX, EDX };

/*
 * Unicorn 2.0.1 has no VEX encodings, no XSAVE that the guest could enable, and no virtualisation.
 * What it lacks is not announced, and the instructions are #UD (decode.c).
 */
struct mask_row {
	uint32_t leaf, subleaf;
	uint8_t reg;
	uint32_t keep;
};

/* clang-format off */
static const struct mask_row mask_rows[] = {
	/*
	 * not PCLMULQDQ 1, VMX 5, SMX 6, FMA 12, MOVBE 22, XSAVE 26, OSXSAVE 27, AVX 28, F16C 29,
	 * RDRAND 30
	 */
	{ 1,          0, ECX, ~0x7c401062u },
	/* TSC_ADJUST 1, ERMS 9, INVPCID 10, ADX 19 */
	{ 7,          0, EBX, 1u << 1 | 1u << 9 | 1u << 10 | 1u << 19 },
	{ 7,          0, ECX, 0 },
	/* FSRM 4, hybrid 15, architectural LBR 19 */
	{ 7,          0, EDX, 1u << 4 | 1u << 15 | 1u << 19 },
	/* ArchPerfmonExt 8 */
	{ 7,          1, EAX, 1u << 8 },
	{ 7,          1, EBX, 0 },
	{ 7,          1, ECX, 0 },
	{ 7,          1, EDX, 0 },
	{ 7,          2, EDX, 0 },
	/* LAHF 0, CMP 1, CR8 4, LZCNT 5, PREFETCHW 8, IBS 10, topology 22, PMU 23, 24, 28 */
	{ 0x80000001, 0, ECX, 0x11c00533 },
	/* not 3DNow! 30, 31 */
	{ 0x80000001, 0, EDX, ~(1u << 30 | 1u << 31) },
	{ 0x80000008, 0, EBX, 1u << 1 },
};

/* Leaves that describe only what is masked. */
static const uint32_t hidden_leaves[] = { 0xd, 0xf, 0x10, 0x12, 0x14, 0x17, 0x19, 0x1b, 0x1d, 0x1e,
					  0x20, 0x21, 0x24, 0x8000000a, 0x8000001c,
					  0x8000001f, 0x80000020, 0x80000021 };
/* clang-format on */

static const struct cpuid_row *find_row(const struct model *m, uint32_t leaf, uint32_t subleaf)
{
	for (unsigned i = 0; i < cpuid_rows_count; i++) {
		const struct cpuid_row *row = &cpuid_rows[i];

		if (row->leaf == leaf && row->subleaf == subleaf && row->logical == m->logical &&
		    !strcmp(row->part, m->part))
			return row;
	}
	return NULL;
}

static void pmu_leaves(const struct sim_pmu_model *pmu, uint32_t leaf, uint32_t subleaf,
                       uint32_t out[4])
{
	if (leaf == 0xa)
		memcpy(out, pmu->leaf_0a, sizeof(pmu->leaf_0a));
	if (leaf == 0x1c)
		memcpy(out, pmu->leaf_1c, sizeof(pmu->leaf_1c));
	if (leaf == 0x23 && subleaf < 4)
		memcpy(out, pmu->leaf_23[subleaf], sizeof(pmu->leaf_23[0]));
	if (leaf == 0x23 && subleaf >= 4)
		memset(out, 0, 16);
	if (leaf == 0x80000022)
		memcpy(out, pmu->leaf_80000022, sizeof(pmu->leaf_80000022));
	if (leaf == 0x8000001b)
		out[EAX] = pmu->ibs;
	if (leaf == 1) {
		out[EDX] = (out[EDX] & ~(1u << 21)) | (uint32_t)pmu->ds << 21;
		out[ECX] = (out[ECX] & ~(1u << 15)) | (uint32_t)pmu->pdcm << 15;
		out[ECX] = (out[ECX] & ~(1u << 2)) | (uint32_t)pmu->dtes64 << 2;
		if (!pmu->ds)
			out[ECX] &= ~(1u << 4);
	}
}

/* The third-level cache of --last-level, with the ways of the model. */
static void other_last_level(const struct geometry *llc, uint32_t leaf, uint32_t out[4])
{
	if ((leaf == 4 || leaf == 0x8000001d) && (out[EAX] >> 5 & 7) == 3) {
		out[EBX] = (uint32_t)(llc->ways - 1) << 22 | (llc->line - 1u);
		out[ECX] = llc->kb * 1024 / llc->ways / llc->line - 1;
	}
	if (leaf == 0x80000006 && out[EDX])
		out[EDX] = (out[EDX] & 0x3ffff) | llc->kb / 512 << 18;
}

/* The leaf as the silicon has it: everything but what depends on the CPU that asks. */
static void static_leaf(const struct model *m, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	const struct cpuid_row *row = find_row(m, leaf, subleaf);
	const struct sim_pmu_model *pmu = sim_pmu_model(m->pmu);

	memset(out, 0, 16);
	for (unsigned i = 0; i < sizeof(hidden_leaves) / sizeof(hidden_leaves[0]); i++)
		if (hidden_leaves[i] == leaf)
			return;
	if (row)
		memcpy(out, row->reg, sizeof(row->reg));
	for (const struct cpuid_patch *p = m->patches; p && (p->clear || p->set); p++)
		if (p->leaf == leaf && p->subleaf == subleaf)
			out[p->reg] = (out[p->reg] & ~p->clear) | p->set;
	for (unsigned i = 0; i < sizeof(mask_rows) / sizeof(mask_rows[0]); i++)
		if (mask_rows[i].leaf == leaf && mask_rows[i].subleaf == subleaf)
			out[mask_rows[i].reg] &= mask_rows[i].keep;
	/* the APIC of some parts was switched off when their CPUID was read */
	if (leaf == 1 && m->flags & MODEL_APIC)
		out[EDX] |= 1u << 9;
	if (pmu)
		pmu_leaves(pmu, leaf, subleaf, out);
	if (m->other_llc)
		other_last_level(&m->llc, leaf, out);
}

/* The decoder asks for the same few registers again and again. */
bool cpuid_bit(const struct model *model, uint32_t leaf, uint32_t subleaf, unsigned reg,
               unsigned bit)
{
	static struct {
		const struct model *model;
		uint32_t leaf, subleaf;
		uint32_t out[4];
	} kept[8];
	unsigned slot = (leaf & 7) ^ (leaf >> 31) * 2;

	if (kept[slot].model != model || kept[slot].leaf != leaf || kept[slot].subleaf != subleaf) {
		kept[slot].model = model;
		kept[slot].leaf = leaf;
		kept[slot].subleaf = subleaf;
		static_leaf(model, leaf, subleaf, kept[slot].out);
	}
	return kept[slot].out[reg] >> bit & 1;
}

bool cpuid_part_bit(const struct model *model, uint32_t leaf, unsigned reg, unsigned bit)
{
	const struct cpuid_row *row = find_row(model, leaf, 0);

	return row && row->reg[reg] >> bit & 1;
}

static void last_leaves(const struct model *m, uint32_t *basic, uint32_t *extended)
{
	uint32_t out[4];

	static_leaf(m, 0, 0, out);
	*basic = out[EAX];
	static_leaf(m, 0x80000000, 0, out);
	*extended = out[EAX];
}

static unsigned log2_ceil(unsigned n)
{
	unsigned bits = 0;

	while (1u << bits < n)
		bits++;
	return bits;
}

/* Leaf 80000026H: core, then socket. With one CPU it says what the real part says. */
static void amd_levels(const struct cpu *cpu, uint32_t subleaf, unsigned threads, uint32_t out[4])
{
	unsigned cpus = cpu->pc->cpus;

	if (out[EBX] && cpus > 1) {
		out[EAX] = subleaf > 1 ? 0 : log2_ceil(subleaf ? cpus : threads);
		out[EBX] = subleaf > 1 ? 0 : subleaf ? cpus : threads;
		out[ECX] = subleaf > 1 ? subleaf : subleaf | (subleaf ? 4 : 1) << 8;
	}
	out[EDX] = cpu->apic_id;
}

/* Numbers of CPUs and ids, as the simulated PC has them rather than as the real part had them. */
static void topology(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	unsigned cpus = cpu->pc->cpus, threads = cpu->pc->threads;
	bool amd = cpu->model->vendor == VENDOR_AMD;

	switch (leaf) {
	case 1:
		out[EBX] = (out[EBX] & 0x0000ffff) | cpu->apic_id << 24;
		if (out[EDX] >> 28 & 1 || cpus > 1)
			out[EBX] |= cpus << 16;
		if (cpus > 1)
			out[EDX] |= 1u << 28;
		if (cpu->model->groups & G_MISC_ENABLE && !(cpu->msr[M_MISC_ENABLE] >> 18 & 1))
			out[ECX] &= ~(1u << 3); /* MONITOR */
		if (!(cpu->apic.base & 1 << 11) && cpu->model->flags & MODEL_APIC)
			out[EDX] &= ~(1u << 9);
		break;
	case 4:
		if (out[EAX] & 31) {
			unsigned level = out[EAX] >> 5 & 7;
			unsigned sharing = level >= 3 ? cpus : threads;

			out[EAX] = (out[EAX] & 0x3fff) | (sharing - 1) << 14 |
			           (cpus / threads - 1) << 26;
		}
		break;
	case 0xb:
	case 0x1f:
		if (!out[EBX] && subleaf < 2)
			break;
		if (subleaf > 1) {
			memset(out, 0, 16);
			out[ECX] = subleaf;
		} else {
			out[EAX] = log2_ceil(subleaf ? cpus : threads);
			out[EBX] = subleaf ? cpus : threads;
			out[ECX] = subleaf | (subleaf + 1) << 8;
		}
		out[EDX] = cpu->apic_id;
		break;
	case 0x80000008:
		if (amd)
			out[ECX] = (cpus - 1) | log2_ceil(cpus) << 12;
		break;
	case 0x8000001d:
		if (out[EAX] & 31)
			out[EAX] = (out[EAX] & 0x3fff) |
			           ((out[EAX] >> 5 & 7) >= 3 ? cpus - 1 : threads - 1) << 14;
		break;
	case 0x8000001e:
		out[EAX] = cpu->apic_id;
		out[EBX] = cpu->apic_id / threads | (threads - 1) << 8;
		break;
	case 0x80000026:
		amd_levels(cpu, subleaf, threads, out);
		break;
	default:
		break;
	}
}

/* --fault hypervisor: a signature and a TSC frequency. */
static void hypervisor_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t out[4])
{
	memset(out, 0, 16);
	if (leaf == 0x40000000) {
		out[EAX] = 0x40000010;
		memcpy(&out[EBX], "cpl0simcpl0s", 12);
	}
	if (leaf == 0x40000010)
		out[EAX] = cpu->pc->model->tsc_khz;
}

/* Leaves of the simulator's own, beside those that hypervisors use (sim/README.md). */
enum { SIM_LEAF = 0x4000c000, SIM_CLOCKS, SIM_EVENT, SIM_COUNTER };

/* What becomes of an event: 0 it is not in the table, 1 not derived and reads 0, 2 it counts. */
static uint32_t event_state(const struct sim_pmu *pmu, uint32_t code, uint32_t umask)
{
	const struct sim_event *e;

	for (unsigned i = 0; (e = sim_pmu_event(pmu->model, i)); i++)
		if (e->code == code && e->umask == umask)
			return sim_event_derived(e, pmu->core) ? 2 : 1;
	return 0;
}

/* Of 1000 figures of the real processor, how many its clocks meet; 0: not computed. */
static uint32_t good_clocks(const struct cpu *cpu)
{
	for (size_t i = 0; cpu->core_machine && i < core_share_count; i++)
		if (!strcmp(core_shares[i].machine, cpu->model->name))
			return core_shares[i].good * 1000 / core_shares[i].figures;
	return 0;
}

static void simulator_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t ecx, uint32_t out[4])
{
	bool measured = cpu->model->flags & MODEL_PIPELINE && !cpu->pc->opt.flat;

	memset(out, 0, 16);
	if (leaf == SIM_LEAF) {
		out[EAX] = SIM_COUNTER;
		memcpy(&out[EBX], "cpl0-sim", 8);
	} else if (leaf == SIM_CLOCKS) {
		out[EAX] = !measured;
		out[EBX] = good_clocks(cpu);
	} else if (leaf == SIM_COUNTER) {
		out[EAX] = sim_pmu_counter_derived(cpu->pmu, ecx);
	} else {
		out[EAX] = event_state(cpu->pmu, ecx & 0xff, ecx >> 8);
	}
}

static bool has_subleaves(uint32_t leaf)
{
	return leaf == 4 || leaf == 7 || leaf == 0xb || leaf == 0x14 || leaf == 0x18 ||
	       leaf == 0x1a || leaf == 0x1f || leaf == 0x23 || leaf == 0x8000001d ||
	       leaf == 0x80000026;
}

static void model_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	const struct model *m = cpu->model;
	uint32_t basic, extended;

	last_leaves(m, &basic, &extended);
	/* MISC_ENABLE bit 22 hides everything above leaf 3. */
	if (m->groups & G_MISC_ENABLE && cpu->msr[M_MISC_ENABLE] >> 22 & 1 && basic > 3)
		basic = 3;
	if (cpu->pc->opt.faults.hypervisor && leaf >> 8 == 0x400000) {
		hypervisor_leaf(cpu, leaf, out);
		return;
	}
	if (leaf >= SIM_LEAF && leaf <= SIM_COUNTER && !cpu->pc->opt.faults.hide_simulator) {
		simulator_leaf(cpu, leaf, subleaf, out);
		return;
	}
	/* Intel answers an unknown leaf with the data of the highest basic one; AMD with zeros. */
	if (leaf >= 0x80000000 ? leaf > extended : leaf > basic) {
		if (m->vendor == VENDOR_AMD || extended == 0) {
			memset(out, 0, 16);
			return;
		}
		leaf = basic;
	}
	if (!has_subleaves(leaf))
		subleaf = 0;
	static_leaf(m, leaf, subleaf, out);
	if (!leaf)
		out[EAX] = basic;
	topology(cpu, leaf, subleaf, out);
	/* Turbo that MISC_ENABLE switches off is not announced. */
	if (leaf == 6 && m->groups & G_MISC_ENABLE && cpu->msr[M_MISC_ENABLE] >> 38 & 1)
		out[EAX] &= ~(1u << 1);
	if (leaf == 0x80000001 && m->vendor == VENDOR_INTEL) {
		out[EDX] &= ~(1u << 11);
		if (cpu->mode == 64 && out[EDX] >> 29 & 1)
			out[EDX] |= 1u << 11;
	}
	/* A hybrid part says so, and what kind of core this is: CPUs without an L3 are E-cores. */
	if (leaf == 7 && !subleaf && cpu->pc->opt.other)
		out[EDX] |= 1u << 15;
	if (leaf == 0x1a && cpu->pc->opt.other)
		out[EAX] = (m->llc.kb ? 0x40u : 0x20u) << 24 | 3;
	if (leaf == 1 && cpu->pc->opt.faults.apic == APIC_FAULT_PHANTOM)
		out[EDX] |= 1u << 9;
	if (leaf == 1 && cpu->pc->opt.faults.hypervisor)
		out[ECX] |= 1u << 31;
	if (leaf == 1 && cpu->cr4 >> 18 & 1 && out[ECX] >> 26 & 1)
		out[ECX] |= 1u << 27;
}

void cpuid_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
	const struct options *o = &cpu->pc->opt;

	model_leaf(cpu, leaf, subleaf, out);
	guest_cpuid(cpu, leaf, subleaf, out);
	for (unsigned i = 0; i < o->cpuid_count; i++)
		if (o->cpuid[i].leaf == leaf &&
		    o->cpuid[i].subleaf == (has_subleaves(leaf) ? subleaf : 0))
			out[o->cpuid[i].reg] = o->cpuid[i].value;
}
