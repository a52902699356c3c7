/*
 * sim/timing/per_clock.c - clocks of a core, one by one.
 */
#include "sim/timing/per_clock.h"

#include <stdlib.h>
#include <string.h>

#include "sim/timing/core.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Nothing that comes later is renamed, begins or retires before this clock. */
static uint64_t final(const struct core *c)
{
	return later(c->rename_clock, c->barrier);
}

static void forget(struct core_per_clock *w)
{
	for (uint64_t clock = w->from; clock <= w->last && clock < w->from + CORE_WATCHED; clock++)
		memset(&w->clock[clock % CORE_WATCHED], 0, sizeof(w->clock[0]));
	memset(w->level, 0, sizeof(w->level));
	w->asleep = w->awake = w->fetched = 0;
	w->runs = 0;
}

bool core_per_clock(struct core *c, bool on)
{
	if (on == !!c->per_clock)
		return true;
	if (!on) {
		c->per_clock = NULL;
		return true;
	}
	if (!c->watched) {
		c->watched = calloc(1, sizeof(*c->watched));
		if (!c->watched)
			return false;
	}
	c->per_clock = c->watched;
	forget(c->per_clock);
	c->per_clock->from = c->per_clock->last = final(c);
	return true;
}

void core_per_clock_free(struct core *c)
{
	if (c->watched)
		free(c->watched->run);
	free(c->watched);
	c->per_clock = c->watched = NULL;
}

struct core_clock *core_per_clock_at(struct core_per_clock *w, uint64_t clock)
{
	if (clock < w->from) /* before the first request */
		clock = w->from;
	if (clock >= w->from + CORE_WATCHED)
		clock = w->from + CORE_WATCHED - 1;
	w->last = later(w->last, clock);
	return &w->clock[clock % CORE_WATCHED];
}

static void change(struct core_per_clock *w, enum core_span span, uint64_t clock, int n)
{
	struct core_clock *at = core_per_clock_at(w, clock);

	at->change[span] = (int16_t)(at->change[span] + n);
	at->spans = true;
}

void core_per_clock_span(struct core_per_clock *w, enum core_span span, uint64_t from,
                         uint64_t until, unsigned n)
{
	if (until <= from || until <= w->from)
		return;
	change(w, span, from, (int)n);
	change(w, span, until, -(int)n);
}

/* Fetch loses so many clocks: from which one on. */
static uint64_t fetch_loses(struct core *c, uint64_t clocks)
{
	struct core_per_clock *w = c->per_clock;
	uint64_t from = later(later(c->fetch_clock, w->from), w->fetched);

	w->fetched = from + clocks;
	return from;
}

void core_per_clock_switch(struct core *c, unsigned clocks)
{
	uint64_t from;

	if (!c->per_clock)
		return;
	from = fetch_loses(c, clocks);
	core_per_clock_at(c->per_clock, from)->switches++;
	core_per_clock_span(c->per_clock, SPAN_SWITCH, from, from + clocks, 1);
}

void core_per_clock_fetch(struct core *c, const struct core_dyn *dyn)
{
	struct core_per_clock *w = c->per_clock;
	uint64_t from, there, until;

	if (!w)
		return;
	from = fetch_loses(c, dyn->fetch);
	there = from + dyn->fetch_tlb;
	until = from + dyn->fetch;
	core_per_clock_span(w, SPAN_CODE_TLB, from, there, 1);
	core_per_clock_span(w, SPAN_CODE_WALK, there - dyn->fetch_walk, there, 1);
	core_per_clock_span(w, SPAN_CODE_LINE, there, until, 1);
	core_per_clock_span(w, SPAN_CODE_L2, until - dyn->fetch_l2, until, 1);
}

void core_per_clock_asked(const struct core *c, struct core_result *out)
{
	out->fetch_began = c->fetch_clock;
	out->fetch_jumped = c->jumped;
}

