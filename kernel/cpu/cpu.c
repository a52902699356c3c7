/*
 * CPU identity: vendor, signature, brand, hypervisor, address sizes, and the class of
 * performance-monitoring hardware the CPU announces.
 * Sources: SDM volume 2A "CPUID", AMD APM volume 3 appendix E.
 */
#include <stddef.h>

#include "kernel/cpu/cpu.h"
#include "kernel/cpu/internal.h"
#include "kernel/lib/log.h"
#include "kernel/cpu/msr.h"
#include "kernel/lib/quirks.h"

struct vendor_row {
	char id[13];
	enum cpu_vendor vendor;
};

static const struct vendor_row vendors[] = {
	{ "GenuineIntel", VENDOR_INTEL },     { "AuthenticAMD", VENDOR_AMD },
	{ "HygonGenuine", VENDOR_HYGON },     { "CentaurHauls", VENDOR_CENTAUR },
	{ "  Shanghai  ", VENDOR_ZHAOXIN },   { "CyrixInstead", VENDOR_CYRIX },
	{ "GenuineTMx86", VENDOR_TRANSMETA }, { "TransmetaCPU", VENDOR_TRANSMETA },
};

/* A string of CPUID for the log: bytes that do not print become blanks, blanks at the ends go. */
static void tidy(char *s, unsigned size)
{
	unsigned n = 0, lead = 0;

	while (n < size - 1 && s[n]) {
		if (s[n] < ' ' || s[n] > '~')
			s[n] = ' ';
		n++;
	}
	while (n && s[n - 1] == ' ')
		n--;
	while (lead < n && s[lead] == ' ')
		lead++;
	n -= lead;
	for (unsigned i = 0; i < n; i++)
		s[i] = s[i + lead];
	s[n] = 0;
}

static enum cpu_vendor vendor_of(const char *id)
{
	for (unsigned v = 0; v < sizeof(vendors) / sizeof(vendors[0]); v++) {
		unsigned i = 0;

		while (i < 12 && vendors[v].id[i] == id[i])
			i++;
		if (i == 12)
			return vendors[v].vendor;
	}
	return VENDOR_OTHER;
}

static void find_vendor(struct cpu *c, cpuid_fn cpuid)
{
	struct cpuid_regs r = cpuid(0, 0);
	uint32_t ext;

	c->max_leaf = r.eax;
	/*
	 * The first Pentium steppings answer with their signature: they have leaf 1 (unverified).
	 */
	if ((c->max_leaf & 0xff00) == 0x500)
		c->max_leaf = 1;
	cpu_put32(c->vendor_id, r.ebx);
	cpu_put32(c->vendor_id + 4, r.edx);
	cpu_put32(c->vendor_id + 8, r.ecx);
	c->vendor = vendor_of(c->vendor_id);
	tidy(c->vendor_id, sizeof(c->vendor_id));

	/* A CPU without extended leaves answers as for another leaf. Only 8000xxxxH is believed. */
	ext = cpuid(0x80000000, 0).eax;
	if (ext >> 16 == 0x8000)
		c->max_ext = ext;
}

/* Extended family counts when family is 15, extended model when it is 15, or 6 on Intel's line. */
static void find_signature(struct cpu *c, cpuid_fn cpuid)
{
	struct cpuid_regs r = cpu_leaf(c, cpuid, 1, 0);
	uint32_t base = cpu_bits(r.eax, 11, 8);
	bool amd = c->vendor == VENDOR_AMD || c->vendor == VENDOR_HYGON;

	c->signature = r.eax;
	c->stepping = cpu_bits(r.eax, 3, 0);
	c->model = cpu_bits(r.eax, 7, 4);
	c->family = base;
	if (base == 15)
		c->family += cpu_bits(r.eax, 27, 20);
	if (base == 15 || (base == 6 && !amd))
		c->model += cpu_bits(r.eax, 19, 16) << 4;
	c->apic_id = cpu_bits(r.ebx, 31, 24);
	if (r.edx >> 19 & 1)
		c->clflush_line = cpu_bits(r.ebx, 15, 8) * 8;
}

static void find_names(struct cpu *c, cpuid_fn cpuid)
{
	for (uint32_t i = 0; i < 3; i++) {
		struct cpuid_regs r = cpu_leaf(c, cpuid, 0x80000002 + i, 0);

		cpu_put32(c->brand + 16 * i, r.eax);
		cpu_put32(c->brand + 16 * i + 4, r.ebx);
		cpu_put32(c->brand + 16 * i + 8, r.ecx);
		cpu_put32(c->brand + 16 * i + 12, r.edx);
	}
	tidy(c->brand, sizeof(c->brand));

	if (cpu_has(c, CPU_HYPERVISOR)) {
		struct cpuid_regs r = cpuid(0x40000000, 0);

		cpu_put32(c->hypervisor, r.ebx);
		cpu_put32(c->hypervisor + 4, r.ecx);
		cpu_put32(c->hypervisor + 8, r.edx);
		tidy(c->hypervisor, sizeof(c->hypervisor));
	}
}

