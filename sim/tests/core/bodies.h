/*
 * sim/tests/core/bodies.h - the instruction table (bench/instr) on the core model, without the
 * kernel and without the engine, with every access in the first-level cache.
 */
#ifndef SIM_TESTS_CORE_BODIES_H
#define SIM_TESTS_CORE_BODIES_H

#include <stdbool.h>

#include "sim/timing/core_rows.h"

enum { BODY_INSNS = 64, BODY_TEXT = 80 };

struct body_insn {
	ZydisDecodedInstruction zi;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	struct core_insn core;
};

/* A body of the table that a real processor was measured with, too. */
struct body {
	char text[BODY_TEXT]; /* "ADD r32, r32", as the measurement spells it */
	const char *kind;     /* "latency" or "throughput" */
	double theirs;        /* measured clocks of an operation */
	bool held;            /* no row may be fitted to it */
	bool left_out;        /* held for the moment (fit_core -k) */
	bool integer;         /* not x87, MMX or SSE */
	bool without_cache;   /* the measured code was longer than the uop cache */
	unsigned chains;      /* so many registers are all that the copies write; 0: others, too */
	bool four_registers;  /* registers of 8 bits are the reference's (sim/docs/clocks.md) */
	bool one_register;    /* each copy reads the register that it writes (sim/docs/clocks.md) */
	unsigned ops, insns, bytes;
	unsigned quantity; /* core_dyn.quantity of its division */
	unsigned which;    /* the same for a row with cases */
	struct body_insn *insn;
};

/* One processor with its model. */
struct bodies {
	struct core_machine *machine;
	struct body *body;
	unsigned count;
};

/*
 * All bodies that a processor of a CSV file was measured with and that the execution engine can
 * run. argv: six words, MACHINE CPU WIDTH CODE SALT CSV. WIDTH: 32 or 64. CODE: `long` if the
 * measured code was longer than the uop cache, `immediates` if it was so for wide immediates alone,
 * `chain` if forms with two registers ran as a chain, `bytes` if copies with one register of 8 bits
 * wrote seven bytes of four registers, else `short`. SALT: which forms are held out; `-` is none.
 * False: the reason has been printed.
 */
bool bodies_read(struct bodies *b, char **argv);
void bodies_free(struct bodies *b);

/* Finds the rows of the instructions of a body again, after rows or parameters have changed. */
void body_decode(const struct core_machine *m, struct body *body);

/* Clocks of one operation of a body, far from its beginning. */
double body_clocks(const struct core_machine *m, const struct body *body);

/* Within 5 % or 0.1 clock. */
bool body_good(double ours, double theirs);

/* "forward=5": another value for a parameter. False: there is no such parameter. */
bool bodies_parameter(struct core_machine *m, const char *text);

#endif
