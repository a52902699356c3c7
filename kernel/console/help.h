/* The explanation of the screen and its keys, as a page of the screen (key h). */
#ifndef KERNEL_CONSOLE_HELP_H
#define KERNEL_CONSOLE_HELP_H

#include "kernel/console/screen.h"

/* Writes the page; call it between screen_page() and screen_page_end(). */
void help_write(struct screen *s);

#endif
