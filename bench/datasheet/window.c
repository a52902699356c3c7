/*
 * How far a core looks ahead (bench/datasheet/window.h).
 *
 * The body is made for a number n of fillers:
 *
 *	CLFLUSH [XSI]; CLFLUSH [XDI]; MFENCE; LFENCE
 *	MOV EAX, [XSI]
 *	n fillers
 *	MOV EAX, [XDI], or [XDI + XAX] in a second body; MFENCE; LFENCE
 *
 * In the second body the second load waits for the first, so that it takes two misses. The first
 * body takes about one as long as its loads overlap, and exactly the time of the second body when
 * they no longer do. Nothing else tells the two apart.
 */
#include "bench/datasheet/window.h"
#include "bench/suite/generated.h"

enum {
	LOOP = 16,       /* bodies of a run */
	REPEATS = 7,     /* differences of which the median counts */
	FEW = 3,         /* ... that do if they agree */
	SEARCHES = 5,    /* until two of them agree */
	MISS_LEAST = 16, /* what overlap saves is at least such a part of a body */
	LEAST_MISSES = 2,
	FIRST = 4,   /* fillers to begin with, */
	MOST = 2048, /* and at most */
	LINE_B = 3 * 4096 + 5 * 64,
	SPACING = 4096 + 64, /* of the lines that miss together: no two are neighbours */
	FILLER_BYTES = 8,
	VARIANTS = 8,
	ENDS = 10, /* a step is over within a tenth of the fillers */
};

struct insn {
	uint8_t size, bytes[FILLER_BYTES];
};

struct filler {
	const char *name;
	unsigned n; /* variants, in turn */
	struct insn insn[VARIANTS];
};

/* clang-format off */
static const struct filler fillers[WINDOW_FILLERS] = {
	[WINDOW_NOP] = { "nop", 1, { { 1, { 0x90 } } } },
	[WINDOW_MIX] = { "mix", 8, {
		{ 5, { 0xb9, 1, 0, 0, 0 } },          /* MOV ECX, 1 */
		{ 4, { 0x66, 0x0f, 0xfe, 0xc8 } },    /* PADDD XMM1, XMM0 */
		{ 2, { 0x85, 0xdb } },                /* TEST EBX, EBX */
		{ 4, { 0x66, 0x0f, 0xeb, 0xd0 } },    /* POR XMM2, XMM0 */
		{ 2, { 0x8b, 0x13 } },                /* MOV EDX, [XBX] */
		{ 4, { 0x66, 0x0f, 0xfe, 0xd8 } },    /* PADDD XMM3, XMM0 */
		{ 3, { 0x89, 0x5b, 0x40 } },          /* MOV [XBX + 64], EBX */
		{ 4, { 0x66, 0x0f, 0xeb, 0xe0 } } } },/* POR XMM4, XMM0 */
	[WINDOW_MIX_INTEGER] = { "mix_integer", 8, {
		{ 5, { 0xb9, 1, 0, 0, 0 } },          /* MOV ECX, 1 */
		{ 2, { 0x85, 0xdb } },                /* TEST EBX, EBX */
		{ 3, { 0x8d, 0x14, 0x1b } },          /* LEA EDX, [XBX + XBX] */
		{ 2, { 0x39, 0xd3 } },                /* CMP EBX, EDX */
		{ 2, { 0x8b, 0x0b } },                /* MOV ECX, [XBX] */
		{ 5, { 0xba, 1, 0, 0, 0 } },          /* MOV EDX, 1 */
		{ 2, { 0x85, 0xd2 } },                /* TEST EDX, EDX */
		{ 3, { 0x8d, 0x0c, 0x1b } } } },      /* LEA ECX, [XBX + XBX] */
	[WINDOW_LOAD] = { "load", 2, {
		{ 2, { 0x8b, 0x0b } },                /* MOV ECX, [XBX] */
		{ 3, { 0x8b, 0x53, 0x04 } } } },      /* MOV EDX, [XBX + 4] */
	[WINDOW_LOAD_BOTH] = { "load_both", 2, {
		{ 2, { 0x8b, 0x0b } },                /* MOV ECX, [XBX] */
		{ 5, { 0x66, 0x0f, 0x6e, 0x4b, 4 } } } },/* MOVD XMM1, [XBX + 4] */
	[WINDOW_LOAD_MISS] = { "load_miss", 2, {
		{ 3, { 0x8b, 0x4e, 0x04 } },          /* MOV ECX, [XSI + 4] */
		{ 5, { 0x66, 0x0f, 0x6e, 0x4e, 8 } } } },/* MOVD XMM1, [XSI + 8] */
	[WINDOW_STORE] = { "store", 2, {
		{ 2, { 0x89, 0x0b } },                /* MOV [XBX], ECX */
		{ 3, { 0x89, 0x53, 0x04 } } } },      /* MOV [XBX + 4], EDX */
	[WINDOW_WAIT] = { "wait", 2, {
		{ 2, { 0x85, 0xc0 } },                /* TEST EAX, EAX */
		{ 2, { 0x39, 0xc3 } } } },            /* CMP EBX, EAX */
	[WINDOW_WAIT_LOAD] = { "wait_load", 2, {
		{ 3, { 0x8b, 0x0c, 0x03 } },          /* MOV ECX, [XBX + XAX] */
		{ 4, { 0x8b, 0x54, 0x03, 0x04 } } } },/* MOV EDX, [XBX + XAX + 4] */
	[WINDOW_WAIT_MIXED] = { "wait_mixed", 2, {
		{ 3, { 0x8d, 0x0c, 0x00 } },          /* LEA ECX, [XAX + XAX] */
		{ 3, { 0x8b, 0x14, 0x03 } } } },      /* MOV EDX, [XBX + XAX] */
};
/* clang-format on */

