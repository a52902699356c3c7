/*
 * UEFI whose boot services stay alive while the kernel measures (UEFI 2.10, sections 7 and 13).
 *
 * The firmware is frozen: the kernel has its own tables, interrupts are off, and the local APIC
 * lets nothing of the firmware's in. Each call puts everything back, calls with interrupts on, and
 * takes everything again. So a call is for the time between two measurements, with interrupts off
 * and outside of trap_protect().
 *
 * The firmware has the kernel's own width; with any other efi_alive() is false.
 */
#ifndef KERNEL_FIRMWARE_EFI_H
#define KERNEL_FIRMWARE_EFI_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/chipset/bootinfo.h"

/* The firmware's timer ticks every 10 ms or so; the wait is longer than two ticks. */
enum { EFI_KEY_WAIT = 25000 };

/* Were the boot services kept? */
bool efi_alive(void);

/*
 * If GRUB left the boot services to us, it handed over no memory map. Puts the firmware's into *bi,
 * in order. While the boot services are alive only that memory is free in it which they gave us: up
 * to 384 MiB below 2 GiB for the arena, some pages below 1 MiB where other CPUs can start, and one
 * large piece for data, above 4 GiB too. complain("uefi", why) names what the firmware refused.
 */
void efi_memory(struct bootinfo *bi, void (*complain)(const char *what, const char *why));

/*
 * Opens \CPL0.LOG on the medium that GRUB was started from. A further call opens it again, on the
 * first medium that has it. *sectors is how many of 512 bytes it has. Returns NULL, or why it
 * cannot be used.
 */
const char *efi_open(uint32_t *sectors);

/* Reads or writes `count` sectors of it from sector `first` on. NULL, or what went wrong. */
const char *efi_transfer(bool write, uint32_t first, unsigned count, void *data);

/*
 * A key that was pressed, as bios_key() has it. The firmware gets EFI_KEY_WAIT microseconds with
 * its interrupts on, in which its timer asks the keyboards. Without boot services it is always 0.
 */
uint16_t efi_key(void);

#endif
