/*
 * The place of a CPU by its APIC id: levels of leaf 1FH, 0BH and 80000026H, and sizes alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/cpu/msr.h"
#include "kernel/cpu/topology.h"

enum { SUBLEAVES = 6 };

/* A leaf with levels: the shift of each and its type; shift 0 and type 0 end it. */
static struct {
	uint32_t leaf, id;
	uint8_t level[SUBLEAVES][2];
} made;

static uint32_t node, core_type;

/* kernel/cpu/cpu.c wants them; nothing here reads a register. */
bool msr_read(uint32_t index, uint64_t *value)
{
	(void)index;
	*value = 0;
	return false;
}

bool msr_write(uint32_t index, uint64_t value)
{
	(void)index;
	(void)value;
	return false;
}

static struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = { 0, 0, 0, 0 };

	if (leaf == 1)
		r.ebx = made.id << 24;
	if (leaf == 0x8000001e)
		r.ecx = node;
	if (leaf == 0x1a)
		r.eax = core_type;
	if (leaf != made.leaf || subleaf >= SUBLEAVES)
		return r;
	r.edx = made.id;
	r.ecx = subleaf | (uint32_t)made.level[subleaf][1] << 8;
	r.eax = made.level[subleaf][0];
	r.ebx = made.level[subleaf][1] ? 1 : 0;
	return r;
}

static struct cpu_place find(const struct cpu *c)
{
	struct cpu_place p;

	memset(&p, 0xa5, sizeof(p));
	cpu_decode_apic_id(&p, c, cpuid);
	return p;
}

static struct cpu any_cpu(void)
{
	struct cpu c = {
		.max_leaf = 0x1f, .max_ext = 0x80000026, .smt_shift = 1, .package_shift = 4
	};

	node = core_type = 0;
	memset(&made, 0, sizeof(made));
	return c;
}

/* Thread, core, module, die: ids of 1, 2, 2 and 1 bits. */
static void intel_levels(void **state)
{
	struct cpu c = any_cpu();
	struct cpu_place p;

	(void)state;
	made.leaf = 0x1f;
	made.id = 3 << 6 | 1 << 5 | 2 << 3 | 3 << 1 | 1;
	memcpy(made.level, (uint8_t[][2]){ { 1, 1 }, { 3, 2 }, { 5, 3 }, { 6, 5 } }, 8);
	core_type = 0x20000001;
	p = find(&c);
	assert_string_equal(p.source, "leaf1f");
	assert_int_equal(p.apic_id, made.id);
	assert_int_equal(p.thread, 1);
	assert_int_equal(p.core, 1 << 4 | 2 << 2 | 3);
	assert_int_equal(p.module, 1 << 2 | 2);
	assert_int_equal(p.die, 1);
	assert_int_equal(p.package, 3);
	assert_int_equal(p.core_type, 0x20);
	assert_int_equal(p.native_model, 1);
}

/* Leaf 0BH has threads and cores alone: then a module is a core, and the die is the first. */
static void two_levels(void **state)
{
	struct cpu c = any_cpu();
	struct cpu_place p;

	(void)state;
	made.leaf = 0x0b;
	made.id = 2 << 4 | 5 << 1;
	memcpy(made.level, (uint8_t[][2]){ { 1, 1 }, { 4, 2 } }, 4);
	p = find(&c);
	assert_string_equal(p.source, "leafb");
	assert_int_equal(p.thread, 0);
	assert_int_equal(p.core, 5);
	assert_int_equal(p.module, 5);
	assert_int_equal(p.die, 0);
	assert_int_equal(p.package, 2);
}

/* Core, complex, die, socket: AMD counts from the level itself. */
static void amd_levels(void **state)
{
	struct cpu c = any_cpu();
	struct cpu_place p;

	(void)state;
	made.leaf = 0x80000026;
	made.id = 1 << 7 | 3 << 5 | 1 << 4 | 6 << 1 | 1;
	memcpy(made.level, (uint8_t[][2]){ { 1, 1 }, { 4, 2 }, { 5, 3 }, { 7, 4 } }, 8);
	p = find(&c);
	assert_string_equal(p.source, "80000026");
	assert_int_equal(p.thread, 1);
	assert_int_equal(p.core, 3 << 4 | 1 << 3 | 6);
	assert_int_equal(p.module, 3 << 1 | 1);
	assert_int_equal(p.die, 3);
	assert_int_equal(p.package, 1);
}

/* Nothing but leaf 1, and on AMD the node of leaf 8000001EH. */
static void sizes_alone(void **state)
{
	struct cpu c = any_cpu();
	struct cpu_place p;

	(void)state;
	made.id = 0x35;
	p = find(&c);
	assert_string_equal(p.source, "shifts");
	assert_int_equal(p.thread, 1);
	assert_int_equal(p.core, 2);
	assert_int_equal(p.package, 3);
	c.features[CPU_TOPOEXT / 32] |= 1u << CPU_TOPOEXT % 32;
	node = 7;
	assert_int_equal(find(&c).die, 7);
}

/* A NetBurst core has two threads, whatever CPUID makes of several packages. */
static void netburst_has_two_threads(void **state)
{
	struct cpu c = any_cpu();
	struct cpu_place p;

	(void)state;
	c.pmu_class = PMU_CLASS_NETBURST;
	c.smt_shift = c.package_shift = 2;
	made.id = 2;
	p = find(&c);
	assert_int_equal(p.thread, 0);
	assert_int_equal(p.core, 1);
	c.smt_shift = 0;
	assert_int_equal(find(&c).core, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intel_levels),
		cmocka_unit_test(two_levels),
		cmocka_unit_test(amd_levels),
		cmocka_unit_test(sizes_alone),
		cmocka_unit_test(netburst_has_two_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
