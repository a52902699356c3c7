/*
 * One code, all its bracketed samples (bench/engine/batch.h).
 */
#include "bench/engine/batch.h"
#include "bench/engine/code.h"
#include "bench/engine/core_clock.h"
#include "bench/engine/platform.h"
#include "bench/engine/guest.h"
#include "bench/engine/progress.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	STABLE = 8,             /* samples in a row without a new minimum */
	TIMEOUT_MS = 2000,      /* one run of a code may take so long, and the user's ... */
	TIMEOUT_MTICKS = 30,    /* ... in the simulator so many million ticks: some seconds there */
	REMINDERS = 2,          /* of a two-bit branch counter that the engine's branches share */
	REMINDED_TICKS = 65536, /* longest run that a missed branch would show in */
	WALKED = 256 << 20,     /* bytes; a longer walk leaves nothing of itself in a cache */
	NO_CPL = 4,
	BRACKETS = 16, /* empty ones that tell what a guest's bracket counts */
	ATTEMPTS = 4,  /* a batch that was spoilt as a whole is run again so often */
	EARLY = 8,     /* part of a time limit by which its timer may be early */
};

/*
 * What the routine writes has a page of its own, in whose middle it is, because the data areas of
 * snippets begin where pages begin. The loop around a body counts at the body's level, so its
 * counter lies apart, where CPL 3 can write, so the engine does not use its value.
 */
static struct {
	uint8_t before[2048];
	struct code_state s;
	uint8_t after[2048 - sizeof(struct code_state)];
} state_page __attribute__((aligned(4096)));
static struct {
	uint8_t before[1024];
	uint32_t rounds;
	uint8_t after[4096 - 1024 - sizeof(uint32_t)];
} user_page __attribute__((aligned(4096)));
static struct code_state *const state = &state_page.s;
static uint64_t windows[ENGINE_RUNS];
static const struct bench_area *area;
static enum platform_fence fence;

void batch_preset(struct code_state *st, const struct bench *b, const struct bench_area *where,
                  uint32_t data_offset)
{
	uintptr_t data = (uintptr_t)where->data + data_offset;

	for (unsigned r = 0; r < BENCH_REGS; r++)
		st->in[r] = r;
	st->in[REG_AX] = 1;
	st->in[REG_CX] = 2;
	st->in[REG_DX] = 3;
	st->in[REG_SI] = data;
	st->in[REG_DI] = data + 0x10000;
	st->in[REG_BX] = data + 0x20000;
	st->in[REG_SP] = st->in[REG_BP] = (uintptr_t)where->stack;
	for (unsigned r = 0; r < 8; r++)
		if (b->set_mask >> r & 1)
			st->in[r] = b->set[r];
}

static uint64_t tsc_delta(void)
{
	return code_value(state->end_tsc) - code_value(state->start_tsc);
}

/* The ticks of all passes of the sample. */
static uint64_t window(const struct batch *t)
{
	const uint32_t *from = t->passes > 1 ? state->first_tsc : state->start_tsc;

	return code_value(state->end_tsc) - code_value(from);
}

static uint64_t slot_delta(const struct pmu_slot *slot, unsigned i)
{
	return (code_value(state->end[i]) - code_value(state->start[i])) & pmu_mask(slot->width);
}

/*
 * Did nothing from outside disturb the sample that just ended, but for interrupts and exits that
 * may stay? Counts the reason if not.
 */
static bool clean(const struct platform_noise *before, struct batch *t, bool interrupted,
                  bool exits)
{
	struct engine_dropped *d = &t->dropped;
	struct platform_noise now = platform_noise();
	bool ticked = now.timer != before->timer; /* its tick may have been an NMI */

	if (ticked && !interrupted)
		d->timer++;
	else if (now.nmi != before->nmi && !ticked)
		d->nmi++;
	else if (now.mce != before->mce)
		d->mce++;
	else if (now.smi != before->smi)
		d->smi++;
	else if (now.interrupt != before->interrupt && !interrupted)
		d->interrupt++;
	else if (now.stolen != before->stolen && !exits)
		d->stolen++;
	else if (!tsc_delta() || window(t) >> 40)
		d->gap++;
	else
		return true;
	return false;
}

static uint32_t dropped_all(const struct engine_dropped *d)
{
	return d->nmi + d->mce + d->smi + d->timer + d->interrupt + d->gap + d->stood + d->exit +
	       d->stolen;
}

static uint32_t passes_of(const struct batch *t)
{
	return t->passes ? t->passes : 1;
}

