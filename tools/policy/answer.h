/* The replacement policies that fit the `sequence` records of a run. */
#ifndef TOOLS_POLICY_ANSWER_H
#define TOOLS_POLICY_ANSWER_H

#include "tools/log/logfile.h"

enum { ANSWERS = 32, ANSWER_TEXT = 12 << 10 };

/* Of a level, or of a set of a level whose sets differ. */
struct answer {
	char what[32];        /* as the sizes of its level are called: "l1d.policy"; "seq.l1d" */
	bool own;             /* by the user's own sequences, of seq= */
	unsigned level, ways; /* ways 0: not known */
	bool of_set;          /* of one set alone: */
	unsigned long set;
	unsigned sequences;
	unsigned fits;          /* policies that differ from each other and fit all sequences */
	bool random;            /* repeats of a sequence differ */
	size_t some;            /* bytes of `text` with the first names alone; 0: all */
	char text[ANSWER_TEXT]; /* the names, or why there is none */
};

/* All of a run, in the order of levels, those of seq= last; returns how many. */
size_t answers_read(const struct log *log, const struct run *run, struct answer out[ANSWERS]);

#endif
