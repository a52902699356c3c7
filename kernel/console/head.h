/*
 * The head of the screen: which program and where its log goes, the CPU, its clocks and caches, its
 * counters and whether they were proven, how far the run is, and the summary
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

/*
 * Shows the head of what comes from now on, as far as the rows that `s` keeps for it; NULL: there
 * is no head.
 */
void head_open(struct screen *s);

/* Takes a record of the run that goes on. A record `cpl0` begins the head of a new run. */
void head_take(const struct record *r);

/* What stops the run, in words, at the end of the row of progress; NULL: nothing. It must stay. */
void head_stoppable(const char *hint);

#endif
