/* cpl0-log compare: two logs side by side. */
#include "tools/result/commands.h"

#include <string.h>

#include "tools/result/figures.h"
#include "tools/lib/output.h"

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
	size_t exits;     /* times that one log has with its hypervisor's, the other without */
	size_t withdrawn; /* counts that one log took back */
	size_t same, differing, faster, slower, only_a, only_b;
	bool marked;
	bool pairs;         /* latency and throughput of an instruction stand in one row */
	double least, most; /* B / A of the times that differ */
};

enum { FORM_FIGURES = 2 }; /* latency and throughput */

/* A benchmark in both logs, and what was judged of it last. */
struct sides {
	const struct result *a, *b;
	bool known, differs;
	struct figure figure[2]; /* of A and of B, if known */
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

	snprintf(text, sizeof(text), "%s%.3f", f->below ? "<" : "",
	         f->below ? figure_bound(f->high, 1000) : f->value);
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
static void judge(struct comparison *c, struct sides *s, const char *unit, const struct figure *a,
                  const struct figure *b)
{
	s->figure[0] = *a;
	s->figure[1] = *b;
	s->known = true;
	s->differs = differ(c, a, b);
	if (s->differs)
		count(c, unit, a, b);
	else
		c->same++;
}

static void print_sides(struct comparison *c, const struct sides *s)
{
	const struct figure *a = &s->figure[0], *b = &s->figure[1];
	char marks_a[8], marks_b[8];

	if (!s->known) {
		fprintf(c->out, "  %11s  %11s  %8s  %-8s%-4s %-4s ", "-", "-", "-", "", "", "");
		return;
	}
	print_one(c->out, a);
	print_one(c->out, b);
	if (a->value > 0 && !a->below && !b->below)
		fprintf(c->out, "  %8.3f", b->value / a->value);
	else
		fprintf(c->out, "  %8s", "-");
	fprintf(c->out, "  %s%-8s%s", colour(c->how->colour, s->differs ? BAD : PLAIN),
	        s->differs ? "differs" : "same", colour(c->how->colour, PLAIN));
	figure_marks(&c->machine[0], s->a, marks_a);
	figure_marks(&c->machine[1], s->b, marks_b);
	c->marked |= *marks_a || *marks_b;
	fprintf(c->out, "%-4s %-4s ", marks_a, marks_b);
}

/* What was judged in one unit, if one of the n figures is worth a row. */
static void print_row(struct comparison *c, const struct sides s[], size_t n, const char *unit)
{
	bool known = false, differs = false, other_sizes = false;

	for (size_t i = 0; i < n; i++) {
		known |= s[i].known;
		differs |= s[i].known && s[i].differs;
		other_sizes |= s[i].a->copies != s[i].b->copies || s[i].a->ops != s[i].b->ops;
	}
	if (!known || (!differs && !c->how->all))
		return;
	fprintf(c->out, "%-*s  %-5s", c->width, n > 1 ? result_form_name(s->a) : s->a->bench,
	        s->a->mode);
	for (size_t i = 0; i < n; i++)
		print_sides(c, &s[i]);
	print_text(c->out, unit, strlen(unit));
	if (other_sizes)
		fputs("  (not the same number of copies or operations)", c->out);
	putc('\n', c->out);
}

/* Of a guest and a machine of its own: is the hypervisor's time in one of both? */
static bool is_hosts(const struct comparison *c, const struct sides *s)
{
	return !*c->machine[0].guest != !*c->machine[1].guest && (s->a->exits || s->b->exits);
}

/* Ticks of two clocks are two units, so times are compared in clocks of the core and in ns. */
static void compare_times(struct comparison *c, struct sides s[], size_t n)
{
	static const enum figure_kind kinds[] = { FIGURE_CLOCKS, FIGURE_NS };
	static const char *const units[] = { "clocks", "ns" };
	bool compared[FORM_FIGURES] = { false };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		for (size_t i = 0; i < n; i++) {
			struct figure a = figure_of(&c->machine[0], s[i].a, kinds[k]);
			struct figure b = figure_of(&c->machine[1], s[i].b, kinds[k]);

			s[i].known = false;
			if (a.known && b.known && !is_hosts(c, &s[i]))
				judge(c, &s[i], units[k], &a, &b);
			compared[i] |= s[i].known;
		}
		print_row(c, s, n, units[k]);
	}
	for (size_t i = 0; i < n; i++) {
		c->exits += is_hosts(c, &s[i]);
		c->no_unit += !compared[i] && !is_hosts(c, &s[i]);
	}
}

