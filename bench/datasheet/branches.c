/*
 * Branch prediction: the buffer of branch targets (BTB), the stack of return addresses, and the
 * clocks that a wrong prediction costs.
 *
 * btb: rings of jumps in the order of their addresses, a few bytes apart. The distance is odd, so
 * that a BTB that takes its set from the lowest bits of an address uses all of its sets. Jumps
 * through a register are wrong without an entry on every CPU. Direct ones are tried first: some
 * CPUs keep other jumps elsewhere.
 * Method: V. Uzelac and A. Milenkovic, "Experiment Flows and Microbenchmarks for Reverse
 * Engineering of Branch Predictor Structures", 2009.
 *
 * ras: calls, one inside the other, whose returns all end in one RET. Only a stack knows where this
 * RET goes. A call inside more calls than the stack has entries adds a wrong prediction.
 *
 * mispredict: a branch that follows the highest bits of random numbers, less branches that always
 * go one way. No number comes twice, so half of the predictions are wrong. A number is made a round
 * before its branches, so that they wait for no operand once they have been fetched.
 */
#include "bench/datasheet/jumps.h"
#include "bench/datasheet/list.h"
#include "bench/datasheet/sets.h"
#include "bench/suite/generated.h"

/* ---- The BTB ---- */

enum {
	HEAD = 16,    /* bytes before the first jump */
	MOST = 16384, /* jumps */
	VISITS_LEAST = 512,
	ROUNDS = 4,
	IMM8_MOST = 127,
	RET = 0xc3,
	STEP_LEAST = 2500, /* thousandths of a clock: a step of a cache of decoded code is less */
};

static struct {
	uint32_t n, distance; /* jumps, and bytes from one to the next */
	bool indirect;
} made;

struct jumps {
	struct sets sets;
	uint32_t unit; /* bytes */
	bool indirect;
};

static uint8_t *first_jump(const struct bench_area *area)
{
	return area->arena + HEAD;
}

/* RET; then DEC ECX, JZ to that RET, and XAX is moved to the first jump. Returns the head. */
static uint8_t *write_head(uint8_t *first)
{
	const unsigned wide = sizeof(uintptr_t) == 8, bytes = 7 + wide;
	uint8_t *head = first - bytes;
	struct emit e = { .at = head, .end = first };

	head[-1] = RET;
	emit_bytes(&e, "\xff\xc9\x74\xfb", 4); /* DEC ECX; JZ 5 bytes back */
	generated_wide(&e);
	emit_bytes(&e, "\x8d\x40", 2); /* LEA XAX, [XAX + imm8] */
	emit_u8(&e, (uint8_t)bytes);
	return head;
}

/* The jump to XAX stands at the same place behind `at` in all of a ring. */
static void write_indirect(uint8_t *at, bool last, uint32_t distance)
{
	struct emit e = { .at = at, .end = at + HEAD };

	generated_wide(&e);
	if (last) {
		emit_bytes(&e, "\x89\xd0\x90", 3); /* MOV XAX, XDX; NOP */
		for (unsigned i = 0; distance > IMM8_MOST && i < 3; i++)
			emit_u8(&e, 0x90);
	} else if (distance <= IMM8_MOST) {
		emit_bytes(&e, "\x8d\x40", 2); /* LEA XAX, [XAX + imm8] */
		emit_u8(&e, (uint8_t)distance);
	} else {
		emit_bytes(&e, "\x8d\x80", 2); /* LEA XAX, [XAX + disp32] */
		emit_u32(&e, distance);
	}
	emit_bytes(&e, "\xff\xe0", 2); /* JMP XAX */
}

static void setup_jumps(const struct bench *b, const struct bench_area *area)
{
	uint8_t *first = first_jump(area), *head = write_head(first);

	(void)b;
	for (uint32_t i = 0; i < made.n; i++) {
		const bool last = i + 1 == made.n;
		uint8_t *at = first + (size_t)i * made.distance;

		if (made.indirect)
			write_indirect(at, last, made.distance);
		else
			jumps_write(at, false, last ? (uint32_t)(head - at) : made.distance);
	}
}

