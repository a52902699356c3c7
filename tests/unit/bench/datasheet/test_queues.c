/*
 * bench/datasheet/queues.c on cores made of a few numbers: what is found must be their sizes, and
 * must not be called sharp where nothing is full or where times are noise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "bench/datasheet/window.c"

#include "bench/datasheet/queues.c"

#include "bench/datasheet/figure.c"

enum sibling sibling_look(const struct bench_run *r)
{
	(void)r;
	return SIBLING_QUIET;
}

enum { BEFORE = 12, LOAD = 2, FENCES = 6, NOISE = 90 };

/* A core: entries; NOPs that share an entry of the reorder buffer; clocks. */
static struct {
	uint32_t rob, load_queue, store_queue, math, load, fill_buffers;
	uint32_t nops, vectors; /* to an entry; entries of a vector operation */
	uint32_t waiting;       /* loads without data, if others leave the load queue; else 0 */
	uint32_t registers;     /* general ones, for loads */
	bool shared;            /* one scheduler */
	int64_t miss;
	uint32_t width; /* instructions a clock */
	bool noisy;
} core;

static char log_text[4096];
static struct bench_run run;

static void keep(const char *line, size_t n)
{
	strncat(log_text, line, n);
}

static bool is(const uint8_t *at, enum window_filler f, unsigned i)
{
	const struct insn *insn = &fillers[f].insn[i];

	return !memcmp(at, insn->bytes, insn->size);
}

/* What the fillers of a body need. */
struct needs {
	uint32_t rob, loads, missing_loads, registers, stores, math, waiting_loads, n;
};

static const uint8_t *count(const uint8_t *at, const uint8_t *end, struct needs *k)
{
	for (enum window_filler f = 0; f < WINDOW_FILLERS; f++) {
		const uint8_t *p = at;
		struct needs sum = { 0 };

		for (unsigned i = 0; p < end && is(p, f, i % fillers[f].n); i++) {
			const struct insn *insn = &fillers[f].insn[i % fillers[f].n];
			const bool sse = insn->bytes[0] == 0x66;

			sum.n++;
			sum.rob += sse ? core.vectors : 1;
			sum.loads += insn->bytes[0] == 0x8b ||
			             ((f == WINDOW_LOAD_BOTH || f == WINDOW_LOAD_MISS) && sse);
			sum.missing_loads += f == WINDOW_LOAD_MISS;
			sum.registers += insn->bytes[0] == 0x8b;
			sum.stores += insn->bytes[0] == 0x89;
			sum.math += f == WINDOW_WAIT || (f == WINDOW_WAIT_MIXED && !(i & 1));
			sum.waiting_loads +=
				f == WINDOW_WAIT_LOAD || (f == WINDOW_WAIT_MIXED && i & 1);
			p += insn->size;
		}
		if (f == WINDOW_NOP)
			sum.rob = (sum.n + core.nops - 1) / core.nops;
		if (p == end) {
			*k = sum;
			return p;
		}
	}
	fail_msg("the fillers are no known ones");
	return at;
}

static bool fit(const struct needs *k)
{
	const uint32_t math = k->math + (core.shared ? k->waiting_loads : 0);
	const uint32_t loads = core.waiting ? k->missing_loads : k->loads;

	return k->rob + LOADS <= core.rob &&
	       loads + LOADS <= (core.waiting ? core.waiting : core.load_queue) &&
	       k->registers + LOADS <= core.registers && k->stores <= core.store_queue &&
	       math + (core.shared ? 1 : 0) <= core.math &&
	       (core.shared || k->waiting_loads + 1 <= core.load);
}

static int64_t pair_time(const struct bench *b)
{
	const uint8_t *end = b->body + b->body_size - FENCES - LOAD;
	const bool waits = end[-1] == 0x8b && end[0] == 0x04;
	struct needs k = { 0 };

	count(b->body + BEFORE + LOAD, end - waits, &k);
	if (waits || !fit(&k))
		return 2 * core.miss;
	return core.miss + k.n / core.width;
}

