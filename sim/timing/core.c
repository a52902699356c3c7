/*
 * sim/timing/core.c - the pipeline of a superscalar core, as times.
 *
 * Fetch, rename and retirement count clocks, execution counts ticks (sim/timing/core.h). Each
 * instruction passes the stages in program order, and what a later stage has too little of holds
 * an earlier one. Ports are reserved clock by clock, so that an instruction that waits does not
 * keep a later one from using its port before.
 *
 * Most instructions are plain (core_insn.plain), and mostly one thread runs without a counter per
 * clock, and no counter needs to know how a step went. What such a step never does is left out of
 * it: there the argument `quick` is true and `out` is NULL. Without that second kind of step a
 * default run of skylake takes 1.28 times as long. A third kind, for instructions of one uop
 * without a memory access, was worth 1.04 and is gone.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/timing/core.h"
#include "sim/timing/per_clock.h"

#define NONE UINT64_MAX

/*
 * What is compiled for each kind of step anew. There `quick` is constant, and so is whether `out`
 * is NULL.
 */
#define FOR_EACH inline __attribute__((always_inline))

/* RETIRE_STAGES: clocks from rename to retirement that no uop saves; unverified. */
enum { LINE = 64, FILLS = 32, FETCHED_BLOCKS = 3, RETIRE_STAGES = 5 };

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The first clock that begins at this tick or later. */
static uint64_t clock_from(uint64_t tick)
{
	return (tick + CORE_TICKS - 1) / CORE_TICKS;
}

bool core_reset(struct core *c, const struct core_machine *m, struct core *first)
{
	size_t lines = (size_t)m->p.uop_cache_sets * m->p.uop_cache_ways;

	memset(c, 0, sizeof(*c));
	c->machine = m;
	c->shared = first ? &first->own : &c->own;
	c->thread = !!first;
	c->running = 1;
	c->window = NONE;
	c->block = NONE;
	c->prefix_block = NONE;
	c->fetch_end = NONE;
	if (lines) {
		c->cached = malloc(lines * sizeof(*c->cached));
		c->cached_lines = calloc(lines, 1);
		if (!c->cached || !c->cached_lines) {
			core_free(c);
			return false;
		}
		memset(c->cached, 0xff, lines * sizeof(*c->cached));
	}
	for (unsigned i = 0; i < FILLS; i++)
		c->fill_line[i] = NONE;
	for (unsigned i = 0; i < CORE_PORTS; i++)
		c->own.pressure[i] = i;
	memset(c->queue_of, CORE_PORTS, sizeof(c->queue_of));
	return true;
}

void core_free(struct core *c)
{
	core_per_clock_free(c);
	free(c->cached);
	free(c->cached_lines);
	c->cached = NULL;
	c->cached_lines = NULL;
}

/* ---- Front end ---- */

static size_t window_set(const struct core *c, uint64_t window)
{
	const struct core_parameters *p = &c->machine->p;
	uint32_t number = (uint32_t)(window >> c->machine->window_shift);

	if (p->uop_cache_sets & (p->uop_cache_sets - 1))
		return (size_t)(number % p->uop_cache_sets) * p->uop_cache_ways;
	return (size_t)(number & (p->uop_cache_sets - 1u)) * p->uop_cache_ways;
}

void core_forget_code(struct core *c)
{
	size_t lines = (size_t)c->machine->p.uop_cache_sets * c->machine->p.uop_cache_ways;

	if (lines)
		memset(c->cached, 0xff, lines * sizeof(*c->cached));
	c->window = NONE;
}

/* Is the window in the uop cache? It becomes the latest of its set. */
static bool window_hit(struct core *c, uint64_t window)
{
	const struct core_parameters *p = &c->machine->p;
	size_t set;

	if (!p->uop_cache_sets)
		return false;
	set = window_set(c, window);
	if (c->cached[set] == window)
		return true;
	for (unsigned i = 1; i < p->uop_cache_ways; i++) {
		uint8_t lines = c->cached_lines[set + i];

		if (c->cached[set + i] != window)
			continue;
		memmove(c->cached + set + 1, c->cached + set, i * sizeof(*c->cached));
		memmove(c->cached_lines + set + 1, c->cached_lines + set, i);
		c->cached[set] = window;
		c->cached_lines[set] = lines;
		return true;
	}
	return false;
}

/* A window has been decoded: it goes into the uop cache, if it is not too large. */
static void window_fill(struct core *c)
{
	const struct core_parameters *p = &c->machine->p;
	unsigned lines, used = 0;
	size_t set;

	if (c->window == NONE || c->hit || !p->uop_cache_sets || !c->window_uops)
		return;
	lines = (c->window_uops + p->uop_cache_line - 1) / p->uop_cache_line;
	if (lines > p->uop_cache_lines || window_hit(c, c->window))
		return;
	set = window_set(c, c->window);
	memmove(c->cached + set + 1, c->cached + set, (p->uop_cache_ways - 1) * sizeof(*c->cached));
	memmove(c->cached_lines + set + 1, c->cached_lines + set, p->uop_cache_ways - 1u);
	c->cached[set] = c->window;
	c->cached_lines[set] = (uint8_t)lines;
	for (unsigned i = 0; i < p->uop_cache_ways; i++) {
		used += c->cached_lines[set + i];
		if (used > p->uop_cache_ways) {
			c->cached[set + i] = NONE;
			c->cached_lines[set + i] = 0;
		}
	}
}

static inline void next_fetch_clock(struct core *c, uint64_t clocks)
{
	const struct core_parameters *p = &c->machine->p;

	c->fetch_clock += clocks;
	c->slots = c->hit ? p->uop_cache_width : p->decode_width;
}

/* Enters the window of an instruction, which is not the one before, or after a jump. */
static void enter_window(struct core *c, uint64_t window, uint64_t rip)
{
	bool was_hit = c->hit;

	if (window != c->window || rip < c->fetch_end) {
		window_fill(c);
		c->window = window;
		c->window_uops = 0;
		c->hit = window_hit(c, window);
	}
	if (c->jumped)
		c->block = NONE;
	if (c->hit != was_hit) {
		if (was_hit)
			core_per_clock_switch(c, c->jumped ? 1 : 2);
		c->block = NONE;
		next_fetch_clock(c, 1);
	}
}

/* A length-changing prefix, or what is taken for one. */
static void length_stall(struct core *c, const struct core_insn *insn, uint64_t rip,
                         struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	bool f7 = insn->flags & CORE_F7 &&
	          (p->lcp_f7 == 1 || (p->lcp_f7 == 2 && rip % p->fetch_bytes == 14));

	if (!f7 && !(insn->flags & CORE_LCP))
		return;
	if (p->lcp_lines && rip / p->fetch_bytes == c->lcp_line && !c->jumped)
		return;
	c->lcp_line = rip / p->fetch_bytes;
	c->block_clock += p->lcp_stall / CORE_TICKS;
	if (out)
		out->prefix_stall = (uint8_t)(p->lcp_stall / CORE_TICKS);
}

