/*
 * The engine on modelled time stamp counters (TSCs): how long its runs are, what it says of the
 * core's clock, and whether the error that it admits holds. The routine is not machine code here: a
 * run of it advances the model.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/engine/code.h"
#include "bench/engine/core_clock.h"
#include "bench/engine/guest.h"
#include "bench/engine/engine.h"
#include "bench/engine/platform.h"
#include "bench/engine/progress.h"
#include "bench/engine/sizing.h"
#include "kernel/lib/log.h"

/* A TSC and a core clock. */
struct model {
	const char *name;
	double step;   /* ticks from one value of the TSC to the next; values are whole numbers */
	double ratio;  /* ticks in one core clock */
	double drift;  /* by which part the core's clock changes to and fro ... */
	double period; /* ... within so many core clocks */
	double jitter; /* core clocks that a run takes longer, at most */
	bool locked;   /* every run begins at the same moment of the step */
	bool exact;    /* no error is to be admitted */
};

static const struct model models[] = {
	{ "one", 1, 1, 0, 1, 0, true, true },
	{ "one, faster core", 1, 0.7, 0, 1, 0, false, false },
	{ "half a percent", 1, 1.005, 0, 1, 0, false, false },
	{ "two", 2, 0.7, 0, 1, 0, false, false },
	{ "two, jitter", 2, 0.7, 0, 1, 6, false, false },
	{ "24 or 25", 24.5, 0.9, 0, 1, 0, false, false },
	{ "24 or 25, in step", 24.5, 1, 0, 1, 0, true, false },
	{ "24 or 25, jitter", 24.5, 0.75, 0, 1, 10, false, false },
	{ "26", 26, 0.8, 0, 1, 0, false, false },
	{ "26, in step", 26, 1, 0, 1, 0, true, false },
	{ "36 or 37", 36.36, 1.1, 0, 1, 0, false, false },
	{ "36 or 37, slow core", 36.36, 3, 0, 1, 0, false, false },
	{ "drift", 1, 0.9, 0.03, 1e9, 0, false, false },
	{ "24 or 25, fast drift", 24.5, 0.9, 0.03, 2e7, 0, false, false },
	{ "36 or 37, drift, jitter", 36.36, 0.9, 0.02, 1e8, 8, false, false },
};

enum {
	MODELS = sizeof(models) / sizeof(models[0]),
	BRACKET = 31,
	CODE = 64 * 1024,
	SLOTS = 4,
	HOST_MISSES = 5 /* of each copy behind the host */
};

static const struct model *model;
static double clocks, ticks; /* since the start, in core clocks and in unrounded TSC ticks */
static uint32_t seed;

static double chance(void)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) / (double)(1 << 24);
}

static void pass(double n)
{
	/* In pieces, so that a drift shows within a run. */
	while (n > 0) {
		double piece = n < 1000 ? n : 1000;
		double phase = 2 * M_PI * clocks / model->period;

		clocks += piece;
		ticks += piece * model->ratio * (1 + model->drift * sin(phase));
		n -= piece;
	}
}

static void read_tsc(uint32_t to[2])
{
	uint64_t v = (uint64_t)floor(floor(ticks / model->step) * model->step);

	to[0] = (uint32_t)v;
	to[1] = (uint32_t)(v >> 32);
}

/* --- the routine --- */

static uint8_t buffer[CODE];
static struct slot {
	const uint8_t *buf;
	struct code_request rq;
} slots[SLOTS];

/* Core clocks of a body by its first byte. */
static double body_clocks(const struct bench *b)
{
	switch (b->body_size ? b->body[0] : 0) {
	case 0x01: /* ADD */
		return 1;
	case 0x0f: /* IMUL */
		return 3;
	case 0xf7: /* DIV */
		return 41;
	case 0x90: /* NOP */
		return 0.25;
	default:
		return 0;
	}
}

/* What the counters count in so many passes; each miss of the host's making is one of a copy. */
static void count_slots(const struct code_request *rq, uint32_t passes)
{
	const uint32_t body =
		rq->copies * rq->loop * rq->b->insns + (rq->loop > 1 ? 2 * rq->loop : 0);
	struct code_state *state = rq->state;

	for (unsigned i = 0; rq->group && i < rq->group->n; i++) {
		const char *key = rq->group->slots[i].key;

		state->start[i][0] = state->start[i][1] = state->end[i][1] = 0;
		if (!strcmp(key, "ref-cycles"))
			state->end[i][0] = state->end_tsc[0] -
			                   (passes > 1 ? state->first_tsc : state->start_tsc)[0];
		else if (!strcmp(key, "instructions"))
			state->end[i][0] = passes * (7 + body);
		else
			state->end[i][0] = passes * (3 + rq->copies) + HOST_MISSES * rq->copies;
	}
}

