/* A captured log: lines, runs, findings (docs/log-format.md, "What a reader checks"). */
#include "tools/log/logfile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/alloc.h"

static const char FIRST_RECORD[] = "cpl0 schema=";

/* Lines */

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
		if (r.seq || r.crc != r.computed)
			continue;
		line->text = rest;
		line->offset += i;
		line->rec = r;
		return true;
	}
	return false;
}

static void classify(struct line *line)
{
	struct record *r = &line->rec;

	if (!record_tail(r, line->text))
		return;
	line->class = LINE_GARBLED;
	if (r->crc == r->computed || (!r->seq && start_in_mid_line(line)))
		line->class = LINE_RECORD;
	if (line->class == LINE_RECORD)
		record_parse(r);
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

		classify(&line);
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
};

__attribute__((format(printf, 5, 6))) static void found(struct checker *c, enum finding_kind kind,
                                                        const struct line *line, size_t offset,
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

static bool same_text(const struct line *a, const struct line *b)
{
	return a->text.n == b->text.n && !memcmp(a->text.p, b->text.p, a->text.n);
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
	if (strcmp(status, "ok") && strcmp(status, "fail"))
		found(c, FOUND_STATUS, line, line->offset,
		      "done must say status=ok or status=fail");
}

static void check_start(struct checker *c, const struct line *line)
{
	char schema[16];

	c->started = true;
	if (!span_is(line->rec.kind, "cpl0")) {
		if (!c->garbled)
			found(c, FOUND_NO_START, line, line->offset,
			      "the run must begin with a `cpl0` record");
	} else if (record_text(&line->rec, "schema", schema, sizeof(schema)) &&
	           strcmp(schema, "1")) {
		found(c, FOUND_SCHEMA, line, line->offset, "schema %s is not known here (only 1)",
		      schema);
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

static void check_whole_record(struct checker *c, const struct line *line)
{
	char cut[4];

	if (!c->started)
		check_start(c, line);
	if (line->rec.malformed)
		found(c, FOUND_MALFORMED, line, line->offset + line->rec.where, "%s",
		      line->rec.malformed);
	check_order(c, line);
	if (record_text(&line->rec, "truncated", cut, sizeof(cut)) && !strcmp(cut, "1"))
		found(c, FOUND_CUT, line, line->offset,
		      "the record was too long for its writer and has lost fields");
	if (span_is(line->rec.kind, "done"))
		check_done(c, line);
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
		found(c, FOUND_GARBLED, line, line->offset,
		      "garbled: says record %" PRIu32 " with CRC %04x, but its text has %04x",
		      line->rec.seq, line->rec.crc, line->rec.computed);
		c->garbled++;
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
	c->started = false;
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
	if (!log->nruns)
		found(&c, FOUND_NOTHING, NULL, log->size, "no record of cpl0 in the file");
	if (log->nfindings)
		qsort(log->findings, log->nfindings, sizeof(*log->findings), by_place);
}

void log_read(struct log *log, const char *name, char *data, size_t size)
{
	*log = (struct log){ .name = name, .data = data, .size = size };
	join_sectors(log);
	split_lines(log);
	check_log(log);
}

bool log_open(struct log *log, const char *path)
{
	FILE *in = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	size_t size = 0, got;
	char *data = NULL, chunk[4096];

	if (!in) {
		perror(path);
		return false;
	}
	while ((got = fread(chunk, 1, sizeof(chunk), in)) > 0)
		for (size_t i = 0; i < got; i++) {
			data = grow(data, size, 1);
			data[size++] = chunk[i];
		}
	if (ferror(in)) {
		perror(path);
		release(data);
		if (in != stdin)
			fclose(in);
		return false;
	}
	if (in != stdin)
		fclose(in);
	log_read(log, in == stdin ? "stdin" : path, data, size);
	return true;
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
	return log->nruns && !log->nfindings;
}