/* All instructions of a clock come out of one window of code, or from its end into the next one. */
static void decode_window(struct core *c, const struct core_insn *insn, uint64_t rip)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t first = rip / p->decode_window;
	bool across = (rip + insn->length - 1) / p->decode_window != first;

	if (c->slots < p->decode_width && (across || first != c->whole))
		c->slots = 0;
	c->whole = across ? NONE : first;
}

/* Clocks of an instruction with many prefixes that are read block by block, and removed. */
static uint64_t prefix_blocks(struct core *c, const struct core_insn *insn, uint64_t rip)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t first = rip / p->prefix_block;
	uint64_t last = (rip + insn->prefixes - 1u) / p->prefix_block;
	uint64_t blocks = last - first + (first != c->prefix_block);
	uint64_t free = sooner(insn->prefixes, p->prefix_free), now = c->fetch_clock * 8;

	c->prefix_block = last;
	c->prefix_until = later(c->prefix_until, now) + (insn->prefixes - free) * p->prefix_eighths;
	return later(blocks, (c->prefix_until - now) / 8);
}

/* Clocks of an instruction that has more prefixes than decode at once. */
static uint64_t prefix_clocks(struct core *c, const struct core_insn *insn, uint64_t rip)
{
	const struct core_parameters *p = &c->machine->p;
	unsigned ticks;

	if (p->prefix_block)
		return prefix_blocks(c, insn, rip);
	if (!p->prefix_group)
		return insn->prefixes + p->prefix_clocks;
	ticks = (insn->prefixes + p->prefix_group - 1u) / p->prefix_group * 3 + 1;
	ticks = ticks * CORE_TICKS / 2 + c->prefix_ticks;
	c->prefix_ticks = ticks % CORE_TICKS;
	return ticks / CORE_TICKS;
}

/*
 * Clocks for which the decoders do nothing but an instruction of microcode, beyond the first. After
 * one that serializes they wait for its retirement anyway.
 */
static uint64_t microcode_clocks(const struct core_parameters *p, const struct core_insn *insn)
{
	uint64_t clocks = (insn->fused + 3u) / 4, whole = clock_from(insn->longest);

	if (!p->microcode_waits || insn->flags & CORE_SERIAL)
		return clocks;
	return later(clocks, whole ? whole - 1 : 0);
}

/*
 * Decoders: bytes of code, instructions a clock, and those that only the first one takes. slow:
 * core_insn.slow_decode, or true.
 */
static FOR_EACH void decode(struct core *c, const struct core_insn *insn, uint64_t rip,
                            struct core_result *out, bool slow)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t last = (rip + insn->length - 1) >> c->machine->fetch_shift;

	if (c->block == NONE) {
		c->prefix_block = NONE;
		c->block = rip >> c->machine->fetch_shift;
		next_fetch_clock(c, c->jumped ? 0 : 1);
		c->block_clock = c->fetch_clock;
	}
	if (last > c->block) {
		/* the bytes wait for the decoders, a few blocks of them */
		c->block_clock += last - c->block + FETCHED_BLOCKS;
		c->block_clock = later(c->block_clock, c->fetch_clock) - FETCHED_BLOCKS;
		c->block = last;
	}
	if (slow && insn->flags & (CORE_LCP | CORE_F7))
		length_stall(c, insn, rip, out);
	if (c->block_clock > c->fetch_clock)
		next_fetch_clock(c, c->block_clock - c->fetch_clock);
	if (p->whole_blocks && (c->jumped || rip + insn->length - c->whole > p->fetch_bytes)) {
		c->whole = rip;
		if (c->slots < p->decode_width)
			c->slots = 0;
	}
	if (p->decode_window)
		decode_window(c, insn, rip);
	if (slow && insn->prefixes > p->prefixes) {
		next_fetch_clock(c, prefix_clocks(c, insn, rip));
		c->slots = 1;
	} else if (slow && insn->prefixes && p->prefix_width &&
	           c->slots + p->prefix_width <= p->decode_width)
		c->slots = 0;
	if (!c->slots || (insn->first && c->slots < p->decode_width))
		next_fetch_clock(c, 1);
	c->decoder0 = c->slots == p->decode_width;
	c->slots--;
	if (slow && insn->flags & CORE_MICROCODE) {
		next_fetch_clock(c, microcode_clocks(p, insn));
		c->slots = 0;
	}
}

static void __attribute__((noinline))
decode_slowly(struct core *c, const struct core_insn *insn, uint64_t rip, struct core_result *out)
{
	decode(c, insn, rip, out, true);
}

/* The clock in which the uops of an instruction are there. */
static FOR_EACH uint64_t fetch(struct core *c, const struct core_insn *insn,
                               const struct core_dyn *dyn, unsigned uops, struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t free = c->left_queue[(c->instructions - p->decode_queue) & 63];
	uint64_t window = dyn->rip & ~(uint64_t)(p->uop_cache_window - 1);

	if (c->fetch_clock < free)
		next_fetch_clock(c, free - c->fetch_clock);
	if (out)
		core_per_clock_asked(c, out);
	if (dyn->fetch) {
		core_per_clock_fetch(c, dyn);
		next_fetch_clock(c, dyn->fetch);
	}
	if (window != c->window || (c->jumped && !c->hit))
		enter_window(c, window, dyn->rip);
	uops += c->wide_before & insn->wide_immediate;
	c->wide_before = insn->wide_immediate;
	c->window_uops += uops;
	if (!c->hit && (out || insn->slow_decode)) {
		decode_slowly(c, insn, dyn->rip, out);
	} else if (!c->hit) {
		decode(c, insn, dyn->rip, out, false);
	} else {
		while (uops > c->slots) {
			uops -= c->slots;
			next_fetch_clock(c, 1);
		}
		c->slots -= (uint16_t)uops;
	}
	c->jumped = dyn->taken;
	c->fetch_end = dyn->rip + insn->length;
	if (dyn->taken) {
		uint64_t ready = c->fetch_clock;

		next_fetch_clock(c, 1 + p->taken_bubble / CORE_TICKS);
		return ready;
	}
	return c->fetch_clock;
}

/* ---- Rename ---- */

static void __attribute__((noinline)) empty_block(struct core_shared *s, uint64_t block)
{
	unsigned i = block % CORE_BLOCKS;

	s->block_of[i] = block;
	memset(s->busy + i * 64, 0, 64 * sizeof(*s->busy));
	memset(s->freed[i * 64], 0, 64 * sizeof(*s->freed));
	memset(s->renamed + i * 64, 0, 64);
	memset(s->retired + i * 64, 0, 64);
}

/* The block of a clock; empty if nothing is known of it yet. */
static inline unsigned block_at(struct core_shared *s, uint64_t clock)
{
	unsigned i = clock / 64 % CORE_BLOCKS;

	if (s->block_of[i] != clock / 64)
		empty_block(s, clock / 64);
	return i;
}

