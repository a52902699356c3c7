/*
 * Which benchmarks run, and in which order (bench/bench.h).
 */
#include "bench/bench.h"
#include "bench/result/check.h"
#include "bench/engine/engine.h"
#include "bench/engine/platform.h"
#include "bench/engine/sibling.h"
#include "bench/ports/ports.h"
#include "bench/result/proof.h"
#include "bench/result/report.h"
#include "bench/sample/sample.h"
#include "bench/sample/trace.h"
#include "bench/result/select.h"
#include "bench/result/stimulus.h"
#include "bench/run/table.h"
#include "kernel/lib/log.h"
#include "kernel/lib/nearest.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

/* What threads= measures without bench=: the sidebar of Sprunt 2002. */
static const char sidebar[] = "sprunt.fp_add_latency,sprunt.l1_miss,"
			      "sprunt.fp_add_latency+sprunt.l1_miss";

enum {
	SIBLING_EVERY = 16, /* benchmarks, in a guest, whose neighbours change */
	SERIES_RUNS = 8,    /* of a series that the snippet asks for itself */
	/* Bytes of bench=. An item behind them is not asked whether it matches. In the kernel no
	 * item is there: the whole command line has at most BOOT_CMDLINE bytes. */
	BENCH_LIST = 4096,
	ATTEMPTS = 4, /* at a result while a guest's counters were away in each sample */
	MISSES = 8,   /* items of bench= for which near names are looked for */
};

/* Every BENCH_SOURCE of the program; the linker makes the two names. */
extern const struct bench_source *const __start_bench_sources[];
extern const struct bench_source *const __stop_bench_sources[];

static bool stood; /* counters did, and a `warn` has said so */

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
	static struct stats_diff ticks[ENGINE_SERIES];
	uint32_t of;
	uint64_t error;
	const char *why = engine_series(run, b, n, ticks, &error, &of);

	if (why)
		failed(b, why);
	else
		report_series(run, b, ticks, n, of, error, platform_flush_bytes(NULL, 0));
}

/* Once a run: the host of a guest took its counters away. */
static void counters_stood(void)
{
	if (!stood)
		log_warn("pmu", "guest",
		         "counters stood still: the hypervisor took them for a while");
	stood = true;
}

static bool run_group(struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                      unsigned index)
{
	static struct engine_result r;
	unsigned left = ATTEMPTS;
	const char *why;

	do {
		why = engine_measure(run, b, group, &r);
		if (r.dropped.stood || r.stood)
			counters_stood();
	} while (why && r.stood && --left && pmu_wait());
	if (why && r.stood)
		skip(b, why);
	else if (why && r.timed_out && cpu_has_host(run->cpu) && report_leaves_guest(run, b))
		skip(b, "its instructions leave the guest, and the hypervisor takes too long: see "
		        "the record before this one; a shorter loop= or a longer timeout=");
	else if (why)
		failed(b, why);
	if (why)
		return false;
	if (group)
		stimulus_saw(bench_plan(run, b), index, &r);
	report_result(run, b, group, index, &r);
	report_expect(run, b, group, &r);
	check_result(run, b, group, &r);
	proof_result(run, b, group, &r);
	if (!index)
		table_add(run, b, &r);
	return true;
}

static void run_bench(struct bench_run *run, struct bench *b)
{
	const struct pmu_plan *plan = bench_plan(run, b);

	if (b->make)
		b->make(b);
	if (b->perform || run->args->nsample || run->args->trace ||
	    args_match(run->args->ports, b->name))
		proof_unwatched();
	if (b->perform) {
		b->perform(run, b);
		return;
	}
	if (args_match(run->args->ports, b->name)) {
		const char *why = ports_bench(run, b);

		if (why)
			failed(b, why);
		return;
	}
	if (run->args->nsample || run->args->trace) {
		const char *why = NULL;

		for (unsigned i = 0; i < run->args->nsample; i++) {
			why = sample_bench(run, b, i);
			if (why)
				failed(b, why);
		}
		if (run->args->trace) {
			why = trace_bench(run, b);
			if (why)
				failed(b, why);
		}
		return;
	}
	if (run->args->series || b->flags & SNIPPET_SERIES) {
		run_series(run, b, run->args->series ? run->args->series : SERIES_RUNS);
		return;
	}
	if (!plan->ngroups)
		run_group(run, b, NULL, 0);
	for (unsigned g = 0; g < plan->ngroups; g++)
		if (!run_group(run, b, &plan->groups[g], g) &&
		    (b->user || report_leaves_guest(run, b)))
			break;
	report_zeros(b);
}

