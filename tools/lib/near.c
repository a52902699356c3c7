/* Nearest names (tools/lib/near.h): insertions, omissions, replacements, swaps of neighbours. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/near.h"

enum { LONGEST = 63, FARTHEST = 4, LONGER = 2 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* What turns i letters of `a` into j letters of `b`, from what it takes for fewer. */
static unsigned step(unsigned d[][LONGEST + 1], const char *a, const char *b, size_t i, size_t j)
{
	int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
	unsigned best = least(d[i - 1][j], d[i][j - 1]) + 1;

	best = least(best, d[i - 1][j - 1] + (x != y));
	if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
	    y == tolower((unsigned char)a[i - 2]))
		best = least(best, d[i - 2][j - 2] + 1);
	return best;
}

/* The end of `b` may be missing in `a`, for two letters at most. */
static unsigned distance(const char *a, const char *b)
{
	static unsigned d[LONGEST + 1][LONGEST + 1];
	size_t n = strlen(a), m = strlen(b);
	unsigned best;

	if (n > LONGEST || m > LONGEST)
		return FARTHEST + 1;
	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j <= m; j++)
			d[i][j] = i && j ? step(d, a, b, i, j) : (unsigned)(i + j);
	best = d[n][m];
	for (size_t j = 0; j < m; j++)
		best = least(best, d[n][j] + LONGER);
	return best;
}

void near_try(struct near *s, const char *name)
{
	unsigned letters = (unsigned)strlen(s->word), d = distance(s->word, name);

	if (d <= (letters < 6 ? letters > 1 : least(letters / 3, FARTHEST)))
		near_keep(s, name, d);
}

void near_keep(struct near *s, const char *name, unsigned d)
{
	unsigned at = s->n;

	while (at && s->distance[at - 1] > d)
		at--;
	if (at == NEAR_NAMES)
		return;
	s->n += s->n < NEAR_NAMES;
	for (unsigned i = s->n - 1; i > at; i--) {
		s->distance[i] = s->distance[i - 1];
		s->name[i] = s->name[i - 1];
	}
	s->distance[at] = d;
	s->name[at] = name;
}

const char *near_text(struct near *s)
{
	size_t n = 0;

	*s->text = 0;
	for (unsigned i = 0; i < s->n; i++)
		n += (size_t)snprintf(s->text + n, NEAR_TEXT - n, "%s%s",
		                      i ? ", " : "; nearest: ", s->name[i]);
	return s->text;
}
