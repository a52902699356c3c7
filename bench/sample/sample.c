/*
 * Samples by place in the body (bench/sample/sample.h).
 */
#include "bench/sample/sample.h"
#include "bench/engine/batch.h"
#include "bench/sample/internal.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "pmu/sampling/sampling.h"

enum {
	SAMPLES = 800, /* as many as B. Sprunt's Table 1 has, unless samples= says */
	PERIOD_MAX = 1 << 30,
	PERIOD = 100,    /* of skid and addresses, unless sample= says */
	PLACES = 5120,   /* bytes of the code that have a count each */
	LOOP_CODE = 16,  /* bytes that the loop around the copies has at most, in both widths */
	COPIES_MAX = 64, /* as the engine has it */
	CODE_TARGET = 512,
	CODE_BYTES = 15,
	PILOT_LOOP = 16,
	TIMEOUT_MS = 2000, /* as the engine has it */
	ROUNDS_MAX = 1 << 30,
	MOST_PER_WANTED = 4, /* interrupts at most for each sample that is wanted */
	METHODS = 5,
	ATTEMPTS = 4,       /* at a pass during which a guest's counters were away */
	GUEST_RATE = 10000, /* interrupts a second that a host lets pass, unless sample= says */
};

static bool available[ARGS_SAMPLES][METHODS];
static bool chosen;                      /* the event and its period are sample_default()'s */
static const char *doubts[ARGS_SAMPLES]; /* of sample_doubt() */

/* The samples of one pass. */
static struct {
	struct pmu_sampling s;
	struct args_event wish;
	const struct bench *b;
	unsigned method;
	bool addresses; /* the data addresses of samples are asked for */
	struct batch_place place;
	size_t body; /* bytes of one copy */
	uint64_t start, ticks;
	uint32_t loop, outside; /* samples in the loop around the copies, and in other code */
	uint32_t eventing;      /* samples that name the instruction itself */
	uint32_t stepped;       /* ... which was found from the next one */
	/* By place in the code. Of more code than that, by place in the body: */
	uint32_t hits[PLACES];
	size_t span; /* bytes after which places begin again */
} pass;

static void take(void *arg, const struct pmu_sample *s)
{
	size_t at = (uintptr_t)s->ip - (uintptr_t)pass.place.start;

	const struct sample_code code = { (uintptr_t)pass.place.start, pass.place.size, pass.body,
		                          LOOP_CODE };

	(void)arg;
	if (s->nbranches)
		branch_profile->take(s, &code);
	pass.eventing += s->eventing;
	pass.stepped += s->stepped;
	if (pass.addresses)
		address_take(s, at < pass.place.size);
	if (at < pass.place.size && at % pass.span < PLACES)
		pass.hits[at % pass.span]++;
	else if (at >= pass.place.size && at < pass.place.size + LOOP_CODE)
		pass.loop++;
	else
		pass.outside++;
}

static bool start(void *arg)
{
	(void)arg;
	memset(pass.hits, 0, sizeof(pass.hits));
	pass.loop = pass.outside = pass.eventing = pass.stepped = 0;
	address_begin();
	if (pass.s.branches)
		branch_profile->begin();
	pass.span = pass.place.size > PLACES ? pass.body : pass.place.size;
	pass.s.code = (uintptr_t)pass.place.start;
	pass.s.code_size = pass.place.size + LOOP_CODE;
	pass.start = x86_rdtsc();
	return pmu_sampling_start(&pass.s);
}

static void stop(void *arg)
{
	(void)arg;
	pmu_sampling_stop(&pass.s);
	pass.ticks = x86_rdtsc() - pass.start;
}

static uint32_t wanted_samples(const struct args *a)
{
	return a->samples ? a->samples : SAMPLES;
}

/* One pass of `rounds` rounds with a sample every `period` events. NULL, or why it failed. */
static const char *run_pass(const struct bench_run *run, const struct bench *b, uint32_t copies,
                            uint32_t rounds, uint64_t period)
{
	static const struct batch_hooks hooks = { .start = start, .stop = stop };
	struct batch t = { .run = run, .b = b };

	pass.b = b;
	pass.body = b->body_size ? b->body_size : 1;
	pass.s.period = period;
	pass.s.most = MOST_PER_WANTED * wanted_samples(run->args);
	return batch_pass(&t, copies, rounds, &hooks, &pass.place);
}

/*
 * Rounds that have `wanted` events and end in half the time that a run may take. A pass of `made`
 * rounds had `events`.
 */
