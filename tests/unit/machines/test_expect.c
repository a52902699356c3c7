/*
 * The judge of tests/machines: each kind of expectation, met and not met, and what is malformed.
 * The check values of these records are wrong, which does not matter to it. Only the first record
 * must have the right one where the boot loader's text stands before it on its line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/machines/expect/judge.h"
#include "tools/lib/alloc.h"

#define R(body) body " #1:0123\n"

static char build[] = "/tmp/test_expect.XXXXXX";

/* What the judge prints; it must be freed. */
static char *judged(const char *log_text, const char *text)
{
	size_t size, n = strlen(log_text);
	char *said, *data = allocate(n);
	FILE *out = open_memstream(&said, &size);
	struct spec spec;
	struct log log;

	memcpy(data, log_text, n);
	log_read(&log, "log", data, n);
	if (spec_read(&spec, text, out))
		judge(&spec, &log, build, out);
	spec_free(&spec);
	log_close(&log);
	fclose(out);
	return said;
}

static void says(const char *log_text, const char *text, const char *expected)
{
	char *said = judged(log_text, text);

	assert_string_equal(said, expected);
	free(said);
}

static void met(const char *log_text, const char *text)
{
	says(log_text, text, "");
}

static void unmet(const char *log_text, const char *text)
{
	char expected[200];

	snprintf(expected, sizeof(expected), "  expected: %s\n", text);
	says(log_text, text, expected);
}

static const char sampled[] = "SeaBIOS\r\n"
			      "\x1b[2Jcpl0 schema=1 bits=32 #0:abbb\r\n"
			      "sampling method=iebs samples=20 lost=641 lag=-3 #1:89abcdef\r\n"
			      "result bench=p5.agi0 tsc=1.50 #2:0123\r\n"
			      "result bench=p5.agi1 tsc=2 #3:0123\r\n"
			      "error what=bench why=\"a (b) [c] \\\"d\\\"\" #4:0123\r\n"
			      "warn what=none #5:xyz\r\n";

static void records(void **state)
{
	(void)state;
	met(sampled, "");
	met(sampled, "-");
	met(sampled, " cpl0 bits=32 ;; result bench=p5.agi1 tsc=2; result ");
	unmet(sampled, "cpl0 bits=64");
	unmet(sampled, "result bench=p5.agi1 tsc=1.50");
	unmet(sampled, "result cpl=0");
	met(sampled, "!timeout; !result tsc=3; !warn");
	unmet(sampled, "!result bench=p5.agi1");
	unmet(sampled, "warn");
	says(sampled, "result tsc=3; !cpl0; sampling",
	     "  expected: result tsc=3\n  expected: !cpl0\n");
}

static void globs(void **state)
{
	(void)state;
	met(sampled, "result bench=p5.*0 tsc=1?50");
	met(sampled, "result bench=*p5*agi*");
	unmet(sampled, "result bench=5*");
	unmet(sampled, "result bench=p5");
	unmet(sampled, "result bench=p5.agi0?");
	unmet(sampled, "result bench=p5?*0?*");
	met(sampled, "error why=a?(b)?[c]?*d*");
	unmet(sampled, "error why=a?(b)?[abc]?*");
	unmet(sampled, "error why=a?(b).[c]*");
}

static void numbers(void **state)
{
	(void)state;
	met(sampled, "results 2; results 0");
	unmet(sampled, "results 3");
	met(sampled, "atleast 2 result; atleast 1 result tsc=2; exactly 2 result bench=*");
	met(sampled, "exactly 0 timeout");
	unmet(sampled, "atleast 3 result");
	unmet(sampled, "exactly 1 result bench=*");
	unmet(sampled, "exactly 3 result");
}

static void relations(void **state)
{
	(void)state;
	met(sampled, "sampling samples+lost=661 method=iebs");
	met(sampled, "sampling samples+lost+lag=658 samples>=20 samples<30");
	unmet(sampled, "sampling samples+lost=660");
	unmet(sampled, "sampling samples+lost=661 method=pebs");
	met(sampled, "result tsc>1.499 tsc<1.501; result tsc<=2 tsc>=2; sampling lag<0 lag>=-3");
	unmet(sampled, "result tsc>2");
	unmet(sampled, "result tsc<1.5");
	unmet(sampled, "result tsc<=1.499");
	unmet(sampled, "result tsc>=2.001");
	met(sampled, "!result tsc>2; exactly 1 result tsc+tsc=4; exactly 2 result tsc>1");
	/* A key that is not there, or no number. */
	unmet(sampled, "sampling samples+outside=20");
	unmet(sampled, "sampling outside<1");
	unmet(sampled, "sampling method>=0");
	/* A glob, behind = alone. */
	unmet(sampled, "sampling samples=<30");
}

