/*
 * The memory map in order, and what is taken from it.
 *
 * The loader's map may be unsorted, overlap itself and lie. Every start and end in it is an edge;
 * between two neighbouring edges the worst type of all entries that cover the piece holds. What
 * no entry lists is a hole and is never used. That takes a few ten thousand comparisons, once.
 */
#include "kernel/lib/log.h"
#include "kernel/chipset/memory.h"
#include "kernel/chipset/phys.h"
#include "kernel/lib/string.h"

#define PAGE       ((uint64_t)4096)
#define LOW_END    ((uint64_t)1 << 20) /* real-mode vectors, BIOS data, ISA hole, option ROMs */
#define BIG_ALIGN  ((uint64_t)4 << 20) /* one large page without PAE */
#define ARENA_MIN  ((uint64_t)64 << 10)
#define ARENA_GOOD ((uint64_t)8 << 20) /* rather so much below CODE_LIMIT than more above */
#define CODE_LIMIT ((uint64_t)1 << 31) /* generated code reaches its state below */
#define LARGE_PAGE ((uint64_t)2 << 20)
#define ALLOC_REST ((uint64_t)16 << 20)

enum {
	OWN_REGIONS =
		5 + BOOT_MODULES, /* low memory, kernel, information, framebuffer, mem_upper */
	ALL_REGIONS = BOOT_REGIONS + OWN_REGIONS,
};

/* Everything that covers memory, with exclusive ends; used while the map is built. */
struct cover {
	unsigned n;
	struct memory_range r[ALL_REGIONS];
	uint64_t edges[2 * ALL_REGIONS];
};

static unsigned severity(uint32_t type)
{
	static const uint8_t order[] = {
		[REGION_FREE] = 1,     [REGION_ACPI] = 2, [REGION_NVS] = 3,
		[REGION_RESERVED] = 4, [REGION_BAD] = 5,  [REGION_USED] = 6
	};

	return type < sizeof(order) ? order[type] : 0;
}

static uint64_t page_down(uint64_t x)
{
	return x & ~(PAGE - 1);
}

static uint64_t page_up(uint64_t x)
{
	return x > UINT64_MAX - PAGE ? page_down(UINT64_MAX) : page_down(x + PAGE - 1);
}

/* Adds [base, end); free memory loses its broken pages, everything else is as given. */
static void cover(struct cover *c, uint64_t base, uint64_t end, uint32_t type)
{
	if (type == REGION_FREE) {
		base = page_up(base);
		end = page_down(end);
	}
	if (base < end)
		c->r[c->n++] = (struct memory_range){ base, end, type };
}

static void sort_edges(struct cover *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->n; i++) {
		c->edges[n++] = c->r[i].base;
		c->edges[n++] = c->r[i].end;
	}
	for (unsigned i = 1; i < n; i++) {
		uint64_t e = c->edges[i];
		unsigned j = i;

		for (; j && c->edges[j - 1] > e; j--)
			c->edges[j] = c->edges[j - 1];
		c->edges[j] = e;
	}
}

/* The worst type of what covers the piece [base, ...) up to the next edge; 0 for a hole. */
static uint32_t worst_at(const struct cover *c, uint64_t base)
{
	uint32_t worst = 0;

	for (unsigned i = 0; i < c->n; i++)
		if (c->r[i].base <= base && base < c->r[i].end &&
		    severity(c->r[i].type) > severity(worst))
			worst = c->r[i].type;
	return worst;
}

/* Bytes that nothing worse than free memory covers. */
static uint64_t free_bytes(struct cover *c)
{
	uint64_t bytes = 0;

	sort_edges(c);
	for (unsigned i = 0; i + 1 < 2 * c->n; i++)
		if (worst_at(c, c->edges[i]) == REGION_FREE)
			bytes += c->edges[i + 1] - c->edges[i];
	return bytes;
}

