/*
 * sim/pc/pci.c - configuration space of the PCI bus.
 *
 * On bus 0 there are the host bridge of an 82441FX (Intel 290549), the ISA bridge of a PIIX3
 * (290550) and the power management of a PIIX4 (290562), with the numbers that QEMU's machine `pc`
 * gives them. A function is its rows: what has no row reads 0.
 */
#include "sim/pc/pci.h"

#include "sim/cpu/machine.h"
#include "sim/pc/state.h"

enum { ADDRESS = 0xcf8, RESET = 0xcf9, DATA = 0xcfc };

/* Device times 8 plus function, on bus 0. */
enum { HOST = 0x00, ISA = 0x08, POWER = 0x0b };

struct config_row {
	uint8_t function;
	uint8_t reg; /* a multiple of 4 */
	uint32_t reset, writable;
};

static const struct config_row rows[] = {
	{ HOST, 0x00, 0x12378086, 0 },     /* device, vendor */
	{ HOST, 0x04, 0x02000006, 0x140 }, /* status: medium DEVSEL; command */
	{ HOST, 0x08, 0x06000002, 0 },     /* class, revision */
	{ ISA, 0x00, 0x70008086, 0 },
	{ ISA, 0x04, 0x02000007, 0x8 }, /* special cycles can be switched */
	{ ISA, 0x08, 0x06010000, 0 },
	{ ISA, 0x0c, 0x00800000, 0 },   /* more functions follow */
	{ ISA, 0x60, 0x80808080, ~0u }, /* no PIRQ goes anywhere */
	{ POWER, 0x00, 0x71138086, 0 },
	{ POWER, 0x04, 0x02800001, 0x1 }, /* I/O space */
	{ POWER, 0x08, 0x06800003, 0 },
	{ POWER, 0x3c, 0x00000109, 0xff },   /* INTA#, which is IRQ 9 */
	{ POWER, 0x40, 0x00000601, 0xffc0 }, /* PMBASE: 600h */
	{ POWER, 0x80, 0x00000001, 0 },      /* PMREGMISC: decoded */
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
_Static_assert((int)ROWS <= (int)PCI_REGISTERS, "struct devices has room for each register");

void pci_reset(struct machine *pc)
{
	pc->dev->pci_address = 0;
	for (unsigned i = 0; i < ROWS; i++)
		pc->dev->pci[i] = rows[i].reset;
}

/* The row of the register that CF8h selects: its number, -1 no such register. */
static int selected(const struct machine *pc, bool *exists)
{
	uint32_t address = pc->dev->pci_address;

	*exists = false;
	if (!(address >> 31) || address >> 16 & 0xff)
		return -1;
	for (unsigned i = 0; i < ROWS; i++) {
		if (rows[i].function != (address >> 8 & 0xff))
			continue;
		*exists = true;
		if (rows[i].reg == (address & 0xfc))
			return (int)i;
	}
	return -1;
}

static uint32_t bytes(unsigned size)
{
	return size == 4 ? UINT32_MAX : (1u << 8 * size) - 1;
}

uint32_t pci_read(struct machine *pc, uint16_t port, unsigned size)
{
	bool exists;
	int row;

	if (port == ADDRESS && size == 4)
		return pc->dev->pci_address;
	if (port < DATA)
		return bytes(size);
	row = selected(pc, &exists);
	if (row < 0)
		return exists ? 0 : bytes(size);
	return pc->dev->pci[row] >> 8 * (port & 3) & bytes(size);
}

void pci_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value)
{
	bool exists;
	int row;

	if (port == ADDRESS && size == 4)
		pc->dev->pci_address = value & 0x80fffffc;
	if (port == RESET && size == 1 && value & 4)
		machine_end(pc, END_RESET, "reset by port CF9h");
	if (port < DATA)
		return;
	row = selected(pc, &exists);
	if (row >= 0) {
		uint32_t mask = rows[row].writable & bytes(size) << 8 * (port & 3);
		uint32_t *reg = &pc->dev->pci[row];

		*reg = (*reg & ~mask) | (value << 8 * (port & 3) & mask);
	}
}
