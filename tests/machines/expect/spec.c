/* The expectations of a row, taken apart (tests/machines/expect/spec.h). */
#include "tests/machines/expect/spec.h"

#include <stdarg.h>
#include <string.h>

#include "tests/machines/expect/words.h"
#include "tools/lib/alloc.h"
#include "tools/log/keys.h"

/* One expectation that is being read. */
struct reader {
	struct expectation *e;
	struct span rest; /* of its words */
	FILE *err;
};

static bool offend(const struct reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Always false. */
static bool offend(const struct reader *r, const char *format, ...)
{
	va_list args;

	fprintf(r->err, "expect: '%.*s': ", (int)r->e->text.n, r->e->text.p);
	va_start(args, format);
	vfprintf(r->err, format, args);
	va_end(args);
	putc('\n', r->err);
	return false;
}

/* Digits, and nothing else. */
static bool read_count(struct reader *r, uint64_t *n)
{
	struct span word = take_word(&r->rest);

	*n = 0;
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] < '0' || word.p[i] > '9' || i > 8)
			return offend(r, "'%.*s' is no number of them", (int)word.n, word.p);
		*n = *n * 10 + (uint64_t)(word.p[i] - '0');
	}
	return word.n || offend(r, "a number is missing");
}

static bool read_end(struct reader *r)
{
	struct span word = take_word(&r->rest);

	return !word.n || offend(r, "'%.*s' is too much", (int)word.n, word.p);
}

static bool is_key(const struct reader *r, const struct log_kind *kind, struct span key)
{
	return log_key_of(kind, key) ||
	       offend(r, "%s records have no key '%.*s'", kind->name, (int)key.n, key.p);
}

/* Takes the key before the next + off a sum. */
static struct span take_key(struct span *sum)
{
	struct span key = *sum;
	const char *plus = memchr(sum->p, '+', sum->n);

	if (plus)
		key.n = (size_t)(plus - sum->p);
	sum->p += key.n + (plus != NULL);
	sum->n -= key.n + (plus != NULL);
	return key;
}

static bool read_sum(struct reader *r, const struct log_kind *kind, struct span sum)
{
	if (sum.p[sum.n - 1] == '+')
		return offend(r, "'%.*s' lacks a key", (int)sum.n, sum.p);
	do
		if (!is_key(r, kind, take_key(&sum)))
			return false;
	while (sum.n);
	return true;
}

/* `word` has its relation at `at`. */
static bool read_relation(struct reader *r, struct condition *c, struct span word, size_t at)
{
	bool or_equal = word.p[at] != '=' && at + 1 < word.n && word.p[at + 1] == '=';
	struct field number = { .raw = { word.p + at + 1 + or_equal, word.n - at - 1 - or_equal } };

	if (word.p[at] == '=')
		c->relation = EQUAL;
	else if (word.p[at] == '<')
		c->relation = or_equal ? AT_MOST : BELOW;
	else
		c->relation = or_equal ? AT_LEAST : ABOVE;
	return field_milli(&number, &c->thousandths) ||
	       offend(r, "'%.*s': '%.*s' is no number with up to three decimals", (int)word.n,
	              word.p, (int)number.raw.n, number.raw.p);
}

/* The first =, < or > ends the keys. With one key, = compares with a glob and not with a number. */
static bool read_condition(struct reader *r, const struct log_kind *kind, struct span word)
{
	struct condition c = { .relation = LIKE };
	size_t at = 0;

	while (at < word.n && !memchr("=<>", word.p[at], 3))
		at++;
	if (!at || at == word.n)
		return offend(r, "'%.*s' is neither KEY=GLOB nor a relation", (int)word.n, word.p);
	c.keys = (struct span){ word.p, at };
	if (word.p[at] == '=' && !memchr(word.p, '+', at)) {
		c.glob = (struct span){ word.p + at + 1, word.n - at - 1 };
		if (!is_key(r, kind, c.keys))
			return false;
	} else if (!read_sum(r, kind, c.keys) || !read_relation(r, &c, word, at)) {
		return false;
	}
	r->e->conditions = grow(r->e->conditions, r->e->nconditions, sizeof(c));
	r->e->conditions[r->e->nconditions++] = c;
	return true;
}

/* The conditions behind the kind. */
static bool read_records(struct reader *r, struct span name)
{
	const struct log_kind *kind = log_kind_of(name);
	struct span word;

	if (!kind)
		return offend(r, "no record is of the kind '%.*s'", (int)name.n, name.p);
	r->e->sort = RECORDS;
	r->e->name = name;
	while ((word = take_word(&r->rest)).n)
		if (!read_condition(r, kind, word))
			return false;
	return true;
}

/* Its text ends with the line or with the next `;`, and regcomp() takes texts that end with 0. */
static bool read_line(struct reader *r)
{
	size_t n = r->e->text.n - 1;
	char *ere = allocate(n + 1), why[80];
	int code;

	memcpy(ere, r->e->text.p + 1, n);
	ere[n] = '\0';
	code = regcomp(&r->e->line, ere, REG_EXTENDED | REG_NOSUB);
	release(ere);
	if (code) {
		regerror(code, &r->e->line, why, sizeof(why));
		return offend(r, "%s", why);
	}
	r->e->sort = LINE;
	return true;
}

