/*
 * bench/coherence/litmus.c: what it counts and what it says of it. The parts of the threads are
 * those of this file, so that an outcome that no x86 shows can be shown here.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/coherence/litmus.c"

enum { SOME = 5, TEXT = 1 << 16 };

const uint32_t cpu_pool_patience_ms = 2000;
static char text[TEXT];
static size_t length;
static unsigned cpus = 4, late = THREADS;

/* The outcome that comes in every round, of the test and of its control; how old the loads are. */
static unsigned shown, control_shows;
static uint32_t age = 1;

static void sink(const char *line, size_t n)
{
	assert_true(length + n < TEXT);
	memcpy(text + length, line, n);
	length += n;
	text[length] = 0;
}

void generated_base(struct bench *b, const char *what, const char *needs)
{
	*b = (struct bench){ .what = what, .needs = needs };
}

/* The first thread speaks for all. */
static void say(uint8_t *area, uint32_t value)
{
	const struct litmus *t = trial.test;
	unsigned outcome = trial.parts == t->control ? control_shows : shown;

	for (unsigned i = 0; i < registers_of(t); i++)
		*(uint32_t *)(area + t->at[i]) = outcome >> i & 1 ? value : value - age;
}

#define FIRST(name)                           \
	void name(void *area, uint32_t value) \
	{                                     \
		say(area, value);             \
	}
#define OTHER(name)                           \
	void name(void *area, uint32_t value) \
	{                                     \
		(void)area;                   \
		(void)value;                  \
	}
FIRST(litmus_write_x)
FIRST(litmus_write_x_y)
FIRST(litmus_write_y_x)
FIRST(litmus_store_x_load_y_0)
FIRST(litmus_store_y_load_x_0)
FIRST(litmus_swap_x_load_y_0)
FIRST(litmus_load_x_store_y_0)
OTHER(litmus_write_y)
OTHER(litmus_read_y_x_1)
OTHER(litmus_read_x_y_2)
OTHER(litmus_read_y_x_2)
OTHER(litmus_read_y_x_3)
OTHER(litmus_read_x_y_3)
OTHER(litmus_store_y_load_x_1)
OTHER(litmus_store_x_load_y_1)
OTHER(litmus_swap_y_load_x_1)
OTHER(litmus_load_y_store_x_1)

unsigned cpu_pool_size(void)
{
	return cpus;
}

static void *begin(void *data)
{
	take_part(NULL, (unsigned)(uintptr_t)data);
	return NULL;
}

/* The member `late` never comes. */
const char *cpu_pool_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                         void *data)
{
	pthread_t thread[THREADS];

	(void)data;
	assert_ptr_equal(work, take_part);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(who[i], i);
		if (i != late)
			assert_int_equal(
				pthread_create(&thread[i], NULL, begin, (void *)(uintptr_t)i), 0);
	}
	for (unsigned i = 0; i < n; i++)
		if (i != late)
			pthread_join(thread[i], NULL);
	return NULL;
}

/* Runs the test of this name; all wait `patience` milliseconds of a TSC of 4 GHz. */
static void run_for(const char *name, unsigned outcome, unsigned control, uint64_t patience)
{
	static const struct cpu cpu;
	static struct args args = { .loop = SOME };
	static struct bench_run run = { .cpu = &cpu, .args = &args };
	const char *skip = NULL;
	struct bench bench;
	unsigned i = 0;

	run.tsc_hz = 4000000000 * patience / cpu_pool_patience_ms;
	shown = outcome;
	control_shows = control;
	log_restart();
	length = 0;
	do
		assert_true(litmus_get(i++, &bench, &cpu, NULL, &skip));
	while (strcmp(bench.name, name));
	assert_null(skip);
	bench.perform(&run, &bench);
}

static void run_with(const char *name, unsigned outcome, unsigned control)
{
	run_for(name, outcome, control, 1000000);
}

static void must_have(const char *part)
{
	if (!strstr(text, part))
		fail_msg("no `%s` in\n%s", part, text);
}

