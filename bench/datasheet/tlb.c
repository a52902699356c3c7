/*
 * The TLBs: rings of dependent loads, or of jumps, over the pages of a window that is mapped for
 * this purpose alone (bench/suite/pages.h). Each element of a ring has a page and a line of memory
 * of its own, and the lines of all pages are neighbours. So a ring through the same lines by way of
 * the kernel's large pages differs in nothing but the translations. What the pages cost is the
 * difference.
 * Method: R. Saavedra and A. Smith, "Measuring Cache and TLB Performance and Their Effect on
 * Benchmark Run Times", 1995.
 */
#include "bench/datasheet/jumps.h"
#include "bench/datasheet/list.h"
#include "bench/datasheet/sets.h"
#include "bench/suite/generated.h"
#include "bench/suite/pages.h"

enum {
	LINE = 64, /* bytes from one element to the next */
	COPIES = 16,
	VISITS_LEAST = 512,  /* of a run, and two rounds of the ring */
	JUMPS_LEAST = 16384, /* the same of code: see visit_time() */
	ROUNDS = 2,
	MOST = 8192,               /* pages */
	LOW_WINDOW = 0x40000000,   /* the window of the 32-bit kernel: 1 GiB from here on, */
	HIGH_WINDOW = 0x80000000u, /* or from here on if the arena is there */
	WINDOW = 0x40000000,
};

#define JUMP_REACH ((uint64_t)1 << 31)

#ifdef __x86_64__
#define LARGE "2M" /* PAGING_LARGE */
#else
#define LARGE "4M"
#endif

/* The ring that setup() makes. */
static struct {
	struct sets_ring ring;
	unsigned shift; /* of the page size */
	bool code;      /* jumps */
	bool paged;     /* by way of the window */
	bool full;      /* there was no room for tables */
} made;

struct pages_of {
	struct sets sets;
	unsigned shift;
	bool code;
	int64_t few; /* time of a few elements without pages */
};

/* In 64-bit mode the second 512 GiB. */
static uintptr_t window_of(const struct bench_area *area)
{
	const uintptr_t arena = (uintptr_t)area->arena, low = LOW_WINDOW;

	if (sizeof(uintptr_t) == 8)
		return (uintptr_t)1 << (PAGING_TOP & (sizeof(uintptr_t) * 8 - 1));
	return arena < low + WINDOW && arena + area->arena_size > low ? HIGH_WINDOW : low;
}

static uintptr_t node(const struct bench_area *area, uint32_t i)
{
	return (uintptr_t)area->arena + (uintptr_t)i * LINE;
}

static uintptr_t seen(const struct bench_area *area, uint32_t i)
{
	const uintptr_t inside = ((uintptr_t)1 << made.shift) - 1;
	const uintptr_t page =
		(uintptr_t)(i / made.ring.lines) * made.ring.stride + i % made.ring.lines;

	if (!made.paged)
		return node(area, i);
	return window_of(area) + (page << made.shift) + (node(area, i) & inside);
}

static void write_node(const struct bench_area *area, uint32_t at, uint32_t next)
{
	uint8_t *p = (uint8_t *)node(area, at);

	if (made.code)
		jumps_write(p, !at, (uint32_t)(seen(area, next) - seen(area, at)));
	else
		*(uintptr_t *)p = seen(area, next);
}

static void setup(const struct bench *b, const struct bench_area *area)
{
	const uint32_t n = made.ring.groups * made.ring.lines;
	struct pages pages = pages_begin(area);
	uint32_t at = 0;

	(void)b;
	do {
		const uint32_t next = sets_next(at, n);

		if (made.paged && !pages_map(&pages, seen(area, at), node(area, at), made.shift))
			made.full = true;
		write_node(area, at, next);
		at = next;
	} while (at && !made.full);
	if (made.full) /* a ring of one element: it ends, and its time is not used */
		write_node(area, 0, 0);
}

