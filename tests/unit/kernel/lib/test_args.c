/*
 * kernel/lib/args.c must read every argument, name every kind of mistake, and survive garbage.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/lib/args.h"

enum { LINE = 8192 };

static char line[LINE];
static unsigned complaints;
static char last_word[256], last_why[512];

static void complain(const char *word, const char *why)
{
	complaints++;
	assert_true(strlen(word) < sizeof(last_word) && strlen(why) < sizeof(last_why));
	strcpy(last_word, word);
	strcpy(last_why, why);
}

static unsigned parse(struct args *a, const char *text)
{
	unsigned n;

	complaints = 0;
	last_word[0] = last_why[0] = '\0';
	assert_true(strlen(text) < LINE);
	strcpy(line, text);
	n = args_parse(a, line, complain);
	assert_int_equal(n, complaints);
	return n;
}

static void test_defaults(void **state)
{
	static const char *const empty[] = { "", " ", "\t \n", "/boot/cpl0.elf", "CPL0.ELF " };
	static const struct args zero;
	struct args a;

	(void)state;
	for (unsigned i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
		memset(&a, 0x5a, sizeof(a));
		assert_int_equal(parse(&a, empty[i]), 0);
		assert_false(a.list || a.warmup_set);
		assert_true(!a.bench && !a.skip && !a.events && !a.code && !a.init && !a.console);
		assert_true(a.mode == zero.mode && a.exit == zero.exit && a.cpl == 0);
		assert_int_equal(a.runs | a.warmup | a.unroll | a.loop | a.series, 0);
	}
}

static void test_list(void **state)
{
	struct args a;

	(void)state;
	assert_int_equal(parse(&a, "list"), 0);
	assert_true(a.list && !a.list_events);
	assert_int_equal(parse(&a, "list=benchmarks"), 0);
	assert_true(a.list && !a.list_events);
	assert_int_equal(parse(&a, "list=events"), 0);
	assert_true(a.list && a.list_events);
	assert_int_equal(parse(&a, "list=arguments"), 0);
	assert_true(a.list && a.list_arguments && !a.list_events);
	assert_int_equal(parse(&a, "list=event"), 1);
	assert_string_equal(last_why, "allowed: benchmarks, events, arguments, or no value");
	assert_true(a.lost && !a.list);
}

/* Each argument has a meaning of its own that fits a row of the screen. */
static void test_meanings(void **state)
{
	const char *before = "";
	struct args_help h;
	unsigned n = 0;

	(void)state;
	for (; args_help(n, &h); n++) {
		assert_in_range(strlen(h.name) + strlen(h.meaning), 10, 80);
		assert_string_not_equal(h.meaning, before);
		assert_in_range(strlen(h.absent), 1, 60);
		assert_true(strlen(h.values) < 110); /* with "allowed: " it is not cut */
		before = h.meaning;
	}
	assert_true(n > 35);
	assert_string_equal(h.name, "logfile");
}

static void test_note(void **state)
{
	struct args a;

	(void)state;
	assert_int_equal(parse(&a, "note=\"accel=kvm vpmu=perf: a host\" list"), 0);
	assert_string_equal(a.note, "accel=kvm vpmu=perf: a host");
	assert_true(a.list);
	assert_int_equal(parse(&a, "note="), 1);
}

/* GRUB hands over a word with blanks in it in quotes of its own. */
static void test_quotes_of_grub(void **state)
{
	struct args a;

	(void)state;
	assert_int_equal(parse(&a, "\"code=0f af c0\" runs=5 \"bench=x y\""), 0);
	assert_string_equal(a.code, "0fafc0");
	assert_string_equal(a.bench, "x y");
	assert_int_equal(a.runs, 5);
}

