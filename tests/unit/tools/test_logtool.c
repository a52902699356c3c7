/*
 * The log reader: every damage must be found and located, whatever the bytes.
 *
 * The property tests take a whole log and flip every bit of it, drop, double and swap every line,
 * and cut it at every byte. A chatter line carries nothing and may change freely: that is the only
 * change that may stay unnoticed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/lib/alloc.h"
#include "tools/log/keys.h"
#include "tools/result/commands.h"
#include "tools/result/figures.h"
#include "tools/isa/isa.h"
#include "tools/samples/samples.h"
#include "tools/result/table.h"

#ifndef TEST_DATA
#define TEST_DATA "tests/data/"
#endif

struct text {
	char *p;
	size_t n;
};

static struct text sample, sample_crlf, cores;
static struct text chained, chained_crlf; /* the sample in schema 2 */

static struct text read_all(const char *path)
{
	FILE *in = fopen(path, "rb");
	struct text t = { malloc(1 << 16), 0 };

	assert_non_null(in);
	t.n = fread(t.p, 1, 1 << 16, in);
	fclose(in);
	return t;
}

static struct text with_crlf(struct text lf)
{
	struct text t = { malloc(2 * lf.n), 0 };

	for (size_t i = 0; i < lf.n; i++) {
		if (lf.p[i] == '\n' && (!i || lf.p[i - 1] != '\r'))
			t.p[t.n++] = '\r';
		t.p[t.n++] = lf.p[i];
	}
	return t;
}

/* A record of schema 2 behind the one with the check value *check. */
static size_t linked(char *out, const char *body, size_t n, unsigned seq, uint32_t *check)
{
	size_t size = (size_t)sprintf(out, "%.*s #%u", (int)n, body, seq);

	*check = crc32_more(*check, out, size);
	return size + (size_t)sprintf(out + size, ":%08x\n", *check);
}

/* A log of schema 1 with the tails of schema 2, and the run's number behind its first record. */
static struct text with_chain(struct text old, const char *run_id)
{
	struct text t = { malloc(3 * old.n), 0 };
	char body[1024];
	uint32_t check = 0;

	for (size_t at = 0; at < old.n;) {
		const char *p = old.p + at, *lf = memchr(p, '\n', old.n - at);
		size_t n = (size_t)(lf - p);
		struct record r;

		if (!record_tail(&r, (struct span){ p, n - (n && p[n - 1] == '\r') })) {
			memcpy(t.p + t.n, p, n + 1);
			t.n += n + 1;
		} else if (!r.seq) {
			check = 0;
			n = (size_t)sprintf(body, "cpl0 schema=2%.*s run_id=%s", (int)r.body.n - 13,
			                    r.body.p + 13, run_id);
			t.n += linked(t.p + t.n, body, n, 0, &check);
			n = (size_t)(lf - p);
		} else {
			t.n += linked(t.p + t.n, r.body.p, r.body.n, r.seq, &check);
		}
		at += n + 1;
	}
	return t;
}

static int load(void **state)
{
	(void)state;
	sample = read_all(TEST_DATA "sample.log");
	sample_crlf = with_crlf(sample);
	chained = with_chain(sample, "0x1234");
	chained_crlf = with_crlf(chained);
	cores = read_all(TEST_DATA "cores.log");
	return 0;
}

static int unload(void **state)
{
	(void)state;
	free(sample.p);
	free(sample_crlf.p);
	free(chained.p);
	free(chained_crlf.p);
	free(cores.p);
	return 0;
}

static void read_bytes(struct log *log, const char *p, size_t n)
{
	char *copy = allocate(n);

	if (n)
		memcpy(copy, p, n);
	log_read(log, "test", copy, n);
}

static bool has_finding(const struct log *log, enum finding_kind kind, unsigned line)
{
	for (size_t i = 0; i < log->nfindings; i++)
		if (log->findings[i].kind == kind && (!line || log->findings[i].line == line))
			return true;
	return false;
}

static void dump(const struct log *log, const char *what, size_t at)
{
	fprintf(stderr, "%s at %zu:\n", what, at);
	check_print(log, stderr);
}

/* Grammar */

static void test_crc(void **state)
{
	(void)state;
	assert_int_equal(crc16_ccitt_false("123456789", 9), 0x29b1);
	assert_int_equal(crc16_ccitt_false("", 0), 0xffff);
}

static bool tail(const char *line, uint32_t *seq)
{
	struct record r;
	bool ok = record_tail(&r, (struct span){ line, strlen(line) });

	*seq = r.seq;
	return ok;
}

static void test_tail(void **state)
{
	static const char *const not_tails[] = {
		"",
		"#0:0000",
		" #0:0000",
		"x#0:0000",
		"x #:0000",
		"x #00:0000",
		"x #1:000",
		"x #1:00000",
		"x #1:ABCD",
		"x #1:abcd ",
		"x #-1:abcd",
		"x #1.5:abcd",
		"x #4294967296:0000",
		"x # 1:abcd",
		"x #1:abcg",
		":0000",
		"x #99999999999:0000",
	};
	uint32_t seq;

	(void)state;
	assert_true(tail("x #0:0000", &seq));
	assert_int_equal(seq, 0);
	assert_true(tail("x #1:9 y=\"#2:0000 \" #4294967295:abcd", &seq));
	assert_int_equal(seq, UINT32_MAX);
	for (size_t i = 0; i < sizeof(not_tails) / sizeof(*not_tails); i++)
		assert_false(tail(not_tails[i], &seq));
}

static const char *grammar(const char *body, struct record *r)
{
	*r = (struct record){ .body = { body, strlen(body) } };
	record_parse(r);
	return r->malformed;
}

static void test_grammar(void **state)
{
	static const struct {
		const char *body, *why;
	} rows[] = {
		{ "done", NULL },
		{ "a.b_c a=1 B.c:d=2 e=\"\" f=\"x y\" g=\"\\\"\" h=\"\\x07\\\\ \"", NULL },
		{ "", "no kind" },
		{ "Kind a=1", "no kind" },
		{ "k ", "no KEY=" },
		{ "k a", "no KEY=" },
		{ "k =1", "no KEY=" },
		{ "k a=", "empty value" },
		{ "k  a=1", "no KEY=" },
		{ "k a=1 ", "no KEY=" },
		{ "k a=1\tb=2", "blank expected" },
		{ "k a=1 a=2", "key given twice" },
		{ "k a=b=c", "blank expected" },
		{ "k a=\"x", "string without closing quote" },
		{ "k a=\"x y\"z", "blank expected" },
		{ "k a=\"\\y \"", "bad escape in a string" },
		{ "k a=\"\\x0\"", "bad escape in a string" },
		{ "k a=\"\\", "bad escape in a string" },
		{ "k a=\"\t\"", "unprintable byte in a string" },
		{ "k a=\"5\"", "string that needs no quotes" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct record r;
		const char *why = grammar(rows[i].body, &r);

		if (!rows[i].why)
			assert_null(why);
		else
			assert_string_equal(why ? why : "nothing wrong", rows[i].why);
		record_free(&r);
	}
}

static void test_values(void **state)
{
	struct record r;
	char text[8];
	uint64_t dec;
	int64_t milli;

	(void)state;
	assert_null(grammar("k a=18446744073709551615 b=18446744073709551616 c=2.5 d=-0.125 "
	                    "e=1.2345 f=0x10 g=\"a\\x41\\\" \" h=007 i=9223372036854775807",
	                    &r));
	assert_true(record_dec(&r, "a", &dec));
	assert_true(dec == UINT64_MAX);
	assert_false(record_dec(&r, "b", &dec));
	assert_false(record_dec(&r, "c", &dec));
	assert_false(record_dec(&r, "nil", &dec));
	assert_true(field_milli(record_field(&r, "c"), &milli) && milli == 2500);
	assert_true(field_milli(record_field(&r, "d"), &milli) && milli == -125);
	assert_false(field_milli(record_field(&r, "e"), &milli));
	assert_false(field_milli(record_field(&r, "f"), &milli));
	assert_false(field_milli(record_field(&r, "i"), &milli));
	assert_true(record_text(&r, "g", text, sizeof(text)));
	assert_string_equal(text, "aA\" ");
	assert_int_equal(field_text(record_field(&r, "a"), text, sizeof(text)), 7);
	assert_false(field_is_number(record_field(&r, "h")));
	record_free(&r);
}

/* Properties of a damaged log */

struct damage {
	const char *what;
	unsigned first, last; /* lines, from 1: of the records on either side of the change */
	bool chatter;         /* changes of this byte may stay unnoticed */
};

/* The line of the last record before line k, or of the first line. */
static unsigned record_line_before(const struct log *log, size_t k)
{
	while (k-- > 0)
		if (log->lines[k].class == LINE_RECORD)
			return log->lines[k].number;
	return 1;
}

/* The line of the first record behind line k, or of the last line. */
static unsigned record_line_after(const struct log *log, size_t k)
{
	while (++k < log->nlines)
		if (log->lines[k].class == LINE_RECORD)
			return log->lines[k].number;
	return (unsigned)log->nlines;
}

static void around(struct damage *d, const struct log *log, size_t k)
{
	d->first = record_line_before(log, k);
	d->last = record_line_after(log, k);
}

/* A finding must point to the change: between the records on either side, or to one of them. */
static void must_find(const struct damage *d, const char *p, size_t n, size_t at)
{
	struct log log;
	bool located = false;

	read_bytes(&log, p, n);
	for (size_t i = 0; i < log.nfindings; i++)
		located |= log.findings[i].line >= d->first && log.findings[i].line <= d->last + 1;
	if (!located && !d->chatter) {
		dump(&log, d->what, at);
		fail();
	}
	log_close(&log);
}

/* Every single bit, and every byte that means something to the reader. */
static char changed(char c, unsigned how)
{
	static const char meaningful[] = "\n\r \"\\#:=0af1z\t";

	return how < 8 ? (char)(c ^ 1 << how) : meaningful[how - 8];
}

enum { CHANGES = 8 + 15 };

static void flip_all(struct text whole)
{
	char *copy = malloc(whole.n);
	struct log log;

	read_bytes(&log, whole.p, whole.n);
	assert_true(log_intact(&log));
	memcpy(copy, whole.p, whole.n);
	for (size_t k = 0; k < log.nlines; k++) {
		const struct line *line = &log.lines[k];
		size_t end = k + 1 < log.nlines ? line[1].offset : whole.n;
		struct damage d = { .what = "flip", .chatter = line->class == LINE_CHATTER };

		for (size_t i = line->offset; i < end; i++) {
			/* Inside a record the finding must point to that very line. */
			if (line->class == LINE_RECORD && i < line->offset + line->text.n)
				d.first = d.last = line->number;
			else
				around(&d, &log, k);
			/* In a run, the end of a line of chatter matters to the next record. */
			if (i == end - 1 && k + 1 < log.nlines && line[1].class == LINE_RECORD)
				d.chatter = k < log.runs[0].first;
			for (unsigned how = 0; how < CHANGES; how++) {
				copy[i] = changed(whole.p[i], how);
				if (copy[i] != whole.p[i])
					must_find(&d, copy, whole.n, i);
			}
			copy[i] = whole.p[i];
		}
	}
	log_close(&log);
	free(copy);
}

static void test_every_changed_byte(void **state)
{
	(void)state;
	flip_all(sample);
}

static void test_every_changed_byte_crlf(void **state)
{
	(void)state;
	flip_all(sample_crlf);
}

static void test_every_changed_byte_of_a_chain(void **state)
{
	(void)state;
	flip_all(chained);
	flip_all(chained_crlf);
}

static void append(struct text *t, const struct log *log, size_t k)
{
	const struct line *line = &log->lines[k];
	size_t end = k + 1 < log->nlines ? line[1].offset : log->size;

	memcpy(t->p + t->n, log->data + line->offset, end - line->offset);
	t->n += end - line->offset;
}

/* Builds the log with line k left out, doubled, or swapped with its successor. */
static void rearranged(struct text *t, const struct log *log, size_t k, char how)
{
	t->n = 0;
	for (size_t i = 0; i < log->nlines; i++) {
		if (how == 's' && i == k) {
			append(t, log, i + 1);
			append(t, log, i++);
			continue;
		}
		if (how != 'd' || i != k)
			append(t, log, i);
		if (how == '2' && i == k)
			append(t, log, i);
	}
}

static void rearrange_all(struct text whole)
{
	struct log log;
	struct text t = { malloc(2 * whole.n), 0 };

	read_bytes(&log, whole.p, whole.n);
	assert_true(log_intact(&log));
	for (size_t k = 0; k < log.nlines; k++) {
		bool chatter = log.lines[k].class == LINE_CHATTER;
		struct damage d = { .what = "drop", .chatter = chatter };

		around(&d, &log, k);
		rearranged(&t, &log, k, 'd');
		must_find(&d, t.p, t.n, k);
		d.what = "double";
		rearranged(&t, &log, k, '2');
		must_find(&d, t.p, t.n, k);
		if (k + 1 == log.nlines || (chatter && k + 2 < log.nlines))
			continue;
		d.what = "swap";
		d.chatter = chatter || log.lines[k + 1].class == LINE_CHATTER;
		rearranged(&t, &log, k, 's');
		must_find(&d, t.p, t.n, k);
	}
	log_close(&log);
	free(t.p);
}

static void test_every_line(void **state)
{
	(void)state;
	rearrange_all(sample);
	rearrange_all(chained);
}

static void cut_all(struct text whole)
{
	size_t end = whole.n - 1; /* without the last line end the log is still whole */

	end -= whole.p[end - 1] == '\r';
	for (size_t n = 0; n <= end; n++) {
		struct log log;

		read_bytes(&log, whole.p, n);
		if (log_intact(&log) != (n == end)) {
			dump(&log, "cut", n);
			fail();
		}
		assert_true(n == end || log.empty || has_finding(&log, FOUND_NO_DONE, 0) ||
		            has_finding(&log, FOUND_NOTHING, 0));
		log_close(&log);
	}
}

static void test_every_cut(void **state)
{
	(void)state;
	cut_all(sample);
	cut_all(chained);
}

/*
 * Mixtures of two runs of equal shape: the same records with the same numbers, of another machine
 * or of another time. None of them may read as one intact log.
 */

static uint32_t drawn;

static uint32_t draw(uint32_t n)
{
	drawn = drawn * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(drawn >> 4) * n >> 28);
}

