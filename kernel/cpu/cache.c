/*
 * Caches and TLBs, from every leaf that describes them. The code asks the leaves in order of trust.
 * Each leaf may only add what the earlier leaves did not tell: a CPU whose leaf 4 stops early still
 * gets its L2 from leaf 2.
 * Sources: SDM volume 2A "CPUID" leaves 2, 4, 18H; AMD APM volume 3 appendix E, leaves
 * 8000_0005H, 6H, 19H, 1DH; data books of the 486 and the Pentium, which have no such leaf.
 */
#include <stddef.h>

#include "kernel/cpu/internal.h"
#include "kernel/cpu/leaf2.h"

#define V(vendor) (1u << (vendor))

enum { SUBLEAVES = 32 }; /* more than any CPU has; stops a list that never ends */

static bool overlaps(uint8_t a, uint8_t b)
{
	if (a == CACHE_TRACE || b == CACHE_TRACE)
		return a == b;
	return a == b || a == CACHE_UNIFIED || b == CACHE_UNIFIED;
}

/* Both lists are in order of level, and within a level in the order in which CPUID tells them. */
static void add_cache(struct cpu *c, struct cpu_cache k)
{
	uint32_t way_bytes = (k.ways ? k.ways : 1u) * k.line;
	unsigned at = c->ncaches;

	if (!k.size || c->ncaches == CPU_CACHES)
		return;
	for (unsigned i = 0; i < c->ncaches; i++)
		if (c->caches[i].level == k.level && overlaps(c->caches[i].type, k.type))
			return;
	if (k.ways == CPU_WAYS_FULL)
		k.sets = 1;
	else if (k.ways != CPU_WAYS_UNKNOWN && way_bytes)
		k.sets = k.size / way_bytes;
	for (c->ncaches++; at && c->caches[at - 1].level > k.level; at--)
		c->caches[at] = c->caches[at - 1];
	c->caches[at] = k;
}

static void add_tlb(struct cpu *c, struct cpu_tlb t)
{
	unsigned at = c->ntlbs;

	if (!t.entries || c->ntlbs == CPU_TLBS)
		return;
	for (c->ntlbs++; at && c->tlbs[at - 1].level > t.level; at--)
		c->tlbs[at] = c->tlbs[at - 1];
	c->tlbs[at] = t;
}

/* Leaves 4 and 8000001DH: size is ways * partitions * line * sets. */
static void caches_by_subleaf(struct cpu *c, cpuid_fn cpuid, uint32_t leaf, const char *source)
{
	for (uint32_t i = 0; i < SUBLEAVES; i++) {
		struct cpuid_regs r = cpu_leaf(c, cpuid, leaf, i);
		uint32_t type = cpu_bits(r.eax, 4, 0);
		uint32_t line = cpu_bits(r.ebx, 11, 0) + 1;
		uint32_t ways = cpu_bits(r.ebx, 31, 22) + 1;
		uint64_t size = (uint64_t)line * (cpu_bits(r.ebx, 21, 12) + 1) * ways *
		                ((uint64_t)r.ecx + 1);

		if (!type)
			break;
		if (type > CACHE_UNIFIED || size > 0xffffffff)
			continue;
		add_cache(c,
		          (struct cpu_cache){ .level = cpu_bits(r.eax, 7, 5),
		                              .type = type,
		                              .size = size,
		                              .ways = cpu_bits(r.eax, 9, 9) ? CPU_WAYS_FULL : ways,
		                              .line = line,
		                              .shared_by = cpu_bits(r.eax, 25, 14) + 1,
		                              .source = source });
	}
}

static void caches_leaf4(struct cpu *c, cpuid_fn cpuid)
{
	caches_by_subleaf(c, cpuid, 4, "leaf4");
}

static void caches_8000001d(struct cpu *c, cpuid_fn cpuid)
{
	if (cpu_has(c, CPU_TOPOEXT))
		caches_by_subleaf(c, cpuid, 0x8000001d, "8000001d");
}

