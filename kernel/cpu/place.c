/*
 * The fields of an APIC id (kernel/cpu/place.h).
 */
#include "kernel/cpu/internal.h"
#include "kernel/cpu/place.h"

enum { LEVELS = 8 };

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

void cpu_find_place(struct cpu_place *p, const struct cpu *c, cpuid_fn cpuid)
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
