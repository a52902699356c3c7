/*
 * Details of results (kernel/console/details.h).
 */
#include "kernel/console/details.h"
#include "kernel/console/cells.h"
#include "kernel/console/figure.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	KEY = 144,
	VALUE = 160,
	INDENT = 2,
	NAME = 32,  /* columns of a quantity's name, */
	NUMBER = 9, /* of each number behind it */
};

static void end_line(struct cells *t, struct screen *s)
{
	cells_write(t, s);
	screen_write(s, "\n", 1);
	cells_clear(t);
}

/* ---- How it was measured ---- */

/* clang-format off */
static const struct {
	const char *key, *before;
} words[] = {
	{ "form",        "" },
	{ "kind",        "" },
	{ "cpl",         "CPL " },
	{ "ops",         "operations in a copy: " },
	{ "bytes",       "bytes an operation: " },
	{ "cpus",        "CPUs: " },
	{ "copies",      "copies: " },
	{ "loop",        "rounds: " },
	{ "runs",        "samples: " },
	{ "warmup",      "runs before them: " },
	{ "insns",       "instructions: " },
	{ "code_bytes",  "bytes of code: " },
	{ "code",        "code " },
	{ "mode",        "mode " },
	{ "repeated",    "batches spoilt and run again: " },
	{ "interrupted", "interrupted: " },
	{ "nominal",     "nominal time: " },
	{ "exits",       "leaves the guest: " },
	{ "cold",        "caches left by the " },
};
/* clang-format on */

/* Behind what is there, or on a new line if that one has no room. */
static void put_words(struct cells *t, struct screen *s, const char *text)
{
	const unsigned n = (unsigned)strlen(text);

	if (t->n > INDENT && t->n + 2 + n > s->width)
		end_line(t, s);
	cells_put(t, t->n > INDENT ? ", " : "");
	cells_pad(t, INDENT);
	cells_put(t, text);
}

static void write_conditions(struct screen *s, const struct record *r)
{
	char value[VALUE], text[2 * VALUE];
	struct cells row;

	cells_clear(&row);
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct text t = text_in(text, sizeof(text));

		if (!record_get(r, words[i].key, value, sizeof(value)))
			continue;
		text_str(&t, words[i].before);
		text_str(&t, value);
		put_words(&row, s, text);
	}
	end_line(&row, s);
}

/* Samples that do not count, if there were any: `dropped.nmi=2`. */
static void write_dropped(struct screen *s, const struct record *r)
{
	char key[KEY], value[VALUE];
	struct cells row;
	size_t at = 0;

	cells_clear(&row);
	row.pen = SCREEN_WARN;
	while (record_next(r, &at, key, sizeof(key))) {
		if (strncmp(key, "dropped.", 8))
			continue;
		record_get(r, key, value, sizeof(value));
		cells_put(&row, row.n ? ", " : "  samples dropped: ");
		cells_put(&row, key + 8);
		cells_put(&row, " ");
		cells_put(&row, value);
	}
	if (row.n)
		end_line(&row, s);
}

/* ---- What was measured ---- */

/* False: the record has no such number, or a bound in its place. */
static bool put_figure(struct cells *t, const struct record *r, const char *key, const char *suffix,
                       unsigned end)
{
	char name[KEY + 8], text[FIGURE_TEXT];
	struct text n = text_in(name, sizeof(name));
	struct figure f;

	text_str(&n, key);
	text_str(&n, suffix);
	f = figure_count(r, name);
	if (!f.known)
		return false;
	figure_text(&f, text);
	cells_right(t, text, end);
	return !f.below;
}

static void write_quantity(struct screen *s, const struct record *r, const char *key)
{
	static const char *const suffixes[] = { "", ".low", ".high", ".min", ".max" };
	struct cells row;
	unsigned end = NAME, n = 0;

	cells_clear(&row);
	cells_put(&row, "  ");
	cells_put(&row, key);
	if (row.n > NAME)
		end_line(&row, s);
	for (unsigned i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		n += put_figure(&row, r, key, suffixes[i], end += NUMBER);
	row.pen = SCREEN_GOOD;
	if (n == 1)
		cells_right(&row, "exact", NAME + 2 * NUMBER);
	end_line(&row, s);
}

static void write_titles(struct screen *s)
{
	static const char *const titles[] = { "median", "25 %", "75 %", "least", "most" };
	struct cells row;
	unsigned end = NAME;

	cells_clear(&row);
	row.pen = SCREEN_TITLE;
	cells_put(&row, "  for one operation");
	for (unsigned i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		cells_right(&row, titles[i], end += NUMBER);
	end_line(&row, s);
}

static void write_quantities(struct screen *s, const struct record *r)
{
	char key[KEY];
	size_t at = 0;

	write_titles(s);
	while (record_next(r, &at, key, sizeof(key)))
		if (figure_is_count(key) || !strcmp(key, "tsc") || !strcmp(key, "core"))
			write_quantity(s, r, key);
}

static void write_name(struct screen *s, const struct record *r)
{
	struct cells row;

	cells_clear(&row);
	row.pen = SCREEN_TITLE;
	cells_value(&row, "", r, "bench");
	cells_value(&row, ", group of events ", r, "group");
	end_line(&row, s);
}

/* ---- The records ---- */

/* A result that did not fit one line of the log goes on in further ones. */
static void write_result(struct screen *s, const struct record *r)
{
	if (!record_number(r, "part")) {
		write_name(s, r);
		write_conditions(s, r);
		write_dropped(s, r);
	}
	write_quantities(s, r);
}

static void write_expectation(struct screen *s, const struct record *r)
{
	char verdict[VALUE];
	struct cells row;

	record_get(r, "verdict", verdict, sizeof(verdict));
	cells_clear(&row);
	row.pen = strcmp(verdict, "match") ? SCREEN_WARN : SCREEN_GOOD;
	cells_value(&row, "  ", r, "verdict");
	cells_value(&row, ": ", r, "quantity");
	cells_value(&row, " of a copy is ", r, "got");
	cells_value(&row, ", known is ", r, "low");
	cells_value(&row, " to ", r, "high");
	cells_value(&row, ", ", r, "source");
	end_line(&row, s);
}

static void write_skip(struct screen *s, const struct record *r)
{
	struct cells row;

	cells_clear(&row);
	cells_value(&row, "", r, "bench");
	row.pen = SCREEN_WARN;
	cells_value(&row, " was not measured: ", r, "why");
	end_line(&row, s);
}

/* What has no form of its own is as it is in the log. */
static void write_record(struct screen *s, const struct record *r)
{
	s->pen = record_is(r, "trap") || record_is(r, "timeout") ? SCREEN_BAD : SCREEN_TEXT;
	screen_write(s, r->text, r->n);
	screen_write(s, "\n", 1);
	s->pen = SCREEN_TEXT;
}

void details_write(struct screen *s, const struct record *r)
{
	char bench[KEY];

	if (record_is(r, "result"))
		write_result(s, r);
	else if (record_is(r, "expect"))
		write_expectation(s, r);
	else if (record_is(r, "skip"))
		write_skip(s, r);
	else if (!record_is(r, "progress") && record_get(r, "bench", bench, sizeof(bench)))
		write_record(s, r);
}
