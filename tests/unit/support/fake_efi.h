/*
 * A fake 64-bit UEFI for host tests. The real kernel/firmware/efi.c is compiled into
 * fake_efi.c, so a test that links it calls efi_enter() and the functions of efi.h, and the
 * services that they reach are those of this file.
 *
 *	fake_efi_reset();		a healthy PC with 4 GiB and one stick with CPL0.LOG
 *	fake_efi.fail[FAKE_WRITE] = ...	or fake_efi_draw(seed): what shall go wrong
 *	fake_efi_boot();		efi_enter(), as start_efi calls it, from a cleared state
 *	efi_memory(), efi_open(), efi_transfer(), efi_key()
 *
 * A service that is called in a way that UEFI forbids is counted in fake_efi.misuse, with the last
 * reason in fake_efi.why: whatever a test draws, both must stay empty. Forbidden are: any service
 * after ExitBootServices, any but those of memory after it has failed once, a file or a volume that
 * is not open, a task priority level that is too high, a PAT or local APIC that is not the
 * firmware's, and memory that the caller does not own.
 *
 * Memory that AllocatePages gives is a number, which must not be touched. Memory of the pool is the
 * host's, so the sanitizer watches its ends.
 */
#ifndef TESTS_UNIT_SUPPORT_FAKE_EFI_H
#define TESTS_UNIT_SUPPORT_FAKE_EFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/chipset/bootinfo.h"

/* The services that can be told to fail. */
enum fake_service {
	FAKE_ALLOCATE_PAGES,
	FAKE_ALLOCATE_POOL,
	FAKE_GET_MEMORY_MAP,
	FAKE_EXIT, /* ExitBootServices */
	FAKE_HANDLE_PROTOCOL,
	FAKE_LOCATE_HANDLES,
	FAKE_OPEN_VOLUME,
	FAKE_OPEN,
	FAKE_GET_POSITION,
	FAKE_SET_POSITION,
	FAKE_READ,
	FAKE_WRITE,
	FAKE_FLUSH,
	FAKE_SERVICES
};

/* Status codes with the bit that marks an error. */
#define FAKE_ERROR(n)        ((uint64_t)1 << 63 | (n))
#define FAKE_INVALID         FAKE_ERROR(2)
#define FAKE_TOO_SMALL       FAKE_ERROR(5)
#define FAKE_DEVICE_ERROR    FAKE_ERROR(7)
#define FAKE_WRITE_PROTECTED FAKE_ERROR(8)
#define FAKE_OUT_OF_MEMORY   FAKE_ERROR(9)
#define FAKE_NO_MEDIA        FAKE_ERROR(12)
#define FAKE_MEDIA_CHANGED   FAKE_ERROR(13)
#define FAKE_NOT_FOUND       FAKE_ERROR(14)

enum {
	FAKE_FOREVER = ~0u,
	FAKE_ROWS = 2048,      /* of the memory map, at most */
	FAKE_MEDIA = 2,        /* the first is what GRUB was started from */
	FAKE_FILE = 256 << 10, /* bytes of CPL0.LOG, at most */
	FAKE_GIVEN = 64,
	FAKE_KEYS = 8,
	FAKE_VECTOR = 0x40, /* of the firmware's timer */
};

struct fake_memory {
	uint32_t type; /* UEFI 2.10 section 7.2: 7 is conventional memory */
	uint64_t start, pages, attributes;
};

struct fake_medium {
	bool present, readonly, has_file;
	size_t size;              /* of CPL0.LOG, bytes */
	uint8_t bytes[FAKE_FILE]; /* what is on the medium */
	uint8_t cache[FAKE_FILE]; /* what the firmware believes: Flush makes both equal */
	unsigned generation;      /* how often it was plugged in; older file handles are stale */
};

struct fake_efi {
	/* --- The machine; a test may change it before fake_efi_boot(). --- */
	const char *cmdline; /* fake_efi_reset(): logfile=100+FAKE_FILE/512 */
	unsigned step;       /* bytes of a row of the memory map as GetMemoryMap tells: 48 */
	struct fake_memory map[FAKE_ROWS];
	unsigned nmap;
	uint8_t bits;    /* of the firmware, as GRUB tells: 64 */
	bool no_pat;     /* CPUID announces no page attribute table */
	bool ended;      /* the loader ended boot services and passes its handles all the same */
	bool la57;       /* five levels of paging */
	bool no_console; /* the system table has no ConIn */
	bool one_shot;   /* the timer is set again by its own handler (HpetTimerDxe) */

	/* --- What goes wrong. --- */
	struct fake_fail {
		unsigned after;  /* so many calls are good; */
		unsigned times;  /* so many then fail, FAKE_FOREVER: all; 0: none */
		uint64_t status; /* with this; 0: they say success, and nothing happens */
		size_t bytes;    /* that are moved all the same */
	} fail[FAKE_SERVICES];
	unsigned grows;         /* so many calls of GetMemoryMap find a map that grew by two rows */
	uint64_t nothing_below; /* AllocatePages has nothing that ends at or below */
	uint64_t largest;       /* bytes that AllocatePages gives in one piece; 0: any */
	bool ignores_limit;     /* AllocatePages takes no notice of the address */
	bool nx_data;           /* only loader code can be executed: kernel_is_nx tells */
	bool short_transfers;   /* Read and Write move half, and say so */

	/* --- What happened. --- */
	unsigned misuse;
	const char *why;
	unsigned calls[FAKE_SERVICES];
	unsigned refused; /* services called through efi_call() that returned an error */
	bool exited;      /* ExitBootServices has succeeded */
	bool trying;      /* ... or was called */
	bool kernel_is_nx;
	struct fake_memory given[FAKE_GIVEN]; /* by AllocatePages */
	unsigned ngiven;
	uint64_t now;     /* microseconds */
	uint64_t expires; /* when the timer's interrupt is due; 0: it is not set */
	unsigned ticks;   /* interrupts of the timer that its handler saw */
	struct fake_medium media[FAKE_MEDIA];
};

extern struct fake_efi fake_efi;

/* Also resets the machine of fake_machine.h, and gives it a local APIC. */
void fake_efi_reset(void);

/*
 * Replaces the memory map: RAM from 0 to low_end, at least 64 MiB, and from 4 GiB to high_end, 0:
 * none. fake_efi_reset(): 2 GiB and 6 GiB.
 */
void fake_efi_memory(uint64_t low_end, uint64_t high_end);

/* Replaces the memory map by one of `rows` rows that does not merge. */
void fake_efi_long_map(unsigned rows);

/* Draws a machine and faults: the same ones for the same seed. */
void fake_efi_draw(uint32_t seed);

/* efi.c as it is when the kernel has been loaded, and then efi_enter(). */
void fake_efi_boot(void);

/* Time in which the kernel measures: the timer's interrupt may become due. */
void fake_efi_pass(uint64_t us);

/* A key on a keyboard that the firmware asks in the handler of its timer. */
void fake_efi_press(uint16_t scan, uint16_t unicode);

/* The medium is pulled, or plugged in: as another device, with what its bytes say. */
void fake_efi_pull(unsigned medium);
void fake_efi_plug(unsigned medium);

#endif
