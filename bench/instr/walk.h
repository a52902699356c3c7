/*
 * The walk through all benchmarks of the table, one after the other.
 */
#ifndef BENCH_INSTR_WALK_H
#define BENCH_INSTR_WALK_H

#include "bench/instr/shape.h"

/* The four lists of the table, in the order of the benchmarks. */
enum instr_stage { STAGE_ROWS, STAGE_SEQUENCES, STAGE_DIVISIONS, STAGE_LEAS, STAGES };

struct instr_walk {
	enum instr_stage stage;
	unsigned item;                /* of the stage's list */
	const char *next_name, *name; /* rows, sequences */
	const uint8_t *code;          /* sequences */
	struct instr_choice choice;   /* rows; LEA uses `variant` alone */
	bool (*wanted)(const char *); /* as instr_only() has it */
	struct instr_form form;       /* made last */
};

/* Begins before the first benchmark of a CPU with the features of `cpu` in a width. */
void instr_walk_begin(struct instr_walk *w, const struct cpu *cpu, bool wide,
                      bool (*wanted)(const char *beginning));

/* Fills *b with the next benchmark; false behind the last. What b points to is in *w. */
bool instr_walk_next(struct instr_walk *w, struct bench *b, const struct bench_area *area);

#endif
