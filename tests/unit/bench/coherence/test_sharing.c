/*
 * bench/coherence/sharing.c: which CPUs it uses, what it says, and that a locked increment that is
 * lost is told. Two CPUs are two threads; more than two are only counted.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/coherence/sharing.c"

enum { TEXT = 1 << 20, ARENA = 16 << 20, RUNS_HERE = 3, MEMORY_MIN = 8 << 20, LINES_MOST = 64 };

const uint32_t cpu_pool_patience_ms = 2000;
static char text[TEXT];
static size_t length;
static unsigned cpus = 2;
static uint32_t lines;
static size_t expanse_size = ARENA;
static bool counts_only, loses, refuses;
static uint8_t arena[ARENA] __attribute__((aligned(PAGE)));
static uint8_t data_area[BENCH_DATA] __attribute__((aligned(PAGE)));
static unsigned flushes;
static volatile uint32_t *tokens[LINES_MOST]; /* the lines that were handed over */

static void sink(const char *line, size_t n)
{
	assert_true(length + n < TEXT);
	memcpy(text + length, line, n);
	length += n;
	text[length] = 0;
}

void generated_base(struct bench *b, const char *what, const char *needs)
{
	*b = (struct bench){ .what = what, .needs = needs };
}

void platform_flush_caches(void)
{
	__atomic_add_fetch(&flushes, 1, __ATOMIC_SEQ_CST);
}

bool platform_privileged(void)
{
	return true;
}

bool platform_flush_bytes(const void *start, size_t size)
{
	(void)start;
	(void)size;
	return true;
}

bool report_nominal(const struct cpu *cpu)
{
	return cpu->nominal_clocks;
}

const struct cpu_cache *cpu_data_cache(const struct cpu *c, unsigned level)
{
	return level <= c->ncaches ? &c->caches[level - 1] : NULL;
}

unsigned cpu_pool_size(void)
{
	return cpus;
}

uint32_t cpu_pool_name(unsigned i)
{
	return i + 100;
}

static uint32_t versions[2];

uint32_t cpu_pool_stolen(unsigned i)
{
	return versions[i % 2];
}

/* Those of two threads a core, as firmware may list them: first all cores, then their siblings. */
uint32_t cpu_pool_apic(unsigned i)
{
	return i < cpus / 2 ? 2 * i : 2 * (i - cpus / 2) + 1;
}

struct member {
	pthread_t thread;
	unsigned number;
	void (*work)(void *data, unsigned member);
};

static void *begin(void *data)
{
	struct member *m = data;

	m->work(NULL, m->number);
	return NULL;
}

/* Ten thousandths of a tick from one end of the memory to the other. */
static uint64_t far(const volatile uint32_t *token)
{
	uintptr_t at = (uintptr_t)token - (uintptr_t)arena;

	return at < ARENA ? 10 * at / ARENA : 0;
}

const char *cpu_pool_run(const uint16_t *who, unsigned n, void (*work)(void *data, unsigned member),
                         void *data)
{
	struct member m[2];

	(void)data;
	for (unsigned i = 0; i < n; i++) {
		assert_true(who[i] < cpus);
		assert_true(!i || who[i] != who[i - 1]);
	}
	if (refuses)
		return "no such CPU";
	for (unsigned i = 0; counts_only && i < all.runs; i++)
		all.sample[i] = 1000 * n + i + (work == hand_over ? far(all.token) : 0);
	for (unsigned i = 0; counts_only && work == hand_over && i < LINES_MOST; i++)
		if (!tokens[i] || tokens[i] == all.token) {
			tokens[i] = all.token;
			break;
		}
	for (unsigned i = 0; !counts_only && i < n; i++) {
		m[i] = (struct member){ .number = i, .work = work };
		pthread_create(&m[i].thread, NULL, begin, &m[i]);
	}
	for (unsigned i = 0; !counts_only && i < n; i++)
		pthread_join(m[i].thread, NULL);
	if (loses)
		--*(uint32_t *)all.line;
	return NULL;
}

