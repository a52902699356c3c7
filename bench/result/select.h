/* Selects the benchmarks that the arguments ask for and that can run here. */
#ifndef BENCH_RESULT_SELECT_H
#define BENCH_RESULT_SELECT_H

#include "bench/bench.h"

/* Is b in the default set of this CPU? */
bool select_default(const struct bench_run *run, const struct bench *b);

/*
 * Do bench=, skip= and list ask for b? Without bench=: the default set, with list all, and nothing
 * if an argument that names benchmarks was wrong (args->lost).
 */
bool select_asked(const struct bench_run *run, const struct bench *b);

/*
 * Can select_asked() be true for any benchmark of s? False: the source need not be walked, which
 * saves time with a source of thousands of benchmarks. True: the source now leaves out unwanted
 * benchmarks (bench_source.only).
 */
bool select_source(const struct bench_run *run, const struct bench_source *s);

/*
 * The reason why b cannot run on this machine or with these arguments; NULL: it can. The text is
 * valid until the next call.
 */
const char *select_obstacle(const struct bench_run *run, const struct bench *b);

#endif
