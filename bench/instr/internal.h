/*
 * Shared by the makers of instr.* benchmarks: where the walk is, the form being made, and how to say
 * what it needs and holds. Private to bench/instr*.c.
 */
#ifndef BENCH_INSTR_MAKE_H
#define BENCH_INSTR_MAKE_H

#include "bench/instr/instr.h"
#include "kernel/string.h"

enum {
	SIZES = 4,    /* of general registers: 8 << n bits */
	VARIANTS = 8, /* of vectors: as in instr_set, then EVEX with a mask: 128, 256, 512 */
	BODY = 256,
	INIT = 160,
	/* Between the three operands in memory: other lines, banks, sets of a cache */
	GPR_STEP = 0x148,
	VECTOR_STEP = 0x140,
};

enum instr_stage { ST_ROWS, ST_LITERALS, ST_DIVS, ST_LEAS, ST_END };

/* Which form comes next; every counter below runs through its values for each value of those above. */
struct instr_cursor {
	enum instr_stage stage;
	unsigned item;    /* row, literal, division, form of LEA */
	const char *name; /* of it */
	struct instr_row row;
	struct instr_literal literal;
	const uint8_t *code; /* of the literal */
	unsigned spec;       /* of the row's pattern */
	unsigned variant;    /* size or vector variant */
	bool memory, two;    /* operand n is memory; two different registers */
	bool throughput;
	unsigned index; /* of the benchmark it stands for */
	bool valid;
};

extern struct instr_cursor instr_at;

/* The form being made. */
struct instr_text {
	char text[64], needs[64];
	size_t length;
	uint8_t body[BODY], init[INIT];
};

extern struct instr_text instr_made;

extern bool instr_wide;             /* 64-bit code */
extern const struct cpu *instr_cpu; /* whose features count */

/* Text of the form, piece by piece; the number is padded with blanks to `width`. */
void instr_begin_text(const char *s);
void instr_put(const char *s);
void instr_put_number(unsigned v, unsigned width);
const char *instr_size_text(unsigned bits); /* "8" to "64" */

/* Has the CPU all of an entry of instr_needs? Adds it, or one feature, to the benchmark's needs. */
bool instr_has(unsigned need);
void instr_add_needs(unsigned need);
void instr_add_feature(enum cpu_feature f);

/* Adds bytes at offset n of the init part; returns the offset behind them. */
size_t instr_add_init(size_t n, const char *bytes, size_t size);
#define ADD(n, bytes) instr_add_init(n, bytes, sizeof(bytes) - 1)

/*
 * The parts of a benchmark, in this order: begin empty; let XSI, XDI, XBX point to three operands, 64 KiB
 * and `step` apart, that hold `data` (DATA_..., for DATA_X87 with what instr_literal.extra says); ask
 * for few copies where it walks through memory; finish with the sizes of its code.
 */
void instr_begin(struct bench *b);
void instr_set_memory(struct bench *b, const struct bench_area *area, unsigned data,
                      uintptr_t step);
void instr_walk(struct bench *b);
void instr_finish(struct bench *b, size_t body, size_t init, bool throughput);

/* Has this CPU any form of the row? */
bool instr_row_possible(const struct instr_row *row);

/* Make the benchmark that instr_at stands for; false if there is none. */
bool instr_make_row(struct bench *b, const struct bench_area *area);
bool instr_make_literal(struct bench *b, const struct bench_area *area);
bool instr_make_div(struct bench *b, const struct bench_area *area);
bool instr_make_lea(struct bench *b, const struct bench_area *area);

#endif
