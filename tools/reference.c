/* cpl0-log compare --reference: a log beside a table of published figures. */
#include <math.h>
#include <string.h>

#include "tools/result/commands.h"
#include "tools/result/figures.h"
#include "tools/result/table.h"

struct beside {
	const struct reference_options *how;
	FILE *out;
	struct table table;
	struct machine machine;
	size_t forms, compared, agree, not_in_table, not_derived, below;
};

/* Agreement: within 3 per cent, or within 0.05 clocks for the small ones. */
static bool agrees(double ours, double theirs)
{
	double off = fabs(ours - theirs);

	return off <= 0.0501 || off * 100 <= theirs * 3;
}

static void print_result(struct beside *b, const struct result *r, const struct figure *f,
                         const struct table_row *row, double theirs)
{
	bool good = agrees(f->value, theirs);
	char marks[8];

	b->compared++;
	b->agree += good;
	if (good && !b->how->all)
		return;
	fprintf(b->out, "%-32s %-10s  %10.3f  %10.3f", row->instruction, r->kind, f->value, theirs);
	if (theirs > 0)
		fprintf(b->out, "  %9.3f", f->value / theirs);
	else
		fprintf(b->out, "  %9s", "-");
	figure_marks(&b->machine, r, marks);
	fprintf(b->out, "%s%s%s\n", *marks ? "  " : "", marks, good ? "" : "  differs");
}

static void compare_result(struct beside *b, const struct result *r)
{
	struct table_row *row = table_find(&b->table, r->form);
	struct figure f = figure_of(&b->machine, r, FIGURE_CLOCKS);
	int64_t theirs;

	if (row)
		row->seen = true;
	theirs = !row ? -1 : !strcmp(r->kind, "latency") ? row->latency : row->throughput;
	if (theirs < 0)
		b->not_in_table++;
	else if (!f.known)
		b->not_derived++;
	else if (f.below)
		b->below++;
	else
		print_result(b, r, &f, row, (double)theirs / 1000);
}

static void print_summary(const struct beside *b)
{
	fprintf(b->out,
	        "\n%zu figures compared, %zu within 3 %% or 0.05 clocks, "
	        "%zu not in the table\n",
	        b->compared, b->agree, b->not_in_table);
	if (b->not_derived)
		fprintf(b->out,
		        "%zu not derived: the log does not say how many core clocks they are\n",
		        b->not_derived);
	if (b->below)
		fprintf(b->out, "%zu below their noise\n", b->below);
}

static void print_unseen(const struct beside *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->table.n; i++) {
		if (b->table.row[i].seen)
			continue;
		n++;
		if (b->how->all)
			fprintf(b->out, "not in the log: %s\n", b->table.row[i].instruction);
	}
	if (n)
		fprintf(b->out, "%zu forms of the table are not in the log\n", n);
	if (!b->forms)
		fputs("the log has no figure of the instruction table: a run with the argument\n"
		      "bench=instr.* has them all\n",
		      b->out);
}

static void compare_results(struct beside *b, const struct log *log, const struct results *rs,
                            const char *cpu)
{
	print_which("log", log, rs, b->out);
	fputs(": ", b->out);
	print_text(b->out, b->machine.name, strlen(b->machine.name));
	fprintf(b->out, "\nreference %s, processor %s\n", b->table.name, cpu);
	if (b->machine.emulated)
		fprintf(b->out, "EMULATED: %s\n", b->machine.emulated);
	fprintf(b->out, "\n%-32s %-10s  %10s  %10s  %9s\n", "instruction", "figure", "log",
	        "reference", "log / ref");
	for (size_t i = 0; i < rs->n; i++) {
		if (!*rs->row[i].form || rs->row[i].run != rs->counts)
			continue;
		b->forms++;
		if (globs_match(&b->how->benches, rs->row[i].bench))
			compare_result(b, &rs->row[i]);
	}
	print_summary(b);
	print_unseen(b);
}

int compare_reference(const struct log *log, const struct reference_options *how, FILE *out)
{
	struct run none = { 0 };
	struct beside b = { .how = how, .out = out };
	struct results rs;
	const char *cpu;
	size_t run;

	if (!table_read(&b.table, how->table))
		return EXIT_USAGE;
	results_read(&rs, log);
	run = rs.counts ? rs.counts : log->nruns;
	machine_read(&b.machine, log, run ? &log->runs[run - 1] : &none);
	cpu = table_pick(&b.table, how->cpu, b.machine.signature);
	if (cpu)
		compare_results(&b, log, &rs, cpu);
	results_free(&rs);
	table_free(&b.table);
	return !cpu ? EXIT_USAGE : b.agree == b.compared ? EXIT_SAME : EXIT_DIFFERS;
}
