/*
 * The events of a CPU by the tables of the kernel, without a machine (docs/events.md).
 */
#ifndef TOOLS_EVENTS_EVENTS_H
#define TOOLS_EVENTS_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

/* The models that there are, a line a family. */
void events_models(FILE *out);

/*
 * What events= takes on the model `cpu`: the names for every family with their meaning and the
 * event behind them, then the model's own events with their code and unit mask. `word`: those alone
 * that have it in a name or a meaning, in any case; NULL: all. A part of a model's name is enough
 * where one model alone has it. False after a message on stderr: no such model, several of them, or
 * no such event.
 */
bool events_print(const char *cpu, const char *word, FILE *out);

#endif
