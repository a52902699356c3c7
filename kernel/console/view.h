/*
 * What the screen shows of a run: a head, and below it the results as a table that scrolls.
 *
 * The head has five rows: the program and where its log goes; the CPU and its caches; clocks and
 * counters; progress with the time to go; the headings of the table. The table has as many columns
 * as fit. A `warn`, `error`, `trap` or `timeout` record stands between the results as it is in the
 * log, as does a `check` or an `expect` that differs. All else is in the log only.
 *
 * The view reads the log's own lines (kernel/console/record.h) and knows nothing of the parts that
 * write them. A screen of less than 12 rows or 40 columns has no head.
 */
#ifndef KERNEL_CONSOLE_VIEW_H
#define KERNEL_CONSOLE_VIEW_H

#include "kernel/console/screen.h"

/* Shows what comes from now on, on an empty screen. */
void view_open(struct screen *s);

/* Takes the bytes of the log; lines may come in pieces. */
void view_write(const char *text, size_t n);

/*
 * Shows a page of the table of `log`, `n` bytes: its rows from number `first` on, without a head.
 * `filter` is NULL or globs as args_match() takes them; then the page has only what is about
 * benchmarks of these names. Returns how many rows all pages have. If `first` is not below that
 * number the screen stays as it is.
 */
unsigned view_page(const char *log, size_t n, const char *filter, unsigned first);

#endif
