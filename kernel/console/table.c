/*
 * The table of results (kernel/console/table.h).
 */
#include "kernel/console/table.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	LISTED = 40,         /* width of a name in the table of `list` */
	ARGUMENT = 12,       /* ... of an argument */
	FIGURE = 8,          /* columns of clocks, of nanoseconds and of GB/s, */
	SPREAD = 7,          /* of the spread, */
	MARKED = 3,          /* of a blank and two marks */
	PORTS = 26,          /* of a blank, and the ports of an addition to memory */
	DATASHEET_SIZE = 14, /* of a size with its unit */
	GEOMETRY_SIZE = 14,  /* where a measured cache's size begins, and its verdict */
	GEOMETRY_VERDICT = 41,
	GAP = 2, /* between two results of a row */
	NAME_LEAST = 25,
	NAME_MOST = 36,
	NAME_LADDER = 18,
	LEVEL_AT = 16, /* in the name of the ladder's rows */
	BAR_LEAST = 20,
	DOUBLINGS = 10,   /* the bar ends at 1024 clocks */
	HEADING_ROWS = 8, /* a screen with fewer has no heading again */
	INDENT = 4,       /* of the events below a result */
	NEVER = 10000,    /* rows: what is so far above was never there */
	HUNDRED = 100,
	PERCENT_MOST = 10000,
};

/* clang-format off */
static const struct {
	const char *subject, *what;
} subjects[] = {
	{ "alu",       "whole numbers" },
	{ "bandwidth", "moving data" },
	{ "branch",    "branches" },
	{ "code",      "your own code" },
	{ "forward",   "store forwarding" },
	{ "fp",        "floating point" },
	{ "frontend",  "fetch and decode" },
	{ "instr",     "instructions" },
	{ "l1",        "loads of one set" },
	{ "latency",   "loads" },
	{ "litmus",    "order of memory" },
	{ "p5",        "the Pentium's pipes" },
	{ "p5ev",      "the Pentium's events" },
	{ "p5pair",    "the Pentium's pairs" },
	{ "rename",    "register renaming" },
	{ "serialize", "what waits" },
	{ "sharing",   "CPUs on one line" },
	{ "split",     "across two lines" },
	{ "sprunt",    "Sprunt's programs" },
	{ "tlb",       "loads, by pages" },
};
/* clang-format on */

/* ---- Spread ---- */

/* With a place below 100 %; a wild one is cut to what its column has room for. */
static void percent_text(struct text *t, uint64_t hundredths)
{
	const uint64_t tenths = (hundredths + 5) / 10;

	text_str(t, tenths >= PERCENT_MOST * 10 ? ">" : "");
	text_dec(t, tenths >= PERCENT_MOST * 10 ? PERCENT_MOST - 1 : tenths / 10);
	if (tenths < 1000) {
		text_char(t, '.');
		text_dec(t, tenths % 10);
	}
	text_char(t, '%');
}

/* Is this column there? `seen`: columns that have had a result, as bits. */
static bool is_column(const struct table *t, const struct box *box, unsigned seen, unsigned i)
{
	const unsigned level = box->column[i].level;

	if (seen & 1u << i)
		return true;
	if (t->expected)
		return t->expected->columns[box->number] & 1u << i;
	return !box->column[i].rare &&
	       (!level || !t->levels.bytes[0] || t->levels.bytes[level - 1]);
}

static bool has_column(const struct table *t, unsigned i)
{
	return is_column(t, t->box, t->columns, i);
}

/* How many columns of the box stand before this one. */
static unsigned columns_before(const struct table *t, unsigned column)
{
	unsigned n = 0;

	for (unsigned i = 0; i < column; i++)
		n += has_column(t, i);
	return n;
}

/* The titles of the figures before the spread, and how many there are. */
static unsigned titles_of(const struct table *t, const char *titles[BOX_COLUMNS])
{
	unsigned n = 0;

	titles[0] = "clocks";
	titles[1] = "ns";
	titles[2] = "GB/s";
	if (!t->box)
		return 2u + t->moves;
	for (unsigned i = 0; i < t->box->columns; i++)
		if (has_column(t, i))
			titles[n++] = t->box->column[i].title;
	return n;
}

/* Of all columns behind the name. */
static unsigned figures_width(const struct table *t)
{
	const char *titles[BOX_COLUMNS];

	return titles_of(t, titles) * FIGURE + SPREAD + MARKED;
}

/* Columns for ports, behind the marks. */
static unsigned ports_width(const struct table *t)
{
	return t->box && t->ports && !t->box->rate ? PORTS : 0;
}

