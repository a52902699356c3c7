/*
 * The counters, proven again (bench/result/proof.h).
 */
#include "bench/result/proof.h"
#include "bench/result/check.h"
#include "bench/engine/engine.h"
#include "bench/engine/guest.h"
#include "bench/engine/platform.h"
#include "bench/snippet_load.h"
#include "kernel/cpu/confirmed.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	RUNS = 4,
	LOOP = 50, /* long chains: what the bracket is off by must not count */
	ADD_LOOP = 200,
	REFERENCE_RUNS = 1,
	REFERENCE_LOOP = 1700,      /* 64 copies: 326,400 core clocks */
	REFERENCE_GUEST_LOOP = 375, /* without the host between */
	TRIES = 3,                  /* the clock may change between the two chains */
	ADD_TOLERANCE = 1000,       /* a thousandth of what is expected */
	RATIO_TOLERANCE = 50,       /* the time stamp counter may advance in steps */
	REFERENCE_TOLERANCE = 1000,
	REFERENCE_GUEST_TOLERANCE = 200, /* and of a result */
	GUEST_RUNS = 16,                 /* under a hypervisor, of which so many ... */
	GUEST_ALIKE = 4,       /* ... must be undisturbed; else the chain gets shorter ... */
	GUEST_LOOP = 24,       /* ... but not shorter than this */
	ADD_SLACK = 12,        /* clocks: a thousandth of the long chain */
	REFERENCE_SLACK = 320, /* ticks: four steps of 80 */
	BUDGET = 200,          /* a proof costs at most so small a part of what is measured */
	MILLION = 1000000,
	SHARE = 8,      /* a busy thread beside it costs a chain of ADDs at most an eighth */
	CORE_SLACK = 8, /* clocks of a result: RDTSC and RDPMC do not wait alike */
	SUSPECTS = 4,   /* results of one benchmark */
	EXIT_SHARE = 2, /* of an exit, at least: a counter that has it counts the host's work */
};

static const char OFF[] = "off", SHARED[] = "shared", HOST[] = "host";

extern const struct snippet_blob __start_snippets[], __stop_snippets[];

/* Of what is proven at the start and again: what the start said. */
static struct {
	bool core, reference; /* agreed */
	uint64_t imul;        /* clocks of a multiplication, in millionths */
	bool busy;            /* another thread of the core was */
} start;

/* What proofs have cost since the start of the run, in ticks. */
static struct {
	uint64_t began, checks, ticks;
	uint64_t telling; /* of the records of proofs, which are not in `ticks` */
	uint32_t count;
} spent;

/* What chains have told of clocks, to hold results against. */
enum { CORE, REFERENCE, RATES };
static struct rate {
	const char *event;
	const char *key; /* as the plan has it; NULL: it has not */
	uint64_t clocks; /* in a million ticks; 0: not known, or no clocks */
	uint64_t tolerance;
	uint32_t slack;
} rates[RATES] = {
	[CORE] = { .event = "cycles", .tolerance = RATIO_TOLERANCE, .slack = CORE_SLACK },
	[REFERENCE] = { .event = "ref-cycles",
	                .tolerance = REFERENCE_GUEST_TOLERANCE,
	                .slack = REFERENCE_SLACK },
};

/* Results of a benchmark whose clocks do not fit. */
static struct suspect {
	struct rate *rate;
	uint64_t clocks; /* of the rate, then */
	int64_t expected;
	struct stats_diff got;
} suspects[SUSPECTS];
static unsigned nsuspects;
static const struct bench *suspected;

/* A chain of dependent instructions and its quantities per operation, in millionths. */
struct chain {
	const char *name;
	uint64_t tolerance; /* one in so many of what is expected */
	uint32_t slack;     /* clocks of the whole chain that it may be off in a guest ... */
	bool everywhere;    /* ... and elsewhere as well */
	uint32_t loop, runs;
	struct proof_chain is;
	uint64_t ops;   /* in the chain that was measured */
	uint32_t alike; /* samples that nothing came between */
};

static bool find(const char *name, struct bench *b)
{
	for (const struct snippet_blob *s = __start_snippets; s < __stop_snippets; s++)
		if (!snippet_load(b, s, (const void *)0, (const void *)~(uintptr_t)0) &&
		    !strcmp(b->name, name))
			return true;
	return false;
}

