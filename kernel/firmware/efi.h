/*
 * UEFI whose boot services stay in use while the kernel measures (UEFI 2.10, sections 7 and 13).
 *
 * Between calls the firmware does not run: the kernel has its own tables, interrupts are off, and
 * the local APIC blocks the firmware's interrupts. Each call restores the firmware's state, calls
 * with interrupts on, and restores the kernel's state. So call only between two measurements, with
 * interrupts off, and outside of trap_protect().
 */
#ifndef KERNEL_FIRMWARE_EFI_H
#define KERNEL_FIRMWARE_EFI_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/chipset/bootinfo.h"

/* The firmware's timer ticks every 10 ms or so; the wait is longer than two ticks. */
enum { EFI_KEY_WAIT = 25000 };

/* Are the boot services in use? False if the firmware has another width than the kernel. */
bool efi_alive(void);

/*
 * GRUB passes no memory map if it keeps the boot services. Puts the firmware's map into *bi,
 * sorted. While the boot services are in use, only memory that they allocated is free in the map:
 * up to 384 MiB below 2 GiB (or else below 4 GiB) for the arena, some pages below 1 MiB where other
 * CPUs can start, and one large piece for data, also above 4 GiB. complain("uefi", why) reports
 * each refusal of the firmware.
 */
void efi_memory(struct bootinfo *bi, void (*complain)(const char *what, const char *why));

/*
 * Opens \CPL0.LOG on the medium that GRUB was started from. A further call opens it again: on that
 * medium if it is still there, else on the first medium that has the file. *sectors is its length
 * in sectors of 512 bytes. Returns NULL, or the reason why the file cannot be used.
 */
const char *efi_open(uint32_t *sectors);

/* Reads or writes `count` sectors of the file from sector `first` on. NULL, or the error. */
const char *efi_transfer(bool write, uint32_t first, unsigned count, void *data);

/*
 * The next pressed key, in the form of bios_key(). The firmware gets EFI_KEY_WAIT microseconds with
 * its interrupts on, in which its timer polls the keyboards. Without boot services it is always 0.
 */
uint16_t efi_key(void);

#endif