/* So many rounds of loads, COPIES each. */
static void make_loads(struct bench *b, uint32_t rounds)
{
	struct emit e = generated_start();
	const uint8_t *top = generated_loop(&e, rounds);

	for (unsigned i = 0; i < COPIES; i++) {
		generated_wide(&e);
		emit_bytes(&e, "\x8b\x36", 2); /* MOV XSI, [XSI] */
	}
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

/*
 * Thousandths of a tick; 0: it could not be measured. The engine's own loop counts in memory, whose
 * page would take an entry, so the loop is in the body. The page of the body takes one as well: a
 * ring of as many pages as there are entries, replaced in order, misses in its whole first round.
 * That must be a small part of all rounds.
 */
static int64_t visit_time(struct sets *s)
{
	static struct engine_result out;
	static unsigned number;
	const uint32_t n = made.ring.groups * made.ring.lines;
	const uint32_t least = made.code ? JUMPS_LEAST : VISITS_LEAST;
	const uint32_t visits = ROUNDS * n < least ? least : ROUNDS * n;
	const uint32_t each = made.code ? n : COPIES, rounds = visits / each + 1;
	struct bench b;

	generated_base(&b, "", "");
	generated_name(&b, "datasheet.tlb", number++, false);
	b.setup = setup;
	b.walk = !made.code;
	b.ticks_only = true;
	b.set_mask = 1u << REG_SI;
	b.set[REG_SI] = seen(&s->run->area, 0);
	pages_enter(&b, &s->run->area);
	if (made.code)
		jumps_call(&b, (void *)seen(&s->run->area, 0), rounds);
	else
		make_loads(&b, rounds);
	s->why = engine_measure(s->run, &b, NULL, &out);
	pages_end();
	return s->why ? 0 : out.q[0].med * 1000 / (rounds * each);
}

/* The window holds the ring, and the tables for it have room. A jump reaches 2 GiB. */
static bool has_room(const struct sets_ring *r, unsigned shift, bool code)
{
	const uint64_t pages = (uint64_t)r->groups * r->stride, window = (uint64_t)WINDOW >> shift;
	const uint64_t table = PAGING_ENTRIES;
	const uint64_t tables = r->stride < table ? pages / table + 1 : r->groups;

	if (code && pages << shift > JUMP_REACH)
		return false;
	return (sizeof(uintptr_t) == 8 || pages <= window) && tables <= PAGES_TABLES / 2;
}

static int64_t time_pages(struct sets *s, const struct sets_ring *r)
{
	struct pages_of *p = (struct pages_of *)s;
	int64_t paged, plain;

	if (r->groups * r->lines > s->most || !has_room(r, p->shift, p->code))
		return 0;
	made.ring = *r;
	made.shift = p->shift;
	made.code = p->code;
	made.full = made.paged = false;
	plain = visit_time(s);
	if (!p->few)
		p->few = plain;
	made.paged = true;
	paged = visit_time(s);
	if (s->why || made.full)
		return 0;
	return paged - plain + p->few > 0 ? paged - plain + p->few : 1;
}

static struct pages_of start(struct bench_run *run, unsigned shift, bool code)
{
	const size_t room = (run->area.arena_size - PAGES_BYTES) / LINE;

	return (struct pages_of){
		.sets = { .run = run,
		          .time = time_pages,
		          .most = room < MOST ? (uint32_t)room : MOST,
		          .why = pages_obstacle(shift) },
		.shift = shift,
		.code = code,
	};
}

void datasheet_dtlb(struct bench_run *run, const struct bench *b)
{
	struct pages_of p = start(run, PAGING_SMALL, false);
	struct sets_level first, second;

	first = sets_find(&p.sets, NULL);
	sets_log(b, &p.sets, &first, "dtlb.4K.entries", "dtlb.4K.ways", NULL);
	second = sets_find(&p.sets, &first);
	/* The ring without pages of its own has so many of the arena's that it misses as well. */
	p.sets.doubt = run->area.arena_small ? sets_small_pages : NULL;
	sets_log(b, &p.sets, &second, "stlb.4K.entries", "stlb.4K.ways", NULL);
	p = start(run, PAGING_LARGE, false);
	first = sets_find(&p.sets, NULL);
	sets_log(b, &p.sets, &first, "dtlb." LARGE ".entries", "dtlb." LARGE ".ways", NULL);
}

void datasheet_itlb(struct bench_run *run, const struct bench *b)
{
	struct pages_of p = start(run, PAGING_SMALL, true);
	struct sets_level found = sets_find(&p.sets, NULL);

	sets_log(b, &p.sets, &found, "itlb.4K.entries", "itlb.4K.ways", NULL);
	p = start(run, PAGING_LARGE, true);
	found = sets_find(&p.sets, NULL);
	sets_log(b, &p.sets, &found, "itlb." LARGE ".entries", "itlb." LARGE ".ways", NULL);
}
