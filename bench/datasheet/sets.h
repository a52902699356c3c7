/*
 * The entries, ways and sets of a structure that maps addresses to sets, such as a cache or a TLB,
 * from the time of rings. A ring visits its elements over and over in an order that no stride
 * describes, and is slow as soon as its elements do not fit.
 *
 * Elements lie at multiples of a unit: a page, a line. The elements of a group are neighbours; the
 * groups are `stride` units apart. A structure of S sets and W ways holds W * S / stride groups as
 * long as `stride` is at most S, and W groups beyond that.
 */
#ifndef BENCH_DATASHEET_SETS_H
#define BENCH_DATASHEET_SETS_H

#include "bench/datasheet/figure.h"
#include "bench/engine/engine.h"

struct sets_ring {
	uint32_t groups, stride; /* and units from one to the next */
	uint32_t lines;          /* elements of a group */
	uint32_t shift;          /* every other group lies so many bytes further on */
};

/* What is measured. */
struct sets {
	struct bench_run *run;
	/*
	 * Thousandths of a TSC tick that an element of the ring takes; 0: the ring cannot be made
	 * or measured, and `why` may say the reason.
	 */
	int64_t (*time)(struct sets *s, const struct sets_ring *r);
	uint32_t most; /* elements of a ring */
	const char *why;
};

/* What was found of a level. Entries are ways * sets. */
struct sets_level {
	int64_t hit, beyond; /* time of an element here and in the next level */
	uint32_t fits, over; /* the entries are at least `fits` and fewer than `over`; 0: no step */
	uint32_t ways, sets; /* 0: unknown */
	uint32_t rough;      /* entries where no ways were found: half of the step is done there */
	bool sharp;          /* every ring that must be fast or slow is */
};

/* Finds a level. `before`: the level before it, or NULL. */
struct sets_level sets_find(struct sets *s, const struct sets_level *before);

/* Is at least so many quarters of the step done with this ring? */
bool sets_slow(struct sets *s, const struct sets_level *c, unsigned quarters, struct sets_ring r);

/* Is at most so much of it done? False of a ring that cannot be measured, as the other one. */
bool sets_fast(struct sets *s, const struct sets_level *c, unsigned quarters, struct sets_ring r);

/* Writes a figure of the entries and one of the ways. `filler` may be NULL. */
void sets_log(const struct bench *b, const struct sets *s, const struct sets_level *c,
              const char *entries, const char *ways, const char *filler);

/*
 * The element behind element `at` of a ring of n: the order of a full-period linear congruential
 * generator (bench/suite/memory.c), less the numbers that are no elements.
 */
uint32_t sets_next(uint32_t at, uint32_t n);

#endif
