/* What cpl0-log can do with logs that were read; each command writes to `out`. */
#ifndef TOOLS_RESULT_COMMANDS_H
#define TOOLS_RESULT_COMMANDS_H

#include <stdio.h>

#include "tools/log/logfile.h"

struct machine;
struct results;

/* compare: 0 the same, 1 differs. The other commands: 0 intact, 1 damaged. All: 2 is an error. */
enum { EXIT_INTACT = 0, EXIT_DAMAGED = 1, EXIT_SAME = 0, EXIT_DIFFERS = 1, EXIT_USAGE = 2 };

/*
 * `SIDE NAME`, and of a log with several runs the one that counts and why: for commands that take
 * one run of a log.
 */
void print_which(const char *side, const struct log *log, const struct results *rs, FILE *out);

/* Names to choose by, shell patterns; none of them chooses everything. */
struct globs {
	char **pattern;
	size_t n;
};

bool globs_match(const struct globs *g, const char *name);

/* One line a finding, `FILE:LINE: byte OFFSET: ...`, then one line with the verdict. */
void check_print(const struct log *log, FILE *out);

struct show_options {
	struct globs benches;
	const char *events; /* pattern of events that become columns, by their names and those that
	                     * they were asked for; NULL: all that are not 0 */
	bool machine;       /* every record of the machine too */
	bool colour;
	unsigned width; /* of the terminal; 0: rows may be as long as they are */
	bool list;      /* of each run its head and its arguments alone */
};

/*
 * For people, of the chosen run or of all: what the machine is, then results (a row a benchmark)
 * or, of a list log, benchmarks, then verdicts and whatever went wrong.
 */
void show_print(const struct log *log, const struct show_options *how, FILE *out);

/*
 * The records `cpu_entry`, `pair`, `thread`, `threads` and `litmus` of a run as text, as far as
 * there are any and `how` chooses them: a choice by name leaves `cpu_entry` out, and the name of
 * pairs is sharing.pairs. Pairs are in nanoseconds where `m` knows the rate of the TSC, else in its
 * ticks. True if there was more than `cpu_entry`.
 */
bool cores_print(const struct log *log, const struct run *run, const struct machine *m,
                 const struct show_options *how, FILE *out);

/* The `bench` records of a run as a table; false if it has none. */
bool list_print(const struct log *log, const struct run *run, const struct globs *benches,
                FILE *out);

/* A page of Markdown for each run that has datasheet.*; false: no run has. */
bool datasheet_print(const struct log *log, FILE *out);

/* The replacement policies that each run tells; false: no run has datasheet.policy.*. */
bool policy_print(const struct log *log, FILE *out);

/*
 * Everything in the log, nothing lost: chatter, damaged lines and the order of fields too. A choice
 * of runs leaves out the lines of the others.
 */
void json_print(const struct log *log, FILE *out);

/*
 * CSV. Without `kind`: one row a field (run,line,seq,kind,key,value), nothing of a record lost.
 * With it: one row a record of that kind, one column a key. Of the chosen run or of all.
 */
void csv_print(const struct log *log, const char *kind, FILE *out);

/*
 * The figures of results instead of records (docs/results.md), of the chosen run or of all: a row a
 * benchmark, or with `forms` a row an instruction form with its latency and its throughput.
 */
void csv_figures(const struct log *log, const struct globs *benches, bool forms, FILE *out);
void json_figures(const struct log *log, const struct globs *benches, FILE *out);

struct compare_options {
	struct globs benches;
	bool all; /* rows that are the same too */
	bool colour;
	double within;  /* per cent of the larger median: what is not further apart is the same */
	unsigned width; /* of the terminal; 0: rows may be as long as they are */
};

enum { COMPARE_WITHIN = 2 }; /* per cent, unless --within says */

/*
 * The results of two logs side by side: first what differs in their conditions, then a row for each
 * figure (clocks, ns, events) whose spreads do not meet and whose medians are further apart than
 * `within`, then a summary. Latency and throughput of an instruction share a row if `width` allows.
 * True if they are the same: no such row, no quantity that only one log has, no time that one of
 * them has in ticks alone, and no count that one of them took back.
 */
bool compare_logs(const struct log *a, const struct log *b, const struct compare_options *how,
                  FILE *out);

struct reference_options {
	const char *table; /* CSV as in docs/log-format.md, "Reference tables" */
	const char *cpu;   /* one of its processors by name or a part of it; NULL: the log's CPU */
	struct globs benches;
	bool all; /* figures that agree too */
};

/*
 * The results of a log beside a table of published figures: EXIT_SAME if all agree, EXIT_DIFFERS,
 * or EXIT_USAGE with a message on stderr if the table cannot be read or no processor be told.
 */
int compare_reference(const struct log *log, const struct reference_options *how, FILE *out);

/* One HTML page about n logs that needs no other file and no network (tools/report/). */
void report_print(const struct log *logs, size_t n, FILE *out);

/*
 * Writes n logs into an SQLite database, which is made if there is none. What it had from a file
 * of the same name is replaced. All or nothing: false with a message on stderr if it fails.
 */
bool db_write(const char *path, const struct log *logs, size_t n);

/* Was the plotting library there when this program was built? */
bool report_has_plots(void);

/*
 * Shared by the commands: one value of CSV, quoted if it must be. An unprintable byte becomes
 * `\xNN` and a backslash `\\`; a value that a spreadsheet would take for a formula gets `'` in
 * front.
 */
void csv_value(FILE *out, const char *text, size_t n);

/* A string of JSON. Bytes above 7Eh become the code point of the same number. */
void json_string(FILE *out, const char *p, size_t n);

/* Values come from a wire: nothing unprintable of them reaches the terminal. */
void print_text(FILE *out, const char *p, size_t n);

/* `KIND  key value, key value ...`, one line. */
void print_record(FILE *out, const struct record *r);

/* Escape sequences for emphasis, empty without colour. */
enum colour { PLAIN, STRONG, GOOD, BAD, DOUBTFUL };
const char *colour(bool wanted, enum colour which);

#endif
