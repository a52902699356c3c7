/*
 * The engine (bench/engine/engine.h): chooses mode, length and runs, and has batch.c take the
 * samples, each bracketed by the routine of code.c.
 *
 * - mode=total: run(body) - run(empty), the cost of one pass without the costs of the bracket.
 * - mode=rate: run(2n copies) - run(n copies), n copies in the steady state. Every fixed cost
 *   cancels.
 *
 * Where reading a counter leaves a guest, the host's code evicts what the runs before have brought
 * into the caches, and a code would begin cold. Some samples then run the code PASSES_GUEST times
 * between the readings, and others one time less. The difference is the last pass. Nothing but the
 * bracket and the code itself ran before it.
 */
#include "bench/engine/engine.h"
#include "bench/engine/core_clock.h"
#include "bench/engine/platform.h"
#include "bench/engine/batch.h"
#include "bench/engine/sizing.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	CORE_MIN = 4,      /* samples with a known core clock that must do after RUNS_MAX */
	WARMUP = 3,        /* lines cached, lengths and branches learnt */
	CODE_TARGET = 512, /* bytes of copies in a rate run: well inside every first-level cache */
	COPIES_MAX = 64,
	COPIES_TARGET = 512, /* copies times loop of a rate run where readings are exact */
	ROUNDS_MOST = 8192,
	PILOT_LOOP = 16,        /* rounds that make a disturbance small against a body */
	SERIES_ATTEMPTS = 4,    /* a series with a disturbed run is done again from the start */
	SERIES_GUEST = 5,       /* series of a guest: its host leaves no trace in a single run */
	ALIKE = 800,            /* one part in so many tells a sample from the fastest */
	PASSES_INSNS = 1 << 16, /* instructions of the shorter code; a longer one runs once */
	PASSES_GUEST = 4,       /* of which the last is behind a first run and two reminders */
};

static uint64_t samples[2][ENGINE_QUANTITIES][ENGINE_RUNS];
static struct sizing sizing;

/*
 * Finds out what a reading of the TSC is worth. ADDs that wait for each other take a clock each, so
 * that the brackets around them become longer by less than a step.
 */
static struct sizing learn_sizing(const struct bench_run *run)
{
	static const uint8_t add[] = { 0x01, 0xc8 }; /* ADD EAX, ECX */
	static const struct bench adds = {
		.name = "TSC step", .needs = "", .body = add, .body_size = sizeof(add)
	};
	static uint64_t readings[SIZING_LENGTHS][SIZING_RUNS];
	struct sizing s;

	for (uint32_t i = 0; i < SIZING_LENGTHS; i++) {
		struct batch t = { .run = run,
			           .b = &adds,
			           .into = samples[0],
			           .fixed_runs = SIZING_RUNS,
			           .warmup = WARMUP };
		const char *why = batch_run(&t, i, 1);

		if (why || t.n < SIZING_RUNS) {
			log_warn("tsc", "step", why ? why : "too many runs were disturbed");
			return (struct sizing){ .step = SIZING_STEP_MAX };
		}
		memcpy(readings[i], samples[0][0], sizeof(readings[i]));
	}
	s = sizing_of(readings);
	if (!s.exact) {
		log_begin("clock");
		log_str("source", "tsc");
		log_dec("step", s.step);
		log_end();
	}
	return s;
}

bool engine_init(const struct bench_run *run)
{
	/*
	 * The arguments are for what the user measures, not for what the engine finds out for
	 * itself.
	 */
	static const struct args none;
	struct bench_run own = *run;

	own.args = &none;
	if (!batch_init(run))
		return false;
	sizing = learn_sizing(&own);
	core_clock_init(run, platform_fence(run->cpu), sizing.step);
	return true;
}

uint64_t engine_tsc_error(void)
{
	return sizing_error(&sizing);
}

unsigned engine_cpl(const struct bench_run *run, const struct bench *b)
{
	return batch_cpl(run, b);
}

static enum args_mode pick_mode(const struct bench_run *run, const struct bench *b)
{
	bool in_order =
		run->cpu->pmu_class == PMU_CLASS_P5 || run->cpu->pmu_class == PMU_CLASS_P5MMX;

	if (run->args->mode != MODE_DEFAULT)
		return run->args->mode;
	return b->flags & SNIPPET_TOTAL && in_order ? MODE_TOTAL : MODE_RATE;
}

