/*
 * Which performance-monitoring hardware the CPU announces. No PMU register is touched: a class
 * says what to try, and every counter has to prove itself later (pmu/).
 * Sources: SDM volume 2A "CPUID" leaves 0AH and 23H, SDM volume 3B "Performance Monitoring",
 * AMD APM volume 3 appendix E (leaf 8000_0022H), BKDGs for the number of counters.
 */
#include "kernel/cpu/internal.h"
#include "kernel/lib/text.h"

#define V(vendor)   (1u << (vendor))
#define ANY_VENDOR  0xffffffffu
#define ANY_MODEL   0xffffffffu
#define P6_MODELS   0x2fea /* 1, 3, 5 to 11, 13 */
#define PMMX_MODELS (1u << 4 | 1u << 8)

struct pmu_rule {
	uint32_t vendors;
	uint16_t family_low, family_high; /* at most FFh + FH */
	uint32_t models;                  /* bit n: model n; ANY_MODEL also for models above 31 */
	bool (*when)(const struct cpu *c);
	enum cpu_pmu_class pmu_class;
	const char *reason; /* for PMU_CLASS_NONE; 0: nothing is known here of its counters */
};

static bool no_msr(const struct cpu *c)
{
	return !cpu_has(c, CPU_MSR);
}

static bool announced(const struct cpu *c)
{
	return c->arch.version > 0;
}

static bool has_mmx(const struct cpu *c)
{
	return cpu_has(c, CPU_MMX);
}

#define INTEL_OR_LIKE (V(VENDOR_INTEL) | V(VENDOR_CENTAUR) | V(VENDOR_ZHAOXIN))

/* First match wins. */
/* clang-format off */
static const struct pmu_rule rules[] = {
	/* vendors           family    models       when       class */
	{ ANY_VENDOR,        0, 270,   ANY_MODEL,   no_msr,    PMU_CLASS_NONE, "no MSRs" },
	{ INTEL_OR_LIKE,     0, 270,   ANY_MODEL,   announced, PMU_CLASS_ARCH, "" },
	/*
	 * A write to MSR 12H of a KVM guest makes the host write into its memory. KVM may be there
	 * whatever the hypervisor's first name is.
	 */
	{ V(VENDOR_INTEL),   5, 5,     ANY_MODEL,   cpu_has_host, PMU_CLASS_NONE,
	  "under a hypervisor, and KVM has its clock in the P5 registers" },
	{ V(VENDOR_INTEL),   5, 5,     PMMX_MODELS, has_mmx,   PMU_CLASS_P5MMX, "" },
	{ V(VENDOR_INTEL),   5, 5,     ANY_MODEL,   0,         PMU_CLASS_P5, "" },
	{ V(VENDOR_INTEL),   6, 6,     P6_MODELS,   0,         PMU_CLASS_P6, "" },
	{ V(VENDOR_INTEL),   15, 15,   ANY_MODEL,   0,         PMU_CLASS_NETBURST, "" },
	{ V(VENDOR_AMD),     4, 5,     ANY_MODEL,   0,         PMU_CLASS_NONE,
	  "AMD has counters from family 6 on" },
	{ V(VENDOR_AMD),     6, 6,     ANY_MODEL,   0,         PMU_CLASS_AMD, "" },
	{ V(VENDOR_AMD),     15, 270,  ANY_MODEL,   0,         PMU_CLASS_AMD, "" },
	{ V(VENDOR_HYGON),   24, 270,  ANY_MODEL,   0,         PMU_CLASS_AMD, "" },
	{ V(VENDOR_INTEL),   0, 270,   ANY_MODEL,   0,         PMU_CLASS_NONE,
	  "leaf 0AH announces no counters" },
	/*
	 * The 6x86MX and the WinChip C6 have some, behind MSR 11H as a P5 has, with events of their
	 * own: R. Brown's Interrupt List, MSRS.LST. No list of events is here.
	 */
	{ ANY_VENDOR,        0, 270,   ANY_MODEL,   0,         PMU_CLASS_NONE, 0 },
};
/* clang-format on */