static void run_slot(const struct slot *s)
{
	const struct code_request *rq = &s->rq;
	const uint32_t passes = rq->passes ? rq->passes : 1;

	pass(100 + 50 * chance());
	if (model->locked)
		ticks = ceil(ticks / model->step) * model->step;
	read_tsc(rq->state->first_tsc);
	for (uint32_t i = 0; i < passes; i++) {
		read_tsc(rq->state->start_tsc);
		if (!i && rq->group)
			pass(HOST_MISSES * rq->copies);
		pass(BRACKET + chance() * model->jitter);
		pass(rq->copies * (double)rq->loop * body_clocks(rq->b) + (rq->loop > 1 ? 12 : 0));
		read_tsc(rq->state->end_tsc);
	}
	count_slots(rq, passes);
	pass(200);
}

static void run_0(void)
{
	run_slot(&slots[0]);
}
static void run_1(void)
{
	run_slot(&slots[1]);
}
static void run_2(void)
{
	run_slot(&slots[2]);
}
static void run_3(void)
{
	run_slot(&slots[3]);
}

/* One slot for each place of the buffer that the engine writes a routine to. */
void (*code_generate(uint8_t *buf, size_t size, const struct code_request *rq,
                     struct code_returns *returns))(void)
{
	static void (*const entries[SLOTS])(void) = { run_0, run_1, run_2, run_3 };
	unsigned i = 0;

	(void)size;
	while (slots[i].buf && slots[i].buf != buf)
		assert_true(++i < SLOTS);
	slots[i] = (struct slot){ buf, *rq };
	*returns = (struct code_returns){ NULL, NULL, NULL };
	return entries[i];
}

/* --- the platform --- */

static uint32_t watched_ms; /* the shortest limit of a run so far */

uint8_t *platform_code(size_t *size)
{
	*size = CODE;
	return buffer;
}

void platform_watch(uint32_t ms, const char *what, bool stubborn)
{
	(void)what;
	(void)stubborn;
	if (ms && ms < watched_ms)
		watched_ms = ms;
}

bool platform_protect(void (*fn)(void *arg), void *arg, const char *what)
{
	(void)what;
	fn(arg);
	return true;
}

enum platform_fence platform_fence(const struct cpu *cpu)
{
	(void)cpu;
	return FENCE_LFENCE;
}

struct platform_noise platform_noise(void)
{
	return (struct platform_noise){ 0 };
}

/* What the engine calls and the model has no use for. */
void platform_init(const struct cpu *cpu)
{
	(void)cpu;
}
unsigned platform_user_cpl(void)
{
	return 0;
}
void platform_open(const void *start, size_t size)
{
	(void)start;
	(void)size;
}
void platform_guard(void)
{
}
void platform_flush_caches(void)
{
}

bool platform_flush_bytes(const void *start, size_t size)
{
	(void)start;
	(void)size;
	return true;
}
bool platform_privileged(void)
{
	return true;
}

static bool counters_exit;

bool platform_counters_exit(void)
{
	return counters_exit;
}
void platform_reset_fpu(void)
{
}
void platform_ring3_return(const void *from_init, const void *from_body)
{
	(void)from_init;
	(void)from_body;
}
bool pmu_single(struct pmu_group *group, const char *request, unsigned cpl)
{
	(void)cpl;
	*group = (struct pmu_group){ .n = 1 };
	strcpy(group->slots[0].key, request);
	return true;
}
bool pmu_add(struct pmu_group *group, const char *request, unsigned cpl)
{
	(void)cpl;
	if (group->n == 3) /* no counter is free */
		return false;
	group->slots[group->n].width = 48;
	strcpy(group->slots[group->n++].key, request);
	return true;
}
bool pmu_start(const struct pmu_group *group)
{
	(void)group;
	return true;
}
bool pmu_intact(void)
{
	return true;
}
void pmu_stop(void)
{
}
bool pmu_counts(void)
{
	return true;
}
bool pmu_wait(void)
{
	return true;
}
void progress(const struct bench_run *run, const char *name)
{
	(void)run;
	(void)name;
}

/* --- the tests --- */

static struct cpu cpu;
static struct args args;
static uint8_t memory[BENCH_DATA];
static struct bench_run run = { .cpu = &cpu,
	                        .args = &args,
	                        .area = { .data = memory, .stack = memory + BENCH_STACK / 2 } };

