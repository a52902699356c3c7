/*
 * The banks of the first-level data cache: two loads at a time, whose addresses differ by each
 * distance up to REACH. Two loads of one bank wait for each other. The lines of the two loads
 * differ, because some caches serve two loads of one line from one bank.
 * Source: Intel, "Pentium Processor Family Developer's Manual", section 2.1.4: eight banks of four
 * bytes. The distances are those of bench/suite/p5.S, p5.bank_conflict.
 */
#include "bench/datasheet/figure.h"
#include "bench/datasheet/list.h"
#include "bench/suite/generated.h"
#include "kernel/lib/string.h"

enum {
	REACH = 256,  /* bytes: distances that are tried, twice as many as all banks have at most */
	APART = 1024, /* bytes to another line, in another set */
	PAIRS = 32,
	ROUNDS = 16,
};

/* Ticks of all pairs of loads, `distance` bytes apart; 0: they could not be measured, see `why`. */
static uint64_t time_pairs(struct bench_run *run, uint32_t distance, const char **why)
{
	static struct engine_result out;
	struct emit e = generated_start();
	const uint8_t *top = generated_loop(&e, ROUNDS);
	struct bench b;

	for (unsigned i = 0; i < PAIRS; i++) {
		emit_bytes(&e, "\x8a\x06", 2); /* MOV AL, [XSI] */
		emit_bytes(&e, "\x8a\x1f", 2); /* MOV BL, [XDI] */
	}
	generated_loop_end(&e, top);
	generated_base(&b, "", "");
	generated_name(&b, "datasheet.banks", distance, false);
	generated_end(&b, &e);
	b.set_mask |= 1u << REG_SI | 1u << REG_DI;
	b.set[REG_SI] = (uintptr_t)run->area.arena;
	b.set[REG_DI] = (uintptr_t)run->area.arena + APART + distance;
	*why = engine_measure(run, &b, NULL, &out);
	if (!*why && out.q[0].med <= 0)
		*why = "the loads took no time";
	return *why ? 0 : (uint64_t)out.q[0].med;
}

/* The times of the distances that were needed. */
struct times {
	struct bench_run *run;
	uint64_t ticks[REACH]; /* 0: not measured yet */
	uint64_t slow;         /* this and more is a wait */
	const char *why;       /* the reason why a distance could not be measured */
};

static uint64_t ticks_at(struct times *t, uint32_t distance)
{
	if (!t->ticks[distance] && !t->why)
		t->ticks[distance] = time_pairs(t->run, distance, &t->why);
	return t->ticks[distance];
}

/* Do loads at distance 0 wait, and at some other distance not? A quarter more time is a wait. */
static bool waits(struct times *t)
{
	uint64_t least = ticks_at(t, 0);

	for (uint32_t d = 1; d < REACH; d *= 2)
		least = ticks_at(t, d) < least ? ticks_at(t, d) : least;
	t->slow = least + least / 4;
	return !t->why && ticks_at(t, 0) >= t->slow;
}

/* The first distance from `at` on that waits, or not; REACH: there is none. */
static uint32_t next(struct times *t, uint32_t at, bool want)
{
	while (at < REACH && (ticks_at(t, at) >= t->slow) != want)
		at++;
	return at;
}

/* Does each distance wait that leads to the same bank, and no other? Two rounds of the banks. */
static bool repeats(struct times *t, uint32_t width, uint32_t period)
{
	for (uint32_t d = 0; d < 2 * period; d++)
		if ((ticks_at(t, d) >= t->slow) != (d % period < width))
			return false;
	return true;
}

/* Fills both figures; returns NULL, or the reason why they have no values. */
static const char *find(struct times *t, struct figure *banks, struct figure *width)
{
	uint32_t first, period;

	if (!waits(t))
		return "no two loads waited for each other";
	first = next(t, 0, false);
	period = next(t, first, true);
	if (2 * period > REACH || period % first || !repeats(t, first, period) || t->why)
		return "the loads that waited do not lie at equal distances";
	width->value = width->low = width->high = first;
	banks->value = banks->low = banks->high = period / first;
	banks->verdict = width->verdict = "sharp";
	return NULL;
}

void datasheet_banks(struct bench_run *run, const struct bench *b)
{
	static struct times t;
	struct figure banks = { .what = "l1d.banks", .unit = "banks", .verdict = "none" };
	struct figure width = { .what = "l1d.bank_width", .unit = "bytes", .verdict = "none" };

	memset(&t, 0, sizeof(t));
	t.run = run;
	banks.why = find(&t, &banks, &width);
	if (t.why)
		banks.why = t.why;
	width.why = banks.why;
	figure_log(b->name, &banks);
	figure_log(b->name, &width);
}