/* Lines [from, to) of a log. */
static void append_lines(struct text *t, const struct log *log, size_t from, size_t to)
{
	for (size_t k = from; k < to; k++)
		append(t, log, k);
}

/* Line `k` with the body of line `other`, and the number and check value of its own. */
static void append_body(struct text *t, const struct log *log, size_t k, size_t other)
{
	const struct line *a = &log->lines[k], *b = &log->lines[other];
	size_t n = a->text.n - a->rec.body.n;

	memcpy(t->p + t->n, b->rec.body.p, b->rec.body.n);
	t->n += b->rec.body.n;
	memcpy(t->p + t->n, a->text.p + a->rec.body.n, n);
	t->n += n;
	t->p[t->n++] = '\n';
}

static bool same_body(const struct record *x, const struct record *y)
{
	return x->body.n == y->body.n && !memcmp(x->body.p, y->body.p, x->body.n);
}

/* How lines of a run may come into another; false if the draw changes nothing. */
static bool mix(struct text *t, const struct log *a, const struct log *b)
{
	size_t n = a->nlines, i = draw((uint32_t)n), k = i + 1 + draw((uint32_t)(n - i));

	switch (draw(4)) {
	case 0: /* the end of the other one */
		append_lines(t, a, 0, i);
		append_lines(t, b, i, n);
		return i > a->runs[0].first && a->lines[n - 1].rec.seq;
	case 1: /* a stretch of it: sectors of a medium */
		append_lines(t, a, 0, i);
		append_lines(t, b, i, k);
		append_lines(t, a, k, n);
		break;
	case 2: /* a stretch is lost, and the other one goes on */
		append_lines(t, a, 0, i);
		append_lines(t, b, k, n);
		return i > a->runs[0].first && k < n;
	default: /* bodies of two records exchanged */
		k = k < n ? k : n - 1;
		if (a->lines[i].class != LINE_RECORD || a->lines[k].class != LINE_RECORD ||
		    same_body(&a->lines[i].rec, &a->lines[k].rec))
			return false;
		append_lines(t, a, 0, i);
		append_body(t, a, i, k);
		append_lines(t, a, i + 1, k);
		append_body(t, a, k, i);
		append_lines(t, a, k + 1, n);
		return true;
	}
	for (; i < k; i++)
		if (a->lines[i].class == LINE_RECORD)
			return k > a->runs[0].first + 1 && i < n - 1;
	return false;
}

static void test_mixtures(void **state)
{
	struct text other = with_chain(sample, "0x5678"), t = { malloc(8 * sample.n), 0 };
	struct log a, b, log;
	unsigned mixed = 0;

	(void)state;
	drawn = 2026;
	read_bytes(&a, chained.p, chained.n);
	read_bytes(&b, other.p, other.n);
	assert_true(log_intact(&a) && log_intact(&b) && a.nlines == b.nlines);
	while (mixed < 10000) {
		t.n = 0;
		if (!mix(&t, &a, &b))
			continue;
		mixed++;
		if (t.n == a.size && !memcmp(t.p, a.data, t.n))
			continue;
		if (t.n == b.size && !memcmp(t.p, b.data, t.n))
			continue;
		read_bytes(&log, t.p, t.n);
		if (log_intact(&log)) {
			fprintf(stderr, "intact:\n%.*s", (int)t.n, t.p);
			fail();
		}
		log_close(&log);
	}
	log_close(&a);
	log_close(&b);
	free(other.p);
	free(t.p);
}

/* Each kind of damage is called by its name, at its line. */

struct named {
	const char *from, *to; /* the first occurrence is replaced */
	enum finding_kind kind;
	unsigned line;
};

static size_t replaced(char *out, const char *from, const char *to)
{
	const char *at = memmem(sample.p, sample.n, from, strlen(from));
	size_t before, after;

	assert_non_null(at);
	before = (size_t)(at - sample.p);
	after = sample.n - before - strlen(from);
	memcpy(out, sample.p, before);
	memcpy(out + before, to, strlen(to));
	memcpy(out + before + strlen(to), at + strlen(from), after);
	return before + strlen(to) + after;
}

static void test_names(void **state)
{
	static const struct named rows[] = {
		{ "family=5", "family=6", FOUND_GARBLED, 5 },
		{ "#4:3e14", "#4:3e1", FOUND_TAIL, 6 },
		{ "#4:3e14", "#4:3e1", FOUND_MISSING, 7 },
		{ "#4:3e14", "#44:3e14", FOUND_RENUMBERED, 6 },
		{ "#15:45b9", "#16:45b9", FOUND_RENUMBERED, 19 },
		{ "#15:45b9\n", "#15:45b9\ncheck what=x #16:0000\n", FOUND_AFTER_DONE, 20 },
		{ "#15:45b9\n", "#15:45b9\r\n", FOUND_LINE_END, 19 },
		{ "#15:45b9", "#15:45b", FOUND_NO_DONE, 16 },
		{ "#0:096d", "#0:096", FOUND_NO_START, 2 },
		{ "#6:3ba8\n", "#6:3ba8\npmu pmu=p5 counters=2 width=40 #6:3ba8\n", FOUND_DUPLICATE,
		  9 },
	};
	char *copy = malloc(sample.n + 256);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct log log;

		read_bytes(&log, copy, replaced(copy, rows[i].from, rows[i].to));
		if (!has_finding(&log, rows[i].kind, rows[i].line)) {
			dump(&log, rows[i].to, i);
			fail();
		}
		log_close(&log);
	}
	free(copy);
}

static struct text captured(const struct log *log, void (*print)(const struct log *log, FILE *out))
{
	struct text t;
	FILE *out = open_memstream(&t.p, &t.n);

	assert_non_null(out);
	print(log, out);
	fclose(out);
	return t;
}

static void must_contain(const struct log *log, void (*print)(const struct log *log, FILE *out),
                         const char *text)
{
	struct text t = captured(log, print);

	if (!strstr(t.p, text)) {
		fprintf(stderr, "no \"%s\" in:\n%s", text, t.p);
		fail();
	}
	free(t.p);
}

/* A log of schema 2 of that version with one record. */
static void read_record(struct log *log, const char *version, const char *body)
{
	char text[2048], first[64];
	const char *const bodies[] = { first, body, "done status=ok records=3" };
	uint32_t check = 0;
	size_t n = 0;

	snprintf(first, sizeof(first), "cpl0 schema=2 version=%s", version);
	for (unsigned i = 0; i < 3; i++)
		n += linked(text + n, bodies[i], strlen(bodies[i]), i, &check);
	read_bytes(log, text, n);
}

