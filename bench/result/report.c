/*
 * Records of results (bench/result/report.h).
 */
#include "bench/result/report.h"
#include "bench/engine/sizing.h"
#include "bench/engine/platform.h"
#include "bench/engine/number.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

#define NOT_DERIVED ".derived"
#define NOT_MOVED   ".moved"

static uint64_t divisor(const struct engine_result *r)
{
	return r->mode == MODE_RATE ? (uint64_t)r->copies * r->loop : 1;
}

/* Quantity q of the copies that one number is of: counters are not off. */
static struct number quantity(const struct engine_result *r, unsigned q, uint64_t n)
{
	return number_of(&r->q[q], n, q ? 0 : r->tsc_error);
}

/* The engine gives core clocks in thousandths. */
static struct number core_clocks(const struct engine_result *r, uint64_t n)
{
	return number_of(&r->core, 1000 * n, r->core_error);
}

/* Did the simulator have nothing to count for the quantity? */
static bool is_empty(const struct pmu_group *group, unsigned q)
{
	return q && group->slots[q - 1].empty;
}

/* No count: the event never moved, also where much happens (bench/result/stimulus.h). */
static bool is_still(const struct pmu_group *group, const struct engine_result *r, unsigned q)
{
	return q && group->slots[q - 1].still && !r->q[q].min && !r->q[q].max;
}

static const char *quantity_key(const struct pmu_group *group, unsigned q)
{
	return q ? group->slots[q - 1].key : "tsc";
}

static void dropped(const struct engine_dropped *d)
{
	if (d->nmi)
		log_dec("dropped.nmi", d->nmi);
	if (d->mce)
		log_dec("dropped.mce", d->mce);
	if (d->smi)
		log_dec("dropped.smi", d->smi);
	if (d->timer)
		log_dec("dropped.timer", d->timer);
	if (d->gap)
		log_dec("dropped.gap", d->gap);
	if (d->stood)
		log_dec("dropped.stood", d->stood);
	if (d->exit)
		log_dec("dropped.exit", d->exit);
	if (d->stolen)
		log_dec("dropped.stolen", d->stolen);
	if (d->interrupt)
		log_dec("dropped.interrupt", d->interrupt);
}

/*
 * With events=all most counts are 0: those are gathered and listed in `zero` records, as many names
 * as a line holds.
 */
static struct {
	char names[600];
	size_t n;
} zeros;

static void flush_zeros(const struct bench *b)
{
	if (!zeros.n)
		return;
	log_begin("zero");
	log_str("bench", b->name);
	log_strn("events", zeros.names, zeros.n);
	log_end();
	zeros.n = 0;
}

static void add_zero(const struct bench *b, const char *key)
{
	size_t n = strlen(key);

	if (zeros.n + n + 1 > sizeof(zeros.names))
		flush_zeros(b);
	if (zeros.n)
		zeros.names[zeros.n++] = ' ';
	memcpy(zeros.names + zeros.n, key, n);
	zeros.n += n;
}

void report_zeros(const struct bench *b)
{
	flush_zeros(b);
}

/* Is `word` one of the comma-separated words of `list`, or is that "*"? */
static bool listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	if (!strcmp(list, "*"))
		return true;
	for (;;) {
		size_t len = 0;

		while (list[len] && list[len] != ',')
			len++;
		if (len == n && !strncmp(list, word, n))
			return true;
		if (!list[len])
			return false;
		list += len + 1;
	}
}

bool report_all_events(const struct bench_run *run)
{
	return run->args->events && listed(run->args->events, "all");
}

static bool is_zero(const struct stats_diff *d)
{
	return d->exact && !d->med;
}

static bool all_zero(const struct engine_result *r)
{
	for (unsigned q = 1; q < r->n; q++)
		if (!is_zero(&r->q[q]))
			return false;
	return true;
}

