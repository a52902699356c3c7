/* `empty`: what does nothing must read 0 (tests/machines/expect/empty.h). */
#include "tests/machines/expect/empty.h"

#include <string.h>

#include "tests/machines/expect/words.h"

static const struct tolerance *tolerance_of(const struct expectation *want, struct span event,
                                            bool slow)
{
	for (size_t i = 0; i < want->ntolerances; i++)
		if (want->tolerances[i].slow == slow && span_same(want->tolerances[i].event, event))
			return &want->tolerances[i];
	return NULL;
}

/* EVENT.min and the like. */
static const struct field *part_of(const struct record *r, struct span event, const char *suffix)
{
	char key[256];

	snprintf(key, sizeof(key), "%.*s%s", (int)event.n, event.p, suffix);
	return record_field(r, key);
}

/* One tick over all copies, with what rounding to three decimals adds. */
static double tick_of(const struct record *r)
{
	if (!span_is(record_value(r, "mode"), "rate"))
		return 1.0005;
	return 1 / (span_number(record_value(r, "copies")) * span_number(record_value(r, "loop"))) +
	       0.0005;
}

static bool within(double value, double most)
{
	return -most <= value && value <= most;
}

/* No spread, and 0; or within a tick of a slow clock; or not farther off than the row allows. */
static void check_zero(const struct empty *e, const struct line *line, struct span event,
                       struct complaints *c)
{
	static const char *const suffixes[] = { "", ".min", ".low", ".high", ".max", ".below" };
	const struct tolerance *constant = tolerance_of(e->want, event, false);
	bool slow = tolerance_of(e->want, event, true);
	const struct record *r = &line->rec;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const struct field *f = part_of(r, event, suffixes[i]);
		struct span text = f ? field_value(f) : (struct span){ 0 };
		double value;

		if (!f)
			continue;
		value = span_number(text);
		if (value == 0 || (constant && !i && within(value, constant->most)) ||
		    (slow && within(value, tick_of(r))))
			continue;
		complain(c, "%.*s%s=%.*s in %.*s", (int)event.n, event.p, suffixes[i], (int)text.n,
		         text.p, (int)line->text.n, line->text.p);
	}
	if (!slow && (part_of(r, event, ".max") || part_of(r, event, ".below")))
		complain(c, "%.*s has a spread in %.*s", (int)event.n, event.p, (int)line->text.n,
		         line->text.p);
}

static void note_result(struct empty *e, const struct line *line, struct complaints *c)
{
	const struct record *r = &line->rec;
	const struct field *core = record_field(r, "core");

	e->results++;
	if (record_field(r, "tsc"))
		check_zero(e, line, (struct span){ "tsc", 3 }, c);
	/* Derived from chains of adds, it is never better known than its bound: core.below. */
	if (core && (!span_is(core->raw, "0") || record_field(r, "core.max")))
		complain(c, "core is not 0 in %.*s", (int)line->text.n, line->text.p);
	for (size_t i = 0; i < r->nfields; i++) {
		struct event *event = plan_find(e->plan, r->fields[i].key);

		if (!event || !event->planned)
			continue;
		event->times++;
		check_zero(e, line, event->name, c);
	}
}

void empty_note(struct empty *e, const struct line *line, struct complaints *c)
{
	const struct record *r = &line->rec;
	struct span names = record_value(r, "events"), name;

	if (!span_same(record_value(r, "bench"), e->want->name))
		return;
	if (span_is(r->kind, "result"))
		note_result(e, line, c);
	if (span_is(r->kind, "zero"))
		while ((name = take_word(&names)).n)
			plan_event(e->plan, name)->times++;
}

void empty_check(const struct empty *e, struct complaints *c)
{
	struct span bench = e->want->name;

	if (!e->results)
		complain(c, "no result of %.*s", (int)bench.n, bench.p);
	for (size_t i = 0; i < e->plan->n; i++) {
		const struct event *event = &e->plan->event[i];

		if (!event->planned && event->times)
			complain(c, "counted, but not planned: %.*s", (int)event->name.n,
			         event->name.p);
		if (event->planned && event->times != !event->derived &&
		    (event->times || !event->still))
			complain(c, "%.*s was counted %u times in %.*s", (int)event->name.n,
			         event->name.p, event->times, (int)bench.n, bench.p);
	}
}