void core_per_clock_code(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn,
                         uint64_t from, uint64_t until, struct core_result *out)
{
	uint64_t began = out->fetch_began, there = began + dyn->fetch;
	/* in which clock each cause ends, in the order of fetch() */
	const struct {
		enum core_code cause;
		uint64_t until;
	} part[] = {
		{ out->fetch_jumped ? CORE_CODE_JUMP : CORE_CODE_OTHER, began },
		{ CORE_CODE_TLB, began + dyn->fetch_tlb },
		{ CORE_CODE_L2, there - dyn->fetch_l2 },
		{ CORE_CODE_LLC, there - dyn->fetch_memory },
		{ CORE_CODE_MEMORY, there },
		{ insn->flags & CORE_MICROCODE ? CORE_CODE_MICROCODE : CORE_CODE_DECODE, until },
	};
	unsigned causes = 0, used = from == c->rename_clock ? c->renamed : 0;
	uint64_t empty = later(from + !!used, c->resumed);

	out->code_clocks = until > empty ? (uint32_t)(until - empty) : 0;
	if (used == c->machine->p.rename_width) /* no slot of this clock is empty */
		from++;
	from = later(from, c->resumed);
	for (unsigned i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		uint64_t end = part[i].until < until ? part[i].until : until;

		if (end <= from)
			continue;
		causes |= 1u << part[i].cause;
		if (c->per_clock)
			core_per_clock_span(c->per_clock, SPAN_CODE + part[i].cause, from, end, 1);
		from = end;
	}
	out->code_waits = (uint8_t)causes;
}

void core_per_clock_retired(struct core *c, const struct sim_step *step)
{
	struct core_clock *at = core_per_clock_at(c->per_clock, c->retire_clock);

	at->instructions = (uint8_t)(at->instructions + step->n[SIG_INSTRUCTIONS]);
	at->uops = (uint8_t)(at->uops + step->n[SIG_UOPS]);
}

void core_per_clock_retired_uop(struct core *c, bool last)
{
	struct core_clock *at = core_per_clock_at(c->per_clock, c->retire_clock);

	at->retired++;
	at->heavy += !last;
}

void core_per_clock_renamed(struct core *c, const struct core_insn *insn, uint64_t clock,
                            bool first)
{
	struct core_clock *at = core_per_clock_at(c->per_clock, clock);
	bool microcode = insn->flags & CORE_MICROCODE;

	at->issued++;
	at->cached += c->hit;
	at->microcode += microcode;
	at->microcode_cached += microcode && c->hit;
	at->slow_lea += insn->slow_lea;
	at->decoders += first && !c->hit;
	at->decoder0 += c->decoder0 && !c->hit;
}

void core_per_clock_ports(struct core *c, uint64_t from, uint64_t until)
{
	if (c->per_clock && until > from)
		core_per_clock_span(c->per_clock, SPAN_READ_PORTS, from, until, 1);
}

/* The first clock that begins at this tick or later. */
static uint64_t clock_from(uint64_t tick)
{
	return (tick + CORE_TICKS - 1) / CORE_TICKS;
}

/*
 * What keeps a load waiting while it is the oldest of the load queue, from the retirement of the
 * load before it on, and while retirement waits, too, from that of the instruction before it on.
 */
static void watch_oldest(struct core *c, enum core_span head, enum core_span retire, uint64_t from,
                         uint64_t until)
{
	uint64_t before = c->load_count ? c->loads[(c->load_count - 1) % CORE_QUEUE] : 0;

	core_per_clock_span(c->per_clock, head, later(from, before), until, 1);
	core_per_clock_span(c->per_clock, retire, later(from, c->retire_clock), until, 1);
}

static void watch_head(struct core *c, const struct core_access *a, uint64_t asked, uint64_t from,
                       uint64_t until)
{
	uint64_t found = from + a->stlb, walked = found + a->walk;

	watch_oldest(c, SPAN_HEAD_BUFFER, SPAN_RETIRE_BUFFER, asked, from);
	watch_oldest(c, SPAN_HEAD_TLB, SPAN_RETIRE_TLB, from, found);
	watch_oldest(c, SPAN_HEAD_WALK, SPAN_RETIRE_WALK, found, walked);
	if (a->level)
		watch_oldest(c, SPAN_HEAD_MISS, SPAN_RETIRE_L2 + a->level - 1u, walked, until);
}

