/*
 * Events on the screen (kernel/console/events.h).
 */
#include "kernel/console/events.h"
#include "kernel/lib/args.h"
#include "kernel/console/cells.h"
#include "kernel/lib/string.h"

enum { WIDTH = 40 /* of a name in a row of several */ };

static void end_line(struct cells *t, struct screen *s)
{
	cells_write(t, s);
	screen_write(s, "\n", 1);
	cells_clear(t);
}

void events_write(struct screen *s, const struct record *r)
{
	struct cells row;

	cells_clear(&row);
	cells_value(&row, "counted: ", r, "name");
	cells_value(&row, ", counter ", r, "counter");
	cells_value(&row, ", group ", r, "group");
	row.pen = SCREEN_WARN;
	cells_value(&row, ", erratum ", r, "erratum");
	end_line(&row, s);
}

static void write_title(struct screen *s, unsigned n)
{
	struct cells row;

	cells_clear(&row);
	row.pen = n ? SCREEN_TITLE : SCREEN_WARN;
	if (n) {
		cells_dec(&row, n, 1);
		cells_put(&row, " events; counted by r: bench=NAME events=A,B");
	} else {
		cells_put(&row, "no such event, or nothing counts on this machine");
	}
	end_line(&row, s);
}

/* A name that is too long for its column takes the next column as well. */
static void put_name(struct cells *row, struct screen *s, const char *name)
{
	const unsigned n = (unsigned)strlen(name), at = (row->n + WIDTH) / WIDTH * WIDTH;

	if (row->n && at + n > s->width)
		end_line(row, s);
	else if (row->n)
		cells_pad(row, at);
	cells_put(row, name);
}

static bool is_named(const char *name, const char *globs)
{
	return !globs || args_match(globs, name);
}

void events_write_all(struct screen *s, events_next *next, const char *globs)
{
	struct cells row;
	unsigned n = 0;

	for (const char *name = next(true); name; name = next(false))
		n += is_named(name, globs);
	write_title(s, n);
	cells_clear(&row);
	for (const char *name = next(true); name; name = next(false))
		if (is_named(name, globs))
			put_name(&row, s, name);
	if (row.n)
		end_line(&row, s);
}
