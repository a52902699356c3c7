/* One record of a cpl0 log: tail, CRC, kind, fields (docs/log-format.md, "Grammar"). */
#include "tools/log/record.h"

#include <string.h>

#include "tools/lib/alloc.h"

enum { CRC16_DIGITS = 4, CRC32_DIGITS = 8, SEQ_DIGITS = 10 };

uint16_t crc16_ccitt_false(const char *p, size_t n)
{
	uint32_t crc = 0xffff;

	for (size_t i = 0; i < n; i++) {
		crc ^= (uint32_t)(unsigned char)p[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
	}
	return (uint16_t)crc;
}

uint32_t crc32_more(uint32_t crc, const char *p, size_t n)
{
	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned char)p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int hex_digit_any(char c)
{
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : hex_digit(c);
}

static bool is_kind_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
}

/* Values without quotes, and keys: those are also event names, spelled as the manuals do. */
static bool is_token_char(char c)
{
	return c > ' ' && c <= '~' && c != '"' && c != '#' && c != '=';
}

/* Walks back over the digits that end at *pos; false if there are none or too many. */
static bool digits_before(struct span s, size_t *pos, size_t most)
{
	size_t end = *pos;

	while (*pos > 0 && is_digit(s.p[*pos - 1]))
		--*pos;
	return *pos < end && end - *pos <= most;
}

/* The check value behind the colon at `colon`; false if it is no hex number. */
static bool read_check(struct span line, size_t colon, uint32_t *check)
{
	*check = 0;
	for (size_t i = colon + 1; i < line.n; i++) {
		if (hex_digit(line.p[i]) < 0)
			return false;
		*check = *check << 4 | (uint32_t)hex_digit(line.p[i]);
	}
	return true;
}

static bool tail_of(struct record *r, struct span line, size_t digits)
{
	size_t colon = line.n - digits - 1, at = colon;
	uint64_t seq = 0;

	if (line.n < digits + 1 || line.p[colon] != ':' || !digits_before(line, &at, SEQ_DIGITS))
		return false;
	if (at < 3 || line.p[at - 1] != '#' || line.p[at - 2] != ' ' ||
	    !read_check(line, colon, &r->crc))
		return false;
	for (size_t i = at; i < colon; i++)
		seq = seq * 10 + (uint64_t)(line.p[i] - '0');
	if ((line.p[at] == '0' && colon - at > 1) || seq > UINT32_MAX)
		return false;
	r->body = (struct span){ line.p, at - 2 };
	r->sealed = (struct span){ line.p, colon };
	r->seq = (uint32_t)seq;
	return true;
}

bool record_tail(struct record *r, struct span line)
{
	memset(r, 0, sizeof(*r));
	if (tail_of(r, line, CRC32_DIGITS)) {
		r->schema = 2;
		return true;
	}
	if (!tail_of(r, line, CRC16_DIGITS))
		return false;
	r->schema = 1;
	r->computed = crc16_ccitt_false(r->body.p, r->body.n);
	return true;
}

static void offend(struct record *r, size_t at, const char *why)
{
	if (r->malformed)
		return;
	r->malformed = why;
	r->where = at;
}

/* The length of an escape at p (`\"`, `\\`, `\xNN`), 0 if it is none of them. */
static size_t escape_length(const char *p, size_t n)
{
	if (n >= 2 && (p[1] == '"' || p[1] == '\\'))
		return 2;
	if (n >= 4 && p[1] == 'x' && hex_digit_any(p[2]) >= 0 && hex_digit_any(p[3]) >= 0)
		return 4;
	return 0;
}

/*
 * A quoted value from the quote at `at`; returns the offset behind the closing quote. A value
 * that could stand without quotes must: one value, one spelling.
 */
static size_t parse_quoted(struct record *r, size_t at)
{
	const char *p = r->body.p;
	size_t n = r->body.n, i = at + 1, escape;
	bool needed = false;

	while (i < n && p[i] != '"') {
		if (p[i] != '\\') {
			if (p[i] < ' ' || p[i] > '~') {
				offend(r, i, "unprintable byte in a string");
				return n;
			}
			needed |= !is_token_char(p[i]);
			i++;
			continue;
		}
		escape = escape_length(p + i, n - i);
		if (!escape) {
			offend(r, i, "bad escape in a string");
			return n;
		}
		needed |= p[i + 1] != '\\';
		i += escape;
	}
	if (i == n) {
		offend(r, at, "string without closing quote");
		return n;
	}
	if (!needed && i > at + 1)
		offend(r, at, "string that needs no quotes");
	return i + 1;
}

static size_t parse_token(struct record *r, size_t at)
{
	size_t i = at;

	while (i < r->body.n && is_token_char(r->body.p[i]))
		i++;
	if (i == at)
		offend(r, at, "empty value");
	return i;
}

