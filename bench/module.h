/*
 * Boot modules that hold snippets: files written with bench/snippet.inc and linked by
 * `make snippet FILE=my.S` (docs/your-own-code.md).
 */
#ifndef BENCH_MODULE_H
#define BENCH_MODULE_H

#include <stdbool.h>

#include "kernel/chipset/bootinfo.h"

/*
 * Opens all modules: a `module` record for each, an `error` record for each mistake. True: they
 * contain snippets. If all modules are of the other width, that is an error, too.
 */
bool module_init(const struct bootinfo *bi);

#endif
