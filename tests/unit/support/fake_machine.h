/*
 * A PC of serial ports, a text screen, a framebuffer and a BIOS data area, for host tests of the
 * console drivers. Everything else is an empty bus.
 */
#ifndef TESTS_UNIT_SUPPORT_FAKE_MACHINE_H
#define TESTS_UNIT_SUPPORT_FAKE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fake_model { FAKE_8250, FAKE_16450, FAKE_16550, FAKE_16550A };

enum { FAKE_UARTS = 4, FAKE_OUTPUT = 1 << 20, FAKE_FB = 1 << 25 };

struct fake_uart {
	/* Set by the test. */
	bool present, mmio;
	bool card; /* of the PCI function below: seen while that decodes */
	uint32_t address;
	unsigned stride; /* 1 or 4; 4 only takes 32-bit accesses */
	enum fake_model model;
	bool stuck_loop;    /* the loopback bit cannot be cleared */
	bool never_ready;   /* the transmitter never empties */
	bool no_interrupts; /* IER holds nothing, as in what is no UART */
	bool no_modem;      /* modem lines not wired, as in some virtual UARTs */
	unsigned latency;   /* line status reads until a burst has been sent */

	/* What happened. */
	uint8_t ier, lcr, mcr, scr, fcr, dll, dlm;
	unsigned queued, countdown; /* bytes in the transmitter; reads until it is empty */
	unsigned overruns;          /* bytes written to a full transmitter */
	unsigned writes, status_reads;
	char out[FAKE_OUTPUT];
	size_t nout;
};

struct fake_machine {
	struct fake_uart uarts[FAKE_UARTS];
	struct {
		bool present;
		uint64_t address;
		uint32_t regs[256]; /* by offset / 16 */
		bool loses;         /* a write behind a write is lost, as on the Pentium */
		bool written;       /* the access before was a write */
		unsigned lost;
		bool fenced; /* stores have been waited for */
	} apic;
	struct {
		bool present;        /* one function, 0:14h.0 */
		uint32_t config[64]; /* by register / 4 */
		uint32_t address;    /* last value of port CF8h */
		uint64_t bar;        /* physical address of its registers */
		uint8_t regs[1 << 16];
		uint32_t io_size
			[6];  /* I/O ports behind each base address register; 0: no such register */
		bool refuses; /* the firmware does not let go of it */
	} pci;
	bool debugcon;
	uint64_t tsc, cr4;
	void (*sti)(void); /* interrupts are let in; NULL: none comes */
	uint8_t empty_bus; /* what reads of nothing return: FFh, on some machines 0 */
	char debug_out[FAKE_OUTPUT];
	size_t ndebug;
	uint16_t bda[128];       /* from 400h */
	uint16_t text[2000];     /* B8000h */
	uint16_t mono[2000];     /* B0000h */
	uint8_t crtc[2], cursor; /* index registers at 3D4h and 3B4h; last value of index 0Ah */
	uint8_t position;        /* index 0Fh */
	bool no_vga;             /* nothing answers at these ports; the memory is there */
	uint64_t fb_address;     /* anywhere: what it shows is mapped by ioremap() */
	uint32_t fb_size;
	bool narrow; /* as the 32-bit kernel: nothing above 4 GiB can be mapped */
	unsigned fb_reads, wild_reads, wild_writes,
		wild_port_writes; /* accesses that must not happen */
	uint8_t fb[FAKE_FB];      /* the last: what fb_size does not reach stays 0 */
};

extern struct fake_machine fake;

void fake_reset(void);

/* Output of one UART as a string. */
const char *fake_output(unsigned uart);

/*
 * Memory at `address`: of the machines that have it as one piece (tests/unit/support/fake_bios.h).
 */
volatile void *fake_ptr(uintptr_t address);

uint8_t fake_in(uint16_t port);
uint16_t fake_in16(uint16_t port); /* these two: of the tests that need them */
void fake_out16(uint16_t port, uint16_t v);
uint32_t fake_in32(uint16_t port);
void fake_out32(uint16_t port, uint32_t v);
void fake_out(uint16_t port, uint8_t v);
uint32_t fake_read(uint64_t address, unsigned size);
void fake_write(uint64_t address, unsigned size, uint32_t v);

#endif
