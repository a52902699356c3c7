/*
 * Serial ports on PCI cards (kernel/console/pciport.h).
 */
#include "kernel/console/pciport.h"
#include "kernel/chipset/pci.h"
#include "kernel/chipset/phys.h"

enum {
	CLASS_SERIAL = 0x0700,
	CLASS_MULTIPORT = 0x0702,
	INTERFACE_16950 = 6, /* the last one that has the registers of an 8250 */
	PORT_BYTES = 8,
	PORTS_MAX = 8,    /* of a card that are tried */
	IO_LEAST = 0x200, /* the ports below belong to the mainboard */
	IO_END = 0x10000,
	COMMAND_BITS = 0xffff, /* the status above is cleared by ones */
};

static bool (*open_port)(const struct uart *port);
static uint32_t port_baud;

static void set_command(uint32_t function, uint32_t command)
{
	pci_write(function, PCI_COMMAND, command & COMMAND_BITS);
}

/* Ports behind an I/O register, which shows by the bits that can be written; decoding is off. */
static uint32_t io_size(uint32_t function, unsigned bar)
{
	uint32_t reg = PCI_BAR0 + 4 * bar, was = pci_read(function, reg), mask;
	uint32_t command = pci_read(function, PCI_COMMAND);

	set_command(function, command & ~(uint32_t)PCI_IO_SPACE);
	pci_write(function, reg, UINT32_MAX);
	mask = pci_read(function, reg) & 0xfffc;
	pci_write(function, reg, was);
	set_command(function, command);
	return mask ? (~mask & 0xffff) + 1 : 0;
}

static bool open_io(uint32_t function, uint64_t address)
{
	if (address < IO_LEAST || address > IO_END - PORT_BYTES)
		return false;
	return open_port(&(struct uart){ .stride = 1,
	                                 .address = (uint32_t)address,
	                                 .baud = port_baud,
	                                 .clock = UART_PC_CLOCK,
	                                 .pci = function });
}

/*
 * The only I/O register: 8 ports each. Its size is asked for if the first serial port is no good.
 */
static bool open_sequence(uint32_t function, unsigned bar)
{
	bool io;
	uint64_t base = pci_bar(function, bar, &io);
	uint32_t size;

	if (open_io(function, base))
		return true;
	size = io_size(function, bar);
	for (uint32_t n = 1; n < PORTS_MAX && (n + 1) * PORT_BYTES <= size; n++)
		if (open_io(function, base + n * PORT_BYTES))
			return true;
	return false;
}

/* Several I/O registers: those of 8 ports each, up to the first of another size. */
static bool open_registers(uint32_t function, unsigned bars)
{
	for (unsigned bar = 0; bar < PCI_BARS; bar++) {
		bool io;
		uint64_t base = pci_bar(function, bar, &io);

		if (!(bars >> bar & 1))
			continue;
		if (io_size(function, bar) != PORT_BYTES)
			return false;
		if (open_io(function, base))
			return true;
	}
	return false;
}

static bool open_memory(uint32_t function, uint64_t base)
{
	struct uart port = { .mmio = true, .stride = 1, .pci = function };

	if (!(pci_read(function, PCI_COMMAND) & PCI_MEMORY_SPACE) || base >= PHYS_LIMIT)
		return false;
	port.address = (uint32_t)base;
	if (open_port(&port))
		return true;
	port.stride = 4;
	return open_port(&port);
}

/* `bars`: bit n for register n, if that is one of I/O ports. */
static bool open_card(uint32_t function, unsigned bars)
{
	uint32_t command = pci_read(function, PCI_COMMAND);
	unsigned first = 0;
	bool taken;

	while (!(bars >> first & 1))
		first++;
	if (!(command & PCI_IO_SPACE))
		set_command(function, command | PCI_IO_SPACE);
	taken = bars == 1u << first ? open_sequence(function, first)
	                            : open_registers(function, bars);
	if (!taken && !(command & PCI_IO_SPACE))
		set_command(function, command);
	return taken;
}

static bool visit(uint32_t function, uint32_t class)
{
	unsigned kind = class >> 16, io_bars = 0;
	uint64_t memory = 0;

	if ((kind != CLASS_SERIAL && kind != CLASS_MULTIPORT) ||
	    (class >> 8 & 0xff) > INTERFACE_16950)
		return false;
	for (unsigned bar = 0; bar < PCI_BARS; bar++) {
		bool io;
		uint64_t base = pci_bar(function, bar, &io);

		if (io && base)
			io_bars |= 1u << bar;
		else if (!io && !memory)
			memory = base;
		bar += pci_bar_wide(function, bar);
	}
	if (io_bars)
		return open_card(function, io_bars);
	return memory && open_memory(function, memory);
}

bool pciport_find(uint32_t baud, bool (*open)(const struct uart *port))
{
	open_port = open;
	port_baud = baud;
	return pci_find(visit);
}
