/*
 * bench/result/proof.c: what chains say of counters of clocks, and when results are taken back. The
 * machine is a table of clocks and ticks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t test_rdtsc(void);

#include "kernel/cpu/x86.h"
#define x86_rdtsc test_rdtsc
#include "bench/result/proof.c"

enum { TSC_HZ = 1000000, COPIES = 10 };

/* Thousandths of an operation; `reference`: clocks of a multiplication at the TSC's rate. */
static struct {
	int32_t add_ticks, add_clocks, imul_ticks, imul_clocks, reference;
	uint32_t quiet_loop; /* of a guest: no longer chain has runs that are alike */
} machine;

static const struct snippet_blob blobs[2] __attribute__((section("snippets"), used));
static const char *const names[] = { "alu.add_latency", "alu.imul_latency" };
static struct cpu cpu;
static struct args arguments;
static struct bench_run run = { .cpu = &cpu, .args = &arguments, .tsc_hz = TSC_HZ };
static char text[4096]; /* kinds and words of the log, with blanks between them */
static uint32_t records;
static bool honest_counters, counters_taken, warned;
static unsigned fails_at;        /* of the proofs of counters from now on; 0: none */
static unsigned odd_reference;   /* so many chains of it are off from now on */
static uint16_t user_cs;         /* 0: no way to CPL 3 */
static unsigned measured_cpl[4]; /* samples of chains by their CPL */
static uint64_t now;             /* as the TSC is */

static void put(const char *word)
{
	assert_true(strlen(text) + strlen(word) + 2 < sizeof(text));
	strcat(strcat(text, word), " ");
}

void log_begin(const char *kind)
{
	put(kind);
}

void log_str(const char *key, const char *value)
{
	(void)key;
	put(value);
}

void log_dec(const char *key, uint64_t value)
{
	char number[] = { (char)('0' + value % 10), 0 };

	put(key);
	put(number);
}

void log_milli(const char *key, int64_t thousandths)
{
	(void)key;
	(void)thousandths;
}

void log_end(void)
{
	records++;
}

uint32_t log_records(void)
{
	return records;
}

void check_failed(const struct bench_run *r, const char *culprit, const char *why)
{
	(void)r;
	(void)culprit;
	(void)why;
	warned = true;
}

void log_warn(const char *what, const char *culprit, const char *why)
{
	(void)what;
	(void)culprit;
	(void)why;
	warned = true;
}

unsigned cpu_adds_per_clock(const struct cpu *c)
{
	(void)c;
	return 1;
}

const char *snippet_load(struct bench *b, const struct snippet_blob *blob, const void *from,
                         const void *end)
{
	(void)from;
	(void)end;
	memset(b, 0, sizeof(*b));
	strcpy(b->name, names[blob - blobs]);
	b->ops = 1;
	return NULL;
}

struct platform_ring3 platform_ring3(void)
{
	return (struct platform_ring3){ .cs = user_cs };
}

bool pmu_single(struct pmu_group *group, const char *request, unsigned cpl)
{
	assert_int_equal(cpl, user_cs ? arguments.cpl : 0);
	*group = (struct pmu_group){ .n = 1 };
	strcpy(group->slots[0].key, request);
	return true;
}

bool pmu_prove_again(void)
{
	now++;
	if (fails_at && !--fails_at)
		return false;
	return honest_counters;
}

bool pmu_taken(void)
{
	return counters_taken;
}

bool pmu_prove_end(void)
{
	return pmu_prove_again();
}

uint64_t pmu_prove_ticks(void)
{
	return 0;
}

void check_counters(const struct bench_run *r)
{
	(void)r;
}

