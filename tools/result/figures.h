/*
 * What a figure means, in one place for all readers: what is divided by operations, which clock a
 * time is in, what a rate is made of, and which marks a row has (docs/results.md, "What a figure
 * means").
 */
#ifndef TOOLS_RESULT_FIGURES_H
#define TOOLS_RESULT_FIGURES_H

#include "tools/result/machine.h"

/*
 * The median; the samples without their outer quarters lie from `low` to `high`, all from `min` to
 * `max`. These limits are moved apart by what each reading may be off.
 */
struct figure {
	bool known;
	double min, low, value, high, max;
	bool below;     /* not told apart from 0: `high` is the bound, and `value` is 0 */
	bool withdrawn; /* a count that the log took back (`withdrawn`) */
};

/* Figures that any row may have, whatever it counted. */
enum figure_kind {
	FIGURE_CLOCKS, /* core clocks of an operation: `core`, else TSC ticks by `core_per_tsc` */
	FIGURE_NS,     /* nanoseconds of an operation, by the TSC and its rate */
	FIGURE_TICKS,  /* TSC ticks of an operation */
	FIGURE_BYTES_PER_CLOCK, /* bytes of an operation by its core clocks */
	FIGURE_GB_PER_S,        /* 10^9 bytes a second; as bytes a clock without outer limits */
	FIGURE_INSNS,           /* instructions of an operation, as the record states them */
	FIGURE_CLOCKS_PER_INSN, /* core clocks of an operation by its instructions */
	FIGURES
};

/* Titles of columns, and keys and units of the machine-readable forms. */
extern const struct figure_name {
	const char *title, *key, *unit;
} FIGURE_NAMES[FIGURES];

/* Unknown where the log lacks what it is made of. */
struct figure figure_of(const struct machine *m, const struct result *r, enum figure_kind kind);

/* Any quantity of the row per operation: `tsc`, `core` or an event. */
struct figure figure_quantity(const struct result *r, const char *event);

/* The time that stands for the row: clocks, or ticks where these are unknown. */
struct figure figure_time(const struct machine *m, const struct result *r);

enum { FIGURE_TEXT = 32 }; /* bytes of a figure as text */

/* A bound for people, in `steps` of one: rounded up, because one rounded down would be false. */
double figure_bound(double v, double steps);

/*
 * Two places below 1000 and none above, `<` before a bound, `-` where it is unknown: as on the
 * kernel's screen.
 */
const char *figure_text(const struct figure *f, char out[FIGURE_TEXT]);

/* Were all samples equal? */
bool figure_exact(const struct figure *f);

/* From `low` to `high` in per cent of the value; -1: unknown. */
double figure_spread(const struct figure *f);

/*
 * A time of one record that is no result (`pair`), which is no figure per operation: `key` in ns,
 * or in TSC ticks where their rate is unknown. `otherwise` if the record has no such key.
 */
double figure_record_time(const struct machine *m, const struct record *r, const char *key,
                          double otherwise);

/* The unit of that: "ns" or "TSC ticks". */
const char *figure_record_unit(const struct machine *m);

/* What a reader must know of a row before its figures, one letter a mark; "" is nothing. */
const char *figure_marks(const struct machine *m, const struct result *r, char out[8]);

/* What the letters of figure_marks() mean, a line a letter. */
extern const char FIGURE_MARKS[];

#endif
