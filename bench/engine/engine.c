/*
 * The engine (bench/engine/engine.h): builds the routine, runs it, keeps every sample.
 *
 * mode=total	run(body) - run(empty)		what one pass costs, fixed costs of the bracket removed
 * mode=rate	run(2n copies) - run(n copies)	n copies in the steady state: every fixed cost cancels
 */
#include "bench/engine/engine.h"
#include "bench/engine/code.h"
#include "bench/engine/ground.h"
#include "kernel/log.h"
#include "kernel/string.h"

enum {
	SAMPLES = ARGS_RUNS_MAX, /* most samples of one code */
	RUNS_MIN = 8,            /* samples before the minimum may count as stable */
	CORE_MIN = 4,            /* samples with a known core clock that must do after RUNS_MAX */
	RUNS_MAX = 64,           /* samples after which it has to do */
	STABLE = 8,              /* samples in a row without a new minimum */
	TIMEOUT_MS = 2000,       /* one run of a code may take so long */
	WARMUP = 3,              /* lines cached, lengths and branches learnt */
	REMINDERS = 2,           /* of a two-bit branch counter that the engine's branches share */
	REMINDED_TICKS = 65536,  /* longest run that a missed branch would show in */
	CODE_TARGET = 512, /* bytes of copies in a rate run: well inside every first-level cache */
	COPIES_MAX = 64,
	CHAIN_BYTES = 2048, /* of the code buffer for a chain */
	CHAIN_PARTS = 3,
	COST_LOOP = 16, /* rounds of the short chains that tell what the bracket costs */
	CHAIN_COPIES = 64,
	ADD_LOOP = 256,      /* 16384 adds: a TSC that counts in steps of 25 is 0.2 % off */
	CHAIN_PAIRS = 31,    /* runs of both chains that tell their fixed cost */
	STEADY = 100,        /* two chains may differ by one part in so many */
	MUL_LOOP = 64,       /* rounds of the second chain */
	COPIES_TARGET = 512, /* copies times loop of a rate run where the TSC counts every tick */
	RESOLUTION_MAX = 16, /* ... times the resolution, up to this */
	TICKS_TARGET = 1300, /* length of a rate run beside chains, times the same */
	PILOT_LOOP = 16,     /* rounds that make a bracket small against a body */
	SERIES_ATTEMPTS = 4, /* a series with a disturbed run is done again from the start */
};

#define SIGN ((uint64_t)1 << 63)

/*
 * What the routine writes has a page of its own, for guarded code may write there; in its middle, because
 * the data areas of snippets begin where pages begin.
 */
static struct {
	uint8_t before[2048];
	struct code_state s;
	uint8_t after[2048 - sizeof(struct code_state)];
} state_page __attribute__((aligned(4096)));
static struct code_state *const state = &state_page.s;
static struct code_state chain_state;
static uint64_t samples[2][ENGINE_QUANTITIES][SAMPLES];
static const struct bench_area *area;
static enum host_fence fence;

/*
 * The core clock where it is not known otherwise: a chain of dependent adds takes a clock an add. A
 * chain of multiplications takes mul_clocks each, a whole number that the first chain tells once for
 * all; from then on each is a check on the other.
 */
struct chain {
	void (*run)(void); /* NULL: there is none */
	uint64_t fixed;    /* TSC ticks that are not of the chain: bracket, end of the loop */
};

static struct chain adds, muls;
static uint32_t mul_clocks;
static uint32_t resolution; /* TSC ticks between two values that it can have, at least 1 */

struct routine {
	void (*entry)(void);
	const void *ring3_return;
};

/* What one batch of runs needs and gives; passed through host_protect(). */
struct batch {
	const struct bench_run *run;
	const struct bench *b;
	const struct pmu_group *group;
	struct routine code;
	uint64_t (*into)[SAMPLES];
	uint32_t fixed_runs; /* 0: until stable */
	uint32_t warmup;
	bool remind;     /* sampling: the predictors are to have seen nothing else just before */
	bool guarded;    /* it is the user's own code */
	bool trial;      /* once, in single steps where that makes a difference */
	bool escaped;    /* it came back, but not past its end */
	bool flush;      /* empty the caches before the first run */
	uint32_t n;      /* samples kept */
	uint32_t n_core; /* ... with a known core clock: in into[ENGINE_CORE] */
	uint32_t unsteady, shared;
	bool interrupted; /* interrupts do not count: there is no run without */
	struct engine_dropped dropped;
};