const char *window_name(enum window_filler filler)
{
	return fillers[filler].name;
}

/* What a body is made of. */
struct shape {
	void (*make)(struct bench *b, const struct shape *s);
	const struct filler *filler;
	uint32_t n; /* fillers, or loads that miss */
	bool waits; /* a load for the first one */
};

static void emit_fences(struct emit *e)
{
	emit_bytes(e, "\x0f\xae\xf0\x0f\xae\xe8", 6); /* MFENCE; LFENCE */
}

static void make_pair(struct bench *b, const struct shape *s)
{
	struct emit e = generated_start();

	emit_bytes(&e, "\x0f\xae\x3e\x0f\xae\x3f", 6); /* CLFLUSH [XSI]; CLFLUSH [XDI] */
	emit_fences(&e);
	emit_bytes(&e, "\x8b\x06", 2); /* MOV EAX, [XSI] */
	for (uint32_t i = 0; i < s->n; i++) {
		const struct insn *insn = &s->filler->insn[i % s->filler->n];

		emit_bytes(&e, insn->bytes, insn->size);
	}
	if (s->waits)
		emit_bytes(&e, "\x8b\x04\x07", 3); /* MOV EAX, [XDI + XAX] */
	else
		emit_bytes(&e, "\x8b\x07", 2); /* MOV EAX, [XDI] */
	emit_fences(&e);
	generated_end(b, &e);
}

/* n lines are flushed and loaded. In the second body the last load waits for the first. */
static void make_misses(struct bench *b, const struct shape *s)
{
	struct emit e = generated_start();

	for (uint32_t i = 0; i < s->n; i++) {
		emit_bytes(&e, "\x0f\xae\xbe", 3); /* CLFLUSH [XSI + disp32] */
		emit_u32(&e, i * SPACING);
	}
	emit_fences(&e);
	emit_bytes(&e, "\x8b\x06", 2); /* MOV EAX, [XSI] */
	for (uint32_t i = 1; i < s->n; i++) {
		if (s->waits && i + 1 == s->n)
			emit_bytes(&e, "\x8b\x8c\x06", 3); /* MOV ECX, [XSI + XAX + disp32] */
		else
			emit_bytes(&e, "\x8b\x8e", 2); /* MOV ECX, [XSI + disp32] */
		emit_u32(&e, i * SPACING);
	}
	emit_fences(&e);
	generated_end(b, &e);
}

/* The first load reads 0, which is part of the address of a load that waits for it. */
static void setup(const struct bench *b, const struct bench_area *area)
{
	(void)b;
	for (uint32_t i = 0; i < WINDOW_MISSES; i++)
		*(volatile uint32_t *)(area->arena + i * SPACING) = 0;
	*(volatile uint32_t *)(area->arena + LINE_B) = 0;
}

/* A search for the most fillers, or loads that miss at a time. */
struct search {
	const struct bench_run *run;
	struct shape shape;
	int64_t most; /* ticks that are saved where nothing is in the way: about a miss */
	bool exact;   /* times have no spread */
	const char *why;
};

/* TSC ticks of the bodies of a run. */
static int64_t run_time(struct search *s)
{
	static struct engine_result out;
	static unsigned number;
	struct bench b;

	if (s->why)
		return 0;
	generated_base(&b, "", "");
	generated_name(&b, "datasheet", number++, false);
	b.loop = LOOP;
	b.ticks_only = true;
	b.setup = setup;
	b.set_mask = 1u << REG_SI | 1u << REG_DI;
	b.set[REG_SI] = (uintptr_t)s->run->area.arena;
	b.set[REG_DI] = (uintptr_t)s->run->area.arena + LINE_B;
	s->shape.make(&b, &s->shape);
	s->why = engine_measure(s->run, &b, NULL, &out);
	s->exact &= s->why || out.q[0].exact;
	return s->why ? 0 : out.q[0].med;
}