/* skid and addresses bring the programs and the level that they are about. */
static void test_profiles(void **state)
{
	struct args a;

	(void)state;
	assert_int_equal(parse(&a, "skid"), 0);
	assert_string_equal(a.bench, "sprunt.figure5");
	assert_int_equal(a.cpl, 3);
	assert_false(a.cpl_set || a.addresses || a.nsample);
	assert_int_equal(parse(&a, "addresses skid"), 0);
	assert_string_equal(a.bench, "sprunt.figure5,sprunt.table1");
	assert_int_equal(parse(&a, "addresses"), 0);
	assert_string_equal(a.bench, "sprunt.table1");
	assert_int_equal(parse(&a, "bench=l1.* cpl=0 addresses"), 0);
	assert_string_equal(a.bench, "l1.*");
	assert_int_equal(a.cpl, 0);
	assert_int_equal(parse(&a, "after=cpu/a=1,b=2/,1000 sample=x,5"), 0);
	assert_string_equal(a.after.event, "cpu/a=1,b=2/");
	assert_string_equal(a.sample[0].event, "x");
	assert_true(a.after.count == 1000 && a.sample[0].count == 5 && a.nsample == 1);
	assert_int_equal(parse(&a, "after=x,0 after=x"), 2);
	assert_int_equal(parse(&a, "sample=x,5 sample=y,7 sample=z after=v,2 after=w,2"), 2);
	assert_string_equal(a.sample[1].event, "y");
	assert_true(a.sample[1].count == 7 && a.nsample == 2);
	assert_int_equal(parse(&a, "sample=a,1 sample=b,1 sample=c,1 sample=d,1 sample=e,1 "
	                           "sample=f,1 sample=g,1 sample=h,1 sample=i,1 sample=j,1 "
	                           "sample=k,1 sample=l,1 sample=m,1 sample=n,1 sample=o,1 "
	                           "sample=p,1 sample=q,1"),
	                 1);
	assert_true(a.nsample == 16);
	assert_int_equal(parse(&a, "skid=1"), 1);
	assert_false(a.skid || a.bench || a.cpl);
}

static void test_all_keys(void **state)
{
	struct args a;

	(void)state;
	assert_int_equal(
		parse(&a, "build/32/cpl0.elf list bench=pair.*,agi? skip=x "
	                  "events=cpu/event=0x0e,umask=0x01,cmask=1,inv,edge/,DATA_READ mode=rate "
	                  "runs=11 warmup=0 unroll=0x10 loop=1000000 series=8 cpl=3 "
	                  "code=\"0F af  c0\" init=31C0 console=com2,9600 exit=debug"),
		0);
	assert_true(a.list);
	assert_string_equal(a.bench, "pair.*,agi?");
	assert_string_equal(a.skip, "x");
	assert_string_equal(a.events, "cpu/event=0x0e,umask=0x01,cmask=1,inv,edge/,DATA_READ");
	assert_int_equal(a.mode, MODE_RATE);
	assert_int_equal(a.runs, 11);
	assert_int_equal(a.warmup, 0);
	assert_true(a.warmup_set);
	assert_int_equal(a.unroll, 16);
	assert_int_equal(a.loop, 1000000);
	assert_int_equal(a.series, 8);
	assert_int_equal(a.cpl, 3);
	assert_string_equal(a.code, "0Fafc0");
	assert_string_equal(a.init, "31C0");
	assert_string_equal(a.console, "com2,9600");
	assert_int_equal(a.exit, EXIT_DEBUG);
	assert_int_equal(parse(&a, "mode=total exit=halt"), 0);
	assert_true(a.mode == MODE_TOTAL && a.exit == EXIT_HALT);
	assert_int_equal(parse(&a, "exit=reboot"), 0);
	assert_int_equal(a.exit, EXIT_REBOOT);
	assert_int_equal(parse(&a, "exit=poweroff"), 0);
	assert_int_equal(a.exit, EXIT_POWEROFF);
	assert_int_equal(parse(&a, "code_offset=0 data_offset=4095"), 0);
	assert_true(a.code_offset_set && a.code_offset == 0 && a.data_offset == 4095);
	assert_int_equal(parse(&a, "code_offset=4096"), 1);
	assert_false(a.code_offset_set);
	assert_int_equal(parse(&a, "clocks=steady"), 0);
	assert_int_equal(a.clocks, CLOCKS_STEADY);
	assert_int_equal(parse(&a, "clocks=keep"), 0);
	assert_int_equal(a.clocks, CLOCKS_KEEP);
	assert_int_equal(parse(&a, "clocks=fast"), 1);
	assert_int_equal(a.clocks, CLOCKS_STEADY);
	assert_int_equal(parse(&a, "bench=code"), 0);
	assert_false(a.cpl_set);
	assert_int_equal(parse(&a, "cpl=0"), 0);
	assert_true(a.cpl_set && a.cpl == 0);
	assert_int_equal(parse(&a, "cpl=1"), 1);
	assert_false(a.cpl_set);
	assert_int_equal(parse(&a, "prefetch=off"), 0);
	assert_int_equal(a.prefetch, PREFETCH_OFF);
	assert_int_equal(parse(&a, "prefetch=on"), 0);
	assert_int_equal(a.prefetch, PREFETCH_ON);
	assert_int_equal(parse(&a, "prefetch=maybe"), 1);
	assert_int_equal(a.prefetch, PREFETCH_AS_FOUND);
}

