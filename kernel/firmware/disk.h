/*
 * Sectors of the disk that we were booted from, by INT 13h of the BIOS: the extended functions
 * where the disk has them and they work, else cylinder, head and sector.
 */
#ifndef KERNEL_FIRMWARE_DISK_H
#define KERNEL_FIRMWARE_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/firmware/bios.h"

/* The last sector of the buffer holds what the BIOS is told. */
enum { DISK_SECTOR = 512, DISK_CHUNK = BIOS_BUFFER_SIZE / DISK_SECTOR - 1 };

/*
 * Asks the BIOS how to address `drive`, and tries extended functions that it announces: if they
 * fail, a `warn` says so the first time. NULL, or why the drive cannot be used. May be called
 * again; then the medium may be another one.
 */
const char *disk_open(uint8_t drive);

/*
 * Reads or writes `count` sectors, at most DISK_CHUNK, from sector `first` of the disk. NULL, or
 * what the BIOS has against it, in the words of kernel/firmware/medium.h if that concerns the whole
 * medium. A failed access is tried again after a reset, as floppies need. MEDIUM_CHANGED is told
 * once, and at no access before the first good one since disk_open(). A floppy's motor runs until
 * disk_rest().
 */
const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data);

/* Stops the motor of a floppy that runs. The next access starts it again. */
void disk_rest(void);

#endif
