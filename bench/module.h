/*
 * Boot modules that hold snippets: files written with bench/snippet.inc and linked by
 * `make snippet FILE=my.S` (docs/your-own-code.md).
 */
#ifndef BENCH_MODULE_H
#define BENCH_MODULE_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/board/bootinfo.h"

/* The part of a module that may hold descriptors. */
struct module_part {
	const uint8_t *start, *end;
};

/* What module_part() returns for sound code of the other width: no mistake, but not for this kernel. */
extern const char module_other_width[];

/*
 * Where the descriptors of a module lie: the section `snippets` of an ELF file, or all of any other
 * file. `bits` is the width of this kernel. Returns NULL, or what is wrong with the file.
 */
const char *module_part(const void *file, size_t size, unsigned bits, struct module_part *part);

/* Opens all modules: a `module` record each, an `error` record for each thing that is wrong. */
void module_init(const struct bootinfo *bi);

#endif
