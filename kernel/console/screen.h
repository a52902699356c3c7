/*
 * A screen of characters, whatever draws it: lines wrap, long logs scroll.
 *
 * What stands on the screen is kept here, because reading it back from video memory is slow on
 * every machine, and only cells that change are drawn.
 */
#ifndef KERNEL_SCREEN_H
#define KERNEL_SCREEN_H

#include <stddef.h>

enum { SCREEN_COLUMNS = 320, SCREEN_ROWS = 160 };

struct screen {
	unsigned columns, rows; /* at most SCREEN_COLUMNS, SCREEN_ROWS */
	unsigned jump;          /* rows to scroll at once; drawing pixels is dear */
	void (*draw)(unsigned column, unsigned row, char c); /* c: printable ASCII */
	unsigned column, row;                                /* of the next character */
	char cells[SCREEN_ROWS][SCREEN_COLUMNS];
};

/* Starts on an empty screen: the caller has cleared it and has set columns, rows, jump, draw. */
void screen_init(struct screen *s);

void screen_write(struct screen *s, const char *text, size_t n);

#endif
