/*
 * Switching the machine off by ACPI.
 */
#ifndef KERNEL_CHIPSET_POWER_H
#define KERNEL_CHIPSET_POWER_H

#include "kernel/chipset/acpi.h"

/* Do the tables describe the power-off? `acpi` may be NULL. */
bool power_is_known(const struct acpi *acpi);

/* Switches off; power_is_known() must be true. Returns after three seconds if it fails. */
void power_off(const struct acpi *acpi);

#endif
