/*
 * Measuring on several CPUs at once (bench/threads/worker.h).
 */
#include "bench/threads/worker.h"
#include "bench/engine/batch.h"
#include "bench/engine/platform.h"
#include "bench/engine/guest.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/smp/list.h"
#include "kernel/lib/string.h"

/* Offsets in the memory of a worker. */
enum {
	DATA = 0,
	STACK = BENCH_DATA,
	STACK_SIZE = 16 << 10,
	STATE = STACK + STACK_SIZE, /* struct code_state, and in another page the loop's counter */
	ROUNDS = STATE + 4096,
	WORKER_AT = ROUNDS + 4096,
	CODE = STATE + (24 << 10),
	CODE_SIZE = WORKER_MEMORY - CODE,
};

_Static_assert(WORKER_AT + sizeof(struct worker) <= CODE, "a worker fits");

enum {
	WARM_RUNS = 2,
	CODE_BYTES = 256, /* of the copies in the shorter code */
	COPIES_MAX = 32,
	TICKS = 12000, /* that the shorter code shall take */
	LOOP_MAX = 1 << 20,
	PILOT_RUNS = 3,
	WATCH_MS = 60000,  /* the longest that there is */
	TIMEOUT_MS = 2000, /* timeout= unless it is given */
	TIMEOUT_RUNS = 16, /* runs that the workers wait for */
	WATCH_WAITS = 3,   /* ... and so often, before the boot CPU's own run is ended */
	VIEW_PAGE = 4096,
	GUEST_TRIES = 4,                  /* of a guest whose host comes in between */
	GUEST_LEAST = WORKER_SAMPLES / 2, /* samples without the host that will do */
};

/* Generated code reaches its state by addresses of 31 bits. */
static const uint64_t highest = (uint64_t)1 << 31;

struct worker *worker_at(const struct bench_run *run, unsigned i)
{
	uintptr_t end = (uintptr_t)run->area.arena + run->area.arena_size;
	uint8_t *p = (uint8_t *)(end - (uintptr_t)(i + 1) * WORKER_MEMORY);
	struct worker *s = (struct worker *)(p + WORKER_AT);

	/* half of the arena is for the workers, the other one for the benchmarks */
	if ((uint64_t)(i + 1) * WORKER_MEMORY > run->area.arena_size / 2 || end > highest)
		return NULL;
	memset(s, 0, sizeof(*s));
	s->area = run->area;
	s->area.data = p + DATA;
	s->area.stack = p + STACK + STACK_SIZE / 2;
	s->state = (struct code_state *)(p + STATE);
	s->rounds = (uint32_t *)(p + ROUNDS);
	s->code = p + CODE;
	return s;
}

/* The whole pages within [start, start + size). */
static bool open_inside(struct usermode_view *v, const uint8_t *start, size_t size)
{
	uintptr_t from = ((uintptr_t)start + VIEW_PAGE - 1) & ~(uintptr_t)(VIEW_PAGE - 1);
	uintptr_t to = ((uintptr_t)start + size) & ~(uintptr_t)(VIEW_PAGE - 1);

	return from >= to || usermode_view_open(v, (const void *)from, to - from, USERMODE_USER);
}

const char *worker_usermode(const struct bench_run *run, struct worker *s, void *tables)
{
	struct usermode_view *v = &s->view;

	if (v->root)
		return NULL;
	if (!usermode_view(v, tables, USERMODE_VIEW) || !smp_usermode_view(v) ||
	    !usermode_view_open(v, run->area.data, BENCH_DATA, USERMODE_KERNEL) ||
	    !usermode_view_open(v, run->area.stack - BENCH_STACK / 2, BENCH_STACK,
	                        USERMODE_KERNEL) ||
	    !usermode_view_open(v, run->area.arena, run->area.arena_size, USERMODE_KERNEL) ||
	    !open_inside(v, s->area.arena, s->area.arena_size) ||
	    !usermode_view_open(v, s->area.data, BENCH_DATA + STACK_SIZE, USERMODE_USER) ||
	    !usermode_view_open(v, s->rounds, sizeof(*s->rounds), USERMODE_USER) ||
	    !usermode_view_open(v, s->code, CODE_SIZE, USERMODE_USER_CODE)) {
		v->root = NULL;
		return "its memory falls into too many pieces for the page tables";
	}
	return NULL;
}

