/*
 * sim/pc/devices.c - the bus: which port belongs to which device. The small devices are here too:
 * ACPI PM timer and power-off, the keyboard controller as far as it resets, the debug-exit ports.
 * Everything else is an open bus: reads give ones, writes are lost.
 */
#include "sim/pc/devices.h"

#include <stdlib.h>
#include <string.h>

#include "sim/cpu/machine.h"
#include "sim/pc/cmos.h"
#include "sim/pc/fw_cfg.h"
#include "sim/pc/hpet.h"
#include "sim/pc/ioapic.h"
#include "sim/pc/pci.h"
#include "sim/pc/pic.h"
#include "sim/pc/pit.h"
#include "sim/pc/state.h"
#include "sim/pc/ticks.h"
#include "sim/pc/uart.h"

enum { PM_HZ = 3579545 };

static void update(struct machine *pc)
{
	pit_update(pc);
	uart_update(pc);
	if (pc->opt.hpet)
		hpet_update(pc);
}

/* ---- The CRT controller, as far as its registers keep what is written ---- */

static uint8_t crtc_read(struct machine *pc, uint16_t port)
{
	struct devices *dev = pc->dev;

	if (pc->opt.screen.width)
		return 0xff; /* a framebuffer without VGA */
	return port & 1 ? dev->crtc[dev->crtc_index % sizeof(dev->crtc)] : dev->crtc_index;
}

static void crtc_write(struct machine *pc, uint16_t port, uint8_t value)
{
	struct devices *dev = pc->dev;

	if (port & 1)
		dev->crtc[dev->crtc_index % sizeof(dev->crtc)] = value;
	else
		dev->crtc_index = value;
}

/* ---- Ends of the run ---- */

/* A guest without a serial line that looks this often waits for keys that never come. */
enum { KEYBOARD_LOOKS = 100 };

/* Status: 1Ch and whether there is a byte; it is ready for a command. Data: the byte. */
static uint8_t keyboard_read(struct machine *pc, uint16_t port)
{
	struct keyboard *k = &pc->dev->keyboard;

	if (port == 0x60) {
		k->full = false;
		return k->byte;
	}
	if (!k->full && pc->opt.faults.uart == UART_ABSENT && !pc->opt.wait_for_input &&
	    ++k->looks == KEYBOARD_LOOKS)
		machine_end(pc, END_IDLE, "the guest waits for keys, and there is no keyboard");
	return k->full ? 0x1d : 0x1c;
}

static void keyboard_answer(struct keyboard *k, uint8_t byte)
{
	k->byte = byte;
	k->full = true;
}

static void keyboard_write(struct machine *pc, uint16_t port, uint8_t value)
{
	struct keyboard *k = &pc->dev->keyboard;

	if (port == 0x64 && value == 0xfe)
		machine_end(pc, END_RESET, "reset by the keyboard controller");
	if (port == 0x64 && value == 0x20)
		keyboard_answer(k, 0x65); /* as a BIOS leaves the mode; what is written is lost */
	else if (port == 0x60 && k->command != 0x60)
		keyboard_answer(k, 0xfa); /* the keyboard takes whatever it is told */
	k->command = port == 0x64 ? value : 0;
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
	machine_end(pc, END_EXIT, "the guest wrote %02xh to the debug-exit port", value);
}

/* Bochs: the word, one letter after the other. */
static void shutdown_write(struct machine *pc, uint16_t port, uint8_t value)
{
	static const char word[] = "Shutdown";

	(void)port;
	if (value != word[pc->dev->shutdown_match])
		pc->dev->shutdown_match = 0;
	if (value == word[pc->dev->shutdown_match] && !word[++pc->dev->shutdown_match]) {
		pc->dev->shutdown_match = 0;
		machine_end(pc, END_POWEROFF, "shut down through port 8900h");
	}
}

/* ---- ACPI: PM1 event block 600h, control 604h, timer 608h ---- */

/*
 * The PIIX4 does not latch the timer: a read at a change shows some bits of another tick (Linux
 * drivers/clocksource/acpi_pm.c). Here a read in 25 has such a bit.
 */
static uint64_t pm_timer(const struct machine *pc)
{
	uint64_t ticks = ticks_at(pc, ticks_now(pc), PM_HZ);

	if (pc->opt.faults.pm_glitch && ++pc->dev->pm_reads % 25 == 0)
		ticks ^= 0x800;
	return ticks & 0xffffff;
}

static uint32_t acpi_read(struct machine *pc, uint16_t port, unsigned size)
{
	uint64_t value = 0;

	if (port >= 0x608)
		value = pm_timer(pc) >> 8 * (port & 3);
	else if (port >= 0x604)
		value = (pc->dev->pm_control | 1u) >> 8 * (port & 3);
	else if (port == 0x602)
		value = pc->dev->pm_enable;
	return (uint32_t)(size == 4 ? value : value & ((1u << 8 * size) - 1));
}

