/* The measurements in a log (docs/log-format.md, record `result`). */
#include "tools/result/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/log/keys.h"

/* Quantities that tools/log/records.csv names; events are what it leaves open. */
static const char *const named[] = { "tsc", "core" };

/* Keys of `result` in schema 1, and of any record, that are not quantities. */
static const char *const others[] = { "what", "needs", "guarded", "truncated" };

#define LATENCY    "instr.lat."
#define THROUGHPUT "instr.tp."

static bool is_quantity(struct span key)
{
	static const struct span result = { "result", 6 };
	const struct log_key *row = log_key_of(log_kind_of(result), key);

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (span_is(key, named[i]))
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (span_is(key, others[i]))
			return false;
	return row && row->suffix && !*row->suffix;
}

/* KEY.SUFFIX in thousandths; `otherwise` if the record has no such key. */
static int64_t suffixed(const struct record *r, const char *key, const char *suffix,
                        int64_t otherwise)
{
	char name[QUANTITY_NAME + 16];
	const struct field *f;
	int64_t v;

	snprintf(name, sizeof(name), "%s%s", key, suffix);
	f = record_field(r, name);
	return f && field_milli(f, &v) ? v : otherwise;
}

static uint64_t dec_or(const struct record *r, const char *key, uint64_t otherwise)
{
	uint64_t v;

	return record_dec(r, key, &v) && v ? v : otherwise;
}

static bool flag(const struct record *r, const char *key)
{
	return dec_or(r, key, 0) == 1;
}

const struct quantity *result_quantity(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->quantity[i].name, name))
			return &r->quantity[i];
	return NULL;
}

/* Each group of events measures `tsc` again: the row keeps the first. */
static void add_quantity(struct result *row, const struct record *r, const struct field *f)
{
	struct quantity q;
	int64_t v;

	if (!is_quantity(f->key) || !field_milli(f, &v))
		return;
	snprintf(q.name, sizeof(q.name), "%.*s", (int)f->key.n, f->key.p);
	if (result_quantity(row, q.name))
		return;
	q.value = v;
	q.min = suffixed(r, q.name, ".min", v);
	q.low = suffixed(r, q.name, ".low", v);
	q.high = suffixed(r, q.name, ".high", v);
	q.max = suffixed(r, q.name, ".max", v);
	q.below = suffixed(r, q.name, ".below", -1);
	q.bound = suffixed(r, q.name, ".bound", 0);
	q.seq = r->seq;
	q.withdrawn = false;
	row->quantity = grow(row->quantity, row->n, sizeof(q));
	row->quantity[row->n++] = q;
}

/* Does the record go on with the row: the next group of events, or the next part of a group? */
static bool continues(const struct result *last, const struct result *row)
{
	if (last->run != row->run || strcmp(last->bench, row->bench) ||
	    strcmp(last->mode, row->mode) || strcmp(last->cpl, row->cpl))
		return false;
	return row->group > last->group || (row->group == last->group && row->part > last->part);
}

static void add_record(struct results *rs, unsigned run, const struct line *line)
{
	const struct record *r = &line->rec;
	struct result row = { .run = run, .line = line, .ops = dec_or(r, "ops", 1), .copies = 1 };
	struct result *into;

	record_text(r, "bench", row.bench, sizeof(row.bench));
	record_text(r, "mode", row.mode, sizeof(row.mode));
	record_text(r, "cpl", row.cpl, sizeof(row.cpl));
	record_text(r, "form", row.form, sizeof(row.form));
	record_text(r, "kind", row.kind, sizeof(row.kind));
	row.insns = dec_or(r, "insns", 0);
	row.bytes = dec_or(r, "bytes", 0);
	row.group = dec_or(r, "group", 0);
	row.part = dec_or(r, "part", 0);
	if (!strcmp(row.mode, "total"))
		row.copies = dec_or(r, "copies", 1) * dec_or(r, "loop", 1);
	if (!row.copies) /* the product wrapped */
		row.copies = 1;
	if (rs->n && continues(&rs->row[rs->n - 1], &row)) {
		into = &rs->row[rs->n - 1];
	} else {
		rs->row = grow(rs->row, rs->n, sizeof(row));
		into = &rs->row[rs->n++];
		*into = row;
	}
	into->group = row.group;
	into->part = row.part;
	into->interrupted |= flag(r, "interrupted");
	into->nominal |= flag(r, "nominal");
	into->exits |= flag(r, "exits");
	into->hosted |= flag(r, "exits") || record_field(r, "cold");
	for (size_t i = 0; i < r->nfields; i++)
		add_quantity(into, r, &r->fields[i]);
}

static int compare_rows(const struct result *a, unsigned run, const struct result *b)
{
	int order = a->run < run ? -1 : a->run > run;

	if (!order)
		order = strcmp(a->bench, b->bench);
	if (!order)
		order = strcmp(a->mode, b->mode);
	return order ? order : strcmp(a->cpl, b->cpl);
}

static int by_name(const void *a, const void *b, void *rows)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const struct result *row = rows;
	int order = compare_rows(&row[x], row[y].run, &row[y]);

	return order ? order : x < y ? -1 : x > y;
}

static void sort(struct results *rs)
{
	rs->sorted = allocate(rs->n * sizeof(*rs->sorted));
	for (size_t i = 0; i < rs->n; i++)
		rs->sorted[i] = i;
	if (rs->n)
		qsort_r(rs->sorted, rs->n, sizeof(*rs->sorted), by_name, rs->row);
}

