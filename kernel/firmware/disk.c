/*
 * The boot disk by INT 13h (kernel/firmware/disk.h). Sources: Enhanced Disk Drive specification
 * 3.0; Ralf Brown's Interrupt List, INT 13; IBM PC/AT Technical Reference, BIOS data area.
 */
#include "kernel/firmware/disk.h"
#include "kernel/firmware/medium.h"
#include "kernel/chipset/phys.h"
#include "kernel/lib/log.h"
#include "kernel/lib/string.h"

enum {
	INT_TICK = 0x08,
	INT_DISK = 0x13,
	RESET = 0x00,
	READ = 0x02, /* and 03h: write */
	GEOMETRY = 0x08,
	EDD_CHECK = 0x41,
	EDD_READ = 0x42, /* and 43h: write */
	EDD_PACKETS = 1 << 0,
	HARD_DISK = 0x80,
	TRIES = 3,
	FLOPPY_TRIES = 6, /* as SYSLINUX has it: BIOSes wait too short for the disk to turn */
	CYLINDERS = 1024, /* that CH and CL can name */
	BDA_MOTORS = 0x43f,
	BDA_MOTORS_ON = 0x0f,
	BDA_COUNTDOWN = 0x440, /* ticks until INT 8 stops the motor */
};

/* What is wrong with an access. */
enum fault {
	FINE,
	CHANGED, /* the medium */
	ABSENT,
	PROTECTED,
	BAD_SECTOR,
	BEYOND, /* a cylinder that CH and CL cannot name, or that the disk does not have */
	UNREAD, /* success, but the buffer is as before */
	FAILED, /* all else */
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
	bool settled; /* an access has succeeded: from now on 06h means another medium */
	bool used;    /* since disk_rest() */
	uint32_t sectors, heads, cylinders; /* of a track, of a cylinder, of the disk */
	enum fault fault;
} disk;

static bool call(uint16_t ax, struct bios_regs *r)
{
	r->eax = ax;
	r->edx = (r->edx & 0xff00) | disk.drive;
	bios_call(INT_DISK, r);
	return !(r->flags & BIOS_CF);
}

static bool is_floppy(void)
{
	return disk.drive < HARD_DISK;
}

/* ---- One access ---- */

static enum fault kind(uint8_t status)
{
	switch (status) {
	case 0x03:
	case 0xb0:
		return PROTECTED;
	case 0x06:
		return CHANGED;
	case 0x31:
	case 0x80:
	case 0xaa:
		return ABSENT;
	case 0x02:
	case 0x04:
	case 0x0a:
	case 0x0b:
	case 0x10:
	case 0x11:
		return BAD_SECTOR;
	}
	return FAILED;
}

static const char *reason(enum fault fault, uint8_t status)
{
	static const char digits[] = "0123456789abcdef";
	static char failed[] = "the BIOS reports error ..h of the medium";
	static const char *const reasons[] = {
		[CHANGED] = MEDIUM_CHANGED,
		[ABSENT] = MEDIUM_MISSING,
		[PROTECTED] = MEDIUM_PROTECTED,
		[BAD_SECTOR] = "the medium has a sector that cannot be read or written",
		[BEYOND] = "the place lies beyond the cylinders of the disk or of the BIOS",
		[UNREAD] = "the BIOS says that it has read the medium, and it has not",
		[FAILED] = failed,
	};
	char *at = failed + sizeof("the BIOS reports error ") - 1;

	at[0] = digits[status >> 4];
	at[1] = digits[status & 15];
	return reasons[fault];
}

static bool extended(bool write, uint32_t first, unsigned count, struct bios_regs *r)
{
	uint8_t *at = bios_buffer() + DISK_CHUNK * DISK_SECTOR;
	struct packet p = {
		.size = sizeof(p), .count = (uint16_t)count, .segment = BIOS_SEGMENT, .first = first
	};

	memcpy(at, &p, sizeof(p));
	r->ds = BIOS_SEGMENT;
	r->esi = DISK_CHUNK * DISK_SECTOR;
	return call((uint16_t)((EDD_READ + write) << 8), r);
}

static bool by_geometry(bool write, uint32_t first, unsigned count, struct bios_regs *r)
{
	uint32_t track = first / disk.sectors, cylinder = track / disk.heads;

	r->ecx = (cylinder & 0xff) << 8 | (cylinder >> 2 & 0xc0) | (first % disk.sectors + 1);
	r->edx = track % disk.heads << 8;
	r->es = BIOS_SEGMENT;
	return call((uint16_t)((READ + write) << 8 | count), r);
}

/* Before a read the buffer gets what no sector holds: a BIOS may say that it read, and have not. */
static const char poison[] = "nothing read yet";

enum { POISON = sizeof(poison) - 1 };

static void poison_buffer(unsigned count)
{
	for (unsigned i = 0; i < count * DISK_SECTOR; i += POISON)
		memcpy(bios_buffer() + i, poison, POISON);
}

