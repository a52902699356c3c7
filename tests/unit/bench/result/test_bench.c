/*
 * Statistics, snippet descriptors and the user's code of bench/. The expected values were worked
 * out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/bench.h"
#include "kernel/cpu/confirmed.h"
#include "bench/engine/platform.h"
#include "bench/engine/number.h"
#include "bench/snippet_load.h"
#include "bench/result/report.h"
#include "bench/run/table.h"
#include "bench/engine/stats.h"
#include "kernel/lib/log.h"

void platform_dropped(uint32_t exits, uint32_t apart)
{
	(void)exits;
	(void)apart;
}
bool platform_counters_exit(void)
{
	return false;
}

static size_t line_size;                      /* of the last line of the log */
static unsigned headings, rows, out_of_order; /* of the table for people */

static char last[LOG_LINE + 1];

static void take_line(const char *line, size_t n)
{
	unsigned number;

	line_size += n;
	memcpy(last, line, n);
	last[n] = '\0';
	headings += strncmp(line, "of one operation", 16) == 0;
	if (sscanf(line, "row.%u ", &number) == 1)
		out_of_order += number != rows++;
}

unsigned engine_cpl(const struct bench_run *run, const struct bench *b)
{
	(void)run;
	(void)b;
	return 0;
}

const char *cpu_pmu_class_name(enum cpu_pmu_class c)
{
	(void)c;
	return "none";
}

static void test_stats(void **state)
{
	uint64_t one[] = { 7 };
	uint64_t odd[] = { 9, 3, 3, 100, 5 };
	uint64_t even[] = { 4, 2, 8, 6 };
	uint64_t nine[] = { 9, 1, 8, 2, 7, 3, 6, 4, 5 };
	struct stats s = stats_of(NULL, 0);

	(void)state;
	assert_true(s.min == 0 && s.med == 0 && s.max == 0);
	s = stats_of(one, 1);
	assert_true(s.min == 7 && s.low == 7 && s.med == 7 && s.high == 7 && s.max == 7);
	s = stats_of(odd, 5);
	assert_true(s.min == 3 && s.low == 3 && s.med == 5 && s.high == 9 && s.max == 100);
	s = stats_of(even, 4);
	assert_true(s.min == 2 && s.low == 2 && s.med == 4 && s.high == 8 && s.max == 8);
	s = stats_of(nine, 9);
	assert_true(s.min == 1 && s.low == 3 && s.med == 5 && s.high == 7 && s.max == 9);
}

/* A generator that needs no library: the sequence is part of the test. */
static uint32_t lcg(uint32_t *x)
{
	return *x = *x * 1664525 + 1013904223;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void test_stats_against_qsort(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 500; round++) {
		uint64_t v[130], w[130];
		size_t n = 1 + lcg(&seed) % 130;
		struct stats s;

		for (size_t i = 0; i < n; i++)
			v[i] = w[i] = lcg(&seed) % 50;
		qsort(w, n, sizeof(w[0]), by_value);
		s = stats_of(v, n);
		assert_memory_equal(v, w, n * sizeof(v[0]));
		assert_true(s.min == w[0] && s.med == w[(n - 1) / 2] && s.max == w[n - 1]);
		assert_true(s.min <= s.low && s.low <= s.med && s.med <= s.high && s.high <= s.max);
	}
}

static void test_stats_sub(void **state)
{
	struct stats empty = { .min = 30, .low = 31, .med = 32, .high = 33, .max = 40 };
	struct stats body = { .min = 35, .low = 36, .med = 37, .high = 39, .max = 90 };
	struct stats flat = { .min = 30, .low = 30, .med = 30, .high = 30, .max = 30 };
	struct stats_diff d = stats_sub(&body, &empty);

	(void)state;
	assert_true(d.min == -5 && d.low == 3 && d.med == 5 && d.high == 8 && d.max == 60);
	assert_false(d.exact);
	d = stats_sub(&flat, &flat);
	assert_true(d.min == 0 && d.low == 0 && d.med == 0 && d.high == 0 && d.max == 0 && d.exact);
	d = stats_sub(&empty, &body); /* less than nothing is said as it is */
	assert_true(d.min == -60 && d.med == -5 && d.max == 5 && !d.exact);
}

/* One pass: that of codes which ran a pass more often, less that of codes which ran less. */
static void test_stats_diff_sub(void **state)
{
	const struct stats_diff body = {
		.min = 90, .low = 95, .med = 100, .high = 101, .max = 130
	};
	const struct stats_diff empty = { .min = 38, .low = 39, .med = 40, .high = 42, .max = 50 };
	const struct stats_diff flat = {
		.min = 7, .low = 7, .med = 7, .high = 7, .max = 7, .exact = 1
	};
	struct stats_diff d = stats_diff_sub(&body, &empty);

	(void)state;
	assert_true(d.min == 40 && d.low == 53 && d.med == 60 && d.high == 62 && d.max == 92);
	assert_false(d.exact);
	assert_false(stats_diff_sub(&body, &flat).exact);
	assert_false(stats_diff_sub(&flat, &body).exact);
	d = stats_diff_sub(&flat, &flat);
	assert_true(!d.min && !d.low && !d.med && !d.high && !d.max && d.exact);
}

