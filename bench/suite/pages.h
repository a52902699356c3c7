/*
 * Pages that exist for one benchmark alone: page tables at the end of the arena, and a window of
 * linear addresses that nothing else uses. Many pages of the window may share a few bytes of
 * memory, so that the data fit into the first-level cache and only translations run short.
 *
 * INIT of the benchmark loads CR3. In the 32-bit kernel, which has no paging otherwise, INIT also
 * turns paging on. The engine puts the control registers back after the last run. An NMI before
 * that ends the 32-bit kernel, because the task of the NMI has a CR3 without page tables.
 *
 * A process (native/pages.c) has no page tables. It asks the system for more mappings of the
 * arena's pages, and INIT has nothing to do.
 */
#ifndef BENCH_SUITE_PAGES_H
#define BENCH_SUITE_PAGES_H

#include "bench/bench.h"
#include "kernel/trap/paging.h"

enum {
	PAGES_TABLES = 64, /* room at the end of the arena, the first level's table included */
	PAGES_BYTES = PAGES_TABLES * 4096,
	PAGES_ARENA_LEAST = 1 << 20, /* bytes that the arena has at least */
};

/* The tables, and where the next one will be. */
struct pages {
	uintptr_t *root, *free;
	uintptr_t more; /* bits of the entries that pages_map() makes, beside PAGE_OPEN */
};

/* The first level's table. */
uintptr_t *pages_root(const struct bench_area *area);

/* Tables that map what the kernel has mapped: 512 GiB in 64-bit mode, all 4 GiB in 32-bit mode. */
struct pages pages_begin(const struct bench_area *area);

/*
 * Maps the page of 1 << shift bytes at `linear` to the memory around `physical`. False: there is no
 * room for more tables.
 */
bool pages_map(struct pages *p, uintptr_t linear, uintptr_t physical, unsigned shift);

/* The reason why no page of 1 << shift bytes can be mapped; NULL: it can be. */
const char *pages_obstacle(unsigned shift);

/* After the last run: nothing is mapped any more, as far as that is needed. */
void pages_end(void);

/* INIT of b enters the tables. b gets XDI, the flag of CPL 0, and INIT. */
void pages_enter(struct bench *b, const struct bench_area *area);

#endif