/* Where freed, renamed and retired have this clock. */
static inline unsigned clock_at(struct core *c, uint64_t clock)
{
	return block_at(c->shared, clock) * 64 + clock % 64;
}

/* While both threads of a core run, each has half of what it has of this. */
static FOR_EACH unsigned half(const struct core *c, unsigned size, bool quick)
{
	return quick ? size : size >> (c->running - 1);
}

/* When the scheduler has a place for one more uop, from this clock on. */
static FOR_EACH uint64_t scheduler_place(struct core *c, uint64_t clock, bool quick)
{
	unsigned size = half(c, c->machine->p.scheduler, quick);
	const struct core_shared *s = c->shared;
	uint64_t now = c->scheduler_clock;
	uint32_t waiting = c->waiting;

	if (clock > now + CORE_WINDOW / 2) {
		now = clock;
		waiting = 0;
	}
	if (!waiting && now < clock)
		now = clock;
	while (now < clock || waiting >= size) {
		now++;
		if (s->block_of[now / 64 % CORE_BLOCKS] == now / 64) {
			unsigned freed = s->freed[now % CORE_WINDOW][c->thread];

			waiting -= freed < waiting ? freed : waiting;
		}
		if (now > clock + CORE_WINDOW / 2)
			waiting = 0;
	}
	c->scheduler_clock = now;
	c->waiting = waiting + 1;
	return later(clock, now);
}

/* Do the uops that both threads rename in this clock fill it? */
static FOR_EACH bool taken_slots(struct core *c, uint64_t clock, unsigned width, bool quick)
{
	return !quick && c->running > 1 && c->shared->renamed[clock_at(c, clock)] >= width;
}

static FOR_EACH void stall(struct core *c, struct core_result *out, enum core_stall cause,
                           uint64_t *clock, uint64_t until, bool quick)
{
	if (until <= *clock)
		return;
	if (!quick && c->per_clock && cause != CORE_STALL_BARRIER)
		core_per_clock_span(c->per_clock, SPAN_STALL + cause, *clock, until, 1);
	if (out)
		out->stall[cause] += (uint32_t)(until - *clock);
	*clock = until;
}

/*
 * Nothing is renamed before this clock. The clocks until then are final at once, so whoever watches
 * must know now why rename stands still in them.
 */
static void raise_barrier(struct core *c, uint64_t until)
{
	if (until <= c->barrier)
		return;
	if (c->per_clock)
		core_per_clock_span(c->per_clock, SPAN_STALL + CORE_STALL_BARRIER,
		                    later(c->rename_clock, c->barrier), until, 1);
	c->barrier = until;
}

/*
 * Notes which registers an instruction reads that nothing under way writes: those come from the
 * retired register file, which has few ports.
 */
static void note_reads(struct core *c, const struct core_insn *insn, uint64_t clock)
{
	for (unsigned bits = insn->reads & ~c->read_now; bits; bits &= bits - 1) {
		unsigned reg = (unsigned)__builtin_ctz(bits);

		if (c->written[reg] <= clock)
			c->read_now |= 1u << reg;
	}
}

/* Notes that an instruction which writes registers has retired. */
static inline void note_writes(struct core *c, const struct core_insn *insn)
{
	uint64_t clock = c->retire_clock + RETIRE_STAGES;

	for (unsigned bits = insn->general; bits; bits &= bits - 1)
		c->written[__builtin_ctz(bits)] = clock;
}

/* Clocks for which the uops renamed last keep the next ones from being renamed. */
static inline unsigned rename_clocks(struct core *c)
{
	unsigned ports = c->machine->p.register_reads, clocks = 0;
	uint32_t left = c->read_now;

	c->read_now = 0;
	do {
		clocks++;
		for (unsigned i = 0; i < ports; i++)
			left &= left - 1;
	} while (left);
	return clocks;
}

/* Renames one uop, not before this clock. Returns the clock in which that is. */
static FOR_EACH uint64_t rename_uop(struct core *c, const struct core_insn *insn, uint64_t clock,
                                    bool executes, bool first, struct core_result *out, bool quick)
{
	const struct core_parameters *p = &c->machine->p;

	stall(c, out, CORE_STALL_ROB, &clock,
	      c->rob[(c->uops - half(c, p->rob, quick)) % CORE_QUEUE], quick);
	if (executes)
		stall(c, out, CORE_STALL_SCHEDULER, &clock, scheduler_place(c, clock, quick),
		      quick);
	if (clock > c->rename_clock) {
		if (c->read_now) {
			uint64_t there = c->rename_clock + rename_clocks(c);

			core_per_clock_ports(c, clock, there);
			clock = later(clock, there);
		}
		c->rename_clock = clock;
		c->renamed = 0;
	}
	while (c->renamed == p->rename_width || taken_slots(c, clock, p->rename_width, quick)) {
		if (c->read_now) {
			uint64_t next = clock + 1;

			clock += rename_clocks(c);
			core_per_clock_ports(c, next, clock);
		} else {
			clock++;
		}
		c->rename_clock = clock;
		c->renamed = 0;
	}
	if (p->register_reads && first)
		note_reads(c, insn, clock);
	c->renamed++;
	if (!quick && c->per_clock)
		core_per_clock_renamed(c, insn, clock, first);
	if (!quick && c->running > 1)
		c->shared->renamed[clock_at(c, clock)]++;
	c->uops++;
	return clock;
}

/* The clock in which the last uop of the instruction is renamed. */
static FOR_EACH uint64_t rename_uops(struct core *c, const struct core_insn *insn,
                                     const struct core_dyn *dyn, unsigned uops, uint64_t fetched,
                                     struct core_result *out, bool quick)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t clock = c->rename_clock;
	bool executes = insn->uops || dyn->accesses;

	stall(c, out, CORE_STALL_BARRIER, &clock, c->barrier, quick);
	if (out && fetched > clock)
		core_per_clock_code(c, insn, dyn, clock, fetched, out);
	stall(c, out, CORE_STALL_CODE, &clock, fetched, quick);
	for (unsigned i = 0; i < dyn->accesses; i++) {
		uint64_t stores = c->store_count - half(c, p->store_queue, quick);
		uint64_t loads = c->load_count - half(c, p->load_queue, quick);

		if (dyn->access[i].write)
			stall(c, out, CORE_STALL_STORES, &clock, c->stores[stores % CORE_QUEUE],
			      quick);
		else
			stall(c, out, CORE_STALL_LOADS, &clock, c->loads[loads % CORE_QUEUE],
			      quick);
	}
	if (uops)
		clock = rename_uop(c, insn, clock, executes, true, out, quick);
	for (unsigned i = 1; i < uops; i++)
		clock = rename_uop(c, insn, clock, executes, false, out, quick);
	if (!uops && clock > c->rename_clock) {
		c->rename_clock = clock;
		c->renamed = 0;
	}
	c->left_queue[c->instructions & 63] = clock;
	return clock;
}

/* ---- Execution ---- */

