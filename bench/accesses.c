/*
 * The user's own sequence of accesses, taken apart (bench/accesses.h).
 */
#include "bench/accesses.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum { QUOTE = 12 }; /* characters that a complaint quotes */

static struct accesses given;
static bool present;

/* An error about the text from `from` on; false. */
static bool refuse(const char *what, const char *from, const char *why)
{
	char culprit[QUOTE + 4];
	struct text t = text_in(culprit, sizeof(culprit));
	const size_t n = strlen(from);

	text_put(&t, from, n > QUOTE ? QUOTE : n);
	text_str(&t, n > QUOTE ? "..." : "");
	log_error(what, culprit, why);
	return false;
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_sign(char c)
{
	return c == '?' || c == '!';
}

static bool is_between(char c)
{
	return c == ',' || (unsigned char)c <= ' ';
}

/* The number of the block; a new one if no access before has this letter. */
static unsigned block_of(const struct accesses *a, char letter)
{
	for (unsigned i = 0; i < a->n; i++)
		if (a->access[i].letter == letter)
			return a->access[i].block;
	return a->blocks;
}

/* Why no access can be read at `c`; NULL: one can. */
static const char *obstacle(const struct accesses *a, const char *c)
{
	if (is_sign(*c))
		return "a sign stands directly behind its block, and a block has one at most";
	if (!is_letter(*c))
		return "allowed: blocks A to Z and a to z, each alone or with ? or ! behind it";
	if (a->n == ACCESSES_MOST)
		return "a sequence has at most 96 accesses; this one is too many";
	if (block_of(a, *c) == ACCESSES_BLOCKS)
		return "a sequence has at most 40 different blocks; this one is too many";
	return NULL;
}

/* Reads the access at `c`; returns the text behind it. */
static const char *take_access(struct accesses *a, const char *c)
{
	struct access *to = &a->access[a->n];

	to->block = (uint8_t)block_of(a, *c);
	to->letter = *c++;
	to->sign = is_sign(*c) ? *c++ : 0;
	a->blocks += to->block == a->blocks;
	a->n++;
	return c;
}

static bool parse_accesses(struct accesses *a, const char *text)
{
	bool measured = false;

	for (const char *c = text; *c;) {
		const char *why;

		if (is_between(*c)) {
			c++;
			continue;
		}
		why = obstacle(a, c);
		if (why)
			return refuse("seq", c, why);
		c = take_access(a, c);
		measured |= a->access[a->n - 1].sign == '?';
	}
	if (!a->n)
		return refuse("seq", text, "it names no block");
	return measured ||
	       refuse("seq", text, "no block has a ? behind it, so nothing is measured");
}

static bool parse_level(struct accesses *a, const char *text)
{
	if (text[0] < '1' || text[0] > '0' + ACCESSES_LEVELS || text[1])
		return refuse("seq_level", text,
		              "allowed: 1, 2; a hash chooses the slice of a further level, so its "
		              "sets are not known");
	a->level = (unsigned)(text[0] - '0');
	return true;
}

/* FIRST or FIRST-LAST, with commas between. */
static bool parse_sets(struct accesses *a, const char *text)
{
	for (const char *c = text, *item = text;; item = c) {
		struct accesses_range r;

		if (!args_number(c, ACCESSES_SETS - 1, &r.first, &c))
			return refuse("seq_sets", *item && *item != ',' ? item : text,
			              "a set is a number from 0 to 65535");
		r.last = r.first;
		if (*c == '-' && !args_number(c + 1, ACCESSES_SETS - 1, &r.last, &c))
			return refuse("seq_sets", item,
			              "the last set is no number from 0 to 65535");
		if (r.last < r.first)
			return refuse("seq_sets", item, "the range ends before its first set");
		if (*c && *c != ',')
			return refuse("seq_sets", c, "allowed: sets such as 0,5,64-80");
		if (a->ranges == ACCESSES_RANGES)
			return refuse("seq_sets", item,
			              "at most 16 sets or ranges; this one is "
			              "too many");
		a->range[a->ranges++] = r;
		if (!*c++)
			return true;
	}
}

static bool parse(struct accesses *a, const struct args *args)
{
	memset(a, 0, sizeof(*a));
	a->level = 1;
	return parse_accesses(a, args->seq) &&
	       (!args->seq_level || parse_level(a, args->seq_level)) &&
	       (!args->seq_sets || parse_sets(a, args->seq_sets));
}

bool accesses_init(struct args *args)
{
	const char *alone = args->seq_level ? "seq_level" : "seq_sets";

	present = false;
	if (args->seq) {
		present = parse(&given, args);
		args->lost |= !present;
		if (!present) {
			if (args->bench && !strcmp(args->bench, "seq"))
				args->bench = NULL; /* there is nothing for it */
			args->seq = NULL;
		}
	} else if ((args->seq_level || args->seq_sets) && !args->lost) {
		log_error(alone, NULL, "without seq= there is no sequence");
		args->lost = true;
	}
	return present;
}

const struct accesses *accesses_given(void)
{
	return present ? &given : NULL;
}