static struct cpu cpu;

static const char *run_of(const char *name)
{
	static struct args args = { .runs = RUNS_HERE };
	/* Patience for threads that share a CPU. */
	static struct bench_run run = { .cpu = &cpu, .args = &args, .tsc_hz = 1000000000000 };
	const char *skip = NULL;
	struct bench b;
	unsigned i = 0;

	run.area = (struct bench_area){ .expanse = arena,
		                        .expanse_size = expanse_size,
		                        .data = data_area };
	args.lines = lines;
	log_restart();
	length = 0;
	*text = 0;
	do
		assert_true(sharing_get(i++, &b, &cpu, &run.area, &skip));
	while (strcmp(b.name, name));
	assert_null(skip);
	b.perform(&run, &b);
	return text;
}

/* How often `part` stands in the log. */
static unsigned count(const char *part)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
		n++;
	return n;
}

static double value(const char *before, const char *key)
{
	const char *p = strstr(text, before);

	if (p)
		p = strstr(p, key);
	if (!p) {
		fail_msg("no `%s` with `%s` in\n%s", before, key, text);
		return 0;
	}
	return strtod(p + strlen(key), NULL);
}

/* Real threads: a token does travel, and time passes. */
static void two_threads(void **state)
{
	static const char *const names[] = { "sharing.add_own", "sharing.add_line",
		                             "sharing.locked_own", "sharing.locked_one" };
	char part[64];

	(void)state;
	run_of("sharing.pairs");
	assert_true(value("pair a=100 b=101 lines=8 runs=3 ", " tsc=") > 0);
	assert_int_equal(*all.token, 2 * TRIPS * (RUNS_HERE + 1));
	for (unsigned i = 0; i < 4; i++) {
		run_of(names[i]);
		for (int n = 1; n <= 2; n++) {
			snprintf(part, sizeof(part), "result bench=%s.%d mode=rate cpus=%d runs=3",
			         names[i], n, n);
			assert_true(value(part, " tsc=") > 0);
		}
		assert_int_equal(count("result "), 2);
		assert_int_equal(log_status_now(), LOG_OK);
	}
}

static void memory(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		memset(arena, 0xff, sizeof(arena));
		flushes = 0;
		run_of(i ? "sharing.write" : "sharing.read");
		assert_true(value(".2 mode=rate cpus=2 bytes=64 runs=3", " tsc=") > 0);
		assert_int_equal(flushes, 3); /* one CPU, then two */
		assert_int_equal(arena[MEMORY_MIN - PAGE], 0);
		assert_int_equal(arena[MEMORY_MIN], 0xff);
	}
}

static void lost_increments(void **state)
{
	(void)state;
	loses = true;
	run_of("sharing.locked_one");
	assert_int_equal(count("error what=sharing culprit=sharing.locked_one "
	                       "why=\"locked increments were lost\""),
	                 1);
	assert_int_equal(count("result"), 0);
	assert_int_equal(log_status_now(), LOG_FAIL);
	run_of("sharing.locked_own");
	assert_int_equal(log_status_now(), LOG_OK);
	loses = false;
}

/* What each CPU did since the last look: none of them may have stood still. */
static void steps_since(void **state)
{
	uint32_t fewest;

	(void)state;
	run_of("sharing.add_own");
	memset(all.own, 0, CPU_POOL_MAX * (2 * CPU_POOL_APART + sizeof(*all.seen)));
	all.barrier.members = 3;
	all.own[0].steps = 7;
	all.own[2].steps = 0xffffffff;
	assert_int_equal(new_steps(&fewest), 6);
	assert_int_equal(fewest, 0);
	all.own[0].steps = 9;
	all.own[1].steps = 4;
	all.own[2].steps = 2;
	assert_int_equal(new_steps(&fewest), 9);
	assert_int_equal(fewest, 2);
}