/* Where a request is counted: with others, if the plan has it so, because they must not disturb. */
struct place {
	const struct pmu_group *group;
	unsigned slot;
	const char *key;
	bool planned; /* results have it */
};

/* Chains run at the level of the run, where the CPU has a way there and back. */
static unsigned level(const struct bench_run *run)
{
	return platform_ring3().cs ? run->args->cpl : 0;
}

static bool find_place(const struct bench_run *run, const char *request, struct place *p)
{
	static struct pmu_group single;

	if (!pmu_single(&single, request, level(run)))
		return false;
	*p = (struct place){ &single, 0, single.slots[0].key, false };
	for (unsigned g = 0; g < run->plan.ngroups; g++)
		for (unsigned i = 0; i < run->plan.groups[g].n; i++)
			if (!strcmp(run->plan.groups[g].slots[i].key, p->key)) {
				p->group = &run->plan.groups[g];
				p->slot = i;
				p->planned = true;
				return true;
			}
	return true;
}

static bool measure_once(const struct bench_run *run, const struct place *p, struct chain *c,
                         uint32_t loop)
{
	static struct engine_result r;
	static struct bench b;
	const bool guest = cpu_is_guest(run->cpu);
	struct args args = { .runs = guest ? GUEST_RUNS : c->runs,
		             .warmup = c->runs / 2,
		             .warmup_set = true,
		             .loop = loop,
		             .cpl = level(run) };
	struct bench_run mine = *run;

	mine.args = &args;
	mine.undisturbed = guest;
	if (!find(c->name, &b) || engine_measure(&mine, &b, p->group, &r) || r.q[0].med <= 0)
		return false;
	c->ops = (uint64_t)b.ops * r.copies * r.loop;
	c->alike = r.runs;
	if (!c->ops)
		return false;
	c->is.ticks = MILLION * (uint64_t)r.q[0].med / c->ops;
	/* Less than in the empty bracket: of other events that may be, and of clocks never. */
	if (r.q[1 + p->slot].med < 0)
		r.q[1 + p->slot].med = 0;
	c->is.clocks = MILLION * (uint64_t)r.q[1 + p->slot].med / c->ops;
	return true;
}

/* Did the host of a guest come between so often that ticks say nothing about clocks? */
static bool hidden(const struct bench_run *run, const struct chain *c)
{
	return cpu_is_guest(run->cpu) && c->alike < GUEST_ALIKE;
}

/*
 * The time stamp counter goes on while the host has the CPU, and no counter does. So a guest's
 * chain gets shorter until some samples are without.
 */
static bool measure(const struct bench_run *run, const struct place *p, struct chain *c)
{
	uint32_t loop = c->loop;

	if (!measure_once(run, p, c, loop))
		return false;
	for (loop /= 2; hidden(run, c) && loop >= GUEST_LOOP; loop /= 2)
		if (!measure_once(run, p, c, loop))
			return false;
	return true;
}

/* Is `got` as expected, but for one in so many? */
static bool near(uint64_t got, uint64_t expected, uint64_t tolerance)
{
	uint64_t off = got > expected ? got - expected : expected - got;

	return off * tolerance <= expected;
}

static bool agrees(const struct bench_run *run, const struct chain *c)
{
	uint64_t tolerance = c->tolerance, slack = (uint64_t)c->slack * MILLION;

	/*
	 * A short chain: readings are off by as much as those of a long one. Of core clocks only a
	 * guest has short chains. Ticks of a chain are few where the core is faster than the TSC.
	 */
	if ((cpu_is_guest(run->cpu) || c->everywhere) && slack &&
	    slack * tolerance > c->is.expected * c->ops)
		tolerance = c->is.expected * c->ops / slack;
	return near(c->is.clocks, c->is.expected, tolerance);
}

bool proof_shared(const struct proof_chain *add, const struct proof_chain *imul,
                  uint64_t imul_first)
{
	return add->ticks && add->clocks >= add->expected &&
	       add->clocks - add->expected <= add->expected / SHARE &&
	       near(imul->clocks, imul->ticks * add->clocks / add->ticks, RATIO_TOLERANCE) &&
	       (!imul_first || near(imul->clocks, imul_first, RATIO_TOLERANCE));
}

