/*
 * Subjects whose results stand together in a row: latency and throughput of an instruction, and
 * what an operation moves at each level of the caches.
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
	bool rate;           /* they are GB/s; else clocks */
	bool front;    /* the part of the name that chooses the column comes before the row's */
	unsigned name; /* columns for the names of rows, at least */
	unsigned columns;
	struct {
		const char *part, *title;
		unsigned level; /* of the cache that it is about; 0: of none */
		bool rare;      /* there when a result of it has come */
	} column[BOX_COLUMNS];
};

/*
 * The box of a benchmark and its column there; NULL: its result has a row of its own. `row`, of
 * `size` bytes, is what all benchmarks of the same row have in common.
 */
const struct box *box_of(const char *bench, char *row, size_t size, unsigned *column);

#endif