void worker_prepare(const struct bench_run *run, struct worker *s)
{
	memset(s->area.data, 0, BENCH_DATA + STACK_SIZE);
	memset(s->state, 0, sizeof(*s->state));
	batch_preset(s->state, &s->b, &s->area, run->args->data_offset);
	if (s->b.setup)
		s->b.setup(&s->b, &s->area);
}

static const char *build(const struct bench_run *run, struct worker *s, uint32_t copies)
{
	struct code_request rq = {
		.b = &s->b,
		.group = s->read.n ? &s->read : NULL,
		.state = s->state,
		.rounds = s->rounds,
		.fence = platform_fence(run->cpu),
		.copies = copies,
		.loop = s->loop,
		.offset = -1,
		.outer = guest_outer(run->cpu, &s->read),
		.cpl = s->cpl,
	};

	s->entry = code_generate(s->code, CODE_SIZE, &rq, &s->returns);
	return s->entry ? NULL : "the copies do not fit the code buffer";
}

static void run_once(struct worker *s)
{
	s->state->end_tsc[0] = s->state->end_tsc[1] = 0;
	s->entry();
	if (!code_value(s->state->end_tsc)) {
		s->escaped = true;
		s->team->barrier.broken = 1;
	}
	if (s->b.walk)
		s->state->in[REG_SI] = s->state->out_si;
}

static void keep(struct worker *s, unsigned which, bool stolen)
{
	const struct code_state *st = s->state;
	unsigned at = s->kept++ % WORKER_SAMPLES; /* the latest ones stay */

	s->start[at] = code_value(st->start_tsc);
	s->end[at] = code_value(st->end_tsc);
	s->stolen[at] = stolen;
	s->into[which][0][at] = s->end[at] - s->start[at];
	for (unsigned i = 0; i < s->read.n; i++)
		s->into[which][1 + i][at] = (code_value(st->end[i]) - code_value(st->start[i])) &
		                            pmu_mask(s->read.slots[i].width);
}

/* Ways back from CPL 3, and the worker's own address space, on the CPU that calls. */
static void enter(const struct worker *s)
{
	if (s->cpl != 3)
		return;
	if (s->cpu)
		smp_ring3_return(s->returns.init, s->returns.body);
	else
		platform_ring3_return(s->returns.init, s->returns.body);
	if (!s->b.user)
		return;
	if (s->cpu)
		smp_usermode_enter(&s->view);
	else
		usermode_enter_view(&s->view);
}

/* Of the boot CPU, the end of platform_protect() turns back. */
static void leave(const struct worker *s)
{
	if (s->cpl == 3 && s->b.user && s->cpu)
		smp_usermode_leave();
}

/*
 * What each CPU measures. Samples count from the moment when all measure. A CPU that has enough of
 * them goes on until all have, so that none measures in poorer company.
 */
static void sample(struct worker *s, unsigned which)
{
	struct team *t = s->team;
	uint64_t begin;

	s->not_programmed = s->program && !pmu_start_here(s->program);
	if (!smp_barrier(&t->barrier))
		return;
	for (unsigned i = 0; i < WARM_RUNS; i++)
		run_once(s);
	if (!smp_barrier(&t->barrier))
		return;
	begin = s->entered = x86_rdtsc();
	smp_count_up(&t->entered);
	while (t->finished < t->n && !smp_failed() && !t->barrier.broken &&
	       x86_rdtsc() - begin < t->barrier.patience) {
		bool everybody = t->entered == t->n;
		const uint32_t stolen = smp_stolen(s->cpu);

		run_once(s);
		company_note(&s->ran, code_value(s->state->start_tsc),
		             code_value(s->state->end_tsc));
		if (!everybody || t->finished == t->n)
			continue;
		keep(s, which, smp_stolen(s->cpu) != stolen);
		if (s->kept == WORKER_SAMPLES)
			smp_count_up(&t->finished);
	}
	smp_barrier(&t->barrier);
	if (s->program)
		pmu_stop_here(s->program);
}

