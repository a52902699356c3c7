/*
 * sim/boot/acpi.h - ACPI tables.
 */
#ifndef SIM_BOOT_ACPI_H
#define SIM_BOOT_ACPI_H

#include <stdint.h>

struct machine;

/* Physical address of the mailbox of --fault cpus=mailbox. */
enum { ACPI_MAILBOX = 0xf7000 };

/* Writes the tables to the BIOS area and returns the physical address of the RSDP. */
uint32_t acpi_build(struct machine *pc);

#endif