void core_per_clock_load(struct core *c, const struct core_access *a, uint64_t asked,
                         uint64_t begun, uint64_t done)
{
	uint64_t from = asked / CORE_TICKS, filled = begun / CORE_TICKS, until = clock_from(done);

	core_per_clock_span(c->per_clock, SPAN_LOADS, from, until, 1);
	if (!a->extra)
		return;
	core_per_clock_span(c->per_clock, SPAN_BUFFERS, from, filled, 1);
	core_per_clock_span(c->per_clock, SPAN_LOAD_WALK, filled + a->stlb,
	                    filled + a->stlb + a->walk, 1);
	watch_head(c, a, from, filled, until);
	for (unsigned level = 0; level < 3 && level < a->level; level++)
		core_per_clock_span(c->per_clock, SPAN_L1 + level, filled, until, 1);
}

void core_per_clock_store(struct core *c, const struct core_access *a, uint64_t asked)
{
	core_per_clock_span(c->per_clock, SPAN_STORE_WALK, asked, asked + a->walk, 1);
	if (a->level > 1)
		core_per_clock_span(c->per_clock, SPAN_OWNERSHIP, asked, asked + a->extra, 1);
}

void core_per_clock_divider(struct core *c, const struct core_insn *insn, uint64_t from,
                            uint64_t until)
{
	core_per_clock_span(c->per_clock, insn->quotient ? SPAN_INT_DIVIDER : SPAN_FP_DIVIDER,
	                    from / CORE_TICKS, until / CORE_TICKS, 1);
}

void core_per_clock_unit(struct core *c, const struct core_insn *insn, const struct core_uop *u,
                         uint64_t from, uint64_t until)
{
	if (u->divides)
		core_per_clock_divider(c, insn, from, until);
	if (insn->pauses) /* its uop has the first of these clocks */
		core_per_clock_span(c->per_clock, SPAN_PAUSE, from / CORE_TICKS + 1,
		                    until / CORE_TICKS, 1);
}

void core_per_clock_lock(struct core *c, const struct core_access *a, uint64_t from, uint64_t until)
{
	bool bus = a->uncached || (a->address ^ (a->address + a->size - 1)) / 64;

	if (c->per_clock)
		core_per_clock_span(c->per_clock, bus ? SPAN_BUS_LOCK : SPAN_LOCK,
		                    from / CORE_TICKS, until / CORE_TICKS, 1);
}

/* Do some bytes of two accesses have addresses that are alike below this power of two? */
static bool overlap(const struct core_store *s, const struct core_access *a, uint64_t below)
{
	return ((s->address - a->address) & (below - 1)) < a->size ||
	       ((a->address - s->address) & (below - 1)) < s->size;
}

void core_note_blocked(struct core *c, const struct core_access *a, const struct core_store *s,
                       uint64_t from)
{
	bool covers = a->address >= s->address && a->address + a->size <= s->address + s->size;
	uint64_t before = c->load_count ? c->loads[(c->load_count - 1) % CORE_QUEUE] : 0;

	core_per_clock_span(c->per_clock, SPAN_HEAD_STORE, later(from / CORE_TICKS, before),
	                    clock_from(covers ? s->data : s->commit), 1);
}

/* Is the last older store that seems to have some bytes of a load another one's? */
static bool alias(const struct core *c, const struct core_access *a, uint64_t from)
{
	for (uint64_t n = c->store_count; n && n + CORE_STORES > c->store_count; n--) {
		const struct core_store *s = &c->store[n % CORE_STORES];

		if (s->commit <= from)
			return false;
		if (overlap(s, a, 4096))
			return !overlap(s, a, 1ull << 63);
	}
	return false;
}

void core_note_begun(const struct core *c, const struct core_access *a, uint64_t from,
                     uint64_t until, bool missed, struct core_result *out)
{
	out->buffer_waits += a->extra && until - from > (uint64_t)a->extra * CORE_TICKS;
	out->load_from = from;
	out->fill_hits += missed;
	out->aliases += alias(c, a, from);
}

/* ---- what a clock is for the counters ---- */

/* Which of enum core_code is it in this clock? CORE_CODES: none, but a wrong branch. */
static enum core_code code_cause(const struct core_per_clock *w)
{
	unsigned i = 0;

	while (i < CORE_CODES && w->level[SPAN_CODE + i] <= 0)
		i++;
	return (enum core_code)i;
}

