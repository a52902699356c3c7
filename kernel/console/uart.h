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
	/* Set by the caller. */
	bool mmio;
	uint8_t stride;   /* bytes from register to register: 1, or 4 with 32-bit accesses */
	uint32_t address; /* I/O port or physical address of register 0 */
	uint32_t baud;    /* 0: leave the rate as the firmware set it */
	uint32_t pci;     /* its function (kernel/chipset/pci.h); 0: it is on no card */
	uint32_t clock;   /* Hz of its crystal; 0: unknown, then the rate stays as well */

	/* Found by uart_open(). */
	const char *kind; /* "8250", "16450", "16550", "16550a" */
	uint8_t fifo;     /* bytes it takes at once when its transmitter is empty */

	/* Errors since uart_open(). */
	bool stalled;     /* did not become ready in time; tried again at the next write */
	uint32_t dropped; /* bytes that were not sent, saturating */
};

/* The PC's crystal, and the highest rate that it makes: divided by 16 and a divisor of 1. */
enum { UART_PC_CLOCK = 1843200, UART_MAX_BAUD = 115200 };

/*
 * The divisor that makes `baud` of `clock` (Hz) with an error of at most 2 %; 0: there is none.
 * With an error of 5 % a receiver, which samples in the middle of a bit, is half a bit off after
 * ten bits, and the other side may be off as well.
 */
uint16_t uart_divisor(uint32_t clock, uint32_t baud);

/*
 * Finds the UART and its kind, and sets it to u->baud, 8N1, no interrupts. If no divisor makes that
 * rate, the rate does not change, and u->baud becomes 0. Returns NULL, or the reason why the UART
 * cannot be used, with its registers as before. Never hangs. A port that reads as all ones, like an
 * empty bus, is not written to.
 */
const char *uart_open(struct uart *u);

/* The result of uart_open() for an address without a UART. */
extern const char uart_absent[];

/* Sends `n` bytes, `\n` as `\r\n`. Bytes that cannot be sent in time are counted in u->dropped. */
void uart_write(struct uart *u, const char *text, size_t n);

/* Takes a byte that has arrived; false if there is none, or if it was damaged on the way. */
bool uart_take(struct uart *u, uint8_t *byte);

/* Waits, bounded, until the last bit has left. */
void uart_drain(struct uart *u);

#endif
