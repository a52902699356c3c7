/*
 * Memory bandwidth: reading, writing, copying and non-temporal writing, with registers of every
 * width the CPU has, in footprints that lie in the first, second and third cache and in none. One
 * operation is a line of 64 bytes.
 *
 * A body goes through a piece of a large footprint, and begins where the body before ended. So a
 * run is as short for a cache of 1 GiB as for one of 8 MiB. Before the first run the lines that a
 * walk would meet last are read or written: the caches are as full as they stay, and a line that is
 * written to throws another one out that was.
 */
#include "bench/footprint.h"
#include "bench/suite/generated.h"
#include "kernel/lib/string.h"

enum {
	LINE = 64,
	UNROLLED = 8,
	PIECE = 2 << 20,
	PAGE = 4096,
	MOVNTI = 0xc3, /* behind 0FH, and of SSE2 */
};

/* How a register is moved: prefixes, and the opcode that comes before ModRM. */
static const struct width {
	const char *suffix, *needs;
	uint8_t bytes, nprefix, prefix[4];
	uint8_t load, store, nontemporal; /* opcode */
} widths[] = {
	{ "dword", "", 4, 0, { 0 }, 0x8b, 0x89, MOVNTI },
	{ "sse", "sse", 16, 1, { 0x0f }, 0x28, 0x29, 0x2b },
	{ "avx", "avx", 32, 2, { 0xc5, 0xfc }, 0x28, 0x29, 0x2b },
	{ "avx512", "avx512f", 64, 4, { 0x62, 0xf1, 0x7c, 0x48 }, 0x28, 0x29, 0x2b },
};

enum operation { READ, WRITE, COPY, NONTEMPORAL, COPY_NONTEMPORAL, OPERATIONS };
static const struct {
	const char *name, *what;
} operations[] = {
	[READ] = { "read", "lines read one after the other, by footprint" },
	[WRITE] = { "write", "lines written" },
	[COPY] = { "copy", "lines copied from one half of the footprint to the other" },
	[NONTEMPORAL] = { "write_nt", "lines written past the caches" },
	[COPY_NONTEMPORAL] = { "copy_nt", "lines copied, written past the caches" },
};

static const char *const levels[] = { "l1", "l2", "l3", "memory" };

static uintptr_t full; /* bytes of the last cache */

enum { WIDTHS = sizeof(widths) / sizeof(widths[0]), LEVELS = sizeof(levels) / sizeof(levels[0]) };

static bool copies(enum operation op)
{
	return op == COPY || op == COPY_NONTEMPORAL;
}

static bool reads(enum operation op)
{
	return op == READ || copies(op);
}

/* Register 0 and [XSI + at], or [XDI + at] for stores. */
static void move(struct emit *e, const struct width *w, uint8_t opcode, uint8_t modrm, uint32_t at)
{
	emit_bytes(e, w->prefix, w->nprefix);
	if (opcode == MOVNTI)
		emit_u8(e, 0x0f);
	emit_u8(e, opcode);
	emit_u8(e, modrm);
	emit_u32(e, at);
}

static void add_pointer(struct emit *e, uint8_t modrm, uint32_t n)
{
	generated_wide(e);
	emit_u8(e, 0x81);
	emit_u8(e, modrm);
	emit_u32(e, n);
}

static uint32_t rounds(const struct width *w, uintptr_t bytes)
{
	return (uint32_t)(bytes / (w->bytes * UNROLLED));
}

/* XSI to the start at XBX if it is at the end, XDX; XDI lies XBP bytes behind it. */
static void go_on(struct emit *e)
{
	generated_wide(e);
	emit_bytes(e, "\x39\xd6\x72", 3); /* CMP XSI, XDX; JB past the next */
	emit_u8(e, sizeof(uintptr_t) == 8 ? 3 : 2);
	generated_wide(e);
	emit_bytes(e, "\x89\xde", 2); /* MOV XSI, XBX */
	generated_wide(e);
	emit_bytes(e, "\x89\xf7", 2); /* MOV XDI, XSI */
	generated_wide(e);
	emit_bytes(e, "\x01\xef", 2); /* ADD XDI, XBP */
}

