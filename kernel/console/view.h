/*
 * What the screen shows of a run: a head (kernel/console/head.h), and below it the results as a
 * table that scrolls (kernel/console/table.h). All else is in the log only.
 *
 * The view reads the log's own lines (kernel/console/record.h) and knows nothing of the parts that
 * write them. A screen of less than 12 rows or 40 columns has no head, and one of less than 20 rows
 * no summary.
 */
#ifndef KERNEL_CONSOLE_VIEW_H
#define KERNEL_CONSOLE_VIEW_H

#include "kernel/console/events.h"
#include "kernel/console/screen.h"

/* Shows what comes from now on, on an empty screen. */
void view_open(struct screen *s);

/* Takes the bytes of the log; lines may come in pieces. */
void view_write(const char *text, size_t n);

enum view_what {
	VIEW_RESULTS, /* the table */
	VIEW_DETAILS, /* all that the log has of each result */
	VIEW_EVENTS,  /* those that the last run counted, and all others */
	VIEW_HELP,
	VIEW_LIVE, /* the table as wide as the screen, as it is written during a run */
};

/* Where the names for VIEW_EVENTS come from; without it there are none. */
void view_events_from(events_next *next);

/*
 * Shows a page of `what` of `log`, `n` bytes: its rows from number `first` on, below the head.
 * `filter` is NULL or globs as args_match() takes them; then the page has only what is about
 * benchmarks or events of these names. Returns how many rows all pages have. If `first` is not
 * below that number the screen stays as it is. From 160 columns on the page has strips beside each
 * other, but where columns of events need the whole width.
 */
unsigned view_page(enum view_what what, const char *log, size_t n, const char *filter,
                   unsigned first);

/* How many rows the last page has room for. */
unsigned view_rows(void);

#endif
