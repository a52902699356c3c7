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

#include "kernel/console/head.h"
#include "kernel/console/record.h"
#include "kernel/console/view.h"
#include "tests/unit/support/fake_machine.h"

static struct screen screen;
static char shown[SCREEN_ROWS][SCREEN_COLUMNS + 1]; /* what was drawn */
static enum screen_color painted[SCREEN_ROWS][SCREEN_COLUMNS];
static char row_text[SCREEN_COLUMNS + 1];
static unsigned drawn;

static void draw(unsigned column, unsigned row, char c, enum screen_color color)
{
	assert_true(color < SCREEN_COLORS);
	assert_true(column < screen.columns && row < screen.rows);
	assert_true(c >= ' ' && c <= '~');
	shown[row][column] = c;
	painted[row][column] = color;
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
	view_write(" #7:0000beef\n", 13);
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

/* The colour of a text, all of which has one; SCREEN_COLORS: it has several or is not there. */
static enum screen_color color_of(const char *text)
{
	const size_t n = strlen(text);

	for (unsigned r = 0; r < screen.rows; r++) {
		const char *at = strstr(row(r), text);

		if (!at)
			continue;
		for (size_t c = (size_t)(at - row_text) + 1; c < (size_t)(at - row_text) + n; c++)
			if (shown[r][c] != ' ' && painted[r][c] != painted[r][at - row_text])
				return SCREEN_COLORS;
		return painted[r][at - row_text];
	}
	return SCREEN_COLORS;
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

/* The first row, where the log goes: to a serial line, to the medium, to both, to neither. */
static void test_where(void **state)
{
	static const struct {
		const char *serial, *to, *row;
	} rows[] = {
		{ "16550a address=0x3f8 baud=9600", "none why=off",
		  "cpl0 1, 32 bits   log: serial port 0x3f8 at 9600" },
		{ "16550a address=0x3f8 baud=9600", "bios run=1",
		  "cpl0 1, 32 bits   log: CPL0.LOG and serial port 0x3f8 at 9600" },
		{ "none", "uefi run=1", "cpl0 1, 32 bits   log: CPL0.LOG" },
		{ "debugcon", "none why=off", "cpl0 1, 32 bits   log: debug port" },
		{ "none", "none why=off", "cpl0 1, 32 bits   log: nowhere but here" },
	};
	char text[100];

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh(100, 30);
		log_line("cpl0 schema=1 version=1 bits=32");
		snprintf(text, sizeof(text), "console serial=%s", rows[i].serial);
		log_line(text);
		snprintf(text, sizeof(text), "save to=%s", rows[i].to);
		log_line(text);
		assert_string_equal(row(0), rows[i].row);
	}
	assert_int_equal(color_of("nowhere but here"), SCREEN_BAD);
	log_line("save to=bios run=1");
	assert_int_equal(color_of("CPL0.LOG"), SCREEN_GOOD);
	log_line("warn what=save culprit=CPL0.LOG why=\"the medium is write-protected\"");
	assert_string_equal(row(0), "cpl0 1, 32 bits   log: CPL0.LOG FAILED");
	assert_int_equal(color_of("CPL0.LOG FAILED"), SCREEN_BAD);
}

static void test_record(void **state)
{
	static const char line[] =
		"warn what=a why=\"b c=d \\\"e\\\" \\\\ \\x01\" c=12.500 #3:000000ff";
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
	assert_false(record_open(&r, "#1:00000000", 11));
	assert_false(record_open(&r, "a b:0000", 8));
	assert_true(record_open(&r, "a #1:00000000", 13));
	assert_false(record_get(&r, "a", value, sizeof(value)));
}

static void test_head(void **state)
{
	(void)state;
	fresh(133, 50);
	machine();
	assert_string_equal(row(0), "cpl0 0123abc, 64 bits   log: serial port 0x3f8 at 115200   "
	                            "uefi, GRUB 2.06");
	assert_string_equal(row(1), "A \"quoted\" CPU, family 6 model 94 stepping 3");
	assert_string_equal(row(2), "2.20 GHz core, 2.20 GHz TSC   L1d 32K, L2 256K");
	assert_string_equal(row(3), "counters arch skylake: 11 of 11 proven");
	assert_string_equal(row(4), "[..........................] 0 of 100");
	assert_string_equal(row(5), "");
	assert_int_equal(color_of("A \"quoted\" CPU"), SCREEN_TITLE);
	assert_int_equal(color_of(": 11 of 11 proven"), SCREEN_GOOD);
}

/* What does not fit is shorter, or is not there. */
static void test_head_narrow(void **state)
{
	(void)state;
	fresh(60, 25);
	machine();
	assert_string_equal(row(0), "cpl0 0123abc, 64 bits   log: serial port 0x3f8 at 115200");
	log_line("save to=uefi run=1"); /* the port's address would be cut */
	assert_string_equal(row(0), "cpl0 0123abc, 64 bits   log: CPL0.LOG and serial port");
	log_line("cpu cpuid=1 family=6 model=158 stepping=10 hypervisor=KVMKVMKVM "
	         "brand=\"Intel(R) Core(TM) i7-8700\"");
	assert_string_equal(row(1), "Intel(R) Core(TM) i7-8700, GUEST of KVMKVMKVM, 6-158-10");
	assert_int_equal(color_of(", GUEST of KVMKVMKVM"), SCREEN_WARN);
	log_line("cpu cpuid=1 family=6 model=6 stepping=3 hypervisor=TCGTCGTCGTCG brand=QEMU");
	assert_string_equal(row(1), "QEMU, EMULATED by QEMU TCG, family 6 model 6 stepping 3");
	log_line("cpu cpuid=0 pmu_class=none");
	assert_string_equal(row(1), "a CPU without CPUID");
}

/* A core whose clock is not the counter's, and one of a time when megahertz counted. */
static void test_clocks(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("clock source=core core_per_tsc=1.685 adds=16384");
	log_line("clock source=chosen from=cpuid15 tsc_hz=2595124000");
	assert_string_equal(row(2), "4.37 GHz core, 2.60 GHz TSC");
	fresh(80, 25);
	log_line("clock source=core core_per_tsc=1 adds=16384");
	log_line("cache level=2 type=unified size=524288");
	log_line("cache level=3 type=unified size=33554432");
	log_line("clock source=chosen from=pit tsc_hz=132955000");
	assert_string_equal(row(2), "133.0 MHz core, 133.0 MHz TSC   L2 512K, L3 32M");
	log_line("memory source=mmap ram_kb=640 free_kb=1");
	log_line("memory base=0x0 end=0x1000 type=free");
	assert_string_equal(row(2), "133.0 MHz core, 133.0 MHz TSC   L2 512K, L3 32M   RAM 640K");
	log_line("memory source=mmap ram_kb=64511");
	assert_string_equal(row(2), "133.0 MHz core, 133.0 MHz TSC   L2 512K, L3 32M   RAM 63M");
	log_line("memory source=mmap ram_kb=16777216");
	assert_string_equal(row(2), "133.0 MHz core, 133.0 MHz TSC   L2 512K, L3 32M   RAM 16G");
	log_line("memory source=mmap ram_kb=16461824");
	assert_string_equal(row(2), "133.0 MHz core, 133.0 MHz TSC   L2 512K, L3 32M   RAM 15.7G");
	fresh(80, 25);
	log_line("clock source=chosen from=none tsc_hz=0");
	assert_string_equal(row(2), "");
}

/* What counts, what was proven, and what the checks say of events. */
static void test_verdicts(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("pmu pmu=none reason=\"no driver for this CPU\"");
	assert_string_equal(row(3), "no counters: no driver for this CPU");
	assert_int_equal(color_of("no counters"), SCREEN_WARN);
	log_line("pmu pmu=p5 model=p54c counters=2 usable=1");
	assert_int_equal(color_of(": 1 of 2 proven"), SCREEN_WARN);
	log_line("check event=loads verdict=exact");
	log_line("check event=loads verdict=exact");
	assert_string_equal(row(3), "counters p5 p54c: 1 of 2 proven, checks of events: 2 exact");
	log_line("check event=loads verdict=\"off by 1\" known=SKL091");
	log_line("check event=loads verdict=\"off by 1\"");
	assert_string_equal(row(3), "counters p5 p54c: 1 of 2 proven, checks of events: 2 exact, 1 "
	                            "by known errata, 1"); /* cut */
	assert_int_equal(color_of("check event=loads verdict=\"off by 1\" known"), SCREEN_WARN);
	fresh(120, 25);
	log_line("pmu pmu=p5 model=p54c counters=2 usable=2");
	log_line("chain body=alu.add_latency verdict=agrees");
	log_line("chain body=alu.add_latency verdict=shared");
	assert_string_equal(row(3), "counters p5 p54c: 2 of 2 proven");
	log_line("chain body=alu.add_latency verdict=off");
	assert_string_equal(row(3), "counters p5 p54c: 2 of 2 proven, not so its clocks");
	assert_int_equal(color_of(", not so its clocks"), SCREEN_BAD);
	log_line("check event=loads verdict=\"off by 1\"");
	assert_int_equal(color_of(", 1 differ"), SCREEN_BAD);
	log_line("withdrawn from=1 to=2");
	assert_non_null(strstr(row(3), "proven, proof withdrawn"));
}

/* The time to go is that of the benchmarks so far; a benchmark in several groups counts once. */
static void test_progress(void **state)
{
	(void)state;
	fresh(80, 25);
	machine();
	for (unsigned i = 0; i < 25; i++) {
		fake.tsc += 2200000456ull * 2;
		result(i, "group=0 tsc=1 exact=1");
		result(i, "group=1 tsc=1 exact=1");
	}
	assert_string_equal(row(4), "[####............] 25 of 100, 2:30 to go, some.benchmark_24");
	assert_int_equal(color_of("####"), SCREEN_GOOD);
	log_line("progress bench=some.benchmark_80 done=80 total=100");
	assert_non_null(strstr(row(4), "] 80 of 100, 0:12 to go"));
	log_line("skip bench=other why=\"no such CPU\"");
	assert_non_null(strstr(row(4), "] 81 of 100"));
	fake.tsc += 2200000456ull * 25;
	log_line("done status=ok records=200");
	assert_string_equal(row(4), "done, status ok, 81 of 100 benchmarks in 1:15");
	assert_int_equal(color_of("status ok"), SCREEN_GOOD);
	log_line("warn what=a");
	log_line("error what=b");
	log_line("error what=b");
	log_line("done status=fail records=200");
	assert_string_equal(row(4), "done, status fail, 81 of 100 benchmarks in 1:15, 1 warning, 2 "
	                            "errors");
	assert_int_equal(color_of("status fail"), SCREEN_BAD);
	log_line("done status=stopped records=200");
	assert_int_equal(color_of("status stopped"), SCREEN_WARN);
}

/* Where Escape stops the run, the row ends in it, whatever the name; a new run has yet to ask. */
static void test_stoppable(void **state)
{
	(void)state;
	fresh(80, 25);
	machine();
	head_stoppable("Esc stops");
	assert_string_equal(row(4), "[................] 0 of 100                                  "
	                            "          Esc stops");
	assert_int_equal(color_of("Esc stops"), SCREEN_TITLE);
	fake.tsc += 2200000456ull * 2;
	log_line(
		"progress bench=instr.lat.vfmadd132ps_ymm_ymm_ymm_and_more_of_it done=5 total=100");
	assert_string_equal(row(4), "[#...............] 5 of 100, 0:38 to go, "
	                            "instr.lat.vfmadd132ps_ymm_..  Esc stops");
	log_line("cpl0 schema=2 version=2 bits=64");
	log_line("plan benches=7");
	assert_string_equal(row(4), "[................] 0 of 7");
}

/* What follows from row `first` on; NULL ends the rows. */
static void assert_rows(unsigned first, const char *const *rows)
{
	for (; *rows; rows++)
		assert_string_equal(row(first++), *rows);
}

static void test_table_80x25(void **state)
{
	static const char *const top[] = {
		"some                                  clocks      ns spread",
		"some.benchmark_0                        2.99    1.36   0.0%",
		"some.benchmark_1                       10.00    5.68  exact",
		NULL,
	};
	static const char *const bottom[] = {
		"some.benchmark_54                       2.99    1.36   0.0%",
		"some.benchmark_55                      10.00    5.68  exact",
		"some.benchmark_56                       2.99    1.36   0.0%",
		"some.benchmark_57                      10.00    5.68  exact",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	machine();
	for (unsigned i = 0; i < 58; i++) {
		result(i, i % 2 ? "tsc=12.5 core=10 exact=1" : "tsc=3 tsc.max=4 exact=0");
		if (i == 1)
			assert_rows(HEAD_ROWS, top);
	}
	/* 17 rows: the last results, none lost to a clearing. */
	assert_rows(21, bottom);
	assert_non_null(strstr(row(0), "cpl0 0123abc"));
	assert_int_equal(color_of("exact"), SCREEN_GOOD);
	assert_int_equal(color_of("clocks      ns spread"), SCREEN_TITLE);
}

/* As cpl0-log: a TSC that advances in steps makes equal samples uncertain. */
static void test_bound(void **state)
{
	static const char *const rows[] = {
		"some.benchmark_0                        4.00    3.64   0.5%",
		"some.benchmark_1                        9.00    8.18  78.2%",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	machine();
	result(0, "core=4 core.bound=0.009 tsc=8 exact=1");
	result(1, "core=9 core.low=6 core.high=12 core.bound=0.52 tsc=18");
	assert_rows(HEAD_ROWS + 1, rows);
}

/* Each subject has the columns that it needs, at 80 columns. */
static void test_subjects_80x25(void **state)
{
	static const char *const rows[] = {
		"alu: whole numbers                    clocks      ns spread",
		"alu.add_throughput                      0.25    0.12   9.3%",
		"instr: clocks, tp throughput         latency      tp spread",
		"mulss_xm1_xm1_addss_xm2_xm2_xm3_xm3_xm4",
		"                                      123456          exact",
		"ret                                             1.01  exact",
		"none                                  clocks      ns spread",
		"none                                   <0.25   <0.69",
		"bandwidth: GB/s         L1      L2  memory spread",
		"write_sse                             4.69  exact",
		"warn what=a",
		"bandwidth: moving data                clocks      ns spread",
		"bandwidth.copy                         30.00   13.64  exact",
		"code: your own code                   clocks      ns spread",
		"code.a                                  1.00    0.45  exact",
		"code: your own code                   clocks      ns    GB/s spread",
		"code.b                                  1.00    0.45    8.80  exact",
		"",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	machine();
	log_line("result bench=alu.add_throughput mode=rate ops=10 tsc=2.56 core=2.5 core.low=2.4 "
	         "core.high=2.633 core.max=5");
	log_line("result bench=instr.lat.mulss_xm1_xm1_addss_xm2_xm2_xm3_xm3_xm4 tsc=-1.5 "
	         "core=123456");
	log_line("result bench=instr.tp.ret mode=total copies=4 loop=25 tsc=250 core=100.5");
	log_line("result bench=none mode=rate tsc=0 tsc.below=1.5 core=0 core.below=0.25");
	log_line("result bench=bandwidth.write_sse.memory mode=rate ops=32768 bytes=64 tsc=983005 "
	         "core=983006 exact=1");
	log_line("warn what=a");
	log_line("result bench=bandwidth.copy mode=rate ops=32768 tsc=983005 core=983006 exact=1");
	log_line("result bench=code.a tsc=1 core=1 exact=1");
	log_line("result bench=code.b bytes=4 tsc=1 core=1 exact=1");
	assert_rows(HEAD_ROWS, rows);
	assert_int_equal(color_of("warn what=a"), SCREEN_WARN);
	assert_int_equal(color_of("9.3%"), SCREEN_WARN);
}

/* Latency and throughput of a form, and the levels of an operation, stand in one row each. */
static void test_boxes(void **state)
{
	static const char *const rows[] = {
		"instr: clocks, tp throughput         latency      tp spread",
		"imul_r32_r32                            3.00    1.00  exact",
		"add_m32_r32                             6.00    1.00   9.5%",
		"add_r32_r32                            <1.50    0.25",
		"add_r32_r32 cpl3                                0.25  exact",
		"nop                                             0.25  exact",
		"nop                                     1.00          exact",
		"warn what=a",
		"nop                                             0.25  exact",
		"bandwidth: GB/s         L1      L2  memory spread",
		"read_sse            140.80   70.40       -  exact",
		"copy_sse             35.20",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	machine();
	log_line("result bench=instr.lat.imul_r32_r32 tsc=3 core=3 exact=1");
	log_line("progress bench=instr.tp.imul_r32_r32 done=1 total=100");
	log_line("result bench=instr.tp.imul_r32_r32 ops=10 tsc=10 core=10 exact=1");
	log_line("result bench=instr.tp.imul_r32_r32 part=1 ops=10 tsc=10 core=10 exact=1");
	log_line("result bench=instr.lat.add_m32_r32 tsc=6 core=6 core.low=5.9 core.high=6.1");
	log_line("result bench=instr.tp.add_m32_r32 tsc=1 core=1 core.low=0.96 core.high=1.055");
	log_line("result bench=instr.lat.add_r32_r32 tsc=0 core=0 core.below=1.5");
	log_line("result bench=instr.tp.add_r32_r32 ops=4 tsc=1 core=1 exact=1");
	log_line("result bench=instr.tp.add_r32_r32 cpl=3 ops=4 tsc=1 core=1 exact=1");
	log_line("result bench=instr.tp.nop ops=4 tsc=1 core=1 exact=1");
	log_line("result bench=instr.lat.nop tsc=1 core=1");
	log_line("warn what=a");
	log_line("result bench=instr.tp.nop ops=4 tsc=1 core=1 exact=1");
	log_line("result bench=bandwidth.read_sse.l1 bytes=64 tsc=1 core=1 exact=1");
	log_line("result bench=bandwidth.read_sse.l2 bytes=64 tsc=2 core=1 exact=1");
	log_line("result bench=bandwidth.read_sse.memory bytes=64 tsc=-1 core=1 exact=1");
	log_line("result bench=bandwidth.copy_sse.l1 bytes=64 tsc=4 core=1 exact=1");
	assert_rows(HEAD_ROWS, rows);
	assert_int_equal(color_of("9.5%"), SCREEN_WARN);
	log_line("done status=ok records=200");
	assert_string_equal(row(HEAD_ROWS + 11),
	                    "copy_sse             35.20                  exact");
	assert_string_equal(row(HEAD_ROWS + 12), "done status=ok records=200");
}

/* ... and at 160: a name that is too long has the place beside its figures. */
static void test_subjects_wide(void **state)
{
	static const char *const rows[] = {
		"alu: whole numbers          clocks      ns spread",
		"alu.a                         4.00    1.82  exact     alu.b",
		"alu.a_name_that_is_rather_too_long                    "
		"                              5.00    1.82  exact",
		"latency: log scale  clocks      ns spread     1                     4         ",
		"latency.1k      L1    4.00    1.82  exact     #######################",
		"bandwidth: GB/s         L1      L2  memory spread",
		"read_sse              4.69                  exact",
		NULL,
	};

	(void)state;
	fresh(160, 45);
	machine();
	log_line("result bench=alu.a mode=rate tsc=4 core=4 exact=1");
	log_line("result bench=alu.b mode=rate tsc=4 core=4 exact=1");
	log_line("result bench=alu.a_name_that_is_rather_too_long mode=rate tsc=4 core=5 exact=1");
	log_line("result bench=latency.1k mode=rate tsc=4 core=4 exact=1");
	log_line("result bench=bandwidth.read_sse.l1 ops=32768 bytes=64 tsc=983005 core=983006 "
	         "exact=1");
	log_line("done status=ok records=200");
	for (unsigned i = 0; rows[i]; i++)
		assert_memory_equal(row(HEAD_ROWS + i), rows[i], strlen(rows[i]));
}

/* The bar of the ladder: a mark at one clock, and as many as the scale says for each doubling. */
static void test_ladder(void **state)
{
	static const char *const rows[] = {
		"latency: log scale  clocks      ns spread     1     4     16    64    256   1024",
		"latency.1k      L1    0.50    0.23  exact     #",
		"latency.2k      L1    1.00    0.45  exact     #",
		"latency.4k      L1    4.00    1.82  exact     #######",
		"latency.8k      L1    6.00    2.73  exact     #########",
		"latency.16k     L1  256.00  116.36  exact     #########################",
		"latency.32k     L1  512.00  232.73  exact     ############################",
		"latency.64k     L2    4096    1862  exact     #################################>",
		"latency.memory       <0.25   <0.69",
		NULL,
	};
	static const char *const values[] = { "0.5", "1", "4", "6", "256", "512", "4096" };
	char text[120];

	(void)state;
	fresh(80, 25);
	machine();
	for (unsigned i = 0; i < 7; i++) {
		snprintf(text, sizeof(text), "result bench=latency.%uk tsc=%s core=%s exact=1",
		         1u << i, values[i], values[i]);
		log_line(text);
	}
	log_line("result bench=latency.memory tsc=0 tsc.below=1.5 core=0 core.below=0.25");
	assert_int_equal(color_of("##########"), SCREEN_TITLE);
	assert_rows(HEAD_ROWS, rows);

	/* No room, no bar; the figures stay. */
	fresh(58, 25);
	machine();
	log_line("result bench=latency.1k tsc=4 core=4 exact=1");
	assert_string_equal(row(HEAD_ROWS), "latency: loads      clocks      ns spread");
	assert_string_equal(row(HEAD_ROWS + 1), "latency.1k      L1    4.00    1.82  exact");
}

/* A spread stays in its column, however wild it is. */
static void test_wild_spread(void **state)
{
	static const struct {
		const char *high, *text;
	} rows[] = {
		{ "1.999", " 99.9%" }, { "2", "  100%" },      { "2.5", "  150%" },
		{ "101", ">9999%" },   { "100.99", " 9999%" }, { "99999", ">9999%" },
	};
	char text[120];

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fresh(80, 25);
		snprintf(text, sizeof(text),
		         "result bench=x core=1 core.low=1 core.high=%s core.max=99999",
		         rows[i].high);
		log_line(text);
		assert_string_equal(row(HEAD_ROWS + 1) + 53, rows[i].text);
	}
}

/* Where the arguments name events, each result has its counts below it, of all its records. */
static void test_counts(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("cpl0 schema=2 version=1 bits=32");
	log_line("cmdline text=\"bench=x events=a,b\"");
	machine();
	log_line("result bench=x mode=rate group=0 copies=4 loop=8 runs=9 ops=2 insns=3 code=01c8 "
	         "dropped.smi=1 tsc=2 A.B=3 A.B.max=4 A.B:u=7.005 LONG.NAME.OF.AN.EVENT=1 core=2 "
	         "exact=0");
	log_line("result bench=x mode=rate group=0 part=1 copies=4 loop=8 ops=2 LAST_ONE=10 "
	         "LAST_ONE.bound=1 SOME.derived=0 exact=0");
	log_line("result bench=x mode=rate group=1 copies=4 loop=8 ops=2 tsc=2 OTHER=-5 core=2 "
	         "exact=1");
	assert_string_equal(row(HEAD_ROWS + 1), "x                            1.00    0.45  exact");
	assert_string_equal(row(HEAD_ROWS + 2),
	                    "    A.B 1.50  A.B:u 3.50  LONG.NAME.OF.AN.EVENT 0.50");
	assert_string_equal(row(HEAD_ROWS + 3), "    LAST_ONE 5.00");
	assert_string_equal(row(HEAD_ROWS + 4), "    OTHER -2.50");
	assert_string_equal(row(HEAD_ROWS + 5), "");
}

/* Three events, two of them in the first group, as the records `event` have them. */
static void three_events(const char *first, const char *second, const char *third)
{
	const char *const names[] = { first, second, third };
	char text[160];

	machine();
	log_line("cmdline text=\"bench=x events=a,b,c\"");
	for (unsigned i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "event name=%s group=%u counter=0", names[i], i == 1);
		log_line(text);
	}
}

/* Where they fit, events are columns: the records of a result fill one row, group by group. */
static void test_event_columns(void **state)
{
	static const char *const rows[] = {
		"alu: whole numbers           clocks      ns spread        A.B       C  LONG.NAME",
		"alu.a                          1.00    0.45  exact       1.50    3.50     <12.00",
		"alu.b                          1.00    0.45  exact                          1.00",
		"    OTHER 7.00",
		"alu.b cpl3                     1.00    0.45  exact       1.00",
		"bandwidth: moving data     clocks      ns    GB/s spread",
		"bandwidth.read_sse.l1        1.00    0.45  140.80  exact",
		"    A.B 1.00",
		"latency: loads      clocks      ns spread        A.B       C  LONG.NAME",
		"latency.1k      L1    1.00    0.45  exact              -3.50",
		"done status=ok records=9",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	three_events("A.B", "LONG.NAME", "C");
	log_line("result bench=alu.a group=0 ops=2 tsc=2 core=2 C=7 A.B=3 exact=1");
	log_line("result bench=alu.a group=1 ops=2 tsc=2 core=2 LONG.NAME=0 LONG.NAME.below=24");
	log_line("result bench=alu.b group=0 tsc=1 core=1 exact=1");
	log_line("result bench=alu.b group=1 tsc=1 core=1 LONG.NAME=1 OTHER=7 exact=1");
	log_line("result bench=alu.b cpl=3 group=0 tsc=1 core=1 A.B=1 exact=1");
	log_line("result bench=bandwidth.read_sse.l1 group=0 bytes=64 tsc=1 core=1 A.B=1 exact=1");
	log_line("result bench=latency.1k group=0 ops=1 tsc=1 core=1 C=-3.5 exact=1");
	log_line("done status=ok records=9");
	assert_rows(HEAD_ROWS, rows);
}

/* A column has the word that its event was asked for as; modifiers are in the name alone. */
static void test_event_aliases(void **state)
{
	static const char *const rows[] = {
		"alu: whole numbers         clocks      ns spread     instructions     C:u       D",
		"alu.a                        1.00    0.45  exact             3.00    4.00",
		NULL,
	};

	(void)state;
	fresh(81, 25);
	three_events("Instruction_Retired alias=instructions", "D", "C:u alias=cycles");
	log_line("result bench=alu.a group=0 tsc=1 core=1 Instruction_Retired=3 C:u=4 exact=1");
	assert_rows(HEAD_ROWS, rows);
}

/* Names that are too long are numbers, with a legend that comes again with a later heading. */
static void test_event_numbers(void **state)
{
	static const char *const rows[] = {
		"[1] INST_RETIRED.ANY  [2] UOPS_RETIRED.RETIRE_SLOTS",
		"[3] MEM_LOAD_RETIRED.L1_HIT_AND_MORE",
		"alu: whole numbers              clocks      ns spread        [1]     [2]     [3]",
		"alu.a                             1.00    0.45  exact       3.00    4.00    5.00",
		"fp: floating point              clocks      ns spread        [1]     [2]     [3]",
		"fp.a                              1.00    0.45  exact       3.00",
		NULL,
	};
	char text[160];

	(void)state;
	fresh(80, 25);
	three_events("INST_RETIRED.ANY", "MEM_LOAD_RETIRED.L1_HIT_AND_MORE",
	             "UOPS_RETIRED.RETIRE_SLOTS");
	log_line("result bench=alu.a group=0 tsc=1 core=1 INST_RETIRED.ANY=3 "
	         "UOPS_RETIRED.RETIRE_SLOTS=4 exact=1");
	log_line("result bench=alu.a group=1 tsc=1 core=1 MEM_LOAD_RETIRED.L1_HIT_AND_MORE=5");
	log_line("result bench=fp.a group=0 tsc=1 core=1 INST_RETIRED.ANY=3 exact=1");
	log_line("progress bench=fp.b done=1 total=100");
	assert_rows(HEAD_ROWS, rows);
	for (unsigned i = 0; i < 22; i++) {
		snprintf(text, sizeof(text), "result bench=fp.%u tsc=1 core=1 exact=1", i);
		log_line(text);
	}
	assert_true(on_screen("[3] MEM_LOAD_RETIRED.L1_HIT_AND_MORE"));
	log_line("cpl0 schema=2 version=1 bits=32");
	log_line("result bench=fp.a tsc=1 core=1 exact=1");
	assert_non_null(strstr(row(23), "fp: floating point"));
	assert_null(strstr(row(23), "[1]"));
}

/* A series of runs takes as many rows as it needs, none of which ends within a number. */
static void test_series(void **state)
{
	static const char *const rows[] = {
		"p5.uncached_code, ticks of each run from cold: 122 12345 12345 12345 12345",
		"    123456 12345 <0.500 3",
		"serialize.cpuid, ticks of each run, with the exits of its code: 9",
		"done status=ok records=9",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	log_line(
		"series bench=p5.uncached_code runs=9 tsc.1=122 tsc.2=12345 tsc.3=12345 "
		"tsc.4=12345 tsc.5=12345 tsc.6=123456 tsc.7=12345 tsc.8=0 tsc.9=3 tsc.below=0.500");
	log_line("series bench=serialize.cpuid runs=1 cold=0 exits=1 tsc.1=9");
	log_line("done status=ok records=9");
	assert_rows(HEAD_ROWS, rows);
}

/* A benchmark that ran for seconds has told of itself before its result. */
static void test_progress_then_result(void **state)
{
	(void)state;
	fresh(80, 25);
	machine();
	result(0, "tsc=1 exact=1");
	log_line("progress bench=some.benchmark_1 done=1 total=100");
	result(1, "tsc=1 exact=1");
	assert_true(on_screen("some.benchmark_1 "));
	assert_non_null(strstr(row(4), "] 2 of 100"));
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
	assert_string_equal(row(HEAD_ROWS + 3), "trap vector=6 bench=bad ip=0x1234");
	assert_string_equal(row(HEAD_ROWS + 4), "check event=stores verdict=\"off by 1\"");
	assert_string_equal(row(HEAD_ROWS + 5), "differs: y tsc is 4, known is 2 to 3, a book");
	assert_string_equal(row(HEAD_ROWS + 6), "");
	assert_int_equal(color_of("trap vector=6 bench=bad ip=0x1234"), SCREEN_BAD);
	assert_int_equal(color_of("check event=stores"), SCREEN_BAD);
	assert_int_equal(color_of("differs: y tsc is 4, known is 2 to 3, a book"), SCREEN_WARN);
	for (unsigned i = 0; i < 200; i++)
		result(i, "tsc=1");
	assert_false(on_screen("bnech"));
	log_line("done status=fail records=300");
	assert_true(on_screen("the first error was: error what=argument culprit=bnech=x"));
	assert_true(on_screen("done status=fail records=300"));
}

/* In columns of their own behind the spread, on the narrowest screen with a table as well. */
static void test_marks(void **state)
{
	(void)state;
	fresh(61, 25);
	log_line("clock source=chosen from=pit tsc_hz=1000000000");
	result(1, "ops=1 core=5 core.low=5 core.high=5 exact=1 interrupted=1 nominal=1");
	assert_non_null(strstr(row(HEAD_ROWS + 1), " exact im"));
	assert_int_equal(color_of("im"), SCREEN_WARN);
	log_line("cpu cpuid=1 emulator=cpl0-sim clocks_good=900");
	result(2, "ops=1 core=5 core.low=5 core.high=5 exact=1 nominal=1");
	assert_non_null(strstr(row(HEAD_ROWS + 2), " exact s"));
	result(3, "ops=1 core=5 core.low=5 core.high=5 exact=1");
	assert_string_equal(row(HEAD_ROWS + 3) + strlen(row(HEAD_ROWS + 3)) - 6, " exact");
	fresh(53, 25);
	result(1, "ops=1 core=5 core.low=5 core.high=5 exact=1 interrupted=1 nominal=1");
	assert_non_null(strstr(row(HEAD_ROWS + 1), " exact im"));
	assert_string_equal(row(HEAD_ROWS + 2), "");

	fresh(61, 25);
	result(1, "ops=1 core=5 core.low=5 core.high=5 exact=1 cold=host");
	assert_non_null(strstr(row(HEAD_ROWS + 1), " exact h"));
	result(2, "ops=1 core=5 core.low=5 core.high=5 exact=1 exits=1 nominal=1");
	assert_non_null(strstr(row(HEAD_ROWS + 2), " exact hm"));
	result(3, "ops=1 core=5 core.low=5 core.high=5 exact=1 exits=1 nominal=1 interrupted=1");
	assert_non_null(strstr(row(HEAD_ROWS + 3), " exactihm"));

	/* The end says what they mean: those of its run, and no row where there are none. */
	fresh(80, 25);
	result(1, "ops=1 core=5 core.low=5 core.high=5 exact=1 interrupted=1 nominal=1");
	log_line("done status=ok records=9");
	assert_string_equal(row(HEAD_ROWS + 2),
	                    "marks: i: some samples have an interrupt; m: times are no CPU's");
	assert_int_equal(color_of("marks: i: some"), SCREEN_WARN);
	log_line("cpu cpuid=1 emulator=cpl0-sim clocks_good=900");
	result(1, "ops=1 core=5 core.low=5 core.high=5 exact=1 nominal=1");
	log_line("done status=ok records=9");
	assert_true(on_screen("marks: s: times are of a scoreboard, no CPU's"));
	fresh(80, 25);
	result(1, "ops=1 core=5 core.low=5 core.high=5 exact=1");
	log_line("done status=ok records=9");
	assert_string_equal(row(HEAD_ROWS + 2), "done status=ok records=9");
}

/* The end of a noisy run says how many results spread far; a group counts once. */
static void test_wide_spreads(void **state)
{
	(void)state;
	fresh(80, 25);
	machine();
	result(0, "tsc=10 core=10 core.low=9 core.high=11");
	result(0, "group=1 tsc=10 core=10 core.low=9 core.high=11");
	result(1, "tsc=10 core=10 core.low=9.99 core.high=10.01");
	result(2, "tsc=10 core=10 exact=1");
	result(3, "tsc=0 core=0 core.below=9");
	log_line("done status=ok records=9");
	assert_string_equal(row(4), "done, status ok, 4 of 100 benchmarks in 0:00, 1 wide spread");
	assert_int_equal(color_of("1 wide spread"), SCREEN_WARN);
}

/* ---- Summary ---- */

static void level(unsigned level, const char *type, unsigned kb)
{
	char text[80];

	snprintf(text, sizeof(text), "cache level=%u type=%s size=%u", level, type, kb << 10);
	log_line(text);
}

static void ladder(const char *name, const char *clocks)
{
	char text[120];

	snprintf(text, sizeof(text), "result bench=latency.%s tsc=%s core=%s exact=1", name, clocks,
	         clocks);
	log_line(text);
}

/* A level's latency is that of the largest array which fits well, and into no level below. */
static void test_summary_latency(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("cpl0 schema=2 version=1 bits=64");
	level(1, "data", 32);
	level(1, "code", 256);
	log_line("cache level=1 type=trace uops=12288");
	level(2, "unified", 256);
	level(3, "unified", 6144);
	log_line("clock source=chosen tsc_hz=2000000000");
	assert_string_equal(row(HEAD_LATENCY), "");
	ladder("8k", "3");
	ladder("16k", "4");
	ladder("32k", "5");
	ladder("64k", "11");
	assert_string_equal(row(HEAD_LATENCY), "load latency, clocks: L1 4.00, L2 11.00");
	ladder("128k", "12");
	ladder("256k", "20");
	ladder("2m", "34");
	ladder("4m", "50");
	log_line("result bench=latency.memory group=1 tsc=9 core=9");
	log_line("result bench=latency.memory tsc=184 core=184 exact=1");
	assert_string_equal(
		row(HEAD_LATENCY),
		"load latency, clocks: L1 4.00, L2 12.00, L3 34.00, memory 184.00 (92.00 ns)");
	for (screen.columns = 80; screen.columns >= 79; screen.columns--) {
		log_line("result bench=latency.16m tsc=9 core=9");
		log_line("result bench=latency.memory tsc=840.5 core=840.5 exits=1 interrupted=1 "
		         "nominal=1");
		assert_string_equal(row(HEAD_LATENCY),
		                    screen.columns == 80
		                            ? "load latency, clocks: L1 4.00, L2 12.00, L3 34.00, "
		                              "memory 840.50 (420.25 ns) ihm"
		                            : "load latency, clocks: L1 4.00, L2 12.00, L3 34.00, "
		                              "memory 840.50 ihm");
	}
	log_line("cpl0 schema=2 version=1 bits=64");
	assert_string_equal(row(HEAD_LATENCY), "");
}

/* Where a cache was measured to be of another size, its levels are as measured from there on. */
static void test_geometry(void **state)
{
	static const char *const rows[] = {
		"geometry.l1d  32K, 8 ways, lines of 64   match",
		"geometry.l2   128K, 4 ways, lines of 64  differs: told 256K, 8 ways, lines of 64",
		"geometry.l3   2560K, ways unknown        untold",
		"latency: log scale  clocks      ns spread     1     4     16    64    256   1024",
		"latency.64k     L2   12.00    6.00  exact     ############",
		"latency.256k    L3   34.00   17.00  exact     ################",
	};

	(void)state;
	fresh(80, 25);
	log_line("cpl0 schema=2 version=1 bits=64");
	level(1, "data", 32);
	level(2, "unified", 256);
	log_line("clock source=chosen tsc_hz=2000000000");
	log_line("plan benches=100 groups=1 counters=arch");
	log_line("geometry bench=geometry.l1d load=4 fits=32768 over=40960 ways=8 line=64 "
	         "size=32768 told.ways=8 told.line=64 told.size=32768 verdict=match");
	log_line("geometry bench=geometry.l2 load=12 fits=131072 over=163840 ways=4 line=64 "
	         "size=131072 told.ways=8 told.line=64 told.size=262144 verdict=differs");
	log_line("geometry bench=geometry.l3 load=34 fits=2621440 over=3145728 ways=unknown "
	         "verdict=untold");
	ladder("64k", "12");
	ladder("256k", "34");
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(row(HEAD_ROWS + i), rows[i]);
	assert_int_equal(color_of("match"), SCREEN_GOOD);
	assert_int_equal(color_of("differs"), SCREEN_WARN);
	assert_string_equal(row(HEAD_LATENCY), "load latency, clocks: L2 12.00, L3 34.00");
	assert_non_null(strstr(row(HEAD_PROGRESS), "5 of 100"));
}

/* The fastest ordinary move of each kind, and the arithmetic that was measured. */
static void test_summary_rates(void **state)
{
	static const char *const moves[] = { "read_dword", "read_sse", "write_sse", "write_nt_sse",
		                             "copy_sse" };
	static const unsigned ticks[] = { 16, 8, 10, 1, 20 };
	char text[120];

	(void)state;
	fresh(80, 25);
	log_line("clock source=chosen tsc_hz=1000000000");
	log_line("clock source=core core_per_tsc=2");
	log_line("result bench=bandwidth.read_sse.l1 bytes=64 tsc=1 core=1 exact=1");
	assert_string_equal(row(HEAD_RATES), "");
	for (unsigned i = 0; i < 5; i++) {
		snprintf(text, sizeof(text),
		         "result bench=bandwidth.%s.memory bytes=64 tsc=%u exact=1", moves[i],
		         ticks[i]);
		log_line(text);
	}
	assert_string_equal(row(HEAD_RATES), "memory, GB/s: read 8.00, write 6.40, copy 3.20");
	log_line("result bench=bandwidth.read_sse.memory cpl=3 bytes=64 tsc=1 exact=1");
	assert_string_equal(row(HEAD_RATES), "memory, GB/s: read 8.00, write 6.40, copy 3.20");
	log_line("result bench=instr.tp.imul_r32_r32 ops=10 tsc=10 core=10 exact=1");
	assert_string_equal(row(HEAD_ARITHMETIC), "latency/throughput, clocks: IMUL -/1.00");
	log_line("result bench=alu.imul_latency tsc=3 core=3 exact=1");
	log_line("result bench=alu.add_latency tsc=1 core=1 exact=1");
	log_line("result bench=alu.add_throughput ops=4 tsc=1 core=1 exact=1");
	assert_string_equal(row(HEAD_ARITHMETIC),
	                    "latency/throughput, clocks: ADD 1.00/0.25, IMUL 3.00/1.00");
}

/* A row has the marks of all of its figures, and of no others. */
static void test_summary_marks(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("clock source=chosen tsc_hz=1000000000");
	log_line("result bench=bandwidth.read_sse.memory bytes=64 tsc=8 exact=1 nominal=1");
	log_line("result bench=bandwidth.copy_sse.memory bytes=64 tsc=8 exact=1 interrupted=1");
	log_line("result bench=bandwidth.copy_nt_sse.memory bytes=64 tsc=8 exact=1 exits=1");
	assert_string_equal(row(HEAD_RATES), "memory, GB/s: read 8.00, copy 8.00 im");
	log_line("result bench=alu.add_latency tsc=1 core=1 exact=1");
	assert_string_equal(row(HEAD_ARITHMETIC), "latency/throughput, clocks: ADD 1.00/-");
	log_line("cpu clocks_good=90");
	log_line("result bench=alu.imul_latency tsc=3 core=3 exact=1 nominal=1");
	assert_string_equal(row(HEAD_ARITHMETIC),
	                    "latency/throughput, clocks: ADD 1.00/-, IMUL 3.00/- s");
	log_line("result bench=latency.memory tsc=9 core=9 cold=host");
	assert_string_equal(row(HEAD_LATENCY), "load latency, clocks: memory 9.00 (9.00 ns) h");
}

/* What was measured and drowned in noise is `-`: a quarter of the samples took no time. */
static void test_summary_unknown(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("clock source=chosen tsc_hz=1000000000");
	log_line("result bench=bandwidth.read_sse.memory bytes=64 tsc=8 tsc.low=0 tsc.high=9");
	log_line("result bench=bandwidth.copy_sse.memory bytes=64 tsc=8 tsc.low=1 tsc.high=9 "
	         "tsc.bound=0.5");
	assert_string_equal(row(HEAD_RATES), "memory, GB/s: read -, copy 8.00");
}

/* Few rows: the table has the room of the summary. */
static void test_no_summary(void **state)
{
	(void)state;
	fresh(80, 19);
	log_line("result bench=alu.imul_latency tsc=3 core=3 exact=1");
	assert_non_null(strstr(row(HEAD_LATENCY), "clocks"));
	assert_non_null(strstr(row(HEAD_LATENCY + 1), "alu.imul_latency"));
}

static void test_arguments(void **state)
{
	(void)state;
	fresh(80, 25);
	log_line("listed argument=list what=\"print the benchmarks\"");
	log_line("listed argument=code_offset what=\"where the code begins\"");
	assert_string_equal(row(HEAD_ROWS), "list        print the benchmarks");
	assert_string_equal(row(HEAD_ROWS + 1), "code_offset where the code begins");
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
	assert_string_equal(row(HEAD_ROWS),
	                    "some.benchmark_10                       some.benchmark_11");
}

static char kept[20000];

/* The log of a run with 58 results in one piece, as the console keeps it. */
static size_t kept_log(void)
{
	size_t n = (size_t)sprintf(
		kept, "cpl0 version=1 bits=32 #0:00000000\ncmdline text=\"\" #1:00000000\n");

	for (unsigned i = 0; i < 58; i++)
		n += (size_t)sprintf(kept + n, "result bench=x.%s_%02u tsc=%u #2:00000000\n",
		                     i % 2 ? "odd" : "even", i, i);
	n += (size_t)sprintf(kept + n, "trap bench=x.odd_57 #3:00000000\nfor people\n");
	return n + (size_t)sprintf(kept + n, "warn what=nothing #4:00000000\n");
}

/* What stands in a row up to the first blank. */
static const char *name_in(unsigned r)
{
	char *blank = strchr(row(r), ' ');

	if (blank)
		*blank = '\0';
	return row_text;
}

/*
 * Pages: 58 rows of results, a heading and two messages; the head stays as it is. The heading of
 * what a page begins with stands above it.
 */
static void test_page(void **state)
{
	size_t n = kept_log();
	unsigned before;

	(void)state;
	fresh(80, 25);
	machine();
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, NULL, 0), 61);
	assert_string_equal(row(HEAD_ROWS), "");
	assert_string_equal(name_in(HEAD_ROWS + 1), "x");
	assert_string_equal(name_in(HEAD_ROWS + 2), "x.even_00");
	assert_string_equal(name_in(24), "x.even_14");
	assert_non_null(strstr(row(0), "cpl0 0123abc"));
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, NULL, 48), 61);
	assert_string_equal(row(HEAD_ROWS),
	                    "x                                     clocks      ns spread");
	assert_int_equal(color_of("clocks      ns spread"), SCREEN_TITLE);
	assert_string_equal(name_in(HEAD_ROWS + 1), "x.odd_47");
	assert_string_equal(name_in(HEAD_ROWS + 2), "x.even_48");
	assert_string_equal(row(HEAD_ROWS + 12), "trap bench=x.odd_57");
	assert_string_equal(row(HEAD_ROWS + 13), "warn what=nothing");
	assert_string_equal(row(HEAD_ROWS + 14), "");
	assert_string_equal(row(24), "");

	/* Behind the end nothing is drawn; the same page again costs nothing either. */
	before = drawn;
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, NULL, UINT32_MAX), 61);
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, NULL, 48), 61);
	assert_int_equal(drawn, before);
	assert_int_equal(view_page(VIEW_DETAILS, kept, n, "none", 0), 0);
	assert_string_equal(row(HEAD_ROWS), "");
}

