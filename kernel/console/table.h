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
	/* headings whose places are remembered */
	TABLE_HEADINGS = 64,
};

/* The places of results. */
struct table_has {
	unsigned columns[BOXES];        /* columns of each box that have a result, as bits */
	uint8_t places[TABLE_HEADINGS]; /* places of a row that have results, below each heading */
};

struct table {
	struct screen *screen;
	struct figure_clock clock;
	struct levels levels;
	bool seen, again;      /* a run has begun; a further run has begun after it */
	bool counts;           /* the run has events= */
	bool ports;            /* the run has a `blocker` record: results have a column of ports */
	bool planned;          /* benchmarks are measured from now on */
	char last[TABLE_NAME]; /* benchmark of the last record about one */

	/* The layout of the subject; `slots` 0: there is no layout yet. */
	char subject[TABLE_NAME];
	bool moves;            /* its operations move bytes */
	const struct box *box; /* the subject's box: its rows have several results; NULL: none */
	unsigned columns;      /* columns of the box, as bits, that are shown only for a result */
	struct table_has has;
	const struct table_has *expected; /* places known before; NULL: the caches tell columns */
	unsigned headings;                /* number of headings so far */
	unsigned name, width; /* characters of a name; of a result with the gap behind it */
	unsigned slot, slots; /* place of the next result in its row, from 0; places of a row */
	unsigned since;       /* rows below the last heading */

	/* The events of the run, in the order in which their counts come. */
	struct {
		char key[TABLE_NAME];
		char title[TABLE_TITLE]; /* the word of events= for it; empty: the key */
		uint64_t group;
	} events[TABLE_EVENTS];
	unsigned nevents; /* if more than TABLE_EVENTS, no event has a column */
	bool numbered;    /* the columns have numbers, as names would not fit */
	bool narrow;      /* some subject had no columns with names */
	unsigned shown;   /* number of columns of events; 0: counts stand below their result */
	unsigned legend;  /* rows below the last list of numbers and names */

	/* The open row: it takes more results or counts. */
	char open[TABLE_NAME];  /* its name; empty: there is none */
	unsigned at;            /* characters of its place that are written */
	unsigned next;          /* number of the first figure or count that can still come */
	struct figures widest;  /* the widest spread of its results, and all their marks */
	char bound[TABLE_NAME]; /* the ports that stand at its end; empty: none */

	unsigned marks; /* marks of the run's results, as bits of enum figure_mark */

	unsigned errors;
	struct cells first_error;
};

/* Begins an empty table below the head of the screen. */
void table_open(struct table *t, struct screen *s);

/*
 * Lays out the following records by the columns and places of *has; a result in another column adds
 * that column. *has must stay valid.
 */
void table_expect(struct table *t, const struct table_has *has);

/* Takes a record. */
void table_take(struct table *t, const struct record *r);

/* Ends the table: completes the last row. */
void table_end(struct table *t);

#endif