static void compare_event(struct comparison *c, struct sides s[], size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		struct figure a = figure_quantity(s[i].a, name);
		struct figure b = figure_quantity(s[i].b, name);

		s[i].known = false;
		if (!result_quantity(s[i].a, name))
			continue;
		if (a.withdrawn || b.withdrawn)
			c->withdrawn++;
		else if (b.known)
			judge(c, &s[i], name, &a, &b);
		else
			c->only_a++;
	}
	print_row(c, s, n, name);
}

/* Of one benchmark, or of an instruction whose latency and throughput stand in one row. */
static void compare_rows(struct comparison *c, struct sides s[], size_t n)
{
	compare_times(c, s, n);
	for (size_t i = 0; i < n; i++) {
		const struct result *a = s[i].a, *b = s[i].b;

		for (size_t k = 0; k < a->n; k++)
			if (quantity_is_event(a->quantity[k].name) &&
			    !(i && result_quantity(s->a, a->quantity[k].name)))
				compare_event(c, s, n, a->quantity[k].name);
		for (size_t k = 0; k < b->n; k++)
			c->only_b += quantity_is_event(b->quantity[k].name) &&
			             !result_quantity(a, b->quantity[k].name);
	}
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
	if (c->exits)
		fprintf(c->out,
		        "%zu times were not compared: the code leaves the guest (exits), and its "
		        "time is the hypervisor's\n",
		        c->exits);
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

/* The rows of both logs that belong together, latency first. Returns their number, 0: none. */
static size_t sides_of(const struct comparison *c, const struct results *ra,
                       const struct results *rb, const struct result *a,
                       struct sides s[FORM_FIGURES])
{
	const struct result *b = results_find(rb, rb->counts, a), *other_a, *other_b;

	if (a->run != ra->counts || !b || !globs_match(&c->how->benches, a->bench))
		return 0;
	s[0] = (struct sides){ .a = a, .b = b };
	other_a = results_partner(ra, a);
	other_b = results_partner(rb, b);
	if (!c->pairs || !other_a || !other_b || !globs_match(&c->how->benches, other_a->bench))
		return 1;
	s[1] = (struct sides){ .a = other_a, .b = other_b };
	if (strcmp(a->kind, "latency")) {
		s[1] = s[0];
		s[0] = (struct sides){ .a = other_a, .b = other_b };
	}
	return FORM_FIGURES;
}

static void print_heading(const struct comparison *c, size_t n)
{
	static const char *const titles[] = { "latency A", "throughp. A" };

	fprintf(c->out, "\n%s%-*s  %-5s", colour(c->how->colour, STRONG), c->width,
	        n > 1 ? "instr.*" : "benchmark", "mode");
	for (size_t i = 0; i < n; i++)
		fprintf(c->out, "  %11s  %11s  %8s  %-8s%-10s", n > 1 ? titles[i] : "A", "B",
		        "B / A", "", "");
	fprintf(c->out, "unit%s\n", colour(c->how->colour, PLAIN));
}

/* Of benchmarks (n is 1), or of instructions whose latency and throughput are in both (n is 2). */
static void compare_part(struct comparison *c, const struct results *ra, const struct results *rb,
                         size_t n)
{
	struct sides s[FORM_FIGURES];
	bool begun = n == 1;

	for (size_t i = 0; i < ra->n; i++) {
		const struct result *a = &ra->row[i];

		/* A pair is where the first of both stands. */
		if (sides_of(c, ra, rb, a, s) != n || (n > 1 && (s[0].a < a || s[1].a < a)))
			continue;
		if (!begun)
			print_heading(c, n);
		begun = true;
		compare_rows(c, s, n);
	}
}

static void compare_all_rows(struct comparison *c, const struct results *ra,
                             const struct results *rb)
{
	print_heading(c, 1);
	compare_part(c, ra, rb, 1);
	compare_part(c, ra, rb, FORM_FIGURES);
	c->only_a += print_missing(c, ra, rb, "A");
	c->only_b += print_missing(c, rb, ra, "B");
}

void print_which(const char *side, const struct log *log, const struct results *rs, FILE *out)
{
	fprintf(out, "%s %s%s", side, output_name(log->name), log_intact(log) ? "" : " (DAMAGED)");
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

/* Characters of a row of print_row() with two figures whose unit is `clocks`. */
static unsigned pairs_width(const struct comparison *c)
{
	return (unsigned)c->width + 2 + 5 + FORM_FIGURES * (2 * 13 + 10 + 20) + 6;
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
	c.pairs = !how->width || pairs_width(&c) <= how->width;
	compare_all_rows(&c, &ra, &rb);
	print_summary(&c);
	results_free(&ra);
	results_free(&rb);
	return !c.differing && !c.only_a && !c.only_b && !c.no_unit && !c.withdrawn;
}