static bool rule_fits(const struct pmu_rule *r, const struct cpu *c)
{
	bool model = r->models == ANY_MODEL || (c->model < 32 && (r->models >> c->model & 1));

	return (r->vendors >> c->vendor & 1) && c->family >= r->family_low &&
	       c->family <= r->family_high && model && (!r->when || r->when(c));
}

/* EDX is defined from version 2 on, ECX and EDX[15] from version 5 on. */
static void read_leaf_0a(struct cpu *c, cpuid_fn cpuid)
{
	struct cpuid_regs r = cpu_leaf(c, cpuid, 0x0a, 0);

	c->arch.version = cpu_bits(r.eax, 7, 0);
	if (!c->arch.version)
		return;
	c->arch.counters = cpu_bits(r.eax, 15, 8);
	c->arch.width = cpu_bits(r.eax, 23, 16);
	c->arch.events_length = cpu_bits(r.eax, 31, 24);
	c->arch.missing_events = r.ebx;
	if (c->arch.version >= 2) {
		c->arch.fixed = cpu_bits(r.edx, 4, 0);
		c->arch.fixed_width = cpu_bits(r.edx, 12, 5);
	}
	if (c->arch.version >= 5) {
		c->arch.fixed_bitmap = r.ecx;
		c->arch.any_deprecated = r.edx >> 15 & 1;
	}
}

/* EAX of subleaf 0 is the bitmap of subleaves that exist. */
static void read_leaf_23(struct cpu *c, cpuid_fn cpuid)
{
	struct cpuid_regs r;

	if (!cpu_has(c, CPU_ARCH_PERFMON_EXT) || c->max_leaf < 0x23)
		return;
	r = cpuid(0x23, 0);
	c->arch.leaf23 = true;
	c->arch.umask2 = r.ebx & 1;
	c->arch.eq = r.ebx >> 1 & 1;
	if (r.eax >> 1 & 1) {
		struct cpuid_regs s = cpuid(0x23, 1);

		c->arch.gp_bitmap23 = s.eax;
		c->arch.fixed_bitmap23 = s.ebx;
	}
	if (r.eax >> 3 & 1)
		c->arch.events23 = cpuid(0x23, 3).eax;
	c->arch.pebs = cpu_bits(r.eax, 5, 4) == 3;
}

/* Four counters, six with the core extension, or as leaf 80000022H tells. */
static void read_amd(struct cpu *c, cpuid_fn cpuid)
{
	c->amd.core_ext = cpu_has(c, CPU_PERFCTR_CORE);
	c->amd.v2 = cpu_has(c, CPU_PERFMON_V2);
	c->amd.counters = c->amd.core_ext ? 6 : 4;
	if (c->amd.v2)
		c->amd.counters = cpu_leaf(c, cpuid, 0x80000022, 0).ebx & 0xf;
}

/* Which CPU it is whose counters are not known here; the text lasts until the next call. */
static const char *unknown(const struct cpu *c)
{
	static char reason[64];
	struct text t = text_in(reason, sizeof(reason));

	text_str(&t, "no list of counters is known for ");
	text_str(&t, c->vendor_id);
	text_str(&t, " family ");
	text_dec(&t, c->family);
	return reason;
}

void cpu_find_pmu(struct cpu *c, cpuid_fn cpuid)
{
	const struct pmu_rule *r = rules;

	if (c->vendor == VENDOR_INTEL || c->vendor == VENDOR_CENTAUR || c->vendor == VENDOR_ZHAOXIN)
		read_leaf_0a(c, cpuid);
	while (!rule_fits(r, c)) /* the last rule fits every CPU */
		r++;
	c->pmu_class = r->pmu_class;
	c->pmu_reason = r->reason ? r->reason : unknown(c);
	if (c->pmu_class == PMU_CLASS_ARCH)
		read_leaf_23(c, cpuid);
	if (c->pmu_class == PMU_CLASS_AMD)
		read_amd(c, cpuid);
}

const char *cpu_pmu_class_name(enum cpu_pmu_class k)
{
	static const char *const names[] = {
		"none", "p5", "p5mmx", "p6", "netburst", "arch", "amd"
	};

	return k <= PMU_CLASS_AMD ? names[k] : "none";
}
