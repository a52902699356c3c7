/*
 * sim/command_line.h - the command line of cpl0-sim (sim/README.md).
 */
#ifndef SIM_COMMAND_LINE_H
#define SIM_COMMAND_LINE_H

struct options;

enum { EXIT_USAGE = 3 };

/* Fills `o` in. Returns -1 to go on, otherwise the exit code. */
int command_line_parse(struct options *o, char **argv);
/* Says what is wrong and returns EXIT_USAGE; what: the culprit, or NULL. */
int command_line_misuse(const char *why, const char *what);

#endif