static void begin(const struct model *m, uint32_t start)
{
	model = m;
	seed = start;
	clocks = ticks = 1e6 * (1 + chance());
	watched_ms = ~(uint32_t)0;
	memset(&args, 0, sizeof(args));
	assert_true(engine_init(&run));
}

static struct bench body(const uint8_t *code, size_t size)
{
	struct bench b = { .name = "body", .body = code, .body_size = size };

	return b;
}

static const uint8_t add[] = { 0x01, 0xc8 }, imul[] = { 0x0f, 0xaf, 0xc1 }, idiv[] = { 0xf7, 0xf1 },
		     nop[] = { 0x90 };

/* True clocks and ticks of a copy; the error of both must be within what the result admits. */
static void check(const struct bench *b, const char *what)
{
	static struct engine_result r;
	const double true_clocks = body_clocks(b);
	double n, off, admitted, core_off;

	assert_null(engine_measure(&run, b, NULL, &r));
	n = (double)r.copies * r.loop;
	if (!model->drift) {
		off = fabs((double)r.q[0].med / n - true_clocks * model->ratio);
		admitted = ((double)r.tsc_error + 1) / n + model->jitter / n;
		if (off > admitted)
			fail_msg("%s, %s: tsc off by %g, admitted %g", model->name, what, off,
			         admitted);
	}
	assert_true(r.has_core);
	core_off = fabs((double)r.core.med / 1000 / n - true_clocks);
	admitted = (double)r.core_error / 1000 / n + model->jitter / n;
	if (core_off > admitted + 0.001)
		fail_msg("%s, %s: core off by %g, admitted %g", model->name, what, core_off,
		         admitted);
	if (core_off > 0.005 * true_clocks && admitted < 0.005 * true_clocks)
		fail_msg("%s, %s: core off by %g of %g", model->name, what, core_off, true_clocks);
	/* It must not get away with admitting anything. */
	if (admitted > 0.03 * true_clocks)
		fail_msg("%s, %s: admits %g of %g", model->name, what, admitted, true_clocks);
}

static void test_models(void **state)
{
	(void)state;
	for (unsigned m = 0; m < MODELS; m++) {
		for (uint32_t start = 1; start <= 5; start++) {
			struct bench b = body(add, sizeof(add));

			begin(&models[m], start);
			check(&b, "add");
			b = body(imul, sizeof(imul));
			check(&b, "imul");
			b = body(idiv, sizeof(idiv));
			check(&b, "div");
			b = body(nop, sizeof(nop));
			check(&b, "nop");
		}
	}
}

/* What a run is too short for is admitted. */
static void test_short_runs(void **state)
{
	static struct engine_result r;
	struct bench b = body(add, sizeof(add));

	(void)state;
	for (unsigned m = 0; m < MODELS; m++) {
		double off, n;

		begin(&models[m], 9);
		args.unroll = 16;
		args.loop = 1;
		assert_null(engine_measure(&run, &b, NULL, &r));
		n = r.copies * (double)r.loop;
		off = fabs((double)r.q[0].med - n * model->ratio);
		if (model->exact)
			assert_true(!r.tsc_error && off < 1);
		else if (off > (double)r.tsc_error + model->jitter + n * model->drift * 2)
			fail_msg("%s: off by %g, admitted %u", model->name, off,
			         (unsigned)r.tsc_error);
	}
}

static void test_step(void **state)
{
	static uint64_t readings[SIZING_LENGTHS][SIZING_RUNS];
	struct sizing s;

	(void)state;
	for (unsigned i = 0; i < SIZING_LENGTHS; i++)
		for (unsigned k = 0; k < SIZING_RUNS; k++)
			readings[i][k] = 60 + i;
	s = sizing_of(readings);
	assert_true(s.step == 1 && s.exact && !sizing_error(&s));
	readings[7][3] += 4000; /* a disturbance */
	s = sizing_of(readings);
	assert_true(s.step == 1 && s.exact);
	for (unsigned i = 0; i < SIZING_LENGTHS; i++)
		readings[i][i % SIZING_RUNS]++;
	s = sizing_of(readings);
	assert_true(s.step == 1 && !s.exact);
	assert_int_equal(sizing_error(&s), 2);
	assert_int_equal(sizing_ticks(&s), 2000);
	/* Every run begins at the same moment of a step of 26 */
	for (unsigned i = 0; i < SIZING_LENGTHS; i++)
		for (unsigned k = 0; k < SIZING_RUNS; k++)
			readings[i][k] = (60 + i) / 26 * 26;
	s = sizing_of(readings);
	assert_true(s.step == 26 && !s.exact);
	/* ... or of one that is longer than all of the ADDs */
	memset(readings, 0, sizeof(readings));
	s = sizing_of(readings);
	assert_true(s.step == SIZING_STEP_MAX && !s.exact);
}

