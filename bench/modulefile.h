/* The place of the snippets in the file of a boot module. */
#ifndef BENCH_MODULEFILE_H
#define BENCH_MODULEFILE_H

#include <stddef.h>
#include <stdint.h>

/* The part of a module that may hold descriptors. */
struct module_part {
	const uint8_t *start, *end;
};

/*
 * module_part() returns this text for valid code of the other width: the file is correct, but this
 * kernel cannot run it.
 */
extern const char module_other_width[];

/*
 * Sets *part to the place of the descriptors: the section `snippets` of an ELF file, or all of any
 * other file. `bits` is the width of this kernel, 32 or 64. Returns NULL, or a text that says what
 * is wrong with the file.
 */
const char *module_part(const void *file, size_t size, unsigned bits, struct module_part *part);

#endif
