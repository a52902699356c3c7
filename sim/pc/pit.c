/*
 * sim/pc/pit.c - the interval timer (Intel 8254). It shows what the core clock says.
 */
#include "sim/pc/pit.h"

#include "sim/cpu/machine.h"
#include "sim/pc/hpet.h"
#include "sim/pc/ioapic.h"
#include "sim/pc/pic.h"
#include "sim/pc/state.h"
#include "sim/pc/ticks.h"

enum { PIT_HZ = 1193182 };

static uint64_t pit_now(const struct machine *pc)
{
	return ticks_at(pc, ticks_now(pc), PIT_HZ);
}

static uint32_t pit_period(const struct pit_channel *c)
{
	return c->reload ? c->reload : 65536;
}

static uint64_t pit_elapsed(const struct machine *pc, const struct pit_channel *c)
{
	return c->gate ? pit_now(pc) - c->start : c->paused;
}

static bool pit_periodic(const struct pit_channel *c)
{
	return c->mode == 2 || c->mode == 3;
}

static uint16_t pit_count(const struct machine *pc, const struct pit_channel *c)
{
	uint64_t t = pit_elapsed(pc, c);
	uint32_t n = pit_period(c);

	if (!c->counting)
		return c->reload;
	if (c->mode == 3)
		return (uint16_t)(n - 2 * t % n);
	if (c->mode == 2)
		return (uint16_t)(n - t % n);
	return (uint16_t)(n - t);
}

static bool pit_output(const struct machine *pc, const struct pit_channel *c)
{
	uint64_t t = pit_elapsed(pc, c);
	uint32_t n = pit_period(c);

	if (!c->counting)
		return c->mode != 0;
	switch (c->mode) {
	case 2:
		return t % n != n - 1;
	case 3:
		return t % n < (n + 1) / 2;
	case 4:
	case 5:
		return t != n;
	default:
		return t >= n;
	}
}

static void pit_start(struct machine *pc, struct pit_channel *c, uint16_t reload)
{
	c->reload = reload;
	c->start = pit_now(pc);
	c->paused = 0;
	c->counting = true;
	c->fired = 0;
	machine_wake(pc, pc->current);
}

static void pit_set_gate(struct machine *pc, struct pit_channel *c, bool gate)
{
	if (gate == c->gate)
		return;
	if (!gate)
		c->paused = pit_elapsed(pc, c);
	c->gate = gate;
	if (gate) {
		bool resume = c->mode == 0 || c->mode == 4;

		c->start = pit_now(pc) - (resume ? c->paused : 0);
	}
}

static void pit_control(struct machine *pc, uint8_t value)
{
	struct pit_channel *c = &pc->dev->pit[value >> 6 & 3];

	if (value >> 6 == 3) { /* read-back */
		for (unsigned i = 0; i < 3; i++) {
			c = &pc->dev->pit[i];
			if (!(value & 2 << i))
				continue;
			if (!(value & 0x20) && !c->latched) {
				c->latch = pit_count(pc, c);
				c->latched = true;
			}
			if (!(value & 0x10) && !c->status_latched) {
				c->status = (uint8_t)(pit_output(pc, c) << 7 | !c->counting << 6 |
				                      c->access << 4 | c->mode << 1);
				c->status_latched = true;
			}
		}
		return;
	}
	if (!(value & 0x30)) {
		if (!c->latched)
			c->latch = pit_count(pc, c);
		c->latched = true;
		return;
	}
	c->access = value >> 4 & 3;
	c->mode = value >> 1 & 7;
	if (c->mode > 5)
		c->mode &= 3;
	c->counting = c->latched = c->status_latched = false;
	c->write_high = c->read_high = false;
}

void pit_write(struct machine *pc, uint16_t port, uint8_t value)
{
	struct pit_channel *c = &pc->dev->pit[port & 3];

	if (pc->opt.faults.no_pit)
		return;
	if ((port & 3) == 3) {
		pit_control(pc, value);
	} else if (c->access == 1) {
		pit_start(pc, c, value);
	} else if (c->access == 2) {
		pit_start(pc, c, (uint16_t)(value << 8));
	} else if (!c->write_high) {
		c->low = value;
		c->write_high = true;
	} else {
		c->write_high = false;
		pit_start(pc, c, (uint16_t)(value << 8 | c->low));
	}
}

uint8_t pit_read(struct machine *pc, uint16_t port)
{
	struct pit_channel *c = &pc->dev->pit[port & 3];
	uint16_t count;
	bool high;

	if (pc->opt.faults.no_pit || (port & 3) == 3)
		return 0xff;
	if (c->status_latched) {
		c->status_latched = false;
		return c->status;
	}
	count = c->latched ? c->latch : pit_count(pc, c);
	high = c->access == 2 || (c->access == 3 && c->read_high);
	if (c->access == 3)
		c->read_high = !c->read_high;
	if (c->access != 3 || high)
		c->latched = false;
	return (uint8_t)(high ? count >> 8 : count);
}

/* Channel 0 is IRQ 0. */
void pit_update(struct machine *pc)
{
	struct pit_channel *c = &pc->dev->pit[0];
	uint64_t edges;

	if (!c->counting)
		return;
	edges = pit_elapsed(pc, c) / pit_period(c);
	if (!pit_periodic(c) && edges > 1)
		edges = 1;
	if (edges > c->fired) {
		c->fired = edges;
		if (hpet_replaces_8254(pc))
			return;
		pic_lower(pc, 0);
		pic_raise(pc, 0);
	}
}

uint64_t pit_next(const struct machine *pc)
{
	const struct pit_channel *c = &pc->dev->pit[0];

	if (!c->counting || (!pit_periodic(c) && c->fired) ||
	    (pc->dev->pic[0].imr & 1 && !ioapic_open(pc, PIN_TIMER)))
		return NEVER;
	return ticks_clock(pc, c->start + (c->fired + 1) * pit_period(c), PIT_HZ);
}

uint8_t pit_gate_read(struct machine *pc, uint16_t port)
{
	(void)port;
	if (pc->opt.faults.no_pit)
		return 0xff;
	/* bit 4: refresh, toggles every 15 us */
	return (uint8_t)(pc->dev->port61 | pit_output(pc, &pc->dev->pit[2]) << 5 |
	                 (ticks_at(pc, ticks_now(pc), 66667) & 1) << 4);
}

void pit_gate_write(struct machine *pc, uint16_t port, uint8_t value)
{
	(void)port;
	if (pc->opt.faults.no_pit)
		return;
	pc->dev->port61 = value & 15;
	pit_set_gate(pc, &pc->dev->pit[2], value & 1);
}

void pit_reset(struct machine *pc)
{
	struct pit_channel *c = pc->dev->pit;

	for (unsigned i = 0; i < 3; i++)
		c[i] = (struct pit_channel){ .mode = 3, .access = 3, .gate = i != 2 };
	c[0].counting = c[1].counting = true;
}