/* Chains and verdicts: an `off` is a failure, a `host` tells of no counter. */
static void tell(const struct bench_run *run, const struct chain *c, unsigned n, const char *key,
                 const char *off)
{
	const uint64_t began = x86_rdtsc();
	bool failed = false;

	for (unsigned i = 0; i < n; i++) {
		log_begin("chain");
		log_str("body", c[i].name);
		log_str("counts", key);
		log_milli("tsc", (int64_t)(c[i].is.ticks / 1000));
		log_milli("expected", (int64_t)(c[i].is.expected / 1000));
		log_milli("got", (int64_t)(c[i].is.clocks / 1000));
		if (cpu_is_guest(run->cpu))
			log_dec("alike", c[i].alike);
		log_str("verdict", agrees(run, &c[i]) ? "agrees" : off);
		log_end();
		failed |= !agrees(run, &c[i]);
	}
	spent.telling += x86_rdtsc() - began;
	if (failed && off == OFF)
		check_failed(run, key, "what it counts are no clocks");
	else if (failed && off == HOST)
		log_warn("check", key, "the host comes between too often to compare it with ticks");
}

/* Another thread of the core, or another guest of the host, may take clocks from the ADDs. */
static bool is_shared(const struct bench_run *run, const struct chain *c, bool first)
{
	bool others = first ? start.busy : run->cpu->threads_per_core > 1;

	return (cpu_is_guest(run->cpu) || others) &&
	       proof_shared(&c[0].is, &c[1].is, first ? 0 : start.imul);
}

/* Clocks in so many ticks of a chain; 0 clocks: it does not agree. */
static void set_rate(struct rate *rate, const struct place *p, uint64_t clocks, uint64_t ticks)
{
	rate->key = p->planned ? p->group->slots[p->slot].key : NULL;
	rate->clocks = ticks ? MILLION * clocks / ticks : 0;
}

/* Since the last proof of counters. */
static bool unwatched; /* figures whose samples no count of instructions has proven */
static bool taken;     /* all counters of a guest were away for a while */
static bool lost;      /* they did not come back, or not as they were */

void proof_unwatched(void)
{
	unwatched = true;
}

static bool still_count(const struct bench_run *run, bool (*proof)(void))
{
	const bool same = proof();

	if (same && pmu_taken()) {
		log_warn("check", "counters",
		         "the hypervisor took them away during a proof, which was made again");
		taken = true;
	}
	if (!same)
		check_failed(run, "counters", "they do not count what they counted at the start");
	return same;
}

/* Before a chain that is off is tried again: a guest's counters may be away just now. */
static void wait_for_counters(const struct bench_run *run)
{
	if (cpu_is_guest(run->cpu))
		lost |= !still_count(run, pmu_prove_again);
}

/* False: what the counter of core clocks counts are none. */
static bool prove_core(const struct bench_run *run, bool first)
{
	struct chain c[] = {
		{ .name = "alu.add_latency",
		  .tolerance = ADD_TOLERANCE,
		  .slack = ADD_SLACK,
		  .loop = ADD_LOOP,
		  .runs = RUNS,
		  .is.expected = MILLION / cpu_adds_per_clock(run->cpu) },
		{ .name = "alu.imul_latency",
		  .tolerance = RATIO_TOLERANCE,
		  .loop = LOOP,
		  .runs = RUNS },
	};
	unsigned left = TRIES;
	const char *off;
	bool good_now;
	struct place p;

	if (!find_place(run, "cycles", &p))
		return true;
	do {
		if (left < TRIES)
			wait_for_counters(run);
		if (!measure(run, &p, &c[0]) || !measure(run, &p, &c[1]) || !c[0].is.ticks)
			return true;
		c[1].is.expected = c[1].is.ticks * c[0].is.expected / c[0].is.ticks;
		good_now = agrees(run, &c[0]) && agrees(run, &c[1]);
		off = hidden(run, &c[0]) || hidden(run, &c[1]) ? HOST
		      : is_shared(run, c, first)               ? SHARED
		                                               : OFF;
	} while (!good_now && off == OFF && --left);
	if (first)
		start.imul = off == HOST ? 0 : c[1].is.clocks;
	set_rate(&rates[CORE], &p, good_now ? c[1].is.clocks : 0, c[1].is.ticks);
	if (first || (start.core && !good_now && off != HOST))
		tell(run, c, 2, p.key, off);
	return good_now || off != OFF;
}

