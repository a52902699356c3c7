/*
 * Requests: text in, configurations out. See request.h for the forms.
 */
#include "pmu/request.h"

#include "kernel/lib/nearest.h"
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"
#include "pmu/events.h"
#include "pmu/tables.h"

/* A piece of text that ends by length. */
struct span {
	const char *p;
	size_t n;
};

static void put_hex(struct text *t, uint64_t v)
{
	text_str(t, "0x");
	text_hex(t, v, 1);
}

/* A list in a refusal; once it is nearly full it ends with "...". */
static void put_item(struct text *t, struct span a, const char *between, const char *b)
{
	if (t->n + a.n + strlen(b) + 12 > t->size) {
		if (t->n < 3 || memcmp(t->p + t->n - 3, "...", 3))
			text_str(t, " ...");
		return;
	}
	text_str(t, " ");
	text_put(t, a.p, a.n);
	text_str(t, between);
	text_str(t, b);
}

static struct text refuse(struct pmu_refusal *no, struct span culprit, const char *why)
{
	struct text c = text_in(no->culprit, sizeof(no->culprit));
	struct text t = text_in(no->why, sizeof(no->why));

	text_put(&c, culprit.p, culprit.n);
	text_str(&t, why);
	return t;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool same(struct span a, const char *b)
{
	size_t i = 0;

	while (i < a.n && b[i] && lower(a.p[i]) == lower(b[i]))
		i++;
	return i == a.n && !b[i];
}

static struct span span_of(const char *s)
{
	return (struct span){ s, strlen(s) };
}

/* Cuts *s before the first of `stop`, which is dropped; returns the part before. */
static struct span cut(struct span *s, char stop)
{
	struct span head = { s->p, 0 };

	while (head.n < s->n && s->p[head.n] != stop)
		head.n++;
	s->p += head.n + (head.n < s->n);
	s->n -= head.n + (head.n < s->n);
	return head;
}

static bool has(struct span s, char c)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == c)
			return true;
	return false;
}

/* Decimal or 0x hexadecimal, all of it. */
static bool number(struct span s, uint64_t *v)
{
	bool hex = s.n > 2 && s.p[0] == '0' && lower(s.p[1]) == 'x';

	*v = 0;
	for (size_t i = hex ? 2 : 0; i < s.n; i++) {
		char c = lower(s.p[i]);
		unsigned d = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
		             : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
		                                    : 99;

		if (d > (hex ? 15u : 9u) || *v >> 60)
			return false;
		*v = hex ? *v << 4 | d : *v * 10 + d;
	}
	return s.n > 0;
}

/* --- fields ----------------------------------------------------------------------------- */

/* What every family has, beside its own. */
static const struct pmu_field common_fields[] = {
	{ "ctr", "ctr", PMU_SLOTS - 1, PMU_COUNTER, 0 },
	{ 0, 0, 0, 0, 0 },
};

/* Field number i of the driver's and the common ones; NULL past the last. */
static const struct pmu_field *field_at(const struct pmu_hw *hw, unsigned i)
{
	const struct pmu_field *f = hw->driver->fields;

	for (; f->name; f++)
		if (!i--)
			return f;
	for (f = common_fields; f->name; f++)
		if (!i--)
			return f;
	return 0;
}

static void list_fields(const struct pmu_hw *hw, struct text *t, bool raw)
{
	const struct pmu_field *f;

	for (unsigned i = 0; (f = field_at(hw, i)); i++)
		if (raw || f->modifier)
			put_item(t, span_of(raw ? f->name : f->modifier), f->max > 1 ? "=N" : "",
			         "");
}

/* "cmask=4", "c=4", "c4", "inv": the field, and the value's text (length 0: none given). */
static const struct pmu_field *find_field(const struct pmu_hw *hw, struct span s, bool raw,
                                          struct span *value)
{
	const struct pmu_field *f;
	struct span name;

