/*
 * Text that is built piece by piece in a buffer of fixed size.
 *
 * The text always ends in NUL and never outgrows the buffer. Bytes that do not fit are left out,
 * and `cut` is then true until the caller clears it. No function allocates or fails.
 */
#ifndef KERNEL_LIB_TEXT_H
#define KERNEL_LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *p;     /* the buffer */
	size_t n;    /* bytes of the text, the NUL not included; below `size` */
	size_t size; /* of the buffer, at least 1 */
	bool cut;    /* some bytes did not fit */
};

/* An empty text in `buffer`, which has `size` bytes, at least 1. */
struct text text_in(char *buffer, size_t size);

/* Append a character, the bytes s[0..n), and a string that ends in NUL. */
void text_char(struct text *t, char c);
void text_put(struct text *t, const char *s, size_t n);
void text_str(struct text *t, const char *s);

/* Append a decimal number. */
void text_dec(struct text *t, uint64_t v);
void text_int(struct text *t, int64_t v);

/* Appends hexadecimal in lower case without a prefix, with at least `digits` digits (1 to 16). */
void text_hex(struct text *t, uint64_t v, unsigned digits);

/*
 * Appends thousandths as a decimal number: 1500 is 1.5. At least `decimals` digits (0 to 3) follow
 * the point, and more if the value needs them. Without such digits there is no point.
 */
void text_milli(struct text *t, int64_t thousandths, unsigned decimals);

/* Appends blanks until the text is `width` bytes long. A longer text stays as it is. */
void text_pad(struct text *t, size_t width);

#endif
