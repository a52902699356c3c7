/*
 * Memory bandwidth: reading, writing, copying and non-temporal writing, with registers of every
 * width the CPU has, in footprints that lie in the first, second and third cache and in none. One
 * operation is a line of 64 bytes.
 */
#include "bench/suite/generated.h"
#include "kernel/string.h"

enum {
	LINE = 64,
	UNROLLED = 8,
	MEMORY_MIN = 8 << 20,
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

/* arg[0]: width and operation; arg[1]: bytes that are read, written or copied. */
static void make(struct bench *b)
{
	const struct width *w = &widths[b->arg[0] % WIDTHS];
	enum operation op = (enum operation)(b->arg[0] / WIDTHS);
	uint8_t store = op >= NONTEMPORAL ? w->nontemporal : w->store;
	struct emit e = generated_start();
	const uint8_t *top;

	generated_wide(&e);
	emit_bytes(&e, "\x89\xde", 2); /* MOV XSI, XBX */
	generated_wide(&e);
	emit_bytes(&e, "\x89\xef", 2); /* MOV XDI, XBP */
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
	(void)b;
	for (size_t at = 0; at < area->arena_size; at += 4096)
		*(volatile uint8_t *)(area->arena + at) = 0;
}

/* Half of a cache, four times the last one; 0: no such cache. */
static uintptr_t footprint(const struct cpu *cpu, unsigned level)
{
	const struct cpu_cache *c = level < 3 ? cpu_data_cache(cpu, level + 1) : NULL;
	uintptr_t last = 0;

	if (level < 3)
		return c ? c->size / 2 : 0;
	for (unsigned l = 1; l <= 3; l++)
		if ((c = cpu_data_cache(cpu, l)))
			last = c->size;
	return 4 * last > MEMORY_MIN ? 4 * last : MEMORY_MIN;
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

static bool bandwidth_get(unsigned i, struct bench *b, const struct cpu *cpu,
                          const struct bench_area *area, const char **skip)
{
	unsigned op = i / (WIDTHS * LEVELS);
	unsigned level = i % LEVELS;
	const struct width *w = &widths[i / LEVELS % WIDTHS];
	uintptr_t bytes = footprint(cpu, level);

	if (op >= OPERATIONS)
		return false;
	generated_base(b, operations[op].what,
	               op >= NONTEMPORAL && w->nontemporal == MOVNTI ? "sse2" : w->needs);
	name(b, operations[op].name, w->suffix, levels[level]);
	if (level == 3 && bytes > area->arena_size)
		bytes = area->arena_size; /* larger than every cache of a small machine */
	if (!bytes)
		*skip = "the CPU tells of no such cache";
	else if (bytes > area->arena_size)
		*skip = "the arena is too small";
	if (copies(op))
		bytes /= 2;
	b->make = make;
	b->setup = setup;
	b->arg[0] = op * WIDTHS + i / LEVELS % WIDTHS;
	b->arg[1] = bytes;
	b->set_mask = 1u << REG_BX | 1u << REG_BP;
	b->set[REG_BX] = (uintptr_t)area->arena;
	b->set[REG_BP] = (uintptr_t)area->arena + (copies(op) ? bytes : 0);
	b->ops = (uint32_t)(bytes / LINE);
	b->bytes = LINE;
	b->insns = 3 + rounds(w, bytes) * (UNROLLED * (reads(op) + (op != READ)) + 4);
	return true;
}

static const struct bench_source bandwidth = { .name = "bandwidth", .get = bandwidth_get };
BENCH_SOURCE(bandwidth);
