/* cpl0-log compare: two logs side by side. */
#include "tools/commands.h"

#include <string.h>

#include "tools/machine.h"

/* What must be equal before two numbers mean the same thing. */
static const struct {
	const char *kind, *key;
} conditions[] = {
	{ "cpl0", "version" },  { "cpl0", "bits" },    { "cpu", "vendor" },
	{ "cpu", "signature" }, { "cpu", "brand" },    { "cpu", "hypervisor" },
	{ "cpu", "microcode" }, { "cmdline", "text" }, { "boot", "protocol" },
	{ "boot", "loader" },   { "clock", "tsc_hz" }, { "pmu", "pmu" },
	{ "done", "status" },
};

struct comparison {
	const struct compare_options *how;
	FILE *out;
	int width; /* of the longest name of a benchmark */
	size_t same, differing, faster, slower, only_a, only_b;
	bool marked;
	double least, most; /* B / A of the times that differ */
};

static void compare_conditions(const struct log *a, const struct log *b, FILE *out)
{
	int differing = 0;

	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		const struct record *ra = log_first(a, conditions[i].kind);
		const struct record *rb = log_first(b, conditions[i].kind);
		char ta[256] = "", tb[256] = "";

		if (ra)
			record_text(ra, conditions[i].key, ta, sizeof(ta));
		if (rb)
			record_text(rb, conditions[i].key, tb, sizeof(tb));
		if (!strcmp(ta, tb))
			continue;
		fprintf(out, "DIFFERS %s.%s: \"", conditions[i].kind, conditions[i].key);
		print_text(out, ta, strlen(ta));
		fputs("\" and \"", out);
		print_text(out, tb, strlen(tb));
		fputs("\"\n", out);
		differing++;
	}
	if (!differing)
		fputs("The conditions that both logs name are the same.\n", out);
}

/*
 * Do the spreads stay apart? The outer quarters of the samples are not in them, so that one sample
 * that was disturbed hides no change. A figure that is below a bound spreads from 0 to there.
 */
static bool apart(const struct figure *a, const struct figure *b)
{
	return a->high < b->low || b->high < a->low;
}

static void print_one(FILE *out, const struct figure *f)
{
	char text[32];

	snprintf(text, sizeof(text), "%s%.3f", f->below ? "<" : "", f->below ? f->high : f->value);
	fprintf(out, "  %11s", text);
}

static bool is_time(const char *quantity)
{
	return !strcmp(quantity, "tsc") || !strcmp(quantity, "core");
}

static void count(struct comparison *c, const char *quantity, const struct figure *a,
                  const struct figure *b)
{
	double ratio = a->value > 0 ? b->value / a->value : 0;

	c->differing++;
	if (!is_time(quantity))
		return;
	c->faster += b->value < a->value;
	c->slower += b->value > a->value;
	if (ratio > 0 && (c->least == 0 || ratio < c->least))
		c->least = ratio;
	if (ratio > c->most)
		c->most = ratio;
}

static void compare_quantity(struct comparison *c, const struct result *a, const struct result *b,
                             const char *quantity)
{
	struct figure fa = figure_of(a, quantity), fb = figure_of(b, quantity);
	bool differs = apart(&fa, &fb);
	char marks_a[8], marks_b[8];

	if (differs)
		count(c, quantity, &fa, &fb);
	else
		c->same++;
	if (!differs && !c->how->all)
		return;
	fprintf(c->out, "%-*s  %-5s", c->width, a->bench, a->mode);
	print_one(c->out, &fa);
	print_one(c->out, &fb);
	if (fa.value > 0 && !fa.below && !fb.below)
		fprintf(c->out, "  %8.3f", fb.value / fa.value);
	else
		fprintf(c->out, "  %8s", "-");
	fprintf(c->out, "  %s%-8s%s", colour(c->how->colour, differs ? BAD : PLAIN),
	        differs ? "differs" : "same", colour(c->how->colour, PLAIN));
	result_marks(a, &fa, marks_a);
	result_marks(b, &fb, marks_b);
	c->marked |= *marks_a || *marks_b;
	fprintf(c->out, "%-2s%-2s ", marks_a, marks_b);
	print_text(c->out, quantity, strlen(quantity));
	if (a->copies != b->copies || a->ops != b->ops)
		fputs("  (not the same number of copies or operations)", c->out);
	putc('\n', c->out);
}

