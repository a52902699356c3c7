/*
 * kernel/console/view.c and record.c: the head, the table, progress and messages, on screens of
 * every size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/console/record.h"
#include "kernel/console/view.h"
#include "tests/unit/support/fake_machine.h"

static struct screen screen;
static char shown[SCREEN_ROWS][SCREEN_COLUMNS + 1]; /* what was drawn */
static char row_text[SCREEN_COLUMNS + 1];
static unsigned drawn;

static void draw(unsigned column, unsigned row, char c)
{
	assert_true(column < screen.columns && row < screen.rows);
	assert_true(c >= ' ' && c <= '~');
	shown[row][column] = c;
	drawn++;
}

static void fresh(unsigned columns, unsigned rows)
{
	fake_reset();
	memset(&screen, 0, sizeof(screen));
	memset(shown, ' ', sizeof(shown));
	screen.columns = columns;
	screen.rows = rows;
	screen.jump = 1;
	screen.draw = draw;
	screen_init(&screen);
	fake.tsc = 1ull << 45;
	view_open(&screen);
}

/* A record without its tail, which is the same for all. */
static void log_line(const char *text)
{
	view_write(text, strlen(text));
	view_write(" #7:beef\n", 9);
}

/* What stands in a row, without trailing blanks. */
static const char *row(unsigned r)
{
	unsigned n = screen.columns;

	memcpy(row_text, shown[r], n);
	while (n && row_text[n - 1] == ' ')
		n--;
	row_text[n] = '\0';
	return row_text;
}

static bool on_screen(const char *text)
{
	for (unsigned r = 0; r < screen.rows; r++)
		if (strstr(row(r), text))
			return true;
	return false;
}

static void result(unsigned i, const char *numbers)
{
	char text[160];

	snprintf(text, sizeof(text), "result bench=some.benchmark_%u mode=rate runs=9 %s", i,
	         numbers);
	log_line(text);
}

static void machine(void)
{
	log_line("cpl0 schema=1 version=0123abc bits=64");
	log_line("console serial=16550a bus=port address=0x3f8 stride=1 baud=115200 fifo=16");
	log_line("boot protocol=multiboot2 loader=\"GRUB 2.06\" firmware=uefi modules=0 acpi=1");
	log_line("cpu cpuid=1 vendor=GenuineIntel family=6 model=94 stepping=3 "
	         "brand=\"A \\\"quoted\\\" CPU\"");
	log_line("cache level=1 type=data size=32768 ways=8");
	log_line("cache level=2 type=unified size=262144 ways=4");
	log_line("cache source=none");
	log_line("clock source=pmtimer clock_hz=3579545 tsc_hz=2199999999");
	log_line("clock source=core core_per_tsc=0.998 adds=16384");
	log_line("clock source=chosen from=pmtimer tsc_hz=2200000456 invariant=1");
	log_line("pmu pmu=arch model=skylake counters=11 usable=11");
	log_line("plan benches=100 groups=1 counters=arch");
}

static void test_record(void **state)
{
	static const char line[] =
		"warn what=a why=\"b c=d \\\"e\\\" \\\\ \\x01\" c=12.500 #3:00ff";
	char value[32];
	struct record r;

	(void)state;
	assert_true(record_open(&r, line, strlen(line)));
	assert_true(record_is(&r, "warn"));
	assert_false(record_is(&r, "war"));
	assert_false(record_is(&r, "warning"));
	assert_true(record_get(&r, "why", value, sizeof(value)));
	assert_string_equal(value, "b c=d \"e\" \\ \\x01");
	assert_true(record_get(&r, "c", value, sizeof(value)));
	assert_string_equal(value, "12.500");
	assert_int_equal(record_number(&r, "c"), 12);
	assert_int_equal(record_number(&r, "what"), 0);
	assert_false(record_get(&r, "hat", value, sizeof(value)));
	assert_false(record_get(&r, "wh", value, sizeof(value)));
	assert_string_equal(value, "");
	assert_true(record_get(&r, "why", value, 4));
	assert_string_equal(value, "b c");

	for (unsigned n = 0; n < strlen(line) - 1; n++)
		record_open(&r, line, n); /* the sanitizer watches */
	assert_false(record_open(&r, "for people", 10));
	assert_false(record_open(&r, "#1:0000", 7));
	assert_false(record_open(&r, "a b:0000", 8));
	assert_true(record_open(&r, "a #1:0000", 9));
	assert_false(record_get(&r, "a", value, sizeof(value)));
}

