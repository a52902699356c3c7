/*
 * Memory and string functions (kernel/lib/string.h). The copying ones are string instructions, so
 * that no compiler can recognize a loop in them and replace it by a call of the function itself.
 */
#include <stdint.h>

#include "kernel/lib/string.h"

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	void *d = to;

	asm volatile("rep movsb" : "+D"(d), "+S"(from), "+c"(n) : : "memory");
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *d = (char *)to + n - 1;
	const char *s = (const char *)from + n - 1;

	if ((uintptr_t)to - (uintptr_t)from >= n)
		return memcpy(to, from, n);
	asm volatile("std\n\trep movsb\n\tcld" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
	return to;
}

void *memset(void *to, int value, size_t n)
{
	void *d = to;

	asm volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(value) : "memory");
	return to;
}

void *memchr(const void *s, int value, size_t n)
{
	const unsigned char *p = s;

	for (; n; n--, p++)
		if (*p == (unsigned char)value)
			return (void *)(uintptr_t)p;
	return NULL;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

size_t strlen(const char *s)
{
	const volatile char *end = s;

	while (*end)
		end++;
	return (size_t)(end - s);
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

char *strchr(const char *s, int c)
{
	char at;

	while ((at = *s) != (char)c) {
		if (!at)
			return NULL;
		s++;
	}
	return (char *)(uintptr_t)s;
}
