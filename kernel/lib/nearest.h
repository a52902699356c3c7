/*
 * Finds the names that a misspelt word may mean.
 *
 * The distance between two texts is the number of letters that must be inserted, left out,
 * replaced, or swapped with their neighbour, to make one of the other. Capitals count as small
 * letters. A `*` in the word stands for any text and a `?` for any letter, and cost nothing. An end
 * of the name that the word lacks costs at most two letters: `alu.add` stands for
 * `alu.add_latency`, for example. A name is near if its distance is at most a limit: a third of the
 * word's letters, but at least 1 and at most 4. For a word of one letter the limit is 0.
 *
 *     struct nearest near = nearest_to(word, n);
 *     for each name
 *             nearest_try(&near, name);
 *     nearest_put(&near, &text);              "; nearest: alu.add_latency, alu.adc_latency"
 *
 * Nothing is allocated, and the names are copied, so they may go away.
 */
#ifndef KERNEL_LIB_NEAREST_H
#define KERNEL_LIB_NEAREST_H

#include <stddef.h>

#include "kernel/lib/text.h"

enum {
	NEAREST = 3, /* names that are kept, the nearest first */
	NEAREST_NAME =
		80, /* bytes of a name or word, with the final 0; a longer name is not near */
};

struct nearest {
	char word[NEAREST_NAME];
	unsigned length, limit; /* of the word; the largest distance that is near */
	unsigned n;             /* names so far */
	unsigned distance[NEAREST];
	char name[NEAREST][NEAREST_NAME];
};

/* Begins the search for word[0..n). */
struct nearest nearest_to(const char *word, size_t n);

/* Keeps `name` if it is among the nearest so far. Of equally near names the first stay. */
void nearest_try(struct nearest *s, const char *name);

/* Appends "; nearest: a, b, c", or nothing if no name is near. */
void nearest_put(const struct nearest *s, struct text *t);

#endif
