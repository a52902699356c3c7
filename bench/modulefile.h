/*
 * The file of a boot module: where its snippets lie.
 */
#ifndef BENCH_MODULEFILE_H
#define BENCH_MODULEFILE_H

#include <stddef.h>
#include <stdint.h>

/* The part of a module that may hold descriptors. */
struct module_part {
	const uint8_t *start, *end;
};

/*
 * What module_part() returns for sound code of the other width. That is no mistake of the file, but
 * this kernel cannot run it.
 */
extern const char module_other_width[];

/*
 * Where the descriptors of a module lie: the section `snippets` of an ELF file, or all of any other
 * file. `bits` is the width of this kernel. Returns NULL, or what is wrong with the file.
 */
const char *module_part(const void *file, size_t size, unsigned bits, struct module_part *part);

#endif