/* arg[0]: width and operation; arg[1]: bytes that a body reads, writes or copies. */
static void make(struct bench *b)
{
	const struct width *w = &widths[b->arg[0] % WIDTHS];
	enum operation op = (enum operation)(b->arg[0] / WIDTHS);
	uint8_t store = op >= NONTEMPORAL ? w->nontemporal : w->store;
	struct emit e = generated_start();
	const uint8_t *top;

	if (b->walk) {
		go_on(&e);
	} else {
		generated_wide(&e);
		emit_bytes(&e, "\x89\xde", 2); /* MOV XSI, XBX */
		generated_wide(&e);
		emit_bytes(&e, "\x89\xef", 2); /* MOV XDI, XBP */
	}
	top = generated_loop(&e, rounds(w, b->arg[1]));
	for (uint32_t i = 0; i < UNROLLED; i++) {
		if (reads(op))
			move(&e, w, w->load, 0x86, i * w->bytes);
		if (op != READ)
			move(&e, w, store, 0x87, i * w->bytes);
	}
	add_pointer(&e, 0xc6, UNROLLED * w->bytes);
	add_pointer(&e, 0xc7, UNROLLED * w->bytes);
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

/* Every page gets memory of its own: a process starts with all of them the same page of zeros. */
static void setup(const struct bench *b, const struct bench_area *area)
{
	enum operation op = (enum operation)(b->arg[0] / WIDTHS);

	for (uintptr_t at = 0; at < (copies(op) ? 2 : 1) * b->arg[1]; at += PAGE)
		*(volatile uint8_t *)(area->expanse + at) = 0;
}

/* The last `n` bytes before `end`. */
static void touch_lines(uint8_t *end, uintptr_t n, bool writes)
{
	for (volatile uint8_t *p = end - n; p < end; p += LINE)
		if (writes)
			*p = 0;
		else
			(void)*p;
}

/* Where a line that is written to goes past the caches, what they have stays clean. */
static void setup_walk(const struct bench *b, const struct bench_area *area)
{
	enum operation op = (enum operation)(b->arg[0] / WIDTHS);
	uintptr_t start = b->set[REG_BX], size = b->set[REG_DX] - start;
	uintptr_t n = size < full ? size : full;

	for (uintptr_t at = 0; at < (copies(op) ? b->set[REG_BP] : 0) + size; at += PAGE)
		*(volatile uint8_t *)(area->expanse + at) = 0;
	touch_lines((uint8_t *)(start + size), n, op == WRITE);
	if (copies(op))
		touch_lines((uint8_t *)(start + b->set[REG_BP] + size), n, op == COPY);
}

/* Half of a cache, or of what no cache keeps a line; 0: no such cache. */
static uint64_t footprint(const struct cpu *cpu, unsigned level)
{
	const struct cpu_cache *c = level < 3 ? cpu_data_cache(cpu, level + 1) : NULL;

	return level == 3 ? footprint_memory(cpu) : c ? c->size / 2 : 0;
}

static void name(struct bench *b, const char *op, const char *width, const char *level)
{
	const char *const parts[] = { "bandwidth.", op, "_", width, ".", level };
	char *to = b->name;

	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		memcpy(to, parts[i], strlen(parts[i]) + 1);
		to += strlen(parts[i]);
	}
}

/* `bytes` in all, from the start of the expanse on; a copy is from its first half to the other. */
static void place(struct bench *b, enum operation op, uintptr_t bytes,
                  const struct bench_area *area)
{
	uintptr_t start = (uintptr_t)area->expanse, size = copies(op) ? bytes / 2 : bytes;
	uintptr_t apart = copies(op) ? size : 0;

	b->walk = size > PIECE;
	b->setup = b->walk ? setup_walk : setup;
	b->arg[1] = b->walk ? PIECE : size;
	b->set_mask = 1u << REG_BX | 1u << REG_BP;
	b->set[REG_BX] = start;
	b->set[REG_BP] = b->walk ? apart : start + apart;
	if (!b->walk)
		return;
	b->set_mask |= 1u << REG_SI | 1u << REG_DX;
	b->set[REG_SI] = start;
	b->set[REG_DX] = start + size / PIECE * PIECE;
}

static bool bandwidth_get(unsigned i, struct bench *b, const struct cpu *cpu,
                          const struct bench_area *area, const char **skip)
{
	unsigned op = i / (WIDTHS * LEVELS);
	unsigned level = i % LEVELS;
	const struct width *w = &widths[i / LEVELS % WIDTHS];
	uint64_t bytes = footprint(cpu, level);

	if (op >= OPERATIONS)
		return false;
	generated_base(b, operations[op].what,
	               op >= NONTEMPORAL && w->nontemporal == MOVNTI ? "sse2" : w->needs);
	name(b, operations[op].name, w->suffix, levels[level]);
	if (!bytes)
		*skip = "the CPU tells of no such cache";
	else if (bytes > area->expanse_size)
		*skip = "there is no piece of memory of four times the last cache";
	full = (uintptr_t)footprint_last(cpu);
	place(b, op, (uintptr_t)bytes, area);
	b->make = make;
	b->arg[0] = op * WIDTHS + i / LEVELS % WIDTHS;
	b->ops = (uint32_t)(b->arg[1] / LINE);
	b->bytes = LINE;
	b->insns = 3 + rounds(w, b->arg[1]) * (UNROLLED * (reads(op) + (op != READ)) + 4);
	b->branches = rounds(w, b->arg[1]);
	b->branches_known = !b->walk;
	if (b->walk)
		b->insns = 0; /* a body more at the end of the footprint */
	return true;
}

static const struct bench_source bandwidth = { .name = "bandwidth", .get = bandwidth_get };
BENCH_SOURCE(bandwidth);
