/*
 * The head of the screen: the program and the outputs of its log, the CPU, its clocks and caches,
 * its counters and their proof, the progress of the run, and the summary
 * (kernel/console/summary.h).
 *
 * It reads the log's own lines (kernel/console/record.h).
 */
#ifndef KERNEL_CONSOLE_HEAD_H
#define KERNEL_CONSOLE_HEAD_H

#include <stdbool.h>

#include "kernel/console/record.h"
#include "kernel/console/screen.h"

enum head_row {
	HEAD_PROGRAM,
	HEAD_CPU,
	HEAD_CLOCKS,
	HEAD_COUNTERS,
	HEAD_PROGRESS,
	HEAD_LATENCY,
	HEAD_RATES,
	HEAD_ARITHMETIC,
	HEAD_ROWS,
};

/* Shows the head of the following records, in the rows that `s` keeps for it; NULL: no head. */
void head_open(struct screen *s);

/* Takes a record of the present run. A record `cpl0` begins the head of a new run. */
void head_take(const struct record *r);

/* Shows how to stop the run, at the end of the row of progress; NULL: nothing. *hint must stay. */
void head_stoppable(const char *hint);

#endif
