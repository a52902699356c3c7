/*
 * Which benchmarks run, and in which order (bench/bench.h).
 */
#include "bench/bench.h"
#include "bench/check.h"
#include "bench/engine/engine.h"
#include "bench/engine/ground.h"
#include "bench/report.h"
#include "kernel/log.h"
#include "kernel/string.h"

enum {
	SUMMARY = 128,  /* lines of the summary table: the default set and some more */
	SERIES_RUNS = 8 /* of a series that the snippet asks for itself */
};

/* Every BENCH_SOURCE of the program; the linker makes the two names. */
extern const struct bench_source *const __start_bench_sources[];
extern const struct bench_source *const __stop_bench_sources[];

static struct report_line summary[SUMMARY];
static unsigned nsummary;

static bool selected(const struct args *a, const struct bench *b)
{
	if (a->skip && args_match(a->skip, b->name))
		return false;
	if (a->bench)
		return args_match(a->bench, b->name);
	return a->list || b->flags & SNIPPET_DEFAULT;
}

/* The first blank-separated word of `needs` that the CPU lacks, copied to buf; NULL if it has all. */
static const char *lacking(const struct cpu *cpu, const char *needs, char buf[32])
{
	while (*needs) {
		size_t n = 0;
		enum cpu_feature f;

		while (needs[n] && needs[n] != ' ')
			n++;
		if (n) {
			size_t kept = n < 32 ? n : 31; /* no feature's name is that long */

			memcpy(buf, needs, kept);
			buf[kept] = 0;
			if (!cpu_feature_find(buf, &f) || !cpu_has(cpu, f))
				return buf;
		}
		needs += n + (needs[n] == ' ');
	}
	return NULL;
}

const char *bench_obstacle(const struct bench_run *run, const struct bench *b)
{
	static char buf[64];
	uint8_t width = sizeof(void *) == 8 ? SNIPPET_64 : SNIPPET_32;
	char word[32];
	const char *lack = lacking(run->cpu, b->needs, word);

	if (lack) {
		size_t n = strlen(lack);

		memcpy(buf, "the CPU lacks ", 14);
		memcpy(buf + 14, lack, n + 1);
		return buf;
	}
	if (!(b->widths & width))
		return width == SNIPPET_64 ? "not for 64-bit mode" : "not for 32-bit mode";
	if (run->args->cpl == 3 && !host_ring3().cs)
		return "there is no way to CPL 3 and back here";
	if (run->args->cpl == 3 && b->flags & SNIPPET_PRIVILEGED)
		return "privileged: cannot run at CPL 3";
	if (b->flags & SNIPPET_PRIVILEGED && !host_privileged())
		return "privileged: not in a Linux process";
	return NULL;
}

static void skip(const struct bench *b, const char *why)
{
	log_begin("skip");
	log_str("bench", b->name);
	log_str("why", why);
	log_end();
}

static void failed(const struct bench *b, const char *why)
{
	log_worsen(LOG_FAIL);
	log_begin("error");
	log_str("what", "benchmark");
	log_str("culprit", b->name);
	log_str("why", why);
	log_end();
}

static void run_series(struct bench_run *run, const struct bench *b, uint32_t n)
{
	static int64_t ticks[ENGINE_SERIES];
	const char *why;

	if (n > ENGINE_SERIES)
		n = ENGINE_SERIES;
	why = engine_series(run, b, n, ticks);
	if (why)
		failed(b, why);
	else
		report_series(b, ticks, n);
}

static bool run_group(struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                      unsigned index)
{
	static struct engine_result r;
	const char *why = engine_measure(run, b, group, &r);

	if (why) {
		failed(b, why);
		return false;
	}
	report_result(run, b, group, index, &r);
	report_expect(run, b, group, &r);
	if (!index && nsummary < SUMMARY)
		summary[nsummary++] = report_line(b, &r);
	return true;
}

static void run_bench(struct bench_run *run, struct bench *b)
{
	const char *why = engine_try(run, b);

	if (why) {
		failed(b, why);
		return;
	}
	if (b->make)
		b->make(b);
	if (b->perform) {
		b->perform(run, b);
		return;
	}
	if (run->args->series || b->flags & SNIPPET_SERIES) {
		run_series(run, b, run->args->series ? run->args->series : SERIES_RUNS);
		return;
	}
	if (!run->plan.ngroups)
		run_group(run, b, NULL, 0);
	for (unsigned g = 0; g < run->plan.ngroups; g++)
		if (!run_group(run, b, &run->plan.groups[g], g) && b->user)
			break;
	report_zeros(b);
}

/* Can one of the comma-separated globs match a name that begins with `prefix`? */
static bool may_match(const char *globs, const char *prefix)
{
	for (const char *g = globs; g;) {
		size_t i = 0;

		while (prefix[i] && (g[i] == prefix[i] || g[i] == '?'))
			i++;
		if (!prefix[i] || g[i] == '*')
			return true;
		g = strchr(g, ',');
		if (g)
			g++;
	}
	return false;
}

