/*
 * sim/pmu/vpmu.c - the part of a processor's counters that KVM shows to a guest.
 *
 * Sources: Linux, arch/x86/kvm: pmu.h and pmu.c, kvm_init_pmu_capability() (version 2, 8 general
 * and 3 fixed counters at most); cpuid.c, __do_cpuid_func() (leaves 0AH and 80000022H);
 * vmx/pmu_intel.c, intel_pmu_refresh() and intel_is_valid_msr(); svm/pmu.c, amd_pmu_refresh()
 * (PerfMonV2 since Linux 6.5). PEBS is not shown, as on hosts before Ice Lake servers, before Linux
 * 6.0 and with the mediated virtual PMU. Registers of last branches stay as they are; KVM has none
 * of the architectural ones.
 */
#include "sim/pmu/internal.h"

#include <string.h>

#define CAP_SHOWN (BIT(13) | BITS(5, 0)) /* counters are written whole; format of last branches */

static void cap_arch(struct sim_pmu_model *m, unsigned version)
{
	enum { GENERAL = 8, FIXED = 3, ANY_THREAD_DEPRECATED = 1 << 15 };
	unsigned fixed = 0;

	m->version = (uint8_t)(m->version < version ? m->version : version);
	m->counters = m->counters < GENERAL ? m->counters : GENERAL;
	m->fixed_map &= m->version > 1 ? BITS(FIXED - 1, 0) : 0;
	while (m->fixed_map >> fixed & 1)
		fixed++;
	m->leaf_0a[0] = m->version | (uint32_t)m->counters << 8 | (m->leaf_0a[0] & 0xffff0000);
	m->leaf_0a[2] = 0;
	m->leaf_0a[3] = ANY_THREAD_DEPRECATED | fixed | (fixed ? (uint32_t)m->width << 5 : 0);
	memset(m->leaf_23, 0, sizeof(m->leaf_23));
	m->any_thread = m->ds = m->dtes64 = m->pebs = false;
	m->pin_control = true; /* bit 19 of a select is none of KVM's reserved ones */
	m->metrics = 0;
	m->perf_capabilities &= CAP_SHOWN;
	m->pebs_mask = m->frontend_mask = m->offcore_mask[0] = m->offcore_mask[1] = 0;
}

static void cap_amd(struct sim_pmu_model *m, unsigned version)
{
	m->ibs = 0;
	if (version < 2)
		m->version = 0;
	memset(m->leaf_80000022, 0, sizeof(m->leaf_80000022));
	if (m->version < 2)
		return;
	m->leaf_80000022[0] = 1;
	m->leaf_80000022[1] = m->counters;
}

void sim_pmu_cap(struct sim_pmu_model *m, unsigned version)
{
	if (!version)
		*m = (struct sim_pmu_model){ .name = m->name, .kind = SIM_PMU_NONE, .threads = 1 };
	else if (m->kind == SIM_PMU_ARCH)
		cap_arch(m, version);
	else
		cap_amd(m, version);
}