/*
 * The up to 15 descriptors of leaf 2, in any order; a register with bit 31 set holds none. AL says
 * how often to ask, and every CPU known says once.
 */
static unsigned leaf2_bytes(const struct cpu *c, cpuid_fn cpuid, uint8_t bytes[16])
{
	struct cpuid_regs r = cpu_leaf(c, cpuid, 2, 0);
	const uint32_t regs[] = { r.eax & ~0xffu, r.ebx, r.ecx, r.edx };
	unsigned n = 0;

	for (unsigned i = 0; i < 16; i++) {
		uint32_t v = regs[i / 4];
		uint8_t byte = v >> 8 * (i % 4) & 0xff;

		if (!(v >> 31) && byte)
			bytes[n++] = byte;
	}
	return n;
}

static void caches_leaf2(struct cpu *c, cpuid_fn cpuid)
{
	uint8_t bytes[16];
	unsigned n = leaf2_bytes(c, cpuid, bytes);

	for (unsigned i = 0; i < n; i++) {
		const struct leaf2_cache *row = leaf2_caches;
		struct cpu_cache k;

		while (row->descriptor && row->descriptor != bytes[i])
			row++;
		k = (struct cpu_cache){ .level = row->level,
			                .type = row->type,
			                .size = row->size_k * 1024u,
			                .ways = row->ways,
			                .line = row->line,
			                .source = "leaf2" };
		/* 49H is the L3 of the Xeon MP and the L2 of everything else. */
		if (row->descriptor == 0x49 && c->family == 15 && c->model == 6)
			k.level = 3;
		add_cache(c, k);
	}
}

static void tlbs_leaf2(struct cpu *c, cpuid_fn cpuid)
{
	uint8_t bytes[16];
	unsigned n = leaf2_bytes(c, cpuid, bytes);

	for (unsigned i = 0; i < n; i++)
		for (const struct leaf2_tlb *row = leaf2_tlbs; row->descriptor; row++)
			if (row->descriptor == bytes[i])
				add_tlb(c, (struct cpu_tlb){ .level = row->level,
				                             .type = row->type,
				                             .pages = row->pages,
				                             .ways = row->ways,
				                             .entries = row->entries,
				                             .source = "leaf2" });
}

static void tlbs_leaf18(struct cpu *c, cpuid_fn cpuid)
{
	uint32_t last = cpu_leaf(c, cpuid, 0x18, 0).eax;

	for (uint32_t i = 0; i <= last && i < SUBLEAVES; i++) {
		struct cpuid_regs r = cpu_leaf(c, cpuid, 0x18, i);
		uint32_t ways = cpu_bits(r.ebx, 31, 16);
		uint32_t type = cpu_bits(r.edx, 4, 0);

		if (!type || type > TLB_STORE)
			continue;
		add_tlb(c, (struct cpu_tlb){ .level = cpu_bits(r.edx, 7, 5),
		                             .type = type,
		                             .pages = cpu_bits(r.ebx, 3, 0),
		                             .ways = cpu_bits(r.edx, 8, 8) ? CPU_WAYS_FULL : ways,
		                             .entries = ways * r.ecx,
		                             .source = "leaf18" });
	}
}

/* The four-bit code of 80000006H and 80000019H; 0 is "off" and 9 "see 8000001DH". */
static uint16_t amd_ways(uint32_t code)
{
	static const uint16_t ways[] = {
		CPU_WAYS_UNKNOWN,
		1,
		2,
		3,
		4,
		6,
		8,
		CPU_WAYS_UNKNOWN,
		16,
		CPU_WAYS_UNKNOWN,
		32,
		48,
		64,
		96,
		128,
		CPU_WAYS_FULL,
	};

	return ways[code & 15];
}

/* 80000005H writes ways as they are; FFH means fully associative. */
static uint16_t l1_ways(uint32_t code)
{
	return code == 0xff ? CPU_WAYS_FULL : code;
}

