/*
 * The figures that most people look for first, as the head of the kernel's screen has them: the
 * latency of loads from each level, what memory moves, and additions and multiplications.
 */
#ifndef TOOLS_RESULT_SUMMARY_H
#define TOOLS_RESULT_SUMMARY_H

#include <stdio.h>

#include "tools/result/machine.h"

/*
 * A line each, none where nothing of it was measured. A level's latency is that of the largest
 * array that takes at most half of the level and more than the level below it has; memory moves as
 * the fastest read, write and copy that go through the caches. `number`: of the run, from 1.
 */
void summary_print(const struct log *log, const struct run *run, unsigned number,
                   const struct machine *m, const struct results *rs, FILE *out);

#endif
