/*
 * A pager between a terminal and what is printed there, messages too: $PAGER, or less if there is
 * one. LESS is FRX where the environment has none, so what fits the screen is printed and no more.
 */
#ifndef TOOLS_PAGER_H
#define TOOLS_PAGER_H

#include <stdbool.h>

/*
 * Before the first output. From now on what is printed goes into the pager. False: standard output
 * is no terminal, PAGER is empty or cat, or there is no pager; nothing changed then.
 */
bool pager_begin(void);

/* Closes standard output and standard error, and waits until the user leaves the pager. */
void pager_end(void);

#endif
