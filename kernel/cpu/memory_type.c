/*
 * Which memory type the MTRRs give to a range (kernel/cpu/conditions.h).
 * Source: SDM volume 3, "Memory Type Range Registers".
 */
#include "kernel/cpu/conditions.h"
#include "kernel/cpu/msr.h"

enum {
	MSR_AMD_SYSCFG = 0xc0010010,
	MSR_AMD_TOM2 = 0xc001001d,
	SYSCFG_TOM2 = 3 << 21, /* TOM2 is in force, and what lies below it is write-back */
	MSR_MTRRCAP = 0xfe,
	MSR_MTRR_PHYSBASE0 = 0x200,
	MSR_MTRR_DEF_TYPE = 0x2ff,
	MTRR_ENABLE = 1 << 11,
	MTRR_VALID = 1 << 11,
	MTRR_MAX = 16,
};

/* One variable-range MTRR. */
struct range {
	uint64_t base, mask;
	uint8_t type;
};

/* What holds where no range does. AMD has another type between 4 GiB and the end of memory. */
struct fallback {
	uint8_t type;
	uint64_t tom2; /* end of memory if it is write-back; 0: as below 4 GiB */
};

/* APM volume 2, "Memory-Typing MSRs": TOM2 and Tom2ForceMemTypeWB, which firmware relies on. */
static uint64_t forced_end(const struct cpu *cpu)
{
	uint64_t v;

	if ((cpu->vendor != VENDOR_AMD && cpu->vendor != VENDOR_HYGON) || cpu->family < 15 ||
	    !msr_read(MSR_AMD_SYSCFG, &v) || (v & SYSCFG_TOM2) != SYSCFG_TOM2 ||
	    !msr_read(MSR_AMD_TOM2, &v))
		return 0;
	return v;
}

static unsigned read_mtrrs(struct range *r, const struct cpu *cpu, struct fallback *fallback)
{
	uint64_t address = ((uint64_t)1 << (cpu->phys_bits ? cpu->phys_bits : 36)) - 1;
	uint64_t cap, v, mask;
	unsigned n = 0;

	if (!msr_read(MSR_MTRRCAP, &cap) || !msr_read(MSR_MTRR_DEF_TYPE, &v) || !(v & MTRR_ENABLE))
		return 0;
	*fallback = (struct fallback){ (uint8_t)v, forced_end(cpu) };
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
static uint8_t type_at(const struct range *r, unsigned n, const struct fallback *fallback,
                       uint64_t address)
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
	if (type == 0xff && address >> 32 && address < fallback->tom2)
		return WB;
	return type == 0xff ? fallback->type : type;
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
	struct fallback fallback = { .type = 0xff };
	uint8_t first;
	unsigned n;

	if (!cpu_has(cpu, CPU_MTRR) || !cpu_has(cpu, CPU_MSR))
		return "unknown";
	n = read_mtrrs(r, cpu, &fallback);
	if (!n && fallback.type == 0xff)
		return "unknown";
	first = type_at(r, n, &fallback, base);
	for (uint64_t at = base; at < base + size; at += STEP)
		if (type_at(r, n, &fallback, at) != first)
			return "mixed";
	return type_name(first);
}