static uint32_t rounds_for(const struct bench_run *run, uint64_t wanted, uint64_t events,
                           uint32_t made)
{
	uint32_t ms = run->args->timeout ? run->args->timeout : TIMEOUT_MS;
	uint64_t ticks = pass.ticks / made + 1; /* of a round */
	uint64_t rounds, most = run->tsc_hz / 2000 * ms / ticks + 1;

	events = events ? events : 1;
	rounds = wanted / events * made + wanted % events * made / events + 2;
	if (run->tsc_hz && rounds > most)
		rounds = most;
	return rounds > ROUNDS_MAX ? ROUNDS_MAX : (uint32_t)rounds;
}

static struct sample_who who(void)
{
	return (struct sample_who){ .bench = pass.b->name,
		                    .event = pass.s.group.slots[0].key,
		                    .method = pmu_sampling_method(pass.method),
		                    .samples = pass.s.samples };
}

static void log_who(void)
{
	struct sample_who w = who();

	log_str("bench", w.bench);
	log_str("event", w.event);
	log_str("method", w.method);
}

static void log_addressed(void)
{
	struct address_sums sums = address_sums();

	log_dec("addressed", sums.addressed);
	log_dec("decoded", sums.decoded);
	log_dec("differ", sums.differ);
}

/*
 * In a guest: events of the same run without an interrupt, 0 where they are not known. The host
 * stops a counter that interrupts too often until its next tick (perf_event_max_sample_rate), and
 * the control with it.
 */
static uint64_t whole;

static void log_sampling(const struct bench_run *run, uint32_t copies, uint32_t rounds)
{
	log_begin("sampling");
	log_who();
	log_dec("period", pass.s.period);
	if (pass.s.after) {
		log_str("after", pass.s.after);
		log_dec("after_count", pass.s.after_count);
	}
	log_dec("cpl", pass.s.cpl);
	log_str("delivery", pass.s.nmi ? "nmi" : "vector");
	log_dec("copies", copies);
	log_dec("loop", rounds);
	log_dec("samples", pass.s.samples);
	log_dec("eventing", pass.eventing);
	log_str("ip", pass.stepped ? "stepped" : pass.eventing ? "eventing" : "next");
	log_dec("lost", pass.s.lost);
	log_dec("spurious", pass.s.spurious);
	if (pass.s.events) {
		log_dec("late", pass.s.late);
		log_dec("lag", pass.s.lag);
		log_dec("events", pass.s.events);
	}
	if (pass.s.group.n > 1)
		log_dec("control", pass.s.control);
	if (pmu_counts_interrupts(pass.s.group.slots[0].key))
		log_bool("interrupts", true);
	if (whole)
		log_dec("whole", whole);
	if (cpu_has_host(run->cpu))
		log_bool("exits", true); /* each interrupt of a counter comes by way of the host */
	log_dec("around", pass.loop);
	log_dec("outside", pass.outside);
	if (pass.s.elsewhere)
		log_dec("elsewhere", pass.s.elsewhere);
	if (pass.addresses)
		log_addressed();
	if (pass.s.branches)
		log_dec("branches", branch_profile->all());
	log_end();
}

static void log_share(uint64_t count)
{
	log_dec("count", count);
	log_milli("share", (int64_t)(count * 100000 / pass.s.samples));
}

static void begin(bool skid)
{
	if (skid)
		log_begin("skid");
	else
		log_begin("sample");
	log_who();
}

/* The instruction and what follows it: fifteen bytes, which is as long as one can be. */
static void log_code(const uint8_t *code)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * CODE_BYTES];

	for (unsigned i = 0; i < sizeof(text); i++)
		text[i] = digits[code[i / 2] >> (i % 2 ? 0 : 4) & 15];
	log_strn("code", text, sizeof(text));
}

/* The samples at an offset of the body, in all copies. `*copy` has the most of them. */
static uint64_t total(unsigned offset, unsigned *copy)
{
	uint64_t sum = 0;
	uint32_t most = 0;

	for (size_t at = offset; at < pass.span && at < PLACES; at += pass.body) {
		sum += pass.hits[at];
		if (pass.hits[at] > most) {
			most = pass.hits[at];
			*copy = (unsigned)(at / pass.body);
		}
	}
	return sum;
}

