/*
 * The cache of code: rings of jumps over lines of the arena. A ring that does not fit waits for the
 * next level at each jump.
 *
 * A cache of decoded instructions is smaller, and what it misses costs a few clocks. So a step of
 * less than STEP_LEAST clocks is not that of the code cache, and the next step is looked at.
 */
#include "bench/datasheet/jumps.h"
#include "bench/datasheet/list.h"
#include "bench/datasheet/sets.h"
#include "bench/suite/generated.h"

enum {
	UNIT = 64,   /* bytes from one element to the next */
	MOST = 4096, /* elements: 256 KiB */
	VISITS_LEAST = 512,
	ROUNDS = 2,
	LINE_LEAST = 16, /* bytes: more than a jump */
	LINE_MOST = 256,
	STEP_LEAST = 4, /* clocks */
	SMALL_PAGE = 4096,
	STEPS = 3,
};

static struct sets_ring made; /* the ring that setup() makes */

static uint8_t *place(const struct bench_area *area, uint32_t i)
{
	const uint32_t group = i / made.lines;

	return area->arena + ((size_t)group * made.stride + i % made.lines) * UNIT +
	       (group & 1 ? made.shift : 0);
}

static void setup(const struct bench *b, const struct bench_area *area)
{
	const uint32_t n = made.groups * made.lines;
	uint32_t at = 0;

	(void)b;
	do {
		const uint32_t next = sets_next(at, n);
		uint8_t *from = place(area, at);

		jumps_write(from, !at, (uint32_t)(place(area, next) - from));
		at = next;
	} while (at);
}

static int64_t time_lines(struct sets *s, const struct sets_ring *r)
{
	static struct engine_result out;
	static unsigned number;
	const uint32_t n = r->groups * r->lines;
	const uint32_t rounds = (ROUNDS * n < VISITS_LEAST ? VISITS_LEAST / n : ROUNDS) + 1;
	struct bench b;

	if ((size_t)r->groups * r->stride * UNIT + LINE_MOST > s->run->area.arena_size)
		return 0;
	made = *r;
	generated_base(&b, "", "");
	generated_name(&b, "datasheet.l1i", number++, false);
	b.setup = setup;
	b.ticks_only = true;
	jumps_call(&b, s->run->area.arena, rounds);
	s->why = engine_measure(s->run, &b, NULL, &out);
	return s->why ? 0 : out.q[0].med * 1000 / (rounds * n);
}

/* Thousandths of a tick are how many of a clock? The same where clocks are unknown. */
static int64_t clocks(const struct bench_run *run, int64_t ticks)
{
	return run->core_per_tsc ? ticks * (int64_t)run->core_per_tsc / 1000 : ticks;
}

/* How far every other group must be moved until it lies in the next set. */
static uint32_t find_line(struct sets *s, const struct sets_level *c)
{
	struct sets_ring r = { c->ways + 1, c->sets, 1, 0 };

	if (!sets_slow(s, c, 2, r))
		return 0;
	for (r.shift = LINE_LEAST; r.shift <= LINE_MOST; r.shift *= 2)
		if (sets_fast(s, c, 2, r))
			return r.shift;
	return 0;
}

static void log_sizes(const struct bench *b, struct sets *s, const struct sets_level *c)
{
	const bool scattered = s->run->area.arena_small && c->sets * UNIT > SMALL_PAGE;
	const bool sharp = c->sharp && !scattered;
	const uint32_t line = sharp ? find_line(s, c) : 0;
	struct figure size = {
		.what = "l1i.size", .unit = "bytes", .verdict = "none", .shared = true
	};
	struct figure ways = {
		.what = "l1i.ways", .unit = "ways", .verdict = "none", .shared = true
	};
	struct figure lines = { .what = "l1i.line", .unit = "bytes", .verdict = "none" };

	size.why = s->why ? s->why : c->unclear ? sets_unclear : "no ring waits for a next level";
	ways.why = lines.why = size.why;
	if (!s->why && c->fits) {
		size.verdict = sharp ? "sharp" : "rough";
		size.low = (sharp ? c->ways * c->sets : c->fits) * UNIT;
		size.high = sharp ? size.low : c->open ? 0 : c->over * UNIT;
		size.value = size.low;
		size.why = scattered ? sets_small_pages : NULL;
		ways.why = scattered ? sets_small_pages : "no stride shows the sets";
		lines.why =
			scattered ? sets_small_pages : "no distance moves a jump to the next set";
	}
	if (!s->why && sharp) {
		ways.verdict = "sharp";
		ways.value = ways.low = ways.high = c->ways;
		ways.why = NULL;
	}
	if (!s->why && line) {
		lines.verdict = "sharp";
		lines.value = lines.low = lines.high = line;
		lines.why = NULL;
	}
	figure_log(b->name, &size);
	figure_log(b->name, &ways);
	figure_log(b->name, &lines);
}

void datasheet_l1i(struct bench_run *run, const struct bench *b)
{
	struct sets s = { .run = run, .time = time_lines, .most = MOST };
	struct sets_level c = sets_find(&s, NULL), before;

	for (unsigned i = 1; i < STEPS && c.fits && !c.unclear; i++) {
		if (clocks(run, c.beyond - c.hit) >= STEP_LEAST * 1000)
			break;
		before = c;
		c = sets_find(&s, &before);
	}
	if (c.unclear || clocks(run, c.beyond - c.hit) < STEP_LEAST * 1000)
		c = (struct sets_level){ .unclear = c.unclear };
	log_sizes(b, &s, &c);
}