static void preset(const struct bench *b, uint32_t data_offset)
{
	uintptr_t data = (uintptr_t)area->data + data_offset;

	for (unsigned r = 0; r < BENCH_REGS; r++)
		state->in[r] = r;
	state->in[REG_AX] = 1;
	state->in[REG_CX] = 2;
	state->in[REG_DX] = 3;
	state->in[REG_SI] = data;
	state->in[REG_DI] = data + 0x10000;
	state->in[REG_BX] = data + 0x20000;
	state->in[REG_SP] = state->in[REG_BP] = (uintptr_t)area->stack;
	for (unsigned r = 0; r < 8; r++)
		if (b->set_mask >> r & 1)
			state->in[r] = b->set[r];
}

static uint64_t joined(const uint32_t v[2])
{
	return (uint64_t)v[1] << 32 | v[0];
}

static uint64_t state_ticks(const struct code_state *s)
{
	return joined(s->end_tsc) - joined(s->start_tsc);
}

static uint64_t tsc_delta(void)
{
	return state_ticks(state);
}

static uint64_t slot_delta(const struct pmu_slot *slot, unsigned i)
{
	uint64_t mask = slot->width < 64 ? ((uint64_t)1 << slot->width) - 1 : ~(uint64_t)0;

	return (joined(state->end[i]) - joined(state->start[i])) & mask;
}

/* Is the sample that just ended clean? If not, counts the reason. */
static bool clean(const struct host_noise *before, struct engine_dropped *d, bool interrupted)
{
	struct host_noise now = host_noise();

	if (now.timer != before->timer)
		d->timer++; /* its tick may have been an NMI */
	else if (now.nmi != before->nmi)
		d->nmi++;
	else if (now.mce != before->mce)
		d->mce++;
	else if (now.smi != before->smi)
		d->smi++;
	else if (now.interrupt != before->interrupt && !interrupted)
		d->interrupt++;
	else if (!tsc_delta() || tsc_delta() >> 40)
		d->gap++;
	else
		return true;
	return false;
}

static uint32_t dropped_all(const struct engine_dropped *d)
{
	return d->nmi + d->mce + d->smi + d->timer + d->interrupt + d->gap;
}

/*
 * A code that takes longer than the watchdog's tick would have one in every sample. Once that has been
 * seen the code has come back by itself, so the rest of the batch goes without the watchdog.
 */
static void one_run(struct batch *t)
{
	uint32_t ms = t->run->args->timeout ? t->run->args->timeout : TIMEOUT_MS;

	host_watch(t->dropped.timer ? 0 : ms, t->b->name, t->b->user);
	for (int i = 0; t->remind && tsc_delta() < REMINDED_TICKS && i < REMINDERS; i++)
		host_run(t->code.entry, t->guarded);
	state->end_tsc[0] = state->end_tsc[1] = 0;
	if (t->trial)
		host_try(t->code.entry);
	else
		host_run(t->code.entry, t->guarded);
	t->escaped = !joined(state->end_tsc);
	if (t->b->walk)
		state->in[REG_SI] = state->out_si;
}

/* TSC ticks of a chain now. */
static uint64_t chain_ticks(const struct chain *c)
{
	c->run();
	return state_ticks(&chain_state) - c->fixed;
}

/* The core's clock around a sample: what its ticks are worth. */
struct core_clock {
	uint64_t adds[2], muls[2]; /* ticks of the chains before and after */
};

static void clock_before(struct core_clock *c)
{
	c->adds[0] = chain_ticks(&adds);
	c->muls[0] = mul_clocks ? chain_ticks(&muls) : 0;
}

static void clock_after(struct core_clock *c)
{
	c->muls[1] = mul_clocks ? chain_ticks(&muls) : 0;
	c->adds[1] = chain_ticks(&adds);
}

static bool close(uint64_t a, uint64_t b)
{
	return a && b && (a < b ? b - a : a - b) * STEADY <= a;
}

/*
 * Another thread on the same core takes issue slots now and then. That delays a chain of adds by a
 * few parts in a hundred and the body by others, but hardly one of multiplications, which waits for
 * its own results most of the time.
 */
