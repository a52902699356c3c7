/*
 * An event clock by clock (bench/sample/trace.h).
 *
 * The bracket reads both counters before the body, and again they are read where they stopped. Both
 * differences belong together, wherever the interrupt came, so the place of a stop is measured and
 * not assumed.
 */
#include "bench/sample/trace.h"
#include "bench/engine/batch.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "pmu/request.h"
#include "pmu/sampling/stop.h"

enum {
	CLOCKS = 1024, /* clocks of a body that are followed */
	LINES = 256,   /* `trace` records of one event */
	REPEATS = 8,   /* stops at each clock, unless runs= says */
	WARM_UPS = 2,
	REQUEST = 192,
};

/* What the event had come to, over all stops in one clock. */
struct point {
	uint32_t stops;
	uint64_t min, max, sum;
};

static struct {
	struct pmu_stopper s;
	struct batch t;
	struct batch_place place;
	uint64_t before;         /* clocks from the start of the counters to the bracket */
	uint64_t wanted;         /* clocks until the counters stop; 0: never */
	uint64_t clocks, events; /* in the whole bracket */
	uint32_t runs, stops;
	uint32_t beyond; /* stops behind the bracket, or later than CLOCKS */
	struct point at[CLOCKS];
} trace;

static bool start(void *arg)
{
	(void)arg;
	return pmu_stop_begin(&trace.s, trace.wanted);
}

static void stop(void *arg)
{
	(void)arg;
	pmu_stop_end();
}

/* From the reading before the body to `value`. */
static uint64_t since(unsigned slot, uint64_t value)
{
	return (value - batch_read_before(slot)) & pmu_mask(trace.s.group.slots[slot].width);
}

static void keep(void)
{
	uint64_t clock = since(PMU_STOP_CLOCK, trace.s.at[PMU_STOP_CLOCK]);
	uint64_t events = since(PMU_STOP_EVENT, trace.s.at[PMU_STOP_EVENT]);
	struct point *p = &trace.at[clock < CLOCKS ? clock : 0];

	trace.stops++;
	if (clock >= CLOCKS || clock > trace.clocks) {
		trace.beyond++;
		return;
	}
	p->min = p->stops && p->min < events ? p->min : events;
	p->max = p->max > events ? p->max : events;
	p->sum += events;
	p->stops++;
}

/*
 * How many clocks after its start the counter came to the bracket. That differs from run to run at
 * CPL 0. A counter that stopped on the way says only that it was longer.
 */
static void learn_before(void)
{
	const struct pmu_slot *slot = &trace.s.group.slots[PMU_STOP_CLOCK];
	bool early = trace.s.stopped && !since(PMU_STOP_CLOCK, trace.s.at[PMU_STOP_CLOCK]);

	if (early)
		trace.before++;
	else
		trace.before = (batch_read_before(PMU_STOP_CLOCK) - slot->from) &
		               ((1ull << slot->width) - 1);
}

/* One run that stops so many clocks behind the reading before the body; 0: one that does not. */
static const char *stop_at(uint64_t clock)
{
	static const struct batch_hooks hooks = { .start = start, .stop = stop };
	const char *why;

	trace.wanted = clock ? trace.before + clock : 0;
	why = batch_once(&trace.t, &hooks);
	trace.runs++;
	if (why)
		return why;
	learn_before();
	if (trace.s.stopped)
		keep();
	return NULL;
}

static const char *follow(const struct bench_run *run, uint32_t copies, uint32_t rounds)
{
	uint32_t repeats = run->args->runs ? run->args->runs : REPEATS;
	const char *why = batch_build(&trace.t, copies, rounds, &trace.place);

	for (unsigned i = 0; !why && i < WARM_UPS; i++)
		why = stop_at(0);
	if (why)
		return why;
	trace.clocks = since(PMU_STOP_CLOCK, batch_read_after(PMU_STOP_CLOCK));
	trace.events = since(PMU_STOP_EVENT, batch_read_after(PMU_STOP_EVENT));
	for (uint32_t r = 0; r < repeats; r++)
		for (uint64_t k = 1; !why && k <= trace.clocks && k < CLOCKS; k++)
			why = stop_at(k);
	return why;
}

static void log_who(const struct bench *b)
{
	log_str("bench", b->name);
	log_str("event", trace.s.group.slots[PMU_STOP_EVENT].key);
}

static void log_summary(const struct bench *b, uint32_t copies, uint32_t rounds)
{
	log_begin("tracing");
	log_who(b);
	log_dec("cpl", trace.s.cpl);
	log_str("delivery", trace.s.nmi ? "nmi" : "vector");
	log_bool("freeze", trace.s.freeze);
	log_dec("copies", copies);
	log_dec("loop", rounds);
	log_hex("at", (uintptr_t)trace.place.start);
	log_dec("clocks", trace.clocks);
	log_dec("events", trace.events);
	if (pmu_counts_interrupts(trace.s.group.slots[PMU_STOP_EVENT].key))
		log_bool("interrupts", true);
	log_dec("runs", trace.runs);
	log_dec("stops", trace.stops);
	log_dec("beyond", trace.beyond);
	log_end();
}

static bool same(const struct point *a, const struct point *b)
{
	return a->min == b->min && a->max == b->max && a->sum * b->stops == b->sum * a->stops;
}

/* A record for each clock in which something is new. */
static void log_points(const struct bench *b)
{
	const struct point *last = NULL;
	unsigned lines = 0, rest = 0;

	for (unsigned k = 0; k < CLOCKS; k++) {
		const struct point *p = &trace.at[k];

		if (!p->stops || (last && same(p, last)))
			continue;
		last = p;
		if (lines++ >= LINES) {
			rest++;
			continue;
		}
		log_begin("trace");
		log_who(b);
		log_dec("clock", k);
		log_dec("stops", p->stops);
		log_dec("min", p->min);
		log_milli("mean", (int64_t)(p->sum * 1000 / p->stops));
		log_dec("max", p->max);
		log_end();
	}
	if (!rest)
		return;
	log_begin("trace");
	log_who(b);
	log_dec("rest", rest);
	log_end();
}

/* Copies of the body: as many as unroll= says, else one. */
static const char *trace_event(const struct bench_run *run, const struct bench *b,
                               const char *event)
{
	uint32_t copies = run->args->unroll ? run->args->unroll : 1;
	uint32_t rounds = run->args->loop ? run->args->loop : 1;
	const char *why;

	memset(&trace, 0, sizeof(trace));
	trace.s = (struct pmu_stopper){ .event = event, .cpl = batch_cpl(run, b) };
	trace.t = (struct batch){ .run = run, .b = b, .group = &trace.s.group };
	why = pmu_stop_open(&trace.s);
	if (why) {
		log_error("trace", event, why);
		return NULL;
	}
	why = follow(run, copies, rounds);
	pmu_stop_close(&trace.s);
	if (why)
		return why;
	log_summary(b, copies, rounds);
	log_points(b);
	if (trace.stops == trace.beyond)
		log_warn("trace", b->name, "no stop fell into the body: give it unroll= or loop=");
	return NULL;
}

const char *trace_bench(const struct bench_run *run, const struct bench *b)
{
	const char *list = run->args->trace, *why = NULL;

	while (!why && *list) {
		char event[REQUEST];
		size_t n = pmu_request_length(list);

		if (n && n < sizeof(event)) {
			memcpy(event, list, n);
			event[n] = 0;
			why = trace_event(run, b, event);
		} else if (n) {
			log_error("trace", list, "longer than any event");
		}
		list += n + (list[n] == ',');
	}
	return why;
}
