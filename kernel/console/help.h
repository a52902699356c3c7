/*
 * What the screen says and which keys there are, as a page of the screen (key h).
 */
#ifndef KERNEL_CONSOLE_HELP_H
#define KERNEL_CONSOLE_HELP_H

#include "kernel/console/screen.h"

/* Writes the page: between screen_page() and screen_page_end(). */
void help_write(struct screen *s);

#endif
