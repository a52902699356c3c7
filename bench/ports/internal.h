/*
 * What the two ways to find ports have in common: blocking instructions and bodies. Only the files
 * of this folder use it.
 */
#ifndef BENCH_PORTS_INTERNAL_H
#define BENCH_PORTS_INTERNAL_H

#include "bench/bench.h"
#include "kernel/lib/text.h"

enum {
	PORTS_EVENTS = 9, /* most events that a model has for its ports */
	PORTS_REQUEST = 64,
	PORTS_CODE = 20,
	PORTS_BODY = 4096, /* bytes of a body */
	PORTS_STORE = 13,  /* candidate that stores; events tell no ports of those behind it */
	PORTS_CANDIDATES = 24,
};

/* Instructions of one kind that do not wait for each other. */
struct ports_candidate {
	uint8_t size, insns; /* bytes, instructions */
	char name[10];       /* of its group of ports, by time; empty: not used by time */
	uint8_t code[PORTS_CODE];
};

extern const struct ports_candidate ports_candidates[PORTS_CANDIDATES];

/* Before the events of a run are looked for: what an earlier run of this boot found is gone. */
void ports_forget(void);

extern unsigned ports_events; /* number of the events that are measured */

/*
 * Gives an event its name, which has two parts, and takes all events out of the group. False: this
 * machine has no such event. ports_add() then searches the tables of events once for each counter.
 */
bool ports_name(unsigned event, const char *prefix, const char *suffix);

/* Takes all events out of the group. */
void ports_none(void);

/* Adds the event to the group, on a counter behind those that have one. False: none is left. */
bool ports_add(unsigned event);

/* Events count at this CPL from now on. */
void ports_at_cpl(unsigned cpl);

/*
 * Thousandths that each event of the set (bit n: event n) counts in one body of b, from the
 * difference between `many` and `few` copies with a loop around them. By time there is one event,
 * which counts clocks. Returns NULL, or why nothing was measured.
 */
const char *ports_measure(const struct bench_run *run, const struct bench *b, unsigned set,
                          uint32_t few, uint32_t many, uint32_t loop, int64_t milli[PORTS_EVENTS]);

/* Lets b have an empty body, which the next two functions fill. */
void ports_open(struct bench *b);
void ports_append(struct bench *b, const uint8_t *code, size_t size);

/*
 * Adds copies of the candidate until they have n instructions or the body has no room below `room`
 * bytes for another one. Returns the number of instructions added.
 */
unsigned ports_fill(struct bench *b, unsigned candidate, unsigned n, size_t room);

/* Its code in hex; good until the next call. */
const char *ports_code_of(unsigned candidate);

/* b with the first operation alone, if it is known where that ends; else b. */
struct bench ports_one(const struct bench *b);

/* Begins a term of n uops, or clocks: the name of the ports follows. */
void ports_put_term(struct text *t, unsigned n);

/* The functions of ports.h, by the time that bodies take. */
const char *ports_time_init(const struct bench_run *run);
const char *ports_time_bench(const struct bench_run *run, const struct bench *b);

#endif
