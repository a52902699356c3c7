/*
 * Records of results (bench/report.h).
 */
#include "bench/report.h"
#include "bench/engine/sizing.h"
#include "kernel/log.h"
#include "kernel/string.h"
#include "kernel/text.h"

#define NOT_DERIVED ".derived"

static uint64_t divisor(const struct engine_result *r)
{
	return r->mode == MODE_RATE ? (uint64_t)r->copies * r->loop : 1;
}

/* Joins a key and a suffix in `buf`. */
static const char *key_of(char buf[PMU_KEY + 8], const char *key, const char *suffix)
{
	size_t n = strlen(key);

	memcpy(buf, key, n);
	memcpy(buf + n, suffix, strlen(suffix) + 1);
	return buf;
}

/* `error` of n copies as thousandths of one, rounded up. */
static uint64_t bound_of(uint64_t error, uint64_t n)
{
	return (error * 1000 + n - 1) / n;
}

/* One quantity: its minimum, and the spread if there is any; in digits that `bound` allows. */
static void quantity(const char *key, const struct stats_diff *d, uint64_t n, uint64_t bound)
{
	char buf[PMU_KEY + 8];

	log_milli(key, sizing_digits(stats_milli(d->min, n), bound));
	if (!d->exact) {
		log_milli(key_of(buf, key, ".med"), sizing_digits(stats_milli(d->med, n), bound));
		log_milli(key_of(buf, key, ".max"), sizing_digits(stats_milli(d->max, n), bound));
		log_milli(key_of(buf, key, ".share"), d->share);
	}
	if (bound > 1)
		log_milli("tsc.bound", (int64_t)bound); /* nothing else has a bound */
}

static void core(const struct engine_result *r)
{
	const uint64_t n = 1000 * divisor(r);
	const uint64_t bound = bound_of(r->core_error, n);

	log_milli("core", sizing_digits(stats_milli(r->core.med, n), bound));
	log_milli("core.min", sizing_digits(stats_milli(r->core.min, n), bound));
	log_milli("core.max", sizing_digits(stats_milli(r->core.max, n), bound));
	if (bound > 1)
		log_milli("core.bound", (int64_t)bound);
}

/* What a reading of quantity q may be off, per copy: counters are not. */
static uint64_t quantity_bound(const struct engine_result *r, unsigned q)
{
	return q ? 0 : bound_of(r->tsc_error, divisor(r));
}

/* Did the simulator have nothing to count for the quantity? */
static bool is_empty(const struct pmu_group *group, unsigned q)
{
	return q && group->slots[q - 1].empty;
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

static bool all_events(const struct bench_run *run)
{
	return run->args->events && !strcmp(run->args->events, "all");
}

static bool is_zero(const struct stats_diff *d)
{
	return d->exact && !d->min;
}

static bool all_zero(const struct engine_result *r)
{
	for (unsigned q = 1; q < r->n; q++)
		if (!is_zero(&r->q[q]))
			return false;
	return true;
}

/* Bytes of thousandths as a decimal, at most. */
static size_t milli_size(int64_t thousandths)
{
	uint64_t v = (thousandths < 0 ? 0 - (uint64_t)thousandths : (uint64_t)thousandths) / 1000;
	size_t n = sizeof("-0.000") - 1;

	for (; v >= 10; v /= 10)
		n++;
	return n;
}

/* Bytes that quantity() writes at most. */
static size_t room_for(const char *key, const struct stats_diff *d, uint64_t n, uint64_t bound)
{
	size_t one = strlen(key) + sizeof(" =") - 1;
	size_t room = one + milli_size(stats_milli(d->min, n));

	if (!d->exact)
		room += 3 * one + sizeof(".med.max.share0.000") - 1 +
		        milli_size(stats_milli(d->med, n)) + milli_size(stats_milli(d->max, n));
	if (bound > 1)
		room += one + sizeof(".bound") - 1 + milli_size((int64_t)bound);
	return room;
}

static bool shown(const struct bench_run *run, const struct engine_result *r, unsigned q)
{
	return !q || !all_events(run) || !is_zero(&r->q[q]);
}

/* Between records: it may write one. */
static void gather_zeros(const struct bench_run *run, const struct bench *b,
                         const struct pmu_group *group, const struct engine_result *r)
{
	for (unsigned q = 1; all_events(run) && q < r->n; q++)
		if (is_zero(&r->q[q]) && !is_empty(group, q))
			add_zero(b, quantity_key(group, q));
}

/* QEMU's TCG names itself so in leaf 40000000H. */
static bool without_hardware(const struct cpu *cpu)
{
	return !strcmp(cpu->hypervisor, "TCGTCGTCGTCG");
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
	if (r->unsteady)
		log_dec("dropped.clock", r->unsteady);
	if (r->shared)
		log_dec("dropped.shared", r->shared);
	if (r->interrupted)
		log_bool("interrupted", true);
	if (run->cpu->nominal_clocks || without_hardware(run->cpu))
		log_bool("nominal", true);
	if (b->ops != 1)
		log_dec("ops", b->ops);
	if (b->insns)
		log_dec("insns",
		        (uint64_t)b->insns *
		                (r->mode == MODE_RATE ? 1 : (uint64_t)r->copies * r->loop));
}

static bool exact(const struct engine_result *r)
{
	for (unsigned q = 0; q < r->n; q++)
		if (!r->q[q].exact)
			return false;
	return true;
}

static void footer(const struct engine_result *r)
{
	log_bool("exact", exact(r));
	log_end();
}

/* More events than a line holds go on in records with part=1, 2 ... */
void report_result(const struct bench_run *run, const struct bench *b,
                   const struct pmu_group *group, unsigned group_index,
                   const struct engine_result *r)
{
	enum { QUANTITIES_MAX = LOG_LINE - 340 }; /* what else a record holds is less */
	unsigned part = 0;
	size_t used = 0;

	gather_zeros(run, b, group, r);
	if (all_events(run) && group_index && all_zero(r))
		return;
	header(run, b, group_index, r, part);
	for (unsigned q = 0; q < r->n; q++) {
		const char *key = quantity_key(group, q);
		char buf[PMU_KEY + sizeof(NOT_DERIVED)];
		size_t room;

		if (!shown(run, r, q))
			continue;
		room = room_for(key, &r->q[q], divisor(r), quantity_bound(r, q)) +
		       sizeof(NOT_DERIVED);
		if (used + room > QUANTITIES_MAX) {
			footer(r);
			header(run, b, group_index, r, ++part);
			used = 0;
		}
		used += room;
		if (is_empty(group, q))
			log_dec(key_of(buf, key, NOT_DERIVED), 0);
		else
			quantity(key, &r->q[q], divisor(r), quantity_bound(r, q));
	}
	if (r->has_core)
		core(r);
	footer(r);
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
		int64_t got;

		if (q < 0 || is_empty(group, (unsigned)q) ||
		    !listed(snippet_text(&e->family), cpu_pmu_class_name(run->cpu->pmu_class)))
			continue;
		got = sizing_digits(stats_milli(r->q[q].min, per_copy),
		                    q ? 0 : bound_of(r->tsc_error, per_copy));
		log_begin("expect");
		log_str("bench", b->name);
		log_str("quantity", name);
		log_milli("got", got);
		log_milli("low", e->min);
		log_milli("high", e->max);
		log_str("verdict", got >= e->min && got <= e->max ? "match" : "differs");
		log_str("source", snippet_text(&e->source));
		log_end();
	}
}

