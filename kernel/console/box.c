/*
 * Results that stand in a row (kernel/console/box.h).
 */
#include "kernel/console/box.h"
#include "kernel/lib/string.h"

/* clang-format off */
static const struct box boxes[] = {
	{ BOX_BANDWIDTH, "bandwidth", "GB/s", true, false, 18, 4,
	  { { ".l1", "L1", 1, false }, { ".l2", "L2", 2, false }, { ".l3", "L3", 3, false },
	    { ".memory", "memory", 0, false } } },
	{ BOX_INSTR, "instr", "clocks, tp throughput", false, true, 28, 2,
	  { { "lat.", "latency", 0, true }, { "tp.", "tp", 0, false } } },
};
/* clang-format on */

static bool begins_with(const char *s, const char *part)
{
	return !strncmp(s, part, strlen(part));
}

/* The column whose part the name without its subject has; `*at` is what is left of the name. */
static unsigned column_of(const struct box *b, const char **at, size_t *n)
{
	for (unsigned i = 0; i < b->columns; i++) {
		const size_t part = strlen(b->column[i].part);

		if (*n <= part || !begins_with(b->front ? *at : *at + *n - part, b->column[i].part))
			continue;
		*at += b->front ? part : 0;
		*n -= part;
		return i;
	}
	return BOX_COLUMNS;
}

const struct box *box_of(const char *bench, char *row, size_t size, unsigned *column)
{
	for (unsigned i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		const size_t subject = strlen(boxes[i].subject);
		const char *at = bench + subject + 1;
		size_t n;

		if (!begins_with(bench, boxes[i].subject) || bench[subject] != '.')
			continue;
		n = strlen(at);
		*column = column_of(&boxes[i], &at, &n);
		if (*column == BOX_COLUMNS || n >= size)
			return NULL;
		memcpy(row, at, n);
		row[n] = '\0';
		return &boxes[i];
	}
	return NULL;
}