	*value = s;
	name = cut(value, '=');
	for (unsigned i = 0; (f = field_at(hw, i)); i++)
		if ((raw || f->modifier) && same(name, raw ? f->name : f->modifier))
			return f;
	while (name.n && name.p[name.n - 1] >= '0' && name.p[name.n - 1] <= '9')
		name.n--;
	if (raw || has(s, '=') || name.n == s.n)
		return 0;
	*value = (struct span){ s.p + name.n, s.n - name.n };
	for (unsigned i = 0; (f = field_at(hw, i)); i++)
		if (f->modifier && same(name, f->modifier))
			return f;
	return 0;
}

static bool named_value(const struct pmu_field *f, struct span s, uint64_t *v)
{
	if (f->values)
		for (unsigned i = 0; f->values[i]; i++)
			if (same(s, f->values[i])) {
				*v = i;
				return true;
			}
	return number(s, v);
}

static bool set_field(const struct pmu_field *f, struct span whole, struct span value,
                      struct pmu_request *rq, struct pmu_refusal *no)
{
	uint64_t v = 1;
	struct text t;

	if (value.n || has(whole, '=') ? !named_value(f, value, &v) || v > f->max : f->max > 1) {
		t = refuse(no, whole, "needs a value from 0 to ");
		put_hex(&t, f->max);
		for (unsigned i = 0; f->values && f->values[i]; i++)
			put_item(&t, span_of(f->values[i]), "", "");
		return false;
	}
	rq->given |= 1ull << f->id;
	rq->value[f->id] = v;
	return true;
}

/* CPL filters: what the user gave, else the level that the benchmark runs at. */
static void default_levels(struct pmu_request *rq, unsigned cpl)
{
	if (pmu_given(rq, PMU_USR) || pmu_given(rq, PMU_OS))
		return;
	rq->value[PMU_USR] = cpl == 3;
	rq->value[PMU_OS] = cpl != 3;
}

/* --- events ----------------------------------------------------------------------------- */

/* Number of the driver's family in the lists of tables.h. */
static unsigned family_of(const struct pmu_hw *hw)
{
	unsigned i = 0;

	while (pmu_families[i] && strcmp(hw->driver->name, pmu_families[i]))
		i++;
	return i;
}

/*
 * First event of this name from number i on, on this model; *i is then the number behind it. Where
 * the last name was found is kept: it is asked for several times in a row.
 */
static bool next_named(const struct pmu_hw *hw, struct span name, unsigned *i, struct pmu_event *e)
{
	static const struct pmu_table *last_table;
	static uint64_t last_models;
	static unsigned last;
	const struct pmu_table *t = hw->driver->table;
	const char *other = NULL;
	bool first = !*i;

	if (first && t && t == last_table && hw->models == last_models &&
	    same(name, pmu_event_name(t, last)))
		*i = last;
	for (int at = pmu_event_next(hw, *i); at >= 0; at = pmu_event_next(hw, *i)) {
		const char *text = pmu_event_name(t, at);

		*i = at + 1;
		if (text == other)
			continue; /* events of one name share its text */
		if (same(name, text)) {
			if (first) {
				last = at;
				last_table = t;
				last_models = hw->models;
			}
			pmu_event_at(t, at, e);
			return true;
		}
		other = text;
	}
	return false;
}

/* Is this the unit mask of the event: all that its name has behind the first dot? */
static bool same_mask(struct span s, const struct pmu_event *e)
{
	struct span rest = s;

	if (!*e->part[2])
		return same(s, e->part[1]);
	return same(cut(&rest, '.'), e->part[1]) && same(rest, e->part[2]);
}

static bool shares_letters(const char *name, struct span s)
{
	size_t k = s.n < 4 ? s.n : 4;

	for (size_t at = 0; name[at]; at++) {
		size_t i = 0;

		while (i < k && lower(name[at + i]) == lower(s.p[i]))
			i++;
		if (i == k)
			return true;
	}
	return false;
}

/* The events and aliases of this CPU that are nearest to the name. */
static struct nearest near_events(const struct pmu_hw *hw, struct span name)
{
	struct nearest near = nearest_to(name.p, name.n);
	unsigned family = family_of(hw);
	const char *last = NULL;

