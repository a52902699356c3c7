/*
 * The user's own sequence of accesses in sets of a data cache (docs/access-sequences.md): the
 * benchmark `seq`. `cpl0-log policy` tells which replacement policies have its hits and misses.
 */
#include "bench/accesses.h"
#include "bench/datasheet/level.h"
#include "bench/engine/platform.h"
#include "bench/suite/generated.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum { CLEAR = CACHE_SET_REPEATS - 1 }; /* repeats that agree: one may be disturbed */

_Static_assert((int)ACCESSES_MOST == CACHE_SET_STEPS && (int)ACCESSES_BLOCKS == CACHE_SET_MOST &&
                       (int)ACCESSES_LEVELS == CACHE_LEVELS,
               "what can be asked for can be measured");

/* The texts of a record: see docs/log-format.md. */
static struct {
	char seq[3 * ACCESSES_MOST], hits[ACCESSES_MOST + 1], levels[ACCESSES_MOST + 1];
	char counts[2 * ACCESSES_MOST];
	unsigned agree, near;
} told;

static struct cache_sequence sequence;

static void complain_set(uintptr_t set, const char *why)
{
	char number[24];
	struct text t = text_in(number, sizeof(number));

	text_dec(&t, set);
	log_error("seq_sets", number, why);
}

static void make_sequence(const struct accesses *a)
{
	sequence.n = sequence.again = a->n;
	for (unsigned i = 0; i < a->n; i++)
		sequence.block[i] = (uint8_t)(a->access[i].block +
		                              (a->access[i].sign == '!' ? CACHE_SET_FLUSH : 0));
}

/* `1` for yes, `0` for no, `-` if the repeats do not agree. */
static char verdict(unsigned repeats)
{
	return repeats >= CLEAR ? '1' : repeats <= CACHE_SET_REPEATS - CLEAR ? '0' : '-';
}

/* The level where a load hit, `+` behind the level that is asked, `-` unclear. */
static char level_of(const struct accesses *a, unsigned i)
{
	const char hit = verdict(sequence.repeats[i]), near = verdict(sequence.near[i]);

	if (near == '1')
		return (char)('0' + a->level - 1);
	if (near == '-' || hit == '-')
		return '-';
	return hit == '1' ? (char)('0' + a->level) : '+';
}

static void tell_load(const struct accesses *a, unsigned i, unsigned n, struct text *counts)
{
	const unsigned r = sequence.repeats[i];
	const unsigned more = 2 * r < CACHE_SET_REPEATS ? CACHE_SET_REPEATS - r : r;

	told.hits[n] = verdict(r);
	told.levels[n] = level_of(a, i);
	told.agree = more < told.agree ? more : told.agree;
	told.near = sequence.near[i] > told.near ? sequence.near[i] : told.near;
	text_str(counts, n ? " " : "");
	text_dec(counts, r);
}

static void tell(const struct accesses *a)
{
	struct text seq = text_in(told.seq, sizeof(told.seq));
	struct text counts = text_in(told.counts, sizeof(told.counts));
	unsigned n = 0;

	told.agree = CACHE_SET_REPEATS;
	told.near = 0;
	for (unsigned i = 0; i < a->n; i++) {
		text_str(&seq, i ? " " : "");
		text_char(&seq, a->access[i].letter);
		if (a->access[i].sign)
			text_char(&seq, a->access[i].sign);
		if (a->access[i].sign == '?')
			tell_load(a, i, n++, &counts);
	}
	told.hits[n] = told.levels[n] = '\0';
}

static void log_sequence(const struct bench_run *run, const struct bench *b,
                         const struct cache_level *c, uintptr_t set)
{
	log_begin("sequence");
	log_str("bench", b->name);
	log_dec("level", c->number + 1);
	log_dec("set", set);
	log_dec("ways", c->ways);
	log_str("flush", cache_set_wbinvd(run) && c->scale.runs <= 1 ? "wbinvd" : "clflush");
	log_str("seq", told.seq);
	log_str("hits", told.hits);
	log_str("levels", told.levels);
	log_str("counts", told.counts);
	log_dec("repeats", CACHE_SET_REPEATS);
	log_dec("agree", told.agree);
	if (told.near)
		log_dec("near", told.near);
	log_end();
}