/* The ports that have a uop in this clock. */
static inline uint16_t *busy_ports(struct core_shared *s, uint64_t clock)
{
	block_at(s, clock);
	return &s->busy[clock % CORE_WINDOW];
}

/* Those of a set of ports that are free for so many clocks from this one on. */
static inline unsigned free_ports(struct core_shared *s, unsigned ports, uint64_t clock,
                                  unsigned clocks)
{
	ports &= ~(unsigned)*busy_ports(s, clock);
	while (ports && --clocks)
		ports &= ~(unsigned)*busy_ports(s, ++clock);
	return ports;
}

/*
 * The first clock from this one on in which a port of a set is free for so many clocks. The set
 * becomes that of the ports that are. Clocks in which a set had no free port are not tried again.
 */
static uint64_t __attribute__((noinline))
free_clock(struct core_shared *s, unsigned *ports, uint64_t clock, unsigned clocks)
{
	struct core_full *full = &s->full[*ports % CORE_FULL];
	bool known = full->ports == *ports && clock >= full->from && clock <= full->until;
	uint64_t from = clock;
	unsigned free;

	if (known)
		clock = full->until;
	while (!(free = free_ports(s, *ports, clock, clocks)))
		clock++;
	if (clocks == 1) {
		if (!known)
			*full = (struct core_full){ .ports = *ports, .from = from };
		full->until = clock;
	}
	*ports = free;
	return clock;
}

/* Of several ports the one that has had the least to do lately, the first of equals. */
static inline unsigned idle_port(const struct core_shared *s, unsigned ports)
{
	uint64_t least = NONE;

	if (!(ports & (ports - 1)))
		return (unsigned)__builtin_ctz(ports);
	for (; ports; ports &= ports - 1)
		least = sooner(least, s->pressure[__builtin_ctz(ports)]);
	return least % CORE_PORTS;
}

/* A port has so many more clocks of work. */
static inline void press(struct core_shared *s, unsigned port, unsigned clocks)
{
	uint64_t most = s->pressed, pressure = s->pressure[port] - port;

	/* what lay idle for long does not get everything for long */
	if (pressure + 8 * CORE_PORTS < most)
		pressure = most - 8 * CORE_PORTS;
	pressure += (uint64_t)clocks * CORE_PORTS;
	s->pressure[port] = pressure + port;
	s->pressed = later(most, pressure);
}

/* Reserves the port that is free first; returns the tick at which the uop starts. */
static FOR_EACH uint64_t take_port(struct core *c, unsigned ports, unsigned busy, uint64_t ready,
                                   struct core_result *out, bool quick)
{
	uint16_t fast = c->machine->p.port_double;
	uint64_t clock = fast && !(ports & fast) ? clock_from(ready) : ready / CORE_TICKS;
	struct core_shared *s = c->shared;
	uint16_t *taken = busy_ports(s, clock);
	unsigned port;

	if (busy == 1 && ports & ~(unsigned)*taken) {
		port = idle_port(s, ports & ~(unsigned)*taken);
		*taken |= (uint16_t)(1u << port);
	} else {
		clock = free_clock(s, &ports, clock, busy);
		port = idle_port(s, ports);
		for (unsigned i = 0; i < busy; i++)
			*busy_ports(s, clock + i) |= (uint16_t)(1u << port);
	}
	press(s, port, busy);
	if (out) {
		out->port[port]++;
		out->executed++;
	}
	if (!quick && c->per_clock) {
		struct core_clock *at = core_per_clock_at(c->per_clock, clock);

		at->executed++;
		at->ports |= (uint16_t)(1u << port);
	}
	return later(ready, clock * CORE_TICKS);
}

/*
 * A uop was sent to a port in the tick `from`, before what it needs is there or when it is. It
 * executes again in each round of the replay loop, as far as the window of ports reaches. Returns
 * the tick of the right execution, which takes its port as the row says. The others take a clock.
 */
static uint64_t __attribute__((noinline))
replay(struct core *c, unsigned ports, unsigned busy, uint64_t from, uint64_t until,
       struct core_result *out)
{
	uint64_t far = (c->rename_clock + CORE_WINDOW / 8 * 7) * CORE_TICKS;

	for (unsigned rounds = 1; from < until; rounds++) {
		from = rounds == c->machine->p.replay_rounds || from >= far
		               ? until
		               : sooner(from + c->machine->p.replay_loop * CORE_TICKS, until);
		from = take_port(c, ports, 1, from, out, false);
	}
	if (busy > 1)
		take_port(c, ports, busy - 1, from + CORE_TICKS, NULL, true);
	return from;
}

/*
 * The same as take_port(). soon: NULL, or the tick at which the scheduler takes the operands to be
 * there. Then it becomes that of the first execution.
 */
static FOR_EACH uint64_t send(struct core *c, unsigned ports, unsigned busy, uint64_t ready,
                              uint64_t *soon, struct core_result *out, bool quick)
{
	uint64_t start;

	if (!soon)
		return take_port(c, ports, busy, ready, out, quick);
	if (*soon < ready) {
		*soon = take_port(c, ports, 1, *soon, out, quick);
		return replay(c, ports, busy, *soon, ready, out);
	}
	start = take_port(c, ports, busy, ready, out, quick);
	*soon = start;
	return start;
}

static FOR_EACH void leave_scheduler(struct core *c, uint64_t start, unsigned uops, bool quick)
{
	c->shared->freed[clock_at(c, start / CORE_TICKS)][c->thread] += (uint16_t)uops;
	if (!quick && c->per_clock)
		core_per_clock_span(c->per_clock, SPAN_WAITING, c->rename_clock, start / CORE_TICKS,
		                    uops);
}

static unsigned physical(const struct core *c, unsigned reg)
{
	if (reg >= CORE_ST && reg < CORE_MM)
		return CORE_ST + ((reg - CORE_ST + c->top) & 7);
	return reg;
}

/* The last store to any of these bytes; NULL: none of those remembered. */
static const struct core_store *last_store(const struct core *c, const struct core_access *a)
{
	uint64_t first = a->address / 8, last = (a->address + a->size - 1) / 8;
	uint32_t newest = 0;
	const struct core_store *s;

	for (uint64_t at = first; at <= last && at < first + 5; at++)
		if (c->store_at[at % 256] > newest)
			newest = c->store_at[at % 256];
	if (!newest || newest + CORE_STORES <= (uint32_t)c->store_count)
		return NULL;
	s = &c->store[newest % CORE_STORES];
	if (s->address >= a->address + a->size || a->address >= s->address + s->size)
		return NULL;
	return s;
}

static unsigned fill_buffers(const struct core *c)
{
	const struct core_parameters *p = &c->machine->p;

	return c->running > 1 ? p->fill_buffers_two : p->fill_buffers;
}

/*
 * An access that takes longer than a hit of the first level: waits for a fill buffer. Page walks
 * and accesses across lines take one, too.
 */
