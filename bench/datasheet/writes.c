/*
 * What the first-level data cache does with stores. Three times of a store decide:
 *
 *	cached	its line was loaded before
 *	cold	its line was flushed and never loaded: only stores may have brought it
 *	far	its line is one of more than the cache holds
 *
 * A store to a cold line that stays slow, whereas one to a cached line is quick, goes around the
 * cache, and the quick one is kept there (write-back). Where a store to a cached line takes as long
 * as one to a far line, each store may go on to the next level (write-through). But a core that
 * does not wait for its stores takes as long for both as well, so this counts only where a store
 * takes half as long as a load of a far line that waits for the load before it. Source of the
 * terms: Intel, "Pentium Processor Family Developer's Manual", section 2.1.4.
 */
#include "bench/datasheet/figure.h"
#include "bench/datasheet/list.h"
#include "bench/engine/platform.h"
#include "bench/suite/generated.h"

enum {
	LINE = 64,  /* bytes from one store to the next */
	LINES = 16, /* of the loop */
	WARMUP = 3,
	NEAR = 64, /* rounds over the same lines */
	ROUND = LINE * LINES,
	FAR = 8192, /* rounds, each over other lines, at most: 8 MiB */
};

/* LOADED: loads of the lines to which DISTANT has stored zeros. */
enum where { CACHED, COLD, DISTANT, LOADED, WHERES };

static enum where place; /* what setup() prepares */
static bool flushed;     /* it could */

static uint32_t rounds_far(const struct bench_area *area)
{
	return area->arena_size < (size_t)FAR * ROUND ? (uint32_t)(area->arena_size / ROUND) : FAR;
}

static void setup(const struct bench *b, const struct bench_area *area)
{
	(void)b;
	platform_flush_caches();
	flushed = platform_flush_bytes(area->arena, (size_t)rounds_far(area) * ROUND);
	for (unsigned i = 0; place == CACHED && i < LINES; i++)
		*(volatile uint32_t *)(area->arena + i * LINE);
}

/* Of an access, in thousandths of a tick: half of the samples lie between `low` and `high`. */
struct span {
	int64_t low, med, high;
};

/* The loop: stores of EAX, which is 0, or loads whose addresses wait for the load before. */
static void emit_accesses(struct emit *e, enum where where, uint32_t rounds)
{
	const uint8_t *top;

	generated_wide(e);
	emit_bytes(e, "\x89\xfe\x31\xc0", 4); /* MOV XSI, XDI; XOR EAX, EAX */
	top = generated_loop(e, rounds);
	for (unsigned i = 0; i < LINES; i++) {
		if (where == LOADED)
			emit_bytes(e, "\x8b\x84\x06", 3); /* MOV EAX, [XSI + XAX + disp32] */
		else
			emit_bytes(e, "\x89\x86", 2); /* MOV [XSI + disp32], EAX */
		emit_u32(e, i * LINE);
	}
	if (where >= DISTANT) {
		generated_wide(e);
		emit_bytes(e, "\x81\xc6", 2); /* ADD XSI, imm32 */
		emit_u32(e, ROUND);
	}
	generated_loop_end(e, top);
}

static struct span time_accesses(struct bench_run *run, enum where where, const char **why)
{
	static const char *const names[WHERES] = { "datasheet.writes_cached",
		                                   "datasheet.writes_cold", "datasheet.writes_far",
		                                   "datasheet.writes_loaded" };
	static struct engine_result out;
	const uint32_t rounds = where >= DISTANT ? rounds_far(&run->area) : NEAR;
	struct args args = *run->args;
	struct bench_run mine = *run;
	struct emit e = generated_start();
	struct bench b;

	/* All copies access the same lines, and the first runs do not count. */
	args.mode = MODE_RATE;
	args.runs = args.unroll = args.loop = 0;
	args.warmup = WARMUP;
	mine.args = &args;
	emit_accesses(&e, where, rounds);
	place = where;
	generated_base(&b, "", "");
	generated_name(&b, names[where], 0, false);
	b.setup = setup;
	generated_end(&b, &e);
	b.set_mask |= 1u << REG_DI;
	b.set[REG_DI] = (uintptr_t)run->area.arena;
	*why = engine_measure(&mine, &b, NULL, &out);
	if (!*why && !flushed)
		*why = "nothing empties the caches here";
	if (*why)
		return (struct span){ 0 };
	return (struct span){ (out.q[0].low - (int64_t)out.tsc_error) * 1000 / (rounds * LINES),
		              out.q[0].med * 1000 / (rounds * LINES),
		              (out.q[0].high + (int64_t)out.tsc_error) * 1000 / (rounds * LINES) };
}

/* A store that hits takes as long as one that misses. */
static void judge_even(const struct span ticks[WHERES], struct figure *hit, struct figure *miss)
{
	if (2 * ticks[CACHED].med < ticks[LOADED].med) {
		hit->why = miss->why = "stores do not wait: a miss takes no longer than a hit";
		return;
	}
	hit->is = "through";
	hit->verdict = "rough";
	hit->why = NULL;
	miss->why = "each store goes to the next level";
}

/* Fills both figures from the times of a store. */
static void judge(const struct span ticks[WHERES], struct figure *hit, struct figure *miss)
{
	if (ticks[CACHED].med <= 0) {
		hit->why = miss->why = "stores that hit took no time";
	} else if (2 * ticks[COLD].low >= 3 * ticks[CACHED].high) {
		hit->is = "back";
		miss->is = "around";
		hit->verdict = miss->verdict = "sharp";
		hit->why = miss->why = NULL;
	} else if (2 * ticks[COLD].med >= 3 * ticks[CACHED].med) {
		hit->why = miss->why = "the times of stores scatter";
	} else if (10 * ticks[CACHED].med >= 9 * ticks[DISTANT].med) {
		judge_even(ticks, hit, miss);
	} else {
		hit->why = "stores bring their lines: none stays cold";
		miss->is = "allocate";
		miss->verdict = "rough"; /* which level got the line is not seen */
		miss->why = NULL;
	}
}

void datasheet_writes(struct bench_run *run, const struct bench *b)
{
	struct figure hit = { .what = "l1d.write_hit", .unit = "policy", .verdict = "none" };
	struct figure miss = { .what = "l1d.write_miss", .unit = "policy", .verdict = "none" };
	struct span ticks[WHERES];

	for (enum where w = CACHED; w < WHERES && !hit.why; w++)
		ticks[w] = time_accesses(run, w, &hit.why);
	if (hit.why)
		miss.why = hit.why;
	else
		judge(ticks, &hit, &miss);
	figure_log(b->name, &hit);
	figure_log(b->name, &miss);
}
