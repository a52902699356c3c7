/*
 * The arithmetic of clocks. The tests make up clocks that are exact, noisy or too slow, that wrap,
 * and that stand still.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/chipset/clock_rate.h"

/* A machine whose time moves only when it waits or reads. */
static struct {
	uint64_t ns, tsc_hz, clock_hz;
	uint64_t wait_ns;
	uint32_t offset;    /* of the clock when time is 0 */
	unsigned stolen_at; /* reading before which stolen_ns pass unseen by the clock, 0: none */
	uint64_t stolen_ns;
	unsigned readings;
	bool frozen, tsc_frozen;
} now;

static uint64_t ticks_of(uint64_t hz)
{
	return (uint64_t)((unsigned __int128)now.ns * hz / 1000000000);
}

static void fake_wait(void)
{
	now.ns += now.wait_ns;
}

static struct clock_reading fake_read(const struct clock_source *s)
{
	uint32_t ticks = now.frozen ? now.offset : now.offset + (uint32_t)ticks_of(now.clock_hz);
	uint64_t stolen = 0;

	now.readings++;
	now.ns += 1000;
	if (now.stolen_at && now.readings >= now.stolen_at)
		stolen = now.stolen_ns * now.tsc_hz / 1000000000;
	if (s->down)
		ticks = -ticks;
	return (struct clock_reading){ now.tsc_frozen ? 5 : ticks_of(now.tsc_hz) + stolen,
		                       ticks & s->mask };
}

static struct clock_source source(uint64_t hz, uint32_t mask, bool down)
{
	memset(&now, 0, sizeof(now));
	now.tsc_hz = 2592000000;
	now.clock_hz = hz;
	now.wait_ns = 300;
	return (struct clock_source){ .name = "fake",
		                      .hz = hz,
		                      .mask = mask,
		                      .down = down,
		                      .read = fake_read,
		                      .wait = fake_wait };
}

static void assert_near(uint64_t is, uint64_t want)
{
	uint64_t off = is > want ? is - want : want - is;

	if (off > want / 500)
		fail_msg("%llu is not near %llu", (unsigned long long)is, (unsigned long long)want);
}

static void good_clocks(void **state)
{
	static const struct {
		uint64_t hz;
		uint32_t mask;
		bool down;
	} cases[] = {
		{ 1193182, 0xffff, true },        { 3579545, 0xffffff, false },
		{ 3579545, 0xffffffff, false },   { 14318180, 0xffffffff, false },
		{ 100000000, 0xffffffff, false },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		static const uint64_t tsc[] = { 60000000, 100000000, 2592000000, 5700000000 };

		for (unsigned k = 0; k < 4; k++) {
			struct clock_source s = source(cases[i].hz, cases[i].mask, cases[i].down);
			struct clock_figure f;

			now.tsc_hz = tsc[k];
			now.offset = -3000; /* wraps in the middle */
			f = clock_measure(&s);
			assert_null(f.reason);
			assert_int_equal(f.rounds, 2);
			assert_int_equal(f.clock_hz, cases[i].hz);
			assert_near(f.tsc_hz, tsc[k]);
			assert_true(f.min <= f.tsc_hz && f.tsc_hz <= f.max);
			assert_in_range(now.ns, 4000000, 6000000); /* two rounds of 2 ms */
		}
	}
}

/* One of three rounds is disturbed: the median does not notice. */
static void one_bad_round(void **state)
{
	struct clock_source s = source(3579545, 0xffffff, false);
	struct clock_figure f;

	(void)state;
	now.stolen_at = 100;
	now.stolen_ns = 3000000;
	f = clock_measure(&s);
	assert_int_equal(f.rounds, 3);
	assert_near(f.tsc_hz, now.tsc_hz);
	assert_true(f.max > f.tsc_hz * 2);
}

static void bad_clocks(void **state)
{
	struct clock_source s = source(1193182, 0xffff, true);
	struct clock_figure f;

	(void)state;
	now.frozen = true;
	f = clock_measure(&s);
	assert_string_equal(f.reason, "stands still");
	assert_int_equal(f.tsc_hz, 0);
	assert_true(now.readings < 1000);

	s = source(3579545, 0xffffff, false);
	now.clock_hz = 20000; /* a tick now and then */
	f = clock_measure(&s);
	assert_string_equal(f.reason, "too slow");
	assert_true(now.readings < 210000);

	s = source(3579545, 0xffffff, false);
	now.tsc_frozen = true;
	assert_string_equal(clock_measure(&s).reason, "the TSC stands still");
	s = source(0, 0xffffff, false);
	assert_string_equal(clock_measure(&s).reason, "impossible frequency");
}