/* One `KEY=VALUE` at `at`; returns the offset behind it. */
static size_t parse_field(struct record *r, size_t at)
{
	const char *p = r->body.p;
	size_t n = r->body.n, i = at;
	struct field f;

	while (i < n && is_token_char(p[i]))
		i++;
	if (i == at || i == n || p[i] != '=') {
		offend(r, i, "no KEY=");
		return n;
	}
	f.key = (struct span){ p + at, i - at };
	at = ++i;
	i = at < n && p[at] == '"' ? parse_quoted(r, at) : parse_token(r, at);
	f.raw = (struct span){ p + at, i - at };
	for (size_t k = 0; k < r->nfields; k++)
		if (r->fields[k].key.n == f.key.n && !memcmp(r->fields[k].key.p, f.key.p, f.key.n))
			offend(r, (size_t)(f.key.p - p), "key given twice");
	if (r->malformed)
		return n;
	r->fields = grow(r->fields, r->nfields, sizeof(f));
	r->fields[r->nfields++] = f;
	return i;
}

void record_parse(struct record *r)
{
	size_t i = 0;

	while (i < r->body.n && is_kind_char(r->body.p[i]))
		i++;
	r->kind = (struct span){ r->body.p, i };
	if (!i)
		offend(r, 0, "no kind");
	while (!r->malformed && i < r->body.n) {
		if (r->body.p[i] != ' ')
			offend(r, i, "blank expected");
		else
			i = parse_field(r, i + 1);
	}
}

void record_free(struct record *r)
{
	release(r->fields);
	r->fields = NULL;
	r->nfields = 0;
}

bool record_resembles(struct span line)
{
	size_t i = 0, key;

	while (i < line.n && is_kind_char(line.p[i]))
		i++;
	if (!i || i == line.n || line.p[i] != ' ')
		return false;
	key = ++i;
	while (i < line.n && is_token_char(line.p[i]))
		i++;
	return i > key && i < line.n && line.p[i] == '=';
}

const struct field *record_field(const struct record *r, const char *key)
{
	for (size_t i = 0; i < r->nfields; i++)
		if (span_is(r->fields[i].key, key))
			return &r->fields[i];
	return NULL;
}

size_t field_text(const struct field *f, char *out, size_t size)
{
	const char *p = f->raw.p;
	size_t end = f->raw.n, used = 0, i = 0;
	bool quoted = end >= 2 && p[0] == '"';

	if (quoted) {
		i++;
		end--;
	}
	while (i < end) {
		char c = p[i++];

		if (quoted && c == '\\') {
			c = p[i++];
			if (c == 'x') {
				c = (char)(hex_digit_any(p[i]) << 4 | hex_digit_any(p[i + 1]));
				i += 2;
			}
		}
		if (used + 1 < size)
			out[used++] = c;
	}
	if (size)
		out[used] = 0;
	return used;
}

bool record_text(const struct record *r, const char *key, char *out, size_t size)
{
	const struct field *f = record_field(r, key);

	if (size)
		out[0] = 0;
	if (f)
		field_text(f, out, size);
	return f;
}

bool record_dec(const struct record *r, const char *key, uint64_t *value)
{
	const struct field *f = record_field(r, key);
	uint64_t v = 0;

	if (!f)
		return false;
	for (size_t i = 0; i < f->raw.n; i++) {
		unsigned digit = (unsigned)(f->raw.p[i] - '0');

		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*value = v;
	return f->raw.n > 0;
}

bool field_is_number(const struct field *f)
{
	const char *p = f->raw.p;
	size_t n = f->raw.n, i = n && p[0] == '-', digits = i;

	while (i < n && is_digit(p[i]))
		i++;
	if (i == digits || (p[digits] == '0' && i - digits > 1))
		return false;
	if (i == n)
		return true;
	if (p[i++] != '.')
		return false;
	digits = i;
	while (i < n && is_digit(p[i]))
		i++;
	return i == n && i > digits;
}

/* v * 10 + digit; false if it does not fit. */
static bool append_digit(int64_t *v, int digit)
{
	if (*v > (INT64_MAX - digit) / 10)
		return false;
	*v = *v * 10 + digit;
	return true;
}

bool field_milli(const struct field *f, int64_t *thousandths)
{
	bool negative = f->raw.n && f->raw.p[0] == '-', point = false;
	unsigned places = 0;
	int64_t v = 0;

	if (!field_is_number(f))
		return false;
	for (size_t i = negative; i < f->raw.n; i++) {
		if (f->raw.p[i] == '.') {
			point = true;
			continue;
		}
		if (!append_digit(&v, f->raw.p[i] - '0') || (places += point) > 3)
			return false;
	}
	for (; places < 3; places++)
		if (!append_digit(&v, 0))
			return false;
	*thousandths = negative ? -v : v;
	return true;
}