/* Columns and places of a row that no result stands in have no heading on a page. */
static void test_page_headings(void **state)
{
	static const char log[] =
		"cpl0 schema=2 version=1 #0:00000000\n"
		"cache level=3 type=unified size=16777216 #1:00000000\n"
		"clock source=chosen tsc_hz=1000000000 #2:00000000\n"
		"result bench=alu.a tsc=2 core=4 exact=1 #3:00000000\n"
		"result bench=bandwidth.a.l1 bytes=64 tsc=2 exact=1 #4:00000000\n"
		"result bench=bandwidth.a.memory bytes=64 tsc=4 exact=1 #5:00000000\n"
		"result bench=fp.a tsc=2 core=4 exact=1 #6:00000000\n"
		"result bench=fp.b tsc=2 core=4 exact=1 #7:00000000\n";
	static const char *const rows[] = {
		"",
		"alu: whole numbers          clocks      ns spread",
		"alu.a                         4.00    2.00  exact",
		"bandwidth: GB/s         L1  memory spread",
		"a                    32.00   16.00  exact",
		"fp: floating point          clocks      ns spread"
		"                                 clocks      ns spread",
		"fp.a                          4.00    2.00  exact"
		"     fp.b                          4.00    2.00  exact",
		"",
		NULL,
	};

	(void)state;
	fresh(160, 45);
	machine();
	assert_int_equal(view_page(VIEW_RESULTS, log, sizeof(log) - 1, NULL, 0), 6);
	assert_rows(HEAD_ROWS, rows);
}