static bool shown(const struct bench_run *run, const struct engine_result *r, unsigned q)
{
	return !q || !report_all_events(run) || !is_zero(&r->q[q]);
}

/* Between records: it may write one. */
static void gather_zeros(const struct bench_run *run, const struct bench *b,
                         const struct pmu_group *group, const struct engine_result *r)
{
	for (unsigned q = 1; report_all_events(run) && q < r->n; q++)
		if (is_zero(&r->q[q]) && !is_empty(group, q) && !is_still(group, r, q))
			add_zero(b, quantity_key(group, q));
}

/* QEMU's TCG names itself so in leaf 40000000H. */
bool report_without_hardware(const struct cpu *cpu)
{
	return !strcmp(cpu->hypervisor, "TCGTCGTCGTCG");
}

bool report_nominal(const struct cpu *cpu)
{
	return cpu->nominal_clocks || report_without_hardware(cpu);
}

/* The body, for those who look at the number: as many bytes as most bodies have. */
static void log_body(const struct bench *b)
{
	enum { SHOWN = 16 };
	char digits[2 * SHOWN + 1];
	struct text t = text_in(digits, sizeof(digits));

	if (!b->body_size)
		return;
	for (size_t i = 0; i < b->body_size && i < SHOWN; i++)
		text_hex(&t, b->body[i], 2);
	log_str("code", digits);
	if (b->body_size > SHOWN)
		log_dec("code_bytes", b->body_size);
}

bool report_leaves_guest(const struct bench_run *run, const struct bench *b)
{
	return cpu_is_guest(run->cpu) && b->flags & SNIPPET_EXITS;
}

/* Did each sample begin behind readings of counters that leave the guest? */
static bool begins_cold(const struct engine_result *r)
{
	return r->n > 1 && r->passes < 2 && platform_counters_exit();
}

static void header(const struct bench_run *run, const struct bench *b, unsigned group_index,
                   const struct engine_result *r, unsigned part)
{
	log_begin("result");
	log_str("bench", b->name);
	if (b->form) {
		log_str("form", b->form);
		log_str("kind", b->kind);
	}
	log_str("mode", r->mode == MODE_RATE ? "rate" : "total");
	if (bench_plan(run, b)->ngroups > 1)
		log_dec("group", group_index);
	if (part)
		log_dec("part", part);
	if (engine_cpl(run, b))
		log_dec("cpl", engine_cpl(run, b));
	log_dec("copies", r->copies);
	log_dec("loop", r->loop);
	log_dec("runs", r->runs);
	log_dec("warmup", r->warmup);
	dropped(&r->dropped);
	if (!part)
		platform_dropped(r->dropped.exit, 0);
	if (r->unsteady)
		log_dec("dropped.clock", r->unsteady);
	if (r->shared)
		log_dec("dropped.shared", r->shared);
	if (r->repeated)
		log_dec("repeated", r->repeated);
	if (r->interrupted)
		log_bool("interrupted", true);
	if (report_nominal(run->cpu))
		log_bool("nominal", true);
	if (cpu_has_host(run->cpu))
		log_bool("guest", true);
	if (r->exits || r->late || report_leaves_guest(run, b))
		log_bool("exits", true);
	if (begins_cold(r))
		log_str("cold", "host");
	if (r->passes > 1)
		log_dec("passes", r->passes);
	if (b->ops != 1)
		log_dec("ops", b->ops);
	if (b->bytes)
		log_dec("bytes", b->bytes);
	if (b->insns)
		log_dec("insns",
		        (uint64_t)b->insns *
		                (r->mode == MODE_RATE ? 1 : (uint64_t)r->copies * r->loop));
	if (!group_index && !part)
		log_body(b);
}

static bool exact(const struct pmu_group *group, const struct engine_result *r)
{
	for (unsigned q = 0; q < r->n; q++)
		if (!r->q[q].exact || is_still(group, r, q))
			return false;
	return !begins_cold(r);
}

