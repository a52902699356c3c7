/*
 * Rows of text with colours (kernel/console/cells.h).
 */
#include "kernel/console/cells.h"
#include "kernel/lib/text.h"

enum { VALUE = 96 };

void cells_clear(struct cells *t)
{
	t->n = 0;
	t->s[0] = '\0';
	t->pen = SCREEN_TEXT;
}

void cells_put(struct cells *t, const char *s)
{
	for (; *s && t->n < SCREEN_COLUMNS; s++) {
		t->colors[t->n] = (uint8_t)t->pen;
		t->s[t->n++] = *s;
	}
	t->s[t->n] = '\0';
}

void cells_paint(struct cells *t, enum screen_color color, const char *s)
{
	const enum screen_color before = t->pen;

	t->pen = color;
	cells_put(t, s);
	t->pen = before;
}

void cells_dec(struct cells *t, uint64_t v, unsigned digits)
{
	char s[21];
	struct text number = text_in(s, sizeof(s));

	for (uint64_t least = 10; digits > 1; least *= 10, digits--)
		if (v < least)
			cells_put(t, "0");
	text_dec(&number, v);
	cells_put(t, s);
}

void cells_time(struct cells *t, uint64_t seconds)
{
	cells_dec(t, seconds / 60, 1);
	cells_put(t, ":");
	cells_dec(t, seconds % 60, 2);
}

void cells_value(struct cells *t, const char *before, const struct record *r, const char *key)
{
	char value[VALUE];

	if (!record_get(r, key, value, sizeof(value)))
		return;
	cells_put(t, before);
	cells_put(t, value);
}

void cells_pad(struct cells *t, unsigned to)
{
	while (t->n < to && t->n < SCREEN_COLUMNS)
		cells_put(t, " ");
}

void cells_right(struct cells *t, const char *s, unsigned end)
{
	unsigned n = 0;

	while (s[n])
		n++;
	cells_put(t, " ");
	cells_pad(t, end > n ? end - n : 0);
	cells_put(t, s);
}

void cells_join(struct cells *t, const struct cells *more, unsigned columns)
{
	if (t->n + more->n > columns || t->n + more->n > SCREEN_COLUMNS)
		return;
	for (unsigned i = 0; i < more->n; i++) {
		t->colors[t->n] = more->colors[i];
		t->s[t->n++] = more->s[i];
	}
	t->s[t->n] = '\0';
}

void cells_write(const struct cells *t, struct screen *s)
{
	for (unsigned i = 0; i < t->n; i++) {
		s->pen = t->colors[i];
		screen_write(s, t->s + i, 1);
	}
	s->pen = SCREEN_TEXT;
}
