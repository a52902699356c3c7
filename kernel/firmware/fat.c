/*
 * CPL0.LOG on a BIOS (kernel/firmware/fat.h). Source: Microsoft, "FAT: General Overview of On-Disk
 * Format", version 1.03.
 */
#include "kernel/firmware/fat.h"

#include <stdbool.h>
#include <stddef.h>

#include "kernel/lib/string.h"

enum {
	SECTOR = 512,
	SIGNATURE = 510, /* 55h AAh ends a boot sector and a table of partitions */
	PARTITIONS = 446,
	PARTITION = 16, /* bytes of a row */
	PARTITION_TYPE = 4,
	PARTITION_START = 8,
	PARTITION_SIZE = 12,
	BPB_BYTES = 11, /* fields of the boot sector */
	BPB_PER_CLUSTER = 13,
	BPB_RESERVED = 14,
	BPB_FATS = 16,
	BPB_ROOTS = 17,
	BPB_TOTAL16 = 19,
	BPB_FAT_SIZE = 22,
	BPB_TOTAL32 = 32,
	ENTRY = 32, /* bytes of an entry of the folder */
	NAME = 11,
	ENTRY_ATTRIBUTES = 11,
	ENTRY_CLUSTER = 26,
	ENTRY_SIZE = 28,
	READ_ONLY = 1 << 0,
	LABEL = 1 << 3, /* also a part of a long name */
	FOLDER = 1 << 4,
	DELETED = 0xe5,
	FAT12_END = 4085, /* a volume of so many clusters is no FAT12 */
	FAT16_END = 65525,
	LAST12 = 0xff8, /* and above: the file ends here */
	LAST16 = 0xfff8,
};

static const char no_volume[] = "the sectors that logfile= names are in no FAT12 or FAT16 volume";
static const char no_entry[] = "the main folder has no CPL0.LOG: renamed, moved or deleted";

static struct {
	fat_read *read;
	uint32_t start; /* of the volume on the disk; all others are sectors of the volume */
	uint32_t total, table, root, data;
	uint32_t roots, clusters, per_cluster;
	bool fat16;
	uint32_t at, count;  /* sectors in the cache */
	const char *trouble; /* what the first read that failed said */
	uint8_t cache[FAT_CHUNK * SECTOR];
} fat;

static uint32_t get16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get32(const uint8_t *p)
{
	return get16(p) | get16(p + 2) << 16;
}

/* Reads `count` sectors of the disk into the cache. A read that brings nothing brings zeros. */
static bool load(uint32_t first, uint32_t count)
{
	memset(fat.cache, 0, sizeof(fat.cache));
	fat.count = 0;
	if (!fat.trouble)
		fat.trouble = fat.read(first, count, fat.cache);
	return !fat.trouble;
}

/* The byte `offset` behind the start of sector `sector` of the volume; 0 if it cannot be read. */
static uint8_t byte(uint32_t sector, uint32_t offset)
{
	sector += offset / SECTOR;
	if (sector >= fat.total)
		return 0;
	if (sector < fat.at || sector - fat.at >= fat.count) {
		uint32_t rest = fat.total - sector, n = rest < FAT_CHUNK ? rest : FAT_CHUNK;

		if (!load(fat.start + sector, n))
			return 0;
		fat.at = sector;
		fat.count = n;
	}
	return fat.cache[(sector - fat.at) * SECTOR + offset % SECTOR];
}

/* Takes the boot sector in the cache apart. The volume has at most `most` sectors. */
static bool is_volume(uint32_t start, uint32_t most)
{
	const uint8_t *s = fat.cache;
	uint32_t size = get16(s + BPB_FAT_SIZE), tables = s[BPB_FATS], need;

	fat.start = start;
	fat.per_cluster = s[BPB_PER_CLUSTER];
	fat.table = get16(s + BPB_RESERVED);
	fat.roots = get16(s + BPB_ROOTS);
	fat.total = get16(s + BPB_TOTAL16);
	if (!fat.total)
		fat.total = get32(s + BPB_TOTAL32);
	fat.root = fat.table + tables * size;
	fat.data = fat.root + fat.roots / (SECTOR / ENTRY);
	if (get16(s + SIGNATURE) != 0xaa55 || get16(s + BPB_BYTES) != SECTOR || !fat.table ||
	    !tables || tables > 2 || !fat.roots || fat.roots % (SECTOR / ENTRY) ||
	    !fat.per_cluster || fat.per_cluster & (fat.per_cluster - 1) || fat.total > most ||
	    fat.total > UINT32_MAX - start || fat.data >= fat.total)
		return false;
	fat.clusters = (fat.total - fat.data) / fat.per_cluster;
	fat.fat16 = fat.clusters >= FAT12_END;
	need = fat.fat16 ? (fat.clusters + 2) * 2 : (fat.clusters + 2) * 3 / 2 + 1;
	return fat.clusters && fat.clusters < FAT16_END && need <= size * SECTOR;
}

