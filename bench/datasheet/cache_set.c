/*
 * One set of a data cache (bench/datasheet/cache_set.h).
 *
 * The loop keeps all that it needs in registers, but for a table of addresses at the beginning of
 * the data area. A time replaces the address of its load. The stack and the code lie in other sets
 * than the blocks: cache_set_place() looks for such a set.
 */
#include "bench/datasheet/cache_set.h"
#include "bench/engine/platform.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"

enum {
	SET_BYTES = 64, /* between two places that are tried */
	AWAY = 1024,    /* the table ends below it */
	MARGIN = 128,   /* bytes left on either side of the places */
	SPARE = 896,    /* bytes from the table to the spare line */
	AHEAD = 512,    /* another line of the page, which brings the TLB entry */
	PHASES = 128,   /* clocks by which the beginnings of runs differ: more than a step has */
	TRIES = 8,      /* of a run */
	HITS = 8,       /* loads of the last block, behind one more that is not looked at */
};

struct table {
	uintptr_t chain; /* the first line between two loads; 0: none */
	uintptr_t spare; /* a line in another set, for what is loaded or flushed in vain */
	uintptr_t slot[CACHE_SET_STEPS + 1 + HITS + 1]; /* address, then ticks; ends with 0 */
};

_Static_assert(sizeof(struct table) <= SPARE && SPARE < AWAY, "the blocks lie behind the table");

/*
 * XAX is the line of the page first, then what was loaded. FENCE waits for all before it, and all
 * behind waits for it; it may change EAX to EDX. FLUSH may change what XDI points to.
 */
/* clang-format off */
#define LOAD_ALL(FLUSH, FENCE) \
	asm volatile( \
	"	.p2align 6\n" \
	"1:	mov	(%[slot]), %[at]\n" \
	"	test	%[at], %[at]\n" \
	"	jz	4f\n" \
	FLUSH \
	"	xor	%[ahead], %[at]\n" \
	"	mov	(%[at]), %%eax\n" \
	"	xor	%[ahead], %[at]\n" \
	FENCE \
	"	rdtsc\n" \
	"	mov	%%eax, (%[slot])\n" \
	FENCE \
	"	mov	(%[at]), %%eax\n" \
	FENCE \
	"	rdtsc\n" \
	"	sub	(%[slot]), %%eax\n" \
	"	mov	%%eax, (%[slot])\n" \
	"	mov	%[chain], %[at]\n" \
	"2:	test	%[at], %[at]\n" \
	"	jz	3f\n" \
	"	mov	(%[at]), %[at]\n" \
	"	jmp	2b\n" \
	"3:	add	%[size], %[slot]\n" \
	"	jmp	1b\n" \
	"4:" \
	: [slot] "+S"(slot), [at] "=&D"(at), [other] "=&c"(other), [kept] "=&d"(kept) \
	: [ahead] "i"(AHEAD), [size] "i"(sizeof(*slot)), [chain] "m"(t->chain), \
	  [spare] "m"(t->spare) \
	: "eax", "ebx", "memory", "cc")

/*
 * An odd address is that of a block that is flushed: then the spare line is loaded, else the spare
 * line is flushed. There is no branch, whose wrong prediction would change the time of a load.
 */
#define FLUSH_ONE \
	"	mov	%[spare], %[other]\n" \
	"	mov	%[at], %[kept]\n" \
	"	bt	$0, %[at]\n" \
	"	cmovc	%[other], %[at]\n" \
	"	cmovc	%[kept], %[other]\n" \
	"	btr	$0, %[other]\n" \
	"	clflush	(%[other])\n"

/*
 * CPUID begins while a load before it is under way. What depends on the load keeps it waiting.
 */
#define FENCE_BY_CPUID \
	".rept 8\n" \
	"	imul	%%eax, %%eax\n" \
	"	.endr\n" \
	"	and	$0, %%eax\n" \
	"	cpuid\n"
/* clang-format on */

static void load_all(enum platform_fence fence, const struct table *t, uintptr_t *slot,
                     bool flushes)
{
	uintptr_t at, other, kept;

	for (at = 0; slot[at]; at++) /* the table is in the first level from here on */
		*(volatile uintptr_t *)&slot[at] = slot[at];
	if (fence == FENCE_CPUID && flushes)
		LOAD_ALL(FLUSH_ONE, FENCE_BY_CPUID);
	else if (fence == FENCE_CPUID)
		LOAD_ALL("", FENCE_BY_CPUID);
	else if (flushes)
		LOAD_ALL(FLUSH_ONE "	mfence\n", "	lfence\n");
	else
		LOAD_ALL("", "	lfence\n");
}

static uintptr_t distance(uintptr_t a, uintptr_t b)
{
	const uintptr_t d = (a - b) % CACHE_SET_WAY_LEAST;

	return d < CACHE_SET_WAY_LEAST - d ? d : CACHE_SET_WAY_LEAST - d;
}

uintptr_t cache_set_place(unsigned attempt)
{
	uint8_t on_stack;
	const uintptr_t stack = (uintptr_t)&on_stack, code = (uintptr_t)load_all;
	uintptr_t best = 0, most = 0;

	for (uintptr_t at = AWAY + MARGIN; at < CACHE_SET_WAY_LEAST - MARGIN; at += SET_BYTES) {
		uintptr_t d = distance(at, stack), c = distance(at, code);

		d = d < c ? d : c;
		if (attempt && at / SET_BYTES % CACHE_SET_ATTEMPTS != attempt)
			continue;
		if (d > most) {
			most = d;
			best = at;
		}
	}
	return best;
}