/* A privileged body may leave other page tables and modes: the next one must not run under them. */
static void put_back(unsigned long cr0, unsigned long cr3, unsigned long cr4)
{
	x86_set_cr0(cr0);
	x86_set_cr4(cr4);
	if (x86_cr3() != cr3)
		x86_set_cr3(cr3);
}

static void work(struct worker *s, unsigned which)
{
	const unsigned long cr0 = x86_cr0(), cr3 = x86_cr3(), cr4 = x86_cr4();

	platform_reset_fpu();
	s->kept = 0;
	s->ran.n = 0;
	s->escaped = false;
	enter(s);
	sample(s, which);
	leave(s);
	if (s->b.flags & SNIPPET_PRIVILEGED)
		put_back(cr0, cr3, cr4);
	platform_reset_fpu();
}

static void work_less(void *arg)
{
	work(arg, 0);
}

static void work_more(void *arg)
{
	work(arg, 1);
}

/* The moment in the boot CPU's time. An offset that may be 0 is taken for 0. */
static uint64_t common(const struct worker *s, uint64_t tsc)
{
	const struct smp_cpu *c = smp_cpu(s->cpu);
	int64_t error = (int64_t)c->tsc_error;

	return c->tsc_offset > error || c->tsc_offset < -error ? tsc - (uint64_t)c->tsc_offset
	                                                       : tsc;
}

/* How far apart the workers began, and how much of its time each spent in the body. */
static void look_back(struct team *t)
{
	uint64_t first = ~(uint64_t)0;

	for (unsigned i = 0; i < t->n; i++) {
		uint64_t entered = common(t->worker[i], t->worker[i]->entered);

		first = entered < first ? entered : first;
	}
	for (unsigned i = 0; i < t->n; i++) {
		struct worker *s = t->worker[i];
		uint64_t inside = 0, from = ~(uint64_t)0, to = 0;

		s->skew = common(s, s->entered) - first;
		for (unsigned k = 0; k < WORKER_SAMPLES; k++) {
			inside += s->end[k] - s->start[k];
			from = s->start[k] < from ? s->start[k] : from;
			to = s->end[k] > to ? s->end[k] : to;
		}
		s->busy = to > from ? (uint32_t)(inside * 1000 / (to - from)) : 0;
	}
}

/* Does any worker run the user's code? */
static bool is_foreign(const struct team *t)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->worker[i]->b.user)
			return true;
	return false;
}

/* How long the CPUs wait for each other, and the boot CPU's watchdog for its own run. */
struct limits {
	uint64_t patience;  /* TSC ticks at a barrier */
	uint32_t finish_ms; /* for the others; 0: as long as at a barrier */
	uint32_t watch_ms;
};

/* What the user's code does not do in its time is ended soon; other CPUs notice first. */
static struct limits limits_of(const struct bench_run *run, const struct team *t)
{
	uint64_t ms = run->tsc_hz ? smp_patience() * 1000 / run->tsc_hz + 1 : WATCH_MS;
	uint64_t user =
		(uint64_t)(run->args->timeout ? run->args->timeout : TIMEOUT_MS) * TIMEOUT_RUNS;
	struct limits l = { .patience = smp_patience(), .watch_ms = WATCH_MS };

	if (is_foreign(t) && user < ms && run->tsc_hz) {
		l.patience = run->tsc_hz / 1000 * user;
		l.finish_ms = (uint32_t)user;
		ms = user;
	}
	if (is_foreign(t))
		ms *= WATCH_WAITS;
	if (ms < WATCH_MS)
		l.watch_ms = (uint32_t)ms;
	return l;
}