/* The host takes the second CPU away in some samples: in seven of eight, or in all. */
static void stolen(void **state)
{
	static const uint16_t who[] = { 0, 1 };

	(void)state;
	all.who = who;
	all.barrier.members = 2;
	for (unsigned free = 0; free < 2; free++) {
		all.kept = all.stolen = 0;
		all.all_stolen = false;
		for (unsigned i = 0; i < 24; i++) {
			const uint32_t before = stolen_so_far();

			versions[1] += !free || i % 8 != 7;
			keep(i, before);
		}
		assert_int_equal(all.kept, free ? 3 : 16);
		assert_int_equal(all.stolen, free ? 21 : 8);
		assert_int_equal(all.sample[0], free ? 7 : 8);
		assert_int_equal(all.all_stolen, !free);
	}
}

/* Nothing tells of the short exits of a guest. */
static void marked_in_guests(void **state)
{
	(void)state;
	counts_only = true;
	run_of("sharing.add_own");
	assert_int_equal(count(" exits=1 "), 0);
	cpu.features[CPU_HYPERVISOR / 32] |= 1u << CPU_HYPERVISOR % 32;
	run_of("sharing.add_own");
	assert_int_equal(count(" exits=1 "), 2);
	run_of("sharing.pairs");
	assert_int_equal(count(" exits=1 "), 1);
	memcpy(cpu.hypervisor, "TCGTCGTCGTCG", 12); /* an emulator: there is no host behind it */
	run_of("sharing.pairs");
	assert_int_equal(count(" exits=1 "), 0);
	memset(cpu.hypervisor, 0, sizeof(cpu.hypervisor));
	cpu.features[CPU_HYPERVISOR / 32] = 0;
	counts_only = false;
}

static void numbers_of_cpus(void **state)
{
	(void)state;
	counts_only = true;
	cpus = 12;
	run_of("sharing.add_own");
	assert_int_equal(count("result "), 9);
	assert_non_null(strstr(text, "sharing.add_own.8 mode=rate cpus=8 runs=3 tsc=8.001"));
	assert_non_null(strstr(text, "sharing.add_own.12 mode=rate cpus=12 "));
	cpus = 512;
	run_of("sharing.add_line");
	assert_int_equal(count("result "), 14);
	assert_non_null(strstr(text, "sharing.add_line.512 "));
	cpus = 1;
	run_of("sharing.pairs");
	assert_int_equal(count("skip bench=sharing.pairs why=\"needs two CPUs\""), 1);
	cpus = 5;
	run_of("sharing.pairs");
	assert_int_equal(count("pair "), 10);
	assert_int_equal(count("pair a=103 b=104 lines=8 runs=3 tsc=2.004 "), 1);
	cpus = 130;
	run_of("sharing.pairs");
	assert_int_equal(count("pair "), 64 * 63 / 2);
	assert_int_equal(count("warn what=sharing culprit=sharing.pairs"), 1);
	assert_int_equal(count("pair a=225 b=227 "), 1);
	cpus = 2;
	counts_only = false;
}

/* What a pair says of several lines, and where these lie. */
static void several_lines(void **state)
{
	(void)state;
	counts_only = true;
	for (lines = 1; lines <= 64; lines *= 8) {
		memset(tokens, 0, sizeof(tokens));
		run_of("sharing.pairs");
		for (uint32_t i = 0; i < lines; i++) {
			assert_true(tokens[i] >= (uint32_t *)arena);
			assert_true((uint8_t *)tokens[i] < arena + ARENA);
			assert_int_equal((uintptr_t)tokens[i] % CPU_POOL_APART, 0);
		}
		assert_true(lines == 64 || !tokens[lines]);
	}
	/* sixteenths of the memory have a line each at least */
	for (unsigned k = 0; k < 16; k++) {
		unsigned n = 0;

		for (unsigned i = 0; i < 64; i++)
			n += (uintptr_t)((uint8_t *)tokens[i] - arena) / (ARENA / 16) == k;
		assert_in_range(n, 3, 5);
	}
	lines = 3; /* at 0, 0.618 and 0.236 of it, where a way takes 0, 6 and 2 thousandths more */
	run_of("sharing.pairs");
	assert_non_null(strstr(text, "pair a=100 b=101 lines=3 runs=3 tsc=2.003 tsc.min=2.002 "
	                             "tsc.low=2.002 tsc.high=2.004 tsc.max=2.004 line.low=2.001 "
	                             "line.high=2.007 "));
	lines = 0;
	expanse_size = 0; /* the data area has a line */
	run_of("sharing.pairs");
	assert_int_equal(count("pair "), 1);
	expanse_size = ARENA;
	counts_only = false;
}

