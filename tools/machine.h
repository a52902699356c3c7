/* What a run tells of its machine and of its clocks, and what a figure is in people's units. */
#ifndef TOOLS_MACHINE_H
#define TOOLS_MACHINE_H

#include "tools/results.h"

struct machine {
	char name[96];        /* brand string, or vendor, family, model and stepping */
	char version[48];     /* of cpl0 */
	char pmu[32];         /* driver of the counters, "none" */
	char status[8];       /* of `done`; "" if the run did not finish */
	unsigned bits;        /* 32 or 64, 0: unknown */
	uint32_t signature;   /* CPUID leaf 1 EAX, 0: unknown */
	uint64_t tsc_hz;      /* 0: unknown */
	int64_t core_per_tsc; /* core clocks a TSC tick, thousandths; 0: the log does not say */
	const char *emulated; /* why times are no CPU's, as the log tells; or NULL */
};

void machine_read(struct machine *m, const struct log *log, const struct run *run);

/*
 * A figure of one operation: the median; the samples without their outer quarters lie from `low` to
 * `high`, all from `min` to `max`. These limits are moved apart by what each reading may be off.
 */
struct figure {
	bool known;
	double min, low, value, high, max;
	bool below; /* not told apart from 0: `high` is the bound, and `value` is 0 */
};

/* Of any quantity of a row, per operation. */
struct figure figure_of(const struct result *r, const char *quantity);

/*
 * Core clocks per operation: `core` where the row has it, else TSC ticks times `core_per_tsc`.
 * Unknown where the log has neither.
 */
struct figure figure_clocks(const struct machine *m, const struct result *r);

/* Nanoseconds per operation, from the TSC and its rate; unknown without a rate. */
struct figure figure_ns(const struct machine *m, const struct result *r);

/* From `low` to `high` in per cent of the value; 0 where all samples are equal, -1: unknown. */
double figure_spread(const struct figure *f);

/* What a reader must know of a row before its figures, one letter a mark; "" is nothing. */
const char *result_marks(const struct result *r, const struct figure *f, char out[8]);

/* What the letters of result_marks() mean, a line a letter. */
extern const char RESULT_MARKS[];

#endif
