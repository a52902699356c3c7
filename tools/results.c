/* The measurements in a log (docs/log-format.md, record `result`). */
#include "tools/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/alloc.h"

/* Keys of `result` that are not quantities. A new one goes here and into docs/log-format.md. */
static const char *const conditions[] = {
	"bench",  "mode", "group", "part", "cpl",   "copies", "loop",      "runs",
	"warmup", "ops",  "insns", "what", "needs", "exact",  "truncated", "guarded",
};

static const char *const suffixes[] = { ".min", ".med", ".max", ".share" };

static bool ends_in(struct span key, const char *suffix)
{
	size_t n = strlen(suffix);

	return key.n > n && !memcmp(key.p + key.n - n, suffix, n);
}

static bool is_quantity(struct span key)
{
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
		if (span_is(key, conditions[i]))
			return false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (ends_in(key, suffixes[i]))
			return false;
	return key.n < 8 || memcmp(key.p, "dropped.", 8);
}

/* KEY.SUFFIX in thousandths; where there is none the quantity had no spread: `otherwise`. */
static int64_t spread(const struct record *r, const char *key, const char *suffix,
                      int64_t otherwise)
{
	char name[96];
	const struct field *f;
	int64_t v;

	snprintf(name, sizeof(name), "%s%s", key, suffix);
	f = record_field(r, name);
	return f && field_milli(f, &v) ? v : otherwise;
}

static uint64_t dec_or_one(const struct record *r, const char *key)
{
	uint64_t v;

	return record_dec(r, key, &v) && v ? v : 1;
}

static void add_record(struct results *rs, unsigned run, const struct line *line)
{
	const struct record *r = &line->rec;
	struct result row = { .run = run, .line = line, .ops = dec_or_one(r, "ops"), .copies = 1 };

	record_text(r, "bench", row.bench, sizeof(row.bench));
	record_text(r, "mode", row.mode, sizeof(row.mode));
	record_text(r, "cpl", row.cpl, sizeof(row.cpl));
	record_text(r, "form", row.form, sizeof(row.form));
	record_text(r, "kind", row.kind, sizeof(row.kind));
	if (!strcmp(row.mode, "total"))
		row.copies = dec_or_one(r, "copies") * dec_or_one(r, "loop");
	if (!row.copies)
		row.copies = 1;
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];

		if (!is_quantity(f->key) || !field_milli(f, &row.min))
			continue;
		snprintf(row.quantity, sizeof(row.quantity), "%.*s", (int)f->key.n, f->key.p);
		row.med = spread(r, row.quantity, ".med", row.min);
		row.max = spread(r, row.quantity, ".max", row.min);
		row.min = spread(r, row.quantity, ".min", row.min); /* `core`: a median by itself */
		row.exact = row.min == row.max;
		rs->row = grow(rs->row, rs->n, sizeof(row));
		rs->row[rs->n++] = row;
	}
}

void results_read(struct results *rs, const struct log *log)
{
	*rs = (struct results){ 0 };
	for (size_t i = 0; i < log->nruns; i++)
		for (size_t k = log->runs[i].first; k < log->runs[i].end; k++) {
			const struct line *line = &log->lines[k];

			if (line->class == LINE_RECORD && !line->rec.malformed &&
			    span_is(line->rec.kind, "result"))
				add_record(rs, (unsigned)i + 1, line);
		}
}

void results_free(struct results *rs)
{
	release(rs->row);
	*rs = (struct results){ 0 };
}

const struct record *log_first(const struct log *log, const char *kind)
{
	for (size_t i = 0; i < log->nlines; i++)
		if (log->lines[i].class == LINE_RECORD && span_is(log->lines[i].rec.kind, kind))
			return &log->lines[i].rec;
	return NULL;
}

const char *milli_text(char out[32], int64_t thousandths)
{
	uint64_t v = thousandths < 0 ? 0 - (uint64_t)thousandths : (uint64_t)thousandths;

	snprintf(out, 32, "%s%" PRIu64 ".%03" PRIu64, thousandths < 0 ? "-" : "", v / 1000,
	         v % 1000);
	return out;
}
