/* Words, values and numbers in the texts of others (tests/machines/expect/words.h). */
#include "tests/machines/expect/words.h"

#include <stdlib.h>
#include <string.h>

bool span_same(struct span a, struct span b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

bool span_like(struct span text, struct span glob)
{
	size_t i = 0, g = 0, star = glob.n, from = 0;

	while (i < text.n) {
		if (g < glob.n && glob.p[g] == '*') {
			star = g++;
			from = i;
		} else if (g < glob.n && (glob.p[g] == '?' || glob.p[g] == text.p[i])) {
			g++;
			i++;
		} else if (star < glob.n) {
			/* The last `*` takes one character more. */
			g = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (g < glob.n && glob.p[g] == '*')
		g++;
	return g == glob.n;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct span take_word(struct span *text)
{
	struct span word;

	while (text->n && is_blank(*text->p)) {
		text->p++;
		text->n--;
	}
	word = (struct span){ text->p, 0 };
	while (word.n < text->n && !is_blank(word.p[word.n]))
		word.n++;
	text->p += word.n;
	text->n -= word.n;
	return word;
}

double span_number(struct span s)
{
	char text[40];

	if (s.n >= sizeof(text))
		s.n = sizeof(text) - 1;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	return strtod(text, NULL);
}

struct span field_value(const struct field *f)
{
	struct span s = f->raw;

	return s.n >= 2 && *s.p == '"' ? (struct span){ s.p + 1, s.n - 2 } : s;
}

struct span record_value(const struct record *r, const char *key)
{
	const struct field *f = record_field(r, key);

	return f ? field_value(f) : (struct span){ "", 0 };
}
