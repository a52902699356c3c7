/*
 * The rate of KVM's clock: pages as Linux fills them, pages that make no sense, and a KVM that
 * fills none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/cpu/kvmclock.h"
#include "kernel/cpu/msr.h"
#include "kernel/cpu/x86.h"

enum { LEAF = 0x40000100, REGISTER = 0x4b564d01 };

static struct {
	uint32_t features;
	uint64_t value; /* of the register */
	bool absent, refuses, silent;
	uint32_t version, mul;
	int8_t shift;
} kvm;

struct cpuid_regs fake_cpuid(uint32_t leaf, uint32_t subleaf)
{
	assert_int_equal(leaf, LEAF + 1);
	assert_int_equal(subleaf, 0);
	return (struct cpuid_regs){ kvm.features, 0, 0, 0 };
}

bool msr_read(uint32_t msr, uint64_t *value)
{
	assert_int_equal(msr, REGISTER);
	*value = kvm.value;
	return !kvm.absent;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	uint8_t *page = (uint8_t *)(uintptr_t)(value & ~1ull);

	assert_int_equal(msr, REGISTER);
	if (kvm.refuses)
		return false;
	kvm.value = value;
	if (!(value & 1) || kvm.silent)
		return true;
	assert_int_equal(value % 32, 1);
	*(uint32_t *)(void *)page = kvm.version;
	*(uint32_t *)(void *)(page + 24) = kvm.mul;
	page[28] = (uint8_t)kvm.shift;
	return true;
}

/* A KVM whose TSC has 2.592 GHz: a tick is 0xc587e6b7 / 2^33 ns. */
static int reset(void **state)
{
	(void)state;
	kvm = (typeof(kvm)){ .features = 1 << 3, .version = 2, .mul = 0xc587e6b7, .shift = -1 };
	return 0;
}

static void rates(void **state)
{
	(void)state;
	assert_int_equal(kvmclock_khz_of(0x80000000, 1), 1000000);
	assert_int_equal(kvmclock_khz_of(0x80000000, 0), 2000000);
	assert_int_equal(kvmclock_khz_of(0x80000000, -1), 4000000);
	assert_int_equal(kvmclock_khz_of(0, 0), 0);
	assert_int_equal(kvmclock_khz_of(0x80000000, 11), 0);
	assert_int_equal(kvmclock_khz_of(0x80000000, -11), 0);
	assert_int_equal(kvmclock_khz_of(1, 0), 0);
}

static void of_a_page(void **state)
{
	(void)state;
	kvm.value = 0x1230;
	assert_in_range(kvmclock_khz(LEAF), 2591999, 2592001);
	assert_int_equal(kvm.value, 0x1230); /* as it was */
}

static void no_clock(void **state)
{
	(void)state;
	assert_int_equal(kvmclock_khz(0), 0);
	kvm.features = ~(1u << 3);
	assert_int_equal(kvmclock_khz(LEAF), 0);
	reset(state);
	kvm.absent = true;
	assert_int_equal(kvmclock_khz(LEAF), 0);
	reset(state);
	kvm.refuses = true;
	assert_int_equal(kvmclock_khz(LEAF), 0);
}

/* A page that is not filled, or is being filled, has no rate, not even that of the call before. */
static void a_page_that_is_not_filled(void **state)
{
	(void)state;
	assert_true(kvmclock_khz(LEAF));
	kvm.version = 3;
	assert_int_equal(kvmclock_khz(LEAF), 0);
	kvm.version = 2;
	assert_true(kvmclock_khz(LEAF));
	kvm.silent = true;
	assert_int_equal(kvmclock_khz(LEAF), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(rates, reset),
		cmocka_unit_test_setup(of_a_page, reset),
		cmocka_unit_test_setup(no_clock, reset),
		cmocka_unit_test_setup(a_page_that_is_not_filled, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
