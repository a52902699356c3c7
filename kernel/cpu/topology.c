/*
 * Where this CPU sits in its package: the bits of the APIC id below the core and below the package,
 * and how many logical CPUs these bits stand for. The first method that answers wins.
 * Sources: SDM volume 3A "Programming Considerations for Hardware Multi-Threading Capable
 * Processors", AMD APM volume 3 appendix E.
 */
#include "kernel/cpu/internal.h"
#include "kernel/cpu/topology.h"

enum { LEVEL_SMT = 1, LEVELS = 8, CORE_TYPE_CORE = 0x40 };

/* Bits needed for n different ids. */
static uint8_t id_bits(uint32_t n)
{
	uint8_t bits = 0;

	while (bits < 31 && (1u << bits) < n)
		bits++;
	return bits;
}

/* Leaves 0BH, 1FH and 80000026H: one subleaf a level, from the thread up. */
static bool by_levels(struct cpu *c, cpuid_fn cpuid, uint32_t leaf)
{
	struct cpuid_regs r = cpu_leaf(c, cpuid, leaf, 0);

	if (!cpu_bits(r.ebx, 15, 0) || !cpu_bits(r.ecx, 15, 8))
		return false;
	c->threads_per_core = 1;
	c->apic_id = r.edx;
	for (uint32_t i = 0; i < LEVELS && cpu_bits(r.ecx, 15, 8); i++) {
		uint16_t cpus = cpu_bits(r.ebx, 15, 0);

		if (!cpus)
			break;
		c->package_shift = cpu_bits(r.eax, 4, 0);
		c->logical = cpus;
		if (cpu_bits(r.ecx, 15, 8) == LEVEL_SMT) {
			c->smt_shift = c->package_shift;
			c->threads_per_core = cpus;
		}
		r = cpu_leaf(c, cpuid, leaf, i + 1);
	}
	return true;
}

static bool by_leaf_1f(struct cpu *c, cpuid_fn cpuid)
{
	return by_levels(c, cpuid, 0x1f);
}

static bool by_leaf_0b(struct cpu *c, cpuid_fn cpuid)
{
	return by_levels(c, cpuid, 0x0b);
}

static bool by_leaf_80000026(struct cpu *c, cpuid_fn cpuid)
{
	return by_levels(c, cpuid, 0x80000026);
}

/*
 * ECX of 80000008H: threads - 1 and the size of the id. Leaf 8000001EH tells threads of a core
 * from family 17H on; on 15H the same field counts the cores of a module, which are no threads.
 */
static bool by_leaf_80000008(struct cpu *c, cpuid_fn cpuid)
{
	uint32_t ecx = cpu_leaf(c, cpuid, 0x80000008, 0).ecx;
	struct cpuid_regs r = cpu_leaf(c, cpuid, 0x8000001e, 0);

	if (c->vendor != VENDOR_AMD && c->vendor != VENDOR_HYGON)
		return false;
	c->logical = cpu_bits(ecx, 7, 0) + 1;
	c->package_shift = cpu_bits(ecx, 15, 12);
	if (!c->package_shift)
		c->package_shift = id_bits(c->logical);
	c->threads_per_core = 1;
	if (cpu_has(c, CPU_TOPOEXT)) {
		c->apic_id = r.eax;
		if (c->family >= 0x17)
			c->threads_per_core = cpu_bits(r.ebx, 15, 8) + 1;
	}
	c->smt_shift = id_bits(c->threads_per_core);
	return true;
}

/* Leaf 1 tells how many ids a package sets aside, leaf 4 how many of them are cores. */
static bool by_leaf_4(struct cpu *c, cpuid_fn cpuid)
{
	uint32_t cores = 1;

	c->logical = 1;
	if (cpu_has(c, CPU_HTT))
		c->logical = cpu_bits(cpu_leaf(c, cpuid, 1, 0).ebx, 23, 16);
	if (!c->logical)
		c->logical = 1;
	if (c->vendor == VENDOR_INTEL || c->vendor == VENDOR_ZHAOXIN)
		cores = cpu_bits(cpu_leaf(c, cpuid, 4, 0).eax, 31, 26) + 1;
	if (cores > c->logical)
		cores = c->logical;
	c->threads_per_core = c->logical / cores;
	c->smt_shift = id_bits(c->threads_per_core);
	c->package_shift = id_bits(c->logical);
	return true;
}

struct method {
	const char *name;
	bool (*find)(struct cpu *c, cpuid_fn cpuid);
};

