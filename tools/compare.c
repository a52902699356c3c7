/* cpl0-log compare: two logs side by side. */
#include "tools/commands.h"

#include <string.h>

#include "tools/figures.h"

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
	struct machine machine[2]; /* of A and of B */
	int width;                 /* of the longest name of a benchmark */
	size_t no_unit;            /* times that one log has in ticks alone */
	size_t withdrawn;          /* counts that one log took back */
	size_t same, differing, faster, slower, only_a, only_b;
	bool marked;
	double least, most; /* B / A of the times that differ */
};

/* The run that counts in a log; the whole log if it has no results. */
static struct run counted_run(const struct log *log, const struct results *rs)
{
	return rs->counts ? log->runs[rs->counts - 1]
	                  : (struct run){ .first = 0, .end = log->nlines };
}

static void compare_conditions(const struct log *a, const struct run *run_a, const struct log *b,
                               const struct run *run_b, FILE *out)
{
	int differing = 0;

	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		const struct record *ra = run_first(a, run_a, conditions[i].kind);
		const struct record *rb = run_first(b, run_b, conditions[i].kind);
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

/* A guest beside a machine of its own: what differs may be the hypervisor's. */
static void compare_places(const struct machine *a, const struct machine *b, FILE *out)
{
	const struct machine *guest = *a->guest ? a : b;

	if (!*a->guest == !*b->guest)
		return;
	fprintf(out, "GUEST: %c is held against a log without a hypervisor. It is a guest of ",
	        guest == a ? 'A' : 'B');
	print_text(out, guest->guest, strlen(guest->guest));
	fputs(", and what differs may be its work (docs/kvm.md).\n", out);
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

/* Beyond both spreads, and so far that it matters. */
static bool differ(const struct comparison *c, const struct figure *a, const struct figure *b)
{
	double apart_by = a->value > b->value ? a->value - b->value : b->value - a->value;
	double larger = a->value > b->value ? a->value : b->value;

	return apart(a, b) && apart_by * 100 > c->how->within * larger;
}

static void count(struct comparison *c, const char *unit, const struct figure *a,
                  const struct figure *b)
{
	double ratio = a->value > 0 ? b->value / a->value : 0;

	c->differing++;
	if (strcmp(unit, "clocks"))
		return;
	c->faster += b->value < a->value;
	c->slower += b->value > a->value;
	if (ratio > 0 && (c->least == 0 || ratio < c->least))
		c->least = ratio;
	if (ratio > c->most)
		c->most = ratio;
}

/* Two figures in one unit: `clocks`, `ns`, or the name of an event. */
static void compare_figures(struct comparison *c, const struct result *a, const struct result *b,
                            const char *unit, const struct figure *fa, const struct figure *fb)
{
	bool differs = differ(c, fa, fb);
	char marks_a[8], marks_b[8];

	if (differs)
		count(c, unit, fa, fb);
	else
		c->same++;
	if (!differs && !c->how->all)
		return;
	fprintf(c->out, "%-*s  %-5s", c->width, a->bench, a->mode);
	print_one(c->out, fa);
	print_one(c->out, fb);
	if (fa->value > 0 && !fa->below && !fb->below)
		fprintf(c->out, "  %8.3f", fb->value / fa->value);
	else
		fprintf(c->out, "  %8s", "-");
	fprintf(c->out, "  %s%-8s%s", colour(c->how->colour, differs ? BAD : PLAIN),
	        differs ? "differs" : "same", colour(c->how->colour, PLAIN));
	figure_marks(&c->machine[0], a, marks_a);
	figure_marks(&c->machine[1], b, marks_b);
	c->marked |= *marks_a || *marks_b;
	fprintf(c->out, "%-4s %-4s ", marks_a, marks_b);
	print_text(c->out, unit, strlen(unit));
	if (a->copies != b->copies || a->ops != b->ops)
		fputs("  (not the same number of copies or operations)", c->out);
	putc('\n', c->out);
}

/* Ticks of two clocks are two units, so times are compared in clocks of the core and in ns. */
static void compare_times(struct comparison *c, const struct result *a, const struct result *b)
{
	struct figure clocks[] = { figure_of(&c->machine[0], a, FIGURE_CLOCKS),
		                   figure_of(&c->machine[1], b, FIGURE_CLOCKS) };
	struct figure ns[] = { figure_of(&c->machine[0], a, FIGURE_NS),
		               figure_of(&c->machine[1], b, FIGURE_NS) };
	bool has_clocks = clocks[0].known && clocks[1].known;
	bool has_ns = ns[0].known && ns[1].known;

	if (has_clocks)
		compare_figures(c, a, b, "clocks", &clocks[0], &clocks[1]);
	if (has_ns)
		compare_figures(c, a, b, "ns", &ns[0], &ns[1]);
	c->no_unit += !has_clocks && !has_ns;
}

/* Events that both have; those of another PMU are counted. */
static void compare_rows(struct comparison *c, const struct result *a, const struct result *b)
{
	compare_times(c, a, b);
	for (size_t i = 0; i < a->n; i++) {
		const char *name = a->quantity[i].name;
		struct figure fa = figure_quantity(a, name), fb = figure_quantity(b, name);

		if (!quantity_is_event(name))
			continue;
		if (fa.withdrawn || fb.withdrawn)
			c->withdrawn++;
		else if (fb.known)
			compare_figures(c, a, b, name, &fa, &fb);
		else
			c->only_a++;
	}
	for (size_t i = 0; i < b->n; i++)
		if (quantity_is_event(b->quantity[i].name) &&
		    !result_quantity(a, b->quantity[i].name))
			c->only_b++;
}

/* Rows of one log that the other does not have. */
static size_t print_missing(struct comparison *c, const struct results *in,
                            const struct results *from, const char *whose)
{
	size_t n = 0;

	for (size_t i = 0; i < in->n; i++) {
		const struct result *r = &in->row[i];

		if (r->run != in->counts || !globs_match(&c->how->benches, r->bench) ||
		    results_find(from, from->counts, r))
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
	fprintf(c->out, "\n%zu figures are the same, %zu differ; only in A: %zu, only in B: %zu\n",
	        c->same, c->differing, c->only_a, c->only_b);
	if (c->no_unit)
		fprintf(c->out,
		        "%zu times were not compared: a log has neither clocks nor ns, and ticks "
		        "of two clocks are two units\n",
		        c->no_unit);
	if (c->withdrawn)
		fprintf(c->out,
		        "%zu counts were not compared: a log took them back (withdrawn), because "
		        "its counters\nfailed a later proof\n",
		        c->withdrawn);
	if (c->faster + c->slower)
		fprintf(c->out, "clocks: %zu lower and %zu higher in B", c->faster, c->slower);
	if (c->most > 0)
		fprintf(c->out, ", B / A from %.3f to %.3f", c->least, c->most);
	if (c->faster + c->slower)
		putc('\n', c->out);
	fprintf(c->out,
	        "Figures are medians per operation. `differs`: the spreads do not meet, and the\n"
	        "medians are more than %g %% apart. Half of the samples lie in the spread.\n",
	        c->how->within);
	if (c->marked)
		fprintf(c->out, "Marks behind it, of A and of B:\n%s", FIGURE_MARKS);
}

static void compare_all_rows(struct comparison *c, const struct results *ra,
                             const struct results *rb)
{
	for (size_t i = 0; i < ra->n; i++) {
		const struct result *a = &ra->row[i], *b = results_find(rb, rb->counts, a);

		if (a->run == ra->counts && b && globs_match(&c->how->benches, a->bench))
			compare_rows(c, a, b);
	}
	c->only_a += print_missing(c, ra, rb, "A");
	c->only_b += print_missing(c, rb, ra, "B");
}

void print_which(const char *side, const struct log *log, const struct results *rs, FILE *out)
{
	fprintf(out, "%s %s%s", side, log->name, log_intact(log) ? "" : " (DAMAGED)");
	if (log->nruns > 1 && rs->counts)
		fprintf(out, ", run %u of %zu%s", rs->counts, log->nruns,
		        log->chosen ? "" : ": the last one with results; --run N chooses");
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
	struct run run_a, run_b;

	results_read(&ra, a);
	results_read(&rb, b);
	run_a = counted_run(a, &ra);
	run_b = counted_run(b, &rb);
	machine_read(&c.machine[0], a, &run_a);
	machine_read(&c.machine[1], b, &run_b);
	widen(&c, &ra);
	widen(&c, &rb);
	print_which("A", a, &ra, out);
	putc('\n', out);
	print_which("B", b, &rb, out);
	putc('\n', out);
	compare_places(&c.machine[0], &c.machine[1], out);
	compare_conditions(a, &run_a, b, &run_b, out);
	fprintf(out, "\n%s%-*s  %-5s  %11s  %11s  %8s  %-8s%-10sunit%s\n",
	        colour(how->colour, STRONG), c.width, "benchmark", "mode", "A", "B", "B / A", "",
	        "", colour(how->colour, PLAIN));
	compare_all_rows(&c, &ra, &rb);
	print_summary(&c);
	results_free(&ra);
	results_free(&rb);
	return !c.differing && !c.only_a && !c.only_b && !c.no_unit && !c.withdrawn;
}
