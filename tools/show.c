/* cpl0-log show: a log as people read it. */
#include "tools/commands.h"

#include <inttypes.h>
#include <string.h>

#include "tools/alloc.h"
#include "tools/results.h"

void print_text(FILE *out, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		putc(p[i] >= ' ' && p[i] <= '~' ? p[i] : '?', out);
}

/* `label: key value, key value ...` of one record. */
static void print_record(FILE *out, const struct record *r, const char *label)
{
	fprintf(out, "  %-9s", label);
	for (size_t i = 0; i < r->nfields; i++) {
		const struct field *f = &r->fields[i];
		char *text = allocate(f->raw.n + 1);
		size_t n = field_text(f, text, f->raw.n + 1);

		fprintf(out, "%s%.*s ", i ? ", " : " ", (int)f->key.n, f->key.p);
		print_text(out, text, n);
		release(text);
	}
	putc('\n', out);
}

static bool is_whole(const struct line *line)
{
	return line->class == LINE_RECORD && !line->rec.malformed;
}

static size_t print_kind(FILE *out, const struct log *log, const struct run *run, const char *kind)
{
	size_t n = 0;

	for (size_t i = run->first; i < run->end; i++)
		if (is_whole(&log->lines[i]) && span_is(log->lines[i].rec.kind, kind)) {
			print_record(out, &log->lines[i].rec, kind);
			n++;
		}
	return n;
}

/* Those with the good verdict are counted, the others printed. */
static void print_verdicts(FILE *out, const struct log *log, const struct run *run,
                           const char *kind, const char *good)
{
	size_t n = 0;

	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;
		const struct field *f;

		if (!is_whole(&log->lines[i]) || !span_is(r->kind, kind))
			continue;
		f = record_field(r, "verdict");
		if (f && span_is(f->raw, good))
			n++;
		else
			print_record(out, r, kind);
	}
	if (n)
		fprintf(out, "  %-9s %zu %s\n", kind, n, good);
}

/* Emulators that give themselves away in the log, and what their times are worth. */
static void print_emulator(FILE *out, const struct log *log, const struct run *run)
{
	static const struct {
		const char *kind, *key, *value, *hint;
	} marks[] = {
		{ "cpu", "hypervisor", "TCGTCGTCGTCG",
		  "QEMU's emulator (TCG): its times are not a CPU's" },
		{ "boot", "loader", "cpl0-sim",
		  "the simulator: its times are a model's (docs/sim.md)" },
	};

	for (size_t i = run->first; i < run->end; i++)
		for (size_t m = 0; m < sizeof(marks) / sizeof(*marks); m++) {
			const struct record *r = &log->lines[i].rec;
			const struct field *f;

			if (!is_whole(&log->lines[i]) || !span_is(r->kind, marks[m].kind))
				continue;
			f = record_field(r, marks[m].key);
			if (f && span_is(f->raw, marks[m].value))
				fprintf(out, "  EMULATED: %s\n", marks[m].hint);
		}
}

static void print_results(FILE *out, const struct results *rs, unsigned run)
{
	const char *previous = "";
	char min[32], med[32], max[32];
	int width = 9;
	size_t n = 0;

	for (size_t i = 0; i < rs->n; i++) {
		if (rs->row[i].run != run)
			continue;
		if (width < (int)strlen(rs->row[i].bench))
			width = (int)strlen(rs->row[i].bench);
		n++;
	}
	if (!n)
		return;
	fprintf(out, "\n  %-*s  %-5s  %12s %12s %12s         quantity\n", width, "benchmark",
	        "mode", "min", "median", "max");
	for (size_t i = 0; i < rs->n; i++) {
		const struct result *r = &rs->row[i];

		if (r->run != run)
			continue;
		fprintf(out, "  %-*s  %-5s  %12s %12s %12s  %-5s  %s%s%s\n", width,
		        strcmp(previous, r->bench) ? r->bench : "", r->mode,
		        milli_text(min, r->min), milli_text(med, r->med), milli_text(max, r->max),
		        r->exact ? "exact" : "", r->quantity, *r->cpl ? " at CPL " : "", r->cpl);
		previous = r->bench;
	}
	fputs("  mode rate: per copy of the snippet; mode total: all copies together\n\n", out);
}

static void print_run(FILE *out, const struct log *log, const struct results *rs, size_t index)
{
	static const char *const machine[] = { "cpl0",  "boot",   "cmdline", "cpu", "topology",
		                               "cache", "memory", "clock",   "pmu", "counter",
		                               "cost",  "event",  "plan" };
	static const char *const remarks[] = { "series", "geometry", "zero", "skip",   "expect",
		                               "warn",   "error",    "trap", "timeout" };
	const struct run *run = &log->runs[index];

	fprintf(out, "run %zu of %zu, lines %u to %u, %zu records%s\n", index + 1, log->nruns,
	        log->lines[run->first].number, log->lines[run->end - 1].number, run->records,
	        run->intact ? "" : ", DAMAGED (cpl0-log check says where)");
	print_emulator(out, log, run);
	for (size_t i = 0; i < sizeof(machine) / sizeof(*machine); i++)
		print_kind(out, log, run, machine[i]);
	print_results(out, rs, (unsigned)index + 1);
	print_verdicts(out, log, run, "check", "exact");
	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
		print_kind(out, log, run, remarks[i]);
	if (!print_kind(out, log, run, "done"))
		fputs("  NOT FINISHED: no `done` record\n", out);
}

void show_print(const struct log *log, FILE *out)
{
	struct results rs;

	results_read(&rs, log);
	for (size_t i = 0; i < log->nruns; i++)
		print_run(out, log, &rs, i);
	if (!log->nruns)
		fprintf(out, "%s: no record of cpl0 in it\n", log->name);
	results_free(&rs);
}
