#include "tools/policy/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/policy/models.h"
#include "tools/result/results.h"

enum {
	COMPARED = 80, /* policies with each other; of more each counts */
	LOADS = 256,   /* of a sequence that is read */
	NAMES = 4,     /* that a short answer has */
	AGREE_OF = 8,  /* seven of eight repeats agree, or chance is at work */
	LINE = 1024,   /* bytes of a value */
	LEVELS = 3,
};

/* A record `sequence`. */
struct sequence {
	uint64_t level, set, ways, repeats, agree, near;
	bool own; /* of the user, by seq= */
	unsigned n;
	int block[LOADS];
	/* '?' the load is measured and clear, '!' the block is flushed instead, else 0. */
	char mark[LOADS];
	bool hit[LOADS]; /* where it is measured */
};

/* Those of a run. */
struct sequences {
	struct sequence *all;
	size_t n;
};

/* What a level is asked: all its sets, or one. */
struct question {
	uint64_t level, set;
	bool of_set, own;
};

/* ---- Records ---- */

/* The result of a measured load: `1`, `0`, or `-` where its repeats do not agree. */
static bool parse_hit(struct sequence *s, char hit)
{
	s->hit[s->n] = hit == '1';
	if (hit == '-')
		s->mark[s->n] = 0;
	return hit == '0' || hit == '1' || hit == '-';
}

static bool parse_seq(struct sequence *s, const char *seq, const char *hits)
{
	for (; *seq; s->n++) {
		const bool upper = *seq >= 'A' && *seq <= 'Z', lower = *seq >= 'a' && *seq <= 'z';

		if (s->n == LOADS || (!upper && !lower))
			return false;
		s->block[s->n] = upper ? *seq - 'A' : *seq - 'a' + 26;
		seq++;
		if (*seq == '?' || *seq == '!')
			s->mark[s->n] = *seq++;
		if (s->mark[s->n] == '?' && !parse_hit(s, *hits++))
			return false;
		if (*seq && *seq++ != ' ')
			return false;
	}
	return !*hits;
}

static bool parse_record(const struct record *r, struct sequence *s)
{
	char seq[LINE], hits[LINE], bench[LINE];

	memset(s, 0, sizeof(*s));
	record_dec(r, "near", &s->near);
	record_dec(r, "set", &s->set);
	record_text(r, "bench", bench, sizeof(bench));
	s->own = !strcmp(bench, "seq");
	return record_dec(r, "level", &s->level) && record_dec(r, "ways", &s->ways) &&
	       record_dec(r, "repeats", &s->repeats) && record_dec(r, "agree", &s->agree) &&
	       s->level >= 1 && s->level <= LEVELS && s->ways && s->ways <= MODEL_WAYS &&
	       record_text(r, "seq", seq, sizeof(seq)) &&
	       record_text(r, "hits", hits, sizeof(hits)) && parse_seq(s, seq, hits);
}

static bool is_sequence(const struct line *line)
{
	return line_is_whole(line) && span_is(line->rec.kind, "sequence");
}

static struct sequences read_sequences(const struct log *log, const struct run *run)
{
	struct sequences all = { NULL, 0 };
	size_t n = 0;

	for (size_t i = run->first; i < run->end; i++)
		n += is_sequence(&log->lines[i]);
	all.all = allocate((n + 1) * sizeof(*all.all));
	for (size_t i = run->first; i < run->end; i++)
		if (is_sequence(&log->lines[i]))
			all.n += parse_record(&log->lines[i].rec, &all.all[all.n]);
	return all;
}

/* ---- Models ---- */

static bool is_asked(const struct sequence *s, const struct question *q)
{
	return s->level == q->level && s->own == q->own && (!q->of_set || s->set == q->set);
}

static void flush(struct model_set *m, int block)
{
	for (unsigned i = 0; i < m->ways; i++)
		if (m->block[i] == block)
			m->block[i] = -1;
}

static bool gives(size_t policy, const struct sequence *s)
{
	struct model_set m;

	if (!model_fits(policy, (unsigned)s->ways))
		return false;
	model_empty(&m, policy, (unsigned)s->ways);
	for (unsigned i = 0; i < s->n; i++) {
		bool hit;

		if (s->mark[i] == '!') {
			flush(&m, s->block[i]);
			continue;
		}
		hit = model_load(&m, s->block[i]);
		if (s->mark[i] == '?' && hit != s->hit[i])
			return false;
	}
	return true;
}

static bool gives_all(size_t policy, const struct sequences *all, const struct question *q)
{
	for (size_t i = 0; i < all->n; i++)
		if (is_asked(&all->all[i], q) && !gives(policy, &all->all[i]))
			return false;
	return true;
}

/* ---- Answers ---- */

static void add(struct answer *a, const char *between, const char *text)
{
	size_t n = strlen(a->text);

	snprintf(a->text + n, sizeof(a->text) - n, "%s%s", n ? between : "", text);
}