struct crystal_case {
	uint32_t model;
	struct cpuid_regs leaf;
	uint64_t hz;
};

/* Leaf 15H as dumped from real parts (InstLatX64); the nominal frequencies are the makers'. */
static void leaf_15(void **state)
{
	static const struct crystal_case cases[] = {
		{ 0x4e, { 2, 0xd8, 0, 0 }, 2592000000 },         /* i7-6500U */
		{ 0x5e, { 2, 0xb8, 0, 0 }, 2208000000 },         /* i5-6400T */
		{ 0x5c, { 3, 0xab, 0x124f800, 0 }, 1094400000 }, /* N4200 */
		{ 0x5c, { 3, 0xab, 0, 0 }, 1094400000 },         /* the same by model */
		{ 0x7e, { 2, 0x4e, 0x249f000, 0 }, 1497600000 }, /* i7-1065G7 */
		{ 0xbd, { 2, 0xac, 0x249f000, 0 }, 3302400000 }, /* Ultra 9 288V */
		{ 0x55, { 2, 0x114, 0, 0 }, 0 },                 /* i9-7900X: crystal not told */
		{ 0x4e, { 0, 0xd8, 24000000, 0 }, 0 },
		{ 0x4e, { 2, 0, 24000000, 0 }, 0 },
		{ 0x4e, { 1, 0xffffffff, 0xffffffff, 0 }, 0xffffffffull * 0xffffffffull },
	};
	struct cpu c = { .vendor = VENDOR_INTEL, .family = 6 };

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		c.model = cases[i].model;
		assert_int_equal(clock_cpuid15_hz(&c, cases[i].leaf), cases[i].hz);
	}
	c.vendor = VENDOR_AMD;
	c.model = 0x4e;
	assert_int_equal(clock_cpuid15_hz(&c, cases[0].leaf), 0);
}

static void one_per_cent(void **state)
{
	(void)state;
	assert_false(clock_disagree(1010000000, 1000000000));
	assert_true(clock_disagree(1010000001, 1000000000));
	assert_false(clock_disagree(990000000, 1000000000));
	assert_true(clock_disagree(989999999, 1000000000));
}

static int choose(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	const struct clock_figure f[] = {
		{ .tsc_hz = a }, { .tsc_hz = b }, { .tsc_hz = c }, { .tsc_hz = d }
	};

	return clock_choose(f, 4);
}

static void majority(void **state)
{
	(void)state;
	assert_int_equal(choose(0, 0, 0, 0), -1);
	assert_int_equal(choose(0, 0, 100000, 0), 2);
	assert_int_equal(choose(100000, 100500, 100900, 99800), 0);
	assert_int_equal(choose(200000, 100500, 100900, 99800), 1); /* the first is the odd one */
	assert_int_equal(choose(200000, 100000, 0, 0), 0);          /* one each: order of trust */
	assert_int_equal(choose(0, 300000, 100000, 100000), 2);
}

/* The PM timer of the PIIX4 reads mixed bits now and then: alone against another clock it loses. */
static void weak_clock(void **state)
{
	struct clock_figure f[] = { { .tsc_hz = 0 },
		                    { .tsc_hz = 104000000, .weak = true },
		                    { .tsc_hz = 100000000 } };

	(void)state;
	assert_int_equal(clock_choose(f, 3), 2);
	f[2].tsc_hz = 104000001; /* they agree: order of trust */
	assert_int_equal(clock_choose(f, 3), 1);
	f[2].tsc_hz = 0; /* better than nothing */
	assert_int_equal(clock_choose(f, 3), 1);
	f[0].tsc_hz = 104000000; /* somebody confirms it */
	f[2].tsc_hz = 100000000;
	assert_int_equal(clock_choose(f, 3), 0);
}

static void bad_tsc(void **state)
{
	struct cpu cpu = { .vendor = VENDOR_CENTAUR, .family = 5, .model = 4 };

	(void)state;
	assert_non_null(clock_tsc_defect(&cpu));
	cpu.model = 8; /* WinChip 2 */
	assert_null(clock_tsc_defect(&cpu));
	cpu = (struct cpu){ .vendor = VENDOR_INTEL, .family = 5, .model = 4 };
	assert_null(clock_tsc_defect(&cpu));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_clocks),  cmocka_unit_test(one_bad_round),
		cmocka_unit_test(bad_clocks),   cmocka_unit_test(leaf_15),
		cmocka_unit_test(one_per_cent), cmocka_unit_test(majority),
		cmocka_unit_test(weak_clock),   cmocka_unit_test(bad_tsc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