static uint64_t fill_line(struct core *c, const struct core_access *a, uint64_t start)
{
	unsigned i = c->fills++ % fill_buffers(c);
	uint64_t done = later(start, c->fill[i]) + (uint64_t)a->extra * CORE_TICKS;

	c->fill[i] = done;
	c->fill_line[i] = a->address / LINE;
	c->fill_missed[i] = a->level > 0;
	c->fill_until = later(c->fill_until, done);
	return done;
}

/* When the data of a line is there that may be under way. *missed: it is, after a miss. */
static uint64_t fill_wait(const struct core *c, uint64_t address, uint64_t start, bool *missed)
{
	if (c->fill_until <= start)
		return start;
	for (unsigned i = 0; i < c->machine->p.fill_buffers; i++) {
		if (c->fill_line[i] != address / LINE)
			continue;
		*missed = c->fill_missed[i] && c->fill[i] > start;
		return later(start, c->fill[i]);
	}
	return start;
}

static inline uint64_t load_latency(const struct core *c, const struct core_insn *insn)
{
	bool chases = insn->chases && c->from_load & insn->bases;

	return insn->load_time - (chases ? c->machine->p.load_chase : 0u);
}

static bool across_line(uint64_t address, unsigned size)
{
	return (address ^ (address + size - 1)) / LINE;
}

/*
 * When the data of a load is there. soon: as send() has it of the address. Then it becomes the tick
 * at which the scheduler takes the data to be there, as if the first level had it.
 */
static FOR_EACH uint64_t load(struct core *c, const struct core_insn *insn,
                              const struct core_access *a, uint64_t ready, uint64_t *soon,
                              struct core_result *out, bool quick)
{
	const struct core_parameters *p = &c->machine->p;
	uint16_t ports = insn->load_kind == CORE_LOAD_GPR ? p->port_load : p->port_load_vector;
	unsigned busy = 1 + (across_line(a->address, a->size) ? p->split_load : 0);
	uint64_t start = send(c, ports, busy, ready, soon, out, quick), asked = start, done;
	const struct core_store *s = last_store(c, a);
	bool missed = false, inside;

	if (a->extra)
		start = fill_line(c, a, start);
	else
		start = fill_wait(c, a->address, start, &missed);
	core_per_clock_begun(c, a, asked, start, missed, out);
	done = start + load_latency(c, insn);
	if (!quick && c->per_clock)
		core_per_clock_load(c, a, asked, start - (uint64_t)a->extra * CORE_TICKS, done);
	if (soon) {
		start = replay(c, ports, 1, asked, start, out);
		done = start + load_latency(c, insn);
		*soon += load_latency(c, insn);
	}
	if (!s || s->commit <= start)
		return done;
	core_per_clock_blocked(c, a, s, start);
	if (!quick && insn->flags & CORE_LOCK) /* reads the cache, when it has the store */
		return later(done, s->commit + load_latency(c, insn));
	inside = a->address >= s->address && a->address + a->size <= s->address + s->size;
	if (inside && (a->address == s->address || !p->forward_start)) {
		if (out) {
			out->forwarded = true;
			out->forward_waited |= s->data > start;
		}
		if (soon)
			start = replay(c, ports, 1, start, s->data, out);
		return later(start, s->data) +
		       (insn->load_kind == CORE_LOAD_GPR ? p->forward : p->forward_vector) +
		       (insn->narrow ? p->forward_narrow : 0) + (insn->part ? p->forward_part : 0);
	}
	if (out)
		*(inside ? &out->forward_unaligned : &out->forward_failed) = true;
	if (soon)
		replay(c, ports, 1, start, s->commit, out);
	return later(done, s->commit + p->forward_fail);
}

/*
 * All loads of an instruction: when their data is there, not before `ready`. soon: NULL, or as
 * load() has it of their address; behind that, of their data.
 */
static FOR_EACH uint64_t load_all(struct core *c, const struct core_insn *insn,
                                  const struct core_dyn *dyn, unsigned accesses, uint64_t address,
                                  uint64_t ready, uint64_t *soon, unsigned *loads,
                                  struct core_result *out, bool quick)
{
	for (unsigned i = 0; i < accesses; i++) {
		uint64_t sent = soon ? soon[0] : 0, *to = soon ? &sent : NULL;

		if (dyn->access[i].write)
			continue;
		ready = later(ready, core_loaded(out, load(c, insn, &dyn->access[i], address, to,
		                                           out, quick)));
		if (soon)
			soon[1] = later(soon[1], sent);
		++*loads;
	}
	return ready;
}

/*
 * A store: when its last uop has executed. soon: NULL, or two ticks as send() has them, of the
 * address and of the data.
 */
static FOR_EACH uint64_t store(struct core *c, const struct core_insn *insn,
                               const struct core_access *a, uint64_t address, uint64_t data,
                               const uint64_t *soon, struct core_result *out, bool quick)
{
	const struct core_parameters *p = &c->machine->p;
	uint16_t ports = insn->load_kind == CORE_LOAD_GPR ? p->port_data : p->port_data_vector;
	uint64_t first[] = { soon ? soon[0] : 0, soon ? soon[1] : 0 };
	uint64_t at = send(c, p->port_address, 1, address, soon ? &first[0] : NULL, out, quick);
	uint64_t put = send(c, ports, 1, data, soon ? &first[1] : NULL, out, quick);
	uint32_t number = (uint32_t)++c->store_count;
	struct core_store *s = &c->store[number % CORE_STORES];

	s->address = a->address;
	s->size = a->size;
	s->data = later(put, at);
	/* the line is asked for as soon as the address is known; commit_stores() does the rest */
	s->commit = a->extra ? fill_line(c, a, at) : at;
	if (!quick && c->per_clock)
		core_per_clock_store(c, a, s->commit / CORE_TICKS - a->extra);
	for (uint64_t g = a->address / 8; g <= (a->address + a->size - 1) / 8; g++)
		c->store_at[g % 256] = number;
	return later(at, put) + CORE_TICKS;
}

/* All stores of an instruction that starts then; soon: its address and its start, or NULL. */
static FOR_EACH uint64_t stores(struct core *c, const struct core_insn *insn,
                                const struct core_dyn *dyn, uint64_t address, uint64_t start,
                                uint64_t slope, const uint64_t *soon, struct core_result *out,
                                bool quick)
{
	uint64_t data = slope + insn->latency[0], done = 0;
	uint64_t sent[] = { soon ? soon[0] : 0, soon ? soon[1] + data : 0 };

	for (unsigned i = 0; i < dyn->accesses; i++)
		if (dyn->access[i].write)
			done = later(done, store(c, insn, &dyn->access[i], address, start + data,
			                         soon ? sent : NULL, out, quick));
	return done;
}