/* The ports of an instruction stand in its row, and count as a benchmark that is done. */
static void test_ports(void **state)
{
	static const char *const rows[] = {
		"instr: clocks, tp throughput latency      tp spread    ports",
		"add_m64_r64                     5.50          exact    1*p0156+1*p23+1*p4+1*p237",
		"add_r32_r32                                            1*p0156",
		"nop                                     0.25  exact",
		"alu.add_latency, ports: 1*p0156",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	machine();
	log_line("plan benches=5");
	log_line("blocker ports=p0156 code=41bc01000000");
	log_line("result bench=instr.lat.add_m64_r64 tsc=5.5 core=5.5 exact=1");
	log_line("ports bench=instr.tp.add_m64_r64 uops=4 ports=1*p0156+1*p23+1*p4+1*p237");
	log_line("ports bench=instr.tp.add_r32_r32 uops=1 ports=1*p0156");
	log_line("result bench=instr.tp.nop ops=4 tsc=1 core=1 exact=1");
	log_line("ports bench=alu.add_latency uops=1 ports=1*p0156");
	assert_rows(HEAD_ROWS, rows);
	assert_non_null(strstr(row(HEAD_PROGRESS), "5 of 5"));
}

/* The text sizes of screens from 80x25 to 3840x2160, and 600 results. */
static void test_every_result_has_a_page(void **state)
{
	static const unsigned sizes[][2] = { { 80, 25 },  { 80, 30 },  { 100, 37 },
		                             { 160, 50 }, { 120, 33 }, { 240, 67 } };
	enum { RESULTS = 600 };
	static char log[RESULTS * 48];
	size_t n = (size_t)sprintf(log, "cpl0 version=1 bits=32 #0:00000000\n");

	(void)state;
	for (unsigned i = 0; i < RESULTS; i++)
		n += (size_t)sprintf(log + n, "result bench=all.x_%03u tsc=%u #2:00000000\n", i, i);
	for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		unsigned lines, seen = 0;

		fresh(sizes[s][0], sizes[s][1]);
		machine();
		lines = view_page(VIEW_RESULTS, log, n, NULL, 0);
		for (unsigned top = 0; top < lines; top += view_rows()) {
			char name[20];

			assert_int_equal(view_page(VIEW_RESULTS, log, n, NULL, top), lines);
			while (sprintf(name, "all.x_%03u ", seen), on_screen(name))
				seen++;
		}
		assert_int_equal(seen, RESULTS);
	}
}

