/* A captured log: lines, runs, findings (docs/log-format.md, "What a reader checks"). */
#include "tools/log/logfile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/lib/output.h"
#include "tools/log/keys.h"

static const char FIRST_RECORD[] = "cpl0 schema=";

enum {
	FAR = 4096, /* records that a moved one may have left behind */
	SECTOR = 512,
	TAG = 16,
	RUN_MAX = 999,
};

static const char TAG_MAGIC[] = "~cpl0";

/* Lines */

/* The lines that are taken apart, one after another. */
struct chain {
	const struct log *log;
	unsigned schema; /* of the run; 0: it has no first record */
};

static bool begins_chain(const struct record *r)
{
	size_t n = sizeof(FIRST_RECORD) - 1;

	return !r->seq && r->body.n >= n && !memcmp(r->body.p, FIRST_RECORD, n);
}

/* A record whose check value follows from `before`, the one of another record or 0. */
static bool follows(struct record *r, uint32_t before)
{
	r->computed = crc32_more(before, r->sealed.p, r->sealed.n);
	return r->computed == r->crc;
}

/*
 * What GRUB or the firmware left on the line before the first record (escape sequences, a
 * prompt) is not part of it. Only the first record may be found in mid-line: anywhere else the
 * bytes before a record are damage.
 */
static bool start_in_mid_line(struct line *line)
{
	size_t n = sizeof(FIRST_RECORD) - 1;

	for (size_t i = 1; i + n < line->text.n; i++) {
		struct span rest = { line->text.p + i, line->text.n - i };
		struct record r;

		if (memcmp(rest.p, FIRST_RECORD, n) || !record_tail(&r, rest))
			continue;
		if (r.seq || (r.schema == 2 ? !follows(&r, 0) : r.crc != r.computed))
			continue;
		line->text = rest;
		line->offset += i;
		line->rec = r;
		return true;
	}
	return false;
}

/* Behind the last line that was read; a log without lines has no array to point into. */
static const struct line *end_of(const struct log *log)
{
	return log->nlines ? log->lines + log->nlines : NULL;
}

/* The next earlier line of this run with a tail; NULL: there is none. */
static const struct line *tail_before(const struct log *log, const struct line *line)
{
	while (log->nlines && line > log->lines)
		if ((--line)->class != LINE_CHATTER)
			return line;
	return NULL;
}

static bool same_text(const struct line *a, const struct line *b)
{
	return a->text.n == b->text.n && !memcmp(a->text.p, b->text.p, a->text.n);
}

/* The latest record of this run with the number `seq`, whole or not, if it is not far away. */
static const struct line *numbered(const struct log *log, const struct line *line, uint32_t seq)
{
	const struct line *l = line;

	for (unsigned i = 0; i < FAR && (l = tail_before(log, l)); i++) {
		if (l->rec.seq == seq)
			return l;
		if (begins_chain(&l->rec))
			break;
	}
	return NULL;
}

/*
 * Schema 2: a check value begins with the one of the record before. That is the line before, with
 * the value that it states or, if its own digits are damaged, with the value that it should have.
 * A record that was moved has its own predecessor, and a line that came twice is as good as the
 * first time. Where the predecessor is lost, nothing tells whether the record is whole.
 */
static enum line_class linked(const struct log *log, struct line *line)
{
	const struct line *before = tail_before(log, end_of(log));
	const struct line *other;
	struct record *r = &line->rec;
	uint32_t computed;

	if (begins_chain(r))
		return follows(r, 0) ? LINE_RECORD : LINE_GARBLED;
	if (!before)
		return LINE_LOOSE;
	if (follows(r, before->rec.crc) || follows(r, before->rec.computed) ||
	    (same_text(before, line) && before->class == LINE_RECORD))
		return LINE_RECORD;
	computed = crc32_more(before->rec.crc, r->sealed.p, r->sealed.n);
	other = r->seq ? numbered(log, end_of(log), r->seq - 1) : NULL;
	if (other && other != before && follows(r, other->rec.crc))
		return LINE_RECORD;
	r->computed = computed;
	return other ? LINE_GARBLED : LINE_LOOSE;
}