/* The stores of an instruction that has retired are written in order. */
static void commit_stores(struct core *c, unsigned stores, uint64_t retired)
{
	for (unsigned i = stores; i--;) {
		uint64_t number = c->store_count - i;
		struct core_store *s = &c->store[number % CORE_STORES];
		uint64_t gap = c->machine->p.store_commit;

		if (s->address / LINE == c->commit_line && gap > c->machine->p.store_near)
			gap = c->machine->p.store_near;
		if (across_line(s->address, s->size))
			gap += c->machine->p.split_store;
		s->commit = later(s->commit, later(retired * CORE_TICKS, c->commit + gap));
		c->commit = s->commit;
		c->commit_line = s->address / LINE;
		c->stores[(number - 1) % CORE_QUEUE] = clock_from(s->commit);
	}
}

/* When the units that an instruction occupies are free. */
static uint64_t units_free(const struct core *c, const struct core_insn *insn, uint64_t ready)
{
	for (unsigned i = 0; i < insn->uops; i++)
		if (!insn->uop[i].ports)
			ready = later(ready, c->shared->unit[insn->uop[i].unit]);
	return ready;
}

/* The units are occupied from `first` on, for `slope` longer than the row says. */
static void occupy_units(struct core *c, const struct core_insn *insn, uint64_t first,
                         uint64_t slope)
{
	for (unsigned i = 0; i < insn->uops; i++) {
		uint64_t until = first + slope + insn->uop[i].busy * CORE_TICKS;

		if (insn->uop[i].ports)
			continue;
		c->shared->unit[insn->uop[i].unit] = until;
		if (c->per_clock)
			core_per_clock_unit(c, insn, &insn->uop[i], first, until);
	}
}

/* What a uop sees of the queues is how they were two clocks before its own. */
static void look_at_queues(struct core_queues *q, uint64_t clock)
{
	if (clock <= q->clock) /* the other thread may be far ahead: then its queues are seen */
		return;
	memcpy(q->seen, clock == q->clock + 1 ? q->before : q->until, sizeof(q->seen));
	memcpy(q->before, q->until, sizeof(q->before));
	memset(q->given, 0, sizeof(q->given));
	q->clock = clock;
}

/*
 * The queue into which a uop goes: that of the uop for which it waits. If it waits for none, the
 * shortest of the queues that the fewest uops of this clock of rename have chosen.
 */
static unsigned choose_queue(struct core *c, const struct core_insn *insn, unsigned ports,
                             bool chained)
{
	struct core_queues *q = &c->shared->queues;
	uint64_t renamed = c->rename_clock, least = NONE;
	uint64_t latest = (renamed + 1) * CORE_TICKS;
	unsigned best = (unsigned)__builtin_ctz(ports);
	bool waits = false;

	look_at_queues(q, renamed);
	for (unsigned i = 0; chained && i < insn->srcs; i++) {
		unsigned reg = insn->src[i];

		if (c->reg[reg] > latest && ports >> c->queue_of[reg] & 1) {
			latest = c->reg[reg];
			best = c->queue_of[reg];
			waits = true;
		}
	}
	if (waits)
		return best;
	for (unsigned left = ports; left; left &= left - 1) {
		unsigned port = (unsigned)__builtin_ctz(left);
		uint64_t length = q->seen[port] > renamed ? q->seen[port] - renamed : 0;

		length += (uint64_t)q->given[port] << 32;
		if (length >= least)
			continue;
		least = length;
		best = port;
	}
	q->given[best]++;
	return best;
}

/* The same as take_port(), for a uop of an ALU that has a queue. */
static uint64_t __attribute__((noinline))
take_queue(struct core *c, const struct core_insn *insn, const struct core_uop *u, uint64_t ready,
           bool chained, struct core_result *out)
{
	struct core_queues *q = &c->shared->queues;
	unsigned port = choose_queue(c, insn, u->ports, chained);
	uint64_t start = take_port(c, 1u << port, u->busy, ready, out, false);

	q->until[port] = later(q->until[port], start / CORE_TICKS + u->busy);
	for (unsigned i = 0; i < insn->dsts; i++)
		c->queue_of[insn->dst[i]] = (uint8_t)port;
	return start;
}

/*
 * The uops of a row. Returns when the first one starts; *last when the last one does. soon: as
 * send() has it; what occupies a unit is sent when its operands are there.
 */
static FOR_EACH uint64_t compute(struct core *c, const struct core_insn *insn, uint64_t ready,
                                 uint64_t slope, uint64_t *last, uint64_t *soon,
                                 struct core_result *out, bool quick)
{
	uint64_t first = NONE, early;

	if (quick && insn->single) /* core_insn.longest is enough */
		return send(c, insn->single, 1, ready, soon, out, quick);
	if (!quick && insn->occupies) {
		ready = units_free(c, insn, ready);
		if (soon)
			*soon = ready;
	}
	early = soon ? *soon : 0;
	for (unsigned i = 0; i < insn->uops; i++) {
		const struct core_uop *u = &insn->uop[i];

		for (unsigned n = u->ports ? u->count : 0; n; n--) {
			uint64_t sent = early, *to = soon ? &sent : NULL, start;

			if (u->ports & c->machine->p.port_queues)
				start = take_queue(c, insn, u, ready, first == NONE, out);
			else
				start = send(c, u->ports, u->busy, ready, to, out, quick);
			if (soon && first == NONE)
				*soon = sent;
			if (first == NONE)
				first = start;
			*last = later(*last, start);
			if (!quick && c->per_clock && u->divides && !insn->occupies)
				core_per_clock_divider(c, insn, start,
				                       start + u->busy * CORE_TICKS);
		}
	}
	if (first == NONE)
		first = ready;
	if (!quick && insn->occupies)
		occupy_units(c, insn, first, slope);
	return first;
}

/* Each result when it is there. */
static void write_each(struct core *c, const struct core_insn *insn, uint64_t start, uint64_t slope,
                       uint64_t address)
{
	if (insn->push > 0)
		c->top = (c->top - 1) & 7;
	for (unsigned i = 0; i < insn->dsts; i++) {
		unsigned reg = insn->dst[i];

		if (insn->moves >> i & 1)
			c->reg[reg] = address + CORE_TICKS;
		else if (reg == CORE_CF && insn->flags & CORE_CARRY)
			c->reg[reg] = start + CORE_TICKS;
		else
			c->reg[physical(c, reg)] = start + slope + insn->latency[i == insn->second];
	}
	if (insn->push < 0)
		c->top = (uint8_t)((c->top - insn->push) & 7);
}

/* What did not come out of a queue has none, but what an eliminated move wrote has its source's. */
static void __attribute__((noinline)) forget_queues(struct core *c, const struct core_insn *insn)
{
	uint8_t of = CORE_PORTS;

	for (unsigned i = 0; i < insn->uops; i++)
		if (insn->uop[i].ports & c->machine->p.port_queues)
			return; /* take_queue() */
	if (insn->flags & CORE_MOVE && !insn->uops && !insn->loads && insn->srcs)
		of = c->queue_of[insn->src[0]];
	for (unsigned i = 0; i < insn->dsts; i++)
		c->queue_of[insn->dst[i]] = of;
}