/* A wide page is like that of a newspaper: the rows of a strip follow those to its left. */
static void test_strips(void **state)
{
	size_t n = kept_log();

	(void)state;
	fresh(160, 25);
	machine();
	n = (size_t)(strstr(kept, "result bench=x.odd_57") - kept);
	assert_int_equal(view_page(VIEW_LIVE, kept, n, NULL, 0), 21);
	assert_int_equal(view_rows(), 17);
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, NULL, 0), 58);
	assert_int_equal(view_rows(), 32);
	assert_string_equal(name_in(HEAD_ROWS + 2), "x.even_00");
	assert_string_equal(name_in(HEAD_ROWS + 16), "x.even_14");
	assert_memory_equal(row(HEAD_ROWS) + 80, "x   ", 4);
	assert_memory_equal(row(HEAD_ROWS + 1) + 80, "x.odd_15 ", 9);
	assert_memory_equal(row(24) + 80, "x.even_30 ", 10);
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, NULL, 32), 58);
	assert_memory_equal(row(HEAD_ROWS), "x   ", 4);
	assert_memory_equal(row(HEAD_ROWS) + 80, "x   ", 4);
	assert_memory_equal(row(HEAD_ROWS + 10) + 80, "x.even_56 ", 10);
	assert_in_range(strlen(row(HEAD_ROWS + 11)), 1, 80);

	/* What fits on a page at once has it alone, and nothing of the strips stays. */
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, "x.even*", 0), 11);
	assert_int_equal(view_rows(), 16);
	assert_string_equal(row(24), "");
}

