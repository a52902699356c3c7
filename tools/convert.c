/* cpl0-log check, json, csv: what was read, written down in other forms. */
#include "tools/result/commands.h"

#include <inttypes.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/lib/output.h"
#include "tools/result/results.h"
#include "tools/result/runs.h"

void check_print(const struct log *log, FILE *out)
{
	const char *name = output_name(log->name);
	size_t records = 0;

	for (size_t i = 0; i < log->nfindings; i++) {
		const struct finding *f = &log->findings[i];

		fprintf(out, "%s:%u: byte %zu: ", name, f->line, f->offset);
		if (f->run)
			fprintf(out, "run %u, record %" PRIu32 " expected: ", f->run, f->expected);
		fprintf(out, "%s\n", f->text);
	}
	for (size_t i = 0; i < log->nnotes; i++)
		fprintf(out, "%s:%u: note: %s\n", name, log->notes[i].line, log->notes[i].text);
	if (log->more_notes)
		fprintf(out, "%s: note: and more of this kind\n", name);
	for (size_t i = 0; i < log->nruns; i++)
		records += log->runs[i].records;
	if (log->empty)
		fprintf(out, "%s: no run yet: the file is empty\n", name);
	else if (log_intact(log) && log->unused)
		fprintf(out, "%s: intact, and no run has been saved in it yet\n", name);
	else if (log_intact(log))
		fprintf(out, "%s: intact, runs: %zu, records: %zu\n", name, log->nruns, records);
	else
		fprintf(out, "%s: DAMAGED, findings: %zu, runs: %zu, records: %zu\n", name,
		        log->nfindings, log->nruns, records);
}

/* JSON */

/* Bytes above 7Eh become the code point of the same number: reversible, whatever the bytes. */
void json_string(FILE *out, const char *p, size_t n)
{
	putc('"', out);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c > '~')
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

/* Numbers that every JSON reader keeps exactly stay numbers; the rest are strings. */
static bool json_number(const struct field *f)
{
	return field_is_number(f) && f->raw.n <= 15;
}

static void json_field(FILE *out, const struct field *f)
{
	char *text = allocate(f->raw.n + 1);
	size_t n = field_text(f, text, f->raw.n + 1);

	json_string(out, f->key.p, f->key.n);
	fputs(": ", out);
	if (json_number(f))
		fwrite(f->raw.p, 1, f->raw.n, out);
	else
		json_string(out, text, n);
	release(text);
}

/* A result whose counts were taken back. */
static bool is_withdrawn(const struct record *r, const struct withdrawn *w)
{
	return span_is(r->kind, "result") && withdrawn_has(w, r->seq);
}

static void json_record(FILE *out, const struct record *r, const struct withdrawn *w)
{
	fprintf(out, "\"seq\": %" PRIu32 ", \"crc\": \"%0*x\", \"kind\": ", r->seq,
	        r->schema == 2 ? 8 : 4, r->crc);
	json_string(out, r->kind.p, r->kind.n);
	if (is_withdrawn(r, w))
		fputs(", \"withdrawn\": true", out);
	fputs(", \"fields\": {", out);
	for (size_t i = 0; i < r->nfields; i++) {
		fputs(i ? ", " : "", out);
		json_field(out, &r->fields[i]);
	}
	putc('}', out);
}

static void json_line(FILE *out, const struct line *line, const struct withdrawn *w)
{
	fprintf(out, "{\"line\": %u, ", line->number);
	if (line->class == LINE_RECORD && !line->rec.malformed) {
		json_record(out, &line->rec, w);
	} else {
		fputs(line->class == LINE_CHATTER ? "\"chatter\": " : "\"damaged\": ", out);
		json_string(out, line->text.p, line->text.n);
	}
	putc('}', out);
}

static void json_lines(FILE *out, const struct log *log, size_t first, size_t end,
                       const struct withdrawn *w)
{
	const char *between = "\n    ";

	for (size_t i = first; i < end; i++) {
		if (line_is_padding(&log->lines[i]))
			continue;
		fputs(between, out);
		json_line(out, &log->lines[i], w);
		between = ",\n    ";
	}
}

static void json_findings(FILE *out, const struct log *log)
{
	for (size_t i = 0; i < log->nfindings; i++) {
		const struct finding *f = &log->findings[i];

		fprintf(out,
		        "%s\n  {\"run\": %u, \"line\": %u, \"offset\": %zu, \"expected\": %" PRIu32,
		        i ? "," : "", f->run, f->line, f->offset, f->expected);
		fputs(", \"what\": ", out);
		json_string(out, f->text, strlen(f->text));
		putc('}', out);
	}
}

void json_print(const struct log *log, FILE *out)
{
	static const struct withdrawn none;

	fputs("{\"file\": ", out);
	json_string(out, log->name, strlen(log->name));
	fprintf(out, ", \"intact\": %s,\n \"before\": [", log_intact(log) ? "true" : "false");
	json_lines(out, log, 0, log->nruns ? log->runs[0].first : log->nlines, &none);
	fputs("],\n \"runs\": [", out);
	for (size_t i = 0; i < log->nruns; i++) {
		const struct run *run = &log->runs[i];
		struct withdrawn w;

		if (!runs_has(log, i))
			continue;
		fprintf(out, "%s\n  {\"run\": %zu, \"intact\": %s, \"lines\": [",
		        i && !log->chosen ? "," : "", i + 1, run->intact ? "true" : "false");
		withdrawn_read(&w, log, run);
		json_lines(out, log, run->first, run->end, &w);
		withdrawn_free(&w);
		fputs("]}", out);
	}
	fputs("],\n \"findings\": [", out);
	json_findings(out, log);
	fputs("]}\n", out);
}

