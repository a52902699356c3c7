/*
 * Whether planned events move (bench/result/stimulus.h).
 */
#include "bench/result/stimulus.h"
#include "bench/engine/platform.h"
#include "bench/snippet_load.h"
#include "bench/result/report.h"
#include "bench/result/select.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	RUNS = 2,
	ATTEMPTS = 4, /* at a body during which a guest's counters were away */
};

const char stimulus_why[] = "it never moved, also where much happens: it is not there, "
			    "a hypervisor holds it back, or it is rare";

static const char COLD[] = "stimulus.cold";

extern const struct snippet_blob __start_snippets[], __stop_snippets[];

/* Did slot i count in any sample? */
static bool moved(const struct engine_result *r, unsigned i)
{
	return r->q[1 + i].min || r->q[1 + i].max;
}

static void see(struct pmu_group *group, const struct engine_result *r)
{
	for (unsigned i = 0; i < group->n; i++)
		group->slots[i].still &= !moved(r, i);
}

void stimulus_saw(const struct pmu_plan *plan, unsigned index, const struct engine_result *r)
{
	see(&plan->groups[index], r);
}

static bool any_still(const struct pmu_group *group)
{
	for (unsigned i = 0; i < group->n; i++)
		if (group->slots[i].still)
			return true;
	return false;
}

/* WBINVD takes long where caches are large; CLFLUSH does the same there. */
static bool is_wanted(const struct bench_run *run, const struct bench *b)
{
	return b->flags & SNIPPET_STIMULUS && !select_obstacle(run, b) &&
	       (strcmp(b->name, COLD) || !cpu_has(run->cpu, CPU_SSE2) ||
	        !cpu_has(run->cpu, CPU_CLFSH));
}

/* A 32-bit kernel has no pages but while the user's code runs, and else there are no walks. */
static bool needs_pages(void)
{
	return sizeof(void *) == 4 && platform_privileged() && !platform_user_obstacle();
}

/*
 * Counts the body, in a guest until the counters count before and behind it, or stay away. False:
 * it could not be measured.
 */
static bool try_body(const struct bench_run *run, const struct bench *b, struct pmu_group *group)
{
	static struct engine_result r;
	bool measured = false, counted, stood;
	unsigned left = ATTEMPTS;

	do {
		const char *why;

		counted = pmu_wait();
		why = engine_measure(run, b, group, &r);
		stood = why && r.stood;
		if (!why) {
			see(group, &r);
			measured = true;
		}
	} while (counted && any_still(group) && (stood || !pmu_counts()) && --left);
	return measured;
}

/* How many bodies could be measured. */
static unsigned stimulate(const struct bench_run *run, struct pmu_group *group, unsigned cpl)
{
	unsigned measured = 0;
	static struct bench b;
	const struct args args = { .mode = MODE_TOTAL,
		                   .runs = RUNS,
		                   .warmup_set = true,
		                   .unroll = 1,
		                   .loop = 1,
		                   .cpl = cpl };
	struct bench_run mine = *run;

	mine.args = &args;
	for (const struct snippet_blob *s = __start_snippets; s < __stop_snippets; s++)
		if (any_still(group) &&
		    !snippet_load(&b, s, (const void *)0, (const void *)~(uintptr_t)0) &&
		    is_wanted(&mine, &b)) {
			b.paged = needs_pages();
			measured += try_body(&mine, &b, group);
		}
	return measured;
}

static void believe(struct pmu_group *group)
{
	for (unsigned i = 0; i < group->n; i++)
		group->slots[i].still = false;
}

/*
 * Is a 0 of the slot no count until it has moved? What no code here can move is believed on iron.
 */
static bool doubtful(const struct bench_run *run, const struct pmu_slot *s)
{
	return !s->empty && (!s->conditional || cpu_is_guest(run->cpu));
}

/* Where nothing could be measured, an event is believed, but not under a hypervisor. */
static void try_group(const struct bench_run *run, struct pmu_group *group)
{
	unsigned measured = 0;

	for (unsigned i = 0; i < group->n; i++)
		group->slots[i].still = doubtful(run, &group->slots[i]);
	for (unsigned cpl = 0; cpl <= 3; cpl += 3)
		if (!cpl || platform_ring3().cs)
			measured += stimulate(run, group, cpl);
	if (!measured && !cpu_is_guest(run->cpu))
		believe(group);
}

static void try_plan(const struct bench_run *run, const struct pmu_plan *plan)
{
	for (unsigned g = 0; g < plan->ngroups; g++)
		try_group(run, &plan->groups[g]);
}

static bool is_still(const struct pmu_plan *plan, const char *key)
{
	for (unsigned g = 0; g < plan->ngroups; g++)
		for (unsigned i = 0; i < plan->groups[g].n; i++)
			if (!strcmp(plan->groups[g].slots[i].key, key))
				return plan->groups[g].slots[i].still;
	return true;
}

void stimulus_inherit(const struct bench_run *run, const struct pmu_plan *plan, bool same_kind)
{
	const bool believed = run->args->cpl == 3 && !cpu_is_guest(run->cpu);

	for (unsigned g = 0; g < plan->ngroups; g++)
		for (unsigned i = 0; i < plan->groups[g].n; i++) {
			struct pmu_slot *s = &plan->groups[g].slots[i];

			s->still =
				doubtful(run, s) && !believed &&
				(same_kind ? is_still(&run->plan, s->key) : cpu_is_guest(run->cpu));
		}
}

/*
 * Code at CPL 3 cannot do all that moves events: what moved at CPL 0 counts there as well, and its
 * 0 is one.
 */
static void compare_levels(const struct pmu_plan *user, const struct pmu_plan *kernel)
{
	for (unsigned g = 0; g < user->ngroups; g++)
		for (unsigned i = 0; i < user->groups[g].n; i++)
			user->groups[g].slots[i].still &=
				is_still(kernel, user->groups[g].slots[i].key);
}

/* Names of still events, as many as a line holds. */
static char names[600];
static size_t used;

static void flush(void)
{
	if (!used)
		return;
	log_begin("still");
	log_strn("events", names, used);
	log_end();
	used = 0;
}

static void tell(const struct bench_run *run, const struct pmu_slot *s)
{
	const size_t n = strlen(s->key);

	if (!s->still)
		return;
	if (!report_all_events(run))
		log_warn("events", s->key, stimulus_why);
	if (used + n + 1 > sizeof(names))
		flush();
	if (used)
		names[used++] = ' ';
	memcpy(names + used, s->key, n);
	used += n;
}

bool stimulus_moves(const struct bench_run *run, struct pmu_group *group)
{
	if (run->args->cpl == 3 && !cpu_is_guest(run->cpu))
		return true;
	try_group(run, group);
	if (!group->slots[0].still)
		return true;
	log_warn("sample", group->slots[0].key, stimulus_why);
	return false;
}

void stimulus_run(const struct bench_run *run)
{
	const bool two = run->user_plan.groups != run->plan.groups;

	try_plan(run, &run->plan);
	if (two) {
		try_plan(run, &run->user_plan);
		compare_levels(&run->user_plan, &run->plan);
	}
	/* With cpl=3 only a hypervisor is reason enough to doubt a 0. */
	for (unsigned g = 0; g < run->plan.ngroups; g++)
		if (run->args->cpl == 3 && !cpu_is_guest(run->cpu))
			believe(&run->plan.groups[g]);
	for (unsigned g = 0; g < run->plan.ngroups; g++)
		for (unsigned i = 0; i < run->plan.groups[g].n; i++)
			tell(run, &run->plan.groups[g].slots[i]);
	flush();
}