static bool unshared(const struct core_clock *c)
{
	const uint64_t rounds = mul_clocks * MUL_LOOP;

	return !mul_clocks || (close(c->adds[0] * rounds, c->muls[0] * ADD_LOOP) &&
	                       close(c->adds[1] * rounds, c->muls[1] * ADD_LOOP));
}

/* Keeps the sample that just ended in thousandths of core clocks, whatever frequency the core had. */
static void keep_core(struct batch *t, const struct core_clock *c)
{
	const uint64_t clocks = 2 * CHAIN_COPIES * (ADD_LOOP + mul_clocks * MUL_LOOP);

	if (!close(c->adds[0], c->adds[1]))
		t->unsteady++;
	else if (!unshared(c))
		t->shared++;
	else
		t->into[ENGINE_CORE][t->n_core++] =
			tsc_delta() * 1000 * clocks /
			(c->adds[0] + c->adds[1] + c->muls[0] + c->muls[1]);
}

/* Has the minimum of the TSC stood for long enough, and is the core clock known often enough? */
static bool stable(const struct batch *t, uint32_t since_minimum)
{
	if (t->fixed_runs)
		return t->n >= t->fixed_runs;
	return t->n >= RUNS_MAX || (t->n >= RUNS_MIN && since_minimum >= STABLE &&
	                            (!adds.run || t->n_core >= RUNS_MIN));
}

static void run_batch(void *arg)
{
	struct batch *t = arg;
	uint64_t minimum = ~(uint64_t)0;
	uint32_t since_minimum = 0;
	uint32_t limit = RUNS_MIN + 2 * (t->fixed_runs ? t->fixed_runs : RUNS_MAX);

	if (t->guarded)
		host_guard();
	if (t->trial) {
		one_run(t);
		return;
	}
	if (t->flush)
		host_flush_caches();
	for (uint32_t i = 0; i < t->warmup && !t->escaped; i++) {
		one_run(t);
		bench_heartbeat(t->run, t->b->name);
	}
	t->remind = t->warmup && !t->b->walk && !adds.run;
	while (!t->escaped && !stable(t, since_minimum) &&
	       t->n + dropped_all(&t->dropped) < limit) {
		struct host_noise before = host_noise();
		struct core_clock clock = { .adds = { 0 } };

		if (adds.run)
			clock_before(&clock);
		one_run(t);
		if (t->escaped)
			break;
		if (adds.run)
			clock_after(&clock);
		/* None without an interrupt so far: no run is short enough to escape. */
		t->interrupted |= !t->n && t->dropped.interrupt >= RUNS_MIN;
		if (!clean(&before, &t->dropped, t->interrupted))
			continue;
		if (adds.run)
			keep_core(t, &clock);
		t->into[0][t->n] = tsc_delta();
		for (unsigned i = 0; t->group && i < t->group->n; i++)
			t->into[1 + i][t->n] = slot_delta(&t->group->slots[i], i);
		since_minimum = tsc_delta() < minimum ? 0 : since_minimum + 1;
		if (tsc_delta() < minimum)
			minimum = tsc_delta();
		t->n++;
		bench_heartbeat(t->run, t->b->name);
	}
	/* No time that can be: the end was written by something else than the end of the bracket. */
	if (!t->n && t->dropped.gap && t->b->user)
		t->escaped = true;
}

bool engine_guards(const struct bench_run *run, const struct bench *b)
{
	return b->user && run->args->guard == GUARD_ON && host_can_guard();
}

static const char *build(const struct bench_run *run, const struct bench *b,
                         const struct pmu_group *group, uint32_t copies, uint32_t loop,
                         struct routine *out)
{
	size_t size;
	uint8_t *buf = host_code(&size);
	struct code_request rq = {
		.b = b,
		.group = group,
		.state = state,
		.fence = fence,
		.copies = copies,
		.loop = loop,
		.cpl = run->args->cpl,
		.offset = run->args->code_offset_set ? (int32_t)run->args->code_offset : -1,
	};

	out->entry = code_generate(buf + CHAIN_PARTS * CHAIN_BYTES,
	                           size - CHAIN_PARTS * CHAIN_BYTES, &rq, &out->ring3_return);
	return out->entry ? NULL : "the copies do not fit the code buffer";
}

/*
 * Memory and registers as b wants them. A walk through memory that was made for the code or group before
 * goes on where it stands: making it anew costs a pass over all of the footprint each time.
 */