/* A CRC that lost four digits looks like one of schema 1: what it should be proves the next. */
static void expect_check(const struct log *log, struct record *r)
{
	const struct line *before = tail_before(log, end_of(log));

	r->computed = crc32_more(before ? before->rec.crc : 0, r->sealed.p, r->sealed.n);
}

static void classify(struct chain *chain, struct line *line)
{
	struct record *r = &line->rec;

	if (!record_tail(r, line->text))
		return;
	if (begins_chain(r) || !chain->schema)
		chain->schema = r->schema;
	line->class = LINE_GARBLED;
	if (r->schema == 1 && chain->schema == 2)
		expect_check(chain->log, r);
	else if (r->schema == 2)
		line->class = linked(chain->log, line);
	else if (r->crc == r->computed && chain->schema == 1)
		line->class = LINE_RECORD;
	if (line->class != LINE_RECORD && !r->seq && start_in_mid_line(line)) {
		chain->schema = r->schema;
		line->class = LINE_RECORD;
	}
	if (line->class != LINE_GARBLED)
		record_parse(r);
}

/* A line that is the tag of a sector, of any kind. */
static bool is_tag(struct span text)
{
	static const char form[] = "~cpl0?### #####";

	if (text.n != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < text.n; i++)
		if (form[i] == '#' ? text.p[i] < '0' || text.p[i] > '9'
		                   : form[i] != '?' && text.p[i] != form[i])
			return false;
	return true;
}

bool line_is_padding(const struct line *line)
{
	size_t i = 0;

	if (line->class != LINE_CHATTER)
		return false;
	while (i < line->text.n && line->text.p[i] == ' ')
		i++;
	return i == line->text.n || is_tag(line->text);
}

/* A file of sectors, and all of them are free? */
static bool is_unused(const struct log *log)
{
	if (log->size < SECTOR || memcmp(log->data, TAG_MAGIC, sizeof(TAG_MAGIC) - 1))
		return false;
	for (size_t i = 0; i < log->nlines; i++)
		if (!line_is_padding(&log->lines[i]))
			return false;
	return true;
}

/*
 * In CPL0.LOG a line that is longer than a sector's room goes on behind the tag of the next sector:
 * `~cpl0+003 00007` and a line end, in the middle of the line. Such tags are taken out.
 */
static size_t tag_length(const char *p, size_t n)
{
	static const char form[] = "~cpl0+### #####";
	size_t i;

	for (i = 0; form[i]; i++)
		if (i >= n || (form[i] == '#' ? p[i] < '0' || p[i] > '9' : p[i] != form[i]))
			return 0;
	i += i < n && p[i] == '\r';
	return i < n && p[i] == '\n' ? i + 1 : 0;
}

static void found_tag(struct log *log, size_t at, unsigned line, const char *format, long number)
{
	struct finding f = { .kind = FOUND_TAG_NUMBER, .line = line, .offset = at };
	int n = snprintf(f.text, sizeof(f.text), "sector %zu of CPL0.LOG: ", at / SECTOR);

	snprintf(f.text + n, sizeof(f.text) - (size_t)n, format, number);
	log->findings = grow(log->findings, log->nfindings, sizeof(f));
	log->findings[log->nfindings++] = f;
}

/* The decimal number of `n` digits at p; -1 if there is none. */
static long digits_at(const char *p, unsigned n)
{
	long v = 0;

	for (; n--; p++) {
		if (*p < '0' || *p > '9')
			return -1;
		v = v * 10 + (*p - '0');
	}
	return v;
}

/*
 * CPL0.LOG, or its end, has a tag at each multiple of 512 bytes: its SECTOR is one more than the
 * one before. The RUN of a sector in use is that of the one before or the next, and 1 comes behind
 * 999. Behind a torn sector it may be any.
 */
