/*
 * sim/pc/pci.h - configuration space of the PCI bus, by mechanism #1 (PCI Local Bus Specification
 * 3.0, 3.2.2.3.2): the address goes to port CF8h, the data come from CFCh.
 */
#ifndef SIM_PC_PCI_H
#define SIM_PC_PCI_H

#include <stdint.h>

struct machine;

/* Every register as it is at reset. */
void pci_reset(struct machine *pc);
/* Ports CF8h to CFFh; size: 1, 2 or 4 bytes. A function that does not exist reads as ones. */
uint32_t pci_read(struct machine *pc, uint16_t port, unsigned size);
void pci_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value);

#endif