/* The user's code returned without the end of the bracket: a record for each CPU. */
static bool log_escapes(const struct team *t)
{
	bool any = false;

	for (unsigned i = 0; i < t->n; i++) {
		if (!t->worker[i]->escaped)
			continue;
		any = true;
		log_begin("trap");
		log_str("snippet", t->worker[i]->b.name);
		log_str("name", "escape");
		log_dec("cpu", t->worker[i]->cpu);
		log_end();
	}
	return any;
}

/* One code on all workers. NULL, or what went wrong. */
static const char *run_team(const struct bench_run *run, struct team *t, unsigned which)
{
	static struct smp_job jobs[SMP_CPUS];
	struct worker *own = NULL;
	struct limits limits = limits_of(run, t);
	bool good = true;

	t->barrier = (struct smp_barrier){ .n = t->n, .patience = limits.patience };
	t->entered = t->finished = 0;
	for (unsigned i = 0; i < t->n; i++) {
		t->worker[i]->team = t;
		jobs[i] = (struct smp_job){ t->worker[i]->cpu, which ? work_more : work_less,
			                    t->worker[i], t->worker[i]->b.name };
		if (!t->worker[i]->cpu)
			own = t->worker[i];
	}
	smp_begin(jobs, t->n);
	if (own) {
		platform_watch(limits.watch_ms, own->b.name, own->b.user && own->cpl == 0);
		good = platform_protect(which ? work_more : work_less, own, own->b.name);
		if (!good)
			t->barrier.broken = 1;
	}
	good &= smp_finish(jobs, t->n, limits.finish_ms, t->worker[0]->b.name);
	if (log_escapes(t))
		return "it was ended: see the trap record before this one";
	if (!good)
		return "a CPU did not come to its end: see the record before this one";
	if (t->barrier.broken)
		return "the CPUs waited for each other in vain";
	for (unsigned i = 0; i < t->n; i++)
		if (t->worker[i]->not_programmed)
			return "the counters could not be programmed";
	for (unsigned i = 0; i < t->n; i++)
		if (t->worker[i]->kept < WORKER_SAMPLES)
			return "the CPUs did not get enough samples in time";
	look_back(t);
	return NULL;
}

/* Ticks of worker `from` in those of worker `to`. */
static uint64_t translated(const struct worker *from, const struct worker *to, uint64_t tsc)
{
	return common(from, tsc) - common(to, 0);
}

/* Had sample k of s company by all others, as far as their time stamp counters tell? */
static bool had_company(const struct team *t, const struct worker *s, unsigned k)
{
	for (unsigned i = 0; i < t->n; i++) {
		const struct worker *o = t->worker[i];

		if (o != s && !smp_cpu(o->cpu)->tsc_drift && !smp_cpu(s->cpu)->tsc_drift &&
		    !company_kept(&o->ran, translated(s, o, s->start[k]),
		                  translated(s, o, s->end[k])))
			return false;
	}
	return true;
}

/* What tells of the hypervisor in the samples of a code. */
struct signs {
	int insns, ref;
	uint64_t expected;         /* instructions of a sample */
	int64_t ahead;             /* least ticks less reference clocks */
	uint64_t around;           /* at CPL 3: of those, what no clock counts there */
	bool late[WORKER_SAMPLES]; /* if no counter tells: samples that are too long */
};

/*
 * Do all samples lack the same number of instructions? Then the CPU or the host counts so. A count
 * of 0 is a counter that stands.
 */
static bool counts_otherwise(const uint64_t *insns, uint64_t expected)
{
	if (!insns[0])
		return false;
	for (unsigned k = 0; k < WORKER_SAMPLES; k++)
		if (insns[k] != insns[0] || insns[k] >= expected)
			return false;
	return true;
}

/* The loop around the copies has two instructions. */
static uint64_t expected_of(const struct worker *s, unsigned which)
{
	return s->bracket + (uint64_t)s->b.insns * s->copies * (which + 1) * s->loop +
	       (s->loop > 1 ? 2 * s->loop : 0);
}

static struct signs signs_of(const struct worker *s, unsigned which)
{
	struct signs g = { .insns = guest_slot(&s->read),
		           .ref = guest_reference(&s->read),
		           .ahead = INT64_MAX };
	const uint64_t(*v)[WORKER_SAMPLES] = s->into[which];

