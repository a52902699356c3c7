/*
 * What several CPUs measured, as records (docs/log-format.md: `thread`, `threads`).
 */
#ifndef BENCH_THREADS_REPORT_H
#define BENCH_THREADS_REPORT_H

#include "bench/threads/worker.h"

/* What one worker measured; `together` with the rest of its team, or alone. */
void report_worker(const struct bench_run *run, const struct worker *s, unsigned group,
                   bool together);

/* What a team measured together, held against what its workers measured alone. */
void report_team(const struct bench_run *run, const struct team *t, unsigned group);

#endif