	for (const struct pmu_alias *a = pmu_aliases; a->name; a++)
		if (a->family == family && a->models & hw->models)
			nearest_try(&near, pmu_names + a->name);
	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, i + 1)) {
		const char *event = pmu_event_name(hw->driver->table, i);

		if (event != last)
			nearest_try(&near, event);
		last = event;
	}
	return near;
}

/* Lists the events that share letters with the name; false: there are none. */
static bool list_alike(const struct pmu_hw *hw, struct span name, struct text *t)
{
	const char *last = "";

	for (int i = pmu_event_next(hw, 0); i >= 0; i = pmu_event_next(hw, i + 1)) {
		const char *event = pmu_event_name(hw->driver->table, i);

		if (!strcmp(last, event) || !shares_letters(event, name))
			continue;
		text_str(t, *last ? "" : "; it has");
		last = event;
		put_item(t, span_of(last), "", "");
	}
	return *last;
}

static bool no_event(const struct pmu_hw *hw, struct span name, struct pmu_refusal *no)
{
	struct text t = refuse(no, name, "no event or alias of this CPU");
	struct nearest near = near_events(hw, name);
	char buffer[PMU_WHY / 2];
	struct text end = text_in(buffer, sizeof(buffer));

	nearest_put(&near, &end);
	t.size -= end.n; /* the list leaves room for it */
	if (!list_alike(hw, name, &t) && !end.n)
		text_str(&t, "; events=all names what it has");
	t.size += end.n;
	text_str(&t, buffer);
	return false;
}

static bool no_mask(const struct pmu_hw *hw, struct span event, struct span mask, const char *why,
                    struct pmu_refusal *no)
{
	struct text t = refuse(no, mask, why);
	struct nearest near = nearest_to(mask.p, mask.p == event.p ? 0 : mask.n);
	char name[PMU_KEY], buffer[PMU_WHY / 2];
	struct text end = text_in(buffer, sizeof(buffer));
	struct pmu_event e;
	unsigned i = 0;

	while (next_named(hw, event, &i, &e)) {
		pmu_event_text(&e, name, sizeof(name));
		if (name[event.n])
			nearest_try(&near, name + event.n + 1);
	}
	nearest_put(&near, &end);
	t.size -= end.n; /* the list leaves room for it */
	for (i = 0; next_named(hw, event, &i, &e);) {
		pmu_event_text(&e, name, sizeof(name));
		put_item(&t, event, "", name + event.n);
	}
	t.size += end.n;
	text_str(&t, buffer);
	return false;
}

static bool find_mask(const struct pmu_hw *hw, struct span event, struct span mask,
                      struct pmu_event *e)
{
	unsigned i = 0;

	while (next_named(hw, event, &i, e))
		if (same_mask(mask, e))
			return true;
	return false;
}

/* What a request is made of while it is read. */
struct reading {
	const struct pmu_hw *hw;
	struct pmu_request rq;
	struct span name; /* of the event */
	struct text key;
	struct pmu_refusal *no;
	bool quiet; /* *no is not read: whole tables need not be searched for the nearest names */
};

static void put_mask(struct text *key, const struct pmu_event *e)
{
	for (unsigned p = 1; p < PMU_PARTS && *e->part[p]; p++) {
		text_str(key, ".");
		text_str(key, e->part[p]);
	}
}

/* One more mask: the same event with more bits. What else the rows say must agree. */
static bool add_mask(struct reading *r, struct span mask)
{
	const struct pmu_event *first = &r->rq.event;
	struct pmu_event e;

	if (!find_mask(r->hw, r->name, mask, &e))
		return !r->quiet &&
		       no_mask(r->hw, r->name, mask, "no unit mask of this event; it has", r->no);
	if (r->rq.named &&
	    (first->code != e.code || first->kind != e.kind || first->has_value || e.has_value))
		return !r->quiet &&
		       no_mask(r->hw, r->name, mask, "cannot be combined; this event has", r->no);
	if (!r->rq.named) {
		r->rq.event = e;
		r->rq.named = true;
	}
	r->rq.umask |= e.umask;
	put_mask(&r->key, &e);
	return true;
}