static void test_rounds(void **state)
{
	const struct sizing s = { .step = 25 };

	(void)state;
	assert_int_equal(sizing_ticks(&s), 50000);
	assert_int_equal(sizing_rounds(&s, 100, 1100, 11), 501);
	assert_int_equal(sizing_rounds(&s, 100, 100, 16), SIZING_ROUNDS_MAX);
	assert_int_equal(sizing_rounds(&s, 100, 90, 16), SIZING_ROUNDS_MAX);
	assert_int_equal(sizing_rounds(&s, 0, 1 << 30, 16), 1);
}

static void test_digits(void **state)
{
	(void)state;
	assert_int_equal(sizing_digits(1234, 0), 1234);
	assert_int_equal(sizing_digits(1234, 1), 1234);
	assert_int_equal(sizing_digits(1234, 2), 1230);
	assert_int_equal(sizing_digits(1235, 10), 1240);
	assert_int_equal(sizing_digits(-1235, 10), -1240);
	assert_int_equal(sizing_digits(1234, 11), 1200);
	assert_int_equal(sizing_digits(1234, 999), 1000);
	assert_int_equal(sizing_digits(1234, 5000), 1000);
	assert_int_equal(sizing_digits(480, 110), 500);
	assert_int_equal(sizing_digits(4, 40), 4);
	assert_int_equal(sizing_digits(0, 40), 0);
}

/* The user's limit is for the user's runs. */
static void test_timeout(void **state)
{
	static struct engine_result r;
	struct bench b = body(add, sizeof(add));

	(void)state;
	begin(&models[0], 1);
	args.timeout = 5;
	watched_ms = ~(uint32_t)0;
	assert_true(engine_init(&run));
	assert_true(watched_ms > 1000);
	assert_null(engine_measure(&run, &b, NULL, &r));
	assert_int_equal(watched_ms, 5);
}

/* Samples of a guest whose counters stand still, and those whose host counts less each time. */
static void samples_of_a_guest(void **state)
{
	static struct pmu_group group = { .n = 2,
		                          .slots = { { .key = "x" }, { .key = "instructions" } } };
	const uint64_t v[] = { 7, 9, 9, 8, 9 };
	struct guest_watch w = { .insns = 1, .ref = GUEST_NONE, .expected = 1000, .bracket = 40 };

	(void)state;
	guest_init();
	assert_int_equal(guest_slot(&group), 1);
	assert_int_equal(guest_slot(NULL), GUEST_NONE);
	assert_int_equal(guest_most(v, 5), 9);
	assert_true(guest_keeps(&w, 1000, 0, 0) && !guest_keeps(&w, 1001, 0, 0));
	for (unsigned i = 0; i < 20; i++)
		assert_false(
			guest_keeps(&w, 999, 0, 0)); /* one was whole, so these lack something */
	assert_int_equal(w.stood, 20);
	w = (struct guest_watch){ .insns = 1, .ref = GUEST_NONE, .expected = 1000, .bracket = 40 };
	for (unsigned i = 0; i < 20; i++)
		assert_false(guest_keeps(&w, 0, 0, 0)); /* not even the bracket */
	w = (struct guest_watch){ .insns = 1, .ref = GUEST_NONE, .expected = 1000, .bracket = 40 };
	for (unsigned i = 0; i < 8; i++)
		assert_false(guest_keeps(&w, 990, 0, 0));
	assert_true(guest_keeps(&w, 990, 0, 0) && !w.stood); /* it is always so */
	w = (struct guest_watch){ .insns = 1, .ref = GUEST_NONE, .expected = 1000 };
	for (unsigned i = 0; i < 20; i++)
		assert_false(guest_keeps(&w, 0, 0, 0)); /* nor a bracket that counts nothing */
	w = (struct guest_watch){ .insns = GUEST_NONE, .ref = 0, .ahead = -30 };
	assert_true(guest_keeps(&w, 0, 1400, 1000));
	assert_false(guest_keeps(&w, 0, 3000, 1000));
	assert_true(w.exited == 1 && !w.exits);
	w = (struct guest_watch){ .insns = GUEST_NONE, .ref = 0, .ahead = -30 };
	for (unsigned i = 0; i < 8; i++)
		assert_false(guest_keeps(&w, 0, 3000, 1000));
	assert_true(w.exits && guest_keeps(&w, 0, 3000, 1000));
}

