/* The records and lines of a log beside what is expected (tests/machines/expect/judge.h). */
#include "tests/machines/expect/judge.h"

#include <string.h>

#include "tests/machines/expect/empty.h"
#include "tests/machines/expect/plan.h"
#include "tests/machines/expect/words.h"
#include "tools/lib/alloc.h"

struct judge {
	const struct spec *spec;
	uint64_t *seen; /* of each expectation: records or lines that meet it */
	uint64_t results, counted;
	bool exact; /* `counted` is expected */
	struct plan plan;
	struct empty empty; /* without `want` if it is not expected */
	struct complaints complaints;
};

/* regexec() takes texts that end with 0. */
static void see_line(struct judge *j, const struct line *line)
{
	char *text = NULL;

	for (size_t i = 0; i < j->spec->n; i++) {
		const struct expectation *want = &j->spec->want[i];

		if (want->sort != LINE || j->seen[i])
			continue;
		if (!text) {
			text = allocate(line->text.n + 1);
			memcpy(text, line->text.p, line->text.n);
			text[line->text.n] = '\0';
		}
		j->seen[i] = !regexec(&want->line, text, 0, NULL, 0);
	}
	release(text);
}

/* With QEMU's -icount the time stamp counter counts instructions. */
static void see_result(struct judge *j, const struct line *line)
{
	const struct record *r = &line->rec;

	j->results++;
	if (!j->exact || !record_field(r, "insns"))
		return;
	j->counted++;
	if (!span_same(record_value(r, "tsc"), record_value(r, "insns")) ||
	    !span_is(record_value(r, "exact"), "1"))
		complain(&j->complaints, "not its instruction count: %.*s", (int)line->text.n,
		         line->text.p);
}

static void see_record(struct judge *j, const struct line *line)
{
	const struct record *r = &line->rec;

	for (size_t i = 0; i < j->spec->n; i++) {
		const struct expectation *want = &j->spec->want[i];

		if (want->sort == RECORDS && span_same(want->name, r->kind) && spec_holds(want, r))
			j->seen[i]++;
	}
	plan_note(&j->plan, r);
	if (j->empty.want)
		empty_note(&j->empty, line, &j->complaints);
	if (span_is(r->kind, "result"))
		see_result(j, line);
}

/* A record counts even if its check value is wrong: that is the matter of cpl0-log check. */
static void see_log(struct judge *j, struct log *log)
{
	for (size_t i = 0; i < log->nlines; i++) {
		struct line *line = &log->lines[i];

		see_line(j, line);
		if (line->class == LINE_GARBLED)
			record_parse(&line->rec);
		if (line->class != LINE_CHATTER)
			see_record(j, line);
	}
}

static void decide(struct judge *j, size_t i, const char *build)
{
	const struct expectation *want = &j->spec->want[i];
	uint64_t n = j->seen[i];

	if (want->sort == PLANNED) {
		plan_check(&j->plan, build, &j->complaints);
		return;
	}
	if (want->sort == EMPTY) {
		empty_check(&j->empty, &j->complaints);
		return;
	}
	if (want->sort == RESULTS)
		n = j->results;
	if (want->sort == COUNTED)
		n = j->counted;
	if (n < want->least || n > want->most)
		complain(&j->complaints, "expected: %.*s", (int)want->text.n, want->text.p);
}

size_t judge(const struct spec *spec, struct log *log, const char *build, FILE *out)
{
	struct judge j = {
		.spec = spec,
		.seen = allocate(spec->n * sizeof(*j.seen)),
		.exact = spec_find(spec, COUNTED),
		.empty = { .want = spec_find(spec, EMPTY), .plan = &j.plan },
		.complaints = { .out = out },
	};

	memset(j.seen, 0, spec->n * sizeof(*j.seen));
	see_log(&j, log);
	for (size_t i = 0; i < spec->n; i++)
		decide(&j, i, build);
	plan_free(&j.plan);
	release(j.seen);
	return j.complaints.n;
}