/* Who shares a last cache has four times of it together, and who does not has it alone. */
static void parts(void **state)
{
	static const struct bench_run run = { .cpu = &cpu,
		                              .area = { .expanse = arena, .expanse_size = ARENA } };

	(void)state;
	cpus = 4; /* APIC ids 0, 2, 1, 3 */
	cpu.ncaches = 2;
	cpu.caches[1] = (struct cpu_cache){ .size = 1 << 20, .shared_by = 2 };
	assert_true(part_memory(&run, 1));
	assert_int_equal(all.part[0].bytes, MEMORY_MIN);
	assert_true(part_memory(&run, 3)); /* 0 and 2 share, 1 is alone */
	assert_int_equal(all.part[0].bytes, MEMORY_MIN / 2);
	assert_int_equal(all.part[1].bytes, MEMORY_MIN);
	assert_int_equal(all.part[2].bytes, MEMORY_MIN / 2);
	assert_int_equal(all.part[2].from, MEMORY_MIN / 2 + MEMORY_MIN);
	assert_true(part_memory(&run, 4));
	cpu.caches[1].shared_by = 1; /* four caches */
	assert_false(part_memory(&run, 4));
	cpu.caches[1].shared_by = 0; /* it is not told */
	assert_true(part_memory(&run, 4));
	assert_int_equal(all.part[3].bytes, MEMORY_MIN / 4);
	cpu.caches[1].size = 1200 << 10; /* twice the second level is more */
	assert_true(part_memory(&run, 4));
	assert_int_equal(all.part[3].bytes, 2400 << 10);
	cpu.ncaches = 0;
	cpus = 2;
}

static void too_small(void **state)
{
	const struct bench_area area = { .expanse = arena, .expanse_size = ARENA };
	const char *skip = NULL;
	struct bench b;

	(void)state;
	counts_only = true;
	cpus = 4;
	cpu.ncaches = 2;
	cpu.caches[1] = (struct cpu_cache){ .size = ARENA / 8, .shared_by = 1 };
	run_of("sharing.read");
	assert_int_equal(count("result "), 2);
	assert_int_equal(count("skip bench=sharing.read.3 why=\"there is no piece of memory"), 1);
	assert_int_equal(log_status_now(), LOG_OK);
	cpu.caches[1].size = ARENA;
	assert_true(sharing_get(sizeof(kinds) / sizeof(kinds[0]) - 1, &b, &cpu, &area, &skip));
	assert_non_null(skip);
	cpu.ncaches = 0;
	cpus = 2;
	counts_only = false;
}

static void refused(void **state)
{
	(void)state;
	refuses = true;
	run_of("sharing.pairs");
	assert_int_equal(count("error what=sharing culprit=sharing.pairs why=\"no such CPU\""), 1);
	assert_int_equal(count("pair a"), 0);
	assert_int_equal(log_status_now(), LOG_FAIL);
	refuses = false;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_since),
		cmocka_unit_test(two_threads),
		cmocka_unit_test(memory),
		cmocka_unit_test(lost_increments),
		cmocka_unit_test(numbers_of_cpus),
		cmocka_unit_test(too_small),
		cmocka_unit_test(refused),
		cmocka_unit_test(several_lines),
		cmocka_unit_test(parts),
		cmocka_unit_test(stolen),
		cmocka_unit_test(marked_in_guests),
	};

	log_sink(sink);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
