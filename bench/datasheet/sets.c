/*
 * Entries, ways and sets from the time of rings (bench/datasheet/sets.h).
 *
 * A step begins between a number of elements and twice that number. The number of groups that are
 * just slow is searched at a stride at which it is small. The stride is doubled as long as half as
 * many groups still make the ring slow: then it has reached the number of sets. Sets whose number
 * has an odd factor show when a stride of that factor takes fewer groups. The result counts as
 * sharp only if rings of neighbours agree: all entries are fast, and one more in each set is slow.
 */
#include "bench/datasheet/sets.h"

enum {
	FIRST = 2, /* elements to begin with */
	WAYS_LIKELY =
		32, /* the first stride would make the structure one of so many ways, or more */
	ODD_MOST = 7,
	HALF = 2, /* quarters of a step */
	EIGHTHS = 8,
	FAINT = 8,    /* a step that is so many times smaller than a later one */
	SEARCHES = 4, /* at most, where times spread */
	AGREE = 16,   /* sizes that differ by so small a part of them are the same */
};

static const char no_step[] = "no ring was slower than the ring of half as many elements";
const char sets_unclear[] = "no two searches ended at one place: the machine is busy";
const char sets_small_pages[] = "the system gives no memory in pages of 2 MiB";
static const char no_ways[] = "no stride shows the sets: they may be chosen by a hash";

uint32_t sets_next(uint32_t at, uint32_t n)
{
	uint32_t period = 1;

	while (period < n)
		period *= 2;
	do
		at = (at * 1664525 + 1013904223) & (period - 1);
	while (at >= n);
	return at;
}

static int64_t time_of(struct sets *s, struct sets_ring r)
{
	return s->why ? 0 : s->time(s, &r);
}

bool sets_slow(struct sets *s, const struct sets_level *c, unsigned quarters, struct sets_ring r)
{
	const int64_t t = time_of(s, r);

	return t && 4 * t > (4 - quarters) * c->hit + quarters * c->beyond;
}

bool sets_fast(struct sets *s, const struct sets_level *c, unsigned quarters, struct sets_ring r)
{
	const int64_t t = time_of(s, r);

	return t && 4 * t <= (4 - quarters) * c->hit + quarters * c->beyond;
}

static struct sets_ring neighbours(uint32_t n)
{
	return (struct sets_ring){ n, 1, 1, 0 };
}

/* Is a ring of twice as many elements slower by a quarter? Where times spread, it is so twice. */
static bool is_slower(struct sets *s, uint32_t n, int64_t t, int64_t next)
{
	int64_t again, next_again;

	if (4 * next <= 5 * t || !engine_tsc_error())
		return 4 * next > 5 * t;
	again = time_of(s, neighbours(n));
	next_again = time_of(s, neighbours(2 * n));
	return 4 * (next < next_again ? next : next_again) > 5 * (t > again ? t : again);
}

/*
 * A step is one or more doublings after each of which the time is more than a quarter longer; with
 * `whole` false, the first of these alone. A whole step is open if the longest ring is still a part
 * of it.
 */
static void find_step(struct sets *s, struct sets_level *c, uint32_t from, bool whole)
{
	int64_t t = time_of(s, neighbours(from));
	bool rises = false;

	for (uint32_t n = from; t && n <= s->most / 2; n *= 2) {
		const int64_t next = time_of(s, neighbours(2 * n));

		if (!next)
			break;
		rises = is_slower(s, n, t, next);
		if (c->fits && !rises)
			break;
		if (rises && !c->fits) {
			c->fits = n;
			c->hit = t;
		}
		if (rises) {
			c->over = 2 * n;
			c->beyond = next;
		}
		if (rises && !whole)
			return;
		t = next;
	}
	c->open = rises;
}