static void test_page_filter(void **state)
{
	size_t n = kept_log();

	(void)state;
	fresh(80, 25);
	machine();
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, "x.odd*", 16), 31);
	assert_string_equal(name_in(HEAD_ROWS + 1), "x.odd_31");
	assert_string_equal(name_in(HEAD_ROWS + 14), "x.odd_57");
	assert_string_equal(row(HEAD_ROWS + 15), "trap bench=x.odd_57");
	assert_string_equal(row(HEAD_ROWS + 16), "");
	assert_int_equal(view_page(VIEW_RESULTS, kept, n, "nothing*", 0), 0);
	assert_string_equal(row(HEAD_ROWS), "");
}

/* Also on a page without `geometry` rows the level of a size is the one that was measured. */
static void test_page_levels(void **state)
{
	static const char log[] =
		"cache level=1 type=data size=32768 #0:00000000\n"
		"cache level=2 type=unified size=1048576 #1:00000000\n"
		"clock source=chosen tsc_hz=2000000000 #2:00000000\n"
		"geometry bench=geometry.l2 fits=131072 size=131072 verdict=differs #3:00000000\n"
		"result bench=latency.64k tsc=12 core=12 exact=1 #4:00000000\n"
		"result bench=latency.256k tsc=34 core=34 exact=1 #5:00000000\n";

	(void)state;
	fresh(80, 25);
	view_page(VIEW_RESULTS, log, sizeof(log) - 1, "latency.*", 0);
	assert_true(on_screen("latency.64k     L2 "));
	assert_true(on_screen("latency.256k       "));
}

