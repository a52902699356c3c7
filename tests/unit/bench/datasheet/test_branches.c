/*
 * bench/datasheet/branches.c with the times of made-up predictors of branches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/datasheet/branches.c"

#include "bench/datasheet/sets.c"

#include "bench/datasheet/figure.c"

enum { ARENA = 4 << 20, JUMP = 2000, CALL = 4, MOST_SETS = 8192, WRONG = 17 };

struct btb {
	uint32_t ways, sets; /* 0 ways: there is none */
	int64_t miss;        /* thousandths of a tick */
};

static struct {
	struct btb direct, indirect;
	uint32_t stack;  /* return addresses; 0: all are predicted */
	int64_t wrong;   /* ticks of a wrong prediction */
	int64_t drift;   /* ticks that each call takes more than the one before */
	uint32_t noise;  /* ticks of a whole run, at most */
	int64_t core_of; /* thousandths of core clocks of a tick; 0: unknown */
} core;

static struct bench_run run;
static char log_text[1024];
static unsigned pattern; /* of the next run of random branches */

uint64_t engine_tsc_error(void)
{
	return core.noise ? 20 : 0;
}

enum sibling sibling_look(const struct bench_run *r)
{
	(void)r;
	return SIBLING_QUIET;
}

static uint32_t any(void)
{
	static uint32_t x;

	x = x * 1664525 + 1013904223;
	return x >> 16;
}

/* Of a run; the lowest bits of an address choose the set. */
static int64_t jumps_time(void)
{
	static uint32_t of_set[MOST_SETS];
	const struct btb *btb = made.indirect ? &core.indirect : &core.direct;
	const uint32_t n = made.n;
	const uint32_t rounds = (ROUNDS * n < VISITS_LEAST ? VISITS_LEAST / n : ROUNDS) + 1;
	int64_t t = (int64_t)n * JUMP;

	memset(of_set, 0, sizeof(of_set));
	for (uint32_t i = 0; btb->ways && i < n; i++)
		of_set[i * made.distance % btb->sets]++;
	for (uint32_t i = 0; btb->ways && i < btb->sets; i++)
		t += of_set[i] > btb->ways ? of_set[i] * btb->miss : 0;
	return t * rounds / 1000;
}

/* The body has ten bytes for each call, but five for the last, behind 16 others and a loop. */
static int64_t stack_time(const struct bench *b)
{
	const uint32_t n = (uint32_t)(b->body_size - 5 - 11 - 8 + 5) / 10;
	int64_t t = 0;

	assert_in_range(n, 1, CALLS);
	for (uint32_t i = 1; i <= n; i++)
		t += CALL + i * core.drift + (core.stack && i > core.stack ? core.wrong : 0);
	return t * call_rounds();
}

static int64_t branches_time(void)
{
	const bool random = pattern++ % PATTERNS == RANDOM;

	return BITS + (random ? BITS / 2 * core.wrong : 0);
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	(void)r;
	(void)group;
	memset(out, 0, sizeof(*out));
	if (strstr(b->name, ".btb"))
		out->q[0].med = jumps_time();
	else
		out->q[0].med = strstr(b->name, ".ras") ? stack_time(b) : branches_time();
	out->q[0].med += core.noise ? any() % core.noise : 0;
	out->q[0].exact = !core.noise;
	out->has_core = core.core_of != 0;
	out->core.med = out->q[0].med * core.core_of;
	return NULL;
}

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

static int fresh(void **state)
{
	static uint8_t arena[ARENA];

	(void)state;
	memset(&core, 0, sizeof(core));
	core.direct = (struct btb){ 4, 1024, 8000 };
	core.indirect = (struct btb){ 4, 1024, 20000 };
	core.stack = 16;
	core.wrong = WRONG;
	run.area = (struct bench_area){ .arena = arena, .arena_size = ARENA };
	run.core_per_tsc = 1000;
	log_sink(keep);
	return 0;
}

static void measure(void (*perform)(struct bench_run *r, const struct bench *b))
{
	const struct bench b = { .name = "datasheet.x" };

	log_text[0] = '\0';
	perform(&run, &b);
}

static void assert_found(const char *text)
{
	if (!strstr(log_text, text))
		fail_msg("no \"%s\" in %s", text, log_text);
}

static void btb(void **state)
{
	(void)state;
	measure(datasheet_btb);
	assert_found("what=btb.l1_entries value=4096 low=4096 high=4096 unit=entries by=time "
	             "verdict=sharp filler=direct");
	assert_found("what=btb.ways value=4");
}

