/*
 * A screen of characters: what is where, and when it scrolls.
 */
#include "kernel/console/screen.h"
#include "kernel/string.h"

void screen_init(struct screen *s)
{
	memset(s->cells, ' ', sizeof(s->cells));
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

static void set(struct screen *s, unsigned column, unsigned row, char c)
{
	if (s->cells[row][column] == c)
		return;
	s->cells[row][column] = c;
	s->draw(column, row, c);
}

static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

void screen_head(struct screen *s, unsigned row, const char *text)
{
	for (unsigned c = 0; c < s->columns; c++)
		set(s, c, row, *text ? printable(*text++) : ' ');
}

static void scroll(struct screen *s)
{
	for (unsigned r = s->head; r < s->rows; r++)
		for (unsigned c = 0; c < s->columns; c++)
			set(s, c, r, r + s->jump < s->rows ? s->cells[r + s->jump][c] : ' ');
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
		set(s, s->column++, s->row, ' ');
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
		set(s, s->column, s->row, printable(c));
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
			set(s, c, r, ' ');
	return lines;
}