/* Milliseconds that one run may take. */
static uint32_t time_limit(const struct batch *t)
{
	const struct bench_run *run = t->run;
	uint64_t ms = TIMEOUT_MS;

	if (t->b->user && run->cpu->simulated && run->tsc_hz)
		ms = (uint64_t)TIMEOUT_MTICKS * 1000000000 / run->tsc_hz + 1;
	return passes_of(t) * (run->args->timeout ? run->args->timeout
	                       : ms < TIMEOUT_MS  ? (uint32_t)ms
	                                          : TIMEOUT_MS);
}

/*
 * Runs the code once, under the watchdog. A tick of the watchdog's timer disturbs a sample, and a
 * long code would see one in every sample. So once a built-in code has come back behind a tick, the
 * rest of the batch goes without the watchdog.
 */
static void one_run(struct batch *t)
{
	uint32_t ms = time_limit(t);

	platform_watch(t->dropped.timer && !t->b->user ? 0 : ms, t->b->name,
	               t->b->user && !t->guarded);
	for (int i = 0; t->remind && tsc_delta() < REMINDED_TICKS && i < REMINDERS; i++)
		t->code.entry();
	state->end_tsc[0] = state->end_tsc[1] = 0;
	t->began = x86_rdtsc();
	t->code.entry();
	t->escaped = !code_value(state->end_tsc);
	if (t->b->walk)
		state->in[REG_SI] = state->out_si;
}

/*
 * Keeps the sample that just ended in thousandths of core clocks, whatever frequency the core had.
 */
static void keep_core(struct batch *t, const struct core_clock *c)
{
	struct core_time time;

	switch (core_clock_of(c, tsc_delta(), &time)) {
	case CORE_KNOWN:
		t->core_at[t->n_core] = (uint8_t)t->n;
		t->into[ENGINE_CORE][t->n_core] = time.milli;
		t->into[ENGINE_CORE_ERROR][t->n_core++] = time.error;
		break;
	case CORE_UNSTEADY:
		t->unsteady++;
		break;
	case CORE_SHARED:
		t->shared++;
		break;
	}
}

/* Does nothing that a guest can see speak against the sample that just ended? */
static bool guest_clean(struct batch *t)
{
	const int i = t->watch.insns, r = t->watch.ref;
	uint64_t insns = 0, reference = 0;
	bool keeps;

	if (i != GUEST_NONE)
		insns = slot_delta(&t->group->slots[i], (unsigned)i);
	if (r != GUEST_NONE)
		reference = slot_delta(&t->group->slots[r], (unsigned)r);
	keeps = guest_keeps(&t->watch, insns, window(t), reference);
	t->dropped.stood = t->watch.stood;
	t->dropped.exit = t->watch.exited;
	return keeps;
}

/* Do chains around each sample tell its core clocks? */
static bool has_chains(const struct batch *t)
{
	return core_clock_derived() && !t->b->ticks_only;
}

/* Has the minimum of the TSC stood for long enough, and is the core clock known often enough? */
static bool stable(const struct batch *t, uint32_t since_minimum)
{
	if (t->fixed_runs)
		return t->n >= t->fixed_runs;
	return t->n >= RUNS_MAX || (t->n >= RUNS_MIN && since_minimum >= STABLE &&
	                            (!has_chains(t) || t->n_core >= RUNS_MIN));
}

/* All that a run may touch has left the caches, also where a hypervisor ignores WBINVD. */
static void empty_caches(const struct bench *b)
{
	size_t size;
	const uint8_t *code = platform_code(&size);

	platform_flush_caches();
	platform_flush_bytes(code, size);
	platform_flush_bytes(&state_page, sizeof(state_page));
	platform_flush_bytes(&user_page, sizeof(user_page));
	platform_flush_bytes(area->data, BENCH_DATA);
	platform_flush_bytes(area->stack - BENCH_STACK / 2, BENCH_STACK);
	platform_flush_bytes(area->arena, area->arena_size);
	if (b->walk)
		platform_flush_bytes(area->expanse,
		                     area->expanse_size < WALKED ? area->expanse_size : WALKED);
}