void report_series(const struct bench *b, const int64_t *ticks, uint32_t n)
{
	char key[16];

	log_begin("series");
	log_str("bench", b->name);
	log_dec("runs", n);
	for (uint32_t i = 0; i < n; i++) {
		struct text t = text_in(key, sizeof(key));

		text_str(&t, "tsc.");
		text_dec(&t, i + 1);
		log_int(key, ticks[i]);
	}
	log_end();
}

/*
 * Appends thousandths as a decimal of `width` bytes, with its point at a fixed place. The decimals
 * that `bound` does not allow are blanks.
 */
static void put_milli(struct text *t, int64_t value, uint64_t bound, size_t width)
{
	char digits[24];
	struct text number = text_in(digits, sizeof(digits));
	uint64_t unit = 1;

	text_milli(&number, sizing_digits(value, bound), 3);
	for (size_t i = 1; i <= 3 && unit < bound; i++, unit *= 10)
		digits[number.n - i] = ' ';
	if (bound > 100)
		digits[number.n - 4] = ' ';
	text_pad(t, t->n + width - (number.n < width ? number.n : width));
	text_str(t, digits);
}

static void summary_line(const struct report_line *line)
{
	char buffer[100];
	struct text t = text_in(buffer, sizeof(buffer));

	text_str(&t, line->name);
	text_pad(&t, 32);
	put_milli(&t, line->tsc, line->bound, 18);
	text_str(&t, line->exact ? "   exact" : "");
	log_chat(buffer);
}

void report_summary(const struct bench_run *run, const struct report_line *lines, unsigned n,
                    unsigned total)
{
	char buffer[100];
	struct text t = text_in(buffer, sizeof(buffer));

	if (!n)
		return;
	if (without_hardware(run->cpu)) {
		log_chat("No table: this is QEMU without hardware virtualization.");
		log_chat("Its times are no CPU's. build/cpl0-sim counts without hardware.");
		return;
	}
	text_str(&t, "benchmark");
	text_pad(&t, 32);
	text_str(&t, "TSC ticks per copy   min = max");
	log_chat(buffer);
	for (unsigned i = 0; i < n; i++)
		summary_line(&lines[i]);
	if (total > n) {
		t = text_in(buffer, sizeof(buffer));
		text_dec(&t, total - n);
		text_str(&t, " more results have no line here; each has its record above.");
		log_chat(buffer);
	}
}

struct report_line report_line(const struct bench *b, const struct engine_result *r)
{
	const uint64_t n = (uint64_t)r->copies * r->loop;
	struct report_line line = { .tsc = stats_milli(r->q[0].min, n),
		                    .bound = bound_of(r->tsc_error, n),
		                    .exact = r->q[0].exact };

	memcpy(line.name, b->name, sizeof(line.name));
	return line;
}
