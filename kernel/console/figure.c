/*
 * Figures for people from `result` records (kernel/console/figure.h).
 */
#include "kernel/console/figure.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"

enum {
	VALUE = 48,
	KEY = 160,      /* of an event, with its suffix */
	LARGE = 100000, /* hundredths: from here on a figure has no places */
};

void figure_clock_take(struct figure_clock *clock, const struct record *r)
{
	char source[VALUE];
	int64_t core = 0;

	if (record_is(r, "cpu"))
		clock->scoreboard = record_get(r, "clocks_good", source, sizeof(source));
	if (!record_is(r, "clock") || !record_get(r, "source", source, sizeof(source)))
		return;
	if (!strcmp(source, "core") && record_milli(r, "core_per_tsc", &core))
		clock->core_per_tsc = (uint64_t)core;
	else if (!strcmp(source, "chosen"))
		clock->tsc_hz = record_number(r, "tsc_hz");
}

/* KEY and a suffix like `.low`, in thousandths. */
static bool get_milli(const struct record *r, const char *key, const char *suffix, int64_t *milli)
{
	char name[KEY];
	struct text t = text_in(name, sizeof(name));

	text_str(&t, key);
	text_str(&t, suffix);
	return record_milli(r, name, milli);
}

/* What a figure of the record covers: operations of a copy, and in mode=total all copies. */
static uint64_t operations(const struct record *r)
{
	uint64_t n = record_number(r, "ops"), copies;
	char mode[VALUE];

	n = n ? n : 1;
	record_get(r, "mode", mode, sizeof(mode));
	if (strcmp(mode, "total"))
		return n;
	copies = record_number(r, "copies") * record_number(r, "loop");
	return copies ? n * copies : n;
}

/* v * mul / div, rounded half up, a bound up. Large products lose digits that no figure shows. */
static uint64_t scaled(uint64_t v, uint64_t mul, uint64_t div, bool bound)
{
	while (v && mul > UINT64_MAX / 4 / v && mul > 1 && div > 1) {
		mul /= 2;
		div /= 2;
	}
	return bound ? (v * mul + div - 1) / div : (2 * v * mul + div) / (2 * div);
}

/* Thousandths of the record times mul / div, in hundredths. */
static struct figure figure_from(const struct record *r, const char *key, uint64_t mul,
                                 uint64_t div)
{
	struct figure f = { .known = false };
	int64_t milli;

	f.below = get_milli(r, key, ".below", &milli);
	f.known = f.below || get_milli(r, key, "", &milli);
	if (!f.known || !div)
		return (struct figure){ .known = false };
	f.negative = milli < 0;
	f.hundredths = scaled((uint64_t)(f.negative ? -milli : milli), mul, div, f.below);
	return f;
}

struct figure figure_count(const struct record *r, const char *key)
{
	return figure_from(r, key, 1, 10 * operations(r));
}

/* Bytes a second from `tsc`, in hundredths of 10^9. A quarter of the samples at 0 is no time. */
static struct figure rate_from(const struct record *r, uint64_t bytes, uint64_t tsc_hz)
{
	int64_t value = 0, low, bound = 0;

	get_milli(r, "tsc", "", &value);
	low = value;
	get_milli(r, "tsc", ".low", &low);
	get_milli(r, "tsc", ".bound", &bound);
	if (value <= 0 || low - bound <= 0)
		return (struct figure){ .known = false };
	return (struct figure){ .known = true,
		                .hundredths =
		                        scaled(bytes, tsc_hz, (uint64_t)value * 10000, false) };
}

/* Half of the samples around the median, as far as the record has a spread. */
static void find_spread(const struct record *r, const char *key, struct figures *f)
{
	int64_t value = 0, bound = 0, low, high, least = 0, most = 0;
	bool has = get_milli(r, key, "", &value);

	low = high = value;
	get_milli(r, key, ".low", &low);
	get_milli(r, key, ".high", &high);
	get_milli(r, key, ".bound", &bound);
	low -= bound;
	high += bound;
	least = low;
	most = high;
	get_milli(r, key, ".min", &least);
	get_milli(r, key, ".max", &most);
	f->exact = has && least == most;
	if (!has || f->exact || value <= 0 || high < low)
		return;
	f->percent.known = true;
	f->percent.hundredths = scaled((uint64_t)(high - low), 10000, (uint64_t)value, false);
}

static unsigned marks_of(const struct record *r, const struct figure_clock *clock)
{
	char cold[VALUE];
	unsigned marks = 0;

	if (record_number(r, "interrupted"))
		marks |= MARK_I;
	if (record_number(r, "exits") || record_get(r, "cold", cold, sizeof(cold)))
		marks |= MARK_H;
	if (record_number(r, "nominal"))
		marks |= clock->scoreboard ? MARK_S : MARK_M;
	return marks;
}

struct figures figures_of(const struct record *r, const struct figure_clock *clock)
{
	const uint64_t ops = operations(r), bytes = record_number(r, "bytes");
	struct figures f = { .clocks = figure_count(r, "core"), .marks = marks_of(r, clock) };
	const char *time = "core";

	if (!f.clocks.known && clock->core_per_tsc) {
		f.clocks = figure_from(r, "tsc", clock->core_per_tsc, 10000 * ops);
		time = "tsc";
	}
	if (!f.clocks.known)
		time = "tsc";
	if (clock->tsc_hz)
		f.ns = figure_from(r, "tsc", 100000000, clock->tsc_hz * ops);
	if (bytes && f.ns.known && !f.ns.below)
		f.rate = rate_from(r, bytes * ops, clock->tsc_hz);
	if (!f.clocks.below)
		find_spread(r, time, &f);
	return f;
}

void figure_text(const struct figure *f, char text[FIGURE_TEXT])
{
	struct text t = text_in(text, FIGURE_TEXT);
	uint64_t v = f->hundredths;

	if (!f->known) {
		text_str(&t, "-");
		return;
	}
	text_str(&t, f->below ? "<" : "");
	text_str(&t, f->negative && v ? "-" : "");
	if (v >= LARGE) {
		text_dec(&t, (v + (f->below ? 99 : 50)) / 100);
		return;
	}
	text_dec(&t, v / 100);
	text_char(&t, '.');
	text_dec(&t, v / 10 % 10);
	text_dec(&t, v % 10);
}

void figure_marks_text(unsigned marks, char text[MARKS + 1])
{
	struct text t = text_in(text, MARKS + 1);

	text_str(&t, "");
	for (unsigned i = 0; i < MARKS; i++)
		if (marks & 1u << i)
			text_char(&t, "ihms"[i]);
}

static bool is_one_of(const char *key, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(key, *words))
			return true;
	return false;
}

bool figure_is_count(const char *key)
{
	static const char *const conditions[] = {
		"bench",    "form",       "kind",  "mode",   "group",       "part",    "cpl",
		"copies",   "loop",       "runs",  "warmup", "interrupted", "nominal", "ops",
		"repeated", "code_bytes", "bytes", "insns",  "code",        "tsc",     "core",
		"exact",    "exits",      "cold",  NULL,
	};
	static const char *const suffixes[] = { ".min",     ".low",   ".high",  ".max", ".below",
		                                ".derived", ".moved", ".bound", NULL };
	size_t n = strlen(key);

	if (is_one_of(key, conditions) || !strncmp(key, "dropped.", 8))
		return false;
	for (size_t i = n > 8 ? n - 8 : 0; i < n; i++)
		if (is_one_of(key + i, suffixes))
			return false;
	return true;
}
