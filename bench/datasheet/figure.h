/*
 * A figure of the datasheet (docs/datasheet.md): the measured size of a structure of the core. Each
 * figure becomes a `datasheet` record of the log.
 */
#ifndef BENCH_DATASHEET_FIGURE_H
#define BENCH_DATASHEET_FIGURE_H

#include <stdint.h>

/* A figure; value 0: there is none. */
struct figure {
	const char *what;          /* the structure, named as in docs/datasheet.md */
	const char *filler;        /* the instruction that filled it; NULL: not stated */
	const char *is;            /* a word in place of the value; NULL: none */
	const char *unit;          /* of the three numbers; NULL: "entries" */
	uint32_t value, low, high; /* the true size is from low to high; high 0: no bound */
	uint32_t told;             /* the size in CPUID; 0: CPUID has none */
	const char *verdict, *why;
};

/* Writes the record for benchmark `bench`. */
void figure_log(const char *bench, const struct figure *f);

#endif