/* The same of clocks at the TSC's rate. They may advance a hundred at a time. */
static bool prove_reference(const struct bench_run *run, bool first)
{
	const bool guest = cpu_is_guest(run->cpu);
	struct chain c = { .name = "alu.imul_latency",
		           .tolerance = guest ? REFERENCE_GUEST_TOLERANCE : REFERENCE_TOLERANCE,
		           .slack = REFERENCE_SLACK,
		           .everywhere = true,
		           .loop = guest ? REFERENCE_GUEST_LOOP : REFERENCE_LOOP,
		           .runs = REFERENCE_RUNS };
	unsigned left = TRIES;
	struct place p;
	bool good_now, is_hidden;

	if (!find_place(run, "ref-cycles", &p))
		return true;
	do {
		if (left < TRIES)
			wait_for_counters(run);
		if (!measure(run, &p, &c))
			return true;
		c.is.expected = c.is.ticks;
		good_now = agrees(run, &c);
		is_hidden = hidden(run, &c);
	} while (!good_now && !is_hidden && --left);
	set_rate(&rates[REFERENCE], &p, good_now, 1);
	if (first || (start.reference && !good_now && !is_hidden))
		tell(run, &c, 1, p.key, is_hidden ? HOST : OFF);
	return good_now || is_hidden;
}

enum moment { FIRST, BETWEEN, LAST };

/* These tell whether all is as it was at the first moment. */
static bool counters(const struct bench_run *run, enum moment when)
{
	bool same = still_count(run, when == LAST ? pmu_prove_end : pmu_prove_again);

	same &= !lost && (!taken || !unwatched);
	lost = taken = unwatched = false;
	return same;
}

static bool core(const struct bench_run *run, enum moment when)
{
	bool is = prove_core(run, when == FIRST);

	if (when == FIRST)
		start.core = is;
	return is || !start.core;
}

static bool reference(const struct bench_run *run, enum moment when)
{
	bool is = prove_reference(run, when == FIRST);

	if (when == FIRST)
		start.reference = is;
	return is || !start.reference;
}

