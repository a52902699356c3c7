/*
 * Ports of instructions by time (bench/ports/ports.h), where no event names ports. A group of ports
 * is what a blocking instruction keeps busy. How many ports are in a group follows from how many of
 * those instructions execute in a clock; which group is inside of another one, from the time that
 * both kinds take together. NOPs, which need no port, tell whether there is room beside them.
 */
#include "bench/ports/internal.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	GROUPS = 32,
	CODE = 16384, /* bytes of all copies: the uop cache has them */
	FEW = 8,      /* copies of a body, where a few per cent do not matter */
	MANY = 16,
	LOOP = 8,      /* around an operation alone: queues fill */
	ALONE = 48,    /* blocking instructions when one kind is looked at alone */
	NOPS = 96,     /* most beside them */
	SPARE = 1200,  /* thousandths of an instruction that must find room in each clock */
	WIDTH = 192,   /* NOPs that tell how wide the core is */
	TOGETHER = 12, /* clocks of each kind when two are looked at */
	CLOCKS = 8,    /* of blocking instructions for each operation, at least */
	LONG = 1000,   /* clocks of blocking instructions that no body has room for */
	OFF = 350,     /* thousandths of a clock that a whole one may be off */
	LINE = 256,
};

struct group {
	uint8_t candidate, ports;
	uint8_t busy;    /* clocks for which a blocking instruction keeps a port */
	uint32_t spare;  /* thousandths of other instructions that a clock has room for */
	uint32_t inside; /* bit n: group n is a part of this one */
};

static struct {
	uint64_t width; /* thousandths of NOPs that execute in a clock */
	struct group group[GROUPS];
	unsigned n;
} by_time;

/* Whatever flags and R12 came from, the blocking instructions do not wait for it. */
static const uint8_t break_chain[] = { 0x45, 0x31, 0xe4 }; /* XOR r12d, r12d */
static const uint8_t nop[] = { 0x0f, 0x1f, 0x40, 0 }; /* long: one-byte ones fill the uop cache */

/*
 * Thousandths of clocks of a body, at least 1. Beside blocking instructions there is no loop, whose
 * branch may need a port of the group. *why: NULL, or why nothing was measured.
 */
static uint64_t clocks(const struct bench_run *run, const struct bench *b, unsigned copies,
                       unsigned loop, const char **why)
{
	int64_t milli[PORTS_EVENTS] = { 0 };
	unsigned most = CODE / (unsigned)b->body_size;

	copies = copies < most ? copies : most;
	*why = ports_measure(run, b, 1, copies / 4, copies, loop, milli);
	return *why || milli[0] < 1 ? 1 : (uint64_t)milli[0];
}

static void begin(struct bench *b)
{
	ports_open(b);
	ports_append(b, break_chain, sizeof(break_chain));
}

/* So many clocks of the group's blocking instructions; returns how many instructions those are. */
static unsigned fill(struct bench *b, const struct group *g, unsigned n, size_t room)
{
	return ports_fill(b, g->candidate, (n * g->ports + g->busy - 1) / g->busy, room);
}

/* ---- Groups ---- */

/* The ports that the two keep busy together are those of the larger one alone. */
static bool inside(const struct bench_run *run, const struct group *small,
                   const struct group *large, const char **why)
{
	struct bench b = { .name = "blocker", .needs = "" };
	unsigned work;

	begin(&b);
	work = small->busy * fill(&b, small, TOGETHER, PORTS_BODY);
	work += large->busy * fill(&b, large, TOGETHER, PORTS_BODY);
	return clocks(run, &b, FEW, 1, why) * large->ports > work * 930ull;
}

/* Good until the next call. */
static const char *names_of(uint32_t groups)
{
	static char line[LINE];
	struct text t = text_in(line, sizeof(line));

	for (unsigned i = 0; i < by_time.n; i++)
		if (groups >> i & 1) {
			if (t.n)
				text_char(&t, ',');
			text_str(&t, ports_candidates[by_time.group[i].candidate].name);
		}
	return line;
}

/* A group, unless there is one with the same ports. */
static const char *add_group(const struct bench_run *run, struct group *g)
{
	const char *why = NULL;

	for (unsigned i = 0; i < by_time.n; i++) {
		struct group *other = &by_time.group[i];
		bool larger = other->ports > g->ports;

		bool within = inside(run, larger ? g : other, larger ? other : g, &why);

		if (why)
			return why;
		if (!within)
			continue;
		if (other->ports == g->ports)
			return NULL;
		if (larger)
			other->inside |= 1u << by_time.n;
		else
			g->inside |= 1u << i;
	}
	by_time.group[by_time.n++] = *g;
	return why;
}