/* The decoder finds the target of a direct jump soon: 2 clocks are the step of another cache. */
static void btb_indirect(void **state)
{
	(void)state;
	core.direct = (struct btb){ 8, 128, 2000 };
	measure(datasheet_btb);
	assert_found("what=btb.l1_entries value=4096 low=4096 high=4096 unit=entries by=time "
	             "verdict=sharp filler=indirect");
}

static void no_btb(void **state)
{
	(void)state;
	core.direct.ways = core.indirect.ways = 0;
	measure(datasheet_btb);
	assert_found("what=btb.l1_entries unit=entries by=time verdict=none");
	assert_found("what=btb.ways unit=ways by=time verdict=none");
}

/* All jumps that the arena has room for fit. */
static void large_btb(void **state)
{
	(void)state;
	core.direct.sets = core.indirect.sets = MOST_SETS;
	measure(datasheet_btb);
	assert_found("what=btb.l1_entries unit=entries by=time verdict=none");
	assert_found("why=\"no ring was slower");
}

static void noisy_btb(void **state)
{
	(void)state;
	core.noise = 3000;
	for (unsigned i = 0; i < 20; i++) {
		measure(datasheet_btb);
		if (strstr(log_text, "verdict=sharp"))
			assert_found("value=4096 low=4096 high=4096");
	}
}

static void ras(void **state)
{
	(void)state;
	for (core.stack = 4; core.stack <= 64; core.stack++) {
		char text[64];

		measure(datasheet_ras);
		snprintf(text, sizeof(text),
		         "value=%u low=%u high=%u unit=entries by=time "
		         "verdict=sharp",
		         core.stack, core.stack, core.stack);
		assert_found(text);
	}
}

/* Each call takes a little more than the one before, without a step. */
static void slope_of_calls(void **state)
{
	(void)state;
	core.stack = 0;
	measure(datasheet_ras);
	assert_found("what=ras_entries unit=entries by=time verdict=none why=\"each call costs");
	core.drift = 1;
	measure(datasheet_ras);
	assert_null(strstr(log_text, "verdict=sharp"));
}

/* Where times spread the size is a lower bound. */
static void noisy_ras(void **state)
{
	(void)state;
	core.noise = 500; /* a wrong prediction costs 128 * 17 */
	for (unsigned i = 0; i < 20; i++) {
		measure(datasheet_ras);
		assert_found("what=ras_entries value=16 low=16 unit=entries by=time verdict=rough");
	}
	core.stack = 0;
	measure(datasheet_ras);
	assert_found("verdict=none");
}

/* Calls that cost more for a while are no stack that is full. */
static void plateau(void **state)
{
	int64_t more[CALLS + 1];

	(void)state;
	for (unsigned i = 0; i <= CALLS; i++)
		more[i] = i >= 10 && i < 10 + STEEP - 1 ? 100 : 10;
	assert_int_equal(find_stack(more, 30), 0);
	for (unsigned i = 32; i <= CALLS; i++)
		more[i] = 100;
	assert_int_equal(find_stack(more, 30), 31);
	more[31] = 45; /* a part of the step: less than a half is none of it */
	assert_int_equal(find_stack(more, 30), 31);
	more[31] = 60;
	assert_int_equal(find_stack(more, 30), 30);
}

static void mispredict(void **state)
{
	(void)state;
	measure(datasheet_mispredict);
	assert_found("what=mispredict_penalty value=17 low=16 high=18 unit=clocks by=time "
	             "verdict=rough");
	core.wrong = 4;
	measure(datasheet_mispredict);
	assert_found("value=4 low=4 high=4 unit=clocks by=time verdict=sharp");
	core.core_of = 2000; /* the core has two clocks in a tick */
	measure(datasheet_mispredict);
	assert_found("value=8 low=8 high=8 unit=clocks by=time verdict=sharp");
	core.core_of = 0;
	run.core_per_tsc = 0;
	measure(datasheet_mispredict);
	assert_found("value=4 low=4 high=4 unit=ticks by=time verdict=rough");
}

static void always_right(void **state)
{
	(void)state;
	core.wrong = 0;
	measure(datasheet_mispredict);
	assert_found("what=mispredict_penalty unit=clocks by=time verdict=none");
	assert_found("why=\"a branch");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(btb, fresh),
		cmocka_unit_test_setup(btb_indirect, fresh),
		cmocka_unit_test_setup(no_btb, fresh),
		cmocka_unit_test_setup(large_btb, fresh),
		cmocka_unit_test_setup(noisy_btb, fresh),
		cmocka_unit_test_setup(ras, fresh),
		cmocka_unit_test_setup(slope_of_calls, fresh),
		cmocka_unit_test_setup(noisy_ras, fresh),
		cmocka_unit_test_setup(plateau, fresh),
		cmocka_unit_test_setup(mispredict, fresh),
		cmocka_unit_test_setup(always_right, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
