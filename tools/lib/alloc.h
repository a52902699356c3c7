/* Growing arrays for host tools; running out of memory ends the program with a message. */
#ifndef TOOLS_LIB_ALLOC_H
#define TOOLS_LIB_ALLOC_H

#include <stddef.h>

/* Room for one more element of `size` bytes in an array of `n`; doubles, so call for each. */
void *grow(void *array, size_t n, size_t size);

void *allocate(size_t n);
void release(const void *p);

#endif
