/*
 * sim/timing/policy.h - replacement policies of caches other than true LRU.
 *
 * Names and definitions are those of A. Abel and J. Reineke, "nanoBench" (ISPASS 2020), section
 * VI.B, and of the simulator beside it (github.com/andreas-abel/nanoBench, cacheSim.py).
 */
#ifndef SIM_TIMING_POLICY_H
#define SIM_TIMING_POLICY_H

#include <stdbool.h>
#include <stdint.h>

enum policy_kind {
	POLICY_LRU,      /* sim/timing/cache.c keeps its order itself */
	POLICY_FIFO,     /* likewise */
	POLICY_PLRU,     /* a tree of bits, which chooses the way while some are empty as well */
	POLICY_PLRUL,    /* the same, but the leftmost empty way is filled first */
	POLICY_LRU_PLRU, /* trees of four ways, of which the least recently used one is chosen */
	POLICY_MRU,      /* a bit for each way: used since the last time that all bits were set */
	POLICY_MRU_N,    /* the same, but bits change only in a set that is full */
	POLICY_NRU,      /* the same bits, cleared when a victim is wanted and there is none */
	POLICY_QLRU,     /* two bits of age for each way: SRRIP and BRRIP as well */
	POLICY_RANDOM,
};

struct policy {
	enum policy_kind kind;
	/* POLICY_QLRU: */
	uint8_t hit[4];    /* a hit of a line of this age gives it that age */
	uint8_t miss;      /* age of a new line */
	uint8_t rare_miss; /* ... that one of `rarity` new lines has instead */
	uint8_t rarity;    /* 0: no line */
	uint8_t place;     /* R: 0, 1 leftmost empty way, 2 rightmost; 1: way 0 if no age is 3 */
	uint8_t update;    /* U: how ages rise where none is 3 */
	bool on_miss_only; /* and that before a miss, not behind each access */
};

/* What a policy knows of a set: its lines (0: empty), and a byte for each way. */
struct policy_set {
	const uint64_t *line;
	uint8_t *state;
	unsigned ways;
};

/* False: there is no such name. */
bool policy_parse(const char *name, struct policy *p);
/* Can a set of so many ways have it? */
bool policy_fits(const struct policy *p, unsigned ways);

/* The state of an empty set. */
void policy_reset(const struct policy *p, const struct policy_set *s);
/* A line is there, in this way. */
void policy_hit(const struct policy *p, const struct policy_set *s, unsigned way);
/* A line is not there: the way that it is to have. `random` is a state other than 0. */
unsigned policy_miss(const struct policy *p, const struct policy_set *s, uint64_t *random);

#endif
