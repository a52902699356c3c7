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

/* Puts text in the colour of the pen. */
void cells_put(struct cells *t, const char *s);

/* Puts text in another colour; the pen does not change. */
void cells_paint(struct cells *t, enum screen_color color, const char *s);

/* Puts a decimal number of at least `digits` digits, with zeros in front. */
void cells_dec(struct cells *t, uint64_t v, unsigned digits);

/* Puts minutes and seconds, `1:05`. */
void cells_time(struct cells *t, uint64_t seconds);

/* Puts `before` and the value of `key`, if the record has that key. */
void cells_value(struct cells *t, const char *before, const struct record *r, const char *key);

/* Puts blanks until the row has `to` characters. */
void cells_pad(struct cells *t, unsigned to);

/* Puts text so that it ends at column `end`, with at least a blank before it. */
void cells_right(struct cells *t, const char *s, unsigned end);

/* Appends the row `more`, if all of it fits into `columns`. */
void cells_join(struct cells *t, const struct cells *more, unsigned columns);

/* Writes the row below the head of the screen, without an end of line. */
void cells_write(const struct cells *t, struct screen *s);

#endif
