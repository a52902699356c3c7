/*
 * sim/pc/pic.c - the two interrupt controllers (Intel 8259A).
 */
#include "sim/pc/pic.h"

#include "sim/cpu/apic.h"
#include "sim/cpu/machine.h"
#include "sim/pc/ioapic.h"
#include "sim/pc/state.h"

/* The request that beats what is in service, 8: none. */
static unsigned pic_best(const struct pic *p, uint8_t irr)
{
	for (unsigned i = 0; i < 8; i++) {
		if (p->isr >> i & 1)
			return 8;
		if ((irr & ~p->imr) >> i & 1)
			return i;
	}
	return 8;
}

static uint8_t master_requests(const struct machine *pc)
{
	const struct pic *p = pc->dev->pic;
	uint8_t slave = pic_best(&p[1], p[1].irr) < 8 ? 4 : 0;

	return (uint8_t)((p[0].irr & ~4) | slave);
}

bool pic_pending(const struct machine *pc)
{
	return pic_best(&pc->dev->pic[0], master_requests(pc)) < 8;
}

/* The master's output may have changed. */
static void pic_output(struct machine *pc)
{
	bool level = pic_pending(pc);

	if (level && !pc->dev->pic_level) {
		pc->cpu[0].pending.extint |= pc->opt.faults.extint;
		for (unsigned i = 0; i < pc->cpus; i++)
			apic_lint0(&pc->cpu[i]);
	}
	ioapic_line(pc, PIN_8259, level);
	pc->dev->pic_level = level;
}

void pic_raise(struct machine *pc, unsigned irq)
{
	pc->dev->pic[irq >> 3].irr |= (uint8_t)(1 << (irq & 7));
	pic_output(pc);
	ioapic_line(pc, irq ? irq : PIN_TIMER, true);
	machine_wake(pc, NULL);
}

void pic_lower(struct machine *pc, unsigned irq)
{
	pc->dev->pic[irq >> 3].irr &= (uint8_t) ~(1 << (irq & 7));
	pic_output(pc);
	ioapic_line(pc, irq ? irq : PIN_TIMER, false);
}

static uint8_t pic_take(struct pic *p, unsigned i)
{
	if (i > 7)
		return (uint8_t)(p->base + 7); /* spurious */
	p->irr &= (uint8_t) ~(1 << i);
	if (!p->auto_eoi)
		p->isr |= (uint8_t)(1 << i);
	return (uint8_t)(p->base + i);
}

uint8_t pic_acknowledge(struct machine *pc)
{
	struct pic *p = pc->dev->pic;
	unsigned i = pic_best(&p[0], master_requests(pc));
	uint8_t vector = pic_take(&p[0], i);

	if (i == 2)
		vector = pic_take(&p[1], pic_best(&p[1], p[1].irr));
	pic_output(pc);
	return vector;
}

/* What a read after the poll command gives; it takes the request as an acknowledge cycle does. */
static uint8_t pic_polled(struct machine *pc, struct pic *p)
{
	unsigned i = pic_best(p, p == pc->dev->pic ? master_requests(pc) : p->irr);

	p->poll = false;
	if (i > 7)
		return 7;
	pic_take(p, i);
	pic_output(pc);
	return (uint8_t)(0x80 | i);
}

static void pic_end(struct pic *p, uint8_t ocw2)
{
	if (ocw2 & 0x40) { /* specific */
		p->isr &= (uint8_t) ~(1 << (ocw2 & 7));
		return;
	}
	p->isr &= (uint8_t)(p->isr - 1); /* highest priority is the lowest bit */
}

static void pic_command(struct pic *p, uint8_t value)
{
	if (value & 0x10) {
		*p = (struct pic){ .base = p->base, .icw = 2 };
		p->auto_eoi = false;
		p->icw |= (uint8_t)((value & 1) << 4 | (value & 2) << 4);
	} else if (value & 8) {
		p->poll = value & 4;
		if (value & 2)
			p->read_isr = value & 1;
	} else if (value & 0x20) {
		pic_end(p, value);
	}
}

/* icw: low bits which word comes next, 0 none; bit 4: ICW4 will come, bit 5: no ICW3. */
static void pic_data(struct pic *p, uint8_t value)
{
	switch (p->icw & 7) {
	case 2:
		p->base = value & 0xf8;
		if (!(p->icw & 0x20))
			p->icw = (uint8_t)((p->icw & 0xf0) | 3);
		else
			p->icw = p->icw & 0x10 ? 4 : 0;
		break;
	case 3:
		p->icw = p->icw & 0x10 ? 4 : 0;
		break;
	case 4:
		p->auto_eoi = value & 2;
		p->icw = 0;
		break;
	default:
		p->imr = value;
		break;
	}
}

uint8_t pic_read(struct machine *pc, uint16_t port)
{
	struct pic *p = &pc->dev->pic[port >> 7 & 1];

	if (port & 1)
		return p->imr;
	if (p->poll)
		return pic_polled(pc, p);
	return p->read_isr ? p->isr : p == pc->dev->pic ? master_requests(pc) : p->irr;
}

void pic_write(struct machine *pc, uint16_t port, uint8_t value)
{
	struct pic *p = &pc->dev->pic[port >> 7 & 1];

	if (port & 1)
		pic_data(p, value);
	else
		pic_command(p, value);
	pic_output(pc);
	machine_wake(pc, NULL);
}

void pic_reset(struct machine *pc)
{
	pc->dev->pic[0] = (struct pic){ .base = 8, .imr = 0xb8 };
	pc->dev->pic[1] = (struct pic){ .base = 0x70, .imr = 0x8f };
}
