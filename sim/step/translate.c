/*
 * sim/step/translate.c - the TLBs. What they miss, the page tables answer (sim/cpu/memory.c).
 */
#include "sim/step/translate.h"

#include "sim/cpu/machine.h"
#include "sim/cpu/memory.h"
#include "sim/model/models.h"

enum { CR4_PAE = 1 << 5, CR4_PGE = 1 << 7, CR4_PCIDE = 1 << 17 };

static unsigned large_shift(const struct cpu *cpu)
{
	return (cpu->cr4 & CR4_PAE) ? 21 : 22;
}

/* Signals of one TLB, for data reads, data writes and code. */
struct tlb_signals {
	uint8_t miss, stlb, walk;
};

static const struct tlb_signals tlb_signals[] = {
	[ACCESS_READ] = { SIG_DTLB_LOAD_MISS, SIG_DTLB_LOAD_STLB, SIG_DTLB_LOAD_WALK },
	[ACCESS_WRITE] = { SIG_DTLB_STORE_MISS, SIG_DTLB_STORE_STLB, SIG_DTLB_STORE_WALK },
	[ACCESS_CODE] = { SIG_ITLB_MISS, SIG_ITLB_STLB, SIG_ITLB_WALK },
};

/* By page size: 4 KiB, 2 or 4 MiB, 1 GiB. */
static const uint16_t walk_by_size[][3] = {
	[ACCESS_READ] = { SIG_DTLB_LOAD_WALK_4K, SIG_DTLB_LOAD_WALK_2M, SIG_DTLB_LOAD_WALK_1G },
	[ACCESS_WRITE] = { SIG_DTLB_STORE_WALK_4K, SIG_DTLB_STORE_WALK_2M, SIG_DTLB_STORE_WALK_1G },
	[ACCESS_CODE] = { SIG_ITLB_WALK_4K, SIG_ITLB_WALK_2M, SIG_ITLB_WALK_1G },
};

static const uint16_t stlb_by_size[3] = { SIG_DTLB_STLB_4K, SIG_DTLB_STLB_2M, SIG_DTLB_STLB_1G };

static unsigned size_index(const struct page *page)
{
	return page->size == 4096 ? 0 : page->size < 1u << 30 ? 1 : 2;
}

/* Clocks that the translation takes, and those of them that are a page walk. */
static void wait_for(struct cpu *cpu, enum access_kind kind, uint32_t clocks, uint32_t walk)
{
	cpu->flight.stall += clocks;
	if (kind == ACCESS_CODE) {
		cpu->flight.core_dyn.fetch_tlb += clocks;
		cpu->flight.core_dyn.fetch_walk += walk;
	} else {
		cpu->flight.walk += walk;
		cpu->flight.stlb += clocks - walk;
	}
}

/*
 * Entries of the tables that a walk reads, down from the lowest one that a paging-structure cache
 * has (SDM 3A, 4.10.3). The root's entry costs nothing. Without such caches all walks are alike: 1.
 */
static uint32_t levels_read(struct cpu *cpu, uint64_t linear, bool small)
{
	struct hierarchy *mem = &cpu->mem;
	const unsigned shift = large_shift(cpu);
	uint32_t n = 1;

	if (!mem->pde.entry || (small && tlb_lookup(&mem->pde, linear, shift)))
		return 1;
	if (small) {
		tlb_fill(&mem->pde, linear, 0, shift, false);
		n++;
	}
	if (cpu->cr4 & CR4_PAE && !tlb_lookup(&mem->pdpte, linear, 30)) {
		tlb_fill(&mem->pdpte, linear, 0, 30, false);
		n++;
	}
	return n;
}

/* First-level TLB missed: second level, then the page tables. False: no such page. */
static bool tlb_refill(struct cpu *cpu, uint64_t linear, enum access_kind kind, uint64_t *physical)
{
	const struct costs *costs = &cpu->model->costs;
	const struct tlb_signals *sig = &tlb_signals[kind];
	struct hierarchy *mem = &cpu->mem;
	struct tlb *first = kind == ACCESS_CODE ? &mem->itlb : &mem->dtlb;
	struct tlb *first_large = kind == ACCESS_CODE ? &mem->itlb_large : &mem->dtlb_large;
	struct tlb_entry *entry;
	struct page page;
	unsigned shift;
	uint32_t walk;

	if (!memory_translate(cpu, linear, &page))
		return false;
	if (!first->entry) { /* a model without TLBs */
		*physical = page.physical + (linear & (page.size - 1));
		return true;
	}
	step_signal(cpu, (enum sim_signal)sig->miss, 1);
	page.global &= (cpu->cr4 & CR4_PGE) != 0;
	shift = page.size == 4096 ? 12 : large_shift(cpu);
	page.physical += linear & (page.size - 1) & ~((1ull << shift) - 1);
	entry = tlb_lookup(&mem->stlb, linear, shift);
	if (entry) {
		step_signal(cpu, (enum sim_signal)sig->stlb, 1);
		if (kind != ACCESS_CODE)
			step_signal(cpu, (enum sim_signal)stlb_by_size[size_index(&page)], 1);
		wait_for(cpu, kind, costs->stlb_hit, 0);
	} else {
		step_signal(cpu, (enum sim_signal)sig->walk, 1);
		step_signal(cpu, (enum sim_signal)walk_by_size[kind][size_index(&page)], 1);
		walk = costs->walk * levels_read(cpu, linear, page.size == 4096);
		wait_for(cpu, kind, walk, walk);
		tlb_fill(&mem->stlb, linear, page.physical, shift, page.global);
	}
	tlb_fill(shift > 12 && first_large->entry ? first_large : first, linear, page.physical,
	         shift, page.global);
	*physical = page.physical + (linear & ((1ull << shift) - 1));
	return true;
}

