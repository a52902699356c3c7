/*
 * How far the TLBs reach: each of n pages is loaded from once. Each load gives the address of the
 * next, and the order of the pages follows no stride. The pages have the wanted size and lie in a
 * window of linear addresses that is mapped for this purpose alone (bench/suite/pages.h).
 */
#include "bench/bench.h"
#include "bench/suite/generated.h"
#include "bench/suite/pages.h"
#include "kernel/trap/paging.h"

enum {
	SMALL_PAGES = 8 << 20, /* bytes of linear addresses for 2048 pages of 4 KiB */
	LINE = 64,
	COPIES = 16,
	ROUNDS_MIN = 32,
	GIB_SHIFT = 30,
};

static const uint8_t load_next[] = { 0x48, 0x8b, 0x36 }; /* MOV XSI, [XSI]; REX.W in 64-bit mode */

static const struct row {
	const char *name, *what, *needs;
	uint8_t widths, shift; /* of the page size */
	uint16_t first, last;  /* pages, doubled */
} rows[] = {
	{ "tlb.4k", "a dependent load, each of so many pages of 4 KiB in turn", "pse",
	  SNIPPET_32 | SNIPPET_64, 12, 16, 2048 },
	{ "tlb.4m", "a dependent load, each of so many pages of 4 MiB in turn", "pse", SNIPPET_32,
	  22, 4, 32 },
	{ "tlb.2m", "a dependent load, each of so many pages of 2 MiB in turn", "", SNIPPET_64, 21,
	  8, 2048 },
	{ "tlb.1g", "a dependent load, each of so many pages of 1 GiB in turn", "page1gb",
	  SNIPPET_64, 30, 2, 64 },
};

/*
 * Linear addresses that nothing else uses while the benchmark runs: the second 512 GiB. The 32-bit
 * kernel has small pages in the arena's own place, and large ones in the 128 MiB from 1 GiB on, or
 * from 1.5 GiB if the arena lies there.
 */
static uintptr_t window_of(const struct bench_area *area, unsigned shift)
{
	uintptr_t low = 0x40000000, end = 0x48000000, arena = (uintptr_t)area->arena;

	if (sizeof(uintptr_t) == 8)
		return (uintptr_t)1 << (PAGING_TOP & (sizeof(uintptr_t) * 8 - 1));
	if (shift == 12 && !(arena & ((1u << 22) - 1)) && area->arena_size > SMALL_PAGES)
		return arena;
	return arena < end && arena + area->arena_size > low ? 0x60000000 : low;
}

/* Node i lies in line i of the arena, and is seen through page i of the window. */
static uintptr_t node(const struct bench_area *area, uintptr_t i)
{
	return (uintptr_t)area->arena + i * LINE;
}

static uintptr_t seen(const struct bench_area *area, uintptr_t i, unsigned shift)
{
	uintptr_t inside = ((uintptr_t)1 << shift) - 1;

	return window_of(area, shift) + (i << shift) + (node(area, i) & inside);
}

static void setup(const struct bench *b, const struct bench_area *area)
{
	uintptr_t n = b->arg[0], at = 0;
	unsigned shift = (unsigned)b->arg[1];
	struct pages pages = pages_begin(area);

	for (uintptr_t i = 0; i < n; i++) {
		uintptr_t next = (at * 1664525 + 1013904223) & (n - 1);

		pages_map(&pages, seen(area, at, shift), node(area, at), shift);
		*(uintptr_t *)node(area, at) = seen(area, next, shift);
		at = next;
	}
}

static void fill(struct bench *b, const struct row *row, uintptr_t n, const struct bench_area *area)
{
	bool wide = sizeof(uintptr_t) == 8;

	generated_base(b, row->what, row->needs);
	generated_name(b, row->name, n, false);
	b->widths = row->widths;
	b->body = wide ? load_next : load_next + 1;
	b->body_size = wide ? 3 : 2;
	b->insns = 1;
	b->branches_known = true; /* there is none */
	b->unroll = COPIES;
	b->loop = n / COPIES > ROUNDS_MIN ? (uint32_t)(n / COPIES) : ROUNDS_MIN;
	b->setup = setup;
	b->walk = true;
	b->arg[0] = n;
	b->arg[1] = row->shift;
	b->set_mask = 1u << REG_SI;
	b->set[REG_SI] = seen(area, 0, row->shift);
	b->flags |= SNIPPET_PRIVILEGED; /* also in a process, which has no pages of its choice */
	pages_enter(b, area);
}

static bool tlb_get(unsigned i, struct bench *b, const struct cpu *cpu,
                    const struct bench_area *area, const char **skip)
{
	(void)cpu;
	for (unsigned r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
		for (uintptr_t n = rows[r].first; n <= rows[r].last; n *= 2) {
			if (i--)
				continue;
			fill(b, &rows[r], n, area);
			if (area->arena_size < PAGES_ARENA_LEAST)
				*skip = "the arena is too small";
			else if (rows[r].shift == GIB_SHIFT && !area->whole_gib)
				*skip = "the GiB around the arena has memory of several types";
			return true;
		}
	return false;
}

static const struct bench_source tlb = { .name = "tlb", .get = tlb_get };
BENCH_SOURCE(tlb);
