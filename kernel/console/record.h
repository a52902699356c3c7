/* Parses lines of the log (docs/log-format.md), from which the screen gets all its data. */
#ifndef KERNEL_CONSOLE_RECORD_H
#define KERNEL_CONSOLE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record without its tail. */
struct record {
	const char *text;
	size_t n;
};

/*
 * Takes the tail ` #SEQ:CHECK` off a line of `n` bytes without its newline. False: the line has
 * none, and is no record. The check value is not verified.
 */
bool record_open(struct record *r, const char *line, size_t n);

/* Is the record of this kind? */
bool record_is(const struct record *r, const char *kind);

/*
 * Copies the value of `key`, without quotes and cut to size - 1 bytes. Bytes that the log writes as
 * \xNN stay so. False and an empty string if the record has no such key.
 */
bool record_get(const struct record *r, const char *key, char *value, size_t size);

/*
 * The value of `key` as a decimal integer; 0 if there is none. Digits behind a point are left out.
 */
uint64_t record_number(const struct record *r, const char *key);

/* A decimal in thousandths: three digits behind the point count. False: there is no such key. */
bool record_milli(const struct record *r, const char *key, int64_t *milli);

/*
 * Copies the next key behind `*at`, which is 0 at first, cut to size - 1 bytes. False: there is no
 * further one.
 */
bool record_next(const struct record *r, size_t *at, char *key, size_t size);

#endif