/* clang-format off */
static const struct {
	const char *body, *text; /* NULL: nothing is said */
	bool good;               /* no damage in a log of the same release */
} key_rows[] = {
	{ "boot protocol=multiboot2 loader=\"GRUB 2\" modules=0 acpi=1", NULL, true },
	{ "boot speed=3", "unknown key speed in boot", true },
	{ "speed boot=3 speed=4", "unknown kind speed", true },
	{ "boot modules=two", "modules in boot is not decimal", false },
	{ "boot modules=2.5", "modules in boot is not decimal", false },
	{ "boot acpi=2", "acpi in boot is not 0 or 1", false },
	{ "boot protocol=\"a b\"", "protocol in boot is not word", false },
	{ "boot modules=1 truncated=0", NULL, true },
	{ "process cpu=-1", NULL, true },
	{ "cache level=1 ways=full", NULL, true },
	{ "cache level=1 ways=half", "ways in cache is not decimal or full", false },
	{ "result bench=a code=01c8 tsc=2.125 EVENT=2 EVENT.min=1 E.moved=0", NULL, true },
	{ "result bench=a tsc=1.2345", "tsc in result is not fraction", false },
	{ "result bench=a EVENT=many", "EVENT in result is not fraction", false },
	{ "result bench=a E.moved=1", "E.moved in result is not 0", false },
	{ "result bench=a code=0x1", "code in result is not hex digits", false },
	{ "series bench=a tsc.1=5 tsc.12=4.5", NULL, true },
	{ "series bench=a tsc.x=5", "unknown key tsc.x in series", true },
	{ "event name=a with=0x1 with2=0x2", NULL, true },
	{ "event name=a with=1", "with in event is not hex", false },
	{ "event name=a with2=0X1", "with2 in event is not hex", false },
	{ "blocker by=time code=90", NULL, true },
	{ "blocker by=space", "by in blocker is not time", false },
};
/* clang-format on */

/* The same remark comes once, and twenty are enough. */
static void check_notes(void)
{
	struct log log;

	read_record(&log, "99.1.0", "x y=1 z=1");
	assert_int_equal(log.nnotes, 2);
	assert_false(log.more_notes);
	log_close(&log);
	read_record(&log, "99.1.0",
	            "boot a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 n=1 "
	            "o=1 p=1 q=1 r=1 s=1 t=1");
	must_contain(&log, check_print, "note: and more of this kind\n");
	log_close(&log);
}

/*
 * An unknown kind or key is no damage. A value of another sort is, unless another release wrote
 * the log.
 */
static void test_keys(void **state)
{
	char same[80];
	struct log log;

	(void)state;
	snprintf(same, sizeof(same), "%s+g0123456789", log_release);
	for (size_t i = 0; i < sizeof(key_rows) / sizeof(*key_rows); i++) {
		const char *text = key_rows[i].text;

		read_record(&log, same, key_rows[i].body);
		must_contain(&log, check_print, text ? text : "test: intact");
		assert_int_equal(log_intact(&log), key_rows[i].good);
		assert_int_equal(log.nnotes, text && key_rows[i].good);
		log_close(&log);
		read_record(&log, "99.1.0", key_rows[i].body);
		must_contain(&log, check_print, text ? text : "test: intact");
		must_contain(&log, check_print, "test: intact, runs: 1, records: 3");
		assert_int_equal(log.nnotes, text ? 2 : 0);
		if (text)
			must_contain(&log, check_print,
			             "test:1: note: version 99.1.0 wrote this run; this cpl0-log");
		log_close(&log);
	}
	check_notes();
}

/* Records made by the test, with the right tail. */
static size_t sealed(char *out, const char *body, unsigned seq)
{
	return (size_t)sprintf(out, "%s #%u:%04x\n", body, seq,
	                       (unsigned)crc16_ccitt_false(body, strlen(body)));
}

static void check_bodies(struct log *log, const char *const *bodies)
{
	char text[2048];
	size_t n = 0;

	for (unsigned i = 0; bodies[i]; i++)
		n += sealed(text + n, bodies[i], i);
	read_bytes(log, text, n);
}

static void test_wrong_contents(void **state)
{
	static const struct {
		const char *bodies[4];
		enum finding_kind kind;
	} rows[] = {
		{ { "cpl0 schema=1", "done status=ok records=3" }, FOUND_COUNT },
		{ { "cpl0 schema=1", "done status=ok" }, FOUND_COUNT },
		{ { "cpl0 schema=1", "done status=good records=2" }, FOUND_STATUS },
		{ { "cpl0 schema=2", "done status=ok records=2" }, FOUND_SCHEMA },
		{ { "boot a=1", "done status=ok records=2" }, FOUND_NO_START },
		{ { "cpl0 schema=1", "x  y=1", "done status=ok records=3" }, FOUND_MALFORMED },
		{ { "cpl0 schema=1", "x y=1 truncated=1", "done status=fail records=3" },
		  FOUND_CUT },
		{ { "cpl0 schema=1", "x y=1" }, FOUND_NO_DONE },
	};
	struct log log;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		check_bodies(&log, rows[i].bodies);
		if (!has_finding(&log, rows[i].kind, 0) || log_intact(&log)) {
			dump(&log, rows[i].bodies[0], i);
			fail();
		}
		log_close(&log);
	}
	check_bodies(&log, (const char *[]){ "cpl0 schema=1", "done status=fail records=2", NULL });
	assert_true(log_intact(&log));
	log_close(&log);
}

/* What stands around and between runs */

static void test_boot_loader_noise(void **state)
{
	static const char noise[] = "SeaBIOS\r\n\033[2J\033[01;01HGRUB  version 2.06\r\n"
				    "\033[0m #1:abcd x\033[7mBooting `cpl0'\033[m";
	char *copy = malloc(sizeof(noise) + sample.n);
	struct log log;

	(void)state;
	memcpy(copy, noise, sizeof(noise) - 1);
	memcpy(copy + sizeof(noise) - 1, sample.p, sample.n);
	read_bytes(&log, copy, sizeof(noise) - 1 + sample.n);
	assert_true(log_intact(&log));
	assert_int_equal(log.runs[0].records, 16);
	log_close(&log);
	free(copy);
}

static void test_two_runs(void **state)
{
	struct text t = { malloc(3 * sample.n), 0 };
	struct log log;

	(void)state;
	memcpy(t.p, sample.p, sample.n);
	memcpy(t.p + sample.n, "reboot\n", 7);
	memcpy(t.p + sample.n + 7, sample.p, sample.n);
	read_bytes(&log, t.p, 2 * sample.n + 7);
	assert_true(log_intact(&log));
	assert_int_equal(log.nruns, 2);
	log_close(&log);

	/* A first run that the reboot cut off in mid-line: the second one is whole. */
	memcpy(t.p, sample.p, 500);
	memcpy(t.p + 500, sample.p, sample.n);
	read_bytes(&log, t.p, 500 + sample.n);
	assert_int_equal(log.nruns, 2);
	assert_false(log.runs[0].intact);
	assert_true(has_finding(&log, FOUND_NO_DONE, 0));
	assert_true(log.runs[1].intact);
	log_close(&log);
	free(t.p);
}

/* A line of CPL0.LOG that goes on in the next sector, or in two: it is whole again. */
static void test_joined_sectors(void **state)
{
	static const char tag[] = "~cpl0+003 00007\n", almost[] = "~cpl0+003 0000x\n";
	struct text t = { malloc(sample.n + 64), 0 };
	struct log log;

	(void)state;
	for (size_t at = 0; at < sample.n; at += 7) {
		memcpy(t.p, sample.p, at);
		memcpy(t.p + at, tag, 16);
		memcpy(t.p + at + 16, tag, 16);
		memcpy(t.p + at + 32, sample.p + at, sample.n - at);
		read_bytes(&log, t.p, sample.n + 32);
		assert_true(log_intact(&log));
		assert_int_equal(log.runs[0].records, 16);
		log_close(&log);
	}
	memcpy(t.p, sample.p, 300);
	memcpy(t.p + 300, almost, 16);
	memcpy(t.p + 316, sample.p + 300, sample.n - 300);
	read_bytes(&log, t.p, sample.n + 16);
	assert_false(log_intact(&log));
	log_close(&log);
	free(t.p);
}

/* A CPL0.LOG of three sectors of run 7 and a free one: the numbers of each tag are checked. */
static void test_tags(void **state)
{
	static const struct {
		unsigned sector;
		const char *tag;
		bool good;
	} rows[] = {
		{ 1, "~cpl0 007 00001\n", true },  { 1, "~cpl0 777 00001\n", false },
		{ 1, "~cpl0 007 99999\n", false }, { 2, "~cpl0 006 00002\n", false },
		{ 3, "~cpl0-000 00002\n", false }, { 3, "~cpl0-000 00003\n", true },
		{ 3, "~cpl0 001 00003\n", false },
	};
	char *text = malloc(4 * 512);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct log log;

		memset(text, ' ', 4 * 512);
		for (unsigned k = 0; k < 4; k++) {
			snprintf(text + 512 * k, 17, "~cpl0%s %05u\n", k < 3 ? " 007" : "-000", k);
			text[512 * k + 16] = ' ';
			text[512 * k + 511] = '\n';
		}
		memcpy(text + (size_t)512 * rows[i].sector, rows[i].tag, 16);
		read_bytes(&log, text, 4 * 512);
		assert_int_equal(has_finding(&log, FOUND_TAG_NUMBER, 0), !rows[i].good);
		log_close(&log);
	}
	free(text);
}

static void test_line_without_end(void **state)
{
	struct log log;

	(void)state;
	read_bytes(&log, sample.p, sample.n - 1);
	assert_true(log_intact(&log));
	log_close(&log);
	read_bytes(&log, NULL, 0);
	assert_true(log.empty);
	log_close(&log);
}

/* Conversions */

static void print_csv(const struct log *log, FILE *out)
{
	csv_print(log, NULL, out);
}

