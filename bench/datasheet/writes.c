/*
 * What the first-level data cache does with stores. Three times of a store decide:
 *
 *	cached	its line was loaded before
 *	cold	its line was flushed and never loaded: only stores may have brought it
 *	far	its line is one of more than the cache holds
 *
 * A store to a cold line that stays slow, whereas one to a cached line is quick, goes around the
 * cache, and the quick one is kept there (write-back). Where a store to a cached line takes as long
 * as one to a far line, each store goes on to the next level (write-through). Source of the terms:
 * Intel, "Pentium Processor Family Developer's Manual", section 2.1.4.
 */
#include "bench/datasheet/figure.h"
#include "bench/datasheet/list.h"
#include "bench/engine/platform.h"
#include "bench/suite/generated.h"

enum {
	LINE = 64,  /* bytes from one store to the next */
	LINES = 16, /* of the loop */
	WARMUP = 3,
	NEAR = 64,  /* rounds over the same lines */
	FAR = 1024, /* rounds, each over other lines: 1 MiB */
};

enum where { CACHED, COLD, DISTANT, WHERES };

static enum where place; /* what setup() prepares */
static bool flushed;     /* it could */

static void setup(const struct bench *b, const struct bench_area *area)
{
	(void)b;
	platform_flush_caches();
	flushed = platform_flush_bytes(area->arena, (size_t)FAR * LINES * LINE);
	for (unsigned i = 0; place == CACHED && i < LINES; i++)
		*(volatile uint32_t *)(area->arena + i * LINE);
}

/* Of a store, in thousandths of a tick: half of the samples lie between `low` and `high`. */
struct span {
	int64_t low, med, high;
};

static struct span time_stores(struct bench_run *run, enum where where, const char **why)
{
	static const char *const names[WHERES] = { "datasheet.writes_cached",
		                                   "datasheet.writes_cold",
		                                   "datasheet.writes_far" };
	static struct engine_result out;
	const uint32_t rounds = where == DISTANT ? FAR : NEAR;
	struct args args = *run->args;
	struct bench_run mine = *run;
	struct emit e = generated_start();
	const uint8_t *top;
	struct bench b;

	/* All copies store to the same lines, and the first runs do not count. */
	args.mode = MODE_RATE;
	args.runs = args.unroll = args.loop = 0;
	args.warmup = WARMUP;
	mine.args = &args;
	generated_wide(&e);
	emit_bytes(&e, "\x89\xfe", 2); /* MOV XSI, XDI */
	top = generated_loop(&e, rounds);
	for (unsigned i = 0; i < LINES; i++) {
		emit_bytes(&e, "\x89\x86", 2); /* MOV [XSI + disp32], EAX */
		emit_u32(&e, i * LINE);
	}
	if (where == DISTANT) {
		generated_wide(&e);
		emit_bytes(&e, "\x81\xc6", 2); /* ADD XSI, imm32 */
		emit_u32(&e, LINES * LINE);
	}
	generated_loop_end(&e, top);
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
		hit->is = "through";
		hit->verdict = "rough";
		hit->why = NULL;
		miss->why = "each store goes to the next level";
	} else {
		hit->why = "stores bring their lines, so none stays cold";
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
		ticks[w] = time_stores(run, w, &hit.why);
	if (hit.why)
		miss.why = hit.why;
	else
		judge(ticks, &hit, &miss);
	figure_log(b->name, &hit);
	figure_log(b->name, &miss);
}
