/*
 * bench/result/check.c: which deviations of a check a hypervisor or an SMI explains. The machine is
 * a list of counts, one for each try.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/result/check.c"

enum { EXPECTED = 100, STOOD = -1 };

static const struct snippet_blob blob __attribute__((section("snippets"), used));

/* The expectation's text lies as far behind it as its field says. */
static struct {
	struct snippet_expect expect;
	char text[16];
} body = { .expect = { .min = EXPECTED * 1000 }, .text = "instructions" };

static struct cpu cpu;
static struct args arguments;
static struct bench_run run = { .cpu = &cpu, .args = &arguments };
static const char *erratum;
static bool branches_exact; /* the family counts branches, and nothing else */
static int counts[8];       /* of each try, or STOOD; the last one goes on */
static int worst[8];        /* the sample of each try that is off by so much, as an SMI makes it */
static unsigned tries, ntries;
static char text[8192];

const char *snippet_load(struct bench *b, const struct snippet_blob *from, const void *start,
                         const void *end)
{
	(void)from;
	(void)start;
	(void)end;
	memset(b, 0, sizeof(*b));
	strcpy(b->name, "check.body");
	body.expect.quantity = (int32_t)(body.text - (char *)&body.expect.quantity);
	b->expect = &body.expect;
	b->nexpect = 1;
	return NULL;
}

const char *select_obstacle(const struct bench_run *r, const struct bench *b)
{
	(void)r;
	(void)b;
	return NULL;
}

/* The family has one filter, and events without one. */
bool pmu_single(struct pmu_group *group, const char *request, unsigned cpl)
{
	(void)cpl;
	*group = (struct pmu_group){ .n = 1 };
	strcpy(group->slots[0].key, request);
	return !strcmp(request, "instructions:k") || !strchr(request, ':');
}

const char *pmu_exact_alias(unsigned i)
{
	return !i ? "instructions" : i == 1 && branches_exact ? "branches" : NULL;
}

const char *pmu_erratum(const char *key)
{
	(void)key;
	return erratum;
}

bool pmu_host_adds(const char *key)
{
	(void)key;
	return erratum && !strcmp(erratum, "VMRUN");
}

bool pmu_wait(void)
{
	return true;
}

const char *pmu_name(void)
{
	return "amd";
}

struct platform_ring3 platform_ring3(void)
{
	return (struct platform_ring3){ 0 };
}

unsigned engine_cpl(const struct bench_run *r, const struct bench *b)
{
	(void)r;
	(void)b;
	return 0;
}

static bool smi_counted;

bool platform_counts_smi(void)
{
	return smi_counted;
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	unsigned at = tries < ntries ? tries : ntries - 1;
	int64_t is = counts[at];

	(void)r;
	(void)b;
	(void)group;
	tries++;
	out->stood = is == STOOD;
	if (out->stood)
		return "the counters stood still in every sample";
	out->q[1] = (struct stats_diff){ is + worst[at], is, is, is, is, !worst[at] };
	return NULL;
}

const char *cpu_pmu_class_name(enum cpu_pmu_class k)
{
	(void)k;
	return "amd";
}

static void keep(const char *line, size_t n)
{
	strncat(text, line, n);
}

/* Checks that come to `n` counts, one a try; what the log says, and its status. */
static enum log_status check(unsigned n, const int *is)
{
	memcpy(counts, is, n * sizeof(*is));
	ntries = n;
	tries = 0;
	text[0] = 0;
	log_sink(keep);
	log_restart();
	check_counters(&run);
	return log_status_now();
}

#define CHECK(...) check(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), (const int[]){ __VA_ARGS__ })

static void hypervisor(bool there)
{
	memset(&cpu, 0, sizeof(cpu));
	cpu.pmu_class = PMU_CLASS_AMD;
	cpu.features[CPU_HYPERVISOR / 32] |= (uint32_t)there << CPU_HYPERVISOR % 32;
	erratum = NULL;
}

static void test_iron(void **state)
{
	(void)state;
	hypervisor(false);
	assert_int_equal(CHECK(EXPECTED + 1, EXPECTED), LOG_OK); /* no log confirms the model */
	assert_int_equal(tries, 1);
	assert_non_null(strstr(text, "verdict=\"off by +1\""));
	assert_non_null(strstr(text, "no log confirms"));
	cpu.simulated = true;
	assert_int_equal(CHECK(EXPECTED + 1, EXPECTED), LOG_FAIL);
	assert_int_equal(tries, 1);
}

/* A sample that an SMI fell into is no deviation, where another try has none. */
static void test_smi(void **state)
{
	(void)state;
	hypervisor(false);
	cpu.simulated = true;
	worst[0] = -1;
	assert_int_equal(CHECK(EXPECTED, EXPECTED), LOG_OK);
	assert_int_equal(tries, 2);
	assert_non_null(strstr(text, "repeated=1 verdict=exact"));
	worst[1] = worst[2] = -1;
	assert_int_equal(CHECK(EXPECTED, EXPECTED, EXPECTED), LOG_FAIL);
	assert_int_equal(tries, 3);
	assert_non_null(strstr(text, "repeated=2 verdict=\"off by -1\""));
	assert_int_equal(CHECK(EXPECTED + 1, EXPECTED), LOG_FAIL);
	assert_int_equal(tries, 1);
	smi_counted = true; /* such samples are dropped before */
	assert_int_equal(CHECK(EXPECTED, EXPECTED), LOG_FAIL);
	assert_int_equal(tries, 1);
	smi_counted = false;
	memset(worst, 0, sizeof(worst));
}

