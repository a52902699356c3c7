/*
 * CPL0.LOG in the file system of the boot disk, for a BIOS, which has no calls for files.
 *
 * The argument logfile= names sectors. They may belong to another file by now, because CPL0.LOG was
 * deleted, moved or renamed. So before the first write the main folder and the table of clusters
 * must say that these sectors are CPL0.LOG. Volumes are FAT12 or FAT16, as boot/media/mkfloppy.sh
 * and boot/media/mkusb.sh make them. All data of the disk is checked before use.
 */
#ifndef KERNEL_FIRMWARE_FAT_H
#define KERNEL_FIRMWARE_FAT_H

#include <stdint.h>

/* Reads `count` sectors of the disk from sector `first` on. NULL, or why it cannot. */
typedef const char *fat_read(uint32_t first, unsigned count, void *data);

enum { FAT_CHUNK = 8 }; /* sectors that are read at a time, at most */

/*
 * Returns NULL if the file CPL0.LOG of the disk is `sectors` sectors of 512 bytes long, lies in the
 * disk's sectors from `first` on, one behind the other, and may be written. Else returns the
 * difference, as text.
 */
const char *fat_check(fat_read *read, uint32_t first, uint32_t sectors);

#endif
