/* cpl0-log datasheet: the structures of a core as a page of Markdown (docs/datasheet.md). */
#include "tools/result/commands.h"

#include <inttypes.h>
#include <string.h>

#include "tools/policy/answer.h"
#include "tools/result/machine.h"
#include "tools/result/runs.h"

enum { WORD = 64, TEXT = 256 };

static const struct {
	const char *what, *words;
} names[] = {
	{ "rob", "reorder buffer" },
	{ "scheduler.unified", "scheduler of all operations" },
	{ "scheduler.math", "scheduler of arithmetic" },
	{ "scheduler.load", "scheduler of loads" },
	{ "load_queue", "load queue" },
	{ "load_queue.completed", "loads that have their data" },
	{ "store_queue", "store queue" },
	{ "fill_buffers", "fill buffers of the first level" },
	{ "l1d.size", "first-level data cache" },
	{ "l1d.ways", "its ways" },
	{ "l1d.line", "its lines" },
	{ "l1d.write_hit", "a store that hits" },
	{ "l1d.write_miss", "a store that misses" },
	{ "l1d.banks", "its banks" },
	{ "l1d.bank_width", "width of a bank" },
	{ "l1d.policy", "its replacement" },
	{ "l2.size", "second-level cache" },
	{ "l2.ways", "its ways" },
	{ "l2.line", "its lines" },
	{ "l2.policy", "its replacement" },
	{ "dtlb.4K.entries", "data TLB" },
	{ "stlb.4K.entries", "second TLB" },
	{ "dtlb.2M.entries", "data TLB of large pages" },
	{ "dtlb.4M.entries", "data TLB of large pages" },
	{ "itlb.4K.entries", "code TLB" },
	{ "itlb.2M.entries", "code TLB of large pages" },
	{ "itlb.4M.entries", "code TLB of large pages" },
	{ "l1i.size", "code cache" },
	{ "btb.l1_entries", "buffer of branch targets" },
	{ "ras_entries", "stack of return addresses" },
	{ "mispredict_penalty", "cost of a wrong prediction" },
};

/* What would end the cell of a table becomes `?`. */
static void clean(char *text)
{
	for (char *p = text; *p; p++)
		if (*p < ' ' || *p > '~' || *p == '|' || *p == '`')
			*p = '?';
}

static void cell(const struct record *r, const char *key, char *out, size_t size)
{
	record_text(r, key, out, size);
	clean(out);
}

static void print_structure(const char *what, FILE *out)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].what, what))
			fprintf(out, "%s, ", names[i].words);
	fprintf(out, "`%s`", what);
}

/* What was found: a word, a number, the bounds that it lies between, or `-`; and its unit. */
static void print_value(const struct record *r, const char *unit, FILE *out)
{
	uint64_t value = 0, low = 0, high = 0;
	char is[WORD];

	cell(r, "is", is, sizeof(is));
	record_dec(r, "value", &value);
	record_dec(r, "low", &low);
	record_dec(r, "high", &high);
	if (*is)
		fputs(is, out);
	else if (value && low == high)
		fprintf(out, "%" PRIu64 " %s", value, unit);
	else if (low && high)
		fprintf(out, "%" PRIu64 " to %" PRIu64 " %s", low, high, unit);
	else if (low)
		fprintf(out, "%" PRIu64 " or more %s", low, unit);
	else
		putc('-', out);
}

static void print_figure(const struct record *r, FILE *out)
{
	char what[WORD], unit[WORD], verdict[WORD], by[WORD], filler[WORD], why[TEXT];
	uint64_t told;

	cell(r, "what", what, sizeof(what));
	cell(r, "unit", unit, sizeof(unit));
	cell(r, "verdict", verdict, sizeof(verdict));
	cell(r, "by", by, sizeof(by));
	cell(r, "filler", filler, sizeof(filler));
	cell(r, "why", why, sizeof(why));
	fputs("| ", out);
	print_structure(what, out);
	fputs(" | ", out);
	print_value(r, unit, out);
	if (record_dec(r, "told", &told))
		fprintf(out, ", told %" PRIu64, told);
	fprintf(out, " | %s%s%s | %s%s%s |\n", verdict, *why ? ": " : "", why, by,
	        *filler ? ", " : "", filler);
}