static void run_batch(void *arg)
{
	struct batch *t = arg;
	uint64_t minimum = ~(uint64_t)0;
	uint32_t since_minimum = 0;
	uint32_t limit = RUNS_MIN + 2 * (t->fixed_runs ? t->fixed_runs : RUNS_MAX);

	if (t->guarded)
		platform_guard();
	if (t->flush)
		empty_caches(t->b);
	for (uint32_t i = 0; i < t->warmup && !t->escaped; i++) {
		one_run(t);
		progress(t->run, t->b->name);
	}
	/* With passes the host would come behind the reminders; the passes do the same. */
	t->remind = t->warmup && !t->b->walk && !has_chains(t) && passes_of(t) < 2;
	while (!t->escaped && !stable(t, since_minimum) &&
	       t->n + dropped_all(&t->dropped) < limit) {
		struct platform_noise before = platform_noise();
		struct core_clock clock = { .adds = { 0 } };

		if (has_chains(t))
			core_clock_before(&clock);
		one_run(t);
		if (t->escaped)
			break;
		if (has_chains(t))
			core_clock_after(&clock);
		/* Every run so far had an interrupt in it: no run is short enough to escape. */
		t->interrupted |= !t->n && t->dropped.interrupt + t->dropped.timer >= RUNS_MIN;
		t->watch.exits |= !t->n && t->dropped.stolen >= RUNS_MIN;
		if (!clean(&before, t, t->interrupted, t->watch.exits) || !guest_clean(t))
			continue;
		if (has_chains(t))
			keep_core(t, &clock);
		t->into[0][t->n] = tsc_delta();
		windows[t->n] = window(t);
		for (unsigned i = 0; t->group && i < t->group->n; i++)
			t->into[1 + i][t->n] = slot_delta(&t->group->slots[i], i);
		since_minimum = tsc_delta() < minimum ? 0 : since_minimum + 1;
		if (tsc_delta() < minimum)
			minimum = tsc_delta();
		t->n++;
		progress(t->run, t->b->name);
	}
	/*
	 * No time that can be: the end was written by something else than the end of the bracket.
	 */
	if (!t->n && t->dropped.gap && t->b->user)
		t->escaped = true;
}

unsigned batch_cpl(const struct bench_run *run, const struct bench *b)
{
	return b->user && !run->args->cpl_set ? platform_user_cpl() : run->args->cpl;
}

static const char *build(struct batch *t, uint32_t copies, uint32_t loop)
{
	const struct args *args = t->run->args;
	size_t size;
	uint8_t *buf = platform_code(&size);
	struct code_request rq = {
		.b = t->b,
		.group = t->group,
		.state = state,
		.rounds = &user_page.rounds,
		.fence = fence,
		.copies = copies,
		.loop = loop,
		.passes = t->passes,
		.cpl = batch_cpl(t->run, t->b),
		.offset = args->code_offset_set ? (int32_t)args->code_offset : -1,
		.outer = guest_outer(t->run->cpu, t->group),
	};

	t->code.entry =
		code_generate(buf + CORE_CLOCK_CODE, size - CORE_CLOCK_CODE, &rq, &t->code.returns);
	return t->code.entry ? NULL : "the copies do not fit the code buffer";
}

static char made[BENCH_NAME]; /* the benchmark that the arena was prepared for last */
static uintptr_t walked;      /* where its walk stands: other code uses the register as well */

/*
 * Built-in benchmarks find their data areas empty, whatever firmware or the user's code left in
 * them: there are values that take some instructions longer.
 */
static void clean_up(const struct bench *b)
{
	static bool foreign = true;
	const bool leaves = b->user || b->flags & SNIPPET_STIMULUS;

	if (foreign && !leaves) {
		memset(area->data, 0, BENCH_DATA);
		memset(area->stack - BENCH_STACK / 2, 0, BENCH_STACK);
		made[0] = 0;
	}
	foreign = leaves;
}

/*
 * Makes memory and registers what b expects. A walk through memory that was made for the code or
 * the group before goes on where it stands, because making the walk costs a pass over its memory.
 */
static void prepare(const struct bench *b)
{
	if (!b->setup)
		return;
	if (b->walk && !strcmp(made, b->name)) {
		state->in[REG_SI] = walked;
		return;
	}
	b->setup(b, area);
	memcpy(made, b->name, sizeof(made));
}

/* Where the walk goes on, or that it must be made anew because it did not come to its end. */
static void keep_walk(const struct bench *b, bool returned)
{
	if (!b->walk)
		return;
	walked = state->out_si;
	if (!returned)
		made[0] = 0;
}

/* The code jumped over the end of the bracket, or returned before it. */
static void log_escape(const struct bench *b)
{
	log_begin("trap");
	log_str("snippet", b->name);
	log_str("name", "escape");
	log_end();
}

