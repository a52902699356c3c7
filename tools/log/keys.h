/*
 * The kinds and keys of the log, from tools/log/records.csv: which keys a record may have, and of
 * which sort their values are (docs/log-format.md, "Records").
 */
#ifndef TOOLS_LOG_KEYS_H
#define TOOLS_LOG_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/log/record.h"

struct log_key {
	const char *key;    /* or what stands before the part that the row leaves open */
	const char *suffix; /* what stands behind that part; NULL: no part is open */
	bool digits;        /* the open part is digits, or nothing */
	const char *type;   /* sorts, with | between them */
};

struct log_kind {
	const char *name;
	const struct log_key *keys;
	size_t n;
};

/* These two come from tools/log/records.awk; a row without a name ends the table. */
extern const struct log_kind log_kinds[];
extern const char log_release[]; /* the release that the table describes: 0.3.0 */

/* NULL: the table has no such kind. */
const struct log_kind *log_kind_of(struct span name);

/* The row that names the key, else the one that leaves least of it open; NULL: there is none. */
const struct log_key *log_key_of(const struct log_kind *kind, struct span key);

/* Is the value of a sort that the row allows? */
bool log_key_takes(const struct log_key *row, const struct field *f);

/* The sorts of the row, for people: "decimal or full". */
void log_key_sorts(const struct log_key *row, char *out, size_t size);

#endif
