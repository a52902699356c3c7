/*
 * A screen of characters, whatever draws it. The rows at the top may be kept for a head; below it
 * lines wrap and scroll.
 *
 * What stands on the screen is kept here, because reading it back from video memory is slow on
 * every machine, and only cells that change are drawn.
 */
#ifndef KERNEL_CONSOLE_SCREEN_H
#define KERNEL_CONSOLE_SCREEN_H

#include <stddef.h>

enum { SCREEN_COLUMNS = 320, SCREEN_ROWS = 160 };

struct screen {
	unsigned columns, rows; /* at most SCREEN_COLUMNS, SCREEN_ROWS */
	unsigned jump; /* rows to scroll at once, below rows - head; drawing pixels is dear */
	void (*draw)(unsigned column, unsigned row, char c); /* c: printable ASCII */
	unsigned head;                                       /* rows that do not scroll */
	unsigned column, row;                                /* of the next character below them */
	char cells[SCREEN_ROWS][SCREEN_COLUMNS];
};

/* Starts on an empty screen: the caller has cleared it and has set columns, rows, jump, draw. */
void screen_init(struct screen *s);

/*
 * Keeps the first `rows` rows, of more than `rows`, for screen_head(). Nothing may be written yet.
 */
void screen_keep(struct screen *s, unsigned rows);

/* Replaces a row of the head by `text`, cut to the width of the screen. */
void screen_head(struct screen *s, unsigned row, const char *text);

/* Writes below the head, from where the write before ended. Characters no font has become `?`. */
void screen_write(struct screen *s, const char *text, size_t n);

#endif