static void test_screen(void **state)
{
	struct args a;

	(void)state;
	assert_int_equal(parse(&a, "screen=rotate:270,scale:3"), 0);
	assert_true(a.scale == 3 && a.rotate == 270);
	assert_int_equal(parse(&a, "screen=scale:8"), 0);
	assert_true(a.scale == 8 && a.rotate == 0);
	assert_int_equal(parse(&a, "screen=rotate:90,scale:9"), 1);
	assert_true(a.scale == 0 && a.rotate == 0);
}

/* The complaint names the arguments, from the first to the last: each word of it is one. */
static void test_unknown(void **state)
{
	static const char first[] = "unknown argument; allowed: list=, bench=, ",
			  last[] = ", logfile=";
	char names[1000], *name = names, *end;
	struct args a;

	(void)state;
	assert_int_equal(parse(&a, "frobnicate"), 1);
	assert_memory_equal(last_why, first, sizeof(first) - 1);
	assert_string_equal(last_why + strlen(last_why) - (sizeof(last) - 1), last);
	assert_true(strlen(last_why) < sizeof(names));
	strcpy(names, strchr(last_why, ':') + 2);
	for (; name; name = end ? end + 2 : NULL) {
		end = strstr(name, ", ");
		if (end)
			*end = '\0';
		assert_int_equal(parse(&a, name), strchr(name, '=') ? 1 : 0);
		assert_null(strstr(last_why, "unknown"));
	}
}

/* The end of the complaint names the arguments that a misspelt one is nearest to. */
static void test_nearest(void **state)
{
	static const char *const pairs[][2] = {
		{ "bnech=alu.*", ", logfile=; nearest: bench" },
		{ "event=x", ", logfile=; nearest: events" },
		{ "lst", ", logfile=; nearest: list" },
		{ "codeoffset=0", ", logfile=; nearest: code_offset" },
		{ "frobnicate", ", logfile=" },
	};
	struct args a;

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const char *end = pairs[i][1];

		assert_int_equal(parse(&a, pairs[i][0]), 1);
		assert_true(strlen(last_why) > strlen(end));
		assert_string_equal(last_why + strlen(last_why) - strlen(end), end);
		assert_true(a.lost);
	}
}

/* clang-format off */
static const struct {
	const char *line, *word, *why;
} defects[] = {
	{ "frobnicate",        "frobnicate",        "exit=" },
	{ "Runs=3",            "Runs=3",            "runs=" },
	{ "=3",                "=3",                "unknown" },
	{ "list=1",            "list=1",            "no value" },
	{ "bench",             "bench",             "globs" },
	{ "bench=",            "bench=",            "globs" },
	{ "bench=\"\"",        "bench=\"\"",        "globs" },
	{ "mode=fast",         "mode=fast",         "total, rate" },
	{ "mode",              "mode",              "total, rate" },
	{ "runs=0",            "runs=0",            "1 to 128" },
	{ "runs=-1",           "runs=-1",           "1 to 128" },
	{ "runs=1000001",      "runs=1000001",      "1 to 128" },
	{ "runs=4294967297",   "runs=4294967297",   "1 to 128" },
	{ "runs=99999999999999999999999", "runs=99999999999999999999999", "1 to 128" },
	{ "runs=10x",          "runs=10x",          "1 to 128" },
	{ "runs=0x",           "runs=0x",           "1 to 128" },
	{ "runs=",             "runs=",             "1 to 128" },
	{ "runs",              "runs",              "1 to 128" },
	{ "runs=129",          "runs=129",          "allowed: a number from 1 to 128" },
	{ "series=1000001",    "series=1000001",    "1 to 64" },
	{ "series=65",         "series=65",         "allowed: a number from 1 to 64" },
	{ "watermark=15873",   "watermark=15873",   "allowed: bytes from 1 to 15872" },
	{ "timeout=0",         "timeout=0",         "allowed: milliseconds from 1 to 60000" },
	{ "sample=x",          "sample=x",
	  "allowed: an event, a comma, and the period from 1 to 1073741824; 16 times" },
	{ "threads=two",       "threads=two",       "allowed: 1, core, cores, hybrid, all" },
	{ "unroll=1000001",    "unroll=1000001",    "1 to 1000000" },
	{ "loop=0",            "loop=0",            "1 to 1000000" },
	{ "warmup=x",          "warmup=x",          "0 to 1000000" },
	{ "cpl=1",             "cpl=1",             "0, 3" },
	{ "cpl=4",             "cpl=4",             "0, 3" },
	{ "code=0f a",         "a",                 "unknown" },
	{ "code=\"0f a\"",     "code=\"0f a\"",     "pairs" },
	{ "code=0fg0",         "code=0fg0",         "pairs" },
	{ "code=\" \"",        "code=\" \"",        "pairs" },
	{ "init=\"0 f\"",      "init=\"0 f\"",      "pairs" },
	{ "exit=now",          "exit=now",          "halt, reboot, poweroff, debug" },
	{ "screen",            "screen",            "rotate:90" },
	{ "screen=",           "screen=",           "rotate:90" },
	{ "screen=big",        "screen=big",        "rotate:90" },
	{ "screen=scale:0",    "screen=scale:0",    "scale:1 to scale:8" },
	{ "screen=scale:9",    "screen=scale:9",    "scale:1 to scale:8" },
	{ "screen=scale:",     "screen=scale:",     "scale:1 to scale:8" },
	{ "screen=scale:2x",   "screen=scale:2x",   "scale:1 to scale:8" },
	{ "screen=scale:2,",   "screen=scale:2,",   "scale:1 to scale:8" },
	{ "screen=scale:2,scale:3", "screen=scale:2,scale:3", "one of each" },
	{ "screen=rotate:45",  "screen=rotate:45",  "rotate:90" },
	{ "screen=rotate:0",   "screen=rotate:0",   "rotate:90" },
	{ "screen=rotate:360", "screen=rotate:360", "rotate:90" },
	{ "screen=rotate:90,rotate:90", "screen=rotate:90,rotate:90", "one of each" },
	{ "runs=1 runs=2",     "runs=2",            "twice" },
	{ "list list",         "list",              "twice" },
	{ "bench=\"a b",       "bench=\"a b",       "quotes" },
	{ "bench=a\"b\"",      "bench=a\"b\"",      "quotes" },
	{ "bench=\"a\"b",      "bench=\"a\"b",      "quotes" },
	{ "list /boot/k.elf",  "/boot/k.elf",       "unknown" },
};
/* clang-format on */

