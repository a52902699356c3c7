/*
 * sim/files.h - files that a run would lose.
 */
#ifndef SIM_FILES_H
#define SIM_FILES_H

struct options;

/* An output of the run that is one of its inputs as well, or another of its outputs; NULL: none. */
const char *files_clash(const struct options *o);

#endif