/* Ticks of the time stamp counter beyond what reference clocks tell. */
static void ticks_with_exits(void **state)
{
	(void)state;
	assert_false(guest_exited(12400, 12300, -300)); /* 400 more than without an exit */
	assert_true(guest_exited(12600, 12300, -300));
	assert_true(guest_exited(14000, 12300, 1700)); /* each sample has one */
	/* The rates of the two clocks differ by a part in 4096. */
	assert_false(guest_exited(100000000, 100000000 - 100000000 / 4096, -300));
	assert_true(guest_exited(100000000, 100000000 - 60000, -300));
}

/* What tells of the host comes behind the events that are asked for, where counters are free. */
static void group_of_a_guest(void **state)
{
	struct cpu cpu = { .hypervisor = "KVMKVMKVM" };
	struct pmu_group one = { .n = 1, .slots = { { .key = "x" } } };
	struct pmu_group two = { .n = 2, .slots = { { .key = "y" }, { .key = "z" } } };
	const struct pmu_group *more;

	(void)state;
	assert_ptr_equal(guest_group(&cpu, &one, 0), &one); /* no guest */
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	assert_null(guest_group(&cpu, NULL, 0));
	more = guest_group(&cpu, &one, 0);
	assert_int_equal(more->n, 3);
	assert_string_equal(more->slots[0].key, "x");
	assert_string_equal(more->slots[1].key, "instructions");
	assert_string_equal(more->slots[2].key, "ref-cycles");
	more = guest_group(&cpu, &two, 0);
	assert_int_equal(more->n, 3);
	assert_string_equal(more->slots[1].key, "z");
	assert_string_equal(more->slots[2].key, "instructions");
	assert_int_equal(one.n, 1);
	strcpy(cpu.hypervisor, "TCGTCGTCGTCG"); /* QEMU's emulator has no host that comes in */
	assert_ptr_equal(guest_group(&cpu, &one, 0), &one);
}

/* Where nothing else tells of an exit, the time of a sample does. */
static void late_samples(void **state)
{
	const uint64_t ticks[] = { 1000, 1400, 1600, 1000 };
	const uint64_t longer[] = { 1 << 22, (1 << 22) + 2500, (1 << 22) + 2600 };
	bool late[4];

	(void)state;
	assert_int_equal(guest_late(ticks, 4, GUEST_LATE, late), 1);
	assert_true(!late[0] && !late[1] && late[2] && !late[3]);
	assert_int_equal(guest_late(ticks, 0, GUEST_LATE, late), 0);
	/* A part in 2048 may have other reasons; a part in 64 where instructions are counted. */
	assert_int_equal(guest_late(longer, 3, GUEST_LATE, late), 1);
	assert_true(!late[1] && late[2]);
	assert_int_equal(guest_late(longer, 3, GUEST_LATE_COUNTED, late), 0);
}

/* Measures ADDs with an event that misses; the result for an ADD in *misses and *ticks. */
static uint32_t measure_misses(bool user, int64_t *misses, int64_t *ticks_of)
{
	static const struct pmu_group group = { .n = 1,
		                                .slots = { { .key = "misses", .width = 48 } } };
	static struct engine_result r;
	struct bench b = body(add, sizeof(add));

	b.insns = 1;
	b.user = user;
	assert_null(engine_measure(&run, &b, &group, &r));
	*misses = r.q[1].med - r.copies;
	*ticks_of = r.q[0].med - (int64_t)r.copies * r.loop;
	return r.passes;
}

/* What the host leaves cold is in no number, but in those of the user's code, which runs once. */
static void passes_of_a_guest(void **state)
{
	int64_t misses, more;

	(void)state;
	begin(&models[0], 1);
	assert_int_equal(measure_misses(false, &misses, &more), 1);
	assert_true(misses > 0 && more > 0);
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	strcpy(cpu.hypervisor, "KVMKVMKVM");
	counters_exit = true;
	begin(&models[0], 1);
	assert_int_equal(measure_misses(false, &misses, &more), 4);
	assert_true(misses == 0 && more == 0);
	assert_int_equal(measure_misses(true, &misses, &more), 1);
	assert_true(misses > 0 && more > 0);
	counters_exit = false;
	memset(&cpu, 0, sizeof(cpu));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(group_of_a_guest), cmocka_unit_test(passes_of_a_guest),
		cmocka_unit_test(late_samples),     cmocka_unit_test(test_models),
		cmocka_unit_test(test_short_runs),  cmocka_unit_test(test_step),
		cmocka_unit_test(test_rounds),      cmocka_unit_test(test_digits),
		cmocka_unit_test(test_timeout),     cmocka_unit_test(samples_of_a_guest),
		cmocka_unit_test(ticks_with_exits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