static FOR_EACH void write_results(struct core *c, const struct core_insn *insn, uint64_t start,
                                   uint64_t slope, uint64_t address, bool quick)
{
	if (quick && insn->one_latency) {
		uint64_t all = start + insn->latency[0];

		for (unsigned i = 0; i < PLAIN_RESULTS; i++)
			c->reg[insn->dst[i]] = all;
	} else {
		write_each(c, insn, start, slope, address);
	}
	if (c->machine->p.load_chase)
		c->from_load = (uint16_t)((c->from_load & ~insn->general) | insn->loaded);
	if (c->machine->p.port_queues)
		forget_queues(c, insn);
	if (c->machine->p.partial_stall)
		c->part = (uint16_t)((c->part & ~insn->general) | (insn->part & insn->general));
}

/* Ticks that the operands of this execution cost. */
static uint64_t operand_time(const struct core_insn *insn, const struct core_dyn *dyn)
{
	unsigned which = dyn->quantity & 7;

	if (!insn->cases)
		return (uint64_t)insn->slope * dyn->quantity / CORE_SLOPE;
	if (dyn->quantity > 7 && insn->cases == CORE_CASES)
		which = CORE_CASES - 1;
	return insn->more[which < insn->cases ? which : insn->cases - 1u];
}

/* Two bits of a set change places. */
static uint16_t exchange_bits(uint16_t set, unsigned a, unsigned b)
{
	unsigned differ = (set >> a ^ set >> b) & 1;

	return (uint16_t)(set ^ (differ << a | differ << b));
}

/* FXCH, and XCHG of general registers: the names change places. */
static void swap(struct core *c, const struct core_insn *insn)
{
	bool general = insn->srcs && insn->src[0] < CORE_CF;
	unsigned a = general ? insn->src[0] : physical(c, CORE_ST);
	unsigned b = general ? insn->src[insn->srcs - 1] : physical(c, CORE_ST + insn->swap);
	uint8_t queue = c->queue_of[a];
	uint64_t at = c->reg[a];

	c->reg[a] = c->reg[b];
	c->reg[b] = at;
	at = c->late[a];
	c->late[a] = c->late[b];
	c->late[b] = (uint32_t)at;
	if (!general)
		return;
	c->queue_of[a] = c->queue_of[b];
	c->queue_of[b] = queue;
	c->from_load = exchange_bits(c->from_load, a, b);
	c->part = exchange_bits(c->part, a, b);
}

/* FXCH or XCHG as a whole: when it is done. */
static uint64_t __attribute__((noinline))
exchange(struct core *c, const struct core_insn *insn, uint64_t base, struct core_result *out)
{
	uint64_t last = 0, start;

	swap(c, insn);
	if (!insn->uops)
		return base;
	start = compute(c, insn, base, 0, &last, NULL, out, false);
	leave_scheduler(c, start, insn->fused, false);
	return start + CORE_TICKS;
}

/* What a locked instruction takes besides. */
static uint64_t lock(struct core *c, uint64_t line)
{
	const struct core_parameters *p = &c->machine->p;
	bool near = line == c->locked_line;

	c->locked_line = line;
	return near && p->locked_near ? p->locked_near : p->locked;
}

/* The parts of a register are joined when their writers have retired. */
static uint64_t part_stall(struct core *c, uint64_t ready, uint16_t wide)
{
	if (!(c->part & wide))
		return ready;
	c->part &= (uint16_t)~wide;
	return ready + c->machine->p.partial_stall;
}

/*
 * When the registers of a list are there, from this tick on. Those of a plain instruction are at
 * most `plain`, filled up with CORE_NOTHING.
 */
static FOR_EACH uint64_t registers_there(const struct core *c, const uint8_t *list, unsigned count,
                                         unsigned plain, uint64_t tick, bool quick)
{
	for (unsigned i = 0; i < (quick ? plain : count); i++)
		tick = later(tick, c->reg[quick ? list[i] : physical(c, list[i])]);
	return tick;
}

/* The same as the scheduler takes it, which expects every load to hit. */
static uint64_t registers_soon(const struct core *c, const uint8_t *list, unsigned count,
                               uint64_t tick)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned reg = physical(c, list[i]);

		tick = later(tick, c->reg[reg] - c->late[reg]);
	}
	return tick;
}

/*
 * Before write_results(): by how many ticks results come later than the scheduler takes it, and a
 * pointer that moves on. base: of this instruction. Call it only if a result is late.
 */
static void __attribute__((noinline))
late_results(struct core *c, const struct core_insn *insn, uint64_t late, uint64_t moved,
             uint64_t base, uint64_t done)
{
	uint8_t top = c->top;

	if (c->late_until <= base)
		memset(c->late, 0, sizeof(c->late));
	if (insn->push > 0)
		c->top = (top - 1) & 7;
	for (unsigned i = 0; i < insn->dsts; i++)
		c->late[physical(c, insn->dst[i])] =
			(uint32_t)(insn->moves >> i & 1 ? moved : late);
	c->top = top;
	if (late | moved)
		c->late_until = later(c->late_until, done);
}

/* Executes; returns the tick at which everything is done. */
static FOR_EACH uint64_t execute(struct core *c, const struct core_insn *insn,
                                 const struct core_dyn *dyn, uint64_t renamed,
                                 struct core_result *out, bool quick)
{
	uint64_t base = (renamed + 1) * CORE_TICKS, address, ready, start, left, done;
	uint64_t slope = quick ? 0 : operand_time(insn, dyn), last = 0;
	unsigned loads = 0, accesses = dyn->accesses;
	const bool again = c->machine->p.replay_loop;
	const bool waits = insn->flags & (CORE_FENCE | CORE_SERIAL | CORE_LOCK); /* for all */
	const bool late = again && c->late_until > base;
	bool early = late && !waits;
	uint64_t soon[2] = { base, base }; /* address and operands, as the scheduler takes it */

	if (!quick && insn->flags & (CORE_FENCE | CORE_SERIAL))
		base = later(base, c->complete);
	address = registers_there(c, insn->address, insn->addresses, PLAIN_ADDRESSES, base, quick);
	if (c->part)
		address = part_stall(c, address, insn->bases);
	if (!quick && insn->flags & CORE_LOCK)
		address = later(address, c->unlocked);
	if (again)
		soon[0] = early ? registers_soon(c, insn->address, insn->addresses, base) : address;
	ready = load_all(c, insn, dyn, accesses, address, base, again ? soon : NULL, &loads, out,
	                 quick);
	early |= again && !waits && soon[1] < ready;
	if (!quick && insn->flags & CORE_SWAP)
		return exchange(c, insn, base, out);
	ready = registers_there(c, insn->src, insn->srcs, PLAIN_SOURCES, ready, quick);
	if (c->part)
		ready = part_stall(c, ready, insn->wide);
	if (!quick && insn->flags & CORE_LOCK)
		ready += lock(c, dyn->access[0].address / LINE);
	soon[1] = early ? registers_soon(c, insn->src, insn->srcs, soon[1]) : ready;
	start = compute(c, insn, ready, slope, &last, again ? &soon[1] : NULL, out, quick);
	done = start + slope + insn->longest;
	if (last)
		done = later(done, last + CORE_TICKS);
	left = again ? soon[!loads && insn->uops] : !loads && insn->uops ? start : address;
	if (insn->uops || accesses)
		leave_scheduler(c, left, insn->fused, quick);
	else if (out)
		out->eliminated = true;
	if (loads < accesses)
		done = later(done, stores(c, insn, dyn, address, start, slope, again ? soon : NULL,
		                          out, quick));
	if (again && (late || soon[1] < start || soon[0] < address))
		late_results(c, insn, start - soon[1], address - soon[0], base, done);
	write_results(c, insn, start, slope, address, quick);
	if (!quick && insn->flags & CORE_LOCK) {
		core_per_clock_lock(c, &dyn->access[0], address, done);
		c->unlocked = done;
	}
	return done + (uint64_t)(dyn->more + dyn->wait) * CORE_TICKS;
}

