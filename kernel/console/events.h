/*
 * The events that a run counted, and all that the machine can count, as pages of the screen (key
 * e).
 */
#ifndef KERNEL_CONSOLE_EVENTS_H
#define KERNEL_CONSOLE_EVENTS_H

#include "kernel/console/record.h"
#include "kernel/console/screen.h"

/* The names of all events, one a call, from the first on if `first`; NULL: there is none more. */
typedef const char *events_next(bool first);

/* Writes what an `event` record tells: between screen_page() and screen_page_end(). */
void events_write(struct screen *s, const struct record *r);

/* Then all that the machine can count, or what the globs name; NULL: everything. */
void events_write_all(struct screen *s, events_next *next, const char *globs);

#endif
