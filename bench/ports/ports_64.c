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
#include "bench/ports/internal.h"
#include "bench/engine/engine.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	LABEL = 4,    /* digits of an event's ports */
	SETS = 16,    /* blocking instructions */
	PER_PORT = 8, /* blocking instructions for each port of the set and operation */
	ALONE = 64,   /* of them when one is looked at alone */
	COPIES = 4,   /* of the body in the shorter run, and rounds */
	ROUNDS = 2,
	ALONE_ROUNDS = 20, /* without blocking instructions bodies are short */
	NEARLY = 200,      /* thousandths that a whole uop may lack */
	USED = 20,         /* thousandths of a uop: less is noise of the bracket and the loop */
};
/* Bit n of a set: what event n counts. */
struct blocker {
	uint16_t set;
	uint8_t candidate;
};

static struct {
	char label[PORTS_EVENTS][LABEL + 1];
	struct blocker blocker[SETS];
	unsigned blockers;
	bool by_time;
} ports;

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

	for (const char *p = prefixes; *p && !ports_events; p += strlen(p) + 1)
		for (const char *s = suffixes; *s && ports_events < PORTS_EVENTS;
		     s += strlen(s) + 1) {
			if (!ports_name(ports_events, p, s) || !ports_add(ports_events))
				continue;
			/* Sandy Bridge has "2" and "2_CORE", which is of both threads */
			set_label(ports.label[ports_events], s);
			if (!ports_events ||
			    strcmp(ports.label[ports_events - 1], ports.label[ports_events]))
				ports_events++;
		}
}

static unsigned bits(unsigned set)
{
	unsigned n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}
static int64_t sum(const int64_t milli[PORTS_EVENTS], unsigned set)
{
	int64_t all = 0;

	for (unsigned i = 0; i < ports_events; i++)
		all += set >> i & 1 ? milli[i] : 0;
	return all;
}

static unsigned every_event(void)
{
	return (1u << ports_events) - 1;
}

/* Which events count enough of `uops` to be no noise. */
static unsigned used(const int64_t milli[PORTS_EVENTS], int64_t least)
{
	unsigned set = 0;

	for (unsigned i = 0; i < ports_events; i++)
		set |= (unsigned)(milli[i] > least) << i;
	return set;
}
/* ---- Blocking instructions ---- */

/* "p06" */
static void put_set(struct text *t, unsigned set)
{
	text_char(t, 'p');
	for (unsigned i = 0; i < ports_events; i++)
		if (set >> i & 1)
			text_str(t, ports.label[i]);
}

static void log_blocker(const struct blocker *b)
{
	char name[2 + PORTS_EVENTS * LABEL];
	struct text t = text_in(name, sizeof(name));

	put_set(&t, b->set);
	log_begin("blocker");
	log_str("ports", name);
	log_str("code", ports_code_of(b->candidate));
	log_end();
}

static void add_blocker(unsigned set, unsigned candidate)
{
	for (unsigned i = 0; i < ports.blockers; i++)
		if (ports.blocker[i].set == set)
			return;
	if (!set || ports.blockers == SETS)
		return;
	ports.blocker[ports.blockers++] = (struct blocker){ (uint16_t)set, (uint8_t)candidate };
}

/* The event of the ports that take the data of a store. */
static unsigned data_set(void)
{
	unsigned set = 0;

	for (unsigned i = 0; i < ports_events; i++)
		set |= (unsigned)(ports.label[i][0] == '4') << i;
	return set;
}

/* What ports the candidate uses. Adds to *moved the events that counted. */
static const char *learn(const struct bench_run *run, unsigned candidate, unsigned *moved)
{
	struct bench b = { .name = "blocker", .needs = "" };
	unsigned n, set, data = data_set();
	int64_t milli[PORTS_EVENTS] = { 0 }, off;
	const char *why;

	ports_open(&b);
	n = ports_fill(&b, candidate, ALONE, PORTS_BODY);
	why = ports_measure(run, &b, every_event(), COPIES, 2 * COPIES, ROUNDS, milli);

	if (why)
		return why;
	set = used(milli, n * (int64_t)USED);
	*moved |= set;
	off = sum(milli, set) - (int64_t)n * (candidate == PORTS_STORE ? 2000 : 1000);
	if ((off < 0 ? -off : off) > n * (int64_t)USED)
		return NULL;
	if (candidate == PORTS_STORE)
		add_blocker(set & data, candidate);
	add_blocker(candidate == PORTS_STORE ? set & ~data : set, candidate);
	return NULL;
}

