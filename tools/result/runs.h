/* Which of the runs in a log: --run and --last. */
#ifndef TOOLS_RESULT_RUNS_H
#define TOOLS_RESULT_RUNS_H

#include "tools/log/logfile.h"

/*
 * Sets `chosen` of n logs. `numbers` is the value of --run: numbers of runs from 1, with commas
 * between them, the first for the first log, and the last also for all logs behind it; NULL: none.
 * `last` chooses the last run of each. False after a message on stderr.
 */
bool runs_choose(struct log *logs, size_t n, const char *numbers, bool last);

/* Is the run of this index (from 0) chosen? All are if the user named none. */
bool runs_has(const struct log *log, size_t index);

#endif
