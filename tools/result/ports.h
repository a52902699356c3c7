/*
 * Which ports instructions use, from the records `ports` (docs/ports.md), for the rows of the
 * instruction table. A run measures ports instead of times, so the times of a form are often those
 * of another run of the same machine.
 */
#ifndef TOOLS_RESULT_PORTS_H
#define TOOLS_RESULT_PORTS_H

#include <stdint.h>

#include "tools/result/machine.h"

struct ports {
	unsigned run;               /* from 1 */
	const struct line *line;    /* the record */
	char bench[64], form[64];   /* "" where it is no form of the instruction table */
	char ports[256], left[256]; /* as in the record, "" where it has none */
	bool counted;               /* by events, and `uops` is known */
	uint64_t uops;              /* of an operation */
	bool by_time;
	int64_t clocks; /* by time: of an operation, thousandths; -1: not told */
	bool withdrawn; /* the log took back what its counters counted */
};

struct ports_list {
	struct ports *row;
	size_t n;
	struct machine *machine; /* of each run */
	unsigned runs;
};

/* Those of all runs, in the order of the log. Only whole records count. */
void ports_read(struct ports_list *p, const struct log *log);
void ports_free(struct ports_list *p);

/*
 * The last record of the form in the run; without one the last in any run of the same machine (name
 * and signature, emulated or not, guest of the same hypervisor or of none); NULL if there is none.
 */
const struct ports *ports_find(const struct ports_list *p, unsigned run, const char *form);

enum { PORTS_TEXT = 640 };

/* All that the record says of ports but `uops`, for people: "1*p06 left 1". Returns `out`. */
const char *ports_text(const struct ports *p, char out[PORTS_TEXT]);

#endif
