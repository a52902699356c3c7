/*
 * Boot modules that hold snippets: files written with bench/snippet.inc and linked by
 * `make snippet FILE=my.S` (docs/your-own-code.md).
 */
#ifndef BENCH_MODULE_H
#define BENCH_MODULE_H

#include "kernel/board/bootinfo.h"

/* Opens all modules: a `module` record each, an `error` record for each thing that is wrong. */
void module_init(const struct bootinfo *bi);

#endif
