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

enum { FAKE_UARTS = 4, FAKE_OUTPUT = 1 << 20, FAKE_FB = 1 << 21 };

struct fake_uart {
	/* Set by the test. */
	bool present, mmio;
	uint32_t address;
	unsigned stride; /* 1 or 4; 4 only takes 32-bit accesses */
	enum fake_model model;
	bool stuck_loop;  /* the loopback bit cannot be cleared */
	bool never_ready; /* the transmitter never empties */
	bool no_modem;    /* modem lines not wired, as in some virtual UARTs */
	unsigned latency; /* line status reads until a burst has been sent */

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
	} apic;
	struct {
		bool present;        /* one function, 0:14h.0 */
		uint32_t config[64]; /* by register / 4 */
		uint32_t address;    /* last value of port CF8h */
		uint64_t bar;        /* physical address of its registers */
		uint8_t regs[1 << 16];
		bool refuses; /* the firmware does not let go of it */
	} pci;
	bool debugcon;
	uint64_t tsc;
	uint8_t empty_bus; /* what reads of nothing return: FFh, on some machines 0 */
	char debug_out[FAKE_OUTPUT];
	size_t ndebug;
	uint16_t bda[128];       /* from 400h */
	uint16_t text[2000];     /* B8000h */
	uint16_t mono[2000];     /* B0000h */
	uint8_t crtc[2], cursor; /* index registers at 3D4h and 3B4h; last value of index 0Ah */
	uint8_t position;        /* index 0Fh */
	bool no_vga;             /* nothing answers at these ports; the memory is there */
	uint64_t fb_address;     /* anywhere: what it shows is mapped by window_map() */
	uint32_t fb_size;
	bool narrow; /* as the 32-bit kernel: nothing above 4 GiB can be mapped */
	uint8_t fb[FAKE_FB];
	unsigned fb_reads, wild_reads, wild_writes,
		wild_port_writes; /* accesses that must not happen */
};

extern struct fake_machine fake;

void fake_reset(void);

/* Output of one UART as a string. */
const char *fake_output(unsigned uart);

uint8_t fake_in(uint16_t port);
uint32_t fake_in32(uint16_t port);
void fake_out32(uint16_t port, uint32_t v);
void fake_out(uint16_t port, uint8_t v);
uint32_t fake_read(uint64_t address, unsigned size);
void fake_write(uint64_t address, unsigned size, uint32_t v);

#endif