/* The name, and that of nanoBench for what has another. */
static void add_name(struct answer *a, const char *between, size_t policy)
{
	char name[MODEL_NAME];
	const char *alias = model_alias(policy);

	model_name(policy, name);
	if (alias) {
		add(a, between, alias);
		between = " = ";
	}
	add(a, between, name);
}

/* Policies that never differ are one, with several names. */
static void add_fits(struct answer *a, const size_t fit[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool new = true;

		for (size_t j = 0; j < i && i < COMPARED && new; j++)
			new = !models_equal(fit[j], fit[i], a->ways);
		if (new)
			a->fits++;
		if (i == NAMES)
			a->some = strlen(a->text);
		add_name(a, new ? " or " : " = ", fit[i]);
	}
	if (!n)
		add(a, "", "unknown: no policy that is known here has these hits and misses");
}

/* Chance, or a level that cannot be asked: then the hits mean nothing. */
static bool is_unsteady(struct answer *a, const struct sequences *all, const struct question *q)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct sequence *s = &all->all[i];

		if (!is_asked(s, q))
			continue;
		a->sequences++;
		a->ways = (unsigned)s->ways;
		a->random |= AGREE_OF * s->agree < (AGREE_OF - 1) * s->repeats;
		if (2 * s->near > s->repeats && !*a->text)
			add(a, "", "unknown: the level before kept some of the blocks");
	}
	if (!*a->text && a->random)
		add(a, "",
		    "not deterministic: chance, dueling policies, or a machine that is busy");
	return *a->text;
}

static void answer(struct answer *a, const struct sequences *all, const struct question *q)
{
	static size_t fit[1024];
	size_t n = 0;

	*a = (struct answer){ .level = (unsigned)q->level,
		              .own = q->own,
		              .of_set = q->of_set,
		              .set = (unsigned long)q->set };
	snprintf(a->what, sizeof(a->what), q->own ? "seq.%s" : "%s.policy",
	         q->level == 1   ? "l1d"
	         : q->level == 2 ? "l2"
	                         : "l3");
	if (is_unsteady(a, all, q) || !a->sequences)
		return;
	for (size_t i = 0; i < models_count() && n < sizeof(fit) / sizeof(*fit); i++)
		if (gives_all(i, all, q))
			fit[n++] = i;
	add_fits(a, fit, n);
}

/*
 * One answer for each set, if each has one of its own. Otherwise that for all stays. The user has
 * asked for sets of own: each has its answer, as many as there is room for.
 */
static size_t answer_sets(struct answer out[], size_t most, const struct sequences *all,
                          uint64_t level, bool own)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct question q = { level, all->all[i].set, true, own };
		bool new = all->all[i].level == level && all->all[i].own == own;

		for (size_t j = 0; j < n; j++)
			new &= out[j].set != q.set;
		if (!new)
			continue;
		if (n == most)
			return own ? n : 0;
		answer(&out[n], all, &q);
		if (!out[n++].fits && !own)
			return 0;
	}
	return n > 1 ? n : 0;
}

/* A figure without sequences says why there are none. */
static size_t read_reasons(const struct log *log, const struct run *run, struct answer out[],
                           size_t n)
{
	char what[32], why[LINE];

	for (size_t i = run->first; i < run->end && n < ANSWERS; i++) {
		const struct record *r = &log->lines[i].rec;

		if (!line_is_whole(&log->lines[i]) || !span_is(r->kind, "datasheet"))
			continue;
		record_text(r, "what", what, sizeof(what));
		if (strlen(what) < 7 || strcmp(what + strlen(what) - 7, ".policy") != 0)
			continue;
		record_text(r, "why", why, sizeof(why));
		out[n] = (struct answer){ .level = what[1] == '1' ? 1 : 2 };
		snprintf(out[n].what, sizeof(out[n].what), "%s", what);
		add(&out[n], "", "unknown: ");
		snprintf(out[n].text + 9, sizeof(out[n].text) - 9, "%s", why);
		n++;
	}
	return n;
}

/* The answer of a level, or those of its sets; returns how many. */
static size_t answer_level(struct answer out[], size_t most, const struct sequences *all,
                           const struct question *q)
{
	size_t sets = 0;

	if (!most)
		return 0;
	answer(out, all, q);
	if (!out->sequences)
		return 0;
	if (!out->fits && (!out->random || q->own))
		sets = answer_sets(out, most, all, q->level, q->own);
	if (!sets)
		answer(out, all, q);
	return sets ? sets : 1;
}

size_t answers_read(const struct log *log, const struct run *run, struct answer out[ANSWERS])
{
	struct sequences all = read_sequences(log, run);
	size_t n = 0;

	for (unsigned own = 0; own < 2; own++)
		for (uint64_t level = 1; level <= LEVELS; level++) {
			const struct question q = { .level = level, .own = own };

			n += answer_level(&out[n], ANSWERS - n, &all, &q);
		}
	release(all.all);
	return read_reasons(log, run, out, n);
}