/* *size: bytes of the page that was found. */
static bool first_tlb(struct cpu *cpu, struct tlb *small, struct tlb *large, uint64_t linear,
                      uint64_t *physical, uint64_t *size)
{
	struct tlb_entry *entry = tlb_lookup(small, linear, 12);
	unsigned shift = large_shift(cpu);

	if (!entry)
		entry = tlb_lookup(large->entry ? large : small, linear, shift);
	if (!entry)
		return false;
	*physical = entry->physical + (linear & (entry->size - 1));
	*size = entry->size;
	return true;
}

bool translate_data(struct cpu *cpu, uint64_t linear, enum access_kind kind, bool *tlb_miss,
                    uint64_t *physical)
{
	struct hierarchy *mem = &cpu->mem;
	uint64_t page = linear & ~4095ull, size;

	if (!cpu->paging) {
		*physical = linear;
		return true;
	}
	if (mem->last_page == page + 1) {
		*physical = mem->last_phys + (linear & 4095);
		return true;
	}
	if (!first_tlb(cpu, &mem->dtlb, &mem->dtlb_large, linear, physical, &size)) {
		if (!tlb_refill(cpu, linear, kind, physical))
			return false;
		*tlb_miss = true;
	}
	mem->last_page = page + 1;
	mem->last_phys = *physical & ~4095ull;
	return true;
}

bool translate_code(struct cpu *cpu, uint64_t linear, uint64_t *physical)
{
	uint64_t size;

	if (!cpu->paging) {
		*physical = linear;
		return true;
	}
	if (first_tlb(cpu, &cpu->mem.itlb, &cpu->mem.itlb_large, linear, physical, &size)) {
		step_signal(cpu, SIG_ITLB_HIT, 1);
		step_signal(cpu, SIG_ITLB_LARGE_HIT, size > 4096);
		return true;
	}
	if (!tlb_refill(cpu, linear, ACCESS_CODE, physical))
		return false;
	cpu->flight.p5_dyn.code_tlb_miss = 1;
	return true;
}

static void forget_pages(struct cpu *cpu)
{
	cpu->mem.last_page = 0;
	cpu->fetch.page = NEVER;
	cpu->store.page = NEVER;
}

/* Does something with each TLB and each paging-structure cache. */
static void each_tlb(struct cpu *cpu, void (*act)(struct tlb *t, uint64_t with), uint64_t with)
{
	struct hierarchy *mem = &cpu->mem;
	struct tlb *all[] = { &mem->dtlb, &mem->dtlb_large, &mem->itlb, &mem->itlb_large,
		              &mem->stlb, &mem->pde,        &mem->pdpte };

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		act(all[i], with);
	forget_pages(cpu);
}

static void drop_all(struct tlb *t, uint64_t linear)
{
	tlb_drop(t, linear, true);
}

static void drop_own(struct tlb *t, uint64_t linear)
{
	tlb_drop(t, linear, false);
}

void translate_drop(struct cpu *cpu, uint64_t linear, bool globals)
{
	each_tlb(cpu, globals ? drop_all : drop_own, linear);
	tlb_empty_context(&cpu->mem.pde);
	tlb_empty_context(&cpu->mem.pdpte);
}

static void start_anew(struct tlb *t, uint64_t pcid)
{
	tlb_empty(t);
	t->pcid = (uint16_t)pcid;
}

void translate_flush(struct cpu *cpu)
{
	each_tlb(cpu, start_anew, cpu->cr4 & CR4_PCIDE ? cpu->cr3 & 0xfff : 0);
}

static void switch_and_drop(struct tlb *t, uint64_t pcid)
{
	t->pcid = (uint16_t)pcid;
	tlb_empty_context(t);
}

static void switch_and_keep(struct tlb *t, uint64_t pcid)
{
	t->pcid = (uint16_t)pcid;
}

void translate_switch(struct cpu *cpu, uint16_t pcid, bool keep)
{
	each_tlb(cpu, keep ? switch_and_keep : switch_and_drop, pcid);
}

static void empty_contexts(struct tlb *t, uint64_t unused)
{
	(void)unused;
	tlb_empty_contexts(t);
}

void translate_flush_contexts(struct cpu *cpu)
{
	each_tlb(cpu, empty_contexts, 0);
}
