/*
 * Page tables of the width of the kernel: two levels without PAE in 32-bit mode, four in 64-bit
 * mode (SDM volume 3, "Paging").
 */
#ifndef KERNEL_TRAP_PAGING_H
#define KERNEL_TRAP_PAGING_H

#include <stdint.h>

/* Bits of an entry. */
enum {
	PAGE_PRESENT = 1 << 0,
	PAGE_WRITE = 1 << 1,
	PAGE_USER = 1 << 2, /* open to CPL 3 */
	PAGE_PWT = 1 << 3,
	PAGE_PCD = 1 << 4,    /* with PAGE_PWT: uncacheable, whatever the MTRRs say */
	PAGE_LARGE = 1 << 7,  /* above the last level: the entry maps a page, no table */
	PAGE_GLOBAL = 1 << 8, /* with CR4.PGE: a load of CR3 leaves its translation */
	PAGE_OPEN = PAGE_PRESENT | PAGE_WRITE | PAGE_USER,
};

enum {
	PAGING_TABLE = 4096,                               /* bytes */
	PAGING_ENTRIES = PAGING_TABLE / sizeof(uintptr_t), /* of a table */
	PAGING_BITS = sizeof(uintptr_t) == 8 ? 9 : 10,     /* of the address, a level */
	PAGING_TOP = sizeof(uintptr_t) == 8 ? 39 : 22,     /* shift of the first level */
	PAGING_SMALL = 12,
	PAGING_LARGE = sizeof(uintptr_t) == 8
	                       ? 21
	                       : 22, /* the large page that all CPUs with large pages have */
};

/* The address bits of an entry for a table: no such entry has NX or other upper bits. */
#define PAGING_ADDRESS (~(uintptr_t)(PAGING_TABLE - 1))

/*
 * Returns the entry for the page of 1 << shift bytes at `linear`, below `root`. Makes missing
 * tables, at most three, at *free, and moves *free behind them. A large page on the way becomes a
 * table of smaller pages that map the same memory.
 */
uintptr_t *paging_entry(uintptr_t *root, uintptr_t **free, uintptr_t linear, unsigned shift);

/*
 * The same for a `root` that began as a copy of `base` and shares tables with it. Shared tables on
 * the way are copied first, so that the entry belongs to `root` alone. Uses at most three tables.
 */
uintptr_t *paging_own(uintptr_t *root, const uintptr_t *base, uintptr_t **free, uintptr_t linear,
                      unsigned shift);

#endif