static bool is_figure(const struct line *line)
{
	return line_is_whole(line) && span_is(line->rec.kind, "datasheet");
}

/* Figures of policies stand among the answers. */
static bool is_policy(const struct record *r)
{
	char what[WORD];
	size_t n;

	record_text(r, "what", what, sizeof(what));
	n = strlen(what);
	return n > 7 && !strcmp(what + n - 7, ".policy");
}

static void print_policy(struct answer *a, FILE *out)
{
	/* A set alone has but half of the sequences. */
	const char *verdict = a->fits == 1 && !a->of_set ? "sharp" : a->fits ? "rough" : "none";

	clean(a->what);
	clean(a->text);
	fputs("| ", out);
	print_structure(a->what, out);
	if (a->of_set)
		fprintf(out, ", set %lu", a->set);
	if (a->fits)
		fprintf(out, " | %.*s%s | %s | sequences |\n",
		        (int)(a->some ? a->some : strlen(a->text)), a->text, a->some ? " ..." : "",
		        verdict);
	else
		fprintf(out, " | - | %s: %s | sequences |\n", verdict, a->text);
}

static bool is_skip(const struct line *line)
{
	char bench[WORD];

	if (!line_is_whole(line) || !span_is(line->rec.kind, "skip"))
		return false;
	record_text(&line->rec, "bench", bench, sizeof(bench));
	return !strncmp(bench, "datasheet.", 10);
}

static void print_skip(const struct record *r, FILE *out)
{
	char bench[WORD], why[TEXT];

	cell(r, "bench", bench, sizeof(bench));
	cell(r, "why", why, sizeof(why));
	fprintf(out, "| `%s` | - | cannot: %s | |\n", bench + 10, why);
}

/* The sequences of seq= are no part of the page. */
static bool is_drawn(const struct line *line)
{
	char bench[WORD];

	if (!line_is_whole(line) || !span_is(line->rec.kind, "sequence"))
		return false;
	record_text(&line->rec, "bench", bench, sizeof(bench));
	return strcmp(bench, "seq") != 0;
}

static bool has_page(const struct log *log, const struct run *run)
{
	for (size_t i = run->first; i < run->end; i++)
		if (is_figure(&log->lines[i]) || is_skip(&log->lines[i]) ||
		    is_drawn(&log->lines[i]))
			return true;
	return false;
}

static void print_head(const struct log *log, const struct run *run, FILE *out)
{
	struct machine m;

	machine_read(&m, log, run);
	fprintf(out, "# %s\n\nMeasured with cpl0 %s, %u bits", m.name, m.version, m.bits);
	if (m.signature)
		fprintf(out, ", on the signature 0x%" PRIx32, m.signature);
	putc('.', out);
	if (m.emulated)
		fprintf(out, " **No CPU: %s.**", m.emulated);
	else if (*m.guest)
		fprintf(out, " **A guest of %s.**", m.guest);
	fputs(*m.status && !strcmp(m.status, "ok") ? "\n\n" : " The run did not end well.\n\n",
	      out);
	fputs("| structure | size | verdict | by |\n|---|---|---|---|\n", out);
}

static void print_page(const struct log *log, const struct run *run, FILE *out)
{
	static struct answer answers[ANSWERS];
	size_t n = answers_read(log, run, answers);

	print_head(log, run, out);
	for (size_t i = run->first; i < run->end; i++) {
		if (is_figure(&log->lines[i]) && !is_policy(&log->lines[i].rec))
			print_figure(&log->lines[i].rec, out);
		else if (is_skip(&log->lines[i]))
			print_skip(&log->lines[i].rec, out);
	}
	for (size_t i = 0; i < n; i++)
		if (!answers[i].own)
			print_policy(&answers[i], out);
	putc('\n', out);
}

bool datasheet_print(const struct log *log, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < log->nruns; i++) {
		if (!runs_has(log, i) || !has_page(log, &log->runs[i]))
			continue;
		print_page(log, &log->runs[i], out);
		any = true;
	}
	return any;
}
