/*
 * Replacement policies, as far as hits and misses of one set tell them apart. Names and definitions
 * are those of A. Abel and J. Reineke, "nanoBench" (ISPASS 2020), section VI.B. The simulator has
 * a reading of its own of them, in sim/timing/policy.c.
 */
#ifndef TOOLS_POLICY_MODELS_H
#define TOOLS_POLICY_MODELS_H

#include <stdbool.h>
#include <stddef.h>

enum { MODEL_WAYS = 64, MODEL_NAME = 32 };

/* A set of a cache that has one of the policies. */
struct model_set {
	size_t policy; /* number of it */
	unsigned ways;
	int block[MODEL_WAYS]; /* -1: empty */
	int age[MODEL_WAYS];   /* what the policy keeps of the way */
	int node[MODEL_WAYS];  /* inner nodes of trees: 0 the left half is older, 1 the right */
	long clock;
	long time[MODEL_WAYS]; /* of the last use, or of the load */
};

/* How many there are. Their numbers are 0 and up. */
size_t models_count(void);
void model_name(size_t policy, char name[MODEL_NAME]);
/* Another name that it has; NULL: none. */
const char *model_alias(size_t policy);
/* Can a set of so many ways have it? */
bool model_fits(size_t policy, unsigned ways);

/* An empty set. */
void model_empty(struct model_set *s, size_t policy, unsigned ways);
/* Loads a block, 0 or more; true: it was there. */
bool model_load(struct model_set *s, int block);

/* Do two policies give the same hits in a long sequence that chance makes? */
bool models_equal(size_t a, size_t b, unsigned ways);

#endif
