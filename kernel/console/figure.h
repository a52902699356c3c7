/*
 * What a `result` record means for people (docs/results.md): medians for one operation, in clocks
 * of the core, nanoseconds, GB/s and counts. `cpl0-log show` has the same numbers.
 */
#ifndef KERNEL_CONSOLE_FIGURE_H
#define KERNEL_CONSOLE_FIGURE_H

#include "kernel/console/record.h"

enum {
	FIGURE_TEXT = 32,  /* bytes of a figure as text */
	FIGURE_WIDE = 500, /* hundredths of a per cent: a spread worth a colour */
};

/* How the time stamp counter of the run goes, from its `clock` records; 0: unknown. */
struct figure_clock {
	uint64_t tsc_hz;       /* ticks a second */
	uint64_t core_per_tsc; /* core clocks a tick, in thousandths */
};

/* Takes what a `clock` record tells; other records tell nothing. */
void figure_clock_take(struct figure_clock *clock, const struct record *r);

struct figure {
	bool known;
	bool below;    /* not told apart from 0, and smaller than the value */
	bool negative; /* noise that was subtracted can be larger than what was measured */
	uint64_t hundredths;
};

struct figures {
	struct figure clocks;  /* of the core: `core`, or else `tsc` times core_per_tsc */
	struct figure ns;      /* from `tsc` */
	struct figure rate;    /* GB/s: 10^9 bytes; known if an operation moves bytes */
	struct figure percent; /* half of the samples lie so far apart, in per cent of the median */
	bool exact;            /* all samples were equal */
	bool interrupted;      /* samples with an interrupt in them are among these */
	bool hosted;           /* a hypervisor's work is in them */
	bool nominal;          /* the clocks are no model of the CPU */
};

/* All that is known of a `result` record. */
struct figures figures_of(const struct record *r, const struct figure_clock *clock);

/* The quantity `key` of a `result` record for one operation: a count of events. */
struct figure figure_count(const struct record *r, const char *key);

/* Is the key of a `result` record an event's (docs/log-format.md)? */
bool figure_is_count(const char *key);

/*
 * The figure with two places, from 1000 on with none. `<` stands before a bound, which is rounded
 * up; `-` is unknown.
 */
void figure_text(const struct figure *f, char text[FIGURE_TEXT]);

#endif
