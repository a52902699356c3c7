/*
 * The log: one record a line, `KIND KEY=VALUE ... #SEQ:CRC` (docs/log-format.md).
 *
 * A record is built in one buffer and handed to the sink whole, with its sequence number and
 * CRC-16/CCITT-FALSE, the moment it ends: a crash later loses nothing. A record that outgrows
 * LOG_LINE is cut at the last whole field and closed with `truncated=1`, and the run's status
 * becomes fail, so that no reader mistakes it for a complete one.
 */
#ifndef KERNEL_LOG_H
#define KERNEL_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOG_LINE = 1024 }; /* longest line, bytes, with tail and newline */

enum log_status { LOG_OK, LOG_FAIL };

/* Where finished lines go; `n` bytes, with the newline. Called from any context. */
void log_sink(void (*write)(const char *line, size_t n));

void log_begin(const char *kind);
void log_str(const char *key, const char *value); /* quoted when it must be */
void log_strn(const char *key, const char *value, size_t n);
void log_dec(const char *key, uint64_t value);
void log_int(const char *key, int64_t value);
void log_hex(const char *key, uint64_t value);        /* 0x..., shortest form */
void log_milli(const char *key, int64_t thousandths); /* 2500 -> 2.500 */
void log_bool(const char *key, bool value);           /* 1 or 0 */
void log_end(void);

/* A line for humans: no tail, ignored by tools. Must not contain " #". */
void log_chat(const char *text);

/*
 * Short forms. `key`/`value` name the culprit; `why` says what is wrong and what would be
 * allowed. log_error() also makes the final status fail; log_warn() does not.
 */
void log_warn(const char *what, const char *culprit, const char *why);
void log_error(const char *what, const char *culprit, const char *why);

/* Statuses only get worse. */
void log_worsen(enum log_status status);
enum log_status log_status_now(void);

/* Number of records ended so far: the `records=` of the `done` record counts itself too. */
uint32_t log_records(void);

/* CRC-16/CCITT-FALSE: polynomial 1021h, start FFFFh, no reflection, no final xor. */
uint16_t log_crc16(const void *data, size_t n);

#endif