/* CSV */

/*
 * A spreadsheet takes a cell that begins so for a formula. A number may begin with a sign.
 */
static bool is_formula(const char *text, size_t n)
{
	if (n && text[0] == '\'')
		return true; /* else it would read like one with a sign in front */
	if (!n || !text[0] || !strchr("=+-@", text[0]))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!strchr("0123456789.", text[i]) || !text[i])
			return true;
	return n == 1 || text[0] == '=' || text[0] == '@';
}

/* Logs come from strangers: an escape sequence or a formula of theirs stays a text. */
void csv_value(FILE *out, const char *text, size_t n)
{
	bool quoted = memchr(text, '"', n) || memchr(text, ',', n);

	fputs(quoted ? "\"" : "", out);
	if (is_formula(text, n))
		putc('\'', out);
	for (size_t i = 0; i < n; i++)
		if (text[i] < ' ' || text[i] > '~')
			fprintf(out, "\\x%02x", (unsigned char)text[i]);
		else
			fprintf(out,
			        text[i] == '"'    ? "\"\""
			        : text[i] == '\\' ? "\\\\"
			                          : "%c",
			        text[i]);
	fputs(quoted ? "\"" : "", out);
}

static void csv_field(FILE *out, const struct field *f)
{
	char *text = allocate(f->raw.n + 1);

	csv_value(out, text, field_text(f, text, f->raw.n + 1));
	release(text);
}

static void csv_record(FILE *out, size_t run, const struct line *line)
{
	const struct record *r = &line->rec;

	for (size_t i = 0; i < r->nfields || !i; i++) {
		fprintf(out, "%zu,%u,%" PRIu32 ",%.*s,", run, line->number, r->seq, (int)r->kind.n,
		        r->kind.p);
		if (r->nfields) {
			csv_value(out, r->fields[i].key.p, r->fields[i].key.n);
			putc(',', out);
			csv_field(out, &r->fields[i]);
		} else {
			putc(',', out);
		}
		putc('\n', out);
	}
}

static void csv_all(const struct log *log, FILE *out)
{
	fputs("run,line,seq,kind,key,value\n", out);
	for (size_t i = 0; i < log->nruns; i++)
		for (size_t k = log->runs[i].first; runs_has(log, i) && k < log->runs[i].end; k++)
			if (line_is_whole(&log->lines[k]))
				csv_record(out, i + 1, &log->lines[k]);
}

struct columns {
	struct span *key;
	size_t n;
};

static void add_columns(struct columns *c, const struct record *r)
{
	for (size_t i = 0; i < r->nfields; i++) {
		struct span key = r->fields[i].key;
		size_t k = 0;

		while (k < c->n && (c->key[k].n != key.n || memcmp(c->key[k].p, key.p, key.n)))
			k++;
		if (k < c->n)
			continue;
		c->key = grow(c->key, c->n, sizeof(key));
		c->key[c->n++] = key;
	}
}

static void csv_row(FILE *out, const struct columns *c, const struct record *r)
{
	for (size_t k = 0; k < c->n; k++) {
		putc(',', out);
		for (size_t i = 0; i < r->nfields; i++)
			if (r->fields[i].key.n == c->key[k].n &&
			    !memcmp(r->fields[i].key.p, c->key[k].p, c->key[k].n))
				csv_field(out, &r->fields[i]);
	}
}

/* With a last column for results that were taken back, if the log has such a record. */
static void csv_kind_of_run(const struct log *log, size_t run, const struct columns *c,
                            const char *kind, bool any, FILE *out)
{
	struct withdrawn w;

	withdrawn_read(&w, log, &log->runs[run]);
	for (size_t k = log->runs[run].first; k < log->runs[run].end; k++) {
		const struct line *line = &log->lines[k];

		if (!line_is_whole(line) || !span_is(line->rec.kind, kind))
			continue;
		fprintf(out, "%zu,%u,%" PRIu32, run + 1, line->number, line->rec.seq);
		csv_row(out, c, &line->rec);
		if (any)
			fputs(withdrawn_has(&w, line->rec.seq) ? ",1" : ",", out);
		putc('\n', out);
	}
	withdrawn_free(&w);
}

/* `line` of a cache is not the line of the log: `cache.line`. */
static void csv_title(FILE *out, const char *kind, struct span key)
{
	bool taken = span_is(key, "run") || span_is(key, "line") || span_is(key, "seq");

	fprintf(out, ",%s%s", taken ? kind : "", taken ? "." : "");
	csv_value(out, key.p, key.n);
}

static void csv_kind(const struct log *log, const char *kind, FILE *out)
{
	bool any = !strcmp(kind, "result") && log_first(log, "withdrawn");
	struct columns c = { 0 };

	for (size_t i = 0; i < log->nruns; i++)
		for (size_t k = log->runs[i].first; runs_has(log, i) && k < log->runs[i].end; k++)
			if (line_is_whole(&log->lines[k]) && span_is(log->lines[k].rec.kind, kind))
				add_columns(&c, &log->lines[k].rec);
	fputs("run,line,seq", out);
	for (size_t k = 0; k < c.n; k++)
		csv_title(out, kind, c.key[k]);
	fputs(any ? ",withdrawn\n" : "\n", out);
	for (size_t i = 0; i < log->nruns; i++)
		if (runs_has(log, i))
			csv_kind_of_run(log, i, &c, kind, any, out);
	release(c.key);
}

void csv_print(const struct log *log, const char *kind, FILE *out)
{
	if (kind)
		csv_kind(log, kind, out);
	else
		csv_all(log, out);
}