static uint64_t test_rdtsc(void)
{
	return now;
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *result)
{
	bool add = !strcmp(b->name, names[0]), core = !strcmp(group->slots[0].key, "cycles");
	int64_t all = (int64_t)COPIES * r->args->loop;

	measured_cpl[r->args->cpl]++;
	assert_int_equal(r->undisturbed, cpu_is_guest(&cpu));
	*result = (struct engine_result){ .copies = COPIES, .loop = r->args->loop };
	result->runs = r->args->loop > machine.quiet_loop ? 1 : r->args->runs;
	if (r->undisturbed && result->runs == 1) /* what the host takes */
		all += all / 2;
	result->q[0].med = (add ? machine.add_ticks : machine.imul_ticks) * all / 1000;
	if (!core && odd_reference) {
		odd_reference--;
		result->q[1].med = machine.reference * all / 100;
		return NULL;
	}
	result->q[1].med = (!core ? machine.reference
	                    : add ? machine.add_clocks
	                          : machine.imul_clocks) *
	                   all / 1000;
	return NULL;
}

void check_off(const struct bench_run *r, const struct bench *b, const char *event, const char *key,
               int64_t expected, const struct stats_diff *got)
{
	(void)r;
	(void)key;
	put("check");
	put(b->name);
	put(event);
	assert_int_not_equal(expected, got->med);
}

/* A core at half of the TSC's rate, with honest counters. */
static int setup(void **state)
{
	(void)state;
	machine.add_ticks = 2000, machine.add_clocks = 1000;
	machine.quiet_loop = 0;
	machine.imul_ticks = 6000, machine.imul_clocks = 3000, machine.reference = 6000;
	cpu = (struct cpu){ .threads_per_core = 1 };
	arguments.cpl = 0, user_cs = 0;
	memset(measured_cpl, 0, sizeof(measured_cpl));
	honest_counters = true;
	fails_at = odd_reference = 0;
	counters_taken = false;
	warned = false;
	return 0;
}

/* What is logged after the start and two results. */
static const char *again(uint64_t ticks)
{
	text[0] = 0;
	records += 2;
	now += ticks;
	proof_after(&run);
	return text;
}

static void honest(void **state)
{
	(void)state;
	text[0] = 0;
	records = 4;
	proof_begin(&run, false);
	assert_string_equal(text, "chain alu.add_latency cycles agrees "
	                          "chain alu.imul_latency cycles agrees "
	                          "chain alu.imul_latency ref-cycles agrees ");
	assert_string_equal(again(2 * TSC_HZ), "");
	assert_false(warned);
}

static void taken_back(void **state)
{
	(void)state;
	records = 0;
	proof_begin(&run, false);
	machine.add_clocks = 2000, machine.imul_clocks = 6000;
	assert_string_equal(again(0), "");
	assert_string_equal(again(2 * TSC_HZ), "chain alu.add_latency cycles off "
	                                       "chain alu.imul_latency cycles off "
	                                       "withdrawn from 3 to 6 ");
	assert_true(warned);
	text[0] = 0;
	proof_end(&run);
	assert_null(strstr(text, "withdrawn")); /* there was no result */
	honest_counters = false;
	machine.add_clocks = 1000, machine.imul_clocks = 3000;
	assert_non_null(strstr(again(2 * TSC_HZ), "withdrawn"));
}

/* Of results between a failed proof and the next one nothing is known, even if that one is good. */
static void good_again(void **state)
{
	(void)state;
	records = 0;
	proof_begin(&run, false);
	honest_counters = false;
	assert_string_equal(again(2 * TSC_HZ), "withdrawn from 3 to 4 ");
	honest_counters = true;
	assert_string_equal(again(2 * TSC_HZ), "withdrawn from 6 to 7 ");
	assert_string_equal(again(2 * TSC_HZ), "");
}

/* Counters were away and are back: samples have proven themselves, or results are taken back. */
static void taken_away(void **state)
{
	static const struct bench b = { .name = "result" };
	static struct pmu_group group = { .n = 1 };
	struct engine_result r = { .watched = true };

	(void)state;
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	proof_begin(&run, false);
	counters_taken = true;
	warned = false;
	proof_result(&run, &b, &group, &r);
	assert_string_equal(again(2 * TSC_HZ), "");
	assert_true(warned);
	r.watched = false;
	proof_result(&run, &b, NULL, &r); /* no counter */
	assert_string_equal(again(2 * TSC_HZ), "");
	proof_result(&run, &b, &group, &r);
	assert_non_null(strstr(again(2 * TSC_HZ), "withdrawn"));
	proof_unwatched();
	counters_taken = false;
	assert_non_null(strstr(again(2 * TSC_HZ), "withdrawn")); /* behind a proof that failed */
	assert_string_equal(again(2 * TSC_HZ), "");
}

