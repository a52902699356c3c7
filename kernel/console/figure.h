/*
 * The figures of a `result` record (docs/results.md): medians for one operation, in clocks of the
 * core, nanoseconds, GB/s and counts. `cpl0-log show` has the same numbers.
 */
#ifndef KERNEL_CONSOLE_FIGURE_H
#define KERNEL_CONSOLE_FIGURE_H

#include "kernel/console/record.h"

enum {
	FIGURE_TEXT = 32,  /* bytes of a figure as text */
	FIGURE_WIDE = 500, /* hundredths of a per cent: a spread worth a colour */
};

/* The marks of a result (docs/results.md), as bits. */
enum figure_mark {
	MARK_I = 1, /* samples with an interrupt in them are among these */
	MARK_H = 2, /* samples contain a hypervisor's work */
	MARK_M = 4, /* the simulator's clocks are no model of the CPU */
	MARK_S = 8, /* the simulator's clocks are those of a scoreboard */
	MARKS = 4,
};

/* The rates of the run's clocks, from its `clock` and `cpu` records; 0: unknown. */
struct figure_clock {
	uint64_t tsc_hz;       /* ticks a second */
	uint64_t core_per_tsc; /* core clocks a tick, in thousandths */
	bool scoreboard;       /* the simulator states the quality of its clocks */
};

/* Takes a record; only `clock` and `cpu` records have an effect. */
void figure_clock_take(struct figure_clock *clock, const struct record *r);

struct figure {
	bool known;
	bool below;    /* noise hides it: the value is an upper bound */
	bool negative; /* the subtracted noise was larger than the measured value */
	uint64_t hundredths;
};

struct figures {
	struct figure clocks;  /* of the core: `core`, or else `tsc` times core_per_tsc */
	struct figure ns;      /* from `tsc` */
	struct figure rate;    /* GB/s: 10^9 bytes; known if an operation moves bytes */
	struct figure percent; /* range of the middle half of the samples, per cent of the median */
	bool exact;            /* all samples were equal */
	unsigned marks;        /* enum figure_mark */
};

/* All figures of a `result` record. */
struct figures figures_of(const struct record *r, const struct figure_clock *clock);

/* The quantity `key` of a `result` record for one operation: a count of events. */
struct figure figure_count(const struct record *r, const char *key);

/* Is the key of a `result` record that of an event (docs/log-format.md)? */
bool figure_is_count(const char *key);

/*
 * Writes the figure with two decimal places, from 1000 on with none. `<` stands before a bound,
 * which is rounded up; `-` is unknown.
 */
void figure_text(const struct figure *f, char text[FIGURE_TEXT]);

/* A letter for each mark, in the order of enum figure_mark. */
void figure_marks_text(unsigned marks, char text[MARKS + 1]);

#endif
