/*
 * Measuring for both ways to find ports (bench/ports/internal.h), and the blocking instructions.
 */
#include "bench/ports/internal.h"
#include "bench/engine/batch.h"
#include "bench/engine/engine.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	COUNTERS = 8,
	RUNS = 5,
	RUNS_LIMIT = 32,
	WARM_UPS = 2, /* until the branch of the loop is known */
	DISTURBED = 64,
};

/*
 * Registers from R12 and XMM12 on, and MM3 on, are those that the instruction table uses last. By
 * time, none may write what it reads from the instruction table (nothing writes XMM7 and MM7), and
 * a chain has more registers than ports.
 */
const struct ports_candidate ports_candidates[PORTS_CANDIDATES] = {
	{ 6, 1, "mov", { 0x41, 0xbc, 1, 0, 0, 0 } }, /* MOV r12d, 1 */
	{ 4, 1, "imul", { 0x45, 0x6b, 0xe5, 3 } },   /* IMUL r12d, r13d, 3 */
	{ 4, 1, "lea", { 0x4f, 0x8d, 0x24, 0x2e } }, /* LEA r12, [r14+r13] */
	/* SHL r12d, 2; SHL r14d, 2; SHL r15d, 2 */
	{ 12, 3, "", { 0x41, 0xc1, 0xe4, 2, 0x41, 0xc1, 0xe6, 2, 0x41, 0xc1, 0xe7, 2 } },
	{ 5, 1, "load", { 0x4c, 0x8b, 0x64, 0x24, 0x70 } },      /* MOV r12, [rsp+112] */
	{ 6, 1, "pshufd", { 0x66, 0x45, 0x0f, 0x70, 0xee, 0 } }, /* PSHUFD xmm13, xmm14, 0 */
	{ 4, 1, "cvtdq2ps", { 0x45, 0x0f, 0x5b, 0xee } },        /* CVTDQ2PS xmm13, xmm14 */
	{ 5, 1, "pmovmskb", { 0x66, 0x45, 0x0f, 0xd7, 0xe6 } },  /* PMOVMSKB r12d, xmm14 */
	{ 4, 1, "rcpps", { 0x45, 0x0f, 0x53, 0xee } },           /* RCPPS xmm13, xmm14 */
	{ 15,
	  3,
	  "",
	  { 0x66, 0x45, 0x0f, 0xdb, 0xec, 0x66, 0x45, 0x0f, 0xdb, 0xf4, 0x66, 0x45, 0x0f, 0xdb,
	    0xfc } }, /* PAND xmm13 to xmm15, xmm12 */
	{ 18,
	  3,
	  "pslld",
	  { 0x66, 0x41, 0x0f, 0x72, 0xf0, 1, 0x66, 0x41, 0x0f, 0x72, 0xf1, 1, 0x66, 0x41, 0x0f,
	    0x72, 0xf2, 1 } }, /* PSLLD xmm8 to xmm10, 1 */
	{ 9,
	  3,
	  "",
	  { 0x0f, 0xdb, 0xdf, 0x0f, 0xdb, 0xe7, 0x0f, 0xdb, 0xef } }, /* PAND mm3.., mm7 */
	{ 4, 1, "", { 0x0f, 0x70, 0xdf, 0 } },                        /* PSHUFW mm3, mm7, 0 */
	{ 5, 1, "store", { 0x4c, 0x89, 0x64, 0x24, 0x40 } }, /* MOV [rsp+64], r12: two uops */
	/* by time alone */
	{ 5, 1, "lea3", { 0x4f, 0x8d, 0x64, 0x2e, 0x40 } },   /* LEA r12, [r14+r13+64] */
	{ 4, 1, "bt", { 0x4d, 0x0f, 0xa3, 0xec } },           /* BT r12, r13 */
	{ 3, 1, "movq_mm", { 0x0f, 0x6f, 0xdf } },            /* MOVQ mm3, mm7 */
	{ 5, 1, "movq_r", { 0x66, 0x4d, 0x0f, 0x7e, 0xf4 } }, /* MOVQ r12, xmm14 */
	/* CMOVZ r12, r13; CMOVZ r14, r13; CMOVZ r15, r13 */
	{ 12,
	  3,
	  "cmovz",
	  { 0x4d, 0x0f, 0x44, 0xe5, 0x4d, 0x0f, 0x44, 0xf5, 0x4d, 0x0f, 0x44, 0xfd } },
	{ 4, 1, "comiss", { 0x45, 0x0f, 0x2f, 0xee } }, /* COMISS xmm13, xmm14 */
	{ 20,
	  4,
	  "movss",
	  { 0xf3, 0x44, 0x0f, 0x10, 0xe7, 0xf3, 0x44, 0x0f, 0x10, 0xef,
	    0xf3, 0x44, 0x0f, 0x10, 0xf7, 0xf3, 0x44, 0x0f, 0x10, 0xff } }, /* MOVSS xmm12.. */
	{ 7,
	  1,
	  "load_x",
	  { 0xf3, 0x44, 0x0f, 0x7e, 0x6c, 0x24, 0x70 } },            /* MOVQ xmm13, [rsp+112] */
	{ 6, 1, "store_x", { 0x44, 0x0f, 0x13, 0x74, 0x24, 0x40 } }, /* MOVLPS [rsp+64], xmm14 */
	{ 13,
	  4,
	  "divps",
	  { 0x0f, 0x5e, 0xdf, 0x0f, 0x5e, 0xe7, 0x0f, 0x5e, 0xef, 0x44, 0x0f, 0x5e,
	    0xdf } }, /* DIVPS xmm3, xmm4, xmm5 and xmm11, xmm7 */
};

