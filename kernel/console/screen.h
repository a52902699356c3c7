/*
 * A screen of characters, for any driver. The rows at the top may be kept for a head; below it
 * lines wrap and scroll. struct screen keeps a copy of the characters, because reads of video
 * memory are slow on every machine, and draws only cells that change.
 */
#ifndef KERNEL_CONSOLE_SCREEN_H
#define KERNEL_CONSOLE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SCREEN_COLUMNS = 320,
	SCREEN_ROWS = 160,
	SCREEN_GAP = 2, /* columns between two strips */
};

/* The meaning of a character. The driver chooses its colour. */
enum screen_color {
	SCREEN_TEXT,
	SCREEN_TITLE,
	SCREEN_GOOD,
	SCREEN_WARN,
	SCREEN_BAD,
	SCREEN_COLORS,
};

struct screen {
	unsigned columns, rows; /* at most SCREEN_COLUMNS, SCREEN_ROWS */
	unsigned jump; /* rows to scroll at once, below rows - head; drawing pixels is dear */
	/* c: printable ASCII */
	void (*draw)(unsigned column, unsigned row, char c, enum screen_color color);
	unsigned head;         /* rows that do not scroll */
	unsigned width;        /* columns of a row below the head: all, or those of a strip */
	unsigned column, row;  /* of the next character below them */
	enum screen_color pen; /* colour of the next text; the caller changes it */
	bool still;            /* a page: nothing scrolls */
	unsigned strips;       /* of the last page */
	unsigned skip, lines;  /* of a page: rows yet to come above it, rows so far */
	bool titled;           /* a page: above each strip stands the title of its first row */
	unsigned title_at;     /* the row with the title, as counted by `lines`, */
	unsigned title_n;      /* and its characters; 0: there is no title yet */
	char title[SCREEN_COLUMNS];
	uint8_t title_colors[SCREEN_COLUMNS];
	char cells[SCREEN_ROWS][SCREEN_COLUMNS];
	uint8_t colors[SCREEN_ROWS][SCREEN_COLUMNS]; /* enum screen_color; SCREEN_TEXT of blanks */
};

/* Starts on an empty screen: the caller has cleared it and has set columns, rows, jump, draw. */
void screen_init(struct screen *s);

/*
 * Keeps the first `rows` rows, of more than `rows`, for screen_head(). Nothing may be written yet.
 */
void screen_keep(struct screen *s, unsigned rows);

/*
 * Replaces a row of the head by `text`, cut to the width of the screen. `colors` has an enum
 * screen_color for each character; NULL: SCREEN_TEXT.
 */
void screen_head(struct screen *s, unsigned row, const char *text, const uint8_t *colors);

/* Writes below the head, behind the last write. Characters that no font has become `?`. */
void screen_write(struct screen *s, const char *text, size_t n);

/*
 * Begins a page. It shows the text of the following screen_write() below the head, from row number
 * `first` on, as many rows as fit. The page has `strips` strips beside each other, at least one,
 * like the columns of a newspaper: the rows of a strip follow those of the strip to its left. The
 * page is not cleared before, so unchanged cells do not flicker. `titled`: each strip has one more
 * row at its top, for the last screen_title() before its first row.
 */
void screen_page(struct screen *s, unsigned first, unsigned strips, bool titled);

/*
 * The row that begins now is the title of those that follow it. `n` characters, at most those of a
 * row, with an enum screen_color for each.
 */
void screen_title(struct screen *s, const char *text, const uint8_t *colors, unsigned n);

/*
 * Ends the page and clears the cells behind its last row. A page that begins behind the last row
 * does not change the screen. Returns the number of rows of all pages.
 */
unsigned screen_page_end(struct screen *s);

/* The number of rows that fit on the last page. */
unsigned screen_page_rows(const struct screen *s);

#endif