/* Writes a value as a log does: without quotes where it can be. */
static size_t value_again(char *out, const char *p, size_t n)
{
	size_t used = 0;
	bool token = n > 0;

	for (size_t i = 0; i < n; i++)
		token &= p[i] > ' ' && p[i] <= '~' && !strchr("\"#=", p[i]);
	if (token) {
		memcpy(out, p, n);
		return n;
	}
	out[used++] = '"';
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '"' || p[i] == '\\')
			out[used++] = '\\';
		if (p[i] < ' ' || p[i] > '~')
			used += (size_t)sprintf(out + used, "\\x%02x", (unsigned char)p[i]);
		else
			out[used++] = p[i];
	}
	out[used++] = '"';
	return used;
}

/* One value of CSV, and the comma or line end behind it; `'` in front of a formula goes. */
static size_t csv_get(const char **p, char *out)
{
	size_t n = 0;
	bool quoted = **p == '"';
	unsigned byte;

	*p += quoted;
	for (*p += **p == '\''; quoted || (**p != ',' && **p != '\n'); ++*p) {
		if (quoted && **p == '"' && *++*p != '"')
			break;
		out[n] = **p;
		if (**p == '\\' && *++*p == 'x' && sscanf(*p + 1, "%2x", &byte) == 1) {
			out[n] = (char)byte;
			*p += 2;
		}
		n++;
	}
	++*p;
	out[n] = 0;
	return n;
}

/* What a stranger's log may hold reaches neither a terminal nor a spreadsheet as it is. */
static void test_csv_is_harmless(void **state)
{
	static const struct {
		const char *value, *cell;
	} rows[] = {
		{ "=cmd|1", "'=cmd|1" }, { "+1+1", "'+1+1" },
		{ "-x", "'-x" },         { "@sum", "'@sum" },
		{ "-12.5", "-12.5" },    { "+3", "+3" },
		{ "a=b", "a=b" },        { "\033[5m", "\\x1b[5m" },
		{ "a\\b", "a\\\\b" },    { "=", "'=" },
		{ "=1,2", "\"'=1,2\"" }, { "a\"b", "\"a\"\"b\"" },
		{ "'=x", "''=x" },       { "-", "'-" },
		{ "\n", "\\x0a" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct text t;
		FILE *out = open_memstream(&t.p, &t.n);

		csv_value(out, rows[i].value, strlen(rows[i].value));
		fclose(out);
		assert_string_equal(t.p, rows[i].cell);
		free(t.p);
	}
}

/* From the CSV alone come the very records of the log, CRC included. */
static void test_csv_loses_nothing(void **state)
{
	char column[6][256], again[1024], expected[1024];
	struct log log;
	struct text csv;
	const char *p;
	size_t k = 0;

	(void)state;
	read_bytes(&log, sample.p, sample.n);
	csv = captured(&log, print_csv);
	p = strchr(csv.p, '\n') + 1;
	while (*p) {
		unsigned seq = 0;
		size_t n = 0, used = 0, size;

		for (;;) {
			const char *row = p;

			for (int i = 0; i < 6; i++)
				n = csv_get(&p, column[i]);
			if (used && (unsigned)atoi(column[2]) != seq) {
				p = row;
				break;
			}
			if (!used)
				used = (size_t)sprintf(again, "%s", column[3]);
			seq = (unsigned)atoi(column[2]);
			used += (size_t)sprintf(again + used, " %s=", column[4]);
			used += value_again(again + used, column[5], n);
			if (!*p)
				break;
		}
		again[used] = 0;
		size = sealed(expected, again, seq) - 1;
		while (log.lines[k].class != LINE_RECORD)
			k++;
		assert_int_equal(size, log.lines[k].text.n);
		assert_memory_equal(expected, log.lines[k++].text.p, size);
	}
	assert_int_equal(k, log.nlines);
	free(csv.p);
	log_close(&log);
}

/* A JSON string or number at *p, decoded; leaves *p behind it. */
static size_t json_get(const char **p, char *out)
{
	size_t n = 0;

	if (**p != '"') {
		while (strchr("-.0123456789", **p))
			out[n++] = *(*p)++;
		return n;
	}
	for (++*p; **p != '"'; ++*p) {
		if (**p != '\\') {
			out[n++] = **p;
		} else if (*++*p == 'u') {
			char hex[5] = { (*p)[1], (*p)[2], (*p)[3], (*p)[4], 0 };

			out[n++] = (char)strtoul(hex, NULL, 16);
			*p += 4;
		} else {
			out[n++] = **p;
		}
	}
	++*p;
	return n;
}

static void test_json_loses_nothing(void **state)
{
	static const char kind[] = "\"kind\": ", fields[] = ", \"fields\": {";
	char value[256], again[1024], expected[1024];
	struct log log;
	struct text json;
	const char *p;
	unsigned seq = 0;

	(void)state;
	read_bytes(&log, sample.p, sample.n);
	json = captured(&log, json_print);
	p = json.p;
	for (size_t k = 0; k < log.nlines; k++) {
		size_t used, size;

		if (log.lines[k].class != LINE_RECORD)
			continue;
		p = strstr(p, kind);
		assert_non_null(p);
		p += strlen(kind);
		used = json_get(&p, again);
		assert_memory_equal(p, fields, strlen(fields));
		for (p += strlen(fields); *p != '}'; p += *p == ',' ? 2 : 0) {
			again[used++] = ' ';
			used += json_get(&p, again + used);
			again[used++] = '=';
			p += 2;
			size = json_get(&p, value);
			used += value_again(again + used, value, size);
		}
		again[used] = 0;
		size = sealed(expected, again, seq++) - 1;
		assert_int_equal(size, log.lines[k].text.n);
		assert_memory_equal(expected, log.lines[k].text.p, size);
	}
	assert_non_null(strstr(json.p, "\"chatter\": \"cpl0 measures; lines"));
	free(json.p);
	log_close(&log);
}

static void print_csv_results(const struct log *log, FILE *out)
{
	csv_print(log, "result", out);
}

static void show_plain(const struct log *log, FILE *out)
{
	show_print(log, &(struct show_options){ .machine = true }, out);
}

static void print_reference(const struct log *log, const char *cpu, FILE *out)
{
	struct reference_options how = { .table = TEST_DATA "reference.csv",
		                         .cpu = cpu,
		                         .all = true };

	assert_int_not_equal(compare_reference(log, &how, out), EXIT_USAGE);
}

static void print_compare(const struct log *log, FILE *out)
{
	struct compare_options how = { .all = true, .within = COMPARE_WITHIN };
	struct log other;

	read_bytes(&other, sample.p, sample.n);
	compare_logs(log, &other, &how, out);
	compare_logs(&other, log, &how, out);
	print_reference(log, "P54C", out);
	log_close(&other);
}

/* What events= takes. */
static void test_listed(void **state)
{
	static const char *const listed[] = {
		"cpl0 schema=1", "listed alias=loads name=DATA_READ what=\"data reads\"",
		"listed name=FLOPS select=0x22", "done status=ok records=4", NULL
	};
	struct log log;

	(void)state;
	check_bodies(&log, listed);
	must_contain(&log, show_plain, "\n  loads: DATA_READ, data reads\n  FLOPS\n  2 events");
	log_close(&log);
}

static void test_output(void **state)
{
	struct log log;

	(void)state;
	read_bytes(&log, sample.p, sample.n);
	must_contain(&log, check_print, "test: intact, runs: 1, records: 16\n");
	must_contain(
		&log, show_plain,
		"\n  p5.pair                     0.50       4.99    exact               -      "
		"    -       1.00\n");
	must_contain(
		&log, show_plain,
		"  instr.mov_r32_m32.lat       2.25      22.45     5.6%               -          "
		"-          -  base\n");
	must_contain(&log, show_plain, "  skip       1: the CPU lacks cmov\n");
	must_contain(&log, show_plain,
	             "  series     cold, ticks of each run from cold: 211 17 -1\n");
	must_contain(&log, print_csv_results, "\n1,12,10,p5.agi,total,4,1,9,2,1,12,,1,,,,,,,,8\n");
	must_contain(&log, print_compare, "The conditions that both logs name are the same.\n");
	must_contain(&log, print_compare,
	             "MOV r32, [m32]                   latency          2.250       2.000      "
	             "1.125  differs\n");
	must_contain(&log, print_compare, "1 figures compared, 0 within");
	log_close(&log);
}

/* What is as it should be is counted; what is not stands there in full. */
static void test_show_checks(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"check event=loads expected=4 got=4 verdict=exact",
		"check event=stores expected=3 got=5 verdict=\"off by 2\"",
		"check event=branches expected=3 got=3 verdict=exact",
		"done status=fail records=5",
		NULL,
	};
	struct text shown;
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(&log, show_plain,
	             "  check      event stores, expected 3, got 5, verdict off by 2\n"
	             "  check      2 exact\n");
	shown = captured(&log, show_plain);
	assert_null(strstr(shown.p, "loads"));
	assert_null(strstr(shown.p, "branches"));
	free(shown.p);
	log_close(&log);
}

