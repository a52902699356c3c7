/*
 * Finds the entries, ways and sets of a cache, a TLB or another structure with sets, from the time
 * of rings. A ring visits its elements again and again, in an order without a constant stride, and
 * is slow if its elements do not fit.
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
	uint32_t groups, stride; /* stride: units from one group to the next */
	uint32_t lines;          /* elements of a group */
	uint32_t shift;          /* bytes added to the address of every other group */
};

/* The measured structure. */
struct sets {
	struct bench_run *run;
	/*
	 * Returns the time of an element of the ring, in thousandths of a TSC tick. 0: the ring
	 * cannot be made or measured, and `why` may have the reason.
	 */
	int64_t (*time)(struct sets *s, const struct sets_ring *r);
	uint32_t most; /* elements of a ring */
	bool once;     /* where times spread a result that is not sharp is not searched again */
	const char *why;
	const char *doubt; /* why no result is sharp; NULL: one may be */
};

/* A level, as it was found. Entries are ways * sets. */
struct sets_level {
	int64_t hit, beyond; /* time of an element here and in the next level */
	uint32_t fits, over; /* the entries are at least `fits` and fewer than `over`; 0: no step */
	uint32_t ways, sets; /* 0: unknown */
	/*
	 * If no ways were found: more neighbours than these are slow by 1/8, 1/4, 3/4 of a step.
	 * `fits`, `over` and `most` also enclose a later step if it is larger.
	 */
	uint32_t eighth, quarter, most;
	bool open;    /* the longest ring is still a part of the step: `most` is 0 */
	bool unclear; /* no two searches ended at one place */
	bool sharp;   /* all rings that must be fast, or slow, are so */
};

/* Why there is no figure of a level that is `unclear`. */
extern const char sets_unclear[];

/* Why a figure is not sharp, or not there, in a process whose memory is in small pages. */
extern const char sets_small_pages[];

/*
 * Finds a level. `before`: the level before it, or NULL. Where times spread, two searches have to
 * agree.
 */
struct sets_level sets_find(struct sets *s, const struct sets_level *before);

/* Is the time of this ring more than `hit` plus `quarters` quarters of the step? */
bool sets_slow(struct sets *s, const struct sets_level *c, unsigned quarters, struct sets_ring r);

/* Is it at most so much? Both are false for a ring that cannot be measured. */
bool sets_fast(struct sets *s, const struct sets_level *c, unsigned quarters, struct sets_ring r);

/* Writes a figure of the entries and a figure of the ways. `filler` may be NULL. */
void sets_log(const struct bench *b, const struct sets *s, const struct sets_level *c,
              const char *entries, const char *ways, const char *filler);

/*
 * The element after element `at` in a ring of n elements: the order is that of a full-period linear
 * congruential generator (bench/suite/memory.c), without the numbers from n on.
 */
uint32_t sets_next(uint32_t at, uint32_t n);

#endif