/* Does the instruction keep a whole number of ports busy, with room for others beside? */
static const char *learn(const struct bench_run *run, unsigned candidate)
{
	struct bench b = { .name = "blocker", .needs = "" };
	struct group g = { .candidate = (uint8_t)candidate };
	uint64_t time, whole, n, used;
	const char *why;

	begin(&b);
	n = ports_fill(&b, candidate, ALONE, PORTS_BODY) * 1000;
	time = clocks(run, &b, FEW, 1, &why);
	g.ports = (uint8_t)((n + time / 2) / time);
	g.busy = 1;
	if (!g.ports) {
		g.ports = 1;
		g.busy = (uint8_t)((time + n / 2) / n);
	}
	whole = n * g.busy / g.ports;
	used = n * 1000 / time;
	if (why || used + SPARE > by_time.width || time > whole + whole / 12 ||
	    whole > time + time / 12)
		return why;
	g.spare = (uint32_t)(by_time.width - used);
	for (uint64_t i = time * g.spare / 2000000; i && n < ALONE * 1000 + NOPS; i--, n++)
		ports_append(&b, nop, sizeof(nop));
	whole = clocks(run, &b, FEW, 1, &why);
	return why || whole > time + time / 12 ? why : add_group(run, &g);
}

const char *ports_time_init(const struct bench_run *run)
{
	struct bench b = { .name = "blocker", .needs = "" };
	const char *why;

	by_time.n = 0;
	begin(&b);
	for (unsigned i = 0; i < WIDTH; i++)
		ports_append(&b, nop, sizeof(nop));
	by_time.width = WIDTH * 1000000ull / clocks(run, &b, MANY, 1, &why);
	for (unsigned i = PORTS_CANDIDATES; i-- && !why;)
		if (*ports_candidates[i].name)
			why = learn(run, i);
	if (!why && !by_time.n)
		why = "no event counts uops by port, and no time tells ports";
	for (unsigned i = 0; !why && i < by_time.n; i++) {
		log_begin("blocker");
		log_str("by", "time");
		log_str("ports", ports_candidates[by_time.group[i].candidate].name);
		log_dec("count", by_time.group[i].ports);
		if (by_time.group[i].inside)
			log_str("inside", names_of(by_time.group[i].inside));
		log_str("code", ports_code_of(by_time.group[i].candidate));
		log_end();
	}
	return why;
}

/* ---- The instruction asked for ---- */

struct found {
	uint64_t alone, chain; /* thousandths of clocks of an operation among its like; by itself */
	uint32_t left;         /* bit n: group n could not be told */
	uint32_t clocks[GROUPS]; /* of ports in the group and in none inside of it */
};

/* How long the operation keeps ports of group i busy. */
static const char *attribute(const struct bench_run *run, const struct bench *b, unsigned i,
                             struct found *f)
{
	const struct group *g = &by_time.group[i];
	uint64_t slots = f->chain * by_time.width / g->spare * 5 / 4000 + CLOCKS;
	struct bench both = *b;
	int64_t before = 0, more, whole;
	unsigned n;
	const char *why;

	for (unsigned k = 0; k < by_time.n; k++)
		before += g->inside >> k & 1 ? f->clocks[k] : 0;
	if (f->alone * g->ports + OFF < (uint64_t)(before + 1) * 1000)
		return NULL;
	begin(&both);
	slots = slots > LONG ? LONG : slots;
	n = fill(&both, g, (unsigned)slots * b->ops, PORTS_BODY - b->body_size) * g->busy;
	f->left |= (uint32_t)(n < slots * g->ports * b->ops || slots == LONG) << i;
	if (f->left >> i & 1)
		return NULL;
	ports_append(&both, b->body, b->body_size);
	more = (int64_t)clocks(run, &both, MANY, 1, &why) * g->ports - (int64_t)n * 1000;
	more = more < 0 ? 0 : more / b->ops;
	whole = (more + 500) / 1000;
	if (more > whole * 1000 + OFF || more < whole * 1000 - OFF)
		f->left |= 1u << i;
	else if (whole > before)
		f->clocks[i] = (uint32_t)(whole - before);
	return why;
}

/* "1*mov+2*load"; without any "0". */
static void log_found(const struct bench *b, const struct found *f)
{
	char line[LINE];
	struct text t = text_in(line, sizeof(line));

	for (unsigned i = 0; i < by_time.n; i++) {
		if (!f->clocks[i])
			continue;
		ports_put_term(&t, f->clocks[i]);
		text_str(&t, ports_candidates[by_time.group[i].candidate].name);
	}
	log_begin("ports");
	log_str("bench", b->name);
	if (b->form)
		log_str("form", b->form);
	log_str("by", "time");
	log_milli("clocks", (int64_t)f->alone);
	log_str("ports", t.n ? line : "0");
	if (f->left)
		log_str("left", names_of(f->left));
	log_end();
}

const char *ports_time_bench(const struct bench_run *run, const struct bench *b)
{
	struct bench one = ports_one(b);
	struct found f = { 0 };
	const char *why;

	f.alone = clocks(run, b, MANY, LOOP, &why) / b->ops;
	if (!why)
		f.chain = clocks(run, &one, MANY, LOOP, &why) / one.ops;
	for (unsigned ports = 1; ports <= by_time.width / 1000; ports++)
		for (unsigned i = 0; !why && i < by_time.n; i++)
			if (by_time.group[i].ports == ports)
				why = attribute(run, &one, i, &f);
	if (!why)
		log_found(b, &f);
	return why;
}