/* A count of the places, by place or, with `skid`, by how far it is behind the target. */
static uint64_t log_place(unsigned offset, bool skid)
{
	unsigned n = pass.b->insn_bytes, insns = pass.b->insns, copy = 0;
	uint64_t count = total(offset, &copy);

	begin(skid);
	if (skid)
		log_dec("distance", (offset / n + insns - pass.b->target / n) % insns);
	else
		log_dec("offset", offset);
	log_share(count);
	if (pass.span > pass.body && count) {
		log_dec("copy", copy);
		log_dec("copy_count", pass.hits[offset + copy * pass.body]);
	}
	log_code(pass.place.start + offset);
	log_end();
	for (size_t at = offset; at < pass.span && at < PLACES; at += pass.body)
		pass.hits[at] = 0;
	return count;
}

/* The places with the most samples, and a line for all the others. */
static void log_places(bool skid)
{
	uint64_t rest = pass.s.samples - (skid ? 0 : pass.loop + pass.outside);

	if (skid)
		rest -= log_place(pass.b->target, true);
	for (unsigned line = 0; line < SAMPLE_LINES && rest; line++) {
		unsigned best = 0, copy;
		uint64_t most = 0;

		for (unsigned i = 0; i < pass.body && i < PLACES; i++)
			if (total(i, &copy) > most) {
				most = total(i, &copy);
				best = i;
			}
		if (!most)
			break;
		rest -= log_place(best, skid);
	}
	if (!rest)
		return;
	begin(skid);
	log_bool("rest", true);
	log_share(rest);
	log_end();
}

/* What else is known of the samples. */
static void log_more(void)
{
	struct sample_who w = who();

	if (pass.addresses)
		address_log(&w);
	if (pass.s.branches)
		branch_profile->log(&w);
}

static uint32_t pick_copies(const struct args *a, const struct bench *b)
{
	uint32_t copies = CODE_TARGET / (b->body_size ? (uint32_t)b->body_size : 1);

	if (a->unroll)
		return a->unroll;
	if (b->unroll)
		return b->unroll;
	return copies > COPIES_MAX ? COPIES_MAX : copies ? copies : 1;
}

/* Events without samples: an event that the way does not know, or a way that is not there. */
static void warn_of_none(void)
{
	uint64_t counted = pass.s.events > pass.s.control ? pass.s.events : pass.s.control;

	if (!pass.s.samples && counted > 2 * pass.s.period)
		log_warn("sample", pmu_sampling_method(pass.method),
		         "the event was counted often enough, but no sample of it came");
}

static void warn_of_part(void)
{
	uint64_t counted = (pass.s.samples + pass.s.lost) * pass.s.period;

	if (counted < pass.s.events)
		counted = pass.s.events;
	if (counted < pass.s.control)
		counted = pass.s.control;
	if (counted < whole - whole / 8)
		log_warn("sample", pmu_sampling_method(pass.method),
		         "fewer events than in the same run without interrupts: the host stops a "
		         "counter that interrupts too often. Take a longer period, or raise its "
		         "kernel.perf_event_max_sample_rate");
}

static const char *open_method(const struct bench_run *run, unsigned cpl, unsigned method,
                               bool pilot)
{
	pass.s = (struct pmu_sampling){ .event = pass.wish.event,
		                        .cpl = cpl,
		                        .take = take,
		                        .random = run->args->random,
		                        .watermark = run->args->watermark };
	if (!pilot) {
		pass.s.branches = (enum pmu_branches)run->args->branches;
		pass.s.after = run->args->after.event;
		pass.s.after_count = run->args->after.count;
	}
	pass.method = method;
	pass.addresses = run->args->addresses;
	return pmu_sampling_open(&pass.s, method);
}

/* Is there a way to sample this event of the arguments? */
static bool any_way(unsigned i)
{
	bool any = false;

	for (unsigned m = 0; m < METHODS; m++)
		any |= available[i][m];
	return any;
}

/*
 * The host of a guest stops a counter that interrupts more often than
 * kernel.perf_event_max_sample_rate, and lowers that itself: a period that was not asked for leaves
 * room below it. Of the events of the pass just made.
 */
static bool slow_down(const struct bench_run *run)
{
	uint64_t period = pass.s.events * (run->tsc_hz / GUEST_RATE) / (pass.ticks + 1);

	period = period > PERIOD_MAX ? PERIOD_MAX : period;
	if (!chosen || !cpu_has_host(run->cpu) || pass.wish.count >= period)
		return false;
	pass.wish.count = (uint32_t)period;
	return true;
}

/*
 * How many rounds have the samples that are wanted: a pass without samples tells, and whether an
 * event that is doubted moves there.
 */
