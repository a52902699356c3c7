/*
 * Reading lines of the log (kernel/console/record.h).
 */
#include "kernel/console/record.h"
#include "kernel/lib/string.h"

enum { CHECK_DIGITS = 8, NUMBER = 24 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool record_open(struct record *r, const char *line, size_t n)
{
	size_t at = n;

	if (n < CHECK_DIGITS + 4 || line[n - CHECK_DIGITS - 1] != ':')
		return false;
	at = n - CHECK_DIGITS - 1;
	while (at && is_digit(line[at - 1]))
		at--;
	if (at < 2 || line[at - 1] != '#' || line[at - 2] != ' ')
		return false;
	*r = (struct record){ line, at - 2 };
	return true;
}

bool record_is(const struct record *r, const char *kind)
{
	size_t n = 0;

	while (n < r->n && kind[n] && r->text[n] == kind[n])
		n++;
	return !kind[n] && (n == r->n || r->text[n] == ' ');
}

/* The end of the field that begins at `at`: the next blank that is not inside quotes. */
static size_t field_end(const struct record *r, size_t at)
{
	bool quoted = false;

	for (; at < r->n && (quoted || r->text[at] != ' '); at++) {
		if (quoted && r->text[at] == '\\')
			at++;
		else if (r->text[at] == '"')
			quoted = !quoted;
	}
	return at < r->n ? at : r->n;
}

static void copy_value(const char *from, size_t n, char *value, size_t size)
{
	bool quoted = n && from[0] == '"';
	size_t used = 0;

	for (size_t i = quoted; i < n - quoted && used < size - 1; i++) {
		if (quoted && from[i] == '\\' && i + 1 < n && from[i + 1] != 'x')
			i++;
		value[used++] = from[i];
	}
	value[used] = '\0';
}

bool record_get(const struct record *r, const char *key, char *value, size_t size)
{
	size_t k = strlen(key), at = field_end(r, 0);

	value[0] = '\0';
	while (at < r->n) {
		size_t start = at + 1, end = field_end(r, start);

		if (end - start > k && strncmp(r->text + start, key, k) == 0 &&
		    r->text[start + k] == '=') {
			copy_value(r->text + start + k + 1, end - start - k - 1, value, size);
			return true;
		}
		at = end;
	}
	return false;
}

uint64_t record_number(const struct record *r, const char *key)
{
	char text[NUMBER];
	uint64_t v = 0;

	record_get(r, key, text, sizeof(text));
	for (const char *p = text; is_digit(*p); p++)
		v = 10 * v + (uint64_t)(*p - '0');
	return v;
}

bool record_milli(const struct record *r, const char *key, int64_t *milli)
{
	char text[NUMBER];
	const char *p = text;
	unsigned places = 0;
	int64_t v = 0;

	if (!record_get(r, key, text, sizeof(text)))
		return false;
	p += *p == '-';
	for (; is_digit(*p); p++)
		v = 10 * v + (*p - '0');
	if (*p == '.')
		for (p++; is_digit(*p) && places < 3; p++, places++)
			v = 10 * v + (*p - '0');
	for (; places < 3; places++)
		v *= 10;
	*milli = text[0] == '-' ? -v : v;
	return true;
}

bool record_next(const struct record *r, size_t *at, char *key, size_t size)
{
	size_t start = *at ? *at : field_end(r, 0), n = 0;

	if (start >= r->n)
		return false;
	*at = field_end(r, start + 1);
	for (start++; start < *at && r->text[start] != '=' && n < size - 1; start++)
		key[n++] = r->text[start];
	key[n] = '\0';
	return true;
}
