/*
 * PCI configuration space by configuration mechanism #1 (PCI 3.0, section 3.2.2.3.2): the first 256
 * bytes of each function, PCI Express included, of segment 0. The mechanism of memory (ECAM) is not
 * needed: the kernel reads only these bytes.
 */
#ifndef KERNEL_CHIPSET_PCI_H
#define KERNEL_CHIPSET_PCI_H

#include <stdbool.h>
#include <stdint.h>

enum {
	PCI_COMMAND = 0x04,
	PCI_CLASS = 0x08, /* bits 31:16 class and subclass, 15:8 programming interface */
	PCI_BAR0 = 0x10,
	PCI_BARS = 6,
	PCI_IO_SPACE = 1 << 0, /* of the command register */
	PCI_MEMORY_SPACE = 1 << 1,
};

/* A function: bus in bits 23:16, device in 15:11, function in 10:8, as port CF8h takes it. */
uint32_t pci_read(uint32_t function, uint32_t reg);
void pci_write(uint32_t function, uint32_t reg, uint32_t v);

/*
 * Calls visit() for each function until visit() returns true; class is register PCI_CLASS. False:
 * no visit() returned true, or the machine has no PCI.
 */
bool pci_find(bool (*visit)(uint32_t function, uint32_t class));

/*
 * Returns the address in base address register `bar`, 0 if there is none; *io: it is an I/O port.
 * `bar` must not be the upper half of a 64-bit register (pci_bar_wide()).
 */
uint64_t pci_bar(uint32_t function, unsigned bar, bool *io);

/* Do this register and the next one together hold a 64-bit address? */
bool pci_bar_wide(uint32_t function, unsigned bar);

#endif
