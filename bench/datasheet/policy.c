/*
 * The data caches by loads of one set: size, ways and line, and sequences by whose hits and misses
 * `cpl0-log policy` tells the replacement policy (docs/datasheet-caches.md).
 */
#include "bench/datasheet/figure.h"
#include "bench/datasheet/level.h"
#include "bench/suite/generated.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	SEQUENCES = 16, /* twice as many where there are more than FEW ways */
	FEW = 8,
	LOADS = 64, /* of a sequence, or four for each way */
	BESIDE = 4, /* blocks beside as many as there are ways, or half as many */
};

static struct cache_sequence drawn;

/* ---- Sizes ---- */

static void log_size(const struct bench *b, const struct cache_level *c, const char *const what[2],
                     const char *unit, uintptr_t value, uint32_t told, bool shared)
{
	struct figure f = { .what = what[c->number], .unit = unit, .told = told };

	f.value = f.low = c->ways ? (uint32_t)value : 0;
	f.high = c->unclear ? 0 : f.value;
	f.verdict = !c->ways ? "none" : c->unclear ? "rough" : "sharp";
	f.why = c->ways ? NULL : c->why;
	f.shared = shared;
	figure_log(b->name, &f);
}

static void perform_size(struct bench_run *run, const struct bench *b)
{
	static const char *const size[] = { "l1d.size", "l2.size" };
	static const char *const ways[] = { "l1d.ways", "l2.ways" };
	static const char *const line[] = { "l1d.line", "l2.line" };
	const struct cpu_cache *told;
	const struct cache_level *c;

	figure_begin(run);
	c = cache_level_of(run, (unsigned)b->arg[0]);
	told = cpu_data_cache(run->cpu, c->number + 1);
	log_size(b, c, size, "bytes", c->ways * c->way, told ? told->size : 0, true);
	log_size(b, c, ways, "ways", c->ways, told ? told->ways : 0, true);
	log_size(b, c, line, "bytes", c->line, told ? told->line : 0, false);
}

/* ---- Sequences ---- */

/* The generator of bench/suite/memory.c; its low bits are poor. */
static unsigned draw(uint32_t *seed, unsigned n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 16) % n;
}

/* Every second sequence fills the set in order first. */
static void make_sequence(const struct cache_level *c, unsigned number, uint32_t *seed)
{
	const unsigned more = c->ways > 2 * BESIDE ? c->ways / 2 : BESIDE;
	const unsigned wanted = c->ways + 1 + draw(seed, more);
	const unsigned blocks = wanted < CACHE_SET_MOST ? wanted : CACHE_SET_MOST;
	const unsigned n = 4 * c->ways < LOADS ? LOADS : 4 * c->ways;

	drawn.n = n < CACHE_SET_STEPS ? n : CACHE_SET_STEPS;
	for (unsigned i = 0; i < drawn.n; i++)
		drawn.block[i] = (uint8_t)(number % 2 && i < c->ways ? i : draw(seed, blocks));
}

static char letter(unsigned block)
{
	return (char)(block < 26 ? 'A' + block : 'a' + block - 26);
}

static void log_sequence(const struct bench_run *run, const struct bench *b,
                         const struct cache_level *c, uintptr_t set)
{
	static char text[3 * CACHE_SET_STEPS], hits[CACHE_SET_STEPS + 1];
	unsigned agree = CACHE_SET_REPEATS, near = 0, at = 0;

	for (unsigned i = 0; i < drawn.n; i++) {
		unsigned r = drawn.repeats[i];
		unsigned more = 2 * r < CACHE_SET_REPEATS ? CACHE_SET_REPEATS - r : r;

		hits[i] = 2 * r < CACHE_SET_REPEATS ? '0' : '1';
		agree = more < agree ? more : agree;
		near = drawn.near[i] > near ? drawn.near[i] : near;
		text[at++] = letter(drawn.block[i]);
		text[at++] = '?';
		text[at++] = ' ';
	}
	hits[drawn.n] = 0;
	log_begin("sequence");
	log_str("bench", b->name);
	log_dec("level", c->number + 1);
	log_dec("set", set);
	log_dec("ways", c->ways);
	/* Of several runs whose mean is taken only the first is behind WBINVD. */
	log_str("flush", cache_set_wbinvd(run) && c->scale.runs <= 1 ? "wbinvd" : "clflush");
	log_strn("seq", text, at - 1);
	log_str("hits", hits);
	log_dec("repeats", CACHE_SET_REPEATS);
	log_dec("agree", agree);
	if (near)
		log_dec("near", near);
	log_end();
}

static void perform_policy(struct bench_run *run, const struct bench *b)
{
	struct cache_level *c = cache_level_of(run, (unsigned)b->arg[0]);
	struct figure none = { .what = c->number ? "l2.policy" : "l1d.policy",
		               .unit = "sequences",
		               .verdict = "none",
		               .why = c->why };
	const unsigned sequences = c->ways > FEW ? 2 * SEQUENCES : SEQUENCES;
	uint32_t seed = 1;

	if (!c->ways) {
		figure_log(b->name, &none);
		return;
	}
	for (unsigned i = 0; i < sequences; i++) {
		struct cache_set s = c->set;

		s.first +=
			i / 2 % 2 && c->way > CACHE_LEVEL_SECOND_SET ? CACHE_LEVEL_SECOND_SET : 0;
		make_sequence(c, i, &seed);
		cache_set_measure(run, &s, &c->scale, &drawn);
		log_sequence(run, b, c, (uintptr_t)s.first % c->way / c->line);
	}
}

/* ---- The source ---- */

static const struct {
	const char *name, *what;
	void (*perform)(struct bench_run *run, const struct bench *b);
} rows[] = {
	{ "datasheet.cache.l1d", "size, ways and line of the first level by loads of one set",
	  perform_size },
	{ "datasheet.cache.l2", "size, ways and line of the second level by loads of one set",
	  perform_size },
	{ "datasheet.policy.l1d", "loads by whose hits the first level's replacement is told",
	  perform_policy },
	{ "datasheet.policy.l2", "loads by whose hits the second level's replacement is told",
	  perform_policy },
};

static bool policy_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	if (i >= sizeof(rows) / sizeof(rows[0]))
		return false;
	generated_base(b, rows[i].what, "");
	memcpy(b->name, rows[i].name, strlen(rows[i].name) + 1);
	b->perform = rows[i].perform;
	b->arg[0] = i % CACHE_LEVELS;
	*skip = cache_level_obstacle(cpu, area);
	return true;
}

static const struct bench_source policy = {
	.name = "policy",
	.prefix = "datasheet.",
	.get = policy_get,
};
BENCH_SOURCE(policy);