/* The volume that holds sector `first` of the disk: the disk itself, or one of its partitions. */
static bool find_volume(uint32_t first)
{
	uint8_t rows[4 * PARTITION];

	if (!load(0, 1))
		return false;
	if (is_volume(0, UINT32_MAX))
		return true;
	if (get16(fat.cache + SIGNATURE) != 0xaa55)
		return false;
	memcpy(rows, fat.cache + PARTITIONS, sizeof(rows));
	for (const uint8_t *row = rows; row < rows + sizeof(rows); row += PARTITION) {
		uint32_t start = get32(row + PARTITION_START), n = get32(row + PARTITION_SIZE);

		if (row[PARTITION_TYPE] && first >= start && first - start < n)
			return load(start, 1) && is_volume(start, n);
	}
	return false;
}

/* The folder's entry of CPL0.LOG. */
static bool find_entry(uint8_t entry[ENTRY])
{
	for (uint32_t i = 0; i < fat.roots; i++) {
		for (uint32_t k = 0; k < ENTRY; k++)
			entry[k] = byte(fat.root, i * ENTRY + k);
		if (!entry[0])
			return false;
		if (entry[0] != DELETED && !(entry[ENTRY_ATTRIBUTES] & LABEL) &&
		    memcmp(entry, "CPL0    LOG", NAME) == 0)
			return true;
	}
	return false;
}

/* What the table has of a cluster: the next one of its file. */
static uint32_t next(uint32_t cluster)
{
	uint32_t offset = fat.fat16 ? cluster * 2 : cluster + cluster / 2;
	uint32_t v = byte(fat.table, offset) | (uint32_t)byte(fat.table, offset + 1) << 8;

	if (fat.fat16)
		return v;
	return cluster & 1 ? v >> 4 : v & 0xfff;
}

/* The file's clusters follow each other, and the file ends with the last of them. */
static bool is_whole(uint32_t cluster, uint32_t sectors)
{
	uint32_t n = (sectors + fat.per_cluster - 1) / fat.per_cluster;

	if (n > fat.clusters + 2 - cluster)
		return false;
	for (; n > 1; n--, cluster++)
		if (next(cluster) != cluster + 1)
			return false;
	return next(cluster) >= (fat.fat16 ? LAST16 : LAST12);
}

static const char *check_entry(const uint8_t *entry, uint32_t first, uint32_t sectors)
{
	uint32_t cluster = get16(entry + ENTRY_CLUSTER);

	if (entry[ENTRY_ATTRIBUTES] & FOLDER)
		return "CPL0.LOG is a folder";
	if (entry[ENTRY_ATTRIBUTES] & READ_ONLY)
		return "CPL0.LOG is read-only";
	if (!sectors || get32(entry + ENTRY_SIZE) != (uint64_t)sectors * SECTOR)
		return "CPL0.LOG has not the length that logfile= says: cut, extended or replaced";
	if (cluster < 2 || cluster >= fat.clusters + 2 ||
	    first - fat.start != fat.data + (cluster - 2) * fat.per_cluster)
		return "CPL0.LOG does not begin where logfile= says: moved or replaced";
	if (!is_whole(cluster, sectors))
		return "CPL0.LOG is in pieces: its sectors do not follow each other";
	return NULL;
}

const char *fat_check(fat_read *read, uint32_t first, uint32_t sectors)
{
	uint8_t entry[ENTRY];
	const char *why = no_volume;

	fat.read = read;
	fat.trouble = NULL;
	if (find_volume(first))
		why = find_entry(entry) ? check_entry(entry, first, sectors) : no_entry;
	return fat.trouble ? fat.trouble : why;
}
