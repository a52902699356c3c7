/* A table of published latencies and throughputs: docs/log-format.md, "Reference tables". */
#ifndef TOOLS_RESULT_TABLE_H
#define TOOLS_RESULT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/result/forms.h"

struct table_row {
	char cpu[48], instruction[64];
	char form[FORM_NAME];        /* form_name() of the instruction */
	int64_t latency, throughput; /* thousandths of core clocks, -1: not given */
	size_t place;                /* in the file */
	bool seen;                   /* for the caller */
};

struct table {
	const char *name;
	struct table_row *row;
	size_t n;
};

/*
 * Reads the CSV file `path`, or the table that is built in if it is NULL. False with a message on
 * stderr if there is no such file or its first line does not name the columns.
 */
bool table_read(struct table *t, const char *path);
void table_free(struct table *t);

/* The names of its processors, in lines of a terminal. */
void table_print_processors(const struct table *t, FILE *out);

/*
 * Leaves one processor's rows in the table, and returns its name in the table. `cpu` is its name or
 * a part of that. Without `cpu` it is the processor with this signature (CPUID leaf 1 EAX, with
 * which its name begins), of any stepping if need be, or the only one. NULL with a message on
 * stderr if that is none, or more than one.
 */
const char *table_pick(struct table *t, const char *cpu, uint32_t signature);

/* The row of a form: one spelled the same, else one that means the same; NULL: none. */
struct table_row *table_find(const struct table *t, const char *form);

#endif
