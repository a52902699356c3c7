/* A row of text with colours, built piece by piece. Text that does not fit is cut. */
#ifndef KERNEL_CONSOLE_CELLS_H
#define KERNEL_CONSOLE_CELLS_H

#include <stdint.h>

#include "kernel/console/record.h"
#include "kernel/console/screen.h"

struct cells {
	unsigned n;
	enum screen_color pen; /* colour of the next text */
	char s[SCREEN_COLUMNS + 1];
	uint8_t colors[SCREEN_COLUMNS];
};

/* Makes the row empty, and the pen SCREEN_TEXT. */
void cells_clear(struct cells *t);

void cells_put(struct cells *t, const char *s);

/* Puts text in another colour; the pen does not change. */
void cells_paint(struct cells *t, enum screen_color color, const char *s);

/* With at least `digits` digits. */
void cells_dec(struct cells *t, uint64_t v, unsigned digits);

/* Minutes and seconds, `1:05`. */
void cells_time(struct cells *t, uint64_t seconds);

/* `before` and the value of a record, if the record has it. */
void cells_value(struct cells *t, const char *before, const struct record *r, const char *key);

/* Blanks until the row has `to` characters. */
void cells_pad(struct cells *t, unsigned to);

/* Right-aligned, so that it ends at column `end`; at least a blank stands before it. */
void cells_right(struct cells *t, const char *s, unsigned end);

/* Appends the row `more`, if all of it fits into `columns`. */
void cells_join(struct cells *t, const struct cells *more, unsigned columns);

/* Writes the row below the head of the screen, without an end of line. */
void cells_write(const struct cells *t, struct screen *s);

#endif