/* An emulator or a hypervisor is named above all that was measured there, iron is neither. */
static void test_show_emulator(void **state)
{
	static const struct {
		const char *machine, *hint;
	} rows[] = {
		{ "cpu cpuid=1 hypervisor=KVMKVMKVM", "\n  GUEST: a hypervisor, KVMKVMKVM, is " },
		{ "cpu cpuid=1 hypervisor=TCGTCGTCGTCG", "\n  EMULATED: QEMU's emulator (TCG): " },
		{ "boot protocol=multiboot1 loader=cpl0-sim", "\n  EMULATED: the simulator: " },
		{ "cpu cpuid=1", NULL },
		{ "boot protocol=multiboot1 loader=qemu", NULL },
		{ "cmdline text=cpl0-sim", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *const bodies[] = {
			"cpl0 schema=1",
			rows[i].machine,
			"done status=ok records=3",
			NULL,
		};
		struct text shown;
		struct log log;

		check_bodies(&log, bodies);
		shown = captured(&log, show_plain);
		if (rows[i].hint)
			assert_non_null(strstr(shown.p, rows[i].hint));
		assert_int_equal(!!strstr(shown.p, "EMULATED"),
		                 rows[i].hint && rows[i].hint[3] == 'E');
		assert_int_equal(!!strstr(shown.p, "GUEST"),
		                 rows[i].hint && rows[i].hint[3] == 'G');
		free(shown.p);
		log_close(&log);
	}
}

/* Date and board, as far as they are told; a clock that was never set tells no date. */
/* As the rows of bench/instr/forms/ say; docs/results.md names the words. */
static void test_isa(void **state)
{
	static const char *const forms[][2] = {
		{ "AAA", "base" },
		{ "ADD r32, r32", "base" },
		{ "BSWAP r64", "lm" },
		{ "FADD [m32]", "fpu" },
		{ "POPCNT r64, r64", "popcnt" },
		{ "VADDPS xmm, xmm, xmm", "avx" },
		{ "VADDPS xmm{k}, xmm, xmm", "avx512vl+avx512f" },
		{ "VADDPS zmm, zmm, zmm", "avx512f" },
		{ "VADDPS", "" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		assert_string_equal(isa_of(forms[i][0]), forms[i][1]);
}

static void test_show_origin(void **state)
{
	static const struct {
		const char *date, *board, *line;
	} rows[] = {
		{ "date rtc=2026-11-26T17:59:35",
		  "board system_maker=ACME system=\"Model 5\" bios=1.2 bios_date=04/01/2014",
		  "\n  2026-11-26T17:59:35, ACME, Model 5, firmware 1.2 of 04/01/2014\n" },
		{ "date rtc=2000-01-01T00:00:00 implausible=1", "board bios=1.2",
		  "\n  firmware 1.2\n" },
		{ "date rtc=2026-11-26T17:59:35", "pmu family=none", "\n  2026-11-26T17:59:35\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *const bodies[] = {
			"cpl0 schema=1",
			rows[i].date,
			rows[i].board,
			"done status=ok records=4",
			NULL,
		};
		struct log log;

		check_bodies(&log, bodies);
		must_contain(&log, show_plain, rows[i].line);
		log_close(&log);
	}
}

static struct text compared(const struct log *a, const struct log *b)
{
	struct compare_options how = { .all = true, .within = COMPARE_WITHIN };
	struct text t;
	FILE *out = open_memstream(&t.p, &t.n);

	assert_non_null(out);
	compare_logs(a, b, &how, out);
	fclose(out);
	return t;
}

/* The time of code that leaves the guest is no time of a machine's own; counts are. */
static void test_compare_exits(void **state)
{
	static const char *const bodies[][6] = {
		{ "cpl0 schema=1", "cpu cpuid=1 hypervisor=KVMKVMKVM", "clock core_per_tsc=1",
		  "result bench=a mode=rate exits=1 tsc=900 exact=1 branches=2",
		  "done status=ok records=5", NULL },
		{ "cpl0 schema=1", "cpu cpuid=1", "clock core_per_tsc=1",
		  "result bench=a mode=rate tsc=100 exact=1 branches=3", "done status=ok records=5",
		  NULL },
	};
	struct log a, b;
	struct text t;

	(void)state;
	check_bodies(&a, bodies[0]);
	check_bodies(&b, bodies[1]);
	t = compared(&a, &b);
	assert_non_null(strstr(t.p, "1 times were not compared: the code leaves the guest"));
	assert_non_null(strstr(t.p, "0 figures are the same, 1 differ;"));
	free(t.p);
	t = compared(&a, &a);
	assert_null(strstr(t.p, "not compared"));
	assert_non_null(strstr(t.p, "2 figures are the same, 0 differ;"));
	free(t.p);
	log_close(&a);
	log_close(&b);
}

/* Only a guest beside iron is told of: two guests have the same between them and their CPUs. */
static void test_compare_guest(void **state)
{
	static const char *const guest[] = { "cpl0 schema=1", "cpu cpuid=1 hypervisor=KVMKVMKVM",
		                             "done status=ok records=3", NULL };
	static const char *const iron[] = { "cpl0 schema=1", "cpu cpuid=1",
		                            "done status=ok records=3", NULL };
	static const struct {
		const char *const *a, *const *b;
		const char *said;
	} rows[] = {
		{ guest, iron, "GUEST: A is held against a log without a hypervisor." },
		{ iron, guest, "GUEST: B is held against a log without a hypervisor." },
		{ guest, guest, NULL },
		{ iron, iron, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct log a, b;
		struct text t;

		check_bodies(&a, rows[i].a);
		check_bodies(&b, rows[i].b);
		t = compared(&a, &b);
		if (rows[i].said)
			assert_non_null(strstr(t.p, rows[i].said));
		else
			assert_null(strstr(t.p, "GUEST"));
		free(t.p);
		log_close(&a);
		log_close(&b);
	}
}

static void test_compare_conditions(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1 version=0.1-sample bits=64",
		"clock source=core core_per_tsc=1",
		"result bench=p5.pair mode=rate copies=64 loop=8 ops=1 tsc=1 exact=1",
		"result bench=p5.agi mode=total copies=8 loop=1 ops=1 tsc=0 exact=1",
		"done status=ok records=5",
		NULL,
	};
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(&log, print_compare,
	             "DIFFERS cmdline.text: \"\" and \"bench=p5.* note=\"a\\b??\"");
	must_contain(&log, print_compare, "DIFFERS cpl0.bits: \"64\" and \"32\"\n");
	must_contain(&log, print_compare,
	             "1.000        0.500     0.500  differs           clocks\n");
	must_contain(
		&log, print_compare,
		"0.000        3.000         -  differs           clocks  (not the same number");
	log_close(&log);
}

/* Those of the run whose figures are compared, not of the first one in the log. */
static void test_compare_conditions_of_run(void **state)
{
	static const char *const first[] = { "cpl0 schema=1 version=old bits=16",
		                             "done status=ok records=2" };
	static const char *const last[] = { "cpl0 schema=1 version=new bits=64",
		                            "result bench=p5.pair mode=rate copies=64 loop=8 ops=1 "
		                            "tsc=1 exact=1",
		                            "done status=ok records=3" };
	char text[1024];
	size_t n = 0;
	struct log log;

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		n += sealed(text + n, first[i], i);
	for (unsigned i = 0; i < 3; i++)
		n += sealed(text + n, last[i], i);
	read_bytes(&log, text, n);
	must_contain(&log, print_compare,
	             "run 2 of 2: the last one with results; --run N chooses\n");
	must_contain(&log, print_compare, "DIFFERS cpl0.bits: \"64\" and \"32\"\n");
	log_close(&log);
}

/* Core clocks: measured ones where the record has them, else by the log's ratio. */
static void test_compare_clocks(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"clock source=core core_per_tsc=0.5",
		"result bench=a form=\"MOV R32,[M32]\" kind=throughput mode=rate ops=2 tsc=2 "
		"exact=1",
		"result bench=b form=NOP kind=throughput mode=total copies=4 loop=2 ops=1 tsc=99 "
		"core=4.8 core.min=4 core.low=4 core.high=5 core.max=5 exact=1",
		"result bench=c form=NOP kind=latency mode=rate ops=1 tsc=1 exact=1",
		"done status=ok records=6",
		NULL,
	};
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(&log, print_compare, "throughput       0.500       0.500      1.000\n");
	must_contain(&log, print_compare,
	             "throughput       0.600       0.500      1.200  differs\n");
	must_contain(&log, print_compare, "2 figures compared, 1 within");
	must_contain(&log, print_compare, "1 not in the table");
	must_contain(&log, show_plain, "  b               0.60          -    20.8%");
	log_close(&log);
}

static void print_compare_p2(const struct log *log, FILE *out)
{
	print_reference(log, "P2", out);
}

/* Forms that mean the same are spelled in different ways; forms that do not are kept apart. */
static void test_compare_forms(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"clock source=core core_per_tsc=1",
		"result bench=a form=\"PSUBB mm, mm\" kind=latency mode=rate ops=1 tsc=1 exact=1",
		"result bench=b form=\"PSUBB mm1, mm2\" kind=latency mode=rate ops=1 tsc=1 exact=1",
		"result bench=c form=\"SHLD r16, r16, imm8\" kind=latency mode=rate ops=1 tsc=1 "
		"exact=1",
		"result bench=d form=\"LEA r16, [r32 + r32]\" kind=latency mode=rate ops=1 "
		"tsc=1 exact=1",
		"result bench=e form=\"SUB r1_32, r2_32\" kind=latency mode=rate ops=1 tsc=1 "
		"exact=1",
		"result bench=f form=\"SUB r32, r32\" kind=latency mode=rate ops=1 tsc=1 exact=1",
		"result bench=g form=\"SUB r32, r64\" kind=latency mode=rate ops=1 tsc=1 exact=1",
		"result bench=h form=\"PSUBB xmm1, xmm2\" kind=latency mode=rate ops=1 tsc=1 "
		"exact=1",
		"done status=ok records=11",
		NULL,
	};
	static const char *const rows[] = {
		"PSUBB mm, mm                     latency          1.000       1.000",
		"PSUBB mm_1, mm_2                 latency          1.000       1.100",
		"SHLD r1_16, r1_16, imm8          latency          1.000       4.000",
		"LEA r16, [r16+r16]               latency          1.000       1.300",
		"SUB r1_32, r2_32                 latency          1.000       1.200",
		"SUB r1_32,r1_32                  latency          1.000       1.400",
	};
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		must_contain(&log, print_compare_p2, rows[i]);
	must_contain(&log, print_compare_p2, "6 figures compared, 1 within");
	must_contain(&log, print_compare_p2, "2 not in the table\n");
	must_contain(&log, print_compare_p2, "not in the log: DIV r16 30/15b 0 rem.\n");
	log_close(&log);
}

/* What stands beside the quantities is none of them, and groups of events are one row. */
static void test_rows(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"clock source=chosen tsc_hz=2000000000",
		"result bench=a mode=rate ops=2 interrupted=1 dropped.nmi=1 tsc=6 tsc.min=4 "
		"tsc.low=5 tsc.high=7 tsc.max=8 E=2",
		"expect bench=a quantity=tsc got=4 low=4 high=4 verdict=match",
		"result bench=a mode=rate group=1 ops=2 tsc=40 F=0",
		"result bench=a mode=rate group=1 part=1 ops=2 G=1",
		"result bench=a mode=rate ops=2 tsc=9 exact=1",
		"result bench=bandwidth.read.l1 mode=rate ops=8 bytes=64 tsc=64 core=128",
		"result bench=noise mode=rate tsc=27.992 tsc.min=0 tsc.low=20 tsc.high=30 "
		"tsc.max=60",
		"result bench=nothing mode=rate tsc=0 tsc.below=1",
		"done status=ok records=11",
		NULL,
	};
	struct log log;
	struct results rs;

	(void)state;
	check_bodies(&log, bodies);
	results_read(&rs, &log);
	assert_int_equal(rs.n, 5);
	assert_int_equal(rs.row[0].n, 4);
	assert_true(rs.row[0].interrupted);
	assert_null(result_quantity(&rs.row[0], "interrupted"));
	assert_int_equal(result_quantity(&rs.row[0], "tsc")->value, 6000);
	assert_int_equal(result_quantity(&rs.row[0], "G")->min, 1000);
	assert_ptr_equal(results_find(&rs, 1, &rs.row[1]), &rs.row[0]);
	assert_null(results_find(&rs, 2, &rs.row[0]));
	results_free(&rs);
	must_contain(&log, show_plain,
	             "  a                          -       1.50    33.3% i             -          -"
	             "          -          -       1.00       0.50\n");
	must_contain(&log, show_plain, "  bandwidth.read.l1      16.00       4.00    exact  ");
	must_contain(&log, show_plain, "       4.00      16.00          -          -\n");
	must_contain(&log, show_plain, "  noise                      -      14.00    35.7%    ");
	must_contain(&log, show_plain, "  nothing                    -      <0.50        - <  ");
	must_contain(&log, show_plain, "  [1] E\n  [2] G\n  always 0: F\n");
	must_contain(&log, show_plain, "  expect     1 match\n");
	log_close(&log);
}

