/*
 * Ports of instructions (bench/ports/ports.h), by the method of A. Abel and J. Reineke, "uops.info:
 * Characterizing Latency, Throughput, and Port Usage of Instructions on Intel Microarchitectures"
 * (2019), section 5.1.
 *
 * A blocking instruction is one uop for a known set of ports. A body of many of them and a few of
 * the instruction asked for keeps all ports of the set busy. A uop that has another port goes
 * there, so what the set took beside the blocking instructions are the uops that have no other.
 * Sets are tried from small to large, and what a subset took is taken off.
 */
#include "bench/ports/ports.h"
#include "bench/engine/batch.h"
#include "bench/engine/engine.h"
#include "kernel/log.h"
#include "kernel/string.h"
#include "kernel/text.h"

enum {
	EVENTS = 9, /* most events that a model has for its ports */
	REQUEST = 64,
	COUNTERS = 8,
	LABEL = 4, /* digits of an event's ports */
	CANDIDATE_BYTES = 18,
	SETS = 16,    /* blocking instructions */
	BODY = 4096,  /* bytes of a body */
	PER_PORT = 8, /* blocking instructions for each port of the set and operation */
	ALONE = 64,   /* of them when one is looked at alone */
	COPIES = 4,   /* of the body in the shorter run, and rounds */
	ROUNDS = 2,
	ALONE_ROUNDS = 20, /* without blocking instructions bodies are short */
	RUNS = 5,
	RUNS_LIMIT = 32,
	WARM_UPS = 1,
	NEARLY = 200, /* thousandths that a whole uop may lack */
	USED = 20,    /* thousandths of a uop: less is noise of the bracket and the loop */
};

/* Registers from R12 and XMM12 on, and MM3 on, are those that the instruction table uses last. */
static const struct {
	uint8_t size, insns;
	uint8_t code[CANDIDATE_BYTES];
} candidates[] = {
	{ 6, 1, { 0x41, 0xbc, 1, 0, 0, 0 } }, /* MOV r12d, 1 */
	{ 4, 1, { 0x4d, 0x6b, 0xe5, 3 } },    /* IMUL r12, r13, 3 */
	{ 4, 1, { 0x4f, 0x8d, 0x24, 0x2e } }, /* LEA r12, [r14+r13] */
	/* SHL r12d, 2; SHL r14d, 2; SHL r15d, 2 */
	{ 12, 3, { 0x41, 0xc1, 0xe4, 2, 0x41, 0xc1, 0xe6, 2, 0x41, 0xc1, 0xe7, 2 } },
	{ 4, 1, { 0x4c, 0x8b, 0x24, 0x24 } },          /* MOV r12, [rsp] */
	{ 6, 1, { 0x66, 0x45, 0x0f, 0x70, 0xee, 0 } }, /* PSHUFD xmm13, xmm14, 0 */
	{ 4, 1, { 0x45, 0x0f, 0x5b, 0xee } },          /* CVTDQ2PS xmm13, xmm14 */
	{ 5, 1, { 0x66, 0x45, 0x0f, 0xd7, 0xe6 } },    /* PMOVMSKB r12d, xmm14 */
	{ 4, 1, { 0x45, 0x0f, 0x53, 0xee } },          /* RCPPS xmm13, xmm14 */
	{ 15,
	  3,
	  { 0x66, 0x45, 0x0f, 0xdb, 0xec, 0x66, 0x45, 0x0f, 0xdb, 0xf4, 0x66, 0x45, 0x0f, 0xdb,
	    0xfc } }, /* PAND xmm13 to xmm15, xmm12 */
	{ 18,
	  3,
	  { 0x66, 0x41, 0x0f, 0x72, 0xf5, 1, 0x66, 0x41, 0x0f, 0x72, 0xf6, 1, 0x66, 0x41, 0x0f,
	    0x72, 0xf7, 1 } }, /* PSLLD xmm13 to xmm15, 1 */
	{ 9, 3, { 0x0f, 0xdb, 0xdf, 0x0f, 0xdb, 0xe7, 0x0f, 0xdb, 0xef } }, /* PAND mm3.., mm7 */
	{ 4, 1, { 0x0f, 0x70, 0xdf, 0 } },                                  /* PSHUFW mm3, mm7, 0 */
	{ 5, 1, { 0x4c, 0x89, 0x64, 0x24, 0x40 } }, /* MOV [rsp+64], r12: address and data */
};

enum { STORE = sizeof(candidates) / sizeof(candidates[0]) - 1 };

/* Bit n of a set: what event n counts. */
struct blocker {
	uint16_t set;
	uint8_t candidate;
};

