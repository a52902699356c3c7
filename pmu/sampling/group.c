/*
 * The counters that sample: a request becomes a group (pmu/sampling/group.h).
 */
#include "kernel/lib/string.h"
#include "kernel/lib/text.h"
#include "pmu/internal.h"
#include "pmu/sampling/group.h"

enum { REQUEST = 256, CASCADES = 16 };

const struct pmu_field *sampling_field(unsigned id)
{
	for (const struct pmu_field *f = pmu_hw.driver->fields; f && f->name; f++)
		if (f->id == id)
			return f;
	return NULL;
}

bool sampling_extend(struct text *t, const char *event, unsigned id, unsigned value)
{
	const struct pmu_field *f = sampling_field(id);
	size_t n = strlen(event);
	bool raw = n && event[n - 1] == '/';
	const char *name = f ? (raw ? f->name : f->modifier) : id == PMU_COUNTER ? "ctr" : NULL;

	if (!name)
		return false;
	text_put(t, event, raw ? n - 1 : n);
	text_char(t, raw ? ',' : ':');
	text_str(t, name);
	if (id == PMU_COUNTER) {
		text_char(t, '=');
		text_dec(t, value);
	}
	if (raw)
		text_char(t, '/');
	return true;
}

/* Do two slots want different values in the same register? */
static bool exclude(const struct pmu_slot *a, const struct pmu_slot *b)
{
	for (unsigned i = 0; i < a->nextra; i++)
		for (unsigned k = 0; k < b->nextra; k++)
			if (a->extra[i].msr == b->extra[k].msr &&
			    a->extra[i].value != b->extra[k].value)
				return true;
	return false;
}

bool sampling_add(struct pmu_group *g, const char *event, unsigned cpl)
{
	static struct pmu_group other;
	uint32_t usable = pmu_hw.usable;
	bool fits;

	pmu_hw.usable &= ~(1u << g->slots[0].counter);
	fits = pmu_single(&other, event, cpl) && !exclude(&g->slots[0], &other.slots[0]);
	if (fits)
		g->slots[g->n++] = other.slots[0];
	pmu_hw.usable = usable;
	return fits;
}

bool sampling_group(struct pmu_sampling *s, unsigned field, unsigned value)
{
	static struct pmu_group plain; /* for the name without the addition */
	char buf[REQUEST];
	struct text t = text_in(buf, sizeof(buf));

	if (!sampling_extend(&t, s->event, field, value) || t.cut ||
	    !pmu_single(&plain, s->event, s->cpl) || !pmu_single(&s->group, buf, s->cpl))
		return false;
	memcpy(s->group.slots[0].key, plain.slots[0].key, PMU_KEY);
	sampling_add(&s->group, s->event, s->cpl); /* a control, if a counter is free */
	return true;
}

/* G. Marsaglia, "Xorshift RNGs", 2003: the triple 13, 17, 5. */
uint32_t sampling_random(void)
{
	static uint32_t x = 2463534242u;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

/* The event on one counter, with up to two fields set to 1; PMU_COUNTER stands for no field. */
static bool on_counter(struct pmu_group *g, const char *event, unsigned cpl, unsigned counter,
                       unsigned field, unsigned field2)
{
	char buf[3][REQUEST];
	const unsigned ids[] = { field, field2 };
	struct text t = text_in(buf[0], REQUEST);
	bool ok = sampling_extend(&t, event, PMU_COUNTER, counter);

	for (unsigned i = 0; i < 2; i++) {
		t = text_in(buf[i + 1], REQUEST);
		if (ids[i] == PMU_COUNTER)
			text_str(&t, buf[i]);
		else
			ok &= sampling_extend(&t, buf[i], ids[i], 1);
	}
	return ok && !t.cut && pmu_single(g, buf[2], cpl);
}

/* SDM volume 3B, "Cascading Counters": counters n and n ^ 2 start each other. */
bool sampling_cascade(struct pmu_sampling *s)
{
	static struct pmu_group plain, first, then;

	if (!pmu_single(&plain, s->event, s->cpl))
		return false;
	for (unsigned n = 0; n < CASCADES; n++) {
		if (!on_counter(&s->group, s->event, s->cpl, n, PMU_INT, PMU_CASCADE) ||
		    !on_counter(&then, s->event, s->cpl, n, PMU_INT, PMU_COUNTER) ||
		    !on_counter(&first, s->after, s->cpl, n ^ 2, PMU_COUNTER, PMU_COUNTER) ||
		    exclude(&s->group.slots[0], &first.slots[0]))
			continue;
		s->group.slots[s->group.n++] = first.slots[0];
		s->then = then.slots[0];
		memcpy(s->group.slots[0].key, plain.slots[0].key, PMU_KEY);
		memcpy(s->then.key, plain.slots[0].key, PMU_KEY);
		return s->waits = true;
	}
	return false;
}