static void show_chosen(const struct log *log, FILE *out)
{
	char *globs[] = { "p5.*", "none" };

	show_print(log, &(struct show_options){ .benches = { globs, 2 }, .events = "N*" }, out);
}

static void show_coloured(const struct log *log, FILE *out)
{
	show_print(log, &(struct show_options){ .colour = true }, out);
}

static void test_show_choices(void **state)
{
	struct text shown;
	struct log log;

	(void)state;
	read_bytes(&log, sample.p, sample.n);
	shown = captured(&log, show_chosen);
	assert_non_null(strstr(shown.p, "p5.pair"));
	assert_null(strstr(shown.p, "instr."));
	assert_null(strstr(shown.p, "INSTRUCTIONS"));
	assert_null(strstr(shown.p, "cache"));
	assert_null(strchr(shown.p, '\033'));
	free(shown.p);
	must_contain(&log, show_coloured, "\033[1mGenuineIntel family 5");
	must_contain(&log, show_plain, "  cache      level 1, type data, size 8192");
	log_close(&log);
}

/* A pair's line in the middle, and the pair whose lines differ most. */
static void test_show_lines(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"clock source=chosen from=pit tsc_hz=1000000000",
		"pair a=0 b=1 lines=8 runs=9 tsc=60 line.low=58 line.high=66",
		"pair a=0 b=2 lines=8 runs=9 tsc=90 line.low=70.5 line.high=120",
		"pair a=1 b=2 lines=8 runs=9 tsc=91 line.low=88 line.high=95",
		"done",
		NULL,
	};
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(&log, show_plain,
	             "  pairs 3: fastest 60.0 (0, 1), median 90.0, slowest 91.0 ns (1, 2); spread "
	             "at most 0.0 %\n"
	             "  lines 8: the widest range is 70.5 to 120.0 ns (0, 2)\n\n");
	log_close(&log);
}

/* Eight CPUs, of which one is silent, with threads and two kinds of cores. */
static void test_show_cores(void **state)
{
	struct text shown;
	struct log log;

	(void)state;
	read_bytes(&log, cores.p, cores.n);
	must_contain(&log, show_plain,
	             "\n  package 0, die 0, module 1: 1 P (2 3)\n"
	             "  package 0, die 0, module 2: 2 E (4) 3 E (5) 4 E (6)\n\n");
	must_contain(&log, show_plain,
	             "  From CPU to CPU, ns a way\n"
	             "    CPU       0       1       2       3       4       5\n"
	             "      1    10.2\n"
	             "      2    65.1    60.1\n");
	must_contain(&log, show_plain,
	             "  pairs 21: fastest 10.2 (0, 1), median 80.6, slowest 100.6 ns (0, 6); "
	             "spread at most 6.1 %\n");
	must_contain(&log, show_plain,
	             "  litmus.mp, control             20000  0,0: 9390  1,0: 143  1,1: 10467\n"
	             "  litmus.mp                      20000  0,0: 9088  1,0: never  1,1: 10912\n"
	             "  litmus.lb                      20000  0,1: 19998  1,1: 2 FORBIDDEN\n");
	must_contain(&log, show_coloured, "1,1: \033[31m2 FORBIDDEN\033[0m");
	shown = captured(&log, show_chosen);
	assert_null(strstr(shown.p, "litmus.mp"));
	assert_null(strstr(shown.p, "package"));
	assert_null(strstr(shown.p, " a way"));
	free(shown.p);
	log_close(&log);
}

/* Modules of one core each are not worth a line. */
static void test_show_places(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"cpu_entry cpu=0 state=ready package=0 die=0 module=0 core=0 thread=0",
		"cpu_entry cpu=1 state=ready package=1 die=0 module=0 core=0 thread=0",
		"cpu_entry cpu=2 state=ready package=0 die=0 module=1 core=1 thread=0",
		"cpu_entry cpu=3 state=ready package=0 die=0 module=1 core=1 thread=1",
		"done",
		NULL,
	};
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(&log, show_plain,
	             "  Where the CPUs sit: core (CPUs)\n"
	             "  package 0, die 0: 0 (0) 1 (2 3)\n"
	             "  package 1, die 0: 0 (1)\n\n");
	log_close(&log);
}

/* threads=: each CPU beside what it does alone, then all of them; the first group of events. */
static void test_show_threads(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"thread bench=a cpu=0 run=alone group=0 tsc=5",
		"thread bench=b cpu=1 run=alone group=0 tsc=2",
		"thread bench=a cpu=0 run=alone group=1 tsc=99",
		"thread bench=a cpu=0 run=together group=0 tsc=6.5",
		"thread bench=b cpu=1 run=together group=0 tsc=4",
		"thread bench=a cpu=0 run=together group=1 tsc=99",
		"threads mode=core bench=a with=b cpus=2 group=0 run=alone ops=0.35",
		"threads mode=core bench=a with=b cpus=2 group=0 run=together busy=0.9 "
		"speedup=1.269 ops=0.404",
		"done",
		NULL,
	};
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(
		&log, show_plain,
		"  several CPUs at once             CPU     alone  together  ticks a copy\n"
		"  a                                  0     5.000     6.500\n"
		"  b                                  1     2.000     4.000\n"
		"  a+b                             core     0.350     0.404  operations a tick; "
		"speedup 1.269, busy 0.900\n\n");
	log_close(&log);
}

/* Without a rate of the TSC, with pairs that are not there, and with more CPUs than fit. */
static void test_show_pairs(void **state)
{
	static const char *const few[] = { "cpl0 schema=1", "pair a=10 b=3 runs=1 tsc=100",
		                           "pair a=3 b=7 runs=1 tsc=50.5", "done", NULL };
	const char *many[26] = { "cpl0 schema=1" };
	char text[24][40];
	struct log log;

	(void)state;
	check_bodies(&log, few);
	must_contain(&log, show_plain,
	             "  From CPU to CPU, TSC ticks a way\n"
	             "    CPU       3       7\n"
	             "      7    50.5\n"
	             "     10   100.0       -\n"
	             "  pairs 2: fastest 50.5 (3, 7), median 50.5, slowest 100.0 TSC ticks "
	             "(10, 3); spread at most 0.0 %\n");
	log_close(&log);
	for (unsigned i = 0; i < 24; i++) {
		sprintf(text[i], "pair a=%u b=%u runs=1 tsc=9", i, i + 1);
		many[i + 1] = text[i];
	}
	check_bodies(&log, many);
	must_contain(&log, show_plain, " a way: 25 CPUs, which cpl0-log report draws\n  pairs 24:");
	log_close(&log);
}

static void test_show_list(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1",
		"bench name=p5.a what=\"two moves\" default=1 insns=2",
		"bench name=instr.lat.b what=\"a form\" form=\"ADD r8, r8\" default=0 needs=cmov "
		"skip=\"no cmov\"",
		"done status=ok records=4",
		NULL,
	};
	struct text shown;
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(&log, show_plain, "\n  p5.a         *        2  two moves\n");
	must_contain(&log, show_plain,
	             "ADD r8, r8 (needs cmov) [not here: no cmov]\n  2 of 2 bench");
	shown = captured(&log, show_chosen);
	assert_null(strstr(shown.p, "instr.lat.b"));
	assert_non_null(strstr(shown.p, "1 of 2 benchmarks"));
	free(shown.p);
	log_close(&log);
}

static void print_json(const struct log *log, FILE *out)
{
	json_print(log, out);
}

/* A CPL0.LOG that is still empty is no damage, and its padding is nobody's data. */
static void test_unused(void **state)
{
	char data[2 * 512];
	struct log log;
	struct text t;

	(void)state;
	memset(data, ' ', sizeof(data));
	memcpy(data, "~cpl0-000 00000\n", 16);
	memcpy(data + 512, "~cpl0-000 00001\n", 16);
	data[511] = data[1023] = '\n';
	read_bytes(&log, data, 1024);
	assert_true(log_intact(&log));
	must_contain(&log, check_print, "test: intact, and no run has been saved in it yet\n");
	must_contain(&log, show_plain, "test: no run has been saved in it yet\n");
	t = captured(&log, print_json);
	assert_null(strstr(t.p, "chatter"));
	free(t.p);
	log_close(&log);

	memcpy(data + 512, "~cpl0 001 00001\nlost", 20);
	read_bytes(&log, data, 1024);
	assert_false(log_intact(&log));
	must_contain(&log, check_print, "no record of cpl0 in the file");
	log_close(&log);
}

/* No run yet is no damage, and no log either. */
static void test_empty(void **state)
{
	static const char *const texts[] = { "", "\n", " \r\n\t\n" };
	struct log log;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		read_bytes(&log, texts[i], strlen(texts[i]));
		assert_false(log_intact(&log));
		assert_int_equal(log.nfindings, 0);
		must_contain(&log, check_print, "test: no run yet: the file is empty\n");
		must_contain(&log, show_plain, "test: no run has been saved in it yet\n");
		log_close(&log);
	}
	read_bytes(&log, "\0", 1);
	must_contain(&log, check_print, "no record of cpl0 in the file");
	log_close(&log);
}

