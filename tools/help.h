/* The commands of cpl0-log and their options as text: help, the manual page, completion. */
#ifndef TOOLS_HELP_H
#define TOOLS_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* Does the command take the option of this long name? */
bool help_takes(const char *command, const char *option);

/* One line, `usage: cpl0-log COMMAND ...`; NULL: no command. */
void help_usage(const char *command, FILE *out);

/* All of one command, or without `command` a line for each. False if there is no such command. */
bool help_print(const char *command, FILE *out);

/* The manual page cpl0-log(1) in roff, and completion for bash, zsh and fish. */
void help_man(const char *version, FILE *out);
void help_bash(FILE *out);
void help_zsh(FILE *out);
void help_fish(FILE *out);

#endif