/* Calls each(run, b, skip reason or NULL) for every benchmark of every source. */
static void walk(struct bench_run *run,
                 void (*each)(struct bench_run *, struct bench *, const char *))
{
	static struct bench b;
	const struct bench_source *const *s;

	for (s = __start_bench_sources; s < __stop_bench_sources; s++) {
		const char *why = NULL;

		if (!select_source(run, *s))
			continue;
		for (unsigned i = 0; (*s)->get(i, &b, run->cpu, &run->area, &why); i++) {
			each(run, &b, why);
			if (run->between)
				run->between();
			why = NULL;
		}
		if ((*s)->only)
			(*s)->only(NULL);
	}
}

static void count(struct bench_run *run, struct bench *b, const char *why)
{
	(void)why;
	run->total += select_asked(run, b);
}

/* Do several CPUs measure? */
static bool uses_threads(const struct bench_run *run)
{
	return run->threads && run->args->threads != THREADS_ONE;
}

/* Nothing is measured any more, and what has been measured stays. */
static bool stopped(struct bench_run *run)
{
	if (!run->stopped && run->stop && run->stop()) {
		run->stopped = true;
		log_worsen(LOG_STOPPED);
		log_warn("run", "Escape", "stopped by a key: benchmarks that are left are not run");
	}
	return run->stopped;
}

static void consider(struct bench_run *run, struct bench *b, const char *why)
{
	if (!select_asked(run, b) || stopped(run))
		return;
	if (!b->perform && uses_threads(run)) /* run->threads() has measured it */
		return;
	if (!why)
		why = select_obstacle(run, b);
	if (why) {
		skip(b, why);
	} else {
		run_bench(run, b);
		proof_after(run);
		if (cpu_has_host(run->cpu) && run->done % SIBLING_EVERY == SIBLING_EVERY - 1)
			sibling_check(run, "during");
	}
	run->done++;
}

/*
 * Which items of bench= match something, by the byte where an item begins. One walk tells of all:
 * a walk for each would take as long as the table is, times the square of the list.
 */
static bool matched[BENCH_LIST];

static void try_items(struct bench_run *run, struct bench *b, const char *why)
{
	const char *globs = run->args->bench, *item = globs;

	(void)why;
	while (item && item - globs < BENCH_LIST) {
		matched[item - globs] |= args_match_first(item, b->name);
		item = strchr(item, ',');
		item += item != NULL;
	}
}

/* Bytes of the first item of a list with commas. */
static size_t item_length(const char *list)
{
	size_t n = 0;

	while (list[n] && list[n] != ',')
		n++;
	return n;
}

/* Does this item of bench=, which has n bytes, match nothing? */
static bool is_missing(const struct bench_run *run, const char *item, size_t n)
{
	ptrdiff_t at = item - run->args->bench;

	if (uses_threads(run) && memchr(item, '+', n))
		return false; /* bench/threads/ tells of two that do not match */
	return n && at < BENCH_LIST && !matched[at];
}

/* The names that are nearest to the first items that match nothing. */
static struct nearest nearest[MISSES];
static unsigned nnearest;

static void try_nearest(struct bench_run *run, struct bench *b, const char *why)
{
	(void)run;
	(void)why;
	for (unsigned i = 0; i < nnearest; i++)
		nearest_try(&nearest[i], b->name);
}

/* Every source gives all its benchmarks, whatever is asked for. */
static void walk_all(struct bench_run *run,
                     void (*each)(struct bench_run *, struct bench *, const char *))
{
	static const struct args all = { .list = true };
	const struct args *asked = run->args;

	run->args = &all;
	walk(run, each);
	run->args = asked;
}

/* Why the benchmark of this name has nothing to measure; NULL: it is no such benchmark. */
static const char *lacks(const struct args *a, const char *item, size_t n)
{
	if (n == 4 && !strncmp(item, "code", n) && !a->code)
		return "no code= that can be used; it gives the benchmark of this name its code";
	if (n == 3 && !strncmp(item, "seq", n) && !a->seq)
		return "no seq= that can be used; it gives the benchmark of this name its accesses";
	return NULL;
}

