/* What cpl0-log can do with a log that was read; each writes to `out`. */
#ifndef TOOLS_COMMANDS_H
#define TOOLS_COMMANDS_H

#include <stdio.h>

#include "tools/logfile.h"

enum { EXIT_INTACT = 0, EXIT_DAMAGED = 1, EXIT_USAGE = 2 };

/* One line a finding, `FILE:LINE: byte OFFSET: ...`, then one line with the verdict. */
void check_print(const struct log *log, FILE *out);

/* A summary for people: machine, PMU, results, what was skipped or went wrong. */
void show_print(const struct log *log, FILE *out);

/* Everything in the log, nothing lost: chatter, damaged lines and the order of fields too. */
void json_print(const struct log *log, FILE *out);

/*
 * CSV. Without `kind`: one row a field (run,line,seq,kind,key,value), nothing of a record lost.
 * With it: one row a record of that kind, one column a key.
 */
void csv_print(const struct log *log, const char *kind, FILE *out);

/* The results of two logs side by side, B in per cent of A; conditions that differ come first. */
void compare_logs(const struct log *a, const struct log *b, FILE *out);

/*
 * The results of a log beside a table of published figures (docs/log-format.md, "Reference
 * tables"); `cpu` picks one of several processors in it, NULL if there is only one. False with
 * a message on stderr if the table cannot be read or the processor cannot be told.
 */
bool compare_reference(const struct log *log, const char *path, const char *cpu, FILE *out);

/* Shared by the commands: one value of CSV, quoted if it must be. */
void csv_value(FILE *out, const char *text, size_t n);

/* Values come from a wire: nothing unprintable of them reaches the terminal. */
void print_text(FILE *out, const char *p, size_t n);

#endif