static void prepare(const struct bench *b)
{
	static char made[BENCH_NAME];

	if (!b->setup)
		return;
	if (b->walk && !strcmp(made, b->name)) {
		state->in[REG_SI] = state->out_si;
		return;
	}
	b->setup(b, area);
	memcpy(made, b->name, sizeof(made));
}

/* It jumped over the end of the bracket, or returned from within. */
static void log_escape(const struct bench *b)
{
	log_begin("trap");
	log_str("snippet", b->name);
	log_str("name", "escape");
	log_end();
}

/* One code, all its samples. */
static const char *sample(struct batch *t, uint32_t copies, uint32_t loop)
{
	const char *why = build(t->run, t->b, t->group, copies, loop, &t->code);
	bool returned;

	if (why)
		return why;
	t->n = t->n_core = t->unsteady = t->shared = 0;
	t->guarded = engine_guards(t->run, t->b);
	preset(t->b, t->run->args->data_offset);
	prepare(t->b);
	host_reset_fpu();
	host_ring3_return(t->code.ring3_return);
	if (t->group && !pmu_start(t->group))
		return "the counters could not be programmed";
	returned = host_protect(run_batch, t, t->b->name);
	if (t->group)
		pmu_stop();
	host_reset_fpu();
	if (t->escaped)
		log_escape(t->b);
	if (!returned || t->escaped)
		return "it was ended: see the trap or timeout record before this one";
	return t->n || t->trial ? NULL : "every sample was disturbed";
}

/*
 * What one reading can tell apart: 1 where the TSC counts clocks, tens of ticks where a slower clock
 * is multiplied up. Brackets around 0, 1, 2 ... NOPs differ by less than that, so the smallest
 * difference between their readings is the step of the TSC.
 */
static uint32_t measure_resolution(const struct bench_run *run)
{
	static const uint8_t nop = 0x90;
	static const struct bench nops = {
		.name = "TSC step", .needs = "", .body = &nop, .body_size = 1
	};
	static uint64_t seen[COPIES_MAX];
	uint64_t step = RESOLUTION_MAX;

	for (uint32_t i = 0; i < COPIES_MAX; i++) {
		struct batch t = {
			.run = run, .b = &nops, .into = samples[0], .fixed_runs = 1, .warmup = 1
		};

		if (sample(&t, i, 1))
			return 1;
		seen[i] = samples[0][0][0];
	}
	stats_of(seen, COPIES_MAX);
	for (uint32_t i = 1; i < COPIES_MAX; i++)
		if (seen[i] != seen[i - 1] && seen[i] - seen[i - 1] < step)
			step = seen[i] - seen[i - 1];
	return (uint32_t)step;
}

/* Does the TSC itself count core clocks, as it did until clocks began to change under it? */
static bool tsc_is_core_clock(const struct cpu *cpu)
{
	return cpu->pmu_class == PMU_CLASS_P5 || cpu->pmu_class == PMU_CLASS_P5MMX ||
	       cpu->pmu_class == PMU_CLASS_P6;
}

/* Writes a chain of one instruction to the index-th part of the code buffer; NULL if it does not fit. */
static void (*chain_code(const struct bench *b, unsigned index, uint32_t loop))(void)
{
	struct code_request rq = { .b = b,
		                   .state = &chain_state,
		                   .fence = fence,
		                   .copies = CHAIN_COPIES,
		                   .loop = loop,
		                   .offset = -1 };
	const void *unused;
	size_t size;

	return code_generate(host_code(&size) + index * CHAIN_BYTES, CHAIN_BYTES, &rq, &unused);
}

/*
 * What a run of a chain costs besides its instructions: twice a short run less a run of twice the
 * rounds, from neighbours in time, so that a change of the core's clock does not get in.
 */
static uint64_t chain_cost(const struct bench *b, unsigned index)
{
	uint64_t *cost = samples[0][0];
	void (*once)(void) = chain_code(b, index, COST_LOOP);
	void (*twice)(void) = chain_code(b, index + 1, 2 * COST_LOOP);
	uint64_t median;

	for (unsigned i = 0; once && twice && i < CHAIN_PAIRS; i++) {
		once();
		cost[i] = 2 * state_ticks(&chain_state);
		twice();
		cost[i] += SIGN - state_ticks(&chain_state); /* below 0 sorts before above 0 */
	}
	median = stats_of(cost, CHAIN_PAIRS).med;
	return median > SIGN ? median - SIGN : 0;
}