/* The marks of `show`, in their columns behind the spread. */
static void put_marks(struct cells *row, struct table *t, const struct figures *f)
{
	char text[MARKS + 1];

	t->marks |= f->marks;
	figure_marks_text(f->marks, text);
	row->pen = SCREEN_WARN;
	/* Their columns have room for two behind a blank, or for three. */
	cells_put(row, *text && strlen(text) < MARKED ? " " : "");
	cells_put(row, text);
	row->pen = SCREEN_TEXT;
}

static void put_spread(struct cells *row, struct table *t, const struct figures *f, unsigned end)
{
	char text[FIGURE_TEXT];
	struct text number = text_in(text, sizeof(text));

	if (f->exact) {
		row->pen = SCREEN_GOOD;
		text_str(&number, "exact");
	} else if (f->percent.known) {
		if (f->percent.hundredths > FIGURE_WIDE)
			row->pen = SCREEN_WARN;
		percent_text(&number, f->percent.hundredths);
	}
	cells_right(row, text, end);
	put_marks(row, t, f);
}

/* The widest of both. */
static void widen(struct figures *widest, const struct figures *f)
{
	widest->exact &= f->exact;
	widest->marks |= f->marks;
	if (f->percent.known && f->percent.hundredths >= widest->percent.hundredths)
		widest->percent = f->percent;
}

/* ---- Rows ---- */

/* Rows were written below the heading. */
static void count_rows(struct table *t, unsigned n)
{
	t->since += n;
	t->legend += t->legend < NEVER ? n : 0;
}

/* The row has a result in the next place. */
static void count_place(struct table *t)
{
	const unsigned n = t->headings - 1;

	if (t->headings && n < TABLE_HEADINGS && t->slot >= t->has.places[n])
		t->has.places[n] = (uint8_t)(t->slot + 1);
}

/* The place of a result has `n` characters; the next result begins behind it or in a new row. */
static void end_slot(struct table *t, unsigned n)
{
	count_place(t);
	if (++t->slot < t->slots) {
		for (; n < t->width; n++)
			screen_write(t->screen, " ", 1);
		return;
	}
	screen_write(t->screen, "\n", 1);
	t->slot = 0;
	count_rows(t, 1);
}

/* The row is complete; several results have the widest spread of them. */
static void close_row(struct table *t)
{
	struct cells rest;

	if (!*t->open)
		return;
	t->open[0] = '\0';
	cells_clear(&rest);
	if (t->box && t->next)
		put_spread(&rest, t, &t->widest, t->name + figures_width(t) - MARKED - t->at);
	if (*t->bound) {
		cells_pad(&rest, t->name + figures_width(t) - t->at);
		cells_put(&rest, " ");
		cells_put(&rest, t->bound);
		t->bound[0] = '\0';
	}
	cells_write(&rest, t->screen);
	t->slot = t->at + rest.n > t->width ? t->slots - 1 : t->slot;
	end_slot(t, t->at + rest.n);
}

/* The next result begins a row. */
static void end_row(struct table *t)
{
	close_row(t);
	if (!t->slot)
		return;
	screen_write(t->screen, "\n", 1);
	t->slot = 0;
	count_rows(t, 1);
}

/* A line of its own, however long. */
static void message(struct table *t, enum screen_color color, const char *text, size_t n)
{
	end_row(t);
	t->screen->pen = color;
	screen_write(t->screen, text, n);
	t->screen->pen = SCREEN_TEXT;
	screen_write(t->screen, "\n", 1);
	count_rows(t, 1 + (unsigned)n / t->screen->width);
}

static void write_row(struct table *t, const struct cells *row)
{
	end_row(t);
	cells_write(row, t->screen);
	screen_write(t->screen, "\n", 1);
	count_rows(t, 1 + row->n / (t->screen->width + 1));
}

/* Puts a text into the table. One that is too long for its column takes the next one as well. */
static void put_slot(struct table *t, struct cells *text)
{
	unsigned takes = text->n ? (text->n + t->width - 1) / t->width : 1;

	if (t->slot + takes > t->slots)
		end_row(t);
	count_place(t);
	if (t->slot + takes >= t->slots) {
		cells_write(text, t->screen);
		t->slot = t->slots;
		end_row(t);
		return;
	}
	t->slot += takes;
	cells_pad(text, takes * t->width);
	cells_write(text, t->screen);
}

/* ---- Columns of events ---- */

static bool is_ladder(const struct table *t)
{
	return !strcmp(t->subject, "latency");
}

/* `[1]`, where the names do not fit. */
static void number_text(unsigned i, char text[FIGURE_TEXT])
{
	struct text t = text_in(text, FIGURE_TEXT);

	text_char(&t, '[');
	text_dec(&t, i + 1);
	text_char(&t, ']');
}

/* Over a column stands the word that the event was asked for as, and its own name else. */
static const char *title_of(const struct table *t, unsigned i)
{
	return *t->events[i].title ? t->events[i].title : t->events[i].key;
}

