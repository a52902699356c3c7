/*
 * The unpacker's work: one gzip member, as `gzip -n` writes it, into memory. RFC 1951 (deflate) and RFC
 * 1952 (gzip). Runs in 32-bit mode on any CPU from the 386, before anything is set up. The data are our
 * own build's, so nothing is checked here that a loader has not checked: it loads all of a file or none.
 */
#include <stdint.h>

enum {
	GZIP_HEADER = 10, /* without a name: no optional field */
	MAX_BITS = 15,
	LITERALS = 288,
	DISTANCES = 32,
	END_OF_BLOCK = 256,
	STORED = 0,
	FIXED = 1,
};

struct stream {
	const uint8_t *in;
	uint8_t *out;
	uint32_t bits; /* not yet used, the next one lowest */
	unsigned n;    /* how many */
};

/* A canonical Huffman code: how many codes of each length, and the symbols in order of their codes. */
struct code {
	uint16_t count[MAX_BITS + 1];
	uint16_t symbol[LITERALS];
};

static struct code literals, distances;

static uint32_t get(struct stream *s, unsigned n)
{
	uint32_t v;

	while (s->n < n) {
		s->bits |= (uint32_t)*s->in++ << s->n;
		s->n += 8;
	}
	v = s->bits & ((1u << n) - 1);
	s->bits >>= n;
	s->n -= n;
	return v;
}

static void build(struct code *c, const uint8_t *length, unsigned symbols)
{
	uint16_t at[MAX_BITS + 2];

	for (unsigned n = 0; n <= MAX_BITS; n++)
		c->count[n] = 0;
	for (unsigned i = 0; i < symbols; i++)
		c->count[length[i]]++;
	c->count[0] = 0;
	at[1] = 0;
	for (unsigned n = 1; n <= MAX_BITS; n++)
		at[n + 1] = at[n] + c->count[n];
	for (unsigned i = 0; i < symbols; i++)
		if (length[i])
			c->symbol[at[length[i]]++] = (uint16_t)i;
}

/*
 * One symbol: codes of a length are consecutive numbers, so a code is known by its distance to the first.
 * Nearly all of the unpacker's time is spent here, so the stream is kept in registers.
 */
static unsigned decode(struct stream *s, const struct code *c)
{
	unsigned code = 0, first = 0, index = 0, n = s->n;
	uint32_t bits = s->bits;

	for (const uint16_t *count = c->count + 1;; count++) {
		if (!n) {
			bits = *s->in++;
			n = 8;
		}
		code |= bits & 1;
		bits >>= 1;
		n--;
		if (code - first < *count)
			break;
		index += *count;
		first = (first + *count) << 1;
		code <<= 1;
	}
	s->bits = bits;
	s->n = n;
	return c->symbol[index + code - first];
}

static void fixed_codes(void)
{
	uint8_t length[LITERALS];

	for (unsigned i = 0; i < LITERALS; i++)
		length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	build(&literals, length, LITERALS);
	for (unsigned i = 0; i < DISTANCES; i++)
		length[i] = 5;
	build(&distances, length, DISTANCES);
}

static void dynamic_codes(struct stream *s)
{
	static const uint8_t order[19] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
		                           11, 4,  12, 3, 13, 2, 14, 1, 15 };
	uint8_t length[LITERALS + DISTANCES];
	unsigned nl = get(s, 5) + 257, nd = get(s, 5) + 1, nc = get(s, 4) + 4, i;

	for (i = 0; i < 19; i++)
		length[order[i]] = i < nc ? (uint8_t)get(s, 3) : 0;
	build(&literals, length, 19);
	for (i = 0; i < nl + nd;) {
		unsigned symbol = decode(s, &literals), times = 1;
		uint8_t v = (uint8_t)symbol;

		if (symbol == 16) {
			v = length[i - 1];
			times = 3 + get(s, 2);
		} else if (symbol == 17) {
			v = 0;
			times = 3 + get(s, 3);
		} else if (symbol == 18) {
			v = 0;
			times = 11 + get(s, 7);
		}
		while (times--)
			length[i++] = v;
	}
	build(&distances, length + nl, nd);
	build(&literals, length, nl);
}

/* Base and extra bits follow a rule: groups of 4 lengths and of 2 distances double in size. */
static unsigned match_length(struct stream *s, unsigned symbol)
{
	unsigned n = symbol - 257, extra;

	if (n < 8)
		return n + 3;
	if (n == 28)
		return 258;
	extra = (n >> 2) - 1;
	return ((4 + (n & 3)) << extra) + 3 + get(s, extra);
}

static unsigned match_distance(struct stream *s, unsigned symbol)
{
	unsigned extra;

	if (symbol < 4)
		return symbol + 1;
	extra = (symbol >> 1) - 1;
	return ((2 + (symbol & 1)) << extra) + 1 + get(s, extra);
}

static void block(struct stream *s)
{
	for (;;) {
		unsigned symbol = decode(s, &literals);

		if (symbol < END_OF_BLOCK) {
			*s->out++ = (uint8_t)symbol;
		} else if (symbol == END_OF_BLOCK) {
			return;
		} else {
			unsigned n = match_length(s, symbol);
			const uint8_t *from = s->out - match_distance(s, decode(s, &distances));

			while (n--)
				*s->out++ = *from++; /* may overlap */
		}
	}
}

static void stored(struct stream *s)
{
	unsigned n;

	s->bits = s->n = 0;
	n = s->in[0] | s->in[1] << 8;
	for (s->in += 4; n; n--)
		*s->out++ = *s->in++;
}

/* Called by unpack.S. */
void inflate(const uint8_t *gzip, uint8_t *out);

void inflate(const uint8_t *gzip, uint8_t *out)
{
	struct stream s = { .in = gzip + GZIP_HEADER, .out = out };
	unsigned last;

	do {
		unsigned type;

		last = get(&s, 1);
		type = get(&s, 2);
		if (type == STORED) {
			stored(&s);
			continue;
		}
		if (type == FIXED)
			fixed_codes();
		else
			dynamic_codes(&s);
		block(&s);
	} while (!last);
}
