/*
 * Output that arrived, or a message.
 *
 * stdio buffers what a program writes, so a full disk or a closed pipe shows at the end or not at
 * all. Programs that keep somebody's measurements ask here before they say that all went well.
 */
#ifndef TOOLS_OUTPUT_OUTPUT_H
#define TOOLS_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * A closed pipe and a limit of the file size (RLIMIT_FSIZE) become errors of the write, instead of
 * signals that end the program without a word. For the start of main().
 */
void output_no_signals(void);

/*
 * Closes `f`. True if every byte that was written to it reached the operating system; otherwise
 * false, after the line `PROGRAM: NAME: REASON` on stderr. Errors of earlier writes count as well.
 */
bool output_close_checked(FILE *f, const char *program, const char *name);

#endif