static uint8_t *block_at(const struct cache_set *s, unsigned i)
{
	return s->first + i * s->apart + (i & 1 ? s->shift : 0);
}

/* Lines of a chain: with a shift one more for each, beside the odd blocks. */
static unsigned chain_lines(const struct cache_set *s)
{
	return s->shift ? 2 * s->chain : s->chain;
}

/*
 * Behind the blocks, at odd multiples of the first level's way: none is in a set with the blocks
 * where the ways are at least twice as large, or four times while half a way is tried.
 */
static uint8_t *chain_at(const struct cache_set *s, unsigned i)
{
	uint8_t *first = s->first + s->blocks * s->apart + s->chain_apart;
	const unsigned beside = i < s->chain ? 0 : s->chain;

	return first + (i - beside) * 2 * s->chain_apart + (beside ? s->shift : 0);
}

uintptr_t cache_set_size(const struct cache_set *s)
{
	return s->blocks * s->apart + (2 * s->chain + 1) * s->chain_apart + CACHE_SET_LINE_MOST;
}

/* Each line points to the next one, the last to 0. */
static void link_chain(const struct cache_set *s)
{
	const unsigned n = chain_lines(s);

	for (unsigned i = 0; i < n; i++)
		*(volatile uintptr_t *)chain_at(s, i) =
			i + 1 < n ? (uintptr_t)chain_at(s, i + 1) : 0;
}

static void flush_line(const void *line)
{
	asm volatile("clflush %0" : : "m"(*(const char *)line) : "memory");
}

bool cache_set_wbinvd(const struct bench_run *run)
{
	return platform_privileged() && !cpu_is_guest(run->cpu);
}

void cache_set_forget(const struct bench_run *run, const struct cache_set *s)
{
	if (!cpu_has(run->cpu, CPU_CLFSH))
		return;
	for (unsigned i = 0; i < s->blocks; i++)
		flush_line(block_at(s, i));
	for (unsigned i = 0; i < chain_lines(s); i++)
		flush_line(chain_at(s, i));
	if (platform_fence(run->cpu) == FENCE_LFENCE)
		asm volatile("mfence" : : : "memory"); /* waits for all of them */
	else
		x86_cpuid(0, 0);
}

/* Delays the beginning of a run by so many clocks. */
static void delay(unsigned clocks)
{
	while (clocks--)
		asm volatile("" : "+r"(clocks));
}

static bool is_quiet(const struct platform_noise *a, const struct platform_noise *b)
{
	return a->nmi == b->nmi && a->mce == b->mce && a->timer == b->timer && a->smi == b->smi &&
	       a->interrupt == b->interrupt && a->stolen == b->stolen;
}

/* Fills the table with the addresses. Is one of them flushed? */
static bool fill(struct table *t, const struct cache_set *s, const uint8_t *block, unsigned n)
{
	bool flushes = false;

	t->chain = s->chain ? (uintptr_t)chain_at(s, 0) : 0;
	t->spare = (uintptr_t)t + SPARE;
	for (unsigned i = 0; i < n + 1 + HITS; i++) {
		const unsigned b = block[i < n ? i : n - 1];
		const bool flush = i < n && b >= CACHE_SET_FLUSH;

		t->slot[i] = (uintptr_t)block_at(s, b % CACHE_SET_FLUSH) + flush;
		flushes |= flush;
	}
	t->slot[n + 1 + HITS] = 0;
	return flushes;
}

/* Runs the sequence that the table holds, which then holds ticks. */
static void run_once(const struct bench_run *run, const struct cache_set *s, struct table *t,
                     unsigned number, bool flushes)
{
	cache_set_forget(run, s);
	if (!number && platform_privileged())
		platform_flush_caches(); /* what is read from here on may share the set */
	delay(number % PHASES);
	load_all(platform_fence(run->cpu), t, t->slot, flushes);
}

/* In the other half of the sets than the blocks, and than the lines of their pages. */
static struct table *table_for(const struct bench_run *run, const struct cache_set *s)
{
	const bool low = (uintptr_t)s->first % CACHE_SET_WAY_LEAST < AWAY;

	return (struct table *)(run->area.data + (low ? AWAY : 0));
}

uint32_t cache_set_times(const struct bench_run *run, const struct cache_set *s,
                         const uint8_t *block, unsigned n, unsigned runs, uint32_t most,
                         uint32_t *milli)
{
	static uint64_t sum[CACHE_SET_STEPS + 1 + HITS];
	struct table *t = table_for(run, s);
	uint64_t hits = 0;

	memset(sum, 0, sizeof(sum));
	link_chain(s);
	/* A process has one page of zeros for all that it has not written. */
	for (unsigned i = 0; !platform_privileged() && i < s->blocks; i++)
		*(volatile uint8_t *)block_at(s, i) = 0;
	for (unsigned r = 0; r < runs; r++) {
		struct platform_noise before, after;
		unsigned tries = 0;

		do {
			const bool flushes = fill(t, s, block, n);

			before = platform_noise();
			run_once(run, s, t, r, flushes);
			after = platform_noise();
		} while (!is_quiet(&before, &after) && ++tries < TRIES);
		for (unsigned i = 0; i < n + 1 + HITS; i++) {
			const uint32_t ticks = (uint32_t)t->slot[i];

			sum[i] += ticks < most ? ticks : most;
		}
	}
	for (unsigned i = 0; i < n; i++)
		milli[i] = (uint32_t)(sum[i] * 1000 / runs);
	for (unsigned i = 0; i < HITS; i++)
		hits += sum[n + 1 + i];
	return (uint32_t)(hits * 1000 / runs / HITS);
}
