/*
 * The head of the screen: which program and where its log goes, the CPU, its clocks and caches, its
 * counters and whether they were proven, and how far the run is.
 *
 * It reads the log's own lines (kernel/console/record.h).
 */
#ifndef KERNEL_CONSOLE_HEAD_H
#define KERNEL_CONSOLE_HEAD_H

#include <stdbool.h>

#include "kernel/console/record.h"
#include "kernel/console/screen.h"

enum head_row { HEAD_PROGRAM, HEAD_CPU, HEAD_CLOCKS, HEAD_COUNTERS, HEAD_PROGRESS, HEAD_ROWS };

/* Shows the head of what comes from now on. `s` keeps HEAD_ROWS rows for it; NULL: no head. */
void head_open(struct screen *s);

/* Takes a record of the run that goes on. A record `cpl0` begins the head of a new run. */
void head_take(const struct record *r);

/* What stops the run, in words, at the end of the row of progress; NULL: nothing. It must stay. */
void head_stoppable(const char *hint);

#endif
