/*
 * Page tables (kernel/trap/paging.h).
 */
#include "kernel/trap/paging.h"
#include "kernel/lib/string.h"

/* *entry maps 1 << shift bytes in one piece, or nothing: from now on by `table`. */
static void split(uintptr_t *entry, unsigned shift, uintptr_t *table)
{
	unsigned below = shift - PAGING_BITS;

	memset(table, 0, PAGING_TABLE);
	for (uintptr_t i = 0; *entry && i < PAGING_ENTRIES; i++) {
		table[i] = *entry + (i << below);
		if (below == PAGING_SMALL)
			table[i] &= ~(uintptr_t)PAGE_LARGE;
	}
	*entry = (uintptr_t)table | PAGE_OPEN;
}

uintptr_t *paging_entry(uintptr_t *root, uintptr_t **free, uintptr_t linear, unsigned shift)
{
	uintptr_t *table = root;

	for (unsigned s = PAGING_TOP;; s -= PAGING_BITS) {
		uintptr_t *entry = &table[linear >> s & (PAGING_ENTRIES - 1)];

		if (s == shift)
			return entry;
		if (!*entry || *entry & PAGE_LARGE) {
			split(entry, s, *free);
			*free += PAGING_ENTRIES;
		}
		table = (uintptr_t *)(*entry & PAGING_ADDRESS);
	}
}

uintptr_t *paging_own(uintptr_t *root, const uintptr_t *base, uintptr_t **free, uintptr_t linear,
                      unsigned shift)
{
	uintptr_t *table = root;

	for (unsigned s = PAGING_TOP; s != shift && base; s -= PAGING_BITS) {
		unsigned i = linear >> s & (PAGING_ENTRIES - 1);

		if (!table[i] || table[i] & PAGE_LARGE)
			break;
		if (table[i] == base[i]) {
			memcpy(*free, (const void *)(base[i] & PAGING_ADDRESS), PAGING_TABLE);
			table[i] = (uintptr_t)*free | (table[i] & ~PAGING_ADDRESS);
			*free += PAGING_ENTRIES;
		}
		table = (uintptr_t *)(table[i] & PAGING_ADDRESS);
		base = base[i] && !(base[i] & PAGE_LARGE)
		               ? (const uintptr_t *)(base[i] & PAGING_ADDRESS)
		               : NULL;
	}
	return paging_entry(root, free, linear, shift);
}
