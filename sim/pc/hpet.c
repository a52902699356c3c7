/*
 * sim/pc/hpet.c - the high precision event timer (IA-PC HPET Specification 1.0a, 2.3).
 */
#include "sim/pc/hpet.h"

#include "sim/cpu/machine.h"
#include "sim/pc/ioapic.h"
#include "sim/pc/pic.h"
#include "sim/pc/state.h"
#include "sim/pc/ticks.h"

enum { HZ = 100000000, FEMTOSECONDS = 10000000 };
enum { CAPABILITIES = 0x00, PERIOD = 0x04, CONFIG = 0x10, STATUS = 0x20, COUNTER = 0xf0 };
enum { TIMERS = 0x100, TIMER_SIZE = 0x20, T_CONFIG = 0x00, T_ROUTES = 0x04, T_COMPARATOR = 0x08 };
enum { C_ENABLE = 1, C_LEGACY = 2 };
enum { T_LEVEL = 2, T_ENABLE = 4, T_PERIODIC = 8, T_SET = 1 << 6, T_32 = 1 << 8 };
/* Periodic and 64-bit capable; what can be written. */
enum { T_FIXED = 0x30, T_WRITABLE = 0x3f4e };
enum { ROUTES = 0xf00000 }; /* pins 20 to 23 */

static uint64_t counter(const struct machine *pc)
{
	const struct hpet *h = &pc->dev->hpet;

	if (!(h->config & C_ENABLE))
		return h->count;
	return h->count + ticks_at(pc, ticks_now(pc), HZ) - h->start;
}

/* Ticks from a count to the timer's comparator, 0: just now. */
static uint64_t distance(const struct hpet_timer *t, uint64_t from)
{
	uint64_t ticks = t->comparator - from;

	return t->config & T_32 ? (uint32_t)ticks : ticks;
}

bool hpet_replaces_8254(const struct machine *pc)
{
	return (pc->dev->hpet.config & (C_ENABLE | C_LEGACY)) == (C_ENABLE | C_LEGACY);
}

static void line(struct machine *pc, unsigned n, bool level)
{
	static const uint8_t irqs[] = { 0, 8 };
	unsigned pin = pc->dev->hpet.timer[n].config >> 9 & 31;

	if (n < 2 && hpet_replaces_8254(pc)) {
		if (level)
			pic_raise(pc, irqs[n]);
		else
			pic_lower(pc, irqs[n]);
	} else if (ROUTES >> pin & 1) {
		ioapic_line(pc, pin, level);
	}
}

static void fire(struct machine *pc, unsigned n)
{
	struct hpet *h = &pc->dev->hpet;

	if (h->timer[n].config & T_LEVEL)
		h->status |= 1u << n;
	if (!(h->timer[n].config & T_ENABLE))
		return;
	line(pc, n, true);
	if (!(h->timer[n].config & T_LEVEL))
		line(pc, n, false);
}

void hpet_update(struct machine *pc)
{
	struct hpet *h = &pc->dev->hpet;
	uint64_t now = counter(pc);

	for (unsigned n = 0; n < HPET_TIMERS; n++) {
		struct hpet_timer *t = &h->timer[n];
		uint64_t ticks = distance(t, h->seen);

		if (!ticks || ticks > now - h->seen)
			continue;
		if (t->config & T_PERIODIC && t->period)
			t->comparator += ((now - h->seen - ticks) / t->period + 1) * t->period;
		fire(pc, n);
	}
	h->seen = now;
}

uint64_t hpet_next(const struct machine *pc)
{
	const struct hpet *h = &pc->dev->hpet;
	uint64_t best = UINT64_MAX;

	if (!(h->config & C_ENABLE))
		return NEVER;
	for (unsigned n = 0; n < HPET_TIMERS; n++) {
		uint64_t ticks = distance(&h->timer[n], h->seen);

		if (h->timer[n].config & T_ENABLE && ticks && ticks < best)
			best = ticks;
	}
	if (best >> 40) /* three hours */
		return NEVER;
	return ticks_clock(pc, h->start + (h->seen - h->count) + best, HZ);
}

static uint32_t read_timer(const struct hpet_timer *t, uint32_t offset)
{
	switch (offset) {
	case T_CONFIG:
		return t->config | T_FIXED;
	case T_ROUTES:
		return ROUTES;
	case T_COMPARATOR:
		return (uint32_t)t->comparator;
	case T_COMPARATOR + 4:
		return (uint32_t)(t->comparator >> 32);
	default:
		return 0;
	}
}

uint32_t hpet_read(struct machine *pc, uint32_t offset)
{
	const struct hpet *h = &pc->dev->hpet;
	uint32_t n = (offset - TIMERS) / TIMER_SIZE;

	if (offset >= TIMERS)
		return n < HPET_TIMERS ? read_timer(&h->timer[n], offset % TIMER_SIZE) : 0;
	switch (offset) {
	case CAPABILITIES:
		return HPET_ID;
	case PERIOD:
		return FEMTOSECONDS;
	case CONFIG:
		return h->config;
	case STATUS:
		return h->status;
	case COUNTER:
		return (uint32_t)counter(pc);
	case COUNTER + 4:
		return (uint32_t)(counter(pc) >> 32);
	default:
		return 0;
	}
}

/* One half of 64 bits. */
static void half(uint64_t *to, bool high, uint32_t value)
{
	*to = high ? (uint32_t)*to | (uint64_t)value << 32 : (*to >> 32) << 32 | value;
}

static void write_timer(struct hpet_timer *t, uint32_t offset, uint32_t value)
{
	bool high = offset & 4;

	if (offset == T_CONFIG) {
		t->config = value & T_WRITABLE;
	} else if ((offset & ~4u) == T_COMPARATOR) {
		/* a periodic timer: the period, and with T_SET the comparator before it */
		if (!high)
			t->sets = !(t->config & T_PERIODIC) || t->config & T_SET;
		if (t->sets)
			half(&t->comparator, high, value);
		if (t->config & T_PERIODIC)
			half(&t->period, high, value);
		t->config &= ~(uint32_t)T_SET;
	}
}

static void set_config(struct machine *pc, uint32_t value)
{
	struct hpet *h = &pc->dev->hpet;

	h->count = counter(pc);
	h->start = ticks_at(pc, ticks_now(pc), HZ);
	h->config = value & (C_ENABLE | C_LEGACY);
}

/* Ones clear the status; a line whose level ends falls. */
static void clear_status(struct machine *pc, uint32_t value)
{
	for (unsigned n = 0; n < HPET_TIMERS; n++)
		if (pc->dev->hpet.status & value & 1u << n)
			line(pc, n, false);
	pc->dev->hpet.status &= ~value;
}

void hpet_write(struct machine *pc, uint32_t offset, uint32_t value)
{
	struct hpet *h = &pc->dev->hpet;
	uint32_t n = (offset - TIMERS) / TIMER_SIZE;

	if (offset >= TIMERS) {
		if (n < HPET_TIMERS)
			write_timer(&h->timer[n], offset % TIMER_SIZE, value);
	} else if (offset == CONFIG) {
		set_config(pc, value);
	} else if (offset == STATUS) {
		clear_status(pc, value);
	} else if ((offset & ~4u) == COUNTER && !(h->config & C_ENABLE)) {
		half(&h->count, offset & 4, value);
		h->seen = h->count;
	}
	machine_wake(pc, pc->current); /* the next interrupt may be another one */
}
