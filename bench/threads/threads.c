/*
 * Benchmarks on several CPUs at once (bench/threads/threads.h).
 */
#include "bench/threads/threads.h"
#include "bench/engine/engine.h"
#include "bench/engine/guest.h"
#include "bench/engine/platform.h"
#include "bench/result/select.h"
#include "bench/result/stimulus.h"
#include "bench/threads/cpuset.h"
#include "bench/threads/report.h"
#include "bench/threads/worker.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/smp/list.h"
#include "kernel/lib/string.h"

extern const struct bench_source *const __start_bench_sources[];
extern const struct bench_source *const __stop_bench_sources[];

enum {
	PAGE = 4096,
	ALONE_MAX = 8, /* of more workers than this, those like the first take its figures alone */
};

static struct {
	struct bench_run *run;
	struct worker *worker[SMP_CPUS];
	unsigned n;
	struct plans {
		bool made;
		struct pmu_plan plan;
		struct pmu_plan other; /* for CPUs of the same kind as the next */
	} plans[2];         /* [1]: for the user's code, which may run at another level */
	unsigned other_cpu; /* of another kind than CPU 0; 0: there is none */
	uintptr_t tables;   /* of the views of all workers; 0: not there yet */
	bool pairs;         /* threads of a core share counters: the plan is for two */
} all;

static void skip(const struct bench *b, const char *why)
{
	log_begin("skip");
	log_str("bench", b->name);
	log_str("why", why);
	log_end();
}

static void failed(const struct bench *b, const char *why)
{
	log_error("benchmark", b->name, why);
}

/* --- counters ------------------------------------------------------------------------------- */

/* The worker that programs the counters which s reads: itself, or another thread of the core. */
static struct worker *programmer(struct worker *s, const struct team *t)
{
	for (unsigned i = 0; all.pairs && i < t->n; i++)
		if (smp_same_core(t->worker[i]->cpu, s->cpu))
			return t->worker[i];
	return s;
}

/* A CPU of a third kind counts nothing. */
static struct pmu_group *group_of(const struct worker *s, unsigned group)
{
	const struct plans *plans = &all.plans[s->b.user];
	const struct pmu_plan *plan = &plans->other;

	if (smp_same_kind(0, s->cpu))
		plan = &plans->plan;
	else if (!smp_same_kind(all.other_cpu, s->cpu))
		return NULL;
	return group < plan->ngroups ? &plan->groups[group] : NULL;
}

/* What moved in the last measurement is no longer still, in the group and for its other workers. */
static void saw(const struct team *t, unsigned group)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct worker *s = t->worker[i];
		struct pmu_group *g = group_of(s, group);

		for (unsigned k = 0; g && k < g->n; k++)
			for (unsigned n = 0; n < s->told; n++)
				if (g->slots[k].index == s->read.slots[n].index)
					g->slots[k].still &= !s->q[1 + n].min && !s->q[1 + n].max;
	}
	for (unsigned i = 0; i < t->n; i++) {
		struct worker *s = t->worker[i];
		const struct pmu_group *g = group_of(s, group);

		for (unsigned k = 0; g && k < g->n; k++)
			for (unsigned n = 0; n < s->told; n++)
				if (g->slots[k].index == s->read.slots[n].index)
					s->read.slots[n].still = g->slots[k].still;
	}
}

static void set_group(const struct team *t, unsigned group)
{
	uint32_t own = smp_cpu(0)->place.thread;

	for (unsigned i = 0; i < t->n; i++) {
		struct worker *s = t->worker[i];
		const struct pmu_group *g = group_of(s, group);

		s->program = NULL;
		s->read.n = s->told = 0;
		if (!g)
			continue;
		s->own = all.pairs ? *g : *guest_group(all.run->cpu, g, s->cpl);
		if (programmer(s, t) == s)
			s->program = &s->own;
		for (unsigned k = 0; k < s->own.n; k++) {
			if (all.pairs &&
			    g->slots[k].thread != (smp_cpu(s->cpu)->place.thread != own))
				continue;
			s->read.slots[s->read.n++] = s->own.slots[k];
			s->told += k < g->n;
		}
	}
}

static void look_at_counters(void *arg)
{
	static struct cpu cpu;

	(void)arg;
	cpu_identify(&cpu, true, x86_cpuid);
	pmu_probe_other(&cpu);
}

/* The first worker whose CPU is of another kind than the boot CPU, and its counters. */
static void find_other(void)
{
	struct smp_job job = { .fn = look_at_counters };

	for (unsigned i = 0; i < all.n && !job.cpu; i++)
		if (!smp_same_kind(0, all.worker[i]->cpu))
			job.cpu = all.worker[i]->cpu;
	all.other_cpu = job.cpu;
	if (job.cpu && all.run->plan.ngroups && !smp_run(&job, 1, 0, "counters"))
		all.other_cpu = 0;
}

