/*
 * A polled serial port of the 8250 family: 8250, 16450, 16550 (FIFO broken), 16550A and everything
 * that imitates one, behind I/O ports or in memory.
 * Source: the PC16550D data sheet (National Semiconductor, 1995), sections 8.0 to 8.7.
 */
#ifndef KERNEL_CONSOLE_UART_H
#define KERNEL_CONSOLE_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uart {
	/* What the caller knows. */
	bool mmio;
	uint8_t stride;   /* bytes from register to register: 1, or 4 with 32-bit accesses */
	uint32_t address; /* I/O port or physical address of register 0 */
	uint32_t baud;    /* 0: leave the rate as the firmware set it */
	uint32_t pci;     /* its function (kernel/chipset/pci.h); 0: it is on no card */
	uint32_t clock;   /* Hz of its crystal; 0: unknown, then the rate stays as well */

	/* What uart_open() found. */
	const char *kind; /* "8250", "16450", "16550", "16550a" */
	uint8_t fifo;     /* bytes it takes at once when its transmitter is empty */

	/* What happened since. */
	bool stalled;     /* did not become ready in time; tried again at the next write */
	uint32_t dropped; /* bytes that were not sent, saturating */
};

/* The PC's crystal, and the highest rate that it makes: divided by 16 and a divisor of 1. */
enum { UART_PC_CLOCK = 1843200, UART_MAX_BAUD = 115200 };

/*
 * The divisor that makes `baud` of `clock`, at most 2 % off: a receiver that samples in the middle
 * of a bit is half a bit off behind ten of them at 5 %, and the other side may be off as well.
 * 0 if there is none.
 */
uint16_t uart_divisor(uint32_t clock, uint32_t baud);

/*
 * Looks whether there is a UART, tells its kind and sets it to `baud`, 8N1, no interrupts. Where no
 * divisor makes that rate, the rate stays as it was, and u->baud becomes 0.
 * Returns NULL, or why it cannot be used: its registers are then as they were. Never hangs; a port
 * that reads as all ones, as an empty bus does, is not written to.
 */
const char *uart_open(struct uart *u);

/* What uart_open() returns for an address at which nothing answers. */
extern const char uart_absent[];

/* Sends `n` bytes, `\n` as `\r\n`. Bytes that cannot be sent in time are counted in u->dropped. */
void uart_write(struct uart *u, const char *text, size_t n);

/* Takes a byte that has arrived; false if there is none, or if it was damaged on the way. */
bool uart_take(struct uart *u, uint8_t *byte);

/* Waits, bounded, until the last bit has left. */
void uart_drain(struct uart *u);

#endif