/* Quantities that both have; the others, events of another PMU, are counted. */
static void compare_rows(struct comparison *c, const struct result *a, const struct result *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (result_quantity(b, a->quantity[i].name))
			compare_quantity(c, a, b, a->quantity[i].name);
		else
			c->only_a++;
	for (size_t i = 0; i < b->n; i++)
		if (!result_quantity(a, b->quantity[i].name))
			c->only_b++;
}

/* Rows of one log that the other does not have. */
static size_t print_missing(struct comparison *c, const struct results *in,
                            const struct results *from, const char *whose)
{
	unsigned run = results_last_run(in);
	size_t n = 0;

	for (size_t i = 0; i < in->n; i++) {
		const struct result *r = &in->row[i];

		if (r->run != run || !globs_match(&c->how->benches, r->bench) ||
		    results_find(from, results_last_run(from), r))
			continue;
		if (c->how->all)
			fprintf(c->out, "%-*s  %-5s  only in %s\n", c->width, r->bench, r->mode,
			        whose);
		n++;
	}
	return n;
}

static void print_summary(const struct comparison *c)
{
	fprintf(c->out,
	        "\n%zu quantities are the same within their spread, %zu differ; "
	        "only in A: %zu, only in B: %zu\n",
	        c->same, c->differing, c->only_a, c->only_b);
	if (c->faster + c->slower)
		fprintf(c->out, "times: %zu lower and %zu higher in B", c->faster, c->slower);
	if (c->most > 0)
		fprintf(c->out, ", B / A from %.3f to %.3f", c->least, c->most);
	if (c->faster + c->slower)
		putc('\n', c->out);
	fputs("Figures are medians per operation. `differs`: the spreads do not meet.\n"
	      "Half of the samples lie in the spread.\n",
	      c->out);
	if (c->marked)
		fprintf(c->out, "Marks behind it, of A and of B:\n%s", RESULT_MARKS);
}

static void compare_all_rows(struct comparison *c, const struct results *ra,
                             const struct results *rb)
{
	unsigned run = results_last_run(ra), other = results_last_run(rb);

	for (size_t i = 0; i < ra->n; i++) {
		const struct result *a = &ra->row[i], *b = results_find(rb, other, a);

		if (a->run == run && b && globs_match(&c->how->benches, a->bench))
			compare_rows(c, a, b);
	}
	c->only_a += print_missing(c, ra, rb, "A");
	c->only_b += print_missing(c, rb, ra, "B");
}

static void widen(struct comparison *c, const struct results *rs)
{
	for (size_t i = 0; i < rs->n; i++)
		if (globs_match(&c->how->benches, rs->row[i].bench) &&
		    c->width < (int)strlen(rs->row[i].bench))
			c->width = (int)strlen(rs->row[i].bench);
}

bool compare_logs(const struct log *a, const struct log *b, const struct compare_options *how,
                  FILE *out)
{
	struct comparison c = { .how = how, .out = out, .width = 9 };
	struct results ra, rb;

	results_read(&ra, a);
	results_read(&rb, b);
	widen(&c, &ra);
	widen(&c, &rb);
	fprintf(out, "A %s%s\nB %s%s\n", a->name, log_intact(a) ? "" : " (DAMAGED)", b->name,
	        log_intact(b) ? "" : " (DAMAGED)");
	compare_conditions(a, b, out);
	fprintf(out, "\n%s%-*s  %-5s  %11s  %11s  %8s  %-8s     quantity%s\n",
	        colour(how->colour, STRONG), c.width, "benchmark", "mode", "A", "B", "B / A", "",
	        colour(how->colour, PLAIN));
	compare_all_rows(&c, &ra, &rb);
	print_summary(&c);
	results_free(&ra);
	results_free(&rb);
	return !c.differing && !c.only_a && !c.only_b;
}