/*
 * "EVENT", "EVENT.MASK", "EVENT.MASK.MASK". A name may have dots in its mask, so the whole name is
 * looked up first. Without a mask the event must have a row without one, or a single row.
 */
static bool read_event(struct reading *r, struct span text)
{
	struct pmu_event e;
	unsigned i = 0;

	r->name = cut(&text, '.');
	if (!next_named(r->hw, r->name, &i, &e))
		return !r->quiet && no_event(r->hw, r->name, r->no);
	text_str(&r->key, e.part[0]);
	if (text.n && find_mask(r->hw, r->name, text, &e))
		return add_mask(r, text);
	while (text.n)
		if (!add_mask(r, cut(&text, '.')))
			return false;
	return true;
}

/* After masks from the modifiers too: is the event complete? */
static bool complete_event(struct reading *r)
{
	struct pmu_event e, other;
	unsigned i = 0;

	if (r->rq.named)
		return true;
	if (!find_mask(r->hw, r->name, (struct span){ "", 0 }, &e)) {
		next_named(r->hw, r->name, &i, &e);
		if (next_named(r->hw, r->name, &i, &other))
			return !r->quiet &&
			       no_mask(r->hw, r->name, r->name, "needs a unit mask:", r->no);
	}
	memcpy(r->key.p, e.part[0], r->name.n); /* two may differ in case alone */
	r->rq.event = e;
	r->rq.named = true;
	r->rq.umask = e.umask;
	return true;
}

/* "uk": one-letter modifiers in a row, as perf writes them. */
static bool read_letters(struct reading *r, struct span s)
{
	const struct pmu_field *f;
	struct span value;

	for (size_t i = 0; i < s.n; i++) {
		f = find_field(r->hw, (struct span){ s.p + i, 1 }, false, &value);
		if (!f || f->max > 1)
			return false;
	}
	for (size_t i = 0; i < s.n; i++) {
		f = find_field(r->hw, (struct span){ s.p + i, 1 }, false, &value);
		r->rq.given |= 1ull << f->id;
		r->rq.value[f->id] = 1;
	}
	return true;
}

static bool read_modifier(struct reading *r, struct span s)
{
	struct span value;
	const struct pmu_field *f = find_field(r->hw, s, false, &value);
	struct pmu_event e;
	struct text t;

	if (f)
		return set_field(f, s, value, &r->rq, r->no);
	if (read_letters(r, s))
		return true;
	if (r->name.n && find_mask(r->hw, r->name, s, &e))
		return add_mask(r, s);
	t = refuse(r->no, s, "no modifier of this CPU's events; it has");
	list_fields(r->hw, &t, false);
	return false;
}

static bool read_modifiers(struct reading *r, struct span s)
{
	while (s.n)
		if (!read_modifier(r, cut(&s, ':')))
			return false;
	return true;
}

/* The fields that were given, in the order of the family's list, so that equal requests agree. */
static void key_fields(struct reading *r, bool raw)
{
	const char *before = raw ? "/" : ":";
	const struct pmu_field *f;

	for (unsigned i = 0; (f = field_at(r->hw, i)); i++) {
		if (!pmu_given(&r->rq, f->id) || (f->max == 1 && !r->rq.value[f->id]))
			continue;
		text_str(&r->key, before);
		text_str(&r->key, raw || !f->modifier ? f->name : f->modifier);
		if (f->max > 255 || f->id == PMU_EVENT || f->id == PMU_UMASK)
			put_hex(&r->key, r->rq.value[f->id]);
		else if (f->max > 1)
			text_dec(&r->key, r->rq.value[f->id]);
		before = raw ? "," : ":";
	}
	if (raw)
		text_str(&r->key, "/");
}