static int64_t time_jumps(struct sets *s, const struct sets_ring *r)
{
	static struct engine_result out;
	static unsigned number;
	const struct jumps *j = (const struct jumps *)s;
	const uint32_t n = r->groups, distance = r->stride * j->unit;
	const uint32_t rounds = (ROUNDS * n < VISITS_LEAST ? VISITS_LEAST / n : ROUNDS) + 1;
	struct bench b;

	if (r->lines > 1 || (uint64_t)n * distance + 2 * HEAD > s->run->area.arena_size)
		return 0;
	made.n = n;
	made.distance = distance;
	made.indirect = j->indirect;
	generated_base(&b, "", "");
	generated_name(&b, "datasheet.btb", number++, false);
	b.setup = setup_jumps;
	b.ticks_only = true;
	jumps_call(&b, first_jump(&s->run->area) - 7 - (sizeof(uintptr_t) == 8), rounds);
	s->why = engine_measure(s->run, &b, NULL, &out);
	return s->why ? 0 : out.q[0].med * 1000 / (rounds * n);
}

/* Thousandths of a tick in thousandths of a clock; the same where clocks are unknown. */
static int64_t clocks(const struct bench_run *run, int64_t ticks)
{
	return run->core_per_tsc ? ticks * (int64_t)run->core_per_tsc / 1000 : ticks;
}

/* The level of a BTB with jumps of one kind, at the distance at which most of them fit. */
static struct sets_level find_btb(struct jumps *j)
{
	static const uint8_t units[] = { 7, 17, 33 };
	struct sets_level best = { 0 };

	for (unsigned i = 0; i < sizeof(units) && !best.sharp; i++) {
		struct sets_level c;

		j->unit = units[i];
		c = sets_find(&j->sets, NULL);
		if (c.fits && !c.unclear && clocks(j->sets.run, c.beyond - c.hit) >= STEP_LEAST &&
		    (c.sharp || c.fits > best.fits))
			best = c;
	}
	return best;
}

void datasheet_btb(struct bench_run *run, const struct bench *b)
{
	struct jumps j = { .sets = { .run = run, .time = time_jumps, .most = MOST, .once = true } };
	struct sets_level c = find_btb(&j);

	if (!c.sharp && !j.sets.why) {
		struct sets_level indirect;

		j.indirect = true;
		indirect = find_btb(&j);
		j.indirect = indirect.sharp || indirect.fits > c.fits;
		c = j.indirect ? indirect : c;
	}
	sets_log(b, &j.sets, &c, "btb.l1_entries", "btb.ways", j.indirect ? "indirect" : "direct");
}

/* ---- The stack of return addresses ---- */

enum {
	CALLS = 72,             /* one inside the other, at most */
	CALL_ROUNDS = 16,       /* of a run where readings of the TSC are exact */
	CALL_ROUNDS_MORE = 128, /* ... and where a reading may be off by a step */
	SERIES = 5,             /* searches, until two of them agree */
	WRONG_LEAST = 3,        /* clocks that a wrong prediction of a return costs */
	FIRST_CALL = 2,         /* the first with one around it */
	FLAT = 3,               /* so many calls from the first on fit into every stack */
	STEEP = 8,              /* calls behind the last that fits */
};

static void sort(int64_t v[], unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j && v[j] < v[j - 1]; j--) {
			const int64_t t = v[j];

			v[j] = v[j - 1];
			v[j - 1] = t;
		}
}

