/*
 * sim/pc/devices.h - ports and what is behind them: 16550, PIT, PM timer, 8259s, CMOS clock, exits.
 */
#ifndef SIM_DEVICES_H
#define SIM_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

enum uart_fault { UART_OK, UART_ABSENT, UART_STUCK, UART_DROP };

enum { UART_FIFO = 16 };

struct uart {
	uint8_t ier, lcr, mcr, scr, fcr;
	uint16_t divisor;
	bool fifo;
	uint8_t rx[UART_FIFO];
	unsigned rx_count;
	bool overrun;
	bool thre_interrupt;  /* transmitter went empty and nobody looked */
	uint64_t sent;        /* bytes */
	uint64_t tx_busy;     /* clock at which the last byte has left */
	uint64_t rx_next;     /* clock of the next input byte */
	const uint8_t *input; /* bytes that will arrive */
	uint64_t input_size, input_at;
};

/* uart.c, ports 3F8h to 3FFh */
void uart_reset(struct machine *pc);
uint8_t uart_read(struct machine *pc, uint16_t port);
void uart_write(struct machine *pc, uint16_t port, uint8_t value);
void uart_update(struct machine *pc);
uint64_t uart_next(const struct machine *pc);

struct pit_channel {
	uint16_t reload;
	uint8_t mode, access; /* access: 1 low, 2 high, 3 both */
	bool write_high, read_high;
	bool latched, status_latched;
	uint16_t latch;
	uint8_t status;
	uint8_t low;     /* of a two-byte write */
	uint64_t start;  /* PIT tick at which counting began */
	uint64_t paused; /* ticks counted when the gate went low */
	bool counting;
	bool gate;
	uint64_t fired; /* output edges that were passed on (channel 0) */
};

struct pic {
	uint8_t irr, isr, imr, base, icw, read_isr;
	bool auto_eoi, poll;
};

struct devices {
	struct uart uart;
	struct pit_channel pit[3];
	uint8_t port61;
	struct pic pic[2];
	bool pic_level; /* the output of the master */
	uint8_t cmos_index;
	uint8_t cmos_b;
	uint8_t shutdown_match;
	uint16_t pm_control, pm_enable;
	uint32_t pci_address;
};

void devices_reset(struct machine *pc);
/* size: 1, 2, 4 */
uint32_t port_read(struct machine *pc, uint16_t port, unsigned size);
void port_write(struct machine *pc, uint16_t port, unsigned size, uint32_t value);
/* Brings every device to the clock of the running CPU. */
void devices_update(struct machine *pc);
/* Clock of the next thing that a device does on its own. */
uint64_t devices_next(const struct machine *pc);

/* 8259s */
void pic_raise(struct machine *pc, unsigned irq);
void pic_lower(struct machine *pc, unsigned irq);
bool pic_pending(const struct machine *pc);
uint8_t pic_acknowledge(struct machine *pc);

/* Ticks of a clock of this many Hz since power-on. */
uint64_t clock_ticks(const struct machine *pc, uint64_t clock, uint64_t hz);
/* The first clock at which that many ticks have passed. */
uint64_t ticks_clock(const struct machine *pc, uint64_t ticks, uint64_t hz);

/* output.c: what the guest sends through the serial port. */
struct output;
struct output *output_open(const char *log);
void output_byte(struct output *out, uint8_t byte);
/* 0: the guest's last `done` said ok; 1: it said something else; 2: there was none. */
int output_status(const struct output *out);
void output_close(struct output *out);

#endif
