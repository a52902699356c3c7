/*
 * Proof by counting: events whose number follows from the code alone (bench/result/check.h).
 */
#include "bench/snippet_load.h"
#include "bench/result/check.h"
#include "kernel/cpu/confirmed.h"
#include "bench/engine/engine.h"
#include "bench/engine/platform.h"
#include "bench/result/select.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"
#include "pmu/pmu.h"

static unsigned deviations; /* checks that are neither exact nor a known erratum */
static unsigned passing;    /* ... of a guest, where each try came to something else */
static unsigned held;       /* ... of a guest, where nothing was counted at all */
static bool write_through;  /* no store stayed in the first-level cache: a setting of the board */

/* Results that were held against what is known of their bodies. */
enum { INSTRUCTIONS, BRANCHES, KNOWN };
static struct known {
	const char *event, *why; /* what to say if one is off */
	char key[PMU_KEY];       /* of the event that counts them; "": the family has none */
	uint32_t exact, off, unexplained; /* of those that are off: no erratum is known */
} results[KNOWN] = {
	[INSTRUCTIONS] = { .event = "instructions",
	                   .why = "instructions that were counted are not those that were "
	                          "executed" },
	[BRANCHES] = { .event = "branches",
	               .why = "branches that were counted are not those that were executed" },
};

enum {
	RUNS = 4,
	WARMUP_RUNS = 2,
	REQUEST = 64,
	GUEST_TRIES = 5, /* the host comes between in one of some hundred */
	SMI_TRIES = 3,   /* one comes in some thousand samples */
};

extern const struct snippet_blob __start_snippets[], __stop_snippets[];

/* Where an event is asked to be counted; suffixes as pmu_single() takes them. */
static const struct filter {
	const char *name, *suffix;
	bool cpl0, cpl3;
} filters[] = {
	{ "os", ":k", true, false },
	{ "usr", ":u", false, true },
	{ "both", ":u:k", true, true },
};

enum { FILTERS = sizeof(filters) / sizeof(filters[0]) };

struct check {
	const struct bench *b;
	const char *alias;
	uint64_t count; /* by hand, where the filter lets it through */
};

void check_failed(const struct bench_run *run, const char *culprit, const char *why)
{
	if (!cpu_is_guest(run->cpu) && confirmed_must_agree(confirmed_models, run->cpu))
		log_worsen(LOG_FAIL);
	else
		log_warn("check", culprit, why);
}

/* "off by +n" or "off by -n" in a buffer. */
static const char *off_by(char buf[32], int64_t n)
{
	struct text t = text_in(buf, 32);

	text_str(&t, n < 0 ? "off by " : "off by +");
	text_int(&t, n);
	return buf;
}

/* What the last try with a count came to, and how all did. */
struct tried {
	struct stats_diff got;
	int64_t expected;
	unsigned repeated; /* tries before the last, with or without a count */
	bool exact;
	bool steady; /* all came to the same, without a spread; in a guest several did */
	bool stood;  /* the counters of a guest did in each try */
};

/*
 * An erratum explains a deviation, and never that nothing is counted. Exits only add to counts, so
 * they explain no median that is too low: most samples of the shorter code would need an exit.
 */
static const char *known_erratum(const struct stats_diff *got, int64_t expected, const char *key)
{
	if ((expected && !got->min && !got->max) || (got->med < expected && pmu_host_adds(key)))
		return NULL;
	return pmu_erratum(key);
}

static void log_check(const struct check *c, const struct filter *f, unsigned cpl,
                      const struct pmu_group *g, const struct tried *t, bool guest)
{
	const struct stats_diff *got = &t->got;
	int64_t off = got->med - t->expected   ? got->med
	              : got->max - t->expected ? got->max
	                                       : got->min;
	bool absent = t->expected && !got->min && !got->max;
	const char *known = t->exact ? NULL : known_erratum(got, t->expected, g->slots[0].key);
	char buf[32];

	log_begin("check");
	log_str("event", c->alias);
	log_str("counts", g->slots[0].key);
	log_str("body", c->b->name);
	log_dec("cpl", cpl);
	log_str("filter", f->name);
	log_int("expected", t->expected);
	log_int("got", got->med);
	if (!got->exact) {
		log_int("min", got->min);
		log_int("max", got->max);
	}
	if (t->repeated)
		log_dec("repeated", t->repeated);
	if (t->exact)
		log_str("verdict", "exact");
	else if (absent)
		log_str("verdict", "not counting");
	else
		log_str("verdict", off_by(buf, off - t->expected));
	if (known)
		log_str("known", known);
	log_end();
	if (absent && !strcmp(c->alias, "cached-stores"))
		write_through = true;
	else if (!t->exact && !known)
		*(absent && guest ? &held : t->steady ? &deviations : &passing) += 1;
}

