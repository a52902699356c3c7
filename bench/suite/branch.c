/*
 * Branch prediction: how many branches are remembered, how deep returns are, how long a pattern is
 * learnt, and how many targets of an indirect jump. Each benchmark is a row of one of these with a
 * parameter; the clocks per operation jump where the parameter passes what the core can hold.
 */
#include "bench/suite/generated.h"
#include "kernel/lib/string.h"

enum { ROUNDS = 16, BRANCHES = 4096, RETURN_STEP = 4, RET = 0xc3 };

/* n jumps to the next one in the arena, arg[1] bytes apart, and back. */
static void setup_btb(const struct bench *b, const struct bench_area *area)
{
	uint8_t *at = area->arena;

	for (uintptr_t i = 0; i < b->arg[0]; i++, at += b->arg[1]) {
		at[0] = 0xeb;
		at[1] = (uint8_t)(b->arg[1] - 2);
	}
	*at = RET;
}

static void make_btb(struct bench *b)
{
	struct emit e = generated_start();
	const uint8_t *top = generated_loop(&e, ROUNDS);

	emit_bytes(&e, "\xff\xd3", 2); /* CALL XBX */
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

/* n calls, each inside the one before, then n returns. */
static void make_returns(struct bench *b)
{
	static const uint8_t first[] = { 0xe8, 5, 0, 0, 0, 0xe9 }; /* CALL behind the JMP; JMP */
	static const uint8_t call[] = { 0xe8, 1, 0, 0, 0, 0xc3 };  /* CALL behind the RET; RET */
	uint32_t n = (uint32_t)b->arg[0];
	struct emit e = generated_start();
	const uint8_t *top = generated_loop(&e, ROUNDS);

	emit_bytes(&e, first, sizeof(first));
	emit_u32(&e, (n - 1) * sizeof(call) + 1);
	for (uint32_t i = 1; i < n; i++)
		emit_bytes(&e, call, sizeof(call));
	emit_u8(&e, RET);
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

/* One branch that follows n bits in memory over and over; both ways are as long. */
static void make_pattern(struct bench *b)
{
	static const uint8_t branch[] = {
		0xf6, 0x04, 0x16, 0x01, /* TEST byte [XSI + XDX], 1 */
		0x74, 0x02,             /* JZ 1f */
		0xeb, 0x01,             /* JMP 2f */
		0x90,                   /* 1: NOP */
		0xff, 0xc2,             /* 2: INC EDX */
		0x81, 0xe2,             /* AND EDX, n - 1 */
	};
	struct emit e = generated_start();
	const uint8_t *top;

	emit_bytes(&e, "\x31\xd2", 2); /* XOR EDX, EDX */
	top = generated_loop(&e, b->ops);
	emit_bytes(&e, branch, sizeof(branch));
	emit_u32(&e, (uint32_t)b->arg[0] - 1);
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

static void setup_pattern(const struct bench *b, const struct bench_area *area)
{
	uint32_t x = 1;

	for (uintptr_t i = 0; i < b->arg[0]; i++) {
		x = x * 1664525 + 1013904223;
		area->data[i] = (uint8_t)(x >> 31);
	}
}

/* One indirect jump to n targets in turn. */
static void make_indirect(struct bench *b)
{
	enum { TARGET = 16 }; /* bytes apart */
	static const uint8_t start[] = {
		0xe8, 0,   0, 0, 0, /* CALL the next instruction */
		0x5f,               /* POP XDI: its own address */
		0x31, 0xd2          /* XOR EDX, EDX */
	};
	static const uint8_t pick[] = { 0x89, 0xd0, 0xc1, 0xe0,
		                        0x04 }; /* MOV EAX, EDX; SHL EAX, 4 */
	uint32_t n = (uint32_t)b->arg[0];
	struct emit e = generated_start();
	const uint8_t *anchor = e.at + 5;
	const uint8_t *top;

	emit_bytes(&e, start, sizeof(start));
	top = generated_loop(&e, BRANCHES);
	emit_bytes(&e, pick, sizeof(pick));
	generated_wide(&e);
	emit_bytes(&e, "\x8d\x84\x07", 3); /* LEA XAX, [XDI + XAX + distance] */
	emit_u32(&e, (uint32_t)(e.at + 4 + 2 - anchor));
	emit_bytes(&e, "\xff\xe0", 2); /* JMP XAX */
	for (uint32_t i = 0; i < n; i++) {
		emit_u8(&e, 0xe9); /* JMP behind the targets */
		emit_u32(&e, (n - i) * TARGET - 5);
		for (unsigned at = 5; at < TARGET; at++)
			emit_u8(&e, 0x90);
	}
	emit_bytes(&e, "\xff\xc2\x81\xe2", 4); /* INC EDX; AND EDX, n - 1 */
	emit_u32(&e, n - 1);
	generated_loop_end(&e, top);
	generated_end(b, &e);
}

static const struct row {
	const char *name, *what;
	void (*make)(struct bench *b);
	void (*setup)(const struct bench *b, const struct bench_area *area);
	uint32_t last;
	uint8_t first, step, spacing; /* the parameter: doubled, or in steps */
	uint8_t each, once, per;      /* each round executes parameter * per + each instructions */
	uint8_t branches;             /* ... parameter * per + so many are branches; 0: not known */
	uint8_t branches_once;        /* of `once` */
} rows[] = {
	{ "branch.btb16", "so many jumps, 16 bytes apart, over and over", make_btb, setup_btb,
	  32768, 64, 0, 16, 4, 1, 1, 3, 0 },
	{ "branch.btb64", "so many jumps, 64 bytes apart, over and over", make_btb, setup_btb,
	  32768, 64, 0, 64, 4, 1, 1, 3, 0 },
	{ "branch.returns", "so many calls, one inside the other, and their returns", make_returns,
	  NULL, 128, 4, RETURN_STEP, 0, 3, 1, 2, 2, 0 },
	{ "branch.pattern", "a branch that follows a random pattern of so many bits", make_pattern,
	  setup_pattern, 65536, 1, 0, 0, 7, 2, 0, 0, 0 },
	{ "branch.indirect", "an indirect jump to so many targets in turn", make_indirect, NULL, 64,
	  1, 0, 0, 9, 4, 0, 3, 1 },
};

/*
 * A round is a pass over all of the parameter, or a single branch. In the second case a run
 * contains the whole pattern.
 */
static uint32_t rounds_of(const struct row *row, uint32_t n)
{
	return row->per ? ROUNDS : n > BRANCHES ? n : BRANCHES;
}

static bool branch_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	(void)cpu;
	for (unsigned r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		const struct row *row = &rows[r];

		for (uint32_t n = row->first; n <= row->last;
		     n = row->step ? n + row->step : 2 * n) {
			if (i--)
				continue;
			generated_base(b, row->what, "");
			generated_name(b, row->name, n, false);
			b->make = row->make;
			b->setup = row->setup;
			b->arg[0] = n;
			b->arg[1] = row->spacing;
			b->ops = rounds_of(row, n) * (row->per ? n : 1);
			b->insns = row->once + rounds_of(row, n) * (row->each + row->per * n);
			b->branches = row->branches_once +
			              rounds_of(row, n) * (row->branches + row->per * n);
			b->branches_known = row->branches;
			b->set_mask = 1u << REG_BX;
			b->set[REG_BX] = (uintptr_t)area->arena;
			if (area->arena_size <= n * row->spacing)
				*skip = "the arena is too small";
			return true;
		}
	}
	return false;
}

static const struct bench_source branch = { .name = "branch", .get = branch_get };
BENCH_SOURCE(branch);