/* What becomes of a difference: a number with its limits, a bound that it is below, or exact. */
static void test_numbers(void **state)
{
	static const struct {
		struct stats_diff d;
		uint64_t n, error, bound, below;
		int64_t value, min, low, high, max;
	} rows[] = {
		/* told apart from 0; the outer limit is at least 0 */
		{ { -5, 3, 5, 8, 60, 0 }, 2, 0, 0, 0, 2500, 0, 1500, 4000, 30000 },
		/* noise around 0, as far as it reaches on either side */
		{ { -90, -5, 2, 8, 60, 0 }, 1, 0, 0, 8000, 0, 0, 0, 8000, 60000 },
		{ { -90, -9, -2, 8, 60, 0 }, 1, 0, 0, 9000, 0, 0, 0, 8000, 60000 },
		{ { -9, -8, -7, -6, -5, 0 }, 3, 0, 0, 2667, 0, 0, 0, 0, 0 },
		/* nothing but the readings may be off */
		{ { 0, 0, 0, 0, 0, 1 }, 1000, 52, 52, 52, 0, 0, 0, 0, 0 },
		{ { 52, 52, 52, 52, 52, 1 }, 1, 52, 52000, 104000, 0, 52000, 52000, 52000, 52000 },
		{ { 53, 53, 53, 53, 53, 1 }, 1, 52, 52000, 0, 53000, 53000, 53000, 53000, 53000 },
		/* one disturbed sample does not take the value away */
		{ { -70, 0, 0, 0, 70, 0 }, 1, 0, 0, 0, 0, 0, 0, 0, 70000 },
		/* without any spread less than nothing is no noise */
		{ { -1, -1, -1, -1, -1, 1 }, 2, 0, 0, 0, -500, 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct number x = number_of(&rows[i].d, rows[i].n, rows[i].error);

		assert_int_equal(x.value, rows[i].value);
		assert_int_equal(x.min, rows[i].min);
		assert_int_equal(x.low, rows[i].low);
		assert_int_equal(x.high, rows[i].high);
		assert_int_equal(x.max, rows[i].max);
		assert_int_equal(x.bound, rows[i].bound);
		assert_int_equal(x.below, rows[i].below);
		assert_int_equal(x.exact, rows[i].d.exact);
	}
}

/* The record has room for what number_log() writes. */
static void test_number_room(void **state)
{
	struct stats_diff d = { -5, 3, 123456789, 123456790, 999999999999, 0 };

	(void)state;
	for (unsigned i = 0; i < 40; i++, d.max /= 2, d.low -= 999999 * i) {
		struct number x = number_of(&d, 1 + i % 3, i * 700);

		line_size = 0;
		log_begin("result");
		number_log("SOME.EVENT", &x);
		log_end();
		assert_true(line_size > 0);
		assert_true(line_size - strlen("result #10:ffffffff\n") <=
		            number_room("SOME.EVENT", &x));
	}
}

static void test_stats_milli(void **state)
{
	(void)state;
	assert_int_equal(stats_milli(0, 7), 0);
	assert_int_equal(stats_milli(512, 512), 1000);
	assert_int_equal(stats_milli(1, 3), 333);
	assert_int_equal(stats_milli(2, 3), 667);
	assert_int_equal(stats_milli(-1, 2), -500);
	assert_int_equal(stats_milli(1, 2000), 1); /* half a thousandth away from zero */
	assert_true(stats_milli(1000000000000, 4096) == 244140625000);
}

static void test_hex(void **state)
{
	uint8_t buffer[8];
	struct bench b;

	(void)state;
	assert_null(snippet_load_hex(&b, "0fafc0", NULL, buffer, sizeof(buffer)));
	assert_int_equal(b.body_size, 3);
	assert_memory_equal(b.body, "\x0f\xaf\xc0", 3);
	assert_int_equal(b.init_size, 0);
	assert_null(snippet_load_hex(&b, "90_90 90", "B801", buffer, sizeof(buffer)));
	assert_int_equal(b.init_size, 2);
	assert_int_equal(b.body_size, 3);
	assert_memory_equal(b.init, "\xb8\x01", 2);
	assert_non_null(snippet_load_hex(&b, "9", NULL, buffer, sizeof(buffer)));
	assert_non_null(snippet_load_hex(&b, "9g", NULL, buffer, sizeof(buffer)));
	assert_non_null(snippet_load_hex(&b, "909090909090909090", NULL, buffer, sizeof(buffer)));
	assert_non_null(snippet_load_hex(&b, "90", "xx", buffer, sizeof(buffer)));
}

/* A good descriptor with everything it refers to, in one block. */
struct block {
	struct snippet_blob blob;
	struct snippet_expect expect[2];
	char name[16], what[16], needs[16], text[16];
	uint8_t code[16];
};

#define REFER(block, field, target)                         \
	((block)->field = (int32_t)((intptr_t)(uintptr_t) & \
	                            (block)->target - (intptr_t)(uintptr_t) & (block)->field))

static void fill(struct block *k)
{
	memset(k, 0, sizeof(*k));
	k->blob.magic = SNIPPET_MAGIC;
	k->blob.version = SNIPPET_VERSION;
	k->blob.size = SNIPPET_SIZE;
	k->blob.widths = SNIPPET_32 | SNIPPET_64;
	k->blob.flags = SNIPPET_TOTAL;
	k->blob.ops = 3;
	k->blob.insns = 4;
	strcpy(k->name, "my.bench_1");
	strcpy(k->what, "what");
	strcpy(k->text, "p5");
	REFER(k, blob.name, name);
	REFER(k, blob.what, what);
	REFER(k, blob.needs, needs);
	REFER(k, blob.init, code[0]);
	REFER(k, blob.body, code[4]);
	k->blob.init_size = 4;
	k->blob.body_size = 12;
	REFER(k, blob.expect, expect);
	k->blob.nexpect = 2;
	for (int i = 0; i < 2; i++) {
		REFER(k, expect[i].family, text);
		REFER(k, expect[i].quantity, text);
		REFER(k, expect[i].source, text);
	}
}

static const char *try_open(struct block *k)
{
	struct bench b;

	return snippet_load(&b, &k->blob, k, k + 1);
}

static void test_open(void **state)
{
	struct block k;
	struct bench b;

	(void)state;
	fill(&k);
	assert_null(snippet_load(&b, &k.blob, &k, &k + 1));
	assert_string_equal(b.name, "my.bench_1");
	assert_ptr_equal(b.body, &k.code[4]);
	assert_int_equal(b.body_size, 12);
	assert_int_equal(b.init_size, 4);
	assert_int_equal(b.insns, 4);
	assert_int_equal(b.nexpect, 2);
	assert_string_equal(snippet_text(&b.expect[1].family), "p5");
}

static void test_open_refuses(void **state)
{
	struct block k;

	(void)state;
#define REFUSES(change)                        \
	do {                                   \
		fill(&k);                      \
		change;                        \
		assert_non_null(try_open(&k)); \
	} while (0)
	REFUSES(k.blob.magic++);
	REFUSES(k.blob.version++);
	REFUSES(k.blob.size = 8);
	REFUSES(k.blob.name = 0x7fffffff);
	REFUSES(k.blob.name = -0x7fffffff);
	REFUSES(k.blob.what = 1 << 20);
	REFUSES(k.blob.needs = -4096);
	REFUSES(strcpy(k.name, "Upper"));
	REFUSES(strcpy(k.name, "a b"));
	REFUSES(k.name[0] = 0);
	REFUSES(k.blob.body_size = 13);
	REFUSES(k.blob.body_size = 0xffffffff);
	REFUSES(k.blob.init = -100000);
	REFUSES(k.blob.init_size = 0x80000000);
	REFUSES(k.blob.nexpect = 65);
	REFUSES(k.blob.expect += 2);
	REFUSES(k.expect[1].source = 1 << 24);
	/* A text that runs to the end of the block without a zero. */
	REFUSES((REFER(&k, blob.what, code), memset(k.code, 'x', sizeof(k.code))));
}

/* Any 32-bit word of a good block replaced by anything: refused or opened, never a bad access. */
static void test_open_fuzz(void **state)
{
	uint32_t seed = 12345;

	(void)state;
	for (unsigned round = 0; round < 200000; round++) {
		struct block *k = malloc(sizeof(*k));
		uint32_t *words = (uint32_t *)k;

		fill(k);
		for (unsigned n = lcg(&seed) % 4; n; n--)
			words[(lcg(&seed) >> 8) % (sizeof(*k) / 4)] =
				lcg(&seed) >> (lcg(&seed) >> 27);
		try_open(k);
		free(k);
	}
}

/* Only the very model of a row must agree, and every machine that is no real one. */
static void test_confirmed(void **state)
{
	static const struct confirmed table[] = { { VENDOR_INTEL, 5, 2 },
		                                  { VENDOR_AMD, 0x19, 0x61 },
		                                  { VENDOR_OTHER, 0, 0 } };
	struct cpu cpu = { .vendor = VENDOR_INTEL, .family = 5, .model = 2 };

	(void)state;
	assert_true(confirmed_must_agree(table, &cpu));
	assert_false(confirmed_must_agree(table + 1, &cpu));
	cpu.model = 3;
	assert_false(confirmed_must_agree(table, &cpu));
	cpu.simulated = true;
	assert_true(confirmed_must_agree(table, &cpu));
	cpu = (struct cpu){ .vendor = VENDOR_AMD, .family = 0x19, .model = 0x61 };
	assert_true(confirmed_must_agree(table, &cpu));
	cpu.vendor = VENDOR_INTEL;
	assert_false(confirmed_must_agree(table, &cpu));
	cpu = (struct cpu){ .vendor = VENDOR_OTHER };
	assert_false(confirmed_must_agree(table, &cpu));
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	assert_true(confirmed_must_agree(table, &cpu));
	assert_false(confirmed_must_agree(confirmed_models, &(struct cpu){ .family = 6 }));
}

/* Runs of 25, 10 and 9 ticks, where an empty bracket takes 8 to 12 and mostly 10. */
static void test_series(void **state)
{
	const struct stats empty = { .min = 8, .low = 9, .med = 10, .high = 11, .max = 12 };
	struct cpu cpu = { .hypervisor = "" };
	const struct bench_run run = { .cpu = &cpu };
	struct bench b = { .name = "cold" };
	struct stats_diff ticks[3];
	uint64_t samples[] = { 25, 10, 9 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct stats one = stats_of(&samples[i], 1);

		ticks[i] = stats_sub(&one, &empty);
	}
	report_series(&run, &b, ticks, 3, 1, 0, true);
	assert_non_null(
		strstr(last, "series bench=cold runs=3 tsc.1=15 tsc.2=0 tsc.3=0 tsc.below=2 "));
	/* The readings alone may be off by as much. */
	report_series(&run, &b, ticks, 1, 5, 14, false);
	assert_non_null(
		strstr(last, "series bench=cold runs=1 least_of=5 cold=0 tsc.1=0 tsc.below=30 #"));
	b.flags = SNIPPET_EXITS;
	report_series(&run, &b, ticks, 1, 1, 0, true);
	assert_null(strstr(last, " exits="));
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	report_series(&run, &b, ticks, 1, 1, 0, true);
	assert_non_null(strstr(last, "series bench=cold runs=1 exits=1 tsc.1=15 #"));
}

static void fill_table(const struct bench_run *run, unsigned n)
{
	static struct engine_result r = { .copies = 1, .loop = 1, .n = 1 };
	static struct bench b = { .ops = 1 };

	headings = rows = out_of_order = 0;
	r.q[0] = (struct stats_diff){ .min = 7, .low = 7, .med = 7, .high = 7, .max = 7 };
	table_begin();
	for (unsigned i = 0; i < n; i++) {
		sprintf(b.name, "row.%u", i);
		table_add(run, &b, &r);
	}
	table_print(run);
	assert_int_equal(out_of_order, 0);
}

/* Every result has a line: in a table at the end, or in several where there is no room. */
static void test_table(void **state)
{
	static char room[1 << 20];
	struct cpu cpu = { .vendor = VENDOR_INTEL };
	struct bench_run run = { .cpu = &cpu, .tsc_hz = 100000000, .core_per_tsc = 1000 };

	(void)state;
	fill_table(&run, 0);
	assert_true(!rows && !headings);
	fill_table(&run, 100);
	assert_true(rows == 100 && headings == 1);
	fill_table(&run, 6000);
	assert_true(rows == 6000 && headings > 10);
	strcpy(cpu.hypervisor, "TCGTCGTCGTCG");
	fill_table(&run, 6000);
	assert_true(!rows && !headings);
	cpu.hypervisor[0] = '\0';
	table_room(room, 100); /* too small to be of use */
	fill_table(&run, 100);
	assert_true(rows == 100 && headings == 1);
	table_room(room, sizeof(room));
	fill_table(&run, 6000);
	assert_true(rows == 6000 && headings == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stats),       cmocka_unit_test(test_stats_against_qsort),
		cmocka_unit_test(test_stats_sub),   cmocka_unit_test(test_stats_diff_sub),
		cmocka_unit_test(test_stats_milli), cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_number_room), cmocka_unit_test(test_hex),
		cmocka_unit_test(test_open),        cmocka_unit_test(test_open_refuses),
		cmocka_unit_test(test_open_fuzz),   cmocka_unit_test(test_confirmed),
		cmocka_unit_test(test_table),       cmocka_unit_test(test_series),
	};

	log_sink(take_line);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