/* The user's code runs at CPL 3, unless cpl= says otherwise. */
static void make_plans(bool user)
{
	const struct args *args = all.run->args;
	unsigned cpl = user && !args->cpl_set ? platform_user_cpl() : args->cpl;
	struct pmu_want want = {
		.events = args->events, .cpl = cpl, .quiet = true, .alloc = all.run->alloc
	};
	struct plans *p = &all.plans[user];

	*p = (struct plans){ .made = true };
	if (user && cpl == args->cpl) {
		*p = all.plans[0];
		return;
	}
	all.pairs = pmu_threads_share();
	if (all.pairs) {
		want.pair = true;
		pmu_plan(&p->plan, &want);
		stimulus_inherit(all.run, &p->plan, true);
	} else {
		p->plan = user ? all.run->user_plan : all.run->plan;
	}
	if (all.other_cpu && all.run->plan.ngroups) {
		want.pair = false;
		want.other = true;
		pmu_plan(&p->other, &want);
	}
	stimulus_inherit(all.run, &p->other, false);
}

/* --- one team ------------------------------------------------------------------------------- */

static const char *measure_alone(struct team *t, unsigned group)
{
	for (unsigned i = 0; i < t->n; i++) {
		struct worker *s = t->worker[i];
		struct team one = { .n = 1, .worker = &t->worker[i] };
		const char *why;

		if (t->n > ALONE_MAX && i && smp_same_kind(s->cpu, t->worker[0]->cpu) &&
		    !strcmp(s->b.name, t->worker[0]->b.name)) {
			memcpy(s->alone, t->worker[0]->alone, sizeof(s->alone));
			s->host_alone = t->worker[0]->host_alone;
			continue;
		}
		set_group(&one, group);
		why = team_measure(all.run, &one);
		if (why)
			return why;
		saw(&one, group);
		report_worker(all.run, s, group, false);
		s->host_alone = s->host;
		for (unsigned q = 0; q < s->n; q++)
			s->alone[q] = s->q[q].med;
	}
	return NULL;
}

static const char *measure_group(struct team *t, unsigned group)
{
	const char *why = measure_alone(t, group);

	if (why)
		return why;
	set_group(t, group);
	why = team_measure(all.run, t);
	if (why)
		return why;
	saw(t, group);
	for (unsigned i = 0; i < t->n; i++) {
		report_worker(all.run, t->worker[i], group, true);
		if (all.run->between)
			all.run->between(); /* records of many workers fill the medium's buffer */
	}
	report_team(all.run, t, group);
	return NULL;
}

/* All workers whose CPUs are still there. */
static const char *gather(struct team *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < all.n; i++)
		if (smp_cpu(all.worker[i]->cpu)->state == SMP_READY)
			all.worker[n++] = all.worker[i];
	all.n = n;
	*t = (struct team){ .n = n, .worker = all.worker };
	return n > 1 ? NULL : "no other CPU is left";
}

/* Groups of events that at least one worker has. */
static unsigned count_groups(const struct team *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->n; i++) {
		const struct plans *p = &all.plans[t->worker[i]->b.user];

		n = p->plan.ngroups > n ? p->plan.ngroups : n;
		n = p->other.ngroups > n ? p->other.ngroups : n;
	}
	return n;
}

static const char *measure(void)
{
	struct team t;
	const char *why = gather(&t);

	for (unsigned i = 0; i < t.n && !why; i++) {
		struct worker *s = t.worker[i];

		worker_prepare(all.run, s);
		s->program = NULL;
		s->read.n = s->told = 0;
		if (i && !strcmp(s->b.name, t.worker[0]->b.name)) {
			s->copies = t.worker[0]->copies;
			s->loop = t.worker[0]->loop;
		} else {
			why = worker_size(all.run, s);
		}
	}
	for (unsigned g = 0; !why && (!g || g < count_groups(&t)); g++) {
		why = measure_group(&t, g);
		if (all.run->between)
			all.run->between();
	}
	return why;
}

/* --- which benchmarks ----------------------------------------------------------------------- */

/* Where a benchmark comes from, to make it again with the memory of each worker. */
struct origin {
	const struct bench_source *source;
	unsigned i;
};

/* Plans of events, and then the views: what is given to the kernel later is missing there. */
static const char *ready_for_user(const struct worker *s)
{
	const char *why = NULL;

	if (!all.plans[1].made)
		make_plans(true);
	if (s->cpl != 3)
		return NULL;
	if (!all.tables)
		all.tables = (uintptr_t)all.run->alloc((all.n + 1) * (size_t)USERMODE_VIEW);
	if (!all.tables)
		return "no memory for page tables of each CPU";
	for (unsigned i = 0; i < all.n && !why; i++)
		why = worker_usermode(all.run, all.worker[i],
		                      (void *)(((all.tables + PAGE - 1) & ~(uintptr_t)(PAGE - 1)) +
		                               i * (uintptr_t)USERMODE_VIEW));
	return why;
}

