/*
 * The first-level data cache found by measurement, beside what CPUID says of it. A ring of dependent loads
 * a power of two apart is slow as soon as more lines of one set are in it than the set has ways:
 *
 *	ways	the most lines, far apart, that a ring may have and stay fast
 *	way	the smallest distance at which twice as many lines are slow
 *	line	how far every other one must be moved for that ring to be fast again: into the next set
 */
#include "bench/engine.h"
#include "bench/generated.h"
#include "kernel/log.h"
#include "kernel/string.h"

enum {
	FAR = 32 * 1024, /* a multiple of every way there is, and small enough for a small arena */
	WAYS_MAX = 24,
	LINE_MIN = 8,
	LINE_MAX = 512,
	COPIES = 64,
	ROUNDS = 16,
	SLOW = 1250, /* thousandths of the time of a load that hits: something missed */
};

static const uint8_t load_next[] = { 0x8b, 0x36 }; /* MOV ESI, [XSI] */

struct ring {
	uintptr_t lines, distance,
		shift; /* shift: every other line lies so many bytes further on */
};
static struct ring ring;

struct geometry {
	uint64_t hit; /* TSC ticks of COPIES * ROUNDS loads that hit */
	uintptr_t ways, way, line;
};

static uintptr_t place(const struct bench_area *area, uintptr_t i)
{
	return (uintptr_t)area->arena + i * ring.distance + (i & 1 ? ring.shift : 0);
}

static void setup(const struct bench *b, const struct bench_area *area)
{
	(void)b;
	for (uintptr_t i = 0; i < ring.lines; i++)
		*(uint32_t *)place(area, i) = (uint32_t)place(area, (i + 1) % ring.lines);
}

/* Time of a load in this ring; 0: it could not be measured. */
static uint64_t load_time(struct bench_run *run, struct ring r)
{
	static struct engine_result out;
	struct bench b;

	ring = r;
	generated_base(&b, "", "");
	generated_name(&b, "geometry", r.lines, false);
	b.body = load_next;
	b.body_size = sizeof(load_next);
	b.unroll = COPIES;
	b.loop = ROUNDS;
	b.setup = setup;
	b.set_mask = 1u << REG_SI;
	b.set[REG_SI] = (uintptr_t)run->area.arena;
	if (engine_measure(run, &b, NULL, &out) || out.q[0].min <= 0)
		return 0;
	return (uint64_t)out.q[0].min;
}

static bool slow(struct bench_run *run, uint64_t hit, struct ring r)
{
	return load_time(run, r) * 1000 > hit * SLOW;
}

/* Fills *c with what was measured; false: no ring of any size was slow. */
static bool find(struct bench_run *run, struct geometry *c)
{
	uint64_t hit = load_time(run, (struct ring){ 1, FAR, 0 });

	c->hit = hit;
	c->ways = 1;
	while (c->ways < WAYS_MAX && !slow(run, hit, (struct ring){ c->ways + 1, FAR, 0 }))
		c->ways++;
	if (!hit || c->ways == WAYS_MAX)
		return false;
	for (c->way = LINE_MAX; c->way < FAR; c->way *= 2)
		if (slow(run, hit, (struct ring){ 2 * c->ways, c->way, 0 }))
			break;
	for (c->line = LINE_MIN; c->line < LINE_MAX; c->line *= 2)
		if (!slow(run, hit, (struct ring){ 2 * c->ways, c->way, c->line }))
			break;
	return true;
}

static const char *verdict(const struct geometry *c, const struct cpu_cache *told)
{
	if (!told)
		return "untold";
	return c->ways == told->ways && c->ways * c->way == told->size && c->line == told->line
	               ? "match"
	               : "differs";
}

static void perform(struct bench_run *run, const struct bench *b)
{
	const struct cpu_cache *told = cpu_data_cache(run->cpu, 1);
	struct geometry c = { 0 };
	bool found = find(run, &c);

	log_begin("geometry");
	log_str("bench", b->name);
	log_milli("load", (int64_t)(c.hit * 1000 / (COPIES * ROUNDS)));
	if (found) {
		log_dec("ways", c.ways);
		log_dec("line", c.line);
		log_dec("size", c.ways * c.way);
	}
	if (told) {
		log_dec("told.ways", told->ways);
		log_dec("told.line", told->line);
		log_dec("told.size", told->size);
	}
	log_str("verdict", found ? verdict(&c, told) : "none");
	log_end();
}

static bool geometry_get(unsigned i, struct bench *b, const struct cpu *cpu,
                         const struct bench_area *area, const char **skip)
{
	(void)cpu;
	if (i)
		return false;
	generated_base(b, "ways, line and size of the first-level data cache, by measurement", "");
	memcpy(b->name, "geometry.l1d", sizeof("geometry.l1d"));
	b->perform = perform;
	if (area->arena_size < 2 * WAYS_MAX * FAR)
		*skip = "the arena is too small";
	return true;
}

static const struct bench_source geometry = { .name = "geometry", .get = geometry_get };
BENCH_SOURCE(geometry);
