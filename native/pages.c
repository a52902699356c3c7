/*
 * Pages for one benchmark (bench/suite/pages.h), in a process: each is one more mapping of a page
 * of the arena, which is shared memory for this purpose.
 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "bench/suite/pages.h"

static uintptr_t low, high; /* what is mapped lies between the two */

uintptr_t *pages_root(const struct bench_area *area)
{
	return (uintptr_t *)(area->arena + area->arena_size - PAGES_BYTES);
}

void pages_end(void)
{
	if (high)
		munmap((void *)low, high - low);
	low = high = 0;
}

struct pages pages_begin(const struct bench_area *area)
{
	pages_end();
	return (struct pages){ .root = pages_root(area), .free = pages_root(area) };
}

/* With an old size of 0 mremap() maps the same page once more (mremap(2)). */
bool pages_map(struct pages *p, uintptr_t linear, uintptr_t physical, unsigned shift)
{
	const uintptr_t size = (uintptr_t)1 << shift, at = linear & ~(size - 1);
	void *from = (void *)(physical & ~(size - 1));

	(void)p;
	if (mremap(from, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED)
		return false;
	low = !high || at < low ? at : low;
	high = at + size > high ? at + size : high;
	return true;
}

const char *pages_obstacle(unsigned shift)
{
	return shift > PAGING_SMALL ? "a process cannot map memory in large pages of its choice"
	                            : NULL;
}

void pages_enter(struct bench *b, const struct bench_area *area)
{
	(void)b;
	(void)area;
}