static void test_head(void **state)
{
	(void)state;
	fresh(133, 50);
	machine();
	assert_string_equal(row(0), "cpl0 0123abc, 64 bits   log: 16550a at 0x3f8, 115200, uefi, "
	                            "GRUB 2.06");
	assert_string_equal(row(1),
	                    "A \"quoted\" CPU, family 6 model 94 stepping 3, L1d 32K, L2 256K");
	assert_string_equal(row(2),
	                    "core clocks a tick 0.998, TSC 2200.000 MHz by pmtimer, counters "
	                    "arch skylake, 11 of 11");
	assert_string_equal(row(3), "[....................] 0 of 100, 0 %,");
	assert_string_equal(row(5), "");
}

/* The time to go is that of the benchmarks so far; a benchmark in several groups counts once. */
static void test_progress(void **state)
{
	(void)state;
	fresh(80, 25);
	machine();
	for (unsigned i = 0; i < 25; i++) {
		fake.tsc += 2200000000ull * 2;
		result(i, "group=0 tsc=1 exact=1");
		result(i, "group=1 tsc=1 exact=1");
	}
	assert_string_equal(row(3), "[#####...............] 25 of 100, 25 %, 2:30 to go, "
	                            "some.benchmark_24");
	log_line("progress bench=some.benchmark_80 done=80 total=100");
	assert_non_null(strstr(row(3), "] 80 of 100, 80 %, 0:12 to go"));
	log_line("skip bench=other why=\"no such CPU\"");
	assert_non_null(strstr(row(3), "] 81 of 100"));
	fake.tsc += 2200000000ull * 25;
	log_line("done status=ok records=200");
	assert_string_equal(row(3), "done, status ok, 81 of 100 benchmarks in 1:15, 200 records");
}

static void test_table_80x25(void **state)
{
	(void)state;
	fresh(80, 25);
	machine();
	assert_string_equal(row(4), "");
	for (unsigned i = 0; i < 58; i++)
		result(i, i % 2 ? "tsc=12.5 exact=1" : "tsc=3 tsc.max=4");
	assert_string_equal(row(4), "benchmark, = no spread          ticks   "
	                            "benchmark                       ticks");
	/* Two in a row, 20 rows: the last 40 or 38, none lost to a clearing. */
	assert_string_equal(row(24), "some.benchmark_56               3.000   "
	                             "some.benchmark_57              12.500=");
	assert_string_equal(row(5), "some.benchmark_18               3.000   "
	                            "some.benchmark_19              12.500=");
	assert_non_null(strstr(row(0), "cpl0 0123abc"));
	assert_false(on_screen("some.benchmark_17"));
}

static void test_table_wide(void **state)
{
	(void)state;
	fresh(160, 45);
	machine();
	for (unsigned i = 0; i < 7; i++)
		result(i, "tsc=1.25 core=1 exact=1");
	assert_int_equal(strlen(row(4)), 147);
	assert_string_equal(row(5), "some.benchmark_0                1.250     1.000=  "
	                            "some.benchmark_1                1.250     1.000=  "
	                            "some.benchmark_2                1.250     1.000=");
	result(7, "tsc=0.5 core=0 core.below=0.25");
	log_line("result bench=a.very_long_name_that_does_not_fit_one_column "
	         "tsc=0 tsc.below=1.5 core=2");
	assert_string_equal(row(7), "some.benchmark_6                1.250     1.000=  "
	                            "some.benchmark_7                0.500    <0.250");
	assert_string_equal(row(8), "a.very_long_name_that_does_not_fit_one_column     <1.500"
	                            "     2.000");
}

