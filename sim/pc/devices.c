/*
 * sim/pc/devices.c - ports: PIT (Intel 8254), interrupt controllers (8259A), CMOS clock (MC146818),
 * ACPI PM timer and power-off, keyboard controller as far as it resets, debug-exit ports.
 * Everything else is an open bus: reads give ones, writes are lost.
 */
#include <string.h>

#include "sim/machine.h"

enum { PIT_HZ = 1193182, PM_HZ = 3579545 };

uint64_t clock_ticks(const struct machine *pc, uint64_t clock, uint64_t hz)
{
	return (uint64_t)((unsigned __int128)clock * hz / (pc->model->tsc_khz * 1000ull));
}

uint64_t ticks_clock(const struct machine *pc, uint64_t ticks, uint64_t hz)
{
	unsigned __int128 n = (unsigned __int128)ticks * (pc->model->tsc_khz * 1000ull);

	return (uint64_t)((n + hz - 1) / hz);
}

static uint64_t now(const struct machine *pc)
{
	return pc->current->clock;
}

/* ---- 8254 ---- */

static uint64_t pit_now(const struct machine *pc)
{
	return clock_ticks(pc, now(pc), PIT_HZ);
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
	struct pit_channel *c = &pc->dev.pit[value >> 6 & 3];

	if (value >> 6 == 3) { /* read-back */
		for (unsigned i = 0; i < 3; i++) {
			c = &pc->dev.pit[i];
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

static void pit_write(struct machine *pc, uint16_t port, uint8_t value)
{
	struct pit_channel *c = &pc->dev.pit[port & 3];

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

static uint8_t pit_read(struct machine *pc, uint16_t port)
{
	struct pit_channel *c = &pc->dev.pit[port & 3];
	uint16_t count;
	bool high;

	if ((port & 3) == 3)
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
static void pit_update(struct machine *pc)
{
	struct pit_channel *c = &pc->dev.pit[0];
	uint64_t edges;

	if (!c->counting)
		return;
	edges = pit_elapsed(pc, c) / pit_period(c);
	if (!pit_periodic(c) && edges > 1)
		edges = 1;
	if (edges > c->fired) {
		c->fired = edges;
		pic_lower(pc, 0);
		pic_raise(pc, 0);
	}
}

static uint64_t pit_next(const struct machine *pc)
{
	const struct pit_channel *c = &pc->dev.pit[0];

	if (!c->counting || (!pit_periodic(c) && c->fired) || pc->dev.pic[0].imr & 1)
		return NEVER;
	return ticks_clock(pc, c->start + (c->fired + 1) * pit_period(c), PIT_HZ);
}

static uint8_t port61_read(struct machine *pc, uint16_t port)
{
	(void)port;
	/* bit 4: refresh, toggles every 15 us */
	return (uint8_t)(pc->dev.port61 | pit_output(pc, &pc->dev.pit[2]) << 5 |
	                 (clock_ticks(pc, now(pc), 66667) & 1) << 4);
}

static void port61_write(struct machine *pc, uint16_t port, uint8_t value)
{
	(void)port;
	pc->dev.port61 = value & 15;
	pit_set_gate(pc, &pc->dev.pit[2], value & 1);
}

/* ---- 8259A ---- */

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
	const struct pic *p = pc->dev.pic;
	uint8_t slave = pic_best(&p[1], p[1].irr) < 8 ? 4 : 0;

	return (uint8_t)((p[0].irr & ~4) | slave);
}

bool pic_pending(const struct machine *pc)
{
	return pic_best(&pc->dev.pic[0], master_requests(pc)) < 8;
}

/* The master's output may have changed. */
static void pic_output(struct machine *pc)
{
	bool level = pic_pending(pc);

	if (level && !pc->dev.pic_level) {
		pc->cpu[0].extint |= pc->opt.faults.extint;
		for (unsigned i = 0; i < pc->cpus; i++)
			apic_lint0(&pc->cpu[i]);
	}
	pc->dev.pic_level = level;
}

void pic_raise(struct machine *pc, unsigned irq)
{
	pc->dev.pic[irq >> 3].irr |= (uint8_t)(1 << (irq & 7));
	pic_output(pc);
	machine_wake(pc, NULL);
}

void pic_lower(struct machine *pc, unsigned irq)
{
	pc->dev.pic[irq >> 3].irr &= (uint8_t) ~(1 << (irq & 7));
	pic_output(pc);
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
	struct pic *p = pc->dev.pic;
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
	unsigned i = pic_best(p, p == pc->dev.pic ? master_requests(pc) : p->irr);

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

static uint8_t pic_read(struct machine *pc, uint16_t port)
{
	struct pic *p = &pc->dev.pic[port >> 7 & 1];

	if (port & 1)
		return p->imr;
	if (p->poll)
		return pic_polled(pc, p);
	return p->read_isr ? p->isr : p == pc->dev.pic ? master_requests(pc) : p->irr;
}

static void pic_write(struct machine *pc, uint16_t port, uint8_t value)
{
	struct pic *p = &pc->dev.pic[port >> 7 & 1];

	if (port & 1)
		pic_data(p, value);
	else
		pic_command(p, value);
	pic_output(pc);
	machine_wake(pc, NULL);
}

/* ---- CMOS clock: 1 January 2000, 00:00:00 at power-on ---- */

static uint8_t bcd(unsigned n)
{
	return (uint8_t)(n / 10 * 16 + n % 10);
}

static uint8_t cmos_clock(const struct machine *pc, uint8_t index)
{
	uint64_t seconds = clock_ticks(pc, now(pc), 1);
	uint64_t days = seconds / 86400;
	unsigned hour = (unsigned)(seconds / 3600 % 24);
	unsigned value;

	switch (index) {
	case 0:
		value = (unsigned)(seconds % 60);
		break;
	case 2:
		value = (unsigned)(seconds / 60 % 60);
		break;
	case 4:
		value = hour;
		break;
	case 6:
		value = (unsigned)((days + 6) % 7 + 1); /* it was a Saturday */
		break;
	case 7:
		value = (unsigned)(days % 31 + 1);
		break;
	default:
		return index == 8 ? 1 : 0; /* January 2000: nobody simulates longer */
	}
	return pc->dev.cmos_b & 4 ? (uint8_t)value : bcd(value);
}

static uint8_t cmos_data(const struct machine *pc)
{
	uint64_t in_second = clock_ticks(pc, now(pc), 1000000) % 1000000;
	uint64_t kb = pc->ram_size / 1024 - 1024;

	switch (pc->dev.cmos_index) {
	case 0x0a: /* update in progress: the last 2.2 ms of a second */
		return 0x26 | (in_second >= 997772 ? 0x80 : 0);
	case 0x0b:
		return pc->dev.cmos_b;
	case 0x0c:
		return 0;
	case 0x0d:
		return 0x80;
	case 0x15:
		return 640 & 0xff;
	case 0x16:
		return 640 >> 8;
	case 0x17:
	case 0x30:
		return (uint8_t)(kb > 65535 ? 255 : kb);
	case 0x18:
	case 0x31:
		return (uint8_t)((kb > 65535 ? 65535 : kb) >> 8);
	case 0x32:
		return 0x20;
	default:
		return pc->dev.cmos_index < 10 ? cmos_clock(pc, pc->dev.cmos_index) : 0;
	}
}

static uint8_t cmos_read(struct machine *pc, uint16_t port)
{
	return port & 1 ? cmos_data(pc) : 0xff;
}

static void cmos_write(struct machine *pc, uint16_t port, uint8_t value)
{
	if (!(port & 1))
		pc->dev.cmos_index = value & 0x7f;
	else if (pc->dev.cmos_index == 0x0b)
		pc->dev.cmos_b = value;
}

/* ---- Ends of the run ---- */

static uint8_t keyboard_read(struct machine *pc, uint16_t port)
{
	(void)pc;
	return port == 0x64 ? 0x1c : 0; /* nothing typed, ready for a command */
}

static void keyboard_write(struct machine *pc, uint16_t port, uint8_t value)
{
	if (port == 0x64 && value == 0xfe)
		machine_end(pc, END_RESET, "reset by the keyboard controller");
}

static uint8_t port92_read(struct machine *pc, uint16_t port)
{
	(void)pc;
	(void)port;
	return 2; /* A20 is on */
}

static void port92_write(struct machine *pc, uint16_t port, uint8_t value)
{
	(void)port;
	if (value & 1)
		machine_end(pc, END_RESET, "reset by port 92h");
}

static void exit_write(struct machine *pc, uint16_t port, uint8_t value)
{
	(void)port;
	pc->exit_code = value << 1 | 1;
	machine_end(pc, END_EXIT, "debug exit with code %d", pc->exit_code);
}

/* Bochs: the word, one letter after the other. */
static void shutdown_write(struct machine *pc, uint16_t port, uint8_t value)
{
	static const char word[] = "Shutdown";

	(void)port;
	if (value != word[pc->dev.shutdown_match])
		pc->dev.shutdown_match = 0;
	if (value == word[pc->dev.shutdown_match] && !word[++pc->dev.shutdown_match]) {
		pc->dev.shutdown_match = 0;
		machine_end(pc, END_POWEROFF, "shut down through port 8900h");
	}
}

/* ---- ACPI: PM1 event block 600h, control 604h, timer 608h ---- */

static uint32_t acpi_read(struct machine *pc, uint16_t port, unsigned size)
{
	uint64_t value = 0;

	if (port >= 0x608)
		value = (clock_ticks(pc, now(pc), PM_HZ) & 0xffffff) >> 8 * (port & 3);
	else if (port >= 0x604)
		value = (pc->dev.pm_control | 1u) >> 8 * (port & 3);
	else if (port == 0x602)
		value = pc->dev.pm_enable;
	return (uint32_t)(size == 4 ? value : value & ((1u << 8 * size) - 1));
}

static void acpi_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value)
{
	(void)size;
	if (port == 0x604) {
		pc->dev.pm_control = (uint16_t)(value & ~0x2000u);
		if (value & 0x2000)
			machine_end(pc, END_POWEROFF, "ACPI sleep state entered");
	}
	if (port == 0x602)
		pc->dev.pm_enable = (uint16_t)value;
}

static uint32_t pci_read(struct machine *pc, uint16_t port, unsigned size)
{
	if (port == 0xcf8 && size == 4)
		return pc->dev.pci_address;
	return 0xffffffff; /* no device answers */
}

static void pci_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value)
{
	if (port == 0xcf8 && size == 4)
		pc->dev.pci_address = value;
	if (port == 0xcf9 && size == 1 && value & 4)
		machine_end(pc, END_RESET, "reset by port CF9h");
}

/* ---- The bus ---- */

struct port_row {
	uint16_t first, last;
	uint8_t (*read)(struct machine *pc, uint16_t port);
	void (*write)(struct machine *pc, uint16_t port, uint8_t value);
	/* instead of those, for devices that know about access sizes */
	uint32_t (*read_any)(struct machine *pc, uint16_t port, unsigned size);
	void (*write_any)(struct machine *pc, uint16_t port, unsigned size, uint32_t value);
};

static const struct port_row port_rows[] = {
	{ 0x3f8, 0x3ff, uart_read, uart_write, NULL, NULL },
	{ 0x20, 0x21, pic_read, pic_write, NULL, NULL },
	{ 0xa0, 0xa1, pic_read, pic_write, NULL, NULL },
	{ 0x40, 0x43, pit_read, pit_write, NULL, NULL },
	{ 0x60, 0x60, keyboard_read, keyboard_write, NULL, NULL },
	{ 0x64, 0x64, keyboard_read, keyboard_write, NULL, NULL },
	{ 0x61, 0x61, port61_read, port61_write, NULL, NULL },
	{ 0x70, 0x71, cmos_read, cmos_write, NULL, NULL },
	{ 0x92, 0x92, port92_read, port92_write, NULL, NULL },
	{ 0xf4, 0xf4, NULL, exit_write, NULL, NULL },
	{ 0x8900, 0x8900, NULL, shutdown_write, NULL, NULL },
	{ 0x600, 0x60b, NULL, NULL, acpi_read, acpi_write },
	{ 0xcf8, 0xcff, NULL, NULL, pci_read, pci_write },
};

static const struct port_row *find_port(uint16_t port)
{
	for (unsigned i = 0; i < sizeof(port_rows) / sizeof(port_rows[0]); i++)
		if (port >= port_rows[i].first && port <= port_rows[i].last)
			return &port_rows[i];
	return NULL;
}

uint32_t port_read(struct machine *pc, uint16_t port, unsigned size)
{
	const struct port_row *row = find_port(port);
	uint32_t value = 0;

	devices_update(pc);
	if (row && row->read_any)
		return row->read_any(pc, port, size);
	for (unsigned i = 0; i < size; i++, port++) {
		row = find_port(port);
		value |= (uint32_t)(row && row->read ? row->read(pc, port) : 0xff) << 8 * i;
	}
	return value;
}

void port_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value)
{
	const struct port_row *row = find_port(port);

	devices_update(pc);
	if (row && row->write_any) {
		row->write_any(pc, port, size, value);
		return;
	}
	for (unsigned i = 0; i < size; i++, port++) {
		row = find_port(port);
		if (row && row->write)
			row->write(pc, port, (uint8_t)(value >> 8 * i));
	}
}

/* As a BIOS leaves them: 18.2 Hz on IRQ 0, vectors 8 and 70h. */
void devices_reset(struct machine *pc)
{
	struct devices *d = &pc->dev;
	const struct uart input = d->uart;

	memset(d, 0, sizeof(*d));
	d->uart.input = input.input;
	d->uart.input_size = input.input_size;
	uart_reset(pc);
	for (unsigned i = 0; i < 3; i++)
		d->pit[i] = (struct pit_channel){ .mode = 3, .access = 3, .gate = i != 2 };
	d->pit[0].counting = d->pit[1].counting = true;
	d->pic[0] = (struct pic){ .base = 8, .imr = 0xb8 };
	d->pic[1] = (struct pic){ .base = 0x70, .imr = 0x8f };
	d->cmos_b = 2;
}

void devices_update(struct machine *pc)
{
	pit_update(pc);
	uart_update(pc);
}

uint64_t devices_next(const struct machine *pc)
{
	uint64_t pit = pit_next(pc), uart = uart_next(pc);

	return pit < uart ? pit : uart;
}