static void acpi_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value)
{
	(void)size;
	if (port == 0x604) {
		pc->dev->pm_control = (uint16_t)(value & ~0x2000u);
		if (value & 0x2000)
			machine_end(pc, END_POWEROFF, "ACPI sleep state entered");
	}
	if (port == 0x602)
		pc->dev->pm_enable = (uint16_t)value;
}

/* Codes of a power-on self-test. --fault cpus=busy: the other processors wake up. */
static void post_write(struct machine *pc, uint16_t port, uint8_t value)
{
	(void)port;
	(void)value;
	for (unsigned i = 1; pc->opt.faults.cpus == CPUS_BUSY && i < pc->cpus; i++)
		pc->cpu[i].pending.sipi_due = pc->current->clock;
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
	{ 0x61, 0x61, pit_gate_read, pit_gate_write, NULL, NULL },
	{ 0x70, 0x71, cmos_read, cmos_write, NULL, NULL },
	{ 0x80, 0x80, NULL, post_write, NULL, NULL },
	{ 0x92, 0x92, port92_read, port92_write, NULL, NULL },
	{ 0x3d4, 0x3d5, crtc_read, crtc_write, NULL, NULL },
	{ 0xf4, 0xf4, NULL, exit_write, NULL, NULL },
	{ 0x8900, 0x8900, NULL, shutdown_write, NULL, NULL },
	{ 0x600, 0x60b, NULL, NULL, acpi_read, acpi_write },
	{ 0xcf8, 0xcff, NULL, NULL, pci_read, pci_write },
	{ 0x510, 0x511, NULL, NULL, fw_cfg_read, fw_cfg_write },
};

static const struct port_row *find_port(uint16_t port)
{
	for (unsigned i = 0; i < sizeof(port_rows) / sizeof(port_rows[0]); i++)
		if (port >= port_rows[i].first && port <= port_rows[i].last)
			return &port_rows[i];
	return NULL;
}

static uint32_t port_read(struct machine *pc, uint16_t port, unsigned size)
{
	const struct port_row *row = find_port(port);
	uint32_t value = 0;

	update(pc);
	if (row && row->read_any)
		return row->read_any(pc, port, size);
	for (unsigned i = 0; i < size; i++, port++) {
		row = find_port(port);
		value |= (uint32_t)(row && row->read ? row->read(pc, port) : 0xff) << 8 * i;
	}
	return value;
}

static void port_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value)
{
	const struct port_row *row = find_port(port);

	update(pc);
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

static uint32_t memory_read(struct machine *pc, uint64_t physical, unsigned size)
{
	update(pc);
	if (pc->model->flags & MODEL_APIC && physical - IOAPIC_AT < IOAPIC_SIZE && size == 4)
		return ioapic_read(pc, (uint32_t)(physical - IOAPIC_AT));
	if (pc->opt.hpet && physical - HPET_AT < HPET_SIZE && size == 4)
		return hpet_read(pc, (uint32_t)(physical - HPET_AT));
	return UINT32_MAX;
}

static void memory_write(struct machine *pc, uint64_t physical, unsigned size, uint32_t value)
{
	update(pc);
	if (pc->model->flags & MODEL_APIC && physical - IOAPIC_AT < IOAPIC_SIZE && size == 4)
		ioapic_write(pc, (uint32_t)(physical - IOAPIC_AT), value);
	if (pc->opt.hpet && physical - HPET_AT < HPET_SIZE && size == 4)
		hpet_write(pc, (uint32_t)(physical - HPET_AT), value);
}

static bool sends(const struct machine *pc, bool any)
{
	return any ? ioapic_open(pc, -1) : ioapic_unmaskable(pc);
}

static uint64_t next(const struct machine *pc)
{
	uint64_t pit = pit_next(pc), uart = uart_next(pc), next = pit < uart ? pit : uart;
	uint64_t hpet = pc->opt.hpet ? hpet_next(pc) : NEVER;

	return next < hpet ? next : hpet;
}

const struct bus devices_bus = {
	.read = port_read,
	.write = port_write,
	.memory_read = memory_read,
	.memory_write = memory_write,
	.end_of_interrupt = ioapic_end_of_interrupt,
	.sends = sends,
	.interrupt = pic_pending,
	.acknowledge = pic_acknowledge,
	.update = update,
	.next = next,
};

/* ---- All of them ---- */

bool devices_open(struct machine *pc)
{
	pc->dev = calloc(1, sizeof(*pc->dev));
	pc->bus = &devices_bus;
	return pc->dev;
}

void devices_close(struct machine *pc)
{
	fw_cfg_close(pc);
	free(pc->dev);
	pc->dev = NULL;
}

void devices_reset(struct machine *pc)
{
	struct devices *d = pc->dev;
	const struct uart input = d->uart;
	const struct fw_cfg files = d->fw_cfg;

	memset(d, 0, sizeof(*d));
	d->fw_cfg = files;
	d->uart.input = input.input;
	d->uart.input_size = input.input_size;
	d->uart.typed = pc->opt.typed;
	uart_reset(pc);
	pit_reset(pc);
	pic_reset(pc);
	pci_reset(pc);
	ioapic_reset(pc);
	d->cmos_b = 2;
}
