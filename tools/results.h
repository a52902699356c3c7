/*
 * The measurements in a log: one row for each quantity (`tsc`, an event) of each `result` record.
 */
#ifndef TOOLS_RESULTS_H
#define TOOLS_RESULTS_H

#include "tools/logfile.h"

struct result {
	unsigned run; /* from 1 */
	const struct line *line;
	char bench[64], mode[8], cpl[8], quantity[80];
	char form[64], kind[16]; /* instr.*: "ADD r32, r32" and "latency" or "throughput"; or "" */
	int64_t min, med, max;   /* thousandths */
	uint64_t ops;            /* operations that one copy stands for, at least 1 */
	uint64_t copies;         /* what min covers: 1 in mode=rate, copies x loop in mode=total */
	bool exact;
};

struct results {
	struct result *row;
	size_t n;
};

/* All of them, in the order of the log. Whole, well-formed records only. */
void results_read(struct results *rs, const struct log *log);
void results_free(struct results *rs);

/* The first record of this kind in the log, NULL if there is none. */
const struct record *log_first(const struct log *log, const char *kind);

/* Thousandths as a decimal with three places. Returns `out`. */
const char *milli_text(char out[32], int64_t thousandths);

#endif