/* False: a hypervisor holds events back. Ports by the others would be wrong. */
static bool all_count(const struct bench_run *run, unsigned moved)
{
	char name[2 + PORTS_EVENTS * LABEL];
	struct text t = text_in(name, sizeof(name));

	if (!cpu_has_host(run->cpu) || moved == every_event())
		return true;
	put_set(&t, every_event() & ~moved);
	log_warn("ports", name,
	         "the hypervisor may hold back the events of these ports: nothing makes them "
	         "count, so ports= goes by time");
	return false;
}

/* What blocks which ports, by events. *usable: they all count. */
static const char *learn_all(const struct bench_run *run, bool *usable)
{
	const char *why = NULL;
	unsigned moved = 0;

	ports.blockers = 0;
	for (unsigned i = 0; !why && i <= PORTS_STORE; i++)
		why = learn(run, i, &moved);
	*usable = why || all_count(run, moved);
	if (why || !*usable)
		return why;
	for (unsigned i = 0; i < ports.blockers; i++)
		log_blocker(&ports.blocker[i]);
	return ports.blockers ? NULL : "no instruction keeps to a set of ports";
}

static const char *begin_by_time(const struct bench_run *run)
{
	ports_forget();
	ports_name(0, "cycles", "");
	ports_events = 1;
	return ports_add(0) ? ports_time_init(run) : "no event counts uops by port, or clocks";
}

bool ports_init(const struct bench_run *run)
{
	static const struct bench any = { .name = "blocker", .needs = "" };
	const char *why = NULL;
	bool usable;

	ports_at_cpl(engine_cpl(run, &any));
	ports_forget();
	find_events();
	usable = ports_events;
	if (usable)
		why = learn_all(run, &usable);
	ports.by_time = !usable;
	if (ports.by_time)
		why = begin_by_time(run);
	if (why && cpu_has_host(run->cpu))
		log_warn("ports", "guest", why); /* the hypervisor may have the counters */
	else if (why)
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
	unsigned wanted = PER_PORT * bits(with->set) * b->ops, n, uops;
	int64_t milli[PORTS_EVENTS] = { 0 };
	const char *why;

	ports_open(&both);
	n = ports_fill(&both, with->candidate, wanted, PORTS_BODY - b->body_size);
	if (n < wanted)
		return "ports= cannot keep ports busy beside so many operations";
	ports_append(&both, b->body, b->body_size);
	why = ports_measure(run, &both, with->set, COPIES, 2 * COPIES, ROUNDS, milli);
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
static bool may_have_more(const struct bench *b, unsigned i, const int64_t alone[PORTS_EVENTS],
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
		ports_put_term(&t, f->uops[i]);
		put_set(&t, ports.blocker[i].set);
	}
	log_begin("ports");
	log_str("bench", b->name);
	if (b->form)
		log_str("form", b->form);
	log_dec("uops", uops);
	log_str("ports", t.n ? line : "0");
	if (uops > f->all)
		log_dec("left", uops - f->all);
	log_end();
}

static const char *by_events(const struct bench_run *run, const struct bench *b)
{
	struct found f = { 0 };
	int64_t milli[PORTS_EVENTS] = { 0 };
	const char *why =
		ports_measure(run, b, every_event(), COPIES, 2 * COPIES, ALONE_ROUNDS, milli);
	unsigned uops = whole(sum(milli, used(milli, b->ops * (int64_t)USED)), b->ops);

	for (unsigned size = 1; size <= ports_events; size++)
		for (unsigned i = 0; !why && i < ports.blockers && f.all < uops; i++)
			if (bits(ports.blocker[i].set) == size && may_have_more(b, i, milli, &f))
				why = attribute(run, b, i, &f);
	if (!why)
		log_found(b, &f, uops);
	return why;
}

const char *ports_bench(const struct bench_run *run, const struct bench *b)
{
	struct bench one = ports_one(b);

	if (!b->ops)
		return "ports= needs a benchmark that says how many operations it has";
	if (b->body_size > PORTS_BODY / 2)
		return "ports= takes bodies of at most 2048 bytes";
	ports_at_cpl(engine_cpl(run, b));
	return ports.by_time ? ports_time_bench(run, b) : by_events(run, &one);
}
