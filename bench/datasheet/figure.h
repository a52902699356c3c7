/*
 * A figure of the datasheet (docs/datasheet.md): the measured size of a structure of the core. Each
 * figure becomes a `datasheet` record of the log.
 */
#ifndef BENCH_DATASHEET_FIGURE_H
#define BENCH_DATASHEET_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/bench.h"

/* A figure; value 0: there is none. */
struct figure {
	const char *what;          /* the structure, named as in docs/datasheet.md */
	const char *filler;        /* the instruction that filled it; NULL: not stated */
	const char *is;            /* a word in place of the value; NULL: none */
	const char *unit;          /* of the three numbers; NULL: "entries" */
	uint32_t value, low, high; /* the true size is from low to high; high 0: no bound */
	uint32_t told;             /* the size in CPUID; 0: CPUID has none */
	const char *verdict, *why;
	bool shared; /* another thread of the core may have a part of the structure */
};

/*
 * Begins the figures of a benchmark, and looks at the other thread of the core. A `shared` figure
 * from now on is a lower bound if that thread is busy, or if nothing shows what it does.
 */
void figure_begin(const struct bench_run *run);

/* Writes the record for benchmark `bench`. */
void figure_log(const char *bench, const struct figure *f);

#endif
