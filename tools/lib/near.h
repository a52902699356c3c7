/*
 * The names that are nearest to a misspelt word, for the messages of the programs on the host. The
 * kernel has its own (kernel/lib/nearest.h), and docs/log-format.md says what near means.
 */
#ifndef TOOLS_LIB_NEAR_H
#define TOOLS_LIB_NEAR_H

enum { NEAR_NAMES = 3, NEAR_TEXT = 256 }; /* names that are kept; bytes of their text */

/* A search for `word`; the caller sets it, and all else is 0. */
struct near {
	const char *word; /* of more than 63 bytes: no name is near */
	unsigned n, distance[NEAR_NAMES];
	const char *name[NEAR_NAMES]; /* the nearest first; the caller's */
	char text[NEAR_TEXT];
};

/* Keeps `name`, which must stay, if it is among the nearest to s->word so far. */
void near_try(struct near *s, const char *name);

/* Keeps `name` as if it were `distance` letters away, unless three are nearer. */
void near_keep(struct near *s, const char *name, unsigned distance);

/* "; nearest: a, b, c" in s->text, or "" if no name is near. */
const char *near_text(struct near *s);

#endif
