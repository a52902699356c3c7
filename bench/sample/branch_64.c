/*
 * The branches before samples, by where they begin and end (argument `branches=`,
 * docs/sampling-questions.md).
 */
#include "bench/sample/internal.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	PAIRS = 64,     /* different branches that have a count each */
	AROUND = 65535, /* instead of an offset: the loop around the copies */
};

struct pair {
	uint16_t from, to; /* bytes from the start of the body */
	uint32_t count, missed;
	uint32_t told, min, max; /* those with clocks; the fewest and the most */
	uint64_t clocks;
};

static struct {
	struct pair at[PAIRS];
	unsigned n;
	uint64_t all;
} branches;

static void begin(void)
{
	memset(&branches, 0, sizeof(branches));
}

static struct pair *find(uint16_t from, uint16_t to)
{
	unsigned i = 0;

	while (i < branches.n && (branches.at[i].from != from || branches.at[i].to != to))
		i++;
	if (i == PAIRS)
		return NULL;
	if (i == branches.n)
		branches.at[branches.n++] =
			(struct pair){ .from = from, .to = to, .min = UINT32_MAX };
	return &branches.at[i];
}

static uint16_t place_of(const struct sample_code *code, size_t at)
{
	return at >= code->size ? AROUND : (uint16_t)(at % code->body);
}

static void take(const struct pmu_sample *s, const struct sample_code *code)
{
	for (unsigned i = 0; i < s->nbranches; i++) {
		const struct pmu_branch *b = &s->branches[i];
		size_t from = b->from - code->start, to = b->to - code->start;
		struct pair *p;

		if (from >= code->size + code->loop || to >= code->size + code->loop)
			continue;
		branches.all++;
		p = find(place_of(code, from), place_of(code, to));
		if (!p)
			continue;
		p->count++;
		p->missed += b->missed;
		if (!b->clocked)
			continue;
		p->told++;
		p->clocks += b->clocks;
		if (b->clocks < p->min)
			p->min = b->clocks;
		if (b->clocks > p->max)
			p->max = b->clocks;
	}
}

/* Good until the next call. */
static const char *text_of(uint16_t offset)
{
	static char buf[8];
	struct text t = text_in(buf, sizeof(buf));

	if (offset == AROUND)
		return "around";
	text_dec(&t, offset);
	return buf;
}

static void log_head(const struct sample_who *who)
{
	log_begin("branch");
	log_str("bench", who->bench);
	log_str("event", who->event);
	log_str("method", who->method);
}

static void log_count(uint64_t count)
{
	log_dec("count", count);
	log_milli("share", (int64_t)(count * 100000 / branches.all));
}

static void log_pair(const struct sample_who *who, const struct pair *p)
{
	log_head(who);
	log_str("from", text_of(p->from));
	log_str("to", text_of(p->to));
	log_count(p->count);
	log_dec("missed", p->missed);
	if (p->told) {
		log_dec("min", p->min);
		log_milli("mean", (int64_t)(p->clocks * 1000 / p->told));
		log_dec("max", p->max);
	}
	log_end();
}

static void log_all(const struct sample_who *who)
{
	uint64_t rest = branches.all;

	for (unsigned line = 0; line < SAMPLE_LINES && rest; line++) {
		struct pair *best = branches.at;

		for (unsigned i = 1; i < branches.n; i++)
			if (branches.at[i].count > best->count)
				best = &branches.at[i];
		if (!best->count)
			break;
		log_pair(who, best);
		rest -= best->count;
		best->count = 0;
	}
	if (!rest)
		return;
	log_head(who);
	log_bool("rest", true);
	log_count(rest);
	log_end();
}

static uint64_t all(void)
{
	return branches.all;
}

static const struct branch_profile profile = {
	.begin = begin,
	.take = take,
	.all = all,
	.log = log_all,
};

const struct branch_profile *const branch_profile = &profile;