static int64_t middle(int64_t v[], unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j && v[j] < v[j - 1]; j--) {
			const int64_t t = v[j];

			v[j] = v[j - 1];
			v[j - 1] = t;
		}
	return v[n / 2];
}

/* Are all of v on one side of the third of a miss that overlap() asks for? */
static bool one_side(const struct search *s, const int64_t v[], unsigned n)
{
	unsigned more = 0;

	for (unsigned i = 0; i < n; i++)
		more += 3 * v[i] > s->most;
	return s->most && (!more || more == n);
}

/*
 * What overlap saves, in ticks: the median of some differences where the times spread, fewer where
 * they agree. Both times of a difference are measured one after the other.
 */
static int64_t saved(struct search *s, uint32_t n)
{
	int64_t v[REPEATS];
	unsigned i = 0;

	s->shape.n = n;
	while (!i || (i < REPEATS && !s->exact && !s->why)) {
		if (i == FEW && one_side(s, v, i))
			break;
		s->shape.waits = true;
		v[i] = run_time(s);
		s->shape.waits = false;
		v[i++] -= run_time(s);
	}
	return s->why ? 0 : middle(v, i);
}

/*
 * Do the loads overlap? Then the second one begins when the fillers before it have been renamed,
 * which takes a part of a miss.
 */
static bool overlap(struct search *s, uint32_t n)
{
	return 3 * saved(s, n) > s->most && !s->why;
}

/*
 * Is there a step behind so many fillers? The time to rename them makes what is saved less and
 * less, so that it is a third somewhere even where no structure is full.
 */
static bool is_step(struct search *s, uint32_t fits)
{
	const uint32_t around = s->shape.filler || !s->exact ? fits / ENDS : 0;
	const uint32_t below = fits > around ? fits - around : 0;

	return 4 * (saved(s, below) - saved(s, fits + around + 1)) > s->most && !s->why;
}

/* What the method needs: that a miss takes time, and that two of them overlap. */
static void begin(struct search *s, uint32_t n)
{
	int64_t all;

	s->most = saved(s, n);
	all = run_time(s);
	if (!s->why && MISS_LEAST * s->most < all)
		s->why = "two loads behind CLFLUSH take as long as one behind the other";
}

/* The largest number from `low` on, below `most`, with which the loads overlap. */
static uint32_t bisect(struct search *s, uint32_t low, uint32_t high, uint32_t most)
{
	for (; !s->why && high < most && overlap(s, high); high *= 2)
		low = high;
	high = high < most ? high : most;
	while (!s->why && high - low > 1) {
		const uint32_t n = (low + high) / 2;

		if (overlap(s, n))
			low = n;
		else
			high = n;
	}
	return low;
}

static uint32_t search_fillers(struct search *s)
{
	begin(s, 0);
	return bisect(s, 0, FIRST, MOST);
}

/*
 * All loads at a time take a miss as long as there is a buffer for each. One more waits for the
 * buffer of the first.
 */
static uint32_t search_misses(struct search *s)
{
	begin(s, LEAST_MISSES);
	return bisect(s, LEAST_MISSES, 2 * LEAST_MISSES, WINDOW_MISSES);
}

/* Times that spread can mislead a search. It has to end twice at one place, give or take 1. */
static struct window repeat(struct search *s, uint32_t (*search)(struct search *s))
{
	struct window w = { .low = UINT32_MAX };
	uint32_t found[SEARCHES];
	bool same = false;

	s->exact = true;
	for (unsigned i = 0; i < SEARCHES && !s->why && !same; i++) {
		found[i] = w.fits = search(s);
		w.low = found[i] < w.low ? found[i] : w.low;
		w.high = found[i] > w.high ? found[i] : w.high;
		same = s->exact;
		for (unsigned j = 0; j < i; j++)
			same |= found[j] + 1 >= found[i] && found[j] <= found[i] + 1;
	}
	w.sharp = !s->why && same && is_step(s, w.fits);
	if (s->why)
		return (struct window){ .why = s->why };
	if (same && !w.sharp)
		return (struct window){ .fits = WINDOW_NO_STEP };
	if (w.sharp)
		w.low = w.high = w.fits;
	return w;
}

struct window window_measure(const struct bench_run *run, enum window_filler filler)
{
	struct search s = { .run = run, .shape = { make_pair, .filler = &fillers[filler] } };

	return repeat(&s, search_fillers);
}

/* Memory may be busier the more lines it has to bring: only a sharp step is that of the buffers. */
struct window window_misses(const struct bench_run *run)
{
	struct search s = { .run = run, .shape = { make_misses, .n = 0 } };
	const struct window w = repeat(&s, search_misses);

	if (w.why || w.sharp || w.fits == WINDOW_NO_STEP)
		return w;
	return (struct window){ .why = "the searches did not end at one number" };
}