/* Each line has one defect; the complaint quotes the word and says what is allowed. */
static void test_defects(void **state)
{
	struct args a;

	(void)state;
	for (unsigned i = 0; i < sizeof(defects) / sizeof(defects[0]); i++) {
		assert_int_equal(parse(&a, defects[i].line), 1);
		assert_string_equal(last_word, defects[i].word);
		assert_non_null(strstr(last_why, defects[i].why));
	}
	assert_int_equal(parse(&a, "runs=1 runs=2 bogus exit=never mode=rate"), 3);
	assert_int_equal(a.runs, 1);
	assert_int_equal(a.mode, MODE_RATE);
}

/* Mistakes behind which the choice of benchmarks may hide, and others. */
static void test_lost(void **state)
{
	static const char *const lines[] = { "bnech=alu.*", "lits",       "bench=",
		                             "bench=a\"b",  "code=0fafc", "list=1" };
	static const char *const others[] = { "", "runs=0", "list", "bench=a code=00", "save=x" };
	struct args a;

	(void)state;
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_int_equal(parse(&a, lines[i]), 1);
		assert_true(a.lost);
	}
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		parse(&a, others[i]);
		assert_false(a.lost);
	}
}

static void test_logfile(void **state)
{
	static const char *const wrong[] = { "logfile",      "logfile=5",           "logfile=5+0",
		                             "logfile=5+",   "logfile=5+100000",    "logfile=+5",
		                             "logfile=5+6x", "logfile=4294967295+1" };
	struct args a;

	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(parse(&a, wrong[i]), 1);
		assert_non_null(strstr(last_why, "FIRST+COUNT"));
		assert_int_equal(a.log_sectors, 0);
	}
	assert_int_equal(parse(&a, "save=maybe"), 1);
	assert_non_null(strstr(last_why, "on, off, ask, new"));
	assert_int_equal(parse(&a, "save=new logfile=2265+16384"), 0);
	assert_true(a.save == SAVE_NEW && a.log_first == 2265 && a.log_sectors == 16384);
}

/* A word of any length is quoted by its start. */
static void test_long_word(void **state)
{
	char text[5001];
	struct args a;

	(void)state;
	memset(text, 'x', 5000);
	text[5000] = '\0';
	assert_int_equal(parse(&a, text), 1);
	assert_int_equal(strlen(last_word), 64 + 3);
	assert_string_equal(last_word + 64, "...");
	text[64] = '\0';
	assert_int_equal(parse(&a, text), 1);
	assert_string_equal(last_word, text);
}