static unsigned event_width(const struct table *t, unsigned i)
{
	const unsigned n = GAP + (unsigned)strlen(title_of(t, i));

	return t->numbered || n < FIGURE ? FIGURE : n;
}

/* Where the column of the event ends. */
static unsigned event_end(const struct table *t, unsigned i)
{
	unsigned end = t->name + figures_width(t);

	for (unsigned j = 0; j <= i; j++)
		end += event_width(t, j);
	return end;
}

/*
 * All events have a column, by name or by number, or none has. What is left is for the names of
 * benchmarks.
 */
static void lay_out_events(struct table *t)
{
	t->shown = 0;
	t->numbered = false;
	if (!t->counts || !t->nevents)
		return;
	t->narrow |= t->nevents > TABLE_EVENTS;
	if (t->nevents > TABLE_EVENTS)
		return;
	t->numbered = event_end(t, t->nevents - 1) > t->screen->width;
	t->narrow |= t->numbered && !t->moves;
	if (event_end(t, t->nevents - 1) > t->screen->width) {
		t->narrow = true;
		return;
	}
	t->shown = t->nevents;
	while (!is_ladder(t) && t->name < NAME_MOST &&
	       event_end(t, t->nevents - 1) < t->screen->width)
		t->name++;
}

/* Which event a number means. */
static void write_legend(struct table *t)
{
	struct cells row;
	char text[FIGURE_TEXT];

	cells_clear(&row);
	for (unsigned i = 0; i < t->shown; i++) {
		number_text(i, text);
		if (row.n &&
		    row.n + GAP + strlen(text) + 1 + strlen(title_of(t, i)) > t->screen->width) {
			write_row(t, &row);
			cells_clear(&row);
		}
		row.pen = SCREEN_TITLE;
		cells_put(&row, row.n ? "  " : "");
		cells_put(&row, text);
		cells_put(&row, " ");
		cells_put(&row, title_of(t, i));
	}
	write_row(t, &row);
	t->legend = 0;
}

static void put_event_titles(struct cells *row, const struct table *t)
{
	char text[FIGURE_TEXT];

	for (unsigned i = 0; i < t->shown; i++) {
		number_text(i, text);
		cells_right(row, t->numbered ? text : title_of(t, i), event_end(t, i));
	}
}

/* ---- Headings ---- */

static void subject_of(const char *bench, char *subject)
{
	while (*bench && *bench != '.')
		*subject++ = *bench++;
	*subject = '\0';
}

/* Rates of levels stand below each other. */
static bool is_stacked(const struct table *t)
{
	return t->box && t->box->rate;
}

/* The bar of the ladder begins here, and has this room; 0: none. */
static unsigned bar_at(const struct table *t)
{
	return t->name + figures_width(t) + GAP;
}

static unsigned bar_room(const struct table *t)
{
	const unsigned columns = t->screen->width, at = bar_at(t);

	return is_ladder(t) && !t->shown && columns >= at + BAR_LEAST ? columns - at : 0;
}

/* As many results in a row as fit; then what is left is for their names. */
static void lay_out(struct table *t)
{
	const unsigned figures = figures_width(t) + ports_width(t), columns = t->screen->width;
	const unsigned least = t->box ? t->box->name : NAME_LEAST;
	const unsigned most = is_stacked(t)  ? t->box->name
	                      : is_ladder(t) ? NAME_LADDER
	                      : t->counts    ? NAME_LEAST
	                                     : NAME_MOST;

	t->slots = (columns + GAP) / (least + figures + GAP);
	if (t->counts || is_ladder(t) || is_stacked(t) || !t->slots)
		t->slots = 1;
	t->width = (columns + GAP) / t->slots;
	t->name = t->width > figures + GAP ? t->width - figures - GAP : 0;
	if (t->name > most)
		t->name = most;
	lay_out_events(t);
}

