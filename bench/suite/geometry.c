/*
 * The data caches found by measurement, beside what CPUID says of them. Every number follows from
 * the time of a load in a ring of dependent loads, in an order that no stride describes:
 *
 *	fits, over	the ring consists of neighbouring lines: `fits` is the largest footprint
 *			before the time of a load rises by more than a quarter, and `over` is the
 *			smallest footprint after that; each level has one such rise
 *	ways		the most groups, far apart, of a ring that is still as fast
 *	way		the smallest distance between groups at which one more group is slow
 *	line		how far every other group must be moved until that ring is fast again:
 *			then these groups lie in the next set
 *
 * In the first level a group is a line. In the other levels a group is as many lines of one set of
 * the level before as do not fit there, so that the level before never answers. The lines of a
 * group lie in different sets of the level that is measured.
 *
 * A level may choose its sets by a hash of the address, as last levels made of slices do, or its
 * pages may lie anywhere in memory. Such a level shows a capacity but no ways. A ring may still
 * seem to show ways by chance. Therefore ways are reported only if three things are true: ways
 * times way lies between `fits` and `over`, the step is sharp, and the same pages with lines in
 * other sets are fast. Otherwise the step may belong to a TLB.
 */
#include "bench/engine/engine.h"
#include "bench/footprint.h"
#include "bench/suite/generated.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	LEVELS = 3,
	FOOTPRINT_MIN = 4096,
	FOOTPRINT_MOST = 64 << 20, /* or as much as no cache holds that the CPU tells of */
	STEP = 64,                 /* bytes between the lines of a footprint */
	PAGE = 4096 + STEP,        /* a line of every page, each in another set */
	SPREAD = 4096 / STEP,
	WORDS = 8, /* of a line */
	WAYS_MAX = 32,
	LINE_MIN = 8,
	LINE_MAX = 512,
	TRIES = 2,        /* places of a ring: ... */
	PLACE = 5 * STEP, /* ... code and data of the kernel's own may lie in the same sets */
	COPIES = 64,
	ROUNDS = 16,
};

static const uint8_t load_next[] = { 0x48, 0x8b, 0x36 }; /* MOV XSI, [XSI]; REX.W if it is wide */

struct ring {
	uintptr_t groups, far; /* and bytes from one to the next */
	uintptr_t lines, near; /* of a group, likewise */
	uintptr_t shift;       /* every other group lies so many bytes further on */
	uintptr_t spread;      /* each line so many bytes further than the one before */
	uintptr_t from;        /* bytes of the expanse before the first line */
};
static struct ring ring;

static struct level {
	uint32_t hit, beyond; /* TSC ticks of COPIES * ROUNDS loads, here and in the next one */
	uintptr_t fits, over; /* 0: there was no rise */
	uintptr_t ways, way, line; /* 0: unknown */
} levels[LEVELS];

static unsigned found_in; /* number of the run that has found `levels` */

/* Is so many quarters of the way to the next level done? */
static bool high(const struct level *c, unsigned quarters, uint32_t t)
{
	return 4 * t > (4 - quarters) * c->hit + quarters * c->beyond;
}

static uintptr_t place(const struct bench_area *area, uintptr_t i)
{
	uintptr_t group = i / ring.lines;

	return (uintptr_t)area->expanse + ring.from + group * ring.far +
	       i % ring.lines * ring.near + (group & 1 ? ring.shift : 0) + i % SPREAD * ring.spread;
}

/*
 * The order of a full-period linear congruential generator (bench/suite/memory.c), less the numbers
 * that are no lines. One walk around: a cache may take no notice of writes.
 */
static void setup(const struct bench *b, const struct bench_area *area)
{
	uintptr_t n = ring.groups * ring.lines, period = 1, at = 0, next;
	uintptr_t p = place(area, 0);

	(void)b;
	while (period < n)
		period *= 2;
	do {
		next = at;
		do
			next = (next * 1664525 + 1013904223) & (period - 1);
		while (next >= n);
		*(uintptr_t *)place(area, at) = place(area, next);
		at = next;
	} while (at);
	while (n--)
		p = *(volatile uintptr_t *)p;
}