/* Bit 0 of an outcome is the load that the log names first. */
static void allowed(void **state)
{
	(void)state;
	run_with("litmus.sb", 0, 0);
	must_have("litmus bench=litmus.sb threads=2 outcome=0,0 count=5 rounds=5 forbidden=0 #");
	assert_int_equal(log_status_now(), LOG_OK);
	run_with("litmus.sb", 1, 0);
	must_have(" outcome=0,0 count=0 rounds=5 forbidden=0 #");
	must_have(" outcome=1,0 count=5 rounds=5 forbidden=0 #");
	assert_null(strstr(text, "control"));
	assert_int_equal(log_status_now(), LOG_OK);
}

static void forbidden(void **state)
{
	static const struct {
		const char *name, *text;
		unsigned threads, bits;
	} all[] = { { "litmus.mp", "1,0", 2, 1 },
		    { "litmus.sb_locked", "0,0", 2, 0 },
		    { "litmus.lb", "1,1", 2, 3 },
		    { "litmus.iriw", "1,0,1,0", 4, 5 } };
	char part[128];

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		run_with(all[i].name, all[i].bits ^ 2, all[i].bits);
		snprintf(part, sizeof(part),
		         "bench=%s control=1 threads=%u outcome=%s count=5 rounds=5 forbidden=0 #",
		         all[i].name, all[i].threads, all[i].text);
		must_have(part);
		snprintf(part, sizeof(part),
		         "bench=%s threads=%u outcome=%s count=0 rounds=5 forbidden=1 #",
		         all[i].name, all[i].threads, all[i].text);
		must_have(part);
		assert_null(strstr(text, "warn"));
		assert_int_equal(log_status_now(), LOG_OK);
		run_with(all[i].name, all[i].bits, all[i].bits);
		snprintf(part, sizeof(part),
		         "bench=%s threads=%u outcome=%s count=5 rounds=5 forbidden=1 #",
		         all[i].name, all[i].threads, all[i].text);
		must_have(part);
		snprintf(part, sizeof(part), "error what=litmus culprit=%s why=", all[i].name);
		must_have(part);
		assert_int_equal(log_status_now(), LOG_FAIL);
	}
}

static void control_is_blind(void **state)
{
	(void)state;
	run_with("litmus.lb", 1, 2);
	must_have("warn what=litmus culprit=litmus.lb");
	assert_int_equal(log_status_now(), LOG_OK);
}

/* Neither a store of this round nor one of the round before gave that value. */
static void strange(void **state)
{
	(void)state;
	age = 2;
	run_with("litmus.sb", 1, 0);
	must_have(" outcome=strange count=5 rounds=5 forbidden=1 #");
	assert_int_equal(log_status_now(), LOG_FAIL);
	age = 1;
}

static void too_few_cpus(void **state)
{
	(void)state;
	cpus = 1;
	run_with("litmus.sb", 0, 0);
	assert_string_equal(strtok(text, "#"), "skip bench=litmus.sb why=\"needs two CPUs\" ");
	cpus = 3;
	run_with("litmus.sb", 0, 0);
	assert_null(strstr(text, "skip"));
	run_with("litmus.iriw", 0, 0);
	assert_string_equal(strtok(text, "#"), "skip bench=litmus.iriw why=\"needs four CPUs\" ");
	cpus = 4;
}

static void one_does_not_come(void **state)
{
	(void)state;
	late = 1;
	run_for("litmus.sb", 0, 0, 20);
	must_have("error what=litmus culprit=litmus.sb why=\"a thread did not come in time\"");
	assert_null(strstr(text, "outcome="));
	assert_int_equal(log_status_now(), LOG_FAIL);
	late = THREADS;
}

int main(void)
{
	static const struct CMUnitTest all[] = {
		cmocka_unit_test(allowed),          cmocka_unit_test(forbidden),
		cmocka_unit_test(control_is_blind), cmocka_unit_test(strange),
		cmocka_unit_test(too_few_cpus),     cmocka_unit_test(one_does_not_come),
	};

	log_sink(sink);
	return cmocka_run_group_tests(all, NULL, NULL);
}