static void caches_80000005(struct cpu *c, cpuid_fn cpuid)
{
	struct cpuid_regs l1 = cpu_leaf(c, cpuid, 0x80000005, 0);
	struct cpuid_regs l2 = cpu_leaf(c, cpuid, 0x80000006, 0);
	const struct {
		uint32_t reg;
		uint8_t type;
	} first[] = { { l1.ecx, CACHE_DATA }, { l1.edx, CACHE_CODE } };

	for (unsigned i = 0; i < 2; i++)
		add_cache(c, (struct cpu_cache){ .level = 1,
		                                 .type = first[i].type,
		                                 .size = cpu_bits(first[i].reg, 31, 24) * 1024,
		                                 .ways = l1_ways(cpu_bits(first[i].reg, 23, 16)),
		                                 .line = cpu_bits(first[i].reg, 7, 0),
		                                 .source = "80000005" });
	if (cpu_bits(l2.ecx, 15, 12))
		add_cache(c, (struct cpu_cache){ .level = 2,
		                                 .type = CACHE_UNIFIED,
		                                 .size = cpu_bits(l2.ecx, 31, 16) * 1024,
		                                 .ways = amd_ways(cpu_bits(l2.ecx, 15, 12)),
		                                 .line = cpu_bits(l2.ecx, 7, 0),
		                                 .source = "80000006" });
	if (cpu_bits(l2.edx, 15, 12))
		add_cache(c, (struct cpu_cache){ .level = 3,
		                                 .type = CACHE_UNIFIED,
		                                 .size = cpu_bits(l2.edx, 31, 18) * 512 * 1024,
		                                 .ways = amd_ways(cpu_bits(l2.edx, 15, 12)),
		                                 .line = cpu_bits(l2.edx, 7, 0),
		                                 .source = "80000006" });
}

/* One register of 80000006H or 80000019H: data TLB in the upper half, code TLB in the lower. */
static void add_amd_pair(struct cpu *c, uint32_t reg, uint8_t level, uint8_t pages, uint32_t scale,
                         const char *source)
{
	const uint8_t types[] = { TLB_CODE, TLB_DATA };

	for (unsigned i = 0; i < 2; i++, reg >>= 16)
		if (cpu_bits(reg, 15, 12))
			add_tlb(c, (struct cpu_tlb){ .level = level,
			                             .type = types[i],
			                             .pages = pages,
			                             .ways = amd_ways(cpu_bits(reg, 15, 12)),
			                             .entries = cpu_bits(reg, 11, 0) * scale,
			                             .source = source });
}

/* Entries are counted for 2 MiB pages; a 4 MiB page takes two of them. */
static void tlbs_amd(struct cpu *c, cpuid_fn cpuid)
{
	struct cpuid_regs l1 = cpu_leaf(c, cpuid, 0x80000005, 0);
	struct cpuid_regs l2 = cpu_leaf(c, cpuid, 0x80000006, 0);
	struct cpuid_regs gb = cpu_leaf(c, cpuid, 0x80000019, 0);
	/* 80000021H:EAX[14], L2TlbSizeX32: twelve bits no longer hold the number (Zen 5). */
	uint32_t scale = cpu_leaf(c, cpuid, 0x80000021, 0).eax >> 14 & 1 ? 32 : 1;
	const struct {
		uint32_t half;
		uint8_t type, pages;
	} first[] = {
		{ l1.eax, TLB_CODE, 2 },
		{ l1.eax >> 16, TLB_DATA, 2 },
		{ l1.ebx, TLB_CODE, 1 },
		{ l1.ebx >> 16, TLB_DATA, 1 },
	};

	for (unsigned i = 0; i < 4; i++)
		add_tlb(c, (struct cpu_tlb){ .level = 1,
		                             .type = first[i].type,
		                             .pages = first[i].pages,
		                             .ways = l1_ways(cpu_bits(first[i].half, 15, 8)),
		                             .entries = cpu_bits(first[i].half, 7, 0),
		                             .source = "80000005" });
	add_amd_pair(c, l2.eax, 2, 2, scale, "80000006");
	add_amd_pair(c, l2.ebx, 2, 1, scale, "80000006");
	add_amd_pair(c, gb.eax, 1, 8, 1, "80000019");
	add_amd_pair(c, gb.ebx, 2, 8, scale, "80000019");
}

