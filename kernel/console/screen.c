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

static void new_line(struct screen *s)
{
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
	make_room(s);
	set(s, s->column++, s->row, printable(c));
}

void screen_write(struct screen *s, const char *text, size_t n)
{
	while (n--)
		put(s, *text++);
}
