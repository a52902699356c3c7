/*
 * A medium as boot/media/mkfloppy.sh and boot/media/mkusb.sh make it, in memory, with nothing on it
 * but a file before CPL0.LOG, CPL0.LOG itself and a file behind it.
 */
#ifndef TESTS_UNIT_SUPPORT_IMAGE_H
#define TESTS_UNIT_SUPPORT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_SECTOR = 512, IMAGE_MOST = 14336 };

struct image {
	uint32_t sectors;    /* of the disk */
	uint32_t first, log; /* CPL0.LOG: its first sector on the disk, and how many it has */
	uint32_t volume;     /* first sector of the FAT volume: 0, or that of the partition */
	uint32_t table;      /* first sector of the FAT on the disk */
	uint32_t root;       /* ... of the main folder */
	uint32_t data;       /* ... of the clusters */
	uint32_t per_cluster;
	bool fat16;
	uint8_t bytes[IMAGE_MOST][IMAGE_SECTOR];
};

/* A floppy of 1.44 MB, or a stick with one partition. Every sector outside of CPL0.LOG differs. */
void image_floppy(struct image *m);
void image_stick(struct image *m);

/* The entry of CPL0.LOG in the main folder, 32 bytes. */
uint8_t *image_entry(struct image *m);

/* Sets what the FAT has of a cluster. */
void image_next(struct image *m, uint32_t cluster, uint32_t next);

/* The cluster that begins at a sector of the disk. */
uint32_t image_cluster(const struct image *m, uint32_t sector);

/* Makes a sector of CPL0.LOG free, as it was made. */
void image_free(struct image *m, uint32_t index);

#endif