static bool make_chain(struct chain *c, const struct bench *b, unsigned index, uint32_t loop)
{
	c->fixed = chain_cost(b, index);
	c->run = chain_code(b, index, loop);
	return c->run != NULL;
}

/* Clocks of a multiplication by the adds, the nearest whole number; 0 if none is within a quarter. */
static uint32_t measure_mul(void)
{
	enum { PART = 16 };
	uint64_t *clocks = samples[0][0]; /* in parts */
	uint64_t median;

	for (unsigned i = 0; i < CHAIN_PAIRS; i++) {
		uint64_t ticks = chain_ticks(&adds);

		clocks[i] = ticks ? chain_ticks(&muls) * PART * ADD_LOOP / MUL_LOOP / ticks : 0;
	}
	median = stats_of(clocks, CHAIN_PAIRS).med + PART / 4;
	return median % PART <= PART / 2 ? (uint32_t)(median / PART) : 0;
}

/* The chains, where no counter counts core clocks. They run at CPL 0 or as the process does. */
static void build_chains(const struct bench_run *run)
{
	static const uint8_t add[] = { 0x01, 0xc8 };       /* ADD EAX, ECX */
	static const uint8_t mul[] = { 0x0f, 0xaf, 0xc1 }; /* IMUL EAX, ECX */
	static const struct bench b[2] = {
		{ .name = "adds", .body = add, .body_size = sizeof(add) },
		{ .name = "multiplications", .body = mul, .body_size = sizeof(mul) },
	};

	adds.run = NULL;
	if (run->plan.ngroups || tsc_is_core_clock(run->cpu))
		return;
	chain_state = *state;
	if (make_chain(&muls, &b[1], 0, MUL_LOOP) && make_chain(&adds, &b[0], 1, ADD_LOOP))
		mul_clocks = measure_mul();
	log_begin("clock");
	log_str("source", "chains");
	log_dec("mul_clocks", mul_clocks);
	log_end();
}

bool engine_init(const struct bench_run *run)
{
	size_t size;

	area = &run->area;
	fence = host_fence(run->cpu);
	host_init(run->cpu);
	if (!area->data || !area->stack || !host_code(&size) || size < 2 * CODE_TARGET)
		return false;
	host_open(&state_page, sizeof(state_page));
	host_open(area->data, BENCH_DATA);
	host_open(area->stack - BENCH_STACK / 2, BENCH_STACK);
	host_open(area->arena, area->arena_size);
	resolution = measure_resolution(run);
	build_chains(run);
	return true;
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
		uint32_t target = COPIES_TARGET * resolution;

		out->copies = b->unroll ? b->unroll : clamp(CODE_TARGET / bytes / 2, 1, COPIES_MAX);
		out->loop = b->loop ? b->loop : clamp(target / out->copies, 1, target);
	}
	if (run->args->unroll)
		out->copies = run->args->unroll;
	if (run->args->loop)
		out->loop = run->args->loop;
}

/*
 * A number of core clocks is as good as its run is long against a step of the TSC, and costs as much
 * time: so short runs first, which tell how many rounds the others need. A walk through memory is
 * left out: it must come by every line.
 */
static const char *pick_length(const struct bench_run *run, const struct bench *b,
                               struct engine_result *out)
{
	const uint32_t target = TICKS_TARGET * resolution;

	if (!adds.run || out->mode != MODE_RATE || b->loop || b->walk || run->args->loop)
		return NULL;
	for (uint32_t loop = 1; loop; loop = loop < PILOT_LOOP ? PILOT_LOOP : 0) {
		struct batch t = {
			.run = run, .b = b, .into = samples[0], .fixed_runs = RUNS_MIN, .warmup = 1
		};
		const char *why = sample(&t, out->copies, loop);
		uint64_t rounds;

		if (why)
			return why;
		rounds = (uint64_t)target * loop / stats_of(samples[0][0], t.n).min;
		out->loop = clamp((uint32_t)rounds, 1, COPIES_TARGET * RESOLUTION_MAX);
		if (rounds < PILOT_LOOP)
			break;
	}
	return NULL;
}

