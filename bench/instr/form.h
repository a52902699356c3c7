/*
 * The form being made: its text, what it needs, its code, and what its operands hold.
 */
#ifndef BENCH_INSTR_FORM_H
#define BENCH_INSTR_FORM_H

#include "bench/bench.h"
#include "bench/instr/tables.h"

enum {
	INSTR_TEXT = 64,
	INSTR_BODY = 256,
	INSTR_INIT = 160,
	/* Between the three operands in memory: other lines, banks, sets of a cache */
	INSTR_GPR_STEP = 0x148,
	INSTR_VECTOR_STEP = 0x140,
};

/* What memory holds when the benchmark starts. */
struct instr_memory {
	enum instr_data data;
	bool cold;        /* the operands are not in the first-level cache */
	uint16_t control; /* DATA_X87: control word */
	enum instr_constant rest, top;
	uintptr_t step; /* three operands lie 64 KiB and `step` bytes apart */
};

struct instr_form {
	const struct cpu *cpu; /* whose features count */
	bool wide;             /* 64-bit code */
	bool throughput;       /* or latency */
	char text[INSTR_TEXT], needs[INSTR_TEXT];
	size_t length; /* of the text */
	struct instr_memory memory;
	size_t body_size, init_size;
	size_t op_size; /* bytes of the first operation; 0: all are as long */
	uint8_t body[INSTR_BODY], init[INSTR_INIT];
};

/* Empties all but cpu, wide and throughput. */
void instr_begin(struct instr_form *f);

/* Adds to the text. The number is padded with blanks to `width` digits. */
void instr_put(struct instr_form *f, const char *s);
void instr_put_number(struct instr_form *f, unsigned v, unsigned width);

/* The name of a form's benchmark, cut at BENCH_NAME - 1 characters. */
void instr_name(char to[BENCH_NAME], const char *form, bool throughput);

/* Has the CPU all features of instr_needs[need]? */
bool instr_has(const struct instr_form *f, unsigned need);

/* Adds features to what the form needs. */
void instr_add_needs(struct instr_form *f, unsigned need);
void instr_add_feature(struct instr_form *f, enum cpu_feature feature);

/* Adds bytes to the code that runs once, and to the body. */
void instr_add_init(struct instr_form *f, const void *bytes, size_t size);
void instr_add_body(struct instr_form *f, const void *bytes, size_t size);
#define INSTR_INIT_BYTES(f, bytes) instr_add_init(f, bytes, sizeof(bytes) - 1)

/*
 * Fills *b from the form. instr_use_memory() lets XSI, XDI and XBX point to the three operands that
 * f->memory describes. instr_few_copies() is for code that moves through memory, or is slow.
 */
void instr_finish(struct instr_form *f, struct bench *b);
void instr_use_memory(struct instr_form *f, struct bench *b, const struct bench_area *area);
void instr_few_copies(struct bench *b);

#endif