/* What went wrong stands between the results, and the first error again at the end. */
static void test_messages(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("error what=argument culprit=bnech=x why=\"unknown argument\"");
	machine();
	result(0, "tsc=1");
	log_line("trap vector=6 bench=bad ip=0x1234");
	log_line("check event=loads verdict=exact");
	log_line("check event=stores verdict=\"off by 1\"");
	log_line("expect bench=x verdict=match");
	log_line(
		"expect bench=y quantity=tsc got=4 low=2 high=3 verdict=differs source=\"a book\"");
	view_write("a line for people\n", 18);
	assert_string_equal(row(7), "trap vector=6 bench=bad ip=0x1234");
	assert_string_equal(row(8), "check event=stores verdict=\"off by 1\"");
	assert_string_equal(row(9), "differs: y tsc is 4, known is 2 to 3, a book");
	assert_string_equal(row(10), "");
	for (unsigned i = 0; i < 200; i++)
		result(i, "tsc=1");
	assert_false(on_screen("bnech"));
	log_line("done status=fail records=300");
	assert_true(on_screen("the first error was: error what=argument culprit=bnech=x"));
	assert_true(on_screen("done status=fail records=300"));
}

static void test_list(void **state)
{
	char text[80];

	(void)state;
	fresh(80, 25);
	for (unsigned i = 0; i < 44; i++) {
		snprintf(text, sizeof(text), "bench name=some.benchmark_%u what=\"a b\"", i);
		log_line(text);
	}
	assert_string_equal(row(24), "some.benchmark_42                       some.benchmark_43");
	assert_string_equal(row(5), "some.benchmark_4                        some.benchmark_5");
}

static char kept[20000];

/* The log of a run with 58 results in one piece, as the console keeps it. */
static size_t kept_log(void)
{
	size_t n = (size_t)sprintf(kept,
	                           "cpl0 version=1 bits=32 #0:0000\ncmdline text=\"\" #1:0000\n");

	for (unsigned i = 0; i < 58; i++)
		n += (size_t)sprintf(kept + n, "result bench=%s.x_%02u tsc=%u #2:0000\n",
		                     i % 2 ? "odd" : "even", i, i);
	n += (size_t)sprintf(kept + n, "trap bench=odd.x_57 #3:0000\nfor people\n");
	return n + (size_t)sprintf(kept + n, "warn what=nothing #4:0000\n");
}

/* Pages of the table, 29 rows of two results and two of messages; the head stays as it is. */
static void test_page(void **state)
{
	size_t n = kept_log();
	unsigned before;

	(void)state;
	fresh(80, 25);
	machine();
	assert_int_equal(view_page(kept, n, NULL, 0), 31);
	assert_string_equal(row(5), "even.x_00                       0.000   "
	                            "odd.x_01                        1.000");
	assert_string_equal(row(24), "even.x_38                      38.000   "
	                             "odd.x_39                       39.000");
	assert_non_null(strstr(row(0), "cpl0 0123abc"));
	assert_int_equal(view_page(kept, n, NULL, 20), 31);
	assert_non_null(strstr(row(5), "even.x_40"));
	assert_string_equal(row(14), "trap bench=odd.x_57");
	assert_string_equal(row(15), "warn what=nothing");
	assert_string_equal(row(16), "");
	assert_string_equal(row(24), "");

	/* Behind the end nothing is drawn; the same page again costs nothing either. */
	before = drawn;
	assert_int_equal(view_page(kept, n, NULL, UINT32_MAX), 31);
	assert_int_equal(view_page(kept, n, NULL, 20), 31);
	assert_int_equal(drawn, before);
}

