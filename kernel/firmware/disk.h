/*
 * Sectors of the disk that we were booted from, by INT 13h of the BIOS: the extended functions
 * where the disk has them, else cylinder, head and sector.
 */
#ifndef KERNEL_FIRMWARE_DISK_H
#define KERNEL_FIRMWARE_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/firmware/bios.h"

/* The last sector of the buffer holds what the BIOS is told. */
enum { DISK_SECTOR = 512, DISK_CHUNK = BIOS_BUFFER_SIZE / DISK_SECTOR - 1 };

/* Asks the BIOS how to address `drive`. NULL, or why it cannot be used. */
const char *disk_open(uint8_t drive);

/*
 * Reads or writes `count` sectors, at most DISK_CHUNK, from sector `first` of the disk. NULL, or
 * what the BIOS has against it. A failed access is tried again after a reset, as floppies need.
 */
const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data);

#endif
