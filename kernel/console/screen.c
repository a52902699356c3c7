/*
 * A screen of characters: what is where, and when it scrolls.
 */
#include "kernel/console/screen.h"
#include "kernel/lib/string.h"

void screen_init(struct screen *s)
{
	memset(s->cells, ' ', sizeof(s->cells));
	memset(s->colors, SCREEN_TEXT, sizeof(s->colors));
	s->pen = SCREEN_TEXT;
	s->column = 0;
	s->row = 0;
	s->head = 0;
	s->still = false;
	s->width = s->columns;
	s->strips = 1;
	s->titled = false;
	s->title_n = 0;
}

void screen_keep(struct screen *s, unsigned rows)
{
	s->head = rows;
	s->row = rows;
}

/* All blanks are the same, whatever stood there. */
static void set(struct screen *s, unsigned column, unsigned row, char c, unsigned color)
{
	if (c == ' ')
		color = SCREEN_TEXT;
	if (s->cells[row][column] == c && s->colors[row][column] == color)
		return;
	s->cells[row][column] = c;
	s->colors[row][column] = (uint8_t)color;
	s->draw(column, row, c, color);
}

static void set_blank(struct screen *s, unsigned column, unsigned row)
{
	set(s, column, row, ' ', SCREEN_TEXT);
}

static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

void screen_head(struct screen *s, unsigned row, const char *text, const uint8_t *colors)
{
	unsigned c = 0;

	for (; c < s->columns && text[c]; c++)
		set(s, c, row, printable(text[c]), colors ? colors[c] : SCREEN_TEXT);
	for (; c < s->columns; c++)
		set_blank(s, c, row);
}

static void set_from(struct screen *s, unsigned column, unsigned row, unsigned from)
{
	set(s, column, row, s->cells[from][column], s->colors[from][column]);
}

static void scroll(struct screen *s)
{
	for (unsigned r = s->head; r < s->rows; r++)
		for (unsigned c = 0; c < s->columns; c++)
			if (r + s->jump < s->rows)
				set_from(s, c, r, r + s->jump);
			else
				set_blank(s, c, r);
	s->row -= s->jump;
}

/* Scrolling waits until there is something to show in the new row. */
static void make_room(struct screen *s)
{
	if (s->row == s->rows)
		scroll(s);
}

/* ---- Pages ---- */

/* The first row of each strip, below its title. */
static unsigned top_of(const struct screen *s)
{
	return s->head + s->titled;
}

static unsigned strip_rows(const struct screen *s)
{
	return s->rows - top_of(s);
}

unsigned screen_page_rows(const struct screen *s)
{
	return strip_rows(s) * s->strips;
}

static unsigned strip_of(const struct screen *s)
{
	return (s->row - top_of(s)) / strip_rows(s);
}

static unsigned row_of(const struct screen *s)
{
	return top_of(s) + (s->row - top_of(s)) % strip_rows(s);
}

/* Where a strip begins; behind the last one: where the screen ends. */
static unsigned strip_at(const struct screen *s, unsigned strip)
{
	return strip < s->strips ? strip * (s->columns / s->strips) : s->columns;
}

static bool is_seen(const struct screen *s)
{
	return !s->skip && s->row - top_of(s) < screen_page_rows(s);
}

/* With the gap to the next strip. */
static void clear_rest(struct screen *s)
{
	const unsigned strip = strip_of(s), end = strip_at(s, strip + 1);

	for (unsigned c = strip_at(s, strip) + s->column; c < end; c++)
		set_blank(s, c, row_of(s));
}

/* Above the first row of a strip, unless that is the title itself or there is none. */
static void put_title(struct screen *s, bool none)
{
	const unsigned strip = strip_of(s), at = strip_at(s, strip), end = strip_at(s, strip + 1);
	const unsigned n = none || s->title_at == s->lines ? 0 : s->title_n;

	if (!s->titled || row_of(s) != top_of(s))
		return;
	for (unsigned i = 0; at + i < end; i++)
		if (i < n)
			set(s, at + i, s->head, printable(s->title[i]), s->title_colors[i]);
		else
			set_blank(s, at + i, s->head);
}

/* The row of a page is complete; it may lie above or below what is seen. */
static void next_of_page(struct screen *s)
{
	if (is_seen(s)) {
		clear_rest(s);
		put_title(s, false);
		s->row++;
	} else if (s->skip) {
		s->skip--;
	}
	s->column = 0;
	s->lines++;
}

static void new_line(struct screen *s)
{
	if (s->still) {
		next_of_page(s);
		return;
	}
	make_room(s);
	s->column = 0;
	s->row++;
}

static void put(struct screen *s, char c)
{
	/* A line that ends in the last column gets no empty line after it. */
	if (c == '\n' || s->column == s->width)
		new_line(s);
	if (c == '\n')
		return;
	if (!s->still) {
		make_room(s);
		set(s, s->column, s->row, printable(c), s->pen);
	} else if (is_seen(s)) {
		set(s, strip_at(s, strip_of(s)) + s->column, row_of(s), printable(c), s->pen);
	}
	s->column++;
}

void screen_write(struct screen *s, const char *text, size_t n)
{
	while (n--)
		put(s, *text++);
}

void screen_title(struct screen *s, const char *text, const uint8_t *colors, unsigned n)
{
	memcpy(s->title, text, n);
	memcpy(s->title_colors, colors, n);
	s->title_n = n;
	s->title_at = s->lines;
}

void screen_page(struct screen *s, unsigned first, unsigned strips, bool titled)
{
	s->strips = strips;
	s->titled = titled;
	s->title_n = 0;
	s->width = strips > 1 ? s->columns / strips - SCREEN_GAP : s->columns;
	s->still = true;
	s->skip = first;
	s->lines = 0;
	s->column = 0;
	s->row = top_of(s);
}

unsigned screen_page_end(struct screen *s)
{
	unsigned row;

	if (s->column)
		next_of_page(s);
	row = s->strips > 1 ? s->rows : s->row;
	for (; is_seen(s); s->row++) {
		clear_rest(s);
		put_title(s, true);
	}
	s->row = row;
	s->still = false;
	s->width = s->columns;
	return s->lines;
}