struct way {
	bool asked, counts;
	uint32_t debugctl;
	struct pmu_slot slot;
};

static char ports_event[PORTS_EVENTS][PORTS_REQUEST];
unsigned ports_events;

static struct {
	unsigned cpl;
	struct pmu_group group; /* of the events that count at a time */
	unsigned next;          /* counter */
	struct way way[PORTS_EVENTS][COUNTERS];
	bool intact; /* firmware left the counters alone */
	uint8_t body[PORTS_BODY];
} ports;

void ports_forget(void)
{
	ports_events = 0;
	memset(ports.way, 0, sizeof(ports.way));
}

/* How the event counts on a counter: found once a run, because the tables of events are long. */
static const struct way *way_of(unsigned event, unsigned counter)
{
	static struct pmu_group one;
	struct way *way = &ports.way[event][counter];
	char request[PORTS_REQUEST + 8];
	size_t n = strlen(ports_event[event]);

	if (way->asked)
		return way;
	memcpy(request, ports_event[event], n);
	memcpy(request + n, ":ctr=0", 7);
	request[n + 5] = (char)('0' + counter);
	way->asked = true;
	way->counts = pmu_single(&one, request, ports.cpl);
	way->debugctl = one.debugctl;
	way->slot = one.slots[0];
	return way;
}

bool ports_add(unsigned event)
{
	while (ports.next < COUNTERS) {
		const struct way *way = way_of(event, ports.next++);

		if (!way->counts)
			continue;
		ports.group.debugctl = way->debugctl;
		ports.group.slots[ports.group.n++] = way->slot;
		return true;
	}
	return false;
}

void ports_at_cpl(unsigned cpl)
{
	if (cpl != ports.cpl)
		memset(ports.way, 0, sizeof(ports.way));
	ports.cpl = cpl;
}

void ports_none(void)
{
	ports.group.n = 0;
	ports.next = 0;
}