/* The fewest groups that are slow, from `low` groups on, which are fast; 0: there are none. */
static uint32_t fewest_slow(struct sets *s, const struct sets_level *c, uint32_t low,
                            uint32_t stride, uint32_t lines)
{
	uint32_t high = 2 * low;

	while (!sets_slow(s, c, HALF, (struct sets_ring){ high, stride, lines, 0 })) {
		low = high;
		high *= 2;
		if (high * lines > s->most)
			return 0;
	}
	while (high - low > 1) {
		const uint32_t n = (low + high) / 2;

		if (sets_slow(s, c, HALF, (struct sets_ring){ n, stride, lines, 0 }))
			high = n;
		else
			low = n;
	}
	return high;
}

/*
 * Does a stride of an odd factor take fewer groups? Then the number of sets has that factor, and so
 * many sets were counted as ways. The ring was half slow, so that a part of those sets had one
 * group more.
 */
static void find_odd(struct sets *s, struct sets_level *c, uint32_t lines)
{
	for (uint32_t odd = 3; odd <= ODD_MOST; odd += 2) {
		const uint32_t ways = c->ways / odd, stride = c->sets * odd;

		if (ways < 2 ||
		    !sets_slow(s, c, HALF, (struct sets_ring){ ways + 1, stride, lines, 0 }))
			continue;
		c->ways = ways;
		c->sets = stride;
	}
}

static bool consistent(struct sets *s, const struct sets_level *c, uint32_t lines)
{
	const uint32_t entries = c->ways * c->sets;

	return entries >= c->fits && entries < c->over &&
	       sets_fast(s, c, 1, (struct sets_ring){ c->ways, c->sets, lines, 0 }) &&
	       sets_slow(s, c, 3, (struct sets_ring){ c->ways + 1, c->sets, lines, 0 }) &&
	       sets_fast(s, c, 1, neighbours(entries)) &&
	       sets_slow(s, c, 3, neighbours(entries + c->sets));
}

/*
 * A structure without sets takes as many groups at each stride, so the first stride is too large
 * for it.
 */
static uint32_t smaller_stride(struct sets *s, const struct sets_level *c, uint32_t n,
                               uint32_t stride, uint32_t lines)
{
	while (stride > lines && (n - 1) * stride >= c->over &&
	       sets_slow(s, c, HALF, (struct sets_ring){ n, stride / 2, lines, 0 }))
		stride /= 2;
	return stride;
}

static void find_ways(struct sets *s, struct sets_level *c, uint32_t lines)
{
	uint32_t stride = lines, n;

	while (stride * 2 <= c->fits / WAYS_LIKELY)
		stride *= 2;
	n = fewest_slow(s, c, c->fits / stride, stride, lines);
	if (n < 2)
		return;
	stride = smaller_stride(s, c, n, stride, lines);
	while (n > 2 &&
	       sets_slow(s, c, HALF, (struct sets_ring){ (n + 1) / 2, 2 * stride, lines, 0 })) {
		stride *= 2;
		n = (n + 1) / 2;
	}
	c->ways = n - 1;
	c->sets = stride;
	find_odd(s, c, lines);
	c->sharp = consistent(s, c, lines);
}

/* `lines` of a group are so many that two groups do not fit into the level before. */
static struct sets_level find(struct sets *s, const struct sets_level *before, bool whole)
{
	struct sets_level c = { 0 };
	uint32_t lines = 1;

	find_step(s, &c, before ? before->over : FIRST, whole);
	while (before && 2 * lines <= before->ways * before->sets)
		lines *= 2;
	if (c.fits && (!before || before->sharp))
		find_ways(s, &c, lines);
	return c;
}

/* The most neighbours, from `low` on and below `high`, that are slow by less than `eighths`. */
static uint32_t neighbours_fast(struct sets *s, const struct sets_level *c, unsigned eighths,
                                uint32_t low, uint32_t high)
{
	const int64_t limit = ((EIGHTHS - eighths) * c->hit + eighths * c->beyond) / EIGHTHS;

	while (high - low > 1) {
		const uint32_t n = (low + high) / 2;

		if (time_of(s, neighbours(n)) > limit)
			high = n;
		else
			low = n;
	}
	return low;
}