static void put_title(struct cells *row, const struct table *t)
{
	const char *about = t->box ? t->box->unit : bar_room(t) ? "log scale" : NULL;

	cells_put(row, t->subject);
	if (about) {
		cells_put(row, ": ");
		cells_put(row, about);
		return;
	}
	for (unsigned i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		if (!strcmp(t->subject, subjects[i].subject) &&
		    row->n + 2 + strlen(subjects[i].what) <= t->name) {
			cells_put(row, ": ");
			cells_put(row, subjects[i].what);
		}
}

/* Clocks over the bar where it has them, from 1 on, each four times the one before. */
static void put_scale(struct cells *row, const struct table *t)
{
	const unsigned room = bar_room(t), step = 2 * (room / DOUBLINGS);
	unsigned clocks = 1;

	for (unsigned at = 0; room && at + FIGURE / 2 <= room; at += step, clocks *= 4) {
		cells_pad(row, bar_at(t) + at);
		cells_dec(row, clocks, 1);
	}
}

/* Has what was written so many rows ago scrolled away? */
static bool is_far(const struct table *t, unsigned ago)
{
	const unsigned rows = t->screen->rows - t->screen->head;

	return (!t->screen->titled || t->numbered) && rows >= HEADING_ROWS && ago + 1 >= rows;
}

/* How many places of a row have results below the heading, as far as it is known. */
static unsigned places_below(const struct table *t)
{
	const unsigned n = t->headings - 1;

	if (!t->expected || n >= TABLE_HEADINGS || !t->expected->places[n])
		return t->slots;
	return t->expected->places[n];
}

static void write_heading(struct table *t)
{
	const char *titles[BOX_COLUMNS];
	const unsigned n = titles_of(t, titles);
	struct cells row;

	if (t->shown && t->numbered && (t->legend == NEVER || is_far(t, t->legend)))
		write_legend(t);
	cells_clear(&row);
	row.pen = SCREEN_TITLE;
	put_title(&row, t);
	t->headings++;
	for (unsigned i = 0; i < places_below(t); i++) {
		unsigned end = i * t->width + t->name;

		for (unsigned column = 0; column < n; column++)
			cells_right(&row, titles[column], end += FIGURE);
		cells_right(&row, "spread", end += SPREAD);
		if (ports_width(t)) {
			cells_pad(&row, end + MARKED + 1);
			cells_put(&row, "ports");
		}
	}
	put_event_titles(&row, t);
	put_scale(&row, t);
	end_row(t);
	screen_title(t->screen, row.s, row.colors, row.n);
	write_row(t, &row);
	t->since = 0;
}

/* `columns`: of the box, as bits, those that are there because they have a result. */
static void begin_subject(struct table *t, const char *bench, const struct box *box, bool moves,
                          unsigned columns)
{
	char subject[TABLE_NAME];

	subject_of(bench, subject);
	if (t->slots && !strcmp(subject, t->subject) && box == t->box && moves <= t->moves &&
	    columns == t->columns) {
		if (!t->slot && is_far(t, t->since))
			write_heading(t);
		return;
	}
	end_row(t);
	memcpy(t->subject, subject, sizeof(subject));
	t->moves = moves;
	t->box = box;
	t->columns = columns;
	lay_out(t);
	write_heading(t);
}

/* ---- Results ---- */

/* So many marks for each doubling, from one mark at one clock on; > where it would be longer. */
static void put_bar(struct cells *row, const struct table *t, const struct figure *clocks)
{
	const unsigned room = bar_room(t), each = room / DOUBLINGS;
	uint64_t v = clocks->hundredths, n = 1;

	if (!room || !clocks->known || clocks->below || clocks->negative)
		return;
	for (; v >= 2 * HUNDRED && n <= room; v /= 2)
		n += each;
	if (v > HUNDRED)
		n += (each * (v - HUNDRED) + HUNDRED / 2) / HUNDRED;
	cells_pad(row, bar_at(t));
	row->pen = SCREEN_TITLE;
	for (unsigned i = 0; i < n && i < room; i++)
		cells_put(row, i + 1 == room && n > room ? ">" : "#");
	row->pen = SCREEN_TEXT;
}

/* The smallest cache that the array of a rung fits into. */
static void put_level(struct cells *row, const struct table *t)
{
	const uint64_t bytes = levels_bytes(t->last);
	const unsigned level = bytes ? levels_of(&t->levels, bytes) : 0;

	if (!is_ladder(t) || !level || row->n >= LEVEL_AT || t->name < LEVEL_AT + 2)
		return;
	cells_pad(row, LEVEL_AT);
	cells_put(row, "L");
	cells_dec(row, level, 1);
}

static void put_figures(struct cells *row, struct table *t, const struct record *r)
{
	const struct figures f = figures_of(r, &t->clock);
	const struct figure *const shown[] = { &f.clocks, &f.ns, &f.rate };
	char text[FIGURE_TEXT];
	unsigned end = t->name;

	for (unsigned i = 0; i < 2u + t->moves; i++) {
		figure_text(shown[i], text);
		if (i == 2 && !f.rate.known)
			text[0] = '\0';
		cells_right(row, text, end += FIGURE);
	}
	put_spread(row, t, &f, end + SPREAD);
	put_bar(row, t, &f.clocks);
}

/* A name that is too long has a place of its own, and its figures the next one. */
static void put_name(struct table *t, struct cells *row, const char *name)
{
	cells_put(row, name);
	if (row->n <= t->name)
		return;
	if (t->slot + 2 > t->slots)
		end_row(t);
	put_slot(t, row);
	cells_clear(row);
}

/* Writes the beginning of a row, the rest of which comes with further records. */
static void write_open(struct table *t, const struct cells *row, const char *name)
{
	cells_write(row, t->screen);
	memcpy(t->open, name, strlen(name) + 1);
	t->at = row->n;
	t->next = 0;
}

/* The next of its figures, which ends at a column of the row's place. */
static void write_next(struct table *t, const struct figure *f, unsigned end)
{
	char text[FIGURE_TEXT];
	struct cells cell;

	figure_text(f, text);
	cells_clear(&cell);
	cells_right(&cell, text, end - t->at);
	cells_write(&cell, t->screen);
	t->at += cell.n;
	t->next++;
}

static void write_result(struct table *t, const struct record *r, const char *name)
{
	struct cells row;

	close_row(t);
	begin_subject(t, t->last, NULL, record_number(r, "bytes"), 0);
	cells_clear(&row);
	put_name(t, &row, name);
	put_level(&row, t);
	put_figures(&row, t, r);
	if (t->shown)
		write_open(t, &row, name);
	else
		put_slot(t, &row);
}

/* A row of a box begins, with its name alone, and has the column. */
static void open_row(struct table *t, const struct box *box, const char *name, unsigned column)
{
	unsigned seen = box == t->box ? t->columns : 0;
	struct cells row;

	if (!is_column(t, box, seen, column))
		seen |= 1u << column;
	close_row(t);
	begin_subject(t, box->subject, box, false, seen);
	cells_clear(&row);
	put_name(t, &row, name);
	write_open(t, &row, name);
	t->widest = (struct figures){ .exact = true };
}

/* A result of a box stands in its column, of the row that is there or of a new one. */
static void write_in_box(struct table *t, const struct record *r, const struct box *box,
                         const char *name, unsigned column)
{
	const struct figures f = figures_of(r, &t->clock);

	if (box != t->box || strcmp(name, t->open) != 0 || column < t->next ||
	    !has_column(t, column))
		open_row(t, box, name, column);
	t->next = column;
	t->has.columns[box->number] |= 1u << column;
	write_next(t, box->rate ? &f.rate : &f.clocks,
	           t->name + (columns_before(t, column) + 1) * FIGURE);
	widen(&t->widest, &f);
}

/* Remembers the benchmark of the record; false if the record before was about the same. */
static bool next_bench(struct table *t, const struct record *r)
{
	char bench[TABLE_NAME];

	if (!record_get(r, "bench", bench, sizeof(bench)) || strcmp(bench, t->last) == 0)
		return false;
	memcpy(t->last, bench, sizeof(bench));
	return true;
}

static bool has_event(const struct table *t, const char *key)
{
	for (unsigned i = 0; i < t->shown; i++)
		if (!strcmp(t->events[i].key, key))
			return true;
	return false;
}

/* The counts of a record for one operation, in their columns. */
static void write_columns(struct table *t, const struct record *r)
{
	for (unsigned i = t->next; *t->open && i < t->shown; i++) {
		const struct figure f = figure_count(r, t->events[i].key);

		if (!f.known)
			continue;
		t->next = i;
		write_next(t, &f, event_end(t, i));
	}
}

/* Those without a column, below its line, on as many rows as they take. */
static void write_counts(struct table *t, const struct record *r)
{
	struct cells row;
	size_t at = 0;
	char key[TABLE_NAME], text[FIGURE_TEXT];

	cells_clear(&row);
	while (record_next(r, &at, key, sizeof(key))) {
		struct figure f;
		unsigned n;

		if (!figure_is_count(key) || has_event(t, key))
			continue;
		f = figure_count(r, key);
		figure_text(&f, text);
		n = (unsigned)(strlen(key) + 1 + strlen(text));
		if (row.n && row.n + 2 + n > t->screen->width) {
			write_row(t, &row);
			cells_clear(&row);
		}
		cells_pad(&row, row.n ? row.n + 2 : INDENT);
		cells_put(&row, key);
		cells_put(&row, " ");
		cells_put(&row, text);
	}
	if (row.n)
		write_row(t, &row);
}

/* Each group of events measures the time again: the first one stands in the table. */
static bool is_first(const struct record *r)
{
	return !record_number(r, "group") && !record_number(r, "part");
}

/* Behind a name stands where its code ran, if the log tells. */
static void add_cpl(char name[TABLE_NAME], const struct record *r)
{
	const size_t n = strlen(name);
	struct text text = text_in(name + n, TABLE_NAME - n);
	char cpl[FIGURE];

	if (!record_get(r, "cpl", cpl, sizeof(cpl)))
		return;
	text_str(&text, " cpl");
	text_str(&text, cpl);
}

static void on_result(struct table *t, const struct record *r)
{
	const bool fresh = next_bench(t, r);
	const struct box *box = NULL;
	char name[TABLE_NAME];
	unsigned column;

	if (fresh || is_first(r)) {
		if (!t->counts)
			box = box_of(t->last, name, sizeof(name), &column);
		if (!box)
			memcpy(name, t->last, sizeof(name));
		add_cpl(name, r);
		if (box)
			write_in_box(t, r, box, name, column);
		else
			write_result(t, r, name);
	}
	if (!t->counts)
		return;
	write_columns(t, r);
	write_counts(t, r);
}

/* Ports will be told. */
static void on_blocker(struct table *t, const struct record *r)
{
	(void)r;
	t->ports = true;
}

/* A structure of the core, a row each. */
static void on_datasheet(struct table *t, const struct record *r)
{
	char verdict[TABLE_NAME];
	struct cells row;

	next_bench(t, r);
	cells_clear(&row);
	cells_value(&row, "", r, "what");
	cells_pad(&row, NAME_MOST);
	if (record_get(r, "is", verdict, sizeof(verdict))) {
		cells_put(&row, verdict);
	} else {
		cells_value(&row, "", r, "value");
		cells_value(&row, " ", r, "unit");
	}
	cells_pad(&row, NAME_MOST + DATASHEET_SIZE);
	record_get(r, "verdict", verdict, sizeof(verdict));
	row.pen = !strcmp(verdict, "sharp") ? SCREEN_GOOD : SCREEN_WARN;
	cells_put(&row, verdict);
	row.pen = SCREEN_TEXT;
	if (!strcmp(verdict, "rough")) {
		cells_value(&row, ": ", r, "low");
		cells_value(&row, " to ", r, "high");
	}
	cells_value(&row, ": ", r, "why");
	write_row(t, &row);
}

/* A size as CPUs' are told, 32K or 6M. */
static void put_bytes(struct cells *row, uint64_t bytes)
{
	const uint64_t kb = bytes >> 10;

	cells_dec(row, kb % 1024 ? kb : kb / 1024, 1);
	cells_put(row, kb % 1024 ? "K" : "M");
}

/* What the CPU tells of a cache, where that differs. */
static void put_told(struct cells *row, const struct record *r)
{
	cells_put(row, ": told ");
	put_bytes(row, record_number(r, "told.size"));
	cells_value(row, ", ", r, "told.ways");
	cells_value(row, " ways, lines of ", r, "told.line");
}

/* A level of the caches as measured, a row each. */
static void on_geometry(struct table *t, const struct record *r)
{
	char verdict[TABLE_NAME];
	struct cells row;

	levels_take(&t->levels, r);
	next_bench(t, r);
	record_get(r, "verdict", verdict, sizeof(verdict));
	cells_clear(&row);
	cells_value(&row, "", r, "bench");
	cells_pad(&row, GEOMETRY_SIZE);
	if (record_number(r, "fits"))
		put_bytes(&row, levels_measured(r));
	cells_value(&row, record_number(r, "ways") ? ", " : ", ways ", r, "ways");
	cells_value(&row, " ways, lines of ", r, "line");
	cells_pad(&row, GEOMETRY_VERDICT);
	row.pen = !strcmp(verdict, "match") ? SCREEN_GOOD : SCREEN_WARN;
	cells_put(&row, verdict);
	row.pen = SCREEN_TEXT;
	if (!strcmp(verdict, "differs"))
		put_told(&row, r);
	else if (!strcmp(verdict, "none"))
		cells_put(&row, ": no load was slower");
	write_row(t, &row);
}

/* The ports of an instruction stand in its row, those of other benchmarks in one of their own. */
static void on_ports(struct table *t, const struct record *r)
{
	const struct box *box;
	char name[TABLE_NAME];
	unsigned column;
	struct cells row;
	size_t n;

	next_bench(t, r);
	box = t->counts ? NULL : box_of(t->last, name, sizeof(name), &column);
	if (!box || box->rate) {
		cells_clear(&row);
		cells_put(&row, t->last);
		cells_value(&row, ", ports: ", r, "ports");
		write_row(t, &row);
		return;
	}
	n = strlen(name);
	if (box != t->box || strncmp(name, t->open, n) != 0 || (t->open[n] && t->open[n] != ' '))
		open_row(t, box, name, column);
	n = record_get(r, "ports", t->bound, sizeof(t->bound)) ? strlen(t->bound) : 0;
	if (record_get(r, "left", name, sizeof(name))) {
		struct text left = text_in(t->bound + n, sizeof(t->bound) - n);

		text_str(&left, " left ");
		text_str(&left, name);
	}
}

/* A word behind a blank; one that does not fit begins a row. */
static void put_word(struct table *t, struct cells *row, const char *word)
{
	if (row->n + 1 + strlen(word) > t->screen->width) {
		write_row(t, row);
		cells_clear(row);
		cells_pad(row, INDENT - 1);
	}
	cells_put(row, " ");
	cells_put(row, word);
}

/* Ticks of the first run, the second and so on, in as many rows as they take. */
static void on_series(struct table *t, const struct record *r)
{
	char key[TABLE_NAME], value[FIGURE_TEXT], below[FIGURE_TEXT];
	const uint64_t runs = record_number(r, "runs");
	struct cells row;

	next_bench(t, r);
	cells_clear(&row);
	cells_put(&row, t->last);
	cells_put(&row, ", ticks of each run");
	cells_put(&row, record_get(r, "cold", value, sizeof(value)) ? "" : " from cold");
	cells_put(&row, record_number(r, "exits") ? ", with the exits of its code:" : ":");
	below[0] = '<';
	record_get(r, "tsc.below", below + 1, sizeof(below) - 1);
	for (uint64_t i = 1; i <= runs; i++) {
		struct text text = text_in(key, sizeof(key));

		text_str(&text, "tsc.");
		text_dec(&text, i);
		if (!record_get(r, key, value, sizeof(value)))
			break;
		put_word(t, &row, below[1] && !strcmp(value, "0") ? below : value);
	}
	write_row(t, &row);
}

/* A benchmark of the argument `list`, an event or an alias of `list=events`. */
static void on_bench(struct table *t, const struct record *r)
{
	char name[TABLE_NAME];
	struct cells row;

	if (!t->slots) {
		t->width = LISTED;
		t->slots = t->screen->width / LISTED ? t->screen->width / LISTED : 1;
	}
	cells_clear(&row);
	cells_value(&row, "", r, record_get(r, "alias", name, sizeof(name)) ? "alias" : "name");
	cells_put(&row, " ");
	put_slot(t, &row);
}

static void on_listed(struct table *t, const struct record *r)
{
	char name[TABLE_NAME];
	struct cells row;

	if (!record_get(r, "argument", name, sizeof(name))) {
		on_bench(t, r);
		return;
	}
	cells_clear(&row);
	cells_value(&row, "", r, "argument");
	cells_pad(&row, ARGUMENT);
	cells_value(&row, "", r, "what");
	write_row(t, &row);
}

/* ---- Messages ---- */

static void on_warn(struct table *t, const struct record *r)
{
	next_bench(t, r);
	message(t, SCREEN_WARN, r->text, r->n);
}

static void on_trouble(struct table *t, const struct record *r)
{
	next_bench(t, r);
	message(t, SCREEN_BAD, r->text, r->n);
}

static void on_error(struct table *t, const struct record *r)
{
	if (!t->errors++) {
		struct cells *row = &t->first_error;

		cells_clear(row);
		cells_put(row, "the first error was: ");
		for (size_t i = 0; i < r->n; i++)
			cells_put(row, (char[]){ r->text[i], '\0' });
	}
	on_trouble(t, r);
}

/* Only a surprise is worth a line. */
static void on_check(struct table *t, const struct record *r)
{
	char text[TABLE_NAME];

	record_get(r, "verdict", text, sizeof(text));
	if (strcmp(text, "exact") != 0)
		message(t, record_get(r, "known", text, sizeof(text)) ? SCREEN_WARN : SCREEN_BAD,
		        r->text, r->n);
}

static void on_chain(struct table *t, const struct record *r)
{
	char verdict[TABLE_NAME];

	record_get(r, "verdict", verdict, sizeof(verdict));
	if (!strcmp(verdict, "off"))
		message(t, SCREEN_BAD, r->text, r->n);
}

/* The same, in fewer words: an emulator differs in most. */
static void on_expect(struct table *t, const struct record *r)
{
	struct cells row;
	char verdict[TABLE_NAME];

	record_get(r, "verdict", verdict, sizeof(verdict));
	if (strcmp(verdict, "match") == 0)
		return;
	cells_clear(&row);
	row.pen = SCREEN_WARN;
	cells_value(&row, "differs: ", r, "bench");
	cells_value(&row, " ", r, "quantity");
	cells_value(&row, " is ", r, "got");
	cells_value(&row, ", known is ", r, "low");
	cells_value(&row, " to ", r, "high");
	cells_value(&row, ", ", r, "source");
	write_row(t, &row);
}

static void on_skip(struct table *t, const struct record *r)
{
	if (t->planned)
		next_bench(t, r);
}

static void on_plan(struct table *t, const struct record *r)
{
	t->planned = record_number(r, "benches");
}

/* ---- The run ---- */

/* A run after the first one has a table below what is there. */
static void on_program(struct table *t, const struct record *r)
{
	(void)r;
	end_row(t);
	t->again = t->seen;
	t->seen = true;
	t->slots = 0;
	t->nevents = 0;
	t->legend = NEVER;
	t->planned = false;
	memset(&t->levels, 0, sizeof(t->levels));
	t->box = NULL;
	t->columns = 0;
	t->marks = 0;
	if (t->again)
		t->errors = 0;
}

static void on_cache(struct table *t, const struct record *r)
{
	levels_take(&t->levels, r);
}

static void on_clock(struct table *t, const struct record *r)
{
	figure_clock_take(&t->clock, r);
}

static bool names_events(const char *arguments)
{
	static const char word[] = "events=";

	for (const char *p = arguments; p; p = strchr(p, ' '), p = p ? p + 1 : NULL)
		if (!strncmp(p, word, sizeof(word) - 1))
			return true;
	return false;
}

/* Counts come group by group, and in a group as the records `event` do. */
static void on_event(struct table *t, const struct record *r)
{
	const uint64_t group = record_number(r, "group");
	char key[TABLE_NAME];
	unsigned at = 0;

	record_get(r, "name", key, sizeof(key));
	for (unsigned i = 0; i < t->nevents && i < TABLE_EVENTS; i++) {
		if (!strcmp(t->events[i].key, key))
			return;
		at += t->events[i].group <= group;
	}
	if (t->nevents >= TABLE_EVENTS) {
		t->nevents = TABLE_EVENTS + 1;
		return;
	}
	for (unsigned i = t->nevents++; i > at; i--)
		t->events[i] = t->events[i - 1];
	memcpy(t->events[at].key, key, sizeof(key));
	t->events[at].title[0] = '\0';
	if (!strchr(key, ':')) /* an alias is told without its modifiers */
		record_get(r, "alias", t->events[at].title, sizeof(t->events[at].title));
	t->events[at].group = group;
}

/* Of a run after the first one: what it was told separates its results from those before. */
static void on_cmdline(struct table *t, const struct record *r)
{
	static char text[SCREEN_COLUMNS * 4];

	record_get(r, "text", text, sizeof(text));
	t->counts = names_events(text);
	t->ports = false;
	if (t->again)
		message(t, SCREEN_TITLE, r->text, r->n);
}

/* What the marks of the results mean. */
static void write_marks(struct table *t)
{
	static const struct {
		unsigned mark;
		const char *text;
	} texts[] = {
		{ MARK_I, "i: some samples have an interrupt" },
		{ MARK_H, "h: the hypervisor's work is in these" },
		{ MARK_M, "m: times are no CPU's" },
		{ MARK_S, "s: times are of a scoreboard, no CPU's" },
	};
	struct cells row;

	cells_clear(&row);
	row.pen = SCREEN_WARN;
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!(t->marks & texts[i].mark))
			continue;
		cells_put(&row, row.n ? "; " : "marks: ");
		cells_put(&row, texts[i].text);
	}
	if (row.n)
		write_row(t, &row);
	t->marks = 0;
}