/* Slots that are lost for want of code, by cause, and clocks in which rename waits for it. */
static void lost_slots(enum core_code cause, unsigned used, unsigned lost, uint8_t *n)
{
	static const uint8_t lanes[CORE_CODES][2] = {
		[CORE_CODE_JUMP] = { LANE_LOST_JUMP, LANE_LOST_JUMP },
		[CORE_CODE_TLB] = { LANE_LOST_TLB, LANE_CODE_TLB_BOUND },
		[CORE_CODE_L2] = { LANE_LOST_LINE, LANE_CODE_L2_BOUND },
		[CORE_CODE_LLC] = { LANE_LOST_LINE, LANE_CODE_LLC_BOUND },
		[CORE_CODE_MEMORY] = { LANE_LOST_LINE, LANE_CODE_MEMORY_BOUND },
		[CORE_CODE_MICROCODE] = { LANE_LOST_MICROCODE, LANE_LOST_MICROCODE },
		[CORE_CODE_DECODE] = { LANE_LOST_DECODE, LANE_LOST_DECODE },
		[CORE_CODE_OTHER] = { LANE_LOST_OTHER, LANE_LOST_OTHER },
	};
	const uint8_t *lane = lanes[cause];

	n[lane[1]] = !used;
	n[lane[0]] = (uint8_t)lost;
	n[LANE_LOST_SLOTS] = (uint8_t)lost;
	n[LANE_LATENCY_SLOTS] = (uint8_t)(used ? 0 : lost);
}

/* Whose slots are those of `width` in which nothing was renamed? */
static void slots(const struct core_per_clock *w, const struct core_clock *at, unsigned width,
                  uint8_t *n)
{
	unsigned used = at->issued + at->bogus;
	unsigned lost = used < width ? width - used : 0;
	bool memory = (w->level[SPAN_LOADS] > 0 && !at->executed) ||
	              w->level[SPAN_STALL + CORE_STALL_STORES] > 0;
	bool code = w->level[SPAN_STALL + CORE_STALL_CODE] > 0;
	enum core_code cause = code ? code_cause(w) : CORE_CODES;

	n[LANE_BAD_SLOTS] = at->bogus;
	if (w->level[SPAN_RECOVERY] > 0 || (code && cause == CORE_CODES)) {
		n[LANE_BAD_SLOTS] = (uint8_t)(at->bogus + lost);
	} else if (code) {
		lost_slots(cause, used, lost, n);
	} else {
		n[LANE_BACKEND_SLOTS] = (uint8_t)lost;
		if (w->level[SPAN_STALL + CORE_STALL_ROB] > 0)
			n[LANE_ROB_SLOTS] = (uint8_t)lost;
		if (w->level[SPAN_STALL + CORE_STALL_BARRIER] > 0)
			n[LANE_BARRIER_SLOTS] = (uint8_t)lost;
		n[LANE_MEMORY_SLOTS] = (uint8_t)(memory ? lost : 0);
	}
}

/* What is done, and how much waits. */
static void activity(const struct core_per_clock *w, const struct core_clock *at, uint8_t *n)
{
	const int32_t *level = w->level;
	unsigned executed = at->executed + at->bogus_executed;
	bool waiting = level[SPAN_WAITING] > 0, loads = level[SPAN_LOADS] > 0;
	bool stores = level[SPAN_STALL + CORE_STALL_STORES] > 0;

	n[LANE_SCHEDULER_EMPTY] = !waiting;
	n[LANE_EMPTY_RESOURCE] = !waiting && (stores || level[SPAN_STALL + CORE_STALL_ROB] > 0 ||
	                                      level[SPAN_STALL + CORE_STALL_LOADS] > 0);
	n[LANE_EXECUTING_0] = !executed;
	n[LANE_CORE_BOUND] = !executed && waiting && !loads && !stores;
	n[LANE_STORE_BOUND] = stores && !loads;
	if (waiting && executed >= 1 && executed <= 4)
		n[LANE_EXECUTING_1 + executed - 1] = 1;
	n[LANE_LOAD_CLOCKS] = loads;
	n[LANE_L1D_MISSES] = (uint8_t)level[SPAN_L1];
	n[LANE_L1D_MISS_CLOCKS] = level[SPAN_L1] > 0;
	n[LANE_L2_MISSES] = (uint8_t)level[SPAN_L2];
	n[LANE_L2_MISS_CLOCKS] = level[SPAN_L2] > 0;
	n[LANE_LLC_MISSES] = (uint8_t)level[SPAN_L3];
	n[LANE_LLC_MISS_CLOCKS] = level[SPAN_L3] > 0;
	n[LANE_L2_OWNERSHIPS] = (uint8_t)level[SPAN_OWNERSHIP];
	n[LANE_BUFFERS_FULL] = level[SPAN_BUFFERS] > 0;
	n[LANE_INT_DIVIDER] = level[SPAN_INT_DIVIDER] > 0;
	n[LANE_FP_DIVIDER] = level[SPAN_FP_DIVIDER] > 0;
	n[LANE_RECOVERY] = level[SPAN_RECOVERY] > 0;
}

