/*
 * A PC with a BIOS, for host tests of kernel/firmware: low memory with the BIOS data area, the
 * 8259s, the 8254's channels 0 and 2, the keyboard controller, and one drive with a medium in
 * memory. The real bios.c, disk.c, pic.c and pit.c run on it: it stands where
 * boot/real.S would enter real mode, and answers INT 08h, 09h, 13h, 15h (APM) and 16h.
 *
 * Everything that a BIOS or a drive may do wrong is a plain number in fake_bios.faults, 0 for what
 * does not happen, so a test can draw faults from a seed. Counts are of events since
 * fake_bios_reset(), and 1 is the first one:
 *
 *	fake_bios_reset(FAKE_FLOPPY);
 *	fake_medium_init(&a, FAKE_FLOPPY_SECTORS);
 *	fake_bios_insert(&a);
 *	fake_bios.faults.power_dies_at = 1 + draw % 100;
 *	fake_bios.faults.torn = FAKE_TORN_UNREADABLE;
 *	if (!fake_bios_run(whole_run, NULL))
 *		the power died; the next boot begins with fake_bios_reset()
 *
 * Time is the fake's own (fake_bios.us): accesses and reads of port 80h make it pass. The TSC
 * counts 100 of its ticks a microsecond. What no machine would survive ends the test: a wait for a
 * key that never comes, memory of the BIOS written over, a buffer that the DMA cannot reach.
 */
#ifndef TESTS_UNIT_SUPPORT_FAKE_BIOS_H
#define TESTS_UNIT_SUPPORT_FAKE_BIOS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	FAKE_SECTOR = 512,
	FAKE_FLOPPY_SECTORS = 2880,
	FAKE_LOW = 1 << 20,
	FAKE_BAD_STAYS = 0x80, /* in fake_medium.bad: a write does not heal the sector */
	FAKE_KEY_Y = 0x15,     /* scan codes of set 1 */
	FAKE_KEY_N = 0x31,
};

struct fake_medium {
	uint32_t sectors;
	uint8_t (*data)[FAKE_SECTOR];
	uint8_t *bad; /* of each sector: the status of a read, as 10h (CRC); 0: it can be read */
	bool is_protected;
};

/* Makes a medium of sectors that hold E5h. fake_medium_free() gives its memory back. */
void fake_medium_init(struct fake_medium *m, uint32_t sectors);
void fake_medium_free(struct fake_medium *m);

enum fake_drive {
	FAKE_FLOPPY,   /* 00h: 80 cylinders, 2 heads, 18 sectors */
	FAKE_DISK,     /* 80h, with the extensions */
	FAKE_DISK_CHS, /* 80h, without: 255 heads, 63 sectors */
};

/* What becomes of the sector in which the power dies. */
enum fake_torn {
	FAKE_TORN_MIX,        /* begins as the new one and ends as the old one */
	FAKE_TORN_GARBAGE,    /* all of it is something else */
	FAKE_TORN_UNREADABLE, /* 10h from now on, until it is written */
};

struct fake_faults {
	/* The state in which GRUB leaves a floppy: see fake_bios_after_grub(). */
	bool held_in_reset; /* 80h until AH = 00h */
	bool no_line;       /* the drive has no change line: 06h never comes */

	unsigned first_fail; /* so many of the first transfers fail, with `first_status` or 80h */
	uint8_t first_status;
	unsigned each_fails;         /* each transfer fails so often before it succeeds: 04h */
	uint8_t edd_status;          /* 42h and 43h fail with it, although 41h announces them */
	bool edd_reads_nothing;      /* 42h says that it has read, and has not */
	unsigned read_nothing_at;    /* this read of sectors moves nothing, and says success */
	unsigned write_nothing_from; /* from this write on nothing is written; success */
	unsigned fail_from;          /* from this transfer on all fail, with `fail_status` or 20h */
	uint8_t fail_status;

	unsigned swap_at; /* before this call of INT 13h the medium becomes `other`; NULL: none */
	struct fake_medium *other;
	unsigned back_at; /* and before this one it is the first one again */

	unsigned power_dies_at; /* in this sector of those that are written */
	enum fake_torn torn;
	unsigned torn_bytes; /* FAKE_TORN_MIX: so many are new */

	bool no_int9;         /* the BIOS's INT 9 leaves the byte in the keyboard controller */
	uint64_t mouse_at_us; /* then a byte of the mouse is in the keyboard controller */
	bool no_timer;        /* the 8254 does not count */
};

struct fake_bios {
	/* Set by the test, after fake_bios_reset(). */
	struct fake_faults faults;
	struct fake_medium *medium;       /* in the drive; NULL: none */
	uint32_t cylinders, heads, track; /* as AH = 08h says; sectors of a track */
	uint32_t true_heads, true_track;  /* what AH = 02h and 03h reckon with; 0: the same */
	bool apm;                         /* the BIOS has APM */
	uint64_t us;                      /* the time */

	/* What happened. */
	uint8_t low[FAKE_LOW];
	uint8_t dor;     /* port 3F2h: 10h is the motor of drive 0, 04h lets the controller run */
	unsigned calls;  /* of INT 13h */
	unsigned resets; /* AH = 00h */
	unsigned reads, writes; /* calls that move sectors, those that fail included */
	unsigned edd_transfers; /* 42h and 43h among them */
	unsigned written;       /* sectors */
	unsigned heard;         /* keys that the BIOS's INT 9 took */
	bool off;               /* APM has switched the machine off */
};

extern struct fake_bios fake_bios;

/* A machine that has just been switched on, without a medium. Media keep what they hold. */
void fake_bios_reset(enum fake_drive drive);

/* Puts a medium in (NULL: takes it out). The change line says so once. */
void fake_bios_insert(struct fake_medium *m);

/*
 * What GRUB leaves behind it: the controller in reset and the motor off, while the BIOS data area
 * says that the motor runs and the drive is calibrated. The next access does not wait until the
 * disk turns, unless the data area says that it must.
 */
void fake_bios_after_grub(void);

/* Calls run(arg). False: the power died in it, or APM switched the machine off. */
bool fake_bios_run(void (*run)(void *arg), void *arg);

/*
 * Somebody presses a key at a time of fake_bios.us, and lets it go so much later. A PS/2 keyboard,
 * or a USB keyboard that the BIOS shows at port 60h.
 */
void fake_bios_press(uint8_t scan, uint64_t at_us, uint64_t for_us);

/* Puts a key into the BIOS's own buffer, as some BIOSes do with USB keyboards in each tick. */
void fake_bios_key_by_tick(uint16_t key);

/* Is the floppy's motor, and its lamp, on? */
bool fake_bios_motor(void);

#endif