/* The host came between once. */
static void test_once(void **state)
{
	(void)state;
	hypervisor(true);
	assert_int_equal(CHECK(EXPECTED), LOG_OK);
	assert_null(strstr(text, "repeated="));
	assert_int_equal(CHECK(EXPECTED + 1, EXPECTED), LOG_OK);
	assert_int_equal(tries, 2);
	assert_non_null(strstr(text, "repeated=1 verdict=exact"));
	assert_null(strstr(text, "warn"));
}

/* It comes between each time: another number each time is its doing, always the same is not. */
static void test_always(void **state)
{
	(void)state;
	hypervisor(true);
	assert_int_equal(CHECK(EXPECTED + 1, EXPECTED + 2, EXPECTED + 1), LOG_OK);
	assert_int_equal(tries, 5);
	assert_non_null(strstr(text, "repeated=4 verdict=\"off by +1\""));
	assert_non_null(strstr(text, "warn what=check culprit=guest"));
	assert_int_equal(CHECK(EXPECTED + 1), LOG_FAIL);
	assert_int_equal(tries, 5);
	assert_int_equal(CHECK(0), LOG_OK); /* the event is held back */
	assert_non_null(strstr(text, "hypervisor holds them back"));
	erratum = "VMRUN";
	assert_int_equal(CHECK(EXPECTED + 1), LOG_OK);
	assert_non_null(strstr(text, "known=VMRUN"));
	assert_int_equal(CHECK(EXPECTED - 1), LOG_FAIL); /* exits take nothing away */
	assert_null(strstr(text, "known="));
	assert_int_equal(CHECK(0), LOG_OK);
	assert_non_null(strstr(text, "not counting"));
	assert_null(strstr(text, "known=VMRUN"));
}

/* A host that has the counters in later tries takes back no count of an earlier try. */
static void test_stood(void **state)
{
	(void)state;
	hypervisor(true);
	assert_int_equal(CHECK(EXPECTED + 1, EXPECTED + 1, STOOD), LOG_FAIL);
	assert_non_null(strstr(text, "repeated=4 verdict=\"off by +1\""));
	assert_int_equal(CHECK(EXPECTED + 1, STOOD), LOG_OK); /* a host can come between once */
	assert_non_null(strstr(text, "repeated=4 verdict=\"off by +1\""));
	assert_int_equal(CHECK(STOOD, EXPECTED), LOG_OK);
	assert_non_null(strstr(text, "repeated=1 verdict=exact"));
	assert_int_equal(CHECK(STOOD), LOG_OK);
	assert_non_null(strstr(text, "verdict=\"not counting\""));
}

/* A result of eight copies that counted so many branches: what the log says. */
static const char *result(const struct bench *b, int64_t branches)
{
	static struct pmu_group group = { .n = 2 };
	static struct engine_result r = { .copies = 4, .loop = 2, .n = 3 };

	strcpy(group.slots[0].key, "instructions");
	strcpy(group.slots[1].key, "branches");
	r.q[1].med = 40;
	r.q[2].med = r.q[2].min = r.q[2].max = branches;
	text[0] = 0;
	check_result(&run, b, &group, &r);
	return text;
}

/* Branches are held where the family counts them exactly and the body's are known. */
static void test_branches(void **state)
{
	struct bench b = { .name = "a.loop", .insns = 5, .branches = 2, .branches_known = true };

	(void)state;
	hypervisor(false);
	branches_exact = true;
	CHECK(EXPECTED);
	assert_string_equal(result(&b, 16), "");
	assert_non_null(strstr(result(&b, 17), "check event=branches counts=branches body=a.loop"));
	assert_non_null(strstr(text, "expected=16 got=17"));
	assert_null(strstr(text, "event=instructions"));
	check_end(&run);
	assert_non_null(strstr(text, "checked event=instructions results=2 exact=2 off=0"));
	assert_non_null(strstr(text, "checked event=branches results=2 exact=1 off=1"));
	assert_non_null(strstr(text, "warn what=check culprit=results"));
	b.branches = 0;
	assert_non_null(strstr(result(&b, 1), "expected=0 got=1"));
	b.branches = 2;
	erratum = "SKL091"; /* which never makes that nothing is counted */
	assert_non_null(strstr(result(&b, 17), "known=SKL091"));
	assert_null(strstr(result(&b, 0), "known=SKL091"));
	assert_non_null(strstr(text, "not counting"));
	erratum = NULL;
	b.branches_known = false;
	assert_string_equal(result(&b, 1), "");
	branches_exact = false;
	b.branches_known = true;
	CHECK(EXPECTED);
	assert_string_equal(result(&b, 1), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_iron),  cmocka_unit_test(test_smi),
		cmocka_unit_test(test_once),  cmocka_unit_test(test_always),
		cmocka_unit_test(test_stood), cmocka_unit_test(test_branches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