/* A CPU answers the simulator's leaves with zeros or with the data of another leaf. */
static void find_simulator(struct cpu *c, cpuid_fn cpuid)
{
	struct cpuid_regs r = cpuid(0x4000c000, 0);

	c->simulated = r.ebx == 0x306c7063 && r.ecx == 0x6d69732d; /* "cpl0-sim" */
	if (!c->simulated)
		return;
	/* Its own signature is cpl0simcpl0s, of which a guest of another shows nothing. */
	c->plays_guest = c->hypervisor[0] && c->hypervisor[0] != 'c';
	r = cpuid(0x4000c001, 0);
	c->nominal_clocks = r.eax & 1;
	c->good_clocks = (uint16_t)r.ebx;
}

/* Without leaf 80000008H: 36 bits with PAE or PSE-36, else 32 (SDM volume 3A, "CPUID"). */
static void find_sizes(struct cpu *c, cpuid_fn cpuid)
{
	uint32_t eax = cpu_leaf(c, cpuid, 0x80000008, 0).eax;

	c->phys_bits = cpu_bits(eax, 7, 0);
	c->virt_bits = cpu_bits(eax, 15, 8);
	if (!c->phys_bits)
		c->phys_bits = cpu_has(c, CPU_PAE) || cpu_has(c, CPU_PSE36) ? 36 : 32;
	if (!c->virt_bits)
		c->virt_bits = 32;
}

void cpu_identify(struct cpu *c, bool has_cpuid, cpuid_fn cpuid)
{
	*c = (struct cpu){ .has_cpuid = has_cpuid,
		           .pmu_reason = "no CPUID",
		           .topology_source = "none" };
	if (!has_cpuid)
		return;
	find_vendor(c, cpuid);
	find_signature(c, cpuid);
	cpu_find_features(c, cpuid);
	find_names(c, cpuid);
	find_simulator(c, cpuid);
	find_sizes(c, cpuid);
	cpu_find_caches(c, cpuid);
	cpu_find_tlbs(c, cpuid);
	cpu_find_topology(c, cpuid);
	cpu_find_pmu(c, cpuid);
}

/*
 * Where the revision is in MSR 8BH. On Intel it is there only after this dance: write 0, then
 * CPUID leaf 1 loads it (SDM volume 3A, "Microcode Update Signature and Verification").
 */
void cpu_read_microcode(struct cpu *c)
{
	uint64_t v;

	if (!cpu_has(c, CPU_MSR))
		return;
	if (c->vendor == VENDOR_INTEL && c->family >= 6) {
		if (!msr_write(MSR_IA32_BIOS_SIGN_ID, 0))
			return;
		x86_cpuid(1, 0);
		if (msr_read(MSR_IA32_BIOS_SIGN_ID, &v))
			c->microcode = v >> 32;
	} else if ((c->vendor == VENDOR_AMD || c->vendor == VENDOR_HYGON) && c->family >= 15) {
		if (msr_read(MSR_IA32_BIOS_SIGN_ID, &v))
			c->microcode = (uint32_t)v;
	}
}

unsigned cpu_adds_per_clock(const struct cpu *c)
{
	return c->vendor == VENDOR_INTEL && c->family == 15 && c->model < 3 ? 2 : 1;
}

#define MISC_ENABLE_LIMIT_CPUID (1ull << 22)

bool cpu_lift_leaf_limit(const struct cpu *c)
{
	uint64_t v, now;
	bool netburst = c->vendor == VENDOR_INTEL && c->family == 15 && c->model >= 3;
	bool core = cpu_is_p6_from(c, 14);
	bool lifted;

	if (!(netburst || core) || !cpu_has(c, CPU_MSR))
		return false;
	if (c->max_leaf > 3 || !msr_read(MSR_IA32_MISC_ENABLE, &v))
		return false;
	if (!(v & MISC_ENABLE_LIMIT_CPUID) || !quirk(QUIRK_CPUID_LIMIT, true))
		return false;
	lifted = msr_write(MSR_IA32_MISC_ENABLE, v & ~MISC_ENABLE_LIMIT_CPUID) &&
	         msr_read(MSR_IA32_MISC_ENABLE, &now) && !(now & MISC_ENABLE_LIMIT_CPUID);
	log_warn("cpu", "limit_cpuid",
	         lifted ? "firmware hid the leaves above 3; they are shown again"
	                : "firmware hides the leaves above 3 and they stay hidden");
	return lifted;
}

const struct cpu_cache *cpu_data_cache(const struct cpu *c, unsigned level)
{
	for (unsigned i = 0; i < c->ncaches; i++) {
		const struct cpu_cache *k = &c->caches[i];

		if (k->level == level && (k->type == CACHE_DATA || k->type == CACHE_UNIFIED))
			return k;
	}
	return NULL;
}
