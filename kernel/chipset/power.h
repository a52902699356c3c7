/*
 * Switching the machine off by ACPI (ACPI 6.5, section 4.8.3.2, the PM1 control registers).
 */
#ifndef KERNEL_CHIPSET_POWER_H
#define KERNEL_CHIPSET_POWER_H

#include "kernel/chipset/acpi.h"

/* Do the tables describe the power-off? `acpi` may be NULL. */
bool power_is_known(const struct acpi *acpi);

/*
 * Switches off; power_is_known() must be true. Returns if that fails: after about three seconds, or
 * six if the firmware also does not hand over the registers.
 */
void power_off(const struct acpi *acpi);

#endif
