/*
 * The log: one record a line, `KIND KEY=VALUE ... #SEQ:CRC` (docs/log-format.md).
 *
 * log_begin() starts a record, log_str() to log_bool() append fields, and log_end() closes it. The
 * record is built in one buffer. log_end() hands the whole line to the sink at once, with sequence
 * number and check value, so a later crash loses nothing. The check value is a CRC-32 that begins
 * with the check value of the record before, so the records of a run are one chain. A record that
 * outgrows LOG_LINE is cut behind its last whole field and ends in `truncated=1`. The run's status
 * then becomes fail, so no reader mistakes the record for a complete one.
 */
#ifndef KERNEL_LIB_LOG_H
#define KERNEL_LIB_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LOG_LINE = 1024, /* bytes of the longest line, its tail and newline included */
	LOG_SCHEMA = 2,  /* of docs/log-format.md, for the first record */
};

/* STOPPED: a key ended the run early; the results until then are valid. */
enum log_status { LOG_OK, LOG_STOPPED, LOG_FAIL };

/* Sets the function that gets each finished line: `n` bytes with the newline. Traps may call it. */
void log_sink(void (*write)(const char *line, size_t n));

void log_begin(const char *kind);
void log_str(const char *key, const char *value); /* quoted when it must be */
void log_strn(const char *key, const char *value, size_t n);
void log_dec(const char *key, uint64_t value);
void log_int(const char *key, int64_t value);
void log_hex(const char *key, uint64_t value);        /* 0x..., shortest form */
void log_milli(const char *key, int64_t thousandths); /* 2500 -> 2.5, 2000 -> 2 */
void log_bool(const char *key, bool value);           /* 1 or 0 */
void log_end(void);

/* Writes a line for people: it has no tail, and tools ignore it. It must not contain " #". */
void log_chat(const char *text);

/*
 * Write a whole `warn` or `error` record. `what` names the part of the kernel or machine. `culprit`
 * quotes the wrong value, or is NULL. `why` gives the reason and the allowed values. log_error()
 * also makes the run's status fail; log_warn() does not.
 */
void log_warn(const char *what, const char *culprit, const char *why);
void log_error(const char *what, const char *culprit, const char *why);

/* Sets the run's status if `status` is worse than the present status. */
void log_worsen(enum log_status status);
enum log_status log_status_now(void);

/*
 * Writes the record `done`, with the status and the number of records. `reason` is the cause of an
 * early end, or NULL. The record repeats the first error, which may have scrolled out of sight in a
 * long run.
 */
void log_done(const char *reason);

/* Begins another run: its first record has number 0, and its status is ok. */
void log_restart(void);

/* Number of records ended so far. The `done` record adds 1 to this number, for itself. */
uint32_t log_records(void);

/* The check value of the last record; 0 before the first. */
uint32_t log_check_value(void);

/* Continues the chain of another process: it has `records` records, the last with `check`. */
void log_resume(uint32_t records, uint32_t check);

/*
 * CRC-32 as in IEEE 802.3 and zlib: polynomial 04C11DB7h, reflected. `crc` is 0 at first, then the
 * value so far: log_crc32(log_crc32(0, a), b) is the value of a and b together.
 */
uint32_t log_crc32(uint32_t crc, const void *data, size_t n);

#endif