/* A page of one benchmark has its nanoseconds, too. */
static void test_page_units(void **state)
{
	static const char log[] = "clock source=chosen tsc_hz=1000000000 #0:00000000\n"
				  "result bench=alu.a tsc=2 core=4 exact=1 #1:00000000\n";

	(void)state;
	fresh(80, 25);
	assert_int_equal(view_page(VIEW_RESULTS, log, sizeof(log) - 1, "alu.a", 0), 2);
	assert_string_equal(row(HEAD_ROWS + 2),
	                    "alu.a                                   4.00    2.00  exact");
}

/* Every word and mark is explained, and no row is cut at 80 columns. */
static void test_help(void **state)
{
	static const char *const words[] = { "clocks ", "ns ",   "GB/s ",   "spread ", "exact ",
		                             "<1.50 ",  "- ",    "##### ",  "cpl3 ",   "differs ",
		                             "warn ",   "error", "trap",    "timeout", "log ",
		                             "core ",   "TSC",   "proven ", "checks " };
	static const char *const keys[] = { "PgUp", "/ ", "d ", "e ", "h ", "r ", "s ", "b o " };
	unsigned lines;

	(void)state;
	fresh(80, 50);
	lines = view_page(VIEW_HELP, "", 0, NULL, 0);
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_true(on_screen(words[i]));
	for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_true(on_screen(keys[i]));
	fresh(160, 50);
	assert_int_equal(view_page(VIEW_HELP, "", 0, NULL, 0), lines);
	for (unsigned r = 0; r < lines; r++)
		assert_in_range(strlen(row(HEAD_ROWS + r)), 1, 80);
	assert_int_equal(color_of("Keys"), SCREEN_TITLE);
}

