/*
 * The window onto physical memory above 4 GiB (kernel/chipset/ioremap.h).
 *
 * Sources: SDM volume 3, "Paging" (4-level paging, 2 MiB pages) and "Page Attribute Table (PAT)".
 * Entry 1 of the PAT, which pages select by PWT alone, is write-through after reset, and no page of
 * this kernel selects it. So it is made write-combining. The upper four entries cannot be used:
 * errata of the first 64-bit processors ignore the bit that selects them (Linux,
 * arch/x86/mm/pat/memtype.c).
 */
#include <stdbool.h>

#include "kernel/chipset/phys.h"
#include "kernel/chipset/ioremap.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"

enum {
	ENTRIES = 512,
	PAGE_SHIFT = 21, /* 2 MiB pages */
	PRESENT_WRITE = 3,
	USER = 4,
	TABLE = 4096,
	WRITE_THROUGH = 1 << 3, /* with the PAT below: write-combining */
	CACHE_DISABLE = 1 << 4,
	LARGE = 1 << 7,
	MSR_IA32_PAT = 0x277,
	PAT_ENTRY1_SHIFT = 8,
	PAT_WRITE_COMBINING = 1,
	CPUID1_EDX_PAT = 1 << 16,
};
#define PAGE_SIZE ((uint64_t)1 << PAGE_SHIFT)
#define GIB       ((uint64_t)1 << IOREMAP_SHIFT)

static uint64_t directory[ENTRIES] __attribute__((aligned(4096)));
static unsigned used; /* entries of the directory */

/* Makes PAT entry 1 write-combining; false if the CPU has no PAT. */
static bool combine_writes(void)
{
	uint64_t pat;

	if (!(x86_cpuid(1, 0).edx & CPUID1_EDX_PAT) || !msr_read(MSR_IA32_PAT, &pat))
		return false;
	pat &= ~(UINT64_C(0xff) << PAT_ENTRY1_SHIFT);
	pat |= (uint64_t)PAT_WRITE_COMBINING << PAT_ENTRY1_SHIFT;
	return msr_write(MSR_IA32_PAT, pat);
}

/* The kernel's table of entries for 1 GiB each, behind the first entry of the top level. */
static uint64_t *pointer_table(void)
{
	uint64_t *top = (uint64_t *)(x86_cr3() & ~(uintptr_t)4095);

	return (uint64_t *)(top[0] & ~(uint64_t)4095);
}

uintptr_t ioremap(uint64_t address, uint64_t size, enum ioremap_kind kind)
{
	uint64_t first = address & ~(PAGE_SIZE - 1), pages, type = CACHE_DISABLE | WRITE_THROUGH;
	unsigned at = used;

	if (!size || size > UINT64_MAX - address)
		return 0;
	if (kind == IOREMAP_DEVICE && address + size <= PHYS_LIMIT)
		return (uintptr_t)address;
	pages = (address + size - first + PAGE_SIZE - 1) >> PAGE_SHIFT;
	if (pages > ENTRIES - used)
		return 0;
	if (kind == IOREMAP_SCREEN && combine_writes())
		type = WRITE_THROUGH;
	for (uint64_t i = 0; i < pages; i++)
		directory[used++] = (first + (i << PAGE_SHIFT)) | PRESENT_WRITE | LARGE | type;
	/* No entry was present before, and such entries are in no TLB. */
	pointer_table()[IOREMAP_START >> IOREMAP_SHIFT] = ioremap_entry();
	return (uintptr_t)(IOREMAP_START + ((uint64_t)at << PAGE_SHIFT) + (address - first));
}

uintptr_t ioremap_entry(void)
{
	return used ? (uintptr_t)directory | PRESENT_WRITE : 0;
}

static uint64_t above_4_gib(uint64_t base)
{
	return base < PHYS_LIMIT ? PHYS_LIMIT : base;
}

/* A directory for each GiB that the memory has a part of. */
size_t ioremap_memory_tables(uint64_t base, uint64_t size)
{
	uint64_t first = above_4_gib(base), end = base + size;

	if (first >= end)
		return 0;
	return ((end - 1) / GIB - first / GIB + 1) * TABLE;
}

void ioremap_memory(uint64_t base, uint64_t size, void *tables)
{
	uint64_t *table = tables, first = above_4_gib(base), end = base + size;

	for (uint64_t at = first & ~(GIB - 1); at < end; at += GIB, table += ENTRIES) {
		memset(table, 0, TABLE);
		for (uint64_t i = 0; i < ENTRIES; i++) {
			uint64_t page = at + (i << PAGE_SHIFT);

			if (page >= first && page < end)
				table[i] = page | PRESENT_WRITE | USER | LARGE;
		}
		/* As above: what was not present is in no TLB, of no CPU. */
		pointer_table()[at >> IOREMAP_SHIFT] = (uintptr_t)table | PRESENT_WRITE | USER;
	}
}

uint64_t ioremap_memory_limit(void)
{
	return IOREMAP_START;
}