/* ---- Sets ---- */

static uint8_t *first_of(const struct cache_level *c, uintptr_t set)
{
	return c->set.first - (uintptr_t)c->set.first % c->way + set * c->line;
}

static void measure(const struct bench_run *run, const struct bench *b, struct cache_level *c,
                    uint8_t *first)
{
	struct cache_set s = c->set;

	s.first = first;
	make_sequence(accesses_given());
	cache_set_measure(run, &s, &c->scale, &sequence);
	tell(accesses_given());
	log_sequence(run, b, c, (uintptr_t)first % c->way / c->line);
}

static void measure_range(const struct bench_run *run, const struct bench *b, struct cache_level *c,
                          const struct accesses_range *r)
{
	for (uintptr_t set = r->first; set <= r->last && !(run->stop && run->stop()); set++)
		if (cache_level_is_free(run, c, first_of(c, set)))
			measure(run, b, c, first_of(c, set));
		else
			complain_set(set,
			             "not all ways of this set are free: something else uses it");
}

/* Are there all sets that are asked for, and the memory of them? */
static bool has_sets(const struct bench_run *run, const struct cache_level *c,
                     const struct accesses *a)
{
	const uintptr_t sets = c->way / c->line;
	const uint8_t *const end = run->area.expanse + run->area.expanse_size;
	char buffer[64];
	struct text why = text_in(buffer, sizeof(buffer));

	text_str(&why, "the level has the sets 0 to ");
	text_dec(&why, sets - 1);
	for (unsigned i = 0; i < a->ranges; i++) {
		const uintptr_t last = a->range[i].last;

		if (last >= sets) {
			complain_set(last, buffer);
			return false;
		}
		if (cache_set_size(&c->set) > (uintptr_t)(end - first_of(c, last))) {
			complain_set(last, "there is no piece of memory that is large enough");
			return false;
		}
	}
	return true;
}

/* ---- The source ---- */

/* Is there an access that this CPU cannot make? */
static bool lacks_flush(const struct cpu *cpu, const struct accesses *a)
{
	for (unsigned i = 0; i < a->n && !cpu_has(cpu, CPU_CLFSH); i++)
		if (a->access[i].sign == '!') {
			const char culprit[] = { a->access[i].letter, '!', '\0' };

			log_error("seq", culprit, "this CPU has no CLFLUSH, which empties a block");
			return true;
		}
	return false;
}

static void perform(struct bench_run *run, const struct bench *b)
{
	const struct accesses *a = accesses_given();
	const char level[] = { (char)('0' + a->level), '\0' };
	struct cache_level *c;

	if (lacks_flush(run->cpu, a))
		return;
	c = cache_level_of(run, a->level - 1);
	if (!c->ways) {
		log_error("seq_level", level, c->why);
		return;
	}
	if (c->unclear)
		log_warn("seq_level", level,
		         "the ways of the level are rough, as some repeats of their search differ");
	if (!has_sets(run, c, a))
		return;
	for (unsigned i = 0; i < a->ranges; i++)
		measure_range(run, b, c, &a->range[i]);
	if (!a->ranges)
		measure(run, b, c, c->set.first);
}

static bool own_get(unsigned i, struct bench *b, const struct cpu *cpu,
                    const struct bench_area *area, const char **skip)
{
	if (i || !accesses_given())
		return false;
	generated_base(b, "accesses of your own to one set of a cache", "");
	memcpy(b->name, "seq", sizeof("seq"));
	b->perform = perform;
	*skip = cache_level_obstacle(cpu, area);
	return true;
}

static const struct bench_source own = { .name = "seq", .prefix = "seq", .get = own_get };
BENCH_SOURCE(own);
