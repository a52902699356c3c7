/*
 * PCI configuration space (kernel/chipset/pci.h).
 */
#include "kernel/chipset/pci.h"
#include "kernel/cpu/x86.h"

enum {
	PORT_ADDRESS = 0xcf8,
	PORT_DATA = 0xcfc,
	PCI_ID = 0x00,
	PCI_HEADER = 0x0c,
	PCI_MULTI_FUNCTION = 0x800000,
	BAR_IO = 1,
	BAR_TYPE = 7, /* with bit 0: a 64-bit address has 100b here */
	BAR_64 = 4,
	BUSES = 256,
};
#define ENABLE 0x80000000u
#define ABSENT 0xffffffffu

uint32_t pci_read(uint32_t function, uint32_t reg)
{
	x86_outl(PORT_ADDRESS, ENABLE | function | (reg & 0xfc));
	return x86_inl(PORT_DATA);
}

void pci_write(uint32_t function, uint32_t reg, uint32_t v)
{
	x86_outl(PORT_ADDRESS, ENABLE | function | (reg & 0xfc));
	x86_outl(PORT_DATA, v);
}

/* The mechanism answers with what was written; machines without PCI do not. */
static bool present(void)
{
	x86_outl(PORT_ADDRESS, ENABLE);
	return x86_inl(PORT_ADDRESS) == ENABLE;
}

bool pci_find(bool (*visit)(uint32_t function, uint32_t class))
{
	if (!present())
		return false;
	for (uint32_t slot = 0; slot < BUSES * 32; slot++) {
		unsigned functions = 1;

		if (pci_read(slot << 11, PCI_ID) == ABSENT)
			continue;
		if (pci_read(slot << 11, PCI_HEADER) & PCI_MULTI_FUNCTION)
			functions = 8;
		for (uint32_t f = 0; f < functions; f++) {
			uint32_t function = slot << 11 | f << 8;

			if (pci_read(function, PCI_ID) != ABSENT &&
			    visit(function, pci_read(function, PCI_CLASS)))
				return true;
		}
	}
	return false;
}

bool pci_bar_wide(uint32_t function, unsigned bar)
{
	return bar + 1 < PCI_BARS && (pci_read(function, PCI_BAR0 + 4 * bar) & BAR_TYPE) == BAR_64;
}

uint64_t pci_bar(uint32_t function, unsigned bar, bool *io)
{
	uint32_t low = pci_read(function, PCI_BAR0 + 4 * bar);
	uint64_t high = 0;

	*io = low & BAR_IO;
	if (*io)
		return low & ~3u; /* bit 1 is reserved */
	if (pci_bar_wide(function, bar))
		high = pci_read(function, PCI_BAR0 + 4 * bar + 4);
	return high << 32 | (low & ~0xfu);
}
