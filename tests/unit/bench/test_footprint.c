/*
 * bench/footprint.c, bench/suite/memory.c, bench/suite/bandwidth.c: what footprints there are, that
 * none is cut to fit, and that nothing beside them is touched.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/suite/bandwidth.c"
#include "bench/suite/memory.c"

enum { ROOM = 64 << 20 };

static uint8_t *room; /* at a page boundary */
static unsigned flushes;
static struct cpu cpu;
static struct bench_area area;

void platform_flush_caches(void)
{
	flushes++;
}

bool platform_flush_bytes(const void *start, size_t size)
{
	(void)start;
	(void)size;
	return true;
}

const struct cpu_cache *cpu_data_cache(const struct cpu *c, unsigned level)
{
	return level <= c->ncaches ? &c->caches[level - 1] : NULL;
}

/* Caches of 32 KiB, 1 MiB, and so many MiB if they are not 0. */
static void machine(uint32_t last_mib, unsigned shared_by)
{
	cpu.ncaches = last_mib ? 3 : 2;
	cpu.caches[0] = (struct cpu_cache){ .level = 1, .size = 32 << 10, .ways = 8, .line = 64 };
	cpu.caches[1] = (struct cpu_cache){ .level = 2, .size = MIB, .ways = 16, .line = 64 };
	cpu.caches[2] = (struct cpu_cache){ .level = 3,
		                            .size = last_mib << 20,
		                            .ways = 16,
		                            .line = 64,
		                            .shared_by = (uint16_t)shared_by };
}

/* The benchmark of this name; false: there is none. *why as get() leaves it. */
static bool find(const struct bench_source *from, const char *name, struct bench *b,
                 const char **why)
{
	for (unsigned i = 0; *why = NULL, from->get(i, b, &cpu, &area, why); i++)
		if (!strcmp(b->name, name))
			return true;
	return false;
}

static void expect_size(const char *name, uint64_t bytes, bool fits, bool in_default)
{
	const char *why;
	struct bench b;

	if (!find(&latencies, name, &b, &why))
		fail_msg("no %s", name);
	assert_int_equal(b.arg[0], bytes);
	assert_int_equal(b.set[REG_SI], (uintptr_t)area.expanse);
	assert_int_equal(!why, fits);
	assert_int_equal(b.flags & SNIPPET_DEFAULT, in_default);
}

static void sizes(void **state)
{
	const char *why;
	struct bench b;

	(void)state;
	machine(96, 16);
	area = (struct bench_area){ .expanse = room, .expanse_size = (size_t)300 << 20 };
	expect_size("latency.1k", 1024, true, true);
	expect_size("latency.32m", 32 * MIB, true, true);
	expect_size("latency.64m", 64 * MIB, true, true);
	expect_size("latency.80m", 80 * MIB, true, false);
	expect_size("latency.96m", 96 * MIB, true, false);
	expect_size("latency.112m", 112 * MIB, true, false);
	expect_size("latency.128m", 128 * MIB, true, false);
	expect_size("latency.256m", 256 * MIB, true, false);
	expect_size("latency.320m", 320 * MIB, false, false);
	expect_size("latency.896m", 896 * MIB, false, false);
	expect_size("latency.1024m", 1024 * MIB, false, false);
	expect_size("latency.memory", 384 * MIB, false, true);
	assert_false(find(&latencies, "latency.40m", &b, &why));
	assert_false(find(&latencies, "latency.1280m", &b, &why));
	/* without a cache that the CPU tells of: powers of two */
	cpu.ncaches = 0;
	expect_size("latency.memory", 8 * MIB, true, true);
	assert_false(find(&latencies, "latency.80m", &b, &why));
	/* small last caches have their steps, too */
	machine(0, 0);
	expect_size("latency.1280k", 1280 << 10, true, false);
	/* and large ones a memory of their own */
	machine(1024, 0);
	area.expanse_size = (size_t)4 << 30;
	expect_size("latency.memory", (uint64_t)4 << 30, true, true);
}

/* A chain comes by each line of its footprint once, and writes nowhere else. */
static void one_ring(const char *name, unsigned wants_flush)
{
	const char *why;
	struct bench b;
	uintptr_t n = 0, p;

	memset(room, 0xff, ROOM);
	area = (struct bench_area){ .expanse = room, .expanse_size = ROOM };
	assert_true(find(&latencies, name, &b, &why));
	assert_null(why);
	flushes = 0;
	b.setup(&b, &area);
	assert_int_equal(flushes, wants_flush);
	p = (uintptr_t)room;
	do {
		uintptr_t *at = (uintptr_t *)p;

		assert_in_range(p, (uintptr_t)room, (uintptr_t)room + b.arg[0] - 64);
		assert_int_equal(p % 64, 0);
		p = *at;
		*at = UINTPTR_MAX; /* come by twice it leads nowhere */
		n++;
	} while (p != (uintptr_t)room);
	assert_int_equal(n, b.arg[0] / 64);
	for (size_t i = 0; i < ROOM; i++)
		if (room[i] != 0xff)
			fail_msg("byte %zu of a footprint of %zu", i, (size_t)b.arg[0]);
}

