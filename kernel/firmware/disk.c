/*
 * The boot disk by INT 13h (kernel/firmware/disk.h). Sources: Enhanced Disk Drive specification
 * 3.0; Ralf Brown's Interrupt List, INT 13.
 */
#include "kernel/firmware/disk.h"
#include "kernel/string.h"

enum {
	INT_DISK = 0x13,
	RESET = 0x00,
	READ = 0x02, /* and 03h: write */
	GEOMETRY = 0x08,
	EDD_CHECK = 0x41,
	EDD_READ = 0x42, /* and 43h: write */
	EDD_PACKETS = 1 << 0,
	HARD_DISK = 0x80,
	TRIES = 3,
};

/* Disk address packet of the extended functions, at the start of the buffer's last sector. */
struct packet {
	uint8_t size, zero;
	uint16_t count, offset, segment;
	uint64_t first;
};

static struct {
	uint8_t drive;
	bool edd;
	uint32_t sectors, heads; /* of a track, of a cylinder */
} disk;

static bool call(uint16_t ax, struct bios_regs *r)
{
	r->eax = ax;
	r->edx = (r->edx & 0xff00) | disk.drive;
	bios_call(INT_DISK, r);
	return !(r->flags & BIOS_CF);
}

const char *disk_open(uint8_t drive)
{
	struct bios_regs r = { .ebx = 0x55aa };

	disk.drive = drive;
	disk.edd = drive >= HARD_DISK && call(EDD_CHECK << 8, &r) && (r.ebx & 0xffff) == 0xaa55 &&
	           r.ecx & EDD_PACKETS;
	if (disk.edd)
		return NULL;
	r = (struct bios_regs){ 0 };
	if (!call(GEOMETRY << 8, &r))
		return "the BIOS does not know the boot disk";
	disk.sectors = r.ecx & 63;
	disk.heads = (r.edx >> 8 & 0xff) + 1;
	return disk.sectors ? NULL : "the BIOS does not know the boot disk's geometry";
}

/* What the status in AH means; the numbers that are left are faults of the disk. */
static const char *reason(uint8_t status)
{
	switch (status) {
	case 0x03:
	case 0xb0:
		return "the medium is write-protected";
	case 0x06:
	case 0x31:
	case 0x80:
	case 0xaa:
		return "the medium is missing or not ready";
	}
	return "the BIOS reports an error of the medium";
}

static void extended(bool write, uint32_t first, unsigned count, struct bios_regs *r)
{
	uint8_t *at = bios_buffer() + DISK_CHUNK * DISK_SECTOR;
	struct packet p = {
		.size = sizeof(p), .count = (uint16_t)count, .segment = BIOS_SEGMENT, .first = first
	};

	memcpy(at, &p, sizeof(p));
	r->ds = BIOS_SEGMENT;
	r->esi = DISK_CHUNK * DISK_SECTOR;
	call((uint16_t)((EDD_READ + write) << 8), r);
}

static void by_geometry(bool write, uint32_t first, unsigned count, struct bios_regs *r)
{
	uint32_t track = first / disk.sectors, cylinder = track / disk.heads;

	r->ecx = (cylinder & 0xff) << 8 | (cylinder >> 2 & 0xc0) | (first % disk.sectors + 1);
	r->edx = track % disk.heads << 8;
	r->es = BIOS_SEGMENT;
	call((uint16_t)((READ + write) << 8 | count), r);
}

/* Sectors that one call may take: no more than the rest of the track. */
static unsigned run(uint32_t first, unsigned count)
{
	uint32_t rest = disk.edd ? count : disk.sectors - first % disk.sectors;

	return rest < count ? rest : count;
}

static const char *transfer(bool write, uint32_t first, unsigned count)
{
	struct bios_regs r = { 0 };

	for (unsigned i = 0; i < TRIES; i++) {
		r = (struct bios_regs){ 0 };
		if (disk.edd)
			extended(write, first, count, &r);
		else
			by_geometry(write, first, count, &r);
		if (!(r.flags & BIOS_CF))
			return NULL;
		call(RESET << 8, &(struct bios_regs){ 0 });
	}
	return reason((uint8_t)(r.eax >> 8));
}

const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	const char *why = NULL;
	uint8_t *p = data;

	while (count && !why) {
		unsigned n = run(first, count);

		if (write)
			memcpy(bios_buffer(), p, n * DISK_SECTOR);
		why = transfer(write, first, n);
		if (!write)
			memcpy(p, bios_buffer(), n * DISK_SECTOR);
		first += n;
		count -= n;
		p += n * DISK_SECTOR;
	}
	return why;
}