static void check_tags(struct log *log)
{
	long run = 0, first; /* run: 0: not known */
	unsigned line = 1;

	if (log->size < TAG || memcmp(log->data, TAG_MAGIC, sizeof(TAG_MAGIC) - 1) ||
	    log->data[5] == '+')
		return; /* no log begins in the middle of a line */
	first = digits_at(log->data + 10, 5);
	for (size_t at = 0, seen = 0; at + TAG <= log->size; at += SECTOR) {
		const char *p = log->data + at;
		long r = digits_at(p + 6, 3), sector = digits_at(p + 10, 5);

		for (; seen < at; seen++)
			line += log->data[seen] == '\n';
		if (memcmp(p, TAG_MAGIC, sizeof(TAG_MAGIC) - 1) || r < 0 || sector < 0 ||
		    p[TAG - 1] != '\n') { /* torn; what it held is missing in the records */
			run = 0;
			continue;
		}
		if (sector != first + (long)(at / SECTOR))
			found_tag(log, at, line, "its tag says sector %ld", sector);
		else if (p[5] != '-' && run && r != run && r != run % RUN_MAX + 1)
			found_tag(log, at, line, "its tag says run %ld, which cannot come here", r);
		if (p[5] != '-')
			run = r;
	}
}

static void join_sectors(struct log *log)
{
	char *data = log->data;
	size_t to = 0;

	for (size_t i = 0; i < log->size;) {
		size_t tag = data[i] == '~' ? tag_length(data + i, log->size - i) : 0;

		if (tag)
			i += tag;
		else
			data[to++] = data[i++];
	}
	log->size = to;
}

static void split_lines(struct log *log)
{
	struct chain chain = { .log = log };
	size_t at = 0;

	while (at < log->size) {
		const char *p = log->data + at, *lf = memchr(p, '\n', log->size - at);
		size_t n = lf ? (size_t)(lf - p) : log->size - at;
		bool cr = lf && n && p[n - 1] == '\r';
		struct line line = {
			.text = { p, n - cr },
			.offset = at,
			.number = (unsigned)log->nlines + 1,
			.end = !lf  ? END_NONE
			       : cr ? END_CRLF
			            : END_LF,
		};

		classify(&chain, &line);
		log->lines = grow(log->lines, log->nlines, sizeof(line));
		log->lines[log->nlines++] = line;
		at += n + (lf != NULL);
	}
}

/* Findings */

/* What is known while the lines of a run are checked one after another. */
struct checker {
	struct log *log;
	struct run *run;
	unsigned number;   /* of the run, from 1 */
	uint32_t expected; /* SEQ of the next record */
	uint32_t garbled;  /* lines since the last whole record: each may be one of the next */
	size_t lost_from;  /* line index behind the last record: where a lost one may hide */
	bool started;
	bool same_release;   /* log_release wrote the run */
	struct span version; /* that did, as its first record has it */
};

