/*
 * The measurements in a log: one row a benchmark, with all its quantities (`tsc`, `core`, events),
 * from whichever `result` records they came.
 */
#ifndef TOOLS_RESULT_RESULTS_H
#define TOOLS_RESULT_RESULTS_H

#include "tools/log/logfile.h"

enum { QUANTITY_NAME = 144 }; /* bytes: an event has at most 128 */

/*
 * What was measured of a benchmark; figures are in thousandths, as the record states them. Without
 * a spread, all five are equal.
 */
struct quantity {
	char name[QUANTITY_NAME];
	int64_t min, low, value, high, max;
	int64_t bound;  /* what each may be off because the TSC advances in steps */
	uint32_t seq;   /* of the record */
	bool withdrawn; /* that record was taken back, and this is no time */
	int64_t below;  /* the record says: smaller than this and not told apart from 0; or -1 */
};

struct result {
	unsigned run;            /* from 1 */
	const struct line *line; /* the first record of the benchmark */
	char bench[64], mode[8], cpl[8];
	char form[64], kind[16]; /* instr.*: "ADD r32, r32" and "latency" or "throughput"; or "" */
	uint64_t ops;            /* operations in one copy, at least 1 */
	uint64_t copies;  /* what a figure covers: 1 in mode=rate, copies x loop in mode=total */
	uint64_t bytes;   /* that an operation moves; 0: it is no transfer */
	uint64_t insns;   /* instructions that the record states; 0: unknown */
	bool interrupted; /* samples with an interrupt in them were kept */
	bool exits;       /* the hypervisor came into each sample: times are its, too */
	bool hosted;      /* a hypervisor's work is in it: `exits`, `cold` */
	bool nominal;     /* the record says that no model stands behind its times */
	uint64_t group, part; /* of the last record that was added to the row */
	struct quantity *quantity;
	size_t n;
};

struct results {
	struct result *row;
	size_t n;
	unsigned counts; /* the chosen run, else the last with results: it counts. 0: none has */
	size_t *sorted;  /* indices of rows, for results_find() */
};

/* Stretches of records whose counts a run took back: docs/log-format.md, `withdrawn`. */
struct withdrawn {
	struct stretch {
		uint32_t from, to;
	} * list;
	size_t n;
};

void withdrawn_read(struct withdrawn *w, const struct log *log, const struct run *run);
bool withdrawn_has(const struct withdrawn *w, uint32_t seq);
void withdrawn_free(struct withdrawn *w);

/* All of them, in the order of the log. Only whole, well-formed records count. */
void results_read(struct results *rs, const struct log *log);
void results_free(struct results *rs);

/* The first row of a run with the benchmark, mode and privilege level of `like`, or NULL. */
const struct result *results_find(const struct results *rs, unsigned run,
                                  const struct result *like);

/*
 * Of the instruction table: the throughput of a latency (`instr.tp.X` of `instr.lat.X`), or the
 * latency of a throughput; same run, mode and privilege level. NULL if there is none, or if `r` is
 * not the first row of its name.
 */
const struct result *results_partner(const struct results *rs, const struct result *r);

/* The X of these names, or the whole name of any other benchmark. */
const char *bench_form_name(const char *bench);
const char *result_form_name(const struct result *r);

/* The quantity of this name in a row, NULL if the row does not have it. */
const struct quantity *result_quantity(const struct result *r, const char *name);

/* Is a quantity of a row an event, and no time? */
bool quantity_is_event(const char *name);

/* The name by which the run asked for the event, "" if that is its own. Returns `out`. */
const char *event_alias(char *out, size_t size, const struct log *log, const struct run *run,
                        const char *name);

/*
 * "ALIAS (NAME)" if the run says that the event was asked for by an alias, else "NAME": how every
 * reader for people names an event. Returns `out`, of `size` bytes.
 */
const char *event_title(char *out, size_t size, const struct log *log, const struct run *run,
                        const char *name);

/* Was a count of the row taken back? */
bool result_withdrawn(const struct result *r);

/* The first record of this kind in the log, in a run; NULL if there is none. */
const struct record *log_first(const struct log *log, const char *kind);
const struct record *run_first(const struct log *log, const struct run *run, const char *kind);

/* A record with the right CRC and grammar? */
bool line_is_whole(const struct line *line);

/* Thousandths as a decimal with three places. Returns `out`. */
const char *milli_text(char out[32], int64_t thousandths);

#endif