const struct result *results_find(const struct results *rs, unsigned run, const struct result *like)
{
	size_t low = 0, high = rs->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_rows(&rs->row[rs->sorted[middle]], run, like) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == rs->n || compare_rows(&rs->row[rs->sorted[low]], run, like))
		return NULL;
	return &rs->row[rs->sorted[low]];
}

const char *bench_form_name(const char *bench)
{
	if (!strncmp(bench, LATENCY, strlen(LATENCY)))
		return bench + strlen(LATENCY);
	if (!strncmp(bench, THROUGHPUT, strlen(THROUGHPUT)))
		return bench + strlen(THROUGHPUT);
	return bench;
}

const char *result_form_name(const struct result *r)
{
	return bench_form_name(r->bench);
}

/* The first row with the other name of `r`, whichever name that is. */
static const struct result *counterpart(const struct results *rs, const struct result *r)
{
	const char *name = result_form_name(r);
	const char *prefix = name == r->bench                         ? NULL
	                     : name == r->bench + sizeof(LATENCY) - 1 ? THROUGHPUT
	                                                              : LATENCY;
	struct result like = *r;

	if (!prefix)
		return NULL;
	snprintf(like.bench, sizeof(like.bench), "%s%s", prefix, name);
	return results_find(rs, r->run, &like);
}

const struct result *results_partner(const struct results *rs, const struct result *r)
{
	const struct result *other = counterpart(rs, r);

	return other && counterpart(rs, other) == r ? other : NULL;
}

bool line_is_whole(const struct line *line)
{
	return line->class == LINE_RECORD && !line->rec.malformed;
}

void withdrawn_read(struct withdrawn *w, const struct log *log, const struct run *run)
{
	*w = (struct withdrawn){ 0 };
	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;
		uint64_t from, to;

		if (!line_is_whole(&log->lines[i]) || !span_is(r->kind, "withdrawn") ||
		    !record_dec(r, "from", &from) || !record_dec(r, "to", &to))
			continue;
		w->list = grow(w->list, w->n, sizeof(*w->list));
		w->list[w->n++] = (struct stretch){ (uint32_t)from, (uint32_t)to };
	}
}

bool withdrawn_has(const struct withdrawn *w, uint32_t seq)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].from <= seq && seq <= w->list[i].to)
			return true;
	return false;
}

void withdrawn_free(struct withdrawn *w)
{
	release(w->list);
	*w = (struct withdrawn){ 0 };
}

bool quantity_is_event(const char *name)
{
	return strcmp(name, "tsc") && strcmp(name, "core");
}

bool result_withdrawn(const struct result *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->quantity[i].withdrawn)
			return true;
	return false;
}

/* The records say so behind the results that they take back. */
static void withdraw(struct results *rs, const struct log *log, unsigned run)
{
	struct withdrawn w;

	withdrawn_read(&w, log, &log->runs[run - 1]);
	for (size_t i = rs->n; w.n && i-- > 0 && rs->row[i].run == run;)
		for (size_t k = 0; k < rs->row[i].n; k++) {
			struct quantity *q = &rs->row[i].quantity[k];

			q->withdrawn = quantity_is_event(q->name) && withdrawn_has(&w, q->seq);
		}
	withdrawn_free(&w);
}

void results_read(struct results *rs, const struct log *log)
{
	*rs = (struct results){ 0 };
	for (size_t i = 0; i < log->nruns; i++) {
		for (size_t k = log->runs[i].first; k < log->runs[i].end; k++)
			if (line_is_whole(&log->lines[k]) &&
			    span_is(log->lines[k].rec.kind, "result"))
				add_record(rs, (unsigned)i + 1, &log->lines[k]);
		withdraw(rs, log, (unsigned)i + 1);
	}
	rs->counts = log->chosen ? log->chosen : rs->n ? rs->row[rs->n - 1].run : 0;
	sort(rs);
}

void results_free(struct results *rs)
{
	for (size_t i = 0; i < rs->n; i++)
		release(rs->row[i].quantity);
	release(rs->row);
	release(rs->sorted);
	*rs = (struct results){ 0 };
}

const struct record *log_first(const struct log *log, const char *kind)
{
	struct run all = { .first = 0, .end = log->nlines };

	return run_first(log, &all, kind);
}

const struct record *run_first(const struct log *log, const struct run *run, const char *kind)
{
	for (size_t i = run->first; i < run->end; i++)
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

const char *event_alias(char *out, size_t size, const struct log *log, const struct run *run,
                        const char *name)
{
	char text[QUANTITY_NAME];

	*out = '\0';
	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;

		if (!line_is_whole(&log->lines[i]) || !span_is(r->kind, "event") ||
		    !record_text(r, "name", text, sizeof(text)) || strcmp(text, name))
			continue;
		record_text(r, "alias", out, size);
		break;
	}
	return out;
}

const char *event_title(char *out, size_t size, const struct log *log, const struct run *run,
                        const char *name)
{
	char alias[QUANTITY_NAME];

	if (*event_alias(alias, sizeof(alias), log, run, name))
		snprintf(out, size, "%s (%s)", alias, name);
	else
		snprintf(out, size, "%s", name);
	return out;
}