static struct {
	unsigned cpl;
	struct pmu_group group; /* of the events that count at a time */
	unsigned next;          /* counter */
	unsigned events;
	char event[EVENTS][REQUEST], label[EVENTS][LABEL + 1];
	struct blocker blocker[SETS];
	unsigned blockers;
	bool intact; /* nobody else changed the counters */
	uint8_t body[BODY];
} ports;

/* ---- Events ---- */

/* Adds the event to the group, on a counter behind those that have one. False: none is left. */
static bool add_event(const char *name)
{
	static struct pmu_group one;
	char request[REQUEST + 8];
	size_t n = strlen(name);

	memcpy(request, name, n);
	memcpy(request + n, ":ctr=0", 7);
	for (; ports.next < COUNTERS; ports.next++) {
		request[n + 5] = (char)('0' + ports.next);
		if (!pmu_single(&one, request, ports.cpl))
			continue;
		ports.next++;
		ports.group.debugctl = one.debugctl;
		ports.group.slots[ports.group.n++] = one.slots[0];
		return true;
	}
	return false;
}

static void no_event(void)
{
	ports.group.n = 0;
	ports.next = 0;
}

/* "PORT_2_3_10" counts ports 2, 3 and a; "PORT2_CORE" port 2. */
static void set_label(char *label, const char *suffix)
{
	for (unsigned n = 0; *suffix >= '0' && *suffix <= '9' && n < LABEL; suffix++) {
		char digit = *suffix;

		if (digit == '1' && suffix[1] >= '0' && suffix[1] <= '9')
			digit = (char)('a' + *++suffix - '0');
		label[n++] = digit;
		suffix += suffix[1] == '_';
	}
}

/* Each model has the events of one of these names. */
static void find_events(void)
{
	static const char prefixes[] = "UOPS_DISPATCHED_PORT.PORT_\0UOPS_DISPATCHED.PORT_\0"
				       "UOPS_EXECUTED_PORT.PORT_\0UOPS_EXECUTED.PORT\0"
				       "RS_UOPS_DISPATCHED_CYCLES.PORT_\0";
	static const char suffixes[] = "0\0"
				       "1\0"
				       "2\0"
				       "2_CORE\0"
				       "2_3\0"
				       "2_3_10\0"
				       "3\0"
				       "3_CORE\0"
				       "4\0"
				       "4_CORE\0"
				       "4_9\0"
				       "5\0"
				       "5_11\0"
				       "6\0"
				       "7\0"
				       "7_8\0";

	for (const char *p = prefixes; *p && !ports.events; p += strlen(p) + 1)
		for (const char *s = suffixes; *s && ports.events < EVENTS; s += strlen(s) + 1) {
			char *name = ports.event[ports.events];
			size_t n = strlen(p);

			memcpy(name, p, n);
			memcpy(name + n, s, strlen(s) + 1);
			no_event();
			if (!add_event(name))
				continue;
			/* Sandy Bridge has "2" and "2_CORE", which is of both threads */
			set_label(ports.label[ports.events], s);
			if (!ports.events ||
			    strcmp(ports.label[ports.events - 1], ports.label[ports.events]))
				ports.events++;
		}
}

/* ---- Measuring ---- */