/* Where an entry is not the oldest that is replaced, rings become slow little by little. */
static void find_rough(struct sets *s, struct sets_level *c)
{
	c->ways = c->sets = 0;
	c->quarter = neighbours_fast(s, c, 2, c->fits, c->over);
	c->eighth = neighbours_fast(s, c, 1, c->fits, c->quarter + 1);
	c->most = c->open ? 0 : neighbours_fast(s, c, 6, c->quarter, c->over);
}

/*
 * Later steps may be larger. The first one is that of the level, unless it is so faint that a cache
 * may have made it. The bounds hold both.
 */
static void find_later(struct sets *s, struct sets_level *c)
{
	const uint32_t fits = c->fits;
	struct sets_level largest = *c, next = *c;

	do {
		const uint32_t from = next.over;

		next = (struct sets_level){ 0 };
		find_step(s, &next, from, true);
		if (next.fits && next.beyond - next.hit > largest.beyond - largest.hit)
			largest = next;
	} while (next.fits);
	if (largest.fits == fits)
		return;
	find_rough(s, &largest);
	if (FAINT * (c->beyond - c->hit) < largest.beyond - largest.hit)
		*c = largest;
	c->fits = fits;
	c->over = largest.over;
	c->most = largest.most;
	c->open = largest.open;
}

/*
 * Levels that are twice as large as the one before make a single step of two doublings, so the
 * first is tried alone.
 */
static struct sets_level search(struct sets *s, const struct sets_level *before)
{
	struct sets_level c = find(s, before, false);

	if (c.fits && !c.sharp)
		c = find(s, before, true);
	if (!c.fits || c.sharp)
		return c;
	find_rough(s, &c);
	if (before)
		find_later(s, &c);
	return c;
}

static bool agree(const struct sets_level *a, const struct sets_level *b)
{
	const uint32_t x = a->eighth, y = b->eighth;

	if (!a->fits || !b->fits)
		return !a->fits && !b->fits;
	if (a->sharp || b->sharp)
		return a->sharp && b->sharp && a->ways == b->ways && a->sets == b->sets;
	return (x > y ? x - y : y - x) <= (x < y ? x : y) / AGREE + 1;
}

struct sets_level sets_find(struct sets *s, const struct sets_level *before)
{
	struct sets_level found[SEARCHES] = { { 0 } };

	if (before && (!before->fits || before->unclear)) {
		found[0].unclear = before->unclear;
		return found[0];
	}
	for (unsigned i = 0; i < SEARCHES; i++) {
		found[i] = search(s, before);
		if (!engine_tsc_error() || s->why || (s->once && !found[i].sharp))
			return found[i];
		for (unsigned j = 0; j < i; j++)
			if (agree(&found[i], &found[j]))
				return found[i];
	}
	found[0].unclear = true;
	return found[0];
}

void sets_log(const struct bench *b, const struct sets *s, const struct sets_level *c,
              const char *entries, const char *ways, const char *filler)
{
	struct figure f = { .what = entries, .filler = filler, .verdict = "none", .shared = true };

	f.why = s->why ? s->why : c->unclear ? sets_unclear : c->fits ? NULL : no_step;
	if (!f.why && c->sharp) {
		f.verdict = s->doubt ? "rough" : "sharp";
		f.value = c->ways * c->sets;
		f.low = s->doubt ? c->fits : f.value;
		f.high = s->doubt ? c->over : f.value;
		f.why = s->doubt;
	} else if (!f.why) {
		f.verdict = "rough";
		f.value = c->eighth;
		f.low = c->fits;
		f.high = c->most;
	}
	figure_log(b->name, &f);
	f = (struct figure){ .what = ways,
		             .filler = filler,
		             .unit = "ways",
		             .verdict = f.verdict,
		             .why = f.why,
		             .shared = true };
	if (c->sharp && !f.why) {
		f.value = f.low = f.high = c->ways;
	} else {
		f.verdict = "none";
		f.why = f.why ? f.why : no_ways;
	}
	figure_log(b->name, &f);
}
