/*
 * The main figures, in three rows: the latency of loads from each level, the bandwidth of memory,
 * and additions and multiplications.
 *
 * A level's latency is that of the largest array that takes at most half of the level and is larger
 * than the level below it. The row of latencies omits unknown figures. The row of bandwidths omits
 * figures that were not measured, and shows `-` for a measured figure that is unknown. The row of
 * arithmetic omits an operation without any figure, and shows `-` for one missing figure. Results
 * of code at CPL 3 are in no row. A row ends with the marks of its figures, each once.
 */
#ifndef KERNEL_CONSOLE_SUMMARY_H
#define KERNEL_CONSOLE_SUMMARY_H

#include "kernel/console/cells.h"
#include "kernel/console/figure.h"
#include "kernel/console/levels.h"
#include "kernel/console/record.h"

enum { SUMMARY_NAME = 160 }; /* bytes of a benchmark's name */

enum summary_rate { SUMMARY_READ, SUMMARY_WRITE, SUMMARY_COPY, SUMMARY_RATES };

struct summary_figure {
	struct figure figure;
	unsigned marks; /* enum figure_mark */
};

struct summary {
	struct levels levels;
	struct figure_clock clock;
	char last[SUMMARY_NAME];   /* benchmark of the last result */
	uint64_t bytes[LEVELS];    /* of the array that a level's latency is from */
	bool moved[SUMMARY_RATES]; /* there is a result of it */
	struct figure memory_ns;
	struct summary_figure memory;              /* the same in clocks */
	struct summary_figure latency[LEVELS];     /* clocks */
	struct summary_figure rate[SUMMARY_RATES]; /* GB/s of memory: the fastest known */
	struct summary_figure add[2], imul[2];     /* clocks: latency, throughput */
};

/* Takes a record; all of it is 0 when a run begins. */
void summary_take(struct summary *t, const struct record *r);

/*
 * Write the rows; a row without measured figures is empty. The nanoseconds of memory are left out
 * if the row would have more than `columns` with them.
 */
void summary_latency(const struct summary *t, struct cells *row, unsigned columns);
void summary_rates(const struct summary *t, struct cells *row);
void summary_arithmetic(const struct summary *t, struct cells *row);

#endif