static int64_t rounds(uint32_t n)
{
	return core.miss * ((n + core.fill_buffers - 1) / core.fill_buffers);
}

/* The last load may wait for the first. */
static int64_t misses_time(const struct bench *b)
{
	const uint8_t *p = b->body, *last = p + b->body_size - FENCES - LOAD - 5;
	uint32_t n = 0;
	int64_t others;

	for (; p[0] == 0x0f && p[1] == 0xae && p[2] == 0xbe; p += 7)
		n++;
	if (n < 2 || last[0] != 0x8b || last[1] != 0x8c)
		return rounds(n);
	others = rounds(n - 1);
	return others > 2 * core.miss ? others : 2 * core.miss;
}

const char *engine_measure(const struct bench_run *r, const struct bench *b,
                           const struct pmu_group *group, struct engine_result *out)
{
	static uint32_t x;
	const bool pair = b->body[2] == 0x3e;

	(void)r;
	(void)group;
	x = x * 1664525 + 1013904223;
	out->q[0].med = LOOP * (pair ? pair_time(b) : misses_time(b));
	out->q[0].exact = !core.noisy;
	if (core.noisy)
		out->q[0].med += (int64_t)(x >> 16) % (LOOP * NOISE);
	return NULL;
}

static int fresh(void **state)
{
	(void)state;
	core.rob = 224, core.load_queue = 72, core.store_queue = 56, core.math = 97;
	core.waiting = 0, core.registers = 5000;
	core.load = 40, core.fill_buffers = 12, core.nops = core.vectors = 1;
	core.shared = true, core.miss = 200, core.width = 4, core.noisy = false;
	log_text[0] = '\0';
	log_sink(keep);
	return 0;
}

static const struct {
	const char *name;
	void (*perform)(struct bench_run *run, const struct bench *b);
} rows[] = {
	{ "datasheet.rob", datasheet_rob },
	{ "datasheet.scheduler", datasheet_scheduler },
	{ "datasheet.load_queue", datasheet_load_queue },
	{ "datasheet.store_queue", datasheet_store_queue },
	{ "datasheet.fill_buffers", datasheet_fill_buffers },
};

static void measure(const char *name)
{
	static struct cpu cpu;
	struct bench b = { 0 };

	run.cpu = &cpu;
	log_text[0] = '\0';
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].name, name)) {
			memcpy(b.name, name, strlen(name) + 1);
			rows[i].perform(&run, &b);
			return;
		}
	fail_msg("no benchmark %s", name);
}

static void assert_found(const char *text)
{
	if (!strstr(log_text, text))
		fail_msg("no \"%s\" in %s", text, log_text);
}

static void sizes(void **state)
{
	(void)state;
	measure("datasheet.rob");
	assert_found("what=rob value=224 low=224 high=224 unit=entries by=time verdict=sharp");
	measure("datasheet.load_queue");
	assert_found("what=load_queue value=72 low=72 high=72 unit=entries by=time verdict=sharp");
	measure("datasheet.store_queue");
	assert_found("what=store_queue value=56 low=56 high=56 unit=entries by=time verdict=sharp");
	measure("datasheet.fill_buffers");
	assert_found("what=fill_buffers value=12 low=12 high=12 unit=entries by=time "
	             "verdict=sharp");
	measure("datasheet.scheduler");
	assert_found("what=scheduler.unified value=97 low=97 high=97");
}

/* Two schedulers: both in turn find more room than arithmetic alone. */
static void split_scheduler(void **state)
{
	(void)state;
	core.shared = false;
	core.math = 48;
	measure("datasheet.scheduler");
	assert_found("what=scheduler.load value=40");
	assert_found("what=scheduler.math");
	assert_null(strstr(log_text, "unified"));
}