/* Memory and registers as b expects them, before a routine that has been built. */
static void ready(struct batch *t)
{
	t->n = t->n_core = t->unsteady = t->shared = t->dropped_all = 0;
	t->dropped = (struct engine_dropped){ 0 };
	t->watch.kept = t->watch.stood = t->watch.exited = 0;
	t->watch.exits = false;
	t->interrupted = t->remind = false;
	t->guarded = t->b->paged || (t->b->user && batch_cpl(t->run, t->b) == 3);
	clean_up(t->b);
	batch_preset(state, t->b, area, t->run->args->data_offset);
	prepare(t->b);
	platform_reset_fpu();
	platform_ring3_return(t->code.returns.init, t->code.returns.body);
}

/* Why the routine that has just run did not end as it should. NULL: it did. */
static const char *ending(struct batch *t, bool returned)
{
	platform_reset_fpu();
	if (t->escaped)
		log_escape(t->b);
	if (returned && !t->escaped)
		return NULL;
	t->timed_out = !t->escaped && t->run->tsc_hz &&
	               (x86_rdtsc() - t->began) / (t->run->tsc_hz / 1000 + 1) >=
	                       time_limit(t) - time_limit(t) / EARLY;
	if (t->b->user && t->b->init_size && t->run->args->mode != MODE_TOTAL)
		return "it was ended: see the trap or timeout record before this one; copies of a "
		       "body follow each other without INIT: if that sets what a loop counts, set "
		       "it in the body, or take mode=total";
	return "it was ended: see the trap or timeout record before this one";
}

/* NULL, or why there are no samples; *spoilt: from outside, so that another attempt may do. */
static const char *attempt(struct batch *t, bool *spoilt)
{
	bool returned, intact;
	const char *why;

	*spoilt = false;
	ready(t);
	if (t->group && !pmu_start(t->group))
		return "the counters could not be programmed";
	returned = platform_protect(run_batch, t, t->b->name);
	keep_walk(t->b, returned);
	t->dropped_all = dropped_all(&t->dropped);
	intact = !t->group || pmu_intact();
	if (t->group)
		pmu_stop();
	why = ending(t, returned);
	if (why)
		return why;
	*spoilt = !intact || !t->n;
	if (!intact)
		return "somebody else changed the counters: see the warn record before this one";
	if (!t->n && t->dropped.stood)
		return "the counters stood still in every sample";
	return t->n ? NULL : "every sample was disturbed";
}

/* What samples of an empty bracket tell; the slots of *w are set. */
static void learn_bracket(struct guest_watch *w, uint64_t v[][ENGINE_RUNS], uint32_t n)
{
	w->ahead = INT64_MAX;
	if (w->insns != GUEST_NONE)
		w->bracket = guest_most(v[1 + w->insns], n);
	for (uint32_t i = 0; w->ref != GUEST_NONE && i < n; i++)
		if ((int64_t)(windows[i] - v[1 + w->ref][i]) < w->ahead)
			w->ahead = (int64_t)(windows[i] - v[1 + w->ref][i]);
}

/*
 * What an empty bracket counts, of the group, the level and the passes that it was learnt for, an
 * even and an odd number of passes apart: a measurement needs both. cpl 4: none.
 */
static struct known {
	unsigned cpl;
	uint32_t passes;
	struct pmu_group group;
	struct guest_watch watch;
} knowns[2];

static struct known *known_of(const struct batch *t)
{
	return &knowns[passes_of(t) & 1];
}

/* Is this what an empty bracket of t counts? */
static bool fits(const struct known *known, const struct batch *t, unsigned cpl)
{
	return known->cpl == cpl && known->passes == passes_of(t) &&
	       !memcmp(&known->group, t->group, sizeof(known->group));
}

/* *w gets what the bracket of t counts in a guest. False: there are no samples of it. */
static bool know_bracket(const struct batch *t, struct guest_watch *w)
{
	static const struct bench nothing = { .name = "bracket", .needs = "" };
	const unsigned cpl = batch_cpl(t->run, t->b);
	struct known *known = known_of(t);
	static struct args args;
	struct bench_run run = *t->run;
	struct batch empty = { .run = &run,
		               .b = &nothing,
		               .group = t->group,
		               .into = t->into, /* free until *t runs */
		               .fixed_runs = BRACKETS,
		               .warmup = 1,
		               .passes = t->passes,
		               .blind = true };

	args = *t->run->args;
	args.cpl = cpl;
	run.args = &args;
	if (!fits(known, t, cpl)) {
		unsigned left = ATTEMPTS;
		bool counted, stayed;

		do {
			counted = pmu_wait();
			if (batch_run(&empty, 0, 1))
				return false;
			learn_bracket(w, t->into, empty.n);
			stayed = pmu_counts();
		} while (counted && !stayed && --left);
		known->cpl = counted && stayed ? cpl : NO_CPL;
		known->passes = passes_of(t);
		known->group = *t->group;
		known->watch = *w;
	}
	*w = known->watch;
	return true;
}

