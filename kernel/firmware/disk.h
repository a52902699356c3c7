/*
 * Sectors of the boot disk, by INT 13h of the BIOS: by the extended functions where the disk has
 * them and they work, else by cylinder, head and sector.
 */
#ifndef KERNEL_FIRMWARE_DISK_H
#define KERNEL_FIRMWARE_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/firmware/bios.h"

/* The last sector of the buffer holds the parameters of the BIOS call. */
enum { DISK_SECTOR = 512, DISK_CHUNK = BIOS_BUFFER_SIZE / DISK_SECTOR - 1 };

/*
 * Asks the BIOS how to address `drive`, and tests the extended functions that it announces. If they
 * fail and access by cylinder, head and sector works, the drive is accessed so; the first time
 * gives a `warn`. Returns NULL, or the reason why the drive cannot be used. Call it again if the
 * medium may be another one.
 */
const char *disk_open(uint8_t drive);

/*
 * Reads or writes `count` sectors, at most DISK_CHUNK, from sector `first` of the disk. Returns
 * NULL, or the error of the BIOS; an error of the whole medium has a text of
 * kernel/firmware/medium.h. A failed access is repeated after a reset, as floppies need; an error
 * of all tries is returned. After the first good access since disk_open(), MEDIUM_CHANGED of the
 * first try is returned at once. A floppy's motor runs until disk_rest().
 */
const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data);

/* Stops the motor of a floppy. The next access starts it again. */
void disk_rest(void);

#endif
