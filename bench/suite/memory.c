/*
 * Loads from memory whose place is made from what the CPU says of its caches.
 *
 * l1.*		loads a power of two apart, as in table 1 of B. Sprunt, "Pentium 4 performance-
 *		monitoring features" (IEEE Micro 22(4), 2002): eight addresses 8 KiB apart share a
 *		set of a 4-way 8 KiB cache, so each load misses. As many addresses as the cache has
 *		ways never miss.
 * sprunt.*	the two programs that the paper samples. Its text says what they do, not their code.
 * latency.*	a chain of dependent loads through a footprint, each line once and in an order that
 *		no stride describes. The walk goes on where the run before left it. A footprint is
 *		walked once before it is measured, so a cache that is large enough contains it.
 *		Between two samples the engine's own lines replace some lines of the walk. A sample
 *		of a short walk comes by all of its lines, so both lengths of the code load the
 *		replaced ones again.
 *		latency.memory has a footprint of which no cache keeps a line.
 */
#include "bench/bench.h"
#include "bench/engine/platform.h"
#include "bench/footprint.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	THRASH_STRIDE = 8192, /* Sprunt's */
	TABLE1_PLACE = 0x760, /* of the first line in its page, as in Table 1 */
	HITS_BEFORE = 100,    /* loads before and behind the load that misses */
	HITS_BEHIND = 100,
	LATENCY_FIRST = 1024,
	LATENCY_DEFAULT = 64 << 20, /* the default set goes so far, and has latency.memory */
	LATENCY_LAST = 1 << 30,
	STEPS = 4,
	WALK_WHOLE = 8192, /* in a longer walk the engine's lines are too few to matter */
	MIB = 1 << 20,
	LINE_DEFAULT = 64,
};

/* MOV ESI, [XSI]: the same two bytes in both widths, and a zero-extended pointer in 64-bit mode. */
static const uint8_t load_next[] = { 0x8b, 0x36 };

static void base(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->needs = "";
	b->widths = SNIPPET_32 | SNIPPET_64;
	b->flags = SNIPPET_DEFAULT;
	b->init = b->body = load_next;
	b->body_size = sizeof(load_next);
	b->ops = b->insns = 1;
	b->branches_known = true; /* there is none */
}

static void link_to(uint8_t *from, const uint8_t *to)
{
	*(uint32_t *)from = (uint32_t)(uintptr_t)to;
}

/* arg[0] nodes, arg[1] bytes apart, in a ring. */
static void setup_ring(const struct bench *b, const struct bench_area *area)
{
	bool paper = b->set_mask & 1u << REG_AX;
	uint8_t *first = area->arena + (paper ? TABLE1_PLACE : 0), *at = first;

	for (uintptr_t i = 1; i < b->arg[0]; i++, at += b->arg[1])
		link_to(at, at + b->arg[1]);
	link_to(at, first);
}

static bool ring(struct bench *b, const char *name, const char *what, uintptr_t nodes,
                 uintptr_t stride, const struct bench_area *area, const char **skip)
{
	base(b);
	memcpy(b->name, name, strlen(name) + 1);
	b->what = what;
	b->setup = setup_ring;
	b->arg[0] = nodes;
	b->arg[1] = stride;
	b->set_mask = 1u << REG_SI;
	b->set[REG_SI] = (uintptr_t)area->arena;
	if (!nodes)
		*skip = "the geometry of the first-level data cache is not known";
	else if ((nodes + 1) * stride > area->arena_size)
		*skip = "the arena is too small";
	return true;
}

/* Loads of [XAX] go around the ring. */
static bool paper_ring(struct bench *b, const char *name, const char *what, uintptr_t nodes,
                       uintptr_t stride, const struct bench_area *area, const char **skip)
{
	ring(b, name, what, nodes, stride, area, skip);
	b->flags = 0;
	b->set_mask = 1u << REG_AX;
	b->set[REG_AX] = (uintptr_t)area->arena + TABLE1_PLACE;
	return true;
}

/* Loads of two lines, MOV ECX, [XSI + 4n], and in their middle MOV EAX, [XAX + 0]. */
static void figure5(struct bench *b)
{
	static uint8_t body[3 * (HITS_BEFORE + 1 + HITS_BEHIND)];

	for (unsigned i = 0; i < sizeof(body) / 3; i++) {
		bool target = i == HITS_BEFORE;

		body[3 * i] = 0x8b;
		body[3 * i + 1] = target ? 0x40 : 0x4e;
		body[3 * i + 2] = target ? 0 : i % 32 * 4;
	}
	b->body = body;
	b->body_size = sizeof(body);
	b->insns = sizeof(body) / 3;
	b->insn_bytes = 3;
	b->target = 3 * HITS_BEFORE;
	b->unroll = 8;
}

/* MOV ECX, nodes; MOV EAX, [XAX]; SUB ECX, 1; JNZ to the load. */
static void table1(struct bench *b)
{
	static uint8_t body[] = { 0xb9, 0, 0, 0, 0, 0x8b, 0x00, 0x83, 0xe9, 0x01, 0x75, 0xf9 };

	body[1] = (uint8_t)b->arg[0];
	b->body = body;
	b->body_size = sizeof(body);
	b->ops = (uint32_t)b->arg[0];
	b->insns = b->ops ? 1 + 3 * b->ops : 0;
	b->branches = b->ops;
	b->unroll = 1;
}

/*
 * The thrash needs a stride that comes back to the same set: Sprunt's 8 KiB, or the size of one way
 * where that is larger.
 */