/* ---- Retirement ---- */

/* The next uop retires. */
static FOR_EACH void retire_uop(struct core *c, uint64_t number, bool quick)
{
	unsigned width = c->machine->p.retire_width;

	while (c->retired == width || (!quick && c->running > 1 &&
	                               c->shared->retired[clock_at(c, c->retire_clock)] >= width)) {
		c->retire_clock++;
		c->retired = 0;
	}
	c->retired++;
	if (!quick && c->running > 1)
		c->shared->retired[clock_at(c, c->retire_clock)]++;
	if (!quick && c->per_clock)
		core_per_clock_retired_uop(c, number + 1 == c->uops);
	c->rob[number % CORE_QUEUE] = c->retire_clock;
}

static FOR_EACH void retire(struct core *c, const struct core_dyn *dyn, unsigned uops,
                            uint64_t done, bool quick)
{
	uint64_t clock = clock_from(done);
	unsigned stores = 0;

	if (clock > c->retire_clock) {
		c->retire_clock = clock;
		c->retired = 0;
	}
	for (unsigned i = 0; i < uops; i++)
		retire_uop(c, c->uops - uops + i, quick);
	for (unsigned i = 0; i < dyn->accesses; i++) {
		if (dyn->access[i].write)
			stores++;
		else
			c->loads[c->load_count++ % CORE_QUEUE] = c->retire_clock;
	}
	if (stores)
		commit_stores(c, stores, c->retire_clock);
}

/* A conditional branch that became one uop with the instruction before it. */
static bool fuses(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn)
{
	bool fused = insn->flags & CORE_COND && c->last_fuses && dyn->rip == c->fetch_end;

	c->last_fuses = insn->flags & CORE_TEST;
	return fused;
}

/* A NOP that became one uop with the instruction before it. */
static bool fuses_nop(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn)
{
	c->nop_fused = insn->nop && !c->nop_fused && dyn->rip == c->fetch_end;
	return c->nop_fused;
}

/* The code behind a branch that was predicted wrong comes when the branch has executed. */
static void mispredict(struct core *c, uint64_t done)
{
	uint64_t resume = clock_from(done + c->machine->p.mispredict);

	if (c->per_clock)
		core_per_clock_span(c->per_clock, SPAN_RECOVERY, clock_from(done), resume, 1);
	c->resumed = resume;
	if (resume > c->fetch_clock)
		next_fetch_clock(c, resume - c->fetch_clock);
}

/* What is renamed next waits until this instruction is done, or until it has retired. */
static void close_rename(struct core *c, const struct core_insn *insn, uint64_t done)
{
	raise_barrier(c, clock_from(done));
	if (!(insn->flags & CORE_SERIAL))
		return;
	raise_barrier(c, clock_from(c->commit));
	if (c->barrier > c->fetch_clock)
		next_fetch_clock(c, c->barrier - c->fetch_clock);
}

/* What was not said yet of an instruction that has passed the core. */
static inline void tell(struct core_result *out, const struct core *c, const struct core_insn *insn,
                        uint64_t renamed, uint64_t done)
{
	out->microcode = insn->flags & CORE_MICROCODE;
	out->uop_cache = c->hit;
	out->complex = !c->hit && (insn->flags & (CORE_COMPLEX | CORE_MICROCODE) ||
	                           insn->fused >= c->machine->p.decode_uops);
	out->renamed = renamed;
	out->done = clock_from(done);
}

/* out: NULL or nobody else's, as in core_step(). */
static FOR_EACH uint32_t step(struct core *c, const struct core_insn *insn,
                              const struct core_dyn *dyn, struct core_result *out, bool quick)
{
	const struct core_parameters *p = &c->machine->p;
	bool fused = fuses(c, insn, dyn);
	bool none = fused || (p->nop_fusion && fuses_nop(c, insn, dyn));
	unsigned uops = none ? 0 : insn->fused;
	uint64_t before = c->retire_clock, renamed, done;

	if (out)
		*out = (struct core_result){ .issued = (uint8_t)uops, .macro_fused = fused };
	renamed = rename_uops(c, insn, dyn, uops, fetch(c, insn, dyn, uops, out), out, quick);
	if (fused)
		done = c->last_result;
	else
		done = execute(c, insn, dyn, renamed, out, quick);
	c->last_result = done;
	c->complete = later(c->complete, done);
	if (out)
		tell(out, c, insn, renamed, done);
	retire(c, dyn, uops, done, quick);
	if (p->register_reads)
		note_writes(c, insn);
	if (dyn->mispredicted)
		mispredict(c, done);
	if ((!quick && insn->flags & (CORE_FENCE | CORE_SERIAL)) || dyn->wait)
		close_rename(c, insn, done);
	c->instructions++;
	if (out)
		out->clocks = (uint32_t)(c->retire_clock - before);
	return (uint32_t)(c->retire_clock - before);
}

static uint32_t __attribute__((noinline))
quick_step(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn)
{
	return step(c, insn, dyn, NULL, true);
}

uint32_t core_step(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn,
                   struct core_result *out)
{
	struct core_result unasked;

	if (!out && insn->plain && c->running == 1 && !c->per_clock)
		return quick_step(c, insn, dyn);
	return step(c, insn, dyn, out ? out : &unasked, false);
}

static void drain(struct core *c, uint64_t clocks)
{
	c->retire_clock += clocks;
	raise_barrier(c, c->retire_clock);
	if (c->barrier > c->fetch_clock)
		next_fetch_clock(c, c->barrier - c->fetch_clock);
	c->jumped = true;
	c->last_fuses = false;
}

uint32_t core_event(struct core *c, uint32_t clocks)
{
	drain(c, clocks);
	return clocks;
}

void core_sleep(struct core *c, uint64_t until)
{
	if (until > c->retire_clock && c->per_clock) {
		c->per_clock->asleep = c->retire_clock;
		c->per_clock->awake = until;
	}
	if (until > c->retire_clock)
		drain(c, until - c->retire_clock);
}
