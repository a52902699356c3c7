/*
 * Subjects whose results share a row: latency and throughput of an instruction, and the bandwidth
 * at each level of the caches.
 */
#ifndef KERNEL_CONSOLE_BOX_H
#define KERNEL_CONSOLE_BOX_H

#include <stdbool.h>
#include <stddef.h>

enum { BOX_COLUMNS = 4 };

enum box_number { BOX_BANDWIDTH, BOX_INSTR, BOXES };

struct box {
	enum box_number number;
	const char *subject; /* names begin so, up to the first point */
	const char *unit;    /* of all figures */
	bool rate;           /* the figures are GB/s; else clocks */
	bool front;          /* in a name the column's part comes before the row's part */
	unsigned name;       /* fewest columns for the names of rows */
	unsigned columns;
	struct {
		const char *part, *title;
		unsigned level; /* its cache level; 0: none */
		bool rare;      /* shown only after a result for it has come */
	} column[BOX_COLUMNS];
};

/*
 * The box of a benchmark and its column there; NULL: its result has a row of its own. `row`, of
 * `size` bytes, gets the part of the name that all benchmarks of the row share.
 */
const struct box *box_of(const char *bench, char *row, size_t size, unsigned *column);

#endif