const char *engine_try(const struct bench_run *run, const struct bench *b)
{
	struct engine_result size = { .mode = pick_mode(run, b) };
	struct batch t = { .run = run, .b = b, .trial = true };
	const char *why;

	if (!engine_guards(run, b) || run->args->cpl)
		return NULL;
	pick_size(run, b, &size);
	why = sample(&t, size.copies, size.loop);
	if (!why && size.mode == MODE_RATE)
		why = sample(&t, 2 * size.copies, size.loop);
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
}

/* Are there as many samples with a known core clock as a result needs? */
static bool enough(const struct batch *t)
{
	return t->n_core >= (t->n < CORE_MIN ? t->n : CORE_MIN);
}

const char *engine_measure(const struct bench_run *run, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	struct batch t[2];
	const char *why;

	*out = (struct engine_result){ .mode = pick_mode(run, b) };
	pick_size(run, b, out);
	why = pick_length(run, b, out);
	if (why)
		return why;
	out->warmup = run->args->warmup_set ? run->args->warmup : WARMUP;
	out->n = 1 + (group ? group->n : 0);
	for (unsigned i = 0; i < 2; i++) {
		uint32_t copies = out->mode == MODE_RATE ? out->copies * (i + 1)
		                  : i                    ? out->copies
		                                         : 0;

		t[i] = (struct batch){
			.run = run,
			.b = b,
			.group = group,
			.into = samples[i],
			.fixed_runs = run->args->runs < SAMPLES ? run->args->runs : SAMPLES,
			.warmup = out->warmup,
		};
		why = sample(&t[i], copies, out->loop);
		if (why)
			return why;
		add_dropped(&out->dropped, &t[i].dropped);
		out->interrupted |= t[i].interrupted;
	}
	out->runs = t[0].n < t[1].n ? t[0].n : t[1].n;
	for (unsigned q = 0; q < out->n; q++) {
		struct stats less = stats_of(samples[0][q], t[0].n);
		struct stats more = stats_of(samples[1][q], t[1].n);

		out->q[q] = stats_sub(&more, &less);
	}
	out->unsteady = t[0].unsteady + t[1].unsteady;
	out->shared = t[0].shared + t[1].shared;
	out->has_core = adds.run && enough(&t[0]) && enough(&t[1]);
	if (out->has_core) {
		struct stats less = stats_of(samples[0][ENGINE_CORE], t[0].n_core);
		struct stats more = stats_of(samples[1][ENGINE_CORE], t[1].n_core);

		out->core = (struct stats_diff){ .min = (int64_t)(more.min - less.med),
			                         .med = (int64_t)(more.med - less.med),
			                         .max = (int64_t)(more.max - less.med) };
	}
	return NULL;
}

const char *engine_bracket(const struct bench_run *run, const struct pmu_group *group,
                           struct stats_diff *out)
{
	static const struct bench nothing = { .name = "bracket", .needs = "" };
	const struct stats zero = { .n = 1, .at_min = 1 };
	struct batch t = {
		.run = run, .b = &nothing, .group = group, .into = samples[0], .warmup = WARMUP
	};
	const char *why = sample(&t, 0, 1);
	struct stats s;

	if (why)
		return why;
	s = stats_of(samples[0][0], t.n);
	*out = stats_sub(&s, &zero);
	return NULL;
}

const char *engine_series(const struct bench_run *run, const struct bench *b, uint32_t n,
                          int64_t ticks[ENGINE_SERIES])
{
	struct batch t = {
		.run = run, .b = b, .into = samples[0], .fixed_runs = RUNS_MIN, .warmup = WARMUP
	};
	const char *why = sample(&t, 0, 1);
	uint64_t empty;

	if (why)
		return why;
	empty = stats_of(samples[0][0], t.n).min;
	for (unsigned i = 0; i < SERIES_ATTEMPTS; i++) {
		t = (struct batch){
			.run = run, .b = b, .into = samples[1], .fixed_runs = n, .flush = true
		};
		why = sample(&t, 1, 1);
		if (why)
			return why;
		if (!dropped_all(&t.dropped))
			break;
	}
	for (uint32_t i = 0; i < t.n; i++)
		ticks[i] = (int64_t)(samples[1][0][i] - empty);
	return dropped_all(&t.dropped) ? "a run of the series was disturbed" : NULL;
}