static void lines(void **state)
{
	(void)state;
	met(sampled, "~^SeaBIOS$; ~samples=(20 lost=641|21 lost=640) lag; ~#4:0123$");
	unmet(sampled, "~^seabios");
	unmet(sampled, "~samples=2[1-9]");
	met(sampled, "~^warn .* #5:xyz$");
}

static const char exact[] = R("result bench=a tsc=100 insns=100 exact=1")
	R("result bench=b tsc=2 exact=1") R("result bench=c tsc=50 insns=50 exact=1");

static void counted(void **state)
{
	(void)state;
	met(exact, "counted 2");
	unmet(exact, "counted 3");
	says(R("result bench=a tsc=99 insns=100 exact=1"), "counted 1",
	     "  not its instruction count: result bench=a tsc=99 insns=100 exact=1 #1:0123\n");
	says(R("result bench=a tsc=100 insns=100 exact=0"), "counted 1",
	     "  not its instruction count: result bench=a tsc=100 insns=100 exact=0 #1:0123\n");
}

static void table(const char *name, const char *text)
{
	char path[100];
	FILE *f;

	snprintf(path, sizeof(path), "%s/gen/pmu/%s", build, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* A build with the tables of a family that has two models. */
static int begin(void **state)
{
	char path[100];

	(void)state;
	if (!mkdtemp(build))
		return 1;
	snprintf(path, sizeof(path), "%s/gen", build);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/gen/pmu", build);
	mkdir(path, 0700);
	table("mine-old.csv", "# Source: none\nevent,mask,code\nOLD,,1\nOLD,A,1\n");
	table("mine-all.csv", "event,mask,counters,filter,bit,models\n"
	                      "BOTH,,,,,old new\n"
	                      "NEW,,,,,new\n"
	                      "FILTERED,,,offcore,,new\n"
	                      "ARCH,A,,,1,new\n"
	                      "ARCH,B,,,2,new\n"
	                      "FIXED,,fixed1,,,new\n");
	return 0;
}

static int end(void **state)
{
	static const char *const parts[] = { "/gen/pmu/mine-old.csv", "/gen/pmu/mine-all.csv",
		                             "/gen/pmu", "/gen", "" };
	char path[100];

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		snprintf(path, sizeof(path), "%s%s", build, parts[i]);
		if (remove(path))
			return 1;
	}
	return 0;
}

#define OLD R("pmu pmu=mine model=old") R("event name=OLD") R("event name=OLD.A")
#define NEW R("pmu pmu=mine model=new") R("event name=BOTH") R("event name=NEW")

static void planned(void **state)
{
	(void)state;
	met(OLD R("event name=BOTH") R("groups events=3"), "planned");
	met(R("pmu pmu=none"), "planned");
	says(OLD R("event name=NEW") R("groups events=4"), "planned",
	     "  not planned: BOTH\n  planned, but in no table: NEW\n"
	     "  groups says 4 events, there are 3\n");
}

/* Bit 1 and no fixed counter; bit 1 of the newer leaf and two fixed counters. */
static void announced(void **state)
{
	(void)state;
	met(R("arch_pmu events_length=3 missing_events=0x4 fixed=1") NEW R("event name=ARCH.A")
	            R("groups events=3"),
	    "planned");
	says(R("arch_pmu events_length=2 missing_events=0x2 fixed=1") NEW R("groups events=2"),
	     "planned; results 1", "  expected: results 1\n");
	met(R("arch_pmu events23=0x2 events_length=7 missing_events=0x0 fixed=2")
	            NEW R("event name=ARCH.A") R("event name=FIXED") R("groups events=4"),
	    "planned");
	says(R("arch_pmu fixed=1 fixed_bitmap=0x2") NEW R("groups events=2"), "planned",
	     "  not planned: FIXED\n");
}

#define PLAN   R("event name=E") R("event name=F") R("event name=D derived=0")
#define NOUGHT "result bench=no mode=total tsc=0 "

static void empty(void **state)
{
	(void)state;
	met(PLAN R(NOUGHT "E=0") R("zero bench=no events=F") R("result bench=yes E=7"), "empty no");
	says(PLAN R(NOUGHT "E=0 F=0 D=0") R(NOUGHT "E=0"), "empty no",
	     "  E was counted 2 times in no\n  D was counted 1 times in no\n");
	says(PLAN R("zero bench=yes events=\"E F\""), "empty no",
	     "  no result of no\n  E was counted 0 times in no\n  F was counted 0 times in no\n");
	met(PLAN R("still events=\"E F\"") R(NOUGHT "E=0"), "empty no");
	says(PLAN R(NOUGHT "E=0 F=0") R("zero bench=no events=G"), "empty no",
	     "  counted, but not planned: G\n");
	says(PLAN R("result bench=no tsc=1 core=1 E=0 F=0 F.max=1"), "empty no",
	     "  tsc=1 in result bench=no tsc=1 core=1 E=0 F=0 F.max=1 #1:0123\n"
	     "  core is not 0 in result bench=no tsc=1 core=1 E=0 F=0 F.max=1 #1:0123\n"
	     "  F.max=1 in result bench=no tsc=1 core=1 E=0 F=0 F.max=1 #1:0123\n"
	     "  F has a spread in result bench=no tsc=1 core=1 E=0 F=0 F.max=1 #1:0123\n");
}

/* A tick of a slow clock is one in all copies of a loop; a constant is that much in each result. */
static void tolerances(void **state)
{
	(void)state;
	met(PLAN R(NOUGHT "E=1 E.min=-1 E.max=1") R("zero bench=no events=F"), "empty no E");
	met(PLAN R("result bench=no mode=rate copies=5 loop=2 E=0.1 E.max=0.1 F=0"), "empty no E");
	says(PLAN R("result bench=no mode=rate copies=5 loop=2 E=-0.101 F=0"), "empty no E",
	     "  E=-0.101 in result bench=no mode=rate copies=5 loop=2 E=-0.101 F=0 #1:0123\n");
	says(PLAN R(NOUGHT "E=2 F=0"), "empty no E", "  E=2 in " R(NOUGHT "E=2 F=0"));
	met(PLAN R("result bench=no tsc=-2 E=0 F=3"), "empty no tsc=2 F=3");
	says(PLAN R(NOUGHT "E=0 F=4"), "empty no F=3", "  F=4 in " R(NOUGHT "E=0 F=4"));
}

static void malformed(void **state)
{
	static const char *const cases[][2] = {
		{ "smapling lost=0", "no record is of the kind 'smapling'" },
		{ "!smapling", "no record is of the kind 'smapling'" },
		{ "exactly 1 !error", "no record is of the kind '!error'" },
		{ "sampling lsot=0", "sampling records have no key 'lsot'" },
		{ "sampling samples+lsot=0", "sampling records have no key 'lsot'" },
		{ "sampling samples+=0", "'samples+' lacks a key" },
		{ "sampling +lost=0", "sampling records have no key ''" },
		{ "sampling lost", "'lost' is neither KEY=GLOB nor a relation" },
		{ "sampling =5", "'=5' is neither KEY=GLOB nor a relation" },
		{ "sampling samples+lost=66?",
		  "'samples+lost=66?': '66?' is no number with up to three decimals" },
		{ "sampling lost<", "'lost<': '' is no number with up to three decimals" },
		{ "sampling lost=>5 lost<>5",
		  "'lost<>5': '>5' is no number with up to three decimals" },
		{ "results", "a number is missing" },
		{ "results many", "'many' is no number of them" },
		{ "counted -1", "'-1' is no number of them" },
		{ "results 1 2", "'2' is too much" },
		{ "planned all", "'all' is too much" },
		{ "atleast result", "'result' is no number of them" },
		{ "exactly 2", "no record is of the kind ''" },
		{ "empty", "a benchmark is missing" },
		{ "empty no E=x", "'E=x' is no EVENT=N" },
		{ "empty no; empty yes", "there is another `empty`" },
		{ "~a(b", "Unmatched ( or \\(" },
	};
	char expected[200];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *text = cases[i][0], *culprit = strstr(text, "; ");

		snprintf(expected, sizeof(expected), "expect: '%s': %s\n",
		         culprit ? culprit + 2 : text, cases[i][1]);
		says(sampled, text, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records),   cmocka_unit_test(globs),
		cmocka_unit_test(numbers),   cmocka_unit_test(relations),
		cmocka_unit_test(lines),     cmocka_unit_test(counted),
		cmocka_unit_test(planned),   cmocka_unit_test(announced),
		cmocka_unit_test(empty),     cmocka_unit_test(tolerances),
		cmocka_unit_test(malformed),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
