/* Growing arrays for host tools; running out of memory ends the program with a message. */
#ifndef TOOLS_LIB_ALLOC_H
#define TOOLS_LIB_ALLOC_H

#include <stddef.h>

/*
 * Returns the array of `n` elements of `size` bytes, perhaps at another address, with room for one
 * more. The room doubles when `n` is a power of two, so call it before each new element.
 */
void *grow(void *array, size_t n, size_t size);

/* malloc(), which never returns NULL here, and free(). */
void *allocate(size_t n);
void release(const void *p);

#endif