/* What each sample of a guest must count. The loop around the copies has two instructions. */
static struct guest_watch watch(const struct batch *t, uint32_t copies, uint32_t loop)
{
	const struct guest_watch none = { .insns = GUEST_NONE, .ref = GUEST_NONE };
	const uint64_t body =
		(uint64_t)t->b->insns * copies * loop + (loop > 1 ? 2 * (uint64_t)loop : 0);
	struct guest_watch w = none;

	if (t->blind || !cpu_is_guest(t->run->cpu))
		return none;
	w.insns = guest_slot(t->group);
	w.ref = guest_reference(t->group);
	if ((w.insns == GUEST_NONE && w.ref == GUEST_NONE) || !know_bracket(t, &w))
		return none;
	w.expected = w.bracket + passes_of(t) * body;
	if (t->b->user || (copies && !t->b->insns))
		w.insns = GUEST_NONE;
	if (batch_cpl(t->run, t->b) == 3 && w.ref != GUEST_NONE && w.ahead > 0)
		w.around = (uint64_t)w.ahead;
	return w;
}

const char *batch_run(struct batch *t, uint32_t copies, uint32_t loop)
{
	const char *why;
	bool spoilt;

	t->watch = watch(t, copies, loop);
	why = build(t, copies, loop);
	spoilt = !why;

	for (t->repeated = 0; spoilt && t->repeated < ATTEMPTS; t->repeated++)
		why = attempt(t, &spoilt);
	t->repeated -= t->repeated != 0;
	return why;
}

/* What one pass runs, and what runs around it. */
struct once {
	struct batch *t;
	const struct batch_hooks *hooks;
	bool started;
};

static void run_once(void *arg)
{
	struct once *o = arg;
	struct platform_noise before;

	if (o->t->guarded)
		platform_guard();
	o->started = o->hooks->start(o->hooks->arg);
	before = platform_noise();
	if (o->started) {
		one_run(o->t);
		o->t->disturbed = !clean(&before, o->t, false, false);
	}
	o->hooks->stop(o->hooks->arg);
}

const char *batch_build(struct batch *t, uint32_t copies, uint32_t loop, struct batch_place *place)
{
	const char *why = build(t, copies, loop);

	if (why)
		return why;
	ready(t);
	*place = (struct batch_place){ .start = t->code.returns.copies,
		                       .size = copies * t->b->body_size };
	return NULL;
}

const char *batch_once(struct batch *t, const struct batch_hooks *hooks)
{
	struct once once = { .t = t, .hooks = hooks };
	bool returned = platform_protect(run_once, &once, t->b->name);
	const char *why;

	keep_walk(t->b, returned);
	if (!returned)
		hooks->stop(hooks->arg);
	why = ending(t, returned);
	return why || once.started ? why : "the counters could not be programmed";
}

const char *batch_pass(struct batch *t, uint32_t copies, uint32_t loop,
                       const struct batch_hooks *hooks, struct batch_place *place)
{
	const char *why = batch_build(t, copies, loop, place);

	return why ? why : batch_once(t, hooks);
}

const uint64_t *batch_windows(void)
{
	return windows;
}

uint64_t batch_read_before(unsigned i)
{
	return code_value(state->start[i]);
}

uint64_t batch_read_after(unsigned i)
{
	return code_value(state->end[i]);
}

bool batch_init(const struct bench_run *run)
{
	size_t size;

	area = &run->area;
	made[0] = 0;
	fence = platform_fence(run->cpu);
	knowns[0].cpl = knowns[1].cpl = NO_CPL;
	guest_init();
	platform_init(run->cpu);
	if (!area->data || !area->stack || !platform_code(&size) || size < 2 * CORE_CLOCK_CODE)
		return false;
	platform_open(&user_page, sizeof(user_page));
	platform_open(area->data, BENCH_DATA);
	platform_open(area->stack - BENCH_STACK / 2, BENCH_STACK);
	platform_open(area->arena, area->arena_size);
	return true;
}