static uint32_t clamp(uint32_t v, uint32_t low, uint32_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* Copies and loop of the shorter code. */
static void pick_size(const struct bench_run *run, const struct bench *b, struct engine_result *out)
{
	uint32_t bytes = b->body_size ? (uint32_t)b->body_size : 1;

	if (out->mode == MODE_TOTAL) {
		out->copies = 1;
		out->loop = 1;
	} else {
		out->copies = b->unroll ? b->unroll : clamp(CODE_TARGET / bytes / 2, 1, COPIES_MAX);
		out->loop = b->loop ? b->loop
		                    : clamp((b->pass > COPIES_TARGET ? b->pass : COPIES_TARGET) /
		                                    out->copies,
		                            1, ROUNDS_MOST);
	}
	if (run->args->unroll)
		out->copies = run->args->unroll;
	if (run->args->loop)
		out->loop = run->args->loop;
}

/*
 * Reads the shortest of RUNS_MIN runs of b, `loop` rounds each. Returns NULL or why there is none.
 */
static const char *pilot(const struct bench_run *run, const struct bench *b, uint32_t copies,
                         uint32_t loop, uint64_t *ticks, bool *timed_out)
{
	struct batch t = {
		.run = run, .b = b, .into = samples[0], .fixed_runs = RUNS_MIN, .warmup = 1
	};
	const char *why = batch_run(&t, copies, loop);

	*ticks = why ? 0 : stats_of(samples[0][0], t.n).min;
	*timed_out = t.timed_out;
	return why;
}

/*
 * A time is as good as its run is long against a step of the TSC, and costs as much time: so short
 * runs first, which tell how many rounds the others need. Where readings are exact and a counter
 * counts core clocks, any length will do. A walk through memory must come by every line: it keeps
 * its length, and its result has the digits that follow from it.
 */
static const char *pick_length(const struct bench_run *run, const struct bench *b,
                               struct engine_result *out)
{
	uint64_t one, many;
	const char *why;

	if (out->mode != MODE_RATE || b->loop || b->walk || run->args->loop)
		return NULL;
	if (sizing.exact && !core_clock_derived())
		return NULL;
	why = pilot(run, b, out->copies, 1, &one, &out->timed_out);
	out->loop = 1;
	if (why || one >= sizing_ticks(&sizing))
		return why;
	why = pilot(run, b, out->copies, PILOT_LOOP, &many, &out->timed_out);
	out->loop = sizing_rounds(&sizing, one, many, PILOT_LOOP);
	return why;
}

static void add_dropped(struct engine_dropped *to, const struct engine_dropped *d)
{
	to->nmi += d->nmi;
	to->mce += d->mce;
	to->smi += d->smi;
	to->timer += d->timer;
	to->interrupt += d->interrupt;
	to->gap += d->gap;
	to->stood += d->stood;
	to->exit += d->exit;
	to->stolen += d->stolen;
}

/* Are there as many samples with a known core clock as a result needs? */
static bool enough(const struct batch *t)
{
	return t->n_core >= (t->n < CORE_MIN ? t->n : CORE_MIN);
}

/* By how many thousandths of core clocks the median may be off: more than half are off by less. */
static uint64_t core_error(const struct batch *t, unsigned i)
{
	stats_of(samples[i][ENGINE_CORE_ERROR], t->n_core);
	return samples[i][ENGINE_CORE_ERROR][t->n_core / 2];
}

static void core_result(const struct batch t[2], struct engine_result *out)
{
	struct stats less = stats_of(samples[0][ENGINE_CORE], t[0].n_core);
	struct stats more = stats_of(samples[1][ENGINE_CORE], t[1].n_core);

	out->has_core = true;
	out->core = stats_sub(&more, &less);
	out->core_error = core_error(&t[0], 0) + core_error(&t[1], 1);
}

/*
 * Keeps the samples of one code that took as long as the fastest: nothing came in between there. A
 * hypervisor has no other trace in a guest. Returns how many they are.
 */
static uint32_t keep_fastest(uint64_t v[ENGINE_QUANTITIES][ENGINE_RUNS], unsigned quantities,
                             uint32_t n)
{
	uint64_t fastest = ~(uint64_t)0;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		fastest = v[0][i] < fastest ? v[0][i] : fastest;
	for (uint32_t i = 0; i < n; i++) {
		if (v[0][i] - fastest > fastest / ALIKE)
			continue;
		for (unsigned q = 0; q < quantities; q++)
			v[q][kept] = v[q][i];
		kept++;
	}
	return kept;
}

/* Of the samples with a known core clock, those that the host came into, unless few would stay. */
static void drop_late_core(struct batch *t, const bool *late)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n_core; i++)
		n += !late[t->core_at[i]];
	if (n < CORE_MIN)
		return;
	n = 0;
	for (uint32_t i = 0; i < t->n_core; i++) {
		t->into[ENGINE_CORE][n] = t->into[ENGINE_CORE][i];
		t->into[ENGINE_CORE_ERROR][n] = t->into[ENGINE_CORE_ERROR][i];
		n += !late[t->core_at[i]];
	}
	t->n_core = n;
}