/* Appends a range, or lengthens the last one; false if the table is full. */
static bool append(struct memory *m, uint64_t base, uint64_t end, uint32_t type)
{
	struct memory_range *last = m->nranges ? &m->ranges[m->nranges - 1] : NULL;

	if (last && last->end == base && last->type == type) {
		last->end = end;
		return true;
	}
	if (m->nranges == MEMORY_RANGES)
		return false;
	m->ranges[m->nranges++] = (struct memory_range){ base, end, type };
	return true;
}

/* Free pieces whose edges are no page boundaries, because a worse entry cut them, shrink again. */
static bool resolve(struct memory *m, struct cover *c)
{
	bool all = true;

	sort_edges(c);
	for (unsigned i = 0; i + 1 < 2 * c->n; i++) {
		uint64_t base = c->edges[i], end = c->edges[i + 1];
		uint32_t type = base < end ? worst_at(c, base) : 0;

		if (type)
			all = append(m, base, end, type) && all;
	}
	return all;
}

static void trim_free(struct memory *m)
{
	unsigned n = 0;

	m->total_free = 0;
	for (unsigned i = 0; i < m->nranges; i++) {
		struct memory_range r = m->ranges[i];

		if (r.type == REGION_FREE) {
			r.base = page_up(r.base);
			r.end = page_down(r.end);
			if (r.base >= r.end)
				continue;
			m->total_free += r.end - r.base;
		}
		m->ranges[n++] = r;
	}
	m->nranges = n;
}

/* What must not be used although a map may call it free; whole pages of it. */
static void cover_own(struct cover *c, const struct bootinfo *bi, uint64_t kernel_start,
                      uint64_t kernel_end)
{
	cover(c, 0, LOW_END, REGION_USED);
	cover(c, page_down(kernel_start), page_up(kernel_end), REGION_USED);
	cover(c, page_down(bi->info_start), page_up(bi->info_end), REGION_USED);
	for (unsigned i = 0; i < bi->nmodules; i++)
		cover(c, page_down(bi->modules[i].start), page_up(bi->modules[i].end), REGION_USED);
	if (bi->fb.kind != FB_NONE && bi->fb.kind != FB_REFUSED) {
		uint64_t size = (uint64_t)bi->fb.pitch * bi->fb.height;
		uint64_t room = UINT64_MAX - bi->fb.addr;

		cover(c, page_down(bi->fb.addr), page_up(bi->fb.addr + (size < room ? size : room)),
		      REGION_USED);
	}
}

static bool has_free(const struct bootinfo *bi)
{
	for (unsigned i = 0; i < bi->nregions; i++)
		if (bi->regions[i].type == REGION_FREE)
			return true;
	return false;
}

/* The map's entries; the old number for memory above 1 MiB if the map has nothing to offer. */
static const char *cover_map(struct cover *c, const struct bootinfo *bi)
{
	for (unsigned i = 0; i < bi->nregions; i++) {
		const struct boot_region *r = &bi->regions[i];

		cover(c, r->base, r->base + r->size, r->type);
	}
	if (has_free(bi))
		return "mmap";
	if (!bi->mem_upper_kb)
		return "none";
	cover(c, LOW_END, LOW_END + ((uint64_t)bi->mem_upper_kb << 10), REGION_FREE);
	return "mem_upper";
}

/*
 * Harmless here, but it means that the firmware or the loader is not to be trusted. A map that is
 * not in order means nothing: EDK2 appends what is mapped to the memory above 4 GiB.
 */
static void check_overlap(const struct bootinfo *bi,
                          void (*complain)(const char *what, const char *why))
{
	for (unsigned i = 0; i < bi->nregions; i++) {
		const struct boot_region *a = &bi->regions[i];

		for (unsigned j = 0; j < i; j++) {
			const struct boot_region *b = &bi->regions[j];

			if (a->base >= b->base + b->size || b->base >= a->base + a->size)
				continue;
			complain("memory",
			         "entries of the memory map overlap; the worse type holds");
			return;
		}
	}
}