/* NOPs in pairs, and vectors in halves. */
static void packed(void **state)
{
	(void)state;
	core.nops = 2;
	measure("datasheet.rob");
	assert_found("what=rob value=224 low=224 high=224 unit=entries by=time verdict=sharp");
	core.nops = 5000; /* none of them has an entry: no upper bound */
	measure("datasheet.rob");
	assert_found("what=rob value=224 low=224 unit=entries by=time verdict=rough");
	fresh(NULL);
	core.vectors = 2;
	measure("datasheet.rob");
	assert_found("value=224 low=224 high=224 unit=entries by=time verdict=sharp "
	             "filler=mix_integer");
}

/* Another structure is full first: the size lies between two bounds. */
static void bounded(void **state)
{
	(void)state;
	core.load_queue = 8;
	measure("datasheet.rob");
	assert_found("value=224 low=");
	assert_found("high=224 unit=entries by=time verdict=rough");
}

/* Loads that have their data leave the queue: those that wait for a line tell its size. */
static void loads_leave(void **state)
{
	(void)state;
	core.rob = 448, core.waiting = 64;
	measure("datasheet.load_queue");
	assert_found("what=load_queue value=64 low=64 high=64 unit=entries by=time verdict=sharp "
	             "filler=load_miss");
	assert_found("what=load_queue.completed value=448 low=448 unit=entries by=time "
	             "verdict=rough");
}

/* General registers run out first: loads into both kinds go on. */
static void few_registers(void **state)
{
	(void)state;
	core.registers = 52;
	measure("datasheet.load_queue");
	assert_found("what=load_queue value=72 low=72 high=72 unit=entries by=time verdict=sharp "
	             "filler=load_both");
}

/* As many loads miss as the load queue holds: the buffers may be more. */
static void many_buffers(void **state)
{
	(void)state;
	core.fill_buffers = 500;
	measure("datasheet.fill_buffers");
	assert_found("verdict=none");
	core.fill_buffers = 72;
	measure("datasheet.fill_buffers");
	assert_found("what=fill_buffers value=72 low=72 unit=entries by=time verdict=rough");
}

/* No load queue is found, so what was full may have been one. */
static void unknown_queue(void **state)
{
	(void)state;
	core.rob = core.load_queue = 5000;
	measure("datasheet.fill_buffers");
	assert_found("what=fill_buffers value=12 low=12 unit=entries by=time verdict=rough");
}

/* Nothing is full: the time to rename the fillers hides what is saved, without a step. */
static void nothing_full(void **state)
{
	(void)state;
	core.store_queue = 5000;
	core.rob = 5000;
	measure("datasheet.store_queue");
	assert_found("verdict=none");
	assert_found("why=\"the time rises without a step: nothing was full\"");
	assert_null(strstr(log_text, "value="));
}

static void in_order(void **state)
{
	(void)state;
	core.rob = 1;
	measure("datasheet.rob");
	assert_found("verdict=none why=\"two loads behind CLFLUSH take as long as one behind the "
	             "other\"");
}

/* Noise of almost half a miss in each time. */
static void noise(void **state)
{
	(void)state;
	core.noisy = true;
	for (unsigned i = 0; i < 50; i++) {
		measure("datasheet.load_queue");
		if (strstr(log_text, "verdict=sharp"))
			assert_found("low=72 high=72");
	}
}

static void netburst(void **state)
{
	static struct cpu cpu = { .pmu_class = PMU_CLASS_NETBURST };
	struct bench b = { .name = "datasheet.scheduler" };

	(void)state;
	run.cpu = &cpu;
	datasheet_scheduler(&run, &b);
	assert_found("verdict=cannot why=");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(sizes, fresh),
		cmocka_unit_test_setup(split_scheduler, fresh),
		cmocka_unit_test_setup(packed, fresh),
		cmocka_unit_test_setup(bounded, fresh),
		cmocka_unit_test_setup(loads_leave, fresh),
		cmocka_unit_test_setup(few_registers, fresh),
		cmocka_unit_test_setup(many_buffers, fresh),
		cmocka_unit_test_setup(unknown_queue, fresh),
		cmocka_unit_test_setup(nothing_full, fresh),
		cmocka_unit_test_setup(in_order, fresh),
		cmocka_unit_test_setup(noise, fresh),
		cmocka_unit_test_setup(netburst, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
