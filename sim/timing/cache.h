/*
 * sim/timing/cache.h - set-associative caches, TLBs and a branch predictor. All have true LRU, but
 * for caches that --cache gives another policy.
 */
#ifndef SIM_TIMING_CACHE_H
#define SIM_TIMING_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/timing/policy.h"

struct geometry {
	uint32_t kb;
	uint16_t ways;
	uint16_t line;          /* bytes */
	bool no_write_allocate; /* a write that misses goes to the next level only */
};

struct tlb_geometry {
	uint16_t entries;
	uint16_t ways; /* 0: fully associative */
};

struct predictor_geometry {
	uint16_t btb_entries;
	uint8_t btb_ways;
	uint8_t history; /* bits of global history; 0: only two-bit counters in the BTB */
	uint8_t returns; /* depth of the return stack; 0: returns are predicted by the BTB */
};

/* Two policies that compete: of DUEL_SETS sets one always has the first, one always the second. */
enum { DUEL_SETS = 32, DUEL_FIRST = 0, DUEL_SECOND = 17, DUEL_MOST = 1023 };

/* The policies of a cache. */
struct replacement {
	struct policy policy;
	bool duels; /* and has a second one, as most sets do while that one misses less: */
	struct policy second;
};

/*
 * A line is (number + 1) << 1 | modified; 0 is empty. With LRU and FIFO the ways are in order of
 * use or of filling, latest first, and `state` is NULL.
 */
struct cache {
	unsigned sets, ways;
	unsigned line_shift;  /* 6 if there is no cache */
	unsigned latest_mask; /* sets - 1, if that is a mask; else 0, which finds set 0 alone */
	bool write_allocate;
	uint64_t *line;
	const uint64_t *latest; /* `line`, where a hit of the first way changes nothing */
	struct replacement replacement;
	uint8_t *state; /* a byte for each way */
	uint64_t random;
	unsigned misses; /* above half of DUEL_MOST the first policy has missed more often */
};

enum cache_result { CACHE_MISS, CACHE_HIT_E, CACHE_HIT_M };

/* What a fill threw out. */
struct victim {
	bool valid, modified;
	uint64_t address;
};

/* Makes an empty cache. False: no memory. Call cache_free() in both cases. */
bool cache_init(struct cache *c, const struct geometry *g, const struct replacement *r);
void cache_free(struct cache *c);
/* Looks a line up and makes it the latest; a write marks it modified. */
enum cache_result cache_lookup(struct cache *c, uint64_t address, bool write);

/* The same of a line that is the latest of its set. False: another one is, and nothing changed. */
static inline bool cache_latest(struct cache *c, uint64_t address, bool write)
{
	uint64_t number = address >> c->line_shift;
	uint64_t at = (number & c->latest_mask) * c->ways;

	if (c->latest[at] >> 1 != number + 1)
		return false;
	c->line[at] |= write;
	return true;
}

/* Whether a line is there; its place in the order of use stays. */
bool cache_has(const struct cache *c, uint64_t address);
/* Brings a line in that is not there. */
struct victim cache_fill(struct cache *c, uint64_t address, bool modified);
/* Throws out a line of the same set whose address agrees below this bit, if there is one. */
struct victim cache_conflict(struct cache *c, uint64_t address, unsigned bits);
/* Throws a line out; true: it was modified. */
bool cache_drop(struct cache *c, uint64_t address);
void cache_empty(struct cache *c);

struct tlb_entry {
	uint64_t linear; /* first byte of the page + 1; 0: empty */
	uint64_t physical;
	uint64_t size;
	uint16_t pcid; /* that made it */
	bool global;   /* of every identifier */
};

struct tlb {
	unsigned sets, ways;
	struct tlb_entry *entry;
	uint16_t pcid; /* the process-context identifier of now; only its entries are seen */
};

/* Makes an empty TLB; with 0 entries it never hits. False: no memory. */
bool tlb_init(struct tlb *t, const struct tlb_geometry *g);
void tlb_free(struct tlb *t);
/* shift: 12 for small pages, 21 or 22 for large ones. NULL: not there. */
struct tlb_entry *tlb_lookup(struct tlb *t, uint64_t linear, unsigned shift);
void tlb_fill(struct tlb *t, uint64_t linear, uint64_t physical, unsigned shift, bool global);
void tlb_empty(struct tlb *t);
void tlb_empty_context(struct tlb *t);  /* of the identifier of now; global entries stay */
void tlb_empty_contexts(struct tlb *t); /* of all identifiers; global entries stay */
/* The entries of this page, of whatever size; `globals`: a global one, too. */
void tlb_drop(struct tlb *t, uint64_t linear, bool globals);

/* One processor's memory hierarchy. Threads of a core have the same caches, and own TLBs. */
struct hierarchy {
	struct cache *l1d, *l1i, *l2; /* own ones, or those of thread 0 */
	struct cache *llc;            /* NULL: L2 is the last level */
	struct cache own_l1d, own_l1i, own_l2, own_llc;
	struct tlb dtlb, dtlb_large, itlb, itlb_large, stlb;
	struct tlb pde, pdpte; /* the paging-structure caches: which entries are there */
	uint64_t last_page;    /* of data, linear + 1; 0: none */
	uint64_t last_phys;
};

struct btb_entry {
	uint64_t from; /* + 1; 0: empty */
	uint64_t to;
	uint8_t counter; /* 0, 1 not taken, 2, 3 taken */
};

struct predictor {
	unsigned sets, ways, history_bits, returns;
	struct btb_entry *btb;
	uint8_t *counters; /* indexed by history xor address */
	uint64_t history;
	uint64_t stack[32];
	unsigned top;
};

struct prediction {
	bool btb_hit;
	bool taken;
	bool right;
	uint64_t target; /* of BTB or return stack if it is taken there; 0: none */
};

/* False: no memory. Without BTB entries each branch is predicted right. */
bool predictor_init(struct predictor *p, const struct predictor_geometry *g);
void predictor_free(struct predictor *p);
void predictor_empty(struct predictor *p); /* it has seen no branch */
/* One executed branch: what was predicted for it, and learn. kind: enum sim_branch. */
struct prediction predictor_step(struct predictor *p, unsigned kind, uint64_t from, uint64_t next,
                                 uint64_t target, bool taken);
/*
 * What would be predicted for a branch that does not execute: nothing is learned. returns: how many
 * returns were met since the last branch that did. `right` means nothing.
 */
struct prediction predictor_peek(const struct predictor *p, unsigned kind, uint64_t from,
                                 unsigned returns);

#endif