/*
 * Under a hypervisor a count that is off is tried again: the host may have come between. On iron an
 * SMI may have, in one sample, where no register counts it; then the median is right.
 */
static const char *try_check(const struct bench_run *run, const struct check *c,
                             const struct pmu_group *g, struct tried *t)
{
	static struct engine_result r;
	bool guest = cpu_is_guest(run->cpu);
	unsigned tries = guest ? GUEST_TRIES : platform_counts_smi() ? 1 : SMI_TRIES;
	unsigned counts = 0; /* tries with one */
	int64_t first = 0;

	t->steady = true;
	t->stood = true;
	memset(&t->got, 0, sizeof(t->got));
	for (unsigned i = 0; i < tries && !t->exact; i++) {
		const char *why;

		if (i)
			pmu_wait();
		why = engine_measure(run, c->b, g, &r);
		t->repeated = i;
		if (why && r.stood)
			continue;
		if (why)
			return why;
		t->got = r.q[1];
		first = t->stood ? t->got.med : first;
		t->stood = false;
		counts++;
		t->exact = t->got.exact && t->got.med == t->expected;
		t->steady &= !guest || (t->got.exact && t->got.med == first);
		if (!guest && t->got.med != t->expected)
			break;
	}
	t->steady &= !guest || counts > 1;
	return NULL;
}

static void check_filter(const struct bench_run *run, const struct check *c, const struct filter *f,
                         unsigned cpl)
{
	static struct pmu_group g;
	struct args args = { .mode = MODE_TOTAL,
		             .runs = RUNS,
		             .warmup = WARMUP_RUNS,
		             .warmup_set = true,
		             .unroll = 1,
		             .loop = 1,
		             .cpl = cpl };
	struct bench_run mine = *run;
	struct tried t = { .expected = (cpl ? f->cpl3 : f->cpl0) ? (int64_t)c->count : 0 };
	char request[REQUEST];
	size_t n = strlen(c->alias);
	const char *why;

	memcpy(request, c->alias, n);
	memcpy(request + n, f->suffix, strlen(f->suffix) + 1);
	if (!pmu_single(&g, request, cpl))
		return; /* the family has no such filter, or the CPU not this event */
	mine.args = &args;
	why = try_check(&mine, c, &g, &t);
	if (why)
		log_error("check", c->b->name, why);
	else if (!t.stood || t.expected) /* nothing is known of a 0 */
		log_check(c, f, cpl, &g, &t, cpu_is_guest(run->cpu));
}

static void check_body(const struct bench_run *run, const struct check *c)
{
	for (unsigned cpl = 0; cpl <= 3; cpl += 3)
		for (unsigned i = 0; i < FILTERS; i++)
			if (!cpl || platform_ring3().cs)
				check_filter(run, c, &filters[i], cpl);
}

/* Each body of bench/suite/check.S that says how often `alias` happens in it. */
static void check_alias(const struct bench_run *run, const char *alias)
{
	for (const struct snippet_blob *s = __start_snippets; s < __stop_snippets; s++) {
		static struct bench b;

		if (snippet_load(&b, s, (const void *)0, (const void *)~(uintptr_t)0) ||
		    strncmp(b.name, "check.", 6) || select_obstacle(run, &b))
			continue;
		for (unsigned i = 0; i < b.nexpect; i++) {
			struct check c = { .b = &b,
				           .alias = alias,
				           .count = (uint64_t)b.expect[i].min / 1000 };

			if (!strcmp(snippet_text(&b.expect[i].quantity), alias))
				check_body(run, &c);
		}
	}
}