/* The text sizes of screens from 80x25 to 3840x2160, and 600 results. */
static void test_every_result_has_a_page(void **state)
{
	static const unsigned sizes[][2] = { { 80, 25 },  { 80, 30 },  { 100, 37 },
		                             { 160, 50 }, { 120, 33 }, { 240, 67 } };
	enum { RESULTS = 600, HEAD = 5 };
	static char log[RESULTS * 40];
	size_t n = (size_t)sprintf(log, "cpl0 version=1 bits=32 #0:0000\n");

	(void)state;
	for (unsigned i = 0; i < RESULTS; i++)
		n += (size_t)sprintf(log + n, "result bench=all.x_%03u tsc=%u #2:0000\n", i, i);
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		unsigned lines, seen = 0;

		fresh(sizes[s][0], sizes[s][1]);
		machine();
		lines = view_page(log, n, NULL, 0);
		for (unsigned top = 0; top < lines; top += sizes[s][1] - HEAD) {
			char name[20];

			assert_int_equal(view_page(log, n, NULL, top), lines);
			while (sprintf(name, "all.x_%03u ", seen), on_screen(name))
				seen++;
		}
		assert_int_equal(seen, RESULTS);
	}
}

static void test_page_filter(void **state)
{
	size_t n = kept_log();

	(void)state;
	fresh(80, 25);
	machine();
	assert_int_equal(view_page(kept, n, "odd.*", 0), 16);
	assert_string_equal(row(5), "odd.x_01                        1.000   "
	                            "odd.x_03                        3.000");
	assert_string_equal(row(20), "trap bench=odd.x_57");
	assert_string_equal(row(21), "");
	assert_int_equal(view_page(kept, n, "nothing*", 0), 0);
	assert_string_equal(row(5), "");
}

/* After a page the run goes on below it, and the next run says what it was told. */
static void test_next_run(void **state)
{
	size_t n = kept_log();

	(void)state;
	fresh(80, 25);
	machine();
	result(0, "tsc=1");
	view_page(kept, n, NULL, 11);
	log_line("cpl0 schema=1 version=4567def bits=64");
	log_line("cmdline text=bench=alu.*");
	assert_string_equal(row(0), "cpl0 4567def, 64 bits");
	assert_string_equal(row(1), "");
	assert_string_equal(row(23), "warn what=nothing");
	assert_string_equal(row(24), "cmdline text=bench=alu.*");
	log_line("plan benches=1");
	result(1, "tsc=2 core=3");
	assert_string_equal(row(22), "warn what=nothing");
	assert_string_equal(row(23), "cmdline text=bench=alu.*");
	assert_non_null(strstr(row(24), "some.benchmark_1"));
}

/* No size and no line makes it draw outside; a small screen has the messages at least. */
static void test_sizes(void **state)
{
	static const unsigned sizes[][2] = { { 1, 1 },   { 5, 3 },    { 39, 40 },   { 40, 12 },
		                             { 80, 11 }, { 106, 40 }, { 320, 160 }, { 79, 25 } };
	char text[1500];

	(void)state;
	memset(text, 'w', sizeof(text));
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		fresh(sizes[i][0], sizes[i][1]);
		machine();
		for (unsigned k = 0; k < 500; k++)
			result(k, k % 3 ? "tsc=123456789.125 core=4 exact=1" : "tsc=0.1234");
		view_write(text, sizeof(text));
		log_line("warn too=long");
		log_line("warn what=\"\xff\x01\" why=small");
		log_line("done status=ok records=1");
		assert_true(sizes[i][0] < 24 || on_screen("done status=ok records"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),     cmocka_unit_test(test_head),
		cmocka_unit_test(test_progress),   cmocka_unit_test(test_table_80x25),
		cmocka_unit_test(test_table_wide), cmocka_unit_test(test_messages),
		cmocka_unit_test(test_list),       cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_page),       cmocka_unit_test(test_page_filter),
		cmocka_unit_test(test_next_run),   cmocka_unit_test(test_every_result_has_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