/* Intel CPUs from before leaf 2. No leaf tells of the external L2 of these machines. */
struct family_cache {
	uint8_t family;
	uint16_t models; /* bit n: model n */
	uint8_t type, size_k, ways, line;
};

/* clang-format off */
static const struct family_cache family_caches[] = {
	{ 4, 0xffff & ~0x300,          CACHE_UNIFIED,  8, 4, 16 }, /* 486 */
	{ 4, 0x300,                    CACHE_UNIFIED, 16, 4, 16 }, /* 486 DX4 */
	{ 5, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7, CACHE_DATA, 8, 2, 32 }, /* P5, P54C */
	{ 5, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7, CACHE_CODE, 8, 2, 32 },
	{ 5, 1 << 3 | 1 << 4 | 1 << 8, CACHE_DATA,    16, 4, 32 }, /* P55C; P24T unverified */
	{ 5, 1 << 3 | 1 << 4 | 1 << 8, CACHE_CODE,    16, 4, 32 },
	{ 5, 1 << 9 | 1 << 10,         CACHE_UNIFIED, 16, 4, 16 }, /* Quark; ways unverified */
};
/* clang-format on */

static void caches_by_family(struct cpu *c, cpuid_fn cpuid)
{
	(void)cpuid;
	for (unsigned i = 0; i < sizeof(family_caches) / sizeof(family_caches[0]); i++) {
		const struct family_cache *row = &family_caches[i];

		if (row->family != c->family || c->model > 15 || !(row->models >> c->model & 1))
			continue;
		add_cache(c, (struct cpu_cache){ .level = 1,
		                                 .type = row->type,
		                                 .size = row->size_k * 1024u,
		                                 .ways = row->ways,
		                                 .line = row->line,
		                                 .source = "family" });
	}
}

struct method {
	uint32_t vendors;
	void (*find)(struct cpu *c, cpuid_fn cpuid);
};

#define LEAF4_VENDORS (V(VENDOR_INTEL) | V(VENDOR_ZHAOXIN) | V(VENDOR_CENTAUR))
#define AMD_VENDORS   (V(VENDOR_AMD) | V(VENDOR_HYGON))

static const struct method cache_methods[] = {
	{ LEAF4_VENDORS, caches_leaf4 },       { V(VENDOR_INTEL), caches_leaf2 },
	{ AMD_VENDORS, caches_8000001d },      { ~V(VENDOR_INTEL), caches_80000005 },
	{ V(VENDOR_INTEL), caches_by_family },
};

static const struct method tlb_methods[] = {
	{ V(VENDOR_INTEL), tlbs_leaf2 },
	{ LEAF4_VENDORS, tlbs_leaf18 },
	{ ~V(VENDOR_INTEL), tlbs_amd },
};

void cpu_find_caches(struct cpu *c, cpuid_fn cpuid)
{
	for (unsigned i = 0; i < sizeof(cache_methods) / sizeof(cache_methods[0]); i++)
		if (cache_methods[i].vendors & V(c->vendor))
			cache_methods[i].find(c, cpuid);
}

void cpu_find_tlbs(struct cpu *c, cpuid_fn cpuid)
{
	for (unsigned i = 0; i < sizeof(tlb_methods) / sizeof(tlb_methods[0]); i++)
		if (tlb_methods[i].vendors & V(c->vendor))
			tlb_methods[i].find(c, cpuid);
}