static bool read_tolerance(struct reader *r, struct span word)
{
	const char *equals = memchr(word.p, '=', word.n);
	struct tolerance t = { .event = word, .slow = !equals };
	struct field number = { 0 };
	int64_t most;

	if (equals) {
		t.event.n = (size_t)(equals - word.p);
		number.raw = (struct span){ equals + 1, word.n - t.event.n - 1 };
		if (!field_milli(&number, &most))
			return offend(r, "'%.*s' is no EVENT=N", (int)word.n, word.p);
		t.most = (double)most / 1000;
	}
	r->e->tolerances = grow(r->e->tolerances, r->e->ntolerances, sizeof(t));
	r->e->tolerances[r->e->ntolerances++] = t;
	return true;
}

static bool read_empty(struct reader *r)
{
	struct span word;

	r->e->sort = EMPTY;
	r->e->name = take_word(&r->rest);
	if (!r->e->name.n)
		return offend(r, "a benchmark is missing");
	while ((word = take_word(&r->rest)).n)
		if (!read_tolerance(r, word))
			return false;
	return true;
}

static bool read_at_least(struct reader *r, enum sort sort)
{
	r->e->sort = sort;
	return read_count(r, &r->e->least) && read_end(r);
}

static bool read_one(struct reader *r)
{
	struct span word;

	r->rest = r->e->text;
	if (*r->e->text.p == '~')
		return read_line(r);
	word = take_word(&r->rest);
	if (span_is(word, "results"))
		return read_at_least(r, RESULTS);
	if (span_is(word, "counted"))
		return read_at_least(r, COUNTED);
	if (span_is(word, "planned")) {
		r->e->sort = PLANNED;
		return read_end(r);
	}
	if (span_is(word, "empty"))
		return read_empty(r);
	if (span_is(word, "atleast") || span_is(word, "exactly")) {
		if (!read_count(r, &r->e->least))
			return false;
		if (*word.p == 'e')
			r->e->most = r->e->least;
		word = take_word(&r->rest);
	} else if (*word.p == '!') {
		r->e->least = r->e->most = 0;
		word = (struct span){ word.p + 1, word.n - 1 };
	}
	return read_records(r, word);
}

static struct span trimmed(struct span s)
{
	while (s.n && *s.p == ' ')
		s = (struct span){ s.p + 1, s.n - 1 };
	while (s.n && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

bool spec_read(struct spec *spec, const char *text, FILE *err)
{
	*spec = (struct spec){ 0 };
	for (;; text++) {
		size_t n = strcspn(text, ";");
		struct expectation e = { .text = trimmed((struct span){ text, n }),
			                 .least = 1,
			                 .most = UINT64_MAX };
		struct reader r = { .err = err };

		text += n;
		if (e.text.n && !span_is(e.text, "-")) {
			spec->want = grow(spec->want, spec->n, sizeof(e));
			spec->want[spec->n] = e;
			r.e = &spec->want[spec->n++];
			if (!read_one(&r))
				return false;
			if (r.e->sort == EMPTY && spec_find(spec, EMPTY) != r.e)
				return offend(&r, "there is another `empty`");
		}
		if (!*text)
			return true;
	}
}

void spec_free(struct spec *spec)
{
	for (struct expectation *e = spec->want; spec->n--; e++) {
		if (e->sort == LINE)
			regfree(&e->line);
		release(e->conditions);
		release(e->tolerances);
	}
	release(spec->want);
	*spec = (struct spec){ 0 };
}

const struct expectation *spec_find(const struct spec *spec, enum sort sort)
{
	for (size_t i = 0; i < spec->n; i++)
		if (spec->want[i].sort == sort)
			return &spec->want[i];
	return NULL;
}

static const struct field *field_of(const struct record *r, struct span key)
{
	for (size_t i = 0; i < r->nfields; i++)
		if (span_same(r->fields[i].key, key))
			return &r->fields[i];
	return NULL;
}

static bool compares(int64_t sum, enum relation relation, int64_t number)
{
	switch (relation) {
	case EQUAL:
		return sum == number;
	case BELOW:
		return sum < number;
	case AT_MOST:
		return sum <= number;
	case ABOVE:
		return sum > number;
	default:
		return sum >= number;
	}
}

/* A key that the record lacks, or whose value is no number, meets no relation. */
static bool condition_holds(const struct condition *c, const struct record *r)
{
	struct span keys = c->keys;
	int64_t sum = 0;

	if (c->relation == LIKE) {
		const struct field *f = field_of(r, c->keys);

		return f && span_like(field_value(f), c->glob);
	}
	do {
		const struct field *f = field_of(r, take_key(&keys));
		int64_t value;

		if (!f || !field_milli(f, &value) || __builtin_add_overflow(sum, value, &sum))
			return false;
	} while (keys.n);
	return compares(sum, c->relation, c->thousandths);
}

bool spec_holds(const struct expectation *want, const struct record *r)
{
	for (size_t i = 0; i < want->nconditions; i++)
		if (!condition_holds(&want->conditions[i], r))
			return false;
	return true;
}
