/*
 * sim/timing/core_wrong_path.c - the wrong path through a core.
 */
#include "sim/timing/core_wrong_path.h"
#include "sim/timing/per_clock.h"

#include <string.h>

#define NEVER UINT64_MAX

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void core_wrong_path_open(struct core_wrong_path *s, const struct core *c,
                          const struct core_result *branch, bool taken)
{
	memset(s, 0, sizeof(*s));
	s->core = c;
	s->clock = branch->renamed + 1 + (taken ? c->machine->p.taken_bubble / CORE_TICKS : 0);
	s->until = branch->done;
	memcpy(s->reg, c->reg, sizeof(s->reg));
	s->top = c->top;
}

static unsigned physical(const struct core_wrong_path *s, unsigned reg)
{
	if (reg >= CORE_ST && reg < CORE_MM)
		return CORE_ST + ((reg - CORE_ST + s->top) & 7);
	return reg;
}

static void next_clock(struct core_wrong_path *s, uint64_t clock)
{
	if (clock <= s->clock)
		return;
	s->clock = clock;
	s->renamed = 0;
	s->decoded = 0;
}

/*
 * Waits until a queue of this size has room for entry number n; `of` are the clocks in which its
 * entries leave, `taken` how many there were before the wrong path.
 */
static void wait_for_room(struct core_wrong_path *s, const uint64_t *of, uint64_t taken, unsigned n,
                          unsigned size)
{
	if (n >= size)
		next_clock(s, s->until);
	else
		next_clock(s, of[(taken + n - size) % CORE_QUEUE]);
}

static bool rename_insn(struct core_wrong_path *s, const struct core_insn *insn)
{
	const struct core *c = s->core;
	const struct core_parameters *p = &c->machine->p;

	if (!c->hit && s->decoded == p->decode_width)
		next_clock(s, s->clock + 1);
	s->decoded++;
	for (unsigned i = 0; i < insn->loads; i++)
		wait_for_room(s, c->loads, c->load_count, s->loads++, p->load_queue / c->running);
	for (unsigned i = 0; i < insn->stores; i++)
		wait_for_room(s, c->stores, c->store_count, s->stores++,
		              p->store_queue / c->running);
	for (unsigned i = 0; i < insn->fused && s->clock < s->until; i++) {
		wait_for_room(s, c->rob, c->uops, s->uops++, p->rob / c->running);
		if (s->renamed == p->rename_width)
			next_clock(s, s->clock + 1);
		s->renamed++;
	}
	return s->clock < s->until && s->waiting + insn->fused <= p->scheduler / c->running;
}

/* The uops of an instruction that was renamed, the last of them in this clock. */
static void watch_rename(const struct core_wrong_path *s, const struct core_insn *insn)
{
	unsigned width = s->core->machine->p.rename_width;
	unsigned left = insn->fused, now = s->renamed < left ? s->renamed : left;

	for (uint64_t clock = s->clock; left; clock--) {
		struct core_clock *at = core_per_clock_at(s->core->per_clock, clock);

		at->bogus = (uint8_t)(at->bogus + now);
		left -= now;
		now = left < width ? left : width;
	}
}

static uint64_t load_latency(const struct core_parameters *p, const struct core_insn *insn)
{
	if (insn->load_kind == CORE_LOAD_VECTOR)
		return p->load_vector;
	return insn->load_kind == CORE_LOAD_X87 ? p->load_x87 : p->load;
}

static void write_results(struct core_wrong_path *s, const struct core_insn *insn, uint64_t start,
                          uint64_t address)
{
	if (insn->push > 0)
		s->top = (s->top - 1) & 7;
	for (unsigned i = 0; i < insn->dsts; i++) {
		bool moves = insn->moves >> i & 1; /* a pointer, which does not wait for data */
		uint64_t from = moves ? address : start;
		uint64_t latency = moves ? CORE_TICKS : insn->latency[i == insn->second];

		s->reg[physical(s, insn->dst[i])] = from == NEVER ? NEVER : from + latency;
	}
	if (insn->push < 0)
		s->top = (uint8_t)((s->top - insn->push) & 7);
}

enum core_fate core_wrong_path_step(struct core_wrong_path *s, const struct core_insn *insn,
                                    bool missed, bool taken)
{
	const struct core_parameters *p = &s->core->machine->p;
	uint64_t address, ready, end = s->until * CORE_TICKS;
	bool begins;

	if (insn->flags & CORE_SERIAL || !rename_insn(s, insn))
		return CORE_WRONG_PATH_ENDS;
	if (s->core->per_clock)
		watch_rename(s, insn);
	address = ready = (s->clock + 1) * CORE_TICKS;
	for (unsigned i = 0; i < insn->addresses; i++)
		address = later(address, s->reg[physical(s, insn->address[i])]);
	begins = insn->loads && address < end;
	if (insn->loads)
		ready = missed || address == NEVER ? NEVER : address + load_latency(p, insn);
	for (unsigned i = 0; i < insn->srcs; i++)
		ready = later(ready, s->reg[physical(s, insn->src[i])]);
	write_results(s, insn, ready, address);
	s->begun = (ready < end ? ready : address) / CORE_TICKS;
	if (insn->flags & CORE_FENCE) /* it and all behind it wait for the branch */
		next_clock(s, s->until);
	else if (taken)
		next_clock(s, s->clock + 1 + p->taken_bubble / CORE_TICKS);
	if (!(insn->flags & (CORE_FENCE | CORE_LOCK)) && (begins || ready < end))
		return CORE_WRONG_PATH_EXECUTED;
	s->waiting += insn->fused;
	return CORE_WRONG_PATH_RENAMED;
}