/* Makes the benchmark for a worker. NULL, or why it cannot run there. */
static const char *open(struct worker *s, struct origin from)
{
	const char *why = NULL;

	if (!from.source->get(from.i, &s->b, all.run->cpu, &s->area, &why))
		return "there is no such benchmark";
	if (!why)
		why = select_obstacle(all.run, &s->b);
	s->cpl = engine_cpl(all.run, &s->b);
	if (!why && s->b.user)
		why = ready_for_user(s);
	if (!why && s->b.make)
		s->b.make(&s->b);
	return why;
}

/* Two bodies that are made stand at one place (bench/suite/generated.h): the later one stays. */
static bool share_buffer(const struct bench *a, const struct bench *b)
{
	return a->make && b->make && strcmp(a->name, b->name) != 0;
}

/* `a` on the first worker and all others, but `b` on the second. */
static void measure_pair(struct origin a, struct origin b)
{
	const char *why = NULL;

	for (unsigned i = 0; i < all.n && !why; i++)
		why = open(all.worker[i], i == 1 ? b : a);
	if (!why && all.n > 1 && share_buffer(&all.worker[0]->b, &all.worker[1]->b))
		why = "both bodies are made when they run, and there is room for one of them";
	if (!why && all.pairs && all.worker[0]->cpl != all.worker[1]->cpl)
		why = "threads that share counters count at one level: cpl=0 or cpl=3 for both";
	if (why) {
		skip(&all.worker[0]->b, why);
		return;
	}
	why = measure();
	if (why == worker_stood)
		skip(&all.worker[0]->b, why);
	else if (why)
		failed(&all.worker[!all.worker[0]->b.user && all.worker[1]->b.user]->b, why);
	if (all.run->between)
		all.run->between();
}

/* The next benchmark behind *at that matches the glob. */
static bool next(struct origin *at, const struct bench_source *const **s, const char *glob)
{
	static struct bench b;

	for (; *s < __stop_bench_sources; ++*s, at->i = 0) {
		const char *why = NULL;

		at->source = **s;
		for (; (**s)->get(at->i, &b, all.run->cpu, &all.run->area, &why); at->i++)
			if (args_match(glob, b.name) && !b.perform &&
			    !(all.run->args->skip && args_match(all.run->args->skip, b.name)))
				return true;
	}
	return false;
}

/* Copies the glob that ends at `stop` or the end. */
static const char *cut(char *to, const char *glob, char stop)
{
	size_t n = 0;

	while (glob[n] && glob[n] != ',' && glob[n] != stop)
		n++;
	memcpy(to, glob, n < BENCH_NAME ? n : BENCH_NAME - 1);
	to[n < BENCH_NAME ? n : BENCH_NAME - 1] = 0;
	return glob + n;
}

/* One item of bench=: GLOB, or GLOB+GLOB. Returns what is behind it. */
static const char *measure_item(const char *item)
{
	char first[BENCH_NAME], second[BENCH_NAME];
	const struct bench_source *const *s = __start_bench_sources;
	const char *end = cut(first, item, '+');
	bool two = *end == '+', any = false;

	if (two)
		end = cut(second, end + 1, ',');
	for (struct origin a = { 0 }; next(&a, &s, first); a.i++) {
		const struct bench_source *const *r = __start_bench_sources;
		struct origin b = { 0 };

		if (!two)
			measure_pair(a, a);
		for (; two && next(&b, &r, second); b.i++, any = true)
			measure_pair(a, b);
	}
	if (two && !any)
		log_error("bench", item, "matches no two benchmarks");
	return *end ? end + 1 : end;
}

/* --- the run -------------------------------------------------------------------------------- */

static const char *take_workers(void)
{
	static uint16_t cpu[SMP_CPUS];
	const char *why;
	unsigned n = cpuset_pick(all.run->args->threads, cpu, SMP_CPUS, &why);

	for (all.n = 0; all.n < n; all.n++) {
		struct worker *s = worker_at(all.run, all.n);

		if (!s)
			break;
		s->cpu = cpu[all.n];
		all.worker[all.n] = s;
	}
	if (all.n < n)
		log_error("threads", "arena", "memory for fewer CPUs than there are");
	for (unsigned i = 0; i < all.n; i++) { /* each has its part of the other half */
		size_t size = all.run->area.arena_size / 2;

		for (unsigned k = 1; k < all.n; k *= 2)
			size /= 2;
		all.worker[i]->area.arena += i * size;
		all.worker[i]->area.arena_size = size;
	}
	return all.n > 1 ? NULL : n ? "there is no memory for two" : why;
}

void threads_run(struct bench_run *run)
{
	const char *item = run->args->bench, *why;

	all.run = run;
	smp_start();
	why = take_workers();
	if (why || run->args->threads == THREADS_ALL)
		smp_complain();
	if (why) {
		log_warn("threads", NULL, why);
		return;
	}
	find_other();
	make_plans(false);
	all.plans[1].made = false;
	all.tables = 0;
	while (item && *item)
		item = measure_item(item);
	smp_find_late();
}