/* Page walks, and what fetch waits for. */
static void waits(const struct core_per_clock *w, uint8_t *n)
{
	const int32_t *level = w->level;

	n[LANE_LOAD_WALKS] = (uint8_t)level[SPAN_LOAD_WALK];
	n[LANE_LOAD_WALK_CLOCKS] = level[SPAN_LOAD_WALK] > 0;
	n[LANE_STORE_WALKS] = (uint8_t)level[SPAN_STORE_WALK];
	n[LANE_STORE_WALK_CLOCKS] = level[SPAN_STORE_WALK] > 0;
	n[LANE_CODE_WALK_CLOCKS] = level[SPAN_CODE_WALK] > 0;
	n[LANE_CODE_TLB_STALL] = level[SPAN_CODE_TLB] > 0;
	n[LANE_CODE_LINE_STALL] = level[SPAN_CODE_LINE] > 0;
	n[LANE_FETCH_CLOCKS] = level[SPAN_CODE_TLB] > 0 || level[SPAN_CODE_LINE] > 0;
	n[LANE_L2_CODE_MISSES] = level[SPAN_CODE_L2] > 0;
	n[LANE_SWITCH_CLOCKS] = level[SPAN_SWITCH] > 0;
	n[LANE_READ_PORT_STALL] = level[SPAN_READ_PORTS] > 0;
	n[LANE_HEAD_WALK] = level[SPAN_HEAD_WALK] > 0;
	n[LANE_HEAD_MISS] = level[SPAN_HEAD_MISS] > 0;
	n[LANE_HEAD_TLB] = level[SPAN_HEAD_TLB] > 0;
	n[LANE_HEAD_BUFFER] = level[SPAN_HEAD_BUFFER] > 0;
	n[LANE_RETIRE_WALK] = level[SPAN_RETIRE_WALK] > 0;
	n[LANE_RETIRE_TLB] = level[SPAN_RETIRE_TLB] > 0;
	n[LANE_RETIRE_BUFFER] = level[SPAN_RETIRE_BUFFER] > 0;
	/* an instruction has two loads: the clock is that of the farthest line */
	if (level[SPAN_RETIRE_MEMORY] > 0)
		n[LANE_RETIRE_MEMORY] = 1;
	else if (level[SPAN_RETIRE_LLC] > 0)
		n[LANE_RETIRE_LLC] = 1;
	else
		n[LANE_RETIRE_L2] = level[SPAN_RETIRE_L2] > 0;
	n[LANE_HEAD_STORE] = level[SPAN_HEAD_STORE] > 0;
	n[LANE_LOCK_CLOCKS] = level[SPAN_LOCK] > 0;
	n[LANE_BUS_LOCK_CLOCKS] = level[SPAN_BUS_LOCK] > 0;
	n[LANE_PAUSE_CLOCKS] = level[SPAN_PAUSE] > 0;
}

static void stalls(const struct core_per_clock *w, const struct core_clock *at, uint8_t *n)
{
	static const uint8_t lanes[CORE_STALLS] = {
		[CORE_STALL_CODE] = LANE_CODE_STALL,
		[CORE_STALL_ROB] = LANE_ROB_STALL,
		[CORE_STALL_SCHEDULER] = LANE_SCHEDULER_STALL,
		[CORE_STALL_LOADS] = LANE_LOAD_STALL,
		[CORE_STALL_STORES] = LANE_STORE_STALL,
		[CORE_STALL_BARRIER] = LANE_BARRIER_STALL,
	};

	for (unsigned i = 0; i < CORE_STALLS; i++)
		n[lanes[i]] = w->level[SPAN_STALL + i] > 0;
	/* the clock in which the last code was renamed had some */
	if (at->issued + at->bogus)
		n[LANE_CODE_STALL] = 0;
}

