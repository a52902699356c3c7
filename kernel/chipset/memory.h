/*
 * Physical memory: the sorted map, and the two pieces for benchmarks. The arena is low, because it
 * holds code and data with 31-bit addresses. The expanse holds only data, so it may be large and
 * lie above 4 GiB.
 *
 * The low 4 GiB are mapped onto themselves (32-bit: there is no paging; 64-bit: in 2 MiB pages),
 * and kernel/chipset/ioremap.h maps the expanse onto itself. Nothing is ever placed on the kernel,
 * the boot information, a module, the framebuffer, the low 1 MiB, firmware tables or a hole of the
 * map.
 */
#ifndef KERNEL_CHIPSET_MEMORY_H
#define KERNEL_CHIPSET_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/chipset/bootinfo.h"

/* Most ranges of the map; further ones, the highest, are lost. */
enum { MEMORY_RANGES = 128 };

/* The kernel's own type, worse than all others: the kernel uses it, or must not access it. */
enum { REGION_USED = 16 };

struct memory_range {
	uint64_t base, end; /* end exclusive */
	uint32_t type;      /* REGION_*; where entries overlap the worse type wins */
};

struct memory {
	unsigned nranges;
	struct memory_range ranges[MEMORY_RANGES]; /* sorted, disjoint, page-aligned if free */
	uint64_t total_free;                       /* bytes of REGION_FREE */
	uint64_t ram;                              /* bytes of REGION_FREE before any was in use */
	const char *source;                        /* "mmap", "mem_upper", "none" */
	uint8_t *arena;        /* physically contiguous, aligned to its size or to 4 MiB */
	size_t arena_size;     /* bytes, a power of two; 0: none */
	uint64_t expanse;      /* physically contiguous, at a 2 MiB boundary; 0: there is none */
	uint64_t expanse_size; /* bytes, a multiple of 2 MiB */
};

/* Builds the ordered map. complain() as in bootinfo.h. False: no usable memory at all. */
bool memory_init(struct memory *m, const struct bootinfo *bi, uint64_t kernel_start,
                 uint64_t kernel_end, void (*complain)(const char *what, const char *why));

/*
 * Takes the arena out of the map: the largest power of two below 2 GiB, at most `want` bytes,
 * aligned to min(size, 4 MiB). If this has less than 8 MiB, and `want` does not, the arena is the
 * largest below 4 GiB. False, and size 0: no piece of 64 KiB is free.
 */
bool memory_arena(struct memory *m, size_t want);

/*
 * Takes the expanse out of the map: the largest piece below `limit`, at most `want` bytes (rounded
 * up to 2 MiB), and the highest of equally large pieces. Below 4 GiB a quarter of each free range,
 * and at least 16 MiB of it, stay free for memory_alloc(). If usable() refuses a piece, the search
 * goes on for pieces of at most half its size. False, and no expanse: no usable piece is larger
 * than the arena.
 */
bool memory_expanse(struct memory *m, uint64_t want, uint64_t limit,
                    bool (*usable)(uint64_t base, uint64_t size));

/*
 * Takes `size` bytes in whole pages, aligned to `align` (a power of two), below 4 GiB. NULL: there
 * are none, or `size` is 0. Memory is never given back.
 */
void *memory_alloc(struct memory *m, size_t size, size_t align);

/* Prints the `memory` records: a summary, and one for each range. */
void memory_log(const struct memory *m);

/* Type of the range that holds the whole of [base, base + size), or 0 if none does. */
uint32_t memory_type(const struct memory *m, uint64_t base, uint64_t size);

#endif