static void test_match(void **state)
{
	static const struct {
		const char *globs, *name;
		bool match;
	} rows[] = {
		{ NULL, "a", false },        { "", "a", false },       { "a", "a", true },
		{ "a", "ab", false },        { "ab", "a", false },     { "*", "", true },
		{ "*", "abc", true },        { "a*c", "abc", true },   { "a*c", "abcd", false },
		{ "a*b*c", "a_b_bc", true }, { "a?c", "abc", true },   { "a?c", "ac", false },
		{ "?", "", false },          { "x,abc", "abc", true }, { "abc,x", "abc", true },
		{ "ab*,x", "abc", true },    { "*b,x", "abc", false }, { "x,*c", "abc", true },
		{ "x,y", "x,y", false },     { ",,", "", true },       { ",,", "a", false },
		{ "a**b", "ab", true },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (args_match(rows[i].globs, rows[i].name) != rows[i].match)
			fail_msg("%s against %s", rows[i].name, rows[i].globs);
}

static void test_match_first(void **state)
{
	(void)state;
	assert_true(args_match_first("a*,b", "abc"));
	assert_false(args_match_first("a,b", "b"));
	assert_false(args_match_first(",b", "b"));
}

/* The classic trap for recursive matchers must cost nothing. */
static void test_match_cost(void **state)
{
	char glob[201], name[4001];

	(void)state;
	for (unsigned i = 0; i < 200; i += 2)
		memcpy(glob + i, "a*", 2);
	strcpy(glob + 199, "b");
	memset(name, 'a', 4000);
	name[4000] = '\0';
	assert_false(args_match(glob, name));
}

static void test_number(void **state)
{
	uint32_t v;
	const char *end;

	(void)state;
	assert_true(args_number("4294967295,x", UINT32_MAX, &v, &end));
	assert_true(v == UINT32_MAX && *end == ',');
	assert_false(args_number("4294967296", UINT32_MAX, &v, &end));
	assert_true(args_number("0xfFg", UINT32_MAX, &v, &end));
	assert_true(v == 255 && *end == 'g');
	assert_false(args_number("", 9, &v, &end));
	assert_false(args_number(":", 9, &v, &end));
}

static uint32_t lcg(uint32_t *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 8;
}

static void ignore(const char *word, const char *why)
{
	assert_true(strlen(word) <= 67 && strlen(why) > 0);
}

/* Pieces of arguments and garbage in any order: no crash, and every value in its range. */
static void test_fuzz(void **state)
{
	static const char *const pieces[] = {
		"list",    "bench=", "skip=",   "events=", "mode=", "runs=", "warmup=",
		"unroll=", "loop=",  "series=", "cpl=",    "code=", "init=", "console=",
		"exit=",   "\"",     " ",       "=",       ",",     "*",     "0x",
		"12",      "rate",   "halt",    "ff",      "/",     ".elf"
	};
	uint32_t seed = 20;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		char *text = malloc(512),
		     *exact; /* its size: the sanitizer sees one byte too far */
		size_t n = 0;
		struct args a;

		while (n < 400 && lcg(&seed) % 32) {
			const char *p = pieces[lcg(&seed) % (sizeof(pieces) / sizeof(pieces[0]))];

			if (lcg(&seed) % 8 == 0)
				text[n++] = (char)(lcg(&seed) % 255 + 1);
			memcpy(text + n, p, strlen(p));
			n += strlen(p);
		}
		text[n++] = '\0';
		exact = realloc(text, n);
		assert_non_null(exact);
		text = exact;
		args_parse(&a, text, ignore);
		assert_true(a.runs <= 128 && a.warmup <= 1000000 && a.unroll <= 1000000);
		assert_true(a.loop <= 1000000 && a.series <= 64);
		assert_true(a.cpl == 0 || a.cpl == 3);
		assert_true(!a.code || (strlen(a.code) % 2 == 0 && a.code[0]));
		assert_true(!a.bench || (a.bench > text && a.bench < text + n && a.bench[0]));
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),    cmocka_unit_test(test_quotes_of_grub),
		cmocka_unit_test(test_all_keys),    cmocka_unit_test(test_screen),
		cmocka_unit_test(test_defects),     cmocka_unit_test(test_lost),
		cmocka_unit_test(test_unknown),     cmocka_unit_test(test_logfile),
		cmocka_unit_test(test_nearest),     cmocka_unit_test(test_list),
		cmocka_unit_test(test_meanings),    cmocka_unit_test(test_note),
		cmocka_unit_test(test_long_word),   cmocka_unit_test(test_match),
		cmocka_unit_test(test_match_first), cmocka_unit_test(test_match_cost),
		cmocka_unit_test(test_number),      cmocka_unit_test(test_fuzz),
		cmocka_unit_test(test_profiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
