/* The kinds and keys of the log, looked up (tools/log/records.csv). */
#include "tools/log/keys.h"

#include <string.h>

const struct log_kind *log_kind_of(struct span name)
{
	for (const struct log_kind *k = log_kinds; k->name; k++)
		if (span_is(name, k->name))
			return k;
	return NULL;
}

static bool all_of(struct span s, const char *allowed)
{
	for (size_t i = 0; i < s.n; i++)
		if (!s.p[i] || !strchr(allowed, s.p[i]))
			return false;
	return true;
}

static bool begins_with(struct span s, const char *text)
{
	size_t n = strlen(text);

	return s.n >= n && !memcmp(s.p, text, n);
}

/* Does the row with an open part stand for the key? */
static bool stands_for(const struct log_key *row, struct span key)
{
	size_t before = strlen(row->key), behind = strlen(row->suffix);
	struct span open;

	if (key.n < before + behind || !begins_with(key, row->key) ||
	    memcmp(key.p + key.n - behind, row->suffix, behind))
		return false;
	open = (struct span){ key.p + before, key.n - before - behind };
	return row->digits ? all_of(open, "0123456789") : open.n > 0;
}

const struct log_key *log_key_of(const struct log_kind *kind, struct span key)
{
	const struct log_key *best = NULL;
	size_t most = 0;

	for (const struct log_key *row = kind->keys; row < kind->keys + kind->n; row++) {
		size_t fixed;

		if (!row->suffix) {
			if (span_is(key, row->key))
				return row;
			continue;
		}
		fixed = strlen(row->key) + strlen(row->suffix);
		if (stands_for(row, key) && (!best || fixed > most)) {
			best = row;
			most = fixed;
		}
	}
	return best;
}

static bool is_integer(const struct field *f)
{
	return field_is_number(f) && !memchr(f->raw.p, '.', f->raw.n);
}

static bool is_fraction(const struct field *f)
{
	int64_t v;

	return field_milli(f, &v);
}

static bool is_hex(const struct field *f)
{
	struct span digits = { f->raw.p + 2, f->raw.n - 2 };

	return f->raw.n > 2 && begins_with(f->raw, "0x") && all_of(digits, "0123456789abcdef");
}

static bool is_digits(const struct field *f)
{
	return f->raw.n % 2 == 0 && all_of(f->raw, "0123456789abcdef");
}

static bool is_word(const struct field *f)
{
	return !memchr(f->raw.p, ' ', f->raw.n);
}

static bool is_text(const struct field *f)
{
	return f->raw.n > 0;
}

static const struct {
	const char *name;
	bool (*fits)(const struct field *f);
} sorts[] = {
	{ "decimal", is_integer },   { "fraction", is_fraction }, { "hex", is_hex },
	{ "hex digits", is_digits }, { "word", is_word },         { "text", is_text },
};

/* `sort` is a sort, or the only value there may be: digits, or a word in backquotes. */
static bool fits(struct span sort, const struct field *f)
{
	for (size_t i = 0; i < sizeof(sorts) / sizeof(*sorts); i++)
		if (span_is(sort, sorts[i].name))
			return sorts[i].fits(f);
	if (sort.n > 2 && *sort.p == '`')
		sort = (struct span){ sort.p + 1, sort.n - 2 };
	return sort.n == f->raw.n && !memcmp(sort.p, f->raw.p, sort.n);
}

bool log_key_takes(const struct log_key *row, const struct field *f)
{
	for (const char *p = row->type;; p++) {
		struct span sort = { p, strcspn(p, "|") };

		if (fits(sort, f))
			return true;
		p += sort.n;
		if (!*p)
			return false;
	}
}

void log_key_sorts(const struct log_key *row, char *out, size_t size)
{
	size_t n = 0;

	for (const char *p = row->type; *p; p++) {
		const char *text = *p == '|' ? " or " : (char[]){ *p == '`' ? '\0' : *p, '\0' };

		for (; *text && n + 1 < size; text++)
			out[n++] = *text;
	}
	out[n] = '\0';
}
