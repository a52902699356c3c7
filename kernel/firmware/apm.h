/*
 * Switching off a machine that is older than ACPI, by Advanced Power Management of its BIOS.
 */
#ifndef KERNEL_FIRMWARE_APM_H
#define KERNEL_FIRMWARE_APM_H

#include "kernel/chipset/bootinfo.h"

/* Returns only if the machine stays on, with the reason. */
const char *apm_power_off(const struct bootinfo *bi);

#endif
