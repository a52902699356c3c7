/*
 * Litmus tests: what the loads of two to four threads may see of each other's stores.
 *
 * Each round, all threads pass a barrier, wait for a time that differs from round to round, and run
 * their part of the test once. Cells x and y begin a round with the value of the round before and
 * are stored once; an outcome is one bit for each load: did it see the value of this round? The
 * rules are those of the SDM, volume 3A, "Examples Illustrating the Memory-Ordering
 * Principles", and of x86-TSO; the names are those of the literature.
 *
 * A test whose outcome never comes proves something only if the outcome would have been noticed.
 * So such a test has a control: the same test with the two instructions of some threads in the
 * other order, which allows the outcome, on the same CPUs and as many rounds.
 */
#include "bench/coherence/cpu_pool.h"
#include "bench/coherence/litmus.h"
#include "bench/suite/generated.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	THREADS = 4,
	REGISTERS = 4,
	ROUNDS = 200000,
	WAIT = 127, /* the longest wait before a part, in rounds of an empty loop: 2^n - 1 */
	LIMIT_MS = 2000,
};

typedef void part(void *area, uint32_t value);
part litmus_write_x, litmus_write_y, litmus_write_x_y, litmus_write_y_x, litmus_read_y_x_1,
	litmus_read_x_y_2, litmus_read_y_x_2, litmus_read_y_x_3, litmus_read_x_y_3,
	litmus_store_x_load_y_0, litmus_store_y_load_x_1, litmus_store_y_load_x_0,
	litmus_store_x_load_y_1, litmus_swap_x_load_y_0, litmus_swap_y_load_x_1,
	litmus_load_x_store_y_0, litmus_load_y_store_x_1;

struct litmus {
	const char *name, *what;
	part *parts[THREADS], *control[THREADS];
	uint16_t at[REGISTERS]; /* of the registers in the area, in the order of the outcome */
	uint8_t asked;          /* the outcome that the test is about, its first bit for at[0] */
	bool forbidden;         /* that outcome must not come */
};

#define REG(t)  LITMUS_R(t)
#define REG2(t) (LITMUS_R(t) + LITMUS_SECOND)

static const struct litmus tests[] = {
	{ .name = "litmus.mp",
	  .what = "message passing: x=1; y=1 | a=y; b=x. 1,0 is forbidden",
	  .parts = { litmus_write_x_y, litmus_read_y_x_1 },
	  .control = { litmus_write_y_x, litmus_read_y_x_1 },
	  .at = { REG(1), REG2(1) },
	  .asked = 1,
	  .forbidden = true },
	{ .name = "litmus.sb",
	  .what = "store buffering: x=1; a=y | y=1; b=x. 0,0 is allowed",
	  .parts = { litmus_store_x_load_y_0, litmus_store_y_load_x_1 },
	  .at = { REG(0), REG(1) },
	  .asked = 0 },
	{ .name = "litmus.sb_locked",
	  .what = "store buffering with XCHG for the stores: 0,0 is forbidden",
	  .parts = { litmus_swap_x_load_y_0, litmus_swap_y_load_x_1 },
	  .control = { litmus_store_x_load_y_0, litmus_store_y_load_x_1 },
	  .at = { REG(0), REG(1) },
	  .asked = 0,
	  .forbidden = true },
	{ .name = "litmus.lb",
	  .what = "load buffering: a=x; y=1 | b=y; x=1. 1,1 is forbidden",
	  .parts = { litmus_load_x_store_y_0, litmus_load_y_store_x_1 },
	  .control = { litmus_store_y_load_x_0, litmus_store_x_load_y_1 },
	  .at = { REG(0), REG(1) },
	  .asked = 3,
	  .forbidden = true },
	{ .name = "litmus.iriw",
	  .what = "independent reads: x=1 | y=1 | a=x; b=y | c=y; d=x. 1,0,1,0 is forbidden",
	  .parts = { litmus_write_x, litmus_write_y, litmus_read_x_y_2, litmus_read_y_x_3 },
	  .control = { litmus_write_x, litmus_write_y, litmus_read_y_x_2, litmus_read_x_y_3 },
	  .at = { REG(2), REG2(2), REG(3), REG2(3) },
	  .asked = 5,
	  .forbidden = true },
};

static struct trial {
	struct barrier barrier;
	uint8_t area[2][LITMUS_SIZE] __attribute__((aligned(CPU_POOL_APART)));
	volatile uint32_t last; /* the round in which all leave: set before its barrier */
	const struct litmus *test;
	part *const *parts;
	uint32_t rounds;
	uint64_t limit; /* TSC ticks */
	uint32_t count[1 << REGISTERS];
	uint32_t strange; /* rounds with a value that neither this round nor the last stored */
	uint32_t done;    /* rounds counted */
} trial;

static unsigned threads_of(const struct litmus *t)
{
	unsigned n = 0;

	while (n < THREADS && t->parts[n])
		n++;
	return n;
}