/* A chain that is off waits for the counters. What they have lost by then is taken back. */
static void lost_behind_a_chain(void **state)
{
	(void)state;
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	proof_begin(&run, false);
	machine.quiet_loop = UINT32_MAX;
	odd_reference = 1;
	fails_at = 2;
	assert_string_equal(again(2 * TSC_HZ), "");
	assert_true(warned);
	assert_non_null(strstr(again(2 * TSC_HZ), "withdrawn"));
	assert_non_null(strstr(again(2 * TSC_HZ), "withdrawn")); /* behind a proof that failed */
	assert_string_equal(again(2 * TSC_HZ), "");
}

/* What was so at the start is told once, and takes nothing back. */
static void off_from_the_start(void **state)
{
	(void)state;
	machine.reference = 3000;
	text[0] = 0;
	proof_begin(&run, false);
	assert_non_null(strstr(text, "ref-cycles off"));
	assert_true(warned);
	assert_string_equal(again(2 * TSC_HZ), "");
	machine.reference = -1; /* what another event may be beside an empty bracket */
	text[0] = 0;
	proof_begin(&run, false);
	assert_non_null(strstr(text, "ref-cycles off"));
}

/* Another thread slows the ADDs, in clocks and in ticks. */
static void busy_thread(void **state)
{
	(void)state;
	cpu.threads_per_core = 2;
	proof_begin(&run, false);
	machine.add_clocks = 1060, machine.add_ticks = 2120;
	assert_string_equal(again(2 * TSC_HZ), "chain alu.add_latency cycles shared "
	                                       "chain alu.imul_latency cycles shared ");
	assert_false(warned);
	machine.add_clocks = 1060,
	machine.add_ticks = 2000; /* nothing is slower, and counts rise */
	assert_non_null(strstr(again(2 * TSC_HZ), "withdrawn"));
	setup(state);
	cpu.threads_per_core = 2;
	machine.add_clocks = 1060, machine.add_ticks = 2120;
	text[0] = 0;
	proof_begin(&run, true);
	assert_non_null(strstr(text, "add_latency cycles shared"));
	text[0] = 0;
	proof_begin(&run, false);
	assert_non_null(strstr(text, "add_latency cycles off"));
}

/*
 * A thousandth of core clocks and of reference clocks is told. Of a chain of few ticks, because the
 * core is fast, two readings may be off by four steps.
 */
static void limits(void **state)
{
	(void)state;
	machine.add_clocks = 1001, machine.imul_clocks = 30030;
	machine.imul_ticks = 60000, machine.reference = 60060;
	text[0] = 0;
	proof_begin(&run, false);
	assert_null(strstr(text, "off"));
	machine.add_clocks = 1002, machine.reference = 60061;
	text[0] = 0;
	proof_begin(&run, false);
	assert_non_null(strstr(text, "add_latency cycles off"));
	assert_non_null(strstr(text, "ref-cycles off"));
	machine.imul_ticks = 6000, machine.reference = 6018;
	text[0] = 0;
	proof_begin(&run, false);
	assert_null(strstr(text, "ref-cycles off"));
	machine.reference = 6019;
	proof_begin(&run, false);
	assert_non_null(strstr(text, "ref-cycles off"));
}

/* A host that comes between makes chains shorter, and where that does not help it is named. */
static void host_between(void **state)
{
	(void)state;
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	machine.quiet_loop = GUEST_LOOP * 2;
	text[0] = 0;
	proof_begin(&run, false);
	assert_null(strstr(text, "host"));
	assert_null(strstr(text, "off"));
	assert_false(warned);
	machine.reference = 8000;
	text[0] = 0;
	proof_begin(&run, false);
	assert_non_null(strstr(text, "ref-cycles alike 6 off"));
	machine.quiet_loop = 0;
	warned = false;
	text[0] = 0;
	proof_begin(&run, false);
	assert_non_null(strstr(text, "ref-cycles alike 1 host"));
	assert_null(strstr(text, "off"));
	assert_true(warned);
	assert_string_equal(again(2 * TSC_HZ), "");
}