/* prefix/field=value,field/letters:modifiers */
static bool read_raw(struct reading *r, struct span s)
{
	const struct pmu_driver *d = r->hw->driver;
	struct span prefix = cut(&s, '/'), fields = cut(&s, '/');
	struct text t;

	if (!d->raw || (!same(prefix, d->raw) && !same(prefix, d->name))) {
		t = refuse(r->no, prefix, "raw events of this CPU are spelled ");
		text_str(&t, d->raw ? d->raw : "-");
		text_str(&t, "/.../ with the fields");
		list_fields(r->hw, &t, true);
		return false;
	}
	text_str(&r->key, d->raw);
	while (fields.n) {
		struct span one = cut(&fields, ','), value;
		const struct pmu_field *f = find_field(r->hw, one, true, &value);

		if (!f) {
			t = refuse(r->no, one, "no field of this CPU's raw events; they are");
			list_fields(r->hw, &t, true);
			return false;
		}
		if (!set_field(f, one, value, &r->rq, r->no))
			return false;
	}
	return read_modifiers(r, s);
}

/* The counter the user insists on. */
static unsigned pin(struct reading *r, struct pmu_config *config, unsigned n)
{
	uint32_t want = 1u << r->rq.value[PMU_COUNTER], can = 0;
	unsigned kept = 0;
	struct text t;

	if (!pmu_given(&r->rq, PMU_COUNTER))
		return n;
	for (unsigned i = 0; i < n; i++) {
		can |= config[i].counters;
		if (!(config[i].counters & want))
			continue;
		config[i].counters = want;
		config[kept++] = config[i];
	}
	if (!kept) {
		t = refuse(r->no, span_of(r->key.p), "cannot be counted on that counter; only on");
		for (unsigned c = 0; c < r->hw->ncounters; c++)
			if (can >> c & 1) {
				char number[4];
				struct text digits = text_in(number, sizeof(number));

				text_dec(&digits, c);
				put_item(&t, span_of(number), "", "");
			}
	}
	return kept;
}

static unsigned encode(struct reading *r, unsigned cpl, struct pmu_config *config)
{
	const char *why = "cannot be counted by this CPU";
	unsigned n;

	key_fields(r, !r->rq.named);
	default_levels(&r->rq, cpl);
	n = r->hw->driver->encode(r->hw, &r->rq, config, &why);
	if (!n)
		refuse(r->no, span_of(r->key.p), why);
	return n ? pin(r, config, n) : 0;
}

static unsigned read_and_encode(struct reading *r, struct span head, struct span modifiers,
                                unsigned cpl, struct pmu_config *config)
{
	r->rq = (struct pmu_request){ 0 };
	r->key.n = 0;
	if (has(head, '/'))
		return read_raw(r, head) && read_modifiers(r, modifiers) ? encode(r, cpl, config)
		                                                         : 0;
	if (!read_event(r, head) || !read_modifiers(r, modifiers) || !complete_event(r))
		return 0;
	return encode(r, cpl, config);
}

static const char no_meaning[] = "this CPU has no event with this meaning";

/* libpfm4's PERF_COUNT_HW_CPU_CYCLES is perf's cpu-cycles. */
static struct span short_name(struct span name, char room[PMU_KEY])
{
	static const char prefix[] = "PERF_COUNT_HW_";
	const size_t n = sizeof(prefix) - 1;

	if (name.n <= n || name.n - n > PMU_KEY || !same((struct span){ name.p, n }, prefix))
		return name;
	for (size_t i = n; i < name.n; i++)
		room[i - n] = name.p[i] == '_' ? '-' : name.p[i];
	return (struct span){ room, name.n - n };
}

static const struct pmu_alias *find_alias(const struct pmu_hw *hw, struct span name)
{
	unsigned family = family_of(hw);

	for (const struct pmu_alias *a = pmu_aliases; a->name; a++)
		if (a->family == family && a->models & hw->models &&
		    same(name, pmu_names + a->name))
			return a;
	return 0;
}

static bool alias_elsewhere(struct span name)
{
	for (const struct pmu_alias *a = pmu_aliases; a->name; a++)
		if (same(name, pmu_names + a->name))
			return true;
	return false;
}

