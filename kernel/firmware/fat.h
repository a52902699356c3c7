/*
 * CPL0.LOG in the file system of the boot disk, for a BIOS, which knows sectors and no files.
 *
 * The argument logfile= names sectors. They may hold something else by now: the file was deleted,
 * moved or renamed, and its clusters hold another one. So nothing is written before the main folder
 * and the table of clusters say that these sectors are CPL0.LOG. Volumes are FAT12 or FAT16, those
 * that boot/media/mkfloppy.sh and boot/media/mkusb.sh make. Nothing that is read is trusted.
 */
#ifndef KERNEL_FIRMWARE_FAT_H
#define KERNEL_FIRMWARE_FAT_H

#include <stdint.h>

/* Reads `count` sectors of the disk from sector `first` on. NULL, or why it cannot. */
typedef const char *fat_read(uint32_t first, unsigned count, void *data);

enum { FAT_CHUNK = 8 }; /* sectors that are read at a time, at most */

/*
 * NULL if the file CPL0.LOG of the disk is `sectors` sectors of 512 bytes long, lies in the disk's
 * sectors from `first` on, one behind the other, and may be written. Otherwise what is wrong.
 */
const char *fat_check(fat_read *read, uint32_t first, uint32_t sectors);

#endif