static void found(struct checker *c, enum finding_kind kind, const struct line *line, size_t offset,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

static void found(struct checker *c, enum finding_kind kind, const struct line *line, size_t offset,
                  const char *format, ...)
{
	struct log *log = c->log;
	struct finding f = {
		.kind = kind,
		.run = c->number,
		.line = line ? line->number : (unsigned)log->nlines,
		.offset = offset,
		.expected = c->expected,
	};
	va_list args;

	va_start(args, format);
	vsnprintf(f.text, sizeof(f.text), format, args);
	va_end(args);
	log->findings = grow(log->findings, log->nfindings, sizeof(f));
	log->findings[log->nfindings++] = f;
	if (c->run)
		c->run->intact = false;
}

static const struct line *next_record(const struct log *log, const struct line *line)
{
	const struct line *end = log->lines + log->nlines;

	while (++line < end)
		if (line->class != LINE_CHATTER)
			return line->class == LINE_RECORD ? line : NULL;
	return NULL;
}

/* The earlier record of this run with this number, NULL if there is none. */
static const struct line *seen_before(const struct checker *c, const struct line *line)
{
	const struct line *first = c->log->lines + c->run->first;

	for (const struct line *l = line; l-- > first;)
		if (l->class == LINE_RECORD && l->rec.seq == line->rec.seq)
			return l;
	return NULL;
}

/* Is a chatter line between the last record and `line` one that lost its tail? */
static void point_at_damaged_tails(struct checker *c, const struct line *line)
{
	for (const struct line *l = c->log->lines + c->lost_from; l < line; l++)
		if (l->class == LINE_CHATTER && record_resembles(l->text))
			found(c, FOUND_TAIL, l, l->offset,
			      "in the shape of a record, but its #SEQ:CRC is damaged or cut off");
}

static void found_missing(struct checker *c, const struct line *line, uint32_t from, uint32_t to)
{
	char where[48] = "at the beginning";

	if (c->lost_from)
		snprintf(where, sizeof(where), "between line %zu and this", c->lost_from);
	if (to - from == 1)
		found(c, FOUND_MISSING, line, line->offset, "record %" PRIu32 " is missing %s",
		      from, where);
	else
		found(c, FOUND_MISSING, line, line->offset,
		      "records %" PRIu32 " to %" PRIu32 " are missing %s", from, to - 1, where);
	point_at_damaged_tails(c, line);
}

/* SEQ alone is damaged: what follows, or `done`, says that this is the expected record. */
static bool renumbered(const struct checker *c, const struct line *line)
{
	const struct line *next = next_record(c->log, line);
	uint64_t records;

	if (line->rec.seq == c->expected || c->garbled)
		return false;
	if (span_is(line->rec.kind, "done") && record_dec(&line->rec, "records", &records))
		return records == (uint64_t)c->expected + 1;
	return next && next->rec.seq == c->expected + 1;
}

static void check_order(struct checker *c, const struct line *line)
{
	uint32_t seq = line->rec.seq;
	const struct line *before = seq < c->expected ? seen_before(c, line) : NULL;

	if (before && same_text(before, line)) {
		found(c, FOUND_DUPLICATE, line, line->offset,
		      "record %" PRIu32 " again, as in line %u", seq, before->number);
		return;
	}
	if (renumbered(c, line)) {
		found(c, FOUND_RENUMBERED, line, line->offset,
		      "numbered %" PRIu32 ", but must be record %" PRIu32 ": its SEQ is damaged",
		      seq, c->expected);
		seq = c->expected;
	} else if (before) {
		found(c, FOUND_DUPLICATE, line, line->offset,
		      "record %" PRIu32 " again, with other text than in line %u", seq,
		      before->number);
		return;
	} else if (seq < c->expected) {
		found(c, FOUND_OUT_OF_ORDER, line, line->offset,
		      "record %" PRIu32 " comes late, after record %" PRIu32, seq, c->expected - 1);
		return;
	} else if (seq - c->expected > c->garbled) {
		found_missing(c, line, c->expected + c->garbled, seq);
	}
	c->expected = seq + 1;
	c->garbled = 0;
}

static void check_done(struct checker *c, const struct line *line)
{
	char status[8];
	uint64_t records;

	c->run->done = line;
	if (!record_dec(&line->rec, "records", &records) || records != (uint64_t)line->rec.seq + 1)
		found(c, FOUND_COUNT, line, line->offset,
		      "done must say records=%" PRIu64 ", one more than its own number",
		      (uint64_t)line->rec.seq + 1);
	record_text(&line->rec, "status", status, sizeof(status));
	if (strcmp(status, "ok") && strcmp(status, "stopped") && strcmp(status, "fail"))
		found(c, FOUND_STATUS, line, line->offset,
		      "done must say status=ok, status=stopped or status=fail");
}

static void check_start(struct checker *c, const struct line *line)
{
	const struct field *version = record_field(&line->rec, "version");
	struct span release;
	char schema[16];

	c->started = true;
	if (version) {
		c->version = version->raw;
		release = (struct span){ version->raw.p, 0 };
		while (release.n < version->raw.n && release.p[release.n] != '+')
			release.n++;
		c->same_release = span_is(release, log_release);
	}
	if (!span_is(line->rec.kind, "cpl0")) {
		if (!c->garbled)
			found(c, FOUND_NO_START, line, line->offset,
			      "the run must begin with a `cpl0` record");
	} else if (record_text(&line->rec, "schema", schema, sizeof(schema)) &&
	           strcmp(schema, line->rec.schema == 2 ? "2" : "1")) {
		found(c, FOUND_SCHEMA, line, line->offset,
		      "schema %s is not known here (only 1 and 2), or has other tails", schema);
	}
}

/*
 * All records of a run end alike, LF or CR LF. Without this rule a CR that became LF would be an
 * empty line more and nothing else. The majority is right, so the first record may be the odd one.
 */
static void check_line_ends(struct checker *c, size_t end)
{
	size_t ends[END_CRLF + 1] = { 0 };
	enum line_end usual;

	for (const struct line *l = c->log->lines + c->run->first; l < c->log->lines + end; l++)
		ends[l->end] += l->class == LINE_RECORD;
	usual = ends[END_LF] > ends[END_CRLF] ? END_LF : END_CRLF;
	for (const struct line *l = c->log->lines + c->run->first; l < c->log->lines + end; l++)
		if (l->class == LINE_RECORD && l->end != END_NONE && l->end != usual)
			found(c, FOUND_LINE_END, l, l->offset + l->text.n,
			      "ends in %s, unlike the other records",
			      usual == END_LF ? "CR LF" : "LF alone");
}

/* Keys and values */

static void note(struct log *log, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void note(struct log *log, unsigned line, const char *format, ...)
{
	struct note n = { .line = line };
	va_list args;

	va_start(args, format);
	vsnprintf(n.text, sizeof(n.text), format, args);
	va_end(args);
	for (size_t i = 0; i < log->nnotes; i++)
		if (!strcmp(log->notes[i].text, n.text))
			return;
	if (log->nnotes < LOG_NOTES)
		log->notes[log->nnotes++] = n;
	else
		log->more_notes = true;
}

/* As much of it as a note has room for. */
static int brief(struct span s)
{
	return s.n < 40 ? (int)s.n : 40;
}

/* A newer kernel has kinds and keys that this program does not know, and may change a sort. */
static void note_release(struct checker *c)
{
	if (!c->same_release && c->version.n)
		note(c->log, c->log->lines[c->run->first].number,
		     "version %.*s wrote this run; this cpl0-log is of version %s",
		     brief(c->version), c->version.p, log_release);
}

static void check_value(struct checker *c, const struct line *line, const struct field *f,
                        const struct log_key *row)
{
	const struct record *r = &line->rec;
	char sorts[64], text[120] = "unknown key ";
	size_t n = row ? 0 : strlen(text);

	if (row && log_key_takes(row, f))
		return;
	n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s in %.*s", brief(f->key), f->key.p,
	                      brief(r->kind), r->kind.p);
	if (row) {
		log_key_sorts(row, sorts, sizeof(sorts));
		snprintf(text + n, sizeof(text) - n, " is not %s", sorts);
	}
	if (row && c->same_release) {
		found(c, FOUND_SORT, line, line->offset + (size_t)(f->raw.p - line->text.p), "%s",
		      text);
		return;
	}
	note_release(c);
	note(c->log, line->number, "%s", text);
}

/* Logs of schema 1 are of releases that the table does not describe. */
static void check_values(struct checker *c, const struct line *line)
{
	const struct record *r = &line->rec;
	const struct log_kind *kind = log_kind_of(r->kind);

	if (r->schema == 1 || r->malformed)
		return;
	if (!kind) {
		note_release(c);
		note(c->log, line->number, "unknown kind %.*s", brief(r->kind), r->kind.p);
		return;
	}
	for (size_t i = 0; i < r->nfields; i++)
		if (!span_is(r->fields[i].key, "truncated")) /* any kind may have it */
			check_value(c, line, &r->fields[i], log_key_of(kind, r->fields[i].key));
}

static void check_whole_record(struct checker *c, const struct line *line)
{
	char cut[4];

	if (!c->started)
		check_start(c, line);
	if (line->rec.malformed)
		found(c, FOUND_MALFORMED, line, line->offset + line->rec.where, "%s",
		      line->rec.malformed);
	check_values(c, line);
	check_order(c, line);
	if (record_text(&line->rec, "truncated", cut, sizeof(cut)) && !strcmp(cut, "1"))
		found(c, FOUND_CUT, line, line->offset,
		      "the record was too long for its writer and has lost fields");
	if (span_is(line->rec.kind, "done"))
		check_done(c, line);
}

static void found_garbled(struct checker *c, const struct line *line)
{
	const struct record *r = &line->rec;

	if (r->schema == 1)
		found(c, FOUND_GARBLED, line, line->offset,
		      "garbled: says record %" PRIu32 " with CRC %04x, but its text has %04x",
		      r->seq, r->crc, r->computed);
	else
		found(c, FOUND_GARBLED, line, line->offset,
		      "garbled, or of another run: says record %" PRIu32
		      " with CRC %08x, but behind the record before it is %08x",
		      r->seq, r->crc, r->computed);
}

/* Records before this one are lost; this one goes on with the chain, but nothing proves it. */
static void check_loose(struct checker *c, const struct line *line)
{
	const struct record *r = &line->rec;

	if (!c->started && !c->garbled)
		found(c, FOUND_NO_START, line, line->offset,
		      "the run must begin with a `cpl0` record");
	c->started = true;
	if (r->seq >= c->expected && r->seq - c->expected > c->garbled)
		found_missing(c, line, c->expected + c->garbled, r->seq);
	found(c, FOUND_LOOSE, line, line->offset,
	      "record %" PRIu32 " cannot be proven: the record before it is lost", r->seq);
	if (r->seq >= c->expected) {
		c->expected = r->seq + 1;
		c->garbled = 0;
	}
	if (span_is(r->kind, "done"))
		c->run->done = line;
}

static void check_line(struct checker *c, const struct line *line)
{
	if (line->class == LINE_CHATTER)
		return;
	if (c->run->done) {
		found(c, FOUND_AFTER_DONE, line, line->offset, "a record behind `done`");
		return;
	}
	c->run->records++;
	if (line->class == LINE_GARBLED) {
		found_garbled(c, line);
		c->garbled++;
	} else if (line->class == LINE_LOOSE) {
		check_loose(c, line);
	} else {
		check_whole_record(c, line);
	}
	c->lost_from = (size_t)(line - c->log->lines) + 1;
}

/* Runs */

/*
 * A run begins with record 0. A garbled or headless one counts as a beginning only where the
 * run before it is over: elsewhere it is more likely a damaged line of that run.
 */
static bool begins_run(const struct checker *c, const struct line *line)
{
	const struct line *before;

	if (line->class == LINE_CHATTER)
		return false;
	if (!c->run)
		return true;
	if (line->class == LINE_GARBLED)
		return c->run->done && !line->rec.seq;
	if (!c->run->done && !(line->rec.seq == 0 && span_is(line->rec.kind, "cpl0")))
		return false;
	before = seen_before(c, line);
	if (before && same_text(before, line)) /* sent twice; a reboot repeats more than one line */
		return before->rec.seq == 0 && line - before > 1;
	return line->rec.seq == 0 || (before && c->run->done);
}

static void end_run(struct checker *c, size_t end)
{
	const struct line *last;

	if (!c->run)
		return;
	c->run->end = end;
	check_line_ends(c, end);
	if (c->run->done)
		return;
	last = &c->log->lines[c->lost_from - 1];
	found(c, FOUND_NO_DONE, last, last->offset + last->text.n,
	      "the run ends without `done`, %zu records after it began", c->run->records);
	point_at_damaged_tails(c, c->log->lines + end);
}

static void begin_run(struct checker *c, size_t first)
{
	struct log *log = c->log;

	log->runs = grow(log->runs, log->nruns, sizeof(*log->runs));
	c->run = &log->runs[log->nruns++];
	*c->run = (struct run){ .first = first, .intact = true };
	c->number = (unsigned)log->nruns;
	c->expected = 0;
	c->garbled = 0;
	c->started = c->same_release = false;
	c->version = (struct span){ 0 };
}

/* No byte, or none that is seen. */
static bool is_empty(const struct log *log)
{
	for (size_t i = 0; i < log->size; i++)
		if (!memchr(" \t\r\n", log->data[i], 4))
			return false;
	return true;
}

/* Of the first bytes every second one is NUL: text in 16 bits a character, in either order. */
static bool is_utf16(const struct log *log)
{
	size_t nul[2] = { 0 }, n = log->size < SECTOR ? log->size & ~(size_t)1 : SECTOR;

	for (size_t i = 0; i < n; i++)
		nul[i % 2] += !log->data[i];
	return n >= 8 && ((nul[0] * 10 > n * 4 && !nul[1]) || (nul[1] * 10 > n * 4 && !nul[0]));
}

/*
 * A terminal breaks lines at its width: no line of the run is longer, and several that are no
 * records end there.
 */
static bool is_folded(const struct log *log)
{
	const struct line *l = log->lines, *end = l + log->nlines;
	size_t n = sizeof(FIRST_RECORD) - 1, width = 0, broken = 0;

	while (l < end && (l->text.n < n || memcmp(l->text.p, FIRST_RECORD, n)))
		l++;
	for (; l < end; l++) {
		if (line_is_padding(l))
			continue;
		if (l->text.n > width) {
			width = l->text.n;
			broken = 0;
		}
		broken += l->text.n == width && l->class == LINE_CHATTER;
	}
	return broken >= 3;
}

static void found_nothing(struct checker *c)
{
	static const char utf16[] = "no record of cpl0, but text in UTF-16, as PowerShell's > "
				    "writes it: save the bytes that came";

	found(c, FOUND_NOTHING, NULL, c->log->size, "%s",
	      is_utf16(c->log) ? utf16 : "no record of cpl0 in the file");
}

static int by_place(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

static void check_log(struct log *log)
{
	struct checker c = { .log = log };

	for (size_t i = 0; i < log->nlines; i++) {
		if (begins_run(&c, &log->lines[i])) {
			end_run(&c, i);
			if (!c.run)
				c.lost_from = 0;
			begin_run(&c, i);
		}
		if (c.run)
			check_line(&c, &log->lines[i]);
	}
	end_run(&c, log->nlines);
	log->unused = !log->nruns && is_unused(log);
	log->empty = is_empty(log);
	if (!log->nruns && !log->unused && !log->empty)
		found_nothing(&c);
	if (log->nfindings && is_folded(log))
		found(&c, FOUND_FOLDED, &log->lines[0], 0,
		      "its lines were folded at one width, as a terminal does: capture the bytes "
		      "that came, not what a window shows");
	if (log->nfindings)
		qsort(log->findings, log->nfindings, sizeof(*log->findings), by_place);
}

void log_read(struct log *log, const char *name, char *data, size_t size)
{
	*log = (struct log){ .name = name, .data = data, .size = size };
	check_tags(log);
	join_sectors(log);
	split_lines(log);
	check_log(log);
}

/* All of `in`; false with a message if it cannot be read or does not end. */
static bool read_all(FILE *in, const char *name, char **data, size_t *size)
{
	char chunk[4096];
	size_t got;

	while ((got = fread(chunk, 1, sizeof(chunk), in)) > 0) {
		if (got > LOG_BYTES - *size) {
			fprintf(stderr, "cpl0-log: %s: more than %d MiB, and no log is as long\n",
			        output_name(name), LOG_BYTES >> 20);
			return false;
		}
		for (size_t i = 0; i < got; i++) {
			*data = grow(*data, *size, 1);
			(*data)[(*size)++] = chunk[i];
		}
	}
	if (!ferror(in))
		return true;
	perror(output_name(name));
	return false;
}

bool log_open(struct log *log, const char *path)
{
	FILE *in = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	size_t size = 0;
	char *data = NULL;
	bool good;

	if (!in) {
		perror(output_name(path));
		return false;
	}
	good = read_all(in, in == stdin ? "stdin" : path, &data, &size);
	if (in != stdin)
		fclose(in);
	if (good)
		log_read(log, in == stdin ? "stdin" : path, data, size);
	else
		release(data);
	return good;
}

void log_close(struct log *log)
{
	for (size_t i = 0; i < log->nlines; i++)
		record_free(&log->lines[i].rec);
	release(log->lines);
	release(log->runs);
	release(log->findings);
	release(log->data);
	*log = (struct log){ 0 };
}

bool log_intact(const struct log *log)
{
	return (log->nruns || log->unused) && !log->nfindings;
}