static const char *pick_rounds(const struct bench_run *run, const struct bench *b, uint32_t copies,
                               bool doubted, uint32_t *rounds, bool *moves)
{
	const char *why = open_method(run, batch_cpl(run, b), 0, true);
	const uint32_t loop = run->args->loop;
	unsigned left = ATTEMPTS;

	*rounds = loop;
	*moves = true;
	if (why || (loop && !doubted))
		return why;
	do
		why = run_pass(run, b, copies, loop ? loop : PILOT_LOOP, PMU_PERIOD_MAX);
	while (!why && !pass.s.events && !pmu_counts() && --left && pmu_wait());
	*moves = !doubted || pass.s.events;
	slow_down(run);
	if (!loop)
		*rounds = rounds_for(run, (uint64_t)pass.wish.count * wanted_samples(run->args),
		                     pass.s.events, PILOT_LOOP);
	return why;
}

/* A long pass knows the rate of the event better than the pilot: it may take more rounds. */
static const char *count_whole(const struct bench_run *run, const struct bench *b, uint32_t copies,
                               uint32_t *rounds)
{
	const char *why;

	whole = 0;
	if (!cpu_has_host(run->cpu) || run->args->after.event)
		return NULL;
	why = open_method(run, batch_cpl(run, b), 0, true);
	if (!why)
		why = run_pass(run, b, copies, *rounds, PMU_PERIOD_MAX);
	if (!why && slow_down(run) && !run->args->loop) {
		*rounds = rounds_for(run, (uint64_t)pass.wish.count * wanted_samples(run->args),
		                     pass.s.events, *rounds);
		why = run_pass(run, b, copies, *rounds, PMU_PERIOD_MAX);
	}
	if (!why)
		whole = pass.s.events;
	return why;
}

/* Of this benchmark there are no samples, and no pass of each way shows so. */
static void log_still(const struct bench *b, const char *doubt)
{
	log_begin("skip");
	log_str("bench", b->name);
	log_str("event", pass.s.group.slots[0].key);
	log_str("why", doubt);
	log_end();
}

const char *sample_bench(const struct bench_run *run, const struct bench *b, unsigned i)
{
	uint32_t copies = pick_copies(run->args, b), rounds;
	bool moves;
	const char *why;

	if (!any_way(i))
		return NULL;
	pass.wish = run->args->sample[i];
	why = pick_rounds(run, b, copies, doubts[i], &rounds, &moves);
	if (!why && !moves) {
		log_still(b, doubts[i]);
		return NULL;
	}
	if (!why)
		why = count_whole(run, b, copies, &rounds);
	for (unsigned m = 0; !why && pmu_sampling_method(m); m++) {
		if (!available[i][m])
			continue;
		why = open_method(run, batch_cpl(run, b), m, false);
		if (!why)
			why = run_pass(run, b, copies, rounds, pass.wish.count);
		if (!why && pass.s.storm)
			why = "the handler's own events fill the period: cpl=3 or a longer period";
		if (why)
			break;
		log_sampling(run, copies, rounds);
		warn_of_none();
		warn_of_part();
		if (pass.s.samples)
			log_places(run->args->skid && b->insn_bytes);
		if (pass.s.samples)
			log_more();
	}
	return why;
}

/* What skid, addresses and branches= sample unless sample= says something else. */
void sample_default(struct args *a)
{
	static const char *const events[] = { "l1d-load-misses", "l1d-misses" };
	static struct pmu_group group;

	chosen = !a->nsample && (a->skid || a->addresses || a->branches);
	if (!chosen)
		return;
	a->sample[0].event = pmu_single(&group, events[0], a->cpl) ? events[0] : events[1];
	a->sample[0].count = PERIOD;
	a->nsample = 1;
}

static bool init_event(const struct bench_run *run, unsigned i)
{
	pass.wish = run->args->sample[i];
	for (unsigned m = 0; pmu_sampling_method(m); m++) {
		const char *why = open_method(run, run->args->cpl, m, false);

		available[i][m] = !why;
		log_begin("sampler");
		log_str("method", pmu_sampling_method(m));
		log_bool("available", !why);
		if (why)
			log_str("why", why);
		log_str("event", why ? pass.wish.event : pass.s.group.slots[0].key);
		log_end();
	}
	if (!any_way(i))
		log_error("sample", pass.wish.event, "no way of sampling has it: see `sampler`");
	return any_way(i);
}

bool sample_init(const struct bench_run *run)
{
	bool any = false;

	for (unsigned i = 0; i < run->args->nsample; i++)
		any |= init_event(run, i);
	return any;
}

bool sample_group(const struct bench_run *run, unsigned i, struct pmu_group *group)
{
	return any_way(i) && pmu_single(group, run->args->sample[i].event, run->args->cpl);
}

void sample_doubt(unsigned i, const char *why)
{
	doubts[i] = why;
}