/* Time of the loads in the ring; 0: it could not be measured. */
static uint32_t load_time(struct bench_run *run)
{
	static struct engine_result out;
	static unsigned number;
	bool wide = sizeof(uintptr_t) == 8;
	struct bench b;

	generated_base(&b, "", "");
	generated_name(&b, "geometry", number++, false);
	b.body = wide ? load_next : load_next + 1;
	b.body_size = sizeof(load_next) - !wide;
	b.unroll = COPIES;
	b.loop = ROUNDS;
	b.setup = setup;
	b.walk = true;
	b.set_mask = 1u << REG_SI;
	b.set[REG_SI] = place(&run->area, 0);
	return engine_measure(run, &b, NULL, &out) ? 0 : (uint32_t)out.q[0].med;
}

static uint32_t spaced_time(struct bench_run *run, uintptr_t groups, uintptr_t far, uintptr_t words)
{
	ring = (struct ring){ groups, far, words, sizeof(uintptr_t), 0, 0, 0 };
	return load_time(run);
}

/*
 * The time of a load in a footprint, less the cost of finding its pages, because the reach of a TLB
 * is not that of a cache. A ring through as many pages with one line each tells that cost. Several
 * words of each line are in the ring, so that pages come back without order, as in a footprint.
 */
static uint32_t footprint_time(struct bench_run *run, uintptr_t bytes)
{
	uintptr_t pages = bytes / PAGE + 1;
	uint32_t pageless = spaced_time(run, pages, STEP, WORDS);
	uint32_t paged = spaced_time(run, pages, PAGE, WORDS);
	uint32_t t = spaced_time(run, bytes / STEP, STEP, 1);

	return paged > pageless && paged - pageless < t ? t - (paged - pageless) : t;
}

/* Bytes behind which no level is looked for. */
static uintptr_t most(const struct bench_run *run)
{
	uint64_t far = footprint_memory(run->cpu);

	if (far < FOOTPRINT_MOST)
		far = FOOTPRINT_MOST;
	return far < run->area.expanse_size ? (uintptr_t)far : run->area.expanse_size;
}

/*
 * The first rise of the time from this footprint on, unless it is the end of the rise before. A
 * rise consists of the octaves in which each footprint takes more than a quarter longer than half
 * of that footprint. Where a footprint fills a cache to the last line, other code takes some of the
 * lines. So a level ends where a quarter of its rise is done.
 */
static void find_size(struct bench_run *run, struct level *c, uintptr_t bytes)
{
	uintptr_t limit = most(run), part;
	bool flat = bytes == FOOTPRINT_MIN;

	c->hit = footprint_time(run, bytes);
	for (uint32_t t = c->hit; bytes <= limit / 2; bytes *= 2, t = c->beyond) {
		bool rises;

		c->beyond = footprint_time(run, 2 * bytes);
		rises = 4 * c->beyond > 5 * t;
		if (c->fits && !rises)
			break;
		if (flat && rises && !c->fits)
			c->fits = bytes;
		if (!c->fits)
			c->hit = c->beyond;
		flat |= !rises;
	}
	part = c->fits / 4;
	for (c->over = c->fits; part; c->fits = c->over) {
		c->over += part;
		if (c->over >= limit || high(c, 1, footprint_time(run, c->over)))
			break;
	}
}

/* Is a ring of so many groups, c->way apart, slow? */
static bool crowded(struct bench_run *run, const struct level *c, uintptr_t groups)
{
	ring.groups = groups;
	ring.far = c->way;
	return high(c, 2, load_time(run));
}

/*
 * The sets of a level, by rings at the nth place. A ring stays fast if few sets have a line too
 * many. So the distance is doubled as long as half as many groups still make the ring slow.
 */