static bool thrash_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	const struct cpu_cache *l1 = cpu_data_cache(cpu, 1);
	uintptr_t way = l1 && l1->ways ? l1->size / l1->ways : 0;
	uintptr_t stride = way > THRASH_STRIDE ? way : THRASH_STRIDE;
	uintptr_t ways = way ? l1->ways : 0;

	switch (i) {
	case 0:
		return ring(b, "l1.thrash",
		            "dependent loads to twice as many lines of one L1D set as it has ways",
		            2 * ways, stride, area, skip);
	case 1:
		return ring(b, "l1.control",
		            "dependent loads to as many lines of one L1D set as it has ways", ways,
		            stride, area, skip);
	case 2:
		paper_ring(b, "sprunt.figure5",
		           "a load that misses L1D amid two hundred that hit, one after the other",
		           2 * ways, stride, area, skip);
		figure5(b);
		return true;
	case 3:
		paper_ring(b, "sprunt.table1",
		           "a loop of one load that misses L1D: lines of one set in turn", 2 * ways,
		           stride, area, skip);
		table1(b);
		return true;
	default:
		return false;
	}
}

static const struct bench_source thrash = { .name = "l1", .get = thrash_get };
BENCH_SOURCE(thrash);

/* A node is a pointer to the next one, which may lie above 4 GiB. MOV XSI, [XSI]. */
static const uint8_t load_far[] = { 0x48, 0x8b, 0x36 };

/* What a chain is made with: its bytes, and an increment and a mask for its generator. */
struct chain {
	uint8_t *start;
	uintptr_t bytes, step, mask;
};

/* Links the node at this offset to the next one, and returns where that is. */
static inline uintptr_t link_next(const struct chain *c, uintptr_t offset)
{
	uintptr_t next = offset;

	do
		next = (next * 1664525 + c->step) & c->mask;
	while (next >= c->bytes);
	*(uintptr_t *)(c->start + offset) = (uintptr_t)(c->start + next);
	return next;
}

/*
 * All nodes in one ring, in the order of a full-period linear congruential generator: multiplier 1
 * mod 4 and odd increment (Hull and Dobell), so no table of the order is needed. Its period is a
 * power of two: numbers behind the last node are passed over. A large footprint has millions of
 * nodes: each turn links four.
 */
static void setup_chain(const struct bench *b, const struct bench_area *area)
{
	uintptr_t left = b->arg[0] / b->arg[1], line = b->arg[1], offset = 0;
	struct chain c = { area->expanse, b->arg[0], line * 1013904223, line };

	while (c.mask && c.mask < c.bytes) /* 0: above half of what an address can name */
		c.mask *= 2;
	c.mask--;
	for (; left > 3; left -= 4) {
		offset = link_next(&c, offset);
		offset = link_next(&c, offset);
		offset = link_next(&c, offset);
		offset = link_next(&c, offset);
	}
	for (; left; left--)
		offset = link_next(&c, offset);
}

/*
 * Where no cache shall have a line, none has one that must be written back: the chain would pay for
 * it.
 */
static void setup_far_chain(const struct bench *b, const struct bench_area *area)
{
	setup_chain(b, area);
	platform_flush_caches();
	platform_flush_bytes(area->expanse, b->arg[0]);
}

/*
 * The i-th footprint: powers of two, and around and above the last cache four steps an octave. 0:
 * there is none.
 */
static uint64_t latency_size(unsigned i, const struct cpu *cpu)
{
	uint64_t last = footprint_last(cpu), size = LATENCY_FIRST;

	for (; size < LATENCY_LAST; size *= 2) {
		unsigned steps = last && 2 * size > last ? STEPS : 1;

		if (i < steps)
			return size / STEPS * (STEPS + i);
		i -= steps;
	}
	return i ? 0 : size;
}

static void latency_name(char to[BENCH_NAME], uint64_t size)
{
	bool mega = size % MIB == 0;
	struct text t = text_in(to, BENCH_NAME);

	text_str(&t, "latency.");
	text_dec(&t, size / (mega ? MIB : 1024));
	text_char(&t, mega ? 'm' : 'k');
}

static void latency(struct bench *b, uint64_t size, const struct cpu *cpu,
                    const struct bench_area *area, const char **skip)
{
	const struct cpu_cache *l1 = cpu_data_cache(cpu, 1);
	bool wide = sizeof(uintptr_t) == 8;

	base(b);
	b->body = wide ? load_far : load_far + 1;
	b->body_size = wide ? sizeof(load_far) : sizeof(load_far) - 1;
	b->setup = size < footprint_memory(cpu) ? setup_chain : setup_far_chain;
	b->arg[0] = (uintptr_t)size;
	b->arg[1] = l1 && l1->line ? l1->line : LINE_DEFAULT;
	b->set_mask = 1u << REG_SI;
	b->set[REG_SI] = (uintptr_t)area->expanse;
	b->walk = true;
	b->pass = size / b->arg[1] > WALK_WHOLE ? 0 : (uint32_t)(size / b->arg[1]);
	if (size > area->expanse_size)
		*skip = "there is no piece of memory of this size";
}

static bool latency_get(unsigned i, struct bench *b, const struct cpu *cpu,
                        const struct bench_area *area, const char **skip)
{
	uint64_t size = latency_size(i, cpu);

	if (!size && (!i || !latency_size(i - 1, cpu)))
		return false;
	latency(b, size ? size : footprint_memory(cpu), cpu, area, skip);
	if (size) {
		latency_name(b->name, size);
		b->what = "a dependent load, lines of this footprint in scattered order";
		if (size & (size - 1) || size > LATENCY_DEFAULT)
			b->flags = 0;
	} else {
		memcpy(b->name, "latency.memory", sizeof("latency.memory"));
		b->what = "a dependent load, scattered lines of four times the last cache";
	}
	return true;
}

static const struct bench_source latencies = { .name = "latency", .get = latency_get };
BENCH_SOURCE(latencies);
