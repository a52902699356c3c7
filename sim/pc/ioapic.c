/*
 * sim/pc/ioapic.c - the I/O APIC (Intel 82093AA, 290566, chapter 3).
 */
#include "sim/pc/ioapic.h"

#include "sim/cpu/apic.h"
#include "sim/cpu/machine.h"
#include "sim/pc/state.h"

enum { SELECT = 0x00, WINDOW = 0x10 };
enum { REG_ID, REG_VERSION, REG_ARBITRATION, REG_TABLE = 0x10 };
enum { VERSION = (IOAPIC_PINS - 1) << 16 | 0x11 };

/* A redirection entry, low half. The high half has the destination in bits 31:24. */
enum {
	E_LOGICAL = 1 << 11,
	E_REMOTE_IRR = 1 << 14,
	E_LEVEL = 1 << 15,
	E_MASKED = 1 << 16,
	E_WRITABLE = 0x1afff,
};

void ioapic_reset(struct machine *pc)
{
	struct ioapic *io = &pc->dev->ioapic;

	*io = (struct ioapic){ .id = (uint8_t)pc->cpus };
	for (unsigned i = 0; i < IOAPIC_PINS; i++)
		io->entry[i][0] = E_MASKED;
}

static void send(struct machine *pc, unsigned pin)
{
	const uint32_t *e = pc->dev->ioapic.entry[pin];

	apic_message(pc, &(struct apic_message){ .destination = (uint8_t)(e[1] >> 24),
	                                         .logical = e[0] & E_LOGICAL,
	                                         .mode = e[0] >> 8 & 7,
	                                         .vector = (uint8_t)e[0],
	                                         .level = e[0] & E_LEVEL });
}

/* A level is sent once, and again after the end of the interrupt. */
static void send_level(struct machine *pc, unsigned pin)
{
	uint32_t *e = &pc->dev->ioapic.entry[pin][0];

	if (!(pc->dev->ioapic.lines >> pin & 1) || *e & (E_MASKED | E_REMOTE_IRR) ||
	    !(*e & E_LEVEL))
		return;
	*e |= E_REMOTE_IRR;
	send(pc, pin);
}

void ioapic_line(struct machine *pc, unsigned pin, bool level)
{
	struct ioapic *io = &pc->dev->ioapic;
	bool rises = level && !(io->lines >> pin & 1);

	io->lines = (io->lines & ~(1u << pin)) | (uint32_t)level << pin;
	if (io->entry[pin][0] & E_LEVEL)
		send_level(pc, pin);
	else if (rises && !(io->entry[pin][0] & E_MASKED))
		send(pc, pin);
}

void ioapic_end_of_interrupt(struct machine *pc, uint8_t vector)
{
	for (unsigned i = 0; i < IOAPIC_PINS; i++) {
		uint32_t *e = &pc->dev->ioapic.entry[i][0];

		if ((uint8_t)*e != vector || !(*e & E_REMOTE_IRR))
			continue;
		*e &= ~(uint32_t)E_REMOTE_IRR;
		send_level(pc, i);
	}
}

bool ioapic_open(const struct machine *pc, int pin)
{
	for (int i = 0; i < IOAPIC_PINS; i++)
		if ((pin < 0 || i == pin) && !(pc->dev->ioapic.entry[i][0] & E_MASKED))
			return true;
	return false;
}

bool ioapic_unmaskable(const struct machine *pc)
{
	for (unsigned i = 0; i < IOAPIC_PINS; i++) {
		uint32_t e = pc->dev->ioapic.entry[i][0];
		unsigned mode = e >> 8 & 7;

		if (!(e & E_MASKED) && mode > 1 && mode < 7) /* neither fixed, lowest nor ExtINT */
			return true;
	}
	return false;
}

uint32_t ioapic_read(struct machine *pc, uint32_t offset)
{
	const struct ioapic *io = &pc->dev->ioapic;
	unsigned n = io->select - REG_TABLE;

	if (offset == SELECT)
		return io->select;
	if (offset != WINDOW)
		return 0;
	if (io->select == REG_ID || io->select == REG_ARBITRATION)
		return (uint32_t)io->id << 24;
	if (io->select == REG_VERSION)
		return VERSION;
	return n < 2 * IOAPIC_PINS ? io->entry[n / 2][n & 1] : 0;
}

void ioapic_write(struct machine *pc, uint32_t offset, uint32_t value)
{
	struct ioapic *io = &pc->dev->ioapic;
	unsigned n = io->select - REG_TABLE;

	if (offset == SELECT)
		io->select = (uint8_t)value;
	if (offset != WINDOW)
		return;
	if (io->select == REG_ID)
		io->id = value >> 24 & 15;
	if (n >= 2 * IOAPIC_PINS)
		return;
	if (n & 1) {
		io->entry[n / 2][1] = value & 0xff000000;
		return;
	}
	value &= E_WRITABLE;
	if (value & E_LEVEL) /* an edge has no state to keep */
		value |= io->entry[n / 2][0] & E_REMOTE_IRR;
	io->entry[n / 2][0] = value;
	send_level(pc, n / 2);
	machine_wake(pc, NULL); /* a line that was masked may matter now */
}