static struct sim_run run_of(const struct core_per_clock *w, const struct core_clock *at,
                             unsigned width)
{
	struct sim_run run = { .clocks = 1 };

	run.n[LANE_CLOCKS] = 1;
	run.n[LANE_ISSUED] = at->issued;
	run.n[LANE_CACHED_UOPS] = at->cached;
	run.n[LANE_DECODED_UOPS] = (uint8_t)(at->issued - at->cached);
	run.n[LANE_MICROCODE_UOPS] = at->microcode;
	run.n[LANE_MICROCODE_CLOCKS] = at->microcode > 0;
	run.n[LANE_MICROCODE_CACHED] = at->microcode_cached;
	run.n[LANE_MICROCODE_DECODED] = (uint8_t)(at->microcode - at->microcode_cached);
	run.n[LANE_DECODERS] = at->decoders;
	run.n[LANE_DECODER0] = at->decoder0;
	run.n[LANE_SLOW_LEA_CLOCKS] = at->slow_lea > 0;
	run.n[LANE_SWITCHES] = at->switches;
	run.n[LANE_EXECUTED] = at->executed;
	run.n[LANE_BOGUS_ISSUED] = at->bogus;
	run.n[LANE_BOGUS_EXECUTED] = at->bogus_executed;
	run.n[LANE_RETIRED_SLOTS] = at->retired;
	run.n[LANE_HEAVY_SLOTS] = at->heavy;
	run.n[LANE_INSTRUCTIONS] = at->instructions;
	run.n[LANE_UOPS] = at->uops;
	for (unsigned i = 0; i < CORE_PORTS; i++)
		run.n[LANE_PORT0 + i] = at->ports >> i & 1;
	stalls(w, at, run.n);
	slots(w, at, width, run.n);
	activity(w, at, run.n);
	waits(w, run.n);
	return run;
}

/* ---- giving them ---- */

static bool nothing(const struct core_clock *at)
{
	static const struct core_clock empty;

	return !memcmp(at, &empty, sizeof(empty));
}

static bool append(struct core_per_clock *w, const struct sim_run *run)
{
	if (w->runs && !memcmp(w->run[w->runs - 1].n, run->n, sizeof(run->n))) {
		w->run[w->runs - 1].clocks += run->clocks;
		return true;
	}
	if (w->runs == w->room) {
		unsigned room = w->room ? 2 * w->room : 64;
		struct sim_run *more = realloc(w->run, room * sizeof(*more));

		if (!more)
			return false;
		w->run = more;
		w->room = room;
	}
	w->run[w->runs++] = *run;
	return true;
}

/* One clock; false: no memory. *idle: nothing began, ended or happened in it. */
static bool give(struct core_per_clock *w, unsigned width, bool *idle)
{
	struct core_clock *at = &w->clock[w->from % CORE_WATCHED];
	bool asleep = w->from >= w->asleep && w->from < w->awake;
	struct sim_run run;

	*idle = nothing(at);
	for (unsigned i = 0; at->spans && i < CORE_SPANS; i++)
		w->level[i] += at->change[i];
	run = run_of(w, at, width);
	if (!*idle)
		memset(at, 0, sizeof(*at));
	return asleep || append(w, &run);
}

void core_per_clock_take(struct core *c, struct sim_step *step)
{
	struct core_per_clock *w = c->per_clock;
	uint64_t until = final(c);
	unsigned width = c->machine->p.rename_width;
	bool idle, was_idle = false;

	w->runs = 0;
	for (; w->from < until; w->from++) {
		if (was_idle && nothing(&w->clock[w->from % CORE_WATCHED]) &&
		    w->from != w->asleep && w->from != w->awake) {
			if (w->runs && (w->from < w->asleep || w->from >= w->awake))
				w->run[w->runs - 1].clocks++;
			continue;
		}
		if (!give(w, width, &idle))
			break;
		was_idle = idle;
	}
	step->run = w->run;
	step->runs = w->runs;
}