/*
 * In a guest without reference clocks, times tell of the host: samples that took longer than the
 * shortest by an exit or more do not count. Instructions alone do not tell, because not every exit
 * adds one. If such samples are half of all, the others may have had exits too, so all stay.
 */
static void drop_late(struct batch *t)
{
	static bool late[ENGINE_RUNS];
	const unsigned quantities = 1 + (t->group ? t->group->n : 0);
	const bool counted = t->watch.insns != GUEST_NONE;
	uint32_t n = 0, sum;

	if (!cpu_has_host(t->run->cpu) || !platform_privileged() || t->watch.ref != GUEST_NONE)
		return;
	sum = guest_late(batch_windows(), t->n, counted ? GUEST_LATE_COUNTED : GUEST_LATE, late);
	if (2 * sum >= t->n) {
		t->late = sum > 0;
		return;
	}
	drop_late_core(t, late);
	for (uint32_t i = 0; i < t->n; i++) {
		for (unsigned q = 0; !late[i] && q < quantities; q++)
			t->into[q][n] = t->into[q][i];
		n += !late[i];
	}
	t->dropped.exit += sum;
	t->n = n;
}

/*
 * May the user's code leave a guest by itself, as CPUID does? Its instructions are not known, but
 * what does so takes some hundreds of ticks at least.
 */
static bool may_leave(const struct bench_run *run, const struct bench *b,
                      const struct engine_result *r)
{
	return cpu_has_host(run->cpu) && platform_privileged() && b->user &&
	       r->q[0].med >= (int64_t)GUEST_EXIT_TICKS * r->copies * r->loop;
}

/*
 * How often a code runs between the readings of its counters; behind pick_length(). Once:
 *
 * - a walk, which would find its memory warm;
 * - the user's code and a snippet with INIT, which may use up what INIT has left, as empty caches;
 * - an instruction that leaves the guest, and CPUID as a fence: the host is in each pass;
 * - the proof of results, whose chains are compared by the ticks of all that is counted;
 * - a long code: what is cold is little of it, and a host's tick would fall into each sample.
 */
static uint32_t pick_passes(const struct bench_run *run, const struct bench *b,
                            const struct pmu_group *group, const struct engine_result *r)
{
	const bool once = b->walk || b->user || (b->init_size && !b->form) ||
	                  b->flags & (SNIPPET_EXITS | SNIPPET_STIMULUS) || run->undisturbed ||
	                  (uint64_t)b->insns * r->copies * r->loop > PASSES_INSNS;

	if (once || !group || !group->n || !cpu_has_host(run->cpu) || !platform_counters_exit())
		return 1;
	return platform_fence(run->cpu) == FENCE_CPUID ? 1 : PASSES_GUEST;
}

static void add_batch(struct engine_result *out, const struct batch *t)
{
	add_dropped(&out->dropped, &t->dropped);
	out->repeated += t->repeated;
	out->interrupted |= t->interrupted;
	out->exits |= t->watch.exits;
	out->late |= t->late;
	out->watched &= t->watch.insns != GUEST_NONE && t->watch.bracket && !t->watch.exits;
	out->unsteady += t->unsteady;
	out->shared += t->shared;
	out->runs = !out->runs || t->n < out->runs ? t->n : out->runs;
}

/* The samples of code `i` of two into samples[i]. NULL, or why there are none. */
static const char *take_samples(struct batch *t, unsigned i, struct engine_result *out)
{
	const uint32_t copies = out->mode == MODE_RATE ? out->copies * (i + 1)
	                        : i                    ? out->copies
	                                               : 0;
	const char *why = batch_run(t, copies, out->loop);

	out->stood |= t->dropped.stood && why;
	out->timed_out |= t->timed_out;
	if (why)
		return why;
	drop_late(t);
	if (t->run->undisturbed)
		t->n = keep_fastest(samples[i], out->n, t->n);
	add_batch(out, t);
	return NULL;
}

/* Each quantity of code i. */
static void describe(const struct batch *t, unsigned i, const struct engine_result *out,
                     struct stats s[ENGINE_QUANTITIES])
{
	for (unsigned q = 0; q < out->n; q++)
		s[q] = stats_of(samples[i][q], t->n);
}

/*
 * NULL, or why code i has no samples; its quantities in code[], its batch in *t. With passes the
 * counts of one pass less are in `fewer`.
 */
