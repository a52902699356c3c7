/*
 * What PEBS writes into its registers, on a machine of registers. Nothing samples here; the
 * simulator does (tests/machines).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/internal.h"
#include "pmu/sampling/group.h"
#include "pmu/sampling/interrupt.h"
#include "pmu/sampling/sampler.h"
#include "pmu/sampling/width.h"
#include "tests/unit/pmu/pmu_mock.h"

#define MISC_ENABLE   0x1a0
#define PEBS_ENABLE   0x3f1
#define PEBS_DATA_CFG 0x3f2
#define LD_LAT        0x3f6
#define DS_AREA       0x600

const char *perf_interrupt_obstacle(void)
{
	return NULL;
}

void perf_interrupt_open(uint32_t entry, bool nmi, trap_fn handler)
{
	(void)entry, (void)nmi, (void)handler;
}

void perf_interrupt_arm(void)
{
}

void perf_interrupt_end(struct trap_frame *f, bool ours)
{
	(void)f, (void)ours;
}

void perf_interrupt_close(void)
{
}

void sampling_give(struct pmu_sampling *s, struct pmu_sample *sample)
{
	(void)s, (void)sample;
}

uintptr_t (*const sampling_before)(const struct pmu_sampling *s, uintptr_t ip);

static struct cpu cpu;

/* Four general counters and, from version 5 on, `fixed` fixed ones that PEBS knows. */
static void machine(uint32_t model, unsigned version, unsigned fixed)
{
	uint64_t counters = 0xf | (version < 5 ? 0xfull : (1ull << fixed) - 1) << 32;

	mock_clear();
	cpu = mock_arch(model, version, 4, fixed);
	cpu.features[CPU_DS / 32] |= 1u << CPU_DS % 32;
	cpu.features[CPU_PDCM / 32] |= 1u << CPU_PDCM % 32;
	mock_add(0xc1, 4, 0xffffffffffff);
	mock_add(0x186, 4, 0x7ffffffff);
	mock_add(0x309, fixed, 0xffffffffffff);
	mock_add(0x345, 1, 0);
	mock_find(0x345)->value = version < 5 ? 0x300 : 0x4400;
	mock_add(0x38d, 1, ~0ull);
	mock_add(0x38f, 3, ~0ull);
	mock_add(MISC_ENABLE, 1, 0);
	mock_add(0x1a6, 2, ~0ull);
	mock_add(0x1d9, 1, ~0ull);
	mock_add(PEBS_ENABLE, 1, counters);
	mock_add(PEBS_DATA_CFG, 1, ~0ull);
	mock_add(LD_LAT, 2, 0xffff);
	mock_add(DS_AREA, 1, ~0ull);
	mock_probe(&cpu);
}

static uint64_t enabled(const char *event)
{
	static struct pmu_sampling s;
	uint64_t value;

	s = (struct pmu_sampling){ .event = event, .period = 100, .most = 10, .cpl = 3 };
	assert_null(pmu_pebs.open(&s));
	mock.nlog = 0;
	assert_true(pmu_pebs.start(&s));
	value = mock_written(PEBS_ENABLE, 0);
	pmu_pebs.stop(&s);
	assert_int_equal(mock_find(PEBS_ENABLE)->value, 0);
	return value;
}

#define LATENCY "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4"

/* Before version 5 bit 32 + n makes counter n measure latencies. */
static void latency_before_version_5(void **unused)
{
	(void)unused;
	machine(0x5e, 4, 3);
	assert_int_equal(enabled(LATENCY), 0x100000001);
	assert_int_equal(enabled("BR_INST_RETIRED.ALL_BRANCHES"), 1);
}

/* From version 5 on the bit is a fixed counter's: none but that of the general counter is set. */
static void latency_from_version_5(void **unused)
{
	(void)unused;
	machine(0x7e, 5, 4);
	assert_int_equal(enabled(LATENCY), 1);
	machine(0x8f, 5, 4); /* counter 0 has the auxiliary event */
	assert_int_equal(enabled(LATENCY), 2);
	assert_int_equal(mock.reserved, 0);
	machine(0x8f, 5, 1); /* no fixed counter 1: the bit would be refused */
	assert_int_equal(enabled(LATENCY), 2);
	assert_int_equal(mock.reserved, 0);
}

/* Architectural PEBS has other registers: none of the old ones is touched. The reason says so. */
static void architectural(void **unused)
{
	static struct pmu_sampling s = { .event = LATENCY, .period = 100, .cpl = 3 };
	const char *why;

	(void)unused;
	machine(0x8f, 6, 4);
	cpu.arch.pebs = true;
	mock.nlog = 0;
	why = pmu_pebs.open(&s);
	assert_non_null(why);
	assert_non_null(strstr(why, "architectural PEBS"));
	assert_int_equal(mock.nlog, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency_before_version_5),
		cmocka_unit_test(latency_from_version_5),
		cmocka_unit_test(architectural),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