static unsigned registers_of(const struct litmus *t)
{
	unsigned n = 0;

	while (n < REGISTERS && t->at[n])
		n++;
	return n;
}

/* What came of the round that stored `value` into this area. */
static void count(const uint8_t *area, uint32_t value)
{
	const struct litmus *t = trial.test;
	unsigned outcome = 0;

	for (unsigned i = 0; i < registers_of(t); i++) {
		uint32_t old = value - *(const volatile uint32_t *)(area + t->at[i]);

		if (old > 1) {
			trial.strange++;
			return;
		}
		outcome |= (old ^ 1) << i;
	}
	trial.count[outcome]++;
}

/* The threads drift across each other: they begin at the same time in no two rounds. */
static void wait(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	for (uint32_t n = *seed >> 16 & WAIT; n; n--)
		asm volatile("");
}

/*
 * Rounds use two areas in turn. Behind the barrier of round i, no thread is still in round i - 1,
 * and no thread comes to its area again before round i + 1: there thread 0 counts it.
 */
static void take_part(void *data, unsigned member)
{
	uint64_t start = x86_rdtsc();
	uint32_t passed = 0, seed = member + 1;

	(void)data;
	for (uint32_t i = 0; barrier_pass(&trial.barrier, &passed); i++) {
		bool leaves = i == trial.last;

		if (!leaves) {
			wait(&seed);
			trial.parts[member](trial.area[i & 1], i / 2 + 1);
		}
		if (!member && i) {
			count(trial.area[~i & 1], (i - 1) / 2 + 1);
			trial.done++;
		}
		if (leaves)
			return;
		if (!member && (i + 1 >= trial.rounds || x86_rdtsc() - start > trial.limit))
			trial.last = i + 1;
	}
}

/* Runs the test, or its control; false if a thread did not take part. */
static bool try(struct bench_run *run, const struct litmus *t, part *const *parts)
{
	static const uint16_t who[THREADS] = { 0, 1, 2, 3 };
	unsigned threads = threads_of(t);
	const char *why;

	memset(&trial, 0, sizeof(trial));
	barrier_init(&trial.barrier, threads, run->tsc_hz);
	trial.test = t;
	trial.parts = parts;
	trial.last = UINT32_MAX;
	trial.rounds = run->args->loop ? run->args->loop : ROUNDS;
	trial.limit = trial.barrier.patience / cpu_pool_patience_ms * LIMIT_MS;
	why = cpu_pool_run(who, threads, take_part, NULL);
	if (!why && trial.barrier.given_up)
		why = "a thread did not come in time";
	if (why)
		log_error("litmus", t->name, why);
	return !why;
}

static void log_outcome(const char *outcome, uint32_t n, bool forbidden)
{
	log_begin("litmus");
	log_str("bench", trial.test->name);
	if (trial.parts == trial.test->control)
		log_bool("control", true);
	log_dec("threads", trial.barrier.members);
	log_str("outcome", outcome);
	log_dec("count", n);
	log_dec("rounds", trial.done);
	log_bool("forbidden", forbidden);
	log_end();
}

/* A record for each outcome that came, and for the one that the test asks for. */
static void log_outcomes(bool forbidden)
{
	unsigned registers = registers_of(trial.test);

	for (unsigned outcome = 0; outcome < 1u << registers; outcome++) {
		bool asked = outcome == trial.test->asked;
		char text[2 * REGISTERS];

		if (!trial.count[outcome] && !asked)
			continue;
		for (unsigned i = 0; i < registers; i++) {
			text[2 * i] = (char)('0' + (outcome >> i & 1));
			text[2 * i + 1] = ',';
		}
		text[2 * registers - 1] = 0;
		log_outcome(text, trial.count[outcome], asked && forbidden);
	}
	if (trial.strange)
		log_outcome("strange", trial.strange, true);
}

static void perform(struct bench_run *run, const struct bench *b)
{
	const struct litmus *t = &tests[b->arg[0]];

	if (!cpu_pool_enough(b->name, threads_of(t)))
		return;
	if (t->forbidden && try(run, t, t->control)) {
		log_outcomes(false);
		if (!trial.count[t->asked])
			log_warn("litmus", t->name,
			         "the control did not see the outcome either: this proves little");
	}
	if (!try(run, t, t->parts))
		return;
	log_outcomes(t->forbidden);
	if (trial.strange || (t->forbidden && trial.count[t->asked]))
		log_error("litmus", t->name, "an outcome came that the memory model forbids");
}

static bool litmus_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	(void)cpu;
	(void)area;
	(void)skip;
	if (i >= sizeof(tests) / sizeof(tests[0]))
		return false;
	generated_base(b, tests[i].what, "");
	memcpy(b->name, tests[i].name, strlen(tests[i].name) + 1);
	b->perform = perform;
	b->arg[0] = i;
	return true;
}

static const struct bench_source litmus = { .name = "litmus",
	                                    .prefix = "litmus.",
	                                    .get = litmus_get };
BENCH_SOURCE(litmus);
