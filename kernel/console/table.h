/*
 * The results of a run as a table that scrolls, subject by subject, with errors and warnings
 * between them.
 *
 * Each subject (the part of a benchmark's name before the first point) has a heading with the units
 * of its columns. Subjects without long names stand in as many columns as fit. Results of a subject
 * with a box (kernel/console/box.h) share rows. The latencies of memory have a bar behind each
 * figure. It reads the log's own lines (kernel/console/record.h).
 */
#ifndef KERNEL_CONSOLE_TABLE_H
#define KERNEL_CONSOLE_TABLE_H

#include <stdbool.h>

#include "kernel/console/box.h"
#include "kernel/console/cells.h"
#include "kernel/console/figure.h"
#include "kernel/console/levels.h"
#include "kernel/console/record.h"
#include "kernel/console/screen.h"

enum {
	TABLE_NAME = 160,  /* the key of an event with its suffix fits */
	TABLE_EVENTS = 16, /* most events with a column */
	TABLE_TITLE = 40,  /* bytes of an alias of an event */
	TABLE_HEADINGS = 64,
};

/* The places of results. */
struct table_has {
	unsigned columns[BOXES];        /* of each box, as bits */
	uint8_t places[TABLE_HEADINGS]; /* of a row, below each heading */
};

struct table {
	struct screen *screen;
	struct figure_clock clock;
	struct levels levels;
	bool seen, again;      /* a run has begun; another run after it */
	bool counts;           /* the run has events= */
	bool ports;            /* the run finds the ports of some benchmarks */
	bool planned;          /* benchmarks are measured from now on */
	char last[TABLE_NAME]; /* benchmark of the last record about one */

	/* The layout of the subject; slots 0: there is none yet. */
	char subject[TABLE_NAME];
	bool moves;            /* its operations move bytes */
	const struct box *box; /* whose rows have several results; NULL: none */
	unsigned columns;      /* of the box, as bits: those that are there for their result */
	struct table_has has;
	const struct table_has *expected; /* the same, known before; NULL: by the caches */
	unsigned headings;                /* so far */
	unsigned name, width; /* columns of a name; of a result, with the gap behind it */
	unsigned slot, slots; /* next of so many results in a row */
	unsigned since;       /* rows below the last heading */

	/* The events of the run, in the order in which their counts come. */
	struct {
		char key[TABLE_NAME];
		char title[TABLE_TITLE]; /* what it was asked for as */
		uint64_t group;
	} events[TABLE_EVENTS];
	unsigned nevents; /* more than TABLE_EVENTS: they have no columns */
	bool numbered;    /* their columns are too narrow for their names */
	bool narrow;      /* for some subject there were no columns with names */
	unsigned shown;   /* columns of events; 0: counts stand below their result */
	unsigned legend;  /* rows below the last list of numbers and names */

	/* The row that takes more results, or counts. */
	char open[TABLE_NAME];  /* its name; empty: there is none */
	unsigned at;            /* columns of its place that are written */
	unsigned next;          /* its first figure or count that can still come */
	struct figures widest;  /* of its results, as to the spread */
	char bound[TABLE_NAME]; /* the ports that it ends with; empty: none */

	unsigned marks; /* that results of the run have: enum figure_mark */

	unsigned errors;
	struct cells first_error;
};

/* Begins an empty table below the head of the screen. */
void table_open(struct table *t, struct screen *s);

/* The following records fill only these places. *has must stay valid. */
void table_expect(struct table *t, const struct table_has *has);

/* Takes a record. */
void table_take(struct table *t, const struct record *r);

/* Ends the table: the last row is completed. */
void table_end(struct table *t);

#endif
