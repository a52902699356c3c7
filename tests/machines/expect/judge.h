/* Does a log show what a row of tests/machines expects? */
#ifndef TESTS_MACHINES_EXPECT_JUDGE_H
#define TESTS_MACHINES_EXPECT_JUDGE_H

#include <stdio.h>

#include "tests/machines/expect/spec.h"
#include "tools/log/logfile.h"

/*
 * Prints to `out` what the log lacks, a line each, and returns how many lines these are. `build` is
 * the folder of the build, for its event tables.
 */
size_t judge(const struct spec *spec, struct log *log, const char *build, FILE *out);

#endif
