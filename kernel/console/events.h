/* The events of a run, and all events of the machine, as pages of the screen (key e). */
#ifndef KERNEL_CONSOLE_EVENTS_H
#define KERNEL_CONSOLE_EVENTS_H

#include "kernel/console/record.h"
#include "kernel/console/screen.h"

/* Each call returns the next name of all events, the first if `first`; NULL: no more. */
typedef const char *events_next(bool first);

/* Writes an `event` record; call it between screen_page() and screen_page_end(). */
void events_write(struct screen *s, const struct record *r);

/* Then writes all events of the machine that match the globs; NULL: all. */
void events_write_all(struct screen *s, events_next *next, const char *globs);

#endif