/* Does the model have EVENT.MASK or EVENT.MASK.MASK? A raw event stands for models that do. */
static bool has_event(const struct pmu_hw *hw, struct span text)
{
	struct span name, whole = text;
	struct pmu_event e;
	unsigned i = 0;

	if (has(whole, '/'))
		return true;
	name = cut(&text, '.');
	if (!next_named(hw, name, &i, &e))
		return false;
	if (text.n && find_mask(hw, name, text, &e))
		return true;
	while (text.n)
		if (!find_mask(hw, name, cut(&text, '.'), &e))
			return false;
	return true;
}

/*
 * The first of the alias's events that can be counted. If none can, the refusal of the first that
 * exists stands: what is wrong is then a modifier or the counters.
 */
static unsigned read_alias(struct reading *r, const struct pmu_alias *a, struct span modifiers,
                           unsigned cpl, struct pmu_config *config)
{
	struct span events = span_of(pmu_names + a->events);
	bool exists = false;

	while (events.n) {
		struct span event = cut(&events, ' ');
		struct pmu_refusal before = *r->no;
		unsigned n;

		if (!has_event(r->hw, event))
			continue;
		n = read_and_encode(r, event, modifiers, cpl, config);
		if (n)
			return n;
		if (exists)
			*r->no = before;
		exists = true;
	}
	if (!exists)
		refuse(r->no, span_of(pmu_names + a->name), no_meaning);
	return 0;
}

size_t pmu_request_length(const char *list)
{
	bool raw = false;
	size_t n = 0;

	for (; list[n] && (raw || list[n] != ','); n++)
		if (list[n] == '/')
			raw = !raw;
	return n;
}

/* Copies the text with `was` replaced by a dot; false if it is not there or the room is short. */
static bool respell(struct span *s, const char *was, char *room, size_t size)
{
	size_t n = strlen(was), at = 0;

	while (at + n <= s->n && memcmp(s->p + at, was, n))
		at++;
	if (at + n > s->n || s->n > size)
		return false;
	memcpy(room, s->p, at);
	room[at] = '.';
	memcpy(room + at + 1, s->p + at + n, s->n - at - n);
	*s = (struct span){ room, s->n - n + 1 };
	return true;
}

unsigned pmu_request(const struct pmu_hw *hw, const char *text, size_t n, unsigned cpl, char *key,
                     struct pmu_config *config, struct pmu_refusal *no)
{
	char room[2][2 * PMU_KEY], preset[PMU_KEY];
	struct span whole = { text, n }, modifiers, head;
	static struct pmu_refusal unread;
	struct reading r = { .hw = hw, .key = text_in(key, PMU_KEY), .quiet = !no };
	const struct pmu_alias *alias;

	/* The maker's list spells some events of Cascade Lake NAME:request=A:response=B. */
	respell(&whole, ":request=", room[0], sizeof(room[0]));
	respell(&whole, ":response=", room[1], sizeof(room[1]));
	modifiers = whole;
	head = cut(&modifiers, ':');

	*key = 0;
	r.no = no ? no : &unread;
	*r.no = (struct pmu_refusal){ { 0 }, { 0 } };
	if (has(whole, '/'))
		return read_raw(&r, whole) ? encode(&r, cpl, config) : 0;
	alias = find_alias(hw, short_name(head, preset));
	if (alias)
		return read_alias(&r, alias, modifiers, cpl, config);
	if (alias_elsewhere(short_name(head, preset))) {
		refuse(r.no, head, no_meaning);
		return 0;
	}
	return read_and_encode(&r, head, modifiers, cpl, config);
}

size_t pmu_request_alias(const struct pmu_hw *hw, const char *text, size_t n)
{
	struct span rest = { text, n }, head = cut(&rest, ':');
	char room[PMU_KEY];

	return find_alias(hw, short_name(head, room)) ? head.n : 0;
}

unsigned pmu_request_event(const struct pmu_hw *hw, const struct pmu_event *event, unsigned cpl,
                           char *key, struct pmu_config *config, struct pmu_refusal *no)
{
	struct reading r = { .hw = hw, .key = text_in(key, PMU_KEY), .no = no };

	r.rq.event = *event;
	r.rq.named = true;
	r.rq.umask = event->umask;
	text_str(&r.key, event->part[0]);
	put_mask(&r.key, event);
	return encode(&r, cpl, config);
}
