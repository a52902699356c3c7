/*
 * All that the log has of results, in readable form, as pages of the screen (key d).
 */
#ifndef KERNEL_CONSOLE_DETAILS_H
#define KERNEL_CONSOLE_DETAILS_H

#include "kernel/console/record.h"
#include "kernel/console/screen.h"

/* Writes what the record tells of a benchmark, if it does: between screen_page() and its end. */
void details_write(struct screen *s, const struct record *r);

#endif
