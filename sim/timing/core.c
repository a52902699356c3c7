/*
 * sim/timing/core.c - the pipeline of a superscalar core, as times.
 *
 * Fetch, rename and retirement count clocks, execution counts ticks (sim/timing/core.h). Each
 * instruction passes the stages in program order, and what a later stage has too little of holds
 * an earlier one. Ports are reserved clock by clock, so that an instruction that waits does not
 * keep a later one from using its port before.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/timing/core.h"
#include "sim/timing/watch.h"

#define NONE UINT64_MAX

/* RETIRE_STAGES: clocks from rename to retirement that no uop saves; unverified. */
enum { LINE = 64, FILLS = 32, FETCHED_BLOCKS = 3, RETIRE_STAGES = 5 };

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
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
	return true;
}

void core_free(struct core *c)
{
	core_watch_free(c);
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

	return (size_t)(number % p->uop_cache_sets) * p->uop_cache_ways;
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

static void next_fetch_clock(struct core *c, uint64_t clocks)
{
	const struct core_parameters *p = &c->machine->p;

	c->fetch_clock += clocks;
	c->slots = c->hit ? p->uop_cache_width : p->decode_width;
}

/* Enters the window of an instruction. */
static void enter_window(struct core *c, uint64_t rip)
{
	uint64_t window = rip & ~(uint64_t)(c->machine->p.uop_cache_window - 1);
	bool was_hit = c->hit;

	if (window == c->window && (!c->jumped || c->hit))
		return;
	if (window != c->window || rip < c->fetch_end) {
		window_fill(c);
		c->window = window;
		c->window_uops = 0;
		c->hit = window_hit(c, window);
	}
	if (c->jumped)
		c->block = NONE;
	if (c->hit != was_hit) {
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

/* Clocks of an instruction that has more prefixes than decode at once. */
static uint64_t prefix_clocks(struct core *c, const struct core_insn *insn)
{
	const struct core_parameters *p = &c->machine->p;
	unsigned ticks;

	if (!p->prefix_group)
		return insn->prefixes + p->prefix_clocks;
	ticks = (insn->prefixes + p->prefix_group - 1u) / p->prefix_group * 3 + 1;
	ticks = ticks * CORE_TICKS / 2 + c->prefix_ticks;
	c->prefix_ticks = ticks % CORE_TICKS;
	return ticks / CORE_TICKS;
}

/* Decoders: bytes of code, instructions a clock, and those that only the first one takes. */
static void decode(struct core *c, const struct core_insn *insn, uint64_t rip,
                   struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t last = (rip + insn->length - 1) >> c->machine->fetch_shift;
	bool complex = insn->flags & CORE_COMPLEX || insn->fused >= p->decode_uops;

	if (c->block == NONE) {
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
	if (insn->flags & (CORE_LCP | CORE_F7))
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
	if (insn->prefixes > p->prefixes) {
		next_fetch_clock(c, prefix_clocks(c, insn));
		c->slots = 1;
	} else if (insn->prefixes && p->prefix_width &&
	           c->slots + p->prefix_width <= p->decode_width)
		c->slots = 0;
	if (!c->slots || (complex && c->slots < p->decode_width))
		next_fetch_clock(c, 1);
	c->slots--;
	if (insn->flags & CORE_MICROCODE) {
		next_fetch_clock(c, (insn->fused + 3u) / 4);
		c->slots = 0;
	}
}

/* The clock in which the uops of an instruction are there. */
static uint64_t fetch(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn,
                      unsigned uops, struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t free = c->left_queue[(c->instructions - p->decode_queue) & 63];

	if (c->fetch_clock < free)
		next_fetch_clock(c, free - c->fetch_clock);
	if (dyn->fetch)
		next_fetch_clock(c, dyn->fetch);
	enter_window(c, dyn->rip);
	c->window_uops += uops;
	if (!c->hit) {
		decode(c, insn, dyn->rip, out);
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
static unsigned clock_at(struct core *c, uint64_t clock)
{
	return block_at(c->shared, clock) * 64 + clock % 64;
}

/* While both threads of a core run, each has half of what it has of this. */
static inline unsigned half(const struct core *c, unsigned size)
{
	return size >> (c->running - 1);
}

/* When the scheduler has a place for one more uop, from this clock on. */
static uint64_t scheduler_place(struct core *c, uint64_t clock)
{
	unsigned size = half(c, c->machine->p.scheduler);

	if (clock > c->scheduler_clock + CORE_WINDOW / 2) {
		c->scheduler_clock = clock;
		c->waiting = 0;
	}
	if (!c->waiting && c->scheduler_clock < clock)
		c->scheduler_clock = clock;
	while (c->scheduler_clock < clock || c->waiting >= size) {
		uint64_t next = ++c->scheduler_clock;

		if (c->shared->block_of[next / 64 % CORE_BLOCKS] == next / 64) {
			unsigned freed = c->shared->freed[next % CORE_WINDOW][c->thread];

			c->waiting -= freed < c->waiting ? freed : c->waiting;
		}
		if (c->scheduler_clock > clock + CORE_WINDOW / 2)
			c->waiting = 0;
	}
	c->waiting++;
	return later(clock, c->scheduler_clock);
}

/* Do the uops that both threads rename in this clock fill it? */
static bool taken_slots(struct core *c, uint64_t clock, unsigned width)
{
	return c->running > 1 && c->shared->renamed[clock_at(c, clock)] >= width;
}

static void stall(struct core *c, struct core_result *out, enum core_stall cause, uint64_t *clock,
                  uint64_t until)
{
	if (until <= *clock)
		return;
	if (c->watch)
		core_watch_span(c->watch, SPAN_STALL + cause, *clock, until, 1);
	out->stall[cause] += (uint32_t)(until - *clock);
	*clock = until;
}

/*
 * Notes which registers an instruction reads that nothing under way writes: those come from the
 * retired register file, which has few ports.
 */
static void note_reads(struct core *c, const struct core_insn *insn, uint64_t clock)
{
	const uint8_t *list[] = { insn->src, insn->address };
	const uint8_t count[] = { insn->srcs, insn->addresses };

	for (unsigned n = 0; n < 2; n++) {
		for (unsigned i = 0; i < count[n]; i++) {
			unsigned reg = list[n][i];

			if (reg < CORE_CF && c->written[reg] + RETIRE_STAGES <= clock)
				c->read_now |= 1u << reg;
		}
	}
}

/* Clocks for which the uops renamed last keep the next ones from being renamed. */
static unsigned rename_clocks(struct core *c)
{
	unsigned ports = c->machine->p.register_reads;
	unsigned reads = (unsigned)__builtin_popcount(c->read_now);

	c->read_now = 0;
	return ports && reads > ports ? (reads + ports - 1) / ports : 1;
}

static void watch_rename(struct core *c, const struct core_insn *insn, uint64_t clock)
{
	struct core_clock *at = core_watch_at(c->watch, clock);

	at->issued++;
	at->cached += c->hit;
	at->microcode += !!(insn->flags & CORE_MICROCODE);
}

/* The clock in which the last uop of the instruction is renamed. */
static uint64_t rename_uops(struct core *c, const struct core_insn *insn,
                            const struct core_dyn *dyn, unsigned uops, uint64_t fetched,
                            struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t clock = c->rename_clock;
	bool executes = insn->uops || dyn->accesses;

	stall(c, out, CORE_STALL_CODE, &clock, fetched);
	stall(c, out, CORE_STALL_BARRIER, &clock, c->barrier);
	for (unsigned i = 0; i < dyn->accesses; i++) {
		if (dyn->access[i].write)
			stall(c, out, CORE_STALL_STORES, &clock,
			      c->stores[(c->store_count - half(c, p->store_queue)) % CORE_QUEUE]);
		else
			stall(c, out, CORE_STALL_LOADS, &clock,
			      c->loads[(c->load_count - half(c, p->load_queue)) % CORE_QUEUE]);
	}
	for (unsigned i = 0; i < uops; i++) {
		stall(c, out, CORE_STALL_ROB, &clock,
		      c->rob[(c->uops - half(c, p->rob)) % CORE_QUEUE]);
		if (executes)
			stall(c, out, CORE_STALL_SCHEDULER, &clock, scheduler_place(c, clock));
		if (clock > c->rename_clock) {
			if (c->read_now)
				clock = later(clock, c->rename_clock + rename_clocks(c));
			c->rename_clock = clock;
			c->renamed = 0;
		}
		while (c->renamed == p->rename_width || taken_slots(c, clock, p->rename_width)) {
			clock += rename_clocks(c);
			c->rename_clock = clock;
			c->renamed = 0;
		}
		if (p->register_reads && !i)
			note_reads(c, insn, clock);
		c->renamed++;
		if (c->watch)
			watch_rename(c, insn, clock);
		if (c->running > 1)
			c->shared->renamed[clock_at(c, clock)]++;
		c->uops++;
	}
	if (clock > c->rename_clock) {
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
	unsigned best = 0;

	for (; ports; ports &= ports - 1) {
		unsigned i = (unsigned)__builtin_ctz(ports);

		best = s->pressure[i] < least ? i : best;
		least = s->pressure[i] < least ? s->pressure[i] : least;
	}
	return best;
}

/* Reserves the port that is free first; returns the tick at which the uop starts. */
static uint64_t take_port(struct core *c, unsigned ports, unsigned busy, uint64_t ready,
                          struct core_result *out)
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
	/* what lay idle for long does not get everything for long */
	if (s->pressure[port] + 8 < s->pressed)
		s->pressure[port] = s->pressed - 8;
	s->pressure[port] += busy;
	s->pressed = later(s->pressed, s->pressure[port]);
	out->port[port]++;
	out->executed++;
	if (c->watch) {
		struct core_clock *at = core_watch_at(c->watch, clock);

		at->executed++;
		at->ports |= (uint16_t)(1u << port);
	}
	return later(ready, clock * CORE_TICKS);
}

static void leave_scheduler(struct core *c, uint64_t start, unsigned uops)
{
	c->shared->freed[clock_at(c, start / CORE_TICKS)][c->thread] += (uint16_t)uops;
	if (c->watch)
		core_watch_span(c->watch, SPAN_WAITING, c->rename_clock, start / CORE_TICKS, uops);
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

/* A miss of the first level: waits for a fill buffer, or for the fill of that line. */
static uint64_t fill_line(struct core *c, uint64_t address, uint64_t start, uint32_t extra)
{
	unsigned i = c->fills++ % fill_buffers(c);
	uint64_t done = later(start, c->fill[i]) + (uint64_t)extra * CORE_TICKS;

	c->fill[i] = done;
	c->fill_line[i] = address / LINE;
	c->fill_until = later(c->fill_until, done);
	return done;
}

static uint64_t fill_wait(const struct core *c, uint64_t address, uint64_t start)
{
	if (c->fill_until <= start)
		return start;
	for (unsigned i = 0; i < c->machine->p.fill_buffers; i++)
		if (c->fill_line[i] == address / LINE)
			return later(start, c->fill[i]);
	return start;
}

static uint64_t load_latency(const struct core *c, const struct core_insn *insn)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t latency = p->load;

	if (insn->load_kind == CORE_LOAD_VECTOR)
		latency = p->load_vector;
	else if (insn->load_kind == CORE_LOAD_X87)
		latency = p->load_x87;
	if (insn->indexed)
		latency += p->load_indexed;
	else if (insn->load_kind == CORE_LOAD_GPR && insn->addresses == 1 &&
	         c->from_load >> insn->address[0] & 1)
		latency -= p->load_chase;
	return latency + (insn->narrow ? p->load_narrow : 0);
}

static bool across_line(uint64_t address, unsigned size)
{
	return (address ^ (address + size - 1)) / LINE;
}

/* asked: when it could have begun, begun: when it had a line-fill buffer. */
static void watch_load(struct core *c, const struct core_access *a, uint64_t asked, uint64_t begun,
                       uint64_t done)
{
	uint64_t from = asked / CORE_TICKS, filled = begun / CORE_TICKS, until = clock_from(done);

	core_watch_span(c->watch, SPAN_LOADS, from, until, 1);
	if (!a->extra)
		return;
	core_watch_span(c->watch, SPAN_BUFFERS, from, filled, 1);
	for (unsigned level = 0; level < 3 && level < a->level; level++)
		core_watch_span(c->watch, SPAN_L1 + level, filled, until, 1);
}

/* When the data of a load is there. */
static uint64_t load(struct core *c, const struct core_insn *insn, const struct core_access *a,
                     uint64_t ready, struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	uint16_t ports = insn->load_kind == CORE_LOAD_GPR ? p->port_load : p->port_load_vector;
	unsigned busy = 1 + (across_line(a->address, a->size) ? p->split_load : 0);
	uint64_t start = take_port(c, ports, busy, ready, out), asked = start, done;
	const struct core_store *s = last_store(c, a);

	if (a->extra)
		start = fill_line(c, a->address, start, a->extra);
	else
		start = fill_wait(c, a->address, start);
	done = start + load_latency(c, insn);
	if (c->watch)
		watch_load(c, a, asked, start - (uint64_t)a->extra * CORE_TICKS, done);
	if (!s || s->commit <= start)
		return done;
	if (insn->flags & CORE_LOCK) /* reads the cache, when it has the store */
		return later(done, s->commit + load_latency(c, insn));
	if (a->address >= s->address && a->address + a->size <= s->address + s->size) {
		out->forwarded = true;
		return later(start, s->data) +
		       (insn->load_kind == CORE_LOAD_GPR ? p->forward : p->forward_vector) +
		       (insn->narrow ? p->forward_narrow : 0);
	}
	out->forward_failed = true;
	return later(done, s->commit + p->forward_fail);
}

/* A store: when its last uop has executed. */
static uint64_t store(struct core *c, const struct core_insn *insn, const struct core_access *a,
                      uint64_t address, uint64_t data, struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	uint16_t ports = insn->load_kind == CORE_LOAD_GPR ? p->port_data : p->port_data_vector;
	uint64_t at = take_port(c, p->port_address, 1, address, out);
	uint64_t put = take_port(c, ports, 1, data, out);
	uint32_t number = (uint32_t)++c->store_count;
	struct core_store *s = &c->store[number % CORE_STORES];

	s->address = a->address;
	s->size = a->size;
	s->data = later(put, at);
	/* the line is asked for as soon as the address is known; commit_stores() does the rest */
	s->commit = a->extra ? fill_line(c, a->address, at, a->extra) : at;
	if (c->watch && a->level > 1)
		core_watch_span(c->watch, SPAN_OWNERSHIP, s->commit / CORE_TICKS - a->extra,
		                s->commit / CORE_TICKS, 1);
	for (uint64_t g = a->address / 8; g <= (a->address + a->size - 1) / 8; g++)
		c->store_at[g % 256] = number;
	return later(at, put) + CORE_TICKS;
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

static void watch_divider(struct core *c, const struct core_insn *insn, uint64_t from,
                          uint64_t until)
{
	core_watch_span(c->watch, insn->quotient ? SPAN_INT_DIVIDER : SPAN_FP_DIVIDER,
	                from / CORE_TICKS, until / CORE_TICKS, 1);
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
		if (c->watch && insn->uop[i].divides)
			watch_divider(c, insn, first, until);
	}
}

/* The uops of a row. Returns when the first one starts; *last when the last one does. */
static uint64_t compute(struct core *c, const struct core_insn *insn, uint64_t ready,
                        uint64_t slope, uint64_t *last, struct core_result *out)
{
	uint64_t first = NONE;

	if (insn->occupies)
		ready = units_free(c, insn, ready);
	for (unsigned i = 0; i < insn->uops; i++) {
		const struct core_uop *u = &insn->uop[i];

		for (unsigned n = u->ports ? u->count : 0; n; n--) {
			uint64_t start = take_port(c, u->ports, u->busy, ready, out);

			if (first == NONE)
				first = start;
			*last = later(*last, start);
			if (c->watch && u->divides && !insn->occupies)
				watch_divider(c, insn, start, start + u->busy * CORE_TICKS);
		}
	}
	if (first == NONE)
		first = ready;
	if (insn->occupies)
		occupy_units(c, insn, first, slope);
	return first;
}

static void write_results(struct core *c, const struct core_insn *insn, uint64_t start,
                          uint64_t slope, uint64_t address)
{
	uint16_t part = c->machine->p.partial_stall ? insn->part : 0;
	uint64_t pure_load = insn->load_kind == CORE_LOAD_GPR && !insn->uops;

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
		if (reg >= CORE_CF)
			continue;
		c->part = (uint16_t)((c->part & ~(1u << reg)) | (part & 1u << reg));
		c->from_load = (c->from_load & ~(1ull << reg)) | pure_load << reg;
	}
	if (insn->push < 0)
		c->top = (uint8_t)((c->top - insn->push) & 7);
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

/* FXCH: the names change places. */
static void swap(struct core *c, const struct core_insn *insn)
{
	unsigned a = physical(c, CORE_ST), b = physical(c, CORE_ST + insn->swap);
	uint64_t at = c->reg[a];

	c->reg[a] = c->reg[b];
	c->reg[b] = at;
}

/* What a locked instruction takes besides. */
static uint64_t lock(struct core *c, uint64_t line)
{
	const struct core_parameters *p = &c->machine->p;
	bool near = line == c->locked_line;

	c->locked_line = line;
	return p->locked - (near ? p->locked_near : 0u);
}

/* The parts of a register are joined when their writers have retired. */
static uint64_t part_stall(struct core *c, uint64_t ready, uint16_t wide)
{
	if (!(c->part & wide))
		return ready;
	c->part &= (uint16_t)~wide;
	return ready + c->machine->p.partial_stall;
}

static uint16_t address_bits(const struct core_insn *insn)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < insn->addresses; i++)
		bits |= insn->address[i] < CORE_CF ? 1u << insn->address[i] : 0;
	return (uint16_t)bits;
}

/* Executes; returns the tick at which everything is done. */
static uint64_t execute(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn,
                        uint64_t renamed, struct core_result *out)
{
	uint64_t base = (renamed + 1) * CORE_TICKS, address = base, ready = base, start, done;
	uint64_t slope = operand_time(insn, dyn), last = 0;
	bool loaded = false;

	if (insn->flags & (CORE_FENCE | CORE_SERIAL))
		base = address = ready = later(base, c->complete);
	for (unsigned i = 0; i < insn->addresses; i++)
		address = later(address, c->reg[physical(c, insn->address[i])]);
	if (c->part)
		address = part_stall(c, address, address_bits(insn));
	if (insn->flags & CORE_LOCK)
		address = later(address, c->unlocked);
	for (unsigned i = 0; i < dyn->accesses; i++) {
		if (dyn->access[i].write)
			continue;
		ready = later(ready, load(c, insn, &dyn->access[i], address, out));
		loaded = true;
	}
	if (insn->flags & CORE_SWAP) {
		swap(c, insn);
		return base;
	}
	for (unsigned i = 0; i < insn->srcs; i++)
		ready = later(ready, c->reg[physical(c, insn->src[i])]);
	if (c->part)
		ready = part_stall(c, ready, insn->wide);
	if (insn->flags & CORE_LOCK)
		ready += lock(c, dyn->access[0].address / LINE);
	start = compute(c, insn, ready, slope, &last, out);
	done = start + slope + insn->latency[0];
	if (insn->latency[1] > insn->latency[0])
		done += insn->latency[1] - insn->latency[0];
	done = later(done, last + (insn->uops ? CORE_TICKS : 0));
	if (insn->uops || dyn->accesses)
		leave_scheduler(c, loaded || !insn->uops ? address : start, insn->fused);
	else
		out->eliminated = true;
	for (unsigned i = 0; i < dyn->accesses; i++)
		if (dyn->access[i].write)
			done = later(done, store(c, insn, &dyn->access[i], address,
			                         start + slope + insn->latency[0], out));
	write_results(c, insn, start, slope, address);
	if (insn->flags & CORE_LOCK)
		c->unlocked = done;
	return done + (uint64_t)(dyn->more + dyn->wait) * CORE_TICKS;
}

/* ---- Retirement ---- */

static void retire(struct core *c, const struct core_dyn *dyn, unsigned uops, uint64_t done)
{
	const struct core_parameters *p = &c->machine->p;
	uint64_t clock = clock_from(done);
	unsigned stores = 0;

	if (clock > c->retire_clock) {
		c->retire_clock = clock;
		c->retired = 0;
	}
	for (unsigned i = 0; i < uops; i++) {
		while (c->retired == p->retire_width ||
		       (c->running > 1 &&
		        c->shared->retired[clock_at(c, c->retire_clock)] >= p->retire_width)) {
			c->retire_clock++;
			c->retired = 0;
		}
		c->retired++;
		if (c->running > 1)
			c->shared->retired[clock_at(c, c->retire_clock)]++;
		if (c->watch)
			core_watch_at(c->watch, c->retire_clock)->retired++;
		c->rob[(c->uops - uops + i) % CORE_QUEUE] = c->retire_clock;
	}
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
	bool nop = !insn->uops && !insn->dsts && !insn->loads && !insn->stores &&
	           !(insn->flags & CORE_BRANCH);

	c->nop_fused = nop && !c->nop_fused && dyn->rip == c->fetch_end;
	return c->nop_fused;
}

void core_step(struct core *c, const struct core_insn *insn, const struct core_dyn *dyn,
               struct core_result *out)
{
	const struct core_parameters *p = &c->machine->p;
	bool fused = fuses(c, insn, dyn);
	unsigned uops = fused || (p->nop_fusion && fuses_nop(c, insn, dyn)) ? 0 : insn->fused;
	uint64_t before = c->retire_clock, renamed, done;

	memset(out, 0, sizeof(*out));
	out->issued = (uint8_t)uops;
	out->microcode = insn->flags & CORE_MICROCODE;
	out->macro_fused = fused;
	renamed = rename_uops(c, insn, dyn, uops, fetch(c, insn, dyn, uops, out), out);
	out->uop_cache = c->hit;
	if (fused)
		done = c->last_result;
	else
		done = execute(c, insn, dyn, renamed, out);
	c->last_result = done;
	out->renamed = renamed;
	out->done = clock_from(done);
	c->complete = later(c->complete, done);
	retire(c, dyn, uops, done);
	if (p->register_reads) {
		for (unsigned i = 0; i < insn->dsts; i++)
			c->written[insn->dst[i]] = c->retire_clock;
	}
	if (dyn->mispredicted) {
		uint64_t resume = clock_from(done + p->mispredict);

		if (c->watch)
			core_watch_span(c->watch, SPAN_RECOVERY, clock_from(done), resume, 1);
		if (resume > c->fetch_clock)
			next_fetch_clock(c, resume - c->fetch_clock);
	}
	if (insn->flags & (CORE_FENCE | CORE_SERIAL) || dyn->wait)
		c->barrier = later(c->barrier, clock_from(done));
	if (insn->flags & CORE_SERIAL) {
		c->barrier = later(c->barrier, clock_from(c->commit));
		if (c->barrier > c->fetch_clock)
			next_fetch_clock(c, c->barrier - c->fetch_clock);
	}
	c->instructions++;
	out->clocks = (uint32_t)(c->retire_clock - before);
}

static void drain(struct core *c, uint64_t clocks)
{
	c->retire_clock += clocks;
	c->barrier = later(c->barrier, c->retire_clock);
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
	if (until > c->retire_clock && c->watch) {
		c->watch->asleep = c->retire_clock;
		c->watch->awake = until;
	}
	if (until > c->retire_clock)
		drain(c, until - c->retire_clock);
}