static bool is_poisoned(unsigned sector)
{
	const uint8_t *p = bios_buffer() + sector * DISK_SECTOR;

	for (unsigned i = 0; i < DISK_SECTOR; i += POISON)
		if (memcmp(p + i, poison, POISON))
			return false;
	return true;
}

static enum fault attempt(bool write, uint32_t first, unsigned count, uint8_t *status)
{
	struct bios_regs r = { 0 };
	bool good;

	if (!write)
		poison_buffer(count);
	disk.used = true;
	good = disk.edd ? extended(write, first, count, &r) : by_geometry(write, first, count, &r);
	*status = (uint8_t)(r.eax >> 8);
	if (!good)
		return kind(*status);
	for (unsigned i = 0; i < count && !write; i++)
		if (is_poisoned(i))
			return UNREAD;
	return FINE;
}

/* The status that the reset before makes a stick report is no news, and the first one is none. */
static bool is_final(enum fault fault, unsigned tried)
{
	return fault == CHANGED && disk.settled && (is_floppy() || !tried);
}

static const char *transfer(bool write, uint32_t first, unsigned count)
{
	unsigned tries = is_floppy() ? FLOPPY_TRIES : TRIES;
	uint8_t status = 0;

	for (unsigned i = 0; i < tries; i++) {
		disk.fault = attempt(write, first, count, &status);
		if (disk.fault == FINE) {
			disk.settled = true;
			return NULL;
		}
		if (is_final(disk.fault, i))
			break;
		call(RESET << 8, &(struct bios_regs){ 0 });
	}
	return reason(disk.fault, status);
}

/* ---- The drive ---- */

/*
 * GRUB stops the motor and leaves the controller in reset, and the BIOS does not know: its data
 * area says that the motor runs. So the first access would meet a dead controller, and the second
 * one a disk that does not turn yet.
 */
static void wake_floppy(void)
{
	phys_write8(BDA_MOTORS, phys_read8(BDA_MOTORS) & ~BDA_MOTORS_ON);
	phys_write8(BDA_COUNTDOWN, 0);
	call(RESET << 8, &(struct bios_regs){ 0 });
}

static bool has_extensions(void)
{
	struct bios_regs r = { .ebx = 0x55aa };

	return !is_floppy() && call(EDD_CHECK << 8, &r) && (r.ebx & 0xffff) == 0xaa55 &&
	       r.ecx & EDD_PACKETS;
}

static const char *ask_geometry(void)
{
	struct bios_regs r = { 0 };

	if (!call(GEOMETRY << 8, &r))
		return "the BIOS does not know the boot disk";
	disk.sectors = r.ecx & 63;
	disk.heads = (r.edx >> 8 & 0xff) + 1;
	disk.cylinders = ((r.ecx >> 8 & 0xff) | (r.ecx << 2 & 0x300)) + 1;
	return disk.sectors ? NULL : "the BIOS does not know the boot disk's geometry";
}

/* Extensions that cannot read the boot sector, where cylinder, head and sector can. */
static void try_extensions(void)
{
	static bool told;
	const char *why = transfer(false, 0, 1);

	if (!why || disk.fault == ABSENT || ask_geometry())
		return;
	disk.edd = false;
	if (transfer(false, 0, 1)) {
		disk.edd = true;
		return;
	}
	if (!told)
		log_warn("save", "INT 13h",
		         "the BIOS announces extended reads, and they fail; cylinder, head and "
		         "sector are used");
	told = true;
}

const char *disk_open(uint8_t drive)
{
	disk.drive = drive;
	disk.settled = false;
	disk.fault = FINE;
	if (is_floppy())
		wake_floppy();
	disk.edd = has_extensions();
	if (!disk.edd)
		return ask_geometry();
	try_extensions();
	return NULL;
}

/* Sectors that one call may take: no more than the rest of the track. */
static unsigned run(uint32_t first, unsigned count)
{
	uint32_t rest = disk.edd ? count : disk.sectors - first % disk.sectors;

	return rest < count ? rest : count;
}

static bool is_beyond(uint32_t first)
{
	uint32_t limit = disk.cylinders < CYLINDERS ? disk.cylinders : CYLINDERS;

	return !disk.edd && first / disk.sectors / disk.heads >= limit;
}

const char *disk_transfer(bool write, uint32_t first, unsigned count, void *data)
{
	const char *why = NULL;
	uint8_t *p = data;

	while (count && !why) {
		unsigned n = run(first, count);

		if (is_beyond(first)) {
			disk.fault = BEYOND;
			return reason(BEYOND, 0);
		}
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

void disk_rest(void)
{
	struct bios_regs tick = { 0 };

	if (!disk.used || !is_floppy())
		return;
	phys_write8(BDA_COUNTDOWN, 1);
	bios_call(INT_TICK, &tick);
	disk.used = false;
}
