/*
 * sim/cpu/memory.c - guest memory by linear address, for what the simulator does itself: delivering
 * exceptions, writing PEBS records, reading code. Page walks follow SDM volume 3A, "Paging".
 */
#include "sim/cpu/memory.h"

#include <string.h>

#include "sim/cpu/cpu.h"
#include "sim/cpu/machine.h"

enum {
	PTE_PRESENT = 1,
	PTE_WRITE = 2,
	PTE_USER = 4,
	PTE_PCD = 16,
	PTE_LARGE = 128,
	PTE_GLOBAL = 256
};
enum { CR4_PSE = 1 << 4, CR4_PAE = 1 << 5, CR4_LA57 = 1 << 12 };

static bool entry_at(const struct cpu *cpu, uint64_t address, unsigned size, uint64_t *entry)
{
	const void *p = machine_ram(cpu->pc, address, size);

	*entry = 0;
	if (!p)
		return false;
	memcpy(entry, p, size);
	return *entry & PTE_PRESENT;
}

static bool set_page(struct page *page, uint64_t linear, uint64_t base, uint64_t size,
                     uint64_t rights)
{
	page->linear = linear & ~(size - 1);
	page->physical = base & 0x000ffffffffff000 & ~(size - 1);
	page->size = size;
	page->writable = rights & PTE_WRITE;
	page->user = rights & PTE_USER;
	page->uncached = base & PTE_PCD;
	page->global = base & PTE_GLOBAL;
	return true;
}

static bool walk_legacy(const struct cpu *cpu, uint64_t linear, struct page *page)
{
	uint64_t entry, rights;

	if (!entry_at(cpu, (cpu->cr3 & 0xfffff000) + (linear >> 22 & 0x3ff) * 4, 4, &entry))
		return false;
	if (entry & PTE_LARGE && cpu->cr4 & CR4_PSE)
		return set_page(page, linear,
		                (entry & 0xffc00000) | (entry & 0x1fe000) << 19 |
		                        (entry & (PTE_PCD | PTE_GLOBAL)),
		                4u << 20, entry);
	rights = entry;
	if (!entry_at(cpu, (entry & 0xfffff000) + (linear >> 12 & 0x3ff) * 4, 4, &entry))
		return false;
	return set_page(page, linear, entry, 4096, rights & entry);
}

/* PAE, 4-level and 5-level: entries of 8 bytes, 9 bits of address a level. */
static bool walk_long(const struct cpu *cpu, uint64_t linear, struct page *page)
{
	unsigned shift = !cpu->long_mode ? 30 : cpu->cr4 & CR4_LA57 ? 48 : 39;
	uint64_t table = cpu->cr3 & (cpu->long_mode ? 0x000ffffffffff000 : 0xffffffe0);
	uint64_t entry, rights = PTE_WRITE | PTE_USER;

	for (;; shift -= 9) {
		uint64_t index = linear >> shift & (shift == 30 && !cpu->long_mode ? 3 : 0x1ff);

		if (!entry_at(cpu, table + index * 8, 8, &entry))
			return false;
		/* the four entries at the top of PAE have no rights */
		if (cpu->long_mode || shift != 30)
			rights &= entry;
		if (shift == 12)
			return set_page(page, linear, entry, 4096, rights);
		if (entry & PTE_LARGE && (shift == 21 || (shift == 30 && cpu->long_mode)))
			return set_page(page, linear, entry, 1ull << shift, rights);
		table = entry & 0x000ffffffffff000;
	}
}

bool memory_translate(const struct cpu *cpu, uint64_t linear, struct page *page)
{
	if (!cpu->paging)
		return set_page(page, linear, linear, 4096, PTE_WRITE | PTE_USER);
	if (cpu->cr4 & CR4_PAE)
		return walk_long(cpu, linear, page);
	return walk_legacy(cpu, (uint32_t)linear, page);
}

bool memory_chunk(struct cpu *cpu, uint64_t linear, size_t size, size_t *n, uint64_t *physical,
                  uint8_t **at)
{
	struct page page;

	*n = 4096 - (linear & 4095);
	if (*n > size)
		*n = size;
	if (!memory_translate(cpu, linear, &page))
		return false;
	*physical = page.physical + (linear & (page.size - 1));
	*at = machine_ram(cpu->pc, *physical, *n);
	return true;
}

bool memory_read(struct cpu *cpu, uint64_t linear, void *to, size_t size)
{
	uint8_t *out = to;

	while (size) {
		size_t n;
		uint64_t physical;
		uint8_t *from;

		if (!memory_chunk(cpu, linear, size, &n, &physical, &from))
			return false;
		if (from)
			memcpy(out, from, n);
		else
			memset(out, 0xff, n);
		out += n;
		linear += n;
		size -= n;
	}
	return true;
}

bool memory_canonical(const struct cpu *cpu, uint64_t linear)
{
	unsigned above = cpu->cr4 & CR4_LA57 ? 7 : 16;

	return (uint64_t)((int64_t)(linear << above) >> above) == linear;
}