	g.expected = expected_of(s, which);
	if (!s->bracket || (g.insns != GUEST_NONE && counts_otherwise(v[1 + g.insns], g.expected)))
		g.insns = GUEST_NONE;
	for (unsigned k = 0; g.ref != GUEST_NONE && k < WORKER_SAMPLES; k++)
		if ((int64_t)(v[0][k] - v[1 + g.ref][k]) < g.ahead)
			g.ahead = (int64_t)(v[0][k] - v[1 + g.ref][k]);
	if (s->cpl == 3 && g.ref != GUEST_NONE && g.ahead > 0)
		g.around = (uint64_t)g.ahead;
	if (g.insns == GUEST_NONE && g.ref == GUEST_NONE)
		guest_late(v[0], WORKER_SAMPLES, GUEST_LATE, g.late);
	return g;
}

static bool counts(const struct team *t, struct worker *s, const struct signs *g, unsigned which,
                   unsigned k)
{
	const uint64_t(*v)[WORKER_SAMPLES] = s->into[which];
	const uint64_t insns = g->insns == GUEST_NONE ? 0 : v[1 + g->insns][k];

	if (s->stolen[k])
		s->host.stolen++;
	else if (g->insns != GUEST_NONE && insns < g->expected)
		s->host.stood++;
	else if ((g->insns != GUEST_NONE && insns > g->expected) ||
	         (g->ref != GUEST_NONE && guest_exited(v[0][k] - g->around, v[1 + g->ref][k],
	                                               g->ahead - (int64_t)g->around)) ||
	         g->late[k])
		s->host.exit++;
	else if (!had_company(t, s, k))
		s->host.apart++;
	else
		return true;
	return false;
}

/* Bits of the samples that count. *stood: of those in which the counters stood still. */
static uint32_t good_samples(const struct team *t, struct worker *s, unsigned which,
                             uint32_t *stood)
{
	const struct signs g = signs_of(s, which);
	uint32_t good = 0;

	*stood = 0;
	for (unsigned k = 0; k < WORKER_SAMPLES; k++) {
		const uint32_t before = s->host.stood;

		good |= (uint32_t)counts(t, s, &g, which, k) << k;
		*stood |= (s->host.stood - before) << k;
	}
	return good;
}

