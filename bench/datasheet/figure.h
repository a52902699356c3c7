/*
 * A figure of the datasheet (docs/datasheet.md): how large a structure of the core is, found by
 * measurement. Each becomes a record `datasheet` of the log.
 */
#ifndef BENCH_DATASHEET_FIGURE_H
#define BENCH_DATASHEET_FIGURE_H

#include <stdint.h>

/* A figure; value 0: there is none. */
struct figure {
	const char *what;          /* the structure, named as in docs/datasheet.md */
	const char *filler;        /* what filled it; NULL: that needs no word */
	const char *unit;          /* of the three numbers; NULL: "entries" */
	uint32_t value, low, high; /* the true one lies from low to high; high 0: no bound */
	uint32_t told;             /* what CPUID says; 0: nothing */
	const char *verdict, *why;
};

/* Writes the record for benchmark `bench`. */
void figure_log(const char *bench, const struct figure *f);

#endif