/* What a shell or a terminal made of a log is named. */
static void test_spoilt(void **state)
{
	char wide[2 * 4096], folded[2 * 4096];
	size_t n = 0, column = 0;
	struct log log;

	(void)state;
	assert_true(sample.n < 4096);
	for (unsigned order = 0; order < 2; order++) {
		memset(wide, 0, sizeof(wide));
		for (size_t i = 0; i < sample.n; i++)
			wide[2 * i + order] = sample.p[i];
		read_bytes(&log, wide, 2 * sample.n);
		must_contain(&log, check_print, "no record of cpl0, but text in UTF-16");
		log_close(&log);
	}
	for (size_t i = 0; i < sample.n; i++) {
		column = sample.p[i] == '\n' ? 0 : column + 1;
		folded[n++] = sample.p[i];
		if (column == 60) {
			folded[n++] = '\n';
			column = 0;
		}
	}
	read_bytes(&log, folded, n);
	must_contain(&log, check_print, "its lines were folded at one width");
	log_close(&log);

	/* Neither are sectors that are filled with blanks, damaged or not, nor chatter. */
	memcpy(wide, sample.p, sample.n);
	for (unsigned i = 0; i < 6; i++) {
		memset(wide + sample.n + 200 * i, i < 3 ? ' ' : 'x', 199);
		wide[sample.n + 200 * i + 199] = '\n';
	}
	read_bytes(&log, wide, sample.n + 1200);
	assert_true(log_intact(&log));
	log_close(&log);
	wide[sample.n / 2] ^= 1;
	read_bytes(&log, wide, sample.n + 600);
	assert_false(has_finding(&log, FOUND_FOLDED, 0));
	assert_false(log_intact(&log));
	log_close(&log);
}

/* Two logs; is the verdict `same`, and does the output have the text? */
static void compare_bodies(const char *const first[], const char *const second[],
                           const struct compare_options *how, bool same, const char *text)
{
	struct log la, lb;
	struct text t;
	FILE *out = open_memstream(&t.p, &t.n);

	check_bodies(&la, first);
	check_bodies(&lb, second);
	assert_int_equal(compare_logs(&la, &lb, how, out), same);
	fclose(out);
	if (!strstr(t.p, text)) {
		fprintf(stderr, "no \"%s\" in:\n%s", text, t.p);
		fail();
	}
	free(t.p);
	log_close(&la);
	log_close(&lb);
}

/* Of one benchmark. */
static void compare_clocked(const char *clock_a, const char *a, const char *clock_b, const char *b,
                            bool same, const char *text)
{
	const char *const first[] = { "cpl0 schema=1", clock_a, a, "done status=ok records=4",
		                      NULL };
	const char *const second[] = { "cpl0 schema=1", clock_b, b, "done status=ok records=4",
		                       NULL };
	struct compare_options how = { .all = false, .within = COMPARE_WITHIN };

	compare_bodies(first, second, &how, same, text);
}

static void compare_pair(const char *a, const char *b, bool same, const char *text)
{
	static const char clock[] = "clock source=core core_per_tsc=1";

	compare_clocked(clock, a, clock, b, same, text);
}

/* Ticks of different clocks are never compared, and a distance must matter. */
static void test_compare_machines(void **state)
{
	static const char zen5[] = "result bench=imul mode=rate tsc=1.870 core=3 exact=1";
	static const char zen4[] = "result bench=imul mode=rate tsc=3 core=3 exact=1";
	static const char slow[] = "clock source=chosen tsc_hz=1000000000";
	static const char fast[] = "clock source=chosen tsc_hz=4000000000";
	static const char none[] = "clock source=none";

	(void)state;
	compare_clocked(none, zen5, none, zen4, true,
	                "1 figures are the same, 0 differ; only in A: 0, only in B: 0");
	compare_clocked(slow, zen5, fast, zen4, false,
	                "1.870        0.750     0.401  differs           ns\n");
	compare_clocked(slow, zen5, fast, zen4, false, "1 figures are the same, 1 differ;");
	compare_clocked(slow, "result bench=a tsc=5 exact=1", none, "result bench=a tsc=5 exact=1",
	                false, "\n1 times were not compared: a log has neither clocks nor ns");
	compare_pair("result bench=a tsc=3.005 exact=1", "result bench=a tsc=3 exact=1", true,
	             "more than 2 % apart");
	compare_pair("result bench=a tsc=3.07 exact=1", "result bench=a tsc=3 exact=1", false,
	             "0.977  differs           clocks\n");
	compare_pair("result bench=a tsc=3 E=100 exact=1", "result bench=a tsc=3 E=103 exact=1",
	             false, "1.030  differs           E\n");
}

static void compare_forms(unsigned width, const char *a_tp, bool same, const char *text)
{
	const char *const first[] = { "cpl0 schema=1",
		                      "clock source=core core_per_tsc=1",
		                      "result bench=instr.lat.imul form=IMUL kind=latency "
		                      "mode=rate tsc=3 E=1 exact=1",
		                      a_tp,
		                      "done status=ok records=5",
		                      NULL };
	const char *const second[] = { "cpl0 schema=1",
		                       "clock source=core core_per_tsc=1",
		                       "result bench=instr.lat.imul form=IMUL kind=latency "
		                       "mode=rate tsc=3 E=1 exact=1",
		                       "result bench=instr.tp.imul form=IMUL kind=throughput "
		                       "mode=rate tsc=2 nominal=1 exact=1",
		                       "done status=ok records=5",
		                       NULL };
	struct compare_options how = { .within = COMPARE_WITHIN, .width = width };

	compare_bodies(first, second, &how, same, text);
}

/* Latency and throughput in one row, each with its own verdict; on a narrow terminal in two. */
static void test_compare_pairs(void **state)
{
	static const char tp1[] = "result bench=instr.tp.imul form=IMUL kind=throughput mode=rate "
				  "tsc=1 exact=1";
	static const char tp2[] = "result bench=instr.tp.imul form=IMUL kind=throughput mode=rate "
				  "tsc=2 exact=1";

	(void)state;
	compare_forms(0, tp1, false,
	              "\nimul            rate         3.000        3.000     1.000  same    "
	              "                  1.000        2.000     2.000  differs      m    clocks\n");
	compare_forms(0, tp1, false, "2 figures are the same, 1 differ; only in A: 0");
	compare_forms(100, tp1, false,
	              "\ninstr.tp.imul   rate         1.000        2.000     2.000  differs      m "
	              "   clocks\n");
	compare_forms(0, tp2, true, "\n\n3 figures are the same, 0 differ;");
}

static void test_compare_verdicts(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
		const char *text;
	} rows[] = {
		{ "bench=a mode=rate tsc=4 exact=1", "bench=a mode=rate tsc=4 exact=1", true,
		  "1 figures are the same, "
		  "0 differ; only in A: 0, only in B: 0" },
		{ "bench=a mode=rate tsc=5 tsc.min=4 tsc.low=4.5 tsc.high=5.5 tsc.max=90",
		  "bench=a mode=rate tsc=5.5 exact=1", true, "1 figures are the same" },
		{ "bench=a mode=rate tsc=5 tsc.min=4 tsc.low=4.5 tsc.high=5.5 tsc.max=90",
		  "bench=a mode=rate tsc=5.6", false, "1.120  differs           clocks\n" },
		{ "bench=a mode=rate tsc=4 tsc.bound=0.5", "bench=a mode=rate tsc=4.4 exact=1",
		  true,
		  "1 figures are the same, "
		  "0 differ; only in A: 0, only in B: 0" },
		{ "bench=a mode=rate tsc=4 tsc.bound=0.5", "bench=a mode=rate tsc=4.6 exact=1",
		  false, "1.150  differs" },
		{ "bench=a mode=rate tsc=0 tsc.below=0.9", "bench=a mode=rate tsc=1 exact=1", false,
		  "<0.900" },
		{ "bench=a mode=rate tsc=4", "bench=a mode=rate tsc=5", false,
		  "clocks: 0 lower and 1 higher in B, B / A from 1.250 to 1.250\n" },
		{ "bench=a mode=rate tsc=4 interrupted=1", "bench=a mode=rate tsc=4", true,
		  "1 figures are the same" },
		{ "bench=a mode=rate tsc=4", "bench=b mode=rate tsc=4", false,
		  "0 figures are the same, "
		  "0 differ; only in A: 1, only in B: 1" },
		{ "bench=a mode=rate tsc=4 E=1", "bench=a mode=rate tsc=4 F=1", false,
		  "1 figures are the same, "
		  "0 differ; only in A: 1, only in B: 1" },
		{ "bench=a mode=rate tsc=0 tsc.below=2", "bench=a mode=rate tsc=1", true, "1 f" },
		{ "bench=a mode=rate tsc=0 tsc.below=2", "bench=a mode=rate tsc=3", false,
		  "<2.000        3.000         -  differs <         clocks\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char a[128], b[128];

		snprintf(a, sizeof(a), "result %s", rows[i].a);
		snprintf(b, sizeof(b), "result %s", rows[i].b);
		compare_pair(a, b, rows[i].same, rows[i].text);
	}
}