static unsigned bits(unsigned set)
{
	unsigned n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

static bool start(void *arg)
{
	(void)arg;
	return pmu_start(&ports.group);
}

static void stop(void *arg)
{
	(void)arg;
	ports.intact &= pmu_intact();
	pmu_stop();
}

/* What each event of the group counts around so many copies: the median of a few runs. */
static const char *count(struct batch *t, uint32_t copies, uint32_t rounds,
                         uint64_t counts[PMU_SLOTS])
{
	static uint64_t samples[PMU_SLOTS][RUNS_LIMIT];
	const struct batch_hooks hooks = { start, stop, NULL };
	unsigned asked = t->run->args->runs, most = RUNS_LIMIT - WARM_UPS;
	unsigned runs = asked > most ? most : asked ? asked : RUNS;
	struct batch_place place;
	const char *why;

	ports.intact = true;
	why = batch_build(t, copies, rounds, &place);
	for (unsigned i = 0; !why && i < WARM_UPS + runs; i++) {
		why = batch_once(t, &hooks);
		for (unsigned n = 0; n < ports.group.n; n++)
			samples[n][i] = (batch_read_after(n) - batch_read_before(n)) &
			                (~0ull >> (64 - ports.group.slots[n].width));
	}
	for (unsigned n = 0; n < ports.group.n; n++)
		counts[n] = stats_of(samples[n] + WARM_UPS, runs).med;
	if (!why && !ports.intact)
		why = "somebody else changed the counters, as a warn record before this says";
	return why;
}

/*
 * Thousandths of uops of one body that each event of the set counts. As many events as there are
 * counters count in the same run: their sum does not depend on how the uops are spread.
 */
static const char *measure(const struct bench_run *run, const struct bench *b, unsigned set,
                           uint32_t rounds, int64_t milli[EVENTS])
{
	struct batch t = { .run = run, .b = b, .group = &ports.group };
	uint64_t few[PMU_SLOTS], many[PMU_SLOTS];
	const char *why = NULL;

	while (!why && set) {
		unsigned done = 0, slot = 0;

		no_event();
		for (unsigned i = 0; i < ports.events; i++)
			if (set >> i & 1 && add_event(ports.event[i]))
				done |= 1u << i;
		why = done ? count(&t, COPIES, rounds, few)
		           : "the counters could not be programmed";
		if (!why)
			why = count(&t, 2 * COPIES, rounds, many);
		for (unsigned i = 0; !why && i < ports.events; i++) {
			if (!(done >> i & 1))
				continue;
			milli[i] = stats_milli((int64_t)(many[slot] - few[slot]),
			                       (uint64_t)COPIES * rounds);
			slot++;
		}
		set &= ~done;
	}
	return why;
}

static int64_t sum(const int64_t milli[EVENTS], unsigned set)
{
	int64_t all = 0;

	for (unsigned i = 0; i < ports.events; i++)
		all += set >> i & 1 ? milli[i] : 0;
	return all;
}

static unsigned every_event(void)
{
	return (1u << ports.events) - 1;
}

/* Which events count enough of `uops` to be no noise. */
static unsigned used(const int64_t milli[EVENTS], int64_t least)
{
	unsigned set = 0;

	for (unsigned i = 0; i < ports.events; i++)
		set |= (unsigned)(milli[i] > least) << i;
	return set;
}

/* Fills the body with at least n blocking instructions, and returns how many. */
static unsigned fill(struct bench *b, unsigned candidate, unsigned n, size_t room)
{
	unsigned insns = 0;
	size_t size = candidates[candidate].size;

	b->body = ports.body;
	b->body_size = 0;
	while (insns < n && b->body_size + size <= room) {
		memcpy(ports.body + b->body_size, candidates[candidate].code, size);
		b->body_size += size;
		insns += candidates[candidate].insns;
	}
	return insns;
}

/* ---- Blocking instructions ---- */

/* "p06" */
static void put_set(struct text *t, unsigned set)
{
	text_char(t, 'p');
	for (unsigned i = 0; i < ports.events; i++)
		if (set >> i & 1)
			text_str(t, ports.label[i]);
}

static void add_blocker(unsigned set, unsigned candidate)
{
	char name[2 + EVENTS * LABEL];
	char code[2 * CANDIDATE_BYTES + 1];
	struct text t = text_in(name, sizeof(name)), bytes = text_in(code, sizeof(code));

	for (unsigned i = 0; i < ports.blockers; i++)
		if (ports.blocker[i].set == set)
			return;
	if (!set || ports.blockers == SETS)
		return;
	ports.blocker[ports.blockers++] = (struct blocker){ (uint16_t)set, (uint8_t)candidate };
	put_set(&t, set);
	for (unsigned i = 0; i < candidates[candidate].size; i++)
		text_hex(&bytes, candidates[candidate].code[i], 2);
	log_begin("blocker");
	log_str("ports", name);
	log_str("code", code);
	log_end();
}

/* The event of the ports that take the data of a store. */
static unsigned data_set(void)
{
	unsigned set = 0;

	for (unsigned i = 0; i < ports.events; i++)
		set |= (unsigned)(ports.label[i][0] == '4') << i;
	return set;
}

static const char *learn(const struct bench_run *run, unsigned candidate)
{
	struct bench b = { .name = "blocker", .needs = "" };
	unsigned n = fill(&b, candidate, ALONE, BODY), set, data = data_set();
	int64_t milli[EVENTS] = { 0 }, off;
	const char *why = measure(run, &b, every_event(), ROUNDS, milli);

	if (why)
		return why;
	set = used(milli, n * (int64_t)USED);
	off = sum(milli, set) - (int64_t)n * (candidate == STORE ? 2000 : 1000);
	if ((off < 0 ? -off : off) > n * (int64_t)USED)
		return NULL;
	if (candidate == STORE)
		add_blocker(set & data, candidate);
	add_blocker(candidate == STORE ? set & ~data : set, candidate);
	return NULL;
}

bool ports_init(const struct bench_run *run)
{
	static const struct bench any = { .name = "blocker", .needs = "" };
	const char *why = NULL;

	ports.cpl = engine_cpl(run, &any);
	find_events();
	if (!ports.events)
		why = "no event of this CPU counts uops by port";
	for (unsigned i = 0; !why && i <= STORE; i++)
		why = learn(run, i);
	if (!why && !ports.blockers)
		why = "no instruction keeps to a set of ports";
	if (why)
		log_error("ports", run->cpu->brand, why);
	return !why;
}

/* ---- The instruction asked for ---- */

struct found {
	unsigned uops[SETS]; /* by blocking instruction */
	unsigned all;
};

/* What of the sets inside of this one has been found. */
static unsigned inside(const struct found *f, unsigned set)
{
	unsigned uops = 0;

	for (unsigned i = 0; i < ports.blockers; i++)
		if (!(ports.blocker[i].set & ~set))
			uops += f->uops[i];
	return uops;
}

/* Thousandths of uops to the nearest whole, of each of ops operations. */
static unsigned whole(int64_t milli, uint32_t ops)
{
	return milli < 0 ? 0 : (unsigned)((milli + 500 * (int64_t)ops) / (1000 * (int64_t)ops));
}

/* The uops that have no port but those of blocking instruction i. */
static const char *attribute(const struct bench_run *run, const struct bench *b, unsigned i,
                             struct found *f)
{
	const struct blocker *with = &ports.blocker[i];
	struct bench both = *b;
	unsigned wanted = PER_PORT * bits(with->set) * b->ops;
	unsigned n = fill(&both, with->candidate, wanted, BODY - b->body_size), uops;
	int64_t milli[EVENTS] = { 0 };
	const char *why;

	if (n < wanted)
		return "ports= cannot keep ports busy beside so many operations";
	memcpy(ports.body + both.body_size, b->body, b->body_size);
	both.body_size += b->body_size;
	why = measure(run, &both, with->set, ROUNDS, milli);
	if (why)
		return why;
	uops = whole(sum(milli, with->set) - (int64_t)n * 1000, b->ops);
	if (uops > inside(f, with->set)) {
		f->uops[i] = uops - inside(f, with->set);
		f->all += f->uops[i];
	}
	return NULL;
}

/*
 * A uop that has no other ports than those of the set took one of them alone, too. So without a
 * whole uop more than its subsets took there is nothing to look for.
 */
static bool may_have_more(const struct bench *b, unsigned i, const int64_t alone[EVENTS],
                          const struct found *f)
{
	unsigned set = ports.blocker[i].set;

	return sum(alone, set) + NEARLY * (int64_t)b->ops >=
	       1000 * (int64_t)b->ops * (inside(f, set) + 1);
}

/* "1*p06+2*p23"; without uops "0". */
static void log_found(const struct bench *b, const struct found *f, unsigned uops)
{
	char line[256];
	struct text t = text_in(line, sizeof(line));

	for (unsigned i = 0; i < ports.blockers; i++) {
		if (!f->uops[i])
			continue;
		if (t.n)
			text_char(&t, '+');
		text_dec(&t, f->uops[i]);
		text_char(&t, '*');
		put_set(&t, ports.blocker[i].set);
	}
	if (!t.n)
		text_char(&t, '0');
	log_begin("ports");
	log_str("bench", b->name);
	if (b->form)
		log_str("form", b->form);
	log_dec("uops", uops);
	log_str("ports", line);
	if (uops > f->all)
		log_dec("left", uops - f->all);
	log_end();
}

/* b with the first operation alone, if it is known where that ends; else b. */
static struct bench first_of(const struct bench *b)
{
	struct bench one = *b;

	if (b->op_bytes) {
		one.body_size = b->op_bytes;
		one.ops = one.insns = 1;
	}
	return one;
}

const char *ports_bench(const struct bench_run *run, const struct bench *whole_body)
{
	const struct bench one = first_of(whole_body), *b = &one;
	struct found f = { 0 };
	int64_t milli[EVENTS] = { 0 };
	const char *why;
	unsigned uops, set;

	if (!b->ops)
		return "ports= needs a benchmark that says how many operations it has";
	if (b->body_size > BODY / 2)
		return "ports= takes bodies of at most 2048 bytes";
	ports.cpl = engine_cpl(run, b);
	why = measure(run, b, every_event(), ALONE_ROUNDS, milli);
	set = used(milli, b->ops * (int64_t)USED);
	uops = whole(sum(milli, set), b->ops);
	for (unsigned size = 1; size <= ports.events; size++)
		for (unsigned i = 0; !why && i < ports.blockers && f.all < uops; i++)
			if (bits(ports.blocker[i].set) == size && may_have_more(b, i, milli, &f))
				why = attribute(run, b, i, &f);
	if (why)
		return why;
	log_found(b, &f, uops);
	return NULL;
}