static void on_done(struct table *t, const struct record *r)
{
	char status[TABLE_NAME];
	enum screen_color color = SCREEN_WARN;

	record_get(r, "status", status, sizeof(status));
	if (!strcmp(status, "ok"))
		color = SCREEN_GOOD;
	else if (!strcmp(status, "fail"))
		color = SCREEN_BAD;
	write_marks(t);
	if (t->errors)
		message(t, SCREEN_BAD, t->first_error.s, t->first_error.n);
	message(t, color, r->text, r->n);
}

/* clang-format off */
static const struct {
	const char *kind;
	void (*take)(struct table *t, const struct record *r);
} kinds[] = {
	{ "result",    on_result },
	{ "cpl0",      on_program },
	{ "cmdline",   on_cmdline },
	{ "cpu",       on_clock },
	{ "cache",     on_cache },
	{ "clock",     on_clock },
	{ "event",     on_event },
	{ "plan",      on_plan },
	{ "skip",      on_skip },
	{ "check",     on_check },
	{ "expect",    on_expect },
	{ "bench",     on_bench },
	{ "listed",    on_listed },
	{ "chain",     on_chain },
	{ "series",    on_series },
	{ "blocker",   on_blocker },
	{ "ports",     on_ports },
	{ "datasheet", on_datasheet },
	{ "geometry",  on_geometry },
	{ "trap",      on_trouble },
	{ "timeout",   on_trouble },
	{ "withdrawn", on_trouble },
	{ "warn",      on_warn },
	{ "error",     on_error },
	{ "done",      on_done },
};
/* clang-format on */

void table_open(struct table *t, struct screen *s)
{
	memset(t, 0, sizeof(*t));
	t->screen = s;
	t->legend = NEVER;
}

void table_expect(struct table *t, const struct table_has *has)
{
	t->expected = has;
}

void table_take(struct table *t, const struct record *r)
{
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (record_is(r, kinds[i].kind))
			kinds[i].take(t, r);
}

void table_end(struct table *t)
{
	close_row(t);
}