static void footer(const struct pmu_group *group, const struct engine_result *r)
{
	log_bool("exact", exact(group, r));
	log_end();
}

/* More events than a line holds go on in records with part=1, 2 ... */
void report_result(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, unsigned group_index,
                   const struct engine_result *r)
{
	enum { QUANTITIES_MAX = LOG_LINE - 400 }; /* what else a record holds is less */
	struct number core = core_clocks(r, divisor(r));
	unsigned part = 0;
	size_t used = r->has_core ? number_room("core", &core) : 0;

	gather_zeros(run, b, group, r);
	if (report_all_events(run) && group_index && all_zero(r))
		return;
	header(run, b, group_index, r, part);
	for (unsigned q = 0; q < r->n; q++) {
		const char *key = quantity_key(group, q);
		struct number x = quantity(r, q, divisor(r));
		size_t room = number_room(key, &x) + sizeof(NOT_DERIVED);

		if (!shown(run, r, q))
			continue;
		if (used + room > QUANTITIES_MAX) {
			footer(group, r);
			header(run, b, group_index, r, ++part);
			used = r->has_core ? number_room("core", &core) : 0;
		}
		used += room;
		if (is_empty(group, q))
			number_field(key, NOT_DERIVED, 0, 0);
		else if (is_still(group, r, q))
			number_field(key, NOT_MOVED, 0, 0);
		else
			number_log(key, &x);
	}
	if (r->has_core)
		number_log("core", &core);
	footer(group, r);
}

static int find_quantity(const struct pmu_group *group, const struct engine_result *r,
                         const char *name)
{
	for (unsigned q = 0; q < r->n; q++)
		if (!strcmp(quantity_key(group, q), name))
			return (int)q;
	return -1;
}

void report_expect(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, const struct engine_result *r)
{
	uint64_t per_copy = r->mode == MODE_RATE ? divisor(r) : (uint64_t)r->copies * r->loop;

	for (unsigned i = 0; i < b->nexpect; i++) {
		const struct snippet_expect *e = &b->expect[i];
		const char *name = snippet_text(&e->quantity);
		int q = find_quantity(group, r, name);
		struct number x;

		if (q < 0 || is_empty(group, (unsigned)q) || is_still(group, r, (unsigned)q) ||
		    !listed(snippet_text(&e->family), cpu_pmu_class_name(run->cpu->pmu_class)))
			continue;
		x = quantity(r, (unsigned)q, per_copy);
		if (x.below > (uint64_t)e->min && e->min > 0)
			continue; /* the noise is larger than what is expected */
		log_begin("expect");
		log_str("bench", b->name);
		log_str("quantity", name);
		log_milli("got", sizing_digits(x.value, x.bound));
		log_milli("low", e->min);
		log_milli("high", e->max);
		log_str("verdict", x.value >= e->min && x.value <= e->max ? "match" : "differs");
		log_str("source", snippet_text(&e->source));
		log_end();
	}
}

void report_series(const struct bench_run *run, const struct bench *b,
                   const struct stats_diff *ticks, uint32_t n, uint32_t of, uint64_t error,
                   bool cold)
{
	uint64_t below = 0;
	char key[16];

	log_begin("series");
	log_str("bench", b->name);
	log_dec("runs", n);
	if (of > 1)
		log_dec("least_of", of);
	if (!cold)
		log_bool("cold", cold);
	if (report_leaves_guest(run, b))
		log_bool("exits", true);
	for (uint32_t i = 0; i < n; i++) {
		const struct number x = number_of(&ticks[i], 1, error);
		struct text t = text_in(key, sizeof(key));

		text_str(&t, "tsc.");
		text_dec(&t, i + 1);
		number_field(key, "", x.value, x.bound);
		below = x.below > below ? x.below : below;
	}
	if (below)
		log_milli("tsc.below", (int64_t)below);
	log_end();
}
