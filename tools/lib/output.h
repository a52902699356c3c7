/*
 * Output that arrived, or a message.
 *
 * stdio buffers what a program writes, so a full disk or a closed pipe shows at the end or not at
 * all. Programs that keep measurements ask here before they say that all went well.
 */
#ifndef TOOLS_LIB_OUTPUT_H
#define TOOLS_LIB_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * For the start of main(). A closed pipe and a limit of the file size (RLIMIT_FSIZE) become errors
 * of the write, instead of signals that end the program without a word. A standard stream that is
 * closed stays unusable, instead of becoming the next file that is opened.
 */
void output_begin(void);

/*
 * Closes `f`. True if every byte that was written to it reached the operating system; otherwise
 * false, after the line `PROGRAM: NAME: REASON` on stderr. Errors of earlier writes count as well.
 */
bool output_close_checked(FILE *f, const char *program, const char *name);

/*
 * A name or an argument as a message may print it: `\xNN` for every byte that is no printable ASCII
 * and `\\` for a backslash, so that nothing in it steers a terminal or looks like another line. Cut
 * after 4096 bytes, with `...` behind it. The text is good until four more names were asked for;
 * errno stays.
 */
const char *output_name(const char *name);

/*
 * Would what is written to `a` change what is read from or written to `b`? True for two names of a
 * regular file, and for the same name of a file that is not there yet. /dev/stdout and /dev/stdin
 * stand for where those go and come from.
 */
bool output_is_same(const char *a, const char *b);

#endif
