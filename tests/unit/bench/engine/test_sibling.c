/*
 * bench/engine/sibling.c: who may run on the other thread of a core, and who is seen there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bench/engine/sibling.c"

enum { ADDS = 100000 };

static struct cpu cpu;
static const struct args args;
static const struct bench_run run = { .cpu = &cpu, .args = &args };
static bool others;
static unsigned nops, disturbed; /* tenths in the time of an ADD; looks that see half as many */

bool platform_privileged(void)
{
	return true;
}

bool platform_shares_core(const struct cpu *c)
{
	assert_ptr_equal(c, &cpu);
	return others;
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	const unsigned is = disturbed ? nops / 2 : nops;

	(void)r;
	(void)group;
	out->q[0].med = ADDS;
	if (!strcmp(b->name, "nops")) {
		out->q[0].med = is ? ADDS * 10 / (int64_t)is : 0;
		disturbed -= disturbed > 0;
	}
	return NULL;
}

/* A guest or a process on a Zen 4, whose thread is alone. */
static int fresh(void **state)
{
	(void)state;
	memset(&cpu, 0, sizeof(cpu));
	cpu.vendor = VENDOR_AMD;
	cpu.family = 0x19;
	cpu.threads_per_core = 2;
	others = true;
	nops = 50;
	disturbed = 0;
	return 0;
}

static void assert_look(enum sibling expected)
{
	assert_int_equal(sibling_look(&run), expected);
}

static void parked(void **state)
{
	(void)state;
	others = false;
	assert_look(SIBLING_QUIET);
	cpu.threads_per_core = 1;
	nops = 25; /* slow for another reason */
	assert_look(SIBLING_QUIET);
}

/* Firmware, perhaps: it runs although the thread is parked. */
static void parked_and_busy(void **state)
{
	(void)state;
	others = false;
	nops = 25;
	assert_look(SIBLING_BUSY);
}

/* A thread that waits for memory leaves all of the width, and takes half of the queues. */
static void idle_is_not_known(void **state)
{
	(void)state;
	assert_look(SIBLING_UNKNOWN);
	cpu.threads_per_core = 1; /* CPUID of a guest says so */
	assert_look(SIBLING_UNKNOWN);
}

static void busy(void **state)
{
	(void)state;
	nops = 25;
	assert_look(SIBLING_BUSY);
}

/* An exit looks like a thread once, or twice. */
static void disturbed_looks(void **state)
{
	(void)state;
	disturbed = 2;
	assert_look(SIBLING_UNKNOWN);
	assert_int_equal(disturbed, 0);
}

static void no_such_width(void **state)
{
	(void)state;
	nops = 10; /* a simulator */
	assert_look(SIBLING_UNKNOWN);
	nops = 0; /* not measured */
	assert_look(SIBLING_UNKNOWN);
	cpu.vendor = VENDOR_CENTAUR;
	assert_look(SIBLING_UNKNOWN);
}

/* A hypervisor may show a model without threads on a core with two. */
static void shown_without_threads(void **state)
{
	(void)state;
	cpu.threads_per_core = 1;
	cpu.family = 0x10;
	assert_look(SIBLING_UNKNOWN);
	cpu.vendor = VENDOR_INTEL;
	cpu.family = 6;
	cpu.model = 0x5c;
	assert_look(SIBLING_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(parked, fresh),
		cmocka_unit_test_setup(parked_and_busy, fresh),
		cmocka_unit_test_setup(idle_is_not_known, fresh),
		cmocka_unit_test_setup(busy, fresh),
		cmocka_unit_test_setup(disturbed_looks, fresh),
		cmocka_unit_test_setup(no_such_width, fresh),
		cmocka_unit_test_setup(shown_without_threads, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
