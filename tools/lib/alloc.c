/* Growing arrays for host tools. */
#include "tools/lib/alloc.h"

#include <stdio.h>
#include <stdlib.h>

static void *must(void *p)
{
	if (!p) {
		fputs("out of memory\n", stderr);
		exit(2);
	}
	return p;
}

void *grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return must(realloc(array, (n ? 2 * n : 1) * size));
}

void *allocate(size_t n)
{
	return must(malloc(n ? n : 1));
}

void release(const void *p)
{
	free((void *)p);
}