bool memory_init(struct memory *m, const struct bootinfo *bi, uint64_t kernel_start,
                 uint64_t kernel_end, void (*complain)(const char *what, const char *why))
{
	static struct cover c; /* too large for the boot stack */

	memset(m, 0, sizeof(*m));
	c.n = 0;
	check_overlap(bi, complain);
	m->source = cover_map(&c, bi);
	m->ram = free_bytes(&c);
	cover_own(&c, bi, kernel_start, kernel_end);
	if (!resolve(m, &c))
		complain("memory", "the map falls into more than 128 ranges; the highest are lost");
	trim_free(m);
	if (!bi->nregions)
		complain("memory", bi->mem_upper_kb
		                           ? "no memory map; using the size of upper memory"
		                           : "no memory map and no memory size");
	else if (!has_free(bi))
		complain("memory", "the memory map has no free memory");
	else if (!m->total_free)
		complain("memory", "no whole page of the map is free and unused");
	return m->total_free != 0;
}

/* One allocation right after another needs no row of its own. */
static bool extend_used(struct memory *m, unsigned i, uint64_t base, uint64_t end)
{
	struct memory_range *r = &m->ranges[i];

	if (!i || r->base != base || r[-1].type != REGION_USED || r[-1].end != base)
		return false;
	r[-1].end = end;
	r->base = end;
	if (r->base == r->end)
		memmove(r, r + 1, (--m->nranges - i) * sizeof(*r));
	return true;
}

/*
 * Cuts [base, end), which lies inside free range i, out of the map. Where the table has no row for
 * a rest, the rest becomes a hole.
 */