/* A call returns to a jump to the one RET, and calls the next behind this jump. */
static void make_calls(struct bench *b, uint32_t n, uint32_t rounds)
{
	static const uint8_t call[] = { 0xe8, 5, 0, 0, 0 };
	struct emit e = generated_start();
	const uint8_t *top = generated_loop(&e, rounds), *ret;

	emit_u8(&e, 0xe8); /* CALL the code behind the RET */
	emit_u32(&e, 6);
	emit_u8(&e, 0xe9); /* JMP the end of the round */
	emit_u32(&e, 1 + (n - 1) * 10 + 5);
	ret = e.at;
	emit_u8(&e, RET);
	for (uint32_t i = 0; i < n; i++) {
		if (i + 1 < n)
			emit_bytes(&e, call, sizeof(call));
		emit_u8(&e, 0xe9); /* JMP the RET */
		emit_u32(&e, (uint32_t)(ret - (e.at + 4)));
	}
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

/* Rounds of a run. */
static uint32_t call_rounds(void)
{
	return engine_tsc_error() ? CALL_ROUNDS_MORE : CALL_ROUNDS;
}

/* TSC ticks of a run of so many calls; 0: `*why` is the reason. */
static int64_t calls_time(struct bench_run *run, uint32_t n, const char **why, bool *exact)
{
	static struct engine_result out;
	static unsigned number;
	struct bench b;

	generated_base(&b, "", "");
	generated_name(&b, "datasheet.ras", number++, false);
	make_calls(&b, n, call_rounds());
	b.ticks_only = true;
	if (!*why)
		*why = engine_measure(run, &b, NULL, &out);
	*exact &= *why || out.q[0].exact;
	return *why ? 0 : out.q[0].med;
}

/*
 * more[n]: ticks that call n costs; calls 2 to CALLS. The stack is full where STEEP calls in a row
 * cost `least` ticks more than the first ones. A call may cost a little more because of its
 * address, so the first of them have to do half of the step. Returns the calls that fit; 0: none.
 */
static uint32_t find_stack(const int64_t more[], int64_t least)
{
	uint32_t steep = 0, n = FIRST_CALL + FLAT;
	int64_t few[FLAT], many[STEEP];

	for (unsigned i = 0; i < FLAT; i++)
		few[i] = more[FIRST_CALL + i];
	sort(few, FLAT);
	for (; n <= CALLS && steep < STEEP; n++)
		steep = more[n] >= few[FLAT / 2] + least ? steep + 1 : 0;
	if (steep < STEEP)
		return 0;
	n -= STEEP; /* the first of the steep calls */
	for (unsigned i = 0; i < STEEP; i++)
		many[i] = more[n + i];
	sort(many, STEEP);
	/* Calls that cost more and more have no plateau behind a step. */
	if (2 * (many[STEEP - 2] - many[1]) > many[STEEP / 2] - few[FLAT / 2])
		return 0;
	while (2 * more[n] < few[FLAT / 2] + many[STEEP / 2])
		n++;
	return n - 1;
}

static int64_t from_clocks(const struct bench_run *run, int64_t n)
{
	return run->core_per_tsc ? n * 1000 / (int64_t)run->core_per_tsc : n;
}

static uint32_t search_stack(struct bench_run *run, const char **why, bool *exact)
{
	int64_t more[CALLS + 1], before, t = 0;

	for (uint32_t n = 1; n <= CALLS; n++) {
		before = t;
		t = calls_time(run, n, why, exact);
		more[n] = t - before;
	}
	return *why ? 0 : find_stack(more, from_clocks(run, call_rounds() * WRONG_LEAST));
}

/* Times that spread can mislead a search: two have to end at one place. */
void datasheet_ras(struct bench_run *run, const struct bench *b)
{
	struct figure f = { .what = "ras_entries", .verdict = "none", .shared = true };
	uint32_t found[SERIES];
	bool exact = true, same = false;

	for (unsigned i = 0; i < SERIES && !f.why && !same; i++) {
		found[i] = search_stack(run, &f.why, &exact);
		same = exact;
		for (unsigned j = 0; j < i; j++)
			same |= found[j] == found[i];
		f.value = found[i];
		f.low = !i || f.value < f.low ? f.value : f.low;
		f.high = f.value > f.high ? f.value : f.high;
	}
	if (!f.why && !f.value)
		f.why = "each call costs as much as the one before: no stack of returns shows";
	if (f.why)
		f.value = f.low = f.high = 0;
	else
		f.verdict = exact ? "sharp" : "rough";
	if (exact || same)
		f.low = f.value;
	if (!exact) /* another predictor may hide a part of the stack, or end before it */
		f.high = 0;
	figure_log(b->name, &f);
}

/* ---- What a wrong prediction costs ---- */

enum {
	BITS = 16384,
	BITS_EACH = 8, /* of a number: the highest ones, since the period of the lowest is short */
	PERCENT = 5,   /* that the time may be off */
};

enum pattern { NEVER, ALWAYS, RANDOM, PATTERNS };

/* The numbers go on from run to run, so that none comes back. */
static void make_branch(struct bench *b, enum pattern pattern)
{
	static const uint8_t next[] = {
		0x89, 0xc2,                         /* MOV EDX, EAX */
		0x69, 0xc0, 0x0d, 0x66, 0x19, 0x00, /* IMUL EAX, EAX, 1664525 */
		0x8d, 0x80, 0x5f, 0xf3, 0x6e, 0x3c, /* LEA EAX, [XAX + 1013904223] */
	};
	struct emit e = generated_start();
	const uint8_t *top;

	emit_bytes(&e, "\x8b\x06", 2); /* MOV EAX, [XSI] */
	top = generated_loop(&e, BITS / BITS_EACH);
	emit_bytes(&e, next, sizeof(next));
	for (unsigned bit = 0; bit < BITS_EACH; bit++) {
		emit_bytes(&e, "\xf7\xc2", 2); /* TEST EDX, imm32 */
		emit_u32(&e, pattern == RANDOM ? 0x80000000u >> bit : 0);
		emit_u8(&e, pattern == NEVER ? 0x75 : 0x74); /* JNZ or JZ behind the NOP */
		emit_bytes(&e, "\x01\x90", 2);
	}
	generated_loop_end(&e, top);
	emit_bytes(&e, "\x89\x06", 2); /* MOV [XSI], EAX */
	generated_end(b, &e);
}

/* Ticks of a run, and thousandths of core clocks; 0 clocks: unknown. */
struct pattern_time {
	int64_t ticks, core;
};

static struct pattern_time pattern_time(struct bench_run *run, enum pattern pattern,
                                        const char **why)
{
	static struct engine_result out;
	static unsigned number;
	struct bench b;

	generated_base(&b, "", "");
	generated_name(&b, "datasheet.mispredict", number++, false);
	make_branch(&b, pattern);
	if (!*why)
		*why = engine_measure(run, &b, NULL, &out);
	if (*why)
		return (struct pattern_time){ 0, 0 };
	return (struct pattern_time){ out.q[0].med, out.has_core ? out.core.med : 0 };
}

void datasheet_mispredict(struct bench_run *run, const struct bench *b)
{
	struct figure f = { .what = "mispredict_penalty", .filler = "random", .verdict = "none" };
	struct pattern_time t[PATTERNS];
	bool known = true; /* are all core clocks? */
	int64_t milli;

	for (unsigned i = 0; i < PATTERNS; i++) {
		t[i] = pattern_time(run, (enum pattern)i, &f.why);
		known &= t[i].core > 0;
	}
	/* Half of the branches are predicted wrong. */
	if (known)
		milli = (2 * t[RANDOM].core - t[NEVER].core - t[ALWAYS].core) / BITS;
	else
		milli = clocks(run, (2 * t[RANDOM].ticks - t[NEVER].ticks - t[ALWAYS].ticks) *
		                            1000 / BITS);
	known |= run->core_per_tsc != 0;
	f.unit = known ? "clocks" : "ticks";
	if (!f.why && milli < 1000)
		f.why = "a branch that follows random bits takes as long as others";
	if (!f.why) {
		f.value = (uint32_t)((milli + 500) / 1000);
		f.low = (uint32_t)((milli * (100 - PERCENT) / 100 + 500) / 1000);
		f.high = (uint32_t)((milli * (100 + PERCENT) / 100 + 500) / 1000);
		f.verdict = f.low == f.high && known ? "sharp" : "rough";
	}
	figure_log(b->name, &f);
}