/* Chains run at the level of the run, where there is a way to it. */
static void level_of_the_run(void **state)
{
	(void)state;
	arguments.cpl = 3;
	proof_begin(&run, false);
	assert_true(measured_cpl[0] && !measured_cpl[3]);
	setup(state);
	arguments.cpl = 3, user_cs = 0x23;
	proof_begin(&run, false);
	assert_true(measured_cpl[3] && !measured_cpl[0]);
}

static enum args_mode mode = MODE_RATE;

/* What proof_after() says of a result with so many ticks, core and reference clocks. */
static const char *result(int64_t ticks, int64_t core, int64_t reference)
{
	static const struct bench b = { .name = "result" };
	const struct engine_result core_result = { .mode = mode,
		                                   .n = 2,
		                                   .q = { { .med = ticks }, { .med = core } } };
	const struct engine_result other = { .mode = mode,
		                             .n = 2,
		                             .q = { { .med = ticks }, { .med = reference } } };

	text[0] = 0;
	warned = false;
	records += 2;
	proof_result(&run, &b, &run.plan.groups[0], &core_result);
	proof_result(&run, &b, &run.plan.groups[1], &other);
	proof_after(&run);
	return text;
}

/* A result's clocks are held against its ticks, where the plan counts them and chains agree. */
static void results(void **state)
{
	static struct pmu_group groups[2] = { { .n = 1 }, { .n = 1 } };

	(void)state;
	strcpy(groups[0].slots[0].key, "cycles");
	strcpy(groups[1].slots[0].key, "ref-cycles");
	run.plan = (struct pmu_plan){ 2, groups };
	proof_begin(&run, false);
	assert_string_equal(result(200000, 102009, 200000), "");
	assert_true(warned); /* a real clock may have changed: one warning a run */
	assert_string_equal(result(200000, 102009, 200000), "");
	assert_false(warned);
	run.number++;
	result(200000, 102009, 200000);
	assert_true(warned);
	cpu.simulated = true;
	assert_string_equal(result(200000, 100000, 200000), "");
	mode = MODE_TOTAL; /* the body may have emptied a cache */
	assert_string_equal(result(200000, 150000, 200000), "");
	mode = MODE_RATE;
	assert_string_equal(result(200000, 102008, 201320), "");
	assert_string_equal(result(200000, 102009, 200000), "check result cycles ");
	assert_true(warned);
	assert_string_equal(result(200000, 97991, 201321),
	                    "check result cycles check result ref-cycles ");
	cpu.simulated = false;
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	assert_string_equal(result(200000, 50000, 200000), "");
	setup(state);
	cpu.simulated = true;
	machine.add_ticks = 1000, machine.imul_ticks = 3000; /* the clock has changed */
	machine.reference = 3000;
	assert_string_equal(result(200000, 200000, 200000), "");
	assert_string_equal(result(200000, 100000, 200000), "check result cycles ");
	machine.add_clocks = 2000, machine.imul_clocks = 6000; /* now the counter is known to lie */
	assert_non_null(strstr(result(200000, 400000, 200000), "cycles off withdrawn"));
	assert_string_equal(result(200000, 400000, 200000), "");
	run.plan = (struct pmu_plan){ 0 };
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(honest, setup),
		cmocka_unit_test_setup(taken_away, setup),
		cmocka_unit_test_setup(lost_behind_a_chain, setup),
		cmocka_unit_test_setup(taken_back, setup),
		cmocka_unit_test_setup(good_again, setup),
		cmocka_unit_test_setup(off_from_the_start, setup),
		cmocka_unit_test_setup(busy_thread, setup),
		cmocka_unit_test_setup(limits, setup),
		cmocka_unit_test_setup(host_between, setup),
		cmocka_unit_test_setup(level_of_the_run, setup),
		cmocka_unit_test_setup(results, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
