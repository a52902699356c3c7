/*
 * Serial ports on PCI and PCI Express cards, found by their class code.
 *
 * Class 07h, subclass 00h (serial) and 02h (multiport serial), programming interfaces 0 (8250) to 6
 * (16950): PCI Code and ID Assignment Specification 1.11, section 1.8. Where the ports lie in a
 * card's registers no specification says. Two layouts are common and are tried: one register of I/O
 * ports with 8 for each serial port one after another, and several registers of 8 ports. A card
 * without I/O ports has its first serial port at the start of its first memory register. Other
 * layouts are their makers' own.
 */
#ifndef KERNEL_CONSOLE_PCIPORT_H
#define KERNEL_CONSOLE_PCIPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/console/uart.h"

/*
 * Calls open() with each possible port, until open() returns true; false: it never did. I/O
 * decoding is switched on where the firmware left it off, and is put back on a card whose ports are
 * not used. Memory decoding is not switched on, because the address in a memory register of such a
 * card may be that of another device. Ports get the rate `baud`, of the PC's crystal; in memory the
 * crystal is unknown.
 */
bool pciport_find(uint32_t baud, bool (*open)(const struct uart *port));

#endif
