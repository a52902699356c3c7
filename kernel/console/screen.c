/*
 * A screen of characters: what is where, and when it scrolls.
 */
#include "kernel/console/screen.h"
#include "kernel/string.h"

void screen_init(struct screen *s)
{
	memset(s->cells, ' ', sizeof(s->cells));
	memset(s->colors, SCREEN_TEXT, sizeof(s->colors));
	s->pen = SCREEN_TEXT;
	s->column = 0;
	s->row = 0;
	s->head = 0;
	s->still = false;
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

static void clear_rest(struct screen *s)
{
	while (s->column < s->columns)
		set_blank(s, s->column++, s->row);
}

/* The row of a page is complete; it may lie above or below what is seen. */
static void next_of_page(struct screen *s)
{
	if (s->skip) {
		s->skip--;
	} else if (s->row < s->rows) {
		clear_rest(s);
		s->row++;
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
	if (c == '\n' || s->column == s->columns)
		new_line(s);
	if (c == '\n')
		return;
	if (!s->still)
		make_room(s);
	if (!s->still || (!s->skip && s->row < s->rows))
		set(s, s->column, s->row, printable(c), s->pen);
	s->column++;
}

void screen_write(struct screen *s, const char *text, size_t n)
{
	while (n--)
		put(s, *text++);
}

void screen_page(struct screen *s, unsigned first)
{
	s->still = true;
	s->skip = first;
	s->lines = 0;
	s->column = 0;
	s->row = s->head;
}

unsigned screen_page_end(struct screen *s)
{
	unsigned lines;

	if (s->column)
		next_of_page(s);
	lines = s->lines;
	s->still = false;
	if (s->skip)
		return lines;
	for (unsigned r = s->row; r < s->rows; r++)
		for (unsigned c = 0; c < s->columns; c++)
			set_blank(s, c, r);
	return lines;
}
