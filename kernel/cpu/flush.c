/*
 * What empties the caches (kernel/cpu/flush.h).
 */
#include "kernel/cpu/flush.h"
#include "kernel/lib/log.h"

enum {
	LINES = FLUSH_LINES, /* walked through; more instructions than a core looks ahead */
	LINE = 64,
	WALKS = 5,
	STEP = 77,  /* from one line to the next: no prefetcher follows that */
	SLOWER = 4, /* a walk through memory takes so many times as long as through a cache */
};

union line {
	const void *next;
	uint8_t bytes[LINE];
};

static union line *line; /* LINES of them, lent to flush_find() */

static enum flush_by by;
static size_t clflush_line = LINE;

/* 77 and 384 have no common divisor, so the walk comes by all lines. */
static void link_lines(void)
{
	for (unsigned i = 0; i < LINES; i++)
		line[i].next = &line[(i + STEP) % LINES];
}

/* Ticks of the TSC; each load waits for the one before. */
static uint64_t walk(void)
{
	const void *p = &line[0];
	uint64_t start = x86_rdtsc();

	for (unsigned i = 0; i < LINES; i++)
		p = *(const void *const volatile *)p;
	/* The time is read behind the walk, as far as a branch that knows its end can see to it. */
	asm volatile("" : : "r"(p) : "memory");
	return x86_rdtsc() - start;
}

/* The fastest of some walks, each behind `before`. */
static uint64_t fastest(void (*before)(void))
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < WALKS; i++) {
		uint64_t ticks;

		before();
		ticks = walk();
		least = ticks < least ? ticks : least;
	}
	return least;
}

static void warm(void)
{
	walk();
}

static void wbinvd(void)
{
	asm volatile("wbinvd" : : : "memory");
}

static void clflush(const void *start, size_t size)
{
	uintptr_t at = (uintptr_t)start & ~(uintptr_t)(clflush_line - 1);
	const uintptr_t end = (uintptr_t)start + size;

	for (; at < end; at += clflush_line)
		asm volatile("clflush %0" : : "m"(*(const char *)at) : "memory");
	x86_cpuid(0, 0); /* waits for all of them (SDM volume 2, CLFLUSH: ordered by MFENCE) */
}

static void clflush_lines(void)
{
	clflush(line, FLUSH_ROOM);
}

static bool has_clflush(const struct cpu *c)
{
	return cpu_has(c, CPU_CLFSH) && c->clflush_line;
}

enum flush_by flush_find(const struct cpu *c, void *room)
{
	uint64_t in_cache;

	line = room;
	link_lines();
	if (has_clflush(c))
		clflush_line = c->clflush_line;
	in_cache = fastest(warm);
	if (fastest(wbinvd) > SLOWER * in_cache)
		by = FLUSH_WBINVD;
	else if (has_clflush(c) && fastest(clflush_lines) > SLOWER * in_cache)
		by = FLUSH_CLFLUSH;
	else
		by = FLUSH_NOTHING;
	if (by == FLUSH_NOTHING)
		log_warn("cache", "wbinvd",
		         "nothing empties the caches here: runs from cold are warm, and what shall "
		         "be in memory is in a cache");
	return by;
}

void flush_caches(void)
{
	wbinvd();
}

bool flush_bytes(const void *start, size_t size)
{
	if (by == FLUSH_CLFLUSH)
		clflush(start, size);
	return by != FLUSH_NOTHING;
}

const char *flush_name(enum flush_by b)
{
	return b == FLUSH_WBINVD ? "wbinvd" : b == FLUSH_CLFLUSH ? "clflush" : "none";
}