static const struct method methods[] = {
	{ "80000026", by_leaf_80000026 }, { "leaf1f", by_leaf_1f }, { "leafb", by_leaf_0b },
	{ "80000008", by_leaf_80000008 }, { "leaf4", by_leaf_4 },
};

void cpu_find_topology(struct cpu *c, cpuid_fn cpuid)
{
	const struct method *m = methods;

	while (!m->find(c, cpuid)) /* the last one always answers */
		m++;
	c->topology_source = m->name;
	c->core_type = cpu_bits(cpu_leaf(c, cpuid, 0x1a, 0).eax, 31, 24);
	c->native_model = cpu_bits(cpu_leaf(c, cpuid, 0x1a, 0).eax, 23, 0);
	c->cores = c->logical / c->threads_per_core;
	/*
	 * E-cores have no SMT. Neither an E-core nor a P-core with SMT can tell the number of
	 * cores.
	 */
	if (cpu_has(c, CPU_HYBRID) && !(c->core_type == CORE_TYPE_CORE && c->threads_per_core == 1))
		c->cores = 0;
}

/* --- the fields of an APIC id --- */

/* Types of levels. A level's shift is where the id of the level above it begins. */
enum { INTEL_MODULE = 3, INTEL_DIE = 5, AMD_COMPLEX = 2, AMD_DIE = 3 };

/* Bits of the APIC id below the core, the module, the die and the package. */
struct shifts {
	uint8_t core, module, die, package;
};

/* Leaves 1FH, 0BH and 80000026H. False: the CPU has no such leaf. */
static bool read_levels(struct shifts *s, struct cpu_place *p, const struct cpu *c, cpuid_fn cpuid,
                        uint32_t leaf)
{
	bool amd = leaf >> 31;
	uint8_t below = 0;

	for (uint32_t i = 0; i < LEVELS; i++) {
		struct cpuid_regs r = cpu_leaf(c, cpuid, leaf, i);
		uint8_t type = cpu_bits(r.ecx, 15, 8), shift = cpu_bits(r.eax, 4, 0);

		if (!type || !cpu_bits(r.ebx, 15, 0))
			return i;
		if (!i)
			*s = (struct shifts){ shift, shift, 0, 0 };
		if (type == (amd ? AMD_COMPLEX : INTEL_MODULE))
			s->module = amd ? shift : below;
		if (type == (amd ? AMD_DIE : INTEL_DIE))
			s->die = amd ? shift : below;
		s->package = below = shift;
		p->apic_id = r.edx;
	}
	return true;
}

static uint32_t field(uint32_t id, uint8_t from, uint8_t to)
{
	return to > from ? (id & ((1u << to) - 1)) >> from : 0;
}

void cpu_decode_apic_id(struct cpu_place *p, const struct cpu *c, cpuid_fn cpuid)
{
	static const struct {
		uint32_t leaf;
		const char *name;
	} leaves[] = { { 0x1f, "leaf1f" }, { 0x80000026, "80000026" }, { 0x0b, "leafb" } };
	uint32_t type = cpu_leaf(c, cpuid, 0x1a, 0).eax;
	/* A NetBurst core has two threads at most, which share its counters. */
	uint8_t smt = c->pmu_class == PMU_CLASS_NETBURST && c->smt_shift ? 1 : c->smt_shift;
	struct shifts s = { smt, smt, 0, c->package_shift };

	*p = (struct cpu_place){ .apic_id = cpu_bits(cpu_leaf(c, cpuid, 1, 0).ebx, 31, 24),
		                 .core_type = cpu_bits(type, 31, 24),
		                 .native_model = cpu_bits(type, 23, 0),
		                 .source = "shifts" };
	for (unsigned i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
		if (read_levels(&s, p, c, cpuid, leaves[i].leaf)) {
			p->source = leaves[i].name;
			break;
		}
	p->thread = field(p->apic_id, 0, s.core);
	p->core = field(p->apic_id, s.core, s.package);
	p->module = field(p->apic_id, s.module, s.package);
	p->die = s.die ? field(p->apic_id, s.die, s.package) : 0;
	p->package = s.package < 32 ? p->apic_id >> s.package : 0;
	if (!s.die && cpu_has(c, CPU_TOPOEXT)) /* the node, which numbers all of the machine */
		p->die = cpu_bits(cpu_leaf(c, cpuid, 0x8000001e, 0).ecx, 7, 0);
}
