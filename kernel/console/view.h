/*
 * The screen of a run: a head (kernel/console/head.h), and below it the results as a table that
 * scrolls (kernel/console/table.h). Other data are only in the log.
 *
 * The view reads the log's own lines (kernel/console/record.h) and knows nothing of the parts that
 * write them. A screen of less than 12 rows or 40 columns has no head, and one of less than 20 rows
 * no summary.
 */
#ifndef KERNEL_CONSOLE_VIEW_H
#define KERNEL_CONSOLE_VIEW_H

#include "kernel/console/events.h"
#include "kernel/console/screen.h"

/* Shows the following lines, on an empty screen. */
void view_open(struct screen *s);

/* Takes the bytes of the log; lines may come in pieces. */
void view_write(const char *text, size_t n);

enum view_what {
	VIEW_RESULTS, /* the table */
	VIEW_DETAILS, /* all that the log has of each result */
	VIEW_EVENTS,  /* the events of the last run, and all others */
	VIEW_HELP,
	VIEW_LIVE, /* the table as wide as the screen, as it is written during a run */
};

/* Sets the source of names for VIEW_EVENTS; without it there are none. */
void view_events_from(events_next *next);

/*
 * Shows a page of `what` of `log`, `n` bytes: its rows from number `first` on, below the head.
 * `filter` is NULL, or globs as for args_match(); the page then has only benchmarks or events of
 * these names. Returns the number of rows of all pages. If `first` is not below that number the
 * screen does not change. From 160 columns on, a page whose rows do not fit has strips beside each
 * other, unless columns of events need the whole width.
 */
unsigned view_page(enum view_what what, const char *log, size_t n, const char *filter,
                   unsigned first);

/* The number of rows that fit on the last page. */
unsigned view_rows(void);

#endif
