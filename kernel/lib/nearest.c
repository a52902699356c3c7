/*
 * Nearest names: the distance of Damerau and Levenshtein, where no piece is changed twice (optimal
 * string alignment), row by row and only as far as a name can still be near (kernel/lib/nearest.h).
 */
#include "kernel/lib/nearest.h"
#include "kernel/lib/string.h"

enum {
	LONGER = 2, /* what an end of the name costs that the word does not have */
	FARTHEST = 4,
};

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

struct nearest nearest_to(const char *word, size_t n)
{
	struct nearest s = { .word = "" };
	unsigned letters = 0;

	if (n >= NEAREST_NAME)
		return s;
	memcpy(s.word, word, n);
	s.length = (unsigned)n;
	for (size_t i = 0; i < n; i++)
		letters += word[i] != '*';
	s.limit = letters < 6 ? letters > 1 : least(letters / 3, FARTHEST);
	return s;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool alike(char word, char name)
{
	return word == '?' || lower(word) == lower(name);
}

/* Three rows of the table of distances between beginnings: [j] is for j letters of the name. */
struct rows {
	uint8_t before[NEAREST_NAME], last[NEAREST_NAME], now[NEAREST_NAME];
};

/* The row for i letters of the word, the last of which is word[-1]; returns its least distance. */
static unsigned fill_row(struct rows *r, const char *word, unsigned i, const char *name, unsigned m)
{
	const char c = word[-1];
	unsigned most = r->now[0] = (uint8_t)(r->last[0] + (c != '*'));

	for (unsigned j = 1; j <= m; j++) {
		unsigned d = least(r->last[j], r->now[j - 1]);

		if (c != '*')
			d = least(d + 1, r->last[j - 1] + !alike(c, name[j - 1]));
		if (i > 1 && j > 1 && alike(c, name[j - 2]) && alike(word[-2], name[j - 1]))
			d = least(d, r->before[j - 2] + 1u);
		r->now[j] = (uint8_t)d;
		most = least(most, d);
	}
	return most;
}

/* The distance, or something above the limit. */
static unsigned distance(const struct nearest *s, const char *name, unsigned m)
{
	unsigned d = UINT8_MAX;
	struct rows r;

	for (unsigned j = 0; j <= m; j++)
		r.last[j] = (uint8_t)j;
	memset(r.before, UINT8_MAX, sizeof(r.before));
	for (unsigned i = 1; i <= s->length; i++) {
		if (fill_row(&r, s->word + i, i, name, m) > s->limit)
			return s->limit + 1;
		memcpy(r.before, r.last, m + 1);
		memcpy(r.last, r.now, m + 1);
	}
	for (unsigned j = 0; j < m; j++)
		d = least(d, r.last[j] + LONGER);
	return least(d, r.last[m]);
}

static bool has(const struct nearest *s, const char *name)
{
	for (unsigned i = 0; i < s->n; i++)
		if (!strcmp(s->name[i], name))
			return true;
	return false;
}

void nearest_try(struct nearest *s, const char *name)
{
	size_t m = strlen(name);
	unsigned at = s->n, d;

	if (!s->length || m >= NEAREST_NAME)
		return;
	d = distance(s, name, (unsigned)m);
	while (at && s->distance[at - 1] > d)
		at--;
	if (d > s->limit || at == NEAREST || has(s, name))
		return;
	s->n += s->n < NEAREST;
	for (unsigned i = s->n - 1; i > at; i--) {
		s->distance[i] = s->distance[i - 1];
		memcpy(s->name[i], s->name[i - 1], NEAREST_NAME);
	}
	s->distance[at] = d;
	memcpy(s->name[at], name, m + 1);
}

void nearest_put(const struct nearest *s, struct text *t)
{
	for (unsigned i = 0; i < s->n; i++) {
		text_str(t, i ? ", " : "; nearest: ");
		text_str(t, s->name[i]);
	}
}
