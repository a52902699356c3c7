/*
 * Records of several CPUs (bench/threads/report.h).
 */
#include "bench/threads/report.h"
#include "bench/result/report.h"
#include "bench/engine/engine.h"
#include "bench/engine/number.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

static const char *key_of(const struct worker *s, unsigned q)
{
	return q ? s->read.slots[q - 1].key : "tsc";
}

static bool is_empty(const struct worker *s, unsigned q)
{
	return q && s->read.slots[q - 1].empty;
}

/* No count: the event never moved (bench/result/stimulus.h). */
static bool is_still(const struct worker *s, unsigned q)
{
	return q && s->read.slots[q - 1].still && !s->q[q].min && !s->q[q].max;
}

/* Do readings of the counters leave the guest, so that each sample begins behind the host? */
static bool begins_cold(const struct worker *s)
{
	return s->read.n && platform_counters_exit();
}

static bool exact(const struct worker *s)
{
	for (unsigned q = 0; q < s->n; q++)
		if (!is_empty(s, q) && (!s->q[q].exact || is_still(s, q)))
			return false;
	/* In a guest a figure may have one sample, which has no spread. */
	return !begins_cold(s) && !s->host.lonely && worker_runs(s) >= WORKER_SAMPLES / 2;
}

static void log_dropped(const struct worker_host *h)
{
	if (h->stood)
		log_dec("dropped.stood", h->stood);
	if (h->exit)
		log_dec("dropped.exit", h->exit);
	if (h->stolen)
		log_dec("dropped.stolen", h->stolen);
	if (h->apart)
		log_dec("dropped.apart", h->apart);
}

/* What of a hypervisor is in the numbers. */
static void log_host(bool exits, bool lonely, bool cold)
{
	if (exits)
		log_bool("exits", true);
	if (lonely)
		log_bool("apart", true);
	if (cold)
		log_str("cold", "host");
}

void report_worker(const struct bench_run *run, const struct worker *s, unsigned group,
                   bool together)
{
	log_begin("thread");
	log_str("bench", s->b.name);
	log_dec("cpu", s->cpu);
	log_str("run", together ? "together" : "alone");
	log_dec("group", group);
	log_dec("copies", s->copies);
	log_dec("loop", s->loop);
	log_dec("runs", worker_runs(s));
	log_dropped(&s->host);
	platform_dropped(s->host.exit, s->host.apart);
	if (s->cpl)
		log_dec("cpl", s->cpl);
	if (report_nominal(run->cpu))
		log_bool("nominal", true);
	log_host(s->host.exits || (cpu_is_guest(run->cpu) && s->b.flags & SNIPPET_EXITS),
	         s->host.lonely, begins_cold(s));
	log_bool("exact", exact(s));
	for (unsigned q = 0; q < s->n; q++) {
		struct number x;

		if (is_empty(s, q))
			continue;
		if (is_still(s, q)) {
			number_field(key_of(s, q), ".moved", 0, 0);
			continue;
		}
		x = number_of(&s->q[q], (uint64_t)s->copies * s->loop, q ? 0 : engine_tsc_error());
		number_log(key_of(s, q), &x);
	}
	log_end();
}

/* Thousandths of a / b; 0 if there is no such number. */
static uint64_t milli(int64_t a, int64_t b)
{
	return a > 0 && b > 0 ? (uint64_t)a * 1000 / (uint64_t)b : 0;
}

/* What happens in a tick of the TSC, in thousandths: `of` in one copy, or quantity q. */
static uint64_t per_tick(const struct worker *s, unsigned q, bool together)
{
	int64_t ticks = together ? s->q[0].med : s->alone[0];
	int64_t count = together ? s->q[q].med : s->alone[q];

	return q ? milli(count, ticks) : milli((int64_t)s->b.ops * s->copies * s->loop, ticks);
}

/* Do the workers count the same events in the same order? */
static bool same_events(const struct team *t)
{
	for (unsigned i = 1; i < t->n; i++) {
		if (t->worker[i]->n != t->worker[0]->n)
			return false;
		for (unsigned q = 1; q < t->worker[0]->n; q++)
			if (strcmp(key_of(t->worker[i], q), key_of(t->worker[0], q)) != 0)
				return false;
	}
	return true;
}

static bool any_still(const struct team *t, unsigned q)
{
	for (unsigned i = 0; i < t->n; i++)
		if (is_still(t->worker[i], q))
			return true;
	return false;
}

static void log_sums(const struct team *t, bool together)
{
	unsigned n = same_events(t) ? t->worker[0]->n : 1;

	for (unsigned q = 0; q < n; q++) {
		uint64_t sum = 0;

		if (is_empty(t->worker[0], q) || any_still(t, q))
			continue;
		for (unsigned i = 0; i < t->n; i++)
			sum += per_tick(t->worker[i], q, together);
		log_milli(q ? key_of(t->worker[0], q) : "ops",
		          (int64_t)(together ? sum : sum / t->n));
	}
}

static void begin(const struct bench_run *run, const struct team *t, unsigned group, bool together)
{
	static const char *const modes[] = { "1", "core", "cores", "hybrid", "all" };
	const char *a = t->worker[0]->b.name, *b = t->worker[1]->b.name;
	struct worker_host host = { 0 };
	bool cold = false;

	for (unsigned i = 0; i < t->n; i++) {
		const struct worker *s = t->worker[i];

		host.exits |= s->host_alone.exits || (together && s->host.exits) ||
		              (cpu_is_guest(run->cpu) && s->b.flags & SNIPPET_EXITS);
		host.lonely |= together && s->host.lonely;
		cold |= begins_cold(t->worker[i]);
	}
	log_begin("threads");
	log_str("mode", modes[run->args->threads]);
	log_str("bench", a);
	if (strcmp(a, b) != 0)
		log_str("with", b);
	log_dec("cpus", t->n);
	log_dec("group", group);
	log_str("run", together ? "together" : "alone");
	if (report_nominal(run->cpu))
		log_bool("nominal", true);
	log_host(host.exits, host.lonely, cold);
}

void report_team(const struct bench_run *run, const struct team *t, unsigned group)
{
	uint64_t speedup = 0, skew = 0, error = 0;
	uint32_t busy = 1000;
	bool drifts = false;

	for (unsigned i = 0; i < t->n; i++) {
		const struct worker *s = t->worker[i];

		speedup += milli(s->alone[0], s->q[0].med);
		skew = s->skew > skew ? s->skew : skew;
		error = smp_cpu(s->cpu)->tsc_error > error ? smp_cpu(s->cpu)->tsc_error : error;
		busy = s->busy < busy ? s->busy : busy;
		drifts |= smp_cpu(s->cpu)->tsc_drift != 0;
	}
	begin(run, t, group, false);
	log_sums(t, false);
	log_end();
	begin(run, t, group, true);
	if (!drifts) {
		log_dec("skew", skew);
		log_dec("skew_error", error);
	}
	log_milli("busy", busy);
	log_milli("speedup", (int64_t)speedup);
	log_sums(t, true);
	log_end();
}