static void complain(const struct args *a, const char *item, size_t n, const struct nearest *near)
{
	char buffer[256], word[BENCH_NAME];
	struct text why = text_in(buffer, sizeof(buffer)), culprit = text_in(word, sizeof(word));

	text_put(&culprit, item, n);
	text_str(&why, lacks(a, item, n) ? lacks(a, item, n)
	                                 : "matches no benchmark; the argument `list` shows all");
	if (near)
		nearest_put(near, &why);
	log_error("bench", word, buffer);
}

/* An error record for each item of bench= that matches nothing. */
static void check_globs(struct bench_run *run)
{
	const char *all = run->args->bench;
	unsigned missing = 0;

	nnearest = 0;
	memset(matched, 0, sizeof(matched));
	if (all)
		walk(run, try_items);
	for (const char *item = all; item && *item; item += item[0] == ',') {
		size_t n = item_length(item);

		if (is_missing(run, item, n) && nnearest < MISSES)
			nearest[nnearest++] = nearest_to(item, n);
		item += n;
	}
	if (nnearest)
		walk_all(run, try_nearest);
	for (const char *item = all; item && *item; item += item[0] == ',') {
		size_t n = item_length(item);

		/* If code= or seq= is bad or misspelt, an error has said so already. */
		bool told = run->args->lost && lacks(run->args, item, n);

		if (is_missing(run, item, n) && !told) {
			complain(run->args, item, n, missing < MISSES ? &nearest[missing] : NULL);
			missing++;
		}
		item += n;
	}
}

static void nothing_to_do(const struct args *a)
{
	log_warn("plan", NULL,
	         a->lost && !a->bench ? "a mistake, and no bench=: it is not clear what to measure"
	                              : "bench= and skip= leave nothing to measure");
}

/* Tests that the events of sample= move where much happens. */
static void try_samples(const struct bench_run *run)
{
	static struct pmu_group group;

	for (unsigned i = 0; i < run->args->nsample; i++) {
		const bool still = sample_group(run, i, &group) && !stimulus_moves(run, &group);

		sample_doubt(i, still ? stimulus_why : NULL);
	}
}

void bench_run_all(struct bench_run *run)
{
	static struct args bounded;

	bounded = *run->args;
	if (uses_threads(run) && !bounded.bench && !bounded.lost)
		bounded.bench = sidebar;
	run->args = &bounded;
	if (!engine_init(run)) {
		log_error("engine", NULL, "no memory for code and data of the benchmarks");
		return;
	}
	sample_default(&bounded);
	if (bounded.nsample && !sample_init(run))
		bounded.nsample = 0;
	if (bounded.ports && !ports_init(run))
		bounded.ports = NULL;
	cost_log(run);
	proof_checks(run);
	stimulus_run(run);
	try_samples(run);
	proof_begin(run, sibling_check(run, "start"));
	run->done = run->total = 0;
	stood = false;
	run->stopped = false;
	table_begin();
	walk(run, count);
	log_begin("plan");
	log_dec("benches", run->total);
	log_dec("groups", run->plan.ngroups);
	log_str("counters", pmu_name());
	log_end();
	check_globs(run);
	if (!run->total && !uses_threads(run))
		nothing_to_do(&bounded);
	if (uses_threads(run)) {
		proof_unwatched();
		run->threads(run);
	}
	walk(run, consider);
	proof_end(run);
	check_end(run);
	sibling_check(run, "end");
	table_print(run);
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
	if (!select_asked(run, b))
		return;
	if (!why)
		why = select_obstacle(run, b);
	log_begin("bench");
	log_str("name", b->name);
	log_str("what", b->what);
	if (b->form) {
		log_str("form", b->form);
		log_str("kind", b->kind);
	}
	log_bool("default", select_default(run, b));
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

static void list_arguments(void)
{
	struct args_help h;

	for (unsigned i = 0; args_help(i, &h); i++) {
		log_begin("listed");
		log_str("argument", h.name);
		log_str("what", h.meaning);
		if (*h.values)
			log_str("values", h.values);
		log_str("absent", h.absent);
		log_end();
	}
}

void bench_list(struct bench_run *run)
{
	if (run->args->list_arguments) {
		list_arguments();
		return;
	}
	check_globs(run);
	walk(run, list_one);
}