/* The proofs that are made again, each when it costs little beside what was measured meanwhile. */
static struct part {
	bool (*prove)(const struct bench_run *run, enum moment when);
	uint32_t good;      /* the first record that no proof has taken back or confirmed */
	bool failed;        /* the last proof: what comes behind it cannot be confirmed */
	uint64_t cost, end; /* of the last proof, in ticks and as the TSC was */
} parts[] = {
	{ .prove = counters },
	[1 + CORE] = { .prove = core },
	[1 + REFERENCE] = { .prove = reference },
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static void prove(const struct bench_run *run, struct part *p, enum moment when)
{
	uint32_t end = log_records();
	uint64_t began = x86_rdtsc();
	bool same;

	spent.telling = 0;
	same = p->prove(run, when);
	if ((!same || p->failed) && when != FIRST && end > p->good) {
		log_begin("withdrawn");
		log_dec("from", p->good);
		log_dec("to", end - 1);
		log_end();
	}
	p->failed = !same && when != FIRST;
	p->good = log_records();
	p->end = x86_rdtsc();
	p->cost = p->end - began;
	spent.ticks += p->cost - spent.telling;
	spent.count++;
}

/*
 * Does the counter of core clocks go on while the hypervisor emulates an instruction of the guest?
 * VMware's vpmc.freezeMode=hybrid has it so (KB 2030221), and then all events but instructions and
 * branches count the hypervisor's own work.
 */
static void judge_host_work(const struct bench_run *run)
{
	const uint64_t rate = rates[CORE].clocks ? rates[CORE].clocks : MILLION / 2;
	const uint64_t began = x86_rdtsc();
	struct chain c = { .name = "serialize.cpuid", .runs = RUNS };
	struct place p;

	if (!cpu_has_host(run->cpu) || !find_place(run, "cycles", &p) ||
	    !measure_once(run, &p, &c, 1))
		return;
	spent.ticks += x86_rdtsc() - began;
	if (c.is.ticks >= (uint64_t)GUEST_EXIT_TICKS * MILLION &&
	    c.is.clocks * EXIT_SHARE >= c.is.ticks / MILLION * rate)
		log_warn("guest", p.key,
		         "it counts while the hypervisor works for the guest: all events but "
		         "instructions and branches count that work, too. VMware: "
		         "vpmc.freezeMode = \"guest\"");
}

void proof_checks(const struct bench_run *run)
{
	spent.began = x86_rdtsc();
	check_counters(run);
	spent.checks = x86_rdtsc() - spent.began;
	spent.ticks = spent.count = 0;
}

void proof_begin(const struct bench_run *run, bool busy)
{
	start.busy = busy;
	nsuspects = 0;
	rates[CORE].clocks = rates[REFERENCE].clocks = 0;
	for (unsigned i = 0; i < PARTS; i++)
		prove(run, &parts[i], FIRST);
	judge_host_work(run);
	for (unsigned i = 0; i < PARTS; i++)
		parts[i].good = log_records();
	taken = unwatched = false; /* nothing has been measured yet */
}

static bool fits(const struct rate *rate, uint64_t expected, const struct engine_result *r,
                 const struct stats_diff *got)
{
	const struct stats_diff *ticks = &r->q[0];
	uint64_t off = (uint64_t)(got->med > (int64_t)expected ? got->med - (int64_t)expected
	                                                       : (int64_t)expected - got->med);
	uint64_t unsure = (uint64_t)(ticks->high - ticks->low) + r->tsc_error;

	unsure = unsure * rate->clocks / MILLION + (uint64_t)(got->high - got->low) + rate->slack;
	return off <= unsure + expected / rate->tolerance;
}

static void hold(struct rate *rate, const struct pmu_group *group, const struct engine_result *r)
{
	const uint64_t expected = (uint64_t)r->q[0].med * rate->clocks / MILLION;

	for (unsigned i = 0; i < group->n; i++)
		if (!group->slots[i].empty && !strcmp(group->slots[i].key, rate->key) &&
		    !fits(rate, expected, r, &r->q[1 + i]) && nsuspects < SUSPECTS)
			suspects[nsuspects++] = (struct suspect){ rate, rate->clocks,
				                                  (int64_t)expected, r->q[1 + i] };
}

void proof_result(const struct bench_run *run, const struct bench *b, const struct pmu_group *group,
                  const struct engine_result *r)
{
	unwatched |= group && !r->watched;
	if (!group || cpu_is_guest(run->cpu) || r->interrupted || r->exits || r->q[0].med <= 0)
		return;
	/* What a body throws out of the caches delays the reading of counters, not the TSC's. */
	if (r->mode != MODE_RATE)
		return;
	suspected = b;
	for (unsigned i = 0; i < RATES; i++)
		if (rates[i].clocks && rates[i].key)
			hold(&rates[i], group, r);
}

/*
 * A real clock may change for one benchmark alone, and be back before the chain is run: wide
 * vectors and a hot core slow it down. There the counter is not accused, and the first such
 * benchmark is named.
 */
static void accuse(const struct bench_run *run, const struct suspect *s)
{
	static unsigned warned; /* in this run */

	if (confirmed_is_virtual(run->cpu)) {
		check_off(run, suspected, s->rate->event, s->rate->key, s->expected, &s->got);
		check_failed(run, s->rate->key, "clocks of a result are not those of its ticks");
	} else if (warned != run->number + 1) {
		log_warn("clock", suspected->name,
		         "its clocks are not those of its ticks: the core's clock changed while it "
		         "ran, or a counter is wrong; others are not named");
		warned = run->number + 1;
	}
}

/* Of the benchmark just ended. Only where the clock keeps its rate is the counter to blame. */
static void judge_suspects(const struct bench_run *run)
{
	for (unsigned i = 0; i < nsuspects; i++) {
		const struct suspect *s = &suspects[i];

		prove(run, &parts[1 + (s->rate - rates)], BETWEEN);
		if (s->rate->clocks && near(s->rate->clocks, s->clocks, RATIO_TOLERANCE))
			accuse(run, s);
	}
	nsuspects = 0;
}

void proof_after(const struct bench_run *run)
{
	judge_suspects(run);
	for (unsigned i = 0; i < PARTS; i++) {
		uint64_t since = x86_rdtsc() - parts[i].end;

		if (since > BUDGET * parts[i].cost || (run->tsc_hz && since > run->tsc_hz))
			prove(run, &parts[i], BETWEEN);
	}
}

void proof_end(const struct bench_run *run)
{
	for (unsigned i = 0; i < PARTS; i++)
		prove(run, &parts[i], LAST);
	log_begin("proofs");
	log_dec("made", spent.count);
	log_dec("boot", pmu_prove_ticks());
	log_dec("checks", spent.checks);
	log_dec("ticks", spent.ticks);
	log_dec("of", x86_rdtsc() - spent.began);
	log_end();
}
