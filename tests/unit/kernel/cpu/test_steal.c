/*
 * KVM's page of stolen time: what was stolen before this program began is not counted, and a page
 * that KVM is writing is read again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/cpu/msr.h"
#include "kernel/cpu/steal.h"
#include "kernel/cpu/x86.h"

enum { LEAF = 0x40000000, REGISTER = 0x4b564d03, BEFORE = 7000000 };

static uint32_t features;
static uint64_t reg;
static struct steal_page *page;

struct cpuid_regs fake_cpuid(uint32_t leaf, uint32_t subleaf)
{
	(void)subleaf;
	assert_int_equal(leaf, LEAF + 1);
	return (struct cpuid_regs){ features, 0, 0, 0 };
}

bool msr_read(uint32_t msr, uint64_t *value)
{
	assert_int_equal(msr, REGISTER);
	*value = reg;
	return true;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	assert_int_equal(msr, REGISTER);
	reg = value;
	if (!(value & 1))
		return true;
	page = (struct steal_page *)(uintptr_t)(value & ~63ull);
	page->steal_ns = BEFORE;
	page->version += 2;
	return true;
}

static int begin(void **state)
{
	(void)state;
	features = 1 << 5;
	reg = 0x4000;
	assert_true(steal_begin(LEAF));
	return 0;
}

static int end(void **state)
{
	(void)state;
	steal_end();
	assert_int_equal(reg, 0x4000); /* as it was */
	return 0;
}

static void since_the_beginning(void **state)
{
	(void)state;
	assert_int_equal(steal_us(), 0);
	page->steal_ns = BEFORE + 5000;
	page->version += 2;
	assert_int_equal(steal_us(), 5);
}

static void each_change_shows(void **state)
{
	const uint32_t version = steal_version();

	(void)state;
	page->preempted = 1;
	assert_int_not_equal(steal_version(), version);
	page->preempted = 0;
	assert_int_equal(steal_version(), version);
	page->version += 2;
	assert_int_not_equal(steal_version(), version);
}

static void no_page(void **state)
{
	(void)state;
	steal_end();
	assert_int_equal(steal_us(), 0);
	features = ~(1u << 5);
	assert_false(steal_begin(LEAF));
	features = 1 << 5;
	assert_false(steal_begin(0));
	assert_int_equal(steal_us(), 0);
	assert_int_equal(steal_version(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(since_the_beginning, begin, end),
		cmocka_unit_test_setup_teardown(each_change_shows, begin, end),
		cmocka_unit_test_setup_teardown(no_page, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