static const char *measure_code(struct batch *t, unsigned i, struct engine_result *out,
                                struct stats_diff code[ENGINE_QUANTITIES])
{
	static struct stats fewer[ENGINE_QUANTITIES], s[ENGINE_QUANTITIES];
	const struct stats zero = { 0 };
	const char *why = NULL;

	t->into = samples[i];
	t->passes = out->passes - 1;
	if (t->passes)
		why = take_samples(t, i, out);
	if (why)
		return why;
	if (t->passes)
		describe(t, i, out, fewer);
	t->passes = out->passes;
	why = take_samples(t, i, out);
	if (why)
		return why;
	describe(t, i, out, s);
	for (unsigned q = 0; q < out->n; q++)
		code[q] = stats_sub(&s[q], q && out->passes > 1 ? &fewer[q] : &zero);
	return NULL;
}

const char *engine_measure(const struct bench_run *run, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	static struct stats_diff code[2][ENGINE_QUANTITIES];
	struct batch t[2];
	const char *why;

	*out = (struct engine_result){ .mode = pick_mode(run, b) };
	pick_size(run, b, out);
	why = pick_length(run, b, out);
	out->passes = pick_passes(run, b, group, out);
	out->warmup = run->args->warmup_set ? run->args->warmup : WARMUP;
	out->n = 1 + (group ? group->n : 0);
	out->watched = true;
	for (unsigned i = 0; i < 2 && !why; i++) {
		t[i] = (struct batch){ .run = run,
			               .b = b,
			               .group = guest_group(run->cpu, group, batch_cpl(run, b)),
			               .fixed_runs = run->args->runs,
			               .warmup = out->warmup };
		why = measure_code(&t[i], i, out, code[i]);
	}
	if (why)
		return why;
	for (unsigned q = 0; q < out->n; q++)
		out->q[q] = stats_diff_sub(&code[1][q], &code[0][q]);
	out->exits |= may_leave(run, b, out) && t[1].watch.ref == GUEST_NONE;
	out->tsc_error = sizing_error(&sizing);
	if (core_clock_derived() && !b->ticks_only && enough(&t[0]) && enough(&t[1]))
		core_result(t, out);
	return NULL;
}

const char *engine_bracket(const struct bench_run *run, const struct pmu_group *group,
                           struct stats_diff *out, uint64_t *error)
{
	static const struct bench nothing = { .name = "bracket", .needs = "" };
	const struct stats zero = { 0 };
	struct batch t = {
		.run = run, .b = &nothing, .group = group, .into = samples[0], .warmup = WARMUP
	};
	const char *why = batch_run(&t, 0, 1);
	struct stats s;

	if (why)
		return why;
	s = stats_of(samples[0][0], t.n);
	*out = stats_sub(&s, &zero);
	*error = sizing.exact ? 0 : sizing.step;
	return NULL;
}

uint32_t engine_series_of(const struct bench_run *run)
{
	return cpu_has_host(run->cpu) ? SERIES_GUEST : 1;
}

/* Puts the shorter of the samples v and of those before in *least. */
static void keep_least(uint64_t least[ENGINE_SERIES], const uint64_t *v, uint32_t n, bool first)
{
	for (uint32_t i = 0; i < n; i++)
		if (first || v[i] < least[i])
			least[i] = v[i];
}

const char *engine_series(const struct bench_run *run, const struct bench *b, uint32_t n,
                          struct stats_diff ticks[ENGINE_SERIES], uint64_t *error, uint32_t *of)
{
	struct batch t = {
		.run = run, .b = b, .into = samples[0], .fixed_runs = RUNS_MIN, .warmup = WARMUP
	};
	const char *why = batch_run(&t, 0, 1);
	const uint32_t wanted = engine_series_of(run);
	static uint64_t least[ENGINE_SERIES];
	uint32_t series = 0;
	struct stats empty;

	if (why)
		return why;
	empty = stats_of(samples[0][0], t.n);
	for (unsigned i = 0; i < wanted + SERIES_ATTEMPTS - 1 && series < wanted; i++) {
		t = (struct batch){
			.run = run, .b = b, .into = samples[1], .fixed_runs = n, .flush = true
		};
		why = batch_run(&t, 1, 1);
		if (why)
			return why;
		if (t.dropped_all)
			continue;
		keep_least(least, samples[1][0], n, !series);
		series++;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct stats one = stats_of(&least[i], 1);

		ticks[i] = stats_sub(&one, &empty);
		ticks[i].exact = false; /* a single run has no spread */
	}
	*error = sizing_error(&sizing);
	*of = series;
	return series ? NULL : "a run of the series was disturbed";
}