bool ports_name(unsigned event, const char *prefix, const char *suffix)
{
	static struct pmu_group one;
	size_t n = strlen(prefix);

	memcpy(ports_event[event], prefix, n);
	memcpy(ports_event[event] + n, suffix, strlen(suffix) + 1);
	memset(ports.way[event], 0, sizeof(ports.way[event]));
	ports_none();
	return pmu_single(&one, ports_event[event], ports.cpl);
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

/* What each event counts around so many copies: the median of runs that nothing disturbed. */
static const char *count(struct batch *t, uint32_t copies, uint32_t rounds,
                         uint64_t counts[PMU_SLOTS])
{
	static uint64_t samples[PMU_SLOTS][RUNS_LIMIT];
	const struct batch_hooks hooks = { start, stop, NULL };
	unsigned asked = t->run->args->runs, most = RUNS_LIMIT - WARM_UPS;
	unsigned runs = asked > most ? most : asked ? asked : RUNS;
	unsigned disturbed = 0;
	struct batch_place place;
	const char *why;

	ports.intact = true;
	why = batch_build(t, copies, rounds, &place);
	for (unsigned i = 0; !why && i < WARM_UPS + runs;) {
		why = batch_once(t, &hooks);
		if (!why && t->disturbed) {
			if (++disturbed == DISTURBED)
				why = "too many samples were disturbed";
			continue;
		}
		for (unsigned n = 0; n < ports.group.n; n++)
			samples[n][i] = (batch_read_after(n) - batch_read_before(n)) &
			                (~0ull >> (64 - ports.group.slots[n].width));
		i++;
	}
	for (unsigned n = 0; n < ports.group.n; n++)
		counts[n] = stats_of(samples[n] + WARM_UPS, runs).med;
	if (!why && !ports.intact)
		why = "somebody else changed the counters, as a warn record before this says";
	return why;
}

/*
 * As many events as there are counters count in the same run: their sum does not depend on how the
 * uops are spread.
 */
const char *ports_measure(const struct bench_run *run, const struct bench *b, unsigned set,
                          uint32_t few, uint32_t many, uint32_t loop, int64_t milli[PORTS_EVENTS])
{
	struct batch t = { .run = run, .b = b, .group = &ports.group };
	uint64_t less[PMU_SLOTS], more[PMU_SLOTS];
	const char *why = NULL;

	while (!why && set) {
		unsigned done = 0, slot = 0;

		ports_none();
		for (unsigned i = 0; i < ports_events; i++)
			if (set >> i & 1 && ports_add(i))
				done |= 1u << i;
		why = done ? count(&t, few, loop, less) : "the counters could not be programmed";
		if (!why)
			why = count(&t, many, loop, more);
		for (unsigned i = 0; !why && i < ports_events; i++) {
			if (!(done >> i & 1))
				continue;
			milli[i] = stats_milli((int64_t)(more[slot] - less[slot]),
			                       (uint64_t)(many - few) * loop);
			slot++;
		}
		set &= ~done;
	}
	return why;
}

void ports_open(struct bench *b)
{
	b->body = ports.body;
	b->body_size = 0;
}

void ports_append(struct bench *b, const uint8_t *code, size_t size)
{
	memcpy(ports.body + b->body_size, code, size);
	b->body_size += size;
}

unsigned ports_fill(struct bench *b, unsigned candidate, unsigned n, size_t room)
{
	const struct ports_candidate *c = &ports_candidates[candidate];
	unsigned insns = 0;

	while (insns < n && b->body_size + c->size <= room) {
		ports_append(b, c->code, c->size);
		insns += c->insns;
	}
	return insns;
}

const char *ports_code_of(unsigned candidate)
{
	static char code[2 * PORTS_CODE + 1];
	struct text t = text_in(code, sizeof(code));

	for (unsigned i = 0; i < ports_candidates[candidate].size; i++)
		text_hex(&t, ports_candidates[candidate].code[i], 2);
	return code;
}

struct bench ports_one(const struct bench *b)
{
	struct bench one = *b;

	if (b->op_bytes) {
		one.body_size = b->op_bytes;
		one.ops = one.insns = 1;
	}
	return one;
}

void ports_put_term(struct text *t, unsigned n)
{
	if (t->n)
		text_char(t, '+');
	text_dec(t, n);
	text_char(t, '*');
}
