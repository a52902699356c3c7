/* All results of the log, in readable form, as pages of the screen (key d). */
#ifndef KERNEL_CONSOLE_DETAILS_H
#define KERNEL_CONSOLE_DETAILS_H

#include "kernel/console/record.h"
#include "kernel/console/screen.h"

/*
 * Writes a record about a benchmark; any other record writes nothing. Call it between screen_page()
 * and screen_page_end().
 */
void details_write(struct screen *s, const struct record *r);

#endif
