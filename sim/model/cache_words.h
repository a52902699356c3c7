/*
 * sim/model/cache_words.h - --cache: size, ways, lines and replacement policy of a cache.
 */
#ifndef SIM_MODEL_CACHE_WORDS_H
#define SIM_MODEL_CACHE_WORDS_H

#include <stdbool.h>

#include "sim/timing/cache.h"

enum { CACHE_L1D, CACHE_L2, CACHE_LLC, CACHE_WORDS };

/* What replaces the model's. */
struct cache_words {
	bool set, sized;          /* was there such a word, and did it say a size? */
	struct geometry geometry; /* if it did */
	struct replacement replacement;
};

/*
 * LEVEL=[SIZE:WAYS:LINE:]POLICY[/POLICY], where LEVEL is l1d, l2 or llc. Returns NULL, or what is
 * wrong with it.
 */
const char *cache_words_parse(struct cache_words words[CACHE_WORDS], const char *text);

/* The cache of a model as the words say. Returns NULL, or why it cannot be. */
const char *cache_words_apply(const struct cache_words *w, struct geometry *g,
                              struct replacement *r);

#endif
