/*
 * One record of a cpl0 log, taken apart as docs/log-format.md says. Written from that text: the
 * kernel's own writer is not used, so that the two check each other.
 */
#ifndef TOOLS_LOG_RECORD_H
#define TOOLS_LOG_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of someone else's text; not 0-terminated. */
struct span {
	const char *p;
	size_t n;
};

struct field {
	struct span key;
	struct span raw; /* as written, with quotes and escapes */
};

struct record {
	struct span body; /* KIND KEY=VALUE ..., what the CRC covers */
	struct span kind;
	struct span sealed; /* schema 2: what the check value covers, the body and ` #SEQ` */
	unsigned schema;    /* 1 or 2, by the length of the check value */
	uint32_t seq;
	uint32_t crc;          /* as the line states it */
	uint32_t computed;     /* schema 1: from the body; schema 2: by the reader of the chain */
	const char *malformed; /* why the body breaks the grammar, NULL if it does not */
	size_t where;          /* offset in the body of what is malformed */
	struct field *fields;
	size_t nfields;
};

/*
 * Does the line (without line end) end in ` #SEQ:CHECK`? Fills all but the fields in; `computed`
 * for schema 1 alone. SEQ is decimal without leading zeros and fits 32 bits. CHECK is eight
 * lower-case hex digits, or four in schema 1. Each record has one spelling, so no changed byte can
 * go unnoticed.
 */
bool record_tail(struct record *r, struct span line);

/* Takes the body apart into kind and fields; sets `malformed` at the first offence. */
void record_parse(struct record *r);

void record_free(struct record *r);

/* Without a tail, yet in the shape of a record: one whose tail was damaged. */
bool record_resembles(struct span line);

/* The field's value, or NULL if the record has no such key. */
const struct field *record_field(const struct record *r, const char *key);

/* Writes the value without quotes and escapes, 0-terminated, cut to fit; returns its length. */
size_t field_text(const struct field *f, char *out, size_t size);

/* `key`'s value into `out`; an absent key gives the empty string and false. */
bool record_text(const struct record *r, const char *key, char *out, size_t size);

/* A decimal integer, nothing else. */
bool record_dec(const struct record *r, const char *key, uint64_t *value);

/* A decimal integer or a decimal with up to three places, in thousandths; may be negative. */
bool field_milli(const struct field *f, int64_t *thousandths);

/* The value is a number as JSON writes numbers, so that it may stand there unquoted. */
bool field_is_number(const struct field *f);

bool span_is(struct span s, const char *text);

/* CRC-16/CCITT-FALSE: 1021h, start FFFFh, not reflected, not inverted. */
uint16_t crc16_ccitt_false(const char *p, size_t n);

/* CRC-32 of IEEE 802.3, as zlib has it; `crc` is 0 or the value of what stands before. */
uint32_t crc32_more(uint32_t crc, const char *p, size_t n);

#endif