static const char detailed[] =
	"cpl0 schema=2 version=1 bits=32 #0:00000000\n"
	"result bench=alu.a form=\"ADD r32, r32\" mode=rate copies=21 loop=24 runs=9 warmup=3 "
	"dropped.smi=2 ops=6 insns=6 code=01c801ca tsc=3 tsc.min=2.4 tsc.low=2.7 tsc.high=3.3 "
	"tsc.max=6 INSTRUCTIONS=6 A.LONG.EVENT_NAME.THAT_TAKES_A_ROW=12 B=0 B.below=3 "
	"exact=0 #1:00000000\n"
	"expect bench=alu.a quantity=tsc got=3 low=2 high=3 verdict=match source=\"a book\" "
	"#2:00000000\n"
	"progress bench=alu.b done=1 total=2 #3:00000000\n"
	"skip bench=alu.b why=\"no SSE\" #4:00000000\n"
	"timeout bench=alu.c seconds=2 #5:00000000\n"
	"warn what=a #6:00000000\n";

/* What a record says of how it was measured, and each quantity for one operation. */
static void test_details(void **state)
{
	static const char *const rows[] = {
		"alu.a",
		"  ADD r32, r32, operations in a copy: 6, copies: 21, rounds: 24, samples: 9",
		"  runs before them: 3, instructions: 6, code 01c801ca, mode rate",
		"  samples dropped: smi 2",
		"  for one operation                median     25 %     75 %    least     most",
		"  tsc                                0.50     0.45     0.55     0.40     1.00",
		"  INSTRUCTIONS                       1.00    exact",
		"  A.LONG.EVENT_NAME.THAT_TAKES_A_ROW",
		"                                     2.00    exact",
		"  B                                 <0.50",
		"  match: tsc of a copy is 3, known is 2 to 3, a book",
		"alu.b was not measured: no SSE",
		"timeout bench=alu.c seconds=2",
		"",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	assert_int_equal(view_page(VIEW_DETAILS, detailed, sizeof(detailed) - 1, NULL, 0), 13);
	assert_rows(HEAD_ROWS, rows);
	assert_int_equal(color_of("samples dropped: smi 2"), SCREEN_WARN);
	assert_int_equal(color_of("match: tsc"), SCREEN_GOOD);
	assert_int_equal(color_of("timeout bench=alu.c"), SCREEN_BAD);
	assert_int_equal(view_page(VIEW_DETAILS, detailed, sizeof(detailed) - 1, "alu.b", 0), 1);
	assert_string_equal(row(HEAD_ROWS), "alu.b was not measured: no SSE");
}

static const char *next_event(bool first)
{
	static const char *const names[] = { "LOADS", "A_NAME_THAT_IS_LONGER_THAN_FORTY_CHARACTERS",
		                             "STORES", "X" };
	static unsigned at;

	at = first ? 0 : at;
	return at < 4 ? names[at++] : NULL;
}

/* What the last run counted, then all that can be counted. */
static void test_events(void **state)
{
	static const char log[] = "cpl0 schema=2 version=1 #0:00000000\n"
				  "event name=OLD group=0 counter=1 #1:00000000\n"
				  "cpl0 schema=2 version=1 #0:00000000\n"
				  "event name=LOADS group=0 counter=1 erratum=AX1 #1:00000000\n"
				  "event name=X group=1 counter=2 #2:00000000\n";
	static const char *const rows[] = {
		"counted: LOADS, counter 1, group 0, erratum AX1",
		"counted: X, counter 2, group 1",
		"4 events; counted by r: bench=NAME events=A,B",
		"LOADS",
		"A_NAME_THAT_IS_LONGER_THAN_FORTY_CHARACTERS",
		"STORES                                  X",
		"",
		NULL,
	};

	(void)state;
	fresh(80, 25);
	view_events_from(next_event);
	assert_int_equal(view_page(VIEW_EVENTS, log, sizeof(log) - 1, NULL, 0), 6);
	assert_rows(HEAD_ROWS, rows);
	assert_int_equal(color_of(", erratum AX1"), SCREEN_WARN);
	assert_int_equal(view_page(VIEW_EVENTS, log, sizeof(log) - 1, "LOADS,STORES", 0), 3);
	assert_string_equal(row(HEAD_ROWS + 1), "2 events; counted by r: bench=NAME events=A,B");
	assert_int_equal(view_page(VIEW_EVENTS, log, sizeof(log) - 1, "Y", 0), 1);
	assert_int_equal(color_of("no such event"), SCREEN_WARN);
}

/* After a page the run goes on below it, and the next run says what it was told. */
static void test_next_run(void **state)
{
	size_t n = kept_log();

	(void)state;
	fresh(80, 25);
	machine();
	result(0, "tsc=1");
	view_page(VIEW_RESULTS, kept, n, NULL, 45);
	log_line("cpl0 schema=1 version=4567def bits=64");
	log_line("cmdline text=bench=alu.*");
	assert_string_equal(row(0), "cpl0 4567def, 64 bits");
	assert_string_equal(row(1), "");
	assert_string_equal(row(23), "warn what=nothing");
	assert_string_equal(row(24), "cmdline text=bench=alu.*");
	log_line("plan benches=1");
	result(1, "tsc=2 core=3");
	assert_string_equal(row(21), "warn what=nothing");
	assert_string_equal(row(22), "cmdline text=bench=alu.*");
	assert_non_null(strstr(row(24), "some.benchmark_1"));
	log_line("done status=ok records=5");
	assert_string_equal(row(4), "done, status ok, run 2: 1 of 1 benchmarks in 0:00");
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
		cmocka_unit_test(test_where),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_table_80x25),
		cmocka_unit_test(test_subjects_80x25),
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_subjects_wide),
		cmocka_unit_test(test_ladder),
		cmocka_unit_test(test_wild_spread),
		cmocka_unit_test(test_head_narrow),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_stoppable),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_event_columns),
		cmocka_unit_test(test_event_aliases),
		cmocka_unit_test(test_event_numbers),
		cmocka_unit_test(test_progress_then_result),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_page_headings),
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_strips),
		cmocka_unit_test(test_wide_spreads),
		cmocka_unit_test(test_page_filter),
		cmocka_unit_test(test_page_levels),
		cmocka_unit_test(test_summary_latency),
		cmocka_unit_test(test_geometry),
		cmocka_unit_test(test_summary_rates),
		cmocka_unit_test(test_summary_unknown),
		cmocka_unit_test(test_summary_marks),
		cmocka_unit_test(test_no_summary),
		cmocka_unit_test(test_page_units),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_next_run),
		cmocka_unit_test(test_every_result_has_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