static void find_sets(struct bench_run *run, struct level *c, unsigned nth)
{
	uintptr_t n; /* groups, one more than fit */

	for (c->way = STEP; c->way * 2 <= c->fits / WAYS_MAX; c->way *= 2)
		;
	ring = (struct ring){ .lines = 1, .near = sizeof(uintptr_t), .from = nth * PLACE % c->way };
	if (c > levels) {
		ring.near = c[-1].way;
		while (ring.lines <= c[-1].ways && 2 * ring.lines * ring.near <= c->way)
			ring.lines *= 2;
	}
	n = c->fits / c->way;
	do
		n++;
	while ((n + 1) * c->way < most(run) && !crowded(run, c, n));
	while (c->way *= 2, crowded(run, c, (n + 1) / 2))
		n = (n + 1) / 2;
	c->way /= 2;
	if (n > WAYS_MAX || (n - 1) * c->way < c->fits || (n - 1) * c->way >= c->over ||
	    !crowded(run, c, n))
		return;
	ring.spread = STEP; /* the same pages, but other sets: slow too if it was the TLB */
	if (high(c, 1, load_time(run)))
		return;
	ring.spread = 0;
	ring.groups = n - 1;
	if (high(c, 1, load_time(run)))
		return;
	c->ways = n - 1;
	for (ring.shift = LINE_MIN; ring.shift < LINE_MAX && crowded(run, c, n); ring.shift *= 2)
		;
	c->line = ring.shift;
}

static void find(struct bench_run *run, struct level *c)
{
	uintptr_t from = FOOTPRINT_MIN;

	if (c > levels && !c[-1].fits)
		return;
	while (c > levels && from < c[-1].over)
		from *= 2;
	find_size(run, c, from);
	for (unsigned i = 0; c->fits && !c->ways && i < TRIES && (c == levels || c[-1].ways); i++)
		find_sets(run, c, i);
}

static const char *verdict(const struct level *c, const struct cpu_cache *told)
{
	bool match;

	if (!c->fits)
		return "none";
	if (!told)
		return "untold";
	match = c->ways ? c->ways == told->ways && c->ways * c->way == told->size &&
	                          c->line == told->line
	                : c->fits <= told->size && told->size < c->over;
	return match ? "match" : "differs";
}

static void log_measured(const struct level *c)
{
	if (c->hit)
		log_milli("load", (uint64_t)c->hit * 1000 / (COPIES * ROUNDS));
	if (!c->fits)
		return;
	log_dec("fits", c->fits);
	log_dec("over", c->over);
	if (c->ways) {
		log_dec("ways", c->ways);
		log_dec("line", c->line);
		log_dec("size", c->ways * c->way);
	} else {
		log_str("ways", "unknown");
	}
}

static void perform(struct bench_run *run, const struct bench *b)
{
	const struct cpu_cache *told = cpu_data_cache(run->cpu, (unsigned)b->arg[0] + 1);
	struct level *c = levels;

	if (found_in != run->number)
		memset(levels, 0, sizeof(levels));
	found_in = run->number;
	for (;; c++) {
		if (!c->hit)
			find(run, c);
		if (c == &levels[b->arg[0]])
			break;
	}
	log_begin("geometry");
	log_str("bench", b->name);
	log_measured(c);
	if (told) {
		log_dec("told.ways", told->ways);
		log_dec("told.line", told->line);
		log_dec("told.size", told->size);
	}
	log_str("verdict", verdict(c, told));
	log_end();
	if (cpu_has_host(run->cpu) && !strcmp(verdict(c, told), "differs"))
		log_warn("cache", b->name,
		         c->ways ? "this is not the cache that the hypervisor tells of"
		                 : "this is not the cache that the hypervisor tells of, or the "
		                   "host scatters the pages of the guest's memory");
}

static bool geometry_get(unsigned i, struct bench *b, const struct cpu *cpu,
                         const struct bench_area *area, const char **skip)
{
	static const char *const names[LEVELS] = { "geometry.l1d", "geometry.l2", "geometry.l3" };
	const struct cpu_cache *told;

	if (i >= LEVELS)
		return false;
	generated_base(b, "size, ways and line of the data cache of this level, by measurement",
	               "");
	memcpy(b->name, names[i], strlen(names[i]) + 1);
	b->perform = perform;
	b->arg[0] = i;
	told = cpu_data_cache(cpu, i + 1);
	if (area->expanse_size <= (told ? told->size : FOOTPRINT_MIN))
		*skip = "there is no piece of memory larger than the cache";
	return true;
}

static const struct bench_source geometry = { .name = "geometry", .get = geometry_get };
BENCH_SOURCE(geometry);
