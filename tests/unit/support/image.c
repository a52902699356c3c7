/*
 * Media for tests (tests/unit/support/image.h).
 */
#include "tests/unit/support/image.h"

#include <stdio.h>
#include <string.h>

enum { ENTRY = 32, ROOT_ENTRY = 1, BEFORE = 100, BEHIND = 50 };

struct shape {
	uint32_t volume, total, per_cluster, table_sectors, roots, log;
	bool fat16;
};

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v);
	put16(p + 2, v >> 16);
}

uint8_t *image_entry(struct image *m)
{
	return m->bytes[m->root] + ROOT_ENTRY * ENTRY;
}

uint32_t image_cluster(const struct image *m, uint32_t sector)
{
	return 2 + (sector - m->data) / m->per_cluster;
}

void image_next(struct image *m, uint32_t cluster, uint32_t next)
{
	uint8_t *p = m->bytes[m->table] + (m->fat16 ? cluster * 2 : cluster * 3 / 2);

	if (m->fat16) {
		put16(p, next);
	} else if (cluster & 1) {
		p[0] = (uint8_t)((p[0] & 0x0f) | next << 4);
		p[1] = (uint8_t)(next >> 4);
	} else {
		p[0] = (uint8_t)next;
		p[1] = (uint8_t)((p[1] & 0xf0) | (next >> 8 & 0x0f));
	}
}

void image_free(struct image *m, uint32_t index)
{
	char text[IMAGE_SECTOR + 1];

	snprintf(text, sizeof(text), "~cpl0-000 %05u\n%495s\n", index, "");
	memcpy(m->bytes[m->first + index], text, IMAGE_SECTOR);
}

/* A file of `sectors` in clusters that follow each other; returns the sector behind it. */
static uint32_t add_file(struct image *m, unsigned n, const char *name, uint32_t first,
                         uint32_t sectors)
{
	uint8_t *entry = m->bytes[m->root] + n * ENTRY;
	uint32_t cluster = image_cluster(m, first);
	uint32_t clusters = (sectors + m->per_cluster - 1) / m->per_cluster;

	memcpy(entry, name, 11);
	entry[11] = 0x20;
	put16(entry + 26, cluster);
	put32(entry + 28, sectors * IMAGE_SECTOR);
	for (uint32_t i = 0; i + 1 < clusters; i++)
		image_next(m, cluster + i, cluster + i + 1);
	image_next(m, cluster + clusters - 1, 0xffff);
	return first + clusters * m->per_cluster;
}

static void put_boot_sector(struct image *m, const struct shape *s)
{
	uint8_t *b = m->bytes[s->volume];

	memset(b, 0, IMAGE_SECTOR);
	put16(b + 11, IMAGE_SECTOR);
	b[13] = (uint8_t)s->per_cluster;
	put16(b + 14, 1);
	b[16] = 2;
	put16(b + 17, s->roots);
	put16(b + 19, s->total);
	b[21] = s->volume ? 0xf8 : 0xf0;
	put16(b + 22, s->table_sectors);
	put16(b + 510, 0xaa55);
}

static void put_partition(struct image *m, const struct shape *s)
{
	uint8_t *row = m->bytes[0] + 446;

	memset(m->bytes[0], 0, IMAGE_SECTOR);
	row[0] = 0x80;
	row[4] = 0x0e;
	put32(row + 8, s->volume);
	put32(row + 12, s->total);
	put16(m->bytes[0] + 510, 0xaa55);
}

static void make(struct image *m, const struct shape *s)
{
	uint32_t behind;

	m->sectors = s->volume + s->total;
	m->volume = s->volume;
	m->table = s->volume + 1;
	m->root = m->table + 2 * s->table_sectors;
	m->data = m->root + s->roots * ENTRY / IMAGE_SECTOR;
	m->per_cluster = s->per_cluster;
	m->fat16 = s->fat16;
	for (uint32_t i = 0; i < m->sectors; i++)
		for (uint32_t k = 0; k < IMAGE_SECTOR; k += 4)
			put32(m->bytes[i] + k, i * 2654435761u + k);
	memset(m->bytes[s->volume], 0, (m->data - s->volume) * IMAGE_SECTOR);
	put_boot_sector(m, s);
	if (s->volume)
		put_partition(m, s);
	m->first = add_file(m, 0, "GRUB    IMG", m->data, BEFORE);
	m->log = s->log;
	behind = add_file(m, ROOT_ENTRY, "CPL0    LOG", m->first, m->log);
	add_file(m, 2, "README  TXT", behind, BEHIND);
	for (uint32_t i = 0; i < m->log; i++)
		image_free(m, i);
}

void image_floppy(struct image *m)
{
	make(m, &(struct shape){ .total = 2880,
	                         .per_cluster = 1,
	                         .table_sectors = 9,
	                         .roots = 224,
	                         .log = 2000 });
}

void image_stick(struct image *m)
{
	make(m, &(struct shape){ .volume = 2048,
	                         .total = 12288,
	                         .per_cluster = 2,
	                         .table_sectors = 24,
	                         .roots = 512,
	                         .log = 4096,
	                         .fat16 = true });
}
