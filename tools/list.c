/* cpl0-log show of a log that was made with the argument `list`: the benchmarks, not results. */
#include "tools/result/commands.h"
#include "tools/result/results.h"

#include <string.h>

static void text_of(const struct record *r, const char *key, char *out, size_t size)
{
	record_text(r, key, out, size);
	for (char *p = out; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
}

static void list_row(const struct record *r, int width, FILE *out)
{
	char name[64], what[256], form[64], insns[24], skip[128], needs[64];
	uint64_t by_default = 0;

	text_of(r, "name", name, sizeof(name));
	text_of(r, "what", what, sizeof(what));
	text_of(r, "form", form, sizeof(form));
	text_of(r, "insns", insns, sizeof(insns));
	text_of(r, "needs", needs, sizeof(needs));
	text_of(r, "skip", skip, sizeof(skip));
	record_dec(r, "default", &by_default);
	fprintf(out, "  %-*s  %c  %7s  %s", width, name, by_default ? '*' : ' ', insns,
	        *form ? form : what);
	if (*needs)
		fprintf(out, " (needs %s)", needs);
	if (*skip)
		fprintf(out, " [not here: %s]", skip);
	putc('\n', out);
}

static bool is_bench(const struct line *line)
{
	return line_is_whole(line) && span_is(line->rec.kind, "bench");
}

/* The values of an argument, and what holds without it. */
static void print_values(const struct record *r, FILE *out)
{
	char values[256], absent[256];

	text_of(r, "values", values, sizeof(values));
	text_of(r, "absent", absent, sizeof(absent));
	if (*values)
		fprintf(out, "%15s%s\n", "", values);
	if (*absent)
		fprintf(out, "%15swithout it: %s\n", "", absent);
}

/* What list=events or list=arguments names, with a meaning or what an alias stands for. */
static bool print_listed(const struct log *log, const struct run *run, FILE *out)
{
	char name[160], alias[160], what[256];
	bool arguments = false;
	size_t n = 0;

	for (size_t i = run->first; i < run->end; i++) {
		const struct record *r = &log->lines[i].rec;

		if (!line_is_whole(&log->lines[i]) || !span_is(r->kind, "listed"))
			continue;
		text_of(r, "argument", name, sizeof(name));
		if (*name) {
			text_of(r, "what", what, sizeof(what));
			fprintf(out, "%s  %-12s %s\n", n++ ? "" : "\n", name, what);
			print_values(r, out);
			arguments = true;
			continue;
		}
		text_of(r, "name", name, sizeof(name));
		text_of(r, "alias", alias, sizeof(alias));
		text_of(r, "what", what, sizeof(what));
		if (!n++)
			fputs("\n", out);
		if (*alias)
			fprintf(out, "  %s: %s%s%s\n", alias, name, *what ? ", " : "", what);
		else
			fprintf(out, "  %s\n", name);
	}
	if (arguments)
		fprintf(out, "  %zu arguments\n\n", n);
	else if (n)
		fprintf(out, "  %zu events and aliases that events= takes\n\n", n);
	return n;
}

bool list_print(const struct log *log, const struct run *run, const struct globs *benches,
                FILE *out)
{
	size_t total = 0, chosen = 0;
	int width = 9;
	char name[64];

	for (size_t i = run->first; i < run->end; i++) {
		if (!is_bench(&log->lines[i]))
			continue;
		total++;
		record_text(&log->lines[i].rec, "name", name, sizeof(name));
		if (globs_match(benches, name) && width < (int)strlen(name))
			width = (int)strlen(name);
	}
	if (!total)
		return print_listed(log, run, out);
	fprintf(out, "\n  %-*s  *  %7s  what it shows, or its instruction\n", width, "benchmark",
	        "insns");
	for (size_t i = run->first; i < run->end; i++) {
		if (!is_bench(&log->lines[i]))
			continue;
		record_text(&log->lines[i].rec, "name", name, sizeof(name));
		if (!globs_match(benches, name))
			continue;
		list_row(&log->lines[i].rec, width, out);
		chosen++;
	}
	fprintf(out, "  %zu of %zu benchmarks; * runs by default; insns: of one copy\n\n", chosen,
	        total);
	return true;
}