/* Thousands of generated benchmarks need not be made to find that nobody asked for them. */
static bool wanted(const struct bench_run *run, const struct bench_source *s)
{
	const struct args *a = run->args;

	return !s->prefix || (a->bench ? may_match(a->bench, s->prefix) : a->list);
}

/* Calls each(run, b, skip reason or NULL) for every benchmark of every source. */
static void walk(struct bench_run *run,
                 void (*each)(struct bench_run *, struct bench *, const char *))
{
	static struct bench b;
	const struct bench_source *const *s;

	for (s = __start_bench_sources; s < __stop_bench_sources; s++) {
		const char *why = NULL;

		if (!wanted(run, *s))
			continue;
		for (unsigned i = 0; (*s)->get(i, &b, run->cpu, &run->area, &why); i++) {
			each(run, &b, why);
			why = NULL;
		}
	}
}

static void count(struct bench_run *run, struct bench *b, const char *why)
{
	(void)why;
	run->total += selected(run->args, b);
}

static void consider(struct bench_run *run, struct bench *b, const char *why)
{
	if (!selected(run->args, b))
		return;
	if (!why)
		why = bench_obstacle(run, b);
	if (why)
		skip(b, why);
	else
		run_bench(run, b);
	run->done++;
}

/* One item of bench= after the other, to find those that match nothing. */
static const char *item;
static bool item_matched;

static void try_item(struct bench_run *run, struct bench *b, const char *why)
{
	(void)run;
	(void)why;
	item_matched = item_matched || args_match(item, b->name);
}

static const char *unmatched(const struct args *a, const char *word)
{
	if (!strcmp(word, "code") && !a->code)
		return "code= is missing: it gives the benchmark of this name its machine code";
	return "matches no benchmark; the argument `list` shows all";
}

static void check_globs(struct bench_run *run)
{
	const char *globs = run->args->bench;
	char word[BENCH_NAME];

	while (globs && *globs) {
		size_t n = 0;

		while (globs[n] && globs[n] != ',')
			n++;
		if (n && n < sizeof(word)) {
			memcpy(word, globs, n);
			word[n] = 0;
			item = word;
			item_matched = false;
			walk(run, try_item);
		} else {
			item_matched = !n;
		}
		if (!item_matched) {
			const char *culprit = n < sizeof(word) ? word : globs;

			log_error("bench", culprit, unmatched(run->args, culprit));
		}
		globs += n + (globs[n] == ',');
	}
}

void bench_run_all(struct bench_run *run)
{
	if (!engine_init(run)) {
		log_error("engine", NULL, "no memory for code and data of the benchmarks");
		return;
	}
	cost_log(run);
	check_counters(run);
	run->done = run->total = 0;
	walk(run, count);
	log_begin("plan");
	log_dec("benches", run->total);
	log_dec("groups", run->plan.ngroups);
	log_str("counters", pmu_name());
	log_end();
	check_globs(run);
	if (!run->total)
		log_warn("plan", NULL, "bench= and skip= leave nothing to measure");
	walk(run, consider);
	report_summary(summary, nsummary);
}

/* What a source states of a benchmark. */
static void list_known(const struct bench *b, const struct snippet_expect *e)
{
	log_begin("known");
	log_str("bench", b->name);
	log_str("family", snippet_text(&e->family));
	log_str("quantity", snippet_text(&e->quantity));
	log_milli("low", e->min);
	log_milli("high", e->max);
	log_str("source", snippet_text(&e->source));
	log_end();
}

static void list_one(struct bench_run *run, struct bench *b, const char *why)
{
	if (!selected(run->args, b))
		return;
	if (!why)
		why = bench_obstacle(run, b);
	log_begin("bench");
	log_str("name", b->name);
	log_str("what", b->what);
	if (b->form) {
		log_str("form", b->form);
		log_str("kind", b->kind);
	}
	log_bool("default", b->flags & SNIPPET_DEFAULT);
	if (*b->needs)
		log_str("needs", b->needs);
	if (b->widths != (SNIPPET_32 | SNIPPET_64))
		log_dec("width", b->widths == SNIPPET_64 ? 64 : 32);
	log_bool("privileged", b->flags & SNIPPET_PRIVILEGED);
	log_dec("ops", b->ops);
	if (b->insns)
		log_dec("insns", b->insns);
	if (why)
		log_str("skip", why);
	log_end();
	for (unsigned i = 0; i < b->nexpect; i++)
		list_known(b, &b->expect[i]);
}

void bench_list(struct bench_run *run)
{
	check_globs(run);
	walk(run, list_one);
}

void bench_heartbeat(const struct bench_run *run, const char *name)
{
	static uint32_t records;
	static uint64_t last;
	uint64_t now;

	if (!run->tsc_hz)
		return;
	now = x86_rdtsc();
	if (log_records() != records) {
		records = log_records();
		last = now;
	}
	if (now - last < 2 * run->tsc_hz)
		return;
	host_watch(0, name, false); /* its timeout record would come in the middle of this one */
	log_begin("progress");
	log_str("bench", name);
	log_dec("done", run->done);
	log_dec("total", run->total);
	log_end();
}