/* The CPU of the log is found in the table that is built in: by signature, then by model. */
static void test_table_pick(void **state)
{
	static const struct {
		const char *cpu;
		uint32_t signature;
		const char *picked;
	} rows[] = {
		{ NULL, 0x525, "0000525_P54C" },
		{ NULL, 0x52c, "0000525_P54C" },
		{ NULL, 0x506e3, "00506E3_Skylake" },
		{ NULL, 0xf29, "0000F24_P4_Northwood" },
		{ "Zen4", 0x525, "0A60F12_Zen4" },
		{ NULL, 0x1, NULL },
		{ NULL, 0, NULL },
		{ "P4", 0, NULL },
		{ "none", 0x525, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct table t;
		const char *picked;

		assert_true(table_read(&t, NULL));
		picked = table_pick(&t, rows[i].cpu, rows[i].signature);
		if (rows[i].picked) {
			assert_string_equal(picked, rows[i].picked);
			assert_int_equal(table_find(&t, "add R32, r32")->throughput >= 0, 1);
			assert_null(table_find(&t, "no such form"));
		} else {
			assert_null(picked);
		}
		table_free(&t);
	}
}

static void print_report(const struct log *log, FILE *out)
{
	report_print(log, 1, out);
}

static size_t occurrences(const char *text, const char *of)
{
	size_t n = 0;

	while ((text = strstr(text, of))) {
		text++;
		n++;
	}
	return n;
}

/* Text from the log cannot end the element that it stands in, and damage is told. */
/* The first of the bytes are one instruction, whose text depends on the width. */
static void test_instruction(void **state)
{
	static const struct {
		const char *code, *in_32, *in_64; /* NULL: no instruction */
	} rows[] = {
		{ "8b40008b4e148b4e188b4e1c8b4e20", "mov eax, [eax]", "mov eax, [rax]" },
		{ "4883e901", "dec eax", "sub rcx, 0x01" },
		{ "f0", NULL, NULL },
		{ "8b4", NULL, NULL },
		{ "8b40zz", NULL, NULL },
		{ "\"\"", NULL, NULL },
	};
	char body[128], text[64];
	struct record r;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned bits = 32; bits <= 64; bits += 32) {
			const char *want = bits == 32 ? rows[i].in_32 : rows[i].in_64;

			snprintf(body, sizeof(body), "sample bench=a code=%s", rows[i].code);
			assert_null(grammar(body, &r));
			assert_int_equal(sample_instruction(&r, bits, text, sizeof(text)), !!want);
			if (want)
				assert_string_equal(text, want);
			record_free(&r);
		}
	code_text("89068b06", 32, text, sizeof(text));
	assert_string_equal(text, "mov [esi], eax; mov eax, [esi]");
	code_text("01c80f", 64, text, sizeof(text)); /* the log has no more of it */
	assert_string_equal(text, "add eax, ecx; ...");
	code_text("", 64, text, sizeof(text));
	assert_string_equal(text, "");
	code_text("01c80", 64, text, sizeof(text));
	assert_string_equal(text, "");
	code_text("9090909090909090", 64, text, 8);
	assert_string_equal(text, "nop; no");
}

static void show_cycles(const struct log *log, FILE *out)
{
	show_print(log, &(struct show_options){ .events = "cyc*" }, out);
}

static void show_g(const struct log *log, FILE *out)
{
	show_print(log, &(struct show_options){ .events = "G" }, out);
}

static void show_none(const struct log *log, FILE *out)
{
	show_print(log, &(struct show_options){ .events = "cycle" }, out);
}

/* An event has the alias beside it by which it was asked for, in the run that is shown. */
static void test_alias(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1 version=1",
		"event name=E alias=cycles group=0 counter=1",
		"event name=F alias=uops group=0 counter=2",
		"event name=G group=0 counter=3",
		"result bench=a mode=rate ops=2 tsc=6 E=2 F=0 G=4",
		"done status=ok records=5",
		NULL,
	};
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	must_contain(&log, show_plain, "  [1] cycles (E)\n  [2] G\n  always 0: uops (F)\n");
	must_contain(&log, show_cycles, ".\n  [1] cycles (E)\n\n");
	must_contain(&log, show_g, ".\n  [1] G\n\n");
	must_contain(&log, show_none, ".\n  no event has such a name\n\n");
	log_close(&log);
}

static void test_report(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1 version=1",
		"clock source=core core_per_tsc=0.5 tsc_hz=1000000000",
		"result bench=a form=\"<b> &'\" mode=rate ops=2 tsc=6 tsc.min=4 tsc.low=5 "
		"tsc.high=7 tsc.max=8 E=2",
		"warn what=x why=\"</script> <script>alert(1)</script>\"",
		"event name=E alias=cycles group=0 counter=1",
		"cpu cpuid=1 vendor=V family=5 model=4 stepping=3 brand=\"A <b>& B\"",
		"done status=ok records=7",
		NULL,
	};
	struct text page, empty;
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	page = captured(&log, print_report);
	log_close(&log);
	read_bytes(&log, "", 0);
	empty = captured(&log, print_report);
	log_close(&log);
	assert_int_equal(occurrences(page.p, "</script>"), occurrences(empty.p, "</script>"));
	assert_non_null(strstr(page.p, "\"form\":\"\\u003cb> &'\""));
	assert_non_null(strstr(page.p, "\"titles\":{\"E\":\"cycles (E)\"}"));
	assert_non_null(strstr(page.p, "<title>cpl0 report: A &lt;b>&amp; B</title>"));
	assert_non_null(strstr(page.p, "\"clocks\":[1.5,1.25,1.75,false,1,2,false],"
	                               "\"ns\":[3,2.5,3.5,false,2,4,false],"));
	assert_non_null(strstr(page.p, "\"events\":{\"E\":[1,1,1,false,1,1,false]}}"));
	assert_non_null(strstr(page.p, "\"intact\":true"));
	assert_non_null(strstr(empty.p, "\"intact\":false"));
	free(page.p);
	free(empty.p);
}

/* Branches before samples: where from, where to, and what is known of them. */
static void test_show_branches(void **state)
{
	static const char *const bodies[] = {
		"cpl0 schema=1 version=1",
		"sample bench=a event=E method=pebs offset=48 copy=0 count=7 share=70 code=7807",
		"branch bench=a event=E method=pebs from=48 to=55 count=9 share=60 missed=2 min=3 "
		"mean=4.5 max=36",
		"branch bench=a event=E method=pebs from=around to=0 count=4 share=26.666 missed=0",
		"branch bench=a event=E method=pebs rest=1 count=2 share=13.333",
		"ports bench=b uops=1 ports=1*p06",
		"done status=ok records=6",
		NULL,
	};
	struct text t;
	struct log log;

	(void)state;
	check_bodies(&log, bodies);
	t = captured(&log, show_plain);
	log_close(&log);
	assert_int_equal(occurrences(t.p, "branches before samples of a, E\n"), 1);
	assert_non_null(strstr(t.p, "pebs          9       60 %  48 to 55       2 missed, "
	                            "3 to 36 clocks\n"));
	assert_non_null(strstr(t.p, "pebs          4   26.666 %  around to 0    0 missed\n"));
	assert_non_null(strstr(t.p, "pebs          2   13.333 %  others\n"));
	assert_non_null(strstr(t.p, "1*p06"));
	free(t.p);
}

/* Whatever the bytes, every command ends, and in memory it owns. */

static uint32_t next_random(uint32_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return *x;
}

static void print_json_figures(const struct log *log, FILE *out)
{
	json_figures(log, &(struct globs){ 0 }, out);
}

static void print_csv_figures(const struct log *log, FILE *out)
{
	struct log first = *log;

	first.chosen = log->nruns ? 1 : 0;
	csv_figures(&first, &(struct globs){ 0 }, false, out);
}

static void print_csv_forms(const struct log *log, FILE *out)
{
	csv_figures(log, &(struct globs){ 0 }, true, out);
}

static void run_all_commands(const char *p, size_t n)
{
	static void (*const prints[])(const struct log *log, FILE *out) = {
		check_print,       show_plain,      json_print,   print_csv,
		print_csv_results, print_compare,   print_report, print_json_figures,
		print_csv_figures, print_csv_forms,
	};
	struct log log;

	read_bytes(&log, p, n);
	for (size_t i = 0; i < sizeof(prints) / sizeof(*prints); i++)
		free(captured(&log, prints[i]).p);
	log_close(&log);
}

/* Gives every line that looks like a record its right CRC back, so that mutations reach deeper. */
static void reseal(char *p, size_t n)
{
	for (size_t at = 0; at < n;) {
		const char *lf = memchr(p + at, '\n', n - at);
		size_t size = lf ? (size_t)(lf - p) - at : n - at;
		struct record r;
		char crc[5];

		if (record_tail(&r, (struct span){ p + at, size })) {
			snprintf(crc, sizeof(crc), "%04x", r.computed);
			memcpy(p + at + size - 4, crc, 4);
		}
		at += size + 1;
	}
}

static void mutate(const struct text *whole, int rounds, uint32_t *x)
{
	static const char interesting[] = "\"\\=# \n\r\0:09.-x";
	char *copy = malloc(whole->n);

	for (int round = 0; round < rounds; round++) {
		unsigned changes = 1 + next_random(x) % 20;

		memcpy(copy, whole->p, whole->n);
		while (changes--)
			copy[next_random(x) % whole->n] =
				next_random(x) % 2
					? (char)next_random(x)
					: interesting[next_random(x) % (sizeof(interesting) - 1)];
		if (round % 2)
			reseal(copy, whole->n);
		run_all_commands(copy, 1 + next_random(x) % whole->n);
	}
	free(copy);
}

static void test_mutations(void **state)
{
	char *copy = malloc(sample.n);
	uint32_t x = 2463534242u;

	(void)state;
	mutate(&sample, 400, &x);
	mutate(&cores, 100, &x);
	for (int round = 0; round < 100; round++) {
		for (size_t i = 0; i < sample.n; i++)
			copy[i] = (char)next_random(&x);
		run_all_commands(copy, next_random(&x) % sample.n);
	}
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_grammar),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_every_changed_byte),
		cmocka_unit_test(test_every_changed_byte_crlf),
		cmocka_unit_test(test_every_changed_byte_of_a_chain),
		cmocka_unit_test(test_mixtures),
		cmocka_unit_test(test_tags),
		cmocka_unit_test(test_every_line),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_listed),
		cmocka_unit_test(test_wrong_contents),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_boot_loader_noise),
		cmocka_unit_test(test_two_runs),
		cmocka_unit_test(test_joined_sectors),
		cmocka_unit_test(test_line_without_end),
		cmocka_unit_test(test_csv_loses_nothing),
		cmocka_unit_test(test_csv_is_harmless),
		cmocka_unit_test(test_json_loses_nothing),
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_show_checks),
		cmocka_unit_test(test_show_emulator),
		cmocka_unit_test(test_isa),
		cmocka_unit_test(test_show_origin),
		cmocka_unit_test(test_compare_guest),
		cmocka_unit_test(test_compare_exits),
		cmocka_unit_test(test_compare_conditions),
		cmocka_unit_test(test_compare_conditions_of_run),
		cmocka_unit_test(test_compare_clocks),
		cmocka_unit_test(test_compare_forms),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_show_choices),
		cmocka_unit_test(test_show_list),
		cmocka_unit_test(test_show_cores),
		cmocka_unit_test(test_show_lines),
		cmocka_unit_test(test_show_pairs),
		cmocka_unit_test(test_show_places),
		cmocka_unit_test(test_show_threads),
		cmocka_unit_test(test_unused),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_spoilt),
		cmocka_unit_test(test_compare_verdicts),
		cmocka_unit_test(test_compare_pairs),
		cmocka_unit_test(test_compare_machines),
		cmocka_unit_test(test_table_pick),
		cmocka_unit_test(test_show_branches),
		cmocka_unit_test(test_alias),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_instruction),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
