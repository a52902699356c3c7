/*
 * Snippets: from bytes to benchmarks (bench/snippet_load.h). Every reference is checked.
 */
#include "bench/snippet_load.h"
#include "kernel/lib/string.h"

/* Everything a blob refers to must lie here. */
struct room {
	uintptr_t start, end;
};

static bool inside(const struct room *r, uintptr_t at, size_t n)
{
	return at >= r->start && at <= r->end && n <= r->end - at;
}

/* The text a field points to if it ends inside the room, else NULL. */
static const char *text(const struct room *r, const int32_t *field)
{
	uintptr_t at = (uintptr_t)field + (uintptr_t)(intptr_t)*field;

	if (!inside(r, at, 0))
		return NULL;
	if (r->end == ~(uintptr_t)0)
		return (const char *)at; /* a text of the kernel itself, which has its final 0 */
	for (const char *s = (const char *)at; s < (const char *)r->end; s++)
		if (!*s)
			return (const char *)at;
	return NULL;
}

static bool name_ok(const char *name)
{
	size_t n = strlen(name);

	if (!n || n >= BENCH_NAME)
		return false;
	for (; *name; name++)
		if (!(*name >= 'a' && *name <= 'z') && !(*name >= '0' && *name <= '9') &&
		    *name != '.' && *name != '_')
			return false;
	return true;
}

static const char *open_expect(struct bench *b, const struct snippet_blob *blob,
                               const struct room *r)
{
	uintptr_t rows = (uintptr_t)&blob->expect + (uintptr_t)(intptr_t)blob->expect;

	if (!blob->nexpect)
		return NULL;
	if (rows % 4 || blob->nexpect > 64 ||
	    !inside(r, rows, blob->nexpect * sizeof(struct snippet_expect)))
		return "its EXPECT rows lie outside";
	b->expect = (const struct snippet_expect *)rows;
	b->nexpect = blob->nexpect;
	for (unsigned i = 0; i < b->nexpect; i++)
		if (!text(r, &b->expect[i].family) || !text(r, &b->expect[i].quantity) ||
		    !text(r, &b->expect[i].source))
			return "a text of its EXPECT rows lies outside";
	return NULL;
}

const char *snippet_load(struct bench *b, const struct snippet_blob *blob, const void *start,
                         const void *end)
{
	struct room r = { (uintptr_t)start, (uintptr_t)end };
	const char *name;

	memset(b, 0, sizeof(*b));
	if ((uintptr_t)blob % 4 || !inside(&r, (uintptr_t)blob, SNIPPET_SIZE))
		return "its descriptor is cut off";
	if (blob->magic != SNIPPET_MAGIC)
		return "its descriptor has no magic number";
	if (blob->version != SNIPPET_VERSION || blob->size < SNIPPET_SIZE)
		return "its descriptor is of another version";
	name = text(&r, &blob->name);
	b->what = text(&r, &blob->what);
	b->needs = text(&r, &blob->needs);
	if (!name || !b->what || !b->needs)
		return "a text of its descriptor lies outside";
	if (!name_ok(name))
		return "its name is not a word of a-z, 0-9, dot and underscore";
	memcpy(b->name, name, strlen(name) + 1);
	b->init = (const uint8_t *)&blob->init + blob->init;
	b->body = (const uint8_t *)&blob->body + blob->body;
	if (!inside(&r, (uintptr_t)b->init, blob->init_size) ||
	    !inside(&r, (uintptr_t)b->body, blob->body_size))
		return "its code lies outside";
	b->init_size = blob->init_size;
	b->body_size = blob->body_size;
	b->widths = blob->widths;
	b->flags = blob->flags;
	b->ops = blob->ops;
	b->insns = blob->insns;
	b->branches_known = blob->flags & SNIPPET_STRAIGHT;
	b->unroll = blob->unroll;
	b->loop = blob->loop;
	return open_expect(b, blob, &r);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Hex digits, blanks and underscores between bytes allowed, into *to; moves *to on. */
static const char *unhex(const char *hex, uint8_t **to, const uint8_t *end)
{
	while (*hex) {
		int high, low;

		if (*hex == '_' || *hex == ' ') {
			hex++;
			continue;
		}
		high = hex_digit(hex[0]);
		low = high < 0 ? -1 : hex_digit(hex[1]);
		if (low < 0)
			return "not pairs of hex digits";
		if (*to == end)
			return "longer than the buffer for it (2048 bytes)";
		*(*to)++ = (uint8_t)(high << 4 | low);
		hex += 2;
	}
	return NULL;
}

const char *snippet_load_hex(struct bench *b, const char *code, const char *init, uint8_t *buffer,
                             size_t size)
{
	uint8_t *at = buffer;
	const char *why;

	memset(b, 0, sizeof(*b));
	memcpy(b->name, "code", 5);
	b->what = "the bytes of code=";
	b->needs = "";
	b->widths = SNIPPET_32 | SNIPPET_64;
	b->flags = SNIPPET_DEFAULT;
	b->ops = 1;
	b->init = at;
	why = init ? unhex(init, &at, buffer + size) : NULL;
	if (why)
		return why;
	b->init_size = (size_t)(at - buffer);
	b->body = at;
	why = unhex(code, &at, buffer + size);
	b->body_size = (size_t)(at - b->body);
	return why;
}