static uint32_t ones(uint32_t bits)
{
	uint32_t n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

static void keep_samples(struct worker *s, unsigned which, uint32_t samples)
{
	s->used[which] = 0;
	for (unsigned k = 0; k < WORKER_SAMPLES; k++) {
		if (!(samples >> k & 1))
			continue;
		for (unsigned q = 0; q < s->n; q++)
			s->into[which][q][s->used[which]] = s->into[which][q][k];
		s->used[which]++;
	}
}

/*
 * Keeps the good samples. If there are fewer than GUEST_LEAST, the last run keeps all samples but
 * those in which the counters stood still. s->stood: there were such samples, or at the last run
 * only such.
 */
static bool keep_good(const struct team *t, struct worker *s, unsigned which, bool last)
{
	const uint32_t all = (1u << WORKER_SAMPLES) - 1;
	const struct worker_host before = s->host;
	uint32_t stood, good = good_samples(t, s, which, &stood);
	const bool enough = ones(good) >= GUEST_LEAST;

	s->stood = last ? stood == all : stood != 0;
	if (!enough && !last)
		return false;
	if (!enough) {
		s->host.exits |= s->host.exit + s->host.stolen > before.exit + before.stolen;
		s->host.lonely |= s->host.apart > before.apart;
		good = all & ~stood;
	}
	keep_samples(s, which, good);
	return enough;
}

const char worker_stood[] = "the counters stood still in every sample";

/* What an empty bracket of s counts in instructions; 0: that tells nothing. */
static const char *learn_bracket(const struct bench_run *run, struct worker *s)
{
	struct worker *one[] = { s };
	struct team t = { .n = 1, .worker = one };
	const uint32_t loop = s->loop;
	const int insns = guest_slot(&s->read);
	const char *why;

	s->bracket = 0;
	if (!cpu_has_host(run->cpu) || insns == GUEST_NONE || !s->program || !s->b.insns)
		return NULL;
	s->loop = 1;
	why = build(run, s, 0);
	for (unsigned left = GUEST_TRIES; !why && !s->bracket && left; left--) {
		if (left < GUEST_TRIES)
			pmu_wait();
		why = run_team(run, &t, 0);
		if (!why)
			s->bracket = guest_most(s->into[0][1 + insns], WORKER_SAMPLES);
	}
	s->loop = loop;
	/* If the hypervisor holds back this event alone, a bracket of 0 tells nothing. */
	return why || s->bracket || pmu_counts() ? why : worker_stood;
}

/* Did the counters of a worker stand still, by keep_good()? */
static bool has_stood(const struct team *t)
{
	for (unsigned k = 0; k < t->n; k++)
		if (t->worker[k]->stood)
			return true;
	return false;
}

/* In a guest: a measurement without the hypervisor, if one of a few is. */
static const char *run_alike(const struct bench_run *run, struct team *t, unsigned which)
{
	const char *why = NULL;
	bool good = false;

	for (unsigned i = 1; i <= GUEST_TRIES && !why && !good; i++) {
		why = run_team(run, t, which);
		good = true;
		for (unsigned k = 0; k < t->n; k++)
			t->worker[k]->used[which] = WORKER_SAMPLES;
		for (unsigned k = 0; cpu_has_host(run->cpu) && !why && k < t->n; k++)
			good &= keep_good(t, t->worker[k], which, i == GUEST_TRIES);
		if (good || why || !has_stood(t))
			continue;
		if (i < GUEST_TRIES)
			pmu_wait();
		else
			why = worker_stood;
	}
	return why;
}

const char *team_measure(const struct bench_run *run, struct team *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		const char *why = learn_bracket(run, t->worker[i]);

		if (why)
			return why;
		t->worker[i]->host = (struct worker_host){ 0 };
	}
	for (unsigned which = 0; which < 2; which++) {
		const char *why = NULL;

		for (unsigned i = 0; i < t->n && !why; i++) {
			t->worker[i]->n = 1 + t->worker[i]->told;
			why = build(run, t->worker[i], t->worker[i]->copies * (which + 1));
		}
		if (!why)
			why = run_alike(run, t, which);
		if (why)
			return why;
	}
	for (unsigned i = 0; i < t->n; i++) {
		struct worker *s = t->worker[i];
		for (unsigned q = 0; q < s->n; q++) {
			struct stats less = stats_of(s->into[0][q], s->used[0]);
			struct stats more = stats_of(s->into[1][q], s->used[1]);

			s->q[q] = stats_sub(&more, &less);
		}
	}
	return NULL;
}

static uint32_t clamp(uint64_t v, uint32_t high)
{
	return v < 1 ? 1 : v > high ? high : (uint32_t)v;
}

const char *worker_size(const struct bench_run *run, struct worker *s)
{
	struct worker *one[] = { s };
	struct team t = { .n = 1, .worker = one };
	uint64_t ticks;
	const char *why;

	s->copies = run->args->unroll ? run->args->unroll
	            : s->b.unroll     ? s->b.unroll
	                              : clamp(CODE_BYTES / (s->b.body_size + 1), COPIES_MAX);
	s->loop = run->args->loop ? run->args->loop : s->b.loop;
	if (s->loop)
		return NULL;
	s->loop = 1;
	for (unsigned i = 0; i < PILOT_RUNS; i++) {
		why = build(run, s, s->copies);
		if (!why)
			why = run_team(run, &t, 0);
		if (why)
			return why;
		ticks = stats_of(s->into[0][0], WORKER_SAMPLES).min;
		if (ticks >= TICKS)
			break;
		s->loop = clamp(s->loop * TICKS / (ticks + 1) + 1, LOOP_MAX);
	}
	return NULL;
}