static void take(struct memory *m, unsigned i, uint64_t base, uint64_t end)
{
	struct memory_range parts[3], *r = &m->ranges[i];
	unsigned n = 0, spare = MEMORY_RANGES - m->nranges;

	m->total_free -= end - base;
	if (extend_used(m, i, base, end))
		return;
	if (r->base < base) {
		if (spare) {
			parts[n++] = (struct memory_range){ r->base, base, REGION_FREE };
			spare--;
		} else {
			m->total_free -= base - r->base;
		}
	}
	parts[n++] = (struct memory_range){ base, end, REGION_USED };
	if (end < r->end) {
		if (spare)
			parts[n++] = (struct memory_range){ end, r->end, REGION_FREE };
		else
			m->total_free -= r->end - end;
	}
	memmove(r + n, r + 1, (m->nranges - i - 1) * sizeof(*r));
	memcpy(r, parts, n * sizeof(*r));
	m->nranges += n - 1;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* First place for size bytes in range r, at or after `from`, below `limit`; 0 if there is none. */
static uint64_t place(const struct memory_range *r, uint64_t from, uint64_t limit, uint64_t size,
                      uint64_t align)
{
	uint64_t base = (higher(r->base, from) + align - 1) & ~(align - 1);
	uint64_t end = lower(r->end, limit);

	if (r->type != REGION_FREE || r->base >= limit || base > end || size > end - base)
		return 0;
	return base;
}

/* The arena in one of the ranges, below `limit`. */
static bool place_arena(struct memory *m, uint64_t size, uint64_t limit)
{
	for (unsigned i = 0; i < m->nranges; i++) {
		uint64_t base = place(&m->ranges[i], 0, limit, size, lower(size, BIG_ALIGN));

		if (!base)
			continue;
		take(m, i, base, base + size);
		m->arena = (uint8_t *)(uintptr_t)base;
		m->arena_size = (size_t)size;
		return true;
	}
	return false;
}

/* The largest one of at least `least` and at most `want` bytes. */
static bool find_arena(struct memory *m, uint64_t want, uint64_t least, uint64_t limit)
{
	uint64_t size = CODE_LIMIT;

	for (; size >= least; size >>= 1)
		if (size <= want && place_arena(m, size, limit))
			return true;
	return false;
}

bool memory_arena(struct memory *m, size_t want)
{
	uint64_t least = want < ARENA_GOOD ? ARENA_MIN : ARENA_GOOD;

	if (find_arena(m, want, least, CODE_LIMIT) || find_arena(m, want, ARENA_MIN, PHYS_LIMIT))
		return true;
	m->arena = NULL;
	m->arena_size = 0;
	return false;
}

/* What of a free range the expanse may have, whole large pages; false: nothing. */
static bool spare(const struct memory_range *r, uint64_t limit, uint64_t *base, uint64_t *end)
{
	uint64_t rest = 0;

	if (r->type != REGION_FREE || r->base >= limit)
		return false;
	if (r->base < PHYS_LIMIT)
		rest = higher((r->end - r->base) / 4, ALLOC_REST);
	*base = (r->base + rest + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
	*end = lower(r->end, limit) & ~(LARGE_PAGE - 1);
	return *base < *end;
}

/* The largest piece that is not larger than `most`; 0: there is none. Sets its range and base. */
static uint64_t largest(const struct memory *m, uint64_t most, uint64_t limit, unsigned *range,
                        uint64_t *base)
{
	uint64_t size = 0, from, end;

	for (unsigned i = 0; i < m->nranges; i++) {
		if (!spare(&m->ranges[i], limit, &from, &end) || lower(end - from, most) < size)
			continue;
		size = lower(end - from, most);
		*range = i;
		*base = from;
	}
	return size;
}

bool memory_expanse(struct memory *m, uint64_t want, uint64_t limit,
                    bool (*usable)(uint64_t base, uint64_t size))
{
	uint64_t size = (want + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1), base = 0;
	unsigned range = 0;

	m->expanse = m->expanse_size = 0;
	for (;; size = size / 2 & ~(LARGE_PAGE - 1)) {
		size = largest(m, size, limit, &range, &base);
		if (size <= m->arena_size)
			return false;
		if (usable(base, size))
			break;
	}
	take(m, range, base, base + size);
	m->expanse = base;
	m->expanse_size = size;
	return true;
}

void *memory_alloc(struct memory *m, size_t size, size_t align)
{
	uint64_t whole = page_up(size);

	if (!size || !align || (align & (align - 1)))
		return NULL;
	for (unsigned i = 0; i < m->nranges; i++) {
		uint64_t base =
			place(&m->ranges[i], LOW_END, PHYS_LIMIT, whole, higher(align, PAGE));

		if (!base)
			continue;
		take(m, i, base, base + whole);
		return (void *)(uintptr_t)base;
	}
	return NULL;
}

uint32_t memory_type(const struct memory *m, uint64_t base, uint64_t size)
{
	for (unsigned i = 0; i < m->nranges; i++) {
		const struct memory_range *r = &m->ranges[i];

		if (r->base <= base && base < r->end && size <= r->end - base)
			return r->type;
	}
	return 0;
}

static const char *type_name(uint32_t type)
{
	static const char *const names[] = {
		[REGION_FREE] = "free", [REGION_RESERVED] = "reserved", [REGION_ACPI] = "acpi",
		[REGION_NVS] = "nvs",   [REGION_BAD] = "bad",           [REGION_USED] = "used"
	};

	return names[type];
}

void memory_log(const struct memory *m)
{
	log_begin("memory");
	log_str("source", m->source);
	log_dec("ram_kb", m->ram >> 10);
	log_dec("free_kb", m->total_free >> 10);
	log_dec("ranges", m->nranges);
	log_hex("arena", (uintptr_t)m->arena);
	log_dec("arena_kb", m->arena_size >> 10);
	log_hex("expanse", m->expanse);
	log_dec("expanse_kb", m->expanse_size >> 10);
	log_end();
	for (unsigned i = 0; i < m->nranges; i++) {
		log_begin("memory");
		log_hex("base", m->ranges[i].base);
		log_hex("end", m->ranges[i].end);
		log_str("type", type_name(m->ranges[i].type));
		log_end();
	}
}