/* Does the family count each of them, and nothing else? */
static bool counts_exactly(const char *event)
{
	const char *alias;

	for (unsigned i = 0; (alias = pmu_exact_alias(i)); i++)
		if (!strcmp(alias, event))
			return true;
	return false;
}

static void begin_results(void)
{
	static struct pmu_group g;

	for (struct known *k = results; k < results + KNOWN; k++) {
		k->exact = k->off = k->unexplained = 0;
		*k->key = 0;
		if (counts_exactly(k->event) && pmu_single(&g, k->event, 0))
			memcpy(k->key, g.slots[0].key, sizeof(k->key));
	}
}

void check_off(const struct bench_run *run, const struct bench *b, const char *event,
               const char *key, int64_t expected, const struct stats_diff *got)
{
	const char *known = known_erratum(got, expected, key);
	char buf[32];

	log_begin("check");
	log_str("event", event);
	log_str("counts", key);
	log_str("body", b->name);
	log_dec("cpl", engine_cpl(run, b));
	log_str("filter", "result");
	log_int("expected", expected);
	log_int("got", got->med);
	log_int("min", got->min);
	log_int("max", got->max);
	log_str("verdict", got->med ? off_by(buf, got->med - expected) : "not counting");
	if (known)
		log_str("known", known);
	log_end();
}

/* The slots of a group that count what is known. */
static void hold(const struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                 const struct engine_result *r, struct known *k, uint32_t per_copy)
{
	const int64_t expected = (int64_t)((uint64_t)per_copy * r->copies * r->loop);

	for (unsigned i = 0; i < group->n; i++) {
		const struct stats_diff *got = &r->q[1 + i];

		if (group->slots[i].empty || (group->slots[i].still && !got->max) ||
		    strcmp(group->slots[i].key, k->key))
			continue;
		if (got->med == expected) {
			k->exact++;
			continue;
		}
		check_off(run, b, k->event, k->key, expected, got);
		k->off++;
		k->unexplained += !known_erratum(got, expected, k->key);
	}
}

void check_result(const struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                  const struct engine_result *r)
{
	if (!group || r->interrupted || r->exits)
		return;
	if (b->insns && *results[INSTRUCTIONS].key)
		hold(run, b, group, r, &results[INSTRUCTIONS], b->insns);
	if (b->branches_known && *results[BRANCHES].key)
		hold(run, b, group, r, &results[BRANCHES], b->branches);
}

void check_end(const struct bench_run *run)
{
	for (const struct known *k = results; k < results + KNOWN; k++) {
		if (!k->exact && !k->off)
			continue;
		log_begin("checked");
		log_str("event", k->event);
		log_dec("results", k->exact + k->off);
		log_dec("exact", k->exact);
		log_dec("off", k->off);
		log_end();
		if (k->unexplained)
			check_failed(run, "results", k->why);
		else if (k->off)
			log_warn("check", "results", k->why);
	}
}

void check_counters(const struct bench_run *run)
{
	bool lost = run->cpu->pmu_class != PMU_CLASS_NONE && !strcmp(pmu_name(), "none");
	const char *alias;

	begin_results();
	deviations = passing = held = 0;
	write_through = false;
	for (unsigned i = 0; (alias = pmu_exact_alias(i)); i++)
		check_alias(run, alias);
	if (write_through)
		log_warn("cache", "L1", "it writes through, so each store costs a bus cycle");
	if (deviations && confirmed_must_agree(confirmed_models, run->cpu))
		log_worsen(LOG_FAIL);
	else if (deviations)
		log_warn("check", cpu_pmu_class_name(run->cpu->pmu_class),
		         "checks deviate on a CPU model that no log confirms: please send this "
		         "log (docs/machines/README.md)");
	else if (held)
		log_warn("check", "guest", "events do not count: the hypervisor holds them back");
	else if (passing)
		log_warn("check", "guest",
		         "checks are off, and not twice by the same: the hypervisor came between");
	else if (lost && !confirmed_is_virtual(run->cpu))
		log_warn("pmu", cpu_pmu_class_name(run->cpu->pmu_class),
		         "its counters are not usable: if this is a real machine, please send "
		         "this log (docs/machines/README.md)");
}
