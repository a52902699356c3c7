/*
 * Which benchmarks the arguments ask for, and which of them can run here.
 */
#ifndef BENCH_RESULT_SELECT_H
#define BENCH_RESULT_SELECT_H

#include "bench/bench.h"

/* Is b in the default set of this CPU? */
bool select_default(const struct bench_run *run, const struct bench *b);

/* Do bench=, skip= and list ask for b? Without bench= it is the default set, for list all. */
bool select_asked(const struct bench_run *run, const struct bench *b);

/*
 * Can select_asked() be true for any benchmark of s? A source with a prefix makes thousands of
 * benchmarks, and is not walked if none of them can be wanted. If the answer is true, the source
 * has been told to leave out those that are not (bench_source.only).
 */
bool select_source(const struct bench_run *run, const struct bench_source *s);

/*
 * Why b cannot run on this machine or with these arguments, or NULL. The text is good until the
 * next call.
 */
const char *select_obstacle(const struct bench_run *run, const struct bench *b);

#endif