static void rings(void **state)
{
	(void)state;
	machine(0, 0);
	one_ring("latency.1k", 0);
	one_ring("latency.64k", 0);
	one_ring("latency.1280k", 0);
	one_ring("latency.3584k", 0);
	one_ring("latency.8m", 1);
	one_ring("latency.40m", 1);
	one_ring("latency.memory", 1);
}

static void memory_of(const char *name, uint32_t last_mib, uint64_t bytes, bool fits)
{
	const char *why;
	struct bench b;

	machine(last_mib, 0);
	area = (struct bench_area){ .expanse = room, .expanse_size = (size_t)1 << 30 };
	assert_true(find(&bandwidth, name, &b, &why));
	assert_int_equal(!why, fits);
	if (!fits)
		return;
	assert_true(b.walk);
	assert_int_equal(b.set[REG_SI], (uintptr_t)room);
	assert_int_equal(b.set[REG_BX], (uintptr_t)room);
	assert_int_equal(b.set[REG_DX] - b.set[REG_BX] + b.set[REG_BP], bytes);
	assert_int_equal(b.ops, PIECE / LINE);
}

static void bandwidths(void **state)
{
	(void)state;
	memory_of("bandwidth.read_sse.memory", 0, 8 * MIB, true);
	memory_of("bandwidth.read_sse.memory", 32, 128 * MIB, true);
	memory_of("bandwidth.read_sse.memory", 96, 384 * MIB, true);
	memory_of("bandwidth.copy_sse.memory", 96, 384 * MIB, true);
	memory_of("bandwidth.read_sse.l3", 96, 48 * MIB, true);
	memory_of("bandwidth.write_sse.memory", 256, (uint64_t)1 << 30, true);
	memory_of("bandwidth.write_sse.memory", 257, 0, false);
	memory_of("bandwidth.read_sse.memory", 1024, 0, false);
}

/* Setting one up touches its footprint, and of memory all that the last cache holds. */
static void touched(const char *name, size_t least, size_t most)
{
	const char *why;
	struct bench b;
	size_t n = 0;

	memset(room, 0xff, ROOM);
	area = (struct bench_area){ .expanse = room, .expanse_size = ROOM };
	assert_true(find(&bandwidth, name, &b, &why));
	assert_null(why);
	b.setup(&b, &area);
	for (size_t i = 0; i < ROOM; i++)
		n += room[i] != 0xff;
	assert_in_range(n, least, most);
	for (size_t i = 8 * MIB; i < ROOM; i++)
		assert_int_equal(room[i], 0xff);
}

static void setups(void **state)
{
	(void)state;
	machine(0, 0);
	touched("bandwidth.read_sse.l1", 4, 4);
	touched("bandwidth.copy_sse.l2", 128, 128);
	touched("bandwidth.read_sse.memory", 2048, 2048);
	touched("bandwidth.write_sse.memory", 2048 + MIB / 64 - 256, 2048 + MIB / 64);
	touched("bandwidth.copy_sse.memory", 2048 + MIB / 64 - 256, 2048 + MIB / 64);
	touched("bandwidth.copy_nt_sse.memory", 2048, 2048);
}

static void most_memory(void **state)
{
	static const struct {
		uint32_t last_mib;
		unsigned shared_by, cpus;
		uint64_t mib;
	} rows[] = {
		{ 0, 0, 1, 1024 },      { 8, 8, 8, 1024 },       { 96, 16, 16, 1024 },
		{ 96, 16, 384, 9216 },  { 1024, 0, 1, 4096 },    { 1024, 128, 256, 8192 },
		{ 512, 8, 512, 65536 }, { 2048, 16, 17, 16384 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		machine(rows[i].last_mib, rows[i].shared_by);
		assert_int_equal(footprint_most(&cpu, rows[i].cpus), rows[i].mib * MIB);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),       cmocka_unit_test(rings),
		cmocka_unit_test(bandwidths),  cmocka_unit_test(setups),
		cmocka_unit_test(most_memory),
	};

	room = aligned_alloc(4096, ROOM);
	if (!room)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
